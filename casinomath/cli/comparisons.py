"""A bet under many rules, with other cards and other pays: sweep, sensitivity, removal, solve."""

import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from casinomath import display
from casinomath.cli.commands import (
    Changes,
    Json,
    Meter,
    Pays,
    PaytableName,
    Play,
    RulesName,
    Shoe,
    Stem,
    app,
    word_pairs,
)
from casinomath.cli.streams import executor_of, print_json, print_lines, print_paths, progress_bar, tell, timed
from casinomath.errors import RequestError

if TYPE_CHECKING:
    import pandas as pd

    from casinomath.request import Request

Scheduler = Annotated[
    str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Price on the cluster of a Dask scheduler.")
]
Csv = Annotated[bool, typer.Option("--csv", help="CSV, numbers at full precision.")]


def _values(option: str, given: Sequence[str] | None) -> dict[str, list[str]]:
    """`NAME=V1,V2,…` words as lists of values by name."""
    expected = f"{option} NAME=VALUE,VALUE,…"
    over = {}
    for name, words in word_pairs(option, given, "NAME=VALUE,VALUE,…").items():
        over[name] = [word.strip() for word in words.split(",")]
        if not all(over[name]):
            raise RequestError(f"{option} {name}={words} has an empty value; expected {expected}")
    return over


def print_csv(table: "pd.DataFrame") -> None:
    """Print a table as CSV."""
    from casinomath.tables import plain

    plain(table).to_csv(sys.stdout, index=False, lineterminator="\n")


def _tell_notes(asked: "Request") -> None:
    for note in asked.notes:
        tell(note)


def one_form(as_csv: bool, as_json: bool) -> None:
    """Raise RequestError where both are asked for."""
    if as_csv and as_json:
        raise RequestError("expected one of --csv and --json")


@app.command()
def sweep(
    game: Stem,
    over: Annotated[
        list[str] | None,
        typer.Option(
            "--over",
            metavar="NAME=V1,V2,…",
            help="A rule with its values, or rules, paytable, pay.EVENT, strategy, meter; may be repeated.",
        ),
    ] = None,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    meter: Meter = None,
    events: Annotated[
        bool, typer.Option("--events", help="Print a row for each event of each point in place of a row for a point.")
    ] = False,
    as_json: Json = False,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="DIR", help="Write CSV and Parquet there; a sweep that was stopped goes on there."
        ),
    ] = None,
    scheduler: Scheduler = None,
) -> None:
    """Price a bet at every point of a grid: one table, as CSV or into a folder."""
    from casinomath.sweeps import sweep as run

    grid = _values("--over", over)
    change, pay = word_pairs("--set", changes, "FIELD=VALUE"), word_pairs("--pay", pays, "EVENT=PAYS")
    done = 0

    with executor_of(scheduler) as executor, progress_bar(f"pricing {game}") as bar:

        def heard(priced: int, wanted: int) -> None:
            nonlocal done
            done = priced
            if bar is not None:
                bar(priced, wanted)

        try:
            swept = run(
                *(game, grid, rules, paytable, change, pay, shoe, strategy, meter),
                output=output,
                executor=executor,
                progress=heard,
            )
        except KeyboardInterrupt:
            if output is not None and done:
                tell(f"{done} points are kept in {output}; the same command goes on from there")
            raise
    for note in swept.notes:
        tell(note)
    if output is not None:
        print_paths(swept.paths)
        return
    table = swept.events if events else swept.table
    if as_json:
        from casinomath.tables import records

        print_json(records(table))
    else:
        print_csv(table)


@app.command()
def sensitivity(
    game: Stem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    strategy: Play = None,
    meter: Meter = None,
    over: Annotated[
        list[str] | None,
        typer.Option("--over", metavar="FIELD=V1,V2,…", help="Other values of a rule than the documented ones."),
    ] = None,
    pairs: Annotated[bool, typer.Option("--pairs", help="Every two changes together as well.")] = False,
    as_csv: Csv = False,
    as_json: Json = False,
    scheduler: Scheduler = None,
) -> None:
    """Price every change of a rule, one at a time: what it adds to the house edge."""
    from casinomath.sensitivity import rule_differences
    from casinomath.tables import records

    one_form(as_csv, as_json)
    others = _values("--over", over)
    change, pay = word_pairs("--set", changes, "FIELD=VALUE"), word_pairs("--pay", pays, "EVENT=PAYS")
    start = time.perf_counter()
    with executor_of(scheduler) as executor, progress_bar(f"pricing {game}") as bar:
        found = rule_differences(
            *(game, rules, paytable, change, pay, strategy, meter),
            over=others,
            pairs=pairs,
            executor=executor,
            progress=bar,
        )
    _tell_notes(found.request)
    if as_csv:
        print_csv(found.table if found.pairs is None else found.pairs)
    elif as_json:
        print_json(
            {
                **found.request.json(),
                "house_edge": found.house_edge,
                "changes": records(found.table),
                **({} if found.pairs is None else {"pairs": records(found.pairs)}),
                "seconds": time.perf_counter() - start,
            }
        )
    else:
        print_lines(*display.rule_differences(found))


@app.command()
def removal(
    game: Stem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    meter: Meter = None,
    as_csv: Csv = False,
    as_json: Json = False,
    scheduler: Scheduler = None,
) -> None:
    """Take one card out of the shoe, each kind in turn: what that does to the EV."""
    from casinomath.sensitivity import removal_effects
    from casinomath.tables import records

    one_form(as_csv, as_json)
    change, pay = word_pairs("--set", changes, "FIELD=VALUE"), word_pairs("--pay", pays, "EVENT=PAYS")
    start = time.perf_counter()
    with executor_of(scheduler) as executor, progress_bar(f"pricing {game}") as bar:
        found = removal_effects(
            *(game, rules, paytable, change, pay, shoe, strategy, meter), executor=executor, progress=bar
        )
    _tell_notes(found.request)
    if as_csv:
        print_csv(found.table)
    elif as_json:
        print_json(
            {
                **found.request.json(),
                "ev": found.ev,
                "ev_exact": None if found.ev_exact is None else str(found.ev_exact),
                "mean_ev": found.mean_ev,
                "mean_ev_exact": None if found.mean_ev_exact is None else str(found.mean_ev_exact),
                "cards": records(found.table),
                "seconds": time.perf_counter() - start,
            }
        )
    else:
        print_lines(*display.removal_effects(found))


@app.command()
def solve(
    game: Stem,
    event: Annotated[str, typer.Option("--for", metavar="EVENT", help="The line of the pay table to be found.")],
    edge: Annotated[str, typer.Option("--edge", metavar="EDGE", help="The house edge to be had: 3%, or 0.03.")],
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    meter: Meter = None,
    as_json: Json = False,
) -> None:
    """Find the pay of an event that makes the house edge so much."""
    from casinomath.solving import solve as run

    change, pay = word_pairs("--set", changes, "FIELD=VALUE"), word_pairs("--pay", pays, "EVENT=PAYS")
    answer, seconds = timed(
        f"solving {game}", lambda: run(game, event, edge, rules, paytable, change, pay, shoe, strategy, meter)
    )
    _tell_notes(answer.request)
    if as_json:
        print_json({**answer.json(), "seconds": seconds})
    else:
        print_lines(*display.answer(answer))
