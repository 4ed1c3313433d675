"""What it costs to send a chunk elsewhere: rounds a second of one worker, of each kind, beside the same in a thread.

A chunk is 2^20 rounds, a twentieth of a second or so; what a worker costs on top is a few milliseconds.
"""

from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing import get_context

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath import request
from casinomath.montecarlo import CHUNK_ROUNDS

ROUNDS = 20 * CHUNK_ROUNDS


@contextmanager
def one_worker(kind: str) -> Iterator[Executor]:
    if kind == "thread":
        with ThreadPoolExecutor(1) as thread:
            yield thread
    elif kind == "process":
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            yield process
    else:
        distributed = pytest.importorskip("distributed", reason="distributed is not installed")
        from casinomath.cluster import cluster

        options = {"host": "127.0.0.1", "protocol": "tcp", "dashboard_address": ":0"}
        with (
            distributed.LocalCluster(n_workers=1, threads_per_worker=1, **options) as made,
            cluster(made.scheduler_address) as workers,
        ):
            yield workers


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("kind", ["thread", "process", "cluster"])
def test_one_worker(benchmark: BenchmarkFixture, kind: str) -> None:
    asked = request.resolve("spanish21", "h17_six_deck", strategy="wizard_h17")
    with one_worker(kind) as executor:
        asked.simulate(1, 1, executor=executor)
        sample = benchmark.pedantic(asked.simulate, (ROUNDS, 1), {"executor": executor}, rounds=3)
    assert sample.rounds == ROUNDS
    benchmark.extra_info["million rounds a second"] = ROUNDS / benchmark.stats.stats.min / 1e6
