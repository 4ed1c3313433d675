"""Texas Hold'em Bonus: decisions against dealing every card, dealt rounds, and what makes no sense."""

import re
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from casinomath import request
from casinomath.cards import parse_cards
from casinomath.errors import RequestError
from casinomath.games import texas_holdem_bonus as game
from casinomath.games.texas_holdem_bonus import Rules
from casinomath.holes import COMBINATIONS
from casinomath.kernels.boards import boards, showdowns
from casinomath.kernels.canonical import CHANGES, HOLES, canonical, changed_holes, hole_index, holes
from casinomath.kernels.deals import classes
from casinomath.kernels.poker import FIVE, floors
from casinomath.kernels.texas_holdem_bonus import DEALS, LOSSES, WINS, WINS_PAID, sum_rivers
from casinomath.paytable import PayTable

TABLE = PayTable("even_money", {"ante": Fraction(1)})
FLUSH = Rules(ante_pays_from="flush")


def random_deals(number: int, cards: int, seed: int) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.permuted(np.tile(np.arange(52, dtype=np.uint8), (number, 1)), axis=1)[:, :cards]


# --- Sets of cards as one of their class --------------------------------------------------------------------


@pytest.mark.parametrize("cards", [3, 4])
def test_a_set_is_renamed_into_the_one_of_its_class(cards: int) -> None:
    dealt = random_deals(5000, cards, cards)
    found = canonical(dealt)
    becomes = np.array(CHANGES)[found.changes]
    renamed = dealt // 4 * 4 + np.take_along_axis(becomes, (dealt % 4).astype(np.int64), axis=1)
    assert (-np.sort(-renamed, axis=1) == classes(cards).cards[found.classes]).all()


# --- Decisions ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("known", [3, 4])
def test_bets_after_the_flop_are_made_where_more_is_won_than_lost(known: int) -> None:
    """Every board and every hand of the dealer's, dealt and compared one by one."""
    found = game.solved("straight")
    bets = found.turn_bets if known == 3 else found.river_bets
    dealt = random_deals(40 if known == 3 else 500, 2 + known, 17)
    places = canonical(dealt[:, 2:])
    holes = changed_holes()[places.changes, hole_index(*dealt[:, :2].astype(np.int64).T)]
    for cards, bet in zip(dealt, bets[places.classes, holes], strict=True):
        met = game.meet(Rules(), tuple(cards[:2].tolist()), tuple(cards[2:].tolist()))
        assert met.deals == (1081 if known == 3 else 46) * 990
        assert bet == (met.wins > met.losses), cards


BOARDS = ["As Kh 7d 2c", "As Ks 7d 7c", "As Ks 7d 2d", "Ts 9s 8s 2d", "9s 8s 7s 6s"]


def test_sums_over_rivers_are_those_of_dealing_them() -> None:
    """Boards of four with every pattern of suits, and any hole cards: wins, losses, and wins that pay the ante."""
    boards_of_four = [
        parse_cards(four) for four in ("As Kh 7d 2c", "As Ks 7d 7c", "As Ks 7d 2d", "Ts 9s 8s 2d", "9s 8s 7s 6s")
    ]
    (plain, suited), where = showdowns(), boards()
    least = floors()[FIVE.categories.index("straight")]
    paid = [np.where(table.values >= least, table.wins, 0).astype(np.int16) for table in (plain, suited)]
    sums = np.zeros((len(boards_of_four), HOLES, 3), dtype=np.uint16)
    sum_rivers(
        *(np.array(boards_of_four, dtype=np.uint8), where.ranks, where.flop_ranks, where.suited),
        *(paid[0], plain.wins, plain.losses, paid[1], suited.wins, suited.losses, sums),
    )
    for board, rivers in zip(boards_of_four, sums, strict=True):
        for hole in np.random.default_rng(3).permutation(HOLES)[:150].tolist():
            cards = tuple(holes()[hole].tolist())
            if {*cards} & {*board}:
                assert not rivers[hole].any()
            else:
                met = game.meet(Rules(), cards, board)
                assert rivers[hole].tolist() == [met.wins_paid, met.wins, met.losses]


def test_every_deal_is_counted_and_bets_win_more_than_they_lose() -> None:
    for place, combinations in enumerate(COMBINATIONS):
        sums = game.solved("straight").sums[place]
        assert sums[..., DEALS].sum() == combinations * comb(50, 3) * 47
        assert (sums[..., WINS_PAID] <= sums[..., WINS]).all()
        for made in (sums[1], sums[:, 1]):
            assert made[:, WINS].sum() >= made[:, LOSSES].sum()
        assert sums[0, :, WINS].sum() <= sums[0, :, LOSSES].sum()


def test_twos_with_threes_to_sevens_of_two_suits_are_folded() -> None:
    best = game.strategy(Rules(), TABLE)
    assert [cell.hand for cell in best.cells if cell.action == "fold"] == ["72o", "62o", "52o", "42o", "32o"]
    assert best.chart.code("preflop", "2", "7") == "F"
    assert best.chart.code("preflop", "7", "2") == "2x"
    more = game.strategy(FLUSH, TABLE)
    assert [cell.hand for cell in more.cells if cell.action == "fold"] == ["72o", "62o", "52o", "43o", "42o", "32o"]


@pytest.mark.parametrize("rules", [Rules(), FLUSH])
def test_the_best_play_is_worth_what_its_hands_are(rules: Rules) -> None:
    returns = game.evaluate(rules, TABLE)
    every = game.hands(rules, Fraction(1))
    assert returns.ev_exact == sum(hand.combinations * max(hand.ev, Fraction(-1)) for hand in every) / comb(52, 2)
    assert returns.details["ev_never_folding"] < returns.ev
    decisions = returns.details["decisions"]
    assert returns.average_wager == pytest.approx(
        1 + 2 * decisions["flop_bet"] + decisions["turn_bet"] + decisions["river_bet"], abs=1e-12
    )


def test_wins_are_counted_without_the_ante_too() -> None:
    """The ante changes what a hand is worth before the flop, and nothing after it."""
    straight, flush = (game.solved(paid).sums for paid in ("straight", "flush"))
    assert (straight[..., 1:] == flush[..., 1:]).all()
    assert (straight[..., 0] >= flush[..., 0]).all()


# --- Any cards ----------------------------------------------------------------------------------------------


def test_a_hand_is_explained_whatever_its_suits() -> None:
    first = game.explain(Rules(), TABLE, cards="As Kd", shown="Qh 7c 2d")
    other = game.explain(Rules(), TABLE, cards="Kh Ac", shown="7d Qs 2h")
    assert first.evs == other.evs
    assert first.best == "turn_bet"
    river = game.explain(Rules(), TABLE, cards="As Kd", shown="Qh 7c 2d 2h")
    assert sum(map(int, river.sections[0].column("deals"))) == 46 * 990  # type: ignore[arg-type]
    preflop = game.explain(Rules(), TABLE, cards="7s 2d")
    assert (preflop.best, preflop.evs["fold"]) == ("fold", -1)


@pytest.mark.parametrize(
    ("cards", "shown", "told"),
    [
        ("As", None, "'As' holds 1 cards; expected two"),
        ("As Kx", None, "card 'Kx'"),
        ("As As", None, "card As comes twice"),
        ("As Kd", "As 2c 3c", "card As comes twice"),
        ("As Kd", "Qh 7c", "holds 2 cards; expected none, the flop's three, or four"),
    ],
)
def test_cards_that_make_no_sense_are_told(cards: str, shown: str | None, told: str) -> None:
    with pytest.raises(RequestError, match=re.escape(told)) as error:
        game.explain(Rules(), TABLE, cards=cards, shown=shown)
    assert "\n" not in str(error.value)


# --- Dealt rounds -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [Rules(), FLUSH])
def test_rounds_are_dealt_played_and_settled(rules: Rules) -> None:
    returns, sample = game.evaluate(rules, TABLE), game.simulate(rules, TABLE, 600_000, 5)
    assert abs(sample.agreement(returns)) < 4
    assert sample.average_wager == pytest.approx(returns.average_wager, abs=0.01)
    assert returns.stdev is not None
    assert returns.kurtosis is not None
    scatter = returns.stdev * ((returns.kurtosis - 1) / 4 / sample.rounds) ** 0.5
    assert abs(sample.stdev - returns.stdev) < 4 * scatter
    for event in returns.events:
        assert abs(sample.event_agreement(event.event, event.probability)) < 4, event.event


def test_the_ante_may_pay_anything() -> None:
    table = PayTable("own", {"ante": Fraction(3, 2)})
    returns, sample = game.evaluate(Rules(), table), game.simulate(Rules(), table, 100_000, 5)
    assert returns.ev > game.evaluate(Rules(), TABLE).ev
    assert abs(sample.agreement(returns)) < 4


# --- Requests -----------------------------------------------------------------------------------------------


def test_its_bets_have_rules_and_tables_of_their_own() -> None:
    asked = request.resolve("texas_holdem_bonus:five_card_progressive", rules="pennsylvania", meter=50_000)
    returns = asked.evaluate()
    assert (returns.game, returns.bet) == ("texas_holdem_bonus", "five_card_progressive")
    assert (returns.paytable, asked.home) == ("pennsylvania", "five_card_progressive")
    assert "holdem_bonus" in request.bets("texas_holdem_bonus")
    with pytest.raises(RequestError, match="takes no meter"):
        request.resolve("texas_holdem_bonus", meter=5).check()


@pytest.mark.parametrize(
    ("rules", "table", "told"),
    [
        (Rules("ace"), TABLE, "unknown hand that the ante pays from: 'ace'"),  # type: ignore[arg-type]
        (Rules(), PayTable("none", {}), "pay table none lacks ante"),
    ],
)
def test_rules_and_tables_that_make_no_sense_are_told(rules: Rules, table: PayTable, told: str) -> None:
    with pytest.raises(RequestError, match=told):
        game.evaluate(rules, table)
