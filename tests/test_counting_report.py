"""The report on counting cards: it runs, its witnesses agree, and what it says is what the package says."""

import re
from pathlib import Path

import pandas as pd
import pytest

from casinomath import runs

ROUNDS = 1_000_000


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": ROUNDS, "system": "effects_2", "decks": 4, "plays": 10, "spread": 12}
    return runs.report("spanish21_counting", given, tmp_path_factory.mktemp("counting") / "out")


def table(manifest: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(manifest.folder / "tables" / f"{name}.parquet")


def test_simulated_and_exact_edges_agree(report: runs.Manifest) -> None:
    seen = table(report, "witnesses")
    assert len(seen) > 8
    assert seen["standard_errors"].abs().max() < 4.5


def test_its_tables_fit_together(report: runs.Manifest) -> None:
    by_count, gains = table(report, "by_count"), table(report, "gains").set_index("way")
    assert by_count["rounds"].sum() == ROUNDS
    assert by_count["bet"].between(1, 12).all()
    flat = (by_count["edge"] * by_count["frequency"]).sum()
    assert gains.loc["one bet, one play", "mean"] == pytest.approx(flat, abs=1e-12)
    plays = table(report, "index_plays")
    assert len(plays) == 10
    assert plays["gain"].is_monotonic_decreasing
    systems = table(report, "systems").set_index("system")
    correlations = systems["betting_correlation"]
    assert correlations.idxmax() == "effects_3"
    assert correlations["effects_1"] <= correlations["effects_2"] <= correlations["effects_3"]
    effects = table(report, "effects_of_removal")
    assert (effects["effect_per_deck"] * effects["cards"]).sum() == pytest.approx(0, abs=1e-9)
    assert list(effects["tag"]) == list(systems.loc["effects_2", effects["card"]])


def test_its_figures_are_described(report: runs.Manifest) -> None:
    page = next(Path(report.folder).glob("*.html")).read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 4
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)
    assert "Traceback" not in page
    assert "<script" not in page
