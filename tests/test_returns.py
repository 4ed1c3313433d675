"""Returns from outcomes whose chances are fractions."""

from fractions import Fraction

import pytest

from casinomath.returns import Outcome, exact_returns


def returns_of(*outcomes: tuple[str, str, str], deals: int = 1):  # type: ignore[no-untyped-def]
    rows = [Outcome(event, Fraction(chance), Fraction(net)) for event, chance, net in outcomes]
    return exact_returns("game", "main", {}, "table", rows, deals)


def test_a_single_number_at_roulette() -> None:
    priced = returns_of(("win", "1/37", "35"), ("loss", "36/37", "-1"), deals=37)
    assert priced.ev_exact == Fraction(-1, 37)
    assert priced.house_edge == priced.element_of_risk == 1 / 37
    assert priced.hit_frequency == 1 / 37
    assert priced.stdev == pytest.approx(36 * (1 / 37 * 36 / 37) ** 0.5, abs=1e-14)
    assert [(event.event, event.combinations, event.pays) for event in priced.events] == [
        ("win", 1, 35),
        ("loss", 36, -1),
    ]


def test_outcomes_of_one_event_are_one_row_that_pays_nothing_in_particular() -> None:
    priced = returns_of(("award", "1/8", "9"), ("award", "1/8", "3"), ("none", "3/4", "-1"), deals=4)
    assert [(event.event, event.pays, event.combinations) for event in priced.events] == [
        ("award", None, 1),
        ("none", -1, 3),
    ]
    assert priced.events[0].returned == 1.5
    assert priced.ev_exact == Fraction(3, 4)


def test_a_push_is_no_hit_and_what_cannot_happen_is_no_row() -> None:
    priced = returns_of(("push", "1/2", "0"), ("never", "0", "100"), ("loss", "1/2", "-1"))
    assert priced.hit_frequency == 0
    assert [event.event for event in priced.events] == ["push", "loss"]


def test_a_deal_counts_as_many_as_it_takes_to_make_combinations_whole() -> None:
    priced = returns_of(("a", "1/3", "1"), ("b", "2/3", "-1"), deals=10)
    assert [event.combinations for event in priced.events] == [10, 20]


def test_chances_that_are_not_all_are_a_mistake() -> None:
    with pytest.raises(AssertionError, match="sum to 1/2"):
        returns_of(("a", "1/2", "1"))


def test_skewness_is_the_third_central_moment_in_standard_deviations() -> None:
    """A wager that wins with chance p: skewness (1 − 2p) / √(p(1 − p)), whatever it pays. Source: the Bernoulli law."""
    for pays in ("1", "35"):
        priced = returns_of(("win", "1/37", pays), ("loss", "36/37", "-1"))
        assert priced.skewness == pytest.approx((1 - 2 / 37) / (36 / 37**2) ** 0.5, abs=1e-12)
    even = returns_of(("win", "1/3", "1"), ("push", "1/3", "0"), ("loss", "1/3", "-1"))
    assert even.skewness == 0
    assert even.json()["skewness"] == 0
    assert returns_of(("nothing", "1", "-1")).skewness is None


def test_kurtosis_is_the_fourth_central_moment_in_variances() -> None:
    """A wager that wins with chance p: 1 / (p(1 − p)) − 3, whatever it pays. Source: the Bernoulli law."""
    priced = returns_of(("win", "1/37", "35"), ("loss", "36/37", "-1"))
    assert priced.kurtosis == pytest.approx(37**2 / 36 - 3, abs=1e-12)
    assert returns_of(("win", "1/2", "1"), ("loss", "1/2", "-1")).json()["kurtosis"] == 1
    assert returns_of(("nothing", "1", "-1")).kurtosis is None
