"""The simulation's reading of single hands: suits, bonuses, the Super Bonus."""

from itertools import permutations, product

import pytest

from casinomath.cards import SUITS, VALUES
from casinomath.kernels.actions import ENDINGS
from casinomath.kernels.rounds import is_super_bonus, suits_index, undoubled_21
from casinomath.kernels.suits import SUITED_HANDS

SIX, SEVEN, EIGHT = 5, 6, 7


def card(name: str) -> int:
    """`7h` as the kernels number it."""
    return 4 * VALUES.index(name[:-1]) + SUITS.index(name[-1])


def test_suits_are_looked_up_lower_value_first_in_either_order_of_the_deal() -> None:
    for (v, w), a, b, c in product(SUITED_HANDS, range(4), range(4), range(4)):
        expected = (SUITED_HANDS.index((v, w)), 16 * a + 4 * b + c)
        assert suits_index(v, a, w, b, c) == expected
        if v != w:
            assert suits_index(w, b, v, a, c) == expected


@pytest.mark.parametrize(
    ("cards", "ending"),
    [
        ("6s 7s 8s", "six_seven_eight_spades"),
        ("6h 7h 8h", "six_seven_eight_suited"),
        ("6c 7c 8c", "six_seven_eight_suited"),
        ("6s 7s 8h", "six_seven_eight_mixed"),
        ("6h 7s 8s", "six_seven_eight_mixed"),
        ("7s 7s 7s", "three_sevens_spades"),
        ("7d 7d 7d", "three_sevens_suited"),
        ("7d 7d 7s", "three_sevens_mixed"),
        ("6s 6s 9s", "twenty_one"),
        ("5s 7s 9s", "twenty_one"),
        ("10s 5s 6s", "twenty_one"),
        ("As 2s 8s", "twenty_one"),
    ],
)
def test_21s_of_three_cards(cards: str, ending: str) -> None:
    for first, second, last in permutations(map(card, cards.split())):
        assert ENDINGS[undoubled_21(3, first, second, last)] == ending


@pytest.mark.parametrize(
    ("size", "ending"),
    [
        *((2, "twenty_one"), (4, "twenty_one"), (5, "five_card_21"), (6, "six_card_21")),
        *((7, "seven_card_21"), (8, "seven_card_21"), (14, "seven_card_21")),
    ],
)
def test_21s_by_number_of_cards(size: int, ending: str) -> None:
    assert ENDINGS[undoubled_21(size, card("6s"), card("7s"), card("8s"))] == ending


@pytest.mark.parametrize(
    ("by_suit", "upcard", "cards", "wins"),
    [
        (True, "7h", "7s 7s 7s", True),
        (True, "7s", "7s 7s 7s", True),
        (True, "7h", "7s 7s 7h", False),
        (True, "8s", "7s 7s 7s", False),
        (False, "7s", "7h 7d 7c", True),
        (False, "7h", "7h 7d 7c", False),
        (False, "7s", "7h 7d 7d", False),
        (False, "7s", "7s 7d 7c", False),
        (False, "6s", "7h 7d 7c", False),
    ],
)
def test_super_bonus(by_suit: bool, upcard: str, cards: str, wins: bool) -> None:
    for first, second, last in permutations(map(card, cards.split())):
        assert is_super_bonus(by_suit, card(upcard), first, second, last) == wins
