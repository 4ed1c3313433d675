"""Notebooks: all have one shape, define nothing, are stored without outputs, and run as reports."""

import ast
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from casinomath import notebooks, request, runs

SHIPPED = notebooks.shipped()
MOST_LINES = 10


@cache
def content(path: Path) -> dict[str, Any]:
    return json.loads(path.read_text(encoding="utf-8"))


def code(path: Path) -> list[tuple[str, list[str]]]:
    """Source and tags of every code cell."""
    return [
        ("".join(cell["source"]), cell["metadata"].get("tags", []))
        for cell in content(path)["cells"]
        if cell["cell_type"] == "code"
    ]


def test_there_are_notebooks() -> None:
    expected = {"spanish21_strategy", "spanish21_side_bets", "spanish21_pay_tables", "spanish21_simulation"}
    assert expected <= {path.stem for path in SHIPPED}


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.stem)
class TestShape:
    def test_it_begins_with_its_title_and_question(self, path: Path) -> None:
        assert content(path)["cells"][0]["cell_type"] == "markdown"
        notebook = notebooks.read(path)
        assert notebook.title != path.stem
        assert notebook.question.endswith("?")

    def test_its_parts_come_in_order(self, path: Path) -> None:
        headings = re.findall(
            r"^## (.+)$",
            "\n".join("".join(c["source"]) for c in content(path)["cells"] if c["cell_type"] == "markdown"),
            re.MULTILINE,
        )
        assert headings[:2] == ["Parameters", "The rules in force"]
        assert headings[-1] == "What we learnt"
        assert "Three witnesses" in headings

    def test_it_imports_first_and_then_states_its_parameters(self, path: Path) -> None:
        (imports, _), (_, tags), *rest = code(path)
        assert all(isinstance(line, ast.Import | ast.ImportFrom) for line in ast.parse(imports).body)
        assert tags == ["parameters"]
        assert not any("parameters" in tags for _, tags in rest)
        assert not any(
            isinstance(line, ast.Import | ast.ImportFrom) for source, _ in rest for line in ast.walk(ast.parse(source))
        )

    def test_every_parameter_is_annotated_and_explained(self, path: Path) -> None:
        (source,) = [source for source, tags in code(path) if "parameters" in tags]
        assert all(isinstance(line, ast.AnnAssign) for line in ast.parse(source).body)
        assert all(parameter.comment for parameter in notebooks.read(path).parameters)

    def test_it_defines_nothing(self, path: Path) -> None:
        definitions = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda
        assert not [
            node for source, _ in code(path) for node in ast.walk(ast.parse(source)) if isinstance(node, definitions)
        ]

    def test_its_cells_are_short(self, path: Path) -> None:
        long = [
            source for source, tags in code(path) if len(source.splitlines()) > MOST_LINES and "parameters" not in tags
        ]
        assert not long

    def test_it_is_stored_without_outputs(self, path: Path) -> None:
        cells = [cell for cell in content(path)["cells"] if cell["cell_type"] == "code"]
        assert not [cell for cell in cells if cell["outputs"] or cell["execution_count"] is not None]
        assert content(path)["metadata"]["kernelspec"]["name"] == "python3"

    def test_its_cells_are_named_apart(self, path: Path) -> None:
        names = [cell["id"] for cell in content(path)["cells"]]
        assert len(set(names)) == len(names)

    def test_its_rules_are_the_games_own_by_default(self, path: Path) -> None:
        notebook = notebooks.read(path)
        if notebook.stem is None:
            return
        rules = request.resolve(notebook.stem).rules._asdict()
        parameters = {parameter.name: parameter.default for parameter in notebook.parameters}
        assert {name: parameters[name] for name in rules} == rules


# --- Spanish 21 -------------------------------------------------------------------------------------------------------

ROUNDS = 200_000


@pytest.fixture(scope="module")
def spanish21(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    folder = tmp_path_factory.mktemp("spanish21") / "out"
    return runs.report("spanish21_strategy", {"decks": "6", "dealer_hits_soft_17": "true", "rounds": ROUNDS}, folder)


def table(manifest: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(manifest.folder / "tables" / f"{name}.parquet")


def test_the_report_has_all_its_files(spanish21: runs.Manifest) -> None:
    assert all(path.stat().st_size > 0 for path in spanish21.paths)
    names = {path.relative_to(spanish21.folder).as_posix() for path in spanish21.paths}
    assert {"spanish21_strategy.ipynb", "spanish21_strategy.html", "manifest.json"} <= names
    for figure in ("strategy_chart", "decision_gaps", "endings", "witnesses"):
        assert {f"figures/{figure}.png", f"figures/{figure}.pdf"} <= names
    for name in ("rules", "pay_table", "strategy_chart", "decisions", "house_edge", "endings", "witnesses"):
        assert {f"tables/{name}.csv", f"tables/{name}.parquet"} <= names


def test_the_page_opens_offline_and_its_figures_are_described(spanish21: runs.Manifest) -> None:
    page = (spanish21.folder / "spanish21_strategy.html").read_text(encoding="utf-8")
    assert "<script" not in page
    assert not re.findall(r"""(?:src|href)=["']?(?:https?:)?//""", page)
    assert not re.findall(r"@import|url\(", page)
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 4
    for image in images:
        assert 'src="data:image/png;base64,' in image
        assert re.search(r'alt="[^"]{40,}"', image)
    assert "Traceback" not in page
    assert spanish21.results.digest in page


def test_the_report_says_what_the_package_says(spanish21: runs.Manifest) -> None:
    exact = request.evaluate("spanish21")
    edges = table(spanish21, "house_edge").set_index("played_by")
    assert edges.loc["best play", "house_edge"] == exact.house_edge
    assert list(edges.index) == ["best play", "the chart above", "wizard_h17"]
    assert edges["house_edge"].is_monotonic_increasing
    endings = table(spanish21, "endings")
    assert endings["return"].sum() == pytest.approx(exact.ev, abs=1e-12)
    seen = table(spanish21, "witnesses")
    assert list(seen["kind"]) == ["exact", "simulated", "published", "published"]
    assert seen["agrees"].all()
    decisions = table(spanish21, "decisions")
    actions = [column for column in decisions if column.startswith("ev_")]
    best = decisions[actions].max(axis=1)
    chosen = decisions.apply(lambda row: row[f"ev_{row['action']}"], axis=1)
    assert (best - chosen).abs().max() < 1e-9


def test_the_chart_of_the_report_is_a_strategy_file(spanish21: runs.Manifest) -> None:
    chart = spanish21.folder / "tables" / "strategy_chart.csv"
    edges = table(spanish21, "house_edge").set_index("played_by")["house_edge"]
    assert request.evaluate("spanish21", strategy=str(chart)).house_edge == edges["the chart above"]


def test_the_report_comes_out_the_same_again(spanish21: runs.Manifest) -> None:
    again = runs.rerun(spanish21.folder)
    assert again.same, again.differences


def test_rules_for_which_nothing_is_published_are_reported_all_the_same(tmp_path: Path) -> None:
    unusual = {
        "decks": 1,
        "max_doubles": 2,
        "late_surrender": False,
        "super_bonus": True,
        "bet": 25,
        "other_bettors": 2,
    }
    given = {**unusual, "rescue_forfeits": "original_wager", "strategy_class": "total_dependent", "rounds": ROUNDS}
    manifest = runs.report("spanish21_strategy", given, tmp_path / "out")
    page = (manifest.folder / "spanish21_strategy.html").read_text(encoding="utf-8")
    assert "No figure in the catalogue was published for exactly these rules." in page
    assert "There is none: no chart is published for such rules" in page
    assert {"super_bonus", "envy"} <= set(table(manifest, "endings")["event"])


# --- Side bets --------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def side_bets(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": ROUNDS, "meter": 0, "other_bettors": 2, "seats": 3}
    return runs.report("spanish21_side_bets", given, tmp_path_factory.mktemp("side_bets") / "out")


def test_side_bets_cost_what_the_package_says(side_bets: runs.Manifest) -> None:
    costs = table(side_bets, "costs").set_index("bet")
    for bet, name in (("up_card", "upcard"), ("down_card", "down card"), ("both", "both")):
        exact = request.evaluate(f"match_the_dealer:{bet}")
        row = costs.loc[f"Match the Dealer, {name}"]
        assert [row["house_edge"], row["stdev"], row["skewness"]] == [exact.house_edge, exact.stdev, exact.skewness]
        assert row["exact_EV"] == "-114/3731"
    progressive = request.evaluate("match_the_dealer_progressive", change={"decks": 6})
    assert costs.loc["progressive, seat 1", "house_edge"] == progressive.house_edge
    assert costs.loc["main game", "house_edge"] == request.evaluate("spanish21").house_edge
    assert costs.loc["main game, Super Bonus", "house_edge"] < costs.loc["main game", "house_edge"]


def test_par_sheets_are_whole(side_bets: runs.Manifest) -> None:
    for name in ("match_upcard", "match_both", "progressive", "insurance"):
        sheet = table(side_bets, name)
        events, whole = sheet.iloc[:-1], sheet.iloc[-1]
        assert events["probability"].sum() == pytest.approx(1)
        assert events["combinations"].sum() == whole["combinations"]
        assert events["return"].sum() == pytest.approx(whole["return"])
    prizes = table(side_bets, "progressive_prizes")
    costs = table(side_bets, "costs").set_index("bet")["house_edge"]
    assert prizes["return"].sum() == pytest.approx(1 - costs["progressive, seat 1"])


def test_the_super_bonus_is_told_by_decks_with_the_plays_it_changes(side_bets: runs.Manifest) -> None:
    bonus = table(side_bets, "super_bonus").set_index("decks")
    assert bonus.loc[6, "one_in"] == pytest.approx(668_382)  # published: see the data, wizard_older
    assert (bonus["house_edge_with"] < bonus["house_edge_without"]).all()
    assert (bonus["cost_of_playing_for_it"] > 0).all()
    plays = table(side_bets, "super_bonus_plays")
    assert set(plays["cards"]) == {"7 7"}
    assert set(plays["action_with"]) == {"hit"}
    assert (plays["ev_with"] > plays["ev_without"]).all()


def test_side_bets_have_three_witnesses(side_bets: runs.Manifest) -> None:
    measures = table(side_bets, "measures")
    assert set(measures["bet"]) == set(table(side_bets, "costs")["bet"])
    assert measures["standard_errors"].abs().max() < 4
    assert measures["agrees"].all()
    assert table(side_bets, "published")["agrees"].all()
    assert {"3.055%", "24.7%"} <= set(table(side_bets, "published")["printed"])


def test_side_bets_of_another_table(tmp_path: Path) -> None:
    """Two decks, where the whole meter can't be won, one player, and a pay table from a file."""
    own = tmp_path / "own.toml"
    own.write_text('[paytables.own]\nsource = "illustrative"\npays.suited_match = "30"\npays.unsuited_match = "push"\n')
    given = {"decks": 2, "seats": 1, "match_paytable": str(own), "insurance_paytable": "five_to_two", "rounds": 50_000}
    manifest = runs.report("spanish21_side_bets", {**given, "max_doubles": 3, "bet": 25}, tmp_path / "out")
    assert table(manifest, "costs").set_index("bet").loc["Match the Dealer, upcard", "house_edge"] != 0
    page = (manifest.folder / "spanish21_side_bets.html").read_text(encoding="utf-8")
    assert "No house edge in the catalogue was published" in page


# --- Pay tables -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pay_tables(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"decks": "2,6", "rules": "s17_six_deck", "compared": "s17_six_deck,h17_six_deck", "rounds": ROUNDS}
    return runs.report("spanish21_pay_tables", given, tmp_path_factory.mktemp("pay_tables") / "out")


def test_pay_tables_cost_what_the_package_says(pay_tables: runs.Manifest) -> None:
    main = table(pay_tables, "main_game").set_index(["super_bonus", "rules"])
    for rules in ("s17_six_deck", "h17_six_deck"):
        assert main.loc[("", rules), "6 decks"] == request.evaluate("spanish21", rules).house_edge
        assert main.loc[("", rules), "2 decks"] < main.loc[("", rules), "6 decks"]
        assert main.loc[("offered", rules), "2 decks"] < main.loc[("", rules), "2 decks"]
    match = table(pay_tables, "match_the_dealer")
    assert match[match["printed"]][["paytable", "decks"]].to_numpy().tolist() == [["two_deck", 2], ["six_deck", 6]]
    assert set(match["ev_exact"]) >= {"-162/4465", "-114/3731"}


def test_charts_are_compared_shoe_by_shoe(pay_tables: runs.Manifest) -> None:
    changed = table(pay_tables, "chart_changes")
    assert (changed["2"] != changed["6"]).all()
    (steps,) = table(pay_tables, "chart_steps")["cells_that_change"]
    assert steps == len(changed) > 0
    wrong = table(pay_tables, "wrong_charts").set_index("chart")
    assert wrong.loc["for 2 decks", "2 decks"] == wrong.loc["for 6 decks", "6 decks"] == 0
    assert wrong.loc["for 2 decks", "6 decks"] > 0
    assert wrong.loc["for 6 decks", "2 decks"] > 0


def test_published_changes_and_effects_agree(pay_tables: runs.Manifest) -> None:
    changes = table(pay_tables, "published_changes")
    assert len(changes) == 11  # no surrender, and ten cards
    assert changes["agrees"].all()
    assert table(pay_tables, "published")["agrees"].all()
    effects = table(pay_tables, "effects_of_removal")
    assert abs((effects["effect"] * effects["probability"]).sum()) < 5e-5  # play adapts; fixed play's mean is none
    sides = table(pay_tables, "effects_on_side_bets").set_index("bet")
    assert (sides["effect_per_deck"] * sides["probability"]).groupby(level=0).sum().abs().max() < 1e-9


def test_pay_tables_have_three_witnesses(pay_tables: runs.Manifest) -> None:
    measures = table(pay_tables, "measures")
    assert set(measures["decks"]) == {2, 6}
    assert measures["standard_errors"].abs().max() < 4


@pytest.mark.slow
def test_one_shoe_and_pairs_of_changes(tmp_path: Path) -> None:
    given = {"decks": "4", "compared": "h17_four_deck", "rules": "h17_four_deck", "pairs": "true", "rounds": 20_000}
    manifest = runs.report("spanish21_pay_tables", given, tmp_path / "out")
    pairs = table(manifest, "rule_pairs")
    singles = table(manifest, "rule_differences")
    assert len(pairs) > len(singles)
    assert pairs["interaction"].abs().max() > 0
    assert table(manifest, "chart_changes").empty


# --- The simulation ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def simulation(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": 10 * ROUNDS, "sessions": 1000, "penetrations": "0.75"}
    return runs.report("spanish21_simulation", given, tmp_path_factory.mktemp("simulation") / "out")


def test_the_simulation_agrees_hand_by_hand(simulation: runs.Manifest) -> None:
    tests = table(simulation, "tests")
    assert tests["cells"].min() > 500
    assert tests["from_its_mean"].abs().max() < 4
    assert table(simulation, "by_upcard")[["ev_standard_errors", "frequency_standard_errors"]].abs().max(axis=None) < 4
    path = table(simulation, "convergence")
    assert path["rounds"].iloc[-1] == 10 * ROUNDS
    assert path["reach"].iloc[-1] < path["reach"].iloc[0] / 20
    assert path["standard_errors"].abs().max() < 4.5
    assert table(simulation, "endings")["standard_errors"].abs().max() < 4


def test_sessions_bands_and_ruin_agree_with_their_formulas(simulation: runs.Manifest) -> None:
    horizons = table(simulation, "horizons")
    assert {1, 4, 20, 100} <= set(horizons["hours"])
    spread = horizons["stdev"]
    assert ((horizons["low"] - horizons["simulated_low"]).abs() < 0.25 * spread).all()
    assert ((horizons["high"] - horizons["simulated_high"]).abs() < 0.25 * spread).all()
    assert ((horizons["ruin"] - horizons["simulated_ruin"]).abs() < 0.07).all()
    bars = table(simulation, "session_results").groupby("session")[["share", "normal"]].sum()
    assert bars.to_numpy() == pytest.approx(1, abs=0.01)


def test_the_cut_card_and_bets_made_together(simulation: runs.Manifest) -> None:
    (cut,) = table(simulation, "cut_card").to_dict("records")
    assert abs(cut["effect"]) < 5 * cut["stderr"]
    assert abs(cut["first_rounds_standard_errors"]) < 4
    together = table(simulation, "together")
    assert len(together) == 4
    insured = together.iloc[2]
    assert insured["other_bet"] == "insurance"
    assert insured["correlation"] < 0  # it pays when the dealer's blackjack takes the main bet
    assert insured["stdev_together"] < insured["stdev_if_independent"]


def test_the_simulation_of_another_table(tmp_path: Path) -> None:
    """Two decks, no splits, several seats and sessions of nearly the same length."""
    given = {"decks": 2, "max_hands": 1, "seats": 3, "penetrations": "0.5,0.6", "hours": "2,2.001", "bet": 25}
    manifest = runs.report("spanish21_simulation", {**given, "rounds": ROUNDS, "sessions": 200}, tmp_path / "out")
    assert len(table(manifest, "cut_card")) == 2
    assert table(manifest, "spread")["value"][1] == 0  # nothing is left to simulate


def test_every_figure_of_every_report_is_described(
    side_bets: runs.Manifest, pay_tables: runs.Manifest, simulation: runs.Manifest
) -> None:
    for manifest, number in ((side_bets, 5), (pay_tables, 8), (simulation, 8)):
        page = next(manifest.folder.glob("*.html")).read_text(encoding="utf-8")
        images = re.findall(r"<img[^>]*>", page)
        assert len(images) == number
        assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)
        assert "<script" not in page
