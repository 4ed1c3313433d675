"""The strategy card: a chart on one page to print, cut out and take along, with the rules it is for."""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.errors import unknown
from casinomath.figures.canvas import FAINT, INK, RULE, STYLE
from casinomath.figures.chart import (
    ACTIONS,
    HEAD,
    LABEL,
    PANEL,
    Panel,
    in_columns,
    letters_of,
    notation_of,
    panels_of,
)
from casinomath.strategy import Chart, Strategy
from casinomath.wording import rules_in_words

POINT: Final = 72.0


class Paper(NamedTuple):
    """A page in inches, and what is left white around the print."""

    width: float
    height: float
    margin: float
    largest: float
    """Points of the largest letters in the tables."""


PAPERS: Final[Mapping[str, Paper]] = {
    "a6": Paper(105 / 25.4, 148 / 25.4, 0.16, 7.5),
    "letter": Paper(8.5, 11.0, 0.5, 11.0),
}
"""Papers by name, upright."""

SMALLEST: Final = 5.0
"""Points: no letter on a card is smaller."""
GAP: Final = 0.7
"""Between the two columns of tables, in cells."""
TALLEST: Final = 1.25
"""A cell is at most so much taller than it is wide."""
WIDE: Final = 0.53
"""The mean width of a letter, in its size."""


@STYLE
def strategy_card(
    chart: Strategy | Chart, rules: Mapping[str, Any] | RulesTuple, title: str = "Strategy card", paper: str = "a6"
) -> Figure:
    """Return a chart as a card of one page: letters and colours, what they mean, and the rules in force.

    paper : `a6` or `letter`
    Raises RequestError for another paper.
    """
    if paper not in PAPERS:
        raise unknown("paper", paper, PAPERS)
    page = PAPERS[paper]
    chart = chart.chart if isinstance(chart, Strategy) else chart
    columns = in_columns(panels_of(chart))
    across = page.width - 2 * page.margin
    cell = across / (2 * PANEL + GAP)
    text = max(SMALLEST, 0.72 * page.largest)
    head = _wrapped(rules_in_words(rules), across, text)
    meanings = [" · ".join(f"{letter} {words}" for letter, words in letters_of(chart))]
    meanings += [f"{code}: {words}" for code, words in notation_of(chart)]
    foot = [line for words in meanings for line in _wrapped(words, across, text)]
    line = 1.3 * text / POINT
    top, bottom = 1.9 * page.largest / POINT + len(head) * line, len(foot) * line + 0.6 * line
    rows = max(sum(panel.height for panel in column) for column in columns)
    tall = min((page.height - 2 * page.margin - top - bottom) / rows, TALLEST * cell)
    size = max(SMALLEST, min(page.largest, 0.72 * tall * POINT, 0.42 * cell * POINT))

    figure = Figure(figsize=(page.width, page.height), dpi=300)
    figure.set_label(_in_words(chart, title, rules))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, page.width), ylim=(page.height, 0))
    axes.axis("off")
    y = page.margin
    largest = min(1.2 * page.largest, across * POINT / (1.3 * WIDE * len(title)))
    axes.text(page.margin, y, title, fontsize=max(SMALLEST, largest), fontweight="bold", va="top")
    y += 1.9 * page.largest / POINT
    for words in head:
        axes.text(page.margin, y, words, fontsize=text, color=FAINT, va="top")
        y += line
    for column, x in zip(columns, (page.margin, page.margin + (PANEL + GAP) * cell), strict=True):
        down = y
        for panel in column:
            _draw(axes, panel, x, down, cell, tall, size)
            down += panel.height * tall
    y += rows * tall + 0.3 * line
    axes.plot((page.margin, page.width - page.margin), (y, y), color=RULE, linewidth=0.5)
    for words in foot:
        y += line
        axes.text(page.margin, y, words, fontsize=text, va="center")
    return figure


def _wrapped(words: str, across: float, size: float) -> list[str]:
    dots_stay = words.replace(" · ", "\N{NO-BREAK SPACE}· ")  # at the end of a line
    return wrap(dots_stay, int(across * POINT / (WIDE * size)), break_on_hyphens=False)


def _draw(axes: Axes, panel: Panel, x: float, y: float, cell: float, tall: float, size: float) -> None:
    """One table: its title and upcards, then a row for hands that are played alike."""
    top, left = y + HEAD * tall, x + LABEL * cell
    axes.text(x, y + 0.75 * tall, panel.title.capitalize(), fontsize=size, fontweight="bold", va="center")
    for column, upcard in enumerate(UPCARDS):
        place = left + (column + 0.5) * cell
        axes.text(place, top - 0.42 * tall, upcard, fontsize=size, color=FAINT, ha="center", va="center")
    colours = [[to_rgb(ACTIONS[code[0]].cell if code else "white") for code in row] for row in panel.codes]
    edges = left + cell * np.arange(len(UPCARDS) + 1), top + tall * np.arange(len(panel.hands) + 1)
    axes.pcolormesh(*edges, np.array(colours), edgecolors="white", linewidth=0.4)
    for row, (hand, codes) in enumerate(zip(panel.hands, panel.codes, strict=True)):
        middle = top + (row + 0.5) * tall
        short = hand.replace(" – ", "–")
        axes.text(left - 0.12 * cell, middle, short, fontsize=size, color=INK, ha="right", va="center_baseline")
        for column, code in enumerate(codes):
            if code:
                at: Any = {"ha": "center", "va": "center_baseline", "fontweight": "bold"}
                written = size if len(code) < 3 else max(SMALLEST, 0.85 * size)
                axes.text(
                    left + (column + 0.5) * cell, middle, code, fontsize=written, color=ACTIONS[code[0]].ink, **at
                )


def _in_words(chart: Chart, title: str, rules: Mapping[str, Any] | RulesTuple) -> str:
    tables = "; ".join(panel.title for panel in panels_of(chart))
    return (
        f"{title}: a card with the play by hand and upcard 2 to ace, in the tables {tables}. "
        f"Rules in force: {rules_in_words(rules)}."
    )
