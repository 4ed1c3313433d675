"""Sensitivity: rules and cards are priced as published, and as the laws of probability will have it."""

import inspect
from collections.abc import Mapping
from fractions import Fraction
from math import isnan
from typing import Any

import pandas as pd
import pytest

from casinomath import catalog, request, sensitivity
from casinomath.catalog import Published
from casinomath.errors import RequestError
from casinomath.request import evaluate, resolve
from casinomath.sensitivity import (
    RemovalEffects,
    RuleDifferences,
    alternatives,
    removal_effects,
    rule_differences,
)

# --- Rules --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def h17() -> RuleDifferences:
    return rule_differences("spanish21", "h17_six_deck")


@pytest.fixture(scope="module")
def s17() -> RuleDifferences:
    return rule_differences("spanish21", "s17_six_deck")


def row_of(table: pd.DataFrame, rule: str, to: object) -> Any:
    (found,) = [row for _, row in table.iterrows() if (row["rule"], row["to"]) == (rule, to)]
    return found


ONE_CHANGE: list[Published] = [
    row for row in catalog.published("spanish21") if row.measure == "change_in_house_edge" and len(row.set) == 1
]


@pytest.mark.parametrize("row", ONE_CHANGE, ids=lambda row: f"{row.rules}-{row.set}")
def test_changes_are_those_published(row: Published, h17: RuleDifferences, s17: RuleDifferences) -> None:
    assert len(ONE_CHANGE) >= 3
    ((rule, to),) = row.set.items()
    found = {"h17_six_deck": h17, "s17_six_deck": s17}[str(row.rules)]
    assert row.agrees(row_of(found.table, rule, to)["change_in_house_edge"])


def test_a_change_is_a_difference_of_two_evaluations(h17: RuleDifferences) -> None:
    base = evaluate("spanish21", "h17_six_deck").house_edge
    assert h17.house_edge == base
    for rule, to in (("decks", 2), ("dealer_hits_soft_17", False), ("max_doubles", 3)):
        row, returns = row_of(h17.table, rule, to), evaluate("spanish21", "h17_six_deck", change={rule: to})
        assert (row["house_edge"], row["paytable"]) == (returns.house_edge, returns.paytable)
        assert row["change_in_house_edge"] == returns.house_edge - base
    assert h17.pairs is None


def test_a_rule_with_one_double_forfeits_the_same_either_way(h17: RuleDifferences) -> None:
    assert row_of(h17.table, "rescue_forfeits", "original_wager")["change_in_house_edge"] == 0


@pytest.mark.parametrize("rule", ["rescue", "late_surrender", "draw_to_split_aces", "card_count_bonus_after_split"])
def test_an_option_of_the_player_taken_away_costs_something(rule: str, h17: RuleDifferences) -> None:
    assert row_of(h17.table, rule, False)["change_in_house_edge"] > 0


def test_documented_alternatives() -> None:
    found = alternatives(resolve("spanish21", "h17_redouble_six_deck"))
    assert found == {
        "decks": [2, 4, 5, 8],
        "dealer_hits_soft_17": [False],
        "max_doubles": [1],
        "rescue": [False],
        "rescue_forfeits": ["original_wager"],
        "late_surrender": [False],
        "max_hands": [],
        "draw_to_split_aces": [False],
        "card_count_bonus_after_split": [False],
        "super_bonus": [True],
        "bet": [],
        "other_bettors": [],
    }
    assert alternatives(resolve("spanish21"), {"max_hands": ["2", 4, "3"]})["max_hands"] == [2, 3]
    assert alternatives(resolve("insurance"))["pack"] == ["standard"]


@pytest.mark.parametrize("stem", [game.stem for game in request.games()])
def test_every_game_and_bet_has_sensitivities(stem: str) -> None:
    over = {"decks": [4]} if "decks" in resolve(stem).rules._asdict() else None
    rules_vary = any(alternatives(resolve(stem), over).values())
    assert rules_vary or len(catalog.rule_sets(stem)) == 1
    for bet in () if hasattr(request.game(stem), "strategy") else request.game(stem).BETS[:6]:  # which take their time
        found = rule_differences(f"{stem}:{bet}", over=over)
        assert len(found.table) == sum(map(len, alternatives(found.request, over).values()))
        assert found.table["not_offered"].eq("").any() == rules_vary


def test_what_is_not_offered_says_why(s17: RuleDifferences) -> None:
    row = row_of(s17.table, "max_doubles", 3)
    assert "redoubling is only offered where the dealer hits soft 17" in row["not_offered"]
    assert isnan(row["change_in_house_edge"])
    assert row_of(s17.table, "dealer_hits_soft_17", True)["not_offered"] == ""


def test_pairs_are_sums_and_what_lies_beyond(monkeypatch: pytest.MonkeyPatch) -> None:
    some = {"decks": [2, 4], "dealer_hits_soft_17": [True], "max_doubles": [3]}
    monkeypatch.setattr(sensitivity, "alternatives", lambda *_: some)
    found = rule_differences("spanish21", "s17_six_deck", pairs=True)
    assert found.pairs is not None
    kinds = {}
    for _, row in found.pairs.iterrows():
        one, other = (row_of(found.table, row[f"{side}rule"], row[f"{side}to"]) for side in ("", "other_"))
        known = not (one["not_offered"] or other["not_offered"] or row["not_offered"])
        kinds[row["rule"], row["to"], row["other_rule"]] = (bool(row["not_offered"]), known)
        if not row["not_offered"]:
            assert row["change_in_house_edge"] == row["house_edge"] - found.house_edge
        if known:
            apart = one["change_in_house_edge"] + other["change_in_house_edge"]
            assert row["interaction"] == pytest.approx(row["change_in_house_edge"] - apart, abs=1e-15)
        else:
            assert isnan(row["interaction"])
    assert kinds == {
        ("decks", 2, "dealer_hits_soft_17"): (False, True),
        ("decks", 4, "dealer_hits_soft_17"): (False, True),
        ("decks", 2, "max_doubles"): (True, False),
        ("decks", 4, "max_doubles"): (True, False),
        # three doubles are offered once the dealer hits soft 17, but not alone: there is nothing to add up
        ("dealer_hits_soft_17", True, "max_doubles"): (False, False),
    }


def test_the_super_bonus_is_worth_less_than_its_prize_for_it_changes_the_play(h17: RuleDifferences) -> None:
    prize = evaluate("spanish21", change={"super_bonus": True}).events[-1]
    assert prize.event == "super_bonus"
    change = row_of(h17.table, "super_bonus", True)["change_in_house_edge"]
    assert -prize.returned < change < 0


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"rules": "h17"}, "unknown rules of spanish21: 'h17'"),
        ({"change": {"decks": 60}}, "decks is 60; expected 1 to 16"),
        ({"over": {"dekcs": [1]}}, "unknown rule 'dekcs' (did you mean 'decks'?)"),
        ({"over": {"decks": ["six"]}}, 'rule decks is "six"; expected a whole number'),
        ({"meter": 100}, "spanish21 takes no meter"),
        ({"change": {"max_doubles": 3}, "rules": "s17_six_deck"}, "redoubling is only offered"),
    ],
)
def test_what_cannot_be_priced_is_refused(given: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError) as refused:
        rule_differences("spanish21", **given)
    assert told in str(refused.value)


# --- Cards --------------------------------------------------------------------------------------------------


def effects(found: RemovalEffects, column: str = "effect") -> Mapping[str, float]:
    return dict(zip(found.table["card"], found.table[column], strict=True))


REMOVED = [row for row in catalog.published("spanish21") if row.measure == "change_in_ev"]


@pytest.mark.parametrize("strategy", [None, "wizard_s17"])
def test_effects_of_removal_are_those_published(strategy: str | None) -> None:
    assert {row.removed for row in REMOVED} == {"A", *map(str, range(2, 11))}
    assert {row.rules for row in REMOVED} == {"s17_six_deck"}
    found = effects(removal_effects("spanish21", "s17_six_deck", strategy=strategy), "effect_per_deck")
    for row in REMOVED:
        assert row.agrees(found[str(row.removed)]), row.removed


@pytest.mark.parametrize(
    ("strategy", "shoe"),
    [("wizard_h17", None), ("total_dependent", "3,8,4,8,4,8,4,8,4,20")],
    ids=str,
)
def test_a_card_removed_at_random_changes_nothing_for_a_fixed_play(strategy: str, shoe: str | None) -> None:
    found = removal_effects("spanish21", "h17_two_deck", shoe=shoe, strategy=strategy)
    assert found.ev == evaluate("spanish21", "h17_two_deck", shoe=shoe, strategy=strategy).ev
    assert found.mean_ev == pytest.approx(found.ev, abs=1e-13)
    assert found.table["probability"].sum() == pytest.approx(1)


def test_a_card_removed_at_random_and_known_is_worth_something_to_the_best_play() -> None:
    found = removal_effects("spanish21", "h17_two_deck")
    assert found.mean_ev > found.ev
    fixed = removal_effects("spanish21", "h17_two_deck", strategy="wizard_h17")
    assert (found.table["ev"] > fixed.table["ev"]).all()


BY_VALUE, BY_RANK = "5,0,3,20,20,20,1,20,20,36", "5,0,3,20,20,20,1,20,20,20,7,9"


@pytest.mark.parametrize(
    ("game", "options", "shoe"),
    [
        *(("match_the_dealer:up_card", {}, shoe) for shoe in (None, BY_VALUE, BY_RANK)),
        *(("match_the_dealer:both", {}, shoe) for shoe in (None, BY_VALUE, BY_RANK)),
        ("match_the_dealer_progressive", {"meter": 12_345.67, "change": {"seats": 3, "seat": 3}}, None),
        ("match_the_dealer_progressive", {"meter": 12_345.67, "change": {"seats": 3, "seat": 3}}, BY_RANK),
        *(("insurance", {}, shoe) for shoe in (None, BY_VALUE)),
        *(("insurance", {"change": {"hand": "A K 5"}}, shoe) for shoe in (None, BY_VALUE)),
        ("insurance", {"paytable": "colour_and_suit"}, None),
    ],
)
def test_a_card_removed_at_random_changes_nothing_exactly(game: str, options: dict[str, Any], shoe: str | None) -> None:
    rules = "five_deck" if game != "insurance" else "six_deck"
    found = removal_effects(game, rules, shoe=shoe, **options)
    assert found.ev_exact == evaluate(game, rules, shoe=shoe, **options).ev_exact
    assert found.mean_ev_exact == found.ev_exact
    assert isinstance(found.ev_exact, Fraction)
    parts = dict(zip(found.table["card"], found.table["effect_exact"], strict=True))
    assert effects(found) == {card: float(Fraction(effect)) for card, effect in parts.items()}


def test_no_single_card_moves_match_the_dealer() -> None:
    """All ranks are alike, so that each has the effect of all: none. It takes two cards to help."""
    found = removal_effects("match_the_dealer")
    assert found.table["card"].tolist() == ["A", *map(str, range(2, 10)), "J", "Q", "K"]
    assert found.table["effect"].eq(0).all()
    less = removal_effects("match_the_dealer", shoe=[23, *[24] * 11])
    assert effects(less)["A"] > 0 > effects(less)["2"]


def test_insurance_by_hand() -> None:
    """Six decks: 72 of 287 unseen cards are ten-valued, and of 286 once another card is gone."""
    found = removal_effects("insurance")
    before = Fraction(3 * 72, 287) - 1
    ten, other = Fraction(3 * 71, 286) - 1 - before, Fraction(3 * 72, 286) - 1 - before
    assert dict(zip(found.table["card"], found.table["effect_exact"], strict=True)) == {
        card: str(ten if card == "10" else other) for card in ("A", *map(str, range(2, 11)))
    }
    assert effects(found, "effect_per_deck")["10"] == pytest.approx(6 * float(ten))
    assert found.table["cards"].tolist() == [23, *[24] * 8, 72]  # the ace that is seen can't be removed


def test_a_kind_of_card_that_is_gone_has_no_effect() -> None:
    found = removal_effects("match_the_dealer", shoe="0,24,24,24,24,24,24,24,24,72")
    assert found.table["card"].tolist() == [*map(str, range(2, 11))]


def test_effects_per_deck_are_times_the_decks_that_are_left() -> None:
    found = removal_effects("insurance", shoe="12,12,12,12,12,12,12,12,12,36")
    assert found.table["effect_per_deck"].tolist() == pytest.approx((3 * found.table["effect"]).tolist())


@pytest.mark.parametrize("stem", [game.stem for game in request.games()])
def test_every_bet_that_takes_a_shoe_says_what_a_fresh_one_is(stem: str) -> None:
    module = request.game(stem)
    assert hasattr(module, "fresh_shoe") == ("shoe" in inspect.signature(module.evaluate).parameters)
    if not hasattr(module, "fresh_shoe"):
        return
    for rules in catalog.rule_sets(stem):
        asked = resolve(stem, rules)
        if asked.rules._asdict().get("decks") == "inf":
            with pytest.raises(RequestError, match="endless shoe"):
                module.fresh_shoe(asked.rules)
            continue
        shoe = module.fresh_shoe(asked.rules)
        assert evaluate(stem, rules, shoe=shoe.values()).ev == asked.evaluate().ev


def test_what_has_no_shoe_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(request.game("insurance"), "fresh_shoe")
    with pytest.raises(RequestError, match="insurance has no shoe that a card could be removed from"):
        removal_effects("insurance")


@pytest.mark.parametrize(
    ("game", "given", "told"),
    [
        ("insurance", {"shoe": "1,2"}, "a shoe is ten counts"),
        ("insurance", {"shoe": "1,0,0,0,0,0,0,0,0,1"}, "without one card: "),
        ("match_the_dealer", {"shoe": [99] * 12}, "6 decks hold 24"),
        ("match_the_dealer", {"strategy": "total_dependent"}, "takes no strategy"),
        ("spanish21", {"shoe": "1,1,1,1,1,1,1,1,1,1"}, "too few to finish every round"),
    ],
)
def test_a_shoe_that_makes_no_sense_is_refused(game: str, given: dict[str, Any], told: str) -> None:
    with pytest.raises(RequestError) as refused:
        removal_effects(game, **given)
    assert told in str(refused.value)
