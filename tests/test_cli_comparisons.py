"""sweep, sensitivity, removal and solve on the command line."""

import csv
import io
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from casinomath import cli, sensitivity
from casinomath.request import evaluate
from casinomath.sensitivity import removal_effects, rule_differences
from casinomath.solving import solve
from casinomath.sweeps import sweep
from casinomath.tables import plain, records


class Answer(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert self.status == 0, self.err
        return json.loads(self.out)

    @property
    def rows(self) -> list[dict[str, str]]:
        assert self.status == 0, self.err
        return list(csv.DictReader(io.StringIO(self.out)))


Ask = Callable[..., Answer]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def ask(words: str) -> Answer:
        status = cli.main(words.split())
        return Answer(status, *capsys.readouterr())

    return ask


# --- sweep --------------------------------------------------------------------------------------------------

SWEEP = "sweep match_the_dealer:both --over decks=2,8 --over pay.suited_match=9:1,12"


def test_a_sweep_is_csv(ask: Ask) -> None:
    answer = ask(SWEEP)
    assert answer.err == "casinomath: pay tables are those that go with the rules: two_deck, eight_deck\n"
    rows = answer.rows
    assert [(row["decks"], row["pay.suited_match"]) for row in rows] == [
        *(("2", "9.0"), ("2", "12.0"), ("8", "9.0"), ("8", "12.0"))
    ]
    for row in rows:
        change, pay = {"decks": row["decks"]}, {"suited_match": row["pay.suited_match"]}
        expected = evaluate("match_the_dealer:both", change=change, pay=pay)
        assert (float(row["ev"]), row["ev_exact"]) == (expected.ev, str(expected.ev_exact))


def test_a_sweep_is_json_and_its_events_are_a_table(ask: Ask) -> None:
    swept = sweep("match_the_dealer:both", {"decks": [2, 8], "pay.suited_match": ["9:1", 12]})
    assert ask(f"{SWEEP} --json").json == records(swept.table)
    assert ask(f"{SWEEP} --events --json").json == records(swept.events)
    assert ask(f"{SWEEP} --events").out == plain(swept.events).to_csv(index=False, lineterminator="\n")


def test_a_sweep_goes_into_a_folder_and_on_from_there(ask: Ask, tmp_path: Path) -> None:
    words = f"{SWEEP} --output {tmp_path / 'out'}"
    paths = [Path(line) for line in ask(words).out.splitlines()]
    assert [path.name for path in paths] == ["sweep.csv", "sweep.parquet", "events.csv", "events.parquet"]
    before = paths[0].read_bytes()
    assert before.decode() == ask(SWEEP).out
    assert ask(words).status == 0
    assert paths[0].read_bytes() == before


def test_what_is_not_offered_is_told_and_no_failure(ask: Ask) -> None:
    answer = ask("sweep spanish21 --over dealer_hits_soft_17=true,false --over max_doubles=1,3")
    assert answer.status == 0
    assert answer.err.startswith("casinomath: 1 of 4 points are not offered: dealer_hits_soft_17=false, max_doubles=3")
    assert [bool(row["not_offered"]) for row in answer.rows] == [False, False, False, True]
    assert [bool(row["ev"]) for row in answer.rows] == [True, True, True, False]


STOPPED = """
import sys, time
from casinomath import cli, request

price, priced = request.Request.price, []

def slow(asked):
    if len(priced) == 1:
        print("begun", file=sys.stderr, flush=True)
        time.sleep(600)
    priced.append(asked)
    return price(asked)

request.Request.price = slow
sys.exit(cli.main(sys.argv[1:]))
"""


def test_ctrl_c_says_what_is_kept(ask: Ask, tmp_path: Path) -> None:
    words = [*SWEEP.split(), "--output", str(tmp_path / "out")]
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    kept = f"casinomath: 1 points are kept in {tmp_path / 'out'}; the same command goes on from there\n"
    assert err == f"{kept}casinomath: interrupted\n"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["points.jsonl"]
    assert ask(" ".join(words)).status == 0


# --- sensitivity and removal --------------------------------------------------------------------------------


def test_sensitivity(ask: Ask) -> None:
    words = "sensitivity match_the_dealer --rules five_deck --set decks=4 --pairs"
    found = rule_differences("match_the_dealer", "five_deck", change={"decks": 4}, pairs=True)
    assert found.pairs is not None
    told = json.loads(ask(f"{words} --json").out)
    assert told["rules_name"] == "five_deck with decks=4"
    assert told["changes"] == records(found.table)
    assert told["pairs"] == records(found.pairs)
    assert told["house_edge"] == found.house_edge
    assert "pairs" not in json.loads(ask(words.replace("--pairs", "--json")).out)
    assert ask(f"{words} --csv").out == plain(found.pairs).to_csv(index=False, lineterminator="\n")
    assert len(ask(words.replace("--pairs", "--csv")).rows) == len(found.table)
    people = ask(words)
    assert people.err == "casinomath: pay table four_deck: five_deck is not printed for these rules\n"
    assert f"{found.house_edge:.6%}" in people.out
    for row in found.table.itertuples():
        assert f"{100 * row.change_in_house_edge:+.4f}" in people.out


def test_sensitivity_to_values_of_ones_own(ask: Ask) -> None:
    rows = ask("sensitivity match_the_dealer --over decks=1,3 --csv").rows
    assert [(row["rule"], row["to"]) for row in rows] == [("decks", "1"), ("decks", "3"), ("pack", "standard")]


def test_sensitivity_says_what_is_not_offered(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    some: dict[str, list[object]] = {"max_doubles": [3], "decks": [4]}
    monkeypatch.setattr(sensitivity, "alternatives", lambda *_: some)
    out = ask("sensitivity spanish21 --rules s17_two_deck").out
    (row,) = [line for line in out.splitlines() if line.split()[:1] == ["max_doubles"] and "offered" in line]
    assert row.split() == ["max_doubles", "1", "3", "not", "offered"]
    assert "not offered: max_doubles is 3 with dealer_hits_soft_17 false" in out


def test_removal(ask: Ask) -> None:
    found = removal_effects("insurance", change={"hand": "A K"})
    told = ask("removal insurance --rules paid_blackjack --json").json
    assert told["cards"] == records(found.table)
    assert (told["ev_exact"], told["mean_ev_exact"]) == (str(found.ev_exact), str(found.ev_exact))
    rows = ask("removal insurance --rules paid_blackjack --csv").rows
    assert [Fraction(row["effect_exact"]) for row in rows] == [Fraction(e) for e in found.table["effect_exact"]]
    people = ask("removal insurance --rules paid_blackjack").out
    for row in found.table.itertuples():
        assert f"{100 * row.effect_per_deck:+.4f}" in people
    assert "played by" not in people
    assert "played by wizard_s17" in ask("removal spanish21 --rules s17_two_deck --strategy wizard_s17").out


# --- solve --------------------------------------------------------------------------------------------------


def test_solve(ask: Ask) -> None:
    found = solve("match_the_dealer", "suited_match", "3%", "eight_deck")
    told = ask("solve match_the_dealer --rules eight_deck --for suited_match --edge 3% --json").json
    assert told.pop("seconds") > 0
    assert told == found.json()
    assert ask(f"evaluate match_the_dealer --rules eight_deck --pay suited_match={told['pay']} --json").json[
        "ev_exact"
    ] == str(Fraction(-3, 100))
    people = ask("solve match_the_dealer --rules eight_deck --for suited_match --edge 0.03").out
    assert told["pays_exact"] in people
    assert "3.000000%" in people
    for near in told["whole"]:
        assert f"{near['house_edge']:.6%}" in people


def test_solve_for_an_edge_of_the_player(ask: Ask) -> None:
    assert ask("solve insurance --for blackjack --edge -1% --json").json["ev_exact"] == "1/100"


def test_solve_says_how_near_it_is(ask: Ask) -> None:
    people = ask("solve spanish21 --for six_card_21 --edge 0.75%").out
    assert "give or take" in people
    assert "0.750000%" in people


# --- Wrong requests -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("sweep", "Missing argument 'GAME[:BET]'"),
        ("sweep spanish21", "nothing to sweep over; choices: decks"),
        ("sweep spanish21 --over decks", "--over decks: expected --over NAME=VALUE,VALUE"),
        ("sweep spanish21 --over decks=2,,6", "--over decks=2,,6 has an empty value"),
        ("sweep spanish21 --over decks=2,6 --over decks=8", "--over decks is given twice"),
        ("sweep spanish21 --over dekcs=2,6", "did you mean 'decks'?"),
        ("sweep spanish21 --over decks=2,six", 'rule decks is "six"; expected a whole number'),
        ("sweep spanish21 --over decks=2,60", "decks is 60; expected 1 to 16"),
        ("sweep spanish21 --over decks=2,6 --set decks=4", "decks is both fixed and swept over"),
        ("sweep spanish21:mian --over decks=2", "unknown bet of spanish21: 'mian'"),
        ("sweep spanish21 --over dealer_hits_soft_17=false --over max_doubles=2,3", "redoubling is only offered"),
        ("sweep match_the_dealer --over decks=6 --output /dev/null/x", "is not a folder"),
        ("sweep match_the_dealer --over decks=6 --scheduler nowhere", "scheduler nowhere: "),
        ("sensitivity spanish21 --csv --json", "expected one of --csv and --json"),
        ("sensitivity spanish21 --over max_hands=two", 'rule max_hands is "two"'),
        ("removal spanish21 --csv --json", "expected one of --csv and --json"),
        ("removal spanish21 --shoe 1,2", "a shoe is ten counts"),
        ("solve spanish21 --edge 3%", "Missing option '--for'"),
        ("solve spanish21 --for blackjack", "Missing option '--edge'"),
        ("solve spanish21 --for blackjak --edge 3%", "did you mean 'blackjack'?"),
        ("solve match_the_dealer --for suited_match --edge lots", "edge is 'lots'; expected a house edge such as 3%"),
        ("solve match_the_dealer --for suited_match --edge 99%", "no pay of suited_match makes the house edge 99.0"),
    ],
)
def test_a_wrong_request_is_one_line_and_status_2(words: str, told: str, ask: Ask) -> None:
    answer = ask(words)
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith("casinomath: ")
    assert answer.err.count("\n") == 1
    assert told in answer.err
