"""The witnesses of Free Bet Blackjack, witnessed: another oracle, hands counted on paper, published figures."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import endless_shoe
import free_bet_oracle
import oracle
import pytest
from free_bet_oracle import FREE, REAL, Game, Rules, Table, values

ALL_PAID = Rules(
    push_22=False,
    free_double_cards=0,
    free_pairs=frozenset(),
    paid_pairs=frozenset(range(10)),
    resplit_aces=True,
)
"""Nothing is free and 22 is a bust: blackjack."""

SHOES = ((2, 0, 2, 0, 2, 1, 0, 0, 0, 9), (0, 0, 0, 2, 0, 0, 4, 5, 0, 5))


@pytest.mark.parametrize("counts", SHOES)
def test_without_free_bets_it_is_blackjack(counts: oracle.Counts) -> None:
    blackjack = oracle.Rules(
        decks=3,
        twenty_one_wins=False,
        double_on_any_cards=False,
        rescue=False,
        draw_to_split_aces=False,
        max_hands=3,
        pays={"blackjack": Fraction(3, 2)},
    )
    ours = free_bet_oracle.round_value(replace(ALL_PAID, max_hands=3, late_surrender=True), counts)
    theirs = oracle.round_value(blackjack, counts)
    assert (ours.ev, ours.wagered, ours.outcomes) == (theirs.ev, theirs.wagered, theirs.outcomes)


def test_hands_counted_on_paper() -> None:
    """Shoe: 5 6 | 6 | T T T 2, player 5-6, dealer 6: the hole card and the next ones are three tens and a 2."""
    game = Game(Rules(), (0, 1, 0, 0, 1, 2, 0, 0, 0, 3))
    hand, upcard = (4, 5), 5
    # Hole T (3/4): he has 16 and draws 2 (1/3) for 18, or T (2/3) for 26. Hole 2 (1/4): 8, then T: 18.
    eighteen, beyond = Fraction(3, 4) * Fraction(1, 3) + Fraction(1, 4), Fraction(1, 2)
    assert (eighteen, beyond) == (Fraction(1, 2), Fraction(1, 2))
    assert values(game, hand, upcard, REAL)["stand"] == beyond - eighteen
    assert values(game, hand, upcard, FREE)["stand"] == beyond
    # Doubled: T (3/4) makes 21, which wins both bets; 2 (1/4) makes 13 against hole T and T: he busts with 26.
    assert values(game, hand, upcard, REAL)["double"] == 2
    assert values(game, hand, upcard, FREE)["double"] == 2


def test_a_22_pushes_what_has_not_lost() -> None:
    """Player 9-T against a T; unseen are two 6s: the dealer makes 22."""
    for push_22, result in ((True, 0), (False, 1)):
        game = Game(Rules(push_22=push_22), (0, 0, 0, 0, 0, 2, 0, 0, 1, 2))
        assert values(game, (8, 9), 9, REAL)["stand"] == result
        assert values(game, (8, 9), 9, REAL)["hit"] == -1
        assert values(game, (8, 9), 9, FREE)["hit"] == 0


def test_the_first_hand_of_a_split_carries_the_money() -> None:
    """Aces against T T, a ten or a 2 for each: 21 wins twice; 13 loses twice, and one of the bets is free."""
    for card, net in ((9, 2), (1, -1)):
        game = Game(Rules(), tuple(2 * (value == card) + (2, *8 * (0,), 2)[value] for value in range(10)))
        rest = free_bet_oracle.split(game, 0, Table(9, 9, tuple(2 * (value == card) for value in range(10))))
        assert rest == {(20, Fraction(net), 1): 1}


def test_tens_are_split_for_money() -> None:
    """Tens against T T; each gets a 9, and any other card is a bust: 19 loses twice."""
    for paid, net in ((True, -2), (False, -1)):
        rules = Rules() if paid else Rules(free_pairs=frozenset(range(10)))
        game = Game(rules, (*8 * (0,), 2, 4))
        rest = free_bet_oracle.split(game, 9, Table(9, 9, (*8 * (0,), 2, 0)))
        assert rest == {(20, Fraction(net), -net): 1}


def test_endless_shoe_has_published_values() -> None:
    """Blackjack, S17: EV −0.511734 %; 12 against 4 in both games, H17: Wizard of Odds, newsletter of July 11, 2019."""
    s17 = replace(endless_shoe.BLACKJACK, h17=False)
    assert round(endless_shoe.round_value(s17), 8) == -0.00511734
    twelve = endless_shoe.two_cards(9, 1)
    found = [
        endless_shoe.actions(rules, 3, twelve, False)[action]
        for rules in (endless_shoe.BLACKJACK, endless_shoe.FREE_BET)
        for action in ("stand", "hit")
    ]
    assert [round(value, 6) for value in found] == [-0.205850, -0.213839, -0.301161, -0.279823]
