"""Rolling: bets on dice or a wheel, played by the printed rules and settled one kind of ending after another.

The witness of bets that are solved elsewhere as chains, with which it shares no code. A bet says how a round is played
and how what was seen at its end is settled.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.montecarlo import Sample, Words

Ending: TypeAlias = tuple[int, ...]
"""What was seen at the end of a round, in small numbers."""


class Played(NamedTuple):
    """Some rounds that were played."""

    endings: Mapping[Ending, int]
    """How many rounds ended so."""
    counts: Mapping[str, int]
    """What else was counted, such as rolls of the dice."""


def counted(numbers: NDArray[np.int64]) -> dict[Ending, int]:
    """Return how many rounds ended in each way, from an array with an axis for every small number."""
    found = np.argwhere(numbers)
    return dict(zip(map(tuple, found.tolist()), numbers[numbers != 0].tolist(), strict=True))


def rolls_counted(numbers: NDArray[np.int64]) -> dict[str, int]:
    """Return how many rounds took so many rolls, from an array by rolls whose last place is for all longer ones."""
    longest = len(numbers) - 2
    named = {
        f"{rolls}_rolls" if rolls <= longest else f"over_{longest}_rolls": int(number)
        for rolls, number in enumerate(numbers)
    }
    return {name: number for name, number in named.items() if number}


class Ended(NamedTuple):
    """What a round came to."""

    event: str
    """Named as in `Returns`."""
    net: Fraction
    """Net result in initial wagers."""
    wagered: Fraction = Fraction(1)
    """Everything that was wagered, in initial wagers."""


@dataclass(frozen=True)
class Rolled:
    """Rounds that are played and settled: a chunk to be run anywhere, if its functions are a module's or partials."""

    play: Callable[[int, Words], Played]
    """Plays so many rounds with a generator that starts from a state."""
    settle: Callable[[Ending], Ended]
    """What an ending comes to."""
    possible: Sequence[Ending]
    """Every ending there is."""

    @cached_property
    def unit(self) -> Fraction:
        """The largest that all results and wagers are multiples of."""
        amounts = [each for ending in self.possible for each in self.settle(ending)[1:]]
        return Fraction(1, lcm(*(amount.denominator for amount in amounts)))

    def __call__(self, rounds: int, state: Words) -> Sample:
        """Play and settle so many rounds."""
        with np.errstate(over="ignore"):  # random words wrap around; run as plain Python, they would warn of it
            played = self.play(rounds, state)
        outcomes: Counter[tuple[int, int]] = Counter()
        events: Counter[str] = Counter()
        for ending, number in played.endings.items():
            event, net, wagered = self.settle(ending)
            outcomes[int(net / self.unit), int(wagered / self.unit)] += number
            events[event] += number
        return Sample(rounds, self.unit, dict(outcomes), dict(events), dict(played.counts))
