"""Boards, as in `boards`, when one of the dealer's cards is known: each hand against the 44 that the dealer may have.

The known card is of suit 0. A board with three cards or more of a suit is one thing where that suit is the known
card's, and another where it is not. Entries of pairs that only the known card would make are of no meaning.

Method: the dealer's hands differ by one card only, so they are sorted by that card's kind, and swept with the
player's, which are sorted once.
"""

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.boards import KIND_PAIRS, RANK_PAIRS, Showdowns, boards, pair, pairs_of, showdowns, sort_pairs
from casinomath.kernels.jit import bare, jit
from casinomath.kernels.poker import FIVE, floors

OPPONENTS = 44
"""Cards that the dealer's other one can be, against mine and a board."""


def known_showdowns(rank: int) -> tuple[Showdowns, Showdowns, Showdowns]:
    """Return boards without a flush, those with three of a suit that is not the known card's, and those where it is."""
    ranks, suited = showdowns()
    found = tuple(
        Showdowns(table.values, *(np.zeros(table.wins.shape, dtype=np.int16) for _ in range(3)))
        for table in (ranks, suited, suited)
    )
    pair_floor = floors(FIVE)[1]
    sweep_known_ranks(boards().rank_counts, rank, pair_floor, *found[0])
    sweep_known_suited(boards().suited, rank, pair_floor, suited.values, *found[1][1:], *found[2][1:])
    return found[0], found[1], found[2]


@bare
def sweep_known(
    left: NDArray[np.int64],
    dealer: int,
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    order: NDArray[np.uint16],
    number: int,
    pair_floor: int,
    kinds: NDArray[np.int64],
    held: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
) -> None:
    """Fill a board's row from its pairs in rising order.

    left   : int64 (kinds,) cards of each kind that board and known card leave
    dealer : the kind of the known card
    kinds  : int64 (kinds,) room
    """
    others, hands, low = 0, 0, 0
    for kind in range(left.size):
        if left[kind] == 0:
            continue
        value = held[pair(dealer, kind)]
        hands += left[kind]
        if value < pair_floor:
            low += left[kind]
        place = others
        while place > 0 and held[pair(dealer, kinds[place - 1])] > value:
            kinds[place] = kinds[place - 1]
            place -= 1
        kinds[place] = kind
        others += 1
    hands -= 2
    below, lower, at_most, not_higher = 0, 0, 0, 0
    for p in range(number):
        column = order[p]
        i, j = firsts[column], seconds[column]
        value = held[column]
        while lower < others and held[pair(dealer, kinds[lower])] < value:
            below += left[kinds[lower]]
            lower += 1
        while not_higher < others and held[pair(dealer, kinds[not_higher])] <= value:
            at_most += left[kinds[not_higher]]
            not_higher += 1
        one, other = held[pair(dealer, i)], held[pair(dealer, j)]
        wins[column] = below - (one < value) - (other < value)
        losses[column] = hands - (at_most - (one <= value) - (other <= value))
        unqualified[column] = low - (one < pair_floor) - (other < pair_floor)


@jit
def sweep_known_ranks(
    counts: NDArray[np.int64],
    rank: int,
    pair_floor: int,
    held: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
) -> None:
    """Fill the rows of all boards without a flush.

    counts : int64 (boards, 13) their ranks
    """
    firsts, seconds = pairs_of(13)
    order, spare = np.empty(RANK_PAIRS, dtype=np.uint16), np.empty(RANK_PAIRS, dtype=np.uint16)
    ends, kinds, left = np.empty(128, np.int64), np.empty(13, np.int64), np.empty(13, np.int64)
    for row in range(counts.shape[0]):
        for kind in range(13):
            left[kind] = 4 - counts[row, kind]
        if left[rank] == 0:
            continue
        number = held_pairs(left, firsts, seconds, order)
        left[rank] -= 1
        sort_pairs(held[row], number, order, spare, ends)
        sweep_known(
            *(left, rank, firsts, seconds, order, number, pair_floor, kinds),
            *(held[row], wins[row], losses[row], unqualified[row]),
        )


@jit
def held_pairs(
    left: NDArray[np.int64], firsts: NDArray[np.int64], seconds: NDArray[np.int64], order: NDArray[np.uint16]
) -> int:
    """Fill `order` with the pairs that can be held, and return their number."""
    number = 0
    for column in range(firsts.size):
        i, j = firsts[column], seconds[column]
        if left[i] > 0 and left[j] > 0 and (i != j or left[i] > 1):
            order[number] = column
            number += 1
    return number


@jit
def sweep_known_suited(
    suited: NDArray[np.int32],
    rank: int,
    pair_floor: int,
    held: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
    own_wins: NDArray[np.int16],
    own_losses: NDArray[np.int16],
    own_unqualified: NDArray[np.int16],
) -> None:
    """Fill the rows of all boards with three cards or more of a suit, not the known card's, and (`own`) its.

    suited : int32 (8192,) see `Boards`
    """
    firsts, seconds = pairs_of(26)
    order, spare = np.empty(KIND_PAIRS, dtype=np.uint16), np.empty(KIND_PAIRS, dtype=np.uint16)
    ends, kinds, left = np.empty(128, np.int64), np.empty(26, np.int64), np.empty(26, np.int64)
    for mask in range(8192):
        cards = 0
        for each in range(13):
            cards += (mask >> each) & 1
        if cards < 3 or cards > 5:
            continue
        for x in range(13 if cards < 5 else 1):
            for y in range(x + 1 if cards == 3 else 1):
                row = suited[mask] + (pair(x, y) if cards == 3 else x)
                for each in range(13):
                    left[each], left[13 + each] = 1 - ((mask >> each) & 1), 3
                if cards < 5:
                    left[13 + x] -= 1
                if cards == 3:
                    left[13 + y] -= 1
                number = held_pairs(left, firsts, seconds, order)
                sort_pairs(held[row], number, order, spare, ends)
                for inside in range(2):
                    dealer = rank if inside else 13 + rank
                    if left[dealer] == 0:
                        continue
                    left[dealer] -= 1
                    if inside:
                        sweep_known(
                            *(left, dealer, firsts, seconds, order, number, pair_floor, kinds),
                            *(held[row], own_wins[row], own_losses[row], own_unqualified[row]),
                        )
                    else:
                        sweep_known(
                            *(left, dealer, firsts, seconds, order, number, pair_floor, kinds),
                            *(held[row], wins[row], losses[row], unqualified[row]),
                        )
                    left[dealer] += 1
