"""Strategies of one table set beside each other, by name: two of them, hands a chart can't show, what simplicity costs.

`compare` takes any two ways to play that a chart can say; `departures` the hands on which the cards say more than a
chart; `simplicity` classes of strategies, from the best play to the novice's.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from casinomath import catalog, comparison
from casinomath.compositions import Compositions, compositions
from casinomath.errors import RequestError
from casinomath.paytable import Pay, PayTable
from casinomath.request import Named, Request, resolve
from casinomath.simplicity import Simplicity, chart_of_class
from casinomath.simplicity import simplicity as of_problem
from casinomath.strategy import Chart
from casinomath.total_play import chart_played, pricing
from casinomath.twentyone import Problem
from casinomath.witnesses import charts_for
from casinomath.worths import priceable

if TYPE_CHECKING:
    import pandas as pd


def check_charts(asked: Request) -> None:
    """Raise RequestError for a game that is not played by charts."""
    if not hasattr(asked.game, "problem"):
        raise RequestError(f"{asked.game.STEM} has no charts; expected a game of the family of 21")


def problem_of(asked: Request) -> Problem:
    """Return a request's table as the exact engine has it; RequestError for a game that charts can't be priced at."""
    check_charts(asked)
    problem = cast("Problem", cast(Any, asked.game).problem(asked.rules, asked.paytable, asked.options.get("shoe")))
    if not priceable(problem):
        raise RequestError(f"{asked.game.STEM}: charts with free bets are not priced decision by decision")
    return problem


# --- Two strategies -----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Comparison:
    """Where two ways to play differ, and what each difference costs."""

    request: Request
    """The one whose EVs and frequencies are told."""
    other: str
    """The name of the other."""
    ev: float
    other_ev: float
    decisions: "pd.DataFrame"
    """One row a decision: see `comparison.COLUMNS`."""
    entries: "pd.DataFrame"
    """One row an entry of the charts: `table`, `row`, `upcard`, both codes, `frequency`, `cost`."""

    @property
    def difference(self) -> float:
        """What the other loses over the whole round."""
        return self.ev - self.other_ev

    @property
    def interaction(self) -> float:
        """The part of the difference that is no single decision's: what differences do to each other."""
        return self.difference - float(self.decisions["cost"].sum())


def compare(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = "total_dependent",
    other: Named | Chart | None = None,
) -> Comparison:
    """Return where two ways to play one table differ: every decision, both EVs, its frequency and what it costs.

    strategy : the one to compare with, the best chart by default; `total_dependent`, a published chart, or a file
    other    : likewise; by default the published chart for these rules
    Raises RequestError for what is no chart, and what `resolve` would refuse.
    """
    check_charts(resolve(game))  # before a strategy that such a game does not have
    first = resolve(game, rules, paytable, change, pay, shoe, strategy)
    if other is None:
        published = list(charts_for(first.game.STEM, first.rules))
        if not published:
            raise RequestError("no chart is published for these rules; expected one to compare with")
        other = published[0]
    second = resolve(game, rules, paytable, change, pay, shoe, other)
    problem_of(first)
    for each in (first, second):
        if each.play == "composition_dependent":
            raise RequestError("composition_dependent is no chart; `departures` tells where it differs from one")
    mine, theirs = (each.strategy("total_dependent") for each in (first, second))
    found = comparison.differences(mine, theirs)
    ev, other_ev = (replace(each, play=of.chart).price().ev for each, of in ((first, mine), (second, theirs)))
    return Comparison(first, second.play_name or "", ev, other_ev, found, comparison.entries(found))


# --- Departures from a chart --------------------------------------------------------------------------------


def departures(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = "total_dependent",
) -> Compositions:
    """Return the hands on which a chart is best departed from, by their cards, with what each gains.

    strategy : the chart, the best one by default
    """
    check_charts(resolve(game))  # before a strategy that such a game does not have
    asked = resolve(game, rules, paytable, change, pay, shoe, strategy)
    problem = problem_of(asked)
    chart = asked.chart()
    if not isinstance(chart, Chart):
        raise RequestError("composition_dependent is no chart to depart from; expected total_dependent or a chart")
    return compositions(chart_played(chart, pricing(problem)))


# --- Simplicity ---------------------------------------------------------------------------------------------


def best_chart(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    chart_class: str = "chart",
) -> Chart:
    """Return the best chart of a class: `chart` is the whole notation; see `casinomath.simplicity.CLASSES`."""
    return chart_of_class(problem_of(resolve(game, rules, paytable, change, pay, shoe)), chart_class)


def simplicity(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
) -> Simplicity:
    """Return what classes of strategies are worth, and the exceptions to a plain chart that are worth learning first.

    Charts for several tables are those for the documented tables that differ from this one in nothing but the number
    of decks, or in nothing but soft 17.
    """
    asked = resolve(game, rules, paytable, change, pay, shoe)
    published = {name: resolve(game, strategy=name).play for name in charts_for(asked.game.STEM, asked.rules)}
    several = {
        (name, words): alike
        for name, words, field in (
            ("every_number_of_decks", "one chart for all numbers of decks", "decks"),
            ("either_soft_17", "one chart for S17 and H17", "dealer_hits_soft_17"),
        )
        if (alike := _alike(asked, field))
    }
    return of_problem(problem_of(asked), cast("Mapping[str, Chart]", published), several)


def _alike(asked: Request, field: str) -> list[Problem]:
    """The documented tables whose rules differ from those asked for in one field."""
    stem, found = asked.game.STEM, {}
    mine = asked.rules._asdict()
    if field not in mine or asked.options.get("shoe") is not None:
        return []
    for name in catalog.rule_sets(stem):
        rules = catalog.rules(stem, name, asked.game.Rules)
        theirs = rules._asdict()[field]
        if theirs != mine[field] and theirs not in found:
            varied = catalog.vary(asked.rules, {field: theirs})
            if all(mine[each] == value for each, value in rules._asdict().items() if each not in _PLAYERS | {field}):
                found[theirs] = problem_of(replace(asked, rules=varied, paytable=_paytable(asked, name, varied)))
    return list(found.values())


_PLAYERS = frozenset({"super_bonus", "bet", "other_bettors"})
"""Fields that are the table's offer to a bettor, or his own: they may differ from the documented set's."""


def _paytable(asked: Request, name: str, rules: catalog.RulesTuple) -> PayTable:
    """The pay table printed for other rules, with the lines changed that were."""
    printed = catalog.paytable_for(asked.game.STEM, name, rules)
    changed = {
        event: pay
        for event, pay in asked.paytable.pays.items()
        if event in printed.pays and pay != asked.printed.pays.get(event)
    }
    return printed.with_pays(changed) if changed else printed


__all__ = ["Comparison", "best_chart", "compare", "departures", "problem_of", "simplicity"]
