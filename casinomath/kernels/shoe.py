"""Random cards from a shoe, without replacement.

Method: xoshiro256++ (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021), multiply-shift for a
place in the shoe, and a partial Fisher–Yates shuffle that stops with the last card dealt. Any order of the shoe does to
begin with, so a fresh shoe costs nothing: the next round deals from the cards as the last one left them.

A card is 64 × rank among those of its value + 4 × value index + suit: J, Q and K are ranks 0, 1, 2 of value index 9,
and where there is a rank 10, it is rank 3.

A place is floor(u × n / 2^54), u being the top 54 bits of a word: each of n cards has the chance 1/n to within 2^-54.
For the largest shoe (768 cards) that is a relative error below 2^-44 for each card: 10^20 rounds would not show it.
"""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.jit import bare, jit

State: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""A generator's state: not all zero."""

# Words are unsigned throughout: mixed with signed integers, numba would make floats of them.
_ONE = np.uint64(1)
_LOW, _PLACES = np.uint64(10), np.uint64(54)
_17, _19, _23, _41, _45 = (np.uint64(bits) for bits in (17, 19, 23, 41, 45))


RESTOCK = np.uint64(2**32)
_PLACE = np.uint64(2**32 - 1)


@jit
def next_word(state: State) -> tuple[State, np.uint64]:
    """The state that follows, and 64 random bits."""
    a, b, c, d = state
    word = a + d
    word = ((word << _23) | (word >> _41)) + a
    shifted = b << _17
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = (d << _45) | (d >> _19)
    return (a, b, c, d), word


@jit
def draw(state: State, left: np.uint64, cards: NDArray[np.uint8]) -> tuple[State, np.uint64, int]:
    """The state that follows, the number of cards then left, and one of the first `left` cards: it moves behind them.

    left  : uint64  cards not dealt yet
    cards : uint8 (cards in the shoe,)
    """
    state, word = next_word(state)
    place = ((word >> _LOW) * left) >> _PLACES
    left -= _ONE
    card = cards[place]
    cards[place] = cards[left]
    cards[left] = card
    return state, left, int(card)


@bare
def deal(
    state: State, low: np.uint64, left: np.uint64, cards: NDArray[np.uint8], begun_with: np.uint64
) -> tuple[State, np.uint64, np.uint64, int]:
    """Draw one of the `left` cards from place `low` on; once none is left, of those of earlier rounds, shuffled.

    low        : uint64  also counts how often the cards ran out, in units of RESTOCK: a second time in one round, or
                 where there were none of earlier rounds, nothing was left to deal, and what was dealt is not right
    begun_with : uint64  cards left when the round began, from place 0 on: the others are of earlier rounds

    Returns the state, the place and the number of the cards left, and the card: it moves behind them.
    """
    earlier = max(np.uint64(cards.size) - begun_with, _ONE)
    ran_out = left == 0
    low = (low & ~_PLACE) + RESTOCK + np.uint64(cards.size) - earlier if ran_out else low
    left = earlier if ran_out else left
    state, word = next_word(state)
    start = low & _PLACE
    place = start + (((word >> _LOW) * left) >> _PLACES)
    left -= _ONE
    card = cards[place]
    cards[place] = cards[start + left]
    cards[start + left] = card
    return state, low, left, int(card)


def full_shoe(counts: tuple[int, ...], ten_ranks: int = 3) -> NDArray[np.uint8]:
    """Return the cards of a shoe with so many cards by value (10,), suits and ranks spread evenly.

    ten_ranks : how many ranks are ten-valued, 3 without the rank 10 and 4 with it
    """
    values = np.repeat(np.arange(10), counts)
    number = np.concatenate([np.arange(count) for count in counts])
    ranks = np.where(values == 9, number // 4 % ten_ranks, 0)
    cards: NDArray[np.uint8] = (64 * ranks + 4 * values + number % 4).astype(np.uint8)
    return cards
