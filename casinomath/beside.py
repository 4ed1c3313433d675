"""Bets on the side of a game of the family of 21, as a simulation of the game settles them in its own rounds.

What such a bet may see of a round is how a player's two cards match the dealer's two, and what the peek under an ace
shows. A side bet says what each of these comes to; here it becomes a table that kernels read.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import Pack
from casinomath.dealing import Settled
from casinomath.errors import RequestError
from casinomath.kernels.seats import (
    BLACKJACK_OF_ONE_COLOUR,
    BLACKJACK_OF_ONE_SUIT,
    BLACKJACK_OF_TWO_COLOURS,
    MOST,
    MOST_SEATS,
    NO_ACE,
    NO_BLACKJACK,
)
from casinomath.matches import Matches

PEEKS: Final = (NO_ACE, NO_BLACKJACK, BLACKJACK_OF_TWO_COLOURS, BLACKJACK_OF_ONE_COLOUR, BLACKJACK_OF_ONE_SUIT)


class Seen(NamedTuple):
    """What a bet on the side may see of a round."""

    peek: int
    """One of PEEKS."""
    up: Matches
    """The player's matches with the upcard."""
    down: Matches
    """The player's matches with the hole card."""


class SideBet(NamedTuple):
    """A bet on the side: what it comes to by what is seen, in the order of `kernels.seats.Bets`."""

    name: str
    decks: int
    pack: Pack
    """The shoe that it is made for."""
    unit: Fraction
    """What net results count, in its own wagers."""
    events: tuple[str, ...]
    event: NDArray[np.int64]
    """(SEEN,) number of the event, -1 where the bet is not made."""
    net: NDArray[np.int64]
    """(MOST_SEATS, SEEN) net result by the number of seats before that won an award of the same meter."""
    award: NDArray[np.bool_]
    """(SEEN,) whether it is such an award."""


def side_bet(
    name: str,
    decks: int,
    pack: Pack,
    settle: Callable[[Seen, int], Settled | None],
    is_award: Callable[[Seen], bool] = lambda _: False,
    seats: int = MOST_SEATS,
) -> SideBet:
    """Tabulate a bet on the side.

    settle   : what the bet comes to, given how many seats before won an award; None where it is not made
    is_award : whether what is seen is an award that is paid from what seats before left
    seats    : seats that may make the bet
    Raises RequestError where results are too fine to add up in integers.
    """
    relations = list(product(range(3), repeat=2))
    with_one = [Matches(pair.count(2), pair.count(1)) for pair in relations]
    every = [Seen(*seen) for seen in product(PEEKS, with_one, with_one)]
    distinct = {seen: [settle(seen, earlier) for earlier in range(seats)] for seen in dict.fromkeys(every)}
    made = [settled for each in distinct.values() for settled in each if settled is not None]
    scale = lcm(*(settled.net.denominator for settled in made))
    if max(abs(settled.net) for settled in made) * scale * seats > MOST:
        raise RequestError(
            f"{name}: results in steps of 1/{scale:,} are too fine for a simulation of {seats} seats; "
            "expected a rounder meter, or fewer seats"
        )
    events = tuple(dict.fromkeys(settled.event for settled in made))
    net = np.zeros((MOST_SEATS, len(every)), dtype=np.int64)
    event = np.full(len(every), -1, dtype=np.int64)
    for place, seen in enumerate(every):
        for earlier, settled in enumerate(distinct[seen]):
            if settled is not None:
                event[place] = events.index(settled.event)
                net[earlier, place] = int(settled.net * scale)
    award = np.array([is_award(seen) for seen in every])
    return SideBet(name, decks, pack, Fraction(1, scale), events, event, net, award)
