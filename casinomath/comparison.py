"""Two charts compared: where they play differently, what both plays are worth, and what the difference costs.

The EVs are those of a total-dependent strategy: of all hands that a chart can't tell apart, as often as they are met.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from casinomath.errors import RequestError
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


def differences(strategy: Strategy, other: Strategy) -> "pd.DataFrame":
    """Return the decisions that two total-dependent strategies of one table take differently, the costliest first.

    `other` is what the chart to compare with plays: see the `chart` of a game's `strategy`.
    """
    import pandas as pd

    for one in (strategy, other):
        if one.strategy_class != "total_dependent":
            raise RequestError(f"a strategy to compare is {one.strategy_class}; expected total_dependent")
    if (strategy.rules, strategy.paytable) != (other.rules, other.paytable):
        raise RequestError("the strategies to compare are of different tables; expected the same rules and pay table")
    plays = {_decision(cell): cell.action for cell in other.cells}
    rows = [
        row
        for cell in strategy.cells
        if cell.frequency > MET
        for row in _row(cell, plays[_decision(cell)], _code(strategy.chart, cell), _code(other.chart, cell))
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(NUMBERS, float))
    return table.sort_values("cost", ascending=False, ignore_index=True)


def _decision(cell: Cell) -> tuple[str | int, ...]:
    return cell.hand, cell.cards, cell.suits, cell.doubles, cell.upcard


def _row(cell: Cell, other_play: str, code: str, other_code: str) -> Iterator[tuple[Any, ...]]:
    if cell.action == other_play:
        return
    ev, other_ev = cell.evs[cell.action], cell.evs[other_play]
    cost = (ev - other_ev) * cell.frequency
    yield (
        *(*_decision(cell), code, other_code, cell.action, ev, other_play, other_ev),
        *(ev - other_ev, cell.frequency, cost),
    )


def _code(chart: Chart, cell: Cell) -> str:
    """What a chart prints for a decision; after more doubles than it has tables for, that after the last it has."""
    kind = "soft" if cell.hand.startswith("A-") else "hard"
    tables = ["pairs" if "split" in cell.evs else kind]
    if cell.doubles:
        stages = [f"after_{doubles}_doubles" for doubles in range(cell.doubles, 1, -1)] + ["after_double"]
        tables = [f"{stage}_{kind}" for stage in stages]
    return next((code for table in tables if (code := chart.code(table, cell.hand, cell.upcard)) is not None), "")
