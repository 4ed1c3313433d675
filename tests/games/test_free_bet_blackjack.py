"""Free Bet Blackjack against whole rounds on tiny shoes, the endless shoe by totals, dealt cards, and blackjack."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import endless_shoe
import free_bet_oracle as oracle
import pytest
from test_simulation import check_agreement

from casinomath import catalog, request, twentyone
from casinomath.cards import VALUES
from casinomath.errors import RequestError
from casinomath.games import free_bet_blackjack
from casinomath.games.free_bet_blackjack import Rules, evaluate, problem, simulate, strategy
from casinomath.kernels.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER
from casinomath.kernels.hands import hands
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, Solution

THREE_TO_TWO = catalog.paytable("free_bet_blackjack", "three_to_two")
ALL_BUT_FOURS = frozenset(range(9)) - {3}
NO_PAIR: frozenset[int] = frozenset()

CASES: dict[str, tuple[dict[str, Any], oracle.Rules, oracle.Counts]] = {
    "the document's rules": ({}, oracle.Rules(), (2, 0, 2, 0, 2, 1, 0, 0, 0, 9)),
    "S17, sevens and eights": (
        {"dealer_hits_soft_17": False},
        oracle.Rules(dealer_hits_soft_17=False),
        (0, 0, 0, 2, 0, 0, 4, 5, 0, 5),
    ),
    "aces resplit, surrender": (
        {"resplit_aces": True, "late_surrender": True, "max_hands": 3},
        oracle.Rules(resplit_aces=True, late_surrender=True, max_hands=3),
        (4, 0, 0, 1, 0, 2, 0, 0, 2, 7),
    ),
    "the launch: any number of cards, fours for money": (
        {"free_doubles": "any_cards", "free_splits": "all_but_tens_and_fours", "resplit_aces": True},
        oracle.Rules(free_double_cards=21, free_pairs=ALL_BUT_FOURS, paid_pairs=frozenset({3, 9}), resplit_aces=True),
        (1, 1, 0, 4, 1, 0, 0, 0, 0, 9),
    ),
    "nothing for money": (
        {"double_for_money": False, "split_for_money": False, "max_hands": 3},
        oracle.Rules(paid_double_cards=0, paid_pairs=NO_PAIR, max_hands=3),
        (2, 0, 1, 4, 0, 1, 0, 1, 0, 7),
    ),
    "22 is a bust": (
        {"push_22": False, "max_hands": 3},
        oracle.Rules(push_22=False, max_hands=3),
        (1, 0, 3, 0, 0, 3, 0, 1, 0, 8),
    ),
    "no free split": (
        {"free_splits": "none", "max_hands": 3},
        oracle.Rules(free_pairs=NO_PAIR, paid_pairs=frozenset(range(10)), max_hands=3),
        (1, 0, 3, 0, 0, 3, 0, 1, 0, 8),
    ),
}


BEST = cache(lambda: strategy(Rules(), THREE_TO_TWO))
BY_TOTALS = cache(lambda: strategy(Rules(), THREE_TO_TWO, strategy_class="total_dependent"))


def tiny(changes: dict[str, Any], counts: oracle.Counts) -> Problem:
    """The game on a shoe that its own check refuses: no line of play runs out of its cards all the same."""
    return replace(problem(Rules(**changes), THREE_TO_TWO), shoe=counts)


@pytest.mark.parametrize("case", CASES)
def test_whole_rounds(case: str) -> None:
    changes, rules, counts = CASES[case]
    game = tiny(changes, counts)
    solution = twentyone.solve(game)
    played = twentyone.play(game, solution.policy, solution.splits)
    theirs = oracle.round_value(rules, counts)
    assert played.ev == pytest.approx(float(theirs.ev), abs=1e-14)
    assert played.average_wager == pytest.approx(float(theirs.wagered), abs=1e-14)
    assert played.ends.sum() + played.split_rounds.sum() == pytest.approx(1.0, abs=1e-14)
    assert played.split_rounds.sum() == pytest.approx(float(theirs.endings.get("split", 0)), abs=1e-14)


@pytest.mark.parametrize("case", CASES)
def test_every_action_of_both_kinds_of_hands(case: str) -> None:
    """All hands of two cards against all upcards, as they are dealt and as they carry a free bet."""
    changes, rules, counts = CASES[case]
    solution = twentyone.solve(tiny(changes, counts))
    game = oracle.Game(rules, counts)
    actions = {"stand": STAND, "hit": HIT, "double": DOUBLE, "split": SPLIT, "surrender": SURRENDER}
    compared = 0
    for first in range(10):
        for second in range(first, 10):
            row = int(hands().child[hands().child[0, first], second])
            for upcard in range(10):
                if (first, second) == (0, 9) or min(left(counts, first, second, upcard)) < 0:
                    continue
                peek = solution.values.peek[upcard, row]
                ours = solution.first_values(upcard, row)
                for action, value in oracle.first_values(game, (first, second), upcard).items():
                    assert ours[actions[action]] / peek == pytest.approx(float(value), abs=1e-13), (
                        first,
                        second,
                        upcard,
                    )
                    compared += 1
                if solution.free is not None:
                    free, known = solution.free.values, oracle.values(game, (first, second), upcard, oracle.FREE)
                    for action, array in (("stand", free.stand), ("hit", free.hit), ("double", free.double)):
                        if action in known:
                            assert array[upcard, row] / peek == pytest.approx(float(known[action]), abs=1e-13)
    assert compared > 90


def left(counts: oracle.Counts, *values: int) -> list[int]:
    return [count - values.count(value) for value, count in enumerate(counts)]


# --- The endless shoe and blackjack -----------------------------------------------------------------------------

ENDLESS: dict[str, tuple[dict[str, Any], endless_shoe.Rules]] = {
    "the document's rules": ({}, endless_shoe.Rules()),
    "S17, aces resplit, surrender": (
        {"dealer_hits_soft_17": False, "resplit_aces": True, "late_surrender": True},
        endless_shoe.Rules(h17=False, resplit_aces=True, surrender=True),
    ),
    "the launch": (
        {"free_doubles": "any_cards", "free_splits": "all_but_tens_and_fours", "resplit_aces": True},
        endless_shoe.Rules(
            free_double_cards=21, free_pairs=ALL_BUT_FOURS, paid_pairs=frozenset({3, 9}), resplit_aces=True
        ),
    ),
    "nothing for money": (
        {"double_for_money": False, "split_for_money": False, "max_hands": 5},
        endless_shoe.Rules(paid_double=False, paid_pairs=NO_PAIR, max_hands=5),
    ),
    "nothing free": (
        {"push_22": False, "free_doubles": "none", "free_splits": "none"},
        endless_shoe.BLACKJACK,
    ),
}


@pytest.mark.parametrize("case", ENDLESS)
def test_endless_shoe(case: str) -> None:
    changes, rules = ENDLESS[case]
    returns = evaluate(Rules(**changes, decks="inf"), THREE_TO_TWO)
    assert returns.ev == pytest.approx(endless_shoe.round_value(rules), abs=1e-14)


def test_many_decks_tend_to_the_endless_shoe() -> None:
    endless = evaluate(Rules(decks="inf"), THREE_TO_TWO).ev
    away = [abs(evaluate(Rules(decks=decks), THREE_TO_TWO).ev - endless) for decks in (4, 8, 16)]
    assert away[0] > 1.8 * away[1] > 3.2 * away[2] > 0


@pytest.mark.parametrize("changes", [{}, {"decks": 1, "dealer_hits_soft_17": False}, {"decks": "inf"}])
def test_without_free_bets_and_pushed_22s_it_is_blackjack(changes: dict[str, Any]) -> None:
    nothing_free = {"push_22": "false", "free_doubles": "none", "free_splits": "none"}
    ours = request.evaluate("free_bet_blackjack", change={**nothing_free, **changes})
    theirs = request.evaluate("blackjack", "h17_six_deck", change={"late_surrender": False, **changes})
    assert ours.ev == pytest.approx(theirs.ev, abs=1e-15)
    assert ours.average_wager == pytest.approx(theirs.average_wager, abs=1e-15)


def test_what_is_free_favours_the_player() -> None:
    def ev(**changes: Any) -> float:
        return evaluate(Rules(**changes), THREE_TO_TWO).ev

    base = ev()
    assert ev(free_doubles="any_cards") > base > ev(free_doubles="none")
    assert ev(free_splits="all_but_tens_and_fours") < base
    assert ev(free_splits="none") < ev(free_splits="all_but_tens_and_fours")
    assert ev(push_22=False) > base > ev(max_hands=3)
    assert ev(resplit_aces=True) > base
    assert ev(late_surrender=True) >= base > ev(double_for_money=False)


def solved(**changes: Any) -> Solution:
    return twentyone.solve(problem(Rules(**changes), THREE_TO_TWO))


def test_a_free_bet_has_nothing_to_lose() -> None:
    """A free hand is worth more than one with money on it, by at most a wager, and never less than nothing."""
    solution = solved()
    assert solution.free is not None
    money, free = solution.values, solution.free.values
    for upcard in range(10):
        for row in range(1, len(hands().size)):
            if hands().size[row] < 2 or money.peek[upcard, row] != money.peek[upcard, row]:
                continue
            peek = money.peek[upcard, row]
            assert 0 <= free.stand[upcard, row] <= peek * 1.5 + 1e-15
            assert -1e-15 <= free.stand[upcard, row] - money.stand[upcard, row] <= peek + 1e-15


# --- Strategies -------------------------------------------------------------------------------------------------


def test_both_kinds_of_hands_have_a_chart() -> None:
    total = BY_TOTALS()
    assert {"hard", "soft", "pairs", "free_hard", "free_soft"} == set(total.chart.tables)
    assert total.chart.code("hard", "17", "9") == "S"
    assert total.chart.code("free_hard", "17", "9") == "H"
    assert total.chart.code("hard", "9", "A") == total.chart.code("free_hard", "9", "A") == "D"
    by_chart = evaluate(Rules(), THREE_TO_TWO, strategy=total.chart)
    best = evaluate(Rules(), THREE_TO_TWO)
    assert 0 < best.ev - by_chart.ev < 1e-5


def test_cells_say_what_a_hand_carries() -> None:
    best = BEST()
    (money,), (free,) = best.find("8 9", "9"), best.find("8 9", "9", free=True)
    assert (money.action, free.action) == ("stand", "hit")
    assert free.evs["hit"] > free.evs["stand"] > 0 > money.evs["stand"]
    cells = json.loads(json.dumps(best.json()))["cells"]
    assert {cell["free"] for cell in cells} == {True, False}
    assert not [cell for cell in cells if cell["free"] and cell["action"] in ("split", "surrender")]


def test_free_hands_are_met_as_often_as_pairs_are_split() -> None:
    """Every free hand but an ace is decided on with its second card, be it another of its pair.

    Under an ace and a ten a cell's frequency knows of no other cards gone when it says how likely a blackjack is.
    """
    solution, played = free_bet_blackjack._solved(Rules(), THREE_TO_TWO, (24,) * 9 + (96,))
    aces = solution.splits[0].free
    assert aces is not None
    decided = played.free_ends.sum(axis=(1, 2)) - aces.endings(played.split_weight[:, 0, :1])[0].sum(axis=(1, 2))
    frequency = dict.fromkeys(VALUES, 0.0)
    for cell in BEST().cells:
        if cell.free and len(cell.cards.split()) == 2:
            frequency[cell.upcard] += cell.frequency
    for upcard in range(1, 9):
        expected = float(decided[upcard])
        assert frequency[VALUES[upcard]] == pytest.approx(expected, abs=1e-14)
    assert sum(frequency.values()) == pytest.approx(float(decided.sum()), rel=1e-3)


def test_a_chart_needs_both_tables() -> None:
    chart = BY_TOTALS().chart
    money = Chart("money", {name: table for name, table in chart.tables.items() if not name.startswith("free")})
    with pytest.raises(RequestError, match="chart money: free_hard 4 against A is missing"):
        evaluate(Rules(), THREE_TO_TWO, strategy=money)
    assert evaluate(Rules(free_splits="none"), THREE_TO_TWO, strategy=money).ev < 0


def test_a_chart_is_read_from_its_text(tmp_path: Any) -> None:
    chart = BY_TOTALS().chart
    file = tmp_path / "chart.txt"
    file.write_text(chart.text())
    read = request.evaluate("free_bet_blackjack", strategy=str(file))
    assert read.ev == evaluate(Rules(), THREE_TO_TWO, strategy=chart).ev


@pytest.mark.parametrize("spot", ["8 3 v 10", "5 4 v A", "A 6 v 5", "8 8 v 9", "10 6 v 7", "A 9 v 6"])
def test_explanations_add_up(spot: str) -> None:
    """The actions are worth what the strategy says, and what comes of the next card, weighed, is worth the action."""
    cards, shown = spot.split(" v ")
    told = free_bet_blackjack.explain(Rules(), THREE_TO_TWO, cards=cards, shown=shown)
    ordered = " ".join(sorted(cards.split(), key=VALUES.index))
    (cell,) = BEST().find(ordered, shown)
    assert told.evs == pytest.approx(cell.evs, abs=1e-13)
    (following,) = [section for section in told.sections if section.title == "The next card"]
    for action in ("hit", "double"):
        column = following.columns.index(f"EV after a {action}")
        mean = sum(row[1] * row[column] for row in following.rows)  # type: ignore[operator, misc]
        assert mean == pytest.approx(told.evs[action], abs=1e-12)
    assert any("free bet" in note for note in told.notes) == (spot in ("8 3 v 10", "5 4 v A", "8 8 v 9"))


# --- Dealt cards ------------------------------------------------------------------------------------------------

ROUNDS = 1_000_000
DEALT: dict[str, dict[str, Any]] = {
    "the document's rules": {},
    "one deck, three hands, aces resplit": {"decks": 1, "max_hands": 3, "resplit_aces": True},
    "the launch": {"free_doubles": "any_cards", "free_splits": "all_but_tens_and_fours", "resplit_aces": True},
    "surrender, S17, 22 is a bust": {"late_surrender": True, "dealer_hits_soft_17": False, "push_22": False},
}


@pytest.mark.parametrize(("seed", "case"), list(enumerate(DEALT)))
def test_best_play(seed: int, case: str) -> None:
    rules = Rules(**DEALT[case])
    check_agreement(simulate(rules, THREE_TO_TWO, ROUNDS, seed), evaluate(rules, THREE_TO_TWO))


def test_a_chart_is_dealt_and_priced_alike() -> None:
    """A chart of its own for free hands, far from the best: they hit up to 18."""
    chart = BY_TOTALS().chart
    tables = {name: {hand: dict(row) for hand, row in table.items()} for name, table in chart.tables.items()}
    for hand in ("12", "13", "14", "15", "16", "17", "18"):
        tables["free_hard"][hand] = dict.fromkeys(tables["free_hard"][hand], "H")
    bold = Chart("bold", tables)
    returns = evaluate(Rules(), THREE_TO_TWO, strategy=bold)
    assert returns.ev < evaluate(Rules(), THREE_TO_TWO, strategy=chart).ev - 1e-4
    check_agreement(simulate(Rules(), THREE_TO_TWO, ROUNDS, 7, strategy=bold), returns)


def test_strategies_play_as_they_say() -> None:
    best = strategy(Rules(decks=2), THREE_TO_TWO)
    by_default = simulate(Rules(decks=2), THREE_TO_TWO, 50_000, 3)
    assert simulate(Rules(decks=2), THREE_TO_TWO, 50_000, 3, strategy=best).outcomes == by_default.outcomes
    with pytest.raises(RequestError, match="does not know the hands that only 6 decks can deal"):
        simulate(Rules(), THREE_TO_TWO, 1_000, 3, strategy=best)


def test_tables_with_several_seats() -> None:
    returns = evaluate(Rules(), THREE_TO_TWO)
    sample = simulate(Rules(), THREE_TO_TWO, 300_000, 11, seats=3)
    assert abs(sample.agreement(returns.ev)) < 4
    for row in returns.details["split_hands"]:
        seen = sample.counts.get(f"split_hand_{row['ending']}", 0) / (3 * sample.rounds)
        assert seen == pytest.approx(row["hands_per_round"], abs=8e-4)


def test_a_partly_used_shoe() -> None:
    shoe = [20, 24, 24, 24, 24, 24, 24, 20, 24, 80]
    sample = simulate(Rules(), THREE_TO_TWO, ROUNDS // 2, 13, shoe=shoe)
    assert abs(sample.agreement(evaluate(Rules(), THREE_TO_TWO, shoe=shoe).ev)) < 4


# --- Requests ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"decks": 17}, "decks is 17; expected 1 to 16"),
        ({"max_hands": 6}, "max_hands is 6; expected 1 to 5"),
        ({"free_doubles": "all"}, "unknown free_doubles 'all'"),
        ({"free_splits": "all_but_ten"}, "did you mean 'all_but_tens'"),
    ],
)
def test_bad_rules(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        evaluate(Rules(**changes), THREE_TO_TWO)


def test_an_endless_shoe_is_not_dealt() -> None:
    with pytest.raises(RequestError, match="no cards can be dealt from an endless shoe"):
        simulate(Rules(decks="inf"), THREE_TO_TWO, 1_000, 1)
    with pytest.raises(RequestError, match="an endless shoe has no cards left to count"):
        evaluate(Rules(decks="inf"), THREE_TO_TWO, shoe=[4] * 9 + [16])


def test_blackjacks_are_paid_before_the_dealer_draws() -> None:
    """They are paid the same whatever 22 does, but not against a dealer's blackjack."""
    returns = evaluate(Rules(), THREE_TO_TWO)
    events = {event.event: event for event in returns.events}
    assert events["blackjack"].pays == Fraction(3, 2)
    natural = 2 * Fraction(24, 312) * Fraction(96, 311)
    both = natural * 2 * Fraction(23, 310) * Fraction(95, 309)
    assert events["blackjack"].probability == pytest.approx(float(natural - both), abs=1e-15)
