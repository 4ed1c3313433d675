"""Bonus Craps: will the shooter roll all the small numbers, all the tall ones, or all of both, before a seven?

All Small is 2 to 6, All Tall 8 to 12, Make 'Em All both. The bets are made on a come-out roll after a seven, and a
seven on that roll loses too: what counts is all rolls up to the next seven, whatever the table's point.

Method: exact. The numbers that are missing are the state of an absorbing chain (see `absorbing`), a step for each roll.
Numbers as far from seven as each other are as likely, so one that is missing by itself of such a pair is written as
the lower: 243 states do for Make 'Em All instead of 1,024. Source: ``data/bonus_craps.toml``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, partial
from math import sqrt
from typing import Final, NamedTuple, TypeAlias, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.absorbing import Chain
from casinomath.dice import CHANCE, ROLLS, read_numbers
from casinomath.errors import RequestError, unknown
from casinomath.kernels.dice import LONGEST, collect_rounds
from casinomath.montecarlo import Words
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.rolling import Ended, Ending, Played, Rolled, rolls_counted

STEM = "bonus_craps"
BETS = ("all_small", "all_tall", "make_em_all")

SMALL: Final = frozenset({2, 3, 4, 5, 6})
TALL: Final = frozenset({8, 9, 10, 11, 12})
WANTED: Final[Mapping[str, frozenset[int]]] = {"all_small": SMALL, "all_tall": TALL, "make_em_all": SMALL | TALL}
"""The numbers that each bet wants before a seven; a pay table has a line for each bet."""

Missing: TypeAlias = frozenset[int]
"""Numbers that are still to be rolled; none when the bet is won, a seven alone when it is lost."""

WON: Final[Missing] = frozenset()
LOST: Final[Missing] = frozenset({7})


class Rules(NamedTuple):
    """The rules of Bonus Craps. Default: nothing has been rolled, as when the bets are made."""

    rolled: str = ""
    """Numbers that the shooter has rolled already and the lammers mark, such as "2 3 12": the bet is priced as it
    stands. Each of them favours the player."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    read_numbers("rolled", rules.rolled, sorted(WANTED["make_em_all"]))
    paytable.check_odds(BETS)


def missing(rules: Rules, bet: str) -> Missing:
    """Return the numbers that a bet still waits for; RequestError where it has been won."""
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    left = WANTED[bet] - set(read_numbers("rolled", rules.rolled, sorted(WANTED["make_em_all"])))
    if not left:
        raise RequestError(f'rolled is "{rules.rolled}": {bet} has been won; expected one of its numbers missing')
    return left


def roll(state: Missing) -> dict[Missing, Fraction]:
    """Return where a roll takes a bet."""
    if state in (WON, LOST):
        return {}
    moves: dict[Missing, Fraction] = {}
    for total, chance in CHANCE.items():
        after = LOST if total == 7 else _paired(state - {total})
        moves[after] = moves.get(after, Fraction(0)) + chance
    return moves


def _paired(state: Missing) -> Missing:
    """The state with the lower number of each pair that one is missing of."""
    return frozenset(number if 14 - number in state else min(number, 14 - number) for number in state)


@cache
def chain(start: Missing) -> Chain[Missing]:
    """Return the chain of a bet that waits for these numbers; it starts at them, paired."""
    return Chain.grown(_paired(start), roll)


def evaluate(rules: Rules, paytable: PayTable, *, bet: str = "all_small") -> Returns:
    """Return what a bet is worth.

    `details` has the expected number of rolls until it is decided, and the chances that it is won and lost after
    exactly so many rolls, up to LONGEST.
    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    law = _law(_paired(missing(rules, bet)))
    outcomes = [Outcome(bet, law.won, paytable.pay(bet)), Outcome("seven", 1 - law.won, Fraction(-1))]
    edge = -sum((outcome.chance * outcome.net for outcome in outcomes), Fraction(0))
    details = {
        "chance": str(law.won),
        "expected_rolls": float(law.rolls),
        "expected_rolls_exact": str(law.rolls),
        "stdev_of_rolls": law.stdev_of_rolls,
        "house_edge_per_roll": float(edge / law.rolls),
        "house_edge_per_roll_exact": str(edge / law.rolls),
        "rolls": [dict(row) for row in law.by_rolls],
        "more_rolls": law.more_rolls,
    }
    return exact_returns(STEM, bet, rules._asdict(), paytable.name, outcomes, ROLLS, details)


class _Law(NamedTuple):
    """What becomes of a bet, whatever it pays."""

    won: Fraction
    rolls: Fraction
    """Expected."""
    stdev_of_rolls: float
    by_rolls: tuple[Mapping[str, float], ...]
    more_rolls: float


@cache
def _law(start: Missing) -> _Law:
    walk = chain(start)
    won, both = walk.steps(LONGEST, start, WON.__eq__), walk.steps(LONGEST, start)
    return _Law(
        won=walk.absorption(start)[WON],
        rolls=walk.expected_steps(start),
        stdev_of_rolls=sqrt(walk.variance_of_steps(start)),
        by_rolls=tuple(
            {"rolls": number, "won": float(wins), "lost": float(ended - wins)}
            for number, (wins, ended) in enumerate(zip(won.chances, both.chances, strict=True))
            if number
        ),
        more_rolls=float(both.tail),
    )


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    bet: str = "all_small",
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Roll dice for so many bets, each until it is decided.

    `counts` has the bets by the number of rolls they took. Raises RequestError for rules or a pay table that make no
    sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    wanted = tuple(sorted(missing(rules, bet)))
    chunk = Rolled(partial(_play, wanted), partial(_settle, bet, paytable.pay(bet)), [(0,), (1,)])
    return montecarlo.run(chunk, rounds, seed, **running)


def _play(wanted: tuple[int, ...], rounds: int, state: Words) -> Played:
    won, lost = np.zeros(LONGEST + 2, dtype=np.int64), np.zeros(LONGEST + 2, dtype=np.int64)
    collect_rounds(rounds, state, sum(1 << number for number in wanted), won, lost)
    return Played({(1,): int(won.sum()), (0,): int(lost.sum())}, rolls_counted(won + lost))


def _settle(bet: str, pays: Fraction, ending: Ending) -> Ended:
    return Ended(bet, pays) if ending == (1,) else Ended("seven", Fraction(-1))
