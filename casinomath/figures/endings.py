"""How rounds end, and what each ending brings."""

from matplotlib.figure import Figure

from casinomath.figures.canvas import GAIN, INK, LOSS, RULE, STYLE, TOP, axes_at, canvas, column_of_numbers, signed
from casinomath.returns import Returns
from casinomath.wording import event_in_words


@STYLE
def breakdown(returns: Returns, title: str = "How rounds end, and what each ending brings") -> Figure:
    """Return bars of what each way a round can end brings to the EV, in % of the initial wager."""
    events = sorted(returns.events, key=lambda event: -event.returned)
    brings = [100 * event.returned for event in events]
    first, last = events[0], events[-1]
    shows = (
        f"bars from {event_in_words(first.event)}, {first.returned:+.2%}, down to {event_in_words(last.event)}, "
        f"{last.returned:+.2%}; all together the EV, {returns.ev:+.4%}"
    )
    rows = len(events) + 1
    figure = canvas(0.23 * rows + 0.85, title, returns.rules, shows)
    axes = axes_at(figure, 1.75, 2.2, 0.5, TOP + 0.3)
    axes.barh(range(len(events)), brings, color=[GAIN if value >= 0 else LOSS for value in brings], height=0.72)
    axes.barh(len(events), 100 * returns.ev, color=INK, height=0.72)
    axes.axvline(0, color=INK, linewidth=0.8)
    axes.axhline(len(events) - 0.5, color=RULE, linewidth=0.8)
    axes.set_yticks(range(rows), [*(event_in_words(event.event) for event in events), "EV, all together"])
    axes.set(ylim=(rows - 0.4, -0.6), xlabel="contribution to the EV, % of the initial wager")
    axes.tick_params(axis="y", length=0)
    shares = [f"{100 * event.probability:.4f}" for event in events]
    column_of_numbers(axes, 1.17, "brings, %", [signed(value) for value in [*brings, 100 * returns.ev]])
    column_of_numbers(axes, 1.36, "of rounds, %", shares)
    return figure
