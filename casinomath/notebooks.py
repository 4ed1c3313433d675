"""Notebooks as requests: the question each one asks, its parameters, and what may be given for them.

A notebook states its parameters in one cell tagged `parameters`: plain annotated scalars, or lists of them, with a
comment each, such as `decks: int = 6  # packs in the shoe`. That cell is read, never run, so a wrong parameter is
refused at once and with nothing heavy imported. A notebook whose metadata name a game,
`"casinomath": {"stem": "spanish21"}`, has the parameters that are rules of the game, and `paytable`, checked by the
game as well. One on several games says which parameters each of them is asked with:
`"asks": [{"game": "insurance", "decks": "decks", "paytable": "insurance_paytable"}]`. `rounds` and `seed` are checked
as a simulation does.
"""

import ast
import json
import os
import re
import tokenize
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, cast, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, create_model

from casinomath import catalog, montecarlo, request
from casinomath.errors import RequestError, unknown

Scalar: TypeAlias = bool | int | float | str
Value: TypeAlias = Scalar | list[int] | list[float] | list[str]

SCALARS: Final[Mapping[str, type]] = {"bool": bool, "int": int, "float": float, "str": str}
SCALARS_ONLY: Final = ConfigDict(allow_inf_nan=False, protected_namespaces=())
EXPECTED: Final[Mapping[object, str]] = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    list[int]: "whole numbers such as 2,4,6",
    list[float]: "numbers such as 0.5,1",
    list[str]: "names, with commas between them",
}
LISTS: Final = {"int": list[int], "float": list[float], "str": list[str]}


@dataclass(frozen=True)
class Parameter:
    """One parameter of a notebook: what it may be, what it is when nothing is given, what it means."""

    name: str
    annotation: Any
    """bool, int, float, str, a Literal of them, or a list of int, float or str."""
    default: Value
    comment: str

    @property
    def choices(self) -> tuple[Scalar, ...]:
        """What a Literal leaves to choose from."""
        return get_args(self.annotation) if get_origin(self.annotation) is Literal else ()

    @property
    def expected(self) -> str:
        """What may be given for it, in words."""
        if self.choices:
            return f"one of {', '.join(str(choice) for choice in self.choices)}"
        return EXPECTED[self.annotation]

    def field(self, given: object) -> Any:
        """Return the annotation to read it by: text leniently, all else strictly. A choice has to be just that."""
        if self.choices:
            return self.annotation
        strict = Field(strict=not isinstance(given, str))
        if self.annotation in LISTS.values():
            (item,) = get_args(self.annotation)
            return list[Annotated[item, strict]]  # type: ignore[valid-type] # an annotation for pydantic
        return Annotated[self.annotation, strict]

    def spelled(self, given: object) -> object:
        """Return the choice or the list that a text spells, or what was given."""
        if self.annotation in LISTS.values() and isinstance(given, str):
            return [part.strip() for part in given.split(",") if part.strip()]
        return next((choice for choice in self.choices if str(choice) == given), given)


@dataclass(frozen=True)
class Notebook:
    """A notebook and what can be asked of it."""

    path: Path
    title: str
    question: str
    stem: str | None
    """The game whose rules are among the parameters."""
    parameters: tuple[Parameter, ...]
    asks: Sequence[Mapping[str, Any]] = ()
    """Each `game` that is asked, and with what: a rule of it, `rules`, `paytable` or `meter`, and the parameter that
    says it, or else a value that is always the same."""

    @property
    def name(self) -> str:
        """What a request calls it."""
        return self.path.stem

    def check(self, given: Mapping[str, object]) -> dict[str, Value]:
        """Return every parameter with its value: the one given, read by its type, or else the default.

        Text is read as the command line reads it: "true" is a bool, "6" a whole number. Raises RequestError for an
        unknown parameter, a value of the wrong type, and rules that make no sense together.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name in given:
            if name not in known:
                raise unknown(f"parameter of {self.name}:", name, known)
        # 1 for a bool, 6.0 for a whole number or True for either are slips.
        fields: dict[str, Any] = {name: (known[name].field(value), ...) for name, value in given.items()}
        model = create_model("Parameters", __config__=SCALARS_ONLY, **fields)
        try:
            read = model(**{name: known[name].spelled(value) for name, value in given.items()}).model_dump()
        except ValidationError as error:
            name = str(error.errors()[0]["loc"][0])
            expected = known[name].expected
            raise RequestError(f"parameter {name} is {given[name]!r}; expected {expected}") from None
        values = {name: read.get(name, parameter.default) for name, parameter in known.items()}
        if {"rounds", "seed"} <= values.keys():
            montecarlo.check(values["rounds"], values["seed"])
        if self.stem is not None:
            _check_game(self.stem, values)
        for asked in self.asks:
            _check_asked({word: values.get(name, name) for word, name in asked.items()})
        return values


def _check_game(stem: str, values: Mapping[str, Value]) -> None:
    """Have the game check its rules and find the pay table, where parameters name them."""
    game = request.game(stem)
    default = catalog.rules(stem, None, game.Rules)
    rules = catalog.vary(default, {name: value for name, value in values.items() if name in default._asdict()})
    request.resolve(stem, rules, str(values.get("paytable", "")) or None).check()


def _check_asked(asked: Mapping[str, Value]) -> None:
    """Have a game check what it is asked; RequestError for a value that goes with none of the others."""
    choices = [(value or [""]) if isinstance(value, list) else [value] for value in asked.values()]
    refused: dict[tuple[str, Scalar], RequestError] = {}
    sound: set[tuple[str, Scalar]] = set()
    for values in product(*choices):
        asks = list(zip(asked, values, strict=True))
        given: dict[str, Any] = {word: value for word, value in asks if value != ""}
        names = {word: given.pop(word) for word in ("rules", "paytable", "meter") if word in given}
        try:
            request.resolve(given.pop("game"), change=given, **names).check()
            sound.update(asks)
        except RequestError as error:
            refused.update((ask, error) for ask in asks if ask not in refused)
    for ask, refusal in refused.items():
        if ask not in sound:
            raise refusal


def find(name: str | os.PathLike[str]) -> Notebook:
    """Return a notebook by the name of one shipped here, or by the path of a user's own file."""
    given = os.fspath(name)
    if given.endswith(".ipynb") or "/" in given or "\\" in given:
        return read(Path(given).expanduser())
    paths = {path.stem: path for path in shipped()}
    if given not in paths:
        raise unknown("notebook", given, paths)
    return read(paths[given])


def shipped() -> list[Path]:
    """Return the notebooks that come with the package."""
    return sorted(catalog.notebooks_folder().glob("*.ipynb"))


def read(path: Path) -> Notebook:
    """Return the notebook in a file; RequestError where it can't be read as one."""
    cells, metadata = _cells(path)
    markdown = next((cell["source"] for cell in cells if cell["cell_type"] == "markdown"), "")
    title, question = _title_and_question(markdown)
    tagged = [cell["source"] for cell in cells if "parameters" in cell["metadata"].get("tags", [])]
    if len(tagged) > 1:
        raise RequestError(f"{path}: {len(tagged)} cells are tagged parameters; expected one at the most")
    about = metadata.get("casinomath", {})
    parameters = _parameters(path, tagged[0]) if tagged else ()
    return Notebook(path, title or path.stem, question, about.get("stem"), parameters, about.get("asks", ()))


def _cells(path: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    try:
        notebook = json.loads(path.read_text(encoding="utf-8"))
        cells = [{"metadata": {}, **cell, "source": "".join(cell["source"])} for cell in notebook["cells"]]
        return [cell for cell in cells if cell["cell_type"]], notebook["metadata"]
    except FileNotFoundError:
        raise RequestError(f"{path}: no such file") from None
    except OSError as error:
        raise RequestError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError, AttributeError):
        raise RequestError(f"{path}: not a notebook; expected a file of Jupyter's, nbformat 4") from None


def _title_and_question(markdown: str) -> tuple[str, str]:
    """The heading of a notebook's first text, and its first sentence that asks something."""
    heading = re.search(r"^#\s+(.+)$", markdown, re.MULTILINE)
    text = " ".join(line for line in markdown.splitlines() if not line.startswith("#"))
    asks = re.search(r"[^.?!]*\?", re.sub(r"[*_`]", "", text))
    return (heading[1].strip() if heading else ""), (" ".join(asks[0].split()) if asks else "")


# --- The parameters cell ----------------------------------------------------------------------------------------------


def _parameters(path: Path, source: str) -> tuple[Parameter, ...]:
    try:
        statements = ast.parse(source).body
    except SyntaxError as error:
        raise RequestError(f"{path}: its parameters cell is not Python: {error.msg}, line {error.lineno}") from None
    comments = _comments(source)
    return tuple(_parameter(path, statement, comments.get(statement.end_lineno or 0, "")) for statement in statements)


def _parameter(path: Path, statement: ast.stmt, comment: str) -> Parameter:
    def wrong(expected: str) -> RequestError:
        return RequestError(f"{path}: the parameters cell says {ast.unparse(statement)!r}; expected {expected}")

    kind: Any
    match statement:
        case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=ast.expr() as value):
            kind = _kind(annotation)
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            kind = type(_literal(value))
        case _:
            raise wrong("lines such as decks: int = 6")
    if kind not in (*SCALARS.values(), *LISTS.values()) and get_origin(kind) is not Literal:
        raise wrong(f"a type of {', '.join(SCALARS)}, Literal[...], or a list of {', '.join(LISTS)}")
    try:
        default = TypeAdapter(kind).validate_python(_literal(value), strict=True)
    except ValidationError:
        raise wrong("a plain value of the type it names") from None
    return Parameter(name, kind, cast("Value", default), comment)


def _literal(value: ast.expr) -> object:
    try:
        return ast.literal_eval(value)
    except ValueError:
        return None


def _kind(annotation: ast.expr) -> Any:
    """The type that an annotation means, or None for one that a request could not give."""
    match annotation:
        case ast.Name(id=name):
            return SCALARS.get(name)
        case ast.Subscript(value=ast.Name(id="Literal"), slice=choices):
            return Literal.__getitem__(ast.literal_eval(choices))
        case ast.Subscript(value=ast.Name(id="list"), slice=ast.Name(id=item)):
            return LISTS.get(item)
        case _:
            return None


def _comments(source: str) -> dict[int, str]:
    """Line → the comment that ends it."""
    tokens = tokenize.generate_tokens(StringIO(source).readline)
    return {token.start[0]: token.string.lstrip("# ") for token in tokens if token.type == tokenize.COMMENT}
