"""Rounds of Ultimate Texas Hold'em, dealt and played: nine cards, three decisions, three bets.

Independent of the exact calculation: of that it has the decisions before and on the flop; that of the river is made
anew in each round, by looking at every hand that the dealer may have.
"""

from itertools import permutations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.boards import Boards, pair
from casinomath.kernels.jit import jit
from casinomath.kernels.poker import BUCKETS, FLUSH, SHIFT, SLOTS, flush_ranks
from casinomath.kernels.shoe import State, draw
from casinomath.kernels.showdowns import LOSSES, UNQUALIFIED, WINS, meet
from casinomath.kernels.ultimate import BET, board_row, hole_index

PREFLOP, FLOP, RIVER = range(3)
WON, WON_LOW, LOST, LOST_LOW, TIED = range(5)


class Play(NamedTuple):
    """What a round is decided by: the first axis is the rank of the dealer's known card, 1 or 13 long."""

    dealer_seen: bool
    raised: NDArray[np.bool_]
    """(1 or 13, 1 or 52, 1326) by a known card of the flop and the player's cards."""
    flops: NDArray[np.uint8]
    """(1 or 13, flops, 1326) BET or CHECK by flop class and the player's cards."""
    flop_class: NDArray[np.int32]
    """(1 or 13, 52, 52, 52) class of a flop, its cards falling."""
    renamed: NDArray[np.uint8]
    """(1 or 13, 52, 52, 52, 4) the suits of the class that the flop's suits are."""
    by_table: bool
    """Whether the river is decided by the two tables below; by looking at the dealer's hands otherwise."""
    ranks: NDArray[np.uint8]
    suited: NDArray[np.uint8]


def flop_classes(flops: NDArray[np.uint8], dealer_seen: bool) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return `flop_class` and `renamed` of `Play`, but for their first axis, for classes of flops (n, 3)."""
    of_flop = np.full((52, 52, 52), -1, dtype=np.int32)
    renamed = np.zeros((52, 52, 52, 4), dtype=np.uint8)
    for suits in permutations(range(4)):
        if dealer_seen and suits[0] != 0:
            continue
        cards = -np.sort(-(flops // 4 * 4 + np.array(suits)[flops % 4]).astype(np.int64), axis=1)
        place = tuple(cards.T)
        of_flop[place] = np.arange(len(flops))
        renamed[place] = np.argsort(suits)
    return of_flop, renamed


@jit
def play_rounds(
    rounds: int,
    state: State,
    play: Play,
    boards: Boards,
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    start: np.uint64,
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    pair_floor: int,
    category: NDArray[np.uint8],
    blind: NDArray[np.int64],
    unit: int,
    ends: NDArray[np.int64],
) -> int:
    """Play so many rounds: fill `ends` (3, 10, 5) by stage, category and end, and return how many were folded.

    category : uint8 (values + 1,)
    blind    : int64 (values + 1,) what the Blind wins, in units; `unit` units are an ante
    """
    pack = np.arange(52).astype(np.uint8)
    cards, counts = np.empty(7, np.uint8), np.zeros(3, np.int64)
    folded = 0
    for _ in range(rounds):
        left = np.uint64(52)
        for place in range(7):
            state, left, card = draw(state, left, pack)
            cards[place] = card
        state, left, first = draw(state, left, pack)
        state, left, second = draw(state, left, pack)

        seen, rank, hands = -1, 0, 990
        if play.dealer_seen:
            # all that is known is known up to a renaming of suits: the dealer's card gets suit 0
            suit = int(first % 4)
            for place in range(7):
                cards[place] = swapped(cards[place], suit)
            first, second = swapped(first, suit), swapped(second, suit)
            seen, rank, hands = first, first // 4, 44
        hole = hole_index(cards[5], cards[6])
        stage = PREFLOP
        if not play.raised[rank, cards[0] if play.raised.shape[1] == 52 else 0, hole]:
            stage = FLOP if bets_flop(play, rank, cards) else RIVER
        if stage == RIVER:
            if play.by_table:
                plays = plays_river(play, boards, cards)
            else:
                mine = meet(*(cards, seen, keys, masks, start, displacements, slots, flushes), pair_floor, counts)
                plays = worth_playing(counts, mine, hands, pair_floor, blind, unit)
            if not plays:
                folded += 1
                continue
        board, board_mask = start, np.uint64(0)
        for place in range(5):
            board += keys[cards[place]]
            board_mask |= masks[cards[place]]
        shown = (0, 0)
        for a, b in ((np.int64(cards[5]), np.int64(cards[6])), (np.int64(first), np.int64(second))):
            key, mask = board + keys[a] + keys[b], board_mask | masks[a] | masks[b]
            if key & FLUSH:
                value = int(flushes[flush_ranks(key, mask)])
            else:
                value = int(slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS])
            shown = (shown[1], value)
        mine, theirs = shown
        if mine == theirs:
            end = TIED
        elif mine > theirs:
            end = WON if theirs >= pair_floor else WON_LOW
        else:
            end = LOST if theirs >= pair_floor else LOST_LOW
        ends[stage, category[mine], end] += 1
    return folded


@jit
def swapped(card: int, suit: int) -> int:
    """A card with a suit and suit 0 swapped."""
    own = card % 4
    return int(card // 4 * 4 + (0 if own == suit else suit if own == 0 else own))


@jit
def worth_playing(
    counts: NDArray[np.int64], mine: int, hands: int, pair_floor: int, blind: NDArray[np.int64], unit: int
) -> bool:
    """Whether a bet on the river is worth more than a fold, by the dealer's hands that a hand meets.

    counts : int64 (3,) see `meet`
    hands  : hands that the dealer may have
    """
    wins, losses, unqualified = counts[WINS], counts[LOSSES], counts[UNQUALIFIED]
    low_wins = unqualified if mine >= pair_floor else wins
    low_losses = 0 if mine >= pair_floor else losses - (hands - unqualified)
    play = unit * (wins - losses)
    ante = unit * ((wins - low_wins) - (losses - low_losses))
    blind_won = wins * blind[mine] - unit * losses
    return bool(play + ante + blind_won > -2 * unit * hands)


@jit
def bets_flop(play: Play, rank: int, cards: NDArray[np.uint8]) -> bool:
    """Whether the flop is bet.

    rank  : of the dealer's known card, or 0
    cards : uint8 (7,) the board, then the player's two
    """
    a, b, c = max(cards[0], cards[1], cards[2]), 0, min(cards[0], cards[1], cards[2])
    b = int(cards[0]) + int(cards[1]) + int(cards[2]) - a - c
    suits = play.renamed[rank, a, b, c]
    one, other = cards[5], cards[6]
    hole = hole_index(one // 4 * 4 + suits[one % 4], other // 4 * 4 + suits[other % 4])
    return bool(play.flops[rank, play.flop_class[rank, a, b, c], hole] == BET)


@jit
def plays_river(play: Play, boards: Boards, cards: NDArray[np.uint8]) -> bool:
    """Whether the river is bet, by the tables.

    cards : uint8 (7,) the board, then the player's two
    """
    one, other = cards[5], cards[6]
    for suit in range(4):
        number, mask, first, second = 0, 0, -1, -1
        for place in range(5):
            card = int(cards[place])
            if card % 4 == suit:
                number += 1
                mask |= 1 << (card // 4)
            elif first < 0:
                first = card // 4
            else:
                second = card // 4
        if number >= 3:
            kind = one // 4 + (0 if one % 4 == suit else 13)
            other_kind = other // 4 + (0 if other % 4 == suit else 13)
            return bool(play.suited[board_row(boards.suited, mask, first, second), pair(kind, other_kind)])
    flop = boards.flop_ranks[cards[0] // 4, cards[1] // 4, cards[2] // 4]
    row = boards.ranks[flop, pair(cards[3] // 4, cards[4] // 4)]
    return bool(play.ranks[row, pair(one // 4, other // 4)])
