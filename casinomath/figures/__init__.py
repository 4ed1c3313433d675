"""Charts drawn from results. Nothing is computed here: what a figure shows was worked out on lower floors.

A figure is a `matplotlib.figure.Figure` made without pyplot, with the rules in force printed on it, units on its axes
and a text for readers who can't see it (`alt_text`). Colours differ in lightness as well as in hue, so that a figure
keeps its sense in greyscale and for colour-blind readers, and no meaning is carried by a colour alone.
"""

from casinomath.figures.agreement import agreement, witness_lines
from casinomath.figures.baccarat import drawing_chart, margins, winners
from casinomath.figures.canvas import FAINT, INK, SERIES, alt_text
from casinomath.figures.card import PAPERS, strategy_card
from casinomath.figures.changes import chart_changes, removal, tornado
from casinomath.figures.chart import ACTIONS, strategy_chart
from casinomath.figures.comparisons import bars, curves, edge_grid
from casinomath.figures.counts import count_distribution, edge_by_count, index_chart
from casinomath.figures.decisions import cost_heatmap, ev_heatmap, gap_heatmap
from casinomath.figures.dice import edges_per_roll, levels, rolls_until_the_end, transitions
from casinomath.figures.differences import difference_chart
from casinomath.figures.endings import breakdown
from casinomath.figures.holdem import preflop_chart
from casinomath.figures.ladder import waterfall
from casinomath.figures.samples import convergence, fan, quantiles, session_results
from casinomath.figures.simplicity import simplicity_frontier
from casinomath.figures.tables import styled

__all__ = [
    "ACTIONS",
    "FAINT",
    "INK",
    "PAPERS",
    "SERIES",
    "agreement",
    "alt_text",
    "bars",
    "breakdown",
    "chart_changes",
    "convergence",
    "cost_heatmap",
    "count_distribution",
    "curves",
    "difference_chart",
    "drawing_chart",
    "edge_by_count",
    "edge_grid",
    "edges_per_roll",
    "ev_heatmap",
    "fan",
    "gap_heatmap",
    "index_chart",
    "levels",
    "margins",
    "preflop_chart",
    "quantiles",
    "removal",
    "rolls_until_the_end",
    "session_results",
    "simplicity_frontier",
    "strategy_card",
    "strategy_chart",
    "styled",
    "tornado",
    "transitions",
    "waterfall",
    "winners",
    "witness_lines",
]
