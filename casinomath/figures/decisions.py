"""What a decision is worth."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap, LogNorm
from matplotlib.figure import Figure

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import FAINT, INK, STYLE, TOP, WIDTH, axes_at, canvas, is_light
from casinomath.figures.chart import LETTERS

CLOSE: Final = LinearSegmentedColormap.from_list("close", ["#7a2a00", "#d9771e", "#f6c98b", "#fdf0dc", "#ffffff"])
"""Dark where the decision is close, and lighter all the way."""


@STYLE
def gap_heatmap(
    decisions: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What the best play gains over the second best",
) -> Figure:
    """Return a heat map of the gap between the best and the second-best action on two cards.

    decisions : hand, cards, upcard, action, gap and frequency, as `Strategy.frame` has them

    Two-card hands down, upcards across. Where play depends on suits a hand's gap is the mean over the suits as dealt,
    and its letter the commonest play.
    """
    two = decisions[decisions["cards"].str.fullmatch(r"2|\S+ \S+") & (decisions["hand"] != "A-10")]
    two = two.assign(name=_two_card_names(two), weighed=two["gap"] * two["frequency"])
    cells = two.sort_values("frequency").groupby(["name", "upcard"], sort=False)
    gap = (100 * cells["weighed"].sum() / cells["frequency"].sum()).unstack()[list(UPCARDS)]
    play = cells["action"].last().map(LETTERS).unstack()[list(UPCARDS)]
    names = list(dict.fromkeys(two["name"]))
    hard = [name for name in names if "-" not in name]
    soft = [name for name in names if name.startswith("A-") and name != "A-A"]
    pairs = sorted(set(names) - set(hard) - set(soft), key=lambda name: UPCARDS.index(name.partition("-")[0]))
    rows = max(len(hard), len(soft) + len(pairs) + 2)
    figure = canvas(0.2 * rows + 1.2, title, rules, "heat map of the gap by two-card hand and upcard")
    norm = LogNorm(vmin=0.1, vmax=30, clip=True)
    half = WIDTH / 2
    panels = axes_at(figure, 0.95, half + 0.1, 0.75, TOP + 0.4), axes_at(figure, half + 0.65, 0.2, 0.75, TOP + 0.4)
    for axes, groups in zip(panels, ((hard,), (soft, pairs)), strict=True):
        row = 0
        for hands in groups:
            image = _draw_heat(axes, gap.loc[hands], play.loc[hands], norm, row)
            row += len(hands) + 1
        axes.set(xlim=(0, len(UPCARDS)), ylim=(rows, 0))
        axes.axis("off")
    bar = figure.colorbar(
        image, cax=axes_at(figure, 2.2, 2.2, 0.45, figure.get_figheight() - 0.6), orientation="horizontal"
    )
    bar.set_label("letter: the best play; number and colour: its gain over the second best, % of the initial wager")
    bar.ax.xaxis.set_major_formatter("{x:g}")
    return figure


def _two_card_names(two: pd.DataFrame) -> "pd.Series[str]":
    """Name hard totals by their cards too, `16 = 7+9`, since they differ; pairs and soft hands as charts do."""
    by_cards = two["cards"].str.contains(" ") & ~two["hand"].str.contains("-")
    return two["hand"].where(~by_cards, two["hand"] + " = " + two["cards"].str.replace(" ", "+"))


def _draw_heat(axes: Axes, gap: pd.DataFrame, play: pd.DataFrame, norm: LogNorm, top: int) -> QuadMesh:
    values, letters = gap.to_numpy(dtype=float), play.to_numpy(dtype=str)
    edges = np.arange(len(UPCARDS) + 1), top + np.arange(len(gap) + 1)
    mesh = axes.pcolormesh(*edges, values, norm=norm, cmap=CLOSE, edgecolors="#eeeeee", linewidth=0.5)
    for column, upcard in enumerate(UPCARDS):
        axes.text(column + 0.5, top - 0.45, upcard, fontsize=8.5, color=FAINT, ha="center", va="center")
    axes.text(-0.15, top - 0.45, "upcard", fontsize=7.5, color=FAINT, ha="right", va="center")
    for row, hand in enumerate(gap.index.astype(str)):
        axes.text(-0.15, top + row + 0.5, hand, fontsize=8, ha="right", va="center")
    for (row, column), value in np.ndenumerate(values):
        said, place = f"{letters[row, column]} {_rounded(value)}", (column + 0.5, top + row + 0.5)
        ink = INK if is_light(CLOSE(norm(value))) else "white"
        axes.text(*place, said, fontsize=6.8, color=ink, ha="center", va="center")
    return mesh


def _rounded(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
