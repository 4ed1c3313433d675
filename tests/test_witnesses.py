"""Witnesses, charts compared, and the words that reports print: each against what it stands for."""

from fractions import Fraction

import pandas as pd
import pytest

from casinomath import catalog, comparison, request, witnesses, wording
from casinomath.errors import RequestError
from casinomath.games import spanish21
from casinomath.montecarlo import Sample
from casinomath.paytable import PayTable
from casinomath.returns import Event, Returns
from casinomath.strategy import Strategy

RULES = spanish21.Rules()


def returns(edge: float = 0.0078, rules: spanish21.Rules = RULES, paytable: str = "bonus_21") -> Returns:
    """A round that wins or loses one wager."""
    win = (1 - edge) / 2
    events = (Event("win", win, win, Fraction(1)), Event("loss", 1 - win, win - 1, Fraction(-1)))
    return Returns("spanish21", "main", rules._asdict(), paytable, "float64", events)


def sample(wins: int, losses: int) -> Sample:
    outcomes = {(1, 1): wins, (-1, 1): losses}
    return Sample(wins + losses, Fraction(1), outcomes, {"win": wins, "loss": losses}, {})


# --- Witnesses --------------------------------------------------------------------------------------------------------


def test_the_three_witnesses_stand_side_by_side() -> None:
    exact, simulated, *published = witnesses.gather(returns(), sample(496_000, 504_000), RULES)
    assert (exact.kind, exact.house_edge, exact.low, exact.high) == ("exact", *[pytest.approx(0.0078)] * 3)
    assert simulated.kind == "simulated"
    assert simulated.house_edge == pytest.approx(0.008)
    assert simulated.low < 0.0078 < simulated.high  # one standard error is 0.001
    assert simulated.agrees
    assert "0.20 standard errors" in simulated.remarks
    rows = {(row.source, row.value) for row in catalog.published("spanish21") if row.rules == "h17_six_deck"}
    assert {(witness.source, witness.printed) for witness in published} <= rows
    assert [witness.source for witness in published] == ["wizard_current", "wizard_older"]
    assert all(witness.agrees for witness in published)


def test_a_witness_that_contradicts_is_said_to() -> None:
    _, simulated, *published = witnesses.gather(returns(edge=0.02), sample(496_000, 504_000), RULES)
    assert not simulated.agrees  # 12 standard errors
    assert published
    assert not any(witness.agrees for witness in published)


@pytest.mark.parametrize(
    ("rules", "paytable"),
    [
        (RULES._replace(late_surrender=False), "bonus_21"),
        (RULES._replace(decks=5), "bonus_21"),
        (RULES, "bonus_21 with blackjack=6:5"),
    ],
)
def test_figures_for_other_rules_or_another_pay_table_are_no_witnesses(rules: spanish21.Rules, paytable: str) -> None:
    seen = witnesses.gather(returns(rules=rules, paytable=paytable), sample(5, 5), rules)
    assert [witness.kind for witness in seen] == ["exact", "simulated"]


def test_figures_for_rules_that_come_to_the_same_are_witnesses() -> None:
    idle = RULES._replace(rescue_forfeits="original_wager", bet=100.0, other_bettors=3)
    assert len(witnesses.gather(returns(rules=idle), sample(5, 5), idle)) == 4


def test_how_often_rounds_end_is_compared_ending_by_ending() -> None:
    compared = witnesses.endings(returns(edge=0.0), sample(505_000, 495_000))
    assert compared["ending"].tolist() == ["win", "loss"]
    assert compared["simulated"].tolist() == [0.505, 0.495]
    assert compared["standard_errors"].tolist() == pytest.approx([10, -10])


@pytest.mark.parametrize(
    ("name", "charts"),
    [
        ("h17_six_deck", ["wizard_h17"]),
        ("h17_two_deck", ["wizard_h17"]),
        ("six_deck_house", ["wizard_h17"]),
        ("s17_eight_deck", ["wizard_s17"]),
        ("h17_redouble_five_deck", ["wizard_h17_redouble"]),
        ("five_deck_house", []),  # its rescue forfeits the original wager
    ],
)
def test_a_published_chart_is_for_its_rules_whatever_the_decks(name: str, charts: list[str]) -> None:
    assert witnesses.charts_for("spanish21", catalog.rules("spanish21", name, spanish21.Rules)) == charts


# --- Charts compared --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def by_totals() -> Strategy:
    return request.strategy("spanish21", "s17_six_deck", strategy_class="total_dependent")


def test_a_chart_differs_from_itself_nowhere(by_totals: Strategy) -> None:
    assert comparison.differences(by_totals, by_totals).empty


@pytest.mark.parametrize("rules", ["s17_six_deck", "h17_redouble_six_deck"])
def test_what_differences_cost_is_what_a_whole_round_loses(rules: str) -> None:
    """The costs of single decisions sum to the difference in EV, as good as the two charts play alike elsewhere."""
    asked = request.resolve("spanish21", rules, strategy=f"wizard_{rules.removesuffix('_six_deck')}")
    derived = request.strategy("spanish21", rules, strategy_class="total_dependent")
    found = comparison.differences(derived, asked.strategy("total_dependent"))
    mine = request.evaluate("spanish21", rules, strategy=derived.chart).ev
    assert found["cost"].sum() == pytest.approx(mine - asked.evaluate().ev, rel=0.1)
    assert (found["cost"] > 0).all()


def test_differences_name_the_codes(by_totals: Strategy) -> None:
    published = request.resolve("spanish21", "s17_six_deck", strategy="wizard_s17").strategy("total_dependent")
    found = comparison.differences(by_totals, published)[["hand", "cards", "upcard", "code", "other_code"]]
    named = set(found.itertuples(index=False, name=None))
    assert {("11", "3", "A", "D4", "D3"), ("A-9", "6", "10", "S", "S6")} <= named


def test_only_strategies_by_totals_of_one_table_compare(by_totals: Strategy) -> None:
    with pytest.raises(RequestError, match="expected total_dependent"):
        comparison.differences(by_totals, request.strategy("spanish21", "s17_six_deck"))
    with pytest.raises(RequestError, match="different tables"):
        comparison.differences(
            by_totals, request.strategy("spanish21", "h17_six_deck", strategy_class="total_dependent")
        )


# --- Words ------------------------------------------------------------------------------------------------------------


def test_rules_read_as_the_trade_says_them() -> None:
    assert wording.rules_in_words(RULES) == (
        "6 decks · dealer hits soft 17 · one double · rescue · late surrender · split to 4 hands · "
        "split aces play on · card-count bonuses after a split · no Super Bonus"
    )
    other = spanish21.Rules(1, True, 3, True, "original_wager", False, 1, False, False, True, 25.0, 2)
    assert wording.rules_in_words(other) == (
        "1 deck · dealer hits soft 17 · up to 3 doubles · rescue loses the original wager · no surrender · "
        "no splits · one card to each split ace · no card-count bonuses after a split · Super Bonus · bet of $25 · "
        "2 other bettors"
    )
    assert "no rescue" in wording.rules_in_words(RULES._replace(rescue=False))
    assert (
        wording.rules_in_words({"decks": 8, "ties_lose": True, "limit": 2.5}) == "8 decks · ties lose: yes · limit: 2.5"
    )


def test_every_rule_is_told_with_its_meaning() -> None:
    table = wording.rules_table(RULES)
    assert table["rule"].tolist() == list(RULES._fields)
    assert table["meaning"].str.len().min() > 20
    assert table["value"][:4].tolist() == ["6", "yes", "1", "yes"]


def test_events_and_pays_read_as_tables_print_them() -> None:
    pays = {"six_seven_eight_mixed": Fraction(3, 2), "seven_card_21": Fraction(3), "tie": Fraction(0)}
    table = wording.pays_table(PayTable("made up", pays))
    expected = pd.DataFrame(
        [("6-7-8 mixed", "3 to 2"), ("seven-card 21", "3 to 1"), ("tie", "push")],
        columns=["event", "pays"],
    )
    pd.testing.assert_frame_equal(table, expected)
    assert wording.event_in_words("redoubled_twice_twenty_one") == "redoubled twice 21"
