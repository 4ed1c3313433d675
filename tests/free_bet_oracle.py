"""An oracle for Free Bet Blackjack: whole rounds on tiny shoes, in fractions, card by card.

Like `oracle`, of whose cards it makes use, it is small, slow and obvious, and shares nothing with the package. In two
halves: what the player knows (the values of his actions, given his own cards, the upcard, and no dealer blackjack), and
what happens (player, player, upcard, hole card, peek, the hands one after another, the dealer).

What is on a hand is ``(real, free)``: money that a loss takes, and free bets, which a loss does not cost and a win pays
like money. A hand is its values in order: 0 = ace, 1..8 = 2..9, 9 = ten-valued.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from oracle import Counts, ShoeExhaustedError, draws, less

Hand = tuple[int, ...]
Stake = tuple[int, int]
REAL, FREE = (1, 0), (0, 1)
ACE, TEN = 0, 9
BEYOND_22 = 23


@dataclass(frozen=True)
class Rules:
    """The rules of one table; the defaults are the usual ones."""

    dealer_hits_soft_17: bool = True
    push_22: bool = True
    free_double_cards: int = 2
    """Most cards of a hard 9, 10 or 11 that is doubled for free."""
    paid_double_cards: int = 2
    """Most cards of another hand that is doubled for money."""
    free_pairs: frozenset[int] = frozenset(range(9))
    paid_pairs: frozenset[int] = frozenset({TEN})
    max_hands: int = 4
    resplit_aces: bool = False
    late_surrender: bool = False
    blackjack: Fraction = Fraction(3, 2)


@dataclass(frozen=True, eq=False)
class Game:
    """A table and a shoe."""

    rules: Rules
    counts: Counts


def total(hand: Hand) -> tuple[int, bool]:
    """The best total of a hand, and whether it is soft."""
    hard = sum(value + 1 for value in hand)
    soft = hard <= 11 and ACE in hand
    return (hard + 10, True) if soft else (hard, False)


def doubled(rules: Rules, hand: Hand, stake: Stake) -> Stake | None:
    """What is on a hand once it is doubled; None where it can't be."""
    points, soft = total(hand)
    real, free = stake
    if 9 <= points <= 11 and not soft and len(hand) <= rules.free_double_cards:
        return real, free + 1
    return (real + 1, free) if points < 21 and len(hand) <= rules.paid_double_cards else None


def settle(rules: Rules, hand: Hand, stake: Stake, dealer: int) -> Fraction:
    """The result of a hand that is bust or stands, against the dealer's last total, BEYOND_22 for the other busts."""
    points, _ = total(hand)
    real, free = stake
    if points > 21:
        return Fraction(-real)
    if dealer == 0:
        raise ShoeExhaustedError
    if points == dealer or (dealer == 22 and rules.push_22):
        return Fraction(0)
    return Fraction(real + free if dealer > 21 or points > dealer else -real)


def best(actions: Mapping[str, Fraction]) -> str:
    """The best action; among equals the one that comes first: no more money than needed."""
    order = ("stand", "hit", "surrender", "double", "split")
    return min(actions, key=lambda action: (-actions[action], order.index(action)))


@cache
def dealer_totals(h17: bool, cards: Hand, unseen: Counts) -> dict[int, Fraction]:
    """The dealer's last total (0 = the shoe ran out before he had one) from his cards, sorted."""
    points, soft = total(cards)
    if points > 17 or (points == 17 and not (soft and h17)):
        return {min(points, BEYOND_22): Fraction(1)}
    if not any(unseen):
        return {0: Fraction(1)}
    out: dict[int, Fraction] = defaultdict(Fraction)
    for value, p, left in draws(unseen):
        for last, q in dealer_totals(h17, tuple(sorted((*cards, value))), left).items():
            out[last] += p * q
    return out


def without(counts: Counts, *values: int) -> Counts:
    return less(counts, *((value, None) for value in values))


@cache
def hole_cards(unseen: Counts, upcard: int) -> list[tuple[int, Fraction, Counts]]:
    """Every hole card that makes no blackjack."""
    possible = [draw for draw in draws(unseen) if {upcard, draw[0]} != {ACE, TEN}]
    chance = sum(p for _, p, _ in possible)
    return [(value, p / chance, left) for value, p, left in possible]


# ---------------------------------------------------------------- what the player knows


@cache
def values(game: Game, hand: Hand, upcard: int, stake: Stake) -> dict[str, Fraction]:
    """EVs of what may be done with a hand that is no part of a split, besides surrender and split."""
    rules = game.rules
    out = {"stand": Fraction(0)}
    for hole, p, left in hole_cards(without(game.counts, *hand, upcard), upcard):
        for last, q in dealer_totals(rules.dealer_hits_soft_17, tuple(sorted((upcard, hole))), left).items():
            out["stand"] += p * q * settle(rules, hand, stake, last)
    if total(hand)[0] < 21:
        out["hit"] = Fraction(0)
        for value, p in next_card(game, hand, upcard):
            after = tuple(sorted((*hand, value)))
            bust = total(after)[0] > 21
            out["hit"] += p * (-stake[0] if bust else max(values(game, after, upcard, stake).values()))
    if (more := doubled(rules, hand, stake)) is not None:
        out["double"] = Fraction(0)
        for value, p in next_card(game, hand, upcard):
            after = tuple(sorted((*hand, value)))
            bust = total(after)[0] > 21
            out["double"] += p * (-more[0] if bust else values(game, after, upcard, more)["stand"])
    return out


def next_card(game: Game, hand: Hand, upcard: int) -> list[tuple[int, Fraction]]:
    """The hole card is taken from the unseen cards first, then the player's."""
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for _, p, left in hole_cards(without(game.counts, *hand, upcard), upcard):
        for value, q, _ in draws(left):
            chances[value] += p * q
    return list(chances.items())


@cache
def first_values(game: Game, hand: Hand, upcard: int) -> dict[str, Fraction]:
    """EVs of the first decision."""
    rules = game.rules
    out = dict(values(game, hand, upcard, REAL))
    if rules.late_surrender:
        out["surrender"] = Fraction(-1, 2)
    if hand[0] == hand[1] and hand[0] in rules.free_pairs | rules.paid_pairs and rules.max_hands > 1:
        out["split"] = Fraction(0)
        for hole, p, left in hole_cards(without(game.counts, *hand, upcard), upcard):
            for (_, net, _), q in split(game, hand[0], Table(upcard, hole, left)).items():
                out["split"] += p * q * net
    return out


# ---------------------------------------------------------------- what happens


class Table(NamedTuple):
    """What lies on the table, what is left in the shoe, and the first cards of the split hands to come."""

    upcard: int
    hole: int
    unseen: Counts
    waiting: tuple[tuple[int, Stake], ...] = ()
    hands: int = 1


Outcomes = dict[tuple[int, Fraction, int], Fraction]
"""(dealer's last total, net result of the hands still to be settled, the money on them) -> probability."""


def split(game: Game, value: int, table: Table, first: Stake = REAL) -> Outcomes:
    """The rest of the round when a pair is split: what is on the first hand stays there."""
    return play_next(game, _begun(game.rules, value, first, table, 2))


def _begun(rules: Rules, value: int, first: Stake, table: Table, hands: int) -> Table:
    other = FREE if value in rules.free_pairs else REAL
    return table._replace(waiting=((value, first), (value, other), *table.waiting), hands=hands)


@cache
def play_next(game: Game, table: Table) -> Outcomes:
    """The rest of the round: the waiting hands, then the dealer."""
    rules = game.rules
    if not table.waiting:
        last = dealer_totals(rules.dealer_hits_soft_17, tuple(sorted((table.upcard, table.hole))), table.unseen)
        return {(points, Fraction(0), 0): p for points, p in last.items()}
    (first, stake), *later = table.waiting
    out: Outcomes = defaultdict(Fraction)
    for card, p, left in draws(table.unseen):
        after = table._replace(unseen=left, waiting=tuple(later))
        again = card == first and table.hands < rules.max_hands and (first != ACE or rules.resplit_aces)
        if again:
            rest = play_next(game, _begun(rules, first, stake, after, table.hands + 1))
        elif first == ACE:
            rest = stand(game, tuple(sorted((first, card))), stake, after)
        else:
            rest = play(game, tuple(sorted((first, card))), stake, after)
        for end, q in rest.items():
            out[end] += p * q
    return out


@cache
def play(game: Game, hand: Hand, stake: Stake, table: Table) -> Outcomes:
    """The rest of the round: this hand as if it were no part of a split, then the others."""
    if total(hand)[0] > 21:
        return stand(game, hand, stake, table)
    return act(game, best(values(game, hand, table.upcard, stake)), hand, stake, table)


def act(game: Game, action: str, hand: Hand, stake: Stake, table: Table) -> Outcomes:
    """The rest of the round when this is done with the hand."""
    if action == "split":
        return split(game, hand[0], table, stake)
    if action == "surrender":
        last = play_next(game, table)
        return {(points, Fraction(-1, 2), 1): p for (points, _, _), p in last.items()}
    if action == "stand":
        return stand(game, hand, stake, table)
    out: Outcomes = defaultdict(Fraction)
    more = doubled(game.rules, hand, stake) if action == "double" else stake
    assert more is not None
    for card, p, left in draws(table.unseen):
        after = tuple(sorted((*hand, card)))
        further = stand if action == "double" else play
        for end, q in further(game, after, more, table._replace(unseen=left)).items():
            out[end] += p * q
    return out


def stand(game: Game, hand: Hand, stake: Stake, table: Table) -> Outcomes:
    out: Outcomes = defaultdict(Fraction)
    for (last, net, money), p in play_next(game, table).items():
        out[last, net + settle(game.rules, hand, stake, last), money + stake[0]] += p
    return out


class Round(NamedTuple):
    """A whole round in initial wagers."""

    ev: Fraction
    wagered: Fraction
    """Money on the table: free bets are not wagered."""
    outcomes: dict[tuple[Fraction, int], Fraction]
    """(net result, wagered) -> probability."""
    endings: dict[str, Fraction]
    """The first decision, or blackjack, dealer_blackjack, two_blackjacks -> probability."""


def round_value(rules: Rules, counts: Counts) -> Round:
    """Every deal: two cards, upcard, hole card; the peek; the first decision; the rest."""
    return _played(Game(rules, counts))


def _played(game: Game) -> Round:
    outcomes: dict[tuple[Fraction, int], Fraction] = defaultdict(Fraction)
    endings: dict[str, Fraction] = defaultdict(Fraction)
    for dealt in product(range(10), repeat=4):
        p, left = Fraction(1), game.counts
        for value in dealt:
            p *= Fraction(left[value], sum(left))
            if p == 0:
                break
            left = without(left, value)
        if p == 0:
            continue
        hand, upcard, hole = tuple(sorted(dealt[:2])), dealt[2], dealt[3]
        natural = hand == (ACE, TEN)
        rest: Outcomes
        if {upcard, hole} == {ACE, TEN}:
            ending = "two_blackjacks" if natural else "dealer_blackjack"
            rest = {(21, Fraction(0 if natural else -1), 1): Fraction(1)}
        elif natural:
            ending, rest = "blackjack", {(0, game.rules.blackjack, 1): Fraction(1)}
        else:
            ending = best(first_values(game, hand, upcard))
            rest = act(game, ending, hand, REAL, Table(upcard, hole, left))
        endings[ending] += p
        for (_, net, money), q in rest.items():
            outcomes[net, money] += p * q
    ev = sum((net * p for (net, _), p in outcomes.items()), Fraction(0))
    wagered = sum((money * p for (_, money), p in outcomes.items()), Fraction(0))
    return Round(ev, wagered, dict(outcomes), dict(endings))
