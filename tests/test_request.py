"""Requests: names, defaults, changes and files mean one thing, and what makes no sense is told in one line."""

import re
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from casinomath import catalog, request
from casinomath.errors import RequestError
from casinomath.games import baccarat, craps, spanish21
from casinomath.paytable import PayTable
from casinomath.strategy import Chart


@pytest.fixture(scope="module")
def default() -> spanish21.Rules:
    return catalog.rules("spanish21", None, spanish21.Rules)


# --- Games --------------------------------------------------------------------------------------------------


def test_every_file_of_the_rooms_is_listed_and_named_by_its_stem() -> None:
    package = Path(request.__file__).parent
    files = {path.stem for room in request.ROOMS for path in (package / room).glob("[!_]*.py")}
    listed = request.games()
    assert {game.stem for game in listed} == files
    for game in listed:
        assert game.stem == request.game(game.stem).STEM
        assert game.bets
        assert game.rules == list(catalog.rule_sets(game.stem))


def test_a_bare_stem_means_the_first_bet_and_the_default_rules(default: spanish21.Rules) -> None:
    asked = request.resolve("spanish21")
    assert asked.bet == spanish21.BETS[0] == request.resolve("spanish21:main").bet
    assert asked.rules == default
    assert asked.rules_name == "h17_six_deck"
    assert asked.paytable == asked.printed == catalog.paytable("spanish21", "bonus_21")
    assert not asked.notes


# --- Rules and pay tables -----------------------------------------------------------------------------------


def test_changes_are_read_by_their_fields_types_and_named(default: spanish21.Rules) -> None:
    asked = request.resolve("spanish21", change={"decks": "8", "late_surrender": "no", "max_hands": 4})
    assert asked.rules == default._replace(decks=8, late_surrender=False)
    assert asked.rules_name == "h17_six_deck with decks=8, late_surrender=false"


def test_rules_of_ones_own_are_read_like_changes() -> None:
    for six in (6, "6", np.int64(6)):
        assert request.resolve("baccarat", baccarat.Rules(decks=six)).rules.decks == 6  # type: ignore[arg-type]
        assert request.resolve("baccarat", change={"decks": six}).rules.decks == 6
    twentieth = request.evaluate("baccarat:banker", baccarat.Rules(commission=Fraction(1, 20)))  # type: ignore[arg-type]
    assert twentieth.ev_exact == request.evaluate("baccarat:banker").ev_exact
    with pytest.raises(RequestError, match=r"rule decks is 6\.5; expected a whole number"):
        request.resolve("baccarat", baccarat.Rules(decks=6.5))  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="rule odds is 3; expected text"):
        request.resolve("craps", craps.Rules(odds=3))  # type: ignore[arg-type]


def test_pays_and_meters_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(RequestError, match="field_12 pays None; expected odds"):
        request.resolve("craps:field", pay={"field_12": None})  # type: ignore[dict-item]
    with pytest.raises(RequestError, match="meter is '5000'; expected dollars"):
        request.evaluate("trilux", "progressive", meter="5000")  # type: ignore[arg-type]


@pytest.mark.parametrize("decks", [1, 2, 4, 5, 6, 8])
def test_changed_rules_get_the_table_that_is_printed_for_them(decks: int) -> None:
    asked = request.resolve("spanish21", change={"decks": decks})
    two = decks == 2
    assert asked.paytable.name == ("bonus_21_two_deck" if two else "bonus_21")
    assert bool(asked.notes) == two  # nobody is given another table without a word


def test_a_table_asked_for_by_name_stays() -> None:
    asked = request.resolve("spanish21", rules="h17_six_deck", paytable="bonus_21", change={"decks": 2})
    assert asked.paytable.name == "bonus_21"
    assert not asked.notes


def test_rules_paytables_and_charts_may_be_given_as_such(default: spanish21.Rules) -> None:
    table = PayTable("mine", {event: Fraction(2) for event in spanish21.EVENTS})
    chart = Chart("mine", {})
    asked = request.resolve("spanish21", default._replace(decks=5), table, strategy=chart)
    assert (asked.rules.decks, asked.paytable, asked.play) == (5, table, chart)
    with pytest.raises(RequestError, match="expected a name, a file, or Rules of spanish21"):
        request.resolve("spanish21", (6, True))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pay", "changed"),
    [
        ("4:1", Fraction(4)),
        ("5 for 1", Fraction(4)),
        (4, Fraction(4)),
        (2.5, Fraction(5, 2)),
        (Fraction(7, 2), Fraction(7, 2)),
        ("push", Fraction(0)),
    ],
)
def test_a_changed_pay_is_a_line_of_a_table_whose_name_says_so(pay: object, changed: Fraction) -> None:
    asked = request.resolve("spanish21", pay={"seven_card_21": pay})  # type: ignore[dict-item]
    assert asked.paytable.pays == {**asked.printed.pays, "seven_card_21": changed}
    assert asked.printed.name == "bonus_21"
    text = request.pay_text(changed)
    assert asked.paytable.name == f"bonus_21 with seven_card_21={text}"
    assert catalog.parse_pay(text) == changed  # the name can be typed back


def test_a_pay_changed_to_what_it_was_changes_nothing() -> None:
    asked = request.resolve("spanish21", pay={"blackjack": "3 to 2"})
    assert asked.paytable == asked.printed


@pytest.mark.parametrize("event", ["blackjack", "seven_card_21"])
def test_raising_one_pay_never_lowers_the_ev(event: str) -> None:
    returns = request.evaluate("spanish21", pay={event: "6:1"})
    change = returns.details["change"]
    assert change["paytable"] == "bonus_21"
    assert change["ev"] == request.evaluate("spanish21").ev
    assert change["ev_change"] == returns.ev - change["ev"] > 0


def test_a_request_gives_what_the_game_gives(default: spanish21.Rules) -> None:
    table = catalog.paytable("spanish21", "bonus_21")
    assert request.evaluate("spanish21").events == spanish21.evaluate(default, table).events
    shoe = "24,24,24,20,24,24,24,24,24,72"
    assert request.evaluate("spanish21", shoe=shoe).events == spanish21.evaluate(default, table, shoe=shoe).events


def test_a_shoe_that_can_be_read_once_is_priced_twice() -> None:
    shoe = [20, *[24] * 8, 72]
    once = request.evaluate("spanish21", pay={"blackjack": "2:1"}, shoe=iter(shoe))
    assert once == request.evaluate("spanish21", pay={"blackjack": "2:1"}, shoe=shoe)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"game_and_bet": "spanish22"}, "unknown game 'spanish22' (did you mean 'spanish21'?)"),
        ({"game_and_bet": ""}, "unknown game ''"),
        ({"game_and_bet": "spanish21:side"}, "unknown bet of spanish21: 'side'; choices: main"),
        ({"rules": "h17_six_decks"}, "did you mean 'h17_six_deck'?"),
        ({"rules": ""}, "unknown rules of spanish21: ''"),
        ({"paytable": "bonus21"}, "did you mean 'bonus_21'?"),
        ({"change": {"dekcs": "6"}}, "unknown rule 'dekcs' (did you mean 'decks'?)"),
        ({"change": {"decks": "six"}}, "decks"),
        ({"change": {"decks": 6.5}}, "expected a whole number"),
        ({"pay": {"blackjak": "2"}}, "did you mean 'blackjack'?"),
        ({"pay": {"blackjack": "-2"}}, "blackjack pays '-2'; expected odds"),
        ({"pay": {"blackjack": "plenty"}}, "blackjack pays 'plenty'; expected odds"),
        ({"pay": {"blackjack": Fraction(-1)}}, "expected 0 (a push) or more"),
        ({"strategy": "wizard"}, "choices: composition_dependent, total_dependent, wizard_s17"),
        ({"strategy": "no/such.csv"}, "no/such.csv: no such file"),
    ],
)
def test_a_wrong_request_is_told_in_one_line(asked: dict[str, object], told: str) -> None:
    with pytest.raises(RequestError, match=re.escape(told)) as error:
        request.resolve(**{"game_and_bet": "spanish21", **asked})  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("verb", "given", "told"),
    [
        ("evaluate", {"meter": 1000.0}, "spanish21 takes no meter"),
        ("strategy", {"strategy_class": "chart_dependent"}, "unknown strategy class 'chart_dependent'"),
        ("simulate", {"rounds": 0, "seed": 1}, "rounds is 0"),
        ("simulate", {"rounds": 10, "seed": -1}, "seed is -1"),
        ("simulate", {"rounds": 1e6, "seed": 1}, "rounds is 1000000.0"),
    ],
)
def test_a_verb_refuses_what_it_cannot_use(verb: str, given: dict[str, object], told: str) -> None:
    with pytest.raises(RequestError, match=re.escape(told)):
        getattr(request, verb)("spanish21", **given)


# --- Charts -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(catalog.charts("spanish21")))
def test_a_published_chart_has_every_cell_of_its_file(name: str) -> None:
    chart = request.resolve("spanish21", strategy=name).play
    assert isinstance(chart, Chart)
    cells = {(cell.table, cell.hand, cell.upcard): cell.play for cell in catalog.charts("spanish21")[name].cells()}
    assert {(table, hand, upcard): code for table, hand, upcard, code in chart} == cells
    assert chart.source == catalog.charts("spanish21")[name].source


@pytest.mark.parametrize("name", ["total_dependent", *catalog.charts("spanish21")])
def test_the_best_play_is_at_least_any_chart(name: str) -> None:
    charted = request.evaluate("spanish21", strategy=name)
    assert charted.details["strategy"] == name
    assert charted.ev <= request.evaluate("spanish21").ev + 1e-12


@pytest.fixture(scope="module")
def derived() -> Chart:
    return request.strategy("spanish21", strategy_class="total_dependent").chart


def rows_of(chart: Chart) -> list[str]:
    return [",".join(cell) for cell in chart]


def test_a_charts_text_and_csv_are_chart_files(derived: Chart, tmp_path: Path) -> None:
    text, table = tmp_path / "mine.txt", tmp_path / "mine.csv"
    text.write_text(f"# my own\n\n{derived.text()}", encoding="utf-8")
    table.write_text("\n".join(["table,hand,upcard,play", *rows_of(derived)]), encoding="utf-8-sig")
    for path in (text, table):
        chart = request.resolve("spanish21", strategy=path).play
        assert isinstance(chart, Chart)
        assert chart.tables == derived.tables
        assert chart.name == str(path)


def test_a_chart_exported_by_a_spreadsheet_is_a_chart_file(derived: Chart, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = [f"{hand},{table.upper()},{upcard},{code},note" for table, hand, upcard, code in derived]
    path.write_text("\r\n".join(["Hand,Table,Upcard,Play,Remark", *rows]), encoding="utf-8")
    chart = request.resolve("spanish21", strategy=path).play
    assert isinstance(chart, Chart)
    assert chart.tables == derived.tables


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("hard,16,10,X", "line 2: hard 16 against 10: unknown code 'X'"),
        ("hard,16,10,P", "only pairs can be split"),
        ("hard,22,10,S", "unknown hand of table hard: '22'"),
        ("soft,A7,10,S", "did you mean 'A-7'?"),
        ("hard,16,J,S", "unknown upcard 'J'"),
        ("heavy,16,10,S", "unknown chart table 'heavy'"),
        ("after_double_hard,16,10,H", "is 'H'; expected S, R, D"),
        ("hard,16,10", "line 2: 3 columns"),
        ("hard,16,10,S\nhard,16,10,H", "line 3: hard 16 against 10 comes twice"),
    ],
)
def test_a_wrong_cell_is_named(row: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    path.write_text(f"table,hand,upcard,play\n{row}\n", encoding="utf-8")
    with pytest.raises(RequestError, match=re.escape(told)):
        request.resolve("spanish21", strategy=path)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "holds no chart"),
        ("# nothing\n", "holds no chart"),
        ("table,hand,upcard\nhard,16,10\n", "no column 'play'"),
        ("hard\n16 S S S\n", "line 2: hand 16 has 3 plays; expected 10"),
        ("hard\n16 S S S S S H H H H Q\n", "hard 16 against A: unknown code 'Q'"),
        ("16 S S S S S H H H H H\n", "line 1: unknown chart table ''"),
    ],
)
def test_a_file_that_is_no_chart_is_refused(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(RequestError, match=re.escape(told)):
        request.resolve("spanish21", strategy=path)


@pytest.mark.parametrize("cell", ["hard,16,10", "soft,A-7,9", "pairs,8-8,A"])
def test_a_missing_cell_is_named(cell: str, derived: Chart, tmp_path: Path) -> None:
    path = tmp_path / "mine.csv"
    rows = [row for row in rows_of(derived) if not row.startswith(f"{cell},")]
    path.write_text("\n".join(["table,hand,upcard,play", *rows]), encoding="utf-8")
    table, hand, upcard = cell.split(",")
    with pytest.raises(RequestError, match=f"{table} {hand} against {upcard} is missing"):
        request.evaluate("spanish21", strategy=path)


def test_a_row_of_text_may_leave_cells_out(tmp_path: Path) -> None:
    path = tmp_path / "mine.txt"
    path.write_text("hard\n16 S S S S S - H H H R\nafter double soft\nA-7 S S S S S S S S S R\n", encoding="utf-8")
    chart = request.resolve("spanish21", strategy=path).play
    assert isinstance(chart, Chart)
    assert (chart.code("hard", "16", "7"), chart.code("hard", "16", "8")) == (None, "H")
    assert chart.code("after_double_soft", "A-7", "A") == "R"
