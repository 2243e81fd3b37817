"""Worlds: the bits of the program, views without copies, orders, state, threads, memory."""

import gc
import json
import os
import resource
import subprocess
import threading
import time

import numpy as np
import pytest

import fathom
from fathom._library import program


def test_a_run_has_the_state_hash_of_the_program():
    for name, seconds in (("bluerov2-hover", 5), ("phoenix-mission", 3), ("fish-pool", 2)):
        done = subprocess.run([program(), "run", name, "--duration", str(seconds), "--summary", "-"],
                              capture_output=True, text=True, check=True)
        text = done.stdout[done.stdout.index("{"):]
        world = fathom.load(name).world()
        world.run_until(seconds)
        assert f"{world.hash():016x}" == json.loads(text)["state_hash"]


def test_steps_in_one_call_are_single_steps(hover):
    one, many = hover.world(), hover.world()
    for _ in range(300):
        one.step()
    many.step(300)
    assert one.hash() == many.hash() and one.tick == 300 and one.time == pytest.approx(3)


def test_pose_and_velocity_are_views(world):
    pose, velocity = world.pose, world.velocity
    before = pose.copy()
    world.step(100)
    assert not np.array_equal(pose, before)
    assert np.shares_memory(pose, world["rov"].position)
    assert np.array_equal(world.read("rov.velocity")["rov.velocity"], velocity)
    with pytest.raises(ValueError):
        pose[0] = 1
    del world
    gc.collect()
    assert pose.shape == (7,) and np.isfinite(pose).all()  # a view keeps its memory alive


def test_orders_are_applied_and_given_back(hover):
    by_array, by_name = hover.world(), hover.world()
    by_array.orders[0] = 5
    by_name["rov"].order("front-port", 5)
    by_array.step(200)
    by_name.step(200)
    assert by_array.hash() == by_name.hash()
    assert by_array["rov"].values[0] == pytest.approx(5, rel=0.05)
    by_array["rov"].release("front-port")
    by_array.step(200)
    assert abs(by_array["rov"].values[0] - 5) > 1
    with pytest.raises(LookupError):
        by_array["rov"].order("front-prot", 1)


def test_instruments_are_read_as_numbers_and_arrays():
    world = fathom.load("phoenix-dock").world()
    world.run_until(5)
    velocity = world["dvl"].velocity
    assert velocity.shape == (3,) and velocity[0] == pytest.approx(world.velocity[0], abs=0.05)
    assert world["dvl"].unit("velocity") == "m/s"
    assert world["dvl"].samples > 0 and world["dvl"].valid
    with pytest.raises(AttributeError, match="velocity"):
        world["dvl"].velocities
    with pytest.raises(LookupError):
        world["dvll"]


def test_images_of_sonars_and_pictures_of_cameras_are_arrays():
    world = fathom.load("remus-reef").world()
    world.run_until(2)
    sonar = world["sonar"]
    assert sonar["image.data"].shape == (200, 141) and sonar.image_data.dtype == np.uint8
    assert np.linalg.norm(sonar.beam_directions, axis=1) == pytest.approx(1)
    assert sonar.ranges.shape == (200,) and (np.diff(sonar.ranges) > 0).all()
    world = fathom.load("fish-target").world()
    world.run_until(1)
    eye = world["left-eye"]
    assert eye.data.shape == (eye.height, eye.width, 3) and eye.data.dtype == np.uint8
    assert 0 < eye.data.mean() < 255


def test_a_saved_state_is_restored(world):
    world.step(50)
    state, hash_ = world.save(), world.hash()
    world.step(50)
    later = world.hash()
    world.restore(state)
    assert world.hash() == hash_ and world.tick == 50
    world.step(50)
    assert world.hash() == later
    with pytest.raises(ValueError):
        world.restore(state[:-8])
    world.reset()
    assert world.tick == 0 and world.pose[2] == 5


def test_parameters_faults_and_spawned_vehicles(world):
    world.set("/water/density", 1020)
    world.fault("front-port", efficiency=0)
    world.step(10)
    assert world.get("/rov/front-port/efficiency") == 0 and world.get("/water/density") == 1020
    with pytest.raises(ValueError):
        world.fault("front-port", efficiency=7)
    model = fathom.load("bluerov2-hover", set={"/world/spare": "1"})
    world = model.world()
    world.spawn("second", "rov", (10, 0, 5))
    world.step(2)
    assert set(world.vehicles) == {"rov", "second"} and world["second"].position[0] == pytest.approx(10, abs=0.1)
    world.remove("second")
    world.step()
    assert set(world.vehicles) == {"rov"}


def test_events_and_metrics():
    world = fathom.load("phoenix-mission").world()
    kinds = []
    while world.time < 100 and not kinds:
        world.step()
        kinds += [event.kind for event in world.events]
    assert kinds
    assert world.metrics["phoenix"]["distance"] > 1


def test_water_is_what_the_scenario_says(world):
    water = world.water((0, 0, 10))
    assert water.density == pytest.approx(1000, abs=1) and water.velocity == pytest.approx([0.2, 0, 0])


def test_worlds_in_threads_have_the_same_bits_and_release_the_lock(hover):
    hashes = []

    def work():
        world = hover.world()
        world.step(20000)
        hashes.append(world.hash())

    ticks = 0
    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        ticks += 1  # this thread runs while the others step
        time.sleep(0.0005)
    assert len(set(hashes)) == 1 and ticks > 3


def memory():
    gc.collect()
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


@pytest.mark.parametrize("count", [10_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_nothing_is_leaked_by_worlds(hover, count):
    def make(count):
        for _ in range(count):
            hover.world().pose

    make(2000)
    before = memory()
    make(count)
    assert memory() - before < 4 << 20, f"{count} worlds must not leave 4 MiB"


@pytest.mark.parametrize("count", [60, pytest.param(3000, marks=pytest.mark.long)])
def test_nothing_is_leaked_by_models_variants_parts_and_studies(hover, count):
    @fathom.controller(period=0.1, state=1)
    def hold(part):
        part.state[0] += 1

    def make(count):
        for i in range(count):
            hover.replace({"/rov/mass/mass": 11 + i % 7}).world().step()
            fathom.load("bluerov2-hover", parts={"rov": hold}).world().step()
            fathom.Study(hover, {"/rov/mass/mass": [11.0, 12.0]}, duration=0.01, threads=1).make()

    make(50)
    before = memory()
    make(count)
    assert memory() - before < 8 << 20, f"{count} models must not leave 8 MiB"


@pytest.mark.long
@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one processor")
def test_worlds_in_threads_scale(hover):
    def seconds(threads):
        worlds = [hover.world() for _ in range(threads)]
        working = [threading.Thread(target=world.step, args=(100_000,)) for world in worlds]
        start = time.perf_counter()
        for thread in working:
            thread.start()
        for thread in working:
            thread.join()
        return time.perf_counter() - start

    assert min(seconds(2) for _ in range(3)) < 1.6 * min(seconds(1) for _ in range(3))
