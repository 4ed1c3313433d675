"""Dealing: rounds of a bet that has no decision, dealt card by card from a full shoe and settled by the printed rules.

The witness of bets that are counted elsewhere, with which it shares no code: the shoe is single cards, each with its
rank and its suit. A bet says where cards are dealt, what to look at, and how what was seen is settled.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import Pack, ranks_of
from casinomath.errors import RequestError
from casinomath.montecarlo import Sample, Words

Counts: TypeAlias = NDArray[np.int64]
"""A small number for each round (rounds,)."""


class Place(NamedTuple):
    """Where a card is dealt, and what is known of that card beforehand: the rank, and perhaps the suit."""

    rank: str | None = None
    suit: int | None = None


ANY = Place()


class Cards(NamedTuple):
    """The cards of many rounds: (places, rounds), ranks and suits by number."""

    ranks: NDArray[np.int16]
    suits: NDArray[np.int16]

    def matches(self, dealers: int, players: Sequence[int]) -> tuple[Counts, Counts]:
        """Return how many of the cards at the players' places match the dealer's in rank: suited, and unsuited."""
        places = list(players)
        alike = self.ranks[places] == self.ranks[dealers]
        one_suit = self.suits[places] == self.suits[dealers]
        return (alike & one_suit).sum(axis=0), (alike & ~one_suit).sum(axis=0)


class Settled(NamedTuple):
    """What a round came to: its event, named as in `Returns`, and the net result in initial wagers."""

    event: str
    net: Fraction


def nothing_drawn(_cards: Cards, _generator: np.random.Generator) -> Sequence[Counts]:
    """Draw nothing besides the cards of a round."""
    return ()


@dataclass(frozen=True)
class Dealt:
    """Rounds that are dealt and settled: a chunk to be run anywhere, if its functions are a module's or partials."""

    decks: int
    pack: Pack
    places: tuple[Place, ...]
    """What any two of them may hold has to be nested or disjoint, as rank and suit are."""
    look: Callable[[Cards], Sequence[Counts]]
    """What to see in the cards: some small numbers for each round."""
    settle: Callable[[tuple[int, ...]], Settled]
    """What so many of each come to."""
    unit: Fraction
    """Every net result is a multiple of it."""
    draw: Callable[[Cards, np.random.Generator], Sequence[Counts]] = nothing_drawn
    """What is drawn besides, whatever the cards: more small numbers for each round, seen after the others."""

    def check(self) -> None:
        """Raise RequestError where the shoe has too few cards for the places."""
        if len(self.places) > len(self._shoe):
            raise RequestError(f"a round deals {len(self.places)} cards; {self.decks} decks hold {len(self._shoe)}")

    @cached_property
    def _shoe(self) -> NDArray[np.int16]:
        """Every card, rank and suit (cards, 2)."""
        kinds = [(rank, suit) for rank in range(len(ranks_of(self.pack))) for suit in range(4)]
        return np.array(kinds * self.decks, dtype=np.int16)

    def _fitting(self, place: Place) -> NDArray[np.int16]:
        """The cards that may lie at a place, by their place in the shoe."""
        rank, suit = self._shoe.T
        fits = np.ones(len(self._shoe), dtype=bool)
        if place.rank is not None:
            fits &= rank == ranks_of(self.pack).index(place.rank)
        if place.suit is not None:
            fits &= suit == place.suit
        return np.flatnonzero(fits).astype(np.int16)

    def deal(self, rounds: int, generator: np.random.Generator) -> Cards:
        """Deal so many rounds, each from the whole shoe.

        The places that least cards fit come first: how many of a wider choice they take is then the same in every
        round, so that all deals are equally likely. A card that lies on the table already is drawn again.
        """
        fitting = [self._fitting(place) for place in self.places]
        order = sorted(range(len(fitting)), key=lambda place: len(fitting[place]))
        dealt = np.empty((len(order), rounds), dtype=np.int16)
        for number, place in enumerate(order):
            again = np.arange(rounds)
            while len(again):
                cards = fitting[place][generator.integers(len(fitting[place]), size=len(again), dtype=np.uint16)]
                dealt[number, again] = cards
                again = again[(dealt[:number, again] == cards).any(axis=0)]
        dealt = dealt[np.argsort(order)]
        ranks, suits = self._shoe.T
        return Cards(ranks[dealt], suits[dealt])

    def __call__(self, rounds: int, state: Words) -> Sample:
        """Deal and settle so many rounds."""
        generator = np.random.default_rng([int(word) for word in state])
        cards = self.deal(rounds, generator)
        outcomes: Counter[tuple[int, int]] = Counter()
        events: Counter[str] = Counter()
        for seen, number in _counted([*self.look(cards), *self.draw(cards, generator)]).items():
            event, net = self.settle(seen)
            units = net / self.unit
            assert units.denominator == 1, f"{net} is no multiple of {self.unit}"
            outcomes[units.numerator, int(1 / self.unit)] += number
            events[event] += number
        return Sample(rounds, self.unit, dict(outcomes), dict(events), {})


def _counted(seen: Sequence[Counts]) -> Mapping[tuple[int, ...], int]:
    """How many rounds showed each combination of numbers."""
    sizes = [int(each.max()) + 1 for each in seen]
    code = np.ravel_multi_index(list(seen), sizes)
    numbers = np.bincount(code.ravel())
    codes = np.flatnonzero(numbers)
    rows = np.stack(np.unravel_index(codes, sizes), axis=1)
    return dict(zip(map(tuple, rows.tolist()), numbers[codes].tolist(), strict=True))
