"""Hold'em counted the plain way: every board after a flop, every pair of hole cards, each against every other.

Slow and obvious; of the package it has the values of hands and nothing else.
"""

from itertools import combinations

import numpy as np
from numpy.typing import NDArray

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
