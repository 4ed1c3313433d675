"""The package as users get it: from a wheel, an sdist, a folder that nobody may write; and its metadata."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

import casinomath
from casinomath import catalog

ROOT = Path(__file__).resolve().parent.parent
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

AS_A_USER = (
    ["setpriv", "--bounding-set=-dac_override,-dac_read_search", "--inh-caps=-dac_override,-dac_read_search"]
    if os.geteuid() == 0 and shutil.which("setpriv")
    else []
)
"""Root may write in a read-only folder, unless that right is taken from it."""


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        env={"PATH": os.environ["PATH"], **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def build(tree: Path, target: str, into: Path) -> Path:
    """Build a wheel or an sdist of a source tree and return the file."""
    run(sys.executable, "-m", "hatchling", "build", "--target", target, "--directory", into, cwd=tree)
    (built,) = into.iterdir()
    return built


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, "wheel", tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def wheel_of_sdist(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # not in the first releases of 3.11
        archive.extractall(folder, **safely)
    (tree,) = folder.iterdir()
    return build(tree, "wheel", tmp_path_factory.mktemp("wheel_of_sdist"))


def files(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir() if path.is_file()}


def contents(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_data_and_notebooks_travel_inside_the_wheel(wheel: Path) -> None:
    inside = contents(wheel)
    assert {f"casinomath/_data/{name}" for name in files(ROOT / "data")} <= inside
    assert {f"casinomath/_notebooks/{name}" for name in files(ROOT / "notebooks")} <= inside
    assert {"casinomath/_data/spanish21.toml", "casinomath/py.typed"} <= inside
    assert not [name for name in inside if name.startswith(("tests/", "data/", "notebooks/"))]


def test_a_wheel_built_from_the_sdist_holds_the_same(wheel: Path, wheel_of_sdist: Path) -> None:
    assert contents(wheel_of_sdist) == contents(wheel)


def test_the_sdist_can_be_tested(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        inside = {name.partition("/")[2] for name in archive.getnames()}
    assert {
        "tests/test_packaging.py",
        "environment.yml",
        "requirements.lock",
        "Makefile",
        "LICENSE",
    } <= inside


SCRIPT = """
from casinomath import catalog
print(catalog.data_folder(), catalog.notebooks_folder(), *catalog.stems(), catalog.paytable("spanish21").name)
"""


@contextmanager
def read_only_install(built: Path, site: Path) -> Iterator[None]:
    """Install a wheel into a folder, and let nobody write there."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    run(*pip, "--target", site, built, cwd=site.parent)
    installed = [site, *site.rglob("*")]
    for path in installed:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        yield
        assert sorted(site.rglob("*")) == sorted(installed[1:])
    finally:
        for path in installed:
            path.chmod(0o755)


@pytest.mark.parametrize("kind", ["wheel", "wheel_of_sdist"])
def test_data_and_notebooks_are_found_in_a_read_only_install_without_a_home(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    site = tmp_path / "site"
    with read_only_install(request.getfixturevalue(kind), site):
        found = run(*AS_A_USER, sys.executable, "-c", SCRIPT, cwd=Path("/"), PYTHONPATH=str(site)).split()
    package = site / "casinomath"
    assert found == [str(package / "_data"), str(package / "_notebooks"), *catalog.stems(), "bonus_21"]


@pytest.mark.slow
def test_a_read_only_install_computes_where_nothing_can_be_cached(wheel: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    script = "import casinomath as cm; print(cm.__file__, cm.evaluate('spanish21').house_edge)"
    with read_only_install(wheel, site):
        nowhere = {"HOME": "/nonexistent", "PYTHONPATH": str(site)}
        file, edge = run(*AS_A_USER, sys.executable, "-c", script, cwd=Path("/"), **nowhere).split()
    assert Path(file).is_relative_to(site)
    assert float(edge) == pytest.approx(casinomath.evaluate("spanish21").house_edge, abs=1e-12)


def test_a_source_tree_uses_its_own_data_and_notebooks() -> None:
    assert catalog.data_folder() == ROOT / "data"
    assert catalog.notebooks_folder() == ROOT / "notebooks"


def test_the_face_imports_nothing_heavy_and_catalog_no_pandas() -> None:
    heavy = ["matplotlib", "numba", "numpy", "pandas", "papermill", "pydantic", "scipy", "typer"]
    script = "import sys, casinomath; {}; print(*[name for name in " + str(heavy) + " if name in sys.modules])"
    assert run(sys.executable, "-c", script.format("pass"), cwd=ROOT).split() == []
    catalog_too = run(sys.executable, "-c", script.format("casinomath.catalog"), cwd=ROOT).split()
    assert set(catalog_too) <= {"numpy", "pydantic"}


def test_every_name_of_the_face_is_there_whatever_was_imported_first() -> None:
    script = """
import casinomath.strategy  # a module and a verb have this name, and the face shows the verb
import casinomath as cm
missing = [name for name in cm.__all__ if not hasattr(cm, name)]
assert not missing, missing
assert callable(cm.evaluate) and callable(cm.strategy) and callable(cm.simulate)
assert set(dir(cm)) == set(cm.__all__)
"""
    run(sys.executable, "-W", "error", "-c", script, cwd=ROOT)


def test_an_unknown_name_of_the_face_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'evalute'"):
        _ = casinomath.evalute


def test_the_version_is_one() -> None:
    assert version("casinomath") == casinomath.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## {casinomath.__version__}" in changes


def requirement(text: str) -> tuple[str, str]:
    """Split "numpy>=1.26", or conda's "numpy >=1.26", into a name and a lowest version."""
    name, _, bound = text.replace(" ", "").partition(">=")
    return name, bound


def asked_for(*extras: str) -> set[tuple[str, str]]:
    """Return the core dependencies and those of some extras, without extras that extras name."""
    project = PYPROJECT["project"]
    lists = [project["dependencies"], *(project["optional-dependencies"][extra] for extra in extras)]
    return {requirement(text) for texts in lists for text in texts if not text.startswith("casinomath[")}


def test_environment_yml_lists_the_dependencies_of_pyproject() -> None:
    project = PYPROJECT["project"]
    asked = asked_for(*project["optional-dependencies"]) | {requirement(f"python{project['requires-python']}")}
    _, _, conda = (ROOT / "environment.yml").read_text(encoding="utf-8").partition("\ndependencies:\n")
    listed = re.findall(r"^ +- (.*[^:\n])$", conda, re.MULTILINE)
    assert len(set(listed)) == len(listed)
    assert {requirement(line) for line in listed if line != "pip"} == asked


def test_the_lock_names_no_address_and_hashes_all_that_is_asked_for() -> None:
    lock = (ROOT / "requirements.lock").read_text(encoding="utf-8")
    assert "://" not in lock
    entries = lock.replace("\\\n", " ").splitlines()
    assert all(re.match(r"[a-z][a-z0-9-]*==\S+ .*--hash=sha256:", entry) for entry in entries)
    pinned = {entry.partition("==")[0] for entry in entries}
    assert {name for name, _ in asked_for("reports", "dev")} <= pinned
