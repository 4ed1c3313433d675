"""Ultimate Texas Hold'em solved: every decision by exact counting, and how the rounds that follow from them end.

A deal is the player's two cards, the flop, turn and river together, and the dealer's two cards: 27,813,810,024,000 of
them. Money is in whole units, so that every expected value is a fraction. The kernels are in `kernels.ultimate`; the
flops go through them one of each class, a class being what a renaming of suits leaves alike.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.holes import COMBINATIONS, HAND_OF_HOLE, HANDS
from casinomath.kernels.boards import OPPONENTS, Showdowns, boards, showdowns
from casinomath.kernels.deals import classes
from casinomath.kernels.poker import FIVE, floors, tables
from casinomath.kernels.shoe import State
from casinomath.kernels.ultimate import (
    BET,
    CHECK,
    HOLES,
    RAISE,
    Priced,
    price,
    solve_flops,
    spread_flops,
    tally,
)
from casinomath.kernels.ultimate_rounds import Play as Decided
from casinomath.kernels.ultimate_rounds import flop_classes, play_rounds

STAGES: Final = ("preflop", "flop", "river")
"""When the Play bet is made, in the order of its size, the largest first."""
ENDS: Final = ("win", "win_dealer_not_qualified", "loss", "loss_dealer_not_qualified", "tie")
"""How a hand that is played ends, as the kernels count it."""

BOARDS: Final = comb(47, 2)
"""Turns and rivers to a flop and a pair of hole cards."""


class Stakes(NamedTuple):
    """What is paid, in units: as many to an ante as make every pay whole."""

    unit: int
    preflop: int
    """Antes of the largest raise before the flop."""
    flop: int
    """Antes of the bet on the flop."""
    blind: tuple[int, ...]
    """What the Blind wins, in units, by category, the worst first."""

    @property
    def by_value(self) -> NDArray[np.int64]:
        """What the Blind wins by the value of the hand (7463,)."""
        return np.concatenate([[0], np.repeat(np.array(self.blind, dtype=np.int64), np.diff(floors(FIVE)))])


class Rivers(NamedTuple):
    """Whether the river is played, 1 or 0, by board (row) and pair of kinds (column): see `kernels.boards`."""

    ranks: NDArray[np.uint8]
    suited: NDArray[np.uint8]


@dataclass(frozen=True)
class Plan:
    """Every decision of the game."""

    raised: NDArray[np.bool_]
    """(169,) whether the cards are raised before the flop, by `HANDS`."""
    flops: NDArray[np.uint8]
    """(1755, 1326) BET or CHECK by flop class and hole cards, 0 where they share a card."""
    rivers: Rivers


@dataclass(frozen=True)
class Solution:
    """The best plan, and what the decisions before the flop are worth."""

    stakes: Stakes
    plan: Plan
    totals: NDArray[np.int64]
    """(169, 3) over all deals of each hand: wins less losses, Ante and Blind in units, the value of checking in units.
    """

    def evs(self, hand: int, raises: tuple[int, ...]) -> dict[str, Fraction]:
        """Return what raises of so many antes and a check are worth before the flop."""
        deals = self.stakes.unit * deals_of(hand)
        margin, rest, check = (int(total) for total in self.totals[hand])
        worth = {f"raise_{antes}x": Fraction(antes * self.stakes.unit * margin + rest, deals) for antes in raises}
        return worth | {"check": Fraction(check, deals)}

    @property
    def ev(self) -> Fraction:
        """The value of the game, in antes."""
        best = np.maximum(
            self.stakes.preflop * self.stakes.unit * self.totals[:, 0] + self.totals[:, 1], self.totals[:, 2]
        )
        return Fraction(int(best.sum()), self.stakes.unit * DEALS)


# --- Deals ---------------------------------------------------------------------------------------------------


def deals_of(hand: int) -> int:
    """Return the number of deals that give the player this hand."""
    return int(COMBINATIONS[hand]) * comb(50, 3) * BOARDS * OPPONENTS


DEALS: Final = HOLES * comb(50, 3) * BOARDS * OPPONENTS


# --- Solving ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2)
def solve(stakes: Stakes) -> Solution:
    """Return the best plan for these stakes; a tie between decisions goes to the smaller wager."""
    priced = [priced_boards(found, stakes, OPPONENTS) for found in showdowns()]
    flops, weights = classes(3)
    decisions = np.zeros((len(flops), HOLES), dtype=np.uint8)
    totals = np.zeros((len(HANDS), 3), dtype=np.int64)
    (ranks, ranks_played), (suited, suited_played) = priced
    solve_flops(
        flops,
        weights,
        -1,
        boards(),
        ranks,
        suited,
        suited,
        stakes.unit,
        -2 * stakes.unit * OPPONENTS,
        stakes.unit * stakes.flop,
        decisions,
        HAND_OF_HOLE[None, :],
        totals,
        room(stakes, OPPONENTS),
    )
    raised = stakes.preflop * stakes.unit * totals[:, 0] + totals[:, 1] > totals[:, 2]
    return Solution(stakes, Plan(raised, decisions, Rivers(ranks_played, suited_played)), totals)


def room(stakes: Stakes, opponents: int) -> NDArray[Any]:
    """Return room for sums over the boards of a flop: of 32 bits, unless pays are so large that these might not do."""
    most = 1176 * opponents * (max(stakes.blind) + 3 * stakes.unit)
    return np.zeros((2, 351), dtype=np.int32) if most < 2**31 else np.zeros((2, 351), dtype=np.int64)


def priced_boards(found: Showdowns, stakes: Stakes, opponents: int) -> tuple[Priced, NDArray[np.uint8]]:
    """Return what boards are worth, and whether the river is played, 1 or 0: where that is better than a fold."""
    shape = found.wins.shape
    priced, plays = Priced(np.zeros(shape, np.int16), np.zeros(shape, np.int32)), np.zeros(shape, np.uint8)
    price(*found, stakes.by_value, stakes.unit, opponents, floors(FIVE)[1], *priced, plays)
    return priced, plays


# --- Rounds -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Rounds:
    """How the rounds of a plan end, in deals."""

    played: Mapping[str, NDArray[np.int64]]
    """(10, 5) by stage: deals by category of the player's hand, the worst first, and how it ends (`ENDS`)."""
    folded: int

    @property
    def deals(self) -> int:
        """All deals."""
        return sum(self.by_stage.values())

    @cached_property
    def by_stage(self) -> dict[str, int]:
        """Deals by when the Play bet is made, and those folded."""
        return {stage: int(ends.sum()) for stage, ends in self.played.items()} | {"fold": self.folded}


def play(plan: Plan) -> Rounds:
    """Return how rounds end that are played by a plan."""
    flops, weights = classes(3)
    spot = Spot(flops, weights, -1, HAND_OF_HOLE[None, :], plan.raised, plan.flops)
    return count_ends(spot, showdowns(), plan.rivers, OPPONENTS)


class Spot(NamedTuple):
    """What is known before the flop, and what is decided then and on every flop."""

    flops: NDArray[np.uint8]
    weights: NDArray[np.int64]
    dealer: int
    """A known card of the dealer's, or -1."""
    groups: NDArray[np.int32]
    raised: NDArray[np.bool_]
    decisions: NDArray[np.uint8]


def count_ends(spot: Spot, met: Sequence[Showdowns], rivers: Sequence[NDArray[np.uint8]], opponents: int) -> Rounds:
    """Return how rounds end.

    Deals that are raised before the flop are those that are neither bet on it nor checked, of all that are played.
    met    : boards without a flush, and with three cards or more of a suit; where a card of the dealer's is known, of a
             suit that is not its, and of its own
    rivers : whether the river is played, for each of them
    """
    deals = [np.zeros(found.wins.shape, dtype=np.int32) for found in met]
    by_decision = []
    for decision in (BET, CHECK):
        _spread(spot, decision, deals)
        by_decision.append(_tallied(deals, rivers, met, opponents))
    bet, (folded, checked) = by_decision[0].sum(axis=0), by_decision[1]
    raised = _everything(spot, met, rivers, opponents) - bet - folded - checked
    return Rounds(dict(zip(STAGES, (raised, bet, checked), strict=True)), int(folded.sum()))


def _spread(spot: Spot, decision: int, deals: Sequence[NDArray[np.int32]]) -> None:
    for counts in deals:
        counts[:] = 0
    spread_flops(
        *(spot.flops, spot.weights, spot.dealer, boards(), spot.decisions, spot.groups, spot.raised, decision),
        *(deals[0], deals[1], deals[-1]),
    )


def _tallied(
    deals: Sequence[NDArray[np.int32]], rivers: Sequence[NDArray[np.uint8]], met: Sequence[Showdowns], opponents: int
) -> NDArray[np.int64]:
    """How deals end that are played to the end, (2, 10, 5): first those that are folded on the river."""
    ends = np.zeros((2, len(FIVE.categories), len(ENDS)), dtype=np.int64)
    for counts, plays, found in zip(deals, rivers, met, strict=True):
        tally(counts, plays, *found, _category(), opponents, floors(FIVE)[1], ends)
    return ends


def _everything(
    spot: Spot, met: Sequence[Showdowns], rivers: Sequence[NDArray[np.uint8]], opponents: int
) -> NDArray[np.int64]:
    """How all deals end that are played to the end, whatever is decided."""
    if spot.dealer < 0:
        return _all_deals() * (1 if len(spot.groups) == 1 else 3)
    deals = [np.zeros(found.wins.shape, dtype=np.int32) for found in met]
    _spread(spot._replace(raised=np.ones_like(spot.raised)), RAISE, deals)
    ends: NDArray[np.int64] = _tallied(deals, rivers, met, opponents).sum(axis=0)
    return ends


@lru_cache(maxsize=1)
def _all_deals() -> NDArray[np.int64]:
    """The same where no card of the dealer's is known: no pay table and no decision has a part in it."""
    met, (flops, weights) = showdowns(), classes(3)
    deals = [np.zeros(found.wins.shape, dtype=np.int32) for found in met]
    groups, decisions = HAND_OF_HOLE[None, :], np.zeros((len(flops), HOLES), dtype=np.uint8)
    _spread(Spot(flops, weights, -1, groups, np.ones(len(HANDS), dtype=np.bool_), decisions), RAISE, deals)
    unsplit = [np.zeros(found.wins.shape, dtype=np.uint8) for found in met]
    ends: NDArray[np.int64] = _tallied(deals, unsplit, met, OPPONENTS).sum(axis=0)
    return ends


@lru_cache(maxsize=1)
def _category() -> NDArray[np.uint8]:
    """The category of each value (7463,), the worst 0."""
    return np.concatenate([[0], np.repeat(np.arange(len(FIVE.categories)), np.diff(floors(FIVE)))]).astype(np.uint8)


# --- Simulation ---------------------------------------------------------------------------------------------


def deal_rounds(
    rounds: int, state: State, plan: Plan, stakes: Stakes, *, by_table: bool = False
) -> tuple[NDArray[np.int64], int]:
    """Return how rounds that are dealt end (3, 10, 5), by stage, category and end, and how many were folded.

    by_table : decide the river by the plan, not by looking at the dealer's hands
    """
    flop_class, renamed = _flop_classes()
    raised = plan.raised[HAND_OF_HOLE][None, None, :]
    decided = Decided(False, raised, plan.flops[None, :], flop_class[None, :], renamed[None, :], by_table, *plan.rivers)
    return deal_decided(rounds, state, decided, stakes)


def deal_decided(rounds: int, state: State, decided: Decided, stakes: Stakes) -> tuple[NDArray[np.int64], int]:
    """Return the same by decisions as the kernel takes them."""
    ends = np.zeros((len(STAGES), len(FIVE.categories), len(ENDS)), dtype=np.int64)
    folded = play_rounds(
        *(rounds, state, decided, boards(), *tables(FIVE), floors(FIVE)[1]),
        *(_category(), stakes.by_value, stakes.unit, ends),
    )
    return ends, int(folded)


@lru_cache(maxsize=1)
def _flop_classes() -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    return flop_classes(classes(3).cards, dealer_seen=False)
