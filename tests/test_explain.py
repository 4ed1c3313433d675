"""Explanations: every number is the oracle's on tiny shoes, the next cards add up, and a slip is told in one line."""

import json
from collections import defaultdict
from fractions import Fraction

import numpy as np
import oracle
import pytest
from oracle_cases import CASES, Case
from test_engine import problem

import casinomath
from casinomath import cli
from casinomath.cards import SUITS, VALUES, Card
from casinomath.decisions import Groups
from casinomath.errors import RequestError
from casinomath.explanation import Explanation
from casinomath.kernels.hands import hands
from casinomath.spots import bonus_chances, explained, read_spot
from casinomath.strategy import Chart
from casinomath.twentyone import play, solve

SAME = 1e-12


def written(hand: oracle.Hand) -> str:
    """Cards as a user writes them; a ten-valued card is a king here."""
    names = ["K" if value == 9 else VALUES[value] for value, _ in hand]
    return " ".join(name + ("" if suit is None else SUITS[suit]) for name, (_, suit) in zip(names, hand, strict=True))


def explain(groups: Groups, hand: oracle.Hand, upcard: oracle.Card, doubles: int = 0) -> Explanation:
    spot = read_spot(groups.problem, "spanish", written(hand), written((upcard,)), doubles)
    return explained("tiny", {}, "tiny", groups, Chart("none", {}), spot)


def solved(case: Case) -> Groups:
    solution = solve(problem(case.rules, case.counts))
    return Groups(solution, play(solution.problem, solution.policy, solution.splits))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
class TestAgainstTheOracle:
    def test_actions(self, case: Case) -> None:
        groups = solved(case)
        for hand, upcard in case.decisions():
            theirs = oracle.action_values(case.rules, case.counts, hand, upcard)
            found = explain(groups, hand, upcard)
            assert found.measure == ("ev_no_dealer_blackjack" if case.rules.peek else "ev")
            assert set(found.evs) <= set(theirs)
            for action, ev in found.evs.items():
                assert ev == pytest.approx(float(theirs[action]), abs=SAME), (found.question, action)
            assert float(theirs[found.best]) == pytest.approx(float(max(theirs.values())), abs=SAME)

    def test_dealer(self, case: Case) -> None:
        groups = solved(case)
        for hand, upcard in case.decisions():
            expected: dict[int, Fraction] = defaultdict(Fraction)
            for hole, p, left in oracle.hole_cards(case.rules, oracle.less(case.counts, *hand, upcard), upcard):
                cards = tuple(sorted((upcard[0], hole)))
                for last, q in oracle.dealer_totals(case.rules.dealer_hits_soft_17, cards, left).items():
                    expected[last] += p * q
            section = explain(groups, hand, upcard).section("The dealer's total")
            found = dict(zip(section.column("dealer"), section.column("probability"), strict=True))
            named = {"bust": 22, "blackjack": oracle.BLACKJACK}
            theirs = {name: float(expected[named.get(str(name)) or int(str(name))]) for name in found}
            assert found == pytest.approx(theirs, abs=SAME)
            assert sum(map(float, expected.values())) == pytest.approx(sum(theirs.values()), abs=SAME)

    def test_next_cards(self, case: Case) -> None:
        """Each card's chance and what is best after it; together they are the EV of the action."""
        groups, compared = solved(case), 0
        game = oracle.game_of(case.rules, case.counts)
        for hand, upcard in case.decisions():
            found = explain(groups, hand, upcard)
            chances: dict[str, Fraction] = defaultdict(Fraction)
            for _, p, left in oracle.hole_cards(case.rules, oracle.less(case.counts, *hand, upcard), upcard):
                for value, q, _ in oracle.draws(left):
                    chances[VALUES[value]] += p * q
            sections = [section for section in found.sections if section.title == "The next card"]
            for section in sections:
                probabilities = np.array(section.column("probability"))
                assert set(section.column("card")) == {card for card, p in chances.items() if p}
                assert probabilities == pytest.approx(
                    [float(chances[str(card)]) for card in section.column("card")], abs=SAME
                )
                for action, doubles in (("hit", 0), ("double", 1)):
                    if f"EV after a {action}" not in section.columns:
                        continue
                    evs = section.column(f"EV after a {action}")
                    assert probabilities @ np.array(evs) == pytest.approx(found.evs[action], abs=SAME)
                    for card, ev in zip(section.column("card"), evs, strict=True):
                        theirs = after_card(game, hand, upcard, VALUES.index(str(card)), doubles)
                        assert ev == pytest.approx(float(theirs), abs=SAME), (found.question, action, card)
                        compared += 1
        assert compared


def after_card(game: oracle.Game, hand: oracle.Hand, upcard: oracle.Card, value: int, doubles: int) -> Fraction:
    """The best that can be done once this card has come."""
    mean = Fraction(0)
    look = oracle.can_be_suited((*hand, (value, None)))
    for card, p in oracle.faces(game.rules, value, (*hand, upcard), look):
        after = (*hand, card)
        if oracle.total(after)[0] > 21:
            return Fraction(-(2**doubles))
        mean += p * max(oracle.values(game, after, upcard, doubles, with_super=doubles == 0).values())
    return mean


@pytest.mark.parametrize("case", [case for case in CASES if case.rules.max_doubles > 1], ids=lambda case: case.name)
def test_after_doubles(case: Case) -> None:
    groups, lattice = solved(case), hands()
    dealt = (lattice.counts <= np.array(case.counts)).all(axis=1)
    rows = np.flatnonzero((lattice.size >= 3) & (lattice.total < 21) & dealt)
    compared = 0
    for row in rows[:: max(1, len(rows) // 60)].tolist():
        hand = tuple((int(value), None) for value in np.repeat(np.arange(10), lattice.counts[row]))
        for upcard in range(10):
            left = np.array(case.counts) - lattice.counts[row]
            left[upcard] -= 1
            if left.min() < 0 or np.isnan(peek := groups.solution.values.peek[upcard, row]) or not peek:
                continue
            for doubles in range(1, min(case.rules.max_doubles, len(hand) - 2) + 1):
                theirs = oracle.after_double_values(case.rules, case.counts, hand, (upcard, None), doubles)
                found = explain(groups, hand, (upcard, None), doubles)
                mine = {{"redouble": "double"}.get(action, action): ev for action, ev in found.evs.items()}
                assert mine == pytest.approx({action: float(ev) for action, ev in theirs.items()}, abs=SAME)
                for section in (section for section in found.sections if section.title == "The next card"):
                    evs, chances = section.column("EV after a redouble"), section.column("probability")
                    assert np.dot(np.array(evs), np.array(chances)) == pytest.approx(mine["double"], abs=SAME)
                compared += 1
    assert compared > 10


# --- Suits --------------------------------------------------------------------------------------------------


def test_suits_that_are_not_told_are_weighed_as_dealt() -> None:
    """The EV of 7-8 is the mean over the sixteen pairs of suits, and its classes are as often as they are dealt."""
    suits = [(a, b) for a in SUITS for b in SUITS]
    told = [casinomath.explain("spanish21", f"7{a} 8{b}", "9").evs["hit"] for a, b in suits]
    found = casinomath.explain("spanish21", "7 8", "9")
    assert found.evs["hit"] == pytest.approx(np.mean(told), abs=SAME)
    shares = found.section("By suits")
    assert dict(zip(shares.column("suits"), shares.column("probability"), strict=True)) == pytest.approx(
        {"mixed": 12 / 16, "suited": 3 / 16, "spades": 1 / 16}
    )
    assert any("weighed" in note for note in found.notes)
    assert not any("weighed" in note for note in casinomath.explain("spanish21", "7s 8s", "9").notes)


def test_an_upcard_of_the_suits_takes_a_card_from_them() -> None:
    spades = casinomath.explain("spanish21", "7s 8s", "6s").evs["hit"]
    hearts = casinomath.explain("spanish21", "7s 8s", "6h").evs["hit"]
    either = casinomath.explain("spanish21", "7s 8s", "6").evs["hit"]
    assert spades < either < hearts
    assert either == pytest.approx(spades / 4 + 3 * hearts / 4, abs=SAME)


@pytest.mark.parametrize(("cards", "paid"), [("6s 7s 8s", 3), ("6h 7h 8h", 2), ("6s 7h 8s", 1.5), ("7d 7d 7d", 2)])
def test_a_bonus_21_is_paid_by_its_suits(cards: str, paid: float) -> None:
    assert casinomath.explain("spanish21", cards, "9").evs == {"stand": pytest.approx(paid)}


def test_suits_of_a_bonus_21_that_are_not_told() -> None:
    """Three 7s of six decks: suits by counting all triples of 24 cards."""
    sevens = [Card("7", None)] * 3
    triples = 24 * 23 * 22
    found = bonus_chances(6, sevens, Card("9", None))
    assert found == pytest.approx((1 - 4 * 120 / triples, 3 * 120 / triples, 120 / triples, 0), abs=SAME)
    assert casinomath.explain("spanish21", "7 7 7", "9").evs["stand"] == pytest.approx(
        1.5 * found[0] + 2 * found[1] + 3 * found[2]
    )


def test_a_super_bonus_counts_where_it_can_be_won() -> None:
    change = {"super_bonus": True}
    usual = casinomath.explain("spanish21", "7s 7s", "7h", change=change)
    assert usual.best == "hit"
    tree = usual.section("The next card")
    after = dict(zip(tree.column("card"), tree.column("EV after a hit"), strict=True))
    of_suit = 4 / 21  # of 24 sevens three are seen, of six of spades two
    assert after["7"] == pytest.approx(of_suit * (3 + 200) + (1 - of_suit) * 1.5)


# --- Charts -------------------------------------------------------------------------------------------------


def test_a_chart_is_set_beside_the_cards() -> None:
    """Total-dependent play stands on 16 where these cards would hit, or the reverse: its cost is the difference."""
    found = casinomath.explain("spanish21", "A 2 3 K", "10", strategy="wizard_h17")
    (chart, code, action, ev, cost), (_, _, best, best_ev, _) = found.section(
        "What a chart says, and what these cards say"
    ).rows
    assert chart == "chart wizard_h17"
    assert str(code).startswith("hard 16 against 10: ")
    assert (best, best_ev) == (found.best, found.evs[found.best])
    assert ev == found.evs[str(action)]
    assert cost == pytest.approx(found.evs[found.best] - found.evs[str(action)])


def test_all_hands_of_a_cell_are_there_with_how_often_they_are_met() -> None:
    found = casinomath.explain("spanish21", "5 K", "9")
    (section,) = [section for section in found.sections if "can't tell apart" in section.title]
    assert set(section.column("hand")) == {"5 10", "6 9", "7 8"}
    pack = {"5": 24, "6": 24, "7": 24, "8": 24, "9": 24, "10": 72}
    met = dict(zip(section.column("hand"), section.column("met"), strict=True))
    assert met["5 10"] == pytest.approx(24 / 288 * 2 * 24 * 72 / (287 * 286))
    assert met["6 9"] == pytest.approx(24 / 288 * 2 * 24 * (pack["9"] - 1) / (287 * 286))


def test_insurance_is_priced_where_it_is_offered() -> None:
    """Of 285 unseen cards 71 are ten-valued once a king is held against an ace."""
    notes = casinomath.explain("spanish21", "K 5", "A").notes
    assert f"Insurance at 2:1, given these cards, has an EV of {3 * 71 / 285 - 1:+.4%} of its own wager." in notes
    assert not [note for note in casinomath.explain("spanish21", "K 5", "9").notes if "nsurance" in note]


def test_the_best_chart_is_worked_out_where_it_is_asked_for() -> None:
    found = casinomath.explain("spanish21", "5 K", "9", strategy="total_dependent")
    (row, _) = found.section("What a chart says, and what these cards say").rows
    assert row[0] == "chart total_dependent"


# --- Shoes and slips ----------------------------------------------------------------------------------------


def test_a_partly_used_shoe_is_counted_before_the_round() -> None:
    fresh = casinomath.explain("spanish21", "7s 8h", "9")
    whole = casinomath.explain("spanish21", "7s 8h", "9", shoe=[24] * 9 + [72])
    assert whole.evs == fresh.evs
    poor = casinomath.explain("spanish21", "7s 8h", "9", shoe=[24, 24, 24, 24, 24, 24, 24, 24, 24, 20])
    assert poor.evs["hit"] > fresh.evs["hit"]  # fewer ten-valued cards, fewer busts
    tree = poor.section("The next card")
    chance = dict(zip(tree.column("card"), tree.column("probability"), strict=True))
    assert chance["10"] == pytest.approx(20 / (9 * 24 + 20 - 3))


@pytest.mark.parametrize(
    ("cards", "shown", "options", "said"),
    [
        ("10 6", "9", {}, 'cards are "10 6"; a spanish pack has no 10, but A, 2, 3'),
        ("7x", "9", {}, 'cards are "7x"; expected ranks'),
        ("7", "9", {}, "expected a hand of two cards or more"),
        ("K Q 5", "9", {}, "more than 21"),
        ("7 8", "11", {}, "unknown upcard '11' (did you mean 'A'?)"),
        ("7 8", "Kings", {}, "unknown upcard 'Kings' (did you mean 'K'?)"),
        ("7 8", None, {}, "no upcard; expected one of 2, 3"),
        ("7 8", "9", {"doubles": 1}, "doubles is 1 with 2 cards; expected 3 or more"),
        ("7 2 3", "9", {"doubles": 2}, "doubles is 2; expected 0 to 1"),
        (
            "7s 7s",
            "7s",
            {"change": {"decks": 2}, "paytable": "bonus_21_two_deck"},
            "7s is seen 3 times; 2 decks hold 2",
        ),
        ("9 9", "9", {"shoe": [24] * 8 + [2, 72]}, "hold 3 cards of value 9; the shoe"),
    ],
)
def test_slips(cards: str, shown: str | None, options: dict[str, object], said: str) -> None:
    with pytest.raises(RequestError) as error:
        casinomath.explain("spanish21", cards, shown, **options)
    assert said in str(error.value)
    assert "\n" not in str(error.value)


def test_a_bet_without_a_decision_explains_nothing() -> None:
    with pytest.raises(RequestError, match="match_the_dealer has no explain; it has evaluate"):
        casinomath.explain("match_the_dealer", "7 8", "9")


def test_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["explain", "spanish21", "7s 8h", "9", "--set", "decks=2", "--json"]
    assert cli.main(words) == 0
    printed = json.loads(capsys.readouterr().out)
    found = casinomath.explain("spanish21", "7s 8h", "9", change={"decks": 2})
    assert printed["evs"] == dict(found.evs)
    assert (printed["best"], printed["measure"], printed["gap"]) == (found.best, found.measure, found.gap)
    assert printed["rules"]["decks"] == 2
    assert [section["title"] for section in printed["sections"]] == [section.title for section in found.sections]
    assert cli.main(words[:-1]) == 0
    text = capsys.readouterr().out
    assert "7s 8h against 9: hit" in text
    assert f"{found.evs['hit']:+.6f}" in text
    assert cli.main(["explain", "spanish21", "7 8", "9", "--doubles", "1"]) == 2
    assert "doubles is 1" in capsys.readouterr().err
