"""Several bets, rules or decks side by side."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap
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
    WIDTH,
    axes_at,
    canvas,
    column_of_numbers,
    is_light,
    series,
)


@STYLE
def bars(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    value: str,
    label: str,
    beside: Mapping[str, str] = MappingProxyType({}),
) -> Figure:
    """Return bars of a share, in percent, with its number and others beside each.

    frame  : names in its first column, and the columns `value` and `beside`
    beside : column → its head; those columns are text
    """
    names, shares = frame.iloc[:, 0].astype(str), 100 * frame[value]
    said = "; ".join(f"{name} {share:.3f}%" for name, share in zip(names, shares, strict=True))
    figure = canvas(0.27 * len(frame) + 0.9, title, rules, f"bars of the {label}, {said}")
    axes = axes_at(figure, 2.3, 0.85 * (1 + len(beside)) + 0.2, 0.5, TOP + 0.3)
    axes.barh(range(len(frame)), shares, color=[LOSS if share >= 0 else GAIN for share in shares], height=0.7)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(frame)), list(names))
    axes.set(ylim=(len(frame) - 0.4, -0.6), xlabel=label)
    axes.tick_params(axis="y", length=0)
    across = axes.get_position().width * WIDTH
    columns = {"%": [f"{share:.3f}".replace("-", "−") for share in shares]}
    columns |= {head: list(frame[name].astype(str)) for name, head in beside.items()}
    for place, (head, numbers) in enumerate(columns.items(), start=1):
        column_of_numbers(axes, 1 + 0.85 * place / across, head, numbers)
    return figure


@STYLE
def curves(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    axes_labels: tuple[str, str],
    marks: bool = True,
    uprights: Mapping[str, float] = MappingProxyType({}),
) -> Figure:
    """Return lines over a shared axis, each with its name at its end, marks and dashes of its own.

    frame       : the line's name, x and y in its first three columns
    axes_labels : of x and of y, with their units
    marks       : draw a mark at every point; False for lines of many points
    uprights    : places on the axis of x that are worth a line, by what they are
    """
    name, x, y = frame.columns[:3]
    lines = {str(key): rows.sort_values(x) for key, rows in frame.dropna(subset=[y]).groupby(name, sort=False)}
    ends = "; ".join(
        f"{key} from {rows[y].iloc[0]:.4g} at {rows[x].iloc[0]:,g} to {rows[y].iloc[-1]:.4g} at {rows[x].iloc[-1]:,g}"
        for key, rows in lines.items()
    )
    figure = canvas(3.6, title, rules, f"{axes_labels[1]} by {axes_labels[0]}: {ends}")
    axes = axes_at(figure, 0.75, 2.5, 0.55, TOP + 0.1)
    for (colour, mark, dashes), (_key, rows) in zip(series(len(lines)), lines.items(), strict=True):
        shown: Any = {"marker": mark, "markersize": 5.5, "markerfacecolor": "white"} if marks else {}
        axes.plot(rows[x], rows[y], color=colour, linestyle=dashes, linewidth=1.6, **shown)
    if axes.get_ylim()[0] < 0 < axes.get_ylim()[1]:
        axes.axhline(0, color=INK, linewidth=0.8)
    for line, (words, place) in enumerate(uprights.items()):
        axes.axvline(place, color=FAINT, linewidth=0.8, linestyle=":")
        spot = (place, 0.98 - 0.06 * line)
        axes.text(*spot, f" {words}", transform=axes.get_xaxis_transform(), fontsize=7.5, color=FAINT, va="top")
    axes.set(xlabel=axes_labels[0], ylabel=axes_labels[1])
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    places = sorted(frame[x].unique())
    if len(places) <= 6:
        axes.set_xticks(places)
    else:
        axes.xaxis.set_major_formatter("{x:,.10g}")
    last = {key: (rows[x].iloc[-1], rows[y].iloc[-1]) for key, rows in lines.items()}
    _name_ends(axes, last, marks)
    return figure


def _name_ends(axes: Axes, last: Mapping[str, tuple[float, float]], marks: bool) -> None:
    """Names to the right of the axes, at the heights of their lines' ends as far as there is room."""
    low, high = axes.get_ylim()
    gap = 0.062 * (high - low)
    order = sorted(last, key=lambda name: last[name][1])
    heights = [last[name][1] for name in order]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + gap)
    over = max(0.0, heights[-1] - high)
    for place in reversed(range(len(heights))):
        room = high - gap * (len(heights) - 1 - place)
        heights[place] = min(heights[place], room) if over else heights[place]
    styles = dict(zip(last, series(len(last)), strict=True))
    frame = axes.get_yaxis_transform()
    for name, height in zip(order, heights, strict=True):
        colour, mark, dashes = styles[name]
        axes.plot((1.015, 1.065), (height, height), color=colour, linestyle=dashes, transform=frame, clip_on=False)
        if marks:
            spot: Any = {"marker": mark, "markersize": 5.5, "markerfacecolor": "white"}
            axes.plot((1.04,), (height,), color=colour, transform=frame, clip_on=False, **spot)
        axes.text(1.08, height, name, transform=frame, fontsize=8.2, va="center")
    axes.set_ylim(low, high)


EDGES: Final = LinearSegmentedColormap.from_list("edges", ["#ffffff", "#f8dfbd", "#e59c2c", "#8a4a0c"])
"""Lighter for a small house edge, darker for a large one."""


@STYLE
def edge_grid(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    axes_labels: tuple[str, str],
    framed: str = "printed so",
) -> Figure:
    """Return house edges of pay tables by rule as a grid of numbers, the printed combinations framed.

    frame  : the row, the column, house_edge, and printed: whether a document prints the table for that column's rule
    framed : what else the frame says
    A house edge below zero, where the player has the advantage, is hatched.
    """
    row, column = frame.columns[:2]
    rows, columns = list(dict.fromkeys(frame[row])), list(dict.fromkeys(frame[column]))
    known = frame.dropna(subset=["house_edge"])
    printed = "; ".join(
        f"{cell[0]} at {cell[1]} {cell[2]:.2%}"
        for cell in known[known["printed"]][[row, column, "house_edge"]].itertuples(index=False)
    )
    figure = canvas(0.34 * len(rows) + 0.85, title, rules, f"house edges by {row} and {column}; {framed}: {printed}")
    axes = axes_at(figure, 2.4, 1.9, 0.3, TOP + 0.45)
    top = max(0.01, float(known["house_edge"].max()))
    cell: Any
    for cell in known.itertuples(index=False):
        y, x, edge = rows.index(cell[0]), columns.index(cell[1]), float(cell.house_edge)
        colour = EDGES(max(0.0, edge) / top)
        hatch: Any = {"hatch": "////", "edgecolor": "#9cc3e6"} if edge < 0 else {"edgecolor": "white"}
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, linewidth=1, **hatch))
        ink = INK if is_light(colour) else "white"
        said = f"{100 * edge:.3f}".replace("-", "−")
        weight = "bold" if cell.printed else "normal"
        axes.text(x + 0.5, y + 0.52, said, fontsize=8.6, color=ink, fontweight=weight, ha="center", va="center")
        if cell.printed:
            axes.add_patch(
                Rectangle((x + 0.03, y + 0.06), 0.94, 0.88, fill=False, edgecolor=INK, linewidth=1.8, zorder=3)
            )
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    axes.set_xticks(np.arange(len(columns)) + 0.5, [str(each) for each in columns])
    axes.set_yticks(np.arange(len(rows)) + 0.5, [str(each) for each in rows])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.set(xlabel=axes_labels[1], ylabel=axes_labels[0])
    for spine in axes.spines.values():
        spine.set_visible(False)
    key = ["house edge, %", *[f"framed: {framed}"] * bool(known["printed"].any())]
    key += ["hatched: the player", "has the advantage"] * bool((known["house_edge"] < 0).any())
    for line, words in enumerate(key):
        axes.text(1.03, 0.35 + 0.62 * line, words, transform=axes.get_yaxis_transform(), fontsize=7.8, color=FAINT)
    return figure
