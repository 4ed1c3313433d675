"""Questions about one bet: list, evaluate, strategy, simulate."""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, cast

import typer

from casinomath import display
from casinomath.cli.commands import (
    Changes,
    Json,
    Meter,
    OnlyStem,
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
from casinomath.cli.drawings import Drawing
from casinomath.cli.streams import executor_of, print_json, print_lines, progress_bar, tell, timed
from casinomath.errors import RequestError

if TYPE_CHECKING:
    from casinomath.montecarlo import Progress
    from casinomath.strategy import StrategyClass


@app.command("list")
def list_games(as_json: Json = False) -> None:
    """List games and bets, with their rule sets, pay tables and published charts."""
    from casinomath.request import games

    listed = games()
    if as_json:
        print_json([game._asdict() for game in listed])
        return
    print_lines(*display.listing(listed))


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
    asked = resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy, meter=meter)
    returns, seconds = timed(f"pricing {game}", asked.evaluate)
    if as_json:
        print_json({**returns.json(), "seconds": seconds})
    else:
        print_lines(*display.returns(returns, asked))


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
    card: Annotated[
        Path | None, typer.Option("--card", metavar="FILE", help="Draw a card of one page to print, .pdf or .png.")
    ] = None,
    paper: Annotated[str | None, typer.Option("--paper", metavar="a6|letter", help="The card's paper. [a6]")] = None,
    heat: Annotated[
        str | None,
        typer.Option("--map", metavar="ev|gap|ACTION", help="The figure: EVs, gaps, or the cost of an action."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option("--against", metavar="NAME|FILE", help="The figure: differences from a chart or a rule set."),
    ] = None,
) -> None:
    """Show the best play as a chart; its text is a chart file that `evaluate --strategy` reads."""
    if as_csv + as_json + (figure is not None) + (card is not None) > 1:
        raise RequestError("expected one of --csv, --json, --figure and --card")
    drawing = Drawing(figure, card, paper, heat, against)
    drawing.check()
    asked = resolved(game, rules, paytable, changes, pays, shoe=shoe)
    in_full = as_csv or as_json or heat is not None
    wanted = cast("StrategyClass", strategy_class or asked.classes[0 if in_full else -1])
    found, seconds = timed(f"working out {game}", lambda: asked.strategy(wanted))
    if as_json:
        print_json({"bet": asked.bet, "rules_name": asked.rules_name, **found.json(), "seconds": seconds}, indent=None)
    elif as_csv:
        found.frame.to_csv(sys.stdout, index=False, lineterminator="\n")
    elif drawing.path is not None:
        print_lines(str(drawing.draw(found, asked)))
    else:
        from casinomath import catalog

        legends = [chart.legend for chart in catalog.charts(found.game).values()]
        print_lines(*display.strategy(found, asked.rules_name, legends[0] if legends else {}))


@app.command()
def explain(
    game: OnlyStem,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help='The player\'s cards, such as "7s 8h" or "7 8".')],
    shown: Annotated[
        str | None,
        typer.Argument(
            metavar="[SHOWN]", help="What is seen besides: the dealer's upcard, or the board.", show_default=False
        ),
    ] = None,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    doubles: Annotated[
        int | None, typer.Option("--doubles", metavar="K", help="Doubles made before, in the family of 21.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Explain a hand: what every action is worth, and why."""
    asked = resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy)
    found, seconds = timed(f"explaining {cards}", lambda: asked.explain(cards, shown, doubles=doubles))
    if as_json:
        print_json({"bet": asked.bet, "rules_name": asked.rules_name, **found.json(), "seconds": seconds})
    else:
        print_lines(*display.explanation(found, asked))


@app.command()
def simulate(
    game: Stem,
    seed: Annotated[int, typer.Option("--seed", metavar="S", help="The same seed plays the same rounds.")],
    rounds: Annotated[
        str | None, typer.Option("--rounds", metavar="N", help="How many rounds to play: 100000000, or 1e8.")
    ] = None,
    stderr: Annotated[
        float | None, typer.Option("--stderr", metavar="E", help="Stop at this standard error of the mean: 0.0001.")
    ] = None,
    stop_after: Annotated[
        float | None, typer.Option("--seconds", metavar="T", help="Stop after this time: 60.")
    ] = None,
    checkpoint: Annotated[
        str | None,
        typer.Option("--checkpoint", metavar="FILE", help="Keep there how far it has come, and go on from there."),
    ] = None,
    rules: RulesName = None,
    paytable: PaytableName = None,
    changes: Changes = None,
    pays: Pays = None,
    shoe: Shoe = None,
    strategy: Play = None,
    meter: Meter = None,
    seats: Annotated[
        int | None, typer.Option("--seats", metavar="N", help="Players, who all play alike; results are their average.")
    ] = None,
    penetration: Annotated[
        float | None,
        typer.Option(
            "--penetration", metavar="PART", help="Deal so much of the shoe, 0.75 or 216 cards, before a shuffle."
        ),
    ] = None,
    burn: Annotated[int | None, typer.Option("--burn", metavar="N", help="Cards burned after a shuffle.")] = None,
    beside: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="BET",
            help="A bet on the side, settled in the same rounds; may be repeated.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option("--scheduler", metavar="ADDRESS", help="Play on the cluster of a Dask scheduler.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Play rounds by dealing cards: a witness that shares nothing with `evaluate` but the strategy."""
    from casinomath.montecarlo import MOST_ROUNDS

    of_game = None if beside else meter
    asked = resolved(game, rules, paytable, changes, pays, shoe=shoe, strategy=strategy, meter=of_game)
    sides = [asked.side_request(bet, meter) for bet in beside or ()]
    if meter is not None and sides and not any("meter" in side.options for side in sides):
        raise RequestError(f"--meter {meter:g}: none of {', '.join(beside or ())} has a meter")
    if rounds is None and stderr is None and stop_after is None:
        raise RequestError("nothing says how long to play; expected --rounds N, --stderr E or --seconds T")
    wanted = MOST_ROUNDS if rounds is None else whole("--rounds", rounds)
    with executor_of(scheduler) as executor, progress_bar(f"playing {game}") as progress:
        start = time.perf_counter()
        session = Session(checkpoint, progress)
        try:
            sample = asked.simulate(
                wanted,
                seed,
                seats=seats,
                penetration=penetration,
                burn=burn,
                beside=sides,
                stderr=stderr,
                seconds=stop_after,
                checkpoint=checkpoint,
                executor=executor,
                progress=session,
            )
        except KeyboardInterrupt:
            if checkpoint is not None and Path(checkpoint).expanduser().exists():
                tell(f"the same command goes on from {checkpoint}")
            raise
        seconds = time.perf_counter() - start
    if sample.rounds >= wanted:
        stopped_by = "rounds"
    else:
        stopped_by = "stderr" if stderr is not None and sample.stderr <= stderr else "seconds"
    if stopped_by == "seconds":
        tell(f"stopped by time, at a round that depends on the machine; the same again: --rounds {sample.rounds}")
    if as_json:
        speed = {"seconds": seconds, "rounds_per_second": (sample.rounds - session.resumed) / seconds}
        print_json({**asked.json(), **sample.json(), "stopped_by": stopped_by, **speed})
    else:
        print_lines(*display.sample(sample, asked, asked.evaluate(), seconds, [side.price() for side in sides]))


class Session:
    """Hears how a simulation goes on, and tells where it goes on from."""

    def __init__(self, checkpoint: str | None, progress: "Progress | None") -> None:
        self.resumed = 0
        """Rounds that an earlier session played."""
        self._checkpoint, self._progress = checkpoint, progress
        self._resumes = checkpoint is not None and Path(checkpoint).expanduser().exists()

    def __call__(self, done: int, wanted: int) -> None:
        """Hear how many rounds are done; where a run is resumed, it says so first."""
        if self._resumes:
            self.resumed, self._resumes = done, False
            tell(f"going on from {done:,} rounds in {self._checkpoint}")
        if self._progress is not None:
            self._progress(done, wanted)
