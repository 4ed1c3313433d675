"""Sets of cards up to a change of suits: one of each class, and how many the class holds.

Suits are equal in poker, so two deals that differ by a renaming of suits are worth the same: two cards are 169 classes
instead of 1,326 sets, three 1,755, four 16,432 and five 134,459. Of a class stands the set whose suits hold, in the
order spades, hearts, diamonds, clubs, masks of ranks that never grow in number of cards, then in value.
"""

from functools import lru_cache
from itertools import combinations, groupby
from math import factorial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

RANKS: Final = 13


class Classes(NamedTuple):
    """Sets of cards, one of each class."""

    cards: NDArray[np.uint8]
    """(classes, n) cards as 4 × rank + suit, the highest first."""
    weights: NDArray[np.int64]
    """(classes,) sets in each class; they sum to the number of all sets of n cards."""


@lru_cache
def classes(cards: int) -> Classes:
    """Return the sets of so many of 52 cards up to a change of suits."""
    found = [_of_sizes(sizes) for sizes in _suit_sizes(cards, 4, cards)]
    masks, weights = (np.concatenate(parts) for parts in zip(*found, strict=True))
    held = (masks[:, None, :] >> np.arange(RANKS)[:, None] & 1).astype(bool)  # (classes, rank, suit)
    numbers = np.broadcast_to(np.arange(4 * RANKS).reshape(RANKS, 4), held.shape)[held]
    return Classes(numbers.reshape(-1, cards)[:, ::-1].astype(np.uint8), weights)


def _suit_sizes(cards: int, suits: int, most: int) -> list[tuple[int, ...]]:
    """How many cards each suit can have, in falling order."""
    if suits == 0:
        return [] if cards else [()]
    return [
        (first, *rest)
        for first in range(min(cards, most, RANKS), -1, -1)
        for rest in _suit_sizes(cards - first, suits - 1, first)
    ]


def _of_sizes(sizes: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Masks of ranks (classes, 4) by suit, those of suits of one size in falling order, and the sets in each class."""
    masks, weights = np.zeros((1, 0), dtype=np.int64), np.full(1, factorial(4), dtype=np.int64)
    for size, group in groupby(sizes):
        chosen, alike = _falling(size, len(list(group)))
        rows = np.indices((len(masks), len(chosen))).reshape(2, -1)
        masks = np.hstack([masks[rows[0]], chosen[rows[1]]])
        weights = weights[rows[0]] // alike[rows[1]]
    return masks, weights


def _falling(size: int, suits: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Masks (n, suits) of so many ranks each, none above the one before it, and the orders that leave each as it is."""
    every = np.array([sum(1 << rank for rank in ranks) for ranks in combinations(range(RANKS), size)])
    chosen = np.stack(np.meshgrid(*[every] * suits, indexing="ij"), axis=-1).reshape(-1, suits)
    chosen = chosen[(np.diff(chosen, axis=1) <= 0).all(axis=1)]
    # a run of equal masks, k long, is left as it is by k! orders: each further equal mask multiplies by the run so far
    alike, run = np.ones(len(chosen), dtype=np.int64), np.ones(len(chosen), dtype=np.int64)
    for later in range(1, suits):
        run = np.where(chosen[:, later] == chosen[:, later - 1], run + 1, 1)
        alike *= run
    return chosen, alike
