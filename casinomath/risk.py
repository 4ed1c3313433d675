"""Risk: how far results stray from what is expected, and what that means for a bankroll.

Everything follows from the law of one round's net result. Rounds are taken to be independent and bets level: true of
fresh shoes, and nearly so of any shoe that is not counted down. Money is in initial wagers unless it says dollars.

Sources: the gambler's ruin and its exponential root, W. Feller, "An Introduction to Probability Theory and Its
Applications", vol. I, ch. XIV, and vol. II, ch. XII; first passage of a diffusion with drift, D. R. Cox and
H. D. Miller, "The Theory of Stochastic Processes", ch. 5; growth, J. L. Kelly, "A New Interpretation of Information
Rate", 1956. N0, the number of rounds after which the expected result equals one standard deviation, is Brett Harris's.
"""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from functools import cached_property, reduce
from statistics import NormalDist
from typing import Any, Final, NamedTuple

import numpy as np

from casinomath.errors import RequestError
from casinomath.kernels.walks import alias_table, walk
from casinomath.money import MOST
from casinomath.montecarlo import Sample, state
from casinomath.returns import Returns

MOST_STEPS: Final = 2 * 10**10
"""Rounds that simulated sessions may have in all."""

ASSUMPTIONS: Final = (
    "every round has the same bet and the same law, whatever came before",
    "normal: the total of many rounds follows the normal law",
    "diffusion: the bankroll moves continuously, so that it is ruined at exactly nothing",
    "ruined: the bankroll is gone; until then every bet, double and split can be covered",
)


@dataclass(frozen=True)
class Law:
    """The net results of a round with their chances."""

    chances: Mapping[Fraction, float]
    """They sum to 1."""

    def __post_init__(self) -> None:
        """Refuse what is no law."""
        if not self.chances or min(self.chances.values()) < 0 or abs(math.fsum(self.chances.values()) - 1) > 1e-9:
            raise RequestError(f"the chances sum to {math.fsum(self.chances.values())}; expected 1, and none below 0")

    @classmethod
    def of_sample(cls, sample: Sample) -> "Law":
        """Return the law that simulated rounds came by; RequestError where several seats played, and were averaged."""
        if sample.seats > 1:
            raise RequestError(f"the sample is of {sample.seats} seats together; expected one of a single seat")
        return cls({net: rounds / sample.rounds for net, rounds in sample.distribution.items()})

    @classmethod
    def of_returns(cls, returns: Returns) -> "Law | None":
        """Return the exact law of a bet, None where an event has no one net result, as a round that was split."""
        chances: dict[Fraction, float] = {}
        for event in returns.events:
            if event.pays is None or event.on_top:
                return None
            chances[event.pays] = chances.get(event.pays, 0.0) + event.probability
        return cls(chances)

    @classmethod
    def joined(cls, returns: Returns, sample: Sample) -> "Law":
        """Return the law of a bet of which some events have no one net result, as rounds that are split.

        Exact for all other events; those events' results are simulated: what the sample's rounds came to, less its
        rounds that ended otherwise, in the exact proportion. RequestError where something is paid on top, or the
        sample's events are not those of `returns`.
        """
        exact, simulated, varied = _split_off(returns, sample)
        rounds = sum(simulated.values())
        chances = dict(exact)
        for net, number in simulated.items():
            chances[net] = chances.get(net, 0.0) + varied * number / rounds
        return cls(chances)

    @cached_property
    def mean(self) -> float:
        """Net result expected of a round."""
        return math.fsum(float(net) * chance for net, chance in self.chances.items())

    @cached_property
    def variance(self) -> float:
        """E(net result²) − mean²."""
        return math.fsum((float(net) - self.mean) ** 2 * chance for net, chance in self.chances.items())

    @property
    def stdev(self) -> float:
        """Standard deviation of a round."""
        return math.sqrt(self.variance)

    @property
    def most_lost(self) -> Fraction:
        """What a round can lose; 0 where it can't."""
        return max(Fraction(0), -min(net for net, chance in self.chances.items() if chance > 0))

    @cached_property
    def step(self) -> Fraction:
        """The largest amount that every net result is a multiple of."""
        nets = [net for net in self.chances if net]
        scale = math.lcm(*(net.denominator for net in nets))
        return Fraction(reduce(math.gcd, (int(net * scale) for net in nets), 0) or scale, scale)

    def tilted(self, mean: float) -> "Law":
        """Return the law nearest to this one that has another mean: every chance times e^(t × net result).

        A sample knows the shape of a law well and its mean poorly; where the mean is known exactly, this joins the two.
        Nearest is meant in relative entropy. RequestError for a mean that no such law has.
        """
        nets, chances = self._arrays()
        if not nets.min() < mean < nets.max():
            raise RequestError(f"no law of these results has the mean {mean}")

        def weights(tilt: float) -> Any:
            exponent = tilt * nets
            return chances * np.exp(exponent - exponent.max())

        def excess(tilt: float) -> float:
            weighted = weights(tilt)
            return float(weighted @ (nets - mean) / weighted.sum())

        reach = 1.0
        while excess(-reach) > 0 or excess(reach) < 0:
            reach *= 2
        weighted = weights(_root(excess, -reach, reach))
        return Law(dict(zip(self.chances, (weighted / weighted.sum()).tolist(), strict=True)))

    def _arrays(self) -> tuple[Any, Any]:
        return np.array([float(net) for net in self.chances]), np.array(list(self.chances.values()))

    # --- Ruin -----------------------------------------------------------------------------------------------

    @cached_property
    def adjustment(self) -> float:
        """R > 0 with E(e^(−R × net result)) = 1; 0 without an edge, infinite where nothing can be lost."""
        if self.mean <= 0:
            return 0.0
        if not self.most_lost:
            return math.inf
        nets, chances = self._arrays()

        def growth(rate: float) -> float:
            exponent = -rate * nets
            top = exponent.max()
            return float(top + np.log(chances @ np.exp(exponent - top)))

        low = high = 2 * self.mean / self.variance  # what it is for a diffusion
        while growth(high) < 0:
            high *= 2
        while growth(low) > 0:
            low /= 2
        return _root(growth, low, high)

    def ruin(self, bankroll: float) -> tuple[float, float]:
        """Return the least and the greatest that the risk of ruin can be, if play goes on for ever.

        It is s^bankroll / E(s^(what is left when ruined)), s = e^−R, where what is left lies between nothing and minus
        all that a bet can lose beyond the last step. Where that is one step, both are the same.
        """
        _check_amount("bankroll", bankroll)
        if self.mean <= 0:
            return (1.0, 1.0) if self.variance else (float(self.mean < 0),) * 2
        if not self.most_lost:
            return 0.0, 0.0
        whole_steps = (Fraction(bankroll) / self.step).denominator == 1
        beyond = float(self.most_lost - self.step * whole_steps)
        return math.exp(-self.adjustment * (bankroll + beyond)), math.exp(-self.adjustment * bankroll)

    # --- Growth ---------------------------------------------------------------------------------------------

    @cached_property
    def kelly(self) -> float:
        """The fraction of the bankroll that makes E log(1 + fraction × net result) greatest; 0 without an edge."""
        if self.mean <= 0:
            return 0.0
        if not self.most_lost:
            raise RequestError("a bet that can't lose has no Kelly fraction")
        nets, chances = self._arrays()
        return _root(
            lambda bet: float(-(chances @ (nets / (1 + bet * nets)))), 0.0, (1 - 1e-15) / float(self.most_lost)
        )

    def growth(self, fraction: float) -> float:
        """Return E log(1 + fraction × net result): how fast the bankroll grows by a round."""
        nets, chances = self._arrays()
        return float(chances @ np.log1p(fraction * nets))


def _split_off(returns: Returns, sample: Sample) -> tuple[dict[Fraction, float], dict[Fraction, int], float]:
    """The exact chances by net result, the sample's other rounds by net result, and the exact chance of those."""
    if sample.seats != 1 or any(event.on_top for event in returns.events):
        raise RequestError("the law of rounds joins one seat's, with nothing paid on top of an event")
    exact: dict[Fraction, float] = {}
    others = Counter(sample.distribution)
    varied = 0.0
    for event in returns.events:
        if event.pays is None:
            varied += event.probability
        else:
            exact[event.pays] = exact.get(event.pays, 0.0) + event.probability
            others[event.pays] -= sample.events.get(event.event, 0)
    simulated = {net: number for net, number in others.items() if number}
    if min(simulated.values(), default=-1 if varied else 0) < 0:
        raise RequestError("the sample has other events than the exact returns: its rounds can't be told apart by them")
    return exact, simulated, varied


class Deviation(NamedTuple):
    """The standard deviation of a round per initial wager, and how well it is known."""

    stdev: float
    stderr: float
    """0 where it is exact."""
    method: str


def deviation(returns: Returns, sample: Sample) -> Deviation:
    """Return the standard deviation of a bet: exact but for rounds without one net result, which are simulated.

    The simulated part of a Spanish 21 round is small: rounds that are split, one in 35.
    """
    if returns.stdev is not None:
        return Deviation(returns.stdev, 0.0, returns.method)
    if (law := Law.of_returns(returns)) is not None:
        return Deviation(law.stdev, 0.0, returns.method)
    exact, simulated, varied = _split_off(returns, sample)
    nets = np.array([float(net) for net in simulated])
    weights = np.array(list(simulated.values()), dtype=float)
    square = float(weights @ nets**2 / weights.sum())
    fourth = float(weights @ nets**4 / weights.sum())
    second = math.fsum(float(net) ** 2 * chance for net, chance in exact.items()) + varied * square
    stdev = math.sqrt(second - returns.ev**2)
    stderr = varied * math.sqrt((fourth - square**2) / weights.sum()) / (2 * stdev)
    return Deviation(stdev, stderr, f"exact but for split rounds, {int(weights.sum()):,} of which are simulated")


def _root(rising: Callable[[float], float], low: float, high: float) -> float:
    """Where a function that rises from below 0 to above it is 0, to the last bits, by halving."""
    while True:
        middle = (low + high) / 2
        if not low < middle < high:
            return middle
        if rising(middle) < 0:
            low = middle
        else:
            high = middle


def _check_amount(name: str, given: float) -> None:
    if not 0 < given <= MOST:
        raise RequestError(f"{name} is {given}; expected a number above 0, up to {MOST:,}")


# --- From the mean and the standard deviation alone -----------------------------------------------------------


def n0(mean: float, stdev: float) -> float:
    """Return after how many rounds the expected result equals one standard deviation: variance / mean²."""
    return (stdev / mean) ** 2 if mean else math.inf


@dataclass(frozen=True)
class Band:
    """What some rounds come to, by the normal law."""

    rounds: int
    expected: float
    stdev: float
    low: float
    high: float
    """The result lies between `low` and `high` with the confidence asked for."""
    ahead: float
    """P(result > 0)."""


def band(mean: float, stdev: float, rounds: int, confidence: float = 0.95) -> Band:
    """Return what so many rounds come to, by the normal law."""
    if not 0 < confidence < 1:
        raise RequestError(f"confidence is {confidence}; expected a number between 0 and 1, such as 0.95")
    if rounds < 1:
        raise RequestError(f"rounds is {rounds}; expected 1 or more")
    expected, spread = rounds * mean, math.sqrt(rounds) * stdev
    reach = NormalDist().inv_cdf((1 + confidence) / 2) * spread
    ahead = NormalDist().cdf(expected / spread) if spread else float(expected > 0)
    return Band(rounds, expected, spread, expected - reach, expected + reach, ahead)


def diffusion_ruin(mean: float, stdev: float, bankroll: float, rounds: float = math.inf) -> float:
    """Return the risk of ruin within so many rounds, or ever, of a diffusion with this drift and spread.

    Ever: e^(−2 × mean × bankroll / variance), and 1 without an edge.
    """
    _check_amount("bankroll", bankroll)
    if stdev == 0:
        return float(mean < 0 and bankroll + mean * rounds <= 0)
    exponent = -2 * mean * bankroll / stdev**2
    if math.isinf(rounds):
        return math.exp(min(0.0, exponent))
    spread = stdev * math.sqrt(rounds)
    below = NormalDist().cdf((-bankroll - mean * rounds) / spread)
    back = math.exp(exponent + _log_normal((-bankroll + mean * rounds) / spread))
    return min(1.0, below + back)


def _log_normal(z: float) -> float:
    """The logarithm of the normal law's P(Z < z); far out, where that is too small for a float, by its series."""
    if z > -30:
        return math.log(math.erfc(-z / math.sqrt(2)) / 2)
    return -(z**2) / 2 - math.log(-z * math.sqrt(2 * math.pi)) + math.log1p(-(z**-2) + 3 * z**-4)


# --- Sessions played ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Sessions:
    """What simulated sessions came to, each from the same bankroll."""

    horizons: tuple[int, ...]
    """Numbers of rounds."""
    totals: Any
    """Won after so many rounds (sessions, horizons), float64; after ruin play goes on, on credit."""
    ruined: Any
    """The round that ruined each session, 0 for none (sessions,), int64."""

    def band(self, horizon: int, confidence: float = 0.95) -> tuple[float, float]:
        """Return between what results most sessions ended, as many of the others below as above."""
        tail = (1 - confidence) / 2
        low, high = np.quantile(self.totals[:, self.horizons.index(horizon)], [tail, 1 - tail])
        return float(low), float(high)

    def ahead(self, horizon: int) -> float:
        """Return how many of the sessions had won something."""
        return float((self.totals[:, self.horizons.index(horizon)] > 0).mean())

    def histogram(self, horizon: int, width: int) -> list[tuple[float, float, float]]:
        """Return how many of the sessions ended between two results, in bars as wide as so many initial wagers.

        A bar has its lower end, its upper end, which belongs to the next bar, and its share of the sessions.
        """
        places = np.floor(self.totals[:, self.horizons.index(horizon)] / width + 0.5)
        bars = np.arange(places.min(), places.max() + 1)
        shares = [float((places == bar).mean()) for bar in bars]
        return [
            ((bar - 0.5) * width, (bar + 0.5) * width, share) for bar, share in zip(bars.tolist(), shares, strict=True)
        ]

    def ruin(self, horizon: int) -> tuple[float, float]:
        """Return how many of the sessions were ruined by then, and the standard error of that."""
        share = float(((self.ruined > 0) & (self.ruined <= horizon)).mean())
        return share, math.sqrt(share * (1 - share) / len(self.ruined))


def sessions(law: Law, horizons: Sequence[int], bankroll: float, number: int = 10_000, seed: int = 1) -> Sessions:
    """Play sessions from a bankroll, rounds drawn from the law.

    Raises RequestError for more rounds than can be played in minutes.
    """
    _check_amount("bankroll", bankroll)
    ordered = tuple(sorted(set(horizons)))
    if not ordered or ordered[0] < 1:
        raise RequestError(f"horizons are {list(horizons)}; expected numbers of rounds, 1 or more")
    if not 1 <= number <= MOST_STEPS // ordered[-1]:
        raise RequestError(
            f"{number:,} sessions of {ordered[-1]:,} rounds cannot be played; expected at most {MOST_STEPS:,} in all"
        )
    own, alias = alias_table(list(law.chances.values()))
    nets = np.array([int(net / law.step) for net in law.chances], dtype=np.int64)
    totals, ruined = np.empty((number, len(ordered)), dtype=np.int64), np.empty(number, dtype=np.int64)
    floor = -math.ceil(Fraction(bankroll) / law.step)
    with np.errstate(over="ignore"):  # random words wrap around; run as plain Python, they would warn of it
        walk(state(seed, 0), own, alias, nets, np.array(ordered, dtype=np.int64), floor, totals, ruined)
    return Sessions(ordered, totals * float(law.step), ruined)


# --- All of it ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Horizon:
    """Some rounds, in dollars, by formula and by sessions played."""

    rounds: int
    hours: float
    expected: float
    stdev: float
    low: float
    high: float
    ahead: float
    simulated_low: float
    simulated_high: float
    simulated_ahead: float
    ruin: float | None
    """By the diffusion; None without a bankroll, as the two below."""
    simulated_ruin: float | None
    simulated_ruin_stderr: float | None


@dataclass(frozen=True)
class Risk:
    """What a level bet means for a player, in dollars."""

    mean: float
    """In initial wagers, as `stdev` and `variance`."""
    stdev: float
    variance: float
    n0: float | None
    """None where the bet is fair."""
    wager: float
    bankroll: float | None
    rounds_per_hour: float
    loss_per_hour: float
    """Expected."""
    stdev_per_hour: float
    confidence: float
    horizons: tuple[Horizon, ...]
    ruin: float | None
    """If play goes on for ever, by the diffusion; None without a bankroll, as the two below."""
    ruin_at_least: float | None
    """By the root of E(s^net result) = 1."""
    ruin_at_most: float | None
    adjustment: float | None
    """R = −log of that root; None where there is no edge, or nothing can be lost."""
    kelly: float | None
    """The fraction of the bankroll to bet that grows it fastest; 0 without an edge, None where nothing can be lost."""
    kelly_approximate: float
    """mean / variance."""
    sessions: int
    seed: int
    assumptions: tuple[str, ...] = ASSUMPTIONS

    def json(self) -> dict[str, Any]:
        """Return all of it as JSON values."""
        return asdict(self)


def assess(
    law: Law,
    *,
    wager: float = 1.0,
    bankroll: float | None = None,
    rounds_per_hour: float = 70.0,
    hours: Sequence[float] = (1.0, 10.0, 100.0),
    confidence: float = 0.95,
    number: int = 10_000,
    seed: int = 1,
) -> Risk:
    """Return what a level bet means for a player.

    wager, bankroll : dollars
    number, seed    : of the sessions that are played
    Raises RequestError for amounts that make no sense.
    """
    for name, given in (("wager", wager), ("rounds per hour", rounds_per_hour), *(("hours", each) for each in hours)):
        _check_amount(name, given)
    if bankroll is not None and not wager <= bankroll <= MOST:
        raise RequestError(f"bankroll is {bankroll}; expected the wager of {wager} or more, up to {MOST:,}")
    rounds = {max(1, round(each * rounds_per_hour)): each for each in sorted(hours)}
    bets = None if bankroll is None else bankroll / wager
    bands = [band(law.mean, law.stdev, each, confidence) for each in rounds]
    played = sessions(law, list(rounds), bets or 1.0, number, seed)
    edge = law.mean > 0
    at_least, at_most = (None, None) if bets is None else law.ruin(bets)
    return Risk(
        mean=law.mean,
        stdev=law.stdev,
        variance=law.variance,
        n0=n0(law.mean, law.stdev) if law.mean else None,
        wager=wager,
        bankroll=bankroll,
        rounds_per_hour=rounds_per_hour,
        loss_per_hour=-law.mean * wager * rounds_per_hour,
        stdev_per_hour=law.stdev * wager * math.sqrt(rounds_per_hour),
        confidence=confidence,
        horizons=tuple(_horizon(each, rounds[each.rounds], law, played, wager, bets, confidence) for each in bands),
        ruin=None if bets is None else diffusion_ruin(law.mean, law.stdev, bets),
        ruin_at_least=at_least,
        ruin_at_most=at_most,
        adjustment=law.adjustment if edge and law.most_lost else None,
        kelly=law.kelly if law.most_lost else None,
        kelly_approximate=law.mean / law.variance if edge and law.variance else 0.0,
        sessions=number,
        seed=seed,
    )


def _horizon(
    each: Band, hours: float, law: Law, played: Sessions, wager: float, bets: float | None, confidence: float
) -> Horizon:
    low, high = played.band(each.rounds, confidence)
    ruin, stderr = (None, None) if bets is None else played.ruin(each.rounds)
    return Horizon(
        rounds=each.rounds,
        hours=hours,
        expected=each.expected * wager,
        stdev=each.stdev * wager,
        low=each.low * wager,
        high=each.high * wager,
        ahead=each.ahead,
        simulated_low=low * wager,
        simulated_high=high * wager,
        simulated_ahead=played.ahead(each.rounds),
        ruin=None if bets is None else diffusion_ruin(law.mean, law.stdev, bets, each.rounds),
        simulated_ruin=ruin,
        simulated_ruin_stderr=stderr,
    )
