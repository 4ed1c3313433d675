"""Push 22 against hands that are dealt card by card; published chances of a 22 are tests by themselves."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import perm, prod

import pytest

from casinomath import catalog, request, sensitivity
from casinomath.cards import STANDARD
from casinomath.errors import RequestError
from casinomath.paytable import PayTable
from casinomath.sidebets import push_22

VALUE = {rank: min(place + 1, 10) for place, rank in enumerate("A23456789TJQK")}


def stands(hand: list[str], hits_soft_17: bool) -> bool:
    total, aces = sum(VALUE[card[0]] for card in hand), any(card[0] == "A" for card in hand)
    soft = aces and total + 10 <= 21
    total += 10 * soft
    return len(hand) >= 2 and (total > 17 or (total == 17 and not (soft and hits_soft_17)))


def kind(hand: list[str]) -> str:
    if sum(VALUE[card[0]] for card in hand) != 22:
        return "no_22"
    suits = "".join(sorted({card[1] for card in hand}))
    return "one_suit_22" if len(suits) == 1 else "one_colour_22" if suits in ("cs", "dh") else "dealer_22"


@pytest.mark.parametrize("hits_soft_17", [False, True])
@pytest.mark.parametrize(("decks", "ranks"), [(1, "257TJQK"), (1, "A6TJQK"), (2, "A68")])
def test_hands_of_real_cards(decks: int, ranks: str, hits_soft_17: bool) -> None:
    """Hands as sets of cards, whatever the order, with the number of ways in which they can lie on the table."""
    shoe = {rank + suit: decks for rank in ranks for suit in "shdc"}
    cards = sum(shoe.values())
    chances: Counter[str] = Counter()
    drawing: Counter[tuple[str, ...]] = Counter({(): 1})
    while drawing:
        longer: Counter[tuple[str, ...]] = Counter()
        for hand, ways in drawing.items():
            for card, number in shoe.items():
                longer[tuple(sorted([*hand, card]))] += ways * (number - hand.count(card))
        drawing = Counter()
        for hand, ways in longer.items():
            if ways and stands([*hand], hits_soft_17):
                chances[kind([*hand])] += Fraction(ways, perm(cards, len(hand)))  # type: ignore[assignment]
            elif ways:
                drawing[hand] = ways
    counts = [sum(VALUE[card[0]] == value for card in shoe) * decks for value in range(1, 11)]
    returns = request.evaluate("push_22", change={"decks": decks, "dealer_hits_soft_17": hits_soft_17}, shoe=counts)
    assert {event.event: event.probability for event in returns.events} == pytest.approx(
        {event: float(chance) for event, chance in chances.items()}, abs=1e-15
    )
    assert returns.ev_exact == 11 * (1 - chances["no_22"]) - chances["no_22"]


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_fresh_shoes_by_plain_recursion(hits_soft_17: bool) -> None:
    """The chance of a 22, card after card by value."""

    @cache
    def chance(left: tuple[int, ...], total: int, ace: bool, cards: int) -> Fraction:
        soft = ace and total <= 11
        best = total + 10 * soft
        if cards >= 2 and (best > 17 or (best == 17 and not (soft and hits_soft_17))):
            return Fraction(total == 22)
        return sum(
            (
                Fraction(number, sum(left))
                * chance(
                    tuple(n - (place == value) for place, n in enumerate(left)),
                    total + value + 1,
                    ace or value == 0,
                    cards + 1,
                )
                for value, number in enumerate(left)
                if number
            ),
            Fraction(0),
        )

    returns = request.evaluate("push_22", change={"decks": 1, "dealer_hits_soft_17": hits_soft_17})
    assert (returns.ev_exact or 0) + 1 == 12 * chance(STANDARD, 0, False, 0)


@pytest.mark.parametrize(("decks", "printed"), [(1, "0.073630"), (2, "0.073168"), (6, "0.072874"), (8, "0.072838")])
def test_what_is_published_for_s17_is_another_chance(decks: int, printed: str) -> None:
    """That of 21 in three cards or more: the erratum in the data."""
    left, chance = [decks * count for count in STANDARD], Fraction(0)
    for hand, orders in push_22.hands(hits_soft_17=False).items():
        hard = sum((value + 1) * number for value, number in enumerate(hand))
        if sum(hand) > 2 and hard + 10 * (hand[0] > 0 and hard <= 11) == 21:
            ways = prod(perm(count, number) for count, number in zip(left, hand, strict=True))
            chance += Fraction(orders.total() * ways, perm(sum(left), sum(hand)))
    assert f"{float(chance):.6f}" == printed


@pytest.mark.parametrize("hits_soft_17", [False, True])
def test_every_hand_of_the_dealer_ends(hits_soft_17: bool) -> None:
    left = [8 * count for count in STANDARD]
    whole = sum(
        (
            orders.total() * Fraction(prod(map(perm, left, hand)), perm(sum(left), sum(hand)))
            for hand, orders in push_22.hands(hits_soft_17=hits_soft_17).items()
        ),
        Fraction(0),
    )
    assert whole == 1


@pytest.mark.parametrize("paytable", list(catalog.paytables("push_22")))
@pytest.mark.parametrize("change", [{"decks": 1}, {"decks": 8, "dealer_hits_soft_17": False}])
def test_simulated_hands_agree(paytable: str, change: dict[str, object]) -> None:
    asked = request.resolve("push_22", paytable=paytable, change=change)
    returns, sample = asked.evaluate(), asked.simulate(200_000, 22)
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 4


def test_tables_by_upcard_and_by_cards_add_up() -> None:
    returns = request.evaluate("push_22")
    by_upcard, by_cards = returns.details["by_upcard"], returns.details["by_cards"]
    assert by_upcard["probability"].sum() == pytest.approx(1)
    assert (by_upcard["probability"] * by_upcard["dealer_22"]).sum() == pytest.approx(returns.hit_frequency)
    assert by_cards["dealer_22"].sum() == pytest.approx(returns.hit_frequency)
    named = {event.event: event.probability for event in returns.events}
    assert by_cards["one_suit"].sum() == pytest.approx(named["one_suit_22"])
    assert by_cards["one_colour"].sum() == pytest.approx(named["one_suit_22"] + named["one_colour_22"])


def test_a_card_removed_at_random_changes_nothing() -> None:
    effects = sensitivity.removal_effects("push_22", change={"decks": 1}, paytable="eight_twenty_fifty")
    assert effects.mean_ev_exact == effects.ev_exact


def test_wrong_requests() -> None:
    with pytest.raises(RequestError, match="the shoe holds 12 cards; a dealer's hand takes up to 13"):
        request.evaluate("push_22", shoe=[12, *[0] * 9])
    with pytest.raises(RequestError, match="lacks dealer_22"):
        request.evaluate("push_22", paytable=PayTable("own", {"one_suit_22": Fraction(50)}))
    with pytest.raises(RequestError, match="decks is 17"):
        request.simulate("push_22", 10, 1, change={"decks": 17})
