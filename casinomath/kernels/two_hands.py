"""Two hands on one board: how often each category meets each other one, and how often it is the hand that loses.

Method: the rows of `boards.showdowns`, each as often as there are boards of its kind, and each pair of kinds of hole
cards as often as there are such cards. Pairs that hold a card of each other are taken away by inclusion–exclusion.
"""

from functools import lru_cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.boards import KINDS, OPPONENTS, SUITED_BOARDS, boards, pairs_of, showdowns
from casinomath.kernels.jit import jit
from casinomath.kernels.poker import FIVE, RANKS, floors


class TwoHands(NamedTuple):
    """Deals of a board, a player's hole cards and an opponent's, by category of seven cards, the worst first."""

    joint: NDArray[np.int64]
    """(10, 10) the player's category, and the opponent's."""
    lost: NDArray[np.int64]
    """(10,) the player's category where the opponent has the better hand."""
    tied: NDArray[np.int64]
    """(10,) the category where both are the same."""


@lru_cache(maxsize=1)
def two_hands() -> TwoHands:
    """Return all deals of two hands."""
    categories = np.concatenate([[0], np.repeat(np.arange(len(FIVE.categories)), np.diff(floors(FIVE)))])
    number = len(FIVE.categories)
    found = TwoHands(*(np.zeros(shape, dtype=np.int64) for shape in ((number, number), number, number)))
    for table, (left, weights) in zip(showdowns(), (_plain(), _suited()), strict=True):
        count(left, weights, categories.astype(np.uint8), *table[:3], *pairs_of(left.shape[1]), *found)
    return found


def _plain() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cards left of each rank (boards, 13) by boards without a flush, and how many boards each row stands for."""
    counts = boards().rank_counts
    repeats = [tuple(sorted(row[row > 0].tolist())) for row in counts]
    ways = {each: _suitings(each) for each in set(repeats)}
    return 4 - counts, np.array([ways[each] for each in repeats])


def _suitings(repeats: tuple[int, ...]) -> int:
    """In how many ways ranks that come so often can have suits, at most two cards of each suit."""
    choices = [list(combinations(range(4), times)) for times in repeats]
    return sum(all(sum(suit in suits for suits in chosen) <= 2 for suit in range(4)) for chosen in product(*choices))


def _suited() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Cards left of each kind (boards, 26) by boards with three cards of a suit and more, and likewise."""
    left, weights = np.zeros((SUITED_BOARDS, KINDS), dtype=np.int64), np.zeros(SUITED_BOARDS, dtype=np.int64)
    others: dict[int, list[tuple[int, ...]]] = {3: [(x, y) for x in range(RANKS) for y in range(x + 1)]}
    others |= {4: [(x,) for x in range(RANKS)], 5: [()]}
    for mask in range(2**RANKS):
        for place, ranks in enumerate(others.get(mask.bit_count(), [])):
            row = boards().suited[mask] + place
            left[row, :RANKS] = [1 - (mask >> rank & 1) for rank in range(RANKS)]
            left[row, RANKS:] = [3 - ranks.count(rank) for rank in range(RANKS)]
            weights[row] = 4 * 3 ** len(set(ranks))  # a rank has one of three other suits, or two of three
    return left, weights


@jit
def count(
    left: NDArray[np.int64],
    weights: NDArray[np.int64],
    categories: NDArray[np.uint8],
    held: NDArray[np.uint16],
    wins: NDArray[np.int16],
    losses: NDArray[np.int16],
    firsts: NDArray[np.int64],
    seconds: NDArray[np.int64],
    joint: NDArray[np.int64],
    lost: NDArray[np.int64],
    tied: NDArray[np.int64],
) -> None:
    """Add the deals of every board (row) to `joint` (10, 10), `lost` (10,) and `tied` (10,).

    left       : int64 (rows, kinds) cards of each kind that the board leaves
    weights    : int64 (rows,) boards that the row stands for
    categories : uint8 (values + 1,)
    """
    number = lost.size
    hands = np.empty(number, np.int64)
    with_card = np.empty((number, left.shape[1]), np.int64)
    for row in range(left.shape[0]):
        hands[:] = 0
        with_card[:] = 0
        cards, weight = left[row], weights[row]
        for column in range(firsts.size):
            i, j = firsts[column], seconds[column]
            pairs = cards[i] * cards[j] if i != j else cards[i] * (cards[i] - 1) // 2
            if pairs <= 0:
                continue
            category = categories[held[row, column]]
            hands[category] += pairs
            if i == j:
                with_card[category, i] += cards[i] - 1
            else:
                with_card[category, i] += cards[j]
                with_card[category, j] += cards[i]
            beaten, equal = losses[row, column], OPPONENTS - wins[row, column] - losses[row, column]
            lost[category] += weight * pairs * beaten
            tied[category] += weight * pairs * equal
        for one in range(number):
            if hands[one] == 0:
                continue
            for other in range(number):
                if hands[other] == 0:
                    continue
                apart = hands[one] * hands[other]
                for kind in range(cards.size):
                    apart -= cards[kind] * with_card[one, kind] * with_card[other, kind]
                if one == other:
                    apart += hands[one]
                joint[one, other] += weight * apart
