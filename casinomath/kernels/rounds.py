"""The family of 21 dealt and played, card by card, suits and all; here, one player with a freshly shuffled shoe.

It shares the strategy with the exact engine, and the numbers by which both call hands, actions and endings; nothing
else. Cards are dealt in the order of the table, the dealer peeks at a real hole card, and every split hand is played to
its end before the next one gets its second card.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import (
    BLACKJACK,
    DEALER_BLACKJACK,
    DOUBLE,
    ENDINGS,
    FREE_DOUBLED,
    HIT,
    PER_STAGE,
    PUSH,
    RESCUE,
    SIX_SEVEN_EIGHT,
    SPLIT,
    SPLIT_ENDINGS,
    STAND,
    SURRENDER,
    SURRENDERED,
    THREE_SEVENS,
    TWENTY_ONE,
    Policy,
)
from casinomath.kernels.hands import hands
from casinomath.kernels.jit import bare, inlined, jit
from casinomath.kernels.shoe import State, deal, draw
from casinomath.kernels.suits import SUITED_HANDS

ACE, SIX, SEVEN, EIGHT, TEN = 0, 5, 6, 7, 9
"""Values as indices."""
BY_SUITS = 6
"""Besides the actions: look the decision up by the suits of the cards."""
MOST_HANDS = 5
MOST_WAGERS = 8
"""Initial wagers that a hand can have on the table: doubled three times."""

MOST_UNITS = 2**15
"""Units that a split round may win or lose: a tally of so many takes 52 MB with four hands."""

DEALT, SPLIT_HAND, SPLIT_ACE, FREE_HAND, FREE_ACE = range(5)
"""Kinds of hands: they may do different things. The last two are of a split and carry a free bet."""

# The endings of a hand after k doubles begin here + k × PER_STAGE, in this order.
_WIN, _BUST, _RESCUE = 1, 4, 5


class Play(NamedTuple):
    """A strategy laid out for dealing, actions as in `kernels.twentyone.Policy`."""

    rows: NDArray[np.int16]
    """(10, 10) the lattice's row of two cards."""
    child: NDArray[np.int16]
    """(n, 10) the lattice's row of a hand with one more card."""
    two_cards: NDArray[np.uint8]
    """(kinds, 10, 10, 10) the decision on two cards, by kind of hand, upcard and the cards; or BY_SUITS."""
    by_suits: NDArray[np.uint8]
    """(2, 10, 6, 64) the same for two cards of 6, 7 and 8."""
    further: NDArray[np.uint8]
    """(sets, 10, n, 4) the decision on three cards and more, by upcard, hand and doubles made."""
    set_of: NDArray[np.int64]
    """(kinds,) which set of them a kind of hand is played by."""


class House(NamedTuple):
    """The rules as the round needs them."""

    hits_soft_17: bool
    max_hands: int
    ace_hands: int
    """Hands that splitting aces can make."""
    twenty_one_wins: bool
    """A player's 21 wins at once; where it does not, a blackjack is a push with the dealer's."""
    peeks: bool
    """A dealer blackjack ends the round at once; where not, it takes all wagers but a player's blackjack's."""
    super_bonus_by_suit: bool
    """It takes three 7s of one suit; with two decks, three of the three suits besides the upcard's spades."""
    pushes_22: bool = False
    """A dealer's 22 is a push."""
    free_double_up_to: int = 0
    """Most cards of a hard 9, 10 or 11 that is doubled with a free bet."""
    free_pairs: int = 0
    """Bit v: pairs of value v are split with free bets, all hands but the first."""


class Tally(NamedTuple):
    """What became of the rounds, as counts to add to."""

    ends: NDArray[np.int64]
    """(endings,) unsplit rounds."""
    split_ends: NDArray[np.int64]
    """(split endings,) hands of split rounds."""
    split_rounds: NDArray[np.int64]
    """(hands - 1, 2 × reach + 1, MOST_WAGERS × hands + 1) rounds split to 2, 3, … hands, by net result + reach and
    total wagered."""
    super_bonus: NDArray[np.int64]
    """(endings,) rounds that win the Super Bonus, by the ending that it comes on top of."""


class Hands(NamedTuple):
    """(hands,) hands on the table."""

    ended: NDArray[np.int64]
    """The ending; of a hand that waits for the dealer, as if it won."""
    wagers: NDArray[np.int64]
    """Initial wagers, free bets left out."""
    to_beat: NDArray[np.int64]
    """The total of a hand that waits for the dealer, 0 of others."""


def lay_out(policy: Policy, free: Policy | None = None) -> Play:
    """Lay a strategy out for dealing. No 21 is hit; one that was doubled stands.

    free : that of split hands which carry free bets
    """
    lattice = hands()
    rows = lattice.child[lattice.child[0]].astype(np.int16)
    is_21 = lattice.total == 21
    theirs = () if free is None else (free.split_play, free.aces_play)
    first, *plays = (
        np.where(is_21 & (actions == HIT), STAND, actions)
        for actions in (policy.first, policy.play, policy.split_play, policy.aces_play, *theirs)
    )
    two_cards = np.stack([first[:, rows], *(actions[:, rows] for actions in plays[1:])]).astype(np.uint8)
    by_suits = np.stack([policy.suited_first, policy.split_suited_play])
    for place, (x, y) in enumerate(SUITED_HANDS):
        differ = (by_suits[:, :, place] != by_suits[:, :, place, :1]).any(axis=2)
        for kind in (DEALT, SPLIT_HAND):
            cell = np.where(differ[kind], BY_SUITS, by_suits[kind, :, place, 0])
            two_cards[kind, :, x, y] = two_cards[kind, :, y, x] = cell
    sets: list[NDArray[np.uint8]] = []
    set_of = []
    for actions in plays:  # most often they are the same, and one set stays in the cache
        further = np.stack([actions, *policy.after], axis=-1).astype(np.uint8)
        further[:, is_21, 1:] = STAND
        further[:, lattice.size < 3, 0] = STAND
        place = next((i for i, known in enumerate(sets) if np.array_equal(known, further)), len(sets))
        if place == len(sets):
            sets.append(further)
        set_of.append(place)
    return Play(rows, lattice.child.astype(np.int16), two_cards, by_suits, np.stack(sets), np.array(set_of))


def new_tally(reach: int, hands: int) -> Tally:
    """Return a tally of nothing, for rounds split to so many hands that win or lose up to `reach` units."""
    shape = (max(hands - 1, 1), 2 * reach + 1, MOST_WAGERS * hands + 1)
    ends, super_bonus = np.zeros((2, len(ENDINGS)), dtype=np.int64)
    split_ends = np.zeros(len(SPLIT_ENDINGS), dtype=np.int64)
    return Tally(ends, split_ends, np.zeros(shape, dtype=np.int64), super_bonus)


def new_hands(seats: int) -> Hands:
    """Return a table of so many seats."""
    return Hands(*np.zeros((3, seats * MOST_HANDS), dtype=np.int64))


@jit
def suits_index(v: int, a: int, w: int, b: int, c: int) -> tuple[int, int]:
    """The place of two cards of 6, 7, 8 in SUITED_HANDS, and of their suits: 16a + 4b + c, the lower value's first.

    v, w : value indices;  a, b, c : suits of theirs and of an upcard of 6, 7, 8, or 0
    """
    if v > w:
        v, a, w, b = w, b, v, a
    place = w - SIX if v == SIX else w - SEVEN + 3 if v == SEVEN else 5
    return place, 16 * a + 4 * b + c


@jit
def undoubled_21(size: int, first: int, second: int, last: int) -> int:
    """The ending of an undoubled 21 of so many cards.

    first, second, last : cards as in `kernels.shoe`
    """
    if size >= 5:
        return BLACKJACK + min(size, 7) - 4
    if size == 3 and min(first, second, last) >= 4 * SIX and max(first, second, last) < 4 * (EIGHT + 1):
        bonus = THREE_SEVENS if first >> 2 == SEVEN and second >> 2 == SEVEN else SIX_SEVEN_EIGHT
        suit = first & 3
        if suit != second & 3 or suit != last & 3:
            return bonus
        return bonus + (2 if suit == 0 else 1)
    return TWENTY_ONE


@jit
def is_super_bonus(by_suit: bool, upcard: int, first: int, second: int, last: int) -> bool:
    """Three 7s win the Super Bonus; cards as in `undoubled_21`."""
    if upcard >> 2 != SEVEN:
        return False
    a, b, c = first & 3, second & 3, last & 3
    if by_suit:
        return a == b and b == c
    return upcard & 3 == 0 and (1 << a | 1 << b | 1 << c) == 0b1110


@inlined
def play_hands(
    state: State,
    low: np.uint64,
    left: np.uint64,
    cards: NDArray[np.uint8],
    begun_with: np.uint64,
    house: House,
    play: Play,
    column: int,
    upcard: int,
    first: int,
    second: int,
    action: int,
    at: int,
    table: Hands,
) -> tuple[State, np.uint64, np.uint64, int, bool, int]:
    """Play one player's cards, that are no blackjack, until the dealer's turn.

    begun_with : as `deal` has them
    column     : the place of the upcard in `play`: its value, where the strategy has one column for each
    action     : the decision on the two cards dealt: stand, hit, double or split
    at         : the place of the player's first hand in `table`

    Returns the state, the place and number of the cards left, the number of hands, whether any waits, and the last card
    drawn.
    """
    u = (upcard >> 2) & 15
    x = (first >> 2) & 15
    y = (second >> 2) & 15
    c = upcard & 3 if SIX <= u <= EIGHT else 0
    hands = 1
    most = house.max_hands
    kind = DEALT
    split = action == SPLIT
    if split:
        hands = 2
        kind = SPLIT_HAND
        if x == ACE:
            kind = SPLIT_ACE
            most = house.ace_hands
        table.ended[at] = first
        table.ended[at + 1] = second  # until its turn comes, a hand's place holds its first card
    further = play.set_of[kind]
    standing = False
    free = 0  # the hand carries a free bet
    hand = 0
    last = second
    while hand < hands:
        if hand == 1 and house.free_pairs >> x & 1:
            free = 1
            kind += FREE_HAND - SPLIT_HAND
            further = play.set_of[kind]
        if split:
            first = table.ended[at + hand]
            state, low, left, second = deal(state, low, left, cards, begun_with)
            y = (second >> 2) & 15
            while y == x and hands < most:
                table.ended[at + hands] = second
                hands += 1
                state, low, left, second = deal(state, low, left, cards, begun_with)
                y = (second >> 2) & 15
            action = int(play.two_cards[kind, column, x, y])
            if action == BY_SUITS:
                place, suits = suits_index(x, first & 3, y, second & 3, c)
                action = int(play.by_suits[1, column, place, suits])
        row = int(play.rows[x, y])
        hard = x + y + 2
        ace = ACE in (x, y)
        size = 2
        doubles = 0
        while action in (HIT, DOUBLE):
            doubles += action == DOUBLE
            if action == DOUBLE and size <= house.free_double_up_to and 9 <= hard <= 11 and not ace:
                doubles = FREE_DOUBLED
            state, low, left, last = deal(state, low, left, cards, begun_with)
            v = (last >> 2) & 15
            hard += v + 1
            ace = ace or v == ACE
            size += 1
            if hard > 21:
                break
            row = int(play.child[row, v])
            action = STAND if doubles == FREE_DOUBLED else int(play.further[further, column, row, doubles])

        total = hard + 10 if ace and hard <= 11 else hard
        stage = TWENTY_ONE + PER_STAGE * doubles + free * len(ENDINGS)
        table.to_beat[at + hand] = 0
        table.wagers[at + hand] = (1 if doubles == FREE_DOUBLED else 1 << doubles) - free
        if hard > 21:
            table.ended[at + hand] = stage + _BUST
        elif action == RESCUE:
            table.ended[at + hand] = stage + _RESCUE
        elif total < 21 or not house.twenty_one_wins:
            table.ended[at + hand] = stage + _WIN
            table.to_beat[at + hand] = total
            standing = True
        elif doubles > 0:
            table.ended[at + hand] = stage
        else:
            table.ended[at + hand] = undoubled_21(size, first, second, last)
        hand += 1
    return state, low, left, hands, standing, last


@inlined
def play_dealer(
    state: State,
    low: np.uint64,
    left: np.uint64,
    cards: NDArray[np.uint8],
    begun_with: np.uint64,
    house: House,
    u: int,
    z: int,
) -> tuple[State, np.uint64, np.uint64, int]:
    """Draw to the dealer's two cards, of values u and z; after state and cards left, return the total.

    It is 0 for a bust, and a 22 only where that is a push.
    """
    hard = u + z + 2
    ace = ACE in (u, z)
    while True:
        soft = ace and hard <= 11
        total = hard + 10 if soft else hard
        if total > 17 or (total == 17 and not (soft and house.hits_soft_17)):
            break
        state, low, left, card = deal(state, low, left, cards, begun_with)
        v = (card >> 2) & 15
        hard += v + 1
        ace = ace or v == ACE
    if total > 22 or (total == 22 and not house.pushes_22):
        total = 0
    return state, low, left, total


@inlined
def compared(to_beat: int, total: int) -> int:
    """What a total of the dealer's makes of a hand that waits: 0 it wins, 1 it is a push, 2 it loses."""
    return 1 if total in (to_beat, 22) else 2 if total > to_beat else 0


@jit
def lose_to_blackjack(table: Hands, at: int, hands: int) -> None:
    """The dealer turns up a blackjack nobody peeked for: so many hands from place `at` on lose, those that wait."""
    for hand in range(at, at + hands):
        if table.to_beat[hand] > 0:
            wager = table.wagers[hand]
            table.ended[hand] = DEALER_BLACKJACK + (wager > 1) + (wager > 2) + (wager > 4)
            table.to_beat[hand] = 0


@bare
def play_rounds(
    rounds: int,
    state: State,
    cards: NDArray[np.uint8],
    house: House,
    play: Play,
    split_pays: NDArray[np.int64],
    tally: Tally,
    table: Hands,
) -> None:
    """Play rounds of one player, from a fresh shoe each, and add what becomes of them to `tally`.

    cards      : uint8 (cards in the shoe,)  in any order; reordered
    split_pays : int64 (split endings,)  net result of a hand of a split round by its ending, in the unit of `tally`
    table      : of one seat; its content does not matter
    """
    reach = tally.split_rounds.shape[1] // 2
    whole = np.uint64(cards.size)
    for _ in range(rounds):
        low, left = np.uint64(0), whole
        state, left, first = draw(state, left, cards)
        state, left, upcard = draw(state, left, cards)
        state, left, second = draw(state, left, cards)
        state, left, hole = draw(state, left, cards)
        u = (upcard >> 2) & 15
        x = (first >> 2) & 15
        y = (second >> 2) & 15
        z = (hole >> 2) & 15

        action = int(play.two_cards[0, u, x, y])
        dealer_blackjack = u + z == TEN and ACE in (u, z)
        if x + y == TEN and ACE in (x, y) and (action == STAND or (dealer_blackjack and house.peeks)):
            # the peek comes before a double
            tally.ends[PUSH if dealer_blackjack and not house.twenty_one_wins else BLACKJACK] += 1
            continue
        if dealer_blackjack and house.peeks:
            tally.ends[DEALER_BLACKJACK] += 1
            continue
        if action == BY_SUITS:
            place, suits = suits_index(x, first & 3, y, second & 3, upcard & 3 if SIX <= u <= EIGHT else 0)
            action = int(play.by_suits[0, u, place, suits])
        if action == SURRENDER:
            tally.ends[DEALER_BLACKJACK if dealer_blackjack else SURRENDERED] += 1
            continue
        state, low, left, hands, standing, last = play_hands(
            state, low, left, cards, whole, house, play, u, upcard, first, second, action, 0, table
        )
        if dealer_blackjack:
            lose_to_blackjack(table, 0, hands)
        elif standing:
            state, low, left, total = play_dealer(state, low, left, cards, whole, house, u, z)
            for hand in range(hands):
                if table.to_beat[hand] > 0:
                    table.ended[hand] += compared(table.to_beat[hand], total)

        if action != SPLIT:
            ending = table.ended[0]
            tally.ends[ending] += 1
            if THREE_SEVENS <= ending < TWENTY_ONE and is_super_bonus(
                house.super_bonus_by_suit, upcard, first, second, last
            ):
                tally.super_bonus[ending] += 1
            continue
        net = reach
        made = 0
        for hand in range(hands):
            tally.split_ends[table.ended[hand]] += 1
            net += split_pays[table.ended[hand]]
            made += table.wagers[hand]
        tally.split_rounds[hands - 2, net, made] += 1
