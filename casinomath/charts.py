"""Charts of the family of 21: derived from exact decisions, and played as exact policies.

A chart sees a hand's total, its number of cards, the upcard, and on two cards whether a 6-7-8 is possible. It is derived
here from the composition-dependent decisions: every composition weighted by how often it is reached, the code that is
worth most among those the notation of `strategy.Chart` can say.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import UPCARDS, VALUES
from casinomath.errors import RequestError
from casinomath.kernels import twentyone as kernel
from casinomath.kernels.hands import hands
from casinomath.kernels.twentyone import (
    COMPLETING,
    DOUBLE,
    DOUBLES,
    HIT,
    RESCUE,
    SPLIT,
    STAND,
    SUITED_HANDS,
    SUITS,
    SURRENDER,
    TIE,
    Policy,
)
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, Round, Solution, pair_row, two_card_rows

CODE = re.compile(r"""(?P<surrender>R?)(?P<base>[SHDP]?)(?P<digit>[2-9]?)(?P<mark>[*'"$]?)""")
LETTERS = {"S": STAND, "H": HIT, "D": DOUBLE, "P": SPLIT}
MARKS = ("*", "'", '"')
"""Two-card hands that hit for a 6-7-8: all, one-suit ones, spades."""
MOST_CARDS = 7
"""Charts treat hands of seven cards and more alike."""


class Code(NamedTuple):
    """A chart code taken apart."""

    surrender: bool
    base: int
    hit_from: int
    """Number of cards from which the hand is hit instead."""
    mark: str

    def action(self, cards: int) -> int:
        """Return the action on a hand of so many cards, surrender and marks aside."""
        return HIT if cards >= self.hit_from else self.base


def parse_code(code: str, where: str) -> Code:
    """Take a code apart; RequestError when it is none. A lone `R` hits where it can't surrender."""
    match = CODE.fullmatch(code)
    if match is None or not (match["surrender"] or match["base"]):
        raise RequestError(f"{where}: unknown code {code!r}; expected S, H, D, P or R, then a digit or a mark * ' \" $")
    return Code(
        surrender=bool(match["surrender"]),
        base=LETTERS[match["base"] or "H"],
        hit_from=int(match["digit"] or 99),
        mark=match["mark"],
    )


def hand_name(total: int, soft: bool) -> str:
    """Name a total as charts do: `16`, `A-7`, `A-A`."""
    return ("A-A" if total == 12 else f"A-{total - 11}") if soft else str(total)


def pair_name(value: int) -> str:
    """Name a pair as charts do: `8-8`."""
    return f"{VALUES[value]}-{VALUES[value]}"


# ---------------------------------------------------------------------------------------------------------------------
# A chart as a policy


def chart_policy(chart: Chart, problem: Problem) -> Policy:
    """Turn a chart into decisions for every hand; RequestError names a cell that the chart lacks."""
    lattice, suited = hands(), problem.suited
    n = len(lattice.size)
    policy = Policy(
        play=np.zeros((10, n), dtype=np.uint8),
        after=np.zeros((DOUBLES, 10, n), dtype=np.uint8),
        first=np.zeros((10, n), dtype=np.uint8),
        suited_play=np.zeros((10, len(SUITED_HANDS), SUITS), dtype=np.uint8),
        suited_first=np.zeros((10, len(SUITED_HANDS), SUITS), dtype=np.uint8),
    )
    for upcard in range(10):
        table = _Column(chart, VALUES[upcard])
        codes = {
            (total, soft): table.code(total, soft)
            for total, soft in _totals()
            if not (total == 21)  # a 21 is paid at once
        }
        for row in np.flatnonzero(lattice.size >= 2):
            total, soft, size = int(lattice.total[row]), bool(lattice.soft[row]), int(lattice.size[row])
            if total == 21:
                continue
            code = codes[total, soft]
            action = code.action(size)
            if action == DOUBLE and size > problem.table.double_up_to:
                action = HIT
            policy.play[upcard, row] = action
            policy.first[upcard, row] = SURRENDER if code.surrender and problem.table.surrender else action
            for doubles in range(1, problem.table.max_doubles + 1):
                policy.after[doubles - 1, upcard, row] = table.after(problem, doubles, total, soft)
        for value in range(10):
            row = pair_row(value)
            code = table.pair(value)
            if code.surrender and problem.table.surrender:
                policy.first[upcard, row] = SURRENDER
            elif code.base != SPLIT:
                policy.first[upcard, row] = code.action(2)
            elif problem.max_hands > 1:
                policy.first[upcard, row] = SPLIT
        for i, row in enumerate(suited.hand):
            policy.suited_play[upcard, i] = policy.play[upcard, row]
            policy.suited_first[upcard, i] = policy.first[upcard, row]
            x, y = SUITED_HANDS[i]
            if x != y:
                mark = codes[int(lattice.total[row]), False].mark
                marked = _marked(mark)
                policy.suited_play[upcard, i, marked] = HIT
                policy.suited_first[upcard, i, marked] = HIT
            elif problem.super_bonus and table.pair(x).mark == "$":
                policy.suited_first[upcard, i, suited.super_bonus[i, :, upcard] > 0] = HIT
    return policy


def _marked(mark: str) -> NDArray[np.bool_]:
    """(64,) the suits of a two-card hand that a mark hits."""
    suits = np.arange(SUITS)
    first, second = suits // 16, suits // 4 % 4
    return {
        "*": np.ones(SUITS, dtype=bool),
        "'": first == second,
        '"': (first == second) & (first == 0),
    }.get(mark, np.zeros(SUITS, dtype=bool))


class _Column:
    """The cells of a chart against one upcard."""

    def __init__(self, chart: Chart, upcard: str) -> None:
        self.chart, self.upcard = chart, upcard

    def _cell(self, table: str, hand: str) -> Code | None:
        code = self.chart.code(table, hand, self.upcard)
        return None if code is None else parse_code(code, self._where(table, hand))

    def _where(self, table: str, hand: str) -> str:
        return f"chart {self.chart.name}: {table} {hand} against {self.upcard}"

    def _needed(self, table: str, hand: str) -> Code:
        code = self._cell(table, hand)
        if code is None:
            raise RequestError(f"{self._where(table, hand)} is missing")
        return code

    def code(self, total: int, soft: bool) -> Code:
        """The play of an undoubled hand. Soft 12 is a pair of aces that can't be split: charts that leave it out hit."""
        if soft and total == 12:
            return self._cell("soft", "A-A") or parse_code("H", "")
        return self._needed("soft" if soft else "hard", hand_name(total, soft))

    def pair(self, value: int) -> Code:
        return self._needed("pairs", pair_name(value))

    def after(self, problem: Problem, doubles: int, total: int, soft: bool) -> int:
        """Stand, rescue or redouble. All totals below 17 stand for the same, so what has no cell, or can't redouble any
        more, does what 16 does (17 and more what that hard total does, or stands)."""
        names = [f"after_{k}_doubles" for k in range(doubles, 1, -1)] + ["after_double"]
        may_redouble = doubles < problem.table.max_doubles
        for hand, kind in ((hand_name(total, soft), "soft" if soft else "hard"), (str(max(total, 16)), "hard")):
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
        if total < 17:
            raise RequestError(f"{self._where('after_double_hard', '16')} is missing")
        return STAND


def _totals() -> Iterator[tuple[int, bool]]:
    yield from ((total, False) for total in range(4, 22))
    yield from ((total, True) for total in range(12, 22))


# ---------------------------------------------------------------------------------------------------------------------
# A chart from decisions


class Weighed(NamedTuple):
    """A group of hands that a chart can't tell apart: how often it is met and what each action is worth."""

    weight: float
    """P(met, no dealer blackjack)."""
    values: Mapping[int, float]
    """EV of each action, given no dealer blackjack."""

    @property
    def best(self) -> int:
        """The best action; ties as everywhere."""
        best, value = next(iter(self.values.items()))
        for action, other in self.values.items():
            if other > value + TIE:
                best, value = action, other
        return best


NEVER_MET = 1e-9
"""Weight given to hands that the best play never meets: enough to settle what no met hand settles."""


class Groups:
    """The decisions of a solution, grouped as a chart sees them; see `total`, `pair`, `after`."""

    def __init__(self, solution: Solution, played: Round) -> None:
        """Weigh every hand by how often `played` meets it, split hands included."""
        self.solution, self.problem, self.lattice = solution, solution.problem, hands()
        self.met = played.reached.copy()
        self.met_doubled = played.reached_doubled.copy()
        for pair, split in solution.splits.items():
            weight = played.split_weight[:, pair, : split.by_suits]
            if weight.any():
                split.add_reached(weight, self.met, self.met_doubled)
        # subtraction leaves rounding dust on hands that are never met
        self.met[self.met < 1e-15] = 0.0
        self.met_doubled[self.met_doubled < 1e-15] = 0.0
        never, never_doubled = self._everything_met()
        self.met += NEVER_MET * never
        self.met_doubled += NEVER_MET * never_doubled
        self._deal_two_cards()

    def _everything_met(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How often each hand is met by one who always hits, and by one who always doubles."""
        policy = self.solution.policy
        results = []
        for action in (HIT, DOUBLE):
            always = Policy(
                *(np.full_like(array, action) for array in policy[:1]),
                np.full_like(policy.after, DOUBLE),
                *(np.full_like(array, action) for array in policy[2:]),
            )
            always.after[self.problem.table.max_doubles - 1 :] = STAND
            problem = self.problem
            results.append(
                kernel.unsplit_rounds(
                    *(self.lattice, problem.table, problem.suited, problem.dealer),
                    *(problem.ending_21, problem.shoe_array, always),
                )
            )
        return results[0][3], results[1][4]

    def _deal_two_cards(self) -> None:
        shoe = self.problem.shoe_array
        cards = shoe.sum()
        for upcard in range(10):
            rest = shoe - np.eye(10, dtype=np.int64)[upcard]
            for row in two_card_rows():
                x, y = np.repeat(np.arange(10), self.lattice.counts[row])
                ways = rest[x] * (rest[y] - 1) if x == y else 2 * rest[x] * rest[y]
                if ways > 0:
                    self.met[upcard, row] = shoe[upcard] / cards * ways / ((cards - 1) * (cards - 2))

    def _weigh(self, upcard: int, rows: NDArray[np.intp]) -> Weighed:
        values = self.solution.values
        weight = self.met[upcard, rows]
        peek = np.nan_to_num(values.peek[upcard, rows])
        mass = float(weight @ peek)

        def mean(array: NDArray[np.float64]) -> float:
            return float(weight @ np.nan_to_num(array[upcard, rows])) / mass if mass > 0 else float("nan")

        actions = {STAND: mean(values.stand)}
        if self.lattice.total[rows[0]] < 21:
            actions[HIT] = mean(values.hit)
        if self.lattice.size[rows].max() <= self.problem.table.double_up_to:
            actions[DOUBLE] = mean(values.double)
        return Weighed(mass, actions)

    def total(self, upcard: int, total: int, soft: bool) -> dict[int, Weighed]:
        """By number of cards (2 to 7, 7 meaning more too): hands of a total, pairs and possible 6-7-8s left out."""
        result = {}
        lattice = self.lattice
        pairs = np.zeros(len(lattice.size), dtype=bool)
        pairs[[pair_row(value) for value in range(10)]] = True
        of_total = (lattice.total == total) & (lattice.soft == soft) & (self.problem.suited.index < 0)
        for cards in range(2, MOST_CARDS + 1):
            sized = lattice.size == cards if cards < MOST_CARDS else lattice.size >= cards
            rows = np.flatnonzero(of_total & sized & ~pairs)
            if cards == 2 and not len(rows):
                rows = np.flatnonzero(of_total & sized)
            rows = rows[self.met[upcard, rows] > 0]
            if len(rows):
                result[cards] = self._weigh(upcard, rows)
        return result

    def suited(self, upcard: int, i: int) -> list[tuple[NDArray[np.intp], Weighed]]:
        """The first decisions on one of SUITED_HANDS, one group for all suits that are worth the same."""
        problem, solution = self.problem, self.solution
        row = int(problem.suited.hand[i])
        peek = solution.values.peek[upcard, row]
        if np.isnan(peek):
            return []
        chance = problem.suited.weight[i, upcard]
        groups: dict[tuple[float, ...], list[int]] = {}
        worth: dict[tuple[float, ...], dict[int, float]] = {}
        for suits in np.flatnonzero(chance):
            actions = solution.first_values(upcard, row, int(suits))
            key = tuple(round(value, 8) for value in actions.values())
            groups.setdefault(key, []).append(int(suits))
            worth.setdefault(key, {action: value / peek for action, value in actions.items()})
        met = self.met[upcard, row] * peek
        return [
            (np.array(members), Weighed(float(met * chance[members].sum()), worth[key]))
            for key, members in groups.items()
        ]

    def two_cards(self, upcard: int, row: int) -> Weighed | None:
        """The first decision on two cards whose suits don't matter."""
        peek = self.solution.values.peek[upcard, row]
        if np.isnan(peek):
            return None
        values = self.solution.first_values(upcard, row)
        if self.lattice.total[row] == 21:
            return Weighed(float(self.met[upcard, row]), values)
        met = self.met[upcard, row] * peek
        return Weighed(float(met), {action: value / peek for action, value in values.items()})

    def after(self, upcard: int, doubles: int, total: int, soft: bool) -> Weighed | None:
        """Hands of a total after so many doubles."""
        lattice, problem, values = self.lattice, self.problem, self.solution.values
        met = self.met_doubled[doubles - 1, upcard]
        rows = np.flatnonzero((lattice.total == total) & (lattice.soft == soft) & (met > 0))
        if not len(rows):
            return None
        weight = met[rows]
        mass = float(weight @ values.peek[upcard, rows])
        actions = {STAND: 2.0**doubles * float(weight @ values.stand[upcard, rows]) / mass}
        if problem.table.rescue:
            actions[RESCUE] = problem.ending_pays[kernel.DOUBLED + kernel.PER_STAGE * doubles - 1]
        if doubles < problem.table.max_doubles:
            actions[DOUBLE] = float(weight @ values.redouble[doubles - 1, upcard, rows]) / mass
        return Weighed(mass, actions)


def derive_chart(groups: Groups, name: str) -> Chart:
    """Return the chart that follows the decisions as closely as its notation can."""
    tables: dict[str, dict[str, dict[str, str]]] = {}

    def put(table: str, hand: str, codes: Callable[[int], str | None]) -> None:
        row = {upcard: code for upcard in UPCARDS if (code := codes(VALUES.index(upcard))) is not None}
        if row:
            tables.setdefault(table, {})[hand] = row

    for total, soft in _totals():
        put(*("soft" if soft else "hard", hand_name(total, soft)), lambda u, t=total, s=soft: _total_code(groups, u, t, s))
    for value in [*range(1, 10), 0]:
        put("pairs", pair_name(value), lambda u, v=value: _pair_code(groups, u, v))
    for doubles in range(1, groups.problem.table.max_doubles + 1):
        stage = "after_double" if doubles == 1 else f"after_{doubles}_doubles"
        for total, soft in _totals():
            if total < 21:
                kind = "soft" if soft else "hard"
                put(f"{stage}_{kind}", hand_name(total, soft), lambda u, d=doubles, t=total, s=soft: _after_code(groups, u, d, t, s))
    return Chart(name, tables)


def _total_code(groups: Groups, upcard: int, total: int, soft: bool) -> str | None:
    if total == 21:
        return "S"
    by_cards = groups.total(upcard, total, soft)
    if not by_cards:
        return None

    def worth(code: Code, cards: int) -> float:
        group = by_cards[cards]
        return group.weight * group.values.get(code.action(cards), float("-inf"))

    best, best_value = "", float("-inf")
    for digit in ("", *"34567"):
        for letter in "SHD" if not digit else "SD":
            code = parse_code(letter + digit, "")
            value = sum(worth(code, cards) for cards in by_cards)
            if value > best_value + TIE * sum(group.weight for group in by_cards.values()):
                best, best_value = letter + digit, value
    code = parse_code(best, "")
    two = by_cards.get(2)
    if two is not None and groups.problem.table.surrender:
        surrendered = groups.problem.ending_pays[kernel.SURRENDERED]
        if surrendered > two.values[code.action(2)] + TIE:
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
    i = int(groups.problem.suited.index[row])
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
        {
            action: sum(group.weight * group.values[action] for group in groups) / weight
            for action in groups[0].values
        },
    )


def _after_code(groups: Groups, upcard: int, doubles: int, total: int, soft: bool) -> str | None:
    group = groups.after(upcard, doubles, total, soft)
    return None if group is None else _letter(group.best)


def _letter(action: int) -> str:
    return "SHDPRR"[action]
