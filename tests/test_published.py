"""Every published figure is a test: the exact calculation rounds to it, or an erratum in the data says why not."""

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from casinomath import catalog
from casinomath.catalog import Published
from casinomath.request import evaluate, resolve, strategy
from casinomath.returns import Event, Returns
from casinomath.strategy import Strategy


def priced(row: Published) -> Returns:
    return evaluate(f"{row.stem}:{row.bet}", row.rules, row.paytable, row.set, strategy=row.strategy)


def house_edge(row: Published) -> float:
    if (row.stem, row.bet) == ("spanish21", "insurance"):
        insurance_ev = evaluate(row.stem, row.rules, change=row.set).details["insurance_ev"]
        assert isinstance(insurance_ev, float)
        return -insurance_ev
    return priced(row).house_edge


def change_in_house_edge(row: Published) -> float:
    return house_edge(row) - evaluate(row.stem, row.rules, row.paytable, strategy=row.strategy).house_edge


def known(measure: float | None) -> float:
    assert measure is not None
    return measure


def ev(row: Published) -> float:
    """Of a bet, or of an action on a hand."""
    if row.hand is None:
        return priced(row).ev
    assert row.action
    best = best_play(row.stem, row.rules, row.paytable, tuple(row.set.items()))
    if row.upcard is None:  # before the flop
        (cell,) = [cell for cell in best.cells if cell.hand == row.hand]
        return cell.evs[row.action]
    (cell,) = best.find(row.hand.replace("-", " "), row.upcard)
    return cell.evs[row.action]


@cache
def best_play(stem: str, rules: str | None, paytable: str | None, change: tuple[tuple[str, object], ...]) -> Strategy:
    """Many figures are of one table."""
    return strategy(stem, rules, paytable, dict(change))


def effect_of_removal(row: Published) -> float:
    """Of one card less in the shoe."""
    assert row.removed
    request = resolve(row.stem, row.rules, row.paytable, row.set)
    shoe = request.game.fresh_shoe(request.rules)  # type: ignore[attr-defined]
    shoe[row.removed] -= 1
    less = evaluate(row.stem, row.rules, row.paytable, row.set, shoe=list(shoe.values()))
    return less.ev - request.evaluate().ev


def ev_less_a_card(row: Published) -> float:
    """Of a chart made for the whole shoe, when one card is gone."""
    assert row.strategy
    request = resolve(row.stem, row.rules, row.paytable, row.set)
    game: Any = request.game
    shoe = game.fresh_shoe(request.rules)
    shoe[row.removed] -= 1
    chart = game.named_chart(request.rules, request.paytable, strategy=row.strategy)
    return float(game.evaluate(request.rules, request.paytable, shoe=shoe.values(), strategy=chart).ev)


def change_in_ev(row: Published) -> float:
    """Effects of removal, per deck: decks x what one card less does."""
    decks: float = resolve(row.stem, row.rules, row.paytable, row.set).rules._asdict()["decks"]
    return decks * effect_of_removal(row)


def events(row: Published) -> list[Event]:
    """One, or some with + between them."""
    named = {event.event: event for event in priced(row).events}
    return [named[name] for name in (row.event or "").split(" + ")]


def combinations(row: Published) -> float:
    return sum(known(event.combinations) for event in events(row))


def two_hands(row: Published) -> float:
    """Deals in which a hand meets another: `full_house against four_of_a_kind`."""
    table = priced(row).details["two_hands"].set_index(["player", "dealer"])["combinations"]
    return float(table[tuple((row.event or "").split(" against "))])


def probability_given_player_total(row: Published) -> float:
    """Baccarat: who wins, given the player's total of two cards."""
    table = priced(row).details["given_player_total"].set_index("player_total")
    return float(table.loc[int(row.hand or ""), row.bet])


def qualifying_frequency(row: Published) -> float:
    """Lucky Stiff: that the bet is not lost with the first two cards."""
    return sum(event.probability for event in priced(row).events if event.event != "not_stiff")


def house_edge_together(row: Published) -> float:
    """Of a side bet and the main one, per unit of both wagers."""
    together = priced(row).details["together_ev"]
    assert isinstance(together, float)
    return -together


MEASURES: dict[str, Callable[[Published], float]] = {
    "house_edge": house_edge,
    "change_in_house_edge": change_in_house_edge,
    "reduction_of_house_edge": lambda row: -change_in_house_edge(row),
    "ev": ev,
    "change_in_ev": change_in_ev,
    "effect_of_removal": effect_of_removal,
    "ev_less_a_card": ev_less_a_card,
    "hit_frequency": lambda row: known(priced(row).hit_frequency),
    "combinations": combinations,
    "probability": lambda row: sum(event.probability for event in events(row)),
    "probability_given_player_total": probability_given_player_total,
    "qualifying_frequency": qualifying_frequency,
    "house_edge_together": house_edge_together,
    "stdev": lambda row: known(priced(row).stdev),
    "element_of_risk": lambda row: priced(row).element_of_risk,
    "average_wager": lambda row: priced(row).average_wager,
    "deals": lambda row: sum(each.combinations or 0 for each in priced(row).events),
    "fold_frequency": lambda row: priced(row).details["decisions"]["fold"],
    "house_edge_never_folding": lambda row: -priced(row).details["ev_never_folding"],
    "ev_per_meter_dollar": lambda row: priced(row).details["meters"][0]["ev_per_dollar"],
    "two_hands": two_hands,
    "house_edge_per_bet_resolved": lambda row: priced(row).details["house_edge_per_bet_resolved"],
}

NOT_PRICED = {"cards_per_hand", "house_edge_to_cut_card"}
"""Measures that no part of the package calculates: the row is evidence for reports, not a test."""

ELSEWHERE = {"dealer_card_seen", "dealer_and_flop_card_seen"}
"""Rules that take most of a minute to price: `games/test_ultimate_seen.py` does it once, for all that it asks."""

ROWS = [
    row
    for stem in catalog.stems()
    for row in catalog.published(stem)
    if row.measure not in NOT_PRICED and row.rules not in ELSEWHERE
]


@pytest.mark.parametrize(
    "row", ROWS, ids=lambda row: f"{row.stem}-{row.measure}-{row.rules}-{row.removed or row.value}"
)
def test_published(row: Published) -> None:
    calculated = MEASURES[row.measure](row)
    if row.erratum is None:
        assert row.agrees(calculated), f"{calculated:.6%} is not {row.value} ± {row.within:.6%}: {row.source}"
    else:
        assert not row.agrees(calculated), f"{calculated:.6%} is {row.value}: the erratum is out of date"
