"""The report on hold'em games: run once for each game, its tables compared with the package."""

from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs
from casinomath.errors import RequestError
from casinomath.figures import alt_text, preflop_chart


def table(manifest: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(manifest.folder / "tables" / f"{name}.parquet")


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    return runs.report("holdem_games", {"rounds": 100_000}, tmp_path_factory.mktemp("holdem_games") / "out")


def test_the_report_says_what_the_package_says(report: runs.Manifest) -> None:
    exact = request.evaluate("ultimate_texas_holdem")
    costs = table(report, "costs").set_index("measure")["value"]
    assert costs["house edge"] == exact.house_edge
    assert costs["stdev"] == exact.stdev
    sheet = table(report, "endings")
    assert sheet["probability"].iloc[:-1].sum() == pytest.approx(1)
    assert table(report, "decisions")["share"].sum() == pytest.approx(1)
    assert len(table(report, "hands")) == 169
    every = table(report, "every_table").set_index(["rules", "paytable"])["house_edge"]
    assert every["four_times", "blind_b"] == request.evaluate("ultimate_texas_holdem", "pennsylvania").house_edge
    ways = table(report, "ways_to_play").set_index("played_by")["cost"]
    assert ways["best play"] == 0 < ways["wizard"]


def test_three_witnesses_agree(report: runs.Manifest) -> None:
    assert table(report, "measures")["standard_errors"].abs().max() < 4
    seen = table(report, "witnesses").set_index("name")
    assert seen.loc["Edge Vegas [edgevegas_ultimate]", "agrees"]


@pytest.mark.slow
def test_the_report_on_the_other_game(tmp_path: Path) -> None:
    given = {"game": "texas_holdem_bonus", "rounds": 20_000, "hand": "As Kd", "board": ""}
    manifest = runs.report("holdem_games", given, tmp_path / "out")
    costs = table(manifest, "costs").set_index("measure")["value"]
    assert costs["house edge"] == request.evaluate("texas_holdem_bonus").house_edge


def test_a_wrong_request_stops_before_it_runs(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="unknown game 'ultimate_holdem'"):
        runs.report("holdem_games", {"game": "ultimate_holdem"}, tmp_path / "out")
    with pytest.raises(RequestError, match="unknown rules of ultimate_texas_holdem"):
        runs.report("holdem_games", {"rules": "five_times"}, tmp_path / "out")


def test_the_chart_says_what_it_shows() -> None:
    asked = request.resolve("ultimate_texas_holdem")
    drawn = preflop_chart(asked.strategy(), asked.rules)
    assert "37.71% of all deals are bet, from AA, which gains 1.41 antes" in alt_text(drawn)
    words = [text.get_text() for text in drawn.axes[0].texts]
    assert len(words) == 2 * 169
    assert {"K5o 4x", "K4o C", "22 C", "33 4x"} <= set(words)
