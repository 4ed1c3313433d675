"""The oracle against a published figure, hands counted on paper, and a second enumeration dumber than itself.

The second one (`Literal`) deals physical cards, each with its suit, one after another, without memory: the shoe is
a bag of cards, and what the player doesn't know is a list of worlds (a hole card and a bag) he averages over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache, partial
from itertools import combinations, product
from math import perm, prod

import oracle
import pytest
from oracle import Card, Counts, Game, Hand, Rules, ShoeExhaustedError, Table
from oracle_cases import CASES, Case, cards

# ---------------------------------------------------------------- the second enumeration

Physical = tuple[int, int]
Bag = tuple[Physical, ...]
World = tuple[Fraction, Physical, Bag]
Result = tuple[Fraction, Fraction]
"""(net, wagered)"""


def kinds(bag: Bag) -> Iterator[tuple[Physical, Fraction, Bag]]:
    """Every card that may come out of the bag: the card, its chance, the bag without it."""
    if not bag:
        raise ShoeExhaustedError
    for card, n in Counter(bag).items():
        at = bag.index(card)
        yield card, Fraction(n, len(bag)), bag[:at] + bag[at + 1 :]


def mean(results: Iterator[tuple[Fraction, Result]]) -> Result:
    nets, wagers = Fraction(0), Fraction(0)
    for p, (net, wager) in results:
        nets, wagers = nets + p * net, wagers + p * wager
    return nets, wagers


def first_of(actions: dict[str, Fraction]) -> str:
    """The best action, less money first among equals."""
    top = max(actions.values())
    return next(a for a in ("stand", "hit", "rescue", "surrender", "double", "split") if actions.get(a) == top)


def points_of(hand: Bag) -> tuple[int, bool]:
    hard = sum(value + 1 for value, _ in hand)
    return (hard + 10, True) if hard < 12 and 0 in dict(hand) else (hard, False)


class Literal:
    """Whole rounds with physical cards: a 6, 7 or 8 has its suit, every other card suit 0."""

    def __init__(self, rules: Rules, counts: Counts) -> None:
        self.rules = rules
        shoes = [sum(parts, ()) for parts in product(*(self.rank(v, n) for v, n in enumerate(counts)))]
        self.bags = {bag: Fraction(n, len(shoes)) for bag, n in Counter(shoes).items()}
        self.decided: dict[tuple[Bag, Physical, int], str] = {}

    def rank(self, value: int, n: int) -> list[Bag]:
        """The sets of n cards of a value that may be in the shoe, equally likely."""
        if value in {5, 6, 7} and self.rules.suits_matter:
            return list(combinations([(value, suit) for suit in range(4) for _ in range(self.rules.decks)], n))
        return [((value, 0),) * n]

    def worlds(self, seen: Bag, up: Physical) -> list[World]:
        """Hole cards and bags after these cards, no dealer blackjack; their weights are not normalised."""
        out = []
        for bag, p in self.bags.items():
            left = Counter(bag)
            ways = prod(perm(left[card], n) for card, n in Counter(seen).items())
            if ways:
                left.subtract(seen)
                for hole, q, rest in kinds(tuple(left.elements())):
                    if {up[0], hole[0]} != {0, 9}:
                        out.append((p * ways * q, hole, rest))
        return out

    def dealer(self, held: Bag, bag: Bag) -> Iterator[tuple[Fraction, int]]:
        points, soft = points_of(held)
        if points < 17 or (points == 17 and soft and self.rules.dealer_hits_soft_17):
            for card, p, rest in kinds(bag):
                for q, last in self.dealer((*held, card), rest):
                    yield p * q, last
        else:
            yield Fraction(1), points

    def pay(self, hand: Bag, doubled: bool, split: bool) -> Fraction:
        """What a 21 that wins at once pays, to 1."""
        values = sorted(value for value, _ in hand)
        colours = {suit for _, suit in hand}
        kind = "mixed" if len(colours) > 1 else "spades" if 0 in colours else "suited"
        if doubled:
            name = "none"
        elif len(hand) == 2:
            name = "none" if split else "blackjack"
        elif values == [6, 6, 6]:
            name = f"three_sevens_{kind}"
        elif values == [5, 6, 7]:
            name = f"six_seven_eight_{kind}"
        elif len(hand) < 5 or (split and not self.rules.card_count_bonus_after_split):
            name = "none"
        else:
            name = ("five_card_21", "six_card_21", "seven_card_21")[min(len(hand), 7) - 5]
        return self.rules.pays.get(name, Fraction(1))

    def result(self, hand: Bag, doubles: int, split: bool, held: Bag, bag: Bag) -> Fraction:
        """The expected result of a standing hand, the dealer drawing from this bag."""
        mine, wager = points_of(hand)[0], Fraction(2**doubles)
        if mine > 21:
            return -wager
        if mine == 21 and (self.rules.twenty_one_wins or (len(hand) == 2 and not split)):
            return wager * self.pay(hand, doubles > 0, split)
        won = Fraction(0)
        for p, last in self.dealer(held, bag):
            won += p * ((last > 21 or mine > last) - (21 >= last > mine))
        return wager * won

    def bonus(self, hand: Bag, up: Physical) -> Fraction:
        suits = sorted(suit for _, suit in hand)
        if [value for value, _ in (*hand, up)] != [6] * 4:
            return Fraction(0)
        won = suits[0] == suits[2] if self.rules.decks > 2 else (suits == [1, 2, 3] and up[1] == 0)
        return self.rules.super_bonus * won

    def rescued(self, doubles: int) -> Fraction:
        return Fraction(-(2**doubles), 2) if self.rules.rescue_forfeits == "half_of_wager" else Fraction(-1)

    def known(self, worlds: list[World], hand: Bag, up: Physical, doubles: int, extra: bool) -> dict[str, Fraction]:
        """Action -> value over these worlds, times their weight."""
        rules, weight = self.rules, sum((w for w, _, _ in worlds), Fraction(0))
        mine, soft = points_of(hand)
        stand = sum((w * self.result(hand, doubles, False, (up, hole), bag) for w, hole, bag in worlds), Fraction(0))
        if mine > 21:
            return {"stand": stand}
        out = {"stand": stand + (weight * self.bonus(hand, up) if extra and not doubles else 0)}
        after: dict[Physical, list[World]] = {}
        if mine < 21 or soft:
            for w, hole, bag in worlds:
                for card, p, rest in kinds(bag):
                    after.setdefault(card, []).append((w * p, hole, rest))

        def drawn(doubles: int) -> Fraction:
            nexts = [self.known(further, (*hand, card), up, doubles, extra) for card, further in after.items()]
            return sum((max(actions.values()) for actions in nexts), Fraction(0))

        if doubles:
            if mine < 21 and rules.rescue:
                out["rescue"] = weight * self.rescued(doubles)
            if mine < 21 and doubles < rules.max_doubles:
                out["double"] = drawn(doubles + 1)
        else:
            if mine < 21:
                out["hit"] = drawn(0)
            if (mine < 21 or soft) and (rules.double_on_any_cards or len(hand) == 2):
                out["double"] = drawn(1)
        return out

    def decide(self, hand: Bag, up: Physical, doubles: int) -> str:
        key = (tuple(sorted(hand)), up, doubles)
        if points_of(hand)[0] > 21:
            return "stand"
        if key not in self.decided:
            worlds = self.worlds((*hand, up), up)
            self.decided[key] = first_of(self.known(worlds, hand, up, doubles, extra=False))
        return self.decided[key]

    def go_on(
        self,
        todo: Sequence[Bag],
        done: tuple[tuple[Bag, int, str], ...],
        held: Bag,
        bag: Bag,
        doubles: int = 0,
        action: str = "",
    ) -> Result:
        """The rest of the round: the hands to do in their order, the first being played; the hands done."""
        if not todo:
            return self.settle(done, held, bag)
        hand, later = todo[0], todo[1:]
        if action == "split":
            return self.go_on((hand[:1], hand[1:]), done, held, bag)
        if len(hand) == 1:
            return mean((p, self.second(hand, card, later, done, held, rest)) for card, p, rest in kinds(bag))
        action = action or self.decide(hand, held[0], doubles)
        if action in {"hit", "double"}:
            doubles += action == "double"
            return mean(
                (p, self.go_on(((*hand, card), *later), done, held, rest, doubles)) for card, p, rest in kinds(bag)
            )
        return self.go_on(later, (*done, (hand, doubles, action)), held, bag)

    def second(
        self,
        hand: Bag,
        card: Physical,
        later: Sequence[Bag],
        done: tuple[tuple[Bag, int, str], ...],
        held: Bag,
        bag: Bag,
    ) -> Result:
        """A split hand has got its second card."""
        if card[0] == hand[0][0] and 1 + len(later) + len(done) < self.rules.max_hands:
            return self.go_on((hand, (card,), *later), done, held, bag)
        fixed = "stand" if hand[0][0] == 0 and not self.rules.draw_to_split_aces else ""
        return self.go_on(((*hand, card), *later), done, held, bag, 0, fixed)

    def settle(self, done: tuple[tuple[Bag, int, str], ...], held: Bag, bag: Bag) -> Result:
        net, split = Fraction(0), len(done) > 1
        for hand, doubles, action in done:
            if action == "surrender":
                net -= Fraction(1, 2)
            elif action == "rescue":
                net += self.rescued(doubles)
            else:
                net += self.result(hand, doubles, split, held, bag)
                net += self.bonus(hand, held[0]) if not split and not doubles else 0
        return net, Fraction(sum(2**doubles for _, doubles, _ in done))

    def first(self, hand: Bag, up: Physical) -> dict[str, Fraction]:
        worlds = self.worlds((*hand, up), up)
        weight = sum((w for w, _, _ in worlds), Fraction(0))
        out = {action: value / weight for action, value in self.known(worlds, hand, up, 0, extra=True).items()}
        if self.rules.late_surrender:
            out["surrender"] = Fraction(-1, 2)
        if hand[0][0] == hand[1][0]:
            out["split"] = Fraction(0)
            for w, hole, bag in worlds:
                for order in (hand, hand[::-1]):
                    out["split"] += w * self.go_on((order,), (), (up, hole), bag, 0, "split")[0] / weight / 2
        return out

    def round(self) -> Result:
        first = cache(lambda hand, up: first_of(self.first(hand, up)))
        deals: list[tuple[Fraction, Bag, Bag]] = [(p, (), bag) for bag, p in self.bags.items()]
        for _ in range(4):
            deals = [(p * q, (*dealt, card), rest) for p, dealt, bag in deals for card, q, rest in kinds(bag)]

        def played(dealt: Bag, bag: Bag) -> Result:
            hand, held = dealt[:2], dealt[2:]
            if {held[0][0], held[1][0]} != {0, 9}:
                return self.go_on((hand,), (), held, bag, 0, first(tuple(sorted(hand)), held[0]))
            if points_of(hand)[0] < 21:
                return Fraction(-1), Fraction(1)
            return self.pay(hand, False, False) if self.rules.twenty_one_wins else Fraction(0), Fraction(1)

        return mean((p, played(dealt, bag)) for p, dealt, bag in deals)


SPANISH = partial(Rules, decks=1)
BLACKJACK = partial(
    Rules,
    decks=1,
    twenty_one_wins=False,
    double_on_any_cards=False,
    rescue=False,
    pays={"blackjack": Fraction(3, 2)},
)

TINY: dict[str, tuple[Rules, Counts]] = {
    "redoubled and rescued in a split": (SPANISH(max_doubles=2, max_hands=2), (0, 3, 0, 0, 0, 0, 1, 0, 0, 5)),
    "soft, three doubles": (SPANISH(max_doubles=3, max_hands=2), (1, 0, 0, 2, 2, 0, 0, 0, 0, 5)),
    "three hands of eights": (
        SPANISH(max_hands=3, late_surrender=False, rescue_forfeits="original_wager"),
        (0, 1, 0, 0, 0, 0, 0, 3, 0, 6),
    ),
    "four hands of fives": (SPANISH(late_surrender=False, dealer_hits_soft_17=False), (0, 0, 0, 0, 4, 0, 0, 0, 0, 9)),
    "aces, one card each": (
        SPANISH(max_doubles=3, max_hands=2, draw_to_split_aces=False, dealer_hits_soft_17=False),
        (3, 0, 0, 0, 0, 0, 2, 0, 0, 4),
    ),
    "a 6-7-8 of unknown suits": (
        SPANISH(max_hands=2, rescue_forfeits="original_wager"),
        (0, 0, 0, 0, 0, 1, 1, 1, 0, 5),
    ),
    "super bonus, one deck": (SPANISH(max_hands=3, super_bonus=Fraction(20)), (0, 0, 0, 0, 1, 0, 4, 0, 0, 5)),
    "super bonus, three decks": (
        SPANISH(decks=3, max_hands=2, super_bonus=Fraction(20)),
        (0, 0, 0, 0, 0, 0, 4, 0, 0, 4),
    ),
    "many cards, void after a split": (
        SPANISH(max_hands=2, card_count_bonus_after_split=False, rescue=False),
        (1, 2, 2, 1, 0, 0, 0, 0, 0, 5),
    ),
    "blackjack": (BLACKJACK(max_hands=3, dealer_hits_soft_17=False), (3, 0, 0, 0, 0, 0, 1, 0, 2, 6)),
    "blackjack, fours": (BLACKJACK(max_hands=2, dealer_hits_soft_17=False), (1, 0, 0, 2, 0, 0, 0, 0, 0, 6)),
}


@cache
def alone(game: Game, hand: Hand, table: Table) -> Fraction:
    """The value of one split hand when the other hands draw no more cards."""
    rest = oracle.play(game, hand, 0, table)
    return sum((p * net for (_, net, _), p in rest.items()), Fraction(0))


@cache
def seconds_first(game: Game, done: tuple[Hand, ...], table: Table) -> Fraction:
    """A split whose hands all get their second cards first and are then played each as if alone.

    The same in law as the table's order, as long as no line runs out of cards: each hand sees exchangeable cards.
    """
    if not table.waiting:
        return sum((alone(game, hand, table) for hand in done), Fraction(0))
    first, later = table.waiting[0], table.waiting[1:]
    value = Fraction(0)
    for card, p, after in oracle.dealt(game.rules, table, dict.fromkeys(range(10), True)):
        if card[0] == first[0] and table.hands < game.rules.hands_of(card[0]):
            more = after._replace(waiting=(first, card, *later), hands=table.hands + 1)
            value += p * seconds_first(game, done, more)
        else:
            value += p * seconds_first(game, (*done, (first, card)), after._replace(waiting=later))
    return value


def split_seconds_first(rules: Rules, counts: Counts, hand: Hand, upcard: Card) -> Fraction:
    game, value = oracle.game_of(rules, counts), Fraction(0)
    for hole, p, left in oracle.hole_cards(game.rules, oracle.less(counts, *hand, upcard), upcard):
        for order in (hand, hand[::-1]):
            kind = "split" if hand[0][0] else "aces"
            table = Table(upcard, hole, left, oracle.suited(*hand, upcard), order, 2, kind)
            value += p * seconds_first(game, (), table) / 2
    return value


# ---------------------------------------------------------------- tests


def test_farmers_split() -> None:
    """Eric Farmer's split of 2-2 against 7, off a shoe in which real hands can run out of cards."""
    rules = BLACKJACK(late_surrender=False, dealer_hits_soft_17=False)
    counts = (0, 4, 4, 2, 0, 0, 2, 0, 0, 7)
    hand, upcard = cards("2 2"), (6, None)
    with pytest.raises(ShoeExhaustedError):
        oracle.action_values(rules, counts, hand, upcard)
    values = oracle.values(oracle.game_of(rules, counts), hand, upcard)
    values["split"] = split_seconds_first(rules, counts, hand, upcard)
    percent = {action: f"{float(100 * value):.9f}" for action, value in values.items()}
    assert percent["stand"] == "-61.639194139"
    assert percent["hit"] == "-13.266733267"
    assert percent["split"] == "-76.210220335"


@pytest.mark.parametrize("name", TINY)
def test_a_literal_enumeration_gives_the_same_round(name: str) -> None:
    rules, counts = TINY[name]
    whole = oracle.round_value(rules, counts)
    assert Literal(rules, counts).round() == (whole.ev, whole.wagered)


@pytest.mark.parametrize("name", ["sevens", "eights", "aces_one_card", "small_cards"])
def test_a_split_has_the_value_of_its_hands_played_one_by_one(name: str) -> None:
    case = next(case for case in CASES if case.name == name)
    for hand, upcard in case.decisions():
        if len(hand) == 2 and hand[0][0] == hand[1][0]:
            values = oracle.action_values(case.rules, case.counts, hand, upcard)
            assert values["split"] == split_seconds_first(case.rules, case.counts, hand, upcard)


def test_the_order_of_a_pair_counts() -> None:
    """The first hand is the first to be resplit, so which 7 it holds counts; a decision takes either as likely."""
    case = next(case for case in CASES if case.name == "sevens")
    game, hand, upcard = oracle.game_of(case.rules, case.counts), cards("7s 7h"), cards("10")[0]
    orders = []
    for order in (hand, hand[::-1]):
        value = Fraction(0)
        for hole, p, left in oracle.hole_cards(case.rules, oracle.less(case.counts, *hand, upcard), upcard):
            split = oracle.act(game, "split", order, 0, Table(upcard, hole, left, oracle.suited(*hand)))
            value += p * sum((q * net for (_, net, _), q in split.items()), Fraction(0))
        orders.append(value)
    assert orders[0] != orders[1]
    assert oracle.action_values(case.rules, case.counts, hand, upcard)["split"] == sum(orders) / 2


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_a_round_is_a_distribution(case: Case) -> None:
    whole = oracle.round_value(case.rules, case.counts)
    assert sum(whole.outcomes.values()) == 1
    assert sum(whole.endings.values()) == 1
    assert whole.variance > 0
    assert all(abs(net) <= wagered or net > 0 for net, wagered in whole.outcomes)
    for hand, upcard in case.decisions():
        assert oracle.action_values(case.rules, case.counts, hand, upcard)


@pytest.mark.parametrize(
    ("hand", "upcard", "hit"),
    [
        ("7s 7h", "7s", Fraction(3, 2)),
        ("7s 7s", "7s", Fraction(12, 13) * Fraction(3, 2) + Fraction(1, 13) * (3 + 1000)),
        ("7h 7h", "7s", Fraction(11, 13) * Fraction(3, 2) + Fraction(2, 13) * (2 + 1000)),
    ],
)
@pytest.mark.parametrize("max_hands", [2, 3, 4])
def test_nothing_but_sevens(hand: str, upcard: str, hit: Fraction, max_hands: int) -> None:
    """Sixteen 7s of four decks: a third 7 is 21, so every hand, split as often as can be, doubles and wins 2."""
    rules = Rules(decks=4, max_hands=max_hands, super_bonus=Fraction(1000))
    counts = (0, 0, 0, 0, 0, 0, 16, 0, 0, 0)
    values = oracle.action_values(rules, counts, cards(hand), cards(upcard)[0])
    assert values == {"stand": -1, "hit": hit, "double": 2, "surrender": Fraction(-1, 2), "split": 2 * max_hands}
    plain = oracle.round_value(Rules(decks=4, max_hands=max_hands), counts)
    assert plain.ev == plain.wagered == 2 * max_hands


@pytest.mark.parametrize(
    ("forfeits", "doubles", "rescue"),
    [("half_of_wager", 1, -1), ("half_of_wager", 2, -2), ("original_wager", 1, -1), ("original_wager", 2, -1)],
)
def test_after_a_double_against_a_certain_20(forfeits: str, doubles: int, rescue: int) -> None:
    """Every unseen card is a ten: 13 loses to 20, one more card busts it."""
    rules = Rules(max_doubles=3, rescue_forfeits=forfeits)
    counts = (0, 1, 0, 0, 1, 1, 0, 0, 0, 6)
    values = oracle.after_double_values(rules, counts, cards("2 5 6s"), (9, None), doubles)
    assert values == {"stand": -(2**doubles), "rescue": rescue, "double": -(2 ** (doubles + 1))}


def test_the_peek_tells_what_the_hole_card_is_not() -> None:
    """An ace up, three tens and three 9s unseen: the hole card must be a 9, which leaves three tens and two 9s."""
    counts = (1, 1, 0, 0, 0, 0, 0, 0, 3, 4)
    values = oracle.action_values(Rules(late_surrender=False), counts, cards("10 2"), (0, None))
    assert values == {"stand": -1, "hit": Fraction(2 - 3, 5), "double": Fraction(2 * (2 - 3), 5)}


@pytest.mark.parametrize(("wins", "net"), [(True, Fraction(3, 2)), (False, Fraction(0))])
def test_two_blackjacks(wins: bool, net: Fraction) -> None:
    """Two aces and ten tens: 4 of the C(12, 2) = 66 places of the aces give both a blackjack."""
    rules = Rules() if wins else BLACKJACK()
    whole = oracle.round_value(rules, (2, 0, 0, 0, 0, 0, 0, 0, 0, 10))
    assert whole.endings["two_blackjacks"] == Fraction(4, 66)
    assert (net, 1) in whole.outcomes


def test_event_rate() -> None:
    """A blackjack nobody doubles is paid whenever it is dealt, against a dealer blackjack too."""
    rules, counts = Rules(max_hands=2), (2, 0, 0, 0, 3, 0, 0, 0, 2, 6)
    endings = oracle.round_value(rules, counts).endings
    paid = oracle.event_rate(rules, counts, "blackjack")
    assert paid == endings["blackjack"] + endings["two_blackjacks"] == Fraction(2 * 2 * 6, 13 * 12)


@pytest.mark.parametrize(
    ("hand", "split", "pays"),
    [
        ("A 10", False, Fraction(3, 2)),
        ("A 10", True, 1),
        ("5 6s 10", False, 1),
        ("6s 7h 8s", True, Fraction(3, 2)),
        ("6h 7h 8h", False, 2),
        ("8s 6s 7s", False, 3),
        ("7s 7s 7s", True, 3),
        ("7c 7c 7c", False, 2),
        ("7s 7h 7d", False, Fraction(3, 2)),
        ("2 3 4 10 2", False, Fraction(3, 2)),
        ("2 3 4 10 2", True, 1),
        ("2 3 4 5 4 3", False, 2),
        ("A A 2 2 3 4 8s", False, 3),
        ("A A A 2 2 3 4 7s", False, 3),
    ],
)
def test_bonus_pays(hand: str, split: bool, pays: Fraction) -> None:
    assert oracle.pay_of_21(Rules(card_count_bonus_after_split=False), cards(hand), split) == pays


@pytest.mark.parametrize(
    ("decks", "hand", "upcard", "won"),
    [
        (6, "7h 7h 7h", "7s", True),
        (6, "7s 7s 7s", "7c", True),
        (6, "7s 7s 7h", "7s", False),
        (6, "7h 7h 7h", "8h", False),
        (2, "7h 7c 7d", "7s", True),
        (2, "7h 7c 7d", "7c", False),
        (2, "7h 7h 7d", "7s", False),
    ],
)
def test_super_bonus(decks: int, hand: str, upcard: str, won: bool) -> None:
    paid = oracle.super_bonus(Rules(decks=decks, super_bonus=Fraction(200)), cards(hand), cards(upcard)[0])
    assert paid == (200 if won else 0)


def test_cards_that_cannot_be_there() -> None:
    rules, counts = Rules(decks=2), (0, 0, 0, 1, 0, 1, 4, 1, 0, 7)
    for hand, upcard in (("7s 7s", "7s"), ("7 7", "10"), ("8s 8h", "10")):
        with pytest.raises(ValueError, match="cannot be"):
            oracle.action_values(rules, counts, cards(hand), cards(upcard)[0])
