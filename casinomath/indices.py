"""Index plays of the family of 21: from which true count on a decision is better made another way, and what that gains.

Method: the exact engine (see `twentyone`) on the shoe that is expected at a true count, `CountSystem.expected_shoe`,
with so many decks unseen. Its counts by value are no whole numbers; the chance of a card is its share of the cards, and
of a second one its share less one card, exactly as with whole counts. A decision is a cell of a chart by number of
cards: hands of a cell count as often as the best play of the whole shoe meets them. Between the counts that are
evaluated, an EV is the cubic through the four nearest ones.
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import VALUES
from casinomath.counting import CountSystem, correlation, linear_gain
from casinomath.decisions import MOST_CARDS, Groups, hand_name, pair_name, totals
from casinomath.kernels.actions import ACTIONS, DOUBLE, HIT, SPLIT, STAND, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.twentyone import Problem, Solution, pair_row, play, solve, two_card_rows

Floats: TypeAlias = NDArray[np.float64]

CHOICES: Final = (STAND, HIT, DOUBLE, SPLIT, SURRENDER)
"""What is decided before a double; rows of `action_values`."""

REACH: Final = 4.0
"""True counts are evaluated so many standard deviations around that of a fresh shoe, rounded up to whole steps."""
STEPS: Final = 8
"""Steps from the lowest to the highest of them."""


NEVER: Final = 1e-9
"""A hand that is met less often is left out."""


def at_composition(problem: Problem, shoe: Iterable[float]) -> Problem:
    """Return the problem on a shoe whose counts need not be whole."""
    return replace(problem, shoe=cast("tuple[int, ...]", tuple(float(count) for count in shoe)))


class Decision(NamedTuple):
    """A cell of a chart by number of cards: hands that are decided alike."""

    hand: str
    """As charts name it: `16`, `A-7`, `8-8`."""
    cards: str
    """How many: `2` to `7+`."""
    u: int
    """The upcard's value index."""
    rows: NDArray[np.intp]
    """Its hands."""
    weights: Floats
    """How often each of them is met, no dealer blackjack included; they sum to `frequency`."""

    @property
    def upcard(self) -> str:
        """The upcard's name."""
        return VALUES[self.u]

    @property
    def frequency(self) -> float:
        """How often a round meets the decision."""
        return float(self.weights.sum())

    def evs(self, values: Floats) -> Floats:
        """Return the mean of `action_values` (5, 10, n) over the hands, NaN for what can't be done."""
        of_rows = values[:, self.u, self.rows]
        weights = np.where(np.isnan(of_rows[STAND]), 0.0, self.weights)  # a shoe need not hold all of them
        weights /= weights.sum() if weights.any() else np.nan
        return np.asarray(np.where(weights > 0, of_rows, 0.0) @ weights)


def decisions(groups: Groups) -> list[Decision]:
    """Return every decision before a double that the best play meets, as charts divide them."""
    lattice, peek = groups.lattice, np.nan_to_num(groups.solution.values.peek)
    met = groups.met[:, 0] * peek
    pairs = np.zeros(len(lattice.size), dtype=bool)
    pairs[[pair_row(value) for value in range(10)]] = True
    cells = [
        (hand_name(total, soft), str(size) if size < MOST_CARDS else f"{size}+", total, soft, size)
        for total, soft in totals()
        if total < 21
        for size in range(2, MOST_CARDS + 1)
    ]
    found = []
    for u in (*range(1, 10), 0):
        for name, size_name, total, soft, size in cells:
            sized = lattice.size == size if size < MOST_CARDS else lattice.size >= size
            rows = np.flatnonzero((lattice.total == total) & (lattice.soft == soft) & sized & ~pairs & (met[u] > NEVER))
            if len(rows):
                found.append(Decision(name, size_name, u, rows, met[u, rows]))
        for value in (*range(1, 10), 0):
            row = pair_row(value)
            if met[u, row] > NEVER:
                found.append(Decision(pair_name(value), "2", u, np.array([row]), met[u, [row]]))
    return found


def action_values(solution: Solution) -> Floats:
    """(5, 10, n) EV of CHOICES for each upcard and hand, given no dealer blackjack; NaN for what can't be done.

    Where suits matter they count as they are dealt. What a split can do is not asked of hands of three cards and more.
    """
    problem, values, lattice = solution.problem, solution.values, hands()
    found = np.full((len(CHOICES), *values.peek.shape), np.nan)
    found[STAND], found[HIT], found[DOUBLE] = values.stand, values.hit, values.double
    found[HIT][:, lattice.total == 21] = np.nan
    found[DOUBLE][:, ~problem.may_double] = np.nan
    for u in range(10):
        for row in two_card_rows():
            if np.isnan(values.peek[u, row]) or lattice.total[row] == 21:
                continue
            i = int(problem.suited.place[row])
            if i < 0:
                parts, chance = [solution.first_values(u, row)], np.ones(1)
            else:
                suits = np.flatnonzero(problem.suited.weight[i, u])
                chance = problem.suited.weight[i, u, suits]
                parts = [solution.first_values(u, row, int(each)) for each in suits]
            found[:, u, row] = np.nan
            for action in parts[0]:
                found[CHOICES.index(action), u, row] = chance @ [part[action] for part in parts]
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.asarray(found / values.peek)


# --- By true count ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ByCount:
    """Every decision at the compositions expected at some true counts."""

    system: CountSystem
    deck: tuple[int, ...]
    decks: float
    """In the whole shoe."""
    left: float
    """Decks unseen."""
    decisions: Sequence[Decision]
    counts: Floats
    """The true counts that were evaluated, evenly spaced, that of a fresh shoe in their middle."""
    evs: Floats
    """(counts, decisions, 5) EV of CHOICES."""
    solutions: Sequence[Solution]

    @property
    def neutral(self) -> float:
        """The true count of a fresh shoe."""
        return self.system.neutral(self.deck)

    @property
    def spread(self) -> float:
        """Standard deviation of the true count when so many decks are unseen."""
        return self.system.spread(self.deck, self.decks, self.left)

    def at(self, true: float) -> Floats:
        """(decisions, 5) EVs at a true count; beyond those evaluated, at the nearest one."""
        return interpolated(self.counts, self.evs, true)


def by_count(
    problem: Problem,
    groups: Groups,
    system: CountSystem,
    deck: tuple[int, ...],
    left: float,
    progress: Callable[[int, int], None] | None = None,
) -> ByCount:
    """Evaluate every decision at the compositions expected at true counts around that of a fresh shoe.

    groups : of the whole shoe
    left   : decks unseen
    """
    decks = sum(problem.shoe) / sum(deck)
    neutral, spread = system.neutral(deck), system.spread(deck, decks, left)
    step = max(1.0, math.ceil(REACH * spread / (STEPS // 2)))
    every = neutral + step * np.arange(-STEPS // 2, STEPS // 2 + 1)
    counts = [true for true in every.tolist() if system.expected_shoe(true, left, deck).min() > 0]
    cells = decisions(groups)
    solutions, evs = [], []
    for done, true in enumerate(counts):
        if progress is not None:
            progress(done, len(counts))
        solutions.append(solve(at_composition(problem, system.expected_shoe(true, left, deck))))
        values = action_values(solutions[-1])
        evs.append(np.array([cell.evs(values) for cell in cells]))
    return ByCount(system, deck, decks, left, cells, np.array(counts), np.array(evs), solutions)


def interpolated(counts: Floats, values: Floats, true: float) -> Floats:
    """Return the cubic through the four nearest of some counts (n,), of values (n, …); constant beyond them."""
    true = float(np.clip(true, counts[0], counts[-1]))
    width = min(4, len(counts))
    start = int(np.clip(np.searchsorted(counts, true) - width // 2, 0, len(counts) - width))
    nodes = counts[start : start + width]
    weights = [
        math.prod((true - other) / (node - other) for other in nodes if other != node) for node in nodes
    ]  # Lagrange's
    return np.asarray(np.tensordot(weights, values[start : start + width], axes=1))


# --- Index plays --------------------------------------------------------------------------------------------

UNDEALT: Final = -1
"""In the place of the best action, where no hand can be dealt."""


@dataclass(frozen=True)
class IndexPlay:
    """A decision that is made another way from some true count on."""

    decision: Decision
    usual: int
    """The best action for a fresh shoe."""
    instead: int
    index: float
    """The true count at which both are worth the same."""
    above: bool
    """It is played at that count and above; otherwise at that count and below."""
    gain: float
    """What it gains for each round, in initial wagers of a flat bet, with so many decks unseen."""

    def applies(self, true: float) -> bool:
        """Whether it is played at a true count."""
        return true >= self.index if self.above else true <= self.index

    def json(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "hand": self.decision.hand,
            "cards": self.decision.cards,
            "upcard": self.decision.upcard,
            "usual": ACTIONS[self.usual],
            "instead": ACTIONS[self.instead],
            "index": self.index,
            "when": "at or above" if self.above else "at or below",
            "gain": self.gain,
            "frequency": self.decision.frequency,
        }


def index_plays(found: ByCount) -> list[IndexPlay]:
    """Return every index play within the counts evaluated, the most valuable first.

    The gain is what the play brings over the usual one at the counts where it applies and is best, each count weighed
    by the normal law with the count's mean and spread. Where the cards left can't deal the decision nothing is best.
    """
    fine = np.linspace(found.counts[0], found.counts[-1], 20 * (len(found.counts) - 1) + 1)
    evs = np.array([found.at(float(true)) for true in fine])
    law = np.exp(-(((fine - found.neutral) / found.spread) ** 2) / 2)
    law /= law.sum()
    best = np.argmax(np.where(np.isnan(evs), -np.inf, evs), axis=2)
    best[np.isnan(evs).all(axis=2)] = UNDEALT
    middle = int(np.argmin(np.abs(fine - found.neutral)))
    plays = []
    for place, decision in enumerate(found.decisions):
        usual = int(best[middle, place])
        if usual == UNDEALT:
            continue
        for instead in sorted({*best[:, place].tolist()} - {usual, UNDEALT}):
            more = evs[:, place, instead] - evs[:, place, usual]
            for above in (True, False):
                side = fine > fine[middle] if above else fine < fine[middle]
                on = np.flatnonzero(side & (best[:, place] == instead) & ~np.isnan(more))
                if not len(on):
                    continue
                edge = int(on[0] if above else on[-1])
                before = edge - 1 if above else edge + 1
                gained = evs[:, place, instead] - evs[:, place, best[before, place]]
                undealt = best[before, place] == UNDEALT
                index = float(fine[edge]) if undealt else _crossing(fine, gained, edge, before)
                gain = decision.frequency * float(law[on] @ more[on])
                plays.append(IndexPlay(decision, CHOICES[usual], CHOICES[instead], index, above, gain))
    return sorted(plays, key=lambda each: -each.gain)


def _crossing(fine: Floats, more: Floats, edge: int, before: int) -> float:
    """The count at which one action becomes worth as much as another, between two points of the fine grid."""
    apart = more[edge] - more[before]
    part = -more[before] / apart if apart else 0.0
    return float(fine[before] + np.clip(part, 0.0, 1.0) * (fine[edge] - fine[before]))


def policy_at(problem: Problem, base: Policy, plays: Iterable[IndexPlay], neutral: float, true: float) -> Policy:
    """Return a policy with the index plays that apply at a true count; of several for one decision, the farthest one.

    neutral : the true count of a fresh shoe, from which plays are reached one after another
    """
    policy = Policy(*(array.copy() for array in base))
    apply: dict[tuple[str, str, int], IndexPlay] = {}
    for each in plays:
        key = (each.decision.hand, each.decision.cards, each.decision.u)
        known = apply.get(key)
        if each.applies(true) and (known is None or abs(each.index - neutral) > abs(known.index - neutral)):
            apply[key] = each
    suited = {int(row): place for place, row in enumerate(_suited_rows())}
    for each in apply.values():
        action, u = each.instead, each.decision.u
        for row in each.decision.rows.tolist():
            place = suited.get(row)
            if each.decision.cards == "2":
                policy.first[u, row] = action
                if place is not None:
                    policy.suited_first[u, place] = action
            if action not in (STAND, HIT, DOUBLE):
                continue
            policy.play[u, row] = action
            if place is not None:
                policy.suited_play[u, place] = action
            if action != DOUBLE or problem.split_may_double[row]:
                policy.split_play[u, row] = action
                if place is not None:
                    policy.split_suited_play[u, place] = action
    return policy


def _suited_rows() -> Iterator[int]:
    lattice = hands()
    return (int(lattice.child[lattice.child[0, x], y]) for x, y in SUITED_HANDS)


# --- Playing efficiency -------------------------------------------------------------------------------------


class Removals(NamedTuple):
    """What one card less of each value does to every decision."""

    decisions: Sequence[Decision]
    evs: Floats
    """(decisions, 5) of the whole shoe."""
    effects: Floats
    """(10, decisions, 5) change of the EVs without one card of a value."""
    fixed: Floats
    """(10,) change of the EV of a round played as before."""
    best: Floats
    """(10,) change of the EV of a round played best."""


def removals(groups: Groups, fixed: Policy) -> Removals:
    """Price every decision, and a round by a fixed play and by the best one, with one card less of each value."""
    problem, solution = groups.problem, groups.solution
    cells = decisions(groups)
    whole = action_values(solution)
    evs = np.array([cell.evs(whole) for cell in cells])
    ev_fixed, ev_best = play(problem, fixed).ev, play(problem, solution.policy, solution.splits).ev
    effects, by_fixed, by_best = np.zeros((10, *evs.shape)), np.zeros(10), np.zeros(10)
    for value in np.flatnonzero(np.array(problem.shoe) > 0).tolist():
        less = replace(problem, shoe=tuple(count - (v == value) for v, count in enumerate(problem.shoe)))
        without = solve(less)
        effects[value] = [cell.evs(values) for values in [action_values(without)] for cell in cells] - evs
        by_fixed[value] = play(less, fixed).ev - ev_fixed
        by_best[value] = play(less, without.policy, without.splits).ev - ev_best
    return Removals(cells, evs, effects, by_fixed, by_best)


def playing_efficiency(found: Removals, system: CountSystem, deck: Sequence[int], decks: float, left: float) -> float:
    """Return Griffin's playing efficiency: the part of what perfect knowledge of the unseen cards gains in play.

    With so many decks unseen the difference of two actions is taken for normal: its mean is that of the whole shoe, its
    variance that of the mean of as many cards drawn without replacement, each worth as much as its removal takes. A
    count sees of it what the tags' correlation with these effects lets through. A decision is one between the best
    action and the one for which perfect knowledge gains most; gains are weighed by how often decisions are met.
    """
    share = np.array(deck) / sum(deck)
    cards, unseen = decks * sum(deck), left * sum(deck)
    factor = (cards - 1) * math.sqrt((cards - unseen) / (unseen * (cards - 1)))
    perfect = counted = 0.0
    for place, decision in enumerate(found.decisions):
        evs = found.evs[place]
        best = int(np.nanargmax(evs))
        most, with_count = 0.0, 0.0
        for other in np.flatnonzero(~np.isnan(evs)).tolist():
            if other == best:
                continue
            effects = found.effects[:, place, other] - found.effects[:, place, best]
            spread = factor * math.sqrt(float(share @ (effects - share @ effects) ** 2))
            behind = float(evs[best] - evs[other])
            gain = linear_gain(behind, spread)
            if gain > most:
                seen = abs(correlation(system.tags, effects, deck))
                most, with_count = gain, linear_gain(behind, seen * spread)
        perfect += decision.frequency * most
        counted += decision.frequency * with_count
    return counted / perfect if perfect > 0 else 0.0
