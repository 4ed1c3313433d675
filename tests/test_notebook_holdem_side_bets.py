"""The report on the side bets of hold'em games says what the package says."""

import re
from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": 60_000, "trips_paytable": "a", "seats": "2", "wager_on": "both", "meter": "20000"}
    return runs.report("holdem_side_bets", given, tmp_path_factory.mktemp("holdem") / "out")


def table(report: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(report.folder / "tables" / f"{name}.parquet")


def test_bets_cost_what_the_package_says(report: runs.Manifest) -> None:
    costs = table(report, "costs").set_index("bet")
    trips = request.evaluate("ultimate_texas_holdem:trips", paytable="a")
    assert costs.loc["Trips", "house_edge"] == trips.house_edge
    assert costs.loc["Trips", "exact_EV"] == str(trips.ev_exact)
    both = request.evaluate(
        "texas_holdem_bonus:five_card_hand_bonus",
        "both",
        change={"magic_card_frequency": 0.2, "lucky_bonus_frequency": 0.2},
        meter=20_000,
    )
    assert costs.loc["Five Card Hand Bonus", "house_edge"] == both.house_edge
    for bet, sheet in table(report, "sheets").groupby("bet"):
        assert sheet["probability"].iloc[:-1].sum() == pytest.approx(1), bet
    assert table(report, "two_hands")["combinations"].sum() == 2_781_381_002_400


def test_break_even_points_are_fair(report: runs.Manifest) -> None:
    meters = table(report, "meters").set_index("meter")
    rules = {"seats": 2, "other_players": 5, "major": meters.loc["major", "breakeven"], "minor": 10_000.0}
    fair = request.evaluate("ultimate_texas_holdem:five_card_progressive", change=rules)
    assert fair.ev == pytest.approx(0, abs=1e-12)


def test_three_witnesses_agree(report: runs.Manifest) -> None:
    assert table(report, "measures")["standard_errors"].abs().max() < 4
    assert table(report, "published")["agrees"].all()


def test_every_figure_is_described(report: runs.Manifest) -> None:
    page = next(report.folder.glob("*.html")).read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 5
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"seats": "30"}, "seats is 30"),
        ({"meter": "-1"}, "meter is -1"),
        ({"progressive_paytable": "pennsylvania"}, "major is 100000.0, expected it as the meter"),
        ({"trips_paytable": "e"}, "unknown pay table of trips: 'e'"),
    ],
)
def test_what_makes_no_sense_is_refused_before_anything_runs(given: dict[str, str], told: str, tmp_path: Path) -> None:
    with pytest.raises(request.RequestError, match=re.escape(told)):
        runs.report("holdem_side_bets", given, tmp_path / "out")
