"""Risk against closed forms of textbooks, a Markov chain of the bankroll, and sessions added up exactly."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from statistics import NormalDist

import numpy as np
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle_cases import CASES
from test_engine import problem as engine_problem

from casinomath import request, risk
from casinomath.errors import RequestError
from casinomath.kernels.actions import ENDINGS
from casinomath.kernels.walks import alias_table
from casinomath.montecarlo import Sample
from casinomath.returns import Event, Returns
from casinomath.risk import Law, assess, band, deviation, diffusion_ruin, n0, sessions
from casinomath.twentyone import play, solve

F = Fraction


def coin(win: float) -> Law:
    return Law({F(1): win, F(-1): 1 - win})


UNEVEN = Law({F(-2): 0.2, F(-1): 0.25, F(0): 0.1, F(1): 0.25, F(5, 2): 0.2})
"""Mean 0.1; a round can lose two bets at once, and pays half ones."""
LOSING = Law({F(-2): 0.22, F(-1): 0.28, F(0): 0.1, F(1): 0.22, F(5, 2): 0.18})


def chain_ruin(law: Law, bankroll: Fraction, rounds: int) -> list[float]:
    """P(ruined within so many rounds) for 0 … `rounds`: the Markov chain of the bankroll, state by state of ½."""
    steps = {int(2 * net): chance for net, chance in law.chances.items()}
    highest = int(2 * bankroll) + rounds * max(steps)
    alive = np.zeros(highest + 1)
    alive[int(2 * bankroll)] = 1.0
    ruined = [0.0]
    for _ in range(rounds):
        after = np.zeros(highest + 1)
        for step, chance in steps.items():
            if step >= 0:
                after[step:] += chance * alive[: highest + 1 - step]
            else:
                after[:step] += chance * alive[-step:]
        after[0] = 0.0
        ruined.append(1.0 - after.sum())
        alive = after
    return ruined


def totals(law: Law, rounds: int) -> Mapping[Fraction, float]:
    """The law of the total of so many rounds, by convolution."""
    found = {F(0): 1.0}
    for _ in range(rounds):
        after: dict[Fraction, float] = {}
        for total, chance in found.items():
            for net, of_net in law.chances.items():
                after[total + net] = after.get(total + net, 0.0) + chance * of_net
        found = after
    return found


# --- Laws ---------------------------------------------------------------------------------------------------


def test_moments_of_a_law() -> None:
    """By hand: a coin has variance 1 − mean²."""
    assert coin(0.6).mean == pytest.approx(0.2)
    assert coin(0.6).variance == pytest.approx(0.96)
    assert (UNEVEN.step, UNEVEN.most_lost) == (F(1, 2), 2)
    assert (Law({F(0): 1.0}).step, Law({F(3): 0.5, F(6): 0.5}).step) == (1, 3)
    assert n0(coin(0.6).mean, coin(0.6).stdev) == pytest.approx(24)
    assert n0(0.0, 1.0) == math.inf


def test_the_exact_law_of_a_side_bet_has_its_measures() -> None:
    """Insurance pays 2 to 1; the moments are those that `Returns` has as fractions."""
    for game in ("insurance", "match_the_dealer"):
        returns = request.evaluate(game)
        law = Law.of_returns(returns)
        assert law is not None
        assert law.mean == pytest.approx(returns.ev, abs=1e-14)
        assert law.stdev == pytest.approx(returns.stdev, abs=1e-13)


def test_a_bet_whose_events_have_no_one_result_has_no_law_by_events() -> None:
    """A split round ends in many ways; envy comes on top of any."""
    win, loss = Event("win", 0.5, 0.5, F(1)), Event("loss", 0.5, -0.5, F(-1))
    returns = Returns("some_game", "main", {}, "a table", "float64", (win, loss))
    assert Law.of_returns(returns) == coin(0.5)
    for event in (replace(win, pays=None), Event("envy", 0.1, 0.1, F(1), on_top=True)):
        assert Law.of_returns(replace(returns, events=(event, loss))) is None


def test_the_law_of_a_sample_has_its_moments() -> None:
    sample = request.simulate("match_the_dealer", 20_000, 1)
    law = Law.of_sample(sample)
    assert law.mean == pytest.approx(sample.mean)
    assert law.stdev == pytest.approx(sample.stdev, rel=1e-4)  # that of the rounds themselves
    with pytest.raises(RequestError, match="2 seats together"):
        Law.of_sample(replace(sample, seats=2))


def test_an_exact_law_joined_with_simulated_splits() -> None:
    """On a tiny shoe's exact law of whole rounds: the oracle's outcomes, its split rounds given as the simulation."""
    case = next(case for case in CASES if case.name == "small_cards_paid")
    whole = oracle.round_value(case.rules, case.counts)
    solution = solve(engine_problem(case.rules, case.counts))
    played = play(solution.problem, solution.policy, solution.splits)
    unsplit = [
        Event(name, chance, chance * pay, F(pay).limit_denominator(8))
        for name, chance, pay in zip(ENDINGS, played.ends.sum(axis=0), solution.problem.ending_pays, strict=True)
        if chance > 0
    ]
    split_chance, split_ev = played.split_rounds.sum(), played.ev - sum(event.returned for event in unsplit)
    returns = Returns("g", "main", {}, "t", "float64", (*unsplit, Event("split", split_chance, split_ev)))
    rounds = 10**12
    nets: Counter[F] = Counter()
    for (net, _), chance in whole.outcomes.items():
        nets[net] += round(chance * rounds)
    events = {event.event: round(event.probability * rounds) for event in unsplit}
    sample = Sample(
        sum(nets.values()), F(1, 2), {(int(net * 2), 2): number for net, number in nets.items()}, events, {}
    )
    law, found = Law.joined(returns, sample), deviation(returns, sample)
    assert law.mean == pytest.approx(float(whole.ev), abs=1e-9)
    assert law.variance == pytest.approx(float(whole.variance), abs=1e-8)
    assert found.stdev == pytest.approx(float(whole.variance) ** 0.5, abs=1e-8)
    assert 0 < found.stderr < 1e-5


def test_the_deviation_of_spanish_21_agrees_with_its_sample() -> None:
    returns, sample = request.evaluate("spanish21"), request.simulate("spanish21", 4_000_000, 5)
    found = deviation(returns, sample)
    spread = math.sqrt(
        sum(number * (float(net) ** 2 - found.stdev**2) ** 2 for net, number in sample.distribution.items())
    )
    assert abs(found.stdev - sample.stdev) < 4 * spread / sample.rounds / (2 * found.stdev)
    assert found.stderr < 2e-4
    assert deviation(request.evaluate("insurance"), sample).stderr == 0.0
    prizes = request.evaluate("spanish21", change={"super_bonus": True})
    with pytest.raises(RequestError, match="paid on top"):
        deviation(prizes, sample)


@given(st.floats(-1.9, 2.4))
def test_a_tilted_law_has_the_mean_asked_for_and_keeps_the_likelihood_ratios_exponential(mean: float) -> None:
    law = UNEVEN.tilted(mean)
    assert law.mean == pytest.approx(mean, abs=1e-9)
    ratios = [math.log(law.chances[net] / UNEVEN.chances[net]) for net in UNEVEN.chances]
    slopes = np.diff(ratios) / np.diff([float(net) for net in UNEVEN.chances])
    assert slopes == pytest.approx([slopes[0]] * 4, abs=1e-6)


def test_tilting_to_the_mean_it_has_changes_nothing() -> None:
    assert list(UNEVEN.tilted(UNEVEN.mean).chances.values()) == pytest.approx(list(UNEVEN.chances.values()))


@pytest.mark.parametrize("mean", [-2.0, 2.5, 9.0, math.nan])
def test_a_mean_out_of_reach_is_refused(mean: float) -> None:
    with pytest.raises(RequestError, match="no law of these results"):
        UNEVEN.tilted(mean)


@pytest.mark.parametrize("chances", [{}, {F(1): 0.9}, {F(1): 1.2, F(0): -0.2}])
def test_what_is_no_law_is_refused(chances: dict[Fraction, float]) -> None:
    with pytest.raises(RequestError, match="expected 1, and none below 0"):
        Law(chances)


# --- Ruin ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("win", [0.51, 0.6, 0.9])
@pytest.mark.parametrize("bankroll", [1, 7, 40])
def test_ruin_of_a_simple_random_walk(win: float, bankroll: int) -> None:
    """Feller, vol. I, XIV.2: ((1 − p) / p)^k for ever; nothing is left over, so both bounds are it."""
    expected = ((1 - win) / win) ** bankroll
    assert coin(win).ruin(bankroll) == pytest.approx((expected, expected), rel=1e-9)


def test_ruin_lies_between_its_bounds() -> None:
    """The chain of 3000 rounds is all but the chain for ever: hardly any are ruined in its second half."""
    for bankroll in (F(1), F(3), F(11, 2), F(6)):
        ruined = chain_ruin(UNEVEN, bankroll, 3000)
        least, most = UNEVEN.ruin(float(bankroll))
        assert ruined[-1] - ruined[1500] < 1e-3 * ruined[-1]
        assert least < ruined[-1] < most < 1.25 * least


def test_ruin_without_an_edge_is_certain_and_without_losses_never() -> None:
    assert coin(0.5).ruin(10) == (1.0, 1.0)
    assert coin(0.4).ruin(10) == (1.0, 1.0)
    assert Law({F(0): 0.5, F(1): 0.5}).ruin(10) == (0.0, 0.0)
    assert Law({F(0): 1.0}).ruin(10) == (0.0, 0.0)
    assert diffusion_ruin(-0.01, 1.0, 10) == 1.0
    assert diffusion_ruin(0.0, 1.0, 10) == 1.0


def test_the_root_is_one_and_tends_to_the_diffusion_s_for_a_small_edge() -> None:
    law = coin(0.501)
    rate = law.adjustment
    assert sum(chance * math.exp(-rate * float(net)) for net, chance in law.chances.items()) == pytest.approx(
        1, abs=1e-12
    )
    assert rate == pytest.approx(2 * law.mean / law.variance, rel=1e-4)
    assert math.exp(-rate * 100) == pytest.approx(diffusion_ruin(law.mean, law.stdev, 100), rel=1e-4)


def test_diffusion_within_some_rounds() -> None:
    """No drift: 2 Φ(−b / √n), the reflection principle. Far out, ever; and never backwards."""
    for bankroll, rounds in ((5, 100), (30, 100), (1, 7)):
        expected = 2 * NormalDist().cdf(-bankroll / math.sqrt(rounds))
        assert diffusion_ruin(0.0, 1.0, bankroll, rounds) == pytest.approx(expected)
    assert diffusion_ruin(0.05, 1.0, 20, 1e9) == pytest.approx(diffusion_ruin(0.05, 1.0, 20))
    assert diffusion_ruin(-0.05, 1.0, 20, 1e9) == pytest.approx(1.0)
    risks = [diffusion_ruin(-0.004, 1.15, 100, rounds) for rounds in (10, 1000, 10_000, 100_000, 10**6)]
    assert risks == sorted(risks)
    assert 0 <= diffusion_ruin(-3.0, 0.05, 2000, 500) <= 1  # an exponent far beyond a float's


def test_sessions_are_ruined_as_the_markov_chain_says() -> None:
    for law, bankroll in ((UNEVEN, F(3)), (LOSING, F(5)), (LOSING, F(9, 2)), (coin(0.45), F(4))):
        exact = chain_ruin(law, bankroll, 60)
        played = sessions(law, (5, 20, 60), float(bankroll), number=20_000, seed=11)
        for horizon in (5, 20, 60):
            share, _ = played.ruin(horizon)
            stderr = math.sqrt(exact[horizon] * (1 - exact[horizon]) / 20_000)
            assert abs(share - exact[horizon]) < 4 * stderr


def test_the_diffusion_is_near_the_chain_for_a_large_bankroll() -> None:
    law = coin(0.49)
    assert diffusion_ruin(law.mean, law.stdev, 30, 900) == pytest.approx(chain_ruin(law, F(30), 900)[-1], abs=0.01)


# --- Bands --------------------------------------------------------------------------------------------------


def test_normal_bands() -> None:
    """68.27%, 95.45% and 99.73% lie within one, two and three standard deviations: any table of the normal law."""
    for confidence, reach in ((0.682689492, 1), (0.954499736, 2), (0.997300204, 3)):
        found = band(-0.01, 1.2, 400, confidence)
        assert (found.expected, found.stdev) == pytest.approx((-4, 24))
        assert (found.low, found.high) == pytest.approx((-4 - 24 * reach, -4 + 24 * reach), rel=1e-7)
    assert band(0.0, 1.0, 50).ahead == 0.5
    assert band(0.1, 1.0, 100).ahead == pytest.approx(0.841344746)  # one standard deviation


def test_at_n0_the_expected_result_is_one_standard_deviation() -> None:
    found = band(UNEVEN.mean, UNEVEN.stdev, round(n0(UNEVEN.mean, UNEVEN.stdev)))
    assert found.expected == pytest.approx(found.stdev, rel=1e-2)


def test_sessions_end_as_the_convolution_says() -> None:
    exact = totals(UNEVEN, 40)
    played = sessions(UNEVEN, (1, 40), 5.0, number=40_000, seed=5)
    nets, numbers = np.unique(played.totals[:, 1], return_counts=True)
    assert set(map(Fraction, nets)) <= set(exact)
    observed = dict(zip(map(Fraction, nets), numbers, strict=True))
    likely = {total: chance for total, chance in exact.items() if chance * 40_000 > 10}
    chi_square = sum(
        (observed.get(total, 0) - 40_000 * chance) ** 2 / (40_000 * chance) for total, chance in likely.items()
    )
    freedom = len(likely)
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)
    low, high = played.band(40, 0.9)
    assert sum(chance for total, chance in exact.items() if total < low) < 0.055
    assert sum(chance for total, chance in exact.items() if low <= total <= high) > 0.89
    ahead = sum(chance for total, chance in exact.items() if total > 0)
    assert played.ahead(40) == pytest.approx(ahead, abs=4 * math.sqrt(0.25 / 40_000))


def test_sessions_depend_on_the_seed_alone() -> None:
    first, again, other = (sessions(UNEVEN, (50,), 5.0, number=100, seed=seed) for seed in (1, 1, 2))
    assert (first.totals == again.totals).all()
    assert (first.ruined == again.ruined).all()
    assert (first.totals != other.totals).any()


@given(st.lists(st.integers(0, 1000), min_size=1, max_size=40).filter(any))
def test_an_alias_table_has_the_chances(weights: list[int]) -> None:
    own, alias = alias_table([weight / sum(weights) for weight in weights])
    chances = np.zeros(len(weights))
    for column, kept in enumerate(own.tolist()):
        chances[column] += kept / 2**32 / len(weights)
        chances[alias[column]] += (1 - kept / 2**32) / len(weights)
    assert chances == pytest.approx(np.array(weights) / sum(weights), abs=1e-9)


# --- Kelly --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("win", [0.5001, 0.51, 0.6, 0.99])
def test_kelly_of_a_biased_coin(win: float) -> None:
    """Kelly (1956): 2p − 1, and then the growth is log 2 less the entropy."""
    law = coin(win)
    assert law.kelly == pytest.approx(2 * win - 1, rel=1e-9)
    entropy = -win * math.log(win) - (1 - win) * math.log(1 - win)
    assert law.growth(law.kelly) == pytest.approx(math.log(2) - entropy, abs=1e-12)


def test_kelly_at_odds() -> None:
    """A bet at b to 1: (bp − q) / b."""
    law = Law({F(3): 0.3, F(-1): 0.7})
    assert law.kelly == pytest.approx((3 * 0.3 - 0.7) / 3, rel=1e-9)


def test_kelly_grows_fastest() -> None:
    best = UNEVEN.growth(UNEVEN.kelly)
    assert 0 < UNEVEN.kelly < 0.5
    assert all(UNEVEN.growth(UNEVEN.kelly + change) < best for change in (-0.01, -0.001, 0.001, 0.01))
    assert UNEVEN.kelly == pytest.approx(UNEVEN.mean / UNEVEN.variance, rel=0.1)
    assert LOSING.kelly == 0.0
    with pytest.raises(RequestError, match="can't lose"):
        _ = Law({F(0): 0.5, F(1): 0.5}).kelly


# --- All of it ----------------------------------------------------------------------------------------------


def test_what_a_player_is_told() -> None:
    found = assess(LOSING, wager=10, bankroll=200, rounds_per_hour=60, hours=(1, 5), number=2000)
    assert found.loss_per_hour == pytest.approx(-LOSING.mean * 600)
    assert found.stdev_per_hour == pytest.approx(LOSING.stdev * 10 * math.sqrt(60))
    assert [each.rounds for each in found.horizons] == [60, 300]
    exact = chain_ruin(LOSING, F(20), 300)
    for each in found.horizons:
        normal = band(LOSING.mean, LOSING.stdev, each.rounds)
        assert (each.low, each.high) == pytest.approx((normal.low * 10, normal.high * 10))
        assert each.simulated_low == pytest.approx(each.low, abs=0.15 * each.stdev)
        assert each.simulated_ruin is not None
        assert each.simulated_ruin_stderr is not None
        assert abs(each.simulated_ruin - exact[each.rounds]) < 4 * each.simulated_ruin_stderr
        assert each.ruin == pytest.approx(exact[each.rounds], abs=0.06)
    assert (found.ruin, found.kelly, found.adjustment) == (1.0, 0.0, None)
    without = assess(UNEVEN, number=100)
    assert without.ruin is None
    assert without.kelly > without.kelly_approximate * 0.5
    assert without.json()["n0"] == pytest.approx(UNEVEN.variance / UNEVEN.mean**2)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"wager": 0}, "wager is 0"),
        ({"wager": math.nan}, "wager is nan"),
        ({"bankroll": 0.5}, "bankroll is 0.5; expected the wager of 1.0 or more"),
        ({"bankroll": math.inf}, "bankroll is inf"),
        ({"rounds_per_hour": -1}, "rounds per hour is -1"),
        ({"hours": (1, 0)}, "hours is 0"),
        ({"confidence": 95}, "confidence is 95"),
        ({"number": 0}, "0 sessions"),
        ({"hours": (1e9,)}, "cannot be played"),
    ],
)
def test_amounts_that_make_no_sense(given: dict[str, float], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        assess(UNEVEN, **{"number": 10, **given})
    assert risk.ASSUMPTIONS


def test_a_histogram_holds_every_session_once() -> None:
    played = sessions(UNEVEN, [10], 5.0, number=500, seed=3)
    bars = played.histogram(10, 2)
    assert sum(share for *_, share in bars) == pytest.approx(1)
    for low, high, share in bars:
        assert high - low == 2
        assert share == pytest.approx(((played.totals[:, 0] >= low) & (played.totals[:, 0] < high)).mean())
    assert all(one[1] == other[0] for one, other in pairwise(bars))


def test_without_splits_the_deviation_is_exact() -> None:
    asked = request.resolve("spanish21", change={"max_hands": 1})
    returns, sample = asked.evaluate(), asked.simulate(200_000, 5)
    found = deviation(returns, sample)
    assert found.stderr == 0.0
    assert Law.joined(returns, sample).stdev == pytest.approx(found.stdev)
    assert sample.stdev == pytest.approx(found.stdev, rel=0.01)
