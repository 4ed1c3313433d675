"""The inverse problem: a pay that is found gives the edge asked for, and the pays of documents are found again."""

from fractions import Fraction
from typing import Any

import pytest

from casinomath import catalog
from casinomath.errors import RequestError
from casinomath.paytable import Dollars, MeterShare, PayTable
from casinomath.request import evaluate
from casinomath.solving import Answer, number_of, read_edge, solve, typed

# --- Exact --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bet", ["up_card", "down_card", "both"])
@pytest.mark.parametrize("event", ["suited_match", "unsuited_match"])
@pytest.mark.parametrize("rules", list(catalog.rule_sets("match_the_dealer")))
def test_the_pays_that_documents_print_are_found_again(rules: str, event: str, bet: str) -> None:
    printed = evaluate(f"match_the_dealer:{bet}", rules)
    assert printed.ev_exact is not None
    # from a table that pays something else
    found = solve(f"match_the_dealer:{bet}", event, -printed.ev_exact, rules, pay={event: 1})
    assert found.pay == catalog.paytable_for("match_the_dealer", rules).pays[event]
    assert found.exact
    assert found.returns.ev_exact == printed.ev_exact
    assert found.whole == ((found.pay, printed.house_edge),)


@pytest.mark.parametrize("edge", ["3%", "0.03", 0.03, Fraction(3, 100), "-3%", 0, "17.5%"])
def test_a_fraction_is_solved_for_exactly(edge: Any) -> None:
    found = solve("match_the_dealer", "suited_match", edge)
    assert found.exact
    assert found.target == Fraction(str(edge).removesuffix("%")) / (100 if str(edge).endswith("%") else 1)
    assert found.returns.ev_exact == -found.target
    assert isinstance(found.pay, Fraction)
    again = evaluate("match_the_dealer", pay={"suited_match": typed(found.pay)})
    assert again.ev_exact == -found.target
    assert found.returns.paytable == again.paytable == f"six_deck with suited_match={typed(found.pay)}"
    (below, more), (above, less) = found.whole
    assert number_of(below) < found.pay < number_of(above) == number_of(below) + 1
    assert more > float(found.target) > less


def test_insurance_is_fair_at_the_odds_against_a_ten_valued_hole_card() -> None:
    """287 unseen cards of which 72 are ten-valued: 215 to 72."""
    found = solve("insurance", "blackjack", 0)
    assert (found.pay, found.exact) == (Fraction(215, 72), True)
    assert found.pay == pytest.approx(evaluate("insurance").details["fair_pays"])


@pytest.mark.parametrize(("event", "kind"), [("suited_match", Dollars), ("two_suited_matches_up_or_down", MeterShare)])
def test_dollars_and_shares_of_the_meter_are_found_as_such(event: str, kind: type) -> None:
    found = solve("match_the_dealer_progressive", event, "5%", meter=10_000)
    assert isinstance(found.pay, kind)
    assert found.exact
    assert found.returns.ev_exact == Fraction(-1, 20)
    step = Fraction(1, 100) if kind is MeterShare else Fraction(1)
    (below, more), (above, less) = found.whole
    assert number_of(above) - number_of(below) == step
    assert more > 0.05 > less
    for pay in (below, above):
        again = evaluate("match_the_dealer_progressive", pay={event: typed(pay)}, meter=10_000)
        assert again.house_edge in (more, less)


def test_awards_of_several_seats_are_not_linear_in_a_share_and_solved_all_the_same() -> None:
    seats = {"seats": 7, "seat": 7}
    event = "two_suited_matches_up_or_down"
    found = solve("match_the_dealer_progressive", event, "5%", change=seats, meter=10_000)
    assert not found.exact
    assert found.returns.house_edge == pytest.approx(0.05, abs=1e-12)
    first = solve("match_the_dealer_progressive", event, "5%", change={**seats, "seat": 1}, meter=10_000)
    assert first.exact
    assert number_of(first.pay) < number_of(found.pay)  # the last seat is paid from what is left


# --- With decisions -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "edge", "rules"),
    [
        ("five_card_21", "0.5%", "h17_six_deck"),
        ("six_card_21", "-1%", "s17_six_deck"),
        ("blackjack", "2.5%", "h17_two_deck"),
    ],
)
def test_the_best_play_goes_with_the_pay(event: str, edge: str, rules: str) -> None:
    found = solve("spanish21", event, edge, rules)
    assert not found.exact
    assert found.returns.house_edge == pytest.approx(float(found.target), abs=1e-11)
    assert 0 < found.tolerance < 1e-6
    again = evaluate("spanish21", rules, pay={event: typed(found.pay)})
    assert again.house_edge == pytest.approx(float(found.target), abs=1e-11)
    (_, more), (_, less) = found.whole
    assert more > float(found.target) > less


def test_a_pay_of_spanish_21_is_found_again() -> None:
    printed = evaluate("spanish21", "h17_six_deck")
    found = solve("spanish21", "seven_card_21", printed.house_edge, pay={"seven_card_21": "10:1"})
    assert float(number_of(found.pay)) == pytest.approx(3, abs=2 * found.tolerance)


def test_a_chart_is_linear_in_the_pay() -> None:
    found = solve("spanish21", "six_seven_eight_mixed", "0.7%", strategy="wizard_h17")
    edges = [evaluate("spanish21", pay={"six_seven_eight_mixed": pay}, strategy="wizard_h17").ev for pay in (1, 2)]
    line = 1 + (-0.007 - edges[0]) / (edges[1] - edges[0])
    assert float(number_of(found.pay)) == pytest.approx(line, rel=1e-9)


# --- What can't be had --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "event", "edge", "given", "told"),
    [
        ("match_the_dealer", "suited", "3%", {}, "unknown event of pay table six_deck: 'suited'"),
        ("match_the_dealer", "suited_match", "three", {}, "edge is 'three'; expected a house edge such as 3% or 0.03"),
        ("match_the_dealer", "suited_match", "3", {}, "edge is 3, 300% of the bet; expected a house edge"),
        ("match_the_dealer", "suited_match", "nan", {}, "edge is 'nan'; expected a house edge"),
        ("match_the_dealer", "suited_match", "1/0", {}, "edge is '1/0'; expected a house edge"),
        (
            *("match_the_dealer", "suited_match", "50%", {}),
            "no pay of suited_match makes the house edge 50.000000%: it is 34.414366% at most, when suited_match pays",
        ),
        (
            *("match_the_dealer_progressive", "two_suited_matches_up_or_down", "-50%", {"meter": 1000}),
            "at least, when two_suited_matches_up_or_down pays 100% of meter",
        ),
        (
            *("match_the_dealer_progressive", "two_suited_matches_up_and_down", "5%", {}),
            "whatever two_suited_matches_up_and_down pays, the house edge is 41.844520%: the meter is empty",
        ),
        (
            *("spanish21", "three_sevens_suited", "0.7%", {"rules": "h17_two_deck", "paytable": "bonus_21"}),
            "whatever three_sevens_suited pays, the house edge is 0.590569%: it never happens",
        ),
        ("spanish21", "blackjack", "3%", {"change": {"decks": 60}}, "decks is 60"),
        ("spanish21", "blackjack", "3%", {"meter": 100}, "takes no meter"),
    ],
)
def test_what_no_pay_gives_is_refused(game: str, event: str, edge: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError) as refused:
        solve(game, event, edge, **given)
    assert told in str(refused.value)


def test_the_most_and_the_least_that_can_be_had_can_be_had() -> None:
    most = evaluate("match_the_dealer", pay={"suited_match": "push"})
    assert most.ev_exact is not None
    assert solve("match_the_dealer", "suited_match", -most.ev_exact).pay == 0
    with pytest.raises(RequestError, match="at most"):
        solve("match_the_dealer", "suited_match", -most.ev_exact + Fraction(1, 10**20))
    never = evaluate("spanish21", pay={"six_card_21": "push"})
    assert solve("spanish21", "six_card_21", never.house_edge).pay == 0


def test_an_event_that_pays_nothing_yet_can_be_solved_for() -> None:
    assert solve("match_the_dealer", "suited_match", "114/3731", pay={"suited_match": "push"}).pay == 9


# --- As values ----------------------------------------------------------------------------------------------


def test_an_answer_as_json() -> None:
    exact, near = solve("insurance", "blackjack", 0).json(), solve("spanish21", "six_card_21", "0.75%").json()
    assert (exact["pay"], exact["pays_exact"], exact["method"], exact["tolerance"]) == ("215:72", "215/72", "exact", 0)
    assert (near["pays_exact"], near["method"], near["printed"]) == (None, "float64", "2:1")
    assert near["pays"] == pytest.approx(float(near["pay"]), abs=1e-12)
    assert near["whole"][0]["pay"] == "2:1"
    assert near["house_edge"] == -near["ev"]


def test_one_line() -> None:
    found = solve("insurance", "blackjack", 0)
    assert repr(found) == "Answer(blackjack pays 215:72, house edge 0.000000%, exact)"
    assert isinstance(found, Answer)


@pytest.mark.parametrize(
    ("pay", "text"),
    [
        (Fraction(9), "9:1"),
        (Fraction(215, 72), "215:72"),
        (Fraction(0), "push"),
        (Fraction(2.370398339643601), "2.370398339644"),
        (Dollars(Fraction(25)), "$25"),
        (Dollars(Fraction(10, 3)), "$3.333333333333"),
        (MeterShare(Fraction(1, 10)), "10% of meter"),
    ],
)
def test_pays_are_said_as_they_can_be_typed(pay: Any, text: str) -> None:
    assert typed(pay) == text
    read = catalog.parse_pay(text)
    assert type(read) is type(pay)
    assert float(number_of(read)) == pytest.approx(float(number_of(pay)), abs=1e-12)


def test_edges_are_read() -> None:
    assert read_edge(" 3 % ") == read_edge("0.03") == read_edge(0.03) == Fraction(3, 100)
    assert read_edge("-114/3731") == -Fraction(114, 3731)
    assert read_edge("150%") == read_edge(1.5) == Fraction(3, 2)


def test_a_pay_table_of_ones_own() -> None:
    table = PayTable("mine", {"suited_match": Fraction(5), "unsuited_match": Fraction(5)})
    found = solve("match_the_dealer", "unsuited_match", "2%", paytable=table)
    assert found.returns.ev_exact == Fraction(-1, 50)
