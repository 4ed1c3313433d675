"""The command line: asks the floors below, and prints what they answer.

A result goes to stdout alone, everything else to stderr. Exit status: 0 done, 2 the request was wrong (one line says
how), 1 it failed while running, 130 interrupted.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, cast

import typer

from casinomath.cli.commands import TRACEBACK, app
from casinomath.cli.streams import NAME, drop_stdout, tell
from casinomath.errors import RequestError, unknown

# They name the commands, in the order in which the help lists them.
from casinomath.cli import questions, strategies, comparisons, counts, risks, reports  # isort: skip # noqa: F401

__all__ = ["TRACEBACK", "main"]

UsageError: Final = cast("type[Exception]", typer.BadParameter.__mro__[1])
"""What typer raises for a wrong command line, whether it carries click inside it or beside it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    for stream in ("stdout", "stderr"):
        if getattr(sys, stream) is None:  # closed by the caller, who wants none of it
            setattr(sys, stream, Path(os.devnull).open("w", encoding="utf-8"))  # noqa: SIM115 - open to the end
    try:
        return _run(words)
    except RequestError as error:
        tell(str(error))
        return 2
    except UsageError as error:
        tell(_usage(error))
        return 2
    except KeyboardInterrupt:
        tell("interrupted")
        return 130
    except BrokenPipeError:  # the reader has seen enough, as in `| head`
        drop_stdout()
        return 0
    except Exception as error:
        if "--traceback" in words or os.environ.get(TRACEBACK):
            raise
        tell(_failure(error))
        if isinstance(error, OSError):
            drop_stdout()
        return 1


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
    from casinomath.montecarlo import WorkersLost
    from casinomath.runs import ReportFailed

    if isinstance(error, ReportFailed | WorkersLost):
        return str(error)
    return f"{type(error).__name__}: {error} (a traceback is shown with --traceback before the command)"
