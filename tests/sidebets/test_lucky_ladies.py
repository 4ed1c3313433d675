"""Lucky Ladies against real cards; published permutations are tests by themselves."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog, request, sensitivity
from casinomath.errors import RequestError
from casinomath.paytable import PayTable

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")

Card = tuple[str, str]


def settled(first: Card, second: Card, dealers: tuple[Card, Card]) -> str:
    """As the house rules say: only the best that the hand is."""
    worth = {"A": 11, **dict.fromkeys(("10", "J", "Q", "K"), 10), **{str(n): n for n in range(2, 10)}}
    if worth[first[0]] + worth[second[0]] != 20:
        return "no_20"
    if first == second == ("Q", "h"):
        has_blackjack = worth[dealers[0][0]] + worth[dealers[1][0]] == 21
        return "queen_of_hearts_pair_with_dealer_blackjack" if has_blackjack else "queen_of_hearts_pair"
    if first == second:
        return "matched_20"
    return "suited_20" if first[1] == second[1] else "any_20"


def test_a_small_shoe_is_dealt_in_every_way() -> None:
    """Two decks' aces, nines and queens, with every suit: 24 cards that are known one by one."""
    shoe = [(rank, suit) for rank in ("A", "9", "Q") for suit in "shdc" for _ in range(2)]
    found: Counter[str] = Counter()
    for one, other in permutations(range(24), 2):
        rest = [card for place, card in enumerate(shoe) if place not in (one, other)]
        if shoe[one] == shoe[other] == ("Q", "h"):
            for dealers in permutations(rest, 2):
                found[settled(shoe[one], shoe[other], dealers)] += 1
        else:
            found[settled(shoe[one], shoe[other], (rest[0], rest[1]))] += 22 * 21
    counts = [8 if rank in ("A", "9", "Q") else 0 for rank in RANKS]
    returns = request.evaluate("lucky_ladies", change={"decks": 2}, shoe=counts)
    assert {event.event: event.combinations for event in returns.events} == found


@given(decks=st.integers(1, 16))
@settings(max_examples=16, deadline=None)
def test_fresh_shoes_in_closed_form(decks: int) -> None:
    cards, tens, fours = 52 * decks, 16 * decks, 4 * decks
    twenties = tens * (tens - 1) + 2 * fours * fours
    one_suit = tens * (fours - 1) + 2 * fours * decks
    matched = tens * (decks - 1)
    returns = request.evaluate("lucky_ladies", change={"decks": decks})
    chances = {event.event: Fraction(event.combinations or 0, cards * (cards - 1)) for event in returns.events}
    deals = (cards - 2) * (cards - 3)
    assert sum(chances.values()) == deals
    assert chances.pop("no_20") == deals * (1 - Fraction(twenties, cards * (cards - 1)))
    assert chances["any_20"] == deals * Fraction(twenties - one_suit, cards * (cards - 1))
    assert chances["suited_20"] == deals * Fraction(one_suit - matched, cards * (cards - 1))
    ladies = chances.get("queen_of_hearts_pair", 0) + chances.get("queen_of_hearts_pair_with_dealer_blackjack", 0)
    assert ladies == deals * Fraction(decks * (decks - 1), cards * (cards - 1))
    assert chances.get("matched_20", 0) + ladies == deals * Fraction(matched, cards * (cards - 1))


@pytest.mark.parametrize("rules", list(catalog.rule_sets("lucky_ladies")))
def test_simulated_rounds_agree(rules: str) -> None:
    asked = request.resolve("lucky_ladies", rules)
    returns, sample = asked.evaluate(), asked.simulate(300_000, 20)
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 4


def test_the_top_prize_is_met_in_simulation() -> None:
    """Of many decks, two queens of hearts and a blackjack of the dealer come often enough."""
    sample = request.simulate("lucky_ladies", 1_000_000, 4, change={"decks": 16})
    returns = request.evaluate("lucky_ladies", change={"decks": 16})
    assert sample.events["queen_of_hearts_pair_with_dealer_blackjack"] > 0
    assert abs(sample.agreement(returns)) < 4


def test_the_pay_table_follows_the_decks() -> None:
    for decks, name in ((2, "two_deck"), (6, "six_deck"), (8, "six_deck")):
        assert request.resolve("lucky_ladies", change={"decks": decks}).paytable.name == name


def test_queens_are_worth_most_and_effects_average_to_nothing() -> None:
    effects = sensitivity.removal_effects("lucky_ladies")
    assert effects.mean_ev_exact == effects.ev_exact
    by_rank = effects.table.set_index("card")["effect"]
    assert by_rank.idxmin() == "Q"
    assert by_rank["K"] == by_rank["J"] == by_rank["10"]
    by_value = sensitivity.removal_effects("lucky_ladies", shoe=[*[24] * 9, 96])
    assert by_value.ev_exact == by_value.mean_ev_exact == effects.ev_exact


def test_wrong_requests() -> None:
    with pytest.raises(RequestError, match="the shoe holds 3 cards; the deal takes 4"):
        request.evaluate("lucky_ladies", shoe=[3, *[0] * 12])
    with pytest.raises(RequestError, match="lacks queen_of_hearts_pair_with_dealer_blackjack"):
        request.evaluate("lucky_ladies", paytable=PayTable("own", {"any_20": Fraction(4)}))
    with pytest.raises(RequestError, match="decks is 0"):
        request.simulate("lucky_ladies", 10, 1, change={"decks": 0})
