"""Plans for Ultimate Texas Hold'em that a person can follow, to be scored as exactly as the best play.

The Wizard of Odds' practical strategy has a chart before the flop and a rule for each later decision. How much each of
the three parts costs shows when the others are played best.
"""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import POKER_RANKS
from casinomath.holes import HANDS
from casinomath.kernels.boards import boards, showdowns
from casinomath.kernels.deals import classes
from casinomath.kernels.poker import FIVE, floors, tables, values
from casinomath.kernels.ultimate import HOLES, hole_index
from casinomath.kernels.ultimate_rules import flops_by_rule, rivers_by_rule
from casinomath.ultimate import Plan, Rivers, Solution

STRATEGIES: Final[Mapping[str, tuple[str, ...]]] = {
    "wizard": ("preflop", "flop", "river"),
    "wizard_preflop": ("preflop",),
    "wizard_flop": ("flop",),
    "wizard_river": ("river",),
}
"""Which decisions each of them makes by rule; the others are the best play's."""

LOWEST: Final = {"As": "2", "Ao": "2", "Ks": "2", "Ko": "5", "Qs": "6", "Qo": "8", "Js": "8", "Jo": "T"}
"""What is raised before the flop: the lowest card beside each high one, suited or not. Pairs from threes on are too."""
FEWER_OUTS: Final = 21
"""The river is played with a hidden pair or better, or where fewer cards than these beat the hand."""


def plan(name: str, best: Solution) -> Plan:
    """Return the plan of a strategy of `STRATEGIES`."""
    by_rule = STRATEGIES[name]
    made = best.plan
    if "preflop" in by_rule:
        made = replace(made, raised=np.array([_raises(hand) for hand in HANDS]))
    if "flop" in by_rule:
        made = replace(made, flops=_flops())
    if "river" in by_rule:
        made = replace(made, rivers=_rivers())
    return made


def _raises(hand: str) -> bool:
    rank = POKER_RANKS.index
    if len(hand) == 2:
        return rank(hand[1]) >= rank("3")
    lowest = LOWEST.get(hand[0] + hand[2])
    return lowest is not None and rank(hand[1]) >= rank(lowest)


@lru_cache(maxsize=1)
def _flops() -> NDArray[np.uint8]:
    flops = classes(3).cards
    pairs = np.array([(a, b) for a in range(52) for b in range(a)])
    places = [hole_index(a, b) for a, b in pairs.tolist()]
    made = np.zeros((len(flops), HOLES), dtype=np.uint16)
    for number, flop in enumerate(flops):
        apart = ~np.isin(pairs, flop).any(axis=1)
        hands = np.hstack([np.tile(flop, (int(apart.sum()), 1)), pairs[apart]]).astype(np.uint8)
        made[number, np.array(places)[apart]] = values(hands)
    decisions = np.zeros(made.shape, dtype=np.uint8)
    flops_by_rule(flops, made, floors(FIVE)[FIVE.categories.index("two_pair")], decisions)
    return decisions


@lru_cache(maxsize=1)
def _rivers() -> Rivers:
    ranks, suited = showdowns()
    plays = Rivers(*(np.zeros(found.values.shape, dtype=np.uint8) for found in (ranks, suited)))
    evaluator = tables(FIVE)
    rivers_by_rule(
        boards().rank_counts,
        boards().suited,
        evaluator.keys[:52:4] & np.uint64(2**32 - 1),
        evaluator.displacements,
        evaluator.slots,
        evaluator.flushes,
        floors(FIVE)[FIVE.categories.index("straight")],
        FEWER_OUTS,
        ranks.values,
        suited.values,
        plays.ranks,
        plays.suited,
    )
    return plays
