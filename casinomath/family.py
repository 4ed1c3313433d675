"""What the games of the family of 21 do alike: a round priced as Returns, decisions as a Strategy, a table as Rounds.

A game says what its rules and its pay table mean twice, without sharing a word: to the exact engine, as a Problem, and
to the dealer of a simulation, as Rounds. The rest is here.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from math import inf
from typing import Any

import numpy as np

from casinomath import twentyone
from casinomath.beside import SideBet
from casinomath.cards import UPCARDS, VALUES, Deck, Pack, cards_left
from casinomath.charts import chart_cells, chart_policy, derive_chart
from casinomath.decisions import Groups, composition_cells
from casinomath.errors import RequestError, unknown
from casinomath.kernels.actions import DOUBLE, ENDINGS, HIT, RESCUE, SPLIT, SPLIT_ENDINGS, STAGES, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.seats import MOST_SEATS
from casinomath.paytable import PayTable
from casinomath.returns import Event, Returns
from casinomath.rounds import Rounds, TableRounds
from casinomath.strategy import Chart, Strategy, StrategyClass
from casinomath.total_play import best_chart, chart_played, pricing
from casinomath.worths import priceable


def shoe_left(shoe: Iterable[int] | str | None, decks: int, deck: Deck, max_hands: int) -> tuple[int, ...]:
    """Return the counts of a shoe by value, by default of so many fresh decks.

    Raises RequestError for no shoe of these decks, and for one that may run out before a round is over.
    """
    counts = cards_left(shoe, decks, deck)
    if shoe is None:
        return counts
    # A hand draws to at most 20 and the dealer to at most 16 (hard), so finished hands hold at most 30 each: a shoe
    # worth more than all of them can't run out.
    most = max(1, min(max_hands, max(counts)))
    worth = sum(count * (value + 1) for value, count in enumerate(counts))
    if worth <= 30 * most + 16:
        raise RequestError(
            f"the shoe holds {sum(counts)} cards worth {worth} points: too few to finish every round of up to {most} "
            f"hands; expected more than {30 * most + 16} points (an ace is 1)"
        )
    return counts


# ---------------------------------------------------------------------------------------------------------------------
# Returns


def priced(
    stem: str,
    rules: Mapping[str, Any],
    paytable: PayTable,
    played: twentyone.Round,
    chart: Chart | None,
    on_top: Iterable[Event] = (),
) -> Returns:
    """Return what becomes of a round as Returns.

    chart  : what it was played by, None for the best play
    on_top : prizes that are paid besides
    """
    game = played.problem
    events = [
        Event(
            event=name,
            probability=float(probability),
            returned=float(probability * pay),
            pays=paytable.pay(name) if name in paytable.pays else Fraction(pay),
        )
        for name, probability, pay in zip(ENDINGS, played.ends.sum(axis=0), game.ending_pays, strict=True)
        if probability > 0
    ]
    splits = zip(played.split_rounds.sum(axis=0), played.split_returns.sum(axis=0), strict=True)
    for number, (probability, returned) in enumerate(splits, start=2):
        if probability > 0:
            events.append(Event(f"split_to_{number}_hands", float(probability), float(returned)))
    hands_by_ending = np.concatenate([ends.sum(axis=(0, 1)) for ends in (played.split_ends, played.free_ends)])
    pays_by_ending = np.concatenate([game.split_ending_pays, game.free_hand.ending_pays])
    return Returns(
        game=stem,
        bet="main",
        rules=rules,
        paytable=paytable.name,
        method="float64",
        events=(*events, *on_top),
        average_wager=played.average_wager,
        details={
            "strategy": "composition_dependent" if chart is None else chart.name,
            "splits": "cdz_minus" if chart is None else "as the chart says",
            "shoe": list(game.shoe),
            "split_hands": [
                {"ending": name, "hands_per_round": float(expected), "return": float(expected * pay)}
                for name, expected, pay in zip(SPLIT_ENDINGS, hands_by_ending, pays_by_ending, strict=True)
                if expected > 1e-15
            ],
            "by_upcard": by_upcard(played),
            "insurance_ev": insurance_ev(game),
        },
    )


def by_upcard(played: twentyone.Round) -> dict[str, float]:
    """Return the part of the EV that rounds with each upcard bring, fixed prizes left out."""
    game = played.problem
    parts = played.ends @ game.ending_pays + played.split_returns.sum(axis=1)
    by_value = dict(zip(VALUES, parts.tolist(), strict=True))
    return {upcard: by_value[upcard] for upcard in UPCARDS}


def insurance_ev(game: twentyone.Problem) -> float | None:
    """Return the EV of insurance at 2:1 per unit of its own wager, given only that the upcard is an ace.

    None where the shoe has no ace, or nothing else.
    """
    unseen = sum(game.shoe) - game.table.taken
    return 3 * game.shoe[9] / unseen - 1 if game.shoe[0] and unseen else None


# ---------------------------------------------------------------------------------------------------------------------
# Strategies


def strategy(
    stem: str,
    rules: Mapping[str, Any],
    paytable: PayTable,
    solution: twentyone.Solution,
    played: twentyone.Round,
    strategy_class: StrategyClass,
    chart: Chart | None,
) -> Strategy:
    """Return the best play of a class with the EV of every action; a chart takes the best one's place.

    The EVs of a chart are those when it goes on, as often as it comes to decide. Where hands may carry free bets its
    policy is two, theirs being the second; the chart is then derived from the best play, and the EVs are that one's.
    """
    game = solution.problem
    if strategy_class == "total_dependent" and priceable(game):
        chart = chart or best_chart(game)
        decided, policy = chart_played(chart, pricing(game)).cells(), chart_policy(chart, game)
        return Strategy(stem, rules, paytable.name, strategy_class, tuple(decided), chart, policy)
    groups = [Groups(solution, played)]
    if solution.free is not None:
        groups.append(Groups(solution, played, free=True))
    chart = chart or derive_chart(groups[0], "derived", *groups[1:])
    if strategy_class == "total_dependent":
        cells = [cell for each in groups for cell in chart_cells(each, chart)]
        policies = [chart_policy(chart, each.problem) for each in groups]
    else:
        cells = [cell for each in groups for cell in composition_cells(each)]
        policies = [each.solution.policy for each in groups]
    followed = policies[0] if solution.free is None else tuple(policies)
    return Strategy(stem, rules, paytable.name, strategy_class, tuple(cells), chart, followed)


def check_class(strategy_class: StrategyClass, chart: Chart | None) -> None:
    """Raise RequestError for a class of strategies that there is not, and a chart with one that has none."""
    classes = ("composition_dependent", "total_dependent")
    if strategy_class not in classes:
        raise unknown("strategy class", strategy_class, classes)
    if chart is not None and strategy_class != "total_dependent":
        raise RequestError(f"a chart says what a total_dependent strategy does, not a {strategy_class} one")


def followed(
    stem: str,
    decks: float,
    game: twentyone.Problem,
    strategy: Strategy | Chart | None,
    best: Callable[[], Policy],
) -> Policy:
    """Return the decisions to play by; RequestError for a strategy that the rules can't follow.

    decks : infinity for an endless shoe
    best  : the best play, asked for where there is no strategy
    """
    if strategy is None:
        return best()
    if isinstance(strategy, Chart):
        return chart_policy(strategy, game)
    if strategy.strategy_class == "total_dependent":
        return chart_policy(strategy.chart, game)
    policy = strategy.policy
    if strategy.game != stem or not isinstance(policy, Policy):
        raise RequestError(f"the strategy is one of {strategy.game}; expected one of {stem}")
    if float(strategy.rules["decks"]) < decks:
        raise RequestError(
            f"the strategy was made for {strategy.rules['decks']} decks: "
            f"it does not know the hands that only {decks:g} decks can deal"
        )
    if breach := _breach(policy, game):
        raise RequestError(f"the strategy was made for other rules: it {breach}, which these do not allow")
    return policy


def _breach(policy: Policy, game: twentyone.Problem) -> str | None:
    """What a policy does that the rules do not allow."""
    table, held = game.table, hands().size >= 2
    two_cards = np.concatenate([policy.first, policy.suited_first], axis=None)

    def does(play: np.ndarray[Any, Any], action: int, allowed: np.ndarray[Any, Any]) -> bool:
        return bool((play[:, held & ~allowed] == action).any())

    breaches = {
        f"doubles a hand more than {table.max_doubles} times": DOUBLE in policy.after[table.max_doubles - 1 :],
        "rescues": not table.rescue and RESCUE in policy.after[: table.max_doubles],
        "surrenders": not table.surrender and SURRENDER in two_cards,
        "splits": game.max_hands == 1 and SPLIT in two_cards,
        "doubles other hands": any(does(play, DOUBLE, game.may_double) for play in (policy.first, policy.play)),
        "doubles split hands": does(policy.split_play, DOUBLE, game.split_may_double),
        "doubles split aces": does(policy.aces_play, DOUBLE, game.aces_may_double),
        "hits split aces": does(policy.aces_play, HIT, game.aces_may_hit | (hands().total == 21)),
    }
    return next((breach for breach, found in breaches.items() if found), None)


# ---------------------------------------------------------------------------------------------------------------------
# Simulation


def settlement(paid: Mapping[str, Fraction], rescue_forfeits_half: bool = True) -> dict[str, tuple[Fraction, int]]:
    """Return the net result and the total wagered, in initial wagers, of every way a hand can end.

    The simulation's own reading of the rules and the pay table: the exact engine has another.
    paid : what the pay table pays
    """
    even = {"twenty_one": 1, "win": 1, "push": 0, "loss": -1, "bust": -1, "dealer_blackjack": -1}
    plain = dict.fromkeys(ENDINGS, (Fraction(0), 1))  # what no table of these rules pays never happens
    plain |= {ending: (Fraction(result), 1) for ending, result in even.items()}
    plain["surrender"] = (Fraction(-1, 2), 1)
    for doubles, stage in enumerate(STAGES, start=1):
        wager = 2**doubles
        plain |= {f"{stage}_{ending}": (Fraction(result * wager), wager) for ending, result in even.items()}
        plain[f"{stage}_rescue"] = (-Fraction(wager, 2) if rescue_forfeits_half else Fraction(-1), wager)
    return plain | {event: (pays, 1) for event, pays in paid.items()}


def at_table(
    alone: Rounds,
    counts: tuple[int, ...],
    shoe: Iterable[int] | str | None,
    seats: int,
    penetration: float,
    burn: int,
    beside: Sequence[SideBet],
    by_hand: bool,
    envy: Fraction | None = None,
) -> Rounds:
    """Return the rounds of one player with a fresh shoe, or of a table where more is asked for.

    alone  : those of one player
    counts : cards by value in the shoe
    Raises RequestError for a table that can't be dealt.
    """
    cut = _cut(penetration, sum(counts), seats, burn)
    if seats == 1 and cut == burn == 0 and not beside and not by_hand and shoe is None:
        return alone
    return TableRounds(
        **{each.name: getattr(alone, each.name) for each in fields(alone)} | {"shoe": counts},
        full=alone.shoe,
        seats=seats,
        cut=cut,
        burn=burn,
        envy=envy if seats > 1 else None,
        beside=tuple(beside),
        by_hand=by_hand,
    )


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


def check_beside(beside: Sequence[SideBet], decks: int, pack: Pack) -> None:
    """Raise RequestError for bets on the side that are made for another shoe, and for one that is made twice."""
    names = [bet.name for bet in beside]
    for bet in beside:
        if (bet.decks, bet.pack) != (decks, pack):
            raise RequestError(
                f"{bet.name} is made for {bet.decks} {bet.pack} decks; expected {decks} {pack} decks, as the game has"
            )
        if names.count(bet.name) > 1:
            raise RequestError(f"{bet.name} is made twice in a round")
