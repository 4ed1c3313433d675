"""What counting cards is worth."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import BAND, FAINT, GAIN, INK, LOSS, RULE, STYLE, TOP, axes_at, canvas
from casinomath.figures.chart import ACTIONS, CELL, LETTERS


@STYLE
def edge_by_count(
    simulated: pd.DataFrame,
    exact: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "The player's edge by the true count",
) -> Figure:
    """Return the edge by true count: simulated rounds with their standard errors, and exact ones as lines.

    simulated : true_count (rounded down), edge and stderr, as `CountSample.by_count` has them
    exact     : true_count, ev_fixed and ev_best_play, as `Count.edges` has them
    """
    shown = simulated[simulated["stderr"] < 0.02]
    said = "; ".join(
        f"{row['true_count']:+d}: {row['edge']:+.2%} ± {row['stderr']:.2%}" for row in shown.to_dict(orient="records")
    )
    figure = canvas(3.6, title, rules, f"simulated edge by true count, rounded down: {said}")
    axes = axes_at(figure, 0.75, 0.3, 0.55, TOP + 0.1)
    lines: Any = {"linewidth": 1.4}
    true = exact["true_count"]
    axes.plot(true, 100 * exact["ev_best_play"], color=GAIN, label="exact, best play", **lines)
    axes.plot(true, 100 * exact["ev_fixed"], color=LOSS, linestyle="--", label="exact, one play", **lines)
    spot: Any = {"color": INK, "marker": "o", "markersize": 4, "markerfacecolor": "white", "linestyle": "none"}
    spot |= {"capsize": 2.5, "elinewidth": 0.9, "label": "simulated, with two standard errors"}
    axes.errorbar(shown["true_count"] + 0.5, 100 * shown["edge"], 200 * shown["stderr"], **spot)
    axes.axhline(0, color=INK, linewidth=0.8)
    low, high = float(shown["true_count"].min()) - 0.5, float(shown["true_count"].max()) + 1.5
    reach = float((shown["edge"].abs() + 2 * shown["stderr"]).max())
    axes.set(xlim=(low, high), ylim=(-100 * reach, 100 * reach), xlabel="true count", ylabel="edge, % of the bet")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    axes.legend(frameon=False, fontsize=8.5, loc="upper left")
    return figure


@STYLE
def count_distribution(
    simulated: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "How often each true count is met, and what is bet at it",
) -> Figure:
    """Return the frequencies of the true counts, with the bet at each.

    simulated : true_count (rounded down), frequency and bet, as `CountSample.by_count` has them
    """
    said = "; ".join(
        f"{row['true_count']:+d}: {row['frequency']:.2%}, {row['bet']} units"
        for row in simulated.to_dict(orient="records")
    )
    figure = canvas(3.2, title, rules, f"frequency and bet by true count, rounded down: {said}")
    axes = axes_at(figure, 0.75, 0.75, 0.55, TOP + 0.1)
    places = simulated["true_count"] + 0.5
    axes.bar(places, 100 * simulated["frequency"], width=0.86, color=BAND, edgecolor=FAINT, linewidth=0.6)
    axes.set(xlabel="true count, from one whole number to the next", ylabel="rounds, % (bars)")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    bets = axes.twinx()
    bets.step(places, simulated["bet"], where="mid", color=INK, linewidth=1.4)
    bets.set_ylim(0, 1.08 * max(1.0, float(simulated["bet"].max())))
    bets.set_ylabel("bet, units (line)")
    bets.spines["right"].set_visible(True)
    axes.margins(x=0.01)
    return figure


@STYLE
def index_chart(
    plays: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "The most valuable index plays",
) -> Figure:
    """Return index plays by hand and upcard: the letter of the play and the true count from which on it is made.

    plays : hand, cards, upcard, instead, when and index, as `Count.table` has them, the most valuable first; of several
            for one hand and upcard the first is drawn
    """
    first = plays.drop_duplicates(["hand", "cards", "upcard"])
    named = first["hand"].where(first["cards"] == "2", first["hand"] + ", " + first["cards"] + " cards")
    first = first.assign(name=named)
    rows = list(dict.fromkeys(first.sort_values(["hand", "cards"], key=_order)["name"]))
    said = "; ".join(
        f"{row['name']} against {row['upcard']}: {row['instead']} {row['when']} {row['index']:+.1f}"
        for row in first.to_dict(orient="records")
    )
    figure = canvas(CELL * (len(rows) + 3.2), title, rules, said)
    axes = axes_at(figure, 0.2, 0.2, 0.1)
    label, cell = 4.2, 2.6
    axes.set(xlim=(0, label + cell * len(UPCARDS) + 0.4), ylim=(len(rows) + 3.0, 0))
    axes.axis("off")
    for column, upcard in enumerate(UPCARDS):
        place = label + cell * (column + 0.5)
        axes.text(place, 0.6, upcard, fontsize=8.5, color=FAINT, ha="center", va="center")
    axes.text(label - 0.3, 0.6, "upcard", fontsize=7.5, color=FAINT, ha="right", va="center")
    for row, name in enumerate(rows):
        axes.text(label - 0.3, row + 1.62, name, fontsize=8.5, ha="right", va="center")
        for column in range(len(UPCARDS)):
            corner = (label + cell * column, row + 1.1)
            axes.add_patch(Rectangle(corner, cell, 1, facecolor="#f6f6f6", edgecolor="white", linewidth=1.2))
        for play in first[first["name"] == name].to_dict(orient="records"):
            action = ACTIONS[LETTERS[play["instead"]]]
            corner = (label + cell * UPCARDS.index(play["upcard"]), row + 1.1)
            axes.add_patch(Rectangle(corner, cell, 1, facecolor=action.cell, edgecolor="white", linewidth=1.2))
            sign = "≥" if play["when"] == "at or above" else "≤"
            words = f"{LETTERS[play['instead']]} {sign} {play['index']:+.1f}".replace("-", "−")
            middle = (corner[0] + cell / 2, corner[1] + 0.52)
            axes.text(*middle, words, fontsize=7.8, color=action.ink, ha="center", va="center")
    legend = "a letter: the play instead of the usual one · ≥ at that true count and above · ≤ at that count and below"
    axes.text(0.2, len(rows) + 2.1, legend, fontsize=8, color=FAINT, va="center")
    return figure


def _order(column: "pd.Series[str]") -> "pd.Series[int]":
    """Hard totals, then soft ones, then pairs, each in its order; cards by their number."""
    if column.name == "cards":
        return column.str.rstrip("+").astype(int)
    first, dash, second = (column.str.partition("-")[part] for part in range(3))
    value = second.replace({"A": "11", "": "0"}).astype(int) + 10 * first.replace({"A": "0"}).astype(int)
    kind = np.where(dash == "", 0, np.where(first == second, 2, 1))
    return value + 1000 * kind
