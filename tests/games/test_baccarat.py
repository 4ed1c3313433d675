"""Baccarat: its bets against real cards, and what is particular to them. Published figures are tests by themselves."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog, request, sensitivity
from casinomath.errors import RequestError
from casinomath.games import baccarat
from casinomath.paytable import PayTable

TABLES = list(catalog.paytables("baccarat"))


# --- What bets are worth --------------------------------------------------------------------------------------


@pytest.mark.parametrize("paytable", TABLES)
@pytest.mark.parametrize("bet", baccarat.BETS)
def test_simulated_coups_agree(bet: str, paytable: str) -> None:
    asked = request.resolve(f"baccarat:{bet}", paytable=paytable, change={"decks": 2, "commission": 0.04})
    returns, sample = asked.evaluate(), asked.simulate(100_000, 8)
    assert abs(sample.agreement(returns)) < 4
    assert set(sample.events) <= {event.event for event in returns.events}
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 4
    assert sample.stdev == pytest.approx(returns.stdev, rel=0.03)


@given(commission=st.integers(0, 99), decks=st.integers(1, 16))
@settings(max_examples=10, deadline=None)
def test_a_commission_is_taken_from_what_the_banker_wins(commission: int, decks: int) -> None:
    change = {"decks": decks, "commission": commission / 100}
    returns = request.evaluate("baccarat:banker", change=change)
    free = request.evaluate("baccarat:banker", change={**change, "commission": 0.0})
    won = Fraction(next(e.combinations for e in free.events if e.event == "banker_wins") or 0)
    assert returns.ev_exact is not None
    assert free.ev_exact is not None
    deals = sum(event.combinations or 0 for event in free.events)
    assert free.ev_exact - returns.ev_exact == won / deals * Fraction(commission, 100)


def test_sides_without_a_commission_are_opposites() -> None:
    """What one of them wins the other loses: together they are worth nothing, always."""
    change: dict[str, object] = {"commission": 0.0}
    sides = [request.evaluate(f"baccarat:{bet}", change=change) for bet in ("player", "banker", "both")]
    assert sides[0].ev_exact == -(sides[1].ev_exact or 0)
    assert sides[2].ev_exact == sides[2].stdev == 0


def test_both_cost_the_mean_and_swing_little() -> None:
    player, banker, both = (request.evaluate(f"baccarat:{bet}") for bet in ("player", "banker", "both"))
    assert both.ev_exact == ((player.ev_exact or 0) + (banker.ev_exact or 0)) / 2
    assert both.stdev is not None
    assert both.stdev < 0.013
    assert both.hit_frequency == 0


def test_of_two_wagers_only_a_tie_returns_both() -> None:
    for change in ({}, {"commission": 0.0}):
        player, both = (request.evaluate(f"baccarat:{bet}", change=change) for bet in ("player", "both"))
        decided = 1 - next(event.probability for event in player.events if event.event == "tie")
        assert both.details["house_edge_per_bet_resolved"] == pytest.approx(both.house_edge / decided, rel=1e-12)


def test_ties_are_returned_and_not_resolved() -> None:
    """Source: Wizard of Odds, 1.17% on the banker and 1.36% on the player when ties are left out."""
    resolved = {
        bet: request.evaluate(f"baccarat:{bet}").details["house_edge_per_bet_resolved"]
        for bet in ("player", "banker", "tie")
    }
    assert round(resolved["banker"], 4) == 0.0117
    assert round(resolved["player"], 4) == 0.0136
    tie = request.evaluate("baccarat:tie")
    assert resolved["tie"] == tie.house_edge
    assert tie.details["house_edge_per_bet_resolved_exact"] == str(-(tie.ev_exact or 0))


def test_special_wins_are_parts_of_the_bankers() -> None:
    plain = {event.event: event.combinations for event in request.evaluate("baccarat:banker").events}
    for paytable in ("half_on_banker_6", "push_on_three_card_7"):
        split = {event.event: event.combinations or 0 for event in request.evaluate("baccarat:banker", paytable).events}
        wins = sum(number for event, number in split.items() if event.startswith("banker_wins"))
        assert wins == plain["banker_wins"]
        assert {event: split[event] for event in ("player_wins", "tie")} == {
            event: plain[event] for event in ("player_wins", "tie")
        }


def test_margins_and_conditions_add_up() -> None:
    returns = request.evaluate("baccarat")
    margins, given_total = returns.details["margins"], returns.details["given_player_total"]
    events = {event.event: event.combinations for event in returns.events}
    assert margins.loc[margins["margin"] > 0, "combinations"].sum() == events["player_wins"]
    assert margins.loc[margins["margin"] == 0, "combinations"].sum() == events["tie"]
    assert given_total["probability"].sum() == pytest.approx(1, abs=1e-14)
    wins = (given_total["probability"] * given_total["player"]).sum()
    assert wins == pytest.approx(returns.hit_frequency, abs=1e-14)


# --- Pairs ----------------------------------------------------------------------------------------------------


@given(decks=st.integers(1, 16))
def test_pairs_of_fresh_shoes(decks: int) -> None:
    for bet in ("player_pair", "banker_pair"):
        returns = request.evaluate(f"baccarat:{bet}", change={"decks": decks})
        assert returns.hit_frequency == float(Fraction(4 * decks - 1, 52 * decks - 1))
        assert next(event.combinations for event in returns.events) == 13 * comb(4 * decks, 2)
        for shoe in ([4 * decks] * 13, [*[4 * decks] * 9, 16 * decks]):
            used = request.evaluate(f"baccarat:{bet}", change={"decks": decks}, shoe=shoe)
            assert used.ev_exact == returns.ev_exact


@pytest.mark.parametrize(("decks", "aces", "twos", "tens"), [(1, 2, 4, 3), (1, 0, 3, 5), (2, 3, 2, 2)])
def test_pairs_of_a_shoe_by_value_are_those_of_every_real_shoe(decks: int, aces: int, twos: int, tens: int) -> None:
    """Ten-valued cards left are any of the full decks', all choices equally likely."""
    pairs: Counter[bool] = Counter()
    full = [rank for rank in ("10", "J", "Q", "K") for _ in range(4 * decks)]
    for left in combinations(full, tens):
        shoe = ["A"] * aces + ["2"] * twos + list(left)
        pairs.update(one == other for one, other in combinations(shoe, 2))
    shoe_by_value = [aces, twos, *[0] * 7, tens]
    returns = request.evaluate("baccarat:player_pair", change={"decks": decks}, shoe=shoe_by_value)
    assert returns.hit_frequency == float(Fraction(pairs[True], pairs.total()))


# --- Effects of removal ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("bet", baccarat.BETS)
def test_effects_of_removal_average_to_nothing(bet: str) -> None:
    effects = sensitivity.removal_effects(f"baccarat:{bet}", change={"decks": 1})
    assert effects.mean_ev_exact == effects.ev_exact
    assert len(effects.table) == 10


def test_small_cards_gone_help_the_banker() -> None:
    """Thorp and Griffin: the removal of a 4 costs the player most, and that of a 5 to 8 helps."""
    effects = sensitivity.removal_effects("baccarat:player").table.set_index("card")["effect"]
    assert effects.idxmin() == "4"
    assert effects[["5", "6", "7", "8"]].min() > 0
    opposite = sensitivity.removal_effects("baccarat:banker").table.set_index("card")["effect"]
    assert (effects * opposite < 0)[["4", "5", "6", "7", "8"]].all()


# --- The chart ------------------------------------------------------------------------------------------------


def test_the_drawing_chart_is_the_tableau() -> None:
    chart = baccarat.drawing_chart().set_index("banker_total")
    assert list(chart.columns) == ["stood", *map(str, range(10))]
    assert "".join(chart.loc[3]).replace("draw", "D").replace("stand", "S") == "DDDDDDDDDSD"
    assert (chart.loc[[0, 1, 2]] == "draw").all(axis=None)
    assert (chart.loc[7] == "stand").all()
    assert chart["stood"].tolist() == ["draw"] * 6 + ["stand"] * 2


# --- Requests that make no sense ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"decks": 0}, "decks is 0; expected 1 to 16"),
        ({"commission": 1.0}, "commission is 1.0; expected a part of the win"),
        ({"commission": -0.01}, "commission is -0.01"),
        ({"comission": 0.01}, "unknown rule 'comission' .did you mean 'commission'"),
    ],
)
def test_wrong_rules(change: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        request.evaluate("baccarat", change=change)


def test_wrong_pay_tables_and_bets() -> None:
    with pytest.raises(RequestError, match=r"tie pays \$5; expected odds"):  # a line that the bet doesn't ask for
        request.evaluate("baccarat:player", pay={"tie": "$5"})
    with pytest.raises(RequestError, match="lacks banker_wins, tie"):
        request.evaluate("baccarat", paytable=PayTable("own", {"player_wins": Fraction(1)}))
    with pytest.raises(RequestError, match=r"unknown bet of baccarat: 'bankr' .did you mean 'banker'"):
        request.evaluate("baccarat:bankr")
    for verb in (baccarat.evaluate, baccarat.simulate):
        numbers = () if verb is baccarat.evaluate else (10, 1)
        with pytest.raises(RequestError, match="unknown bet of baccarat"):
            verb(baccarat.Rules(), catalog.paytable("baccarat"), *numbers, bet="dragon")  # type: ignore[operator]


def test_every_net_result_is_that_of_its_line() -> None:
    paytable = catalog.paytable("baccarat", "half_on_banker_6")
    rules = baccarat.Rules(commission=0.0)
    for bet, margin, points in product(("player", "banker", "tie"), (-2, 0, 3), (5, 6)):
        event = baccarat.event_of(paytable, bet, margin, points, 3)
        net = baccarat.net(rules, paytable, bet, event)
        if bet == "banker" and margin < 0:
            assert net == (Fraction(1, 2) if points == 6 else 1)
        elif bet == "tie":
            assert net == (8 if margin == 0 else -1)
        else:
            won = margin > 0 if bet == "player" else margin < 0
            assert net == (0 if margin == 0 else 1 if won else -1)
