"""Sweeps: the table of the program, as arrays, as xarray and as files, also from other processes."""

import concurrent.futures
import multiprocessing
import os
import pickle
import signal
import subprocess
import threading

import numpy as np
import pytest
from conftest import ROOT, finding

import fathom
from fathom import studies
from fathom._library import program

WALL = str(ROOT / "scenarios" / "snookie-wall.xml")
VARY = ["/snookie/approach/angle=30,60,80 deg", "/snookie/integrator=heun,rk4", "/snookie/position/z~normal(5,0.1) m"]


def table_of_program(tmp_path, *arguments, vary=VARY):
    out = tmp_path / "program.csv"
    words = [word for text in vary for word in ("--vary", text)]
    subprocess.run([program(), "sweep", WALL, *words, *arguments, "--csv", str(out)], check=True, capture_output=True)
    return out.read_bytes()


@fathom.controller(period=0.05, state=1)
def tail(part):
    part.state[0] += 1
    part.order("port-upper", 0.5 * np.sin(part.time) + 0.001 * part.state[0])


def long_study(**how):
    """Runs that take long enough to be interrupted."""
    return fathom.Study(WALL, {"/snookie/approach/angle": "10:85:5 deg"}, runs=2, duration=12, backend="worlds", **how)


@pytest.fixture(scope="module")
def whole():
    """Made by one process."""
    return studies.make(long_study())


@pytest.mark.parametrize("design", ["factorial", "random", "latin", "sobol"])
def test_a_study_writes_the_table_of_the_program(tmp_path, design):
    study = studies.make(fathom.Study(WALL, VARY, runs=2, design=design, seed=3, duration=2))
    study.write(tmp_path / "own.csv")
    theirs = table_of_program(tmp_path, "--runs", "2", "--design", design, "--seed", "3", "--duration", "2")
    assert (tmp_path / "own.csv").read_bytes() == theirs and study.made == study.count
    assert study.inputs.shape == (study.count, 3) and study.parameters[0] == "/snookie/approach/angle"


def test_a_sweep_is_the_file_of_the_program(tmp_path):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf")
    table_of_program(tmp_path, "--duration", "2", "-o", str(tmp_path / "program.nc"))
    data = fathom.sweep(WALL, VARY, duration=2, file=tmp_path / "own.nc")
    read = [xarray.open_dataset(tmp_path / name).load() for name in ("program.nc", "own.nc")]
    assert read[0].sizes == {"run": 6} and np.isfinite(read[0].snookie_distance).all()
    for some in (*read, data):
        assert some.attrs.pop("history").startswith("fathom")
    xarray.testing.assert_identical(data, read[0])
    xarray.testing.assert_identical(read[1], read[0])


def test_values_are_given_as_numbers_in_si_or_as_text(tmp_path):
    texts = studies.vary_texts(fathom.load(WALL), {"/snookie/approach/angle": "10:90:5 deg",
                                                   "/snookie/position/z": np.array([1.0, 2.5]),
                                                   "/snookie/integrator": ["heun", "rk4"],
                                                   "/snookie/position/x": "normal(2,0.1) ft"})
    assert texts == ("/snookie/approach/angle=10:90:5 deg", "/snookie/position/z=1.0,2.5 m",
                     "/snookie/integrator=heun,rk4", "/snookie/position/x~normal(2,0.1) ft")
    study = fathom.Study(WALL, {"/snookie/approach/angle": [0.5, 1.0], "/snookie/position/z": [4, 5]}, design="points",
                         runs=2, duration=1, metrics="snookie.max_depth")
    assert study.inputs.tolist() == [[0.5, 4], [0.5, 4], [1, 5], [1, 5]] and (study.seeds[0::2] == study.seeds[0]).all()
    assert studies.make(study).values[:, 0] == pytest.approx([4, 4, 5, 5], abs=0.1)


def test_sensitivity_finds_the_parameter_that_matters():
    vary = {"/snookie/position/z": "uniform(2,4) m", "/snookie/approach/angle": "uniform(60,61) deg"}
    column = "snookie.max_depth"  # of a run that keeps its depth: the depth of the start
    for design, runs in (("saltelli", 64), ("morris", 8)):
        study = studies.make(fathom.Study(WALL, vary, design=design, runs=runs, duration=0.1, metrics=column))
        if design == "saltelli":
            found = study.sobol(column)
            assert found["/snookie/position/z"]["total"] == pytest.approx(1, abs=0.05)
            assert abs(found["/snookie/approach/angle"]["total"]) < 1e-3
        else:
            found = study.morris(column)
            assert found["/snookie/position/z"]["magnitude"] == pytest.approx(2, rel=0.01)  # m over its range
            assert found["/snookie/approach/angle"]["magnitude"] < 1e-3
    with pytest.raises(ValueError, match="saltelli"):
        study.sobol(column)


def test_what_cannot_vary_is_refused():
    with pytest.raises(LookupError, match="angel"):
        fathom.Study(WALL, {"/snookie/approach/angel": "10:90:5 deg"})
    with pytest.raises(LookupError, match="sobel"):
        fathom.Study(WALL, VARY, design="sobel")
    with pytest.raises(ValueError, match="gpu"):
        fathom.Study(WALL, VARY, backend="gpu")
    with pytest.raises(LookupError, match="deepness"):
        fathom.Study(WALL, VARY, metrics=["snookie.deepness"])


def test_a_run_that_fails_is_reported_and_marked():
    study = fathom.Study("bluerov2-hover", {"/rov/mass/mass": ["11 kg", "-1 kg", "12 kg"]}, duration=1)
    with pytest.warns(RuntimeWarning, match="1 of 3 runs failed.*mass"):
        studies.make(study)
    assert study.outcomes.tolist() == [1, 2, 1] and np.isnan(study.values[1]).all()
    assert isinstance(study.failure, fathom.FathomError)


def test_a_sweep_of_a_variant_keeps_its_values():
    model = fathom.load("bluerov2-hover").replace({"/rov/position": (1.0, 2.0, 7.0)})
    study = studies.make(fathom.Study(model, {"/rov/mass/mass": [11.0, 12.0]}, duration=0.01, metrics="rov.max_depth"))
    assert study.values[:, 0] == pytest.approx(7, abs=1e-3)


def test_an_interrupted_study_goes_on_with_the_same_bits(whole):
    study = long_study()
    with pytest.raises(KeyboardInterrupt):
        study.make(progress=lambda made, total: made and signal.raise_signal(signal.SIGINT))
    assert 0 < study.made < study.count
    studies.make(study)
    assert study.values.tobytes() == whole.values.tobytes() and study.outcomes.all()


def test_a_model_is_pickled_with_its_values_and_parts():
    model = fathom.load(WALL, parts={"snookie": tail}).replace({"/snookie/position": (1.0, 2.0, 5.5)})
    copy = pickle.loads(pickle.dumps(model))
    one, two = model.world(), copy.world()
    one.step(200)
    two.step(200)
    assert one.hash() == two.hash() and two.pose[0] != 0


def test_threads_and_processes_make_the_same_table():
    model = fathom.load(WALL, parts={"snookie": tail})
    def study():
        return fathom.Study(model, VARY, runs=2, duration=1, threads=1)
    alone = studies.make(study())
    with concurrent.futures.ThreadPoolExecutor(3) as threads:
        by_threads = studies.make(study(), executor=threads, parts=5)
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as processes:
        by_processes = studies.make(study(), executor=processes, parts=4)
    for other in (by_threads, by_processes):
        assert other.values.tobytes() == alone.values.tobytes()
        assert other.outcomes.tobytes() == alone.outcomes.tobytes() and other.engine == alone.engine


def test_a_killed_process_loses_nothing(whole):
    study, killed = long_study(threads=1), []
    with concurrent.futures.ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as executor:
        def kill(made, total):
            if made and not killed:
                killed.append(min(executor._processes))
                os.kill(killed[0], signal.SIGKILL)
        with pytest.warns(RuntimeWarning, match="has lost"):
            studies.make(study, executor=executor, parts=16, progress=kill)
    assert killed and study.values.tobytes() == whole.values.tobytes() and study.outcomes.all()


def test_a_worker_with_other_files_is_refused():
    study = fathom.Study(WALL, VARY, duration=1)
    with pytest.raises(fathom.errors.ModelError, match="differ"):
        studies.make_part(study._plan, study.identity + 1, 0, 1)


@pytest.fixture
def dask(tmp_path):
    """A scheduler and two workers as processes, on loopback."""
    distributed = pytest.importorskip("distributed")
    file = str(tmp_path / "scheduler.json")
    processes = [finding("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                         "--scheduler-file", file)]
    processes += [finding("distributed.cli.dask_worker", "--scheduler-file", file, "--host", "127.0.0.1", "--nthreads",
                          "1", "--no-nanny", "--no-dashboard", "--name", str(i), "--local-directory", str(tmp_path))
                  for i in range(2)]
    try:
        with distributed.Client(scheduler_file=file, timeout=60) as client:
            client.wait_for_workers(2, timeout=60)
            yield client, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


def test_a_dask_cluster_makes_the_same_table_also_when_a_worker_is_killed(dask, whole):
    client, processes = dask
    study, killed = long_study(threads=1), []

    def kill(made, total):
        if made and not killed:
            killed.append(processes[1])
            processes[1].send_signal(signal.SIGKILL)

    studies.make(study, executor=client, parts=16, progress=kill)
    assert killed and study.values.tobytes() == whole.values.tobytes() and study.outcomes.all()
    assert len(client.scheduler_info()["workers"]) == 1
    with client.get_executor() as pool:
        again = studies.make(fathom.Study(WALL, VARY, duration=1), executor=pool, parts=3)
    assert again.values.tobytes() == studies.make(fathom.Study(WALL, VARY, duration=1)).values.tobytes()


@pytest.mark.long
def test_ray_makes_the_same_table_also_when_a_worker_is_killed(whole):
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, _node_ip_address="127.0.0.1", log_to_driver=False,
             _temp_dir="/tmp/fathom-ray", configure_logging=False)
    try:
        study, killed = long_study(threads=1), []

        pid = ray.get(ray.remote(lambda: os.getpid()).remote())  # a worker, which makes parts next

        def kill(made, total):
            if made and not killed:
                killed.append(pid)
                os.kill(pid, signal.SIGKILL)

        studies.make(study, executor=studies.RayExecutor(num_cpus=1), parts=16, progress=kill)
        assert killed and study.values.tobytes() == whole.values.tobytes() and study.outcomes.all()
    finally:
        ray.shutdown()


def test_a_study_in_a_thread_can_be_cancelled():
    study, raised = long_study(), []

    def work():
        try:
            study.make()
        except fathom.errors.Cancelled as error:
            raised.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    while not study.made:
        thread.join(0.001)
    study.cancel()
    thread.join()
    assert raised and 0 < study.made < study.count
