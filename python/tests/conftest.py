"""What the tests share. Where the package is not installed, they take it from the source tree."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]

try:
    import fathom
except ModuleNotFoundError:
    sys.path.insert(0, str(ROOT / "python" / "src"))
    import fathom


def finding(module, *arguments):
    """A Python process that finds the package and the tests as this one does."""
    paths = os.pathsep.join([str(pathlib.Path(fathom.__file__).parents[1]), str(pathlib.Path(__file__).parent)])
    return subprocess.Popen([sys.executable, "-m", module, *arguments], env={**os.environ, "PYTHONPATH": paths},
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


@pytest.fixture
def hover():
    return fathom.load("bluerov2-hover")


@pytest.fixture
def world(hover):
    return hover.world()
