"""Baccarat: which of two hands, the player's or the banker's, comes nearer to nine points?

Nobody decides anything: who draws is laid down (see `tableau`). Bets: on the player's hand, on the banker's, whose wins
pay a commission or are paid less in some coups, on a tie, in which both of the others are returned, and on a pair among
either hand's first two cards. `both` is equal wagers on the player and on the banker, and its initial wager is the two
together: what two people lose who bet against each other.

Method: exact, in integers, over ordered sequences of six cards; pairs over two cards. Any number of decks and any
partly used shoe, known by value or by rank. Source: ``data/baccarat.toml``.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import comb, lcm
from typing import TYPE_CHECKING, Final, NamedTuple, Unpack

from casinomath import montecarlo
from casinomath.cards import by_value, check_decks
from casinomath.coups import PLACES, Played, look
from casinomath.dealing import Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError, unknown
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.tableau import BANKER_DRAWS, PLAYER_DRAWS, Coup, law, pair, read_shoe

if TYPE_CHECKING:
    import pandas as pd

STEM = "baccarat"
BETS = ("player", "banker", "tie", "player_pair", "banker_pair", "both")

EVENTS = ("player_wins", "banker_wins", "tie", "player_pair", "banker_pair")
"""What a pay table must pay."""

SPECIAL: Final[Mapping[str, Callable[[int, int], bool]]] = {
    "banker_wins_with_three_card_7": lambda points, cards: (points, cards) == (7, 3),
    "banker_wins_with_6": lambda points, _cards: points == 6,
}
"""Wins of the banker that a pay table may pay otherwise, by the banker's points and number of cards."""


class Rules(NamedTuple):
    """The rules of baccarat. Defaults: eight decks, and a commission of 5%."""

    decks: int = 8
    """Decks in the shoe. More favour the player's side and the tie, fewer the banker's."""
    commission: float = 0.05
    """The house's part of whatever a bet on the banker wins. Favours the house."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, "standard")
    if not 0 <= rules.commission < 1:
        raise RequestError(f"commission is {rules.commission}; expected a part of the win, 0 or more and less than 1")
    paytable.check_odds(EVENTS, optional=SPECIAL)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, "standard")


def evaluate(
    rules: Rules, paytable: PayTable, *, bet: str = "player", shoe: Iterable[int] | str | None = None
) -> Returns:
    """Return what a bet is worth, per unit of its wager; for `both`, per unit of the two wagers together.

    shoe : counts left, ten by value (ace first) or thirteen by rank (A, 2, …, Q, K)

    Details, but of pairs: `house_edge_per_bet_resolved`, coups left out that return the whole wager, and as a fraction
    `house_edge_per_bet_resolved_exact`; tables of `margins` and `given_player_total`, the player's total of two cards.
    Raises RequestError for rules, a pay table or a shoe that make no sense.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    left = read_shoe(rules.decks, shoe)
    if bet.endswith("_pair"):
        chance = pair(left)
        outcomes = [Outcome(bet, chance, paytable.pay(bet)), Outcome("no_pair", 1 - chance, Fraction(-1))]
        return exact_returns(STEM, bet, rules._asdict(), paytable.name, outcomes, comb(left.cards, 2))
    coups = law(left.counts)
    won: dict[str, int] = {}
    for coup, number in coups.items():
        event = event_of(paytable, bet, coup.margin, coup.banker, coup.banker_cards)
        won[event] = won.get(event, 0) + number
    nets = {event: net(rules, paytable, bet, event) for event in won}
    outcomes = [Outcome(event, Fraction(number, left.coups), nets[event]) for event, number in won.items()]
    # Of two wagers one is decided even where the other makes up for it: only a tie returns both.
    returned = ("tie",) if bet == "both" else tuple(event for event in won if not nets[event])
    resolved = sum((outcome.chance for outcome in outcomes if outcome.event not in returned), Fraction(0))
    lost = -sum((outcome.chance * outcome.net for outcome in outcomes), Fraction(0))
    return exact_returns(
        STEM,
        bet,
        rules._asdict(),
        paytable.name,
        sorted(outcomes, key=lambda outcome: -outcome.net),
        left.coups,
        {
            "house_edge_per_bet_resolved": float(lost / resolved) if resolved else None,
            "house_edge_per_bet_resolved_exact": str(lost / resolved) if resolved else None,
            "margins": margins(coups),
            "given_player_total": given_player_total(coups),
        },
    )


def event_of(paytable: PayTable, bet: str, margin: int, points: int, cards: int) -> str:
    """Return the name of what a coup came to: a line of the pay table.

    margin        : the player's points less the banker's
    points, cards : of the banker
    """
    if margin >= 0:
        return "player_wins" if margin else "tie"
    if bet in ("banker", "both"):
        for event, fits in SPECIAL.items():
            if event in paytable.pays and fits(points, cards):
                return event
    return "banker_wins"


def net(rules: Rules, paytable: PayTable, bet: str, event: str) -> Fraction:
    """Return what a bet comes to, in units of its wager."""
    if bet == "both":
        return sum((net(rules, paytable, one, event) for one in ("player", "banker")), Fraction(0)) / 2
    if event == "tie" or bet == "tie":
        return (paytable.pay("tie") if event == "tie" else Fraction(-1)) if bet == "tie" else Fraction(0)
    if not event.startswith(bet):
        return Fraction(-1)
    return paytable.pay(event) * (1 - Fraction(str(rules.commission)) if bet == "banker" else 1)


# --- What a coup comes to, whatever is bet ------------------------------------------------------------------


def margins(coups: Mapping[Coup, int]) -> "pd.DataFrame":
    """Return how likely each margin is, with a natural and without.

    margin (the player's points less the banker's, from −9 to 9), natural, combinations, probability
    """
    import pandas as pd

    every, found = sum(coups.values()), {(margin, natural): 0 for margin in range(-9, 10) for natural in (False, True)}
    for coup, number in coups.items():
        found[coup.margin, coup.natural] += number
    rows = [(*key, number, number / every) for key, number in found.items()]
    return pd.DataFrame(rows, columns=["margin", "natural", "combinations", "probability"])


def given_player_total(coups: Mapping[Coup, int]) -> "pd.DataFrame":
    """Return who wins how likely, given the player's total of two cards: total, probability, player, banker, tie."""
    import pandas as pd

    every, rows = sum(coups.values()), []
    for total in range(10):
        wins = {"player": 0, "banker": 0, "tie": 0}
        for coup, number in coups.items():
            if coup.player_two == total:
                wins["player" if coup.margin > 0 else "banker" if coup.margin else "tie"] += number
        met = sum(wins.values())
        if met:
            rows.append((total, met / every, *(number / met for number in wins.values())))
    return pd.DataFrame(rows, columns=["player_total", "probability", "player", "banker", "tie"])


def drawing_chart() -> "pd.DataFrame":
    """Return the tableau of the banker: a row for each total of two cards, a column for what the player did.

    banker_total, then `stood` and the player's third card from 0 to 9; "draw" or "stand"
    """
    import pandas as pd

    thirds = [str(third) for third in range(10)]
    rows = [
        (total, *("draw" if draws else "stand" for draws in (total <= PLAYER_DRAWS, *(card in on for card in thirds))))
        for total, on in BANKER_DRAWS.items()
    ]
    return pd.DataFrame(rows, columns=["banker_total", "stood", *thirds])


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    bet: str = "player",
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal coups, a fresh shoe each, play them by the printed rules and settle them.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    kept = 1 - Fraction(str(rules.commission))
    pays = [paytable.pay(event) for event in paytable.pays]
    chunk = Dealt(
        decks=rules.decks,
        pack="standard",
        places=PLACES,
        look=partial(_look, bet),
        settle=partial(_settle, paytable, kept, bet),
        unit=Fraction(1, 2 * lcm(*(pay.denominator for pay in (*pays, *(pay * kept for pay in pays))))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(bet: str, cards: Cards) -> list[Counts]:
    played: Played = look(cards)
    if bet.endswith("_pair"):
        return [getattr(played, bet)]
    return [played.player, played.banker, played.banker_cards]


def _settle(paytable: PayTable, kept: Fraction, bet: str, seen: tuple[int, ...]) -> Settled:
    lost = Fraction(-1)
    if bet.endswith("_pair"):
        return Settled(bet, paytable.pay(bet)) if seen[0] else Settled("no_pair", lost)
    player, banker, cards = seen
    if player == banker:
        return Settled("tie", paytable.pay("tie") if bet == "tie" else Fraction(0))
    winner = "player_wins" if player > banker else "banker_wins"
    if bet == "tie":
        return Settled(winner, lost)
    on_player = paytable.pay("player_wins") if player > banker else lost
    if bet == "player":
        return Settled(winner, on_player)
    if winner == "banker_wins" and banker == 6 and "banker_wins_with_6" in paytable.pays:
        winner = "banker_wins_with_6"
    if winner == "banker_wins" and banker == 7 and cards == 3 and "banker_wins_with_three_card_7" in paytable.pays:
        winner = "banker_wins_with_three_card_7"
    on_banker = lost if player > banker else paytable.pay(winner) * kept
    return Settled(winner, on_banker if bet == "banker" else (on_player + on_banker) / 2)
