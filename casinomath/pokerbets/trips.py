"""Trips: does the player's best hand of all seven cards hold three of a kind or better? The dealer's does not matter.

The bet is settled after a fold too. Method: exact, by counting the 133,784,560 sets of seven cards (see `counting`).
Source: ``data/trips.toml``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import comb, lcm
from typing import Final, NamedTuple, Unpack

from casinomath import montecarlo
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.paytable import PayTable
from casinomath.pokerbets.counting import CATEGORIES, hands
from casinomath.pokerbets.deal import Deal
from casinomath.pokerbets.reading import FIRST, categories, hands_at
from casinomath.returns import Outcome, Returns, exact_returns

BET = "trips"

EVENTS: Final = CATEGORIES[: CATEGORIES.index("three_of_a_kind") + 1]
"""What a pay table must pay."""

LOWER: Final = CATEGORIES[len(EVENTS) :]
"""What it may pay besides."""


class Rules(NamedTuple):
    """There is nothing to choose but the pay table."""


def check(_deal: Deal, _rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for a pay table that makes no sense."""
    paytable.check_odds(EVENTS, optional=LOWER)


def evaluate(deal: Deal, rules: Rules, paytable: PayTable) -> Returns:
    """Return what the bet is worth.

    Raises RequestError for a pay table that makes no sense.
    """
    check(deal, rules, paytable)
    cards, nets = deal.own + deal.board, _nets(paytable)
    deals = comb(52, cards)
    outcomes = [
        Outcome(event, Fraction(combinations, deals), nets[event]) for event, combinations in hands(cards).items()
    ]
    return exact_returns(deal.game, BET, rules._asdict(), paytable.name, outcomes, deals)


def _nets(paytable: PayTable) -> Mapping[str, Fraction]:
    return {event: paytable.pay(event) if event in paytable.pays else Fraction(-1) for event in CATEGORIES}


def simulate(
    deal: Deal, rules: Rules, paytable: PayTable, rounds: int, seed: int, **running: Unpack[montecarlo.Running]
) -> montecarlo.Sample:
    """Deal a player's cards and the board, a fresh pack each round, and settle them.

    Raises RequestError for a pay table that makes no sense, and for such rounds or such a seed.
    """
    check(deal, rules, paytable)
    nets = _nets(paytable)
    chunk = Dealt(
        decks=1,
        pack="standard",
        places=(ANY,) * (deal.own + deal.board),
        look=_look,
        settle=partial(_settle, nets),
        unit=Fraction(1, lcm(*(net.denominator for net in nets.values()))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(cards: Cards) -> list[Counts]:
    return [categories(hands_at(cards, list(range(len(cards.ranks)))))]


def _settle(nets: Mapping[str, Fraction], seen: tuple[int, ...]) -> Settled:
    event = FIRST[seen[0]]
    return Settled(event, nets[event])
