"""Environments: the bits of worlds, judges, DLPack."""

import gc
import math

import numpy as np
import pytest

import fathom
from fathom import env

TASK = """<fathom version="1"><world dt="0.01 s" duration="60 s" seed="3"><current velocity="0.2 0 0 m/s"/></world>
  <vehicle name="rov" model="bluerov2" position="0 0 5 m"/></fathom>"""
SEEN = ("position", "attitude", "velocity")


@pytest.fixture
def model():
    return fathom.load(TASK)


@pytest.mark.parametrize("engine", ["worlds", "simd"])
def test_a_row_has_the_motion_of_a_world_with_the_same_orders(model, engine):
    rows = env.Rows(model, 5, engine=engine, observations=SEEN, interval=0.05, float64=True)
    world = model.world()
    top = np.array([actuator.max for actuator in model.actuators])
    for step in range(20):
        rows.actions[:] = 0.1 * math.sin(step)
        rows.step()
        limits = np.array([actuator.min for actuator in model.actuators])
        value = 0.1 * math.sin(step)
        world.orders[:] = limits + (value + 1) / 2 * (top - limits)
        world.step(5)
        assert rows.observations[2] == pytest.approx(np.concatenate([world.pose, world.velocity]), abs=1e-12)
    assert rows.places["velocity"] == (7, 6) and rows.observed[2].unit == "m"
    assert engine in rows.engine


def test_a_judge_rewards_and_ends_rows(model):
    def judge(moment):
        moment.reward[:] = moment["position"][:, 2]
        moment.terminated[:] = moment.steps >= 4

    rows = env.Rows(model, 3, observations=SEEN, interval=0.1, judge=judge, autoreset="manual")
    for _ in range(3):
        rows.step()
    assert not rows.terminated.any() and rows.rewards == pytest.approx(rows.observations[:, 2])
    rows.step()
    assert rows.terminated.all() and env.REASONS[rows.reasons[0]] == "condition"
    rows.reset(np.array([True, False, False]))
    assert rows.terminated.tolist() == [False, True, True]


def test_an_exception_of_a_judge_is_raised_by_the_step(model):
    def judge(moment):
        raise RuntimeError("no reward")

    rows = env.Rows(model, 2, observations=SEEN, interval=0.1, judge=judge)
    with pytest.raises(RuntimeError, match="no reward"):
        rows.step()


def test_parameters_differ_from_row_to_row(model):
    rows = env.Rows(model, 2, observations=SEEN, interval=0.1, parameters=["/rov/mass/mass", "/rov/position/z"])
    assert rows.parameters[0].tolist() == [11.5, 5]
    rows.parameters[1] = (12.5, 7)
    rows.refresh()
    rows.reset()
    assert rows.observations[:, 2].tolist() == [5, 7]
    rows.parameters[1, 0] = -1
    with pytest.raises(ValueError, match="mass"):
        rows.refresh()


def test_arrays_are_exported_without_a_copy(model):
    rows = env.Rows(model, 4, observations=SEEN, interval=0.1, engine="simd")
    seen = np.from_dlpack(rows.export("observations"))
    assert np.shares_memory(seen, rows.observations)
    rows.step()
    assert np.array_equal(seen, rows.observations)
    legacy = rows.export("rewards").__dlpack__()
    assert '"dltensor"' in repr(legacy)
    del legacy, rows
    gc.collect()
    assert np.isfinite(seen).all()


def test_a_planner_branches_from_one_row(model):
    rows = env.Rows(model, 8, observations=SEEN, interval=0.1)
    rows.actions[3] = 0.2
    for _ in range(5):
        rows.step()
    state, then = rows.save(), rows.observations[3].copy()
    rows.step()
    rows.restore(state, np.full(8, 3))
    assert (rows.observations == then).all()


def test_what_an_engine_cannot_compute_is_refused_by_name(model):
    with pytest.raises(fathom.FathomError, match="contact"):
        env.Rows(model, 2, engine="simd", observations=["contact"])
    with pytest.raises(ValueError, match="engine is 'gpu'"):
        env.Rows(model, 2, engine="gpu")
