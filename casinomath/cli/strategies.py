"""Strategies beside each other: compare, departures, simplicity."""

import time
from typing import TYPE_CHECKING, Annotated, Any

import typer

from casinomath import display
from casinomath.cli.commands import (
    Changes,
    Json,
    OnlyStem,
    Pays,
    PaytableName,
    RulesName,
    Shoe,
    app,
    resolved,
    word_pairs,
)
from casinomath.cli.comparisons import Csv, one_form, print_csv
from casinomath.cli.streams import print_json, print_lines, timed

if TYPE_CHECKING:
    from casinomath.request import Request

ChartName = Annotated[
    str,
    typer.Option("--strategy", metavar="NAME|FILE", help="total_dependent (the best), a published chart, or a file."),
]
SHOWN = 40
"""Departures printed; --csv and --json have all."""


def _asked(
    game: str,
    rules: str | None,
    paytable: str | None,
    changes: list[str] | None,
    pays: list[str] | None,
    shoe: str | None,
    strategy: str | None = None,
) -> "tuple[Request, dict[str, Any]]":
    """The request, and what a verb of it is given."""
    from casinomath.strategies import check_charts

    check_charts(resolved(game, rules, paytable, changes, pays, shoe=shoe))  # before a strategy it does not have
    asked = resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy)
    change, pay = word_pairs("--set", changes, "FIELD=VALUE"), word_pairs("--pay", pays, "EVENT=PAYS")
    return asked, {"rules": rules, "paytable": paytable, "change": change, "pay": pay, "shoe": shoe}


@app.command()
def compare(
    game: OnlyStem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: ChartName = "total_dependent",
    other: Annotated[
        str | None,
        typer.Option("--with", metavar="NAME|FILE", help="The other; by default the chart published for these rules."),
    ] = None,
    as_csv: Csv = False,
    as_json: Json = False,
) -> None:
    """Show where two charts differ: both EVs, how often it matters, and what every difference costs."""
    from casinomath.strategies import compare as verb
    from casinomath.tables import records

    one_form(as_csv, as_json)
    _, words = _asked(game, rules, paytable, changes, pays, shoe, strategy)
    start = time.perf_counter()
    found, _ = timed(f"comparing charts of {game}", lambda: verb(game, **words, strategy=strategy, other=other))
    if as_csv:
        print_csv(found.decisions)
    elif as_json:
        print_json(
            {
                **found.request.json(),
                "with": found.other,
                "ev": found.ev,
                "other_ev": found.other_ev,
                "difference": found.difference,
                "interaction": found.interaction,
                "entries": records(found.entries),
                "decisions": records(found.decisions),
                "seconds": time.perf_counter() - start,
            }
        )
    else:
        print_lines(*display.strategy_comparison(found))


@app.command()
def departures(
    game: OnlyStem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: ChartName = "total_dependent",
    as_csv: Csv = False,
    as_json: Json = False,
) -> None:
    """Show the hands on which a chart is best departed from, by their cards, and what each departure gains."""
    from casinomath.strategies import departures as verb
    from casinomath.tables import records

    one_form(as_csv, as_json)
    asked, words = _asked(game, rules, paytable, changes, pays, shoe, strategy)
    found, seconds = timed(f"searching {game}", lambda: verb(game, **words, strategy=strategy))
    if as_csv:
        print_csv(found.table)
    elif as_json:
        told = {"ev": found.ev, "ev_with_all": found.ev_with_all, "departures": records(found.table)}
        print_json({**asked.json(), **told, "seconds": seconds})
    else:
        print_lines(*display.departures(found, asked, SHOWN))


@app.command()
def simplicity(
    game: OnlyStem,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    as_csv: Csv = False,
    as_json: Json = False,
) -> None:
    """Show what simpler strategies cost, and which exceptions to a plain chart are worth learning first."""
    from casinomath.strategies import simplicity as verb
    from casinomath.tables import records

    one_form(as_csv, as_json)
    asked, words = _asked(game, rules, paytable, changes, pays, shoe)
    found, seconds = timed(f"simplifying {game}", lambda: verb(game, **words))
    if as_csv:
        print_csv(found.table)
    elif as_json:
        told = {"best_play": found.best_play, "classes": records(found.table)}
        told |= {"exceptions": records(found.exceptions), "best_sets": records(found.best_sets)}
        print_json({**asked.json(), **told, "seconds": seconds})
    else:
        print_lines(*display.simplicity(found, asked))
