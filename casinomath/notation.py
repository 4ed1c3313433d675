"""What a player is asked to remember: the codes that a chart may use.

`Knowledge` names a class of strategies. The widest, `EVERY_CELL`, has an action of its own in every cell; the others
write a chart in the notation of `strategy.Chart`, with some of its codes left out.
"""

from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import UPCARDS, VALUES
from casinomath.cells import (
    CELLS,
    FIRST,
    MORE,
    MOST,
    SEVENS_SPLIT,
    SIX_SEVEN_EIGHTS,
    SLOTS,
    SPLIT_ACES,
    SPLIT_HANDS,
    SUITED_FIRST,
    SUITED_SPLIT,
    WINNING,
    Decisions,
    Sums,
    allowed,
    places,
)
from casinomath.charts import Code, Column, chart_policy, parse_code
from casinomath.decisions import hand_name, pair_name, totals
from casinomath.kernels.actions import DOUBLE, HIT, RESCUE, SPLIT, STAND, SURRENDER
from casinomath.kernels.hands import hands
from casinomath.kernels.worths import CLASSES, GIVE_UP
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, aces_play, pair_row
from casinomath.worths import Floats

DIGITS: Final = "34567"
MARKED: Final = {"*": (0, 1, 2), "'": (1, 2), '"': (2,)}
"""The classes of suits that a mark hits."""


@dataclass(frozen=True)
class Knowledge:
    """What a player tells apart; every field turned off takes something off the chart."""

    name: str = "chart"
    every_cell: bool = False
    """An action of its own in every cell, as no notation has it."""
    digits: bool = True
    """Numbers of cards from which a hand is hit after all."""
    marks: bool = True
    """Two cards are hit for a 6-7-8 or a Super Bonus."""
    surrender: bool = True
    rescue: bool = True
    redouble: bool = True
    exceptions: frozenset[tuple[str, str, str]] = field(default=frozenset())
    """Cells (table, hand, upcard) that may have digits and marks all the same."""

    def allows(self, code: Code) -> bool:
        """Whether a code for a total or a pair may be used, exceptions aside."""
        return (
            (self.digits or code.hit_from > len(DIGITS) + 2)
            and (self.marks or not code.mark)
            and (self.surrender or not code.surrender)
        )


CHART: Final = Knowledge()
"""All of the notation."""
EVERY_CELL: Final = Knowledge("every_cell", every_cell=True)


@dataclass(frozen=True)
class Unit:
    """What is decided as one: an entry of a chart's row, or a single cell."""

    table: str
    hand: str
    cells: NDArray[np.intp]
    """Where it decides."""
    codes: tuple[str, ...]
    """Simple ones first."""
    actions: NDArray[np.uint8]
    """(codes, cells) what each code means there."""
    allowed: NDArray[np.bool_]
    """(10, codes) by upcard"""

    def without(self, cells: Container[int]) -> "Unit":
        """Return it without a say in some cells."""
        kept = np.array([cell not in cells for cell in self.cells.tolist()])
        return self if kept.all() else replace(self, cells=self.cells[kept], actions=self.actions[:, kept])


def _given(problem: Problem) -> dict[int, NDArray[np.uint8]]:
    """(10,) actions in the cells that no code decides, by upcard: see `Problem.aces_may_only_double`."""
    if not problem.aces_may_only_double:
        return {}
    best, at, lattice = aces_play(problem), places(), hands()
    rows = (int(lattice.child[lattice.child[0, 0], value]) for value in range(9))
    return {int(at.totals[int(lattice.total[row]), 1, SPLIT_ACES.start]): best[:, row] for row in rows}


class Units:
    """A class of strategies at a table, as units that can be chosen independently."""

    def __init__(self, knowledge: Knowledge, problem: Problem) -> None:
        """List the units and what each may be."""
        self.knowledge, self.problem = knowledge, problem
        given = _given(problem)
        self.given = np.full((10, CELLS), STAND, dtype=np.uint8)
        """What is done where no unit decides."""
        for cell, actions in given.items():
            self.given[:, cell] = actions
        self.units = tuple(unit.without(given) for unit in _units(knowledge, problem))
        most = max(len(unit.codes) for unit in self.units)
        self.allowed = np.zeros((len(self.units), 10, most), dtype=bool)
        """(units, 10, codes)"""
        for may_use, unit in zip(self.allowed, self.units, strict=True):
            may_use[:, : len(unit.codes)] = unit.allowed

    def worths(self, sums: Sums) -> Floats:
        """(units, 10, codes) the worth of every code by that of actions; −inf for what is not allowed."""
        result = np.full(self.allowed.shape, -np.inf)
        for worths, unit in zip(result, self.units, strict=True):
            worths[:, : len(unit.codes)] = sums[:, unit.cells, unit.actions].sum(axis=2)
        result[~self.allowed] = -np.inf
        return result

    def decisions(self, choices: NDArray[np.intp]) -> Decisions:
        """Return the decisions that codes mean; `choices` (units, 10)."""
        result = self.given.copy()
        for unit, choice in zip(self.units, choices, strict=True):
            result[:, unit.cells] = unit.actions[choice]
        return result

    def chart(self, choices: NDArray[np.intp], name: str) -> Chart:
        """Write codes as a chart, without the tables after more doubles that say nothing new."""
        tables: dict[str, dict[str, dict[str, str]]] = {}
        for unit, choice in zip(self.units, choices, strict=True):
            row = dict(zip(VALUES, (unit.codes[code] for code in choice), strict=True))
            tables.setdefault(unit.table, {})[unit.hand] = {upcard: row[upcard] for upcard in UPCARDS}
        for table, hand in (("hard", "21"), ("soft", "A-10")):
            tables[table][hand] = dict.fromkeys(UPCARDS, "S")
        for doubles in range(self.problem.table.max_doubles, 1, -1):
            fewer = {table: rows for table, rows in tables.items() if not table.startswith(f"after_{doubles}")}
            charts = (Chart(name, each) for each in (tables, fewer))
            full, short = (chart_policy(chart, self.problem).after[doubles - 1] for chart in charts)
            dealt = (hands().size >= doubles + 2) & (hands().total < 21)
            if not np.array_equal(full[:, dealt], short[:, dealt]):
                break
            tables = fewer
        return Chart(name, tables)


def _units(knowledge: Knowledge, problem: Problem) -> Iterator[Unit]:
    for total, soft in totals():
        if total < 21:
            yield from _total_units(knowledge, problem, total, soft)
    for value in (*range(1, 10), 0):
        yield from _pair_units(knowledge, problem, value)
    may_use = np.tile([True, knowledge.rescue, knowledge.redouble], (10, 1))
    actions = np.array([[STAND], [GIVE_UP], [DOUBLE]], dtype=np.uint8)
    lattice, after = hands(), places().after
    for doubles in filter(problem.decides_after, range(1, problem.table.max_doubles + 1)):
        stage = "after_double" if doubles == 1 else f"after_{doubles}_doubles"
        for total, soft in totals():
            drawn = (lattice.total == total) & (lattice.soft == soft) & (lattice.size >= doubles + 2)
            if total < 21 and drawn.any():
                table = f"{stage}_{'soft' if soft else 'hard'}"
                cell = after[[doubles - 1], total, int(soft)]
                yield Unit(table, hand_name(total, soft), cell, ("S", "R", "D"), actions, may_use)


def _total_units(knowledge: Knowledge, problem: Problem, total: int, soft: bool) -> Iterator[Unit]:
    table, hand, cells = "soft" if soft else "hard", hand_name(total, soft), places().totals[total, int(soft)]
    # the first of those that come to the same: two aces that can't be split hit, in words, where they can but stand
    letters = ["H", "S", "D"] if total < 12 or (soft and total == 12) else ["S", "H", "D"]
    may = allowed(problem)
    if (may.hit[cells] & ~may.double[cells]).any() and may.double[cells].any():
        letters.append("DS")
    may_surrender = bool(problem.table.surrender)
    if knowledge.every_cell:
        for slots in _single_cells():
            codes = (
                [*letters, *("R" + letter for letter in letters)] if may_surrender and slots[0] in FIRSTS else letters
            )
            rows = np.array([total_actions(parse_code(code, table, ""), problem, cells)[slots] for code in codes])
            yield Unit(table, hand, cells[slots], tuple(codes), rows, np.ones((10, len(codes)), dtype=bool))
        return
    simple = [*letters, *(letter + digit for digit in DIGITS for letter in letters if letter != "H")]
    codes = [*simple, *("R" + code for code in simple)] if may_surrender else simple
    if (problem.suited.place >= 0).any() and not soft and total in SIX_SEVEN_EIGHTS:
        codes = [*codes, *(code + mark for mark in MARKED for code in codes)]
    read = [parse_code(code, table, "") for code in codes]
    may_use = np.tile([knowledge.allows(code) for code in read], (10, 1))
    for upcard, value in enumerate(VALUES):
        if (table, hand, value) in knowledge.exceptions:
            may_use[upcard] = [knowledge.surrender or not code.surrender for code in read]
    rows = np.array([total_actions(code, problem, cells) for code in read])
    yield Unit(table, hand, cells, tuple(codes), rows, may_use)


FIRSTS: Final = (FIRST, *range(*SUITED_FIRST.indices(SLOTS)))
"""The slots of first decisions."""


def _single_cells() -> Iterator[list[int]]:
    """Yield the slots that are one cell: a decision in rounds that are split, and in others."""
    yield [FIRST, SPLIT_HANDS.start, SPLIT_ACES.start]
    for more in range(MOST - 2):
        yield [MORE.start + more, SPLIT_HANDS.start + 1 + more, SPLIT_ACES.start + 1 + more]
    for each in range(CLASSES):
        yield [SUITED_FIRST.start + each, SUITED_SPLIT.start + each]
        yield [SEVENS_SPLIT.start + each]


def _pair_units(knowledge: Knowledge, problem: Problem, value: int) -> Iterator[Unit]:
    cells = places().pairs[value]
    codes = [*"SH", *"D" * bool(problem.may_double[pair_row(value)]), *"P" * (problem.most_hands(value) > 1)]
    codes += "R" * bool(problem.table.surrender)
    if knowledge.every_cell:
        for cell in range(2 * CLASSES):
            rows = np.array([pair_actions(parse_code(code, "pairs", ""), problem, value)[[cell]] for code in codes])
            may_use = np.ones((10, len(codes)), dtype=bool)
            yield Unit("pairs", pair_name(value), cells[[cell]], tuple(codes), rows, may_use)
        return
    if value == 6 and problem.super_bonus:
        codes += [code + "$" for code in codes]
    read = [parse_code(code, "pairs", "") for code in codes]
    allowed = np.tile([knowledge.allows(code) for code in read], (10, 1))
    yield Unit(
        "pairs",
        pair_name(value),
        cells,
        tuple(codes),
        np.array([pair_actions(code, problem, value) for code in read]),
        allowed,
    )


def total_actions(code: Code, problem: Problem, cells: NDArray[np.intp]) -> NDArray[np.uint8]:
    """(slots,) what a code for a total means in its cells."""
    may, row = allowed(problem), np.empty(SLOTS, dtype=np.uint8)
    hit = np.zeros(SLOTS, dtype=bool)
    for each in MARKED.get(code.mark, ()):
        hit[[SUITED_FIRST.start + each, SUITED_SPLIT.start + each]] = True
    for slot, cell in enumerate(cells):
        action = HIT if hit[slot] else code.action(CARDS[slot], bool(may.double[cell]))
        row[slot] = STAND if action == HIT and not may.hit[cell] else action
        if slot in FIRSTS and code.surrender and problem.table.surrender and not hit[slot]:
            row[slot] = SURRENDER
    return row


def _cards() -> Iterator[int]:
    for slot in range(SLOTS):
        starts = (MORE.start - 1, SPLIT_HANDS.start, SPLIT_ACES.start)
        ranges = (MORE, SPLIT_HANDS, SPLIT_ACES)
        found = (slot - start + 2 for start, each in zip(starts, ranges, strict=True) if each.start <= slot < each.stop)
        yield next(found, 2)


CARDS: Final = tuple(_cards())
"""The number of cards in each slot."""


def pair_actions(code: Code, problem: Problem, value: int) -> NDArray[np.uint8]:
    """(places,) what a code for a pair means as a first decision."""
    action = code.action(2, bool(problem.may_double[pair_row(value)]))
    row = np.full(2 * CLASSES, SURRENDER if code.surrender and problem.table.surrender else action, np.uint8)
    if code.mark == "$":
        row[WINNING:] = HIT
    return row


def decisions_of(chart: Chart, problem: Problem) -> Decisions:
    """Return what a chart says in every cell; of hands of seven cards and more, what it says with seven."""
    result, at = np.full((10, CELLS), STAND, dtype=np.uint8), places()
    for upcard in range(10):
        column = Column(chart, upcard, problem)
        for total, soft in totals():
            if total == 21:
                continue
            cells = at.totals[total, int(soft)]
            result[upcard, cells] = total_actions(column.code(total, soft), problem, cells)
            for doubles in range(1, problem.table.max_doubles + 1):
                action = column.after(problem, doubles, total, soft)
                result[upcard, at.after[doubles - 1, total, int(soft)]] = GIVE_UP if action == RESCUE else action
        for pair in range(10):
            row = pair_actions(column.pair(pair), problem, pair)
            if problem.most_hands(pair) < 2:
                of_total = at.totals[12, 1] if pair == 0 else at.totals[2 * pair + 2, 0]
                row[row == SPLIT] = result[upcard, of_total[FIRST]]
            result[upcard, at.pairs[pair]] = row
    for cell, actions in _given(problem).items():
        result[:, cell] = actions
    return result
