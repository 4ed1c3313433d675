"""Pays as printed, and pay tables: exact, complete, and nothing in them that makes no sense."""

import pickle
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from casinomath.catalog import parse_pay
from casinomath.errors import RequestError
from casinomath.paytable import Dollars, MeterShare, Pay, PayTable

BONUS = PayTable("bonus", {"five_card_21": Fraction(3, 2), "six_card_21": Fraction(2)}, "felt")


@pytest.mark.parametrize(
    ("printed", "pay"),
    [
        ("3:2", Fraction(3, 2)),
        ("3 to 2", Fraction(3, 2)),
        ("3/2", Fraction(3, 2)),
        ("6 To 5", Fraction(6, 5)),
        ("12", Fraction(12)),
        (12, Fraction(12)),
        (1.5, Fraction(3, 2)),
        ("1,000 to 1", Fraction(1000)),
        ("300 for 1", Fraction(299)),
        ("3 for 2", Fraction(1, 2)),
        ("1 for 1", Fraction(0)),
        ("push", Fraction(0)),
        ("10% of meter", MeterShare(Fraction(1, 10))),
        ("100% of the meter", MeterShare(Fraction(1))),
        ("$30", Dollars(Fraction(30))),
        ("$1,000", Dollars(Fraction(1000))),
        ("$2.50", Dollars(Fraction(5, 2))),
    ],
)
def test_pays_are_read_as_documents_print_them(printed: str | float, pay: Pay) -> None:
    assert parse_pay(printed) == pay


@pytest.mark.parametrize(
    "printed",
    ["", "x", "-3:2", "-1", "3:0", "3:2:1", "1 for 2", "1 for 0", "101% of meter", "10%", "$", "-$5", "nan",
     float("inf"), float("nan"), -2, True, "3 to", "to 1", "3 2", "1e3"],
)  # fmt: skip
def test_nonsense_pays_are_refused(printed: str | float) -> None:
    with pytest.raises(RequestError, match=r'^pays .*; expected odds such as "3:2"'):
        parse_pay(printed)


@given(st.integers(0, 10_000), st.integers(1, 100))
def test_for_is_to_with_the_stake_taken_back(net: int, stake: int) -> None:
    odds = parse_pay(f"{net}:{stake}")
    assert odds == Fraction(net, stake)
    assert parse_pay(f"{net + stake} for {stake}") == odds


@pytest.mark.parametrize("pay", [MeterShare(Fraction(1, 10)), Dollars(Fraction(5000)), Dollars(Fraction(5, 2))])
def test_shares_and_dollars_print_as_they_are_read(pay: Pay) -> None:
    assert parse_pay(str(pay)) == pay


def test_a_pay_table_tells_what_an_event_pays() -> None:
    assert BONUS.pay("five_card_21") == Fraction(3, 2)
    with pytest.raises(RequestError, match=r"bonus: 'five_card_2'.*did you mean 'five_card_21'"):
        BONUS.pay("five_card_2")


def test_dollars_are_no_odds() -> None:
    envy = PayTable("envy", {"envy": Dollars(Fraction(50))})
    with pytest.raises(RequestError, match=r"envy pays \$50; expected odds"):
        envy.pay("envy")


def test_a_line_can_be_changed_and_only_a_line_that_is_there() -> None:
    varied = BONUS.with_pays({"six_card_21": Fraction(5, 2)})
    assert varied.pay("six_card_21") == Fraction(5, 2)
    assert varied.pay("five_card_21") == BONUS.pay("five_card_21")
    assert (varied.name, varied.source) == (BONUS.name, BONUS.source)
    assert BONUS.pay("six_card_21") == 2
    with pytest.raises(RequestError, match=r"did you mean 'six_card_21'"):
        BONUS.with_pays({"sixcard_21": Fraction(2)})


def test_negative_pays_are_refused() -> None:
    with pytest.raises(RequestError, match=r"bonus: six_card_21 pays -1; expected 0"):
        BONUS.with_pays({"six_card_21": Fraction(-1)})


def test_missing_and_unknown_events_are_named() -> None:
    BONUS.check(["five_card_21", "six_card_21"])
    BONUS.check(["five_card_21"], optional=["six_card_21", "seven_card_21"])
    with pytest.raises(RequestError, match=r"bonus lacks seven_card_21; it has five_card_21, six_card_21"):
        BONUS.check(["five_card_21", "six_card_21", "seven_card_21"])
    with pytest.raises(RequestError, match=r"bonus: 'six_card_21'.*choices: five_card_21"):
        BONUS.check(["five_card_21"])


def test_a_pay_table_is_a_value() -> None:
    again = PayTable("bonus", dict(BONUS.pays), "felt")
    assert again == BONUS
    assert hash(again) == hash(BONUS)
    assert pickle.loads(pickle.dumps(BONUS)) == BONUS
    with pytest.raises(TypeError):
        BONUS.pays["six_card_21"] = Fraction(100)  # type: ignore[index]


def test_dollars_and_shares_are_printed_to_the_cent() -> None:
    """Many digits are not rounded to six: names and checkpoints tell pays apart by what is printed."""
    assert str(Dollars(Fraction("39931.19"))) == "$39,931.19"
    assert str(MeterShare(Fraction("0.1234567"))) == "12.34567% of meter"


@pytest.mark.parametrize("printed", ["100% of major", "100% Major", "100% of the major"])
def test_a_table_with_several_meters_names_them(printed: str) -> None:
    pay = parse_pay(printed)
    assert pay == MeterShare(Fraction(1), "major")
    assert parse_pay(str(pay)) == pay
