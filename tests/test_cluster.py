"""The same sample from a Dask cluster, also when a worker is killed; and nothing hangs where nobody answers."""

import os
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from typing import Any

import pytest
from test_montecarlo import spins

from casinomath import cli, cluster, request
from casinomath.cluster import ClusterLost
from casinomath.errors import RequestError
from casinomath.montecarlo import CHUNK_ROUNDS, Sample, Words, WorkersLost, run

distributed = pytest.importorskip(
    "distributed", reason="distributed is not installed: it comes with casinomath[cluster]"
)

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::DeprecationWarning")


@contextmanager
def local_cluster(workers: int, *, processes: bool) -> Iterator[Any]:
    """A scheduler that listens on TCP, and workers that find it there."""
    made = distributed.LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=processes,
        host="127.0.0.1",
        protocol="tcp",
        dashboard_address=":0",
    )
    with made:
        yield made


@pytest.fixture(scope="module")
def two_processes() -> Iterator[Any]:
    with local_cluster(2, processes=True) as made:
        yield made


def slow_spins(seconds: float, rounds: int, start: Words) -> Sample:
    time.sleep(seconds)
    return spins(rounds, start)


# --- The same sample ----------------------------------------------------------------------------------------


def test_one_digest_wherever_a_game_is_played(two_processes: Any) -> None:
    """Spanish 21 by a chart: one thread, many threads, processes, a cluster."""
    asked = request.resolve("spanish21", "h17_six_deck", strategy="wizard_h17")
    rounds, digests = 3 * CHUNK_ROUNDS + 5, {}
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(7) as many:
        digests["one thread"] = asked.simulate(rounds, 21, executor=one).digest
        digests["many threads"] = asked.simulate(rounds, 21, executor=many).digest
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        digests["processes"] = asked.simulate(rounds, 21, executor=processes).digest
    with cluster.cluster(two_processes.scheduler_address) as workers:
        digests["cluster"] = asked.simulate(rounds, 21, executor=workers).digest
    assert len(set(digests.values())) == 1, digests


def test_a_killed_worker_changes_nothing(two_processes: Any) -> None:
    """Killed by SIGKILL when a tenth is played: what it had in hand is played by another, and counted once."""
    victim = next(iter(two_processes.workers.values())).pid
    killed: list[int] = []

    def kill(done: int, rounds: int) -> None:
        if done >= rounds // 10 and not killed:
            os.kill(victim, signal.SIGKILL)
            killed.append(victim)

    with cluster.cluster(two_processes.scheduler_address) as workers:
        sample = run(partial(slow_spins, 0.02), 10_000, 5, chunk_rounds=100, executor=workers, progress=kill)
    assert killed
    assert victim not in {worker.pid for worker in two_processes.workers.values()}
    assert sample.digest == run(spins, 10_000, 5, chunk_rounds=100).digest


def test_a_stop_at_a_standard_error_is_the_same_on_a_cluster(two_processes: Any) -> None:
    with cluster.cluster(two_processes.scheduler_address) as workers:
        sample = run(spins, 10**9, 5, stderr=0.01, chunk_rounds=100, executor=workers)
    assert sample == run(spins, 10**9, 5, stderr=0.01, chunk_rounds=100)


def test_the_command_line_plays_on_a_cluster(two_processes: Any, capsys: pytest.CaptureFixture[str]) -> None:
    words = "simulate match_the_dealer --rounds 2000 --seed 3 --json"
    assert cli.main([*words.split(), "--scheduler", two_processes.scheduler_address]) == 0
    there = capsys.readouterr().out
    assert cli.main(words.split()) == 0
    here = capsys.readouterr().out
    digest = [next(line for line in out.splitlines() if "digest" in line) for out in (here, there)]
    assert digest[0] == digest[1]


def test_a_task_that_fails_is_told_as_it_failed(two_processes: Any) -> None:
    with cluster.cluster(two_processes.scheduler_address) as workers, pytest.raises(ZeroDivisionError):
        run(partial(divided, 0), 1000, 5, executor=workers)


def divided(by: int, rounds: int, start: Words) -> Sample:
    return spins(rounds // by, start)


# --- What would never end -----------------------------------------------------------------------------------


def test_workers_that_do_not_come_back_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    monkeypatch.setattr(cluster, "LOOK_EVERY", 0.1)
    with local_cluster(1, processes=False) as made, cluster.cluster(made.scheduler_address) as workers:
        start = time.monotonic()
        with pytest.raises(WorkersLost, match=r"lost after [\d,]+ rounds: the scheduler tcp://.* has no workers left"):
            run(
                partial(slow_spins, 0.05),
                10**9,
                5,
                chunk_rounds=100,
                executor=workers,
                progress=lambda done, _: made.scale(0) if done == 500 else None,
            )
        assert time.monotonic() - start < 15
        with pytest.raises(ClusterLost, match="no workers left"):
            workers.submit(int)


def test_a_scheduler_that_goes_away_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "PATIENCE", 1.0)
    with local_cluster(1, processes=False) as made, cluster.cluster(made.scheduler_address) as workers:
        start = time.monotonic()
        with pytest.raises(WorkersLost, match=r"is gone|answers no more|no workers left"):
            run(
                partial(slow_spins, 0.05),
                10**9,
                5,
                chunk_rounds=100,
                executor=workers,
                progress=lambda done, _: made.close() if done == 500 else None,
            )
        assert time.monotonic() - start < 20


def test_another_version_on_a_worker_is_refused(two_processes: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It might play other rounds."""
    monkeypatch.setattr(cluster, "__version__", "0.0.9")
    with (
        cluster.cluster(two_processes.scheduler_address) as workers,
        pytest.raises(WorkersLost, match=r"a worker has casinomath .*; all need 0\.0\.9"),
    ):
        run(spins, 1000, 5, executor=workers)


def test_a_cluster_without_workers_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWER", 1.0)
    with (
        local_cluster(0, processes=False) as made,
        pytest.raises(RequestError, match="has no workers; start one with: dask worker tcp://"),
        cluster.cluster(made.scheduler_address),
    ):
        pass


@contextmanager
def listener(*answers: bytes) -> Iterator[str]:
    """Somebody at an address who is no scheduler: answers and hangs up, or says nothing."""
    kept: list[socket.socket] = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            while True:
                try:
                    caller, _ = server.accept()
                except OSError:
                    return
                kept.append(caller)
                for answer in answers:
                    caller.sendall(answer)
                    caller.close()

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        for caller in kept:
            caller.close()


@pytest.mark.parametrize(
    "address", ["tcp://127.0.0.1:9", "127.0.0.1:9", "nonsense", "http://127.0.0.1:9", "tcp://127.0.0.1"]
)
def test_an_address_where_nobody_listens(
    address: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster, "ANSWER", cluster.ANSWER if address.startswith("tcp://") else 0.5)
    start = time.monotonic()
    status = cli.main(f"simulate spanish21 --rounds 10 --seed 1 --scheduler {address}".split())
    assert time.monotonic() - start < 10
    out, err = capsys.readouterr()
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"scheduler {address}: no Dask scheduler answers (" in err


@pytest.mark.parametrize("answers", [(), (b"",), (b"HTTP/1.1 400 Bad Request\r\n\r\n",)])
def test_somebody_else_at_the_address(answers: tuple[bytes, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ANSWER", 1.0)
    with (
        listener(*answers) as address,
        pytest.raises(RequestError, match="no Dask scheduler answers"),
        cluster.cluster(address),
    ):
        pass


def test_the_executor_is_like_any_other(two_processes: Any) -> None:
    with cluster.cluster(two_processes.scheduler_address) as workers:
        assert list(workers.map(pow, [2, 3], [5, 2])) == [32, 9]
        slow: list[Future[Any]] = [workers.submit(time.sleep, 0.5) for _ in range(5)]
        assert slow[-1].cancel()
        workers.shutdown(cancel_futures=True)
        assert all(future.cancelled() for future in slow)
        with pytest.raises(ClusterLost, match="after shutdown"):
            workers.submit(int)
