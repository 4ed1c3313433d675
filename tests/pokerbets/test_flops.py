"""Hands of several players on a flop against dealing every pair of cards, one by one."""

from fractions import Fraction
from itertools import combinations
from math import comb

import numpy as np
import pytest

from casinomath.cards import parse_cards
from casinomath.kernels.poker import floors, values
from casinomath.pokerbets import flops
from casinomath.pokerbets.counting import hands
from casinomath.pokerbets.flops import CATEGORIES, ROYAL_FLUSH, STRAIGHT_FLUSH, Seats


def counted(flop: np.ndarray, others: flops.Others) -> tuple[np.ndarray, np.ndarray]:
    """What the package counts on one flop."""
    pairs, held = flops._pairs(flop)
    awards = np.flatnonzero(held >= STRAIGHT_FLUSH)
    alone, together = np.zeros(10, dtype=np.int64), np.zeros((10, 10), dtype=np.int64)
    for found, out in flops._collections(pairs, held, awards):
        if found == others:
            left = ~np.isin(pairs, pairs[out]).any(axis=1)
            alone += np.bincount(held[left], minlength=10)
            together += flops._together(pairs[left], held[left])
    return alone, together


@pytest.mark.parametrize("cards", ["Th 9h 8h", "Ah Kh Jh", "7s 7d 2c"])
def test_two_hands_on_a_flop_are_every_two_pairs_that_share_no_card(cards: str) -> None:
    flop = np.array(parse_cards(cards), dtype=np.uint8)
    left = [card for card in range(52) if card not in flop.tolist()]
    pairs = np.array(list(combinations(left, 2)), dtype=np.uint8)
    held = np.searchsorted(floors(), values(np.hstack([pairs, np.tile(flop, (len(pairs), 1))])), side="right") - 1
    together, award = np.zeros((10, 10), dtype=np.int64), np.zeros((2, 10), dtype=np.int64)
    for pair, mine in zip(pairs, held, strict=True):
        apart = ~np.isin(pairs, pair).any(axis=1)
        together[mine] += np.bincount(held[apart], minlength=10)
        if mine >= STRAIGHT_FLUSH:
            award[mine - STRAIGHT_FLUSH] += np.bincount(held[apart], minlength=10)
    assert (counted(flop, (0, 0))[1] == together).all()
    assert (counted(flop, (1, 0))[0] == award[0]).all()
    assert (counted(flop, (0, 1))[0] == award[1]).all()


def test_every_deal_is_counted() -> None:
    laws = flops.laws()
    assert laws.alone[0, 0].sum() == flops.deals(0, deal_to_dealer=False)
    assert laws.together[0, 0].sum() == flops.deals(0, deal_to_dealer=True)
    assert (laws.together[0, 0] == laws.together[0, 0].T).all()
    of_five = {name: int(number) // comb(5, 3) for name, number in zip(CATEGORIES, laws.alone[0, 0][:10], strict=True)}
    assert of_five == hands(5)
    # one player's award is another's: with one other, it is the same table read the other way
    assert laws.alone[1, 0].sum() * comb(45, 2) == laws.together[1, 0].sum()
    assert laws.alone[0, 1][STRAIGHT_FLUSH] == laws.alone[1, 0][ROYAL_FLUSH]


@pytest.mark.parametrize("seats", [Seats(0, 0), Seats(1, 0), Seats(2, 3), Seats(0, 21)])
def test_awards_of_others_are_a_law(seats: Seats) -> None:
    alone = flops.laws().alone
    chances = {
        awards: sum(Fraction(ways * int(alone[others].sum()), of) for others, ways, of in parts)
        for awards, parts in flops.arrangements(seats, deal_to_dealer=False).items()
    }
    assert sum(chances.values()) == 1
    assert all(0 <= chance < 1 or not any(awards) for awards, chance in chances.items())
    # each of the others has the chances of a hand of five cards
    royals = sum((awards[1] + awards[3]) * chance for awards, chance in chances.items())
    straights = sum((awards[0] + awards[2]) * chance for awards, chance in chances.items())
    assert royals == sum(seats) * Fraction(4, comb(52, 5))
    assert straights == sum(seats) * Fraction(36, comb(52, 5))


def test_folded_hands_are_taken_from_what_they_could_become() -> None:
    """Sevens and deuces of two suits: every flop beside them, one by one."""
    hole = parse_cards("7s 2h")
    left = [card for card in range(52) if card not in hole]
    dealt = np.array([(*hole, *flop) for flop in combinations(left, 3)], dtype=np.uint8)
    become = np.bincount(np.searchsorted(floors(), values(dealt), side="right") - 1, minlength=10)
    whole, kept = flops.laws().alone[0, 0], flops.laws(frozenset({"72o"})).alone[0, 0]
    assert (whole[:10] - kept[:10] == 12 * become).all()
    assert kept[10] == 12 * comb(50, 3)
