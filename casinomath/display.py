"""Results as text for people: what a terminal shows, line by line.

Names of events, rules and bets are those that the command line takes, so that what is read can be typed.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from casinomath.cards import VALUES

if TYPE_CHECKING:
    from rich.table import Table

    from casinomath.advantage import Count
    from casinomath.compositions import Compositions
    from casinomath.counters import CountSample
    from casinomath.explanation import Entry, Explanation, Section
    from casinomath.montecarlo import Sample
    from casinomath.notebooks import Notebook
    from casinomath.request import Listing, Request
    from casinomath.returns import Returns
    from casinomath.risk import Horizon, Risk
    from casinomath.sensitivity import RemovalEffects, RuleDifferences
    from casinomath.simplicity import Simplicity
    from casinomath.solving import Answer
    from casinomath.strategies import Comparison
    from casinomath.strategy import Strategy

Lines: TypeAlias = Iterator[str]


def listing(listed: "Iterable[Listing]") -> Lines:
    """Games and bets with their rule sets, pay tables and charts."""
    table = _table("game", "bets", "rules", "pay tables", "charts")
    for game in listed:
        own = [f"{bet}: {name}" for bet, names in game.tables_of_bets.items() for name in names]
        cells = ([game.stem], game.bets, game.rules, [*game.paytables, *own], game.strategies)
        table.add_row(*("\n".join(cell) for cell in cells))
    yield from _lines(table)


def _asked(asked: "Request", strategy: str | None) -> Lines:
    """What a result is about: the bet, the rules in force, the pay table, the play."""
    yield f"{asked.game.STEM}:{asked.bet}, rules {asked.rules_name}, pay table {asked.paytable.name}"
    if strategy is not None:
        yield f"played by {strategy}"
    if (shoe := asked.options.get("shoe")) is not None:
        yield f"shoe {shoe if isinstance(shoe, str) else ','.join(map(str, shoe))}"
    yield ""
    fields = [(field, _said(value) or "none") for field, value in asked.rules._asdict().items()]
    half = (len(fields) + 1) // 2
    grid = _grid(4)
    for place in range(half):
        right = fields[half + place] if half + place < len(fields) else ("", "")
        grid.add_row(*fields[place], *right)
    yield from _lines(grid)


def returns(priced: "Returns", asked: "Request") -> Lines:
    """A bet's events and measures."""
    yield from _asked(asked, priced.details.get("strategy"))
    events = _table("event", "pays", "probability", "1 in", "return", right=("pays", "probability", "1 in", "return"))
    for event in priced.events:
        events.add_row(
            f"+ {event.event}" if event.on_top else event.event,
            _odds(event.pays),
            f"{event.probability:.6%}",
            _one_in(event.probability),
            f"{event.returned:+.6%}",
        )
    ends = sum(event.probability for event in priced.events if not event.on_top)
    events.add_section()
    events.add_row("all", "", f"{ends:.6%}", "", f"{priced.ev:+.6%}")
    yield from _lines(events)
    if any(event.on_top for event in priced.events):
        yield "+ paid on top of how the round ends: not a part of the probabilities' sum"
        yield ""
    yield from pairs(_measures(priced))


def _measures(returns: "Returns") -> Iterator[tuple[str, str]]:
    """The measures of a bet in words; all are in initial wagers."""
    yield "house edge", f"{returns.house_edge:.6%}"
    if returns.ev_exact is not None:
        yield "exact EV", str(returns.ev_exact)
    for words in ("per bet resolved", "per roll", "per spin"):
        detail = f"house_edge_{words.replace(' ', '_')}"
        if (edge := returns.details.get(detail)) is not None and edge != returns.house_edge:
            yield f"house edge {words}", f"{edge:.6%}, exactly {returns.details[f'{detail}_exact']}"
    yield "element of risk", f"{returns.element_of_risk:.6%}"
    yield "average wager", f"{returns.average_wager:.6f}"
    for trials in ("rolls", "spins"):
        if (expected := returns.details.get(f"expected_{trials}")) is not None:
            yield f"{trials} to decide it", f"{expected:.6f}, exactly {returns.details[f'expected_{trials}_exact']}"
    if returns.stdev is not None:
        yield "standard deviation", f"{returns.stdev:.6f}"
    if returns.hit_frequency is not None:
        yield "hit frequency", f"{returns.hit_frequency:.6%}"
    if returns.skewness is not None:
        yield "skewness", f"{returns.skewness:+.6f}"
    methods = {"exact": "exact, in fractions", "float64": "exact enumeration in double precision (float64)"}
    yield "method", methods[returns.method]
    if (meter := returns.details.get("meter")) is not None:
        fair = returns.details.get("breakeven_meter")
        yield "meter", f"${meter:,.2f}"
        yield "break-even meter", "none" if fair is None else f"${fair:,.2f}"
    for name, value in returns.details.items():
        if name.startswith("breakeven_") and name.endswith("_frequency"):
            yield (
                f"break-even {name.removeprefix('breakeven_').replace('_', ' ')}",
                "none" if value is None else f"{value:.6%}",
            )
    if isinstance(decisions := returns.details.get("decisions"), dict):
        yield from (
            (f"{action.replace('_', ' ')}, of all rounds", f"{share:.4%}") for action, share in decisions.items()
        )
    if change := returns.details.get("change"):
        lines = ", ".join(f"{event} {pays['from']} -> {pays['to']}" for event, pays in change["pays"].items())
        yield "change", f"EV {change['ev_change']:+.6%} against {change['paytable']} ({lines})"


def sample(
    played: "Sample", asked: "Request", priced: "Returns", seconds: float, sides: Sequence["Returns"] = ()
) -> Lines:
    """A simulation beside the exact calculation.

    sides : the bets on the side that were settled in the same rounds, priced
    """
    yield from _asked(asked, asked.play_name)
    yield ""
    low, high = played.interval()
    yield from pairs(
        [
            ("rounds", f"{played.rounds:,} with seed {played.seed}, in {seconds:.1f} s"),
            ("mean", f"{played.mean:+.6%}, standard error {played.stderr:.6%}"),
            ("95% interval", f"{low:+.6%} to {high:+.6%}"),
            ("average wager", f"{played.average_wager:.6f}"),
            ("standard deviation", f"{played.stdev:.6f}"),
            ("exact EV", f"{priced.ev:+.6%}{_fresh(played)}: the mean is {_off(played, priced)}"),
            *_of_table(played),
        ]
    )
    if sides:
        yield ""
        numbers = ("mean", "± error", "exact EV", "errors off", "correlation")
        table = _table("bet on the side", "rounds", *numbers, right=("rounds", *numbers))
        for (name, bet), exact in zip(played.beside.items(), sides, strict=True):
            measures = (f"{bet.mean:+.4%}", f"{bet.stderr:.4%}") if bet.rounds > 1 else ("", "")
            off = f"{bet.agreement(exact):+.2f}" if bet.rounds > 1 else ""
            correlation = f"{played.correlation(played.bets[0], name):+.4f}"
            table.add_row(name, f"{bet.rounds:,}", *measures, f"{exact.ev:+.4%}", off, correlation)
        yield from _lines(table)


def _fresh(played: "Sample") -> str:
    return "" if played.shoes is None else " with a fresh shoe every round"


def _off(played: "Sample", priced: "Returns") -> str:
    return f"{played.agreement(priced):+.2f} standard errors off"


def _of_table(played: "Sample") -> Iterator[tuple[str, str]]:
    if played.seats > 1:
        yield "seats", f"{played.seats}; results are the average of a round's"
    if played.shoes is not None:
        yield "shoes", f"{played.shoes.number:,}, mean of their first rounds {played.first_rounds_mean:+.6%}"


def risk(found: "Risk", asked: "Request", method: str) -> Lines:
    """What a level bet means for a player; the normal law and the diffusion beside sessions that were played."""
    yield from _asked(asked, asked.play_name)
    yield ""
    rows = [
        ("mean", f"{found.mean:+.6%} of the bet a round ({method})"),
        ("standard deviation", f"{found.stdev:.6f}, variance {found.variance:.6f}"),
        ("N0", "none: the bet is fair" if found.n0 is None else f"{found.n0:,.0f} rounds"),
        ("bet", f"${found.wager:,.2f}, {found.rounds_per_hour:g} rounds an hour"),
        ("expected an hour", f"{_dollars(-found.loss_per_hour)}, standard deviation ${found.stdev_per_hour:,.2f}"),
    ]
    if found.kelly:
        rows.append(("Kelly", f"{found.kelly:.4%} of the bankroll; mean / variance is {found.kelly_approximate:.4%}"))
    else:
        rows.append(("Kelly", "nothing: there is no edge" if found.mean <= 0 else "all: it can't lose"))
    if found.bankroll is not None and found.ruin is not None:
        rows.append(("bankroll", f"${found.bankroll:,.2f}, {found.bankroll / found.wager:,.1f} bets"))
        exact = f"{found.ruin_at_least:.4%} to {found.ruin_at_most:.4%} by the root of E(s^x) = 1"
        rows.append(("ruin, ever", "certain" if found.ruin == 1 else f"{found.ruin:.4%} by the diffusion; {exact}"))
    yield from pairs(rows)
    yield ""
    heads = ["hours", "rounds", "expected", f"{100 * found.confidence:g}% band", "played", "ahead", "played"]
    if found.bankroll is not None:
        heads += ["ruin", "played"]
    table = _table(*heads, right=heads)
    for each in found.horizons:
        table.add_row(*_horizon(each))
    yield from _lines(table)
    yield ""
    yield f"played: {found.sessions:,} sessions with seed {found.seed}. Assumed:"
    for assumption in found.assumptions:
        yield f"  {assumption}"


def _horizon(each: "Horizon") -> Iterator[str]:
    yield from (f"{each.hours:g}", f"{each.rounds:,}", _dollars(each.expected))
    yield f"{_dollars(each.low, 0)} to {_dollars(each.high, 0)}"
    yield f"{_dollars(each.simulated_low, 0)} to {_dollars(each.simulated_high, 0)}"
    yield from (f"{each.ahead:.2%}", f"{each.simulated_ahead:.2%}")
    if each.ruin is not None:
        yield from (f"{each.ruin:.3%}", f"{each.simulated_ruin:.3%}")


def _dollars(amount: float, digits: int = 2) -> str:
    return f"{'-' if amount < 0 else '+'}${abs(amount):,.{digits}f}"


def rule_differences(found: "RuleDifferences") -> Lines:
    """What each change of a rule adds to the house edge; below it, what two changes do beyond their sum."""
    yield from _asked(found.request, None)
    yield from pairs([("house edge", f"{found.house_edge:.6%}")])
    if found.table.empty:
        yield "no rule has another documented value; expected some, as in --over FIELD=V1,V2"
        return
    changes = _table("rule", "from", "to", "house edge", "change, points", right=("house edge", "change, points"))
    for row in found.table.itertuples(index=False):
        rule, old, new, _, edge, change, not_offered = row
        if not_offered:
            changes.add_row(rule, _said(old), _said(new), "not offered", "")
        else:
            changes.add_row(rule, _said(old), _said(new), f"{edge:.6%}", _points(change))
    yield from _lines(changes)
    if found.pairs is not None:
        numbers = ("change, points", "beyond the sum")
        both = _table("rule", "to", "and", "to", *numbers, right=numbers)
        for row in found.pairs.sort_values("interaction", key=abs, ascending=False).itertuples(index=False):
            one, _, new, other, _, other_new, _, _, change, interaction, not_offered = row
            shown = ("not offered", "") if not_offered else (_points(change), _points(interaction))
            both.add_row(one, _said(new), other, _said(other_new), *shown)
        yield from _lines(both)
    yield "points: percentage points of house edge; the player gains where they are negative"
    yield from _reasons(found.table["not_offered"])


def _points(change: float) -> str:
    """A change of the house edge in percentage points."""
    return "" if math.isnan(change) else f"{100 * change:+z.4f}"


def _reasons(not_offered: "Iterable[str]") -> Lines:
    for reason in dict.fromkeys(not_offered):
        if reason:
            yield f"not offered: {reason}"


def removal_effects(found: "RemovalEffects") -> Lines:
    """What one card less of each kind does to the EV."""
    yield from _asked(found.request, found.request.play_name)
    numbers = ("cards", "EV", "effect, points", "per deck")
    cards = _table("card", *numbers, right=numbers)
    for row in found.table.itertuples(index=False):
        card, number, _, ev, effect, per_deck, _ = row
        cards.add_row(card, str(number), f"{ev:+z.6%}", _points(effect), _points(per_deck))
    cards.add_section()
    cards.add_row("any", "", f"{found.mean_ev:+z.6%}", f"{100 * (found.mean_ev - found.ev):+z.4f}", "")
    yield from _lines(cards)
    yield from pairs([("EV of the whole shoe", f"{found.ev:+z.6%}")])
    yield "points: percentage points of EV; per deck: times the decks in the shoe; any: one at random, and known"


def answer(found: "Answer") -> Lines:
    """The pay that gives a house edge."""
    from casinomath.solving import number_of, typed

    yield from _asked(found.request, None)
    yield from pairs(
        [
            ("event", f"{found.event}, which pays {typed(found.request.paytable.pays[found.event])}"),
            ("house edge wanted", f"{float(found.target):z.6%}"),
            ("pay", typed(found.pay)),
            ("exactly", str(number_of(found.pay))) if found.exact else ("give or take", f"{found.tolerance:.1g}"),
            ("house edge", f"{found.returns.house_edge:z.6%}"),
            *((f"at {typed(pay)}", f"{edge:z.6%}") for pay, edge in found.whole),
        ]
    )


def strategy(found: "Strategy", rules_name: str, legend: Mapping[str, str]) -> Lines:
    """The chart, with all the rest in comments, so that the text is a chart file."""
    yield f"# {found.game}, rules {rules_name}, pay table {found.paytable}, {found.strategy_class}"
    for line in _wrapped(f"{field}={_said(value)}" for field, value in found.rules.items()):
        yield f"#   {line}"
    yield ""
    yield from found.chart.text().splitlines()
    for code, meaning in legend.items():
        yield f"# {code:<6} {meaning}"


def explanation(found: "Explanation", asked: "Request") -> Lines:
    """What every action is worth, then the sections that say why."""
    yield from _asked(asked, None)
    yield ""
    given = ", given no dealer blackjack" if found.measure == "ev_no_dealer_blackjack" else ""
    yield f"{found.question}: {found.best}"
    actions = _table("action", f"EV{given}", "cost", right=(f"EV{given}", "cost"))
    best = found.evs[found.best]
    for action, ev in sorted(found.evs.items(), key=lambda pair: -pair[1]):
        actions.add_row(action, f"{float(ev):+z.6f}", "" if action == found.best else f"{float(best - ev):z.6f}")
    yield from _lines(actions)
    yield from found.notes
    for section in found.sections:
        yield from _section(section)


def _section(section: "Section") -> Lines:
    yield ""
    yield section.title
    if section.columns:
        numbers = [name for name in section.columns if any(_is_number(entry) for entry in section.column(name))]
        table = _table(*section.columns, right=numbers)
        for row in section.rows:
            named = zip(section.columns, row, strict=True)
            table.add_row(*(_entry(entry, name, name in section.percent) for name, entry in named))
        yield from _lines(table)
    yield from section.notes


def _is_number(entry: "Entry") -> bool:
    return isinstance(entry, int | float | Fraction)


def _entry(entry: "Entry", column: str, percent: bool) -> str:
    """EVs with a sign, what is lost by a choice without one."""
    if isinstance(entry, float | Fraction):
        if percent:
            return f"{float(entry):.4%}"
        return f"{float(entry):z.6f}" if column in ("cost", "gap") else f"{float(entry):+z.6f}"
    return "" if entry is None else f"{entry:,}" if isinstance(entry, int) else entry


def count(found: "Count", plays: int, played: "CountSample | None") -> Lines:
    """What counting is worth: effects of removal, systems, edges, index plays, and rounds played by the count."""
    yield from _asked(found.request, found.request.play_name)
    yield ""
    yield f"system {found.system.name}; true counts for a deck of {sum(found.deck)} cards, {found.left:g} decks unseen"
    effects = _table("card", "tag", "effect, points", "by best play", right=("tag", "effect, points", "by best play"))
    for row in found.effects.to_dict(orient="records"):
        effects.add_row(row["card"], f"{row['tag']:+g}", _points(row["fixed"]), _points(row["best_play"]))
    yield from _lines(effects)
    yield "effects of removal per deck, in percentage points of EV: the play stays what it was, or follows the card"
    numbers = ("fresh shoe", "betting correlation", "playing efficiency", "insurance correlation")
    systems = _table("system", "tags A to 10", *numbers, right=numbers)
    for row in found.systems.to_dict(orient="records"):
        tags = " ".join(f"{row[value]:g}" for value in VALUES)
        measures = (f"{row[name.replace(' ', '_')]:.3f}" for name in numbers[1:])
        systems.add_row(row["system"], tags, f"{row['neutral'] + 0.0:+g}", *measures)
    yield from _lines(systems)
    columns = ("true count", "EV, one play", "EV, best play", "EV of insurance")
    edges = _table(*columns, right=columns)
    for row in found.edges.to_dict(orient="records"):
        found_evs = (row[name] for name in ("ev_fixed", "ev_best_play", "insurance_ev"))
        edges.add_row(f"{row['true_count']:+g}", *(f"{ev:+.4%}" for ev in found_evs))
    yield from _lines(edges)
    fair, index = found.break_even(), found.insurance_index
    yield f"fair at a true count of {'none of these' if fair is None else f'{fair:+.2f}'}"
    yield f"insurance from {'none' if index is None else f'{index:+.2f}'} on"
    if plays and found.plays:
        right = ("index", "gain, points", "met")
        table = _table("hand", "cards", "upcard", "usual", "instead", "when", *right, right=right)
        for row in found.table.head(plays).to_dict(orient="records"):
            said = (row[name] for name in ("hand", "cards", "upcard", "usual", "instead", "when"))
            table.add_row(*said, f"{row['index']:+.1f}", f"{100 * row['gain']:.5f}", f"{row['frequency']:.4%}")
        yield from _lines(table)
        yield f"the {min(plays, len(found.plays))} most valuable of {len(found.plays)} index plays, at a flat bet"
    if played is not None:
        yield from _counted(played)


def _counted(played: "CountSample") -> Lines:
    sample = played.sample
    yield ""
    columns = ("true count", "rounds", "share", "edge", "± error", "bet")
    table = _table(*columns, right=columns)
    for row in played.by_count.to_dict(orient="records"):
        shown = (f"{row['rounds']:,}", f"{row['frequency']:.4%}", f"{row['edge']:+.4%}", f"{row['stderr']:.4%}")
        table.add_row(f"{row['true_count']:+d}", *shown, str(row["bet"]))
    yield from _lines(table)
    low, high = sample.interval()
    yield from pairs(
        [
            ("rounds", f"{sample.rounds:,} with seed {sample.seed}, of {sample.shoes.number:,} shoes")
            if sample.shoes is not None
            else ("rounds", f"{sample.rounds:,}"),
            ("mean", f"{sample.mean:+.6f} units a round, standard error {sample.stderr:.6f}"),
            ("95% interval", f"{low:+.6f} to {high:+.6f}"),
            ("average bet", f"{played.average_bet:.4f} units"),
            ("standard deviation", f"{sample.stdev:.4f} units"),
            (
                "SCORE",
                f"{played.score:.3f}, standard error {played.score_stderr:.3f}" if played.score else "0: it loses",
            ),
        ]
    )


def strategy_comparison(found: "Comparison") -> Lines:
    """Where two charts differ, what each entry costs, and that the costs add up."""
    yield from _asked(found.request, found.request.play_name)
    yield from pairs(
        [
            ("with", found.other),
            ("EVs", f"{found.ev:+.6%} and {found.other_ev:+.6%}"),
            ("difference", f"{100 * found.difference:.6f} points, {100 * found.interaction:+z.6f} of them interaction"),
        ]
    )
    entries = _table("table", "hand", "upcard", "code", "other", *_COSTS, right=_COSTS)
    for row in found.entries.itertuples(index=False):
        table, hand, upcard, code, other, frequency, cost = row
        entries.add_row(table, hand, upcard, code, other or "-", _one_in(frequency), f"{100 * cost:.6f}")
    yield from _lines(entries)
    yield "cost: percentage points that the round loses by this difference alone"


_COSTS = ("met in rounds", "cost, points")


def departures(found: "Compositions", asked: "Request", most: int) -> Lines:
    """The hands on which a chart is best departed from."""
    yield from _asked(asked, asked.play_name)
    gain = found.ev_with_all - found.ev
    yield from pairs(
        [
            ("EVs", f"{found.ev:+.6%}, and with all {len(found.departures)} departures {found.ev_with_all:+.6%}"),
            ("gain", f"{100 * gain:.6f} points"),
        ]
    )
    numbers = ("EV", "best EV", "met in rounds", "gain, points")
    hands = _table("hand", "cards", "upcard", "chart", "best", *numbers, right=numbers)
    for each in found.departures[:most]:
        where = [each.suits] * bool(each.suits) + ["after a split"] * each.after_split
        where += [f"after {each.doubles} double{'s' * (each.doubles > 1)}"] * bool(each.doubles)
        cards = f"{each.cards} ({', '.join(where)})" if where else each.cards
        evs = (f"{each.ev:+z.6f}", f"{each.best_ev:+z.6f}")
        hands.add_row(
            *(each.hand, cards, each.upcard, each.play, each.best),
            *(*evs, _one_in(each.frequency), f"{100 * each.gain:.6f}"),
        )
    yield from _lines(hands)
    if len(found.departures) > most:
        yield f"and {len(found.departures) - most} more; --csv has them all"


def simplicity(found: "Simplicity", asked: "Request") -> Lines:
    """What classes of strategies cost, and the exceptions to learn first."""
    yield from _asked(asked, None)
    numbers = ("to remember", "house edge", "cost, points")
    classes = _table("strategy", "", *numbers, right=numbers)
    classes.add_row("best play", "by the cards", "", f"{-found.best_play:.6%}", "")
    for each, cost in zip(found.classes, found.table["cost"], strict=True):
        things = "" if each.things is None else str(each.things)
        classes.add_row(each.name, each.words, things, f"{-each.ev:.6%}", f"{100 * cost:z.6f}")
    yield from _lines(classes)
    gains = ("gain, points", "cost left")
    learnt = _table("", "table", "hand", "upcard", "plain", "exception", *gains, right=("", *gains))
    for row in found.exceptions.head(20).itertuples(index=False):
        number, table, hand, upcard, plain, code, gain, cost = row
        learnt.add_row(str(number), table, hand, upcard, plain, code, f"{100 * gain:.6f}", f"{100 * cost:.6f}")
    yield from _lines(learnt)
    yield "cost: percentage points over the best chart; exceptions are to the plain chart, the most valuable ones first"


def notebooks(listed: "Iterable[Notebook]") -> Lines:
    """Notebooks with their questions and parameters."""
    for notebook in listed:
        yield f"{notebook.name}: {notebook.question or notebook.title}"
        grid = _grid(3)
        for parameter in notebook.parameters:
            grid.add_row(f"  {parameter.name}", _said(parameter.default), parameter.comment)
        yield from _lines(grid)
        yield ""


def findings(found: Mapping[str, Any]) -> Lines:
    """What the doctor found."""
    yield from pairs(
        (f"{name} {key}".strip(), _found(part))
        for name, value in found.items()
        for key, part in (value.items() if isinstance(value, dict) else [("", value)])
    )


def _found(value: object) -> str:
    if isinstance(value, dict):
        state = "can be written" if value["writable"] else "read-only" if value["exists"] else "does not exist"
        return f"{value['path']} ({state})"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else str(value)


# --- Numbers and rules ----------------------------------------------------------------------------------------


def _odds(pays: Fraction | None) -> str:
    if pays is None:
        return "varies"
    return f"{pays.numerator:,} to {pays.denominator:,}" if pays > 0 else "push" if pays == 0 else f"{float(pays):g}"


def _one_in(probability: float) -> str:
    if probability <= 0:
        return "never"
    return f"{1 / probability:,.1f}" if probability > 1e-3 else f"{1 / probability:,.0f}"


def _said(value: object) -> str:
    """A value as `--set` and `-p` take it."""
    if isinstance(value, list):
        return ",".join(map(_said, value))
    return str(value).lower() if isinstance(value, bool) else f"{value:g}" if isinstance(value, float) else str(value)


def _wrapped(words: Iterator[str], width: int = 100) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > width:
            yield line
            line = ""
        line = f"{line} {word}" if line else word
    yield line


# --- Tables ---------------------------------------------------------------------------------------------------


def pairs(rows: Iterable[tuple[str, str]]) -> Lines:
    """Names with what they are."""
    grid = _grid(2)
    for row in rows:
        grid.add_row(*row)
    yield from _lines(grid)


def _grid(columns: int) -> "Table":
    from rich.table import Table

    grid = Table.grid(padding=(0, 2))
    for _ in range(columns):
        grid.add_column(overflow="fold")
    return grid


def _table(*columns: str, right: Sequence[str] = ()) -> "Table":
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    return table


def _lines(table: "Table") -> Lines:
    """A table on a terminal as wide as that, in a pipe so wide that nothing wraps."""
    from rich.console import Console

    console = Console(highlight=False, width=None if sys.stdout.isatty() else 1_000)
    with console.capture() as printed:
        console.print(table)
    for line in printed.get().splitlines():
        yield line.rstrip()
