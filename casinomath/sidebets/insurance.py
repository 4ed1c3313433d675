"""Insurance: has the dealer, who shows an ace, a blackjack? A table may pay more for one of one suit, or of one colour.

Results are per unit of the insurance wager, which may be up to half of the main one, given that the upcard is an ace.
Whether the player's hand has been paid as a blackjack does not matter to the wager; that its cards are gone does.

Method: exact, in fractions. The hole card is any unseen card. Cards that are left of a value are a random choice of the
full decks' cards of that value: so the full decks, less the cards that have been seen, say how likely it is that a
ten-valued card has the suit of the ace. A card whose suit nobody looked at is any of its rank.
Source: ``data/insurance.toml``.
"""

from collections import Counter
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.beside import Seen, SideBet, side_bet
from casinomath.cards import (
    PACKS,
    SUITS,
    VALUES,
    Card,
    Pack,
    by_value,
    cards_left,
    check_decks,
    check_seen,
    ranks_of,
    read_cards,
)
from casinomath.dealing import ANY, Cards, Counts, Dealt, Place, Settled
from casinomath.errors import RequestError
from casinomath.kernels.seats import (
    BLACKJACK_OF_ONE_COLOUR,
    BLACKJACK_OF_ONE_SUIT,
    NO_ACE,
    NO_BLACKJACK,
)
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns

STEM = "insurance"
BETS = ("main",)

EVENTS: Final = ("suited_blackjack", "one_colour_blackjack", "blackjack")
"""Blackjacks of the dealer, the best first: one suit, two suits of one colour, any other.

A pay table must pay the last; one that leaves out another pays it as the next."""


class Rules(NamedTuple):
    """The rules of insurance, and what has been seen when it is offered. Defaults: Spanish 21 with six decks."""

    decks: int = 6
    """Decks in the shoe. More favour the player: the ace that the dealer shows is a smaller part of the others."""
    pack: Pack = "spanish"
    """Spanish packs have 48 cards, without the tens, standard packs 52: these favour the player."""
    upcard: str = "A"
    """The dealer's ace, with its suit where that matters: As, Ah, Ad or Ac."""
    hand: str = ""
    """Cards seen besides, the player's own and perhaps others', such as "A K" or "As Kh"; empty: none."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, rules.pack)
    paytable.check_odds(EVENTS[-1:], optional=EVENTS[:-1])
    _seen(rules)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, rules.pack)


def seen_cards(rules: Rules) -> dict[str, int]:
    """Return the cards by value that have been seen when the wager is made: the upcard and the hand."""
    return Counter(VALUES[card.value] for card in _seen(rules))


def evaluate(rules: Rules, paytable: PayTable, *, shoe: Iterable[int] | str | None = None) -> Returns:
    """Return what a unit of insurance is worth.

    shoe : ten counts by value, ace first, of a partly used shoe before the round; the upcard and the hand come from it

    Details: `unseen` cards and the `ten_valued` ones among them; `fair_pays`, the odds to 1 at which the wager would be
    fair if every blackjack were paid alike (None where there can be none).
    Raises RequestError for rules, a pay table or a shoe that make no sense.
    """
    check(rules, paytable)
    seen = _seen(rules)
    left = list(cards_left(shoe, rules.decks, PACKS[rules.pack]))
    for card in seen:
        left[card.value] -= 1
        if left[card.value] < 0:
            raise RequestError(f"the shoe has too few cards of value {VALUES[card.value]} for the upcard and the hand")
    unseen, tens = sum(left), left[9]
    if not unseen:
        raise RequestError("the shoe holds no hole card besides the upcard and the hand")
    outcomes = [
        Outcome(event, chance * tens / unseen, paytable.pay(event))
        for event, chance in _blackjacks(rules, seen, paytable).items()
    ]
    return exact_returns(
        STEM,
        "main",
        rules._asdict(),
        paytable.name,
        [*outcomes, Outcome("no_blackjack", Fraction(unseen - tens, unseen), Fraction(-1))],
        deals=unseen,
        details={"unseen": unseen, "ten_valued": tens, "fair_pays": (unseen - tens) / tens if tens else None},
    )


def _blackjacks(rules: Rules, seen: list[Card], paytable: PayTable) -> dict[str, Fraction]:
    """The chance of each paid event, given a ten-valued hole card."""
    upcard, *others = seen
    tens = _suits(rules, 9, others)
    aces = _suits(rules, 0, others) if upcard.suit is None else {upcard.suit: Fraction(1)}
    chances: dict[str, Fraction] = dict.fromkeys(EVENTS, Fraction(0))
    for ace, of_ace in aces.items():
        for ten, of_ten in tens.items():
            kind = 0 if ace == ten else 1 if (ace in RED) == (ten in RED) else 2
            paid = next(event for event in EVENTS[kind:] if event in paytable.pays)
            chances[paid] += of_ace * of_ten
    return {event: chance / sum(chances.values()) for event, chance in chances.items() if chance}


def _suits(rules: Rules, value: int, seen: list[Card]) -> dict[int, Fraction]:
    """The full decks' cards of a value by suit, less those that have been seen: without its suit, a card of any."""
    left = dict.fromkeys(range(4), Fraction(0))
    for rank in (rank for rank in ranks_of(rules.pack) if Card(rank, None).value == value):
        gone = Counter(card.suit for card in seen if card.rank == rank)
        without_suit = gone.pop(None, 0)
        cards = 4 * rules.decks - gone.total()
        for suit in left:
            left[suit] += (rules.decks - gone[suit]) * (1 - Fraction(without_suit, cards or 1))
    return left


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal rounds in which the upcard and the hand are as they were seen, look at the hole card, and settle.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    chunk = Dealt(
        decks=rules.decks,
        pack=rules.pack,
        places=(*(Place(card.rank, card.suit) for card in _seen(rules)), ANY),
        look=partial(_look, rules.pack),
        settle=partial(_settle, paytable),
        unit=Fraction(1, lcm(*(paytable.pay(event).denominator for event in paytable.pays))),
    )
    chunk.check()
    return montecarlo.run(chunk, rounds, seed, **running)


def beside(rules: Rules, paytable: PayTable, *, seats: int = 1) -> SideBet:
    """Return the bet as a game settles it in its own rounds: made whenever the dealer shows an ace, whatever the hand.

    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    return side_bet(STEM, rules.decks, rules.pack, partial(_settle_seen, paytable), seats=seats)


def _settle_seen(paytable: PayTable, seen: Seen, _earlier: int) -> Settled | None:
    if seen.peek == NO_ACE:
        return None
    of_one_suit, of_one_colour = seen.peek == BLACKJACK_OF_ONE_SUIT, seen.peek == BLACKJACK_OF_ONE_COLOUR
    return _settle(paytable, (seen.peek != NO_BLACKJACK, of_one_suit, of_one_suit or of_one_colour))


def _look(pack: Pack, cards: Cards) -> list[Counts]:
    """Whether the hole card, dealt last, is ten-valued, and whether it has the suit and the colour of the upcard."""
    tens = [place for place, rank in enumerate(ranks_of(pack)) if rank in ("10", "J", "Q", "K")]
    upcard, hole = cards.suits[0], cards.suits[-1]
    one_colour = np.isin(upcard, RED) == np.isin(hole, RED)
    return [np.isin(cards.ranks[-1], tens).astype(int), (upcard == hole).astype(int), one_colour.astype(int)]


def _settle(paytable: PayTable, seen: tuple[int, ...]) -> Settled:
    ten_valued, one_suit, one_colour = seen
    if not ten_valued:
        return Settled("no_blackjack", Fraction(-1))
    if one_suit and "suited_blackjack" in paytable.pays:
        paid = "suited_blackjack"
    elif one_colour and "one_colour_blackjack" in paytable.pays:
        paid = "one_colour_blackjack"
    else:
        paid = "blackjack"
    return Settled(paid, paytable.pay(paid))


# --- Cards that have been seen ---------------------------------------------------------------------------------

RED: Final = (SUITS.index("h"), SUITS.index("d"))


def _seen(rules: Rules) -> list[Card]:
    """The upcard, then the hand."""
    upcard = read_cards(rules.upcard, rules.pack)
    if [card.rank for card in upcard] != ["A"]:
        raise RequestError(f'upcard is "{rules.upcard}"; insurance is offered against an ace: A, As, Ah, Ad or Ac')
    seen = [*upcard, *read_cards(rules.hand, rules.pack)]
    check_seen(seen, rules.decks)
    return seen
