"""Five-card hands of two cards and a shared flop: what several players hold together, counted exactly.

An award hand is a straight flush or a royal flush: what meters and envy are paid for. It needs both of a player's
cards and the whole flop, so that at most two players can have one, and nobody beside them has four of a kind.

Method: flops up to a change of suits; of the pairs of cards beside one, how many make each category, and how many of
these hold a certain card. Of two players' pairs, those that share a card are taken away by inclusion and exclusion;
award hands of other players are single pairs, whose cards are taken out of the pack.
"""

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations, product
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.holes import HAND_OF_HOLE, HANDS
from casinomath.kernels.canonical import hole_index
from casinomath.kernels.deals import classes
from casinomath.kernels.poker import CARDS, FIVE, floors, values

CATEGORIES: Final = FIVE.categories
STRAIGHT_FLUSH, ROYAL_FLUSH = CATEGORIES.index("straight_flush"), CATEGORIES.index("royal_flush")

FLOPS: Final = comb(CARDS, 3)
PAIRS: Final = comb(CARDS - 3, 2)

Others: TypeAlias = tuple[int, int]
"""How many certain other players hold a straight flush, and a royal flush."""


class Laws(NamedTuple):
    """Sets of a flop and of players' pairs, by category of five-card hands, the worst first."""

    alone: dict[Others, NDArray[np.int64]]
    """(11,) the player's hand, folded ones last, and a set of award hands of others."""
    together: dict[Others, NDArray[np.int64]]
    """(10, 10) the player's hand, the dealer's, and likewise."""


@lru_cache(maxsize=4)
def laws(folded: frozenset[str] = frozenset()) -> Laws:
    """Return the laws of a player's hand, of the dealer's, and of as many other award hands as there can be.

    folded : hands that the player folds before the flop, such as `72o`; none of them can become an award hand
    """
    flops, folds = classes(3), np.isin(HANDS, sorted(folded))[HAND_OF_HOLE]
    alone = {others: np.zeros(len(CATEGORIES) + 1, dtype=np.int64) for others in _OTHERS}
    together = {others: np.zeros((len(CATEGORIES),) * 2, dtype=np.int64) for others in _OTHERS}
    for flop, weight in zip(flops.cards, flops.weights.tolist(), strict=True):
        pairs, held = _pairs(flop)
        awards = np.flatnonzero(held >= STRAIGHT_FLUSH)
        own = np.where(folds[hole_index(*pairs.astype(np.int64).T)], len(CATEGORIES), held)
        for others, out in _collections(pairs, held, awards):
            left = ~np.isin(pairs, pairs[out]).any(axis=1)
            alone[others] += weight * np.bincount(own[left], minlength=len(CATEGORIES) + 1)
            together[others] += weight * _together(pairs[left], held[left])
    return Laws(alone, together)


_OTHERS: Final[tuple[Others, ...]] = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1))


def _pairs(flop: NDArray[np.uint8]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """All pairs (1176, 2) beside a flop, and the category that each makes with it."""
    left = np.setdiff1d(np.arange(CARDS, dtype=np.uint8), flop)
    first, second = np.triu_indices(len(left), k=1)
    pairs = np.column_stack([left[first], left[second]])
    hands = np.hstack([pairs, np.broadcast_to(flop, (len(pairs), 3))])
    return pairs, np.searchsorted(floors(), values(hands), side="right") - 1


def _collections(
    pairs: NDArray[np.uint8], held: NDArray[np.int64], awards: NDArray[np.int64]
) -> Iterator[tuple[Others, list[int]]]:
    """Every set of award hands that several players can hold at once, with the places of their pairs."""
    for number in range(3):
        for chosen in combinations(awards.tolist(), number):
            if len(np.unique(pairs[list(chosen)])) == 2 * number:
                royal = sum(int(held[place]) == ROYAL_FLUSH for place in chosen)
                yield (number - royal, royal), list(chosen)


def _together(pairs: NDArray[np.uint8], held: NDArray[np.int64]) -> NDArray[np.int64]:
    """How many two pairs (10, 10) without a common card make each two categories."""
    number = np.bincount(held, minlength=len(CATEGORIES))
    with_card = np.zeros((len(CATEGORIES), CARDS), dtype=np.int64)
    for column in range(2):
        np.add.at(with_card, (held, pairs[:, column]), 1)
    apart: NDArray[np.int64] = np.outer(number, number) - with_card @ with_card.T + np.diag(number)
    return apart


# --- Exactly so many others ---------------------------------------------------------------------------------


class Seats(NamedTuple):
    """Other players, by whether they are paid before the player in question."""

    earlier: int
    later: int


Awards: TypeAlias = tuple[int, int, int, int]
"""Straight flushes and royal flushes of earlier seats, then of later ones."""


def arrangements(seats: Seats, deal_to_dealer: bool) -> dict[Awards, list[tuple[Others, int, int]]]:
    """Return, for every number of awards that others can win, what the chance of exactly so many is made of.

    The parts: which laws, how often they count, and of how many deals.
    """
    terms: dict[Awards, tuple[Others, int]] = {}
    for each in product(range(3), range(3), range(3), range(3)):
        others = each[0] + each[2], each[1] + each[3]
        if others in _OTHERS and each[0] + each[1] <= seats.earlier and each[2] + each[3] <= seats.later:
            chosen = _chosen(seats.earlier, each[0], each[1]) * _chosen(seats.later, each[2], each[3])
            orders = 2 if others == (2, 0) else 1  # in which two hands of one kind lie at two certain seats
            terms[each] = others, chosen * orders
    found: dict[Awards, list[tuple[Others, int, int]]] = {}
    for exactly in terms:
        for more, (others, ways) in terms.items():
            if all(some >= few for some, few in zip(more, exactly, strict=True)):
                sign = (-1) ** (sum(more) - sum(exactly))
                among = 1
                for some, few in zip(more, exactly, strict=True):
                    among *= comb(some, few)
                found.setdefault(exactly, []).append((others, sign * among * ways, deals(sum(others), deal_to_dealer)))
    return found


def _chosen(players: int, straight_flushes: int, royal_flushes: int) -> int:
    return comb(players, straight_flushes) * comb(players - straight_flushes, royal_flushes)


def deals(others: int, deal_to_dealer: bool) -> int:
    """Return how many ways there are to deal a flop, a pair to the player, perhaps to the dealer, and to others."""
    left, ways = CARDS - 3, FLOPS
    for _ in range(1 + deal_to_dealer + others):
        ways *= comb(left, 2)
        left -= 2
    return ways
