"""The exact engine against the oracle: whole rounds and single decisions on tiny shoes, to a float's last digits."""

import os
import random
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
import oracle
import pytest
from oracle_cases import CASES, Case

from casinomath.games import spanish21
from casinomath.kernels.actions import ACTIONS, ENDINGS, RESCUE, STAGES, STAND
from casinomath.kernels.hands import hands
from casinomath.kernels.twentyone import Table
from casinomath.twentyone import Problem, Solution, play, solve

SAME = 1e-12


def problem(rules: oracle.Rules, counts: oracle.Counts) -> Problem:
    """The oracle's table as the engine states it."""
    pays = dict.fromkeys(spanish21.EVENTS, 1.0) | {event: float(pay) for event, pay in rules.pays.items()}
    half = rules.rescue_forfeits == "half_of_wager"
    rescues = {f"{stage}_rescue": -(2.0**doubles) if half else -1.0 for doubles, stage in enumerate(STAGES)}
    return Problem(
        table=Table(
            twenty_one_wins=int(rules.twenty_one_wins),
            double_up_to=21 if rules.double_on_any_cards else 2,
            max_doubles=rules.max_doubles,
            rescue=int(rules.rescue),
            surrender=int(rules.late_surrender),
            split_aces_draw=int(rules.draw_to_split_aces),
            double_split_aces=int(
                rules.draw_to_split_aces if rules.double_split_aces is None else rules.double_split_aces
            ),
            resplit_aces=int(rules.resplit_aces),
            double_after_split=int(rules.double_after_split),
            double_from=rules.double_from,
            peeks=int(rules.peek),
        ),
        shoe=counts,
        decks=rules.decks,
        hits_soft_17=rules.dealer_hits_soft_17,
        max_hands=rules.max_hands,
        pays=pays | rescues | {"surrender": -0.5},
        split_pays={} if rules.card_count_bonus_after_split else dict.fromkeys(spanish21.EVENTS[1:4], 1.0),
        super_bonus=float(rules.super_bonus),
    )


def engine_values(solution: Solution, hand: oracle.Hand, upcard: oracle.Card) -> dict[str, float]:
    """EV of each action, given no dealer blackjack."""
    lattice, values = hands(), solution.values
    row = 0
    for value, _ in sorted(hand):
        row = int(lattice.child[row, value])
    peek = values.peek[upcard[0], row]
    if len(hand) == 2:
        suits = sum((suit or 0) * place for (_, suit), place in zip([*sorted(hand), upcard], (16, 4, 1), strict=True))
        actions = solution.first_values(upcard[0], row, suits)
    else:
        actions = {0: values.stand[upcard[0], row], 1: values.hit[upcard[0], row], 2: values.double[upcard[0], row]}
    return {ACTIONS[action]: float(value / peek) for action, value in actions.items()}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_round_and_its_decisions(case: Case) -> None:
    expected = oracle.round_value(case.rules, case.counts)
    solution = solve(problem(case.rules, case.counts))
    played = play(solution.problem, solution.policy, solution.splits)
    assert played.ev == pytest.approx(float(expected.ev), abs=SAME)
    assert played.average_wager == pytest.approx(float(expected.wagered), abs=SAME)
    assert played.ends.sum() + played.split_rounds.sum() == pytest.approx(1.0, abs=SAME)
    assert played.split_rounds.sum() == pytest.approx(float(expected.endings.get("split", 0)), abs=SAME)
    for hand, upcard in case.decisions():
        theirs = oracle.action_values(case.rules, case.counts, hand, upcard)
        for action, value in engine_values(solution, hand, upcard).items():
            assert value == pytest.approx(float(theirs[action]), abs=SAME), (hand, upcard, action)


def any_table(seed: int) -> tuple[oracle.Rules, oracle.Counts]:
    """Any rules, and a shoe of a few values with many tens."""
    number = random.Random(seed)
    counts = [0] * 10
    for value in number.sample(range(1, 9), number.randint(1, 3)):
        counts[value] = number.randint(1, 3)
    counts[0], counts[9] = number.choice((0, 2, 3)), number.randint(5, 8)

    def maybe() -> bool:
        return number.random() < 0.5

    return oracle.Rules(
        decks=2,
        dealer_hits_soft_17=maybe(),
        twenty_one_wins=False,
        rescue=False,
        max_hands=number.choice((2, 3, 4, 5)),
        late_surrender=maybe(),
        draw_to_split_aces=maybe(),
        double_split_aces=maybe(),
        resplit_aces=maybe(),
        double_after_split=maybe(),
        double_from=number.choice((0, 8, 9, 10)),
        double_on_any_cards=number.random() < 0.3,
        peek=maybe(),
        pays={"blackjack": Fraction(3, 2)},
    ), tuple(counts)


# those of the first sixty whose lines of play have cards enough, and that the oracle is soon done with
@pytest.mark.parametrize("seed", [3, 4, 7, 13, 14, 16, 21, 22, 27, 32, 35, 37, 38, 42, 44, 50, 52, 55])
def test_any_rules(seed: int) -> None:
    rules, counts = any_table(seed)
    expected = oracle.round_value(rules, counts)
    solution = solve(problem(rules, counts))
    played = play(solution.problem, solution.policy, solution.splits)
    assert played.ev == pytest.approx(float(expected.ev), abs=SAME)
    assert played.average_wager == pytest.approx(float(expected.wagered), abs=SAME)
    assert played.ends.sum() + played.split_rounds.sum() == pytest.approx(1.0, abs=SAME)


@pytest.mark.parametrize("case", [case for case in CASES if case.rules.max_doubles > 1], ids=lambda case: case.name)
def test_decisions_after_doubles(case: Case) -> None:
    """Stand, rescue and redouble for hands of three cards that the shoe can deal against its upcards."""
    lattice, solution = hands(), solve(problem(case.rules, case.counts))
    values = solution.values
    rescues = solution.problem.ending_pays
    compared = 0
    for row in np.flatnonzero((lattice.size == 3) & (lattice.total < 21)).tolist():
        hand = tuple((int(value), None) for value in np.repeat(np.arange(10), lattice.counts[row]))
        for upcard in np.flatnonzero(case.counts).tolist():
            if np.isnan(values.peek[upcard, row]):
                continue
            for doubles in range(1, case.rules.max_doubles + 1):
                theirs = oracle.after_double_values(case.rules, case.counts, hand, (upcard, None), doubles)
                mine = {ACTIONS[STAND]: 2**doubles * values.stand[upcard, row] / values.peek[upcard, row]}
                if doubles < case.rules.max_doubles:
                    mine["double"] = values.redouble[doubles - 1, upcard, row] / values.peek[upcard, row]
                if case.rules.rescue:
                    mine[ACTIONS[RESCUE]] = rescues[ENDINGS.index(f"{STAGES[doubles - 1]}_rescue")]
                assert mine.keys() == theirs.keys()
                for action, value in mine.items():
                    assert value == pytest.approx(float(theirs[action]), abs=SAME), (hand, upcard, doubles, action)
                    compared += 1
    assert compared > 50


PLAIN = """
from oracle_cases import CASES
from test_engine import problem
from casinomath.twentyone import play, solve
case = next(case for case in CASES if case.name == "sixes")
solution = solve(problem(case.rules, case.counts))
print(repr(play(solution.problem, solution.policy, solution.splits).ev))
"""


def test_kernels_as_plain_python() -> None:
    """The same number without the compiler, to the last bit; warnings such as a division by zero are errors."""
    case = next(case for case in CASES if case.name == "sixes")
    solution = solve(problem(case.rules, case.counts))
    compiled = play(solution.problem, solution.policy, solution.splits).ev
    tests = str(Path(__file__).parent)
    path = os.pathsep.join([tests, str(Path(tests).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert float(plain.stdout) == compiled
