"""Strategies drawn into a file: a chart, a card to print, a heat map, or where two of them differ."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from casinomath.errors import RequestError, unknown
from casinomath.strategy import Chart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from casinomath.request import Request
    from casinomath.strategy import Strategy

FILES: Final = (".png", ".pdf", ".svg")
MAPS: Final = ("ev", "gap", "stand", "hit", "double", "split", "surrender")
"""What a heat map may show: EVs, gaps, and the cost of an action."""
PREFLOP: Final = "preflop"
"""The table of a chart of hold'em games, which has a figure of its own."""


class Drawing(NamedTuple):
    """What is asked to be drawn, and where."""

    figure: Path | None
    card: Path | None
    paper: str | None
    heat: str | None
    against: str | None

    @property
    def path(self) -> Path | None:
        """The file to draw into."""
        return self.figure or self.card

    def check(self) -> None:
        """Raise RequestError for what can't be drawn, before any work."""
        for option, path in (("--figure", self.figure), ("--card", self.card)):
            if path is None:
                continue
            if path.suffix.lower() not in FILES:
                raise RequestError(f"{option} {path}: expected a name that ends in {', '.join(FILES)}")
            if not path.expanduser().parent.is_dir():
                raise RequestError(f"{option} {path}: no folder {path.parent}")
        for option, given, needed, file in (
            ("--paper", self.paper, "--card", self.card),
            ("--map", self.heat, "--figure", self.figure),
            ("--against", self.against, "--figure", self.figure),
        ):
            if given is not None and file is None:
                raise RequestError(f"{option} {given}: expected {needed} FILE with it")
        if self.heat is not None and self.against is not None:
            raise RequestError("expected one of --map and --against")
        if self.heat is not None and self.heat not in MAPS:
            raise unknown("map", self.heat, MAPS)
        if self.paper is not None:
            from casinomath.figures import PAPERS

            if self.paper not in PAPERS:
                raise unknown("paper", self.paper, PAPERS)

    def draw(self, found: "Strategy", asked: "Request") -> Path:
        """Draw it into its file, which is not left behind unfinished, and return it; RequestError if that fails."""
        assert self.path is not None
        path = self.path.expanduser()
        drawn = self._drawn(found, asked)
        unfinished = path.with_name(f".{path.stem}.{os.getpid()}{path.suffix}")
        try:
            drawn.savefig(unfinished, format=path.suffix.lower().removeprefix("."))
            unfinished.replace(path)
        except OSError as error:
            option = "--card" if self.figure is None else "--figure"
            raise RequestError(f"{option} {self.path}: can't be written: {error.strerror}") from None
        finally:
            unfinished.unlink(missing_ok=True)
        return self.path

    def _drawn(self, found: "Strategy", asked: "Request") -> "Figure":
        from casinomath import figures

        title = f"{found.game}: {asked.rules_name}, pay table {found.paytable}"
        if PREFLOP in found.chart.tables:
            if self.figure is None or self.heat is not None or self.against is not None:
                raise RequestError(f"{found.game} has a chart of its own; expected --figure FILE alone")
            return figures.preflop_chart(found, found.rules, title)
        if self.card is not None:
            return figures.strategy_card(found, found.rules, f"{found.game}: {asked.rules_name}", self.paper or "a6")
        if self.heat is not None:
            maps = {"ev": figures.ev_heatmap, "gap": figures.gap_heatmap}
            if self.heat in maps:
                return maps[self.heat](found.frame, found.rules)
            return figures.cost_heatmap(found.frame, self.heat, found.rules)
        if self.against is not None:
            return self._differences(found, asked, self.against)
        return figures.strategy_chart(found, found.rules, title)

    @staticmethod
    def _differences(found: "Strategy", asked: "Request", against: str) -> "Figure":
        """Set the best play beside another chart, or beside the best play under other rules."""
        from casinomath import catalog
        from casinomath.figures import difference_chart
        from casinomath.request import resolve

        stem = asked.game.STEM
        title = f"{found.game}: where plays differ"
        if against in catalog.rule_sets(stem) or against.partition("#")[0].endswith(".toml"):
            other = resolve(stem, against)
            theirs = other.strategy(found.strategy_class)
            names = (asked.rules_name, other.rules_name)
            return difference_chart(found, theirs, found.rules, names, title, theirs.rules)
        chart = resolve(stem, asked.rules, asked.paytable, shoe=asked.options.get("shoe"), strategy=against).chart()
        if not isinstance(chart, Chart):
            raise RequestError(f"--against {against}: expected a chart, a chart file, or a rule set")
        return difference_chart(found, chart, found.rules, (f"best play, {asked.rules_name}", chart.name), title)
