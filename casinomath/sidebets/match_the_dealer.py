"""Match the Dealer: do the player's first two cards match the dealer's in rank? Each card that does is paid.

Bets: on the upcard; on the down card, which has the same law before the deal; and both, which have not: they share the
player's cards. `both` is two equal wagers, and its initial wager is the two together, so that its EV is that of either
wager. What sets it apart is the spread: its standard deviation is less than that of one wager of the same total.

Method: exact, in fractions (see `matches`), for any number of decks and any pay table. A partly used shoe may be known
by value or by rank. Source: ``data/match_the_dealer.toml``.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Final, NamedTuple, Unpack

from casinomath import montecarlo
from casinomath.beside import Seen, SideBet, side_bet
from casinomath.cards import Pack, by_rank, check_decks
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import unknown
from casinomath.matches import Matches, deals_of, event_of, law, read_shoe
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns

STEM = "match_the_dealer"
BETS = ("up_card", "down_card", "both")

EVENTS = ("suited_match", "unsuited_match")
"""What a pay table must pay: one card that matches."""


class Rules(NamedTuple):
    """The rules of Match the Dealer. Defaults: Spanish 21 with six decks."""

    decks: int = 6
    """Decks in the shoe. More favour the player, for there are more suited matches; pay tables make up for it."""
    pack: Pack = "spanish"
    """Spanish packs have 48 cards, without the tens, standard packs 52. Fewer ranks favour the player."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, rules.pack)
    paytable.check_odds(EVENTS)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by rank."""
    return by_rank(rules.decks, rules.pack)


def evaluate(
    rules: Rules, paytable: PayTable, *, bet: str = "up_card", shoe: Iterable[int] | str | None = None
) -> Returns:
    """Return what a bet is worth, per unit of its wager; for `both`, per unit of the two wagers together.

    shoe : counts left, ten by value (ace first) or one for each rank of the pack (A, 2, …, Q, K)
    Raises RequestError for rules, a pay table or a shoe that make no sense.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    cards, wagers = read_shoe(rules.decks, rules.pack, shoe), 2 if bet == "both" else 1
    chances = law(cards, dealer_cards=wagers)
    nets = {matches: [net(with_one, paytable) for with_one in matches] for matches in chances}
    outcomes = [
        Outcome(event_of(matches), chance, sum(nets[matches], Fraction(0)) / wagers)
        for matches, chance in chances.items()
    ]
    return exact_returns(
        STEM,
        bet,
        rules._asdict(),
        paytable.name,
        sorted(outcomes, key=lambda outcome: -outcome.net),
        deals_of(cards, dealer_cards=wagers),
        {"wagers": 2, "correlation": _correlation([(chances[pair], *nets[pair]) for pair in chances])}
        if wagers == 2
        else None,
    )


def _correlation(results: list[tuple[Fraction, ...]]) -> float | None:
    """Return how the two wagers go together, from chances and both net results; None where nothing varies."""
    mean = sum(chance * up for chance, up, _ in results)
    variance = sum(chance * up**2 for chance, up, _ in results) - mean**2
    return float((sum(chance * up * down for chance, up, down in results) - mean**2) / variance) if variance else None


def net(matches: Matches, paytable: PayTable) -> Fraction:
    """Return the net result of one wager, in units of it: every matching card is paid, and none loses."""
    if not any(matches):
        return Fraction(-1)
    return matches.suited * paytable.pay("suited_match") + matches.unsuited * paytable.pay("unsuited_match")


# --- Simulation ---------------------------------------------------------------------------------------------

UP, DOWN, FIRST, SECOND = range(4)
"""Where a round's cards are dealt: the dealer's two, and the player's."""

WAGERS: Final = {"up_card": (UP,), "down_card": (DOWN,), "both": (UP, DOWN)}
"""The dealer's cards that each bet is on."""


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    bet: str = "up_card",
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal rounds of four cards, a fresh shoe each, and settle them; for `both`, per unit of the two wagers together.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    wagers = WAGERS[bet]
    chunk = Dealt(
        decks=rules.decks,
        pack=rules.pack,
        places=(ANY,) * 4,
        look=partial(_look, wagers),
        settle=partial(_settle, paytable),
        unit=Fraction(1, len(wagers) * lcm(*(paytable.pay(event).denominator for event in EVENTS))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def beside(rules: Rules, paytable: PayTable, *, seats: int = 1, bet: str = "up_card") -> SideBet:
    """Return the bet as a game settles it in its own rounds.

    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    settle = partial(_settle_seen, WAGERS[bet], paytable)
    return side_bet(f"{STEM}:{bet}", rules.decks, rules.pack, settle, seats=seats)


def _settle_seen(wagers: tuple[int, ...], paytable: PayTable, seen: Seen, _earlier: int) -> Settled:
    matches = {UP: seen.up, DOWN: seen.down}
    return _settle(paytable, tuple(number for dealers in wagers for number in matches[dealers]))


def _look(wagers: tuple[int, ...], cards: Cards) -> list[Counts]:
    """Suited and unsuited matches with each of the dealer's cards that is bet on."""
    return [number for dealers in wagers for number in cards.matches(dealers, (FIRST, SECOND))]


def _settle(paytable: PayTable, seen: tuple[int, ...]) -> Settled:
    with_each = [Matches(suited, unsuited) for suited, unsuited in zip(seen[::2], seen[1::2], strict=True)]
    suited_pays, unsuited_pays = (paytable.pay(event) for event in EVENTS)
    paid = [suited * suited_pays + unsuited * unsuited_pays for suited, unsuited in with_each]
    lost = with_each.count(Matches(0, 0))
    return Settled(event_of(tuple(with_each)), (sum(paid, Fraction(0)) - lost) / len(with_each))
