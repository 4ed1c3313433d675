"""Absorbing chains against textbook chains, against floating-point linear algebra, and against walks step by step."""

import doctest
from collections import Counter
from collections.abc import Hashable, Mapping
from fractions import Fraction
from math import comb

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from casinomath import absorbing
from casinomath.absorbing import MOST_STATES, Chain
from casinomath.errors import RequestError

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def test_the_example_of_the_module_holds() -> None:
    assert doctest.testmod(absorbing).attempted == 2
    assert doctest.testmod(absorbing).failed == 0


def ruin(goal: int, up: Fraction) -> Chain[int]:
    """Win a unit or lose one until nothing is left, or the goal is reached."""
    return Chain({units: {units + 1: up, units - 1: 1 - up} for units in range(1, goal)})


@pytest.mark.parametrize("up", [HALF, Fraction(9, 19), Fraction(18, 37)])
@pytest.mark.parametrize("goal", [2, 5, 12])
def test_gamblers_ruin(goal: int, up: Fraction) -> None:
    """Feller, "An Introduction to Probability Theory", volume I, chapter XIV, (2.4), (2.5), (3.4) and (3.5)."""
    chain = ruin(goal, up)
    ratio = (1 - up) / up
    for units in range(1, goal):
        ends = chain.absorption(units)
        if up == HALF:
            assert ends[0] == 1 - Fraction(units, goal)
            assert chain.expected_steps(units) == units * (goal - units)
        else:
            assert ends[0] == (ratio**goal - ratio**units) / (ratio**goal - 1)
            reached = goal * (1 - ratio**units) / (1 - ratio**goal)
            assert chain.expected_steps(units) == (units - reached) / (1 - 2 * up)
        assert chain.expected(Fraction, units) == goal * ends[goal]


def test_the_walk_of_kemeny_and_snell() -> None:
    """Kemeny and Snell, "Finite Markov Chains", 3.2 and 3.3: five corners, home at one end and a bar at the other.

    Their fundamental matrix has the rows 3/2 1 1/2, 1 2 1 and 1/2 1 3/2; the steps are 3, 4, 3.
    """
    chain = ruin(4, HALF)
    rows = [[Fraction(3, 2), 1, HALF], [1, 2, 1], [HALF, 1, Fraction(3, 2)]]
    for state, row in zip((1, 2, 3), rows, strict=True):
        visits = chain.visits(state)
        assert [visits[other] for other in (1, 2, 3)] == row
    solution = chain.solution.set_index("from")
    assert list(solution["steps"]) == [3, 4, 3]
    assert list(solution["0"]) == [Fraction(3, 4), HALF, Fraction(1, 4)]


@pytest.mark.parametrize("number", [1, 2, 6])
def test_collecting_coupons(number: int) -> None:
    """All of n equally likely ones: n (1 + 1/2 + … + 1/n) draws, and inclusion and exclusion for each number."""
    every = frozenset(range(number))

    def draw(missing: frozenset[int]) -> dict[frozenset[int], Fraction]:
        moves: Counter[frozenset[int]] = Counter()
        for one in every if missing else ():
            moves[missing - {one}] += 1
        return {after: Fraction(ways, number) for after, ways in moves.items()}

    chain = Chain.grown(every, draw)
    assert len(chain.states) == 2**number
    assert chain.absorbing == (frozenset(),)
    assert chain.expected_steps(every) == number * sum((Fraction(1, k) for k in range(1, number + 1)), Fraction(0))
    steps = chain.steps(20, every)
    for most in range(21):
        missed = (comb(number, k) * (-1) ** k * Fraction(number - k, number) ** most for k in range(number + 1))
        assert sum(steps.chances[: most + 1], Fraction(0)) == sum(missed, Fraction(0))
    assert steps.tail == 1 - sum(steps.chances, Fraction(0))


# --- Any chain ----------------------------------------------------------------------------------------------


@st.composite
def chains(draw: st.DrawFn) -> Chain[int]:
    """Up to seven states that move to one another and to two ends."""
    number = draw(st.integers(1, 7))
    moves = {}
    for state in range(number):
        ways = draw(st.dictionaries(st.integers(0, number + 1), st.integers(1, 4), min_size=1, max_size=4))
        moves[state] = {to: Fraction(count, sum(ways.values())) for to, count in ways.items()}
    return Chain(moves)


def reach(chain: Chain[int], start: int) -> list[int]:
    found = [start]
    for state in found:
        found += [to for to in chain.moves[state] if to not in found]
    return [state for state in found if chain.moves[state]]


@given(chain=chains())
@settings(max_examples=150, deadline=None)
def test_any_chain_is_what_linear_algebra_says(chain: Chain[int]) -> None:
    within = reach(chain, 0)
    stuck = [
        state
        for state in within
        if not any(not chain.moves[to] for each in reach(chain, state) for to in chain.moves[each])
    ]
    if stuck:
        with pytest.raises(RequestError, match="the chain never ends from"):
            chain.visits(0)
        return
    inside = np.array([[float(chain.moves[one].get(other, 0)) for other in within] for one in within])
    expected = np.linalg.inv(np.eye(len(within)) - inside)[0]
    visits = chain.visits(0)
    assert [float(visits[state]) for state in within] == pytest.approx(expected.tolist())
    assert sum(chain.absorption(0).values()) == 1


@given(chain=chains())
@settings(max_examples=100, deadline=None)
def test_values_are_what_walks_bring_on_average(chain: Chain[int]) -> None:
    """Solved backwards for all starts at once, and forwards for each of them."""
    try:
        values = chain.values(lambda state: Fraction(state, 3), each_step=Fraction(2))
    except RequestError:
        return
    for state in chain.states:
        ends = chain.expected(lambda end: Fraction(end, 3), state)
        assert values[state] == ends + 2 * chain.expected_steps(state)
    solution = chain.solution.set_index("from")
    for state in chain.transient:
        assert solution.loc[state, "steps"] == chain.expected_steps(state)
        ends_of = chain.absorption(state)
        assert [solution.loc[state, str(end)] for end in chain.absorbing] == [
            ends_of.get(e, 0) for e in chain.absorbing
        ]


@given(chain=chains(), most=st.integers(0, 6))
@settings(max_examples=50, deadline=None)
def test_steps_are_those_of_every_path(chain: Chain[int], most: int) -> None:
    ended: Counter[tuple[int, int]] = Counter()
    paths: list[tuple[int, Fraction, int]] = [(0, Fraction(1), 0)]
    for state, chance, length in paths:
        if not chain.moves[state]:
            ended[state, length] += chance
        elif length < most:
            paths += [(to, chance * move, length + 1) for to, move in chain.moves[state].items()]
    steps = chain.steps(most, 0)
    assert list(steps.chances) == [sum(c for (_, n), c in ended.items() if n == k) for k in range(most + 1)]
    for end in chain.absorbing:
        some = chain.steps(most, 0, ending=end.__eq__)
        assert list(some.chances) == [ended[end, k] for k in range(most + 1)]
        assert some.tail == 1 - sum(some.chances)


def test_expected_steps_are_those_of_their_distribution() -> None:
    chain = ruin(4, THIRD)
    chances, tail = chain.steps(400, 2)
    assert float(tail) < 1e-60
    mean = float(chain.expected_steps(2))
    assert float(sum(n * chance for n, chance in enumerate(chances))) == pytest.approx(mean)
    square = float(sum(n**2 * chance for n, chance in enumerate(chances)))
    assert square - mean**2 == pytest.approx(float(chain.variance_of_steps(2)))


def test_the_variance_of_waiting_for_a_head() -> None:
    """The geometric law: mean 1/p and variance (1 − p)/p²."""
    coin = Chain({"toss": {"toss": Fraction(3, 4), "head": Fraction(1, 4)}})
    assert coin.variance_of_steps("toss") == Fraction(3, 4) * 16
    assert coin.variance_of_steps("head") == 0


@given(up=st.fractions(Fraction(1, 10), Fraction(9, 10)), weight=st.fractions(0, 1))
@settings(max_examples=30, deadline=None)
def test_a_spread_start_is_the_average_of_its_starts(up: Fraction, weight: Fraction) -> None:
    chain, start = ruin(6, up), {1: weight, 4: 1 - weight}
    assert chain.expected_steps(start) == weight * chain.expected_steps(1) + (1 - weight) * chain.expected_steps(4)
    assert chain.absorption(start)[6] == weight * chain.absorption(1)[6] + (1 - weight) * chain.absorption(4)[6]


def test_states_may_be_anything_that_has_a_hash() -> None:
    moves: Mapping[Hashable, Mapping[Hashable, Fraction]] = {
        None: {None: HALF, ("a", 1): HALF},
        ("a", 1): {frozenset({2}): Fraction(1)},
    }
    chain = Chain(moves)
    assert chain.absorption(None) == {frozenset({2}): 1}
    assert chain.expected_steps(None) == 3
    assert list(chain.table.columns) == ["from", "to", "chance"]
    assert len(chain.table) == 3


def test_a_walk_that_starts_at_its_end_is_over() -> None:
    chain = ruin(3, HALF)
    assert chain.absorption(3) == {3: 1}
    assert chain.expected_steps(3) == 0
    assert chain.steps(0, 3).chances == (1,)
    assert chain.absorption({0: HALF, 1: HALF})[0] == HALF + HALF * Fraction(2, 3)


# --- What is wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "told"),
    [
        ({"a": {"b": HALF}}, "the moves of 'a' sum to 1/2; expected 1"),
        ({"a": {"b": HALF, "c": HALF, "d": HALF}}, "sum to 3/2"),
        ({"a": {"b": Fraction(3, 2), "c": -HALF}}, "'c' with chance Fraction(-1, 2); expected a fraction from 0 to 1"),
        ({"a": {"b": 0.5, "c": 0.5}}, "with chance 0.5; expected a fraction"),
    ],
)
def test_chances_that_make_no_sense_are_refused(moves: dict[str, dict[str, Fraction]], told: str) -> None:
    with pytest.raises(RequestError) as error:
        Chain(moves)
    assert told in str(error.value)


def test_a_chain_that_never_ends_is_refused_where_a_walk_gets_into_it() -> None:
    around = {
        "a": {"b": HALF, "end": HALF},
        "b": {"c": Fraction(1)},
        "c": {"b": Fraction(1)},
        "d": {"end": Fraction(1)},
    }
    chain = Chain(around)
    assert chain.absorption("d") == {"end": 1}
    assert (chain.expected_steps("d"), chain.variance_of_steps("d")) == (1, 0)
    with pytest.raises(RequestError, match=r"the chain never ends from '[bc]', '[bc]'; expected a way"):
        chain.expected_steps("a")
    with pytest.raises(RequestError, match="never ends"):
        Chain({"a": {"a": Fraction(1)}}).visits("a")


def test_starts_and_numbers_that_make_no_sense_are_refused() -> None:
    chain = ruin(3, HALF)
    with pytest.raises(RequestError, match="the chain has no state 7; it has 1, 2, "):
        chain.absorption(7)
    with pytest.raises(RequestError, match="the chances of the start sum to 1/2; expected 1"):
        chain.absorption({1: HALF})
    with pytest.raises(RequestError, match="most is -1"):
        chain.steps(-1, 1)


def test_a_chain_without_end_of_states_is_refused() -> None:
    with pytest.raises(RequestError, match=f"more than {MOST_STATES:,} states"):
        Chain.grown(0, lambda state: {state + 1: Fraction(1)})


@given(chain=chains())
@settings(max_examples=30, deadline=None)
def test_a_long_way_round_changes_nothing(chain: Chain[int]) -> None:
    """A state put between two others is visited as often as the move is made."""
    assume(all(reach(chain, state) for state in chain.transient))
    try:
        ends = chain.absorption(0)
    except RequestError:
        return
    moves = {state: {(state, to): chance for to, chance in chain.moves[state].items()} for state in chain.transient}
    between = {way: {way[1]: Fraction(1)} for to in moves.values() for way in to}
    longer: Chain[Hashable] = Chain({**moves, **between})
    assert longer.absorption(0) == ends
    assert longer.expected_steps(0) == 2 * chain.expected_steps(0)
