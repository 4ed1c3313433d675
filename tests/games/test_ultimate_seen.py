"""Ultimate Texas Hold'em with a card seen: against plain counting, and against play that does not look."""

from fractions import Fraction
from itertools import combinations, permutations

import numpy as np
import plain_holdem
import pytest

from casinomath import catalog, ultimate, ultimate_known
from casinomath.cards import parse_cards
from casinomath.errors import RequestError
from casinomath.games import ultimate_texas_holdem as game
from casinomath.games.ultimate_texas_holdem import Rules, evaluate, explain, simulate, strategy
from casinomath.kernels import known
from casinomath.kernels.boards import boards
from casinomath.kernels.ultimate import HOLES, hole_index, solve_flops

A = catalog.paytable("ultimate_texas_holdem", "blind_a")
STAKES = game.stakes(Rules(), A)


@pytest.mark.parametrize(
    ("dealer", "flop", "hands"),
    [
        ("9s", "Ts 9d 3s", "As 2s Kh Qh 3h 3c 8d 7d 6s 5d Jd Jc Td 4h 4s Ac 9h 9c 2h 7c"),
        ("As", "Qh 7h 2h", "Ah 2s Kh Qd 3h 3c 8d 7d 6s 5h Jd Jc Td 4h 4s Ac 9h 9c Ks 7c"),
        ("5s", "5c 5d 5h", "Ah 2s Kh Qd 3h 3c 8d 7d 6s 4h Jd Jc Td 4d 4s Ac 9h 9c Ks 7c"),
    ],
)
def test_a_flop_against_a_known_card_is_worth_what_plain_counting_finds(dealer: str, flop: str, hands: str) -> None:
    (card,), cards, some = parse_cards(dealer), parse_cards(flop), parse_cards(hands)
    wanted = {tuple(sorted(pair)) for pair in zip(some[::2], some[1::2], strict=True)}
    priced = [ultimate.priced_boards(met, STAKES, 44)[0] for met in known.known_showdowns(card // 4)]
    totals = np.zeros((HOLES, 3), dtype=np.int64)
    solve_flops(
        *(np.array([cards], dtype=np.uint8), np.ones(1, dtype=np.int64), card, boards(), *priced),
        *(STAKES.unit, -2 * 44 * STAKES.unit, 2 * STAKES.unit, np.zeros((1, HOLES), dtype=np.uint8)),
        *(np.arange(HOLES, dtype=np.int32)[None, :], totals, ultimate.room(STAKES, 44)),
    )
    plain = plain_holdem.flop(list(cards), 2, STAKES.by_value, STAKES.unit, wanted, card)
    assert plain.keys() == wanted
    for hole, (bet, check) in plain.items():
        margin, rest, best = totals[hole_index(*hole)].tolist()
        assert 2 * STAKES.unit * margin + rest == bet, hole
        assert best == max(bet, check), hole


def test_what_is_known_up_to_a_renaming_of_suits() -> None:
    """Classes of hands against a known card of suit 0, one by one."""
    dealer = 0
    groups = ultimate_known._groups(dealer, "none")[0]
    seen: dict[frozenset[int], int] = {}
    for a, b in combinations(range(1, 52), 2):
        alike = {frozenset(4 * (c // 4) + (0, *suits)[c % 4] for c in (a, b)) for suits in permutations(range(1, 4))}
        (number,) = {int(groups[hole_index(*pair)]) for pair in alike}
        for pair in alike:
            assert seen.setdefault(pair, number) == number
    assert set(seen.values()) == set(range(len(set(groups.tolist())) - 1))
    flops, weights = ultimate_known._flops(dealer)
    assert int(weights.sum()) == 20825
    assert not (flops == dealer).any()


def test_a_card_of_the_flop_seen() -> None:
    """Looking never costs, and all that is known afterwards is known to be dealt."""
    seen = evaluate(Rules(community_card_seen="flop"), A)
    assert seen.ev > evaluate(Rules(), A).ev
    assert seen.ev == pytest.approx(0.0452130, abs=1e-7)
    (case,) = ultimate_known.solve(STAKES, ultimate_known.Seen(dealer=False, community="flop"))
    assert int(case.deals.sum()) == case.rounds.deals == 3 * ultimate.DEALS
    best = np.maximum(4 * STAKES.unit * case.totals[:, 0] + case.totals[:, 1], case.totals[:, 2])
    assert int(best.sum()) / (STAKES.unit * case.rounds.deals) == pytest.approx(seen.ev, abs=1e-12)


def simulated(rules: Rules, rounds: int) -> None:
    returns, sample = evaluate(rules, A), simulate(rules, A, rounds, 13)
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        if event.probability > 1e-3:
            assert abs(sample.event_agreement(event.event, event.probability)) < 4.5, event.event


def test_simulation_with_a_card_of_the_flop_seen_agrees() -> None:
    simulated(Rules(community_card_seen="flop"), 300_000)


def published(rules: Rules, name: str) -> None:
    rows = [row for row in catalog.published("ultimate_texas_holdem") if row.rules == name]
    assert [row.measure for row in rows] == ["ev"]
    assert rows[0].agrees(evaluate(rules, A).ev)


@pytest.mark.slow
def test_a_card_of_the_dealers_seen() -> None:
    published(Rules(dealer_card_seen=True), "dealer_card_seen")


@pytest.mark.slow
def test_a_card_of_the_dealers_and_one_of_the_flop_seen() -> None:
    rules = Rules(dealer_card_seen=True, community_card_seen="flop")
    published(rules, "dealer_and_flop_card_seen")
    simulated(rules, 1_000_000)


@pytest.mark.slow
def test_what_looks_at_no_card_is_the_game_itself() -> None:
    (case,) = ultimate_known.solve(STAKES, ultimate_known.Seen(dealer=False, community="none"))
    assert case.rounds.by_stage == ultimate.play(ultimate.solve(STAKES).plan).by_stage


@pytest.mark.slow
def test_against_a_known_deuce_more_hands_are_raised_than_against_an_ace() -> None:
    raised = {}
    for dealer in (0, 48):
        case = ultimate_known.case(STAKES, dealer, "none")
        assert int(case.deals.sum()) == case.rounds.deals
        raised[dealer] = sum(held.number for held in case.holdings() if case.spot.raised[held.group])
        best = np.maximum(4 * STAKES.unit * case.totals[:, 0] + case.totals[:, 1], case.totals[:, 2])
        wagers = {"preflop": 4, "flop": 2, "river": 1}
        played = sum(
            (wagers[stage] * (won + low - lost - lost_low) + won - lost - lost - lost_low) * STAKES.unit
            + (won + low) * STAKES.blind[place]
            for stage, ends in case.rounds.played.items()
            for place, (won, low, lost, lost_low, _) in enumerate(ends.tolist())
        )
        assert played - 2 * STAKES.unit * case.rounds.folded == int(best.sum())
    assert raised[0] > 2 * raised[48]


def test_an_explanation_with_cards_seen() -> None:
    """The river against 44 hands; before the flop all renamings of suits are one spot."""
    rules = Rules(dealer_card_seen=True)
    found = explain(rules, A, cards="Ks 6d", shown="9h Qh 7d 2c 8h Tc")
    dealer, hole = parse_cards("9h")[0], tuple(sorted(parse_cards("Ks 6d")))
    result = plain_holdem.met(list(parse_cards("Qh 7d 2c 8h Tc")), {hole}, dealer)[hole]
    bet = Fraction(plain_holdem.ultimate(result, 1, STAKES.by_value, STAKES.unit, 44), 44 * STAKES.unit)
    assert found.evs == {"bet_1x": bet, "fold": Fraction(-2)}
    assert found.question == "Ks 6d against 9h on Qh 7d 2c 8h Tc"

    seen = Rules(community_card_seen="flop")
    assert explain(seen, A, cards="9h 2c", shown="9d").evs == explain(seen, A, cards="9d 2s", shown="9c").evs
    assert explain(seen, A, cards="9h 2c", shown="9d").best == "raise_4x"
    assert explain(seen, A, cards="9h 2c", shown="Ad").best == "check"


def test_what_is_shown_with_a_card_seen() -> None:
    with pytest.raises(RequestError, match="expected the dealer's known card, then no card, the three of the flop"):
        explain(Rules(dealer_card_seen=True), A, cards="As Kd")
    with pytest.raises(RequestError, match="expected the known card of the flop, the three of the flop or all five"):
        explain(Rules(community_card_seen="flop"), A, cards="As Kd")
    with pytest.raises(RequestError, match="card As comes twice"):
        explain(Rules(dealer_card_seen=True), A, cards="As Kd", shown="As")


def test_what_does_not_go_with_a_card_seen() -> None:
    with pytest.raises(RequestError, match="strategy wizard knows nothing of cards that are seen"):
        evaluate(Rules(dealer_card_seen=True), A, strategy="wizard")
    with pytest.raises(RequestError, match="thousands of hands before the flop"):
        strategy(Rules(community_card_seen="flop"), A)
