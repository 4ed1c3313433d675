"""Snapshots: how far a long piece of work has come, in a file that always holds one whole state of it.

A state replaces the one before in a single step, so that a kill or a power cut leaves either. The file says what it is
a state of, and carries a digest of itself: a file of something else is refused, and so is one that is not as it was
written.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

from casinomath.errors import RequestError

KIND: Final = "casinomath simulation"


class Snapshot:
    """The file of a piece of work."""

    def __init__(self, path: str | os.PathLike[str], of: Mapping[str, Any]) -> None:
        """Take a file for the state of something: of what, is said by name.

        Raises RequestError for a file that could not be written.
        """
        self.path = Path(path).expanduser()
        self._of: dict[str, Any] = json.loads(json.dumps(dict(of), default=str))
        folder = self.path.parent
        if not folder.is_dir():
            raise RequestError(f"checkpoint {path}: no folder {folder}")
        if self.path.exists() and not self.path.is_file():
            raise RequestError(f"checkpoint {path} is not a file; expected a file or a new name")
        if not os.access(folder, os.W_OK):
            raise RequestError(f"checkpoint {path}: the folder {folder} cannot be written")

    def read(self) -> Any:
        """Return the state that was kept last, None where there is none; RequestError for a file of something else."""
        try:
            content = self.path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise RequestError(f"checkpoint {self.path} cannot be read: {error.strerror}") from None
        try:
            found = json.loads(content)
        except ValueError:
            found = None
        if not isinstance(found, dict) or found.get("checkpoint") != KIND:
            if content.lstrip().startswith(f'{{"checkpoint": "{KIND}"'.encode()):
                raise self._damaged()
            raise RequestError(f"{self.path} is not the checkpoint of a simulation; expected one, or a new name")
        if found.get("digest") != _digest(found.get("of"), found.get("state")):
            raise self._damaged()
        self._compare(found["of"])
        return decoded(found["state"])

    def write(self, state: Any) -> None:
        """Replace the state."""
        state = encoded(state)
        content = {"checkpoint": KIND, "of": self._of, "state": state, "digest": _digest(self._of, state)}
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        try:
            with beside.open("w", encoding="ascii") as file:
                json.dump(content, file)
                file.write("\n")
                file.flush()
                os.fsync(file.fileno())
            beside.replace(self.path)
        finally:
            beside.unlink(missing_ok=True)

    def _damaged(self) -> RequestError:
        return RequestError(f"checkpoint {self.path} is damaged; expected it as it was written, or a new name")

    def _compare(self, found: Mapping[str, Any]) -> None:
        there, here = _flat(found), _flat(self._of)
        names = [name for name in {**here, **there} if there.get(name) != here.get(name)]
        if names:
            name = min(names, key=lambda name: name in there and name in here)  # what one lacks explains the others
            raise RequestError(
                f"{self.path} is the checkpoint of another run: {name} is {there.get(name)} there and "
                f"{here.get(name)} here; expected that of this one, or a new name"
            )


def _flat(named: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Names within names joined by dots, places in lists likewise."""
    flat: dict[str, Any] = {}
    for name, value in named.items():
        inner = dict(enumerate(value, start=1)) if isinstance(value, list) else value
        flat |= _flat(inner, f"{prefix}{name}.") if isinstance(inner, dict) else {f"{prefix}{name}": value}
    return flat


def _digest(of: object, state: object) -> str:
    return hashlib.sha256(json.dumps([of, state], sort_keys=True).encode()).hexdigest()


def encoded(value: Any) -> Any:
    """Return what JSON can hold, so that `decoded` gives an equal value: numbers, text, fractions, tuples, mappings."""
    if isinstance(value, Fraction):
        return {"fraction": str(value)}
    if isinstance(value, tuple):
        return {"tuple": [encoded(each) for each in value]}
    if isinstance(value, Mapping):
        return {"mapping": [[encoded(key), encoded(each)] for key, each in value.items()]}
    if isinstance(value, list):
        return [encoded(each) for each in value]
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(f"a snapshot holds no {type(value).__name__}")


def decoded(value: Any) -> Any:
    """Return the value that was encoded."""
    if isinstance(value, list):
        return [decoded(each) for each in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "fraction":
        return Fraction(content)
    if kind == "tuple":
        return tuple(decoded(each) for each in content)
    return {decoded(key): decoded(each) for key, each in content}
