"""Hand values against known counts, another library, and what must not matter: the order of cards and their suits."""

import os
import subprocess
import sys
from itertools import combinations, permutations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from pokerkit import Card, StandardHighHand

from casinomath.cards import cards_text, parse_cards
from casinomath.kernels.deals import classes
from casinomath.kernels.poker import FIVE, FOUR, THREE, Order, by_category, category, floors, value, values

NAMES = dict(zip(reversed(FIVE.categories), range(10), strict=True))

# Counts by category, the best first: five, six and seven cards as in the tables of Wikipedia's "Poker probability" and
# the Wizard of Odds, three cards as in Three Card Poker, four of four and of five cards as in Crazy 4 Poker.
COUNTS = {
    (FIVE, 5): (4, 36, 624, 3744, 5108, 10200, 54912, 123552, 1098240, 1302540),
    (FIVE, 6): (188, 1656, 14664, 165984, 205792, 361620, 732160, 2532816, 9730740, 6612900),
    (FIVE, 7): (4324, 37260, 224848, 3473184, 4047644, 6180020, 6461620, 31433400, 58627800, 23294460),
    (THREE, 3): (4, 44, 52, 720, 1096, 3744, 16440),
    (FOUR, 4): (13, 44, 2496, 2816, 2772, 2808, 82368, 177408),
    (FOUR, 5): (624, 2072, 58656, 114616, 101808, 123552, 1047552, 1150080),
}


def category_counts(order: Order, cards: int) -> tuple[int, ...]:
    """Counts over all sets of cards, from one of each class."""
    found = classes(cards)
    counts = np.zeros(floors(order)[-1], dtype=np.int64)
    np.add.at(counts, values(found.cards, order), found.weights)
    return tuple(by_category(counts, order).values())


@pytest.mark.parametrize(("order", "cards"), [(FIVE, 5), (THREE, 3), (FOUR, 4), (FOUR, 5)])
def test_category_counts(order: Order, cards: int) -> None:
    assert category_counts(order, cards) == COUNTS[order, cards]


@pytest.mark.parametrize("cards", [pytest.param(6), pytest.param(7, marks=pytest.mark.slow)])
def test_category_counts_of_more_than_five_cards(cards: int) -> None:
    assert category_counts(FIVE, cards) == COUNTS[FIVE, cards]


@pytest.mark.parametrize(("order", "number"), [(FIVE, 7462), (FOUR, 2535), (THREE, 741)])
def test_values_are_dense(order: Order, number: int) -> None:
    found = np.unique(values(classes(order.cards).cards, order))
    assert found.tolist() == list(range(1, number + 1))


@pytest.mark.parametrize(("cards", "number"), [(1, 13), (2, 169), (3, 1755), (4, 16432), (5, 134459)])
def test_deals_up_to_a_change_of_suits(cards: int, number: int) -> None:
    found = classes(cards)
    assert found.cards.shape == (number, cards)
    assert int(found.weights.sum()) == comb(52, cards)
    assert (np.diff(found.cards.astype(int), axis=1) < 0).all()


def test_each_class_is_as_large_as_its_changes_of_suits_are_many() -> None:
    """Three cards, one by one: the renamings of a class's cards are its members, and no two classes share one."""
    found, seen = classes(3), set()
    for cards, weight in zip(found.cards.tolist(), found.weights.tolist(), strict=True):
        members = {frozenset(4 * (c // 4) + suits[c % 4] for c in cards) for suits in permutations(range(4))}
        assert len(members) == weight
        seen |= members
    assert len(seen) == comb(52, 3)


def hands(number: int, cards: int, seed: int = 7) -> np.ndarray:
    shuffled = np.random.default_rng(seed).permuted(np.tile(np.arange(52, dtype=np.uint8), (number, 1)), axis=1)
    return np.ascontiguousarray(shuffled[:, :cards])


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_the_best_hand_is_the_best_of_its_five_card_hands(cards: int) -> None:
    dealt = hands(20_000, cards)
    best = np.max([values(dealt[:, list(five)]) for five in combinations(range(cards), 5)], axis=0)
    assert (values(dealt) == best).all()


@pytest.mark.parametrize(("order", "cards"), [(FIVE, 5), (FIVE, 7), (THREE, 3), (FOUR, 5)])
def test_neither_the_order_of_cards_nor_their_suits_matter(order: Order, cards: int) -> None:
    dealt = hands(20_000, cards)
    rng = np.random.default_rng(8)
    renamed = 4 * (dealt // 4) + np.array([2, 0, 3, 1], dtype=np.uint8)[dealt % 4]
    assert (values(dealt, order) == values(rng.permuted(dealt, axis=1), order)).all()
    assert (values(dealt, order) == values(renamed, order)).all()


def agrees_with_pokerkit(number: int) -> None:
    """Order and category of five-card hands, each against the next one."""
    dealt = hands(number, 5, seed=9)
    ours = values(dealt).astype(int)
    theirs = [StandardHighHand(Card.parse(cards_text(cards).replace(" ", ""))) for cards in dealt.tolist()]
    for mine, other, hand, following in zip(ours, ours[1:], theirs, theirs[1:], strict=False):
        assert (mine < other, mine == other) == (hand < following, hand == following)
    labels = [hand.entry.label.value.lower().replace(" ", "_").replace("one_pair", "pair") for hand in theirs]
    assert [category(v).replace("royal", "straight") for v in ours] == labels


def test_pokerkit_ranks_hands_alike() -> None:
    agrees_with_pokerkit(5_000)


@pytest.mark.slow
def test_pokerkit_ranks_a_hundred_thousand_hands_alike() -> None:
    agrees_with_pokerkit(100_000)


@pytest.mark.parametrize(
    ("better", "worse", "order"),
    [
        ("Ah Kh Qh Jh Th", "9s Ks Qs Js Ts", FIVE),
        ("6d 2c 3s 4h 5h", "As 2c 3s 4h 5h", FIVE),
        ("As Ad Kc 4d 3h 2s 2c", "As Ad Kc 4d 3h Qs Jc", FIVE),
        ("2s 2d 2c", "As Ks Js", THREE),
        ("4s 5d 6c", "As Ks Js", THREE),
        ("2s 2d 2c 3h", "As Ks Qs Ts", FOUR),
        ("2s 2d 2c 2h 3d", "As Ks Qs Js 2d", FOUR),
        ("3s 5s 7s 2s Ad", "Ks Qd Js Th Ad", FOUR),
    ],
)
def test_some_hands_as_the_rules_rank_them(better: str, worse: str, order: Order) -> None:
    assert value(*parse_cards(better), order=order) > value(*parse_cards(worse), order=order)


def test_categories_of_the_first_and_the_last_value() -> None:
    assert (category(1), category(7462)) == ("high_card", "royal_flush")
    assert category(value(*parse_cards("As 2s 3s 4s 5s")), FIVE) == "straight_flush"
    with pytest.raises(ValueError, match="value 0; expected 1 to 7462"):
        category(0)


def test_what_is_no_hand_is_refused() -> None:
    with pytest.raises(ValueError, match=r"expected \(hands, 5 to 7 cards\)"):
        value(1, 2, 3, 4)
    with pytest.raises(ValueError, match="card 52 in a hand; expected 0 to 51"):
        value(1, 2, 3, 4, 52)


PLAIN = """
import numpy as np
from casinomath.kernels.poker import values
hands = np.stack([np.random.default_rng(seed).permutation(52)[:7] for seed in range(500)]).astype(np.uint8)
print(values(hands).tolist())
"""


def test_values_as_plain_python() -> None:
    """The same without the compiler; warnings such as an overflow are errors."""
    package = str(Path(__file__).parents[2])
    path = os.pathsep.join([package, *filter(None, [os.environ.get("PYTHONPATH")])])
    found = [
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PLAIN],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in "01"
    ]
    assert found[0] == found[1]
