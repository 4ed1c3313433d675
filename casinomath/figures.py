"""Charts drawn from results. Nothing is computed here: what a figure shows was worked out on lower floors.

A figure is a `matplotlib.figure.Figure` made without pyplot, with the rules in force printed on it, units on its axes
and a text for readers who can't see it (`alt_text`). Colours differ in lightness as well as in hue, so that a figure
keeps its sense in greyscale and for colour-blind readers, and no meaning is carried by a colour alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from typing import Any, Final, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap, LogNorm, to_rgb
from matplotlib.figure import Figure
from pandas.io.formats.style import Styler

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.returns import Returns
from casinomath.strategy import Chart, Strategy
from casinomath.witnesses import Witness
from casinomath.wording import event_in_words, rules_in_words

INK: Final = "#1d1d1f"
FAINT: Final = "#5f6368"
RULE: Final = "#c9cdd2"
GAIN: Final = "#2b6cb0"
LOSS: Final = "#d98032"

STYLE: Final = mpl.rc_context(
    {
        "font.family": "DejaVu Sans",  # comes with matplotlib: the same on every machine
        "font.size": 9.0,
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


class Action(NamedTuple):
    """How an action is drawn: its word, and the colours of its cell and of the letter on it."""

    word: str
    cell: str
    ink: str


ACTIONS: Final = {
    "H": Action("hit", "#fff6d8", INK),
    "S": Action("stand", "#b0d5ee", INK),
    "D": Action("double", "#e59c2c", INK),
    "P": Action("split", "#14735f", "white"),
    "R": Action("surrender", "#411d5c", "white"),
}
"""By the letter that begins a chart code. Lightness falls in steps from hit to surrender."""

LETTERS: Final = {
    "stand": "S",
    "hit": "H",
    "double": "D",
    "redouble": "D",
    "split": "P",
    "surrender": "R",
    "rescue": "R",
}

NOTATION: Final = {
    "*": "hit two cards from which any 6-7-8 is possible",
    "'": "hit two cards of one suit from which a 6-7-8 is possible",
    '"': "hit two spades from which a 6-7-8 is possible",
    "$": "hit suited 7-7 against a 7, for the Super Bonus",
}


def alt_text(figure: Figure) -> str:
    """Return what a figure shows, in words, for readers who can't see it."""
    return str(figure.get_label())


def _canvas(height: float, title: str, rules: Mapping[str, Any] | RulesTuple, shows: str) -> Figure:
    """A figure with its title, the rules in force and its alternative text; `height` inches are below them."""
    figure = Figure(figsize=(WIDTH, height + TOP), dpi=150)
    left, inch = 0.2 / WIDTH, 1 / (height + TOP)
    figure.text(left, 1 - 0.16 * inch, title, fontsize=14, fontweight="bold", va="top")
    said = fill(rules_in_words(rules), 165, break_on_hyphens=False)
    figure.text(left, 1 - 0.5 * inch, said, fontsize=8.2, color=FAINT, va="top")
    figure.set_label(f"{title}: {shows}. Rules in force: {rules_in_words(rules)}.")
    return figure


def _place(figure: Figure, left: float, right: float, bottom: float, top: float = TOP) -> Axes:
    """Axes with these margins in inches."""
    across, down = figure.get_figwidth(), figure.get_figheight()
    return figure.add_axes((left / across, bottom / down, 1 - (left + right) / across, 1 - (bottom + top) / down))


def styled(
    frame: pd.DataFrame, caption: str = "", percent: Iterable[str] = (), places: int = 4, signed: bool = False
) -> Styler:
    """Return a table as reports show it: text to the left, numbers to the right, underscores as spaces.

    percent : columns that are shares, shown in percent
    places  : decimals of all numbers that are not whole
    """
    shown = frame.rename(columns=lambda name: str(name).replace("_", " "))
    floats = [column for column in shown if shown[column].dtype.kind == "f"]
    shares = [name.replace("_", " ") for name in percent]
    sign = "+" if signed else ""
    formats: dict[Any, Any] = {column: f"{{:{sign}.{places}{'%' if column in shares else 'f'}}}" for column in floats}
    formats |= {column: "{:,}" for column in shown if shown[column].dtype.kind in "iu"}
    formats |= {column: {True: "yes", False: "no"}.get for column in shown if shown[column].dtype.kind == "b"}
    left: Any = {"selector": "", "props": "text-align: left"}
    texts: Any = {column: [left] for column in shown if shown[column].dtype.kind not in "fiu"}
    table = shown.style.hide(axis="index").format(formats, na_rep="").set_table_styles(texts)
    return table.set_caption(caption) if caption else table


# --- The strategy chart -----------------------------------------------------------------------------------------------

LABEL: Final = 2.0
"""Width of the column of hands, in cells."""
PANEL: Final = LABEL + len(UPCARDS)
GUTTER: Final = 0.9
HEAD: Final = 2.1
"""Height of a panel's title and upcards, in cells."""
LINE: Final = 1.05
CELL: Final = 0.26
"""Height of a cell in inches."""


class Panel(NamedTuple):
    """One table of a chart, rows that are played alike together."""

    title: str
    hands: list[str]
    codes: list[list[str]]

    @property
    def height(self) -> float:
        """In cells, with the room below it."""
        return HEAD + len(self.hands) + 0.6


@STYLE
def strategy_chart(
    chart: Strategy | Chart, rules: Mapping[str, Any] | RulesTuple, title: str = "Strategy chart"
) -> Figure:
    """Return a strategy chart in the published notation: letters and colours, a legend, the rules in force.

    Hands down, upcards 2 to ace across; neighbouring hands that are played alike share a row.
    """
    chart = chart.chart if isinstance(chart, Strategy) else chart
    panels = [_panel(table, hands) for table, hands in chart.tables.items() if hands]
    columns = _columns(panels)
    notation = _notation(chart)
    body = max(sum(panel.height for panel in column) for column in columns)
    lines = 1 + (len(notation) + 1) // 2
    width, height = 2 * PANEL + GUTTER, body + 0.6 + LINE * lines
    tables = "; ".join(panel.title for panel in panels)
    shows = f"the best play by hand and upcard 2 to ace, in the tables {tables}"
    figure = _canvas(height * CELL + 0.2, title, rules, shows)
    axes = _place(figure, 0.2, 0.2, 0.2)
    axes.set(xlim=(0, width), ylim=(height, 0))
    axes.axis("off")
    for x, column in zip((0.0, PANEL + GUTTER), columns, strict=True):
        y = 0.0
        for panel in column:
            _draw_panel(axes, panel, x, y)
            y += panel.height
    axes.plot((0, width), (body, body), color=RULE, linewidth=0.8)
    _draw_letters(axes, _letters(chart), body + 0.9)
    for number, (code, words) in enumerate(notation):
        right, line = divmod(number, lines - 1)
        x, y = right * (PANEL + GUTTER), body + 1.1 + LINE * (1 + line)
        axes.text(x, y, code, fontsize=9, fontweight="bold", va="center")
        axes.text(x + 2.2, y, words, fontsize=8.2, va="center")
    return figure


def _panel(table: str, hands: Mapping[str, Mapping[str, str]]) -> Panel:
    groups: list[tuple[list[str], list[str]]] = []
    for hand, codes in hands.items():
        row = [codes.get(upcard, "") for upcard in UPCARDS]
        if groups and groups[-1][1] == row and table != "pairs":
            groups[-1][0].append(hand)
        else:
            groups.append(([hand], row))
    names = [alike[0] if len(alike) == 1 else f"{alike[0]} – {alike[-1]}" for alike, _ in groups]
    return Panel(_table_in_words(table), names, [row for _, row in groups])


def _table_in_words(table: str) -> str:
    """`after_2_doubles_hard` is "hard, after 2 doubles"."""
    stage, _, kind = table.rpartition("_")
    return f"{kind}, {stage.replace('_', ' ').replace('after double', 'after a double')}" if stage else table


def _columns(panels: Iterable[Panel]) -> tuple[list[Panel], list[Panel]]:
    """Deal panels into two columns of about the same height, each to the shorter one."""
    columns: tuple[list[Panel], list[Panel]] = ([], [])
    for panel in panels:
        min(columns, key=lambda column: sum(other.height for other in column)).append(panel)
    return columns


def _draw_panel(axes: Axes, panel: Panel, x: float, y: float) -> None:
    top, left = y + HEAD, x + LABEL
    axes.text(left, y + 0.6, panel.title.capitalize(), fontsize=10, fontweight="bold", va="center")
    axes.text(left - 0.25, top - 0.45, "upcard", fontsize=7.5, color=FAINT, ha="right", va="center")
    for column, upcard in enumerate(UPCARDS):
        axes.text(left + column + 0.5, top - 0.45, upcard, fontsize=8.5, color=FAINT, ha="center", va="center")
    colours = [[to_rgb(ACTIONS[code[0]].cell if code else "white") for code in row] for row in panel.codes]
    edges = left + np.arange(len(UPCARDS) + 1), top + np.arange(len(panel.hands) + 1)
    axes.pcolormesh(*edges, np.array(colours), edgecolors="white", linewidth=1.4)
    for row, (hand, codes) in enumerate(zip(panel.hands, panel.codes, strict=True)):
        axes.text(left - 0.25, top + row + 0.52, hand, fontsize=8.5, ha="right", va="center")
        for column, code in enumerate(codes):
            if code:
                _draw_code(axes, code, left + column + 0.5, top + row + 0.52)


def _draw_code(axes: Axes, code: str, x: float, y: float) -> None:
    size, ink = (9.5 if len(code) < 3 else 8.5), ACTIONS[code[0]].ink
    axes.text(x, y, code, fontsize=size, fontweight="bold", color=ink, ha="center", va="center")


def _letters(chart: Chart) -> list[tuple[str, str]]:
    """The letters that occur on a chart, with their words."""
    before = {code[0] for table, _, _, code in chart if code and not table.startswith("after_")}
    after = {code[0] for table, _, _, code in chart if code and table.startswith("after_")}
    after_double = {"D": "redouble", "R": "rescue"}
    letters = []
    for letter, action in ACTIONS.items():
        words = [action.word] if letter in before else []
        if letter in after and (letter in after_double or not words):
            words.append(f"after a double: {after_double.get(letter, action.word)}")
        if words:
            letters.append((letter, "; ".join(words)))
    return letters


def _notation(chart: Chart) -> list[tuple[str, str]]:
    """What else occurs in the codes of a chart, with its words."""
    codes = {code for _, _, _, code in chart}
    digits = sorted({digit for code in codes for digit in code if digit.isdigit()})
    twofold = sorted(code for code in codes if code.startswith("R") and len(code) > 1)
    marks = [(mark, words) for mark, words in NOTATION.items() if any(mark in code for code in codes)]
    counts = [(" ".join(digits), "hit instead with that many cards or more")] if digits else []
    return counts + [(code, _twofold(code)) for code in twofold] + marks


def _twofold(code: str) -> str:
    return f"surrender two cards; a hand that can't surrender plays {code[1:]}"


def _draw_letters(axes: Axes, letters: Iterable[tuple[str, str]], y: float) -> None:
    x = 0.0
    for letter, words in letters:
        edges, colour = ((x, x + 1), (y - 0.45, y + 0.45)), np.array([[to_rgb(ACTIONS[letter].cell)]])
        axes.pcolormesh(*edges, colour, edgecolors=RULE, linewidth=0.6)
        _draw_code(axes, letter, x + 0.5, y)
        axes.text(x + 1.25, y, words, fontsize=8.2, va="center")
        x += 2.0 + 0.19 * len(words)


# --- What a decision is worth -----------------------------------------------------------------------------------------

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
    figure = _canvas(0.2 * rows + 1.2, title, rules, "heat map of the gap by two-card hand and upcard")
    norm = LogNorm(vmin=0.1, vmax=30, clip=True)
    half = WIDTH / 2
    panels = _place(figure, 0.95, half + 0.1, 0.75, TOP + 0.4), _place(figure, half + 0.65, 0.2, 0.75, TOP + 0.4)
    for axes, groups in zip(panels, ((hard,), (soft, pairs)), strict=True):
        row = 0
        for hands in groups:
            image = _draw_heat(axes, gap.loc[hands], play.loc[hands], norm, row)
            row += len(hands) + 1
        axes.set(xlim=(0, len(UPCARDS)), ylim=(rows, 0))
        axes.axis("off")
    bar = figure.colorbar(
        image, cax=_place(figure, 2.2, 2.2, 0.45, figure.get_figheight() - 0.6), orientation="horizontal"
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
        ink = INK if _is_light(CLOSE(norm(value))) else "white"
        axes.text(*place, said, fontsize=6.8, color=ink, ha="center", va="center")
    return mesh


def _is_light(colour: tuple[float, float, float, float]) -> bool:
    """Whether dark letters read better on a colour than white ones, by its relative luminance."""
    return float(np.dot((0.2126, 0.7152, 0.0722), np.array(colour[:3]) ** 2.2)) > 0.2


def _rounded(value: float) -> str:
    return f"{value:.0f}" if value >= 10 else f"{value:.1f}" if value >= 1 else f"{value:.2f}"


# --- How rounds end ---------------------------------------------------------------------------------------------------


@STYLE
def breakdown(returns: Returns, title: str = "How rounds end, and what each ending brings") -> Figure:
    """Return bars of what each way a round can end brings to the EV, in % of the initial wager."""
    events = sorted(returns.events, key=lambda event: -event.returned)
    brings = [100 * event.returned for event in events]
    first, last = events[0], events[-1]
    shows = (
        f"bars from {event_in_words(first.event)}, {first.returned:+.2%}, down to {event_in_words(last.event)}, "
        f"{last.returned:+.2%}; all together the EV, {returns.ev:+.4%}"
    )
    rows = len(events) + 1
    figure = _canvas(0.23 * rows + 0.85, title, returns.rules, shows)
    axes = _place(figure, 1.75, 2.2, 0.5, TOP + 0.3)
    axes.barh(range(len(events)), brings, color=[GAIN if value >= 0 else LOSS for value in brings], height=0.72)
    axes.barh(len(events), 100 * returns.ev, color=INK, height=0.72)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.axhline(len(events) - 0.5, color=RULE, linewidth=0.8)
    axes.set_yticks(range(rows), [*(event_in_words(event.event) for event in events), "EV, all together"])
    axes.set(ylim=(rows - 0.4, -0.6), xlabel="contribution to the EV, % of the initial wager")
    axes.tick_params(axis="y", length=0)
    shares = [f"{100 * event.probability:.4f}" for event in events]
    _column_of_numbers(axes, 1.17, "brings, %", [_signed(value) for value in [*brings, 100 * returns.ev]])
    _column_of_numbers(axes, 1.36, "of rounds, %", shares)
    return figure


def _signed(value: float) -> str:
    return f"{value:+.4f}".replace("-", "−") if value else "0"


def _column_of_numbers(axes: Axes, x: float, head: str, numbers: Sequence[str]) -> None:
    """Numbers beside the rows of a figure, right-aligned at `x` of its width."""
    place = axes.get_yaxis_transform()
    axes.text(x, -1.1, head, transform=place, fontsize=8, color=FAINT, ha="right", va="center")
    for row, number in enumerate(numbers):
        axes.text(x, row, number, transform=place, fontsize=8, ha="right", va="center")


# --- Witnesses --------------------------------------------------------------------------------------------------------

WITNESSES: Final = {"exact": (INK, "D"), "simulated": (GAIN, "o"), "published": (LOSS, "s")}
"""Colour and mark of each kind of witness."""


@STYLE
def witness_lines(
    witnesses: Sequence[Witness], rules: Mapping[str, Any] | RulesTuple, title: str = "The witnesses side by side"
) -> Figure:
    """Return the house edge as each witness has it, with how far it may be off, against the first one's."""
    said = "; ".join(f"{witness.name} {witness.house_edge:.4%}" for witness in witnesses)
    figure = _canvas(0.36 * len(witnesses) + 0.75, title, rules, f"the house edge, {said}")
    axes = _place(figure, 3.2, 1.2, 0.5, TOP + 0.2)
    axes.axvline(100 * witnesses[0].house_edge, color=INK, linewidth=0.8, linestyle=":")
    for row, witness in enumerate(witnesses):
        colour, mark = WITNESSES[witness.kind]
        low, edge, high = 100 * witness.low, 100 * witness.house_edge, 100 * witness.high
        axes.plot((low, high), (row, row), color=colour, linewidth=2, marker="|", markersize=9)
        axes.plot(edge, row, color=colour, marker=mark, markersize=6)
    axes.set_yticks(range(len(witnesses)), [witness.name for witness in witnesses])
    axes.set(ylim=(len(witnesses) - 0.4, -0.6), xlabel="house edge, % of the initial wager")
    axes.tick_params(axis="y", length=0)
    _column_of_numbers(axes, 1.18, "house edge, %", [witness.printed for witness in witnesses])
    return figure
