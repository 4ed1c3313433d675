"""Counting: published correlations, brute force on small decks, the exact engine at its indices, and rounds played."""

import json
import math
import os
import subprocess
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

from casinomath import catalog, cli, family, indices
from casinomath.advantage import Count, count
from casinomath.cards import SPANISH, STANDARD, VALUES
from casinomath.counters import CountingRounds, Ramp, optimal_bets, stacked
from casinomath.counting import (
    CountSystem,
    betting_correlation,
    correlation,
    insurance_correlation,
    linear_gain,
    tags_from_effects,
)
from casinomath.decisions import Groups
from casinomath.errors import RequestError
from casinomath.games import blackjack, spanish21
from casinomath.kernels.actions import DOUBLE, HIT, STAND, SURRENDER
from casinomath.kernels.twentyone import Table
from casinomath.montecarlo import run
from casinomath.request import resolve
from casinomath.twentyone import Problem, always_stand, play, solve

SMALL = (1, 0, 2, 0, 1, 0, 1, 0, 2, 3)
"""A deck of ten cards, whose subsets can all be looked at."""
LOPSIDED = CountSystem("lopsided", (-2, 0, 1, 1, 2, 0, 0, 0, -1, -1))
HI_LO = catalog.count_system("hi_lo")


@pytest.fixture(scope="module")
def counted() -> Count:
    return count("spanish21")


# --- Systems ------------------------------------------------------------------------------------------------


def subsets(size: int) -> list[np.ndarray]:
    """The counts by value of every choice of so many cards of SMALL."""
    cards = np.repeat(np.arange(10), SMALL)
    return [np.bincount(list(chosen), minlength=10) for chosen in combinations(cards, size)]


@pytest.mark.parametrize("size", [3, 5, 8])
def test_the_law_of_the_true_count_by_looking_at_every_subset(size: int) -> None:
    """Mean and spread over all subsets; the expected shoe is the regression of each value's number on the count."""
    every = np.array(subsets(size))
    counts = np.array([LOPSIDED.true_count(each, SMALL) for each in every])
    assert counts.mean() == pytest.approx(LOPSIDED.neutral(SMALL))
    assert counts.std() == pytest.approx(LOPSIDED.spread(SMALL, 1, size / 10))
    for true in (-3.0, 0.0, 2.5):
        slopes = [np.cov(counts, column, bias=True)[0, 1] / counts.var() for column in every.T]
        expected = every.mean(axis=0) + np.array(slopes) * (true - counts.mean())
        assert LOPSIDED.expected_shoe(true, size / 10, SMALL) == pytest.approx(expected)
        assert LOPSIDED.true_count(LOPSIDED.expected_shoe(true, size / 10, SMALL), SMALL) == pytest.approx(true)


def test_linear_gain_by_summing_up_a_normal_law() -> None:
    x = np.linspace(-12, 12, 200_001)
    for behind, spread in ((0.3, 1.0), (-0.5, 0.7), (2.0, 0.4)):
        law = np.exp(-(((x + behind) / spread) ** 2) / 2) / (spread * math.sqrt(2 * math.pi))
        assert linear_gain(behind, spread) == pytest.approx(float(np.trapezoid(np.maximum(x, 0) * law, x)), abs=1e-8)
    assert linear_gain(1.0, 0.0) == 0
    assert linear_gain(-1.0, 0.0) == 1


def test_no_tags_of_level_one_follow_the_effects_better() -> None:
    effects = [-0.85, 0.33, 0.45, 0.63, 0.74, 0.44, 0.06, -0.21, -0.21, -0.46]
    derived = tags_from_effects(effects, SPANISH, 1, "derived")
    best = max(correlation(tags, effects, SPANISH) for tags in product((-1, 0, 1), repeat=10) if len(set(tags)) > 1)
    assert betting_correlation(derived, effects, SPANISH) == pytest.approx(best)
    finer = [
        betting_correlation(tags_from_effects(effects, SPANISH, level, ""), effects, SPANISH) for level in (1, 2, 3)
    ]
    assert finer == sorted(finer)


@pytest.fixture(scope="module")
def one_deck() -> Groups:
    """One deck, dealer stands on soft 17, doubles on any two cards: the game of the published correlations."""
    problem = Problem(
        table=Table(0, 2, 1, 0, 0, 0, double_split_aces=0, resplit_aces=0),
        shoe=STANDARD,
        decks=1,
        hits_soft_17=False,
        max_hands=2,
        pays={"blackjack": 1.5, "surrender": -0.5},
        split_pays={},
    )
    solution = solve(problem)
    return Groups(solution, play(problem, solution.policy, solution.splits))


def test_published_correlations_in_blackjack(one_deck: Groups) -> None:
    """Correlations come out as printed; playing efficiency, whose method is not, within 0.08 and in the same order."""
    found = indices.removals(one_deck, one_deck.solution.policy)
    systems = [system for system in catalog.count_systems().values() if system.published]
    assert len(systems) == 7
    efficiencies = []
    for system in systems:
        printed = {name: float(value) for name, value in system.published.items()}
        assert betting_correlation(system, found.fixed.tolist(), STANDARD) == pytest.approx(
            printed["betting_correlation"], abs=0.01
        )
        assert insurance_correlation(system, STANDARD) == pytest.approx(printed["insurance_correlation"], abs=0.006)
        efficiency = indices.playing_efficiency(found, system, STANDARD, 1, 0.5)
        assert efficiency == pytest.approx(printed["playing_efficiency"], abs=0.08)
        efficiencies.append((printed["playing_efficiency"], efficiency))
    ranked = [efficiency for _, efficiency in sorted(efficiencies)]
    assert np.corrcoef(ranked, sorted(ranked))[0, 1] > 0.9


def test_insurance_in_blackjack_is_taken_from_three_on() -> None:
    """Hi-Lo with six decks, half of them unseen: the best known index of all is 3."""
    shoe = HI_LO.expected_shoe(3.06, 3, STANDARD)
    assert 3 * shoe[9] / (shoe.sum() - 1) - 1 == pytest.approx(0, abs=2e-4)


# --- Effects of removal -------------------------------------------------------------------------------------


def test_effects_of_removal_average_out(counted: Count) -> None:
    """A card taken at random and not looked at changes nothing; looked at, it can only help the best play."""
    share = np.array(counted.deck) / sum(counted.deck)
    assert float(share @ counted.effects["fixed"]) == pytest.approx(0, abs=1e-11)
    assert float(share @ counted.effects["best_play"]) >= 0


@pytest.mark.parametrize("card", ["A", "5"])
def test_effects_of_removal_are_differences_of_two_shoes(counted: Count, card: str) -> None:
    shoe = list(counted.problem.shoe)
    shoe[VALUES.index(card)] -= 1
    request = counted.request
    row = counted.effects.set_index("card").loc[card]
    for column, chart in (("fixed", request.chart()), ("best_play", None)):
        less, whole = (
            spanish21.evaluate(request.rules, request.paytable, shoe=cards, strategy=chart).ev for cards in (shoe, None)
        )
        assert row[column] == pytest.approx(6 * (less - whole), abs=1e-11)


def test_published_effects_of_removal_have_the_shape_of_these(counted: Count) -> None:
    rows = {row.removed: row.number for row in catalog.published("spanish21") if row.measure == "change_in_ev"}
    assert len(rows) == 10
    ours = dict(zip(counted.effects["card"], counted.effects["fixed"], strict=True))
    assert np.corrcoef([rows[card] for card in ours], list(ours.values()))[0, 1] > 0.98


# --- Compositions and index plays ---------------------------------------------------------------------------


def test_counts_that_are_whole_need_no_fractions() -> None:
    rules, paytable = spanish21.Rules(decks=2), catalog.paytable("spanish21", "bonus_21_two_deck")
    problem = spanish21.problem(rules, paytable, [5, 6, 7, 8, 8, 7, 6, 8, 4, 21])
    whole, same = solve(problem), solve(indices.at_composition(problem, problem.shoe))
    # the kernels of whole numbers and of fractions are compiled apart: their last digits may differ
    np.testing.assert_allclose(indices.action_values(whole), indices.action_values(same), rtol=0, atol=1e-13)
    ev = play(problem, whole.policy, whole.splits).ev
    assert play(same.problem, same.policy, same.splits).ev == pytest.approx(ev, abs=1e-13)


def test_between_whole_counts_evs_lie_between(counted: Count) -> None:
    """One card more of one value and one less of another, step by step: half a step lies on the cubic of whole ones."""
    shoe, step = np.array(counted.problem.shoe), np.array([0, 0, 0, 1, 0, 0, 0, 0, 0, -1])

    def ev(steps: float) -> float:
        return play(indices.at_composition(counted.problem, shoe + steps * step), counted.policy).ev

    cubic = np.polynomial.Polynomial.fit([-2, -1, 0, 1], [ev(-2), ev(-1), ev(0), ev(1)], 3)
    assert ev(-0.5) == pytest.approx(cubic(-0.5), abs=2e-9)
    assert abs(ev(1) - ev(-0.5)) > 1e-3


def test_at_its_index_a_play_is_worth_as_much_as_the_usual_one(counted: Count) -> None:
    """Solved anew at the compositions expected a little to either side, one action is better, then the other."""
    for each in counted.plays[:4]:
        usual, instead = (indices.CHOICES.index(action) for action in (each.usual, each.instead))
        gains = []
        for true in (each.index - 0.05, each.index + 0.05):
            shoe = counted.system.expected_shoe(true, counted.left, counted.deck)
            evs = each.decision.evs(indices.action_values(solve(indices.at_composition(counted.problem, shoe))))
            gains.append(float(evs[instead] - evs[usual]))
        assert gains[0] < 0 < gains[1] if each.above else gains[1] < 0 < gains[0]


def test_few_decks_whose_cards_do_not_deal_every_hand_have_index_plays_all_the_same() -> None:
    """Three 2s against a 2 can't be dealt from half a deck at high counts: no play is made of that."""
    one_deck = count("blackjack", change={"decks": 1, "late_surrender": False})
    assert np.isnan(one_deck.by_count.evs).all(axis=2).any()
    gains = [each.gain for each in one_deck.plays]
    assert np.isfinite([*gains, *(each.index for each in one_deck.plays)]).all()
    assert gains == sorted(gains, reverse=True)
    assert gains[-1] > 0
    first = {(each.decision.hand, each.decision.upcard) for each in one_deck.plays[:10]}
    assert {("16", "10"), ("12", "4"), ("10-10", "5")} < first


def test_index_plays_apply_in_their_order(counted: Count) -> None:
    """At the count of a fresh shoe none is made; farther out the play is the best one of the decision."""
    base = counted.policy
    same = indices.policy_at(counted.problem, base, counted.plays, counted.neutral, counted.neutral)
    assert all(np.array_equal(one, other) for one, other in zip(same, base, strict=True))
    true = counted.neutral + 7
    made = indices.policy_at(counted.problem, base, counted.plays, counted.neutral, true)
    values = counted.by_count.at(true)
    checked = 0
    changed = {
        (each.decision.hand, each.decision.cards, each.decision.u) for each in counted.plays if each.applies(true)
    }
    for decision, evs in zip(counted.by_count.decisions, values, strict=True):
        if decision.cards != "2" or (decision.hand, decision.cards, decision.u) not in changed:
            continue
        best = indices.CHOICES[int(np.nanargmax(evs))]
        for row in decision.rows.tolist():
            if counted.problem.suited.place[row] < 0:
                assert made.first[decision.u, row] == best
                checked += 1
    assert checked > 20


def test_the_edge_grows_with_the_count_and_best_play_is_no_worse(counted: Count) -> None:
    assert counted.edges["ev_fixed"].is_monotonic_increasing
    # the chart knows no suits and few compositions; the best play of a shoe does
    assert (counted.edges["ev_best_play"] >= counted.edges["ev_fixed"]).all()
    fair = counted.break_even()
    assert fair is not None
    assert counted.edge(fair) == pytest.approx(0, abs=1e-9)
    assert -4 < fair < -2  # Zender's pivot is -2, rounded and for decks of 52 cards
    index = counted.insurance_index
    assert index is not None
    assert counted.insurance_ev(index) == pytest.approx(0, abs=1e-3)


# --- Rounds -------------------------------------------------------------------------------------------------


def test_a_counter_who_does_nothing_is_an_ordinary_player(counted: Count) -> None:
    """With one bet, one play and no insurance the rounds are those of the simulated table, card for card."""
    found = counted.simulate(60_000, 5, play_by="fixed", penetration=0.7, burn=1)
    request = counted.request
    plain = spanish21.simulate(
        request.rules, request.paytable, 60_000, 5, strategy=request.chart(), penetration=0.7, burn=1
    )
    ours, theirs = Counter(), Counter()
    for sample, outcomes in ((found.sample, ours), (plain, theirs)):
        for (net, wagered), rounds in sample.outcomes.items():
            outcomes[net * sample.unit, wagered * sample.unit] += rounds
    assert ours == theirs
    assert found.sample.stderr == pytest.approx(plain.stderr, rel=1e-12)
    assert found.by_count["rounds"].sum() == found.sample.rounds
    mean = (found.by_count["edge"] * found.by_count["frequency"]).sum()
    assert mean == pytest.approx(found.sample.mean, abs=1e-12)


def test_simulated_edges_agree_with_exact_ones(counted: Count) -> None:
    """By true count, for the fixed play; the count of a fresh shoe is met as such, not spread over its interval."""
    found = counted.simulate(4_000_000, 11, play_by="fixed")
    assert abs(found.sample.first_rounds_mean - counted.edge(counted.neutral)) < 4 * 1.17 / math.sqrt(
        found.sample.shoes.number  # type: ignore[union-attr] # it was dealt from shoes
    )
    compared = 0
    for row in found.by_count.to_dict(orient="records"):
        if row["rounds"] < 20_000 or row["true_count"] == counted.neutral:
            continue
        exact = counted.edge(row["true_count"] + 0.5)
        assert abs(row["edge"] - exact) < 4 * row["stderr"] + 5e-4, row
        compared += 1
    assert compared > 10
    for row in found.insurance.to_dict(orient="records"):
        # the count is that after the ace and the hand, so it knows a little more than the expected shoe
        if row["offers"] > 5_000:
            assert abs(row["ev"] - counted.insurance_ev(row["true_count"] + 0.5)) < 4 * row["stderr"] + 0.01, row
    expected = counted.frequencies(0.75)
    for row in found.by_count.to_dict(orient="records"):
        assert row["frequency"] == pytest.approx(expected[row["true_count"]], abs=0.02)


def test_bets_and_plays_by_the_count_win_more(counted: Count) -> None:
    rounds, seed = 2_000_000, 12
    ramp = counted.ramp(12)
    assert set(ramp.bets) <= set(range(1, 13))
    assert list(ramp.bets) == sorted(ramp.bets)
    flat = counted.simulate(rounds, seed)
    varied = counted.simulate(rounds, seed, ramp=ramp)
    assert varied.sample.mean > flat.sample.mean
    assert flat.average_bet == 1
    shares = dict(zip(varied.by_count["true_count"], varied.by_count["frequency"], strict=True))
    bets = dict(zip(ramp.counts, ramp.bets, strict=True))
    assert varied.average_bet == pytest.approx(sum(share * bets[true] for true, share in shares.items()))
    plays = counted.simulate(rounds, seed, play_by="fixed")
    gained = sum(each.gain for each in counted.plays)
    apart = math.hypot(flat.sample.stderr, plays.sample.stderr)
    assert flat.sample.mean - plays.sample.mean == pytest.approx(gained, abs=4 * apart)


def test_watched_rounds_cost_nothing(counted: Count) -> None:
    ramp = counted.ramp(bets={-100: 0, 0: 3}, insure=False)
    found = counted.simulate(200_000, 3, ramp=ramp)
    watched = found.by_count[found.by_count["true_count"] < 0]["rounds"].sum()
    assert found.sample.outcomes[0, 0] == watched
    assert found.average_bet == pytest.approx(3 * (1 - watched / 200_000))


def test_insurance_by_the_count(counted: Count) -> None:
    """Insured always, with one bet: what it adds is the EV of the offers, round for round."""
    flat = counted.ramp(bets={0: 1}, insure=False)
    always = replace(flat, insures=(True,) * len(flat.bets))
    without, insured = (counted.simulate(100_000, 4, ramp=ramp) for ramp in (flat, always))
    table = insured.insurance
    won = ((table["ev"] + 0.0) * table["offers"]).sum() / 2 / 100_000
    assert insured.sample.mean - without.sample.mean == pytest.approx(won, abs=1e-12)
    half = table["offers"].sum() / 2 / 100_000
    assert insured.sample.average_wager - without.sample.average_wager == pytest.approx(half, abs=1e-12)


def test_the_sample_does_not_depend_on_the_workers(counted: Count) -> None:
    ramp = counted.ramp(4)
    with ThreadPoolExecutor(1) as one:
        alone = counted.simulate(1_200_000, 7, ramp=ramp, executor=one)
    assert alone.sample.digest == counted.simulate(1_200_000, 7, ramp=ramp).sample.digest


PLAIN = """
from test_counting import standing
from casinomath.montecarlo import run
print(run(standing(), 400, 3).digest)
"""


def standing() -> CountingRounds:
    """Rounds of one who counts, stands on everything, and doubles his bet above a fresh shoe's count."""
    rules, paytable = spanish21.Rules(), catalog.paytable("spanish21", "bonus_21")
    alone = spanish21.rounds_by(rules, paytable, always_stand())
    ramp = Ramp(-8, (1, 1, 1, 1, 1, 2, 2, 2, 2), (False,) * 6 + (True,) * 3)
    fields = {name: getattr(alone, name) for name in alone.__dataclass_fields__}
    return CountingRounds(
        **{**fields, "play": stacked([always_stand()])},
        system=HI_LO,
        deck=SPANISH,
        ramp=ramp,
        columns=(0,) * 9,
        cut=200,
        burn=1,
    )


def test_the_kernel_as_plain_python() -> None:
    tests = str(Path(__file__).parent)
    path = os.pathsep.join([tests, str(Path(tests).parent), *filter(None, [os.environ.get("PYTHONPATH")])])
    plain = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAIN],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    assert plain.stdout.strip() == run(standing(), 400, 3).digest


def test_no_bets_within_a_spread_make_more_of_their_risk() -> None:
    """All ramps of bets 1 to 3 on four counts; in proportion to the edge is best, rounded to units it is near."""
    often, edges = {0: 0.4, 1: 0.3, 2: 0.2, 3: 0.1}, {0: -0.01, 1: 0.004, 2: 0.012, 3: 0.02}

    def worth(bets: tuple[int, ...]) -> float:
        mean = sum(often[k] * edges[k] * bet for k, bet in enumerate(bets))
        return mean / math.sqrt(sum(often[k] * bet**2 for k, bet in enumerate(bets)))

    best = max(worth(bets) for bets in product((1, 2, 3), repeat=4))
    assert worth(optimal_bets(often, edges, 3, 0, 4)) == pytest.approx(best, rel=0.02)
    assert optimal_bets(often, edges, 1, 0, 4) == (1, 1, 1, 1)


# --- The command, and slips ---------------------------------------------------------------------------------


def test_the_command(capsys: pytest.CaptureFixture[str], counted: Count, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it asks for is what the function is asked, and what it prints is what that answers."""
    asked: list[object] = []

    def answer(*given: object, **options: object) -> Count:
        asked.extend([*given, options["left"]])
        return counted

    monkeypatch.setattr("casinomath.advantage.count", answer)
    words = ["count", "spanish21", "--system", "zen", "--set", "decks=6", "--left", "2", "--seed", "6", "--spread", "4"]
    assert cli.main([*words, "--rounds", "2e5", "--json"]) == 0
    assert asked == ["spanish21", "zen", None, None, {"decks": "6"}, {}, "total_dependent", 2.0]
    printed = json.loads(capsys.readouterr().out)
    assert printed["neutral"] == -4
    assert printed["break_even"] == counted.break_even()
    assert printed["plays"][0] == json.loads(json.dumps(counted.plays[0].json()))
    same = counted.simulate(200_000, 6, ramp=counted.ramp(4), most_plays=20)
    assert printed["simulated"]["digest"] == same.sample.digest
    assert printed["simulated"]["score"] == same.score
    assert cli.main([*words, "--rounds", "1e5", "--plays", "2"]) == 0
    text = capsys.readouterr().out
    assert "the 2 most valuable of" in text
    assert f"fair at a true count of {counted.break_even():+.2f}" in text


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--system", "hilo"], "unknown count system 'hilo' (did you mean 'hi_lo'?)"),
        (["--bet", "2=8"], "--bet: expected --rounds N with it"),
        (["--penetration", "0.8"], "--penetration: expected --rounds N with it"),
        (["--no-insurance"], "--no-insurance: expected --rounds N with it"),
        (["--rounds", "10", "--spread", "4", "--bet", "2=8"], "expected one of --spread and --bet"),
        (["--rounds", "10", "--bet", "two=8"], "--bet two=8: expected whole numbers"),
        (["--left", "6"], "left is 6 decks unseen"),
        (["--bet", "a=b", "--rounds", "10"], "expected whole numbers, such as --bet -2=1"),
        (["--plays", "-1"], "--plays is -1"),
        (["--set", "decks=0"], "decks is 0"),
    ],
)
def test_slips_of_the_command(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str], counted: Count, monkeypatch: pytest.MonkeyPatch
) -> None:
    if "--rounds" in words:
        monkeypatch.setattr("casinomath.advantage.count", lambda *_, **__: counted)
    assert cli.main(["count", "spanish21", *words]) == 2
    assert said in capsys.readouterr().err


def test_a_bet_without_a_shoe_of_the_family_is_not_counted() -> None:
    with pytest.raises(RequestError, match="match_the_dealer is no game of the family of 21"):
        count("match_the_dealer")


@pytest.mark.parametrize(
    ("tags", "said"),
    [
        ((1.0,) * 10, "all tags are 1"),
        ((0.25, *(0.0,) * 9), "the tag of A is 0.25"),
        ((1.0, 0.0), "has 2 tags; expected ten"),
        ((12.0, *(0.0,) * 9), "the tag of A is 12"),
    ],
)
def test_tags_that_no_system_has(tags: tuple[float, ...], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        CountSystem("mine", tags)


def test_a_system_of_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    tags = ", ".join(f"{value} = {tag:g}" for value, tag in zip(VALUES, HI_LO.tags, strict=True))
    path.write_text(f'[systems.mine]\ntags = {{ {tags} }}\nsource = "my own"\n', encoding="utf-8")
    assert catalog.count_system(str(path)).tags == HI_LO.tags
    path.write_text('[systems.mine]\ntags = { A = 1 }\nsource = "my own"\n', encoding="utf-8")
    with pytest.raises(RequestError, match="expected a tag for each of A, 2"):
        catalog.count_system(str(path))


def test_simulations_refuse_what_can_t_be_dealt(counted: Count) -> None:
    with pytest.raises(RequestError, match=r"penetration is 1\.5"):
        counted.simulate(100, 1, penetration=1.5)
    with pytest.raises(RequestError, match="unknown way to play 'index'"):
        counted.simulate(100, 1, play_by="index")  # type: ignore[arg-type] # a slip
    with pytest.raises(RequestError, match="no true count is bet at"):
        counted.ramp(bets={-100: 0})
    with pytest.raises(RequestError, match="the bet at a true count of"):
        counted.ramp(bets={0: 5000})
    with pytest.raises(RequestError, match="spread is 0"):
        counted.ramp(0)


def test_actions_are_numbered_as_everywhere() -> None:
    assert indices.CHOICES[:3] == (STAND, HIT, DOUBLE)
    assert indices.CHOICES[-1] == SURRENDER


# --- The family ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hole_card", ["peek", "none"])
def test_blackjack_is_played_as_at_its_table(hole_card: str) -> None:
    """Without a peek too, one who bets one unit has the rounds of the simulated table, card for card."""
    request = resolve("blackjack", change={"hole_card": hole_card, "decks": 4})
    paytable = request.paytable
    policy = solve(blackjack.problem(request.rules, paytable)).policy
    alone = blackjack.rounds_by(request.rules, paytable, policy)
    table = family.at_table(alone, alone.shoe, None, 1, 0.7, 1, (), by_hand=False)
    fields = {name: getattr(alone, name) for name in alone.__dataclass_fields__}
    counting = CountingRounds(
        **{**fields, "play": stacked([policy])},
        system=HI_LO,
        deck=STANDARD,
        ramp=Ramp(-8, (1,) * 17, (False,) * 17),
        columns=(0,) * 17,
        cut=round(0.7 * 208),
        burn=1,
    )
    ours, theirs = (
        Counter({(net * s.unit, wagered * s.unit): n for (net, wagered), n in s.outcomes.items()})
        for s in (run(counting, 40_000, 8), run(table, 40_000, 8))
    )
    assert ours == theirs
