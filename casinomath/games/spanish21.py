"""Spanish 21: blackjack without tens, with bonuses for certain 21s, rescue and redoubling.

Method: exact by composition in double precision, suits included; split hands by `cdz_minus` (see `twentyone`).
Source: ``data/spanish21.toml``.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Literal, NamedTuple, Unpack

from casinomath import family, montecarlo, twentyone
from casinomath.beside import SideBet
from casinomath.cards import SPANISH, UPCARDS, by_value, check_decks
from casinomath.charts import chart_policy, derive_chart
from casinomath.decisions import Groups
from casinomath.errors import RequestError, unknown
from casinomath.explanation import Explanation
from casinomath.family import at_table, followed, settlement, shoe_left
from casinomath.kernels.actions import (
    STAGES,
    Policy,
)
from casinomath.kernels.rounds import House, lay_out
from casinomath.kernels.twentyone import Table
from casinomath.money import check_bet
from casinomath.paytable import PayTable
from casinomath.returns import Event, Returns
from casinomath.rounds import Rounds
from casinomath.spots import explained, read_spot
from casinomath.strategy import Chart, Strategy, StrategyClass

STEM = "spanish21"
BETS = ("main",)

EVENTS = (
    *("blackjack", "five_card_21", "six_card_21", "seven_card_21"),
    *("six_seven_eight_mixed", "six_seven_eight_suited", "six_seven_eight_spades"),
    *("three_sevens_mixed", "three_sevens_suited", "three_sevens_spades"),
)
"""What a pay table must pay; with two decks the last two can't occur and may be left out."""


class Rules(NamedTuple):
    """The rules of a Spanish 21 table. Defaults: six decks in Colorado, dealer hits soft 17."""

    decks: int = 6
    """Decks of 48 cards. Fewer favour the player."""
    dealer_hits_soft_17: bool = True
    """H17 rather than S17. Favours the house."""
    max_doubles: int = 1
    """Doubles of one hand, 1 to 3: more than 1 is redoubling, "double-double down". Favours the player; H17 only."""
    rescue: bool = True
    """A doubled hand that has not busted may take back a part of its wager and give up the rest. Favours the player."""
    rescue_forfeits: Literal["half_of_wager", "original_wager"] = "half_of_wager"
    """What a rescue gives up. They differ after a redouble, where the original wager is less."""
    late_surrender: bool = True
    """The first two cards may be given up for half the wager after the peek. Favours the player."""
    max_hands: int = 4
    """Hands that splitting can make, 1 to 4 (1: no splits). More favour the player."""
    draw_to_split_aces: bool = True
    """Split aces are played like other hands rather than taking one card each. Favours the player."""
    card_count_bonus_after_split: bool = True
    """21s of five cards and more are paid their bonus on split hands too. Favours the player."""
    super_bonus: bool = False
    """First three cards three 7s of one suit against a 7 (two decks: 7♥ 7♦ 7♣ against 7♠) win a fixed prize."""
    bet: float = 5.0
    """The initial wager in dollars, which the fixed prizes are measured by."""
    other_bettors: int = 0
    """Other players who bet in the round; each one's Super Bonus pays this one an envy bonus."""


SUPER_BONUS = ((25.0, 5000.0), (5.0, 1000.0))
"""Least bet and prize, dollars. Source: Colorado rule 8, 47.1-834.16 (10), and both houses' rules."""
ENVY = 50.0
"""Dollars to every other bettor for each Super Bonus. Source: the same."""

MOST_OTHERS = 7


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense or that no table offers."""
    check_decks(rules.decks, "spanish")
    limits = {"max_doubles": (1, 3), "max_hands": (1, 4), "other_bettors": (0, MOST_OTHERS)}
    for name, (low, high) in limits.items():
        value = getattr(rules, name)
        if not low <= value <= high:
            raise RequestError(f"{name} is {value}; expected {low} to {high}")
    if rules.rescue_forfeits not in ("half_of_wager", "original_wager"):
        raise unknown("rescue_forfeits", rules.rescue_forfeits, ("half_of_wager", "original_wager"))
    if rules.max_doubles > 1 and not rules.dealer_hits_soft_17:
        raise RequestError(
            f"max_doubles is {rules.max_doubles} with dealer_hits_soft_17 false: redoubling is only offered where the "
            "dealer hits soft 17; expected max_doubles 1 or dealer_hits_soft_17 true"
        )
    check_bet(rules.bet)
    if rules.super_bonus and rules.bet < SUPER_BONUS[-1][0]:
        raise RequestError(f"bet is {rules.bet}; the Super Bonus needs a bet of ${SUPER_BONUS[-1][0]:g} or more")
    spare = EVENTS[-2:] if rules.decks <= 2 else ()
    paytable.check_odds([event for event in EVENTS if event not in spare], optional=spare)


def super_bonus_dollars(bet: float) -> float:
    """Return the Super Bonus that a bet of so many dollars wins."""
    return next((prize for least, prize in SUPER_BONUS if bet >= least), 0.0)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, "spanish")


def problem(rules: Rules, paytable: PayTable, shoe: Iterable[int] | str | None = None) -> twentyone.Problem:
    """State the game for the exact engine; RequestError for bad rules, pay table or shoe."""
    check(rules, paytable)
    pays = {event: float(paytable.pay(event)) for event in EVENTS if event in paytable.pays}
    half = rules.rescue_forfeits == "half_of_wager"
    pays["surrender"] = -0.5
    for doubles, stage in enumerate(STAGES, start=1):
        pays[f"{stage}_rescue"] = -(2.0 ** (doubles - 1)) if half else -1.0
    card_counts = {} if rules.card_count_bonus_after_split else dict.fromkeys(EVENTS[1:4], 1.0)
    return twentyone.Problem(
        table=Table(
            twenty_one_wins=1,
            double_up_to=21,
            max_doubles=rules.max_doubles,
            rescue=int(rules.rescue) * (1 if half else 2),
            surrender=int(rules.late_surrender),
            split_aces_draw=int(rules.draw_to_split_aces),
            double_split_aces=int(rules.draw_to_split_aces),
        ),
        shoe=shoe_left(shoe, rules.decks, SPANISH, rules.max_hands),
        decks=rules.decks,
        hits_soft_17=rules.dealer_hits_soft_17,
        max_hands=rules.max_hands,
        pays=pays,
        split_pays=card_counts,
        super_bonus=super_bonus_dollars(rules.bet) / rules.bet if rules.super_bonus else 0.0,
    )


@lru_cache(maxsize=8)
def _solved(rules: Rules, paytable: PayTable, shoe: tuple[int, ...]) -> tuple[twentyone.Solution, twentyone.Round]:
    """The best play and what becomes of it: evaluation, strategy and simulation of one table share it."""
    solution = twentyone.solve(problem(rules, paytable, shoe))
    return solution, twentyone.play(solution.problem, solution.policy, solution.splits)


def evaluate(
    rules: Rules,
    paytable: PayTable,
    *,
    shoe: Iterable[int] | str | None = None,
    strategy: Chart | None = None,
) -> Returns:
    """Return what the main wager is worth: by the best play, or by a chart.

    shoe : ten counts by value, ace first, of a partly used shoe
    Raises RequestError for rules, a pay table, a shoe or a chart that can't be played.
    """
    game = problem(rules, paytable, shoe)
    if strategy is None:
        _, played = _solved(rules, paytable, game.shoe)
    else:
        played = twentyone.play(game, chart_policy(strategy, game))
    prizes = []
    if rules.super_bonus:
        prizes.append(_prize("super_bonus", played.super_bonus, super_bonus_dollars(rules.bet), rules.bet))
        if rules.other_bettors:
            # by exchangeability another bettor who plays the same way has the same chance
            prizes.append(_prize("envy", rules.other_bettors * played.super_bonus, ENVY, rules.bet))
    return family.priced(STEM, rules._asdict(), paytable, played, strategy, prizes)


def _prize(name: str, probability: float, dollars: float, bet: float) -> Event:
    pays = Fraction(dollars) / Fraction(bet)
    return Event(name, probability, probability * float(pays), pays, on_top=True)


def strategy(
    rules: Rules,
    paytable: PayTable,
    *,
    strategy_class: StrategyClass = "composition_dependent",
    shoe: Iterable[int] | str | None = None,
    chart: Chart | None = None,
) -> Strategy:
    """Return the best play of a class, with the EV of every action, and a chart.

    `composition_dependent` has a cell for every composition, and is the optimum; its chart follows it as closely as
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
    doubles: int = 0,
    shoe: Iterable[int] | str | None = None,
    chart: Chart | None = None,
) -> Explanation:
    """Return what every action on a hand is worth, given no dealer blackjack, and why.

    cards   : two and more, with suits or without: `7s 8h`, `A 2 K`
    shown   : the upcard; 10 is any ten-valued card, as in charts
    doubles : doubles made before
    shoe    : ten counts by value, ace first, before the round: hand and upcard are among them
    chart   : whose advice is set beside the best play; by default the chart derived from it
    Raises RequestError for rules, a pay table or a shoe that can't be played, and cards that can't be dealt.
    """
    game = problem(rules, paytable, shoe)
    if shown is None:
        raise RequestError(f'no upcard; expected one of {", ".join(UPCARDS)}, such as: explain {STEM} "7s 8h" 9')
    spot = read_spot(game, "spanish", cards, shown, doubles)
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
    strategy: Strategy | Chart | None = None,
    shoe: Iterable[int] | str | None = None,
    seats: int = 1,
    penetration: float = 0,
    burn: int = 0,
    beside: Sequence[SideBet] = (),
    by_hand: bool = False,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal and play rounds by a strategy or a chart, or by the best play; by default, a fresh shoe each and one player.

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

    Super Bonuses are a part of the net result. Envy is where several seats play, and `other_bettors` are all but one
    of them; it is not where a single one does, for the other bettors' hands are not dealt.
    Raises RequestError for what can't be played, and for a number of rounds or a seed that makes no sense.
    """
    montecarlo.check(rounds, seed)
    game = problem(rules, paytable, shoe)
    family.check_beside(beside, rules.decks, "spanish")
    if seats > 1 and rules.super_bonus and rules.other_bettors not in (0, seats - 1):
        raise RequestError(
            f"other_bettors is {rules.other_bettors} with {seats} seats; expected {seats - 1}, all the others, or 0"
        )
    policy = followed(STEM, rules.decks, game, strategy, lambda: _solved(rules, paytable, game.shoe)[0].policy)
    envy = _in_bets(ENVY, rules) if rules.super_bonus and rules.other_bettors else None
    chunk = at_table(
        rounds_by(rules, paytable, policy), game.shoe, shoe, seats, penetration, burn, beside, by_hand, envy
    )
    chunk.check(paytable.name)
    return montecarlo.run(chunk, rounds, seed, **running)


def rounds_by(rules: Rules, paytable: PayTable, policy: Policy) -> Rounds:
    """Return rounds by a policy as the simulation deals them, of one player with a fresh shoe each."""
    paid = {event: paytable.pay(event) for event in EVENTS if event in paytable.pays}
    settled = settlement(paid, rescue_forfeits_half=rules.rescue_forfeits == "half_of_wager")
    void = {} if rules.card_count_bonus_after_split else dict.fromkeys(EVENTS[1:4], settled["twenty_one"])
    return Rounds(
        house=House(
            hits_soft_17=rules.dealer_hits_soft_17,
            max_hands=rules.max_hands,
            ace_hands=rules.max_hands,
            twenty_one_wins=True,
            peeks=True,
            super_bonus_by_suit=rules.decks > 2,
        ),
        shoe=tuple(fresh_shoe(rules).values()),
        play=lay_out(policy),
        settled=settled,
        split_settled=settled | void,
        prize=_in_bets(super_bonus_dollars(rules.bet), rules) if rules.super_bonus else None,
    )


def _in_bets(dollars: float, rules: Rules) -> Fraction:
    return Fraction(str(dollars)) / Fraction(str(rules.bet))
