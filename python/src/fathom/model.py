"""Models: scenarios that were read and checked."""

from __future__ import annotations

import difflib
import math
import os
import pathlib
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Union

from . import errors
from ._library import NULL, check, encode, fault, ffi, lib, new_error, options, owned, text, texts

if TYPE_CHECKING:
    from .parts import Part
    from .run import Run
    from .world import World

#: A value for a parameter: a number or numbers in SI, or text with a unit ("15 deg").
Value = Union[float, int, bool, str, Sequence[float]]


def _number(word: str) -> float | str:
    try:
        return float(word)
    except ValueError:
        return word


@dataclass(frozen=True)
class Parameter:
    """A parameter of a model: `/phoenix/autopilot/depth/kp`."""

    path: str
    #: A number, several numbers or a text, in `unit`; None: not set.
    value: float | tuple[float, ...] | str | None
    #: SI; "": no dimension.
    unit: str
    #: Limits of each number, in `unit`; -inf and inf: none.
    min: float
    max: float
    #: It may change in a running world (`World.set`).
    live: bool
    #: Given by a file or by `set`; otherwise it is the default.
    set: bool
    #: As written in the file: "15 deg".
    written: str
    #: One sentence for people.
    text: str


class _UnknownParameter(errors.UnknownName, KeyError):
    """A KeyError too, as of any mapping."""

    __str__ = Exception.__str__


class Params(Mapping[str, Parameter]):
    """The parameters of a model by their paths."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self._plain: dict[str, int] | None = None
        self._index = {
            text(lib.fm_model_param(handle, i).path): i for i in range(lib.fm_model_param_count(handle))
        }

    def _find(self, path: str) -> int | None:
        """Names match with - for _ as well, as everywhere."""
        if path not in self._index and self._plain is None:
            self._plain = {known.replace("-", "_"): i for known, i in self._index.items()}
        return self._index.get(path, (self._plain or {}).get(path.replace("-", "_")))

    def __contains__(self, path: object) -> bool:
        return isinstance(path, str) and self._find(path) is not None

    def __getitem__(self, path: str) -> Parameter:
        index = self._find(path)
        if index is None:
            near = difflib.get_close_matches(path, self._index, 1)
            raise _UnknownParameter(f"unknown parameter '{path}'" + (f"; near: '{near[0]}'" if near else ""))
        info = lib.fm_model_param(self._handle, index)
        unit = text(info.unit)
        words = text(info.value).removesuffix(f" {unit}" if unit else "")
        numbers = [_number(word) for word in words.split()]
        value: float | tuple[float, ...] | str | None = words or None
        if numbers and all(isinstance(number, float) for number in numbers):
            floats = tuple(float(number) for number in numbers)
            value = floats[0] if len(floats) == 1 else floats
        limited = info.min != 0 or info.max != 0
        return Parameter(
            path=text(info.path),
            value=value,
            unit=unit,
            min=info.min if limited else -math.inf,
            max=info.max if limited else math.inf,
            live=bool(info.live),
            set=bool(info.set),
            written=text(info.written),
            text=text(info.text),
        )

    def __iter__(self) -> Iterator[str]:
        return iter(self._index)

    def __len__(self) -> int:
        return len(self._index)

    def __repr__(self) -> str:
        return f"<{len(self)} parameters>"


@dataclass(frozen=True)
class Actuator:
    """An actuator of a vehicle."""

    name: str
    vehicle: str
    #: Name that orders a group of them; "": none.
    group: str
    #: What wrote it: "fin", "propeller".
    element: str
    #: Of orders and values.
    unit: str
    #: Accepted orders.
    min: float
    max: float
    #: Greatest change per second; 0: no limit.
    rate: float


@dataclass(frozen=True)
class Field:
    """Numbers of a world that can be observed: `rov.x`, `rov.dvl.velocity`."""

    name: str
    #: "": of the world.
    vehicle: str
    #: SI; "": no dimension.
    unit: str
    min: float
    max: float
    #: (): one number; of an image rows, columns, channels.
    shape: tuple[int, ...]
    #: Available in the engines simd and cuda of an environment.
    lanes: bool


class _Loading:
    """Takes the reports of the loader."""

    def __init__(self) -> None:
        self.errors: list[errors.FathomError] = []
        self.warnings: list[str] = []
        self.report = ffi.callback("void(*)(void *, const fm_error *)", self._report)
        self.warn = ffi.callback("void(*)(void *, const fm_error *)", self._warn)

    def _report(self, _user: Any, error: Any) -> None:
        self.errors.append(fault(error))

    def _warn(self, _user: Any, error: Any) -> None:
        self.warnings.append(str(fault(error)))


class Model:
    """A scenario that was read and checked. It never changes; any number of worlds and threads may share it.

    Made by `fathom.load`.
    """

    def __init__(self, handle: Any, keep: Sequence[Any] = (), recipe: _Recipe | None = None, how: Any = None) -> None:
        self._handle = ffi.gc(handle, lib.fm_model_free)
        self._keep = tuple(keep)  # what the model needs as long as it lives: parts, the model of a variant
        self._recipe = recipe  # loads it again, here with other settings or in another process; None: impossible
        self._how = how  # fm_load_options it was loaded with; None: a variant
        self._params: Params | None = None

    # --- what it is ---

    @property
    def title(self) -> str:
        """Title of the scenario."""
        return text(lib.fm_model_title(self._handle))

    @property
    def dt(self) -> float:
        """The tick of its worlds, s."""
        return float(lib.fm_model_dt(self._handle))

    @property
    def duration(self) -> float:
        """Duration of the scenario, s."""
        return float(lib.fm_model_duration(self._handle))

    @property
    def seed(self) -> int:
        """Seed of the scenario."""
        return int(lib.fm_model_seed(self._handle))

    @property
    def files(self) -> list[pathlib.Path]:
        """The files it was loaded from."""
        count = lib.fm_model_file_count(self._handle)
        return [pathlib.Path(text(lib.fm_model_file(self._handle, i).path)) for i in range(count)]

    @property
    def xml(self) -> str:
        """The scenario as XML with every value in force."""
        pointer = lib.fm_model_write(self._handle)
        if pointer == NULL:
            raise errors.OutOfMemory("no memory for the text of the model")
        try:
            return text(pointer)
        finally:
            lib.fm_free(pointer)

    @property
    def params(self) -> Params:
        """The parameters by their paths: `model.params["/rov/mass/mass"].value`."""
        if self._params is None:
            self._params = Params(self._handle)
        return self._params

    @property
    def vehicles(self) -> list[str]:
        """Names of the vehicles of the scenario that have actuators or fields."""
        return list(dict.fromkeys(field.vehicle for field in self.fields.values() if field.vehicle))

    @property
    def actuators(self) -> list[Actuator]:
        """The actuators of all vehicles, in the order of `Vehicle.orders`."""
        found = []
        for vehicle in range(lib.fm_model_vehicle_count(self._handle)):
            for i in range(lib.fm_model_actuator_count(self._handle, vehicle)):
                a = lib.fm_model_actuator(self._handle, vehicle, i)
                found.append(
                    Actuator(text(a.name), text(a.vehicle), text(a.group), text(a.element), text(a.unit), a.min, a.max,
                             a.rate)
                )
        return found

    @property
    def fields(self) -> dict[str, Field]:
        """What can be observed, by name: `"rov.position"`."""
        found = {}
        for i in range(lib.fm_model_field_count(self._handle)):
            field = self._field(i)
            found[f"{field.vehicle}.{field.name}" if field.vehicle else field.name] = field
        return found

    def _field(self, i: int) -> Field:
        info = lib.fm_model_field(self._handle, i)
        shape = tuple(int(info.shape[k]) for k in range(info.dimensions))
        return Field(text(info.name), text(info.vehicle), text(info.unit), info.min, info.max, shape, bool(info.lanes))

    def _find_field(self, name: str) -> int:
        error, found = new_error(), ffi.new("size_t *")
        check(lib.fm_model_field_find(self._handle, encode(name), found, error), error)
        return int(found[0])

    def __repr__(self) -> str:
        return f"<fathom.Model {self.title!r}: {', '.join(self.vehicles)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return (_Recipe.load, (self._known(),))

    def _known(self) -> _Recipe:
        if self._recipe is None:
            raise errors.ArgumentError("this variant cannot be loaded again: give its values to fathom.load(set=…)")
        return self._recipe

    def _loaded(self) -> Model:
        """The model as the loader makes it, with its options: what studies need, which load it again."""
        return self if self._how is not None else self._known().load()

    # --- what is made of it ---

    def replace(self, values: Mapping[str, Value]) -> Model:
        """The model with other values, by the paths of its parameters.

        Numbers are SI; text has a unit: `model.replace({"/rov/mass/mass": 11.5, "/rov/start/heading": "30 deg"})`.
        """
        numbers: list[int] = []
        given: list[float] = []
        for path, value in values.items():
            if isinstance(value, str):
                return self._reload(values)
            parts = [(path, value)] if isinstance(value, (int, float)) else [
                (f"{path}/{i}", item) for i, item in enumerate(value)
            ]
            for name, number in parts:
                error, found = new_error(), ffi.new("size_t *")
                check(lib.fm_model_param_find(self._handle, encode(name), found, error), error)
                numbers.append(found[0])
                given.append(float(number))
        error = new_error()
        handle = lib.fm_model_variant(
            self._handle, ffi.new("size_t[]", numbers or [0]), ffi.new("double[]", given or [0.0]), len(numbers), error
        )
        return Model(owned(handle, error), (self,), self._recipe_with(values))

    def _text_of(self, path: str, value: Value) -> str:
        if isinstance(value, str):
            return f"{path}={value}"
        if isinstance(value, bool):
            return f"{path}={'true' if value else 'false'}"
        parent = path if path in self.params else path.rpartition("/")[0]  # a vector, or one of its numbers
        if parent not in self.params:
            raise errors.UnknownName(f"unknown parameter '{path}'; Model.params lists them")
        numbers = " ".join(repr(float(v)) for v in ([value] if isinstance(value, (int, float)) else value))
        unit = self.params[parent].unit
        return f"{path}={numbers} {unit}".rstrip()

    def _recipe_with(self, values: Mapping[str, Value]) -> _Recipe | None:
        return self._recipe and self._recipe.also([self._text_of(path, value) for path, value in values.items()])

    def _reload(self, values: Mapping[str, Value]) -> Model:
        return self._known().also([self._text_of(path, value) for path, value in values.items()]).load()

    def world(self, *, seed: int | None = None, threads: int = 1) -> World:
        """A new world in the starting state of the scenario."""
        from .world import World

        return World(self, seed=seed, threads=threads)

    def run(self, **how: Any) -> Run:
        """A new run; see `fathom.Run`."""
        from .run import Run

        return Run(self, **how)


_VEHICLE = '<fathom version="1"><world dt="0.01 s" duration="60 s"/><vehicle name="{0}" model="{0}"/></fathom>'


def load(
    source: str | os.PathLike[str],
    *,
    set: Mapping[str, Value] | Iterable[str] = (),
    parts: Mapping[str, Part | Iterable[Part]] | None = None,
    elements: Iterable[Part] = (),
    models: Iterable[str | os.PathLike[str]] = (),
    bridges: bool = False,
) -> Model:
    """Loads a scenario: a file, the name of an installed scenario or of a vehicle model, or XML text.

    set       values that override the file: {"/rov/mass/mass": "11 kg"}; numbers are in the parameter's SI unit
    parts     parts in Python for vehicles, after their other parts: {"rov": controller}
    elements  parts in Python that the scenario names itself
    models    folders that are searched for vehicle models, before the installed ones
    bridges   open the scenario's <bridge>s in a server

    Raises a `FathomError` with file and line; its `others` are the further errors.
    """
    if isinstance(set, Mapping):
        numbers = {path: value for path, value in set.items() if not isinstance(value, (str, bool))}
        words = [f"{path}={_word(value)}" for path, value in set.items() if isinstance(value, (str, bool))]
    else:
        numbers, words = {}, list(set)
    given: list[tuple[Part, str]] = [(part, "") for part in elements]
    for vehicle, some in (parts or {}).items():
        given += [(part, vehicle) for part in ([some] if not isinstance(some, Iterable) else some)]
    kind, place = _find(source)
    recipe = _Recipe(kind, place, tuple(words), tuple(given), tuple(os.fspath(folder) for folder in models), bridges)
    model = recipe.load(warn=True)
    if numbers:
        model = recipe.also([model._text_of(path, value) for path, value in numbers.items()]).load()
    return model


@dataclass(frozen=True)
class _Recipe:
    """How a model was loaded: enough to load it again, also in another process with the same files."""

    #: "text", "file", "name" of an installed scenario, or "vehicle".
    kind: str
    place: str
    sets: tuple[str, ...]
    given: tuple[tuple[Part, str], ...]
    models: tuple[str, ...]
    bridges: bool

    def also(self, sets: Sequence[str]) -> _Recipe:
        return replace(self, sets=(*self.sets, *sets))

    def load(self, warn: bool = False) -> Model:
        return _load(self, warn)


def _word(value: Value) -> str:
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def _find(source: str | os.PathLike[str]) -> tuple[str, str]:
    """("text", XML), ("file", path), or a name: ("name", of a scenario), ("vehicle", of a model)."""
    place = os.fspath(source)
    if place.lstrip().startswith("<"):
        return "text", place
    if os.path.exists(place) or "/" in place or not isinstance(source, str):
        return "file", os.path.abspath(place)
    if _installed(place):
        return "name", place
    if "." in place:
        return "file", os.path.abspath(place)
    return "vehicle", place


def _installed(name: str) -> str:
    """The file of an installed scenario; "": none has this name."""
    error, path = new_error(), ffi.new("char[4096]")
    return text(path) if lib.fm_scenario_find(encode(name), path, 4096, error) == 0 else ""


def _load(recipe: _Recipe, warn: bool) -> Model:
    kind, place, sets, given, models = recipe.kind, recipe.place, recipe.sets, recipe.given, recipe.models
    keep: list[Any] = [part for part, _ in given]
    loading, error = _Loading(), new_error()
    rows = ffi.new("fm_load_part[]", max(len(given), 1))
    keep.append(rows)
    for row, (part, vehicle) in zip(rows, given):
        row.part_class = ffi.cast("struct fm_part_class *", part._class)
        if vehicle:
            keep.append(ffi.new("char[]", encode(vehicle)))
            row.vehicle = keep[-1]
    how = options("fm_load_options", keep, set=texts(sets, keep), set_count=len(sets), no_bridges=not recipe.bridges,
                  model_dirs=texts(models, keep), model_dir_count=len(models), report=loading.report,
                  warn=loading.warn, parts=rows, part_count=len(given))
    if kind in ("file", "name"):
        handle = lib.fm_model_load(encode(place if kind == "file" else _installed(place) or place), how, error)
    else:
        body = (place if kind == "text" else _VEHICLE.format(place)).encode()
        name = "text" if kind == "text" else place
        handle = lib.fm_model_load_memory(ffi.from_buffer(body), len(body), encode(name), how, error)
    for warning in loading.warnings if warn else ():
        warnings.warn(warning, errors.ModelWarning, stacklevel=4)
    if handle == NULL:
        first = fault(error)
        if kind == "vehicle" and isinstance(first, errors.UnknownName):
            first = errors.UnknownName(f"no scenario and no vehicle model is called '{place}': `fathom scenarios` and "
                                       "`fathom models` list them")
        first.others = loading.errors[1:]
        raise first
    return Model(handle, keep, recipe, how)
