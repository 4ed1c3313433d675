"""Push 22, a side bet of Free Bet Blackjack and its like: does the dealer draw to 22?

It may pay more when the dealer's cards are all of one colour or of one suit. The dealer draws out the hand for it even
if no player's hand is left, so players' cards don't matter: whatever they take or leave is the next part of a shuffled
shoe to the dealer. The bet is lost when the player's hand exceeds 29, which takes a hit on a hard 20 or more: the
player is taken never to do that.

Method: exact, in fractions. Every set of values that a dealer's hand of 22 can have, with the number of orders in which
it can be drawn, is found once; the shoe says how likely it is, and the full decks how likely its cards are of one suit
or colour, for cards that are left of a value are any of the full decks', all choices equally likely.
Source: ``data/push_22.toml``.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import lcm, perm, prod
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, Unpack

import numpy as np
from numpy.typing import NDArray

from casinomath import montecarlo
from casinomath.cards import STANDARD, VALUES, by_value, cards_left, check_decks
from casinomath.errors import RequestError
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns

if TYPE_CHECKING:
    import pandas as pd

STEM = "push_22"
BETS = ("main",)

EVENTS: Final = ("one_suit_22", "one_colour_22", "dealer_22")
"""A dealer's 22 whose cards are of one suit, of two suits of one colour, or any other.

A pay table must pay the last; one that leaves out another pays it as the next."""


class Rules(NamedTuple):
    """The rules of Push 22. Defaults: Free Bet Blackjack with six decks."""

    decks: int = 6
    """Decks in the shoe. More favour the player a little where the dealer hits soft 17."""
    dealer_hits_soft_17: bool = True
    """H17 rather than S17. Favours the player of this bet."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, "standard")
    paytable.check_odds(EVENTS[-1:], optional=EVENTS[:-1])


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, "standard")


# --- The dealer's hands -------------------------------------------------------------------------------------

Hand: TypeAlias = tuple[int, ...]
"""How many cards of each value, ace first."""


def draws(hand: Hand, *, hits_soft_17: bool) -> bool:
    """Say whether the dealer takes another card."""
    hard = sum((value + 1) * number for value, number in enumerate(hand))
    soft = hand[0] > 0 and hard <= 11
    total = hard + 10 * soft
    return sum(hand) < 2 or total < 17 or (hits_soft_17 and soft and total == 17)


@cache
def hands(*, hits_soft_17: bool) -> dict[Hand, Counter[int]]:
    """Return every hand that the dealer can end with: the number of orders it can be drawn in, by upcard."""
    ended: dict[Hand, Counter[int]] = {}
    drawing = {tuple(int(place == value) for place in range(10)): Counter({value: 1}) for value in range(10)}
    while drawing:
        drawn: dict[Hand, Counter[int]] = {}
        for hand, orders in drawing.items():
            for value in range(10):
                longer = tuple(number + (place == value) for place, number in enumerate(hand))
                drawn.setdefault(longer, Counter()).update(orders)
        drawing = {}
        for hand, orders in drawn.items():
            (drawing if draws(hand, hits_soft_17=hits_soft_17) else ended)[hand] = orders
    return ended


def _is_22(hand: Hand) -> bool:
    return sum((value + 1) * number for value, number in enumerate(hand)) == 22


# --- What the bet is worth ----------------------------------------------------------------------------------


class Chances(NamedTuple):
    """How likely a dealer's 22 is, however its cards lie, and with all of them of one colour and of one suit."""

    any: Fraction
    one_colour: Fraction
    one_suit: Fraction


def evaluate(rules: Rules, paytable: PayTable, *, shoe: Iterable[int] | str | None = None) -> Returns:
    """Return what the bet is worth, per unit of its wager.

    shoe : ten counts by value, ace first, of a partly used shoe before the round

    Details: tables of the chances of a 22, of one colour and of one suit `by_upcard` and `by_cards` in the hand.
    Raises RequestError for rules, a pay table or a shoe that make no sense, and for a shoe that can run out.
    """
    check(rules, paytable)
    left = cards_left(shoe, rules.decks, STANDARD)
    every = hands(hits_soft_17=rules.dealer_hits_soft_17)
    _check_enough(left, every)
    found = _law(rules.decks, left, {hand: orders for hand, orders in every.items() if _is_22(hand)})
    total = _sum(found.values())
    parts = (total.one_suit, total.one_colour - total.one_suit, total.any - total.one_colour)
    pays = [next(line for line in EVENTS[kind:] if line in paytable.pays) for kind in range(len(EVENTS))]
    outcomes = [
        Outcome(event, chance, paytable.pay(line)) for event, chance, line in zip(EVENTS, parts, pays, strict=True)
    ]
    returns = exact_returns(
        STEM,
        "main",
        rules._asdict(),
        paytable.name,
        [*outcomes, Outcome("no_22", 1 - total.any, Fraction(-1))],
        deals=1,
        details={"by_upcard": _by_upcard(left, found), "by_cards": _by_cards(found)},
    )
    # hands of the dealer are no deals that would be equally likely
    return replace(returns, events=tuple(replace(event, combinations=None) for event in returns.events))


def _check_enough(left: tuple[int, ...], every: Iterable[Hand]) -> None:
    """Raise RequestError where the dealer could draw all cards of the shoe and still have to draw."""
    longest = max(map(sum, every))
    if sum(left) < longest:
        raise RequestError(f"the shoe holds {sum(left)} cards; a dealer's hand takes up to {longest}")


def _law(decks: int, left: tuple[int, ...], every: Mapping[Hand, Mapping[int, int]]) -> dict[tuple[int, int], Chances]:
    """Return the chances of hands by upcard and number of cards."""
    one_order = {hand: _in_one_order(decks, left, hand) for hand in every}
    # integers of one unit add up in no time, fractions don't
    unit = lcm(*(chance.denominator for chances in one_order.values() for chance in chances))
    sums: dict[tuple[int, int], list[int]] = {}
    for hand, chances in one_order.items():
        units = [chance.numerator * (unit // chance.denominator) for chance in chances]
        for upcard, orders in every[hand].items():
            sum_of = sums.setdefault((upcard, sum(hand)), [0, 0, 0])
            for kind, number in enumerate(units):
                sum_of[kind] += orders * number
    return {key: Chances(*(Fraction(number, unit) for number in numbers)) for key, numbers in sums.items()}


def _in_one_order(decks: int, left: tuple[int, ...], hand: Hand) -> Chances:
    drawn = prod(perm(count, number) for count, number in zip(left, hand, strict=True))
    anyhow = Fraction(drawn, perm(sum(left), sum(hand)))
    if not anyhow:
        return Chances(anyhow, anyhow, anyhow)
    full, colour, suit = (
        prod(perm(decks * count // parts, number) for count, number in zip(STANDARD, hand, strict=True))
        for parts in (1, 2, 4)
    )
    return Chances(anyhow, anyhow * Fraction(2 * colour, full), anyhow * Fraction(4 * suit, full))


def _sum(chances: Iterable[Chances]) -> Chances:
    return Chances(*(sum(kind, Fraction(0)) for kind in zip(*chances, strict=True)))


def _by_upcard(left: tuple[int, ...], found: Mapping[tuple[int, int], Chances]) -> "pd.DataFrame":
    import pandas as pd

    rows = []
    for value, name in enumerate(VALUES):
        if left[value]:
            met = Fraction(left[value], sum(left))
            total = _sum(chances for (upcard, _), chances in found.items() if upcard == value)
            rows.append((name, float(met), *(float(chance / met) for chance in total)))
    return pd.DataFrame(rows, columns=["upcard", "probability", "dealer_22", "one_colour", "one_suit"])


def _by_cards(found: Mapping[tuple[int, int], Chances]) -> "pd.DataFrame":
    import pandas as pd

    rows = [
        (number, *map(float, _sum(chances for (_, cards), chances in found.items() if cards == number)))
        for number in sorted({cards for _, cards in found})
    ]
    return pd.DataFrame(rows, columns=["cards", "dealer_22", "one_colour", "one_suit"])


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules, paytable: PayTable, rounds: int, seed: int, **running: Unpack[montecarlo.Running]
) -> montecarlo.Sample:
    """Deal hands to the dealer, a fresh shoe each, and settle them.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    return montecarlo.run(DealersHands(rules, paytable), rounds, seed, **running)


@dataclass(frozen=True)
class DealersHands:
    """Hands that the dealer draws, card by card, as a chunk to be run anywhere."""

    rules: Rules
    paytable: PayTable

    def __call__(self, rounds: int, state: montecarlo.Words) -> montecarlo.Sample:
        """Deal and settle so many hands."""
        generator = np.random.default_rng([int(word) for word in state])
        ended = Counter(_deal(self.rules, rounds, generator).tolist())
        lines = self.paytable.pays
        outcomes: Counter[tuple[int, int]] = Counter()
        events: Counter[str] = Counter()
        unit = Fraction(1, lcm(*(self.paytable.pay(line).denominator for line in lines)))
        for code, number in ended.items():
            event = ("no_22", "dealer_22", "one_colour_22", "one_suit_22")[code]
            better = [line for line in ("one_suit_22", "one_colour_22", "dealer_22")[3 - code :] if line in lines]
            net = self.paytable.pay(better[0]) if code else Fraction(-1)
            outcomes[int(net / unit), int(1 / unit)] += number
            events[event] += number
        return montecarlo.Sample(rounds, unit, dict(outcomes), dict(events), {})


def _deal(rules: Rules, rounds: int, generator: np.random.Generator) -> NDArray[np.int64]:
    """0 for no 22, 1 for one of two colours, 2 for one of one colour, 3 for one of one suit (rounds,).

    A card is a number, its suit the remainder by 4, its rank in what is left the remainder by 13; one that lies on the
    table already is drawn again.
    """
    cards = 52 * rules.decks
    points, aces = np.zeros(rounds, dtype=np.int64), np.zeros(rounds, dtype=bool)
    suits = np.zeros((4, rounds), dtype=bool)
    table: list[NDArray[np.int64]] = []
    still = np.arange(rounds)
    while len(still):
        card = generator.integers(cards, size=len(still))
        dealt = [earlier[still] for earlier in table]
        while len(again := np.flatnonzero(np.any([card == earlier for earlier in dealt], axis=0))) if dealt else False:
            card[again] = generator.integers(cards, size=len(again))
        table.append(np.full(rounds, -1))
        table[-1][still] = card
        rank = card // 4 % 13
        points[still] += np.minimum(rank + 1, 10)
        aces[still] |= rank == 0
        suits[card % 4, still] = True
        soft = aces[still] & (points[still] <= 11)
        total = points[still] + np.where(soft, 10, 0)
        stands = (total > 17) | ((total == 17) & ~(soft & rules.dealer_hits_soft_17))
        still = still[~stands | (len(table) < 2)]
    one_suit = suits.sum(axis=0) == 1
    red, black = suits[1] | suits[2], suits[0] | suits[3]
    kind = np.where(one_suit, 3, np.where(red ^ black, 2, 1))
    return np.where(points == 22, kind, 0)
