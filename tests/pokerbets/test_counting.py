"""Poker hands counted three ways: by patterns of ranks, by the kernels' values, and as a player reads cards."""

from math import comb

import numpy as np
import pytest

from casinomath.dealing import Cards
from casinomath.kernels.deals import classes
from casinomath.kernels.poker import FIVE, floors, values
from casinomath.kernels.two_hands import two_hands
from casinomath.pokerbets.counting import CATEGORIES, hands
from casinomath.pokerbets.reading import FIRST, categories, hands_at


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_every_hand_is_counted_once(cards: int) -> None:
    assert sum(hands(cards).values()) == comb(52, cards)


def test_five_cards_by_patterns_are_those_by_values() -> None:
    dealt, weights = classes(5)
    counts = np.bincount(values(dealt), weights=weights)
    by_category = np.add.reduceat(counts, floors()[:-1])
    assert dict(zip(FIVE.categories, by_category, strict=True)) == hands(5)


def test_seven_cards_by_patterns_are_those_of_one_of_two_hands_on_a_board() -> None:
    """Each set of seven is 21 boards with two hole cards, and meets 990 others."""
    one = two_hands().joint.sum(axis=1) / (comb(7, 2) * 990)
    assert dict(zip(FIVE.categories, one, strict=True)) == hands(7)


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_cards_are_read_as_the_kernels_value_them(cards: int) -> None:
    generator = np.random.default_rng(cards)
    packs = generator.permuted(np.tile(np.arange(52), (20_000, 1)), axis=1)[:, :cards]
    # of seven neighbouring ranks in two suits, for the rare hands
    near = generator.permuted(np.tile(np.arange(14), (20_000, 1)), axis=1)[:, :cards]
    packs[10_000:] = (near // 2 * 4 + near % 2 + 4 * generator.integers(7, size=(20_000, 1)))[10_000:]
    by_value = np.searchsorted(floors(), values(packs.astype(np.uint8)), side="right") - 1
    dealt = Cards(((packs.T // 4 + 1) % 13).astype(np.int16), (packs.T % 4).astype(np.int16))
    read = categories(hands_at(dealt, list(range(cards))))
    assert [FIRST[each] for each in read] == [FIVE.categories[each] for each in by_value]
    assert {*by_value.tolist()} >= {*range(9)}


def test_names_are_those_of_the_kernels() -> None:
    assert FIVE.categories[::-1] == CATEGORIES
    assert FIVE.categories == FIRST
