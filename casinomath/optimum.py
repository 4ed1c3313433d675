"""The best strategy of a class, by policy improvement on its exact EV.

Every step prices the strategy itself: how often it meets each decision, and what each action is then worth when it goes
on as it does. The EV is linear in every unit (a chart's entry, or a cell), so a unit is changed only to gain. Rounds
with different upcards have nothing in common: each column of a chart is a problem of its own, and all ten are improved
at once. When no single change gains, changes of several units are tried: one that loses little is made, the whole is
priced, and if the changes that then gain make up for it, all are made.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from casinomath.cells import Decisions, Sums, explored_sums, policy_of, sums_of
from casinomath.kernels.actions import Policy
from casinomath.notation import Knowledge, Units
from casinomath.strategy import Chart
from casinomath.twentyone import always_stand
from casinomath.worths import Floats, Pricing

EQUAL: Final = 1e-15
"""Worths this close are a tie: what is left of them is rounding."""
NEAR: Final = 5e-6
"""Changes that lose less than this are tried together with others."""
MOST_TRIED: Final = 24
"""So many of them, against each upcard."""
HOPE: Final = 3.0
"""What others gain by themselves may together be that much more."""


@dataclass(frozen=True)
class Optimum:
    """A strategy that no change of a single unit improves."""

    units: Units
    choices: NDArray[np.intp]
    """(units, 10) the code of each against each upcard."""
    by_upcard: Floats
    """(10,) the part of the EV that rounds with each upcard bring."""
    sums: Sums
    """The worth of every action in every cell."""
    priced: int
    """Strategies priced on the way."""

    @property
    def ev(self) -> float:
        """Expected net result in initial wagers."""
        return float(self.by_upcard.sum())

    @property
    def decisions(self) -> Decisions:
        """The action in every cell."""
        return self.units.decisions(self.choices)

    def chart(self, name: str) -> Chart:
        """Write it as a chart, where its class is one of charts."""
        return self.units.chart(self.choices, name)


def improve(pricings: Sequence[Pricing], knowledge: Knowledge, *starts: Policy, tried: int = MOST_TRIED) -> Optimum:
    """Return the best strategy of a class that changes of one unit and of several lead to.

    pricings : tables that one strategy is to be played at, each counting alike; they must allow the same actions
    starts   : where to begin, each column going on from the one that leads it farthest; by default, always to stand
    tried    : changes that lose little to be tried with others against each upcard, in the end
    """
    return _Search(pricings, Units(knowledge, pricings[0].problem), tried).run(starts or (always_stand(),))


class _Search:
    def __init__(self, pricings: Sequence[Pricing], units: Units, tried: int) -> None:
        self.pricings, self.units, self.tried = pricings, units, tried
        self.priced = 0

    def run(self, starts: Sequence[Policy]) -> Optimum:
        found = []
        for start in starts:
            self._move(_pick(self.units.worths(self._price(start)[1]), None))
            self._settle()
            found.append((self.ev, self.choices))
        best = np.argmax([ev for ev, _ in found], axis=0)
        if len(found) > 1:
            self._move(np.stack([choices for _, choices in found])[best, :, np.arange(10)].T)
            self._settle()
        while self._escape():
            self._settle()
        return Optimum(self.units, self.choices, self.ev, self.sums, self.priced)

    def _settle(self) -> None:
        """Climb, what is never decided being settled as if it were."""
        while True:
            self._climb()
            settled = _pick(self.worths, self.units.worths(self._explored()))
            tie = _taken(self.worths, settled) <= _taken(self.worths, self.choices) + EQUAL
            settled = np.where(tie, settled, self.choices)
            if np.array_equal(settled, self.choices):
                return
            self._move(settled)
            if self._gain().max() <= EQUAL:
                return

    def _price(self, policy: Policy | None, choices: NDArray[np.intp] | None = None) -> tuple[Floats, Sums]:
        evs, sums = [], []
        for pricing in self.pricings:
            followed = policy
            if followed is None:
                assert choices is not None
                followed = policy_of(self.units.decisions(choices), pricing.problem)
            priced = pricing.priced(followed)
            evs.append(priced.ev)
            sums.append(sums_of(priced, pricing.problem))
            self.priced += 1
        return np.mean(evs, axis=0), sums[0] if len(sums) == 1 else np.mean(sums, axis=0)

    def _move(self, choices: NDArray[np.intp]) -> None:
        self.choices = choices
        self.ev, self.sums = self._price(None, choices)
        self.worths = self.units.worths(self.sums)

    def _gain(self) -> Floats:
        """(units, 10) what the best change of each unit gains by itself."""
        gain: Floats = self.worths.max(axis=2) - _taken(self.worths, self.choices)
        return gain

    def _climb(self) -> None:
        """Make changes that gain until none does; all at once, or the best one where together they do not."""
        while (gain := self._gain()).max() > EQUAL:
            before, choices = self.ev, self.choices
            best = self.worths.argmax(axis=2)
            self._move(np.where(gain > EQUAL, best, choices))
            worse = self.ev < before - EQUAL
            if worse.any():
                single = choices.copy()
                unit = gain.argmax(axis=0)
                columns = np.flatnonzero(gain.max(axis=0) > EQUAL)
                single[unit[columns], columns] = best[unit[columns], columns]
                self._move(np.where(worse, single, self.choices))

    def _explored(self) -> Sums:
        found = []
        for pricing in self.pricings:
            worths = pricing.explored(policy_of(self.units.decisions(self.choices), pricing.problem))
            found.append(explored_sums(worths, self.sums, pricing.problem))
        return found[0] if len(found) == 1 else np.mean(found, axis=0)

    def _escape(self) -> bool:
        """Change several units against each upcard where that gains; return whether it did anywhere."""
        loss = _taken(self.worths, self.choices)[..., None] - self.worths
        loss[(loss <= 10 * EQUAL) | (loss > NEAR)] = np.inf
        by_column = loss.transpose(1, 0, 2).reshape(10, -1)
        order = np.argsort(by_column, axis=1)[:, : self.tried]
        changed, columns = self.choices.copy(), np.arange(10)
        for tried in order.T:
            least = by_column[columns, tried]
            on = np.isfinite(least) & (changed == self.choices).all(axis=0)
            if not on.any():
                break
            unit, code = np.divmod(tried, loss.shape[2])
            choices = self.choices.copy()
            choices[unit[on], columns[on]] = code[on]
            _, sums = self._price(None, choices)
            worths = self.units.worths(sums)
            gain = np.maximum(worths.max(axis=2) - _taken(worths, choices), 0.0)
            gain[unit, columns] = 0.0
            hopeful = on & (HOPE * gain.sum(axis=0) > least)
            if hopeful.any():
                moved = np.where(gain > EQUAL, worths.argmax(axis=2), choices)
                ev, _ = self._price(None, moved)
                better = hopeful & (ev > self.ev + EQUAL)
                changed[:, better] = moved[:, better]
        if np.array_equal(changed, self.choices):
            return False
        self._move(changed)
        return True


def _taken(worths: Floats, choices: NDArray[np.intp]) -> Floats:
    """(units, 10) the worths of the codes taken."""
    return np.take_along_axis(worths, choices[..., None], axis=2)[..., 0]


def _pick(worths: Floats, ties: Floats | None) -> NDArray[np.intp]:
    """(units, 10) the best codes: among equals by `ties`, or else the first."""
    equal = worths >= worths.max(axis=2, keepdims=True) - EQUAL
    if ties is not None:
        others = np.where(equal, ties, -np.inf)
        equal &= others >= others.max(axis=2, keepdims=True) - EQUAL
    best: NDArray[np.intp] = equal.argmax(axis=2)
    return best
