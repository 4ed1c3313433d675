"""Dealer totals against plain recursion in fractions, card by card."""

from fractions import Fraction

import numpy as np
import pytest

from casinomath.kernels.dealer import dealer_totals, dealer_trie
from casinomath.kernels.hands import BUST, hands

SHOES = (
    (3, 2, 1, 4, 0, 2, 1, 3, 2, 5),
    (24, 24, 24, 24, 24, 24, 24, 24, 24, 72),
    (1, 0, 0, 0, 0, 0, 1, 0, 0, 1),
    (0, 0, 0, 0, 0, 9, 0, 0, 0, 9),
    (16, 0, 3, 0, 0, 0, 0, 0, 0, 2),
)


def plain(shoe: list[int], upcard: int, hits_soft_17: bool) -> list[Fraction]:
    """P(17 … 21, 22, more) by drawing one card after another; a blackjack is left out."""
    out = [Fraction(0)] * 7

    def draw(hard: int, aces: int, cards: int, chance: Fraction) -> None:
        best = hard + 10 if aces and hard <= 11 else hard
        if cards == 2 and best == 21:
            return
        if best > 21:
            out[5 if best == 22 else 6] += chance
        elif best > 17 or (best == 17 and not (hits_soft_17 and best != hard)):
            out[best - 17] += chance
        else:
            unseen = sum(shoe)
            for value in range(10):
                if shoe[value]:
                    part = chance * Fraction(shoe[value], unseen)
                    shoe[value] -= 1
                    draw(hard + value + 1, aces + (value == 0), cards + 1, part)
                    shoe[value] += 1

    shoe[upcard] -= 1
    draw(upcard + 1, int(upcard == 0), 1, Fraction(1))
    shoe[upcard] += 1
    return out


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize("shoe", [SHOES[0], SHOES[2], SHOES[3], SHOES[4]])
def test_totals_are_those_of_plain_recursion(shoe: tuple[int, ...], hits_soft_17: bool) -> None:
    nothing = np.zeros((1, 10), dtype=np.int8)
    totals = dealer_totals(dealer_trie(hits_soft_17, apart_22=True), np.array(shoe), nothing)[0]
    together = dealer_totals(dealer_trie(hits_soft_17), np.array(shoe), nothing)[0]
    for upcard in np.flatnonzero(shoe):
        try:
            expected = plain(list(shoe), int(upcard), hits_soft_17)
        except ZeroDivisionError:  # the shoe runs out under this upcard: no totals to compare
            continue
        assert totals[upcard] == pytest.approx([float(p) for p in expected], abs=1e-14)
        *stands, makes_22, bust = expected
        assert together[upcard] == pytest.approx([*map(float, stands), 0.0, float(makes_22 + bust)], abs=1e-14)


def test_an_endless_shoe_is_the_limit_of_large_ones() -> None:
    deck, nothing = np.array([4] * 9 + [16]), np.zeros((1, 10), dtype=np.int8)
    trie = dealer_trie(True, apart_22=True)
    endless = dealer_totals(trie, deck, nothing, 0)[0]
    far = [abs(dealer_totals(trie, deck * decks, nothing)[0] - endless).max() for decks in (10**3, 10**6)]
    assert far[1] < 1e-6
    assert far[0] / far[1] == pytest.approx(1000, rel=0.01)
    assert endless[9].sum() == pytest.approx(12 / 13, abs=1e-14)


def test_six_decks_less_a_hand() -> None:
    shoe = np.array(SHOES[1])
    removed = np.zeros((3, 10), dtype=np.int8)
    removed[1, [0, 9]] = 1
    removed[2, 4] = 3
    totals = dealer_totals(dealer_trie(True, apart_22=True), shoe, removed)
    for row in range(3):
        for upcard in (0, 5, 9):
            expected = plain((shoe - removed[row]).tolist(), upcard, hits_soft_17=True)
            assert totals[row, upcard] == pytest.approx([float(p) for p in expected], abs=1e-13)


def test_batches_do_not_mix() -> None:
    """More shoes than a batch holds, each the same alone as among the others."""
    shoe = np.array(SHOES[1])
    removed = np.ascontiguousarray(hands().counts[:300])
    together = dealer_totals(dealer_trie(False), shoe, removed)
    for row in (0, 63, 64, 131, 299):
        alone = dealer_totals(dealer_trie(False), shoe, removed[row : row + 1])[0]
        assert together[row] == pytest.approx(alone, abs=1e-15)


def test_the_lattice_of_hands() -> None:
    lattice = hands()
    assert len(lattice.size) == 3083  # with the empty hand: partitions of at most 21 into parts of at most 10
    values = np.arange(1, 11)
    for row in range(0, len(lattice.size), 97):
        for value in range(10):
            child = lattice.child[row, value]
            if child == BUST:
                assert lattice.counts[row] @ values + value + 1 > 21
            else:
                assert (lattice.counts[child] - lattice.counts[row]).tolist() == np.eye(10, dtype=int)[value].tolist()
            stripped = lattice.counts[row].copy()
            stripped[value] = 0
            assert lattice.counts[lattice.strip[value, row]].tolist() == stripped.tolist()
