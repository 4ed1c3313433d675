"""Any set of cards as one of its class: which class of `deals` it belongs to, and the change of suits that leads there.

Two hole cards, hi above lo, have the index hi(hi − 1)/2 + lo among the 1,326.
"""

from functools import lru_cache
from itertools import permutations
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.deals import RANKS, classes

CARDS: Final = 4 * RANKS
HOLES: Final = CARDS * (CARDS - 1) // 2

CHANGES: Final = tuple(permutations(range(4)))
"""Changes of suits: what each of the four suits becomes."""


class Canonical(NamedTuple):
    """Sets of cards as one of their class."""

    classes: NDArray[np.int64]
    """(n,) places of the classes in `deals.classes`."""
    changes: NDArray[np.int64]
    """(n,) places in CHANGES of the change that makes the set that one of its class."""


def canonical(cards: NDArray[np.uint8]) -> Canonical:
    """Return the class of each of sets (n, k) of cards."""
    masks = _masks(cards)
    sizes = np.bitwise_count(masks).astype(np.int64)
    order = np.argsort(-((sizes << RANKS) | masks), axis=1, kind="stable")
    becomes = np.argsort(order, axis=1)
    changes = _change_places()[becomes @ _BASE]
    known, places = _known(cards.shape[1])
    codes = _code(np.take_along_axis(masks, order, axis=1))
    return Canonical(places[np.searchsorted(known, codes)], changes)


def _masks(cards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The ranks of each suit (n, 4) as masks."""
    numbers = cards.astype(np.int64)
    bits = 1 << numbers // 4
    return np.stack([np.where(numbers % 4 == suit, bits, 0).sum(axis=1) for suit in range(4)], axis=1)


def _code(masks: NDArray[np.int64]) -> NDArray[np.int64]:
    return masks @ (1 << RANKS * np.arange(4))


@lru_cache
def _known(cards: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Codes of the classes in rising order, and their places."""
    codes = _code(_masks(classes(cards).cards))
    places = np.argsort(codes)
    return codes[places], places


_BASE: Final = 4 ** np.arange(4)


@lru_cache
def _change_places() -> NDArray[np.int64]:
    places = np.zeros(4**4, dtype=np.int64)
    places[np.array(CHANGES) @ _BASE] = range(len(CHANGES))
    return places


@lru_cache
def holes() -> NDArray[np.uint8]:
    """Return the hole cards (1326, 2) by their index, the higher card first."""
    lo, hi = np.triu_indices(CARDS, k=1)
    order = np.argsort(hi * (hi - 1) // 2 + lo)
    return np.stack([hi[order], lo[order]], axis=1).astype(np.uint8)


def hole_index(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the index of hole cards, in any order."""
    hi, lo = np.maximum(first, second), np.minimum(first, second)
    index: NDArray[np.int64] = hi * (hi - 1) // 2 + lo
    return index


@lru_cache
def changed_holes() -> NDArray[np.uint16]:
    """Return what the index of hole cards becomes (24, 1326) by each change of suits."""
    cards = holes().astype(np.int64)
    found = []
    for change in np.array(CHANGES):
        hi, lo = (4 * (column // 4) + change[column % 4] for column in cards.T)
        found.append(hole_index(hi, lo))
    return np.array(found, dtype=np.uint16)
