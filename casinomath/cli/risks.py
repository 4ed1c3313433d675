"""What a bet means for a player's money: risk."""

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
    resolved,
    whole,
)
from casinomath.cli.streams import print_json, print_lines, status, tell

if TYPE_CHECKING:
    from casinomath.request import Request
    from casinomath.risk import Law


@app.command()
def risk(
    game: Stem,
    bet: Annotated[
        float | None,
        typer.Option("--bet", metavar="DOLLARS", help="The bet of every round; that of the rules, or 1, by default."),
    ] = None,
    bankroll: Annotated[
        float | None,
        typer.Option("--bankroll", metavar="DOLLARS", help="What there is to lose: asks for the risk of it."),
    ] = None,
    rounds_per_hour: Annotated[
        float, typer.Option("--rounds-per-hour", metavar="N", help="How many rounds are played in an hour.")
    ] = 70.0,
    hours: Annotated[
        list[float] | None, typer.Option("--hours", metavar="N", help="For how long; may be repeated. [1, 10, 100]")
    ] = None,
    confidence: Annotated[
        float, typer.Option("--confidence", metavar="P", help="What part of all results a band holds.")
    ] = 0.95,
    sessions: Annotated[str, typer.Option("--sessions", metavar="N", help="Sessions to play.")] = "10000",
    rounds: Annotated[
        str,
        typer.Option("--rounds", metavar="N", help="Rounds to simulate, where no events tell a round's exact results."),
    ] = "1e7",
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed plays the same sessions.")] = 1,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    meter: Meter = None,
    as_json: Json = False,
) -> None:
    """Say what a level bet means: bands of results, loss an hour, N0, risk of ruin and Kelly fraction."""
    from casinomath.request import game as module
    from casinomath.risk import assess

    fields = module(game.partition(":")[0]).Rules()._asdict()
    given = [word.partition("=")[0].strip() for word in changes or ()]
    if bet is not None and "bet" in fields and "bet" not in given:  # dollars of fixed prizes are worth less of it
        changes = [*(changes or ()), f"bet={bet}"]
    asked = resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy, meter=meter)
    with status(f"playing {game}"):
        law, method = _law(asked, whole("--rounds", rounds), seed)
        found = assess(
            law,
            wager=bet if bet is not None else float(getattr(asked.rules, "bet", 1)),
            bankroll=bankroll,
            rounds_per_hour=rounds_per_hour,
            hours=hours or (1.0, 10.0, 100.0),
            confidence=confidence,
            number=whole("--sessions", sessions),
            seed=seed,
        )
    if as_json:
        print_json({**asked.json(), "method": method, **found.json()})
    else:
        print_lines(*display.risk(found, asked, method))


RARE = 0.01
"""How far a simulated standard deviation may be from the exact one before it is told."""


def _law(asked: "Request", rounds: int, seed: int) -> "tuple[Law, str]":
    """The law of a round, and how it was found."""
    from casinomath.risk import Law

    priced = asked.evaluate()
    exact = Law.of_returns(priced)
    if exact is not None:
        return exact, priced.method
    sample = asked.simulate(rounds, seed)
    if sample.seats == 1 and not any(event.on_top for event in priced.events):
        law = Law.joined(priced, sample).tilted(priced.ev)
        return law, f"exact but for split rounds, simulated in {rounds:,} rounds, and tilted to the exact EV"
    law = Law.of_sample(sample).tilted(priced.ev)
    if priced.stdev is not None and abs(law.stdev / priced.stdev - 1) > RARE:
        tell(
            f"{rounds:,} rounds have a standard deviation of {law.stdev:.4f}, and the bet one of {priced.stdev:.4f}: "
            "prizes too rare for so few rounds; expected more --rounds"
        )
    return law, f"simulated, {rounds:,} rounds, tilted to the exact EV"
