"""A player who counts: rounds from shoes dealt to a cut card; bets, plays and insurance follow the true count.

The rounds are a chunk to be run anywhere, like those of `rounds`; what is counted by true count stands among the
sample's `counts`, and `CountSample` reads it there.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from casinomath.counting import CountSystem
from casinomath.errors import RequestError
from casinomath.kernels import counting as kernel
from casinomath.kernels.actions import ENDINGS, Policy
from casinomath.kernels.rounds import Play, lay_out, new_hands
from casinomath.kernels.seats import CALL_ROUNDS, HALF, MOST, Dealing, Ledger, Pays, new_ledger
from casinomath.kernels.shoe import full_shoe
from casinomath.montecarlo import Sample, Shoes, Words
from casinomath.rounds import Rounds

if TYPE_CHECKING:
    import pandas as pd

MOST_BET: Final = 1000
"""Units of a bet."""

_ROUNDS: Final = ("rounds", "net", "squares")
_INSURANCE: Final = ("insurance_offers", "insurance_blackjacks")


@dataclass(frozen=True)
class Ramp:
    """What one who counts does at each true count, rounded down: from `lowest` on, the last one for all above."""

    lowest: int
    bets: tuple[int, ...]
    """Units; 0: the round is watched."""
    insures: tuple[bool, ...]

    @property
    def counts(self) -> range:
        """The true counts."""
        return range(self.lowest, self.lowest + len(self.bets))

    def __post_init__(self) -> None:
        """Refuse bets that nobody makes."""
        if len(self.bets) != len(self.insures) or not self.bets:
            raise ValueError(self)
        for true, bet in zip(self.counts, self.bets, strict=True):
            if not 0 <= bet <= MOST_BET:
                raise RequestError(f"the bet at a true count of {true} is {bet}; expected 0 to {MOST_BET} units")
        if not any(self.bets):
            raise RequestError("no true count is bet at; expected a bet above 0 at one of them")


def stacked(policies: Sequence[Policy]) -> Play:
    """Lay several strategies out side by side: the columns of each begin 10 after those of the one before."""
    plays = [lay_out(policy) for policy in policies]
    first = plays[0]
    sets: list[NDArray[np.uint8]] = []
    set_of = []
    for kind in range(len(first.set_of)):
        further = np.concatenate([play.further[play.set_of[kind]] for play in plays])
        place = next((i for i, known in enumerate(sets) if np.array_equal(known, further)), len(sets))
        if place == len(sets):
            sets.append(further)
        set_of.append(place)
    return Play(
        first.rows,
        first.child,
        np.concatenate([play.two_cards for play in plays], axis=1),
        np.concatenate([play.by_suits for play in plays], axis=1),
        np.stack(sets),
        np.array(set_of),
    )


@dataclass(frozen=True)
class CountingRounds(Rounds):
    """Rounds of one player who counts; `play` holds a strategy for every true count, or one for all."""

    system: CountSystem
    deck: tuple[int, ...]
    """Cards of a deck by value."""
    ramp: Ramp
    columns: tuple[int, ...]
    """By true count, where the columns of its strategy begin."""
    cut: int
    """Cards dealt after which the round is the last one of the shoe."""
    burn: int
    """Cards burned after each shuffle."""

    @cached_property
    def scale(self) -> int:
        """Units to an initial wager: an even number, for an insurance is half a wager."""
        nets = [net for each in (self.settled, self.split_settled) for net, _ in each.values()]
        return lcm(2, *(net.denominator for net in (*nets, self.prize or Fraction(0))))

    def check(self, paytable: str) -> None:
        """Raise RequestError where results are too fine to be added up."""
        best = max(abs(net) for each in (self.settled, self.split_settled) for net, _ in each.values())
        most = int((best * self.house.max_hands + 1) * self.scale) + int((self.prize or Fraction(0)) * self.scale)
        if most * max(self.ramp.bets) * (1 + self.cut // 4) > MOST or most**2 * CALL_ROUNDS >= 2**63:
            raise RequestError(
                f"pay table {paytable}: results in steps of 1/{self.scale:,}, with bets up to {max(self.ramp.bets)} "
                "units, are too fine for a simulation; expected rounder pays or smaller bets"
            )

    def _counter(self) -> kernel.Counter:
        scale = 2 if any(tag != int(tag) for tag in self.system.tags) else 1
        return kernel.Counter(
            tags=np.array([int(scale * tag) for tag in self.system.tags]),
            scale=scale,
            deck=sum(self.deck),
            lowest=self.ramp.lowest,
            bets=np.array(self.ramp.bets),
            insures=np.array(self.ramp.insures),
            columns=np.array(self.columns),
        )

    def __call__(self, rounds: int, state: Words) -> Sample:
        """Play so many rounds."""
        ends, split_ends = (
            np.array([int(settled[ending][0] * self.scale) for ending in ENDINGS])
            for settled in (self.settled, self.split_settled)
        )
        pays = Pays(ends, split_ends, int((self.prize or Fraction(0)) * self.scale))
        counts = np.array(self.shoe)
        dealing = Dealing(full_shoe(self.shoe), counts, counts, 1, self.cut, self.burn)
        counted = kernel.new_counted(len(self.ramp.bets))
        outcomes: Counter[tuple[int, int]] = Counter()
        by_count: Counter[str] = Counter()
        squares, left = 0, rounds
        while left:
            ledger = new_ledger(0)
            counted.squares[:] = 0
            with np.errstate(over="ignore"):  # random words wrap around; run as plain Python, they would warn of it
                played, state = kernel.play_counting(
                    *(min(left, CALL_ROUNDS), state, full_shoe(self.shoe), dealing, self.house, self.play, pays),
                    *(self._counter(), counted, ledger, new_hands(1)),
                )
            left -= played
            outcomes.update(self._outcomes(ledger))
            high, middle, low = counted.squares[0].tolist()
            squares += (high << 2 * HALF) + (middle << HALF) + low
            for names, sums in ((_ROUNDS, counted.rounds), (_INSURANCE, counted.insurance)):
                for place, each in enumerate(sums.tolist()):
                    true = self.ramp.lowest + place
                    by_count.update({f"{name}_at_{true}": number for name, number in zip(names, each, strict=True)})
            counted.rounds[:] = counted.insurance[:] = 0
        if counted.out_of_cards[0]:
            raise RequestError(f"a round took more than the {sum(self.shoe)} cards of the shoe; expected more decks")
        return Sample(
            rounds=rounds,
            unit=Fraction(1, self.scale),
            outcomes=outcomes,
            events={},
            counts={name: number for name, number in by_count.items() if number},
            shoes=Shoes(int(counted.shoes[0]), squares, *counted.shoes[1:].tolist()),
        )

    def _outcomes(self, ledger: Ledger) -> dict[tuple[int, int], int]:
        found: Counter[tuple[int, int]] = Counter()
        for place in np.flatnonzero(ledger.rounds[0]).tolist():
            net, halves = int(ledger.net[0, place]), int(ledger.wagered[0, place])
            found[net, halves * self.scale // 2] += int(ledger.rounds[0, place])
        return found


# --- What a sample of them says -----------------------------------------------------------------------------


@dataclass(frozen=True)
class CountSample:
    """What rounds played by the count came to. Money is in units of the ramp's bets."""

    sample: Sample
    """Rounds as bet, watched ones among them."""
    ramp: Ramp

    def _sums(self, name: str) -> NDArray[np.float64]:
        return np.array([self.sample.counts.get(f"{name}_at_{true}", 0) for true in self.ramp.counts], dtype=float)

    @cached_property
    def by_count(self) -> "pd.DataFrame":
        """One row for each true count met: rounds, frequency, edge and its standard error, stdev, and the bet.

        A single round has no standard error: it is NaN.

        `true_count` is rounded down; the first and the last one stand for all beyond them. The edge is the mean net
        result of a bet of one unit, insurance left out, before any bets are varied.
        """
        import pandas as pd

        unit = float(self.sample.unit)
        rounds, net, squares = self._sums("rounds"), unit * self._sums("net"), unit**2 * self._sums("squares")
        met = rounds > 0
        edge = np.divide(net, rounds, out=np.zeros_like(net), where=met)
        variance = np.divide(squares - rounds * edge**2, rounds - 1, out=np.full_like(net, np.nan), where=rounds > 1)
        frame = pd.DataFrame(
            {
                "true_count": list(self.ramp.counts),
                "rounds": rounds.astype(np.int64),
                "frequency": rounds / self.sample.rounds,
                "edge": edge,
                "stderr": np.sqrt(variance / np.maximum(rounds, 1)),
                "stdev": np.sqrt(variance),
                "bet": self.ramp.bets,
            }
        )
        return frame[met].reset_index(drop=True)

    @cached_property
    def insurance(self) -> "pd.DataFrame":
        """One row for each true count at which insurance is offered: offers, EV for each unit insured, its error."""
        import pandas as pd

        offers, won = self._sums("insurance_offers"), self._sums("insurance_blackjacks")
        met = offers > 0
        share = np.divide(won, offers, out=np.zeros_like(won), where=met)
        frame = pd.DataFrame(
            {
                "true_count": list(self.ramp.counts),
                "offers": offers.astype(np.int64),
                "ev": 3 * share - 1,
                "stderr": 3 * np.sqrt(np.divide(share * (1 - share), offers, out=np.zeros_like(won), where=met)),
                "taken": self.ramp.insures,
            }
        )
        return frame[met].reset_index(drop=True)

    @property
    def desirability(self) -> float:
        """Return Schlesinger's desirability index: 1000 × mean / standard deviation of a round, as bet."""
        return 1000 * self.sample.mean / self.sample.stdev

    @property
    def score(self) -> float:
        """Return his SCORE, the square of the desirability index: dollars won in 100 rounds by bets for $10,000.

        0 for a game that loses.
        """
        return max(0.0, self.desirability) ** 2

    @property
    def score_stderr(self) -> float:
        """The standard error of SCORE, which is that of the mean carried on; NaN for a game that loses."""
        if self.sample.mean <= 0:
            return math.nan
        return 2e6 * abs(self.sample.mean) / self.sample.stdev**2 * self.sample.stderr

    def json(self) -> dict[str, object]:
        """Everything as JSON values."""
        return {
            **{key: value for key, value in self.sample.json().items() if key not in ("events", "counts")},
            "average_bet": self.average_bet,
            "desirability": self.desirability,
            "score": self.score,
            "score_stderr": None if math.isnan(self.score_stderr) else self.score_stderr,
            "by_count": self.by_count.astype(object).where(self.by_count.notna(), None).to_dict(orient="records"),
            "insurance": self.insurance.to_dict(orient="records"),
        }

    @property
    def average_bet(self) -> float:
        """Units bet on a round before doubles and splits, watched rounds among them."""
        return float(self._sums("rounds") @ np.array(self.ramp.bets) / self.sample.rounds)


def optimal_bets(
    frequencies: Mapping[int, float], edges: Mapping[int, float], spread: int, lowest: int, number: int
) -> tuple[int, ...]:
    """Return the bets from 1 to `spread` units that make the most of their risk.

    Bets in proportion to the edge, rounded to whole units and kept within the spread; of all factors the one with the
    highest (mean / standard deviation). All rounds count for equally varied.
    frequencies, edges : by true count
    """
    if not 1 <= spread <= MOST_BET:
        raise RequestError(f"spread is {spread}; expected 1 to {MOST_BET}")
    counts = range(lowest, lowest + number)
    often = np.array([frequencies.get(true, 0.0) for true in counts])
    edge = np.array([edges[true] for true in counts])
    best, chosen = -math.inf, np.ones(number)
    steepest = max(float(edge.max()), 1e-9)
    for factor in np.geomspace(0.5 / steepest, 4 * spread / steepest, 400):
        bets = np.clip(np.rint(factor * edge), 1, spread)
        worth = float(often @ (bets * edge)) / math.sqrt(float(often @ bets**2) or 1.0)
        if worth > best + 1e-15:
            best, chosen = worth, bets
    return tuple(int(bet) for bet in chosen)
