"""Words of the trade for names of the code: rules and endings of rounds, as reports and figures print them."""

import ast
import inspect
from collections.abc import Mapping
from fractions import Fraction
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import pandas as pd

    from casinomath.catalog import RulesTuple
    from casinomath.paytable import Pay, PayTable
    from casinomath.returns import Returns

RULES: Final[Mapping[str, Mapping[Any, str]]] = {
    "decks": {1: "1 deck", "inf": "an endless shoe"},
    "dealer_hits_soft_17": {True: "dealer hits soft 17", False: "dealer stands on soft 17"},
    "max_doubles": {1: "one double", 2: "up to 2 doubles", 3: "up to 3 doubles"},
    "rescue": {True: "rescue", False: "no rescue"},
    "rescue_forfeits": {
        "half_of_wager": "rescue loses half of the wager",
        "original_wager": "rescue loses the original wager",
    },
    "late_surrender": {True: "late surrender", False: "no surrender"},
    "max_hands": {1: "no splits"},
    "draw_to_split_aces": {True: "split aces play on", False: "one card to each split ace"},
    "card_count_bonus_after_split": {
        True: "card-count bonuses after a split",
        False: "no card-count bonuses after a split",
    },
    "super_bonus": {True: "Super Bonus", False: "no Super Bonus"},
    "double_on": {
        "any": "double any two cards",
        "9_10_11": "double hard 9 to 11 only",
        "10_11": "double hard 10 and 11 only",
        "none": "no doubles",
    },
    "double_after_split": {True: "double after split", False: "no double after split"},
    "resplit_aces": {True: "aces resplit", False: "aces split once"},
    "hit_split_aces": {True: "split aces hit", False: "one card to each split ace"},
    "double_split_aces": {True: "split aces doubled", False: "split aces not doubled"},
    "hole_card": {
        "peek": "dealer peeks",
        "none": "no hole card, all bets at risk",
        "none_original_bet": "no hole card, original bet at risk",
    },
    "blackjack_pays": {"pay_table": "blackjack pays as the pay table says"},
    "pack": {"spanish": "packs of 48 cards", "standard": "packs of 52 cards"},
    "seats": {1: "one player on the progressive"},
    "commission": {0.0: "no commission"},
    "other_bettors": {0: "no other bettors", 1: "1 other bettor"},
    "odds": {"0": "no odds"},
    "come_odds_work": {True: "come odds work on the come-out", False: "come odds off on the come-out"},
    "wheel": {"single_zero": "one zero", "double_zero": "two zeros", "triple_zero": "three zeros"},
    "on_zero": {"loses": "no la partage", "la_partage": "la partage", "en_prison": "en prison"},
    "second_zero": {
        "loses": "another zero takes the bet",
        "half_loses": "another zero takes half",
        "stays": "another zero leaves it imprisoned",
        "doubly_imprisoned": "another zero imprisons it twice",
        "released": "another zero releases it",
    },
    "push_22": {True: "a dealer's 22 pushes", False: "a dealer's 22 is a bust"},
    "free_doubles": {
        "two_cards": "free doubles of hard 9 to 11",
        "any_cards": "free doubles of hard 9 to 11 on any number of cards",
        "none": "no free doubles",
    },
    "free_splits": {
        "all_but_tens": "free splits of all pairs but tens",
        "all_but_tens_and_fours": "free splits of all pairs but tens and fours",
        "none": "no free splits",
    },
    "double_for_money": {True: "other doubles for money", False: "no other doubles"},
    "split_for_money": {True: "other splits for money", False: "no other splits"},
    "played_for": {
        "main_bet": "played for the main bet",
        "both_bets": "played for both bets",
        "lucky_stiff": "played for Lucky Stiff alone",
    },
    "rolled": {"": "nothing rolled yet"},
    "made": {"": "no point made yet"},
    "fee": {"up_front": "fee up front", "on_win": "fee on wins"},
}
"""The words of a rule with a value."""

COUNTED: Final = {
    "decks": "{} decks",
    "blackjack_pays": "blackjack pays {}",
    "max_hands": "split to {} hands",
    "bet": "bet of ${}",
    "other_bettors": "{} other bettors",
    "commission": "commission of {:.2%}",
    "seats": "{} players on the progressive",
    "seat": "seat {}",
    "meter": "meter at ${:,.10g}",
    "upcard": "upcard {}",
    "hand": "{} held",
    "odds": "odds {}",
    "dont_bars": "don'ts bar {}",
    "fee_percent": "fee {}%",
    "side_to_main": "Lucky Stiff {} to 1 of the main bet",
    "rolled": "{} rolled already",
    "made": "{} made already",
}
"""The words of a rule that counts something. A rule that is in neither place is printed as its name and value."""

EVENTS: Final = {
    "six_seven_eight": "6-7-8",
    "three_sevens": "7-7-7",
    "five_card_21": "five-card 21",
    "six_card_21": "six-card 21",
    "seven_card_21": "seven-card 21",
    "twenty_one": "21",
}
"""Parts of events' names that prose spells otherwise."""


AFTER_SPLIT: Final = (
    *("double_after_split", "resplit_aces", "hit_split_aces", "double_split_aces"),
    *("draw_to_split_aces", "card_count_bonus_after_split"),
)
"""Rules that are idle where nothing is split."""


def rules_in_words(rules: "Mapping[str, Any] | RulesTuple") -> str:
    """Return the rules in force as one line of prose. Rules that come to the same read the same.

    A rule that another one makes idle is left out: what a rescue loses where there is none, the bet where no fixed
    prize depends on it, what another zero does where none imprisons, what split hands may do where there are none. With
    one double, half of the wager is the original wager. One seat is the first one.
    """
    fields = fields_of(rules)
    if fields.get("rescue") and fields.get("max_doubles") == 1:
        fields.pop("rescue_forfeits", None)
    elif "rescue_forfeits" in fields:
        del fields["rescue" if fields.get("rescue") else "rescue_forfeits"]
    if fields.get("super_bonus") is False:
        fields = {name: value for name, value in fields.items() if name not in {"bet", "other_bettors"}}
    if "hit_split_aces" in fields and fields.get("double_split_aces") is False:
        del fields["double_split_aces"]
    if len(fields) > 1 and fields.get("blackjack_pays") == "pay_table":
        del fields["blackjack_pays"]
    if fields.get("max_hands") == 1:
        fields = {name: value for name, value in fields.items() if name not in AFTER_SPLIT}
    if fields.get("seats") == 1:
        fields.pop("seat", None)
    if not fields.get("hand"):
        fields.pop("hand", None)
    if fields.get("on_zero") != "en_prison":
        fields.pop("second_zero", None)
    if odds := str(fields.get("odds", "")).strip().lower().removesuffix("x").rstrip():
        fields["odds"] = "0" if set(odds) <= set("0-.") else f"{odds}x"
    return " · ".join(_rule(name, value) for name, value in fields.items())


def fields_of(rules: "Mapping[str, Any] | RulesTuple") -> dict[str, Any]:
    """Return rules as fields with their values."""
    return dict(rules) if isinstance(rules, Mapping) else rules._asdict()


def _rule(name: str, value: object) -> str:
    words = RULES.get(name, {}).get(value)
    if words is not None:
        return words
    form = COUNTED.get(name, name.replace("_", " ") + ": {}")
    return form.format(value if "{:" in form else _shown(value))


def _shown(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:g}" if isinstance(value, float) else str(value)


def rules_table(rules: "RulesTuple") -> "pd.DataFrame":
    """Return the rules in force as a table: rule, value, and what the rule says and whom it favours."""
    import pandas as pd

    meaning = _docstrings(type(rules))
    rows = [(name, _shown(value), meaning.get(name, "")) for name, value in rules._asdict().items()]
    return pd.DataFrame(rows, columns=["rule", "value", "meaning"])


def _docstrings(kind: type) -> dict[str, str]:
    """Docstrings of the fields of a class, which only its source has."""
    (definition,) = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(definition, ast.ClassDef)
    found = {}
    for field, said in zip(definition.body, definition.body[1:], strict=False):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(said, ast.Expr):
            found[field.target.id] = inspect.cleandoc(ast.literal_eval(said.value))
    return found


def event_in_words(event: str) -> str:
    """Return an event as prose has it: `six_seven_eight_mixed` is "6-7-8 mixed"."""
    for name, words in EVENTS.items():
        event = event.replace(name, words)
    return event.replace("_", " ")


def pays_table(paytable: "PayTable") -> "pd.DataFrame":
    """Return a pay table as a table: event and what it pays, in words."""
    import pandas as pd

    rows = [(event_in_words(event), pay_in_words(pay)) for event, pay in paytable.pays.items()]
    return pd.DataFrame(rows, columns=["event", "pays"])


def pay_in_words(pay: "Pay") -> str:
    """Return a pay as tables print it: "3 to 2", "push", "10% of meter", "$30"; and what is lost, "−1"."""
    if not isinstance(pay, Fraction):
        return str(pay)
    if pay < 0:
        return f"{float(pay):,.6g}".replace("-", "−")
    if pay.denominator > MOST_TO:
        return f"{float(pay):,.2f} to 1"
    return f"{pay.numerator:,} to {pay.denominator}" if pay else "push"


MOST_TO: Final = 10
"""Odds to more than this are printed as decimals to 1."""


def par_sheet(returns: "Returns") -> "pd.DataFrame":
    """Return a bet's events as slot and side-bet makers list them, and what they come to in the last row.

    event, pays (the net result to 1), combinations, probability, one_in and return; what is paid on top of another
    event is no part of the sum of the probabilities.
    """
    import pandas as pd

    rows: list[tuple[object, ...]] = [
        (
            event_in_words(event.event) + " (on top)" * event.on_top,
            "varies" if event.pays is None else pay_in_words(event.pays),
            event.combinations,
            event.probability,
            1 / event.probability if event.probability else None,
            event.returned,
        )
        for event in returns.events
    ]
    ends = [event for event in returns.events if not event.on_top]
    counted = [event.combinations for event in ends if event.combinations is not None]
    deals = sum(counted) if len(counted) == len(ends) else None
    rows.append(("all", "", deals, sum(event.probability for event in ends), None, returns.ev))
    return pd.DataFrame(rows, columns=["event", "pays", "combinations", "probability", "one_in", "return"])
