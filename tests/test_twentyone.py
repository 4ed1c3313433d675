"""The exact engine against published figures, identities and itself played two ways."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog, twentyone
from casinomath.games import spanish21
from casinomath.kernels.actions import ACTIONS, ENDINGS, HIT, SPLIT, STAND
from casinomath.kernels.hands import hands
from casinomath.kernels.twentyone import Table
from casinomath.twentyone import Problem, Round, Solution, pair_row, play, solve, two_card_rows

BONUS_21 = catalog.paytable("spanish21", "bonus_21")
SIX_DECKS = spanish21.Rules()
REDOUBLE = SIX_DECKS._replace(max_doubles=3)

SPLITS_MAY_LOSE = 1e-7
"""Split hands play what is best for a hand that is not split: what is offered to both may cost them a trifle."""


@pytest.fixture(scope="module")
def six_decks() -> tuple[Solution, Round]:
    solution = solve(spanish21.problem(SIX_DECKS, BONUS_21))
    return solution, play(solution.problem, solution.policy, solution.splits)


@pytest.fixture(scope="module")
def redouble() -> tuple[Solution, Round]:
    solution = solve(spanish21.problem(REDOUBLE, BONUS_21))
    return solution, play(solution.problem, solution.policy, solution.splits)


def test_farmers_split() -> None:
    """Ordinary blackjack, S17, double after split, split to four hands: E. Farmer, "Blackjack Pair Splitting"."""
    table = Table(
        twenty_one_wins=0,
        double_up_to=2,
        max_doubles=1,
        rescue=0,
        surrender=0,
        split_aces_draw=1,
    )
    shoe = (0, 4, 4, 2, 0, 0, 2, 0, 0, 7)  # aces first; the dealer's 7 and the player's 2-2 are among them
    problem = Problem(
        table, shoe, decks=2, hits_soft_17=False, max_hands=4, pays={"blackjack": 1.5, "surrender": -0.5}, split_pays={}
    )
    values = solve(problem).first_values(upcard=6, row=pair_row(1))
    assert values[STAND] == pytest.approx(-0.61639194139, abs=5e-12)
    assert values[HIT] == pytest.approx(-0.13266733267, abs=5e-12)
    assert values[SPLIT] == pytest.approx(-0.76210220335, abs=5e-12)


ENDLESS = Problem(
    Table(
        twenty_one_wins=0,
        double_up_to=2,
        max_doubles=1,
        rescue=0,
        surrender=0,
        split_aces_draw=0,
        resplit_aces=0,
        taken=0,
    ),
    shoe=(4,) * 9 + (16,),
    decks=1,
    hits_soft_17=False,
    max_hands=4,
    pays={"blackjack": 1.5},
    split_pays={},
)
"""Blackjack from an endless shoe: S17, double after split, split to four hands, aces once with one card each."""


def test_an_endless_shoe_is_the_limit_of_large_ones() -> None:
    """The difference falls with the number of decks; −0.511734 %: Wizard of Odds, blackjack appendix 1."""
    limit = play(ENDLESS, solve(ENDLESS).policy).ev
    assert limit == pytest.approx(-0.00511734, abs=5e-9)
    away = []
    for decks in (10**3, 10**4):
        shoe = tuple(decks * count for count in ENDLESS.shoe)
        finite = replace(ENDLESS, table=ENDLESS.table._replace(taken=1), shoe=shoe, decks=decks)
        away.append(play(finite, solve(finite).policy).ev - limit)
    assert 0 < away[1] < 1e-6
    assert away[0] / away[1] == pytest.approx(10, rel=0.01)


def test_without_a_peek_no_21_wins_at_once() -> None:
    with pytest.raises(ValueError, match="without a peek"):
        replace(ENDLESS, table=ENDLESS.table._replace(peeks=0, twenty_one_wins=1))


def test_five_six_against_two_doubled(six_decks: tuple[Solution, Round]) -> None:
    """+0.348048: Stephen How, discountgambling.net."""
    lattice = hands()
    row = lattice.child[lattice.child[0, 4], 5]
    assert six_decks[0].values.double[1, row] == pytest.approx(0.348048, abs=5e-7)


@pytest.mark.parametrize(
    ("changes", "low", "high"),
    [
        ({"dealer_hits_soft_17": False}, 0.0036, 0.0040),
        ({}, 0.0076, 0.0080),
        ({"max_doubles": 3}, 0.0040, 0.0045),
    ],
)
def test_published_windows(changes: dict[str, int], low: float, high: float) -> None:
    """Six decks: Wizard of Odds' current page and older table, see `data/spanish21.toml`."""
    assert low < spanish21.evaluate(SIX_DECKS._replace(**changes), BONUS_21).house_edge < high


@pytest.mark.parametrize("case", ["six_decks", "redouble"])
def test_every_round_ends_once(case: str, request: pytest.FixtureRequest) -> None:
    _, played = request.getfixturevalue(case)
    assert played.ends.sum() + played.split_rounds.sum() == pytest.approx(1.0, abs=1e-13)
    assert (played.ends >= 0).all()
    assert (played.split_rounds > -1e-18).all()
    hands_in_the_end = np.arange(2, 2 + played.split_rounds.shape[1])
    endings = played.split_ends.sum(axis=2)
    assert endings == pytest.approx(played.split_rounds * hands_in_the_end, abs=1e-15)


@pytest.mark.parametrize("case", ["six_decks", "redouble"])
def test_backward_values_are_what_the_forward_pass_collects(case: str, request: pytest.FixtureRequest) -> None:
    """The best first decision's value, weighed over all deals, is the EV of the round played out by the policy."""
    solution, played = request.getfixturevalue(case)
    problem, lattice = solution.problem, hands()
    shoe = problem.shoe_array
    cards = shoe.sum()
    ev = 0.0
    for upcard in range(10):
        rest = shoe - np.eye(10, dtype=np.int64)[upcard]
        for row in two_card_rows():
            x, y = np.repeat(np.arange(10), lattice.counts[row])
            ways = rest[x] * (rest[y] - 1) if x == y else 2 * rest[x] * rest[y]
            weight = shoe[upcard] / cards * ways / ((cards - 1) * (cards - 2))
            if lattice.total[row] == 21:
                ev += weight * 1.5
                continue
            lost = 1 - solution.values.peek[upcard, row]
            i = problem.suited.place[row]
            chances = problem.suited.weight[i, upcard] if i >= 0 else np.ones(1)
            for suits in np.flatnonzero(chances):
                best = max(solution.first_values(upcard, int(row), int(suits)).values())
                ev += weight * chances[suits] * (best - lost)
    assert played.ev == pytest.approx(ev, abs=1e-13)


def test_burning_a_card_changes_nothing(redouble: tuple[Solution, Round]) -> None:
    """An unseen card taken out first is like any other unseen card: the same play is worth the same on average."""
    solution, played = redouble
    shoe = solution.problem.shoe
    average = 0.0
    for value, count in enumerate(shoe):
        left = tuple(n - (v == value) for v, n in enumerate(shoe))
        average += count / sum(shoe) * play(replace(solution.problem, shoe=left), solution.policy).ev
    assert average == pytest.approx(played.ev, abs=1e-13)


def test_the_best_play_beats_every_chart(six_decks: tuple[Solution, Round], redouble: tuple[Solution, Round]) -> None:
    for rules, (_, played) in ((SIX_DECKS, six_decks), (REDOUBLE, redouble)):
        derived = spanish21.strategy(rules, BONUS_21, strategy_class="total_dependent").chart
        chart_ev = spanish21.evaluate(rules, BONUS_21, strategy=derived).ev
        assert chart_ev < played.ev
        assert played.ev - chart_ev < 5e-5  # what totals cannot see is worth half a hundredth of a percent at most


@settings(max_examples=15, deadline=None)
@given(event=st.sampled_from(spanish21.EVENTS), more=st.fractions(0, 5), redoubles=st.integers(1, 3))
def test_raising_a_pay_never_lowers_the_ev(event: str, more: Fraction, redoubles: int) -> None:
    rules = SIX_DECKS._replace(max_doubles=redoubles)
    richer = BONUS_21.with_pays({event: BONUS_21.pay(event) + more})
    before, after = (spanish21.evaluate(rules, table).ev for table in (BONUS_21, richer))
    assert after >= before - SPLITS_MAY_LOSE


@settings(max_examples=15, deadline=None)
@given(
    decks=st.integers(1, 16),
    hits=st.booleans(),
    doubles=st.integers(1, 3),
    rescue=st.booleans(),
    forfeits=st.sampled_from(["half_of_wager", "original_wager"]),
    surrender=st.booleans(),
    max_hands=st.integers(1, 4),
    aces=st.booleans(),
    after_split=st.booleans(),
)
def test_any_rules_make_sense(
    decks: int,
    hits: bool,
    doubles: int,
    rescue: bool,
    forfeits: str,
    surrender: bool,
    max_hands: int,
    aces: bool,
    after_split: bool,
) -> None:
    rules = spanish21.Rules(
        decks,
        hits,
        doubles if hits else 1,
        rescue,
        forfeits,
        surrender,
        max_hands,
        aces,
        after_split,  # type: ignore[arg-type]
    )
    returns = spanish21.evaluate(rules, BONUS_21)
    assert sum(event.probability for event in returns.events) == pytest.approx(1.0, abs=1e-12)
    assert -0.04 < returns.ev < 0.02
    for better in (
        rules._replace(rescue=True),
        rules._replace(late_surrender=True),
        rules._replace(max_hands=2) if max_hands == 1 else rules,
    ):
        assert spanish21.evaluate(better, BONUS_21).ev >= returns.ev - SPLITS_MAY_LOSE


def test_resplits_count_every_way() -> None:
    """To four hands: one way to two, two to three; to four: by how many hands were done before the fourth began."""
    ways = twentyone.resplits(4)
    assert [way.hands for way in ways].count(2) == 1
    assert [way.hands for way in ways].count(3) == 2
    assert sorted(sum(way.dealt) for way in ways if way.hands == 4) == [0, 1, 1, 2, 2]
    for way in ways:
        assert sum(way.dealt) + sum(way.open) == way.hands


def test_endings_have_names_and_pays(redouble: tuple[Solution, Round]) -> None:
    pays = dict(zip(ENDINGS, redouble[0].problem.ending_pays, strict=True))
    assert pays["redoubled_twice_rescue"] == -4.0
    assert pays["redoubled_loss"] == -4.0
    assert pays["doubled_win"] == 2.0
    assert pays["seven_card_21"] == 3.0
    assert pays["dealer_blackjack"] == -1.0
    assert ACTIONS[HIT] == "hit"
