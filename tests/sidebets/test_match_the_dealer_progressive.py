"""The progressive against dealing real cards to several seats, and what must hold at any meter and from any shoe."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, sqrt
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog, request
from casinomath.errors import RequestError
from casinomath.paytable import Dollars, MeterShare, PayTable
from casinomath.sidebets.match_the_dealer_progressive import Rules, evaluate

STEM = "match_the_dealer_progressive"
PRINTED = catalog.paytable(STEM, "4b_2")
ALL, SOME = Fraction(1), Fraction(1, 10)
"""Shares of the meter that pay table 4b #2 prints."""


# --- Real cards ---------------------------------------------------------------------------------------------

Card = tuple[int, int]
"""Rank and suit."""


def rounds(counts: dict[Card, int], seats: int) -> Iterator[tuple[tuple[Card, Card], list[tuple[Card, Card]], int]]:
    """Every round from a shoe of real cards, alike cards together: the dealer's cards, the hands, how many deals."""

    def draw(card: Card) -> int:
        counts[card] -= 1
        return counts[card] + 1

    def hands(left: int) -> Iterator[tuple[list[tuple[Card, Card]], int]]:
        if left == 0:
            yield [], 1
            return
        for pair in combinations_with_replacement(counts, 2):
            ways = comb(counts[pair[0]], 2) if pair[0] == pair[1] else counts[pair[0]] * counts[pair[1]]
            if ways:
                for card in pair:
                    draw(card)
                for others, more in hands(left - 1):
                    yield [pair, *others], ways * more
                for card in pair:
                    counts[card] += 1

    for up in counts:
        of_up = draw(up)
        for down in counts:
            of_down = draw(down)
            if of_up * of_down:
                for dealt, ways in hands(seats):
                    yield (up, down), dealt, of_up * of_down * ways
            counts[down] += 1
        counts[up] += 1


def settle(dealer: tuple[Card, Card], hands: list[tuple[Card, Card]], meter: Fraction) -> list[Fraction]:
    """Dollars that each seat is paid by pay table 4b #2, as a dealer at the table settles it."""
    paid = []
    for hand in hands:
        won = Fraction(0)
        if hand[0] == hand[1] == dealer[0] == dealer[1]:
            won = meter * ALL
            meter -= won
            paid.append(won)
            continue
        for card in dealer:
            suited = hand.count(card)
            unsuited = sum(mine[0] == card[0] and mine != card for mine in hand)
            if suited == 2:
                award = meter * SOME
                meter -= award
                won += award
            else:
                won += {(1, 1): 30, (1, 0): 25, (0, 2): 10, (0, 1): 5, (0, 0): 0}[suited, unsuited]
        paid.append(won)
    return paid


@pytest.mark.parametrize(
    ("decks", "ranks", "seats"),
    [(4, 1, 3), (5, 1, 2), (3, 2, 2), (2, 2, 2), (1, 3, 1)],
)
def test_every_seat_is_dealt_and_paid_in_order(decks: int, ranks: int, seats: int) -> None:
    meter = Fraction(12345)
    counts = dict.fromkeys([(rank, suit) for rank in range(ranks) for suit in range(4)], decks)
    nets: list[Counter[Fraction]] = [Counter() for _ in range(seats)]
    for dealer, hands, ways in rounds(counts, seats):
        for seat, won in enumerate(settle(dealer, hands, meter)):
            nets[seat][won / 5 - 1] += ways
    shoe = [4 * decks] * ranks + [0] * (12 - ranks)
    for seat, results in enumerate(nets, start=1):
        returns = evaluate(Rules(decks, seats=seats, seat=seat), PRINTED, shoe=shoe, meter=float(meter))
        mean = sum(net * number for net, number in results.items()) / results.total()
        square = sum(net**2 * number for net, number in results.items()) / results.total()
        assert returns.ev_exact == mean
        assert returns.stdev == pytest.approx(sqrt(square - mean**2), rel=1e-14)
        assert returns.hit_frequency == sum(number for net, number in results.items() if net > 0) / results.total()
        assert returns.details["by_seat"][seat - 1]["ev"] == float(mean)


# --- Meters, seats and prizes -------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(decks=st.integers(3, 8), seats=st.integers(1, 7), data=st.data())
def test_the_wager_is_fair_at_the_breakeven_meter(decks: int, seats: int, data: st.DataObject) -> None:
    rules = Rules(decks, seats=seats, seat=data.draw(st.integers(1, seats)))
    fair = Fraction(evaluate(rules, PRINTED).details["breakeven_meter_exact"])
    assert evaluate(rules, PRINTED, meter=fair).ev_exact == 0
    low, high = (evaluate(rules, PRINTED, meter=fair + dollars).ev_exact for dollars in (-1000, 1000))
    assert low is not None
    assert high is not None
    assert low == -high < 0


def test_later_seats_need_a_larger_meter() -> None:
    seats = evaluate(Rules(seats=7), PRINTED, meter=50_000).details["by_seat"]
    assert [seat["ev"] for seat in seats] == sorted({seat["ev"] for seat in seats}, reverse=True)
    assert [seat["breakeven_meter"] for seat in seats] == sorted({seat["breakeven_meter"] for seat in seats})


def test_other_seats_do_not_change_how_likely_prizes_are() -> None:
    alone, last = evaluate(Rules(), PRINTED), evaluate(Rules(seats=7, seat=7), PRINTED, meter=1000)
    assert {event.event: event.probability for event in alone.events} == {
        event.event: event.probability for event in last.events
    }
    assert alone.details["prizes"] == last.details["prizes"]


def test_four_like_cards_take_four_decks_and_three_take_three() -> None:
    likely = {
        decks: {row["event"]: row["probability"] for row in evaluate(Rules(decks), PRINTED).details["prizes"]}
        for decks in (2, 3, 4)
    }
    assert [likely[decks]["two_suited_matches_up_and_down"] > 0 for decks in (2, 3, 4)] == [False, False, True]
    assert [likely[decks]["two_suited_matches_up_or_down"] > 0 for decks in (2, 3, 4)] == [False, True, True]
    assert evaluate(Rules(2), PRINTED).details["breakeven_meter"] is None


def test_prizes_that_favour_the_player_need_no_meter() -> None:
    returns = request.evaluate(STEM, pay={"unsuited_match": "$50"})
    assert returns.ev > 0
    assert returns.details["breakeven_meter"] is None


def test_the_chance_of_the_whole_meter() -> None:
    """Three more cards like the upcard: in five decks 4·3·2 of 239·238·237."""
    returns = evaluate(Rules(5), PRINTED)
    (jackpot,) = (event for event in returns.events if event.event == "two_suited_matches_up_and_down")
    assert jackpot.probability == float(Fraction(4 * 3 * 2, 239 * 238 * 237))


def test_without_a_meter_only_fixed_prizes_count() -> None:
    returns = request.evaluate(STEM)
    assert returns.ev == returns.details["fixed_ev"] == request.evaluate(STEM, meter=0).ev
    assert returns.details["meter"] == 0


@settings(max_examples=10, deadline=None)
@given(
    shoe=st.lists(st.integers(0, 12), min_size=12, max_size=12).filter(lambda counts: sum(counts) > 8)
    | st.tuples(*[st.integers(0, 12)] * 9, st.integers(0, 36)).filter(lambda counts: sum(counts) > 8),
    meter=st.integers(0, 100_000),
)
def test_what_is_lost_with_one_card_comes_back_with_another(shoe: list[int], meter: int) -> None:
    """The EV is the mean of the EVs after one card is gone, each card as likely to go."""
    rules, after = Rules(3, seats=3, seat=3), Fraction(0)
    for place, count in enumerate(shoe):
        if count:
            less = [cards - (at == place) for at, cards in enumerate(shoe)]
            ev = evaluate(rules, PRINTED, shoe=less, meter=meter).ev_exact
            assert ev is not None
            after += Fraction(count, sum(shoe)) * ev
    assert evaluate(rules, PRINTED, shoe=shoe, meter=meter).ev_exact == after


@settings(max_examples=25, deadline=None)
@given(
    prizes=st.lists(st.integers(0, 1000), min_size=4, max_size=4),
    shares=st.tuples(st.integers(0, 100), st.integers(0, 100)),
    more=st.integers(0, 4),
)
def test_paying_more_never_costs_the_player(prizes: list[int], shares: tuple[int, int], more: int) -> None:
    def table(prizes: list[int]) -> PayTable:
        amounts = dict(zip(list(PRINTED.pays)[2:], (Dollars(Fraction(prize)) for prize in prizes), strict=True))
        awards = dict(zip(list(PRINTED.pays)[:2], (MeterShare(Fraction(share, 100)) for share in shares), strict=True))
        return PayTable("own", awards | amounts)

    rules = Rules(4, seats=4, seat=4)
    before = evaluate(rules, table(prizes), meter=20_000).ev
    raised = [prize + 7 * (place == more) for place, prize in enumerate(prizes)]
    assert evaluate(rules, table(raised), meter=20_000).ev >= before


def test_a_table_of_ones_own(tmp_path: Path) -> None:
    own = tmp_path / "progressive.toml"
    own.write_text(
        """
        [paytables.mine]
        source = "a sign at the table"
        pays.two_suited_matches_up_and_down = "50% of the meter"
        pays.two_suited_matches_up_or_down = "$1,000"
        pays.suited_and_unsuited_match = "$30"
        pays.suited_match = "$25"
        pays.two_unsuited_matches = "$10"
        pays.unsuited_match = "$5"
        """,
        encoding="utf-8",
    )
    priced = request.evaluate(STEM, paytable=own, meter=10_000)
    ours = request.evaluate(
        STEM,
        pay={"two_suited_matches_up_and_down": "50% of meter", "two_suited_matches_up_or_down": "$1000"},
        meter=10_000,
    )
    assert priced.ev_exact == ours.ev_exact
    assert ours.details["change"]["pays"]["two_suited_matches_up_or_down"] == {"from": "10% of meter", "to": "$1,000"}


# --- Wrong requests -----------------------------------------------------------------------------------------

FIXED = {"two_suited_matches_up_and_down": "$9000", "two_suited_matches_up_or_down": "$900"}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"pay": {"two_suited_matches_up_or_down": "50:1"}}, "odds of 50 to 1; expected dollars .* or a share"),
        ({"pay": {"suited_match": "5 for 1"}}, "suited_match pays odds of 4 to 1; expected dollars such as"),
        ({"pay": {"suited_match": "1% of meter"}}, "suited_match pays 1% of meter, .* expected dollars"),
        ({"meter": -1}, "meter is -1; expected dollars from 0 to 1,000,000,000,000"),
        ({"meter": float("nan")}, "meter is nan; expected dollars"),
        ({"meter": float("inf")}, "meter is inf; expected dollars"),
        ({"meter": 5, "pay": FIXED}, "pays no share of a meter; expected no meter"),
        ({"change": {"seats": "0"}}, "seats is 0; expected 1 or more"),
        ({"change": {"seats": "120"}}, "the shoe holds 240 cards, .* at most 119 seats"),
        ({"change": {"seats": "2"}, "shoe": [5] + [0] * 11}, "the shoe holds 5 cards, .* at most 1 seats"),
        ({"change": {"seat": "2"}}, "seat is 2; expected 1 to 1"),
        ({"change": {"bet": "0"}}, "bet is 0.0; expected dollars from 0.01 to 1,000,000,000,000"),
        ({"change": {"decks": "40"}}, "decks is 40; expected 1 to 16"),
        ({"paytable": PayTable("short", {})}, "short lacks two_suited_matches_up_and_down"),
    ],
)
def test_wrong_requests(asked: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        request.evaluate(STEM, **asked)  # type: ignore[arg-type]
