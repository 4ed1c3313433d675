"""What counting cards is worth: count."""

from typing import TYPE_CHECKING, Annotated, cast

import typer

from casinomath import display
from casinomath.cli.commands import (
    Changes,
    Json,
    OnlyStem,
    Pays,
    PaytableName,
    Play,
    RulesName,
    app,
    whole,
    word_pairs,
)
from casinomath.cli.streams import executor_of, print_json, print_lines, progress_bar
from casinomath.errors import RequestError

if TYPE_CHECKING:
    from casinomath.advantage import PlayBy


@app.command()
def count(
    game: OnlyStem,
    system: Annotated[
        str,
        typer.Option(
            "--system",
            metavar="NAME|FILE",
            help="A counting system, effects_1 to effects_3, or a TOML file of your own.",
        ),
    ] = "hi_lo",
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    strategy: Play = None,
    left: Annotated[
        float | None,
        typer.Option("--left", metavar="DECKS", help="Decks unseen where plays are decided; half of them by default."),
    ] = None,
    plays: Annotated[
        int,
        typer.Option("--plays", metavar="N", help="How many index plays are shown and made, the most valuable ones."),
    ] = 20,
    rounds: Annotated[
        str | None, typer.Option("--rounds", metavar="N", help="Play so many rounds of one who counts: 1e7.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", metavar="S", help="The same seed plays the same rounds. [1]")
    ] = None,
    penetration: Annotated[
        float | None, typer.Option("--penetration", metavar="PART", help="The part of the shoe that is dealt. [0.75]")
    ] = None,
    burn: Annotated[int | None, typer.Option("--burn", metavar="N", help="Cards burned after a shuffle. [0]")] = None,
    spread: Annotated[
        int | None, typer.Option("--spread", metavar="UNITS", help="Bet 1 to so many units, by the exact edges. [8]")
    ] = None,
    bets: Annotated[
        list[str] | None,
        typer.Option("--bet", metavar="COUNT=UNITS", help="Bet so much from a true count on; may be repeated."),
    ] = None,
    play_by: Annotated[
        str | None, typer.Option("--play", metavar="WAY", help="indices (follow the count, the default) or fixed.")
    ] = None,
    insure: Annotated[
        bool | None, typer.Option("--insurance/--no-insurance", help="Take insurance where the count says so. [yes]")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the cluster of a Dask scheduler.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Say what counting cards is worth: effects of removal, systems, edges and plays by the true count."""
    from casinomath.advantage import count as counted

    change, pay = word_pairs("--set", changes, "FIELD=VALUE"), word_pairs("--pay", pays, "EVENT=PAYS")
    if plays < 0:
        raise RequestError(f"--plays is {plays}; expected 0 or more")
    how: dict[str, object] = {
        "seed": seed,
        "penetration": penetration,
        "burn": burn,
        "spread": spread,
        "bet": bets or None,
    }
    how |= {"play": play_by, "insurance": insure, "scheduler": scheduler}
    for option, given in how.items():
        if rounds is None and given is not None:
            raise RequestError(f"--{'no-' if given is False else ''}{option}: expected --rounds N with it")
    if bets and spread is not None:
        raise RequestError("expected one of --spread and --bet")
    units, number = _bets(bets), None if rounds is None else whole("--rounds", rounds)
    part = 0.75 if penetration is None else penetration
    with progress_bar(f"counting {game}") as progress:
        found = counted(
            *(game, system, rules, paytable, change, pay, strategy or "total_dependent"), left=left, progress=progress
        )
    played = None
    if number is not None:
        ramp = found.ramp(8 if spread is None else spread, units, insure=insure is not False, penetration=part)
        with executor_of(scheduler) as executor, progress_bar(f"playing {game}") as progress:
            played = found.simulate(
                number,
                1 if seed is None else seed,
                ramp=ramp,
                play_by=cast("PlayBy", play_by or "indices"),
                most_plays=plays,
                penetration=part,
                burn=burn or 0,
                executor=executor,
                progress=progress,
            )
    if as_json:
        print_json({**found.json(), "simulated": None if played is None else played.json()})
    else:
        print_lines(*display.count(found, plays, played))


def _bets(given: list[str] | None) -> dict[int, int] | None:
    """Units by the true count from which on they are bet."""
    if not given:
        return None
    try:
        return {int(at): int(units) for at, units in word_pairs("--bet", given, "COUNT=UNITS").items()}
    except ValueError:
        raise RequestError(f"--bet {' '.join(given)}: expected whole numbers, such as --bet -2=1 --bet 0=4") from None
