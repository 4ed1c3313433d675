"""Counting cards: systems of tags, the true count, and how well a system tells what the unseen cards are worth.

A tag is what a card adds to the count when it is seen. The running count begins at minus the tags of the whole shoe, so
that it is 0 when all cards are gone: it is always minus the sum of the unseen cards' tags. The true count is the
running count for each deck of unseen cards. For a balanced system that is the usual true count. For others it is the
one whose pivot is 0: a fresh shoe stands at minus the tags of a deck (`neutral`).

Correlations as Griffin defines them ("The Theory of Blackjack"): over the cards of a deck, between the tags and the
effects of removal.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import NormalDist
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import VALUES
from casinomath.errors import RequestError

Floats: TypeAlias = NDArray[np.float64]

MOST_TAG: Final = 9
"""The largest tag that a system may have."""


@dataclass(frozen=True)
class CountSystem:
    """A tag for each card value, ace first."""

    name: str
    tags: tuple[float, ...]
    source: str = ""
    published: Mapping[str, str] = field(default_factory=dict)
    """Measures of the system in blackjack, as printed."""

    def __post_init__(self) -> None:
        """Refuse tags that can't be counted with."""
        if len(self.tags) != len(VALUES):
            raise RequestError(
                f"count system {self.name} has {len(self.tags)} tags; expected ten ({', '.join(VALUES)})"
            )
        for value, tag in zip(VALUES, self.tags, strict=True):
            if not abs(tag) <= MOST_TAG or 2 * tag != int(2 * tag):
                raise RequestError(
                    f"count system {self.name}: the tag of {value} is {tag:g}; "
                    f"expected a whole number, or one and a half, from -{MOST_TAG} to {MOST_TAG}"
                )
        if len(set(self.tags)) == 1:
            raise RequestError(
                f"count system {self.name}: all tags are {self.tags[0]:g}, and tell no card from another"
            )

    @property
    def array(self) -> Floats:
        """(10,) the tags."""
        return np.array(self.tags, dtype=np.float64)

    def neutral(self, deck: Sequence[int]) -> float:
        """Return the true count of a fresh shoe of these decks, each of so many cards by value: 0 where balanced."""
        return 0.0 - float(self.array @ deck)

    def true_count(self, left: Iterable[float], deck: Sequence[int]) -> float:
        """Return the true count when so many cards by value are unseen; NaN where none is."""
        counts = np.array(list(left), dtype=np.float64)
        decks = counts.sum() / sum(deck)
        return -float(self.array @ counts) / decks if decks > 0 else math.nan

    def spread(self, deck: Sequence[int], decks: float, left: float) -> float:
        """Return the standard deviation of the true count when `left` of so many decks are unseen."""
        cards, unseen = decks * sum(deck), left * sum(deck)
        share = np.array(deck) / sum(deck)
        variance = float(share @ (self.array - share @ self.array) ** 2)
        return math.sqrt(variance * unseen * (cards - unseen) / (cards - 1)) / left

    def expected_shoe(self, true: float, left: float, deck: Sequence[int]) -> Floats:
        """(10,) the cards by value that are expected among `left` decks of unseen cards at a true count.

        The linear regression of each value's number on the count: of a value with the mean tag as many are left as in
        fresh decks, of others the more (or the fewer) the farther their tag is from it. It has that true count exactly.
        """
        share = np.array(deck) / sum(deck)
        apart = self.array - share @ self.array
        more = (self.neutral(deck) - true) * left / float(share @ apart**2)
        return np.asarray(left * np.array(deck, dtype=np.float64) + more * share * apart)

    def json(self) -> dict[str, object]:
        """Return the tags by value."""
        return {"name": self.name, "tags": dict(zip(VALUES, self.tags, strict=True)), "source": self.source}


def correlation(one: Iterable[float], other: Iterable[float], deck: Sequence[int]) -> float:
    """Return the correlation of two values of a card over the cards of a deck; 0 where one of them never varies."""
    share = np.array(deck) / sum(deck)
    first, second = (np.array(list(each), dtype=np.float64) for each in (one, other))
    first, second = first - share @ first, second - share @ second
    spread = float(share @ first**2) * float(share @ second**2)
    return float(share @ (first * second)) / math.sqrt(spread) if spread > 1e-30 else 0.0


def betting_correlation(system: CountSystem, effects: Sequence[float], deck: Sequence[int]) -> float:
    """Return Griffin's betting correlation: of the tags with the effects of removal on the EV of a round."""
    return correlation(system.tags, effects, deck)


def insurance_correlation(system: CountSystem, deck: Sequence[int]) -> float:
    """Return the correlation of the tags with the effects of removal on insurance: ten-valued cards against others."""
    return correlation(system.tags, [float(value != "10") for value in VALUES], deck)


def linear_gain(behind: float, spread: float) -> float:
    """Return E[max(0, X)] of a normal X with mean −`behind`: what choosing by X gains over never choosing it.

    Griffin's unit normal linear loss integral, times the spread.
    """
    if spread <= 0:
        return max(0.0, -behind)
    law = NormalDist()
    return spread * law.pdf(behind / spread) - behind * law.cdf(-behind / spread)


def tags_from_effects(effects: Sequence[float], deck: Sequence[int], level: int, name: str) -> CountSystem:
    """Return the system of whole tags up to `level` that follows effects of removal best.

    Its tags are the effects, less their mean over the deck, times a factor, and rounded. Of all factors that leave no
    tag above the level, the one with the highest betting correlation is taken; among equals the smallest.
    Raises RequestError for effects that are all alike, and a level that no tag may have.
    """
    if not 1 <= level <= MOST_TAG:
        raise RequestError(f"level is {level}; expected 1 to {MOST_TAG}")
    share = np.array(deck) / sum(deck)
    apart = np.array(effects) - share @ np.array(effects)
    # a tag changes where factor × effect passes a half
    turns = np.unique([(k + 0.5) / abs(effect) for effect in apart for k in range(level + 1) if abs(effect) > 1e-12])
    best, found = -1.0, None
    for low, high in pairwise(turns.tolist()):
        tags = np.rint(apart * (low + high) / 2)
        if np.abs(tags).max() > level:
            break
        if len(set(tags.tolist())) > 1 and (follows := correlation(tags, effects, deck)) > best + 1e-12:
            best, found = follows, tags
    if found is None:
        raise RequestError("the effects of removal are all alike: no tag follows from them")
    return CountSystem(name, tuple(float(tag) for tag in found + 0.0), source="effects of removal")
