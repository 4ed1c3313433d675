"""Lucky Ladies, a side bet of blackjack: do the player's first two cards total twenty?

More is paid where they have one suit, more again where they are the same card, and most for two queens of hearts, all
the more when the dealer has a blackjack. Only the best that a hand is gets paid. An ace and a nine total twenty.

Method: exact, in fractions (see `ranks`), for any number of decks and any pay table. A partly used shoe may be known by
value or by rank. Source: ``data/lucky_ladies.toml``.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import lcm, perm
from typing import Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.cards import RANKS, by_rank, check_decks
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError
from casinomath.matches import Shoe, read_shoe
from casinomath.paytable import PayTable
from casinomath.ranks import Ranks, chance_of_suit, chances_of_ranks
from casinomath.returns import Outcome, Returns, exact_returns

STEM = "lucky_ladies"
BETS = ("main",)

EVENTS = (
    *("queen_of_hearts_pair_with_dealer_blackjack", "queen_of_hearts_pair"),
    *("matched_20", "suited_20", "any_20"),
)
"""What a pay table must pay, the best first."""

ACE, NINE, TEN, QUEEN = (RANKS.index(rank) for rank in ("A", "9", "10", "Q"))

DEALT: Final = 4
"""Cards that settle the bet: the player's two and the dealer's two."""


class Rules(NamedTuple):
    """The rules of Lucky Ladies."""

    decks: int = 6
    """Decks in the shoe. More favour the player, for there are more matched pairs; pay tables make up for it."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, "standard")
    paytable.check_odds(EVENTS)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by rank."""
    return by_rank(rules.decks, "standard")


def evaluate(rules: Rules, paytable: PayTable, *, shoe: Iterable[int] | str | None = None) -> Returns:
    """Return what the bet is worth, per unit of its wager.

    shoe : counts left, ten by value (ace first) or thirteen by rank (A, 2, …, Q, K)
    Raises RequestError for rules, a pay table or a shoe that make no sense.
    """
    check(rules, paytable)
    left = read_shoe(rules.decks, "standard", shoe)
    if left.cards < DEALT:
        raise RequestError(f"the shoe holds {left.cards} cards; the deal takes {DEALT}")
    chances = dict.fromkeys((*EVENTS, "no_20"), Fraction(0))
    for ranks, chance in chances_of_ranks(left, 2).items():
        if not _is_twenty(ranks):
            chances["no_20"] += chance
            continue
        of_a_suit = chance_of_suit(rules.decks, ranks)
        one_suit, pair = 4 * of_a_suit, ranks[0] == ranks[1]
        ladies = of_a_suit if ranks == (QUEEN, QUEEN) else Fraction(0)
        blackjack = _dealer_blackjack(left) if ladies else Fraction(0)
        chances["queen_of_hearts_pair_with_dealer_blackjack"] += chance * ladies * blackjack
        chances["queen_of_hearts_pair"] += chance * ladies * (1 - blackjack)
        chances["matched_20" if pair else "suited_20"] += chance * (one_suit - ladies)
        chances["any_20"] += chance * (1 - one_suit)
    return exact_returns(
        STEM,
        "main",
        rules._asdict(),
        paytable.name,
        [
            Outcome(event, chance, Fraction(-1) if event == "no_20" else paytable.pay(event))
            for event, chance in chances.items()
        ],
        perm(left.cards, DEALT),
    )


def _is_twenty(ranks: Ranks) -> bool:
    return ranks == (ACE, NINE) or min(ranks) >= TEN


def _dealer_blackjack(shoe: Shoe) -> Fraction:
    """The chance of a blackjack of the dealer's when two ten-valued cards have gone to the player."""
    aces, tens = shoe.kinds[ACE].left, sum(kind.left for kind in shoe.kinds[TEN:]) - 2
    return Fraction(2 * aces * tens, perm(shoe.cards - 2, 2))


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules, paytable: PayTable, rounds: int, seed: int, **running: Unpack[montecarlo.Running]
) -> montecarlo.Sample:
    """Deal rounds of four cards, a fresh shoe each, and settle them.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    chunk = Dealt(
        decks=rules.decks,
        pack="standard",
        places=(ANY,) * DEALT,
        look=_look,
        settle=partial(_settle, paytable),
        unit=Fraction(1, lcm(*(paytable.pay(event).denominator for event in EVENTS))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(cards: Cards) -> list[Counts]:
    """The player's total, whether both cards have one suit and one rank, both are queens of hearts; the dealer's."""
    points = np.where(cards.ranks == 0, 11, np.minimum(cards.ranks + 1, 10)).astype(np.int64)
    one_suit, one_rank = cards.suits[0] == cards.suits[1], cards.ranks[0] == cards.ranks[1]
    hearts = one_suit & one_rank & (cards.suits[0] == 1) & (cards.ranks[0] == 11)
    total, dealers = points[:2].sum(axis=0), points[2:].sum(axis=0)
    return [total, one_suit.astype(np.int64), one_rank.astype(np.int64), hearts.astype(np.int64), dealers]


def _settle(paytable: PayTable, seen: tuple[int, ...]) -> Settled:
    total, one_suit, one_rank, hearts, dealers = seen
    if total != 20:
        return Settled("no_20", Fraction(-1))
    if hearts:
        event = "queen_of_hearts_pair" + "_with_dealer_blackjack" * (dealers == 21)
    else:
        event = "any_20" if not one_suit else "matched_20" if one_rank else "suited_20"
    return Settled(event, paytable.pay(event))
