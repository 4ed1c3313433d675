"""Ultimate Texas Hold'em: Ante and Blind, and one Play bet, the sooner the larger.

Two cards each, five community cards. Play is up to four antes before the flop, two on it, one after turn and river, or
the hand is folded. The dealer qualifies with a pair; otherwise the Ante is returned. The Blind is paid by its table if
the player wins with a straight or better, and returned for less. Per unit of the Ante, one of two equal wagers.

Method: exact, in integers over 27,813,810,024,000 deals (see `ultimate`). Source: ``data/ultimate_texas_holdem.toml``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import comb, lcm
from typing import Final, NamedTuple, Unpack

import numpy as np

from casinomath import montecarlo, ultimate, ultimate_known, ultimate_rules
from casinomath.cards import POKER_RANKS, cards_text
from casinomath.errors import RequestError, unknown
from casinomath.explanation import Explanation
from casinomath.holes import COMBINATIONS, HANDS, hand_name, preflop_table
from casinomath.kernels.poker import FIVE
from casinomath.paytable import PayTable
from casinomath.pokerbets import bad_beat, five_card_hand_bonus, five_card_progressive, trips
from casinomath.pokerbets.deal import Deal, SideBet
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.strategy import Cell, Chart, Strategy, StrategyClass
from casinomath.ultimate import ENDS, STAGES, Plan, Rounds, Solution, Stakes, deal_rounds
from casinomath.ultimate_known import CommunityCard
from casinomath.ultimate_rules import STRATEGIES as BY_RULE
from casinomath.ultimate_spots import read_seen, weigh

STEM = "ultimate_texas_holdem"
BETS = ("main",)

DEAL: Final = Deal(STEM, own=2, community=3, board=5)
SIDE_BETS: Final[Mapping[str, SideBet]] = {
    bet.BET: SideBet(bet, DEAL) for bet in (trips, bad_beat, five_card_hand_bonus, five_card_progressive)
}

EVENTS = ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight")
"""What the Blind must pay; 0 is a push."""
STRATEGIES: Final = tuple(BY_RULE)
"""Ways to play besides the best, by rules of thumb; see `ultimate_rules`."""
CLASSES: Final[tuple[StrategyClass, ...]] = ("composition_dependent",)
"""The classes of strategy there are: what a chart by totals is in other games has no meaning here."""
OPTIONAL = ("three_of_a_kind", "two_pair", "pair", "high_card")
"""What it may pay besides; it is returned where nothing is said."""

MOST_UNITS: Final = 2_000_000
"""What a pay may come to, in units that make all pays whole: above it sums no longer fit into the tables."""


class Rules(NamedTuple):
    """The rules of Ultimate Texas Hold'em."""

    preflop_raise: int = 4
    """Antes of the largest Play bet before the flop, 3 or 4 as a rule; it is never worth while to make a smaller one.
    More favours the player."""
    flop_bet: int = 2
    """Antes of the Play bet on the flop. More favours the player."""
    dealer_card_seen: bool = False
    """Whether the player knows one of the dealer's two cards from the beginning, as when a dealer shows it. Favours the
    player, more than anything else."""
    community_card_seen: CommunityCard = "none"
    """A community card that the player knows from the beginning: one of the flop. Favours the player."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that can't be priced."""
    for name, antes in (("preflop_raise", rules.preflop_raise), ("flop_bet", rules.flop_bet)):
        if not 1 <= antes <= 10:
            raise RequestError(f"{name} is {antes}; expected 1 to 10 antes")
    paytable.check(EVENTS, OPTIONAL)
    unit = _unit(paytable)
    for event in paytable.pays:
        if unit * (paytable.pay(event) + 3) > MOST_UNITS:
            raise RequestError(
                f"pay table {paytable.name}: {event} pays {paytable.pay(event)}, and all pays are whole in units of "
                f"1/{unit}; expected {max(0, MOST_UNITS // unit - 3):,} to 1 at most"
            )


def nearest_pay(paytable: PayTable, event: str, number: Fraction) -> Fraction:
    """Return the pay of an event nearest to a number that can be priced beside the table's others."""
    others = [paytable.pay(other) for other in paytable.pays if other != event]
    unit = lcm(*(pay.denominator for pay in others))
    number = min(number, Fraction(MOST_UNITS // unit - 3))
    most = max(number + 1, *others) + 3
    finest = unit * max(1, MOST_UNITS // int(unit * most))
    return number if finest % number.denominator == 0 else Fraction(round(number * finest), finest)


def _unit(paytable: PayTable) -> int:
    return lcm(*(paytable.pay(event).denominator for event in paytable.pays))


def stakes(rules: Rules, paytable: PayTable) -> Stakes:
    """Return what is paid, in units."""
    unit = _unit(paytable)
    blind = tuple(int(unit * paytable.pay(name)) if name in paytable.pays else 0 for name in FIVE.categories)
    return Stakes(unit, rules.preflop_raise, rules.flop_bet, blind)


# --- Exact --------------------------------------------------------------------------------------------------


def evaluate(rules: Rules, paytable: PayTable, *, strategy: str | None = None) -> Returns:
    """Return what Ante and Blind are worth by the best play, or one of `STRATEGIES`, per unit of the Ante.

    Details: `decisions`, how often the Play bet is made when, and the hand folded; with a strategy also its `cost`,
    what it loses beside the best play.
    Raises RequestError for rules, a pay table or a strategy that can't be priced.
    """
    check(rules, paytable)
    if sees(rules):
        _refuse_rules_of_thumb(strategy)
        rounds = ultimate_known.together(ultimate_known.solve(stakes(rules, paytable), seen(rules)))
        return _returns(rules, paytable, rounds)
    best = ultimate.solve(stakes(rules, paytable))
    if strategy is None:
        returns = _returns(rules, paytable, ultimate.play(best.plan))
        assert returns.ev_exact == best.ev, "decisions and the rounds that follow from them disagree"
        return returns
    returns = _returns(rules, paytable, ultimate.play(_plan(strategy, best)))
    assert returns.ev_exact is not None
    cost = best.ev - returns.ev_exact
    return replace(returns, details={**returns.details, "strategy": strategy, "cost": float(cost)})


def _plan(strategy: str | None, best: Solution) -> Plan:
    if strategy is None:
        return best.plan
    if strategy not in STRATEGIES:
        raise unknown(f"strategy of {STEM}:", strategy, STRATEGIES)
    return ultimate_rules.plan(strategy, best)


def sees(rules: Rules) -> bool:
    """Return whether the player knows a card that should not be seen."""
    return rules.dealer_card_seen or rules.community_card_seen != "none"


def seen(rules: Rules) -> ultimate_known.Seen:
    """Return what the player knows from the beginning."""
    return ultimate_known.Seen(rules.dealer_card_seen, rules.community_card_seen)


def _refuse_rules_of_thumb(strategy: str | None) -> None:
    if strategy is not None:
        raise RequestError(f"strategy {strategy} knows nothing of cards that are seen; expected composition_dependent")


def _returns(rules: Rules, paytable: PayTable, rounds: Rounds) -> Returns:
    wagers = {"preflop": rules.preflop_raise, "flop": rules.flop_bet, "river": 1, "fold": 0}
    deals = rounds.deals
    wagered = sum(number * (2 + wagers[stage]) for stage, number in rounds.by_stage.items())
    outcomes = [
        Outcome(event, Fraction(number, deals), net) for event, net, number in _outcomes(rules, paytable, rounds)
    ]
    frequency = {stage: number / deals for stage, number in rounds.by_stage.items()}
    returns = exact_returns(STEM, "main", rules._asdict(), paytable.name, outcomes, deals, {"decisions": frequency})
    return replace(returns, average_wager=float(Fraction(wagered, deals)))


def _outcomes(rules: Rules, paytable: PayTable, rounds: Rounds) -> Iterator[tuple[str, Fraction, int]]:
    """Every way a round ends: its name, its net result in antes, and its deals."""
    plays = (rules.preflop_raise, rules.flop_bet, 1)
    for stage, play in zip(STAGES, plays, strict=True):
        ends = rounds.played[stage]
        for place, name in reversed(list(enumerate(FIVE.categories))):
            blind = paytable.pay(name) if name in paytable.pays else Fraction(0)
            hand = f"_{name}" if name in paytable.pays else ""
            for end, ante in zip(ENDS[:2], (1, 0), strict=True):
                event = f"{stage}_{end.replace('win', 'win' + hand, 1)}"
                yield event, play + ante + blind, int(ends[place, ENDS.index(end)])
        totals = ends.sum(axis=0)
        for end, net in zip(ENDS[2:], (-play - 2, -play - 1, 0), strict=True):
            yield f"{stage}_{end}", Fraction(net), int(totals[ENDS.index(end)])
    yield "fold", Fraction(-2), rounds.folded


# --- Decisions ----------------------------------------------------------------------------------------------


def strategy(rules: Rules, paytable: PayTable, *, strategy_class: StrategyClass = "composition_dependent") -> Strategy:
    """Return the best play: what every hand is worth before the flop, raised and checked, and every later decision.

    The chart has a table `preflop`, suited hands above the diagonal. Decisions on the flop and the river are the
    policy's; `explain` says what they are worth for given cards.
    """
    if strategy_class not in CLASSES:
        raise unknown(f"strategy class of {STEM}:", strategy_class, CLASSES)
    check(rules, paytable)
    raises = tuple(range(rules.preflop_raise, min(rules.preflop_raise, 3) - 1, -1))
    if sees(rules):
        return _seeing_strategy(rules, paytable, raises)
    solution = ultimate.solve(stakes(rules, paytable))
    cells = []
    for place, hand in enumerate(HANDS):
        evs = solution.evs(place, raises)
        action = f"raise_{rules.preflop_raise}x" if solution.plan.raised[place] else "check"
        cells.append(
            Cell(
                hand=hand,
                cards=f"{hand[0]}s {hand[1]}{'s' if hand.endswith('s') else 'h'}",
                upcard="",
                action=action,
                evs={name: float(ev) for name, ev in evs.items()},
                frequency=COMBINATIONS[place] / sum(COMBINATIONS),
            )
        )
    codes = {cell.hand: f"{rules.preflop_raise}x" if cell.action != "check" else "C" for cell in cells}
    chart = Chart("preflop", {"preflop": preflop_table(codes)})
    return Strategy(STEM, rules._asdict(), paytable.name, strategy_class, tuple(cells), chart, solution)


def _seeing_strategy(rules: Rules, paytable: PayTable, raises: tuple[int, ...]) -> Strategy:
    """The play before the flop against each card of the dealer's; `*` in the chart: only where the suits are right."""
    if rules.community_card_seen != "none":
        raise RequestError(
            "with a community card seen there are thousands of hands before the flop; ask explain for one"
        )
    cases = ultimate_known.solve(stakes(rules, paytable), seen(rules))
    cells = []
    for case in cases:
        for holding in case.holdings():
            evs = case.evs(holding.group, raises)
            cells.append(
                Cell(
                    hand=hand_name(*holding.cards),
                    cards=cards_text(holding.cards),
                    upcard=POKER_RANKS[case.dealer // 4],
                    action=f"raise_{rules.preflop_raise}x" if case.spot.raised[holding.group] else "check",
                    evs={name: float(ev) for name, ev in evs.items()},
                    frequency=4 * holding.number / (52 * comb(51, 2)),
                    suits=holding.suits,
                )
            )
    codes: dict[str, dict[str, str]] = {hand: {} for hand in HANDS}
    for rank in POKER_RANKS[::-1]:
        for hand, row in codes.items():
            raised = [cell.action != "check" for cell in cells if (cell.hand, cell.upcard) == (hand, rank)]
            if raised:
                row[rank] = f"{rules.preflop_raise}x{'' if all(raised) else '*'}" if any(raised) else "C"
    chart = Chart("preflop", {"preflop": codes})
    return Strategy(STEM, rules._asdict(), paytable.name, CLASSES[0], tuple(cells), chart, cases)


def explain(rules: Rules, paytable: PayTable, *, cards: str, shown: str | None = None) -> Explanation:
    """Return what each decision is worth on two cards, before the flop, on it, or on all five community cards.

    shown : the board: nothing, three cards or five, such as `Qh 7d 2c`. Where a card of the dealer's is seen it comes
            first; where one of the flop is, it stands alone before the flop
    Raises RequestError for rules, a pay table or cards that make no sense.
    """
    check(rules, paytable)
    spot = read_seen(cards, shown, seen(rules))
    weighed = weigh(spot, stakes(rules, paytable))
    return Explanation(
        game=STEM,
        question=spot.question,
        rules=rules._asdict(),
        paytable=paytable.name,
        measure="ev",
        evs=weighed.evs,
        # the last is the one that puts up nothing, and wins ties
        best=max(reversed(weighed.evs), key=weighed.evs.__getitem__),
        sections=weighed.sections,
        notes=("In antes; later decisions are the best.",),
    )


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    *,
    strategy: str | None = None,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal and play rounds by the best play, or one of `STRATEGIES`.

    Of that play are the decisions before and on the flop. On the river every hand that the dealer may have is looked
    at, in every round anew, unless the strategy has a rule for it.
    Raises RequestError for rules, a pay table, a strategy, rounds or a seed that make no sense.
    """
    montecarlo.check(rounds, seed)
    check(rules, paytable)
    if sees(rules):
        _refuse_rules_of_thumb(strategy)
        ultimate_known.decided(stakes(rules, paytable), seen(rules))  # worked out once, before threads share it
        return montecarlo.run(Dealing(rules, paytable), rounds, seed, **running)
    plan = _plan(strategy, ultimate.solve(stakes(rules, paytable)))
    by_rule = strategy is not None and "river" in BY_RULE[strategy]
    return montecarlo.run(Dealing(rules, paytable, plan, by_rule), rounds, seed, **running)


@dataclass(frozen=True)
class Dealing:
    """Rounds dealt, played and settled: a chunk to be run anywhere."""

    rules: Rules
    paytable: PayTable
    plan: Plan | None = None
    """None where the player sees a card: then the best play is worked out."""
    river_by_plan: bool = False
    """Whether the plan decides the river too, and not a look at the dealer's hands."""

    def __call__(self, rounds: int, state: montecarlo.Words) -> montecarlo.Sample:
        """Play so many rounds."""
        table = stakes(self.rules, self.paytable)
        if self.plan is None:
            decided = ultimate_known.decided(table, seen(self.rules))
            ends, folded = ultimate.deal_decided(rounds, state, decided, table)
        else:
            ends, folded = deal_rounds(rounds, state, self.plan, table, by_table=self.river_by_plan)
        unit = Fraction(1, _unit(self.paytable))
        outcomes: Counter[tuple[int, int]] = Counter()
        events: Counter[str] = Counter()
        for (stage, hand, end), number in np.ndenumerate(ends):
            if number:
                event, net, wagered = self.settle(STAGES[stage], FIVE.categories[hand], ENDS[end])
                outcomes[int(net / unit), int(wagered / unit)] += int(number)
                events[event] += int(number)
        if folded:
            outcomes[int(-2 / unit), int(2 / unit)] += folded
            events["fold"] += folded
        return montecarlo.Sample(rounds, unit, dict(outcomes), dict(events), {})

    def settle(self, stage: str, hand: str, end: str) -> tuple[str, Fraction, int]:
        """Return the event, the net result and the total wagered of a hand played to its end, bet by bet."""
        play = {"preflop": self.rules.preflop_raise, "flop": self.rules.flop_bet, "river": 1}[stage]
        event, net = f"{stage}_{end}", Fraction(0)
        if end.startswith("win"):
            net += play
            if hand in self.paytable.pays:
                net += self.paytable.pay(hand)
                event = event.replace("_win", f"_win_{hand}")
        elif end.startswith("loss"):
            net -= play + 1
        if end == "win":
            net += 1
        elif end == "loss":
            net -= 1
        return event, net, 2 + play
