"""TriLux, side bets of blackjack: what poker hand do the player's two cards and the dealer's upcard make?

The Bonus wager, plain 21+3, the Super Three wager and the Progressive all ask the same question; a pay table says which
of them is meant. Its lines are the hands that it pays, and a hand that fits several of them is paid by the first. Odds
are paid to 1; a prize in dollars or a share of the meter is measured by the wager, which is then not returned.

Method: exact, in fractions (see `ranks`), for any number of decks and any pay table. A partly used shoe may be known by
value or by rank. Source: ``data/trilux.toml``.
"""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from functools import partial
from math import comb, lcm
from typing import Any, Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.cards import RANKS, by_rank, check_decks
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError
from casinomath.matches import read_shoe
from casinomath.money import check_bet, read_meter
from casinomath.paytable import Dollars, MeterShare, PayTable
from casinomath.ranks import Ranks, chance_of_suit, chances_of_ranks
from casinomath.returns import Outcome, Returns, exact_returns

STEM = "trilux"
BETS = ("main",)

HANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "three_suited_aces": ("three_suited_aces", "suited_three_of_a_kind", "three_of_a_kind", "flush"),
    "suited_three_of_a_kind": ("suited_three_of_a_kind", "three_of_a_kind", "flush"),
    "mini_royal": ("mini_royal", "straight_flush", "straight", "flush"),
    "straight_flush": ("straight_flush", "straight", "flush"),
    "three_of_a_kind": ("three_of_a_kind",),
    "straight": ("straight",),
    "flush": ("flush",),
    "flush_with_pair": ("flush", "pair"),
    "pair": ("pair",),
    "nothing": (),
}
"""The hands that three cards can make, each in the narrowest sense, and the lines of a pay table that it fits.

From several decks three cards can be alike, and a flush can hold a pair. A mini royal is an ace, king and queen."""

EVENTS = tuple(dict.fromkeys(line for lines in HANDS.values() for line in lines))
"""What a pay table may pay."""

ACE, JACK, QUEEN, KING = (RANKS.index(rank) for rank in ("A", "J", "Q", "K"))


class Rules(NamedTuple):
    """The rules of TriLux."""

    decks: int = 6
    """Decks in the shoe. More favour the player: there are more flushes and more cards of a rank."""
    bet: float = 5.0
    """The wager in dollars, by which prizes in dollars and shares of a meter are measured. Odds don't mind it."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, "standard")
    check_bet(rules.bet)
    paytable.check((), optional=EVENTS)
    if not paytable.pays:
        raise RequestError(f"pay table {paytable.name} pays nothing; expected some of {', '.join(EVENTS)}")
    meters = list(dict.fromkeys(pay.meter for pay in paytable.pays.values() if isinstance(pay, MeterShare)))
    if len(meters) > 1:
        raise RequestError(f"pay table {paytable.name} pays shares of {' and '.join(meters)}; expected one meter")


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by rank."""
    return by_rank(rules.decks, "standard")


def evaluate(
    rules: Rules,
    paytable: PayTable,
    *,
    shoe: Iterable[int] | str | None = None,
    meter: float | Fraction | None = None,
) -> Returns:
    """Return what the bet is worth, per unit of its wager; without a meter, at a meter of $0.

    shoe  : counts left, ten by value (ace first) or thirteen by rank (A, 2, …, Q, K)
    meter : dollars on the meter when the round begins, for a table that pays shares of it

    Details of such a table: `breakeven_meter`, at which the wager is fair (None if no meter makes it so), `fixed_ev`,
    what all else is worth, and `ev_per_meter_dollar`.
    Raises RequestError for rules, a pay table, a shoe or a meter that make no sense.
    """
    check(rules, paytable)
    dollars = read_meter(paytable, meter)
    left = read_shoe(rules.decks, "standard", shoe)
    if left.cards < 3:
        raise RequestError(f"the shoe holds {left.cards} cards; the deal takes 3")
    chances = dict.fromkeys(HANDS, Fraction(0))
    for ranks, chance in chances_of_ranks(left, 3).items():
        one_suit = 4 * chance_of_suit(rules.decks, ranks)
        flush, other = hands_of(ranks)
        chances[flush] += chance * one_suit
        chances[other] += chance * (1 - one_suit)
    return exact_returns(
        STEM,
        "main",
        rules._asdict(),
        paytable.name,
        sorted(
            (Outcome(hand, chance, net(rules, paytable, hand, dollars)) for hand, chance in chances.items()),
            key=lambda outcome: -outcome.net,
        ),
        comb(left.cards, 3),
        _about_the_meter(rules, paytable, chances, dollars),
    )


def hands_of(ranks: Ranks) -> tuple[str, str]:
    """Return the hand that cards of these ranks make when they have one suit, and when they have not."""
    kinds = len(set(ranks))
    if kinds == 1:
        return "three_suited_aces" if ranks[0] == ACE else "suited_three_of_a_kind", "three_of_a_kind"
    if kinds == 2:
        return "flush_with_pair", "pair"
    if ranks == (ACE, QUEEN, KING):
        return "mini_royal", "straight"
    return ("straight_flush", "straight") if ranks[2] - ranks[0] == 2 else ("flush", "nothing")


def line_of(paytable: PayTable, hand: str) -> str | None:
    """Return the line of the pay table that pays a hand: the first that it fits; None for a hand that loses."""
    return next((line for line in paytable.pays if line in HANDS[hand]), None)


def net(rules: Rules, paytable: PayTable, hand: str, meter: Fraction) -> Fraction:
    """Return the net result of a hand in units of the wager, with so many dollars on the meter."""
    line = line_of(paytable, hand)
    if line is None:
        return Fraction(-1)
    pay = paytable.pays[line]
    if isinstance(pay, MeterShare):
        return pay.share * meter / Fraction(str(rules.bet)) - 1
    return pay.amount / Fraction(str(rules.bet)) - 1 if isinstance(pay, Dollars) else pay


def _about_the_meter(
    rules: Rules, paytable: PayTable, chances: Mapping[str, Fraction], meter: Fraction
) -> dict[str, Any]:
    if not any(isinstance(pay, MeterShare) for pay in paytable.pays.values()):
        return {}
    without, with_one = (
        sum((chance * net(rules, paytable, hand, Fraction(dollars)) for hand, chance in chances.items()), Fraction(0))
        for dollars in (0, 1)
    )
    slope = with_one - without
    fair = -without / slope if slope and without <= 0 else None
    return {
        "meter": float(meter),
        "fixed_ev": float(without),
        "ev_per_meter_dollar": float(slope),
        "breakeven_meter": None if fair is None else float(fair),
        "breakeven_meter_exact": None if fair is None else str(fair),
    }


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    meter: float | Fraction | None = None,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal rounds of three cards, a fresh shoe each, and settle them.

    meter : dollars on the meter when each round begins; without it, $0
    Raises RequestError for rules, a pay table or a meter that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    dollars = read_meter(paytable, meter)
    chunk = Dealt(
        decks=rules.decks,
        pack="standard",
        places=(ANY,) * 3,
        look=_look,
        settle=partial(_settle, rules, paytable, dollars),
        unit=Fraction(1, lcm(*(net(rules, paytable, hand, dollars).denominator for hand in HANDS))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(cards: Cards) -> list[Counts]:
    """Whether the cards have one suit, how many ranks, how far they are apart, and whether an ace is among them.

    An ace counts as 1, and where there is a king as 14.
    """
    low = np.sort(cards.ranks.astype(np.int64) + 1, axis=0)
    low = np.sort(np.where((low == 1) & (low[2] == 13), 14, low), axis=0)
    one_suit = (cards.suits == cards.suits[0]).all(axis=0).astype(np.int64)
    ranks = 1 + (np.diff(low, axis=0) > 0).sum(axis=0)
    return [one_suit, ranks, low[2] - low[0], low[2]]


def _settle(rules: Rules, paytable: PayTable, meter: Fraction, seen: tuple[int, ...]) -> Settled:
    one_suit, ranks, apart, highest = seen
    straight = ranks == 3 and apart == 2
    fits = {
        "three_suited_aces": one_suit and ranks == 1 and highest == 1,
        "suited_three_of_a_kind": one_suit and ranks == 1,
        "mini_royal": one_suit and straight and highest == 14,
        "straight_flush": one_suit and straight,
        "three_of_a_kind": ranks == 1,
        "straight": straight,
        "flush_with_pair": one_suit and ranks == 2,
        "flush": one_suit,
        "pair": ranks == 2,
    }
    hand = next((name for name, fit in fits.items() if fit), "nothing")
    for line, pay in paytable.pays.items():
        if fits[line]:
            if isinstance(pay, Fraction):
                return Settled(hand, pay)
            paid = pay.share * meter if isinstance(pay, MeterShare) else pay.amount
            return Settled(hand, paid / Fraction(str(rules.bet)) - 1)
    return Settled(hand, Fraction(-1))
