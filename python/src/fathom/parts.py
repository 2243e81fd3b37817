"""Controllers, sensors and force terms in Python.

    @fathom.controller(period=0.1, state=1, params={"kp": 20.0})
    def hold_depth(part):
        error = part.position[2] - 5
        part.state[0] += error * part.period
        part.order("vertical", -part.params["kp"] * error - part.state[0])

    model = fathom.load("bluerov2-hover", parts={"rov": hold_depth})
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator, Mapping, MutableMapping, Sequence
from typing import Any, Union

import numpy as np

from . import errors
from ._arrays import KINDS, Array, Floats, view
from ._library import NULL, encode, ffi, lib, text
from .world import note_raised

#: Unit of an output, or unit and number of values.
Output = Union[str, tuple[str, int]]
#: Value of a parameter, or value and unit.
Default = Union[float, tuple[float, str]]


class _Params(Mapping[str, float]):
    """Live parameters in force, SI."""

    def __init__(self, names: Sequence[str], values: Any) -> None:
        self._names, self._values = names, values

    def __getitem__(self, name: str) -> float:
        return float(self._values[self._names.index(name)])

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Outputs(MutableMapping[str, Any]):
    """The sample that a sensor writes: numbers and arrays by name."""

    def __init__(self, places: Mapping[str, tuple[int, int]], values: Floats) -> None:
        self._places, self._values = places, values

    def __getitem__(self, name: str) -> Any:
        at, count = self._places[name]
        return self._values[at] if count == 1 else self._values[at : at + count]

    def __setitem__(self, name: str, value: Any) -> None:
        at, count = self._places[name]
        self._values[at : at + count] = value

    def __delitem__(self, name: str) -> None:
        raise TypeError("an output cannot be removed")

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


class Context:
    """One call of a part: the vehicle, the part's own state, and what it may write. Valid during the call.

    World axes are north-east-down, body axes forward-starboard-down; SI.
    """

    def __init__(self, part: Part, context: Any, actuators: Mapping[str, int]) -> None:
        self._part, self._context, self._actuators = part, context, actuators
        self._vehicle = context.vehicle

    def _view(self, data: Any, count: int, writable: bool = False) -> Floats:
        return view(data, (count,), np.float64, None, writable)

    @property
    def time(self) -> float:
        """s since the start."""
        return float(self._context.time)

    @property
    def tick(self) -> int:
        """Of the world."""
        return int(self._context.tick)

    @property
    def period(self) -> float:
        """s between two calls."""
        return float(self._context.period)

    @property
    def position(self) -> Floats:
        """m, NED."""
        return self._view(self._vehicle.position, 3)

    @property
    def attitude(self) -> Floats:
        """Quaternion w, x, y, z, body → world."""
        return self._view(self._vehicle.attitude, 4)

    @property
    def rotation(self) -> Floats:
        """The same as a matrix, 3 × 3."""
        return self._view(self._vehicle.rotation, 9).reshape(3, 3)

    @property
    def velocity(self) -> Floats:
        """Over ground, body axes, m/s and rad/s."""
        return self._view(self._vehicle.velocity, 6)

    @property
    def acceleration(self) -> Floats:
        """Rate of change of `velocity` over the last step, m/s² and rad/s²."""
        return self._view(self._vehicle.acceleration, 6)

    @property
    def water(self) -> Floats:
        """Velocity of the water here, m/s, NED."""
        return self._view(self._vehicle.water, 3)

    @property
    def altitude(self) -> float:
        """m above the bottom; infinite without one."""
        return float(self._vehicle.depth_below)

    @property
    def density(self) -> float:
        """Of the water here, kg/m³."""
        return float(self._vehicle.density)

    @property
    def gravity(self) -> float:
        """m/s²."""
        return float(self._vehicle.gravity)

    @property
    def charge(self) -> float:
        """J in the battery; 0: no battery."""
        return float(self._vehicle.charge)

    @property
    def state(self) -> Floats:
        """The part's own numbers, writable: saved, restored and hashed with the world."""
        return self._view(self._context.state, self._part.state_size, True)

    @property
    def params(self) -> Mapping[str, float]:
        """Live parameters in force, SI."""
        return _Params(self._part.param_names, ffi.cast("double *", self._context.live))

    @property
    def output(self) -> MutableMapping[str, Any]:
        """Of a sensor: the sample, to be written."""
        return _Outputs(self._part.places, self._view(self._context.output, self._part.output_size, True))

    @property
    def force(self) -> Floats:
        """Of a force term: force (N) and moment (N·m about the body origin), body axes; add to it."""
        if self._context.force == NULL:
            raise errors.ArgumentError(f"<{self._part.name}> is not a force term: it has no force")
        return self._view(self._context.force, 6, True)

    def _find(self, actuator: str) -> int:
        try:
            return self._actuators[actuator.replace("_", "-")]
        except KeyError:
            raise errors.UnknownName(f"<{self._part.name}>: no actuator '{actuator}': the vehicle has "
                                     f"{', '.join(self._actuators)}") from None

    @property
    def actuators(self) -> list[str]:
        """Names of the vehicle's actuators."""
        return list(self._actuators)

    def order(self, actuator: str, value: float) -> None:
        """Orders an actuator, in its unit; takes effect in this step."""
        lib.fm_actuator_order(self._context, self._find(actuator), value)

    def value(self, actuator: str) -> float:
        """The present value of an actuator, in its unit."""
        return float(lib.fm_actuator_value(self._context, self._find(actuator)))

    def sensor(self, name: str, field: str | None = None) -> Any:
        """The latest value of a field of one of the vehicle's sensors, SI: `sensor("dvl", "velocity")`; None: its first
        field."""
        world = ffi.cast("fm_world *", self._context.world)
        index = lib.fm_world_instrument_find(world, self._context.slot, encode(name))
        if index < 0:
            raise errors.UnknownName(f"<{self._part.name}>: the vehicle has no sensor '{name}'")
        info = lib.fm_world_instrument(world, self._context.slot, index)
        for i in range(info.field_count):
            sample = lib.fm_world_instrument_field(world, self._context.slot, index, i)
            if field is None or text(sample.name) == field:
                if sample.type == lib.FM_OUTPUT_TEXT:
                    return text(ffi.cast("char *", sample.data))
                raw = view(sample.data, (int(sample.count),), KINDS[sample.type], None)
                values: Array = sample.scale * raw + sample.shift
                return values[0].item() if sample.count == 1 else values
        raise errors.UnknownName(f"<{self._part.name}>: sensor '{name}' has no field '{field}'")

    def uniform(self, use: int = 0, index: int = 0) -> float:
        """A random number in [0, 1), the same for the same seed, tick, `use` and `index`."""
        return float(lib.fm_part_uniform(self._context, use, index))

    def normal(self, use: int = 0, index: int = 0) -> float:
        """A normal random number with mean 0 and standard deviation 1; see `uniform`."""
        return float(lib.fm_part_normal(self._context, use, index))


_loaded: dict[int, dict[str, int]] = {}  # actuators of a loaded part, by its key
_keys = itertools.count(1)


def _forget(thing: Any) -> None:
    _loaded.pop(int(ffi.cast("intptr_t", thing)), None)


_release: Any = ffi.callback("void(*)(void *)", _forget)


class Part:
    """A part in Python: give it to `fathom.load(parts={"vehicle": part})`. Made by `controller`, `sensor` and
    `force`."""

    def __init__(self, kind: int, function: Callable[[Context], Any], name: str, period: float, state: int | Sequence[float],
                 params: Mapping[str, Default], outputs: Mapping[str, Output]) -> None:
        self.function = function
        self._made = (kind, function, name, period, state, params, outputs)
        self.__module__, self.__qualname__ = function.__module__, function.__qualname__
        #: Name of its element and of the part.
        self.name = name.replace("_", "-")
        self.initial = [0.0] * state if isinstance(state, int) else [float(v) for v in state]
        #: Numbers of its state.
        self.state_size = len(self.initial)
        self.param_names = list(params)
        #: First number and count of each output.
        self.places: dict[str, tuple[int, int]] = {}
        self.output_size = 0
        self._keep: list[Any] = []
        self._build(kind, period, params, outputs)

    def __call__(self, context: Context) -> Any:
        """Calls the function, as a step does."""
        return self.function(context)

    def __iter__(self) -> Iterator[Part]:
        return iter((self,))

    def __reduce__(self) -> str | tuple[Any, ...]:
        """For other processes: by its name in its module, where it has one."""
        found: Any = sys.modules.get(self.__module__)
        for name in self.__qualname__.split("."):
            found = getattr(found, name, None)
        return self.__qualname__ if found is self else (Part, self._made)

    # --- the C class ---

    def _text(self, value: str) -> Any:
        self._keep.append(ffi.new("char[]", encode(value)))
        return self._keep[-1]

    def _new(self, kind: str, *init: Any) -> Any:
        self._keep.append(ffi.new(kind, *init))
        return self._keep[-1]

    def _attributes(self, period: float, params: Mapping[str, Default], forced: bool) -> tuple[Any, int]:
        """Parameters first, then what is not live: the period and the key."""
        rows = [(name, *(value if isinstance(value, tuple) else (value, "")), lib.FM_ATTR_LIVE)
                for name, value in params.items()]
        count = len(rows) + (0 if forced else 1)
        attributes = self._new("fm_attr[]", max(count, 1))
        for i, (name, value, unit, flags) in enumerate(rows):
            self._attribute(attributes[i], name.replace("_", "-"), unit, f"{float(value)!r} {unit}".strip(), 8 * i, flags)
        if not forced:
            self._attribute(attributes[count - 1], "period", "s", f"{period!r} s" if period else None, 8 * len(rows), 0)
        return attributes, count

    def _attribute(self, row: Any, name: str, unit: str, fallback: str | None, offset: int, flags: int) -> None:
        row.name, row.type, row.offset = self._text(name), lib.FM_ATTR_REAL, offset
        row.unit, row.flags, row.text = self._text(unit), flags, self._text("of a part in Python")
        if fallback is not None:
            row.fallback = self._text(fallback)

    def _outputs(self, outputs: Mapping[str, Output]) -> Any:
        rows = self._new("fm_output[]", max(len(outputs), 1))
        for row, (name, what) in zip(rows, outputs.items()):
            unit, count = (what, 1) if isinstance(what, str) else what
            row.field, row.unit, row.offset, row.count = self._text(name), self._text(unit), 8 * self.output_size, count
            self.places[name] = (self.output_size, count)
            self.output_size += count
        return rows

    def _build(self, kind: int, period: float, params: Mapping[str, Default], outputs: Mapping[str, Output]) -> None:
        attributes, count = self._attributes(period, params, kind == lib.FM_PART_FORCE)
        self._key_at = 8 * (len(params) + 1)
        element = self._new("fm_element *")
        element.name, element.text = self._text(self.name), self._text(self.function.__doc__ or "A part in Python.")
        element.attrs, element.attr_count, element.config_size = attributes, count, self._key_at + 8
        table = self._new("fm_part_class *")
        table.kind, table.element, table.live_size = kind, element, 8 * len(params)
        table.state_size = 8 * self.state_size
        table.outputs, table.output_count = self._outputs(outputs), len(outputs)
        table.output_size = 8 * self.output_size
        calls = (ffi.callback("fm_status(*)(fm_part_load *, void *, fm_error *)", self._load, error=lib.FM_ERR_MEMORY),
                 ffi.callback("void(*)(const fm_part_context *)", self._start),
                 ffi.callback("void(*)(const fm_part_context *)", self._run))
        self._keep.append(calls)
        table.load, table.start, table.run = calls
        self._class = table

    def _load(self, load: Any, config: Any, _error: Any) -> int:
        key = next(_keys)
        count = lib.fm_load_actuator_count(load)
        names = [text(lib.fm_load_actuator_info(load, i).name) for i in range(count)]
        if not lib.fm_load_on_free(load, _release, ffi.cast("void *", key)):
            return int(lib.FM_ERR_MEMORY)
        _loaded[key] = {name.replace("_", "-"): i for i, name in enumerate(names)}
        ffi.cast("int64_t *", ffi.cast("char *", config) + self._key_at)[0] = key
        return int(lib.FM_OK)

    def _start(self, context: Any) -> None:
        state = ffi.cast("double *", context.state)
        for i, value in enumerate(self.initial):
            state[i] = value

    def _run(self, context: Any) -> None:
        try:
            key = ffi.cast("int64_t *", ffi.cast("char *", context.config) + self._key_at)[0]
            self.function(Context(self, context, _loaded.get(key, {})))
        except BaseException as error:  # any: it must not be lost in the library
            note_raised(context.world, error)

    def __repr__(self) -> str:
        return f"<fathom.Part {self.name}>"


_Maker = Callable[[Callable[[Context], Any]], Part]


def controller(*, period: float = 0, name: str | None = None, state: int | Sequence[float] = 0,
               params: Mapping[str, Default] | None = None, outputs: Mapping[str, Output] | None = None) -> _Maker:
    """Makes a controller of a function: it reads the vehicle and orders actuators.

    period   s between two calls, a multiple of the vehicle's step; 0: that step
    state    number of its own numbers, or their initial values
    params   live parameters: {"kp": 2.0, "limit": (0.2, "rad")}
    outputs  what it reports: {"error": "m"}
    """
    return lambda function: Part(lib.FM_PART_CONTROLLER, function, name or function.__name__, period, state,
                                 params or {}, outputs or {})


def sensor(*, outputs: Mapping[str, Output], period: float = 0, name: str | None = None,
           state: int | Sequence[float] = 0, params: Mapping[str, Default] | None = None) -> _Maker:
    """Makes a sensor of a function: it writes `part.output[…]`, e.g. with outputs={"range": "m", "beams": ("m", 16)}."""
    return lambda function: Part(lib.FM_PART_SENSOR, function, name or function.__name__, period, state, params or {},
                                 outputs)


def force(*, name: str | None = None, state: int | Sequence[float] = 0,
          params: Mapping[str, Default] | None = None) -> _Maker:
    """Makes a force term of a function: it adds to `part.force` in each step of the vehicle."""
    return lambda function: Part(lib.FM_PART_FORCE, function, name or function.__name__, 0, state, params or {}, {})
