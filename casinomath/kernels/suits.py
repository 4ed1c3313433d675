"""What the suits of the 6s, 7s and 8s are worth: chances that a 6-7-8 or a 7-7-7 is of one suit, or of spades.

The cards left of a value are any of its cards equally likely, so the counts of a partly used shoe do not enter: only
how many packs it was made of, and which suits have been seen in the round.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import HIT, Policy
from casinomath.kernels.jit import jit

SUITED_HANDS = ((5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (7, 7))
"""Two-card hands whose suits matter, as value indices: 6-6, 6-7, 6-8, 7-7, 7-8, 8-8."""
COMPLETING = np.array([-1, 7, 6, 6, 5, -1])
"""The value that makes each of them a 6-7-8 or a 7-7-7."""
SUITS = 64
"""Suits of first card × second card × upcard: 16a + 4b + c, spades 0."""


class Suited(NamedTuple):
    """What the suits of the 6s, 7s and 8s are worth, as chances: see `suit_chances`."""

    hand: NDArray[np.int32]
    """(6,) the row of each of SUITED_HANDS."""
    place: NDArray[np.int8]
    """(n,) a row's place in SUITED_HANDS, or -1."""
    weight: NDArray[np.float64]
    """(6, 10, 64) P(suits), given the values of hand and upcard."""
    complete: NDArray[np.float64]
    """(6, 64, 10, 3) P(mixed, suited, spades), given that the next card is the completing value."""
    super_bonus: NDArray[np.float64]
    """(6, 64, 10) P(Super Bonus), given that the next card is the completing value."""


@jit
def suit_chance(known: NDArray[np.int64], decks: int, value: int, suit: int) -> float:
    """P(the next 6, 7 or 8 is of that suit), given the seen ones.

    known : int64 (10, 4)  cards seen by value and suit; only the rows of 6, 7, 8 matter
    """
    seen = known[value].sum()
    return float(max(0.0, float(decks - known[value, suit]) / max(4 * decks - seen, 1)))


@jit
def suit_chances(
    decks: int, weight: NDArray[np.float64], complete: NDArray[np.float64], super_bonus: NDArray[np.float64]
) -> None:
    """Fill the arrays of `Suited` for a shoe made of so many decks."""
    first = (5, 5, 5, 6, 6, 7)
    second = (5, 6, 7, 6, 7, 7)
    third = (-1, 7, 6, 6, 5, -1)
    for i in range(6):
        for u in range(10):
            for s in range(SUITS):
                a, b, c = s // 16, s // 4 % 4, s % 4
                known = np.zeros((10, 4), dtype=np.int64)
                chance = suit_chance(known, decks, first[i], a)
                known[first[i], a] += 1
                chance *= suit_chance(known, decks, second[i], b)
                known[second[i], b] += 1
                if 5 <= u <= 7:
                    chance *= suit_chance(known, decks, u, c)
                    known[u, c] += 1
                elif c > 0:
                    chance = 0.0
                weight[i, u, s] = chance
                if third[i] < 0 or chance == 0.0:
                    continue
                match = suit_chance(known, decks, third[i], a) if a == b else 0.0
                complete[i, s, u, 0] = 1.0 - match
                complete[i, s, u, 2 if a == 0 else 1] = match
                if i == 3 and u == 6:
                    if decks > 2:
                        super_bonus[i, s, u] = match
                    elif c == 0 and a > 0 and b > 0 and a != b:  # 7♥ 7♦ 7♣ against 7♠
                        super_bonus[i, s, u] = suit_chance(known, decks, 6, 6 - a - b)


@jit
def split_suits(decks: int, policy: Policy, chance: NDArray[np.float64], bonus: NDArray[np.float64]) -> None:
    """What the suits do to a hand split from 6-6, 7-7 or 8-8 whose second card is a 6, 7 or 8.

    Axes: pair (6, 7, 8), upcard, suits of the pair and the upcard, which hand (the first card's, the second card's, one
    begun with a card drawn later), second card (6, 7, 8), then the decision (stand, hit, double) or the bonus.

    chance : float64 (3, 10, 64, 3, 3, 3)  P(suits for which the policy decides so), given the second card's value
    bonus  : float64 (3, 10, 64, 3, 3, 3)  P(suits for which it hits, and the completing card makes the bonus mixed,
             suited, spades), given the second card's and the completing card's value
    """
    known = np.zeros((10, 4), dtype=np.int64)
    for i in range(3):
        pair = 5 + i
        for u in range(10):
            for s in range(SUITS):
                a, b, c = s // 16, s // 4 % 4, s % 4
                if c > 0 and not 5 <= u <= 7:
                    continue
                for kind in range(3):
                    for j in range(3):
                        hand = (0, 2, 3)[min(i, j)] + max(i, j)
                        z = COMPLETING[hand]
                        if z < 0:
                            continue
                        known[:] = 0
                        known[pair, a] += 1
                        known[pair, b] += 1
                        if 5 <= u <= 7:
                            known[u, c] += 1
                        for own in range(4):
                            if kind < 2:
                                p_own = 1.0 if own == (a if kind == 0 else b) else 0.0
                            else:
                                p_own = suit_chance(known, decks, pair, own)
                            if p_own == 0.0:
                                continue
                            known[pair, own] += kind == 2
                            for t in range(4):
                                p = p_own * suit_chance(known, decks, 5 + j, t)
                                if p == 0.0:
                                    continue
                                x, y = (own, t) if i <= j else (t, own)
                                action = policy.split_suited_play[u, hand, 16 * x + 4 * y + (c if 5 <= u <= 7 else 0)]
                                chance[i, u, s, kind, j, action] += p
                                if action != HIT:
                                    continue
                                match = 0.0
                                if own == t:
                                    known[5 + j, t] += 1
                                    match = suit_chance(known, decks, z, t)
                                    known[5 + j, t] -= 1
                                bonus[i, u, s, kind, j, 0] += p * (1.0 - match)
                                bonus[i, u, s, kind, j, 2 if t == 0 else 1] += p * match
                            known[pair, own] -= kind == 2
