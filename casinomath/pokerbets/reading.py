"""What is read off dealt cards by the simulations of poker bets: nothing here knows the tables of the kernels.

A hand is read as a player reads it: which ranks come how often, which suit has five cards, which ranks run.
"""

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.dealing import Cards
from casinomath.pokerbets.counting import CATEGORIES, RANKS

Hands: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Ranks and suits (cards, rounds), a deuce 0 and an ace 12."""

FIRST: Final = CATEGORIES[::-1]
"""Categories by their number, the worst 0."""

NUMBER: Final = {category: number for number, category in enumerate(FIRST)}


def hands_at(cards: Cards, places: list[int]) -> Hands:
    """Return the cards that lie at some places, of which a deal counts the ranks from the ace on."""
    return (cards.ranks[places].astype(np.int64) - 1) % RANKS, cards.suits[places].astype(np.int64)


def categories(hands: Hands) -> NDArray[np.int64]:
    """Return the number (rounds,) of the best category in hands of five to seven cards."""
    ranks, suits = hands
    times = np.array([(ranks == rank).sum(axis=0) for rank in range(RANKS)])
    most, pairs = times.max(axis=0), (times >= 2).sum(axis=0)
    held = np.bitwise_or.reduce(1 << ranks, axis=0)
    of_suit = np.zeros_like(held)
    for suit in range(4):
        mine = suits == suit
        five = mine.sum(axis=0) >= 5
        of_suit = np.where(five, np.bitwise_or.reduce(np.where(mine, 1 << ranks, 0), axis=0), of_suit)
    found: NDArray[np.int64] = np.zeros_like(held)
    for category, holds in (
        ("pair", pairs == 1),
        ("two_pair", pairs >= 2),
        ("three_of_a_kind", most == 3),
        ("straight", _top_of_run(held) >= 0),
        ("flush", of_suit > 0),
        ("full_house", (most == 3) & (pairs >= 2)),
        ("four_of_a_kind", most == 4),
        ("straight_flush", _top_of_run(of_suit) >= 0),
        ("royal_flush", _top_of_run(of_suit) == RANKS - 1),
    ):
        found[holds] = NUMBER[category]
    return found


def _top_of_run(held: NDArray[np.int64]) -> NDArray[np.int64]:
    """The highest rank of five that run among ranks held as bits; -1 where none do. An ace may begin or end a run."""
    aces_low = held << 1 | held >> RANKS - 1
    top = np.full_like(held, -1)
    for rank in range(3, RANKS):
        five = 0b11111 << rank - 3
        top = np.where(aces_low & five == five, rank, top)
    return top
