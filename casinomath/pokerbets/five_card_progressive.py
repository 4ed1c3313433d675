"""The five-card progressives: a wager on five cards, two of the player's and the flop in hold'em games.

How the documents are read here:

- The wager is never returned: what a line pays "for 1", or as a share of a meter, is all that comes back.
- Shares are of one meter, or of several: `mega`, `major` and `minor`.
- Envy is for everybody who makes the wager, once for each other hand at the table that is a royal or straight flush, so
  many dollars for each dollar of the wager. Whose hand it is need not make the wager.
- Awards of one round are paid in order of seat, each from what those before left on the meter. What a meter is reset
  to counts from the next round.
- What a fold forfeits is a rule: nothing, or the wager with the hands that are folded before the flop. Envy is not
  forfeited by a fold.

Method: exact, in fractions (see `flops`); where hands share other cards than a flop, one player is priced alone.
Source: ``data/five_card_progressive.toml``.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import partial
from itertools import product
from math import comb, lcm
from typing import Any, Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.cards import POKER_RANKS
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError, unknown
from casinomath.holes import HANDS
from casinomath.money import check_bet
from casinomath.paytable import Dollars, PayTable
from casinomath.pokerbets import flops, meters
from casinomath.pokerbets.counting import CATEGORIES, hands
from casinomath.pokerbets.deal import Deal, check_players
from casinomath.pokerbets.meters import Prize, Worth, prize_of
from casinomath.pokerbets.reading import FIRST, NUMBER, categories, hands_at
from casinomath.returns import Outcome, Returns, exact_returns

BET = "five_card_progressive"

EVENTS: Final = CATEGORIES[: CATEGORIES.index("three_of_a_kind") + 1]
"""What a pay table must pay."""
AWARDS: Final = EVENTS[:3]
"""Events that a share of a meter may be paid for: of the third, four of a kind, only one player can have one."""
ENVIED: Final = EVENTS[:2]
"""Hands that others may be paid an envy bonus for."""
ENVY: Final = tuple(f"envy_{event}" for event in ENVIED)
FORFEITED: Final = "forfeited"
"""The event of a round in which the wager went with a fold."""
ENVY_ALONE: Final = "envy_bonus"
"""The event of a round in which envy is all that is won."""


class Rules(NamedTuple):
    """The rules of a five-card progressive. Defaults: one player, and nothing on the meters."""

    bet: float = 1.0
    """The wager in dollars, the same for everybody; it is not returned."""
    seats: int = 1
    """Players who make the wager. More favour the player where there is envy, and the house by what meters lose."""
    seat: int = 1
    """Whose wager is priced: 1 is paid first. The last one is paid from what all others left."""
    other_players: int = 0
    """Players at the table who do not make the wager: their hands are envied too. More favour the player."""
    forfeited_with: str = ""
    """Hands of two suits whose fold before the flop forfeits the wager, `72o 62o`; none where a fold forfeits nothing,
    as by default. More favour the house."""
    mega: float = 0.0
    """Dollars on the mega meter when the round begins. More favour the player."""
    major: float = 0.0
    """Dollars on the major meter, likewise."""
    minor: float = 0.0
    """Dollars on the minor meter, likewise."""


def check(deal: Deal, rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_bet(rules.bet)
    check_players("seats", rules.seats, deal)
    if not 1 <= rules.seat <= rules.seats:
        raise RequestError(f"seat is {rules.seat}; expected 1 to {rules.seats}, the number of seats")
    if rules.other_players < 0:
        raise RequestError(f"other_players is {rules.other_players}; expected 0 or more")
    check_players("seats and other_players together", _players(rules), deal)
    if not _has_flop(deal) and _players(rules) > 1:
        raise RequestError(
            f"seats and other_players together is {_players(rules)}; expected 1, for hands of {deal.own} cards and "
            f"{deal.community} in common are priced for one player alone"
        )
    _folded(deal, rules)
    paytable.check(EVENTS, optional=ENVY)
    meters.check_shares(paytable, AWARDS, EVENTS[len(AWARDS) :])
    for event in ENVY:
        pay = paytable.pays.get(event, Dollars(Fraction(0)))
        if not isinstance(pay, Dollars):
            raise RequestError(
                f"pay table {paytable.name}: {event} pays {pay}; expected dollars for each dollar of the wager, as $300"
            )
    meters.read(paytable, _named(rules), None)


def _players(rules: Rules) -> int:
    return rules.seats + rules.other_players


def _folded(deal: Deal, rules: Rules) -> frozenset[str]:
    """The hands that forfeit the wager; RequestError for what is none."""
    hands_folded = rules.forfeited_with.replace(",", " ").split()
    for name in hands_folded:
        if (turned := name[1::-1] + name[2:]) in HANDS and name not in HANDS:
            raise RequestError(f"forfeited_with has {name}; expected the higher card first, {turned}")
        if name not in HANDS:
            raise unknown("hand that forfeits the wager:", name, HANDS)
        if name.endswith("s"):
            raise RequestError(
                f"forfeited_with has {name}; expected pairs and hands of two suits, which make no straight flush"
            )
    if hands_folded and not _has_flop(deal):
        raise RequestError(
            f"forfeited_with is {rules.forfeited_with}; expected none, for {deal.game} has no hole cards"
        )
    return frozenset(hands_folded)


def _has_flop(deal: Deal) -> bool:
    return (deal.own, deal.community) == (2, 3)


def _named(rules: Rules) -> dict[str, float]:
    return {name: float(getattr(rules, name)) for name in meters.NAMED}


def evaluate(deal: Deal, rules: Rules, paytable: PayTable, *, meter: float | Fraction | None = None) -> Returns:
    """Return what the wager of one seat is worth, per unit of it.

    meter : dollars on the meter of a table with one; without it, $0. What several show are rules

    Details: `fixed_ev`, what the wager is worth with empty meters, envy included, and `envy_ev`, envy alone; `meters`,
    what a dollar on each adds and where each makes the wager fair (None if it can't); `meter` and `breakeven_meter`, of
    the one that pays a royal flush; `by_seat`, the EV of every seat; and `prizes`, how often each line is paid.
    Raises RequestError for rules, a pay table or a meter that make no sense.
    """
    check(deal, rules, paytable)
    dollars = meters.read(paytable, _named(rules), meter)
    bet, envy = Fraction(str(rules.bet)), _envy(paytable)

    def worth(seat: int) -> Worth:
        parts = [
            (chance, _prize(paytable, category, awards), awards) for category, awards, chance in law(deal, rules, seat)
        ]
        fixed = sum((chance * (prize.fixed + _envied(envy, awards)) for chance, prize, awards in parts), Fraction(0))
        shares = {
            name: sum((chance * prize.share for chance, prize, _ in parts if prize.meter == name), Fraction(0))
            for name in dollars
        }
        return Worth(fixed - 1, {name: share / bet for name, share in shares.items()})

    outcomes, won = [], {event: Fraction(0) for event in (*EVENTS, *ENVY)}
    for category, awards, chance in law(deal, rules, rules.seat):
        prize, envied = _prize(paytable, category, awards), _envied(envy, awards)
        on_meter = prize.share * dollars[prize.meter] / bet if prize.meter else Fraction(0)
        event = ENVY_ALONE if envied and category not in EVENTS else category
        outcomes.append(Outcome(event, chance, prize.fixed + on_meter + envied - 1))
        for line, times in ((category, 1), (ENVY[0], awards[1] + awards[3]), (ENVY[1], awards[0] + awards[2])):
            if line in won:
                won[line] += chance * times
    order = (*EVENTS, ENVY_ALONE, *CATEGORIES[len(EVENTS) :], FORFEITED)
    by_seat = {seat: worth(seat) for seat in range(1, rules.seats + 1)}
    envy_ev = sum((won[line] * envy[line] for line in ENVY), Fraction(0))
    return exact_returns(
        deal.game,
        BET,
        rules._asdict(),
        paytable.name,
        sorted(outcomes, key=lambda outcome: order.index(outcome.event)),
        _deals(_players(rules), folds=bool(rules.forfeited_with)),
        {
            **by_seat[rules.seat].details(dollars),
            "envy_ev": float(envy_ev),
            "by_seat": [{"seat": seat, "ev": float(each.ev(dollars))} for seat, each in by_seat.items()],
            "prizes": [
                {"event": line, "pays": str(paytable.pays[line]), "times_per_round": float(times)}
                for line, times in won.items()
                if line in paytable.pays
            ],
        },
    )


def law(deal: Deal, rules: Rules, seat: int) -> Iterator[tuple[str, flops.Awards, Fraction]]:
    """Yield what the seat may hold, the awards of earlier and of later hands, and the chance of both."""
    folded = _folded(deal, rules)
    if _players(rules) == 1 and not folded:
        for category, combinations in hands(5).items():
            yield category, (0, 0, 0, 0), Fraction(combinations, comb(52, 5))
        return
    alone = flops.laws(folded).alone
    seats = flops.Seats(seat - 1, _players(rules) - seat)
    for awards, parts in flops.arrangements(seats, deal_to_dealer=False).items():
        for number, category in enumerate((*flops.CATEGORIES, FORFEITED)):
            chance = sum((Fraction(ways * int(alone[others][number]), of) for others, ways, of in parts), Fraction(0))
            if chance:
                yield category, awards, chance


def _deals(players: int, *, folds: bool) -> int:
    if players == 1 and not folds:
        return comb(52, 5)
    return flops.deals(min(players - 1, 2), deal_to_dealer=False)


def _prize(paytable: PayTable, category: str, awards: flops.Awards) -> Prize:
    """What a hand wins when so many straight flushes and royal flushes were paid before it."""
    straight, royal = (prize_of(paytable, event) for event in reversed(ENVIED))
    return prize_of(paytable, category).less([straight] * awards[0] + [royal] * awards[1])


def _envy(paytable: PayTable) -> dict[str, Fraction]:
    """What each envy bonus pays, in wagers: a dollar for a dollar."""
    pays = {event: paytable.pays.get(event) for event in ENVY}
    return {event: pay.amount if isinstance(pay, Dollars) else Fraction(0) for event, pay in pays.items()}


def _envied(envy: Mapping[str, Fraction], awards: flops.Awards) -> Fraction:
    return (awards[0] + awards[2]) * envy[ENVY[1]] + (awards[1] + awards[3]) * envy[ENVY[0]]


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    deal: Deal,
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    meter: float | Fraction | None = None,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal everybody's cards and those in common, a fresh pack each round, and settle the wager of the seat.

    meter : dollars on the meter of a table with one when each round begins; without it, $0
    Raises RequestError for rules, a pay table or a meter that make no sense, and for such rounds or such a seed.
    """
    check(deal, rules, paytable)
    settle = partial(_settle, rules, paytable, meters.read(paytable, _named(rules), meter))
    every = product(range(len(FIRST) + 1), *(range(min(3, _players(rules))),) * 4)
    chunk = Dealt(
        decks=1,
        pack="standard",
        places=(ANY,) * (deal.community + deal.own * _players(rules)),
        look=partial(_look, deal, rules),
        settle=settle,
        unit=Fraction(1, lcm(*(settle(seen).net.denominator for seen in every))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def _look(deal: Deal, rules: Rules, cards: Cards) -> list[Counts]:
    """The seat's category, and how many straight flushes and royal flushes there are before it and after it."""
    common = list(range(deal.community))
    held = []
    for player in range(_players(rules)):
        first = deal.community + deal.own * player
        held.append(categories(hands_at(cards, [*common, *range(first, first + deal.own)])))
    own = np.where(_is_folded(deal, rules, cards), len(FIRST), held[rules.seat - 1])
    sides = held[: rules.seat - 1], held[rules.seat :]
    kinds = [NUMBER[event] for event in reversed(ENVIED)]
    return [own, *(sum((hand == kind for hand in side), 0 * own) for side in sides for kind in kinds)]


def _is_folded(deal: Deal, rules: Rules, cards: Cards) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """Whether the seat's own cards are among those whose fold forfeits the wager."""
    first = deal.community + deal.own * (rules.seat - 1)
    ranks, suits = hands_at(cards, [first, first + 1])
    folded = np.zeros(ranks.shape[1], dtype=np.bool_)
    for name in _folded(deal, rules):
        low, high = sorted(POKER_RANKS.index(letter) for letter in name[:2])
        folded |= (ranks.min(axis=0) == low) & (ranks.max(axis=0) == high) & (suits[0] != suits[1])
    return folded


def _settle(rules: Rules, paytable: PayTable, dollars: Mapping[str, Fraction], seen: tuple[int, ...]) -> Settled:
    category, straights_before, royals_before, straights_after, royals_after = seen
    left, event, bet = dict(dollars), (*FIRST, FORFEITED)[category], Fraction(str(rules.bet))
    for paid, times in (("straight_flush", straights_before), ("royal_flush", royals_before)):
        for _ in range(times):
            _take(paytable, paid, left)
    net = _take(paytable, event, left) / bet - 1
    pay = paytable.pays.get(event)
    if isinstance(pay, Fraction):
        net = pay
    for envied, times in (
        ("straight_flush", straights_before + straights_after),
        ("royal_flush", royals_before + royals_after),
    ):
        envy = paytable.pays.get(f"envy_{envied}")
        if times and isinstance(envy, Dollars):
            net += times * envy.amount
            event = event if event in EVENTS else ENVY_ALONE
    return Settled(event, net)


def _take(paytable: PayTable, event: str, left: dict[str, Fraction]) -> Fraction:
    """Take an award from its meter, and return what it came to in dollars."""
    prize = prize_of(paytable, event)
    taken = prize.share * left[prize.meter] if prize.meter else Fraction(0)
    if prize.meter:
        left[prize.meter] -= taken
    return taken
