"""Money: the dollars that may be bet, and that a progressive meter may show."""

from fractions import Fraction
from numbers import Real
from typing import Final

from casinomath.errors import RequestError
from casinomath.paytable import METERS, MeterShare, PayTable

MOST: Final = 10**12
"""Above any bet and any meter; a larger amount is a slip of the keyboard, and would overflow what is counted in it."""


def check_bet(bet: float) -> None:
    """Raise RequestError unless so many dollars may be bet."""
    if not 0.01 <= bet <= MOST:
        raise RequestError(f"bet is {bet}; expected dollars from 0.01 to {MOST:,}")


def check_meter(dollars: float | Fraction, name: str = METERS[0]) -> None:
    """Raise RequestError unless a meter may show so many dollars."""
    if isinstance(dollars, bool) or not isinstance(dollars, Real) or not 0 <= dollars <= MOST:
        raise RequestError(f"{name} is {dollars!r}; expected dollars from 0 to {MOST:,}")


def read_meter(paytable: PayTable, meter: float | Fraction | None) -> Fraction:
    """Return the dollars on the only meter of a pay table; without a meter, $0.

    Raises RequestError for an amount that makes no sense, and for a table that pays no share of a meter.
    """
    if meter is None:
        return Fraction(0)
    if not any(isinstance(pay, MeterShare) for pay in paytable.pays.values()):
        raise RequestError(f"pay table {paytable.name} pays no share of a meter; expected no meter")
    check_meter(meter)
    return meter if isinstance(meter, Fraction) else Fraction(str(meter))
