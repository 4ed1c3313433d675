"""The law of a coup against coups that are dealt one by one, and what must hold of any shoe."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from casinomath.coups import look
from casinomath.dealing import Cards
from casinomath.errors import RequestError
from casinomath.tableau import BANKER_DRAWS, law, play, read_shoe

POINTS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0)


def table_of_play() -> Iterator[tuple[int, str, str]]:
    """Source: Emerald Queen Casino, midi-baccarat; Wizard of Odds prints the same as a table of letters."""
    text = """
    7 SSSSSSSSSS S
    6 SSSSSSHHSS S
    5 SSSSHHHHSS H
    4 SSHHHHHHSS H
    3 HHHHHHHHSH H
    2 HHHHHHHHHH H
    1 HHHHHHHHHH H
    0 HHHHHHHHHH H
    """
    for line in text.split("\n")[1:-1]:
        total, on_card, stood = line.split()
        yield int(total), on_card, stood


def test_the_banker_plays_by_the_printed_table() -> None:
    for total, on_card, stood in table_of_play():
        for third, letter in enumerate(on_card):
            assert play(0, total, third, 0).banker_cards == (3 if letter == "H" else 2), (total, third)
            assert (str(third) in BANKER_DRAWS[total]) == (letter == "H")
        assert play(6, total, 1, 0).banker_cards == (3 if stood == "H" else 2)


def test_naturals_end_the_coup() -> None:
    for natural in (8, 9):
        for other in range(10):
            for coup in (play(natural, other, 5, 5), play(other, natural, 5, 5)):
                assert (coup.player_cards, coup.banker_cards) == (2, 2)
                assert coup.natural


def dealt(cards: tuple[int, ...]) -> tuple[int, int, int, int, int, int]:
    """A coup as a dealer deals it: the player's card first, in turn."""
    table = {total: (on_card, stood) for total, on_card, stood in table_of_play()}
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], list(cards[4:])
    two = sum(player) % 10, sum(banker) % 10
    if max(two) < 8:
        if two[0] < 6:
            player.append(rest.pop(0))
            if table[two[1]][0][player[2]] == "H":
                banker.append(rest.pop(0))
        elif table[two[1]][1] == "H":
            banker.append(rest.pop(0))
    return *two, sum(player) % 10, sum(banker) % 10, len(player), len(banker)


@settings(max_examples=12, deadline=None)
@given(st.lists(st.sampled_from(range(10)), min_size=6, max_size=7))
def test_small_shoes_are_dealt_in_every_order(values: list[int]) -> None:
    counts = tuple(values.count(value) for value in range(10))
    found = Counter(dealt(cards) for cards in permutations([POINTS[value] for value in values], 6))
    assert {tuple(coup): number for coup, number in law(counts).items()} == found


@settings(max_examples=20, deadline=None)
@given(st.lists(st.integers(0, 32), min_size=10, max_size=10).filter(lambda counts: sum(counts) > 6))
def test_a_card_removed_at_random_changes_nothing(counts: list[int]) -> None:
    cards, whole = sum(counts), law(tuple(counts))
    mean: Counter[object] = Counter()
    for value, number in enumerate(counts):
        if number:
            less = [count - (place == value) for place, count in enumerate(counts)]
            mean.update({coup: number * ways for coup, ways in law(tuple(less)).items()})
    # each sequence of six is met once for every card that is not in it
    assert mean == {coup: ways * (cards - 6) for coup, ways in whole.items()}


def test_all_sequences_are_counted() -> None:
    for decks in (1, 8, 16):
        shoe = read_shoe(decks)
        assert sum(law(shoe.counts).values()) == shoe.coups


def test_dealt_coups_are_those_of_the_tableau() -> None:
    """Coups that the simulation plays, one by one against the tableau: every total and every third card."""
    ranks = np.random.default_rng(8).integers(0, 13, size=(6, 20_000)).astype(np.int16)
    played = look(Cards(ranks, np.zeros_like(ranks)))
    points = np.where(ranks < 9, ranks + 1, 0)
    for place, cards in enumerate(points.T.tolist()):
        _, _, player, banker, player_cards, banker_cards = dealt(tuple(cards))
        seen = [int(each[place]) for each in played]
        first = ranks[:, place]
        assert seen[:4] == [player, banker, player_cards, banker_cards]
        assert seen[4:] == [first[0] == first[2], first[1] == first[3]]


def test_shoes_by_value_and_by_rank() -> None:
    by_rank = [4, 8, 8, 8, 8, 8, 8, 8, 8, 1, 2, 3, 4]
    assert read_shoe(2, by_rank).counts == (4, 8, 8, 8, 8, 8, 8, 8, 8, 10)
    assert read_shoe(2, "4,8,8,8,8,8,8,8,8,10").counts == (4, 8, 8, 8, 8, 8, 8, 8, 8, 10)
    assert Fraction(read_shoe(8).coups) == 4_998_398_275_503_360  # published: Wizard of Odds


@pytest.mark.parametrize(
    ("shoe", "message"),
    [
        ([1, 2, 3], r"a shoe is ten counts .* or 13 .*not 3: 1,2,3"),
        ([5, *[0] * 9], "holds 5 cards of value A; 1 decks hold 4"),
        ([4, 1, *[0] * 8], "the shoe holds 5 cards; a coup takes up to 6"),
    ],
)
def test_shoes_that_no_coup_can_be_dealt_from(shoe: list[int], message: str) -> None:
    with pytest.raises(RequestError, match=message):
        read_shoe(1, shoe)
