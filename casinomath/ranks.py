"""Ranks and suits of a few cards that are drawn from a shoe: the law that bets on a player's first cards pay by.

Method: exact, in fractions. A shoe is known by rank or by value, never by suit (see `matches`): cards that are left of
a kind are any of the full decks' cards of that kind, all choices equally likely. Cards drawn from a kind are therefore
a random sample from the full decks.
"""

from fractions import Fraction
from itertools import combinations_with_replacement
from math import factorial, perm, prod
from typing import TypeAlias

from casinomath.matches import Shoe

Ranks: TypeAlias = tuple[int, ...]
"""Ranks of some cards, whatever their order, by their place in the pack: ascending."""


def chances_of_ranks(shoe: Shoe, cards: int) -> dict[Ranks, Fraction]:
    """Return the chance that so many cards, in any order, have these ranks; chances of 0 are left out."""
    kind_of = [place for place, kind in enumerate(shoe.kinds) for _ in range(kind.ranks)]
    fullness = 4 * shoe.decks
    found = {}
    for ranks in combinations_with_replacement(range(len(kind_of)), cards):
        of_rank = [ranks.count(rank) for rank in dict.fromkeys(ranks)]
        of_kind = {place: sum(kind_of[rank] == place for rank in ranks) for place in {kind_of[rank] for rank in ranks}}
        ways = factorial(cards) // prod(map(factorial, of_rank)) * prod(perm(fullness, number) for number in of_rank)
        ways *= prod(perm(shoe.kinds[place].left, number) for place, number in of_kind.items())
        if ways:
            whole = prod(perm(fullness * shoe.kinds[place].ranks, number) for place, number in of_kind.items())
            found[ranks] = Fraction(ways, whole * perm(shoe.cards, cards))
    return found


def chance_of_suit(decks: int, ranks: Ranks) -> Fraction:
    """Return the chance that cards of these ranks all have one certain suit; that of any suit is four times that."""
    numbers = [ranks.count(rank) for rank in dict.fromkeys(ranks)]
    # cards of different ranks have suits that are independent of one another
    return prod((Fraction(perm(decks, number), perm(4 * decks, number)) for number in numbers), start=Fraction(1))
