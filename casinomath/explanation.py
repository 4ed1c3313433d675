"""Explanation: why a hand is played as it is, in tables that a person can follow.

The answer of the verb `explain(rules, paytable, *, cards, shown, …)` of a game with decisions. What each action is
worth comes first; the sections say where these numbers come from.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal, TypeAlias

Entry: TypeAlias = str | int | float | Fraction | None
"""What stands in a table; None is an empty place."""

Measure: TypeAlias = Literal["ev", "ev_no_dealer_blackjack"]
"""What the EVs of an explanation are given: nothing, or that the dealer has no blackjack."""


@dataclass(frozen=True)
class Section:
    """A part of an explanation: a table, notes below it, or either alone."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Entry, ...], ...] = ()
    notes: tuple[str, ...] = ()
    percent: tuple[str, ...] = ()
    """Columns that are probabilities, which people read in percent."""

    def column(self, name: str) -> tuple[Entry, ...]:
        """Return the entries of one column."""
        place = self.columns.index(name)
        return tuple(row[place] for row in self.rows)

    def json(self) -> dict[str, Any]:
        """Everything as JSON values, a row as names with entries."""
        return {
            "title": self.title,
            "rows": [
                {name: _number(entry) for name, entry in zip(self.columns, row, strict=True)} for row in self.rows
            ],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Explanation:
    """What every action on a hand is worth, and why."""

    game: str
    question: str
    """`7s 8h against 9`."""
    rules: Mapping[str, Any]
    paytable: str
    measure: Measure
    evs: Mapping[str, float | Fraction]
    """Expected net result of every action the table allows, in initial wagers."""
    best: str
    """The action to take; ties are broken as everywhere (see `strategy`)."""
    sections: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    """How the question was understood, and what the numbers assume."""

    @property
    def gap(self) -> float | None:
        """What the best action gains over the second best; None where there is no second."""
        ranked = sorted(self.evs.values(), reverse=True)
        return float(ranked[0] - ranked[1]) if len(ranked) > 1 else None

    def section(self, title: str) -> Section:
        """Return the section with that title."""
        return next(section for section in self.sections if section.title == title)

    def json(self) -> dict[str, Any]:
        """Everything as JSON values, as the command line prints it."""
        exact = {action: str(ev) for action, ev in self.evs.items() if isinstance(ev, Fraction)}
        return {
            "game": self.game,
            "question": self.question,
            "rules": dict(self.rules),
            "paytable": self.paytable,
            "measure": self.measure,
            "evs": {action: float(ev) for action, ev in self.evs.items()},
            "evs_exact": exact or None,
            "best": self.best,
            "gap": self.gap,
            "sections": [section.json() for section in self.sections],
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        """Return one line."""
        return (
            f"Explanation({self.game}, {self.question}: {self.best}, {self.measure} {float(self.evs[self.best]):+.6f})"
        )


def _number(entry: Entry) -> str | int | float | None:
    return float(entry) if isinstance(entry, Fraction) else entry
