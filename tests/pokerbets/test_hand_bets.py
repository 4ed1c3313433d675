"""Trips, Bad Beat and the Bonus bet: known counts, dealt rounds, and what makes no sense."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from types import ModuleType
from typing import Any

import pytest

from casinomath import catalog
from casinomath.errors import RequestError
from casinomath.paytable import MeterShare, PayTable
from casinomath.pokerbets import bad_beat, holdem_bonus, trips
from casinomath.pokerbets.deal import Deal

HOLDEM = Deal("ultimate_texas_holdem", own=2, community=3, board=5)
EVERY = [(bet, name) for bet in (trips, holdem_bonus, bad_beat) for name in catalog.paytables(bet.BET)]


@pytest.mark.parametrize(("bet", "name"), EVERY, ids=lambda each: getattr(each, "BET", each))
def test_bets_are_dealt_and_settled(bet: ModuleType, name: str) -> None:
    table, rules = catalog.paytable(bet.BET, name), bet.Rules()
    returns = bet.evaluate(HOLDEM, rules, table)
    sample = bet.simulate(HOLDEM, rules, table, 150_000, 11)
    assert abs(sample.agreement(returns)) < 4
    assert sum(event.probability for event in returns.events) == pytest.approx(1, abs=1e-12)
    for event in returns.events:
        if event.probability > 1e-4:
            assert abs(sample.event_agreement(event.event, event.probability)) < 4, event.event


def test_two_cards_are_counted_one_by_one() -> None:
    """Every pair of cards, named as a player names it."""
    found: Counter[str] = Counter()
    for one, other in combinations([(rank, suit) for rank in "23456789TJQKA" for suit in "shdc"], 2):
        ranks, suited = {one[0], other[0]}, one[1] == other[1]
        if len(ranks) == 1:
            (rank,) = ranks
            line = "pair_of_kings_queens_or_jacks" if rank in "KQJ" else "pair_of_twos_to_tens"
            line = "pair_of_aces" if rank == "A" else line
        elif ranks == {"A", "K"}:
            line = "ace_king_suited" if suited else "ace_king"
        elif ranks in ({"A", "Q"}, {"A", "J"}):
            line = "ace_queen_or_jack_suited" if suited else "ace_queen_or_jack"
        else:
            line = "no_bonus_hand"
        found[line] += 1
    returns = holdem_bonus.evaluate(HOLDEM, holdem_bonus.Rules(), catalog.paytable("holdem_bonus", "without_both_aces"))
    assert {event.event: event.combinations for event in returns.events} == found


def test_the_line_for_both_aces_takes_one_deal_in_1225_of_the_players_aces() -> None:
    returns = holdem_bonus.evaluate(HOLDEM, holdem_bonus.Rules(), catalog.paytable("holdem_bonus", "with_both_aces"))
    counts = {event.event: event.combinations or 0 for event in returns.events}
    assert counts["pair_of_aces_for_both"] == 6
    assert counts["pair_of_aces"] == 6 * 1224


def test_either_loses_twice_as_often_as_the_player() -> None:
    table = catalog.paytable("bad_beat", "two_way")
    either, player = (bad_beat.evaluate(HOLDEM, bad_beat.Rules(loser), table) for loser in bad_beat.LOSERS)
    of_player = {event.event: event.combinations or 0 for event in player.events}
    for event in either.events:
        if event.event != "tie":
            assert event.combinations == 2 * of_player[event.event]
    assert sum(of_player.values()) == 2_781_381_002_400
    sample = bad_beat.simulate(HOLDEM, bad_beat.Rules("player"), table, 100_000, 5)
    assert abs(sample.event_agreement("player_wins", of_player["player_wins"] / 2_781_381_002_400)) < 4


@pytest.mark.parametrize("bet", [trips, holdem_bonus, bad_beat])
def test_raising_one_pay_never_lowers_the_ev(bet: Any) -> None:
    table = next(iter(catalog.paytables(bet.BET).values()))
    before = bet.evaluate(HOLDEM, bet.Rules(), table).ev_exact
    for event in table.pays:
        more = table.with_pays({event: table.pay(event) + 1})
        assert bet.evaluate(HOLDEM, bet.Rules(), more).ev_exact > before


@pytest.mark.parametrize(("bet", "event"), [(trips, "flush"), (holdem_bonus, "ace_king"), (bad_beat, "straight_flush")])
def test_a_table_without_a_line_or_with_a_share_is_told(bet: Any, event: str) -> None:
    table = next(iter(catalog.paytables(bet.BET).values()))
    without = PayTable("short", {line: pay for line, pay in table.pays.items() if line != event})
    with pytest.raises(RequestError, match=f"pay table short lacks {event}"):
        bet.check(HOLDEM, bet.Rules(), without)
    with pytest.raises(RequestError, match=f"{event} pays 10% of meter; expected odds"):
        bet.check(HOLDEM, bet.Rules(), table.with_pays({event: MeterShare(Fraction(1, 10))}))


def test_a_loser_that_makes_no_sense_is_told() -> None:
    table = catalog.paytable("bad_beat", "two_way")
    with pytest.raises(RequestError, match="unknown loser 'dealer'; choices: either, player"):
        bad_beat.check(HOLDEM, bad_beat.Rules("dealer"), table)  # type: ignore[arg-type]
