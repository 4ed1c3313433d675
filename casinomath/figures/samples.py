"""Simulated rounds and sessions: how they come near what is expected of them, and how they spread."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import BAND, FAINT, GAIN, INK, LOSS, RULE, STYLE, TOP, WIDTH, axes_at, canvas, series


@STYLE
def quantiles(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "Are the differences what chance makes of them?",
) -> Figure:
    """Return the differences of each group, in standard errors, against those expected of the normal law.

    frame : the group, standard_errors, expected, low and high, as `witnesses.against_normal` has them

    A panel for each group. Marks on the diagonal follow the normal law; between the lines lies each with 95%.
    """
    group = frame.columns[0]
    panels = {str(name): rows for name, rows in frame.groupby(group, sort=False)}
    ends = "; ".join(
        f"{name}, {len(rows)} differences from {rows['standard_errors'].min():+.2f} to "
        f"{rows['standard_errors'].max():+.2f} where {rows['expected'].min():+.2f} to {rows['expected'].max():+.2f} "
        "are expected"
        for name, rows in panels.items()
    )
    figure = canvas(4.0, title, rules, f"quantiles against the normal law: {ends}")
    reach = 1.08 * float(frame[["standard_errors", "expected", "low", "high"]].abs().max().max())
    for place, (name, rows) in enumerate(panels.items()):
        axes = _panel(figure, place, len(panels))
        axes.fill_between(rows["expected"], rows["low"], rows["high"], color=BAND, linewidth=0)
        for edge in ("low", "high"):
            axes.plot(rows["expected"], rows[edge], color=FAINT, linewidth=0.8, linestyle="--")
        axes.plot((-reach, reach), (-reach, reach), color=INK, linewidth=0.8)
        colour, mark, _ = series(3)[2 - place % 2]
        spot: Any = {"marker": mark, "markersize": 3.6, "markerfacecolor": "white", "markeredgewidth": 0.9}
        axes.plot(rows["expected"], rows["standard_errors"], color=colour, linestyle="none", **spot)
        axes.set(xlim=(-reach, reach), ylim=(-reach, reach), xlabel="expected of the normal law, standard errors")
        axes.set_title(name, fontsize=9.5, loc="left")
    figure.axes[0].set_ylabel("simulated less exact, standard errors")
    return figure


def _panel(figure: Figure, place: int, number: int) -> Axes:
    """One of some axes side by side, with room for a word on top."""
    gap = 0.75 if number == 2 else 0.45
    across = (WIDTH - 0.9 + gap) / number
    left = 0.75 + place * across
    return axes_at(figure, left, WIDTH - left - across + gap, 0.55, TOP + 0.3)


@STYLE
def convergence(
    frame: pd.DataFrame,
    exact: float,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "How the simulation comes near the exact house edge",
) -> Figure:
    """Return the simulated house edge with its interval as rounds grow, and how far it is from the exact one.

    frame : rounds, house_edge, low, high, distance from the exact one and reach of the interval
    """
    first, last = frame.iloc[0], frame.iloc[-1]
    shows = (
        f"from {first['house_edge']:.3%} between {first['low']:.3%} and {first['high']:.3%} after "
        f"{first['rounds']:,.0f} rounds to {last['house_edge']:.4%} between {last['low']:.4%} and {last['high']:.4%} "
        f"after {last['rounds']:,.0f}; exact {exact:.4%}"
    )
    figure = canvas(3.5, title, rules, shows)
    left, right = _panel(figure, 0, 2), _panel(figure, 1, 2)
    left.fill_between(frame["rounds"], 100 * frame["low"], 100 * frame["high"], color=BAND, linewidth=0)
    left.axhline(100 * exact, color=INK, linewidth=0.9, linestyle="--", label="exact")
    drawn: Any = {"color": GAIN, "marker": "o", "markersize": 4.5, "markerfacecolor": "white", "linewidth": 1.3}
    left.plot(frame["rounds"], 100 * frame["house_edge"], label="simulated, with its interval of 95%", **drawn)
    left.set(ylabel="house edge, % of the initial wager")
    right.plot(frame["rounds"], 100 * frame["reach"], color=INK, linestyle="--", label="reach of the interval of 95%")
    right.plot(frame["rounds"], 100 * frame["distance"], label="distance from the exact one", **drawn)
    right.set(yscale="log", ylabel="percentage points")
    right.yaxis.set_major_formatter("{x:g}")
    for axes in (left, right):
        axes.set(xscale="log", xlabel="rounds")
        axes.grid(axis="y", color=RULE, linewidth=0.5)
        axes.legend(frameon=False, fontsize=8, loc="lower left", bbox_to_anchor=(-0.02, 0.99), ncols=2)
    return figure


@STYLE
def session_results(
    frame: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str = "What sessions come to"
) -> Figure:
    """Return how sessions ended, a panel for each length, with what the normal law makes of them.

    frame : the session, low, high, share of the sessions, and normal share
    """
    group = frame.columns[0]
    panels = {str(name): rows for name, rows in frame.groupby(group, sort=False)}
    fullest = {name: rows.sort_values("share").iloc[-1] for name, rows in panels.items()}
    said = "; ".join(
        f"{name} from {rows['low'].min():,.0f} to {rows['high'].max():,.0f} dollars, most often between "
        f"{fullest[name]['low']:,.0f} and {fullest[name]['high']:,.0f}"
        for name, rows in panels.items()
    )
    figure = canvas(2.9, title, rules, f"histograms of results: {said}")
    for place, (name, rows) in enumerate(panels.items()):
        axes = _panel(figure, place, len(panels))
        widths, middles = rows["high"] - rows["low"], (rows["low"] + rows["high"]) / 2
        colours = [LOSS if middle < 0 else GAIN if middle > 0 else RULE for middle in middles]
        axes.bar(middles, 100 * rows["share"], widths, color=colours, edgecolor="white", linewidth=0.4)
        axes.plot(middles, 100 * rows["normal"], color=INK, linewidth=1.3, linestyle="--")
        axes.axvline(0, color=INK, linewidth=0.8)
        axes.set_title(name, fontsize=9.5, loc="left")
        axes.set(xlabel="won or lost, dollars")
        axes.xaxis.set_major_formatter("{x:,.0f}")
        axes.locator_params(axis="x", nbins=3)
    figure.axes[0].set_ylabel("sessions, %")
    key = "dashed: the normal law · to the left of 0, lost; to the right, won"
    figure.text(1 - 0.2 / WIDTH, 1 - 0.2 / figure.get_figheight(), key, fontsize=8, color=FAINT, ha="right", va="top")
    return figure


@STYLE
def fan(
    bands: pd.DataFrame,
    paths: pd.DataFrame,
    bankroll: float,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "Where results lie after so many hours",
) -> Figure:
    """Return the bands in which results lie as play goes on, by formula and by sessions played.

    bands    : hours, expected, low, high, simulated_low and simulated_high, in dollars
    paths    : a few sessions, hours down and sessions across
    bankroll : dollars, at whose loss a line is drawn
    """
    last = bands.iloc[-1]
    shows = (
        f"after {last['hours']:g} hours {last['expected']:+,.0f} dollars are expected, and 95% of results lie between "
        f"{last['low']:+,.0f} and {last['high']:+,.0f} by the normal law, {last['simulated_low']:+,.0f} and "
        f"{last['simulated_high']:+,.0f} by sessions played"
    )
    figure = canvas(3.7, title, rules, shows)
    axes = axes_at(figure, 0.85, 2.5, 0.55, TOP + 0.1)
    axes.fill_between(
        bands["hours"], bands["low"], bands["high"], color=BAND, linewidth=0, label="95% by the normal law"
    )
    for place, name in enumerate(paths):
        label = "single sessions" if not place else None
        axes.plot(paths.index, paths[name], color="#9a9a9a", linewidth=0.7, label=label)
    marks: Any = {"color": GAIN, "marker": "o", "markersize": 4, "markerfacecolor": "white", "linestyle": "none"}
    axes.plot(bands["hours"], bands["simulated_low"], label="95% by sessions played", **marks)
    axes.plot(bands["hours"], bands["simulated_high"], **marks)
    axes.plot(bands["hours"], bands["expected"], color=INK, linewidth=1.8, label="expected")
    axes.axhline(-bankroll, color=LOSS, linewidth=1.3, linestyle="--", label="the bankroll is lost")
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set(xlabel="hours", ylabel="won or lost, dollars", xlim=(0, float(bands["hours"].max())))
    axes.yaxis.set_major_formatter("{x:+,.0f}")
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.02, 1.02))
    return figure
