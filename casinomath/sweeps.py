"""Sweeps: a bet priced at every point of a grid over rules, pay tables, pays, ways to play and meters.

A point of the grid is a request like any other: its numbers are those of `evaluate`. A combination that no table offers
(redoubling where the dealer stands on soft 17) keeps its row, which says why in place of numbers. Points priced into a
folder are kept there one by one (see `checkpoints`), so that a sweep that was stopped goes on from them.
"""

import hashlib
import json
import os
from collections.abc import Generator, Iterable, Iterator, Mapping, MutableMapping, Sequence
from concurrent.futures import Executor, as_completed
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from casinomath import __version__, catalog
from casinomath.checkpoints import Record, checkpoint
from casinomath.errors import RequestError, unknown
from casinomath.montecarlo import Progress
from casinomath.paytable import Pay, PayTable
from casinomath.request import Named, Request, game_of, resolve
from casinomath.strategy import Chart
from casinomath.tables import plain

if TYPE_CHECKING:
    import pandas as pd

    from casinomath.returns import Returns

MEASURES: Final = (
    *("method", "ev", "ev_exact", "house_edge", "element_of_risk"),
    *("average_wager", "stdev", "skewness", "hit_frequency"),
)
"""What a point's row says of its bet, as `Returns` has it."""

NUMBERS: Final = tuple(name for name in MEASURES if name not in ("method", "ev_exact"))

EVENT: Final = ("event", "pays", "combinations", "probability", "return", "on_top")
"""What the rows of events say of each way a round can end."""

CHOICES: Final = ("rules", "paytable", "strategy", "meter")
"""What a grid may go over besides the fields of the rules, and pays as `pay.EVENT`."""

PAY: Final = "pay."

TABLES: Final = ("sweep", "events")
"""Names of the tables in a sweep's folder."""

MOST_POINTS: Final = 100_000

Over: TypeAlias = Mapping[str, Iterable[object]]
"""What a grid goes over: names with their values."""


@dataclass(frozen=True)
class Sweep:
    """A grid priced."""

    table: "pd.DataFrame"
    """One row a point: what is varied first, then all else that is asked, then the measures.

    `not_offered` says why a point has no measures; it is empty where there are some. `rules` is the rule set started
    from, `paytable` the table as printed, and `pay.EVENT` a line of it that is changed.
    """
    events: "pd.DataFrame"
    """One row for each event of each point: the point's number, what is varied, and EVENT."""
    notes: tuple[str, ...]
    """What the user should know about how the grid was understood."""
    paths: tuple[Path, ...] = ()
    """The files written."""


@dataclass(frozen=True)
class Point:
    """One point of a grid."""

    values: Mapping[str, Any]
    """What is varied, by name."""
    request: Request | None
    """None where the combination can't even be asked."""
    not_offered: str = ""
    """Why the combination can't be priced."""

    def __str__(self) -> str:
        """Return the values as the command line takes them."""
        return ", ".join(f"{name}={_text(value)}" for name, value in self.values.items())


Found: TypeAlias = tuple[Point, Record]
"""A point with the measures and events of its bet, which is empty where it can't be priced."""


def sweep(
    game: str,
    over: Over,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
    *,
    output: str | os.PathLike[str] | None = None,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> Sweep:
    """Price a bet at every point of a grid.

    over     : fields of the rules, `rules`, `paytable`, `pay.EVENT`, `strategy` or `meter`, each with its values; text
               is read as the command line reads it
    output   : a folder for the tables as CSV and Parquet; points that an earlier sweep left there are not priced again
    executor : where points are priced; by default here, one after the other
    progress : called with the points done and the points wanted
    All else is what `evaluate` takes, and the same at every point.
    Raises RequestError, before any work, for a grid that makes no sense: an unknown name, a value that no combination
    can have, a folder that holds something else.
    """
    fixed = {"rules": rules, "paytable": paytable, "strategy": strategy, "meter": meter}
    points = grid(game, over, {**fixed, "shoe": _kept(shoe)}, change or {}, pay or {})
    asked = next(point.request for point in points if point.request is not None)
    folder = None if output is None else Path(output).expanduser()
    if folder is not None:
        import pyarrow as pa  # noqa: F401 - better missed now than when all is done
    opened: AbstractContextManager[MutableMapping[str, Record]] = nullcontext({})
    if folder is not None:
        opened = checkpoint(folder, _game_and_bet(asked), _files(folder))
    with opened as kept:
        found = price(points, kept, executor=executor, progress=progress)
        if all(point.not_offered for point, _ in found):
            raise RequestError(found[0][0].not_offered)
        table = _table(found, str(_label(game, rules)), pay or {})
        events = _events(found)
        paths = () if folder is None else tuple(_write({"sweep": table, "events": events}, folder))
    return Sweep(table, events, tuple(_notes(points, [point for point, _ in found])), paths)


# --- The grid -----------------------------------------------------------------------------------------------


def grid(
    game_and_bet: str,
    over: Over,
    fixed: Mapping[str, Any],
    change: Mapping[str, object],
    pay: Mapping[str, Pay | str | float],
) -> list[Point]:
    """Return the points of a grid, the last name's values varying fastest.

    fixed : what else `resolve` takes, by parameter
    Raises RequestError for an unknown name, a value of the wrong type, and a value that no combination can have.
    """
    axes = _axes(game_and_bet, over, fixed, change, pay)
    number = prod(len(values) for values in axes.values())
    if number > MOST_POINTS:
        raise RequestError(f"the grid has {number:,} points; expected {MOST_POINTS:,} at most")
    points = [
        point_of(game_and_bet, dict(zip(axes, values, strict=True)), fixed, change, pay)
        for values in product(*axes.values())
    ]
    for name, values in axes.items():
        for value in values:
            if all(point.not_offered for point in points if point.values[name] is value):
                raise RequestError(next(point.not_offered for point in points if point.values[name] is value))
    return points


def _axes(
    game_and_bet: str,
    over: Over,
    fixed: Mapping[str, Any],
    change: Mapping[str, object],
    pay: Mapping[str, Pay | str | float],
) -> dict[str, list[Any]]:
    """What is varied with its values, read."""
    default = game_of(game_and_bet).Rules()
    fields = default._asdict()
    if not over:
        raise RequestError(f"nothing to sweep over; choices: {', '.join([*fields, *CHOICES])}, {PAY}EVENT")
    axes: dict[str, list[Any]] = {}
    for name, given in over.items():
        event = name.removeprefix(PAY) if name.startswith(PAY) else None
        if name not in fields and name not in CHOICES and event is None:
            raise unknown("name to sweep over", name, [*fields, *CHOICES, f"{PAY}EVENT"])
        if name in change or event in pay or fixed.get(name) is not None:
            raise RequestError(f"{name} is both fixed and swept over")
        if isinstance(given, str) or not isinstance(given, Iterable):
            raise RequestError(f"{name} is swept over {given!r}; expected a list of values")
        values = [_read(default, name, value) for value in given]
        if not values:
            raise RequestError(f"{name} has no values to sweep over")
        for place, value in enumerate(values):
            if value in values[:place]:
                raise RequestError(f"{name} is swept over {_text(value)} twice")
        axes[name] = values
    return axes


def _read(default: catalog.RulesTuple, name: str, value: object) -> Any:
    if name.startswith(PAY):
        try:
            return value if isinstance(value, Pay) else catalog.parse_pay(value)  # type: ignore[arg-type] # as below
        except RequestError as error:
            raise RequestError(f"{name.removeprefix(PAY)} {error}") from None
    if name == "meter":
        try:
            return float(value)  # type: ignore[arg-type] # what can't be read is told
        except (TypeError, ValueError):
            raise RequestError(f"meter is {value!r}; expected dollars") from None
    return value if name in CHOICES else catalog.vary(default, {name: value})._asdict()[name]


def point_of(
    game_and_bet: str,
    values: Mapping[str, Any],
    fixed: Mapping[str, Any],
    change: Mapping[str, object],
    pay: Mapping[str, Pay | str | float],
) -> Point:
    """Return the point of some values: a request, or why there can be none."""
    chosen = {name: value for name, value in values.items() if name in CHOICES}
    pays = {name.removeprefix(PAY): value for name, value in values.items() if name.startswith(PAY)}
    fields = {name: value for name, value in values.items() if name not in CHOICES and not name.startswith(PAY)}
    request = None
    try:
        request = resolve(game_and_bet, change={**change, **fields}, pay={**pay, **pays}, **{**fixed, **chosen})
        request.check()
    except RequestError as error:
        return Point(values, request, str(error))
    return Point(values, request)


# --- Pricing ------------------------------------------------------------------------------------------------


def price(
    points: Sequence[Point],
    kept: MutableMapping[str, Record] | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> list[Found]:
    """Return the points with what their bets are worth, each request priced once.

    kept : records of an earlier time, which are not priced again; new ones are added as soon as they are known
    A point that shows only when it is priced that it can't be is told like those that showed it before.
    """
    kept = {} if kept is None else kept
    asked = {_key(point.request): point.request for point in points if point.request and not point.not_offered}
    records = {key: kept[key] for key in asked if key in kept}
    todo = {key: request for key, request in asked.items() if key not in records}
    for key, record in _priced(todo, executor):
        records[key] = record
        if "not_offered" not in record:
            kept[key] = record
        if progress is not None:
            progress(len(records), len(asked))
    return [_found(point, records) for point in points]


def _found(point: Point, records: Mapping[str, Record]) -> Found:
    if point.request is None or point.not_offered:
        return point, {}
    record = records[_key(point.request)]
    return replace(point, not_offered=record.get("not_offered", "")), record


def _priced(todo: Mapping[str, Request], executor: Executor | None) -> Iterator[tuple[str, Record]]:
    """Each request's key and record, as soon as it is priced."""
    if executor is None:
        for key, request in todo.items():
            yield key, priced(request)
        return
    futures = {executor.submit(priced, request): key for key, request in todo.items()}
    try:
        for future in as_completed(futures):
            yield futures[future], future.result()
    finally:
        for future in futures:
            future.cancel()


def priced(request: Request) -> Record:
    """Return what a bet is worth as JSON values, or why it can't be priced: anywhere, on any worker."""
    try:
        return recorded(request.price())
    except RequestError as error:
        return {"not_offered": str(error)}


def recorded(returns: "Returns") -> Record:
    """Return the measures and events of a bet as JSON values, to the last digit."""
    measures = {name: getattr(returns, name) for name in MEASURES}
    exact = returns.ev_exact
    return {
        **measures,
        "ev_exact": None if exact is None else str(exact),
        "events": [
            [e.event, None if e.pays is None else str(e.pays), e.combinations, e.probability, e.returned, e.on_top]
            for e in returns.events
        ],
    }


def _key(request: Request) -> str:
    """A digest of everything that the numbers depend on."""
    return hashlib.sha256(json.dumps(request.identity, sort_keys=True, default=str).encode()).hexdigest()


# --- Tables -------------------------------------------------------------------------------------------------


def _table(found: Sequence[Found], rules: str, pay: Mapping[str, object]) -> "pd.DataFrame":
    import pandas as pd

    rows = []
    for number, (point, record) in enumerate(found, start=1):
        row = {"point": number, **{name: _cell(value) for name, value in point.values.items()}}
        if point.request is not None:
            row = {**_asked(point.request, rules, pay), **row}
        measures = {name: record.get(name) for name in MEASURES}
        rows.append({**row, **measures, "not_offered": point.not_offered, "casinomath": __version__})
    varied = list(found[0][0].values)
    asked = next(_asked(point.request, rules, pay) for point, _ in found if point.request is not None)
    others = [name for name in asked if name not in varied]
    columns = ["point", *varied, *others, *MEASURES, "not_offered", "casinomath"]
    return pd.DataFrame(rows, columns=columns).astype(dict.fromkeys(NUMBERS, float))


def _asked(request: Request, rules: str, pay: Mapping[str, object]) -> dict[str, Any]:
    """All that a request asks, by column."""
    lines = {f"{PAY}{event}": _cell(request.paytable.pays[event]) for event in pay}
    play = {"strategy": request.play_name} if hasattr(request.game, "strategy") else {}
    options = {name: _cell(value) for name, value in request.options.items() if value is not None}
    about = {"game": _game_and_bet(request), "rules": rules}
    return {**about, **request.rules._asdict(), "paytable": request.printed.name, **lines, **play, **options}


def _events(found: Sequence[Found]) -> "pd.DataFrame":
    import pandas as pd

    varied = list(found[0][0].values)
    rows = [
        (number, *map(_cell, point.values.values()), name, None if pays is None else Fraction(pays), *others)
        for number, (point, record) in enumerate(found, start=1)
        for name, pays, *others in record.get("events", ())
    ]
    return pd.DataFrame(rows, columns=["point", *varied, *EVENT])


def _cell(value: object) -> object:
    """A value as a table holds it: a pay in odds as a number, whatever has a name by its name."""
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, PayTable | Chart):
        return value.name
    return value if isinstance(value, bool | int | float | str) else _text(value)


def _text(value: object) -> str:
    """A value as the command line takes it."""
    if isinstance(value, Fraction):
        return f"{value.numerator}:{value.denominator}"
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return ",".join(map(str, value))
    if isinstance(value, PayTable | Chart):
        return value.name
    return str(value).lower() if isinstance(value, bool) else str(value)


def _label(game_and_bet: str, rules: Named | catalog.RulesTuple | None) -> str:
    """What to call the rules that all points start from."""
    if rules is None:
        stem, _, bet = game_and_bet.partition(":")
        return catalog.default_rules_name(catalog.home(stem, bet))
    return os.fspath(rules) if isinstance(rules, str | os.PathLike) else "own rules"


def _notes(points: Sequence[Point], found: Sequence[Point]) -> Iterator[str]:
    requests = [point.request for point in points if point.request is not None]
    if any(request.notes for request in requests):
        names = dict.fromkeys(request.printed.name for request in requests)
        yield f"pay tables are those that go with the rules: {', '.join(names)}"
    missing = [point for point in found if point.not_offered]
    if missing:
        yield f"{len(missing)} of {len(found)} points are not offered: {missing[0]}: {missing[0].not_offered}"


def _game_and_bet(request: Request) -> str:
    return f"{request.game.STEM}:{request.bet}"


def _kept(shoe: str | Iterable[int] | None) -> str | tuple[int, ...] | None:
    """A shoe that can be read at every point."""
    return shoe if shoe is None or isinstance(shoe, str) else tuple(shoe)


# --- Files --------------------------------------------------------------------------------------------------


def _files(folder: Path) -> list[Path]:
    return [folder / f"{name}.{suffix}" for name in TABLES for suffix in ("csv", "parquet")]


def _write(tables: Mapping[str, "pd.DataFrame"], folder: Path) -> Generator[Path]:
    """Write the tables; a file is there as a whole or, as long as it is not, as it was."""
    unfinished = {path: path.with_name(f".{path.name}.{os.getpid()}") for path in _files(folder)}
    try:
        for path, beside in unfinished.items():
            written = plain(tables[path.stem])
            if path.suffix == ".csv":
                written.to_csv(beside, index=False, lineterminator="\n")
            else:
                written.to_parquet(beside, index=False)
        for path, beside in unfinished.items():
            beside.replace(path)
            yield path
    finally:
        for beside in unfinished.values():
            beside.unlink(missing_ok=True)
