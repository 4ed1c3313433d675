"""Total-dependent play: worths against exact re-scoring, the optimum of its class, and what charts cost."""

from functools import cache, partial

import numpy as np
import pytest

from casinomath import catalog, request
from casinomath.cells import policy_of
from casinomath.charts import chart_policy
from casinomath.games import spanish21
from casinomath.kernels.actions import DOUBLE, RESCUE, STAND, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.kernels.twentyone import Table
from casinomath.notation import CHART, EVERY_CELL, decisions_of
from casinomath.optimum import EQUAL, Optimum, improve
from casinomath.strategy import Chart
from casinomath.total_play import pricing
from casinomath.twentyone import Problem, play, solve
from casinomath.worths import Pricing, suits_class

WIZARD = {"wizard_s17": "s17_six_deck", "wizard_h17": "h17_six_deck", "wizard_h17_redouble": "h17_redouble_six_deck"}
EXACT = 2e-15
"""What summing in another order may do to an EV."""
AFTER = (STAND, RESCUE, DOUBLE)


def table(name: str, **changes: object) -> Pricing:
    rules = catalog.rules("spanish21", name, spanish21.Rules)._replace(**changes)  # type: ignore[arg-type]
    return pricing(spanish21.problem(rules, catalog.paytable_for("spanish21", name, rules)))


def blackjack(decks: int, hits_soft_17: bool = True, pushes_22: bool = False, **table: int) -> Pricing:
    """Ordinary blackjack, S17 or H17, to four hands."""
    no_bonus = {"twenty_one_wins": 0, "double_up_to": 2, "max_doubles": 1, "rescue": 0, "surrender": 1}
    return pricing(
        Problem(
            table=Table(**{**no_bonus, "split_aces_draw": 0, **table}),
            shoe=(*(4 * decks,) * 9, 16 * decks),
            decks=decks,
            hits_soft_17=hits_soft_17,
            max_hands=4,
            pays={"blackjack": 1.5, "surrender": -0.5},
            split_pays={},
            pushes_22=pushes_22,
        )
    )


def published(name: str) -> Chart:
    chart = request.resolve("spanish21", WIZARD[name], strategy=name).play
    assert isinstance(chart, Chart)
    return chart


def scored(problem: Problem, policy: Policy) -> np.ndarray:
    """The EV by upcard as the forward pass of the engine collects it, the Super Bonus left out."""
    found = play(problem, policy)
    return found.ends @ problem.ending_pays + (found.split_ends @ problem.split_ending_pays).sum(axis=1)


CASES = {
    "redouble, Super Bonus": partial(table, "h17_redouble_six_deck", super_bonus=True),
    "two decks": partial(table, "s17_two_deck", super_bonus=True, card_count_bonus_after_split=False),
    "original wager": partial(table, "five_deck_house", max_hands=3, late_surrender=False),
    "aces get one card": partial(table, "h17_four_deck", draw_to_split_aces=False, rescue=False),
    "blackjack": partial(blackjack, 2, resplit_aces=0),
    "no peek": partial(blackjack, 6, peeks=0, double_after_split=0, double_from=9, split_aces_draw=1),
    "endless, 22 pushes": partial(blackjack, 1, taken=0, pushes_22=True, double_split_aces=1),
}


@pytest.mark.parametrize("case", CASES)
def test_a_worth_is_what_changing_one_decision_of_one_hand_does(case: str) -> None:
    """Ten changes at once, one against each upcard, since upcards have nothing in common; all kinds of decisions."""
    pricing = CASES[case]()
    problem, lattice = pricing.problem, hands()
    policy = chart_policy(published("wizard_h17_redouble"), problem)
    priced, before = pricing.priced(policy), play(problem, policy)
    assert priced.ev.sum() == pytest.approx(before.ev, abs=EXACT)
    rng, by_class = np.random.default_rng(21), suits_class()
    few = (lattice.size >= 2) & (lattice.size < 6) & (lattice.total < 21)
    suited = (lattice.size == 2) & (problem.suited.place >= 0)
    two, more = np.flatnonzero(few & (lattice.size == 2) & ~suited), np.flatnonzero(few & (lattice.size > 2))
    kinds = {
        "play": (more, problem.may_double, problem.may_hit),
        "split_play": (np.flatnonzero(few & ~suited), problem.split_may_double, problem.may_hit),
        "aces_play": (np.flatnonzero(few), problem.aces_may_double, problem.aces_may_hit),
    }
    for kind in (*kinds, "after", "first", *("suited_first", "split_suited_play") * int(suited.any())):
        changed = Policy(*(array.copy() for array in policy))
        expected = 0.0
        for upcard in range(10):
            array, mine = getattr(changed, kind), getattr(policy, kind)
            if kind in kinds:
                rows, may_double, may_hit = kinds[kind]
                row = rng.choice(rows)
                worths = priced.play[list(kinds).index(kind), upcard, row]
                action = rng.choice(np.flatnonzero([True, may_hit[row], may_double[row]]))
                gain = worths[action] - worths[mine[upcard, row]]
                array[upcard, row] = action
            elif kind == "after":
                row, doubles = rng.choice(more), rng.integers(problem.table.max_doubles)
                worths = priced.after[doubles, upcard, row]
                last = doubles == problem.table.max_doubles - 1
                action = rng.choice(np.flatnonzero([True, problem.table.rescue, not last]))
                gain = worths[action] - worths[AFTER.index(mine[doubles, upcard, row])]
                array[doubles, upcard, row] = AFTER[action]
            elif kind == "first":
                row = rng.choice(two)
                worths = priced.first[upcard, row]
                action = rng.choice(np.flatnonzero(np.isfinite(worths[:5])))
                gain = worths[action] - worths[mine[upcard, row]]
                array[upcard, row] = action
            elif kind == "suited_first":
                i, suits = rng.integers(len(SUITED_HANDS)), by_class == rng.integers(3)
                worths = priced.suited_first[upcard, i]
                action = rng.choice(np.flatnonzero(np.isfinite(worths[:, :5]).all(axis=0)))
                taken = np.take_along_axis(worths, mine[upcard, i][:, None].astype(int), axis=1)[:, 0]
                gain = (worths[:, action] - taken)[suits].sum()
                array[upcard, i, suits] = action
            else:
                i, of_class = rng.choice([1, 2, 3, 4]), rng.integers(3)
                suits = by_class == of_class
                worths, action = priced.suited_play[upcard, i, of_class], rng.integers(3)
                gain = worths[action] - worths[mine[upcard, i, suits][0]]
                array[upcard, i, suits] = action
            expected += gain
        assert play(problem, changed).ev - before.ev == pytest.approx(expected, abs=EXACT), kind


@pytest.mark.parametrize("name", WIZARD)
def test_a_charts_cells_are_its_policy(name: str) -> None:
    problem = table(WIZARD[name], super_bonus=True).problem
    chart, lattice = published(name), hands()
    asked, read = chart_policy(chart, problem), policy_of(decisions_of(chart, problem), problem)
    dealt = (lattice.size >= 2) & (lattice.total < 21)
    assert np.array_equal(asked.play[:, dealt], read.play[:, dealt])
    assert np.array_equal(asked.split_play[:, dealt], read.split_play[:, dealt])
    assert np.array_equal(asked.aces_play[:, dealt], read.aces_play[:, dealt])
    assert np.array_equal(asked.after[..., dealt], read.after[..., dealt])
    assert np.array_equal(asked.first[:, lattice.size == 2], read.first[:, lattice.size == 2])
    assert np.array_equal(asked.split_suited_play, read.split_suited_play)
    assert np.array_equal(asked.suited_first, read.suited_first)


@cache
def optimum(name: str, every_cell: bool = False, super_bonus: bool = False) -> tuple[Pricing, Optimum]:
    pricing = table(name, super_bonus=super_bonus)
    start = solve(pricing.problem).policy
    return pricing, improve([pricing], EVERY_CELL if every_cell else CHART, start)


@pytest.mark.parametrize(
    ("name", "every_cell"), [("h17_redouble_six_deck", False), ("s17_two_deck", False), ("s17_two_deck", True)]
)
def test_no_single_change_improves_the_optimum(name: str, every_cell: bool) -> None:
    """By the worths, every change of a unit loses; and so says the engine of the closest one against every upcard."""
    pricing, found = optimum(name, every_cell)
    problem = pricing.problem
    best = play(problem, policy_of(found.decisions, problem)).ev
    assert found.ev == pytest.approx(best, abs=EXACT)
    worths = found.units.worths(found.sums)
    taken = np.take_along_axis(worths, found.choices[..., None], axis=2)
    assert (worths <= taken + EQUAL).all()
    loss = (taken - worths).transpose(1, 0, 2).reshape(10, -1)
    for rank in (0, 3, 10, 30):
        closest = np.argsort(np.where(loss > 10 * EQUAL, loss, np.inf), axis=1)[:, rank]
        unit, code = np.divmod(closest, worths.shape[2])
        choices = found.choices.copy()
        choices[unit, np.arange(10)] = code
        changed = scored(problem, policy_of(found.units.decisions(choices), problem))
        lost = found.by_upcard - changed
        assert (lost > 0).all()
        assert lost == pytest.approx(loss[np.arange(10), closest], abs=EXACT)
