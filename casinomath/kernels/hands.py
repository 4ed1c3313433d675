"""The lattice of hands: every multiset of cards by value whose hard total is at most 21.

A hand is a row of counts; adding a card is one look-up, ``child[hand, value]``. Rows are sorted by hard total, so a
pass in row order meets every hand after all hands it can come from.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BUST = -1


class Hands(NamedTuple):
    """The lattice as arrays; row 0 is the empty hand."""

    counts: NDArray[np.int8]
    """(n, 10) cards by value, ace first."""
    child: NDArray[np.int32]
    """(n, 10) the row of the hand with one more card, or BUST."""
    size: NDArray[np.int8]
    """(n,) number of cards."""
    total: NDArray[np.int8]
    """(n,) best total: an ace counts 11 where that does not bust."""
    soft: NDArray[np.bool_]
    """(n,) an ace counts 11."""
    strip: NDArray[np.int32]
    """(10, n) the row of the hand without any card of that value."""


@cache
def hands() -> Hands:
    """Build the lattice (3,083 rows, some 20 ms), once a process."""
    found: list[tuple[int, ...]] = []

    def extend(hand: tuple[int, ...], value: int, room: int) -> None:
        if value < 0:
            found.append(hand)
            return
        for copies in range(room // (value + 1) + 1):
            extend((copies, *hand), value - 1, room - copies * (value + 1))

    extend((), 9, 21)
    rows = np.array(found, dtype=np.int8)
    hard = rows @ np.arange(1, 11)
    order = np.lexsort((*rows.T[::-1], hard))
    rows, hard = rows[order], hard[order]

    place = 22 ** np.arange(10, dtype=np.int64)
    keys = rows @ place
    by_key = np.argsort(keys)

    def row_of(wanted: NDArray[np.int64]) -> NDArray[np.int32]:
        return by_key[np.searchsorted(keys, wanted, sorter=by_key)].astype(np.int32)

    child = np.full(rows.shape, BUST, dtype=np.int32)
    strip = np.empty(rows.T.shape, dtype=np.int32)
    for value in range(10):
        fits = hard + value + 1 <= 21
        child[fits, value] = row_of(keys[fits] + place[value])
        strip[value] = row_of(keys - rows[:, value] * place[value])
    soft = (rows[:, 0] > 0) & (hard <= 11)
    return Hands(
        counts=rows,
        child=child,
        size=rows.sum(axis=1).astype(np.int8),
        total=(hard + 10 * soft).astype(np.int8),
        soft=soft,
        strip=strip,
    )
