"""Five community cards: every pair of hole cards against every other, for all boards that matter.

On a board with at most two cards of each suit no flush is possible, and only ranks count: 6,175 boards of ranks, and a
hole card is one of 13 kinds, its rank. With three or more cards of one suit, the board is a mask of that suit's ranks
and the ranks of its other cards: 26,026 boards with three, 9,295 with four and 1,287 with five, and a hole card is one
of 26 kinds: 0 to 12 its rank in the suit, 13 to 25 its rank in another.

A pair of kinds i ≥ j has the index i(i + 1)/2 + j. Where a board leaves no such pair, its entries are 0.

Method: of each board the pairs are sorted once. A sweep from the lowest up keeps the number of hands passed, and of
those that hold one given card of each kind; the hands below mine that avoid my cards a and b are then
passed − with a − with b, by inclusion–exclusion.
"""

from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.jit import bare, jit
from casinomath.kernels.poker import BUCKETS, FIVE, RANKS, SHIFT, SLOTS, floors, rank_counts, tables

KINDS: Final = 26
RANK_PAIRS: Final = RANKS * (RANKS + 1) // 2
KIND_PAIRS: Final = KINDS * (KINDS + 1) // 2
THREE_SUITED, FOUR_SUITED, FIVE_SUITED = 286, 715, 1287
SUITED_BOARDS: Final = THREE_SUITED * RANK_PAIRS + FOUR_SUITED * RANKS + FIVE_SUITED
OPPONENTS: Final = 990
"""Pairs of hole cards that a dealer can have against mine and a board."""


class Boards(NamedTuple):
    """Where kernels find the row of a board."""

    ranks: NDArray[np.int32]
    """(455, 91) row of a board without a flush, by the ranks of the flop (`flop_ranks`) and those of turn and river."""
    flop_ranks: NDArray[np.int32]
    """(13, 13, 13) index of three ranks, in any order."""
    suited: NDArray[np.int32]
    """(8192,) first row of the boards that have these ranks of the suit: then follow those of the other cards' ranks,
    as pairs, single ranks, or none."""
    rank_counts: NDArray[np.int64]
    """(6175, 13) the boards without a flush."""


class Showdowns(NamedTuple):
    """The hands that a hand meets, by board (row) and pair of kinds (column)."""

    values: NDArray[np.uint16]
    """Value of the seven cards."""
    wins: NDArray[np.int16]
    """Opposing hands that it beats."""
    losses: NDArray[np.int16]
    """Opposing hands that beat it."""
    unqualified: NDArray[np.int16]
    """Opposing hands below a pair."""


@jit
def pair(i: int, j: int) -> int:
    """The index of a pair of kinds."""
    return i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i


@lru_cache
def boards() -> Boards:
    """Return the rows of boards, made at the first request."""
    code = 5 ** np.arange(RANKS)
    five, three = rank_counts(5), rank_counts(3)
    order = np.argsort(five @ code)
    known = (five @ code)[order]
    first, second = np.tril_indices(RANKS)
    codes = (three @ code)[:, None] + (code[first] + code[second])[None, :]
    places = np.searchsorted(known, codes).clip(max=len(known) - 1)
    ranks = np.where(known[places] == codes, order[places], 0)

    triples = np.indices((RANKS, RANKS, RANKS)).reshape(3, -1).T
    three_order = np.argsort(three @ code)
    flop_ranks = three_order[np.searchsorted((three @ code)[three_order], code[triples].sum(axis=1)).clip(max=454)]

    size = np.array([mask.bit_count() for mask in range(2**RANKS)])
    suited, start = np.zeros(2**RANKS, dtype=np.int64), 0
    for cards, others in ((3, RANK_PAIRS), (4, RANKS), (5, 1)):
        masks = np.flatnonzero(size == cards)
        suited[masks] = start + others * np.arange(len(masks))
        start += others * len(masks)
    return Boards(
        ranks.astype(np.int32), flop_ranks.reshape(RANKS, RANKS, RANKS).astype(np.int32), suited.astype(np.int32), five
    )


@lru_cache(maxsize=1)
def showdowns() -> tuple[Showdowns, Showdowns]:
    """Return all boards without a flush and all others, each hand against the 990 that the dealer may have."""
    found = _empty(len(boards().rank_counts), RANK_PAIRS), _empty(SUITED_BOARDS, KIND_PAIRS)
    evaluator, pair_floor = tables(FIVE), floors(FIVE)[1]
    weights = evaluator.keys[: 4 * RANKS : 4] & np.uint64(2**32 - 1)
    displacements, slots = evaluator.displacements, evaluator.slots
    sweep_ranks(boards().rank_counts, weights, displacements, slots, pair_floor, *found[0])
    sweep_suited(boards().suited, weights, displacements, slots, evaluator.flushes, pair_floor, *found[1])
    return found


def _empty(rows: int, columns: int) -> Showdowns:
    shape = (rows, columns)
    counts = [np.zeros(shape, dtype=np.int16) for _ in range(3)]
    return Showdowns(np.zeros(shape, dtype=np.uint16), *counts)


@bare
def sort_pairs(
    held: NDArray[np.uint16], number: int, order: NDArray[np.uint16], spare: NDArray[np.uint16], ends: NDArray[np.int64]
) -> None:
    """Sort the first `number` of `order`, columns of `held`, by their values, the lowest first: by seven bits, twice.

    spare : uint16 (number,)
    ends  : int64 (128,)
    """
    for shift in (0, 7):
        ends[:] = 0
        for p in range(number):
            ends[(held[order[p]] >> shift) & 127] += 1
        for b in range(1, 128):
            ends[b] += ends[b - 1]
        for p in range(number - 1, -1, -1):
            b = (held[order[p]] >> shift) & 127
            ends[b] -= 1
            spare[ends[b]] = order[p]
        for p in range(number):
            order[p] = spare[p]


@bare
def sweep(
    left: NDArray[np.int64],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    order: NDArray[np.uint16],
    number: int,
    pair_floor: int,
    passed: NDArray[np.int64],
    below_pair: NDArray[np.int64],
    held: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
) -> None:
    """Fill a board's row from its pairs in rising order.

    left       : int64 (kinds,) cards of each kind that the board leaves
    firsts     : int64 (pairs,) the larger kind of each pair, `seconds` the other
    passed     : int64 (kinds,) room for: hands passed that hold one given card of each kind
    below_pair : int64 (kinds,) room for the same, of hands below a pair
    """
    passed[:] = 0
    total, total_below, counted = 0, 0, False
    start = 0
    while start < number:
        value = held[order[start]]
        end = start
        while end < number and held[order[end]] == value:
            end += 1
        if value >= pair_floor and not counted:
            total_below, counted = total, True
            for kind in range(passed.size):
                below_pair[kind] = passed[kind]
        for p in range(start, end):
            wins[order[p]] = total - passed[firsts[order[p]]] - passed[seconds[order[p]]]
        for p in range(start, end):
            i, j = firsts[order[p]], seconds[order[p]]
            if i == j:
                total += left[i] * (left[i] - 1) // 2
                passed[i] += left[i] - 1
            else:
                total += left[i] * left[j]
                passed[i] += left[j]
                passed[j] += left[i]
        for p in range(start, end):
            losses[order[p]] = OPPONENTS - (total - passed[firsts[order[p]]] - passed[seconds[order[p]]] + 1)
        start = end
    if not counted:
        total_below = total
        for kind in range(passed.size):
            below_pair[kind] = passed[kind]
    for p in range(number):
        column = order[p]
        own = 1 if held[column] < pair_floor else 0
        unqualified[column] = total_below - below_pair[firsts[column]] - below_pair[seconds[column]] + own


@jit
def sweep_ranks(
    counts: NDArray[np.int64],
    weights: NDArray[np.uint64],
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
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
    order, spare = np.empty(firsts.size, dtype=np.uint16), np.empty(firsts.size, dtype=np.uint16)
    ends, passed, below_pair = np.empty(128, np.int64), np.empty(13, np.int64), np.empty(13, np.int64)
    for row in range(counts.shape[0]):
        left = 4 - counts[row]
        board = np.uint64(0)
        for rank in range(13):
            for _ in range(counts[row, rank]):
                board += weights[rank]
        number = 0
        for column in range(firsts.size):
            i, j = firsts[column], seconds[column]
            if left[i] > 0 and left[j] > 0 and (i != j or left[i] > 1):
                key = board + weights[i] + weights[j]
                held[row, column] = slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS]
                order[number] = column
                number += 1
        sort_pairs(held[row], number, order, spare, ends)
        sweep(
            *(left, firsts, seconds, order, number, pair_floor, passed, below_pair),
            *(held[row], wins[row], losses[row], unqualified[row]),
        )


@jit
def pairs_of(kinds: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Both kinds of each pair, the larger first."""
    firsts, seconds = np.empty(kinds * (kinds + 1) // 2, np.int64), np.empty(kinds * (kinds + 1) // 2, np.int64)
    for i in range(kinds):
        for j in range(i + 1):
            firsts[pair(i, j)], seconds[pair(i, j)] = i, j
    return firsts, seconds


@jit
def sweep_suited(
    suited: NDArray[np.int32],
    weights: NDArray[np.uint64],
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    pair_floor: int,
    held: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
) -> None:
    """Fill the rows of all boards with three cards of a suit or more.

    suited : int32 (8192,) see `Boards`
    """
    firsts, seconds = pairs_of(26)
    order, spare = np.empty(firsts.size, dtype=np.uint16), np.empty(firsts.size, dtype=np.uint16)
    ends, passed, below_pair = np.empty(128, np.int64), np.empty(26, np.int64), np.empty(26, np.int64)
    left = np.empty(26, np.int64)
    for mask in range(8192):
        cards = 0
        for rank in range(13):
            cards += (mask >> rank) & 1
        if cards < 3 or cards > 5:
            continue
        for x in range(13 if cards < 5 else 1):
            for y in range(x + 1 if cards == 3 else 1):
                row = suited[mask] + (pair(x, y) if cards == 3 else x)
                board = np.uint64(0)
                for rank in range(13):
                    inside = (mask >> rank) & 1
                    left[rank], left[13 + rank] = 1 - inside, 3
                    if inside:
                        board += weights[rank]
                if cards < 5:
                    left[13 + x] -= 1
                    board += weights[x]
                if cards == 3:
                    left[13 + y] -= 1
                    board += weights[y]
                number = 0
                for column in range(firsts.size):
                    i, j = firsts[column], seconds[column]
                    if left[i] > 0 and left[j] > 0 and (i != j or left[i] > 1):
                        inside = mask
                        if i < 13:
                            inside |= 1 << i
                        if j < 13:
                            inside |= 1 << j
                        best = flushes[inside]
                        if best == 0:
                            key = board + weights[i % 13] + weights[j % 13]
                            best = slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS]
                        held[row, column] = best
                        order[number] = column
                        number += 1
                sort_pairs(held[row], number, order, spare, ends)
                sweep(
                    *(left, firsts, seconds, order, number, pair_floor, passed, below_pair),
                    *(held[row], wins[row], losses[row], unqualified[row]),
                )
