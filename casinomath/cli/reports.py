"""Reports, the notebooks that make them, and what a bug report needs: report, rerun, notebooks, doctor."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from casinomath import display
from casinomath.cli.commands import Commands, Json, Output, app, word_pairs
from casinomath.cli.streams import print_json, print_lines, print_paths, tell
from casinomath.errors import RequestError

if TYPE_CHECKING:
    from casinomath.notebooks import Notebook


class WithParameters(TyperCommand):
    """A command whose `-p` takes a name and a value: typer knows options of one value only."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Read `-p NAME VALUE` too."""
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


@app.command(cls=WithParameters)
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

    print_paths(run(notebook, word_pairs("-p", parameters, "NAME VALUE"), output).paths)


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
    print_paths(again.manifest.paths)
    if not again.same:
        raise ReportFailed(f"the numbers differ from {manifest}: {', '.join(again.differences)}")
    print_lines(f"the same numbers: digest {again.manifest.results.digest}")
    for difference in again.differences:
        tell(f"not as it was: {difference}")


notebooks = typer.Typer(cls=Commands)
app.add_typer(notebooks, name="notebooks")


@notebooks.callback(invoke_without_command=True)
def list_notebooks(ctx: typer.Context, as_json: Json = False) -> None:
    """List the notebooks with their questions and parameters, or copy them out to edit."""
    if ctx.invoked_subcommand is not None:
        return
    from casinomath import runs

    listed = runs.notebooks()
    if as_json:
        print_json([_described(notebook) for notebook in listed])
    else:
        print_lines(*display.notebooks(listed))


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

    print_paths(copy_notebooks(folder))


@app.command()
def doctor(as_json: Json = False) -> None:
    """Say what a bug report needs: versions, folders, kernels, threads, the digest of the data."""
    from casinomath.doctor import examine

    found = examine()
    if as_json:
        print_json(found)
        return
    print_lines(*display.findings(found))
