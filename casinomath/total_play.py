"""A chart played at a table, priced by what it does itself: the best one of its class, or any other.

Every decision has the EVs of its actions when the chart goes on as it does, and its frequency as the chart meets it,
split rounds included: changing one decision changes the EV of the round by exactly its loss times its frequency.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import VALUES
from casinomath.cells import (
    FIRST,
    MORE,
    MOST,
    SEVENS,
    SEVENS_SPLIT,
    SIX_SEVEN_EIGHTS,
    SPLIT_ACES,
    SPLIT_HANDS,
    SUIT_CLASSES,
    SUITED_FIRST,
    SUITED_SPLIT,
    Decisions,
    Sums,
    explored_sums,
    places,
    policy_of,
    sums_of,
)
from casinomath.decisions import hand_name, pair_name, totals
from casinomath.kernels.actions import ACTIONS, DOUBLE
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.notation import CHART, Knowledge, decisions_of
from casinomath.optimum import Optimum, improve
from casinomath.strategy import Cell, Chart
from casinomath.twentyone import Problem, always_stand, solve
from casinomath.worths import CERTAIN_FIRST, Priced, Pricing

UNMET: Final = 1e-13
"""Frequencies below are the rounding dust of hands that are never met."""
AFTER_ACTIONS: Final = ("stand", "rescue", "redouble")


@dataclass(frozen=True)
class TotalPlay:
    """A total-dependent strategy at a table."""

    problem: Problem
    decisions: Decisions
    priced: Priced
    sums: Sums
    explored: Sums
    """Worths of what is never decided: see `Pricing.explored`."""

    @property
    def ev(self) -> float:
        """Expected net result in initial wagers."""
        return float(self.priced.ev.sum())

    def cells(self) -> Iterator[Cell]:
        """Yield every decision that a chart can tell apart and the shoe can bring, where there is a choice."""
        for upcard in (*range(1, 10), 0):
            for total, soft in totals():
                if total < 21:
                    yield from self._total(upcard, total, soft)
            for value in range(10):
                yield from self._pair(upcard, value)
            for doubles in range(self.problem.table.max_doubles):
                for total, soft in totals():
                    if total < 21:
                        place = places().after[doubles, total, int(soft)]
                        yield from self._cell(upcard, [place], hand_name(total, soft), "3+", doubles=doubles + 1)

    @property
    def _by_suits(self) -> bool:
        return bool((self.problem.suited.place >= 0).any())

    def _total(self, upcard: int, total: int, soft: bool) -> Iterator[Cell]:
        hand, slots = hand_name(total, soft), places().totals[total, int(soft)]
        yield from self._cell(upcard, slots[[FIRST]], hand, "2")
        yield from self._split_cells(upcard, [], slots[SPLIT_HANDS.start], slots[SPLIT_ACES.start], hand, "2")
        for more in range(1, MOST - 1):
            cards = f"{MOST}+" if more + 2 == MOST else str(more + 2)
            of_split, of_aces = slots[SPLIT_HANDS.start + more], slots[SPLIT_ACES.start + more]
            yield from self._split_cells(upcard, [slots[MORE.start + more - 1]], of_split, of_aces, hand, cards)
        place = SIX_SEVEN_EIGHTS.get(total, -1)
        if self._by_suits and place >= 0 and not soft:
            cards = " ".join(VALUES[value] for value in SUITED_HANDS[place])
            for first, split, kind in zip(slots[SUITED_FIRST], slots[SUITED_SPLIT], SUIT_CLASSES, strict=True):
                yield from self._cell(upcard, [first], hand, cards, kind)
                yield from self._cell(upcard, [split], hand, cards, kind, after_split=True)

    def _split_cells(
        self, upcard: int, unsplit: list[int], split: int, aces: int, hand: str, cards: str
    ) -> Iterator[Cell]:
        """Cells of hands of some cards: one for all, but where split hands, or split aces, may not do the same."""
        groups = [(unsplit, cards, False)] if unsplit else []
        for place, named in ((split, cards), (aces, f"{cards} of split aces")):
            for group, _, _ in groups:
                if self._choices(upcard, group[0]) == self._choices(upcard, place):
                    group.append(place)
                    break
            else:
                groups.append(([place], named if groups or not unsplit else cards, True))
        for group, named, after_split in groups:
            yield from self._cell(upcard, group, hand, named, after_split=after_split)

    def _choices(self, upcard: int, place: int) -> tuple[int, tuple[bool, ...]]:
        """The action of a cell, and which ones it may take."""
        allowed = np.isfinite(self.sums[upcard, place, : DOUBLE + 1])
        return int(self.decisions[upcard, place]), tuple(allowed.tolist())

    def _pair(self, upcard: int, value: int) -> Iterator[Cell]:
        by_suits = self._by_suits and SUITED_HANDS[SEVENS] == (value, value)
        cards = f"{VALUES[value]} {VALUES[value]}" if self._by_suits and 5 <= value <= 7 else "2"
        kinds = [*SUIT_CLASSES, *(f"{kind}, for a Super Bonus" for kind in SUIT_CLASSES)] if by_suits else [""]
        for place, kind in zip(places().pairs[value], kinds, strict=False):
            yield from self._cell(upcard, [place], pair_name(value), cards, kind)
        if by_suits:
            for place, kind in zip(places().totals[14, 0, SEVENS_SPLIT], SUIT_CLASSES, strict=True):
                yield from self._cell(upcard, [place], hand_name(14, False), cards, kind, after_split=True)

    def _cell(
        self,
        upcard: int,
        of: Sequence[int] | NDArray[np.intp],
        hand: str,
        cards: str,
        suits: str = "",
        *,
        doubles: int = 0,
        after_split: bool = False,
    ) -> Iterator[Cell]:
        """The decision that the cells at some places are."""
        worths = self.sums[upcard, of].sum(axis=0)
        met = frequency = float(worths[CERTAIN_FIRST])
        if met < UNMET:
            worths, frequency = self.explored[upcard, of].sum(axis=0), 0.0
            met = float(worths[CERTAIN_FIRST])
        if met < UNMET:
            return
        names = AFTER_ACTIONS if doubles else ACTIONS[:CERTAIN_FIRST]
        evs = {
            name: float(worth / met)
            for name, worth in zip(names, worths[: len(names)].tolist(), strict=True)
            if np.isfinite(worth)
        }
        action = names[self.decisions[upcard, of[0]]]
        if len(evs) > 1:
            yield Cell(hand, cards, VALUES[upcard], action, evs, frequency, doubles, suits, after_split=after_split)


def played(decisions: Decisions, pricing: Pricing) -> TotalPlay:
    """Price decisions at a table."""
    policy = policy_of(decisions, pricing.problem)
    priced = pricing.priced(policy)
    sums = sums_of(priced, pricing.problem)
    explored = explored_sums(pricing.explored(policy), sums, pricing.problem)
    return TotalPlay(pricing.problem, decisions, priced, sums, explored)


def chart_played(chart: Chart, pricing: Pricing) -> TotalPlay:
    """Price a chart at a table; RequestError names a cell that it lacks."""
    return played(decisions_of(chart, pricing.problem), pricing)


def best_play(pricing: Pricing, knowledge: Knowledge = CHART) -> Optimum:
    """Return the best strategy of a class at a table."""
    return improve([pricing], knowledge, solve(pricing.problem).policy, always_stand())


# ---------------------------------------------------------------------------------------------------------------------
# Worked out once a table

_Key = tuple[Hashable, ...]


def _key(problem: Problem) -> _Key:
    """Everything that a problem is, as a key."""
    values = (getattr(problem, each.name) for each in fields(problem))
    return tuple(tuple(sorted(value.items())) if isinstance(value, Mapping) else value for value in values)


def _problem(key: _Key) -> Problem:
    named: dict[str, Any] = {each.name: value for each, value in zip(fields(Problem), key, strict=True)}
    return Problem(**named | {name: dict(named[name]) for name in ("pays", "split_pays")})


@lru_cache(maxsize=8)
def _pricing(key: _Key) -> Pricing:
    return Pricing(_problem(key))


@lru_cache(maxsize=64)
def _best_chart(key: _Key, knowledge: Knowledge, name: str) -> Chart:
    return best_play(_pricing(key), knowledge).chart(name)


def pricing(problem: Problem) -> Pricing:
    """Return a table with all that does not depend on the strategy, for charts to be priced at."""
    return _pricing(_key(problem))


def best_chart(problem: Problem, knowledge: Knowledge = CHART, name: str = "total_dependent") -> Chart:
    """Return the best chart of a table in the whole notation, or in what of it a player knows."""
    return _best_chart(_key(problem), knowledge, name)
