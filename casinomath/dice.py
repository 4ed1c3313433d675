"""Two dice: their totals, and what they come to over and over until something is decided."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

FACES: Final = range(1, 7)
ROLLS: Final = len(FACES) ** 2
"""Equally likely rolls of two dice that can be told apart."""

WAYS: Final[Mapping[int, int]] = {
    total: sum(first + second == total for first in FACES for second in FACES) for total in range(2, 13)
}
"""How many rolls have each total."""

POINTS: Final = (4, 5, 6, 8, 9, 10)
"""Totals that a come-out roll makes the point."""

CHANCE: Final[Mapping[int, Fraction]] = {total: Fraction(ways, ROLLS) for total, ways in WAYS.items()}
"""The chance of each total."""
