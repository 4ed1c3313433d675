"""Two charts compared: where they play differently, what both plays are worth, and what the difference costs.

The EVs are those of a total-dependent strategy that goes on as it does, as often as it comes to decide: the cost of a
decision is exactly what the round loses, were it alone taken as the other chart takes it. Decisions under one entry of
a chart are never met by the same hand, so their costs add up exactly; those of different entries may interact.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from casinomath.cards import VALUES
from casinomath.errors import RequestError
from casinomath.kernels.actions import ACTIONS, Policy
from casinomath.kernels.hands import hands
from casinomath.strategy import Cell, Chart, Strategy

if TYPE_CHECKING:
    import pandas as pd

ENTRY: Final = ("table", "row", "upcard", "code", "other_code")
"""What is read off a chart: a table's row and column, and what stands there in both charts."""
COLUMNS: Final = (
    *("hand", "cards", "suits", "doubles", "after_split", "upcard", "table", "row", "code", "other_code"),
    *("play", "ev", "other_play", "other_ev", "loss", "frequency", "cost"),
)
"""`loss`: EV of the play less EV of the other; `cost`: that times how often a round meets the decision."""

NUMBERS: Final = ("ev", "other_ev", "loss", "frequency", "cost")
EXCEPTION: Final = ("hand", "cards", "upcard", "play", "ev", "chart_play", "chart_ev", "loss", "frequency", "cost")


def differences(strategy: Strategy, other: Strategy) -> "pd.DataFrame":
    """Return the decisions that two total-dependent strategies of one table take differently, the costliest first.

    Decisions that the strategy never meets are left out. `other` is what the chart to compare with plays: see the
    `chart` of a game's `strategy`.
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
        if cell.frequency > 0
        for row in _row(cell, plays[_decision(cell)], strategy.chart, other.chart)
    ]
    table = pd.DataFrame(rows, columns=list(COLUMNS)).astype(dict.fromkeys(NUMBERS, float))
    return table.sort_values("cost", ascending=False, ignore_index=True)


def exceptions(best: Strategy, chart: Strategy) -> "pd.DataFrame":
    """Return the hands that the best play plays otherwise than a chart does, the costliest first; see EXCEPTION.

    best  : composition_dependent
    chart : total_dependent, of the same table
    EVs and frequencies are those of the best play: what an exception brings, were it alone made. Hands whose suits are
    told apart, and what is done after a double, are left out.
    """
    import pandas as pd

    for one, wanted in ((best, "composition_dependent"), (chart, "total_dependent")):
        if one.strategy_class != wanted or not isinstance(one.policy, Policy):
            raise RequestError(f"a strategy is {one.strategy_class}; expected a {wanted} one, with one policy")
    if (best.rules, best.paytable) != (chart.rules, chart.paytable):
        raise RequestError("the strategies to compare are of different tables; expected the same rules and pay table")
    rows = []
    for cell in best.cells:
        if cell.doubles or cell.suits or not cell.frequency:
            continue
        play = _play_of(chart.policy, cell)
        if play != cell.action and play in cell.evs:
            ev, other = cell.evs[cell.action], cell.evs[play]
            decision, cost = (cell.hand, cell.cards, cell.upcard), (ev - other) * cell.frequency
            rows.append((*decision, cell.action, ev, play, other, ev - other, cell.frequency, cost))
    table = pd.DataFrame(rows, columns=list(EXCEPTION)).astype(dict.fromkeys(EXCEPTION[-3:], float))
    return table.sort_values("cost", ascending=False, ignore_index=True)


def _play_of(policy: object, cell: Cell) -> str:
    """What a policy does with the cards of a cell."""
    assert isinstance(policy, Policy)
    lattice, row, cards = hands(), 0, cell.cards.split()
    for card in cards:
        row = int(lattice.child[row, VALUES.index(card)])
    play = policy.first if len(cards) == 2 else policy.play
    return ACTIONS[play[VALUES.index(cell.upcard), row]]


def entries(differences: "pd.DataFrame") -> "pd.DataFrame":
    """Return differences by the entry of the chart that they stand under: both codes, frequency and cost."""
    by_entry = differences.groupby(list(ENTRY), as_index=False, sort=False)[["frequency", "cost"]].sum()
    return by_entry.sort_values("cost", ascending=False, ignore_index=True)


def _decision(cell: Cell) -> tuple[str | int, ...]:
    return cell.hand, cell.cards, cell.suits, cell.doubles, cell.after_split, cell.upcard


def _row(cell: Cell, other_play: str, chart: Chart, other: Chart) -> Iterator[tuple[Any, ...]]:
    if cell.action == other_play:
        return
    table, code = _entry(chart, cell)
    ev, other_ev = cell.evs[cell.action], cell.evs[other_play]
    yield (
        *(*_decision(cell), table, cell.hand, code, _entry(other, cell)[1], cell.action, ev, other_play, other_ev),
        *(ev - other_ev, cell.frequency, (ev - other_ev) * cell.frequency),
    )


def _entry(chart: Chart, cell: Cell) -> tuple[str, str]:
    """The table and the code that say a decision; after more doubles than a chart has tables for, those of the last."""
    kind = "soft" if cell.hand.startswith("A-") else "hard"
    tables = ["pairs" if "split" in cell.evs else kind]
    if cell.doubles:
        stages = [f"after_{doubles}_doubles" for doubles in range(cell.doubles, 1, -1)] + ["after_double"]
        tables = [f"{stage}_{kind}" for stage in stages]
    found = ((table, code) for table in tables if (code := chart.code(table, cell.hand, cell.upcard)) is not None)
    return next(found, (tables[-1], ""))
