"""Five-card progressives and the Five Card Hand Bonus: fractions by hand, meters, envy, draws, and dealt rounds."""

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog
from casinomath.errors import RequestError
from casinomath.paytable import Dollars, MeterShare, Pay, PayTable
from casinomath.pokerbets import five_card_hand_bonus as hand_bonus
from casinomath.pokerbets import five_card_progressive as progressive
from casinomath.pokerbets.deal import Deal

HOLDEM = Deal("texas_holdem_bonus", own=2, community=3, board=5)
THREE_CARD = Deal("three_card_poker", own=3, community=2, board=2)
HANDS = comb(52, 5)
PENNSYLVANIA = catalog.paytable("five_card_progressive", "pennsylvania")
BONUS = catalog.paytable("five_card_hand_bonus", "pennsylvania")


def pays(**changed: Pay) -> PayTable:
    """Pays of which none is so rare and so large that a simulation can't meet it."""
    low = {"four_of_a_kind": Fraction(29), "full_house": Fraction(9), "flush": Fraction(7), "straight": Fraction(5)}
    top = {"royal_flush": MeterShare(Fraction(1)), "straight_flush": MeterShare(Fraction(1, 10))}
    return PayTable("low", {**top, **low, "three_of_a_kind": Fraction(3), **changed})


# --- Progressives -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "fixed"), [("pmg_ml_01", 636480), ("pmg_ml_02", 0), ("pmg_ml_03", 0), ("pennsylvania", 0)]
)
def test_the_fixed_prizes_of_a_player_alone(name: str, fixed: int) -> None:
    table = catalog.paytable("five_card_progressive", name)
    quads = 624 * 300 if name in ("pmg_ml_01", "pennsylvania") else 0
    trips = 54912 * (10 if name == "pmg_ml_02" else 9)
    returned = quads + 3744 * 50 + 5108 * 40 + 10200 * 30 + trips
    returns = progressive.evaluate(HOLDEM, progressive.Rules(), table)
    assert returns.ev_exact == Fraction(returned, HANDS) - 1
    assert sum(event.combinations or 0 for event in returns.events) == HANDS
    assert progressive.evaluate(THREE_CARD, progressive.Rules(), table).ev_exact == returns.ev_exact


def test_meters_are_worth_their_shares_and_break_even_where_the_ev_is_nought() -> None:
    rules = progressive.Rules(mega=500_000.0, major=5000.0, minor=1000.0)
    table = catalog.paytable("five_card_progressive", "pmg_ml_03")
    returns = progressive.evaluate(HOLDEM, rules, table)
    by_meter = {row["meter"]: row for row in returns.details["meters"]}
    assert [row["ev_per_dollar"] * HANDS for row in by_meter.values()] == pytest.approx([4, 36, 624])
    fair = by_meter["mega"]["breakeven"]
    assert fair == returns.details["breakeven_meter"]
    assert progressive.evaluate(HOLDEM, rules._replace(mega=fair), table).ev == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("others", [1, 4, 6])
def test_envy_is_worth_the_other_hands(others: int) -> None:
    for rules in (progressive.Rules(other_players=others), progressive.Rules(seats=others + 1, seat=2)):
        details = progressive.evaluate(HOLDEM, rules, PENNSYLVANIA).details
        assert details["envy_ev"] == pytest.approx(others * (36 * 300 + 4 * 1000) / HANDS, rel=1e-14)


def test_all_seats_together_take_what_a_meter_loses() -> None:
    """No two seats win a whole meter: what one gets from it, those after it do not."""
    rules = progressive.Rules(seats=5, other_players=1)
    by_seat = progressive.evaluate(HOLDEM, rules, PENNSYLVANIA, meter=1e6).details["by_seat"]
    evs = [row["ev"] for row in by_seat]
    assert evs == sorted(evs, reverse=True)
    assert len(set(evs)) == 5


@settings(max_examples=15, deadline=None)
@given(seats=st.integers(1, 8), others=st.integers(0, 8), meter=st.integers(0, 10**6))
def test_the_ev_is_a_line_in_the_meter(seats: int, others: int, meter: int) -> None:
    rules = progressive.Rules(seats=seats, seat=seats, other_players=others)
    returns = progressive.evaluate(HOLDEM, rules, PENNSYLVANIA, meter=meter)
    slope = returns.details["meters"][0]["ev_per_dollar"]
    assert returns.ev == pytest.approx(returns.details["fixed_ev"] + slope * meter, abs=1e-12)
    assert sum(event.probability for event in returns.events) == pytest.approx(1, abs=1e-12)
    assert slope <= Fraction(76, 10) / HANDS * (1 + 1e-12)


def test_a_fold_that_forfeits_the_wager_keeps_its_envy() -> None:
    rules = progressive.Rules(other_players=3)
    folds = rules._replace(forfeited_with="72o 62o 52o 42o 32o")
    whole, less = (progressive.evaluate(HOLDEM, each, PENNSYLVANIA, meter=10**5) for each in (rules, folds))
    assert less.details["envy_ev"] == pytest.approx(whole.details["envy_ev"], rel=1e-14)
    assert less.details["meters"] != whole.details["meters"] or less.ev < whole.ev
    (forfeited,) = [event for event in less.events if event.event == progressive.FORFEITED]
    assert forfeited.probability == pytest.approx(60 / 1326, abs=2e-4)  # less the rounds in which there was envy
    sample = progressive.simulate(HOLDEM, folds, PENNSYLVANIA, 60_000, 2)
    assert abs(sample.event_agreement(progressive.FORFEITED, forfeited.probability)) < 4


def test_progressives_are_dealt_and_settled() -> None:
    table = pays(envy_royal_flush=Dollars(Fraction(50)), envy_straight_flush=Dollars(Fraction(20)))
    rules = progressive.Rules(bet=0.5, seats=3, seat=2, other_players=2)
    returns = progressive.evaluate(HOLDEM, rules, table, meter=100)
    sample = progressive.simulate(HOLDEM, rules, table, 300_000, 7, meter=100)
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        if event.probability > 1e-5:
            assert abs(sample.event_agreement(event.event, event.probability)) < 4, event.event


# --- Five Card Hand Bonus -----------------------------------------------------------------------------------

FIXED = Fraction(624 * 500 + 3744 * 100 + 5108 * 50, HANDS) - 1


@pytest.mark.parametrize("wager_on", hand_bonus.HANDS)
def test_the_fixed_prizes_of_each_hand(wager_on: str) -> None:
    rules = hand_bonus.Rules(wager_on=wager_on)  # type: ignore[arg-type]
    assert hand_bonus.evaluate(HOLDEM, rules, BONUS).ev_exact == FIXED


def test_a_share_of_the_dealers_hand_is_divided() -> None:
    alone = hand_bonus.evaluate(HOLDEM, hand_bonus.Rules("dealer"), BONUS, meter=50_000).ev_exact
    shared = hand_bonus.evaluate(HOLDEM, hand_bonus.Rules("dealer", dealer_bettors=4), BONUS, meter=50_000).ev_exact
    assert alone is not None
    assert shared == FIXED + (alone - FIXED) / 4


def test_two_wagers_are_worth_what_each_is_but_for_the_one_meter() -> None:
    """Both hands can win a share: then the dealer's is of what the player's left."""
    player, dealer, both = (
        hand_bonus.evaluate(HOLDEM, hand_bonus.Rules(wager_on), BONUS, meter=10**6)
        for wager_on in ("player", "dealer", "both")
    )
    assert player.ev_exact == dealer.ev_exact
    assert both.ev_exact is not None
    assert player.ev_exact is not None
    assert 0 < player.ev_exact - both.ev_exact < Fraction(1, 10_000)
    assert both.stdev is not None
    assert player.stdev is not None
    assert both.stdev < player.stdev


@pytest.mark.parametrize("draw", hand_bonus.DRAWS)
@pytest.mark.parametrize("wager_on", hand_bonus.HANDS)
def test_at_the_break_even_frequency_the_bet_is_fair(draw: str, wager_on: str) -> None:
    rules = hand_bonus.Rules(wager_on=wager_on, players_before=1)  # type: ignore[arg-type]
    fair = hand_bonus.evaluate(HOLDEM, rules, BONUS, meter=20_000).details[f"breakeven_{draw}_frequency"]
    rules = rules._replace(**{f"{draw}_frequency": fair})
    assert hand_bonus.evaluate(HOLDEM, rules, BONUS, meter=20_000).ev == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("wager_on", hand_bonus.HANDS)
def test_hand_bonuses_are_dealt_drawn_and_settled(wager_on: str) -> None:
    changed = {"royal_flush": MeterShare(Fraction(1)), "straight_flush": MeterShare(Fraction(1, 2))}
    table = BONUS.with_pays(changed)
    rules = hand_bonus.Rules(wager_on, 2.0, 1, 1, 2, 0.25, 0.4, 5)  # type: ignore[arg-type]
    returns = hand_bonus.evaluate(HOLDEM, rules, table, meter=300)
    sample = hand_bonus.simulate(HOLDEM, rules, table, 200_000, 3, meter=300)
    assert abs(sample.agreement(returns)) < 4
    assert {*sample.events} <= {event.event for event in returns.events}
    for event in returns.events:
        if event.probability > 1e-4:
            assert abs(sample.event_agreement(event.event, event.probability)) < 4, event.event


# --- What makes no sense ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"bet": 0}, "bet is 0; expected dollars from 0.01 to 1,000,000,000,000"),
        ({"seats": 0}, "seats is 0; expected 1 to 22"),
        ({"seats": 30}, "seats is 30; expected 1 to 22"),
        ({"seat": 2}, "seat is 2; expected 1 to 1"),
        ({"other_players": -1}, "other_players is -1"),
        ({"seats": 10, "other_players": 20}, "seats and other_players together is 30; expected 1 to 22"),
        ({"forfeited_with": "72s"}, "forfeited_with has 72s; expected pairs and hands of two suits"),
        ({"forfeited_with": "72o 26o"}, "forfeited_with has 26o; expected the higher card first, 62o"),
        ({"forfeited_with": "72x"}, "unknown hand that forfeits the wager: '72x'"),
        ({"mega": 5.0}, "pays shares of meter; mega is 5.0, expected it as the meter"),
    ],
)
def test_wrong_rules_of_progressives_are_told(changes: dict[str, float], told: str) -> None:
    rules = progressive.Rules()._replace(**changes)
    with pytest.raises(RequestError, match=told) as error:
        progressive.evaluate(HOLDEM, rules, PENNSYLVANIA)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("meter", [-1, float("inf"), float("nan")])
def test_a_meter_that_makes_no_sense_is_told(meter: float) -> None:
    with pytest.raises(RequestError, match=r"meter is .*; expected dollars from 0 to"):
        progressive.evaluate(HOLDEM, progressive.Rules(), PENNSYLVANIA, meter=meter)
    with pytest.raises(RequestError, match=r"meter is .*; expected dollars from 0 to"):
        hand_bonus.evaluate(HOLDEM, hand_bonus.Rules(), BONUS, meter=meter)


def test_a_table_with_several_meters_takes_none_without_a_name() -> None:
    table = catalog.paytable("five_card_progressive", "pmg_ml_01")
    with pytest.raises(
        RequestError, match="pays shares of major and minor; meter is 5000, expected the rules major, minor"
    ):
        progressive.evaluate(HOLDEM, progressive.Rules(), table, meter=5000)
    with pytest.raises(RequestError, match=r"mega is 9\.0, expected the rules major, minor"):
        progressive.check(HOLDEM, progressive.Rules(mega=9.0), table)


@pytest.mark.parametrize(
    ("event", "pay", "told"),
    [
        ("flush", MeterShare(Fraction(1, 2)), "flush pays 50% of meter; expected odds such as 300 for 1"),
        ("royal_flush", Dollars(Fraction(5)), r"royal_flush pays \$5; expected odds such as 300 for 1 or a share"),
        ("envy_royal_flush", Fraction(5), "envy_royal_flush pays 5; expected dollars for each dollar of the wager"),
    ],
)
def test_wrong_pays_of_progressives_are_told(event: str, pay: Pay, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        progressive.check(HOLDEM, progressive.Rules(), PENNSYLVANIA.with_pays({event: pay}))


def test_other_hands_are_priced_for_a_player_alone() -> None:
    with pytest.raises(RequestError, match="expected 1, for hands of 3 cards and 2 in common"):
        progressive.check(THREE_CARD, progressive.Rules(seats=2), PENNSYLVANIA)
    with pytest.raises(RequestError, match="wager_on is both; expected one hand"):
        hand_bonus.check(THREE_CARD, hand_bonus.Rules("both"), BONUS)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"wager_on": "bank"}, "unknown hand to wager on 'bank'"),
        ({"players_before": 30}, "this player together is 31; expected 1 to 22"),
        ({"players_after": -1}, "players_after is -1; expected 0 or more"),
        ({"dealer_bettors": 0}, "dealer_bettors is 0; expected 1 to 22"),
        ({"magic_card_frequency": 1.5}, "magic_card_frequency is 1.5; expected a part of all rounds, 0 to 1"),
        ({"lucky_positions": 1}, "lucky_positions is 1; expected 2 or more"),
    ],
)
def test_wrong_rules_of_the_hand_bonus_are_told(changes: dict[str, object], told: str) -> None:
    with pytest.raises(RequestError, match=told):
        hand_bonus.check(HOLDEM, hand_bonus.Rules()._replace(**changes), BONUS)  # type: ignore[arg-type]


def test_draws_that_pay_nothing_are_told() -> None:
    plain = PayTable("plain", {event: BONUS.pays[event] for event in hand_bonus.EVENTS})
    hand_bonus.check(HOLDEM, hand_bonus.Rules(), plain)
    with pytest.raises(RequestError, match="pay table plain pays no lucky_bonus; expected lucky_bonus_frequency 0"):
        hand_bonus.check(HOLDEM, hand_bonus.Rules(lucky_bonus_frequency=0.5), plain)
