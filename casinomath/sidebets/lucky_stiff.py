"""Lucky Stiff: is the player dealt a blackjack or a stiff hand, a hard 12 to 16, and does an unpaired one win?

A blackjack and a stiff pair win at once, whatever the dealer has; an unpaired stiff hand wins, pushes or loses with the
main bet, and a hand that is surrendered has lost. So the main hand may be played for the main bet, for both bets, or
for this one alone. Results are per unit of the Lucky Stiff wager.

Method: exact by composition in double precision (see `twentyone`). What decides is an unpaired hand, so nothing is
split; the hands are solved with what both bets together win and lose, and their endings followed by the policy found.
Source: ``data/lucky_stiff.toml``.
"""

from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from math import inf, lcm
from typing import Any, Final, Literal, NamedTuple, Unpack

import numpy as np
from numpy.typing import NDArray

from casinomath import family, montecarlo, twentyone
from casinomath.cards import STANDARD, UPCARDS, VALUES, by_value, check_decks
from casinomath.dealing import ANY, Cards, Counts, Dealt, Settled
from casinomath.decisions import cards_name
from casinomath.errors import RequestError, unknown
from casinomath.kernels.actions import ACTIONS, DOUBLE, ENDINGS, HIT, STAND, SURRENDER, Policy
from casinomath.kernels.hands import hands
from casinomath.kernels.twentyone import Table
from casinomath.paytable import PayTable
from casinomath.returns import Event, Returns

STEM = "lucky_stiff"
BETS = ("main",)

EVENTS: Final = ("blackjack", "stiff_pair", "stiff_win")
"""What a pay table pays: a blackjack, 6-6, 7-7 or 8-8, and a main hand that wins after an unpaired hard 12 to 16."""

PLAYED_FOR: Final = ("main_bet", "both_bets", "lucky_stiff")


class Rules(NamedTuple):
    """The rules of the blackjack table, and what the main hand is played for."""

    decks: int = 6
    """Decks of 52 cards. More favour the player."""
    dealer_hits_soft_17: bool = True
    """H17 rather than S17. Favours the player of this bet, whose stiff hands often wait for the dealer to bust."""
    late_surrender: bool = False
    """The first two cards may be given up after the peek. Costs this bet where the main hand is played by itself."""
    double_after_split: bool = True
    """Split hands may be doubled: the main bet's affair alone."""
    max_hands: int = 4
    """Hands that splitting can make, 1 to 4: the main bet's affair alone."""
    resplit_aces: bool = False
    """Aces may be split again: the main bet's affair alone."""
    played_for: Literal["main_bet", "both_bets", "lucky_stiff"] = "main_bet"
    """What an unpaired stiff hand is played for: the main bet as if there were no other, both bets, this one alone."""
    side_to_main: float = 1.0
    """The Lucky Stiff wager in main wagers."""


def check(rules: Rules, paytable: PayTable) -> None:
    """Raise RequestError for rules or a pay table that make no sense."""
    check_decks(rules.decks, "standard")
    if not 1 <= rules.max_hands <= 4:
        raise RequestError(f"max_hands is {rules.max_hands}; expected 1 to 4")
    if rules.played_for not in PLAYED_FOR:
        raise unknown("played_for", rules.played_for, PLAYED_FOR)
    if not 0 < rules.side_to_main < inf:
        raise RequestError(f"side_to_main is {rules.side_to_main:g}; expected main wagers above 0, such as 1 or 5")
    paytable.check_odds(EVENTS)


def fresh_shoe(rules: Rules) -> dict[str, int]:
    """Return the cards of a fresh shoe by value."""
    return by_value(rules.decks, "standard")


# --- The hands that wait ------------------------------------------------------------------------------------


def stiff_hands() -> NDArray[np.bool_]:
    """(n,) two cards that make a hard 12 to 16 and are no pair."""
    lattice = hands()
    stiff = (lattice.size == 2) & ~lattice.soft & (lattice.total >= 12) & (lattice.total <= 16)
    stiff[[twentyone.pair_row(value) for value in range(10)]] = False
    return np.asarray(stiff)


def _table(rules: Rules, shoe: tuple[int, ...]) -> twentyone.Problem:
    """The blackjack game beside the bet."""
    return twentyone.Problem(
        table=Table(
            twenty_one_wins=0,
            double_up_to=2,
            max_doubles=1,
            rescue=0,
            surrender=int(rules.late_surrender),
            split_aces_draw=0,
            resplit_aces=int(rules.resplit_aces),
            double_after_split=int(rules.double_after_split),
        ),
        shoe=shoe,
        decks=rules.decks,
        hits_soft_17=rules.dealer_hits_soft_17,
        max_hands=rules.max_hands,
        pays={"blackjack": 1.5, "surrender": -0.5},
        split_pays={},
    )


def _played_for(table: twentyone.Problem, main: float, side: float, pays: float) -> twentyone.Problem:
    """Unpaired hands, which nobody splits, with what both bets together win and lose."""
    results = {"surrender": -main / 2 - side, "dealer_blackjack": -main - side}
    for stage, wager in (("", main), ("doubled_", 2 * main)):
        results |= {
            f"{stage}win": wager + side * pays,
            f"{stage}push": 0.0,
            f"{stage}loss": -wager - side,
            f"{stage}bust": -wager - side,
        }
    return replace(table, max_hands=1, pays={**table.pays, **results})


def _solve(rules: Rules, paytable: PayTable, shoe: tuple[int, ...]) -> dict[str, twentyone.Solution]:
    """How stiff hands are played for the main bet, and for what these rules say."""
    table, pays = _table(rules, shoe), float(paytable.pay("stiff_win"))
    wagers = {"main_bet": (1.0, 0.0), "both_bets": (1.0, rules.side_to_main), "lucky_stiff": (0.0, 1.0)}
    return {
        name: twentyone.solve(_played_for(table, *wagers[name], pays))
        for name in dict.fromkeys(("main_bet", rules.played_for))
    }


def _endings(solution: twentyone.Solution) -> dict[str, float]:
    """P(a stiff hand is dealt and ends so)."""
    played = twentyone.play(solution.problem, solution.policy, dealt=stiff_hands())
    return dict(zip(ENDINGS, played.ends.sum(axis=0).tolist(), strict=True))


def _shoe(rules: Rules, shoe: Iterable[int] | str | None) -> tuple[int, ...]:
    return family.shoe_left(shoe, rules.decks, STANDARD, rules.max_hands)


def evaluate(rules: Rules, paytable: PayTable, *, shoe: Iterable[int] | str | None = None) -> Returns:
    """Return what a unit of Lucky Stiff is worth.

    shoe : ten counts by value, ace first, of a partly used shoe

    Details: `main_ev`, what the main bet is worth when its hands are played so, and `best_main_ev`, what it is worth by
    its own best play; `together_ev` per unit of both wagers; `changes`, the first decisions on stiff hands that are not
    those of the main bet, and what both wagers in units of the main one gain by them, given no dealer blackjack.
    Raises RequestError for rules, a pay table or a shoe that make no sense.
    """
    check(rules, paytable)
    counts = _shoe(rules, shoe)
    solutions = _solve(rules, paytable, counts)
    ends = _endings(solutions[rules.played_for])
    chances = _dealt(counts) | {
        "stiff_win": ends["win"] + ends["doubled_win"],
        "stiff_push": ends["push"] + ends["doubled_push"],
        "stiff_loss": sum(ends[f"{stage}{end}"] for stage in ("", "doubled_") for end in ("loss", "bust")),
        "stiff_to_dealer_blackjack": ends["dealer_blackjack"],
        "stiff_surrender": ends["surrender"],
    }
    lost = 1.0 - sum(chances.values())
    nets = {event: paytable.pay(event) for event in EVENTS} | {"stiff_push": Fraction(0)}
    events = [
        Event(event, chance, chance * float(net), net)
        for event, chance in [*chances.items(), ("not_stiff", lost)]
        if chance > 0
        for net in [nets.get(event, Fraction(-1))]
    ]
    ev = sum(event.returned for event in events)
    moments = [
        sum(event.probability * (float(event.pays or 0) - ev) ** power for event in events) for power in range(5)
    ]
    return Returns(
        game=STEM,
        bet="main",
        rules=rules._asdict(),
        paytable=paytable.name,
        method="float64",
        events=tuple(events),
        stdev=moments[2] ** 0.5,
        hit_frequency=sum(event.probability for event in events if event.pays and event.pays > 0),
        skewness=moments[3] / moments[2] ** 1.5,
        kurtosis=moments[4] / moments[2] ** 2,
        details={"shoe": list(counts), **_together(rules, counts, solutions, ev)},
    )


def _dealt(counts: tuple[int, ...]) -> dict[str, float]:
    """The chances of hands that win at once."""
    deals = sum(counts) * (sum(counts) - 1)
    pairs = sum(counts[value] * (counts[value] - 1) for value in (5, 6, 7))
    return {"blackjack": 2 * counts[0] * counts[9] / deals, "stiff_pair": pairs / deals}


def _together(
    rules: Rules, shoe: tuple[int, ...], solutions: dict[str, twentyone.Solution], ev: float
) -> dict[str, Any]:
    """The main bet beside it, and both."""
    table = _table(rules, shoe)
    best = twentyone.solve(table)
    best_ev = twentyone.play(table, best.policy, best.splits).ev
    so, usual = (_endings(solutions[name]) for name in (rules.played_for, "main_bet"))
    pays = dict(zip(ENDINGS, table.ending_pays.tolist(), strict=True))
    main_ev = best_ev + sum((so[ending] - usual[ending]) * pays[ending] for ending in ENDINGS)
    return {
        "main_ev": main_ev,
        "best_main_ev": best_ev,
        "together_ev": (main_ev + rules.side_to_main * ev) / (1 + rules.side_to_main),
        "changes": _changes(solutions["main_bet"], solutions[rules.played_for]),
    }


def _changes(usual: twentyone.Solution, so: twentyone.Solution) -> list[dict[str, Any]]:
    changes = []
    for row in np.flatnonzero(stiff_hands()):
        for upcard in UPCARDS:
            u = VALUES.index(upcard)
            before, after = int(usual.policy.first[u, row]), int(so.policy.first[u, row])
            if before == after:
                continue
            values = so.first_values(u, int(row))
            changes.append(
                {
                    "hand": cards_name(hands().counts[row]),
                    "upcard": upcard,
                    "main_bet": ACTIONS[before],
                    "played": ACTIONS[after],
                    "gain": (values[after] - values[before]) / float(so.values.peek[u, row]),
                }
            )
    return changes


# --- Simulation ---------------------------------------------------------------------------------------------

MOST_CARDS: Final = 28
"""Cards to deal for a round: two and two, up to nine to a hard 12 that is to stay below 22, and the dealer's."""


def simulate(
    rules: Rules,
    paytable: PayTable,
    rounds: int,
    seed: int,
    **running: Unpack[montecarlo.Running],
) -> montecarlo.Sample:
    """Deal rounds card by card, play the stiff hands, draw the dealer's hand and settle.

    Raises RequestError for rules or a pay table that make no sense, and for such rounds or such a seed.
    """
    check(rules, paytable)
    montecarlo.check(rounds, seed)
    policy = _solve(rules, paytable, _shoe(rules, None))[rules.played_for].policy
    chunk = Dealt(
        decks=rules.decks,
        pack="standard",
        places=(ANY,) * MOST_CARDS,
        look=partial(_look, policy, rules.dealer_hits_soft_17),
        settle=partial(_settle, paytable),
        unit=Fraction(1, lcm(*(paytable.pay(event).denominator for event in EVENTS))),
    )
    chunk.check()
    return montecarlo.run(chunk, rounds, seed, **running)


_SEEN: Final = (
    *("not_stiff", "blackjack", "stiff_pair", "stiff_win", "stiff_push", "stiff_loss"),
    *("stiff_to_dealer_blackjack", "stiff_surrender"),
)


def _look(policy: Policy, hits_soft_17: bool, cards: Cards) -> list[Counts]:
    """What became of each round, by its place in _SEEN."""
    values = np.minimum(cards.ranks, 9).astype(np.int64)  # places: two of the player, upcard, hole card, the others
    first, second, upcard, hole = values[:4]
    hard = first + second + 2
    has_ace = (first == 0) | (second == 0)
    seen = np.zeros(len(first), dtype=np.int64)
    seen[has_ace & (hard == 11)] = _SEEN.index("blackjack")
    stiff = ~has_ace & (hard >= 12) & (hard <= 16)
    seen[stiff & (first == second)] = _SEEN.index("stiff_pair")
    blackjack = (np.minimum(upcard, hole) == 0) & (upcard + hole == 9)
    seen[stiff & (first != second) & blackjack] = _SEEN.index("stiff_to_dealer_blackjack")
    waits = np.flatnonzero(stiff & (first != second) & ~blackjack)
    seen[waits] = _play(policy, hits_soft_17, values[:, waits])
    return [seen]


def _play(policy: Policy, hits_soft_17: bool, values: Counts) -> Counts:
    """Play stiff hands (places, rounds) and the dealer's; return places in _SEEN."""
    rounds = np.arange(values.shape[1])
    child = hands().child
    row = child[child[0, values[0]], values[1]].astype(np.int64)
    upcard = values[2]
    total, ace, place = values[0] + values[1] + 2, np.zeros(len(rounds), dtype=bool), np.full(len(rounds), 4)
    action = policy.first[upcard, row]
    surrendered = action == SURRENDER
    while len(drawing := np.flatnonzero((action == HIT) | (action == DOUBLE))):
        card = values[place[drawing], drawing]
        place[drawing] += 1
        total[drawing] += card + 1
        ace[drawing] |= card == 0
        row[drawing] = child[row[drawing], card]
        stop = (action[drawing] == DOUBLE) | (total[drawing] > 21)
        action[drawing] = np.where(stop, STAND, policy.play[upcard[drawing], row[drawing]])
    mine = np.where(ace & (total <= 11), total + 10, total)
    bust = total > 21

    dealer, his_ace = upcard + values[3] + 2, (upcard == 0) | (values[3] == 0)
    while True:
        soft = his_ace & (dealer <= 11)
        best = np.where(soft, dealer + 10, dealer)
        drawing = np.flatnonzero((best < 17) | (hits_soft_17 & soft & (best == 17)))
        if not len(drawing):
            break
        card = values[place[drawing], drawing]
        place[drawing] += 1
        dealer[drawing] += card + 1
        his_ace[drawing] |= card == 0
    won, pushed = (best > 21) | (mine > best), mine == best
    ended = np.where(
        won, _SEEN.index("stiff_win"), np.where(pushed, _SEEN.index("stiff_push"), _SEEN.index("stiff_loss"))
    )
    ended[bust] = _SEEN.index("stiff_loss")
    ended[surrendered] = _SEEN.index("stiff_surrender")
    return ended


def _settle(paytable: PayTable, seen: tuple[int, ...]) -> Settled:
    event = _SEEN[seen[0]]
    net = paytable.pay(event) if event in EVENTS else Fraction(0) if event == "stiff_push" else Fraction(-1)
    return Settled(event, net)
