"""Runs: a notebook and its parameters made into a report that stands by itself.

A report is a folder: the executed notebook, a page of HTML that opens offline, tables as CSV and Parquet, charts as PNG
and PDF, and `manifest.json`, which says from what all this was made and carries a digest of the numbers. The request is
checked first (see `notebooks`). The notebook then runs through papermill in a kernel of this interpreter, everything is
written into a temporary folder, and only a report that is complete takes its place.
"""

import base64
import csv
import hashlib
import json
import logging
import os
import platform
import re
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from casinomath import __version__, catalog
from casinomath.errors import RequestError
from casinomath.notebooks import Notebook, Value, find, read, shipped
from casinomath.tables import plain

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure
    from nbformat import NotebookNode

FOLDER: Final = "CASINOMATH_REPORT"
"""The environment variable that tells a notebook's kernel the folder of the report; without it nothing is saved."""
MANIFEST: Final = "manifest.json"
DECIMALS: Final = 8
"""Numbers are rounded to so many decimals for the digest: far below what matters, far above rounding errors."""
SOFTWARE: Final = (
    *("numpy", "numba", "llvmlite", "pandas", "pydantic"),
    *("papermill", "nbconvert", "ipykernel", "matplotlib", "pyarrow"),
)


class ReportFailed(RuntimeError):  # noqa: N818 # it is what happened
    """A report that was rightly asked for could not be finished; the message names the cell and its error."""


# --- The manifest -----------------------------------------------------------------------------------------------------


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class TableRecord(_Record):
    """A table of a report."""

    columns: list[str]
    rows: int
    digest: str


class Results(_Record):
    """The numbers of a report. Nothing but the numbers changes the digest: no path, time or version."""

    digest: str
    """SHA-256 over the names and digests of the tables."""
    decimals: int
    """A table's digest is SHA-256 over its CSV with every number rounded to so many decimals."""
    tables: dict[str, TableRecord]


class Manifest(_Record):
    """What a report was made from, and what it holds."""

    casinomath: str
    notebook: str
    """The name of a notebook that comes with the package, or the path of a user's own."""
    title: str
    question: str
    parameters: dict[str, Value]
    results: Results
    data: dict[str, str]
    """File → SHA-256 of its content: all data files, and the notebook."""
    software: dict[str, str]
    files: dict[str, str]
    """File of the report → SHA-256 of its content."""
    started: datetime
    seconds: float
    folder: Path = Field(default=Path(), exclude=True)
    """Where the report stands."""

    @property
    def paths(self) -> list[Path]:
        """Every file of the report, the manifest last."""
        return [self.folder / name for name in [*self.files, MANIFEST]]


class Rerun(NamedTuple):
    """A report made again."""

    manifest: Manifest
    same: bool
    """Whether the digest of the results is the one of the first report."""
    differences: list[str]
    """What is not as it was, in words: tables, data, software."""


# --- Notebooks --------------------------------------------------------------------------------------------------------


def notebooks() -> list[Notebook]:
    """Return the notebooks that come with the package."""
    return [read(path) for path in shipped()]


def copy_notebooks(folder: str | os.PathLike[str]) -> list[Path]:
    """Copy the notebooks out, to be edited; RequestError where a file would be overwritten or none can be written."""
    target = Path(folder).expanduser()
    copies = {path: target / path.name for path in shipped()}
    for copy in copies.values():
        if copy.exists():
            raise RequestError(f"{copy} is there already; expected a folder without it")
    with _writing(target):
        target.mkdir(parents=True, exist_ok=True)
        for path, copy in copies.items():
            copy.write_bytes(path.read_bytes())
    return list(copies.values())


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    """A folder that can't be written is a wrong request."""
    try:
        yield
    except (FileExistsError, NotADirectoryError):
        raise RequestError(f"{folder} is not a folder; expected a folder or a new name") from None
    except OSError as error:
        raise RequestError(f"{folder} cannot be written: {error.strerror}") from None


# --- What a notebook says of its results ------------------------------------------------------------------------------


def save_table(frame: "pd.DataFrame", name: str) -> "pd.DataFrame":
    """Return a table; in a report it is saved as CSV and Parquet too, and counts in the digest of the results.

    Fractions are saved as numbers and whatever else a file can't hold as text.
    """
    if (folder := _report_folder("tables", name)) is not None:
        written = plain(frame)
        written.to_csv(folder / f"{name}.csv", index=False, lineterminator="\n")
        written.to_parquet(folder / f"{name}.parquet", index=False)
    return frame


def show_figure(figure: "Figure", name: str) -> None:
    """Show a figure in a notebook with its alternative text; in a report it is saved as PNG and PDF too."""
    from IPython.display import display

    from casinomath.figures import alt_text

    alt = alt_text(figure)
    drawn = BytesIO()
    figure.savefig(drawn, format="png", metadata={"Description": alt})
    if (folder := _report_folder("figures", name)) is not None:
        (folder / f"{name}.png").write_bytes(drawn.getvalue())
        figure.savefig(folder / f"{name}.pdf", metadata={"Subject": alt, "CreationDate": None})
    image = base64.b64encode(drawn.getvalue()).decode()
    metadata = {"image/png": {"alt": alt, "width": round(figure.get_figwidth() * 96)}}
    display({"image/png": image, "text/plain": alt}, metadata=metadata, raw=True)


def _report_folder(kind: str, name: str) -> Path | None:
    """The folder that a report in the making has for tables or figures; None outside of a report."""
    if not re.fullmatch(r"[a-z0-9_]+", name):
        raise RequestError(f"{name!r} names no file; expected small letters, digits and _")
    if FOLDER not in os.environ:
        return None
    folder = Path(os.environ[FOLDER]) / kind
    folder.mkdir(exist_ok=True)
    if any(folder.glob(f"{name}.*")):
        raise RequestError(f"{kind} has a {name} already; expected another name")
    return folder


# --- A report ---------------------------------------------------------------------------------------------------------


def report(
    notebook: str | os.PathLike[str],
    parameters: Mapping[str, object] | None = None,
    output: str | os.PathLike[str] | None = None,
) -> Manifest:
    """Run a notebook and return the manifest of its report.

    notebook   : the name of one that comes with the package, or the path of a user's own
    parameters : by name; text is read by the parameter's type, as on the command line
    output     : the folder of the report; an earlier report of the same notebook there is replaced. Without it, a
                 folder in the current one that has the notebook's name.
    Raises RequestError, before a kernel is started, for a request that makes no sense; ReportFailed for a cell that
    fails. Then nothing has been written but the executed notebook, as `<notebook>.failed.ipynb`.
    """
    asked = find(notebook)
    values = asked.check(parameters or {})
    folder = Path(output if output is not None else asked.name).expanduser()
    before = _check_output(folder, asked)
    started, start = datetime.now(UTC).replace(microsecond=0), time.perf_counter()
    with _ends_tidily(), _workshop(folder) as workshop:
        executed = _execute(asked, values, workshop, folder)
        manifest = Manifest(
            casinomath=__version__,
            notebook=_called(asked),
            title=asked.title,
            question=asked.question,
            parameters=values,
            results=digest(workshop),
            data={**_data(), f"{asked.name}.ipynb": _sha256(asked.path)},
            software=_software(),
            files={},
            started=started,
            seconds=0,
            folder=folder,
        )
        (workshop / f"{asked.name}.html").write_text(_html(executed, manifest), encoding="utf-8")
        files = {path.relative_to(workshop).as_posix(): _sha256(path) for path in _files(workshop)}
        seconds = round(time.perf_counter() - start, 3)
        manifest = manifest.model_copy(update={"files": files, "seconds": seconds})
        (workshop / MANIFEST).write_text(manifest.model_dump_json(indent=2) + "\n", encoding="utf-8")
        _take_place(workshop, folder, before)
    return manifest


def rerun(manifest: str | os.PathLike[str], output: str | os.PathLike[str] | None = None) -> Rerun:
    """Make the report of a manifest again and say whether the numbers are the same.

    output : the folder of the new report; without it, that of the first one with `_rerun` at the end of its name
    """
    first = load_manifest(manifest)
    folder = output if output is not None else first.folder.resolve().with_name(f"{first.folder.resolve().name}_rerun")
    again = report(first.notebook, first.parameters, folder)
    same = again.results.digest == first.results.digest
    return Rerun(again, same, list(_differences(first, again)))


def load_manifest(path: str | os.PathLike[str]) -> Manifest:
    """Return the manifest in a file, or in the folder of a report; RequestError where there is none."""
    file = Path(path).expanduser()
    file = file / MANIFEST if file.is_dir() else file
    try:
        manifest = Manifest.model_validate_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise RequestError(f"{file}: cannot be read: {error.strerror}") from None
    except (ValidationError, UnicodeDecodeError):
        raise RequestError(f"{file}: not the manifest of a report") from None
    return manifest.model_copy(update={"folder": file.parent})


def digest(folder: Path) -> Results:
    """Return the digest of the tables of a report, worked out from its CSV files."""
    tables = {path.stem: _table_record(path) for path in sorted((folder / "tables").glob("*.csv"))}
    whole = "".join(f"{name} {table.digest}\n" for name, table in tables.items())
    return Results(digest=hashlib.sha256(whole.encode()).hexdigest(), decimals=DECIMALS, tables=tables)


def _table_record(path: Path) -> TableRecord:
    content, rows = hashlib.sha256(), 0
    with path.open(encoding="utf-8", newline="") as lines:
        columns, *cells = csv.reader(lines)
        for row in [columns, *cells]:
            content.update(("\t".join(_rounded(cell) for cell in row) + "\n").encode())
        rows = len(cells)
    return TableRecord(columns=columns, rows=rows, digest=content.hexdigest())


def _rounded(cell: str) -> str:
    """A number rounded to DECIMALS, without a sign where nothing is left of it; text as it is."""
    try:
        number = round(float(cell), DECIMALS)
    except ValueError:
        return cell
    return f"{number + 0.0:.{DECIMALS}f}"


def _differences(first: Manifest, again: Manifest) -> Iterator[str]:
    for name in sorted(first.results.tables.keys() | again.results.tables.keys()):
        if first.results.tables.get(name) != again.results.tables.get(name):
            yield f"table {name}"
    for what in ("data", "software"):
        old, new = getattr(first, what), getattr(again, what)
        for name in sorted(old.keys() | new.keys()):
            if old.get(name) != new.get(name):
                versions = f" {old.get(name, 'none')} -> {new.get(name, 'none')}" if what == "software" else ""
                yield f"{what} {name}{versions}"
    if first.casinomath != again.casinomath:
        yield f"casinomath {first.casinomath} -> {again.casinomath}"


def _called(notebook: Notebook) -> str:
    """What a rerun finds the notebook by."""
    return notebook.name if notebook.path in shipped() else notebook.path.as_posix()


def _data() -> dict[str, str]:
    return {f"data/{path.name}": _sha256(path) for path in sorted(catalog.data_folder().iterdir()) if path.is_file()}


def _software() -> dict[str, str]:
    found = {"python": platform.python_version(), "platform": platform.platform()}
    for name in SOFTWARE:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "not installed"
    return found


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


# --- Papermill --------------------------------------------------------------------------------------------------------


def _execute(notebook: Notebook, values: Mapping[str, Value], workshop: Path, folder: Path) -> "NotebookNode":
    """Run a notebook into the workshop and return it; ReportFailed names the cell that failed."""
    import nbformat
    import papermill
    from nbclient.exceptions import DeadKernelError

    executed = workshop / f"{notebook.name}.ipynb"
    logging.getLogger("papermill").setLevel(logging.ERROR)  # it takes parameters with a Literal for unknown ones
    with tempfile.TemporaryDirectory(prefix="casinomath-") as connection:
        try:
            papermill.execute_notebook(
                notebook.path,
                executed,
                values,
                kernel_name="python3",
                kernel_manager_class=_own_kernel(Path(connection), workshop),
                progress_bar=sys.stderr.isatty(),
            )
        except papermill.PapermillExecutionError as error:
            kept = _keep_failed(executed, folder)
            raise ReportFailed(
                f"{_failed_cell(executed)} failed: {error.ename}: {error.evalue} (see {kept})"
            ) from error
        except DeadKernelError as error:
            raise ReportFailed("the notebook's kernel died, perhaps for want of memory") from error
    result: NotebookNode = nbformat.read(executed, as_version=4)
    result.metadata.papermill.update(input_path=notebook.path.name, output_path=executed.name)
    nbformat.write(result, executed)
    return result


def _own_kernel(connection: Path, workshop: Path) -> type:
    """A kernel manager for this very interpreter: no kernelspec need be installed, and none can shadow it."""
    from jupyter_client.kernelspec import KernelSpec
    from jupyter_client.manager import AsyncKernelManager

    # Sockets in a folder of the user's own rather than ports that others could read; their paths must be short.
    ipc = os.name == "posix" and len(str(connection)) < 80

    class OwnKernel(AsyncKernelManager):
        def __init__(self, **given: object) -> None:
            transport = "ipc" if ipc else "tcp"
            super().__init__(**given, transport=transport, connection_file=str(connection / "kernel.json"))

        @property
        def kernel_spec(self) -> KernelSpec:
            return KernelSpec(
                # what a kernel logs when it is stopped is of no use to the user; a cell's error comes another way
                argv=[sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}", "--log-level=CRITICAL"],
                env={FOLDER: str(workshop), "IPYTHONDIR": str(connection)},  # nobody's start-up scripts
                display_name="Python 3",
                language="python",
            )

    return OwnKernel


def _failed_cell(executed: Path) -> str:
    """Name the cell that failed, counting as the notebook itself has them, by its number and first line."""
    cells = json.loads(executed.read_text(encoding="utf-8"))["cells"]
    added = {"injected-parameters", "papermill-error-cell-tag"}
    own = [cell for cell in cells if not added & set(cell["metadata"].get("tags", []))]
    for number, cell in enumerate(own, start=1):
        if any(output["output_type"] == "error" for output in cell.get("outputs", [])):
            head = "".join(cell["source"]).strip().partition("\n")[0]
            return f"cell {number} of {len(own)}, {head!r},"
    return "a cell"


def _keep_failed(executed: Path, folder: Path) -> Path:
    """Leave the executed notebook of a failed report beside where the report would stand, clearly named."""
    kept = folder.absolute().with_name(f"{folder.name}.{executed.stem}.failed.ipynb")
    shutil.copyfile(executed, kept)
    return kept


def _html(executed: "NotebookNode", manifest: Manifest) -> str:
    """A page that opens offline."""
    from jinja2 import FileSystemLoader
    from nbconvert import HTMLExporter

    exporter = HTMLExporter(extra_loaders=[FileSystemLoader(Path(__file__).parent)], template_file="report.html.j2")
    exporter.exclude_anchor_links = True
    page, _ = exporter.from_notebook_node(executed, resources={"report": manifest})
    return str(page)


# --- Its folder -------------------------------------------------------------------------------------------------------


def _check_output(folder: Path, notebook: Notebook) -> Manifest | None:
    """The earlier report in the folder, which the new one will replace; RequestError where it can't stand there."""
    if folder.exists() and not folder.is_dir():
        raise RequestError(f"output {folder} is a file; expected a folder or a new name")
    nearest = next(parent for parent in [folder, *folder.absolute().parents] if parent.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK | os.X_OK):
        raise RequestError(f"output {folder}: {nearest} cannot be written")
    before = load_manifest(folder) if (folder / MANIFEST).exists() else None
    if before is not None and Path(before.notebook).stem != notebook.name:
        raise RequestError(f"output {folder} holds a report of {before.notebook}; expected another folder")
    for name in (f"{notebook.name}.ipynb", f"{notebook.name}.html"):
        if (folder / name).exists() and (before is None or name not in before.files):
            raise RequestError(f"output {folder} holds a {name} that is no report's; expected another folder")
    return before


@contextmanager
def _ends_tidily() -> Iterator[None]:
    """Let a batch system's SIGTERM clean up as Ctrl-C does: kernel and workshop go too."""

    def leave(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    usual = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, usual)


@contextmanager
def _workshop(folder: Path) -> Iterator[Path]:
    """A temporary folder on the disk of the report, gone afterwards whatever happens."""
    with _writing(folder):
        beside = folder if folder.is_dir() else folder.absolute().parent
        beside.mkdir(parents=True, exist_ok=True)
        workshop = Path(tempfile.mkdtemp(prefix=f".{folder.name}.unfinished-", dir=beside))
    try:
        yield workshop
    finally:
        shutil.rmtree(workshop, ignore_errors=True)


def _take_place(workshop: Path, folder: Path, before: Manifest | None) -> None:
    """Put a finished report in its place. A folder without a manifest is no report: it goes first and comes last."""
    with _writing(folder):
        workshop.chmod(0o755)  # a temporary folder is for its owner alone
        if not folder.exists():
            workshop.replace(folder)
            return
        if before is not None:
            for path in [folder / MANIFEST, *(folder / name for name in before.files)]:
                path.unlink(missing_ok=True)
        names = [path.relative_to(workshop) for path in _files(workshop)]
        for name in sorted(names, key=lambda name: name.name == MANIFEST):
            (folder / name).parent.mkdir(exist_ok=True)
            (workshop / name).replace(folder / name)
