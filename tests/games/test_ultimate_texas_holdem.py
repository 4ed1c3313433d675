"""Ultimate Texas Hold'em against plain counting, simulation, published play, and what must not matter."""

import json
import re
from fractions import Fraction
from itertools import permutations
from math import comb

import numpy as np
import plain_holdem
import pytest

from casinomath import catalog, request, solving, ultimate, ultimate_rules
from casinomath.cards import cards_text, parse_cards
from casinomath.errors import RequestError
from casinomath.games import ultimate_texas_holdem as game
from casinomath.games.ultimate_texas_holdem import Rules, evaluate, explain, simulate, strategy
from casinomath.holes import COMBINATIONS, HANDS, hand_name
from casinomath.kernels.boards import boards, showdowns
from casinomath.kernels.deals import classes
from casinomath.kernels.ultimate import BET, CHECK, HOLES, hole_index, solve_flops
from casinomath.paytable import PayTable

A, B = (catalog.paytable("ultimate_texas_holdem", name) for name in ("blind_a", "blind_b"))
BEST = Fraction(-50643648973, 2317817502000)
"""−2.184971…%, as the Wizard of Odds has it: 2.1850%. `test_plain_counting_of_the_whole_game` counts it plainly."""


def test_the_value_of_the_game() -> None:
    returns = evaluate(Rules(), A)
    assert returns.ev_exact == BEST
    assert returns.method == "exact"
    deals = comb(52, 2) * comb(50, 3) * comb(47, 2) * comb(45, 2)
    assert sum(event.combinations or 0 for event in returns.events) == deals
    assert returns.average_wager == pytest.approx(2 + 4 * 0.377074 + 2 * 0.212846 + 0.218221, abs=1e-5)
    assert sum(returns.details["decisions"].values()) == pytest.approx(1)


def whole_flop(cards: tuple[int, ...], table: PayTable) -> np.ndarray:
    """What the kernels find on one flop, by hole cards: wins less losses, the rest, the better of bet and check."""
    stakes = game.stakes(Rules(), table)
    ranks, suited = (ultimate.priced_boards(found, stakes, 990)[0] for found in showdowns())
    totals = np.zeros((HOLES, 3), dtype=np.int64)
    decisions = np.zeros((1, HOLES), dtype=np.uint8)
    solve_flops(
        *(np.array([cards], dtype=np.uint8), np.ones(1, dtype=np.int64), -1, boards(), ranks, suited, suited),
        *(stakes.unit, -2 * 990 * stakes.unit, 2 * stakes.unit, decisions),
        *(np.arange(HOLES, dtype=np.int32)[None, :], totals, ultimate.room(stakes, 990)),
    )
    return totals


def same_as_plain(flop: str, table: PayTable, hands: str = "") -> None:
    """For all hole cards, or those named."""
    cards = parse_cards(flop)
    stakes = game.stakes(Rules(), table)
    found = whole_flop(cards, table)
    some = parse_cards(hands)
    wanted = {tuple(sorted(pair)) for pair in zip(some[::2], some[1::2], strict=True)} or None
    for hole, (bet, check) in plain_holdem.flop(list(cards), 2, stakes.by_value, stakes.unit, wanted).items():
        margin, rest, best = found[hole_index(*hole)].tolist()
        assert 2 * stakes.unit * margin + rest == bet, hole
        assert best == max(bet, check), hole


def test_a_flop_is_worth_what_plain_counting_finds() -> None:
    same_as_plain("Ts 9s 3d", A, "As 2s Kh Qh 3h 3c 8d 7d 6s 5d Jd Jc Td 4h 4s Ac 9h 9d 2h 7c")


@pytest.mark.slow
@pytest.mark.parametrize("flop", ["Qh 7h 2h", "9s 9d 4c", "As Kd 6h", "5c 5d 5h"])
def test_more_flops_are_worth_what_plain_counting_finds(flop: str) -> None:
    """Hand by hand, with the other table; that of the whole game is below."""
    same_as_plain(flop, B)


@pytest.mark.slow
def test_plain_counting_of_the_whole_game() -> None:
    """All 1,755 classes of flops, each with every board and every pair of hole cards."""
    stakes = game.stakes(Rules(), A)
    assert plain_holdem.best(4, 2, stakes.by_value, stakes.unit) == BEST


def test_the_best_play_before_the_flop_is_the_published_one() -> None:
    """The Wizard of Odds: any ace, K2 suited, K5, Q6 suited, Q8, J8 suited, JT, and pairs from 33 on."""
    raised = {cell.hand for cell in strategy(Rules(), A).cells if cell.action == "raise_4x"}
    lowest = {"As": 0, "Ao": 0, "Ks": 0, "Ko": 3, "Qs": 4, "Qo": 6, "Js": 6, "Jo": 8, "pair": 1}
    order = "23456789TJQKA"
    expected = {
        hand
        for hand in HANDS
        if (kind := "pair" if len(hand) == 2 else hand[0] + hand[2]) in lowest and order.index(hand[1]) >= lowest[kind]
    }
    assert raised == expected


def test_what_explain_says_is_what_the_solution_says() -> None:
    """On a flop that is no class's own, and for hole cards in its suits: bet or check as the plan has it."""
    plan = ultimate.solve(game.stakes(Rules(), A)).plan
    flop = parse_cards("4h Jc 9h")
    found = classes(3).cards.tolist()
    suits, row = next(
        (suits, found.index(renamed))
        for suits in permutations(range(4))
        if (renamed := sorted((c // 4 * 4 + suits[c % 4] for c in flop), reverse=True)) in found
    )
    for hand in ("Ah 2h", "9s 2d", "Kd Qd", "8s 7s", "Th 3h", "3s 2s", "Qs Ts"):
        one, other = (c // 4 * 4 + suits[c % 4] for c in parse_cards(hand))
        decided = {BET: "bet_2x", CHECK: "check"}[int(plan.flops[row, hole_index(one, other)])]
        assert explain(Rules(), A, cards=hand, shown=cards_text(flop)).best == decided, hand


def test_the_river_as_an_explanation() -> None:
    found = explain(Rules(), A, cards="Ks 6d", shown="Qh 7d 2c 8h Tc")
    result = plain_holdem.met(list(parse_cards("Qh 7d 2c 8h Tc")))[tuple(sorted(parse_cards("Ks 6d")))]
    stakes = game.stakes(Rules(), A)
    bet = Fraction(plain_holdem.ultimate(result, 1, stakes.by_value, stakes.unit), 990 * stakes.unit)
    assert found.evs == {"bet_1x": bet, "fold": Fraction(-2)}
    assert found.best == ("bet_1x" if bet > -2 else "fold")
    dealer = found.section("The dealer's hands")
    assert dealer.column("deals")[:3] == (result[0], 990 - result[0] - result[1], result[1])


def test_before_the_flop_an_explanation_has_the_evs_of_the_chart() -> None:
    found = explain(Rules(), A, cards="7d 7c")
    (cell,) = strategy(Rules(), A).find("77", "")
    assert found.best == cell.action
    assert {action: float(ev) for action, ev in found.evs.items()} == cell.evs
    assert list(found.evs) == ["raise_4x", "raise_3x", "check"]


def test_simulation_agrees() -> None:
    returns = evaluate(Rules(), A)
    sample = simulate(Rules(), A, 500_000, 11)
    assert abs(sample.agreement(returns)) < 4
    assert sample.average_wager == pytest.approx(returns.average_wager, abs=0.012)
    known = {event.event: event.probability for event in returns.events}
    assert sample.events.keys() <= known.keys()
    for event, probability in known.items():
        if probability > 1e-4:
            assert abs(sample.event_agreement(event, probability)) < 4.5, event


def test_the_plans_rivers_are_those_found_by_looking() -> None:
    """The same rounds, once by the table of boards and once by looking at the dealer's hands."""
    stakes = game.stakes(Rules(), A)
    plan = ultimate.solve(stakes).plan
    state = tuple(np.uint64(word) for word in (1, 2, 3, 4))
    looked, folded = ultimate.deal_rounds(20_000, state, plan, stakes)
    tabled, folded_by_table = ultimate.deal_rounds(20_000, state, plan, stakes, by_table=True)
    assert (looked == tabled).all()
    assert folded == folded_by_table


def test_rules_of_thumb_cost_something() -> None:
    """Before the flop the Wizard's chart is the best play; his two rules for later cost about 0.14% each."""
    costs = {name: evaluate(Rules(), A, strategy=name).details["cost"] for name in game.STRATEGIES}
    assert costs["wizard_preflop"] == 0
    assert costs["wizard_flop"] == pytest.approx(0.0013897, abs=1e-7)
    assert costs["wizard_river"] == pytest.approx(0.0014056, abs=1e-7)
    assert max(costs, key=costs.__getitem__) == "wizard"
    assert costs["wizard"] < costs["wizard_flop"] + costs["wizard_river"]


def test_a_rule_of_thumb_simulated_agrees() -> None:
    returns = evaluate(Rules(), A, strategy="wizard")
    sample = simulate(Rules(), A, 500_000, 12, strategy="wizard")
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        if event.probability > 1e-3:
            assert abs(sample.event_agreement(event.event, event.probability)) < 4.5, event.event


@pytest.mark.parametrize(
    ("hand", "flop", "bets"),
    [
        ("2s 2d", "Ah 7c 5d", False),
        ("2s 9d", "2h 7c 5d", True),
        ("3s 3d", "Ah 7c 5d", True),
        ("Ts 4s", "Qs 7s 5d", True),
        ("9s 4s", "Qs 7s 5d", False),
        ("Ts 4d", "Qs 7s 5s", True),
        ("9h 4d", "Qs Qd 5s", False),
        ("9h 4d", "Qs Qd 9s", True),
        ("Jh Td", "9s 8d 2s", False),
        ("Jh Td", "9s 8d 7s", True),
    ],
)
def test_the_rule_for_the_flop(hand: str, flop: str, bets: bool) -> None:
    cards = parse_cards(flop)
    found = classes(3).cards.tolist()
    suits, row = next(
        (suits, found.index(renamed))
        for suits in permutations(range(4))
        if (renamed := sorted((c // 4 * 4 + suits[c % 4] for c in cards), reverse=True)) in found
    )
    one, other = (c // 4 * 4 + suits[c % 4] for c in parse_cards(hand))
    assert (ultimate_rules._flops()[row, hole_index(one, other)] == BET) == bets


def test_more_to_win_is_never_worth_less() -> None:
    base = evaluate(Rules(), A).ev
    assert evaluate(Rules(preflop_raise=3), A).ev < base
    assert evaluate(Rules(), B).ev < base
    paid = PayTable("more", {**A.pays, "three_of_a_kind": Fraction(1)})
    assert evaluate(Rules(), paid).ev > base


def test_a_straight_that_pushes_is_a_line_that_pays_nothing() -> None:
    pushed = {event.event: event.pays for event in evaluate(Rules(), B).events}
    assert pushed["river_win_straight"] == pushed["river_win"] == 2


@pytest.mark.parametrize(
    ("event", "number", "nearest"),
    [
        ("straight", Fraction(3, 2), Fraction(3, 2)),
        ("straight", Fraction(1, 9973), Fraction(0)),
        ("straight", Fraction(13179, 10000), Fraction(655, 497)),
        ("royal_flush", Fraction(10**9), Fraction(999_997)),
    ],
)
def test_the_nearest_pay_that_can_be_priced(event: str, number: Fraction, nearest: Fraction) -> None:
    assert game.nearest_pay(A, event, number) == nearest
    game.check(Rules(), A.with_pays({event: nearest}))


def test_a_pay_is_solved_for_as_nearly_as_can_be() -> None:
    found = solving.solve("ultimate_texas_holdem", "straight", "1%")
    assert found.pay == Fraction(655, 497)
    assert not found.exact
    assert found.returns.house_edge == pytest.approx(0.01, abs=2e-6)
    assert found.tolerance < 1e-4


def test_an_explanation_takes_no_rule_of_thumb() -> None:
    with pytest.raises(RequestError, match="strategy wizard of ultimate_texas_holdem is no chart"):
        request.explain("ultimate_texas_holdem", "As Kd", strategy="wizard")


def test_hands_have_names() -> None:
    assert len(set(HANDS)) == 169
    assert sum(COMBINATIONS) == 1326
    assert [hand_name(*parse_cards(cards)) for cards in ("2d As", "Ts Ks", "9c 9d")] == ["A2o", "KTs", "99"]


@pytest.mark.parametrize(
    ("cards", "shown", "told"),
    [
        ("As", None, "the player's cards are 'As'; expected two, such as 'As Kd'"),
        ("As As", None, "card As comes twice"),
        ("As Kd", "As 2d 3d", "card As comes twice"),
        ("As Kx", None, "card 'Kx'"),
        ("As Kd", "2d 3d", "expected no card, the three of the flop or all five"),
    ],
)
def test_cards_that_make_no_spot_are_refused(cards: str, shown: str | None, told: str) -> None:
    with pytest.raises(RequestError, match=re.escape(told)) as error:
        explain(Rules(), A, cards=cards, shown=shown)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ({"change": {"preflop_raise": 0}}, "preflop_raise is 0; expected 1 to 10 antes"),
        ({"strategy": "wizzard"}, "unknown strategy of ultimate_texas_holdem: 'wizzard' (did you mean 'wizard'?)"),
        ({"strategy": "total_dependent"}, "choices: composition_dependent, wizard, wizard_preflop"),
        ({"change": {"flop_bet": 11}}, "flop_bet is 11; expected 1 to 10 antes"),
        ({"pay": {"straight": 1e6}}, "in units of 1/2; expected 999,997 to 1 at most"),
        (
            {"pay": {"straight": "1:9973"}},
            "royal_flush pays 500, and all pays are whole in units of 1/19946; expected 97",
        ),
        ({"paytable": PayTable("short", {"royal_flush": Fraction(500)})}, "pay table short lacks straight_flush"),
        (
            {"paytable": PayTable("odd", {**A.pays, "five_aces": Fraction(500)})},
            "unknown event of pay table odd: 'five_aces'",
        ),
    ],
)
def test_what_cannot_be_priced_is_told_in_one_line(asked: dict[str, object], told: str) -> None:
    with pytest.raises(RequestError, match=re.escape(told)) as error:
        request.resolve("ultimate_texas_holdem", **asked).check()  # type: ignore[arg-type]
    assert "\n" not in str(error.value)


def test_json_has_the_contracts_shape() -> None:
    found = json.loads(json.dumps(request.evaluate("ultimate_texas_holdem").json()))
    assert found["ev_exact"] == str(BEST)
    assert found["stdev"] == pytest.approx(4.94, abs=0.005)  # the Wizard of Odds
    cells = request.strategy("ultimate_texas_holdem").json()["cells"]
    assert len(cells) == 169
    assert {"hand", "cards", "upcard", "action", "evs"} <= cells[0].keys()
