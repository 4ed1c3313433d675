"""What a poker game deals, as far as the bets that it shares with other games look at it."""

from functools import partial
from types import ModuleType
from typing import Any, NamedTuple

from casinomath.errors import RequestError
from casinomath.kernels.poker import CARDS


class Deal(NamedTuple):
    """A game's cards; whoever sits at the table has as many."""

    game: str
    """The stem of the game."""
    own: int
    """Cards of each player, and of the dealer."""
    community: int
    """Of the cards in common, those that make a five-card hand with a player's own, as the flop does."""
    board: int
    """All cards in common."""

    @property
    def most_players(self) -> int:
        """As many as a pack deals cards to, with the dealer and the board."""
        return (CARDS - self.board) // self.own - 1


class SideBet:
    """A bet as one game has it: to a request it is what a game's module is, its verbs for this game's cards."""

    def __init__(self, bet: ModuleType, deal: Deal) -> None:
        self.STEM: str = deal.game
        self.BETS: tuple[str, ...] = (bet.BET,)
        self.Rules: Any = bet.Rules
        self.check: Any = partial(bet.check, deal)
        self.evaluate: Any = partial(bet.evaluate, deal)
        self.simulate: Any = partial(bet.simulate, deal)


def check_players(what: str, players: int, deal: Deal) -> None:
    """Raise RequestError unless so many players may sit at the table; `what` says which rules count them."""
    if not 1 <= players <= deal.most_players:
        raise RequestError(
            f"{what} is {players}; expected 1 to {deal.most_players}, for {CARDS} cards deal no more players "
            f"{deal.own} cards each, the dealer and a board of {deal.board}"
        )
