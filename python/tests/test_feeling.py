"""Snookie learns to feel a wall: examples/feel.py, with NumPy only."""

import pathlib
import sys

import pytest

pytest.importorskip("gymnasium")
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))
import feel  # noqa: E402


def test_snookie_learns_from_its_lateral_line_not_to_touch_the_wall():
    volts, gaps = feel.swim_about(rows=128, steps=200, seed=1)
    feeling = feel.Feeling.learn(volts, gaps, seed=1)
    with_it, held = feel.avoid(feeling, 32), feel.avoid(feeling, 32, held=True)
    assert with_it.touched == 0 and with_it.turned >= 1 and with_it.nearest > 0.05
    assert held.touched > 0.9 and held.turned == 0  # the voltages of the start
    far = feel.avoid(feeling, 32, wall=feel.WALL + 27)
    assert far.turned == 0 and far.through > 0.9 and far.touched == 0  # it reacts to nothing else
