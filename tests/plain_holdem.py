"""Hold'em counted the plain way: every board after a flop, every pair of hole cards, each against every other.

Slow and obvious; of the package it has the values of hands, and how hands and flops are numbered.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from casinomath.holes import HAND_OF_HOLE
from casinomath.kernels.canonical import hole_index
from casinomath.kernels.deals import classes
from casinomath.kernels.jit import jit
from casinomath.kernels.poker import floors, values

PLACES = np.array(list(combinations(range(47), 2)))
"""Pairs of the 47 cards that a board leaves, by their places."""
APART = (PLACES[:, None, :, None] != PLACES[None, :, None, :]).all(axis=(2, 3))
"""Which of the pairs share no card."""
PAIR = floors()[1]


def met(
    board: list[int], wanted: set[tuple[int, int]] | None = None, dealer: int | None = None
) -> dict[tuple[int, int], tuple[int, int, int, int]]:
    """Return by hole cards: hands that they beat, that beat them, hands below a pair, and the value.

    dealer : a card that is known to be the dealer's
    """
    left = np.array([card for card in range(52) if card not in board])
    pairs = left[PLACES]
    hands = np.hstack([np.tile(board, (len(pairs), 1)), pairs]).astype(np.uint8)
    found = values(hands).astype(int)
    mine = [place for place, pair in enumerate(pairs.tolist()) if wanted is None or tuple(pair) in wanted]
    against = APART[mine]
    if dealer is not None:
        against = against & (pairs == dealer).any(axis=1)[None, :]
    wins = ((found[mine, None] > found[None, :]) & against).sum(axis=1)
    losses = ((found[mine, None] < found[None, :]) & against).sum(axis=1)
    low = ((found < PAIR)[None, :] & against).sum(axis=1)
    return {
        tuple(pairs[place].tolist()): (int(won), int(lost), int(below), int(found[place]))
        for place, won, lost, below in zip(mine, wins, losses, low, strict=True)
    }


def ultimate(
    result: tuple[int, int, int, int], play: int, blind: NDArray[np.int64], unit: int, hands: int = 990
) -> int:
    """Return what a Play bet of so many antes brings against all the dealer's hands, bet by bet, in units."""
    wins, losses, low, value = result
    # without a pair: whoever it beats has none, and of those that beat it some have none either
    ante = wins - low - losses if value >= PAIR else -(hands - low)
    return unit * play * (wins - losses) + unit * ante + int(blind[value]) * wins - unit * losses


def flop(
    cards: list[int],
    play: int,
    blind: NDArray[np.int64],
    unit: int,
    wanted: set[tuple[int, int]] | None = None,
    dealer: int | None = None,
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return by hole cards what a bet of so many antes on this flop is worth, and a check, over 1,081 boards."""
    bets: dict[tuple[int, int], int] = {}
    checks: dict[tuple[int, int], int] = {}
    hands = 990 if dealer is None else 44
    for turn, river in combinations([card for card in range(52) if card not in cards and card != dealer], 2):
        for hole, result in met([*cards, turn, river], wanted, dealer).items():
            if dealer in hole:
                continue
            bets[hole] = bets.get(hole, 0) + ultimate(result, play, blind, unit, hands)
            best = max(ultimate(result, 1, blind, unit, hands), -2 * unit * hands)
            checks[hole] = checks.get(hole, 0) + best
    return {hole: (bets[hole], checks[hole]) for hole in bets}


# --- The whole game -----------------------------------------------------------------------------------------


def best(raised: int, bet: int, blind: NDArray[np.int64], unit: int) -> Fraction:
    """Return what Ultimate is worth: every board after one flop of each class, every pair of cards beside it."""
    dealt, holes = np.empty((1176, 1081, 7), dtype=np.uint8), np.empty((1176, 47), dtype=np.uint8)
    totals = np.zeros((169, 2), dtype=np.int64)
    found = classes(3)
    for flop_cards, weight in zip(found.cards, found.weights, strict=True):
        cards = np.setdiff1d(np.arange(52, dtype=np.uint8), flop_cards)
        deal(flop_cards, cards, dealt, holes)
        held = values(dealt.reshape(-1, 7)).reshape(dealt.shape[:2])
        worth = np.zeros((52, 52, 3), dtype=np.int64)
        settle(held, holes, PAIR, raised, bet, blind, unit, worth)
        low, high = (cards[places].astype(int) for places in np.triu_indices(49, 1))
        raise_now, bet_now, check = worth[low, high].T
        hand = HAND_OF_HOLE[hole_index(high, low)]
        np.add.at(totals, hand, weight * np.array([raise_now, np.maximum(bet_now, check)]).T)
    return Fraction(int(totals.max(axis=1).sum()), unit * 1326 * 19600 * 1081 * 990)


@jit
def deal(flop: NDArray[np.uint8], cards: NDArray[np.uint8], dealt: NDArray[np.uint8], holes: NDArray[np.uint8]) -> None:
    """Fill `dealt` (1176, 1081, 7) with flop, turn, river and a pair, and `holes` (1176, 47) with what a board leaves.

    cards : (49,) what the flop leaves, the lowest first
    """
    board = 0
    for turn in range(49):
        for river in range(turn):
            left = 0
            for place in range(49):
                if place not in (turn, river):
                    holes[board, left] = cards[place]
                    left += 1
            column = 0
            for i in range(47):
                for j in range(i + 1, 47):
                    hand = dealt[board, column]
                    hand[0], hand[1], hand[2], hand[3], hand[4] = flop[0], flop[1], flop[2], cards[turn], cards[river]
                    hand[5], hand[6] = holes[board, i], holes[board, j]
                    column += 1
            board += 1


@jit
def settle(
    held: NDArray[np.uint16],
    holes: NDArray[np.uint8],
    pair: int,
    raised: int,
    bet: int,
    blind: NDArray[np.int64],
    unit: int,
    worth: NDArray[np.int64],
) -> None:
    """Add what two Play bets and a check are worth, each pair against those that share no card with it.

    held  : (boards, 1081) values of the pairs of cards that a board leaves, by their places
    holes : (boards, 47) those cards
    worth : (52, 52, 3) room
    """
    rank, known_room = np.full(7463, -1), np.empty(1081, np.uint16)
    below, holding = np.empty(1082, np.int64), np.empty((47, 1082), np.int64)
    for board in range(held.shape[0]):
        number = 0
        for value in held[board]:
            if rank[value] < 0:
                rank[value], known_room[number] = 0, value
                number += 1
        known = np.sort(known_room[:number])
        for place in range(number):
            rank[known[place]] = place
        # hands, and hands with one certain card, of values below each
        below[: number + 1], holding[:, : number + 1] = 0, 0
        column = 0
        for i in range(47):
            for j in range(i + 1, 47):
                above = rank[held[board, column]] + 1
                below[above] += 1
                holding[i, above] += 1
                holding[j, above] += 1
                column += 1
        for place in range(number):
            below[place + 1] += below[place]
            for i in range(47):
                holding[i, place + 1] += holding[i, place]
        low = np.searchsorted(known, pair)
        column = 0
        for i in range(47):
            for j in range(i + 1, 47):
                value, place = held[board, column], rank[held[board, column]]
                mine = 1 if value < pair else 0  # my own hand is counted with both of its cards
                wins = below[place] - holding[i, place] - holding[j, place]
                losses = 990 - (below[place + 1] - holding[i, place + 1] - holding[j, place + 1] + 1)
                unqualified = below[low] - holding[i, low] - holding[j, low] + mine
                ante = -(990 - unqualified) if mine else wins - unqualified - losses
                rest = unit * (ante - losses) + blind[value] * wins
                of_hole = worth[holes[board, i], holes[board, j]]
                of_hole[0] += raised * unit * (wins - losses) + rest
                of_hole[1] += bet * unit * (wins - losses) + rest
                of_hole[2] += max(unit * (wins - losses) + rest, -2 * unit * 990)
                column += 1
        rank[known] = -1
