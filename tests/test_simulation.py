"""The second witness: Spanish 21 dealt card by card against the exact engine.

Seeds are fixed, so a test that passes passes always. Limits are in standard errors: 4 for a mean; the many frequencies
of one sample are judged together, by chi-square, and the worst of them by 5.
"""

import math
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from multiprocessing import get_context
from typing import Any

import numpy as np
import pytest

from casinomath import catalog, montecarlo, request, twentyone
from casinomath.errors import RequestError
from casinomath.games import spanish21
from casinomath.games.spanish21 import Rules, simulate
from casinomath.kernels.actions import DOUBLE, ENDINGS, HIT, RESCUE, SPLIT, STAND, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.montecarlo import Sample
from casinomath.returns import Returns
from casinomath.strategy import Chart, Strategy
from casinomath.twentyone import Round, pair_row, two_card_rows

BONUS_21 = catalog.paytable("spanish21", "bonus_21")
SIX_DECKS = Rules()
TWO_DECKS = catalog.paytable_for("spanish21", "h17_two_deck")

MOST_HANDS = 4
SEVEN = 6
ROUNDS = 2 * 10**7

NORMAL_RUN = ("s17_six_deck", "h17_six_deck", "h17_redouble_two_deck")
LONG_RUN = ("s17_eight_deck", "h17_two_deck", "h17_redouble_eight_deck", "s17_two_deck", "five_deck_house")


def named(name: str) -> tuple[Rules, Any]:
    return catalog.rules("spanish21", name, Rules), catalog.paytable_for("spanish21", name)


def published(name: str) -> Chart:
    chart = request.resolve("spanish21", strategy=name).play
    assert isinstance(chart, Chart)
    return chart


def by_policy(rules: Rules, policy: Policy) -> Strategy:
    """A strategy of one's own: no cells, no chart, just what to do."""
    return Strategy("spanish21", rules._asdict(), "", "composition_dependent", (), Chart("", {}), policy)


def exact_events(played: Round) -> dict[str, float]:
    events = dict(zip(ENDINGS, played.ends.sum(axis=0).tolist(), strict=True))
    for hands_made, probability in enumerate(played.split_rounds.sum(axis=0).tolist(), start=2):
        events[f"split_to_{hands_made}_hands"] = probability
    return events


def check_events(sample: Sample, events: Mapping[str, float]) -> None:
    """Frequencies of everything a round can end with; what is expected less than ten times is thrown together."""
    assert sum(sample.events.values()) == sum(sample.outcomes.values()) == sample.rounds
    assert sum(events.values()) == pytest.approx(1.0, abs=1e-9)
    expected = {event: sample.rounds * probability for event, probability in events.items()}
    common = {event for event, number in expected.items() if number >= 10}
    rare = sum(number for event, number in expected.items() if event not in common)
    seen_rarely = sum(number for event, number in sample.events.items() if event not in common)
    chi_square = (seen_rarely - rare) ** 2 / rare if rare >= 10 else 0.0
    assert abs(seen_rarely - rare) <= 5 * math.sqrt(max(rare, 5.0))
    for event in common:
        assert abs(sample.event_agreement(event, events[event])) < 5, event
        chi_square += (sample.events.get(event, 0) - expected[event]) ** 2 / expected[event]
    freedom = len(common) - (rare < 10)
    assert abs(chi_square - freedom) < 4 * math.sqrt(2 * freedom)


def check_split_hands(sample: Sample, hands_per_round: Mapping[str, float]) -> None:
    """How the hands of split rounds end. Several of one round may end alike: at most 4, hence the factor."""
    for ending, expected in hands_per_round.items():
        seen = sample.counts.get(f"split_hand_{ending}", 0) / sample.rounds
        assert abs(seen - expected) < 4 * math.sqrt(MOST_HANDS * expected / sample.rounds) + 5 / sample.rounds, ending


def check_average_wager(sample: Sample, expected: float) -> None:
    wagers = {wagered * sample.unit: 0 for _, wagered in sample.outcomes}
    for (_, wagered), rounds in sample.outcomes.items():
        wagers[wagered * sample.unit] += rounds
    mean = sum(wager * rounds for wager, rounds in wagers.items()) / sample.rounds
    variance = sum((wager - mean) ** 2 * rounds for wager, rounds in wagers.items()) / sample.rounds
    assert abs(sample.average_wager - expected) < 4 * math.sqrt(variance / sample.rounds) + 1e-12


def check_agreement(sample: Sample, returns: Returns) -> None:
    assert abs(sample.agreement(returns.ev)) < 4
    check_average_wager(sample, returns.average_wager)
    check_events(sample, {event.event: event.probability for event in returns.events if not event.on_top})
    check_split_hands(sample, {row["ending"]: row["hands_per_round"] for row in returns.details["split_hands"]})


def check_played(sample: Sample, played: Round) -> None:
    assert abs(sample.agreement(played.ev)) < 4
    check_average_wager(sample, played.average_wager)
    check_events(sample, exact_events(played))
    check_split_hands(sample, dict(zip(ENDINGS, played.split_ends.sum(axis=(0, 1)).tolist(), strict=True)))


# --- The best play and charts -------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "name"), list(enumerate(NORMAL_RUN)))
def test_best_play(seed: int, name: str) -> None:
    rules, paytable = named(name)
    check_agreement(simulate(rules, paytable, ROUNDS, seed), spanish21.evaluate(rules, paytable))


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "name"), list(enumerate(NORMAL_RUN + LONG_RUN, start=100)))
def test_best_play_for_long(seed: int, name: str) -> None:
    rules, paytable = named(name)
    check_agreement(simulate(rules, paytable, 10**8, seed), spanish21.evaluate(rules, paytable))


@pytest.mark.parametrize(
    ("seed", "changes"),
    list(
        enumerate(
            (
                {"rescue_forfeits": "original_wager", "max_doubles": 3},
                {"rescue": False, "late_surrender": False, "max_hands": 1},
                {"draw_to_split_aces": False, "card_count_bonus_after_split": False, "max_hands": 2, "max_doubles": 2},
            ),
            start=10,
        )
    ),
)
def test_other_rules(seed: int, changes: dict[str, Any]) -> None:
    rules = SIX_DECKS._replace(**changes)
    check_agreement(simulate(rules, BONUS_21, ROUNDS, seed), spanish21.evaluate(rules, BONUS_21))


def test_other_pays() -> None:
    """Pays in fifths and thirds: the unit is a thirtieth of an initial wager, and the sums stay exact."""
    paytable = BONUS_21.with_pays(
        {"blackjack": Fraction(6, 5), "five_card_21": Fraction(7, 3), "six_seven_eight_spades": Fraction(50)}
    )
    sample = simulate(SIX_DECKS, paytable, ROUNDS, 20)
    assert sample.unit == Fraction(1, 30)
    assert Fraction(6, 5) in sample.distribution
    check_agreement(sample, spanish21.evaluate(SIX_DECKS, paytable))


@pytest.mark.parametrize(("seed", "name"), list(enumerate(catalog.charts("spanish21"), start=30)))
def test_published_chart(seed: int, name: str) -> None:
    rules, _ = named({"wizard_s17": "s17_six_deck", "wizard_h17": "h17_six_deck"}.get(name, "h17_redouble_six_deck"))
    chart = published(name)
    sample = simulate(rules, BONUS_21, ROUNDS, seed, strategy=chart)
    check_agreement(sample, spanish21.evaluate(rules, BONUS_21, strategy=chart))


# --- Forced play: what the best play seldom does ------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "changes"),
    list(
        enumerate(
            (
                {"decks": 1},
                {"decks": 1, "max_doubles": 3, "rescue_forfeits": "original_wager"},
                {"decks": 1, "dealer_hits_soft_17": False, "max_hands": 3, "card_count_bonus_after_split": False},
                {"decks": 2, "draw_to_split_aces": False},
                {"decks": 6, "max_doubles": 3, "max_hands": 2},
            ),
            start=40,
        )
    ),
)
def test_every_pair_split_and_all_else_surrendered(seed: int, changes: dict[str, Any]) -> None:
    """Nothing but splits varies, and the fewer the decks, the more each card taken by another hand matters."""
    rules = SIX_DECKS._replace(**changes)
    paytable = TWO_DECKS if rules.decks <= 2 else BONUS_21
    problem = spanish21.problem(rules, paytable)
    best = twentyone.solve(problem).policy
    first, suited_first = best.first.copy(), np.full_like(best.suited_first, SURRENDER)
    first[:, two_card_rows()] = SURRENDER
    first[:, [pair_row(value) for value in range(10)]] = SPLIT
    suited_first[:, [i for i, (x, y) in enumerate(SUITED_HANDS) if x == y]] = SPLIT
    policy = best._replace(first=first, suited_first=suited_first)

    sample = simulate(rules, paytable, ROUNDS, seed, strategy=by_policy(rules, policy))
    assert sum(sample.events[f"split_to_{k}_hands"] for k in range(2, rules.max_hands + 1)) > 0.08 * ROUNDS
    check_played(sample, twentyone.play(problem, policy))


def random_policy(rules: Rules, seed: int) -> Policy:
    """Any decision, for every hand, upcard and suits on their own. Hard 21s stand: nobody doubles a bonus away."""
    random = np.random.default_rng(seed)
    lattice = hands()
    hard_21, soft_21 = ((lattice.total == 21) & (lattice.soft == soft) for soft in (False, True))
    n = len(lattice.size)

    def any_of(actions: tuple[int, ...], *shape: int) -> Any:
        return random.choice(np.array(actions, dtype=np.uint8), shape)

    def any_play() -> Any:
        actions = any_of((STAND, HIT, DOUBLE), 10, n)
        actions[:, hard_21] = STAND
        actions[:, soft_21] = any_of((STAND, DOUBLE), 10, int(soft_21.sum()))
        return actions

    play, split_play, aces_play = any_play(), any_play(), any_play()
    if not rules.draw_to_split_aces:
        aces_play[:] = STAND
    first = any_of((STAND, HIT, DOUBLE, SURRENDER), 10, n)
    first[:, soft_21] = any_of((STAND, DOUBLE), 10, int(soft_21.sum()))
    pairs = [pair_row(value) for value in range(10)]
    first[:, pairs] = any_of((STAND, HIT, DOUBLE, SURRENDER, SPLIT, SPLIT), 10, 10)
    after = any_of((STAND, RESCUE, DOUBLE), 3, 10, n)
    after[rules.max_doubles - 1 :] = any_of((STAND, RESCUE), 4 - rules.max_doubles, 10, n)
    suited_play, split_suited_play = any_of((STAND, HIT, DOUBLE), 2, 10, 6, 64)
    suited_first = any_of((STAND, HIT, DOUBLE, SURRENDER), 10, 6, 64)
    for i, (x, y) in enumerate(SUITED_HANDS):
        if x == y:
            suited_first[:, i] = any_of((HIT, DOUBLE, SURRENDER, SPLIT, SPLIT), 10, 64)
        if x == y != SEVEN:  # nothing depends on the suits of 6-6 and 8-8 after a split, says the exact engine
            split_suited_play[:, i] = split_suited_play[:, i, :1]
    return Policy(play, after, first, suited_play, suited_first, split_play, split_suited_play, aces_play)


@pytest.mark.parametrize(
    ("seed", "changes"),
    [
        (80, {"decks": 1, "max_doubles": 3}),
        (81, {"decks": 1, "max_doubles": 2, "rescue_forfeits": "original_wager", "max_hands": 3}),
        (82, {"decks": 2, "dealer_hits_soft_17": False, "draw_to_split_aces": False}),
        (83, {"decks": 5, "max_doubles": 3}),
    ],
)
def test_any_play(seed: int, changes: dict[str, Any]) -> None:
    """Decisions thrown by dice reach everything that can happen, each hand as often as any other."""
    rules = SIX_DECKS._replace(**changes)
    paytable = TWO_DECKS if rules.decks <= 2 else BONUS_21
    policy = random_policy(rules, seed)
    sample = simulate(rules, paytable, ROUNDS, seed, strategy=by_policy(rules, policy))
    check_played(sample, twentyone.play(spanish21.problem(rules, paytable), policy))


@pytest.mark.parametrize("seed", [86, 87])
def test_any_play_from_a_shoe_of_low_cards(seed: int) -> None:
    """Hands of many cards, soft late in the draw, that a full shoe hardly ever deals. No 6, 7, 8: no suits matter."""
    rules = SIX_DECKS._replace(max_doubles=3, rescue_forfeits="original_wager")
    shoe = (24, 24, 24, 10, 5, 0, 0, 0, 5, 12)
    policy = random_policy(rules, seed)
    low = {
        name: np.where(hands().total < most, HIT, getattr(policy, name)).astype(np.uint8)
        for name, most in {"play": 14, "split_play": 14, "aces_play": 14, "first": 10}.items()
    }
    policy = policy._replace(**low)
    sample = montecarlo.run(replace(spanish21.rounds_by(rules, BONUS_21, policy), shoe=shoe), ROUNDS, seed)
    assert sample.events["seven_card_21"] > 10**4  # a full shoe deals some 1,300
    check_played(sample, twentyone.play(spanish21.problem(rules, BONUS_21, shoe), policy))


@pytest.mark.parametrize("seed", [84, 85])
def test_suits_decide(seed: int) -> None:
    """Two cards of 6, 7, 8 are surrendered by their suits and the upcard's, and nothing else is."""
    random = np.random.default_rng(seed)
    policy = random_policy(SIX_DECKS, seed)
    stood = np.full_like(policy.first, STAND)
    by_suits = random.choice(np.array([STAND, SURRENDER], dtype=np.uint8), policy.suited_first.shape)
    policy = policy._replace(play=stood, first=stood, suited_first=by_suits)
    sample = simulate(SIX_DECKS, BONUS_21, ROUNDS, seed, strategy=by_policy(SIX_DECKS, policy))
    check_played(sample, twentyone.play(spanish21.problem(SIX_DECKS, BONUS_21), policy))


def test_everything_hit_up_to_18() -> None:
    """Bonus 21s of every kind, far more often than by the best play; a blackjack is hit too, soft 21s are not."""
    rules = SIX_DECKS._replace(decks=2)
    problem = spanish21.problem(rules, TWO_DECKS)
    best = twentyone.solve(problem).policy
    lattice = hands()
    actions = np.where(lattice.total <= 18, HIT, STAND).astype(np.uint8)
    play = np.tile(actions, (10, 1))
    suited = np.full_like(best.suited_play, HIT)
    policy = best._replace(play=play, first=play, split_play=play, aces_play=play, suited_first=suited)
    sample = simulate(rules, TWO_DECKS, ROUNDS, 50, strategy=by_policy(rules, policy))
    check_played(sample, twentyone.play(problem, policy))


# --- Super Bonus --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "decks", "winning_deals"),
    [
        # three 7s of one of four suits, and a 7 of another suit or of the same
        (60, 6, 4 * (6 * 5 * 4) * (18 + 3)),
        # 7♥ 7♦ 7♣ in any order, each twice in the shoe, and one of two 7♠
        (61, 2, 6 * (2 * 2 * 2) * 2),
    ],
)
def test_super_bonus(seed: int, decks: int, winning_deals: int) -> None:
    """Counted by hand: three player cards and the upcard, in order. No dealer has blackjack with a 7; 7-7 is hit."""
    rules = SIX_DECKS._replace(decks=decks, super_bonus=True)
    paytable = TWO_DECKS if decks == 2 else BONUS_21
    problem = spanish21.problem(rules, paytable)
    policy = twentyone.solve(problem).policy
    policy.suited_first[:, SUITED_HANDS.index((SEVEN, SEVEN))] = HIT
    cards = 48 * decks
    probability = winning_deals / (cards * (cards - 1) * (cards - 2) * (cards - 3))
    rounds = 2 * ROUNDS
    sample = simulate(rules, paytable, rounds, seed, strategy=by_policy(rules, policy))
    assert abs(sample.counts["super_bonus"] - rounds * probability) < 4 * math.sqrt(rounds * probability)
    assert max(sample.distribution) == (202 if decks == 2 else 203)  # $1,000 on $5, and what the 7-7-7 itself pays
    check_played(sample, twentyone.play(problem, policy))


def test_super_bonus_is_measured_by_the_bet() -> None:
    rules = SIX_DECKS._replace(super_bonus=True, bet=7.5)
    sample = simulate(rules, BONUS_21, 10**6, 62)
    assert sample.unit == Fraction(1, 6)  # a prize of 133 1/3 bets, other results in halves
    assert sample.counts["super_bonus"] == sum(rounds for net, rounds in sample.distribution.items() if net > 100)


# --- The same everywhere ------------------------------------------------------------------------------------

SMALL = """
from casinomath import catalog, request
from casinomath.games.spanish21 import Rules, simulate

rules = Rules(max_doubles=3, decks=2)
paytable = catalog.paytable("spanish21", "bonus_21_two_deck")
chart = request.resolve("spanish21", strategy="wizard_h17_redouble").play
print(simulate(rules, paytable, 20_000, 70, strategy=chart).digest)
"""


def test_plain_python_plays_the_same_rounds() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    ran = subprocess.run(
        [sys.executable, "-W", "error", "-c", SMALL], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    rules = Rules(max_doubles=3, decks=2)
    sample = simulate(rules, TWO_DECKS, 20_000, 70, strategy=published("wizard_h17_redouble"))
    assert ran.stdout.strip() == sample.digest


def test_threads_and_processes_play_the_same_rounds() -> None:
    chart = published("wizard_h17")
    samples = [simulate(SIX_DECKS, BONUS_21, 3 * 10**6, 71, strategy=chart)]
    for executor in (ThreadPoolExecutor(1), ThreadPoolExecutor(3), ProcessPoolExecutor(2, get_context("spawn"))):
        with executor:
            samples.append(simulate(SIX_DECKS, BONUS_21, 3 * 10**6, 71, strategy=chart, executor=executor))
    assert len({sample.digest for sample in samples}) == 1
    assert simulate(SIX_DECKS, BONUS_21, 3 * 10**6, 72, strategy=chart).digest != samples[0].digest


def test_strategies_play_as_they_say() -> None:
    """The best play asked for by name, as a strategy, and the chart of a total-dependent one: the same rounds."""
    best = spanish21.strategy(SIX_DECKS, BONUS_21)
    assert simulate(SIX_DECKS, BONUS_21, 10**5, 73, strategy=best) == simulate(SIX_DECKS, BONUS_21, 10**5, 73)
    chart = spanish21.strategy(SIX_DECKS, BONUS_21, strategy_class="total_dependent")
    as_chart = simulate(SIX_DECKS, BONUS_21, 10**5, 73, strategy=chart.chart)
    assert simulate(SIX_DECKS, BONUS_21, 10**5, 73, strategy=chart) == as_chart


# --- Bad requests -------------------------------------------------------------------------------------------


def test_rounds_and_seed_are_checked_before_anything_is_worked_out() -> None:
    with pytest.raises(RequestError, match="rounds is 0"):
        simulate(SIX_DECKS, BONUS_21, 0, 1)
    with pytest.raises(RequestError, match="seed is -1"):
        simulate(SIX_DECKS, BONUS_21, 10, -1)


@pytest.mark.parametrize(
    ("theirs", "ours", "message"),
    [
        ({"decks": 2}, {}, "made for 2 decks"),
        ({"max_doubles": 3}, {}, "doubles a hand more than 1 times"),
        ({}, {"rescue": False}, "rescues"),
        ({}, {"late_surrender": False}, "surrenders"),
        ({}, {"max_hands": 1}, "splits"),
    ],
)
def test_a_strategy_for_other_rules(theirs: dict[str, Any], ours: dict[str, Any], message: str) -> None:
    rules = SIX_DECKS._replace(**theirs)
    paytable = TWO_DECKS if rules.decks == 2 else BONUS_21
    strategy = by_policy(rules, twentyone.solve(spanish21.problem(rules, paytable)).policy)
    with pytest.raises(RequestError, match=message):
        simulate(SIX_DECKS._replace(**ours), BONUS_21, 1000, 1, strategy=strategy)


def test_a_strategy_of_another_game() -> None:
    strategy = Strategy("blackjack", {}, "", "composition_dependent", (), Chart("", {}), None)
    with pytest.raises(RequestError, match="one of blackjack"):
        simulate(SIX_DECKS, BONUS_21, 1000, 1, strategy=strategy)


def test_pays_too_fine_to_keep_apart() -> None:
    paytable = BONUS_21.with_pays({"five_card_21": Fraction(15_001, 10_000)})
    with pytest.raises(RequestError, match=r"steps of 1/10000"):
        simulate(SIX_DECKS, paytable, 1000, 1)
