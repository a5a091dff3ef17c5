"""Tidy tables: columns of the same length, and the frames and files made from them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from .needed import needed

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Tidy"]

#: Columns with few distinct texts.
_CATEGORIES = ("case", "agent", "phase")


class Tidy:
    """A tidy table: one row per observation, one column per variable."""

    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The columns by name, all of the same length."""
        raise NotImplementedError(f"{type(self).__name__} has no columns")

    def to_pandas(self) -> Any:
        """A tidy pandas frame."""
        pandas = needed("pandas", "frames")
        frame = pandas.DataFrame(self.columns(), copy=False)
        for name in _CATEGORIES:
            if name in frame:
                frame[name] = frame[name].astype("category")
        return frame

    def to_polars(self) -> Any:
        """A tidy polars frame."""
        polars = needed("polars", "frames")
        columns = self.columns().items()
        plain = {name: c.tolist() if c.dtype == object else c for name, c in columns}
        return polars.DataFrame(plain)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes the tidy table as a Parquet file."""
        arrow = needed("pyarrow", "frames")
        parquet = needed("pyarrow.parquet", "frames")
        parquet.write_table(arrow.table(self.columns()), os.fspath(path))
