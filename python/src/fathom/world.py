"""Worlds: everything that changes in a run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import errors
from ._arrays import KINDS, Floats, pointer, view
from ._library import NULL, check, encode, fault, ffi, lib, new_error, options, owned, text
from .model import Model


@dataclass(frozen=True)
class Event:
    """Something that happened in a step."""

    #: s since the start.
    time: float
    #: "": no vehicle.
    vehicle: str
    #: "contact", "waypoint reached" …; for programs.
    kind: str
    value: float
    #: For people.
    text: str


@dataclass(frozen=True)
class Water:
    """The water at a position."""

    #: m/s, NED: current and waves.
    velocity: Floats
    #: °C.
    temperature: float
    #: PSS-78.
    salinity: float
    #: S/m.
    conductivity: float
    #: Pa, absolute.
    pressure: float
    #: kg/m³.
    density: float
    #: m/s.
    sound_speed: float
    #: Depth of the water, m; infinite: no bottom.
    bottom: float


def _plain(name: str) -> str:
    return name.replace("-", "_").replace(".", "_").replace("/", "_")


class Instrument:
    """A sensor, or a controller with outputs: `world["dvl"].velocity`. Values are SI, in Fathom's axes.

    Arrays are views of the world's memory where the instrument uses SI: they change with the next step.
    """

    def __init__(self, vehicle: Vehicle, index: int) -> None:
        self._vehicle, self._index = vehicle, index
        world = vehicle._world
        info = lib.fm_world_instrument(world._handle, vehicle.slot, index)
        #: Name of the part, "dvl".
        self.name = text(info.name)
        #: Its element.
        self.kind = text(info.kind)
        #: s between two samples.
        self.period = float(info.period)
        self._fields: dict[str, int] = {}
        for i in range(info.field_count):
            name = text(lib.fm_world_instrument_field(world._handle, vehicle.slot, index, i).name)
            self._fields.setdefault(name, i)
            self._fields.setdefault(_plain(name), i)
        self._names = [name for name in self._fields if not any(_plain(o) == name and o != name for o in self._fields)]

    def _info(self) -> Any:
        return lib.fm_world_instrument(self._vehicle._world._handle, self._vehicle.slot, self._index)

    @property
    def time(self) -> float:
        """When the latest sample was taken, s since the start; NaN: no sample."""
        return float(self._info().time)

    @property
    def samples(self) -> int:
        """Number of samples so far."""
        return int(self._info().samples)

    @property
    def valid(self) -> bool:
        """False: no sample in the last period."""
        return bool(self._info().valid)

    def keys(self) -> list[str]:
        """Names of its fields."""
        return list(self._names)

    def unit(self, field: str) -> str:
        """SI unit of a field."""
        sample = lib.fm_world_instrument_field(
            self._vehicle._world._handle, self._vehicle.slot, self._index, self._find(field))
        return text(sample.unit)

    def _find(self, field: str) -> int:
        try:
            return self._fields[field]
        except KeyError:
            raise errors.UnknownName(
                f"instrument '{self.name}' has no field '{field}': it has {', '.join(self._names)}") from None

    def __getitem__(self, field: str) -> Any:
        """A number, an array, or a text; an image has the shape rows, columns, channels."""
        world = self._vehicle._world
        sample = lib.fm_world_instrument_field(world._handle, self._vehicle.slot, self._index, self._find(field))
        if sample.type == lib.FM_OUTPUT_TEXT:
            return text(ffi.cast("char *", sample.data))
        shape = self._shape(text(sample.name), int(sample.count))
        raw = view(sample.data, shape or (1,), KINDS[sample.type], world._handle)
        values = raw if sample.scale == 1 and sample.shift == 0 else sample.scale * raw + sample.shift
        return values if shape else values[0].item()

    def _count(self, field: str) -> int:
        """Of a field that the instrument may not have."""
        if field not in self._fields:
            return 0
        world = self._vehicle._world
        return int(lib.fm_world_instrument_field(
            world._handle, self._vehicle.slot, self._index, self._fields[field]).count)

    def _shape(self, field: str, count: int) -> tuple[int, ...]:
        """(): a number. Pictures: rows, columns and channels; images of echoes: ranges and beams; vectors of beams: one
        row each."""
        if count == 1:
            return ()
        beams = self._count("beam_directions")
        if field == "image.data" and beams and count % (beams // 3) == 0:
            return (count // (beams // 3), beams // 3)
        if field == "beam_directions":
            return (count // 3, 3)
        if field == "data" and "height" in self._fields and "width" in self._fields:
            rows, columns = int(self["height"]), int(self["width"])
            if rows and columns and count % (rows * columns) == 0:
                channels = count // (rows * columns)
                return (rows, columns) if channels == 1 else (rows, columns, channels)
        return (count,)

    def __getattr__(self, field: str) -> Any:
        if field.startswith("_"):
            raise AttributeError(field)
        try:
            return self[field]
        except errors.UnknownName as error:
            raise AttributeError(str(error)) from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(name for name in map(_plain, self._names))]

    def __repr__(self) -> str:
        return f"<fathom.Instrument {self._vehicle.name}.{self.name}: {', '.join(self._names)}>"


class Vehicle:
    """A vehicle of a world: its motion as views of the world's memory, its orders, instruments and parameters."""

    def __init__(self, world: World, slot: int) -> None:
        self._world = world
        #: Number in the world.
        self.slot = slot
        #: Its name.
        self.name = text(lib.fm_world_name(world._handle, slot))
        motion = view(owned(lib.fm_world_motion(world._handle, slot), new_error()), (13,), np.float64, world._handle)
        #: Position (m, NED) and attitude (quaternion w, x, y, z, body → world): 7 numbers, a view.
        self.pose: Floats = motion[:7]
        #: m, NED: a view.
        self.position: Floats = motion[:3]
        #: Quaternion w, x, y, z, body → world: a view. With posture="euler" phi, theta, psi (rad) and 0.
        self.attitude: Floats = motion[3:7]
        #: Over ground, body axes, m/s and rad/s: a view.
        self.velocity: Floats = motion[7:]
        names = []
        for i in range(lib.fm_world_column_count(world._handle, slot)):
            name = text(lib.fm_world_column_name(world._handle, slot, i))
            owner = ffi.new("fm_owner *")
            if lib.fm_world_owner(world._handle, slot, i, owner) != 0:
                break
            names.append(name)
        #: Names of the actuators, in the order of `orders`.
        self.actuators: list[str] = names
        self._orders: Floats | None = None
        self._instruments: dict[str, Instrument] = {}

    # --- motion ---

    @property
    def euler(self) -> Floats:
        """Roll, pitch and heading, rad; the heading in [0, 2π)."""
        pose = ffi.new("fm_pose *")
        check(lib.fm_world_pose(self._world._handle, self.slot, pose), new_error())
        return np.array([pose.euler[i] for i in range(3)])

    @property
    def heading(self) -> float:
        """rad, in [0, 2π)."""
        return float(self.euler[2])

    def place(self, position: Sequence[float], euler: Sequence[float] = (0, 0, 0),
              velocity: Sequence[float] = (0, 0, 0, 0, 0, 0)) -> None:
        """Puts the vehicle somewhere at once: m, NED; rad; m/s and rad/s in body axes. Not recorded."""
        half = np.asarray(euler, float) / 2
        (cr, cp, cy), (sr, sp, sy) = np.cos(half), np.sin(half)
        pose = ffi.new("fm_pose *")
        pose.position = [float(v) for v in position]
        pose.attitude = [cr * cp * cy + sr * sp * sy, sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy,
                         cr * cp * sy - sr * sp * cy]
        pose.velocity = [float(v) for v in velocity]
        self._world._call(lib.fm_world_place, encode(self.name), pose)

    # --- actuators and controllers ---

    @property
    def orders(self) -> Floats:
        """Orders for all actuators, in their units: write them, and each step applies them. Not copied.

        NaN, the value at the start, leaves an actuator to its controllers and to the schedule. An order takes the
        actuator; `release` gives it back.
        """
        if self._orders is None:
            self._orders = np.full(len(self.actuators), np.nan)
            self._order_pointer = pointer(self._orders)
            self._world._ordered.append(self)
        return self._orders

    @orders.setter
    def orders(self, values: Sequence[float] | Floats) -> None:
        self.orders[:] = values

    def _send_orders(self) -> None:
        # The library passes over NaN; the array stays where it is as long as the vehicle.
        if self._orders is not None:
            world = self._world
            if lib.fm_world_order_all(world._handle, self.slot, self._order_pointer, len(self._orders), world._error):
                world._fail()

    @property
    def values(self) -> Floats:
        """Present values of the actuators, in their units."""
        handle = self._world._handle
        return np.array([lib.fm_world_column(handle, self.slot, i) for i in range(len(self.actuators))])

    def order(self, actuator: str, value: float) -> None:
        """Orders an actuator, or each of a group, in its unit, and takes control of it."""
        self._world._call(lib.fm_world_order, encode(self.name), encode(actuator), value)

    def take(self, actuator: str | None = None) -> None:
        """Takes an actuator with its present order; None: all."""
        self._world._call(lib.fm_world_take, encode(self.name), NULL if actuator is None else encode(actuator))

    def release(self, what: str | None = None) -> None:
        """Gives back an actuator, a group or a setpoint; None: everything."""
        if self._orders is not None:
            for i, name in enumerate(self.actuators):
                if what is None or name.replace("_", "-") == what.replace("_", "-"):
                    self._orders[i] = np.nan
        self._world._call(lib.fm_world_release, encode(self.name), NULL if what is None else encode(what))

    def engage(self, controller: str | None = None) -> None:
        """Engages a controller again; None: all."""
        self._world._call(lib.fm_world_engage, encode(self.name), NULL if controller is None else encode(controller))

    def disengage(self, controller: str | None = None) -> None:
        """Disengages a controller: it keeps running but writes no actuators; None: all."""
        self._world._call(lib.fm_world_disengage, encode(self.name), NULL if controller is None else encode(controller))

    @property
    def setpoints(self) -> dict[str, float]:
        """Setpoints of its controllers, SI; NaN: not set."""
        handle, found = self._world._handle, {}
        for i in range(lib.fm_world_setpoint_count(handle, self.slot)):
            info = lib.fm_world_setpoint(handle, self.slot, i)
            found[text(info.name)] = float(info.value)
        return found

    def desire(self, setpoint: str, value: float) -> None:
        """Sets a setpoint, SI: it overrides the guidance until it is released."""
        self._world._call(lib.fm_world_desire, encode(self.name), encode(setpoint), value)

    def force(self, force: Sequence[float], moment: Sequence[float] = (0, 0, 0)) -> None:
        """Applies a force (N) and a moment (N·m, about the body origin), body axes, until it is changed."""
        self._world._call(lib.fm_world_force, encode(self.name), ffi.new("double[6]", [*map(float, (*force, *moment))]))

    def fault(self, part: str, **values: float) -> None:
        """Sets live parameters of an actuator or sensor: `fault("thruster-1", efficiency=0)`,
        `fault("dvl", fault=1)`."""
        for name, value in values.items():
            self._world.set(f"/{self.name}/{part}/{name}", value)

    def sense(self, what: str, value: float) -> None:
        """Sets a value of an instrument from outside, SI: `sense("ctd/temperature", 8.5)`."""
        self._world._call(lib.fm_world_sense, encode(self.name), encode(what), value)

    # --- waypoints ---

    @property
    def waypoints(self) -> list[tuple[float, float, float]]:
        """Positions of its waypoints, m, NED."""
        handle, name = self._world._handle, encode(self.name)
        count = lib.fm_world_waypoints(handle, name, NULL, NULL, 0)
        items = ffi.new("fm_waypoint[]", max(count, 1))
        lib.fm_world_waypoints(handle, name, NULL, items, count)
        return [(p.position[0], p.position[1], p.position[2]) for p in items[0:count]]

    @waypoints.setter
    def waypoints(self, positions: Sequence[Sequence[float]]) -> None:
        self._world._call(lib.fm_world_waypoint_clear, encode(self.name), NULL)
        for position in positions:
            self.add_waypoint(position)

    def add_waypoint(self, position: Sequence[float], speed: float = -1, hold: float = 0) -> None:
        """Adds a waypoint at the end: m, NED; m/s (below 0: that of the list); s."""
        point = ffi.new("fm_waypoint *", {"position": [float(v) for v in position], "speed": speed, "hold": hold})
        self._world._call(lib.fm_world_waypoint_add, encode(self.name), NULL, -1, point)

    # --- what it measures ---

    @property
    def instruments(self) -> list[str]:
        """Names of its instruments."""
        handle = self._world._handle
        count = lib.fm_world_instrument_count(handle, self.slot)
        return [text(lib.fm_world_instrument(handle, self.slot, i).name) for i in range(count)]

    def __getitem__(self, name: str) -> Instrument:
        """An instrument by its name."""
        if name not in self._instruments:
            index = lib.fm_world_instrument_find(self._world._handle, self.slot, encode(name))
            if index < 0:
                raise errors.UnknownName(f"vehicle '{self.name}' has no instrument '{name}': it has "
                                         f"{', '.join(self.instruments) or 'none'}")
            self._instruments[name] = Instrument(self, index)
        return self._instruments[name]

    @property
    def metrics(self) -> dict[str, float]:
        """Metrics so far, SI; NaN: never observed."""
        handle, found = self._world._handle, {}
        for i in range(lib.fm_world_metric_count(handle, self.slot)):
            info = lib.fm_world_metric(handle, self.slot, i)
            found[text(info.name)] = float(info.value)
        return found

    @property
    def verdict(self) -> str:
        """The outcome so far in one line; "": its parts report nothing."""
        line = ffi.new("char[512]")
        lib.fm_world_verdict(self._world._handle, self.slot, line, 512)
        return text(line)

    def __repr__(self) -> str:
        return f"<fathom.Vehicle {self.name}>"


class World:
    """A world in the starting state of a scenario. One thread at a time may use it; different worlds are independent,
    and the interpreter's lock is released while they step.

    seed     of all random numbers; default: the scenario's
    threads  that share its vehicles; results do not depend on it
    """

    def __init__(self, model: Model, *, seed: int | None = None, threads: int = 1, _handle: Any = None) -> None:
        self._error = new_error()
        if _handle is None:
            how = options("fm_world_options", threads=threads, seeded=seed is not None, seed=seed or 0)
            made = owned(lib.fm_world_create(model._handle, how, self._error), self._error)
            # The model must outlive the world, also when both are freed together.
            _handle = ffi.gc(made, lambda world, _model=model._handle, _keep=model._keep: lib.fm_world_free(world))
        #: The model it was made of.
        self.model = model
        self._handle = _handle
        self._ordered: list[Vehicle] = []
        self._vehicles: dict[str, Vehicle] = {}

    def _call(self, function: Any, *arguments: Any) -> None:
        if function(self._handle, *arguments, self._error):
            self._fail()

    def _fail(self) -> None:
        raised = _raised.pop(int(ffi.cast("intptr_t", self._handle)), None)
        error = fault(self._error)
        if raised is not None:
            raise raised from error
        raise error

    # --- stepping ---

    def step(self, n: int = 1) -> None:
        """Advances the world by `n` ticks, with the orders so far."""
        for vehicle in self._ordered:
            vehicle._send_orders()
        if n == 1:
            status = lib.fm_world_step(self._handle, self._error)
        else:
            status = lib.fm_world_advance(self._handle, n, NULL, self._error)
        if status:
            self._fail()

    def run_until(self, time: float) -> None:
        """Steps until a time, s since the start."""
        for vehicle in self._ordered:
            vehicle._send_orders()
        self._call(lib.fm_world_run_until, time)

    def cancel(self) -> None:
        """Cancels the current step or the next one, from any thread: it raises `Cancelled`."""
        lib.fm_world_cancel(self._handle)

    @property
    def time(self) -> float:
        """s since the start."""
        return float(lib.fm_world_time(self._handle))

    @property
    def tick(self) -> int:
        """Ticks since the start."""
        return int(lib.fm_world_tick(self._handle))

    @property
    def dt(self) -> float:
        """The tick, s."""
        return self.model.dt

    # --- vehicles ---

    @property
    def vehicles(self) -> dict[str, Vehicle]:
        """The vehicles that are in the world, by name."""
        found = {}
        for slot in range(lib.fm_world_slots(self._handle)):
            name = lib.fm_world_name(self._handle, slot)
            if name != NULL:
                found[text(name)] = self.vehicle(text(name))
        return found

    def vehicle(self, name: str) -> Vehicle:
        """A vehicle by its name."""
        slot = lib.fm_world_find(self._handle, encode(name))
        if slot < 0:
            raise errors.UnknownName(f"no vehicle '{name}' in the world")
        known = self._vehicles.get(name)
        if known is None or known.slot != slot:
            known = self._vehicles[name] = Vehicle(self, slot)
        return known

    @property
    def first(self) -> Vehicle:
        """The first vehicle."""
        for slot in range(lib.fm_world_slots(self._handle)):
            name = lib.fm_world_name(self._handle, slot)
            if name != NULL:
                return self.vehicle(text(name))
        raise errors.UnknownName("the world has no vehicle")

    def __getitem__(self, name: str) -> Any:
        """A vehicle, an instrument of the first vehicle that has it, or "vehicle.instrument"."""
        if lib.fm_world_find(self._handle, encode(name)) >= 0:
            return self.vehicle(name)
        vehicle, dot, part = name.partition(".")
        if dot and lib.fm_world_find(self._handle, encode(vehicle)) >= 0:
            return self.vehicle(vehicle)[part]
        for some in self.vehicles.values():
            if lib.fm_world_instrument_find(self._handle, some.slot, encode(name)) >= 0:
                return some[name]
        raise errors.UnknownName(f"no vehicle and no instrument '{name}' in the world")

    @property
    def pose(self) -> Floats:
        """Of the first vehicle: position (m, NED) and attitude (quaternion, body → world), a view."""
        return self.first.pose

    @property
    def velocity(self) -> Floats:
        """Of the first vehicle: over ground, body axes, m/s and rad/s, a view."""
        return self.first.velocity

    @property
    def orders(self) -> Floats:
        """Of the first vehicle: see `Vehicle.orders`."""
        return self.first.orders

    @orders.setter
    def orders(self, values: Sequence[float] | Floats) -> None:
        self.first.orders[:] = values

    def spawn(self, name: str, like: str, position: Sequence[float], euler: Sequence[float] = (0, 0, 0)) -> None:
        """Adds a vehicle at rest, at the start of the next step: m, NED; rad. `like` is a vehicle of the scenario, one
        of its <type>s, or a vehicle model. Needs a free slot (<world spare="…">)."""
        self._call(lib.fm_world_spawn, encode(name), encode(like), ffi.new("double[3]", [*map(float, position)]),
                   ffi.new("double[3]", [*map(float, euler)]))

    def remove(self, name: str) -> None:
        """Removes a vehicle, at the start of the next step."""
        self._call(lib.fm_world_remove, encode(name))
        self._ordered = [vehicle for vehicle in self._ordered if vehicle.name != name]

    # --- parameters, faults, the sea ---

    def set(self, path: str, value: float) -> None:
        """Sets a live parameter by its path, SI, from the next step on."""
        self._call(lib.fm_world_set, encode(path), float(value))

    def get(self, path: str) -> float:
        """Reads a parameter by its path, SI."""
        value = ffi.new("double *")
        self._call(lib.fm_world_get, encode(path), value)
        return float(value[0])

    def fault(self, part: str, **values: float) -> None:
        """A fault of the first vehicle: see `Vehicle.fault`."""
        self.first.fault(part, **values)

    def water(self, position: Sequence[float]) -> Water:
        """The water at a position (m, NED) now."""
        info = ffi.new("fm_water_info *")
        self._call(lib.fm_world_water, ffi.new("double[3]", [*map(float, position)]), info)
        return Water(np.array(list(info.velocity)), info.temperature, info.salinity, info.conductivity, info.pressure,
                     info.density, info.sound_speed, info.bottom)

    def read(self, *fields: str) -> dict[str, Any]:
        """Values of fields of the model (`Model.fields`), SI, as numbers or arrays."""
        found: dict[str, Any] = {}
        for name in fields:
            index = self.model._find_field(name)
            shape = self.model._field(index).shape
            values = np.empty(int(np.prod(shape)))
            self._call(lib.fm_world_read, ffi.new("size_t[1]", [index]), 1, pointer(values), len(values))
            found[name] = values.reshape(shape) if shape else float(values[0])
        return found

    @property
    def events(self) -> list[Event]:
        """Events of the last step."""
        items = ffi.new("const fm_event **")
        count = lib.fm_world_events(self._handle, items)
        return [Event(e.tick * self.dt, text(lib.fm_world_name(self._handle, e.slot)), text(e.kind), e.value,
                      text(e.text)) for e in (items[0][i] for i in range(count))]

    @property
    def metrics(self) -> dict[str, dict[str, float]]:
        """Metrics of each vehicle so far, SI."""
        return {name: vehicle.metrics for name, vehicle in self.vehicles.items()}

    # --- state ---

    def save(self) -> bytes:
        """Everything that changes, including the inputs that wait for the next step."""
        size = lib.fm_world_state_size(self._handle)
        buffer = bytearray(size)
        self._call(lib.fm_world_save, ffi.from_buffer(buffer), size)
        return bytes(buffer)

    def restore(self, state: bytes) -> None:
        """Restores a saved state of any world of the same model. Orders that were written to `orders` are kept."""
        self._call(lib.fm_world_restore, ffi.from_buffer(state), len(state))

    def reset(self) -> None:
        """Back to the state of tick 0."""
        self._call(lib.fm_world_reset)
        for vehicle in self._ordered:
            if vehicle._orders is not None:
                vehicle._orders[:] = np.nan

    def hash(self) -> int:
        """A hash of the state: equal states have equal hashes, here and in the program."""
        return int(lib.fm_world_hash(self._handle))

    def __repr__(self) -> str:
        return f"<fathom.World {self.model.title!r} at {self.time:g} s>"


#: Exceptions of parts in Python, by the address of their world; the step raises them.
_raised: dict[int, BaseException] = {}
_raised_lock = threading.Lock()


def note_raised(world: Any, error: BaseException) -> None:
    """A part has raised an exception in a step: the step ends with it."""
    with _raised_lock:
        _raised.setdefault(int(ffi.cast("intptr_t", world)), error)
    lib.fm_world_cancel(ffi.cast("fm_world *", world))


__all__ = ["Event", "Instrument", "Vehicle", "Water", "World"]
