"""Tables as reports show them."""

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pandas as pd
from pandas.io.formats.style import Styler


def styled(
    frame: pd.DataFrame,
    caption: str = "",
    percent: Iterable[str] = (),
    places: int = 4,
    signed: bool = False,
    decimals: Mapping[str, int] = MappingProxyType({}),
) -> Styler:
    """Return a table as reports show it: text to the left, numbers to the right, underscores as spaces.

    percent  : columns that are shares, shown in percent
    places   : decimals of all numbers that are not whole
    decimals : of some columns, where they are others
    """
    shown = frame.rename(columns=lambda name: str(name).replace("_", " "))
    floats = [column for column in shown if shown[column].dtype.kind == "f"]
    shares = [name.replace("_", " ") for name in percent]
    own: dict[Any, int] = {name.replace("_", " "): number for name, number in decimals.items()}
    sign = "+" if signed else ""
    formats: dict[Any, Any] = {
        column: f"{{:{sign},.{own.get(column, places)}{'%' if column in shares else 'f'}}}" for column in floats
    }
    formats |= {column: "{:,}" for column in shown if shown[column].dtype.kind in "iu"}
    formats |= {column: {True: "yes", False: "no"}.get for column in shown if shown[column].dtype.kind == "b"}
    left: Any = {"selector": "", "props": "text-align: left"}
    texts: Any = {column: [left] for column in shown if shown[column].dtype.kind not in "fiu"}
    table = shown.style.hide(axis="index").format(formats, na_rep="").set_table_styles(texts)
    return table.set_caption(caption) if caption else table
