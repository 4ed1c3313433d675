"""Bonus Craps against inclusion and exclusion over the numbers, and against dice."""

from fractions import Fraction
from itertools import chain as joined
from itertools import combinations

import numpy as np
import pytest

from casinomath import catalog, request
from casinomath.errors import RequestError
from casinomath.kernels.dice import LONGEST
from casinomath.paytable import PayTable
from casinomath.sidebets.bonus_craps import BETS, WANTED, Rules, check, evaluate, simulate

TABLE = catalog.paytable("bonus_craps", "colorado")


def ways(numbers: tuple[int, ...]) -> int:
    return sum(6 - abs(7 - number) for number in numbers)


def subsets(numbers: frozenset[int]) -> list[tuple[int, ...]]:
    return list(joined.from_iterable(combinations(sorted(numbers), size) for size in range(len(numbers) + 1)))


def won(numbers: frozenset[int]) -> Fraction:
    """All of the numbers before a seven: a seven comes before none of them, for every set of them, with a sign."""
    return sum((Fraction((-1) ** len(some) * 6, 6 + ways(some)) for some in subsets(numbers)), Fraction(0))


def won_by(numbers: frozenset[int], rolls: int) -> Fraction:
    """All of the numbers and no seven in so many rolls."""
    return sum(
        (Fraction((-1) ** len(some) * (30 - ways(some)) ** rolls, 36**rolls) for some in subsets(numbers)), Fraction(0)
    )


@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("rolled", ["", "2", "12 3", "4,5,6,8,9,10"])
def test_the_chance_is_that_of_inclusion_and_exclusion(bet: str, rolled: str) -> None:
    left = WANTED[bet] - {int(number) for number in rolled.replace(",", " ").split()}
    priced = evaluate(Rules(rolled=rolled), TABLE, bet=bet)
    chance = won(left)
    assert priced.details["chance"] == str(chance)
    assert priced.ev_exact == chance * (TABLE.pay(bet) + 1) - 1


@pytest.mark.parametrize("bet", BETS)
def test_rolls_are_those_of_inclusion_and_exclusion(bet: str) -> None:
    details = evaluate(Rules(), TABLE, bet=bet).details
    numbers = WANTED[bet]
    assert [row["rolls"] for row in details["rolls"]] == list(range(1, LONGEST + 1))
    for row in details["rolls"][:: 7 if bet == "make_em_all" else 1]:
        rolls = int(row["rolls"])
        # all of them now and not before, and no seven yet
        wins = won_by(numbers, rolls) - won_by(numbers, rolls - 1) * Fraction(30, 36)
        # a seven on this roll, none before, and the numbers not all there before
        loses = (Fraction(30, 36) ** (rolls - 1) - won_by(numbers, rolls - 1)) / 6
        assert row["won"] == pytest.approx(float(wins), rel=1e-12, abs=1e-300)
        assert row["lost"] == pytest.approx(float(loses), rel=1e-12)
    ended = sum(row["won"] + row["lost"] for row in details["rolls"])
    assert ended + details["more_rolls"] == pytest.approx(1, abs=1e-14)


@pytest.mark.parametrize("bet", BETS)
def test_a_bet_takes_six_rolls_for_every_seven_that_loses_it(bet: str) -> None:
    """Wald: a sixth of all rolls are sevens, and only the last roll of a lost bet is one."""
    details = evaluate(Rules(), TABLE, bet=bet).details
    assert Fraction(details["expected_rolls_exact"]) == 6 * (1 - Fraction(details["chance"]))


def test_known_fractions() -> None:
    """7.76% and 7.46% are published; these are the fractions behind them."""
    assert [won(WANTED[bet]) for bet in BETS] == [
        Fraction(20049, 760760),
        Fraction(20049, 760760),
        Fraction(126538525259, 24067258815600),
    ]
    assert str(evaluate(Rules(), TABLE, bet="all_small").ev_exact) == "-1687/21736"


def test_sides_are_worth_the_same_and_both_less_often() -> None:
    small, tall, both = (evaluate(Rules(), TABLE, bet=bet) for bet in BETS)
    assert small.ev_exact == tall.ev_exact
    assert both.hit_frequency is not None
    assert small.hit_frequency is not None
    assert both.hit_frequency > small.hit_frequency**2  # both lose to the same sevens


def test_every_number_rolled_favours_the_player() -> None:
    marked = ["", "12", "12 2", "12 2 11", "12 2 11 3", "12 2 11 3 4 10"]
    evs = [evaluate(Rules(rolled=each), TABLE, bet="make_em_all").ev for each in marked]
    assert evs == sorted(evs)
    assert len(set(evs)) == len(evs)


@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("rolled", ["", "2 12 6"])
def test_simulation(bet: str, rolled: str) -> None:
    rules, rounds = Rules(rolled=rolled), 300_000
    priced, played = evaluate(rules, TABLE, bet=bet), simulate(rules, TABLE, rounds, 4, bet=bet)
    assert abs(played.agreement(priced)) < 4
    for row in priced.details["rolls"][:30]:
        chance = row["won"] + row["lost"]
        error = (chance * (1 - chance) / rounds) ** 0.5
        assert abs(played.counts.get(f"{int(row['rolls'])}_rolls", 0) / rounds - chance) < 4 * error
    assert sum(played.counts.values()) == rounds


def test_simulated_rolls_are_those_of_a_plain_loop() -> None:
    """The kernel against dice thrown in plain Python, both only as good as chance."""
    generator = np.random.default_rng(7)
    wins = 0
    for _ in range(20_000):
        missing = {2, 3, 4, 5, 6}
        while missing:
            total = int(generator.integers(1, 7) + generator.integers(1, 7))
            if total == 7:
                break
            missing.discard(total)
        wins += not missing
    chance = float(won(WANTED["all_small"]))
    assert abs(wins / 20_000 - chance) < 4 * (chance * (1 - chance) / 20_000) ** 0.5


@pytest.mark.parametrize(
    ("rolled", "told"),
    [
        ("7", "'7' is not one of 2, 3, 4, 5, 6, 8"),
        ("1 2", "'1' is not one of"),
        ("3 3", "3 is named twice"),
        ("two", "'two' is not one of"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(rolled: str, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        check(Rules(rolled=rolled), TABLE)


def test_what_else_is_refused() -> None:
    with pytest.raises(RequestError, match="all_small has been won; expected one of its numbers missing"):
        evaluate(Rules(rolled="2 3 4 5 6"), TABLE, bet="all_small")
    with pytest.raises(RequestError, match="unknown bet of bonus_craps: 'all'"):
        evaluate(Rules(), TABLE, bet="all")
    with pytest.raises(RequestError, match="lacks all_tall, make_em_all"):
        check(Rules(), PayTable("short", {"all_small": Fraction(34)}))
    with pytest.raises(RequestError, match="did you mean 'all_small'"):
        request.evaluate("bonus_craps", pay={"al_small": "34"})
