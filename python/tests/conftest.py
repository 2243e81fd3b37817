"""What the tests share. Where the package is not installed, they take it from the source tree."""

import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

try:
    import fathom
except ModuleNotFoundError:
    sys.path.insert(0, str(ROOT / "python" / "src"))
    import fathom


@pytest.fixture
def hover():
    return fathom.load("bluerov2-hover")


@pytest.fixture
def world(hover):
    return hover.world()
