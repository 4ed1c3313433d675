"""Dragon Bonus against dealt coups; published combinations are tests by themselves."""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from casinomath import catalog, request, sensitivity
from casinomath.errors import RequestError
from casinomath.paytable import PayTable
from casinomath.sidebets import dragon_bonus


def won(own: int, other: int, own_natural: bool, other_natural: bool) -> str:
    """A hand against the other, as a dealer at the table settles the bet on it."""
    if own_natural or other_natural:
        return "natural_win" if own > other else "natural_tie" if own == other else "loss"
    return f"win_by_{own - other}" if own - other >= 4 else "loss"


def test_a_tiny_shoe_is_dealt_in_every_order() -> None:
    points = [1, 2, 4, 6, 9, 9, 0]
    found: dict[str, Counter[str]] = {"player": Counter(), "banker": Counter()}
    for cards in permutations(points, 6):
        player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
        two, table = sum(player) % 10, {3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}
        naturals = two > 7, sum(banker) % 10 > 7
        if not any(naturals):
            total = sum(banker) % 10
            if two < 6:
                player.append(rest.pop(0))
                if total < 3 or str(player[2]) in table[total]:
                    banker.append(rest.pop(0))
            elif total < 6:
                banker.append(rest.pop(0))
        hands = sum(player) % 10, sum(banker) % 10
        found["player"][won(*hands, *naturals)] += 1
        found["banker"][won(*hands[::-1], *naturals[::-1])] += 1
    shoe = [1, 1, 0, 1, 0, 1, 0, 0, 2, 1]
    for bet, events in found.items():
        returns = request.evaluate(f"dragon_bonus:{bet}", shoe=shoe)
        assert {event.event: event.combinations for event in returns.events} == events


@pytest.mark.parametrize("paytable", list(catalog.paytables("dragon_bonus")))
@pytest.mark.parametrize("bet", dragon_bonus.BETS)
def test_simulated_coups_agree(bet: str, paytable: str) -> None:
    asked = request.resolve(f"dragon_bonus:{bet}", paytable=paytable)
    returns, sample = asked.evaluate(), asked.simulate(200_000, 9)
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 4


def test_naturals_favour_neither_side_but_the_tableau_does() -> None:
    player, banker = (
        {e.event: e.combinations for e in request.evaluate(f"dragon_bonus:{bet}").events} for bet in dragon_bonus.BETS
    )
    for event in ("natural_win", "natural_tie"):
        assert player[event] == banker[event]
    assert (player["win_by_9"] or 0) > (banker["win_by_9"] or 0)


@pytest.mark.parametrize("bet", dragon_bonus.BETS)
def test_effects_of_removal_average_to_nothing(bet: str) -> None:
    effects = sensitivity.removal_effects(f"dragon_bonus:{bet}")
    assert effects.mean_ev_exact == effects.ev_exact


def test_wrong_requests() -> None:
    with pytest.raises(RequestError, match="unknown bet of dragon_bonus: 'tie'"):
        request.evaluate("dragon_bonus:tie")
    with pytest.raises(RequestError, match="lacks win_by_8"):
        request.evaluate("dragon_bonus", paytable=PayTable("own", {"win_by_9": Fraction(30)}))
    with pytest.raises(RequestError, match="decks is 17"):
        request.evaluate("dragon_bonus", change={"decks": 17})
    for verb, numbers in ((dragon_bonus.evaluate, ()), (dragon_bonus.simulate, (10, 1))):
        with pytest.raises(RequestError, match="unknown bet of dragon_bonus"):
            verb(dragon_bonus.Rules(), catalog.paytable("dragon_bonus"), *numbers, bet="tie")
