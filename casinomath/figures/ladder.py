"""From one game to another: a waterfall of house edges, rule by rule."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.figure import Figure

from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import FAINT, GAIN, INK, LOSS, STYLE, TOP, axes_at, canvas, column_of_numbers, signed


@STYLE
def waterfall(
    rungs: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str, ends: tuple[str, str] = ("start", "end")
) -> Figure:
    """Return how a house edge goes from one game's to another's: a bar for each step, the whole of both at the ends.

    rungs : part, house_edge and change_in_house_edge, the start first
    ends  : what to call the two games
    """
    edges = [100 * edge for edge in rungs["house_edge"]]
    steps = list(zip(rungs["part"][1:], edges, edges[1:], strict=False))
    said = "; ".join(f"{part} {after - before:+.3f}" for part, before, after in steps)
    shows = f"house edge from {edges[0]:.3f} % ({ends[0]}) to {edges[-1]:.3f} % ({ends[1]}), {said}"
    figure = canvas(0.28 * (len(steps) + 2) + 0.9, title, rules, shows)
    axes = axes_at(figure, 2.3, 1.0, 0.55, TOP + 0.3)
    rows = len(steps) + 1
    axes.barh([0, rows], [edges[0], edges[-1]], color=FAINT, height=0.7)
    for row, (_, before, after) in enumerate(steps, start=1):
        towards_house = after > before
        axes.barh(
            row,
            after - before,
            left=before,
            color=LOSS if towards_house else GAIN,
            hatch="///" if towards_house else None,  # told apart without the colour
            edgecolor="white" if towards_house else GAIN,
            height=0.7,
        )
        axes.plot([before, before], [row - 1, row], color=INK, linewidth=0.6)
    axes.plot([edges[-1]] * 2, [rows - 1, rows], color=INK, linewidth=0.6)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(rows + 1), [ends[0], *(part for part, _, _ in steps), ends[1]])
    axes.set(
        ylim=(rows + 0.6, -0.6),
        xlabel="house edge, % of the initial wager (hatched steps favour the house, plain ones the player)",
    )
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(min(0, 1.03 * min(edges)), max(0, 1.03 * max(edges)))
    changes = [signed(after - before) for _, before, after in steps]
    column_of_numbers(axes, 1.13, "%, points", [f"{edges[0]:.4f}", *changes, f"{edges[-1]:.4f}"])
    return figure
