"""A spot of the family of 21, explained: a hand against an upcard, what each action is worth there, and why.

Every number is the exact engine's (see `twentyone`): the shoe less the hand and the upcard, given that the dealer has
no blackjack. Where suits matter and were not told, all that are possible count as often as they are dealt.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import perm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from casinomath.cards import SUITS as SUIT_LETTERS
from casinomath.cards import UPCARDS, VALUES, Card, Pack, check_seen, ranks_of, read_cards
from casinomath.charts import chart_policy
from casinomath.decisions import (
    ALIKE,
    MOST_CARDS,
    Groups,
    Weighed,
    action_names,
    cards_name,
    hand_name,
    pair_name,
    redouble_names,
    suits_names,
    totals,
)
from casinomath.errors import RequestError
from casinomath.explanation import Entry, Explanation, Section
from casinomath.kernels.actions import (
    ACTIONS,
    BUSTED,
    DOUBLE,
    DOUBLED,
    FREE_DOUBLED,
    HIT,
    PER_STAGE,
    RESCUE,
    SIX_SEVEN_EIGHT,
    SPLIT,
    STAND,
    THREE_SEVENS,
)
from casinomath.kernels.dealer import BUST, TWENTY_TWO
from casinomath.kernels.hands import hands
from casinomath.kernels.suits import COMPLETING
from casinomath.kernels.twentyone import completing_card, played_on
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, Solution

LISTED: Final = 12
"""Other hands of a chart's cell that are listed, the commonest first."""


@dataclass(frozen=True)
class Spot:
    """A hand against an upcard, with the suits that are known."""

    cards: tuple[Card, ...]
    upcard: Card
    row: int
    """The hand in the lattice."""
    u: int
    """The upcard's value index."""
    doubles: int
    """Doubles made before."""

    @property
    def values(self) -> tuple[int, ...]:
        """The cards' value indices."""
        return tuple(card.value for card in self.cards)

    def __str__(self) -> str:
        """Return the question."""
        hand = " ".join(_written(card) for card in self.cards)
        return f"{hand} against {_written(self.upcard)}{after_doubles(self.doubles)}"


def after_doubles(doubles: int) -> str:
    """Say how often a hand was doubled."""
    return f" after {doubles} doubles" if doubles > 1 else " after a double" if doubles else ""


def _written(card: Card) -> str:
    return card.rank + ("" if card.suit is None else SUIT_LETTERS[card.suit])


def read_spot(problem: Problem, pack: Pack, cards: str, shown: str, doubles: int = 0) -> Spot:
    """Read a hand and an upcard; RequestError for what these decks, or this shoe, can't deal.

    cards   : `7s 8h`, `7 8`, `A 2 K`: two cards and more, with suits or without
    shown   : the upcard, `9`, `7s`; `10` is any ten-valued card, as in charts
    doubles : doubles made before, each of which took a card
    """
    hand, upcard = read_cards(cards, pack), _upcard(shown, pack)
    if len(hand) < 2:
        raise RequestError(f'cards are "{cards}"; expected a hand of two cards or more, such as "7s 8h"')
    lattice, row = hands(), 0
    for card in hand:
        row = int(lattice.child[row, card.value])
        if row < 0:
            raise RequestError(f'cards are "{cards}", more than 21: nothing is left to decide')
    if doubles and not 0 < doubles <= problem.table.max_doubles:
        raise RequestError(f"doubles is {doubles}; expected 0 to {problem.table.max_doubles}, as these rules have it")
    if len(hand) < 2 + doubles:
        raise RequestError(
            f"doubles is {doubles} with {len(hand)} cards; expected {2 + doubles} or more, for each double takes one"
        )
    check_seen([card for card in (*hand, upcard) if card.rank in ranks_of(pack)], problem.decks)
    for value, name in enumerate(VALUES):
        seen = int(lattice.counts[row, value]) + (value == upcard.value)
        seen = seen if problem.table.taken else min(seen, 1)
        if seen > problem.shoe[value]:
            raise RequestError(
                f"the hand and the upcard hold {seen} cards of value {name}; "
                f"the shoe, counted before the round, holds {problem.shoe[value]}"
            )
    return Spot(tuple(hand), upcard, row, upcard.value, doubles)


MEANT: Final = {"1": "A", "11": "A", "0": "10", "ACE": "A", "KING": "K", "QUEEN": "Q", "JACK": "J", "TEN": "10"}
"""What people write for cards; each differs too much from a card's name to be taken for a slip of it."""


def _upcard(shown: str, pack: Pack) -> Card:
    if shown.strip() == "10":
        return Card("10", None)
    try:
        (card,) = read_cards(shown, pack)
    except ValueError:  # RequestError is one, and so is more than one card
        meant = MEANT.get(shown.strip().upper().removesuffix("S"))
        hint = f" (did you mean {meant!r}?)" if meant else ""
        choices = ", ".join(dict.fromkeys((*UPCARDS, *ranks_of(pack))))
        raise RequestError(f"unknown upcard {shown!r}{hint}; choices: {choices}, perhaps with a suit") from None
    return card


# --- Suits --------------------------------------------------------------------------------------------------


def suits_chance(problem: Problem, spot: Spot) -> NDArray[np.float64] | None:
    """(64,) the chances of the suits of a hand of SUITED_HANDS and its upcard, given those known; or None."""
    i = int(problem.suited.place[spot.row])
    if i < 0:
        return None
    suits = np.arange(64)
    first, second = sorted(spot.cards, key=lambda card: card.value)
    fits = np.ones(64, dtype=bool)
    for card, of in ((first, suits // 16), (second, suits // 4 % 4), (spot.upcard, suits % 4)):
        if card.suit is not None and 5 <= card.value <= 7:
            fits &= of == card.suit
    chance = np.where(fits, problem.suited.weight[i, spot.u], 0.0)
    return np.asarray(chance / chance.sum())


def bonus_chances(decks: int, cards: Sequence[Card], upcard: Card) -> tuple[float, float, float, float]:
    """P(mixed, suited, spades) of a 6-7-8 or 7-7-7, given the suits that are known, and P(Super Bonus)."""
    seen = (*cards, upcard) if upcard.value in {card.value for card in cards} else tuple(cards)
    sums = np.zeros(4)
    for suits in product(*([card.suit] if card.suit is not None else range(4) for card in seen)):
        dealt = [(card.value, suit) for card, suit in zip(seen, suits, strict=True)]
        weight = 1
        for kind in set(dealt):
            weight *= perm(decks, dealt.count(kind))
        own = suits[: len(cards)]
        alike = len(set(own)) == 1
        sums[(1 if own[0] else 2) if alike else 0] += weight
        if {card.value for card in (*cards, upcard)} == {6}:
            sums[3] += weight * (alike if decks > 2 else set(own) == {1, 2, 3} and suits[-1] == 0)
    mixed, suited, spades, super_bonus = (sums / sums[:3].sum()).tolist()
    return mixed, suited, spades, super_bonus


# --- What actions are worth ---------------------------------------------------------------------------------


def action_evs(solution: Solution, spot: Spot) -> Weighed:
    """EVs of every action at a spot, given no dealer blackjack; its weight is the chance of that."""
    problem, values = solution.problem, solution.values
    peek = float(values.peek[spot.u, spot.row])
    if spot.doubles:
        return Weighed(peek, _after_double(solution, spot.row, spot.u, spot.doubles))
    if len(spot.cards) > 2:
        evs = _played_on(solution, spot.row, spot.u)
        if problem.table.twenty_one_wins and sorted(spot.values) in ([5, 6, 7], [6, 6, 6]):
            evs[STAND] = _bonus(problem, bonus_chances(problem.decks, spot.cards, spot.upcard), spot.values)
        return Weighed(peek, evs)
    chance = suits_chance(problem, spot)
    if chance is None:
        parts, weights = [solution.first_values(spot.u, spot.row)], np.ones(1)
    else:
        parts = [solution.first_values(spot.u, spot.row, int(suits)) for suits in np.flatnonzero(chance)]
        weights = chance[chance > 0]
    return Weighed(peek, {action: float(weights @ [part[action] for part in parts]) / peek for action in parts[0]})


def _played_on(solution: Solution, row: int, u: int) -> dict[int, float]:
    """What can be done with an undoubled hand of three cards and more; a hand of two, without its first decision."""
    problem, values, lattice = solution.problem, solution.values, hands()
    peek = values.peek[u, row]
    actions = {STAND: values.stand[u, row] / peek}
    if lattice.total[row] < 21:
        actions[HIT] = values.hit[u, row] / peek
    if problem.may_double[row] and (lattice.total[row] < 21 or lattice.soft[row]):
        actions[DOUBLE] = values.double[u, row] / peek
    return {action: float(ev) for action, ev in actions.items()}


def _after_double(solution: Solution, row: int, u: int, doubles: int) -> dict[int, float]:
    problem, values, total = solution.problem, solution.values, hands().total[row]
    peek, wager = values.peek[u, row], 2.0**doubles
    if total == 21 and problem.table.twenty_one_wins:
        return {STAND: wager}
    actions = {STAND: wager * values.stand[u, row] / peek}
    if problem.table.rescue:
        actions[RESCUE] = problem.ending_pays[DOUBLED + PER_STAGE * doubles - 1]
    if doubles < problem.table.max_doubles:
        actions[DOUBLE] = values.redouble[doubles - 1, u, row] / peek
    return {action: float(ev) for action, ev in actions.items()}


def _bonus(problem: Problem, chances: tuple[float, float, float, float], values: Sequence[int]) -> float:
    """What a 6-7-8 or a 7-7-7 is paid."""
    first = THREE_SEVENS if set(values) == {6} else SIX_SEVEN_EIGHT
    pays = problem.ending_pays[first : first + 3]
    return float(np.dot(chances[:3], pays)) + problem.super_bonus * chances[3]


# --- Why ----------------------------------------------------------------------------------------------------


def explained(
    game: str, rules: Mapping[str, Any], paytable: str, groups: Groups, chart: Chart, spot: Spot
) -> Explanation:
    """Explain a spot.

    groups : of the solution, which also know how often hands are met
    chart  : whose advice is set beside the composition's
    """
    solution = groups.solution
    problem = solution.problem
    evs = action_evs(solution, spot)
    if np.isnan(evs.weight) or evs.weight <= 0:
        raise RequestError(f"{spot}: the dealer would always have a blackjack, and nothing is decided")
    named = redouble_names if spot.doubles else action_names
    sections = [
        *_by_suits(solution, spot),
        _dealer(problem, solution, spot),
        *_next_card(solution, spot),
        *_advice(problem, chart, spot, evs),
        *_alike(groups, spot),
    ]
    notes = [f"Given no dealer blackjack, of which the chance is {evs.weight:.4%} once hand and upcard are seen."]
    if not problem.table.peeks:
        notes = ["The dealer does not peek: the EVs know that his blackjack takes all wagers."]
    elif 0 < spot.u < 9:
        notes = ["No dealer blackjack is possible with this upcard: the EVs are given nothing but the cards seen."]
    notes += [*_suit_notes(problem, spot), *_insurance_note(problem, spot)]
    if SPLIT in evs.values:
        notes.append(f"Split hands, up to {problem.max_hands}, follow one fixed decision for every hand (cdz_minus).")
        if spot.values[0] in problem.free_pairs:
            notes.append("All but the first of them carry free bets, and follow decisions of their own.")
    if DOUBLE in evs.values and not spot.doubles and problem.doubles_free[spot.row]:
        notes.append("The double is a free bet: it wins like money and is not lost.")
    best = named({evs.best: 0.0})
    return Explanation(
        game=game,
        question=str(spot),
        rules=rules,
        paytable=paytable,
        measure="ev_no_dealer_blackjack" if problem.table.peeks else "ev",
        evs=named(evs.values),
        best=next(iter(best)),
        sections=tuple(sections),
        notes=tuple(notes),
    )


def _suit_notes(problem: Problem, spot: Spot) -> Iterator[str]:
    told = any(card.suit is not None for card in (*spot.cards, spot.upcard))
    bonus = sorted(spot.values) in ([5, 6, 7], [6, 6, 6]) and not spot.doubles and problem.table.twenty_one_wins
    if problem.suited.place[spot.row] < 0 and not bonus:
        if told:
            yield "Suits change nothing here: this hand can't become a 6-7-8 or a 7-7-7 that is paid."
        return
    looked = [card for card in (*spot.cards, spot.upcard) if 5 <= card.value <= 7]
    if any(card.suit is None for card in looked):
        yield "Suits that were not told are weighed as they are dealt."


def _insurance_note(problem: Problem, spot: Spot) -> Iterator[str]:
    if spot.u != 0 or spot.doubles or len(spot.cards) > 2:
        return
    left = problem.shoe_array - problem.table.taken * hands().counts[spot.row]
    unseen = left.sum() - problem.table.taken
    yield f"Insurance at 2:1, given these cards, has an EV of {3 * left[9] / unseen - 1:+.4%} of its own wager."


def _by_suits(solution: Solution, spot: Spot) -> Iterator[Section]:
    """The classes of suits that are worth the same, where there are several."""
    chance = suits_chance(solution.problem, spot)
    if chance is None or spot.doubles or np.count_nonzero(chance) < 2:
        return
    i, peek = int(solution.problem.suited.place[spot.row]), solution.values.peek[spot.u, spot.row]
    classes: list[tuple[list[int], Weighed]] = []
    for suits in np.flatnonzero(chance).tolist():
        values = solution.first_values(spot.u, spot.row, suits)
        one = Weighed(1.0, {action: value / peek for action, value in values.items()})
        for members, other in classes:
            if other.best == one.best and other.agrees(one):
                members.append(suits)
                break
        else:
            classes.append(([suits], one))
    if len(classes) < 2:
        return
    names = suits_names(i, spot.u, [np.array(members) for members, _ in classes])
    actions = [ACTIONS[action] for action in classes[0][1].values]
    yield Section(
        "By suits",
        ("suits", "probability", "best", *actions),
        tuple(
            (name, float(chance[members].sum()), ACTIONS[values.best], *values.values.values())
            for name, (members, values) in zip(names, classes, strict=True)
        ),
        (f"Suits whose actions differ by less than {ALIKE:g} are one class, with the EVs of one of them.",),
        percent=("probability",),
    )


def _dealer(problem: Problem, solution: Solution, spot: Spot) -> Section:
    """The dealer's totals, and what they do to a hand that stands."""
    total = int(hands().total[spot.row])
    here, before = problem.dealer[spot.row, spot.u], problem.dealer[0, spot.u]
    if problem.table.peeks:
        here, before = here / solution.values.peek[spot.u, spot.row], before / before.sum()
    paid = problem.table.twenty_one_wins and total == 21
    rows: list[tuple[Entry, ...]] = []
    for place, name in enumerate(("17", "18", "19", "20", "21", "22", "bust")):
        if place == TWENTY_TWO and not problem.pushes_22:
            continue
        wins = paid or place == BUST or (place < TWENTY_TWO and total > 17 + place)
        result = "wins" if wins else "pushes" if total == 17 + place or place == TWENTY_TWO else "loses"
        rows.append((name, float(here[place]), float(before[place]), result))
    if not problem.table.peeks and not 0 < spot.u < 9:
        rows.append(("blackjack", float(1 - here.sum()), float(1 - before.sum()), "loses"))
    return Section(
        "The dealer's total",
        ("dealer", "probability", "probability, only the upcard seen", f"standing on {total}"),
        tuple(rows),
        ("Given no dealer blackjack.",) if problem.table.peeks else (),
        percent=("probability", "probability, only the upcard seen"),
    )


def _next_card(solution: Solution, spot: Spot) -> Iterator[Section]:
    """The next card, whatever it is, and what is best then."""
    problem, lattice = solution.problem, hands()
    if lattice.total[spot.row] == 21 and (spot.doubles or not lattice.soft[spot.row]):
        return
    hits = not spot.doubles and lattice.total[spot.row] < 21
    doubles = spot.doubles < problem.table.max_doubles and bool(spot.doubles or problem.may_double[spot.row])
    if not (hits or doubles):
        return
    columns = ["card", "probability", "hand"]
    columns += ["after a hit", "EV after a hit"] if hits else []
    twice = "redouble" if spot.doubles else "double"
    columns += [f"after a {twice}", f"EV after a {twice}"] if doubles else []
    rows = []
    for value, chance in next_cards(problem, spot.row, spot.u):
        child = int(lattice.child[spot.row, value])
        name = "bust" if child < 0 else _named(child)
        row: list[Entry] = [VALUES[value], chance, name]
        if hits:
            row += _then_hit(solution, spot, value, child)
        if doubles:
            row += _then_doubled(solution, spot, child)
        rows.append(tuple(row))
    yield Section(
        "The next card",
        tuple(columns),
        tuple(rows),
        ("An action's EV is the mean of its column, weighed with the probabilities.",),
        percent=("probability",),
    )


def next_cards(problem: Problem, row: int, u: int) -> Iterator[tuple[int, float]]:
    """Yield the next card's value and its chance, given no dealer blackjack where he peeks."""
    taken, peeks = problem.table.taken, problem.table.peeks
    left = problem.shoe_array - taken * (hands().counts[row] + (np.arange(10) == u))
    unseen, b = float(left.sum()), completing_card(u)
    completing = float(left[b]) if b >= 0 else 0.0
    given = played_on(completing, unseen, u, peeks)
    for value in np.flatnonzero(left > 0).tolist():
        after = played_on(completing - taken * (value == b), unseen - taken, u, peeks)
        if after > 0:
            yield value, float(left[value] / unseen * after / given)


def _named(row: int) -> str:
    lattice = hands()
    return hand_name(int(lattice.total[row]), bool(lattice.soft[row]))


def _then_hit(solution: Solution, spot: Spot, value: int, child: int) -> tuple[str, float]:
    """What is best after a hit, and its EV."""
    problem = solution.problem
    if child < 0:
        return "", float(problem.ending_pays[BUSTED])
    chance = suits_chance(problem, spot)
    i = int(problem.suited.place[spot.row])
    if chance is not None and COMPLETING[i] == value:
        suited = problem.suited
        kinds = chance @ suited.complete[i, :, spot.u]
        prize = float(chance @ suited.super_bonus[i, :, spot.u])
        return "paid", _bonus(problem, (*kinds.tolist(), prize), (*spot.values, value))
    evs = Weighed(1.0, _played_on(solution, child, spot.u))
    paid = hands().total[child] == 21 and evs.best == STAND and problem.table.twenty_one_wins
    return "paid" if paid else ACTIONS[evs.best], evs.values[evs.best]


def _then_doubled(solution: Solution, spot: Spot, child: int) -> tuple[str, float]:
    """What is best after a double card, and its EV."""
    if not spot.doubles and solution.problem.doubles_free[spot.row]:
        return _then_doubled_free(solution, spot.u, child)
    doubles = spot.doubles + 1
    if child < 0:
        return "", -(2.0**doubles)
    evs = Weighed(1.0, _after_double(solution, child, spot.u, doubles))
    paid = hands().total[child] == 21 and solution.problem.table.twenty_one_wins
    action = next(iter(redouble_names({evs.best: 0.0})))
    return "paid" if paid else action, evs.values[evs.best]


def _then_doubled_free(solution: Solution, u: int, child: int) -> tuple[str, float]:
    """What is left to do after a free double's card, and its EV."""
    problem = solution.problem
    first = DOUBLED + PER_STAGE * (FREE_DOUBLED - 1)
    won, lost, bust = (float(problem.ending_pays[first + place]) for place in (1, 3, 4))
    if child < 0:
        return "", bust
    dealer, beaten = problem.dealer[child, u], np.sign(hands().total[child] - np.arange(17, 22))
    ev = won * (dealer[BUST] + dealer[:5][beaten > 0].sum()) + lost * dealer[:5][beaten < 0].sum()
    return "stand", float(ev / solution.values.peek[u, child])


def _advice(problem: Problem, chart: Chart, spot: Spot, evs: Weighed) -> Iterator[Section]:
    """What a chart says, and what these very cards say."""
    lattice = hands()
    total, soft = int(lattice.total[spot.row]), bool(lattice.soft[spot.row])
    if total == 21 or (cell := _cell(chart, spot, total, soft, VALUES[spot.u])) is None:
        return
    policy = chart_policy(_completed(chart), problem)
    chance = suits_chance(problem, spot) if not spot.doubles else None
    if spot.doubles:
        says = {int(policy.after[spot.doubles - 1, spot.u, spot.row]): 1.0}
    elif chance is not None:
        actions = policy.suited_first[spot.u, int(problem.suited.place[spot.row])]
        says = {int(action): float(chance[actions == action].sum()) for action in np.unique(actions[chance > 0])}
    elif len(spot.cards) == 2:
        says = {int(policy.first[spot.u, spot.row]): 1.0}
    else:
        says = {int(policy.play[spot.u, spot.row]): 1.0}
    named = redouble_names if spot.doubles else action_names
    words = " or ".join(named(says))
    ev = sum(part * evs.values[action] for action, part in says.items())
    best = next(iter(named({evs.best: 0.0})))
    yield Section(
        "What a chart says, and what these cards say",
        ("source", "cell", "action", "EV", "cost"),
        (
            (f"chart {chart.name}", cell, words, float(ev), float(evs.values[evs.best] - ev)),
            ("these cards", cards_name(lattice.counts[spot.row]), best, evs.values[evs.best], 0.0),
        ),
        ("By the suits: the chart's mark tells them apart, or the best play does.",) if len(says) > 1 else (),
    )


def _completed(chart: Chart) -> Chart:
    """The chart with a code in every cell: one derived from a shoe lacks those of hands that the shoe can't deal."""
    rows = [("soft" if soft else "hard", hand_name(total, soft)) for total, soft in totals() if total < 21]
    rows += [("pairs", pair_name(value)) for value in range(10)] + [("after_double_hard", "16")]
    tables: dict[str, dict[str, Mapping[str, str]]] = {table: dict(codes) for table, codes in chart.tables.items()}
    for table, hand in rows:
        codes = tables.setdefault(table, {})
        codes[hand] = dict.fromkeys(UPCARDS, "S") | dict(codes.get(hand, {}))
    return replace(chart, tables=tables)


def _cell(chart: Chart, spot: Spot, total: int, soft: bool, upcard: str) -> str | None:
    """The cell of the chart that holds the spot, with its code; None where it has none."""
    kind, name = ("soft" if soft else "hard"), hand_name(total, soft)
    tables = [(kind, name)]
    if spot.doubles:
        stages = [f"after_{k}_doubles" for k in range(spot.doubles, 1, -1)] + ["after_double"]
        tables = [(f"{stage}_{kind}", name) for stage in stages] + [(f"{stage}_hard", "16") for stage in stages]
    elif len(spot.cards) == 2 and spot.values[0] == spot.values[1]:
        tables = [("pairs", pair_name(spot.values[0]))]
    for table, hand in tables:
        if (code := chart.code(table, hand, upcard)) is not None:
            return f"{table.replace('_', ' ')} {hand} against {upcard}: {code}"
    return None


def _alike(groups: Groups, spot: Spot) -> Iterator[Section]:
    """The other hands that a chart can't tell from this one, the commonest first."""
    lattice, solution = groups.lattice, groups.solution
    pair = len(spot.cards) == 2 and spot.values[0] == spot.values[1]
    total, soft, size = (of[spot.row] for of in (lattice.total, lattice.soft, lattice.size))
    if pair or total == 21:
        return
    of_cell = (lattice.total == total) & (lattice.soft == soft) & (lattice.size >= 2)
    met = groups.met[spot.u, spot.doubles].copy()
    if not spot.doubles:
        of_cell &= lattice.size == size if size < MOST_CARDS else lattice.size >= MOST_CARDS
        if size == 2:
            of_cell &= [row not in _pair_rows() for row in range(len(lattice.size))]
    rows = np.flatnonzero(of_cell & (met > 0))
    met *= np.nan_to_num(solution.values.peek[spot.u])
    rows = rows[np.argsort(-met[rows], kind="stable")]
    if len(rows) < 2:
        return
    named = redouble_names if spot.doubles else action_names
    listed: list[tuple[Entry, ...]] = []
    for row in rows[:LISTED].tolist():
        cards = tuple(Card(VALUES[value], None) for value in np.repeat(np.arange(10), lattice.counts[row]))
        evs = action_evs(solution, Spot(cards, spot.upcard, row, spot.u, spot.doubles))
        ranked = sorted(evs.values.values(), reverse=True)
        gap = ranked[0] - ranked[1] if len(ranked) > 1 else None
        best = next(iter(named({evs.best: 0.0})))
        listed.append((cards_name(lattice.counts[row]), float(met[row]), best, evs.values[evs.best], gap))
    more = len(rows) - len(listed)
    sized = (
        after_doubles(spot.doubles)
        if spot.doubles
        else f" of {size} cards"
        if size < MOST_CARDS
        else f" of {MOST_CARDS} cards or more"
    )
    yield Section(
        f"All {'soft' if soft else 'hard'} {total}s{sized}, which a chart can't tell apart",
        ("hand", "met", "best", "EV", "gap"),
        tuple(listed),
        (f"and {more} rarer hands",) if more else (),
        percent=("met",),
    )


def _pair_rows() -> set[int]:
    lattice = hands()
    return {int(lattice.child[lattice.child[0, value], value]) for value in range(10)}
