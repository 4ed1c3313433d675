"""casinomath: exact answers about casino table games.

The face of the package: it names the verbs and nouns and computes nothing. Each is imported when it is first
asked for, so that `import casinomath` costs next to nothing.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from casinomath import catalog
    from casinomath.advantage import Count, count
    from casinomath.errors import RequestError
    from casinomath.explanation import Explanation
    from casinomath.montecarlo import Sample
    from casinomath.paytable import PayTable
    from casinomath.request import evaluate, explain, simulate, strategy
    from casinomath.returns import Returns
    from casinomath.runs import report
    from casinomath.sensitivity import removal_effects, rule_differences
    from casinomath.solving import solve
    from casinomath.strategies import compare, departures, simplicity
    from casinomath.strategy import Strategy
    from casinomath.sweeps import sweep

__version__ = "0.2.0"

_HOMES = {
    "count": "advantage",
    "evaluate": "request",
    "explain": "request",
    "simulate": "request",
    "strategy": "request",
    "report": "runs",
    "removal_effects": "sensitivity",
    "rule_differences": "sensitivity",
    "solve": "solving",
    "compare": "strategies",
    "departures": "strategies",
    "simplicity": "strategies",
    "sweep": "sweeps",
    "Count": "advantage",
    "Explanation": "explanation",
    "PayTable": "paytable",
    "RequestError": "errors",
    "Returns": "returns",
    "Sample": "montecarlo",
    "Strategy": "strategy",
}
"""Where each name of the face lives."""

__all__ = [
    "Count",
    "Explanation",
    "PayTable",
    "RequestError",
    "Returns",
    "Sample",
    "Strategy",
    "__version__",
    "catalog",
    "compare",
    "count",
    "departures",
    "evaluate",
    "explain",
    "removal_effects",
    "report",
    "rule_differences",
    "simplicity",
    "simulate",
    "solve",
    "strategy",
    "sweep",
]


def __getattr__(name: str) -> object:
    if name == "catalog":
        return import_module("casinomath.catalog")
    if name in _HOMES:
        return getattr(import_module(f"casinomath.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'casinomath' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


class _Face(ModuleType):
    """The package, on which importing the module `casinomath.strategy` does not hide the verb `strategy`."""

    def __setattr__(self, name: str, value: object) -> None:
        if name in _HOMES and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Face
