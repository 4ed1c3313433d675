"""The report on Free Bet Blackjack runs, and says what the package says."""

from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    folder = tmp_path_factory.mktemp("free_bet") / "out"
    return runs.report("free_bet_blackjack", {"decks": "2", "rounds": 200_000}, folder)


def table(manifest: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(Path(manifest.folder) / "tables" / f"{name}.parquet")


def test_its_house_edges_are_the_packages(report: runs.Manifest) -> None:
    exact = request.evaluate("free_bet_blackjack", change={"decks": 2})
    edges = table(report, "house_edge").set_index("played_by")["house_edge"]
    assert edges["best play"] == exact.house_edge < edges["the chart above"]
    steps = table(report, "steps").set_index("part")["house_edge"]
    assert list(steps.index) == ["", "dealer's 22", "free splits", "free doubles"]
    assert steps["free doubles"] == pytest.approx(exact.house_edge, abs=1e-15)
    blackjack = request.evaluate("blackjack", change={"decks": 2, "late_surrender": False})
    assert steps[""] == pytest.approx(blackjack.house_edge, abs=1e-15)


def test_its_charts_differ_where_a_free_bet_is_bolder(report: runs.Manifest) -> None:
    plays = table(report, "free_bet_plays").set_index("decision")
    assert tuple(plays.loc["17 against 9"]) == ("S", "H")
    parted = table(report, "parted_hands")
    assert len(parted) > 5
    assert not parted["action_with_money"].isin(["split"]).any()
    assert (parted["action"] != parted["action_with_money"]).all()


def test_its_witnesses_agree(report: runs.Manifest) -> None:
    seen = table(report, "witnesses")
    assert list(seen["kind"]) == ["exact", "simulated"]
    assert seen["agrees"].all()
    elsewhere = table(report, "published_elsewhere")
    assert list(elsewhere["published"]) == ["0.625%", "0.64%", "0.73%", "1.01%"]
