"""Speed of Free Bet Blackjack, JIT warm, one thread: the whole analysis of both kinds of hands, beside blackjack's."""

import time

from pytest_benchmark.fixture import BenchmarkFixture

from casinomath import catalog
from casinomath.games import free_bet_blackjack
from casinomath.games.free_bet_blackjack import Rules
from casinomath.twentyone import Problem, play, solve

THREE_TO_TWO = catalog.paytable("free_bet_blackjack", "three_to_two")
ROUNDS = 2_000_000


def problem(**changes: object) -> Problem:
    return free_bet_blackjack.problem(Rules()._replace(**changes), THREE_TO_TWO)


def analysis(game: Problem) -> float:
    solution = solve(game)
    return play(game, solution.policy, solution.splits).ev


def test_six_deck_analysis(benchmark: BenchmarkFixture) -> None:
    """Best play of hands with money and with free bets, splits to four hands, the round; beside blackjack."""
    nothing_free = {"push_22": False, "free_doubles": "none", "free_splits": "none"}
    cpu = {}
    for name, game in (("blackjack", problem(**nothing_free)), ("free_bet", problem())):
        analysis(game)
        start = time.process_time()
        for _ in range(3):
            analysis(game)
        cpu[name] = (time.process_time() - start) / 3
    benchmark.pedantic(lambda: analysis(problem()), rounds=3)
    benchmark.extra_info |= {"cpu_seconds": cpu["free_bet"], "times_blackjack": cpu["free_bet"] / cpu["blackjack"]}


def test_rounds(benchmark: BenchmarkFixture) -> None:
    """Rounds dealt and played by both strategies."""
    free_bet_blackjack.simulate(Rules(), THREE_TO_TWO, 10_000, 0)
    benchmark.pedantic(lambda: free_bet_blackjack.simulate(Rules(), THREE_TO_TWO, ROUNDS, 1), rounds=3, warmup_rounds=1)
    benchmark.extra_info["rounds_per_second"] = ROUNDS / benchmark.stats.stats.min
