"""The player's side of the family of 21: best decisions by backward recursion, what becomes of them by a forward pass.

Peek without division: every value here is an expectation of (result × "the hole card does not complete a dealer
blackjack"), with the hole card simply one of the unseen cards. Plain draws, no reweighting; dividing by `peek`, the
chance that there is no dealer blackjack, conditions exactly. Where the dealer does not peek, `peek` is 1, and what a
dealer blackjack takes is a part of every value.

Axes: upcards and values ace first, hands as in `kernels.hands`, endings as in ENDINGS.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import (
    BLACKJACK,
    BUSTED,
    DEALER_BLACKJACK,
    DOUBLE,
    DOUBLED,
    DOUBLES,
    ENDINGS,
    FREE_DOUBLED,
    HIT,
    PER_STAGE,
    PUSH,
    RESCUE,
    SIX_SEVEN_EIGHT,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    THREE_SEVENS,
    WIN,
    Policy,
)
from casinomath.kernels.dealer import BUST, TWENTY_TWO, Trie, dealer_totals
from casinomath.kernels.hands import Hands
from casinomath.kernels.jit import jit
from casinomath.kernels.suits import COMPLETING, SUITS, Suited

TIE = 1e-12
"""Values closer than this are a tie, which the smaller additional wager wins."""


class Table(NamedTuple):
    """The rules as the kernels read them."""

    twenty_one_wins: int
    """A player's 21 wins at once."""
    double_up_to: int
    """Most cards in a hand that may double."""
    max_doubles: int
    rescue: int
    """0 none, 1 costs half of the wager, 2 costs the original wager."""
    surrender: int
    split_aces_draw: int
    """Split aces may be hit."""
    double_split_aces: int = 0
    """Split aces may be doubled, where split hands may."""
    resplit_aces: int = 1
    """An ace dealt to a split ace may be split again."""
    double_after_split: int = 1
    double_from: int = 0
    """Only hard totals from this one to 11 may double; 0: all hands."""
    peeks: int = 1
    """The dealer peeks for a blackjack; 0: it comes to light when all hands are played, and takes all wagers."""
    taken: int = 1
    """Cards that a dealt card takes from the shoe: 0 where it is endless."""
    free_double_up_to: int = 0
    """Most cards in a hand of hard 9, 10 or 11 that is doubled with a free bet; 0: none is."""


class Values(NamedTuple):
    """EVs × P(the hand is played), in initial wagers; NaN where the shoe can't deal the hand."""

    peek: NDArray[np.float64]
    """(10, n) P(the hand is played), given cards and upcard: that of no dealer blackjack, or 1 without a peek."""
    stand: NDArray[np.float64]
    """(10, n)"""
    hit: NDArray[np.float64]
    """(10, n) for SUITED_HANDS without the completing card's part: see `suited_hit`."""
    double: NDArray[np.float64]
    """(10, n)"""
    redouble: NDArray[np.float64]
    """(2, 10, n) doubling again after 1, 2 doubles."""
    suited_hit: NDArray[np.float64]
    """(10, 6, 64) hitting SUITED_HANDS by suits."""
    surrender: NDArray[np.float64]
    """(10, n)"""


@jit
def completing_card(upcard: int) -> int:
    """The hole card that would make a dealer blackjack, or -1."""
    if upcard == 0:
        return 9
    return 0 if upcard == 9 else -1


@jit
def no_blackjack(left: float, unseen: float, upcard: int) -> float:
    """P(no dealer blackjack), given how many of the unseen cards would complete one; 1 where none is unseen."""
    return 1.0 if 0 < upcard < 9 or unseen <= 0.0 else 1.0 - left / unseen


@jit
def played_on(left: float, unseen: float, upcard: int, peeks: int) -> float:
    """P(the hand is played on), given how many of the unseen cards would complete a dealer blackjack."""
    return no_blackjack(left, unseen, upcard) if peeks else 1.0


@jit
def doubles_free(hands: Hands, table: Table, h: int) -> bool:
    """Whether a double of this hand is a free bet."""
    return hands.size[h] <= table.free_double_up_to and 9 <= hands.total[h] <= 11 and not hands.soft[h]


@jit
def decide(
    hands: Hands,
    table: Table,
    suited: Suited,
    dealer: NDArray[np.float64],
    pays: NDArray[np.float64],
    at_once: NDArray[np.float64],
    may_hit: NDArray[np.bool_],
    may_double: NDArray[np.bool_],
    shoe: NDArray[np.int64],
    values: Values,
    play: NDArray[np.uint8],
    suited_play: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> None:
    """Fill `values` and the decisions of a policy but the first: each hand for itself, given its cards and the upcard.

    dealer     : float64 (n, 10, 7)  dealer totals by hand and upcard
    pays       : float64 (endings,)  net result of each ending
    at_once    : float64 (n,)  what a hand that wins at once is paid, NaN for all others
    may_hit    : bool (n,)  hands that may be hit
    may_double : bool (n,)  hands that may be doubled
    shoe       : int64 (10,)  before the round
    play, suited_play, after : as in Policy
    """
    n = hands.size.size
    taken = table.taken
    stages = FREE_DOUBLED + 1  # what a hand wins or loses by doubles made
    won, lost, busted, to_blackjack = np.empty(stages), np.empty(stages), np.empty(stages), np.empty(stages)
    for k in range(stages):
        first = WIN if k == 0 else DOUBLED + PER_STAGE * (k - 1) + 1
        won[k], lost[k], busted[k] = pays[first], pays[first + 2], pays[first + 3]
        to_blackjack[k] = pays[DEALER_BLACKJACK + k]
    rescued = np.zeros(DOUBLES + 1)
    for k in range(1, DOUBLES + 1):
        rescued[k] = pays[DOUBLED + PER_STAGE * k - 1]
    doubled = np.empty((FREE_DOUBLED + 1, n))
    best = np.full(n, np.nan)  # stays so where suits decide: only hands of fewer than two cards lead there
    for u in range(10):
        if shoe[u] == 0:
            continue
        total_left = shoe.sum() - taken
        b = completing_card(u)
        for h in range(n - 1, -1, -1):
            unseen = float(total_left - taken * hands.size[h])
            possible = unseen >= 1
            for v in range(10):
                # a count need not be whole: what is left of it may be drawn
                needed = hands.counts[h, v] * (taken + (shoe[v] == 0)) + taken * (v == u)
                possible = possible and shoe[v] + 1 > needed
            if not possible:
                continue
            left = float(shoe[b] - taken * (hands.counts[h, b] + (b == u))) if b >= 0 else 0.0
            none = no_blackjack(left, unseen, u)
            blackjack = 0.0 if table.peeks else 1.0 - none
            values.peek[u, h] = none + blackjack
            values.surrender[u, h] = pays[SURRENDERED] * none + to_blackjack[0] * blackjack
            wins, losses = dealer[h, u, BUST], 0.0
            for k in range(5):
                if hands.total[h] > 17 + k:
                    wins += dealer[h, u, k]
                elif hands.total[h] < 17 + k:
                    losses += dealer[h, u, k]
            if not np.isnan(at_once[h]):
                stand = at_once[h] * none
            else:
                stand = won[0] * wins + lost[0] * losses + to_blackjack[0] * blackjack
            values.stand[u, h] = stand

            # What the next card brings: a hit, and a double card after k doubles. A bust loses.
            hit = 0.0
            drawn = np.zeros(FREE_DOUBLED + 1)
            free = doubles_free(hands, table, h)
            for v in range(10):
                p = (shoe[v] - taken * (hands.counts[h, v] + (v == u))) / unseen
                if p <= 0.0:
                    continue
                child = hands.child[h, v]
                if child < 0:
                    bust = p * played_on(left - taken * (v == b), unseen - taken, u, table.peeks)
                    hit += busted[0] * bust
                    for k in range(1, table.max_doubles + 1):
                        drawn[k] += busted[k] * bust
                    drawn[FREE_DOUBLED] += busted[FREE_DOUBLED] * bust
                else:
                    for k in range(1, table.max_doubles + 1):
                        drawn[k] += p * doubled[k, child]
                    if free:
                        drawn[FREE_DOUBLED] += p * doubled[FREE_DOUBLED, child]
                    if suited.place[h] < 0 or v != COMPLETING[suited.place[h]]:
                        hit += p * best[child]
            double = drawn[FREE_DOUBLED] if free else drawn[1]
            values.hit[u, h] = hit
            values.double[u, h] = double

            for k in range(table.max_doubles, 0, -1):
                action = STAND
                if table.twenty_one_wins and hands.total[h] == 21:
                    value = won[k] * none
                else:
                    value = won[k] * wins + lost[k] * losses + to_blackjack[k] * blackjack
                    if table.rescue and rescued[k] * none > value + TIE:
                        action, value = RESCUE, rescued[k] * none
                    if k < table.max_doubles:
                        values.redouble[k - 1, u, h] = drawn[k + 1]
                        if drawn[k + 1] > value + TIE:
                            action, value = DOUBLE, drawn[k + 1]
                after[k - 1, u, h] = action
                doubled[k, h] = value
            k = FREE_DOUBLED
            doubled[k, h] = won[k] * wins + lost[k] * losses + to_blackjack[k] * blackjack

            i = suited.place[h]
            if i < 0 or COMPLETING[i] < 0:
                action, value = best_play(stand, hit, double, may_hit[h], may_double[h])
                play[u, h] = action
                best[h] = value
            if i >= 0:
                z = COMPLETING[i]
                completes = 0.0
                if z >= 0 and shoe[z] - taken * (hands.counts[h, z] + (z == u)) > 0:
                    p = (shoe[z] - taken * (hands.counts[h, z] + (z == u))) / unseen
                    completes = p * no_blackjack(left - taken * (z == b), unseen - taken, u)
                bonus = THREE_SEVENS if i == 3 else SIX_SEVEN_EIGHT
                for s in range(SUITS):
                    if suited.weight[i, u, s] == 0.0:
                        continue
                    value = hit
                    for kind in range(3):
                        value += completes * suited.complete[i, s, u, kind] * pays[bonus + kind]
                    values.suited_hit[u, i, s] = value
                    action, value = best_play(stand, value, double, may_hit[h], may_double[h])
                    suited_play[u, i, s] = action


@jit
def best_play(stand: float, hit: float, double: float, can_hit: bool, can_double: bool) -> tuple[int, float]:
    """The best of stand, hit and double."""
    action, value = STAND, stand
    if can_hit and hit > value + TIE:
        action, value = HIT, hit
    if can_double and double > value + TIE:
        action, value = DOUBLE, double
    return action, value


@jit
def act(
    hands: Hands,
    table: Table,
    ending_21: NDArray[np.int8],
    u: int,
    shoe: NDArray[np.int64],
    h: int,
    action: int,
    doubles: int,
    weight: float,
    skip: int,
    reached: NDArray[np.float64],
    stood: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> float:
    """Carry out one action on hand `h` reached with `weight`; what it leads to is added to the arrays.

    shoe    : int64 (10,)  without the upcard and whatever else is known to be gone, with the hand's own cards
    doubles : how often the hand has been doubled before
    skip    : a value whose part is returned (× no dealer blackjack) instead of added, or -1
    reached : float64 (4, n)  weights of hands to be played on, by doubles made
    stood   : float64 (5, n)  weights of hands that stand against the dealer, by doubles made or FREE_DOUBLED
    ends    : float64 (endings,)  weights of hands that ended (× no dealer blackjack, where the dealer peeks)
    """
    taken = table.taken
    unseen = float(shoe.sum() - taken * hands.size[h])
    b = completing_card(u)
    left = float(shoe[b] - taken * hands.counts[h, b]) if b >= 0 else 0.0
    if action == STAND:
        if ending_21[h] < 0:
            stood[doubles, h] += weight
        else:
            ending = ending_21[h] if doubles == 0 else DOUBLED + PER_STAGE * (doubles - 1)
            ends[ending] += weight * no_blackjack(left, unseen, u)
        return 0.0
    if action == RESCUE:
        ends[DOUBLED + PER_STAGE * doubles - 1] += weight * no_blackjack(left, unseen, u)
        return 0.0
    skipped = 0.0
    stage = 0 if action == HIT else FREE_DOUBLED if doubles_free(hands, table, h) else doubles + 1
    for v in range(10):
        p = weight * (shoe[v] - taken * hands.counts[h, v]) / unseen
        if p <= 0.0:
            continue
        child = hands.child[h, v]
        if v == skip and action == HIT:
            skipped = p * no_blackjack(left - taken * (v == b), unseen - taken, u)
        elif child < 0:
            bust = p * played_on(left - taken * (v == b), unseen - taken, u, table.peeks)
            ends[BUSTED if stage == 0 else DOUBLED + PER_STAGE * (stage - 1) + 4] += bust
        elif stage == FREE_DOUBLED:
            stood[stage, child] += p
        else:
            reached[stage, child] += p
    return skipped


@jit
def play_out(
    hands: Hands,
    table: Table,
    ending_21: NDArray[np.int8],
    play: NDArray[np.uint8],
    after: NDArray[np.uint8],
    u: int,
    shoe: NDArray[np.int64],
    rows: NDArray[np.intp],
    reached: NDArray[np.float64],
    stood: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """Play every hand that `reached` has among `rows` (ascending) to its end; arrays as in Policy and `act`."""
    for k in range(table.max_doubles + 1):
        for h in rows:
            if reached[k, h] == 0.0:
                continue
            action = play[u, h] if k == 0 else after[k - 1, u, h]
            if k > 0 and ending_21[h] >= 0:
                action = STAND
            act(hands, table, ending_21, u, shoe, h, action, k, reached[k, h], -1, reached, stood, ends)


@jit
def settle(
    total: int, doubles: int, weight: float, dealer: NDArray[np.float64], peeks: int, ends: NDArray[np.float64]
) -> None:
    """Compare a standing hand with the dealer's totals (7,) and add to `ends` (endings,)."""
    win, push, loss = dealer[BUST], dealer[TWENTY_TWO], 0.0
    for k in range(5):
        if total > 17 + k:
            win += dealer[k]
        elif total == 17 + k:
            push += dealer[k]
        else:
            loss += dealer[k]
    base = WIN if doubles == 0 else DOUBLED + PER_STAGE * (doubles - 1) + 1
    ends[base] += weight * win
    ends[base + 1] += weight * push
    ends[base + 2] += weight * loss
    if not peeks:
        ends[DEALER_BLACKJACK + doubles] += weight * (1.0 - win - push - loss)


@jit
def unsplit_rounds(
    hands: Hands,
    table: Table,
    suited: Suited,
    dealer: NDArray[np.float64],
    ending_21: NDArray[np.int8],
    shoe: NDArray[np.int64],
    policy: Policy,
    counted: NDArray[np.bool_],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Deal every two-card hand against every upcard and play all that is not split.

    shoe    : int64 (10,)  before the round
    counted : bool (n,)  the two-card hands to deal
    returns : ends (10, endings) weights by upcard; split (10, 10, 64) weights of rounds that split, by upcard, pair and
              suits (before the peek); super_bonus (10,) weights; reached (10, 4, n) weights of the hands of three cards
              and more that are played on, by upcard and doubles made
    """
    n = hands.size.size
    taken = table.taken
    ends = np.zeros((10, len(ENDINGS)))
    split = np.zeros((10, 10, SUITS))
    super_bonus = np.zeros(10)
    reached = np.zeros((10, DOUBLES + 1, n))
    cards = float(shoe.sum())
    every = np.empty(n, dtype=np.intp)
    for h in range(n):
        every[h] = h
    for u in range(10):
        if shoe[u] == 0:
            continue
        rest = shoe.copy()
        rest[u] -= taken
        b = completing_card(u)
        stood = np.zeros((FREE_DOUBLED + 1, n))
        for x in range(10):
            for y in range(x, 10):
                ways = rest[x] * (rest[y] - taken) if x == y else 2 * rest[x] * rest[y]
                h = hands.child[hands.child[0, x], y]
                if ways <= 0 or not counted[h]:
                    continue
                weight = shoe[u] / cards * ways / ((cards - taken) * (cards - 2.0 * taken))
                left = float(rest[b] - taken * hands.counts[h, b]) if b >= 0 else 0.0
                none = no_blackjack(left, cards - 3.0 * taken, u)
                i = suited.place[h]
                if hands.total[h] == 21:
                    # paid whatever the dealer has, or a push with his; it can be doubled when he has none
                    if table.peeks or policy.first[u, h] == STAND:
                        ends[u, BLACKJACK if table.twenty_one_wins else PUSH] += weight * (1.0 - none)
                    if policy.first[u, h] == STAND:
                        ends[u, BLACKJACK] += weight * none
                        continue
                elif table.peeks:
                    ends[u, DEALER_BLACKJACK] += weight * (1.0 - none)
                for s in range(SUITS if i >= 0 else 1):
                    w = weight * suited.weight[i, u, s] if i >= 0 else weight
                    if w == 0.0:
                        continue
                    action = policy.suited_first[u, i, s] if i >= 0 else policy.first[u, h]
                    if action == SPLIT:
                        split[u, x, s] += w
                    elif action == SURRENDER:
                        ends[u, SURRENDERED] += w * none
                        if not table.peeks:
                            ends[u, DEALER_BLACKJACK] += w * (1.0 - none)
                    else:
                        z = COMPLETING[i] if i >= 0 else -1
                        done = act(hands, table, ending_21, u, rest, h, action, 0, w, z, reached[u], stood, ends[u])
                        if done > 0.0:
                            bonus = THREE_SEVENS if i == 3 else SIX_SEVEN_EIGHT
                            for kind in range(3):
                                ends[u, bonus + kind] += done * suited.complete[i, s, u, kind]
                            super_bonus[u] += done * suited.super_bonus[i, s, u]
        play_out(hands, table, ending_21, policy.play, policy.after, u, rest, every, reached[u], stood, ends[u])
        for k in range(FREE_DOUBLED + 1):
            for h in range(n):
                if stood[k, h] != 0.0:
                    settle(hands.total[h], k, stood[k, h], dealer[h, u], table.peeks, ends[u])
    return ends, split, super_bonus, reached


@jit
def split_hands(
    hands: Hands,
    trie: Trie,
    table: Table,
    suited: Suited,
    ending_21: NDArray[np.int8],
    shoe: NDArray[np.int64],
    play: NDArray[np.uint8],
    after: NDArray[np.uint8],
    pair: int,
    most_gone: int,
    part_hand: NDArray[np.int32],
    part_action: NDArray[np.int8],
    wanted: NDArray[np.bool_],
    rows: NDArray[np.intp],
    reach_weight: NDArray[np.float64],
    all_reached: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One split hand that begins with a card of value `pair`, from shoes with 1, 2, … more of them gone, in parts.

    Part 0 is all second cards but the pair's, and but those whose suits matter; part 1 is another card of the pair's
    value, played without a split; further parts are one second card whose suits matter with one action each
    (`part_hand`, `part_action`; the first two entries are not read).

    shoe      : int64 (10,)  before the round
    play      : uint8 (10, n)  decisions of such split hands; after : as in Policy
    most_gone : how many more cards of the pair's value may be gone besides the hand's own
    wanted    : bool (parts, most_gone)  which results are asked for; the others stay 0
    rows      : the rows of all hands that hold a card of the pair's value, ascending
    reach_weight : float64 (10, most_gone, parts)  with these weights the hands met are added to `all_reached`
                (10, 4, n); an empty array leaves this out
    returns   : ends (10, most_gone, parts, endings) × P(second card) × no dealer blackjack, where the dealer peeks;
                completed (10, most_gone, parts) what `act` skipped: the hand became a 6-7-8 or 7-7-7
    """
    n = hands.size.size
    parts = part_hand.size
    ends = np.zeros((10, most_gone, parts, len(ENDINGS)))
    completed = np.zeros((10, most_gone, parts))
    # Shoes that hands stand against, met once each: what is gone is some other cards and copies of the pair's value.
    slot_of = np.full((n, 22 + most_gone), -1, dtype=np.int32)
    taken = table.taken
    shoes = np.empty((4096, 2), dtype=np.int32)
    slots = 0
    stands = np.empty((4096, 6), dtype=np.int32)
    weights = np.empty(4096)
    entries = 0
    own = hands.child[0, pair]
    reached = np.zeros((DOUBLES + 1, n))
    stood = np.zeros((FREE_DOUBLED + 1, n))
    for u in range(10):
        for gone in range(1, most_gone + 1):
            rest = shoe.copy()
            rest[u] -= taken
            rest[pair] -= taken * gone
            if rest[u] < 1 - taken or rest[pair] < 1:
                continue
            unseen = float(rest.sum() - taken)
            for part in range(parts):
                if not wanted[part, gone - 1]:
                    continue
                out = ends[u, gone - 1, part]
                for v in range(10):
                    h = hands.child[own, v]
                    z = COMPLETING[suited.place[h]] if suited.place[h] >= 0 else -1
                    if part >= 2:
                        if h != part_hand[part]:
                            continue
                        action = part_action[part]
                    else:
                        if z >= 0 or (v == pair) != (part == 1):
                            continue
                        action = play[u, h]
                    p = (rest[v] - taken * (v == pair)) / unseen
                    if p > 0.0:
                        done = act(hands, table, ending_21, u, rest, h, action, 0, p, z, reached, stood, out)
                        completed[u, gone - 1, part] += done
                play_out(hands, table, ending_21, play, after, u, rest, rows, reached, stood, out)
                for k in range(FREE_DOUBLED + 1 if table.free_double_up_to else table.max_doubles + 1):
                    for h in rows:
                        if k <= table.max_doubles:
                            if reach_weight.size > 0:
                                all_reached[u, k, h] += reach_weight[u, gone - 1, part] * reached[k, h]
                            reached[k, h] = 0.0
                        if stood[k, h] == 0.0:
                            continue
                        others = hands.strip[pair, h]
                        copies = hands.counts[h, pair] + gone
                        slot = slot_of[others, copies]
                        if slot < 0:
                            if slots == shoes.shape[0]:
                                shoes = longer(shoes)
                            slot = slots
                            slots += 1
                            slot_of[others, copies] = slot
                            shoes[slot, 0] = others
                            shoes[slot, 1] = copies
                        if entries == weights.size:
                            stands = longer(stands)
                            weights = longer(weights)
                        stands[entries, 0] = slot
                        stands[entries, 1] = u
                        stands[entries, 2] = gone - 1
                        stands[entries, 3] = part
                        stands[entries, 4] = hands.total[h]
                        stands[entries, 5] = k
                        weights[entries] = stood[k, h]
                        entries += 1
                        stood[k, h] = 0.0
    removed = np.empty((slots, 10), dtype=np.int8)
    for slot in range(slots):
        for v in range(10):
            removed[slot, v] = hands.counts[shoes[slot, 0], v]
        removed[slot, pair] = shoes[slot, 1]
    dealer = dealer_totals(trie, shoe, removed, taken)
    for e in range(entries):
        u, gone_index, part, total, k = stands[e, 1], stands[e, 2], stands[e, 3], stands[e, 4], stands[e, 5]
        settle(total, k, weights[e], dealer[stands[e, 0], u], table.peeks, ends[u, gone_index, part])
    return ends, completed


@jit
def longer(array: NDArray[Any]) -> NDArray[Any]:
    """Return a copy with room for twice as many rows."""
    copy = np.empty((2 * array.shape[0], *array.shape[1:]), dtype=array.dtype)
    old, new = array.ravel(), copy.ravel()
    for i in range(old.size):  # a slice would compile seconds of error messages
        new[i] = old[i]
    return copy
