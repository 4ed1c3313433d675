"""Roulette against counting pockets, against every sequence of spins, and against the wheel."""

from fractions import Fraction

import pytest

from casinomath import catalog, request
from casinomath.errors import RequestError
from casinomath.games.roulette import BETS, EVEN_MONEY, ZEROS, Rules, check, evaluate, simulate
from casinomath.paytable import PayTable

TABLE = catalog.paytable("roulette", "usual")
SECOND = ("loses", "half_loses", "stays", "doubly_imprisoned", "released")


def exact(bet: str, **rules: object) -> Fraction:
    ev = evaluate(Rules(**rules), TABLE, bet=bet).ev_exact  # type: ignore[arg-type]
    assert ev is not None
    return ev


@pytest.mark.parametrize(("wheel", "edge"), [("single_zero", "1/37"), ("double_zero", "1/19"), ("triple_zero", "1/13")])
def test_every_bet_of_a_wheel_costs_the_same(wheel: str, edge: str) -> None:
    """Packel, "The Mathematics of Games and Gambling", chapter 2; all but the five-number bet."""
    for bet in BETS:
        if (wheel, bet) != ("double_zero", "top_line"):
            assert exact(bet, wheel=wheel) == -Fraction(edge)


def test_the_five_number_bet_is_the_worst() -> None:
    assert exact("top_line") == Fraction(5 * 7, 38) - 1 == Fraction(-3, 38)


@pytest.mark.parametrize("wheel", list(ZEROS))
def test_la_partage_halves_the_edge_of_bets_at_even_money(wheel: str) -> None:
    for bet in BETS:
        part = Fraction(1, 2) if bet in EVEN_MONEY else 1
        assert exact(bet, wheel=wheel, on_zero="la_partage") == part * exact(bet, wheel=wheel)


@pytest.mark.parametrize(
    ("second", "ev"),
    [
        ("loses", Fraction(-19, 1369)),  # 1/37 × 19/37
        ("half_loses", Fraction(-1, 74)),
        ("stays", Fraction(-1, 74)),
        ("released", Fraction(-18, 1369)),
    ],
)
def test_en_prison_on_one_zero(second: str, ev: Fraction) -> None:
    assert exact("red", wheel="single_zero", on_zero="en_prison", second_zero=second) == ev


def spins(wheel: str, second: str, most: int) -> tuple[float, float, float]:
    """Mean, mean square and spins of a bet at even money en prison, spin after spin in every way."""
    pockets = 36 + ZEROS[wheel]
    chances = {"w": 18 / pockets, "l": 18 / pockets, "z": ZEROS[wheel] / pockets}
    mean = square = length = 0.0
    walks = [(0, 1.0)]  # zeros to make good, chance
    for spin in range(most):
        ahead = []
        for prison, p in walks:
            for fell, chance in chances.items():
                q = p * chance
                net: float | None = None
                after = prison
                if prison == 0:
                    net, after = {"w": (1.0, 0), "l": (-1.0, 0), "z": (None, 1)}[fell]
                elif fell == "w":
                    after = prison - 1
                    net = 0.0 if after == 0 else None
                elif fell == "l" or prison == 2:
                    net = -1.0
                else:
                    net = {"loses": -1.0, "half_loses": -0.5, "released": 0.0}.get(second)
                    after = 2 if second == "doubly_imprisoned" else 1
                length += q
                if net is None:
                    ahead.append((after, q))
                else:
                    mean, square = mean + q * net, square + q * net**2
        walks = [(level, sum(p for at, p in ahead if at == level)) for level in {at for at, _ in ahead}]
        assert spin < most - 1 or sum(p for _, p in walks) < 1e-16
    return mean, square, length


@pytest.mark.parametrize("wheel", list(ZEROS))
@pytest.mark.parametrize("second", SECOND)
def test_en_prison_is_every_sequence_of_spins(wheel: str, second: str) -> None:
    mean, square, length = spins(wheel, second, 40)
    priced = evaluate(Rules(wheel=wheel, on_zero="en_prison", second_zero=second), TABLE, bet="odd")  # type: ignore[arg-type]
    assert priced.ev == pytest.approx(mean, abs=1e-14)
    assert priced.stdev == pytest.approx((square - mean**2) ** 0.5, abs=1e-13)
    assert priced.details["expected_spins"] == pytest.approx(length, abs=1e-13)


@pytest.mark.parametrize("wheel", list(ZEROS))
def test_what_another_zero_does_is_in_order(wheel: str) -> None:
    """As the rule's docstring has it, from worst to best for the player."""
    order = ("loses", "doubly_imprisoned", "half_loses", "stays", "released")
    evs = [exact("low", wheel=wheel, on_zero="en_prison", second_zero=second) for second in order]
    assert evs[0] < evs[1] < evs[2] == evs[3] < evs[4]
    assert evs[2] == exact("low", wheel=wheel, on_zero="la_partage")


@pytest.mark.parametrize("rules", list(catalog.rule_sets("roulette")))
@pytest.mark.parametrize("bet", BETS)
def test_simulation(rules: str, bet: str) -> None:
    asked = request.resolve(f"roulette:{bet}", rules)
    priced, played = asked.evaluate(), asked.simulate(200_000, 8)
    assert abs(played.agreement(priced)) < 4
    assert set(played.events) == {event.event for event in priced.events}
    assert played.counts["spins"] / played.rounds == pytest.approx(priced.details["expected_spins"], rel=0.01)


@pytest.mark.parametrize("second", SECOND)
def test_simulated_prisons(second: str) -> None:
    rules = Rules(wheel="triple_zero", on_zero="en_prison", second_zero=second)  # type: ignore[arg-type]
    priced, played = evaluate(rules, TABLE, bet="black"), simulate(rules, TABLE, 1_000_000, 9, bet="black")
    assert abs(played.agreement(priced)) < 4
    for event in priced.events:
        assert abs(played.event_agreement(event.event, event.probability)) < 4


def test_what_is_refused() -> None:
    with pytest.raises(RequestError, match='wheel is "no_zero"; expected one of single_zero, double_zero, triple_zero'):
        request.evaluate("roulette", change={"wheel": "no_zero"})
    with pytest.raises(RequestError, match="unknown wheel 'two'"):
        check(Rules(wheel="two"), TABLE)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="did you mean 'en_prison'"):
        check(Rules(on_zero="prison"), TABLE)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="unknown second_zero 'wins'"):
        check(Rules(second_zero="wins"), TABLE)  # type: ignore[arg-type]
    with pytest.raises(RequestError, match="unknown bet of roulette: 'basket'"):
        evaluate(Rules(), TABLE, bet="basket")
    with pytest.raises(RequestError, match="lacks split"):
        check(Rules(), PayTable("short", {"straight": Fraction(35)}))
