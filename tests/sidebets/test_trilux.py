"""TriLux and 21+3 against every hand of real cards; published combinations are tests by themselves."""

from collections import Counter
from fractions import Fraction
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog, request, sensitivity
from casinomath.errors import RequestError
from casinomath.paytable import Dollars, MeterShare, PayTable
from casinomath.sidebets import trilux

RUNS = [set(run) for run in ("A23", "234", "345", "456", "567", "678", "789", "89T", "9TJ", "TJQ", "JQK", "QKA")]


def fitting(hand: tuple[str, ...]) -> set[str]:
    """The lines that three cards such as "Qs" fit, each by its definition."""
    ranks, suits = [card[0] for card in hand], {card[1] for card in hand}
    lines = {
        "flush": len(suits) == 1,
        "straight": set(ranks) in RUNS,
        "three_of_a_kind": len(set(ranks)) == 1,
        "pair": len(set(ranks)) == 2,
    }
    lines["straight_flush"] = lines["flush"] and lines["straight"]
    lines["mini_royal"] = lines["flush"] and set(ranks) == set("AKQ")
    lines["suited_three_of_a_kind"] = lines["flush"] and lines["three_of_a_kind"]
    lines["three_suited_aces"] = lines["suited_three_of_a_kind"] and ranks[0] == "A"
    return {line for line, fits in lines.items() if fits}


def hands(decks: int, ranks: str) -> Counter[frozenset[str]]:
    shoe = [rank + suit for rank in ranks for suit in "shdc" for _ in range(decks)]
    return Counter(frozenset(fitting(hand)) for hand in combinations(shoe, 3))


@pytest.mark.parametrize(("decks", "ranks"), [(1, "A23456789TJQK"), (3, "A2K"), (2, "AQK7")])
def test_every_hand_of_real_cards(decks: int, ranks: str) -> None:
    counts = [4 * decks if rank in ranks else 0 for rank in "A23456789TJQK"]
    found = hands(decks, ranks)
    returns = request.evaluate("trilux", change={"decks": decks}, shoe=counts)
    by_lines: Counter[frozenset[str]] = Counter()
    for event in returns.events:
        by_lines[frozenset(trilux.HANDS[event.event])] += event.combinations or 0
    assert by_lines == found


@pytest.mark.parametrize("paytable", list(catalog.paytables("trilux")))
def test_every_pay_table_pays_the_first_line_that_a_hand_fits(paytable: str) -> None:
    decks, meter, pays = 3, 1000, catalog.paytable("trilux", paytable)
    total, number = Fraction(0), 0
    for lines, count in hands(decks, "AQK").items():
        line = next((line for line in pays.pays if line in lines), None)
        pay = pays.pays[line] if line else Fraction(-1)
        if isinstance(pay, MeterShare):
            pay = pay.share * meter / 5 - 1
        net = pay.amount / 5 - 1 if isinstance(pay, Dollars) else pay
        total, number = total + net * count, number + count
    shares = any(isinstance(pay, MeterShare) for pay in pays.pays.values())
    shoe = [12, *[0] * 10, 12, 12]
    returns = request.evaluate(
        "trilux", paytable=pays, change={"decks": decks}, shoe=shoe, meter=meter if shares else None
    )
    assert returns.ev_exact == total / number


@pytest.mark.parametrize("rules", list(catalog.rule_sets("trilux")))
def test_simulated_rounds_agree(rules: str) -> None:
    meter = 50_000.0 if rules == "progressive" else None
    asked = request.resolve("trilux", rules, meter=meter)
    returns, sample = asked.evaluate(), asked.simulate(300_000, 3)
    assert abs(sample.agreement(returns)) < 4
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 4


def test_plain_21_plus_3_by_decks() -> None:
    """More decks favour the player. Source of six decks: Wizard of Odds and Eliot Jacobson, 3.2386%."""
    edges = [request.evaluate("trilux", "twenty_one_plus_three", change={"decks": d}).house_edge for d in range(1, 9)]
    assert edges == sorted(edges, reverse=True)
    assert round(edges[5], 6) == 0.032386


@given(decks=st.integers(1, 16))
@settings(max_examples=8, deadline=None)
def test_hands_of_fresh_shoes_in_closed_form(decks: int) -> None:
    """Source: the counting of Wizard of Odds' 21+3 page, with the decks left open."""
    number = {
        event.event: event.combinations or 0 for event in request.evaluate("trilux", change={"decks": decks}).events
    }
    d = decks
    assert number["straight"] == 12 * ((4 * d) ** 3 - 4 * d**3)
    assert number["straight_flush"] + number["mini_royal"] == 12 * 4 * d**3
    assert number["flush"] == (286 - 12) * 4 * d**3
    assert number.get("flush_with_pair", 0) == 13 * 12 * 4 * (d * (d - 1) // 2) * d
    assert number.get("three_suited_aces", 0) == 4 * (d * (d - 1) * (d - 2) // 6)


# --- The progressive ------------------------------------------------------------------------------------------


def test_the_progressive_is_fair_at_its_breakeven_meter() -> None:
    details = request.evaluate("trilux", "progressive").details
    fair = Fraction(details["breakeven_meter_exact"])
    assert (
        trilux.evaluate(trilux.Rules(), catalog.paytable("trilux", "progressive_illustrative"), meter=fair).ev_exact
        == 0
    )
    richer = request.evaluate("trilux", "progressive", meter=float(fair) + 1)
    assert richer.ev == pytest.approx(details["ev_per_meter_dollar"])


def test_two_decks_can_never_win_the_meter() -> None:
    details = request.evaluate("trilux", "progressive", change={"decks": 2}).details
    assert details["ev_per_meter_dollar"] == 0
    assert details["breakeven_meter"] is None


def test_a_users_own_table(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text(
        '[paytables.mine]\nsource = "my casino"\npays.mini_royal = "100% of major"\npays.pair = "push"\n'
        'pays.three_of_a_kind = "31 for 1"\n'
    )
    returns = request.evaluate("trilux", paytable=mine, meter=8880.0)
    pays = {event.event: event.pays for event in returns.events}
    assert (pays["mini_royal"], pays["pair"], pays["flush_with_pair"], pays["three_of_a_kind"]) == (1775, 0, 0, 30)
    assert pays["flush"] == pays["nothing"] == -1


def test_a_card_removed_at_random_changes_nothing() -> None:
    effects = sensitivity.removal_effects("trilux", paytable="bonus_2")
    assert effects.mean_ev_exact == effects.ev_exact
    by_value = sensitivity.removal_effects("trilux", paytable="bonus_2", shoe=[*[24] * 9, 96])
    assert by_value.mean_ev_exact == by_value.ev_exact == effects.ev_exact


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"paytable": PayTable("own", {})}, "pay table own pays nothing; expected some of three_suited_aces"),
        ({"paytable": PayTable("own", {"full_house": Fraction(3)})}, "unknown event of pay table own: 'full_house'"),
        (
            {"paytable": PayTable("own", {"flush": MeterShare(Fraction(1), "major"), "pair": MeterShare(Fraction(1))})},
            "pay table own pays shares of major and meter; expected one meter",
        ),
        ({"meter": 5.0}, "pay table bonus_1 pays no share of a meter; expected no meter"),
        ({"rules": "progressive", "meter": float("nan")}, "meter is nan"),
        ({"change": {"bet": 0.0}}, "bet is 0.0; expected dollars from 0.01 to 1,000,000,000,000"),
        ({"shoe": [2, *[0] * 12]}, "the shoe holds 2 cards; the deal takes 3"),
    ],
)
def test_wrong_requests(given: dict[str, object], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        request.evaluate("trilux", **given)  # type: ignore[arg-type]
