"""What a decision is worth."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import Colormap, LinearSegmentedColormap, LogNorm, Normalize
from matplotlib.figure import Figure

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.errors import unknown
from casinomath.figures.canvas import FAINT, INK, STYLE, TOP, WIDTH, axes_at, canvas, is_light
from casinomath.figures.chart import LETTERS

CLOSE: Final = LinearSegmentedColormap.from_list("close", ["#7a2a00", "#d9771e", "#f6c98b", "#fdf0dc", "#ffffff"])
"""Dark where the decision is close, and lighter all the way."""


DEAR: Final = CLOSE.reversed("dear")
"""Light where little is lost, and darker all the way."""
EVS: Final = LinearSegmentedColormap.from_list("evs", ["#b45a12", "#e9b27c", "#ffffff", "#8fbbe3", "#1d4f86"])
"""Losses and wins: told apart by the sign beside the letter, for both are dark at their ends."""


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
    label = "letter: the best play; number and colour: its gain over the second best, % of the initial wager"
    shows = "heat map of the gap by two-card hand and upcard"
    return _map(decisions, decisions["gap"], rules, title, shows, Scale(LogNorm(0.1, 30, clip=True), CLOSE, label))


@STYLE
def ev_heatmap(
    decisions: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What every hand is worth, played best",
) -> Figure:
    """Return a heat map of the EV of the best action on two cards, given no dealer blackjack.

    decisions : hand, cards, upcard, action, frequency and the EVs `ev_…` of actions, as `Strategy.frame` has them
    """
    label = "letter: the best play; number and colour: its EV given no dealer blackjack, % of the initial wager"
    best = decisions[[column for column in decisions if str(column).startswith("ev_")]].max(axis=1)
    shows = "heat map of the best action's EV by two-card hand and upcard"
    return _map(decisions, best, rules, title, shows, Scale(Normalize(-100, 100, clip=True), EVS, label, signed=True))


@STYLE
def cost_heatmap(
    decisions: pd.DataFrame, action: str, rules: Mapping[str, Any] | RulesTuple, title: str | None = None
) -> Figure:
    """Return a heat map of what it costs to take one action on every two cards.

    decisions : hand, cards, upcard, action, frequency and the EVs `ev_…` of actions, as `Strategy.frame` has them
    action    : `stand`, `hit`, `double`, `split`, `surrender`; hands that can't do it are left blank
    Raises RequestError for an action that no hand has.
    """
    evs = [str(column) for column in decisions if str(column).startswith("ev_")]
    if f"ev_{action}" not in evs:
        raise unknown("action", action, [column.removeprefix("ev_") for column in evs])
    cost = decisions[evs].max(axis=1) - decisions[f"ev_{action}"]
    label = f"letter: the best play; number and colour: what it costs to {action} instead, % of the initial wager"
    shows = f"heat map of the cost to {action} by two-card hand and upcard"
    titled = title or f"What it costs to {action}"
    return _map(decisions, cost, rules, titled, shows, Scale(LogNorm(0.1, 100, clip=True), DEAR, label))


class Scale(NamedTuple):
    """How numbers become colours."""

    norm: Normalize
    colours: Colormap
    label: str
    signed: bool = False


def _map(
    decisions: pd.DataFrame,
    numbers: "pd.Series[float]",
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    shows: str,
    scale: Scale,
) -> Figure:
    """Draw a number for every two cards and upcard, means over suits as dealt, with the letter of the best play."""
    chosen = decisions["cards"].str.fullmatch(r"2|\S+ \S+") & (decisions["hand"] != "A-10")
    if "doubles" in decisions:
        chosen &= decisions["doubles"] == 0
    two = decisions[chosen]
    two = two.assign(name=_two_card_names(two), weighed=numbers[chosen] * two["frequency"])
    cells = two.sort_values("frequency").groupby(["name", "upcard"], sort=False)
    means = cells["weighed"].agg(lambda part: part.sum(skipna=False)) / cells["frequency"].sum()
    shown = (100 * means).unstack()[list(UPCARDS)]
    play = cells["action"].last().map(LETTERS).unstack()[list(UPCARDS)]
    names = list(dict.fromkeys(two["name"]))
    hard = [name for name in names if "-" not in name]
    soft = [name for name in names if name.startswith("A-") and name != "A-A"]
    pairs = sorted(set(names) - set(hard) - set(soft), key=lambda name: UPCARDS.index(name.partition("-")[0]))
    rows = max(len(hard), len(soft) + len(pairs) + 2)
    figure = canvas(0.2 * rows + 1.2, title, rules, shows)
    half = WIDTH / 2
    panels = axes_at(figure, 0.95, half + 0.1, 0.75, TOP + 0.4), axes_at(figure, half + 0.65, 0.2, 0.75, TOP + 0.4)
    for axes, groups in zip(panels, ((hard,), (soft, pairs)), strict=True):
        row = 0
        for hands in groups:
            image = _draw_heat(axes, shown.loc[hands], play.loc[hands], scale, row)
            row += len(hands) + 1
        axes.set(xlim=(0, len(UPCARDS)), ylim=(rows, 0))
        axes.axis("off")
    bar = figure.colorbar(
        image, cax=axes_at(figure, 2.2, 2.2, 0.45, figure.get_figheight() - 0.6), orientation="horizontal"
    )
    bar.set_label(scale.label)
    bar.ax.xaxis.set_major_formatter("{x:g}")
    return figure


def _two_card_names(two: pd.DataFrame) -> "pd.Series[str]":
    """Name hard totals by their cards too, `16 = 7+9`, since they differ; pairs and soft hands as charts do."""
    by_cards = two["cards"].str.contains(" ") & ~two["hand"].str.contains("-")
    return two["hand"].where(~by_cards, two["hand"] + " = " + two["cards"].str.replace(" ", "+"))


def _draw_heat(axes: Axes, shown: pd.DataFrame, play: pd.DataFrame, scale: Scale, top: int) -> QuadMesh:
    values, letters = shown.to_numpy(dtype=float), play.to_numpy(dtype=str)
    edges = np.arange(len(UPCARDS) + 1), top + np.arange(len(shown) + 1)
    clear = np.ma.masked_invalid(values)
    mesh = axes.pcolormesh(*edges, clear, norm=scale.norm, cmap=scale.colours, edgecolors="#eeeeee", linewidth=0.5)
    for column, upcard in enumerate(UPCARDS):
        axes.text(column + 0.5, top - 0.45, upcard, fontsize=8.5, color=FAINT, ha="center", va="center")
    axes.text(-0.15, top - 0.45, "upcard", fontsize=7.5, color=FAINT, ha="right", va="center")
    for row, hand in enumerate(shown.index.astype(str)):
        axes.text(-0.15, top + row + 0.5, hand, fontsize=8, ha="right", va="center")
    for (row, column), value in np.ndenumerate(values):
        letter, place = str(letters[row, column]), (column + 0.5, top + row + 0.5)
        if np.isnan(value):
            axes.text(*place, letter, fontsize=6.8, color=FAINT, ha="center", va="center")
            continue
        said = f"{letter} {_signed(value) if scale.signed else _rounded(value)}"
        ink = INK if is_light(scale.colours(scale.norm(value))) else "white"
        axes.text(*place, said, fontsize=6.8, color=ink, ha="center", va="center")
    return mesh


def _signed(value: float) -> str:
    return (f"{value:+.0f}" if abs(value) >= 10 else f"{value:+.1f}").replace("-", "−")


def _rounded(value: float) -> str:
    if value < 5e-7:  # rounding dust
        return "0"
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"
