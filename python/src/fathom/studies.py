"""Studies: a scenario run many times over parameters, random values and seeds.

    results = fathom.sweep("snookie-wall", {"/snookie/approach/angle": "10:90:5 deg"})
    results["snookie_min_clearance"]

The table has the numbers, names and attributes of the file of `fathom sweep -o FILE.nc`.
"""

from __future__ import annotations

import contextlib
import importlib.util
import os
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import errors
from ._arrays import Array, Floats, pointer, view
from ._library import NULL, check, encode, fault, ffi, lib, new_error, options, owned, text, texts, version
from .model import Model, load

if TYPE_CHECKING:
    from xarray import Dataset

#: What makes the runs.
BACKENDS = ("auto", "worlds", "simd", "cuda", "fastest")
#: Which runs are made.
DESIGNS = ("factorial", "random", "latin", "sobol", "saltelli", "morris", "points")
#: Values of a parameter: numbers in SI, words, or text as of `fathom sweep --vary`: "10:90:5 deg", "normal(2,0.1) m/s".
Values = Union[str, Sequence[float], Sequence[str], Array]
#: Parameters that vary: {path: values}, or texts "PATH=VALUES" and "PATH~DISTRIBUTION".
Vary = Union[Mapping[str, Values], Iterable[str]]

NOT_RUN, FINISHED, FAILED = range(3)


def processors() -> int:
    """Number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def vary_texts(model: Model, vary: Vary) -> tuple[str, ...]:
    """As `fathom sweep --vary` has them."""
    if isinstance(vary, str):
        return (vary,)
    if not isinstance(vary, Mapping):
        return tuple(vary)
    return tuple(_vary_text(model, path, values) for path, values in vary.items())


def _vary_text(model: Model, path: str, values: Values) -> str:
    if isinstance(values, str):
        word = values.lstrip()
        return f"{path}~{word}" if word.split("(")[0].rstrip().isalpha() and "(" in word else f"{path}={word}"
    items = [values] if isinstance(values, (int, float)) else list(values)
    if not items:
        raise errors.ArgumentError(f"'{path}' has no values")
    if any(isinstance(item, str) for item in items):
        return f"{path}={','.join(map(str, items))}"
    return f"{path}={','.join(repr(float(item)) for item in items)} {unit_of(model, path)}".rstrip()


def unit_of(model: Model, path: str) -> str:
    """SI unit of a parameter, or of one number of it."""
    parent = path if path in model.params else path.rpartition("/")[0]
    return model.params[parent].unit if parent in model.params else ""


def watch(work: Callable[[], Any], cancel: Callable[[], Any], look: Callable[[], Any] | None = None) -> None:
    """Makes a long call that Ctrl-C cancels: signals reach the main thread only between calls of the library, so
    another thread makes it. `look` is called a few times per second."""
    if threading.current_thread() is not threading.main_thread():
        work()
        return
    thread = threading.Thread(target=work, name="fathom study")
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.25)
            if look is not None:
                look()
    finally:
        while thread.is_alive():
            cancel()
            thread.join(0.25)


@dataclass(frozen=True)
class _Plan:
    """What a study is made of, in a form that other processes can use."""

    model: Model
    vary: tuple[str, ...]
    runs: int
    design: str
    seed: int | None
    metrics: tuple[str, ...]
    duration: float | None
    threads: int
    backend: str
    single: bool


class Study:
    """The runs of a study and their results as arrays; `sweep` makes one and returns its table.

    The parameters are those of `sweep`. The study has made no runs yet: `make` makes them.
    """

    def __init__(self, model: Model | str | os.PathLike[str], vary: Vary = (), *, runs: int = 1,
                 design: str = "factorial", seed: int | None = None, metrics: Iterable[str] = (),
                 duration: float | None = None, threads: int | None = None, backend: str = "auto",
                 single: bool = False) -> None:
        model = model if isinstance(model, Model) else load(model)
        metrics = (metrics,) if isinstance(metrics, str) else tuple(metrics)
        if backend not in BACKENDS:
            raise errors.ArgumentError(f"backend is '{backend}': must be one of {', '.join(BACKENDS)}")
        if design not in DESIGNS:
            raise errors.UnknownName(f"design is '{design}': must be one of {', '.join(DESIGNS)}")
        self._open(_Plan(model._loaded(), vary_texts(model, vary), runs, design, seed, metrics, duration,
                         processors() if threads is None else threads, backend, single))

    @classmethod
    def _of(cls, plan: _Plan) -> Study:
        study = cls.__new__(cls)
        study._open(plan)
        return study

    def _open(self, plan: _Plan) -> None:
        self._plan = plan
        keep: list[Any] = [plan.model]
        how = options("fm_study_options", keep, load=plan.model._how, vary=texts(plan.vary, keep),
                      vary_count=len(plan.vary), runs=plan.runs, seeded=plan.seed is not None, seed=plan.seed or 0,
                      metrics=texts(plan.metrics, keep), metric_count=len(plan.metrics), duration=plan.duration or 0,
                      threads=plan.threads, backend=BACKENDS.index(plan.backend), single=plan.single,
                      design=DESIGNS.index(plan.design))
        error = new_error()
        made = owned(lib.fm_study_create(plan.model._handle, how, error), error)
        self._handle = ffi.gc(made, lambda study, _keep=keep: lib.fm_study_free(study))
        self._engine = ""
        self._failure: errors.FathomError | None = None
        #: The model.
        self.model = plan.model
        #: Number of runs.
        self.count = int(lib.fm_study_count(made))
        #: Equal for studies with equal results.
        self.identity = int(lib.fm_study_identity(made))
        #: Names of the results, "snookie.min_clearance": the columns of `values`.
        self.columns: list[str] = [text(lib.fm_study_column_name(made, i))
                                   for i in range(lib.fm_study_column_count(made))]
        #: Paths of the varied parameters: the columns of `inputs`.
        self.parameters: list[str] = [text(lib.fm_study_parameter_info(made, i).path)
                                      for i in range(lib.fm_study_parameter_count(made))]

    # --- runs ---

    def make(self, first: int = 0, count: int | None = None, *,
             progress: Callable[[int, int], Any] | None = None) -> Study:
        """Makes those of the runs `first` … `first + count - 1` that have no outcome yet; None: all.

        `progress(made, total)` is called a few times per second. Ctrl-C ends it; the results so far remain.
        """
        error = new_error()
        wanted = min(self.count - first, self.count if count is None else count)
        status: list[int] = []

        def look() -> None:
            if progress is not None:
                progress(self.made, self.count)

        watch(lambda: status.append(lib.fm_study_make(self._handle, first, max(wanted, 0), error)), self.cancel, look)
        check(status[0], error)
        if lib.fm_study_failure(self._handle).status and self._failure is None:
            self._failure = fault(ffi.new("fm_error *", lib.fm_study_failure(self._handle)))
        return self

    def cancel(self) -> None:
        """Ends `make`, from any thread: it raises `Cancelled`."""
        lib.fm_study_cancel(self._handle)

    @property
    def made(self) -> int:
        """Number of runs with an outcome."""
        return int(np.count_nonzero(self.outcomes))

    @property
    def engine(self) -> str:
        """What made the runs: "simd avx2 double"; "": none was made."""
        return text(lib.fm_study_engine(self._handle)) or self._engine

    @property
    def failure(self) -> errors.FathomError | None:
        """Why the first run that failed did; None: none failed."""
        return self._failure

    # --- results ---

    @property
    def outcomes(self) -> Array:
        """0: not run, 1: finished, 2: failed; of each run, a view."""
        return view(lib.fm_study_outcomes(self._handle), (self.count,), np.uint8, self._handle)

    @property
    def values(self) -> Floats:
        """Results in SI, runs × `columns`, a view; NaN: never observed, or not finished."""
        if not self.columns:
            return np.empty((self.count, 0))
        return view(lib.fm_study_values(self._handle), (self.count, len(self.columns)), np.float64, self._handle)

    @property
    def seeds(self) -> Array:
        """Seed of each run."""
        seeds = np.empty(self.count, np.uint64)
        lib.fm_study_inputs(self._handle, 0, self.count, ffi.cast("uint64_t *", ffi.from_buffer(seeds)), NULL)
        return seeds

    @property
    def inputs(self) -> Floats:
        """Values of the varied parameters in the units they were written with, runs × `parameters`; of a list of words
        its index."""
        inputs = np.empty((self.count, len(self.parameters)))
        if inputs.size:
            lib.fm_study_inputs(self._handle, 0, self.count, NULL, pointer(inputs))
        return inputs

    def sobol(self, column: str) -> dict[str, dict[str, float]]:
        """What a column depends on, after the design "saltelli": parts of its variance by parameter, `first` (that the
        parameter causes alone) and `total` (that vanishes if it is fixed), with 95 % intervals."""
        return self._indices("fm_study_sobol", lib.fm_study_index, column,
                             ("first", "first_low", "first_high", "total", "total_low", "total_high"))

    def morris(self, column: str) -> dict[str, dict[str, float]]:
        """Effects on a column when a parameter moves through its range, after the design "morris", SI: `magnitude` with
        a 95 % interval, `mean` and `deviation`."""
        return self._indices("fm_study_morris", lib.fm_study_effect, column,
                             ("magnitude", "low", "high", "mean", "deviation"))

    def _indices(self, kind: str, function: Any, column: str, members: tuple[str, ...]) -> dict[str, dict[str, float]]:
        if column not in self.columns:
            raise errors.UnknownName(f"no column '{column}': the study has {', '.join(self.columns)}")
        rows, error = ffi.new(f"{kind}[]", max(len(self.parameters), 1)), new_error()
        check(function(self._handle, self.columns.index(column), rows, len(self.parameters), error), error)
        return {path: {name: float(getattr(rows[i], name)) for name in members}
                for i, path in enumerate(self.parameters)}

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the table as `fathom sweep` does: NetCDF if the path ends with ".nc", else CSV."""
        error = new_error()
        check(lib.fm_study_write(self._handle, encode(path), encode(self._command()), error), error)

    def _command(self) -> str:
        return f"fathom.sweep in Python, {self.model.title or self.model.files[0].name}"

    def xarray(self) -> Dataset:
        """The table as a data set with the dimension `run`, as xarray reads the file of `write`."""
        import xarray

        plain = lib.fm_study_plan(self._handle)
        plan = text(plain)
        lib.fm_free(plain)
        file = str(self.model.files[0])
        data: Dataset = xarray.Dataset(attrs={
            "Conventions": "CF-1.10",
            "title": self.model.title or f"Sweep of {os.path.basename(file)}",
            "source": f"fathom {version()}",
            "history": self._command(),
            "scenario": file,
            "plan": plan,
            "design": self._plan.design,
            "design_runs": max(self._plan.runs, 1),
            "sweep_identity": f"{self.identity:016x}",
        })
        names: list[str] = []
        data[_name("seed", names)] = ("run", self.seeds.astype(np.int64), {"long_name": "seed of the random numbers"})
        data[_name("outcome", names)] = ("run", self.outcomes.astype(np.int8), {
            "long_name": "how the run ended",
            "flag_values": np.arange(3, dtype=np.int8),
            "flag_meanings": "not_run finished failed",
        })
        coordinates = ["seed", *self._add_inputs(data, names)]
        for i, column in enumerate(self.columns):
            unit, meaning = (text(found(self._handle, i)) for found in
                             (lib.fm_study_column_unit, lib.fm_study_column_text))
            data[_name(column, names)] = ("run", self.values[:, i].copy(),
                                          _attributes(unit, meaning or column, column, "output"))
        return data.set_coords(coordinates)

    def _add_inputs(self, data: Dataset, names: list[str]) -> list[str]:
        inputs, made = self.inputs, []
        for i, path in enumerate(self.parameters):
            info = lib.fm_study_parameter_info(self._handle, i)
            attributes = _attributes(text(info.unit), text(info.text) or path, path, "input")
            values: Array = inputs[:, i]
            if info.words != NULL:
                words = [text(info.words[k]) for k in range(info.word_count)]
                attributes = {key: value for key, value in attributes.items() if not key.startswith("unit")}
                attributes.update(flag_values=np.arange(len(words), dtype=np.int32),
                                  flag_meanings=" ".join(word.replace(" ", "_") for word in words), words=words)
                values = values.astype(np.int32)
            written = self._plan.vary[i]
            attributes["sampling"] = _sampling(written) if info.drawn else "listed"
            made.append(_name(path, names))
            data[made[-1]] = ("run", values, attributes)
        return made

    def __repr__(self) -> str:
        return f"<fathom.Study {self.model.title!r}: {self.made} of {self.count} runs>"


def _sampling(written: str) -> str:
    """The distribution of "PATH~normal(2,0.1) m", for CF."""
    name, _, numbers = written.split("~", 1)[1].partition("(")
    return "truncated_normal" if name.strip() == "normal" and numbers.count(",") == 3 else name.strip()


def _name(path: str, names: list[str]) -> str:
    """Name of a variable, as the program's files have it; the second of two alike gets a number."""
    name = ""
    for byte in encode(path):
        character = chr(byte)
        if len(name) < 200 and (character.isascii() and character.isalnum()):
            name += character
        elif name and len(name) < 200:
            name += "_"
    found, number = name, 2
    while found in names:
        found, number = f"{name}_{number}", number + 1
    names.append(found)
    return found


def _attributes(unit: str, meaning: str, path: str, role: str) -> dict[str, Any]:
    buffer = ffi.new("char[256]")
    return {"units": text(lib.fm_study_unit_cf(encode(unit), buffer, 256)), "unit_as_written": unit,
            "long_name": meaning, "path": path, "role": role}


def sweep(model: Model | str | os.PathLike[str], vary: Vary = (), *, runs: int = 1, design: str = "factorial",
          seed: int | None = None, metrics: Iterable[str] = (), duration: float | None = None,
          threads: int | None = None, backend: str = "auto", single: bool = False, executor: Any = None,
          parts: int | None = None, file: str | os.PathLike[str] | None = None,
          progress: Callable[[int, int], Any] | None = None) -> Dataset:
    """Runs a scenario many times and returns the table of results, as `fathom sweep` does.

    model     a Model, or what `fathom.load` accepts
    vary      {path: values}: numbers in SI, or text as of `fathom sweep --vary` ("10:90:5 deg", "normal(2,0.1) m/s")
    runs      runs of each combination, each with its own seed; with other designs than factorial the number of all runs
    design    "factorial", "random", "latin", "sobol"; "saltelli" and "morris" for sensitivity; "points": the i-th values
              of all parameters together
    seed      the first seed; default: the scenario's
    metrics   results, "VEHICLE.NAME", a shell pattern or an expression; default: all metrics of all vehicles
    duration  s; default: the scenario's
    threads   that make runs; results do not depend on it. Default: one per processor; with an executor 1 in each part
    backend   "auto", "worlds", "simd", "cuda" or "fastest"
    single    float instead of double, in lanes or on a GPU
    executor  makes the runs elsewhere: anything with submit(function, *arguments) that returns futures with result(),
              such as of concurrent.futures, a Dask client, or `fathom.studies.RayExecutor`. The table is the same, bit
              for bit
    parts     number of parts that the executor gets; default: 32
    file      also writes the table: NetCDF if it ends with ".nc", else CSV
    progress  progress(made, total) is called a few times per second

    A run that fails has the outcome 2 and NaN as its results, and a warning reports it.
    """
    need_xarray("fathom.sweep")
    if executor is not None and threads is None:
        threads = 1
    study = Study(model, vary, runs=runs, design=design, seed=seed, metrics=metrics, duration=duration,
                  threads=threads, backend=backend, single=single)
    make(study, executor=executor, parts=parts, progress=progress)
    if file is not None:
        study.write(file)
    return study.xarray()


def need_xarray(who: str) -> None:
    """Before the runs are made."""
    if importlib.util.find_spec("xarray") is None:
        raise ImportError(f"{who} returns an xarray.Dataset: pip install 'fathom-sim[studies]'; fathom.Study needs only "
                          "NumPy")


def make(study: Study, *, executor: Any = None, parts: int | None = None,
         progress: Callable[[int, int], Any] | None = None) -> Study:
    """Makes the runs of a study, here or by an executor; see `sweep`."""
    if executor is None:
        study.make(progress=progress)
    else:
        _spread(study, executor, parts or 32, progress)
    failed = int(np.count_nonzero(study.outcomes == FAILED))
    if failed:
        warnings.warn(f"{failed} of {study.count} runs failed; the first one: {study.failure}", RuntimeWarning,
                      stacklevel=3)
    return study


# --- other processes ---


def _spread(study: Study, executor: Any, parts: int, progress: Callable[[int, int], Any] | None) -> None:
    """Parts whose worker is lost are made again: by the executor, and where it gives up, by this process."""
    size = max(1, -(-study.count // parts))
    waiting = [(first, min(size, study.count - first)) for first in range(0, study.count, size)]
    for _ in range(2):
        waiting = _submit(study, executor, waiting, progress)
    if waiting:
        warnings.warn(f"the executor has lost {len(waiting)} of the parts: this process makes them", RuntimeWarning,
                      stacklevel=4)
        for first, count in waiting:
            study.make(first, count, progress=progress)


def _submit(study: Study, executor: Any, waiting: list[tuple[int, int]],
            progress: Callable[[int, int], Any] | None) -> list[tuple[int, int]]:
    """The parts that were lost."""
    lost: list[tuple[int, int]] = []
    futures: list[tuple[Any, tuple[int, int]]] = []
    for part in waiting:
        try:
            futures.append((executor.submit(make_part, study._plan, study.identity, *part), part))
        except (RuntimeError, OSError):  # a broken executor takes no work
            lost.append(part)
    try:
        while futures:
            future, part = futures[0]
            try:
                _take(study, part, future.result())
            except errors.FathomError:
                raise
            except Exception:  # of a worker that died; an error of its own comes again where the part is made again
                lost.append(part)
            futures.pop(0)
            if progress is not None:
                progress(study.made, study.count)
    finally:
        for future, _ in futures:
            with contextlib.suppress(Exception):
                future.cancel()
    return lost


def _take(study: Study, part: tuple[int, int], made: tuple[bytes, bytes, str, errors.FathomError | None]) -> None:
    outcomes, values, engine, failure = made
    error = new_error()
    check(lib.fm_study_put(study._handle, part[0], part[1], ffi.from_buffer(outcomes),
                           ffi.cast("double *", ffi.from_buffer(values)), error), error)
    study._engine = study._engine or engine
    if failure is not None and study._failure is None:
        study._failure = failure


_mine = threading.local()


def make_part(plan: _Plan, identity: int, first: int, count: int) -> tuple[bytes, bytes, str, errors.FathomError | None]:
    """Makes runs of a study of another process: outcomes, values, what made them, and why one failed."""
    study: Study | None = getattr(_mine, "study", None)
    if study is None or study.identity != identity:
        study = _mine.study = Study._of(plan)
    if study.identity != identity:
        _mine.study = None
        raise errors.ModelError("the files, plugins or version of Fathom of this worker differ from those of the "
                                f"process that asks for the runs of {plan.model.title!r}")
    study._failure = None
    study.make(first, count)
    stop = first + count
    return study.outcomes[first:stop].tobytes(), study.values[first:stop].tobytes(), study.engine, study.failure


class RayExecutor:
    """An executor for `sweep` on Ray, which must be initialised (`ray.init`).

    options  of `ray.remote`: num_cpus, max_retries … A part whose worker dies is made again by another
    """

    def __init__(self, **options: Any) -> None:
        import ray

        self._ray = ray
        self._options = {"max_retries": 3, **options}
        self._tasks: dict[Callable[..., Any], Any] = {}

    def submit(self, function: Callable[..., Any], *arguments: Any) -> _RayFuture:
        """Calls a function by a worker."""
        if function not in self._tasks:
            self._tasks[function] = self._ray.remote(**self._options)(function)
        return _RayFuture(self._ray, self._tasks[function].remote(*arguments))


class _RayFuture:
    def __init__(self, ray: Any, reference: Any) -> None:
        self._ray, self._reference = ray, reference

    def result(self) -> Any:
        """Waits for what the function returns."""
        try:
            return self._ray.get(self._reference)
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause or error from None

    def cancel(self) -> None:
        """Not begun: it does not begin."""
        self._ray.cancel(self._reference)


__all__ = ["BACKENDS", "RayExecutor", "Study", "make", "sweep"]
