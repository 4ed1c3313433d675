"""Baccarat: the banker's drawing chart, the margins that coups end with, and who wins from which total."""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from casinomath.catalog import RulesTuple
from casinomath.figures.canvas import FAINT, GAIN, INK, LOSS, RULE, STYLE, TOP, axes_at, canvas

PLAYS: Final = {"draw": ("D", "#f3c98d"), "stand": ("S", "#e9eef4")}
"""Letter and colour of what the banker does."""

WINNERS: Final = {"player": (GAIN, ""), "tie": ("#d7dade", "...."), "banker": (LOSS, "////")}
"""Colour and hatch of who wins."""


@STYLE
def drawing_chart(
    chart: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str = "When the banker draws a third card"
) -> Figure:
    """Return the banker's tableau: a row for each total of two cards, a column for what the player did.

    chart : banker_total, then a column of "draw" or "stand" for `stood` and for each third card of the player
    """
    totals, heads = list(chart.iloc[:, 0]), list(chart.columns[1:])
    rows = [[str(cell) for cell in row] for row in chart.itertuples(index=False)]
    on = [", ".join(head for head, play in zip(heads, row[1:], strict=True) if play == "draw") for row in rows]
    said = "; ".join(f"{total} on {cards or 'nothing'}" for total, cards in zip(totals, on, strict=True))
    figure = canvas(
        0.34 * len(totals) + 1.35, title, rules, f"by the banker's total, draws when the player's card: {said}"
    )
    axes = axes_at(figure, 1.7, 1.9, 0.5, TOP + 0.5)
    for row, plays in enumerate(chart.iloc[:, 1:].to_numpy()):
        for column, play in enumerate(plays):
            letter, colour = PLAYS[play]
            gap = 0.25 if column else 0.0  # the player who stood is no card
            axes.add_patch(Rectangle((column + gap, row), 1, 1, facecolor=colour, edgecolor="white", linewidth=1.6))
            weight = "bold" if play == "draw" else "normal"
            axes.text(column + gap + 0.5, row + 0.53, letter, fontweight=weight, ha="center", va="center")
    axes.set(xlim=(0, len(heads) + 0.25), ylim=(len(totals), 0))
    axes.set_xticks([place + 0.5 + (0.25 if place else 0.0) for place in range(len(heads))], heads)
    axes.set_yticks(np.arange(len(totals)) + 0.5, [str(total) for total in totals])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.set(xlabel="the player's third card, points", ylabel="the banker's total of two cards")
    for spine in axes.spines.values():
        spine.set_visible(False)
    words = ("D: draws", "S: stands", "stood: the player drew", "no card")
    for line, word in enumerate(words):
        axes.text(1.03, 0.6 + 0.62 * line, word, transform=axes.get_yaxis_transform(), fontsize=8, color=FAINT)
    note = "A natural 8 or 9 of either hand ends the coup. The player draws on 0 to 5 and stands on 6 and 7."
    axes.text(0, len(totals) + 0.55, note, fontsize=8, color=FAINT, va="center")
    return figure


@STYLE
def margins(
    frame: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str = "By how many points a coup is won"
) -> Figure:
    """Return bars of how likely each margin is, naturals on top of the others.

    frame : margin (the player's points less the banker's), natural and probability
    """
    wide = 100 * frame.pivot(index="margin", columns="natural", values="probability")
    all_of_it = wide.sum(axis=1)
    said = "; ".join(f"{margin:+d} {share:.2f}%" for margin, share in all_of_it.items())
    figure = canvas(3.5, title, rules, f"bars of the share of coups by the player's points less the banker's, {said}")
    axes = axes_at(figure, 0.75, 0.3, 0.85, TOP + 0.1)
    axes.bar(wide.index, wide[False], color=GAIN, width=0.72, label="no natural")
    style: Any = {"color": "#f3c98d", "edgecolor": INK, "hatch": "////", "linewidth": 0.6}
    axes.bar(wide.index, wide[True], bottom=wide[False], width=0.72, label="ended by a natural 8 or 9", **style)
    for margin, share in all_of_it.items():
        axes.annotate(
            f"{share:.2f}", (float(str(margin)), share), (0, 3), textcoords="offset points", fontsize=7.5, ha="center"
        )
    axes.set_xticks(wide.index, [f"{abs(margin)}" for margin in wide.index])
    axes.set(xlabel="points", ylabel="share of coups, %")
    axes.margins(x=0.01, y=0.1)
    below = axes.get_xaxis_transform()
    for place, words in ((-5, "← the banker wins by"), (0, "tie"), (5, "the player wins by →")):
        axes.text(place, -0.23, words, transform=below, fontsize=8.5, ha="center", va="top")
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)
    axes.legend(frameon=False, loc="upper left")
    return figure


@STYLE
def winners(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "Who wins, given the player's first two cards",
) -> Figure:
    """Return bars that part the coups of each total of the player's between the player, a tie and the banker.

    frame : player_total, probability (of the total), player, banker and tie
    """
    said = "; ".join(
        f"{row.player_total:.0f}: player {row.player:.1%}, tie {row.tie:.1%}, banker {row.banker:.1%}"
        for row in frame.itertuples()
    )
    figure = canvas(0.3 * len(frame) + 1.0, title, rules, f"shares of coups by the player's total of two cards, {said}")
    axes = axes_at(figure, 1.0, 1.15, 0.55, TOP + 0.3)
    rows, start = np.arange(len(frame)), np.zeros(len(frame))
    for winner, (colour, hatch) in WINNERS.items():
        shares = 100 * frame[winner].to_numpy()
        style: Any = {"color": colour, "hatch": hatch, "edgecolor": "white", "linewidth": 0.8}
        axes.barh(rows, shares, left=start, height=0.78, label=f"{winner} wins" if winner != "tie" else "tie", **style)
        for row, share in enumerate(shares):
            if share >= 4:
                box: Any = {"facecolor": "white", "edgecolor": "none", "pad": 1.2}
                middle = start[row] + share / 2
                axes.text(middle, row, f"{share:.1f}", fontsize=7.8, ha="center", va="center", bbox=box)
        start += shares
    axes.set_yticks(rows, [f"{total:.0f}" for total in frame["player_total"]])
    axes.set(xlim=(0, 100), ylim=(len(frame) - 0.4, -0.6), xlabel="share of coups, %", ylabel="the player's total")
    axes.tick_params(axis="y", length=0)
    place = axes.get_yaxis_transform()
    axes.text(1.13, -1.1, "of coups, %", transform=place, fontsize=8, color=FAINT, ha="right", va="center")
    for row, share in enumerate(frame["probability"]):
        axes.text(1.13, row, f"{100 * share:.3f}", transform=place, fontsize=8, ha="right", va="center")
    axes.legend(frameon=False, ncols=3, loc="lower left", bbox_to_anchor=(0, 1.0), fontsize=8)
    return figure
