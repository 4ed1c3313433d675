"""The 169 hands that two hole cards make before the flop, and which of them each pair of cards is.

Hole cards, hi above lo, have the index hi(hi − 1)/2 + lo among the 1,326.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import POKER_RANKS
from casinomath.kernels.canonical import HOLES, holes


def hand_name(a: int, b: int) -> str:
    """Return what two cards are called before the flop: `AKs`, `T9o`, `77`."""
    high, low = max(a, b), min(a, b)
    kind = "" if high // 4 == low // 4 else "s" if high % 4 == low % 4 else "o"
    return POKER_RANKS[high // 4] + POKER_RANKS[low // 4] + kind


def _hands() -> tuple[tuple[str, ...], NDArray[np.int32]]:
    names: dict[str, int] = {}
    for high in range(12, -1, -1):
        for low in range(high, -1, -1):
            for kind in ("",) if high == low else ("s", "o"):
                names[POKER_RANKS[high] + POKER_RANKS[low] + kind] = len(names)
    return tuple(names), np.array([names[hand_name(a, b)] for a, b in holes().tolist()], dtype=np.int32)


HANDS, HAND_OF_HOLE = _hands()
"""The 169 hands, aces first, and which of them each pair of cards is (1326,)."""

COMBINATIONS: Final = tuple(np.bincount(HAND_OF_HOLE, minlength=len(HANDS)).tolist())
"""Pairs of cards of each hand."""

assert sum(COMBINATIONS) == HOLES


def preflop_table(codes: Mapping[str, str]) -> dict[str, dict[str, str]]:
    """Return the codes of the 169 hands by two ranks, aces first: suited hands stand above the diagonal."""
    ranks = POKER_RANKS[::-1]
    return {
        row: {
            column: codes[row + column if i == j else f"{row}{column}s" if i < j else f"{column}{row}o"]
            for j, column in enumerate(ranks)
        }
        for i, row in enumerate(ranks)
    }
