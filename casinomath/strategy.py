"""Strategy: for every hand and upcard the best action, and what each action is worth.

Ties are broken in one way everywhere: the smaller additional wager wins, and among equals the first of stand, hit,
surrender. It changes the average wager and the element of risk, never the EV.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from casinomath.cards import UPCARDS
from casinomath.errors import unknown

if TYPE_CHECKING:
    import pandas as pd

StrategyClass = Literal["composition_dependent", "total_dependent"]


@dataclass(frozen=True)
class Cell:
    """One decision: a hand against an upcard."""

    hand: str
    """As charts name it: `16`, `A-7`, `8-8`."""
    cards: str
    """Composition-dependent: the cards, `7 9` or `7s 7s`; total-dependent: how many, `2` to `7+`."""
    upcard: str
    action: str
    evs: Mapping[str, float]
    """EV of every action the table allows, in initial wagers, given no dealer blackjack."""
    frequency: float
    """How often a round meets the decision, P(no dealer blackjack) included."""
    doubles: int = 0
    """Doubles made before it."""
    suits: str = ""
    """Where suits matter, the class of them: `mixed`, `suited`, `spades`, …"""
    free: bool = False
    """The hand is one of a split and carries a free bet: it has nothing to lose, and is played otherwise."""
    after_split: bool = False
    """Of a split round, where a total-dependent strategy decides its hands apart."""

    @property
    def gap(self) -> float:
        """What the best action gains over the second best."""
        ranked = sorted(self.evs.values(), reverse=True)
        return ranked[0] - ranked[1] if len(ranked) > 1 else float("inf")


@dataclass(frozen=True)
class Chart:
    """A strategy a person can use: tables of codes by hand and upcard.

    A code is H hit, S stand, D double, P split, R surrender (after a double: rescue); D after a double is a redouble.
    `DS`: double if allowed, else stand (`D` alone: else hit). `RH` or `RS`: surrender if allowed, else hit or stand. A
    digit n: hit instead with n or more cards. Then marks on two-card hands that can become a 6-7-8: `*` hit them all,
    `'` hit one-suit ones, `"` hit spades; `$` hit suited 7-7.
    """

    name: str
    tables: Mapping[str, Mapping[str, Mapping[str, str]]]
    """table → hand → upcard → code; the tables are `hard`, `soft`, `pairs`, `after_double_hard`, `after_double_soft`,
    and, where play differs, `after_2_doubles_hard`, `after_3_doubles_soft`, …; `free_hard` and `free_soft` are those of
    split hands that carry free bets."""
    source: str = ""

    def code(self, table: str, hand: str, upcard: str) -> str | None:
        """Return the code of a cell, or None where the chart has no such cell."""
        return self.tables.get(table, {}).get(hand, {}).get(upcard)

    def __iter__(self) -> Iterator[tuple[str, str, str, str]]:
        """Yield (table, hand, upcard, code)."""
        for table, hands in self.tables.items():
            for hand, codes in hands.items():
                for upcard, code in codes.items():
                    yield table, hand, upcard, code

    def frame(self, table: str) -> "pd.DataFrame":
        """One table as hands × upcards."""
        import pandas as pd

        if table not in self.tables:
            raise unknown("chart table", table, self.tables)
        return pd.DataFrame(self.tables[table]).T.reindex(columns=self.columns(table))

    def columns(self, table: str) -> list[str]:
        """The columns of a table: upcards, or what a game without them has instead."""
        columns = list(dict.fromkeys(column for codes in self.tables[table].values() for column in codes))
        return list(UPCARDS) if set(columns) <= set(UPCARDS) else columns

    def text(self) -> str:
        """Return the chart as plain text, `-` where it has no cell; a chart file may hold it."""
        lines = []
        for table, hands in self.tables.items():
            lines.append(table.replace("_", " "))
            columns = self.columns(table)
            lines.append("      " + "".join(f"{upcard:>5}" for upcard in columns))
            for hand, codes in hands.items():
                lines.append(f"{hand:>6}" + "".join(f"{codes.get(upcard, '-'):>5}" for upcard in columns))
            lines.append("")
        return "\n".join(lines)

    def differences(self, other: "Chart") -> "pd.DataFrame":
        """Return the cells on which two charts differ: table, hand, upcard and both codes."""
        import pandas as pd

        rows = [
            (table, hand, upcard, code, theirs)
            for table, hand, upcard, code in self
            if (theirs := other.code(table, hand, upcard)) is not None and theirs != code
        ]
        return pd.DataFrame(rows, columns=["table", "hand", "upcard", self.name, other.name])


@dataclass(frozen=True)
class Strategy:
    """The best play under one set of rules, with the EV of every action."""

    game: str
    rules: Mapping[str, Any]
    paytable: str
    strategy_class: StrategyClass
    cells: tuple[Cell, ...]
    chart: Chart
    """The chart derived from the decisions; for a total-dependent strategy it is the strategy."""
    policy: object = field(repr=False)
    """What a simulator of the game plays by: every decision as arrays, in the game's own form."""

    @property
    def frame(self) -> "pd.DataFrame":
        """One row a cell: hand, cards, suits, doubles, upcard, action, EVs, gap, frequency."""
        import pandas as pd

        actions = sorted({action for cell in self.cells for action in cell.evs})
        rows = [
            {
                "hand": c.hand,
                "cards": c.cards,
                "suits": c.suits,
                "doubles": c.doubles,
                "free": c.free,
                "after_split": c.after_split,
                "upcard": c.upcard,
                "action": c.action,
                "gap": c.gap,
                "frequency": c.frequency,
                **{f"ev_{action}": c.evs.get(action, float("nan")) for action in actions},
            }
            for c in self.cells
        ]
        return pd.DataFrame(rows)

    def json(self) -> dict[str, Any]:
        """Everything as JSON values, as the command line prints it."""
        return {
            "game": self.game,
            "rules": dict(self.rules),
            "paytable": self.paytable,
            "class": self.strategy_class,
            "cells": [
                {
                    "hand": c.hand,
                    "cards": c.cards,
                    "suits": c.suits,
                    "doubles": c.doubles,
                    "free": c.free,
                    "after_split": c.after_split,
                    "upcard": c.upcard,
                    "action": c.action,
                    "evs": dict(c.evs),
                    "frequency": c.frequency,
                }
                for c in self.cells
            ],
            "chart": {
                table: {hand: dict(codes) for hand, codes in rows.items()} for table, rows in self.chart.tables.items()
            },
        }

    def find(self, cards: str, upcard: str, doubles: int = 0, *, free: bool = False) -> tuple[Cell, ...]:
        """Return the cells of a hand, by its name (`16`) or its cards (`7 9`), against an upcard.

        free : as one that carries a free bet
        """
        upcards = {c.upcard for c in self.cells}
        if upcard not in upcards:
            raise unknown("upcard", upcard, [up for up in UPCARDS if up in upcards] or upcards)
        found = tuple(
            c
            for c in self.cells
            if cards in (c.hand, c.cards) and (c.upcard, c.doubles, c.free) == (upcard, doubles, free)
        )
        if not found:
            raise unknown("hand", cards, _names(self.cells))
        return found

    def __repr__(self) -> str:
        """Return one line."""
        return f"Strategy({self.game}, {self.strategy_class}, {len(self.cells)} cells)"


def _names(cells: Iterable[Cell]) -> list[str]:
    return sorted({cell.hand for cell in cells})
