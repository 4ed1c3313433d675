"""A game of the family of 21 on one shoe: its rules and pays as the exact engine takes them.

Games state their rules and pay tables as a Problem; two of them can be mixed field by field (`dataclasses.replace`,
`Table._replace`), so that one game is led over into another rule by rule.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels.actions import (
    BUSTED,
    DEALER_BLACKJACK,
    DOUBLED,
    DOUBLES,
    ENDINGS,
    FREE_DOUBLED,
    LOSS,
    PER_STAGE,
    STAND,
    SURRENDERED,
    TWENTY_ONE,
    WIN,
    Policy,
)
from casinomath.kernels.dealer import Trie, dealer_totals, dealer_trie
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS, SUITS, Suited, suit_chances
from casinomath.kernels.twentyone import Table

Floats = NDArray[np.float64]

OF_STAGES = slice(DOUBLED, DOUBLED + PER_STAGE * DOUBLES)
"""The endings of doubled hands, stage by stage."""

WAGERS = np.ones(len(ENDINGS))
"""(endings,) what has been wagered on a hand that ends so, before a rescue takes any of it back."""
WAGERS[OF_STAGES] = np.repeat(2.0 ** np.arange(1, DOUBLES + 1), PER_STAGE)
WAGERS[DEALER_BLACKJACK : DEALER_BLACKJACK + FREE_DOUBLED] = 2.0 ** np.arange(DOUBLES + 1)


@dataclass(frozen=True)
class Problem:
    """A game of the family on one shoe: everything the kernels need."""

    table: Table
    shoe: tuple[int, ...]
    """Cards by value before the round, ace first."""
    decks: int
    """Packs that the shoe was made of: what the suits of its 6s, 7s and 8s are drawn from."""
    hits_soft_17: bool
    max_hands: int
    pays: Mapping[str, float]
    """Net result of the ENDINGS that rules and pay table settle: blackjack, bonuses, surrender, rescues."""
    split_pays: Mapping[str, float]
    """The same for split hands, where they differ."""
    super_bonus: float = 0.0
    """What a Super Bonus adds, in initial wagers."""
    pushes_22: bool = False
    """A dealer's 22 is a push with every hand that stands."""
    free_pairs: frozenset[int] = frozenset()
    """Pairs, by value, that are split with free bets: the first hand keeps the wager, the others carry free bets."""
    paid_pairs: frozenset[int] = frozenset(range(10))
    """Pairs that are split for money, unless for free."""
    carries_free_bet: bool = False
    """The hand carries a free bet in place of the initial wager: it wins like any other, and has nothing to lose."""

    def __post_init__(self) -> None:
        """No house lets a 21 win at once, or a hand be rescued, before it knows whether the dealer has a blackjack."""
        if not self.table.peeks and (self.table.twenty_one_wins or self.table.rescue):
            raise ValueError("without a peek no 21 wins at once, and there is no rescue")

    @cached_property
    def shoe_array(self) -> NDArray[np.int64]:
        """The shoe as the kernels take it: integers, or floats where counts need not be whole."""
        return _counts(self.shoe)

    @cached_property
    def free_hand(self) -> "Problem":
        """The same game for a split hand that carries a free bet."""
        return replace(self, carries_free_bet=True, pays={**self.pays, **self.split_pays})

    @cached_property
    def ending_pays(self) -> Floats:
        """(endings,) the net result of each ending of a hand, in initial wagers."""
        pays = _ending_pays(self.pays)
        return pays + (pays < 0) if self.carries_free_bet else pays

    @cached_property
    def wagers(self) -> Floats:
        """(endings,) money wagered on a hand that ends so, in initial wagers."""
        return WAGERS - 1.0 if self.carries_free_bet else WAGERS

    @cached_property
    def split_ending_pays(self) -> Floats:
        """(endings,) the same for split hands."""
        return replace(self, pays={**self.pays, **self.split_pays}).ending_pays

    @cached_property
    def suited(self) -> Suited:
        """The chances of suits; where a 21 does not win at once no pay depends on them, and no hand is in it."""
        suited = _suited(self.decks)
        return suited if self.table.twenty_one_wins else suited._replace(place=np.full_like(suited.place, -1))

    @cached_property
    def ending_21(self) -> NDArray[np.int8]:
        """(n,) the ending of a hand that wins at once as a 21, -1 for all other hands."""
        lattice = hands()
        ending = np.full(len(lattice.size), -1, dtype=np.int8)
        if self.table.twenty_one_wins:
            is_21 = lattice.total == 21
            ending[is_21] = TWENTY_ONE
            for cards, name in ((5, "five_card_21"), (6, "six_card_21"), (7, "seven_card_21")):
                ending[is_21 & (lattice.size >= cards)] = ENDINGS.index(name)
        return ending

    @cached_property
    def doubles_free(self) -> NDArray[np.bool_]:
        """(n,) hands that are doubled with a free bet."""
        lattice = hands()
        hard = ~lattice.soft & (lattice.total >= 9) & (lattice.total <= 11)
        return np.asarray(hard & (lattice.size <= self.table.free_double_up_to))

    @cached_property
    def _doubles_for_money(self) -> NDArray[np.bool_]:
        lattice, table = hands(), self.table
        allowed = lattice.size <= table.double_up_to
        if table.double_from:
            allowed &= ~lattice.soft & (lattice.total >= table.double_from) & (lattice.total <= 11)
        return np.asarray(allowed)

    @cached_property
    def may_double(self) -> NDArray[np.bool_]:
        """(n,) hands that may be doubled, no part of a split."""
        return self.doubles_free | self._doubles_for_money

    @cached_property
    def split_may_double(self) -> NDArray[np.bool_]:
        """(n,) split hands that may be doubled."""
        return self.doubles_free | (self._doubles_for_money & bool(self.table.double_after_split))

    @cached_property
    def aces_may_double(self) -> NDArray[np.bool_]:
        """(n,) hands that began as a split ace and may be doubled."""
        return self.split_may_double & bool(self.table.double_split_aces)

    @cached_property
    def may_hit(self) -> NDArray[np.bool_]:
        """(n,) hands that may be hit, also in a split."""
        return np.asarray(hands().total < 21)

    @cached_property
    def aces_may_hit(self) -> NDArray[np.bool_]:
        """(n,) hands that began as a split ace and may be hit."""
        return self.may_hit & bool(self.table.split_aces_draw)

    @property
    def aces_may_only_double(self) -> bool:
        """Whether split aces are doubled or stand: no code of a chart says which, so they do what is best."""
        return bool(self.aces_may_double.any()) and not self.aces_may_hit.any()

    @property
    def splits_free(self) -> bool:
        """Whether any split is made with free bets."""
        return bool(self.free_pairs) and self.max_hands > 1

    def decides_after(self, doubles: int) -> bool:
        """Return whether there is anything to decide after so many doubles."""
        return bool(self.table.rescue) or doubles < self.table.max_doubles

    def most_hands(self, pair: int) -> int:
        """Return how many hands the split of a pair can make, 1 where it may not be split."""
        if pair not in self.free_pairs | self.paid_pairs:
            return 1
        return min(self.max_hands, 2) if pair == 0 and not self.table.resplit_aces else self.max_hands

    @cached_property
    def dealt(self) -> Floats:
        """(10, n) P(upcard and two cards), 0 for hands of another size."""
        shoe, taken, lattice = self.shoe_array, self.table.taken, hands()
        cards, chances = float(shoe.sum()), np.zeros((10, len(lattice.size)))
        x, y = np.repeat(np.arange(10), 10), np.tile(np.arange(10), 10)
        rows = lattice.child[lattice.child[0, x], y]
        for upcard in range(10):
            rest = shoe - taken * (np.arange(10) == upcard)
            ways = rest[x] * (rest[y] - taken * (x == y)) * shoe[upcard]
            np.add.at(chances[upcard], rows, np.maximum(ways, 0) / (cards * (cards - taken) * (cards - 2 * taken)))
        return chances

    def can_deal(self, upcard: int) -> NDArray[np.bool_]:
        """(n,) hands that the shoe can deal beside an upcard."""
        gone = hands().counts + (np.arange(10) == upcard)
        enough = gone <= self.shoe_array if self.table.taken else (gone == 0) | (self.shoe_array > 0)
        return np.asarray(enough.all(axis=1))

    @cached_property
    def trie(self) -> Trie:
        """The dealer's hands."""
        return dealer_trie(self.hits_soft_17, self.pushes_22)

    @cached_property
    def dealer(self) -> Floats:
        """(n, 10, 7) the dealer's totals by hand and upcard."""
        return _dealer(self.hits_soft_17, self.pushes_22, self.shoe, self.table.taken)


@lru_cache(maxsize=4)
def _dealer(hits_soft_17: bool, pushes_22: bool, shoe: tuple[int, ...], taken: int) -> Floats:
    trie = dealer_trie(hits_soft_17, pushes_22)
    return dealer_totals(trie, _counts(shoe), hands().counts, taken)


def _counts(shoe: tuple[int, ...]) -> NDArray[np.int64]:
    counts = np.array(shoe)
    return counts if counts.dtype.kind == "f" else counts.astype(np.int64)


def _ending_pays(pays: Mapping[str, float]) -> Floats:
    """Whatever is not paid otherwise wins or loses its wager, or half of it where it is given up."""
    result = np.zeros(len(ENDINGS))
    result[: WIN + 1] = 1.0
    result[SURRENDERED] = -0.5
    result[[LOSS, BUSTED]] = -1.0
    result[DEALER_BLACKJACK:] = -WAGERS[DEALER_BLACKJACK:]
    twenty_one_to_rescue = [1.0, 1.0, 0.0, -1.0, -1.0, -0.5]
    result[OF_STAGES] = WAGERS[OF_STAGES] * np.tile(twenty_one_to_rescue, DOUBLES)
    result[OF_STAGES.stop : OF_STAGES.stop + PER_STAGE] = [2.0, 2.0, 0.0, -1.0, -1.0, 0.0]  # a free bet: not lost
    for name, pay in pays.items():
        result[ENDINGS.index(name)] = pay
    return result


@cache
def _suited(decks: int) -> Suited:
    lattice = hands()
    rows = np.array([lattice.child[lattice.child[0, x], y] for x, y in SUITED_HANDS], dtype=np.int32)
    index = np.full(len(lattice.size), -1, dtype=np.int8)
    index[rows] = np.arange(len(rows))
    weight = np.zeros((len(rows), 10, SUITS))
    complete = np.zeros((len(rows), SUITS, 10, 3))
    super_bonus = np.zeros((len(rows), SUITS, 10))
    suit_chances(decks, weight, complete, super_bonus)
    return Suited(rows, index, weight, complete, super_bonus)


@cache
def two_card_rows() -> NDArray[np.int32]:
    """(55,) the rows of the two-card hands in the lattice."""
    return np.flatnonzero(hands().size == 2).astype(np.int32)


def always_stand() -> Policy:
    """Return a policy of its own arrays that stands on everything, to be filled."""
    n = len(hands().size)
    suited = (10, len(SUITED_HANDS), SUITS)
    shapes = ((10, n), (DOUBLES, 10, n), (10, n), suited, suited, (10, n), suited, (10, n))
    return Policy(*(np.full(shape, STAND, dtype=np.uint8) for shape in shapes))


def pair_row(value: int) -> int:
    """Return the row of a pair of cards of that value."""
    lattice = hands()
    return int(lattice.child[lattice.child[0, value], value])
