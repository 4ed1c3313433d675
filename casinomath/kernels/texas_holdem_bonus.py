"""Texas Hold'em Bonus: for every hand and board how often it beats the dealer, and every bet after the flop decided.

After the flop nothing can be folded, so the turn bet and the river bet are made exactly where wins outnumber losses.
The river bet is decided on four cards of the board, of which any may be the turn; the turn bet on the flop.

Method: for four cards of the board, up to a change of suits, the rows of `boards.showdowns` are added over all rivers,
those of one flush suit (or none) together. What a river in my own hand has added is taken away again, two look-ups for
each hand. Of these sums the rest is made: the sums over turns that decide the turn bet, and what every way of betting
comes to.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.boards import KIND_PAIRS, boards, pair, showdowns
from casinomath.kernels.canonical import CARDS, HOLES, canonical, changed_holes
from casinomath.kernels.deals import classes
from casinomath.kernels.jit import bare, jit
from casinomath.kernels.poker import FIVE, RANKS, floors

RIVERS: Final = 46
"""Rivers left by four cards of the board and two of mine."""
OPPONENTS: Final = 990
"""Hands that the dealer may have then."""

WINS_PAID, WINS, LOSSES, DEALS = range(4)
"""Wins with a hand for which the ante is paid, all wins, losses; and deals of hole cards, flop and turn."""


class Played(NamedTuple):
    """All that is known of the bets after the flop."""

    sums: NDArray[np.int64]
    """(classes, 2, 2, 4) by class of hole cards, turn bet and river bet: WINS_PAID, WINS and LOSSES over rivers and the
    dealer's hands, and DEALS."""
    turn_bets: NDArray[np.bool_]
    """(1755, 1326) whether the turn bet is made, by flop and hole cards."""
    river_bets: NDArray[np.bool_]
    """(16432, 1326) whether the river bet is made, by flop and turn together and hole cards."""


def play(paid_from: str, classes_of: NDArray[np.int32]) -> Played:
    """Return what all bets after the flop come to, where the ante is paid for this category and better.

    classes_of : int32 (1326,) classes of hole cards, by which sums are kept
    """
    least = floors(FIVE)[FIVE.categories.index(paid_from)]
    (plain, suited), where = showdowns(), boards()
    four, flops = classes(4), classes(3)
    paid = [np.where(table.values >= least, table.wins, 0).astype(np.int16) for table in (plain, suited)]
    rivers = np.zeros((len(four.cards), HOLES, 3), dtype=np.uint16)
    sum_rivers(
        *(four.cards, where.ranks, where.flop_ranks, where.suited),
        *(paid[0], plain.wins, plain.losses, paid[1], suited.wins, suited.losses),
        rivers,
    )
    turns = np.array([np.setdiff1d(np.arange(CARDS, dtype=np.uint8), flop) for flop in flops.cards])
    with_turn = np.concatenate(
        [np.repeat(flops.cards, turns.shape[1], axis=0), turns.reshape(-1, 1)], axis=1, dtype=np.uint8
    )
    found = canonical(with_turn)
    shape = turns.shape
    sums = np.zeros((1 + classes_of.max(), 2, 2, 4), dtype=np.int64)
    turn_bets = np.zeros((len(flops.cards), HOLES), dtype=np.bool_)
    bet_and_sum(
        flops.weights,
        found.classes.reshape(shape),
        found.changes.reshape(shape),
        changed_holes(),
        classes_of,
        rivers,
        turn_bets,
        sums,
    )
    return Played(sums, turn_bets, rivers[:, :, 1] > rivers[:, :, 2])


@jit
def sum_rivers(
    cards: NDArray[np.uint8],
    rank_rows: NDArray[np.int32],
    flop_ranks: NDArray[np.int32],
    suited_rows: NDArray[np.int32],
    plain_paid: NDArray[np.int16],
    plain_wins: NDArray[np.int16],
    plain_losses: NDArray[np.int16],
    suited_paid: NDArray[np.int16],
    suited_wins: NDArray[np.int16],
    suited_losses: NDArray[np.int16],
    out: NDArray[np.uint16],
) -> None:
    """Fill `out` (boards, 1326, 3) with paid wins, wins and losses of hole cards over all rivers; 0 where none fit.

    cards : uint8 (boards, 4)
    """
    sums = np.empty((5, 3, KIND_PAIRS), np.int32)
    row, flush = np.empty(CARDS, np.int64), np.empty(CARDS, np.int64)
    kinds = np.empty((5, CARDS), np.int64)
    for card in range(CARDS):
        kinds[4, card] = card // 4
        for suit in range(4):
            kinds[suit, card] = card // 4 if card % 4 == suit else RANKS + card // 4
    counts, masks, used = np.empty(4, np.int64), np.empty(4, np.int64), np.empty(5, np.int64)
    for board in range(cards.shape[0]):
        counts[:] = 0
        masks[:] = 0
        used[:] = 0
        for place in range(4):
            card = int(cards[board, place])
            counts[card % 4] += 1
            masks[card % 4] |= 1 << (card // 4)
        for card in range(CARDS):
            row[card] = -1
            if (masks[card % 4] >> card // 4) & 1:
                continue
            suit = 4
            for each in range(4):
                if counts[each] + (1 if card % 4 == each else 0) >= 3:
                    suit = each
            flush[card] = suit
            row[card] = _row(cards[board], card, suit, masks, rank_rows, flop_ranks, suited_rows)
            if used[suit] == 0:
                used[suit] = 1
                sums[suit] = 0
            if suit == 4:
                add_row(sums[suit], plain_paid[row[card]], plain_wins[row[card]], plain_losses[row[card]])
            else:
                add_row(sums[suit], suited_paid[row[card]], suited_wins[row[card]], suited_losses[row[card]])
        take_hands(
            *(row, flush, kinds, used, sums),
            *(plain_paid, plain_wins, plain_losses, suited_paid, suited_wins, suited_losses),
            out[board],
        )


@jit
def _row(
    board: NDArray[np.uint8],
    river: int,
    suit: int,
    masks: NDArray[np.int64],
    rank_rows: NDArray[np.int32],
    flop_ranks: NDArray[np.int32],
    suited_rows: NDArray[np.int32],
) -> int:
    """The row of a board of five: of ranks alone where no flush is possible, suit 4."""
    if suit == 4:
        flop = flop_ranks[board[0] // 4, board[1] // 4, board[2] // 4]
        return int(rank_rows[flop, pair(int(board[3]) // 4, river // 4)])
    mask, first, second = int(masks[suit]), -1, -1
    if river % 4 == suit:
        mask |= 1 << river // 4
    else:
        first = river // 4
    for place in range(4):
        card = int(board[place])
        if card % 4 != suit:
            if first < 0:
                first = card // 4
            else:
                second = card // 4
    row = int(suited_rows[mask])
    if second >= 0:
        return row + pair(first, second)
    return row + max(first, 0)


@bare
def add_row(
    sums: NDArray[np.int32], paid: NDArray[np.int16], wins: NDArray[np.int16], losses: NDArray[np.int16]
) -> None:
    """Add a row to sums (3, columns)."""
    for column in range(paid.size):
        sums[0, column] += paid[column]
        sums[1, column] += wins[column]
        sums[2, column] += losses[column]


@bare
def take_hands(
    row: NDArray[np.int64],
    flush: NDArray[np.int64],
    kinds: NDArray[np.int64],
    used: NDArray[np.int64],
    sums: NDArray[np.int32],
    plain_paid: NDArray[np.int16],
    plain_wins: NDArray[np.int16],
    plain_losses: NDArray[np.int16],
    suited_paid: NDArray[np.int16],
    suited_wins: NDArray[np.int16],
    suited_losses: NDArray[np.int16],
    out: NDArray[np.uint16],
) -> None:
    """Fill `out` (1326, 3) for a board of four from sums over all rivers, less the rivers that are my own cards."""
    hole = -1
    for hi in range(CARDS):
        for lo in range(hi):
            hole += 1
            if row[hi] < 0 or row[lo] < 0:
                continue
            paid, wins, losses = 0, 0, 0
            for suit in range(5):
                if used[suit]:
                    i, j = kinds[suit, hi], kinds[suit, lo]
                    column = i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i
                    paid += sums[suit, 0, column]
                    wins += sums[suit, 1, column]
                    losses += sums[suit, 2, column]
            for mine in (hi, lo):
                suit = flush[mine]
                i, j = kinds[suit, hi], kinds[suit, lo]
                column = i * (i + 1) // 2 + j if i >= j else j * (j + 1) // 2 + i
                if suit == 4:
                    paid -= plain_paid[row[mine], column]
                    wins -= plain_wins[row[mine], column]
                    losses -= plain_losses[row[mine], column]
                else:
                    paid -= suited_paid[row[mine], column]
                    wins -= suited_wins[row[mine], column]
                    losses -= suited_losses[row[mine], column]
            out[hole, 0], out[hole, 1], out[hole, 2] = paid, wins, losses


@jit
def bet_and_sum(
    weights: NDArray[np.int64],
    four: NDArray[np.int64],
    changes: NDArray[np.int64],
    changed: NDArray[np.uint16],
    classes_of: NDArray[np.int32],
    rivers: NDArray[np.uint16],
    turn_bets: NDArray[np.bool_],
    sums: NDArray[np.int64],
) -> None:
    """Fill `turn_bets` (flops, 1326), and add up what every way of betting comes to in `sums` (classes, 2, 2, 4).

    weights       : int64 (flops,) flops of each class
    four, changes : int64 (flops, 49) the class of flop and turn, and the change of suits that leads there
    changed       : uint16 (24, 1326) hole cards after a change of suits
    classes_of    : int32 (1326,) the class of hole cards
    rivers        : uint16 (boards of four, 1326, 3) see `sum_rivers`
    """
    ahead = np.empty(HOLES, np.int64)
    for flop in range(weights.size):
        ahead[:] = 0
        for turn in range(four.shape[1]):
            board, change = four[flop, turn], changes[flop, turn]
            for hole in range(HOLES):
                there = changed[change, hole]
                ahead[hole] += np.int64(rivers[board, there, 1]) - np.int64(rivers[board, there, 2])
        for hole in range(HOLES):
            turn_bets[flop, hole] = ahead[hole] > 0
        weight = weights[flop]
        for turn in range(four.shape[1]):
            board, change = four[flop, turn], changes[flop, turn]
            for hole in range(HOLES):
                there = changed[change, hole]
                wins, losses = np.int64(rivers[board, there, 1]), np.int64(rivers[board, there, 2])
                if (
                    wins + losses == 0
                ):  # hole cards that lie on the board: none draws every dealer's hand on every river
                    continue
                cell = classes_of[hole]
                bet, more = (1 if ahead[hole] > 0 else 0), (1 if wins > losses else 0)
                sums[cell, bet, more, 0] += weight * np.int64(rivers[board, there, 0])
                sums[cell, bet, more, 1] += weight * wins
                sums[cell, bet, more, 2] += weight * losses
                sums[cell, bet, more, 3] += weight
