"""A user's request resolved: names and files to a game, its rules, a pay table and a way to play.

The command line, Python users, notebooks and sweeps all ask here, so that a name, a default or a mistake means the
same to each of them. Games and side bets are found by listing their folders; nothing is registered.
"""

import csv
import inspect
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol, TypeAlias, Unpack, cast

from casinomath import __version__, catalog
from casinomath.cards import UPCARDS
from casinomath.errors import RequestError, unknown
from casinomath.money import read_meter
from casinomath.paytable import Pay, PayTable
from casinomath.strategy import Chart, StrategyClass

if TYPE_CHECKING:
    from casinomath.beside import SideBet
    from casinomath.explanation import Explanation
    from casinomath.montecarlo import Running, Sample
    from casinomath.returns import Returns
    from casinomath.strategy import Strategy

ROOMS: Final = ("games", "sidebets")
"""The folders whose every file is a game or a side bet."""

VERBS: Final = ("evaluate", "strategy", "explain", "simulate")
"""What can be asked: `strategy` and `explain` where there is a decision, `simulate` where cards can be dealt."""

CLASSES: Final[tuple[StrategyClass, ...]] = ("composition_dependent", "total_dependent")
"""Ways to play that are worked out; charts are named beside them."""

Named: TypeAlias = str | os.PathLike[str]
"""A name in the catalogue, or the path of a user's own file."""


# --- Games --------------------------------------------------------------------------------------------------


class Game(Protocol):
    """What every module of `games` and `sidebets` has.

    Besides, `strategy`, `explain` and `simulate` where there is something to ask; `SIDE_BETS`, where the game has bets
    that other games have too: each of them, by name, is such a game of its own. Where `evaluate` takes a shoe,
    `fresh_shoe` (rules → cards by name, in the order of the counts), and `seen_cards` where some are known when the bet
    is made.
    """

    STEM: str
    BETS: tuple[str, ...]
    """The first is what a bare stem means."""
    Rules: type[catalog.RulesTuple]
    check: Callable[[Any, PayTable], None]
    """Raises RequestError for rules and a pay table that can't be priced, before any work."""
    evaluate: Callable[..., "Returns"]


class Listing(NamedTuple):
    """What can be asked about one game or side bet."""

    stem: str
    bets: list[str]
    rules: list[str]
    paytables: list[str]
    strategies: list[str]
    """Published charts and other ways to play that have a name, beside those that are worked out."""
    tables_of_bets: dict[str, list[str]]
    """The pay tables of bets that have their own."""


def games() -> list[Listing]:
    """Return every game and side bet with the names of its bets, rule sets, pay tables and published charts."""
    return [
        Listing(
            stem,
            bets(stem),
            list(catalog.rule_sets(stem)),
            list(catalog.paytables(stem)),
            [*catalog.charts(stem), *_strategies(game(stem))],
            {bet: list(catalog.paytables(catalog.home(stem, bet))) for bet in _side_bets(game(stem))},
        )
        for stem in _homes()
    ]


def game(stem: str) -> Game:
    """Return the module of a game or side bet; RequestError for an unknown stem."""
    homes = _homes()
    if stem not in homes:
        raise unknown("game", stem, homes)
    return cast("Game", import_module(homes[stem]))


def bets(stem: str) -> list[str]:
    """Return the bets of a game, those that other games have too at the end."""
    module = game(stem)
    return [*module.BETS, *_side_bets(module)]


def game_of(game_and_bet: str) -> Game:
    """Return what prices a bet, given as `spanish21` or `spanish21:main`: mostly the module of the game.

    Raises RequestError for an unknown stem or bet.
    """
    stem, colon, bet = game_and_bet.partition(":")
    module = game(stem)
    if colon and bet not in bets(stem):
        raise unknown(f"bet of {stem}:", bet, bets(stem))
    return _side_bets(module).get(bet, module)


def _side_bets(module: Game) -> Mapping[str, Game]:
    return cast("Mapping[str, Game]", getattr(module, "SIDE_BETS", {}))


def _homes() -> dict[str, str]:
    """Stem → module, games first."""
    package = Path(__file__).parent
    return {
        module.name: f"casinomath.{room}.{module.name}"
        for room in ROOMS
        for module in iter_modules([str(package / room)])
        if not module.name.startswith("_")
    }


# --- Requests -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Request:
    """A question about one bet, with everything it needs; `resolve` makes one from names."""

    game: Game
    bet: str
    rules_name: str
    """The rule set, and what was changed in it: `h17_six_deck with decks=8`."""
    rules: catalog.RulesTuple
    printed: PayTable
    """The pay table as it stands in its document."""
    paytable: PayTable
    """The pay table to price: the same, unless lines of it were changed."""
    options: Mapping[str, Any] = field(default_factory=dict)
    """What else the verbs are given, by parameter: shoe, meter."""
    play: Chart | str = "composition_dependent"
    """A chart, one of `classes`, or a way to play that the game knows by its name."""
    notes: tuple[str, ...] = ()
    """What the user should know about how the request was understood."""

    @property
    def classes(self) -> tuple[StrategyClass, ...]:
        """The classes of strategy that the game works out, the best play first."""
        return cast("tuple[StrategyClass, ...]", getattr(self.game, "CLASSES", CLASSES))

    @property
    def play_name(self) -> str | None:
        """What to call the way of playing; None where nobody decides anything."""
        if not _has_decisions(self.game):
            return None
        return self.play.name if isinstance(self.play, Chart) else self.play

    def check(self) -> None:
        """Raise RequestError for what can't be priced, as far as that shows before any work."""
        self._takes("evaluate", {"strategy": None if self.play == CLASSES[0] else self.play})
        meter = self.options.get("meter")
        if meter is not None:
            read_meter(self.paytable, meter)
        self.game.check(self.rules, self.paytable)

    @property
    def home(self) -> str:
        """The stem of the data file that the bet's rules and pay tables stand in."""
        return catalog.home(self.game.STEM, self.bet)

    def json(self) -> dict[str, Any]:
        """Return what is asked as JSON values."""
        return {
            "game": self.game.STEM,
            "bet": self.bet,
            "rules": self.rules._asdict(),
            "rules_name": self.rules_name,
            "paytable": self.paytable.name,
            "strategy": self.play_name,
        }

    def evaluate(self) -> "Returns":
        """Price the bet; where lines of the pay table were changed, `details["change"]` says what that is worth."""
        returns = self.price()
        details = {**returns.details, "rules_name": self.rules_name}
        if self.paytable != self.printed:
            before = replace(self, paytable=self.printed).price()
            details["change"] = {
                "paytable": self.printed.name,
                "pays": _changed_pays(self.printed, self.paytable),
                "ev": before.ev,
                "ev_change": returns.ev - before.ev,
            }
        return replace(returns, details=details)

    def price(self) -> "Returns":
        """Price the bet and nothing else: `evaluate` without a word on the pay table it started from."""
        return cast("Returns", self._ask("evaluate", strategy=self.chart()))

    def strategy(self, strategy_class: StrategyClass = "composition_dependent") -> "Strategy":
        """Return the best play within a class, and the EV of every action.

        Where a chart was asked for, or a way to play that is one, a total-dependent strategy is what the chart plays.
        """
        if strategy_class not in self.classes:
            raise unknown("strategy class", strategy_class, self.classes)
        played = self.chart() if strategy_class == "total_dependent" and self.play not in CLASSES else None
        chart = played if isinstance(played, Chart) else None
        return cast("Strategy", self._ask("strategy", strategy_class=strategy_class, chart=chart))

    def explain(self, cards: str, shown: str | None = None, *, doubles: int | None = None) -> "Explanation":
        """Return what every action on a hand is worth, and why.

        cards   : the player's, such as `7s 8h`
        shown   : what is seen besides, where the game shows something: the dealer's upcard, the board
        doubles : doubles made before, in the family of 21
        A chart that was asked for is set beside the best play, that of `total_dependent` worked out for this table.
        """
        asked = self.chart()
        chart = asked if isinstance(asked, Chart) else None
        if chart is None and asked is not None:
            raise RequestError(
                f"strategy {asked} of {self.game.STEM} is no chart that could be set beside the best play in explain; "
                "expected composition_dependent"
            )
        return cast("Explanation", self._ask("explain", cards=cards, shown=shown, doubles=doubles, chart=chart))

    def simulate(
        self,
        rounds: int,
        seed: int,
        *,
        seats: int | None = None,
        penetration: float | None = None,
        burn: int | None = None,
        beside: "Iterable[str | Request]" = (),
        by_hand: bool | None = None,
        **running: "Unpack[Running]",
    ) -> "Sample":
        """Play so many rounds, or fewer; `running` says when to stop, where they run and more: see `montecarlo`.

        seats, penetration, burn : how the table is dealt, where the game has tables; see its `simulate`
        beside                   : bets on the side to settle in the same rounds, by name or as `side_request` has them
        by_hand                  : count results by the first cards and the upcard too
        """
        from casinomath.montecarlo import check

        check(rounds, seed, running.get("stderr"), running.get("seconds"))  # before a strategy is worked out
        sides = [self.side_request(bet) if isinstance(bet, str) else bet for bet in beside]
        table = {"seats": seats, "penetration": penetration, "burn": burn, "by_hand": by_hand}
        given: dict[str, Any] = {name: value for name, value in table.items() if value is not None}
        if sides:
            given["beside"] = tuple(side.beside(seats or 1) for side in sides)
        self._takes("simulate", given)
        subject = self.identity
        if given:
            subject |= {"table": {**given, "beside": [side.identity for side in sides]}}
        running.setdefault("subject", subject)
        return cast("Sample", self._ask("simulate", running, rounds=rounds, seed=seed, strategy=self.chart(), **given))

    def side_request(self, name: str, meter: float | None = None) -> "Request":
        """Return the request of a bet on the side of this game: by its own name, with the decks of the game.

        meter : dollars on its meter, where it has one
        Raises RequestError for what is no bet on the side, or none that this game's rounds can settle.
        """
        decks = self.rules._asdict().get("decks")
        change = {} if decks is None else {"decks": decks}
        module = game(name.partition(":")[0])
        if hasattr(self.game, "PACK") and "pack" in getattr(module.Rules, "_fields", ()):
            change["pack"] = self.game.PACK
        if not hasattr(module, "beside"):
            settled = [stem for stem in _homes() if hasattr(game(stem), "beside")]
            raise unknown(f"bet on the side of {self.game.STEM}:", name, settled)
        side = resolve(name, change=change)
        takes_meter = "meter" in inspect.signature(getattr(side.game, "beside")).parameters  # noqa: B009
        return replace(side, options={"meter": meter} if takes_meter else {})

    def beside(self, seats: int = 1) -> "SideBet":
        """Return the bet as another game settles it in its own rounds."""
        return cast("SideBet", self._ask("beside", seats=seats))

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that numbers depend on, names aside, as JSON values."""
        options = {name: value for name, value in self.options.items() if value is not None}
        return {
            "casinomath": __version__,
            "game": self.game.STEM,
            "bet": self.bet,
            "rules": self.rules._asdict(),
            "pays": {event: pay_text(pay) for event, pay in self.paytable.pays.items()},
            "options": options,
            "strategy": self.play.tables if isinstance(self.play, Chart) else self.play,
        }

    def chart(self) -> Chart | str | None:
        """Return the chart to play by, that of `total_dependent` worked out for this table; None for the best play.

        So is a game's own way to play where it is a chart, which `named_chart` makes; else it is told by its name.
        """
        if self.play == "composition_dependent":
            return None
        if isinstance(self.play, Chart):
            return self.play
        if self.play in CLASSES:
            derived = cast("Strategy", self._ask("strategy", strategy_class=self.play))
            return replace(derived.chart, name=self.play)
        if hasattr(self.game, "named_chart"):
            return cast("Chart", self._ask("named_chart", strategy=self.play))
        return self.play

    def _ask(self, verb: str, running: Mapping[str, Any] | None = None, /, **given: Any) -> object:
        """Call a verb of the game with what was given, and nothing else."""
        given = self._takes(verb, given)
        return getattr(self.game, verb)(self.rules, self.paytable, **given, **(running or {}))

    def _takes(self, verb: str, given: Mapping[str, object]) -> dict[str, object]:
        """What a verb of the game is given; RequestError where it has no such verb, or the verb takes no such thing."""
        function = getattr(self.game, verb, None)
        if function is None:
            has = ", ".join(name for name in VERBS if hasattr(self.game, name))
            raise RequestError(f"{self.game.STEM} has no {verb}; it has {has}")
        given = {name: value for name, value in {**self.options, **given}.items() if value is not None}
        if len(self.game.BETS) > 1:
            given["bet"] = self.bet
        takes = inspect.signature(function).parameters
        for name in given:
            if name not in takes:
                raise RequestError(f"{self.game.STEM} takes no {name.replace('_', ' ')} in {verb}")
        return given

    def __getstate__(self) -> dict[str, Any]:
        """Pickle the game by its name: sweeps send requests to workers, and a module cannot be pickled."""
        return {**vars(self), "game": f"{self.game.STEM}:{self.bet}"}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Find the game again."""
        vars(self).update({**state, "game": game_of(state["game"])})


def resolve(
    game_and_bet: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
) -> Request:
    """Return a request from what a user gave.

    game_and_bet : `spanish21`, or `spanish21:main`
    rules        : a rule set by name, a TOML file of the user's own, or the game's Rules; None for the default set
    paytable     : likewise; None for the table that goes with the rules
    change       : rules to change, `{"decks": 8}`; text is read as the command line reads it
    pay          : lines of the pay table to change, `{"seven_card_21": "4:1"}`
    shoe         : the cards left by value, ace first, where the game has a shoe
    strategy     : `composition_dependent` (the default), `total_dependent`, a published chart, or a chart file
    meter        : dollars on a progressive meter
    Raises RequestError for a name that is unknown and a value that makes no sense.
    """
    stem, _, bet = game_and_bet.partition(":")
    module = game_of(game_and_bet)
    home = catalog.home(stem, bet)
    start, name, label = _rules(module, home, rules)
    varied = catalog.vary(start, change or {})
    changed = [f"{key}={_said(value)}" for key, value in varied._asdict().items() if value != start._asdict()[key]]
    notes: list[str] = []
    printed = _paytable(home, paytable, name, varied, notes)
    return Request(
        game=module,
        bet=bet or module.BETS[0],
        rules_name=f"{label} with {', '.join(changed)}" if changed else label,
        rules=varied,
        printed=printed,
        paytable=_with_pays(printed, pay or {}),
        options={"shoe": shoe if shoe is None or isinstance(shoe, str) else tuple(shoe), "meter": meter},
        play=_play(module, home, strategy),
        notes=tuple(notes),
    )


def _rules(
    module: Game, home: str, given: Named | catalog.RulesTuple | None
) -> tuple[catalog.RulesTuple, str | None, str]:
    """The rules to start from, their name in the catalogue or a file, and what to call them."""
    if given is not None and not isinstance(given, str | os.PathLike):
        if not isinstance(given, module.Rules):
            raise RequestError(f"rules are {given!r}; expected a name, a file, or Rules of {home}")
        # a fraction is as good as the number of any rule
        values = {name: value for name, value in given._asdict().items() if not isinstance(value, Fraction)}
        return catalog.vary(given, values), None, "own rules"
    name = catalog.default_rules_name(home) if given is None else os.fspath(given)
    if not name:
        raise unknown(f"rules of {home}:", name, catalog.rule_sets(home))
    return catalog.rules(home, name, module.Rules), name, name


def _paytable(
    stem: str, given: Named | PayTable | None, rules: str | None, varied: catalog.RulesTuple, notes: list[str]
) -> PayTable:
    if isinstance(given, PayTable):
        return given
    if given is not None:
        return catalog.paytable(stem, os.fspath(given))
    usual, fitting = catalog.paytable_for(stem, rules), catalog.paytable_for(stem, rules, varied)
    if fitting != usual:
        notes.append(f"pay table {fitting.name}: {usual.name} is not printed for these rules")
    return fitting


def _with_pays(printed: PayTable, changes: Mapping[str, Pay | str | float]) -> PayTable:
    """The table with lines changed, its name saying which."""
    pays: dict[str, Pay] = {}
    for event, read in changes.items():
        try:
            pays[event] = read if isinstance(read, Pay) else catalog.parse_pay(read)
        except RequestError as error:
            raise RequestError(f"{event} {error}") from None
    changed = printed.with_pays(pays)
    lines = [f"{event}={pay_text(changed.pays[event])}" for event in pays if pays[event] != printed.pays[event]]
    return replace(changed, name=f"{printed.name} with {', '.join(lines)}") if lines else printed


def _changed_pays(before: PayTable, after: PayTable) -> dict[str, dict[str, str]]:
    return {
        event: {"from": pay_text(before.pays[event]), "to": pay_text(pay)}
        for event, pay in after.pays.items()
        if pay != before.pays[event]
    }


def pay_text(pay: Pay) -> str:
    """Return a pay as `--pay` takes it: `3:2`, `push`, `10% of meter`, `$30`."""
    if not isinstance(pay, Fraction):
        return str(pay)
    return f"{pay.numerator}:{pay.denominator}" if pay else "push"


def _said(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


# --- Verbs --------------------------------------------------------------------------------------------------


def evaluate(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
) -> "Returns":
    """Return what a bet is worth; see `resolve` for how to ask."""
    return resolve(game, rules, paytable, change, pay, shoe, strategy, meter).evaluate()


def strategy(
    game: str,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy_class: StrategyClass = "composition_dependent",
) -> "Strategy":
    """Return the best play and what every action is worth; see `resolve` for how to ask."""
    return resolve(game, rules, paytable, change, pay, shoe).strategy(strategy_class)


def explain(
    game: str,
    cards: str,
    shown: str | None = None,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    *,
    doubles: int | None = None,
) -> "Explanation":
    """Return why a hand is played as it is; see `resolve` for how to ask, and `Request.explain` for the rest."""
    return resolve(game, rules, paytable, change, pay, shoe, strategy).explain(cards, shown, doubles=doubles)


def simulate(
    game: str,
    rounds: int,
    seed: int,
    rules: Named | catalog.RulesTuple | None = None,
    paytable: Named | PayTable | None = None,
    change: Mapping[str, object] | None = None,
    pay: Mapping[str, Pay | str | float] | None = None,
    shoe: str | Iterable[int] | None = None,
    strategy: Named | Chart | None = None,
    meter: float | None = None,
    *,
    seats: int | None = None,
    penetration: float | None = None,
    burn: int | None = None,
    beside: "Iterable[str | Request]" = (),
    by_hand: bool | None = None,
    **running: "Unpack[Running]",
) -> "Sample":
    """Play so many rounds of a bet; see `resolve` for how to ask, and `Request.simulate` for the rest."""
    asked = resolve(game, rules, paytable, change, pay, shoe, strategy, meter)
    return asked.simulate(
        rounds,
        seed,
        seats=seats,
        penetration=penetration,
        burn=burn,
        beside=beside,
        by_hand=by_hand,
        **running,
    )


# --- Charts -------------------------------------------------------------------------------------------------
#
# A chart file is CSV with columns table, hand, upcard and play (others are left alone), or the text that
# `casinomath strategy` prints: the name of a table, a line of upcards, then a line for each hand. "#" begins a comment,
# "-" stands for no cell.

_COLUMNS: Final = ("table", "hand", "upcard", "play")
_NO_CELL: Final = "-"
_AFTER: Final = ("after_double", "after_2_doubles", "after_3_doubles")

_Cells: TypeAlias = Iterator[tuple[str, str, str, str, str]]
"""Where it stands in the file, table, hand, upcard and code."""


def _has_decisions(module: Game) -> bool:
    return hasattr(module, "strategy") or "strategy" in inspect.signature(module.evaluate).parameters


def _strategies(module: Game) -> tuple[str, ...]:
    """Ways to play that a game knows by name."""
    return getattr(module, "STRATEGIES", ())


def _play(module: Game, stem: str, given: Named | Chart | None) -> Chart | str:
    if given is None:
        return CLASSES[0]
    if not _has_decisions(module):
        raise RequestError(f"{stem} takes no strategy: it has no decisions")
    if isinstance(given, Chart):
        return given
    name = os.fspath(given)
    classes: tuple[str, ...] = getattr(module, "CLASSES", CLASSES)
    if name in (*classes, *_strategies(module)):
        return name
    published = catalog.charts(stem)
    if name in published:
        chart = published[name]
        cells = ((f"{name}:", cell.table, cell.hand, cell.upcard, cell.play) for cell in chart.cells())
        return _chart(name, cells, chart.source)
    if catalog.is_path(name) or name.endswith((".csv", ".txt")):
        return _chart(name, _file_cells(name))
    raise unknown(f"strategy of {stem}:", name, [*classes, *published, *_strategies(module)])


def _chart(name: str, cells: _Cells, source: str = "") -> Chart:
    """A chart from its cells; RequestError for a cell no chart has, a cell that comes twice, and nonsense."""
    from casinomath.charts import parse_code

    hands = _hands_of_tables()
    tables: dict[str, dict[str, dict[str, str]]] = {}
    for place, table, hand, upcard, code in cells:
        if table not in hands:
            raise RequestError(f"{place} {unknown('chart table', table, hands)}")
        if hand not in hands[table]:
            raise RequestError(f"{place} {unknown(f'hand of table {table}:', hand, hands[table])}")
        if upcard not in UPCARDS:
            raise RequestError(f"{place} {unknown('upcard', upcard, UPCARDS)}")
        cell = f"{table} {hand} against {upcard}"
        if upcard in tables.setdefault(table, {}).setdefault(hand, {}):
            raise RequestError(f"{place} {cell} comes twice")
        parse_code(code, table, f"{place} {cell}")
        tables[table][hand][upcard] = code
    return Chart(name, tables, source)


def _hands_of_tables() -> dict[str, list[str]]:
    """Every table a chart of the family of 21 can have, with the hands of its rows."""
    from casinomath.charts import FREE
    from casinomath.decisions import hand_name, pair_name, totals

    kinds = {
        "hard": [hand_name(total, soft) for total, soft in totals() if not soft],
        "soft": [hand_name(total, soft) for total, soft in totals() if soft],
    }
    after = {f"{stage}_{kind}": hands for stage in _AFTER for kind, hands in kinds.items()}
    free = {f"{FREE}{kind}": hands for kind, hands in kinds.items()}
    return {**kinds, **free, "pairs": [pair_name(value) for value in range(10)], **after}


def _file_cells(name: str) -> _Cells:
    try:
        text = Path(name).expanduser().read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise RequestError(f"{name}: no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise RequestError(f"{name}: not a file of text: {error}") from None
    lines = [
        (f"{name} line {number}:", line)
        for number, line in enumerate(text.splitlines(), start=1)
        if line.strip() and not line.lstrip().startswith("#")
    ]
    if not lines:
        raise RequestError(f"{name}: holds no chart")
    return _csv_cells(lines) if "," in lines[0][1] else _grid_cells(lines)


def _csv_cells(lines: list[tuple[str, str]]) -> _Cells:
    place, first = lines[0]
    header = [column.strip().lower() for column in first.split(",")]
    for column in _COLUMNS:
        if column not in header:
            raise RequestError(f"{place} no column {column!r} in {first!r}; expected {','.join(_COLUMNS)}")
    for (place, line), row in zip(lines[1:], csv.reader(line for _, line in lines[1:]), strict=True):
        if len(row) != len(header):
            raise RequestError(f"{place} {len(row)} columns in {line!r}; expected {len(header)}")
        table, hand, upcard, code = (row[header.index(column)].strip() for column in _COLUMNS)
        if code != _NO_CELL:
            yield place, table.lower(), hand, upcard, code


def _grid_cells(lines: list[tuple[str, str]]) -> _Cells:
    table, upcards = "", [*UPCARDS]
    for place, line in lines:
        words = line.split()
        if sorted(words) == sorted(UPCARDS):
            upcards = words
            continue
        if re.fullmatch(r"[A-Za-z_ ]+\d?[A-Za-z_ ]+", line.strip()) and len(words) < len(UPCARDS):
            table = "_".join(words).lower()
            continue
        hand, *codes = words
        if len(codes) != len(upcards):
            raise RequestError(f"{place} hand {hand} has {len(codes)} plays; expected {len(upcards)}, '-' for none")
        for upcard, code in zip(upcards, codes, strict=True):
            if code != _NO_CELL:
                yield place, table, hand, upcard, code
