"""Where two strategies differ: two charts, or the best play under two sets of rules."""

from collections.abc import Mapping
from textwrap import wrap
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Polygon, Rectangle

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import FAINT, INK, RULE, STYLE, axes_at, canvas
from casinomath.figures.chart import ACTIONS, CELL, GUTTER, HEAD, LABEL, PANEL, Panel, in_columns, letters_of, panels_of
from casinomath.strategy import Chart, Strategy
from casinomath.wording import rules_in_words


@STYLE
def difference_chart(
    one: Strategy | Chart,
    other: Strategy | Chart,
    rules: Mapping[str, Any] | RulesTuple,
    names: tuple[str, str] | None = None,
    title: str = "Where two strategies differ",
    other_rules: Mapping[str, Any] | RulesTuple | None = None,
) -> Figure:
    """Return the hands that two charts do not play alike, with both codes where they differ.

    A cell that differs has the first chart's code above its diagonal and the other's below; alike ones are grey.
    Hands that are played alike against every upcard are left out, and so is a table that only one of the charts has.
    names       : of the charts, by default their own
    other_rules : of the second chart, where they are others
    """
    first, second = (each.chart if isinstance(each, Strategy) else each for each in (one, other))
    called = names or (first.name, second.name)
    panels = [_differing(panel, second, table) for panel, table in zip(*_panels(first), strict=True)]
    panels = [panel for panel in panels if panel.hands]
    differ = sum(code.count("|") for panel in panels for row in panel.codes for code in row)
    columns = in_columns(panels)
    body = max((sum(panel.height for panel in column) for column in columns), default=0.0)
    theirs = [] if other_rules is None else wrap(f"{called[1]}: {rules_in_words(other_rules)}", 150)
    foot = 2.4 + 0.9 * len(theirs)
    shows = f"{differ} cells in which {called[0]} and {called[1]} differ: {_in_words(panels)}"
    figure = canvas((body + foot) * CELL + 0.2, title, rules, shows)
    axes = axes_at(figure, 0.2, 0.2, 0.2)
    axes.set(xlim=(0, 2 * PANEL + GUTTER), ylim=(body + foot, 0))
    axes.axis("off")
    for x, column in zip((0.0, PANEL + GUTTER), columns, strict=True):
        y = 0.0
        for panel in column:
            _draw(axes, panel, x, y)
            y += panel.height
    y = body + 0.5
    axes.plot((0, 2 * PANEL + GUTTER), (y - 0.3, y - 0.3), color=RULE, linewidth=0.8)
    said = f"above the diagonal: {called[0]}; below it: {called[1]}; grey: alike. {differ} cells differ."
    axes.text(0, y + 0.4, said, fontsize=8.2, va="center")
    letters = dict(letters_of(second)) | dict(letters_of(first))
    meanings = "   ".join(f"{letter} {letters[letter]}" for letter in ACTIONS if letter in letters)
    axes.text(0, y + 1.4, meanings, fontsize=8.2, va="center")
    for line, words in enumerate(theirs):
        axes.text(0, y + 2.4 + 0.9 * line, words, fontsize=7.6, color=FAINT, va="center")
    return figure


def _panels(chart: Chart) -> tuple[list[Panel], list[str]]:
    """The tables of a chart, hand by hand, and their names in the chart."""
    tables = [table for table, hands in chart.tables.items() if hands]
    alone = [
        Panel(
            title.title,
            list(chart.tables[table]),
            [[codes.get(upcard, "") for upcard in UPCARDS] for codes in chart.tables[table].values()],
        )
        for title, table in zip(panels_of(chart), tables, strict=True)
    ]
    return alone, tables


def _differing(panel: Panel, other: Chart, table: str) -> Panel:
    """The rows of a table that the other chart plays otherwise; codes that differ as `one|other`."""
    hands, rows = [], []
    for hand, codes in zip(panel.hands, panel.codes, strict=True):
        row = []
        for upcard, code in zip(UPCARDS, codes, strict=True):
            theirs = other.code(table, hand, upcard)
            row.append(code if not code or theirs is None or theirs == code else f"{code}|{theirs}")
        if any("|" in code for code in row):
            hands.append(hand)
            rows.append(row)
    return Panel(panel.title, hands, rows)


def _draw(axes: Axes, panel: Panel, x: float, y: float) -> None:
    top, left = y + HEAD, x + LABEL
    axes.text(left, y + 0.6, panel.title.capitalize(), fontsize=10, fontweight="bold", va="center")
    for column, upcard in enumerate(UPCARDS):
        axes.text(left + column + 0.5, top - 0.45, upcard, fontsize=8.5, color=FAINT, ha="center", va="center")
    for row, (hand, codes) in enumerate(zip(panel.hands, panel.codes, strict=True)):
        axes.text(left - 0.25, top + row + 0.52, hand, fontsize=8.5, ha="right", va="center")
        for column, code in enumerate(codes):
            if code:
                _draw_cell(axes, code, left + column, top + row)


def _draw_cell(axes: Axes, code: str, x: float, y: float) -> None:
    one, bar, other = code.partition("|")
    if not bar:
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor="#f1f1f1", edgecolor="white", linewidth=1.2))
        axes.text(x + 0.5, y + 0.52, code, fontsize=7.5, color=FAINT, ha="center", va="center")
        return
    corners = ((x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1))
    for mine, triangle, at in (
        (one, (corners[0], corners[1], corners[2]), (x + 0.3, y + 0.3)),
        (other, (corners[3], corners[1], corners[2]), (x + 0.7, y + 0.74)),
    ):
        action = ACTIONS[mine[0]]
        axes.add_patch(Polygon(triangle, closed=True, facecolor=action.cell, edgecolor=INK, linewidth=0.6))
        size = 6.8 if len(mine) < 3 else 5.6
        axes.text(*at, mine, fontsize=size, fontweight="bold", color=action.ink, ha="center", va="center")


def _in_words(panels: list[Panel]) -> str:
    cells = (
        f"{panel.title} {hand} against {upcard}: {code.replace('|', ' or ')}"
        for panel in panels
        for hand, codes in zip(panel.hands, panel.codes, strict=True)
        for upcard, code in zip(UPCARDS, codes, strict=True)
        if "|" in code
    )
    return "; ".join(cells) or "none"
