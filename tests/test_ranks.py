"""Ranks and suits drawn from shoes that are known by rank or value, against every real shoe that they can be."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath.cards import RANKS
from casinomath.matches import read_shoe
from casinomath.ranks import chance_of_suit, chances_of_ranks

VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10 J Q K")


@pytest.mark.parametrize(
    ("decks", "left"),
    [(1, {"A": 2, "9": 1, "10 J Q K": 3}), (2, {"Q": 3, "K": 2, "A": 1}), (1, {"10 J Q K": 5}), (2, {"7": 4})],
)
@pytest.mark.parametrize("cards", [2, 3])
def test_a_shoe_is_every_real_shoe_with_these_counts(decks: int, left: dict[str, int], cards: int) -> None:
    choices = []
    for names, count in left.items():
        full = [(RANKS.index(rank), suit) for rank in names.split() for suit in range(4) for _ in range(decks)]
        choices.append(Counter(combinations(full, count)).items())
    found: Counter[tuple[tuple[int, ...], bool]] = Counter()
    for parts in product(*choices):
        alike = 1
        for _, number in parts:
            alike *= number
        shoe = [card for chosen, _ in parts for card in chosen]
        for hand in combinations(shoe, cards):
            found[tuple(sorted(rank for rank, _ in hand)), {suit for _, suit in hand} == {0}] += alike
    by_value = any(" " in names for names in left)
    shoe = read_shoe(decks, "standard", [left.get(name, 0) for name in (VALUES if by_value else RANKS)])
    chances = chances_of_ranks(shoe, cards)
    assert set(chances) == {ranks for ranks, _ in found}
    for ranks, chance in chances.items():
        spades, others = found[ranks, True], found[ranks, False]
        assert chance == Fraction(spades + others, found.total())
        assert chance_of_suit(decks, ranks) == Fraction(spades, spades + others)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.integers(0, 8), min_size=13, max_size=13).filter(lambda counts: sum(counts) >= 3))
def test_chances_add_up(counts: list[int]) -> None:
    shoe = read_shoe(2, "standard", counts)
    assert sum(chances_of_ranks(shoe, 3).values()) == 1
    assert sum(chances_of_ranks(read_shoe(2, "standard", [*counts[:9], sum(counts[9:])]), 3).values()) == 1
