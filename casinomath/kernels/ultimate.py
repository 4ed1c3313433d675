"""Ultimate Texas Hold'em: every flop with every pair of hole cards, by sums over boards.

Money is in units such that all pays are whole, and is summed over the hands that the dealer may have: with a Play bet
of P antes a board is worth P × (wins − losses) + rest, the rest being Ante and Blind. The river's part is that with
P = 1, or a fold.

Method: what a board does to a hand depends only on its row and on the kinds of the hole cards, see `boards`. Of a flop
the rows of all turn and river cards are added up as whole vectors; boards that hold one of my own cards are taken out
again: all − with a − with b + with both. For the other way round, from decisions to the boards that are met by them,
the same sums are read backwards.

A card that is known to be the dealer's, of suit 0, is out of the deck; then boards with a flush in suit 0 have tables
of their own.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.boards import Boards, pair
from casinomath.kernels.jit import bare, jit

RAISE, BET, CHECK = 1, 2, 3
"""Decisions by flop and hole cards: raised before the flop, bet on the flop, checked it; 0 for no such hand."""
HOLES = 52 * 51 // 2


class Priced(NamedTuple):
    """What boards (rows) are worth to pairs of kinds (columns), in units summed over the dealer's hands."""

    margins: NDArray[np.int16]
    """Hands of the dealer's that are beaten, less those that beat."""
    rest: NDArray[np.int32]
    """Ante and Blind, where the hand is played to the end."""


@jit
def hole_index(a: int, b: int) -> int:
    """The index of two different cards."""
    return a * (a - 1) // 2 + b if a > b else b * (b - 1) // 2 + a


@bare
def price(
    values: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
    blind: NDArray[np.int64],
    unit: int,
    opponents: int,
    pair_floor: int,
    margins: NDArray[np.int16],
    rest: NDArray[np.int32],
    plays: NDArray[np.uint8],
) -> None:
    """Fill `margins`, `rest`, and `plays`: 1 where the river is better played than folded, a tie being folded.

    blind : int64 (values + 1,) units that the Blind wins, by the value of the hand
    unit  : units of an ante
    """
    fold = -2 * unit * opponents
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            value = values[row, column]
            won, lost, low = int(wins[row, column]), int(losses[row, column]), int(unqualified[row, column])
            ante = won - low - lost if value >= pair_floor else low - opponents
            money = unit * (ante - lost) + won * blind[value]
            margins[row, column] = won - lost
            rest[row, column] = money
            plays[row, column] = money + unit * (won - lost) > fold


@jit
def board_row(suited: NDArray[np.int32], mask: int, first: int, second: int) -> int:
    """The row of a board: ranks of its suit, and of its other cards, -1 for none."""
    row = suited[mask]
    if second >= 0:
        row += pair(first, second)
    elif first >= 0:
        row += first
    return int(row)


@jit
def with_kinds(mask: int, first: int, second: int, t: int, r: int) -> tuple[int, int, int]:
    """Cards of two kinds laid to a suit's mask and the other cards' ranks, -1 for none."""
    for kind in (t, r):
        if kind < 13:
            mask |= 1 << kind
        elif first < 0:
            first = kind - 13
        else:
            second = kind - 13
    return mask, first, second


@jit
def of_suit(flop: NDArray[np.uint8], suit: int) -> tuple[int, int, int, int]:
    """How many cards of the flop are of a suit, the mask of their ranks, and the other cards' ranks, -1 for none."""
    number, mask, first, second = 0, 0, -1, -1
    for card in flop:
        if card % 4 == suit:
            number += 1
            mask |= 1 << (card // 4)
        elif first < 0:
            first = card // 4
        elif second < 0:
            second = card // 4
    return number, mask, first, second


@jit
def kinds_left(gone: NDArray[np.bool_], suit: int, left: NDArray[np.int64]) -> None:
    """Fill `left` (26,) with the cards of each kind that are not gone (52,)."""
    left[:] = 0
    for card in range(52):
        if not gone[card]:
            left[card // 4 + (0 if card % 4 == suit else 13)] += 1


@jit
def suited_sums(
    flop: NDArray[np.uint8],
    suit: int,
    suited: NDArray[np.int32],
    priced: Priced,
    left: NDArray[np.int64],
    margins: NDArray[np.int32],
    total: NDArray[np.int32],
    holding: NDArray[np.int64],
    sums: NDArray[np.int64],
    unit: int,
    fold: int,
) -> None:
    """Fill `sums` (3, 351) over the boards of a flop with three cards or more of a suit, by kinds of the hole cards.

    Of each pair of kinds: wins less losses, the rest, the river's part.
    left    : int64 (26,) cards left of each kind
    margins : int32 (351,) room for sums over all boards, as `total` (2, 351); `holding` (3, 26, 26) over those with one
              given card
    """
    margin, rest = priced.margins, priced.rest
    number, mask, first, second = of_suit(flop, suit)
    unit32, fold32 = np.int32(unit), np.int32(fold)
    margins[:] = 0
    total[:] = 0
    holding[:] = 0
    for t in range(26):
        for r in range(t + 1):
            boards = left[t] * left[r] if t != r else left[t] * (left[t] - 1) // 2
            if boards == 0 or number + (t < 13) + (r < 13) < 3:
                continue
            row = board_row(suited, *with_kinds(mask, first, second, t, r))
            # one sum after the other: LLVM makes no vectors of three at once
            for column in range(351):
                margins[column] += boards * np.int32(margin[row, column])
            for column in range(351):
                total[0, column] += boards * rest[row, column]
            for column in range(351):
                narrow = np.int32(rest[row, column] + np.int32(unit32 * np.int32(margin[row, column])))
                total[1, column] += boards * max(narrow, fold32)
            for swap in range(1 if t == r else 2):
                mine, other = (r, t) if swap else (t, r)
                with_one = left[other] - (mine == other)
                for kind in range(26):
                    column = pair(mine, kind)
                    won = np.int64(margin[row, column])
                    played = max(rest[row, column] + unit * won, fold)
                    holding[0, mine, kind] += with_one * won
                    holding[1, mine, kind] += with_one * rest[row, column]
                    holding[2, mine, kind] += with_one * played
    for i in range(26):
        for j in range(i + 1):
            column = pair(i, j)
            sums[0, column] = margins[column] - holding[0, i, j] - holding[0, j, i]
            for part in range(1, 3):
                sums[part, column] = total[part - 1, column] - holding[part, i, j] - holding[part, j, i]
            if number + (i < 13) + (j < 13) >= 3 and left[i] > 0 and left[j] > (i == j):
                row = board_row(suited, *with_kinds(mask, first, second, i, j))
                won = np.int64(margin[row, column])
                sums[0, column] += won
                sums[1, column] += rest[row, column]
                sums[2, column] += max(rest[row, column] + unit * won, fold)


@jit
def no_flush_with(card: int, flop: NDArray[np.uint8], gone: NDArray[np.bool_], of_rank: NDArray[np.int64]) -> None:
    """Fill `of_rank` (13,) with the cards that, laid to the flop and this card, leave no suit with three."""
    of_rank[:] = 0
    allowed = 0
    for suit in range(4):
        number = 1 if card % 4 == suit else 0
        for other in flop:
            number += other % 4 == suit
        if number > 2:
            return
        if number < 2:
            allowed |= 1 << suit
    for other in range(52):
        if not gone[other] and other != card and allowed >> (other % 4) & 1:
            of_rank[other // 4] += 1


@jit
def rank_sums(
    flop: NDArray[np.uint8],
    gone: NDArray[np.bool_],
    rows: NDArray[np.int32],
    priced: Priced,
    of_rank: NDArray[np.int64],
    boards: NDArray[np.int64],
    total: NDArray[np.int64],
    holding: NDArray[np.int64],
    unit: int,
    fold: int,
) -> None:
    """Fill `total` (3, 91) over the boards of a flop without a flush, and `holding` (3, 52, 13) over those with a card.

    rows    : int32 (91,) rows of the boards by the ranks of turn and river
    of_rank : int64 (13,) room, `boards` (91,) room
    """
    margin, rest = priced.margins, priced.rest
    boards[:] = 0
    total[:] = 0
    holding[:] = 0
    for card in range(52):
        if gone[card]:
            continue
        no_flush_with(card, flop, gone, of_rank)
        rank = card // 4
        for other in range(13):
            number = of_rank[other]
            if number == 0:
                continue
            if other <= rank:
                boards[pair(rank, other)] += number
            row = rows[pair(rank, other)]
            for kind in range(13):
                column = pair(rank, kind)
                won = np.int64(margin[row, column])
                played = max(rest[row, column] + unit * won, fold)
                holding[0, card, kind] += number * won
                holding[1, card, kind] += number * rest[row, column]
                holding[2, card, kind] += number * played
    for rank in range(13):
        boards[pair(rank, rank)] //= 2
    for which in range(91):
        if boards[which]:
            row = rows[which]
            for column in range(91):
                won = np.int64(margin[row, column])
                played = max(rest[row, column] + unit * won, fold)
                total[0, column] += boards[which] * won
                total[1, column] += boards[which] * rest[row, column]
                total[2, column] += boards[which] * played


@jit
def same_suit(flop: NDArray[np.uint8], a: int, b: int) -> bool:
    """Whether flop and two cards hold three of a suit."""
    counts = 0
    for card in flop:
        counts += 1 << (4 * (card % 4))
    counts += (1 << (4 * (a % 4))) + (1 << (4 * (b % 4)))
    return (counts + 0x5555) & 0x8888 != 0


@jit
def solve_flops(
    flops: NDArray[np.uint8],
    weights: NDArray[np.int64],
    dealer: int,
    boards: Boards,
    ranks: Priced,
    suited: Priced,
    suited_with_dealer: Priced,
    unit: int,
    fold: int,
    after: int,
    decisions: NDArray[np.uint8],
    groups: NDArray[np.int32],
    totals: NDArray[np.int64],
    room: NDArray[np.int32],
) -> None:
    """Decide on every flop with every pair of hole cards, and add up what raising and waiting are worth before it.

    flops     : uint8 (flops, 3), each standing for `weights` flops
    dealer    : a known card of the dealer's, of suit 0, or -1
    unit      : units of an ante, `fold` of a fold against every hand of the dealer's
    after     : units of a bet on the flop
    decisions : uint8 (flops, 1326) room for BET or CHECK
    groups    : int32 (1, 1326) or (52, 1326) what is known before the flop, by a known card of it and the hole cards
    totals    : int64 (groups, 3) wins less losses, the rest, and what waiting is worth, summed over flops, boards and
                the dealer's hands
    room      : (2, 351) of a type that holds what all boards of a flop can be worth: int32, or slower int64
    """
    gone = np.zeros(52, np.bool_)
    left = np.zeros((4, 26), np.int64)
    margins, holding_room = np.zeros(351, np.int32), np.zeros((3, 26, 26), np.int64)
    sums = np.zeros((4, 3, 351), np.int64)
    of_rank, rank_boards = np.zeros(13, np.int64), np.zeros(91, np.int64)
    total, holding = np.zeros((3, 91), np.int64), np.zeros((3, 52, 13), np.int64)
    met = np.zeros(4, np.bool_)
    worth = np.zeros(3, np.int64)
    for f in range(flops.shape[0]):
        flop = flops[f]
        gone[:] = False
        if dealer >= 0:
            gone[dealer] = True
        for card in flop:
            gone[card] = True
        for suit in range(4):
            met[suit] = of_suit(flop, suit)[0] > 0
            if met[suit]:
                kinds_left(gone, suit, left[suit])
                table = suited_with_dealer if suit == 0 and dealer >= 0 else suited
                suited_sums(
                    flop, suit, boards.suited, table, left[suit], margins, room, holding_room, sums[suit], unit, fold
                )
        rows = boards.ranks[boards.flop_ranks[flop[0] // 4, flop[1] // 4, flop[2] // 4]]
        rank_sums(flop, gone, rows, ranks, of_rank, rank_boards, total, holding, unit, fold)
        for a in range(1, 52):
            if gone[a]:
                continue
            for b in range(a):
                if gone[b]:
                    continue
                column = pair(a // 4, b // 4)
                for part in range(3):
                    worth[part] = total[part, column] - holding[part, a, b // 4] - holding[part, b, a // 4]
                if not same_suit(flop, a, b):
                    row = rows[column]
                    won = np.int64(ranks.margins[row, column])
                    worth[0] += won
                    worth[1] += ranks.rest[row, column]
                    worth[2] += max(ranks.rest[row, column] + unit * won, fold)
                for suit in range(4):
                    if met[suit]:
                        kinds = pair(a // 4 + (0 if a % 4 == suit else 13), b // 4 + (0 if b % 4 == suit else 13))
                        for part in range(3):
                            worth[part] += sums[suit, part, kinds]
                hole = hole_index(a, b)
                bet = after * worth[0] + worth[1]
                decisions[f, hole] = BET if bet > worth[2] else CHECK
                wait = max(bet, worth[2])
                for known in range(1 if groups.shape[0] == 1 else 3):
                    group = groups[0 if groups.shape[0] == 1 else flop[known], hole]
                    totals[group, 0] += weights[f] * worth[0]
                    totals[group, 1] += weights[f] * worth[1]
                    totals[group, 2] += weights[f] * wait


@jit
def spread_flops(
    flops: NDArray[np.uint8],
    weights: NDArray[np.int64],
    dealer: int,
    boards: Boards,
    decisions: NDArray[np.uint8],
    groups: NDArray[np.int32],
    raised: NDArray[np.bool_],
    decision: int,
    ranks: NDArray[np.int32],
    suited: NDArray[np.int32],
    suited_with_dealer: NDArray[np.int32],
) -> None:
    """Count the deals that a decision leads to, by board (row) and pair of kinds (column), into the last three.

    raised : bool (groups,) the groups that raise before the flop
    """
    gone = np.zeros(52, np.bool_)
    left = np.zeros(26, np.int64)
    chosen = np.zeros(HOLES, np.int64)
    by_kinds, by_ranks, by_card = np.zeros(351, np.int32), np.zeros(91, np.int64), np.zeros((52, 13), np.int64)
    of_rank, rank_boards = np.zeros(13, np.int64), np.zeros(91, np.int64)
    for f in range(flops.shape[0]):
        flop = flops[f]
        gone[:] = False
        if dealer >= 0:
            gone[dealer] = True
        for card in flop:
            gone[card] = True
        by_ranks[:] = 0
        by_card[:] = 0
        for a in range(1, 52):
            for b in range(a):
                hole = hole_index(a, b)
                chosen[hole] = 0
                if gone[a] or gone[b]:
                    continue
                for known in range(1 if groups.shape[0] == 1 else 3):
                    group = groups[0 if groups.shape[0] == 1 else flop[known], hole]
                    if (RAISE if raised[group] else decisions[f, hole]) == decision:
                        chosen[hole] += weights[f]
                by_ranks[pair(a // 4, b // 4)] += chosen[hole]
                by_card[a, b // 4] += chosen[hole]
                by_card[b, a // 4] += chosen[hole]
        rows = boards.ranks[boards.flop_ranks[flop[0] // 4, flop[1] // 4, flop[2] // 4]]
        spread_ranks(flop, gone, rows, chosen, by_ranks, by_card, of_rank, rank_boards, ranks)
        for suit in range(4):
            if of_suit(flop, suit)[0] == 0:
                continue
            kinds_left(gone, suit, left)
            by_kinds[:] = 0
            for a in range(1, 52):
                for b in range(a):
                    kinds = pair(a // 4 + (0 if a % 4 == suit else 13), b // 4 + (0 if b % 4 == suit else 13))
                    by_kinds[kinds] += chosen[hole_index(a, b)]
            table = suited_with_dealer if suit == 0 and dealer >= 0 else suited
            spread_suited(flop, suit, boards.suited, left, by_kinds, table)


@jit
def spread_ranks(
    flop: NDArray[np.uint8],
    gone: NDArray[np.bool_],
    rows: NDArray[np.int32],
    chosen: NDArray[np.int64],
    by_ranks: NDArray[np.int64],
    by_card: NDArray[np.int64],
    of_rank: NDArray[np.int64],
    boards: NDArray[np.int64],
    out: NDArray[np.int32],
) -> None:
    """Add the deals on a flop's boards without a flush: `rank_sums` read backwards.

    chosen   : int64 (1326,) deals of the flop by hole cards; `by_ranks` (91,) by their ranks, `by_card` (52, 13) by one
               card and the other's rank
    """
    boards[:] = 0
    for card in range(52):
        if gone[card]:
            continue
        no_flush_with(card, flop, gone, of_rank)
        rank = card // 4
        for other in range(13):
            number = of_rank[other]
            if number == 0:
                continue
            if other <= rank:
                boards[pair(rank, other)] += number
            row = rows[pair(rank, other)]
            for kind in range(13):
                out[row, pair(rank, kind)] -= number * by_card[card, kind]
    for rank in range(13):
        boards[pair(rank, rank)] //= 2
    for which in range(91):
        if boards[which]:
            for column in range(91):
                out[rows[which], column] += boards[which] * by_ranks[column]
    for a in range(1, 52):
        for b in range(a):
            deals = chosen[hole_index(a, b)]
            if deals and not same_suit(flop, a, b):
                column = pair(a // 4, b // 4)
                out[rows[column], column] += deals


@jit
def spread_suited(
    flop: NDArray[np.uint8],
    suit: int,
    suited: NDArray[np.int32],
    left: NDArray[np.int64],
    by_kinds: NDArray[np.int32],
    out: NDArray[np.int32],
) -> None:
    """Add the deals on a flop's boards with three cards or more of a suit: `suited_sums` read backwards.

    by_kinds : int32 (351,) deals of the flop by kinds of the hole cards
    """
    number, mask, first, second = of_suit(flop, suit)
    for t in range(26):
        for r in range(t + 1):
            boards = left[t] * left[r] if t != r else left[t] * (left[t] - 1) // 2
            if boards == 0 or number + (t < 13) + (r < 13) < 3:
                continue
            row = board_row(suited, *with_kinds(mask, first, second, t, r))
            boards32 = np.int32(boards)
            for column in range(351):
                out[row, column] += np.int32(boards32 * by_kinds[column])
            for swap in range(1 if t == r else 2):
                mine = r if swap else t
                for kind in range(26):
                    column = pair(mine, kind)
                    if by_kinds[column] == 0 or (swap and kind == t):
                        continue
                    of_t = left[t] - (mine == t) - (kind == t)
                    of_r = left[r] - (mine == r) - (kind == r)
                    avoiding = of_t * of_r if t != r else of_t * (of_t - 1) // 2
                    out[row, column] += (avoiding - boards) * by_kinds[column]


WON, WON_LOW, LOST, LOST_LOW, TIED = range(5)
"""How a hand ends; low: the dealer does not qualify."""


@jit
def tally(
    deals: NDArray[np.int32],
    plays: NDArray[np.uint8],
    values: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    unqualified: NDArray[np.int16],
    category: NDArray[np.uint8],
    opponents: int,
    pair_floor: int,
    ends: NDArray[np.int64],
) -> None:
    """Add up how deals end, over boards (rows), pairs of kinds (columns) and the dealer's hands.

    deals    : int32 (boards, pairs)
    plays    : uint8 (boards, pairs) whether the river is played, 1 or 0
    category : uint8 (values + 1,)
    ends     : int64 (2, categories, 5) by `plays`
    """
    for row in range(values.shape[0]):
        for column in range(values.shape[1]):
            number = np.int64(deals[row, column])
            if number == 0:
                continue
            value = values[row, column]
            won, lost, low = np.int64(wins[row, column]), np.int64(losses[row, column]), unqualified[row, column]
            won_low = low if value >= pair_floor else won
            lost_low = 0 if value >= pair_floor else lost - (opponents - low)
            which, river = category[value], plays[row, column]
            ends[river, which, WON] += number * (won - won_low)
            ends[river, which, WON_LOW] += number * won_low
            ends[river, which, LOST] += number * (lost - lost_low)
            ends[river, which, LOST_LOW] += number * lost_low
            ends[river, which, TIED] += number * (opponents - won - lost)
