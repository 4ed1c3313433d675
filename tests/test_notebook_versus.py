"""The report from blackjack to Spanish 21 begins and ends with the games themselves."""

import re

import pandas as pd
import pytest

from casinomath import request, runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {
        "decks": "8",
        "dealer_hits_soft_17": "false",
        "order": "rescue",
        "spanish21_rules": "s17_six_deck",
        "rounds": 200_000,
    }
    return runs.report("spanish21_versus_blackjack", given, tmp_path_factory.mktemp("versus") / "out")


def table(report: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(report.folder / "tables" / f"{name}.parquet")


def test_its_ends_are_the_games(report: runs.Manifest) -> None:
    steps = table(report, "steps")
    assert steps["part"].iloc[1] == "rescue"
    blackjack = request.evaluate("blackjack", "s17_eight_deck", change={"late_surrender": False})
    assert steps["house_edge"].iloc[0] == pytest.approx(blackjack.house_edge)
    assert steps["house_edge"].iloc[-1] == pytest.approx(request.evaluate("spanish21", "s17_eight_deck").house_edge)
    without_tens = table(report, "the_tens").set_index("ending").loc["blackjack"]
    # 32 aces and 128, 96 ten-valued cards; a push with the dealer's blackjack is none
    assert without_tens["probability_with tens"] < 2 * 32 * 128 / (416 * 415)
    assert without_tens["probability_without"] < 2 * 32 * 96 / (384 * 383) < without_tens["probability_with tens"]


def test_three_witnesses_agree(report: runs.Manifest) -> None:
    told = table(report, "witnesses")
    assert set(told["kind"]) == {"exact", "simulated", "published"}
    assert told["agrees"].all()


def test_every_figure_is_described(report: runs.Manifest) -> None:
    page = next(report.folder.glob("*.html")).read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 3
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)
