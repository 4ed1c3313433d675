"""The family of 21, exactly by composition: best decisions, splits, and what a whole round is worth.

Method: exact enumeration in double precision. Every hand is priced against the shoe less all seen cards; the peek is
conditioned on exactly (see `kernels.twentyone`). Split hands follow one fixed decision for every hand and upcard
(`cdz_minus`; see `splits`). What there is to solve is a Problem: see `problem`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels import twentyone as kernel
from casinomath.kernels.actions import (
    BLACKJACK,
    DOUBLE,
    DOUBLES,
    ENDINGS,
    HIT,
    SPLIT,
    STAND,
    SURRENDER,
    Policy,
)
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import COMPLETING, SUITED_HANDS, SUITS, split_suits
from casinomath.kernels.twentyone import TIE, Table, Values
from casinomath.problem import OF_STAGES, WAGERS, Floats, Problem, always_stand, pair_row, two_card_rows
from casinomath.splits import Coefficients, Resplit, SplitPair, coefficients, resplits

__all__ = [
    "OF_STAGES",
    "WAGERS",
    "Coefficients",
    "Floats",
    "Problem",
    "Resplit",
    "Round",
    "Solution",
    "SplitPair",
    "Table",
    "aces_play",
    "always_stand",
    "coefficients",
    "follow_split_rules",
    "pair_row",
    "play",
    "resplits",
    "solve",
    "split_pairs",
    "two_card_rows",
]


@dataclass(frozen=True)
class Solution:
    """The best play of a problem: the value of every action and the policy that takes the best."""

    problem: Problem
    values: Values
    policy: Policy
    splits: Mapping[int, SplitPair]
    free: "Solution | None" = None
    """The best play of split hands that carry free bets."""

    def first_values(self, upcard: int, row: int, suits: int = 0) -> dict[int, float]:
        """EV × P(no dealer blackjack) of each first action on a two-card hand, in the order that breaks ties."""
        problem, values, lattice = self.problem, self.values, hands()
        i = int(problem.suited.place[row])
        actions = {STAND: values.stand[upcard, row]}
        if lattice.total[row] < 21:
            hit = values.hit[upcard, row]
            if i >= 0 and COMPLETING[i] >= 0:
                hit = values.suited_hit[upcard, i, suits]
                if problem.super_bonus:
                    hit += problem.super_bonus * self._super_chance(upcard, row, i, suits)
            actions[HIT] = hit
            if problem.table.surrender:
                actions[SURRENDER] = values.surrender[upcard, row]
        if problem.may_double[row]:
            actions[DOUBLE] = values.double[upcard, row]
        pair = _pair_of(row)
        if pair >= 0 and problem.most_hands(pair) > 1:
            actions[SPLIT] = self.splits[pair].value[upcard, suits if i >= 0 else 0]
        return {action: float(value) for action, value in actions.items()}

    def _super_chance(self, upcard: int, row: int, i: int, suits: int) -> float:
        shoe = self.problem.shoe_array
        sevens = shoe[6] - hands().counts[row, 6] - (upcard == 6)
        return float(max(sevens, 0) / (shoe.sum() - 3) * self.problem.suited.super_bonus[i, suits, upcard])


@cache
def _pairs() -> Mapping[int, int]:
    return {pair_row(value): value for value in range(10)}


def _pair_of(row: int) -> int:
    return _pairs().get(int(row), -1)


def solve(problem: Problem) -> Solution:
    """Find the best decision for every hand, upcard and suits; see `Solution`."""
    lattice, suited = hands(), problem.suited
    policy = always_stand()
    values = _decide(problem, problem.may_hit, problem.may_double, policy.play, policy.suited_play, policy.after)
    follow_split_rules(problem, policy)
    free = _solve_free_hands(problem) if problem.splits_free else None
    splits = split_pairs(problem, policy, free.policy if free else None)
    solution = Solution(problem, values, policy, splits, free)
    for upcard in range(10):
        for row in two_card_rows():
            if np.isnan(values.peek[upcard, row]):
                continue
            i = suited.place[row]
            if lattice.total[row] == 21:
                policy.first[upcard, row] = policy.play[upcard, row]
            elif i < 0:
                policy.first[upcard, row] = _best(solution.first_values(upcard, row))
            else:
                for suits in np.flatnonzero(suited.weight[i, upcard]):
                    choice = _best(solution.first_values(upcard, row, int(suits)))
                    policy.suited_first[upcard, i, suits] = choice
    _fill_suits(problem, policy)
    return solution


def _fill_suits(problem: Problem, policy: Policy) -> None:
    """Where no pay depends on suits, decide by suits as without: a dealer looks them up all the same."""
    for i, row in enumerate(problem.suited.hand):
        if problem.suited.place[row] < 0:
            policy.suited_first[:, i] = policy.first[:, row, None]
            policy.suited_play[:, i] = policy.play[:, row, None]
            policy.split_suited_play[:, i] = policy.split_play[:, row, None]


def _solve_free_hands(problem: Problem) -> Solution:
    """Find the best play of split hands that carry free bets; they have no first decision."""
    free, policy = problem.free_hand, always_stand()
    values = _decide(free, free.may_hit, free.may_double, policy.play, policy.suited_play, policy.after)
    follow_split_rules(free, policy)
    _fill_suits(free, policy)
    return Solution(free, values, policy, {})


def follow_split_rules(problem: Problem, policy: Policy) -> None:
    """Fill the decisions of split hands: those of others, or where they may do less, the best of what they may do."""
    policy.split_play[:], policy.split_suited_play[:] = policy.play, policy.suited_play
    if (problem.split_may_double != problem.may_double).any():
        _decide(
            *(problem, problem.may_hit, problem.split_may_double),
            *(policy.split_play, policy.split_suited_play, policy.after.copy()),
        )
    policy.aces_play[:] = policy.split_play
    if (problem.aces_may_hit != problem.may_hit).any() or (problem.aces_may_double != problem.split_may_double).any():
        policy.aces_play[:] = aces_play(problem)


def aces_play(problem: Problem) -> NDArray[np.uint8]:
    """Return the best of what split aces may do, as Policy has it."""
    policy = always_stand()
    _decide(problem, problem.aces_may_hit, problem.aces_may_double, policy.play, policy.suited_play, policy.after)
    return policy.play


def _decide(
    problem: Problem,
    may_hit: NDArray[np.bool_],
    may_double: NDArray[np.bool_],
    play: NDArray[np.uint8],
    suited_play: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> Values:
    """Fill decisions, as in Policy, with the best of what hands may do."""
    lattice, pays = hands(), problem.ending_pays
    n = len(lattice.size)
    values = Values(
        peek=np.full((10, n), np.nan),
        stand=np.full((10, n), np.nan),
        hit=np.full((10, n), np.nan),
        double=np.full((10, n), np.nan),
        redouble=np.full((DOUBLES - 1, 10, n), np.nan),
        suited_hit=np.full((10, len(SUITED_HANDS), SUITS), np.nan),
        surrender=np.full((10, n), np.nan),
    )
    at_once = np.where(problem.ending_21 >= 0, pays[problem.ending_21], np.nan)
    at_once[(lattice.size == 2) & (lattice.total == 21)] = pays[BLACKJACK]
    kernel.decide(
        *(lattice, problem.table, problem.suited, problem.dealer, pays, at_once, may_hit, may_double),
        *(problem.shoe_array, values, play, suited_play, after),
    )
    return values


def _best(actions: Mapping[int, float]) -> int:
    best, value = STAND, actions[STAND]
    for action, other in actions.items():
        if other > value + TIE:
            best, value = action, other
    return best


def split_pairs(problem: Problem, policy: Policy, free_policy: Policy | None = None) -> dict[int, SplitPair]:
    """Price the split of every pair under a policy, and under another for hands that carry free bets."""
    if problem.max_hands < 2:
        return {}
    suits: dict[int, tuple[Floats, Floats]] = {}
    if (problem.suited.place >= 0).any():
        chance = np.zeros((3, 10, SUITS, 3, 3, 3))
        bonus = np.zeros((3, 10, SUITS, 3, 3, 3))
        split_suits(problem.decks, policy, chance, bonus)
        suits = {5 + i: (chance[i], bonus[i]) for i in range(3)}
    splits = {}
    for pair in range(10):
        if pair in problem.free_pairs and problem.most_hands(pair) > 1:
            assert free_policy is not None, "free hands are played by a policy of their own"
            free = SplitPair(problem.free_hand, free_policy, pair, kinds=(1, 2))
            splits[pair] = SplitPair(problem, policy, pair, kinds=(0,), free=free)
        elif problem.most_hands(pair) > 1:
            splits[pair] = SplitPair(problem, policy, pair, suits.get(pair))
    return splits


@dataclass(frozen=True)
class Round:
    """What becomes of a round played by a policy, by upcard; every weight is a probability over all rounds."""

    problem: Problem
    ends: Floats
    """(10, endings) unsplit rounds."""
    split_ends: Floats
    """(10, hands in the end - 2, endings) expected hands of split rounds by their ending."""
    free_ends: Floats
    """(10, hands in the end - 2, endings) the same for hands of split rounds that carry free bets."""
    split_rounds: Floats
    """(10, hands in the end - 2) split rounds that meet no dealer blackjack, where the dealer peeks."""
    super_bonus: float
    """P(Super Bonus)."""
    reached: Floats
    """(10, 4, n) how often a hand of three cards or more is played on in unsplit rounds, by upcard and doubles made."""
    split_weight: Floats
    """(10, 10, 64) rounds that split before the peek, by upcard, pair and suits."""

    @property
    def split_returns(self) -> Floats:
        """(10, hands in the end - 2) the part of the EV that split rounds bring."""
        problem = self.problem
        returns: Floats = self.split_ends @ problem.split_ending_pays + self.free_ends @ problem.free_hand.ending_pays
        return returns

    @property
    def ev(self) -> float:
        """Expected net result in initial wagers."""
        problem = self.problem
        unsplit = float((self.ends @ problem.ending_pays).sum())
        return unsplit + float(self.split_returns.sum()) + self.super_bonus * problem.super_bonus

    @property
    def average_wager(self) -> float:
        """Expected money wagered in initial wagers, before any rescue takes some of it back."""
        problem, free = self.problem, self.free_ends @ self.problem.free_hand.wagers
        return float((self.ends @ problem.wagers).sum() + (self.split_ends @ problem.wagers).sum() + free.sum())


def play(
    problem: Problem,
    policy: Policy,
    splits: Mapping[int, SplitPair] | None = None,
    free_policy: Policy | None = None,
    dealt: NDArray[np.bool_] | None = None,
) -> Round:
    """Follow a policy through every round, exactly; `splits` are those of the policy where they are known.

    free_policy : how split hands that carry free bets are played
    dealt       : (n,) the two-card hands whose rounds to follow, in place of all; every weight stays what it is
    """
    ends, weight, super_bonus, reached = kernel.unsplit_rounds(
        hands(),
        problem.table,
        problem.suited,
        problem.dealer,
        problem.ending_21,
        problem.shoe_array,
        policy,
        hands().size == 2 if dealt is None else dealt,
    )
    split_ends = np.zeros((10, max(problem.max_hands - 1, 0), len(ENDINGS)))
    free_ends = np.zeros_like(split_ends)
    split_rounds = np.zeros(split_ends.shape[:2])
    if weight.any():
        for pair, split in (splits or split_pairs(problem, policy, free_policy)).items():
            of_pair = weight[:, pair, : split.by_suits]
            ends_of_pair, rounds = split.endings(of_pair)
            split_ends[:, : rounds.shape[1]] += ends_of_pair
            split_rounds[:, : rounds.shape[1]] += rounds
            if split.free is not None:
                free_ends[:, : rounds.shape[1]] += split.free.endings(of_pair)[0]
    return Round(problem, ends, split_ends, free_ends, split_rounds, float(super_bonus.sum()), reached, weight)
