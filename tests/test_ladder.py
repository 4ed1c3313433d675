"""From one game to another: both ends are the games themselves, and what lies between does not depend on who asks."""

import dataclasses
import math
from collections import Counter
from itertools import pairwise

import pytest

from casinomath.errors import RequestError
from casinomath.kernels.twentyone import Table
from casinomath.ladder import PARTS, ladder
from casinomath.request import resolve
from casinomath.twentyone import Problem


def test_it_leads_from_blackjack_to_spanish_21() -> None:
    start = resolve("blackjack", change={"decks": 2, "late_surrender": False})
    target = resolve("spanish21", "h17_redouble_two_deck", change={"super_bonus": True})
    rungs = ladder(start, target).table
    assert list(rungs["part"][1:]) == [name for name in PARTS if name in set(rungs["part"])]
    assert rungs["house_edge"].iloc[0] == pytest.approx(start.evaluate().house_edge, abs=1e-15)
    assert rungs["house_edge"].iloc[-1] == pytest.approx(target.evaluate().house_edge, abs=1e-15)
    assert all(
        change == pytest.approx(after - before, abs=1e-15)
        for change, (before, after) in zip(
            rungs["change_in_house_edge"][1:], pairwise(rungs["house_edge"]), strict=True
        )
    )
    gains = rungs.set_index("part")["change_in_house_edge"]
    assert gains["cards of the packs"] > 0
    # each of these only adds to what the player may do or is paid, so best play can't be worth less
    favours = {"21 wins at once", "bonus 21s", "surrender", "hands that may double", "aces resplit", "redoubling"}
    assert (gains[[*favours, "split aces drawn to", "rescue", "Super Bonus"]] < 0).all()


def test_a_rung_is_the_game_with_these_rules() -> None:
    start, target = resolve("blackjack"), resolve("blackjack", "s17_six_deck")
    changed = {name: value for name, value in target.rules._asdict().items() if value != start.rules._asdict()[name]}
    rungs = ladder(start, target).table
    assert len(rungs) == 1 + len(changed)
    assert rungs["house_edge"].iloc[1] == pytest.approx(
        resolve("blackjack", change={"dealer_hits_soft_17": False}).evaluate().house_edge, abs=1e-15
    )


def test_the_average_over_all_orders() -> None:
    start = resolve("spanish21", change={"rescue": False, "late_surrender": False})
    target = resolve("spanish21", "s17_six_deck")
    one = ladder(start, target, all_orders=True).table
    other = ladder(start, target, list(one["part"][:0:-1]), all_orders=True).table
    assert list(other["part"][1:]) == list(one["part"][:0:-1])
    averages = [table.set_index("part")["average_change"].iloc[1:] for table in (one, other)]
    assert averages[0].to_dict() == pytest.approx(averages[1].to_dict(), abs=1e-14)
    total = one["house_edge"].iloc[-1] - one["house_edge"].iloc[0]
    assert math.fsum(averages[0]) == pytest.approx(total, abs=1e-14)
    # two parts of three: the mean of what one does before and after each of the others
    assert len(averages[0]) == 3


def test_every_rule_of_the_family_is_in_one_part() -> None:
    fields = Counter(name for part in PARTS.values() for name in part.fields)
    table = Counter(name for part in PARTS.values() for name in part.table)
    # what a hand carries is a matter of the split, and pays are named one by one
    assert fields + Counter(("table", "pays", "carries_free_bet")) == Counter(
        field.name for field in dataclasses.fields(Problem)
    )
    assert table == Counter(Table._fields)


def test_how_rounds_end_on_the_way() -> None:
    steps = ladder(resolve("blackjack", change={"max_hands": 1}), resolve("spanish21", change={"max_hands": 1}))
    whole = steps.endings.groupby("part")[["probability", "return"]].sum()
    assert whole["probability"].to_list() == pytest.approx([1.0] * len(whole))
    edges = steps.table.set_index("part")["house_edge"]
    assert (-whole["return"]).to_dict() == pytest.approx(edges.to_dict())


@pytest.mark.parametrize(
    ("start", "target", "order", "said"),
    [
        (("baccarat",), ("spanish21",), [], "baccarat is no game of the family of 21"),
        (("blackjack",), ("spanish21",), ["resque"], "did you mean 'rescue'"),
        (
            ("blackjack", "no_hole_card_six_deck"),
            ("spanish21",),
            ["21 wins at once"],
            "21 wins at once.*without a peek",
        ),
    ],
)
def test_what_can_not_be_mixed(start: tuple[str, ...], target: tuple[str, ...], order: list[str], said: str) -> None:
    with pytest.raises(RequestError, match=said):
        ladder(resolve(*start), resolve(*target), order)
