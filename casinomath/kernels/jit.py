"""The one place that names numba's options.

``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python: slower, the same numbers.
"""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`: cached where a cache can be written, GIL released, IEEE division."""
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # no folder to cache in: a read-only install without a home
        compiled = numba.njit(nogil=True, error_model="numpy")(function)
    return cast("Callable[P, R]", compiled)
