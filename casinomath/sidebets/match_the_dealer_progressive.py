"""The Match the Dealer progressive of Spanish 21: a fixed wager on matches with both of the dealer's cards.

How the documents are read here:

- The wager is never returned: what a line pays, in dollars or as a share of the meter, is all that comes back.
- Fixed prizes are paid for the player's matches with the upcard, and again for those with the down card.
- "Two suited matches" are two player's cards of the rank and suit of a dealer's card. With the upcard and the down card
  alike they win the one award of `two_suited_matches_up_and_down` (four cards are the same, so it takes four decks);
  with only one of them that of `two_suited_matches_up_or_down`, and a fixed prize besides where the two cards match
  the other one unsuited.
- Several awards of one round are paid in order of seat, from the dealer's left, each a share of what those before left
  on the meter. What a meter is reset to counts from the next round. `seats` are the players who bet on the progressive;
  who else sits there does not matter.

Method: exact, in fractions (see `matches`); awards of other seats by inclusion and exclusion over the seats, for the
cards dealt to several players are as likely in any order. Source: ``data/match_the_dealer_progressive.toml``.
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from itertools import product
from math import comb, factorial, lcm, prod
from typing import Any, Final, NamedTuple, TypeAlias, Unpack

import numpy as np

from casinomath import montecarlo
from casinomath.beside import Seen, SideBet, side_bet
from casinomath.cards import Pack, by_rank, check_decks
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.errors import RequestError
from casinomath.matches import (
    EVENTS,
    NO_MATCH,
    SUITED,
    Matches,
    Shoe,
    chances,
    deals,
    deals_of,
    event_of,
    law,
    matches_of,
    read_shoe,
)
from casinomath.money import check_bet, read_meter
from casinomath.paytable import Dollars, MeterShare, PayTable
from casinomath.returns import Outcome, Returns, exact_returns

STEM = "match_the_dealer_progressive"
BETS = ("main",)

AWARDS: Final = ("two_suited_matches_up_and_down", "two_suited_matches_up_or_down")
"""Events that a share of the meter may be paid for."""

PRIZES: Final = ("suited_and_unsuited_match", "suited_match", "two_unsuited_matches", "unsuited_match")
"""Events that fixed dollars are paid for, for the upcard and for the down card."""

TWO_SUITED: Final = Matches(2, 0)

Pair: TypeAlias = tuple[Matches, ...]
"""A player's matches with the upcard and with the down card."""


class Rules(NamedTuple):
    """The rules of the Match the Dealer progressive. Defaults: the five-deck house, one player."""

    decks: int = 5
    """Decks in the shoe. More favour the player: there are more cards that are alike."""
    pack: Pack = "spanish"
    """Spanish packs have 48 cards, without the tens, standard packs 52. Fewer ranks favour the player."""
    bet: float = 5.0
    """The wager in dollars, the same for everybody; it is not returned."""
    seats: int = 1
    """Players who make the wager. More favour the house, which pays several awards of a round from one meter."""
    seat: int = 1
    """Whose wager is priced: 1 is paid first. The last one is paid from what all others left."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, rules.pack)
    check_bet(rules.bet)
    if rules.seats < 1:
        raise RequestError(f"seats is {rules.seats}; expected 1 or more")
    if not 1 <= rules.seat <= rules.seats:
        raise RequestError(f"seat is {rules.seat}; expected 1 to {rules.seats}, the number of seats")
    _check_cards(rules, sum(fresh_shoe(rules).values()))
    paytable.check((*AWARDS, *PRIZES))
    for event, pay in paytable.pays.items():
        if isinstance(pay, Fraction):
            raise RequestError(
                f"pay table {paytable.name}: {event} pays odds of {pay} to 1; expected dollars such as $30"
                f"{' or a share such as 10% of meter' * (event in AWARDS)}, for the wager is not returned"
            )
        if isinstance(pay, MeterShare) and event not in AWARDS:
            raise RequestError(
                f"pay table {paytable.name}: {event} pays {pay}, and perhaps twice in a round; "
                f"expected dollars, for only {' and '.join(AWARDS)} may pay a share of the meter"
            )


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by rank."""
    return by_rank(rules.decks, rules.pack)


def evaluate(
    rules: Rules,
    paytable: PayTable,
    *,
    shoe: Iterable[int] | str | None = None,
    meter: float | Fraction | None = None,
) -> Returns:
    """Return what the wager of one seat is worth at a meter; without one, at a meter of $0: the fixed prizes alone.

    shoe  : counts left, ten by value (ace first) or one for each rank of the pack (A, 2, …, Q, K)
    meter : dollars on the meter when the round begins

    Details: `breakeven_meter`, at which the seat's wager is fair (None if no meter makes it so); `fixed_ev`, what the
    fixed prizes alone are worth, and `ev_per_meter_dollar`; `by_seat`, the EV of every seat; and `prizes`, how often
    each line of the pay table is paid.
    Raises RequestError for rules, a pay table, a shoe or a meter that make no sense.
    """
    check(rules, paytable)
    dollars = read_meter(paytable, meter)
    cards = read_shoe(rules.decks, rules.pack, shoe)
    _check_cards(rules, cards.cards)
    bet, pairs = Fraction(str(rules.bet)), law(cards, dealer_cards=2)
    won = {pair: prize(pair, paytable) for pair in pairs}
    terms = award_terms(cards, rules.seats - 1)

    def outcomes(seat: int) -> Iterator[tuple[Pair, Fraction, Fraction, Fraction]]:
        """What the seat may win: matches, their chance, fixed dollars, and the share of the meter as it began."""
        for pair, chance in pairs.items():
            fixed, share = won[pair]
            if not share:
                yield pair, chance, fixed, share
                continue
            for earlier, part in enumerate(earlier_awards(terms, pair, seat - 1)):
                yield pair, part, fixed, share * (1 - share) ** earlier

    fixed_ev = sum((chance * won[pair][0] for pair, chance in pairs.items()), Fraction(0)) / bet - 1
    slopes = [
        sum((chance * share for _, chance, _, share in outcomes(seat)), Fraction(0)) / bet
        for seat in range(1, rules.seats + 1)
    ]
    breakeven = [-fixed_ev / slope if slope and fixed_ev <= 0 else None for slope in slopes]
    own = breakeven[rules.seat - 1]
    return exact_returns(
        STEM,
        "main",
        rules._asdict(),
        paytable.name,
        sorted(
            (
                Outcome(_event(pair), chance, (fixed + share * dollars) / bet - 1)
                for pair, chance, fixed, share in outcomes(rules.seat)
            ),
            key=lambda outcome: -outcome.net,
        ),
        deals_of(cards, dealer_cards=2),
        {
            "meter": float(dollars),
            "fixed_ev": float(fixed_ev),
            "ev_per_meter_dollar": float(slopes[rules.seat - 1]),
            "breakeven_meter": _float(own),
            "breakeven_meter_exact": str(own) if own is not None else None,
            "by_seat": [
                {"seat": seat, "ev": float(fixed_ev + slope * dollars), "breakeven_meter": _float(meter_needed)}
                for seat, (slope, meter_needed) in enumerate(zip(slopes, breakeven, strict=True), start=1)
            ],
            "prizes": _prizes(pairs, paytable),
        },
    )


def _check_cards(rules: Rules, cards: int) -> None:
    if cards < 2 + 2 * rules.seats:
        raise RequestError(
            f"seats is {rules.seats}; the shoe holds {cards} cards, which deal the dealer and at most "
            f"{max(0, cards - 2) // 2} seats"
        )


def prize(pair: Pair, paytable: PayTable) -> tuple[Fraction, Fraction]:
    """Return what matches win: fixed dollars, and a share of the meter."""
    dollars, share = Fraction(0), Fraction(0)
    for line in lines(pair):
        pay = paytable.pays[line]
        if isinstance(pay, MeterShare):
            share += pay.share
        elif isinstance(pay, Dollars):
            dollars += pay.amount
    return dollars, share


def lines(pair: Pair) -> list[str]:
    """Return the lines of the pay table that pay for matches: one award, or one line for each of the dealer's cards."""
    if pair == (TWO_SUITED, TWO_SUITED):
        return [AWARDS[0]]
    return [AWARDS[1] if matches == TWO_SUITED else EVENTS[matches] for matches in pair if matches != NO_MATCH]


# --- Awards of several seats --------------------------------------------------------------------------------

Terms: TypeAlias = dict[tuple[Pair, int], Fraction]
"""The chance that a player makes these matches, and that so many certain others are two suited matches too."""


def award_terms(shoe: Shoe, others: int) -> Terms:
    """Return the terms for up to so many other players; those that vanish are left out.

    Two players who both win an award in one round win the same one: it depends on whether the dealer's cards are alike.
    """
    sums: Counter[tuple[tuple[Pair, int], int]] = Counter()
    for deal in deals(shoe, 2):
        alike = [place for place in deal.classes() if SUITED in place[1]]
        most = tuple(min(deal.parts[part].left, deal.parts[part].standing[relation]) // 2 for part, relation in alike)
        for hands, arrangements in _shared(most, others + 1):
            number = sum(hands)
            ways, of = deal.chance_of({place: 2 * mine for place, mine in zip(alike, hands, strict=True) if mine})
            # Of the arrangements of all these hands, those in which a certain player's two cards are of a class.
            for place, mine in zip(alike, hands, strict=True):
                if mine:
                    pair = matches_of(place[1], place[1])
                    sums[(pair, number - 1), of] += ways * (arrangements * mine // number)
    return chances(sums)


@cache
def _shared(most: tuple[int, ...], players: int) -> list[tuple[tuple[int, ...], int]]:
    """Every way in which 1 to so many players share classes of hands, and in how many orders it comes."""
    return [
        (hands, factorial(sum(hands)) // prod(map(factorial, hands)))
        for hands in product(*(range(each + 1) for each in most))
        if 0 < sum(hands) <= players
    ]


def earlier_awards(terms: Terms, pair: Pair, earlier: int) -> list[Fraction]:
    """Return the chance that a player makes these matches when 0, 1, … of so many earlier seats won an award."""
    most = min(earlier, max((number for _, number in terms), default=0))
    some = [terms.get((pair, number), Fraction(0)) * comb(earlier, number) for number in range(most + 1)]
    return [
        sum((term * comb(more, exactly) * (-1) ** (more + exactly) for more, term in enumerate(some)), Fraction(0))
        for exactly in range(most + 1)
    ]


# --- Simulation ---------------------------------------------------------------------------------------------

UP, DOWN = range(2)
"""Where the dealer's cards are dealt; the players' come after them, two to each seat."""


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    meter: float | Fraction | None = None,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal rounds to the dealer and to every seat up to the one that is priced, a fresh shoe each, and settle them.

    meter : dollars on the meter when each round begins; without it, $0
    Raises RequestError for rules, a pay table or a meter that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    dollars = read_meter(paytable, meter)
    # any sum of what may be paid is a multiple of the unit
    amounts = [
        paid / Fraction(str(rules.bet))
        for each in product(range(rules.seat), repeat=2)
        for paid in (_paid(line, paytable, _left(paytable, dollars, each)) for line in paytable.pays)
    ]
    chunk = Dealt(
        decks=rules.decks,
        pack=rules.pack,
        places=(ANY,) * (2 + 2 * rules.seat),
        look=partial(_look, rules.seat),
        settle=partial(_settle, rules, paytable, dollars),
        unit=Fraction(1, lcm(*(amount.denominator for amount in amounts))),
    )
    return montecarlo.run(chunk, rounds, seed, **running)


def beside(rules: Rules, paytable: PayTable, *, seats: int = 1, meter: float | Fraction | None = None) -> SideBet:
    """Return the bet as a game settles it in its own rounds, in which every seat makes it and is paid in its turn.

    meter : dollars on the meter when each round begins; without it, $0
    Raises RequestError for rules, a pay table or a meter that make no sense.
    """
    check(rules, paytable)
    settle = partial(_settle_seen, rules, paytable, read_meter(paytable, meter))
    return side_bet(STEM, rules.decks, rules.pack, settle, _is_award, seats)


def _is_award(seen: Seen) -> bool:
    return TWO_SUITED in (seen.up, seen.down)


def _settle_seen(rules: Rules, paytable: PayTable, meter: Fraction, seen: Seen, earlier: int) -> Settled:
    """Settle after so many seats won an award: the same as this one, if any, for the dealer's cards are the same."""
    with_both, with_one = (earlier, 0) if seen.up == seen.down == TWO_SUITED else (0, earlier)
    return _settle(rules, paytable, meter, (*seen.up, *seen.down, with_both, with_one))


def _look(seat: int, cards: Cards) -> list[Counts]:
    """A seat's suited and unsuited matches with each of the dealer's cards, and how many earlier seats win an award.

    Those with two suited matches with both of the dealer's cards, and those with only one of them.
    """
    own = (2 * seat, 2 * seat + 1)
    with_both = with_one = np.zeros(cards.ranks.shape[1], dtype=np.int64)
    for earlier in range(1, seat):
        up, down = (cards.matches(dealers, (2 * earlier, 2 * earlier + 1))[0] == 2 for dealers in (UP, DOWN))
        with_both = with_both + (up & down)
        with_one = with_one + (up ^ down)
    return [*cards.matches(UP, own), *cards.matches(DOWN, own), with_both, with_one]


def _settle(rules: Rules, paytable: PayTable, meter: Fraction, seen: tuple[int, ...]) -> Settled:
    suited_up, unsuited_up, suited_down, unsuited_down, *earlier = seen
    pair = Matches(suited_up, unsuited_up), Matches(suited_down, unsuited_down)
    left = _left(paytable, meter, earlier)
    if suited_up == suited_down == 2:
        paid = _paid("two_suited_matches_up_and_down", paytable, left)
    else:
        paid = sum((_paid(LINES[matches], paytable, left) for matches in pair if any(matches)), Fraction(0))
    return Settled(_event(pair), paid / Fraction(str(rules.bet)) - 1)


LINES: Final = {
    (2, 0): "two_suited_matches_up_or_down",
    (1, 1): "suited_and_unsuited_match",
    (1, 0): "suited_match",
    (0, 2): "two_unsuited_matches",
    (0, 1): "unsuited_match",
}
"""The line of the pay table by suited and unsuited matches with one of the dealer's cards."""


def _left(paytable: PayTable, meter: Fraction, earlier: Iterable[int]) -> Fraction:
    """What earlier seats leave on the meter, so many of which won each of the two awards."""
    for award, winners in zip(AWARDS, earlier, strict=True):
        for _ in range(winners):
            meter -= _paid(award, paytable, meter) if isinstance(paytable.pays[award], MeterShare) else 0
    return meter


def _paid(line: str, paytable: PayTable, meter: Fraction) -> Fraction:
    """What a line pays, in dollars, when so many are on the meter."""
    pay = paytable.pays[line]
    if isinstance(pay, MeterShare):
        return pay.share * meter
    assert isinstance(pay, Dollars)
    return pay.amount


# --- What is said about it ----------------------------------------------------------------------------------


def _event(pair: Pair) -> str:
    return AWARDS[0] if pair == (TWO_SUITED, TWO_SUITED) else event_of(pair)


def _prizes(pairs: dict[Pair, Fraction], paytable: PayTable) -> list[dict[str, Any]]:
    """How likely each line of the pay table is to be paid, and how often it is on average: some are paid twice."""
    found = []
    for event in (*AWARDS, *PRIZES):
        paid = [(lines(pair).count(event), chance) for pair, chance in pairs.items()]
        found.append(
            {
                "event": event,
                "pays": str(paytable.pays[event]),
                "probability": float(sum(chance for times, chance in paid if times)),
                "times_per_round": float(sum(times * chance for times, chance in paid)),
            }
        )
    return found


def _float(number: Fraction | None) -> float | None:
    return None if number is None else float(number)
