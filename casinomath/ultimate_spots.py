"""A spot of Ultimate Texas Hold'em, explained: what every decision is worth given the cards seen, and why.

On the flop and the river every turn, river and dealer's hand that may come is dealt, one by one: an answer for any
cards that needs no solution of the whole game, and a check on it. Before the flop the solution has the values.
"""

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath import ultimate_known
from casinomath.cards import cards_text, parse_cards
from casinomath.errors import RequestError
from casinomath.explanation import Section
from casinomath.holes import HANDS, hand_name
from casinomath.kernels import known
from casinomath.kernels.boards import OPPONENTS
from casinomath.kernels.poker import FIVE, category, floors, tables
from casinomath.kernels.showdowns import LOSSES, UNQUALIFIED, WINS, meet, meet_after_flop
from casinomath.ultimate import Stakes, solve

VALUE: Final = 3
"""Where the value of the player's hand stands behind what `meet` counts."""


class Seen(NamedTuple):
    """The cards that a decision is made on."""

    hand: tuple[int, int]
    board: tuple[int, ...]
    dealer: int = -1
    """A card of the dealer's that is known, or -1."""

    @property
    def question(self) -> str:
        """The cards, as they are asked about."""
        against = f" against {cards_text([self.dealer])}" if self.dealer >= 0 else ""
        return cards_text(self.hand) + against + (f" on {cards_text(self.board)}" if self.board else "")

    @property
    def opponents(self) -> int:
        """Hands that the dealer may have once the board is known."""
        return OPPONENTS if self.dealer < 0 else known.OPPONENTS


def read_seen(cards: str, shown: str | None, looks: ultimate_known.Seen) -> Seen:
    """Return the cards of a spot; RequestError for what is none.

    looks : what is known from the beginning: a known card of the dealer's is shown first
    """
    hand, shows = parse_cards(cards), parse_cards(shown or "")
    if len(hand) != 2:
        raise RequestError(f"the player's cards are {cards!r}; expected two, such as 'As Kd'")
    first = 1 if looks.community == "flop" else 0
    if len(shows) - looks.dealer not in (first, 3, 5):
        before = "the known card of the flop" if first else "no card"
        dealers = "the dealer's known card, then " if looks.dealer else ""
        raise RequestError(f"shown is {shown or ''!r}; expected {dealers}{before}, the three of the flop or all five")
    parse_cards(cards_text((*hand, *shows)))  # refuses a card that comes twice
    return Seen((hand[0], hand[1]), shows[looks.dealer :], shows[0] if looks.dealer else -1)


class Weighed(NamedTuple):
    """What each decision of a spot is worth, in antes, and the tables that say why."""

    evs: dict[str, Fraction]
    sections: tuple[Section, ...]


def weigh(seen: Seen, stakes: Stakes) -> Weighed:
    """Return what the decisions of a spot are worth."""
    if len(seen.board) == 5:
        return _river(seen, stakes)
    if len(seen.board) == 3:
        return _flop(seen, stakes)
    raises = tuple(range(stakes.preflop, min(stakes.preflop, 3) - 1, -1))
    hand = hand_name(*seen.hand)
    if seen.board or seen.dealer >= 0:
        evs = ultimate_known.evs(stakes, seen.hand, seen.dealer, seen.board, raises)
    else:
        evs = solve(stakes).evs(HANDS.index(hand), raises)
    note = f"{hand} is one of 169 hands. After a check, the flop and the river are played best."
    return Weighed(evs, (Section("Before the flop", notes=(note,)),))


def worth(met: NDArray[np.int64], stakes: Stakes, play: int, opponents: int) -> NDArray[np.int64]:
    """Return what boards (n,) are worth with a Play bet of so many antes, in units over the dealer's hands.

    met : (n, 4) wins, losses and hands below a pair, as `meet` counts them, and the value of the hand
    """
    wins, losses, unqualified, value = met.T
    qualified = value >= floors(FIVE)[1]
    # of the hands that it beats, and that beat it, those with which the dealer qualifies
    won = np.where(qualified, wins - unqualified, 0)
    lost = np.where(qualified, losses, opponents - unqualified)
    bets = stakes.unit * (play * (wins - losses) + won - lost - losses)
    total: NDArray[np.int64] = bets + wins * stakes.by_value[value]
    return total


def _river(seen: Seen, stakes: Stakes) -> Weighed:
    met = np.zeros((1, 4), dtype=np.int64)
    cards = np.array([*seen.board, *seen.hand], dtype=np.uint8)
    met[0, VALUE] = meet(cards, seen.dealer, *tables(FIVE), floors(FIVE)[1], met[0])
    bet = int(worth(met, stakes, 1, seen.opponents)[0])
    evs = {"bet_1x": Fraction(bet, seen.opponents * stakes.unit), "fold": Fraction(-2)}
    return Weighed(evs, (_dealer(met, seen.opponents, "The dealer's hands"),))


def _flop(seen: Seen, stakes: Stakes) -> Weighed:
    met = np.zeros((comb(47 if seen.dealer < 0 else 46, 2), 4), dtype=np.int64)
    flop, hand = np.array(seen.board, dtype=np.uint8), np.array(seen.hand, dtype=np.uint8)
    meet_after_flop(flop, hand, seen.dealer, *tables(FIVE), floors(FIVE)[1], met)
    fold = -2 * stakes.unit * seen.opponents
    river = worth(met, stakes, 1, seen.opponents)
    deals = len(met) * seen.opponents * stakes.unit
    evs = {
        f"bet_{stakes.flop}x": Fraction(int(worth(met, stakes, stakes.flop, seen.opponents).sum()), deals),
        "check": Fraction(int(np.maximum(river, fold).sum()), deals),
    }
    folded = int((river <= fold).sum())
    note = (
        f"After a check {len(met) - folded} of {len(met):,} turns and rivers are worth a bet, and {folded} are folded."
    )
    return Weighed(
        evs,
        (_dealer(met, seen.opponents, "Turns, rivers and the dealer's hands", (note,)), _hands(met, seen.opponents)),
    )


def _dealer(met: NDArray[np.int64], opponents: int, title: str, notes: Sequence[str] = ()) -> Section:
    """How all hands of the dealer's compare, and how many do not qualify."""
    total = len(met) * opponents
    wins, losses = int(met[:, WINS].sum()), int(met[:, LOSSES].sum())
    rows = (
        ("win", wins, wins / total),
        ("tie", total - wins - losses, (total - wins - losses) / total),
        ("loss", losses, losses / total),
        ("dealer does not qualify", low := int(met[:, UNQUALIFIED].sum()), low / total),
    )
    return Section(title, ("outcome", "deals", "probability"), rows, tuple(notes), percent=("probability",))


def _hands(met: NDArray[np.int64], opponents: int) -> Section:
    """What the hand may become."""
    ends = np.searchsorted(floors(FIVE), met[:, VALUE], side="right") - 1
    rows = []
    for place in range(len(FIVE.categories) - 1, -1, -1):
        mine = met[ends == place]
        if len(mine):
            share = int(mine[:, WINS].sum()) / (len(mine) * opponents)
            rows.append((category(floors(FIVE)[place]), len(mine), len(mine) / len(met), share))
    columns = ("hand", "turns and rivers", "probability", "win")
    return Section("What the hand becomes", columns, tuple(rows), percent=("probability", "win"))
