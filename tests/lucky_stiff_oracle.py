"""An oracle for Lucky Stiff: whole rounds on tiny shoes, in fractions, card by card.

The main hand is played for what a player has on it: ``main`` on the hand and ``side`` on Lucky Stiff. Only hands that
the bet has to wait for are played at all: hard totals of 12 to 16 on two cards that are no pair, so nothing is split.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product

from free_bet_oracle import Hand, best, dealer_totals, hole_cards, total, without
from oracle import Counts, ShoeExhaustedError, draws

Outcome = tuple[str, int]
"""How the main hand ended (won, pushed, lost, surrendered) and how often it was doubled."""


@dataclass(frozen=True, eq=False)
class Game:
    """A blackjack table, its shoe, and what a player has on both bets; Lucky Stiff pays `pays` to 1."""

    counts: Counts
    main: Fraction
    side: Fraction
    pays: Fraction = Fraction(5)
    h17: bool = True
    surrender: bool = True

    def worth(self, outcome: Outcome) -> Fraction:
        ended, doubles = outcome
        if ended == "surrendered":
            return -self.main / 2 - self.side
        won = {"won": self.pays, "pushed": Fraction(0), "lost": Fraction(-1)}[ended]
        return self.main * 2**doubles * (won > 0) - self.main * 2**doubles * (won < 0) + self.side * won


def ended(hand: Hand, dealer: int) -> str:
    points, _ = total(hand)
    if points > 21:
        return "lost"
    if dealer == 0:
        raise ShoeExhaustedError
    return "won" if dealer > 21 or points > dealer else "pushed" if points == dealer else "lost"


@cache
def values(game: Game, hand: Hand, upcard: int) -> dict[str, Fraction]:
    """What each action is worth to the player, who knows his cards and the upcard; no blackjack."""
    out: dict[str, Fraction] = defaultdict(Fraction)
    out["stand"] += stood(game, hand, upcard, 0)
    if len(hand) == 2 and game.surrender:
        out["surrender"] = game.worth(("surrendered", 0))
    chances: dict[int, Fraction] = defaultdict(Fraction)
    if total(hand)[0] < 21:
        for _, p, left in hole_cards(without(game.counts, *hand, upcard), upcard):
            for value, q, _ in draws(left):
                chances[value] += p * q
    for value, p in chances.items():
        after = tuple(sorted((*hand, value)))
        bust = total(after)[0] > 21
        out["hit"] += p * (game.worth(("lost", 0)) if bust else max(values(game, after, upcard).values()))
        if len(hand) == 2:
            out["double"] += p * (game.worth(("lost", 1)) if bust else stood(game, after, upcard, 1))
    return dict(out)


def stood(game: Game, hand: Hand, upcard: int, doubles: int) -> Fraction:
    ev = Fraction(0)
    for hole, p, left in hole_cards(without(game.counts, *hand, upcard), upcard):
        for last, q in dealer_totals(game.h17, tuple(sorted((upcard, hole))), left).items():
            ev += p * q * game.worth((ended(hand, last), doubles))
    return ev


def played(game: Game, hand: Hand, upcard: int, hole: int, unseen: Counts, decider: Game) -> dict[str, Fraction]:
    """How the hand ends when it is played as in the other game, card by card."""
    out: dict[str, Fraction] = defaultdict(Fraction)
    action = "stand" if total(hand)[0] > 21 else best(values(decider, hand, upcard))
    if action == "surrender":
        return {"surrendered": Fraction(1)}
    if action == "stand":
        for last, q in dealer_totals(game.h17, tuple(sorted((upcard, hole))), unseen).items():
            out[ended(hand, last)] += q
        return out
    for value, p, left in draws(unseen):
        after = tuple(sorted((*hand, value)))
        if action == "hit":
            rest = played(game, after, upcard, hole, left, decider)
        else:
            rest = defaultdict(Fraction)
            for last, q in dealer_totals(game.h17, tuple(sorted((upcard, hole))), left).items():
                rest[ended(after, last)] += q
        for end, q in rest.items():
            out[end] += p * q
    return out


def events(game: Game) -> dict[str, Fraction]:
    """How often Lucky Stiff ends how."""
    out: dict[str, Fraction] = defaultdict(Fraction)
    for dealt in product(range(10), repeat=4):
        p, left = Fraction(1), game.counts
        for value in dealt:
            p *= Fraction(left[value], sum(left))
            if p == 0:
                break
            left = without(left, value)
        if p == 0:
            continue
        hand, upcard, hole = tuple(sorted(dealt[:2])), dealt[2], dealt[3]
        points, soft = total(hand)
        if points == 21:
            out["blackjack"] += p
        elif soft or not 12 <= points <= 16:
            out["not_stiff"] += p
        elif hand[0] == hand[1]:
            out["stiff_pair"] += p
        elif {upcard, hole} == {0, 9}:
            out["lost"] += p
        else:
            for end, q in played(game, hand, upcard, hole, left, game).items():
                out[end] += p * q
    return dict(out)
