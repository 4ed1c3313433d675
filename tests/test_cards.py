"""Decks and shoes: the counts they hold, and what is no shoe."""

import re

import numpy as np
import pytest

from casinomath.cards import (
    SPANISH,
    STANDARD,
    UPCARDS,
    VALUES,
    card_name,
    cards_text,
    parse_cards,
    parse_shoe,
    shoe_counts,
)
from casinomath.errors import RequestError


def test_a_spanish_deck_is_a_standard_deck_without_its_four_tens() -> None:
    assert sum(STANDARD) == 52
    assert sum(SPANISH) == 48
    assert [full - left for full, left in zip(STANDARD, SPANISH, strict=True)] == [0] * 9 + [4]


def test_values_run_from_ace_to_ten_and_charts_print_the_ace_last() -> None:
    assert VALUES[0] == "A"
    assert VALUES[-1] == "10"
    assert sorted(UPCARDS) == sorted(VALUES)
    assert UPCARDS[-1] == "A"


@pytest.mark.parametrize("decks", [1, 6, 16])
def test_a_fresh_shoe_holds_every_card_of_its_decks(decks: int) -> None:
    assert shoe_counts(decks).sum() == 48 * decks
    assert shoe_counts(decks, STANDARD).sum() == 52 * decks
    assert shoe_counts(decks).dtype == np.int64


def test_a_shoe_without_decks_is_refused() -> None:
    with pytest.raises(RequestError, match=r"at least one deck, not 0"):
        shoe_counts(0)


def test_a_shoe_is_read_from_text_and_from_numbers() -> None:
    text = "24, 23,24,24,24,24,24,24,24,72"
    assert parse_shoe(text).tolist() == [24, 23] + [24] * 7 + [72]
    assert parse_shoe(shoe_counts(2)).tolist() == shoe_counts(2).tolist()


@pytest.mark.parametrize(
    ("shoe", "message"),
    [
        ("24,24", r"ten counts \(A, 2, 3, 4, 5, 6, 7, 8, 9, 10\), not 2: 24,24"),
        ("", "ten counts .* not 1"),
        ("1,2,3,4,5,6,7,8,9,x", "value 10 in the shoe is 'x'; expected a whole number"),
        ("1,2,3,4,5,6,7,8,9,1.5", "value 10 in the shoe is '1.5'; expected a whole number"),
        ("-1,2,3,4,5,6,7,8,9,10", "value A in the shoe is -1; expected a whole number from 0"),
        ("1,2,3,4,5,6,7,8,9,9999999999", "value 10 in the shoe is 9999999999; expected .* to 1,000,000"),
        ("0,0,0,0,0,0,0,0,0,0", "empty"),
        ([1, 2, 3, 4, 5, 6, 7, 8, 9, 1.5], "value 10 in the shoe is 1.5; expected a whole number"),
    ],
)
def test_what_is_no_shoe_is_refused_with_the_count_named(shoe: str, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        parse_shoe(shoe)


def test_cards_of_poker_are_read_and_written() -> None:
    assert parse_cards("As kd,10h2C") == (48, 46, 33, 3)
    assert cards_text(parse_cards("AsKdTh2c")) == "As Kd Th 2c"
    assert [parse_cards(card_name(card)) for card in range(52)] == [(card,) for card in range(52)]
    assert parse_cards("") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("As 1d", "card '1d' in 'As 1d'; expected a rank of 23456789TJQKA and a suit of shdc, as in 'As Kd'"),
        ("As Kx", "card 'Kx'"),
        ("A", "card 'A'"),
        ("As Kd AS", "card As comes twice in 'As Kd AS'"),
    ],
)
def test_what_is_no_card_is_refused(text: str, message: str) -> None:
    with pytest.raises(RequestError, match=re.escape(message)):
        parse_cards(text)
