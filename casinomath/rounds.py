"""Rounds of the family of 21 as chunks to be run anywhere: what kernels count, turned into samples.

One player with a fresh shoe each round has a kernel of its own, the fastest. Anything else is a table: several seats,
a shoe that is dealt to a cut card, a shoe of which some cards are gone, bets on the side.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any

import numpy as np
from numpy.typing import NDArray

from casinomath.beside import SideBet
from casinomath.cards import VALUES
from casinomath.errors import RequestError
from casinomath.kernels.actions import ENDINGS, SPLIT_ENDINGS
from casinomath.kernels.rounds import (
    MOST_UNITS,
    House,
    Play,
    new_hands,
    new_tally,
    play_rounds,
)
from casinomath.kernels.seats import (
    CALL_ROUNDS,
    HALF,
    MOST,
    Bets,
    Dealing,
    Ledger,
    Pays,
    Results,
    new_ledger,
    new_results,
    new_scratch,
    play_table,
)
from casinomath.kernels.shoe import full_shoe
from casinomath.montecarlo import MAIN, Sample, Shoes, Words

Settlement = Mapping[str, tuple[Fraction, int]]
"""Net result and total wagered, in initial wagers, by ending; what the rules never let happen may be left out."""
NEVER = (Fraction(0), 1)


@dataclass(frozen=True)
class Rounds:
    """Rounds by fixed rules and one strategy, with a fresh shoe for one player."""

    house: House
    shoe: tuple[int, ...]
    """Cards by value, ace first."""
    play: Play
    settled: Settlement
    split_settled: Settlement
    prize: Fraction | None
    """What a Super Bonus wins, in initial wagers."""

    def check(self, paytable: str) -> None:
        """Raise RequestError where results are too fine to be kept apart."""
        if self.reach > MOST_UNITS:
            raise RequestError(
                f"pay table {paytable}: results in steps of 1/{self.split_scale}, up to {self.reach:,} of them in a "
                f"split round, are more than a simulation keeps apart; expected at most {MOST_UNITS:,}"
            )

    @cached_property
    def split_scale(self) -> int:
        """Units to an initial wager in split rounds."""
        return lcm(*(net.denominator for net, _ in self.split_settled.values()))

    @cached_property
    def reach(self) -> int:
        """Units that a split round can win or lose."""
        return self.house.max_hands * max(abs(self._split_units(ending)) for ending in SPLIT_ENDINGS)

    def _split_units(self, ending: str) -> int:
        return int(self.split_settled.get(ending, NEVER)[0] * self.split_scale)

    @cached_property
    def scale(self) -> int:
        """Units to an initial wager in the sample."""
        nets = [net for net, _ in self.settled.values()] + [self.prize or Fraction(0)]
        return lcm(self.split_scale, *(net.denominator for net in nets))

    def __call__(self, rounds: int, state: Words) -> Sample:
        """Play so many rounds."""
        tally = new_tally(self.reach, self.house.max_hands)
        pays = np.array([self._split_units(ending) for ending in SPLIT_ENDINGS])
        cards = full_shoe(self.shoe)
        with np.errstate(over="ignore"):  # random words wrap around; run as plain Python, they would warn of it
            play_rounds(rounds, state, cards, self.house, self.play, pays, tally, new_hands(1))

        outcomes: Counter[tuple[int, int]] = Counter()
        prize = self.prize or Fraction(0)
        for ending, number, prizes in zip(ENDINGS, tally.ends.tolist(), tally.super_bonus.tolist(), strict=True):
            net, wagered = self.settled.get(ending, NEVER)
            outcomes[int(net * self.scale), wagered * self.scale] += number - prizes
            outcomes[int((net + prize) * self.scale), wagered * self.scale] += prizes
        for split, place, wagered in np.argwhere(tally.split_rounds).tolist():
            net_units = (place - self.reach) * self.scale // self.split_scale
            outcomes[net_units, wagered * self.scale] += int(tally.split_rounds[split, place, wagered])
        counts = _split_hands(tally.split_ends.tolist())
        if self.prize is not None:
            counts["super_bonus"] = int(tally.super_bonus.sum())
        return Sample(
            rounds=rounds,
            unit=Fraction(1, self.scale),
            outcomes={outcome: number for outcome, number in outcomes.items() if number},
            events=_events(tally.ends.tolist(), tally.split_rounds.sum(axis=(1, 2)).tolist()),
            counts=counts,
        )


def _events(ends: list[int], splits: list[int]) -> dict[str, int]:
    every = [*zip(ENDINGS, ends, strict=True), *((f"split_to_{k}_hands", n) for k, n in enumerate(splits, start=2))]
    return {event: number for event, number in every if number}


def _split_hands(ends: list[int]) -> dict[str, int]:
    return {f"split_hand_{ending}": number for ending, number in zip(SPLIT_ENDINGS, ends, strict=True) if number}


@dataclass(frozen=True)
class TableRounds(Rounds):
    """Rounds of several seats, from a shoe that may be dealt on, with bets on the side."""

    full: tuple[int, ...]
    """Cards by value of the full decks, of which those in the shoe are a random choice."""
    seats: int
    cut: int
    """Cards dealt after which the round is the last one of the shoe."""
    burn: int
    """Cards burned after each shuffle."""
    envy: Fraction | None
    """What each other seat wins with a Super Bonus, in initial wagers; None where nobody does."""
    beside: tuple[SideBet, ...]
    by_hand: bool

    def check(self, paytable: str) -> None:
        """Raise RequestError where results are too fine to be added up."""
        best = max(abs(net) for each in (self.settled, self.split_settled) for net, _ in each.values())
        most_rounds = 1 + self.cut // (2 * self.seats + 2)
        most = int(best * self.scale * self.house.max_hands) + self._pays().super_bonus
        if most * self.seats * most_rounds > MOST or (self.by_hand and most**2 * CALL_ROUNDS >= 2**63):
            raise RequestError(
                f"pay table {paytable}: results in steps of 1/{self.scale:,} are too fine for a simulation; "
                "expected rounder pays"
            )

    @cached_property
    def scale(self) -> int:
        """Units to an initial wager."""
        nets = [net for each in (self.settled, self.split_settled) for net, _ in each.values()]
        return lcm(*(net.denominator for net in (*nets, self.prize or Fraction(0), self.envy or Fraction(0))))

    def _cards(self, counts: tuple[int, ...]) -> NDArray[np.uint8]:
        return full_shoe(counts, ten_ranks=self.full[9] // self.full[0])

    def _pays(self) -> Pays:
        ends, split_ends = (
            np.array([int(settled.get(ending, NEVER)[0] * self.scale) for ending in endings])
            for settled, endings in ((self.settled, ENDINGS), (self.split_settled, SPLIT_ENDINGS))
        )
        prize = (self.prize or Fraction(0)) + (self.seats - 1) * (self.envy or Fraction(0))
        return Pays(ends, split_ends, int(prize * self.scale))

    def _bets(self) -> Bets:
        if not self.beside:
            none = np.zeros((0, 1), dtype=np.int64)
            return Bets(none.reshape(0, 1, 1), none, none.astype(bool))
        return Bets(
            np.stack([bet.net for bet in self.beside]),
            np.stack([bet.event for bet in self.beside]),
            np.stack([bet.award for bet in self.beside]),
        )

    def __call__(self, rounds: int, state: Words) -> Sample:
        """Play so many rounds."""
        number = len(self.beside)
        results = new_results(number, max((len(bet.events) for bet in self.beside), default=0), by_cell=self.by_hand)
        dealing = Dealing(
            self._cards(self.full), np.array(self.full), np.array(self.shoe), self.seats, self.cut, self.burn
        )
        every: list[Counter[tuple[int, int]]] = [Counter() for _ in range(number + 1)]
        sums = [0] * len(results.products)
        cells: Counter[tuple[tuple[str, str], int]] = Counter()
        left = rounds
        while left:
            ledger = new_ledger(number)
            results.products[:] = 0
            results.cells[:] = 0
            with np.errstate(over="ignore"):  # random words wrap around; run as plain Python, they would warn of it
                played, state = play_table(
                    min(left, CALL_ROUNDS),
                    state,
                    self._cards(self.shoe),
                    dealing,
                    self.house,
                    self.play,
                    self._pays(),
                    self._bets(),
                    results,
                    ledger,
                    new_scratch(self.seats, number),
                )
            left -= played
            for bet, found in enumerate(every):
                found.update(_entries(ledger, bet))
            for row, (high, middle, low) in enumerate(results.products.tolist()):
                sums[row] += (high << 2 * HALF) + (middle << HALF) + low
            cells.update(_cells(results))
        if results.out_of_cards[0]:
            raise RequestError(
                f"seats is {self.seats}; a round took more than the {sum(self.shoe)} cards of the shoe: "
                "expected fewer seats or more decks"
            )
        return replace(self._sample(rounds, results, every, sums), hands=_by_hand(cells))

    def _sample(self, rounds: int, results: Results, every: list[Counter[tuple[int, int]]], sums: list[int]) -> Sample:
        counts = _split_hands(results.split_ends.tolist())
        super_bonuses = int(results.super_bonuses[0])
        if self.prize is not None:
            counts["super_bonus"] = super_bonuses
        if self.envy is not None:
            counts["envy"] = super_bonuses * (self.seats - 1)
        names = [MAIN, *(bet.name for bet in self.beside)]
        pairs = [(names[one], names[other]) for other in range(len(names)) for one in range(other)]
        shoes = Shoes(int(results.shoes[0]), sums[0], *results.shoes[1:].tolist()) if self.cut else None
        return Sample(
            rounds=rounds,
            unit=Fraction(1, self.scale * self.seats),
            outcomes=_outcomes(every[0], self.scale),
            events=_events(results.ends.tolist(), results.splits.tolist()),
            counts=counts,
            seats=self.seats,
            beside={
                bet.name: self._side_sample(bet, found, events)
                for bet, found, events in zip(self.beside, every[1:], results.events.tolist(), strict=True)
            },
            products=dict(zip(pairs, sums[1:], strict=True)),
            shoes=shoes,
        )

    def _side_sample(self, bet: SideBet, found: Counter[tuple[int, int]], events: list[int]) -> Sample:
        named = zip(bet.events, events[: len(bet.events)], strict=True)
        return Sample(
            rounds=found.total(),
            unit=bet.unit / self.seats,
            outcomes=_outcomes(found, bet.unit.denominator),
            events={event: number for event, number in named if number},
            counts={},
            seats=self.seats,
        )


def _cells(results: Results) -> dict[tuple[tuple[str, str], int], int]:
    """The three sums of every hand and upcard that was dealt."""
    return {
        ((f"{VALUES[x]} {VALUES[y]}", VALUES[u]), of): int(results.cells[u, x, y, of])
        for u, x, y in np.argwhere(results.cells[..., 0]).tolist()
        for of in range(3)
    }


def _by_hand(cells: Mapping[tuple[tuple[str, str], int], int]) -> dict[tuple[str, str], tuple[int, int, int]]:
    return {hand: (cells[hand, 0], cells[hand, 1], cells[hand, 2]) for hand, of in cells if of == 0}


def _entries(ledger: Ledger, bet: int) -> dict[tuple[int, int], int]:
    places = np.flatnonzero(ledger.rounds[bet])
    columns: Any = (array[bet, places].tolist() for array in (ledger.net, ledger.wagered, ledger.rounds))
    return {(net, wagered): rounds for net, wagered, rounds in zip(*columns, strict=True)}


def _outcomes(found: Mapping[tuple[int, int], int], scale: int) -> dict[tuple[int, int], int]:
    """Rounds by net result and total wagered in units, from the same with the wagers counted."""
    return {(net, wagered * scale): rounds for (net, wagered), rounds in found.items()}
