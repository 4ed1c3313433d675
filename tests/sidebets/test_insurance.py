"""Insurance against dealing real cards, and what must hold of any shoe and any pay table."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import request
from casinomath.errors import RequestError
from casinomath.paytable import PayTable
from casinomath.sidebets.insurance import Rules, evaluate

PLAIN = PayTable("plain", {"blackjack": Fraction(2)})
COLOURS = PayTable(
    "colours", {"blackjack": Fraction(2), "one_colour_blackjack": Fraction(3), "suited_blackjack": Fraction(5)}
)

Card = tuple[str, str]
"""Rank and suit."""


def settle(ace: Card, hole: Card) -> Fraction:
    """A unit of insurance by the table of COLOURS, as a dealer settles it."""
    if hole[0] not in "JQK":
        return Fraction(-1)
    if hole[1] == ace[1]:
        return Fraction(5)
    return Fraction(3) if {hole[1], ace[1]} in ({"h", "d"}, {"s", "c"}) else Fraction(2)


@pytest.mark.parametrize("decks", [1, 2])
@pytest.mark.parametrize("upcard", ["A", "As"])
@pytest.mark.parametrize("hand", ["", "K", "Kh", "As", "A"])
def test_a_partly_used_shoe_is_every_real_shoe_with_these_counts(decks: int, upcard: str, hand: str) -> None:
    """Two aces, two ten-valued cards and a five are left: which, nobody knows, but what has been seen."""
    choices = []
    for ranks, count in (("A", 2), ("JQK", 2), ("5", 1)):
        cards = [(rank, suit) for rank in ranks for suit in "shdc" for _ in range(decks)]
        choices.append(Counter(combinations(cards, count)).items())
    nets: Counter[Fraction] = Counter()
    for parts in product(*choices):
        shoe, alike = [card for cards, _ in parts for card in cards], prod(number for _, number in parts)
        for ace, mine, hole in permutations(shoe, 3):
            as_seen = ace[0] == "A" and ace[1] in upcard[1:] + "shdc" * (len(upcard) == 1)
            as_held = mine[0] == hand[:1] and mine[1] in hand[1:] + "shdc" * (len(hand) == 1)
            if as_seen and (not hand or as_held):
                nets[settle(ace, hole)] += alike
    rules, left = Rules(decks, upcard=upcard, hand=hand), [2, 0, 0, 0, 1, 0, 0, 0, 0, 2]
    if not nets:  # one deck has one ace of spades
        with pytest.raises(RequestError, match="As is seen 2 times; 1 decks hold 1"):
            evaluate(rules, COLOURS, shoe=left)
        return
    returns = evaluate(rules, COLOURS, shoe=left)
    assert returns.ev_exact == sum(net * number for net, number in nets.items()) / nets.total()
    assert returns.hit_frequency == sum(number for net, number in nets.items() if net > 0) / nets.total()


@pytest.mark.parametrize(("upcard", "hand"), [("As", ""), ("As", "As Ks"), ("Ah", "Kd Qd"), ("Ad", "Ac 5h")])
def test_a_fresh_shoe_less_the_cards_seen(upcard: str, hand: str) -> None:
    cards = Counter({(rank, suit): 6 for rank in "A23456789JQK" for suit in "shdc"})
    for seen in (upcard, *hand.split()):
        cards[seen[0], seen[1]] -= 1
    mean = sum(settle(("A", upcard[1]), hole) * number for hole, number in cards.items()) / cards.total()
    assert evaluate(Rules(upcard=upcard, hand=hand), COLOURS).ev_exact == mean


@given(decks=st.integers(1, 16), pack=st.sampled_from(["spanish", "standard"]), pays=st.fractions(0, 10))
def test_off_the_top(decks: int, pack: str, pays: Fraction) -> None:
    tens, cards = (12, 48) if pack == "spanish" else (16, 52)
    returns = evaluate(Rules(decks, pack), PayTable("own", {"blackjack": pays}))  # type: ignore[arg-type]
    assert returns.ev_exact == Fraction(tens * decks, cards * decks - 1) * (pays + 1) - 1
    assert returns.method == "exact"


def test_a_hand_paid_as_a_blackjack_makes_it_worse() -> None:
    """Six Spanish decks less two aces and a king: 71 ten-valued cards of 285."""
    paid = request.evaluate("insurance", "paid_blackjack")
    assert paid.ev_exact == Fraction(71 * 3, 285) - 1
    assert paid.ev < request.evaluate("insurance").ev


def test_it_is_fair_at_the_fair_odds() -> None:
    fair = request.evaluate("insurance").details["fair_pays"]
    assert request.evaluate("insurance", pay={"blackjack": "215:72"}).ev_exact == 0
    assert fair == 215 / 72


def test_two_to_one_is_fair_when_a_third_is_ten_valued() -> None:
    assert request.evaluate("insurance", shoe=[3, 8, 0, 0, 0, 0, 0, 0, 0, 5]).ev_exact == 0


@settings(max_examples=50)
@given(
    shoe=st.tuples(st.integers(1, 8), *[st.integers(0, 8)] * 8, st.integers(0, 24)).filter(lambda shoe: sum(shoe) > 2),
    upcard=st.sampled_from(["A", "Ah"]),
)
def test_what_is_lost_with_one_card_comes_back_with_another(shoe: tuple[int, ...], upcard: str) -> None:
    """The EV is the mean of the EVs after one unseen card is gone, each as likely to go."""
    rules, after = Rules(2, upcard=upcard), Fraction(0)
    for place, count in enumerate(shoe):
        unseen = count - (place == 0)
        if unseen:
            less = [cards - (at == place) for at, cards in enumerate(shoe)]
            ev = evaluate(rules, COLOURS, shoe=less).ev_exact
            assert ev is not None
            after += Fraction(unseen, sum(shoe) - 1) * ev
    assert evaluate(rules, COLOURS, shoe=shoe).ev_exact == after


@pytest.mark.parametrize("decks", [1, 6])
def test_a_suit_that_is_not_known_is_the_mean_of_those_it_may_be(decks: int) -> None:
    """The king of spades in the hand favours aces of other suits."""
    means = [evaluate(Rules(decks, upcard=f"A{suit}", hand="Ks"), COLOURS).ev_exact for suit in "shdc"]
    assert evaluate(Rules(decks, hand="Ks"), COLOURS).ev_exact == sum(mean for mean in means if mean is not None) / 4


def test_a_line_that_is_left_out_is_paid_as_the_next() -> None:
    suited = PayTable("suited", {"blackjack": Fraction(2), "suited_blackjack": Fraction(2)})
    assert evaluate(Rules(), suited).ev_exact == evaluate(Rules(), PLAIN).ev_exact
    assert [event.event for event in evaluate(Rules(), PLAIN).events] == ["blackjack", "no_blackjack"]
    coloured = PayTable("coloured", {"blackjack": Fraction(0), "one_colour_blackjack": Fraction(1)})
    (half,) = (event for event in evaluate(Rules(), coloured).events if event.event == "one_colour_blackjack")
    assert half.combinations == 36


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"change": {"upcard": "K"}}, 'upcard is "K"; insurance is offered against an ace'),
        ({"change": {"upcard": "A A"}}, 'upcard is "A A"'),
        ({"change": {"hand": "AX"}}, 'cards are "AX"; expected ranks'),
        ({"change": {"hand": "10 A"}}, "a spanish pack has no 10"),
        ({"change": {"hand": "As As As", "decks": "2"}}, "As is seen 3 times; 2 decks hold 2"),
        ({"change": {"hand": "A A A A A", "decks": "1"}}, "A is seen 6 times; 1 decks hold 4"),
        ({"change": {"hand": "KsKhKdKc K", "decks": "1"}}, "K is seen 5 times; 1 decks hold 4"),
        ({"shoe": [0] + [24] * 8 + [72]}, "too few cards of value A"),
        ({"shoe": [24] * 9 + [0], "change": {"hand": "K"}}, "too few cards of value 10"),
        ({"shoe": [1] + [0] * 9}, "no hole card"),
        ({"shoe": [24] * 12}, "ten counts"),
        ({"shoe": [24] * 9 + [73]}, "73 cards of value 10; 6 decks hold 72"),
        ({"meter": 5}, "insurance takes no meter"),
        ({"pay": {"blackjack": "$5"}}, r"blackjack pays \$5; expected odds"),
        ({"pay": {"blackjacks": "3"}}, "did you mean 'blackjack'"),
        ({"change": {"decks": "0"}}, "decks is 0"),
    ],
)
def test_wrong_requests(asked: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        request.evaluate("insurance", **asked)  # type: ignore[arg-type]


def test_cards_may_be_written_together_or_apart() -> None:
    assert (
        len({evaluate(Rules(hand=hand), PLAIN).ev_exact for hand in ("As Kh", "AsKh", "as,kh", "A K", "AK", "a k")})
        == 1
    )
    tens = [evaluate(Rules(pack="standard", hand=ten), PLAIN).ev_exact for ten in ("10s", "Ts", "J")]
    assert len(set(tens)) == 1


def test_a_card_seen_without_its_suit_is_any_of_its_rank() -> None:
    """One deck, A♠ up, K♠ and a jack held: of 45 unseen cards, Q♠ is a ten-valued spade, and J♠ three times in four."""
    rules = Rules(decks=1, upcard="As", hand="Ks J")
    returns = evaluate(rules, COLOURS)
    chances = {event.event: event.probability for event in returns.events}
    assert chances["suited_blackjack"] == pytest.approx((1 + 3 / 4) / 45, abs=1e-15)
    # of the clubs, the king and the queen are left, and the jack three times in four
    assert chances["one_colour_blackjack"] == pytest.approx((2 + 3 / 4) / 45, abs=1e-15)
    assert chances["no_blackjack"] == pytest.approx(35 / 45, abs=1e-15)
