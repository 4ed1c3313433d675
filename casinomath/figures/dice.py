"""Bets that take their time: chains of states, edges per decision and per roll, rolls until the end, levels reached."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil
from typing import Any

import numpy as np
import pandas as pd
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
    axes_at,
    canvas,
    column_of_numbers,
    is_light,
)
from casinomath.figures.comparisons import EDGES


@STYLE
def transitions(
    table: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str, of: int, label: str = "chances in {}ths"
) -> Figure:
    """Return the chances of a chain's moves as a grid of whole numbers, absorbing states apart at the right.

    table : from, to and chance, as `absorbing.Chain.table` has them
    of    : chances are counted in so manieth parts
    """
    starts, ends = list(dict.fromkeys(table["from"])), []
    for state in table["to"]:
        if state not in starts and state not in ends:
            ends.append(state)
    heads, gap = [*starts, *ends], 0.35
    said = "; ".join(f"{one} to {other} {chance}" for one, other, chance in table.itertuples(index=False))
    figure = canvas(0.36 * len(starts) + 1.3, title, rules, f"a grid of moves from state to state, {said}")
    axes = axes_at(figure, 1.7, 0.3, 0.45, TOP + 0.65)
    for one, other, chance in table.itertuples(index=False):
        row, column = starts.index(one), heads.index(other)
        colour = EDGES(0.15 + 0.75 * float(chance))
        x = column + gap * (other in ends)
        style: Any = {"hatch": "..", "edgecolor": FAINT} if one == other else {"edgecolor": "white"}
        axes.add_patch(Rectangle((x, row), 1, 1, facecolor=colour, linewidth=1.2, **style))
        ink = INK if is_light(colour) else "white"
        axes.text(x + 0.5, row + 0.53, f"{Fraction(chance) * of}", color=ink, ha="center", va="center", fontsize=9)
    axes.set(xlim=(0, len(heads) + gap), ylim=(len(starts), 0))
    places = [place + 0.5 + gap * (head in ends) for place, head in enumerate(heads)]
    axes.set_xticks(places, [str(head).replace("_", "\n") for head in heads])
    axes.set_yticks(np.arange(len(starts)) + 0.5, [str(state) for state in starts])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.set(xlabel="to: states that move on, and states where the walk ends", ylabel="from")
    axes.vlines(len(starts) + gap / 2, 0, len(starts), color=INK, linewidth=1)
    for spine in axes.spines.values():
        spine.set_visible(False)
    note = f"{label.format(of)}; dotted: the state stays as it is"
    axes.text(0, len(starts) + 0.5, note, fontsize=8, color=FAINT, va="center")
    return figure


@STYLE
def edges_per_roll(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What each bet costs, per bet resolved and per roll",
) -> Figure:
    """Return the house edge of bets per bet resolved and per roll, joined by a line, on a logarithmic scale.

    frame : bet, per_bet_resolved, per_roll, expected_rolls; bets without an edge are left out
    """
    known = frame[frame["per_bet_resolved"] > 0].reset_index(drop=True)
    shares = 100 * known[["per_bet_resolved", "per_roll"]]
    said = "; ".join(
        f"{bet} {one:.3f}% and {other:.3f}%"
        for bet, one, other in zip(known["bet"], shares["per_bet_resolved"], shares["per_roll"], strict=True)
    )
    figure = canvas(0.235 * len(known) + 0.95, title, rules, f"house edges per bet resolved and per roll, {said}")
    axes = axes_at(figure, 1.75, 2.9, 0.55, TOP + 0.25)
    rows = np.arange(len(known))
    axes.hlines(rows, shares["per_roll"], shares["per_bet_resolved"], color=RULE, linewidth=2)
    spot: Any = {"linestyle": "none", "markersize": 6, "markerfacecolor": "white", "markeredgewidth": 1.6}
    axes.plot(shares["per_roll"], rows, marker="o", color=GAIN, label="per roll", **spot)
    axes.plot(shares["per_bet_resolved"], rows, marker="s", color=LOSS, label="per bet resolved", **spot)
    axes.set_xscale("log")
    low, high = float(shares.min().min()), float(shares.max().max())
    ticks = [tick for tick in (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50) if low / 1.6 < tick < high * 1.6]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.minorticks_off()
    axes.grid(axis="x", color=RULE, linewidth=0.5)
    axes.set_yticks(rows, list(known["bet"]))
    axes.set(ylim=(len(known) - 0.4, -0.6), xlim=(low / 1.3, high * 1.3))
    axes.set_xlabel("house edge, % of the initial wager (logarithmic)")
    axes.tick_params(axis="y", length=0)
    axes.legend(frameon=False, loc="upper right", fontsize=8)
    for place, (head, numbers) in enumerate(
        {
            "resolved, %": [f"{share:.3f}" for share in shares["per_bet_resolved"]],
            "per roll, %": [f"{share:.3f}" for share in shares["per_roll"]],
            "rolls": [f"{rolls:.3f}" for rolls in known["expected_rolls"]],
        }.items()
    ):
        column_of_numbers(axes, 1.19 + 0.19 * place, head, numbers)
    return figure


@STYLE
def rolls_until_the_end(
    frame: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str, label: str = "% of bets"
) -> Figure:
    """Return how many rolls bets take, a panel each: calculated as bars, simulated as marks.

    frame : name, rolls, exact and simulated, the shares of all bets of that name
    """
    names = list(dict.fromkeys(frame["name"]))
    modes = {name: frame[frame["name"] == name].set_index("rolls")["exact"] for name in names}
    said = "; ".join(f"{name}: most often {law.idxmax()} rolls, {law.max():.3%}" for name, law in modes.items())
    across = min(2, len(names))
    down = ceil(len(names) / across)
    figure = canvas(2.35 * down + 0.2, title, rules, f"bars of {label} by the number of rolls; {said}")
    width = (9.4 - 0.75 - 0.2 - 0.75 * (across - 1)) / across
    for place, name in enumerate(names):
        rows = frame[frame["name"] == name]
        column, row = place % across, place // across
        left = 0.75 + column * (width + 0.75)
        axes = axes_at(figure, left, 9.4 - left - width, 0.5 + 2.35 * (down - 1 - row), TOP + 0.3 + 2.35 * row)
        axes.bar(rows["rolls"], 100 * rows["exact"], color=LOSS, width=0.78, label="calculated")
        spot: Any = {"marker": "o", "markersize": 3.4, "linestyle": "none", "markerfacecolor": "white"}
        axes.plot(rows["rolls"], 100 * rows["simulated"], color=INK, markeredgewidth=0.9, label="simulated", **spot)
        axes.set(xlabel="rolls", ylabel=label)
        axes.set_title(name, fontsize=9.5, loc="left")
        axes.grid(axis="y", color=RULE, linewidth=0.5)
        axes.set_axisbelow(True)
        if place == 0:
            axes.legend(frameon=False, fontsize=8, loc="upper right")
    return figure


@STYLE
def levels(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    beside: Mapping[str, Sequence[str]],
) -> Figure:
    """Return how likely each level is, from most of all bets to hardly any, on a logarithmic scale.

    frame  : the level's name, then its probability
    beside : head → a word for each level, beside its bar
    """
    names, shares = list(frame.iloc[:, 0]), 100 * frame.iloc[:, 1]
    said = "; ".join(f"{name} {share:.5g}%" for name, share in zip(names, shares, strict=True))
    figure = canvas(0.3 * len(names) + 0.95, title, rules, f"bars of how likely each level is, {said}")
    axes = axes_at(figure, 1.35, 1.05 * (1 + len(beside)) + 0.15, 0.55, TOP + 0.3)
    rows = np.arange(len(names))
    axes.barh(rows, shares, color=GAIN, height=0.66)
    axes.set_xscale("log")
    low = 10.0 ** np.floor(np.log10(float(shares.min())))
    axes.set(xlim=(low, 130), ylim=(len(names) - 0.4, -0.6), xlabel="% of bets (logarithmic)")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.minorticks_off()
    axes.grid(axis="x", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.set_yticks(rows, names)
    axes.tick_params(axis="y", length=0)
    across = axes.get_position().width * figure.get_figwidth()
    for place, (head, words) in enumerate({"%": [f"{share:.5g}" for share in shares], **beside}.items(), start=1):
        column_of_numbers(axes, 1 + 1.02 * place / across, head, list(words))
    return figure
