"""Lucky Stiff against whole rounds on tiny shoes, against dealt cards, and what must hold of any way to play it."""

from fractions import Fraction

import lucky_stiff_oracle as oracle
import numpy as np
import pytest

from casinomath import catalog
from casinomath.errors import RequestError
from casinomath.kernels.hands import hands
from casinomath.paytable import PayTable
from casinomath.sidebets import lucky_stiff
from casinomath.sidebets.lucky_stiff import Rules, evaluate, simulate, stiff_hands

TEN_TO_ONE = catalog.paytable("lucky_stiff", "ten_to_one")

SHOE = (2, 1, 1, 1, 0, 3, 2, 2, 0, 9)
PLAYED_FOR = {"main_bet": (1, 0), "both_bets": (1, 2), "lucky_stiff": (0, 1)}


@pytest.mark.parametrize("surrender", [False, True])
@pytest.mark.parametrize("played_for", PLAYED_FOR)
def test_whole_rounds(played_for: str, surrender: bool) -> None:
    main, side = PLAYED_FOR[played_for]
    rules = Rules(decks=1, late_surrender=surrender, played_for=played_for, side_to_main=2.0)  # type: ignore[arg-type]
    ours = {event.event: event.probability for event in evaluate(rules, TEN_TO_ONE, shoe=SHOE).events}
    theirs = oracle.events(oracle.Game(SHOE, Fraction(main), Fraction(side), surrender=surrender))
    lost = ours["stiff_loss"] + ours.get("stiff_to_dealer_blackjack", 0.0)
    found = {
        "blackjack": ours["blackjack"],
        "stiff_pair": ours["stiff_pair"],
        "not_stiff": ours["not_stiff"],
        "won": ours["stiff_win"],
        "pushed": ours.get("stiff_push", 0.0),
        "lost": lost,
        "surrendered": ours.get("stiff_surrender", 0.0),
    }
    for event, probability in found.items():
        assert probability == pytest.approx(float(theirs.get(event, 0)), abs=1e-14), event
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-14)


def test_stiff_hands_are_hard_12_to_16_and_no_pair() -> None:
    named = {tuple(np.repeat(np.arange(10), hands().counts[row]).tolist()) for row in np.flatnonzero(stiff_hands())}
    assert named == {(x, y) for x in range(1, 10) for y in range(x + 1, 10) if 12 <= x + y + 2 <= 16}


@pytest.mark.parametrize(("seed", "played_for"), list(enumerate(PLAYED_FOR)))
@pytest.mark.parametrize("late_surrender", [False, True])
def test_dealt_cards(seed: int, played_for: str, late_surrender: bool) -> None:
    rules = Rules(decks=2, late_surrender=late_surrender, played_for=played_for, side_to_main=1.0)  # type: ignore[arg-type]
    returns = evaluate(rules, TEN_TO_ONE)
    sample = simulate(rules, TEN_TO_ONE, 200_000, seed)
    assert abs(sample.agreement(returns.ev)) < 4
    assert {event.event for event in returns.events} == set(sample.events)
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 5, event.event


@pytest.mark.parametrize("late_surrender", [False, True])
def test_every_play_is_the_best_one_for_what_it_is_for(late_surrender: bool) -> None:
    rules = Rules(late_surrender=late_surrender, side_to_main=3.0)
    by = {name: evaluate(rules._replace(played_for=name), TEN_TO_ONE) for name in PLAYED_FOR}  # type: ignore[arg-type]
    assert by["lucky_stiff"].ev > by["both_bets"].ev > by["main_bet"].ev
    main = {name: returns.details["main_ev"] for name, returns in by.items()}
    assert main["main_bet"] == by["main_bet"].details["best_main_ev"] > main["both_bets"] > main["lucky_stiff"]
    together = {name: returns.details["together_ev"] for name, returns in by.items()}
    assert together["both_bets"] == max(together.values())
    assert by["main_bet"].details["changes"] == []
    for change in by["both_bets"].details["changes"]:
        assert change["gain"] > 0
        assert change["played"] == "stand" or change["main_bet"] == "surrender"


def test_a_large_main_bet_is_played_for_itself() -> None:
    little = evaluate(Rules(played_for="both_bets", side_to_main=1e-9), TEN_TO_ONE)
    assert little.details["changes"] == []
    assert little.ev == pytest.approx(evaluate(Rules(), TEN_TO_ONE).ev, abs=1e-15)
    large = evaluate(Rules(played_for="both_bets", side_to_main=1e9), TEN_TO_ONE)
    assert large.ev == pytest.approx(evaluate(Rules(played_for="lucky_stiff"), TEN_TO_ONE).ev, abs=1e-9)


def test_pairs_pay_what_they_are_dealt() -> None:
    nine = catalog.paytable("lucky_stiff", "nine_to_one")
    ten, less = evaluate(Rules(), TEN_TO_ONE), evaluate(Rules(), nine)
    assert ten.ev - less.ev == pytest.approx(3 * 24 * 23 / (312 * 311), abs=1e-15)


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (Rules(decks=0), "decks is 0; expected 1 to 16"),
        (Rules(max_hands=5), "max_hands is 5; expected 1 to 4"),
        (Rules(side_to_main=0.0), "side_to_main is 0; expected main wagers above 0, such as 1 or 5"),
        (Rules(played_for="both"), "unknown played_for 'both'"),  # type: ignore[arg-type]
    ],
)
def test_bad_rules(rules: Rules, message: str) -> None:
    with pytest.raises(RequestError, match=message):
        evaluate(rules, TEN_TO_ONE)


def test_a_shoe_that_may_run_out() -> None:
    with pytest.raises(RequestError, match="too few to finish every round"):
        evaluate(Rules(decks=1), TEN_TO_ONE, shoe=[1] * 9 + [4])


def test_bad_pay_tables() -> None:
    with pytest.raises(RequestError, match="lacks stiff_win"):
        lucky_stiff.check(Rules(), PayTable("short", {"blackjack": Fraction(1), "stiff_pair": Fraction(10)}))
