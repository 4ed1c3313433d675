"""Charts of the family of 21: derived from exact decisions, and played as exact policies.

A chart sees a hand's total, its number of cards, the upcard, and on two cards whether a 6-7-8 is possible. It is
derived here from the composition-dependent decisions: every composition is weighted by how often it is reached, and a
cell gets the code that is worth most among those the notation of `strategy.Chart` can say.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import UPCARDS, VALUES
from casinomath.decisions import (
    MOST_CARDS,
    Groups,
    Weighed,
    action_names,
    hand_name,
    pair_name,
    redouble_names,
    suits_names,
    totals,
)
from casinomath.errors import RequestError
from casinomath.kernels.actions import ACTIONS, DOUBLE, DOUBLES, HIT, RESCUE, SPLIT, STAND, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import COMPLETING, SUITED_HANDS, SUITS
from casinomath.kernels.twentyone import TIE
from casinomath.strategy import Cell, Chart
from casinomath.twentyone import Problem, aces_play, always_stand, pair_row

CODE = re.compile(r"""(?P<surrender>R?)(?P<base>DS|[SHDP]?)(?P<digit>[2-9]?)(?P<mark>[*'"$]?)""")
LETTERS = {"S": STAND, "H": HIT, "D": DOUBLE, "DS": DOUBLE, "P": SPLIT}
AFTER_DOUBLE = ("S", "R", "D")
"""All that can be done after a double."""
FREE = "free_"
"""What the names of tables begin with that are for split hands which carry free bets."""
MARKS = ("*", "'", '"')
"""Two-card hands that hit for a 6-7-8: all, one-suit ones, spades."""


class Code(NamedTuple):
    """A chart code taken apart."""

    surrender: bool
    base: int
    hit_from: int
    """Number of cards from which the hand is hit instead."""
    mark: str
    else_stand: bool = False
    """A hand that may not be doubled stands; without it, it is hit."""

    def action(self, cards: int, may_double: bool = True) -> int:
        """Return the action on a hand of so many cards, surrender and marks aside."""
        if cards >= self.hit_from:
            return HIT
        return self.base if may_double or self.base != DOUBLE else STAND if self.else_stand else HIT

    def actions(
        self, sizes: NDArray[np.int8], may_hit: NDArray[np.bool_], may_double: NDArray[np.bool_]
    ) -> NDArray[np.uint8]:
        """Return the actions on hands of such sizes that may do so much."""
        wanted = [self.action(int(size), bool(may)) for size, may in zip(sizes, may_double, strict=True)]
        return np.where((np.array(wanted) == HIT) & ~may_hit, STAND, wanted).astype(np.uint8)


def parse_code(code: str, table: str, where: str) -> Code:
    """Take a code apart; RequestError when that table can't hold it. A lone `R` hits where it can't surrender."""
    if table.startswith("after") and code not in AFTER_DOUBLE:
        raise RequestError(f"{where} is {code!r}; expected {', '.join(AFTER_DOUBLE)} (stand, rescue, redouble)")
    match = CODE.fullmatch(code)
    if match is None or not (match["surrender"] or match["base"]):
        expected = "S, H, D, DS, P or R, then a digit or a mark * ' \" $"
        raise RequestError(f"{where}: unknown code {code!r}; expected {expected}")
    if match["base"] == "P" and table != "pairs":
        raise RequestError(f"{where} is {code!r}; only pairs can be split")
    return Code(
        surrender=bool(match["surrender"]),
        base=LETTERS[match["base"] or "H"],
        hit_from=int(match["digit"] or 99),
        mark=match["mark"],
        else_stand=match["base"] == "DS",
    )


# ---------------------------------------------------------------------------------------------------------------------
# A chart as a policy


def chart_policy(chart: Chart, problem: Problem) -> Policy:
    """Turn a chart into decisions for every hand; RequestError names a cell that the chart lacks.

    Where the problem is that of hands that carry free bets, the tables are those for them; they have no first decision.
    """
    lattice, suited = hands(), problem.suited
    policy = always_stand()
    rows_of = {
        (total, soft): np.flatnonzero(_of_total(total, soft))
        for total, soft in totals()
        if total != 21  # a 21 is paid at once
    }
    # no cell says whether two cards are doubled that may not be hit, and their total is as good as their values
    best_of_aces = aces_play(problem) if problem.aces_may_only_double else None
    for upcard in range(10):
        table = Column(chart, upcard, problem)
        codes = {(total, soft): table.code(total, soft) for total, soft in rows_of}
        for (total, soft), rows in rows_of.items():
            code, sizes = codes[total, soft], lattice.size[rows]
            actions = code.actions(sizes, problem.may_hit[rows], problem.may_double[rows])
            policy.play[upcard, rows] = actions
            policy.split_play[upcard, rows] = code.actions(sizes, problem.may_hit[rows], problem.split_may_double[rows])
            policy.aces_play[upcard, rows] = code.actions(
                sizes, problem.aces_may_hit[rows], problem.aces_may_double[rows]
            )
            policy.first[upcard, rows] = SURRENDER if code.surrender and problem.table.surrender else actions
            for doubles in range(1, problem.table.max_doubles + 1):
                policy.after[doubles - 1, upcard, rows] = table.after(problem, doubles, total, soft)
        if best_of_aces is not None:
            policy.aces_play[upcard] = best_of_aces[upcard]
        if problem.carries_free_bet:
            continue
        for value in range(10):
            row = pair_row(value)
            code = table.pair(value)
            policy.first[upcard, row] = policy.play[upcard, row]
            if code.surrender and problem.table.surrender:
                policy.first[upcard, row] = SURRENDER
            elif code.base != SPLIT:
                policy.first[upcard, row] = code.action(2, bool(problem.may_double[row]))
            elif problem.most_hands(value) > 1:
                policy.first[upcard, row] = SPLIT
        for i, row in enumerate(suited.hand):
            policy.suited_play[upcard, i] = policy.play[upcard, row]
            policy.split_suited_play[upcard, i] = policy.split_play[upcard, row]
            policy.suited_first[upcard, i] = policy.first[upcard, row]
            x, y = SUITED_HANDS[i]
            if x != y:
                mark = codes[int(lattice.total[row]), False].mark
                marked = _marked(mark)
                policy.suited_play[upcard, i, marked] = HIT
                policy.split_suited_play[upcard, i, marked] = HIT
                policy.suited_first[upcard, i, marked] = HIT
            elif problem.super_bonus and table.pair(x).mark == "$":
                policy.suited_first[upcard, i, suited.super_bonus[i, :, upcard] > 0] = HIT
    return policy


def _of_total(total: int, soft: bool) -> NDArray[np.bool_]:
    """(n,) hands of a total."""
    lattice = hands()
    return np.asarray((lattice.total == total) & (lattice.soft == soft) & (lattice.size >= 2))


def _marked(mark: str) -> NDArray[np.bool_]:
    """(64,) the suits of a two-card hand that a mark hits."""
    suits = np.arange(SUITS)
    first, second = suits // 16, suits // 4 % 4
    if mark == "*":
        return np.ones(SUITS, dtype=bool)
    if mark == "'":
        return np.asarray(first == second)
    return np.asarray((first == second) & (first == 0) & (mark == '"'))


class Column:
    """The cells of a chart against one upcard: those for hands that carry free bets, where the problem is theirs.

    A chart needs no cell for a hand that the shoe can't deal: what it says of it comes to nothing.
    """

    def __init__(self, chart: Chart, upcard: int, problem: Problem) -> None:
        self.chart, self.upcard, self.prefix = chart, VALUES[upcard], FREE if problem.carries_free_bet else ""
        self.dealt = problem.can_deal(upcard)

    def _cell(self, table: str, hand: str) -> Code | None:
        code = self.chart.code(table, hand, self.upcard)
        return None if code is None else parse_code(code, table, self._where(table, hand))

    def _where(self, table: str, hand: str) -> str:
        return f"chart {self.chart.name}: {table} {hand} against {self.upcard}"

    def _needed(self, table: str, hand: str, rows: NDArray[np.bool_]) -> Code:
        code = self._cell(table, hand)
        if code is not None:
            return code
        if (rows & self.dealt).any():
            raise RequestError(f"{self._where(table, hand)} is missing")
        return parse_code("S", table, "")

    def code(self, total: int, soft: bool) -> Code:
        """Play an undoubled hand. Soft 12 is a pair of aces that can't be split: charts that leave it out hit."""
        if soft and total == 12:
            return self._cell(f"{self.prefix}soft", "A-A") or parse_code("H", "soft", "")
        rows = _of_total(total, soft)
        return self._needed(self.prefix + ("soft" if soft else "hard"), hand_name(total, soft), rows)

    def pair(self, value: int) -> Code:
        """Play a pair as a first decision."""
        return self._needed("pairs", pair_name(value), np.arange(len(self.dealt)) == pair_row(value))

    def after(self, problem: Problem, doubles: int, total: int, soft: bool) -> int:
        """Stand, rescue or redouble.

        All totals below 17 stand for the same, so what has no cell, or can't redouble any more, does what 16 does (17
        and more what that hard total does, or stands).
        """
        names = [f"after_{k}_doubles" for k in range(doubles, 1, -1)] + ["after_double"]
        if not problem.decides_after(doubles):
            return STAND
        may_redouble = doubles < problem.table.max_doubles
        for hand, kind in (
            (hand_name(total, soft), "soft" if soft else "hard"),
            (str(max(total, 16)), "hard"),
        ):
            for name in names:
                code = self._cell(f"{name}_{kind}", hand)
                if code is None:
                    continue
                if code.surrender:
                    if problem.table.rescue:
                        return RESCUE
                    return STAND
                if code.base == DOUBLE and not may_redouble:
                    break
                return code.base
        if total < 17 and (_of_total(total, soft) & self.dealt).any():
            raise RequestError(f"{self._where('after_double_hard', '16')} is missing")
        return STAND


# ---------------------------------------------------------------------------------------------------------------------
# A chart from decisions


def derive_chart(groups: Groups, name: str, free: Groups | None = None) -> Chart:
    """Return the chart that follows the decisions as closely as its notation can.

    free : those of hands that carry free bets, where there are any
    """
    tables: dict[str, dict[str, dict[str, str]]] = {}

    def put(table: str, hand: str, code: Callable[..., str | None], *of: object, groups: Groups = groups) -> None:
        row = {upcard: text for upcard in UPCARDS if (text := code(groups, VALUES.index(upcard), *of)) is not None}
        if row:
            tables.setdefault(table, {})[hand] = row

    for total, soft in totals():
        put("soft" if soft else "hard", hand_name(total, soft), _total_code, total, soft)
    for value in (*range(1, 10), 0):
        put("pairs", pair_name(value), _pair_code, value)
    if free is not None:
        for total, soft in totals():
            table = FREE + ("soft" if soft else "hard")
            put(table, hand_name(total, soft), _total_code, total, soft, groups=free)
    for doubles in filter(groups.problem.decides_after, range(1, groups.problem.table.max_doubles + 1)):
        stage = "after_double" if doubles == 1 else f"after_{doubles}_doubles"
        for total, soft in totals():
            if total < 21:
                kind = "soft" if soft else "hard"
                put(f"{stage}_{kind}", hand_name(total, soft), _after_code, doubles, total, soft)
    return Chart(name, _without_repeats(tables))


def _without_repeats(tables: dict[str, dict[str, dict[str, str]]]) -> dict[str, dict[str, dict[str, str]]]:
    """Leave out the tables after 2 and 3 doubles that say nothing but what the tables before them say already."""
    kept = dict(tables)
    for doubles in range(2, DOUBLES + 1):
        for kind in ("hard", "soft"):
            before = tables.get(f"after_double_{kind}" if doubles == 2 else f"after_{doubles - 1}_doubles_{kind}", {})
            table = tables.get(f"after_{doubles}_doubles_{kind}", {})
            if all(before.get(hand, {}).get(up) == code for hand, row in table.items() for up, code in row.items()):
                kept.pop(f"after_{doubles}_doubles_{kind}", None)
    return kept


def chart_cells(groups: Groups, chart: Chart) -> Iterator[Cell]:
    """Yield a cell for every group of hands that a chart tells apart, with what the chart does with it."""
    policy = chart_policy(chart, groups.problem)
    for upcard in (*range(1, 10), 0):
        column, up = Column(chart, upcard, groups.problem), VALUES[upcard]
        may_surrender = groups.problem.table.surrender and not groups.free
        for total, soft in totals():
            if total == 21:
                continue
            for cards, group in groups.total(upcard, total, soft).items():
                code = column.code(total, soft)
                surrenders = code.surrender and cards == 2 and may_surrender
                action = SURRENDER if surrenders else code.action(cards, DOUBLE in group.values)
                size = f"{cards}+" if cards == MOST_CARDS else str(cards)
                evs = action_names(group.values)
                yield Cell(hand_name(total, soft), size, up, ACTIONS[action], evs, group.weight, free=groups.free)
        if groups.free:
            continue
        for i, (x, y) in enumerate(SUITED_HANDS):
            parts = groups.suited(upcard, i)
            names = suits_names(i, upcard, [members for members, _ in parts])
            hand = pair_name(x) if x == y else str(x + y + 2)
            for (members, group), suits in zip(parts, names, strict=True):
                action = policy.suited_first[upcard, i, members[0]]
                cards_named = f"{VALUES[x]} {VALUES[y]}"
                yield Cell(
                    hand,
                    cards_named,
                    up,
                    ACTIONS[action],
                    action_names(group.values),
                    group.weight,
                    suits=suits,
                )
        for value in range(10):
            row = pair_row(value)
            if groups.problem.suited.place[row] < 0 and (pair := groups.two_cards(upcard, row)) is not None:
                action = policy.first[upcard, row]
                yield Cell(pair_name(value), "2", up, ACTIONS[action], action_names(pair.values), pair.weight)
        for doubles in filter(groups.problem.decides_after, range(1, groups.problem.table.max_doubles + 1)):
            for total, soft in totals():
                after = groups.after(upcard, doubles, total, soft) if total < 21 else None
                if after is not None:
                    action = column.after(groups.problem, doubles, total, soft)
                    named = "redouble" if action == DOUBLE else ACTIONS[action]
                    hand = hand_name(total, soft)
                    yield Cell(hand, "3+", up, named, redouble_names(after.values), after.weight, doubles=doubles)


def _total_code(groups: Groups, upcard: int, total: int, soft: bool) -> str | None:
    if total == 21:
        return "S"
    by_cards = groups.total(upcard, total, soft)
    if not by_cards:
        return None

    def worth(code: Code, cards: int) -> float:
        group = by_cards[cards]
        action = code.action(cards, DOUBLE in group.values)
        return group.weight * group.values.get(action, float("-inf"))

    best, best_value = "", float("-inf")
    for digit in ("", *"34567"):
        for letter in ("S", "H", "D", "DS") if not digit else ("S", "D"):
            code = parse_code(letter + digit, "hard", "")
            value = sum(worth(code, cards) for cards in by_cards)
            if value > best_value + TIE * sum(group.weight for group in by_cards.values()):
                best, best_value = letter + digit, value
    code = parse_code(best, "hard", "")
    two = by_cards.get(2)
    played = None if two is None else two.values[code.action(2, DOUBLE in two.values)]
    if two is not None and played is not None and two.values.get(SURRENDER, float("-inf")) > played + TIE:
        return f"R{best}"
    return best + (_mark(groups, upcard, total) if best[0] == "S" and not soft else "")


def _mark(groups: Groups, upcard: int, total: int) -> str:
    """The widest mark that pays: all two-card hands of a possible 6-7-8, one-suit ones, or spades only."""
    for i, (x, y) in enumerate(SUITED_HANDS):
        if x == y or x + y + 2 != total or COMPLETING[i] < 0:
            continue
        suited = groups.suited(upcard, i)
        gains = {}
        for mark in MARKS:
            marked = set(np.flatnonzero(_marked(mark)))
            gains[mark] = sum(
                group.weight * (group.values[HIT] - group.values[STAND])
                for members, group in suited
                if set(members) <= marked
            )
        best = max(MARKS, key=gains.__getitem__)
        return best if gains[best] > 0 else ""
    return ""


def _pair_code(groups: Groups, upcard: int, value: int) -> str | None:
    row = pair_row(value)
    i = int(groups.problem.suited.place[row])
    if i < 0:
        group = groups.two_cards(upcard, row)
        return None if group is None else _letter(group.best)
    parts = groups.suited(upcard, i)
    if not parts:
        return None
    bonus = groups.problem.suited.super_bonus[i, :, upcard] > 0
    can_win = [group for members, group in parts if bonus[members].all() and groups.problem.super_bonus]
    others = [group for members, group in parts if not (bonus[members].all() and groups.problem.super_bonus)]
    best = _letter(_merge(others).best)
    return best + ("$" if can_win and best == "P" and _merge(can_win).best == HIT else "")


def _merge(groups: list[Weighed]) -> Weighed:
    weight = sum(group.weight for group in groups)
    return Weighed(
        weight,
        {action: sum(group.weight * group.values[action] for group in groups) / weight for action in groups[0].values},
    )


def _after_code(groups: Groups, upcard: int, doubles: int, total: int, soft: bool) -> str | None:
    group = groups.after(upcard, doubles, total, soft)
    return None if group is None else _letter(group.best)


def _letter(action: int) -> str:
    return "SHDPRR"[action]
