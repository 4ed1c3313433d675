"""Ranks, suits, decks, and the counts of a shoe by value.

Everywhere in the package an axis of ten is by card value, ace first and ten-valued last (`VALUES`).
"""

from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.errors import RequestError

VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""Names of the ten card values, in the order of every array indexed by value."""

UPCARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
"""The same values in the order in which charts print them."""

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The thirteen ranks of a French deck; a Spanish deck has no rank 10."""

SUITS: Final = "shdc"
"""Spades, hearts, diamonds, clubs: suit numbers 0 to 3."""


Deck: TypeAlias = tuple[int, ...]
"""A deck by its counts by value, aces first."""

SPANISH: Final[Deck] = (4, 4, 4, 4, 4, 4, 4, 4, 4, 12)
"""48 cards: the ten-valued cards are J, Q and K."""

STANDARD: Final[Deck] = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
"""52 cards."""


def shoe_counts(decks: int, deck: Deck = SPANISH) -> NDArray[np.int64]:
    """Return the counts by value (10,) of a fresh shoe of so many decks."""
    if decks < 1:
        raise RequestError(f"a shoe needs at least one deck, not {decks}")
    return decks * np.array(deck, dtype=np.int64)


def parse_shoe(shoe: str | Iterable[int]) -> NDArray[np.int64]:
    """Return the counts by value (10,) of a partly used shoe given as ten counts, ace first, ten-valued last.

    Takes text such as ``"24,24,24,24,24,24,24,24,24,72"`` or ten integers.
    Raises RequestError when there are not ten, or one is not a whole number, or is negative, or all are zero.
    """
    parts: list[object] = [part.strip() for part in shoe.split(",")] if isinstance(shoe, str) else list(shoe)
    if len(parts) != len(VALUES):
        raise RequestError(f"a shoe is ten counts ({', '.join(VALUES)}), not {len(parts)}: {_shown(parts)}")
    counts = np.array([_count(value, part) for value, part in zip(VALUES, parts, strict=True)], dtype=np.int64)
    if not counts.any():
        raise RequestError("the shoe is empty: all ten counts are 0")
    return counts


MOST_OF_A_VALUE: Final = 1_000_000
"""Far above any shoe dealt; a larger count is a slip of the keyboard and would overflow exact integers."""


def _count(value: str, given: object) -> int:
    expected = f"expected a whole number from 0 to {MOST_OF_A_VALUE:,}"
    if isinstance(given, bool) or not isinstance(given, str | int | np.integer):
        raise RequestError(f"the count of value {value} in the shoe is {given!r}; {expected}")
    try:
        count = int(given)
    except ValueError:
        raise RequestError(f"the count of value {value} in the shoe is {given!r}; {expected}") from None
    if not 0 <= count <= MOST_OF_A_VALUE:
        raise RequestError(f"the count of value {value} in the shoe is {count}; {expected}")
    return count


def _shown(parts: list[object]) -> str:
    return ",".join(str(part) for part in parts)
