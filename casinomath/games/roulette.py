"""Roulette: every bet of the layout, on wheels with one, two or three zeros.

Where a zero does not simply take an even-money bet, it takes half (la partage) or imprisons the bet until the next spin
(en prison), which releases it without winnings or takes it.

Method: exact. One spin decides a bet, or else an absorbing chain, a step for each spin (see `absorbing`). Source:
``data/roulette.toml``.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any, Final, Literal, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.absorbing import Chain
from casinomath.errors import unknown
from casinomath.montecarlo import Words
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.rolling import Ended, Ending, Played, Rolled

STEM = "roulette"

EVEN_MONEY: Final = ("red", "black", "odd", "even", "low", "high")
COVERED: Final[Mapping[str, int]] = {
    "straight": 1,
    "split": 2,
    "street": 3,
    "trio": 3,
    "corner": 4,
    "six_line": 6,
    "column": 12,
    "dozen": 12,
    **dict.fromkeys(EVEN_MONEY, 18),
}
"""How many pockets each bet covers; the top line covers the zeros and 1, 2 and 3."""

BETS = (*COVERED, "top_line")

ZEROS: Final[Mapping[str, int]] = {"single_zero": 1, "double_zero": 2, "triple_zero": 3}
TOP_LINE: Final[Mapping[str, str]] = {
    "single_zero": "first_four",
    "double_zero": "five_numbers",
    "triple_zero": "six_numbers",
}
"""The line of the pay table for the top line of each wheel."""

EVENTS: Final = (*(bet for bet in COVERED if bet not in EVEN_MONEY), "even_money", *TOP_LINE.values())
"""What a pay table must pay: a line for each bet, one for all bets at even money, and one for each wheel's top line."""


class Rules(NamedTuple):
    """The rules of roulette. Defaults: the double-zero wheel, on which a zero takes all bets but those on it."""

    wheel: Literal["single_zero", "double_zero", "triple_zero"] = "double_zero"
    """Pockets besides 1 to 36: 0, also 00, also 000. Every further one favours the house. Bets: `top_line` is the first
    four of a single-zero wheel (0 to 3), and the basket, the five-number bet, of a double-zero wheel."""
    on_zero: Literal["loses", "la_partage", "en_prison"] = "loses"
    """What a zero does to bets at even money. La partage takes half of them. En prison leaves them for the next spin:
    one that wins then is returned, without winnings. Both favour the player."""
    second_zero: Literal["loses", "half_loses", "stays", "doubly_imprisoned", "released"] = "loses"
    """What another zero does to an imprisoned bet: it is lost, half of it is lost, it stays imprisoned, it has to win
    twice to be returned (and a third zero takes it), or it is returned. From worst to best for the player: loses,
    doubly_imprisoned, then half_loses and stays alike, released."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    for name, given, choices in (
        ("wheel", rules.wheel, tuple(ZEROS)),
        ("on_zero", rules.on_zero, ("loses", "la_partage", "en_prison")),
        ("second_zero", rules.second_zero, tuple(_SECOND)),
    ):
        if given not in choices:
            raise unknown(f"{name}", given, choices)
    paytable.check_odds(EVENTS)


def evaluate(rules: Rules, paytable: PayTable, *, bet: str = "straight") -> Returns:
    """Return what a bet is worth.

    `details` has the expected number of spins until it is decided, and the house edge per spin where they are more
    than one.
    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    pockets = 36 + ZEROS[rules.wheel]
    if bet in EVEN_MONEY:
        walk, nets = prison(rules), _nets(paytable)
        outcomes = [Outcome(end, chance, nets[end]) for end, chance in walk.absorption(BET).items()]
        spins = walk.expected_steps(BET)
    else:
        line = TOP_LINE[rules.wheel] if bet == "top_line" else bet
        covered = 3 + ZEROS[rules.wheel] if bet == "top_line" else COVERED[bet]
        chance, spins = Fraction(covered, pockets), Fraction(1)
        outcomes = [Outcome(line, chance, paytable.pay(line)), Outcome("lost", 1 - chance, Fraction(-1))]
    ordered = sorted(outcomes, key=lambda outcome: -outcome.net)
    details: dict[str, Any] = {"expected_spins": float(spins), "expected_spins_exact": str(spins), "pockets": pockets}
    if spins > 1:
        edge = -sum((outcome.chance * outcome.net for outcome in ordered), Fraction(0))
        details |= {"house_edge_per_spin": float(edge / spins), "house_edge_per_spin_exact": str(edge / spins)}
    return exact_returns(STEM, bet, rules._asdict(), paytable.name, ordered, pockets, details)


# --- Bets at even money -------------------------------------------------------------------------------------

BET: Final = "bet"
IMPRISONED: Final = "imprisoned"
TWICE: Final = "doubly_imprisoned"
_SECOND: Final[Mapping[str, str]] = {
    "loses": "lost_in_prison",
    "half_loses": "half_lost_in_prison",
    "stays": IMPRISONED,
    "doubly_imprisoned": TWICE,
    "released": "released",
}
"""Where a zero takes an imprisoned bet."""


def prison(rules: Rules) -> Chain[str]:
    """Return the chain of a bet at even money, which starts as `bet`."""
    pockets = 36 + ZEROS[rules.wheel]
    side, zero = Fraction(18, pockets), Fraction(ZEROS[rules.wheel], pockets)

    def spin(won: str, lost: str, on_zero: str) -> dict[str, Fraction]:
        moves = {won: side}
        for to, chance in ((lost, side), (on_zero, zero)):
            moves[to] = moves.get(to, Fraction(0)) + chance
        return moves

    match rules.on_zero:
        case "loses":
            return Chain({BET: spin("even_money", "lost", "lost")})
        case "la_partage":
            return Chain({BET: spin("even_money", "lost", "half_lost")})
        case "en_prison":
            moves = {BET: spin("even_money", "lost", IMPRISONED)}
            moves[IMPRISONED] = spin("released", "lost_in_prison", _SECOND[rules.second_zero])
            if rules.second_zero == TWICE:
                moves[TWICE] = spin(IMPRISONED, "lost_in_prison", "lost_in_prison")
            return Chain(moves)


def _nets(paytable: PayTable) -> dict[str, Fraction]:
    """What each way to end brings."""
    return {
        "even_money": paytable.pay("even_money"),
        "lost": Fraction(-1),
        "half_lost": Fraction(-1, 2),
        "released": Fraction(0),
        "half_lost_in_prison": Fraction(-1, 2),
        "lost_in_prison": Fraction(-1),
    }


# --- Simulation ---------------------------------------------------------------------------------------------

RED: Final = (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
CHIP_ON: Final[Mapping[str, tuple[int, ...]]] = {
    "straight": (17,),
    "split": (17, 20),
    "street": (16, 17, 18),
    "trio": (0, 1, 2),
    "corner": (17, 18, 20, 21),
    "six_line": (13, 14, 15, 16, 17, 18),
    "column": tuple(range(2, 37, 3)),
    "dozen": tuple(range(13, 25)),
    "red": RED,
    "black": tuple(number for number in range(1, 37) if number not in RED),
    "odd": tuple(range(1, 37, 2)),
    "even": tuple(range(2, 37, 2)),
    "low": tuple(range(1, 19)),
    "high": tuple(range(19, 37)),
}
"""Numbers that a chip lies on; other places for it are as good."""

_LOST, _WON, _HALF, _RELEASED, _LOST_IN_PRISON, _HALF_IN_PRISON = range(6)


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    bet: str = "straight",
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Spin the wheel for so many bets, each until it is decided, and settle them by the printed rules.

    `counts` has the number of spins. Raises RequestError for rules or a pay table that make no sense, and for such
    rounds or such a seed.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    possible = [(code,) for code in range(6)]
    chunk = Rolled(partial(_spin, rules, bet), partial(_settle, rules, paytable, bet), possible)
    return montecarlo.run(chunk, rounds, seed, **running)


def _spin(rules: Rules, bet: str, rounds: int, state: Words) -> Played:
    """Spin for every bet: pockets are 0 to 36, then 00 and 000."""
    zeros = (0, 37, 38)[: ZEROS[rules.wheel]]
    pockets = 36 + len(zeros)
    generator = np.random.default_rng([int(word) for word in state])
    covers = np.zeros(pockets, dtype=bool)
    covers[list((*zeros, 1, 2, 3) if bet == "top_line" else CHIP_ON[bet])] = True
    fell = generator.integers(pockets, size=rounds, dtype=np.uint8)
    won, spins = int(covers[fell].sum()), rounds
    green = int(np.isin(fell, zeros).sum())
    if bet not in EVEN_MONEY or rules.on_zero == "loses":
        return Played({(_WON,): won, (_LOST,): rounds - won}, {"spins": spins})
    endings: dict[Ending, int] = {(_WON,): won, (_LOST,): rounds - won - green}
    if rules.on_zero == "la_partage":
        return Played({**endings, (_HALF,): green}, {"spins": spins})
    counts = np.zeros(6, dtype=np.int64)
    to_win = np.ones(green, dtype=np.int8)  # spins that an imprisoned bet has to win
    while len(to_win):
        fell = generator.integers(pockets, size=len(to_win), dtype=np.uint8)
        spins += len(to_win)
        wins, zero = covers[fell], np.isin(fell, zeros)
        to_win = to_win - wins
        ends = np.where(wins & (to_win == 0), _RELEASED, -1)
        ends[~wins & ~zero] = _LOST_IN_PRISON
        match rules.second_zero:
            case "loses":
                ends[zero] = _LOST_IN_PRISON
            case "half_loses":
                ends[zero] = _HALF_IN_PRISON
            case "released":
                ends[zero] = _RELEASED
            case "doubly_imprisoned":
                ends[zero & (to_win == 2)] = _LOST_IN_PRISON
                to_win[zero & (to_win == 1)] = 2
        counts += np.bincount(ends[ends >= 0], minlength=6)
        to_win = to_win[ends < 0]
    endings |= {(code,): int(number) for code, number in enumerate(counts) if number}
    return Played(endings, {"spins": spins})


def _settle(rules: Rules, paytable: PayTable, bet: str, ending: Ending) -> Ended:
    """Settle a bet by how it was decided."""
    line = TOP_LINE[rules.wheel] if bet == "top_line" else "even_money" if bet in EVEN_MONEY else bet
    return {
        _LOST: Ended("lost", Fraction(-1)),
        _WON: Ended(line, paytable.pay(line)),
        _HALF: Ended("half_lost", Fraction(-1, 2)),
        _RELEASED: Ended("released", Fraction(0)),
        _LOST_IN_PRISON: Ended("lost_in_prison", Fraction(-1)),
        _HALF_IN_PRISON: Ended("half_lost_in_prison", Fraction(-1, 2)),
    }[ending[0]]
