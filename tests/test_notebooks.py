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
    assert "spanish21_strategy" in {path.stem for path in SHIPPED}


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
