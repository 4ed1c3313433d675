"""Speed of the exact engine: JIT warm, one thread, each figure beside a plain version measured in the same run.

`extra_info` carries the ratios; absolute times depend on the machine.
"""

import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath import catalog
from casinomath.games import blackjack, spanish21
from casinomath.kernels.dealer import dealer_totals, dealer_trie
from casinomath.kernels.hands import hands
from casinomath.kernels.jit import jit
from casinomath.twentyone import play, solve

BONUS_21 = catalog.paytable("spanish21", "bonus_21")
COLORADO = [name for name, rules in catalog.rule_sets("spanish21").items() if rules["source"] == "colorado_rule_8"]


@jit
def draw(shoe, unseen, hard, ace, cards, chance, hits, out):  # type: ignore[no-untyped-def]
    """Plain recursion, compiled like the kernel: every order of the dealer's cards on its own."""
    best = hard + 10 if ace and hard <= 11 else hard
    if cards == 2 and best == 21:
        return
    if best > 21:
        out[6] += chance
    elif best > 17 or (best == 17 and not (hits and best != hard)):
        out[best - 17] += chance
    else:
        for value in range(10):
            if shoe[value] > 0:
                part = chance * shoe[value] / unseen
                shoe[value] -= 1
                draw(shoe, unseen - 1, hard + value + 1, ace or value == 0, cards + 1, part, hits, out)
                shoe[value] += 1


def plain_totals(shoe: np.ndarray) -> np.ndarray:
    out = np.zeros((10, 7))
    for upcard in range(10):
        shoe[upcard] -= 1
        draw(shoe, shoe.sum(), upcard + 1, upcard == 0, 1, 1.0, True, out[upcard])
        shoe[upcard] += 1
    return out


def test_dealer_totals(benchmark: BenchmarkFixture) -> None:
    """All player hands against all upcards; the aim is 50 times plain recursion per shoe."""
    shoe = np.array([24] * 9 + [72])
    trie, removed = dealer_trie(True), hands().counts
    plain_totals(shoe)
    start = time.perf_counter()
    for _ in range(20):
        plain = plain_totals(shoe)
    plain_seconds = (time.perf_counter() - start) / 20
    totals = benchmark(dealer_totals, trie, shoe, removed)
    assert totals[0] == pytest.approx(plain, abs=1e-12)
    mine = benchmark.stats.stats.median / len(removed)
    benchmark.extra_info["microseconds per shoe"] = mine * 1e6
    benchmark.extra_info["times plain recursion"] = plain_seconds / mine


@pytest.mark.parametrize("changes", [{}, {"max_doubles": 3}], ids=["h17", "h17_redouble"])
def test_six_decks(benchmark: BenchmarkFixture, changes: dict[str, int]) -> None:
    """Every action, every split, all suits, and the round: the aim is 1 s."""
    rules = spanish21.Rules()._replace(**changes)

    def analyse() -> float:
        solution = solve(spanish21.problem(rules, BONUS_21))
        return play(solution.problem, solution.policy, solution.splits).ev

    assert benchmark(analyse) < 0


@pytest.mark.parametrize(
    "changes",
    [{}, {"double_after_split": False, "hit_split_aces": True, "max_hands": 5, "hole_card": "none"}],
    ids=["usual", "everything_else"],
)
def test_blackjack_of_six_decks(benchmark: BenchmarkFixture, changes: dict[str, Any]) -> None:
    """The same for blackjack: the aim is 0.5 s, which is what the best public analyser takes."""
    rules, paytable = blackjack.Rules()._replace(**changes), catalog.paytable("blackjack", "three_to_two")

    def analyse() -> float:
        solution = solve(blackjack.problem(rules, paytable))
        return play(solution.problem, solution.policy, solution.splits).ev

    assert benchmark(analyse) < 0


def test_all_of_colorado(benchmark: BenchmarkFixture) -> None:
    """All fifteen rule sets: the aim is 12 s."""
    assert len(COLORADO) == 15

    def analyse() -> int:
        for name in COLORADO:
            rules = catalog.rules("spanish21", name, spanish21.Rules)
            spanish21.evaluate(rules, catalog.paytable_for("spanish21", name, rules))
        return len(COLORADO)

    assert benchmark.pedantic(analyse, rounds=2) == 15
    if Path("/proc/self/status").exists():
        peak = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        benchmark.extra_info["peak memory"] = " ".join(peak.split()[1:])
