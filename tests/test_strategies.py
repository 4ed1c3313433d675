"""Strategies set beside each other: exact differences, departures by the cards, and what simplicity costs."""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import pairwise, product
from typing import Any

import numpy as np
import oracle
import pytest

from casinomath import catalog, cli, request, strategies, total_play
from casinomath.cells import policy_of
from casinomath.charts import chart_policy
from casinomath.errors import RequestError
from casinomath.games import spanish21
from casinomath.kernels.actions import DOUBLE
from casinomath.kernels.hands import hands
from casinomath.notation import EVERY_CELL, decisions_of
from casinomath.optimum import improve
from casinomath.simplicity import Simplicity, things
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, always_stand, play
from casinomath.worths import Pricing

ROUNDING = 2e-15


def problem(name: str) -> Problem:
    rules = catalog.rules("spanish21", name, spanish21.Rules)
    return spanish21.problem(rules, catalog.paytable_for("spanish21", name, rules))


# --- Exhaustion -------------------------------------------------------------------------------------------------------

COUNTS = (0, 0, 0, 0, 6, 0, 0, 0, 2, 6)
"""5s, 9s and ten-valued cards: a hand of two or three is decided on, and no suit matters."""
RULES = oracle.Rules(dealer_hits_soft_17=False)


def dealt(counts: tuple[int, ...]) -> Iterator[tuple[int, Fraction, tuple[int, ...]]]:
    yield from oracle.draws(counts)


def plain_value(cell: Callable[[int, int, int], str], upcard: int) -> Fraction:
    """The EV of all rounds against one upcard, dealt card by card, by actions on (total, cards, doubles)."""
    ev = Fraction(0)
    for first, p, left in dealt(COUNTS):
        for second, q, rest in dealt(left):
            for hole, r, others in dealt(rest):
                for up, s, unseen in dealt(others):
                    if up == upcard:
                        hand = ((first, None), (second, None))
                        ev += p * q * r * s * plain_hand(cell, hand, (up, hole), unseen, 0)
    return ev


def plain_hand(
    cell: Callable[[int, int, int], str],
    hand: oracle.Hand,
    dealer: tuple[int, int],
    unseen: tuple[int, ...],
    doubles: int,
) -> Fraction:
    points, _ = oracle.total(hand)
    if points >= 21:
        return oracle.settle(RULES, hand, doubles, False, 0)
    action = cell(points, len(hand), doubles)
    if action == "R":
        return Fraction(-1, 2) if doubles == 0 else -Fraction(2**doubles, 2)
    if action == "S":
        totals = oracle.dealer_totals(RULES.dealer_hits_soft_17, tuple(sorted(dealer)), unseen)
        return sum((p * oracle.settle(RULES, hand, doubles, False, last) for last, p in totals.items()), Fraction(0))
    more = doubles + (action == "D")
    return sum(
        (p * plain_hand(cell, (*hand, (value, None)), dealer, left, more) for value, p, left in dealt(unseen)),
        Fraction(0),
    )


@pytest.mark.parametrize("upcard", [4, 8, 9])
def test_the_optimum_of_every_cell_is_the_best_of_all_strategies_one_by_one(upcard: int) -> None:
    """All 1,296 strategies on 10, 14, 15 of two and of three cards, and 15 after a double; 18 to 20 stand."""
    tiny = Problem(
        table=problem("s17_six_deck").table,
        shoe=COUNTS,
        decks=6,
        hits_soft_17=False,
        max_hands=1,
        pays={**problem("s17_six_deck").pays},
        split_pays={},
    )
    decided = {(10, 2, 0): "SHDR", (14, 2, 0): "SHDR", (15, 2, 0): "SHDR", (15, 3, 0): "SHD", (15, 3, 1): "SR"}
    decided[19, 3, 1] = "SR"
    best = max(
        plain_value(lambda points, cards, doubles: chosen.get((points, cards, doubles), "S"), upcard)  # noqa: B023
        for chosen in (dict(zip(decided, actions, strict=True)) for actions in product(*decided.values()))
    )
    found = improve([Pricing(tiny)], EVERY_CELL, always_stand())
    assert found.by_upcard[upcard] == pytest.approx(float(best), abs=1e-13)


def copied(chart: Chart | None) -> dict[str, dict[str, dict[str, str]]]:
    assert chart is not None
    return {table: {hand: dict(codes) for hand, codes in rows.items()} for table, rows in chart.tables.items()}


# --- Two strategies ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["s17_six_deck", "h17_eight_deck", "h17_redouble_six_deck"])
def test_published_charts_come_close_to_the_best_at_tables_they_are_for(rules: str) -> None:
    """No chart beats the best one; from four decks on, published ones lose 0.005 percentage points at most."""
    found = strategies.compare("spanish21", rules)
    assert 0 < found.difference < 5e-5
    assert found.entries["cost"].sum() == pytest.approx(found.decisions["cost"].sum(), rel=1e-12)
    assert abs(found.interaction) < 0.05 * found.difference
    assert (found.entries["cost"] > 0).all()


def test_a_difference_costs_what_the_whole_round_loses_with_it_alone() -> None:
    found = strategies.compare("spanish21", "h17_redouble_six_deck")
    mine = request.strategy("spanish21", "h17_redouble_six_deck", strategy_class="total_dependent").chart
    for row in found.entries.head(4).itertuples():
        tables = copied(mine)
        tables[row.table][row.row][row.upcard] = row.other_code or "H"
        changed = request.evaluate("spanish21", "h17_redouble_six_deck", strategy=Chart("changed", tables)).ev
        assert found.ev - changed == pytest.approx(row.cost, abs=ROUNDING)


def test_a_users_chart_is_compared(tmp_path: Any) -> None:
    mine = request.strategy("spanish21", strategy_class="total_dependent").chart
    path = tmp_path / "mine.txt"
    path.write_text(mine.text().replace("S4*", "S4", 1), encoding="utf-8")
    found = strategies.compare("spanish21", other=path)
    assert list(found.entries["other_code"]) == ["S4"]
    assert found.difference == pytest.approx(found.entries["cost"].sum(), abs=ROUNDING)


def test_the_best_chart_dealt_and_played_agrees() -> None:
    """Within four standard errors."""
    asked = request.resolve("spanish21", "h17_redouble_six_deck", strategy="total_dependent")
    sample = asked.simulate(2 * 10**7, 2026)
    assert abs(sample.agreement(asked.evaluate())) < 4


def test_a_way_to_play_that_is_a_chart_is_that_chart_in_every_question() -> None:
    """It costs what `evaluate` says, is departed from, and its advice on a hand is its own."""
    one_deck = {"decks": 1}
    derived = request.resolve("blackjack", change=one_deck, strategy="derived_chart")
    chart = derived.chart()
    assert isinstance(chart, Chart)
    found = strategies.compare("blackjack", change=one_deck, other="derived_chart")
    assert found.other_ev == pytest.approx(derived.evaluate().ev, abs=1e-12)
    assert found.difference > 1e-6
    assert not found.entries.empty
    assert derived.strategy("total_dependent").chart.tables == chart.tables
    assert len(strategies.departures("blackjack", change=one_deck, strategy="derived_chart").departures)
    for each in found.entries.to_dict("records"):
        assert each["other_code"] == chart.tables[each["table"]][each["row"]][each["upcard"]]


@pytest.mark.parametrize(
    "change",
    [
        {"double_split_aces": True},
        {"double_split_aces": True, "resplit_aces": True, "double_on": "9_10_11", "hole_card": "none"},
        {"double_split_aces": True, "hit_split_aces": True, "double_after_split": False, "decks": 1},
        {"hit_split_aces": True, "max_hands": 5, "double_on": "10_11", "late_surrender": False, "decks": 2},
        {"max_hands": 1, "decks": "inf"},
    ],
    ids=str,
)
def test_charts_are_priced_decision_by_decision_as_they_are_evaluated(change: dict[str, Any]) -> None:
    """Whatever the rules; the best chart of all is no worse than the one that is derived, and no better than all."""
    best, derived = (
        request.resolve("blackjack", change=change, strategy=name) for name in ("total_dependent", "derived_chart")
    )
    found = strategies.compare("blackjack", change=change, other="derived_chart")
    pricing = total_play.pricing(strategies.problem_of(best))
    for asked, ev in ((best, found.ev), (derived, found.other_ev)):
        chart = asked.chart()
        assert isinstance(chart, Chart)
        assert total_play.chart_played(chart, pricing).ev == pytest.approx(ev, abs=1e-12)
    assert found.other_ev <= found.ev <= request.evaluate("blackjack", change=change).ev


def test_a_pair_of_aces_that_can_but_stand_is_not_said_to_stand() -> None:
    """The soft row of two aces is for those that can't be split; newcomers read it for those that can."""
    chart = request.strategy("blackjack", strategy_class="total_dependent").chart
    assert set(chart.tables["soft"]["A-A"].values()) == {"H"}


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"other": "composition_dependent"}, "no chart"),
        ({"other": "wizard"}, "did you mean"),
        ({"change": {"rescue": False}}, "no chart is published for these rules"),
    ],
)
def test_what_can_not_be_compared(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        strategies.compare("spanish21", **asked)


def test_only_the_family_of_21_has_charts() -> None:
    with pytest.raises(RequestError, match="match_the_dealer"):
        strategies.simplicity("match_the_dealer")


@pytest.mark.parametrize("verb", [strategies.compare, strategies.departures, strategies.simplicity])
def test_another_game_has_no_charts(verb: Any) -> None:
    with pytest.raises(RequestError, match="ultimate_texas_holdem has no charts; expected a game of the family of 21"):
        verb("ultimate_texas_holdem")


# --- Departures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", ["s17_two_deck", "h17_redouble_six_deck"])
def test_departures_gain_together_what_they_gain_alone(rules: str) -> None:
    found = strategies.departures("spanish21", rules)
    gains = [each.gain for each in found.departures]
    assert gains == sorted(gains, reverse=True)
    assert min(gains) > 0
    assert found.ev_with_all - found.ev == pytest.approx(sum(gains), rel=0.05)
    for each in found.departures:
        assert each.gain == pytest.approx((each.best_ev - each.ev) * each.frequency, abs=ROUNDING)


# --- Simplicity -------------------------------------------------------------------------------------------------------


@cache
def simple(rules: str) -> Simplicity:
    return strategies.simplicity("spanish21", rules)


def test_a_class_is_worth_no_less_than_those_it_holds() -> None:
    """Only these inequalities must hold: see `casinomath.simplicity`."""
    evs = {each.name: each.ev for each in simple("s17_six_deck").classes}
    holds = [("every_cell", "chart"), ("every_cell", "blackjack"), ("no_card_counts", "plain"), ("plain", "novice")]
    holds += [("chart", name) for name in evs if name not in ("every_cell", "chart", "blackjack")]
    holds += [("no_marks", "plain"), ("no_surrender", "novice"), ("no_rescue", "novice")]
    numbers = [0, 1, 2, 3, 5, 10, 20]
    evs["plain_and_0"] = evs["plain"]
    holds += [(f"plain_and_{more}", f"plain_and_{less}") for less, more in pairwise(numbers)]
    for better, worse in holds:
        assert evs[better] >= evs[worse] - ROUNDING, (better, worse)
    assert {"every_number_of_decks", "either_soft_17", "wizard_s17"} <= evs.keys()


def test_classes_with_a_chart_are_worth_what_their_chart_is() -> None:
    game = problem("s17_six_deck")
    for each in simple("s17_six_deck").classes:
        if each.chart is not None and each.name != "blackjack":
            assert play(game, chart_policy(each.chart, game)).ev == pytest.approx(each.ev, abs=ROUNDING), each.name


def test_exceptions_are_learnt_in_the_best_order() -> None:
    found = simple("s17_six_deck")
    gains = [each.gain for each in found.learnt]
    assert all(gain > 0 for gain in gains)
    best = next(each.ev for each in found.classes if each.name == "chart")
    assert 0 <= best - found.plain.ev - sum(gains) < 1e-6
    game = problem("s17_six_deck")
    for number, one in enumerate(found.sets, start=1):
        assert len(one.exceptions) == number
        assert one.gain >= sum(gains[:number]) - ROUNDING
        tables = copied(found.plain.chart)
        for each in one.exceptions:
            assert tables[each.table][each.hand][each.upcard] == each.plain
            tables[each.table][each.hand][each.upcard] = each.code
        ev = play(game, chart_policy(Chart("set", tables), game)).ev
        assert ev - found.plain.ev == pytest.approx(one.gain, abs=ROUNDING)


def test_things_to_remember_are_runs() -> None:
    upcards = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
    stand_to_six = dict(zip(upcards, "SSSSSHHHHH", strict=True))
    chart = Chart("small", {"hard": {"15": stand_to_six, "16": stand_to_six, "17": dict.fromkeys(upcards, "S")}})
    assert things(chart) == 3


def test_a_chart_of_blackjack_is_read_without_what_blackjack_has_not() -> None:
    """It doubles two cards and no others, and rescues nothing."""
    game = problem("h17_redouble_six_deck")
    ordinary = next(each for each in simple("s17_six_deck").classes if each.name == "blackjack").chart
    assert ordinary is not None
    read_at = game.__class__(**{**vars_of(game), "table": game.table._replace(double_up_to=2, max_doubles=1, rescue=0)})
    policy = policy_of(decisions_of(ordinary, read_at), game)
    assert not policy.after.any()
    assert not (policy.play[:, hands().size > 2] == DOUBLE).any()


def vars_of(game: Problem) -> dict[str, Any]:
    return {name: getattr(game, name) for name in game.__dataclass_fields__}


# --- The command line -------------------------------------------------------------------------------------------------


def told(capsys: pytest.CaptureFixture[str], words: str) -> str:
    assert cli.main(words.split()) == 0
    return capsys.readouterr().out


def test_the_commands_say_what_the_verbs_return(capsys: pytest.CaptureFixture[str]) -> None:
    compared = json.loads(told(capsys, "compare spanish21 --rules s17_six_deck --with wizard_s17 --json"))
    found = strategies.compare("spanish21", "s17_six_deck", other="wizard_s17")
    assert compared["difference"] == found.difference
    assert [row["cost"] for row in compared["entries"]] == list(found.entries["cost"])
    rows = told(capsys, "departures spanish21 --rules s17_six_deck --csv").splitlines()
    assert len(rows) == 1 + len(strategies.departures("spanish21", "s17_six_deck").departures)
    assert "interaction" in told(capsys, "compare spanish21 --rules s17_six_deck")
    assert "cards" in told(capsys, "departures spanish21 --rules s17_six_deck")


def test_simplicity_is_printed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    known = simple("s17_six_deck")
    monkeypatch.setattr(strategies, "of_problem", lambda *_: known)
    printed = told(capsys, "simplicity spanish21 --rules s17_six_deck")
    assert all(each.name in printed for each in simple("s17_six_deck").classes)
    classes = json.loads(told(capsys, "simplicity spanish21 --rules s17_six_deck --json"))["classes"]
    assert [row["house_edge"] for row in classes] == [-each.ev for each in simple("s17_six_deck").classes]
    assert np.isfinite([row["cost"] for row in classes]).all()
