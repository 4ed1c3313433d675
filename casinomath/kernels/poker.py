"""Poker hands as numbers: the better of two hands has the larger one, and equal hands have the same.

A card is 4 × rank + suit: rank 0 is a deuce and 12 an ace, suits are those of `cards.SUITS`. An `Order` says how many
cards make a hand and which category beats which; of more cards the best hand counts. Values are dense: a five-card
hand is one of 1 (7-5-4-3-2) to 7,462 (a royal flush), three cards make 741 values, four cards 2,535.

Method: every rank has a random 32-bit weight, and a hand's key is their sum, so that another card is one addition. The
top of the key counts each suit in four bits, from a start at which a flush sets the highest of them. Without a flush
the ranks alone decide: a hash-and-displace table finds the value of their sum, for every number of cards at once.
With one, the ranks of the suit do. (No hand with a flush holds a better one without: four of a kind or a full house of
five cards leaves at most four suited ranks among seven, and so on.)

Kernels write the look-up out, see `batch`: numba makes a helper with arrays several times slower in such loops.
"""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.jit import bare, jit

RANKS: Final = 13
CARDS: Final = 52


class Order(NamedTuple):
    """How many cards make a hand, and the categories of hands, the worst first."""

    cards: int
    categories: tuple[str, ...]


FIVE: Final = Order(
    5,
    (
        *("high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house"),
        *("four_of_a_kind", "straight_flush", "royal_flush"),
    ),
)
"""Five-card poker; A-2-3-4-5 is the lowest straight."""

FOUR: Final = Order(
    4, ("high_card", "pair", "two_pair", "straight", "flush", "three_of_a_kind", "straight_flush", "four_of_a_kind")
)
"""Four-card poker (Crazy 4): of five cards the best four; A-2-3-4 is the lowest straight."""

THREE: Final = Order(3, ("high_card", "pair", "flush", "straight", "three_of_a_kind", "straight_flush", "mini_royal"))
"""Three-card poker; A-2-3 is the lowest straight."""

LARGEST: Final = {3: 3, 4: 5, 5: 7}
"""Cards in hand, at most, by the cards that make one."""


class Tables(NamedTuple):
    """What kernels find the value of a hand with."""

    keys: NDArray[np.uint64]
    """(64,) what each card adds to a key; cards from 52 on, which are none, add nothing."""
    masks: NDArray[np.uint64]
    """(64,) one bit for each card, the ranks of a suit side by side: bit 13 × suit + rank."""
    start: np.uint64
    """The key of no cards."""
    displacements: NDArray[np.uint16]
    """(BUCKETS,)"""
    slots: NDArray[np.uint16]
    """(SLOTS,) values by (key >> SHIFT) + displacement, where there is no flush."""
    flushes: NDArray[np.uint16]
    """(8192,) values by the ranks of the suit, where there is one; 0 for too few of them."""


# Written out as unsigned words: mixed with signed integers, numba would make floats of them.
BUCKETS: Final = np.uint64(2**14 - 1)
SLOTS: Final = np.uint64(2**17 - 1)
SHIFT: Final = np.uint64(15)
FLUSH: Final = np.uint64(0x8888 << 48)
SUIT_BITS: Final = np.uint64(48)
SUIT: Final = np.uint64(8191)
_NONE, _FOUR, _13, _15, _63 = (np.uint64(number) for number in (0, 4, 13, 15, 63))


# --- Values -------------------------------------------------------------------------------------------------


def values(cards: NDArray[np.uint8], order: Order = FIVE) -> NDArray[np.uint16]:
    """Return the values (n,) of hands (n, k) of k different cards each, k being any number the order is made for.

    Raises ValueError for a wrong number of cards and a card above 51; cards that come twice are not noticed.
    """
    hands = np.ascontiguousarray(cards, dtype=np.uint8)
    least, most = order.cards, LARGEST[order.cards]
    if hands.ndim != 2 or not least <= hands.shape[1] <= most:
        raise ValueError(f"hands have shape {hands.shape}; expected (hands, {least} to {most} cards)")
    if hands.size and hands.max() >= CARDS:
        raise ValueError(f"card {hands.max()} in a hand; expected 0 to {CARDS - 1}")
    out = np.empty(len(hands), dtype=np.uint16)
    batch(hands, *tables(order), out)
    return out


def value(*cards: int, order: Order = FIVE) -> int:
    """Return the value of one hand."""
    return int(values(np.array([cards], dtype=np.uint8), order)[0])


@bare
def batch(
    hands: NDArray[np.uint8],
    keys: NDArray[np.uint64],
    masks: NDArray[np.uint64],
    start: np.uint64,
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
    flushes: NDArray[np.uint16],
    out: NDArray[np.uint16],
) -> None:
    """Fill `out` (n,) with the values of hands (n, k)."""
    for i in range(hands.shape[0]):
        key = start
        for j in range(hands.shape[1]):
            key += keys[hands[i, j] & _63]
        if key & FLUSH:
            mask = _NONE
            for j in range(hands.shape[1]):
                mask |= masks[hands[i, j] & _63]
            out[i] = flushes[flush_ranks(key, mask)]
        else:
            out[i] = slots[((key >> SHIFT) + displacements[key & BUCKETS]) & SLOTS]


@jit
def flush_ranks(key: np.uint64, mask: np.uint64) -> np.uint64:
    """The ranks of the suit that has a flush, by the key and the mask of all cards of a hand that has one."""
    counts = (key & FLUSH) >> SUIT_BITS
    while counts & _15 == _NONE:
        counts >>= _FOUR
        mask >>= _13
    return mask & SUIT


# --- Categories ---------------------------------------------------------------------------------------------


@lru_cache
def floors(order: Order = FIVE) -> tuple[int, ...]:
    """Return the lowest value of each category, the worst category first, and behind them the number of values + 1."""
    _, categories = _ranked(order)
    return (*(1 + np.searchsorted(categories, range(len(order.categories)))).tolist(), 1 + len(categories))


def category(value: int, order: Order = FIVE) -> str:
    """Return the category of a value; ValueError for a number that is none."""
    ends = floors(order)
    if not 1 <= value < ends[-1]:
        raise ValueError(f"value {value}; expected 1 to {ends[-1] - 1}")
    return order.categories[int(np.searchsorted(ends, value, side="right")) - 1]


def by_category(counts: NDArray[np.int64], order: Order = FIVE) -> dict[str, int]:
    """Return the sum over each category, the best one first, of counts by value (values + 1,)."""
    sums = np.add.reduceat(counts, floors(order)[:-1])
    return dict(zip(reversed(order.categories), reversed(sums.tolist()), strict=True))


# --- Tables -------------------------------------------------------------------------------------------------

_WEIGHTS_SEED: Final = 1
"""Any that gives sums that differ; `tables` makes sure."""


@lru_cache
def tables(order: Order = FIVE) -> Tables:
    """Return the tables of an order, made at the first request."""
    suits, ranks = np.arange(CARDS) % 4, np.arange(CARDS) // 4
    weights = np.random.default_rng(_WEIGHTS_SEED).integers(1, 2**32, RANKS, dtype=np.uint64)
    keys, masks = np.zeros(64, dtype=np.uint64), np.zeros(64, dtype=np.uint64)
    keys[:CARDS] = weights[ranks] + (np.uint64(1) << (48 + 4 * suits).astype(np.uint64))
    masks[:CARDS] = np.uint64(1) << (13 * suits + ranks).astype(np.uint64)

    known, _ = _ranked(order)
    suited = _suited(order)
    flushes = np.where(suited > 0, 1 + np.searchsorted(known, suited), 0).astype(np.uint16)
    sums, found = [], []
    for cards in range(order.cards, LARGEST[order.cards] + 1):
        held = rank_counts(cards)
        sums.append((held.astype(np.uint64) @ weights) & np.uint64(2**32 - 1))
        found.append(1 + np.searchsorted(known, _unsuited(held, order)))
    every = np.concatenate(sums)
    assert np.unique(every).size == every.size, "two sets of ranks have the same sum of weights"
    displacements, slots = _displaced(every, np.concatenate(found).astype(np.uint16))
    start = np.uint64(sum((8 - order.cards) << (48 + 4 * suit) for suit in range(4)))
    return Tables(keys, masks, start, displacements, slots, flushes)


def rank_counts(cards: int) -> NDArray[np.int64]:
    """Return the sets of ranks of so many cards as counts (n, 13), at most four of a rank."""
    chosen = np.array(list(combinations_with_replacement(range(RANKS), cards)), dtype=np.int64).reshape(-1, cards)
    counts: NDArray[np.int64] = (chosen[:, :, None] == np.arange(RANKS)).sum(axis=1)
    return counts[(counts <= 4).all(axis=1)]


def _ranked(order: Order) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The strengths of all hands, the weakest first, and the category of each as its place in the order."""
    hands = rank_counts(order.cards)
    size = np.array([bits.bit_count() for bits in range(2**RANKS)])
    strengths = np.concatenate([_unsuited(hands, order), _suited(order)[size == order.cards]])
    strengths = np.unique(strengths)
    return strengths, strengths >> 26


def _strength(category: int, first: NDArray[np.int64], then: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number that ranks hands: the category, the ranks that make it, and the ranks of the other cards, as masks."""
    return (category << 26) + (first << 13) + then


def _unsuited(held: NDArray[np.int64], order: Order) -> NDArray[np.int64]:
    """The strength of the best hand without a flush, from counts by rank (n, 13)."""
    bit = 1 << np.arange(RANKS)
    least = {n: (held >= n) @ bit for n in (1, 2, 3, 4)}
    fours, threes, two = _top(least[4], 1), _top(least[3], 1), _top(least[2], 1)
    two_pair = _top(least[2], 2)
    under = _top(least[2] & ~threes, 1)
    straights = _straights(order)[least[1]]
    holds = {
        "high_card": (least[1] > 0, np.zeros_like(two), order.cards),
        "pair": (two > 0, two, order.cards - 2),
        "two_pair": (two_pair != two, two_pair, order.cards - 4),
        "three_of_a_kind": (threes > 0, threes, order.cards - 3),
        "four_of_a_kind": (fours > 0, fours, order.cards - 4),
    }
    best = np.zeros(len(held), dtype=np.int64)
    for place, name in enumerate(order.categories):
        if name in holds:
            has, first, others = holds[name]
            strength = _strength(place, first, _top(least[1] & ~first, others))
        elif name == "full_house":
            has, strength = (threes > 0) & (under > 0), _strength(place, threes, under)
        elif name == "straight":
            has, strength = straights > 0, _strength(place, straights, np.zeros_like(two))
        else:
            continue
        best = np.where(has, strength, best)
    return best


def _suited(order: Order) -> NDArray[np.int64]:
    """The strength (8192,) of the best flush by the ranks of its suit; 0 for too few of them."""
    ranks = np.arange(2**RANKS)
    high, none = _top(ranks, order.cards), np.zeros(2**RANKS, dtype=np.int64)
    enough = np.array([bits.bit_count() >= order.cards for bits in range(2**RANKS)])
    straights = _straights(order)
    strength = np.where(enough, _strength(order.categories.index("flush"), none, high), 0)
    strength = np.where(straights > 0, _strength(order.categories.index("straight_flush"), straights, none), strength)
    if order.categories[-1] in ("royal_flush", "mini_royal"):
        best = straights == 1 << (RANKS - 1)
        strength = np.where(best, _strength(len(order.categories) - 1, straights, none), strength)
    return strength


@lru_cache
def _straights(order: Order) -> NDArray[np.int64]:
    """The highest rank, as a mask, of the best straight among ranks given as a mask (8192,); 0 where there is none."""
    ranks = np.arange(2**RANKS)
    highest = np.zeros(2**RANKS, dtype=np.int64)
    for low in range(-1, RANKS - order.cards + 1):
        needed = sum(1 << (low + step) % RANKS for step in range(order.cards))
        highest[ranks & needed == needed] = 1 << (low + order.cards - 1)
    return highest


def _top(masks: NDArray[np.int64], number: int) -> NDArray[np.int64]:
    """The highest bits of masks, so many of them."""
    if number == 0:
        return np.zeros_like(masks)
    return _highest(number)[masks]


@lru_cache
def _highest(number: int) -> NDArray[np.int64]:
    """The highest bits, so many of them, of every mask (8192,)."""
    one = np.array([1 << bits.bit_length() >> 1 for bits in range(2**RANKS)])
    left = np.arange(2**RANKS)
    for _ in range(number):
        left -= one[left]
    return np.arange(2**RANKS) - left


def _displaced(keys: NDArray[np.uint64], found: NDArray[np.uint16]) -> tuple[NDArray[np.uint16], NDArray[np.uint16]]:
    """Displacements (buckets,) and slots by which every key finds its value: the fullest buckets are placed first."""
    buckets = (keys & BUCKETS).astype(np.int64)
    sizes = np.bincount(buckets, minlength=int(BUCKETS) + 1)
    by_bucket = np.argsort(buckets, kind="stable")
    displacements = np.zeros(int(BUCKETS) + 1, dtype=np.uint16)
    slots = np.zeros(int(SLOTS) + 1, dtype=np.uint16)
    places = ((keys >> SHIFT) & SLOTS).astype(np.int64)
    fullest = np.argsort(-sizes, kind="stable")
    placed = place(places[by_bucket], found[by_bucket], np.cumsum(sizes) - sizes, sizes, fullest, displacements, slots)
    assert placed, "a bucket of keys has no displacement"
    return displacements, slots


@jit
def place(
    places: NDArray[np.int64],
    found: NDArray[np.uint16],
    firsts: NDArray[np.int64],
    sizes: NDArray[np.int64],
    buckets: NDArray[np.int64],
    displacements: NDArray[np.uint16],
    slots: NDArray[np.uint16],
) -> bool:
    """Fill `displacements` and `slots`, bucket by bucket in the order given; False where one cannot be placed.

    places, found : (keys,) slot and value of each key before displacement, those of a bucket side by side
    firsts, sizes : (buckets,) where the keys of a bucket begin, and their number
    """
    last = slots.size - 1
    for bucket in buckets:
        first, end = firsts[bucket], firsts[bucket] + sizes[bucket]
        fits = first == end
        for displacement in range(65536):
            if fits:
                break
            fits = True
            for i in range(first, end):
                if slots[(places[i] + displacement) & last]:
                    fits = False
            for i in range(first, end):  # two keys of one bucket in one place can't be told apart by any displacement
                for j in range(first, i):
                    fits = fits and places[i] != places[j]
            if fits:
                displacements[bucket] = displacement
                for i in range(first, end):
                    slots[(places[i] + displacement) & last] = found[i]
        if not fits:
            return False
    return True
