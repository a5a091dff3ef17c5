"""Files of saved sessions and teams: a graph with its labels, and what happened on it."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from .graphs import Graph

#: The number of the formats: that of every file that is written, and the only one that is read.
_VERSION = 1

#: Makes the object from its graph and its file.
Reader: TypeAlias = Callable[[Graph, dict[str, Any]], Any]


def write_saved(
    path: str | os.PathLike[str], name: str, graph: Graph, parts: dict[str, Any]
) -> None:
    """Writes a file of the format ``name``. It is written under another name and renamed."""
    stored = {"format": name, "version": _VERSION, "graph": _write_graph(graph), **parts}
    path = Path(path)
    with tempfile.NamedTemporaryFile(
        "w", dir=path.parent, prefix=path.name, suffix=".part", delete=False, encoding="utf-8"
    ) as file:
        try:
            json.dump(stored, file)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            os.unlink(file.name)
            raise
    os.replace(file.name, path)


def read_saved(path: str | os.PathLike[str], readers: Mapping[str, Reader]) -> Any:
    """What was saved in a file, made by the reader of its format."""
    path = Path(path)
    text = path.read_text(encoding="utf-8")
    try:
        stored = json.loads(text)
        if not isinstance(stored, dict) or stored.get("format") not in readers:
            raise ValueError("it is not a saved session")
        if (version := stored.get("version")) != _VERSION:
            raise ValueError(
                f"it has format {version!r}, not {_VERSION}: it was made by an unpublished version "
                "of graph-bandit (make the agent or the team again, and save it), or by a later "
                "one (use that)"
            )
        return readers[stored["format"]](_read_graph(stored["graph"]), stored)
    except (KeyError, TypeError, AttributeError, OverflowError) as error:
        raise ValueError(f"{path}: it is not a saved session: {error!r}") from error
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def _write_graph(made: Graph) -> dict[str, Any]:
    places = made.coordinates
    parts: dict[str, Any] = {
        "nodes": len(made),
        "place": made._program_self_place,
        "labels": _write_labels(made.labels),
        "coordinates": None if places is None else places.tolist(),
    }
    if made.has_roads:
        parts["roads"] = made.road_array().tolist()
        parts["times"] = made.road_times().tolist()
    else:
        parts["edges"] = made.edge_array().tolist()
    return parts


def _read_graph(parts: dict[str, Any]) -> Graph:
    labels, places = _read_labels(parts["labels"]), parts["coordinates"]
    coordinates = None if places is None else np.array(places, np.float64)
    if "roads" in parts:
        roads = np.array(parts["roads"], np.int64).reshape(-1, 2)
        times = np.array(parts["times"], np.float64)
        return Graph.from_roads(parts["nodes"], roads, times, labels, coordinates)
    edges = np.array(parts["edges"], np.int64).reshape(-1, 2)
    made = Graph(parts["nodes"], edges, labels, coordinates)
    return made._with_program_self_place(parts["place"])


def _write_labels(labels: list[Any] | None) -> list[Any] | None:
    return None if labels is None else [_write_label(label) for label in labels]


def _write_label(label: Any) -> Any:
    if isinstance(label, tuple):
        return {"tuple": [_write_label(part) for part in label]}
    if isinstance(label, np.integer | np.floating):
        label = label.item()
    if label is None or isinstance(label, bool | int | float | str):
        return label
    raise TypeError(
        f"node {label!r} has type {type(label).__name__}, which cannot be saved; label nodes by "
        "numbers, text, or tuples of them"
    )


def _read_labels(labels: list[Any] | None) -> list[Any] | None:
    return None if labels is None else [_read_label(label) for label in labels]


def _read_label(label: Any) -> Any:
    if isinstance(label, dict):
        return tuple(_read_label(part) for part in label["tuple"])
    return label
