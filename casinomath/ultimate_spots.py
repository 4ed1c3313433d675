"""A spot of Ultimate Texas Hold'em, explained: what every decision is worth given the cards seen, and why.

On the flop and the river every turn, river and dealer's hand that may come is dealt, one by one: an answer for any
cards that needs no solution of the whole game, and a check on it. Before the flop the solution has the values.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import cards_text, parse_cards
from casinomath.errors import RequestError
from casinomath.explanation import Section
from casinomath.holes import HANDS, hand_name
from casinomath.kernels.boards import OPPONENTS
from casinomath.kernels.poker import FIVE, category, floors, tables
from casinomath.kernels.showdowns import LOSSES, UNQUALIFIED, WINS, meet, meet_after_flop
from casinomath.ultimate import BOARDS, Solution, Stakes

VALUE: Final = 3
"""Where the value of the player's hand stands behind what `meet` counts."""


class Seen(NamedTuple):
    """The cards that a decision is made on."""

    hand: tuple[int, int]
    board: tuple[int, ...]

    @property
    def question(self) -> str:
        """The cards, as they are asked about."""
        return cards_text(self.hand) + (f" on {cards_text(self.board)}" if self.board else "")


def read_seen(cards: str, shown: str | None) -> Seen:
    """Return the cards of a spot; RequestError for what is none."""
    hand, board = parse_cards(cards), parse_cards(shown or "")
    if len(hand) != 2:
        raise RequestError(f"the player's cards are {cards!r}; expected two, such as 'As Kd'")
    if len(board) not in (0, 3, 5):
        raise RequestError(f"the board is {shown!r}; expected no card, the three of the flop or all five")
    parse_cards(cards_text((*hand, *board)))  # refuses a card that comes twice
    return Seen((hand[0], hand[1]), board)


class Weighed(NamedTuple):
    """What each decision of a spot is worth, in antes, and the tables that say why."""

    evs: dict[str, Fraction]
    sections: tuple[Section, ...]


def weigh(seen: Seen, stakes: Stakes, solution: Solution | None) -> Weighed:
    """Return what the decisions of a spot are worth.

    solution : the solution of the game, which spots before the flop need
    """
    if len(seen.board) == 5:
        return _river(seen, stakes)
    if len(seen.board) == 3:
        return _flop(seen, stakes)
    assert solution is not None
    raises = range(stakes.preflop, min(stakes.preflop, 3) - 1, -1)
    hand = hand_name(*seen.hand)
    evs = solution.evs(HANDS.index(hand), tuple(raises))
    note = f"{hand} is one of 169 hands. After a check, the flop and the river are played best."
    return Weighed(evs, (Section("Before the flop", notes=(note,)),))


def worth(met: NDArray[np.int64], stakes: Stakes, play: int) -> NDArray[np.int64]:
    """Return what boards (n,) are worth with a Play bet of so many antes, in units over the dealer's 990 hands.

    met : (n, 4) wins, losses and hands below a pair, as `meet` counts them, and the value of the hand
    """
    wins, losses, unqualified, value = met.T
    qualified = value >= floors(FIVE)[1]
    # of the hands that it beats, and that beat it, those with which the dealer qualifies
    won = np.where(qualified, wins - unqualified, 0)
    lost = np.where(qualified, losses, OPPONENTS - unqualified)
    bets = stakes.unit * (play * (wins - losses) + won - lost - losses)
    total: NDArray[np.int64] = bets + wins * stakes.by_value[value]
    return total


def _river(seen: Seen, stakes: Stakes) -> Weighed:
    met = np.zeros((1, 4), dtype=np.int64)
    cards = np.array([*seen.board, *seen.hand], dtype=np.uint8)
    met[0, VALUE] = meet(cards, -1, *tables(FIVE), floors(FIVE)[1], met[0])
    bet = int(worth(met, stakes, 1)[0])
    evs = {"bet_1x": Fraction(bet, OPPONENTS * stakes.unit), "fold": Fraction(-2)}
    return Weighed(evs, (_dealer(met, "The dealer's hands"),))


def _flop(seen: Seen, stakes: Stakes) -> Weighed:
    met = np.zeros((BOARDS, 4), dtype=np.int64)
    flop, hand = np.array(seen.board, dtype=np.uint8), np.array(seen.hand, dtype=np.uint8)
    meet_after_flop(flop, hand, -1, *tables(FIVE), floors(FIVE)[1], met)
    fold = -2 * stakes.unit * OPPONENTS
    river = worth(met, stakes, 1)
    deals = BOARDS * OPPONENTS * stakes.unit
    evs = {
        f"bet_{stakes.flop}x": Fraction(int(worth(met, stakes, stakes.flop).sum()), deals),
        "check": Fraction(int(np.maximum(river, fold).sum()), deals),
    }
    folded = int((river <= fold).sum())
    note = f"After a check {BOARDS - folded} of {BOARDS:,} turns and rivers are worth a bet, and {folded} are folded."
    return Weighed(evs, (_dealer(met, "Turns, rivers and the dealer's hands", (note,)), _hands(met)))


def _dealer(met: NDArray[np.int64], title: str, notes: Sequence[str] = ()) -> Section:
    """How all hands of the dealer's compare, and how many do not qualify."""
    total = len(met) * OPPONENTS
    wins, losses = int(met[:, WINS].sum()), int(met[:, LOSSES].sum())
    rows = (
        ("win", wins, wins / total),
        ("tie", total - wins - losses, (total - wins - losses) / total),
        ("loss", losses, losses / total),
        ("dealer does not qualify", low := int(met[:, UNQUALIFIED].sum()), low / total),
    )
    return Section(title, ("outcome", "deals", "probability"), rows, tuple(notes), percent=("probability",))


def _hands(met: NDArray[np.int64]) -> Section:
    """What the hand may become."""
    ends = np.searchsorted(floors(FIVE), met[:, VALUE], side="right") - 1
    rows = []
    for place in range(len(FIVE.categories) - 1, -1, -1):
        mine = met[ends == place]
        if len(mine):
            share = int(mine[:, WINS].sum()) / (len(mine) * OPPONENTS)
            rows.append((category(floors(FIVE)[place]), len(mine), len(mine) / len(met), share))
    columns = ("hand", "turns and rivers", "probability", "win")
    return Section("What the hand becomes", columns, tuple(rows), percent=("probability", "win"))
