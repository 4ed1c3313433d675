"""Splits of the family of 21: every way they can go, and one pair's split priced exactly under a policy.

By exchangeability the value of one split hand is needed only from shoes with 1, 2, … more cards of the pair's value
gone, so whole resplit rounds are priced exactly without enumerating them.
"""

from collections.abc import Iterator
from functools import cache, cached_property
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels import twentyone as kernel
from casinomath.kernels.actions import (
    HIT,
    SIX_SEVEN_EIGHT,
    STAND,
    Policy,
)
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import COMPLETING, SUITED_HANDS, SUITS
from casinomath.problem import Floats, Problem


class Resplit(NamedTuple):
    """One way a split can go until its hands are settled: who drew another card of the pair's value, who did not."""

    hands: int
    """Hands in the end."""
    dealt: tuple[int, int, int]
    """Hands that drew another value, by kind: the first card's, the second card's, begun later."""
    open: tuple[int, int, int]
    """Hands left when no more splits are allowed: they draw anything, and play a pair without splitting it."""


@cache
def resplits(max_hands: int) -> tuple[Resplit, ...]:
    """Every way a split can go up to `max_hands` hands."""

    def ways(stack: tuple[int, ...], count: int, dealt: tuple[int, ...]) -> Iterator[Resplit]:
        if count == max_hands or not stack:
            yield Resplit(count, _by_kind(dealt), _by_kind(stack))
            return
        *below, top = stack
        yield from ways(tuple(below), count, (*dealt, top))
        yield from ways((*below, 2, top), count + 1, dealt)

    return tuple(ways((1, 0), 2, ()))


def _by_kind(kinds: tuple[int, ...]) -> tuple[int, int, int]:
    return (kinds.count(0), kinds.count(1), kinds.count(2))


class Coefficients(NamedTuple):
    """What one split hand's results must be multiplied with and summed over to price the whole split.

    Axes: upcard, hands in the end (2, 3, …), kind of hand, further cards of the pair's value gone (1, 2, …).
    """

    other: Floats
    """For results whose second card is not of the pair's value."""
    again: Floats
    """For results whose second card is of the pair's value, unsplit."""
    other_ways: Floats
    """(upcard, hands in the end, gone) for the chance of so many hands."""
    again_ways: Floats
    """The same for the second card's other case."""


def coefficients(shoe: NDArray[np.int64], pair: int, max_hands: int, taken: int = 1) -> Coefficients:
    """Price resplits by exchangeability.

    That k unknown cards are not of the pair's value is brought in by subtraction: E[X; a card is another] =
    E[X] − P(it is of the pair's value) × E[X | it is], which leaves expectations that only know how many cards of the
    pair's value are gone.
    """
    most_gone = 2 * max_hands - 3
    left = np.tile(shoe, (10, 1)) - taken * np.eye(10, dtype=np.int64)
    gone = taken * np.arange(2, most_gone + 3)
    unseen = left.sum(axis=1)[:, None] - gone
    pairs = left[:, pair][:, None] - gone
    draws = np.where((pairs > 0) & (unseen > 0), pairs / np.maximum(unseen, 1), 0.0)
    """(upcard, cards of the pair's value gone - 2) P(the next card is of the pair's value)."""

    other = np.zeros((10, max_hands - 1, 3, most_gone))
    again = np.zeros_like(other)
    other_ways = np.zeros((10, max_hands - 1, most_gone))
    again_ways = np.zeros_like(other_ways)

    def not_pairs(start: int, cards: int) -> Iterator[tuple[int, Floats]]:
        for i in range(cards + 1):
            chain = draws[:, start - 2 : start - 2 + i].prod(axis=1)
            yield start - 2 + i, (-1.0) ** i * comb(cards, i) * chain

    for way in resplits(max_hands):
        drawn = draws[:, : way.hands - 2].prod(axis=1)
        dealt, still_open = sum(way.dealt), sum(way.open)
        if dealt:
            for g, factor in not_pairs(way.hands, dealt - 1):
                other[:, way.hands - 2, :, g] += (drawn * factor)[:, None] * np.array(way.dealt)
                if not still_open:
                    other_ways[:, way.hands - 2, g] += drawn * factor
        if still_open:
            for g, factor in not_pairs(way.hands, dealt):
                both = (drawn * factor)[:, None] * np.array(way.open)
                other[:, way.hands - 2, :, g] += both
                again[:, way.hands - 2, :, g] += both
                other_ways[:, way.hands - 2, g] += drawn * factor
                again_ways[:, way.hands - 2, g] += drawn * factor
    return Coefficients(other, again, other_ways, again_ways)


class SplitPair:
    """Splitting one pair under a policy: exact values against every upcard, by suits."""

    def __init__(
        self,
        problem: Problem,
        policy: Policy,
        pair: int,
        suits: tuple[Floats, Floats] | None = None,
        kinds: tuple[int, ...] = (0, 1, 2),
        free: "SplitPair | None" = None,
    ) -> None:
        """Play one split hand from every shoe that matters.

        suits : `split_suits` for 6-6, 7-7 and 8-8
        kinds : the hands to count: the first card's, the second card's, those begun later
        free  : the other kinds, where they carry free bets
        """
        self.problem, self.policy, self.pair, self.kinds, self.free = problem, policy, pair, list(kinds), free
        self.by_suits = SUITS if suits is not None else 1
        self.coefficients = coefficients(problem.shoe_array, pair, problem.most_hands(pair), taken=problem.table.taken)
        self.parts = [(0, STAND), (0, STAND)]
        self.second: list[int] = [-1, -1]
        if suits is not None:
            self.chance, self.bonus = suits
            for second in (5, 6, 7):
                i = SUITED_HANDS.index((min(pair, second), max(pair, second)))
                if COMPLETING[i] >= 0:
                    decided = self.chance[:, :, :, second - 5].any(axis=(0, 1, 2))
                    for action in np.flatnonzero(decided):
                        self.parts.append((int(problem.suited.hand[i]), int(action)))
                        self.second.append(second)
        none = np.empty((0, 0, 0))
        self.ends, self.completed = self._run(none, none)

    def _run(self, weight: Floats, reached: Floats) -> tuple[Floats, Floats]:
        problem = self.problem
        return kernel.split_hands(
            hands(),
            problem.trie,
            problem.table,
            problem.suited,
            problem.ending_21,
            problem.shoe_array,
            self.policy.aces_play if self.pair == 0 else self.policy.split_play,
            self.policy.after,
            self.pair,
            self.coefficients.other.shape[-1],
            np.array([hand for hand, _ in self.parts], dtype=np.int32),
            np.array([action for _, action in self.parts], dtype=np.int8),
            np.array([self._kinds(part).any(axis=(0, 1, 2)) for part in range(len(self.parts))]),
            np.flatnonzero(hands().counts[:, self.pair]),
            weight,
            reached,
        )

    def _kinds(self, part: int) -> Floats:
        again = part == 1 or self.second[part] == self.pair
        return self.coefficients.again if again else self.coefficients.other

    @cached_property
    def part_weights(self) -> Floats:
        """(upcard, suits, hands in the end, part, gone): a split round as a sum over the parts of one hand."""
        c = self.coefficients
        weights = np.empty((10, self.by_suits, c.other.shape[1], len(self.parts), c.other.shape[-1]))
        weights[:, :, :, 0] = c.other[:, :, self.kinds].sum(axis=2)[:, None]
        weights[:, :, :, 1] = c.again[:, :, self.kinds].sum(axis=2)[:, None]
        for part in range(2, len(self.parts)):
            second, action = self.second[part], self.parts[part][1]
            weights[:, :, :, part] = np.einsum(
                "usk,umkg->usmg", self.chance[:, :, :, second - 5, action], self._kinds(part)
            )
        return weights

    @cached_property
    def bonus_weights(self) -> Floats:
        """(upcard, suits, hands in the end, bonus, part, gone): the same for completed 6-7-8s and 7-7-7s."""
        c = self.coefficients
        weights = np.zeros((10, self.by_suits, c.other.shape[1], 6, len(self.parts), c.other.shape[-1]))
        for part in range(2, len(self.parts)):
            second, action = self.second[part], self.parts[part][1]
            if action != HIT:
                continue
            first = 3 if second == self.pair == 6 else 0
            weights[:, :, :, first : first + 3, part] = np.einsum(
                "uskb,umkg->usmbg", self.bonus[:, :, :, second - 5], self._kinds(part)
            )
        return weights

    @cached_property
    def value(self) -> Floats:
        """(upcard, suits) EV of splitting × P(no dealer blackjack); either card of the pair may be played first."""
        pays = self.problem.split_ending_pays
        bonuses = pays[SIX_SEVEN_EIGHT : SIX_SEVEN_EIGHT + 6]
        plain: Floats = np.einsum("usmpg,ugp->us", self.part_weights, self.ends @ pays)
        bonus: Floats = np.einsum("usmbpg,ugp,b->us", self.bonus_weights, self.completed, bonuses)
        value = plain + bonus
        if self.free is not None:
            value += self.free.value
        if self.by_suits == SUITS:
            first_second = value.reshape(10, 4, 4, 4)
            value = (first_second + first_second.swapaxes(1, 2)).reshape(10, SUITS) / 2
        return value

    def endings(self, weight: Floats) -> tuple[Floats, Floats]:
        """Endings of the hands of split rounds of `weight` (upcard, suits), and the chances of their numbers of hands.

        Returns (upcard, hands in the end, endings) and (upcard, hands in the end), both × no dealer blackjack.
        """
        ends = np.einsum("us,usmpg,ugpe->ume", weight, self.part_weights, self.ends)
        bonuses = np.einsum("us,usmbpg,ugp->umb", weight, self.bonus_weights, self.completed)
        ends[:, :, SIX_SEVEN_EIGHT : SIX_SEVEN_EIGHT + 6] += bonuses
        # P(second card, no dealer blackjack) is what the endings of a hand sum to; one way is as good as another.
        mass = self.ends.sum(axis=3)
        other = mass[:, :, 0].copy()
        again = mass[:, :, 1].copy()
        for second in {second for second in self.second if second >= 0}:
            part = self.second.index(second)
            (again if second == self.pair else other)[:] += mass[:, :, part] + self.completed[:, :, part]
        c = self.coefficients
        numbers = np.einsum("umg,ug->um", c.other_ways, other) + np.einsum("umg,ug->um", c.again_ways, again)
        return ends, weight.sum(axis=1)[:, None] * numbers

    def add_two_cards(self, weight: Floats, reached: Floats) -> None:
        """Add how often hands of split rounds of `weight` (upcard, suits) face a decision on their second card."""
        table = self.problem.table
        if self.pair == 0 and not (table.split_aces_draw or table.double_split_aces):
            return
        by_part = np.einsum("us,usmpg->ugp", weight, self.part_weights)
        second = np.arange(10)
        rows = hands().child[hands().child[0, self.pair]]
        for upcard, gone in np.argwhere(by_part.any(axis=2)):
            left = self.problem.shoe_array - table.taken * (second == upcard)
            left = left - table.taken * (gone + 2) * (second == self.pair)  # its own card, and `gone` counts from 1
            part = np.where(second == self.pair, 1, 0)
            chance = np.maximum(left, 0) / max(left.sum(), 1)
            reached[upcard, 0, rows] += by_part[upcard, gone, part] * chance

    def add_reached(self, weight: Floats, reached: Floats) -> None:
        """Add how often hands of split rounds of `weight` (upcard, suits) face a decision after their third card."""
        by_part = np.einsum("us,usmpg->ugp", weight, self.part_weights)
        self._run(np.ascontiguousarray(by_part), reached)
