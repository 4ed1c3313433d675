"""Speed of charts: JIT warm, one thread. The aims: a chart scored in 1 s, the best one of a table found in 10 s."""

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath import catalog, request
from casinomath.charts import chart_policy
from casinomath.games import spanish21
from casinomath.notation import CHART
from casinomath.optimum import improve
from casinomath.simplicity import simplicity
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, play, solve
from casinomath.worths import Pricing


def table(name: str) -> Problem:
    rules = catalog.rules("spanish21", name, spanish21.Rules)
    return spanish21.problem(rules, catalog.paytable_for("spanish21", name, rules))


def published(name: str) -> Chart:
    chart = request.resolve("spanish21", strategy=name).play
    assert isinstance(chart, Chart)
    return chart


def test_a_chart_is_scored(benchmark: BenchmarkFixture) -> None:
    """As `evaluate` does it, from the chart's text on."""
    problem, chart = table("h17_redouble_six_deck"), published("wizard_h17_redouble")
    assert benchmark(lambda: play(problem, chart_policy(chart, problem)).ev) < 0


def test_a_chart_is_scored_with_the_worth_of_every_decision(benchmark: BenchmarkFixture) -> None:
    """One step of policy improvement; `extra_info`: how many cells are priced at once."""
    problem = table("h17_redouble_six_deck")
    pricing, policy = Pricing(problem), chart_policy(published("wizard_h17_redouble"), problem)
    priced = benchmark(pricing.priced, policy)
    benchmark.extra_info["decisions"] = int(np.isfinite(priced.play).sum() + np.isfinite(priced.first).sum())


@pytest.mark.parametrize("name", ["s17_six_deck", "h17_redouble_two_deck"])
def test_the_best_chart_of_a_table(benchmark: BenchmarkFixture, name: str) -> None:
    """From nothing: the best play by composition, the table's pricing, the search, and its check of several changes."""
    problem = table(name)

    def best() -> float:
        return improve([Pricing(problem)], CHART, solve(problem).policy).ev

    assert benchmark.pedantic(best, rounds=2, warmup_rounds=1) < 0


def test_the_frontier_of_simplicity(benchmark: BenchmarkFixture) -> None:
    """Every class of one table: the aim is 3 minutes."""
    problem = table("h17_six_deck")
    found = benchmark.pedantic(simplicity, (problem, {}, {}), rounds=1, warmup_rounds=1)
    benchmark.extra_info["classes"] = len(found.classes)
