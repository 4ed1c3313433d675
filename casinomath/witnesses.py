"""Witnesses of a house edge: an exact calculation, a simulation and published figures, side by side."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from casinomath import catalog
from casinomath.wording import rules_in_words

if TYPE_CHECKING:
    import pandas as pd

    from casinomath.montecarlo import Sample
    from casinomath.returns import Returns

FAR: Final = 4.0
"""Standard errors beyond which a simulation contradicts the exact calculation: chance does it once in 16,000 times."""


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


def gather(returns: "Returns", sample: "Sample", rules: catalog.RulesTuple) -> list[Witness]:
    """Return what is known of a house edge: calculated, simulated with the same strategy, published for these rules."""
    return [_exact(returns), _simulated(returns, sample), *_published(returns, rules)]


def table(witnesses: list[Witness]) -> "pd.DataFrame":
    """Return the witnesses as a table, one row each."""
    import pandas as pd

    return pd.DataFrame(witnesses)


def _exact(returns: "Returns") -> Witness:
    edge = returns.house_edge
    remarks = "in integers and fractions" if returns.method == "exact" else "enumerated in double precision"
    return Witness("exact", "exact", edge, edge, edge, f"{edge:.4%}", agrees=True, remarks=remarks)


def _simulated(returns: "Returns", sample: "Sample") -> Witness:
    low, high = sample.interval()
    z = sample.agreement(returns.ev)
    return Witness(
        kind="simulated",
        name=f"simulated, {sample.rounds:,} rounds",
        house_edge=-sample.mean,
        low=-high,
        high=-low,
        printed=f"{-sample.mean:.4%}",
        agrees=abs(z) < FAR,
        remarks=f"{abs(z):.2f} standard errors of {sample.stderr:.4%} from the exact one; interval of 95%",
    )


def _published(returns: "Returns", rules: catalog.RulesTuple) -> Iterator[Witness]:
    """Figures published for rules that come to the same as these, and for this pay table."""
    stem = returns.game
    for row in catalog.published(stem):
        if (row.measure, row.bet, row.shoe) != ("house_edge", returns.bet, None) or row.rules is None:
            continue
        theirs = catalog.vary(catalog.rules(stem, row.rules, type(rules)), row.set)
        paytable = row.paytable or catalog.paytable_for(stem, row.rules, theirs).name
        if (rules_in_words(theirs), paytable) != (rules_in_words(rules), returns.paytable):
            continue
        played = f"played by the chart {row.strategy}" if row.strategy else ""
        yield Witness(
            kind="published",
            name=f"{catalog.sources()[row.source].body} [{row.source}]",
            house_edge=row.number,
            low=row.number - row.within,
            high=row.number + row.within,
            printed=row.value,
            agrees=row.agrees(returns.house_edge),
            remarks="; ".join(remark.rstrip(".") for remark in (played, row.note, row.erratum) if remark),
        )
