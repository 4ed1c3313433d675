"""The report on blackjack says what the package says."""

import re
from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": 1_000_000, "decks": 2}
    return runs.report("blackjack", given, tmp_path_factory.mktemp("blackjack") / "out")


def table(report: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(report.folder / "tables" / f"{name}.parquet")


def test_the_game_costs_what_the_package_says(report: runs.Manifest) -> None:
    edges = table(report, "house_edge").set_index("played_by")["house_edge"]
    assert edges["best play"] == request.evaluate("blackjack", "h17_two_deck").house_edge
    for name in ("basic_strategy", "derived_chart"):
        assert edges[name] == request.evaluate("blackjack", "h17_two_deck", strategy=name).house_edge
    assert edges.is_monotonic_increasing
    assert table(report, "endings")["return"].sum() == pytest.approx(-edges["best play"], abs=1e-12)


def test_exceptions_bring_what_a_chart_costs(report: runs.Manifest) -> None:
    """Each as if it were made alone, they come to about what the chart loses."""
    edges = table(report, "house_edge").set_index("played_by")["house_edge"]
    found = table(report, "exceptions")
    assert (found["loss"] > 0).all()
    assert found["cost"].sum() == pytest.approx(edges["the chart above"] - edges["best play"], rel=0.1)


def test_rules_are_worth_what_they_change(report: runs.Manifest) -> None:
    changes = table(report, "rule_differences").set_index("change")
    less = request.evaluate("blackjack", "h17_two_deck", change={"late_surrender": False}).house_edge
    assert changes.loc["no surrender", "house_edge"] == less
    assert changes.loc["no hole card, all bets at risk", "change_in_house_edge"] > 0


def test_three_witnesses_agree(report: runs.Manifest) -> None:
    seen = table(report, "witnesses")
    assert {"exact", "simulated", "published"} == set(seen["kind"])
    assert seen[seen["kind"] != "published"]["agrees"].all()
    assert table(report, "endings_simulated")["standard_errors"].abs().max() < 4
    hands = table(report, "published_hands")
    assert len(hands) >= 40
    assert hands["agrees"].all()


def test_every_figure_is_described(report: runs.Manifest) -> None:
    page = next(report.folder.glob("*.html")).read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 5
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)


def test_what_makes_no_sense_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(request.RequestError, match="hole_card"):
        runs.report("blackjack", {"hole_card": "maybe"}, tmp_path / "out")
