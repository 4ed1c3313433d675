"""What a bug report needs: versions, kernels, folders and whether they can be written, threads, the data's digest."""

import hashlib
import os
import platform
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Final

from casinomath import __version__, catalog

PACKAGES: Final = (
    *("numpy", "numba", "llvmlite", "pandas", "pydantic", "typer", "rich"),
    *("matplotlib", "papermill", "nbconvert", "nbformat", "ipykernel", "pyarrow", "distributed"),
)
"""What the numbers are made with and, from matplotlib on, what comes with extras."""


def examine() -> dict[str, Any]:
    """Return everything as JSON values."""
    return {
        "casinomath": __version__,
        "python": {
            "version": platform.python_version(),
            "executable": sys.executable,
            "platform": platform.platform(),
        },
        "packages": {name: _version(name) for name in PACKAGES},
        "kernel": _kernel(),
        "folders": {
            "data": _folder(catalog.data_folder()),
            "notebooks": _folder(catalog.notebooks_folder()),
            "temporary": _folder(Path(tempfile.gettempdir())),
            "output": _folder(Path.cwd()),
        },
        "threads": _threads(),
        "data_digest": _digest(catalog.data_folder()),
    }


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def _kernel() -> dict[str, Any]:
    """What runs notebooks, and how the package's own kernels run: compiled, and kept where, or as plain Python."""
    from casinomath.kernels.dealer import dealer_totals

    stats = getattr(dealer_totals, "stats", None)  # a plain function has none
    kept = getattr(stats, "cache_path", None)
    return {
        "notebooks": sys.executable if _version("ipykernel") else None,
        "compiled": stats is not None,
        "cache": _folder(Path(kept)) if kept else None,
    }


def _threads() -> dict[str, Any]:
    from numba import get_num_threads

    usable = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    return {"processors": os.cpu_count(), "usable": usable, "numba": get_num_threads()}


def _folder(path: Path) -> dict[str, Any]:
    return {"path": str(path), "exists": path.is_dir(), "writable": path.is_dir() and os.access(path, os.W_OK)}


def _digest(folder: Path) -> str:
    """SHA-256 over the names and contents of the files of a folder."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*")):
        if path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            digest.update(f"{path.name} {content}\n".encode())
    return digest.hexdigest()
