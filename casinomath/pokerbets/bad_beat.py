"""The Bad Beat bet: a good hand of seven cards that is beaten all the same, paid by the rank of the losing hand.

`either` is the two-way bet, won when the player's hand or the dealer's is the one beaten; `player` is won by the
player's alone. A tie loses. The bet is settled after a fold too.

Method: exact, in integers over all 2,781,381,002,400 deals of a board and two hands (see `kernels.two_hands`).
Source: ``data/bad_beat.toml``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from math import comb, lcm
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError, unknown
from casinomath.kernels.poker import FIVE, values
from casinomath.kernels.two_hands import TwoHands, two_hands
from casinomath.paytable import PayTable
from casinomath.pokerbets.counting import CATEGORIES
from casinomath.pokerbets.deal import Deal
from casinomath.pokerbets.reading import FIRST, categories, hands_at
from casinomath.returns import Outcome, Returns, exact_returns

if TYPE_CHECKING:
    import pandas as pd

BET = "bad_beat"

EVENTS: Final = CATEGORIES[1 : CATEGORIES.index("three_of_a_kind") + 1]
"""What a pay table must pay: losing hands, of which a royal flush is none."""
LOWER: Final = CATEGORIES[1 + len(EVENTS) :]
"""What it may pay besides."""
LOSERS: Final = ("either", "player")


class Rules(NamedTuple):
    """The rules of the Bad Beat bet. Defaults: the two-way bet."""

    loser: Literal["either", "player"] = "either"
    """Whose losing hand is paid: that of either, or the player's alone. Either favours the player."""


def check(deal: Deal, rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    if rules.loser not in LOSERS:
        raise unknown("loser", rules.loser, LOSERS)
    if (deal.own, deal.board) != (2, 5):
        raise RequestError(f"{BET} is priced for two cards and a board of five, not {deal.own} and {deal.board}")
    paytable.check_odds(EVENTS, optional=LOWER)


def evaluate(deal: Deal, rules: Rules, paytable: PayTable) -> Returns:
    """Return what the bet is worth; events are losing hands, `tie`, and, where one player counts, `player_wins`.

    Details: `two_hands`, how often each hand of the player's meets each of the dealer's.
    Raises RequestError for rules or a pay table that make no sense.
    """
    check(deal, rules, paytable)
    found, nets = two_hands(), _nets(paytable)
    deals = comb(52, 5) * comb(47, 2) * comb(45, 2)
    sides = 2 if rules.loser == "either" else 1
    counts = {category: sides * int(found.lost[FIVE.categories.index(category)]) for category in CATEGORIES}
    counts |= {"player_wins": (2 - sides) * int(found.lost.sum()), "tie": int(found.tied.sum())}
    outcomes = [Outcome(event, Fraction(number, deals), nets[event]) for event, number in counts.items()]
    return exact_returns(deal.game, BET, rules._asdict(), paytable.name, outcomes, deals, {"two_hands": _frame(found)})


def _nets(paytable: PayTable) -> Mapping[str, Fraction]:
    return {
        event: paytable.pay(event) if event in paytable.pays else Fraction(-1)
        for event in (*CATEGORIES, "player_wins", "tie")
    }


def _frame(found: TwoHands) -> "pd.DataFrame":
    import pandas as pd

    rows = [
        (mine, theirs, int(found.joint[FIVE.categories.index(mine), FIVE.categories.index(theirs)]))
        for mine in CATEGORIES
        for theirs in CATEGORIES
    ]
    return pd.DataFrame(rows, columns=["player", "dealer", "combinations"])


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    deal: Deal, rules: Rules, paytable: PayTable, rounds: int, seed: int, **running: Unpack[montecarlo.Running]
) -> montecarlo.Sample:
    """Deal the player's cards, the dealer's and the board, a fresh pack each round, compare and settle.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(deal, rules, paytable)
    nets = _nets(paytable)
    chunk = Dealt(
        decks=1,
        pack="standard",
        places=(ANY,) * (2 * deal.own + deal.board),
        look=_look,
        settle=partial(_settle, rules, nets),
        unit=Fraction(1, lcm(*(net.denominator for net in nets.values()))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(cards: Cards) -> list[Counts]:
    """Both hands' categories, and which is the better: 0 the player's, 1 the dealer's, 2 neither."""
    seen, worth = [], []
    for first in (0, 2):
        hand = hands_at(cards, [first, first + 1, *range(4, 9)])
        seen.append(categories(hand))
        worth.append(values((4 * hand[0] + hand[1]).T.astype(np.uint8)))
    mine, theirs = worth
    return [*seen, np.where(mine > theirs, 0, np.where(mine < theirs, 1, 2))]


def _settle(rules: Rules, nets: Mapping[str, Fraction], seen: tuple[int, ...]) -> Settled:
    mine, theirs, better = seen
    if better == 2:
        return Settled("tie", nets["tie"])
    if better == 0 and rules.loser == "player":
        return Settled("player_wins", nets["player_wins"])
    event = FIRST[mine if better == 1 else theirs]
    return Settled(event, nets[event])
