"""How many hands of five, six or seven cards hold each poker hand at best, by plain counting.

Method: with seven cards or fewer, one suit at the most has five; where one has, the best hand is a flush or a straight
flush, for too few cards are left for four of a kind or a full house. Elsewhere the ranks alone decide. So hands are
counted by how their ranks repeat, (3, 2, 1, 1) being a full house, those with a flush are taken away, and hands of
five or more ranks, of which some hold a straight, are counted by ranks.
"""

from collections import Counter
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod
from typing import Final

RANKS: Final = 13
SUITS: Final = 4
WINDOWS: Final = tuple(frozenset((low + step) % RANKS for step in range(5)) for low in range(-1, RANKS - 4))
"""The ranks of every straight, 0 a deuce and 12 an ace: A-2-3-4-5 first."""

CATEGORIES: Final = (
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"),
    *("two_pair", "pair", "high_card"),
)
"""The best first."""


@cache
def hands(cards: int) -> dict[str, int]:
    """Return how many sets of so many of 52 cards hold each hand at best, the best hand first."""
    found: Counter[str] = Counter()
    for suited in range(5, cards + 1):
        others = SUITS * comb(RANKS * (SUITS - 1), cards - suited)
        for held in map(frozenset, combinations(range(RANKS), suited)):
            found[_suited(held)] += others
    for repeats in _repeats(cards, RANKS):
        ranks, ways = len(repeats), _unsuited(repeats)
        arranged = factorial(ranks) // prod(map(factorial, Counter(repeats).values()))
        straights = _straights(ranks)
        category = _category(repeats)
        better = category in ("four_of_a_kind", "full_house")
        found[category if better else "straight"] += straights * arranged * ways
        found[category] += (comb(RANKS, ranks) - straights) * arranged * ways
    return {category: found[category] for category in CATEGORIES}


def _suited(ranks: frozenset[int]) -> str:
    held = [window for window in WINDOWS if window <= ranks]
    if not held:
        return "flush"
    return "royal_flush" if held[-1] == WINDOWS[-1] else "straight_flush"


def _category(repeats: tuple[int, ...]) -> str:
    first, second = (*repeats, 0)[:2]
    names = {(4, second): "four_of_a_kind", (3, 1): "three_of_a_kind", (2, 2): "two_pair", (2, 1): "pair"}
    return names.get((first, second), "full_house" if first == 3 else "high_card")


def _repeats(cards: int, ranks: int, most: int = SUITS) -> list[tuple[int, ...]]:
    """How often ranks can come in so many cards, falling."""
    if cards == 0:
        return [()]
    if ranks == 0:
        return []
    return [
        (first, *rest) for first in range(min(cards, most), 0, -1) for rest in _repeats(cards - first, ranks - 1, first)
    ]


@cache
def _straights(ranks: int) -> int:
    """How many sets of so many ranks hold a straight."""
    return sum(any(window <= set(each) for window in WINDOWS) for each in combinations(range(RANKS), ranks))


def _unsuited(repeats: tuple[int, ...]) -> int:
    """In how many ways ranks that come so often can have suits without five cards of one suit."""
    none: tuple[int, ...] = (0,) * SUITS
    counts = Counter({none: 1})
    for times in repeats:
        more: Counter[tuple[int, ...]] = Counter()
        for (held, ways), suits in product(counts.items(), combinations(range(SUITS), times)):
            more[tuple(number + (suit in suits) for suit, number in enumerate(held))] += ways
        counts = more
    return sum(ways for held, ways in counts.items() if max(held) < 5)
