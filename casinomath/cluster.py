"""The cluster: an executor whose tasks run on the workers of a Dask scheduler that is running already.

Dask gives the task of a worker that dies to another one. What it would wait for without end is told here: a scheduler
that answers no more, and a cluster that has no workers left.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, InvalidStateError, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

from casinomath import __version__
from casinomath.errors import RequestError

if TYPE_CHECKING:
    from distributed import Client
    from tornado.platform.asyncio import BaseAsyncIOLoop

T = TypeVar("T")

ANSWER: Final = 5.0
"""Seconds that a scheduler has to answer, and its first worker to come."""
PATIENCE: Final = 15.0
"""Seconds without a scheduler or a worker until work is given up: workers that are started again come back sooner."""
LOOK_EVERY: Final = 1.0
ATTEMPTS: Final = 4
"""How often a result is asked for, with growing pauses, before the connection is given up."""


class ClusterLost(BrokenExecutor):
    """The scheduler answers no more, or has no workers left."""


@contextmanager
def cluster(address: str) -> Iterator[Executor]:
    """Connect to the scheduler at an address such as `tcp://host:8786`.

    Raises RequestError where none answers or it has no workers, ModuleNotFoundError without `distributed`.
    """
    from distributed import Client

    _await_workers(address)
    client = Client(address, timeout=ANSWER, set_as_default=False)
    try:
        workers = Workers(address, client)
        try:
            yield workers
        finally:
            workers.shutdown(cancel_futures=True)
    finally:
        with suppress(TimeoutError):
            client.close(timeout=ANSWER)


def _await_workers(address: str) -> None:
    deadline = time.monotonic() + ANSWER
    while True:
        try:
            if worker_count(address):
                return
        except Exception as error:  # noqa: BLE001 # whatever a stranger at that address makes Dask raise
            why = str(error) or f"no answer in {ANSWER:g} s"
            raise RequestError(
                f"scheduler {address}: no Dask scheduler answers ({why}); expected an address such as tcp://host:8786"
            ) from None
        if time.monotonic() > deadline:
            raise RequestError(f"scheduler {address} has no workers; start one with: dask worker {address}")
        time.sleep(0.2)


def worker_count(address: str) -> int:
    """Ask a scheduler how many workers it has; raises some exception within seconds where none answers."""
    from distributed import rpc
    from distributed.security import Security

    async def ask() -> int:
        async with rpc(address, connection_args=Security().get_connection_args("client"), timeout=ANSWER) as scheduler:
            return len(await scheduler.ncores())

    with ThreadPoolExecutor(1) as aside:  # a notebook has an event loop of its own, in which none can be run
        return aside.submit(asyncio.run, asyncio.wait_for(ask(), ANSWER)).result()


class Workers(Executor):
    """The workers of a cluster."""

    def __init__(self, address: str, client: "Client") -> None:
        self._address = address
        self._client, self._loop = client, cast("BaseAsyncIOLoop", client.loop).asyncio_loop
        self._waiting: set[Future[Any]] = set()
        self._lock = Lock()
        self._lost: ClusterLost | None = None
        self._closed = Event()
        Thread(target=self._look_after, name="casinomath-cluster", daemon=True).start()

    def submit(self, fn: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        """Send a task to the cluster; ClusterLost where there is none any more."""
        future: Future[T] = Future()
        with self._lock:
            if self._lost is not None:
                raise self._lost
            self._waiting.add(future)
        task = self._client.submit(_perform, __version__, fn, args, kwargs, pure=False)
        theirs: Future[T] = asyncio.run_coroutine_threadsafe(self._result(task), self._loop)
        future.add_done_callback(lambda mine: self._done(mine, theirs))
        theirs.add_done_callback(lambda done: self._answer(done, future))
        return future

    async def _result(self, task: Any) -> Any:
        """Wait for a task, which the cluster drops when nobody does; a lost connection is tried again."""
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return (await self._client.gather([task], asynchronous=True))[0]
            except OSError as error:  # of the connection, unless it is the task's own
                if task.status == "error":
                    raise
                if attempt == ATTEMPTS:
                    raise ClusterLost(f"the results of {self._address} cannot be fetched: {error}") from None
                await asyncio.sleep(attempt)
        raise AssertionError

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Take no more tasks, and wait for those sent unless they are cancelled."""
        with self._lock:
            self._lost = self._lost or ClusterLost("cannot send tasks after shutdown")
            waiting = list(self._waiting)
        for future in waiting:
            if cancel_futures:
                future.cancel()
            elif wait:
                with suppress(Exception):
                    future.exception()
        self._closed.set()

    def _done(self, mine: Future[T], theirs: Future[T]) -> None:
        with self._lock:
            self._waiting.discard(mine)
        theirs.cancel()  # nothing where it is done

    def _answer(self, theirs: Future[T], mine: Future[T]) -> None:
        with suppress(InvalidStateError):  # given up in the meantime
            try:
                mine.set_result(theirs.result())
            except CancelledError:
                mine.set_exception(ClusterLost(f"the scheduler {self._address} is gone, or dropped its work"))
            except Exception as error:  # noqa: BLE001 # the task's own, for whoever waits for it
                mine.set_exception(self._told(error))

    def _told(self, error: Exception) -> Exception:
        if type(error).__name__ == "KilledWorker":
            return ClusterLost(f"the workers of {self._address} died of the same task, one after the other")
        if isinstance(error, ModuleNotFoundError):
            return ClusterLost(f"a worker of {self._address}: {error}; all need casinomath {__version__}")
        return error

    def _look_after(self) -> None:
        """Give up what waits when there was nobody to do it for too long."""
        seen = time.monotonic()
        while not self._closed.wait(LOOK_EVERY):
            why = f"the scheduler {self._address} has no workers left"
            try:
                if worker_count(self._address):
                    seen = time.monotonic()
            except Exception:  # noqa: BLE001 # whatever keeps it from answering
                why = f"the scheduler {self._address} answers no more"
            if time.monotonic() - seen > PATIENCE:
                self._give_up(ClusterLost(why))
                return

    def _give_up(self, lost: ClusterLost) -> None:
        with self._lock:
            self._lost = lost
            waiting = list(self._waiting)
        for future in waiting:
            with suppress(InvalidStateError):
                future.set_exception(lost)


def _perform(version: str, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
    """Do a task, on a worker that has the same version: another one may play otherwise."""
    if version != __version__:
        raise ClusterLost(f"a worker has casinomath {__version__}; all need {version}, as the machine that asks")
    return fn(*args, **kwargs)
