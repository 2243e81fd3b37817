"""Searches and fits: minima and fronts known in closed form, the tables of the program, coefficients known beforehand."""

import csv
import json
import subprocess

import numpy as np
import pytest
from conftest import ROOT

import fathom
from fathom._library import program

RISE = str(ROOT / "scenarios" / "remus-rise.xml")
TURN = str(ROOT / "scenarios" / "phoenix-turn.xml")
DRAG, DAMPING = "/phoenix/hydrodynamics/X_u_absu", "/phoenix/hydrodynamics/N_absu_r"


def test_a_told_search_finds_the_minimum_of_a_valley():
    def search(seed):
        found = fathom.Optimiser({"x": (-2, 2), "y": "-1:3 m"}, seed=seed, generations=200)
        while len(points := found.ask()):
            assert ((points >= [-2, -1]) & (points <= [2, 3])).all()
            found.tell((1 - points[:, 0]) ** 2 + 100 * (points[:, 1] - points[:, 0] ** 2) ** 2)
        return found

    one, two = search(3), search(3)
    assert one.best == pytest.approx({"x": 1, "y": 1}, abs=1e-3) and one.units == ["", "m"] and one.ended
    assert one.points.tobytes() == two.points.tobytes() and one.width < 1e-3
    assert one.values[one.best_index, 0] == one.values.min()


def test_a_told_search_keeps_a_constraint():
    search = fathom.Optimiser({"x": (0, 4)}, constraints=1, seed=1)  # x small, and at least 1.5
    while len(points := search.ask()):
        search.tell(np.column_stack([points[:, 0] ** 2, 1.5 - points[:, 0]]))
    assert search.best["x"] == pytest.approx(1.5, abs=0.02) and search.feasible[search.best_index]
    assert not search.feasible.all()


def test_a_told_search_finds_a_front():
    search = fathom.Optimiser({"x": (-3, 5)}, objectives=2, seed=1, generations=30)
    while len(points := search.ask()):
        search.tell(np.column_stack([points[:, 0] ** 2, (points[:, 0] - 2) ** 2]))
    front = search.points[search.front, 0]
    assert len(front) >= 20 and front.min() > -0.05 and front.max() < 2.05 and np.ptp(front) > 1.8


def test_a_search_refuses_what_does_not_fit():
    search = fathom.Optimiser({"x": (0, 1)}, seed=1)
    search.ask()
    with pytest.raises(ValueError, match="shape"):
        search.tell([1.0])
    with pytest.raises(ValueError):
        fathom.Optimiser({"x": (1, 0)})
    with pytest.raises(ValueError, match="start"):
        fathom.Optimiser({"x": (0, 1)}, start=[0.1, 0.2])


def test_an_optimisation_has_the_points_of_the_program(tmp_path):
    pytest.importorskip("xarray")
    words = ["--vary", "/remus/avoid/gain=2:10", "--maximise", "remus.min_altitude", "--generations", "3", "--duration",
             "20", "--seed", "2", "--csv", str(tmp_path / "points.csv"), "--quiet"]
    subprocess.run([program(), "optimise", RISE, *words], check=True, capture_output=True)
    with open(tmp_path / "points.csv", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    seen = []
    data = fathom.optimise(RISE, {"/remus/avoid/gain": (2, 10)}, maximise="remus.min_altitude", generations=3,
                           duration=20, seed=2, progress=lambda generation, width: seen.append(generation))
    assert [float(row["/remus/avoid/gain"]) for row in rows] == data["/remus/avoid/gain"].values.tolist()
    assert [float(row["cost"]) for row in rows] == data["cost"].values.tolist()
    assert [int(row["generation"]) for row in rows] == data["generation"].values.tolist() and seen[-1] == 3
    assert data.attrs["best"]["/remus/avoid/gain"] == data["/remus/avoid/gain"].values[int(np.argmin(data["cost"].values))]
    with pytest.raises(ZeroDivisionError):
        fathom.optimise(RISE, {"/remus/avoid/gain": (2, 10)}, maximise="remus.min_altitude", duration=5,
                        progress=lambda generation, width: 1 / 0)


@pytest.fixture(scope="module")
def trial(tmp_path_factory):
    """A turn of a vehicle with other coefficients than those of the scenario, recorded at its autopilot's orders."""
    path = tmp_path_factory.mktemp("fit") / "turn.mcap"
    model = fathom.load(TURN)
    changed = {name: model.params[name].value * factor for name, factor in ((DRAG, 1.3), (DAMPING, 0.8))}
    with fathom.Run(model.replace(changed), duration=30, log=path) as run:
        run.run_until(30)
    return path, changed


def test_coefficients_are_found_from_a_log_as_the_program_finds_them(trial):
    pytest.importorskip("xarray")
    path, true = trial
    data = fathom.identify(TURN, path, [DRAG, DAMPING])
    for name, value in true.items():
        assert float(data["value"].sel(parameter=name)) == pytest.approx(value, rel=1e-4)
        assert data["low"].sel(parameter=name) <= value * (1 + 1e-4 * np.sign(value))
    done = subprocess.run([program(), "identify", TURN, "--data", str(path), "--fit", DRAG, "--fit", DAMPING, "--json",
                           "--quiet"], capture_output=True, text=True)
    theirs = json.loads(done.stdout)
    assert [p["value"] for p in theirs["parameters"]] == pytest.approx(data["value"].values.tolist(), rel=1e-12)
    assert [p["deviation"] for p in theirs["parameters"]] == pytest.approx(data["deviation"].values.tolist(), rel=1e-9)
    assert data.attrs["converged"] == theirs["converged"] and data.attrs["trusted"] == theirs["trusted"]
    assert data.sizes["sample"] == sum(q[p]["samples"] for q in theirs["quantities"] for p in ("fitted", "checked"))


def test_coefficients_are_found_from_columns_in_memory(trial):
    _, true = trial
    world = fathom.load(TURN, set=true).world()
    rng, times, speeds, rates = np.random.default_rng(1), [], [], []
    while world.time < 30:
        times.append(world.time)
        speeds.append(world.velocity[0] + rng.normal(0, 0.005))
        rates.append(world.velocity[5])
        world.step(10)
    record = {"time": times, "speed": (speeds, "m/s"), "rate": (rates, "rad/s")}
    fit = fathom.Fit(TURN, record, {DRAG: None, DAMPING: None}, maps={"phoenix.u": "speed", "phoenix.r": "rate"},
                     sigmas={"phoenix.u": "5 mm/s"}).solve()
    assert fit.quantities == ["phoenix.u", "phoenix.r"] and fit.converged
    assert dict(zip(fit.parameters, fit.values)) == pytest.approx(true, rel=0.02)
    assert (fit.low < fit.values).all() and (fit.values < fit.high).all()
    assert np.sqrt(np.diag(fit.covariance)) == pytest.approx(fit.deviations)
    samples = fit.samples[fit.samples["quantity"] == 0]
    assert samples["recorded"] == pytest.approx(np.interp(samples["t"], times, speeds), abs=1e-9)
    with pytest.raises(ValueError, match="time"):
        fathom.Fit(TURN, {"speed": speeds}, DRAG)
    with pytest.raises(LookupError):
        fathom.Fit(TURN, record, "/phoenix/hydrodynamics/X_uu_absu", maps={"phoenix.u": "speed"})
