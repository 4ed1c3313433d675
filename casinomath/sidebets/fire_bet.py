"""Fire Bet: how many different points does a shooter make before the seven-out?

A point that is made more than once counts once. What a come-out roll wins or loses changes nothing; only the seven-out
ends the bet, or the sixth point. The highest level that was met is paid, and no other.

Method: exact. The points made so far and the point that the shooter has are the state of an absorbing chain (see
`absorbing`), a step for each roll. Source: ``data/fire_bet.toml``.
"""

from fractions import Fraction
from functools import cache, partial
from math import sqrt
from typing import Any, Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.absorbing import Chain
from casinomath.dice import CHANCE, POINTS, ROLLS, read_numbers
from casinomath.errors import RequestError
from casinomath.kernels.dice import LONGEST, shooter_rounds
from casinomath.montecarlo import Words
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.rolling import Ended, Ending, Played, Rolled, counted, rolls_counted

STEM = "fire_bet"
BETS = ("main",)

EVENTS: Final = ("no_points", "one_point", "two_points", "three_points", "four_points", "five_points", "six_points")
"""How a shooter's hand can end. A pay table has lines for some of them: the levels that are paid."""


class Rules(NamedTuple):
    """The rules of the Fire Bet. Default: a new shooter, before the first come-out roll."""

    made: str = ""
    """Different points that the shooter has made already, such as "4 6 9": the bet is priced as it stands before the
    next come-out roll. Each of them favours the player."""


class Shooter(NamedTuple):
    """How a shooter's hand stands before a roll."""

    made: frozenset[int]
    """Different points made."""
    point: int | None
    """None before a come-out roll."""


class Over(NamedTuple):
    """How a shooter's hand ended."""

    points: int
    """Different points made."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    made = read_numbers("made", rules.made, POINTS)
    if len(made) == len(POINTS):
        raise RequestError(f'made is "{rules.made}": the bet has been won; expected one of the points missing')
    paytable.check_odds((), optional=EVENTS[1:])
    if not paytable.pays:
        raise RequestError(f"pay table {paytable.name} pays nothing; expected some of {', '.join(EVENTS[1:])}")


def roll(state: Shooter | Over) -> dict[Shooter | Over, Fraction]:
    """Return where a roll takes a shooter's hand."""
    if isinstance(state, Over):
        return {}
    moves: dict[Shooter | Over, Fraction] = {}
    for total, chance in CHANCE.items():
        after: Shooter | Over = state
        if state.point is None:
            after = Shooter(state.made, total) if total in POINTS else state
        elif total == 7:
            after = Over(len(state.made))
        elif total == state.point:
            made = state.made | {total}
            after = Shooter(made, None) if len(made) < len(POINTS) else Over(len(made))
        moves[after] = moves.get(after, Fraction(0)) + chance
    return moves


@cache
def chain(start: Shooter) -> Chain[Shooter | Over]:
    """Return the chain of a shooter's hand."""
    return Chain.grown(start, roll)


def net(paytable: PayTable, points: int) -> Fraction:
    """Return the net result of so many different points: the pay of the highest level that was met."""
    for event in EVENTS[points:0:-1]:
        if event in paytable.pays:
            return paytable.pay(event)
    return Fraction(-1)


def evaluate(rules: Rules, paytable: PayTable) -> Returns:
    """Return what the bet is worth.

    `details` has the chances of every number of points as fractions, and how many rolls the shooter's hand takes.
    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    start = Shooter(frozenset(read_numbers("made", rules.made, POINTS)), None)
    ends = {end.points: chance for end, chance in chain(start).absorption(start).items() if isinstance(end, Over)}
    outcomes = [Outcome(EVENTS[points], ends[points], net(paytable, points)) for points in sorted(ends, reverse=True)]
    details = {"chances": {outcome.event: str(outcome.chance) for outcome in outcomes}, **_rolls(start)}
    return exact_returns(STEM, BETS[0], rules._asdict(), paytable.name, outcomes, ROLLS, details)


@cache
def _rolls(start: Shooter) -> dict[str, Any]:
    """How long a shooter's hand is."""
    walk = chain(start)
    rolls, steps = walk.expected_steps(start), walk.steps(LONGEST, start)
    return {
        "expected_rolls": float(rolls),
        "expected_rolls_exact": str(rolls),
        "stdev_of_rolls": sqrt(walk.variance_of_steps(start)),
        "rolls": [{"rolls": number, "ended": float(chance)} for number, chance in enumerate(steps.chances) if number],
        "more_rolls": float(steps.tail),
    }


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Let so many shooters roll until the seven-out or the sixth point, and settle by the number of their points.

    `counts` has the hands by the number of rolls they took. Raises RequestError for rules or a pay table that make no
    sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    made = tuple(read_numbers("made", rules.made, POINTS))
    possible = [(points,) for points in range(len(made), len(POINTS) + 1)]
    chunk = Rolled(partial(_play, made), partial(_settle, paytable), possible)
    return montecarlo.run(chunk, rounds, seed, **running)


def _play(made: tuple[int, ...], rounds: int, state: Words) -> Played:
    ends = np.zeros((len(POINTS) + 1, LONGEST + 2), dtype=np.int64)
    shooter_rounds(rounds, state, sum(1 << point for point in made), ends)
    return Played(counted(ends.sum(axis=1)), rolls_counted(ends.sum(axis=0)))


def _settle(paytable: PayTable, ending: Ending) -> Ended:
    """Pay the highest level that the shooter has met."""
    (points,) = ending
    names = ["no_points", "one_point", "two_points", "three_points", "four_points", "five_points", "six_points"]
    pays = Fraction(-1)
    for name in names[1 : points + 1]:
        if name in paytable.pays:
            pays = paytable.pay(name)
    return Ended(names[points], pays)
