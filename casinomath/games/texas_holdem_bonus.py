"""Texas Hold'em Bonus: an ante, a flop bet of twice as much or a fold, then a turn bet and a river bet, or checks.

Nothing can be folded after the flop bet, so that the turn bet and the river bet are each made exactly where wins are
more likely than losses. The ante is paid for a win with a good hand alone, and pushes on other wins; the dealer need
not qualify. A bet is made before its card is seen: the turn bet on the flop, the river bet on flop and turn.

Method: exact, in integers over all 55,627,620,048,000 deals of hole cards, flop, turn, river and the dealer's cards,
see `kernels.texas_holdem_bonus`. Source: ``data/texas_holdem_bonus.toml``.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from casinomath import montecarlo
from casinomath.cards import cards_text, parse_cards
from casinomath.errors import RequestError, unknown
from casinomath.explanation import Explanation, Section
from casinomath.holes import COMBINATIONS, HAND_OF_HOLE, HANDS, hand_name, preflop_table
from casinomath.kernels.canonical import CARDS, canonical, changed_holes, hole_index
from casinomath.kernels.poker import FIVE, floors, tables, values
from casinomath.kernels.showdowns import LOSSES as AGAINST_LOSSES
from casinomath.kernels.showdowns import WINS as AGAINST_WINS
from casinomath.kernels.showdowns import meet as against_all
from casinomath.kernels.texas_holdem_bonus import DEALS, LOSSES, OPPONENTS, RIVERS, WINS, WINS_PAID, Played, play
from casinomath.paytable import PayTable
from casinomath.pokerbets import five_card_hand_bonus, five_card_progressive, holdem_bonus
from casinomath.pokerbets.deal import Deal, SideBet
from casinomath.returns import Outcome, Returns, exact_returns
from casinomath.strategy import Cell, Chart, Strategy, StrategyClass

if TYPE_CHECKING:
    import pandas as pd

STEM = "texas_holdem_bonus"
BETS = ("main",)

DEAL: Final = Deal(STEM, own=2, community=3, board=5)
SIDE_BETS: Final[Mapping[str, SideBet]] = {
    bet.BET: SideBet(bet, DEAL) for bet in (holdem_bonus, five_card_hand_bonus, five_card_progressive)
}

EVENTS: Final = ("ante",)
"""What a pay table must pay: the ante, on a win with a good enough hand. All other bets are paid even money."""

CLASSES: Final[tuple[StrategyClass, ...]] = ("composition_dependent",)
"""The classes of strategy there are: what a chart by totals is in other games has no meaning here."""

FLOP_BET: Final = 2
"""In antes; the turn bet and the river bet are one each."""

Paid = Literal["high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house", "four_of_a_kind"]


class Rules(NamedTuple):
    """The rules of Texas Hold'em Bonus. Defaults: the ante is paid on a straight or better."""

    ante_pays_from: Paid = "straight"
    """The worst hand with which a win pays the ante; with a lesser one it pushes. A better one favours the house."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    if rules.ante_pays_from not in FIVE.categories[:8]:
        raise unknown("hand that the ante pays from:", rules.ante_pays_from, FIVE.categories[:8])
    paytable.check_odds(EVENTS)


# --- What the bets come to ----------------------------------------------------------------------------------


class Ending(NamedTuple):
    """One way a round can end that is played, with the deals of one hand of hole cards that end so."""

    event: str
    deals: int
    net: Fraction
    bets: int
    """Flop, turn and river bet together, in antes."""


@lru_cache(maxsize=4)
def solved(ante_pays_from: str) -> Played:
    """Return every bet after the flop, and what they come to by hands before the flop, in the order of HANDS."""
    found = play(ante_pays_from, HAND_OF_HOLE)
    deals = np.array(COMBINATIONS) * comb(50, 3) * 47
    assert (found.sums[..., DEALS].sum(axis=(1, 2)) == deals).all(), "a deal was missed"
    return found


def endings(rules: Rules, paytable: PayTable, hand: int) -> list[Ending]:
    """Return how rounds with a hand before the flop end, if it is played."""
    ante, counts = paytable.pay("ante"), np.zeros((3, 4), dtype=np.int64)
    for (turn, river), sums in _each(solved(rules.ante_pays_from).sums[hand]):
        paid, wins, losses, deals = (int(sums[which]) for which in (WINS_PAID, WINS, LOSSES, DEALS))
        counts[turn + river] += paid, wins - paid, deals * RIVERS * OPPONENTS - wins - losses, losses
    found = []
    for bets, (paid, won, tied, lost) in enumerate(counts.tolist(), start=FLOP_BET):
        found += [
            Ending(f"win_and_ante_paid_{bets}x", paid, ante + bets, bets),
            Ending(f"win_{bets}x", won, Fraction(bets), bets),
            Ending(f"tie_{bets}x", tied, Fraction(0), bets),
            Ending(f"loss_{bets}x", lost, Fraction(-1 - bets), bets),
        ]
    return found


def _each(sums: NDArray[np.int64]) -> Iterator[tuple[tuple[int, int], NDArray[np.int64]]]:
    """By turn bet and river bet."""
    for turn in range(2):
        for river in range(2):
            yield (turn, river), sums[turn, river]


class Hand(NamedTuple):
    """A hand before the flop."""

    name: str
    combinations: int
    ev: Fraction
    """What the flop bet and all that follows is worth, the ante included, in antes."""
    plays: bool
    """Whether it is worth more than a fold; a tie is folded."""


@lru_cache(maxsize=8)
def hands(rules: Rules, ante: Fraction) -> tuple[Hand, ...]:
    """Return the 169 hands before the flop, where the ante pays so much."""
    table = PayTable("", {"ante": ante})
    found = []
    for place, (name, ways) in enumerate(zip(HANDS, COMBINATIONS, strict=True)):
        total = sum((ending.deals * ending.net for ending in endings(rules, table, place)), Fraction(0))
        ev = total / (ways * comb(50, 3) * 47 * RIVERS * OPPONENTS)
        found.append(Hand(name, ways, ev, ev > -1))
    return tuple(found)


def evaluate(rules: Rules, paytable: PayTable) -> Returns:
    """Return what the game is worth, played as well as it can be, per unit of the ante.

    Events say how rounds end and how many antes were bet after the ante. Details: `decisions`, how often each bet is
    made, as a part of all rounds; `ev_never_folding`, where every hand is played; and `hands`, the 169 hands before the
    flop, what each is worth and whether it is played.
    Raises RequestError for rules or a pay table that make no sense.
    """
    check(rules, paytable)
    every = hands(rules, paytable.pay("ante"))
    totals: dict[tuple[str, Fraction, int], int] = {}
    folded = 0
    for place, hand in enumerate(every):
        if not hand.plays:
            folded += hand.combinations * _PER_PAIR
            continue
        for ending in endings(rules, paytable, place):
            key = ending.event, ending.net, ending.bets
            totals[key] = totals.get(key, 0) + ending.deals
    outcomes = [Outcome(event, Fraction(deals, _DEALS), net) for (event, net, _), deals in totals.items()]
    outcomes.append(Outcome("fold", Fraction(folded, _DEALS), Fraction(-1)))
    wagered = 1 + sum((Fraction(bets * deals, _DEALS) for (_, _, bets), deals in totals.items()), Fraction(0))
    returns = exact_returns(
        STEM,
        "main",
        rules._asdict(),
        paytable.name,
        sorted(outcomes, key=lambda outcome: -outcome.net),
        _DEALS,
        {
            "decisions": _decisions(rules, every),
            "ev_never_folding": float(sum(hand.ev * hand.combinations for hand in every) / comb(52, 2)),
            "hands": _frame(every),
        },
    )
    return replace(returns, average_wager=float(wagered))


_PER_PAIR: Final = comb(50, 3) * 47 * RIVERS * OPPONENTS
_DEALS: Final = comb(52, 2) * _PER_PAIR


def _decisions(rules: Rules, every: tuple[Hand, ...]) -> dict[str, float]:
    sums = solved(rules.ante_pays_from).sums[[hand.plays for hand in every]][..., DEALS].sum(axis=0)
    deals = comb(52, 2) * comb(50, 3) * 47
    shares = {
        "flop_bet": sums.sum(),
        "turn_bet": sums[1].sum(),
        "river_bet": sums[:, 1].sum(),
        "turn_and_river_bet": sums[1, 1],
    }
    return {"fold": 1 - int(sums.sum()) / deals, **{name: int(number) / deals for name, number in shares.items()}}


def _frame(every: tuple[Hand, ...]) -> "pd.DataFrame":
    import pandas as pd

    rows = [(hand.name, hand.combinations, float(hand.ev), "bet" if hand.plays else "fold") for hand in every]
    return pd.DataFrame(rows, columns=["hand", "combinations", "ev_if_played", "action"])


# --- Decisions ----------------------------------------------------------------------------------------------


def strategy(rules: Rules, paytable: PayTable, *, strategy_class: StrategyClass = "composition_dependent") -> Strategy:
    """Return the best play: what every hand is worth before the flop, and every later bet.

    The chart has a table `preflop`, suited hands above the diagonal: 2x for the flop bet, F for a fold. Turn bets and
    river bets are the policy's (see `Played`); `explain` says what they are worth for given cards.
    Raises RequestError for rules or a pay table that make no sense.
    """
    if strategy_class not in CLASSES:
        raise unknown(f"strategy class of {STEM}:", strategy_class, CLASSES)
    check(rules, paytable)
    every = hands(rules, paytable.pay("ante"))
    cells = tuple(
        Cell(
            hand=hand.name,
            cards=f"{hand.name[0]}s {hand.name[1]}{'s' if hand.name.endswith('s') else 'h'}",
            upcard="",
            action="flop_bet" if hand.plays else "fold",
            evs={"flop_bet": float(hand.ev), "fold": -1.0},
            frequency=hand.combinations / comb(52, 2),
        )
        for hand in every
    )
    chart = Chart("preflop", {"preflop": preflop_table({hand.name: "2x" if hand.plays else "F" for hand in every})})
    policy = solved(rules.ante_pays_from)
    return Strategy(STEM, rules._asdict(), paytable.name, strategy_class, cells, chart, policy)


# --- Any cards ----------------------------------------------------------------------------------------------


RESULTS: Final = ("win", "loss", "tie")


class Met(NamedTuple):
    """What a hand meets on all boards and dealer's hands that are left."""

    wins: int
    losses: int
    ties: int
    wins_paid: int
    """Wins with a hand for which the ante is paid."""

    @property
    def deals(self) -> int:
        """All of them."""
        return self.wins + self.losses + self.ties


def meet(rules: Rules, hole: tuple[int, ...], board: tuple[int, ...]) -> Met:
    """Return what hole cards meet, given three to five cards of the board, dealing all that is left one by one."""
    least = floors(FIVE)[FIVE.categories.index(rules.ante_pays_from)]
    left = [card for card in range(CARDS) if card not in {*hole, *board}]
    counts, sums = np.zeros(3, dtype=np.int64), np.zeros(4, dtype=np.int64)
    for more in combinations(left, 5 - len(board)):
        seven = np.array([*board, *more, *hole], dtype=np.uint8)
        mine = against_all(seven, -1, *tables(FIVE), least, counts)
        wins, losses = int(counts[AGAINST_WINS]), int(counts[AGAINST_LOSSES])
        sums += wins, losses, OPPONENTS - wins - losses, wins if mine >= least else 0
    return Met(*sums.tolist())


def explain(rules: Rules, paytable: PayTable, *, cards: str, shown: str | None = None) -> Explanation:
    """Return what each action on a hand is worth, and why: before the flop, on the flop, or on the turn.

    cards : the player's two, `As Kd`
    shown : the board, if any: three cards before the turn bet, four before the river bet
    Before the flop the whole game counts, after it the bet in question alone: whatever else is at stake is the same for
    a bet and a check.
    Raises RequestError for rules or a pay table that make no sense, and cards that can't be dealt.
    """
    check(rules, paytable)
    hole, board = read(cards, shown)
    question = f"{cards_text(hole)}{' on ' + cards_text(board) if board else ''}"
    if not board:
        return _explained_preflop(rules, paytable, hole, question)
    met = meet(rules, hole, board)
    ev = Fraction(met.wins - met.losses, met.deals)
    bet = "turn_bet" if len(board) == 3 else "river_bet"
    rows = tuple((name, number, number / met.deals) for name, number in zip(RESULTS, met[:3], strict=True))
    seen = "turn, river" if len(board) == 3 else "river"
    return Explanation(
        game=STEM,
        question=question,
        rules=rules._asdict(),
        paytable=paytable.name,
        measure="ev",
        evs={bet: ev, "check": Fraction(0)},
        best=bet if ev > 0 else "check",
        sections=(
            Section(
                f"Every {seen} and dealer's hand", ("result", "deals", "probability"), rows, percent=("probability",)
            ),
        ),
        notes=("The bet alone: nothing can be folded any more, so what was bet before is worth the same either way.",),
    )


def _explained_preflop(rules: Rules, paytable: PayTable, hole: tuple[int, ...], question: str) -> Explanation:
    place = HANDS.index(hand_name(*hole))
    hand = hands(rules, paytable.pay("ante"))[place]
    all_deals = hand.combinations * _PER_PAIR
    rows = [(ending.event, ending.net, ending.deals / all_deals) for ending in endings(rules, paytable, place)]
    return Explanation(
        game=STEM,
        question=f"{question} ({hand.name}) before the flop",
        rules=rules._asdict(),
        paytable=paytable.name,
        measure="ev",
        evs={"flop_bet": hand.ev, "fold": Fraction(-1)},
        best="flop_bet" if hand.plays else "fold",
        sections=(Section("If it is played", ("ending", "net", "probability"), tuple(rows), percent=("probability",)),),
    )


def read(cards: str, shown: str | None) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the hole cards and the board; RequestError for cards that can't be dealt."""
    hole, board = parse_cards(cards), parse_cards(shown or "")
    if len(hole) != 2:
        raise RequestError(f"{cards!r} holds {len(hole)} cards; expected two, such as 'As Kd'")
    if len(board) not in (0, 3, 4):
        raise RequestError(f"board {shown!r} holds {len(board)} cards; expected none, the flop's three, or four")
    parse_cards(cards_text([*hole, *board]))  # a card that comes twice is told
    return hole, board


# --- Simulation ---------------------------------------------------------------------------------------------


def simulate(
    rules: Rules, paytable: PayTable, rounds: int, seed: int, **running: Unpack[montecarlo.Running]
) -> montecarlo.Sample:
    """Deal rounds of nine cards, a fresh pack each, play them by the best strategy, compare the hands and settle.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    plays = np.array([hand.plays for hand in hands(rules, paytable.pay("ante"))])[HAND_OF_HOLE]
    found = solved(rules.ante_pays_from)
    chunk = Table(rules, paytable.pay("ante"), plays, found.turn_bets, found.river_bets)
    return montecarlo.run(chunk, rounds, seed, **running)


@dataclass(frozen=True)
class Table:
    """Rounds that are dealt, played and settled: a chunk to be run anywhere."""

    rules: Rules
    ante: Fraction
    plays: NDArray[np.bool_]
    """(1326,) whether the flop bet is made."""
    turn_bets: NDArray[np.bool_]
    """(1755, 1326) by flop class and hole cards."""
    river_bets: NDArray[np.bool_]
    """(16432, 1326) by class of flop and turn."""

    def __call__(self, rounds: int, state: montecarlo.Words) -> montecarlo.Sample:
        """Play so many rounds."""
        unit = Fraction(1, self.ante.denominator)
        outcomes: dict[tuple[int, int], int] = {}
        events: dict[str, int] = {}
        generator = np.random.default_rng([int(word) for word in state])
        for first in range(0, rounds, _BATCH):
            cards = _dealt(min(_BATCH, rounds - first), generator)
            for (event, net, wagered), number in self._settled(cards).items():
                key = int(net / unit), int(wagered / unit)
                outcomes[key] = outcomes.get(key, 0) + number
                events[event] = events.get(event, 0) + number
        return montecarlo.Sample(rounds, unit, outcomes, events, {})

    def _settled(self, cards: NDArray[np.uint8]) -> dict[tuple[str, Fraction, Fraction], int]:
        hole = hole_index(*cards[:, :2].astype(np.int64).T)
        plays = self.plays[hole]
        turn, river = (
            _decided(bets, cards[:, 4:known], hole) for bets, known in ((self.turn_bets, 7), (self.river_bets, 8))
        )
        mine, theirs = values(cards[:, [0, 1, 4, 5, 6, 7, 8]]), values(cards[:, 2:])
        good = mine >= floors(FIVE)[FIVE.categories.index(self.rules.ante_pays_from)]
        result = np.where(mine > theirs, np.where(good, 0, 1), np.where(mine == theirs, 2, 3))
        kinds = np.where(plays, 1 + 4 * (turn.astype(np.int64) + river) + result, 0)
        found: dict[tuple[str, Fraction, Fraction], int] = {}
        for kind, number in enumerate(np.bincount(kinds).tolist()):
            if number:
                found[self._end(kind)] = number
        return found

    def _end(self, kind: int) -> tuple[str, Fraction, Fraction]:
        if kind == 0:
            return "fold", Fraction(-1), Fraction(1)
        more, result = divmod(kind - 1, 4)
        bets = FLOP_BET + more
        nets = Fraction(bets) + self.ante, Fraction(bets), Fraction(0), Fraction(-1 - bets)
        names = "win_and_ante_paid", "win", "tie", "loss"
        return f"{names[result]}_{bets}x", nets[result], Fraction(1 + bets)


_BATCH: Final = 2**16
"""Rounds dealt at once: their cards stay in the cache."""


def _dealt(rounds: int, generator: np.random.Generator) -> NDArray[np.uint8]:
    """Nine cards of each round (rounds, 9): the player's, the dealer's, the board."""
    packs, every = np.tile(np.arange(CARDS, dtype=np.uint8), (rounds, 1)), np.arange(rounds)
    for place in range(9):
        chosen = generator.integers(place, CARDS, size=rounds)
        packs[every, chosen], packs[:, place] = packs[:, place], packs[every, chosen]
    return packs[:, :9]


def _decided(bets: NDArray[np.bool_], board: NDArray[np.uint8], hole: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether a bet is made on boards, by the hand that a change of suits makes of each."""
    found = canonical(board)
    return bets[found.classes, changed_holes()[found.changes, hole]]
