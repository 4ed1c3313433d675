"""Spanish 21: blackjack without tens, with bonuses for certain 21s, rescue and redoubling.

Method: exact by composition in double precision, suits included; split hands by `cdz_minus` (see `twentyone`).
Source: ``data/spanish21.toml``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import fields
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Literal, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from casinomath import montecarlo, twentyone
from casinomath.beside import SideBet
from casinomath.cards import SPANISH, UPCARDS, VALUES, by_value, cards_left, check_decks
from casinomath.charts import chart_cells, chart_policy, derive_chart
from casinomath.decisions import Groups, composition_cells
from casinomath.errors import RequestError, unknown
from casinomath.explanation import Explanation
from casinomath.kernels.actions import (
    DOUBLE,
    ENDINGS,
    RESCUE,
    SPLIT,
    STAGES,
    SURRENDER,
    Policy,
)
from casinomath.kernels.rounds import House, lay_out
from casinomath.kernels.seats import MOST_SEATS
from casinomath.kernels.twentyone import Table
from casinomath.paytable import PayTable
from casinomath.returns import Event, Returns
from casinomath.rounds import Rounds, TableRounds
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
    if not 0 < rules.bet < float("inf"):
        raise RequestError(f"bet is {rules.bet}; expected dollars above 0")
    if rules.super_bonus and rules.bet < SUPER_BONUS[-1][0]:
        raise RequestError(f"bet is {rules.bet}; the Super Bonus needs a bet of ${SUPER_BONUS[-1][0]:g} or more")
    spare = EVENTS[-2:] if rules.decks <= 2 else ()
    paytable.check([event for event in EVENTS if event not in spare], optional=spare)


def super_bonus_dollars(bet: float) -> float:
    """Return the Super Bonus that a bet of so many dollars wins."""
    return next((prize for least, prize in SUPER_BONUS if bet >= least), 0.0)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, "spanish")


def _shoe(rules: Rules, shoe: Iterable[int] | str | None) -> NDArray[np.int64]:
    counts = np.array(cards_left(shoe, rules.decks, SPANISH), dtype=np.int64)
    if shoe is None:
        return counts
    # A hand draws to at most 20 and the dealer to at most 16 (hard), so finished hands hold at most 30 each: a shoe
    # worth more than all of them can't run out.
    hands = max(1, min(rules.max_hands, int(counts.max())))
    worth = int(counts @ np.arange(1, 11))
    if worth <= 30 * hands + 16:
        raise RequestError(
            f"the shoe holds {counts.sum()} cards worth {worth} points: too few to finish every round of up to {hands} "
            f"hands; expected more than {30 * hands + 16} points (an ace is 1)"
        )
    return counts


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
        shoe=tuple(int(count) for count in _shoe(rules, shoe)),
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
    events = [
        Event(
            event=name,
            probability=float(probability),
            returned=float(probability * pay),
            pays=_fraction(name, pay, paytable),
        )
        for name, probability, pay in zip(ENDINGS, played.ends.sum(axis=0), game.ending_pays, strict=True)
        if probability > 0
    ]
    for hands, (probability, ends) in enumerate(
        zip(played.split_rounds.sum(axis=0), played.split_ends.sum(axis=0), strict=True), start=2
    ):
        if probability > 0:
            events.append(Event(f"split_to_{hands}_hands", float(probability), float(ends @ game.split_ending_pays)))
    if rules.super_bonus:
        events.append(_prize("super_bonus", played.super_bonus, super_bonus_dollars(rules.bet), rules.bet))
        if rules.other_bettors:
            # by exchangeability another bettor who plays the same way has the same chance
            events.append(_prize("envy", rules.other_bettors * played.super_bonus, ENVY, rules.bet))
    return Returns(
        game=STEM,
        bet="main",
        rules=rules._asdict(),
        paytable=paytable.name,
        method="float64",
        events=tuple(events),
        average_wager=played.average_wager,
        details={
            "strategy": "composition_dependent" if strategy is None else strategy.name,
            "splits": "cdz_minus" if strategy is None else "as the chart says",
            "shoe": list(game.shoe),
            "split_hands": [
                {"ending": name, "hands_per_round": float(expected), "return": float(expected * pay)}
                for name, expected, pay in zip(
                    ENDINGS, played.split_ends.sum(axis=(0, 1)), game.split_ending_pays, strict=True
                )
                if expected > 1e-15
            ],
            "by_upcard": by_upcard(played),
            "insurance_ev": insurance_ev(game.shoe),
        },
    )


def _prize(name: str, probability: float, dollars: float, bet: float) -> Event:
    pays = Fraction(dollars) / Fraction(bet)
    return Event(name, probability, probability * float(pays), pays, on_top=True)


def _fraction(ending: str, pay: float, paytable: PayTable) -> Fraction:
    return paytable.pay(ending) if ending in paytable.pays else Fraction(pay)


def by_upcard(played: twentyone.Round) -> dict[str, float]:
    """Return the part of the EV that rounds with each upcard bring, fixed prizes left out."""
    game = played.problem
    parts = played.ends @ game.ending_pays + (played.split_ends @ game.split_ending_pays).sum(axis=1)
    by_value = dict(zip(VALUES, parts.tolist(), strict=True))
    return {upcard: by_value[upcard] for upcard in UPCARDS}


def insurance_ev(shoe: Iterable[int]) -> float | None:
    """Return the EV of insurance at 2:1 per unit of its own wager, given only that the upcard is an ace.

    None where the shoe has no ace, or nothing else.
    """
    counts = list(shoe)
    unseen = sum(counts) - 1
    return 3 * counts[9] / unseen - 1 if counts[0] and unseen else None


def strategy(
    rules: Rules,
    paytable: PayTable,
    *,
    strategy_class: StrategyClass = "composition_dependent",
    shoe: Iterable[int] | str | None = None,
    chart: Chart | None = None,
) -> Strategy:
    """Return the best play, with the EV of every action, and the chart derived from it.

    `total_dependent` has a cell for each total, number of cards and upcard, and its policy is the chart's;
    `composition_dependent` has a cell for every composition, and is the optimum.
    chart : a chart to say the actions of `total_dependent` in the derived one's place; the EVs stay those of best play
    """
    classes = ("composition_dependent", "total_dependent")
    if strategy_class not in classes:
        raise unknown("strategy class", strategy_class, classes)
    if chart is not None and strategy_class != "total_dependent":
        raise RequestError(f"a chart says what a total_dependent strategy does, not a {strategy_class} one")
    game = problem(rules, paytable, shoe)
    solution, played = _solved(rules, paytable, game.shoe)
    groups = Groups(solution, played)
    chart = chart or derive_chart(groups, "derived")
    if strategy_class == "total_dependent":
        cells, policy = chart_cells(groups, chart), chart_policy(chart, game)
    else:
        cells, policy = composition_cells(groups), solution.policy
    return Strategy(STEM, rules._asdict(), paytable.name, strategy_class, tuple(cells), chart, policy)


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
    groups = Groups(*_solved(rules, paytable, game.shoe))
    return explained(STEM, rules._asdict(), paytable.name, groups, chart or derive_chart(groups, "derived"), spot)


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
    counts = _shoe(rules, shoe)
    cut = _cut(penetration, int(counts.sum()), seats, burn)
    _check_beside(rules, beside)
    if seats > 1 and rules.super_bonus and rules.other_bettors not in (0, seats - 1):
        raise RequestError(
            f"other_bettors is {rules.other_bettors} with {seats} seats; expected {seats - 1}, all the others, or 0"
        )
    alone = _rounds(rules, paytable, _policy(rules, paytable, strategy, shoe))
    chunk = alone
    if seats > 1 or cut > 0 or burn > 0 or beside or by_hand or shoe is not None:
        envy = rules.super_bonus and rules.other_bettors > 0 and seats > 1
        chunk = TableRounds(
            **{each.name: getattr(alone, each.name) for each in fields(alone)} | {"shoe": tuple(counts.tolist())},
            full=alone.shoe,
            seats=seats,
            cut=cut,
            burn=burn,
            envy=_in_bets(ENVY, rules) if envy else None,
            beside=tuple(beside),
            by_hand=by_hand,
        )
    chunk.check(paytable.name)
    return montecarlo.run(chunk, rounds, seed, **running)


def _cut(penetration: float, cards: int, seats: int, burn: int) -> int:
    """The number of cards dealt before the cut card; RequestError for a table that can't be dealt."""
    numbers: tuple[tuple[str, object], ...] = (("seats", seats), ("burn", burn))
    for name, given in numbers:
        if not isinstance(given, int) or isinstance(given, bool):
            raise RequestError(f"{name} is {given!r}; expected a whole number")
    if not 1 <= seats <= MOST_SEATS:
        raise RequestError(f"seats is {seats}; expected 1 to {MOST_SEATS}")
    needed = 2 * seats + 2
    if not 0 <= burn <= cards - needed:
        raise RequestError(
            f"burn is {burn}; expected 0 to {max(0, cards - needed)}: of {cards} cards, a round of {seats} seats needs "
            f"{needed} to begin with"
        )
    expected = f"expected a part of the shoe below 1, such as 0.75, or up to {cards - needed} cards"
    if not 0 <= penetration < inf:
        raise RequestError(f"penetration is {penetration:g}; {expected}")
    cut = round(penetration * cards) if penetration < 1 else int(penetration)
    if penetration == 1 or (penetration > 1 and cut != penetration):
        raise RequestError(f"penetration is {penetration:g}; {expected}")
    if cut > cards:
        raise RequestError(f"penetration is {penetration:g}; the shoe holds {cards} cards; {expected}")
    if cut > cards - needed:
        raise RequestError(
            f"penetration is {penetration:g}, which leaves {cards - cut} of {cards} cards behind the cut card; a round "
            f"of {seats} seats needs {needed} to begin with; {expected}"
        )
    return cut


def _check_beside(rules: Rules, beside: Sequence[SideBet]) -> None:
    names = [bet.name for bet in beside]
    for bet in beside:
        if (bet.decks, bet.pack) != (rules.decks, "spanish"):
            raise RequestError(
                f"{bet.name} is made for {bet.decks} {bet.pack} decks; expected {rules.decks} spanish decks, as the "
                "game has"
            )
        if names.count(bet.name) > 1:
            raise RequestError(f"{bet.name} is made twice in a round")


def _rounds(rules: Rules, paytable: PayTable, policy: Policy) -> Rounds:
    settled = settlement(rules, paytable)
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


def settlement(rules: Rules, paytable: PayTable) -> dict[str, tuple[Fraction, int]]:
    """Return the net result and the total wagered, in initial wagers, of every way a hand can end.

    The simulation's own reading of the rules and the pay table: the exact engine has another.
    """
    paid = {event: (paytable.pay(event), 1) for event in EVENTS if event in paytable.pays}
    never = dict.fromkeys(EVENTS[-2:], (Fraction(0), 1))  # with two decks a pay table may leave them out
    even = {"twenty_one": 1, "win": 1, "push": 0, "loss": -1, "bust": -1}
    plain = {ending: (Fraction(result), 1) for ending, result in even.items()}
    plain |= {"surrender": (Fraction(-1, 2), 1), "dealer_blackjack": (Fraction(-1), 1)}
    for doubles, stage in enumerate(STAGES, start=1):
        wager = 2**doubles
        forfeit = Fraction(wager, 2) if rules.rescue_forfeits == "half_of_wager" else Fraction(1)
        plain |= {f"{stage}_{ending}": (Fraction(result * wager), wager) for ending, result in even.items()}
        plain[f"{stage}_rescue"] = (-forfeit, wager)
        plain[f"{stage}_dealer_blackjack"] = (Fraction(-wager), wager)
    return never | paid | plain


def _in_bets(dollars: float, rules: Rules) -> Fraction:
    return Fraction(str(dollars)) / Fraction(str(rules.bet))


def _policy(
    rules: Rules, paytable: PayTable, strategy: Strategy | Chart | None, shoe: Iterable[int] | str | None = None
) -> Policy:
    """The decisions to play by; RequestError for a strategy that these rules can't follow."""
    game = problem(rules, paytable, shoe)
    if strategy is None:
        return _solved(rules, paytable, game.shoe)[0].policy
    if isinstance(strategy, Chart):
        return chart_policy(strategy, game)
    if strategy.strategy_class == "total_dependent":
        return chart_policy(strategy.chart, game)
    policy = strategy.policy
    if strategy.game != STEM or not isinstance(policy, Policy):
        raise RequestError(f"the strategy is one of {strategy.game}; expected one of {STEM}")
    if strategy.rules["decks"] < rules.decks:
        raise RequestError(
            f"the strategy was made for {strategy.rules['decks']} decks: "
            f"it does not know the hands that only {rules.decks} decks can deal"
        )
    two_cards = np.concatenate([policy.first, policy.suited_first], axis=None)
    breaches = {
        f"doubles a hand more than {rules.max_doubles} times": DOUBLE in policy.after[rules.max_doubles - 1 :],
        "rescues": not rules.rescue and RESCUE in policy.after[: rules.max_doubles],
        "surrenders": not rules.late_surrender and SURRENDER in two_cards,
        "splits": rules.max_hands == 1 and SPLIT in two_cards,
    }
    for breach, found in breaches.items():
        if found:
            raise RequestError(f"the strategy was made for other rules: it {breach}, which these do not allow")
    return policy
