"""Tables as files: what CSV and Parquet can hold, the same in both."""

from fractions import Fraction
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def plain(frame: "pd.DataFrame") -> "pd.DataFrame":
    """Return the table with nothing but numbers, bools and text in its columns.

    Fractions become numbers, whatever else a file can't hold becomes text.
    """
    plain = frame.reset_index() if any(name is not None for name in frame.index.names) else frame.copy()
    plain.columns = [str(column) for column in plain.columns]
    for name in plain.columns:
        if plain[name].dtype == object:
            values = [float(value) if isinstance(value, Fraction) else value for value in plain[name]]
            numbers = all(value is None or isinstance(value, int | float) for value in values)
            if numbers and not any(isinstance(value, bool) or abs(value or 0) >= 2**53 for value in values):
                plain[name] = plain[name].map(float, na_action="ignore").astype(float)
            else:
                plain[name] = ["" if value is None else str(value) for value in values]
    return plain


def records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """Return the rows as JSON values: None where there is nothing, fractions as text."""
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [
        {str(name): str(value) if isinstance(value, Fraction) else value for name, value in row.items()} for row in rows
    ]
