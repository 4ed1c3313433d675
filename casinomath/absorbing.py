"""Absorbing chains: where a random walk over named states ends, and how long that takes, in fractions.

A chain is a finite set of states and the chances of moving from each to each. A state is absorbing where it moves
nowhere; the others are transient. With Q the chances between transient states and R those from transient to absorbing
ones, a start s is expected to visit the transient states v = s + vQ times, so that v = s (I − Q)⁻¹; then vR is where it
ends, and the sum of v how many steps it takes (Kemeny and Snell, "Finite Markov Chains", 1960, chapter III).

Method: exact. Only what a start can reach is looked at. Its states fall into groups that lead back to each other
(Tarjan, "Depth-first search and linear graph algorithms", 1972), which are solved one after another in the order of
the walk: a state by itself by one division, however often it stays, and a larger group by elimination of its states,
those with the fewest ways through first.

>>> coin = Chain({"toss": {"toss": Fraction(1, 2), "tails": Fraction(1, 3), "edge": Fraction(1, 6)}})
>>> coin.absorption("toss")["tails"], coin.expected_steps("toss")
(Fraction(2, 3), Fraction(2, 1))
"""

from collections.abc import Callable, Collection, Hashable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from math import lcm
from numbers import Rational
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, TypeAlias, TypeVar, cast

from casinomath.errors import RequestError

if TYPE_CHECKING:
    import pandas as pd

S = TypeVar("S", bound=Hashable)

Spread: TypeAlias = Mapping[S, Fraction]
"""States with their chances, which sum to 1: where a state moves to, or where a walk starts."""

MOST_STATES: Final = 100_000
"""A chain that grows beyond these is taken for one without an end."""

NONE: Final = Fraction(0)


class Steps(NamedTuple):
    """How many steps it takes to be absorbed: the first numbers of them, and what is left."""

    chances: tuple[Fraction, ...]
    """The chance of exactly so many steps, from none on."""
    tail: Fraction
    """The chance of anything else: of more steps, or of another ending where some endings only were asked for."""


class _Eliminated(NamedTuple, Generic[S]):
    """A state of a group as it was when it was eliminated: its ways to and from the states that were left then."""

    state: S
    leaves: Fraction
    """The chance of not staying."""
    entered: Mapping[S, Fraction]
    onward: Mapping[S, Fraction]


class Chain(Generic[S]):
    """A finite absorbing chain. A walk starts in a state, or in one of several: then the start is their spread."""

    def __init__(self, moves: Mapping[S, Spread[S]]) -> None:
        """Hold the moves of every state; states that are only moved to, and those without moves, are absorbing.

        RequestError for a chance that is no fraction or below 0, and for chances of a state that don't sum to 1.
        """
        self.moves: dict[S, dict[S, Fraction]] = {
            state: _checked(f"the moves of {state!r}", to) if to else {} for state, to in moves.items()
        }
        for to in list(self.moves.values()):
            for state in to:
                self.moves.setdefault(state, {})

    @classmethod
    def grown(cls, start: S, step: Callable[[S], Spread[S]]) -> "Chain[S]":
        """Return the chain of all states that can be reached from one.

        step : state → where it moves to; nothing for an absorbing state
        Raises RequestError where there is no end of states, and as the chain itself does.
        """
        moves: dict[S, Spread[S]] = {}
        waiting = [start]
        while waiting:
            state = waiting.pop()
            if state in moves:
                continue
            if len(moves) == MOST_STATES:
                raise RequestError(f"the chain from {start!r} has more than {MOST_STATES:,} states; expected fewer")
            moves[state] = step(state)
            waiting.extend(moves[state])
        return cls(moves)

    @property
    def states(self) -> tuple[S, ...]:
        """All states, as they were found."""
        return tuple(self.moves)

    @property
    def transient(self) -> tuple[S, ...]:
        """The states that a walk moves on from."""
        return tuple(state for state, to in self.moves.items() if to)

    @property
    def absorbing(self) -> tuple[S, ...]:
        """The states where a walk ends."""
        return tuple(state for state, to in self.moves.items() if not to)

    # --- What becomes of a walk -----------------------------------------------------------------------------

    def visits(self, start: S | Spread[S]) -> dict[S, Fraction]:
        """Return how often a walk is expected to be in each transient state within reach, its start counted.

        RequestError for a start that the chain doesn't know, and for one from which a walk may never end.
        """
        inflow = self._start(start)
        visits: dict[S, Fraction] = {}
        for group in self._groups(inflow):
            if not self.moves[group[0]]:
                continue
            found = self._visits_within(group, inflow)
            for state, times in found.items():
                for to, chance in self.moves[state].items():
                    if to not in found:
                        inflow[to] = inflow.get(to, NONE) + times * chance
            visits |= found
        return visits

    def absorption(self, start: S | Spread[S]) -> dict[S, Fraction]:
        """Return where a walk ends, with the chances; one that starts in an absorbing state ends there."""
        ends = {state: chance for state, chance in self._start(start).items() if not self.moves[state]}
        for state, times in self.visits(start).items():
            for to, chance in self.moves[state].items():
                if not self.moves[to]:
                    ends[to] = ends.get(to, NONE) + times * chance
        return ends

    def expected(self, value: Callable[[S], Fraction], start: S | Spread[S]) -> Fraction:
        """Return the expected value of where a walk ends.

        value : absorbing state → what it is worth
        """
        return sum((chance * value(state) for state, chance in self.absorption(start).items()), NONE)

    def expected_steps(self, start: S | Spread[S]) -> Fraction:
        """Return the expected number of steps until a walk ends."""
        return sum(self.visits(start).values(), NONE)

    def variance_of_steps(self, start: S | Spread[S]) -> Fraction:
        """Return the variance of the number of steps until a walk ends."""
        # E T² = Σ over the states on the way of what their steps add: (t + 1)² − t² = 2t + 1, t being those to come.
        visits = self.visits(start)
        steps = self._values(self._groups(visits), lambda _: NONE, Fraction(1))
        square = sum((times * (2 * steps[state] - 1) for state, times in visits.items()), NONE)
        return square - sum(visits.values(), NONE) ** 2

    def values(self, value: Callable[[S], Fraction], each_step: Fraction = NONE) -> dict[S, Fraction]:
        """Return what a walk from each state is expected to bring: where it ends, and what it makes on the way.

        value     : absorbing state → what it is worth
        each_step : what every step brings
        RequestError for a chain in which some walk may never end.
        """
        return self._values(self._groups(self.moves), value, each_step)

    def steps(self, most: int, start: S | Spread[S], ending: Callable[[S], bool] | None = None) -> Steps:
        """Return the chances that a walk ends after exactly 0, 1, …, `most` steps.

        ending : counts only the absorbing states for which it is true
        """
        if most < 0:
            raise RequestError(f"most is {most}; expected a number of steps, 0 or more")
        first = self._start(start)
        ways, moves = self._in_whole_ways
        scale = lcm(*(chance.denominator for chance in first.values()))
        here = {state: int(chance * scale) for state, chance in first.items()}
        chances = []
        for _ in range(most + 1):
            ends = (number for state, number in here.items() if state not in moves and (not ending or ending(state)))
            chances.append(Fraction(sum(ends), scale))
            ahead: dict[S, int] = {}
            for state, number in here.items():
                for to, leading in moves.get(state, ()):
                    ahead[to] = ahead.get(to, 0) + number * leading
            here, scale = ahead, scale * ways
        return Steps(tuple(chances), 1 - sum(chances, NONE))

    @property
    def table(self) -> "pd.DataFrame":
        """The chances of all moves: a row for each, `from`, `to` and `chance`."""
        import pandas as pd

        rows = [(state, to, chance) for state, moves in self.moves.items() for to, chance in moves.items()]
        return pd.DataFrame(rows, columns=["from", "to", "chance"])

    @property
    def solution(self) -> "pd.DataFrame":
        """What becomes of a walk from each transient state: its chances of every ending, and `steps`."""
        import pandas as pd

        ends = {end: self.values(lambda state, end=end: Fraction(state == end)) for end in self.absorbing}  # type: ignore[misc]
        steps = self.values(lambda _: NONE, each_step=Fraction(1))
        rows = [(state, *(chances[state] for chances in ends.values()), steps[state]) for state in self.transient]
        return pd.DataFrame(rows, columns=["from", *map(str, ends), "steps"])

    # --- How it is solved -----------------------------------------------------------------------------------

    @cached_property
    def _in_whole_ways(self) -> tuple[int, dict[S, list[tuple[S, int]]]]:
        """How many equally likely ways there are to move on from any transient state, and how many lead where."""
        ways = lcm(*(chance.denominator for to in self.moves.values() for chance in to.values()))
        return ways, {
            state: [(to, int(chance * ways)) for to, chance in moves.items()]
            for state, moves in self.moves.items()
            if moves
        }

    def _start(self, start: S | Spread[S]) -> dict[S, Fraction]:
        """The start as a spread, which the caller may change."""
        if isinstance(start, Mapping):
            spread = _checked("the chances of the start", cast("Spread[S]", start))
        else:
            spread = {start: Fraction(1)}
        for state in spread:
            if state not in self.moves:
                raise RequestError(f"the chain has no state {state!r}; it has {_listed(self.moves)}")
        return spread

    def _groups(self, start: Collection[S]) -> list[list[S]]:
        """States within reach, in groups that lead back to each other; a group comes before those that it leads to.

        RequestError for a group of transient states that can't be left.
        """
        found: dict[S, int] = {}
        lowest: dict[S, int] = {}
        pending: dict[S, None] = {}
        groups: list[list[S]] = []
        for root in start:
            path: list[tuple[S, Iterator[S]]] = []
            entering = [] if root in found else [root]
            while entering or path:
                if entering:
                    state = entering.pop()
                    found[state] = lowest[state] = len(found)
                    pending[state] = None
                    path.append((state, iter(self.moves[state])))
                state, onward = path[-1]
                for to in onward:
                    if to not in found:
                        entering = [to]
                        break
                    if to in pending:
                        lowest[state] = min(lowest[state], found[to])
                if entering:
                    continue
                path.pop()
                if path:
                    lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[state])
                if lowest[state] == found[state]:
                    groups.append(self._closed(state, pending))
        return groups[::-1]

    def _closed(self, first: S, pending: dict[S, None]) -> list[S]:
        """Take the group that was entered by its first state off those that are pending."""
        group: list[S] = []
        while not group or group[-1] != first:
            group.append(pending.popitem()[0])
        inside = set(group)
        if self.moves[first] and all(to in inside for state in group for to in self.moves[state]):
            raise RequestError(f"the chain never ends from {_listed(group)}; expected a way to an absorbing state")
        return group

    def _visits_within(self, group: list[S], inflow: Spread[S]) -> dict[S, Fraction]:
        """Expected visits to the states of one group, from what flows in from outside of it."""
        flow = {state: inflow.get(state, NONE) for state in group}
        if len(group) == 1:
            (state,) = group
            return {state: flow[state] / (1 - self.moves[state].get(state, NONE))}
        eliminated = self._eliminated(group)
        for state, leaves, _, onward in eliminated:
            flow[state] /= leaves
            for to, chance in onward.items():
                flow[to] += flow[state] * chance
        visits: dict[S, Fraction] = {}
        for state, leaves, entered, _ in reversed(eliminated):
            again = sum((visits[other] * chance for other, chance in entered.items()), NONE)
            visits[state] = flow[state] + again / leaves
        return visits

    def _values(self, groups: list[list[S]], value: Callable[[S], Fraction], each_step: Fraction) -> dict[S, Fraction]:
        values: dict[S, Fraction] = {}
        for group in reversed(groups):
            if not self.moves[group[0]]:
                values[group[0]] = value(group[0])
                continue
            leaving = {
                state: each_step
                + sum((chance * values[to] for to, chance in self.moves[state].items() if to in values), NONE)
                for state in group
            }
            values |= self._values_within(group, leaving)
        return values

    def _values_within(self, group: list[S], leaving: dict[S, Fraction]) -> dict[S, Fraction]:
        """Expected values of the states of one group, from what each brings when the group is left from there."""
        if len(group) == 1:
            (state,) = group
            return {state: leaving[state] / (1 - self.moves[state].get(state, NONE))}
        eliminated = self._eliminated(group)
        for state, leaves, entered, _ in eliminated:
            leaving[state] /= leaves
            for other, chance in entered.items():
                leaving[other] += chance * leaving[state]
        values: dict[S, Fraction] = {}
        for state, leaves, _, onward in reversed(eliminated):
            ahead = sum((chance * values[to] for to, chance in onward.items()), NONE)
            values[state] = leaving[state] + ahead / leaves
        return values

    def _eliminated(self, group: list[S]) -> list[_Eliminated[S]]:
        """Eliminate the states of a group one by one: the ways into a state are led on to where it moves."""
        inside = set(group)
        out = {state: {to: chance for to, chance in self.moves[state].items() if to in inside} for state in group}
        into: dict[S, set[S]] = {state: {other for other in group if state in out[other]} for state in group}
        eliminated = []
        while out:
            state = min(out, key=lambda each: len(into[each]) * len(out[each]))
            onward, before = out.pop(state), into.pop(state) - {state}
            leaves = 1 - onward.pop(state, NONE)
            entered = {other: out[other].pop(state) for other in before}
            eliminated.append(_Eliminated(state, leaves, entered, onward))
            for to, chance in onward.items():
                into[to].discard(state)
                into[to] |= before
                for other, entering in entered.items():
                    out[other][to] = out[other].get(to, NONE) + entering * chance / leaves
        return eliminated


def _checked(whose: str, spread: Mapping[S, Any]) -> dict[S, Fraction]:
    for state, chance in spread.items():
        if not isinstance(chance, Rational) or chance < 0:
            raise RequestError(f"{whose} have {state!r} with chance {chance!r}; expected a fraction from 0 to 1")
    total = sum(spread.values(), NONE)
    if total != 1:
        raise RequestError(f"{whose} sum to {total}; expected 1")
    return {state: Fraction(chance) for state, chance in spread.items() if chance}


def _listed(states: Collection[object], most: int = 5) -> str:
    names = [repr(state) for state in states]
    return ", ".join(names[:most]) + (f" and {len(names) - most:,} more" if len(names) > most else "")
