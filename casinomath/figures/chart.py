"""The strategy chart, in the published notation."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import FAINT, INK, RULE, STYLE, axes_at, canvas
from casinomath.strategy import Chart, Strategy


class Action(NamedTuple):
    """How an action is drawn: its word, and the colours of its cell and of the letter on it."""

    word: str
    cell: str
    ink: str


ACTIONS: Final = {
    "H": Action("hit", "#fff6d8", INK),
    "S": Action("stand", "#b0d5ee", INK),
    "D": Action("double", "#e59c2c", INK),
    "P": Action("split", "#14735f", "white"),
    "R": Action("surrender", "#411d5c", "white"),
}
"""By the letter that begins a chart code. Lightness falls in steps from hit to surrender."""

LETTERS: Final = {
    "stand": "S",
    "hit": "H",
    "double": "D",
    "redouble": "D",
    "split": "P",
    "surrender": "R",
    "rescue": "R",
}

NOTATION: Final = {
    "*": "hit two cards from which any 6-7-8 is possible",
    "'": "hit two cards of one suit from which a 6-7-8 is possible",
    '"': "hit two spades from which a 6-7-8 is possible",
    "$": "hit suited 7-7 against a 7, for the Super Bonus",
}

LABEL: Final = 2.0
"""Width of the column of hands, in cells."""
PANEL: Final = LABEL + len(UPCARDS)
GUTTER: Final = 0.9
HEAD: Final = 2.1
"""Height of a panel's title and upcards, in cells."""
LINE: Final = 1.05
CELL: Final = 0.26
"""Height of a cell in inches."""


class Panel(NamedTuple):
    """One table of a chart, rows that are played alike together."""

    title: str
    hands: list[str]
    codes: list[list[str]]

    @property
    def height(self) -> float:
        """In cells, with the room below it."""
        return HEAD + len(self.hands) + 0.6


@STYLE
def strategy_chart(
    chart: Strategy | Chart, rules: Mapping[str, Any] | RulesTuple, title: str = "Strategy chart"
) -> Figure:
    """Return a strategy chart in the published notation: letters and colours, a legend, the rules in force.

    Hands down, upcards 2 to ace across; neighbouring hands that are played alike share a row.
    """
    chart = chart.chart if isinstance(chart, Strategy) else chart
    panels = panels_of(chart)
    columns = in_columns(panels)
    notation = notation_of(chart)
    body = max(sum(panel.height for panel in column) for column in columns)
    lines = 1 + (len(notation) + 1) // 2
    width, height = 2 * PANEL + GUTTER, body + 0.6 + LINE * lines
    tables = "; ".join(panel.title for panel in panels)
    shows = f"the best play by hand and upcard 2 to ace, in the tables {tables}"
    figure = canvas(height * CELL + 0.2, title, rules, shows)
    axes = axes_at(figure, 0.2, 0.2, 0.2)
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    for x, column in zip((0.0, PANEL + GUTTER), columns, strict=True):
        y = 0.0
        for panel in column:
            _draw_panel(axes, panel, x, y)
            y += panel.height
    axes.plot((0, width), (body, body), color=RULE, linewidth=0.8)
    _draw_letters(axes, letters_of(chart), body + 0.9)
    for number, (code, words) in enumerate(notation):
        right, line = divmod(number, lines - 1)
        x, y = right * (PANEL + GUTTER), body + 1.1 + LINE * (1 + line)
        axes.text(x, y, code, fontsize=9, fontweight="bold", va="center")
        axes.text(x + 2.2, y, words, fontsize=8.2, va="center")
    return figure


def panels_of(chart: Chart) -> list[Panel]:
    """Return the tables of a chart as panels."""
    return [panel_of(table, hands) for table, hands in chart.tables.items() if hands]


def panel_of(table: str, hands: Mapping[str, Mapping[str, str]]) -> Panel:
    """Return a table as a panel, neighbouring hands that are played alike together."""
    groups: list[tuple[list[str], list[str]]] = []
    for hand, codes in hands.items():
        row = [codes.get(upcard, "") for upcard in UPCARDS]
        if groups and groups[-1][1] == row and table != "pairs":
            groups[-1][0].append(hand)
        else:
            groups.append(([hand], row))
    names = [alike[0] if len(alike) == 1 else f"{alike[0]} – {alike[-1]}" for alike, _ in groups]
    return Panel(_table_in_words(table), names, [row for _, row in groups])


def _table_in_words(table: str) -> str:
    """`after_2_doubles_hard` is "hard, after 2 doubles", `free_soft` is "soft, carrying a free bet"."""
    stage, _, kind = table.rpartition("_")
    if stage == "free":
        return f"{kind}, carrying a free bet"
    return f"{kind}, {stage.replace('_', ' ').replace('after double', 'after a double')}" if stage else table


def in_columns(panels: Iterable[Panel]) -> tuple[list[Panel], list[Panel]]:
    """Deal panels into two columns of about the same height, each to the shorter one."""
    columns: tuple[list[Panel], list[Panel]] = ([], [])
    for panel in panels:
        min(columns, key=lambda column: sum(other.height for other in column)).append(panel)
    return columns


def _draw_panel(axes: Axes, panel: Panel, x: float, y: float) -> None:
    top, left = y + HEAD, x + LABEL
    axes.text(left, y + 0.6, panel.title.capitalize(), fontsize=10, fontweight="bold", va="center")
    axes.text(left - 0.25, top - 0.45, "upcard", fontsize=7.5, color=FAINT, ha="right", va="center")
    for column, upcard in enumerate(UPCARDS):
        axes.text(left + column + 0.5, top - 0.45, upcard, fontsize=8.5, color=FAINT, ha="center", va="center")
    colours = [[to_rgb(ACTIONS[code[0]].cell if code else "white") for code in row] for row in panel.codes]
    edges = left + np.arange(len(UPCARDS) + 1), top + np.arange(len(panel.hands) + 1)
    axes.pcolormesh(*edges, np.array(colours), edgecolors="white", linewidth=1.4)
    for row, (hand, codes) in enumerate(zip(panel.hands, panel.codes, strict=True)):
        axes.text(left - 0.25, top + row + 0.52, hand, fontsize=8.5, ha="right", va="center")
        for column, code in enumerate(codes):
            if code:
                draw_code(axes, code, left + column + 0.5, top + row + 0.52)


def draw_code(axes: Axes, code: str, x: float, y: float) -> None:
    """Write a code on its cell."""
    size, ink = (9.5 if len(code) < 3 else 8.5), ACTIONS[code[0]].ink
    axes.text(x, y, code, fontsize=size, fontweight="bold", color=ink, ha="center", va="center")


def letters_of(chart: Chart) -> list[tuple[str, str]]:
    """The letters that occur on a chart, with their words."""
    before = {code[0] for table, _, _, code in chart if code and not table.startswith("after_")}
    after = {code[0] for table, _, _, code in chart if code and table.startswith("after_")}
    after_double = {"D": "redouble", "R": "rescue"}
    letters = []
    for letter, action in ACTIONS.items():
        words = [action.word] if letter in before else []
        if letter in after and (letter in after_double or not words):
            words.append(f"after a double: {after_double.get(letter, action.word)}")
        if words:
            letters.append((letter, "; ".join(words)))
    return letters


def notation_of(chart: Chart) -> list[tuple[str, str]]:
    """What else occurs in the codes of a chart, with its words."""
    codes = {code for _, _, _, code in chart}
    digits = sorted({digit for code in codes for digit in code if digit.isdigit()})
    twofold = sorted(code for code in codes if code.startswith("R") and len(code) > 1)
    doubled = [("DS", "double; a hand that may not be doubled stands")] if any("DS" in code for code in codes) else []
    marks = [(mark, words) for mark, words in NOTATION.items() if any(mark in code for code in codes)]
    counts = [(" ".join(digits), "hit instead with that many cards or more")] if digits else []
    return counts + doubled + [(code, _twofold(code)) for code in twofold] + marks


def _twofold(code: str) -> str:
    return f"surrender two cards; a hand that can't surrender plays {code[1:]}"


def _draw_letters(axes: Axes, letters: Iterable[tuple[str, str]], y: float) -> None:
    x = 0.0
    for letter, words in letters:
        edges, colour = ((x, x + 1), (y - 0.45, y + 0.45)), np.array([[to_rgb(ACTIONS[letter].cell)]])
        axes.pcolormesh(*edges, colour, edgecolors=RULE, linewidth=0.6)
        draw_code(axes, letter, x + 0.5, y)
        axes.text(x + 1.25, y, words, fontsize=8.2, va="center")
        x += 2.0 + 0.19 * len(words)
