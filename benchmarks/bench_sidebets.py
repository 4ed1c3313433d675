"""Speed of the side bets, warm, one thread: every one is to answer within 50 ms.

The shoe is the worst there is: known by rank, with another number of cards left of each.
"""

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath.request import resolve

UNEVEN = list(range(11, 23))


@pytest.mark.parametrize("bet", ["up_card", "both"])
@pytest.mark.parametrize("shoe", [None, UNEVEN], ids=["fresh", "used"])
def test_match_the_dealer(benchmark: BenchmarkFixture, bet: str, shoe: list[int] | None) -> None:
    benchmark(resolve(f"match_the_dealer:{bet}", shoe=shoe).evaluate)


@pytest.mark.parametrize("seats", [1, 7])
@pytest.mark.parametrize("shoe", [None, UNEVEN], ids=["fresh", "used"])
def test_progressive(benchmark: BenchmarkFixture, seats: int, shoe: list[int] | None) -> None:
    rules = {"decks": 6, "seats": seats, "seat": seats}
    benchmark(resolve("match_the_dealer_progressive", change=rules, shoe=shoe, meter=50_000).evaluate)


def test_insurance(benchmark: BenchmarkFixture) -> None:
    benchmark(resolve("insurance", paytable="colour_and_suit", change={"hand": "As Kh"}).evaluate)


@pytest.mark.parametrize("bet", ["baccarat:banker", "baccarat:player_pair", "dragon_bonus:player"])
def test_baccarat(benchmark: BenchmarkFixture, bet: str) -> None:
    benchmark(resolve(bet, shoe=[*UNEVEN[:9], 60]).evaluate)


@pytest.mark.parametrize("bet", ["lucky_ladies", "trilux", "push_22"])
def test_of_blackjack(benchmark: BenchmarkFixture, bet: str) -> None:
    benchmark(resolve(bet, shoe=[*UNEVEN[:9], 60]).evaluate)
