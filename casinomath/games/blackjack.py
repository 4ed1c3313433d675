"""Blackjack: packs of 52 cards, with the rules that houses vary.

Method: exact by composition in double precision; split hands by `cdz_minus` (see `twentyone`). An endless shoe is the
limit of many decks: cards that are dealt do not leave it.
Source: ``data/blackjack.toml``.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, NamedTuple, Unpack, get_args

from casinomath import family, montecarlo, twentyone
from casinomath.beside import SideBet
from casinomath.cards import STANDARD, UPCARDS, Pack, by_value, check_decks
from casinomath.charts import chart_policy, derive_chart
from casinomath.decisions import Groups
from casinomath.errors import RequestError, unknown
from casinomath.explanation import Explanation
from casinomath.kernels.actions import Policy
from casinomath.kernels.rounds import MOST_HANDS, House, lay_out
from casinomath.kernels.twentyone import Table
from casinomath.notation import Knowledge
from casinomath.paytable import PayTable
from casinomath.returns import Returns
from casinomath.rounds import Rounds
from casinomath.spots import explained, read_spot
from casinomath.strategy import Chart, Strategy, StrategyClass
from casinomath.total_play import best_chart

STEM = "blackjack"
BETS = ("main",)
PACK: Final[Pack] = "standard"
"""What bets on the side are made with."""

STRATEGIES: Final = ("basic_strategy", "derived_chart")
"""Ways to play by name: the best chart of totals that does not look at the number of cards; and the one with the best
action, on average, for the hands that the best play meets, which is how charts are usually made: what a hand does where
it may not be surrendered, say, counts as often as if it had been dealt so."""
BASIC: Final = Knowledge("basic_strategy", digits=False)

EVENTS: Final = ("blackjack",)
"""What a pay table must pay."""

DoubleOn = Literal["any", "9_10_11", "10_11", "none"]
HoleCard = Literal["peek", "none", "none_original_bet"]
BlackjackPays = Literal["pay_table", "3:2", "6:5", "1:1", "2:1"]


class Rules(NamedTuple):
    """The rules of a blackjack table. Defaults: six decks at Emerald Queen, dealer hits soft 17."""

    decks: int | Literal["inf"] = 6
    """Decks of 52 cards, or inf for an endless shoe. Fewer favour the player."""
    dealer_hits_soft_17: bool = True
    """H17 rather than S17. Favours the house."""
    double_on: DoubleOn = "any"
    """DOA, D9, D10: any first two cards may be doubled, or hard totals of 9 to 11, or of 10 and 11, or none. Fewer
    favour the house."""
    double_after_split: bool = True
    """DAS: split hands may be doubled like others. Favours the player."""
    max_hands: int = 4
    """SPL4: hands that splitting can make, 1 to 5 (1: no splits). Any two ten-valued cards are a pair. More favour the
    player."""
    resplit_aces: bool = False
    """RSA: aces may be split again, like other pairs. Favours the player."""
    hit_split_aces: bool = False
    """HSA: split aces may be hit; else they get one card each. Favours the player."""
    double_split_aces: bool = False
    """Split aces may be doubled, where other split hands may. Favours the player."""
    late_surrender: bool = True
    """LS: the first two cards may be given up for half the wager after the peek. Favours the player. Without a peek, a
    hand that was given up is lost whole to a dealer blackjack."""
    hole_card: HoleCard = "peek"
    """The dealer peeks for a blackjack; or has no hole card (ENHC), and his blackjack takes every wager, which favours
    the house; or only the original bet (OBO), which comes to the same as a peek: what is given back was never at
    risk."""
    blackjack_pays: BlackjackPays = "pay_table"
    """3:2, 6:5, 1:1 or 2:1, by a pay table that says the same; or whatever the pay table says. More favours the
    player."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense or that no table offers."""
    if rules.decks != "inf":
        check_decks(rules.decks, PACK)
    if not 1 <= rules.max_hands <= MOST_HANDS:
        raise RequestError(f"max_hands is {rules.max_hands}; expected 1 to {MOST_HANDS}")
    for name, choices in (("double_on", DoubleOn), ("hole_card", HoleCard), ("blackjack_pays", BlackjackPays)):
        if getattr(rules, name) not in get_args(choices):
            raise unknown(name, getattr(rules, name), get_args(choices))
    paytable.check_odds(EVENTS)
    if rules.blackjack_pays != "pay_table":
        says, wanted = paytable.pay("blackjack"), Fraction(rules.blackjack_pays.replace(":", "/"))
        if says != wanted:
            raise RequestError(
                f"blackjack_pays is {rules.blackjack_pays}, and pay table {paytable.name} pays {says.numerator}:"
                f"{says.denominator}; expected a pay table that says the same, or blackjack_pays pay_table"
            )


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value; RequestError for an endless one."""
    return by_value(_counted(rules, "cards can't be taken from an endless shoe"), PACK)


def _counted(rules: Rules, why: str) -> int:
    if rules.decks == "inf":
        raise RequestError(f"decks is inf: {why}; expected 1 to 16")
    return rules.decks


def problem(rules: Rules, paytable: PayTable, shoe: Iterable[int] | str | None = None) -> twentyone.Problem:
    """State the game for the exact engine; RequestError for bad rules, pay table or shoe."""
    check(rules, paytable)
    if shoe is not None:
        _counted(rules, "an endless shoe has no cards left to count")
    decks = 1 if rules.decks == "inf" else rules.decks
    return twentyone.Problem(
        table=Table(
            twenty_one_wins=0,
            double_up_to=2,
            max_doubles=1,
            rescue=0,
            surrender=int(rules.late_surrender),
            split_aces_draw=int(rules.hit_split_aces),
            double_split_aces=int(rules.double_split_aces),
            resplit_aces=int(rules.resplit_aces),
            double_after_split=int(rules.double_after_split),
            double_from={"any": 0, "9_10_11": 9, "10_11": 10, "none": 12}[rules.double_on],
            peeks=int(rules.hole_card != "none"),
            taken=int(rules.decks != "inf"),
        ),
        shoe=STANDARD if rules.decks == "inf" else family.shoe_left(shoe, decks, STANDARD, rules.max_hands),
        decks=decks,
        hits_soft_17=rules.dealer_hits_soft_17,
        max_hands=rules.max_hands,
        pays={"blackjack": float(paytable.pay("blackjack")), "surrender": -0.5},
        split_pays={},
    )


@lru_cache(maxsize=8)
def _solved(rules: Rules, paytable: PayTable, shoe: tuple[int, ...]) -> tuple[twentyone.Solution, twentyone.Round]:
    """The best play and what becomes of it: evaluation, strategy and simulation of one table share it."""
    solution = twentyone.solve(problem(rules, paytable, None if rules.decks == "inf" else shoe))
    return solution, twentyone.play(solution.problem, solution.policy, solution.splits)


def evaluate(
    rules: Rules,
    paytable: PayTable,
    *,
    shoe: Iterable[int] | str | None = None,
    strategy: Chart | str | None = None,
) -> Returns:
    """Return what the main wager is worth: by the best play, by a chart, or by one of `STRATEGIES`.

    shoe : ten counts by value, ace first, of a partly used shoe
    Raises RequestError for rules, a pay table, a shoe or a chart that can't be played.
    """
    game = problem(rules, paytable, shoe)
    chart = named_chart(rules, paytable, strategy=strategy, shoe=shoe) if isinstance(strategy, str) else strategy
    if chart is None:
        _, played = _solved(rules, paytable, game.shoe)
    else:
        played = twentyone.play(game, chart_policy(chart, game))
    return family.priced(STEM, rules._asdict(), paytable, played, chart)


def named_chart(rules: Rules, paytable: PayTable, *, strategy: str, shoe: Iterable[int] | str | None = None) -> Chart:
    """Return one of `STRATEGIES` as it is for this table; RequestError for another name."""
    if strategy not in STRATEGIES:
        raise unknown(f"strategy of {STEM}:", strategy, STRATEGIES)
    game = problem(rules, paytable, shoe)
    if strategy == "basic_strategy":
        return best_chart(game, BASIC, strategy)
    return derive_chart(Groups(*_solved(rules, paytable, game.shoe)), strategy)


def strategy(
    rules: Rules,
    paytable: PayTable,
    *,
    strategy_class: StrategyClass = "composition_dependent",
    shoe: Iterable[int] | str | None = None,
    chart: Chart | None = None,
) -> Strategy:
    """Return the best play of a class, with the EV of every action, and a chart.

    `composition_dependent` has a cell for every composition, and is the best play; its chart follows it as closely as
    the notation can. `total_dependent` has a cell for each total, number of cards and upcard; its policy is that of the
    best chart, and its EVs are those when the chart goes on, as often as the chart comes to decide.
    chart : a chart to price as `total_dependent` in the best one's place
    """
    family.check_class(strategy_class, chart)
    solved = _solved(rules, paytable, problem(rules, paytable, shoe).shoe)
    return family.strategy(STEM, rules._asdict(), paytable, *solved, strategy_class, chart)


def explain(
    rules: Rules,
    paytable: PayTable,
    *,
    cards: str,
    shown: str | None = None,
    shoe: Iterable[int] | str | None = None,
    chart: Chart | None = None,
) -> Explanation:
    """Return what every action on a hand is worth, given no dealer blackjack where the dealer peeks, and why.

    cards : two and more, with suits or without: `10 6`, `A 2 K`
    shown : the upcard; 10 is any ten-valued card, as in charts
    shoe  : ten counts by value, ace first, before the round: hand and upcard are among them
    chart : whose advice is set beside the best play; by default the chart derived from it
    Raises RequestError for rules, a pay table or a shoe that can't be played, and cards that can't be dealt.
    """
    game = problem(rules, paytable, shoe)
    if shown is None:
        raise RequestError(f'no upcard; expected one of {", ".join(UPCARDS)}, such as: explain {STEM} "10 6" 10')
    spot = read_spot(game, PACK, cards, shown, 0)
    groups, derived = _grouped(rules, paytable, game.shoe)
    return explained(STEM, rules._asdict(), paytable.name, groups, chart or derived, spot)


@lru_cache(maxsize=4)
def _grouped(rules: Rules, paytable: PayTable, shoe: tuple[int, ...]) -> tuple[Groups, Chart]:
    """Every decision with how often it is met, and the chart that follows them: all hands of a table share it."""
    groups = Groups(*_solved(rules, paytable, shoe))
    return groups, derive_chart(groups, "derived")


# ---------------------------------------------------------------------------------------------------------------------
# Simulation


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    strategy: Strategy | Chart | str | None = None,
    shoe: Iterable[int] | str | None = None,
    seats: int = 1,
    penetration: float = 0,
    burn: int = 0,
    beside: Sequence[SideBet] = (),
    by_hand: bool = False,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal and play rounds by a strategy, a chart or the best play; by default, a fresh shoe each and one player.

    shoe        : ten counts by value, ace first, of a partly used shoe: before every shuffle it is as many cards of
                  each value, chosen from the decks' own
    seats       : players, 1 to 7, who all play alike and one after the other. A round is all that they and the dealer
                  play; its result is the average of theirs
    penetration : the part of the shoe that is dealt before it is shuffled, or the number of cards: the round in which
                  the cut card comes out is the last one. A round that runs out of cards goes on with those of earlier
                  rounds, shuffled
    burn        : cards burned after every shuffle
    beside      : bets on the side that every seat makes; `Sample.beside` and `Sample.covariance` tell of them
    by_hand     : count results by the first two cards and the upcard: `Sample.hands`

    Raises RequestError for what can't be played, and for a number of rounds or a seed that makes no sense.
    """
    montecarlo.check(rounds, seed)
    decks = _counted(rules, "no cards can be dealt from an endless shoe")
    game = problem(rules, paytable, shoe)
    family.check_beside(beside, decks, PACK)
    if isinstance(strategy, str):
        strategy = named_chart(rules, paytable, strategy=strategy, shoe=shoe)
    policy = family.followed(STEM, decks, game, strategy, lambda: _solved(rules, paytable, game.shoe)[0].policy)
    alone = rounds_by(rules, paytable, policy)
    chunk = family.at_table(alone, game.shoe, shoe, seats, penetration, burn, beside, by_hand)
    chunk.check(paytable.name)
    return montecarlo.run(chunk, rounds, seed, **running)


def rounds_by(rules: Rules, paytable: PayTable, policy: Policy) -> Rounds:
    """Return rounds by a policy as the simulation deals them, of one player with a fresh shoe each."""
    settled = family.settlement({"blackjack": paytable.pay("blackjack")})
    return Rounds(
        house=House(
            hits_soft_17=rules.dealer_hits_soft_17,
            max_hands=rules.max_hands,
            ace_hands=rules.max_hands if rules.resplit_aces else min(2, rules.max_hands),
            twenty_one_wins=False,
            peeks=rules.hole_card != "none",
            super_bonus_by_suit=False,
        ),
        shoe=tuple(fresh_shoe(rules).values()),
        play=lay_out(policy),
        settled=settled,
        split_settled=settled,
        prize=None,
    )
