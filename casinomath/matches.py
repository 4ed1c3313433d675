"""Which of a player's two cards match which of the dealer's: the law that several side bets pay by.

A player's card matches a dealer's card that has its rank: suited when it has the suit too, unsuited otherwise. J, Q and
K are different ranks.

Method: exact, in fractions. A shoe is known by rank or by value, never by suit, so it is made of kinds of cards that
it does not tell apart: of one rank, or all ten-valued ones. Those that are left of a kind are any of the full decks'
cards of that kind, all choices equally likely: cards dealt from a kind are therefore a random sample from the full
decks, whatever has been dealt before. So counts of kinds say how likely it is that cards are of the same kind, and the
full decks how likely it is that they are then of the same rank and suit.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, perm
from typing import Final, NamedTuple, TypeAlias, TypeVar

from casinomath.cards import PACKS, VALUES, Pack, cards_left, ranks_of, shoe_parts
from casinomath.errors import RequestError

NONE, UNSUITED, SUITED = range(3)
"""How a player's card stands to a dealer's card."""

Relation: TypeAlias = tuple[int, ...]
"""How a player's card stands to each of the dealer's cards, the upcard first."""


class Matches(NamedTuple):
    """How many of a player's two cards match one card of the dealer."""

    suited: int
    unsuited: int


NO_MATCH: Final = Matches(0, 0)

EVENTS: Final[Mapping[Matches, str]] = {
    Matches(2, 0): "two_suited_matches",
    Matches(1, 1): "suited_and_unsuited_match",
    Matches(1, 0): "suited_match",
    Matches(0, 2): "two_unsuited_matches",
    Matches(0, 1): "unsuited_match",
    NO_MATCH: "no_match",
}
"""Names in pay tables and results, the best first."""


def event_of(matches: tuple[Matches, ...]) -> str:
    """Return the name of matches with the upcard alone, or with both of the dealer's cards: `suited_match_down`."""
    if len(matches) == 1:
        return EVENTS[matches[0]]
    named = [
        f"{EVENTS[with_one]}_{card}"
        for card, with_one in zip(("up", "down"), matches, strict=True)
        if with_one != NO_MATCH
    ]
    return "_".join(named) or EVENTS[NO_MATCH]


# --- The shoe -----------------------------------------------------------------------------------------------


class Kind(NamedTuple):
    """Cards that a shoe does not tell apart."""

    left: int
    """Cards of the kind that are left."""
    ranks: int
    """Ranks they may have: one, or those of all ten-valued cards."""


class Shoe(NamedTuple):
    """A shoe as far as it is known."""

    decks: int
    kinds: tuple[Kind, ...]

    @property
    def cards(self) -> int:
        """Cards left."""
        return sum(kind.left for kind in self.kinds)


def read_shoe(decks: int, pack: Pack, shoe: str | Iterable[int] | None = None) -> Shoe:
    """Return a fresh shoe, or a partly used one from its counts.

    shoe : counts left: ten by value, ace first, or one for each rank of the pack in the order A, 2, …, Q, K
    Raises RequestError for other counts, and for more cards than the decks hold.
    """
    ranks = ranks_of(pack)
    parts = None if shoe is None else shoe_parts(shoe)
    if parts is not None and len(parts) == len(VALUES):
        fresh = PACKS[pack]
        left = cards_left(parts, decks, fresh)
        return Shoe(decks, tuple(Kind(count, full // 4) for count, full in zip(left, fresh, strict=True)))
    if parts is not None and len(parts) != len(ranks):
        listed = f"ten counts ({', '.join(VALUES)}) or {len(ranks)} ({', '.join(ranks)})"
        raise RequestError(f"a shoe is {listed}, not {len(parts)}: {','.join(map(str, parts))}")
    return Shoe(decks, tuple(Kind(count, 1) for count in cards_left(parts, decks, [4] * len(ranks), ranks)))


# --- The dealer's cards -------------------------------------------------------------------------------------


class Part(NamedTuple):
    """Unseen cards of one kind, once the dealer's cards are known."""

    left: int
    full: int
    """Unseen cards of the kind in the full decks, of which those left are a random choice."""
    standing: Mapping[Relation, int]
    """How many of the full decks' stand in which relation to the dealer's cards."""


Draws: TypeAlias = Mapping[tuple[int, Relation], int]
"""Cards dealt to players: part and relation, and how many."""


class Deal(NamedTuple):
    """What the dealer may be dealt, as far as it matters, and what is then left for the players."""

    ways: int
    of: int
    """Its chance is `ways` / `of`."""
    parts: tuple[Part, ...]

    def classes(self) -> list[tuple[int, Relation]]:
        """Return the parts and relations that a player's card can have."""
        return [
            (place, relation)
            for place, part in enumerate(self.parts)
            for relation, cards in part.standing.items()
            if cards and part.left
        ]

    def chance_of(self, draws: Draws) -> tuple[int, int]:
        """Return the chance, as numerator and denominator, of this deal and then of cards of these classes in order."""
        above, below = self.ways, self.of * perm(sum(part.left for part in self.parts), sum(draws.values()))
        for place, part in enumerate(self.parts):
            number = 0
            for (at, relation), cards in draws.items():
                if at == place:
                    number += cards
                    above *= perm(part.standing[relation], cards)
            above *= perm(part.left, number)
            below *= perm(part.full, number) or 1  # where so many never were, so many are not left either
        return above, below


def deals(shoe: Shoe, dealer_cards: int) -> Iterator[Deal]:
    """Yield what the dealer may be dealt: one card, or two (the upcard and the down card)."""
    kinds = Counter(kind for kind in shoe.kinds if kind.left)
    every = perm(shoe.cards, dealer_cards)
    for kind, alike in kinds.items():
        if dealer_cards == 1:
            yield _deal(shoe, alike * kind.left, every, (kind, (FIRST,)))
            continue
        for other, others in kinds.items():
            pairs = alike * (others - (kind == other))
            if pairs:
                yield _deal(shoe, pairs * kind.left * other.left, every, (kind, (FIRST, None)), (other, (None, FIRST)))
        for second, copies in _second_cards(shoe.decks, kind.ranks):
            ways = alike * perm(kind.left, 2) * copies
            if ways:
                of = every * (4 * shoe.decks * kind.ranks - 1)
                yield _deal(shoe, ways, of, (kind, (FIRST, second)))


Card: TypeAlias = tuple[int, int]
"""Rank and suit by number, within a kind."""

FIRST: Final[Card] = (0, 0)
"""The dealer's first card of a kind: its rank and suit are as good as any."""

Seen: TypeAlias = tuple[Card | None, ...]
"""The dealer's cards, None for one that is of another kind."""


def _second_cards(decks: int, ranks: int) -> Iterator[tuple[Card, int]]:
    """Yield a second card of the kind for every way it can stand to the first, and the number of its like."""
    yield FIRST, decks - 1
    yield (0, 1), 3 * decks
    if ranks > 1:
        yield (1, 0), (ranks - 1) * 4 * decks


def _deal(shoe: Shoe, ways: int, of: int, *dealt: tuple[Kind, Seen]) -> Deal:
    parts = [_part(shoe.decks, kind, seen) for kind, seen in dealt]
    rest = shoe.cards - sum(kind.left for kind, _ in dealt)
    nothing = (NONE,) * len(dealt[0][1])
    return Deal(ways, of, (*parts, Part(rest, rest, {nothing: rest})))


@cache
def _part(decks: int, kind: Kind, seen: Seen) -> Part:
    standing: Counter[Relation] = Counter()
    for rank in range(kind.ranks):
        for suit in range(4):
            relation = tuple(_relation((rank, suit), card) for card in seen)
            standing[relation] += decks - seen.count((rank, suit))
    number = sum(card is not None for card in seen)
    return Part(kind.left - number, 4 * decks * kind.ranks - number, standing)


def _relation(card: Card, dealt: Card | None) -> int:
    if dealt is None or card[0] != dealt[0]:
        return NONE
    return SUITED if card == dealt else UNSUITED


# --- The player's cards -------------------------------------------------------------------------------------

K = TypeVar("K")


def law(shoe: Shoe, dealer_cards: int) -> dict[tuple[Matches, ...], Fraction]:
    """Return the chance of the player's matches: with the upcard, or jointly with the upcard and with the down card.

    dealer_cards : 1 or 2
    Raises RequestError where the shoe has too few cards for the dealer and a player.
    """
    check_cards(shoe, dealer_cards + 2)
    sums: Counter[tuple[tuple[Matches, ...], int]] = Counter()
    for deal in deals(shoe, dealer_cards):
        for first, second in combinations_with_replacement(deal.classes(), 2):
            draws = {first: 2} if first == second else {first: 1, second: 1}
            ways, of = deal.chance_of(draws)
            sums[matches_of(first[1], second[1]), of] += ways * len(draws)
    return chances(sums)


def chances(sums: Mapping[tuple[K, int], int]) -> dict[K, Fraction]:
    """Return the chance of each key from numerators by key and denominator: few fractions are made, and late."""
    found: dict[K, Fraction] = {}
    for (key, of), ways in sums.items():
        if ways:
            found[key] = found.get(key, Fraction(0)) + Fraction(ways, of)
    return found


@cache
def matches_of(first: Relation, second: Relation) -> tuple[Matches, ...]:
    """Return a player's matches with each of the dealer's cards."""
    return tuple(Matches(pair.count(SUITED), pair.count(UNSUITED)) for pair in zip(first, second, strict=True))


def check_cards(shoe: Shoe, needed: int) -> None:
    """Raise RequestError unless the shoe has the cards that a round deals."""
    if shoe.cards < needed:
        raise RequestError(f"the shoe holds {shoe.cards} cards; the deal takes {needed}")


def deals_of(shoe: Shoe, dealer_cards: int) -> int:
    """Return the number of deals: the dealer's cards in order, and two cards of a player in either order."""
    return perm(shoe.cards, dealer_cards) * comb(shoe.cards - dealer_cards, 2)
