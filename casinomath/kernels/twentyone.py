"""The player's side of the family of 21: best decisions by backward recursion, what becomes of them by a forward pass.

Peek without division: every value here is an expectation of (result × "the hole card does not complete a dealer
blackjack"), with the hole card simply one of the unseen cards. Plain draws, no reweighting; dividing by `peek`, the
chance that there is no dealer blackjack, conditions exactly.

Axes: upcards and values ace first, hands as in `kernels.hands`, endings as in ENDINGS.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.dealer import Trie, dealer_totals
from casinomath.kernels.hands import Hands
from casinomath.kernels.jit import jit

STAND, HIT, DOUBLE, SPLIT, SURRENDER, RESCUE = range(6)
ACTIONS = ("stand", "hit", "double", "split", "surrender", "rescue")

DOUBLES = 3
"""Doubles a hand can have at the most."""

STAGES = ("doubled", "redoubled", "redoubled_twice")
ENDINGS = (
    *("blackjack", "five_card_21", "six_card_21", "seven_card_21"),
    *("six_seven_eight_mixed", "six_seven_eight_suited", "six_seven_eight_spades"),
    *("three_sevens_mixed", "three_sevens_suited", "three_sevens_spades"),
    *("twenty_one", "win", "push", "loss", "bust", "surrender"),
    *(f"{stage}_{end}" for stage in STAGES for end in ("twenty_one", "win", "push", "loss", "bust", "rescue")),
    "dealer_blackjack",
)
"""How a hand can end."""

BLACKJACK, SIX_SEVEN_EIGHT, THREE_SEVENS, TWENTY_ONE, WIN, PUSH, LOSS, BUSTED, SURRENDERED = (
    ENDINGS.index(name)
    for name in (
        *("blackjack", "six_seven_eight_mixed", "three_sevens_mixed", "twenty_one"),
        *("win", "push", "loss", "bust", "surrender"),
    )
)
DOUBLED = ENDINGS.index("doubled_twenty_one")
PER_STAGE = 6
DEALER_BLACKJACK = ENDINGS.index("dealer_blackjack")

SUITED_HANDS = ((5, 5), (5, 6), (5, 7), (6, 6), (6, 7), (7, 7))
"""Two-card hands whose suits matter, as value indices: 6-6, 6-7, 6-8, 7-7, 7-8, 8-8."""
COMPLETING = np.array([-1, 7, 6, 6, 5, -1])
"""The value that makes each of them a 6-7-8 or a 7-7-7."""
SUITS = 64
"""Suits of first card × second card × upcard: 16a + 4b + c, spades 0."""

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
    blackjack_against_blackjack: float
    """What a player's blackjack is paid against a dealer's."""


class Policy(NamedTuple):
    """One fixed decision for every hand and upcard, as ACTIONS."""

    play: NDArray[np.uint8]
    """(10, n) stand, hit or double, undoubled hands."""
    after: NDArray[np.uint8]
    """(3, 10, n) stand, rescue or redouble after 1, 2, 3 doubles."""
    first: NDArray[np.uint8]
    """(10, n) the first decision on two cards: also split or surrender."""
    suited_play: NDArray[np.uint8]
    """(10, 6, 64) `play` for SUITED_HANDS by suits."""
    suited_first: NDArray[np.uint8]
    """(10, 6, 64) `first` for SUITED_HANDS by suits."""


class Values(NamedTuple):
    """EVs × P(no dealer blackjack), in initial wagers; NaN where the shoe can't deal the hand."""

    peek: NDArray[np.float64]
    """(10, n) P(no dealer blackjack), given hand and upcard."""
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


class Suited(NamedTuple):
    """What the suits of the 6s, 7s and 8s are worth, as chances: see `suit_chances`."""

    hand: NDArray[np.int32]
    """(6,) the row of each of SUITED_HANDS."""
    place: NDArray[np.int8]
    """(n,) a row's place in SUITED_HANDS, or -1."""
    weight: NDArray[np.float64]
    """(6, 10, 64) P(suits), given the values of hand and upcard."""
    complete: NDArray[np.float64]
    """(6, 64, 10, 3) P(mixed, suited, spades), given that the next card is the completing value."""
    super_bonus: NDArray[np.float64]
    """(6, 64, 10) P(Super Bonus), given that the next card is the completing value."""


@jit
def suit_chance(known: NDArray[np.int64], decks: int, value: int, suit: int) -> float:
    """P(the next 6, 7 or 8 is of that suit), given the seen ones.

    known : int64 (10, 4)  cards seen by value and suit; only the rows of 6, 7, 8 matter
    """
    seen = known[value].sum()
    return max(0.0, float(decks - known[value, suit]) / max(4 * decks - seen, 1))


@jit
def suit_chances(
    decks: int, weight: NDArray[np.float64], complete: NDArray[np.float64], super_bonus: NDArray[np.float64]
) -> None:
    """Fill the arrays of `Suited` for packs of `decks` cards of each value and suit.

    The cards left of a value are any of its cards equally likely, so the counts of a partly used shoe do not enter.
    """
    first = (5, 5, 5, 6, 6, 7)
    second = (5, 6, 7, 6, 7, 7)
    third = (-1, 7, 6, 6, 5, -1)
    for i in range(6):
        for u in range(10):
            for s in range(SUITS):
                a, b, c = s // 16, s // 4 % 4, s % 4
                known = np.zeros((10, 4), dtype=np.int64)
                chance = suit_chance(known, decks, first[i], a)
                known[first[i], a] += 1
                chance *= suit_chance(known, decks, second[i], b)
                known[second[i], b] += 1
                if 5 <= u <= 7:
                    chance *= suit_chance(known, decks, u, c)
                    known[u, c] += 1
                elif c > 0:
                    chance = 0.0
                weight[i, u, s] = chance
                if third[i] < 0 or chance == 0.0:
                    continue
                match = suit_chance(known, decks, third[i], a) if a == b else 0.0
                complete[i, s, u, 0] = 1.0 - match
                complete[i, s, u, 2 if a == 0 else 1] = match
                if i == 3 and u == 6:
                    if decks > 2:
                        super_bonus[i, s, u] = match
                    elif c == 0 and a > 0 and b > 0 and a != b:  # 7♥ 7♦ 7♣ against 7♠
                        super_bonus[i, s, u] = suit_chance(known, decks, 6, 6 - a - b)


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
def decide(
    hands: Hands,
    table: Table,
    suited: Suited,
    dealer: NDArray[np.float64],
    pays: NDArray[np.float64],
    at_once: NDArray[np.float64],
    shoe: NDArray[np.int64],
    values: Values,
    policy: Policy,
) -> None:
    """Fill `values` and all of `policy` but the first decisions: each hand for itself, given its cards and the upcard.

    dealer  : float64 (n, 10, 6)  dealer totals by hand and upcard
    pays    : float64 (endings,)  net result of each ending
    at_once : float64 (n,)  what a hand that wins at once is paid, NaN for all others
    shoe    : int64 (10,)  before the round
    """
    n = hands.size.size
    rescued = np.zeros(DOUBLES + 1)
    for k in range(1, DOUBLES + 1):
        rescued[k] = pays[DOUBLED + PER_STAGE * k - 1]
    doubled = np.empty((DOUBLES + 1, n))
    best = np.empty(n)
    for u in range(10):
        if shoe[u] == 0:
            continue
        total_left = shoe.sum() - 1
        b = completing_card(u)
        for h in range(n - 1, -1, -1):
            unseen = float(total_left - hands.size[h])
            possible = unseen >= 1
            for v in range(10):
                possible = possible and hands.counts[h, v] + (v == u) <= shoe[v]
            if not possible:
                continue
            left = float(shoe[b] - hands.counts[h, b] - (b == u)) if b >= 0 else 0.0
            peek = no_blackjack(left, unseen, u)
            values.peek[u, h] = peek
            wins_at_once = not np.isnan(at_once[h])
            if wins_at_once:
                stand = at_once[h] * peek
            else:
                stand = dealer[h, u, 5]
                for k in range(5):
                    stand += dealer[h, u, k] * np.sign(hands.total[h] - 17 - k)
            values.stand[u, h] = stand

            # What the next card brings: a hit, and a double card after k doubles. A bust loses.
            hit = 0.0
            drawn = np.zeros(DOUBLES + 1)
            for v in range(10):
                p = (shoe[v] - hands.counts[h, v] - (v == u)) / unseen
                if p <= 0.0:
                    continue
                child = hands.child[h, v]
                if child < 0:
                    lost = p * no_blackjack(left - (v == b), unseen - 1.0, u)
                    hit -= lost
                    for k in range(1, table.max_doubles + 1):
                        drawn[k] -= 2.0**k * lost
                else:
                    for k in range(1, table.max_doubles + 1):
                        drawn[k] += p * doubled[k, child]
                    if suited.place[h] < 0 or v != COMPLETING[suited.place[h]]:
                        hit += p * best[child]
            values.hit[u, h] = hit
            values.double[u, h] = drawn[1]

            for k in range(table.max_doubles, 0, -1):
                action = STAND
                if table.twenty_one_wins and hands.total[h] == 21:
                    value = 2.0**k * peek
                else:
                    value = 2.0**k * stand
                    if table.rescue and rescued[k] * peek > value + TIE:
                        action, value = RESCUE, rescued[k] * peek
                    if k < table.max_doubles:
                        values.redouble[k - 1, u, h] = drawn[k + 1]
                        if drawn[k + 1] > value + TIE:
                            action, value = DOUBLE, drawn[k + 1]
                policy.after[k - 1, u, h] = action
                doubled[k, h] = value

            # A blackjack is paid before the peek; doubling it would put it at the dealer's mercy.
            stands_for = stand
            if hands.size[h] == 2 and hands.total[h] == 21:
                stands_for += (1.0 - peek) * (table.blackjack_against_blackjack + 1.0)
            can_hit = hands.total[h] < 21
            can_double = hands.size[h] <= table.double_up_to
            i = suited.place[h]
            if i < 0 or COMPLETING[i] < 0:
                action, value = best_play(stands_for, hit, drawn[1], can_hit, can_double)
                policy.play[u, h] = action
                best[h] = stand if action == STAND else value
            if i >= 0:
                z = COMPLETING[i]
                completes = 0.0
                if z >= 0 and shoe[z] - hands.counts[h, z] - (z == u) > 0:
                    p = (shoe[z] - hands.counts[h, z] - (z == u)) / unseen
                    completes = p * no_blackjack(left - (z == b), unseen - 1.0, u)
                bonus = THREE_SEVENS if i == 3 else SIX_SEVEN_EIGHT
                for s in range(SUITS):
                    if suited.weight[i, u, s] == 0.0:
                        continue
                    value = hit
                    for kind in range(3):
                        value += completes * suited.complete[i, s, u, kind] * pays[bonus + kind]
                    values.suited_hit[u, i, s] = value
                    action, value = best_play(stand, value, drawn[1], can_hit, can_double)
                    policy.suited_play[u, i, s] = action


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
    ending_21: NDArray[np.int8],
    u: int,
    shoe: NDArray[np.int64],
    h: int,
    action: int,
    doubles: int,
    weight: float,
    skip: int,
    live: NDArray[np.float64],
    doubled: NDArray[np.float64],
    stood: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> float:
    """Carry out one action on hand `h` reached with `weight`; what it leads to is added to the arrays.

    shoe    : int64 (10,)  without the upcard and whatever else is known to be gone, with the hand's own cards
    doubles : how often the hand has been doubled before
    skip    : a value whose part is returned (× no dealer blackjack) instead of added, or -1
    live    : float64 (n,)  weights of undoubled hands
    doubled : float64 (3, n)  weights of hands after 1, 2, 3 doubles
    stood   : float64 (4, n)  weights of hands that stand against the dealer, by doubles made
    ends    : float64 (endings,)  weights of hands that ended (× no dealer blackjack)
    """
    unseen = float(shoe.sum() - hands.size[h])
    b = completing_card(u)
    left = float(shoe[b] - hands.counts[h, b]) if b >= 0 else 0.0
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
    for v in range(10):
        p = weight * (shoe[v] - hands.counts[h, v]) / unseen
        if p == 0.0:
            continue
        child = hands.child[h, v]
        if v == skip and action == HIT:
            skipped = p * no_blackjack(left - (v == b), unseen - 1.0, u)
        elif child < 0:
            lost = p * no_blackjack(left - (v == b), unseen - 1.0, u)
            ends[BUSTED if action == HIT else DOUBLED + PER_STAGE * doubles + 4] += lost
        elif action == HIT:
            live[child] += p
        else:
            doubled[doubles, child] += p
    return skipped


@jit
def play_out(
    hands: Hands,
    ending_21: NDArray[np.int8],
    policy: Policy,
    max_doubles: int,
    u: int,
    shoe: NDArray[np.int64],
    rows: NDArray[np.intp],
    live: NDArray[np.float64],
    doubled: NDArray[np.float64],
    stood: NDArray[np.float64],
    ends: NDArray[np.float64],
) -> None:
    """Play every live hand among `rows` (ascending) to its end by `policy`; arrays as in `act`."""
    for h in rows:
        if live[h] != 0.0:
            act(hands, ending_21, u, shoe, h, policy.play[u, h], 0, live[h], -1, live, doubled, stood, ends)
    for k in range(1, max_doubles + 1):
        for h in rows:
            if doubled[k - 1, h] != 0.0:
                action = STAND if ending_21[h] >= 0 else policy.after[k - 1, u, h]
                act(hands, ending_21, u, shoe, h, action, k, doubled[k - 1, h], -1, live, doubled, stood, ends)


@jit
def settle(total: int, doubles: int, weight: float, dealer: NDArray[np.float64], ends: NDArray[np.float64]) -> None:
    """Compare a standing hand with the dealer's totals (6,) and add to `ends` (endings,)."""
    win, push, loss = dealer[5], 0.0, 0.0
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


@jit
def unsplit_rounds(
    hands: Hands,
    table: Table,
    suited: Suited,
    dealer: NDArray[np.float64],
    ending_21: NDArray[np.int8],
    shoe: NDArray[np.int64],
    policy: Policy,
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Deal every two-card hand against every upcard and play all that is not split.

    shoe    : int64 (10,)  before the round
    returns : ends (10, endings) weights by upcard; split (10, 10, 64) weights of rounds that split, by upcard, pair and
              suits (before the peek); super_bonus (10,) weights; reached (10, n) and reached_doubled (3, 10, n) weights
              of the hands that faced a decision, two-card hands left out of the first
    """
    n = hands.size.size
    ends = np.zeros((10, len(ENDINGS)))
    split = np.zeros((10, 10, SUITS))
    super_bonus = np.zeros(10)
    live = np.zeros((10, n))
    doubled = np.zeros((DOUBLES, 10, n))
    cards = float(shoe.sum())
    every = np.arange(n)
    for u in range(10):
        if shoe[u] == 0:
            continue
        rest = shoe.copy()
        rest[u] -= 1
        b = completing_card(u)
        stood = np.zeros((DOUBLES + 1, n))
        twice = doubled[:, u]
        for x in range(10):
            for y in range(x, 10):
                ways = rest[x] * (rest[y] - 1) if x == y else 2 * rest[x] * rest[y]
                if ways <= 0:
                    continue
                h = hands.child[hands.child[0, x], y]
                weight = shoe[u] / cards * ways / ((cards - 1.0) * (cards - 2.0))
                left = float(rest[b] - hands.counts[h, b]) if b >= 0 else 0.0
                peek = no_blackjack(left, cards - 3.0, u)
                i = suited.place[h]
                if i >= 0:
                    bonus = THREE_SEVENS if i == 3 else SIX_SEVEN_EIGHT
                    for s in range(SUITS):
                        w = weight * suited.weight[i, u, s]
                        if w == 0.0:
                            continue
                        action = policy.suited_first[u, i, s]
                        if action == SPLIT:
                            split[u, x, s] += w
                        elif action == SURRENDER:
                            ends[u, SURRENDERED] += w * peek
                        else:
                            z = COMPLETING[i]
                            done = act(hands, ending_21, u, rest, h, action, 0, w, z, live[u], twice, stood, ends[u])
                            for kind in range(3):
                                ends[u, bonus + kind] += done * suited.complete[i, s, u, kind]
                            super_bonus[u] += done * suited.super_bonus[i, s, u]
                    ends[u, DEALER_BLACKJACK] += weight * (1.0 - peek)
                    continue
                action = policy.first[u, h]
                if hands.total[h] == 21 and action == STAND:
                    if table.twenty_one_wins:
                        ends[u, BLACKJACK] += weight
                    else:
                        ends[u, BLACKJACK] += weight * peek
                        ends[u, PUSH] += weight * (1.0 - peek)
                    continue
                ends[u, DEALER_BLACKJACK] += weight * (1.0 - peek)
                if action == SPLIT:
                    split[u, x, 0] += weight
                elif action == SURRENDER:
                    ends[u, SURRENDERED] += weight * peek
                else:
                    act(hands, ending_21, u, rest, h, action, 0, weight, -1, live[u], twice, stood, ends[u])
        play_out(hands, ending_21, policy, table.max_doubles, u, rest, every, live[u], twice, stood, ends[u])
        for k in range(DOUBLES + 1):
            for h in range(n):
                if stood[k, h] != 0.0:
                    settle(hands.total[h], k, stood[k, h], dealer[h, u], ends[u])
    return ends, split, super_bonus, live, doubled


@jit
def split_hands(
    hands: Hands,
    trie: Trie,
    table: Table,
    suited: Suited,
    ending_21: NDArray[np.int8],
    shoe: NDArray[np.int64],
    policy: Policy,
    pair: int,
    most_gone: int,
    part_hand: NDArray[np.int32],
    part_action: NDArray[np.int8],
    wanted: NDArray[np.bool_],
    reach_weight: NDArray[np.float64],
    reached: NDArray[np.float64],
    reached_doubled: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """One split hand that begins with a card of value `pair`, from shoes with 1, 2, … more of them gone, in parts.

    Part 0 is all second cards but the pair's, and but those whose suits matter; part 1 is another card of the pair's
    value, played without a split; further parts are one second card whose suits matter with one action each
    (`part_hand`, `part_action`; the first two entries are not read).

    shoe      : int64 (10,)  before the round
    most_gone : how many more cards of the pair's value may be gone besides the hand's own
    wanted    : bool (parts, most_gone)  which results are asked for; the others stay 0
    reach_weight, reached (10, n), reached_doubled (3, 10, n) : where weights (10, most_gone, parts) are given, hands
                met are added to `reached…` with them; pass an empty array to leave this out
    returns   : ends (10, most_gone, parts, endings) × P(second card) × no dealer blackjack;
                completed (10, most_gone, parts) what `act` skipped: the hand became a 6-7-8 or 7-7-7
    """
    n = hands.size.size
    parts = part_hand.size
    ends = np.zeros((10, most_gone, parts, len(ENDINGS)))
    completed = np.zeros((10, most_gone, parts))
    slot_of = np.full((n, 22 + most_gone), -1, dtype=np.int32)
    removed = np.zeros((1024, 10), dtype=np.int8)
    slots = 0
    where = np.empty((4096, 6), dtype=np.int32)
    weights = np.empty(4096)
    entries = 0
    own = hands.child[0, pair]
    rows = np.flatnonzero(hands.counts[:, pair])
    live = np.zeros(n)
    doubled = np.zeros((DOUBLES, n))
    stood = np.zeros((DOUBLES + 1, n))
    for u in range(10):
        for gone in range(1, most_gone + 1):
            rest = shoe.copy()
            rest[u] -= 1
            rest[pair] -= gone
            if rest[u] < 0 or rest[pair] < 1:
                continue
            unseen = float(rest.sum() - 1)
            for part in range(parts):
                if not wanted[part, gone - 1]:
                    continue
                out = ends[u, gone - 1, part]
                if part < 2:
                    for v in range(10):
                        h = hands.child[own, v]
                        if (v == pair) != (part == 1) or (suited.place[h] >= 0 and COMPLETING[suited.place[h]] >= 0):
                            continue
                        p = (rest[v] - (v == pair)) / unseen
                        if p <= 0.0:
                            continue
                        if pair == 0 and not table.split_aces_draw:
                            act(hands, ending_21, u, rest, h, STAND, 0, p, -1, live, doubled, stood, out)
                        else:
                            action = policy.play[u, h]
                            if suited.place[h] >= 0:  # 6-6 or 8-8: any suits, the same play
                                action = policy.suited_play[u, suited.place[h], any_suits(suited, u, h)]
                            act(hands, ending_21, u, rest, h, action, 0, p, -1, live, doubled, stood, out)
                else:
                    h = part_hand[part]
                    i = suited.place[h]
                    x, y = SUITED_HANDS[i]
                    second = y if x == pair else x
                    p = (rest[second] - (second == pair)) / unseen
                    if p <= 0.0:
                        continue
                    z = COMPLETING[i]
                    done = act(hands, ending_21, u, rest, h, part_action[part], 0, p, z, live, doubled, stood, out)
                    completed[u, gone - 1, part] = done
                play_out(hands, ending_21, policy, table.max_doubles, u, rest, rows, live, doubled, stood, out)
                for k in range(table.max_doubles + 1):
                    for h in rows:
                        if k > 0:
                            if reach_weight.size > 0:
                                reached_doubled[k - 1, u, h] += reach_weight[u, gone - 1, part] * doubled[k - 1, h]
                            doubled[k - 1, h] = 0.0
                        else:
                            if reach_weight.size > 0:
                                reached[u, h] += reach_weight[u, gone - 1, part] * live[h]
                            live[h] = 0.0
                        if stood[k, h] == 0.0:
                            continue
                        others = hands.strip[pair, h]
                        copies = hands.counts[h, pair] + gone
                        slot = slot_of[others, copies]
                        if slot < 0:
                            if slots == removed.shape[0]:
                                removed = np.concatenate((removed, np.zeros_like(removed)))
                            slot = slots
                            slots += 1
                            slot_of[others, copies] = slot
                            removed[slot] = hands.counts[others]
                            removed[slot, pair] = copies
                        if entries == where.shape[0]:
                            where = np.concatenate((where, np.empty_like(where)))
                            weights = np.concatenate((weights, np.empty_like(weights)))
                        where[entries, 0] = slot
                        where[entries, 1] = u
                        where[entries, 2] = gone - 1
                        where[entries, 3] = part
                        where[entries, 4] = hands.total[h]
                        where[entries, 5] = k
                        weights[entries] = stood[k, h]
                        entries += 1
                        stood[k, h] = 0.0
    dealer = dealer_totals(trie, shoe, removed[:slots])
    for e in range(entries):
        slot, u, gone_index, part, total, k = where[e]
        settle(total, k, weights[e], dealer[slot, u], ends[u, gone_index, part])
    return ends, completed


@jit
def split_suits(decks: int, policy: Policy, chance: NDArray[np.float64], bonus: NDArray[np.float64]) -> None:
    """What the suits do to a hand split from 6-6, 7-7 or 8-8 whose second card is a 6, 7 or 8.

    Axes: pair (6, 7, 8), upcard, suits of the pair and the upcard, which hand (the first card's, the second card's, one
    begun with a card drawn later), second card (6, 7, 8), then the decision (stand, hit, double) or the bonus.

    chance : float64 (3, 10, 64, 3, 3, 3)  P(suits for which the policy decides so), given the second card's value
    bonus  : float64 (3, 10, 64, 3, 3, 3)  P(suits for which it hits, and the completing card makes the bonus mixed,
             suited, spades), given the second card's and the completing card's value
    """
    known = np.zeros((10, 4), dtype=np.int64)
    for i in range(3):
        pair = 5 + i
        for u in range(10):
            for s in range(SUITS):
                a, b, c = s // 16, s // 4 % 4, s % 4
                if c > 0 and not 5 <= u <= 7:
                    continue
                for kind in range(3):
                    for j in range(3):
                        hand = (0, 2, 3)[min(i, j)] + max(i, j)
                        z = COMPLETING[hand]
                        if z < 0:
                            continue
                        known[:] = 0
                        known[pair, a] += 1
                        known[pair, b] += 1
                        if 5 <= u <= 7:
                            known[u, c] += 1
                        for own in range(4):
                            if kind < 2:
                                p_own = 1.0 if own == (a if kind == 0 else b) else 0.0
                            else:
                                p_own = suit_chance(known, decks, pair, own)
                            if p_own == 0.0:
                                continue
                            known[pair, own] += kind == 2
                            for t in range(4):
                                p = p_own * suit_chance(known, decks, 5 + j, t)
                                if p == 0.0:
                                    continue
                                x, y = (own, t) if i <= j else (t, own)
                                action = policy.suited_play[u, hand, 16 * x + 4 * y + (c if 5 <= u <= 7 else 0)]
                                chance[i, u, s, kind, j, action] += p
                                if action != HIT:
                                    continue
                                match = 0.0
                                if own == t:
                                    known[5 + j, t] += 1
                                    match = suit_chance(known, decks, z, t)
                                    known[5 + j, t] -= 1
                                bonus[i, u, s, kind, j, 0] += p * (1.0 - match)
                                bonus[i, u, s, kind, j, 2 if t == 0 else 1] += p * match
                            known[pair, own] -= kind == 2


@jit
def any_suits(suited: Suited, u: int, h: int) -> int:
    """Some suits that hand `h` against upcard `u` can have."""
    for s in range(SUITS):
        if suited.weight[suited.place[h], u, s] > 0.0:
            return s
    return 0
