"""Fits: parameters of a scenario from records, with 95 % intervals, as `fathom identify` finds them.

    fit = fathom.identify("tank.xml", "trial.csv", {"/rov/drag/X_u_absu": (-200, 0)}, maps={"rov.u": "surge"})
    fit["value"], fit["low"], fit["high"]
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import numpy.typing as npt

from . import errors
from ._arrays import Array, Floats, pointer, view
from ._library import NULL, check, encode, ffi, lib, new_error, options, owned, text, texts
from .model import Model, load
from .searches import Bounds
from .studies import need_xarray, processors, unit_of, watch

if TYPE_CHECKING:
    from xarray import Dataset

#: Files (logs, CSV, NetCDF), or the columns of one record: {"time": s, "depth": values} or {"depth": (values, "m")}.
Records = Union[str, "os.PathLike[str]", Iterable[Union[str, "os.PathLike[str]"]], Mapping[str, Any]]
#: {OURS: THEIRS} or texts "OURS=THEIRS[*FACTOR][+SHIFT]".
Links = Union[Mapping[str, str], Iterable[str]]

LOSSES = ("square", "huber", "cauchy")
STARTS = ("auto", "scenario", "data", "state")


def _links(given: Links) -> list[str]:
    if isinstance(given, str):
        return [given]
    return [f"{ours}={theirs}" for ours, theirs in given.items()] if isinstance(given, Mapping) else list(given)


def _fitted(model: Model, given: str | Iterable[str] | Mapping[str, Bounds | None]) -> list[str]:
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Mapping):
        return list(given)
    found = []
    for path, bounds in given.items():
        if bounds is None:
            found.append(path)
        elif isinstance(bounds, str):
            found.append(f"{path}={bounds}")
        else:
            found.append(f"{path}={float(bounds[0])!r}:{float(bounds[1])!r} {unit_of(model, path)}".rstrip())
    return found


def _series(records: Mapping[str, Any], keep: list[Any]) -> tuple[Any, int]:
    """A record in memory."""
    columns = {name: (value if isinstance(value, tuple) else (value, "")) for name, value in records.items()}
    if "time" not in columns:
        raise errors.ArgumentError("a record in memory needs the column 'time', s")
    arrays: dict[str, Floats] = {name: np.ascontiguousarray(values, float) for name, (values, _) in columns.items()}
    time = arrays.pop("time")
    rows = ffi.new("fm_fit_data[]", max(len(arrays), 1))
    for row, (name, values) in zip(rows, arrays.items()):
        if values.shape != time.shape or time.ndim != 1:
            raise errors.ArgumentError(f"column '{name}' has the shape {values.shape}, not that of 'time', {time.shape}")
        names = ffi.new("char[]", encode(name)), ffi.new("char[]", encode(columns[name][1]))
        row.name, row.unit, row.t, row.y, row.count = *names, pointer(time), pointer(values), len(time)
        keep.append(names)
    keep += [arrays, time, rows]
    return rows, len(arrays)


class Fit:
    """A fit: `identify` makes one and returns its table. The parameters are those of `identify`."""

    def __init__(self, model: Model | str | os.PathLike[str], records: Records,
                 fit: str | Iterable[str] | Mapping[str, Bounds | None], *, maps: Links = (), inputs: Links = (),
                 sigmas: Links = (), priors: Iterable[str] = (), biases: Iterable[str] = (),
                 delays: Iterable[str] = (), loss: str = "square", time_column: str | None = None,
                 where: Iterable[str] = (), between: Links = (), skip: Iterable[tuple[float, float]] = (),
                 start: str = "auto", segment: float = 0, check: float = 0.25, begin: float | None = None,
                 end: float | None = None, threads: int | None = None, iterations: int = 0, searches: int = 0,
                 journal: str | os.PathLike[str] | None = None, resume: bool = False,
                 progress: Callable[[int, float], Any] | None = None) -> None:
        for name, value, known in (("loss", loss, LOSSES), ("start", start, STARTS)):
            if value not in known:
                raise errors.ArgumentError(f"{name} is '{value}': must be one of {', '.join(known)}")
        model = (model if isinstance(model, Model) else load(model))._loaded()
        keep: list[Any] = [model]
        rows, row_count = _series(records, keep) if isinstance(records, Mapping) else (NULL, 0)
        files = [] if isinstance(records, Mapping) else [os.fspath(file) for file in (
            [records] if isinstance(records, (str, os.PathLike)) else records)]
        lists = {"parameters": _fitted(model, fit), "priors": list(priors), "records": files, "maps": _links(maps),
                 "inputs": _links(inputs), "sigmas": _links(sigmas), "biases": list(biases), "delays": list(delays),
                 "where": list(where), "betweens": _links(between),
                 "skips": [f"{float(a)!r}:{float(b)!r}" for a, b in skip]}
        how: dict[str, Any] = {}
        for name, words in lists.items():
            single = {"biases": "bias", "where": "where"}.get(name, name.removesuffix("s"))
            how[name], how[f"{single}_count"] = texts(words, keep), len(words)
        files_of = [NULL if word is None else ffi.new("char[]", encode(word)) for word in (time_column, journal)]
        self._raised: list[BaseException] = []
        self._progress = progress
        note = ffi.callback("int(*)(void *, int, double, const double *)", self._note)
        keep += [files_of, note]
        made_of = options("fm_fit_options", keep, load=model._how, data=rows, data_count=row_count,
                          loss=LOSSES.index(loss), time_column=files_of[0], from_given=begin is not None,
                          to_given=end is not None, start=STARTS.index(start), segment=segment, check=check,
                          threads=processors() if threads is None else threads, iterations=iterations,
                          searches=searches, journal=files_of[1], resume=resume,
                          progress=note if progress is not None else NULL, to=end or 0, **how)
        setattr(made_of, "from", begin or 0)
        error = new_error()
        made = owned(lib.fm_fit_create(model._handle, made_of, error), error)
        self._handle = ffi.gc(made, lambda fit, _keep=keep: lib.fm_fit_free(fit))
        count = lib.fm_fit_count(made)
        #: The model.
        self.model = model
        #: Names of the parameters, biases and delays.
        self.parameters: list[str] = [text(lib.fm_fit_name(made, i)) for i in range(count)]
        #: Their units.
        self.units: list[str] = [text(lib.fm_fit_unit(made, i)) for i in range(count)]
        #: Names of the compared quantities.
        self.quantities: list[str] = [text(lib.fm_fit_quantity_name(made, i))
                                      for i in range(lib.fm_fit_quantity_count(made))]

    def _note(self, _user: Any, iteration: int, misfit: float, _values: Any) -> int:
        try:
            if self._progress is not None:
                self._progress(iteration, misfit)
        except BaseException as error:  # any: it must not be lost in the library
            self._raised.append(error)
        return len(self._raised)

    def solve(self) -> Fit:
        """Finds the values and their intervals; once. Ctrl-C ends it."""
        error, status = new_error(), []
        watch(lambda: status.append(lib.fm_fit_solve(self._handle, error)), lambda: lib.fm_fit_cancel(self._handle))
        if self._raised:
            raise self._raised[0]
        check(status[0], error)
        return self

    def _array(self, data: Any) -> Floats:
        count = len(self.parameters)
        values: Floats = view(data(self._handle), (count,), np.float64, self._handle).copy()
        return values

    @property
    def values(self) -> Floats:
        """Found values, in `units`; before `solve` where it starts."""
        return self._array(lib.fm_fit_values)

    @property
    def low(self) -> Floats:
        """Lower ends of the 95 % intervals; NaN: at a bound, or none was found."""
        return self._array(lib.fm_fit_low)

    @property
    def high(self) -> Floats:
        """Upper ends of the 95 % intervals."""
        return self._array(lib.fm_fit_high)

    @property
    def deviations(self) -> Floats:
        """Standard deviations."""
        return self._array(lib.fm_fit_deviations)

    @property
    def covariance(self) -> Floats:
        """Covariance of the values, parameters × parameters."""
        count = len(self.parameters)
        found: Floats = view(lib.fm_fit_covariance(self._handle), (count, count), np.float64, self._handle).copy()
        return found

    @property
    def converged(self) -> bool:
        """The search converged."""
        return bool(lib.fm_fit_converged(self._handle))

    @property
    def trusted(self) -> bool:
        """It converged and nothing speaks against values and intervals; otherwise `notes` say what does."""
        return bool(lib.fm_fit_trusted(self._handle))

    @property
    def notes(self) -> list[str]:
        """Remarks about the result, one sentence each."""
        found: list[str] = []
        while (note := lib.fm_fit_note(self._handle, len(found))) != NULL:
            found.append(text(note))
        return found

    @property
    def misfit(self) -> float:
        """Weighted sum of squares over degrees of freedom: about 1 where the weights are those of the noise."""
        return float(lib.fm_fit_misfit(self._handle))

    @property
    def samples(self) -> Array:
        """Every recorded number beside that of the fitted run: a structured array with record, quantity (an index),
        checked, t (s), recorded, fitted and weight."""
        count = int(lib.fm_fit_sample_count(self._handle))
        kind = np.dtype([("record", np.uintp), ("quantity", np.uintp), ("checked", np.int32), ("t", float),
                         ("recorded", float), ("fitted", float), ("weight", float)], align=True)
        found = np.zeros(count, kind)
        if count:
            lib.fm_fit_samples(self._handle, 0, count, ffi.cast("fm_fit_sample *", ffi.from_buffer(found)))
        return found

    def xarray(self) -> Dataset:
        """Values, intervals and covariance over `parameter`, errors over `quantity`, and every compared number over
        `sample`."""
        import xarray

        names = {"parameter": self.parameters, "parameter_too": self.parameters, "quantity": self.quantities}
        data: Dataset = xarray.Dataset(coords=names)
        data["unit"] = ("parameter", self.units)
        for name, values, meaning in (("value", self.values, "found value"),
                                      ("low", self.low, "lower end of the 95 % interval"),
                                      ("high", self.high, "upper end of the 95 % interval"),
                                      ("deviation", self.deviations, "standard deviation")):
            data[name] = ("parameter", values, {"long_name": meaning})
        data["covariance"] = (("parameter", "parameter_too"), self.covariance, {"long_name": "covariance of the values"})
        for name, checked in (("rms", 0), ("rms_checked", 1)):
            data[name] = ("quantity", [float(lib.fm_fit_rms(self._handle, i, checked))
                                       for i in range(len(self.quantities))])
        data["quantity_unit"] = ("quantity", [text(lib.fm_fit_quantity_unit(self._handle, i))
                                              for i in range(len(self.quantities))])
        samples = self.samples
        data["sample_quantity"] = ("sample", np.array(self.quantities, object)[samples["quantity"].astype(int)])
        for name in ("record", "checked", "t", "recorded", "fitted", "weight"):
            data[name] = ("sample", samples[name].astype(bool) if name == "checked" else samples[name].copy())
        data.attrs.update(converged=self.converged, trusted=self.trusted, notes=self.notes, misfit=self.misfit,
                          runs=int(lib.fm_fit_runs(self._handle)), ended=text(lib.fm_fit_ended(self._handle)))
        return data

    def __repr__(self) -> str:
        found = ", ".join(f"{name} = {value:.6g} {unit}".rstrip()
                          for name, value, unit in zip(self.parameters, self.values, self.units))
        return f"<fathom.Fit {found}>"


def identify(model: Model | str | os.PathLike[str], records: Records,
             fit: str | Iterable[str] | Mapping[str, Bounds | None], **how: Any) -> Dataset:
    """Finds the values of parameters with which runs of a scenario best follow records, as `fathom identify` does.

    model       a Model, or what `fathom.load` accepts
    records     files (logs, CSV, NetCDF), or one record in memory: {"time": s, "speed": (values, "m/s")}
    fit         parameters: paths, or {path: (low, high)} in SI, {path: "LOW:HIGH UNIT"}, {path: None}
    maps        what is compared: {"rov.u": "speed"}, {"rov.z": "pressure*10.1+0.2"}; default: the usual names
    inputs      recorded controls, in the same way: {"rov.front": "command"}
    sigmas      noise: {"rov.u": "2 cm/s"}; default: from the residuals
    priors      "PATH~normal(MEAN,DEVIATION) UNIT": what is known of a parameter before
    biases      quantities that read too much by an unknown constant
    delays      quantities that are late by an unknown time; "record": all of a record
    loss        "square", "huber" or "cauchy": how much outliers count
    begin, end  s of the records: nothing before and after is used
    skip        [(a, b), …] s of the records that are left out
    where       "trial=3": only rows of tables with this number
    between     {"depth": "2:100"}: compare only while a series is between two numbers
    start       "scenario", "data", "state" or "auto": where runs begin
    segment     s after which runs begin again from the record; 0: never
    check       fraction at the end of each record that is predicted, not fitted
    threads, iterations, searches, journal, resume, time_column  as of `fathom identify`
    progress    progress(iteration, misfit)

    A warning reports values whose intervals cannot be trusted; `attrs["notes"]` say why.
    """
    need_xarray("fathom.identify")
    solved = Fit(model, records, fit, **how).solve()
    if not solved.trusted:
        warnings.warn("the intervals cannot be trusted: " + " ".join(solved.notes), RuntimeWarning, stacklevel=2)
    return solved.xarray()


__all__ = ["LOSSES", "STARTS", "Fit", "identify"]
