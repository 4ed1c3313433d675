"""Two charts compared: where they play differently, what both plays are worth, and what the difference costs.

The EVs are those of a total-dependent strategy: of all hands that a chart can't tell apart, as often as they are met.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from casinomath.charts import parse_code
from casinomath.errors import RequestError
from casinomath.kernels.actions import ACTIONS
from casinomath.strategy import Cell, Chart, Strategy

if TYPE_CHECKING:
    import pandas as pd

COLUMNS: Final = (
    *("hand", "cards", "suits", "doubles", "upcard", "code", "other_code"),
    *("play", "ev", "other_play", "other_ev", "loss", "frequency", "cost"),
)
"""`loss`: EV of the play less EV of the other; `cost`: that times how often a round meets the decision."""

NUMBERS: Final = ("ev", "other_ev", "loss", "frequency", "cost")

MET: Final = 1e-9
"""Decisions that the strategy meets less often are left out: it comes to them by play of its own that it avoids."""

AFTER_DOUBLE: Final = {"S": "stand", "R": "rescue", "D": "redouble"}

MARKED: Final = {
    "*": ("mixed", "suited", "spades"),
    "'": ("suited", "spades"),
    '"': ("spades",),
    "$": ("suited", "spades"),
}
"""The suits that each mark hits."""


def differences(strategy: Strategy, other: Chart) -> "pd.DataFrame":
    """Return the decisions that a strategy's chart and another one play differently, the costliest for the other first.

    strategy : total-dependent, which has an EV for everything that a chart can tell apart
    """
    import pandas as pd

    if strategy.strategy_class != "total_dependent":
        raise RequestError(f"the strategy is {strategy.strategy_class}; expected total_dependent")
    rows = [row for cell in strategy.cells if cell.frequency > MET for row in _row(strategy, other, cell)]
    table = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(NUMBERS, float))
    return table.sort_values("cost", ascending=False, ignore_index=True)


def _row(strategy: Strategy, other: Chart, cell: Cell) -> Iterator[tuple[Any, ...]]:
    """The row of a decision in which the charts differ, and what both say can be done there."""
    code, other_code = _code(strategy.chart, cell), _code(other, cell)
    if code is None or other_code is None or code == other_code:
        return
    prizes = bool(strategy.rules.get("super_bonus"))
    play, other_play = _play(code, cell, prizes), _play(other_code, cell, prizes)
    if play == other_play or not {play, other_play} <= cell.evs.keys():
        return
    ev, other_ev = cell.evs[play], cell.evs[other_play]
    decision = cell.hand, cell.cards, cell.suits, cell.doubles, cell.upcard
    cost = (ev - other_ev) * cell.frequency
    yield (*decision, code, other_code, play, ev, other_play, other_ev, ev - other_ev, cell.frequency, cost)


def _code(chart: Chart, cell: Cell) -> str | None:
    """A chart's code for a decision; after more doubles than it has tables for, that after the last it has."""
    if not cell.doubles:
        return chart.code(_table(cell), cell.hand, cell.upcard)
    stages = [f"after_{doubles}_doubles" for doubles in range(cell.doubles, 1, -1)] + ["after_double"]
    codes = (chart.code(f"{stage}_{_kind(cell)}", cell.hand, cell.upcard) for stage in stages)
    return next((code for code in codes if code is not None), None)


def _table(cell: Cell) -> str:
    return "pairs" if "split" in cell.evs else _kind(cell)


def _kind(cell: Cell) -> str:
    return "soft" if cell.hand.startswith("A-") else "hard"


def _play(code: str, cell: Cell, prizes: bool) -> str:
    """The action that a code says for a decision."""
    if cell.doubles:
        return AFTER_DOUBLE[code]
    read = parse_code(code, _table(cell), f"{cell.hand} against {cell.upcard}")
    cards = len(cell.cards.split()) if " " in cell.cards else int(cell.cards.rstrip("+"))
    if read.surrender and "surrender" in cell.evs:
        return "surrender"
    if cell.suits.partition(",")[0] in MARKED.get(read.mark, ()) and (read.mark != "$" or prizes):
        return "hit"
    return ACTIONS[read.action(cards)]
