"""Ultimate Texas Hold'em when a card is seen that should not be: one of the dealer's, one of the flop, or both.

A dealer who shows a card is worth more to a player than any pay table takes. Everything is exact as without: the known
card of the dealer's is of suit 0, thirteen cases of four cards each, and the other suits may be renamed.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import POKER_RANKS
from casinomath.kernels import known
from casinomath.kernels.boards import OPPONENTS, boards, showdowns
from casinomath.kernels.ultimate import HOLES, hole_index, solve_flops
from casinomath.kernels.ultimate_rounds import Play as Decided
from casinomath.kernels.ultimate_rounds import flop_classes
from casinomath.ultimate import STAGES, Rounds, Spot, Stakes, count_ends, priced_boards, room

CommunityCard = Literal["none", "flop"]


class Seen(NamedTuple):
    """Cards that are known before the first decision."""

    dealer: bool
    """One of the dealer's two."""
    community: CommunityCard
    """One of the three of the flop."""


@dataclass(frozen=True)
class Case:
    """The best play when the dealer's known card is this one, or when none is known."""

    stakes: Stakes
    dealer: int
    """A card of suit 0, or -1."""
    spot: Spot
    totals: NDArray[np.int64]
    """(groups, 3) as in `Solution`, by what is known before the flop."""
    deals: NDArray[np.int64]
    """(groups,)"""
    rounds: Rounds

    @property
    def cards(self) -> int:
        """Cards of the dealer's that the case stands for."""
        return 1 if self.dealer < 0 else 4

    def evs(self, group: int, raises: tuple[int, ...]) -> dict[str, Fraction]:
        """Return what raises of so many antes and a check are worth before the flop."""
        deals = self.stakes.unit * int(self.deals[group])
        margin, rest, check = (int(total) for total in self.totals[group])
        worth = {f"raise_{antes}x": Fraction(antes * self.stakes.unit * margin + rest, deals) for antes in raises}
        return worth | {"check": Fraction(check, deals)}

    def holdings(self) -> Iterator["Holding"]:
        """Yield the hands that no renaming of suits makes alike, aces first, where no card of the flop is known."""
        (groups,) = self.spot.groups
        numbers = np.bincount(groups[groups >= 0])
        found: dict[int, Holding] = {}
        for a in range(51, 0, -1):
            for b in range(a - 1, -1, -1):
                group = int(groups[hole_index(a, b)])
                if group >= 0:  # the last one found has the suits nearest to that of the known card
                    found[group] = Holding(group, (a, b), int(numbers[group]))
        yield from sorted(found.values(), key=lambda held: held.cards, reverse=True)


class Holding(NamedTuple):
    """Two cards of the player's, one of a class."""

    group: int
    cards: tuple[int, int]
    number: int
    """Pairs of cards in the class."""

    @property
    def suits(self) -> str:
        """Which of them have the suit of the dealer's known card."""
        return {
            (False, False): "neither as the dealer's card",
            (True, False): f"{POKER_RANKS[self.cards[0] // 4]} as the dealer's card",
            (False, True): f"{POKER_RANKS[self.cards[1] // 4]} as the dealer's card",
            (True, True): "both as the dealer's card",
        }[self.cards[0] % 4 == 0, self.cards[1] % 4 == 0]


def solve(stakes: Stakes, seen: Seen) -> tuple[Case, ...]:
    """Return the best play for every card of the dealer's that may be known, or the one case that none is."""
    return tuple(case(stakes, dealer, seen.community) for dealer in (range(0, 52, 4) if seen.dealer else (-1,)))


@lru_cache(maxsize=14)
def case(stakes: Stakes, dealer: int, community: CommunityCard) -> Case:
    """Return the best play when the dealer's known card is this one, of suit 0, or when none is known (-1)."""
    met = showdowns() if dealer < 0 else known.known_showdowns(dealer // 4)
    opponents = OPPONENTS if dealer < 0 else known.OPPONENTS
    flops, weights = _flops(dealer)
    groups = _groups(dealer, community)
    found = [priced_boards(boards_met, stakes, opponents) for boards_met in met]
    priced, rivers = [each for each, _ in found], [plays for _, plays in found]
    decisions = np.zeros((len(flops), HOLES), dtype=np.uint8)
    totals = np.zeros((int(groups.max()) + 1, 3), dtype=np.int64)
    solve_flops(
        flops,
        weights,
        dealer,
        boards(),
        priced[0],
        priced[1],
        priced[-1],
        stakes.unit,
        -2 * stakes.unit * opponents,
        stakes.unit * stakes.flop,
        decisions,
        groups,
        totals,
        room(stakes, opponents),
    )
    del found, priced
    raised = stakes.preflop * stakes.unit * totals[:, 0] + totals[:, 1] > totals[:, 2]
    spot = Spot(flops, weights, dealer, groups, raised, decisions)
    left = 50 if dealer < 0 else 49
    deals = np.bincount(groups[groups >= 0], minlength=len(totals)).astype(np.int64)
    deals *= (comb(left, 3) if community == "none" else comb(left - 1, 2)) * comb(left - 3, 2) * opponents
    return Case(stakes, dealer, spot, totals, deals, count_ends(spot, met, rivers, opponents))


def together(cases: tuple[Case, ...]) -> Rounds:
    """Return how rounds end over all cases."""
    played = {stage: np.sum([case.cards * case.rounds.played[stage] for case in cases], axis=0) for stage in STAGES}
    return Rounds(played, sum(case.cards * case.rounds.folded for case in cases))


def evs(
    stakes: Stakes, hand: tuple[int, int], dealer: int, board: tuple[int, ...], raises: tuple[int, ...]
) -> dict[str, Fraction]:
    """Return what raises of so many antes and a check are worth before the flop.

    dealer : a known card of the dealer's, or -1
    board  : nothing, or a known card of the flop
    """
    suit = dealer % 4 if dealer >= 0 else 0
    swap = {suit: 0, 0: suit}
    one, other, *flop = (card // 4 * 4 + swap.get(card % 4, card % 4) for card in (*hand, *board))
    found = case(stakes, dealer // 4 * 4 if dealer >= 0 else -1, "flop" if flop else "none")
    return found.evs(int(found.spot.groups[flop[0] if flop else 0, hole_index(one, other)]), raises)


# --- Renaming suits -----------------------------------------------------------------------------------------


def _renamings(dealer: int) -> Iterator[NDArray[np.int64]]:
    """The cards (52,) by every renaming of suits that leaves a known card of suit 0 alone."""
    for suits in permutations(range(4)):
        if dealer < 0 or suits[0] == 0:
            yield np.arange(52) // 4 * 4 + np.array(suits)[np.arange(52) % 4]


@lru_cache(maxsize=1)
def _flops(dealer: int) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Flops without the known card, one of each class, and how many each stands for."""
    flops = np.array([cards for cards in combinations(range(52), 3) if dealer not in cards])
    codes = np.full(len(flops), 52**3)
    for renamed in _renamings(dealer):
        codes = np.minimum(codes, np.sort(renamed[flops], axis=1) @ (52**2, 52, 1))
    classes, weights = np.unique(codes, return_counts=True)
    cards = np.stack([classes // 52**2, classes // 52 % 52, classes % 52], axis=1)
    return cards.astype(np.uint8), weights.astype(np.int64)


_ANY: Final = 52
"""In the place of a card of the flop where none is known."""


def _groups(dealer: int, community: CommunityCard) -> NDArray[np.int32]:
    """A number for what is known before the flop, by a known card of it and the hole cards; -1 for what can't be."""
    holes = np.zeros((HOLES, 2), dtype=np.int64)
    for a in range(52):
        for b in range(a):
            holes[hole_index(a, b)] = a, b
    flop = np.arange(52) if community == "flop" else np.array([_ANY])
    codes = np.full((len(flop), HOLES), 53 * 52**2)
    for cards in _renamings(dealer):
        renamed = np.append(cards, _ANY)
        high, low = np.maximum(*cards[holes].T), np.minimum(*cards[holes].T)
        codes = np.minimum(codes, renamed[flop][:, None] * 52**2 + high * 52 + low)
    gone = (holes == dealer).any(axis=1)[None, :] | (flop == dealer)[:, None]
    gone = gone | (holes[None, :, :] == flop[:, None, None]).any(axis=2)
    numbers = np.full(codes.shape, -1, dtype=np.int32)
    numbers[~gone] = np.unique(codes[~gone], return_inverse=True)[1]
    return numbers


# --- Simulation ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def decided(stakes: Stakes, seen: Seen) -> Decided:
    """Return the decisions before and on the flop as simulated rounds take them."""
    cases = solve(stakes, seen)
    laid = [flop_classes(case.spot.flops, seen.dealer) for case in cases]
    none = np.zeros((1, 1), dtype=np.uint8)
    return Decided(
        seen.dealer,
        np.stack([case.spot.raised[case.spot.groups] & (case.spot.groups >= 0) for case in cases]),
        np.stack([case.spot.decisions for case in cases]),
        np.stack([flop_class for flop_class, _ in laid]),
        np.stack([renamed for _, renamed in laid]),
        False,
        none,
        none,
    )
