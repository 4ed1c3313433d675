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
from casinomath.strategy import Cell, Chart, Strategy

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
    assert comparison.differences(by_totals, by_totals.chart).empty


def test_what_differences_cost_is_what_a_whole_round_loses(by_totals: Strategy) -> None:
    """The costs of single decisions sum to the difference in EV, as good as the two charts play alike elsewhere."""
    asked = request.resolve("spanish21", "s17_six_deck", strategy="wizard_s17")
    assert isinstance(asked.play, Chart)
    found = comparison.differences(by_totals, asked.play)
    mine = request.evaluate("spanish21", "s17_six_deck", strategy=by_totals.chart).ev
    assert found["cost"].sum() == pytest.approx(mine - asked.evaluate().ev, rel=0.1)
    assert (found["cost"] > 0).all()
    assert {("11", "3", "A", "D4", "D3"), ("A-9", "6", "10", "S", "S6")} <= set(
        found[["hand", "cards", "upcard", "code", "other_code"]].itertuples(index=False, name=None)
    )


def made_up(code: str, table: str = "hard", hand: str = "15") -> Chart:
    return Chart("made up", {table: {hand: {"6": code}}})


def strategy(cell: Cell, chart: Chart, *, super_bonus: bool = False) -> Strategy:
    rules = RULES._replace(super_bonus=super_bonus)._asdict()
    return Strategy("spanish21", rules, "bonus_21", "total_dependent", (cell,), chart, None)


@pytest.mark.parametrize(
    ("cards", "suits", "mine", "theirs", "differ"),
    [
        ("5", "", "S5", "S6", True),
        ("4", "", "S5", "S6", False),
        ("7+", "", "S", "S6", True),
        ("7 8", "spades, as 7s 8s v 6s", "S", 'S"', True),
        ("7 8", "suited, as 7h 8h v 6s", "S", 'S"', False),
        ("7 8", "suited, as 7h 8h v 6s", "S", "S'", True),
        ("7 8", "mixed", "S'", "S*", True),
        ("2", "", "S'", "S*", False),  # no 6-7-8 can come of it
        ("2", "", "RS", "S", True),
        ("3", "", "RS", "S", False),  # too late to surrender
    ],
)
def test_codes_differ_where_they_say_to_play_differently(
    cards: str, suits: str, mine: str, theirs: str, differ: bool
) -> None:
    evs = {"stand": -0.2, "hit": -0.3, "double": -0.6} | ({"surrender": -0.5} if cards in {"2", "7 8"} else {})
    cell = Cell("15", cards, "6", "stand", evs, 0.01, suits=suits)
    found = comparison.differences(strategy(cell, made_up(mine)), made_up(theirs))
    assert len(found) == differ


@pytest.mark.parametrize("super_bonus", [True, False])
def test_suited_sevens_are_hit_for_a_super_bonus_that_is_offered(super_bonus: bool) -> None:
    cell = Cell("7-7", "7 7", "6", "split", {"stand": -1, "hit": 0.1, "split": 0.2}, 0.01, suits="suited")
    mine, theirs = (made_up(code, "pairs", "7-7") for code in ("P", "P$"))
    found = comparison.differences(strategy(cell, mine, super_bonus=super_bonus), theirs)
    assert found["other_play"].tolist() == (["hit"] if super_bonus else [])


def test_a_chart_without_later_tables_plays_on_by_its_last() -> None:
    cell = Cell("15", "3+", "6", "stand", {"stand": -1.2, "redouble": -2.0, "rescue": -2.0}, 0.01, doubles=2)
    mine = made_up("S", "after_2_doubles_hard")
    found = comparison.differences(strategy(cell, mine), made_up("R", "after_double_hard"))
    assert found[["play", "other_play", "loss"]].to_numpy().tolist() == [["stand", "rescue", pytest.approx(0.8)]]


def test_a_comparison_needs_a_strategy_by_totals(by_totals: Strategy) -> None:
    with pytest.raises(RequestError, match="expected total_dependent"):
        comparison.differences(request.strategy("spanish21", "s17_six_deck"), by_totals.chart)


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
