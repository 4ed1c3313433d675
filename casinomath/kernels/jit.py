"""The one place that names numba's options.

``NUMBA_DISABLE_JIT=1`` runs every kernel as plain Python: slower, the same numbers.
"""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def jit(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function`: cached where a cache can be written, GIL released, IEEE division."""
    return _compiled(function)


def bare(function: Callable[P, R]) -> Callable[P, R]:
    """Compile `function` as `jit` does, but without counting references to arrays: it may make none, nor views of any.

    In long loops with many branches the counting stays, and takes several times as long as the loop's own work.
    """
    return _compiled(function, _nrt=False)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """Make `function` a part of the kernels that call it: a call that passes arrays costs as much as a round."""
    return cast("Callable[P, R]", numba.njit(inline="always", error_model="numpy")(function))


def _compiled(function: Callable[P, R], **options: Any) -> Callable[P, R]:
    try:
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", **options)(function)
    except RuntimeError:  # no folder to cache in: a read-only install without a home
        compiled = numba.njit(nogil=True, error_model="numpy", **options)(function)
    return cast("Callable[P, R]", compiled)
