"""Match the Dealer against dealing real cards, and what must hold of any shoe and any pay table."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations, product
from math import comb, prod, sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import request
from casinomath.errors import RequestError
from casinomath.matches import law, read_shoe
from casinomath.paytable import PayTable
from casinomath.sidebets.match_the_dealer import BETS, Rules, evaluate

RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "J", "Q", "K")


def pays(unsuited: int | Fraction, suited: int | Fraction) -> PayTable:
    return PayTable("own", {"unsuited_match": Fraction(unsuited), "suited_match": Fraction(suited)})


# --- Real cards ---------------------------------------------------------------------------------------------


def real_shoes(decks: int, counts: dict[str, int]) -> Iterator[tuple[list[tuple[str, int]], int]]:
    """Every real shoe that has so many cards of each rank, "10" being J, Q or K, and the number of its like.

    Cards are rank and suit.
    """
    choices = []
    for rank, count in counts.items():
        cards = [(name, suit) for name in ("JQK" if rank == "10" else rank) for suit in range(4) for _ in range(decks)]
        choices.append(Counter(combinations(cards, count)).items())
    for parts in product(*choices):
        yield [card for cards, _ in parts for card in cards], prod(number for _, number in parts)


def settle(dealer: tuple[str, int], hand: list[tuple[str, int]], paytable: PayTable) -> Fraction:
    """One wager, as a dealer at the table settles it."""
    won = [
        paytable.pay("suited_match" if card == dealer else "unsuited_match") for card in hand if card[0] == dealer[0]
    ]
    return sum(won, Fraction(0)) if won else Fraction(-1)


@pytest.mark.parametrize(
    ("decks", "counts"),
    [
        (1, {"A": 2, "2": 3, "J": 1}),
        (1, {"8": 2, "10": 3}),
        (2, {"A": 3, "10": 2}),
        (3, {"7": 5}),
    ],
)
def test_a_partly_used_shoe_is_every_real_shoe_with_these_counts(decks: int, counts: dict[str, int]) -> None:
    paytable = pays(4, 9)
    nets: dict[str, Counter[Fraction]] = {bet: Counter() for bet in BETS}
    places = range(sum(counts.values()))
    deals = [
        (up, down, hand)
        for up, down in permutations(places, 2)
        for hand in combinations([place for place in places if place not in (up, down)], 2)
    ]
    for shoe, alike in real_shoes(decks, counts):
        for up, down, hand in deals:
            won = [settle(shoe[dealer], [shoe[place] for place in hand], paytable) for dealer in (up, down)]
            for bet, net in zip(BETS, (*won, sum(won) / 2), strict=True):
                nets[bet][net] += alike
    names = (*RANKS[:9], "10") if "10" in counts else RANKS
    for bet, results in nets.items():
        returns = evaluate(Rules(decks), paytable, bet=bet, shoe=[counts.get(name, 0) for name in names])
        mean = sum(net * number for net, number in results.items()) / results.total()
        square = sum(net**2 * number for net, number in results.items()) / results.total()
        assert returns.ev_exact == mean
        assert returns.stdev == pytest.approx(sqrt(square - mean**2), abs=1e-14)
        assert returns.hit_frequency == sum(number for net, number in results.items() if net > 0) / results.total()
        chances = Counter[Fraction]()
        for event in returns.events:
            assert event.pays is not None
            chances[event.pays] += event.combinations
        assert {net: Fraction(n, results.total()) for net, n in results.items()} == {
            net: Fraction(n, chances.total()) for net, n in chances.items()
        }


def test_a_fresh_deck_is_dealt() -> None:
    paytable = pays(4, 9)
    deck = [(rank, suit) for rank in RANKS for suit in range(4)]
    nets: dict[str, Counter[Fraction]] = {bet: Counter() for bet in BETS}
    up = deck[0]  # every upcard is like every other
    for down in deck[1:]:
        for hand in combinations([card for card in deck if card not in (up, down)], 2):
            won = [settle(dealer, list(hand), paytable) for dealer in (up, down)]
            for bet, net in zip(BETS, (*won, sum(won) / 2), strict=True):
                nets[bet][net] += 1
    for bet, results in nets.items():
        returns = evaluate(Rules(1), paytable, bet=bet)
        assert returns.ev_exact == sum(net * number for net, number in results.items()) / results.total()
        assert {event.pays for event in returns.events} == set(results)


# --- Fresh shoes --------------------------------------------------------------------------------------------


@given(decks=st.integers(1, 16), unsuited=st.integers(0, 50), suited=st.fractions(0, 200, max_denominator=4))
def test_the_closed_form(decks: int, unsuited: int, suited: Fraction) -> None:
    cards = 48 * decks
    paid = 2 * Fraction(suited * (decks - 1) + unsuited * 3 * decks, cards - 1)
    lost = Fraction(comb(cards - 4 * decks, 2), comb(cards - 1, 2))
    for bet in BETS:
        returns = evaluate(Rules(decks), pays(unsuited, suited), bet=bet)
        assert returns.ev_exact == paid - lost
        assert returns.method == "exact"


def test_six_decks_cost_exactly_114_in_3731() -> None:
    """Source: the design; Eliot Jacobson publishes 3.055%."""
    assert request.evaluate("match_the_dealer").ev_exact == Fraction(-114, 3731)


@pytest.mark.parametrize(
    ("decks", "printed"),
    [
        (2, {"suited_and_unsuited_match": 6, "suited_match": 96, "two_unsuited_matches": 15, "unsuited_match": 576}),
        (
            4,
            {
                "two_suited_matches": 3,
                "suited_and_unsuited_match": 36,
                "suited_match": 576,
                "two_unsuited_matches": 66,
                "unsuited_match": 2304,
            },
        ),
    ],
)
def test_permutations_of_the_wizard(decks: int, printed: dict[str, int]) -> None:
    """Source: Wizard of Odds, Match the Dealer, two- and four-deck blackjack: hands of the player for one upcard."""
    printed["no_match"] = comb(52 * decks - 1, 2) - sum(printed.values())
    assert printed["no_match"] == {2: 4560, 4: 18336}[decks]
    returns = request.evaluate("match_the_dealer", f"standard_{['', '', 'two', '', 'four'][decks]}_deck")
    assert {event.event: event.combinations for event in returns.events} == {
        name: 52 * decks * number for name, number in printed.items()
    }


def test_both_wagers_share_the_players_cards() -> None:
    up, both = (request.evaluate(f"match_the_dealer:{bet}") for bet in ("up_card", "both"))
    correlation = both.details["correlation"]
    assert both.ev_exact == up.ev_exact
    assert both.stdev is not None
    assert up.stdev is not None
    assert both.stdev == pytest.approx(up.stdev * sqrt((1 + correlation) / 2), abs=1e-14)
    assert correlation < 0


def test_a_bet_that_always_wins_the_same_has_no_correlation() -> None:
    aces = [24, *[0] * 11]
    returns = evaluate(Rules(6), pays(1, 1), bet="both", shoe=aces)
    assert returns.ev_exact == 2
    assert returns.details["correlation"] is None
    assert returns.stdev == 0


# --- Any shoe -----------------------------------------------------------------------------------------------

by_rank = st.lists(st.integers(0, 8), min_size=12, max_size=12).filter(lambda counts: sum(counts) > 5)
by_value = st.tuples(*[st.integers(0, 8)] * 9, st.integers(0, 24)).filter(lambda counts: sum(counts) > 5)


@settings(max_examples=25, deadline=None)
@given(shoe=by_rank | by_value, bet=st.sampled_from(BETS))
def test_what_is_lost_with_one_card_comes_back_with_another(shoe: list[int], bet: str) -> None:
    """The EV is the mean of the EVs after one card is gone, each card as likely to go."""
    paytable, rules = pays(4, 15), Rules(2)
    after = Fraction(0)
    for place, count in enumerate(shoe):
        if count:
            less = [cards - (at == place) for at, cards in enumerate(shoe)]
            ev = evaluate(rules, paytable, bet=bet, shoe=less).ev_exact
            assert ev is not None
            after += Fraction(count, sum(shoe)) * ev
    assert evaluate(rules, paytable, bet=bet, shoe=shoe).ev_exact == after


@settings(max_examples=25, deadline=None)
@given(shoe=by_rank, order=st.permutations(range(12)))
def test_the_names_of_ranks_do_not_matter(shoe: list[int], order: list[int]) -> None:
    assert law(read_shoe(2, "spanish", shoe), 2) == law(read_shoe(2, "spanish", [shoe[at] for at in order]), 2)


@settings(max_examples=25, deadline=None)
@given(shoe=by_rank | by_value)
def test_the_joint_law_has_the_single_law_for_both_cards(shoe: list[int]) -> None:
    cards = read_shoe(2, "spanish", shoe)
    single, joint = law(cards, 1), law(cards, 2)
    for card in (0, 1):
        alone: Counter[object] = Counter()
        for matches, chance in joint.items():
            alone[matches[card],] += chance  # type: ignore[assignment]
        assert alone == single
    assert {pair[::-1]: chance for pair, chance in joint.items()} == joint
    assert sum(joint.values()) == 1


def test_counts_by_value_are_a_mixture_of_counts_by_rank() -> None:
    rest = [4, 4, 0, 1, 4, 4, 4, 2, 4]
    for bet in BETS:
        mixed = Fraction(0)
        for jacks, queens, kings in product(range(5), repeat=3):
            if jacks + queens + kings == 4:
                ev = evaluate(Rules(1), pays(4, 9), bet=bet, shoe=[*rest, jacks, queens, kings]).ev_exact
                assert ev is not None
                mixed += Fraction(comb(4, jacks) * comb(4, queens) * comb(4, kings), comb(12, 4)) * ev
        assert evaluate(Rules(1), pays(4, 9), bet=bet, shoe=[*rest, 4]).ev_exact == mixed


@given(decks=st.integers(1, 8), low=st.fractions(0, 9), more=st.fractions(0, 9), bet=st.sampled_from(BETS))
def test_paying_more_never_costs_the_player(decks: int, low: Fraction, more: Fraction, bet: str) -> None:
    before = evaluate(Rules(decks), pays(low, 9), bet=bet).ev_exact
    after = evaluate(Rules(decks), pays(low + more, 9), bet=bet).ev_exact
    assert before is not None
    assert after is not None
    assert after >= before


def test_a_fresh_shoe_given_by_value_or_by_rank_is_a_fresh_shoe() -> None:
    for pack, tens in (("spanish", 3), ("standard", 4)):
        fresh = request.evaluate("match_the_dealer", change={"pack": pack})
        for shoe in ([24] * 9 + [24 * tens], [24] * (9 + tens)):
            assert request.evaluate("match_the_dealer", change={"pack": pack}, shoe=shoe).ev_exact == fresh.ev_exact


# --- Wrong requests -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"change": {"decks": "0"}}, "decks is 0; expected 1 to 16"),
        ({"change": {"decks": "17"}}, "decks is 17; expected 1 to 16"),
        ({"change": {"pack": "spannish"}}, "pack .*spannish.*; expected one of spanish, standard"),
        ({"shoe": "24,24"}, r"ten counts \(A, .*\) or 12 \(A, .*K\), not 2: 24,24"),
        ({"shoe": [25] + [24] * 11}, "25 cards of value A; 6 decks hold 24"),
        ({"shoe": [24] * 9 + [73]}, "73 cards of value 10; 6 decks hold 72"),
        ({"shoe": [24] * 13}, "not 13"),
        ({"shoe": [-1] + [24] * 11}, "value A in the shoe is -1"),
        ({"shoe": [2] + [0] * 11}, "the shoe holds 2 cards; the deal takes 3"),
        ({"shoe": [0] * 12}, "the shoe is empty: all 12 counts are 0"),
        ({"meter": 1000}, "match_the_dealer takes no meter"),
        ({"pay": {"suited_match": "$30"}}, r"suited_match pays \$30; expected odds"),
        ({"pay": {"suited_match": "10% of meter"}}, "suited_match pays 10% of meter; expected odds"),
        ({"pay": {"suited": "12"}}, "suited_match"),
        ({"paytable": PayTable("short", {"suited_match": Fraction(9)})}, "short lacks unsuited_match"),
    ],
)
def test_wrong_requests(asked: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        request.evaluate("match_the_dealer", **asked)  # type: ignore[arg-type]


def test_an_unknown_bet_and_pack_are_refused_from_python_too() -> None:
    with pytest.raises(RequestError, match="did you mean 'up_card'"):
        evaluate(Rules(), pays(4, 9), bet="upcard")
    with pytest.raises(RequestError, match="did you mean 'spanish'"):
        evaluate(Rules(pack="spanisch"), pays(4, 9))  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="holds 3 cards; the deal takes 4"):
        evaluate(Rules(), pays(4, 9), bet="both", shoe=[3] + [0] * 11)
