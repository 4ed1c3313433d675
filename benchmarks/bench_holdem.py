"""Speed of Texas Hold'em Bonus and of hold'em side bets: JIT warm, one thread, nothing remembered."""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath.games import texas_holdem_bonus
from casinomath.kernels import boards, two_hands
from casinomath.pokerbets import counting, flops
from casinomath.request import resolve

REMEMBERED = (
    *(boards.showdowns, two_hands.two_hands, counting.hands, flops.laws),
    *(texas_holdem_bonus.solved, texas_holdem_bonus.hands),
)


def forget() -> None:
    for function in REMEMBERED:
        function.cache_clear()


def test_texas_holdem_bonus(benchmark: BenchmarkFixture) -> None:
    """The aim is three CPU-seconds."""
    request = resolve("texas_holdem_bonus")
    returns = benchmark.pedantic(request.evaluate, setup=forget, rounds=3, warmup_rounds=1)
    assert str(returns.ev_exact) == "-578107733/28381438800"


@pytest.mark.parametrize("bet", ["trips", "bad_beat", "five_card_progressive", "five_card_hand_bonus"])
def test_side_bets(benchmark: BenchmarkFixture, bet: str) -> None:
    """The aim is one second."""
    change = {"five_card_progressive": {"seats": 6}, "five_card_hand_bonus": {"players_before": 5, "wager_on": "both"}}
    request = resolve(f"ultimate_texas_holdem:{bet}", change=change.get(bet, {}))
    benchmark.pedantic(request.evaluate, setup=forget, rounds=3, warmup_rounds=1)


def test_rounds_per_second(benchmark: BenchmarkFixture) -> None:
    request = resolve("texas_holdem_bonus")
    sample = benchmark.pedantic(lambda: request.simulate(500_000, 1), rounds=2, warmup_rounds=1)
    benchmark.extra_info["rounds_per_second"] = sample.rounds / benchmark.stats.stats.min
