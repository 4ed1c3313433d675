"""The family of 21 played by one who counts: a shoe dealt to a cut card, bets and plays that follow the true count.

Hands are played as in `kernels.rounds`, and a shoe is dealt as in `kernels.seats`. The true count is that of
`counting`: minus the sum of the unseen cards' tags, for each deck of unseen cards. It is rounded down. Bets go by the
count before the round; plays and insurance by the count once the player's two cards and the upcard lie there. All
cards of a round are seen by its end, the hole card among them; burned cards never are.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import (
    BLACKJACK,
    DEALER_BLACKJACK,
    PUSH,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    THREE_SEVENS,
    TWENTY_ONE,
)
from casinomath.kernels.jit import bare
from casinomath.kernels.rounds import (
    ACE,
    BY_SUITS,
    EIGHT,
    SIX,
    TEN,
    Hands,
    House,
    Play,
    compared,
    is_super_bonus,
    lose_to_blackjack,
    play_dealer,
    play_hands,
    suits_index,
)
from casinomath.kernels.seats import Dealing, Ledger, Pays, add_product, is_half_full, note, shuffle
from casinomath.kernels.shoe import RESTOCK, State, deal, draw


class Counter(NamedTuple):
    """What one who counts goes by."""

    tags: NDArray[np.int64]
    """(10,) tags by value, in units of 1/`scale`."""
    scale: int
    deck: int
    """Cards of a deck, in which the true count measures the unseen cards."""
    lowest: int
    """The true count of the first place below: lower ones are taken for it, and likewise the highest."""
    bets: NDArray[np.int64]
    """(counts,) what is bet, in units; 0: the round is watched."""
    insures: NDArray[np.bool_]
    """(counts,) insurance is taken, for half of the bet."""
    columns: NDArray[np.int64]
    """(counts,) where the columns of the strategy begin that is played."""


class Counted(NamedTuple):
    """What became of the rounds, as counts and sums to add to."""

    rounds: NDArray[np.int64]
    """(counts, 3) by the true count before the round: rounds, Σ net and Σ net² for a bet of one unit, no insurance."""
    insurance: NDArray[np.int64]
    """(counts, 2) by the true count at which it is offered: offers, and blackjacks of the dealer."""
    shoes: NDArray[np.int64]
    """(4,) shoes, Σ net × rounds, Σ rounds² and Σ net of first rounds, as bet."""
    squares: NDArray[np.int64]
    """(1, 3) Σ (net of a shoe)² as bet, as `add_product` adds."""
    out_of_cards: NDArray[np.int64]
    """(1,) rounds that would have needed more cards than there are; nothing else is then right."""


def new_counted(counts: int) -> Counted:
    """Return results of nothing."""

    def none(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    return Counted(none(counts, 3), none(counts, 2), none(4), none(1, 3), none(1))


@bare
def place_of(counter: Counter, tags: int, unseen: int) -> int:
    """The place of the true count of so many unseen cards, whose tags have that sum."""
    if unseen <= 0:
        return -counter.lowest
    true = (-tags * counter.deck) // (unseen * counter.scale)
    return int(min(max(true - counter.lowest, 0), counter.bets.size - 1))


@bare
def play_counting(
    rounds: int,
    state: State,
    cards: NDArray[np.uint8],
    dealing: Dealing,
    house: House,
    play: Play,
    pays: Pays,
    counter: Counter,
    counted: Counted,
    ledger: Ledger,
    table: Hands,
) -> tuple[int, State]:
    """Play rounds, the first from a fresh shoe, and add what becomes of them to `counted` and `ledger`.

    rounds : at most CALL_ROUNDS of `kernels.seats`
    pays   : in units of which an initial wager has an even number
    ledger : of one bet; what is wagered is counted in half wagers
    Returns the rounds played, which are fewer where the ledger was half full after a shoe, and the generator's state.
    """
    whole = np.uint64(cards.size)
    some_missing = cards.size < dealing.pool.size
    shuffle_at = np.uint64(cards.size - dealing.cut)
    half = -pays.ends[DEALER_BLACKJACK] // 2
    fresh = 0
    for v in range(10):
        fresh += dealing.counts[v] * counter.tags[v]
    low = left = np.uint64(0)
    tags = 0
    shoe_net = shoe_rounds = played = 0
    while True:
        if played == rounds or low > 0 or left <= shuffle_at:
            if shoe_rounds > 0:
                counted.shoes[0] += 1
                add_product(counted.squares, 0, shoe_net, shoe_net)
                counted.shoes[1] += shoe_net * shoe_rounds
                counted.shoes[2] += shoe_rounds * shoe_rounds
            if played == rounds or is_half_full(ledger):
                return played, state
            shoe_net = shoe_rounds = 0
            if some_missing:
                state = shuffle(state, dealing, cards)
            low, left = np.uint64(0), whole
            tags = fresh
            for _ in range(dealing.burn):
                state, left, _burned = draw(state, left, cards)
        begun_with = left
        unseen = int(left) + dealing.burn
        before = place_of(counter, tags, unseen)
        bet = counter.bets[before]

        state, low, left, first = deal(state, low, left, cards, begun_with)
        state, low, left, upcard = deal(state, low, left, cards, begun_with)
        state, low, left, second = deal(state, low, left, cards, begun_with)
        state, low, left, hole = deal(state, low, left, cards, begun_with)
        u = (upcard >> 2) & 15
        z = (hole >> 2) & 15
        x = (first >> 2) & 15
        y = (second >> 2) & 15
        now = place_of(counter, tags - counter.tags[x] - counter.tags[y] - counter.tags[u], unseen - 3)
        column = counter.columns[now] + u
        dealer_blackjack = u + z == TEN and ACE in (u, z)
        insured = 0
        if u == ACE:
            counted.insurance[now, 0] += 1
            counted.insurance[now, 1] += z == TEN
            if counter.insures[now]:
                insured = 2 * half if z == TEN else -half

        hands, split, waits, last = 1, False, False, second
        table.wagers[0] = 1
        table.to_beat[0] = 0
        action = int(play.two_cards[0, column, x, y])
        if x + y == TEN and ACE in (x, y) and (action == STAND or (dealer_blackjack and house.peeks)):
            table.ended[0] = PUSH if dealer_blackjack and not house.twenty_one_wins else BLACKJACK
        elif dealer_blackjack and house.peeks:
            table.ended[0] = DEALER_BLACKJACK
        else:
            if action == BY_SUITS:
                place, suits = suits_index(x, first & 3, y, second & 3, upcard & 3 if SIX <= u <= EIGHT else 0)
                action = int(play.by_suits[0, column, place, suits])
            if action == SURRENDER:
                table.ended[0] = DEALER_BLACKJACK if dealer_blackjack else SURRENDERED
            else:
                split = action == SPLIT
                state, low, left, hands, waits, last = play_hands(
                    state, low, left, cards, begun_with, house, play, column, upcard, first, second, action, 0, table
                )
        if dealer_blackjack and not house.peeks:
            lose_to_blackjack(table, 0, hands)
        elif waits:
            state, low, left, total = play_dealer(state, low, left, cards, begun_with, house, u, z)
            for hand in range(hands):
                if table.to_beat[hand] > 0:
                    table.ended[hand] += compared(table.to_beat[hand], total)
        net = wagered = 0
        for hand in range(hands):
            wagered += table.wagers[hand]
            net += pays.split_ends[table.ended[hand]] if split else pays.ends[table.ended[hand]]
        if not split and THREE_SEVENS <= table.ended[0] < TWENTY_ONE:
            net += pays.super_bonus * is_super_bonus(house.super_bonus_by_suit, upcard, first, second, last)

        counted.rounds[before, 0] += 1
        counted.rounds[before, 1] += net
        counted.rounds[before, 2] += net * net
        net = bet * (net + insured)
        note(ledger, 0, net, bet * (2 * wagered + (insured != 0)))
        if shoe_rounds == 0:
            counted.shoes[3] += net
        shoe_net += net
        shoe_rounds += 1
        played += 1
        if low == 0:
            for place in range(int(left), int(begun_with)):
                tags -= counter.tags[(cards[place] >> 2) & 15]
        if low > RESTOCK + whole or (low > 0 and begun_with == whole):
            counted.out_of_cards[0] += 1
