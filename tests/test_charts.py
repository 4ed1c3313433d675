"""Charts as policies: what a code says for every hand it covers, and what is wrong with one."""

from dataclasses import replace

import numpy as np
import pytest

from casinomath import catalog, request
from casinomath.cards import SUITS, VALUES
from casinomath.charts import chart_policy
from casinomath.errors import RequestError
from casinomath.games import spanish21
from casinomath.kernels.actions import ACTIONS, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.strategy import Chart

RULES = spanish21.Rules(max_doubles=3)
BONUS_21 = catalog.paytable("spanish21", "bonus_21")


@pytest.fixture(scope="module")
def derived() -> Chart:
    return spanish21.strategy(RULES, BONUS_21).chart


def changed(chart: Chart, table: str, hand: str, upcard: str, code: str) -> Chart:
    rows = {name: {row: dict(codes) for row, codes in rows.items()} for name, rows in chart.tables.items()}
    rows.setdefault(table, {}).setdefault(hand, {})[upcard] = code
    return replace(chart, tables=rows)


def without(chart: Chart, table: str, hand: str) -> Chart:
    rows = {name: dict(rows) for name, rows in chart.tables.items()}
    rows[table] = {row: codes for row, codes in rows[table].items() if row != hand}
    return replace(chart, tables=rows)


def policy(chart: Chart, rules: spanish21.Rules = RULES) -> Policy:
    return chart_policy(chart, spanish21.problem(rules, BONUS_21))


def row_of(cards: str) -> int:
    row = 0
    for card in cards.split():
        row = int(hands().child[row, VALUES.index(card.rstrip(SUITS))])
    return row


def first(played: Policy, cards: str, upcard: str) -> str:
    """The first decision on two cards such as `7s 8s`."""
    values = [VALUES.index(card.rstrip(SUITS)) for card in cards.split()]
    up = VALUES.index(upcard.rstrip(SUITS))
    if tuple(values) in SUITED_HANDS and cards[-1] in SUITS:
        suits = [SUITS.index(card[-1]) if card[-1] in SUITS else 0 for card in (*cards.split(), upcard)]
        place = SUITED_HANDS.index((values[0], values[1]))
        return ACTIONS[played.suited_first[up, place, 16 * suits[0] + 4 * suits[1] + suits[2]]]
    return ACTIONS[played.first[up, row_of(cards)]]


@pytest.mark.parametrize(
    ("code", "cards", "action"),
    [
        ("S5", "4 5 6", "stand"),
        ("S5", "2 2 5 6", "stand"),
        ("S5", "2 2 2 3 6", "hit"),
        ("D4", "4 5 6", "double"),
        ("D4", "2 2 5 6", "hit"),
        ("RS4", "4 5 6", "stand"),
        ("RS4", "2 2 5 6", "hit"),
        ("R", "4 5 6", "hit"),
    ],
)
def test_digits_hit_with_that_many_cards(derived: Chart, code: str, cards: str, action: str) -> None:
    played = policy(changed(derived, "hard", "15", "6", code))
    assert ACTIONS[played.play[5, row_of(cards)]] == action


@pytest.mark.parametrize(
    ("code", "cards", "action"),
    [
        ("S", "7s 8s", "stand"),
        ('S"', "7s 8s", "hit"),
        ('S"', "7h 8h", "stand"),
        ("S'", "7h 8h", "hit"),
        ("S'", "7s 8s", "hit"),
        ("S'", "7h 8s", "stand"),
        ("S*", "7h 8s", "hit"),
        ("S*", "5 10", "stand"),
        ("RS", "5 10", "surrender"),
        ("RH", "7h 8h", "surrender"),
    ],
)
def test_marks_hit_two_cards_of_a_possible_6_7_8(derived: Chart, code: str, cards: str, action: str) -> None:
    assert first(policy(changed(derived, "hard", "15", "6", code)), cards, "6d") == action


def test_surrender_falls_back_where_it_is_not_allowed(derived: Chart) -> None:
    chart = changed(derived, "hard", "15", "6", "RS")
    assert first(policy(chart, RULES._replace(late_surrender=False)), "5 10", "6d") == "stand"


@pytest.mark.parametrize("super_bonus", [True, False])
def test_suited_sevens_are_hit_for_a_super_bonus_that_is_offered(derived: Chart, super_bonus: bool) -> None:
    chart = changed(derived, "pairs", "7-7", "7", "P$")
    played = policy(chart, RULES._replace(super_bonus=super_bonus))
    assert first(played, "7h 7h", "7s") == ("hit" if super_bonus else "split")
    assert first(played, "7h 7d", "7s") == "split"


def test_redoubling_ends_with_the_last_double(derived: Chart) -> None:
    """What can't redouble any more does what 16 does, which stands for the same."""
    chart = changed(derived, "after_double_hard", "11", "8", "D")
    played, row = policy(chart), row_of("2 3 6")
    for doubles, action in ((1, "double"), (2, "double"), (3, "rescue")):
        assert ACTIONS[played.after[doubles - 1, 7, row]] == action
    assert chart.code("after_double_hard", "16", "8") == "R"


def test_without_rescue_a_doubled_hand_stands(derived: Chart) -> None:
    played = policy(derived, RULES._replace(rescue=False))
    assert ACTIONS[played.after[0, 9, row_of("2 4 10")]] == "stand"


def test_the_derived_chart_survives_its_text_and_a_round_trip(derived: Chart) -> None:
    text = derived.text()
    assert text.count("after double") == 2
    again = policy(Chart("again", {name: dict(rows) for name, rows in derived.tables.items()}))
    assert all(np.array_equal(a, b) for a, b in zip(policy(derived), again, strict=True))


@pytest.mark.parametrize(
    ("table", "hand", "code", "message"),
    [
        ("hard", "15", "P", "hard 15 against 6 is 'P'; only pairs can be split"),
        ("hard", "15", "X", "unknown code 'X'"),
        ("pairs", "8-8", "S?", "unknown code"),
        ("after_double_hard", "15", "H", "expected S, R, D"),
    ],
)
def test_codes_that_can_not_be_played(derived: Chart, table: str, hand: str, code: str, message: str) -> None:
    with pytest.raises(RequestError, match=message.replace("?", r"\?")):
        policy(changed(derived, table, hand, "6", code))


def test_a_missing_cell_is_named(derived: Chart) -> None:
    with pytest.raises(RequestError, match="hard 12 against A is missing"):
        policy(without(derived, "hard", "12"))
    assert policy(without(derived, "soft", "A-A")).play[5, row_of("A A")] == 1  # charts may leave it out: hit


THIN = "2,8,8,8,4,6,8,3,8,20"
"""Two aces are left: no pair of aces can be dealt against an ace, and a chart made for the shoe has no cell for it."""


@pytest.mark.parametrize(
    ("stem", "strategy"),
    [
        ("blackjack", "derived_chart"),
        ("blackjack", "total_dependent"),
        ("free_bet_blackjack", "total_dependent"),
        ("spanish21", "total_dependent"),
    ],
)
def test_a_chart_needs_no_cell_for_what_can_not_be_dealt(stem: str, strategy: str) -> None:
    best, charted = (
        request.resolve(stem, change={"decks": 2}, shoe=THIN, strategy=played).price() for played in (None, strategy)
    )
    assert 0 <= charted.house_edge - best.house_edge < 0.001
