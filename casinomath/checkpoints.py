"""Checkpoints: what a long piece of work has found so far, kept one line at a time.

A line is appended as a whole, and carries a digest of itself. A kill can cut short the last line only, which is then
found again; any other line that is not as it was written is told, and so is a file of something else.
"""

import hashlib
import json
import os
from collections import UserDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from casinomath.errors import RequestError

NAME: Final = "points.jsonl"

Record: TypeAlias = dict[str, Any]
"""JSON values by name."""


class Checkpoint(UserDict[str, Record]):
    """Records by key; one that is set is also appended to a file."""

    def __init__(self, records: dict[str, Record], descriptor: int) -> None:
        super().__init__()
        self.data = records
        self._descriptor = descriptor

    def __setitem__(self, key: str, record: Record) -> None:
        """Append a record."""
        _append(self._descriptor, {"key": key, "record": record, "digest": _digest(key, record)})
        self.data[key] = record


@contextmanager
def checkpoint(folder: Path, subject: str, results: Sequence[Path]) -> Iterator[Checkpoint]:
    """Open the checkpoint of a folder, making either where there is none, for this process alone.

    What was made goes again where no record was kept.

    subject : what the records are about; a checkpoint is about one thing
    results : files of the folder that the work will write, which nothing but such work may have put there
    Raises RequestError for a folder that can't be written, or holds something else.
    """
    path, made = folder / NAME, not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            _refuse_others(results)
        descriptor = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
    except (FileExistsError, NotADirectoryError):
        raise RequestError(f"output {folder} is not a folder; expected a folder or a new name") from None
    except OSError as error:
        raise RequestError(f"output {folder} cannot be written: {error.strerror}") from None
    try:
        _lock(descriptor, path)
        kept = Checkpoint(_read(descriptor, path, {"checkpoint": "casinomath sweep", "of": subject}), descriptor)
        try:
            yield kept
        finally:
            if not kept:
                path.unlink()
                if made:
                    folder.rmdir()
    finally:
        os.close(descriptor)


def _refuse_others(results: Sequence[Path]) -> None:
    for result in results:
        if result.exists():
            raise RequestError(
                f"{result} is there already, and no {NAME} of a sweep beside it; expected another folder"
            )


def _lock(descriptor: int, path: Path) -> None:
    """Refuse a second writer. The lock goes with the process, however it ends."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise RequestError(f"{path} is being written by another sweep") from None


def _read(descriptor: int, path: Path, header: Record) -> dict[str, Record]:
    """Read the records, leaving the file ready for more."""
    content = path.read_bytes()
    whole, _, rest = content.rpartition(b"\n")
    lines = whole.split(b"\n") if whole else []
    if not lines:
        if not _line(header).startswith(rest):
            raise _foreign(path)
        os.ftruncate(descriptor, 0)
        _append(descriptor, header)
        return {}
    found = _json(lines[0])
    if not isinstance(found, dict) or found.get("checkpoint") != header["checkpoint"]:
        raise _foreign(path)
    if found != header:
        raise RequestError(f"{path} has points of {found.get('of')}, not of {header['of']}; expected another folder")
    records = {}
    for number, line in enumerate(lines[1:], start=2):
        read = _json(line)
        if not isinstance(read, dict) or read.get("digest") != _digest(read.get("key"), read.get("record")):
            raise RequestError(f"{path} line {number} is damaged; without that line its point is priced again")
        records[read["key"]] = read["record"]
    if rest:
        os.ftruncate(descriptor, len(content) - len(rest))
    return records


def _foreign(path: Path) -> RequestError:
    return RequestError(f"{path} is not the checkpoint of a sweep; expected another folder")


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None


def _line(content: Record) -> bytes:
    return json.dumps(content, allow_nan=False).encode() + b"\n"


def _append(descriptor: int, content: Record) -> None:
    line = _line(content)
    while line:  # a disk that is nearly full takes a part of it
        line = line[os.write(descriptor, line) :]


def _digest(key: object, record: object) -> str:
    return hashlib.sha256(json.dumps([key, record]).encode()).hexdigest()[:16]
