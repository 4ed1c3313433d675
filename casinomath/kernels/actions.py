"""What a player of the family of 21 can do and how a hand can end: the numbers that arrays hold."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

STAND, HIT, DOUBLE, SPLIT, SURRENDER, RESCUE = range(6)
ACTIONS = ("stand", "hit", "double", "split", "surrender", "rescue")

DOUBLES = 3
"""Doubles a hand can have at the most."""

STAGES = ("doubled", "redoubled", "redoubled_twice")
FREE_DOUBLE = "free_doubled"
EVERY_STAGE = (*STAGES, FREE_DOUBLE)
ENDINGS = (
    *("blackjack", "five_card_21", "six_card_21", "seven_card_21"),
    *("six_seven_eight_mixed", "six_seven_eight_suited", "six_seven_eight_spades"),
    *("three_sevens_mixed", "three_sevens_suited", "three_sevens_spades"),
    *("twenty_one", "win", "push", "loss", "bust", "surrender"),
    *(f"{stage}_{end}" for stage in EVERY_STAGE for end in ("twenty_one", "win", "push", "loss", "bust", "rescue")),
    "dealer_blackjack",
    *(f"{stage}_dealer_blackjack" for stage in EVERY_STAGE),
)
"""How a hand can end. To a dealer's blackjack doubled hands are lost where the dealer does not peek."""

SPLIT_ENDINGS = (*ENDINGS, *(f"free_bet_{ending}" for ending in ENDINGS))
"""How a hand of a split round can end: those that carry free bets by names of their own."""

BLACKJACK, SIX_SEVEN_EIGHT, THREE_SEVENS, TWENTY_ONE, WIN, PUSH, LOSS, BUSTED, SURRENDERED = (
    ENDINGS.index(name)
    for name in (
        *("blackjack", "six_seven_eight_mixed", "three_sevens_mixed", "twenty_one"),
        *("win", "push", "loss", "bust", "surrender"),
    )
)
DOUBLED = ENDINGS.index("doubled_twenty_one")
PER_STAGE = 6
FREE_DOUBLED = len(EVERY_STAGE)
"""In the place of the number of doubles: the hand was doubled with a free bet, and is not played on."""
DEALER_BLACKJACK = ENDINGS.index("dealer_blackjack")
"""Of a hand doubled k times it is DEALER_BLACKJACK + k."""


class Policy(NamedTuple):
    """One fixed decision for every hand and upcard, as ACTIONS."""

    play: NDArray[np.uint8]
    """(10, n) stand, hit or double, undoubled hands."""
    after: NDArray[np.uint8]
    """(3, 10, n) stand, rescue or redouble after 1, 2, 3 doubles."""
    first: NDArray[np.uint8]
    """(10, n) the first decision on two cards: also split or surrender."""
    suited_play: NDArray[np.uint8]
    """(10, 6, 64) `play` for SUITED_HANDS by suits."""
    suited_first: NDArray[np.uint8]
    """(10, 6, 64) `first` for SUITED_HANDS by suits."""
    split_play: NDArray[np.uint8]
    """(10, n) `play` for split hands, which may not double everything that others may."""
    split_suited_play: NDArray[np.uint8]
    """(10, 6, 64) `suited_play` for split hands."""
    aces_play: NDArray[np.uint8]
    """(10, n) `play` for split aces, which may not do everything that other split hands may."""
