"""Simulation: rounds played in seeded chunks on any executor, and what a sample of them says.

A run of N rounds is chunks of a fixed size, each with a generator of its own: `SeedSequence(seed, spawn_key=(chunk,))`.
All sums are integers, so the sample is the same to the last digit on one thread, many threads, processes or a cluster.
"""

import hashlib
import json
import math
import os
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from statistics import NormalDist
from typing import Any, Protocol, TypeAlias

import numpy as np

from casinomath.errors import RequestError
from casinomath.returns import Returns

MOST_ROUNDS = 10**12
CHUNK_ROUNDS = 2**20
"""A part of what a seed means: another size gives another sample."""
IN_FLIGHT = 64
"""Chunks handed to the executor and not merged yet: enough for its workers, little memory however long the run."""

Words: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""256 random bits: the state that a chunk's generator starts from."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the rounds done and the rounds wanted, after every chunk, by the thread that waits for the sample."""


@dataclass(frozen=True)
class Sample:
    """What some simulated rounds came to. Money is counted in integers of `unit`, so that samples add exactly."""

    rounds: int
    unit: Fraction
    """What the integers below count, in initial wagers."""
    outcomes: Mapping[tuple[int, int], int]
    """Rounds by net result and total wagered, both in units."""
    events: Mapping[str, int]
    """Rounds by how they ended, named as in `Returns`; they sum to `rounds`."""
    counts: Mapping[str, int]
    """What else was counted, such as prizes paid on top."""
    seed: int | None = None
    """None for a chunk, and for samples of several seeds added up."""

    @cached_property
    def total(self) -> Fraction:
        """Σ net result, in initial wagers."""
        return self.unit * sum(net * rounds for (net, _), rounds in self.outcomes.items())

    @cached_property
    def total_squares(self) -> Fraction:
        """Σ net result²."""
        return self.unit**2 * sum(net**2 * rounds for (net, _), rounds in self.outcomes.items())

    @cached_property
    def total_wagered(self) -> Fraction:
        """Σ wagered, before any rescue takes some of it back."""
        return self.unit * sum(wagered * rounds for (_, wagered), rounds in self.outcomes.items())

    @property
    def mean(self) -> float:
        """Net result per round in initial wagers: the estimate of the EV."""
        return float(self.total / self.rounds)

    @property
    def average_wager(self) -> float:
        """Wagered per round, in initial wagers."""
        return float(self.total_wagered / self.rounds)

    @property
    def stdev(self) -> float:
        """Standard deviation per round per initial wager; NaN for a single round."""
        if self.rounds == 1:
            return math.nan
        return math.sqrt((self.total_squares - self.total**2 / self.rounds) / (self.rounds - 1))

    @property
    def stderr(self) -> float:
        """Standard error of the mean."""
        return self.stdev / math.sqrt(self.rounds)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval around the mean that has this confidence, by the normal law."""
        if not 0 < confidence < 1:
            raise RequestError(f"confidence is {confidence}; expected a number between 0 and 1, such as 0.95")
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.stderr
        return self.mean - reach, self.mean + reach

    def agreement(self, expected: float | Returns) -> float:
        """Return how many standard errors the mean lies above an expected one: a z-score.

        Of `Returns` only what was simulated counts: all but what is paid on top and was not dealt, such as envy.
        """
        if isinstance(expected, Returns):
            left_out = (e.returned for e in expected.events if e.on_top and e.event not in self.counts)
            expected = expected.ev - sum(left_out)
        return _standardised(self.mean - expected, self.stderr)

    def event_agreement(self, event: str, probability: float) -> float:
        """Return how many standard errors an event's frequency lies above its expected probability: a z-score."""
        observed = self.events.get(event, 0) / self.rounds
        return _standardised(observed - probability, math.sqrt(probability * (1 - probability) / self.rounds))

    @property
    def distribution(self) -> dict[Fraction, int]:
        """Rounds by net result in initial wagers, the smallest first."""
        nets: Counter[int] = Counter()
        for (net, _), rounds in self.outcomes.items():
            nets[net] += rounds
        return {net * self.unit: nets[net] for net in sorted(nets)}

    @property
    def digest(self) -> str:
        """A fingerprint of everything in the sample: equal for equal samples, wherever they were played."""
        content = [
            self.seed,
            self.rounds,
            str(self.unit),
            sorted([*outcome, rounds] for outcome, rounds in self.outcomes.items()),
            sorted(self.events.items()),
            sorted(self.counts.items()),
        ]
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def json(self) -> dict[str, Any]:
        """Everything that is said of a sample as JSON values; the command line adds the seconds it took."""
        return {
            "rounds": self.rounds,
            "seed": self.seed,
            "mean": self.mean,
            "stderr": self.stderr if self.rounds > 1 else None,
            "stdev": self.stdev if self.rounds > 1 else None,
            "average_wager": self.average_wager,
            "events": dict(self.events),
            "counts": dict(self.counts),
            "digest": self.digest,
        }

    def __add__(self, other: "Sample") -> "Sample":
        """Return the sample of both; ValueError for two of one seed, which share their rounds."""
        if self.seed is not None and self.seed == other.seed:
            raise ValueError(f"both samples have seed {self.seed}: they are the same rounds, not more of them")
        return merged((self, other))

    def __repr__(self) -> str:
        """Return one line."""
        return (
            f"Sample({self.rounds:,} rounds, seed {self.seed}, mean {self.mean:+.6%} ± {self.stderr:.6%}, "
            f"average wager {self.average_wager:.6f})"
        )


def _standardised(difference: float, stderr: float) -> float:
    if stderr == 0.0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / stderr


def merged(samples: Iterable[Sample]) -> Sample:
    """Return the sample of all rounds of one sample or more; their order changes nothing. It has no seed."""
    rounds, unit = 0, None
    outcomes: Counter[tuple[int, int]] = Counter()
    events: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    for sample in samples:
        if unit not in (None, sample.unit):
            raise ValueError(f"a sample in units of {sample.unit} can't be added to one in units of {unit}")
        rounds, unit = rounds + sample.rounds, sample.unit
        outcomes.update(sample.outcomes)
        events.update(sample.events)
        counts.update(sample.counts)
    if unit is None:
        raise ValueError("no samples to merge")
    return Sample(rounds, unit, dict(outcomes), dict(events), dict(counts))


class Chunk(Protocol):
    """A game's rounds, to be run anywhere: a module's function, or a partial of one, that can be pickled."""

    def __call__(self, rounds: int, state: Words, /) -> Sample:
        """Play so many rounds with a generator that starts from `state`."""


def check(rounds: object, seed: object) -> None:
    """Raise RequestError for a number of rounds or a seed that makes no sense."""
    if not _is_whole(rounds) or not 1 <= rounds <= MOST_ROUNDS:  # type: ignore[operator] # a whole number compares
        raise RequestError(f"rounds is {rounds!r}; expected a whole number from 1 to {MOST_ROUNDS:,}")
    if not _is_whole(seed) or seed < 0:  # type: ignore[operator] # likewise
        raise RequestError(f"seed is {seed!r}; expected a whole number, 0 or more")


def _is_whole(given: object) -> bool:
    return isinstance(given, int | np.integer) and not isinstance(given, bool)


def run(
    chunk: Chunk,
    rounds: int,
    seed: int,
    *,
    executor: Executor | None = None,
    chunk_rounds: int = CHUNK_ROUNDS,
    progress: Progress | None = None,
) -> Sample:
    """Play `rounds` rounds in chunks and return their sample.

    executor : where the chunks run; by default a thread for every processor this process may use
    Raises RequestError for rounds outside 1 to 10^12 and for a negative seed; what a chunk raises is passed on.
    """
    check(rounds, seed)
    if executor is None:
        with ThreadPoolExecutor(_processors()) as threads:
            return run(chunk, rounds, seed, executor=threads, chunk_rounds=chunk_rounds, progress=progress)
    with closing(_played(executor, chunk, int(rounds), int(seed), chunk_rounds, progress)) as samples:
        return replace(merged(samples), seed=int(seed))


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # what a container or a batch system leaves to us; not on a Mac
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _played(
    executor: Executor, chunk: Chunk, rounds: int, seed: int, chunk_rounds: int, progress: Progress | None
) -> Generator[Sample]:
    """Yield the samples of a run's chunks in order; what is still waiting is cancelled when the caller stops."""
    done = 0
    waiting: deque[Future[Sample]] = deque()
    tasks = (
        executor.submit(chunk, min(chunk_rounds, rounds - start), state(seed, number))
        for number, start in enumerate(range(0, rounds, chunk_rounds))
    )
    try:
        waiting.extend(islice(tasks, IN_FLIGHT))
        while waiting:
            sample = waiting.popleft().result()
            waiting.extend(islice(tasks, 1))
            yield sample
            done += sample.rounds
            if progress is not None:
                progress(done, rounds)
    finally:
        for future in waiting:
            future.cancel()


def state(seed: int, chunk: int) -> Words:
    """Return the state that a chunk's generator starts from."""
    a, b, c, d = np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(4, np.uint64)
    return a, b, c, d
