"""What the commands share: the application they belong to, and the words that several of them take."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, cast

import typer
from typer.core import TyperGroup

from casinomath import __version__
from casinomath.cli.streams import NAME, print_lines, tell
from casinomath.errors import RequestError, unknown

if TYPE_CHECKING:
    from casinomath.request import Request

TRACEBACK: Final = "CASINOMATH_TRACEBACK"
"""Set to anything: show the traceback of an unexpected failure."""


class Commands(TyperGroup):
    """The commands; an unknown one is told as every unknown name is."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Find the command of a command line; RequestError where there is none of that name."""
        if args[0] not in self.commands:
            raise unknown("command", args[0], self.commands)
        return super().resolve_command(ctx, args)


app = typer.Typer(
    name=NAME,
    cls=Commands,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Exact answers about casino table games: what a bet costs, and how it is played best.",
)


def _version(asked: bool) -> None:
    if asked:
        print_lines(f"{NAME} {__version__}")
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


def word_pairs(option: str, given: Sequence[str] | None, expected: str) -> dict[str, str]:
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


def whole(option: str, given: str) -> int:
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


def resolved(
    game: str,
    rules: str | None,
    paytable: str | None,
    changes: Sequence[str] | None,
    pays: Sequence[str] | None,
    **others: Any,
) -> "Request":
    """The request of a command, its notes told on stderr."""
    from casinomath.request import resolve

    change = word_pairs("--set", changes, "FIELD=VALUE")
    pay = word_pairs("--pay", pays, "EVENT=PAYS")
    asked = resolve(game, rules, paytable, change, pay, **others)
    for note in asked.notes:
        tell(note)
    return asked
