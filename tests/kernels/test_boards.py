"""Boards by class: each hand against all others, compared with counting them one by one."""

import numpy as np
import plain_holdem
import pytest

from casinomath.cards import parse_cards
from casinomath.kernels.boards import OPPONENTS, boards, pair, showdowns
from casinomath.kernels.poker import FIVE, category, floors, tables
from casinomath.kernels.showdowns import meet

BOARDS = [
    "As Kd 8h 7c 2s",
    "9s 9d 9h 9c 2s",
    "Qs Qd 5h 5c 5s",
    "As Ks 8s 7c 2d",
    "As Ks 8s 7c 8d",
    "5s 4s 3s 2s Kd",
    "Js Ts 9s 8s 7s",
    "Ah Th 9h 8h 8d",
]


def place(board: tuple[int, ...], hole: tuple[int, int]) -> tuple[int, int, int]:
    """Which of the tables has a board, its row, and the column of the hole cards: worked out anew."""
    suits = [card % 4 for card in board]
    ranks = [card // 4 for card in board]
    for suit in range(4):
        if suits.count(suit) >= 3:
            inside = [rank for rank, own in zip(ranks, suits, strict=True) if own == suit]
            outside = [rank for rank, own in zip(ranks, suits, strict=True) if own != suit]
            after = pair(*outside) if len(outside) == 2 else sum(outside)
            row = boards().suited[sum(1 << rank for rank in inside)] + after
            one, other = (card // 4 + (13 if card % 4 != suit else 0) for card in hole)
            return 1, int(row), pair(one, other)
    row = boards().ranks[boards().flop_ranks[tuple(ranks[:3])], pair(ranks[3], ranks[4])]
    return 0, int(row), pair(hole[0] // 4, hole[1] // 4)


@pytest.mark.parametrize("board", BOARDS)
def test_a_board_has_what_counting_one_by_one_finds(board: str) -> None:
    cards = parse_cards(board)
    for hole, result in plain_holdem.met(list(cards)).items():
        table, row, column = place(cards, hole)
        found = showdowns()[table]
        value, wins, losses, low = (int(each[row, column]) for each in found)
        assert (wins, losses, low, value) == result, hole


def test_a_hand_meets_what_its_board_says() -> None:
    rng = np.random.default_rng(5)
    counts = np.zeros(3, dtype=np.int64)
    for _ in range(200):
        dealt = rng.permutation(52)[:7].astype(np.uint8)
        value = meet(dealt, -1, *tables(FIVE), floors(FIVE)[1], counts)
        cards = dealt.tolist()
        table, row, column = place(tuple(cards[:5]), (cards[5], cards[6]))
        found = tuple(int(each[row, column]) for each in showdowns()[table])
        assert (value, *counts.tolist()) == found


def test_a_known_card_of_the_dealers_leaves_44_hands() -> None:
    """Over all cards that the dealer may hold, each hand comes twice."""
    cards = np.array([*parse_cards("As Kd 8h 7c 2s"), *parse_cards("Ac Jc")], dtype=np.uint8)
    whole, one, total = (np.zeros(3, dtype=np.int64) for _ in range(3))
    meet(cards, -1, *tables(FIVE), floors(FIVE)[1], whole)
    for dealer in range(52):
        if dealer not in cards:
            meet(cards, dealer, *tables(FIVE), floors(FIVE)[1], one)
            assert one.sum() - one[2] <= 44
            total += one
    assert (total == 2 * whole).all()


def test_wins_and_losses_balance() -> None:
    """Whoever beats me I lose to: over all hands of a board wins and losses are alike."""
    for found in showdowns():
        assert int(found.wins.min()) >= 0
        assert int(found.losses.min()) >= 0
        assert int((found.wins.astype(int) + found.losses).max()) <= OPPONENTS
    assert category(int(showdowns()[1].values.max())) == "royal_flush"
