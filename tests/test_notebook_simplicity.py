"""The report on what simplicity costs says what the package says."""

from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"dealer_hits_soft_17": False, "rounds": 200_000}
    return runs.report("spanish21_simplicity", given, tmp_path_factory.mktemp("simplicity") / "out")


def table(report: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(report.folder / "tables" / f"{name}.parquet")


def test_the_frontier_is_that_of_the_package(report: runs.Manifest) -> None:
    classes = table(report, "classes").set_index("name")
    best = request.evaluate("spanish21", "s17_six_deck", strategy="total_dependent")
    assert classes.loc["chart", "house_edge"] == pytest.approx(best.house_edge, abs=1e-14)
    wizard = request.evaluate("spanish21", "s17_six_deck", strategy="wizard_s17")
    assert classes.loc["wizard_s17", "house_edge"] == pytest.approx(wizard.house_edge, abs=1e-14)
    exceptions = table(report, "exceptions")
    assert exceptions["cost"].is_monotonic_decreasing
    assert classes.loc["plain_and_3", "cost"] == pytest.approx(exceptions["cost"][2], abs=1e-14)


def test_it_has_its_figures_and_witnesses(report: runs.Manifest) -> None:
    names = {path.relative_to(report.folder).as_posix() for path in report.paths}
    assert {f"figures/{name}.png" for name in ("frontier", "plain_chart", "best_chart", "witnesses")} <= names
    assert list(table(report, "witnesses")["kind"])[:2] == ["exact", "simulated"]
    page = Path(report.folder / "spanish21_simplicity.html").read_text(encoding="utf-8")
    assert "Traceback" not in page
    assert "exceptions to learn first" in page
