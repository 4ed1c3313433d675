"""Dice and a wheel, rolled and spun.

Method: xoshiro256++ and multiply-shift, as in `shoe`: each of n faces has the chance 1/n to within 2^-54.

Every kernel plays `rounds` rounds of one bet each, from a generator's `state`, and counts how they ended.
"""

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.jit import jit
from casinomath.kernels.shoe import State, next_word

_LOW, _PLACES = np.uint64(10), np.uint64(54)
_SIX, _ROLLS = np.uint64(6), np.uint64(36)

LONGEST = 60
"""Rounds of more rolls than these are counted together, in the place after the last."""

OFF, ON = 0, 1
"""Whether the shooter has a point."""


@jit
def roll(state: State) -> tuple[State, int, int]:
    """The state that follows, and two dice, 1 to 6 each."""
    state, word = next_word(state)
    face = ((word >> _LOW) * _ROLLS) >> _PLACES
    return state, int(face // _SIX) + 1, int(face % _SIX) + 1


@jit
def roll_until(rounds: int, state: State, stops: NDArray[np.uint8], last: NDArray[np.int64]) -> int:
    """Roll until one of the rolls that stop, add it to `last`, and return how many rolls all rounds took.

    stops, last : (7, 7) by the two dice; place 0 is idle
    """
    rolls = 0
    for _ in range(rounds):
        state, first, second = roll(state)
        rolls += 1
        while not stops[first, second]:
            state, first, second = roll(state)
            rolls += 1
        last[first, second] += 1
    return rolls


@jit
def is_point(total: int) -> bool:
    """Whether a come-out roll makes the total the point."""
    return 4 <= total <= 10 and total != 7


@jit
def line_rounds(rounds: int, state: State, come: bool, ends: NDArray[np.int64]) -> int:
    """Play bets on the line, and return how many rolls they took from when they were made.

    come : the bet is made once a shooter who has just come out has a point, and goes to a number of its own
    ends : (11, 13, 2) by the bet's number, 0 for none, the total that decided it, and whether the shooter had a point
           before that roll
    """
    rolls = 0
    for _ in range(rounds):
        point = 0
        if come:
            while point == 0:
                state, first, second = roll(state)
                if is_point(first + second):
                    point = first + second
        number = 0
        while True:
            state, first, second = roll(state)
            rolls += 1
            total = first + second
            has_point = ON if point else OFF
            decided = total in (number, 7) if number else not is_point(total)
            if decided:
                ends[number, total, has_point] += 1
                break
            if not number:
                number = total
            if point == 0:
                if is_point(total):
                    point = total
            elif total == point:
                point = 0
    return rolls


@jit
def collect_rounds(rounds: int, state: State, wanted: int, won: NDArray[np.int64], lost: NDArray[np.int64]) -> None:
    """Roll until all of the wanted totals have come, or a seven.

    wanted    : a bit for each total
    won, lost : (LONGEST + 2,) by the number of rolls
    """
    for _ in range(rounds):
        missing, rolls = wanted, 0
        while missing:
            state, first, second = roll(state)
            rolls += 1
            if first + second == 7:
                break
            missing &= ~(1 << (first + second))
        if missing:
            lost[min(rolls, LONGEST + 1)] += 1
        else:
            won[min(rolls, LONGEST + 1)] += 1


@jit
def shooter_rounds(rounds: int, state: State, made: int, ends: NDArray[np.int64]) -> None:
    """Let shooters roll from a come-out until they seven out, or have made every point.

    made : a bit for each point that was made before
    ends : (7, LONGEST + 2) by how many different points were made, and by the number of rolls
    """
    for _ in range(rounds):
        marked, point, rolls, number = made, 0, 0, 0
        for total in range(4, 11):
            number += (made >> total) & 1
        while number < 6:
            state, first, second = roll(state)
            rolls += 1
            total = first + second
            if point == 0:
                if is_point(total):
                    point = total
            elif total == 7:
                break
            elif total == point:
                point = 0
                if not (marked >> total) & 1:
                    marked |= 1 << total
                    number += 1
        ends[number, min(rolls, LONGEST + 1)] += 1
