"""The only file that opens data/: rule sets, pay tables, published figures, charts and their sources.

A data file is `data/<stem>.toml` with `[rules.<name>]`, `[paytables.<name>]`, `[charts.<name>]` and
`[[published]]`; `data/sources.toml` is the bibliography, and every table names one of its keys as its
`source`. The file of a bet that several games have names them: `bet_of`. Wherever the name of a rule set or a
pay table is asked for, the path of a user's own file will do: `mine.toml`, or `mine.toml#name` when it holds
several. There `source` is free text. Whatever is wrong with a file is a RequestError of one line: the file, the
table, the key, what was read and what was expected.
"""

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from casinomath.cards import VALUES
from casinomath.counting import CountSystem
from casinomath.errors import RequestError, unknown
from casinomath.paytable import METERS, Dollars, MeterShare, Pay, PayTable

SOURCES: Final = "sources"
COUNTING: Final = "counting"
"""Stem of the bibliography, the one data file that is no game or bet."""

ROOMS: Final = ("bet_of", "rules", "paytables", "charts", "chart_legend", "published")
"""What a data file may hold."""

ABOUT_RULES: Final = ("source", "where", "note", "paytable", "default")
"""Keys of a rule set that are about the rules; every other key is a field of the game's Rules."""

ABOUT_PAYTABLE: Final = ("source", "where", "note", "when", "pays")
"""Keys of a pay table."""


# --- Folders ------------------------------------------------------------------------------------------------


def data_folder() -> Path:
    """Return the folder of data files: inside an installed package, or at the top of a source tree."""
    return _folder("data")


def notebooks_folder() -> Path:
    """Return the folder of notebooks: inside an installed package, or at the top of a source tree."""
    return _folder("notebooks")


def _folder(name: str) -> Path:
    package = Path(__file__).resolve().parent
    installed = package / f"_{name}"
    return installed if installed.is_dir() else package.parent / name


def stems() -> list[str]:
    """Return the games and bets that have a data file, in alphabetical order."""
    return sorted(path.stem for path in data_folder().glob("*.toml") if path.stem not in (SOURCES, COUNTING))


def home(stem: str, bet: str) -> str:
    """Return the stem of the data file of a game's bet: the bet's own where several games have it, or the game's."""
    return bet if bet in stems() and stem in bet_of(bet) else stem


def bet_of(stem: str) -> list[str]:
    """Return the games that have this bet, where it is a bet of several games; none for a game or a side bet."""
    document = _shipped(stem)
    games = document.tables.get("bet_of", [])
    if not isinstance(games, list) or not all(isinstance(game, str) for game in games):
        raise RequestError(f"{document.file}: bet_of is {_shown(games)}; expected the stems of games")
    return games


# --- Pays as printed ----------------------------------------------------------------------------------------

_NUMBER: Final = r"(\d[\d,]*(?:\.\d+)?|\.\d+)"
_PRINTED: Final = {
    "alone": re.compile(_NUMBER),
    "to": re.compile(rf"{_NUMBER}\s*(?::|/|\bto\b)\s*{_NUMBER}"),
    "for": re.compile(rf"{_NUMBER}\s*\bfor\b\s*{_NUMBER}"),
    "meter": re.compile(rf"{_NUMBER}\s*%(?: of)?(?: the)? ({'|'.join(METERS)})"),
    "dollars": re.compile(rf"\$\s*{_NUMBER}"),
}

PAYS_EXPECTED: Final = 'odds such as "3:2", "3 to 2", "300 for 1" or "12", "push", "10% of meter", or "$30"'


def parse_pay(printed: str | float) -> Pay:
    """Return a pay as printed in a document: the only place where "for 1" becomes "to 1".

    "3:2", "6 to 5", "12" and "300 for 1" are odds, "push" is 0 to 1, "10% of meter" and "100% of major" are shares
    of a progressive meter and "$30" an amount in dollars. Raises RequestError for anything else, and for odds
    below 0 to 1.
    """
    text = " ".join(str(printed).lower().split())
    if text == "push":
        return Fraction(0)
    for wording, pattern in _PRINTED.items():
        if match := pattern.fullmatch(text):
            first, second = (*match.groups(), "1")[:2]
            meter = second if wording == "meter" else METERS[0]
            odds = second if wording in ("to", "for") else "1"
            pay = _pay(wording, _number(first), _number(odds), meter)
            if pay is not None:
                return pay
    raise RequestError(f"pays {printed!r}; expected {PAYS_EXPECTED}")


def _number(printed: str) -> Fraction:
    return Fraction(printed.replace(",", ""))


def _pay(wording: str, first: Fraction, second: Fraction, meter: str) -> Pay | None:
    """Return the pay of the printed numbers, or None where they make no sense together."""
    if second == 0:
        return None
    if wording == "meter":
        return MeterShare(first / 100, meter) if first <= 100 else None
    if wording == "dollars":
        return Dollars(first)
    odds = first / second - (1 if wording == "for" else 0)
    return odds if odds >= 0 else None


# --- Reading TOML -------------------------------------------------------------------------------------------

_Table = dict[str, Any]


class _Document(NamedTuple):
    """A data file: the name to call it in messages, and its tables."""

    file: str
    tables: _Table

    def named(self, room: str) -> dict[str, _Table]:
        """Return the tables `[room.<name>]` by name."""
        tables = self.tables.get(room, {})
        if not isinstance(tables, dict):
            raise RequestError(f"{self.file}: {room} is {_shown(tables)}; expected tables [{room}.<name>]")
        for name, table in tables.items():
            if not isinstance(table, dict):
                expected = f"a table [{room}.{name}]"
                raise RequestError(f"{self.file}: {room}.{name} is {_shown(table)}; expected {expected}")
        return tables


def _read(path: Path, file: str) -> _Document:
    try:
        tables = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise RequestError(f"{file}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"{file}: cannot be read as text: {error}") from None
    except tomllib.TOMLDecodeError as error:
        raise RequestError(f"{file}: not valid TOML, is it cut short? {error}") from None
    return _Document(file, tables)


def _shipped(stem: str) -> _Document:
    if stem not in stems():
        raise unknown("game or bet", stem, stems())
    return _game_document(data_folder() / f"{stem}.toml")


@cache
def _game_document(path: Path) -> _Document:
    document = _read(path, path.name)
    for room in document.tables:
        if room not in ROOMS:
            raise RequestError(f"{document.file}: {unknown('table', room, ROOMS)}")
    return document


def _shown(read: object) -> str:
    """Show a value as TOML writes it, so that a user recognises the line."""
    if isinstance(read, bool):
        return str(read).lower()
    return f'"{read}"' if isinstance(read, str) else repr(read)


# --- One table of a file ------------------------------------------------------------------------------------


class _Entry(NamedTuple):
    """One named table: where it stands, how a request names it, and its keys."""

    document: _Document
    room: str
    name: str
    table: _Table
    own: bool
    """Whether it stands in a user's own file, not in the data shipped here."""

    @property
    def place(self) -> str:
        return f"{self.document.file}: [{self.room}.{self.name}]"

    @property
    def request(self) -> str:
        return f"{self.document.file}#{self.name}" if self.own else self.name

    def wrong(self, key: str, read: object, expected: str) -> RequestError:
        return RequestError(f"{self.place} {key} is {_shown(read)}; expected {expected}")

    def text(self, key: str) -> str | None:
        read = self.table.get(key)
        if read is not None and not isinstance(read, str):
            raise self.wrong(key, read, "text")
        return read

    def source(self) -> str:
        """Return the key of the table's source; a table without one does not load."""
        source = self.text("source")
        if not source:
            raise RequestError(f'{self.place} lacks the key source; expected source = "where it is printed"')
        if not self.own and source not in sources():
            raise RequestError(f"{self.place} source: {unknown('source', source, sources())}")
        return source


def is_path(name: str) -> bool:
    """Say whether a name given by a user is the path of a file of their own."""
    return "/" in name or "\\" in name or name.partition("#")[0].endswith(".toml")


def _entries(stem: str, room: str) -> Iterator[_Entry]:
    document = _shipped(stem)
    for name, table in document.named(room).items():
        yield _Entry(document, room, name, table, own=False)


def _entry(stem: str, room: str, what: str, name: str) -> _Entry:
    if is_path(name):
        return _own_entry(room, name)
    entries = {entry.name: entry for entry in _entries(stem, room)}
    if name not in entries:
        raise unknown(f"{what} of {stem}:", name, entries)
    return entries[name]


def _own_entry(room: str, path: str) -> _Entry:
    file, _, name = path.partition("#")
    document = _read(Path(file).expanduser(), file)
    tables = document.named(room)
    if not tables:
        raise RequestError(f"{file}: holds {_listed(document.tables)}; expected a table [{room}.<name>]")
    if not name and len(tables) > 1:
        choices = ", ".join(f"{file}#{table}" for table in tables)
        raise RequestError(f"{file}: holds {len(tables)} tables [{room}.<name>]; expected one of {choices}")
    name = name or next(iter(tables))
    if name not in tables:
        raise RequestError(f"{file}: {unknown(f'table [{room}.…]', name, tables)}")
    return _Entry(document, room, name, tables[name], own=True)


def _listed(tables: _Table) -> str:
    return ", ".join(f"[{name}]" for name in tables) or "nothing"


# --- Rules --------------------------------------------------------------------------------------------------


class RulesTuple(Protocol):
    """A game's Rules: a NamedTuple of ints, bools, floats and choices."""

    def _asdict(self) -> dict[str, Any]: ...


R = TypeVar("R", bound=RulesTuple)


def rule_sets(stem: str) -> dict[str, dict[str, Any]]:
    """Return the rule sets of a game by name, each as its table in the data file."""
    return {entry.name: dict(entry.table) for entry in _entries(stem, "rules") if entry.source()}


def default_rules_name(stem: str) -> str:
    """Return the rule set that a bare stem means: the one marked `default = true`, or else the first."""
    entries = list(_entries(stem, "rules"))
    if not entries:
        raise RequestError(f"{stem} has no rule sets")
    return next((entry.name for entry in entries if entry.table.get("default") is True), entries[0].name)


def rules(stem: str, name: str | None, kind: type[R]) -> R:
    """Return a rule set as the game's Rules: by name, from a user's own file, or without a name the default.

    Fields that the table leaves out keep the defaults of `kind`. Raises RequestError for an unknown name or
    field and for a value of the wrong type.
    """
    entry = _entry(stem, "rules", "rules", name or default_rules_name(stem))
    entry.source()
    fields = get_type_hints(kind, include_extras=True)
    values = {}
    for key, read in entry.table.items():
        if key in ABOUT_RULES:
            continue
        if key not in fields:
            raise RequestError(f"{entry.place} {unknown('field', key, fields)}")
        try:
            values[key] = TypeAdapter(fields[key]).validate_python(read, strict=True)
        except ValidationError as error:
            raise entry.wrong(key, read, _expected(fields[key], error)) from None
    return kind(**values)


def vary(given: R, changes: Mapping[str, object]) -> R:
    """Return the rules with some fields changed; text such as "6" or "true" is read by its field's type.

    Raises RequestError for a field that the rules don't have, and for a value that is none of its type.
    """
    fields = get_type_hints(type(given), include_extras=True)
    values = given._asdict()
    for key, read in changes.items():
        if key not in fields:
            raise unknown("rule", key, fields)
        plain = read.tolist() if hasattr(read, "tolist") else read  # numbers of tables are not Python's own
        try:
            values[key] = TypeAdapter(fields[key]).validate_python(plain, strict=not isinstance(plain, str))
        except ValidationError as error:
            expected = _expected(fields[key], error)
            raise RequestError(f"rule {key} is {_shown(read)}; expected {expected}") from None
    return type(given)(**values)


def _expected(annotation: Any, error: ValidationError) -> str:
    if get_origin(annotation) is Literal:
        choices = get_args(annotation)
        return f"one of {', '.join(map(str, choices))}" if len(choices) > 1 else str(choices[0])
    if get_args(annotation):
        return " or ".join(_expected(part, error) for part in get_args(annotation))
    kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
    return kinds.get(annotation, error.errors()[0]["msg"])


# --- Pay tables ---------------------------------------------------------------------------------------------


def paytables(stem: str) -> dict[str, PayTable]:
    """Return the pay tables of a game or bet by name."""
    return {entry.name: _paytable(entry) for entry in _entries(stem, "paytables")}


def paytable(stem: str, name: str | None = None) -> PayTable:
    """Return a pay table, by name or from a user's own file; without a name, that of the default rules."""
    if name is None:
        return paytable_for(stem)
    return _paytable(_entry(stem, "paytables", "pay table", name))


def paytable_for(stem: str, rules_name: str | None = None, varied: RulesTuple | None = None) -> PayTable:
    """Return the pay table that goes with a rule set, perhaps one with some fields `varied`.

    It is the table that the rule set names. But when that table is printed for other rules than the varied
    ones (its `when`) and another is printed for these, it is that other one. A rule set in a user's own file
    may name a table of the same file.
    """
    chosen = _paytable_named(stem, rules_name)
    if varied is not None and not chosen.own and not _printed_for(chosen, varied):
        others = _entries(stem, "paytables")
        chosen = next((entry for entry in others if _printed_for(entry, varied)), chosen)
    return _paytable(chosen)


def _paytable_named(stem: str, rules_name: str | None) -> _Entry:
    name = None
    if rules_name is not None or "rules" in _shipped(stem).tables:
        entry = _entry(stem, "rules", "rules", rules_name or default_rules_name(stem))
        name = entry.text("paytable")
        if name is not None and entry.own and name in entry.document.named("paytables"):
            return _own_entry("paytables", f"{entry.document.file}#{name}")
    if name is not None:
        return _entry(stem, "paytables", "pay table", name)
    for first in _entries(stem, "paytables"):
        return first
    raise RequestError(f"{stem} has no pay tables")


def _printed_for(entry: _Entry, varied: RulesTuple) -> bool:
    when = entry.table.get("when")
    if when is None:
        return True
    if not isinstance(when, dict) or not all(isinstance(choices, list) for choices in when.values()):
        raise entry.wrong("when", when, "fields of the rules with their values, such as { decks = [4, 6] }")
    fields = varied._asdict()
    return all(fields.get(field) in choices for field, choices in when.items())


def _paytable(entry: _Entry) -> PayTable:
    source = entry.source()
    for key in entry.table:
        if key not in ABOUT_PAYTABLE:
            raise RequestError(f"{entry.place} {unknown('key', key, ABOUT_PAYTABLE)}")
    pays = entry.table.get("pays")
    if not isinstance(pays, dict) or not pays:
        expected = 'lines such as pays.blackjack = "3 to 2"'
        raise (
            entry.wrong("pays", pays, expected)
            if pays
            else RequestError(f"{entry.place} lacks the key pays; expected {expected}")
        )
    read_pays = {event: _event_pay(entry, event, read) for event, read in pays.items()}
    return PayTable(entry.request, read_pays, source)


def _event_pay(entry: _Entry, event: str, read: object) -> Pay:
    if not isinstance(read, str | int | float) or isinstance(read, bool):
        raise entry.wrong(f"pays.{event}", read, PAYS_EXPECTED)
    try:
        return parse_pay(read)
    except RequestError:
        raise entry.wrong(f"pays.{event}", read, PAYS_EXPECTED) from None


# --- Sources, charts, published figures ---------------------------------------------------------------------


class _Record(BaseModel):
    """A table whose keys are all known beforehand."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Source(_Record):
    """One line of the bibliography."""

    key: str
    body: str
    title: str
    document: str
    effective: str
    locator: str


class ChartCell(NamedTuple):
    """One cell of a strategy chart, as printed."""

    table: str
    hand: str
    upcard: str
    play: str
    printed: bool
    """False for a cell that the source leaves to a general remark."""
    other_play: str
    other_source: str


class Chart(_Record):
    """A strategy chart from literature."""

    name: str
    path: Path
    where: str
    source: str
    legend: dict[str, str]

    def cells(self) -> list[ChartCell]:
        """Return the cells of the chart in the order of its file."""
        with self.path.open(encoding="utf-8", newline="") as lines:
            header, *rows = csv.reader(lines, strict=True)
        if tuple(header) != ChartCell._fields:
            expected = ",".join(ChartCell._fields)
            raise RequestError(f"{self.path.name}: the first line is {','.join(header)}; expected {expected}")
        return [
            ChartCell(table, hand, upcard, play, printed == "yes", other_play, other_source)
            for table, hand, upcard, play, printed, other_play, other_source in rows
        ]


class Published(_Record):
    """A figure as published: a test by itself, whose printed digits are its tolerance."""

    stem: str
    measure: str
    value: str
    source: str
    bet: str = "main"
    rules: str | None = None
    set: dict[str, bool | int | float | str] = {}
    paytable: str | None = None
    strategy: str | None = None
    hand: str | None = None
    upcard: str | None = None
    action: str | None = None
    event: str | None = None
    """The way a round can end that is measured, named as in `Returns`; several of them with " + " between."""
    removed: str | None = None
    shoe: str | None = None
    unit: Literal["percentage points"] | None = None
    tolerance: str | None = None
    note: str | None = None
    erratum: str | None = None

    @property
    def number(self) -> float:
        """The value as a number: "0.78%" is 0.0078."""
        return float(self._scaled(self.value))

    @property
    def within(self) -> float:
        """How far a true value may be off: half a unit of the last digit, or the stated tolerance."""
        if self.tolerance is not None:
            return float(self._scaled(self.tolerance))
        return float(abs(self._scaled(self.value, last_digit=True)) / 2)

    def agrees(self, calculated: float) -> bool:
        """Say whether a calculated value rounds to the published one, or lies within its stated tolerance."""
        return abs(calculated - self.number) <= self.within * (1 + 1e-9)

    def _scaled(self, printed: str, *, last_digit: bool = False) -> Decimal:
        digits = printed.removeprefix("about ").replace(",", "")
        percent = digits.endswith("%") or self.unit == "percentage points"
        number = Decimal(digits.removesuffix("%"))
        if last_digit:
            number = Decimal((0, (1,), int(number.as_tuple().exponent)))
        return number / 100 if percent else number


def sources() -> dict[str, Source]:
    """Return the bibliography by key."""
    return _bibliography(data_folder() / f"{SOURCES}.toml")


@cache
def _bibliography(path: Path) -> dict[str, Source]:
    document = _read(path, path.name)
    return {
        key: _record(Source, f"{document.file}: [{key}]", {"key": key, **table})
        for key, table in document.tables.items()
    }


def charts(stem: str) -> dict[str, Chart]:
    """Return the published strategy charts of a game by name."""
    legend = _shipped(stem).tables.get("chart_legend", {})
    found = {}
    for entry in _entries(stem, "charts"):
        entry.source()
        table = {key: read for key, read in entry.table.items() if key != "file"}
        path = data_folder() / (entry.text("file") or f"{stem}_{entry.name}.csv")
        found[entry.name] = _record(Chart, entry.place, {"name": entry.name, "path": path, "legend": legend, **table})
    return found


def published(stem: str) -> list[Published]:
    """Return the published figures of a game or bet, in the order of its data file."""
    document = _shipped(stem)
    rows = []
    for number, table in enumerate(document.tables.get("published", []), start=1):
        place = f"{document.file}: [[published]] row {number}"
        row = _record(Published, place, {"stem": stem, **table})
        if row.source not in sources():
            raise RequestError(f"{place} source: {unknown('source', row.source, sources())}")
        try:
            _ = row.number, row.within
        except InvalidOperation:
            raise RequestError(
                f"{place} value is {_shown(row.value)}, tolerance {row.tolerance}; expected numbers"
            ) from None
        rows.append(row)
    return rows


M = TypeVar("M", bound=_Record)


def _record(kind: type[M], place: str, table: _Table) -> M:
    try:
        return kind.model_validate(table)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        if first["type"] == "extra_forbidden":
            raise RequestError(f"{place} {unknown('key', key, kind.model_fields)}") from None
        if first["type"] == "missing":
            raise RequestError(f"{place} lacks the key {key}") from None
        message = first["msg"].removeprefix("Input should be ")
        raise RequestError(f"{place} {key} is {_shown(first['input'])}; expected {message}") from None


# --- Counting -----------------------------------------------------------------------------------------------


def count_systems() -> dict[str, CountSystem]:
    """Return the card counting systems by name."""
    document = _counting(data_folder() / f"{COUNTING}.toml")
    entries = [_Entry(document, "systems", name, table, own=False) for name, table in document.named("systems").items()]
    return {entry.name: _count_system(entry) for entry in entries}


def count_system(name: str) -> CountSystem:
    """Return a card counting system: by name, or from a user's own file."""
    if is_path(name):
        return _count_system(_own_entry("systems", name))
    systems = count_systems()
    if name not in systems:
        raise unknown("count system", name, systems)
    return systems[name]


@cache
def _counting(path: Path) -> _Document:
    return _read(path, path.name)


def _count_system(entry: _Entry) -> CountSystem:
    tags = entry.table.get("tags")
    if not isinstance(tags, dict) or {*tags} != {*VALUES}:
        raise entry.wrong("tags", tags, f"a tag for each of {', '.join(VALUES)}")
    for value, tag in tags.items():
        if isinstance(tag, bool) or not isinstance(tag, int | float):
            raise entry.wrong(f"tags {value}", tag, "a number")
    published = entry.table.get("published", {})
    return CountSystem(entry.request, tuple(float(tags[value]) for value in VALUES), entry.source(), published)
