"""The Five Card Hand Bonus: a wager on five cards of the player's, of the dealer's, or two wagers on both.

How the documents are read here:

- The wager is never returned: what a line pays "for 1", or as a share of the meter, is all that comes back.
- Players whose own hands win a share of the meter are paid in order of seat, each from what those before left. Last
  comes the share that the dealer's hand wins: of what is left then, and divided among all who bet on that hand.
- A fold forfeits nothing.
- A Magic Card is drawn from 52 cards whatever was dealt, and pays on top of everything when it is one of the hand's
  five cards. A Lucky Bonus is drawn from so many positions, one of which is the dealer's. How often rounds have such a
  draw is said nowhere: both frequencies are rules, 0 by default, and a result says which make the bet fair.

`both` is two equal wagers, and its initial wager is the two together.

Method: exact, in fractions (see `flops`); where hands share other cards than a flop, one hand is priced alone.
Source: ``data/five_card_hand_bonus.toml``.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, isfinite, lcm
from typing import Final, Literal, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError, unknown
from casinomath.money import check_bet
from casinomath.paytable import PayTable
from casinomath.pokerbets import flops, meters
from casinomath.pokerbets.counting import CATEGORIES, hands
from casinomath.pokerbets.deal import Deal, check_players
from casinomath.pokerbets.meters import Prize, Worth, prize_of
from casinomath.pokerbets.reading import FIRST, NUMBER, categories, hands_at
from casinomath.returns import Outcome, Returns, exact_returns

BET = "five_card_hand_bonus"

EVENTS: Final = CATEGORIES[: CATEGORIES.index("flush") + 1]
"""What a pay table must pay."""
AWARDS: Final = EVENTS[:3]
"""Events that a share of the meter may be paid for."""
DRAWS: Final = ("magic_card", "lucky_bonus")
"""What it may pay besides."""
NOTHING: Final = "no_bonus_hand"

HANDS: Final = ("player", "dealer", "both")


class Rules(NamedTuple):
    """The rules of the Five Card Hand Bonus. Defaults: a wager on the player's own hand, nobody else's, no draws."""

    wager_on: Literal["player", "dealer", "both"] = "player"
    """Whose hand the wager is on; both are two wagers, less varied than one of the same total."""
    bet: float = 1.0
    """Each wager in dollars; it is not returned."""
    players_before: int = 0
    """Others who bet on their own hands and are paid before this player. More favour the house."""
    players_after: int = 0
    """Others who are paid after this player, but before the dealer's hand. More favour the house."""
    dealer_bettors: int = 1
    """Players who bet on the dealer's hand, among whom its share of the meter is divided. More favour the house."""
    magic_card_frequency: float = 0.0
    """Rounds that have a Magic Card, as a part of all. More favour the player."""
    lucky_bonus_frequency: float = 0.0
    """Rounds that have a Lucky Bonus, as a part of all. More favour the player."""
    lucky_positions: int = 7
    """Positions that a Lucky Bonus is drawn from, the dealer's among them. More favour the house."""


def check(deal: Deal, rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_bet(rules.bet)
    if rules.wager_on not in HANDS:
        raise unknown("hand to wager on", rules.wager_on, HANDS)
    for name in ("players_before", "players_after"):
        if getattr(rules, name) < 0:
            raise RequestError(f"{name} is {getattr(rules, name)}; expected 0 or more")
    others = rules.players_before + rules.players_after
    check_players("players_before, players_after and this player together", others + 1, deal)
    check_players("dealer_bettors", rules.dealer_bettors, deal)
    if (deal.own, deal.community) != (2, 3) and (others or rules.wager_on == "both"):
        raise RequestError(
            f"{'wager_on is both' if not others else f'players_before and players_after together is {others}'}; "
            f"expected one hand, for hands of {deal.own} cards and {deal.community} in common are priced alone"
        )
    for name in ("magic_card_frequency", "lucky_bonus_frequency"):
        frequency = getattr(rules, name)
        if not isfinite(frequency) or not 0 <= frequency <= 1:
            raise RequestError(f"{name} is {frequency}; expected a part of all rounds, 0 to 1")
    if rules.lucky_positions < 2:
        raise RequestError(f"lucky_positions is {rules.lucky_positions}; expected 2 or more, the dealer's among them")
    paytable.check(EVENTS, optional=DRAWS)
    meters.check_shares(paytable, AWARDS, (*EVENTS[len(AWARDS) :], *DRAWS))
    for draw in DRAWS:
        if getattr(rules, f"{draw}_frequency") and draw not in paytable.pays:
            raise RequestError(f"pay table {paytable.name} pays no {draw}; expected {draw}_frequency 0")
    if others_named := [name for name in meters.used(paytable) if name != meters.SINGLE]:
        raise RequestError(f"pay table {paytable.name} pays shares of {' and '.join(others_named)}; expected of meter")


# --- What can happen ----------------------------------------------------------------------------------------


class Round(NamedTuple):
    """What the hands of a round are, categories as in `counting`; "" where none was bet on."""

    player: str
    dealer: str
    chance: Fraction
    awards: flops.Awards
    """Straight flushes and royal flushes of those paid before the player, and of those after."""


def law(rules: Rules) -> Iterator[Round]:
    """Yield what the hands bet on may be, and what others win of the meter before."""
    names = flops.CATEGORIES
    before, after = rules.players_before, rules.players_after
    if rules.wager_on != "both":
        dealer = rules.wager_on == "dealer"
        # a player's share does not depend on those paid later; the dealer's hand is paid after everybody
        earlier = before + after if dealer else before
        for (number, category), (awards, parts) in product(enumerate(names), _terms(earlier, 0, both=False)):
            laws = flops.laws().alone if earlier else _alone()
            chance = sum((Fraction(ways * int(laws[others][number]), of) for others, ways, of in parts), Fraction(0))
            yield Round("" if dealer else category, category if dealer else "", chance, awards)
        return
    for awards, parts in _terms(before, after, both=True):
        for (mine, player), (theirs, dealers) in product(enumerate(names), repeat=2):
            laws = flops.laws().together
            chance = sum(
                (Fraction(ways * int(laws[others][mine, theirs]), of) for others, ways, of in parts), Fraction(0)
            )
            yield Round(player, dealers, chance, awards)


def _terms(earlier: int, later: int, *, both: bool) -> list[tuple[flops.Awards, list[tuple[flops.Others, int, int]]]]:
    if not earlier + later + both:
        return [((0, 0, 0, 0), [((0, 0), 1, comb(52, 5))])]
    return list(flops.arrangements(flops.Seats(earlier, later), deal_to_dealer=both).items())


def _alone() -> dict[flops.Others, "np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    """The law of one hand of five cards, in the order of `flops`."""
    counts = hands(5)
    return {(0, 0): np.array([counts[category] for category in flops.CATEGORIES])}


def prizes(rules: Rules, paytable: PayTable, found: Round) -> tuple[Prize, Prize]:
    """Return what the player's hand and the dealer's win, each in its own wagers."""
    royal, straight = (prize_of(paytable, event) for event in AWARDS[:2])
    paid = [straight] * found.awards[0] + [royal] * found.awards[1]
    own = prize_of(paytable, found.player)
    paid_after = [straight] * found.awards[2] + [royal] * found.awards[3]
    dealers = prize_of(paytable, found.dealer).less([*paid, *([own] if own.share else []), *paid_after])
    return own.less(paid), dealers._replace(share=dealers.share / rules.dealer_bettors)


class Draw(NamedTuple):
    """What a Magic Card and a Lucky Bonus came to."""

    names: tuple[str, ...]
    """Lines of the pay table, `dealer_` before those of the dealer's hand."""
    chance: Fraction


def draws(rules: Rules) -> list[Draw]:
    """Return what the draws may come to: one card in five for a hand, three of them the same for both in hold'em."""
    magic, lucky = (Fraction(str(frequency)) for frequency in (rules.magic_card_frequency, rules.lucky_bonus_frequency))
    position = lucky / rules.lucky_positions
    if rules.wager_on == "both":
        common, own = magic * Fraction(3, 52), magic * Fraction(2, 52)
        matched = [("magic_card dealer_magic_card", common), ("magic_card", own), ("dealer_magic_card", own)]
        drawn = [("lucky_bonus", position), ("dealer_lucky_bonus", position)]
    else:
        prefix = "dealer_" if rules.wager_on == "dealer" else ""
        matched, drawn = [(f"{prefix}magic_card", magic * Fraction(5, 52))], [(f"{prefix}lucky_bonus", position)]
    every = [[*some, ("", 1 - sum((chance for _, chance in some), Fraction(0)))] for some in (matched, drawn)]
    return [
        Draw(tuple(f"{one} {other}".split()), some * more)
        for (one, some), (other, more) in product(*every)
        if some * more
    ]


def event_of(player: str, dealer: str, drawn: tuple[str, ...]) -> str:
    """Return the name of what a round wins: `flush`, `flush_and_dealer_flush`, `dealer_magic_card`."""
    won = [player] if player in EVENTS else []
    won += [f"dealer_{dealer}"] if dealer in EVENTS else []
    return "_and_".join([*won, *drawn]) or NOTHING


# --- What it is worth ---------------------------------------------------------------------------------------


def evaluate(deal: Deal, rules: Rules, paytable: PayTable, *, meter: float | Fraction | None = None) -> Returns:
    """Return what the bet is worth, per unit of its wager; for `both`, per unit of the two together.

    meter : dollars on the meter when the round begins; without it, $0

    Details: `fixed_ev`, what the bet is worth with an empty meter; `meters`, what a dollar adds and where the meter
    makes the bet fair; and `breakeven_magic_card_frequency` and `breakeven_lucky_bonus_frequency`, how often rounds
    must have a draw to make it fair, the rest being as it is (None if not even one in every round does).
    Raises RequestError for rules, a pay table or a meter that make no sense.
    """
    check(deal, rules, paytable)
    dollars = meters.read(paytable, {}, meter)
    wagers = 2 if rules.wager_on == "both" else 1
    bet = Fraction(str(rules.bet))
    sums: dict[tuple[str, str, Fraction, Fraction], Fraction] = {}
    for found in law(rules):
        if found.chance:
            own, dealers = prizes(rules, paytable, found)
            player = found.player if found.player in EVENTS else ""
            dealer = found.dealer if found.dealer in EVENTS else ""
            key = player, dealer, own.fixed + dealers.fixed, own.share + dealers.share
            sums[key] = sums.get(key, Fraction(0)) + found.chance
    shown = dollars.get(meters.SINGLE, Fraction(0))
    outcomes = [
        Outcome(
            event_of(player, dealer, draw.names),
            chance * draw.chance,
            (fixed + _drawn(paytable, draw.names) + share * shown / bet) / wagers - 1,
        )
        for (player, dealer, fixed, share), chance in sums.items()
        for draw in draws(rules)
    ]
    share = sum((chance * share for (_, _, _, share), chance in sums.items()), Fraction(0))
    ev = sum((outcome.chance * outcome.net for outcome in outcomes), Fraction(0))
    slope = share / bet / wagers
    worth = Worth(ev - slope * shown, dict.fromkeys(dollars, slope))
    return exact_returns(
        deal.game,
        BET,
        rules._asdict(),
        paytable.name,
        sorted(outcomes, key=lambda outcome: -outcome.net),
        _deals(rules),
        {
            **worth.details(dollars),
            **{f"breakeven_{draw}_frequency": _fair(rules, paytable, draw, ev) for draw in DRAWS},
        },
    )


def _deals(rules: Rules) -> int:
    others = min(2, rules.players_before + (rules.players_after if rules.wager_on != "player" else 0))
    if rules.wager_on != "both" and not others:
        return comb(52, 5)
    return flops.deals(others, deal_to_dealer=rules.wager_on == "both")


def _drawn(paytable: PayTable, names: tuple[str, ...]) -> Fraction:
    return sum((prize_of(paytable, name.removeprefix("dealer_")).fixed for name in names), Fraction(0))


def _fair(rules: Rules, paytable: PayTable, draw: str, ev: Fraction) -> float | None:
    """How often a draw makes the bet fair: its part of the EV is in proportion to that."""
    if draw not in paytable.pays:
        return None
    # each wager is on five cards of 52, and on one position of all
    chance = Fraction(5, 52) if draw == "magic_card" else Fraction(1, rules.lucky_positions)
    now = Fraction(str(getattr(rules, f"{draw}_frequency")))
    frequency = now - ev / (chance * prize_of(paytable, draw).fixed)
    return float(frequency) if 0 <= frequency <= 1 else None


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    deal: Deal,
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    meter: float | Fraction | None = None,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal everybody's cards and those in common, a fresh pack each round, draw, and settle the wager.

    meter : dollars on the meter when each round begins; without it, $0
    Raises RequestError for rules, a pay table or a meter that make no sense, and for such rounds or such a seed.
    """
    check(deal, rules, paytable)
    settle = partial(_settle, rules, paytable, meters.read(paytable, {}, meter).get(meters.SINGLE, Fraction(0)))
    awards = [each for each in product(range(3), repeat=4) if sum(each) <= 2]  # no flop makes more
    nets = [
        settle((player, dealer, *each, *draws))
        for player, dealer, each in product(range(len(FIRST)), range(len(FIRST)), awards)
        for draws in ((0, 0, 0, 0), (1, 0, 0, 0), (0, 0, 1, 0))
    ]
    chunk = Dealt(
        decks=1,
        pack="standard",
        places=(ANY,) * (deal.community + deal.own * (2 + rules.players_before + rules.players_after)),
        look=partial(_look, deal, rules),
        draw=partial(_draw, deal, rules),
        settle=settle,
        unit=Fraction(1, lcm(*(settled.net.denominator for settled in nets))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _places(deal: Deal, player: int) -> list[int]:
    """Where the cards of a player's hand lie: those in common first; player 0 is the dealer, 1 the player."""
    first = deal.community + deal.own * player
    return [*range(deal.community), *range(first, first + deal.own)]


def _look(deal: Deal, rules: Rules, cards: Cards) -> list[Counts]:
    """Both hands' categories, and how many straight flushes and royal flushes others have before and after."""
    players = 2 + rules.players_before + rules.players_after
    dealer, player, *others = [categories(hands_at(cards, _places(deal, each))) for each in range(players)]
    sides = others[: rules.players_before], others[rules.players_before :]
    kinds = NUMBER["straight_flush"], NUMBER["royal_flush"]
    return [player, dealer, *(sum((hand == kind for hand in side), 0 * player) for side in sides for kind in kinds)]


def _draw(deal: Deal, rules: Rules, cards: Cards, generator: np.random.Generator) -> list[Counts]:
    """Whether a Magic Card is in the player's hand and in the dealer's, and whose the Lucky Bonus is."""
    rounds = cards.ranks.shape[1]
    magic, lucky = (
        generator.random(rounds) < frequency for frequency in (rules.magic_card_frequency, rules.lucky_bonus_frequency)
    )
    rank, suit = generator.integers(13, size=rounds), generator.integers(4, size=rounds)
    drawn = magic & (cards.ranks == rank) & (cards.suits == suit)
    position = np.where(lucky, generator.integers(rules.lucky_positions, size=rounds), -1)
    in_hands = [drawn[_places(deal, each)].any(axis=0).astype(np.int64) for each in (1, 0)]
    return [*in_hands, (position == 1).astype(np.int64), (position == 0).astype(np.int64)]


def _settle(rules: Rules, paytable: PayTable, meter: Fraction, seen: tuple[int, ...]) -> Settled:
    """Pay everybody in turn from the meter, then the wagers that are bet on."""
    mine, dealers, *awards = seen[:6]
    player, dealer, bet = FIRST[mine], FIRST[dealers], Fraction(str(rules.bet))
    order = [("straight_flush", awards[0]), ("royal_flush", awards[1]), (player, 1)]
    order += [("straight_flush", awards[2]), ("royal_flush", awards[3]), (dealer, 1)]
    paid = []
    for place, (event, times) in enumerate(order):
        prize, got = prize_of(paytable, event), Fraction(0)
        counts = place != 2 or rules.wager_on != "dealer"  # a player who bets on the dealer's hand alone wins nothing
        for _ in range(times if prize.share and counts else 0):
            got = prize.share * meter
            meter -= got
        paid.append(got)
    names: list[str] = []
    net, wagers = Fraction(0), 0
    for whose, prefix, event, dollars in (
        ("player", "", player, paid[2]),
        ("dealer", "dealer_", dealer, paid[5] / rules.dealer_bettors),
    ):
        if rules.wager_on not in (whose, "both"):
            continue
        wagers += 1
        net += dollars / bet - 1
        pays = paytable.pays.get(event)
        net += pays + 1 if isinstance(pays, Fraction) else 0
        names += [f"{prefix}{event}"] if event in EVENTS else []
    for draw, won in ((DRAWS[0], (seen[6], seen[7])), (DRAWS[1], (seen[8], seen[9]))):
        for whose, prefix, has in (("player", "", won[0]), ("dealer", "dealer_", won[1])):
            if has and rules.wager_on in (whose, "both"):
                names.append(f"{prefix}{draw}")
                net += paytable.pay(draw) + 1
    return Settled("_and_".join(names) or NOTHING, net / wagers)
