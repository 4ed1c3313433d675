"""The generator against its reference, and cards that come as from a shuffled shoe."""

import numpy as np

from casinomath.cards import SPANISH, shoe_counts
from casinomath.kernels.shoe import State, draw, full_shoe, next_word
from casinomath.montecarlo import state

REFERENCE = (
    *(41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205),
    *(9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736, 10450023813501588000),
)
"""From state 1, 2, 3, 4: Vigna's xoshiro256plusplus.c, as recorded in the tests of Rust's rand_xoshiro."""


def words(a: int, b: int, c: int, d: int) -> State:
    return np.uint64(a), np.uint64(b), np.uint64(c), np.uint64(d)


def deal(start: State, cards: np.ndarray, number: int) -> tuple[State, list[int]]:
    left = np.uint64(cards.size)
    dealt = []
    with np.errstate(over="ignore"):
        for _ in range(number):
            start, left, card = draw(words(*start), np.uint64(left), cards)
            dealt.append(int(card))
    return start, dealt


def test_generator_is_xoshiro256_plus_plus() -> None:
    following = words(1, 2, 3, 4)
    with np.errstate(over="ignore"):
        for expected in REFERENCE:
            following, word = next_word(words(*following))
            assert word == expected


def test_full_shoe_has_every_rank_and_suit_equally_often() -> None:
    """Two decks: two of every card, and jack, queen and king are three ranks of one value."""
    cards = full_shoe(tuple(shoe_counts(2, SPANISH).tolist()))
    by_card = np.bincount(cards & 63, minlength=40).reshape(10, 4)
    assert (by_card[:9] == 2).all()
    assert (by_card[9] == 6).all()
    faces, copies = np.unique(cards[cards & 63 >= 36], return_counts=True)
    assert (len(faces), set(copies.tolist())) == (12, {2})
    assert set((faces >> 6).tolist()) == {0, 1, 2}


def test_a_whole_shoe_dealt_is_the_shoe() -> None:
    """Without replacement: every card comes once, whatever order the last round left behind."""
    counts = tuple(shoe_counts(1, SPANISH).tolist())
    cards, following = full_shoe(counts), state(1, 0)
    for _ in range(20):
        following, dealt = deal(following, cards, 48)
        assert sorted(dealt) == sorted(full_shoe(counts).tolist())


def test_first_and_third_card_are_uniform_and_unrelated() -> None:
    """Six cards in one and the same order before every deal: 30 ordered pairs, 1,000 of each, by chi-square."""
    seen = np.zeros((6, 6))
    following = state(2, 0)
    for _ in range(30_000):
        following, dealt = deal(following, np.arange(6, dtype=np.uint8), 3)
        seen[dealt[0], dealt[2]] += 1
    assert (np.diag(seen) == 0).all()
    cells = seen[~np.eye(6, dtype=bool)]
    assert ((cells - 1000) ** 2 / 1000).sum() < 65.0  # of 29 degrees of freedom: once in 7,000 times by chance
