"""Dealer totals by counting: every upcard at once, without replacement, exactly.

The dealer's draws are grouped into whole hands (multisets that include the upcard). In how many orders a hand can be
drawn from an upcard depends on the rule for soft 17 only, never on the shoe, so the orders are counted once. The hands
share prefixes: they are kept as a trie, and a pass over a shoe multiplies its way down the trie once for all ten
upcards.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.hands import hands
from casinomath.kernels.jit import jit

BATCH = 64
"""Shoes handled side by side, so that the inner loops vectorise and the scratch stays in the first cache."""

OUTCOMES = 7
"""17, 18, 19, 20, 21, 22, bust: all but the dealer's blackjack, so they sum to P(no dealer blackjack).

A 22 is counted apart only where the trie has the hands that make it; elsewhere it is a bust."""
TWENTY_TWO, BUST = 5, 6


class Trie(NamedTuple):
    """The dealer's hands in preorder, each sorted by value from ace to ten-valued."""

    value: NDArray[np.int8]
    """(nodes,) value of the node's card."""
    used: NDArray[np.int8]
    """(nodes,) cards of that value above the node."""
    depth: NDArray[np.int8]
    """(nodes,) cards down to and including the node's."""
    first: NDArray[np.int32]
    """(nodes + 1,) where the node's completed hands begin in the next two arrays."""
    cell: NDArray[np.int8]
    """(entries,) 7 × upcard + outcome."""
    orders: NDArray[np.float64]
    """(entries,) orders in which the dealer draws the hand from that upcard."""


@cache
def dealer_trie(hits_soft_17: bool, apart_22: bool = False) -> Trie:
    """Count the orders and build the trie (some 30 ms), once a process and rule; `apart_22` counts 22s apart."""
    lattice = hands()
    hard = lattice.counts @ np.arange(1, 11)
    drawing = (lattice.total < 17) | (lattice.soft & (lattice.total == 17) & hits_soft_17)
    orders = np.zeros((len(lattice.size), 10))
    orders[lattice.child[0], np.arange(10)] = 1.0
    finished: dict[tuple[int, ...], tuple[int, NDArray[np.float64]]] = {}
    for row in np.flatnonzero(drawing & (lattice.size > 0)):
        for card in range(10):
            child = lattice.child[row, card]
            if child >= 0 and drawing[child]:
                orders[child] += orders[row]
                continue
            if child < 0 and not (apart_22 and hard[row] + card + 1 == 22):
                continue  # a bust is whatever the other outcomes leave over
            hand = lattice.counts[row] + (np.arange(10) == card)
            if hand.sum() == 2 and hand[0] == hand[9] == 1:
                continue  # a blackjack is none of the outcomes
            cards = tuple(np.repeat(np.arange(10), hand).tolist())
            outcome = TWENTY_TWO if child < 0 else int(lattice.total[child]) - 17
            finished.setdefault(cards, (outcome, np.zeros(10)))[1][:] += orders[row]

    value: list[int] = []
    used: list[int] = []
    depth: list[int] = []
    first = [0]
    cell: list[int] = []
    counts: list[float] = []
    above: tuple[int, ...] = ()
    for cards in sorted(finished):
        shared = 0
        while shared < min(len(above), len(cards)) and above[shared] == cards[shared]:
            shared += 1
        for level in range(shared, len(cards)):
            value.append(cards[level])
            used.append(cards[:level].count(cards[level]))
            depth.append(level + 1)
            first.append(first[-1])
        outcome, ways = finished[cards]
        for upcard in np.flatnonzero(ways):
            cell.append(OUTCOMES * int(upcard) + outcome)
            counts.append(float(ways[upcard]))
        first[-1] = len(cell)
        above = cards
    return Trie(
        value=np.array(value, dtype=np.int8),
        used=np.array(used, dtype=np.int8),
        depth=np.array(depth, dtype=np.int8),
        first=np.array(first, dtype=np.int32),
        cell=np.array(cell, dtype=np.int8),
        orders=np.array(counts),
    )


@jit
def dealer_totals(
    trie: Trie, shoe: NDArray[np.int64], removed: NDArray[np.int8], taken: int = 1
) -> NDArray[np.float64]:
    """P(17, 18, 19, 20, 21, 22, bust) by shoe and upcard; a dealer's blackjack is in none of them.

    shoe    : int64 (10,)  cards by value, the upcard still among them
    removed : int8 (n, 10)  cards that have left the shoe besides
    taken   : 1, or 0 for a shoe that is endless: no card that is dealt leaves it
    returns : float64 (n, 10, 7)  zeros where the shoe does not hold the cards
    """
    n = removed.shape[0]
    out = np.zeros((n, 10, OUTCOMES))
    deepest = 0
    for node in range(trie.depth.size):
        deepest = max(deepest, trie.depth[node])
    weight = np.empty((deepest + 1, BATCH))
    per_order = np.zeros((deepest + 1, BATCH))
    counts = np.empty((10, BATCH))
    cells = np.empty((10 * OUTCOMES, BATCH))
    for start in range(0, n, BATCH):
        width = min(BATCH, n - start)
        counts[:] = 0.0
        per_order[:] = 0.0
        for b in range(width):
            possible = True
            cards = 0
            for v in range(10):
                left = shoe[v] - taken * removed[start + b, v]
                possible = possible and left > -1  # a count need not be whole
                cards += left
                counts[v, b] = left
            if not possible:
                counts[:, b] = 0.0
                continue
            falling = 1.0
            for d in range(1, deepest + 1):
                if d >= 2:
                    if cards - taken * (d - 1) <= 0:
                        break
                    falling *= cards - taken * (d - 1)
                per_order[d, b] = 1.0 / falling
        cells[:] = 0.0
        weight[0, :] = 1.0
        for node in range(trie.value.size):
            d = trie.depth[node]
            v = trie.value[node]
            gone = float(taken * trie.used[node])
            for b in range(BATCH):
                weight[d, b] = weight[d - 1, b] * (counts[v, b] - gone)
            for entry in range(trie.first[node], trie.first[node + 1]):
                cell = trie.cell[entry]
                orders = trie.orders[entry]
                for b in range(BATCH):
                    cells[cell, b] += orders * (weight[d, b] * per_order[d, b])
        for b in range(width):
            others = counts[:, b].sum() - taken
            for v in range(10):
                if counts[v, b] > 0:
                    bust = 1.0
                    if v == 0:
                        bust -= counts[9, b] / others
                    elif v == 9:
                        bust -= counts[0, b] / others
                    for k in range(BUST):
                        p = cells[OUTCOMES * v + k, b] / counts[v, b]
                        out[start + b, v, k] = p
                        bust -= p
                    out[start + b, v, BUST] = bust
    return out
