"""Figures say everything in print, keep their sense in greyscale, and show the numbers they were given."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.text import Text

from casinomath import figures, request
from casinomath.cards import UPCARDS
from casinomath.games import spanish21
from casinomath.returns import Returns
from casinomath.strategy import Chart, Strategy
from casinomath.witnesses import Witness
from casinomath.wording import event_in_words, rules_in_words

RULES = spanish21.Rules()


def texts(figure: Figure) -> list[str]:
    return [text.get_text() for text in figure.findobj(Text) if text.get_text()]


def words(figure: Figure) -> str:
    return " ".join(" ".join(texts(figure)).split())


def luminance(colour: str) -> float:
    """Relative luminance. Source: WCAG 2.2, relative luminance in sRGB."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(colour)]
    return float(np.dot((0.2126, 0.7152, 0.0722), linear))


def contrast(one: str, other: str) -> float:
    """Contrast ratio, 1 to 21. Source: WCAG 2.2, contrast ratio."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lightness(colour: str) -> float:
    """CIE L*, 0 to 100, from relative luminance."""
    return 116 * float(np.cbrt(luminance(colour))) - 16


@pytest.fixture(scope="module")
def best() -> Strategy:
    return request.strategy("spanish21")


@pytest.fixture(scope="module")
def returns() -> Returns:
    return request.evaluate("spanish21")


# --- The strategy chart -----------------------------------------------------------------------------------------------


def chart(**tables: dict[str, str]) -> Chart:
    """A chart with the same code against every upcard."""
    whole = {
        table: {hand: dict.fromkeys(UPCARDS, code) for hand, code in hands.items()} for table, hands in tables.items()
    }
    return Chart("made up", whole)


def test_every_code_stands_in_its_cell(best: Strategy) -> None:
    printed = texts(figures.strategy_chart(best, RULES, "The best play"))
    rows = {
        table: {tuple(codes.get(upcard, "") for upcard in UPCARDS) for codes in hands.values()}
        for table, hands in best.chart.tables.items()
    }
    assert rows
    for table, hands in best.chart.tables.items():
        alike: list[tuple[str, ...]] = []
        for codes in hands.values():
            row = tuple(codes.get(upcard, "") for upcard in UPCARDS)
            if table == "pairs" or not alike or alike[-1] != row:
                alike.append(row)
        for row in alike:  # a row's codes are drawn one after the other
            assert "\n".join(code for code in row if code) in "\n".join(printed)
    assert {"The best play", "Hard", "Soft", "Pairs", "Hard, after a double"} <= set(printed)
    assert printed.count("10") >= 5  # an upcard of every table, and hard 10
    assert rules_in_words(RULES) in words(figures.strategy_chart(best, RULES))


def test_hands_that_are_played_alike_share_a_row_but_pairs() -> None:
    made = chart(hard={"4": "H", "5": "H", "6": "H", "7": "D"}, pairs={"2-2": "P", "3-3": "P"})
    printed = texts(figures.strategy_chart(made, RULES))
    assert "4 – 6" in printed
    assert {"7", "2-2", "3-3"} <= set(printed)


def test_the_legend_explains_what_occurs_and_nothing_else() -> None:
    drawn = texts(figures.strategy_chart(chart(hard={"10": "D", "17": "S"}), RULES))
    plain = [text for text in drawn if " · " not in text]  # all but the rules in force
    assert "double" in plain
    assert "stand" in plain
    for absent in ("split", "surrender", "hit", "6-7-8", "redouble", "suited 7-7"):
        assert absent not in " ".join(plain)
    full = chart(
        hard={"14": "S4*", "15": "S5'", "16": "RH", "17": "RS6", "18": 'S6"'},
        pairs={"7-7": "P$"},
        after_double_hard={"11": "D", "16": "R"},
        after_2_doubles_soft={"A-2": "S"},
    )
    said = words(figures.strategy_chart(full, RULES))
    for present in (
        *("4 5 6 hit instead with that many cards or more", "surrender; after a double: rescue"),
        *("after a double: redouble", "a hand that can't surrender plays H", "a hand that can't surrender plays S6"),
        *("* hit two cards", "' hit two cards of one suit", '" hit two spades', "$ hit suited 7-7"),
        *("Hard, after a double", "Soft, after 2 doubles"),
    ):
        assert present in said


def test_actions_can_be_told_apart_in_greyscale_and_their_letters_read() -> None:
    for one, other in combinations(figures.ACTIONS.values(), 2):
        assert abs(lightness(one.cell) - lightness(other.cell)) >= 10, (one.word, other.word)
    for action in figures.ACTIONS.values():
        assert contrast(action.cell, action.ink) >= 4.5, action.word  # WCAG 2.2 AA


# Source: Machado, Oliveira and Fernandes (2009), severity 1, in linear RGB.
COLOUR_BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


@pytest.mark.parametrize("kind", COLOUR_BLIND)
def test_actions_can_be_told_apart_by_the_colour_blind(kind: str) -> None:
    seen = {}
    for action in figures.ACTIONS.values():
        linear = np.array([c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(action.cell)])
        simulated = np.clip(np.array(COLOUR_BLIND[kind]) @ linear, 0, 1)
        seen[action.word] = 116 * np.cbrt(np.dot((0.2126, 0.7152, 0.0722), simulated)) - 16
    for one, other in combinations(seen, 2):
        assert abs(seen[one] - seen[other]) >= 8, (one, other)


# --- Other figures ----------------------------------------------------------------------------------------------------


def test_the_heat_map_has_every_two_card_hand_with_its_play_and_gap(best: Strategy) -> None:
    figure = figures.gap_heatmap(best.frame.query("doubles == 0"), RULES)
    printed = texts(figure)
    assert {"16 = 7+9", "16 = 6+10", "A-7", "8-8", "A-A", "10-10"} <= set(printed)
    (cell,) = best.find("7 9", "10")
    assert f"{cell.action[0].upper()} {100 * cell.gap:.1f}" in printed
    assert "% of the initial wager" in words(figure)
    assert rules_in_words(RULES) in words(figure)


def test_where_suits_matter_the_heat_map_shows_their_mean() -> None:
    """Two suits of 6-7, dealt three times as often the one as the other: the mean gap, the commoner play."""
    rows = [
        (hand, cards, suits, upcard, action, gap, frequency)
        for upcard in UPCARDS
        for hand, cards, suits, action, gap, frequency in (
            ("13", "6 7", "mixed", "stand", 0.20, 0.03),
            ("13", "6 7", "spades", "hit", 0.60, 0.01),
            ("8-8", "8 8", "", "split", 0.5, 0.01),
            ("A-7", "A 7", "", "stand", 0.004, 0.01),
        )
    ]
    frame = pd.DataFrame(rows, columns=["hand", "cards", "suits", "upcard", "action", "gap", "frequency"])
    printed = texts(figures.gap_heatmap(frame, RULES))
    assert printed.count("S 30") == len(UPCARDS)
    assert printed.count("P 50") == printed.count("S 0.40") == len(UPCARDS)


def test_the_breakdown_draws_every_ending_to_scale_and_sums_to_the_ev(returns: Returns) -> None:
    figure = figures.breakdown(returns)
    bars = figure.axes[0].patches
    widths = [bar.get_width() for bar in bars]
    assert sorted(widths[:-1]) == pytest.approx(sorted(100 * event.returned for event in returns.events))
    assert sum(widths[:-1]) == pytest.approx(widths[-1]) == pytest.approx(100 * returns.ev)
    printed = texts(figure)
    assert {event_in_words(event.event) for event in returns.events} <= set(printed)
    assert f"{100 * returns.ev:+.4f}".replace("-", "−") in printed
    assert "% of the initial wager" in words(figure)


def test_witnesses_stand_where_they_say_with_their_intervals() -> None:
    seen = [
        Witness("exact", "exact", 0.0078, 0.0078, 0.0078, "0.7800%", agrees=True, remarks=""),
        Witness("simulated", "simulated", 0.0080, 0.0075, 0.0085, "0.8000%", agrees=True, remarks=""),
        Witness("published", "somebody", 0.009, 0.0085, 0.0095, "0.9%", agrees=False, remarks=""),
    ]
    figure = figures.witness_lines(seen, RULES)
    drawn = [tuple(np.round(line.get_xdata(), 9)) for line in figure.axes[0].lines]
    for witness in seen:
        assert (round(100 * witness.low, 9), round(100 * witness.high, 9)) in drawn
        assert (round(100 * witness.house_edge, 9),) in drawn
        assert {witness.name, witness.printed} <= set(texts(figure))
        assert witness.name in figures.alt_text(figure)
    marks = {line.get_marker() for line in figure.axes[0].lines}
    assert {"D", "o", "s"} <= marks  # kinds differ by more than colour


# --- Bets, rules and decks side by side -------------------------------------------------------------------------------

BETS = pd.DataFrame({"bet": ["one", "two"], "house_edge": [0.03, -0.01], "hits": ["15.4", ""]})
LINES = pd.DataFrame(
    [("S17", 2, 0.18), ("S17", 6, 0.36), ("H17", 6, 0.78), ("H17", 2, 0.58), ("none", 2, np.nan)],
    columns=["rules", "decks", "edge"],
)
GRID = pd.DataFrame(
    [("two_deck", 2, 0.03628, True), ("two_deck", 4, -0.1251, False), ("four_deck", 2, 0.14155, False)],
    columns=["paytable", "decks", "house_edge", "printed"],
)
CHANGES = pd.DataFrame({"change": ["no surrender", "dealer stands"], "change_in_house_edge": [0.00018, -0.0041]})
REMOVED = pd.DataFrame({"card": ["A", "5", "10"], "effect_per_deck": [-0.0085, 0.0074, 0.0]})
CODES = pd.DataFrame({"decision": ["hard 10 against 2", "pairs 8-8 against A"], "2": ["D", "H"], "6": ["D5", "R"]})
AWAY = pd.DataFrame(
    [("a", "house_edge", -1.5), ("a", "stdev", 0.5), ("b", "house_edge", 5.25), ("b", "stdev", np.nan)],
    columns=["bet", "measure", "standard_errors"],
)
QUANTILES = pd.DataFrame(
    [("worth", -1.2, -1.0, -3.0, 0.0), ("worth", 1.5, 1.0, 0.0, 3.0), ("met", 0.25, 0.0, -2.0, 2.0)],
    columns=["of", "standard_errors", "expected", "low", "high"],
)
GROWING = pd.DataFrame(
    [(1000, 0.02, -0.01, 0.05, 0.012, 0.03), (100_000, 0.0085, 0.0055, 0.0115, 0.0005, 0.003)],
    columns=["rounds", "house_edge", "low", "high", "distance", "reach"],
)
ENDED = pd.DataFrame(
    [("1 hour", -15.0, -5.0, 0.5, 0.4), ("1 hour", -5.0, 5.0, 0.2, 0.3), ("4 hours", 5.0, 15.0, 1.0, 0.9)],
    columns=["session", "low", "high", "share", "normal"],
)
BANDS = pd.DataFrame(
    [(1.0, -3.0, -98.0, 92.0, -97.5, 90.0), (4.0, -11.0, -201.0, 180.0, -202.5, 182.5)],
    columns=["hours", "expected", "low", "high", "simulated_low", "simulated_high"],
)
PATHS = pd.DataFrame({"one": [5.0, -20.0], "two": [0.0, 35.0]}, index=pd.Index([1.0, 4.0], name="hours"))


def test_bars_are_to_scale_with_their_numbers_beside_them() -> None:
    figure = figures.bars(BETS, RULES, "Costs", "house_edge", "house edge, %", {"hits": "hits, %"})
    assert [bar.get_width() for bar in figure.axes[0].patches] == pytest.approx([3, -1])
    assert {"one", "two", "3.000", "−1.000", "15.4", "hits, %", "house edge, %"} <= set(texts(figure))
    assert "one 3.000%; two -1.000%" in figures.alt_text(figure)


def test_curves_run_through_their_points_and_are_named_at_their_ends() -> None:
    labels = ("decks", "house edge, %")
    figure = figures.curves(LINES, RULES, "By decks", labels, uprights={"here": 3.0, "there": 3.1})
    lines = {tuple(line.get_xydata().ravel()) for line in figure.axes[0].lines}
    assert {(2, 0.18, 6, 0.36), (2, 0.58, 6, 0.78)} <= lines
    assert {"S17", "H17", "decks", "house edge, %"} <= set(texts(figure))
    assert "none" not in texts(figure)
    heights = [text.get_position()[1] for text in figure.axes[0].texts if text.get_text().strip() in ("here", "there")]
    assert abs(heights[0] - heights[1]) > 0.05  # their words don't cover each other
    assert "S17 from 0.18 at 2 to 0.36 at 6; H17 from 0.58 at 2 to 0.78 at 6" in figures.alt_text(figure)


def test_names_at_the_ends_of_lines_keep_apart_and_in_order() -> None:
    close = pd.DataFrame(
        [(f"line {n}", x, 0.5 + n / 1000) for n in range(7) for x in (0, 1)], columns=["name", "x", "y"]
    )
    axes = figures.curves(close, RULES, "Close", ("x", "y"), marks=False).axes[0]
    heights = [text.get_position()[1] for text in axes.texts if text.get_text().startswith("line")]
    low, high = axes.get_ylim()
    steps = np.diff(sorted(heights)) / (high - low)
    assert heights == sorted(heights)
    assert steps.min() > 0.05
    assert max(heights) <= high + 1e-12


def test_lines_differ_by_more_than_their_colours() -> None:
    assert len({mark for _, mark, _ in figures.SERIES}) == len(figures.SERIES)
    assert len({dashes for _, _, dashes in figures.SERIES}) == len(figures.SERIES)


def test_the_grid_frames_what_is_printed_and_hatches_what_favours_the_player() -> None:
    figure = figures.edge_grid(GRID, RULES, "By pay table", ("pay table", "decks"))
    cells = [patch for patch in figure.axes[0].patches if patch.get_fill()]
    frames = [patch for patch in figure.axes[0].patches if not patch.get_fill()]
    assert len(cells) == 3
    assert len(frames) == 1
    assert [patch.get_xy() for patch in cells if patch.get_hatch()] == [(1, 0)]
    assert {"3.628", "−12.510", "14.155", "two_deck", "four_deck", "pay table", "decks"} <= set(texts(figure))
    shades = [lightness(to_hex(patch.get_facecolor())) for patch in cells]
    assert shades[2] < shades[0] < shades[1]  # darker where the house edge is larger
    assert "two_deck at 2 3.63%" in figures.alt_text(figure)


def test_the_tornado_has_the_largest_change_on_top() -> None:
    figure = figures.tornado(CHANGES, RULES)
    bars = figure.axes[0].patches
    assert [bar.get_width() for bar in bars] == pytest.approx([-0.41, 0.018])
    assert bars[0].get_y() < bars[1].get_y()
    assert figure.axes[0].yaxis_inverted()
    assert {"−0.4100", "+0.0180", "no surrender"} <= set(texts(figure))
    assert "percentage points" in words(figure)


def test_effects_of_removal_stand_with_published_ones() -> None:
    figure = figures.removal(REMOVED.assign(published=[-0.0099, np.nan, np.nan]), RULES)
    assert [bar.get_height() for bar in figure.axes[0].patches] == pytest.approx([-0.85, 0.74, 0])
    assert {"A", "5", "10", "−0.850", "+0.740", "0", "published"} <= set(texts(figure))
    marks = [line for line in figure.axes[0].lines if line.get_label() == "published"]
    assert np.nanmax(np.abs(marks[0].get_ydata())) == pytest.approx(0.99)
    assert "published" not in texts(figures.removal(REMOVED, RULES))


def test_changed_cells_have_their_codes_and_a_legend() -> None:
    printed = texts(figures.chart_changes(CODES, RULES))
    assert {"hard 10 against 2", "D", "D5", "H", "R", "2", "6", "decks"} <= set(printed)
    assert "hit instead with so many cards or more" in printed
    assert "split" not in printed
    assert texts(figures.chart_changes(CODES.iloc[:0], RULES))  # no cell need change


def test_standard_errors_are_marked_and_the_farthest_is_told() -> None:
    figure = figures.agreement(AWAY, RULES)
    drawn = {line.get_label(): line for line in figure.axes[0].lines}
    assert drawn["house edge"].get_xdata().tolist() == [-1.5, 5.25]
    assert drawn["standard deviation"].get_xdata().tolist() == [0.5]
    assert drawn["house edge"].get_marker() != drawn["standard deviation"].get_marker()
    assert figure.axes[0].get_xlim()[1] > 5.25
    assert "3 figures of 2 bets in standard errors; the farthest is 5.25 away" in figures.alt_text(figure)


def test_quantiles_stand_where_the_normal_law_expects_them() -> None:
    figure = figures.quantiles(QUANTILES, RULES)
    worth, met = figure.axes
    marks = [line for line in worth.lines if line.get_linestyle() == "None"]
    assert marks[0].get_xydata().tolist() == [[-1.0, -1.2], [1.0, 1.5]]
    assert marks[0].get_marker() != met.lines[-1].get_marker()
    assert [0.0, 3.0] in [list(line.get_ydata()) for line in worth.lines]
    assert {"worth", "met", "simulated less exact, standard errors"} <= set(texts(figure))
    assert worth.get_xlim() == worth.get_ylim() == met.get_xlim()
    said = "worth, 2 differences from -1.20 to +1.50 where -1.00 to +1.00 are expected; met, 1 differences"
    assert said in figures.alt_text(figure)


def test_convergence_shows_the_interval_close_in() -> None:
    figure = figures.convergence(GROWING, 0.008, RULES)
    left, right = figure.axes
    drawn = {line.get_label(): line for line in (*left.lines, *right.lines)}
    assert drawn["simulated, with its interval of 95%"].get_ydata() == pytest.approx([2, 0.85])
    assert drawn["exact"].get_ydata() == pytest.approx([0.8, 0.8])
    assert drawn["distance from the exact one"].get_ydata() == pytest.approx([1.2, 0.05])
    assert drawn["reach of the interval of 95%"].get_ydata() == pytest.approx([3, 0.3])
    assert {left.get_xscale(), right.get_xscale(), right.get_yscale()} == {"log"}
    assert {"rounds", "house edge, % of the initial wager", "percentage points"} <= set(texts(figure))
    assert "to 0.8500% between 0.5500% and 1.1500% after 100,000; exact 0.8000%" in figures.alt_text(figure)


def test_sessions_are_drawn_to_scale_with_the_normal_law_beside_them() -> None:
    figure = figures.session_results(ENDED, RULES)
    hour, hours = figure.axes
    assert [bar.get_height() for bar in hour.patches] == pytest.approx([50, 20])
    assert [bar.get_width() for bar in hour.patches] == pytest.approx([10, 10])
    assert hour.lines[0].get_ydata() == pytest.approx([40, 30])
    assert {"1 hour", "4 hours", "sessions, %", "won or lost, dollars"} <= set(texts(figure))
    lost, even = (lightness(to_hex(bar.get_facecolor())) for bar in hour.patches)
    (won,) = (lightness(to_hex(bar.get_facecolor())) for bar in hours.patches)
    assert won + 10 < lost < even - 10
    assert "1 hour from -15 to 5 dollars, most often between -15 and -5" in figures.alt_text(figure)


def test_the_fan_has_bands_by_formula_and_by_sessions_and_the_bankroll() -> None:
    axes = figures.fan(BANDS, PATHS, 100.0, RULES).axes[0]
    drawn = {line.get_label(): list(line.get_ydata()) for line in axes.lines}
    assert drawn["expected"] == [-3, -11]
    assert drawn["95% by sessions played"] == [-97.5, -202.5]
    assert drawn["the bankroll is lost"] == [-100, -100]
    assert [0.0, 35.0] in [list(line.get_ydata()) for line in axes.lines]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("hours", "won or lost, dollars")
    said = figures.alt_text(figures.fan(BANDS, PATHS, 100.0, RULES))
    assert "after 4 hours -11 dollars are expected" in said
    assert "-201 and +180 by the normal law, -202 and +182 by sessions played" in said


def test_a_dollar_is_printed_as_one() -> None:
    said = "meter at $10,000 · bet of $5"
    figure = figures.tornado(CHANGES, {"meter": 10_000.0, "bet": 5.0})
    assert said in texts(figure)
    assert not any(text.get_parse_math() for text in figure.findobj(Text) if "$" in text.get_text())


def test_every_figure_says_in_words_what_it_shows(best: Strategy, returns: Returns) -> None:
    for figure in (
        figures.strategy_chart(best, RULES, "A title"),
        figures.gap_heatmap(best.frame.query("doubles == 0"), RULES, "A title"),
        figures.breakdown(returns, "A title"),
        figures.bars(BETS, RULES, "A title", "house_edge", "house edge, %"),
        figures.curves(LINES, RULES, "A title", ("decks", "house edge, %")),
        figures.edge_grid(GRID, RULES, "A title", ("pay table", "decks")),
        figures.tornado(CHANGES, RULES, "A title"),
        figures.removal(REMOVED, RULES, "A title"),
        figures.chart_changes(CODES, RULES, "A title"),
        figures.agreement(AWAY, RULES, "A title"),
        figures.quantiles(QUANTILES, RULES, "A title"),
        figures.convergence(GROWING, 0.008, RULES, "A title"),
        figures.session_results(ENDED, RULES, "A title"),
        figures.fan(BANDS, PATHS, 100.0, RULES, "A title"),
    ):
        assert figures.alt_text(figure).startswith("A title: ")
        assert rules_in_words(RULES) in figures.alt_text(figure)


def test_a_users_own_matplotlib_settings_do_not_change_a_chart(best: Strategy) -> None:
    import matplotlib as mpl

    with mpl.rc_context({"font.size": 30, "text.color": "red", "font.family": "serif"}):
        figure = figures.strategy_chart(best, RULES)
    assert {text.get_color() for text in figure.findobj(Text)} <= {figures.INK, figures.FAINT, "white"}
    assert {text.get_fontfamily()[0] for text in figure.findobj(Text)} == {"DejaVu Sans"}


# --- Tables -----------------------------------------------------------------------------------------------------------


def test_tables_are_formatted_by_the_kind_of_their_columns() -> None:
    frame = pd.DataFrame(
        {"played_by": ["a"], "house_edge": [0.0077683], "gap": [-0.5], "rounds": [1_000_000], "agrees": [True]}
    )
    html = figures.styled(frame, "A caption", percent=["house_edge"], places=3).to_html()
    for shown in ("played by", "0.777%", "-0.500", "1,000,000", "yes", "A caption"):
        assert shown in html
    html = figures.styled(frame, percent=["house_edge"], decimals={"house_edge": 1, "gap": 2}).to_html()
    assert ">0.8%<" in html
    assert ">-0.50<" in html
    assert "+0.777%" in figures.styled(frame, percent=["house_edge"], places=3, signed=True).to_html()
