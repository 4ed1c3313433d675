"""Dice rolled by kernels: fair, the same in plain Python, and played by the rules one round after another."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import casinomath
from casinomath.kernels.dice import LONGEST, collect_rounds, line_rounds, roll_until, shooter_rounds
from casinomath.montecarlo import state

FACES = np.ones((7, 7), dtype=np.uint8)


def test_dice_are_fair() -> None:
    """Pearson's chi-square of the 36 rolls, which has 35 degrees of freedom: below 84 but for one case in 100,000."""
    last = np.zeros((7, 7), dtype=np.int64)
    rounds = 3_600_000
    assert roll_until(rounds, state(1, 0), FACES, last) == rounds
    seen = last[1:, 1:]
    assert last.sum() == seen.sum() == rounds
    assert ((seen - rounds / 36) ** 2 / (rounds / 36)).sum() < 84


def test_rolls_one_after_another_are_independent() -> None:
    """A double waits for six rolls on average, and as long whatever came before."""
    stops = np.zeros((7, 7), dtype=np.uint8)
    np.fill_diagonal(stops, 1)
    last = np.zeros((7, 7), dtype=np.int64)
    rolls = roll_until(500_000, state(2, 0), stops, last)
    assert abs(rolls / 500_000 - 6) < 4 * (30 / 500_000) ** 0.5
    assert last.trace() == 500_000


def test_line_bets_end_only_as_they_can() -> None:
    for come in (False, True):
        ends = np.zeros((11, 13, 2), dtype=np.int64)
        line_rounds(200_000, state(3, 0), come, ends)
        assert ends.sum() == 200_000
        for number, total, on in np.argwhere(ends):
            assert total in (number, 7) if number else total in (2, 3, 7, 11, 12)
            assert on == come if number == 0 else come or on  # a pass bet is decided by the come-out, or on a point


def test_all_numbers_take_as_many_rolls_at_least() -> None:
    won, lost = np.zeros(LONGEST + 2, dtype=np.int64), np.zeros(LONGEST + 2, dtype=np.int64)
    collect_rounds(300_000, state(4, 0), sum(1 << number for number in (2, 3, 4, 5, 6)), won, lost)
    assert won[:5].sum() == 0
    assert won[5:].sum() > 0
    assert lost[0] == 0
    assert won.sum() + lost.sum() == 300_000


def test_a_shooter_cannot_seven_out_on_the_first_roll() -> None:
    ends = np.zeros((7, LONGEST + 2), dtype=np.int64)
    shooter_rounds(300_000, state(5, 0), 0, ends)
    assert ends[:, :2].sum() == 0
    assert ends[6, :12].sum() == 0  # six points take two rolls each, the last without a seven-out
    assert ends.sum() == 300_000


@pytest.mark.parametrize("bet", ["craps:come", "craps:hard_6", "bonus_craps:all_small", "fire_bet"])
def test_plain_python_rolls_the_same(bet: str) -> None:
    """With warnings as errors: random words wrap around, which plain Python would warn of."""
    told = f"from casinomath.request import simulate; print(simulate({bet!r}, 300, 8).digest)"
    path = str(Path(casinomath.__file__).parents[1])
    digests = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", told],
            env={**os.environ, "NUMBA_DISABLE_JIT": disabled, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for disabled in ("0", "1")
    }
    assert len(digests) == 1
