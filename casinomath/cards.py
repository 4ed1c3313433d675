"""Ranks, suits, decks, cards as people write them, and the counts of a shoe by value.

Everywhere in the package an axis of ten is by card value, ace first and ten-valued last (`VALUES`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from casinomath.errors import RequestError, unknown

VALUES: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10")
"""Names of the ten card values, in the order of every array indexed by value."""

UPCARDS: Final = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "A")
"""The same values in the order in which charts print them."""

RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
"""The thirteen ranks of a French deck; a Spanish deck has no rank 10."""

SUITS: Final = "shdc"
"""Spades, hearts, diamonds, clubs: suit numbers 0 to 3."""

POKER_RANKS: Final = "23456789TJQKA"
"""The ranks of poker: rank numbers 0 to 12."""

Deck: TypeAlias = tuple[int, ...]
"""A deck by its counts by value, aces first."""

SPANISH: Final[Deck] = (4, 4, 4, 4, 4, 4, 4, 4, 4, 12)
"""48 cards: the ten-valued cards are J, Q and K."""

STANDARD: Final[Deck] = (4, 4, 4, 4, 4, 4, 4, 4, 4, 16)
"""52 cards."""

Pack: TypeAlias = Literal["spanish", "standard"]
"""The pack that a shoe is made of, as rules name it."""

PACKS: Final[Mapping[Pack, Deck]] = {"spanish": SPANISH, "standard": STANDARD}

MOST_DECKS: Final = 16
"""Twice the largest shoe that is dealt."""


def ranks_of(pack: Pack) -> tuple[str, ...]:
    """Return the ranks of a pack, ace first: thirteen, or twelve where there is no rank 10."""
    return tuple(rank for rank in RANKS if pack == "standard" or rank != "10")


class Card(NamedTuple):
    """A card that has been seen; its suit is a number, or None where nobody looked."""

    rank: str
    suit: int | None

    @property
    def value(self) -> int:
        """Its place in an axis by value: 0 an ace, 9 ten-valued."""
        return VALUES.index(self.rank) if self.rank in VALUES else 9


_CARD: Final = re.compile(r"(10|[2-9AJQKT])([shdc]?)", re.IGNORECASE)
_CARDS: Final = re.compile(rf"(?:{_CARD.pattern}[\s,]*)*", re.IGNORECASE)


def read_cards(text: str, pack: Pack) -> list[Card]:
    """Return cards such as "A K", "As,Kh" or "AsKh"; RequestError for what is no card, and for none of the pack's."""
    if not _CARDS.fullmatch(text.strip()):
        raise RequestError(
            f'cards are "{text}"; expected ranks, perhaps with suits s, h, d or c, such as "A K" or "As Kh"'
        )
    cards = []
    for rank, suit in _CARD.findall(text):
        name = {"T": "10"}.get(rank.upper(), rank.upper())
        if name not in ranks_of(pack):
            raise RequestError(f'cards are "{text}"; a {pack} pack has no {name}, but {", ".join(ranks_of(pack))}')
        cards.append(Card(name, SUITS.index(suit.lower()) if suit else None))
    return cards


def check_seen(cards: Sequence[Card], decks: int) -> None:
    """Raise RequestError for cards that so many decks do not hold."""
    of_suit = Counter(f"{card.rank}{SUITS[card.suit]}" for card in cards if card.suit is not None)
    of_rank = Counter(card.rank for card in cards)
    for seen, most in ((of_suit, decks), (of_rank, 4 * decks)):
        for name, number in seen.items():
            if number > most:
                raise RequestError(f"{name} is seen {number} times; {decks} decks hold {most}")


def check_decks(decks: int, pack: Pack) -> None:
    """Raise RequestError unless a shoe may be made of so many decks of this pack."""
    if not 1 <= decks <= MOST_DECKS:
        raise RequestError(f"decks is {decks}; expected 1 to {MOST_DECKS}")
    if pack not in PACKS:
        raise unknown("pack", pack, PACKS)


def shoe_counts(decks: int, deck: Deck = SPANISH) -> NDArray[np.int64]:
    """Return the counts by value (10,) of a fresh shoe of so many decks."""
    if decks < 1:
        raise RequestError(f"a shoe needs at least one deck, not {decks}")
    return decks * np.array(deck, dtype=np.int64)


def by_value(decks: int, pack: Pack) -> dict[str, int]:
    """Return the cards of a fresh shoe by value, ace first."""
    return dict(zip(VALUES, (decks * count for count in PACKS[pack]), strict=True))


def by_rank(decks: int, pack: Pack) -> dict[str, int]:
    """Return the cards of a fresh shoe by rank, ace first."""
    return dict.fromkeys(ranks_of(pack), 4 * decks)


def parse_shoe(shoe: str | Iterable[object], names: Sequence[str] = VALUES) -> NDArray[np.int64]:
    """Return the counts of a partly used shoe given as ten counts by value, ace first, ten-valued last.

    Takes text such as ``"24,24,24,24,24,24,24,24,24,72"`` or integers; with other `names`, a count for each of them.
    Raises RequestError when their number is wrong, one is not a whole number or is negative, or all are zero.
    """
    parts = shoe_parts(shoe)
    number = "ten" if len(names) == len(VALUES) else str(len(names))
    if len(parts) != len(names):
        raise RequestError(f"a shoe is {number} counts ({', '.join(names)}), not {len(parts)}: {_shown(parts)}")
    counts = np.array([_count(name, part) for name, part in zip(names, parts, strict=True)], dtype=np.int64)
    if not counts.any():
        raise RequestError(f"the shoe is empty: all {number} counts are 0")
    return counts


def shoe_parts(shoe: str | Iterable[object]) -> list[object]:
    """Return the counts of a shoe as they were given, unread."""
    return [part.strip() for part in shoe.split(",")] if isinstance(shoe, str) else list(shoe)


def cards_left(
    shoe: str | Iterable[object] | None, decks: int, fresh: Sequence[int], names: Sequence[str] = VALUES
) -> tuple[int, ...]:
    """Return the counts of a shoe, by default of so many fresh decks.

    fresh : the counts of one deck, in the order of `names`
    Raises RequestError for what `parse_shoe` refuses, and for more cards than the decks hold.
    """
    whole = tuple(decks * count for count in fresh)
    if shoe is None:
        return whole
    counts = tuple(parse_shoe(shoe, names).tolist())
    for name, count, most in zip(names, counts, whole, strict=True):
        if count > most:
            raise RequestError(f"the shoe holds {count} cards of value {name}; {decks} decks hold {most}")
    return counts


# --- Cards of poker: 4 × rank + suit ------------------------------------------------------------------------


def parse_cards(text: str) -> tuple[int, ...]:
    """Return the numbers of cards such as `As Kd`, in the order given; spaces and commas may stand between them.

    Raises RequestError for what is no card, and for a card that comes twice.
    """
    cards: list[int] = []
    for name in re.findall(r"10.|[^\s,]{1,2}", text):
        rank = "T" if name[:-1] == "10" else name[:-1].upper()
        suit = name[-1].lower()
        if len(rank) != 1 or rank not in POKER_RANKS or suit not in SUITS:
            raise RequestError(
                f"card {name!r} in {text!r}; expected a rank of {POKER_RANKS} and a suit of {SUITS}, as in 'As Kd'"
            )
        card = 4 * POKER_RANKS.index(rank) + SUITS.index(suit)
        if card in cards:
            raise RequestError(f"card {card_name(card)} comes twice in {text!r}")
        cards.append(card)
    return tuple(cards)


def card_name(card: int) -> str:
    """Return what a card is called: `As`."""
    return POKER_RANKS[card // 4] + SUITS[card % 4]


def cards_text(cards: Iterable[int]) -> str:
    """Return cards as `parse_cards` reads them: `As Kd`."""
    return " ".join(card_name(int(card)) for card in cards)


MOST_OF_A_VALUE: Final = 1_000_000
"""Far above any shoe dealt; a larger count is a slip of the keyboard and would overflow exact integers."""


def _count(value: str, given: object) -> int:
    expected = f"expected a whole number from 0 to {MOST_OF_A_VALUE:,}"
    if isinstance(given, bool) or not isinstance(given, str | int | np.integer):
        raise RequestError(f"the count of value {value} in the shoe is {given!r}; {expected}")
    try:
        count = int(given)
    except ValueError:
        raise RequestError(f"the count of value {value} in the shoe is {given!r}; {expected}") from None
    if not 0 <= count <= MOST_OF_A_VALUE:
        raise RequestError(f"the count of value {value} in the shoe is {count}; {expected}")
    return count


def _shown(parts: list[object]) -> str:
    return ",".join(str(part) for part in parts)
