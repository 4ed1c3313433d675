"""PayTable: which event pays what, exactly.

Odds, shares of a progressive meter and fixed dollars are different things and have different types.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import Final, TypeAlias

from casinomath.errors import RequestError, unknown

METERS: Final = ("meter", "mega", "major", "minor")
"""Names of progressive meters: the one of a table that has only one, and those of tables with several."""


@dataclass(frozen=True)
class MeterShare:
    """A share of a progressive meter: Fraction(1, 10) is printed as "10% of meter"."""

    share: Fraction
    meter: str = METERS[0]

    def __str__(self) -> str:
        """Return the share as documents print it."""
        return f"{_decimal(self.share * 100)}% of {self.meter}"


@dataclass(frozen=True)
class Dollars:
    """A prize in dollars, whatever the bet."""

    amount: Fraction

    def __str__(self) -> str:
        """Return the prize as documents print it."""
        return f"${_decimal(self.amount)}"


Pay: TypeAlias = Fraction | MeterShare | Dollars
"""What an event pays: odds to 1 (a push is 0), a share of the meter, or dollars."""


def _decimal(number: Fraction) -> str:
    return f"{number.numerator:,}" if number.denominator == 1 else f"{float(number):,.15g}"


@dataclass(frozen=True)
class PayTable:
    """A pay table: event to pay, with the name it has in its document and the key of that document."""

    name: str
    pays: Mapping[str, Pay]
    source: str = ""

    def __post_init__(self) -> None:
        """Hold the pays read-only, and refuse a negative one."""
        for event, pay in self.pays.items():
            _refuse_negative(self.name, event, pay)
        object.__setattr__(self, "pays", MappingProxyType(dict(self.pays)))

    def pay(self, event: str) -> Fraction:
        """Return the odds to 1 that `event` pays; RequestError if the table has no odds for it."""
        if event not in self.pays:
            raise unknown(f"event of pay table {self.name}:", event, self.pays)
        pay = self.pays[event]
        if not isinstance(pay, Fraction):
            raise RequestError(f"pay table {self.name}: {event} pays {pay}; expected odds such as 3:2")
        return pay

    def with_pays(self, pays: Mapping[str, Pay]) -> "PayTable":
        """Return the table with some lines changed; RequestError if the table has no such line."""
        for event in pays:
            if event not in self.pays:
                raise unknown(f"event of pay table {self.name}:", event, self.pays)
        return replace(self, pays={**self.pays, **pays})

    def check(self, events: Iterable[str], optional: Iterable[str] = ()) -> None:
        """Raise RequestError unless the table pays all of `events`, perhaps `optional` ones, and no other."""
        needed, spare = list(events), list(optional)
        missing = [event for event in needed if event not in self.pays]
        if missing:
            has = ", ".join(self.pays) or "no event at all"
            raise RequestError(f"pay table {self.name} lacks {', '.join(missing)}; it has {has}")
        for event in self.pays:
            if event not in needed and event not in spare:
                raise unknown(f"event of pay table {self.name}:", event, [*needed, *spare])

    def check_odds(self, events: Iterable[str], optional: Iterable[str] = ()) -> None:
        """Raise RequestError as `check` does, and unless every line pays odds."""
        self.check(events, optional)
        for event in self.pays:
            self.pay(event)

    def __hash__(self) -> int:
        """Hash what equality compares: a read-only mapping has no hash of its own."""
        return hash((self.name, frozenset(self.pays.items()), self.source))

    def __reduce__(self) -> tuple[type["PayTable"], tuple[str, dict[str, Pay], str]]:
        """Pickle as plain parts: a read-only mapping cannot be pickled, and sweeps send tables to workers."""
        return PayTable, (self.name, dict(self.pays), self.source)


def _refuse_negative(table: str, event: str, pay: Pay) -> None:
    number = pay if isinstance(pay, Fraction) else pay.share if isinstance(pay, MeterShare) else pay.amount
    if number < 0:
        raise RequestError(f"pay table {table}: {event} pays {pay}; expected 0 (a push) or more")
