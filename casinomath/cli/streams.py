"""What goes where: a result to stdout alone, everything else to stderr, a bar to a terminal only."""

import json
import logging
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from casinomath.montecarlo import Progress

NAME: Final = "casinomath"

T = TypeVar("T")


def print_lines(*lines: str) -> None:
    """Print lines on stdout."""
    for line in lines:
        sys.stdout.write(f"{line}\n")


def print_paths(paths: Iterable[Path]) -> None:
    """Print the files that were written, one a line."""
    print_lines(*(str(path) for path in paths))


def print_json(value: object, indent: int | None = 2) -> None:
    """Print one JSON value; ValueError for a number that JSON has not."""
    print_lines(json.dumps(value, indent=indent, allow_nan=False))


def tell(line: str) -> None:
    """Print one line on stderr."""
    sys.stderr.write(f"{NAME}: {' '.join(line.split())}\n")


def timed(doing: str, work: Callable[[], T]) -> tuple[T, float]:
    """Return what the work returns and how many seconds it took; a terminal is told what is being done."""
    start = time.perf_counter()
    with status(doing):
        result = work()
    return result, time.perf_counter() - start


@contextmanager
def executor_of(scheduler: str | None) -> "Iterator[Executor | None]":
    """The workers of a Dask cluster, or None for those of this machine."""
    if scheduler is None:
        yield None
        return
    import distributed  # noqa: F401 # it sets the levels of its loggers

    from casinomath.cluster import cluster

    for logger in ("asyncio", "distributed", "distributed.client"):  # what matters is told in one line
        logging.getLogger(logger).setLevel(logging.CRITICAL + 1)
    with cluster(scheduler) as executor:
        yield executor


@contextmanager
def progress_bar(doing: str) -> "Iterator[Progress | None]":
    """A bar on a terminal, and none in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress as Bar

    with Bar(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=None)
        yield lambda done, wanted: bar.update(task, completed=done, total=wanted)


@contextmanager
def status(doing: str) -> Iterator[None]:
    """Tell a terminal what is being done."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(doing):
        yield


def drop_stdout() -> None:
    """Let go of what stdout still holds, which would fail again when Python flushes it at exit."""
    try:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError:  # not a real file
        return
