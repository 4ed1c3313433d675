"""From one game of the family of 21 to another, rule by rule: what every step does to the house edge.

A rung takes one more group of rules over from the game to be reached and leaves everything else as it was; each is
priced exactly, by its own best play. What a rule is worth depends on those that came before it, so the order matters:
averaged over every order (Shapley's value) it does not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from casinomath.errors import RequestError, unknown
from casinomath.kernels.actions import ENDINGS
from casinomath.request import Request
from casinomath.twentyone import Problem, Round, play, solve

if TYPE_CHECKING:
    import pandas as pd

_BONUSES: Final = (
    *("five_card_21", "six_card_21", "seven_card_21"),
    *("six_seven_eight_mixed", "six_seven_eight_suited", "six_seven_eight_spades"),
    *("three_sevens_mixed", "three_sevens_suited", "three_sevens_spades"),
)
_RESCUES: Final = ("doubled_rescue", "redoubled_rescue", "redoubled_twice_rescue")


class Part(NamedTuple):
    """Rules that go over together: where a problem keeps them."""

    fields: tuple[str, ...] = ()
    """Of the problem."""
    table: tuple[str, ...] = ()
    """Of its table."""
    pays: tuple[str, ...] = ()
    """Endings that are paid by them."""

    def differs(self, problem: Problem, target: Problem) -> bool:
        """Whether the target has other rules here."""
        # an ending that only one of them pays comes with a rule that only one of them has
        return (
            any(getattr(problem, name) != getattr(target, name) for name in self.fields)
            or any(getattr(problem.table, name) != getattr(target.table, name) for name in self.table)
            or any(target.pays.get(ending, pay) != pay for ending, pay in problem.pays.items() if ending in self.pays)
        )

    def take(self, problem: Problem, target: Problem) -> Problem:
        """Return the problem with these rules of the target."""
        return replace(
            problem,
            table=problem.table._replace(**{name: getattr(target.table, name) for name in self.table}),
            pays={**problem.pays, **{ending: target.pays[ending] for ending in self.pays if ending in target.pays}},
            **{name: getattr(target, name) for name in self.fields},
        )


PARTS: Final[Mapping[str, Part]] = {
    "cards of the packs": Part(("shoe", "decks"), ("taken",)),
    "soft 17": Part(("hits_soft_17",)),
    "dealer's 22": Part(("pushes_22",)),
    "peek": Part(table=("peeks",)),
    "blackjack pays": Part(pays=("blackjack",)),
    "21 wins at once": Part(table=("twenty_one_wins",)),
    "bonus 21s": Part(("split_pays",), pays=_BONUSES),
    "surrender": Part(table=("surrender",), pays=("surrender",)),
    "hands that may double": Part(table=("double_up_to", "double_from")),
    "double after split": Part(table=("double_after_split",)),
    "number of hands": Part(("max_hands",)),
    "aces resplit": Part(table=("resplit_aces",)),
    "split aces drawn to": Part(table=("split_aces_draw", "double_split_aces")),
    "rescue": Part(table=("rescue",), pays=_RESCUES),
    "redoubling": Part(table=("max_doubles",)),
    "free splits": Part(("free_pairs", "paid_pairs")),
    "free doubles": Part(table=("free_double_up_to",)),
    "Super Bonus": Part(("super_bonus",)),
}
"""Everything that games of the family differ in, in the order of the usual telling: first what the house takes."""


@dataclass(frozen=True)
class Ladder:
    """What leads from one game to another."""

    start: Request
    target: Request
    table: "pd.DataFrame"
    """One row for each rung, the start first: part, house_edge, change_in_house_edge, and on demand average_change,
    which is over all orders. Envy bonuses, which other bettors win, are left out."""
    endings: "pd.DataFrame"
    """How rounds that are not split end at each rung: part, ending, probability, and what it brings."""


def ladder(start: Request, target: Request, order: Sequence[str] = (), *, all_orders: bool = False) -> Ladder:
    """Go from one game of the family of 21 to another, one of PARTS after the other, where they differ.

    order      : parts to take first, in their order; the others follow in that of PARTS
    all_orders : average what each part does over all orders too, which prices every mixture of both games' rules
    Raises RequestError for games that are not of the family, or can't be mixed, and for unknown parts.
    """
    import pandas as pd

    for name in order:
        if name not in PARTS:
            raise unknown("part", name, PARTS)
    begin, end = _problem(start), _problem(target)
    # a 21 that earns no bonus yet is paid like any other hand
    begin = replace(begin, pays={**dict.fromkeys(_BONUSES, 1.0), **begin.pays})
    names = [name for name in dict.fromkeys((*order, *PARTS)) if PARTS[name].differs(begin, end)]
    climbed = [names[:steps] for steps in range(len(names) + 1)]
    rungs = [_played(begin, end, taken) for taken in climbed]
    table = pd.DataFrame({"part": ["", *names], "house_edge": [-rung.ev for rung in rungs]})
    table["change_in_house_edge"] = table["house_edge"].diff()
    if all_orders:
        edges = {frozenset(taken): -rung.ev for taken, rung in zip(climbed, rungs, strict=True)}
        for size in range(len(names) + 1):
            for taken in combinations(names, size):
                if frozenset(taken) not in edges:
                    edges[frozenset(taken)] = -_played(begin, end, taken).ev
        table["average_change"] = [float("nan"), *(_average(name, names, edges) for name in names)]
    return Ladder(start, target, table, pd.concat(map(_endings, table["part"], rungs), ignore_index=True))


def _problem(request: Request) -> Problem:
    state = getattr(request.game, "problem", None)
    if state is None:
        raise RequestError(f"{request.game.STEM} is no game of the family of 21")
    return cast("Problem", state(request.rules, request.paytable))


def _mixed(start: Problem, target: Problem, taken: Sequence[str]) -> Problem:
    problem = start
    # in the order of PARTS, whatever order they are taken in: the same mixture is the same problem
    for name, part in PARTS.items():
        if name in taken:
            problem = part.take(problem, target)
    return problem


def _played(start: Problem, target: Problem, taken: Sequence[str]) -> Round:
    try:
        problem = _mixed(start, target, taken)
    except ValueError as error:
        raise RequestError(f"with {' and '.join(taken)} taken over: {error}") from None
    solution = solve(problem)
    return play(problem, solution.policy, solution.splits)


def _endings(part: str, played: Round) -> "pd.DataFrame":
    import pandas as pd

    chances = played.ends.sum(axis=0)
    brought = chances * played.problem.ending_pays
    frame = pd.DataFrame({"part": part, "ending": ENDINGS, "probability": chances, "return": brought})
    return frame[frame["probability"] > 0]


def _average(name: str, names: Sequence[str], edges: Mapping[frozenset[str], float]) -> float:
    """Shapley's value: the mean change by one part over every order in which all of them can be taken."""
    others = [other for other in names if other != name]
    total = 0.0
    for size in range(len(others) + 1):
        every = combinations(others, size)
        changes = [edges[frozenset((*taken, name))] - edges[frozenset(taken)] for taken in every]
        total += sum(changes) / comb(len(others), size)
    return total / len(names)
