"""python -m fathom.bench, with small numbers."""

import json
import subprocess
import sys

import pytest

from fathom import bench


def test_the_figures_of_one_core():
    pytest.importorskip("gymnasium")
    done = subprocess.run([sys.executable, "-m", "fathom.bench", "--seconds", "0.05", "--rows", "64", "--gpu-rows", "0",
                           "--json"], capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    assert [figure["unit"] for figure in figures] == ["µs", "vehicle-steps/s", "vehicle-steps/s", "environment steps/s"]
    step, double, single, users = figures
    assert 0.1 < step["c"] < step["value"] < 1000  # µs: C is a part of it
    assert double["c"] > 0 and single["value"] > 0.2 * double["value"]
    # a step of an environment is ten steps of its vehicle, a reward and a reset
    assert users["value"] < single["c"] / bench.TICKS


def test_the_table_names_what_others_published(capsys):
    bench.main(["--seconds", "0", "--rows", "16", "--gpu-rows", "0"])
    shown = capsys.readouterr().out
    assert "over C" in shown and "% of C" in shown and "250,000" in shown and "README" in shown
