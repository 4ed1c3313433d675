"""Sessions: a bankroll that goes up and down by rounds of one law, drawn from a table.

Method: Walker's alias table ("An efficient method for generating discrete random variables with general distributions",
1977): one random word picks a column by its upper half, and by its lower half the column's own value or its alias. A
chance is kept to within 2^-32 of a column's.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.jit import jit
from casinomath.kernels.shoe import State, next_word

_HALF = np.uint64(32)
_LOWER = np.uint64(2**32 - 1)


def alias_table(chances: Sequence[float]) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return how much of each column is its own (columns,), in 2^-32, and whose the rest is (columns,)."""
    size = len(chances)
    share = np.array(chances, dtype=float) * size / sum(chances)
    own, alias = np.full(size, 2**32, dtype=np.uint64), np.arange(size)
    small = [column for column in range(size) if share[column] < 1]
    large = [column for column in range(size) if share[column] >= 1]
    while small and large:
        less, more = small.pop(), large[-1]
        own[less], alias[less] = round(share[less] * 2**32), more
        share[more] -= 1 - share[less]
        if share[more] < 1:
            small.append(large.pop())
    return own, alias


@jit
def walk(
    state: State,
    own: NDArray[np.uint64],
    alias: NDArray[np.int64],
    nets: NDArray[np.int64],
    horizons: NDArray[np.int64],
    floor: int,
    totals: NDArray[np.int64],
    ruined: NDArray[np.int64],
) -> None:
    """Play sessions, and fill what each has won at each horizon and when it was ruined.

    nets     : int64 (columns,)             net results, in units
    horizons : int64 (horizons,)            numbers of rounds, the smallest first
    floor    : int                          ruined as soon as no more than this is won, which is negative
    totals   : int64 (sessions, horizons)   to fill; play goes on after ruin
    ruined   : int64 (sessions,)            to fill: the round that ruined, 0 for none
    """
    columns = np.uint64(nets.size)
    for session in range(totals.shape[0]):
        total, number, end = 0, 0, 0
        for horizon in range(horizons.size):
            while number < horizons[horizon]:
                state, word = next_word(state)
                column = ((word >> _HALF) * columns) >> _HALF
                if (word & _LOWER) >= own[column]:
                    total += nets[alias[column]]
                else:
                    total += nets[column]
                number += 1
                if total <= floor and end == 0:
                    end = number
            totals[session, horizon] = total
        ruined[session] = end
