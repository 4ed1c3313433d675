"""Blackjack and Free Bet Blackjack from an endless shoe: by totals, in floats, sharing nothing with the package.

Where every card leaves the shoe as it was, a hand is its total and whether an ace counts 11, split hands are strangers
to each other, and the exact value of a round takes a page. It is the witness of `decks = inf`, and what shoes of more
and more decks have to tend to.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

CHANCES = (*(1 / 13,) * 9, 4 / 13)
ACE, FOUR, TEN = 0, 3, 9
Stake = tuple[int, int]
"""(money, free bets) on a hand."""


@dataclass(frozen=True, eq=False)
class Rules:
    """The rules of one table; the defaults are those of Free Bet Blackjack. Compared by identity."""

    h17: bool = True
    push_22: bool = True
    free_double_cards: int = 2
    paid_double: bool = True
    free_pairs: frozenset[int] = frozenset(range(9))
    paid_pairs: frozenset[int] = frozenset({TEN})
    max_hands: int = 4
    resplit_aces: bool = False
    surrender: bool = False


FREE_BET = Rules()
BLACKJACK = Rules(push_22=False, free_double_cards=0, free_pairs=frozenset(), paid_pairs=frozenset(range(10)))


class Hand(NamedTuple):
    """What is to be known of a hand."""

    hard: int
    ace: bool
    two: bool = False

    @property
    def soft(self) -> bool:
        return self.ace and self.hard <= 11

    @property
    def total(self) -> int:
        return self.hard + 10 * self.soft

    def drawn(self, value: int) -> Hand:
        return Hand(self.hard + value + 1, self.ace or value == ACE)


def two_cards(first: int, second: int) -> Hand:
    return Hand(first + second + 2, ACE in (first, second), two=True)


@cache
def finished(h17: bool, hand: Hand) -> dict[int, float]:
    """The dealer's last total from a hand of his; 23 stands for all busts but 22."""
    if hand.total > 17 or (hand.total == 17 and not (hand.soft and h17)):
        return {min(hand.total, 23): 1.0}
    out: dict[int, float] = defaultdict(float)
    for value, p in enumerate(CHANCES):
        for total, q in finished(h17, hand.drawn(value)).items():
            out[total] += p * q
    return out


@cache
def against(h17: bool, upcard: int) -> dict[int, float]:
    """The same from an upcard, given no blackjack."""
    out: dict[int, float] = defaultdict(float)
    for hole, p in enumerate(CHANCES):
        if {upcard, hole} != {ACE, TEN}:
            for total, q in finished(h17, two_cards(upcard, hole)).items():
                out[total] += p * q / (1 - blackjack(upcard))
    return out


def blackjack(upcard: int) -> float:
    return CHANCES[TEN] if upcard == ACE else CHANCES[ACE] if upcard == TEN else 0.0


@cache
def stand(rules: Rules, upcard: int, total: int, stake: Stake) -> float:
    money, free = stake
    ev = 0.0
    for last, p in against(rules.h17, upcard).items():
        if total <= 21 and last == 22 and rules.push_22:
            continue
        if total > 21 or total < last <= 21:
            ev -= p * money
        elif last > 21 or total > last:
            ev += p * (money + free)
    return ev


@cache
def actions(rules: Rules, upcard: int, hand: Hand, free: bool) -> dict[str, float]:
    """EVs of stand, hit and double, of a hand that carries a real or a free bet."""
    money, bets = (0, 1) if free else (1, 0)
    out = {"stand": stand(rules, upcard, hand.total, (money, bets))}
    if hand.total >= 21:
        return out
    out["hit"] = sum(p * play(rules, upcard, hand.drawn(value), free) for value, p in enumerate(CHANCES))
    for_free = 9 <= hand.total <= 11 and not hand.soft and rules.free_double_cards >= (2 if hand.two else 3)
    if for_free or (hand.two and rules.paid_double):
        stake = (money, bets + 1) if for_free else (money + 1, bets)
        out["double"] = sum(p * stand(rules, upcard, hand.drawn(value).total, stake) for value, p in enumerate(CHANCES))
    return out


def play(rules: Rules, upcard: int, hand: Hand, free: bool) -> float:
    return -float(not free) if hand.hard > 21 else max(actions(rules, upcard, hand, free).values())


@cache
def split(rules: Rules, upcard: int, value: int) -> float:
    most = 2 if value == ACE and not rules.resplit_aces else rules.max_hands

    @cache
    def rest(hands: int, waiting: tuple[bool, ...]) -> float:
        if not waiting:
            return 0.0
        free, *later = waiting
        ev = 0.0
        for card, p in enumerate(CHANCES):
            if card == value and hands < most:
                ev += p * rest(hands + 1, (free, value in rules.free_pairs, *later))
                continue
            hand = two_cards(value, card)
            mine = (
                stand(rules, upcard, hand.total, (0, 1) if free else (1, 0))
                if value == ACE
                else play(rules, upcard, hand, free)
            )
            ev += p * (mine + rest(hands, tuple(later)))
        return ev

    return rest(2, (False, value in rules.free_pairs))


def first_actions(rules: Rules, upcard: int, first: int, second: int) -> dict[str, float]:
    out = dict(actions(rules, upcard, two_cards(first, second), False))
    if first == second and first in rules.free_pairs | rules.paid_pairs:
        out["split"] = split(rules, upcard, first)
    if rules.surrender:
        out["surrender"] = -0.5
    return out


def round_value(rules: Rules) -> float:
    """EV of a round, blackjack paid 3:2."""
    ev = 0.0
    for upcard, p in enumerate(CHANCES):
        for first, q in enumerate(CHANCES):
            for second, r in enumerate(CHANCES):
                peek = 1 - blackjack(upcard)
                if {first, second} == {ACE, TEN}:
                    ev += p * q * r * peek * 1.5
                else:
                    best = max(first_actions(rules, upcard, first, second).values())
                    ev += p * q * r * (peek * best - (1 - peek))
    return ev
