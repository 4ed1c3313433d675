"""What simpler play costs against how much of it there is to remember."""

from collections.abc import Mapping, Sequence
from math import log10
from typing import Any, Final, NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import FAINT, GAIN, INK, LOSS, RULE, STYLE, TOP, axes_at, canvas

LEAST: Final = 1e-4
"""Costs in percentage points are drawn from here; what costs less lies on the edge."""


class _Mark(NamedTuple):
    name: str
    things: int
    points: float
    """What it costs, no less than LEAST."""


@STYLE
def simplicity_frontier(
    classes: pd.DataFrame, exceptions: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str
) -> Figure:
    """Return the cost of classes of strategies over the things to remember, and of exceptions learnt one by one.

    classes    : name, things, cost; those of no chart have no things, and are left out
    exceptions : to the plain chart, in the order of learning, with the cost that is left
    """
    rows = classes.dropna(subset=["things"])[["name", "things", "cost"]].itertuples(index=False, name=None)
    marks = [
        _Mark(str(name), int(things), _points(cost))
        for name, things, cost in sorted(rows, key=lambda row: int(row[1]))
        if not str(name).startswith("plain_and_")
    ]
    said = "; ".join(f"{mark.name} {mark.things} things, {mark.points:.4f} points" for mark in marks)
    figure = canvas(4.6, title, rules, f"cost of strategies over the things to remember: {said}")
    axes = axes_at(figure, 1.0, 0.35, 0.55, TOP + 0.1)
    plain = next(mark for mark in marks if mark.name == "plain")
    left = [plain.points, *(_points(cost) for cost in exceptions["cost"])]
    shown = next((number for number, cost in enumerate(left) if cost <= LEAST), len(left) - 1) + 1
    things = [plain.things + number for number in range(shown)]
    axes.plot(things, left[:shown], color=INK, linewidth=1.4, marker=".", markersize=5, zorder=2)
    middle = shown // 2
    axes.annotate(
        "plain, and one exception\nmore at every dot",
        (things[middle], left[middle]),
        (-10, -14),
        textcoords="offset points",
        fontsize=8,
        color=FAINT,
        ha="right",
    )
    for mark in marks:
        colour, shape = _kind(mark.name)
        face = colour if shape == "X" else "white"
        look: Any = {"color": colour, "marker": shape, "markersize": 7.5, "markerfacecolor": face, "linestyle": "none"}
        axes.plot(mark.things, mark.points, zorder=3, **look)
    _name(axes, marks)
    axes.set_yscale("log")
    axes.set(ylim=(LEAST * 0.75, 2.2 * max(mark.points for mark in marks)))
    axes.set(
        xlabel="things to remember: runs of equal codes on the chart", ylabel="cost over the best chart, % of the bet"
    )
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}" if value > LEAST else f"≤ {LEAST:g}")
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    low, high = axes.get_xlim()
    axes.set_xlim(low - 2, high + 0.16 * (high - low))
    return figure


def _points(cost: Any) -> float:
    return max(100 * float(cost), LEAST)


def _kind(name: str) -> tuple[str, str]:
    """Colour and mark of a class: told apart by the mark alone."""
    if name == "blackjack":
        return LOSS, "X"
    if name in ("every_number_of_decks", "either_soft_17"):
        return GAIN, "D"
    return (INK, "s") if name in ("chart", "plain", "novice") or name.startswith("no_") else (LOSS, "^")


def _name(axes: Axes, marks: Sequence[_Mark]) -> None:
    """Write the names beside their marks: on the side that is free, or a little higher."""
    taken: list[tuple[float, float]] = []
    for mark in marks:
        height = log10(mark.points)
        beside = any(0 < other.things - mark.things < 12 and abs(log10(other.points) - height) < 0.1 for other in marks)
        shift = 0.0
        while any(abs(mark.things - x) < 16 and abs(height + shift - y) < 0.13 for x, y in taken if not beside):
            shift += 0.05
        taken.append((mark.things, height + shift))
        side: Any = {"xytext": (-8, -3), "ha": "right"} if beside else {"xytext": (8, -3)}
        spot = (mark.things, 10 ** (height + shift))
        axes.annotate(mark.name.replace("_", " "), spot, textcoords="offset points", fontsize=8.2, **side)
