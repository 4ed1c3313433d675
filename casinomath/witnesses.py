"""Witnesses of a house edge: an exact calculation, a simulation and published figures, side by side."""

import math
from collections.abc import Iterable, Iterator, Sequence
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

from casinomath import catalog
from casinomath.errors import RequestError
from casinomath.wording import event_in_words, rules_in_words

if TYPE_CHECKING:
    import pandas as pd

    from casinomath.montecarlo import Sample
    from casinomath.returns import Returns
    from casinomath.strategy import Strategy

R = TypeVar("R", bound=catalog.RulesTuple)

FAR: Final = 4.0
"""Standard errors beyond which a simulation contradicts the exact calculation: chance does it once in 16,000 times."""

MET: Final = 100
"""Rounds that a hand has to be met in before its mean and its frequency are taken to follow the normal law."""


class Witness(NamedTuple):
    """A house edge as somebody has it, and how far it may be off."""

    kind: Literal["exact", "simulated", "published"]
    name: str
    house_edge: float
    low: float
    """Least value that the witness leaves room for: of a simulation's interval, or of a rounded figure."""
    high: float
    printed: str
    """The house edge with as many digits as the witness has."""
    agrees: bool
    """With the exact calculation: within FAR standard errors, or within what was rounded away."""
    remarks: str
    source: str = ""
    """A key of the bibliography."""


def gather(returns: "Returns", sample: "Sample", rules: catalog.RulesTuple) -> list[Witness]:
    """Return what is known of a house edge: calculated, simulated with the same strategy, published for these rules."""
    return [_exact(returns), _simulated(returns, sample), *_published(returns, rules)]


def table(witnesses: list[Witness]) -> "pd.DataFrame":
    """Return the witnesses as a table, one row each."""
    import pandas as pd

    return pd.DataFrame(witnesses)


def _exact(returns: "Returns") -> Witness:
    edge = returns.house_edge
    remarks = "In integers and fractions." if returns.method == "exact" else "Enumerated in double precision."
    return Witness("exact", "exact", edge, edge, edge, f"{edge:.4%}", agrees=True, remarks=remarks)


def _simulated(returns: "Returns", sample: "Sample") -> Witness:
    low, high = sample.interval()
    z = sample.agreement(returns)
    return Witness(
        kind="simulated",
        name=f"simulated, {sample.rounds:,} rounds",
        house_edge=-sample.mean,
        low=-high,
        high=-low,
        printed=f"{-sample.mean:.4%}",
        agrees=abs(z) < FAR,
        remarks=f"{abs(z):.2f} standard errors of {sample.stderr:.4%} from the exact one; interval of 95%.",
    )


def _published(returns: "Returns", rules: catalog.RulesTuple) -> Iterator[Witness]:
    """Figures published for rules that come to the same as these, and for this pay table."""
    for row in _rows_for(returns, rules):
        if row.measure not in ("house_edge", "ev"):
            continue
        if row.strategy not in {None, returns.details.get("strategy"), *catalog.charts(row.stem)}:
            continue  # worked out for the table, other play than this, and no chart anybody has published
        edge = row.number if row.measure == "house_edge" else -row.number
        played = f"Played by the chart {row.strategy}." if row.strategy else ""
        yield Witness(
            kind="published",
            name=f"{catalog.sources()[row.source].body} [{row.source}]",
            house_edge=edge,
            low=edge - row.within,
            high=edge + row.within,
            printed=row.value if row.measure == "house_edge" else f"EV {row.value}",
            agrees=row.agrees(getattr(returns, row.measure)),
            remarks=" ".join(remark for remark in (played, row.note, row.erratum) if remark),
            source=row.source,
        )


def _rows_for(returns: "Returns", rules: catalog.RulesTuple) -> Iterator[catalog.Published]:
    """Whatever is published for this bet, for rules that come to the same as these and for this pay table."""
    home = catalog.home(returns.game, returns.bet)
    for row in catalog.published(home):
        about = (row.stem, row.bet, row.shoe, row.removed, row.hand)
        if about != (returns.game, returns.bet, None, None, None) or row.rules is None:
            continue
        theirs = catalog.vary(catalog.rules(home, row.rules, type(rules)), row.set)
        paytable = row.paytable or catalog.paytable_for(home, row.rules, theirs).name
        if (rules_in_words(theirs), paytable) == (rules_in_words(rules), returns.paytable):
            yield row


def _rules_of(row: catalog.Published, kind: type[R]) -> R:
    return catalog.vary(catalog.rules(row.stem, row.rules, kind), row.set)


def charts_for(stem: str, rules: catalog.RulesTuple) -> list[str]:
    """Return the published charts that are for such rules, whatever the number of decks.

    A chart is for the rules of the figures that are published for it.
    """
    wanted = _without_decks(rules)
    rows = [row for row in catalog.published(stem) if row.strategy is not None and row.rules is not None]
    fitting = {row.strategy for row in rows if _without_decks(_rules_of(row, type(rules))) == wanted}
    return [chart for chart in catalog.charts(stem) if chart in fitting]


def _without_decks(rules: catalog.RulesTuple) -> str:
    return rules_in_words({name: value for name, value in rules._asdict().items() if name != "decks"})


def endings(returns: "Returns", sample: "Sample") -> "pd.DataFrame":
    """Return how often rounds end in each way, calculated and simulated, and how many standard errors lie between."""
    import pandas as pd

    rows = [
        (
            event_in_words(event.event),
            event.probability,
            sample.events.get(event.event, 0) / sample.rounds,
            sample.event_agreement(event.event, event.probability),
        )
        for event in returns.events
        if not event.on_top
    ]
    return pd.DataFrame(rows, columns=["ending", "exact", "simulated", "standard_errors"])


def measures(returns: "Returns", sample: "Sample", rules: catalog.RulesTuple) -> "pd.DataFrame":
    """Return the measures of a bet as calculated, simulated and published, one row each: those that are known exactly.

    `standard_errors` between the calculated and the simulated ones; `agrees` where they are fewer than FAR and whatever
    is published for this play, without an erratum, agrees too. No standard errors where nothing varies. Prizes that
    were not dealt, such as envy, are counted as calculated.
    """
    import pandas as pd

    nets = [(float(net), number / sample.rounds) for net, number in sample.distribution.items()]
    hits = sum(share for net, share in nets if net > 0)
    spread, hit = returns.stdev or sample.stdev, returns.hit_frequency or 0.0
    # scatter is taken from the exact law where it is known: a sample without its rarest prizes doesn't know its own
    known = {
        "house_edge": (returns.house_edge, returns.house_edge - sample.agreement(returns) * sample.stderr, spread),
        "stdev": (returns.stdev, sample.stdev, spread * math.sqrt(((returns.kurtosis or 1) - 1) / 4)),
        "hit_frequency": (returns.hit_frequency, hits, math.sqrt(hit * (1 - hit))),
    }
    found, played = list(_rows_for(returns, rules)), returns.details.get("strategy")
    rows = []
    for measure, (exact, simulated, scatter) in known.items():
        if exact is None:
            continue
        away = (simulated - exact) * math.sqrt(sample.rounds) / scatter if scatter else math.nan
        names = (measure, "ev") if measure == "house_edge" else (measure,)
        printed = [row for row in found if row.measure in names]
        judged = [row for row in printed if row.erratum is None and row.strategy in (None, played)]
        sound = all(row.agrees(getattr(returns, row.measure)) for row in judged)
        values = ", ".join(f"EV {row.value}" if row.measure == "ev" else row.value for row in printed)
        rows.append((measure, exact, simulated, away, values, not abs(away) >= FAR and sound))
    columns = ["measure", "exact", "simulated", "standard_errors", "published", "agrees"]
    return pd.DataFrame(rows, columns=columns)


# --- Hand by hand -----------------------------------------------------------------------------------------------------


def first_hands(strategy: "Strategy", sample: "Sample", by: Sequence[str] = ("cards", "upcard")) -> "pd.DataFrame":
    """Return what hands are worth and how often they are met, calculated and simulated, given no dealer blackjack.

    strategy : the composition-dependent one that the sample was played by
    sample   : one of a single seat that was counted by hand
    by       : `cards`, `upcard` or both; hands that differ in nothing else are taken together

    A row each: rounds and `expected_rounds`, exact and simulated EV, and how many standard errors lie between
    them: `ev_standard_errors` and `frequency_standard_errors`, NaN for hands met in fewer than MET rounds.
    Blackjacks are left out: all are paid alike, before the dealer's cards are seen.
    """
    import pandas as pd

    if strategy.strategy_class != "composition_dependent":
        raise RequestError(f"the strategy is {strategy.strategy_class}; expected a composition_dependent one")
    if sample.seats != 1 or not sample.hands:
        raise RequestError(f"the sample is of {sample.seats} seats; expected one seat's, counted by hand")
    cells = [
        (cell.cards, cell.upcard, cell.frequency, cell.frequency * cell.evs[cell.action])
        for cell in strategy.cells
        if cell.doubles == 0 and cell.cards.count(" ") == 1 and cell.cards != BLACKJACK
    ]
    columns = ["cards", "upcard", "met", "brings"]
    exact = pd.DataFrame(cells, columns=columns).groupby(list(by), sort=False)[columns[2:]].sum()
    hands = [(*hand, *map(float, sums)) for hand, sums in sample.hands.items() if hand[0] != BLACKJACK]
    counted = pd.DataFrame(hands, columns=["cards", "upcard", "rounds", "total", "squares"])
    found = exact.join(counted.groupby(list(by))[["rounds", "total", "squares"]].sum()).fillna(0.0)
    rounds, unit = found["rounds"], float(sample.unit)
    variance = unit**2 * (found["squares"] - found["total"] ** 2 / rounds) / (rounds - 1)
    far_enough = (rounds >= MET) & (sample.rounds * found["met"] >= MET)
    ev, simulated = found["brings"] / found["met"], unit * found["total"] / rounds
    scatter = (sample.rounds * found["met"] * (1 - found["met"])) ** 0.5
    table = pd.DataFrame(
        {
            "rounds": rounds.astype("int64"),
            "expected_rounds": sample.rounds * found["met"],
            "frequency_standard_errors": ((rounds - sample.rounds * found["met"]) / scatter).where(far_enough),
            "exact": ev,
            "simulated": simulated,
            "ev_standard_errors": ((simulated - ev) / (variance / rounds) ** 0.5).where(far_enough & (variance > 0)),
        }
    )
    return table.reset_index()


BLACKJACK: Final = "A 10"


def against_normal(standard_errors: Iterable[float]) -> "pd.DataFrame":
    """Return numbers, the smallest first, with what so many draws from the normal law would be expected to be.

    Columns: standard_errors, expected, and low and high, between which each of them lies in 95% of all cases. NaNs are
    left out.
    """
    import pandas as pd

    normal = NormalDist()
    ordered = sorted(each for each in standard_errors if not math.isnan(each))
    number = len(ordered)
    least = _below_order_statistics(number, 0.025)
    rows = [
        (
            value,
            normal.inv_cdf((place - 0.375) / (number + 0.25)),
            normal.inv_cdf(least[place - 1]),
            -normal.inv_cdf(least[number - place]),
        )
        for place, value in enumerate(ordered, start=1)
    ]
    return pd.DataFrame(rows, columns=["standard_errors", "expected", "low", "high"], dtype=float)


def _below_order_statistics(number: int, chance: float) -> list[float]:
    """Where each of so many uniform draws, the smallest first, lies below with this chance: by halving.

    The k-th smallest lies below x where k or more of the draws do, whose number is binomial.
    """
    import numpy as np

    below = np.arange(number + 1)
    ways = np.array([math.lgamma(number + 1) - math.lgamma(k + 1) - math.lgamma(number - k + 1) for k in below])
    low, high = np.zeros(number), np.ones(number)
    for _ in range(40):
        middle = (low + high) / 2
        chances = np.exp(ways + np.outer(np.log(middle), below) + np.outer(np.log1p(-middle), number - below))
        reached = chances[:, ::-1].cumsum(axis=1)[:, ::-1][below[:-1], below[1:]] >= chance
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return [float(each) for each in (low + high) / 2]
