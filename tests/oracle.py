"""An oracle for the family of 21: whole rounds on tiny shoes, in fractions, card by card.

Small, slow and obvious; it shares nothing with the package it is a witness for. Two halves:

* what the player knows: the values of his actions given his own cards, the upcard, and that the dealer has
  no blackjack. The hole card is one of the unseen cards; his next card comes after it, from the others.
* what happens: player, player, upcard, hole card, peek, the hands one after another, the dealer. Every card
  leaves the shoe when it is dealt, and the hole card is a given card from the start.

Money is in initial wagers. A card is ``(value, suit)``: value 0 = ace, 1..8 = 2..9, 9 = ten-valued; suit 0 =
spades, 1..3 the others. Only a 6, 7 or 8 has a suit (else None), drawn from the ``decks`` cards of each suit
less those looked at in this round. Looked at are the suits a pay can depend on: the first two cards, the
upcard, and the cards of a hand that may be part of a 6-7-8 or 7-7-7. The others change nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache, cached_property
from typing import NamedTuple

Card = tuple[int, int | None]
Hand = tuple[Card, ...]
Counts = tuple[int, ...]

SPANISH_PAYS: Mapping[str, Fraction] = {
    "blackjack": Fraction(3, 2),
    "five_card_21": Fraction(3, 2),
    "six_card_21": Fraction(2),
    "seven_card_21": Fraction(3),
    "six_seven_eight_mixed": Fraction(3, 2),
    "six_seven_eight_suited": Fraction(2),
    "six_seven_eight_spades": Fraction(3),
    "three_sevens_mixed": Fraction(3, 2),
    "three_sevens_suited": Fraction(2),
    "three_sevens_spades": Fraction(3),
}


class ShoeExhaustedError(Exception):
    """A line of play needs a card and the shoe has none: the shoe is too small to be a case."""


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one table; the defaults are Spanish 21, H17, doubled once. Compared by identity."""

    decks: int = 6
    dealer_hits_soft_17: bool = True
    twenty_one_wins: bool = True
    double_on_any_cards: bool = True
    max_doubles: int = 1
    rescue: bool = True
    rescue_forfeits: str = "half_of_wager"
    late_surrender: bool = True
    max_hands: int = 4
    draw_to_split_aces: bool = True
    card_count_bonus_after_split: bool = True
    super_bonus: Fraction = Fraction(0)
    double_from: int = 0
    """Only hard totals from this one to 11 may double; 0: all."""
    double_after_split: bool = True
    resplit_aces: bool = True
    double_split_aces: bool | None = None
    """None: as they may be drawn to."""
    peek: bool = True
    pays: Mapping[str, Fraction] = field(default_factory=lambda: SPANISH_PAYS)

    def __post_init__(self) -> None:
        known = set(self.pays) <= set(SPANISH_PAYS)
        known &= self.rescue_forfeits in ("half_of_wager", "original_wager")
        ordinary = not self.rescue and self.max_doubles == 1 and set(self.pays) <= {"blackjack"}
        if not (known and 1 <= self.max_doubles <= 3 and 2 <= self.max_hands <= 5):
            raise ValueError(self)
        if not (self.twenty_one_wins or ordinary):
            raise ValueError("ordinary blackjack has no rescue, no redoubling, no bonus")
        if self.twenty_one_wins and not self.peek:
            raise ValueError("where a 21 wins at once, the dealer peeks")

    def may(self, action: str, hand: Hand, kind: str) -> bool:
        """Whether an undoubled hand below 21, or a soft 21, may be hit or doubled: "unsplit", "split", "aces"."""
        aces = kind == "aces"
        if action == "hit":
            return self.draw_to_split_aces or not aces
        if not self.double_on_any_cards and len(hand) > 2:
            return False
        points, soft = total(hand)
        if self.double_from and (soft or not self.double_from <= points <= 11):
            return False
        if kind != "unsplit" and not self.double_after_split:
            return False
        doubled = self.draw_to_split_aces if self.double_split_aces is None else self.double_split_aces
        return doubled or not aces

    def hands_of(self, value: int) -> int:
        """The most hands that splitting cards of this value can make."""
        return 2 if value == 0 and not self.resplit_aces else self.max_hands

    @cached_property
    def suits_matter(self) -> bool:
        return bool(self.super_bonus) or any(event.startswith(("six_seven", "three")) for event in self.pays)


@dataclass(frozen=True, eq=False)
class Game:
    """A table and a shoe; the hands are decided as in another game if there is a `decider`."""

    rules: Rules
    counts: Counts
    decider: Game | None = None


@cache
def game_of(rules: Rules, counts: Counts) -> Game:
    if len(counts) != 10 or (rules.suits_matter and max(counts[5:8]) > 4 * rules.decks):
        raise ValueError(counts)
    return Game(rules, counts)


# ---------------------------------------------------------------- hands and pays


def total(hand: Hand) -> tuple[int, bool]:
    """The best total of a hand, and whether it is soft."""
    hard = sum(value + 1 for value, _ in hand)
    soft = hard <= 11 and any(value == 0 for value, _ in hand)
    return (hard + 10, True) if soft else (hard, False)


@cache
def can_be_suited(hand: Hand) -> bool:
    """Whether the hand is, or with more cards can be, a 6-7-8 or a 7-7-7."""
    values = tuple(sorted(value for value, _ in hand))
    return values in {(5,), (6,), (7,), (5, 6), (5, 7), (6, 7), (6, 6), (5, 6, 7), (6, 6, 6)}


@cache
def tidy(rules: Rules, hand: Hand) -> Hand:
    """The hand in order, without the suits that no longer matter."""
    if rules.suits_matter and can_be_suited(hand):
        return tuple(sorted(hand))
    return tuple(sorted((value, None) for value, _ in hand))


def pay_of_21(rules: Rules, hand: Hand, split: bool) -> Fraction:
    """What an undoubled 21 pays, to 1."""
    event = ""
    values = sorted(value for value, _ in hand)
    if len(hand) == 2 and not split:
        event = "blackjack"
    elif values in ([5, 6, 7], [6, 6, 6]) and rules.suits_matter:
        suits = {suit for _, suit in hand}
        event = "six_seven_eight" if values == [5, 6, 7] else "three_sevens"
        event += "_mixed" if len(suits) > 1 else "_spades" if suits == {0} else "_suited"
    elif len(hand) >= 5 and (rules.card_count_bonus_after_split or not split):
        event = {5: "five_card_21", 6: "six_card_21"}.get(len(hand), "seven_card_21")
    return rules.pays.get(event, Fraction(1))


def super_bonus(rules: Rules, hand: Hand, upcard: Card) -> Fraction:
    """The Super Bonus of an unsplit, undoubled hand."""
    if not rules.super_bonus or [value for value, _ in (*hand, upcard)] != [6, 6, 6, 6]:
        return Fraction(0)
    suits = {suit for _, suit in hand}
    won = len(suits) == 1 if rules.decks >= 3 else (suits == {1, 2, 3} and upcard[1] == 0)
    return rules.super_bonus if won else Fraction(0)


def settle(rules: Rules, hand: Hand, doubles: int, split: bool, dealer: int) -> Fraction:
    """The result of a hand that is bust or stands, against the dealer's last total or BLACKJACK."""
    wager = Fraction(2**doubles)
    points, _ = total(hand)
    natural = points == 21 and len(hand) == 2 and not split and doubles == 0
    if points > 21 or (dealer == BLACKJACK and not natural):
        return -wager
    if dealer == BLACKJACK:
        return Fraction(0)
    if points == 21 and (rules.twenty_one_wins or (len(hand) == 2 and not split)):
        return wager * (pay_of_21(rules, hand, split) if doubles == 0 else 1)
    if dealer == 0:
        raise ShoeExhaustedError
    if dealer > 21 or points > dealer:
        return wager
    return -wager if points < dealer else Fraction(0)


def surrendered(dealer: int) -> Fraction:
    """A surrender is one after the peek: it does not stand against a blackjack that comes to light later."""
    return Fraction(-1) if dealer == BLACKJACK else Fraction(-1, 2)


def rescued(rules: Rules, doubles: int) -> Fraction:
    return -Fraction(2**doubles, 2) if rules.rescue_forfeits == "half_of_wager" else Fraction(-1)


def best(actions: Mapping[str, Fraction]) -> str:
    """The best action; among equals the one that comes first: no more money than needed."""
    order = ("stand", "hit", "rescue", "surrender", "double", "split")
    return min(actions, key=lambda action: (-actions[action], order.index(action)))


# ---------------------------------------------------------------- cards leave the shoe


def less(unseen: Counts, *cards: Card) -> Counts:
    left = list(unseen)
    for value, _ in cards:
        left[value] -= 1
    if min(left) < 0:
        raise ValueError(f"{cards} cannot be in {unseen}")
    return tuple(left)


@cache
def draws(unseen: Counts) -> list[tuple[int, Fraction, Counts]]:
    """Every value the next card may have: value, probability, what is left."""
    cards = sum(unseen)
    if cards == 0:
        raise ShoeExhaustedError
    return [(value, Fraction(n, cards), less(unseen, (value, None))) for value, n in enumerate(unseen) if n]


def hole_cards(rules: Rules, unseen: Counts, upcard: Card) -> list[tuple[int, Fraction, Counts]]:
    """The same for the hole card, given that the dealer has no blackjack if he has peeked for it."""
    possible = [draw for draw in draws(unseen) if not rules.peek or {upcard[0], draw[0]} != {0, 9}]
    chance = sum(p for _, p, _ in possible)
    return [(value, p / chance, left) for value, p, left in possible]


def faces(rules: Rules, value: int, looked: Hand, look: bool) -> list[tuple[Card, Fraction]]:
    """The card of this value: with its suit, if it has one and is looked at."""
    if not (look and rules.suits_matter and value in (5, 6, 7)):
        return [((value, None), Fraction(1))]
    left = [rules.decks - looked.count((value, suit)) for suit in range(4)]
    return [((value, suit), Fraction(n, sum(left))) for suit, n in enumerate(left) if n]


BLACKJACK = -1
"""The dealer's, where he has not peeked for it."""


@cache
def dealer_totals(h17: bool, cards: tuple[int, ...], unseen: Counts) -> dict[int, Fraction]:
    """The dealer's last total (22 = bust, 0 = the shoe ran out before he had one) from his cards, sorted."""
    if cards == (0, 9):
        return {BLACKJACK: Fraction(1)}
    points, soft = total(tuple((value, None) for value in cards))
    if points > 17 or (points == 17 and not (soft and h17)):
        return {min(points, 22): Fraction(1)}
    if not any(unseen):
        return {0: Fraction(1)}
    out: dict[int, Fraction] = defaultdict(Fraction)
    for value, p, left in draws(unseen):
        for last, q in dealer_totals(h17, tuple(sorted((*cards, value))), left).items():
            out[last] += p * q
    return out


# ---------------------------------------------------------------- what the player knows


def values(
    game: Game, hand: Hand, upcard: Card, doubles: int = 0, with_super: bool = False, kind: str = "unsplit"
) -> dict[str, Fraction]:
    """EVs of a hand that is no part of a split, whatever hands of that kind may do, besides surrender and split."""
    hand = tidy(game.rules, hand)
    return _values(game, hand, upcard if hand[0][1] is not None else (upcard[0], None), doubles, with_super, kind)


@cache
def _values(game: Game, hand: Hand, upcard: Card, doubles: int, with_super: bool, kind: str) -> dict[str, Fraction]:
    rules = game.rules
    points, soft = total(hand)
    out = {"stand": Fraction(0)}
    for hole, p, left in hole_cards(rules, less(game.counts, *hand, upcard), upcard):
        cards = tuple(sorted((upcard[0], hole)))
        for last, q in dealer_totals(rules.dealer_hits_soft_17, cards, left).items():
            out["stand"] += p * q * settle(rules, hand, doubles, False, last)
    if with_super and doubles == 0:
        out["stand"] += super_bonus(rules, hand, upcard)
    if points < 21 and doubles == 0 and rules.may("hit", hand, kind):
        out["hit"] = drawn(game, hand, upcard, 0, with_super, kind)
    if points < 21 and doubles > 0 and rules.rescue:
        out["rescue"] = rescued(rules, doubles)
    may_double = rules.may("double", hand, kind) if doubles == 0 else doubles < rules.max_doubles
    if may_double and (points < 21 or (soft and doubles == 0)):
        out["double"] = drawn(game, hand, upcard, doubles + 1, False, kind)
    return out


def drawn(game: Game, hand: Hand, upcard: Card, doubles: int, with_super: bool, kind: str) -> Fraction:
    """The value of one more card: the hole card is taken from the unseen cards first, then the player's."""
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for _, p, left in hole_cards(game.rules, less(game.counts, *hand, upcard), upcard):
        for value, q, _ in draws(left):
            chances[value] += p * q
    out = Fraction(0)
    for value, p in chances.items():
        look = can_be_suited((*hand, (value, None)))
        for card, q in faces(game.rules, value, (*hand, upcard), look):
            after = (*hand, card)
            if total(after)[0] > 21:
                out -= p * q * 2**doubles
            else:
                out += p * q * max(values(game, after, upcard, doubles, with_super, kind).values())
    return out


@cache
def first_values(game: Game, hand: Hand, upcard: Card) -> dict[str, Fraction]:
    """EVs of the first decision; either card of a pair is as likely to become the first hand."""
    out = dict(values(game, hand, upcard, with_super=True))
    if game.rules.late_surrender and total(hand)[0] < 21:
        holes = hole_cards(game.rules, less(game.counts, *hand, upcard), upcard)
        out["surrender"] = sum(
            (p * surrendered(BLACKJACK if {upcard[0], hole} == {0, 9} else 0) for hole, p, _ in holes), Fraction(0)
        )
    if hand[0][0] == hand[1][0]:
        out["split"] = Fraction(0)
        for hole, p, left in hole_cards(game.rules, less(game.counts, *hand, upcard), upcard):
            for order in (hand, hand[::-1]):
                table = Table(upcard, hole, left, suited(*hand, upcard))
                for (_, net, _), q in act(game, "split", order, 0, table).items():
                    out["split"] += p * q * net / 2
    return out


# ---------------------------------------------------------------- what happens


class Table(NamedTuple):
    """What lies on the table, what is left in the shoe, and where the player is in his hands."""

    upcard: Card
    hole: int
    unseen: Counts
    looked: Hand
    """The cards whose suits were looked at, sorted."""
    waiting: Hand = ()
    """The first cards of the split hands to come."""
    hands: int = 1
    kind: str = "unsplit"
    """What the hands may do: see `Rules.may`."""


Outcomes = dict[tuple[int, Fraction, int], Fraction]
"""(dealer's last total, net result of the hands still to be settled, their wagers) -> probability."""


def suited(*cards: Card) -> Hand:
    return tuple(sorted(card for card in cards if card[1] is not None))


def dealt(rules: Rules, table: Table, look: Mapping[int, bool]) -> Iterator[tuple[Card, Fraction, Table]]:
    """Every next card, its suit looked at for some values, and the table after it."""
    for value, p, left in draws(table.unseen):
        for card, q in faces(rules, value, table.looked, look[value]):
            yield card, p * q, table._replace(unseen=left, looked=suited(*table.looked, card))


def play(game: Game, hand: Hand, doubles: int, table: Table) -> Outcomes:
    """The rest of the round: this hand if there is one, the waiting ones, then the dealer."""
    hand, waiting = tidy(game.rules, hand), table.waiting
    if not (game.rules.suits_matter and (can_be_suited(hand) or can_be_suited(waiting[:1]))):
        waiting = tuple((value, None) for value, _ in waiting)
        return _play(game, hand, doubles, table._replace(upcard=(table.upcard[0], None), looked=(), waiting=waiting))
    looked = tuple(card for card in table.looked if table.unseen[card[0]])
    names: dict[int | None, int | None] = {None: None, 0: 0}
    for _, suit in (*waiting, *hand, table.upcard, *looked):
        names.setdefault(suit, len(names) - 1)

    def renamed(cards: Hand) -> Hand:
        return tuple((value, names[suit]) for value, suit in cards)

    table = table._replace(
        upcard=renamed((table.upcard,))[0], looked=suited(*renamed(looked)), waiting=renamed(waiting)
    )
    return _play(game, tidy(game.rules, renamed(hand)), doubles, table)


@cache
def _play(game: Game, hand: Hand, doubles: int, table: Table) -> Outcomes:
    rules = game.rules
    if hand:
        bust = total(hand)[0] > 21
        action = "stand" if bust else best(values(game.decider or game, hand, table.upcard, doubles, kind=table.kind))
        return act(game, action, hand, doubles, table)
    if not table.waiting:
        cards = tuple(sorted((table.upcard[0], table.hole)))
        last = dealer_totals(rules.dealer_hits_soft_17, cards, table.unseen)
        return {(points, Fraction(0), 0): p for points, p in last.items()}
    first, later = table.waiting[0], table.waiting[1:]
    look = {value: value == first[0] or can_be_suited((first, (value, None))) for value in range(10)}
    out: Outcomes = defaultdict(Fraction)
    for card, p, after in dealt(rules, table._replace(waiting=later), look):
        if card[0] == first[0] and table.hands < rules.hands_of(card[0]):
            resplit = after._replace(waiting=(first, card, *later), hands=table.hands + 1)
            rest = play(game, (), 0, resplit)
        else:
            rest = play(game, (first, card), 0, after)
        for end, q in rest.items():
            out[end] += p * q
    return out


def act(game: Game, action: str, hand: Hand, doubles: int, table: Table) -> Outcomes:
    """The rest of the round when this is done with the hand."""
    rules = game.rules
    if action == "split":
        return play(game, (), 0, table._replace(waiting=hand, hands=2, kind="split" if hand[0][0] else "aces"))
    out: Outcomes = defaultdict(Fraction)
    if action in ("hit", "double"):
        look = {value: can_be_suited((*hand, (value, None))) for value in range(10)}
        for card, p, after in dealt(rules, table, look):
            for end, q in play(game, (*hand, card), doubles + (action == "double"), after).items():
                out[end] += p * q
        return out
    for (last, net, wagers), p in play(game, (), 0, table).items():
        if action == "stand":
            result = settle(rules, hand, doubles, table.hands > 1, last)
            if table.hands == 1 and doubles == 0:
                result += super_bonus(rules, hand, table.upcard)
        else:
            result = rescued(rules, doubles) if action == "rescue" else surrendered(last)
        out[last, net + result, wagers + 2**doubles] += p
    return out


class Round(NamedTuple):
    """A whole round in initial wagers."""

    ev: Fraction
    wagered: Fraction
    """Initial wager, doubles and splits, before any rescue takes chips back."""
    variance: Fraction
    outcomes: dict[tuple[Fraction, int], Fraction]
    """(net result, wagered) -> probability."""
    endings: dict[str, Fraction]
    """The first decision, or blackjack, dealer_blackjack, two_blackjacks -> probability."""


def deals(rules: Rules, unseen: Counts, cards: int) -> Iterator[tuple[Hand, Fraction, Counts]]:
    """Every sequence of so many cards, all their suits looked at."""
    if cards == 0:
        yield (), Fraction(1), unseen
        return
    for before, p, shoe in deals(rules, unseen, cards - 1):
        for value, q, left in draws(shoe):
            for card, r in faces(rules, value, before, look=True):
                yield (*before, card), p * q * r, left


@cache
def played(game: Game) -> Round:
    """Every deal: two cards, upcard, hole card; the peek; the first decision; the rest."""
    rules = game.rules
    outcomes: dict[tuple[Fraction, int], Fraction] = defaultdict(Fraction)
    endings: dict[str, Fraction] = defaultdict(Fraction)
    for cards, p, unseen in deals(rules, game.counts, 3):
        hand, upcard = cards[:2], cards[2]
        natural = total(hand)[0] == 21
        for hole, q, left in draws(unseen):
            if rules.peek and {upcard[0], hole} == {0, 9}:
                ending = "two_blackjacks" if natural else "dealer_blackjack"
                paid = pay_of_21(rules, hand, False) if rules.twenty_one_wins else Fraction(0)
                rest: Outcomes = {(21, paid if natural else Fraction(-1), 1): Fraction(1)}
            else:
                ending = best(first_values(game.decider or game, tuple(sorted(hand)), upcard))
                rest = act(game, ending, hand, 0, Table(upcard, hole, left, suited(*cards)))
                ending = "blackjack" if natural and ending == "stand" else ending
            endings[ending] += p * q
            for (_, net, wagers), chance in rest.items():
                outcomes[net, wagers] += p * q * chance
    ev = sum((net * p for (net, _), p in outcomes.items()), Fraction(0))
    square = sum((net * net * p for (net, _), p in outcomes.items()), Fraction(0))
    wagered = sum((wagers * p for (_, wagers), p in outcomes.items()), Fraction(0))
    return Round(ev, wagered, square - ev * ev, dict(outcomes), dict(endings))


# ---------------------------------------------------------------- questions


def action_values(rules: Rules, counts: Counts, hand: Hand, upcard: Card) -> dict[str, Fraction]:
    """EVs of stand, hit, double, surrender, split, given no dealer blackjack.

    `hand` and `upcard` are part of `counts`. Two cards are the first decision, more a later one.
    """
    game, held = game_of(rules, counts), (*hand, upcard)
    unsuited = rules.suits_matter and any(value in (5, 6, 7) and suit is None for value, suit in held)
    if unsuited or any(suit is not None and held.count((value, suit)) > rules.decks for value, suit in held):
        raise ValueError(f"{hand} against {upcard} cannot be dealt")
    return first_values(game, tuple(sorted(hand)), upcard) if len(hand) == 2 else values(game, hand, upcard)


def after_double_values(
    rules: Rules, counts: Counts, hand: Hand, upcard: Card, doubles: int = 1
) -> dict[str, Fraction]:
    """EVs of stand, rescue, double (again), with the hand after so many doubles."""
    return values(game_of(rules, counts), hand, upcard, doubles)


def round_value(rules: Rules, counts: Counts) -> Round:
    """The round off this shoe, played by the best first decisions and `cdz_minus` splits."""
    return played(game_of(rules, counts))


def event_rate(rules: Rules, counts: Counts, event: str) -> Fraction:
    """How often a round is paid this event of the pay table, on average: the EV of one more unit for it."""
    richer = replace(rules, pays={**rules.pays, event: rules.pays.get(event, Fraction(1)) + 1})
    return played(Game(richer, counts, game_of(rules, counts))).ev - round_value(rules, counts).ev
