"""Coups of baccarat, dealt card by card from full decks and played by the printed rules.

The witness of what `tableau` counts, with which it shares no code: cards have ranks, and the banker's rules are read as
houses print them, "38 special" and the rest.
"""

from typing import NamedTuple

import numpy as np

from casinomath.dealing import ANY, Cards, Counts

PLACES = (ANY,) * 6
"""Two cards to each hand, the player's first, and the next two of the shoe."""


class Played(NamedTuple):
    """What many coups came to (rounds,)."""

    player: Counts
    """The player's points in the end."""
    banker: Counts
    player_cards: Counts
    banker_cards: Counts
    player_pair: Counts
    """1 where the player's first two cards have one rank, 0 otherwise."""
    banker_pair: Counts


def look(cards: Cards) -> Played:
    """Play the coups that were dealt."""
    points = np.where(cards.ranks < 9, cards.ranks + 1, 0).astype(np.int64)
    player, banker = (points[0] + points[2]) % 10, (points[1] + points[3]) % 10
    nobody = (player >= 8) | (banker >= 8)
    player_draws = ~nobody & (player < 6)
    third = points[4]
    # the banker's rule by the banker's total, given the player's third card
    on_card = np.select(
        [banker < 3, banker == 3, banker == 4, banker == 5, banker == 6],
        [
            np.full(third.shape, True),
            third != 8,
            (third >= 2) & (third <= 7),
            (third >= 4) & (third <= 7),
            (third == 6) | (third == 7),
        ],
        default=np.full(third.shape, False),
    )
    banker_draws = ~nobody & np.where(player_draws, on_card, banker < 6)
    own = np.where(player_draws, points[5], points[4])
    return Played(
        player=np.where(player_draws, player + third, player) % 10,
        banker=np.where(banker_draws, banker + own, banker) % 10,
        player_cards=2 + player_draws,
        banker_cards=2 + banker_draws,
        player_pair=(cards.ranks[0] == cards.ranks[2]).astype(np.int64),
        banker_pair=(cards.ranks[1] == cards.ranks[3]).astype(np.int64),
    )
