"""The command line: asks `request` and `runs`, and prints what they answer.

A result goes to stdout alone, everything else to stderr. Exit status: 0 done, 2 the request was wrong (one line says
how), 1 it failed while running, 130 interrupted.
"""

import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar, cast

import typer
from typer.core import TyperCommand, TyperGroup

from casinomath import __version__, display
from casinomath.errors import RequestError, unknown

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from casinomath.montecarlo import Progress
    from casinomath.notebooks import Notebook
    from casinomath.request import Request
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
Output = Annotated[
    str | None,
    typer.Option("--output", "-o", metavar="DIR", help="The report's folder."),
]
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


def _whole(option: str, given: str) -> int:
    """A whole number that may be written with an exponent."""
    try:
        return int(given)
    except ValueError:
        pass
    try:
        number = float(given)
    except ValueError:
        number = math.nan
    if number.is_integer():
        return int(number)
    raise RequestError(f"{option} {given}: expected a whole number such as 100000000 or 1e8")


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
    _print(*display.listing(listed))


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
        _print(*display.returns(returns, asked))


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
        _print_json({"bet": asked.bet, "rules_name": asked.rules_name, **found.json(), "seconds": seconds}, indent=None)
    elif as_csv:
        found.frame.to_csv(sys.stdout, index=False, lineterminator="\n")
    elif figure is not None:
        _draw(found, asked, figure)
    else:
        from casinomath import catalog

        legends = [chart.legend for chart in catalog.charts(found.game).values()]
        _print(*display.strategy(found, asked.rules_name, legends[0] if legends else {}))


@app.command()
def simulate(
    game: Stem,
    rounds: Annotated[str, typer.Option("--rounds", metavar="N", help="How many rounds to play: 100000000, or 1e8.")],
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed plays the same rounds.")],
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the cluster of a Dask scheduler.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play rounds by dealing cards: a witness that shares nothing with `evaluate` but the strategy."""
    asked = _resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy)
    wanted = _whole("--rounds", rounds)
    with _executor(scheduler) as executor, _progress(f"playing {game}") as progress:
        start = time.perf_counter()
        sample = asked.simulate(wanted, seed, executor=executor, progress=progress)
        seconds = time.perf_counter() - start
    if as_json:
        speed = {"seconds": seconds, "rounds_per_second": wanted / seconds}
        _print_json({**asked.json(), **sample.json(), **speed})
    else:
        _print(*display.sample(sample, asked, asked.evaluate(), seconds))


@app.command(cls=_WithParameters)
def report(
    notebook: Annotated[
        str, typer.Argument(metavar="NOTEBOOK", help="One of `casinomath notebooks`, or a notebook file of your own.")
    ],
    parameters: Annotated[
        list[str] | None,
        typer.Option("-p", "--parameter", metavar="NAME VALUE", help="Set one parameter; may be repeated."),
    ] = None,
    output: Output = None,
) -> None:
    """Run a notebook into a folder: the notebook, HTML that opens offline, tables, figures and manifest.json."""
    from casinomath.runs import report as run

    _print_paths(run(notebook, _pairs("-p", parameters, "NAME VALUE"), output).paths)


@app.command()
def rerun(
    manifest: Annotated[
        str, typer.Argument(metavar="MANIFEST", help="The manifest.json of a report, or the report's folder.")
    ],
    output: Output = None,
) -> None:
    """Make the report of a manifest again; exit status 1 where the numbers' digest is another."""
    from casinomath.runs import ReportFailed
    from casinomath.runs import rerun as run

    again = run(manifest, output)
    _print_paths(again.manifest.paths)
    if not again.same:
        raise ReportFailed(f"the numbers differ from {manifest}: {', '.join(again.differences)}")
    _print(f"the same numbers: digest {again.manifest.results.digest}")
    for difference in again.differences:
        _tell(f"not as it was: {difference}")


notebooks = typer.Typer(cls=_Commands)
app.add_typer(notebooks, name="notebooks")


@notebooks.callback(invoke_without_command=True)
def list_notebooks(ctx: typer.Context, as_json: Json = False) -> None:
    """List the notebooks with their questions and parameters, or copy them out to edit."""
    if ctx.invoked_subcommand is not None:
        return
    from casinomath import runs

    listed = runs.notebooks()
    if as_json:
        _print_json([_described(notebook) for notebook in listed])
    else:
        _print(*display.notebooks(listed))


def _described(notebook: "Notebook") -> dict[str, Any]:
    return {
        "name": notebook.name,
        "title": notebook.title,
        "question": notebook.question,
        "game": notebook.stem,
        "path": str(notebook.path),
        "parameters": [
            {
                "name": parameter.name,
                "expected": parameter.expected,
                "default": parameter.default,
                "comment": parameter.comment,
            }
            for parameter in notebook.parameters
        ],
    }


@notebooks.command()
def copy(folder: Annotated[str, typer.Argument(metavar="DIR", help="A folder, made where there is none.")]) -> None:
    """Copy the notebooks out, to be edited."""
    from casinomath.runs import copy_notebooks

    _print_paths(copy_notebooks(folder))


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what a bug report needs: versions, folders, kernels, threads, the digest of the data."""
    from casinomath.doctor import examine

    found = examine()
    if as_json:
        _print_json(found)
        return
    _print(*display.findings(found))


# --- Figures ------------------------------------------------------------------------------------------------

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


# --- Streams ------------------------------------------------------------------------------------------------

T = TypeVar("T")


def _print(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")


def _print_paths(paths: Iterable[Path]) -> None:
    _print(*(str(path) for path in paths))


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
def _executor(scheduler: str | None) -> "Iterator[Executor | None]":
    """The workers of a Dask cluster, or None for those of this machine."""
    if scheduler is None:
        yield None
        return
    from distributed import Client

    try:
        client = Client(scheduler, timeout=10)
    except ValueError as error:
        expected = "an address such as tcp://host:8786"
        raise RequestError(f"--scheduler {scheduler}: {error}; expected {expected}") from None
    with client:
        yield client.get_executor()


@contextmanager
def _progress(doing: str) -> "Iterator[Progress | None]":
    """A bar on a terminal, and none in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, wanted: bar.update(task, completed=done, total=wanted)


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
        with command.make_context(NAME, words.copy()) as context:  # it eats what it is given
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


EXTRAS: Final = {"distributed": "cluster"}
"""Optional packages by the extra that brings them; all others come with `reports`."""


def _failure(error: Exception) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        extra = EXTRAS.get(error.name, "reports")
        return f"{error}; it comes with pip install '{NAME}[{extra}]'"
    from casinomath.runs import ReportFailed

    if isinstance(error, ReportFailed):
        return str(error)
    return f"{type(error).__name__}: {error} (a traceback is shown with --traceback before the command)"
