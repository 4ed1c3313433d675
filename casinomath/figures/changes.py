"""What a change does: of a rule, of a card, of the number of decks."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import (
    FAINT,
    GAIN,
    INK,
    LOSS,
    RULE,
    STYLE,
    TOP,
    axes_at,
    canvas,
    column_of_numbers,
    signed,
)
from casinomath.figures.chart import ACTIONS, CELL, NOTATION, draw_code


@STYLE
def tornado(
    changes: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What each rule is worth, one change at a time",
) -> Figure:
    """Return what changes do to a house edge in percentage points, the largest first.

    changes : change, in words, and change_in_house_edge
    """
    rows = changes.sort_values("change_in_house_edge", key=abs, ascending=False)
    points = [100 * value for value in rows["change_in_house_edge"]]
    said = "; ".join(f"{name} {value:+.3f}" for name, value in zip(rows["change"], points, strict=True))
    figure = canvas(0.28 * len(rows) + 0.9, title, rules, f"changes of the house edge in percentage points, {said}")
    axes = axes_at(figure, 2.9, 1.0, 0.55, TOP + 0.3)
    axes.barh(range(len(rows)), points, color=[LOSS if value > 0 else GAIN for value in points], height=0.7)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(rows)), list(rows["change"]))
    axes.set(
        ylim=(len(rows) - 0.4, -0.6),
        xlabel="← player gains      change of the house edge, percentage points      house gains →",
    )
    axes.tick_params(axis="y", length=0)
    reach = 1.08 * max(map(abs, points), default=1.0)
    axes.set_xlim(-reach, reach)
    column_of_numbers(axes, 1.13, "points", [signed(value) for value in points])
    return figure


@STYLE
def removal(
    effects: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What a card is worth: effects of removal",
) -> Figure:
    """Return what the EV gains or loses when a card is taken out of the shoe, in percentage points per deck.

    effects : card, effect_per_deck, and where somebody publishes them, published ones, NaN elsewhere
    """
    points = 100 * effects["effect_per_deck"]
    said = "; ".join(f"{card} {value:+.3f}" for card, value in zip(effects["card"], points, strict=True))
    figure = canvas(3.1, title, rules, f"effects of removal per deck in percentage points, {said}")
    axes = axes_at(figure, 0.75, 0.3, 0.55, TOP + 0.15)
    places = np.arange(len(effects))
    axes.bar(places, points, color=[GAIN if value >= 0 else LOSS for value in points], width=0.66)
    if "published" in effects and effects["published"].notna().any():
        spot: Any = {"color": INK, "marker": "s", "markersize": 5, "linestyle": "none", "markerfacecolor": "white"}
        axes.plot(places, 100 * effects["published"], label="published", **spot)
        axes.legend(frameon=False, loc="upper right")
    axes.axhline(0, color=INK, linewidth=0.8)
    for place, value in zip(places, points, strict=True):
        above = value >= 0
        offset = (0, 3 if above else -3)
        said = _points(value)
        align: Any = {"ha": "center", "va": "bottom" if above else "top", "fontsize": 8}
        axes.annotate(said, (place, value), offset, textcoords="offset points", **align)
    axes.margins(y=0.14)
    axes.set_xticks(places, list(effects["card"]))
    axes.set(xlabel="card removed", ylabel="EV change × decks, percentage points")
    axes.tick_params(axis="x", length=0)
    return figure


def _points(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−") if value else "0"


@STYLE
def chart_changes(
    codes: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "Where the best play changes with the number of decks",
    head: str = "decks",
) -> Figure:
    """Return the cells in which some charts are not all alike: a row each, a column a chart, letters and colours.

    codes : decision in the first column, then a column of codes for each chart, headed by the decks it is for
    head  : what the columns are headed by
    """
    decisions, charts = list(codes.iloc[:, 0]), [str(name) for name in codes.columns[1:]]
    half = (len(decisions) + 1) // 2
    plays = [str(code) for code in codes.iloc[:, 1:].to_numpy().ravel()]
    legend = _changes_legend(plays)
    figure = canvas(CELL * (half + 4.4 + 0.9 * len(legend)), title, rules, _changes_in_words(codes))
    axes = axes_at(figure, 0.2, 0.2, 0.05)
    label, cell = 7.0, 1.5
    panel = label + cell * len(charts)
    axes.set(xlim=(0, 2 * panel + 1), ylim=(half + 4.2 + 0.9 * len(legend), 0))
    axes.axis("off")
    for side, start in enumerate(range(0, len(decisions), half or 1)):
        left = side * (panel + 1) + label
        axes.text(left - 0.3, 0.7, head, fontsize=7.5, color=FAINT, ha="right", va="center")
        for column, name in enumerate(charts):
            axes.text(left + cell * (column + 0.5), 0.7, name, fontsize=8, color=FAINT, ha="center", va="center")
        for row, (decision, *alike) in enumerate(codes.iloc[start : start + half].itertuples(index=False)):
            axes.text(left - 0.3, 1.7 + row, decision, fontsize=8.3, ha="right", va="center")
            for column, code in enumerate(alike):
                corner = (left + cell * column, 1.2 + row)
                colour = ACTIONS[code[0]].cell if code else "white"
                axes.add_patch(Rectangle(corner, cell, 1, facecolor=colour, edgecolor="white", linewidth=1.4))
                if code:
                    draw_code(axes, code, corner[0] + cell / 2, corner[1] + 0.52)
    x, y = 0.3, half + 2.6
    for letter, action in ACTIONS.items():
        if any(code.startswith(letter) for code in plays):
            words = "surrender, rescue after a double" if letter == "R" else action.word
            axes.add_patch(Rectangle((x, y - 0.45), 1, 0.9, facecolor=action.cell, edgecolor=RULE, linewidth=0.6))
            draw_code(axes, letter, x + 0.5, y)
            axes.text(x + 1.3, y, words, fontsize=8, va="center")
            x += 2.4 + 0.3 * len(words)
    for row, (mark, words) in enumerate(legend, start=1):
        axes.text(0.8, y + 0.3 + 0.9 * row, mark, fontsize=8.5, fontweight="bold", ha="center", va="center")
        axes.text(1.6, y + 0.3 + 0.9 * row, words, fontsize=8, va="center")
    return figure


def _changes_legend(plays: Sequence[str]) -> list[tuple[str, str]]:
    marks = [(mark, words) for mark, words in NOTATION.items() if any(mark in code for code in plays)]
    digits = any(character.isdigit() for code in plays for character in code)
    return [("5", "hit instead with so many cards or more")] * digits + marks


def _changes_in_words(codes: pd.DataFrame) -> str:
    rows = ("; ".join(f"{row[0]} {' '.join(map(str, row[1:]))}" for row in codes.itertuples(index=False))) or "none"
    return f"codes for {', '.join(map(str, codes.columns[1:]))}: {rows}"
