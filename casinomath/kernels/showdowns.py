"""One player's hand against every hand that the dealer may have, one by one: what `boards` says without a table.

Simulations decide the river with it, and explanations say what a hand meets.
"""

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.jit import bare, jit
from casinomath.kernels.poker import BUCKETS, FLUSH, SHIFT, SLOTS, flush_ranks

WINS, LOSSES, UNQUALIFIED = range(3)
"""Places in what `meet` counts: the dealer's hands that it beats, that beat it, and those below a pair."""


@bare
def meet(
    cards: NDArray[np.uint8],
    dealer: int,
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    start: np.uint64,
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    pair_floor: int,
    counts: NDArray[np.int64],
) -> int:
    """The value of a hand; fills `counts` (3,) over the dealer's hands.

    cards  : uint8 (7,) the board, then the player's two
    dealer : a card that the dealer is known to hold, or -1
    """
    board, board_mask, gone = start, np.uint64(0), np.uint64(0)
    for place in range(5):
        board += keys[cards[place]]
        board_mask |= masks[cards[place]]
    for place in range(7):
        gone |= np.uint64(1) << np.uint64(cards[place])
    key, mask = board + keys[cards[5]] + keys[cards[6]], board_mask | masks[cards[5]] | masks[cards[6]]
    if key & FLUSH:
        mine = int(flushes[flush_ranks(key, mask)])
    else:
        mine = int(slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS])
    wins, losses, unqualified = 0, 0, 0
    for a in range(52):
        if (gone >> np.uint64(a)) & np.uint64(1) or (dealer >= 0 and a != dealer):
            continue
        first, first_mask = board + keys[a], board_mask | masks[a]
        for b in range(52 if dealer >= 0 else a):
            if (gone >> np.uint64(b)) & np.uint64(1) or b == a:
                continue
            key = first + keys[b]
            if key & FLUSH:
                theirs = int(flushes[flush_ranks(key, first_mask | masks[b])])
            else:
                theirs = int(slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS])
            wins += theirs < mine
            losses += theirs > mine
            unqualified += theirs < pair_floor
    counts[WINS], counts[LOSSES], counts[UNQUALIFIED] = wins, losses, unqualified
    return mine


@jit
def meet_after_flop(
    flop: NDArray[np.uint8],
    holes: NDArray[np.uint8],
    dealer: int,
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    start: np.uint64,
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    pair_floor: int,
    met: NDArray[np.int64],
) -> int:
    """Fill `met` (boards, 4) with what `meet` counts, and the hand's value, for every turn and river; return how many.

    flop  : uint8 (3,)
    holes : uint8 (2,) the player's cards
    """
    cards, counts = np.empty(7, np.uint8), np.zeros(3, np.int64)
    number = 0
    for place in range(3):
        cards[place] = flop[place]
    cards[5], cards[6] = holes[0], holes[1]
    for turn in range(52):
        for river in range(turn):
            known = dealer in (turn, river)
            for card in (flop[0], flop[1], flop[2], holes[0], holes[1]):
                known = known or card in (turn, river)
            if known:
                continue
            cards[3], cards[4] = turn, river
            met[number, 3] = meet(
                *(cards, dealer, keys, masks, start, displacements, slots, flushes), pair_floor, counts
            )
            for place in range(3):
                met[number, place] = counts[place]
            number += 1
    return number
