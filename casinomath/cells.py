"""The cells of total-dependent play: what a chart can tell apart, and the worth of every action in each.

A cell is a total, hard or soft, of so many cards (2, 3, … 7 and more) against an upcard; on two cards, besides, what
6-7-8 is possible (none, mixed, of one suit, spades), and whether it is a pair to be split; after k doubles, a total.
A hand of a split round has no surrender, and a pair that can't be split any more is played as its total.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import DOUBLE, DOUBLES, HIT, RESCUE, SPLIT, STAND, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.kernels.twentyone import Table
from casinomath.kernels.worths import CLASSES, GIVE_UP, Worths, add_up
from casinomath.twentyone import Problem, always_stand, pair_row, two_card_rows
from casinomath.worths import CERTAIN_FIRST, FIRST_ACTIONS, Floats, Priced, suits_class

FIRST: Final = 0
"""The slot of a total's first decision on two cards."""
MORE: Final = slice(1, 6)
"""Three cards to seven and more, of rounds that are not split."""
SPLIT_HANDS: Final = slice(6, 12)
"""Two cards to seven and more of split rounds, which may not double all that others may."""
SPLIT_ACES: Final = slice(12, 18)
"""The same begun with a split ace, which may do still less."""
SUITED_FIRST: Final = slice(18, 21)
"""First decisions on 6-7, 6-8 and 7-8 by what their suits allow: `SUIT_CLASSES`."""
SUITED_SPLIT: Final = slice(21, 24)
"""The same in split rounds."""
SEVENS_SPLIT: Final = slice(24, 27)
"""7-7 in split rounds, when it can't be split."""
SLOTS: Final = 27
"""Decisions on a total, of which a hand meets one at the most, for its hard total grows with every card."""

SUIT_CLASSES: Final = ("mixed", "suited", "spades")
SEVENS: Final = SUITED_HANDS.index((6, 6))
SIX_SEVEN_EIGHTS: Final = {13: 1, 14: 2, 15: 4}
"""By total, the place in SUITED_HANDS of two cards that can become a 6-7-8."""
WINNING: Final = CLASSES
"""Added to a class of suits of 7-7: a Super Bonus can be won."""
MOST: Final = 7
"""Hands of so many cards and more are one."""

_TOTALS, _PAIRS, _AFTER = (22, 2, SLOTS), (10, 2 * CLASSES), (DOUBLES, 22, 2)
_ENDS: Final = (22 * 2 * SLOTS, 22 * 2 * SLOTS + 10 * 2 * CLASSES)
CELLS: Final = _ENDS[1] + DOUBLES * 22 * 2
"""Cells against one upcard: totals, then pairs, then after doubles."""


class Places(NamedTuple):
    """The cells in order, under the names that a hand has."""

    totals: NDArray[np.intp]
    """(22, 2, 27) by total, whether it is soft, and slot: `FIRST`, `MORE`, …"""
    pairs: NDArray[np.intp]
    """(10, 6) first decisions by value and, for 7-7, class of suits + `WINNING`; others are in place 0."""
    after: NDArray[np.intp]
    """(3, 22, 2) by doubles made less one, total, soft; actions are STAND, GIVE_UP, DOUBLE."""


@cache
def places() -> Places:
    """Return where the cells of a column are."""
    each = np.split(np.arange(CELLS), _ENDS)
    return Places(each[0].reshape(_TOTALS), each[1].reshape(_PAIRS), each[2].reshape(_AFTER))


Decisions = NDArray[np.uint8]
"""(10, CELLS) a total-dependent strategy: an action in every cell against every upcard."""
Sums = Floats
"""(10, CELLS, 6) worths of actions in cells, −inf where not allowed; the last is that of one sure initial wager."""


def _slots() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """(n,) the slots of hands of rounds that are not split, of split hands, and of split aces."""
    size = np.clip(hands().size.astype(np.intp), 2, MOST)
    return np.where(size > 2, MORE.start + size - 3, FIRST), SPLIT_HANDS.start + size - 2, SPLIT_ACES.start + size - 2


@dataclass(frozen=True)
class Allowed:
    """What the table lets a hand do in each cell."""

    hit: NDArray[np.bool_]
    """(CELLS,)"""
    double: NDArray[np.bool_]
    """(CELLS,)"""


_ALLOWED: dict[Table, Allowed] = {}


def allowed(problem: Problem) -> Allowed:
    """Return what every hand of a cell may do, worked out once a table; where the lattice has no hand, everything."""
    if problem.table not in _ALLOWED:
        _ALLOWED[problem.table] = _allowed(problem)
    return _ALLOWED[problem.table]


def _allowed(problem: Problem) -> Allowed:
    lattice, at = hands(), places().totals
    hit, double = np.ones((2, CELLS), dtype=bool)
    may_hit = (problem.may_hit, problem.may_hit, problem.aces_may_hit)
    may_double = (problem.may_double, problem.split_may_double, problem.aces_may_double)
    held = np.flatnonzero(lattice.size >= 2)
    of_total = lattice.total[held].astype(np.intp), lattice.soft[held].astype(np.intp)
    for slots, hits, doubles in zip(_slots(), may_hit, may_double, strict=True):
        cells = at[(*of_total, slots[held])]
        np.logical_and.at(hit, cells, hits[held])
        np.logical_and.at(double, cells, doubles[held])
    for alike, like in ((SUITED_FIRST, FIRST), (SUITED_SPLIT, SPLIT_HANDS.start), (SEVENS_SPLIT, SPLIT_HANDS.start)):
        hit[at[..., alike]], double[at[..., alike]] = hit[at[..., [like]]], double[at[..., [like]]]
    return Allowed(hit, double)


def seven_places(problem: Problem) -> NDArray[np.intp]:
    """(10, 64) the place of 7-7 among pairs, by upcard and suits."""
    can_win = (problem.suited.super_bonus[SEVENS].T > 0) & (problem.super_bonus > 0)
    place: NDArray[np.intp] = suits_class() + WINNING * can_win
    return place


def policy_of(decisions: Decisions, problem: Problem) -> Policy:
    """Return the strategy as decisions on every hand."""
    lattice, policy, by_class, at = hands(), always_stand(), suits_class(), places()
    total, soft = lattice.total.astype(np.intp), lattice.soft.astype(np.intp)
    unsplit, split, aces = (at.totals[total, soft, slots] for slots in _slots())
    policy.play[:] = np.where(lattice.size > 2, decisions[:, unsplit], decisions[:, split])
    policy.split_play[:], policy.aces_play[:] = decisions[:, split], decisions[:, aces]
    policy.first[:] = decisions[:, at.totals[total, soft, FIRST]]
    after = np.array([STAND, RESCUE, DOUBLE], dtype=np.uint8)[decisions[:, at.after]]
    policy.after[:] = after[:, :, total, soft].transpose(1, 0, 2)
    for value in range(10):
        policy.first[:, pair_row(value)] = decisions[:, at.pairs[value, 0]]
    for i, (x, y) in enumerate(SUITED_HANDS):
        row = int(problem.suited.hand[i])
        policy.split_suited_play[:, i] = policy.split_play[:, row][:, None]
        policy.suited_first[:, i] = policy.first[:, row][:, None]
        if i == SEVENS:
            policy.split_suited_play[:, i] = decisions[:, at.totals[14, 0, SEVENS_SPLIT]][:, by_class]
            first = decisions[:, at.pairs[6]]
            policy.suited_first[:, i] = np.take_along_axis(first, seven_places(problem), axis=1)
        elif x != y:
            of_total = at.totals[x + y + 2, 0]
            policy.split_suited_play[:, i] = decisions[:, of_total[SUITED_SPLIT]][:, by_class]
            policy.suited_first[:, i] = decisions[:, of_total[SUITED_FIRST]][:, by_class]
    policy.suited_play[:] = policy.split_suited_play
    return policy


def sums_of(priced: Priced, problem: Problem) -> Sums:
    """Add the worths of a strategy's decisions up by cell."""
    lattice, at = hands(), places()
    sums = _sums(Worths(priced.play, priced.after, priced.suited_play), problem)
    pairs = {pair_row(value): value for value in range(10)}
    for row in two_card_rows():
        i, pair, total = int(problem.suited.place[row]), pairs.get(int(row), -1), int(lattice.total[row])
        if pair < 0 and i >= 0:
            for each, place in enumerate(at.totals[total, 0, SUITED_FIRST]):
                sums[:, place] += priced.suited_first[:, i, suits_class() == each].sum(axis=1)
        elif pair == 6 and i >= 0:
            for upcard, of_suits in enumerate(seven_places(problem)):
                np.add.at(sums[upcard], at.pairs[pair, of_suits], priced.suited_first[upcard, i])
        else:
            place = at.totals[total, int(lattice.soft[row]), FIRST] if pair < 0 else at.pairs[pair, 0]
            sums[:, place] += priced.first[:, row] if i < 0 else priced.suited_first[:, i].sum(axis=1)
    return sums


def explored_sums(worths: Worths, sums: Sums, problem: Problem) -> Sums:
    """The same for worths of hands that are explored; those of split rounds count as others do."""
    explored, at = _sums(worths, problem), places()
    may = allowed(problem)
    explored[:, at.pairs] = sums[:, at.pairs]
    explored[:, at.totals[:, :, FIRST]] = sums[:, at.totals[:, :, FIRST]]
    explored[:, at.totals[:, :, SUITED_FIRST]] = sums[:, at.totals[:, :, SUITED_FIRST]]
    sevens = sums[:, at.pairs[6]]
    alike = [(slots.start, FIRST) for slots in (SPLIT_HANDS, SPLIT_ACES)]
    alike += [(slots.start + 1 + more, MORE.start + more) for slots in (SPLIT_HANDS, SPLIT_ACES) for more in range(5)]
    alike += [(SUITED_SPLIT.start + each, SUITED_FIRST.start + each) for each in range(CLASSES)]
    for split, other in alike:
        explored[:, at.totals[:, :, split]] = explored[:, at.totals[:, :, other]]
    explored[:, at.totals[14, 0, SEVENS_SPLIT]] = sevens[:, :CLASSES] + sevens[:, WINNING:]
    _forbid(explored, may)
    return explored


def _sums(worths: Worths, problem: Problem) -> Sums:
    """The cells of hands that are no first decisions."""
    lattice, at, suited = hands(), places(), problem.suited
    total, soft = lattice.total.astype(np.intp), lattice.soft.astype(np.intp)
    found = np.zeros((10, CELLS, 4))
    by_suits = suited.hand[[*SIX_SEVEN_EIGHTS.values(), SEVENS]] if (suited.place >= 0).any() else suited.hand[:0]
    for slots, play in zip(_slots(), worths.play, strict=True):
        of_hand = np.where(lattice.size >= 2, at.totals[total, soft, slots], -1)
        of_hand[by_suits] = -1
        add_up(of_hand, play, found)
    if len(by_suits):
        for sum_of, i in SIX_SEVEN_EIGHTS.items():
            found[:, at.totals[sum_of, 0, SUITED_SPLIT]] += worths.suited_play[:, i]
        found[:, at.totals[14, 0, SEVENS_SPLIT]] += worths.suited_play[:, SEVENS]
    for doubles in range(DOUBLES):
        add_up(at.after[doubles, total, soft], worths.after[doubles], found)
    sums = np.zeros((10, CELLS, FIRST_ACTIONS))
    sums[:, :, [STAND, HIT, DOUBLE, CERTAIN_FIRST]] = found
    _forbid(sums, allowed(problem))
    if problem.table.surrender:
        for first in (FIRST, SUITED_FIRST):
            sums[:, at.totals[:, :, first], SURRENDER] = 0.0
    sums[:, at.after, GIVE_UP] += 0.0 if problem.table.rescue else -np.inf
    sums[:, at.after[max(problem.table.max_doubles - 1, 0) :], DOUBLE] = -np.inf
    return sums


def _forbid(sums: Sums, may: Allowed) -> None:
    """Mark what split hands and hands of three cards and more may not do."""
    at = places().totals
    sums[:, at, SPLIT] = -np.inf
    later = np.setdiff1d(np.arange(SLOTS), [FIRST, *range(*SUITED_FIRST.indices(SLOTS))])
    sums[:, at[..., later], SURRENDER] = -np.inf
    of_totals = np.zeros(CELLS, dtype=bool)
    of_totals[at] = True
    sums[:, of_totals & ~may.hit, HIT] = -np.inf
    sums[:, of_totals & ~may.double, DOUBLE] = -np.inf
