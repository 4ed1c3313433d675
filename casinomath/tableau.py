"""The tableau of baccarat: which hand draws a third card, and with it the law of a coup.

A coup takes four cards, and at most two more. Six are counted here whether they are dealt or not, so that all coups of
a shoe are equally many ordered sequences of six cards.

Method: exact, in integers. A shoe is known by point value. In how many orders a set of six values comes to which totals
does not depend on the shoe, and is tabulated once from all 10⁶ sequences; what depends on it is how many cards there
are of each value.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import comb, perm
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import RANKS, STANDARD, VALUES, cards_left, shoe_parts
from casinomath.errors import RequestError

CARDS: Final = 6
"""Cards that a coup may take."""

BANKER_DRAWS: Final[Mapping[int, str]] = {
    **dict.fromkeys((0, 1, 2), "0123456789"),
    3: "012345679",
    4: "234567",
    5: "4567",
    6: "67",
    7: "",
}
"""By the banker's total: the player's third cards on which the banker draws."""

PLAYER_DRAWS: Final = 5
"""The highest total on which the player draws; the banker's too, where the player stood."""

NATURAL: Final = 8
"""The lowest total of two cards that ends the coup."""


class Coup(NamedTuple):
    """What a coup came to. Totals are points, from 0 to 9."""

    player_two: int
    """The player's total of two cards."""
    banker_two: int
    player: int
    """The player's total in the end."""
    banker: int
    player_cards: int
    """Two or three."""
    banker_cards: int

    @property
    def margin(self) -> int:
        """By how much the player wins; negative where the banker does, 0 for a tie."""
        return self.player - self.banker

    @property
    def natural(self) -> bool:
        """Whether a natural 8 or 9 ended it."""
        return max(self.player_two, self.banker_two) >= NATURAL


def play(player_two: int, banker_two: int, third: int, fourth: int) -> Coup:
    """Play a coup by the tableau, from both totals of two cards and the points of the next two cards of the shoe."""
    if max(player_two, banker_two) >= NATURAL:
        return Coup(player_two, banker_two, player_two, banker_two, 2, 2)
    if player_two > PLAYER_DRAWS:
        if banker_two > PLAYER_DRAWS:
            return Coup(player_two, banker_two, player_two, banker_two, 2, 2)
        return Coup(player_two, banker_two, player_two, (banker_two + third) % 10, 2, 3)
    player = (player_two + third) % 10
    if str(third) in BANKER_DRAWS[banker_two]:
        return Coup(player_two, banker_two, player, (banker_two + fourth) % 10, 3, 3)
    return Coup(player_two, banker_two, player, banker_two, 3, 2)


# --- The shoe -----------------------------------------------------------------------------------------------

Counts: TypeAlias = tuple[int, ...]
"""Cards left, ten by value, ace first: those worth 1, 2, …, 9 and 0 points."""


class Shoe(NamedTuple):
    """A shoe as far as it is known."""

    decks: int
    counts: Counts
    ranks: Counts | None
    """Cards left of each of the thirteen ranks; None where tens, jacks, queens and kings are not told apart."""

    @property
    def cards(self) -> int:
        """Cards left."""
        return sum(self.counts)

    @property
    def coups(self) -> int:
        """Ordered sequences of the six cards that a coup may take."""
        return perm(self.cards, CARDS)


def read_shoe(decks: int, shoe: str | Iterable[int] | None = None) -> Shoe:
    """Return a fresh shoe, or a partly used one from its counts.

    shoe : counts left: ten by value, ace first, or one for each of the thirteen ranks, A, 2, …, Q, K
    Raises RequestError for other counts, for more cards than the decks hold, and for fewer than a coup may take.
    """
    parts = None if shoe is None else shoe_parts(shoe)
    ranks: Counts | None = None
    if parts is not None and len(parts) == len(VALUES):
        counts = cards_left(parts, decks, STANDARD)
    elif parts is None or len(parts) == len(RANKS):
        ranks = cards_left(parts, decks, [4] * len(RANKS), RANKS)
        counts = (*ranks[:9], sum(ranks[9:]))
    else:
        listed = f"ten counts ({', '.join(VALUES)}) or {len(RANKS)} ({', '.join(RANKS)})"
        raise RequestError(f"a shoe is {listed}, not {len(parts)}: {','.join(map(str, parts))}")
    found = Shoe(decks, counts, ranks)
    if found.cards < CARDS:
        raise RequestError(f"the shoe holds {found.cards} cards; a coup takes up to {CARDS}")
    return found


# --- The law of a coup --------------------------------------------------------------------------------------


class _Orders(NamedTuple):
    """In how many orders sets of six values come to coups."""

    values: NDArray[np.int64]
    """(sets, 10) how many of each value a set has."""
    coups: tuple[Coup, ...]
    of: NDArray[np.int64]
    """(entries,) the set."""
    coup: NDArray[np.int64]
    """(entries,) the coup's place in `coups`, ascending."""
    orders: NDArray[np.int64]
    """(entries,) in how many orders."""


@cache
def _orders() -> _Orders:
    points = np.arange(1, 11) % 10  # of each value, ace first
    first, second, third, fourth, fifth, sixth = np.indices((10,) * CARDS).reshape(CARDS, -1)
    player_two = (points[first] + points[third]) % 10
    banker_two = (points[second] + points[fourth]) % 10
    situation = ((player_two * 10 + banker_two) * 10 + points[fifth]) * 10 + points[sixth]
    played = [
        play(player, banker, one, other)
        for player in range(10)
        for banker in range(10)
        for one in range(10)
        for other in range(10)
    ]
    places = {coup: place for place, coup in enumerate(dict.fromkeys(played))}
    coup = np.array([places[each] for each in played])[situation]
    # a set of six values is written in base 7: how many there are of each
    weights = 7 ** np.arange(10)
    name = sum(weights[value] for value in (first, second, third, fourth, fifth, sixth))
    sets = np.unique(name)
    of = np.searchsorted(sets, name)
    entries, orders = np.unique(coup * len(sets) + of, return_counts=True)
    return _Orders(
        values=sets[:, None] // weights % 7,
        coups=tuple(places),
        of=entries % len(sets),
        coup=entries // len(sets),
        orders=orders,
    )


def law(counts: Counts) -> dict[Coup, int]:
    """Return the number of ordered sequences of six cards that come to each coup; they sum to cards! / (cards − 6)!.

    counts : ten by value, ace first, at least six cards in all and at most those of 16 decks
    """
    orders = _orders()
    # 832⁶ < 2⁶³: whatever is dealt from 16 decks is counted in 64 bits
    falling = np.array([[perm(count, number) for number in range(CARDS + 1)] for count in counts], dtype=np.int64)
    sequences = falling[np.arange(10), orders.values].prod(axis=1)
    ways = orders.orders * sequences[orders.of]
    starts = np.searchsorted(orders.coup, np.arange(len(orders.coups)))
    totals = np.add.reduceat(ways, starts).tolist()
    return {coup: number for coup, number in zip(orders.coups, totals, strict=True) if number}


def pair(shoe: Shoe) -> Fraction:
    """Return the chance that two cards are a pair of one rank.

    Where tens, jacks, queens and kings are counted together, those left are any of the full decks', all choices equally
    likely.
    """
    deals = comb(shoe.cards, 2)
    if shoe.ranks is not None:
        return Fraction(sum(comb(count, 2) for count in shoe.ranks), deals)
    # of two ten-valued cards of the full decks, the second has the rank of the first
    alike = Fraction(4 * shoe.decks - 1, STANDARD[9] * shoe.decks - 1)
    below_ten = sum(comb(count, 2) for count in shoe.counts[:9])
    return (below_ten + comb(shoe.counts[9], 2) * alike) / deals
