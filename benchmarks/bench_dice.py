"""Speed of dice and the wheel, one thread: every evaluation is to answer within 0.2 s, chains solved anew.

Beside the kernels stands the plain loop that they replace.
"""

import random
from fractions import Fraction

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath.absorbing import Chain
from casinomath.games import craps
from casinomath.montecarlo import state
from casinomath.request import Request, resolve
from casinomath.sidebets import bonus_craps, fire_bet

ROUNDS = 2**20


def anew(request: Request) -> None:
    for kept in (craps.line_chain, bonus_craps.chain, bonus_craps._law, fire_bet.chain, fire_bet._rolls):
        kept.cache_clear()
    request.evaluate()


@pytest.mark.parametrize(
    "bet",
    [
        "craps:pass",
        "craps:come",
        "craps:lay_4",
        "bonus_craps:all_small",
        "bonus_craps:make_em_all",
        "fire_bet",
        "roulette:red",
    ],
)
def test_evaluate(benchmark: BenchmarkFixture, bet: str) -> None:
    change = {"odds": "3-4-5x"} if bet.startswith("craps") else {}
    benchmark(anew, resolve(bet, change=change))


@pytest.mark.parametrize(
    "bet", ["craps:pass", "craps:come", "craps:horn", "bonus_craps:make_em_all", "fire_bet", "roulette:red"]
)
def test_simulate(benchmark: BenchmarkFixture, bet: str) -> None:
    """A chunk of a million bets."""
    request = resolve(bet)
    request.simulate(1000, 1)  # compiled before
    benchmark(request.simulate, ROUNDS, 1)


def test_plain_loop(benchmark: BenchmarkFixture) -> None:
    """A thousandth of the million pass bets above, in Python."""
    generator = random.Random(str(state(1, 0)))

    def play() -> int:
        won = 0
        for _ in range(ROUNDS // 1000):
            total = generator.randint(1, 6) + generator.randint(1, 6)
            point = total
            while point not in (2, 3, 7, 11, 12):
                total = generator.randint(1, 6) + generator.randint(1, 6)
                if total in (point, 7):
                    break
            won += total == point if point not in (2, 3, 7, 11, 12) else total in (7, 11)
        return won

    benchmark(play)


def test_one_large_group_of_states(benchmark: BenchmarkFixture) -> None:
    """Eighty states that all lead back to each other: elimination in fractions."""
    states = range(80)
    walk = Chain({at: {(at + 1) % 80: Fraction(1, 2), at - 1 if at else "end": Fraction(1, 2)} for at in states})
    benchmark(walk.expected_steps, 40)
