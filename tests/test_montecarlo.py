"""Samples add exactly, runs depend on nothing but the seed, and bad requests are refused."""

import math
import pickle
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from fractions import Fraction
from functools import partial
from statistics import stdev
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from casinomath import montecarlo
from casinomath.errors import RequestError
from casinomath.montecarlo import IN_FLIGHT, Sample, Words, merged, run, state

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
