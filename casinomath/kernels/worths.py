"""What each decision is worth while a fixed policy takes all the others: values backward, how often they count forward.

Values are EVs × "the hand is played", as in `kernels.twentyone`; free bets are not priced here. A worth is that times
how often the decision is met: a round's EV is linear in every single decision, so the difference of two worths is what
changing it does to the EV.

The three actions on a hand that is not doubled are STAND, HIT, DOUBLE; after a double they are STAND, GIVE_UP (rescue)
and DOUBLE (redouble). In the fourth place, CERTAIN, is what a sure win of one initial wager would be worth there.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import DOUBLE, DOUBLES, HIT, RESCUE, STAND, Policy
from casinomath.kernels.hands import Hands
from casinomath.kernels.jit import jit
from casinomath.kernels.suits import COMPLETING, Suited
from casinomath.kernels.twentyone import Table, completing_card, no_blackjack, played_on

GIVE_UP = 1
"""The place of a rescue among the three actions after a double."""
CERTAIN = 3
"""The place of one sure initial wager among the actions: P(the decision is met, no dealer blackjack)."""
CLASSES = 3
"""Suits of two cards as a chart sees them: mixed, of one suit but spades, spades."""


class Pays(NamedTuple):
    """What hands are settled for, in initial wagers; by doubles made where an axis is (4,)."""

    at_once: NDArray[np.float64]
    """(n,) a hand that wins at once, undoubled; NaN for all others."""
    won: NDArray[np.float64]
    lost: NDArray[np.float64]
    busted: NDArray[np.float64]
    to_blackjack: NDArray[np.float64]
    """(4,) what a dealer's blackjack takes where he does not peek."""
    rescued: NDArray[np.float64]
    bonus: NDArray[np.float64]
    """(6,) 6-7-8 mixed, suited, spades, and the same for 7-7-7."""


class Worths(NamedTuple):
    """Worths of decisions by upcard; see the top of the file."""

    play: NDArray[np.float64]
    """(3, 10, n, 4) undoubled hands of UNSPLIT rounds (of three cards and more), of SPLIT ones, and of split ACES."""
    after: NDArray[np.float64]
    """(3, 10, n, 4) after 1, 2, 3 doubles."""
    suited_play: NDArray[np.float64]
    """(10, 6, 3, 4) SUITED_HANDS of split rounds by their class of suits."""


UNSPLIT, OF_SPLIT, OF_ACES = range(3)


class Weights(NamedTuple):
    """How a split round is a sum over the parts of one hand, by upcard and cards of the pair's value gone."""

    other: NDArray[np.float64]
    """(10, gone) second cards of another value."""
    again: NDArray[np.float64]
    """(10, gone) another card of the pair's value."""
    suits: NDArray[np.float64]
    """(10, 3, 3, gone) second cards 6, 7, 8 whose suits matter, by class."""
    bonus: NDArray[np.float64]
    """(10, 3, 3, 3, gone) the same, the completing card making it mixed, suited, spades."""


class Parts(NamedTuple):
    """What the parts of one split hand bring, by upcard and cards of the pair's value gone."""

    other: NDArray[np.float64]
    """(10, gone)"""
    again: NDArray[np.float64]
    """(10, gone)"""
    suits: NDArray[np.float64]
    """(10, 3, gone, 4) by second card and action, a completed bonus left out."""
    completed: NDArray[np.float64]
    """(10, 3, gone) P(second card, then the completing one, no dealer blackjack)."""


@jit
def continued(
    hands: Hands,
    table: Table,
    suited: Suited,
    played: NDArray[np.uint8],
    played_after: NDArray[np.uint8],
    u: int,
    shoe: NDArray[np.int64],
    rows: NDArray[np.intp],
    wins: NDArray[np.float64],
    losses: NDArray[np.float64],
    pays: Pays,
    play: NDArray[np.float64],
    after: NDArray[np.float64],
    value: NDArray[np.float64],
) -> None:
    """Fill the values of every action on hands of two cards and more, when the policy goes on.

    played, played_after : uint8 (n,), (3, n)  its decisions against the upcard, as in Policy
    shoe         : int64 (10,)  without the upcard and whatever else is gone, with the hand's own cards
    rows         : hands to value, ascending; whatever can be drawn to them must be among them
    wins, losses : float64 (rows,)  P(the dealer makes less, or more, and has no blackjack)
    play         : float64 (n, 4)  the next card of SUITED_HANDS is not the completing one, whose part is left out
    after        : float64 (3, n, 4)
    value        : float64 (4, n)  of what the policy does, by doubles made
    """
    taken = table.taken
    cards = shoe.sum()
    b = completing_card(u)
    plenty = True
    for v in range(10):
        plenty = plenty and shoe[v] > 0 and shoe[v] * (v + 1) >= 21 * taken
    drawn = np.zeros(DOUBLES + 2)
    for r in range(rows.size - 1, -1, -1):
        h = rows[r]
        unseen = float(cards - taken * hands.size[h])
        if hands.size[h] < 2 or unseen < 1.0:
            continue
        possible = True
        if not plenty:
            for v in range(10):
                possible = possible and shoe[v] + 1 > hands.counts[h, v] * (taken + (shoe[v] == 0))
        if not possible:
            continue
        left = float(shoe[b] - taken * hands.counts[h, b]) if b >= 0 else 0.0
        none = no_blackjack(left, unseen, u)
        blackjack = 0.0 if table.peeks else 1.0 - none
        z = COMPLETING[suited.place[h]] if suited.place[h] >= 0 else -1
        hit = 0.0
        bust = 0.0
        for k in range(1, table.max_doubles + 1):
            drawn[k] = 0.0
        for v in range(10):
            p = (shoe[v] - taken * hands.counts[h, v]) / unseen
            if p <= 0.0:
                continue
            child = hands.child[h, v]
            if child < 0:
                bust += p * played_on(left - taken * (v == b), unseen - taken, u, table.peeks)
                continue
            if v != z:
                hit += p * value[0, child]
            for k in range(1, table.max_doubles + 1):
                drawn[k] += p * value[k, child]
        at_once = pays.at_once[h]
        has_won = not np.isnan(at_once)
        stood = pays.won[0] * wins[r] + pays.lost[0] * losses[r] + pays.to_blackjack[0] * blackjack
        play[h, STAND] = at_once * none if has_won else stood
        play[h, HIT] = hit + pays.busted[0] * bust
        play[h, DOUBLE] = drawn[1] + pays.busted[1] * bust
        play[h, CERTAIN] = none + blackjack
        value[0, h] = play[h, played[h]]
        for k in range(1, table.max_doubles + 1):
            stood = pays.won[k] * wins[r] + pays.lost[k] * losses[r] + pays.to_blackjack[k] * blackjack
            after[k - 1, h, STAND] = pays.won[k] * none if has_won else stood
            after[k - 1, h, GIVE_UP] = pays.rescued[k] * none
            after[k - 1, h, DOUBLE] = drawn[k + 1] + pays.busted[k + 1] * bust if k < table.max_doubles else 0.0
            after[k - 1, h, CERTAIN] = none + blackjack
            value[k, h] = after[k - 1, h, action_after(played_after[k - 1, h], has_won)]


@jit
def action_after(action: int, has_won: bool) -> int:
    """The place among the three actions of a decision after a double; a hand that has won stands."""
    if action == STAND or has_won:
        return STAND
    return GIVE_UP if action == RESCUE else DOUBLE


@jit
def unsplit_values(
    hands: Hands,
    table: Table,
    suited: Suited,
    shoe: NDArray[np.int64],
    wins: NDArray[np.float64],
    losses: NDArray[np.float64],
    pays: Pays,
    policy: Policy,
    play: NDArray[np.float64],
    after: NDArray[np.float64],
) -> None:
    """Fill the values of all hands of rounds that are not split.

    shoe : int64 (10,) before the round;  wins, losses : float64 (10, n)
    play (10, n, 4), after (10, 3, n, 4) as `continued`
    """
    n = hands.size.size
    every = np.empty(n, dtype=np.intp)
    for h in range(n):
        every[h] = h
    value = np.zeros((DOUBLES + 1, n))
    for u in range(10):
        if shoe[u] > 0:
            rest = shoe.copy()
            rest[u] -= table.taken
            continued(
                hands,
                table,
                suited,
                policy.play[u],
                policy.after[:, u],
                u,
                rest,
                every,
                wins[u],
                losses[u],
                pays,
                play[u],
                after[u],
                value,
            )


@jit
def split_values(
    hands: Hands,
    table: Table,
    suited: Suited,
    shoe: NDArray[np.int64],
    pair: int,
    rows: NDArray[np.intp],
    wins: NDArray[np.float64],
    losses: NDArray[np.float64],
    pays: Pays,
    played: NDArray[np.uint8],
    played_after: NDArray[np.uint8],
    suited_play: NDArray[np.uint8],
    weights: Weights,
    worths: Worths,
    parts: Parts,
) -> None:
    """Fill `parts` for one hand split from a pair, and add its decisions, met with `weights`, to `worths`.

    shoe         : int64 (10,)  before the round
    rows         : the rows of all hands that hold a card of the pair's value, ascending
    wins, losses : float64 (10, gone, rows)
    played       : uint8 (10, n)  the decisions of such split hands;  played_after : (3, 10, n) as in Policy
    suited_play  : uint8 (10, 6, 3)  those on SUITED_HANDS by class of suits
    """
    n = hands.size.size
    taken = table.taken
    play = np.zeros((n, 4))
    after = np.zeros((DOUBLES, n, 4))
    value = np.zeros((DOUBLES + 1, n))
    reached = np.zeros((DOUBLES + 1, n))
    own = hands.child[0, pair]
    kind = OF_ACES if pair == 0 else OF_SPLIT
    for u in range(10):
        later = played_after[:, u]
        for g in range(weights.other.shape[1]):
            rest = shoe.copy()
            rest[u] -= taken
            rest[pair] -= taken * (g + 1)
            if rest[u] < 1 - taken or rest[pair] < 1:
                continue
            continued(
                hands,
                table,
                suited,
                played[u],
                later,
                u,
                rest,
                rows,
                wins[u, g],
                losses[u, g],
                pays,
                play,
                after,
                value,
            )
            unseen = float(rest.sum() - taken)
            b = completing_card(u)
            for v in range(10):
                h = hands.child[own, v]
                p = (rest[v] - taken * (v == pair)) / unseen
                if p <= 0.0:
                    continue
                i = suited.place[h]
                z = COMPLETING[i] if i >= 0 else -1
                if z < 0:
                    if v == pair:
                        parts.again[u, g] += p * play[h, played[u, h]]
                        reached[0, h] += p * weights.again[u, g]
                    else:
                        parts.other[u, g] += p * play[h, played[u, h]]
                        reached[0, h] += p * weights.other[u, g]
                    continue
                j = v - 5
                left = float(rest[b] - taken * hands.counts[h, b]) if b >= 0 else 0.0
                further = unseen - taken
                completing = p * max(rest[z] - taken * hands.counts[h, z], 0) / further
                completing *= no_blackjack(left - taken * (z == b), further - taken, u)
                parts.completed[u, j, g] = completing
                first = 3 if v == pair and v == 6 else 0
                for a in range(4):
                    parts.suits[u, j, g, a] = p * play[h, a]
                for c in range(CLASSES):
                    weight = p * weights.suits[u, j, c, g]
                    for a in range(4):
                        worths.suited_play[u, i, c, a] += weight * play[h, a]
                    for each in range(3):
                        worths.suited_play[u, i, c, HIT] += (
                            weights.bonus[u, j, c, each, g] * completing * pays.bonus[first + each]
                        )
                    action = suited_play[u, i, c]
                    if weight != 0.0 and action != STAND:
                        skip = z if action == HIT else -1
                        draw_on(hands, taken, rest, h, 0, action, weight, skip, reached)
            for k in range(table.max_doubles + 1):
                for r in range(rows.size):
                    h = rows[r]
                    weight = reached[k, h]
                    if weight == 0.0:
                        continue
                    reached[k, h] = 0.0
                    if k == 0:
                        for a in range(4):
                            worths.play[kind, u, h, a] += weight * play[h, a]
                        action = played[u, h]
                    else:
                        for a in range(4):
                            worths.after[k - 1, u, h, a] += weight * after[k - 1, h, a]
                        action = action_after(played_after[k - 1, u, h], not np.isnan(pays.at_once[h]))
                        action = STAND if action == GIVE_UP else action
                    if action != STAND:
                        draw_on(hands, taken, rest, h, k, action, weight, -1, reached)


@jit
def draw_on(
    hands: Hands,
    taken: int,
    shoe: NDArray[np.int64],
    h: int,
    doubles: int,
    action: int,
    weight: float,
    skip: int,
    reached: NDArray[np.float64],
) -> None:
    """Add the hands that a hit or a double leads to, but that with a card of value `skip`; arrays as in `act`."""
    unseen = float(shoe.sum() - taken * hands.size[h])
    for v in range(10):
        child = hands.child[h, v]
        if child >= 0 and v != skip:
            p = (shoe[v] - taken * hands.counts[h, v]) / unseen
            if p > 0.0:
                reached[doubles + (action == DOUBLE), child] += weight * p


@jit
def add_up(cells: NDArray[np.intp], worths: NDArray[np.float64], sums: NDArray[np.float64]) -> None:
    """Add worths of hands to those of their cells.

    cells  : (n,) the cell of each hand, or -1
    worths : float64 (10, n, 4);  sums : float64 (10, cells, 4)
    """
    for u in range(10):
        for h in range(cells.size):
            if cells[h] >= 0:
                for a in range(4):
                    sums[u, cells[h], a] += worths[u, h, a]
