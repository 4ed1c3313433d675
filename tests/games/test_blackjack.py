"""Blackjack: published figures beside, identities, classes of play, deals, and requests that make no sense."""

import itertools
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_simulation import check_played

from casinomath import catalog, montecarlo, request, twentyone
from casinomath.cards import STANDARD
from casinomath.errors import RequestError
from casinomath.games import blackjack, spanish21
from casinomath.games.blackjack import Rules
from casinomath.kernels.actions import DOUBLE, HIT, SPLIT, STAND, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.twentyone import SplitPair, pair_row, play, solve, two_card_rows

PAYS = catalog.paytable("blackjack", "three_to_two")
BONUS_21 = catalog.paytable("spanish21", "bonus_21")
ROUNDS = 4_000_000


def ev(rules: Rules) -> float:
    return blackjack.evaluate(rules, PAYS).ev


# --- Identities ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decks", [1, 6])
@pytest.mark.parametrize("hits", [False, True])
def test_spanish_21_without_what_makes_it_spanish(decks: int, hits: bool) -> None:
    """Its problem on packs of 52 cards, no 21 winning at once, doubles of two cards, no rescue: that of blackjack."""
    spanish = spanish21.problem(spanish21.Rules(decks, hits, max_hands=3), BONUS_21)
    plain = replace(
        spanish,
        table=spanish.table._replace(twenty_one_wins=0, double_up_to=2, rescue=0),
        shoe=tuple(decks * count for count in STANDARD),
    )
    same = Rules(decks, hits, max_hands=3, resplit_aces=True, hit_split_aces=True, double_split_aces=True)
    assert play(plain, solve(plain).policy).ev == pytest.approx(ev(same), abs=1e-15)


def test_bonuses_that_pay_even_money_are_no_bonuses() -> None:
    """21s that win at once: priced suit by suit, and by a game that knows no suits."""
    rules = spanish21.Rules(2, max_doubles=2)
    even = BONUS_21.with_pays(dict.fromkeys(spanish21.EVENTS[1:], Fraction(1)))
    problem = spanish21.problem(rules, even)
    without = replace(problem)
    suited = problem.suited
    vars(without)["suited"] = suited._replace(place=np.full_like(suited.place, -1))
    assert play(without, solve(without).policy).ev == pytest.approx(play(problem, solve(problem).policy).ev, abs=1e-14)


def test_only_the_original_bet_lost_is_a_peek() -> None:
    without = Rules(2, hole_card="none_original_bet")
    assert ev(without) == ev(without._replace(hole_card="peek"))


def test_no_hole_card_is_a_peek_where_nothing_more_is_wagered() -> None:
    """All that a blackjack takes besides the first wager is doubled and split."""
    stingy = Rules(2, double_on="none", max_hands=1, late_surrender=False)
    for_a_peek, without = (blackjack.problem(stingy._replace(hole_card=each), PAYS) for each in ("peek", "none"))
    assert ev(stingy._replace(hole_card="none")) == pytest.approx(ev(stingy), abs=1e-14)
    solved = [solve(each) for each in (for_a_peek, without)]
    assert (solved[0].policy.play == solved[1].policy.play).all()


def test_split_hands_that_know_of_their_pair() -> None:
    """CDP, another class of play: decisions of split hands as if the pair's other card were known to be gone.

    −0.6198 and −0.3153: bjstrat.net, as quoted by H. Hoppe's notebook; 7-7 and 10-10 against 10, one deck, H17.
    """
    game = blackjack.problem(Rules(1), PAYS)
    peek = solve(game).values.peek
    for value, published in ((6, -0.6198), (9, -0.3153)):
        shoe = tuple(count - (each == value) for each, count in enumerate(game.shoe))
        knowing = solve(replace(game, shoe=shoe)).policy
        split = SplitPair(game, knowing, value, None).value[9, 0] / peek[9, pair_row(value)]
        assert split == pytest.approx(published, abs=5e-5)


def test_a_card_burned_changes_nothing() -> None:
    """An unseen card taken out first is like any other: the same play is worth the same on average."""
    game = blackjack.problem(Rules(1, hole_card="none", double_after_split=False, hit_split_aces=True), PAYS)
    policy = solve(game).policy
    average = 0.0
    for value, count in enumerate(game.shoe):
        left = tuple(n - (v == value) for v, n in enumerate(game.shoe))
        average += count / sum(game.shoe) * play(replace(game, shoe=left), policy).ev
    assert average == pytest.approx(play(game, policy).ev, abs=1e-13)


# --- Rules and classes of play ------------------------------------------------------------------------------

FAVOURABLE: tuple[tuple[str, tuple[Any, ...]], ...] = (
    ("decks", ("inf", 8, 6, 2, 1)),
    ("dealer_hits_soft_17", (True, False)),
    ("double_on", ("none", "10_11", "9_10_11", "any")),
    ("double_after_split", (False, True)),
    ("max_hands", (1, 2, 3, 4, 5)),
    ("resplit_aces", (False, True)),
    ("hit_split_aces", (False, True)),
    ("double_split_aces", (False, True)),
    ("late_surrender", (False, True)),
    ("hole_card", ("none", "none_original_bet")),
)
RULES = st.fixed_dictionaries({name: st.sampled_from(values) for name, values in FAVOURABLE})


@settings(max_examples=6, deadline=None)
@given(given_rules=RULES)
def test_any_rules_make_sense(given_rules: dict[str, Any]) -> None:
    """Probabilities sum to 1, and no rule hurts whom it favours, a trifle of split hands' fixed play aside.

    Late surrender without a peek and the like may tempt nobody: the best play declines.
    """
    rules = Rules(**given_rules)
    returns = blackjack.evaluate(rules, PAYS)
    assert sum(event.probability for event in returns.events) == pytest.approx(1.0, abs=1e-12)
    assert -0.05 < returns.ev < 0.02
    for name, values in FAVOURABLE:
        place = values.index(given_rules[name])
        if name != "decks" and place + 1 < len(values):
            assert ev(rules._replace(**{name: values[place + 1]})) > returns.ev - 2e-6, name


@pytest.mark.parametrize("changes", [{}, {"decks": 1, "double_split_aces": True}, {"hole_card": "none"}])
def test_the_more_a_player_tells_apart_the_better(changes: dict[str, Any]) -> None:
    rules = Rules()._replace(**changes)
    chart = blackjack.strategy(rules, PAYS, strategy_class="total_dependent").chart
    worth = [
        *(blackjack.evaluate(rules, PAYS, strategy=name).ev for name in ("derived_chart", "basic_strategy")),
        blackjack.evaluate(rules, PAYS, strategy=chart).ev,
        ev(rules),
    ]
    assert all(before <= after + 1e-15 for before, after in itertools.pairwise(worth))
    assert worth[-1] - worth[0] < 6e-4


def test_the_chart_of_the_usual_table() -> None:
    """Cells that every book prints: six decks, H17, double after split, late surrender."""
    chart = blackjack.strategy(Rules(), PAYS, strategy_class="total_dependent").chart
    codes = {
        ("hard", "11", "A"): "D",
        ("hard", "9", "2"): "H",
        ("hard", "12", "4"): "S",
        ("hard", "15", "10"): "RH",
        ("hard", "17", "A"): "RS",
        ("soft", "A-7", "2"): "DS",
        ("soft", "A-8", "6"): "DS",
        ("soft", "A-7", "9"): "H",
        ("pairs", "8-8", "10"): "P",
        ("pairs", "9-9", "7"): "S",
        ("pairs", "4-4", "5"): "P",
    }
    assert {cell: chart.code(*cell) for cell in codes} == codes
    assert set(chart.tables) == {"hard", "soft", "pairs"}  # nothing is decided after a double


def test_decisions_without_a_peek() -> None:
    """11 against 10 is hit, aces against an ace too, where a dealer blackjack takes all: any book on European rules."""
    best = blackjack.strategy(Rules(hole_card="none", late_surrender=False), PAYS)
    for cards, upcard, action in (
        ("5 6", "10", "hit"),
        ("8 8", "10", "hit"),
        ("A A", "A", "hit"),
        ("A A", "10", "split"),
    ):
        (cell,) = best.find(cards, upcard)
        assert cell.action == action


# --- Deals --------------------------------------------------------------------------------------------------


def dealt(rules: Rules, policy: Policy, seed: int, **table: Any) -> montecarlo.Sample:
    strategy = replace(blackjack.strategy(rules, PAYS), policy=policy)
    return blackjack.simulate(rules, PAYS, ROUNDS, seed, strategy=strategy, **table)


@pytest.mark.parametrize(
    ("seed", "changes"),
    list(
        enumerate(
            (
                {},
                {"decks": 1, "hole_card": "none", "double_on": "9_10_11"},
                {"decks": 2, "double_after_split": False, "hit_split_aces": True, "resplit_aces": True, "max_hands": 5},
                {"decks": 1, "double_split_aces": True, "max_hands": 3, "dealer_hits_soft_17": False},
                {"decks": 8, "hole_card": "none", "max_hands": 5, "hit_split_aces": True, "double_split_aces": True},
            ),
            start=300,
        )
    ),
)
def test_best_play_and_every_pair_split(seed: int, changes: dict[str, Any]) -> None:
    """The best play, but that every pair is split: the fewer the decks, the more one hand's cards matter to others."""
    rules = Rules()._replace(**changes)
    game = blackjack.problem(rules, PAYS)
    best = solve(game).policy
    first, suited_first = best.first.copy(), best.suited_first.copy()
    first[:, [pair_row(value) for value in range(10)]] = SPLIT
    suited_first[:, [0, 3, 5]] = SPLIT
    policy = best._replace(first=first, suited_first=suited_first)
    check_played(dealt(rules, policy, seed), play(game, policy))


@pytest.mark.parametrize("hole_card", ["peek", "none"])
def test_any_play(hole_card: blackjack.HoleCard) -> None:
    """Any decision for every hand; split hands, and split aces, by decisions of their own."""
    random = np.random.default_rng(5)
    rules = Rules(2, hit_split_aces=True, double_split_aces=True, resplit_aces=True, hole_card=hole_card)
    game, lattice = blackjack.problem(rules, PAYS), hands()
    plays = random.choice(np.array([STAND, HIT, DOUBLE], dtype=np.uint8), (3, 10, len(lattice.size)))
    plays[(plays == DOUBLE) & ~game.may_double] = HIT
    plays[:, :, lattice.total == 21] = STAND
    first = random.choice(np.array([STAND, HIT, DOUBLE, SURRENDER], dtype=np.uint8), (10, len(lattice.size)))
    first[:, lattice.size != 2] = STAND
    first[:, [pair_row(value) for value in range(10)]] = SPLIT
    first[:, two_card_rows()[lattice.total[two_card_rows()] == 21]] = STAND
    rows = game.suited.hand
    shape = (10, 6, 64)
    policy = twentyone.always_stand()._replace(
        play=plays[0],
        first=first,
        split_play=plays[1],
        aces_play=plays[2],
        suited_play=np.broadcast_to(plays[0][:, rows, None], shape).copy(),
        suited_first=np.broadcast_to(first[:, rows, None], shape).copy(),
        split_suited_play=np.broadcast_to(plays[1][:, rows, None], shape).copy(),
    )
    check_played(dealt(rules, policy, 310), play(game, policy))


def test_a_table_without_a_peek() -> None:
    """Three seats and a cut card that never comes out in time for another round: fresh shoes, played by all alike."""
    rules = Rules(2, hole_card="none", max_hands=3)
    game = blackjack.problem(rules, PAYS)
    policy = solve(game).policy
    sample = dealt(rules, policy, 320, seats=3)
    assert abs(sample.agreement(blackjack.evaluate(rules, PAYS))) < 4


def test_bets_on_the_side_know_the_rank_10() -> None:
    asked = request.resolve("blackjack", "h17_two_deck")
    sample = asked.simulate(1_000_000, 330, beside=["match_the_dealer:both", "insurance"])
    for name, side in sample.beside.items():
        assert abs(side.agreement(asked.side_request(name).evaluate())) < 4, name


# --- Requests -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"decks": 0}, "decks is 0; expected 1 to 16"),
        ({"decks": "many"}, 'rule decks is "many"; expected a whole number or inf'),
        ({"max_hands": 6}, "max_hands is 6; expected 1 to 5"),
        ({"double_on": "9"}, 'rule double_on is "9"; expected one of any, 9_10_11, 10_11, none'),
        ({"hole_card": "no"}, 'rule hole_card is "no"; expected one of peek, none, none_original_bet'),
    ],
)
def test_rules_that_make_no_sense(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError) as refused:
        request.evaluate("blackjack", change=changes)
    assert told in str(refused.value)


def test_a_blackjack_pays_what_the_rules_and_the_pay_table_say() -> None:
    edge = request.evaluate("blackjack").house_edge
    less = request.evaluate("blackjack", change={"blackjack_pays": "6:5"})
    assert less.paytable == "six_to_five"
    assert less.house_edge - edge == pytest.approx(0.3 * blackjack_rate(less), abs=1e-15)
    assert request.evaluate("blackjack", pay={"blackjack": "6:5"}).house_edge == less.house_edge
    with pytest.raises(RequestError, match="blackjack_pays is 6:5, and pay table three_to_two pays 3:2"):
        blackjack.evaluate(Rules(blackjack_pays="6:5"), PAYS)


def blackjack_rate(returns: Any) -> float:
    return next(event.probability for event in returns.events if event.event == "blackjack")


def test_what_an_endless_shoe_cannot_do() -> None:
    endless = Rules("inf")
    for ask in (
        lambda: blackjack.fresh_shoe(endless),
        lambda: blackjack.evaluate(endless, PAYS, shoe=[4] * 9 + [16]),
        lambda: blackjack.simulate(endless, PAYS, 10, 1),
    ):
        with pytest.raises(RequestError, match=r"decks is inf: .* endless shoe.*; expected 1 to 16"):
            ask()


@pytest.mark.parametrize(
    ("made_for", "played_at", "told"),
    [
        ({}, {"double_after_split": False}, "doubles split hands"),
        ({}, {"double_on": "10_11"}, "doubles other hands"),
        ({"hit_split_aces": True}, {}, "hits split aces"),
        ({"double_split_aces": True}, {}, "doubles split aces"),
        ({}, {"late_surrender": False}, "surrenders"),
        ({}, {"max_hands": 1}, "splits"),
    ],
)
def test_a_strategy_for_other_rules(made_for: dict[str, Any], played_at: dict[str, Any], told: str) -> None:
    strategy = blackjack.strategy(Rules()._replace(**made_for), PAYS)
    with pytest.raises(RequestError, match=f"made for other rules: it {told}"):
        blackjack.simulate(Rules()._replace(**played_at), PAYS, 10, 1, strategy=strategy)
    with pytest.raises(RequestError, match="unknown strategy of blackjack"):
        blackjack.evaluate(Rules(), PAYS, strategy="bassic_strategy")
