"""Two dice: their totals, and what they come to over and over until something is decided."""

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from casinomath.errors import RequestError

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


def read_numbers(rule: str, text: str, choices: Sequence[int]) -> list[int]:
    """Return totals such as "4 6" or "4,6"; RequestError for what is none of the choices, and for one named twice."""
    read = re.split(r"[\s,]+", text.strip()) if text.strip() else []
    listed = ", ".join(map(str, choices))
    for place, word in enumerate(read):
        if word not in map(str, choices):
            raise RequestError(f'{rule} is "{text}"; {word!r} is not one of {listed}')
        if word in read[:place]:
            raise RequestError(f'{rule} is "{text}"; {word} is named twice')
    return [int(word) for word in read]
