"""Sensitivity: what each rule is worth, alone and with another, and what each card in the shoe is worth.

Method: everything is priced by `evaluate`, one change at a time, so a difference is as exact as its two ends.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin, get_type_hints

from casinomath import catalog
from casinomath.cards import VALUES, parse_shoe
from casinomath.checkpoints import Record
from casinomath.errors import RequestError, unknown
from casinomath.montecarlo import Progress
from casinomath.paytable import Pay, PayTable
from casinomath.request import Named, Request, resolve
from casinomath.strategy import Chart
from casinomath.sweeps import Found, Over, Point, point_of, price

if TYPE_CHECKING:
    import pandas as pd

# --- Rules --------------------------------------------------------------------------------------------------

SINGLE: Final = ("rule", "from", "to", "paytable", "house_edge", "change_in_house_edge", "not_offered")
PAIR: Final = (
    *("rule", "from", "to", "other_rule", "other_from", "other_to", "paytable"),
    *("house_edge", "change_in_house_edge", "interaction", "not_offered"),
)


@dataclass(frozen=True)
class RuleDifferences:
    """What the house edge becomes when rules change."""

    request: Request
    """What all changes start from."""
    house_edge: float
    """Of that."""
    table: "pd.DataFrame"
    """One row for each change, with SINGLE.

    `change_in_house_edge` is the difference as a fraction of the bet: 0.001 is a tenth of a percentage point.
    `not_offered` says why a change has no numbers.
    """
    pairs: "pd.DataFrame | None"
    """One row for each two changes made together, with PAIR. `interaction` is what they change beyond the sum of what
    each of them changes alone."""


def rule_differences(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
    *,
    over: Over | None = None,
    pairs: bool = False,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> RuleDifferences:
    """Price every documented change of a rule, one at a time, and on demand every two of them together.

    A rule's other values are those that its type has, or else those that the rule sets of the game have; `over` names
    others: `{"max_hands": [2, 3]}`. The pay table is that which goes with the changed rules, unless one is given.
    Raises RequestError for what `evaluate` would refuse, and for values of `over` that make no sense.
    """
    fixed: dict[str, Any] = {"rules": rules, "paytable": paytable, "strategy": strategy, "meter": meter}
    base = resolve(game, change=change, pay=pay, **fixed)
    base.check()
    now = base.rules._asdict()
    changes = [(name, value) for name, values in alternatives(base, over or {}).items() for value in values]
    wanted: list[dict[str, Any]] = [{}, *({name: value} for name, value in changes)]
    if pairs:
        wanted += [
            {one[0]: one[1], other[0]: other[1]} for one, other in combinations(changes, 2) if one[0] != other[0]
        ]
    points = [point_of(game, values, fixed, change or {}, pay or {}) for values in wanted]
    (start, priced), *found = price(points, executor=executor, progress=progress)
    if start.not_offered:
        raise RequestError(start.not_offered)
    edge = float(priced["house_edge"])
    singles = {next(iter(point.values.items())): record for point, record in found if len(point.values) == 1}
    return RuleDifferences(
        base,
        edge,
        _frame((_single(found_one, now, edge) for found_one in found if len(found_one[0].values) == 1), SINGLE),
        _frame((_pair(found_two, now, edge, singles) for found_two in found if len(found_two[0].values) == 2), PAIR)
        if pairs
        else None,
    )


def alternatives(request: Request, over: Over | None = None) -> dict[str, list[Any]]:
    """Return the other values that each rule may have, in the order of the rules; see `rule_differences`."""
    kind, now = type(request.rules), request.rules._asdict()
    for name in over or {}:
        if name not in now:
            raise unknown("rule", name, now)
    home = request.home
    documented = [catalog.rules(home, name, kind)._asdict() for name in catalog.rule_sets(home)]
    found = {}
    for name, annotation in get_type_hints(kind).items():
        if over and name in over:
            values = [catalog.vary(request.rules, {name: value})._asdict()[name] for value in over[name]]
        elif annotation is bool:
            values = [True, False]
        elif get_origin(annotation) is Literal:
            values = list(get_args(annotation))
        else:
            values = sorted({rules[name] for rules in documented}, key=lambda value: (isinstance(value, str), value))
        found[name] = [value for value in dict.fromkeys(values) if value != now[name]]
    return found


def _single(found: Found, now: Mapping[str, Any], edge: float) -> tuple[Any, ...]:
    point, record = found
    ((name, value),) = point.values.items()
    return (name, now[name], value, *_priced(found), _less(record, edge), point.not_offered)


def _pair(
    found: Found, now: Mapping[str, Any], edge: float, singles: Mapping[tuple[str, Any], Record]
) -> tuple[Any, ...]:
    point, record = found
    one, other = point.values.items()
    together, alone = _less(record, edge), [_less(singles[change], edge) for change in (one, other)]
    known = together is not None and None not in alone
    beyond = together - sum(part for part in alone if part is not None) if together is not None and known else None
    sides = (one[0], now[one[0]], one[1], other[0], now[other[0]], other[1])
    return (*sides, *_priced(found), together, beyond, point.not_offered)


def _priced(found: Found) -> tuple[str | None, float | None]:
    point, record = found
    return point.request.printed.name if point.request else None, record.get("house_edge")


def _less(record: Record, edge: float) -> float | None:
    return None if "house_edge" not in record else record["house_edge"] - edge


def _frame(rows: Iterable[tuple[Any, ...]], columns: Sequence[str]) -> "pd.DataFrame":
    import pandas as pd

    numbers = [name for name in columns if name in ("house_edge", "change_in_house_edge", "interaction")]
    values = [name for name in columns if name.endswith(("from", "to"))]
    types: dict[str, type] = {**dict.fromkeys(numbers, float), **dict.fromkeys(values, object)}
    return pd.DataFrame(list(rows), columns=list(columns)).astype(types)


# --- Cards --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RemovalEffects:
    """What the EV becomes when a card is taken out of the shoe."""

    request: Request
    ev: float
    """Of the whole shoe."""
    ev_exact: Fraction | None
    """The same where it is known as a fraction."""
    table: "pd.DataFrame"
    """One row a card: `card`, `cards` of it that may be removed, `probability` that a card removed at random is one,
    `ev` without one, `effect` (the change of the EV) and `effect_per_deck` (the effect times the decks in the shoe, as
    the trade quotes it). Where the EV is a fraction, `effect_exact` says the effect as one, such as "-645/82082"."""
    mean_ev: float
    """The EV when a card has been removed at random and is known.

    Under fixed play it is the EV of the whole shoe. By the best play it is no less, for the card may change the play.
    """
    mean_ev_exact: Fraction | None


def removal_effects(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
    *,
    executor: Executor | None = None,
    progress: Progress | None = None,
) -> RemovalEffects:
    """Price a bet with one card less of each kind that its shoe tells apart, by value or by rank.

    strategy : the best play is worked out for every shoe; any chart is kept, `total_dependent` that of the whole shoe
    Raises RequestError for a bet that takes no shoe, and what `evaluate` would refuse.
    """
    base = resolve(game, rules, paytable, change, pay, shoe, strategy, meter)
    base.check()
    fresh_shoe = getattr(base.game, "fresh_shoe", None)
    if fresh_shoe is None:
        raise RequestError(f"{base.game.STEM} has no shoe that a card could be removed from")
    fresh = fresh_shoe(base.rules)
    counts = _counts(base.options.get("shoe"), fresh)
    seen: Mapping[str, int] = getattr(base.game, "seen_cards", lambda _: {})(base.rules)
    unseen = {card: number - seen.get(card, 0) for card, number in counts.items()}
    base = replace(base, play=base.chart() or base.play)
    points = [Point({}, _with_shoe(base, counts.values()))]
    points += [
        Point({"card": card}, _with_shoe(base, (n - (name == card) for name, n in counts.items())))
        for card, number in unseen.items()
        if number > 0
    ]
    priced = price(points, executor=executor, progress=progress)
    for point, _ in priced:
        if point.not_offered:
            raise RequestError(f"without one card: {point.not_offered}" if point.values else point.not_offered)
    (_, whole), *found = priced
    # a shoe counted otherwise than fresh ones are holds as many cards of a deck
    decks = sum(counts.values()) / (sum(fresh.values()) / base.rules._asdict().get("decks", 1))
    rows = list(_effects(whole, found, unseen, decks))
    exact = [row["effect_exact"] for row in rows if row["effect_exact"] is not None]
    parts = [Fraction(row["cards"], sum(unseen.values())) for row in rows]
    before = _exact(whole)
    mean = None
    if before is not None:
        mean = before + sum((part * effect for part, effect in zip(parts, exact, strict=True)), Fraction(0))
    return RemovalEffects(
        request=base,
        ev=whole["ev"],
        ev_exact=before,
        table=_effects_frame(rows),
        mean_ev=sum(float(part) * row["ev"] for part, row in zip(parts, rows, strict=True))
        if mean is None
        else float(mean),
        mean_ev_exact=mean,
    )


def _effects(
    whole: Record, found: Sequence[Found], unseen: Mapping[str, int], decks: float
) -> Iterator[dict[str, Any]]:
    cards, before = sum(unseen.values()), _exact(whole)
    for point, record in found:
        card, after = point.values["card"], _exact(record)
        effect = after - before if after is not None and before is not None else None
        change = record["ev"] - whole["ev"] if effect is None else float(effect)
        yield {
            "card": card,
            "cards": unseen[card],
            "probability": unseen[card] / cards,
            "ev": record["ev"],
            "effect": change,
            "effect_per_deck": change * decks,
            "effect_exact": effect,
        }


def _effects_frame(rows: list[dict[str, Any]]) -> "pd.DataFrame":
    import pandas as pd

    exact = [None if row["effect_exact"] is None else str(row["effect_exact"]) for row in rows]
    return pd.DataFrame([{**row, "effect_exact": said} for row, said in zip(rows, exact, strict=True)])


def _exact(record: Record) -> Fraction | None:
    return None if record["ev_exact"] is None else Fraction(record["ev_exact"])


def _counts(shoe: str | Iterable[int] | None, fresh: Mapping[str, int]) -> dict[str, int]:
    """The cards of a shoe by name: as fresh shoes are counted, or else by value."""
    if shoe is None:
        return dict(fresh)
    parts = shoe.split(",") if isinstance(shoe, str) else list(shoe)
    names = tuple(fresh) if len(parts) == len(fresh) else VALUES
    return dict(zip(names, parse_shoe(parts, names).tolist(), strict=True))


def _with_shoe(request: Request, counts: Iterable[int]) -> Request:
    return replace(request, options={**request.options, "shoe": tuple(counts)})
