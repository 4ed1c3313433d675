"""The one error for a wrong request: an unknown name, a value that makes no sense, a broken data file."""

from collections.abc import Iterable
from difflib import get_close_matches


class RequestError(ValueError):
    """The request was wrong, and its message says in one line what was read and what was expected.

    The command line prints the message alone and exits with status 2.
    """


def unknown(what: str, given: object, choices: Iterable[object]) -> RequestError:
    """Return the error for a name that is not among `choices`: it names them all, the nearest one first."""
    names = [str(choice) for choice in choices]
    near = get_close_matches(str(given), names, n=1)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    listed = ", ".join(names) if names else "none at all"
    return RequestError(f"unknown {what} {str(given)!r}{hint}; choices: {listed}")
