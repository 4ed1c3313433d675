"""The report on the side bets of blackjack says what the package says."""

import re
from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": 100_000, "shoes": "2,6", "meter": 60_000}
    return runs.report("blackjack_side_bets", given, tmp_path_factory.mktemp("side_bets") / "out")


def table(report: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(report.folder / "tables" / f"{name}.parquet")


def test_bets_cost_what_the_package_says(report: runs.Manifest) -> None:
    costs = table(report, "costs").set_index("bet")["house_edge"]
    assert costs["Lucky Ladies"] == request.evaluate("lucky_ladies").house_edge
    assert costs["21+3"] == request.evaluate("trilux", "twenty_one_plus_three").house_edge
    assert costs["TriLux Progressive"] == request.evaluate("trilux", "progressive", meter=60_000).house_edge < 0
    assert costs["Push 22"] == request.evaluate("push_22").house_edge
    assert costs["insurance"] == request.evaluate("insurance", "standard_six_deck").house_edge


def test_pay_tables_are_compared_across_decks(report: runs.Manifest) -> None:
    ladies = table(report, "lucky_ladies_tables")
    assert ladies[ladies["printed"]][["paytable", "decks"]].to_numpy().tolist() == [["six_deck", 6], ["two_deck", 2]]
    push = table(report, "push_22_tables").set_index(["table", "decks"])["house_edge"]
    assert push["S17: eleven to one", 6] > push["H17: eleven to one", 6]
    meters = table(report, "progressive_by_meter")
    assert (meters[meters["decks"] == "2 decks"]["ev"].nunique(), len(meters)) == (1, 26)


def test_lucky_stiff_is_priced_by_what_the_hand_is_played_for(report: runs.Manifest) -> None:
    edges = table(report, "lucky_stiff_tables").set_index(["table", "decks"])["house_edge"]
    assert edges["for the main bet", 6] == request.evaluate("lucky_stiff").house_edge
    assert edges["for Lucky Stiff", 2] < edges["for both bets", 2] < edges["for the main bet", 2]
    assert edges["for the main bet, surrender", 6] > 2 * edges["for the main bet", 6]
    changes = table(report, "lucky_stiff_changes")
    assert (changes["gain"] > 0).all()
    assert ("6 10", "10") in set(zip(changes["hand"], changes["upcard"], strict=True))


def test_a_pay_table_without_a_meter_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(request.RequestError, match="bonus_1 pays no share of a meter"):
        runs.report("blackjack_side_bets", {"progressive_paytable": "bonus_1"}, tmp_path / "out")


def test_three_witnesses_agree(report: runs.Manifest) -> None:
    assert table(report, "measures")["standard_errors"].abs().max() < 4
    told = table(report, "published")
    assert len(told) > 50
    wrong = told[~told["agrees"]]
    assert set(wrong["bet"]) == {"push 22"}
    assert wrong["rules"].str.contains("stands on soft 17").all()
    effects = table(report, "effects_of_removal")
    assert (effects["effect"] * effects["probability"]).groupby(effects["bet"]).sum().abs().max() < 1e-12


def test_every_figure_is_described(report: runs.Manifest) -> None:
    page = next(report.folder.glob("*.html")).read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 10
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)


def test_what_makes_no_sense_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(request.RequestError, match="unknown pay table of push_22: 'eleven'"):
        runs.report("blackjack_side_bets", {"push_22_paytable": "eleven"}, tmp_path / "out")
