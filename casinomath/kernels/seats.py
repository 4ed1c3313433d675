"""The family of 21 at a table of several seats, dealt to a cut card, with bets on the side settled in the same rounds.

Hands are played as in `kernels.rounds`. What a round comes to is added up over the seats, for they face one dealer:
a standard error must know that they win and lose together. So must covariances of bets, whose products are summed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import (
    BLACKJACK,
    DEALER_BLACKJACK,
    ENDINGS,
    PUSH,
    SPLIT,
    SPLIT_ENDINGS,
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
    MOST_HANDS,
    SIX,
    TEN,
    Hands,
    House,
    Play,
    compared,
    is_super_bonus,
    lose_to_blackjack,
    new_hands,
    play_dealer,
    play_hands,
    suits_index,
)
from casinomath.kernels.shoe import RESTOCK, State, deal, draw

MOST_SEATS = 7

NO_ACE, NO_BLACKJACK, BLACKJACK_OF_TWO_COLOURS, BLACKJACK_OF_ONE_COLOUR, BLACKJACK_OF_ONE_SUIT = range(5)
"""What the peek shows under an ace; NO_ACE where the upcard is none."""
SEEN = 5 * 81
"""Things that a bet on the side may see: the peek and 4 relations of a player's card to a dealer's, 0 to 2 each."""

SLOTS = 2**13
"""Places of a ledger; it is emptied when it is half full, and a shoe can't fill the other half."""
HALF = 20
LOW = 2**HALF - 1
MOST = 2 ** (2 * HALF + 1)
"""Units that a bet may win in a round: of `CALL_ROUNDS` products of them, no sum overflows."""
CALL_ROUNDS = 2**20


class Dealing(NamedTuple):
    """How a shoe is dealt."""

    pool: NDArray[np.uint8]
    """(cards of full decks,) by value, in any order within a value."""
    full: NDArray[np.int64]
    """(10,) their number by value."""
    counts: NDArray[np.int64]
    """(10,) cards by value that are in the shoe when it is shuffled: a random choice of the full decks' cards."""
    seats: int
    cut: int
    """Cards dealt after which the round is the last one of the shoe; burned cards count."""
    burn: int
    """Cards burned after a shuffle."""


class Pays(NamedTuple):
    """What hands win, in units."""

    ends: NDArray[np.int64]
    """(endings,) of unsplit hands."""
    split_ends: NDArray[np.int64]
    """(split endings,) of split hands."""
    super_bonus: int
    """What a Super Bonus brings the table: the prize, and the envy of all other seats."""


class Bets(NamedTuple):
    """Bets on the side that every seat makes."""

    net: NDArray[np.int64]
    """(bets, seats, SEEN) net result in units, by the number of seats before this one that won an award."""
    event: NDArray[np.int64]
    """(bets, SEEN) the number of the event, -1 where the bet is not made."""
    award: NDArray[np.bool_]
    """(bets, SEEN) whether it is an award that leaves less for the seats that follow."""


class Results(NamedTuple):
    """What became of the rounds, as counts and sums to add to."""

    ends: NDArray[np.int64]
    """(endings,) unsplit rounds of a seat."""
    split_ends: NDArray[np.int64]
    """(split endings,) hands of split rounds."""
    splits: NDArray[np.int64]
    """(4,) rounds of a seat that were split to 2, 3, 4, 5 hands."""
    super_bonuses: NDArray[np.int64]
    """(1,)"""
    events: NDArray[np.int64]
    """(bets, events) of the bets on the side, seat by seat."""
    products: NDArray[np.int64]
    """(1 + pairs of bets, 3) as `add_product` adds: Σ (net of a shoe)²; Σ net × net of bets 0, 1; 0, 2; 1, 2; …"""
    shoes: NDArray[np.int64]
    """(4,) shoes, Σ net × rounds, Σ rounds² and Σ net of first rounds."""
    cells: NDArray[np.int64]
    """(10, 10, 10, 3) by upcard and first two cards, lower value first: rounds of a seat that a peek did not end,
    Σ net and Σ net²; (0, 0, 0, 3) where nobody asks."""
    out_of_cards: NDArray[np.int64]
    """(1,) rounds that would have needed more cards than there are; nothing else is then right."""


class Scratch(NamedTuple):
    """What a kernel needs to play a round; its content does not matter."""

    firsts: NDArray[np.int64]
    """(seats,) and so the next four: first card, second card, last card drawn, number of hands, whether split."""
    seconds: NDArray[np.int64]
    lasts: NDArray[np.int64]
    numbers: NDArray[np.int64]
    splits: NDArray[np.int64]
    table: Hands
    nets: NDArray[np.int64]
    """(bets + 1,) net results of the round."""


class Ledger(NamedTuple):
    """Rounds by what a bet won and what was wagered on it: an open-addressed table for each bet, the main one first."""

    rounds: NDArray[np.int64]
    """(bets + 1, SLOTS) 0: the place is free."""
    net: NDArray[np.int64]
    """(bets + 1, SLOTS) in units."""
    wagered: NDArray[np.int64]
    """(bets + 1, SLOTS) in initial wagers."""
    used: NDArray[np.int64]
    """(bets + 1,) places that are not free."""


def new_results(bets: int, events: int, *, by_cell: bool) -> Results:
    """Return results of nothing, for so many bets on the side and at most so many events of each."""

    def none(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, dtype=np.int64)

    ends, split_ends = none(len(ENDINGS)), none(len(SPLIT_ENDINGS))
    splits, products = none(MOST_HANDS - 1), none(1 + bets * (bets + 1) // 2, 3)
    values = 10 if by_cell else 0
    cells = none(values, values, values, 3)
    return Results(ends, split_ends, splits, none(1), none(bets, events), products, none(4), cells, none(1))


def new_ledger(bets: int) -> Ledger:
    """Return an empty ledger for the main bet and so many others."""
    rounds, net, wagered = np.zeros((3, bets + 1, SLOTS), dtype=np.int64)
    return Ledger(rounds, net, wagered, np.zeros(bets + 1, dtype=np.int64))


def new_scratch(seats: int, bets: int) -> Scratch:
    """Return arrays for so many seats and bets on the side."""
    firsts, seconds, lasts, numbers, splits = np.zeros((5, seats), dtype=np.int64)
    nets = np.zeros(bets + 1, dtype=np.int64)
    return Scratch(firsts, seconds, lasts, numbers, splits, new_hands(seats), nets)


@bare
def note(ledger: Ledger, bet: int, net: int, wagered: int) -> None:
    """Add a round of a bet to the ledger."""
    slot = ((net * 40503 + wagered * 30011) >> 3) & (SLOTS - 1)
    while ledger.rounds[bet, slot] > 0 and (ledger.net[bet, slot] != net or ledger.wagered[bet, slot] != wagered):
        slot = (slot + 1) & (SLOTS - 1)
    if ledger.rounds[bet, slot] == 0:
        ledger.net[bet, slot] = net
        ledger.wagered[bet, slot] = wagered
        ledger.used[bet] += 1
    ledger.rounds[bet, slot] += 1


@bare
def is_half_full(ledger: Ledger) -> bool:
    """Whether the ledger should be emptied."""
    fullest = 0
    for used in ledger.used:
        fullest = max(fullest, used)
    return 2 * fullest > SLOTS


@bare
def add_product(sums: NDArray[np.int64], row: int, one: int, other: int) -> None:
    """Add one × other to a number kept as sums[row, 0] × 2^40 + sums[row, 1] × 2^20 + sums[row, 2]: none overflows."""
    high, low = one >> HALF, one & LOW
    other_high, other_low = other >> HALF, other & LOW
    sums[row, 0] += high * other_high
    sums[row, 1] += high * other_low + low * other_high
    sums[row, 2] += low * other_low


@bare
def shuffle(state: State, dealing: Dealing, cards: NDArray[np.uint8]) -> State:
    """Put the shoe's cards into `cards`: of each value, as many as it has, chosen from those of the full decks."""
    start = place = 0
    for value in range(10):
        number, full = dealing.counts[value], dealing.full[value]
        left = np.uint64(full)
        # the fewer of those that are in the shoe and those that are not are drawn, to the end of the value's part
        for _ in range(min(number, full - number)):
            state, _low, left, _card = deal(state, np.uint64(start), left, dealing.pool, np.uint64(0))
        first = start if full - number <= number else start + full - number
        for card in range(first, first + number):
            cards[place] = dealing.pool[card]
            place += 1
        start += full
    return state


@bare
def relation(card: int, dealers: int) -> int:
    """How a card stands to a dealer's: 0 no match, 1 of its rank, 2 of its suit too."""
    if card == dealers:
        return 2
    return 1 if card >> 2 == dealers >> 2 else 0


@bare
def peek(upcard: int, hole: int) -> int:
    """What the peek shows."""
    if (upcard >> 2) & 15 != ACE:
        return NO_ACE
    if (hole >> 2) & 15 != TEN:
        return NO_BLACKJACK
    suit, other = upcard & 3, hole & 3
    if suit == other:
        return BLACKJACK_OF_ONE_SUIT
    return BLACKJACK_OF_ONE_COLOUR if suit + other == 3 else BLACKJACK_OF_TWO_COLOURS


@bare
def play_table(
    rounds: int,
    state: State,
    cards: NDArray[np.uint8],
    dealing: Dealing,
    house: House,
    play: Play,
    pays: Pays,
    bets: Bets,
    results: Results,
    ledger: Ledger,
    scratch: Scratch,
) -> tuple[int, State]:
    """Play rounds, the first from a fresh shoe, and add what becomes of them to `results` and `ledger`.

    rounds : at most CALL_ROUNDS
    cards  : uint8 (cards in the shoe,)  the shoe, suits chosen, where no card of the full decks is missing; reordered
    Returns the rounds played, which are fewer where the ledger was half full after a shoe, and the generator's state.
    """
    seats, side_bets = dealing.seats, bets.event.shape[0]
    whole = np.uint64(cards.size)
    by_cell = results.cells.size > 0
    some_missing = cards.size < dealing.pool.size
    shuffle_at = np.uint64(cards.size - dealing.cut)
    firsts, seconds, lasts, numbers, splits, table, nets = scratch
    low = left = np.uint64(0)
    shoe_net = shoe_rounds = played = 0
    while True:
        if played == rounds or low > 0 or left <= shuffle_at:
            if shoe_rounds > 0:
                results.shoes[0] += 1
                add_product(results.products, 0, shoe_net, shoe_net)
                results.shoes[1] += shoe_net * shoe_rounds
                results.shoes[2] += shoe_rounds * shoe_rounds
            if played == rounds or is_half_full(ledger):
                return played, state
            shoe_net = shoe_rounds = 0
            if some_missing:
                state = shuffle(state, dealing, cards)
            low, left = np.uint64(0), whole
            for _ in range(dealing.burn):
                state, left, _burned = draw(state, left, cards)
        begun_with = left
        for seat in range(seats):
            state, low, left, firsts[seat] = deal(state, low, left, cards, begun_with)
        state, low, left, upcard = deal(state, low, left, cards, begun_with)
        for seat in range(seats):
            state, low, left, seconds[seat] = deal(state, low, left, cards, begun_with)
        state, low, left, hole = deal(state, low, left, cards, begun_with)
        u = (upcard >> 2) & 15
        z = (hole >> 2) & 15
        dealer_blackjack = u + z == TEN and ACE in (u, z)
        table_waits = False
        for seat in range(seats):
            first, second = firsts[seat], seconds[seat]
            at = seat * MOST_HANDS
            x = (first >> 2) & 15
            y = (second >> 2) & 15
            action = int(play.two_cards[0, u, x, y])
            numbers[seat] = 1
            splits[seat] = 0
            table.wagers[at] = 1
            table.to_beat[at] = 0
            if x + y == TEN and ACE in (x, y) and (action == STAND or (dealer_blackjack and house.peeks)):
                table.ended[at] = PUSH if dealer_blackjack and not house.twenty_one_wins else BLACKJACK
                continue
            if dealer_blackjack and house.peeks:
                table.ended[at] = DEALER_BLACKJACK
                continue
            if action == BY_SUITS:
                place, suits = suits_index(x, first & 3, y, second & 3, upcard & 3 if SIX <= u <= EIGHT else 0)
                action = int(play.by_suits[0, u, place, suits])
            if action == SURRENDER:
                table.ended[at] = DEALER_BLACKJACK if dealer_blackjack else SURRENDERED
                continue
            splits[seat] = action == SPLIT
            state, low, left, numbers[seat], waits, lasts[seat] = play_hands(
                state, low, left, cards, begun_with, house, play, u, upcard, first, second, action, at, table
            )
            table_waits = table_waits or waits
        total = 0
        if dealer_blackjack:
            for seat in range(seats):
                lose_to_blackjack(table, seat * MOST_HANDS, numbers[seat])
        elif table_waits:
            state, low, left, total = play_dealer(state, low, left, cards, begun_with, house, u, z)

        net = wagered = 0
        for seat in range(seats):
            at = seat * MOST_HANDS
            before = net
            for hand in range(at, at + numbers[seat]):
                if table.to_beat[hand] > 0:
                    table.ended[hand] += compared(table.to_beat[hand], total)
                wagered += table.wagers[hand]
            if splits[seat] > 0:
                results.splits[numbers[seat] - 2] += 1
                for hand in range(at, at + numbers[seat]):
                    results.split_ends[table.ended[hand]] += 1
                    net += pays.split_ends[table.ended[hand]]
            else:
                ending = table.ended[at]
                results.ends[ending] += 1
                net += pays.ends[ending]
                if THREE_SEVENS <= ending < TWENTY_ONE and is_super_bonus(
                    house.super_bonus_by_suit, upcard, firsts[seat], seconds[seat], lasts[seat]
                ):
                    results.super_bonuses[0] += 1
                    net += pays.super_bonus
            if by_cell and not (dealer_blackjack and house.peeks):
                x = (firsts[seat] >> 2) & 15
                y = (seconds[seat] >> 2) & 15
                low_value, high_value = min(x, y), max(x, y)
                results.cells[u, low_value, high_value, 0] += 1
                results.cells[u, low_value, high_value, 1] += net - before
                results.cells[u, low_value, high_value, 2] += (net - before) ** 2
        note(ledger, 0, net, wagered)
        if shoe_rounds == 0:
            results.shoes[3] += net
        shoe_net += net
        shoe_rounds += 1
        played += 1

        if side_bets > 0:
            nets[0] = net
            shown = peek(upcard, hole)
            for bet in range(side_bets):
                net = made = awards = 0
                for seat in range(seats):
                    first, second = firsts[seat], seconds[seat]
                    seen = shown * 9 + 3 * relation(first, upcard) + relation(second, upcard)
                    seen = seen * 9 + 3 * relation(first, hole) + relation(second, hole)
                    event = bets.event[bet, seen]
                    if event >= 0:
                        made += 1
                        net += bets.net[bet, awards, seen]
                        awards += bets.award[bet, seen]
                        results.events[bet, event] += 1
                nets[bet + 1] = net
                if made > 0:
                    note(ledger, bet + 1, net, made)
                    if net != 0:
                        for other in range(bet + 1):
                            add_product(results.products, 1 + bet * (bet + 1) // 2 + other, nets[other], net)
        if low > RESTOCK + whole or (low > 0 and begun_with == whole):
            results.out_of_cards[0] += 1
