"""Samples add exactly, runs depend on nothing but the seed, and bad requests are refused."""

import json
import math
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from statistics import stdev
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casinomath import montecarlo
from casinomath.errors import RequestError
from casinomath.montecarlo import IN_FLIGHT, Sample, Shoes, Words, WorkersLost, merged, run, state
from casinomath.snapshots import decoded, encoded

HALF = Fraction(1, 2)


def spins(rounds: int, start: Words, most: int = 3) -> Sample:
    """A toy game: the net result is -2 to `most` - 1 halves with equal chances, a round that wins is wagered twice."""
    nets = np.random.default_rng([int(word) for word in start]).integers(-2, most, rounds)
    outcomes = Counter((int(net), 4 if net > 0 else 2) for net in nets)
    won = int((nets > 0).sum())
    return Sample(rounds, HALF, dict(outcomes), {"won": won, "other": rounds - won}, {"points": int(nets.sum())})


def sample_of(nets: list[int], seed: int | None = None, unit: Fraction = HALF) -> Sample:
    return Sample(len(nets), unit, Counter((net, 2) for net in nets), {"round": len(nets)}, {}, seed)


class Inline(Executor):
    """Runs a task when it is submitted, and keeps count of results not fetched yet."""

    def __init__(self) -> None:
        self.waiting = self.most_waiting = 0

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        executor = self

        class Counted(Future[Any]):
            def result(self, timeout: float | None = None) -> Any:
                executor.waiting -= 1
                return super().result(timeout)

        future = Counted()
        future.set_result(fn(*args, **kwargs))
        self.waiting += 1
        self.most_waiting = max(self.most_waiting, self.waiting)
        return future


# --- Samples ------------------------------------------------------------------------------------------------


def test_measures_of_a_small_sample() -> None:
    nets = [3, -2, -2, 0, 1]
    sample = sample_of(nets)
    initial_wagers = [net / 2 for net in nets]
    assert sample.total == 0
    assert sample.mean == 0.0
    assert sample.total_squares == Fraction(18, 4)
    assert sample.stdev == pytest.approx(stdev(initial_wagers), rel=1e-15)
    assert sample.stderr == pytest.approx(stdev(initial_wagers) / math.sqrt(5), rel=1e-15)
    assert sample.total_wagered == 5
    assert sample.average_wager == 1.0
    assert sample.distribution == {Fraction(-1): 2, Fraction(0): 1, HALF: 1, Fraction(3, 2): 1}


def test_interval_and_agreement_are_in_standard_errors() -> None:
    sample = sample_of([3, -2, -2, 0, 1, 1, 2])
    low, high = sample.interval(0.95)
    assert (low + high) / 2 == pytest.approx(sample.mean)
    assert high - sample.mean == pytest.approx(1.959963985 * sample.stderr)  # the normal law's 97.5% point
    assert sample.agreement(sample.mean - 2 * sample.stderr) == pytest.approx(2.0)
    assert sample.agreement(low) == pytest.approx(1.959963985)
    event = Sample(100, HALF, {(0, 2): 100}, {"hit": 58, "miss": 42}, {})
    assert event.event_agreement("hit", 0.5) == pytest.approx(1.6)  # (0.58 - 0.5) / (0.5 / 10)
    assert event.event_agreement("never", 0.5) == pytest.approx(-10.0)


@pytest.mark.parametrize("confidence", [0, 1, -0.5, 95, math.nan])
def test_confidence_is_between_0_and_1(confidence: float) -> None:
    with pytest.raises(RequestError, match="confidence"):
        sample_of([1, 2]).interval(confidence)


def test_results_that_never_vary() -> None:
    sample = sample_of([2, 2, 2])
    assert sample.stderr == 0.0
    assert sample.agreement(1.0) == 0.0
    assert sample.agreement(1.5) == -math.inf


def test_a_single_round_has_a_mean_and_no_error() -> None:
    sample = sample_of([3])
    assert sample.mean == 1.5
    assert math.isnan(sample.stderr)
    assert sample.json()["stderr"] is None
    assert "1 rounds" in repr(sample)


@given(st.lists(st.lists(st.integers(-64, 64), min_size=1), min_size=1, max_size=6), st.randoms())
def test_merging_in_any_order_is_the_whole_sample(parts: list[list[int]], random: Any) -> None:
    samples = [sample_of(part) for part in parts]
    whole = sample_of([net for part in parts for net in part])
    random.shuffle(samples)
    assert merged(samples) == whole
    assert merged(samples).digest == whole.digest
    assert merged([merged(samples[:1]), *samples[1:]]) == whole


def test_adding_keeps_exact_sums_of_any_size() -> None:
    """Where floating-point sums would have lost the single unit."""
    large = Sample(10**12, HALF, {(2**40, 2): 10**12}, {"round": 10**12}, {})
    assert (large + sample_of([1])).total == Fraction(2**40 * 10**12 + 1, 2)


def test_adding_two_seeds_has_no_seed_and_one_seed_twice_is_refused() -> None:
    assert (sample_of([1], seed=1) + sample_of([2], seed=2)).seed is None
    with pytest.raises(ValueError, match="seed 1"):
        sample_of([1], seed=1) + sample_of([2], seed=1)


def test_samples_in_other_units_do_not_add() -> None:
    with pytest.raises(ValueError, match="units"):
        sample_of([1]) + sample_of([1], unit=Fraction(1, 3))
    with pytest.raises(ValueError, match="no samples"):
        merged([])


def test_digest_sees_everything() -> None:
    sample = sample_of([1, 2, -1], seed=7)
    others = [
        sample_of([1, 2, -2], seed=7),
        sample_of([1, 2, -1], seed=8),
        sample_of([1, 2, -1, -1], seed=7),
        sample_of([1, 2, -1], seed=7, unit=Fraction(1, 3)),
        Sample(3, HALF, sample.outcomes, {"rounds": 3}, {}, 7),
        Sample(3, HALF, sample.outcomes, sample.events, {"prize": 1}, 7),
    ]
    assert len({sample.digest, *(other.digest for other in others)}) == 1 + len(others)
    assert sample_of([-1, 2, 1], seed=7).digest == sample.digest
    assert pickle.loads(pickle.dumps(sample)) == sample


# --- Runs ---------------------------------------------------------------------------------------------------


def test_a_run_is_its_chunks() -> None:
    """Chunk by chunk by hand: the same rounds, the last chunk what is left."""
    by_hand = merged([spins(100, state(5, 0)), spins(100, state(5, 1)), spins(50, state(5, 2))])
    sample = run(spins, 250, 5, chunk_rounds=100)
    assert sample.seed == 5
    assert sample.rounds == 250
    assert (sample.outcomes, sample.events, sample.counts) == (by_hand.outcomes, by_hand.events, by_hand.counts)


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_same_sample_on_any_number_of_threads(threads: int) -> None:
    with ThreadPoolExecutor(threads) as executor:
        sample = run(spins, 100_001, 11, executor=executor, chunk_rounds=1000)
    assert sample.digest == run(spins, 100_001, 11, executor=Inline(), chunk_rounds=1000).digest
    assert sample.digest == run(spins, 100_001, 11, chunk_rounds=1000).digest


def test_seeds_and_chunks_have_generators_of_their_own() -> None:
    states = {state(seed, chunk) for seed in range(50) for chunk in range(50)}
    assert len(states) == 2500
    assert run(spins, 1000, 1).digest != run(spins, 1000, 2).digest
    expected = np.random.SeedSequence(3, spawn_key=(9,)).generate_state(4, np.uint64)
    assert state(3, 9) == tuple(expected)


def test_mean_of_a_known_game() -> None:
    """-2 to 2 halves with equal chances: mean 0, variance ½, average wager 1.4."""
    sample = run(spins, 200_000, 3, chunk_rounds=50_000)
    assert abs(sample.agreement(0.0)) < 4
    assert sample.stdev == pytest.approx(math.sqrt(0.5), rel=0.01)
    assert sample.average_wager == pytest.approx(1.4, abs=0.01)
    assert abs(sample.event_agreement("won", 0.4)) < 4
    assert abs(run(partial(spins, most=4), 200_000, 3).agreement(0.25)) < 4


def test_progress_counts_up_to_the_rounds_wanted() -> None:
    seen: list[tuple[int, int]] = []
    run(spins, 250, 5, chunk_rounds=100, progress=lambda done, rounds: seen.append((done, rounds)))
    assert seen == [(100, 250), (200, 250), (250, 250)]


def test_memory_is_bounded_however_long_the_run() -> None:
    executor = Inline()
    run(spins, 50 * IN_FLIGHT, 1, executor=executor, chunk_rounds=10)
    assert executor.most_waiting == IN_FLIGHT


def test_a_failing_chunk_fails_the_run_and_cancels_the_rest() -> None:
    started: list[int] = []
    go = threading.Event()

    def failing(rounds: int, start: Words) -> Sample:
        started.append(1)
        if len(started) > 1:
            go.wait(10)
        raise ZeroDivisionError("a chunk's own error")

    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(ZeroDivisionError, match="own error"):
            run(failing, 1000, 1, executor=executor, chunk_rounds=10)
        go.set()
    assert len(started) <= 2  # the one that failed, and at most one that had begun


def test_stopping_from_the_progress_hook_stops_the_run() -> None:
    def stop(done: int, rounds: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(spins, 10**12, 1, chunk_rounds=1000, progress=stop)


# --- Stopping -----------------------------------------------------------------------------------------------


def test_a_run_stops_at_the_first_chunk_that_reaches_the_standard_error() -> None:
    """The same round however many threads play, and the one that merging by hand finds."""
    by_hand, chunks = spins(100, state(5, 0)), 1
    while by_hand.stderr > 0.01:
        by_hand, chunks = merged((by_hand, spins(100, state(5, chunks)))), chunks + 1
    assert chunks > 20
    for threads in (1, 3):
        with ThreadPoolExecutor(threads) as executor:
            sample = run(spins, 10**9, 5, stderr=0.01, chunk_rounds=100, executor=executor)
        assert sample.rounds == 100 * chunks
        assert sample.outcomes == by_hand.outcomes
    assert sample.digest == run(spins, 100 * chunks, 5, chunk_rounds=100).digest


def test_rounds_are_a_limit_to_a_run_that_stops_at_a_standard_error() -> None:
    assert run(spins, 250, 5, stderr=1e-9, chunk_rounds=100) == run(spins, 250, 5, chunk_rounds=100)


def test_a_sample_in_which_nothing_varied_yet_is_not_taken_for_certainty() -> None:
    """A prize of one round in 300, and chunks of 10: the standard error of the first is 0."""
    rare = partial(spins_of_a_rare_prize, 300)
    assert rare(10, state(1, 0)).stderr == 0.0
    sample = run(rare, 10**6, 1, stderr=0.05, chunk_rounds=10)
    assert 0 < sample.stderr <= 0.05


def spins_of_a_rare_prize(once_in: int, rounds: int, start: Words) -> Sample:
    won = int((np.random.default_rng([int(word) for word in start]).integers(0, once_in, rounds) == 0).sum())
    outcomes = {(-2, 2): rounds - won, (20, 2): won}
    return Sample(rounds, HALF, {outcome: number for outcome, number in outcomes.items() if number}, {}, {})


def test_a_run_stops_at_a_time() -> None:
    start = time.monotonic()
    sample = run(spins, 10**12, 5, seconds=0.2, chunk_rounds=1000)
    assert 0.2 <= time.monotonic() - start < 5
    assert sample.rounds % 1000 == 0
    assert sample.digest == run(spins, sample.rounds, 5, chunk_rounds=1000).digest


def test_progress_guesses_how_many_rounds_it_will_take() -> None:
    seen: list[tuple[int, int]] = []
    sample = run(spins, 10**9, 5, stderr=0.01, chunk_rounds=100, progress=lambda *counts: seen.append(counts))
    assert [done for done, _ in seen] == list(range(100, sample.rounds + 1, 100))
    assert all(0.5 < wanted / sample.rounds < 2 for _, wanted in seen)
    assert seen[-1] == (sample.rounds, sample.rounds)


# --- Checkpoints --------------------------------------------------------------------------------------------


class StoppedError(Exception):
    pass


def stop_after(rounds: int) -> montecarlo.Progress:
    def stop(done: int, wanted: int) -> None:
        if done >= rounds:
            raise StoppedError

    return stop


@pytest.mark.parametrize("aim", [{"rounds": 2550}, {"rounds": 10**9, "stderr": 0.012}])
def test_an_interrupted_run_goes_on_to_the_sample_it_would_have_had(aim: Any, tmp_path: Path) -> None:
    whole = run(spins, seed=5, chunk_rounds=100, **aim)
    assert whole.rounds > 2100
    asked = {"seed": 5, "chunk_rounds": 100, "checkpoint": tmp_path / "run.json", "subject": {"rules": {"decks": 6}}}
    for rounds in (1000, 2000):
        with pytest.raises(StoppedError):
            run(spins, **aim, **asked, progress=stop_after(rounds))
    seen: list[int] = []
    assert run(spins, **aim, **asked, progress=lambda done, _: seen.append(done)) == whole
    assert seen[:2] == [2000, 2100]
    assert (
        run(partial(must_not_play, 101), **aim, **asked) == whole
    )  # at most the last chunk, where it is not a whole one
    assert list(tmp_path.iterdir()) == [tmp_path / "run.json"]


def must_not_play(more: int, rounds: int, start: Words) -> Sample:
    """The rounds of `spins`, where no more are asked than the last chunk and those that a checkpoint is compared by."""
    assert rounds < more or start == state(5, 0)
    return spins(rounds, start)


def test_a_checkpoint_can_be_played_on_from() -> None:
    """Whole chunks alone are kept, so that more rounds may be asked."""
    with TemporaryDirectory() as folder:
        asked = {"seed": 5, "chunk_rounds": 100, "checkpoint": Path(folder, "run.json")}
        run(spins, 250, **asked)
        assert run(spins, 730, **asked) == run(spins, 730, 5, chunk_rounds=100)
        assert run(spins, 700, **asked) == run(spins, 700, 5, chunk_rounds=100)
        with pytest.raises(RequestError, match="gone further than is asked, to 700 rounds; expected more rounds"):
            run(spins, 699, **asked)
        with pytest.raises(RequestError, match="gone further"):
            run(spins, 10**9, stderr=0.2, **asked)
        assert run(spins, 10**9, stderr=0.015, **asked) == run(spins, 10**9, 5, stderr=0.015, chunk_rounds=100)


KILLED = """
import sys
from test_montecarlo import slow_spins
from casinomath import montecarlo

montecarlo.KEPT_EVERY = 0.0
sample = montecarlo.run(slow_spins, 5000, 5, chunk_rounds=100, checkpoint=sys.argv[1])
print(sample.digest)
"""


def slow_spins(rounds: int, start: Words) -> Sample:
    time.sleep(0.02)
    return spins(rounds, start)


@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM])
def test_a_run_that_is_killed_is_resumed(end: signal.Signals, tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    words = [sys.executable, "-c", KILLED, str(kept)]
    options: Any = {"cwd": Path(__file__).parent, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
    with subprocess.Popen(words, **options) as process:
        deadline = time.monotonic() + 30
        while not kept.exists() and time.monotonic() < deadline:
            time.sleep(0.01)
        process.send_signal(end)
        assert process.communicate(timeout=30)[0] == ""
    assert json.loads(kept.read_text())["state"]
    seen: list[int] = []
    sample = run(spins, 5000, 5, chunk_rounds=100, checkpoint=kept, progress=lambda done, _: seen.append(done))
    assert 0 < seen[0] < 5000
    assert sample.digest == run(spins, 5000, 5, chunk_rounds=100).digest


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"seed": 6}, "another run: seed is 5 there and 6 here"),
        ({"chunk_rounds": 200}, "chunk_rounds is 100 there and 200 here"),
        ({"subject": {"rules": {"decks": 8}}}, r"rules\.decks is 6 there and 8 here"),
        ({"subject": {}}, r"rules\.decks is 6 there and None here"),
        ({"chunk": partial(spins, most=4)}, "first_rounds is"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(other: Any, message: str, tmp_path: Path) -> None:
    asked: Any = {"chunk": spins, "seed": 5, "chunk_rounds": 100, "subject": {"rules": {"decks": 6}}}
    kept = tmp_path / "run.json"
    run(rounds=1000, checkpoint=kept, **asked)
    before = kept.read_bytes()
    with pytest.raises(RequestError, match=message):
        run(rounds=1000, checkpoint=kept, **{**asked, **other})
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (lambda whole: whole[:-20], "is damaged"),
        (lambda whole: whole.replace(b'"seed": 5', b'"seed": 6'), "is damaged"),
        (
            lambda whole: whole.replace(b'["chunks", 10]', b'["chunks", 9]'),
            "damag",
        ),
        (lambda _: b"", "is not the checkpoint of a simulation"),
        (lambda _: b"\xff\x00", "is not the checkpoint of a simulation"),
        (lambda _: b"[1]", "is not the checkpoint of a simulation"),
        (lambda _: b'{"checkpoint": "casinomath sweep"}', "is not the checkpoint of a simulation"),
    ],
)
def test_a_damaged_checkpoint_is_refused(content: Callable[[bytes], bytes], message: str, tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    run(spins, 1000, 5, chunk_rounds=100, checkpoint=kept)
    damaged = content(kept.read_bytes())
    assert damaged != kept.read_bytes()
    kept.write_bytes(damaged)
    with pytest.raises(RequestError, match=message) as refused:
        run(spins, 1000, 5, chunk_rounds=100, checkpoint=kept)
    assert "\n" not in str(refused.value)
    assert kept.read_bytes() == damaged


def test_a_place_where_nothing_can_be_kept_is_refused_before_any_round(tmp_path: Path) -> None:
    for name, message in (("none/run.json", "no folder"), ("", "is not a file")):
        with pytest.raises(RequestError, match=message):
            run(spins, 1000, 5, checkpoint=tmp_path / name, progress=stop_after(0))


def test_a_full_disk_leaves_the_state_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "run.json"
    run(spins, 1000, 5, chunk_rounds=100, checkpoint=kept)
    before = kept.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        run(spins, 2000, 5, chunk_rounds=100, checkpoint=kept)
    assert kept.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kept]


@given(
    st.recursive(
        st.none() | st.integers() | st.floats(allow_nan=False) | st.text() | st.fractions(),
        lambda inner: (
            st.lists(inner) | st.tuples(inner, inner) | st.dictionaries(st.tuples(st.integers(), st.text()), inner)
        ),
        max_leaves=12,
    )
)
def test_what_a_snapshot_holds_comes_back_equal(value: Any) -> None:
    assert decoded(json.loads(json.dumps(encoded(value)))) == value


def test_all_of_a_sample_comes_back_from_a_checkpoint(tmp_path: Path) -> None:
    """Bets on the side and used shoes too."""
    kept = tmp_path / "run.json"
    whole = run(rich, 1000, 5, chunk_rounds=100, checkpoint=kept)
    assert run(rich, 1000, 5, chunk_rounds=100, checkpoint=kept) == whole
    again = run(rich, 2000, 5, chunk_rounds=100, checkpoint=kept)
    assert again == run(rich, 2000, 5, chunk_rounds=100)
    assert again.digest == run(rich, 2000, 5, chunk_rounds=100).digest


def rich(rounds: int, start: Words) -> Sample:
    main, beside = spins(rounds, start), spins(rounds, start, most=4)
    shoes = Shoes(1, main.outcomes.get((1, 4), 0) ** 2, rounds, rounds**2, 1)
    return replace(main, beside={"side": beside}, products={("main", "side"): 3}, shoes=shoes)


# --- Executors that break -----------------------------------------------------------------------------------


def suicidal_spins(flag: str, rounds: int, start: Words) -> Sample:
    if start == state(5, 7) and not Path(flag).exists():
        Path(flag).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return spins(rounds, start)


def test_processes_play_the_same_and_a_killed_worker_is_told(tmp_path: Path) -> None:
    """Nothing hangs, nothing is wrong, and the next run goes on from what was kept."""
    whole = run(spins, 2000, 5, chunk_rounds=100)
    asked: Any = {"rounds": 2000, "seed": 5, "chunk_rounds": 100, "checkpoint": tmp_path / "run.json"}
    chunk = partial(suicidal_spins, str(tmp_path / "killed"))
    context = multiprocessing.get_context("spawn")
    with (
        ProcessPoolExecutor(2, mp_context=context) as executor,
        pytest.raises(WorkersLost, match=r"lost after [\d,]+ rounds, which are kept in .*run\.json"),
    ):
        run(chunk, executor=executor, **asked)
    with ProcessPoolExecutor(2, mp_context=context) as executor:
        assert run(chunk, executor=executor, **asked).digest == whole.digest


def test_an_executor_that_was_shut_down_or_cancelled_is_told() -> None:
    class Cancelled(Executor):
        def submit(self, _: Callable[..., Any], /, *__: Any, **___: Any) -> Future[Any]:
            future: Future[Any] = Future()
            future.cancel()
            return future

    with pytest.raises(WorkersLost, match="lost after 0 rounds: their work was cancelled"):
        run(spins, 1000, 5, executor=Cancelled())
    executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        run(spins, 1000, 5, executor=executor)


# --- Bad requests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rounds", [0, -1, 10**12 + 1, 10**20, 1e6, 2.5, "1000", None, True, math.nan])
def test_rounds_that_make_no_sense(rounds: Any) -> None:
    with pytest.raises(RequestError, match=r"rounds is .*expected a whole number from 1 to 1,000,000,000,000"):
        run(spins, rounds, 1)


@pytest.mark.parametrize("seed", [-1, 1.0, "7", None, False])
def test_seeds_that_make_no_sense(seed: Any) -> None:
    with pytest.raises(RequestError, match=r"seed is .*expected a whole number"):
        run(spins, 10, seed)


def test_whole_numbers_of_any_kind_are_taken() -> None:
    assert run(spins, np.int32(100), np.uint64(5)) == run(spins, 100, 5)
    assert run(spins, 100, 2**100).seed == 2**100
    montecarlo.check(10**12, 0)


@pytest.mark.parametrize("given", [0, -1, 0.0, math.nan, math.inf, "1", True])
def test_standard_errors_and_times_that_make_no_sense(given: Any) -> None:
    with pytest.raises(RequestError, match=r"stderr is .*expected a number above 0, such as 0\.0001"):
        run(spins, 10, 1, stderr=given)
    with pytest.raises(RequestError, match=r"seconds is .*expected a number above 0, such as 60"):
        run(spins, 10, 1, seconds=given)
