"""Tiny shoes on which the exact engine must agree with the oracle, to the last digit of a float.

Each case is a table, a shoe (counts by value, ace first, ten-valued last) and a few spots of it. `oracle.round_value`
gives the whole round, `oracle.action_values` a spot. In every shoe no line of play runs out of cards, and where two
actions are exactly equal either choice gives the same round. The cards of a spot are in the shoe.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from oracle import SPANISH_PAYS, Card, Counts, Hand, Rules

VALUES = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")


def cards(text: str) -> Hand:
    """Cards from words such as "7s 10 A": suits s, h, d, c, for a 6, 7 or 8."""
    words = [(word.rstrip("shdc"), word[-1]) for word in text.split()]
    return tuple((VALUES.index(value), "shdc".index(suit) if suit in "shdc" else None) for value, suit in words)


blackjack = partial(
    Rules, twenty_one_wins=False, double_on_any_cards=False, rescue=False, pays={"blackjack": Fraction(3, 2)}
)
"""Ordinary blackjack, as rules."""


@dataclass(frozen=True)
class Case:
    """A table, a shoe, and spots "hand v upcard"; `shows` says what it is there for."""

    name: str
    shows: str
    rules: Rules
    counts: Counts
    spots: tuple[str, ...]

    def decisions(self) -> list[tuple[Hand, Card]]:
        """The spots as cards."""
        return [(cards(hand), cards(upcard)[0]) for hand, upcard in (spot.split(" v ") for spot in self.spots)]


CASES = (
    Case(
        "eights",
        "H17, three doubles, half of the wager, four hands; 8-8 with 6-7-8 in reach; peeks under ace and ten",
        Rules(decks=1, max_doubles=3),
        (1, 0, 1, 0, 0, 1, 1, 3, 0, 8),
        ("8s 8h v 10", "8h 8d v 7s", "8s 6s v 7s", "8h 6s v 8s", "A 3 v 6s", "10 10 v A", "A 10 v 8s", "8s 8h v A"),
    ),
    Case(
        "sevens",
        "S17, the original wager, no surrender, three hands; 7-7 v 7, 7-7 v 6 and v 8; the order of the suits counts",
        Rules(decks=2, dealer_hits_soft_17=False, max_hands=3, late_surrender=False, rescue_forfeits="original_wager"),
        (0, 0, 0, 1, 0, 1, 4, 1, 0, 7),
        ("7h 7h v 7s", "7s 7h v 7s", "7s 7h v 8s", "7h 7d v 6s", "7s 7h v 10", "6s 7s v 8s", "6s 7h v 7s", "4 7s v 8h"),
    ),
    Case(
        "sixes",
        "H17, two doubles, the original wager, three hands; 6-6 v 6, 7 and 8; 6-7-8 with an upcard of the same rank",
        Rules(decks=1, max_doubles=2, rescue_forfeits="original_wager", max_hands=3),
        (0, 0, 0, 1, 0, 3, 1, 1, 0, 8),
        ("6s 6h v 7s", "6h 6d v 8s", "6s 6h v 6d", "6s 7s v 6h", "6h 8h v 7s", "7s 8s v 6s", "4 7s v 6s"),
    ),
    Case(
        "aces",
        "H17, two doubles, the original wager, four hands, aces split like any pair; soft doubles; peeks",
        Rules(decks=2, max_doubles=2, rescue_forfeits="original_wager"),
        (5, 0, 0, 0, 1, 1, 0, 1, 1, 8),
        ("A A v 5", "A A v 6s", "A A v 10", "A A v A", "A 6s v 5", "A 10 v A", "A 9 v 10", "10 10 v A"),
    ),
    Case(
        "aces_one_card",
        "S17, three hands, split aces get one card (resplit, not drawn to), half of the wager",
        Rules(decks=2, max_hands=3, draw_to_split_aces=False, dealer_hits_soft_17=False),
        (5, 0, 0, 2, 0, 2, 0, 0, 3, 7),
        ("A A v 4", "A A v 6s", "A A v 10", "A A v A", "6s 6h v 4", "9 9 v 6s", "4 4 v A", "A 10 v 10"),
    ),
    Case(
        "small_cards",
        "H17, three doubles, half of the wager, three hands; 21s of many cards, their bonus void after a split",
        Rules(decks=2, max_doubles=3, max_hands=3, card_count_bonus_after_split=False),
        (2, 3, 4, 0, 0, 0, 0, 0, 0, 8),
        (
            "2 2 v 3",
            "3 3 v 2",
            "3 3 v A",
            "A 2 v 3",
            "2 3 v 10",
            "A A v 2",
            "3 3 3 3 v 10",
            "2 2 2 3 v A",
            "A 2 3 3 v 2",
        ),
    ),
    Case(
        "small_cards_paid",
        "The same shoe, the bonus paid after a split, two hands, no rescue, no surrender",
        Rules(decks=2, max_doubles=3, max_hands=2, rescue=False, late_surrender=False),
        (2, 3, 4, 0, 0, 0, 0, 0, 0, 8),
        ("2 2 v 3", "3 3 v 2", "3 3 v A", "A 2 v 3", "2 3 v 10", "A A v 2", "A 2 3 3 v 2"),
    ),
    Case(
        "super_bonus",
        "Three decks, 200 for a one-suit 7-7-7 against any 7; three hands",
        Rules(decks=3, max_hands=3, super_bonus=Fraction(200)),
        (0, 0, 2, 0, 2, 0, 5, 0, 0, 7),
        ("7s 7s v 7s", "7h 7h v 7s", "7s 7h v 7s", "7s 7s v 10", "7h 7h v 5", "3 3 v 7s", "5 5 v 7h"),
    ),
    Case(
        "super_bonus_two_decks",
        "Two decks, 200 for the 7s of hearts, diamonds and clubs against the 7 of spades; two hands, S17",
        Rules(
            decks=2,
            max_hands=2,
            dealer_hits_soft_17=False,
            super_bonus=Fraction(200),
            pays={**SPANISH_PAYS, "three_sevens_mixed": Fraction(2)},
        ),
        (0, 0, 0, 2, 0, 0, 5, 1, 0, 7),
        ("7h 7d v 7s", "7h 7d v 7c", "7h 7h v 7s", "7s 7h v 7s", "7h 8h v 7s", "4 4 v 7s"),
    ),
    Case(
        "blackjack",
        "Ordinary blackjack: H17, surrender, doubles on two cards, four hands",
        Rules(
            twenty_one_wins=False,
            double_on_any_cards=False,
            rescue=False,
            pays={"blackjack": Fraction(3, 2)},
        ),
        (2, 0, 2, 0, 2, 1, 0, 0, 0, 9),
        ("A A v 10", "3 3 v 5", "5 5 v A", "5 5 v 3", "10 10 v A", "A 10 v A", "A 10 v 10", "6 5 v 10"),
    ),
    Case(
        "blackjack_sevens",
        "Ordinary blackjack, H17, no surrender, two hands: three 7s and 7-8 are hands like any other",
        Rules(
            decks=3,
            twenty_one_wins=False,
            double_on_any_cards=False,
            rescue=False,
            late_surrender=False,
            max_hands=2,
            pays={"blackjack": Fraction(3, 2)},
        ),
        (0, 0, 0, 2, 0, 0, 4, 5, 0, 5),
        ("7 7 v 4", "7 7 v 7", "7 7 v 10", "8 8 v 4", "8 8 v 10", "7 8 v 4"),
    ),
    Case(
        "no_hole_card",
        "Ordinary blackjack without a peek, S17: a dealer blackjack takes doubles, splits and surrendered hands whole",
        blackjack(decks=1, peek=False, dealer_hits_soft_17=False, max_hands=3),
        (3, 0, 0, 0, 2, 0, 1, 0, 0, 8),
        ("A A v 10", "5 5 v A", "5 5 v 10", "A 10 v A", "A 10 v 10", "10 10 v A", "A 5 v 10", "7 10 v A"),
    ),
    Case(
        "no_double_after_split",
        "Ordinary blackjack, H17: doubles on hard 9 to 11 and not after a split, five hands",
        blackjack(decks=1, double_after_split=False, double_from=9, max_hands=5, late_surrender=False),
        (1, 2, 3, 0, 3, 0, 0, 0, 0, 8),
        ("3 3 v 5", "5 5 v 3", "2 2 v 10", "5 5 v A", "3 5 v 2", "A 5 v 5", "3 3 v A"),
    ),
    Case(
        "aces_once",
        "Ordinary blackjack, H17: aces are split once, doubled but not hit",
        blackjack(decks=1, resplit_aces=False, draw_to_split_aces=False, double_split_aces=True, max_hands=4),
        (4, 0, 0, 2, 2, 0, 0, 0, 0, 8),
        ("A A v 4", "A A v 5", "A A v 10", "A A v A", "4 4 v 5", "5 5 v A"),
    ),
    Case(
        "aces_hit",
        "Ordinary blackjack, S17, no peek, doubles of three cards: aces are split once and hit, but not doubled",
        blackjack(
            decks=1,
            resplit_aces=False,
            double_split_aces=False,
            double_on_any_cards=True,
            peek=False,
            dealer_hits_soft_17=False,
            max_hands=3,
        ),
        (4, 0, 1, 2, 0, 0, 0, 0, 0, 8),
        ("A A v 4", "A A v 3", "A A v 10", "A A v A", "4 4 v 3", "A 3 4 v 4"),
    ),
    Case(
        "spanish_no_double_after_split",
        "21s win at once; no doubles after a split, of any number of cards, and aces not hit; suits and bonuses",
        Rules(decks=1, max_doubles=2, max_hands=3, double_after_split=False, draw_to_split_aces=False),
        (2, 0, 0, 1, 0, 2, 1, 1, 0, 8),
        ("6s 6h v 7s", "A A v 6s", "6s 7s v 8s", "A A v 10", "4 7s v 6s", "6h 8h v 6s"),
    ),
)
