"""What a chart can't show: hands that are best played otherwise than all others of their total, by their cards.

Each gain is exactly what the round gains, were the chart departed from on this one hand alone; it is worked out from
how often the chart itself meets the hand, split rounds included.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import VALUES
from casinomath.cells import SUIT_CLASSES, policy_of
from casinomath.decisions import cards_name, hand_name, pair_name, suits_names
from casinomath.kernels.actions import ACTIONS, DOUBLE, HIT, RESCUE, SPLIT, STAND, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.kernels.worths import CERTAIN, OF_ACES, OF_SPLIT, UNSPLIT
from casinomath.total_play import AFTER_ACTIONS, UNMET, TotalPlay
from casinomath.twentyone import pair_row, play, two_card_rows
from casinomath.worths import CERTAIN_FIRST, Floats, suits_class

if TYPE_CHECKING:
    import pandas as pd

LEAST: Final = 1e-14
"""Gains below are rounding."""
AFTER_CODES: Final = np.array([STAND, RESCUE, DOUBLE], dtype=np.uint8)


class Departure(NamedTuple):
    """A hand that is best played otherwise than the chart plays it."""

    hand: str
    cards: str
    suits: str
    doubles: int
    after_split: bool
    upcard: str
    play: str
    """What the chart does."""
    ev: float
    """What that is worth, given no dealer blackjack, in initial wagers."""
    best: str
    best_ev: float
    frequency: float
    """How often a round meets the hand."""
    gain: float
    """What the round gains."""


@dataclass(frozen=True)
class Compositions:
    """A chart, and the hands that it is best departed from on."""

    ev: float
    """Of the chart."""
    ev_with_all: float
    """When all of them are known; what they do to each other is in it."""
    departures: tuple[Departure, ...]
    """The most valuable ones first."""

    @property
    def table(self) -> "pd.DataFrame":
        """One row a hand, with the fields of a departure."""
        import pandas as pd

        return pd.DataFrame(self.departures, columns=list(Departure._fields))


def compositions(chart: TotalPlay) -> Compositions:
    """Return the hands on which the best play is not the chart's."""
    policy = policy_of(chart.decisions, chart.problem)
    search = _Search(chart, policy, Policy(*(array.copy() for array in policy)))
    found = [*search.later(), *search.after_doubles(), *search.first(), *search.suited()]
    found.sort(key=lambda each: -each.gain)
    return Compositions(chart.ev, play(chart.problem, search.best).ev, tuple(found))


class _Search:
    def __init__(self, chart: TotalPlay, policy: Policy, best: Policy) -> None:
        self.chart, self.policy, self.best = chart, policy, best
        """`best` departs from the policy where that gains."""
        self.problem, self.priced, self.lattice = chart.problem, chart.priced, hands()

    def later(self) -> Iterator[Departure]:
        """Hands of three cards and more, and those of two in split rounds."""
        problem, lattice = self.problem, self.lattice
        may_double = np.stack([problem.may_double, problem.split_may_double, problem.aces_may_double])
        may_hit = np.stack([problem.may_hit, problem.may_hit, problem.aces_may_hit])
        alike = (may_double == may_double[0]).all(axis=0) & (may_hit == may_hit[0]).all(axis=0)
        alike &= lattice.size > 2
        split_alike = (may_double[1] == may_double[2]) & (may_hit[1] == may_hit[2])
        worths = self.priced.play.copy()
        worths[UNSPLIT][:, alike] = worths[:, :, alike].sum(axis=0)
        worths[OF_SPLIT][:, split_alike & ~alike] += worths[OF_ACES][:, split_alike & ~alike]
        worths[OF_SPLIT][:, alike] = worths[OF_ACES][:, alike | split_alike] = 0.0
        plays = (self.policy.play, self.policy.split_play, self.policy.aces_play)
        bests = (self.best.play, self.best.split_play, self.best.aces_play)
        for kind, (taken, better) in enumerate(zip(plays, bests, strict=True)):
            of_kind = worths[kind]
            of_kind[:, ~may_hit[kind], HIT] = of_kind[:, ~may_double[kind], DOUBLE] = -np.inf
            of_kind[:, lattice.total == 21, HIT:CERTAIN] = -np.inf
            for upcard, row, action in _improved(of_kind[:, :, :CERTAIN], taken, of_kind[..., CERTAIN]):
                better[upcard, row] = action
                if kind == UNSPLIT and alike[row]:
                    self.best.split_play[upcard, row] = self.best.aces_play[upcard, row] = action
                elif kind == OF_SPLIT and split_alike[row]:
                    self.best.aces_play[upcard, row] = action
                here = of_kind[upcard, row]
                yield self._of(upcard, row, taken[upcard, row], action, here, CERTAIN, after_split=kind != UNSPLIT)

    def after_doubles(self) -> Iterator[Departure]:
        """Doubled hands."""
        for doubles in range(self.problem.table.max_doubles):
            worths = self.priced.after[doubles].copy()
            worths[:, self.lattice.total == 21, 1:CERTAIN] = -np.inf
            if not self.problem.table.rescue:
                worths[..., 1] = -np.inf
            if doubles == self.problem.table.max_doubles - 1:
                worths[..., DOUBLE] = -np.inf
            code = np.zeros(len(ACTIONS), dtype=np.uint8)
            code[AFTER_CODES] = np.arange(3)
            taken = code[self.policy.after[doubles]]
            for upcard, row, action in _improved(worths[:, :, :CERTAIN], taken, worths[..., CERTAIN]):
                self.best.after[doubles, upcard, row] = AFTER_CODES[action]
                here = worths[upcard, row]
                yield self._of(upcard, row, taken[upcard, row], action, here, CERTAIN, doubles=doubles + 1)

    def first(self) -> Iterator[Departure]:
        """First decisions on two cards whose suits don't matter."""
        rows = two_card_rows()
        rows = rows[(self.problem.suited.place[rows] < 0) & (self.lattice.total[rows] < 21)]
        worths = np.full_like(self.priced.first, -np.inf)
        worths[..., STAND] = 0.0
        worths[:, rows] = self.priced.first[:, rows]
        taken = np.zeros_like(self.policy.first)
        taken[:, rows] = self.policy.first[:, rows]
        for upcard, row, action in _improved(worths[..., :CERTAIN_FIRST], taken, worths[..., CERTAIN_FIRST]):
            self.best.first[upcard, row] = action
            yield self._of(upcard, row, taken[upcard, row], action, worths[upcard, row], CERTAIN_FIRST)

    def suited(self) -> Iterator[Departure]:
        """Two cards whose suits matter, as first decisions by all suits, in split rounds by what a chart can tell."""
        for i, (x, y) in enumerate(SUITED_HANDS):
            row = int(self.problem.suited.hand[i])
            if self.problem.suited.place[row] < 0:
                continue
            for upcard in range(10):
                yield from self._suited_first(i, row, upcard)
                if (x, y) in ((5, 5), (7, 7)):
                    continue
                for each, kind in enumerate(SUIT_CLASSES):
                    worths = self.priced.suited_play[upcard, i, each]
                    suits = suits_class() == each
                    taken = int(self.policy.split_suited_play[upcard, i, suits][0])
                    action = int(worths[:CERTAIN].argmax())
                    if worths[action] > worths[taken] + LEAST and worths[CERTAIN] > UNMET:
                        self.best.split_suited_play[upcard, i, suits] = action
                        yield self._of(upcard, row, taken, action, worths, CERTAIN, suits=kind, after_split=True)

    def _suited_first(self, i: int, row: int, upcard: int) -> Iterator[Departure]:
        worths, policy = self.priced.suited_first[upcard, i], self.policy.suited_first[upcard, i]
        dealt = worths[:, CERTAIN_FIRST] > 0
        best = worths[:, :CERTAIN_FIRST].argmax(axis=1)
        taken = policy.astype(np.intp)
        gain = np.take_along_axis(worths, best[:, None], 1) - np.take_along_axis(worths, taken[:, None], 1)
        better = dealt & (gain[:, 0] > LEAST)
        keys = sorted({(int(taken[s]), int(best[s])) for s in np.flatnonzero(better)})
        groups = [np.flatnonzero(better & (taken == of) & (best == to)) for of, to in keys]
        for (of, to), members, suits in zip(keys, groups, suits_names(i, upcard, groups), strict=True):
            self.best.suited_first[upcard, i, members] = to
            yield self._of(upcard, row, of, to, worths[members].sum(axis=0), CERTAIN_FIRST, suits=suits)

    def _of(
        self,
        upcard: int,
        row: int,
        taken: int,
        action: int,
        worths: Floats,
        certain: int,
        *,
        doubles: int = 0,
        suits: str = "",
        after_split: bool = False,
    ) -> Departure:
        lattice, met, names = self.lattice, float(worths[certain]), AFTER_ACTIONS if doubles else ACTIONS
        pairs = {pair_row(value): pair_name(value) for value in range(10)}
        name = hand_name(int(lattice.total[row]), bool(lattice.soft[row]))
        first = certain == CERTAIN_FIRST
        return Departure(
            hand=pairs.get(row, name) if first and np.isfinite(worths[SPLIT]) else name,
            cards=cards_name(lattice.counts[row]),
            suits=suits,
            doubles=doubles,
            after_split=after_split,
            upcard=VALUES[upcard],
            play=names[taken],
            ev=float(worths[taken] / met),
            best=names[action],
            best_ev=float(worths[action] / met),
            frequency=met,
            gain=float(worths[action] - worths[taken]),
        )


def _improved(worths: Floats, taken: NDArray[np.uint8], met: Floats) -> Iterator[tuple[int, int, int]]:
    """Yield upcard, hand and action where another action than the one taken gains.

    worths (10, n, actions), taken (10, n), met (10, n)
    """
    best = worths.argmax(axis=2)
    gain = worths.max(axis=2) - np.take_along_axis(worths, taken[..., None].astype(np.intp), 2)[..., 0]
    for upcard, row in np.argwhere((gain > LEAST) & (met > UNMET)):
        yield int(upcard), int(row), int(best[upcard, row])
