"""The command line: asks `request` and `runs`, and prints what they answer.

A result goes to stdout alone, everything else to stderr. Exit status: 0 done, 2 the request was wrong (one line says
how), 1 it failed while running, 130 interrupted.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, cast

import typer
from typer.core import TyperCommand, TyperGroup

from casinomath import __version__
from casinomath.errors import RequestError, unknown

if TYPE_CHECKING:
    from rich.table import Table

    from casinomath.request import Request
    from casinomath.returns import Returns
    from casinomath.strategy import Strategy, StrategyClass

NAME: Final = "casinomath"
TRACEBACK: Final = "CASINOMATH_TRACEBACK"
"""Set to anything: show the traceback of an unexpected failure."""

UsageError: Final = cast("type[Exception]", typer.BadParameter.__mro__[1])
"""What typer raises for a wrong command line, whether it carries click inside it or beside it."""


class _Commands(TyperGroup):
    """The commands; an unknown one is told as every unknown name is."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in self.commands:
            raise unknown("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


class _WithParameters(TyperCommand):
    """A command whose `-p` takes a name and a value: typer knows options of one value only."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_joined(args)))


def _joined(args: Sequence[str]) -> Iterator[str]:
    """`-p NAME VALUE` as `-p NAME=VALUE`; the latter is left as it is."""
    rest = iter(args)
    for word in rest:
        yield word
        if word in ("-p", "--parameter"):
            name = next(rest, None)
            if name is None:
                raise RequestError(f"{word} lacks its name and value; expected {word} NAME VALUE")
            value = None if "=" in name else next(rest, None)
            if value is None and "=" not in name:
                raise RequestError(f"{word} {name} lacks its value; expected {word} NAME VALUE")
            yield name if value is None else f"{name}={value}"


app = typer.Typer(
    name=NAME,
    cls=_Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Exact answers about casino table games: what a bet costs, and how it is played best.",
)


# --- Words of the command line ------------------------------------------------------------------------------

Stem = Annotated[
    str, typer.Argument(metavar="GAME[:BET]", help="A game, and which of its bets; see `casinomath list`.")
]
OnlyStem = Annotated[str, typer.Argument(metavar="GAME", help="A game; see `casinomath list`.")]
RulesName = Annotated[
    str | None, typer.Option("--rules", metavar="NAME|FILE", help="A rule set, or a TOML file of your own.")
]
PaytableName = Annotated[
    str | None, typer.Option("--paytable", metavar="NAME|FILE", help="A pay table, or a TOML file of your own.")
]
Changes = Annotated[
    list[str] | None, typer.Option("--set", metavar="FIELD=VALUE", help="Change one rule; may be repeated.")
]
Pays = Annotated[
    list[str] | None,
    typer.Option("--pay", metavar="EVENT=PAYS", help="Change one line of the pay table: 3:2, 12, '300 for 1', push."),
]
Shoe = Annotated[
    str | None, typer.Option("--shoe", metavar="COUNTS", help="Cards left by value: ace,2,3,...,9,ten-valued.")
]
Play = Annotated[
    str | None,
    typer.Option(
        "--strategy",
        metavar="NAME|FILE",
        help="composition_dependent (the best), total_dependent, a published chart, or a chart file of your own.",
    ),
]
Meter = Annotated[float | None, typer.Option("--meter", metavar="DOLLARS", help="What a progressive meter shows.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON value, numbers at full precision.")]


def _pairs(option: str, given: Sequence[str] | None, expected: str) -> dict[str, str]:
    """`FIELD=VALUE` words as a mapping."""
    pairs: dict[str, str] = {}
    for word in given or ():
        name, equals, value = (part.strip() for part in word.partition("="))
        if not (name and equals and value):
            raise RequestError(f"{option} {word}: expected {option} {expected}")
        if name in pairs:
            raise RequestError(f"{option} {name} is given twice: {pairs[name]} and {value}")
        pairs[name] = value
    return pairs


def _resolved(
    game: str,
    rules: str | None,
    paytable: str | None,
    changes: Sequence[str] | None,
    pays: Sequence[str] | None,
    **others: Any,
) -> "Request":
    """The request of a command, its notes told on stderr."""
    from casinomath.request import resolve

    change = _pairs("--set", changes, "FIELD=VALUE")
    pay = _pairs("--pay", pays, "EVENT=PAYS")
    asked = resolve(game, rules, paytable, change, pay, **others)
    for note in asked.notes:
        _tell(note)
    return asked


# --- Commands -----------------------------------------------------------------------------------------------


def _version(asked: bool) -> None:
    if asked:
        _print(f"{NAME} {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def face(
    ctx: typer.Context,
    _version_asked: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    _traceback_asked: Annotated[
        bool, typer.Option("--traceback", help=f"Show the traceback of a failure, as {TRACEBACK}=1 does.")
    ] = False,
) -> None:
    """Exact answers about casino table games: what a bet costs, and how it is played best."""
    if ctx.invoked_subcommand is None:
        names = ", ".join(cast("TyperGroup", ctx.command).commands)
        raise RequestError(f"no command; choices: {names}; see {NAME} --help")


@app.command("list")
def list_games(as_json: Json = False) -> None:
    """List games and bets, with their rule sets, pay tables and published charts."""
    from casinomath.request import games

    listed = games()
    if as_json:
        _print_json([game._asdict() for game in listed])
        return
    table = _table("game", "bets", "rules", "pay tables", "charts")
    for game in listed:
        table.add_row(*("\n".join(cell) for cell in ([game.stem], *game[1:])))
    _print_table(table)


@app.command()
def evaluate(
    game: Stem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    meter: Meter = None,
    as_json: Json = False,
) -> None:
    """Price a bet: its house edge, and what every way a round can end brings."""
    asked = _resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy, meter=meter)
    returns, seconds = _timed(f"pricing {game}", asked.evaluate)
    if as_json:
        _print_json({**returns.json(), "seconds": seconds})
    else:
        _print_returns(returns)


@app.command()
def strategy(
    game: OnlyStem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy_class: Annotated[
        str | None,
        typer.Option(
            "--class",
            metavar="CLASS",
            help="composition_dependent (every set of cards) or total_dependent (what a chart can say).",
        ),
    ] = None,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="One line for each decision, with the EV of every action.")
    ] = False,
    as_json: Json = False,
    figure: Annotated[
        Path | None, typer.Option("--figure", metavar="FILE", help="Draw the chart into a .png, .pdf or .svg file.")
    ] = None,
) -> None:
    """Show the best play as a chart; its text is a chart file that `evaluate --strategy` reads."""
    if as_csv + as_json + (figure is not None) > 1:
        raise RequestError("expected one of --csv, --json and --figure")
    if figure is not None:
        _check_figure(figure)
    asked = _resolved(game, rules, paytable, changes, pays, shoe=shoe)
    wanted = cast(
        "StrategyClass", strategy_class or ("composition_dependent" if as_csv or as_json else "total_dependent")
    )
    found, seconds = _timed(f"working out {game}", lambda: asked.strategy(wanted))
    if as_json:
        _print_json({**found.json(), "rules_name": asked.rules_name, "seconds": seconds}, indent=None)
    elif as_csv:
        found.frame.to_csv(sys.stdout, index=False, lineterminator="\n")
    elif figure is not None:
        _draw(found, asked, figure)
    else:
        _print_strategy(found, asked)


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what a bug report needs: versions, folders, kernels, threads, the digest of the data."""
    from casinomath.doctor import examine

    found = examine()
    if as_json:
        _print_json(found)
        return
    table = _grid()
    for name, value in found.items():
        for key, part in value.items() if isinstance(value, dict) else [("", value)]:
            table.add_row(f"{name} {key}".strip(), _examined(part))
    _print_table(table)


# --- Results on paper ---------------------------------------------------------------------------------------


def _print_returns(returns: "Returns") -> None:
    details = returns.details
    _print(f"{returns.game}:{returns.bet}, rules {details['rules_name']}, pay table {returns.paytable}")
    if "strategy" in details:
        _print(f"played by {details['strategy']}")
    _print("")
    _print_table(_rules_grid(returns.rules))

    events = _table("event", "pays", "probability", "1 in", "return", right=("pays", "probability", "1 in", "return"))
    for event in returns.events:
        events.add_row(
            f"+ {event.event}" if event.on_top else event.event,
            _odds(event.pays),
            f"{event.probability:.6%}",
            _one_in(event.probability),
            f"{event.returned:+.6%}",
        )
    ends = sum(event.probability for event in returns.events if not event.on_top)
    events.add_section()
    events.add_row("all", "", f"{ends:.6%}", "", f"{returns.ev:+.6%}")
    _print_table(events)
    if any(event.on_top for event in returns.events):
        _print("+ paid on top of how the round ends: not a part of the probabilities' sum")

    measures = _grid()
    for name, value in _measures(returns):
        measures.add_row(name, value)
    _print_table(measures)


def _measures(returns: "Returns") -> Iterator[tuple[str, str]]:
    """The measures of a bet in words; all are in initial wagers."""
    yield "house edge", f"{returns.house_edge:.6%}"
    if returns.ev_exact is not None:
        yield "exact EV", str(returns.ev_exact)
    yield "element of risk", f"{returns.element_of_risk:.6%}"
    yield "average wager", f"{returns.average_wager:.6f}"
    if returns.stdev is not None:
        yield "standard deviation", f"{returns.stdev:.6f}"
    if returns.hit_frequency is not None:
        yield "hit frequency", f"{returns.hit_frequency:.6%}"
    methods = {"exact": "exact, in fractions", "float64": "exact enumeration in double precision (float64)"}
    yield "method", methods[returns.method]
    if change := returns.details.get("change"):
        lines = ", ".join(f"{event} {pays['from']} -> {pays['to']}" for event, pays in change["pays"].items())
        yield "change", f"EV {change['ev_change']:+.6%} against {change['paytable']} ({lines})"


def _print_strategy(found: "Strategy", asked: "Request") -> None:
    """The chart, with all the rest in comments, so that the text is a chart file."""
    from casinomath import catalog

    _print(f"# {found.game}, rules {asked.rules_name}, pay table {found.paytable}, {found.strategy_class}")
    for line in _wrapped(f"{field}={_said(value)}" for field, value in found.rules.items()):
        _print(f"#   {line}")
    _print("")
    _print(found.chart.text())
    legends = [chart.legend for chart in catalog.charts(found.game).values()]
    for code, meaning in (legends[0] if legends else {}).items():
        _print(f"# {code:<6} {meaning}")


FIGURES: Final = (".png", ".pdf", ".svg")


def _check_figure(path: Path) -> None:
    if path.suffix.lower() not in FIGURES:
        raise RequestError(f"--figure {path}: expected a name that ends in {', '.join(FIGURES)}")
    if not path.expanduser().parent.is_dir():
        raise RequestError(f"--figure {path}: no folder {path.parent}")


def _draw(found: "Strategy", asked: "Request", path: Path) -> None:
    """Draw the chart into a file; one that can't be finished is not left behind."""
    from casinomath.figures import strategy_chart

    path = path.expanduser()
    title = f"{found.game}: {asked.rules_name}, pay table {found.paytable}"
    drawn = strategy_chart(found, found.rules, title)
    unfinished = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
    try:
        drawn.savefig(unfinished, format=path.suffix.lower().removeprefix("."))
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)
    _print(str(path))


def _examined(value: object) -> str:
    """A finding of the doctor in words."""
    if isinstance(value, dict):
        state = "can be written" if value["writable"] else "read-only" if value["exists"] else "does not exist"
        return f"{value['path']} ({state})"
    return "none" if value is None else ("yes" if value else "no") if isinstance(value, bool) else str(value)


def _odds(pays: Fraction | None) -> str:
    if pays is None:
        return "varies"
    return f"{pays.numerator:,} to {pays.denominator:,}" if pays > 0 else "push" if pays == 0 else f"{float(pays):g}"


def _one_in(probability: float) -> str:
    if probability <= 0:
        return "never"
    return f"{1 / probability:,.1f}" if probability > 1e-3 else f"{1 / probability:,.0f}"


def _said(value: object) -> str:
    """A rule's value as `--set` takes it."""
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _wrapped(words: Iterator[str], width: int = 100) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


def _rules_grid(rules: Mapping[str, Any]) -> "Table":
    """The rules in force, in two columns."""
    grid = _grid(4)
    fields = [(field, _said(value)) for field, value in rules.items()]
    half = (len(fields) + 1) // 2
    for place in range(half):
        right = fields[half + place] if half + place < len(fields) else ("", "")
        grid.add_row(*fields[place], *right)
    return grid


def _grid(columns: int = 2) -> "Table":
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    for _ in range(columns):
        grid.add_column()
    return grid


def _table(*columns: str, right: Sequence[str] = ()) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table


# --- Streams ------------------------------------------------------------------------------------------------

T = TypeVar("T")


def _print_table(table: "Table") -> None:
    """Print a table: on a terminal as wide as that, in a pipe so wide that nothing wraps."""
    from rich.console import Console

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with console.capture() as printed:  # written by ourselves, since rich exits where a pipe is closed
        console.print(table)
    for line in printed.get().splitlines():
        _print(line.rstrip())


def _print(line: str) -> None:
    sys.stdout.write(f"{line}\n")


def _print_json(value: object, indent: int | None = 2) -> None:
    _print(json.dumps(value, indent=indent, allow_nan=False))


def _tell(line: str) -> None:
    """One line on stderr."""
    sys.stderr.write(f"{NAME}: {' '.join(line.split())}\n")


def _timed(doing: str, work: Callable[[], T]) -> tuple[T, float]:
    """What the work returns and how many seconds it took; a terminal is told what is being done."""
    start = time.perf_counter()
    with _status(doing):
        result = work()
    return result, time.perf_counter() - start


@contextmanager
def _status(doing: str) -> Iterator[None]:
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(doing):
        yield


# --- Exit status --------------------------------------------------------------------------------------------


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by the caller, who wants none of it
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
    try:
        return _run(words)
    except RequestError as error:
        _tell(str(error))
        return 2
    except UsageError as error:
        _tell(_usage(error))
        return 2
    except KeyboardInterrupt:
        _tell("interrupted")
        return 130
    except BrokenPipeError:  # the reader has seen enough, as in `| head`
        _drop_stdout()
        return 0
    except Exception as error:
        if "--traceback" in words or os.environ.get(TRACEBACK):
            raise
        _tell(_failure(error))
        if isinstance(error, OSError):
            _drop_stdout()
        return 1


def _drop_stdout() -> None:
    """Let go of what stdout still holds, which would fail again when Python flushes it at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:  # not a real file
        return


def _run(words: list[str]) -> int:
    command = typer.main.get_command(app)
    try:
        with command.make_context(NAME, words) as context:
            command.invoke(context)
    except typer.Exit as done:
        return done.exit_code
    finally:
        sys.stdout.flush()
    return 0


def _usage(error: Any) -> str:
    """A wrong command line in one line; an unknown option is told with its choices."""
    context = error.ctx
    path = context.command_path if context is not None else NAME
    option = getattr(error, "option_name", None)
    if context is not None and type(error).__name__ == "NoSuchOption":
        choices = [
            name for parameter in context.command.get_params(context) for name in parameter.opts if name[0] == "-"
        ]
        return str(unknown(f"option of {path}:", option, choices))
    return f"{error.format_message().rstrip('.')}; see {path} --help"


def _failure(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError):
        return f"{error}: install what reports need with pip install '{NAME}[reports]'"
    return f"{type(error).__name__}: {error} (a traceback is shown with --traceback before the command)"
