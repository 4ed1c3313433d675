"""Sweeps: the numbers of `evaluate`, one table, and nothing lost when they are stopped."""

import csv
import json
import multiprocessing
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

import casinomath
from casinomath import checkpoints, request
from casinomath.catalog import RulesTuple
from casinomath.errors import RequestError
from casinomath.request import evaluate, resolve
from casinomath.returns import Returns
from casinomath.sweeps import MEASURES, sweep
from casinomath.tables import plain

DECKS = [2, 4, 5, 6, 8]


def same(row: Any, returns: Returns) -> None:
    """A row's numbers are those of a bet, to the last digit."""
    for measure in MEASURES:
        expected = getattr(returns, measure)
        if measure == "ev_exact" and expected is not None:
            expected = str(expected)
        assert row[measure] == expected or (expected is None and pd.isna(row[measure])), measure
    assert {name: row[name] for name in returns.rules} == dict(returns.rules)
    assert not row["not_offered"]


# --- Numbers ------------------------------------------------------------------------------------------------


def test_a_sweep_is_evaluate_point_by_point() -> None:
    over = {"dealer_hits_soft_17": ["true", False], "decks": ["2", 6]}
    table = sweep("spanish21", over, change={"late_surrender": "no"}).table
    points = list(product([True, False], [2, 6]))
    assert list(zip(table["dealer_hits_soft_17"], table["decks"], strict=True)) == points
    for (_, row), (soft, decks) in zip(table.iterrows(), points, strict=True):
        change = {"dealer_hits_soft_17": soft, "decks": decks, "late_surrender": False}
        expected = evaluate("spanish21", change=change)
        same(row, expected)
        assert row["paytable"] == expected.paytable


@pytest.mark.parametrize("bet", ["up_card", "both"])
def test_each_number_of_decks_has_the_pay_table_printed_for_it(bet: str) -> None:
    swept = sweep(f"match_the_dealer:{bet}", {"decks": DECKS})
    names = ["two_deck", "four_deck", "five_deck", "six_deck", "eight_deck"]
    assert swept.table["paytable"].tolist() == names
    assert swept.notes == (f"pay tables are those that go with the rules: {', '.join(names)}",)
    for _, row in swept.table.iterrows():
        same(row, evaluate(f"match_the_dealer:{bet}", row["paytable"]))
    assert swept.table["game"].unique().tolist() == [f"match_the_dealer:{bet}"]


def test_rule_sets_pay_tables_pays_and_strategies_are_swept_over() -> None:
    tables = sweep("match_the_dealer", {"paytable": ["six_deck", "eight_deck"], "decks": [6, 8]}).table
    for _, row in tables.iterrows():
        same(row, evaluate("match_the_dealer", paytable=row["paytable"], change={"decks": row["decks"]}))

    pays = sweep("match_the_dealer", {"pay.suited_match": ["9:1", "21/2", 12]}, pay={"unsuited_match": 3}).table
    assert pays["pay.suited_match"].tolist() == [9, 10.5, 12]
    assert pays["pay.unsuited_match"].tolist() == [3, 3, 3]
    for _, row in pays.iterrows():
        same(row, evaluate("match_the_dealer", pay={"suited_match": row["pay.suited_match"], "unsuited_match": 3}))

    sets = ["h17_six_deck", "s17_two_deck"]
    plays = ["composition_dependent", "wizard_h17"]
    rules = sweep("spanish21", {"rules": sets, "strategy": plays}).table
    for (_, row), (name, play) in zip(rules.iterrows(), product(sets, plays), strict=True):
        assert (row["rules"], row["strategy"]) == (name, play)
        same(row, evaluate("spanish21", name, strategy=play))


def test_meters_are_swept_over() -> None:
    table = sweep("match_the_dealer_progressive", {"meter": ["1000", 20_000.5], "seats": [1, 3]}).table
    assert table["meter"].tolist() == [1000, 1000, 20_000.5, 20_000.5]
    for _, row in table.iterrows():
        same(row, evaluate("match_the_dealer_progressive", change={"seats": row["seats"]}, meter=row["meter"]))


def test_events_are_a_long_table() -> None:
    swept = sweep("spanish21", {"bet": [5, 25], "other_bettors": [0, 2]}, change={"super_bonus": True})
    for point, (bet, others) in enumerate(product([5.0, 25.0], [0, 2]), start=1):
        rows = swept.events[swept.events["point"] == point]
        assert set(rows["bet"]) == {bet}
        expected = evaluate("spanish21", change={"super_bonus": True, "bet": bet, "other_bettors": others}).frame
        assert_frame_equal(rows[expected.columns].reset_index(drop=True), expected, check_exact=True)


def test_the_super_bonus_by_decks_bet_and_other_bettors() -> None:
    """Three 7s of one suit against a 7, six decks: 1 in 668,382 by Wizard of Odds, for one who always hits 7-7."""
    over = {"decks": [2, 6], "bet": [5, 10, 25], "other_bettors": [0, 6]}
    events = sweep("spanish21", over, change={"super_bonus": True}).events
    won = events[events["event"] == "super_bonus"].set_index(["decks", "bet", "other_bettors"])
    assert round(1 / won.loc[(6, 5.0, 0), "probability"]) == 668_382
    # the bonus of a bet of $25 is five times that of $5: the same number of wagers, and twice that of $10
    returned = won["return"].xs(0, level="other_bettors")
    for decks in (2, 6):
        assert returned[decks, 5.0] == returned[decks, 25.0] == 2 * returned[decks, 10.0]
    # two decks: 7♥ 7♦ 7♣ in any order against 7♠, two copies of each: 3! × 2^4 of all deals of four cards
    ways = Fraction(6 * 2**4, 96 * 95 * 94 * 93)
    assert won.loc[(2, 5.0, 0), "probability"] == pytest.approx(float(ways), rel=1e-12)
    envy = events[events["event"] == "envy"].set_index(["decks", "bet"])["return"]
    assert envy[6, 5.0] == pytest.approx(6 * 50 / 5 / 668_382.4, rel=1e-6)


# --- What is not offered ------------------------------------------------------------------------------------


def test_a_combination_that_is_not_offered_keeps_its_row_and_says_why() -> None:
    swept = sweep("spanish21", {"max_doubles": [1, 3], "dealer_hits_soft_17": [True, False]})
    *offered, (_, row) = swept.table.iterrows()
    assert (row["max_doubles"], row["dealer_hits_soft_17"]) == (3, False)
    assert "redoubling is only offered where the dealer hits soft 17" in row["not_offered"]
    assert row[["ev", "house_edge", "average_wager"]].isna().all()
    for _, other in offered:
        assert not other["not_offered"]
        assert other["ev"] < 0
    (note,) = swept.notes
    assert note.startswith("1 of 4 points are not offered: max_doubles=3, dealer_hits_soft_17=false: max_doubles is 3")
    assert 4 not in set(swept.events["point"])


WRONG: list[tuple[str, dict[str, Any], dict[str, Any], str]] = [
    ("spanish21", {}, {}, "nothing to sweep over; choices: decks"),
    ("spanich21", {"decks": [6]}, {}, "did you mean 'spanish21'?"),
    ("spanish21", {"dekcs": [6]}, {}, "unknown name to sweep over 'dekcs' (did you mean 'decks'?)"),
    ("spanish21", {"decks": []}, {}, "decks has no values to sweep over"),
    ("spanish21", {"decks": "6"}, {}, "decks is swept over '6'; expected a list of values"),
    ("spanish21", {"decks": [6, "six"]}, {}, 'rule decks is "six"; expected a whole number'),
    ("spanish21", {"decks": [6, "6"]}, {}, "decks is swept over 6 twice"),
    ("spanish21", {"decks": [6, 60]}, {}, "decks is 60; expected 1 to 16"),
    ("spanish21", {"rescue_forfeits": ["half"]}, {}, "expected one of half_of_wager, original_wager"),
    ("spanish21", {"decks": [6]}, {"change": {"decks": 4}}, "decks is both fixed and swept over"),
    ("spanish21", {"rules": ["s17_six_deck"]}, {"rules": "h17_six_deck"}, "rules is both fixed and swept over"),
    ("spanish21", {"pay.blackjack": [1]}, {"pay": {"blackjack": 2}}, "pay.blackjack is both fixed and swept over"),
    ("spanish21", {"rules": ["s17_six_deck", "s17"]}, {}, "unknown rules of spanish21: 's17'"),
    ("spanish21", {"paytable": ["bonus"]}, {}, "unknown pay table of spanish21: 'bonus'"),
    ("spanish21", {"paytable": ["bonus_21_two_deck"]}, {}, "lacks three_sevens_suited"),
    ("spanish21", {"strategy": ["wizard"]}, {}, "unknown strategy of spanish21: 'wizard'"),
    ("spanish21", {"pay.blackjak": ["3:2"]}, {}, "did you mean 'blackjack'?"),
    ("spanish21", {"pay.blackjack": ["3;2"]}, {}, "blackjack pays '3;2'; expected odds"),
    ("spanish21", {"pay.": ["3:2"]}, {}, "unknown event"),
    ("spanish21", {"meter": [1000]}, {}, "spanish21 takes no meter"),
    ("match_the_dealer", {"strategy": ["total_dependent"]}, {}, "takes no strategy"),
    ("match_the_dealer_progressive", {"meter": ["lots"]}, {}, "meter is 'lots'; expected dollars"),
    ("match_the_dealer", {"decks": [6]}, {"shoe": "1,2,3"}, "a shoe is"),
    ("spanish21", {"dealer_hits_soft_17": [False], "max_doubles": [1, 2]}, {}, "redoubling is only offered"),
    ("spanish21", {"bet": range(1, 1001), "other_bettors": range(1000)}, {}, "1,000,000 points; expected 100,000"),
]


@pytest.mark.parametrize(("game", "over", "given", "told"), WRONG)
def test_a_grid_that_makes_no_sense_is_refused_before_any_work(
    game: str, over: dict[str, Any], given: dict[str, Any], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def worked(_: object) -> Returns:
        raise AssertionError("work has begun")

    if "shoe" not in given:  # which the game itself reads
        monkeypatch.setattr(request.Request, "price", worked)
    with pytest.raises(RequestError) as refused:
        sweep(game, over, output=tmp_path / "out", **given)
    assert told in str(refused.value)
    assert not list(tmp_path.iterdir())


# --- Files --------------------------------------------------------------------------------------------------

GRID = {"decks": [2, 4, 5, 6, 8], "pack": ["spanish", "standard"]}
FILES = ["events.csv", "events.parquet", "points.jsonl", "sweep.csv", "sweep.parquet"]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def contents(folder: Path) -> dict[str, bytes]:
    """The tables, as they stand."""
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != checkpoints.NAME}


@pytest.fixture
def priced(monkeypatch: pytest.MonkeyPatch) -> list[RulesTuple]:
    """The rules of everything that is priced, as it happens."""
    found: list[RulesTuple] = []
    price = request.Request.price

    def counted(asked: request.Request) -> Returns:
        found.append(asked.rules)
        return price(asked)

    monkeypatch.setattr(request.Request, "price", counted)
    return found


def test_a_folder_has_the_tables_as_csv_and_parquet(tmp_path: Path) -> None:
    swept = sweep("match_the_dealer", GRID, output=tmp_path / "new" / "out")
    assert names(tmp_path / "new" / "out") == FILES
    assert [path.name for path in swept.paths] == ["sweep.csv", "sweep.parquet", *FILES[:2]]
    for name, table in (("sweep", swept.table), ("events", swept.events)):
        parquet = pd.read_parquet(tmp_path / "new" / "out" / f"{name}.parquet")
        assert_frame_equal(parquet, plain(table), check_exact=True)
        with (tmp_path / "new" / "out" / f"{name}.csv").open(encoding="utf-8", newline="") as lines:
            rows = list(csv.DictReader(lines))
        assert len(rows) == len(parquet) == len(table)
        for row, kept in zip(rows, parquet.to_dict("records"), strict=True):
            assert list(row) == list(kept)
            for column, value in kept.items():
                number = isinstance(value, float)
                assert (float(row[str(column)]) if number else row[str(column)]) == (value if number else str(value))


def test_what_was_priced_is_not_priced_again(tmp_path: Path, priced: list[RulesTuple]) -> None:
    first = sweep("match_the_dealer", {"decks": [2, 6]}, output=tmp_path)
    assert len(priced) == 2
    heard: list[tuple[int, int]] = []
    wider = sweep("match_the_dealer", {"decks": [6, 8, 2]}, output=tmp_path, progress=lambda *n: heard.append(n))
    assert len(priced) == 3
    assert heard == [(3, 3)]
    assert wider.table["ev"].tolist()[::2] == first.table["ev"].tolist()[::-1]
    again = sweep("match_the_dealer", {"decks": [6, 8, 2]}, output=tmp_path)
    assert len(priced) == 3
    assert_frame_equal(again.table, wider.table, check_exact=True)
    assert_frame_equal(again.events, wider.events, check_exact=True)
    # what the numbers depend on is a part of what was priced
    sweep("match_the_dealer", {"decks": [6]}, pay={"suited_match": 10}, output=tmp_path)
    sweep("match_the_dealer", {"decks": [6]}, shoe=[24] * 11 + [23], output=tmp_path)
    assert len(priced) == 5


def test_another_version_prices_anew(tmp_path: Path, priced: list[RulesTuple], monkeypatch: pytest.MonkeyPatch) -> None:
    sweep("match_the_dealer", {"decks": [2, 6]}, output=tmp_path)
    for module in ("sweeps", "request"):  # what a table says, and what a request is known by
        monkeypatch.setattr(f"casinomath.{module}.__version__", "999.0")
    swept = sweep("match_the_dealer", {"decks": [2, 6]}, output=tmp_path)
    assert len(priced) == 4
    assert set(swept.table["casinomath"]) == {"999.0"}


KILLED = """
import sys, time
from casinomath import request, sweeps

price, priced = request.Request.price, []

def slow(asked):
    if len(priced) == 4:
        print("four", flush=True)
        time.sleep(600)
    priced.append(asked)
    return price(asked)

request.Request.price = slow
sweeps.sweep("match_the_dealer", {"decks": [2, 4, 5, 6, 8], "pack": ["spanish", "standard"]}, output=sys.argv[1])
"""


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT, signal.SIGTERM], ids=lambda number: number.name)
def test_a_sweep_that_was_killed_goes_on_from_where_it_was(
    number: int, tmp_path: Path, priced: list[RulesTuple]
) -> None:
    stopped, whole = tmp_path / "stopped", tmp_path / "whole"
    process = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(stopped)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "four\n"
    process.send_signal(number)
    assert process.wait(timeout=30) != 0
    process.stdout.close()
    assert names(stopped) == [checkpoints.NAME]  # no table that is not whole

    sweep("match_the_dealer", GRID, output=stopped)
    assert len(priced) == 6
    sweep("match_the_dealer", GRID, output=whole)
    assert contents(stopped) == contents(whole)


@pytest.mark.parametrize("cut", [1, 40, 400])
def test_a_line_cut_short_is_priced_again(cut: int, tmp_path: Path, priced: list[RulesTuple]) -> None:
    sweep("match_the_dealer", GRID, output=tmp_path)
    before, kept = contents(tmp_path), tmp_path / checkpoints.NAME
    kept.write_bytes(kept.read_bytes()[:-cut])
    priced.clear()
    sweep("match_the_dealer", GRID, output=tmp_path)
    assert len(priced) == 1
    assert contents(tmp_path) == before
    assert len(kept.read_bytes().splitlines()) == 11


def test_a_kill_before_the_first_point_leaves_a_folder_that_can_be_used(tmp_path: Path) -> None:
    (tmp_path / checkpoints.NAME).write_text('{"checkpoint": "casino', encoding="utf-8")
    sweep("match_the_dealer", {"decks": [6]}, output=tmp_path)
    assert names(tmp_path) == FILES


def damaged(kept: Path) -> str:
    lines = kept.read_text(encoding="utf-8").splitlines(keepends=True)
    kept.write_text("".join([lines[0], lines[1].replace('"ev": -0.0', '"ev": -0.1'), *lines[2:]]), encoding="utf-8")
    return f"{kept} line 2 is damaged; without that line its point is priced again"


def emptied(kept: Path) -> str:
    lines = kept.read_bytes().splitlines(keepends=True)
    kept.write_bytes(b"".join([*lines[:2], bytes(len(lines[2]) - 1) + b"\n", *lines[3:]]))
    return f"{kept} line 3 is damaged"


def foreign(kept: Path) -> str:
    kept.write_text("my notes\n", encoding="utf-8")
    return f"{kept} is not the checkpoint of a sweep; expected another folder"


def unended(kept: Path) -> str:
    kept.write_text("my notes", encoding="utf-8")
    return f"{kept} is not the checkpoint of a sweep; expected another folder"


def of_another_bet(kept: Path) -> str:
    kept.write_text(json.dumps({"checkpoint": "casinomath sweep", "of": "insurance:main"}) + "\n", encoding="utf-8")
    return f"{kept} has points of insurance:main, not of match_the_dealer:up_card; expected another folder"


def missing(kept: Path) -> str:
    kept.unlink()
    return f"{kept.parent / 'sweep.csv'} is there already, and no points.jsonl of a sweep beside it"


@pytest.mark.parametrize("spoil", [damaged, emptied, foreign, unended, of_another_bet, missing])
def test_a_folder_that_is_not_as_a_sweep_left_it_is_refused_and_left_alone(
    spoil: Callable[[Path], str], tmp_path: Path
) -> None:
    sweep("match_the_dealer", {"decks": [2, 6]}, output=tmp_path)
    told = spoil(tmp_path / checkpoints.NAME)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(RequestError) as refused:
        sweep("match_the_dealer", {"decks": [2, 4]}, output=tmp_path)
    assert told in str(refused.value)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("mine", encoding="utf-8")
    for output in (file, file / "below"):
        with pytest.raises(RequestError, match="is not a folder; expected a folder or a new name"):
            sweep("match_the_dealer", {"decks": [6]}, output=output)
    assert file.read_text(encoding="utf-8") == "mine"


@pytest.mark.skipif(sys.platform == "win32", reason="no locks")
def test_two_sweeps_do_not_write_into_one_folder(tmp_path: Path) -> None:
    with (
        checkpoints.checkpoint(tmp_path, "match_the_dealer:up_card", []),
        pytest.raises(RequestError, match="is being written by another sweep"),
    ):
        sweep("match_the_dealer", {"decks": [6]}, output=tmp_path)


def test_tables_that_cannot_be_finished_leave_those_of_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sweep("match_the_dealer", {"decks": [6]}, output=tmp_path)
    before = contents(tmp_path)

    def interrupted(_: object, path: Path, **__: object) -> None:
        path.write_bytes(b"half of")
        raise KeyboardInterrupt

    monkeypatch.setattr(pd.DataFrame, "to_parquet", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sweep("match_the_dealer", {"decks": [8]}, output=tmp_path)
    assert contents(tmp_path) == before


# --- Workers ------------------------------------------------------------------------------------------------


def test_a_request_can_be_sent() -> None:
    asked = resolve("spanish21", pay={"blackjack": "6:5"}, strategy="wizard_h17", shoe="20" + ",24" * 8 + ",72")
    sent = pickle.loads(pickle.dumps(asked))
    assert sent == asked
    assert sent.game is asked.game


@pytest.mark.parametrize("kind", ["threads", "processes"])
def test_workers_give_the_same_table(kind: str, tmp_path: Path) -> None:
    workers: Executor = (
        ThreadPoolExecutor(2)
        if kind == "threads"
        else ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
    )
    with workers:
        swept = sweep("match_the_dealer", GRID, output=tmp_path / "workers", executor=workers)
    here = sweep("match_the_dealer", GRID, output=tmp_path / "here")
    assert_frame_equal(swept.table, here.table, check_exact=True)
    assert contents(tmp_path / "workers") == contents(tmp_path / "here")


def test_what_workers_have_not_begun_is_cancelled_when_the_caller_stops() -> None:
    class Waiting(Executor):
        def __init__(self) -> None:
            self.futures: list[Future[Any]] = []

        def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
            future: Future[Any] = Future()
            if not self.futures:
                future.set_result(fn(*args, **kwargs))
            self.futures.append(future)
            return future

    def enough(*_: int) -> None:
        raise KeyboardInterrupt

    waiting = Waiting()
    with pytest.raises(KeyboardInterrupt):
        sweep("match_the_dealer", GRID, executor=waiting, progress=enough)
    assert [future.cancelled() for future in waiting.futures] == [False] + [True] * 9


def test_the_face_has_the_verbs() -> None:
    assert casinomath.sweep is sweep
    assert {"sweep", "solve", "rule_differences", "removal_effects"} <= set(casinomath.__all__)
