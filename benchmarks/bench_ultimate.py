"""Speed of Ultimate Texas Hold'em: JIT warm, one thread, beside the plain version measured in the same run.

Plain: for every class of flops each turn and river, each board's 1,081 pairs of hole cards ranked and swept. It is
timed on some classes of each kind, and what all 1,755 would take follows from that.
"""

import time

import numpy as np
import pytest
from numpy.typing import NDArray
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath import catalog, ultimate
from casinomath.games import ultimate_texas_holdem as game
from casinomath.kernels.boards import boards, showdowns, sort_pairs, sweep
from casinomath.kernels.deals import classes
from casinomath.kernels.jit import jit
from casinomath.kernels.poker import BUCKETS, FIVE, FLUSH, SHIFT, SLOTS, floors, flush_ranks, tables
from casinomath.kernels.ultimate import HOLES, Priced, hole_index, solve_flops

A = catalog.paytable("ultimate_texas_holdem", "blind_a")
STAKES = game.stakes(game.Rules(), A)


@jit
def plain_flop(flop, keys, masks, start, displacements, slots, flushes, floor, blind, unit, fold, worth):  # type: ignore[no-untyped-def]
    """Fill `worth` (1326, 3) as `solve_flops` does of one flop: every board, and every pair of cards that it leaves."""
    left = np.ones(47, np.int64)
    firsts, seconds = np.empty(1081, np.int64), np.empty(1081, np.int64)
    column = 0
    for i in range(1, 47):
        for j in range(i):
            firsts[column], seconds[column] = i, j
            column += 1
    order, spare = np.empty(1081, np.uint16), np.empty(1081, np.uint16)
    ends, passed, below = np.empty(128, np.int64), np.empty(47, np.int64), np.empty(47, np.int64)
    held, wins, losses = np.empty(1081, np.uint16), np.empty(1081, np.int16), np.empty(1081, np.int16)
    low, cards = np.empty(1081, np.int16), np.empty(47, np.int64)
    checks = np.zeros(worth.shape[0], np.int64)
    for turn in range(52):
        for river in range(turn):
            if turn in flop or river in flop:
                continue
            board, mask, number = start, np.uint64(0), 0
            for card in range(52):
                if card in flop or card in (turn, river):
                    board += keys[card]
                    mask |= masks[card]
                else:
                    cards[number] = card
                    number += 1
            for column in range(1081):
                a, b = cards[firsts[column]], cards[seconds[column]]
                key = board + keys[a] + keys[b]
                if key & FLUSH:
                    held[column] = flushes[flush_ranks(key, mask | masks[a] | masks[b])]
                else:
                    held[column] = slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS]
                order[column] = column
            sort_pairs(held, 1081, order, spare, ends)
            sweep(left, firsts, seconds, order, 1081, floor, passed, below, held, wins, losses, low)
            for column in range(1081):
                hole = hole_index(cards[firsts[column]], cards[seconds[column]])
                won, lost, value = np.int64(wins[column]), np.int64(losses[column]), held[column]
                ante = won - low[column] - lost if value >= floor else low[column] - 990
                rest = unit * (ante - lost) + won * blind[value]
                worth[hole, 0] += won - lost
                worth[hole, 1] += rest
                checks[hole] += max(rest + unit * (won - lost), fold)
    for hole in range(worth.shape[0]):
        worth[hole, 2] = max(2 * unit * worth[hole, 0] + worth[hole, 1], checks[hole])


def plain(flop: NDArray[np.uint8]) -> NDArray[np.int64]:
    worth = np.zeros((HOLES, 3), dtype=np.int64)
    evaluator = (*tables(FIVE), floors(FIVE)[1], STAKES.by_value, STAKES.unit, -2 * 990 * STAKES.unit)
    plain_flop(flop, *evaluator, worth)
    return worth


def by_class(flop: NDArray[np.uint8], ranks: Priced, suited: Priced) -> NDArray[np.int64]:
    totals = np.zeros((HOLES, 3), dtype=np.int64)
    solve_flops(
        *(flop[None, :], np.ones(1, dtype=np.int64), -1, boards(), ranks, suited, suited),
        *(STAKES.unit, -2 * 990 * STAKES.unit, 2 * STAKES.unit, np.zeros((1, HOLES), dtype=np.uint8)),
        *(np.arange(HOLES, dtype=np.int32)[None, :], totals, ultimate.room(STAKES, 990)),
    )
    return totals


def test_the_whole_game(benchmark: BenchmarkFixture) -> None:
    """Every decision, and how all rounds end; the aims are 1.5 CPU-s, and the decisions 50 times as fast as plainly."""
    game.evaluate(game.Rules(), A)
    cpu, decided = [], []

    def anew() -> None:
        showdowns.cache_clear()
        ultimate.solve.cache_clear()
        start = time.process_time()
        ultimate.solve(STAKES)
        decided.append(time.process_time() - start)
        game.evaluate(game.Rules(), A)
        cpu.append(time.process_time() - start)

    benchmark.pedantic(anew, rounds=5)
    flops = classes(3).cards
    some = flops[:: len(flops) // 12]
    plain(some[0])
    start = time.process_time()
    found = [plain(flop) for flop in some]
    plain_seconds = (time.process_time() - start) / len(some) * len(flops)
    priced = [ultimate.priced_boards(met, STAKES, 990)[0] for met in showdowns()]
    assert all((worth == by_class(flop, *priced)).all() for flop, worth in zip(some, found, strict=True))
    benchmark.extra_info["cpu_seconds"] = min(cpu)
    benchmark.extra_info["decisions_cpu_seconds"] = min(decided)
    benchmark.extra_info["plain_decisions_cpu_seconds"] = plain_seconds
    benchmark.extra_info["times_plain"] = plain_seconds / min(decided)


def test_rounds(benchmark: BenchmarkFixture) -> None:
    """Rounds dealt and played, the river decided by looking at 990 hands."""
    plan = ultimate.solve(STAKES).plan
    state = tuple(np.uint64(word) for word in (1, 2, 3, 4))
    ultimate.deal_rounds(1000, state, plan, STAKES)
    benchmark.pedantic(ultimate.deal_rounds, (100_000, state, plan, STAKES), rounds=3)
    benchmark.extra_info["rounds_per_second"] = 100_000 / benchmark.stats.stats.min


@pytest.mark.parametrize("flop", ["monotone", "paired"])
def test_one_flop_plain(benchmark: BenchmarkFixture, flop: str) -> None:
    cards = {"monotone": [48, 24, 0], "paired": [49, 48, 2]}[flop]
    benchmark.pedantic(plain, (np.array(cards, dtype=np.uint8),), rounds=3, warmup_rounds=1)
