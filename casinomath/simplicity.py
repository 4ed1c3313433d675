"""What simplicity costs: the best play of players who know less, and the exceptions that are worth learning first.

Every class of strategies is searched for its own best play by its exact EV (see `optimum`), not cut out of a better
one. Classes that hold others are never worth less: every cell ≥ chart ≥ no card counts, no marks ≥ plain ≥ novice, and
chart ≥ any chart, published ones and those for several tables included. Nothing else is certain: a published chart may
be worth more or less than the best play of a class that does not hold it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import STANDARD, UPCARDS, VALUES
from casinomath.cells import policy_of, sums_of
from casinomath.charts import chart_policy
from casinomath.errors import unknown
from casinomath.kernels.twentyone import Table
from casinomath.notation import CHART, EVERY_CELL, Knowledge, Units, decisions_of
from casinomath.optimum import EQUAL, Optimum, improve
from casinomath.strategy import Chart
from casinomath.total_play import best_chart, pricing
from casinomath.twentyone import Problem, always_stand, play, solve
from casinomath.worths import Floats, Pricing

if TYPE_CHECKING:
    import pandas as pd

PLAIN: Final = Knowledge("plain", digits=False, marks=False)
CLASSES: Final = {
    each.name: each
    for each in (
        CHART,
        Knowledge("no_marks", marks=False),
        Knowledge("no_card_counts", digits=False),
        Knowledge("no_surrender", surrender=False),
        Knowledge("no_rescue", rescue=False),
        Knowledge("no_redouble", redouble=False),
        PLAIN,
        replace(PLAIN, name="novice", surrender=False, rescue=False, redouble=False),
    )
}
"""Classes of charts by name."""
CANDIDATES: Final = 6
"""Exceptions against each upcard among which the best sets are searched."""
MOST_OF_A_SET: Final = 3
"""Exceptions against one upcard that a set may hold."""


def things(chart: Chart) -> int:
    """Count what there is to remember: runs of equal codes along a chart's rows; none for a row like the one above."""
    found = 0
    for rows in chart.tables.values():
        above: list[str | None] = []
        for codes in rows.values():
            row = [codes.get(upcard) for upcard in UPCARDS]
            if row != above:
                found += 1 + sum(code != before for before, code in pairwise(row))
            above = row
    return found


class Simpler(NamedTuple):
    """The best play of a class."""

    name: str
    words: str
    ev: float
    things: int | None
    """Things to remember; None where no chart says it."""
    chart: Chart | None


class Learnt(NamedTuple):
    """An exception to a plain chart."""

    table: str
    hand: str
    upcard: str
    plain: str
    """What the plain chart says."""
    code: str
    gain: float
    """What it adds to the EV once those before it against the same upcard are known."""


class BestSet(NamedTuple):
    """The best exceptions of a number."""

    exceptions: tuple[Learnt, ...]
    gain: float


@dataclass(frozen=True)
class Simplicity:
    """What each class of strategies is worth at one table."""

    best_play: float
    """The EV of the best play by composition."""
    classes: tuple[Simpler, ...]
    plain: Simpler
    learnt: tuple[Learnt, ...]
    """Exceptions to the plain chart, each the one that then gains most."""
    sets: tuple[BestSet, ...]
    """The best sets of 1, 2, 3, … exceptions."""

    @property
    def table(self) -> "pd.DataFrame":
        """One row a class: `name`, `words`, `things`, `house_edge`, `cost` (over the best chart), `over_best_play`."""
        import pandas as pd

        best = next(each.ev for each in self.classes if each.name == CHART.name)
        rows = [
            {
                "name": each.name,
                "words": each.words,
                "things": each.things,
                "house_edge": -each.ev,
                "cost": best - each.ev,
                "over_best_play": self.best_play - each.ev,
            }
            for each in self.classes
        ]
        return pd.DataFrame(rows).astype({"things": "Int64"})

    @property
    def exceptions(self) -> "pd.DataFrame":
        """One row an exception in the order of learning: where, both codes, `gain`, `cost` left over the best chart."""
        import pandas as pd

        frame = pd.DataFrame(self.learnt, columns=list(Learnt._fields))
        best = next(each.ev for each in self.classes if each.name == CHART.name)
        frame["cost"] = best - self.plain.ev - frame["gain"].cumsum()
        frame.insert(0, "number", range(1, len(frame) + 1))
        return frame

    @property
    def best_sets(self) -> "pd.DataFrame":
        """One row a number of exceptions: the best set, its gain, and that of the exceptions learnt one by one."""
        import pandas as pd

        one_by_one = np.cumsum([each.gain for each in self.learnt])
        rows = [
            {
                "number": number,
                "exceptions": ", ".join(f"{each.table} {each.hand} v {each.upcard} {each.code}" for each in best[0]),
                "gain": best.gain,
                "one_by_one": float(one_by_one[min(number, len(one_by_one)) - 1]) if len(one_by_one) else 0.0,
            }
            for number, best in enumerate(self.sets, start=1)
        ]
        return pd.DataFrame(rows, columns=["number", "exceptions", "gain", "one_by_one"])


def simplicity(
    problem: Problem,
    published: Mapping[str, Chart],
    several: Mapping[tuple[str, str], Sequence[Problem]],
    numbers: Iterable[int] = (1, 2, 3, 5, 10, 20),
) -> Simplicity:
    """Return what classes of strategies are worth at a table, from the best play to the novice's.

    published : charts to set beside them, by name
    several   : tables that one chart is to be played at, this one among them, by the chart's name and words
    numbers   : of exceptions to a plain chart
    """
    at = pricing(problem)
    solution = solve(problem)
    best_play = play(problem, solution.policy, solution.splits).ev
    chart = best_chart(problem)
    start = chart_policy(chart, problem)
    found = [
        _simpler(improve([at], EVERY_CELL, solution.policy, always_stand()), "an action of its own in every cell"),
        Simpler(CHART.name, "the best chart in the whole notation", _ev(at, chart), things(chart), chart),
    ]
    plain = improve([at], PLAIN, start, always_stand(), tried=0)
    for knowledge, words in _classes(problem):
        best = plain if knowledge == PLAIN else improve([at], knowledge, start, always_stand(), tried=0)
        found.append(_simpler(best, words))
    simple = next(each for each in found if each.name == PLAIN.name)
    learnt = tuple(_learn(at, plain))
    for number in numbers:
        if number <= len(learnt):
            gain = sum(each.gain for each in learnt[:number])
            known = _with(simple.chart, learnt[:number])
            words = "a plain chart and the exception" if number == 1 else f"a plain chart and {number} exceptions"
            found.append(Simpler(f"plain_and_{number}", words, simple.ev + gain, (simple.things or 0) + number, known))
    for (name, words), problems in several.items():
        tables = [at, *(pricing(other) for other in problems if other != problem)]
        one = improve(tables, replace(CHART, name=name), start, tried=0).chart(name)
        found.append(Simpler(name, words, _ev(at, one), things(one), one))
    found += [Simpler(name, "published", _ev(at, each), things(each), each) for name, each in published.items()]
    if problem.table.twenty_one_wins:
        ordinary = best_chart(blackjack(problem))
        found.append(Simpler("blackjack", "basic strategy of ordinary blackjack", *_ordinary(at, ordinary), ordinary))
    return Simplicity(best_play, tuple(found), simple, learnt, tuple(_best_sets(at, plain)))


def _classes(problem: Problem) -> list[tuple[Knowledge, str]]:
    """The classes that there are at a table, the whole notation left out, with their words."""
    table = problem.table
    offered = {
        "no_marks": bool((problem.suited.place >= 0).any()),
        "no_surrender": bool(table.surrender),
        "no_rescue": bool(table.rescue),
        "no_redouble": table.max_doubles > 1,
    }
    words = {
        "no_marks": "no exceptions for 6-7-8s and the Super Bonus",
        "no_card_counts": "no exceptions by number of cards",
        "no_surrender": "never surrenders",
        "no_rescue": "never rescues a doubled hand",
        "no_redouble": "never redoubles",
        "plain": "neither exceptions by cards nor for bonuses",
        "novice": "plain, no surrender, rescue or redouble",
    }
    return [(CLASSES[name], said) for name, said in words.items() if offered.get(name, True)]


def chart_of_class(problem: Problem, name: str) -> Chart:
    """Return the best chart of one of CLASSES; RequestError for another name."""
    if name not in CLASSES:
        raise unknown("class of charts", name, CLASSES)
    if CLASSES[name] == CHART:
        return best_chart(problem)
    start = chart_policy(best_chart(problem), problem)
    return improve([pricing(problem)], CLASSES[name], start, always_stand(), tried=0).chart(name)


def _simpler(found: Optimum, words: str) -> Simpler:
    if found.units.knowledge.every_cell:
        return Simpler(found.units.knowledge.name, words, found.ev, None, None)
    chart = found.chart(found.units.knowledge.name)
    return Simpler(chart.name, words, found.ev, things(chart), chart)


def _ev(at: Pricing, chart: Chart) -> float:
    return float(at.priced(chart_policy(chart, at.problem)).ev.sum())


# ---------------------------------------------------------------------------------------------------------------------
# Ordinary blackjack


def blackjack(problem: Problem) -> Problem:
    """Return ordinary blackjack on as many packs, with the same dealer: late surrender, doubles of any two cards."""
    table = Table(
        twenty_one_wins=0,
        double_up_to=2,
        max_doubles=1,
        rescue=0,
        surrender=1,
        split_aces_draw=0,
        resplit_aces=0,
    )
    return Problem(
        table=table,
        shoe=tuple(problem.decks * count for count in STANDARD),
        decks=problem.decks,
        hits_soft_17=problem.hits_soft_17,
        max_hands=4,
        pays={"blackjack": 1.5, "surrender": -0.5},
        split_pays={},
    )


def _ordinary(at: Pricing, chart: Chart) -> tuple[float, int]:
    """The EV of a chart of blackjack played here, two cards doubled and no others, nothing rescued; and its things."""
    problem = at.problem
    read_at = replace(problem, table=problem.table._replace(double_up_to=2, max_doubles=1, rescue=0))
    policy = policy_of(decisions_of(chart, read_at), problem)
    return float(at.priced(policy).ev.sum()), things(chart)


# ---------------------------------------------------------------------------------------------------------------------
# Exceptions


class _Exceptions:
    """A plain chart at a table, and what changing its entries gains."""

    def __init__(self, at: Pricing, plain: Optimum) -> None:
        self.at, self.plain = at, plain
        self.units = Units(CHART, at.problem)

    def gains(self, choices: NDArray[np.intp]) -> tuple[Floats, NDArray[np.intp]]:
        """(units, 10) what the best code of each entry gains by itself, and which it is."""
        problem = self.at.problem
        sums = sums_of(self.at.priced(policy_of(self.units.decisions(choices), problem)), problem)
        worths = self.units.worths(sums)
        taken = np.take_along_axis(worths, choices[..., None], axis=2)
        gains: Floats = worths.max(axis=2) - taken[..., 0]
        return gains, worths.argmax(axis=2)

    def learnt(self, unit: int, upcard: int, code: int, gain: float) -> Learnt:
        of = self.units.units[unit]
        before = of.codes[self.plain.choices[unit, upcard]]
        return Learnt(of.table, of.hand, VALUES[upcard], before, of.codes[code], gain)


def _learn(at: Pricing, plain: Optimum) -> list[Learnt]:
    """Learn one exception after the other, each time the one that gains most; upcards don't interfere."""
    entries = _Exceptions(at, plain)
    choices, columns = plain.choices.copy(), np.arange(10)
    by_column: list[list[Learnt]] = [[] for _ in range(10)]
    while True:
        gains, codes = entries.gains(choices)
        gains[choices != plain.choices] = 0.0
        unit = gains.argmax(axis=0)
        gain = gains[unit, columns]
        if gain.max() <= EQUAL:
            break
        for upcard in np.flatnonzero(gain > EQUAL):
            code = int(codes[unit[upcard], upcard])
            choices[unit[upcard], upcard] = code
            by_column[upcard].append(entries.learnt(int(unit[upcard]), int(upcard), code, float(gain[upcard])))
    learnt = []
    while any(by_column):
        first = max((column for column in by_column if column), key=lambda column: column[0].gain)
        learnt.append(first.pop(0))
    return learnt


def _best_sets(at: Pricing, plain: Optimum, most: int = 5) -> list[BestSet]:
    """The best sets of 1, 2, … exceptions, exactly: of up to three against one upcard, any number against others.

    Against each upcard every one and two of CANDIDATES are tried with the best further one; upcards add up.
    """
    entries = _Exceptions(at, plain)
    columns = np.arange(10)
    gains, codes = entries.gains(plain.choices)
    order = np.argsort(-gains, axis=0)[:CANDIDATES]
    best: list[dict[int, tuple[float, tuple[Learnt, ...]]]] = [{0: (0.0, ())} for _ in columns]

    def consider(known: Sequence[_Change], more: Floats, better: NDArray[np.intp]) -> None:
        """Add the best further exception to those that are made."""
        for upcard in columns:
            rest = more[:, upcard].copy()
            rest[[int(change.unit[upcard]) for change in known]] = 0.0
            unit = int(rest.argmax())
            picked = [(int(each.unit[upcard]), int(each.code[upcard]), float(each.gain[upcard])) for each in known]
            picked.append((unit, int(better[unit, upcard]), float(rest[unit])))
            total = sum(gain for *_, gain in picked)
            useful = all(gain > EQUAL for *_, gain in picked)
            if useful and total > best[upcard].get(len(picked), (0.0, ()))[0]:
                named = tuple(entries.learnt(unit, int(upcard), code, gain) for unit, code, gain in picked)
                best[upcard][len(picked)] = (total, named)

    consider((), gains, codes)
    for first in range(len(order)):
        one = _Change.of(order[first], gains, codes)
        with_one = one.made(plain.choices)
        after_one, better = entries.gains(with_one)
        consider((one,), after_one, better)
        for second in range(first + 1, len(order)):
            two = _Change.of(order[second], after_one, better)
            consider((one, two), *entries.gains(two.made(with_one)))
    return _combined(best, most)


class _Change(NamedTuple):
    """One entry changed against each upcard."""

    unit: NDArray[np.intp]
    code: NDArray[np.intp]
    gain: Floats
    """By itself, beside what was changed before."""

    @classmethod
    def of(cls, unit: NDArray[np.intp], gains: Floats, codes: NDArray[np.intp]) -> "_Change":
        """Change these units to their best codes."""
        columns = np.arange(10)
        return cls(unit, codes[unit, columns], gains[unit, columns])

    def made(self, choices: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return the choices with the change made."""
        result = choices.copy()
        result[self.unit, np.arange(10)] = self.code
        return result


def _combined(best: Sequence[Mapping[int, tuple[float, tuple[Learnt, ...]]]], most: int) -> list[BestSet]:
    """The best sets over all upcards: their gains add up, so one upcard after the other is filled in."""
    sets: dict[int, tuple[float, tuple[Learnt, ...]]] = {0: (0.0, ())}
    for column in best:
        filled = dict(sets)
        for size, (gain, exceptions) in sets.items():
            for more, (added, others) in column.items():
                number = size + more
                if number <= most and gain + added > filled.get(number, (-1.0, ()))[0]:
                    filled[number] = (gain + added, exceptions + others)
        sets = filled
    return [BestSet(sets[number][1], sets[number][0]) for number in range(1, most + 1) if number in sets]


def _with(chart: Chart | None, learnt: Sequence[Learnt]) -> Chart:
    """A chart with exceptions written in."""
    assert chart is not None
    tables = {table: {hand: dict(codes) for hand, codes in rows.items()} for table, rows in chart.tables.items()}
    for each in learnt:
        tables[each.table][each.hand][each.upcard] = each.code
    return Chart(f"plain_and_{len(learnt)}", tables)
