"""The data door: what ships is complete, a user's own files load, and what is wrong is told in one line."""

import importlib
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal, NamedTuple

import pytest

from casinomath import catalog, request
from casinomath.cards import UPCARDS, VALUES
from casinomath.errors import RequestError


class Rules(NamedTuple):
    """A game's rules with a field of each kind, so that these tests depend on no game."""

    decks: int = 6
    hits: bool = True
    bet: float = 5
    forfeits: Literal["half", "all"] = "half"


PACKAGE = Path(catalog.__file__).parent

GOOD = """\
[rules.mine]
source = "my felt"
where = "my kitchen"
decks = 4
hits = false
bet = 25
forfeits = "all"
paytable = "generous"

[paytables.generous]
source = "my felt"
pays = { five_card_21 = "2 to 1", six_card_21 = "push" }
"""


@pytest.fixture
def file(tmp_path: Path) -> Callable[[str], str]:
    """Write a TOML file of a user's own and return its path."""

    def write(text: str) -> str:
        path = tmp_path / "my.toml"
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def rules_of(stem: str) -> Any:
    """Return the Rules class of a game or bet, wherever it lives."""
    room = next(room for room in ("games", "sidebets", "pokerbets") if (PACKAGE / room / f"{stem}.py").exists())
    return importlib.import_module(f"casinomath.{room}.{stem}").Rules


# --- What ships ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stem", catalog.stems())
def test_every_rule_set_and_pay_table_loads_and_goes_together(stem: str) -> None:
    assert catalog.paytables(stem).keys() == {table.name for table in catalog.paytables(stem).values()}
    for name, table in catalog.rule_sets(stem).items():
        rules = catalog.rules(stem, name, rules_of(stem))
        assert table["where"]
        assert catalog.paytable_for(stem, name, rules) == catalog.paytable(stem, table["paytable"])


@pytest.mark.parametrize("stem", catalog.stems())
def test_every_published_figure_names_what_exists(stem: str) -> None:
    known = {game.stem for game in request.games()}
    own = getattr(request.game(stem), "STRATEGIES", ()) if stem in known else ()
    rule_sets, strategies = catalog.rule_sets(stem), {None, *catalog.charts(stem), *own}
    for row in catalog.published(stem):
        assert row.rules in rule_sets, row
        catalog.vary(catalog.rules(stem, row.rules, rules_of(stem)), row.set)
        assert row.strategy in strategies, row
        assert 0 < row.within < max(0.1, abs(row.number)), row


@pytest.mark.parametrize("stem", [stem for stem in catalog.stems() if catalog.bet_of(stem)])
def test_a_bet_of_several_games_is_a_bet_of_each(stem: str) -> None:
    for game in catalog.bet_of(stem):
        assert stem in request.bets(game)
        assert catalog.home(game, stem) == stem
        assert request.resolve(f"{game}:{stem}").home == stem


@pytest.mark.parametrize("stem", catalog.stems())
def test_every_chart_prints_one_play_for_each_hand_and_upcard(stem: str) -> None:
    for chart in catalog.charts(stem).values():
        cells = chart.cells()
        places = [(cell.table, cell.hand, cell.upcard) for cell in cells]
        assert len(set(places)) == len(places)
        hands = {place[:2] for place in places}
        assert set(places) == {(*hand, upcard) for hand in hands for upcard in UPCARDS}
        marks = "|".join(re.escape(mark) for mark in chart.legend if mark != "digit")
        assert all(re.fullmatch(rf"({marks}|\d)+", cell.play) for cell in cells)


def test_every_source_of_the_bibliography_says_what_it_is() -> None:
    for source in catalog.sources().values():
        assert all([source.body, source.title, source.document, source.effective, source.locator])


def test_spanish_21_has_every_rule_set_of_the_documents() -> None:
    sets = catalog.rule_sets("spanish21")
    colorado = {name: table for name, table in sets.items() if table["source"] == "colorado_rule_8"}
    offered = {(t["decks"], t["dealer_hits_soft_17"], t["max_doubles"]) for t in colorado.values()}
    decks = (2, 4, 5, 6, 8)
    assert offered == {(n, *kind) for n in decks for kind in [(False, 1), (True, 1), (True, 3)]}
    assert len(sets) == 17
    assert sets["five_deck_house"]["rescue_forfeits"] == "original_wager"
    assert catalog.default_rules_name("spanish21") == "h17_six_deck"


def test_bonus_21_pays_as_the_documents_print_it() -> None:
    """Colorado 47.1-834.16 (11)."""
    table, two_deck = catalog.paytable("spanish21"), catalog.paytable("spanish21", "bonus_21_two_deck")
    printed = {"five_card": (3, 2), "six_card": (2, 1), "seven_card": (3, 1)}
    for cards, (pays, to) in printed.items():
        assert table.pay(f"{cards}_21") == two_deck.pay(f"{cards}_21") == Fraction(pays, to)
    for suits, (pays, to) in {"mixed": (3, 2), "suited": (2, 1), "spades": (3, 1)}.items():
        assert table.pay(f"three_sevens_{suits}") == Fraction(pays, to)
        assert table.pay(f"six_seven_eight_{suits}") == Fraction(pays, to)
        assert two_deck.pay(f"six_seven_eight_{suits}") == Fraction(pays, to)
    assert two_deck.pay("three_sevens_mixed") == 2
    assert [event for event in two_deck.pays if event.startswith("three_sevens")] == ["three_sevens_mixed"]


def test_the_pay_table_follows_the_number_of_decks() -> None:
    kind = rules_of("spanish21")
    six, two = catalog.paytable("spanish21", "bonus_21"), catalog.paytable("spanish21", "bonus_21_two_deck")
    assert catalog.paytable_for("spanish21") == six
    assert catalog.paytable_for("spanish21", "h17_six_deck", kind(decks=2)) == two
    assert catalog.paytable_for("spanish21", "s17_two_deck", kind(decks=8)) == six
    assert catalog.paytable_for("spanish21", "s17_two_deck", kind(decks=3)) == two  # no document prints three


def test_effects_of_removal_have_a_row_for_every_value() -> None:
    rows = [row for row in catalog.published("spanish21") if row.removed]
    assert sorted(str(row.removed) for row in rows) == sorted(VALUES)


@pytest.mark.parametrize(
    ("value", "more", "number", "within"),
    [
        ("0.78%", {}, 0.0078, 0.00005),
        ("+0.018", {"unit": "percentage points"}, 0.00018, 0.000005),
        ("-.20", {"unit": "percentage points"}, -0.002, 0.00005),
        ("+0.348048", {}, 0.348048, 0.0000005),
        ("about 2.87", {"tolerance": "0.05"}, 2.87, 0.05),
        ("24.7%", {}, 0.247, 0.0005),
        ("1,000", {}, 1000, 0.5),
    ],
)
def test_printed_digits_are_the_tolerance(value: str, more: dict[str, Any], number: float, within: float) -> None:
    row = catalog.Published(stem="x", measure="ev", value=value, source="x", **more)
    assert row.number == pytest.approx(number)
    assert row.within == pytest.approx(within)
    assert row.agrees(number + 0.99 * within)
    assert not row.agrees(number - 1.01 * within)


# --- A user's own file --------------------------------------------------------------------------------------


def test_rules_and_pay_tables_of_a_users_own_are_read_by_path(file: Callable[[str], str]) -> None:
    path = file(GOOD)
    assert catalog.rules("spanish21", path, Rules) == Rules(decks=4, hits=False, bet=25.0, forfeits="all")
    table = catalog.paytable("spanish21", path)
    assert table.pays == {"five_card_21": Fraction(2), "six_card_21": Fraction(0)}
    assert table.name == f"{path}#generous"  # as it can be asked for again
    assert catalog.paytable("spanish21", table.name) == table
    assert catalog.paytable_for("spanish21", path, Rules(decks=2)) == table


def test_rules_of_a_users_own_may_name_a_pay_table_that_ships(file: Callable[[str], str]) -> None:
    path = file('[rules.mine]\nsource = "me"\npaytable = "bonus_21_two_deck"')
    assert catalog.paytable_for("spanish21", path).name == "bonus_21_two_deck"


def test_of_several_tables_in_a_file_one_is_named(file: Callable[[str], str]) -> None:
    path = file(GOOD + '[rules.other]\nsource = "me"\ndecks = 8')
    assert catalog.rules("spanish21", f"{path}#other", Rules).decks == 8
    with pytest.raises(RequestError, match=r"holds 2 tables \[rules.<name>\]; expected one of .*#mine, .*#other"):
        catalog.rules("spanish21", path, Rules)
    with pytest.raises(RequestError, match=r"'othr' .did you mean 'other'.*choices: mine, other"):
        catalog.rules("spanish21", f"{path}#othr", Rules)


def test_rules_are_varied_by_the_type_of_their_fields() -> None:
    varied = catalog.vary(Rules(), {"decks": "8", "hits": "no", "bet": "12.5", "forfeits": "all"})
    assert varied == Rules(8, hits=False, bet=12.5, forfeits="all")
    assert catalog.vary(Rules(), {"decks": 8, "bet": 25}) == Rules(8, bet=25.0)
    assert [catalog.vary(Rules(), {"hits": text}).hits for text in ("true", "yes", "1", "0")] == [1, 1, 1, 0]


# --- What is wrong ------------------------------------------------------------------------------------------


def test_unknown_names_are_told_with_the_nearest_one() -> None:
    with pytest.raises(RequestError, match=r"game or bet 'spanish2' .did you mean 'spanish21'.+ choices: .*spanish21"):
        catalog.rule_sets("spanish2")
    with pytest.raises(
        RequestError, match=r"rules of spanish21: 'h17_six_dek' .did you mean 'h17_six_deck'.*s17_two_deck"
    ):
        catalog.rules("spanish21", "h17_six_dek", Rules)
    with pytest.raises(
        RequestError, match=r"pay table of spanish21: 'bonus21' .did you mean 'bonus_21'.*bonus_21_two_deck"
    ):
        catalog.paytable("spanish21", "bonus21")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"dekcs": "6"}, "unknown rule 'dekcs' .did you mean 'decks'.+ choices: decks, hits, bet, forfeits"),
        ({"decks": "six"}, 'rule decks is "six"; expected a whole number'),
        ({"decks": "6.5"}, 'rule decks is "6.5"; expected a whole number'),
        ({"decks": True}, "rule decks is true; expected a whole number"),
        ({"hits": "maybe"}, 'rule hits is "maybe"; expected true or false'),
        ({"bet": "much"}, 'rule bet is "much"; expected a number'),
        ({"forfeits": "al"}, 'rule forfeits is "al"; expected one of half, all'),
    ],
)
def test_rules_are_varied_only_to_what_makes_sense(changes: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        catalog.vary(Rules(), changes)


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        ("decks = 4", 'decks = "4"', r'my.toml: \[rules.mine\] decks is "4"; expected a whole number'),
        ("decks = 4", "decks = 4.5", r"my.toml: \[rules.mine\] decks is 4.5; expected a whole number"),
        ("decks = 4", "decks = true", r"my.toml: \[rules.mine\] decks is true; expected a whole number"),
        ("decks = 4", "dekcs = 4", r"my.toml: \[rules.mine\] unknown field 'dekcs' .did you mean 'decks'"),
        ("hits = false", "hits = 0", r"my.toml: \[rules.mine\] hits is 0; expected true or false"),
        ('"all"', '"al"', r'my.toml: \[rules.mine\] forfeits is "al"; expected one of half, all'),
        ('source = "my felt"\nwhere', "where", r"my.toml: \[rules.mine\] lacks the key source"),
        (
            'source = "my felt"\nwhere',
            "source = 7\nwhere",
            r"my.toml: \[rules.mine\] source is 7; expected text",
        ),
        (
            "[rules.mine]",
            "[rule.mine]",
            r"my.toml: holds \[rule\], \[paytables\]; expected a table \[rules.<name>\]",
        ),
        (
            "[rules.mine]",
            "[rules]",
            r"my.toml: rules.source is \"my felt\"; expected a table \[rules.source\]",
        ),
        ('forfeits = "all"', 'forfeits = "al', "my.toml: not valid TOML.*line 7"),
    ],
)
def test_wrong_rules_files_are_told_in_one_line(
    file: Callable[[str], str], find: str, replace: str, message: str
) -> None:
    assert find in GOOD
    with pytest.raises(RequestError, match=message) as told:
        catalog.rules("spanish21", file(GOOD.replace(find, replace, 1)), Rules)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        (
            '"2 to 1"',
            '"two to one"',
            r'\[paytables.generous\] pays.five_card_21 is "two to one"; expected odds such as',
        ),
        (
            '"2 to 1"',
            '"-2 to 1"',
            r'\[paytables.generous\] pays.five_card_21 is "-2 to 1"; expected odds such as',
        ),
        ('"2 to 1"', "-2", r"\[paytables.generous\] pays.five_card_21 is -2; expected odds such as"),
        ('"2 to 1"', "true", r"\[paytables.generous\] pays.five_card_21 is true; expected odds such as"),
        (
            '"2 to 1"',
            "[2, 1]",
            r"\[paytables.generous\] pays.five_card_21 is \[2, 1\]; expected odds such as",
        ),
        ('"2 to 1"', '"2 to 1', "my.toml: not valid TOML"),
        ("pays =", "pay =", r"\[paytables.generous\] unknown key 'pay' .did you mean 'pays'"),
        ('source = "my felt"\npays', "pays", r"my.toml: \[paytables.generous\] lacks the key source"),
    ],
)
def test_wrong_pay_table_files_are_told_in_one_line(
    file: Callable[[str], str], find: str, replace: str, message: str
) -> None:
    assert find in GOOD
    with pytest.raises(RequestError, match=message) as told:
        catalog.paytable("spanish21", file(GOOD.replace(find, replace, 1)))
    assert "my.toml" in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("pays", ["", "pays = {}", 'pays = "3 to 2"'])
def test_a_pay_table_without_pays_is_told(file: Callable[[str], str], pays: str) -> None:
    path = file(f'[paytables.empty]\nsource = "me"\n{pays}')
    with pytest.raises(
        RequestError, match=r'\[paytables.empty\] .*pays.*; expected lines such as pays.blackjack = "3 to 2"'
    ):
        catalog.paytable("spanish21", path)


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"nowhere\.toml: no such file"):
        catalog.rules("spanish21", str(tmp_path / "nowhere.toml"), Rules)
    with pytest.raises(RequestError, match=r"cannot be read as text"):
        catalog.rules("spanish21", f"{tmp_path}/", Rules)
    (tmp_path / "binary.toml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(RequestError, match=r"binary\.toml: cannot be read as text"):
        catalog.rules("spanish21", str(tmp_path / "binary.toml"), Rules)


# --- What would be wrong with a file that ships -------------------------------------------------------------


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Ship one data file, game.toml, with its text given, and one source, `felt`."""

    def write(text: str) -> None:
        (tmp_path / "game.toml").write_text(text, encoding="utf-8")

    fields = ("body", "title", "document", "effective", "locator")
    (tmp_path / "sources.toml").write_text("[felt]\n" + "\n".join(f'{field} = "x"' for field in fields))
    monkeypatch.setattr(catalog, "data_folder", lambda: tmp_path)
    return write


PUBLISHED = '[[published]]\nmeasure = "ev"\nvalue = "0.5%"\nsource = "felt"\n'


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            '[rules.x]\nsource = "flet"',
            r"game.toml: \[rules.x\] source: unknown source 'flet' .did you mean 'felt'",
        ),
        ("[rules.x]\ndecks = 6", r"game.toml: \[rules.x\] lacks the key source"),
        ("[rulez.x]", "game.toml: unknown table 'rulez' .did you mean 'rules'"),
        ("rules = 7", r"game.toml: rules is 7; expected tables \[rules.<name>\]"),
    ],
)
def test_wrong_rules_that_ship_are_told(data: Callable[[str], None], text: str, message: str) -> None:
    data(text)
    with pytest.raises(RequestError, match=message):
        catalog.rule_sets("game")


@pytest.mark.parametrize(
    ("find", "replace", "message"),
    [
        ('"felt"', '"flet"', r"game.toml: \[\[published\]\] row 1 source: unknown source 'flet'"),
        ('source = "felt"', "", r"game.toml: \[\[published\]\] row 1 lacks the key source"),
        ("measure", "mesure", r"game.toml: \[\[published\]\] row 1 .*'?mesure|measure"),
        ('"0.5%"', "0.5", r"game.toml: \[\[published\]\] row 1 value is 0.5; expected a valid string"),
        ('"0.5%"', '"half"', r'game.toml: \[\[published\]\] row 1 value is "half".*; expected numbers'),
    ],
)
def test_wrong_figures_that_ship_are_told(data: Callable[[str], None], find: str, replace: str, message: str) -> None:
    data(PUBLISHED.replace(find, replace))
    with pytest.raises(RequestError, match=message):
        catalog.published("game")


def test_the_figure_that_these_tests_break_is_right(data: Callable[[str], None]) -> None:
    data(PUBLISHED)
    assert catalog.published("game")[0].number == 0.005


def test_a_game_without_rules_or_pay_tables_says_so(data: Callable[[str], None]) -> None:
    data(PUBLISHED)
    with pytest.raises(RequestError, match=r"game has no rule sets"):
        catalog.default_rules_name("game")
    with pytest.raises(RequestError, match=r"game has no pay tables"):
        catalog.paytable("game")


def test_a_chart_with_other_columns_is_told(data: Callable[[str], None], tmp_path: Path) -> None:
    data('[charts.c]\nsource = "felt"\nwhere = "x"\nfile = "c.csv"')
    (tmp_path / "c.csv").write_text("hand,upcard,play\n")
    with pytest.raises(RequestError, match=r"c.csv: the first line is hand,upcard,play; expected table,hand,upcard"):
        catalog.charts("game")["c"].cells()
