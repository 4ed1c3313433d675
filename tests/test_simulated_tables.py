"""Spanish 21 at a table: seats, used shoes, cut cards and bets on the side, against what is known exactly.

Seeds are fixed. Limits are in standard errors: 4 for a mean.
"""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import replace
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_simulation import (
    BONUS_21,
    SIX_DECKS,
    TWO_DECKS,
    by_policy,
    check_average_wager,
    check_events,
    check_split_hands,
    named,
    published,
    random_policy,
)

from casinomath import montecarlo, request, twentyone
from casinomath.cards import VALUES
from casinomath.cli import main
from casinomath.errors import RequestError
from casinomath.games import spanish21
from casinomath.games.spanish21 import Rules, simulate
from casinomath.kernels.actions import HIT, SPLIT, SURRENDER
from casinomath.kernels.shoe import RESTOCK, deal
from casinomath.kernels.suits import SUITED_HANDS
from casinomath.matches import law, read_shoe
from casinomath.montecarlo import MAIN, Sample, merged
from casinomath.returns import Returns
from casinomath.sidebets import match_the_dealer
from casinomath.twentyone import pair_row, two_card_rows

ROUNDS = 2 * 10**7
WHOLE = (24,) * 9 + (72,)
CHART = published("wizard_h17")


def priced() -> Returns:
    return spanish21.evaluate(SIX_DECKS, BONUS_21, strategy=CHART)


class Catching(Executor):
    """Runs a task when it is submitted, and keeps it."""

    task: Callable[..., Sample]

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        self.task = fn
        future: Future[Any] = Future()
        future.set_result(fn(*args, **kwargs))
        return future


def samples(rounds: int, number: int, **asked: Any) -> list[Sample]:
    """Independent samples of one table, which is laid out once."""
    catching = Catching()
    request.resolve("spanish21", strategy=CHART).simulate(1, 1, executor=catching, **asked)
    return [catching.task(rounds, montecarlo.state(seed, 0)) for seed in range(number)]


def nets(sample: Sample) -> Counter[Fraction]:
    found: Counter[Fraction] = Counter()
    for (net, _), rounds in sample.outcomes.items():
        found[net * sample.unit] += rounds
    return found


# --- One seat at a table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("changes", [{}, {"max_doubles": 3, "super_bonus": True}, {"decks": 1, "max_hands": 3}])
def test_a_table_of_one_plays_the_rounds_of_one_player(changes: dict[str, Any]) -> None:
    """Another kernel, which deals in the same order: the samples are equal, not only close."""
    rules = SIX_DECKS._replace(**changes)
    paytable = TWO_DECKS if rules.decks <= 2 else BONUS_21
    strategy = by_policy(rules, random_policy(rules, 3))
    alone = simulate(rules, paytable, 10**6, 1, strategy=strategy)
    shoe = (4 * rules.decks,) * 9 + (12 * rules.decks,)
    assert simulate(rules, paytable, 10**6, 1, strategy=strategy, shoe=shoe) == alone


def test_a_cut_card_that_always_comes_out_is_a_fresh_shoe_each_round() -> None:
    fresh = simulate(SIX_DECKS, BONUS_21, 10**6, 2, strategy=CHART)
    cut = simulate(SIX_DECKS, BONUS_21, 10**6, 2, strategy=CHART, penetration=4)  # what every round deals at least
    assert cut.outcomes == fresh.outcomes
    assert cut.events == fresh.events
    assert cut.shoes is not None
    assert cut.shoes.number == cut.shoes.rounds_squared == 10**6
    assert cut.first_rounds_mean == cut.mean == fresh.mean
    assert cut.stderr == pytest.approx(fresh.stderr, rel=1e-12)


# --- Partly used shoes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "shoe"),
    [
        (10, (20, 23, 24, 10, 24, 17, 24, 24, 3, 60)),
        (11, (4, 2, 2, 2, 2, 8, 9, 10, 3, 6)),  # of 6s, 7s and 8s: few, so that suits are far from evenly spread
    ],
)
def test_a_partly_used_shoe(seed: int, shoe: tuple[int, ...]) -> None:
    best = spanish21.evaluate(SIX_DECKS, BONUS_21, shoe=shoe)
    sample = simulate(SIX_DECKS, BONUS_21, ROUNDS // 4, seed, shoe=shoe)
    assert abs(sample.agreement(best)) < 4
    check_average_wager(sample, best.average_wager)
    check_events(sample, {event.event: event.probability for event in best.events})
    check_split_hands(sample, {row["ending"]: row["hands_per_round"] for row in best.details["split_hands"]})


# --- Seats --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seed", "seats"), [(20, 2), (21, 7)])
def test_seats(seed: int, seats: int) -> None:
    """By exchangeability every seat has the EV of a single one; they win and lose together."""
    exact = priced()
    sample = simulate(SIX_DECKS, BONUS_21, ROUNDS // 4, seed, strategy=CHART, seats=seats)
    assert abs(sample.agreement(exact)) < 4
    assert sample.average_wager == pytest.approx(exact.average_wager, abs=0.001)
    assert sum(sample.events.values()) == seats * sample.rounds
    for event in exact.events:
        if event.probability * sample.rounds > 10:
            assert abs(sample.event_agreement(event.event, event.probability)) < 5
    single = simulate(SIX_DECKS, BONUS_21, 10**6, seed, strategy=CHART)
    assert single.stdev / math.sqrt(seats) < 0.95 * sample.stdev < 0.95 * single.stdev


def test_results_of_several_seats_spread_as_their_average_does() -> None:
    """Means of thousands of samples, which know nothing of one another, scatter by the standard error of each."""
    means = np.array([sample.mean for sample in samples(500, 1000, seats=5)])
    whole = simulate(SIX_DECKS, BONUS_21, 10**6, 1, strategy=CHART, seats=5)
    ratio = means.std(ddof=1) / (whole.stdev / math.sqrt(500))
    assert abs(ratio - 1) < 4 / math.sqrt(2 * 1000)


def test_envy() -> None:
    """A Super Bonus of each seat pays all others; 7-7 is hit, so that its chance is counted by hand."""
    rules = SIX_DECKS._replace(super_bonus=True, other_bettors=2, decks=6)
    problem = spanish21.problem(rules, BONUS_21)
    policy = twentyone.solve(problem).policy
    policy.suited_first[:, SUITED_HANDS.index((6, 6))] = HIT
    sample = simulate(rules, BONUS_21, ROUNDS // 4, 22, strategy=by_policy(rules, policy), seats=3)
    probability = 4 * (6 * 5 * 4) * (18 + 3) / (288 * 287 * 286 * 285)
    expected = 3 * sample.rounds * probability
    assert abs(sample.counts["super_bonus"] - expected) < 4 * math.sqrt(2 * expected)
    assert sample.counts["envy"] == 2 * sample.counts["super_bonus"] > 0
    played = twentyone.play(problem, policy)
    assert abs(sample.agreement(played.ev + 2 * probability * 50 / 5)) < 4
    best = max(net * sample.unit for net, _ in sample.outcomes)
    assert 220 / 3 < best < 235 / 3  # $1,000 + 2 × $50 on $5, and what else the table won, shared by three seats


# --- A shoe dealt to a cut card -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "dealt"),
    [
        (30, {"penetration": 0.75}),
        (31, {"penetration": 0.75, "seats": 3, "burn": 5}),
        (32, {"penetration": 270, "burn": 1}),
    ],
)
def test_the_first_round_of_a_shoe_is_that_of_a_fresh_one(seed: int, dealt: dict[str, Any]) -> None:
    """Cards burned unseen change nothing."""
    exact = priced()
    sample = simulate(SIX_DECKS, BONUS_21, ROUNDS, seed, strategy=CHART, **dealt)
    assert sample.shoes is not None
    assert abs(sample.first_rounds_mean - exact.ev) < 4 * sample.stdev / math.sqrt(sample.shoes.number)
    assert 5 < sample.rounds / sample.shoes.number < 60


def test_the_cut_card_favours_the_house() -> None:
    """A round that takes few cards, which are high ones, is followed by another from what it left more often.

    With the cut card behind the fifth of 48 cards that is all there is to it, and the effect is large.
    """
    rules = SIX_DECKS._replace(decks=1)
    chart = spanish21.strategy(rules, TWO_DECKS, strategy_class="total_dependent").chart
    exact = spanish21.evaluate(rules, TWO_DECKS, strategy=chart)
    sample = simulate(rules, TWO_DECKS, 2 * ROUNDS, 33, strategy=chart, penetration=5)
    assert sample.mean < exact.ev - 5 * sample.stderr
    assert sample.shoes is not None
    assert abs(sample.first_rounds_mean - exact.ev) < 4 * sample.stdev / math.sqrt(sample.shoes.number)


def test_the_standard_error_of_a_dealt_shoe() -> None:
    """It is that of the means of many samples."""
    means = [sample.mean for sample in samples(1000, 1000, penetration=0.7)]
    whole = simulate(SIX_DECKS, BONUS_21, 10**6, 1, strategy=CHART, penetration=0.7)
    ratio = float(np.std(means, ddof=1)) / (whole.stderr * math.sqrt(1000))
    assert abs(ratio - 1) < 4 / math.sqrt(2 * 1000)


def test_a_shoe_that_runs_out_goes_on_with_the_cards_of_earlier_rounds() -> None:
    state: Any = montecarlo.state(1, 0)
    low, left = np.uint64(0), np.uint64(12)
    cards = np.arange(12, dtype=np.uint8)

    def deal_from(begun_with: np.uint64) -> int:
        nonlocal state, low, left
        with np.errstate(over="ignore"):
            words, place, number, card = deal(state, low, left, cards, begun_with)
        state, low, left = tuple(map(np.uint64, words)), np.uint64(place), np.uint64(number)
        return int(card)

    earlier = [deal_from(np.uint64(12)) for _ in range(5)]
    begun_with = left
    now = [deal_from(begun_with) for _ in range(10)]
    assert sorted(earlier + now[:7]) == list(range(12))  # until the shoe runs out
    assert set(now[7:]) < set(earlier)  # what this round holds stays on the table
    assert len(set(now)) == 10
    assert int(low) // int(RESTOCK) == 1
    assert sorted(cards.tolist()) == list(range(12))


def test_seven_seats_to_the_end_of_two_decks() -> None:
    """Rounds that run out of cards now and then are still rounds."""
    rules, paytable = named("h17_two_deck")
    sample = simulate(rules, paytable, 10**6, 34, strategy=CHART, seats=7, penetration=80)
    assert sample.rounds == sum(sample.outcomes.values()) == 10**6
    assert abs(sample.mean - spanish21.evaluate(rules, paytable, strategy=CHART).ev) < 0.01


# --- Bets on the side ---------------------------------------------------------------------------------------

SIDES = ("match_the_dealer:up_card", "match_the_dealer:down_card", "match_the_dealer:both", "insurance")


@pytest.fixture(scope="module")
def beside() -> Sample:
    """One player, and every bet on the side."""
    asked = request.resolve("spanish21", strategy=CHART)
    progressive = asked.side_request("match_the_dealer_progressive", meter=50_000)
    return asked.simulate(ROUNDS, 40, beside=[*SIDES, progressive])


def test_bets_on_the_side_leave_the_game_alone(beside: Sample) -> None:
    alone = simulate(SIX_DECKS, BONUS_21, ROUNDS, 40, strategy=CHART)
    assert (beside.outcomes, beside.events, beside.counts) == (alone.outcomes, alone.events, alone.counts)
    assert beside.bets == (MAIN, *SIDES, "match_the_dealer_progressive")


@pytest.mark.parametrize("name", [*SIDES, "match_the_dealer_progressive"])
def test_bets_on_the_side_against_the_exact_law(beside: Sample, name: str) -> None:
    meter = 50_000 if "progressive" in name else None
    exact = request.resolve(name, change={"decks": 6}, meter=meter).price()
    sample = beside.beside[name]
    assert abs(sample.agreement(exact)) < 4
    assert sample.average_wager == 1
    check_events(sample, {event.event: event.probability for event in exact.events})
    assert exact.stdev is not None
    squares = {net: (float(net) - exact.ev) ** 2 for net in nets(sample)}
    fourth = sum(rounds * squares[net] ** 2 for net, rounds in nets(sample).items()) / sample.rounds
    error = math.sqrt((fourth - exact.stdev**4) / sample.rounds)
    assert abs(sample.stdev**2 - exact.stdev**2) < 4 * error


def test_the_covariance_of_two_bets_on_the_side(beside: Sample) -> None:
    """Up card and down card: their joint law is known in fractions."""
    rules = match_the_dealer.Rules(decks=6)
    paytable = request.resolve("match_the_dealer", change={"decks": 6}).paytable
    together = law(read_shoe(rules.decks, rules.pack), 2)
    rows = [
        (float(chance), *(float(match_the_dealer.net(matches, paytable)) for matches in pair))
        for pair, chance in together.items()
    ]
    mean = sum(chance * up for chance, up, _ in rows)
    exact = sum(chance * (up - mean) * (down - mean) for chance, up, down in rows)
    spread = sum(chance * ((up - mean) * (down - mean) - exact) ** 2 for chance, up, down in rows)
    up, down, both = SIDES[:3]
    found = beside.covariance(up, down)
    assert abs(found - exact) < 4 * math.sqrt(spread / beside.rounds)
    assert abs(exact) > 10 * math.sqrt(spread / beside.rounds)  # the test can tell it from none
    assert beside.covariance(down, up) == found
    assert beside.beside[both].total * 2 == beside.beside[up].total + beside.beside[down].total
    assert beside.covariance(up, both) == pytest.approx((beside.covariance(up, up) + found) / 2, rel=1e-12)


def test_the_covariance_of_insurance_and_the_game(beside: Sample) -> None:
    """Exactly: what rounds with an ace up bring is known, and a dealer blackjack beats all but a player's."""
    exact = priced()
    ace, blackjack = 1 / 12, 72 / 287
    natural = 2 * 23 * 71 / (286 * 285)
    with_blackjack = -1 + natural * (1.5 + 1)
    with_none = exact.details["by_upcard"]["A"] / ace - blackjack * with_blackjack
    product = ace * (2 * blackjack * with_blackjack - with_none)
    insured = ace * (3 * blackjack - 1)
    expected = product - insured * exact.ev
    error = math.sqrt(2**2 * ace * 1.5**2 / beside.rounds)  # net² of a round with an ace up averages less than 1.5²
    assert abs(beside.covariance(MAIN, "insurance") - expected) < 4 * error
    assert expected < -20 * error
    assert beside.correlation(MAIN, "insurance") == pytest.approx(
        beside.covariance(MAIN, "insurance")
        / math.sqrt(beside.covariance(MAIN, MAIN) * beside.covariance("insurance", "insurance"))
    )


def test_products_are_those_of_the_rounds_one_by_one() -> None:
    """Samples of one round tell what each bet won in it."""
    rounds = samples(1, 300, beside=SIDES, seats=2)
    everything = merged(rounds)
    won = {
        bet: np.array([float((round_ if bet == MAIN else round_.beside[bet]).total) for round_ in rounds])
        for bet in everything.bets
    }
    for one in everything.bets:
        for other in everything.bets:
            assert everything.covariance(one, other) == pytest.approx(np.cov(won[one], won[other])[0, 1])


def test_awards_of_several_seats() -> None:
    """Seats are paid in order, each from what is left: on average, what the exact law says of the three."""
    asked = request.resolve("spanish21", strategy=CHART)
    six = asked.side_request("match_the_dealer_progressive", meter=1_000)
    rules = six.rules._replace(seats=3)
    exact = [replace(six, rules=rules._replace(seat=seat)).price() for seat in (1, 2, 3)]
    sample = simulate(SIX_DECKS, BONUS_21, ROUNDS // 4, 41, strategy=CHART, seats=3, beside=[six.beside(3)])
    found = sample.beside["match_the_dealer_progressive"]
    assert abs(found.agreement(sum(returns.ev for returns in exact) / 3)) < 4


def test_json_of_bets_on_the_side(beside: Sample) -> None:
    found = beside.json()
    assert list(found["bets"]) == list(beside.beside)
    assert found["covariance"]["bets"] == list(beside.bets)
    assert found["covariance"]["matrix"][0][4] == beside.covariance(MAIN, "insurance")
    assert all(row[place] == pytest.approx(1) for place, row in enumerate(found["correlation"]["matrix"]))


PLAIN = """
from casinomath import request

asked = request.resolve("spanish21", strategy="wizard_h17", shoe=[20] * 9 + [70])
sides = ["match_the_dealer:both", "insurance", "match_the_dealer_progressive"]
print(asked.simulate(3000, 7, seats=3, penetration=0.7, burn=1, by_hand=True, beside=sides).digest)
"""


def test_plain_python_deals_the_same_tables() -> None:
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    plain, compiled = (
        subprocess.run(
            [sys.executable, "-W", "error", "-c", PLAIN], env=each, capture_output=True, text=True, check=False
        )
        for each in (environment, os.environ)
    )
    assert plain.returncode == compiled.returncode == 0, plain.stderr + compiled.stderr
    assert plain.stdout == compiled.stdout


# --- By hand and upcard -------------------------------------------------------------------------------------


def test_every_pair_split_against_every_upcard() -> None:
    """100 split EVs, resplits and all, each against the exact one; all other hands are surrendered."""
    rules = SIX_DECKS._replace(decks=2)
    problem = spanish21.problem(rules, TWO_DECKS)
    solution = twentyone.solve(problem)
    first, suited_first = solution.policy.first.copy(), np.full_like(solution.policy.suited_first, SURRENDER)
    first[:, two_card_rows()] = SURRENDER
    pairs = [pair_row(value) for value in range(10)]
    first[:, pairs] = SPLIT
    suited_first[:, [i for i, (x, y) in enumerate(SUITED_HANDS) if x == y]] = SPLIT
    policy = solution.policy._replace(first=first, suited_first=suited_first)
    sample = simulate(rules, TWO_DECKS, 5 * ROUNDS, 50, strategy=by_policy(rules, policy), by_hand=True)
    splits = twentyone.split_pairs(problem, policy)
    scores = []
    for value in range(10):
        for upcard in range(10):
            suits = problem.suited.place[pairs[value]]
            weight = problem.suited.weight[suits, upcard] if suits >= 0 else np.ones(1)
            joint = splits[value].value[upcard]
            # EV × P(no dealer blackjack), which these two cards leave a chance for
            ev = float(weight @ joint / weight.sum()) / float(solution.values.peek[upcard, pairs[value]])
            mean, error = sample.hand_mean(f"{VALUES[value]} {VALUES[value]}", VALUES[upcard])
            scores.append((mean - ev) / error)
    assert max(map(abs, scores)) < 4.5
    assert abs(sum(score**2 for score in scores) - 100) < 4 * math.sqrt(200)


def test_first_cards_and_upcards_come_as_often_as_they_should() -> None:
    """Chi-square of the 550 first decisions, those that meet a dealer blackjack left out."""
    sample = simulate(SIX_DECKS, BONUS_21, ROUNDS, 51, strategy=CHART, by_hand=True)
    chi_square = 0.0
    for x, y, upcard in product(range(10), repeat=3):
        if x > y:
            continue
        left, ways = list(WHOLE), 1 + (x < y)
        for value in (x, y, upcard):
            ways *= left[value]
            left[value] -= 1
        completing = {0: left[9], 9: left[0]}.get(upcard, 0)
        expected = sample.rounds * ways / (288 * 287 * 286) * (1 - completing / 285)
        number, _, _ = sample.hands[f"{VALUES[x]} {VALUES[y]}", VALUES[upcard]]
        chi_square += (number - expected) ** 2 / expected
    assert len(sample.hands) == 550
    assert abs(chi_square - 550) < 4 * math.sqrt(2 * 550)


def test_hands_merge() -> None:
    one, other = (simulate(SIX_DECKS, BONUS_21, 10**4, seed, strategy=CHART, by_hand=True) for seed in (1, 2))
    both = one + other
    hand = ("7 10", "10")
    assert both.hands[hand] == tuple(a + b for a, b in zip(one.hands[hand], other.hands[hand], strict=True))
    assert sum(number for number, _, _ in one.hands.values()) < one.rounds


# --- Asked for by name --------------------------------------------------------------------------------------


def test_a_table_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = [
        "simulate",
        "spanish21",
        "--strategy",
        "wizard_h17",
        "--rounds",
        "3e6",
        "--seed",
        "7",
        "--penetration",
        "0.75",
    ]
    words += ["--seats", "3", "--with", "match_the_dealer:up_card", "--with", "insurance"]
    words += ["--with", "match_the_dealer_progressive", "--meter", "50000", "--checkpoint", str(tmp_path / "kept")]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["seats"] == 3
    assert list(told["bets"]) == ["match_the_dealer:up_card", "insurance", "match_the_dealer_progressive"]
    asked = request.resolve("spanish21", strategy="wizard_h17")
    sides = ["match_the_dealer", "insurance", asked.side_request("match_the_dealer_progressive", 50_000)]
    sample = asked.simulate(3 * 10**6, 7, seats=3, penetration=0.75, beside=sides)
    assert told["digest"] == sample.digest
    assert told["covariance"] == sample.json()["covariance"]
    assert main(words) == 0  # all of it from the checkpoint
    people = capsys.readouterr().out
    assert sample.shoes is not None
    assert f"{sample.shoes.number:,}" in people
    assert all(name in people for name in told["bets"])


def test_a_checkpoint_of_another_table(tmp_path: Path) -> None:
    asked = request.resolve("spanish21", strategy="wizard_h17")
    kept = tmp_path / "kept"
    asked.simulate(2**20, 7, beside=["insurance"], checkpoint=kept)
    with pytest.raises(RequestError, match="is the checkpoint of another run"):
        asked.simulate(2**20, 7, beside=["match_the_dealer"], checkpoint=kept)


def test_a_meter_that_nobody_has(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["simulate", "spanish21", "--rounds", "10", "--seed", "7", "--with", "insurance", "--meter", "5"]
    assert main(words) == 2
    assert "none of insurance has a meter" in capsys.readouterr().err


# --- Bad requests -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"penetration": 289}, r"penetration is 289; the shoe holds 288 cards; expected .* up to 284 cards"),
        ({"penetration": 285}, r"leaves 3 of 288 cards behind the cut card; a round of 1 seats needs 4"),
        ({"penetration": 0.96, "seats": 7}, r"leaves 12 of 288 cards behind the cut card; a round of 7 seats needs 16"),
        ({"penetration": -0.5}, "penetration is -0.5"),
        ({"penetration": 1}, "penetration is 1; expected a part of the shoe below 1"),
        ({"penetration": math.nan}, "penetration is nan"),
        ({"seats": 0}, "seats is 0; expected 1 to 7"),
        ({"seats": 8}, "seats is 8; expected 1 to 7"),
        ({"seats": 2.5}, "seats is 2.5; expected a whole number"),
        ({"burn": 285}, "burn is 285; expected 0 to 284"),
        ({"shoe": (0,) * 10}, "the shoe is empty"),
        ({"shoe": (25, *WHOLE[1:])}, "holds 25 cards of value A"),
        ({"beside": ["lucky_lads"]}, "unknown game 'lucky_lads'"),
        (
            {"beside": ["lucky_ladies"]},
            "unknown bet on the side of spanish21: 'lucky_ladies'; choices: insurance, match",
        ),
        ({"beside": ["spanish21"]}, "unknown bet on the side of spanish21: 'spanish21'; choices: insurance, match"),
        ({"beside": ["match_the_dealer:upcard"]}, "did you mean 'up_card'"),
        ({"beside": ["insurance", "insurance"]}, "insurance is made twice"),
    ],
)
def test_tables_that_cannot_be_dealt(given: dict[str, Any], message: str) -> None:
    asked = request.resolve("spanish21", strategy=CHART, shoe=given.pop("shoe", None))
    with pytest.raises(RequestError, match=message):
        asked.simulate(1000, 1, **given)


def test_a_bet_on_the_side_of_other_decks() -> None:
    eight = request.resolve("insurance", change={"decks": 8}).beside()
    with pytest.raises(RequestError, match=r"made for 8 spanish decks; expected 6"):
        simulate(SIX_DECKS, BONUS_21, 1000, 1, strategy=CHART, beside=[eight])


def test_envy_of_bettors_who_are_not_there() -> None:
    rules = Rules(super_bonus=True, other_bettors=5)
    with pytest.raises(RequestError, match="other_bettors is 5 with 3 seats; expected 2"):
        simulate(rules, BONUS_21, 1000, 1, strategy=CHART, seats=3)


def test_a_meter_too_fine() -> None:
    asked = request.resolve("spanish21", strategy=CHART)
    with pytest.raises(RequestError, match="expected a rounder meter, or fewer seats"):
        asked.simulate(1000, 1, seats=7, beside=[asked.side_request("match_the_dealer_progressive", 123_456.789)])


def test_a_game_without_tables() -> None:
    with pytest.raises(RequestError, match="match_the_dealer takes no seats in simulate"):
        request.simulate("match_the_dealer", 1000, 1, seats=3)
