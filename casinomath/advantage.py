"""What counting cards is worth: effects of removal, systems that follow them, plays and bets by the true count.

Exact for the compositions that are expected at a true count (see `indices`), by simulation for whole shoes (see
`counters`).
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, Literal, Unpack, cast, get_args

import numpy as np

from casinomath import catalog, indices, montecarlo
from casinomath.cards import VALUES
from casinomath.charts import chart_policy
from casinomath.counters import CountingRounds, CountSample, Ramp, optimal_bets, stacked
from casinomath.counting import CountSystem, betting_correlation, insurance_correlation, tags_from_effects
from casinomath.decisions import Groups
from casinomath.errors import RequestError, unknown
from casinomath.kernels.actions import ACTIONS, Policy
from casinomath.paytable import Pay, PayTable
from casinomath.request import Named, Request, resolve
from casinomath.request import game as module_of
from casinomath.rounds import Rounds
from casinomath.strategy import Chart
from casinomath.twentyone import Problem, Solution, play, solve

if TYPE_CHECKING:
    import pandas as pd

LEVELS: Final = (1, 2, 3)
"""Largest tags of the systems that are derived from the effects of removal: `effects_1`, `effects_2`, `effects_3`."""

PlayBy = Literal["fixed", "indices"]
"""What one who counts plays by: one strategy whatever the count, or index plays too."""

APART: Final = 3.5
"""A ramp tells true counts apart up to so many standard deviations from that of a fresh shoe, a quarter of it left."""


@dataclass(frozen=True)
class Count:
    """What a counting system is worth at a table."""

    request: Request
    system: CountSystem
    deck: tuple[int, ...]
    """Cards of a deck by value."""
    decks: int
    left: float
    """Decks unseen, where decisions and edges are evaluated."""
    problem: Problem
    solution: Solution
    """Of the whole shoe."""
    policy: Policy
    """The play that does not follow the count."""
    effects: "pd.DataFrame"
    """One row a card: `card`, `cards` in a deck, `tag` of the system, and effects of removal per deck on the EV:
    `fixed`, where the play stays what it was, and `best_play`, where it follows the card."""
    systems: "pd.DataFrame"
    """One row a system, those derived from the effects among them: tags, `neutral` true count, `betting_correlation`
    with the fixed effects, `insurance_correlation` and `playing_efficiency`."""
    by_count: indices.ByCount
    plays: Sequence[indices.IndexPlay]
    """Index plays, the most valuable first."""

    @cached_property
    def edges(self) -> "pd.DataFrame":
        """One row for each true count that was evaluated: EV of the fixed play and of the best play, and of insurance.

        `frequency` is the density of the count by the normal law, with so many decks unseen.
        """
        import pandas as pd

        law = NormalDist(self.neutral, self.by_count.spread)
        rows = []
        for true, found in zip(self.by_count.counts.tolist(), self.by_count.solutions, strict=True):
            rows.append(
                {
                    "true_count": true,
                    "frequency": law.pdf(true),
                    "ev_fixed": play(found.problem, self.policy).ev,
                    "ev_best_play": play(found.problem, found.policy, found.splits).ev,
                    "insurance_ev": self.insurance_ev(true),
                }
            )
        return pd.DataFrame(rows)

    @property
    def neutral(self) -> float:
        """The true count of a fresh shoe."""
        return self.system.neutral(self.deck)

    def edge(self, true: float, by: PlayBy = "fixed") -> float:
        """Return the EV at a true count, between those evaluated by interpolation."""
        column = self.edges["ev_fixed" if by == "fixed" else "ev_best_play"].to_numpy()
        return float(indices.interpolated(self.by_count.counts, column, true))

    def break_even(self, by: PlayBy = "fixed") -> float | None:
        """Return the true count at which the game is fair; None where it is so at none of those evaluated."""
        low, high = self.by_count.counts[[0, -1]].tolist()
        if (self.edge(low, by) > 0) == (self.edge(high, by) > 0):
            return None
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if (self.edge(middle, by) > 0) == (self.edge(low, by) > 0) else (low, middle)
        return float(low)

    def insurance_ev(self, true: float) -> float:
        """Return the EV of insurance at 2:1, for each unit insured, against an ace at a true count."""
        shoe = self.system.expected_shoe(true, self.left, self.deck)
        return float(3 * shoe[9] / (shoe.sum() - 1) - 1)

    @property
    def insurance_index(self) -> float | None:
        """The true count from which on insurance is worth taking; None where the tags say nothing of it."""
        one, two = self.insurance_ev(self.neutral), self.insurance_ev(self.neutral + 1)
        return self.neutral - one / (two - one) if two > one + 1e-12 else None

    @property
    def table(self) -> "pd.DataFrame":
        """The index plays, one row each: hand, cards, upcard, usual, instead, when, index, gain, frequency."""
        import pandas as pd

        columns = ("hand", "cards", "upcard", "usual", "instead", "when", "index", "gain", "frequency")
        return pd.DataFrame([each.json() for each in self.plays], columns=list(columns))

    def frequencies(self, penetration: float) -> dict[int, float]:
        """Return how often each true count, rounded down, is met when so much of the shoe is dealt, by the normal law.

        The first and the last one stand for all beyond them.
        """
        found = dict.fromkeys(self.told_apart, 0.0)
        lowest, highest = self.told_apart[0], self.told_apart[-1]
        depths = np.linspace(0, penetration, 41)
        for dealt in depths.tolist():
            spread = max(self.system.spread(self.deck, self.decks, self.decks * (1 - dealt)), 1e-9)
            law = NormalDist(self.neutral, spread)
            for true in found:
                below = 0.0 if true == lowest else law.cdf(true)
                above = 1.0 if true == highest else law.cdf(true + 1)
                found[true] += (above - below) / len(depths)
        return found

    @property
    def told_apart(self) -> range:
        """The true counts, rounded down, that a ramp tells apart."""
        reach = math.ceil(APART * self.system.spread(self.deck, self.decks, self.decks / 4))
        middle = math.floor(self.neutral)
        return range(middle - reach, middle + reach + 1)

    def ramp(
        self, spread: int = 1, bets: Mapping[int, int] | None = None, *, insure: bool = True, penetration: float = 0.75
    ) -> Ramp:
        """Return what is bet at each true count, rounded down, and where insurance is taken.

        spread : bets from 1 to so many units, chosen by the exact edges and the frequencies of the counts
        bets   : instead, units from a true count on: `{-4: 0, -3: 1, 0: 4}`; 1 below the first
        """
        counts = self.told_apart
        if bets is not None:
            if not bets:
                raise RequestError("no bets are given; expected units from a true count on, such as 0=4")
            chosen = tuple(next((bets[at] for at in sorted(bets, reverse=True) if at <= true), 1) for true in counts)
        else:
            edges = {true: self.edge(true + 0.5, "indices") for true in counts}
            chosen = optimal_bets(self.frequencies(penetration), edges, spread, counts[0], len(counts))
        index = self.insurance_index
        return Ramp(counts[0], chosen, tuple(insure and index is not None and true + 0.5 > index for true in counts))

    def simulate(
        self,
        rounds: int,
        seed: int,
        *,
        ramp: Ramp | None = None,
        play_by: PlayBy = "indices",
        most_plays: int | None = None,
        penetration: float = 0.75,
        burn: int = 0,
        **running: Unpack[montecarlo.Running],
    ) -> CountSample:
        """Play rounds of one who counts, alone at the table.

        ramp        : bets and insurance; by default one unit, never insured
        most_plays  : index plays that are made, the most valuable ones; None for all of them
        penetration : the part of the shoe that is dealt before it is shuffled
        burn        : cards burned after every shuffle, which nobody sees
        Raises RequestError for a table that can't be dealt.
        """
        montecarlo.check(rounds, seed, running.get("stderr"), running.get("seconds"))
        if play_by not in get_args(PlayBy):
            raise unknown("way to play", play_by, get_args(PlayBy))
        cards = self.decks * sum(self.deck)
        if not 0 < penetration < 1 or not 0 <= burn <= cards // 2:
            raise RequestError(
                f"penetration is {penetration:g} and burn {burn}; expected a part of the shoe between 0 and 1, "
                f"and 0 to {cards // 2} cards"
            )
        ramp = ramp or self.ramp(bets={0: 1}, insure=False)
        policies = [self.policy]
        if play_by == "indices":
            made = self.plays[:most_plays]
            policies = [
                indices.policy_at(self.problem, self.policy, made, self.neutral, true + 0.5) for true in ramp.counts
            ]
        alone = cast(
            "Rounds",
            getattr(self.request.game, "rounds_by")(  # noqa: B009 # checked in `count`
                self.request.rules, self.request.paytable, self.policy
            ),
        )
        chunk = CountingRounds(
            **{**vars_of(alone), "play": stacked(policies)},
            system=self.system,
            deck=self.deck,
            ramp=ramp,
            columns=tuple(10 * place if len(policies) > 1 else 0 for place in range(len(ramp.bets))),
            cut=round(penetration * cards),
            burn=burn,
        )
        chunk.check(self.request.paytable.name)
        about: dict[str, Any] = {
            "system": self.system.json(),
            "bets": ramp.bets,
            "insures": ramp.insures,
            "play_by": play_by,
        }
        about |= {"most_plays": most_plays, "penetration": penetration, "burn": burn, "left": self.left}
        running.setdefault("subject", {**self.request.identity, "count": about})
        return CountSample(montecarlo.run(chunk, rounds, seed, **running), ramp)

    def gains(
        self, rounds: int, seed: int, spread: int, *, most_plays: int | None = None, penetration: float = 0.75
    ) -> "pd.DataFrame":
        """Return what bets, index plays and insurance by the count bring, one after the other, on the same shoes.

        One row each: mean and standard error of a round in units, average bet, stdev, SCORE and its standard error.
        """
        import pandas as pd

        flat = self.ramp(bets={0: 1}, insure=False)
        varied = self.ramp(spread, insure=False, penetration=penetration)
        steps: list[tuple[str, Ramp, PlayBy]] = [
            ("one bet, one play", flat, "fixed"),
            ("one bet, index plays", flat, "indices"),
            (f"bets 1 to {spread}, one play", varied, "fixed"),
            (f"bets 1 to {spread}, index plays", varied, "indices"),
            ("and insurance", self.ramp(spread, penetration=penetration), "indices"),
        ]
        rows = []
        for name, ramp, by in steps:
            found = self.simulate(rounds, seed, ramp=ramp, play_by=by, most_plays=most_plays, penetration=penetration)
            measures = {"mean": found.sample.mean, "stderr": found.sample.stderr, "stdev": found.sample.stdev}
            scores = {"average_bet": found.average_bet, "score": found.score, "score_stderr": found.score_stderr}
            rows.append({"way": name, **measures, **scores})
        return pd.DataFrame(rows)

    def json(self) -> dict[str, Any]:
        """Everything exact as JSON values."""
        return {
            **self.request.json(),
            "system": self.system.json(),
            "neutral": self.neutral,
            "left": self.left,
            "effects": self.effects.to_dict(orient="records"),
            "systems": self.systems.to_dict(orient="records"),
            "edges": self.edges.to_dict(orient="records"),
            "break_even": self.break_even(),
            "insurance_index": self.insurance_index,
            "plays": [each.json() for each in self.plays],
        }


def vars_of(rounds: Rounds) -> dict[str, Any]:
    """Return the fields of rounds by name."""
    return {name: getattr(rounds, name) for name in rounds.__dataclass_fields__}


def count(
    game: str,
    system: str = "hi_lo",
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    strategy: Named | Chart | None = "total_dependent",
    *,
    left: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Count:
    """Return what a counting system is worth at a table.

    system   : a name of the catalogue, a TOML file of the user's own, or `effects_1`, `effects_2`, `effects_3`: whole
               tags up to that one, derived from the effects of removal (see `counting.tags_from_effects`)
    strategy : the play that does not follow the count
    left     : decks unseen where decisions and edges are evaluated; by default half of the decks
    progress : told how many true counts are done, and of how many
    Raises RequestError for what `evaluate` would refuse, a game whose shoe can't be counted, and an unknown system.
    """
    stem = game.partition(":")[0]
    module = module_of(stem)
    if not hasattr(module, "problem") or not hasattr(module, "rounds_by"):
        raise RequestError(f"{stem} is no game of the family of 21 whose cards can be counted")
    request = resolve(game, rules, paytable, change, pay, strategy=strategy)
    request.check()
    derived = {f"effects_{level}": level for level in LEVELS}
    given = None if system in derived else _system(system, derived)
    problem = cast("Problem", module.problem(request.rules, request.paytable))
    decks = request.rules._asdict()["decks"]
    if not problem.table.taken:
        raise RequestError(f"{stem} has an endless shoe: there is nothing to count; expected decks")
    deck = tuple(cards // decks for cards in problem.shoe)
    half = decks / 2 if left is None else left
    if not 0.25 <= half < decks:
        raise RequestError(f"left is {half:g} decks unseen; expected 0.25 or more, and less than {decks}")
    chart = request.chart()
    if isinstance(chart, str):
        raise RequestError(f"strategy {chart}: expected a chart, or composition_dependent")
    solution = solve(problem)
    groups = Groups(solution, play(problem, solution.policy, solution.splits))
    policy = solution.policy if chart is None else chart_policy(chart, problem)
    without = indices.removals(groups, policy)
    per_deck = (decks * without.fixed).tolist()
    systems = catalog.count_systems() | {
        name: tags_from_effects(per_deck, deck, level, name) for name, level in derived.items()
    }
    chosen = given or systems[system]
    found = indices.by_count(problem, groups, chosen, deck, half, progress)
    return Count(
        request=replace(request, play=chart or request.play),
        system=chosen,
        deck=deck,
        decks=decks,
        left=half,
        problem=problem,
        solution=solution,
        policy=policy,
        effects=_effects(deck, chosen, per_deck, (decks * without.best).tolist()),
        systems=_systems({**systems, chosen.name: chosen}, per_deck, without, deck, decks, half),
        by_count=found,
        plays=indices.index_plays(found),
    )


def _system(name: str, derived: Iterable[str]) -> CountSystem:
    if not catalog.is_path(name) and name not in catalog.count_systems():
        raise unknown("count system", name, [*catalog.count_systems(), *derived])
    return catalog.count_system(name)


def _effects(deck: Sequence[int], system: CountSystem, fixed: Sequence[float], best: Sequence[float]) -> "pd.DataFrame":
    import pandas as pd

    return pd.DataFrame({"card": VALUES, "cards": deck, "tag": system.tags, "fixed": fixed, "best_play": best})


def _systems(
    systems: Mapping[str, CountSystem],
    effects: Sequence[float],
    without: indices.Removals,
    deck: tuple[int, ...],
    decks: int,
    left: float,
) -> "pd.DataFrame":
    import pandas as pd

    rows = [
        {
            "system": name,
            **dict(zip(VALUES, each.tags, strict=True)),
            "neutral": each.neutral(deck),
            "betting_correlation": betting_correlation(each, effects, deck),
            "playing_efficiency": indices.playing_efficiency(without, each, deck, decks, left),
            "insurance_correlation": insurance_correlation(each, deck),
        }
        for name, each in systems.items()
    ]
    return pd.DataFrame(rows)


def named_plays(plays: Iterable[indices.IndexPlay]) -> list[str]:
    """Return index plays in words: `16 of 2 cards against 10: surrender at or above -1.7, otherwise hit`."""
    return [
        f"{each.decision.hand} of {each.decision.cards} cards against {each.decision.upcard}: {ACTIONS[each.instead]} "
        f"at or {'above' if each.above else 'below'} {each.index:.1f}, otherwise {ACTIONS[each.usual]}"
        for each in plays
    ]
