"""Speed of the simulation: JIT warm, one thread, and plain Python playing the same rounds in the same run.

`extra_info` carries rounds a second and the ratios, by the fastest of the repetitions: what else the machine does only
slows the others.
"""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath import request
from casinomath.games import blackjack
from casinomath.montecarlo import CHUNK_ROUNDS, Sample

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

ROUNDS = 16 * CHUNK_ROUNDS
PLAIN_ROUNDS = 50_000
PLAIN = f"""
import time
from casinomath import request

asked = request.resolve("spanish21", "h17_six_deck", strategy="wizard_h17")
start = time.perf_counter()
asked.simulate(1, 1)
middle = time.perf_counter()
asked.simulate({PLAIN_ROUNDS}, 1)
print(time.perf_counter() - middle - (middle - start))
"""
"""Seconds of the rounds alone: laying out the chart is taken off."""


TABLES: dict[str, dict[str, Any]] = {
    "cut card": {"penetration": 0.75},
    "three seats": {"seats": 3},
    "seven seats and a cut card": {"seats": 7, "penetration": 0.75},
    "three bets on the side": {"beside": ["match_the_dealer:both", "insurance", "match_the_dealer_progressive"]},
    "by hand": {"by_hand": True},
}


def simulated(rules_name: str, rounds: int, threads: int = 1, **table: Any) -> Sample:
    chart = "wizard_h17_redouble" if "redouble" in rules_name else "wizard_h17"
    asked = request.resolve("spanish21", rules_name, strategy=chart)
    with ThreadPoolExecutor(threads) as executor:
        return asked.simulate(rounds, 1, executor=executor, **table)


@pytest.mark.parametrize("rules_name", ["h17_six_deck", "h17_redouble_two_deck"])
def test_rounds(benchmark: BenchmarkFixture, rules_name: str) -> None:
    """Fresh shoes, suits, bonuses and splits, by a published chart; the aim is 8 million rounds a second."""
    simulated(rules_name, 1)
    sample = benchmark(simulated, rules_name, ROUNDS)
    assert sample.rounds == ROUNDS
    benchmark.extra_info["million rounds a second"] = ROUNDS / benchmark.stats.stats.min / 1e6


def test_rounds_of_blackjack(benchmark: BenchmarkFixture) -> None:
    """Fresh shoes, the best play of six decks; the aim is the 12 to 17 million rounds a second of a prototype."""
    asked = request.resolve("blackjack")
    strategy = asked.strategy()

    def simulated_blackjack(rounds: int) -> Sample:
        with ThreadPoolExecutor(1) as executor:
            return blackjack.simulate(
                blackjack.Rules(), asked.paytable, rounds, 1, strategy=strategy, executor=executor
            )

    simulated_blackjack(1)
    sample = benchmark(simulated_blackjack, ROUNDS)
    assert sample.rounds == ROUNDS
    benchmark.extra_info["million rounds a second"] = ROUNDS / benchmark.stats.stats.min / 1e6


@pytest.mark.parametrize("table", list(TABLES))
def test_tables(benchmark: BenchmarkFixture, table: str) -> None:
    """What seats, a shoe that is dealt on and bets on the side cost; memory stays what it is, however many rounds."""
    simulated("h17_six_deck", 1, **TABLES[table])
    sample = benchmark(simulated, "h17_six_deck", ROUNDS // 4, **TABLES[table])
    speed = sample.rounds / benchmark.stats.stats.min / 1e6
    benchmark.extra_info["million rounds a second"] = speed
    benchmark.extra_info["million rounds of a seat a second"] = speed * sample.seats
    if resource is not None:
        benchmark.extra_info["MB at most"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_against_plain_python(benchmark: BenchmarkFixture) -> None:
    """The same code with NUMBA_DISABLE_JIT=1."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run([sys.executable, "-c", PLAIN], env=environment, capture_output=True, text=True, check=True)
    plain = float(ran.stdout) / PLAIN_ROUNDS
    simulated("h17_six_deck", 1)
    benchmark(simulated, "h17_six_deck", ROUNDS)
    benchmark.extra_info["plain rounds a second"] = 1 / plain
    benchmark.extra_info["times plain Python"] = plain / (benchmark.stats.stats.min / ROUNDS)


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="one processor")
def test_two_threads(benchmark: BenchmarkFixture) -> None:
    """The aim is 1.8 times one thread, on a machine with nothing else to do."""
    rounds = 4 * ROUNDS  # enough chunks that the last one does not matter
    simulated("h17_six_deck", 1)
    start = time.perf_counter()
    simulated("h17_six_deck", rounds)
    one = time.perf_counter() - start
    benchmark(simulated, "h17_six_deck", rounds, threads=2)
    benchmark.extra_info["times one thread"] = one / benchmark.stats.stats.min
