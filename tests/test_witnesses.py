"""Witnesses, charts compared, and the words that reports print: each against what it stands for."""

from fractions import Fraction
from math import comb
from statistics import NormalDist

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


def test_measures_are_compared_with_simulated_and_published_ones() -> None:
    asked = request.resolve("match_the_dealer")
    exact, sample = asked.evaluate(), asked.simulate(500_000, 5)
    table = witnesses.measures(exact, sample, asked.rules).set_index("measure")
    assert list(table.index) == ["house_edge", "stdev", "hit_frequency"]
    assert list(table["exact"]) == [exact.house_edge, exact.stdev, exact.hit_frequency]
    assert list(table["published"]) == ["3.055%", "2.448", "15.411%"]
    assert table["agrees"].all()
    assert table["simulated"]["house_edge"] == pytest.approx(-sample.mean, abs=1e-12)
    assert table["simulated"]["stdev"] == sample.stdev
    # the standard error of a mean, by the exact spread
    away = (-sample.mean - exact.house_edge) * 500_000**0.5 / 2.4476273
    assert table["standard_errors"]["house_edge"] == pytest.approx(away, abs=1e-6)
    assert 0 < table["standard_errors"].abs().max() < witnesses.FAR


def test_standard_errors_scatter_as_the_normal_law_has_it() -> None:
    """Of 60 samples' 180 standard errors about two thirds are less than 1, and their squares are 1 on average."""
    asked = request.resolve("match_the_dealer:both", "two_deck")
    exact = asked.evaluate()
    away = pd.concat(
        witnesses.measures(exact, asked.simulate(20_000, seed), asked.rules)["standard_errors"] for seed in range(60)
    )
    assert 0.6 < (away**2).mean() < 1.5
    assert 0.55 < (away.abs() < 1).mean() < 0.8


def test_a_measure_that_contradicts_is_said_to_and_one_that_is_unknown_is_left_out() -> None:
    asked = request.resolve("match_the_dealer")
    sample = asked.simulate(500_000, 5)
    other = request.resolve("match_the_dealer", pay={"suited_match": "12:1"})
    table = witnesses.measures(other.evaluate(), sample, other.rules).set_index("measure")
    assert not table["agrees"]["house_edge"]
    assert not table["agrees"]["stdev"]
    assert table["agrees"]["hit_frequency"]
    assert (table["published"] == "").all()
    main = request.resolve("spanish21", "h17_six_deck")
    table = witnesses.measures(main.evaluate(), main.simulate(100_000, 1), main.rules)
    assert list(table["measure"]) == ["house_edge"]
    assert list(table["published"]) == ["0.76%, 0.78%"]


def test_a_figure_of_a_chart_does_not_judge_the_best_play() -> None:
    """0.37% is what a chart costs; the best play costs 0.3645%."""
    for played in (None, "wizard_s17"):
        asked = request.resolve("spanish21", "s17_six_deck", strategy=played)
        table = witnesses.measures(asked.evaluate(), asked.simulate(100_000, 1), asked.rules)
        assert list(table["published"]) == ["0.40%, 0.37%"]
        assert table["agrees"].all()


def test_a_published_ev_is_a_witness_of_the_house_edge() -> None:
    asked = request.resolve("match_the_dealer", "standard_two_deck")
    exact, sample = asked.evaluate(), asked.simulate(100_000, 5)
    published = witnesses.gather(exact, sample, asked.rules)[-1]
    assert published.printed == "EV -0.033124"
    assert published.house_edge == pytest.approx(0.033124)
    assert published.low < exact.house_edge < published.high
    assert published.agrees
    assert witnesses.measures(exact, sample, asked.rules)["published"][0] == "EV -0.033124"


def test_what_is_paid_on_top_and_not_dealt_counts_as_calculated() -> None:
    asked = request.resolve("spanish21", change={"super_bonus": True, "other_bettors": 5})
    exact, sample = asked.evaluate(), asked.simulate(100_000, 3)
    table = witnesses.measures(exact, sample, asked.rules)
    envy = next(event.returned for event in exact.events if event.event == "envy")
    assert table["simulated"][0] == pytest.approx(-sample.mean - envy, abs=1e-12)


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
    """The costs of single decisions sum to the difference in EV, but for what changes do to each other."""
    asked = request.resolve("spanish21", rules, strategy=f"wizard_{rules.removesuffix('_six_deck')}")
    best = request.strategy("spanish21", rules, strategy_class="total_dependent")
    found = comparison.differences(best, asked.strategy("total_dependent"))
    mine = request.evaluate("spanish21", rules, strategy=best.chart).ev
    assert found["cost"].sum() == pytest.approx(mine - asked.evaluate().ev, rel=0.05)
    entries = comparison.entries(found)
    assert entries["cost"].sum() == pytest.approx(found["cost"].sum(), rel=1e-12)
    assert (entries["cost"] > 0).all()


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
        "no splits · Super Bonus · bet of $25 · 2 other bettors"
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


def test_rules_of_side_bets_read_as_the_trade_says_them() -> None:
    progressive = request.resolve("match_the_dealer_progressive").rules
    assert (
        wording.rules_in_words(progressive) == "5 decks · packs of 48 cards · bet of $5 · one player on the progressive"
    )
    said = wording.rules_in_words({"seats": 6, "seat": 2, "meter": 12_500.0, "other_bettors": 1})
    assert said == "6 players on the progressive · seat 2 · meter at $12,500 · 1 other bettor"
    insurance = request.resolve("insurance", "paid_blackjack").rules
    assert wording.rules_in_words(insurance) == "6 decks · packs of 48 cards · upcard A · A K held"


def test_a_par_sheet_lists_events_and_what_they_come_to() -> None:
    exact = request.evaluate("match_the_dealer")
    sheet = wording.par_sheet(exact)
    assert sheet.iloc[:-1]["combinations"].tolist() == [event.combinations for event in exact.events]
    assert sheet.iloc[2].tolist() == ["suited match", "9 to 1", 380_160, *sheet.iloc[2, 3:]]
    assert (sheet["probability"] * sheet["one_in"]).dropna().tolist() == pytest.approx([1] * len(exact.events))
    last = sheet.iloc[-1]
    assert last["combinations"] == 288 * 287 * 286 // 2  # the upcard, and two cards of the player
    assert last["probability"] == pytest.approx(1)
    assert last["return"] == exact.ev == pytest.approx(sheet["return"][:-1].sum())
    assert sheet["pays"].tolist() == ["18 to 1", "13 to 1", "9 to 1", "8 to 1", "4 to 1", "−1", ""]


def test_a_par_sheet_says_what_varies_and_what_is_paid_on_top() -> None:
    sheet = wording.par_sheet(
        request.evaluate("spanish21", change={"super_bonus": True, "other_bettors": 2, "bet": 24.0})
    )
    rows = sheet.set_index("event")["pays"]
    assert rows["split to 2 hands"] == "varies"
    assert rows["super bonus (on top)"] == "125 to 3"
    assert sheet["probability"].iloc[-1] == pytest.approx(1)
    assert sheet["combinations"].isna().all()


def test_losses_and_odd_odds_are_printed_too() -> None:
    assert wording.pay_in_words(Fraction(-1)) == "−1"
    assert wording.pay_in_words(Fraction(-1, 2)) == "−0.5"
    assert wording.pay_in_words(Fraction(1999)) == "1,999 to 1"
    assert wording.pay_in_words(Fraction(1234, 25)) == "49.36 to 1"


# --- Hand by hand -----------------------------------------------------------------------------------------------------


def test_hands_agree_cell_by_cell_and_add_up() -> None:
    asked = request.resolve("spanish21")
    best, played = asked.strategy(), asked.simulate(2_000_000, 4, by_hand=True)
    hands = witnesses.first_hands(best, played)
    assert len(hands) == 540  # 54 hands without blackjack, 10 upcards
    assert hands["rounds"].sum() == sum(rounds for (cards, _), (rounds, *_) in played.hands.items() if cards != "A 10")
    for column in ("ev_standard_errors", "frequency_standard_errors"):
        away = hands[column].dropna()
        assert len(away) > 500
        assert abs((away**2).sum() - len(away)) < 4 * (2 * len(away)) ** 0.5  # chi-square
    row = hands.set_index(["cards", "upcard"]).loc["7 10", "10"]
    (cell,) = best.find("7 10", "10")
    assert row["exact"] == pytest.approx(cell.evs[cell.action])
    mean, stderr = played.hand_mean("7 10", "10")
    assert row["simulated"] == pytest.approx(mean)
    assert row["ev_standard_errors"] == pytest.approx((mean - row["exact"]) / stderr)
    upcards = witnesses.first_hands(best, played, ["upcard"]).set_index("upcard")
    of_ten = hands[hands["upcard"] == "10"]
    assert upcards.loc["10", "expected_rounds"] == pytest.approx(of_ten["expected_rounds"].sum())
    mean = (of_ten["exact"] * of_ten["expected_rounds"]).sum() / of_ten["expected_rounds"].sum()
    assert upcards.loc["10", "exact"] == pytest.approx(mean)


def test_hands_that_vary_in_nothing_or_are_hardly_met_have_no_standard_errors() -> None:
    asked = request.resolve("spanish21")
    hands = witnesses.first_hands(asked.strategy(), asked.simulate(20_000, 4, by_hand=True))
    rare = hands[(hands["rounds"] < witnesses.MET) | (hands["expected_rounds"] < witnesses.MET)]
    assert 0 < len(rare) < len(hands)
    assert rare[["ev_standard_errors", "frequency_standard_errors"]].isna().all(axis=None)
    given_up = hands[hands["simulated"] == -0.5]
    assert given_up["ev_standard_errors"].isna().all()


def test_hands_want_a_sample_and_a_strategy_that_fit() -> None:
    asked = request.resolve("spanish21")
    with pytest.raises(RequestError, match="counted by hand"):
        witnesses.first_hands(asked.strategy(), asked.simulate(100, 4))
    with pytest.raises(RequestError, match="of 2 seats"):
        witnesses.first_hands(asked.strategy(), asked.simulate(100, 4, by_hand=True, seats=2))
    with pytest.raises(RequestError, match="composition_dependent"):
        witnesses.first_hands(asked.strategy("total_dependent"), asked.simulate(100, 4, by_hand=True))


@pytest.mark.parametrize("number", [5, 100, 540])
def test_order_statistics_of_the_normal_law(number: int) -> None:
    """P(the k-th smallest is below x) is P(k or more of them are): a binomial tail, summed exactly."""
    frame = witnesses.against_normal([*range(number), float("nan")])
    assert frame["standard_errors"].tolist() == list(range(number))
    assert (frame["low"] < frame["expected"]).all()
    assert (frame["expected"] < frame["high"]).all()
    for place in {1, 2, number // 2, number}:
        for limit, chance in (("low", 0.025), ("high", 0.975)):
            below = NormalDist().cdf(frame[limit][place - 1])
            tail = sum(comb(number, k) * below**k * (1 - below) ** (number - k) for k in range(place, number + 1))
            assert tail == pytest.approx(chance, abs=1e-9)
    assert frame["expected"].sum() == pytest.approx(0, abs=1e-9)
