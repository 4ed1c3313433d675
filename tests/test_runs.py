"""Reports: what is asked is checked before anything runs, and what is written is complete or not there at all."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from casinomath import notebooks, runs
from casinomath.errors import RequestError

PARAMETERS = """
size: int = 3  # rows of the table
share: float = 0.5  # of something
verbose: bool = False  # says more
mode: Literal["fast", "slow"] = "fast"  # how
label: str = "x"  # a name
"""
TABLE = "runs.save_table(pd.DataFrame({'n': range(size), 'third': [i / 3 for i in range(size)]}), 'thirds')"
FIGURE = """
figure = Figure(label="A line that rises")
figure.add_subplot().plot([0, 1])
runs.show_figure(figure, "line")
"""
IMPORTS = (
    "from typing import Literal\nimport pandas as pd\nfrom matplotlib.figure import Figure\nfrom casinomath import runs"
)


def write(path: Path, *cells: str, parameters: str = PARAMETERS, stem: str | None = None) -> Path:
    """Write a notebook: title, imports, parameters, and code cells."""
    code: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    title = {"cell_type": "markdown", "id": "title", "metadata": {}, "source": "# Thirds\n\nHow many **thirds**? All."}
    tagged = {**code, "id": "parameters", "metadata": {"tags": ["parameters"]}, "source": parameters.strip()}
    imports, *rest = [
        {**code, "id": f"c{i}", "metadata": {}, "source": cell.strip()} for i, cell in enumerate([IMPORTS, *cells])
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    metadata = {"kernelspec": kernel, **({"casinomath": {"stem": stem}} if stem else {})}
    whole = {"cells": [title, imports, tagged, *rest], "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    path.write_text(json.dumps(whole), encoding="utf-8")
    return path


@pytest.fixture
def thirds(tmp_path: Path) -> Path:
    return write(tmp_path / "thirds.ipynb", TABLE, FIGURE)


def everything(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


# --- The request ------------------------------------------------------------------------------------------------------


def test_a_notebook_says_what_it_asks_and_takes(thirds: Path) -> None:
    notebook = notebooks.read(thirds)
    assert (notebook.name, notebook.title, notebook.question) == ("thirds", "Thirds", "How many thirds?")
    assert [(parameter.name, parameter.default) for parameter in notebook.parameters] == [
        *(("size", 3), ("share", 0.5), ("verbose", False), ("mode", "fast"), ("label", "x"))
    ]
    assert notebook.parameters[0].comment == "rows of the table"
    assert notebook.parameters[3].expected == "one of fast, slow"


def test_text_is_read_by_the_parameters_type(thirds: Path) -> None:
    read = notebooks.read(thirds).check({"size": "4", "share": "2", "verbose": "true", "mode": "slow", "label": "7"})
    assert read == {"size": 4, "share": 2.0, "verbose": True, "mode": "slow", "label": "7"}
    assert type(read["verbose"]) is bool
    assert type(read["share"]) is float


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"sise": 4}, "unknown parameter of thirds: 'sise' (did you mean 'size'?); choices: size, share"),
        ({"size": "four"}, "parameter size is 'four'; expected a whole number"),
        ({"size": 4.0}, "parameter size is 4.0; expected a whole number"),
        ({"size": True}, "parameter size is True; expected a whole number"),
        ({"size": ""}, "parameter size is ''; expected a whole number"),
        ({"share": "nan"}, "parameter share is 'nan'; expected a number"),
        ({"share": None}, "parameter share is None; expected a number"),
        ({"verbose": 1}, "parameter verbose is 1; expected true or false"),
        ({"verbose": "maybe"}, "parameter verbose is 'maybe'; expected true or false"),
        ({"mode": "medium"}, "parameter mode is 'medium'; expected one of fast, slow"),
        ({"label": 7}, "parameter label is 7; expected text"),
    ],
)
def test_a_wrong_parameter_is_told_and_nothing_is_made(thirds: Path, given: Mapping[str, object], told: str) -> None:
    with pytest.raises(RequestError) as error:
        runs.report(thirds, given, thirds.parent / "out")
    assert str(error.value).startswith(told)
    assert list(everything(thirds.parent)) == ["thirds.ipynb"]


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"decks": 40}, "decks is 40; expected 1 to 16"),
        ({"max_doubles": 3, "dealer_hits_soft_17": "no"}, "max_doubles is 3 with dealer_hits_soft_17 false"),
        (
            {"rescue_forfeits": "half"},
            "parameter rescue_forfeits is 'half'; expected one of half_of_wager, original_wager",
        ),
        ({"bet": 3, "super_bonus": True}, "bet is 3.0; the Super Bonus needs a bet of $5 or more"),
        ({"paytable": "bonus_22"}, "unknown pay table of spanish21: 'bonus_22' (did you mean 'bonus_21'?)"),
        ({"rounds": 0}, "rounds is 0; expected a whole number from 1"),
        ({"seed": -1}, "seed is -1; expected a whole number, 0 or more"),
        ({"deks": 6}, "unknown parameter of spanish21_strategy: 'deks' (did you mean 'decks'?)"),
    ],
)
def test_the_game_checks_what_is_asked_of_it(tmp_path: Path, given: Mapping[str, object], told: str) -> None:
    with pytest.raises(RequestError) as error:
        runs.report("spanish21_strategy", given, tmp_path / "out")
    assert str(error.value).startswith(told)
    assert not everything(tmp_path)


def test_a_wrong_request_is_refused_before_anything_heavy_is_imported(tmp_path: Path) -> None:
    script = """
import sys
from casinomath import runs
from casinomath.errors import RequestError
try:
    runs.report("spanish21_strategy", {"deks": "6"}, "out")
except RequestError:
    heavy = ["ipykernel", "matplotlib", "nbconvert", "nbformat", "numba", "pandas", "papermill"]
    print([name for name in heavy if name in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_an_unknown_notebook_is_told_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"unknown notebook 'spanish21_stratgy' \(did you mean 'spanish21_strategy'"):
        runs.report("spanish21_stratgy")
    with pytest.raises(RequestError, match=r"nowhere.ipynb: no such file"):
        runs.report(tmp_path / "nowhere.ipynb")


@pytest.mark.parametrize("content", ["", "no JSON", "[]", "{}", '{"cells": [{}], "metadata": {}}'])
def test_a_file_that_is_no_notebook_is_told(tmp_path: Path, content: str) -> None:
    path = tmp_path / "broken.ipynb"
    path.write_text(content)
    with pytest.raises(RequestError, match=r"broken.ipynb: not a notebook"):
        runs.report(path)


@pytest.mark.parametrize(
    "parameters",
    [
        "size = 1 +",
        "size: int = other",
        "size: list = []",
        "size: list[bool] = []",
        "size: list[int] = [0.5]",
        "size: int = 'x'",
        "for x in y: pass",
        "size: int | None = 1",
    ],
)
def test_a_parameters_cell_that_says_more_than_scalars_is_told(tmp_path: Path, parameters: str) -> None:
    path = write(tmp_path / "broken.ipynb", parameters=parameters)
    with pytest.raises(RequestError, match="parameters cell"):
        notebooks.read(path)


def test_lists_are_read_item_by_item(tmp_path: Path) -> None:
    cell = """
decks: list[int] = [2, 6]  # in the shoe
rates: list[float] = [0.5]  # of something
names: list[str] = []  # of tables
"""
    notebook = notebooks.read(write(tmp_path / "lists.ipynb", parameters=cell))
    assert notebook.check({}) == {"decks": [2, 6], "rates": [0.5], "names": []}
    given = notebook.check({"decks": "4, 8,", "rates": "1,2.5", "names": "a,b.toml"})
    assert given == {"decks": [4, 8], "rates": [1.0, 2.5], "names": ["a", "b.toml"]}
    assert notebook.check({"decks": [5], "names": ""})["decks"] == [5]
    for wrong in ("4,x", "2.5", [True], ["4", None], 6):
        with pytest.raises(RequestError, match=r"parameter decks is .*; expected whole numbers such as 2,4,6"):
            notebook.check({"decks": wrong})


def test_a_list_comes_out_of_a_report_and_its_manifest(tmp_path: Path) -> None:
    cell = "decks: list[int] = [2, 6]  # in the shoe\nnames: list[str] = []  # of tables"
    code = "runs.save_table(pd.DataFrame({'decks': decks}), 'decks')"
    path = write(tmp_path / "lists.ipynb", code, parameters=cell)
    manifest = runs.report(path, {"decks": "4,5,8"}, tmp_path / "out")
    assert runs.load_manifest(tmp_path / "out").parameters == {"decks": [4, 5, 8], "names": []}
    assert (manifest.folder / "tables" / "decks.csv").read_text() == "decks\n4\n5\n8\n"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"decks": "2,0"}, "decks is 0"),
        ({"table": "six_dekc"}, "six_deck"),
        ({"seats": "200"}, "seats is 200"),
        ({"meter": "-1"}, "meter is -1"),
    ],
)
def test_every_game_that_is_asked_checks_its_parameters(tmp_path: Path, given: dict[str, str], message: str) -> None:
    cell = """
decks: list[int] = [2, 6]  # in the shoe
table: str = ""  # of Match the Dealer
seats: int = 1  # on the progressive
meter: float = 0.0  # of the progressive
"""
    path = write(tmp_path / "asks.ipynb", parameters=cell)
    content = json.loads(path.read_text())
    progressive = {"game": "match_the_dealer_progressive", "decks": "decks", "seats": "seats", "meter": "meter"}
    asks = [{"game": "match_the_dealer", "decks": "decks", "paytable": "table"}, progressive]
    content["metadata"]["casinomath"] = {"asks": asks}
    path.write_text(json.dumps(content))
    notebook = notebooks.read(path)
    assert notebook.check({"decks": "4,8", "table": "six_deck"})["decks"] == [4, 8]
    with pytest.raises(RequestError, match=message):
        notebook.check(given)


# --- A report ---------------------------------------------------------------------------------------------------------


def test_a_report_is_complete_and_comes_out_the_same_again(thirds: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shadow = thirds.parent / "jupyter" / "kernels" / "python3"
    shadow.mkdir(parents=True)
    spec = {"argv": ["/nonexistent", "{connection_file}"], "display_name": "another", "language": "python"}
    (shadow / "kernel.json").write_text(json.dumps(spec))
    monkeypatch.setenv("JUPYTER_PATH", str(shadow.parent.parent))
    folder = thirds.parent / "deep" / "out"

    manifest = runs.report(thirds, {"size": "5"}, folder)

    assert set(everything(folder)) == {
        *("thirds.ipynb", "thirds.html", "manifest.json", "tables/thirds.csv", "tables/thirds.parquet"),
        *("figures/line.png", "figures/line.pdf"),
    }
    assert sorted(path.relative_to(folder).as_posix() for path in manifest.paths) == sorted(everything(folder))
    assert manifest.parameters == {"size": 5, "share": 0.5, "verbose": False, "mode": "fast", "label": "x"}
    assert runs.load_manifest(folder / "manifest.json") == manifest
    table = pd.read_parquet(folder / "tables" / "thirds.parquet")
    pd.testing.assert_frame_equal(table, pd.read_csv(folder / "tables" / "thirds.csv"))
    assert table["third"].tolist() == [i / 3 for i in range(5)]
    assert manifest.results.tables["thirds"].rows == 5
    assert 'alt="A line that rises"' in (folder / "thirds.html").read_text(encoding="utf-8")
    assert {"data/spanish21.toml", "thirds.ipynb"} <= manifest.data.keys()

    again = runs.rerun(folder)
    assert again.same
    assert not again.differences
    assert again.manifest.folder == folder.resolve().with_name("out_rerun")
    assert everything(folder)["manifest.json"] != everything(again.manifest.folder)["manifest.json"]  # the seconds

    # where the first numbers were other ones, the rerun says so and names the table
    text = (folder / "manifest.json").read_text()
    digest = manifest.results.digest
    tampered = text.replace(digest, digest[::-1]).replace(manifest.results.tables["thirds"].digest, "0" * 64)
    (folder / "manifest.json").write_text(tampered)
    differing = runs.rerun(folder, thirds.parent / "third_time")
    assert not differing.same
    assert differing.differences == ["table thirds"]


def test_a_report_replaces_an_earlier_one_of_its_own_and_nothing_else(thirds: Path) -> None:
    folder = thirds.parent / "out"
    folder.mkdir()
    (folder / "notes.txt").write_text("mine")
    runs.report(thirds, {"size": 2}, folder)
    stale = folder / "tables" / "stale.csv"
    manifest = json.loads((folder / "manifest.json").read_text())
    stale.write_text("of the first report")
    (folder / "manifest.json").write_text(
        json.dumps({**manifest, "files": {**manifest["files"], "tables/stale.csv": ""}})
    )

    runs.report(thirds, {"size": 4}, folder)

    assert not stale.exists()
    assert (folder / "notes.txt").read_text() == "mine"
    assert runs.load_manifest(folder).parameters["size"] == 4
    assert not list(folder.rglob(".*"))
    other = write(thirds.parent / "other.ipynb")
    with pytest.raises(RequestError, match=r"holds a report of .*thirds.ipynb; expected another folder"):
        runs.report(other, {}, folder)


def test_a_cell_that_fails_is_named_and_leaves_nothing_that_looks_finished(tmp_path: Path) -> None:
    path = write(tmp_path / "fails.ipynb", TABLE, "\nnumber = 1\nnumber / (size - 3)")
    folder = tmp_path / "out"
    with pytest.raises(runs.ReportFailed) as error:
        runs.report(path, {"label": "it's"}, folder)
    kept = tmp_path / "out.fails.failed.ipynb"
    assert str(error.value) == (f"cell 5 of 5, 'number = 1', failed: ZeroDivisionError: division by zero (see {kept})")
    assert sorted(everything(tmp_path)) == ["fails.ipynb", kept.name]
    assert "ZeroDivisionError" in kept.read_text()

    # an earlier report stays as it was
    runs.report(path, {"size": 4}, folder)
    before = everything(folder)
    with pytest.raises(runs.ReportFailed):
        runs.report(path, {"size": 3}, folder)
    assert everything(folder) == before


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_a_report_that_is_stopped_leaves_nothing(tmp_path: Path, number: signal.Signals) -> None:
    started = tmp_path / "started"
    sleeps = f"open({str(started)!r}, 'w').close(); import time; time.sleep(60)"
    path = write(tmp_path / "sleeps.ipynb", TABLE, sleeps)
    script = f"from casinomath import runs; runs.report({str(path)!r}, {{}}, {str(tmp_path / 'out')!r})"
    # a process of pytest's may have been started with SIGINT ignored
    running = subprocess.Popen(
        [sys.executable, "-c", f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler); {script}"],
        stderr=subprocess.DEVNULL,
    )
    deadline = time.monotonic() + 60
    while not started.exists() and running.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    running.send_signal(number)
    assert running.wait(30) != 0
    assert sorted(everything(tmp_path)) == ["sleeps.ipynb", "started"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["sleeps.ipynb", "started"]


def test_an_output_that_can_not_be_a_folder_is_told(thirds: Path) -> None:
    file = thirds.parent / "file"
    file.write_text("not a folder")
    with pytest.raises(RequestError, match=r"output .*file is a file; expected a folder or a new name"):
        runs.report(thirds, {}, file)
    with pytest.raises(RequestError, match=r"output .*inside: .*file cannot be written"):
        runs.report(thirds, {}, file / "inside")
    with pytest.raises(RequestError, match=r"holds a thirds.ipynb that is no report's; expected another folder"):
        runs.report(thirds, {}, thirds.parent)
    (thirds.parent / "manifest.json").write_text("{}")
    with pytest.raises(RequestError, match=r"manifest.json: not the manifest of a report"):
        runs.report(thirds, {}, thirds.parent)
    assert sorted(everything(thirds.parent)) == ["file", "manifest.json", "thirds.ipynb"]


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="the superuser may write everywhere")
def test_a_folder_that_may_not_be_written_is_told(thirds: Path) -> None:
    closed = thirds.parent / "closed"
    closed.mkdir(mode=0o555)
    with pytest.raises(RequestError, match=r"closed cannot be written"):
        runs.report(thirds, {}, closed / "out")
    with pytest.raises(RequestError, match=r"closed cannot be written"):
        runs.copy_notebooks(closed)


def test_a_manifest_that_is_none_is_told(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match=r"manifest.json: cannot be read: No such file"):
        runs.rerun(tmp_path)
    (tmp_path / "other.json").write_text('{"notebook": "x"}')
    with pytest.raises(RequestError, match=r"other.json: not the manifest of a report"):
        runs.rerun(tmp_path / "other.json")


# --- Tables and their digest ------------------------------------------------------------------------------------------


def saved(folder: Path, monkeypatch: pytest.MonkeyPatch, frame: pd.DataFrame, name: str = "table") -> runs.Results:
    folder.mkdir()
    monkeypatch.setenv(runs.FOLDER, str(folder))
    assert runs.save_table(frame, name) is frame
    return runs.digest(folder)


def test_outside_of_a_report_nothing_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(runs.FOLDER, raising=False)
    monkeypatch.chdir(tmp_path)
    frame = pd.DataFrame({"x": [1]})
    assert runs.save_table(frame, "table") is frame
    assert not everything(tmp_path)


def test_the_digest_is_that_of_the_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"hand": ["16", "A-7"], "ev": [-0.1234567891234, 0.0], "flag": [True, False]})
    first = saved(tmp_path / "first", monkeypatch, frame)
    rounding = frame.assign(ev=frame["ev"] + [1e-13, -1e-13])
    assert saved(tmp_path / "rounding", monkeypatch, rounding).digest == first.digest
    assert saved(tmp_path / "other", monkeypatch, frame.assign(ev=frame["ev"] + 1e-7)).digest != first.digest
    assert saved(tmp_path / "named", monkeypatch, frame, "another").digest != first.digest
    assert saved(tmp_path / "columns", monkeypatch, frame.rename(columns={"ev": "EV"})).digest != first.digest
    assert saved(tmp_path / "text", monkeypatch, frame.assign(hand=["16", "A-8"])).digest != first.digest


def test_tables_are_numbers_and_text_for_whoever_reads_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame(
        {
            "pays": [Fraction(3, 2), None],
            "ways": [7, None],
            "deals": [10**30, 1],
            "note": ["a", None],
            "mixed": [Fraction(1, 3), "push"],
        },
        index=pd.Index(["x", "y"], name="event"),
    )
    saved(tmp_path / "report", monkeypatch, frame)
    table = pd.read_parquet(tmp_path / "report" / "tables" / "table.parquet")
    assert list(table.columns) == ["event", "pays", "ways", "deals", "note", "mixed"]
    assert table["pays"].dtype == float
    assert table["pays"][0] == 1.5
    assert table["deals"].tolist() == [str(10**30), "1"]
    with (tmp_path / "report" / "tables" / "table.csv").open(newline="") as lines:
        assert next(csv.DictReader(lines)) == {
            "event": "x",
            "pays": "1.5",
            "ways": "7.0",
            "deals": str(10**30),
            "note": "a",
            "mixed": str(1 / 3),
        }


@pytest.mark.parametrize("name", ["", "Table", "a b", "../up", "a.csv"])
def test_a_name_that_is_no_file_name_is_told_even_outside_of_a_report(name: str) -> None:
    with pytest.raises(RequestError, match="names no file"):
        runs.save_table(pd.DataFrame({"x": [1]}), name)


def test_two_tables_of_one_name_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pd.DataFrame({"x": [1]})
    saved(tmp_path / "report", monkeypatch, frame)
    with pytest.raises(RequestError, match="tables has a table already"):
        runs.save_table(frame, "table")


# --- Copies -----------------------------------------------------------------------------------------------------------


def test_notebooks_are_copied_out_and_never_over_others(tmp_path: Path) -> None:
    copies = runs.copy_notebooks(tmp_path / "mine")
    assert {path.name: path.read_bytes() for path in copies} == {
        path.name: path.read_bytes() for path in notebooks.shipped()
    }
    copies[0].write_text("edited")
    with pytest.raises(RequestError, match=f"{copies[0].name} is there already"):
        runs.copy_notebooks(tmp_path / "mine")
    assert copies[0].read_text() == "edited"
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError, match="file is not a folder"):
        runs.copy_notebooks(tmp_path / "file")
