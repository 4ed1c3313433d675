"""The family of 21, exactly by composition: best decisions, splits, and what a whole round is worth.

Method: exact enumeration in double precision. Every hand is priced against the shoe less all seen cards; the peek is
conditioned on exactly (see `kernels.twentyone`). Split hands follow one fixed decision for every hand and upcard
(`cdz_minus`); by exchangeability the value of one split hand is needed only from shoes with 1, 2, … more cards of the
pair's value gone, so whole resplit rounds are priced exactly without enumerating them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels import twentyone as kernel
from casinomath.kernels.actions import (
    BLACKJACK,
    BUSTED,
    DEALER_BLACKJACK,
    DOUBLE,
    DOUBLED,
    DOUBLES,
    ENDINGS,
    FREE_DOUBLED,
    HIT,
    LOSS,
    PER_STAGE,
    SIX_SEVEN_EIGHT,
    SPLIT,
    STAND,
    SURRENDER,
    TWENTY_ONE,
    WIN,
    Policy,
)
from casinomath.kernels.dealer import Trie, dealer_totals, dealer_trie
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import COMPLETING, SUITED_HANDS, SUITS, Suited, split_suits, suit_chances
from casinomath.kernels.twentyone import TIE, Table, Values

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
    result = np.zeros(len(ENDINGS))
    result[[TWENTY_ONE, WIN]] = 1.0
    result[[LOSS, BUSTED]] = -1.0
    result[DEALER_BLACKJACK:] = -WAGERS[DEALER_BLACKJACK:]
    twenty_one_to_rescue = [1.0, 1.0, 0.0, -1.0, -1.0, 0.0]
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


# ---------------------------------------------------------------------------------------------------------------------
# Splits


class Resplit(NamedTuple):
    """One way a split can go until its hands are settled: who drew another card of the pair's value, who did not."""

    hands: int
    """Hands in the end."""
    dealt: tuple[int, int, int]
    """Hands that drew another value, by kind: the first card's, the second card's, begun later."""
    open: tuple[int, int, int]
    """Hands left when no more splits are allowed: they draw anything, and play a pair without splitting it."""


@cache
def resplits(max_hands: int) -> tuple[Resplit, ...]:
    """Every way a split can go up to `max_hands` hands."""

    def ways(stack: tuple[int, ...], count: int, dealt: tuple[int, ...]) -> Iterator[Resplit]:
        if count == max_hands or not stack:
            yield Resplit(count, _by_kind(dealt), _by_kind(stack))
            return
        *below, top = stack
        yield from ways(tuple(below), count, (*dealt, top))
        yield from ways((*below, 2, top), count + 1, dealt)

    return tuple(ways((1, 0), 2, ()))


def _by_kind(kinds: tuple[int, ...]) -> tuple[int, int, int]:
    return (kinds.count(0), kinds.count(1), kinds.count(2))


class Coefficients(NamedTuple):
    """What one split hand's results must be multiplied with and summed over to price the whole split.

    Axes: upcard, hands in the end (2, 3, …), kind of hand, further cards of the pair's value gone (1, 2, …).
    """

    other: Floats
    """For results whose second card is not of the pair's value."""
    again: Floats
    """For results whose second card is of the pair's value, unsplit."""
    other_ways: Floats
    """(upcard, hands in the end, gone) for the chance of so many hands."""
    again_ways: Floats
    """The same for the second card's other case."""


def coefficients(shoe: NDArray[np.int64], pair: int, max_hands: int, taken: int = 1) -> Coefficients:
    """Price resplits by exchangeability.

    That k unknown cards are not of the pair's value is brought in by subtraction: E[X; a card is another] =
    E[X] − P(it is of the pair's value) × E[X | it is], which leaves expectations that only know how many cards of the
    pair's value are gone.
    """
    most_gone = 2 * max_hands - 3
    left = np.tile(shoe, (10, 1)) - taken * np.eye(10, dtype=np.int64)
    gone = taken * np.arange(2, most_gone + 3)
    unseen = left.sum(axis=1)[:, None] - gone
    pairs = left[:, pair][:, None] - gone
    draws = np.where((pairs > 0) & (unseen > 0), pairs / np.maximum(unseen, 1), 0.0)
    """(upcard, cards of the pair's value gone - 2) P(the next card is of the pair's value)."""

    other = np.zeros((10, max_hands - 1, 3, most_gone))
    again = np.zeros_like(other)
    other_ways = np.zeros((10, max_hands - 1, most_gone))
    again_ways = np.zeros_like(other_ways)

    def not_pairs(start: int, cards: int) -> Iterator[tuple[int, Floats]]:
        for i in range(cards + 1):
            chain = draws[:, start - 2 : start - 2 + i].prod(axis=1)
            yield start - 2 + i, (-1.0) ** i * comb(cards, i) * chain

    for way in resplits(max_hands):
        drawn = draws[:, : way.hands - 2].prod(axis=1)
        dealt, still_open = sum(way.dealt), sum(way.open)
        if dealt:
            for g, factor in not_pairs(way.hands, dealt - 1):
                other[:, way.hands - 2, :, g] += (drawn * factor)[:, None] * np.array(way.dealt)
                if not still_open:
                    other_ways[:, way.hands - 2, g] += drawn * factor
        if still_open:
            for g, factor in not_pairs(way.hands, dealt):
                both = (drawn * factor)[:, None] * np.array(way.open)
                other[:, way.hands - 2, :, g] += both
                again[:, way.hands - 2, :, g] += both
                other_ways[:, way.hands - 2, g] += drawn * factor
                again_ways[:, way.hands - 2, g] += drawn * factor
    return Coefficients(other, again, other_ways, again_ways)


class SplitPair:
    """Splitting one pair under a policy: exact values against every upcard, by suits."""

    def __init__(
        self,
        problem: Problem,
        policy: Policy,
        pair: int,
        suits: tuple[Floats, Floats] | None = None,
        kinds: tuple[int, ...] = (0, 1, 2),
        free: "SplitPair | None" = None,
    ) -> None:
        """Play one split hand from every shoe that matters.

        suits : `split_suits` for 6-6, 7-7 and 8-8
        kinds : the hands to count: the first card's, the second card's, those begun later
        free  : the other kinds, where they carry free bets
        """
        self.problem, self.policy, self.pair, self.kinds, self.free = problem, policy, pair, list(kinds), free
        self.by_suits = SUITS if suits is not None else 1
        self.coefficients = coefficients(problem.shoe_array, pair, problem.most_hands(pair), taken=problem.table.taken)
        self.parts = [(0, STAND), (0, STAND)]
        self.second: list[int] = [-1, -1]
        if suits is not None:
            self.chance, self.bonus = suits
            for second in (5, 6, 7):
                i = SUITED_HANDS.index((min(pair, second), max(pair, second)))
                if COMPLETING[i] >= 0:
                    decided = self.chance[:, :, :, second - 5].any(axis=(0, 1, 2))
                    for action in np.flatnonzero(decided):
                        self.parts.append((int(problem.suited.hand[i]), int(action)))
                        self.second.append(second)
        none = np.empty((0, 0, 0))
        self.ends, self.completed = self._run(none, none)

    def _run(self, weight: Floats, reached: Floats) -> tuple[Floats, Floats]:
        problem = self.problem
        return kernel.split_hands(
            hands(),
            problem.trie,
            problem.table,
            problem.suited,
            problem.ending_21,
            problem.shoe_array,
            self.policy.aces_play if self.pair == 0 else self.policy.split_play,
            self.policy.after,
            self.pair,
            self.coefficients.other.shape[-1],
            np.array([hand for hand, _ in self.parts], dtype=np.int32),
            np.array([action for _, action in self.parts], dtype=np.int8),
            np.array([self._kinds(part).any(axis=(0, 1, 2)) for part in range(len(self.parts))]),
            np.flatnonzero(hands().counts[:, self.pair]),
            weight,
            reached,
        )

    def _kinds(self, part: int) -> Floats:
        again = part == 1 or self.second[part] == self.pair
        return self.coefficients.again if again else self.coefficients.other

    @cached_property
    def part_weights(self) -> Floats:
        """(upcard, suits, hands in the end, part, gone): a split round as a sum over the parts of one hand."""
        c = self.coefficients
        weights = np.empty((10, self.by_suits, c.other.shape[1], len(self.parts), c.other.shape[-1]))
        weights[:, :, :, 0] = c.other[:, :, self.kinds].sum(axis=2)[:, None]
        weights[:, :, :, 1] = c.again[:, :, self.kinds].sum(axis=2)[:, None]
        for part in range(2, len(self.parts)):
            second, action = self.second[part], self.parts[part][1]
            weights[:, :, :, part] = np.einsum(
                "usk,umkg->usmg", self.chance[:, :, :, second - 5, action], self._kinds(part)
            )
        return weights

    @cached_property
    def bonus_weights(self) -> Floats:
        """(upcard, suits, hands in the end, bonus, part, gone): the same for completed 6-7-8s and 7-7-7s."""
        c = self.coefficients
        weights = np.zeros((10, self.by_suits, c.other.shape[1], 6, len(self.parts), c.other.shape[-1]))
        for part in range(2, len(self.parts)):
            second, action = self.second[part], self.parts[part][1]
            if action != HIT:
                continue
            first = 3 if second == self.pair == 6 else 0
            weights[:, :, :, first : first + 3, part] = np.einsum(
                "uskb,umkg->usmbg", self.bonus[:, :, :, second - 5], self._kinds(part)
            )
        return weights

    @cached_property
    def value(self) -> Floats:
        """(upcard, suits) EV of splitting × P(no dealer blackjack); either card of the pair may be played first."""
        pays = self.problem.split_ending_pays
        bonuses = pays[SIX_SEVEN_EIGHT : SIX_SEVEN_EIGHT + 6]
        plain: Floats = np.einsum("usmpg,ugp->us", self.part_weights, self.ends @ pays)
        bonus: Floats = np.einsum("usmbpg,ugp,b->us", self.bonus_weights, self.completed, bonuses)
        value = plain + bonus
        if self.free is not None:
            value += self.free.value
        if self.by_suits == SUITS:
            first_second = value.reshape(10, 4, 4, 4)
            value = (first_second + first_second.swapaxes(1, 2)).reshape(10, SUITS) / 2
        return value

    def endings(self, weight: Floats) -> tuple[Floats, Floats]:
        """Endings of the hands of split rounds of `weight` (upcard, suits), and the chances of their numbers of hands.

        Returns (upcard, hands in the end, endings) and (upcard, hands in the end), both × no dealer blackjack.
        """
        ends = np.einsum("us,usmpg,ugpe->ume", weight, self.part_weights, self.ends)
        bonuses = np.einsum("us,usmbpg,ugp->umb", weight, self.bonus_weights, self.completed)
        ends[:, :, SIX_SEVEN_EIGHT : SIX_SEVEN_EIGHT + 6] += bonuses
        # P(second card, no dealer blackjack) is what the endings of a hand sum to; one way is as good as another.
        mass = self.ends.sum(axis=3)
        other = mass[:, :, 0].copy()
        again = mass[:, :, 1].copy()
        for second in {second for second in self.second if second >= 0}:
            part = self.second.index(second)
            (again if second == self.pair else other)[:] += mass[:, :, part] + self.completed[:, :, part]
        c = self.coefficients
        numbers = np.einsum("umg,ug->um", c.other_ways, other) + np.einsum("umg,ug->um", c.again_ways, again)
        return ends, weight.sum(axis=1)[:, None] * numbers

    def add_two_cards(self, weight: Floats, reached: Floats) -> None:
        """Add how often hands of split rounds of `weight` (upcard, suits) face a decision on their second card."""
        table = self.problem.table
        if self.pair == 0 and not (table.split_aces_draw or table.double_split_aces):
            return
        by_part = np.einsum("us,usmpg->ugp", weight, self.part_weights)
        second = np.arange(10)
        rows = hands().child[hands().child[0, self.pair]]
        for upcard, gone in np.argwhere(by_part.any(axis=2)):
            left = self.problem.shoe_array - table.taken * (second == upcard)
            left = left - table.taken * (gone + 2) * (second == self.pair)  # its own card, and `gone` counts from 1
            part = np.where(second == self.pair, 1, 0)
            chance = np.maximum(left, 0) / max(left.sum(), 1)
            reached[upcard, 0, rows] += by_part[upcard, gone, part] * chance

    def add_reached(self, weight: Floats, reached: Floats) -> None:
        """Add how often hands of split rounds of `weight` (upcard, suits) face a decision after their third card."""
        by_part = np.einsum("us,usmpg->ugp", weight, self.part_weights)
        self._run(np.ascontiguousarray(by_part), reached)


# ---------------------------------------------------------------------------------------------------------------------
# Decisions and rounds


@dataclass(frozen=True)
class Solution:
    """The best play of a problem: the value of every action and the policy that takes the best."""

    problem: Problem
    values: Values
    policy: Policy
    splits: Mapping[int, SplitPair]
    free: "Solution | None" = None
    """The best play of split hands that carry free bets."""

    def first_values(self, upcard: int, row: int, suits: int = 0) -> dict[int, float]:
        """EV × P(no dealer blackjack) of each first action on a two-card hand, in the order that breaks ties."""
        problem, values, lattice = self.problem, self.values, hands()
        i = int(problem.suited.place[row])
        actions = {STAND: values.stand[upcard, row]}
        if lattice.total[row] < 21:
            hit = values.hit[upcard, row]
            if i >= 0 and COMPLETING[i] >= 0:
                hit = values.suited_hit[upcard, i, suits]
                if problem.super_bonus:
                    hit += problem.super_bonus * self._super_chance(upcard, row, i, suits)
            actions[HIT] = hit
            if problem.table.surrender:
                actions[SURRENDER] = values.surrender[upcard, row]
        if problem.may_double[row]:
            actions[DOUBLE] = values.double[upcard, row]
        pair = _pair_of(row)
        if pair >= 0 and problem.most_hands(pair) > 1:
            actions[SPLIT] = self.splits[pair].value[upcard, suits if i >= 0 else 0]
        return {action: float(value) for action, value in actions.items()}

    def _super_chance(self, upcard: int, row: int, i: int, suits: int) -> float:
        shoe = self.problem.shoe_array
        sevens = shoe[6] - hands().counts[row, 6] - (upcard == 6)
        return float(max(sevens, 0) / (shoe.sum() - 3) * self.problem.suited.super_bonus[i, suits, upcard])


@cache
def _pairs() -> Mapping[int, int]:
    return {pair_row(value): value for value in range(10)}


def _pair_of(row: int) -> int:
    return _pairs().get(int(row), -1)


def solve(problem: Problem) -> Solution:
    """Find the best decision for every hand, upcard and suits; see `Solution`."""
    lattice, suited = hands(), problem.suited
    policy = always_stand()
    values = _decide(problem, problem.may_hit, problem.may_double, policy.play, policy.suited_play, policy.after)
    follow_split_rules(problem, policy)
    free = _solve_free_hands(problem) if problem.splits_free else None
    splits = split_pairs(problem, policy, free.policy if free else None)
    solution = Solution(problem, values, policy, splits, free)
    for upcard in range(10):
        for row in two_card_rows():
            if np.isnan(values.peek[upcard, row]):
                continue
            i = suited.place[row]
            if lattice.total[row] == 21:
                policy.first[upcard, row] = policy.play[upcard, row]
            elif i < 0:
                policy.first[upcard, row] = _best(solution.first_values(upcard, row))
            else:
                for suits in np.flatnonzero(suited.weight[i, upcard]):
                    choice = _best(solution.first_values(upcard, row, int(suits)))
                    policy.suited_first[upcard, i, suits] = choice
    _fill_suits(problem, policy)
    return solution


def _fill_suits(problem: Problem, policy: Policy) -> None:
    """Where no pay depends on suits, decide by suits as without: a dealer looks them up all the same."""
    for i, row in enumerate(problem.suited.hand):
        if problem.suited.place[row] < 0:
            policy.suited_first[:, i] = policy.first[:, row, None]
            policy.suited_play[:, i] = policy.play[:, row, None]
            policy.split_suited_play[:, i] = policy.split_play[:, row, None]


def _solve_free_hands(problem: Problem) -> Solution:
    """Find the best play of split hands that carry free bets; they have no first decision."""
    free, policy = problem.free_hand, always_stand()
    values = _decide(free, free.may_hit, free.may_double, policy.play, policy.suited_play, policy.after)
    follow_split_rules(free, policy)
    _fill_suits(free, policy)
    return Solution(free, values, policy, {})


def follow_split_rules(problem: Problem, policy: Policy) -> None:
    """Fill the decisions of split hands: those of others, or where they may do less, the best of what they may do."""
    policy.split_play[:], policy.split_suited_play[:] = policy.play, policy.suited_play
    if (problem.split_may_double != problem.may_double).any():
        _decide(
            *(problem, problem.may_hit, problem.split_may_double),
            *(policy.split_play, policy.split_suited_play, policy.after.copy()),
        )
    policy.aces_play[:] = policy.split_play
    if (problem.aces_may_hit != problem.may_hit).any() or (problem.aces_may_double != problem.split_may_double).any():
        policy.aces_play[:] = aces_play(problem)


def aces_play(problem: Problem) -> NDArray[np.uint8]:
    """Return the best of what split aces may do, as Policy has it."""
    policy = always_stand()
    _decide(problem, problem.aces_may_hit, problem.aces_may_double, policy.play, policy.suited_play, policy.after)
    return policy.play


def _decide(
    problem: Problem,
    may_hit: NDArray[np.bool_],
    may_double: NDArray[np.bool_],
    play: NDArray[np.uint8],
    suited_play: NDArray[np.uint8],
    after: NDArray[np.uint8],
) -> Values:
    """Fill decisions, as in Policy, with the best of what hands may do."""
    lattice, pays = hands(), problem.ending_pays
    n = len(lattice.size)
    values = Values(
        peek=np.full((10, n), np.nan),
        stand=np.full((10, n), np.nan),
        hit=np.full((10, n), np.nan),
        double=np.full((10, n), np.nan),
        redouble=np.full((DOUBLES - 1, 10, n), np.nan),
        suited_hit=np.full((10, len(SUITED_HANDS), SUITS), np.nan),
        surrender=np.full((10, n), np.nan),
    )
    at_once = np.where(problem.ending_21 >= 0, pays[problem.ending_21], np.nan)
    at_once[(lattice.size == 2) & (lattice.total == 21)] = pays[BLACKJACK]
    kernel.decide(
        *(lattice, problem.table, problem.suited, problem.dealer, pays, at_once, may_hit, may_double),
        *(problem.shoe_array, values, play, suited_play, after),
    )
    return values


def _best(actions: Mapping[int, float]) -> int:
    best, value = STAND, actions[STAND]
    for action, other in actions.items():
        if other > value + TIE:
            best, value = action, other
    return best


def split_pairs(problem: Problem, policy: Policy, free_policy: Policy | None = None) -> dict[int, SplitPair]:
    """Price the split of every pair under a policy, and under another for hands that carry free bets."""
    if problem.max_hands < 2:
        return {}
    suits: dict[int, tuple[Floats, Floats]] = {}
    if (problem.suited.place >= 0).any():
        chance = np.zeros((3, 10, SUITS, 3, 3, 3))
        bonus = np.zeros((3, 10, SUITS, 3, 3, 3))
        split_suits(problem.decks, policy, chance, bonus)
        suits = {5 + i: (chance[i], bonus[i]) for i in range(3)}
    splits = {}
    for pair in range(10):
        if pair in problem.free_pairs and problem.most_hands(pair) > 1:
            assert free_policy is not None, "free hands are played by a policy of their own"
            free = SplitPair(problem.free_hand, free_policy, pair, kinds=(1, 2))
            splits[pair] = SplitPair(problem, policy, pair, kinds=(0,), free=free)
        elif problem.most_hands(pair) > 1:
            splits[pair] = SplitPair(problem, policy, pair, suits.get(pair))
    return splits


@dataclass(frozen=True)
class Round:
    """What becomes of a round played by a policy, by upcard; every weight is a probability over all rounds."""

    problem: Problem
    ends: Floats
    """(10, endings) unsplit rounds."""
    split_ends: Floats
    """(10, hands in the end - 2, endings) expected hands of split rounds by their ending."""
    free_ends: Floats
    """(10, hands in the end - 2, endings) the same for hands of split rounds that carry free bets."""
    split_rounds: Floats
    """(10, hands in the end - 2) split rounds that meet no dealer blackjack, where the dealer peeks."""
    super_bonus: float
    """P(Super Bonus)."""
    reached: Floats
    """(10, 4, n) how often a hand of three cards or more is played on in unsplit rounds, by upcard and doubles made."""
    split_weight: Floats
    """(10, 10, 64) rounds that split before the peek, by upcard, pair and suits."""

    @property
    def split_returns(self) -> Floats:
        """(10, hands in the end - 2) the part of the EV that split rounds bring."""
        problem = self.problem
        returns: Floats = self.split_ends @ problem.split_ending_pays + self.free_ends @ problem.free_hand.ending_pays
        return returns

    @property
    def ev(self) -> float:
        """Expected net result in initial wagers."""
        problem = self.problem
        unsplit = float((self.ends @ problem.ending_pays).sum())
        return unsplit + float(self.split_returns.sum()) + self.super_bonus * problem.super_bonus

    @property
    def average_wager(self) -> float:
        """Expected money wagered in initial wagers, before any rescue takes some of it back."""
        problem, free = self.problem, self.free_ends @ self.problem.free_hand.wagers
        return float((self.ends @ problem.wagers).sum() + (self.split_ends @ problem.wagers).sum() + free.sum())


def play(
    problem: Problem,
    policy: Policy,
    splits: Mapping[int, SplitPair] | None = None,
    free_policy: Policy | None = None,
    dealt: NDArray[np.bool_] | None = None,
) -> Round:
    """Follow a policy through every round, exactly; `splits` are those of the policy where they are known.

    free_policy : how split hands that carry free bets are played
    dealt       : (n,) the two-card hands whose rounds to follow, in place of all; every weight stays what it is
    """
    ends, weight, super_bonus, reached = kernel.unsplit_rounds(
        hands(),
        problem.table,
        problem.suited,
        problem.dealer,
        problem.ending_21,
        problem.shoe_array,
        policy,
        hands().size == 2 if dealt is None else dealt,
    )
    split_ends = np.zeros((10, max(problem.max_hands - 1, 0), len(ENDINGS)))
    free_ends = np.zeros_like(split_ends)
    split_rounds = np.zeros(split_ends.shape[:2])
    if weight.any():
        for pair, split in (splits or split_pairs(problem, policy, free_policy)).items():
            of_pair = weight[:, pair, : split.by_suits]
            ends_of_pair, rounds = split.endings(of_pair)
            split_ends[:, : rounds.shape[1]] += ends_of_pair
            split_rounds[:, : rounds.shape[1]] += rounds
            if split.free is not None:
                free_ends[:, : rounds.shape[1]] += split.free.endings(of_pair)[0]
    return Round(problem, ends, split_ends, free_ends, split_rounds, float(super_bonus.sum()), reached, weight)
