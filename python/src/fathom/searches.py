"""Searches: parameters, within bounds, that minimise or maximise what runs end with, or any numbers.

    found = fathom.optimise("remus-rise", {"/remus/avoid/gain": (2, 10)}, maximise="remus.min_altitude")
    found.attrs["best"]

    search = fathom.Optimiser({"gain": (0, 10)})
    while len(points := search.ask()):
        search.tell([cost(gain) for (gain,) in points])

The method is that of `fathom optimise`: CMA-ES, or NSGA-II for a Pareto front.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, Floats, pointer, view
from ._library import NULL, check, encode, ffi, lib, new_error, options, owned, text, texts
from .model import Model, load
from .studies import BACKENDS, need_xarray, processors, unit_of, watch

if TYPE_CHECKING:
    from xarray import Dataset

#: Bounds of a parameter: two numbers, in SI for a model, or text with a unit: "2:10 deg".
Bounds = Union[tuple[float, float], Sequence[float], str]
#: Parameters with their bounds: {path: bounds}, or texts "PATH=A:B UNIT".
Ranges = Union[Mapping[str, Bounds], Iterable[str]]


def _range_texts(model: Model | None, vary: Ranges) -> list[str]:
    if isinstance(vary, str):
        return [vary]
    if not isinstance(vary, Mapping):
        return list(vary)
    found = []
    for path, bounds in vary.items():
        if isinstance(bounds, str):
            found.append(f"{path}={bounds}")
        else:
            low, high = bounds
            found.append(f"{path}={float(low)!r}:{float(high)!r} {unit_of(model, path) if model else ''}".rstrip())
    return found


def _words(value: str | Iterable[str]) -> list[str]:
    return [value] if isinstance(value, str) else list(value)


class Optimiser:
    """A search whose points the caller evaluates: `ask` for points, `tell` their values, until `ask` returns none.

    vary         {name: (low, high)} or texts "NAME=LOW:HIGH UNIT"; at most 32
    start        where it starts; default: in the middle, or at the values of the model
    objectives   values per point that become small; more than one: a Pareto front
    constraints  further values per point, each fulfilled where it is at most 0
    generations  at most, in each search
    population   points per generation; default: 4 + 3 ln(parameters), or 40 for a front
    step         first steps, as a fraction of each range
    restarts     further searches from other starts, each with twice the population
    seed         of all random numbers

    The same seed and the same values give the same points.
    """

    def __init__(self, vary: Ranges, *, start: Sequence[float] | None = None, objectives: int = 1, constraints: int = 0,
                 generations: int = 60, population: int = 0, step: float = 0.2, restarts: int = 0,
                 seed: int | None = None) -> None:
        self._create(None, vary, start=start, told_objectives=objectives, told_constraints=constraints,
                     generations=generations, population=population, step=step, restarts=restarts,
                     seeded=seed is not None, seed=seed or 0)

    def _create(self, model: Model | None, vary: Ranges, *, start: Sequence[float] | None = None,
                journal: str | os.PathLike[str] | None = None, **how: Any) -> None:
        keep: list[Any] = [model]
        varied = _range_texts(model, vary)
        begin: Floats | None = None
        if start is not None:
            begin = np.ascontiguousarray(start, float)
            if begin.shape != (len(varied),):
                raise errors.ArgumentError(f"start has the shape {begin.shape}: must be ({len(varied)},)")
        keep.append(begin)
        for name in ("minimise", "maximise", "constraints"):
            given = how.pop(name, ())
            how[name], how[f"{name.removesuffix('s')}_count"] = texts(given, keep), len(given)
        file = NULL if journal is None else ffi.new("char[]", encode(journal))
        made_of = options("fm_search_options", keep, load=NULL if model is None else model._how,
                          vary=texts(varied, keep), vary_count=len(varied), journal=file,
                          start=NULL if begin is None else pointer(begin), **how)
        error = new_error()
        handle = NULL if model is None else model._handle
        made = owned(lib.fm_search_create(handle, made_of, error), error)
        self._handle = ffi.gc(made, lambda search, _keep=keep: lib.fm_search_free(search))
        self._waiting = 0
        count = lib.fm_search_parameter_count(made)
        #: Names of the parameters: the columns of the points.
        self.parameters: list[str] = [text(lib.fm_search_parameter_name(made, i)) for i in range(count)]
        #: Their units.
        self.units: list[str] = [text(lib.fm_search_parameter_unit(made, i)) for i in range(count)]
        #: Number of objectives.
        self.objectives = int(lib.fm_search_objective_count(made))
        #: Number of constraints.
        self.constraints = int(lib.fm_search_constraint_count(made))

    # --- the search ---

    def ask(self) -> Floats:
        """The points of the next generation, points × parameters, in the units of `vary`; none: the search has ended.
        The same points again until they are told."""
        room = int(lib.fm_search_ready(self._handle))
        points = np.empty((room, len(self.parameters)))
        count = int(lib.fm_search_ask(self._handle, pointer(points), room)) if room else 0
        self._waiting = count
        return points[:count]

    def tell(self, values: npt.ArrayLike) -> None:
        """Values of the points asked for: one number each, or objectives and constraints in each row. NaN: it failed."""
        width = self.objectives + self.constraints
        given = np.ascontiguousarray(values, float)
        rows = given.reshape(-1, 1) if given.ndim == 1 and width == 1 else given
        if rows.shape != (self._waiting, width):
            raise errors.ArgumentError(f"values have the shape {given.shape}: must be ({self._waiting}, {width}), one row "
                                       "for each point asked for")
        error = new_error()
        check(lib.fm_search_tell(self._handle, pointer(rows), len(rows), error), error)
        self._waiting = 0

    @property
    def ended(self) -> str:
        """Why it ended: "the search has converged"; "": it goes on."""
        return text(lib.fm_search_ended(self._handle))

    @property
    def width(self) -> float:
        """Present width of the distribution of points, in ranges; of a front: NaN."""
        return float(lib.fm_search_width(self._handle))

    # --- what it has found ---

    def _rows(self, data: Any, width: int) -> Floats:
        count = int(lib.fm_search_count(self._handle))
        if not count or not width:
            return np.empty((count, width))
        rows: Floats = view(data(self._handle), (count, width), np.float64, self._handle).copy()
        return rows

    @property
    def points(self) -> Floats:
        """All points told so far, points × parameters."""
        return self._rows(lib.fm_search_points, len(self.parameters))

    @property
    def values(self) -> Floats:
        """Their values, points × (objectives, constraints); NaN: it failed."""
        return self._rows(lib.fm_search_values, self.objectives + self.constraints)

    @property
    def best_index(self) -> int | None:
        """The best point: it fulfils the constraints and has the least first objective; None: none was told."""
        index, count = int(lib.fm_search_best(self._handle)), int(lib.fm_search_count(self._handle))
        return index if index < count else None

    @property
    def best(self) -> dict[str, float]:
        """The best point, by parameter, in the units of `vary`; empty: none was told."""
        index = self.best_index
        return {} if index is None else dict(zip(self.parameters, self.points[index].tolist()))

    @property
    def front(self) -> Array:
        """Indices of the points that no other one is better than in all objectives; with one objective the best one."""
        room = max(int(lib.fm_search_count(self._handle)), 1)
        found = np.empty(room, np.uintp)
        count = lib.fm_search_front(self._handle, ffi.cast("size_t *", ffi.from_buffer(found)), room)
        return found[:count].astype(np.intp)

    @property
    def feasible(self) -> Array:
        """Whether each point fulfils the constraints and did not fail."""
        count = int(lib.fm_search_count(self._handle))
        return np.array([bool(lib.fm_search_feasible(self._handle, i)) for i in range(count)], bool)

    def __repr__(self) -> str:
        return f"<fathom.Optimiser of {', '.join(self.parameters)}: {int(lib.fm_search_count(self._handle))} points>"

    def xarray(self) -> Dataset:
        """All points as a data set with the dimension `point`; `attrs` has the best one and why it ended."""
        import xarray

        data: Dataset = xarray.Dataset()
        points, values, count = self.points, self.values, int(lib.fm_search_count(self._handle))
        restart = ffi.new("size_t *")
        order = np.empty((count, 2), int)
        for i in range(count):
            order[i] = lib.fm_search_generation_of(self._handle, i, restart), restart[0]
        for name, column, meaning in (("generation", 0, "generation of the point"),
                                      ("restart", 1, "search that the point belongs to")):
            data[name] = ("point", order[:, column].copy(), {"long_name": meaning})
        for i, (name, unit) in enumerate(zip(self.parameters, self.units)):
            data[name] = ("point", points[:, i].copy(), {"units": unit or "1", "role": "input"})
        for i in range(values.shape[1]):
            name = text(lib.fm_search_value_name(self._handle, i)) or ("cost" if i == 0 else f"value {i}")
            role = "objective" if i < self.objectives else "constraint"
            data["cost" if self.objectives == 1 and i == 0 else name] = ("point", values[:, i].copy(), {
                "long_name": name, "role": role})
        on_front = np.zeros(count, bool)
        on_front[self.front] = True
        data["feasible"] = ("point", self.feasible, {"long_name": "it did not fail and fulfils the constraints"})
        data["front"] = ("point", on_front, {"long_name": "no other point is better in all objectives"})
        data.attrs.update(best=self.best, best_point=-1 if self.best_index is None else self.best_index,
                          ended=self.ended, runs=int(lib.fm_search_runs(self._handle)),
                          engine=text(lib.fm_search_engine(self._handle)))
        return data.set_coords(["generation", "restart", *self.parameters])


def optimise(model: Model | str | os.PathLike[str], vary: Ranges, *, minimise: str | Iterable[str] = (),
             maximise: str | Iterable[str] = (), constraints: str | Iterable[str] = (), pareto: bool = False,
             start: Sequence[float] | None = None, generations: int = 60, population: int = 0, step: float = 0.2,
             restarts: int = 0, noise_runs: int = 1, seed: int | None = None, duration: float | None = None,
             threads: int | None = None, backend: str = "auto", single: bool = False,
             journal: str | os.PathLike[str] | None = None, resume: bool = False,
             progress: Callable[[int, float], Any] | None = None) -> Dataset:
    """Searches for the parameters that optimise what runs end with, as `fathom optimise` does, and returns all points.

    model        a Model, or what `fathom.load` accepts
    vary         {path: (low, high)} in SI, or {path: "LOW:HIGH UNIT"}
    minimise     metrics "VEHICLE.NAME", patterns (the mean of all matches) or expressions, with an optional weight
    maximise     the same, maximised
    constraints  conditions: "max(remus.z) < 10 m"
    pareto       each goal is an objective of its own; otherwise their weighted sum is the only one
    noise_runs   runs per point with different seeds, averaged
    journal      a file that records every run; `resume` continues an interrupted search from it
    progress     progress(generations, width) is called after each generation
    others       as of `Optimiser` and `fathom.sweep`

    `attrs["best"]` is the best point. The same seed gives the same points on any number of threads.
    """
    need_xarray("fathom.optimise")
    model = (model if isinstance(model, Model) else load(model))._loaded()
    if backend not in BACKENDS:
        raise errors.ArgumentError(f"backend is '{backend}': must be one of {', '.join(BACKENDS)}")
    raised: list[BaseException] = []

    def note(_user: Any, search: Any) -> int:
        try:
            if progress is not None:
                progress(int(lib.fm_search_generations(search)), float(lib.fm_search_width(search)))
        except BaseException as error:  # any: it must not be lost in the library
            raised.append(error)
        return len(raised)

    callback = ffi.callback("int(*)(void *, const fm_search *)", note)
    search = Optimiser.__new__(Optimiser)
    search._create(model, vary, start=start, minimise=_words(minimise), maximise=_words(maximise),
                   constraints=_words(constraints), pareto=pareto, generations=generations, population=population,
                   step=step, restarts=restarts, noise_runs=noise_runs, seeded=seed is not None, seed=seed or 0,
                   duration=duration or 0, threads=processors() if threads is None else threads,
                   backend=BACKENDS.index(backend), single=single, journal=journal, resume=resume,
                   progress=callback if progress is not None else NULL)
    error, status = new_error(), []
    watch(lambda: status.append(lib.fm_search_run(search._handle, error)), lambda: lib.fm_search_cancel(search._handle))
    if raised:
        raise raised[0]
    check(status[0], error)
    return search.xarray()


__all__ = ["Optimiser", "optimise"]
