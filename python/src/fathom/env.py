"""Environments: n copies of one scenario, stepped together, with arrays of one row per environment.

`fathom.gym` makes Gymnasium environments of them.
"""

from __future__ import annotations

import ctypes
import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from . import errors
from ._arrays import Array, view
from ._library import NULL, check, encode, ffi, lib, new_error, options, owned, text, texts
from .model import Model

ENGINES = {"auto": 0, "worlds": 1, "simd": 2, "cuda": 3}
AUTORESET = {"manual": 0, "next_step": 1, "same_step": 2}
#: Why a row has ended, by the numbers of `Rows.reasons`.
REASONS = ("", "time limit", "diverged", "contact", "depth", "NaN action", "condition")
_ARRAYS = ("observations", "actions", "rewards", "terminated", "truncated", "reasons", "final_observations",
           "parameters", "keys", "episode_keys", "steps", "episodes")
_TYPES: dict[tuple[int, int], Any] = {
    (0, 8): np.int8, (0, 32): np.int32, (0, 64): np.int64, (1, 8): np.uint8, (1, 32): np.uint32, (1, 64): np.uint64,
    (2, 32): np.float32, (2, 64): np.float64, (6, 8): np.bool_,
}


@dataclass(frozen=True)
class Column:
    """A column of the observations or of the actions."""

    #: "rov.x", "rov.velocity[2]", "thruster-1".
    name: str
    #: SI; "": no dimension.
    unit: str
    #: Limits of the numbers in the array; -inf and inf: none.
    min: float
    max: float


class Moment:
    """What a judge is given: all rows after a step, before any of them is reset.

    `observation` and `action` have one row per environment; write `reward`, and set `terminated` to end rows. `xp` is
    the module of the arrays: NumPy, or on a GPU torch, or CuPy where there is no torch.
    """

    def __init__(self, rows: Rows, moment: Any) -> None:
        n, self.rows = int(moment.rows), rows
        kind: Any = np.float32 if moment.bits == 32 else np.float64
        #: The module of the arrays.
        self.xp: Any = np if moment.device_type == lib.FM_DL_CPU else on_device()
        self.observation = self._array(moment, moment.observation, (n, int(moment.observations)), kind)
        self.action = self._array(moment, moment.action, (n, int(moment.actions)), kind)
        self.reward = self._array(moment, moment.reward, (n,), kind)
        self.terminated = self._array(moment, moment.terminated, (n,), np.uint8)
        self.reasons = self._array(moment, moment.reasons, (n,), np.uint8)
        #: Since the start of the episode, this one included; 0: reset in place of this step.
        self.steps = self._array(moment, moment.steps, (n,), np.int64)

    def _array(self, moment: Any, pointer: Any, shape: tuple[int, ...], kind: Any) -> Any:
        if moment.device_type == lib.FM_DL_CPU:
            return view(pointer, shape, kind, None, writable=True)
        address = int(ffi.cast("intptr_t", pointer))
        face = {"shape": shape, "typestr": np.dtype(kind).str, "data": (address, False), "version": 2}
        holder = type("Pointer", (), {"__cuda_array_interface__": face})()
        if self.xp.__name__ == "torch":
            return self.xp.as_tensor(holder, device=f"cuda:{moment.device_id}")
        return self.xp.asarray(holder)

    def _clear(self) -> None:
        """Rows that were reset in place of this step have no reward and do not end."""
        begun = self.steps == 0
        for array in (self.reward, self.terminated):
            if self.xp.__name__ == "torch":
                array.masked_fill_(begun, 0)
            else:
                array[begun] = 0

    def __getitem__(self, name: str) -> Any:
        """Columns of the observations by the name of their field: one number per row, or several."""
        first, count = self.rows.places[name]
        return self.observation[:, first] if count == 1 else self.observation[:, first : first + count]


Judge = Callable[[Moment], None]


def on_device() -> Any:
    """The module that computes with arrays in the memory of a GPU: torch, or CuPy where there is no torch."""
    for name in ("torch", "cupy"):
        try:
            return importlib.import_module(name)
        except ImportError:
            continue
    raise errors.MissingError("arrays on a GPU need torch or CuPy: pip install fathom-sim[torch]")


class Exported:
    """An array for `from_dlpack` of NumPy, torch, JAX or CuPy: not copied; it keeps its memory alive."""

    def __init__(self, handle: Any, array: int, read_only: bool = True) -> None:
        self._handle, self._array, self._read_only = handle, array, read_only
        look = lib.fm_env_look(handle, array)
        self._device = (int(look.device_type), int(look.device_id))

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device

    def __dlpack__(self, *, stream: Any = None, max_version: tuple[int, int] | None = None, dl_device: Any = None,
                   copy: bool | None = None) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self._device):
            raise BufferError("the array is exported where it is, without a copy")
        error = new_error()
        managed = owned(lib.fm_env_export(self._handle, self._array, error), error)
        if not self._read_only:
            managed.flags = 0
        if self._device[0] == lib.FM_DL_CUDA:
            check(lib.fm_env_wait(self._handle, error), error)
        if max_version is not None and max_version[0] >= 1:
            return _capsule(int(ffi.cast("intptr_t", managed)), b"dltensor_versioned")
        return _capsule(_legacy(managed), b"dltensor")


_api = ctypes.pythonapi
_api.PyCapsule_New.restype = ctypes.py_object
_api.PyCapsule_New.argtypes = (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
_api.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
_api.PyCapsule_GetPointer.restype = ctypes.c_void_p
_api.PyCapsule_GetPointer.argtypes = (ctypes.c_void_p, ctypes.c_char_p)


class _Legacy(ctypes.Structure):
    """DLManagedTensor of DLPack before 1.0; its first member is a DLTensor."""


_Delete = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Legacy))
_TENSOR = ffi.sizeof("fm_dl_tensor")
_Legacy._fields_ = [("tensor", ctypes.c_char * _TENSOR), ("context", ctypes.c_void_p), ("deleter", _Delete)]
_legacies: dict[int, tuple[_Legacy, Any]] = {}


def _delete(pointer: Any) -> None:
    _, managed = _legacies.pop(ctypes.addressof(pointer.contents))
    managed.deleter(managed)


_delete_legacy: Any = _Delete(_delete)


def _legacy(managed: Any) -> int:
    made = _Legacy()
    ctypes.memmove(ctypes.addressof(made), int(ffi.cast("intptr_t", ffi.addressof(managed, "tensor"))), _TENSOR)
    made.deleter = _delete_legacy
    _legacies[ctypes.addressof(made)] = (made, managed)
    return ctypes.addressof(made)


def _drop(capsule: Any) -> None:
    """A capsule that was not taken over."""
    if _api.PyCapsule_IsValid(capsule, b"dltensor_versioned"):
        managed = ffi.cast("fm_dl_array *", _api.PyCapsule_GetPointer(capsule, b"dltensor_versioned"))
        managed.deleter(managed)
    elif _api.PyCapsule_IsValid(capsule, b"dltensor"):
        _delete_legacy(ctypes.cast(_api.PyCapsule_GetPointer(capsule, b"dltensor"), ctypes.POINTER(_Legacy)))


_drop_capsule: Any = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(_drop)


def _capsule(address: int, name: bytes) -> Any:
    return _api.PyCapsule_New(address, name, ctypes.cast(_drop_capsule, ctypes.c_void_p))


class Rows:
    """Environments of one scenario, one per row of the arrays.

    observations  fields of the model by name, one after the other in a row
    actions       actuators by name; none: all of the vehicle
    interval      s from one step to the next
    time_limit    s of an episode; 0: the scenario's duration; math.inf: none
    normalised    actions are -1 … 1 over the limits of each actuator
    parameters    paths of numbers that differ from row to row: columns of `parameters`
    judge         computes rewards and ends episodes
    """

    def __init__(self, model: Model, rows: int, *, engine: str = "auto", observations: Sequence[str] = (),
                 actions: Sequence[str] = (), vehicle: str | None = None, interval: float = 0, time_limit: float = 0,
                 depth_limit: float = 0, end_on_contact: bool = False, normalised: bool = True,
                 autoreset: str = "next_step", parameters: Sequence[str] = (), noise: Sequence[float] | None = None,
                 judge: Judge | None = None, seed: int | None = None, float64: bool = False, single: bool = False,
                 threads: int = 1, stream: int = 0) -> None:
        for name, value, known in (("engine", engine, ENGINES), ("autoreset", autoreset, AUTORESET)):
            if value not in known:
                raise errors.ArgumentError(f"{name} is '{value}': must be one of {', '.join(known)}")
        self._error = new_error()
        keep: list[Any] = []
        self._judge = judge
        self._next_step = autoreset == "next_step"
        self._queued: list[Any] = []
        self._raised: BaseException | None = None
        self._call = ffi.callback("void(*)(void *, const fm_env_moment *)", self._on_judge)
        how = options(
            "fm_env_options", keep, engine=ENGINES[engine], autoreset=AUTORESET[autoreset], float64=float64,
            single=single, threads=threads, vehicle=NULL if vehicle is None else texts([vehicle], keep)[0],
            observations=texts(observations, keep), observation_count=len(observations),
            actions=texts(actions, keep), action_count=len(actions), normalised=normalised, interval=interval,
            time_limit=time_limit, depth_limit=depth_limit, end_on_contact=end_on_contact,
            parameters=texts(parameters, keep), parameter_count=len(parameters), seeded=seed is not None,
            seed=seed or 0, stream=ffi.cast("void *", stream))
        if noise is not None:
            keep.append(ffi.new("double[]", [float(v) for v in noise]))
            how.noise = keep[-1]
        if judge is not None:
            how.judge = self._call
        made = owned(lib.fm_env_create(model._handle, rows, how, self._error), self._error)
        self._handle = ffi.gc(made, lambda env, _model=model._handle, _keep=model._keep: lib.fm_env_free(env))
        self.model = model
        #: Paths of the columns of `parameters`.
        self.paths = list(parameters)
        #: Number of rows.
        self.count = int(lib.fm_env_count(self._handle))
        #: s from one step to the next.
        self.interval = float(lib.fm_env_interval(self._handle))
        #: Columns of the observations and of the actions.
        self.observed = self._columns(lib.fm_env_observation, lib.FM_ENV_OBSERVATIONS)
        self.acted = self._columns(lib.fm_env_action, lib.FM_ENV_ACTIONS)
        #: First column and number of columns of each field of `observations`.
        self.places: dict[str, tuple[int, int]] = {}
        at = 0
        for name in observations or [column.name.rpartition(".")[2] for column in self.observed]:
            count = int(np.prod(model._field(model._find_field(name)).shape)) if observations else 1
            self.places[name] = (at, count)
            at += count
        #: Whether the arrays are in the memory of a GPU.
        look = lib.fm_env_look(self._handle, lib.FM_ENV_OBSERVATIONS)
        self.on_gpu = look.device_type == lib.FM_DL_CUDA
        self._device = int(look.device_id)
        self._views: dict[str, Array] = {}

    def _columns(self, ask: Any, array: int) -> list[Column]:
        found = []
        for i in range(lib.fm_env_look(self._handle, array).shape[1]):
            column = ask(self._handle, i)
            found.append(Column(text(column.name), text(column.unit), column.min, column.max))
        return found

    def _on_judge(self, _user: Any, moment: Any) -> None:
        try:
            if self._judge is not None:
                given = Moment(self, moment)
                self._judge(given)
                if self._next_step:
                    given._clear()
        except BaseException as error:  # any: it must not be lost in the library
            self._raised = error

    def _do(self, function: Any, *arguments: Any) -> None:
        status = function(self._handle, *arguments, self._error)
        raised, self._raised = self._raised, None
        if raised is not None:
            raise raised
        check(status, self._error)

    # --- arrays ---

    def array(self, name: str) -> Array:
        """An array in CPU memory, not copied: "observations", "actions", "rewards" … (fathom/env.h)."""
        if name not in self._views:
            look = lib.fm_env_look(self._handle, _ARRAYS.index(name))
            if look.device_type != lib.FM_DL_CPU:
                raise errors.ArgumentError(f"'{name}' is in the memory of a GPU: use export('{name}') with from_dlpack")
            shape = tuple(int(look.shape[i]) for i in range(look.ndim))
            writable = name in ("actions", "parameters", "keys")
            if look.data == NULL or 0 in shape:
                self._views[name] = np.empty(shape, _TYPES[look.code, look.bits])
            else:
                data = ffi.cast("char *", look.data) + look.byte_offset
                self._views[name] = view(data, shape, _TYPES[look.code, look.bits], self._handle, writable)
        return self._views[name]

    def export(self, name: str, read_only: bool = True) -> Exported:
        """The same for `torch.from_dlpack`, `jax.dlpack.from_dlpack` or `numpy.from_dlpack`, on the CPU or a GPU.

        read_only  arrays other than "actions", "parameters" and "keys" are marked as such, which some libraries refuse
        """
        return Exported(self._handle, _ARRAYS.index(name), read_only)

    @property
    def observations(self) -> Array:
        """(rows, columns)."""
        return self.array("observations")

    @property
    def actions(self) -> Array:
        """(rows, columns), writable: orders for the next step."""
        return self.array("actions")

    @property
    def rewards(self) -> Array:
        """(rows): of the last step."""
        return self.array("rewards")

    @property
    def terminated(self) -> Array:
        """(rows): the last step ended it."""
        return self.array("terminated")

    @property
    def truncated(self) -> Array:
        """(rows): the last step used up its time."""
        return self.array("truncated")

    @property
    def reasons(self) -> Array:
        """(rows): why it ended, a number of `REASONS`."""
        return self.array("reasons")

    @property
    def parameters(self) -> Array:
        """(rows, paths), SI, writable: `refresh` takes them, and each row uses its own from its next reset on."""
        return self.array("parameters")

    @property
    def keys(self) -> Array:
        """(rows), writable: the key of the next episode, from which all its random numbers follow."""
        return self.array("keys")

    # --- what happens ---

    def _given(self, array: Any, kind: str) -> Any:
        """The address of an array of "uint8" or "int32" where the rows are computed; it lives until the next one."""
        if array is None:
            return NULL
        if not self.on_gpu:
            made: Any = np.ascontiguousarray(array, kind)
            address = int(made.ctypes.data)
        elif (xp := on_device()).__name__ == "torch":
            made = xp.as_tensor(array, device=f"cuda:{self._device}").to(getattr(xp, kind)).contiguous()
            address = made.data_ptr()
        else:
            made = xp.ascontiguousarray(xp.asarray(array), dtype=kind)
            address = made.data.ptr
        self._queued = [*self._queued[-3:], made]
        return ffi.cast("uint8_t *" if kind == "uint8" else "uint32_t *", address)

    def reset(self, mask: Any = None) -> None:
        """Starts new episodes in the rows of a mask; None: in all. On a GPU a mask may be a tensor there."""
        self._do(lib.fm_env_reset, self._given(mask, "uint8"))

    def step(self) -> None:
        """Applies the actions and advances every row by one interval."""
        self._do(lib.fm_env_step)

    def refresh(self) -> None:
        """Takes over what was written to `parameters`."""
        self._do(lib.fm_env_refresh)

    def wait(self) -> None:
        """Waits until all that was queued on a GPU is done."""
        self._do(lib.fm_env_wait)

    def use_stream(self, stream: int) -> None:
        """Queues all further work on another CUDA stream."""
        self._do(lib.fm_env_set_stream, ffi.cast("void *", stream))

    def save(self, mask: Any = None) -> Any:
        """A saved state of the rows, for `restore`."""
        made = owned(lib.fm_env_state_create(self._handle, self._error), self._error)
        state = ffi.gc(made, lambda state, _env=self._handle: lib.fm_env_state_free(state))
        self._do(lib.fm_env_save, state, self._given(mask, "uint8"))
        return state

    def restore(self, state: Any, source: Any = None, mask: Any = None) -> None:
        """Restores rows: row i takes row source[i] of the state; None: the same row."""
        self._do(lib.fm_env_restore, state, self._given(source, "int32"), self._given(mask, "uint8"))

    @property
    def engine(self) -> str:
        """What computes the steps, and why: "simd avx2 double"."""
        return text(lib.fm_env_describe(self._handle))

    def __repr__(self) -> str:
        return f"<fathom.env.Rows {self.count} × {self.model.title!r}, {self.engine}>"


def mixed(keys: Array, salt: int) -> Array:
    """64-bit numbers that follow from keys: splitmix64."""
    with np.errstate(over="ignore"):
        z = np.asarray(keys, np.uint64) + np.uint64((salt * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) % (1 << 64))
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        mixed_: Array = z ^ (z >> np.uint64(31))
        return mixed_


def uniform(keys: Array, salt: int, low: float, high: float) -> Array:
    """Numbers in [low, high) that follow from keys."""
    return low + (high - low) * (mixed(keys, salt) >> np.uint64(11)).astype(float) * 2.0**-53


__all__ = ["AUTORESET", "ENGINES", "REASONS", "Column", "Exported", "Judge", "Moment", "Rows",
           "mixed", "on_device", "uniform"]
