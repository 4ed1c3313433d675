"""The sheet that every figure is drawn on: its size, letters and colours, its title, the rules in force, its words.

Colours differ in lightness as well as in hue, and no meaning is carried by a colour alone.
"""

from collections.abc import Mapping, Sequence
from textwrap import fill
from typing import Any, Final

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from casinomath.catalog import RulesTuple
from casinomath.wording import rules_in_words

INK: Final = "#1d1d1f"
FAINT: Final = "#5f6368"
RULE: Final = "#c9cdd2"
GAIN: Final = "#2b6cb0"
LOSS: Final = "#d98032"
BAND: Final = "#dfe3e8"

STYLE: Final = mpl.rc_context(
    {
        "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
        "font.size": 9.0,
        "text.parse_math": False,  # a dollar is a dollar
        "text.color": INK,
        "axes.labelcolor": INK,
        "xtick.color": INK,
        "ytick.color": INK,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "figure.facecolor": "white",
        "savefig.facecolor": "white",
    }
)
WIDTH: Final = 9.4
"""Inches across of every figure."""
TOP: Final = 0.95
"""Inches for the title and the rules."""

SERIES: Final = (
    *((INK, "o", "-"), ("#d98032", "s", "--"), ("#2b6cb0", "D", "-."), ("#14735f", "^", ":")),
    *(("#8a4fa3", "v", (0, (5, 1))), ("#9a9a9a", "P", (0, (1, 1))), ("#7a2a00", "X", (0, (3, 1, 1, 1)))),
)
"""Colour, mark and dashes of each line of a figure: no two are told apart by their colour alone."""


def alt_text(figure: Figure) -> str:
    """Return what a figure shows, in words, for readers who can't see it."""
    return str(figure.get_label())


def canvas(height: float, title: str, rules: Mapping[str, Any] | RulesTuple, shows: str) -> Figure:
    """Return a figure with its title, the rules in force and its alternative text; `height` inches are below them."""
    figure = Figure(figsize=(WIDTH, height + TOP), dpi=150)
    left, inch = 0.2 / WIDTH, 1 / (height + TOP)
    figure.text(left, 1 - 0.16 * inch, title, fontsize=14, fontweight="bold", va="top")
    said = fill(rules_in_words(rules), 165, break_on_hyphens=False)
    figure.text(left, 1 - 0.5 * inch, said, fontsize=8.2, color=FAINT, va="top")
    figure.set_label(f"{title}: {shows}. Rules in force: {rules_in_words(rules)}.")
    return figure


def axes_at(figure: Figure, left: float, right: float, bottom: float, top: float = TOP) -> Axes:
    """Return axes with these margins in inches."""
    across, down = figure.get_figwidth(), figure.get_figheight()
    return figure.add_axes((left / across, bottom / down, 1 - (left + right) / across, 1 - (bottom + top) / down))


def is_light(colour: tuple[float, float, float, float]) -> bool:
    """Whether dark letters read better on a colour than white ones, by its relative luminance."""
    return float(np.dot((0.2126, 0.7152, 0.0722), np.array(colour[:3]) ** 2.2)) > 0.2


def signed(value: float) -> str:
    """Return a number of percentage points with its sign."""
    return f"{value:+.4f}".replace("-", "−") if value else "0"


def column_of_numbers(axes: Axes, x: float, head: str, numbers: Sequence[str]) -> None:
    """Write numbers beside the rows of a figure, right-aligned at `x` of its width."""
    place = axes.get_yaxis_transform()
    axes.text(x, -1.1, head, transform=place, fontsize=8, color=FAINT, ha="right", va="center")
    for row, number in enumerate(numbers):
        axes.text(x, row, number, transform=place, fontsize=8, ha="right", va="center")


def series(number: int) -> list[tuple[str, str, Any]]:
    """Return so many lines' colours, marks and dashes."""
    return [SERIES[place % len(SERIES)] for place in range(number)]
