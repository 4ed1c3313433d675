"""The command line: what scripts depend on, and what a newcomer reads when something is wrong."""

import csv
import io
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import casinomath
from casinomath import catalog, cli, request
from casinomath.errors import RequestError
from casinomath.returns import Returns

EVALUATED = {
    *("game", "bet", "rules", "paytable", "method", "ev", "ev_exact", "house_edge", "element_of_risk"),
    *("average_wager", "stdev", "hit_frequency", "events", "seconds"),
}
"""Keys of `evaluate --json` that scripts rely on; there may be more."""


class Answer(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        assert (self.status, self.err) == (0, "")
        return json.loads(self.out)


Ask = Callable[..., Answer]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str]) -> Ask:
    def ask(*words: str) -> Answer:
        status = cli.main(words)
        return Answer(status, *capsys.readouterr())

    return ask


def command(*words: str, **options: Any) -> "subprocess.Popen[str]":
    """Start a real command."""
    pipes = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen([sys.executable, "-m", "casinomath", *words], **{**pipes, **options})


def run(*words: str, **options: Any) -> Answer:
    with command(*words, **options) as process:
        out, err = process.communicate(timeout=300)
    return Answer(process.returncode, out, err)


# --- Results ------------------------------------------------------------------------------------------------


def test_list_names_everything(ask: Ask) -> None:
    listed = ask("list", "--json").json
    assert listed == [game._asdict() for game in request.games()]
    assert all({"stem", "bets", "rules", "paytables"} <= game.keys() for game in listed)
    for_people = ask("list").out
    for game in listed:
        for names in ([game["stem"]], game["bets"], game["rules"], game["paytables"]):
            assert all(name in for_people for name in names)


@pytest.fixture(scope="module")
def six_decks() -> Returns:
    return request.evaluate("spanish21")


def test_evaluate_gives_what_python_gives(ask: Ask, six_decks: Returns) -> None:
    told = ask("evaluate", "spanish21", "--json").json
    assert told.keys() >= EVALUATED
    assert told.pop("seconds") > 0
    assert told == six_decks.json()  # to the last digit
    assert told["house_edge"] == -told["ev"]
    assert math.isclose(sum(event["probability"] for event in told["events"]), 1, abs_tol=1e-12)
    assert math.isclose(sum(event["return"] for event in told["events"]), told["ev"], abs_tol=1e-12)
    assert casinomath.evaluate("spanish21") == six_decks


def test_evaluate_is_a_table_for_people(ask: Ask, six_decks: Returns) -> None:
    answer = ask("evaluate", "spanish21")
    assert (answer.status, answer.err) == (0, "")
    for event in six_decks.events:
        (row,) = [line for line in answer.out.splitlines() if line.split()[:1] == [event.event]]
        assert f"{event.probability:.6%}" in row
        assert f"{event.returned:+.6%}" in row
    for field, value in six_decks.rules.items():
        assert f"{field}  " in answer.out, field
        assert str(value).lower() in answer.out or f"{value:g}" in answer.out
    for measure in (six_decks.house_edge, six_decks.element_of_risk):
        assert f"{measure:.6%}" in answer.out
    assert "h17_six_deck" in answer.out
    assert "pay table bonus_21" in answer.out


def test_changes_of_rules_pays_and_shoe_arrive(ask: Ask) -> None:
    shoe = "24,20,24,24,24,24,24,24,24,72"
    options = ["--set", "late_surrender=no", "--set", "max_hands=2", "--pay", "five_card_21=2 to 1", "--shoe", shoe]
    told = ask("evaluate", "spanish21:main", *options, "--json").json
    assert (told["rules"]["late_surrender"], told["rules"]["max_hands"]) == (False, 2)
    assert told["paytable"] == "bonus_21 with five_card_21=2:1"
    assert told["shoe"] == [int(count) for count in shoe.split(",")]
    change = {"late_surrender": False, "max_hands": 2}
    assert told["ev"] == request.evaluate("spanish21", change=change, pay={"five_card_21": 2}, shoe=shoe).ev
    unchanged = request.evaluate("spanish21", change=change, shoe=shoe).ev
    assert told["change"]["ev"] == unchanged
    assert told["change"]["ev_change"] == told["ev"] - unchanged > 0
    people = ask("evaluate", "spanish21:main", *options).out
    assert f"{told['change']['ev_change']:+.6%} against bonus_21 (five_card_21 3:2 -> 2:1)" in people
    assert f"shoe {shoe}" in people


def test_another_pay_table_is_told_on_stderr(ask: Ask) -> None:
    answer = ask("evaluate", "spanish21", "--set", "decks=2", "--json")
    assert answer.status == 0
    assert json.loads(answer.out)["paytable"] == "bonus_21_two_deck"
    assert answer.err == "casinomath: pay table bonus_21_two_deck: bonus_21 is not printed for these rules\n"


@pytest.mark.parametrize("name", list(catalog.charts("spanish21")))
def test_published_charts_are_scored_by_name(name: str, ask: Ask) -> None:
    rules = next(row.rules for row in catalog.published("spanish21") if row.strategy == name and row.rules)
    told = ask("evaluate", "spanish21", "--rules", rules, "--strategy", name, "--json").json
    assert told["strategy"] == name
    assert told["ev"] <= ask("evaluate", "spanish21", "--rules", rules, "--json").json["ev"]


def test_fixed_prizes_are_marked_as_paid_on_top(ask: Ask) -> None:
    answer = ask("evaluate", "spanish21", "--set", "super_bonus=true", "--set", "other_bettors=1")
    assert "+ super_bonus" in answer.out
    assert "not a part of the probabilities' sum" in answer.out


def test_strategy_lists_decisions_with_the_ev_of_every_action(ask: Ask) -> None:
    told = ask("strategy", "spanish21", "--class", "composition_dependent", "--json").json
    assert told["class"] == "composition_dependent"
    assert told["rules"]["decks"] == 6
    for cell in told["cells"]:
        assert cell.keys() >= {"hand", "cards", "upcard", "action", "evs"}
        assert cell["evs"][cell["action"]] >= max(cell["evs"].values()) - 1e-9
    (cell,) = [c for c in told["cells"] if (c["cards"], c["upcard"], c["doubles"]) == ("5 6", "2", 0)]
    (figure,) = [row for row in catalog.published("spanish21") if (row.hand, row.upcard) == ("5-6", "2")]
    assert figure.agrees(cell["evs"]["double"])


def test_strategy_as_csv_has_the_same_decisions(ask: Ask) -> None:
    told = ask("strategy", "spanish21", "--class", "total_dependent", "--json").json
    rows = list(csv.DictReader(io.StringIO(ask("strategy", "spanish21", "--class", "total_dependent", "--csv").out)))
    assert [(row["hand"], row["cards"], row["upcard"], row["action"]) for row in rows] == [
        (cell["hand"], cell["cards"], cell["upcard"], cell["action"]) for cell in told["cells"]
    ]
    assert [float(row["ev_stand"]) for row in rows if row["ev_stand"]] == [
        cell["evs"]["stand"] for cell in told["cells"] if "stand" in cell["evs"]
    ]


def test_the_printed_strategy_is_a_chart_file(ask: Ask, tmp_path: Path) -> None:
    printed = ask("strategy", "spanish21", "--rules", "h17_redouble_six_deck")
    path = tmp_path / "mine.txt"
    path.write_text(printed.out, encoding="utf-8")
    told = ask("evaluate", "spanish21", "--rules", "h17_redouble_six_deck", "--strategy", str(path), "--json").json
    derived = request.evaluate("spanish21", "h17_redouble_six_deck", strategy="total_dependent")
    assert told["strategy"] == str(path)
    assert told["ev"] == derived.ev
    legend = catalog.charts("spanish21")["wizard_h17"].legend
    assert all(meaning in printed.out for meaning in legend.values())
    assert "max_doubles=3" in printed.out


@pytest.mark.parametrize("suffix", ["png", "pdf", "svg"])
def test_strategy_is_drawn_into_a_file(suffix: str, ask: Ask, tmp_path: Path) -> None:
    begins = {"png": b"\x89PNG", "pdf": b"%PDF", "svg": b"<?xml"}
    path = tmp_path / f"chart.{suffix}"
    path.write_bytes(b"an older one")
    assert ask("strategy", "spanish21", "--figure", str(path)) == (0, f"{path}\n", "")
    assert path.read_bytes().startswith(begins[suffix])
    assert list(tmp_path.iterdir()) == [path]


def test_a_figure_that_fails_leaves_the_old_one(ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(_: object, path: Path, **__: object) -> None:
        path.write_bytes(b"half of")
        raise KeyboardInterrupt

    monkeypatch.setattr("matplotlib.figure.Figure.savefig", interrupted)
    path = tmp_path / "chart.png"
    path.write_bytes(b"an older one")
    assert ask("strategy", "spanish21", "--figure", str(path)).status == 130
    assert path.read_bytes() == b"an older one"
    assert list(tmp_path.iterdir()) == [path]


def test_simulate_plays_the_same_rounds_for_a_seed(ask: Ask) -> None:
    words = ("simulate", "spanish21", "--rounds", "2e5", "--seed", "7", "--strategy", "wizard_h17")
    told, again = (ask(*words, "--json").json for _ in range(2))
    assert told.keys() >= {"rounds", "seed", "mean", "stderr", "average_wager", "seconds", "rounds_per_second"}
    assert (told["rounds"], told["seed"], told["strategy"]) == (200_000, 7, "wizard_h17")
    assert told["rounds_per_second"] == 200_000 / told["seconds"]
    for changing in ("seconds", "rounds_per_second"):
        del told[changing], again[changing]
    assert told == again
    expected = request.evaluate("spanish21", strategy="wizard_h17").ev
    assert abs(told["mean"] - expected) < 4 * told["stderr"]
    people = ask(*words).out
    assert f"{told['mean']:+.6%}, standard error {told['stderr']:.6%}" in people
    assert f"{expected:+.6%}" in people


def test_simulate_stops_at_a_standard_error_and_goes_on_from_a_checkpoint(ask: Ask, tmp_path: Path) -> None:
    words = ("simulate", "match_the_dealer", "--seed", "7", "--json")
    kept = str(tmp_path / "run.json")
    first = ask(*words, "--stderr", "0.002", "--checkpoint", kept).json
    assert (first["stopped_by"], first["stderr"] <= 0.002) == ("stderr", True)
    again = ask(*words, "--stderr", "0.0015", "--checkpoint", kept)
    assert again.err == f"casinomath: going on from {first['rounds']:,} rounds in {kept}\n"
    further = json.loads(again.out)
    assert further["rounds"] > first["rounds"]
    whole = ask(*words, "--rounds", str(further["rounds"])).json
    assert (whole["stopped_by"], whole["digest"]) == ("rounds", further["digest"])
    played = further["rounds"] - first["rounds"]
    assert further["rounds_per_second"] == pytest.approx(played / further["seconds"])


def test_an_interrupted_simulation_says_how_to_go_on(tmp_path: Path) -> None:
    kept = tmp_path / "run.json"
    words = ("simulate", "match_the_dealer", "--rounds", "1e11", "--seed", "7", "--checkpoint", str(kept))
    with command(*words, "--json") as process:
        deadline = time.monotonic() + 60
        while not kept.exists() and time.monotonic() < deadline:  # that takes five seconds
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert err == f"casinomath: the same command goes on from {kept}\ncasinomath: interrupted\n"
    assert json.loads(kept.read_text())["of"]["game"] == "match_the_dealer"
    assert list(tmp_path.iterdir()) == [kept]


def test_simulate_by_time_says_that_it_depends_on_the_machine(ask: Ask) -> None:
    answer = ask("simulate", "match_the_dealer", "--seed", "7", "--seconds", "0.01", "--json")
    told = json.loads(answer.out)
    assert told["stopped_by"] == "seconds"
    assert f"depends on the machine; the same again: --rounds {told['rounds']}\n" in answer.err


def test_risk_says_what_a_bet_means_for_a_player(ask: Ask) -> None:
    words = ("risk", "match_the_dealer", "--bet", "5", "--bankroll", "200", "--hours", "2", "--sessions", "2000")
    told = ask(*words, "--json").json
    priced = request.evaluate("match_the_dealer")
    assert (told["game"], told["bet"], told["method"], told["wager"]) == ("match_the_dealer", "up_card", "exact", 5.0)
    assert told["mean"] == pytest.approx(priced.ev)
    assert told["loss_per_hour"] == pytest.approx(priced.house_edge * 5 * 70)
    assert told["n0"] == pytest.approx((told["stdev"] / told["mean"]) ** 2)
    assert [each["rounds"] for each in told["horizons"]] == [140]
    assert (told["kelly"], told["ruin"]) == (0.0, 1.0)
    people = ask(*words).out
    assert "95% band" in people
    assert f"{told['horizons'][0]['simulated_ruin']:.3%}" in people


def test_risk_of_a_game_has_the_exact_mean_and_the_shape_that_was_dealt(ask: Ask) -> None:
    words = ("risk", "spanish21", "--strategy", "wizard_h17", "--sessions", "500", "--rounds", "2e5", "--hours", "1")
    told = ask(*words, "--bet", "15", "--json").json
    assert told["mean"] == pytest.approx(request.evaluate("spanish21", strategy="wizard_h17").ev, abs=1e-9)
    assert "simulated in 200,000 rounds" in told["method"]
    assert (told["rules"]["bet"], told["wager"]) == (15, 15)
    sample = request.simulate("spanish21", 200_000, 1, strategy="wizard_h17")
    assert told["stdev"] == pytest.approx(sample.stdev, rel=0.01)


def test_doctor_says_what_a_bug_report_needs(ask: Ask) -> None:
    found = ask("doctor", "--json").json
    assert found["casinomath"] == casinomath.__version__
    assert found["python"]["executable"] == sys.executable
    assert found["packages"]["numpy"]
    assert Path(found["folders"]["data"]["path"]) == catalog.data_folder()
    assert found["kernel"]["compiled"] == (os.environ.get("NUMBA_DISABLE_JIT", "0") == "0")
    assert found["threads"]["usable"] >= 1
    assert len(found["data_digest"]) == 64
    people = ask("doctor").out
    assert str(catalog.data_folder()) in people
    assert found["data_digest"] in people


def test_help_and_version(ask: Ask) -> None:
    assert ask("--version").out == f"casinomath {casinomath.__version__}\n"
    for words in (["--help"], ["-h"], ["evaluate", "--help"], ["notebooks", "copy", "--help"]):
        answer = ask(*words)
        assert (answer.status, answer.err) == (0, "")
        assert "Usage" in answer.out


# --- Files of the user's own --------------------------------------------------------------------------------

RULES = """
[rules.mine]
source = "my felt"
decks = 5
dealer_hits_soft_17 = false
paytable = "generous"

[paytables.generous]
source = "my felt"
"""


@pytest.fixture
def felt(tmp_path: Path) -> Path:
    path = tmp_path / "felt.toml"
    pays = {**dict.fromkeys(catalog.paytable("spanish21").pays, "2 to 1"), "blackjack": "3:2"}
    path.write_text(RULES + "\n".join(f'pays.{event} = "{pay}"' for event, pay in pays.items()), encoding="utf-8")
    return path


def test_a_file_of_ones_own_is_a_rule_set_and_a_pay_table(felt: Path, ask: Ask) -> None:
    told = ask("evaluate", "spanish21", "--rules", str(felt), "--json").json
    assert (told["rules"]["decks"], told["rules"]["dealer_hits_soft_17"]) == (5, False)
    assert told["rules_name"] == str(felt)
    assert told["paytable"] == f"{felt}#generous"
    only_paytable = ask("evaluate", "spanish21", "--paytable", f"{felt}#generous", "--json").json
    assert (only_paytable["rules"]["decks"], only_paytable["paytable"]) == (6, f"{felt}#generous")
    only_rules = ask("evaluate", "spanish21", "--rules", str(felt), "--paytable", "bonus_21", "--json").json
    assert (only_rules["rules"]["decks"], only_rules["paytable"]) == (5, "bonus_21")


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        ('"generous"\n', '"generou\n', "cut short?"),
        ("decks = 5", "decks = ", "cut short?"),
        ("decks = 5", "dekcs = 5", "did you mean 'decks'?"),
        ("decks = 5", 'decks = "five"', "expected a whole number"),
        ("pays.six_card_21", "pays.sixcard_21", "lacks six_card_21"),
        ('pays.six_card_21 = "2 to 1"', 'pays.six_card_21 = "2 to 1"\npays.extra = "1:1"', "'extra'"),
        ('pays.six_card_21 = "2 to 1"', 'pays.six_card_21 = "-2 to 1"', "expected odds"),
        ('pays.six_card_21 = "2 to 1"', 'pays.six_card_21 = "many"', "expected odds"),
    ],
)
def test_a_wrong_file_is_told_in_one_line(before: str, after: str, told: str, felt: Path, ask: Ask) -> None:
    text = felt.read_text(encoding="utf-8")
    assert before in text
    felt.write_text(text.replace(before, after), encoding="utf-8")
    refused(ask("evaluate", "spanish21", "--rules", str(felt), "--json"), told)


# --- Wrong requests -----------------------------------------------------------------------------------------


def refused(answer: Answer, told: str) -> None:
    assert answer.status == 2, answer
    assert answer.out == ""
    assert answer.err.startswith("casinomath: ")
    assert answer.err.count("\n") == 1
    assert told in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("", "no command; choices: list, evaluate"),
        ("evalute spanish21", "unknown command 'evalute' (did you mean 'evaluate'?)"),
        ("--verbose", "unknown option of casinomath: '--verbose' (did you mean '--version'?)"),
        ("evaluate", "Missing argument 'GAME[:BET]'; see casinomath evaluate --help"),
        ("evaluate spanish21 --ruels x", "(did you mean '--rules'?)"),
        ("evaluate spanish21 --rules", "requires an argument"),
        ("evaluate spanish21 spanish21", "unexpected extra argument"),
        ("evaluate no_such_game", "unknown game 'no_such_game'; choices: "),
        ("evaluate spanish", "did you mean 'spanish21'?"),
        ("evaluate spanish21:mian", "did you mean 'main'?"),
        ("evaluate spanish21 --rules no_such_rules", "unknown rules of spanish21: 'no_such_rules'"),
        ("evaluate spanish21 --rules h17_6_deck", "did you mean 'h17_"),
        ("evaluate spanish21 --rules no/such.toml", "no/such.toml: no such file"),
        ("evaluate spanish21 --paytable bonus_22", "did you mean 'bonus_21'?"),
        ("evaluate spanish21 --set dekcs=6", "unknown rule 'dekcs' (did you mean 'decks'?)"),
        ("evaluate spanish21 --set decks", "expected --set FIELD=VALUE"),
        ("evaluate spanish21 --set decks=", "expected --set FIELD=VALUE"),
        ("evaluate spanish21 --set decks=6 --set decks=8", "--set decks is given twice: 6 and 8"),
        ("evaluate spanish21 --set decks=0", "decks is 0; expected 1 to 16"),
        ("evaluate spanish21 --set decks=40", "decks is 40; expected 1 to 16"),
        ("evaluate spanish21 --set decks=6.5", "expected a whole number"),
        ("evaluate spanish21 --set rescue=perhaps", "expected true or false"),
        ("evaluate spanish21 --set rescue_forfeits=all", "expected one of half_of_wager, original_wager"),
        ("evaluate spanish21 --set max_doubles=3 --set dealer_hits_soft_17=no", "redoubling is only offered"),
        ("evaluate spanish21 --set bet=-5", "bet is -5"),
        ("evaluate spanish21 --pay blackjack", "expected --pay EVENT=PAYS"),
        ("evaluate spanish21 --pay blackjak=3:2", "did you mean 'blackjack'?"),
        ("evaluate spanish21 --pay blackjack=-1", "blackjack pays '-1'; expected odds"),
        ("evaluate spanish21 --pay blackjack=3:0", "blackjack pays '3:0'; expected odds"),
        ("evaluate spanish21 --pay blackjack=$30", "blackjack pays $30; expected odds"),
        ("evaluate spanish21 --paytable bonus_21_two_deck", "lacks three_sevens_suited, three_sevens_spades"),
        ("evaluate spanish21 --shoe 24,24", "a shoe is ten counts"),
        ("evaluate spanish21 --shoe -1,24,24,24,24,24,24,24,24,72", "the count of value A in the shoe is -1"),
        ("evaluate spanish21 --shoe 1,0,0,0,0,0,0,0,0,4", "too few to finish"),
        ("evaluate spanish21 --shoe 24,24,24,24,24,24,24,24,24,73", "6 decks hold 72"),
        ("evaluate spanish21 --meter 1000", "spanish21 takes no meter"),
        ("evaluate trilux --rules progressive --meter 1e300", "meter is 1e+300; expected dollars from 0 to"),
        ("evaluate trilux --rules progressive --set bet=1e-300", "bet is 1e-300; expected dollars from 0.01 to"),
        ("sweep trilux --over meter=0,10", "bonus_1 pays no share of a meter; expected no meter"),
        ("evaluate craps:", "unknown bet of craps: ''; choices: pass,"),
        ("evaluate craps --strategy composition_dependent", "craps takes no strategy: it has no decisions"),
        ("sweep craps --over strategy=total_dependent,wizard_h17", "craps takes no strategy: it has no decisions"),
        ("simulate blackjack --rounds 10 --seed 1 --with fire_bet", "unknown bet on the side of blackjack: 'fire_bet'"),
        ("evaluate spanish21 --meter lots", "Invalid value for '--meter'"),
        ("evaluate spanish21 --strategy wizzard_h17", "did you mean 'wizard_h17'?"),
        ("evaluate spanish21 --strategy no_such.csv", "no_such.csv: no such file"),
        ("strategy spanish21 --class total_depend", "did you mean 'total_dependent'?"),
        ("strategy spanish21 --csv --json", "expected one of --csv, --json, --figure and --card"),
        ("strategy spanish21 --figure chart.jpg", "chart.jpg: expected a name that ends in .png, .pdf, .svg"),
        ("strategy spanish21 --figure no/such/chart.png", "no folder no/such"),
        ("simulate spanish21 --rounds 10", "Missing option '--seed'"),
        ("simulate spanish21 --rounds many --seed 1", "expected a whole number such as 100000000 or 1e8"),
        ("simulate spanish21 --rounds 0 --seed 1", "rounds is 0"),
        ("simulate spanish21 --rounds 1e20 --seed 1", "expected a whole number from 1 to 1,000,000,000,000"),
        ("risk match_the_dealer --bet 0", "wager is 0.0; expected a number above 0"),
        ("risk match_the_dealer --bankroll 10 --bet 20", "expected the wager of 20.0 or more"),
        ("risk match_the_dealer --bet 5 --bankroll 1e300", "expected the wager of 5.0 or more, up to 1,000,000"),
        ("risk match_the_dealer --bet 1e300", "wager is 1e+300; expected a number above 0, up to 1,000,000"),
        ("risk match_the_dealer --sessions 1e20", "cannot be played"),
        ("risk match_the_dealer --confidence 95", "confidence is 95.0"),
        ("simulate spanish21 --seed 1", "expected --rounds N, --stderr E or --seconds T"),
        ("simulate spanish21 --stderr 0 --seed 1", "stderr is 0.0; expected a number above 0"),
        ("simulate spanish21 --seconds nan --seed 1", "seconds is nan; expected a number above 0"),
        ("simulate spanish21 --rounds 10 --seed 1 --checkpoint none/run.json", "no folder none"),
        (f"simulate spanish21 --rounds 10 --seed 1 --checkpoint {__file__}", "not the checkpoint of a simulation"),
        ("simulate spanish21 --rounds 10 --seed -1", "seed is -1"),
        ("report", "Missing argument 'NOTEBOOK'"),
        ("report no_such_notebook", "unknown notebook 'no_such_notebook'"),
        ("report no/such.ipynb", "no/such.ipynb: no such file"),
        ("report x -p decks", "-p decks lacks its value; expected -p NAME VALUE"),
        ("report x -p", "-p lacks its name and value"),
        ("report x -p decks 6 -p decks 8", "-p decks is given twice: 6 and 8"),
        ("rerun no/such/manifest.json", "no/such/manifest.json: cannot be read"),
        ("notebooks cpoy out", "unknown command 'cpoy' (did you mean 'copy'?)"),
        ("notebooks copy", "Missing argument 'DIR'"),
    ],
)
def test_a_wrong_request_is_one_line_and_status_2(words: str, told: str, ask: Ask) -> None:
    refused(ask(*words.split()), told)


def test_a_bet_without_decisions_is_not_played_by_a_strategy(ask: Ask) -> None:
    played = ("simulate", "craps", "--rounds", "100", "--seed", "1")
    assert "played by" not in ask(*played).out
    assert json.loads(ask(*played, "--json").out)["strategy"] is None
    assert "played by composition_dependent" in ask("removal", "spanish21").out


def test_rules_that_have_no_other_documented_value_are_told(ask: Ask) -> None:
    assert "no rule has another documented value" in ask("sensitivity", "fire_bet").out


def test_a_wrong_request_for_json_prints_no_json(ask: Ask) -> None:
    refused(ask("evaluate", "spanish21", "--json", "--set", "decks=40"), "decks is 40")
    refused(ask("strategy", "spanish21", "--json", "--set", "decks=40"), "decks is 40")


def test_an_empty_name_is_not_the_default(ask: Ask) -> None:
    for option in ("--rules", "--paytable", "--strategy", "--shoe"):
        assert ask("evaluate", "spanish21", option, "").status == 2


# --- Failures, interrupts, pipes ----------------------------------------------------------------------------


def test_an_unexpected_failure_is_status_1_and_short(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise ZeroDivisionError("by an odd shoe")

    monkeypatch.setattr(request.Request, "evaluate", broken)
    answer = ask("evaluate", "spanish21", "--json")
    assert (answer.status, answer.out) == (1, "")
    assert answer.err.startswith("casinomath: ZeroDivisionError: by an odd shoe")
    assert answer.err.count("\n") == 1
    with pytest.raises(ZeroDivisionError):
        cli.main(["--traceback", "evaluate", "spanish21"])
    monkeypatch.setenv(cli.TRACEBACK, "1")
    with pytest.raises(ZeroDivisionError):
        cli.main(["evaluate", "spanish21"])


@pytest.mark.parametrize(
    ("words", "package", "extra"),
    [
        ("strategy spanish21 --figure chart.png", "matplotlib", "reports"),
        ("simulate spanish21 --rounds 10 --seed 1 --scheduler tcp://here:8786", "distributed", "cluster"),
    ],
)
def test_what_is_missing_is_told_with_the_extra_that_brings_it(
    words: str, package: str, extra: str, ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, "casinomath.figures", raising=False)
    answer = ask(*words.split())
    assert (answer.status, answer.out) == (1, "")
    assert f"pip install 'casinomath[{extra}]'" in answer.err


INTERRUPTED = """
import sys, time
from casinomath import cli, request

def slow(_):
    print("begun", file=sys.stderr, flush=True)
    time.sleep(60)

request.Request.evaluate = slow
sys.exit(cli.main(["evaluate", "spanish21", "--json"]))
"""


def test_ctrl_c_ends_quietly_with_status_130() -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "begun\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out, err) == (130, "", "casinomath: interrupted\n")


@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_a_reader_who_has_seen_enough_is_no_failure(form: str) -> None:
    with command("strategy", "spanish21", form) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.read(1)
        process.stdout.close()
        assert process.wait(timeout=60) == 0
        assert process.stderr.read() == ""


def test_tables_too_may_be_read_in_part() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    answer = run("list", stdout=writing)
    os.close(writing)
    assert (answer.status, answer.err) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [["list"], ["list", "--json"]])
def test_a_full_disk_is_a_failure(words: list[str]) -> None:
    with Path("/dev/full").open("w", encoding="utf-8") as full:
        answer = run(*words, stdout=full)
    assert answer.status == 1
    assert answer.err.count("\n") == 1
    assert "No space left" in answer.err


def test_closed_streams_change_no_status() -> None:
    closed = subprocess.run(
        ["/bin/sh", "-c", '"$0" -m casinomath list >&-; a=$?; "$0" -m casinomath lst 2>&-; echo $a $?', sys.executable],
        capture_output=True,
        text=True,
        check=True,
    )
    assert (closed.stdout, closed.stderr) == ("0 2\n", "")


def test_a_poor_terminal_can_show_everything() -> None:
    answer = run("evaluate", "spanish21", env={**os.environ, "PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"})
    assert answer.status == 0
    assert answer.out.isascii()


HEAVY = {"matplotlib", "numba", "pandas", "papermill", "scipy"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["evalute"], ["evaluate", "--nonsense"]])
def test_what_needs_no_numbers_imports_nothing_heavy(words: list[str]) -> None:
    program = f"import sys; from casinomath import cli; cli.main({words!r}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stderr.splitlines()[-1].split())


def test_a_wrong_name_starts_no_kernel() -> None:
    program = (
        "import sys; from casinomath import cli;"
        "cli.main(['evaluate', 'no_such_game']); cli.main(['report', 'no_such_notebook', '-p', 'decks', '6']);"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stderr.splitlines()[-1].split())


# --- Reports ------------------------------------------------------------------------------------------------


def notebook(path: Path) -> Path:
    """Write a small notebook of a user's own that saves one table, or fails."""
    table = "import pandas as pd\nfrom casinomath import runs\n\nruns.save_table(pd.DataFrame({'n': [decks]}), 'decks')"
    cells = [
        ("markdown", [], "# Decks\n\nHow many decks?"),
        ("code", ["parameters"], "decks: int = 6  # packs in the shoe\nfail: bool = False  # go wrong"),
        ("code", [], "if fail:\n    raise ValueError('asked for')"),
        ("code", [], table),
    ]
    written = {
        "cells": [
            {
                "id": f"cell-{number}",
                "cell_type": kind,
                "metadata": {"tags": tags},
                "source": source,
                **({"outputs": [], "execution_count": None} if kind == "code" else {}),
            }
            for number, (kind, tags, source) in enumerate(cells)
        ],
        "metadata": {"language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    path.write_text(json.dumps(written), encoding="utf-8")
    return path


def test_a_report_is_made_and_made_again(tmp_path: Path) -> None:
    mine, folder = notebook(tmp_path / "mine.ipynb"), tmp_path / "out"
    made = run("report", str(mine), "-p", "decks", "8", "-p", "fail=false", "--output", str(folder))
    assert made.status == 0, made.err
    paths = [Path(line) for line in made.out.splitlines()]
    assert paths[-1] == folder / "manifest.json"
    assert all(path.is_file() for path in paths)
    assert (folder / "tables/decks.csv").read_text(encoding="utf-8") == "n\n8\n"

    again = run("rerun", str(folder / "manifest.json"), "--output", str(tmp_path / "again"))
    assert again.status == 0, again.err
    digest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))["results"]["digest"]
    assert again.out.splitlines()[-1] == f"the same numbers: digest {digest}"

    mine.write_text(mine.read_text(encoding="utf-8").replace("[decks]", "[decks + 1]"), encoding="utf-8")
    changed = run("rerun", str(folder), "--output", str(tmp_path / "changed"))
    assert changed.status == 1
    assert "the numbers differ" in changed.err
    assert "table decks" in changed.err


def test_a_report_that_fails_is_status_1_and_names_the_cell(tmp_path: Path) -> None:
    mine = notebook(tmp_path / "mine.ipynb")
    failed = run("report", str(mine), "-p", "fail", "true", "--output", str(tmp_path / "out"))
    assert (failed.status, failed.out) == (1, "")
    assert "cell 3 of 4" in failed.err
    assert "ValueError: asked for" in failed.err
    assert "Traceback" not in failed.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["-p", "dekcs", "6"], "unknown parameter of mine: 'dekcs' (did you mean 'decks'?); choices: decks, fail"),
        (["-p", "decks", "six"], "parameter decks is 'six'; expected a whole number"),
        (["-p", "decks", "-x"], "parameter decks is '-x'; expected a whole number"),
        (["--output", "mine.ipynb/out"], "cannot be written"),
    ],
)
def test_a_wrong_parameter_is_refused_at_once(
    given: list[str], told: str, ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    mine = notebook(tmp_path / "mine.ipynb")
    start = time.perf_counter()
    refused(ask("report", str(mine), *given), told)
    assert time.perf_counter() - start < 2  # what is asked of it, and a kernel alone takes half of that
    assert list(tmp_path.iterdir()) == [mine]


def test_notebooks_are_listed_and_copied(ask: Ask, tmp_path: Path) -> None:
    listed = ask("notebooks", "--json").json
    assert [item["name"] for item in listed] == sorted(path.stem for path in catalog.notebooks_folder().glob("*.ipynb"))
    people = ask("notebooks").out
    for item in listed:
        assert item["question"] in people
        assert all(parameter["name"] in people for parameter in item["parameters"])
    copied = ask("notebooks", "copy", str(tmp_path / "mine"))
    assert copied.status == 0
    assert [Path(line).stem for line in copied.out.splitlines()] == [item["name"] for item in listed]


def test_main_raises_nothing_that_it_should_tell(monkeypatch: pytest.MonkeyPatch, ask: Ask) -> None:
    def two_lines(*_: object, **__: object) -> None:
        raise RequestError("one\nthing")

    monkeypatch.setattr(request, "resolve", two_lines)
    assert ask("evaluate", "spanish21") == (2, "", "casinomath: one thing\n")
