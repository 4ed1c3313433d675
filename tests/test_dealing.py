"""Dealing: every deal is as likely as any other, known cards included, and side bets come out as they are counted."""

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import sqrt

import numpy as np
import pytest

from casinomath import montecarlo, request
from casinomath.dealing import ANY, Cards, Counts, Dealt, Place, Settled
from casinomath.errors import RequestError

FAR = 4
"""Standard errors."""


def look(cards: Cards) -> list[Counts]:
    return [cards.ranks[-1].astype(int)]


def settle(seen: tuple[int, ...]) -> Settled:
    return Settled("ace", Fraction(3, 2)) if seen == (0,) else Settled("other", Fraction(-1))


def dealt(decks: int, *places: Place) -> Dealt:
    return Dealt(decks, "spanish", places, look, settle, Fraction(1, 2))


def test_known_cards_are_where_they_are_known_to_be_and_no_card_is_dealt_twice() -> None:
    places = (Place("A"), ANY, Place("A", 0), Place("K"), ANY)
    cards = dealt(1, *places).deal(20_000, np.random.default_rng(1))
    assert set(cards.ranks[0]) == set(cards.ranks[2]) == {0}
    assert set(cards.ranks[3]) == {11}  # A, 2 to 9, J, Q, K
    assert set(cards.suits[2]) == {0}
    assert set(cards.suits[0]) == {1, 2, 3}  # the ace of spades is on the table
    one_deck = 4 * cards.ranks + cards.suits
    for one, other in permutations(range(len(places)), 2):
        assert not (one_deck[one] == one_deck[other]).any()


def test_all_deals_are_equally_likely() -> None:
    """Two aces of two decks, one of them known to be a spade: counted by hand, and dealt."""
    rounds = 200_000
    cards = dealt(2, Place("A"), Place("A", 0)).deal(rounds, np.random.default_rng(2))
    # 2 of the 8 aces are spades; given that one more is gone, 1 of 7 is
    expected = {0: 1 / 7, 1: 2 / 7, 2: 2 / 7, 3: 2 / 7}
    for suit, number in Counter(cards.suits[0].tolist()).items():
        chance = expected[suit]
        assert abs(number / rounds - chance) < FAR * sqrt(chance * (1 - chance) / rounds)


def test_a_sample_settles_what_was_dealt() -> None:
    sample = montecarlo.run(dealt(1, ANY), 48_000, seed=3)
    assert sample.rounds == sum(sample.events.values()) == 48_000
    assert abs(sample.event_agreement("ace", 4 / 48)) < FAR
    assert sample.total == Fraction(3, 2) * sample.events["ace"] - sample.events["other"]
    assert sample.average_wager == 1


def test_more_places_than_cards_are_refused() -> None:
    dealt(1, *[ANY] * 48).check()
    with pytest.raises(RequestError, match="deals 49 cards; 1 decks hold 48"):
        dealt(1, *[ANY] * 49).check()


# --- Side bets --------------------------------------------------------------------------------------------------------

SIDE_BETS = [
    *(
        (f"match_the_dealer:{bet}", rules, {})
        for bet in ("up_card", "down_card", "both")
        for rules in ("two_deck", None)
    ),
    ("match_the_dealer:both", "standard_six_deck", {}),
    ("insurance", None, {}),
    ("insurance", "paid_blackjack", {}),
    ("insurance", "standard_two_deck", {"paytable": "colour_and_suit", "change": {"hand": "A As K Kh 10"}}),
    ("insurance", None, {"paytable": "suited_five_to_one", "change": {"decks": 1, "upcard": "As", "hand": "Ks J"}}),
    ("match_the_dealer_progressive", None, {"meter": 20_000}),
    ("match_the_dealer_progressive", None, {"pay": {"unsuited_match": "$7.50"}, "change": {"bet": 2.5}}),
    ("match_the_dealer_progressive", "six_deck", {"meter": 1234.5, "change": {"seats": 3, "seat": 3}}),
]
"""Bet, rules, and what else is asked."""


@pytest.mark.parametrize(("bet", "rules", "given"), SIDE_BETS, ids=str)
def test_a_side_bet_comes_out_as_it_is_counted(bet: str, rules: str | None, given: dict[str, object]) -> None:
    asked = request.resolve(bet, rules, **given)  # type: ignore[arg-type] # as it says
    exact, sample = asked.evaluate(), asked.simulate(1_000_000, seed=21)
    assert abs(sample.agreement(exact)) < FAR
    assert sample.events.keys() <= {event.event for event in exact.events}
    for event in exact.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < FAR, event.event
    nets = {net: number / sample.rounds for net, number in sample.distribution.items()}
    hits = sum(share for net, share in nets.items() if net > 0)
    assert exact.hit_frequency is not None
    assert abs(hits - exact.hit_frequency) < FAR * sqrt(exact.hit_frequency / sample.rounds)


@pytest.mark.parametrize("bet", ["up_card", "both"])
@pytest.mark.parametrize("rules", ["two_deck", "six_deck"])
def test_the_spread_of_match_the_dealer_comes_out_as_it_is_counted(bet: str, rules: str) -> None:
    """Two wagers that share the player's cards: their joint law, of which the EV says nothing."""
    exact = request.evaluate(f"match_the_dealer:{bet}", rules)
    sample = request.simulate(f"match_the_dealer:{bet}", 4_000_000, 21, rules)
    assert exact.stdev is not None
    fourth = sum((float(net) - sample.mean) ** 4 * number for net, number in sample.distribution.items())
    spread = sqrt((fourth / sample.rounds - exact.stdev**4) / sample.rounds)  # standard error of a variance
    assert abs(sample.stdev**2 - exact.stdev**2) < FAR * spread


def test_the_wagers_of_both_are_correlated_as_they_are_counted() -> None:
    exact = request.evaluate("match_the_dealer:both", "two_deck")
    alone = request.evaluate("match_the_dealer:up_card", "two_deck")
    assert exact.stdev is not None
    assert alone.stdev is not None
    sample = request.simulate("match_the_dealer:both", 4_000_000, 8, "two_deck")
    correlation = 2 * sample.stdev**2 / alone.stdev**2 - 1
    assert abs(exact.details["correlation"]) > 0.005
    assert correlation == pytest.approx(exact.details["correlation"], abs=0.004)


def test_an_earlier_seats_award_is_paid_first() -> None:
    """One deck cannot deal two suited matches; many alike decks can: the meter is often spoken for."""
    given = {"change": {"decks": 16, "seats": 7, "seat": 7}, "meter": 1000.0, "rules": "five_deck"}
    pay = {"two_suited_matches_up_or_down": "100% of meter"}
    asked = request.resolve("match_the_dealer_progressive", pay=pay, **given)  # type: ignore[arg-type] # as it says
    last = asked.simulate(1_000_000, seed=4)
    awards = [name for name in last.events if name.startswith("two_suited_matches")]
    assert sum(last.events[name] for name in awards) > 500
    assert abs(last.agreement(asked.evaluate())) < FAR
    assert len({net for net in last.distribution if net > 100}) >= 1
    assert any(net == -1 for net in last.distribution)


def test_a_seed_deals_the_same_rounds_on_any_number_of_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    asked = request.resolve("match_the_dealer:both")
    with ThreadPoolExecutor(1) as alone:
        assert asked.simulate(1_200_000, 5, executor=alone).digest == asked.simulate(1_200_000, 5).digest


def test_rounds_can_be_sent_to_workers() -> None:
    import pickle

    found = []

    class Sent(montecarlo.Executor):
        def submit(self, function, /, *given):  # type: ignore[no-untyped-def, override] # as Executor has it
            from concurrent.futures import Future

            found.append(function)
            done: Future[montecarlo.Sample] = Future()
            done.set_result(pickle.loads(pickle.dumps(function))(*given))
            return done

    for bet in ("match_the_dealer:both", "insurance", "match_the_dealer_progressive"):
        request.resolve(bet).simulate(1000, 1, executor=Sent())
    assert len(found) == 3


@pytest.mark.parametrize(
    ("bet", "given", "message"),
    [
        ("match_the_dealer", {"change": {"decks": 0}}, "decks is 0"),
        ("match_the_dealer", {"meter": 100.0}, "takes no meter"),
        ("match_the_dealer_progressive", {"meter": -1.0}, "meter is -1"),
        ("match_the_dealer_progressive", {"change": {"decks": 1, "seats": 24}}, "at most 23 seats"),
        ("insurance", {"change": {"upcard": "K"}}, "offered against an ace"),
    ],
)
def test_what_cannot_be_dealt_is_refused(bet: str, given: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        request.resolve(bet, **given).simulate(10, 1)  # type: ignore[arg-type] # as it says
