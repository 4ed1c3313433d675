"""Decisions of the family of 21 as people see them: every hand with what each action is worth and how often it is met.

Two views of a solution: by composition, one cell for each set of cards (and suits, where they matter), and in the
groups that a chart can tell apart, in which every composition counts as often as it is met.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import SUITS as SUIT_LETTERS
from casinomath.cards import VALUES
from casinomath.kernels.actions import (
    ACTIONS,
    DOUBLE,
    DOUBLED,
    HIT,
    PER_STAGE,
    RESCUE,
    STAND,
    SURRENDER,
    Policy,
)
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.kernels.twentyone import TIE, unsplit_rounds
from casinomath.strategy import Cell
from casinomath.twentyone import Round, Solution, pair_row, two_card_rows

MOST_CARDS = 7
"""Charts treat hands of seven cards and more alike."""


def hand_name(total: int, soft: bool) -> str:
    """Name a total as charts do: `16`, `A-7`, `A-A`."""
    return ("A-A" if total == 12 else f"A-{total - 11}") if soft else str(total)


def pair_name(value: int) -> str:
    """Name a pair as charts do: `8-8`."""
    return f"{VALUES[value]}-{VALUES[value]}"


def totals() -> Iterator[tuple[int, bool]]:
    """Every total of two cards and more, with whether it is soft."""
    yield from ((total, False) for total in range(4, 22))
    yield from ((total, True) for total in range(12, 22))


ALIKE = 1e-5
"""Suits whose actions differ by less are shown as one class: what is left is which of a pair's cards is split first."""


class Weighed(NamedTuple):
    """A group of hands that a chart can't tell apart: how often it is met and what each action is worth."""

    weight: float
    """P(met, no dealer blackjack)."""
    values: Mapping[int, float]
    """EV of each action, given no dealer blackjack."""

    def agrees(self, other: "Weighed") -> bool:
        """Whether every action is worth the same but for ALIKE."""
        return all(abs(value - other.values[action]) < ALIKE for action, value in self.values.items())

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
    """The decisions of a solution, weighed by how often they are met and grouped as a chart sees them."""

    def __init__(self, solution: Solution, played: Round, *, free: bool = False) -> None:
        """Weigh every hand by how often `played` meets it, split hands included.

        free : hands of split rounds that carry free bets, in place of those that carry money
        """
        theirs = solution.free if free else solution
        assert theirs is not None, "nothing is split with free bets"
        self.solution, self.problem, self.lattice, self.free = theirs, theirs.problem, hands(), free
        self.may_double = self.problem.split_may_double if free else self.problem.may_double
        """(n,) hands that may be doubled."""
        self.met = np.zeros_like(played.reached) if free else played.reached.copy()
        """(10, 4, n) how often each hand is met, by upcard and doubles made."""
        for pair, split in solution.splits.items():
            weight = played.split_weight[:, pair, : split.by_suits]
            hands_of_kind = split.free if free else split
            if weight.any() and hands_of_kind is not None:
                hands_of_kind.add_reached(weight, self.met)
                if free:
                    hands_of_kind.add_two_cards(weight, self.met)
        # subtraction leaves rounding dust on hands that are never met
        self.met[self.met < 1e-15] = 0.0
        rows = two_card_rows()
        everything = self._everything_met()
        (everything if free else self.met)[:, 0, rows] = self.problem.dealt[:, rows]
        self.weight = self.met + NEVER_MET * everything
        """(10, 4, n) how much each hand counts in a group, by upcard and doubles made."""

    def _everything_met(self) -> NDArray[np.float64]:
        """How often each hand is met by one who always hits, and, after doubles, by one who always doubles."""
        problem, weights = self.problem, []
        for action in (HIT, DOUBLE):
            always = Policy(*(np.full_like(array, action) for array in self.solution.policy))
            always.after[:] = DOUBLE
            always.after[problem.table.max_doubles - 1 :] = STAND
            rounds = unsplit_rounds(
                *(self.lattice, problem.table, problem.suited, problem.dealer),
                *(problem.ending_21, problem.shoe_array, always, self.lattice.size == 2),
            )
            weights.append(rounds[-1])
        hit, doubled = weights
        return np.concatenate((hit[:, :1], doubled[:, 1:]), axis=1)

    def _weigh(self, upcard: int, rows: NDArray[np.intp], first: bool) -> Weighed:
        values = self.solution.values
        weight = self.weight[upcard, 0, rows]
        peek = np.nan_to_num(values.peek[upcard, rows])
        mass = float(weight @ peek)

        def mean(array: NDArray[np.float64]) -> float:
            return float(weight @ np.nan_to_num(array[upcard, rows])) / mass if mass > 0 else float("nan")

        actions = {STAND: mean(values.stand)}
        if self.lattice.total[rows[0]] < 21:
            actions[HIT] = mean(values.hit)
        if self.may_double[rows].all():
            actions[DOUBLE] = mean(values.double)
        if first and not self.free and self.problem.table.surrender and self.lattice.total[rows[0]] < 21:
            actions[SURRENDER] = mean(values.surrender)
        return Weighed(mass, actions)

    def total(self, upcard: int, total: int, soft: bool) -> dict[int, Weighed]:
        """By number of cards (2 to 7, 7 meaning more too): hands of a total, pairs and possible 6-7-8s left out."""
        result = {}
        lattice = self.lattice
        pairs = np.zeros(len(lattice.size), dtype=bool)
        pairs[[pair_row(value) for value in range(10)]] = not self.free  # free hands split all pairs while they can
        of_total = (lattice.total == total) & (lattice.soft == soft) & (self.problem.suited.place < 0)
        for cards in range(2, MOST_CARDS + 1):
            sized = lattice.size == cards if cards < MOST_CARDS else lattice.size >= cards
            rows = np.flatnonzero(of_total & sized & ~pairs)
            only_pairs = cards == 2 and not len(rows)
            if only_pairs:
                rows = np.flatnonzero(of_total & sized)
            rows = rows[self.weight[upcard, 0, rows] > 0]
            if len(rows):
                group = self._weigh(upcard, rows, first=cards == 2)
                # a pair comes here when it can't be split any more; as a first decision it has a cell of its own
                result[cards] = group._replace(weight=group.weight * NEVER_MET) if only_pairs else group
        return result

    def suited(self, upcard: int, i: int) -> list[tuple[NDArray[np.intp], Weighed]]:
        """The first decisions on one of SUITED_HANDS, the suits (0 to 63) that are worth the same as one group."""
        problem, solution = self.problem, self.solution
        row = int(problem.suited.hand[i])
        peek = solution.values.peek[upcard, row]
        if np.isnan(peek) or problem.suited.place[row] < 0:
            return []
        chance = problem.suited.weight[i, upcard]
        met = float(self.met[upcard, 0, row] * peek)
        groups: list[tuple[list[int], Weighed]] = []
        for suits in np.flatnonzero(chance):
            values = solution.first_values(upcard, row, int(suits))
            one = Weighed(met * float(chance[suits]), {action: value / peek for action, value in values.items()})
            for members, group in groups:
                if group.best == one.best and group.agrees(one):
                    members.append(int(suits))
                    break
            else:
                groups.append(([int(suits)], one))
        merged = []
        for members, _ in groups:
            parts = [solution.first_values(upcard, row, suits) for suits in members]
            share = chance[members] / chance[members].sum()
            means = {  # around the first part, so that what is the same for all stays the same number
                action: float((one + share @ [part[action] - one for part in parts]) / peek)
                for action, one in parts[0].items()
            }
            merged.append((np.array(members), Weighed(met * float(chance[members].sum()), means)))
        return merged

    def two_cards(self, upcard: int, row: int) -> Weighed | None:
        """The first decision on two cards whose suits don't matter."""
        peek = self.solution.values.peek[upcard, row]
        if np.isnan(peek):
            return None
        values = self.solution.first_values(upcard, row)
        paid_before_the_peek = self.lattice.total[row] == 21
        met = self.met[upcard, 0, row] * (1.0 if paid_before_the_peek else peek)
        return Weighed(float(met), {action: value / peek for action, value in values.items()})

    def after(self, upcard: int, doubles: int, total: int, soft: bool) -> Weighed | None:
        """Hands of a total after so many doubles."""
        weight = self.weight[upcard, doubles]
        rows = np.flatnonzero((self.lattice.total == total) & (self.lattice.soft == soft) & (weight > 0))
        return self.doubled(upcard, doubles, rows, weight) if len(rows) else None

    def doubled(self, upcard: int, doubles: int, rows: NDArray[np.intp], weights: NDArray[np.float64]) -> Weighed:
        """The decision on some hands after so many doubles, `weights` (n,) being how often each is met."""
        problem, values = self.problem, self.solution.values
        weight = weights[rows]
        mass = float(weight @ values.peek[upcard, rows])
        actions = {STAND: 2.0**doubles * float(weight @ values.stand[upcard, rows]) / mass}
        if problem.table.rescue:
            actions[RESCUE] = float(problem.ending_pays[DOUBLED + PER_STAGE * doubles - 1])
        if doubles < problem.table.max_doubles:
            actions[DOUBLE] = float(weight @ values.redouble[doubles - 1, upcard, rows]) / mass
        return Weighed(mass, actions)


# ---------------------------------------------------------------------------------------------------------------------
# Every composition


def action_names(values: Mapping[int, float]) -> dict[str, float]:
    """Name the actions of a decision."""
    return {ACTIONS[action]: float(value) for action, value in values.items()}


def redouble_names(values: Mapping[int, float]) -> dict[str, float]:
    """Name the actions after a double, where doubling is redoubling."""
    return {"redouble" if action == DOUBLE else ACTIONS[action]: float(value) for action, value in values.items()}


def composition_cells(groups: Groups) -> Iterator[Cell]:
    """Yield a cell for every composition of two cards and more the shoe can deal, then for those met after doubles.

    Of hands that carry free bets there is a cell for those that are met.
    """
    lattice, problem, solution = groups.lattice, groups.problem, groups.solution
    values, policy = solution.values, solution.policy
    pairs = {pair_row(value): pair_name(value) for value in range(10)}
    first_rows = {} if groups.free else {int(row) for row in two_card_rows()}
    play = policy.split_play if groups.free else policy.play
    for row in np.flatnonzero(lattice.size >= 2):
        total, soft = int(lattice.total[row]), bool(lattice.soft[row])
        name, cards = pairs.get(int(row), hand_name(total, soft)), cards_name(lattice.counts[row])
        i = int(problem.suited.place[row])
        for upcard in (*range(1, 10), 0):
            peek = values.peek[upcard, row]
            if np.isnan(peek) or (groups.free and not groups.met[upcard, 0, row]):
                continue
            up = VALUES[upcard]
            if i >= 0:
                parts = groups.suited(upcard, i)
                labels = suits_names(i, upcard, [members for members, _ in parts])
                for (_, group), label in zip(parts, labels, strict=True):
                    evs = action_names(group.values)
                    yield Cell(name, cards, up, ACTIONS[group.best], evs, group.weight, suits=label)
                continue
            first = groups.two_cards(upcard, int(row)) if row in first_rows else None
            if first is not None:
                evs, met, action = action_names(first.values), first.weight, policy.first[upcard, row]
            else:
                actions = {STAND: values.stand[upcard, row] / peek}
                if total < 21:
                    actions[HIT] = values.hit[upcard, row] / peek
                if groups.may_double[row]:
                    actions[DOUBLE] = values.double[upcard, row] / peek
                evs, met, action = (
                    action_names(actions),
                    groups.met[upcard, 0, row] * peek,
                    play[upcard, row],
                )
            yield Cell(name, cards, up, ACTIONS[action], evs, float(met), free=groups.free)
    for doubles in filter(problem.decides_after, range(1, problem.table.max_doubles + 1)):
        met_after = groups.met[:, doubles]
        for row in np.flatnonzero(met_after.any(axis=0)):
            total, soft = int(lattice.total[row]), bool(lattice.soft[row])
            if total == 21:
                continue
            for upcard in np.flatnonzero(met_after[:, row]):
                group = groups.doubled(int(upcard), doubles, np.array([row]), met_after[upcard])
                evs = redouble_names(group.values)
                action = "redouble" if group.best == DOUBLE else ACTIONS[group.best]
                name, cards = hand_name(total, soft), cards_name(lattice.counts[row])
                yield Cell(name, cards, VALUES[upcard], action, evs, group.weight, doubles=doubles)


def cards_name(counts: NDArray[np.int8]) -> str:
    """Write a hand as its cards: `A 2 10`."""
    return " ".join(VALUES[value] for value in np.repeat(np.arange(10), counts))


def suits_names(i: int, upcard: int, groups: list[NDArray[np.intp]]) -> list[str]:
    """Name groups of suits of one of SUITED_HANDS: `mixed`, `suited`, `spades`, with an example where words fail."""

    def kind(suits: int) -> str:
        first, second = suits // 16, suits // 4 % 4
        return "mixed" if first != second else "spades" if first == 0 else "suited"

    def example(suits: int) -> str:
        x, y = SUITED_HANDS[i]
        hand = f"{VALUES[x]}{SUIT_LETTERS[suits // 16]} {VALUES[y]}{SUIT_LETTERS[suits // 4 % 4]}"
        return f"{hand} v {VALUES[upcard]}{SUIT_LETTERS[suits % 4] if 5 <= upcard <= 7 else ''}"

    words = [" or ".join(dict.fromkeys(kind(int(suits)) for suits in members)) for members in groups]
    return [
        word if words.count(word) == 1 else f"{word}, as {example(int(members[0]))}"
        for word, members in zip(words, groups, strict=True)
    ]
