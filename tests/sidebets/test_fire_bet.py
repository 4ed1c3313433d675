"""Fire Bet against the odds of one point after another, the length of a shooter's hand, and dice."""

from fractions import Fraction

import pytest

from casinomath import catalog, request
from casinomath.absorbing import Chain
from casinomath.dice import CHANCE
from casinomath.errors import RequestError
from casinomath.paytable import PayTable
from casinomath.sidebets.fire_bet import EVENTS, Rules, check, evaluate, simulate

TABLE = catalog.paytable("fire_bet", "pays_24_249_999")
POINTS = (4, 5, 6, 8, 9, 10)


def by_points(made: frozenset[int]) -> dict[int, Fraction]:
    """The chance of ending with so many points, from one decided point to the next, rolls and come-outs left out.

    A decided point is i with chance ways/24, and is made with ways/(ways + 6).
    """
    if len(made) == len(POINTS):
        return {len(POINTS): Fraction(1)}
    makes = {
        point: Fraction(6 - abs(7 - point), 24) * Fraction(6 - abs(7 - point), 12 - abs(7 - point)) for point in POINTS
    }
    again = sum((makes[point] for point in made), Fraction(0))
    out = (1 - sum(makes.values())) / (1 - again)
    found = {len(made): out}
    for point in set(POINTS) - made:
        for points, chance in by_points(made | {point}).items():
            found[points] = found.get(points, Fraction(0)) + makes[point] / (1 - again) * chance
    return found


@pytest.mark.parametrize("made", ["", "4", "6 8", "4,10,5,9", "4 5 6 8 9"])
def test_points_are_made_one_after_another(made: str) -> None:
    chances = by_points(frozenset(int(point) for point in made.replace(",", " ").split()))
    details = evaluate(Rules(made=made), TABLE).details
    assert details["chances"] == {EVENTS[points]: str(chances[points]) for points in sorted(chances, reverse=True)}


def test_known_fractions() -> None:
    """Ethier prints no point at all as 0.593939393939."""
    assert evaluate(Rules(), TABLE).details["chances"]["no_points"] == "98/165"


@pytest.mark.parametrize("paytable", list(catalog.paytables("fire_bet")))
def test_the_highest_level_is_paid_and_no_other(paytable: str) -> None:
    table, chances = catalog.paytable("fire_bet", paytable), by_points(frozenset())
    expected = Fraction(0)
    for points, chance in chances.items():
        paid = [table.pay(EVENTS[level]) for level in range(1, points + 1) if EVENTS[level] in table.pays]
        expected += chance * (paid[-1] if paid else -1)
    assert evaluate(Rules(), table).ev_exact == expected


def test_for_1_is_a_unit_less_than_to_1() -> None:
    to_1, for_1 = (request.evaluate("fire_bet", paytable=name) for name in ("pays_25_250_1000", "pays_24_249_999"))
    assert to_1.ev_exact is not None
    assert for_1.ev_exact is not None
    assert float(to_1.ev_exact - for_1.ev_exact) == pytest.approx(for_1.hit_frequency)


def test_a_level_that_is_not_paid_is_paid_as_the_one_below() -> None:
    table = PayTable("gap", {"two_points": Fraction(3), "five_points": Fraction(50)})
    pays = {event.event: event.pays for event in evaluate(Rules(), table).events}
    assert [pays[event] for event in EVENTS] == [-1, -1, 3, 3, 3, 50, 50]


# --- The length of a shooter's hand -------------------------------------------------------------------------


def hand() -> Chain[str | int]:
    """A shooter's hand up to the seven-out, whatever points were made."""
    moves: dict[str | int, dict[str | int, Fraction]] = {}
    start: dict[str | int, Fraction] = {point: CHANCE[point] for point in POINTS}
    moves["come-out"] = {**start, "come-out": Fraction(12, 36)}
    for point in POINTS:
        made = CHANCE[point]
        moves[point] = {"come-out": made, "seven-out": Fraction(6, 36), point: 1 - made - Fraction(6, 36)}
    return Chain(moves)


def test_the_length_of_the_shooters_hand() -> None:
    """Ethier and Hoppe, "A world record in Atlantic City and the length of the shooter's hand at craps" (2010).

    A hand takes 1671/196 rolls on average; one of 154 rolls or more comes once in 5,590,264,072.
    """
    walk = hand()
    assert walk.expected_steps("come-out") == Fraction(1671, 196)
    assert round(1 / walk.steps(153, "come-out").tail) == 5_590_264_072


def test_the_fire_bet_ends_a_little_sooner_than_the_hand() -> None:
    details = evaluate(Rules(), TABLE).details
    assert 0 < 1671 / 196 - details["expected_rolls"] < 0.01
    ended = sum(row["ended"] for row in details["rolls"])
    assert ended + details["more_rolls"] == pytest.approx(1, abs=1e-13)
    exact = hand().steps(2, "come-out").chances  # nobody makes six points in two rolls
    assert [row["ended"] for row in details["rolls"][:2]] == [float(chance) for chance in exact[1:]]


# --- Simulation ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("made", ["", "4 6 10"])
def test_simulation(made: str) -> None:
    rules, rounds = Rules(made=made), 400_000
    priced, played = evaluate(rules, TABLE), simulate(rules, TABLE, rounds, 11)
    assert abs(played.agreement(priced)) < 4
    for event in priced.events:
        assert abs(played.event_agreement(event.event, event.probability)) < 4
    for row in priced.details["rolls"][1:40]:
        error = (row["ended"] * (1 - row["ended"]) / rounds) ** 0.5
        assert abs(played.counts.get(f"{row['rolls']}_rolls", 0) / rounds - row["ended"]) < 4 * error


# --- What is wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("made", "told"),
    [
        ("7", "'7' is not one of 4, 5, 6, 8, 9, 10"),
        ("4 4", "4 is named twice"),
        ("4 5 6 8 9 10", "the bet has been won"),
    ],
)
def test_points_that_make_no_sense_are_refused(made: str, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        check(Rules(made=made), TABLE)


def test_tables_that_make_no_sense_are_refused() -> None:
    with pytest.raises(RequestError, match="did you mean 'six_points'"):
        check(Rules(), PayTable("wrong", {"six_point": Fraction(999)}))
    with pytest.raises(RequestError, match="pays nothing; expected some of one_point"):
        check(Rules(), PayTable("empty", {}))
    with pytest.raises(RequestError, match="expected odds"):
        request.evaluate("fire_bet", pay={"six_points": "$1000"})
