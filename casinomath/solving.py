"""The inverse problem: what must an event pay for the house edge to be so much?

Method: where the EV is a fraction and linear in the pay, the pay is a fraction too: the line through two pays,
confirmed by pricing the answer. Where decisions depend on the pay, the best EV is convex in it, and made of straight
pieces: false position between two pays whose edges lie on either side of the target soon has both on one piece, whose
line then gives the answer in double precision. A game that can't price every pay says which is the nearest; the answer
is then one of those.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from casinomath import catalog
from casinomath.errors import RequestError
from casinomath.paytable import Dollars, MeterShare, Pay, PayTable
from casinomath.request import Named, Request, pay_text, resolve
from casinomath.strategy import Chart

if TYPE_CHECKING:
    from casinomath.returns import Returns

WITHIN: Final = 1e-12
"""How near to the target the edge at the answer is, in double precision."""

MOST: Final = Fraction(10**9)
"""No event pays more, to 1 or in dollars."""

STEPS: Final = 100
"""More than false position ever takes."""


@dataclass(frozen=True)
class Answer:
    """A pay that makes the house edge what it should be."""

    request: Request
    """What was asked, with the pay that the table prints."""
    event: str
    target: Fraction
    """The house edge asked for."""
    pay: Pay
    """The answer: where it is not exact, the fraction that a number in double precision is."""
    returns: "Returns"
    """What the bet is worth at the pay."""
    tolerance: float
    """How far the pay may be off; 0 where it is exact."""
    whole: tuple[tuple[Pay, float], ...]
    """The whole pays on either side, to 1 or in dollars or per cent of the meter, with their house edges."""

    @property
    def exact(self) -> bool:
        """Whether the pay is exact."""
        return self.tolerance == 0

    def json(self) -> dict[str, Any]:
        """Everything as JSON values."""
        return {
            **self.request.json(),
            "event": self.event,
            "target": float(self.target),
            "printed": typed(self.request.paytable.pays[self.event]),
            "pay": typed(self.pay),
            "pays": float(number_of(self.pay)),
            "pays_exact": str(number_of(self.pay)) if self.exact else None,
            "method": "exact" if self.exact else "float64",
            "tolerance": self.tolerance,
            "house_edge": self.returns.house_edge,
            "ev": self.returns.ev,
            "ev_exact": None if self.returns.ev_exact is None else str(self.returns.ev_exact),
            "whole": [{"pay": typed(pay), "house_edge": edge} for pay, edge in self.whole],
        }

    def __repr__(self) -> str:
        """Return one line."""
        return (
            f"Answer({self.event} pays {typed(self.pay)}, house edge {self.returns.house_edge:z.6%}, "
            f"{'exact' if self.exact else f'within {self.tolerance:.1g}'})"
        )


def solve(
    game: str,
    event: str,
    edge: str | float | Fraction,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
) -> Answer:
    """Return what an event must pay for the house edge to be so much.

    event : a line of the pay table; the answer is of its kind: odds to 1, dollars, or a share of the meter
    edge  : "3%", "0.03", 0.03 or a Fraction; below 0 for an edge of the player
    All else is what `evaluate` takes. Raises RequestError for an edge that no pay gives, saying which can be had.
    """
    target = read_edge(edge)
    request = resolve(game, rules, paytable, change, pay, shoe, strategy, meter)
    priced = Priced(request, event)
    request.check()
    number, tolerance = _solved(priced, target)
    number = number_of(priced.pay(number))
    return Answer(
        request=request,
        event=event,
        target=target,
        pay=priced.pay(number),
        returns=priced.returns(number),
        tolerance=tolerance,
        whole=tuple((priced.pay(near), float(priced.edge(near))) for near in priced.whole(number)),
    )


def read_edge(given: str | float | Fraction) -> Fraction:
    """Return a house edge: "3%" and "0.03" are the same; RequestError for what is none."""
    text = str(given).strip()
    try:
        edge = Fraction(text.removesuffix("%").strip()) / (100 if text.endswith("%") else 1)
    except (ValueError, ZeroDivisionError):
        raise RequestError(f"edge is {text!r}; expected a house edge such as 3% or 0.03") from None
    if abs(edge) >= 1 and not text.endswith("%") and isinstance(given, str):
        raise RequestError(f"edge is {text}, {edge * 100}% of the bet; expected a house edge such as 3% or 0.03")
    return edge


# --- A bet by the pay of one event --------------------------------------------------------------------------


class Priced:
    """A bet as a function of what one event pays, each pay priced once.

    A pay is a number here: odds to 1, dollars, or the share of the meter, as the table prints it.
    """

    def __init__(self, request: Request, event: str) -> None:
        request.paytable.with_pays({event: Fraction(0)})  # an unknown event is told
        self.request, self.event = request, event
        self.printed = request.paytable.pays[event]
        self.shares = isinstance(self.printed, MeterShare)
        self.most = Fraction(1) if self.shares else MOST
        self._known: dict[Fraction, Returns] = {}

    def pay(self, number: Fraction) -> Pay:
        """Return the pay of a number, or the nearest that the game can price."""
        if isinstance(self.printed, MeterShare):
            return MeterShare(number, self.printed.meter)
        if isinstance(self.printed, Dollars):
            return Dollars(number)
        nearest: Callable[[PayTable, str, Fraction], Fraction] | None = getattr(self.request.game, "nearest_pay", None)
        return number if nearest is None else nearest(self.request.paytable, self.event, number)

    def returns(self, number: Fraction) -> "Returns":
        """Price the bet at a pay."""
        pay = self.pay(number)
        number = number_of(pay)
        if number not in self._known:
            table = self.request.paytable.with_pays({self.event: pay})
            table = replace(table, name=f"{table.name} with {self.event}={typed(pay)}")
            self._known[number] = replace(self.request, paytable=table).price()
        return self._known[number]

    def edge(self, number: Fraction) -> Fraction:
        """Return the house edge at a pay: exact where it is known exactly, or else what the float says."""
        returns = self.returns(number)
        return -returns.ev_exact if returns.ev_exact is not None else Fraction(returns.house_edge)

    def whole(self, number: Fraction) -> list[Fraction]:
        """Return the whole pays around a number, which a house would print, or the number where it is one."""
        step = Fraction(1, 100) if self.shares else Fraction(1)
        below = number // step * step
        return [below] if below == number else [near for near in (below, below + step) if near <= self.most]


def _solved(priced: Priced, target: Fraction) -> tuple[Fraction, float]:
    """The pay that gives the edge, and how far it may be off: 0 where it is exact."""
    low = Fraction(0)
    high = _bracket(priced, target)
    if high == low:
        return low, 0.0
    if priced.returns(low).ev_exact is not None:
        at_low, at_high = priced.edge(low), priced.edge(high)
        number = low + (high - low) * (at_low - target) / (at_low - at_high)
        if priced.edge(number) == target:
            return number, 0.0
    return _false_position(priced, low, high, target)


def _bracket(priced: Priced, target: Fraction) -> Fraction:
    """A pay at which the edge is no more than the target, or 0 where it is that at 0; RequestError for none."""
    none = Fraction(0)
    highest = priced.edge(none)
    if abs(highest - target) <= WITHIN * (priced.returns(none).ev_exact is None):
        return none
    high = number_of(priced.printed) or Fraction(1)
    if highest < target and priced.edge(high) < highest:
        raise _out_of_reach(priced, target, none, "at most")
    if priced.edge(high) > target:
        # The edge falls ever faster as the pay goes up, so that the chord reaches the target too late. Twice as far:
        # no rounding error can matter.
        fall = highest - priced.edge(high)
        high = min(priced.most, 2 * high * (highest - target) / fall) if fall > 0 else priced.most
    if priced.edge(high) > target or priced.edge(high) == highest:
        high = priced.most
    if priced.edge(high) == highest:
        why = "the meter is empty" if priced.shares and not priced.request.options.get("meter") else "it never happens"
        raise RequestError(f"whatever {priced.event} pays, the house edge is {_percent(highest)}: {why}")
    if priced.edge(high) > target:
        raise _out_of_reach(priced, target, high, "at least")
    return high


def _out_of_reach(priced: Priced, target: Fraction, number: Fraction, bound: str) -> RequestError:
    return RequestError(
        f"no pay of {priced.event} makes the house edge {_percent(target)}: "
        f"it is {_percent(priced.edge(number))} {bound}, when {priced.event} pays {typed(priced.pay(number))}"
    )


def _false_position(priced: Priced, low: Fraction, high: Fraction, target: Fraction) -> tuple[Fraction, float]:
    """False position by the Illinois rule: an end that stays twice counts half.

    Ends where the edge jumps past the target too: play that ignores what split hands have in common can do that.
    """

    def above(number: Fraction) -> float:
        return float(priced.edge(number) - target)

    left, right = (float(low), above(low)), (float(high), above(high))
    best, moved = low if left[1] < -right[1] else high, 0
    slope = (left[1] - right[1]) / (right[0] - left[0])
    for _ in range(STEPS):
        middle = right[0] - right[1] * (right[0] - left[0]) / (right[1] - left[1])
        if not left[0] < middle < right[0]:
            break
        number = Fraction(middle)
        off = above(number)
        if abs(off) < abs(above(best)):
            slope = abs((off - above(best)) / float(number - best))
            best = number
        if abs(off) <= WITHIN:
            break
        if off > 0:
            left, right = (middle, off), (right[0], right[1] / 2 if moved > 0 else right[1])
            moved = 1
        else:
            left, right = (left[0], left[1] / 2 if moved < 0 else left[1]), (middle, off)
            moved = -1
    return best, max(WITHIN, abs(above(best))) / slope


# --- Pays as numbers and text -------------------------------------------------------------------------------


def number_of(pay: Pay) -> Fraction:
    """Return the number of a pay: odds to 1, dollars, or the share of the meter."""
    if isinstance(pay, MeterShare):
        return pay.share
    return pay.amount if isinstance(pay, Dollars) else pay


def typed(pay: Pay) -> str:
    """Return a pay as `--pay` takes it: `9:1`, `59:7`, `4.735212345678`, `$12.5`, `10% of meter`."""
    if isinstance(pay, Fraction):
        return pay_text(pay) if pay.denominator < 10**6 else _digits(pay)
    return f"{_digits(pay.share * 100)}% of {pay.meter}" if isinstance(pay, MeterShare) else f"${_digits(pay.amount)}"


def _digits(number: Fraction) -> str:
    return f"{float(number):.12f}".rstrip("0").rstrip(".")


def _percent(edge: Fraction) -> str:
    return f"{float(edge):z.6%}"
