import os
import pathlib

import pytest

ROOT = pathlib.Path(__file__).parents[2]


@pytest.fixture(scope="session")
def gbandit() -> str:
    """The command line, built from the same sources."""
    named = os.environ.get("GBANDIT")
    places = [pathlib.Path(named)] if named else [ROOT / "target" / "release" / "gbandit"]
    for place in places:
        if place.exists():
            return str(place)
    raise FileNotFoundError(f"no gbandit at {places[0]}; build it with `cargo build --release`")
