"""Hold'em before the flop: the 169 hands in a square, suited above the diagonal, with the play and what it gains."""

from collections.abc import Mapping
from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from casinomath.cards import POKER_RANKS
from casinomath.catalog import RulesTuple
from casinomath.errors import RequestError
from casinomath.figures.canvas import FAINT, INK, STYLE, axes_at, canvas
from casinomath.strategy import Cell, Strategy

BETS: Final = "#14735f"
WAITS: Final = "#fff6d8"
"""Dark where money is put up, light where it is not."""
CELL: Final = 0.42
"""Height of a cell in inches."""

PASSIVE: Final = ("check", "fold")
"""Actions that put up nothing."""


@STYLE
def preflop_chart(strategy: Strategy, rules: Mapping[str, Any] | RulesTuple, title: str = "Before the flop") -> Figure:
    """Return the play of the 169 hands: dark cells bet, light ones don't, and the number is what betting gains.

    The gain is that of the best bet over a check or a fold, in antes; negative where it would lose.
    Raises RequestError for a strategy that has more to say than one play for each hand.
    """
    cells = {cell.hand: cell for cell in strategy.cells}
    if len(cells) != len(strategy.cells) or len(cells) != 169:
        raise RequestError("a chart is drawn of 169 hands with one play each; this strategy has more")
    gains = {hand: gain(cell) for hand, cell in cells.items()}
    betting = sum(cell.frequency for cell in cells.values() if cell.action not in PASSIVE)
    shows = (
        f"the play of 169 hands by two ranks, suited above the diagonal; {betting:.2%} of all deals are bet, from "
        f"{max(gains, key=gains.__getitem__)}, which gains {max(gains.values()):.2f} antes by it"
    )
    figure = canvas(13 * CELL + 1.15, title, rules, shows)
    axes = axes_at(figure, 0.8, 0.4, 0.75, 1.25)
    axes.set(xlim=(0, 13), ylim=(13, 0), xlabel="suited above the diagonal: the lower rank across")
    axes.set_ylabel("offsuit below the diagonal: the lower rank down")
    ranks = POKER_RANKS[::-1]
    for down, one in enumerate(ranks):
        for across, other in enumerate(ranks):
            hand = one + other if down == across else f"{one}{other}s" if down < across else f"{other}{one}o"
            bets = cells[hand].action not in PASSIVE
            ink = "white" if bets else INK
            axes.add_patch(Rectangle((across, down), 1, 1, facecolor=BETS if bets else WAITS, edgecolor="white"))
            word = play(cells[hand])
            axes.text(across + 0.5, down + 0.36, f"{hand} {word}", fontsize=7.2, color=ink, ha="center", va="center")
            number = f"{gains[hand]:+.2f}".replace("-", "−")
            axes.text(across + 0.5, down + 0.72, number, fontsize=6.8, color=ink, ha="center", va="center")
    axes.set_xticks([place + 0.5 for place in range(13)], list(ranks))
    axes.set_yticks([place + 0.5 for place in range(13)], list(ranks))
    axes.tick_params(length=0)
    axes.xaxis.tick_top()
    for side in axes.spines.values():
        side.set_visible(False)
    said = "Dark: bet, and how much. Light: C check, F fold. Below it what betting gains over that, in antes."
    figure.text(0.8 / figure.get_figwidth(), 0.12 / figure.get_figheight(), said, fontsize=8.2, color=FAINT)
    return figure


def gain(cell: Cell) -> float:
    """What the best bet is worth more than putting up nothing, in antes."""
    passive = [ev for action, ev in cell.evs.items() if action in PASSIVE]
    return max(ev for action, ev in cell.evs.items() if action not in PASSIVE) - max(passive)


def play(cell: Cell) -> str:
    """The play in a letter or a multiple of the ante: `C`, `F`, `4x`."""
    if cell.action in PASSIVE:
        return cell.action[0].upper()
    size = cell.action.rpartition("_")[2]
    return size if size.endswith("x") else "2x"
