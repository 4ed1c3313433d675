"""Speed of poker hand values: JIT warm, one thread, each figure beside a Python library measured in the same run."""

import time
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray
from pokerkit import Card, StandardHighHand
from pytest_benchmark.fixture import BenchmarkFixture

from casinomath.cards import cards_text
from casinomath.kernels.jit import bare
from casinomath.kernels.poker import BUCKETS, FLUSH, SHIFT, SLOTS, by_category, flush_ranks, tables, values

SEVEN = comb(52, 7)


@bare
def every_hand(keys, masks, start, displacements, slots, flushes, counts):  # type: ignore[no-untyped-def]
    """Count the seven-card hands by value."""
    for a in range(6, 52):
        for b in range(5, a):
            for c in range(4, b):
                for d in range(3, c):
                    four = start + keys[a] + keys[b] + keys[c] + keys[d]
                    four_mask = masks[a] | masks[b] | masks[c] | masks[d]
                    for e in range(2, d):
                        for f in range(1, e):
                            six, six_mask = four + keys[e] + keys[f], four_mask | masks[e] | masks[f]
                            for g in range(f):
                                key = six + keys[g]
                                if key & FLUSH:
                                    counts[flushes[flush_ranks(key, six_mask | masks[g])]] += 1
                                else:
                                    counts[slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS]] += 1


def dealt(number: int) -> NDArray[np.uint8]:
    order = np.random.default_rng(1).permuted(np.tile(np.arange(52, dtype=np.uint8), (number, 1)), axis=1)
    return np.ascontiguousarray(order[:, :7])


def test_every_seven_card_hand(benchmark: BenchmarkFixture) -> None:
    """All 133,784,560; the aim is 300 million a second."""

    def count() -> NDArray[np.int64]:
        counts = np.zeros(7463, dtype=np.int64)
        every_hand(*tables(), counts)
        return counts

    counts = benchmark.pedantic(count, rounds=3, warmup_rounds=1)
    assert int(counts.sum()) == SEVEN
    assert by_category(counts)["royal_flush"] == 4324
    benchmark.extra_info["hands_per_second"] = SEVEN / benchmark.stats.stats.min


@pytest.mark.parametrize("hands", [1_000_000])
def test_random_seven_card_hands(benchmark: BenchmarkFixture, hands: int) -> None:
    """The aims are 100 million a second, and 100 times a Python library called hand by hand."""
    cards = dealt(hands)
    benchmark.pedantic(values, (cards,), rounds=10, warmup_rounds=1)
    some = [list(Card.parse(cards_text(hand).replace(" ", ""))) for hand in cards[:500].tolist()]
    start = time.perf_counter()
    for hand in some:
        StandardHighHand.from_game(hand)
    theirs = len(some) / (time.perf_counter() - start)
    benchmark.extra_info["hands_per_second"] = hands / benchmark.stats.stats.min
    benchmark.extra_info["times_pokerkit"] = benchmark.extra_info["hands_per_second"] / theirs
