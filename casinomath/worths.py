"""Every decision of a strategy priced at once: what the round is worth, and what it would be, were one taken otherwise.

Method: a forward pass gives how often the strategy itself meets each hand, split hands included; a backward pass what
each action is worth when the strategy goes on, in the shoe as it is there. The EV of a round is linear in every single
decision, since no hand meets the same decision twice, so the difference of two worths is exactly what one change does.

Strategies here see the suits of two cards as charts do: mixed, of one suit, spades (see `suits_class`).
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from casinomath.kernels import worths as kernel
from casinomath.kernels.actions import (
    DEALER_BLACKJACK,
    DOUBLE,
    DOUBLED,
    DOUBLES,
    HIT,
    PER_STAGE,
    SIX_SEVEN_EIGHT,
    SPLIT,
    STAND,
    SURRENDER,
    SURRENDERED,
    THREE_SEVENS,
    WIN,
    Policy,
)
from casinomath.kernels.dealer import BUST, dealer_totals
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import COMPLETING, SUITED_HANDS, SUITS, split_suits
from casinomath.kernels.twentyone import completing_card, no_blackjack, unsplit_rounds
from casinomath.kernels.worths import CERTAIN, CLASSES, Pays, Worths
from casinomath.twentyone import Problem, always_stand, coefficients, pair_row, two_card_rows

Floats = NDArray[np.float64]

MIXED, SUITED, SPADES = range(CLASSES)
FIRST_ACTIONS = 6
"""Stand, hit, double, split, surrender; in the last place, CERTAIN_FIRST, one sure initial wager."""
CERTAIN_FIRST = 5


def suits_class() -> NDArray[np.intp]:
    """(64,) the class of each of the suits of two cards and an upcard."""
    suits = np.arange(SUITS)
    first, second = suits // 16, suits // 4 % 4
    return np.where(first != second, MIXED, np.where(first == 0, SPADES, SUITED))


@dataclass(frozen=True)
class Priced:
    """A strategy's rounds by upcard, and the worth of every action on every hand; −inf for first ones not allowed."""

    ev: Floats
    """(10,) the part of the EV that rounds with each upcard bring."""
    first: Floats
    """(10, n, 6) first decisions on two cards whose suits don't matter."""
    suited_first: Floats
    """(10, 6, 64, 6) first decisions on SUITED_HANDS by suits."""
    play: Floats
    """(3, 10, n, 4) see `kernels.worths.Worths`."""
    after: Floats
    """(3, 10, n, 4)"""
    suited_play: Floats
    """(10, 6, 3, 4)"""


class Pricing:
    """A problem with all that does not depend on the strategy, worked out once (some 0.1 s)."""

    def __init__(self, problem: Problem) -> None:
        """Price standing against the dealer for every hand, in split rounds too."""
        assert priceable(problem), "hands that carry free bets are not priced here"
        self.problem = problem
        self.against = _against(problem.dealer, hands().total[:, None])
        """(10, n) P(the dealer makes less), P(he makes more): he has no blackjack"""
        self.pairs = tuple(pair for pair in range(10) if problem.most_hands(pair) > 1)
        self.rows = [np.flatnonzero(hands().counts[:, pair]) for pair in range(10)]
        self.kinds = {
            pair: coefficients(problem.shoe_array, pair, problem.most_hands(pair), problem.table.taken)
            for pair in self.pairs
        }
        self.split_against = {pair: self._split_against(pair) for pair in self.pairs}
        """(10, gone, rows) by pair, as `against`"""
        self.suits = bool((problem.suited.place >= 0).any())

    def _split_against(self, pair: int) -> tuple[Floats, Floats]:
        problem, lattice, rows = self.problem, hands(), self.rows[pair]
        most_gone = self.kinds[pair].other.shape[-1]
        others, copies = lattice.strip[pair, rows], lattice.counts[rows, pair].astype(np.int64)
        width = 22 + most_gone
        keys = others[:, None] * width + copies[:, None] + np.arange(1, most_gone + 1)
        shoes, slots = np.unique(keys, return_inverse=True)
        removed = lattice.counts[shoes // width].copy()
        removed[:, pair] = shoes % width
        dealer = dealer_totals(problem.trie, problem.shoe_array, removed, problem.table.taken)
        return _against(dealer[slots.reshape(keys.shape)], lattice.total[rows][:, None, None])

    @cached_property
    def _pays(self) -> tuple[Pays, Pays]:
        """What hands are settled for, in rounds that are not split and in split ones."""
        problem = self.problem
        both = []
        for pays in (problem.ending_pays, problem.split_ending_pays):
            first = np.array([WIN, *(DOUBLED + PER_STAGE * k + 1 for k in range(DOUBLES))])
            both.append(
                Pays(
                    at_once=np.where(problem.ending_21 >= 0, pays[problem.ending_21], np.nan),
                    won=pays[first],
                    lost=pays[first + 2],
                    busted=pays[first + 3],
                    to_blackjack=pays[DEALER_BLACKJACK : DEALER_BLACKJACK + DOUBLES + 1].copy(),
                    rescued=np.array([0.0, *(pays[DOUBLED + PER_STAGE * k - 1] for k in range(1, DOUBLES + 1))]),
                    bonus=pays[SIX_SEVEN_EIGHT : SIX_SEVEN_EIGHT + 6].copy(),
                )
            )
        return both[0], both[1]

    @cached_property
    def _classes(self) -> tuple[list[Floats], list[Floats]]:
        """`split_suits` of the hands of each class of suits: the chance of the class, and of its bonuses when hit."""
        chances, bonuses = [], []
        for each in range(CLASSES):
            policy = always_stand()
            policy.split_suited_play[:, :, suits_class() == each] = HIT
            chance, bonus = np.zeros((2, 3, 10, SUITS, 3, 3, 3))
            split_suits(self.problem.decks, policy, chance, bonus)
            chances.append(chance[..., HIT])
            bonuses.append(bonus)
        return chances, bonuses

    @cached_property
    def _by_suits(self) -> dict[int, tuple[Floats, Floats]]:
        """By pair: weights of suited second cards (10, 64, second, class, gone), of bonuses (…, class, kind, gone)."""
        if not self.suits:
            return {}
        result = {}
        chances, bonuses = self._classes
        for pair in {5, 6, 7} & set(self.pairs):
            kinds = self.kinds[pair]
            most_gone = kinds.other.shape[-1]
            weight = np.zeros((10, SUITS, 3, CLASSES, most_gone))
            bonus = np.zeros((10, SUITS, 3, CLASSES, 3, most_gone))
            for second in (5, 6, 7):
                place = SUITED_HANDS.index((min(pair, second), max(pair, second)))
                if COMPLETING[place] < 0:
                    continue
                of_kind = (kinds.again if second == pair else kinds.other).sum(axis=1)
                for each in range(CLASSES):
                    chance = chances[each][pair - 5, :, :, :, second - 5]
                    weight[:, :, second - 5, each] = np.einsum("usk,ukg->usg", chance, of_kind)
                    kind = bonuses[each][pair - 5, :, :, :, second - 5]
                    bonus[:, :, second - 5, each] = np.einsum("uskb,ukg->usbg", kind, of_kind)
            result[pair] = (weight, bonus)
        return result

    def priced(self, policy: Policy) -> Priced:
        """Price a strategy: each decision as often as the strategy meets it."""
        problem = self.problem
        ends, split_weight, super_bonus, met = self._rounds(policy)
        play, after = self._values(policy)
        worths = self._weighed(met, play, after)
        ev = ends @ problem.ending_pays + super_bonus * problem.super_bonus
        split = np.full((10, 10, SUITS), -np.inf)
        for pair in self.pairs:
            weight = split_weight[:, pair]
            split[:, pair] = self._split(pair, policy, weight, worths)
            ev += np.einsum("us,us->u", weight, split[:, pair])
        first, suited_first = self._first(play, split)
        return Priced(ev, first, suited_first, *worths)

    def explored(self, policy: Policy) -> Worths:
        """Return worths as they were if every hand was hit, and every doubled hand doubled again, before the decision.

        They settle what a strategy never comes to decide, which its own worths leave open.
        """
        play, after = self._values(policy)
        always = [Policy(*(np.full_like(array, action) for array in policy)) for action in (HIT, DOUBLE)]
        always[1].after[max(self.problem.table.max_doubles - 1, 0) :] = STAND
        (_, _, _, hit), (_, _, _, doubled) = (self._rounds(each) for each in always)
        met = np.concatenate((hit[:, :1], doubled[:, 1:]), axis=1)
        return self._weighed(met, play, after)

    def _rounds(self, policy: Policy) -> tuple[Floats, Floats, Floats, Floats]:
        problem = self.problem
        return unsplit_rounds(
            *(hands(), problem.table, problem.suited, problem.dealer),
            *(problem.ending_21, problem.shoe_array, policy, hands().size == 2),
        )

    def _values(self, policy: Policy) -> tuple[Floats, Floats]:
        problem, n = self.problem, len(hands().size)
        play, after = np.zeros((10, n, 4)), np.zeros((10, DOUBLES, n, 4))
        shoe, pays = problem.shoe_array, self._pays[0]
        wins, losses = self.against
        kernel.unsplit_values(hands(), problem.table, problem.suited, shoe, wins, losses, pays, policy, play, after)
        return play, after

    def _weighed(self, met: Floats, play: Floats, after: Floats) -> Worths:
        return Worths(
            play=np.stack([met[:, 0, :, None] * play, np.zeros_like(play), np.zeros_like(play)]),
            after=np.ascontiguousarray((met[:, 1:, :, None] * after).transpose(1, 0, 2, 3)),
            suited_play=np.zeros((10, len(SUITED_HANDS), CLASSES, 4)),
        )

    def _split(self, pair: int, policy: Policy, weight: Floats, worths: Worths) -> Floats:
        """(10, 64) the value of a split by suits; its decisions, met with `weight` (10, 64), are added to `worths`."""
        kinds, problem, pays = self.kinds[pair], self.problem, self._pays[1]
        most_gone = kinds.other.shape[-1]
        other, again = (kind.sum(axis=(1, 2)) for kind in (kinds.other, kinds.again))
        of_suits = self._by_suits.get(pair)
        whole = weight.sum(axis=1)[:, None]
        weights = kernel.Weights(
            other=whole * other,
            again=whole * again,
            suits=np.zeros((10, 3, CLASSES, most_gone)),
            bonus=np.zeros((10, 3, CLASSES, 3, most_gone)),
        )
        if of_suits is not None:
            weights.suits[:] = np.einsum("us,usjcg->ujcg", weight, of_suits[0])
            weights.bonus[:] = np.einsum("us,usjcbg->ujcbg", weight, of_suits[1])
        by_class = policy.split_suited_play[:, :, _EXAMPLES]
        parts = kernel.Parts(
            other=np.zeros((10, most_gone)),
            again=np.zeros((10, most_gone)),
            suits=np.zeros((10, 3, most_gone, 4)),
            completed=np.zeros((10, 3, most_gone)),
        )
        kernel.split_values(
            hands(),
            problem.table,
            problem.suited,
            problem.shoe_array,
            pair,
            self.rows[pair],
            *self.split_against[pair],
            pays,
            policy.aces_play if pair == 0 else policy.split_play,
            policy.after,
            by_class,
            weights,
            worths,
            parts,
        )
        value: Floats = np.zeros((10, SUITS))
        value += (other * parts.other + again * parts.again).sum(axis=1)[:, None]
        if of_suits is not None:
            for second in (5, 6, 7):
                place = SUITED_HANDS.index((min(pair, second), max(pair, second)))
                first = 3 if second == pair == 6 else 0
                bonus = pays.bonus[first : first + 3]
                j = second - 5
                for each in range(CLASSES):
                    action = by_class[:, place, each]
                    brings = np.take_along_axis(parts.suits[:, j], action[:, None, None].astype(np.intp), axis=2)
                    value += np.einsum("usg,ug->us", of_suits[0][:, :, j, each], brings[:, :, 0])
                    hit = np.where(action == HIT, 1.0, 0.0)[:, None] * parts.completed[:, j]
                    value += np.einsum("usbg,ug,b->us", of_suits[1][:, :, j, each], hit, bonus)
        return value

    def _first(self, play: Floats, split: Floats) -> tuple[Floats, Floats]:
        """The worths of first decisions, from the values of `play` (10, n, 4) and of splits (10, 10, 64)."""
        problem, lattice = self.problem, hands()
        shoe, suited, taken = problem.shoe_array, problem.suited, problem.table.taken
        first = np.full((10, len(lattice.size), FIRST_ACTIONS), -np.inf)
        suited_first = np.full((10, len(SUITED_HANDS), SUITS, FIRST_ACTIONS), -np.inf)
        pairs = {pair_row(value): value for value in self.pairs}
        unseen = float(shoe.sum() - 3 * taken)
        to_blackjack = problem.ending_pays[DEALER_BLACKJACK]
        for u in range(10):
            b = completing_card(u)
            for row in two_card_rows():
                counts, i = lattice.counts[row], int(suited.place[row])
                weight = problem.dealt[u, row]
                left = float(shoe[b] - taken * (counts[b] + (b == u))) if b >= 0 else 0.0
                values = np.full((SUITS if i >= 0 else 1, FIRST_ACTIONS), -np.inf)
                values[:, STAND], values[:, CERTAIN_FIRST] = play[u, row, STAND], play[u, row, CERTAIN]
                if problem.may_hit[row]:
                    values[:, HIT] = play[u, row, HIT]
                if problem.may_double[row]:
                    values[:, DOUBLE] = play[u, row, DOUBLE]
                if problem.table.surrender and lattice.total[row] < 21:
                    none = no_blackjack(left, unseen, u)
                    values[:, SURRENDER] = problem.ending_pays[SURRENDERED] * none
                    values[:, SURRENDER] += to_blackjack * (play[u, row, CERTAIN] - none)
                pair = pairs.get(int(row), -1)
                if pair >= 0:
                    values[:, SPLIT] = split[u, pair, : len(values)]
                if i < 0:
                    first[u, row] = _times(np.array(weight), values[0])
                    continue
                z = COMPLETING[i]
                if z >= 0:
                    left_z = float(max(shoe[z] - taken * (counts[z] + (z == u)), 0))
                    completing = left_z / unseen * no_blackjack(left - taken * (z == b), unseen - taken, u)
                    kinds = problem.ending_pays[(THREE_SEVENS if i == 3 else SIX_SEVEN_EIGHT) + np.arange(3)]
                    bonus = suited.complete[i, :, u] @ kinds + problem.super_bonus * suited.super_bonus[i, :, u]
                    values[:, HIT] += completing * bonus
                suited_first[u, i] = _times((weight * suited.weight[i, u])[:, None], values)
        return first, suited_first


_EXAMPLES = np.array([1 << 2, (1 << 4) + (1 << 2), 0])
"""Suits of each class: spade and heart, two hearts, two spades."""


def _times(weight: Floats, values: Floats) -> Floats:
    """Worths; what is not allowed stays so, however seldom it is met."""
    return np.where(np.isinf(values), -np.inf, weight * np.where(np.isinf(values), 0.0, values))


def _against(dealer: Floats, total: NDArray[np.int8]) -> tuple[Floats, Floats]:
    """P(the dealer makes less than `total`) and P(he makes more), from his totals (…, 10, 7), `total` being (…, 1).

    The upcard becomes the first axis, and the others are turned round.
    """
    made = np.arange(17, 22)
    less = dealer[..., BUST] + (dealer[..., :5] * (made < total[..., None])).sum(axis=-1)
    more = (dealer[..., :5] * (made > total[..., None])).sum(axis=-1)
    return np.ascontiguousarray(less.T), np.ascontiguousarray(more.T)


def priceable(problem: Problem) -> bool:
    """Whether a problem can be priced here: one in which no bet is free."""
    return not (problem.splits_free or problem.carries_free_bet or problem.table.free_double_up_to)
