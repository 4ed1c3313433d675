"""Charts drawn from results. Nothing is computed here: what a figure shows was worked out on lower floors.

A figure is a `matplotlib.figure.Figure` made without pyplot, with the rules in force printed on it, units on its axes
and a text for readers who can't see it (`alt_text`). Colours differ in lightness as well as in hue, so that a figure
keeps its sense in greyscale and for colour-blind readers, and no meaning is carried by a colour alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from textwrap import fill
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh
from matplotlib.colors import LinearSegmentedColormap, LogNorm, to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from pandas.io.formats.style import Styler

from casinomath.cards import UPCARDS
from casinomath.catalog import RulesTuple
from casinomath.returns import Returns
from casinomath.strategy import Chart, Strategy
from casinomath.witnesses import FAR, Witness
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
    frame: pd.DataFrame,
    caption: str = "",
    percent: Iterable[str] = (),
    places: int = 4,
    signed: bool = False,
    decimals: Mapping[str, int] = MappingProxyType({}),
) -> Styler:
    """Return a table as reports show it: text to the left, numbers to the right, underscores as spaces.

    percent  : columns that are shares, shown in percent
    places   : decimals of all numbers that are not whole
    decimals : of some columns, where they are others
    """
    shown = frame.rename(columns=lambda name: str(name).replace("_", " "))
    floats = [column for column in shown if shown[column].dtype.kind == "f"]
    shares = [name.replace("_", " ") for name in percent]
    own = {name.replace("_", " "): number for name, number in decimals.items()}
    sign = "+" if signed else ""
    formats: dict[Any, Any] = {
        column: f"{{:{sign},.{own.get(column, places)}{'%' if column in shares else 'f'}}}" for column in floats
    }
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


# --- Several bets, rules or decks side by side ------------------------------------------------------------------------

SERIES: Final = (
    *((INK, "o", "-"), ("#d98032", "s", "--"), ("#2b6cb0", "D", "-."), ("#14735f", "^", ":")),
    *(("#8a4fa3", "v", (0, (5, 1))), ("#9a9a9a", "P", (0, (1, 1))), ("#7a2a00", "X", (0, (3, 1, 1, 1)))),
)
"""Colour, mark and dashes of each line of a figure: no two are told apart by their colour alone."""


@STYLE
def bars(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    value: str,
    label: str,
    beside: Mapping[str, str] = MappingProxyType({}),
) -> Figure:
    """Return bars of a share, in percent, with its number and others beside each.

    frame  : names in its first column, and the columns `value` and `beside`
    beside : column → its head; those columns are text
    """
    names, shares = frame.iloc[:, 0].astype(str), 100 * frame[value]
    said = "; ".join(f"{name} {share:.3f}%" for name, share in zip(names, shares, strict=True))
    figure = _canvas(0.27 * len(frame) + 0.9, title, rules, f"bars of the {label}, {said}")
    axes = _place(figure, 2.3, 0.85 * (1 + len(beside)) + 0.2, 0.5, TOP + 0.3)
    axes.barh(range(len(frame)), shares, color=[LOSS if share >= 0 else GAIN for share in shares], height=0.7)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(frame)), list(names))
    axes.set(ylim=(len(frame) - 0.4, -0.6), xlabel=label)
    axes.tick_params(axis="y", length=0)
    across = axes.get_position().width * WIDTH
    columns = {"%": [f"{share:.3f}".replace("-", "−") for share in shares]}
    columns |= {head: list(frame[name].astype(str)) for name, head in beside.items()}
    for place, (head, numbers) in enumerate(columns.items(), start=1):
        _column_of_numbers(axes, 1 + 0.85 * place / across, head, numbers)
    return figure


@STYLE
def curves(
    frame: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str,
    axes_labels: tuple[str, str],
    marks: bool = True,
    uprights: Mapping[str, float] = MappingProxyType({}),
) -> Figure:
    """Return lines over a shared axis, each with its name at its end, marks and dashes of its own.

    frame       : the line's name, x and y in its first three columns
    axes_labels : of x and of y, with their units
    marks       : draw a mark at every point; False for lines of many points
    uprights    : places on the axis of x that are worth a line, by what they are
    """
    name, x, y = frame.columns[:3]
    lines = {str(key): rows.sort_values(x) for key, rows in frame.dropna(subset=[y]).groupby(name, sort=False)}
    ends = "; ".join(
        f"{key} from {rows[y].iloc[0]:.4g} at {rows[x].iloc[0]:,g} to {rows[y].iloc[-1]:.4g} at {rows[x].iloc[-1]:,g}"
        for key, rows in lines.items()
    )
    figure = _canvas(3.6, title, rules, f"{axes_labels[1]} by {axes_labels[0]}: {ends}")
    axes = _place(figure, 0.75, 2.5, 0.55, TOP + 0.1)
    for (colour, mark, dashes), (_key, rows) in zip(_series(len(lines)), lines.items(), strict=True):
        shown = {"marker": mark, "markersize": 5.5, "markerfacecolor": "white"} if marks else {}
        axes.plot(rows[x], rows[y], color=colour, linestyle=dashes, linewidth=1.6, **shown)
    if axes.get_ylim()[0] < 0 < axes.get_ylim()[1]:
        axes.axhline(0, color=INK, linewidth=0.8)
    for line, (words, place) in enumerate(uprights.items()):
        axes.axvline(place, color=FAINT, linewidth=0.8, linestyle=":")
        spot = (place, 0.98 - 0.06 * line)
        axes.text(*spot, f" {words}", transform=axes.get_xaxis_transform(), fontsize=7.5, color=FAINT, va="top")
    axes.set(xlabel=axes_labels[0], ylabel=axes_labels[1])
    axes.grid(axis="y", color=RULE, linewidth=0.5)
    places = sorted(frame[x].unique())
    if len(places) <= 6:
        axes.set_xticks(places)
    else:
        axes.xaxis.set_major_formatter("{x:,.10g}")
    last = {key: (rows[x].iloc[-1], rows[y].iloc[-1]) for key, rows in lines.items()}
    _name_ends(axes, last, marks)
    return figure


def _series(number: int) -> list[tuple[str, str, Any]]:
    return [SERIES[place % len(SERIES)] for place in range(number)]


def _name_ends(axes: Axes, last: Mapping[str, tuple[float, float]], marks: bool) -> None:
    """Names to the right of the axes, at the heights of their lines' ends as far as there is room."""
    low, high = axes.get_ylim()
    gap = 0.062 * (high - low)
    order = sorted(last, key=lambda name: last[name][1])
    heights = [last[name][1] for name in order]
    for place in range(1, len(heights)):
        heights[place] = max(heights[place], heights[place - 1] + gap)
    over = max(0.0, heights[-1] - high)
    for place in reversed(range(len(heights))):
        room = high - gap * (len(heights) - 1 - place)
        heights[place] = min(heights[place], room) if over else heights[place]
    styles = dict(zip(last, _series(len(last)), strict=True))
    frame = axes.get_yaxis_transform()
    for name, height in zip(order, heights, strict=True):
        colour, mark, dashes = styles[name]
        axes.plot((1.015, 1.065), (height, height), color=colour, linestyle=dashes, transform=frame, clip_on=False)
        if marks:
            spot = {"marker": mark, "markersize": 5.5, "markerfacecolor": "white"}
            axes.plot((1.04,), (height,), color=colour, transform=frame, clip_on=False, **spot)
        axes.text(1.08, height, name, transform=frame, fontsize=8.2, va="center")
    axes.set_ylim(low, high)


EDGES: Final = LinearSegmentedColormap.from_list("edges", ["#ffffff", "#f8dfbd", "#e59c2c", "#8a4a0c"])
"""Lighter for a small house edge, darker for a large one."""


@STYLE
def edge_grid(
    frame: pd.DataFrame, rules: Mapping[str, Any] | RulesTuple, title: str, axes_labels: tuple[str, str]
) -> Figure:
    """Return house edges of pay tables by rule as a grid of numbers, the printed combinations framed.

    frame : the row, the column, house_edge, and printed: whether a document prints the table for that column's rule
    A house edge below zero, where the player has the advantage, is hatched.
    """
    row, column = frame.columns[:2]
    rows, columns = list(dict.fromkeys(frame[row])), list(dict.fromkeys(frame[column]))
    known = frame.dropna(subset=["house_edge"])
    printed = "; ".join(
        f"{cell[0]} at {cell[1]} {cell[2]:.2%}"
        for cell in known[known["printed"]][[row, column, "house_edge"]].itertuples(index=False)
    )
    figure = _canvas(
        0.34 * len(rows) + 0.85, title, rules, f"house edges by {row} and {column}; printed ones: {printed}"
    )
    axes = _place(figure, 2.4, 1.9, 0.3, TOP + 0.45)
    top = max(0.01, float(known["house_edge"].max()))
    for cell in known.itertuples(index=False):
        y, x, edge = rows.index(cell[0]), columns.index(cell[1]), float(cell.house_edge)
        colour = EDGES(max(0.0, edge) / top)
        hatch = {"hatch": "////", "edgecolor": "#9cc3e6"} if edge < 0 else {"edgecolor": "white"}
        axes.add_patch(Rectangle((x, y), 1, 1, facecolor=colour, linewidth=1, **hatch))
        ink = INK if _is_light(colour) else "white"
        said = f"{100 * edge:.3f}".replace("-", "−")
        weight = "bold" if cell.printed else "normal"
        axes.text(x + 0.5, y + 0.52, said, fontsize=8.6, color=ink, fontweight=weight, ha="center", va="center")
        if cell.printed:
            axes.add_patch(
                Rectangle((x + 0.03, y + 0.06), 0.94, 0.88, fill=False, edgecolor=INK, linewidth=1.8, zorder=3)
            )
    axes.set(xlim=(0, len(columns)), ylim=(len(rows), 0))
    axes.set_xticks(np.arange(len(columns)) + 0.5, [str(each) for each in columns])
    axes.set_yticks(np.arange(len(rows)) + 0.5, [str(each) for each in rows])
    axes.tick_params(length=0, labeltop=True, labelbottom=False)
    axes.xaxis.set_label_position("top")
    axes.set(xlabel=axes_labels[1], ylabel=axes_labels[0])
    for spine in axes.spines.values():
        spine.set_visible(False)
    key = ["house edge, %", *["framed: printed so"] * bool(known["printed"].any())]
    key += ["hatched: the player", "has the advantage"] * bool((known["house_edge"] < 0).any())
    for line, words in enumerate(key):
        axes.text(1.03, 0.35 + 0.62 * line, words, transform=axes.get_yaxis_transform(), fontsize=7.8, color=FAINT)
    return figure


# --- What a change does -----------------------------------------------------------------------------------------------


@STYLE
def tornado(
    changes: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What each rule is worth, one change at a time",
) -> Figure:
    """Return what changes do to a house edge in percentage points, the largest first.

    changes : change, in words, and change_in_house_edge
    """
    rows = changes.sort_values("change_in_house_edge", key=abs, ascending=False)
    points = [100 * value for value in rows["change_in_house_edge"]]
    said = "; ".join(f"{name} {value:+.3f}" for name, value in zip(rows["change"], points, strict=True))
    figure = _canvas(0.28 * len(rows) + 0.9, title, rules, f"changes of the house edge in percentage points, {said}")
    axes = _place(figure, 2.9, 1.0, 0.55, TOP + 0.3)
    axes.barh(range(len(rows)), points, color=[LOSS if value > 0 else GAIN for value in points], height=0.7)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(rows)), list(rows["change"]))
    axes.set(
        ylim=(len(rows) - 0.4, -0.6),
        xlabel="← player gains      change of the house edge, percentage points      house gains →",
    )
    axes.tick_params(axis="y", length=0)
    reach = 1.08 * max(map(abs, points), default=1.0)
    axes.set_xlim(-reach, reach)
    _column_of_numbers(axes, 1.13, "points", [_signed(value) for value in points])
    return figure


@STYLE
def removal(
    effects: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "What a card is worth: effects of removal",
) -> Figure:
    """Return what the EV gains or loses when a card is taken out of the shoe, in percentage points per deck.

    effects : card, effect_per_deck, and where somebody publishes them, published ones, NaN elsewhere
    """
    points = 100 * effects["effect_per_deck"]
    said = "; ".join(f"{card} {value:+.3f}" for card, value in zip(effects["card"], points, strict=True))
    figure = _canvas(3.1, title, rules, f"effects of removal per deck in percentage points, {said}")
    axes = _place(figure, 0.75, 0.3, 0.55, TOP + 0.15)
    places = np.arange(len(effects))
    axes.bar(places, points, color=[GAIN if value >= 0 else LOSS for value in points], width=0.66)
    if "published" in effects and effects["published"].notna().any():
        spot = {"color": INK, "marker": "s", "markersize": 5, "linestyle": "none", "markerfacecolor": "white"}
        axes.plot(places, 100 * effects["published"], label="published", **spot)
        axes.legend(frameon=False, loc="upper right")
    axes.axhline(0, color=INK, linewidth=0.8)
    for place, value in zip(places, points, strict=True):
        above = value >= 0
        offset = (0, 3 if above else -3)
        said = _points(value)
        align: Any = {"ha": "center", "va": "bottom" if above else "top", "fontsize": 8}
        axes.annotate(said, (place, value), offset, textcoords="offset points", **align)
    axes.margins(y=0.14)
    axes.set_xticks(places, list(effects["card"]))
    axes.set(xlabel="card removed", ylabel="EV change × decks, percentage points")
    axes.tick_params(axis="x", length=0)
    return figure


def _points(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−") if value else "0"


@STYLE
def chart_changes(
    codes: pd.DataFrame,
    rules: Mapping[str, Any] | RulesTuple,
    title: str = "Where the best play changes with the number of decks",
) -> Figure:
    """Return the cells in which some charts are not all alike: a row each, a column a chart, letters and colours.

    codes : decision in the first column, then a column of codes for each chart, headed by the decks it is for
    """
    decisions, charts = list(codes.iloc[:, 0]), [str(name) for name in codes.columns[1:]]
    half = (len(decisions) + 1) // 2
    plays = [str(code) for code in codes.iloc[:, 1:].to_numpy().ravel()]
    legend = _changes_legend(plays)
    figure = _canvas(CELL * (half + 4.4 + 0.9 * len(legend)), title, rules, _changes_in_words(codes))
    axes = _place(figure, 0.2, 0.2, 0.05)
    label, cell = 7.0, 1.5
    panel = label + cell * len(charts)
    axes.set(xlim=(0, 2 * panel + 1), ylim=(half + 4.2 + 0.9 * len(legend), 0))
    axes.axis("off")
    for side, start in enumerate(range(0, len(decisions), half or 1)):
        left = side * (panel + 1) + label
        axes.text(left - 0.3, 0.7, "decks", fontsize=7.5, color=FAINT, ha="right", va="center")
        for column, name in enumerate(charts):
            axes.text(left + cell * (column + 0.5), 0.7, name, fontsize=8, color=FAINT, ha="center", va="center")
        for row, (decision, *alike) in enumerate(codes.iloc[start : start + half].itertuples(index=False)):
            axes.text(left - 0.3, 1.7 + row, decision, fontsize=8.3, ha="right", va="center")
            for column, code in enumerate(alike):
                corner = (left + cell * column, 1.2 + row)
                colour = ACTIONS[code[0]].cell if code else "white"
                axes.add_patch(Rectangle(corner, cell, 1, facecolor=colour, edgecolor="white", linewidth=1.4))
                if code:
                    _draw_code(axes, code, corner[0] + cell / 2, corner[1] + 0.52)
    x, y = 0.3, half + 2.6
    for letter, action in ACTIONS.items():
        if any(code.startswith(letter) for code in plays):
            words = "surrender, rescue after a double" if letter == "R" else action.word
            axes.add_patch(Rectangle((x, y - 0.45), 1, 0.9, facecolor=action.cell, edgecolor=RULE, linewidth=0.6))
            _draw_code(axes, letter, x + 0.5, y)
            axes.text(x + 1.3, y, words, fontsize=8, va="center")
            x += 2.4 + 0.3 * len(words)
    for row, (mark, words) in enumerate(legend, start=1):
        axes.text(0.8, y + 0.3 + 0.9 * row, mark, fontsize=8.5, fontweight="bold", ha="center", va="center")
        axes.text(1.6, y + 0.3 + 0.9 * row, words, fontsize=8, va="center")
    return figure


def _changes_legend(plays: Sequence[str]) -> list[tuple[str, str]]:
    marks = [(mark, words) for mark, words in NOTATION.items() if any(mark in code for code in plays)]
    digits = any(character.isdigit() for code in plays for character in code)
    return [("5", "hit instead with so many cards or more")] * digits + marks


def _changes_in_words(codes: pd.DataFrame) -> str:
    rows = ("; ".join(f"{row[0]} {' '.join(map(str, row[1:]))}" for row in codes.itertuples(index=False))) or "none"
    return f"codes for {', '.join(map(str, codes.columns[1:]))}: {rows}"


# --- Simulations against calculations ---------------------------------------------------------------------------------


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
    figure = _canvas(0.25 * len(bets) + 1.1, title, rules, shows)
    axes = _place(figure, 3.0, 1.9, 0.55, TOP + 0.1)
    axes.axvspan(-2, 2, color="#eef1f4", linewidth=0)
    axes.axvline(0, color=INK, linewidth=0.8)
    for place in (-FAR, FAR):
        axes.axvline(place, color=LOSS, linewidth=1.2, linestyle="--")
    for (colour, mark, _), measure in zip(_series(len(measures)), measures, strict=True):
        rows = known[known["measure"] == measure]
        heights = [bets.index(bet) for bet in rows["bet"]]
        words = str(measure).replace("_", " ").replace("stdev", "standard deviation")
        spot = {
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
