"""Craps: every bet of the layout, from the pass line to the hops.

A bet's initial wager is what the player puts down to make it: a fee that is taken up front is a part of it, odds that
are added later are not. Three figures are quoted of a bet that may push or stand for many rolls: per bet made, which
is the EV here as everywhere; per bet resolved, which leaves pushes out; and per roll.

Method: exact. A bet on one roll is counted over the 36 rolls of two dice; any other is an absorbing chain, a step for
each roll (see `absorbing`). Source: ``data/craps.toml``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache, partial
from typing import Any, Final, Literal, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.absorbing import Chain
from casinomath.dice import CHANCE, POINTS, ROLLS, WAYS
from casinomath.errors import RequestError, unknown
from casinomath.kernels.dice import line_rounds, roll_until
from casinomath.montecarlo import Words
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.rolling import Ended, Ending, Played, Rolled, counted

STEM = "craps"

LINE: Final = ("pass", "dont_pass", "come", "dont_come")
ON_NUMBERS: Final = ("place", "place_to_lose", "buy", "lay", "odds", "lay_odds")
"""Bets that are made on each of the points: that it comes before a seven, or a seven before it."""
TO_LOSE: Final = ("place_to_lose", "lay", "lay_odds")
WITH_FEE: Final = ("buy", "lay")
NUMBERS: Final[Mapping[str, tuple[str, int]]] = {
    f"{kind}_{number}": (kind, number) for kind in ON_NUMBERS for number in POINTS
}
HARDWAYS: Final[Mapping[str, int]] = {f"hard_{number}": number for number in (4, 6, 8, 10)}
BIG: Final[Mapping[str, int]] = {"big_6": 6, "big_8": 8}

ONE_ROLL: Final[Mapping[str, Mapping[str, Fraction]]] = {
    "field": {"field": Fraction(1), "field_2": Fraction(1), "field_12": Fraction(1)},
    **{name: {name: Fraction(1)} for name in ("any_seven", "any_craps", "two", "three", "eleven", "twelve")},
    **{name: {name: Fraction(1)} for name in ("hop_easy", "hop_hard")},
    "horn": dict.fromkeys(("two", "three", "eleven", "twelve"), Fraction(1, 4)),
    "world": dict.fromkeys(("two", "three", "any_seven", "eleven", "twelve"), Fraction(1, 5)),
    **{
        f"horn_high_{high}": {name: Fraction(1 + (name == high), 5) for name in ("two", "three", "eleven", "twelve")}
        for high in ("two", "three", "eleven", "twelve")
    },
    "c_and_e": dict.fromkeys(("any_craps", "eleven"), Fraction(1, 2)),
}
"""Bets on one roll: the lines of the pay table that they can win, with the part of the wager that stands on each."""

WINS: Final[Mapping[str, int]] = {
    "field": sum(WAYS[total] for total in (3, 4, 9, 10, 11)),
    "field_2": WAYS[2],
    "field_12": WAYS[12],
    "any_seven": WAYS[7],
    "any_craps": WAYS[2] + WAYS[3] + WAYS[12],
    "two": WAYS[2],
    "three": WAYS[3],
    "eleven": WAYS[11],
    "twelve": WAYS[12],
    "hop_easy": 2,
    "hop_hard": 1,
}
"""How many of the 36 rolls win a line."""

BETS = (*LINE, "field", *NUMBERS, *HARDWAYS, *BIG, *(name for name in ONE_ROLL if name != "field"))

_PAIRS: Final = {4: "4_10", 5: "5_9", 6: "6_8", 8: "6_8", 9: "5_9", 10: "4_10"}
"""Numbers that are as likely as each other are paid alike, on one line of the pay table."""

EVENTS: Final = (
    *LINE,
    *(f"{kind}_{pair}" for kind in ON_NUMBERS for pair in ("4_10", "5_9", "6_8")),
    *("hard_4_10", "hard_6_8", "big_6_8"),
    *WINS,
)
"""What a pay table must pay: one line for every bet, and for whatever a bet pays differently."""

MOST_ODDS: Final = 10_000


class Rules(NamedTuple):
    """The rules of craps, and what is bet behind the line. Defaults: the flat bets, and a fee up front."""

    odds: str = "0"
    """Odds behind pass and come, in flat bets: "2" or "2x" on every point, or "3-4-5x" on 4 and 10, 5 and 9, 6 and 8.
    Behind the don'ts they are laid to win so many flat bets. They are paid what is fair: more of them lower the element
    of risk, and leave the EV as it is. Odds that are returned count
    as wagered."""
    come_odds_work: bool = False
    """Odds on a come bet work on the come-out roll too. Off, they are returned when a come-out roll decides the bet.
    Favours nobody; with it the bet swings more. Odds behind don't come always work."""
    dont_bars: int = 12
    """The come-out roll on which the don'ts push: 12, 2 or 3. 3 is twice as likely as the others: it favours the
    house."""
    fee: Literal["up_front", "on_win"] = "up_front"
    """When the fee, the vigorish, of buy and lay bets is taken: always, or of bets that win. Up front favours the
    house."""
    fee_percent: float = 5.0
    """The fee, in percent: of the wager of a buy bet, and of what a lay bet can win. Favours the house."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    odds_of(rules)
    if rules.dont_bars not in (2, 3, 12):
        raise RequestError(f"dont_bars is {rules.dont_bars}; expected 2, 3 or 12")
    if not 0 <= rules.fee_percent < 100:
        raise RequestError(f"fee_percent is {rules.fee_percent}; expected a number from 0 to below 100")
    paytable.check_odds(EVENTS)


_MULTIPLE: Final = r"\d+(?:\.\d+)?"
_ODDS: Final = re.compile(rf"({_MULTIPLE})(?:-({_MULTIPLE})-({_MULTIPLE}))?\s*x?", re.IGNORECASE)


def odds_of(rules: Rules) -> dict[int, Fraction]:
    """Return the odds behind the line by point, in flat bets; RequestError where the rule cannot be read."""
    match = _ODDS.fullmatch(rules.odds.strip())
    multiples = [Fraction(each) for each in match.groups() if each is not None] if match else []
    if not multiples or max(multiples) > MOST_ODDS:
        raise RequestError(
            f'odds is "{rules.odds}"; expected flat bets up to {MOST_ODDS:,}, such as 0, 2 or 10x, or three of them '
            "for 4 and 10, 5 and 9, 6 and 8: 3-4-5x"
        )
    on_4, on_5, on_6 = multiples * (3 // len(multiples))
    return {4: on_4, 5: on_5, 6: on_6, 8: on_6, 9: on_5, 10: on_4}


def evaluate(rules: Rules, paytable: PayTable, *, bet: str = "pass") -> Returns:
    """Return what a bet is worth, per unit of what is put down to make it.

    `details` has the expected number of rolls, and the house edge per bet resolved and per roll, as numbers and as
    fractions.
    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    if bet in LINE:
        return _line_returns(rules, paytable, bet)
    if bet in ONE_ROLL:
        outcomes = _one_roll_outcomes(paytable, ONE_ROLL[bet])
        return _returns(rules, paytable, bet, outcomes, Fraction(1))
    stays, ends = _until(rules, paytable, bet)
    chain = Chain({"bet": {"bet": stays, **{event: chance for event, (chance, _) in ends.items()}}})
    outcomes = [Outcome(event, chance, ends[event][1]) for event, chance in chain.absorption("bet").items()]
    return _returns(rules, paytable, bet, outcomes, chain.expected_steps("bet"))


def _returns(
    rules: Rules,
    paytable: PayTable,
    bet: str,
    outcomes: Iterable[Outcome],
    rolls: Fraction,
    wagered: Fraction = Fraction(1),
) -> Returns:
    """Price a bet from its outcomes, its expected number of rolls and everything that is wagered."""
    ordered = sorted(outcomes, key=lambda outcome: -outcome.net)
    priced = exact_returns(STEM, bet, rules._asdict(), paytable.name, ordered, ROLLS)
    assert priced.ev_exact is not None
    # A bet of several chips is decided even where they come to nothing together.
    chips = bet in ONE_ROLL and Fraction(1) not in ONE_ROLL[bet].values()
    pushes = sum((outcome.chance for outcome in ordered if outcome.net == 0 and not chips), Fraction(0))
    edge = -priced.ev_exact
    details = {"expected_rolls": rolls, "house_edge_per_roll": edge / rolls}
    if pushes < 1:
        details["house_edge_per_bet_resolved"] = edge / (1 - pushes)
    exact = {f"{name}_exact": str(value) for name, value in details.items()}
    numbers: dict[str, Any] = {name: float(value) for name, value in details.items()}
    return replace(priced, average_wager=float(wagered), details=numbers | exact)


# --- Bets on the line ---------------------------------------------------------------------------------------


class Decided(NamedTuple):
    """How a bet on the line ends."""

    number: int | None
    """The number that the bet stood on; None where its first roll decided it."""
    total: int
    """The roll that decided it."""
    coming_out: bool
    """Whether the shooter had no point before that roll."""


class Standing(NamedTuple):
    """How a bet on the line stands before a roll."""

    number: int | None
    """The number that it stands on."""
    point: int | None
    """The shooter's point."""


def _roll(state: Standing | Decided) -> dict[Standing | Decided, Fraction]:
    """Where a roll takes a bet on the line."""
    if isinstance(state, Decided):
        return {}
    moves: dict[Standing | Decided, Fraction] = {}
    for total, chance in CHANCE.items():
        after: Standing | Decided
        if total in (state.number, 7) or (state.number is None and total not in POINTS):
            after = Decided(state.number, total, state.point is None)
        else:
            comes_out = total if state.point is None and total in POINTS else state.point
            after = Standing(state.number or total, None if total == state.point else comes_out)
        moves[after] = moves.get(after, Fraction(0)) + chance
    return moves


@cache
def line_chain(*, come: bool) -> tuple[Chain[Standing | Decided], Mapping[Standing | Decided, Fraction]]:
    """Return the chain of a bet on the line, and where it starts.

    come : the bet is made after a come-out roll that made a point, and goes to a number of its own; otherwise it is
           made for the come-out roll, and stands on the shooter's point
    """
    start: dict[Standing | Decided, Fraction]
    if come:
        made = sum(CHANCE[point] for point in POINTS)
        start = {Standing(None, point): CHANCE[point] / made for point in POINTS}
    else:
        start = {Standing(None, None): Fraction(1)}
    moves: dict[Standing | Decided, Mapping[Standing | Decided, Fraction]] = {}
    for state in start:
        moves |= Chain.grown(state, _roll).moves
    return Chain(moves), start


def _line_returns(rules: Rules, paytable: PayTable, bet: str) -> Returns:
    chain, start = line_chain(come="come" in bet)
    odds, dont = odds_of(rules), bet.startswith("dont")
    outcomes: list[Outcome] = []
    wagered = Fraction(1)
    ends = [(end, chance) for end, chance in chain.absorption(start).items() if isinstance(end, Decided)]
    for decided, chance in sorted(ends, key=_in_order):
        number = decided.number
        behind = Fraction(0) if number is None else odds[number]
        flat = _flat(rules, paytable.pay(bet), decided, dont=dont)
        works = dont or "come" not in bet or rules.come_odds_work or not decided.coming_out
        event = _line_event(rules, decided, dont=dont)
        if number is None or not behind:
            outcomes.append(Outcome(event, chance, flat))
            continue
        kind = "lay_odds" if dont else "odds"
        pays = paytable.pay(f"{kind}_{_PAIRS[number]}")
        # Odds are laid to win so many flat bets at fair odds, whatever the table pays.
        stake = behind * Fraction(WAYS[7], WAYS[number]) if dont else behind
        wagered += chance * stake
        won = flat > 0
        outcomes.append(
            Outcome(event if works else f"{event}_odds_off", chance, flat + works * stake * (pays if won else -1))
        )
    return _returns(rules, paytable, bet, outcomes, chain.expected_steps(start), wagered)


def _flat(rules: Rules, pays: Fraction, decided: Decided, *, dont: bool) -> Fraction:
    """The net result of the flat bet."""
    number, total, _ = decided
    passes = total in (7, 11) if number is None else total == number
    if not dont:
        return pays if passes else Fraction(-1)
    if number is None and total == rules.dont_bars:
        return Fraction(0)
    return Fraction(-1) if passes else pays


def _in_order(end: tuple[Decided, Fraction]) -> tuple[int, int, bool]:
    number, total, coming_out = end[0]
    return number or 0, total, coming_out


def _line_event(rules: Rules, decided: Decided, *, dont: bool) -> str:
    number, total, _ = decided
    if number is None:
        if dont and total == rules.dont_bars:
            return f"barred_{total}"
        return "natural" if total in (7, 11) else "craps"
    return f"seven_out_{number}" if total == 7 else f"number_{number}_made"


# --- Bets that stand until they are decided -----------------------------------------------------------------


def _until(rules: Rules, paytable: PayTable, bet: str) -> tuple[Fraction, dict[str, tuple[Fraction, Fraction]]]:
    """The chance that a roll leaves a bet standing; and event → its chance on a roll and its net result."""
    seven, lost = CHANCE[7], Fraction(-1)
    if bet in HARDWAYS:
        number = HARDWAYS[bet]
        line = f"hard_{_PAIRS[number]}"
        hard = Fraction(1, ROLLS)
        easy = CHANCE[number] - hard
        return 1 - CHANCE[number] - seven, {
            line: (hard, paytable.pay(line)),
            "easy_way": (easy, lost),
            "seven": (seven, lost),
        }
    if bet in BIG:
        number, line = BIG[bet], "big_6_8"
        return 1 - CHANCE[number] - seven, {line: (CHANCE[number], paytable.pay(line)), "seven": (seven, lost)}
    kind, number = NUMBERS[bet]
    line = f"{kind}_{_PAIRS[number]}"
    pays, fee, made = paytable.pay(line), Fraction(0), Fraction(1)
    if kind in WITH_FEE:
        # A lay bet's fee is on what it can win: that is its pay, for a wager of 1.
        fee = Fraction(str(rules.fee_percent)) / 100 * (pays if kind == "lay" else 1)
        made = 1 + fee if rules.fee == "up_front" else Fraction(1)
    win = (pays - fee) / made
    if kind in TO_LOSE:
        return 1 - CHANCE[number] - seven, {line: (seven, win), f"number_{number}": (CHANCE[number], lost)}
    return 1 - CHANCE[number] - seven, {line: (CHANCE[number], win), "seven": (seven, lost)}


# --- Bets on one roll ---------------------------------------------------------------------------------------


def _one_roll_outcomes(paytable: PayTable, parts: Mapping[str, Fraction]) -> list[Outcome]:
    """What the rolls come to: no two lines of one bet are won by the same roll, and the others lose."""
    wins = [
        Outcome(line, Fraction(WINS[line], ROLLS), part * (paytable.pay(line) + 1) - 1) for line, part in parts.items()
    ]
    return [*wins, Outcome("lost", 1 - sum((win.chance for win in wins), Fraction(0)), Fraction(-1))]


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    bet: str = "pass",
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Roll dice for so many bets, each until it is decided, and settle them by the printed rules.

    `counts` has the number of rolls. Raises RequestError for rules or a pay table that make no sense, and for such
    rounds or such a seed.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    if bet in LINE:
        decided = [(0, total, on) for total in (2, 3, 7, 11, 12) for on in (0, 1)]
        decided += [(number, total, on) for number in (4, 5, 6, 8, 9, 10) for total in (number, 7) for on in (0, 1)]
        chunk = Rolled(partial(_play_line, bet), partial(_settle_line, rules, paytable, bet), decided)
    else:
        dice = [(first, second) for first in range(1, 7) for second in range(1, 7)]
        stops = tuple(roll for roll in dice if _decides(bet, *roll))
        chunk = Rolled(partial(_play_until, stops), partial(_settle_roll, rules, paytable, bet), stops)
    return montecarlo.run(chunk, rounds, seed, **running)


def _play_line(bet: str, rounds: int, state: Words) -> Played:
    ends = np.zeros((11, 13, 2), dtype=np.int64)
    rolls = line_rounds(rounds, state, bet in {"come", "dont_come"}, ends)
    return Played(counted(ends), {"rolls": int(rolls)})


def _play_until(stops: Iterable[Ending], rounds: int, state: Words) -> Played:
    last, stop = np.zeros((7, 7), dtype=np.int64), np.zeros((7, 7), dtype=np.uint8)
    for roll in stops:
        stop[roll] = 1
    rolls = roll_until(rounds, state, stop, last)
    return Played(counted(last), {"rolls": int(rolls)})


def _settle_line(rules: Rules, paytable: PayTable, bet: str, ending: Ending) -> Ended:
    """Settle a bet on the line by its number, the roll that decided it, and whether the shooter had a point."""
    number, total, had_point = ending
    pays = paytable.pay(bet)
    if number == 0:
        wins = {7, 11} if bet in {"pass", "come"} else {2, 3, 12} - {rules.dont_bars}
        event = "natural" if total in {7, 11} else "craps"
        if bet.startswith("dont") and total == rules.dont_bars:
            return Ended(f"barred_{total}", Fraction(0))
        return Ended(event, pays if total in wins else Fraction(-1))
    event, behind = f"seven_out_{number}" if total == 7 else f"number_{number}_made", odds_of(rules)[number]
    if bet.startswith("dont"):
        laid = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}[min(number, 14 - number)] * behind
        won = pays + laid * paytable.pay(f"lay_odds_{_PAIRS[number]}")
        return Ended(event, won if total == 7 else -1 - laid, 1 + laid)
    if behind and bet == "come" and not had_point and not rules.come_odds_work:
        return Ended(f"{event}_odds_off", Fraction(-1) if total == 7 else pays, 1 + behind)
    won = pays + behind * paytable.pay(f"odds_{_PAIRS[number]}")
    return Ended(event, -1 - behind if total == 7 else won, 1 + behind)


def _decides(bet: str, first: int, second: int) -> bool:
    """Whether a roll decides a bet that is not on the line."""
    return bet in ONE_ROLL or first + second in {_number_of(bet), 7}


def _number_of(bet: str) -> int:
    """The number that a standing bet is on."""
    return int(bet.rpartition("_")[2])


def _settle_roll(rules: Rules, paytable: PayTable, bet: str, ending: Ending) -> Ended:
    """Settle a bet that is not on the line by the two dice that decided it."""
    first, second = ending
    if bet in ONE_ROLL:
        return _settle_one_roll(paytable, bet, first, second)
    kind, number, seven = bet.rpartition("_")[0], _number_of(bet), first + second == 7
    line = f"{kind}_{_PAIRS[number]}"
    if kind == "hard":
        won = first == second
        return Ended(line, paytable.pay(line)) if won else Ended("seven" if seven else "easy_way", Fraction(-1))
    to_lose = kind in {"place_to_lose", "lay", "lay_odds"}
    if seven != to_lose:
        return Ended("seven" if seven else f"number_{number}", Fraction(-1))
    pays = paytable.pay(line)
    if kind not in {"buy", "lay"}:
        return Ended(line, pays)
    vigorish = Fraction(str(rules.fee_percent)) / 100 * (pays if to_lose else 1)
    put_down = 1 + vigorish if rules.fee == "up_front" else Fraction(1)
    return Ended(line, (pays - vigorish) / put_down)


def _settle_one_roll(paytable: PayTable, bet: str, first: int, second: int) -> Ended:
    """Settle a bet on one roll; one on several totals is a chip or two on each."""
    total = first + second
    craps = "any_craps" if total in {2, 3, 12} else None
    named = {2: "two", 3: "three", 7: "any_seven", 11: "eleven", 12: "twelve"}.get(total)
    field = {2: "field_2", 12: "field_12", 3: "field", 4: "field", 9: "field", 10: "field", 11: "field"}
    high = bet.removeprefix("horn_high_")
    chips, of_all = 1, 1
    if bet.startswith("horn"):
        line, chips, of_all = named if total != 7 else None, 1 + (named == high), 4 if bet == "horn" else 5
    elif bet == "world":
        line, of_all = named, 5
    elif bet == "c_and_e":
        line, of_all = craps or ("eleven" if total == 11 else None), 2
    elif bet.startswith("hop"):  # any hard roll is as good as another, and so is any easy one
        line = bet if tuple(sorted((first, second))) == {"hop_hard": (3, 3), "hop_easy": (2, 5)}[bet] else None
    else:
        line = {"field": field.get(total), "any_craps": craps}.get(bet, named if named == bet else None)
    if line is None:
        return Ended("lost", Fraction(-1))
    return Ended(line, (chips * paytable.pay(line) - (of_all - chips)) / of_all)
