"""Returns: what a bet is worth, event by event, and the measures the trade quotes. Each is defined here, once.

Units are initial wagers, from the player's side: a negative EV is the player's loss.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm, sqrt
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    import pandas as pd

Method = Literal["exact", "float64"]


@dataclass(frozen=True)
class Event:
    """One way a round can end, or something paid on top of it."""

    event: str
    probability: float
    returned: float
    """Its part of the EV: probability × net result."""
    pays: Fraction | None = None
    """Net result to 1; None where it varies, as in a round that was split."""
    combinations: int | None = None
    """Exact number of deals, where they are counted as integers."""
    on_top: bool = False
    """Paid besides the event that ends the round: not a part of the probabilities' sum."""


@dataclass(frozen=True)
class Returns:
    """The return of one bet under one set of rules and one pay table."""

    game: str
    bet: str
    rules: Mapping[str, Any]
    paytable: str
    method: Method
    events: tuple[Event, ...]
    average_wager: float = 1.0
    """Expected total wagered in initial wagers, before a rescue takes some of it back."""
    ev_exact: Fraction | None = None
    stdev: float | None = None
    """Per round per initial wager; None where it is not known exactly."""
    hit_frequency: float | None = None
    """P(net result > 0); None where it is not known exactly."""
    skewness: float | None = None
    """E((net result − EV)³) / σ³; None where it is not known exactly, or nothing varies."""
    kurtosis: float | None = None
    """E((net result − EV)⁴) / σ⁴, by which simulated standard deviations scatter; None likewise."""
    details: Mapping[str, Any] = field(default_factory=dict)
    """What a game has to say besides, by name: JSON values and DataFrames."""

    @property
    def ev(self) -> float:
        """Expected net result per initial wager."""
        return float(self.ev_exact) if self.ev_exact is not None else sum(e.returned for e in self.events)

    @property
    def house_edge(self) -> float:
        """The expected loss per initial wager: −EV, and 0 rather than −0 of a fair bet."""
        return 0.0 - self.ev

    @property
    def element_of_risk(self) -> float:
        """Expected loss / expected total wagered."""
        return self.house_edge / self.average_wager

    @property
    def frame(self) -> "pd.DataFrame":
        """The events as a table: event, pays, combinations, probability, return, on_top."""
        import pandas as pd

        columns = ["event", "pays", "combinations", "probability", "return", "on_top"]
        rows = [(e.event, e.pays, e.combinations, e.probability, e.returned, e.on_top) for e in self.events]
        return pd.DataFrame(rows, columns=columns)

    def json(self) -> dict[str, Any]:
        """Everything as JSON values; the command line adds `seconds`."""
        return {
            "game": self.game,
            "bet": self.bet,
            "rules": dict(self.rules),
            "paytable": self.paytable,
            "method": self.method,
            "ev": self.ev,
            "ev_exact": str(self.ev_exact) if self.ev_exact is not None else None,
            "house_edge": self.house_edge,
            "element_of_risk": self.element_of_risk,
            "average_wager": self.average_wager,
            "stdev": self.stdev,
            "hit_frequency": self.hit_frequency,
            "skewness": self.skewness,
            "kurtosis": self.kurtosis,
            "events": [
                {
                    "event": e.event,
                    "pays": float(e.pays) if e.pays is not None else None,
                    "combinations": e.combinations,
                    "probability": e.probability,
                    "return": e.returned,
                    "on_top": e.on_top,
                }
                for e in self.events
            ],
            **{name: value for name, value in self.details.items() if not hasattr(value, "to_csv")},
        }

    def __repr__(self) -> str:
        """Return the one line that answers the usual question."""
        return (
            f"Returns({self.game}:{self.bet}, house edge {self.house_edge:.6%}, element of risk "
            f"{self.element_of_risk:.6%}, average wager {self.average_wager:.6f}, {self.method})"
        )


class Outcome(NamedTuple):
    """One way a round can end whose chance is known as a fraction."""

    event: str
    chance: Fraction
    net: Fraction
    """Net result in initial wagers."""


def exact_returns(
    game: str,
    bet: str,
    rules: Mapping[str, Any],
    paytable: str,
    outcomes: Iterable[Outcome],
    deals: int,
    details: Mapping[str, Any] | None = None,
) -> Returns:
    """Return what a bet is worth from outcomes that are all that can happen: fractions end to end.

    Outcomes of the same event become one row, which pays nothing in particular where their net results differ.

    deals : number of equally likely deals, which combinations are counted in. Where an event is a fraction of a deal,
            as in a shoe whose suits are not known, every deal counts as many as it takes to make them whole.
    """
    events: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.chance:
            events.setdefault(outcome.event, []).append(outcome)
    every = [outcome for rows in events.values() for outcome in rows]
    chances = {event: sum((row.chance for row in rows), Fraction(0)) for event, rows in events.items()}
    assert sum(chances.values()) == 1, f"{game}:{bet}: the chances sum to {sum(chances.values())}"
    counted = deals * lcm(*((chance * deals).denominator for chance in chances.values()))
    ev = sum((row.chance * row.net for row in every), Fraction(0))
    moments = {n: sum((row.chance * (row.net - ev) ** n for row in every), Fraction(0)) for n in (2, 3, 4)}
    variance = moments[2]
    return Returns(
        game=game,
        bet=bet,
        rules=rules,
        paytable=paytable,
        method="exact",
        events=tuple(
            Event(
                event=event,
                probability=float(chances[event]),
                returned=float(sum((row.chance * row.net for row in rows), Fraction(0))),
                pays=rows[0].net if len({row.net for row in rows}) == 1 else None,
                combinations=int(chances[event] * counted),
            )
            for event, rows in events.items()
        ),
        ev_exact=ev,
        stdev=sqrt(variance),
        hit_frequency=float(sum((row.chance for row in every if row.net > 0), Fraction(0))),
        skewness=float(moments[3]) / float(variance) ** 1.5 if variance else None,
        kurtosis=float(moments[4] / variance**2) if variance else None,
        details=details or {},
    )
