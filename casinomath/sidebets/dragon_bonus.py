"""Dragon Bonus, a side bet of baccarat: does the hand bet on win by far, or by a natural?

Bets: on the player's hand and on the banker's. A natural that wins pays little whatever it wins by, equal naturals are
returned; without a natural the margin decides, and a tie loses.

Method: exact, in integers, over ordered sequences of six cards (see `tableau`), for any number of decks, any partly
used shoe and any pay table. Source: ``data/dragon_bonus.toml``.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from math import lcm
from typing import Final, NamedTuple, Unpack

from casinomath import montecarlo
from casinomath.cards import by_value, check_decks
from casinomath.coups import PLACES, look
from casinomath.dealing import Cards, Counts, Dealt, Settled
from casinomath.errors import unknown
from casinomath.paytable import PayTable
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.tableau import law, read_shoe

STEM = "dragon_bonus"
BETS = ("player", "banker")

LEAST: Final = 4
"""The smallest margin that is paid without a natural."""

EVENTS = (*(f"win_by_{margin}" for margin in range(9, LEAST - 1, -1)), "natural_win", "natural_tie")
"""What a pay table must pay."""


class Rules(NamedTuple):
    """The rules of Dragon Bonus."""

    decks: int = 8
    """Decks in the shoe. More favour the player."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, "standard")
    paytable.check_odds(EVENTS)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, "standard")


def evaluate(
    rules: Rules, paytable: PayTable, *, bet: str = "player", shoe: Iterable[int] | str | None = None
) -> Returns:
    """Return what a bet is worth, per unit of its wager.

    shoe : counts left, ten by value (ace first) or thirteen by rank (A, 2, …, Q, K)
    Raises RequestError for rules, a pay table or a shoe that make no sense.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    left = read_shoe(rules.decks, shoe)
    found = dict.fromkeys((*EVENTS, "loss"), 0)
    for coup, number in law(left.counts).items():
        found[event_of(coup.margin if bet == "player" else -coup.margin, natural=coup.natural)] += number
    return exact_returns(
        STEM,
        bet,
        rules._asdict(),
        paytable.name,
        [
            Outcome(event, Fraction(number, left.coups), paytable.pay(event) if event != "loss" else Fraction(-1))
            for event, number in found.items()
        ],
        left.coups,
    )


def event_of(margin: int, *, natural: bool) -> str:
    """Return the name of a coup that the hand wins by so much, with a natural on the table or without."""
    if natural:
        return "natural_win" if margin > 0 else "natural_tie" if not margin else "loss"
    return f"win_by_{margin}" if margin >= LEAST else "loss"


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    bet: str = "player",
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal coups, a fresh shoe each, play them by the printed rules and settle them.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    if bet not in BETS:
        raise unknown(f"bet of {STEM}:", bet, BETS)
    chunk = Dealt(
        decks=rules.decks,
        pack="standard",
        places=PLACES,
        look=partial(_look, bet),
        settle=partial(_settle, paytable),
        unit=Fraction(1, lcm(*(paytable.pay(event).denominator for event in EVENTS))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(bet: str, cards: Cards) -> list[Counts]:
    """The points and the number of cards of the hand that is bet on, and of the other one."""
    played = look(cards)
    hands = [played.player, played.player_cards], [played.banker, played.banker_cards]
    own, other = hands if bet == "player" else reversed(hands)
    return [*own, *other]


def _settle(paytable: PayTable, seen: tuple[int, ...]) -> Settled:
    points, cards, other_points, other_cards = seen
    if cards == 2 and points >= 8 and points > other_points:
        return Settled("natural_win", paytable.pay("natural_win"))
    if cards == other_cards == 2 and points == other_points >= 8:
        return Settled("natural_tie", paytable.pay("natural_tie"))
    other_natural = other_cards == 2 and other_points >= 8
    if not other_natural and points - other_points >= 4:
        event = f"win_by_{points - other_points}"
        return Settled(event, paytable.pay(event))
    return Settled("loss", Fraction(-1))
