"""The report on dice and the wheel says what the package says."""

import re
from fractions import Fraction
from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs
from casinomath.errors import RequestError


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": 60_000, "odds": "10x", "wheel": "single_zero", "second_zero": "loses"}
    return runs.report("dice_and_wheel", given, tmp_path_factory.mktemp("dice") / "out")


def table(manifest: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(manifest.folder / "tables" / f"{name}.parquet")


def test_the_chain_that_is_taught_is_the_one_that_prices(report: runs.Manifest) -> None:
    solved = table(report, "line_solution").set_index("from")
    passed = request.evaluate("craps:pass")
    won, lost, rolls, _ = solved.loc["come-out"]
    assert float(won) - float(lost) == pytest.approx(passed.ev, abs=1e-15)
    assert float(rolls) == pytest.approx(passed.details["expected_rolls"], abs=1e-15)
    assert float(Fraction(244, 495)) == pytest.approx(float(won), abs=1e-15)
    assert float(solved["visits"].astype(float).sum()) == pytest.approx(float(rolls))


def test_costs_are_those_of_the_package(report: runs.Manifest) -> None:
    costs = table(report, "craps_costs").set_index("bet")
    for bet in ("dont pass", "lay 4", "world", "hard 6"):
        exact = request.evaluate(f"craps:{bet.replace(' ', '_')}")
        row = costs.loc[bet]
        assert [row["house_edge"], row["exact_EV"]] == [exact.house_edge, str(exact.ev_exact)]
        assert row["per_roll"] == exact.details["house_edge_per_roll"]
    assert costs["house_edge"].is_monotonic_increasing
    behind = table(report, "odds").set_index(["bet", "odds"])
    assert behind.loc[("pass", "10x"), "element_of_risk"] == request.evaluate("craps", "odds_10x").element_of_risk


def test_bonus_bets_and_the_wheel_are_those_of_the_package(report: runs.Manifest) -> None:
    bonus = table(report, "bonus_craps").set_index("bet")
    assert bonus.loc["make em all", "house_edge"] == request.evaluate("bonus_craps:make_em_all").house_edge
    rolls = table(report, "bonus_rolls").groupby("name")[["exact", "simulated"]].sum()
    assert rolls.to_numpy() == pytest.approx(1, abs=1e-3)
    fire = table(report, "fire_bet").set_index("event")
    assert fire.loc["all", "return"] == request.evaluate("fire_bet").ev
    wheel = table(report, "roulette").set_index(["bet", "wheel"])["ev_exact"]
    assert wheel["en prison, then loses", "single zero"] == "-19/1369"


def test_it_has_three_witnesses(report: runs.Manifest) -> None:
    measures = table(report, "measures")
    assert measures["bet"].nunique() > 45
    assert measures["standard_errors"].abs().max() < 4.5
    published = table(report, "published")
    assert list(published.loc[~published["agrees"], "published"]) == ["5.57%", "1.35%"]  # errata, both of them
    lengths = table(report, "lengths")
    assert lengths["simulated_rolls"].to_numpy() == pytest.approx(lengths["expected_rolls"].to_numpy(), rel=0.03)


def test_its_page_opens_offline_and_its_figures_are_described(report: runs.Manifest) -> None:
    page = (report.folder / "dice_and_wheel.html").read_text(encoding="utf-8")
    assert "<script" not in page
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 10
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)


def test_parameters_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    for name, value in (("odds", "plenty"), ("wheel", "no_zero"), ("fire_paytable", "nine_points"), ("fee", "never")):
        with pytest.raises(RequestError, match=name.partition("_")[0]):
            runs.report("dice_and_wheel", {name: value}, tmp_path / "out")
