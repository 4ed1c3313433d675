"""Rules of thumb for Ultimate Texas Hold'em on every flop and every board: decisions laid out as in `ultimate`."""

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.boards import pair, pairs_of
from casinomath.kernels.jit import jit
from casinomath.kernels.poker import BUCKETS, SHIFT, SLOTS
from casinomath.kernels.ultimate import BET, CHECK, hole_index

TEN = 8


@jit
def flops_by_rule(
    flops: NDArray[np.uint8], values: NDArray[np.uint16], two_pair: int, decisions: NDArray[np.uint8]
) -> None:
    """Fill `decisions` (flops, 1326): BET with two pair or better, a hidden pair, or a good draw to a flush.

    A pair is hidden that has a hole card in it; two deuces in the hole don't count. A good draw is four cards of a suit
    with a ten or better of it in the hole.
    flops    : uint8 (flops, 3)
    values   : uint16 (flops, 1326) of the five cards, 0 where they are not five
    two_pair : the lowest value with two pair
    """
    for f in range(flops.shape[0]):
        for a in range(1, 52):
            for b in range(a):
                value = values[f, hole_index(a, b)]
                if value == 0:
                    continue
                hidden = a // 4 == b // 4 and b // 4 > 0
                draw = False
                for suit in range(4):
                    number = (a % 4 == suit) + (b % 4 == suit)
                    high = (a % 4 == suit and a // 4 >= TEN) or (b % 4 == suit and b // 4 >= TEN)
                    for card in flops[f]:
                        number += card % 4 == suit
                    draw = draw or (number >= 4 and high)
                for card in flops[f]:
                    hidden = hidden or card // 4 in (a // 4, b // 4)
                bets = value >= two_pair or hidden or draw
                decisions[f, hole_index(a, b)] = BET if bets else CHECK


@jit
def river_by_rule(
    mask: int,
    others: NDArray[np.int64],
    left: NDArray[np.int64],
    weights: NDArray[np.uint64],
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    straight: int,
    fewer_outs: int,
    values: NDArray[np.uint16],
    plays: NDArray[np.uint8],
) -> None:
    """Fill `plays` by pairs of kinds for one board: 1 with a hidden pair or better, or with few outs of the dealer's.

    A hand is hidden that a hole card improves beyond what the board has. An out is an unseen card that alone, with the
    board, beats the hand.
    mask, others : ranks of the board's suit, 0 for none; the other cards' ranks
    left         : int64 (kinds,) cards of each kind that the board leaves
    straight     : the lowest value with a straight
    values       : uint16 (pairs,) of the hands
    """
    kinds = left.size
    board, inside = np.uint64(0), 0
    of_rank = np.zeros(13, np.int64)
    for rank in range(13):
        if (mask >> rank) & 1:
            board += weights[rank]
            of_rank[rank] += 1
    for rank in others:
        board += weights[rank]
        of_rank[rank] += 1
    own = int(flushes[mask])
    if own == 0:
        own = int(slots[((board >> SHIFT) + displacements[board & BUCKETS]) & SLOTS])
    with_one = np.zeros(kinds, np.int64)
    for kind in range(kinds):
        if left[kind] > 0:
            inside = mask | (1 << kind) if kinds == 26 and kind < 13 else mask
            key = board + weights[kind % 13]
            with_one[kind] = flushes[inside]
            if with_one[kind] == 0:
                with_one[kind] = slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS]
    for i in range(kinds):
        for j in range(i + 1):
            value = int(values[pair(i, j)])
            if value == 0:
                continue
            one, other = i % 13, j % 13
            hidden = one == other or of_rank[one] > 0 or of_rank[other] > 0 or (value >= straight and value > own)
            outs = 0
            for kind in range(kinds):
                if with_one[kind] > value:
                    outs += left[kind] - (kind == i) - (kind == j)
            plays[pair(i, j)] = hidden or outs < fewer_outs


@jit
def rivers_by_rule(
    counts: NDArray[np.int64],
    suited: NDArray[np.int32],
    weights: NDArray[np.uint64],
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    straight: int,
    fewer_outs: int,
    rank_values: NDArray[np.uint16],
    suited_values: NDArray[np.uint16],
    rank_plays: NDArray[np.uint8],
    suited_plays: NDArray[np.uint8],
) -> None:
    """Fill the decisions of `river_by_rule` for all boards.

    counts : int64 (boards, 13) ranks of the boards without a flush
    suited : int32 (8192,) see `Boards`
    """
    no_flush = np.zeros(8192, np.uint16)
    others = np.empty(5, np.int64)
    for row in range(counts.shape[0]):
        number = 0
        for rank in range(13):
            for _ in range(counts[row, rank]):
                others[number] = rank
                number += 1
        river_by_rule(
            *(0, others, 4 - counts[row], weights, displacements, slots, no_flush, straight, fewer_outs),
            *(rank_values[row], rank_plays[row]),
        )
    firsts, seconds = pairs_of(13)
    left = np.empty(26, np.int64)
    for mask in range(8192):
        cards = 0
        for rank in range(13):
            cards += (mask >> rank) & 1
        if cards < 3 or cards > 5:
            continue
        rows = 91 if cards == 3 else 13 if cards == 4 else 1
        for place in range(rows):
            if cards == 3:
                others[0], others[1] = firsts[place], seconds[place]
            else:
                others[0] = place
            for rank in range(13):
                left[rank], left[13 + rank] = 1 - ((mask >> rank) & 1), 3
            for other in range(5 - cards):
                left[13 + others[other]] -= 1
            row = suited[mask] + place
            river_by_rule(
                *(mask, others[: 5 - cards], left, weights, displacements, slots, flushes, straight, fewer_outs),
                *(suited_values[row], suited_plays[row]),
            )
