"""Simulation: rounds played in seeded chunks on any executor, and what a sample of them says.

A run of N rounds is chunks of a fixed size, each with a generator of its own: `SeedSequence(seed, spawn_key=(chunk,))`.
All sums are integers, so the sample is the same to the last digit on one thread, many threads, processes or a cluster.
Chunks are merged in their order, and after each is asked whether it is enough: a run that stops at a standard error
stops at the same round everywhere, and one that was interrupted goes on from its checkpoint to the sample it would
have had.
"""

import hashlib
import json
import math
import os
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, fields, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from statistics import NormalDist
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypedDict

import numpy as np

from casinomath.errors import RequestError, unknown
from casinomath.returns import Returns
from casinomath.snapshots import Snapshot

MOST_ROUNDS = 10**12
CHUNK_ROUNDS = 2**20
"""A part of what a seed means: another size gives another sample."""
IN_FLIGHT = 64
"""Chunks handed to the executor and not merged yet: enough for its workers, little memory however long the run."""

Words: TypeAlias = tuple[np.uint64, np.uint64, np.uint64, np.uint64]
"""256 random bits: the state that a chunk's generator starts from."""

KEPT_EVERY: Final = 5.0
"""Seconds between two states written to a checkpoint: what a power cut costs."""
FIRST_ROUNDS: Final = 1024
"""Rounds played again where a run is resumed: code that has changed plays others."""

Progress: TypeAlias = Callable[[int, int], None]
"""Called with the rounds done and the rounds wanted, by the thread that waits for the sample: after every chunk, and
before the first where a run is resumed. Where a run stops at a standard error or a time, those wanted are a guess."""


MAIN: Final = "main"
"""The bet that others are made beside."""


class Shoes(NamedTuple):
    """Sums over shoes that were dealt round after round, whose rounds are not independent of one another."""

    number: int
    squares: int
    """Σ (net result of the shoe)², in units."""
    by_rounds: int
    """Σ net result × rounds of the shoe."""
    rounds_squared: int
    """Σ rounds²."""
    first: int
    """Σ net result of each shoe's first round."""


@dataclass(frozen=True)
class Sample:
    """What some simulated rounds came to. Money is counted in integers of `unit`, so that samples add exactly.

    A round is all that is dealt until the dealer has played. Where several seats play, its result is the average of
    theirs, so that the mean is the EV of a seat, and its standard deviation knows how much the seats win together.
    """

    rounds: int
    unit: Fraction
    """What the integers below count, in initial wagers of all seats together."""
    outcomes: Mapping[tuple[int, int], int]
    """Rounds by net result and total wagered, both in units."""
    events: Mapping[str, int]
    """Rounds by how they ended, named as in `Returns`; they sum to `rounds` × `seats`."""
    counts: Mapping[str, int]
    """What else was counted, such as prizes paid on top."""
    seed: int | None = None
    """None for a chunk, and for samples of several seeds added up."""
    seats: int = 1
    """Seats that played in every round."""
    beside: Mapping[str, "Sample"] = field(default_factory=dict)
    """Bets on the side: the rounds among these in which they were made, each in its own wagers. Their standard errors
    take the rounds of one shoe for independent."""
    products: Mapping[tuple[str, str], int] = field(default_factory=dict)
    """Σ net result × net result of two bets of the same round, in the unit of each."""
    shoes: Shoes | None = None
    """None where every round has a fresh shoe."""
    hands: Mapping[tuple[str, str], tuple[int, int, int]] = field(default_factory=dict)
    """By a seat's first cards and the upcard, where that was asked for: rounds of a seat that met no dealer blackjack,
    Σ net result and Σ net result², in units of the seat's own: `unit` × `seats`."""

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
        """Standard error of the mean; of rounds from one shoe it knows how far they go together."""
        if self.shoes is None:
            return self.stdev / math.sqrt(self.rounds)
        shoes, mean = self.shoes, self.total / self.unit / self.rounds
        if shoes.number == 1:
            return math.nan
        spread = shoes.squares - 2 * mean * shoes.by_rounds + mean**2 * shoes.rounds_squared
        return float(self.unit) * math.sqrt(spread * shoes.number / (shoes.number - 1)) / self.rounds

    @property
    def first_rounds_mean(self) -> float:
        """Net result of the first round of a shoe: with the same strategy, that of a fresh shoe each round."""
        return self.mean if self.shoes is None else float(self.unit * self.shoes.first / self.shoes.number)

    @property
    def bets(self) -> tuple[str, ...]:
        """Every bet that was settled in these rounds, the main one first."""
        return (MAIN, *self.beside)

    def hand_mean(self, cards: str, upcard: str) -> tuple[float, float]:
        """Return the mean net result of a hand against an upcard, given no dealer blackjack, and its standard error.

        cards : the first two, lower value first and an ace before all: `7 10`
        Raises RequestError for a hand that was not met, or not counted.
        """
        if (cards, upcard) not in self.hands:
            raise RequestError(f"the sample has no hand {cards} against {upcard}")
        rounds, total, squares = self.hands[cards, upcard]
        spread = (squares - Fraction(total**2, rounds)) / (rounds - 1) if rounds > 1 else math.nan
        unit = float(self.unit * self.seats)
        return unit * total / rounds, unit * math.sqrt(spread / rounds)

    def covariance(self, one: str, other: str) -> float:
        """Return the covariance of two bets' net results per round, each in its own wagers; 0 where none was made.

        Raises RequestError for a bet that was not settled in these rounds.
        """
        if self.rounds == 1:
            return math.nan
        first, second = self._bet(one), self._bet(other)
        if one == other:
            together = first.total_squares
        else:
            product = self.products[(one, other) if (one, other) in self.products else (other, one)]
            together = product * first.unit * second.unit
        return float((together - first.total * second.total / self.rounds) / (self.rounds - 1))

    def correlation(self, one: str, other: str) -> float:
        """Return the correlation of two bets' net results per round; NaN where one of them never varied."""
        variances = self.covariance(one, one) * self.covariance(other, other)
        return self.covariance(one, other) / math.sqrt(variances) if variances else math.nan

    def _bet(self, name: str) -> "Sample":
        if name not in self.bets:
            raise unknown("bet of the sample:", name, self.bets)
        return self if name == MAIN else self.beside[name]

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
        """Return how many standard errors an event's frequency lies above its expected probability: a z-score.

        With several seats the standard error is that of a single one, which is never too small.
        """
        observed = self.events.get(event, 0) / (self.rounds * self.seats)
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
        content: list[Any] = [
            self.seed,
            self.rounds,
            str(self.unit),
            sorted([*outcome, rounds] for outcome, rounds in self.outcomes.items()),
            sorted(self.events.items()),
            sorted(self.counts.items()),
        ]
        if self.seats > 1 or self.beside or self.shoes or self.hands:
            digests = [(name, sample.digest) for name, sample in self.beside.items()]
            content += [self.seats, digests, sorted([*pair, sums] for pair, sums in self.products.items()), self.shoes]
            content.append(sorted([*hand, *sums] for hand, sums in self.hands.items()))
        return hashlib.sha256(json.dumps(content).encode()).hexdigest()

    def json(self) -> dict[str, Any]:
        """Everything that is said of a sample as JSON values; the command line adds the seconds it took."""
        found: dict[str, Any] = {
            "rounds": self.rounds,
            "seed": self.seed,
            "seats": self.seats,
            **self.measures(),
            "counts": dict(self.counts),
            "digest": self.digest,
        }
        if self.shoes is not None:
            found |= {"shoes": self.shoes.number, "first_rounds_mean": self.first_rounds_mean}
        if self.beside:
            found["bets"] = {name: {"rounds": bet.rounds, **bet.measures()} for name, bet in self.beside.items()}
            for name, measure in (("covariance", self.covariance), ("correlation", self.correlation)):
                matrix = [[_or_none(measure(one, other)) for other in self.bets] for one in self.bets]
                found[name] = {"bets": list(self.bets), "matrix": matrix}
        return found

    def measures(self) -> dict[str, Any]:
        """Return what is measured of the bet itself as JSON values, None where it was never made."""
        return {
            "mean": self.mean if self.rounds else None,
            "stderr": _or_none(self.stderr) if self.rounds else None,
            "stdev": _or_none(self.stdev) if self.rounds else None,
            "average_wager": self.average_wager if self.rounds else None,
            "events": dict(self.events),
        }

    def parts(self) -> dict[str, Any]:
        """Return every field as tuples, mappings, fractions and numbers: what a checkpoint keeps."""
        beside = {name: sample.parts() for name, sample in self.beside.items()}
        return {each.name: getattr(self, each.name) for each in fields(self)} | {"beside": beside}

    @classmethod
    def of_parts(cls, parts: Mapping[str, Any]) -> "Sample":
        """Return the sample that has these parts."""
        beside = {name: cls.of_parts(each) for name, each in parts["beside"].items()}
        shoes = None if parts["shoes"] is None else Shoes(*parts["shoes"])
        return cls(**{**parts, "beside": beside, "shoes": shoes})

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


def _or_none(number: float) -> float | None:
    return None if math.isnan(number) else number


def _standardised(difference: float, stderr: float) -> float:
    if stderr == 0.0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / stderr


def merged(samples: Iterable[Sample]) -> Sample:
    """Return the sample of all rounds of one sample or more; their order changes nothing. It has no seed."""
    each = list(samples)
    if not each:
        raise ValueError("no samples to merge")
    unit, seats, bets = each[0].unit, each[0].seats, each[0].bets
    outcomes: Counter[tuple[int, int]] = Counter()
    events: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    products: Counter[tuple[str, str]] = Counter()
    hands: dict[tuple[str, str], tuple[int, int, int]] = {}
    for sample in each:
        if sample.unit != unit:
            raise ValueError(f"a sample in units of {sample.unit} can't be added to one in units of {unit}")
        if (sample.seats, sample.bets, sample.shoes is None) != (seats, bets, each[0].shoes is None):
            raise ValueError("samples of other seats, bets or shoes can't be added")
        outcomes.update(sample.outcomes)
        events.update(sample.events)
        counts.update(sample.counts)
        products.update(sample.products)
        for hand, (number, total, squares) in sample.hands.items():
            found = hands.get(hand, (0, 0, 0))
            hands[hand] = found[0] + number, found[1] + total, found[2] + squares
    shoes = [sample.shoes for sample in each if sample.shoes is not None]
    return Sample(
        rounds=sum(sample.rounds for sample in each),
        unit=unit,
        outcomes=dict(outcomes),
        events=dict(events),
        counts=dict(counts),
        seats=seats,
        beside={name: merged(sample.beside[name] for sample in each) for name in each[0].beside},
        products=dict(products),
        shoes=Shoes(*map(sum, zip(*shoes, strict=True))) if shoes else None,
        hands=hands,
    )


class Chunk(Protocol):
    """A game's rounds, to be run anywhere: a module's function, or a partial of one, that can be pickled."""

    def __call__(self, rounds: int, state: Words, /) -> Sample:
        """Play so many rounds with a generator that starts from `state`."""


class WorkersLost(RuntimeError):  # noqa: N818 # it is what happened
    """The executor broke: a worker was killed, or a cluster has none left."""


class Running(TypedDict, total=False):
    """How rounds are played, whatever the game: every `simulate` takes it and hands it to `run`, which says more."""

    stderr: float | None
    seconds: float | None
    checkpoint: str | os.PathLike[str] | None
    subject: Mapping[str, Any] | None
    executor: Executor | None
    progress: Progress | None


def check(rounds: object, seed: object, stderr: object = None, seconds: object = None) -> None:
    """Raise RequestError for a number of rounds, a seed, a standard error or a time that makes no sense."""
    if not _is_whole(rounds) or not 1 <= rounds <= MOST_ROUNDS:  # type: ignore[operator] # a whole number compares
        raise RequestError(f"rounds is {rounds!r}; expected a whole number from 1 to {MOST_ROUNDS:,}")
    if not _is_whole(seed) or seed < 0:  # type: ignore[operator] # likewise
        raise RequestError(f"seed is {seed!r}; expected a whole number, 0 or more")
    for name, given, example in (("stderr", stderr, "0.0001"), ("seconds", seconds, "60")):
        if given is not None and not _is_positive(given):
            raise RequestError(f"{name} is {given!r}; expected a number above 0, such as {example}")


def _is_whole(given: object) -> bool:
    return isinstance(given, int | np.integer) and not isinstance(given, bool)


def _is_positive(given: object) -> bool:
    is_number = isinstance(given, int | float | np.integer | np.floating) and not isinstance(given, bool)
    return is_number and 0 < given < math.inf  # type: ignore[operator] # a number compares


def run(
    chunk: Chunk,
    rounds: int,
    seed: int,
    *,
    stderr: float | None = None,
    seconds: float | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    subject: Mapping[str, Any] | None = None,
    executor: Executor | None = None,
    chunk_rounds: int = CHUNK_ROUNDS,
    progress: Progress | None = None,
) -> Sample:
    """Play `rounds` rounds in chunks, or fewer where a standard error or a time is reached, and return their sample.

    stderr     : stop after the first chunk that brings the standard error of the mean down to this. A prize that was
                 not won yet is no part of a standard error: for rare prizes ask for rounds
    seconds    : stop after the first chunk that ends later than this, an earlier session's time not counted; how many
                 rounds that is depends on the machine
    checkpoint : a file that keeps how far the run has come, and that the same run goes on from
    subject    : what is played, by name: a checkpoint of something else is refused
    executor   : where the chunks run; by default a thread for every processor this process may use
    Raises RequestError for rounds outside 1 to 10^12, a negative seed, and a checkpoint that is damaged or of another
    run; WorkersLost where the executor breaks. What a chunk raises is passed on.
    """
    check(rounds, seed, stderr, seconds)
    goal = _Goal(int(rounds), stderr, seconds)
    played = _Played()
    keeper: _Keeper | None = None
    if checkpoint is not None:
        first = chunk(FIRST_ROUNDS, state(int(seed), 0)).digest[:16]
        about = {"seed": int(seed), "chunk_rounds": chunk_rounds, "first_rounds": first}
        keeper = _Keeper(Snapshot(checkpoint, {**(subject or {}), **about}))
        played = keeper.resume(goal)
        if progress is not None and played.chunks:
            progress(played.rounds, goal.wanted(played.whole))
    try:
        if not played.chunks or not goal.reached(played.whole):
            with (
                _workers(executor) as workers,
                closing(_samples(workers, chunk, goal.rounds, int(seed), chunk_rounds, played.chunks)) as samples,
            ):
                for sample in samples:
                    played = played.with_chunk(sample)
                    if keeper is not None and played.chunks * chunk_rounds <= goal.rounds:  # more can be played on
                        keeper.keep(played)
                    if progress is not None:
                        progress(played.rounds, goal.wanted(played.whole))
                    if goal.reached(played.whole):
                        break
    except (BrokenExecutor, CancelledError) as error:
        where = "" if keeper is None else f", which are kept in {checkpoint}"
        why = str(error) or "their work was cancelled"
        raise WorkersLost(f"the workers were lost after {played.rounds:,} rounds{where}: {why}") from error
    finally:
        if keeper is not None:
            keeper.close()
    return replace(played.whole, seed=int(seed))


@contextmanager
def _workers(executor: Executor | None) -> Iterator[Executor]:
    if executor is not None:
        yield executor
        return
    with ThreadPoolExecutor(_processors()) as threads:
        yield threads


def _processors() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # what a container or a batch system leaves to us; not on a Mac
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@dataclass(frozen=True)
class _Goal:
    """When a run has done enough."""

    rounds: int
    stderr: float | None
    seconds: float | None
    begun: float = field(default_factory=time.monotonic)

    def reached(self, sample: Sample) -> bool:
        """Whether a sample is enough; one in which nothing varied says nothing of its standard error."""
        return (
            sample.rounds >= self.rounds
            or (self.stderr is not None and 0 < sample.stderr <= self.stderr)
            or (self.seconds is not None and time.monotonic() - self.begun >= self.seconds)
        )

    def wanted(self, sample: Sample) -> int:
        """How many rounds it will take, as far as can be told."""
        guesses = [float(self.rounds)]
        if self.stderr is not None and sample.stderr > 0:
            guesses.append(sample.rounds * (sample.stderr / self.stderr) ** 2)
        if self.seconds is not None and (elapsed := time.monotonic() - self.begun) > 0:
            guesses.append(sample.rounds * self.seconds / elapsed)
        return max(sample.rounds, math.ceil(min(guesses)))


@dataclass(frozen=True)
class _Played:
    """How far a run has come: its first chunks, merged."""

    chunks: int = 0
    sample: Sample | None = None
    least_stderr: float | None = None
    """The smallest standard error that a run could have stopped at before the last of these chunks."""

    @property
    def rounds(self) -> int:
        """Rounds played, which may be none."""
        return 0 if self.sample is None else self.sample.rounds

    @property
    def whole(self) -> Sample:
        """The sample of a run that has begun."""
        assert self.sample is not None
        return self.sample

    def with_chunk(self, sample: Sample) -> "_Played":
        """Return how far it has come with the next chunk."""
        if self.sample is None:
            return _Played(1, sample)
        passed = [each for each in (self.least_stderr, self.sample.stderr) if each is not None and each > 0]
        return _Played(self.chunks + 1, merged((self.sample, sample)), min(passed, default=None))


class _Keeper:
    """Writes how far a run has come, now and then and at its end, however it ends."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._unwritten: _Played | None = None
        self._due = time.monotonic() + KEPT_EVERY

    def resume(self, goal: _Goal) -> _Played:
        """Return what was kept; RequestError where the run would have stopped before."""
        kept = self._snapshot.read()
        if kept is None:
            return _Played()
        found = _Played(kept["chunks"], Sample.of_parts(kept["sample"]), kept["least_stderr"])
        least = found.least_stderr
        if found.rounds > goal.rounds or (goal.stderr is not None and least is not None and least <= goal.stderr):
            raise RequestError(
                f"checkpoint {self._snapshot.path} has gone further than is asked, to {found.rounds:,} rounds; "
                "expected more rounds, a smaller standard error, or a new name"
            )
        return found

    def keep(self, played: _Played) -> None:
        self._unwritten = played
        if time.monotonic() >= self._due:
            self.close()

    def close(self) -> None:
        """Write what was not written yet."""
        if (played := self._unwritten) is not None:
            sample = played.whole.parts()
            self._snapshot.write({"chunks": played.chunks, "sample": sample, "least_stderr": played.least_stderr})
            self._unwritten = None
            self._due = time.monotonic() + KEPT_EVERY


def _samples(
    executor: Executor, chunk: Chunk, rounds: int, seed: int, chunk_rounds: int, first: int
) -> Generator[Sample]:
    """Yield the samples of a run's chunks in order, from the `first` on.

    What is still waiting is cancelled when the caller stops.
    """
    waiting: deque[Future[Sample]] = deque()
    tasks = (
        executor.submit(chunk, min(chunk_rounds, rounds - number * chunk_rounds), state(seed, number))
        for number in range(first, -(-rounds // chunk_rounds))
    )
    try:
        waiting.extend(islice(tasks, IN_FLIGHT))
        while waiting:
            sample = waiting.popleft().result()
            waiting.extend(islice(tasks, 1))
            yield sample
    finally:
        for future in waiting:
            future.cancel()


def state(seed: int, chunk: int) -> Words:
    """Return the state that a chunk's generator starts from."""
    a, b, c, d = np.random.SeedSequence(seed, spawn_key=(chunk,)).generate_state(4, np.uint64)
    return a, b, c, d
