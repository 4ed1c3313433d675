"""Free Bet Blackjack: the house pays for doubles and splits, and a dealer's 22 is a push.

A free bet wins like money and is not lost. Doubles of hard 9, 10 and 11 are free, and splits of all pairs but tens: the
first hand keeps the wager, the others carry free bets. Such a hand has nothing to lose, so it has a best play of its
own: there are two strategies, two charts, and two policies to simulate.

Method: exact by composition in double precision; split hands by `cdz_minus`, each kind by its own decisions (see
`twentyone`). An endless shoe is the limit of many decks.
Source: ``data/free_bet_blackjack.toml``.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
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
from casinomath.kernels.actions import ENDINGS, Policy
from casinomath.kernels.rounds import MOST_HANDS, House, lay_out
from casinomath.kernels.twentyone import Table
from casinomath.paytable import PayTable
from casinomath.returns import Returns
from casinomath.rounds import Rounds, Settlement
from casinomath.spots import explained, read_spot
from casinomath.strategy import Chart, Strategy, StrategyClass

STEM = "free_bet_blackjack"
BETS = ("main",)
PACK: Final[Pack] = "standard"
"""What bets on the side are made with."""

EVENTS: Final = ("blackjack",)
"""What a pay table must pay."""

FreeDoubles = Literal["two_cards", "any_cards", "none"]
FreeSplits = Literal["all_but_tens", "all_but_tens_and_fours", "none"]
FOUR, TEN = 3, 9
"""Values as indices."""


class Rules(NamedTuple):
    """The rules of a Free Bet Blackjack table. Defaults: the documents', with six decks, dealer hits soft 17."""

    decks: int | Literal["inf"] = 6
    """Decks of 52 cards, or inf for an endless shoe. More favour the player: pairs are dealt more often."""
    dealer_hits_soft_17: bool = True
    """H17 rather than S17. Favours the house."""
    push_22: bool = True
    """A dealer's 22 pushes every bet in action rather than losing to it. Favours the house: it pays for the rest."""
    free_doubles: FreeDoubles = "two_cards"
    """Free doubles of hard 9, 10 and 11: on two cards, also after a split, on any number of cards, or none. More favour
    the player."""
    free_splits: FreeSplits = "all_but_tens"
    """Pairs that are split with free bets: all but tens, all but tens and fours, or none. More favour the player."""
    double_for_money: bool = True
    """Other hands of two cards may be doubled for money. Favours the player."""
    split_for_money: bool = True
    """Pairs that are not split for free may be split for money. Favours the player."""
    max_hands: int = 4
    """Hands that splitting can make, 1 to 5 (1: no splits). More favour the player."""
    resplit_aces: bool = False
    """RSA: aces, which get one card each, may be split again. Favours the player."""
    late_surrender: bool = False
    """LS: the first two cards may be given up for half the wager after the peek. Favours the player."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    if rules.decks != "inf":
        check_decks(rules.decks, PACK)
    if not 1 <= rules.max_hands <= MOST_HANDS:
        raise RequestError(f"max_hands is {rules.max_hands}; expected 1 to {MOST_HANDS}")
    for name, choices in (("free_doubles", FreeDoubles), ("free_splits", FreeSplits)):
        if getattr(rules, name) not in get_args(choices):
            raise unknown(name, getattr(rules, name), get_args(choices))
    paytable.check_odds(EVENTS)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value; RequestError for an endless one."""
    return by_value(_counted(rules, "cards can't be taken from an endless shoe"), PACK)


def _counted(rules: Rules, why: str) -> int:
    if rules.decks == "inf":
        raise RequestError(f"decks is inf: {why}; expected 1 to 16")
    return rules.decks


def _free_pairs(rules: Rules) -> frozenset[int]:
    never = {"all_but_tens": {TEN}, "all_but_tens_and_fours": {TEN, FOUR}, "none": set(range(10))}
    return frozenset(range(10)) - never[rules.free_splits]


def _free_double_up_to(rules: Rules) -> int:
    return {"two_cards": 2, "any_cards": 21, "none": 0}[rules.free_doubles]


def problem(rules: Rules, paytable: PayTable, shoe: Iterable[int] | str | None = None) -> twentyone.Problem:
    """State the game for the exact engine; RequestError for bad rules, pay table or shoe."""
    check(rules, paytable)
    if shoe is not None:
        _counted(rules, "an endless shoe has no cards left to count")
    decks = 1 if rules.decks == "inf" else rules.decks
    return twentyone.Problem(
        table=Table(
            twenty_one_wins=0,
            double_up_to=2 if rules.double_for_money else 0,
            max_doubles=1,
            rescue=0,
            surrender=int(rules.late_surrender),
            split_aces_draw=0,
            resplit_aces=int(rules.resplit_aces),
            taken=int(rules.decks != "inf"),
            free_double_up_to=_free_double_up_to(rules),
        ),
        shoe=STANDARD if rules.decks == "inf" else family.shoe_left(shoe, decks, STANDARD, rules.max_hands),
        decks=decks,
        hits_soft_17=rules.dealer_hits_soft_17,
        max_hands=rules.max_hands,
        pays={"blackjack": float(paytable.pay("blackjack")), "surrender": -0.5},
        split_pays={},
        pushes_22=rules.push_22,
        free_pairs=_free_pairs(rules),
        paid_pairs=frozenset(range(10)) if rules.split_for_money else frozenset(),
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
    strategy: Chart | None = None,
) -> Returns:
    """Return what the wager is worth: by the best play of both kinds of hands, or by a chart for both.

    shoe : ten counts by value, ace first, of a partly used shoe

    `average_wager` counts money, not free bets. In the details, `split_hands` whose names begin with `free_bet_` carry
    free bets.
    Raises RequestError for rules, a pay table, a shoe or a chart that can't be played.
    """
    game = problem(rules, paytable, shoe)
    if strategy is None:
        _, played = _solved(rules, paytable, game.shoe)
    else:
        free = chart_policy(strategy, game.free_hand) if game.splits_free else None
        played = twentyone.play(game, chart_policy(strategy, game), free_policy=free)
    return family.priced(STEM, rules._asdict(), paytable, played, strategy)


def strategy(
    rules: Rules,
    paytable: PayTable,
    *,
    strategy_class: StrategyClass = "composition_dependent",
    shoe: Iterable[int] | str | None = None,
    chart: Chart | None = None,
) -> Strategy:
    """Return the best play of both kinds of hands, with the EV of every action, and the chart derived from it.

    Cells of hands that carry a free bet say so (`free`); in the chart their tables are `free_hard` and `free_soft`.
    Pairs are split again while they can be, so free hands have no table of pairs.
    chart : a chart to say the actions of `total_dependent` in the derived one's place; the EVs stay those of best play
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
    """Return what every action on a hand with money on it is worth, given no dealer blackjack, and why.

    cards : two and more, with suits or without: `10 6`, `A 2 K`
    shown : the upcard; 10 is any ten-valued card, as in charts
    shoe  : ten counts by value, ace first, before the round: hand and upcard are among them
    chart : whose advice is set beside the best play; by default the chart derived from it
    Raises RequestError for rules, a pay table or a shoe that can't be played, and cards that can't be dealt.
    """
    game = problem(rules, paytable, shoe)
    if shown is None:
        raise RequestError(f'no upcard; expected one of {", ".join(UPCARDS)}, such as: explain {STEM} "8 3" 10')
    spot = read_spot(game, PACK, cards, shown, 0)
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

    The table is dealt as that of `blackjack`, which see for seats, penetration, burn, beside and by_hand.
    Raises RequestError for what can't be played, and for a number of rounds or a seed that makes no sense.
    """
    montecarlo.check(rounds, seed)
    decks = _counted(rules, "no cards can be dealt from an endless shoe")
    game = problem(rules, paytable, shoe)
    family.check_beside(beside, decks, PACK)
    alone = _rounds(rules, paytable, *_policies(rules, paytable, game, strategy))
    chunk = family.at_table(alone, game.shoe, shoe, seats, penetration, burn, beside, by_hand)
    chunk.check(paytable.name)
    return montecarlo.run(chunk, rounds, seed, **running)


def _policies(
    rules: Rules, paytable: PayTable, game: twentyone.Problem, strategy: Strategy | Chart | None
) -> tuple[Policy, Policy | None]:
    """How hands are played that carry money, and those that carry free bets; RequestError as `family.followed`."""
    decks = _counted(rules, "no cards can be dealt from an endless shoe")
    theirs = [strategy, strategy]
    if isinstance(strategy, Strategy) and isinstance(strategy.policy, tuple) and len(strategy.policy) == 2:
        theirs = [replace(strategy, policy=policy) for policy in strategy.policy]

    def solution() -> twentyone.Solution:
        return _solved(rules, paytable, game.shoe)[0]

    def best_free() -> Policy:
        free = solution().free
        assert free is not None
        return free.policy

    money = family.followed(STEM, decks, game, theirs[0], lambda: solution().policy)
    if not game.splits_free:
        return money, None
    return money, family.followed(STEM, decks, game.free_hand, theirs[1], best_free)


def _rounds(rules: Rules, paytable: PayTable, policy: Policy, free_policy: Policy | None) -> Rounds:
    settled, free_settled = settlement(paytable)
    return Rounds(
        house=House(
            hits_soft_17=rules.dealer_hits_soft_17,
            max_hands=rules.max_hands,
            ace_hands=rules.max_hands if rules.resplit_aces else min(2, rules.max_hands),
            twenty_one_wins=False,
            peeks=True,
            super_bonus_by_suit=False,
            pushes_22=rules.push_22,
            free_double_up_to=_free_double_up_to(rules),
            free_pairs=sum(1 << value for value in _free_pairs(rules)),
        ),
        shoe=tuple(fresh_shoe(rules).values()),
        play=lay_out(policy, free_policy),
        settled=settled,
        split_settled={**settled, **free_settled},
        prize=None,
    )


def settlement(paytable: PayTable) -> tuple[Settlement, Settlement]:
    """Return net result and money wagered, in initial wagers, of every way a hand can end that carries money, or not.

    A free bet is paid when it wins and taken away when it does not, so it is settled like a wager that can't be lost.
    """
    money = family.settlement({"blackjack": paytable.pay("blackjack")})
    money |= {
        "free_doubled_win": (Fraction(2), 1),
        "free_doubled_push": (Fraction(0), 1),
        "free_doubled_loss": (Fraction(-1), 1),
        "free_doubled_bust": (Fraction(-1), 1),
    }
    free = {}
    for ending in ENDINGS:
        net, wagered = money[ending]
        free[f"free_bet_{ending}"] = (net if net > 0 else min(net + 1, Fraction(0)), wagered - 1)
    return money, free
