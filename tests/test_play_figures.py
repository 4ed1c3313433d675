"""Figures of play: cards to print, differences of charts, heat maps, and what counting is worth."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from casinomath import catalog, cli, figures, request
from casinomath.cards import UPCARDS
from casinomath.errors import RequestError
from casinomath.figures.card import PAPERS, SMALLEST
from casinomath.strategy import Chart, Strategy
from casinomath.wording import rules_in_words

REDOUBLE = "h17_redouble_six_deck"


@pytest.fixture(scope="module")
def best() -> Strategy:
    return request.strategy("spanish21")


@pytest.fixture(scope="module")
def redoubled() -> Chart:
    return request.resolve("spanish21", strategy="wizard_h17_redouble").play  # type: ignore[return-value] # a chart


def drawn(figure: Figure) -> list[Text]:
    """Every text of a figure with letters in it."""
    found = [text for text in figure.findobj(Text) if isinstance(text, Text)]
    return [text for text in found if text.get_text().strip() and text.get_visible()]


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in drawn(figure)]


# --- Cards --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", PAPERS)
def test_a_card_is_one_page_on_which_everything_can_be_read(redoubled: Chart, paper: str) -> None:
    """Right size, no letter below five points, nothing beyond the margins, no code wider than its cell."""
    rules = request.resolve("spanish21", REDOUBLE).rules
    page = PAPERS[paper]
    figure = figures.strategy_card(redoubled, rules, "Spanish 21", paper)
    assert (figure.get_figwidth(), figure.get_figheight()) == pytest.approx((page.width, page.height))
    renderer = FigureCanvasAgg(figure).get_renderer()
    (axes,) = figure.axes
    (cell,) = {round(float(np.diff(mesh.get_coordinates()[0, :2, 0])[0]), 9) for mesh in axes.collections}
    for text in axes.texts:
        assert text.get_fontsize() >= SMALLEST
        box = text.get_window_extent(renderer).transformed(figure.dpi_scale_trans.inverted())
        assert box.x0 > page.margin - 0.02, text
        assert box.x1 < page.width - page.margin + 0.02, text
        assert box.y0 > page.margin / 2, text
        assert box.y1 < page.height, text
        if text.get_fontweight() == "bold" and text.get_ha() == "center":
            assert box.width < cell, text


def test_a_card_has_every_code_and_the_rules(best: Strategy) -> None:
    printed = texts(figures.strategy_card(best, best.rules))
    codes = [code for _, _, _, code in best.chart]
    assert set(codes) <= set(printed)
    said = " ".join(printed).replace("\N{NO-BREAK SPACE}", " ")
    for rule in rules_in_words(best.rules).split(" · "):
        assert rule in said
    assert "hit instead with that many cards or more" in said
    with pytest.raises(RequestError, match="unknown paper 'a5'; choices: a6, letter"):
        figures.strategy_card(best, best.rules, paper="a5")


@pytest.mark.parametrize(("name", "begins"), [("card.pdf", b"%PDF"), ("card.png", b"\x89PNG")])
def test_the_card_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, begins: bytes) -> None:
    path = tmp_path / name
    words = ["strategy", "spanish21", "--class", "composition_dependent"]
    assert cli.main([*words, "--card", str(path), "--paper", "letter"]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert path.read_bytes().startswith(begins)
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_figure_that_can_not_be_written_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It names the file that was asked for, and leaves nothing behind."""
    taken = tmp_path / "chart.png"
    taken.mkdir()
    assert cli.main(["strategy", "blackjack", "--figure", str(taken)]) == 2
    assert f"--figure {taken}: can't be written" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == [taken]


@pytest.mark.parametrize("words", [["--map", "ev"], ["--map", "hit"], ["--against", "wizard_h17"]])
def test_the_figures_of_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    path = tmp_path / "figure.png"
    given = ["strategy", "spanish21", "--class", "composition_dependent", "--figure", str(path)]
    assert cli.main([*given, *words]) == 0
    assert capsys.readouterr().out == f"{path}\n"
    assert path.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--card", "x.txt"], "--card x.txt: expected a name that ends in .png, .pdf, .svg"),
        (["--card", "x.pdf", "--paper", "a5"], "unknown paper 'a5'"),
        (["--paper", "a6"], "--paper a6: expected --card FILE with it"),
        (["--card", "x.pdf", "--json"], "expected one of --csv, --json, --figure and --card"),
        (["--map", "ev"], "--map ev: expected --figure FILE with it"),
        (["--figure", "x.pdf", "--map", "evs"], "unknown map 'evs' (did you mean 'ev'?)"),
        (["--figure", "x.pdf", "--map", "ev", "--against", "wizard_h17"], "expected one of --map and --against"),
        (["--against", "wizard_h17"], "--against wizard_h17: expected --figure FILE with it"),
    ],
)
def test_slips(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["strategy", "spanish21", *words]) == 2
    assert said in capsys.readouterr().err


# --- Differences --------------------------------------------------------------------------------------------


def test_a_difference_chart_shows_both_codes_where_charts_differ(best: Strategy) -> None:
    rules = best.rules
    tables = {table: {hand: dict(codes) for hand, codes in rows.items()} for table, rows in best.chart.tables.items()}
    tables["hard"]["12"]["3"] = "S"
    tables["pairs"]["9-9"]["7"] = "P"
    other = Chart("mine", tables)
    figure = figures.difference_chart(best, other, rules, ("best", "mine"))
    printed = texts(figure)
    assert "12" in printed
    assert "9-9" in printed
    assert "13" not in printed
    assert any("2 cells differ" in text for text in printed)
    said = figures.alt_text(figure)
    assert "hard 12 against 3: H or S" in said
    assert f"pairs 9-9 against 7: {best.chart.code('pairs', '9-9', '7')} or P" in said
    same = figures.difference_chart(best, best, rules)
    assert any("0 cells differ" in text for text in texts(same))


def test_differences_of_two_rule_sets_say_both(best: Strategy) -> None:
    s17 = request.resolve("spanish21", "s17_six_deck").rules
    other = request.resolve("spanish21", strategy="wizard_s17").play
    assert isinstance(other, Chart)
    figure = figures.difference_chart(best, other, best.rules, ("H17", "S17"), other_rules=s17)
    assert rules_in_words(s17) in " ".join(texts(figure))
    expected = len(best.chart.differences(other))
    assert any(f"{expected} cells differ" in text for text in texts(figure))


# --- Heat maps ----------------------------------------------------------------------------------------------


def test_the_ev_map_has_the_best_ev_of_two_cards(best: Strategy) -> None:
    figure = figures.ev_heatmap(best.frame, best.rules)
    printed = texts(figure)
    (cell,) = (cell for cell in best.cells if (cell.cards, cell.upcard, cell.doubles) == ("6 10", "6", 0))
    assert f"S {100 * max(cell.evs.values()):+.0f}".replace("-", "−") in printed
    assert len([text for text in printed if text[:2] in {"H ", "S ", "D ", "P ", "R "}]) >= 10 * 54


def test_the_cost_map_costs_nothing_where_the_action_is_best(best: Strategy) -> None:
    printed = texts(figures.cost_heatmap(best.frame, "hit", best.rules))
    letters = [text for text in printed if text[:2] in {"H ", "S ", "D ", "P ", "R "}]
    assert letters
    assert {text for text in letters if text.startswith("H ")} == {"H 0"}
    assert not [text for text in letters if not text.startswith("H ") and text.endswith(" 0")]
    with pytest.raises(RequestError, match=r"unknown action 'hitt' \(did you mean 'hit'\?\)"):
        figures.cost_heatmap(best.frame, "hitt", best.rules)


@pytest.mark.parametrize("draw", [figures.gap_heatmap, figures.ev_heatmap])
def test_letters_on_heat_maps_can_be_read_in_greyscale(draw: object, best: Strategy) -> None:
    """Each letter stands out from its cell by a contrast of 3.5; the guidelines want 3 of large letters."""
    figure = draw(best.frame, best.rules)  # type: ignore[operator] # a figure's function
    compared = 0
    for axes in figure.axes[:2]:
        meshes = [mesh for mesh in axes.collections if mesh.get_array() is not None]
        for mesh in meshes:
            colours = mesh.to_rgba(mesh.get_array().ravel())[:, :3]
            coordinates = mesh.get_coordinates()
            top, rows = int(coordinates[0, 0, 1]), coordinates.shape[0] - 1
            for text in axes.texts:
                x, y = text.get_position()
                if not (text.get_text()[1:2] == " " and top <= y < top + rows and x >= 0):
                    continue
                colour = colours[(int(y) - top) * len(UPCARDS) + int(x)]
                assert contrast(colour, to_rgb(text.get_color())) > 3.5
                compared += 1
    assert compared > 400


def contrast(one: "np.ndarray | tuple[float, ...]", other: "np.ndarray | tuple[float, ...]") -> float:
    """The ratio of two colours' luminances, as the accessibility guidelines define it."""
    lights = sorted(luminance(np.asarray(colour)) for colour in (one, other))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


def luminance(colour: np.ndarray) -> float:
    linear = np.where(colour <= 0.04045, colour / 12.92, ((colour + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


# --- Counting -----------------------------------------------------------------------------------------------

BY_COUNT = pd.DataFrame(
    {
        "true_count": [-5, -4, -3],
        "frequency": [0.25, 0.5, 0.25],
        "edge": [-0.01, -0.004, 0.002],
        "stderr": [0.001, 0.001, 0.002],
        "bet": [1, 1, 4],
    }
)
EXACT = pd.DataFrame(
    {"true_count": [-7, -4, -1], "ev_fixed": [-0.02, -0.006, 0.01], "ev_best_play": [-0.018, -0.006, 0.012]}
)


def test_figures_of_counting_say_what_they_show() -> None:
    rules = catalog.rules("spanish21", None, request.game("spanish21").Rules)
    edges = figures.edge_by_count(BY_COUNT, EXACT, rules)
    assert "-3: +0.20% ± 0.20%" in figures.alt_text(edges)
    shares = figures.count_distribution(BY_COUNT, rules)
    assert "-4: 50.00%, 1 units" in figures.alt_text(shares)
    plays = pd.DataFrame(
        [
            ("16", "2", "10", "hit", "surrender", "at or above", -1.75),
            ("13", "3", "6", "stand", "hit", "at or below", -4.76),
            ("13", "3", "6", "stand", "double", "at or above", 9.0),
            ("6-6", "2", "3", "hit", "split", "at or above", -3.95),
            ("A-7", "2", "2", "stand", "hit", "at or below", -6.0),
        ],
        columns=["hand", "cards", "upcard", "usual", "instead", "when", "index"],
    )
    chart = figures.index_chart(plays, rules)
    printed = texts(chart)
    assert "R ≥ −1.8" in printed
    assert "H ≤ −4.8" in printed
    assert not [text for text in printed if text.startswith("D ")]  # the less valuable one of two
    hands = [text for text in printed if text in {"13, 3 cards", "16", "A-7", "6-6"}]
    assert hands == ["13, 3 cards", "16", "A-7", "6-6"]
    assert json.dumps(figures.alt_text(chart))
