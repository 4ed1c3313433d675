"""The Texas Hold'em Bonus bet: the player's first two cards, and with two aces perhaps the dealer's.

The bet is settled after a fold too. Method: exact, by counting pairs of cards. Source: ``data/holdem_bonus.toml``.
"""

from fractions import Fraction
from functools import partial
from itertools import combinations
from math import comb, lcm
from typing import Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.cards import POKER_RANKS
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.paytable import PayTable
from casinomath.pokerbets.deal import Deal
from casinomath.returns import Outcome, Returns, exact_returns

BET = "holdem_bonus"

BOTH: Final = "pair_of_aces_for_both"
EVENTS: Final = (
    *("pair_of_aces", "ace_king_suited", "ace_queen_or_jack_suited", "ace_king"),
    *("pair_of_kings_queens_or_jacks", "ace_queen_or_jack", "pair_of_twos_to_tens"),
)
"""What a pay table must pay; BOTH it may."""
NOTHING: Final = "no_bonus_hand"

J, Q, K, A = range(9, 13)


class Rules(NamedTuple):
    """There is nothing to choose but the pay table."""


def check(_deal: Deal, _rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for a pay table that makes no sense."""
    paytable.check_odds(EVENTS, optional=(BOTH,))


def evaluate(deal: Deal, rules: Rules, paytable: PayTable) -> Returns:
    """Return what the bet is worth.

    Raises RequestError for a pay table that makes no sense.
    """
    check(deal, rules, paytable)
    every = list(combinations([(rank, suit) for rank in range(len(POKER_RANKS)) for suit in range(4)], 2))
    named = [event_of(*sorted((one[0], other[0])), suited=one[1] == other[1]) for one, other in every]
    counts = {event: Fraction(named.count(event), len(every)) for event in (*EVENTS, NOTHING)}
    if BOTH in paytable.pays:
        # of the 50 cards left, one pair is aces
        counts = {BOTH: counts["pair_of_aces"] / comb(50, 2), **counts}
        counts["pair_of_aces"] -= counts[BOTH]
    outcomes = [
        Outcome(event, chance, paytable.pay(event) if event != NOTHING else Fraction(-1))
        for event, chance in counts.items()
    ]
    deals = comb(52, 2) * (comb(50, 2) if BOTH in paytable.pays else 1)
    return exact_returns(deal.game, BET, rules._asdict(), paytable.name, outcomes, deals)


def event_of(low: int, high: int, *, suited: bool) -> str:
    """Return the line of the pay table for two cards, their ranks in rising order and 12 an ace."""
    if low == high:
        return {A: "pair_of_aces", K: EVENTS[4], Q: EVENTS[4], J: EVENTS[4]}.get(high, "pair_of_twos_to_tens")
    if high < A or low < J:
        return NOTHING
    return ("ace_king" if low == K else "ace_queen_or_jack") + "_suited" * suited


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    deal: Deal, rules: Rules, paytable: PayTable, rounds: int, seed: int, **running: Unpack[montecarlo.Running]
) -> montecarlo.Sample:
    """Deal two cards to the player and two to the dealer, a fresh pack each round, and settle them.

    Raises RequestError for a pay table that makes no sense, and for such rounds or such a seed.
    """
    check(deal, rules, paytable)
    chunk = Dealt(
        decks=1,
        pack="standard",
        places=(ANY,) * 4,
        look=_look,
        settle=partial(_settle, paytable),
        unit=Fraction(1, lcm(*(paytable.pay(event).denominator for event in paytable.pays))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


KIND: Final = {13: "pair_of_aces", 12: EVENTS[4], 11: EVENTS[4], 10: EVENTS[4]}
"""Pairs that have a line of their own, by rank, an ace 13."""
WITH_ACE: Final = {12: "ace_king", 11: "ace_queen_or_jack", 10: "ace_queen_or_jack"}


def _look(cards: Cards) -> list[Counts]:
    """The player's ranks, an ace 13, in rising order; whether of one suit; whether the dealer has two aces."""
    ranks = np.sort(np.where(cards.ranks[:2] == 0, 13, cards.ranks[:2]), axis=0).astype(np.int64)
    one_suit = (cards.suits[0] == cards.suits[1]).astype(np.int64)
    return [ranks[0], ranks[1], one_suit, (cards.ranks[2:] == 0).all(axis=0).astype(np.int64)]


def _settle(paytable: PayTable, seen: tuple[int, ...]) -> Settled:
    low, high, one_suit, dealer_aces = seen
    if low == high:
        event = KIND.get(high, "pair_of_twos_to_tens")
        if high == 13 and dealer_aces and BOTH in paytable.pays:
            event = BOTH
    elif high == 13 and low in WITH_ACE:
        event = WITH_ACE[low] + ("_suited" if one_suit else "")
    else:
        return Settled(NOTHING, Fraction(-1))
    return Settled(event, paytable.pay(event))
