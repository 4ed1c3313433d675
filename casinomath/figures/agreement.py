"""The witnesses side by side: calculated, simulated, published."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
from matplotlib.figure import Figure

from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import GAIN, INK, LOSS, STYLE, TOP, axes_at, canvas, column_of_numbers, series
from casinomath.witnesses import FAR, Witness

WITNESSES: Final = {"exact": (INK, "D"), "simulated": (GAIN, "o"), "published": (LOSS, "s")}
"""Colour and mark of each kind of witness."""


@STYLE
def witness_lines(
    witnesses: Sequence[Witness], rules: Mapping[str, Any] | RulesTuple, title: str = "The witnesses side by side"
) -> Figure:
    """Return the house edge as each witness has it, with how far it may be off, against the first one's."""
    said = "; ".join(f"{witness.name} {witness.house_edge:.4%}" for witness in witnesses)
    figure = canvas(0.36 * len(witnesses) + 0.75, title, rules, f"the house edge, {said}")
    axes = axes_at(figure, 3.2, 1.2, 0.5, TOP + 0.2)
    axes.axvline(100 * witnesses[0].house_edge, color=INK, linewidth=0.8, linestyle=":")
    for row, witness in enumerate(witnesses):
        colour, mark = WITNESSES[witness.kind]
        low, edge, high = 100 * witness.low, 100 * witness.house_edge, 100 * witness.high
        axes.plot((low, high), (row, row), color=colour, linewidth=2, marker="|", markersize=9)
        axes.plot(edge, row, color=colour, marker=mark, markersize=6)
    axes.set_yticks(range(len(witnesses)), [witness.name for witness in witnesses])
    axes.set(ylim=(len(witnesses) - 0.4, -0.6), xlabel="house edge, % of the initial wager")
    axes.tick_params(axis="y", length=0)
    column_of_numbers(axes, 1.18, "house edge, %", [witness.printed for witness in witnesses])
    return figure


@STYLE
def agreement(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "How far each simulated figure lies from the calculated one",
) -> Figure:
    """Return how many standard errors lie between simulated and calculated figures, a mark each, a row a bet.

    frame : bet, measure and standard_errors
    """
    bets, measures = list(dict.fromkeys(frame["bet"])), list(dict.fromkeys(frame["measure"]))
    known = frame.dropna(subset=["standard_errors"])
    farthest = float(known["standard_errors"].abs().max()) if len(known) else 0.0
    shows = f"{len(known)} figures of {len(bets)} bets in standard errors; the farthest is {farthest:.2f} away"
    figure = canvas(0.25 * len(bets) + 1.1, title, rules, shows)
    axes = axes_at(figure, 3.0, 1.9, 0.55, TOP + 0.1)
    axes.axvspan(-2, 2, color="#eef1f4", linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    for place in (-FAR, FAR):
        axes.axvline(place, color=LOSS, linewidth=1.2, linestyle="--")
    for (colour, mark, _), measure in zip(series(len(measures)), measures, strict=True):
        rows = known[known["measure"] == measure]
        heights = [bets.index(bet) for bet in rows["bet"]]
        words = str(measure).replace("_", " ").replace("stdev", "standard deviation")
        spot: Any = {
            "marker": mark,
            "markersize": 6,
            "linestyle": "none",
            "markerfacecolor": "white",
            "markeredgewidth": 1.5,
        }
        axes.plot(rows["standard_errors"], heights, color=colour, label=words, **spot)
    axes.set_yticks(range(len(bets)), bets)
    reach = max(FAR + 0.5, 1.05 * farthest)
    axes.set(ylim=(len(bets) - 0.4, -0.6), xlim=(-reach, reach))
    axes.set_xlabel("standard errors (dashed: where chance would be no excuse)")
    axes.tick_params(axis="y", length=0)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.01, 1.02), fontsize=8)
    return figure
