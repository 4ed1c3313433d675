"""Craps against every sequence of rolls, textbook fractions, and what must hold of any pay table."""

from collections import defaultdict
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath import catalog, display, request, wording
from casinomath.errors import RequestError
from casinomath.games.craps import BETS, EVENTS, LINE, NUMBERS, Rules, check, evaluate, odds_of, simulate
from casinomath.paytable import PayTable

TABLE = catalog.paytable("craps", "field_double")
DICE = list(product(range(1, 7), repeat=2))
POINTS = (4, 5, 6, 8, 9, 10)


def exact(bet: str, **rules: object) -> Fraction:
    priced = evaluate(Rules(**rules), TABLE, bet=bet)  # type: ignore[arg-type]
    assert priced.ev_exact is not None
    return priced.ev_exact


# --- Textbook fractions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("bet", "rules", "fraction"),
    [
        # Ethier, "The Doctrine of Chances" (2010), chapter 15: 244/495 of the bets on the pass line win
        ("pass", {}, Fraction(2 * 244, 495) - 1),
        ("pass", {}, Fraction(-7, 495)),
        ("come", {}, Fraction(-7, 495)),
        # 976 won, 949 lost to 27 more, 55 pushed of 1,980: per bet made 27/1980, per bet resolved 27/1925
        ("dont_pass", {}, Fraction(-27, 1980)),
        ("dont_come", {}, Fraction(-3, 220)),
        ("dont_pass", {"dont_bars": 2}, Fraction(-27, 1980)),
        # barring ace-deuce moves another 55 of 1,980 wins to the pushes
        ("dont_pass", {"dont_bars": 3}, Fraction(-27 - 55, 1980)),
        ("pass", {"odds": "100x"}, Fraction(-7, 495)),
    ],
)
def test_textbook(bet: str, rules: dict[str, object], fraction: Fraction) -> None:
    assert exact(bet, **rules) == fraction


def test_a_bet_that_pushes_has_another_edge_when_it_is_resolved() -> None:
    details = evaluate(Rules(), TABLE, bet="dont_pass").details
    assert details["house_edge_per_bet_resolved_exact"] == "27/1925"
    assert details["house_edge_per_bet_resolved"] == 27 / 1925


def test_a_line_bet_takes_557_165ths_of_a_roll() -> None:
    """Ethier, chapter 15; Epstein, "The Theory of Gambling and Statistical Logic": 3.376 rolls a decision."""
    for bet in LINE:
        assert evaluate(Rules(), TABLE, bet=bet).details["expected_rolls_exact"] == "557/165"


def test_all_1980_line_bets_are_counted() -> None:
    ended = {event.event: event.combinations for event in evaluate(Rules(), TABLE).events}
    assert ended["natural"] == 440
    assert ended["craps"] == 220
    assert [ended[f"number_{point}_made"] for point in POINTS] == [55, 88, 125, 125, 88, 55]
    assert sum(number for number in ended.values() if number) == 1980


def test_people_are_told_all_three_edges_and_numbers_in_order() -> None:
    asked = request.resolve("craps:dont_pass", change={"odds": "2x"})
    lines = [" ".join(line.split()) for line in display.returns(asked.evaluate(), asked)]
    assert "house edge 1.363636%" in lines
    assert "house edge per bet resolved 1.402597%, exactly 27/1925" in lines
    assert "house edge per roll 0.403950%, exactly 9/2228" in lines
    assert "rolls to decide it 3.375758, exactly 557/165" in lines
    made = [line.split()[0] for line in lines if line.startswith("number_")]
    assert made == [f"number_{number}_made" for number in (6, 8, 5, 9, 4, 10)]  # by what they cost


@pytest.mark.parametrize(
    ("odds", "words"),
    [
        ("0", "no odds"),
        ("0x", "no odds"),
        ("2", "odds 2x"),
        ("2X", "odds 2x"),
        ("3-4-5", "odds 3-4-5x"),
        ("10x", "odds 10x"),
    ],
)
def test_odds_that_come_to_the_same_read_the_same(odds: str, words: str) -> None:
    assert wording.rules_in_words(Rules(odds=odds)).split(" · ")[0] == words


# --- Odds ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("odds", "multiples"), [("0", 0), ("1", 1), ("2x", 2), ("2.5X", Fraction(5, 2)), (" 10 ", 10)])
def test_one_multiple_holds_on_every_point(odds: str, multiples: Fraction) -> None:
    assert set(odds_of(Rules(odds=odds)).values()) == {multiples}


def test_three_multiples_are_by_point() -> None:
    assert odds_of(Rules(odds="3-4-5x")) == {4: 3, 10: 3, 5: 4, 9: 4, 6: 5, 8: 5}


@pytest.mark.parametrize("odds", ["", "x", "-1", "2-3", "3-4-5-6", "two", "1e3", "10001", "nan", "3 4 5"])
def test_odds_that_make_no_sense_are_refused(odds: str) -> None:
    with pytest.raises(RequestError, match="expected flat bets up to 10,000, such as 0, 2 or 10x"):
        check(Rules(odds=odds), TABLE)


@pytest.mark.parametrize("bet", LINE)
@pytest.mark.parametrize("odds", ["1x", "3-4-5x", "20"])
def test_odds_are_fair_and_lower_the_element_of_risk(bet: str, odds: str) -> None:
    flat, behind = (evaluate(Rules(odds=each), TABLE, bet=bet) for each in ("0", odds))
    assert behind.ev_exact == flat.ev_exact
    assert behind.average_wager > flat.average_wager == 1
    assert behind.element_of_risk < flat.element_of_risk
    assert behind.stdev is not None
    assert flat.stdev is not None
    assert behind.stdev > flat.stdev


def test_the_dont_player_lays_six_flat_bets_whatever_the_point_at_3_4_5x() -> None:
    behind = evaluate(Rules(odds="3-4-5x"), TABLE, bet="dont_pass")
    assert {float(event.pays) for event in behind.events if event.event.startswith("number") and event.pays} == {-7}
    assert behind.average_wager == 1 + 6 * 24 / 36


def come_by_hand(odds: int, *, works: bool) -> tuple[float, float, float]:
    """Mean and mean square of a come bet's result, and what is wagered, from a table followed roll after roll."""
    chance: defaultdict[tuple[int, int], float] = defaultdict(float)
    for point in POINTS:
        chance[0, point] = (6 - abs(7 - point)) / 24
    mean = square = wagered = 0.0
    pays = {4: 2, 5: 1.5, 6: 1.2, 8: 1.2, 9: 1.5, 10: 2}
    while sum(chance.values()) > 1e-15:
        ahead: defaultdict[tuple[int, int], float] = defaultdict(float)
        for (mine, point), weight in chance.items():
            for first, second in DICE:
                total, p = first + second, weight / 36
                net: float | None = None
                behind = odds if mine and (works or point) else 0
                if mine == 0 and total in (2, 3, 7, 11, 12):
                    net = 1.0 if total in (7, 11) else -1.0
                elif mine and total == 7:
                    net = -1.0 - behind
                elif mine and total == mine:
                    net = 1.0 + behind * pays[mine]
                if net is not None:
                    mean, square = mean + p * net, square + p * net**2
                    wagered += p * (1 + odds * (mine > 0))
                    continue
                now = 0 if total == point else total if point == 0 and total in POINTS else point
                ahead[mine or total, now] += p
        chance = ahead
    return mean, square, wagered


@pytest.mark.parametrize("works", [True, False])
def test_a_come_bet_follows_the_table(works: bool) -> None:
    mean, square, wagered = come_by_hand(5, works=works)
    priced = evaluate(Rules(odds="5", come_odds_work=works), TABLE, bet="come")
    assert priced.ev == pytest.approx(mean, abs=1e-12)
    assert priced.stdev == pytest.approx((square - mean**2) ** 0.5, abs=1e-10)
    assert priced.average_wager == pytest.approx(wagered, abs=1e-12)


# --- Other bets, roll by roll -------------------------------------------------------------------------------


@pytest.mark.parametrize("number", POINTS)
def test_bets_on_a_number_are_its_rolls_against_the_sevens(number: int) -> None:
    ways = sum(first + second == number for first, second in DICE)
    win = Fraction(ways, ways + 6)
    pays = {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)}[min(number, 14 - number)]
    assert exact(f"place_{number}") == win * pays - (1 - win)
    fair = (1 - win) / win
    assert exact(f"odds_{number}") == exact(f"lay_odds_{number}") == 0
    # twenty chips and a fee of one, as it is put down
    assert exact(f"buy_{number}") == (win * (20 * fair - 1) - (1 - win) * 21) / 21
    assert exact(f"buy_{number}", fee="on_win") == (win * (20 * fair - 1) - (1 - win) * 20) / 20
    laid = 20 * fair  # to win twenty
    assert exact(f"lay_{number}") == ((1 - win) * 19 - win * (laid + 1)) / (laid + 1)
    assert exact(f"lay_{number}", fee="on_win") == ((1 - win) * 19 - win * laid) / laid
    assert exact(f"buy_{number}", fee_percent=0.0) == exact(f"lay_{number}", fee_percent=0.0) == 0
    for bet in (f"place_{number}", f"buy_{number}", f"place_to_lose_{number}"):
        assert evaluate(Rules(), TABLE, bet=bet).details["expected_rolls"] == float(Fraction(36, ways + 6))


@pytest.mark.parametrize(("number", "easy", "pays"), [(4, 2, 7), (6, 4, 9), (8, 4, 9), (10, 2, 7)])
def test_hardways_are_one_roll_against_the_easy_ways_and_the_sevens(number: int, easy: int, pays: int) -> None:
    assert exact(f"hard_{number}") == Fraction(pays - easy - 6, easy + 7)


CHIPS = {
    "field": {"field": (3, 4, 9, 10, 11), "field_2": (2,), "field_12": (12,)},
    "any_seven": {"any_seven": (7,)},
    "any_craps": {"any_craps": (2, 3, 12)},
    "two": {"two": (2,)},
    "three": {"three": (3,)},
    "eleven": {"eleven": (11,)},
    "twelve": {"twelve": (12,)},
    "horn": {"two": (2,), "three": (3,), "eleven": (11,), "twelve": (12,)},
    "world": {"two": (2,), "three": (3,), "eleven": (11,), "twelve": (12,), "any_seven": (7,)},
    "c_and_e": {"any_craps": (2, 3, 12), "eleven": (11,)},
}


@pytest.mark.parametrize("bet", CHIPS)
@pytest.mark.parametrize("paytable", list(catalog.paytables("craps")))
def test_one_roll_bets_are_chips_on_totals(bet: str, paytable: str) -> None:
    table = catalog.paytable("craps", paytable)
    lines = CHIPS[bet]
    chips = 1 if bet == "field" else len(lines)
    won = sum(
        table.pay(line) + 1 for first, second in DICE for line, totals in lines.items() if first + second in totals
    )
    priced = evaluate(Rules(), table, bet=bet)
    assert priced.ev_exact == Fraction(won) / (36 * chips) - 1
    assert priced.details["expected_rolls"] == 1


def test_a_world_bet_is_decided_by_a_seven() -> None:
    """Its five chips come to nothing then: one of them won and four were lost."""
    details = evaluate(Rules(), TABLE, bet="world").details
    assert details["house_edge_per_bet_resolved_exact"] == "2/15"


def test_a_push_in_the_field_is_a_push() -> None:
    returns = request.evaluate("craps:field", pay={"field_2": "push"})
    assert returns.details["house_edge_per_bet_resolved_exact"] == str(-returns.ev_exact * Fraction(36, 35))  # type: ignore[operator]


# --- Anything at all ----------------------------------------------------------------------------------------

PAYS = st.fractions(0, 40, max_denominator=12)


@given(
    bet=st.sampled_from(BETS),
    odds=st.sampled_from(["0", "1", "3-4-5x", "0-1-2"]),
    bars=st.sampled_from([2, 3, 12]),
    pays=st.lists(PAYS, min_size=len(EVENTS), max_size=len(EVENTS)),
    fee=st.sampled_from([0.0, 1.0, 4.76, 5.0]),
)
@settings(max_examples=120, deadline=None)
def test_whatever_the_table_pays(bet: str, odds: str, bars: int, pays: list[Fraction], fee: float) -> None:
    rules = Rules(odds=odds, dont_bars=bars, fee_percent=fee)
    table = PayTable("any", dict(zip(EVENTS, pays, strict=True)))
    priced = evaluate(rules, table, bet=bet)
    assert priced.ev_exact is not None
    assert sum(event.probability for event in priced.events) == pytest.approx(1)
    assert priced.details["expected_rolls"] >= 1
    better = PayTable("better", {event: pay + 1 for event, pay in table.pays.items() if isinstance(pay, Fraction)})
    raised = evaluate(rules, better, bet=bet).ev_exact
    assert raised is not None
    assert raised > priced.ev_exact


@pytest.mark.parametrize("bet", NUMBERS)
def test_numbers_opposite_each_other_are_worth_the_same(bet: str) -> None:
    kind, number = NUMBERS[bet]
    assert exact(bet) == exact(f"{kind}_{14 - number}")


# --- Simulation ---------------------------------------------------------------------------------------------

ROUNDS = 150_000


@pytest.mark.parametrize("bet", BETS)
@pytest.mark.parametrize("rules", [Rules(), Rules(odds="3-4-5x", dont_bars=3, fee="on_win", come_odds_work=True)])
def test_simulation(bet: str, rules: Rules) -> None:
    priced, played = evaluate(rules, TABLE, bet=bet), simulate(rules, TABLE, ROUNDS, 2, bet=bet)
    assert abs(played.agreement(priced)) < 4
    for event in priced.events:
        assert abs(played.event_agreement(event.event, event.probability)) < 4
    assert set(played.events) == {event.event for event in priced.events}
    assert played.average_wager == pytest.approx(priced.average_wager, rel=0.01)
    assert played.counts["rolls"] / ROUNDS == pytest.approx(priced.details["expected_rolls"], rel=0.01)


def test_come_odds_that_are_off_are_simulated() -> None:
    rules = Rules(odds="10")
    priced, played = evaluate(rules, TABLE, bet="come"), simulate(rules, TABLE, ROUNDS, 7, bet="come")
    assert set(played.events) == {event.event for event in priced.events}
    assert sum(event.event.endswith("_odds_off") for event in priced.events) == 12
    assert played.stdev == pytest.approx(priced.stdev, rel=0.01)


# --- What is wrong ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rules", "told"),
    [
        ({"dont_bars": 7}, "dont_bars is 7; expected 2, 3 or 12"),
        ({"fee_percent": -1.0}, "fee_percent is -1.0; expected a number from 0 to below 100"),
        ({"fee_percent": float("nan")}, "fee_percent is nan"),
    ],
)
def test_rules_that_make_no_sense_are_refused(rules: dict[str, object], told: str) -> None:
    with pytest.raises(RequestError, match=told):
        evaluate(Rules(**rules), TABLE)  # type: ignore[arg-type]


def test_tables_and_bets_that_make_no_sense_are_refused() -> None:
    with pytest.raises(RequestError, match="unknown bet of craps: 'pas'"):
        evaluate(Rules(), TABLE, bet="pas")
    with pytest.raises(RequestError, match="pay table short lacks dont_pass"):
        evaluate(Rules(), PayTable("short", {"pass": Fraction(1)}))
    with pytest.raises(RequestError, match="did you mean 'field_2'"):
        request.evaluate("craps:field", pay={"field_21": "3:1"})
    with pytest.raises(RequestError, match="pass pays 10% of meter; expected odds"):
        request.evaluate("craps", pay={"pass": "10% of meter"})
