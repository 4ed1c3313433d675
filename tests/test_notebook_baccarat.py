"""The report on baccarat says what the package says."""

import re
from pathlib import Path

import pandas as pd
import pytest

from casinomath import request, runs


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> runs.Manifest:
    given = {"rounds": 100_000, "decks": "6", "dragon_paytable": "usual"}
    return runs.report("baccarat", given, tmp_path_factory.mktemp("baccarat") / "out")


def table(report: runs.Manifest, name: str) -> pd.DataFrame:
    return pd.read_parquet(report.folder / "tables" / f"{name}.parquet")


def test_bets_cost_what_the_package_says(report: runs.Manifest) -> None:
    costs = table(report, "costs").set_index("bet")
    for bet in ("player", "banker", "tie", "both"):
        assert costs.loc[bet, "house_edge"] == request.evaluate(f"baccarat:{bet}", change={"decks": 6}).house_edge
    dragon = request.evaluate("dragon_bonus:banker", "six_deck")
    assert costs.loc["Dragon Bonus, banker", "house_edge"] == dragon.house_edge
    assert table(report, "margins")["probability"].sum() == pytest.approx(1)
    for _, sheet in table(report, "dragon_bonus").groupby("hand"):
        assert sheet["combinations"].iloc[:-1].sum() == sheet["combinations"].iloc[-1]


def test_no_card_matters_much_and_all_together_not_at_all(report: runs.Manifest) -> None:
    effects = table(report, "effects_of_removal")
    means = (effects["effect"] * effects["cards"]).groupby(effects["bet"]).sum() / (52 * 6)
    assert means.abs().max() < 1e-12
    assert effects[effects["bet"] == "baccarat:player"]["effect"].abs().max() < 0.0002


def test_three_witnesses_agree(report: runs.Manifest) -> None:
    assert table(report, "measures")["standard_errors"].abs().max() < 4
    told = table(report, "published")
    assert (told["agrees"] | (told["remarks"] != "")).all()
    assert (~told["agrees"]).sum() == 1


def test_every_figure_is_described(report: runs.Manifest) -> None:
    page = next(report.folder.glob("*.html")).read_text(encoding="utf-8")
    images = re.findall(r"<img[^>]*>", page)
    assert len(images) == 9
    assert all(re.search(r'alt="[^"]{40,}"', image) for image in images)


def test_what_makes_no_sense_is_refused_before_anything_runs(tmp_path: Path) -> None:
    with pytest.raises(request.RequestError, match=r"commission is 1\.5"):
        runs.report("baccarat", {"commission": "1.5"}, tmp_path / "out")
