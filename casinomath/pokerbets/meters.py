"""Progressive meters of poker bets: what hands are paid from them, and at what meter a bet is fair.

Every award is paid in order of seat from what those before left on its meter; what a meter is reset to counts from the
next round.
"""

from collections.abc import Collection, Iterable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from casinomath.errors import RequestError
from casinomath.money import check_meter
from casinomath.paytable import METERS, Dollars, MeterShare, PayTable

SINGLE = METERS[0]
"""The meter of a table that has only one: what it shows is asked beside the rules."""

NAMED = METERS[1:]
"""Those of a table with several: what each shows is a rule."""


class Prize(NamedTuple):
    """What is paid, in wagers and as a part of what a meter showed when the round began."""

    fixed: Fraction = Fraction(0)
    meter: str = ""
    share: Fraction = Fraction(0)

    def less(self, taken: Iterable["Prize"]) -> "Prize":
        """Return the prize when others were paid before."""
        share = self.share
        for other in taken:
            if other.meter == self.meter:
                share *= 1 - other.share
        return self._replace(share=share)


def prize_of(paytable: PayTable, event: str) -> Prize:
    """Return what an event pays; a wager that is lost, where the table has no such line, is none of it."""
    pay = paytable.pays.get(event)
    if isinstance(pay, MeterShare):
        return Prize(meter=pay.meter, share=pay.share)
    # odds to 1 are what comes back for a lost wager, less that wager
    return Prize(pay + 1) if isinstance(pay, Fraction) else Prize()


def check_shares(paytable: PayTable, awards: Collection[str], fixed: Collection[str]) -> None:
    """Raise RequestError unless awards pay odds or a share of a meter, and other lines odds."""
    for event in (*awards, *fixed):
        pay = paytable.pays.get(event)
        if isinstance(pay, Dollars) or (isinstance(pay, MeterShare) and event not in awards):
            expected = "odds such as 300 for 1" + " or a share such as 10% of meter" * (event in awards)
            raise RequestError(f"pay table {paytable.name}: {event} pays {pay}; expected {expected}")


def used(paytable: PayTable) -> list[str]:
    """Return the meters that a table pays from."""
    paid = {pay.meter for pay in paytable.pays.values() if isinstance(pay, MeterShare)}
    return [meter for meter in METERS if meter in paid]


def read(paytable: PayTable, named: Mapping[str, float], meter: float | Fraction | None) -> dict[str, Fraction]:
    """Return the dollars on each meter that a table pays from.

    named : dollars on the meters of a table with several
    meter : dollars on the meter of a table with one; without it, $0
    Raises RequestError for an amount that makes no sense, and for a meter that the table pays nothing from.
    """
    paid = used(paytable)
    shown = {**named, **({} if meter is None else {SINGLE: meter})}
    for name, dollars in shown.items():
        check_meter(dollars, name)
        if name not in paid and (dollars or name == SINGLE):
            pays = f"shares of {' and '.join(paid)}" if paid else "no share of a meter"
            others = [other for other in paid if other in named]
            rules = f"the rules {', '.join(others)}" if others else "it as the meter" if paid else f"no {name}"
            raise RequestError(f"pay table {paytable.name} pays {pays}; {name} is {dollars}, expected {rules}")
    return {name: Fraction(str(shown.get(name, 0))) for name in paid}


class Worth(NamedTuple):
    """What a bet is worth at any meters, in wagers."""

    fixed_ev: Fraction
    per_dollar: Mapping[str, Fraction]
    """What a dollar more on each meter adds."""

    def ev(self, dollars: Mapping[str, Fraction]) -> Fraction:
        """Return what it is worth when the meters show so much."""
        return self.fixed_ev + sum((self.per_dollar[name] * dollars[name] for name in dollars), Fraction(0))

    def details(self, dollars: Mapping[str, Fraction]) -> dict[str, Any]:
        """Return what a bet says of its meters; each breaks even with the others as they stand.

        `meter` and `breakeven_meter` where there is one, or else of the meter that pays the best hand.
        """
        ev = self.ev(dollars)
        fair = {name: self._fair(ev, name, dollars[name]) for name in dollars}
        best = next(iter(dollars), None)
        about = {"meter": float(dollars[best]), "breakeven_meter": _float(fair[best])} if best else {}
        return {
            **about,
            "fixed_ev": float(self.fixed_ev),
            "meters": [
                {
                    "meter": name,
                    "dollars": float(dollars[name]),
                    "ev_per_dollar": float(self.per_dollar[name]),
                    "breakeven": _float(fair[name]),
                    "breakeven_exact": None if fair[name] is None else str(fair[name]),
                }
                for name in dollars
            ],
        }

    def _fair(self, ev: Fraction, name: str, dollars: Fraction) -> Fraction | None:
        slope = self.per_dollar[name]
        fair = dollars - ev / slope if slope else Fraction(-1)
        return fair if fair >= 0 else None


def _float(number: Fraction | None) -> float | None:
    return None if number is None else float(number)
