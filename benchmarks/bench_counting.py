"""Explaining a hand, finding index plays, and rounds of one who counts: warm, and against counting nothing."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import casinomath
from casinomath import catalog, indices
from casinomath.advantage import Count, count
from casinomath.cards import SPANISH
from casinomath.decisions import Groups
from casinomath.games import spanish21
from casinomath.twentyone import play, solve

ROUNDS = 2**21


@pytest.fixture(scope="module")
def counted() -> Count:
    return count("spanish21")


def test_explain(benchmark: BenchmarkFixture) -> None:
    """All about one hand; the table it is played at is solved already."""
    casinomath.explain("spanish21", "7s 8h", "9")
    found = benchmark(casinomath.explain, "spanish21", "7s 8h", "10")
    assert found.best == "hit"


def test_decisions_at_nine_compositions(benchmark: BenchmarkFixture) -> None:
    problem = spanish21.problem(spanish21.Rules(), catalog.paytable("spanish21", "bonus_21"))
    solution = solve(problem)
    groups = Groups(solution, play(problem, solution.policy, solution.splits))
    system = catalog.count_system("hi_lo")
    found = benchmark.pedantic(indices.by_count, (problem, groups, system, SPANISH, 3.0), rounds=3, warmup_rounds=1)
    assert len(found.counts) == 9


@pytest.mark.parametrize("play_by", ["fixed", "indices"])
def test_rounds_by_the_count(benchmark: BenchmarkFixture, counted: Count, play_by: str) -> None:
    ramp = counted.ramp(8)
    benchmark.extra_info["rounds"] = ROUNDS
    found = benchmark.pedantic(
        counted.simulate, (ROUNDS, 1), {"ramp": ramp, "play_by": play_by}, rounds=3, warmup_rounds=1
    )
    assert found.sample.rounds == ROUNDS


def test_rounds_of_the_same_shoes_without_a_count(benchmark: BenchmarkFixture, counted: Count) -> None:
    """What is to be compared: the table of `simulate`, which counts nothing."""
    request = counted.request
    benchmark.extra_info["rounds"] = ROUNDS
    given = {"strategy": request.chart(), "penetration": 0.75}
    found = benchmark.pedantic(
        spanish21.simulate, (request.rules, request.paytable, ROUNDS, 1), given, rounds=3, warmup_rounds=1
    )
    assert found.rounds == ROUNDS
