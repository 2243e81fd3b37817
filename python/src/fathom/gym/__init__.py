"""Gymnasium environments: `gymnasium.make("Fathom/BlueROV2Station-v0")`, alone or vectorised.

    import gymnasium
    env = gymnasium.make("Fathom/BlueROV2Station-v0")
    envs = gymnasium.make_vec("Fathom/BlueROV2Station-v0", num_envs=4096)

`fathom.gym.TASKS` describes the tasks. Own tasks are `Task`s given to `Env` and `VectorEnv`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from .. import env as core
from .. import errors
from .._arrays import Array
from ..model import Model, load
from .arrays import Arrays, Jax as _Jax, Numpy as _Numpy, Torch as _Torch
from .tasks import TASKS, Task

_MODES = {AutoresetMode.NEXT_STEP: "next_step", AutoresetMode.SAME_STEP: "same_step", AutoresetMode.DISABLED: "manual"}

_ARRAYS: dict[str, type[Arrays]] = {"numpy": _Numpy, "torch": _Torch, "jax": _Jax}


def _task(task: str | Task) -> Task:
    if isinstance(task, Task):
        return task
    if task not in TASKS:
        raise errors.UnknownName(f"no task '{task}': must be one of {', '.join(TASKS)}")
    return TASKS[task]


class _Episodes:
    """Rows of a task, whose keys and parameters follow from a seed, the row and the number of its episode."""

    def __init__(self, task: Task, count: int, model: Model | None, autoreset: str, randomise: Mapping[str, tuple[float, float]],
                 how: dict[str, Any]) -> None:
        self.task = task
        self.ranges = {**task.start, **randomise}
        how = {"engine": task.engine, "interval": task.interval, "time_limit": task.time_limit,
               "depth_limit": task.depth_limit, "end_on_contact": task.end_on_contact, **how}
        how.update(observations=task.observations + task.hidden, actions=task.actions, vehicle=task.vehicle,
                   autoreset=autoreset, judge=task.judge, parameters=list(self.ranges))
        self.rows = self._rows(model or load(task.scenario), count, how)
        last = task.observations[-1]
        self.width = self.rows.places[last][0] + self.rows.places[last][1]
        self._seeds = np.zeros(count, np.uint64)
        self._episode = np.zeros(count, np.uint64)
        kind = np.float64 if how.get("float64") else np.float32
        self.observation_space = self._box(self.rows.observed[: self.width], kind)
        self.action_space = self._box(self.rows.acted, kind)

    @staticmethod
    def _rows(model: Model, count: int, how: dict[str, Any]) -> core.Rows:
        """Rows; engine "processor": lanes if they can compute the task, else worlds."""
        if how["engine"] != "processor":
            return core.Rows(model, count, **how)
        try:
            return core.Rows(model, count, **{**how, "engine": "simd"})
        except errors.FathomError:
            return core.Rows(model, count, **{**how, "engine": "worlds"})

    @staticmethod
    def _box(columns: Sequence[core.Column], kind: Any) -> gymnasium.spaces.Box:
        low = np.array([column.min for column in columns], kind)
        high = np.array([column.max for column in columns], kind)
        return gymnasium.spaces.Box(low, high, dtype=kind)

    def seed(self, seeds: Array) -> None:
        self._seeds[:] = core.mixed(np.asarray(seeds, np.uint64), 0)
        self._episode[:] = 0

    def prepare(self, mask: Array | None = None) -> None:
        """Sets keys and parameters of the next episodes of these rows."""
        where = np.ones(self.rows.count, bool) if mask is None else mask
        if not where.any():
            return
        with np.errstate(over="ignore"):
            keys = core.mixed(self._seeds + self._episode * np.uint64(0x9E3779B97F4A7C15), 1)
        if not self.rows.on_gpu:
            self.rows.keys[where] = keys[where]
        for column, (low, high) in enumerate(self.ranges.values()):
            self.rows.parameters[where, column] = core.uniform(keys[where], 2 + column, low, high)
        if self.ranges:
            self.rows.refresh()
        self._episode[where] += np.uint64(1)

    def seen(self) -> Array:
        return self.rows.observations[:, : self.width].copy()


class Env(gymnasium.Env[Array, Array]):
    """One environment of a task.

    task       name of a task, or a `Task`
    model      another model for it
    randomise  domain randomisation: ranges of parameters by their paths, drawn for each episode
    how        options of `fathom.env.Rows`: engine, interval, time_limit, noise …
    """

    metadata: dict[str, Any] = {"render_modes": []}

    def __init__(self, task: str | Task, *, model: Model | None = None,
                 randomise: Mapping[str, tuple[float, float]] | None = None, render_mode: str | None = None,
                 **how: Any) -> None:
        self.task = _task(task)
        self.render_mode = render_mode
        self._episodes = _Episodes(self.task, 1, model, "manual", randomise or {}, {"engine": "worlds", **how})
        #: The row of arrays that it is.
        self.rows = self._episodes.rows
        self.observation_space = self._episodes.observation_space
        self.action_space = self._episodes.action_space

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Array, dict[str, Any]]:
        """Starts an episode; the same seed starts the same one."""
        super().reset(seed=seed)
        if seed is not None or not self._episodes._seeds[0]:
            given = self.np_random_seed if seed is None else seed
            self._episodes.seed(np.array([int(given) % (1 << 64)], np.uint64))
        self._episodes.prepare()
        self.rows.reset()
        return self._episodes.seen()[0], {}

    def step(self, action: Array) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        """Advances by one interval. The info has the reason of an end."""
        self.rows.actions[0] = action
        self.rows.step()
        info = {"reason": core.REASONS[self.rows.reasons[0]]} if self.rows.reasons[0] else {}
        return (self._episodes.seen()[0], float(self.rows.rewards[0]), bool(self.rows.terminated[0]),
                bool(self.rows.truncated[0]), info)


class VectorEnv(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Environments of a task as arrays: in lanes of the processor, as worlds, or on a GPU.

    num_envs        number of environments
    task            name of a task, or a `Task`
    autoreset_mode  of Gymnasium: NEXT_STEP, SAME_STEP, DISABLED (then `reset` with options={"reset_mask": mask})
    randomise       domain randomisation: ranges of parameters by their paths, drawn for each episode. On a GPU they,
                    and the starts, are drawn by `reset`; a row that begins again by itself keeps its own
    arrays          "numpy"; "torch": tensors that share the memory of the environments, which change with the next
                    step; or "jax": copies where the environments are computed. Nothing passes through CPU memory with
                    an engine on a GPU
    how             options of `fathom.env.Rows`: engine, interval, time_limit, noise, threads, single …
    """

    def __init__(self, num_envs: int = 1, task: str | Task = "BlueROV2Station", *, model: Model | None = None,
                 autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
                 randomise: Mapping[str, tuple[float, float]] | None = None, arrays: str = "numpy",
                 render_mode: str | None = None, **how: Any) -> None:
        mode = AutoresetMode(autoreset_mode)
        self.task = _task(task)
        self.render_mode = render_mode
        self.metadata = {"render_modes": [], "autoreset_mode": mode}
        self.num_envs = num_envs
        self._mode = mode
        if arrays not in _ARRAYS:
            raise errors.ArgumentError(f"arrays is '{arrays}': must be {', '.join(_ARRAYS)}")
        if arrays == "numpy" and how.get("engine", self.task.engine) == "auto":
            how["engine"] = "processor"
        self._episodes = _Episodes(self.task, num_envs, model, _MODES[mode], randomise or {}, how)
        #: The row of arrays that it is.
        self.rows = self._episodes.rows
        self.single_observation_space = self._episodes.observation_space
        self.single_action_space = self._episodes.action_space
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        if arrays == "numpy" and self.rows.on_gpu:
            raise errors.ArgumentError("arrays='numpy' needs an engine of the processor: use torch or jax on a GPU")
        self._arrays: Arrays = _ARRAYS[arrays](self.rows)

    def _seeds(self, seed: int | Sequence[int | None] | None) -> Array | None:
        if seed is None:
            return None
        if isinstance(seed, int):
            return np.arange(seed, seed + self.num_envs, dtype=np.uint64)
        return np.array([self.np_random.integers(1 << 63) if one is None else one for one in seed], np.uint64)

    def reset(self, *, seed: int | Sequence[int | None] | None = None,
              options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts episodes: environment i has the ones of an `Env` with the seed `seed` + i."""
        mask: Any = None if options is None else options.get("reset_mask")
        if hasattr(mask, "cpu"):
            mask = mask.cpu()
        rows = None if mask is None else np.asarray(mask, bool)
        seeds = self._seeds(seed)
        if seeds is None and not self._episodes._seeds.any():
            seeds = np.arange(self.num_envs, dtype=np.uint64) + np.uint64(np.random.SeedSequence().entropy % (1 << 63))  # type: ignore[operator]
        if seeds is not None:
            self._episodes.seed(seeds)
        self._arrays.begin()
        self._episodes.prepare(rows)
        self.rows.reset(rows)
        if not self.rows.on_gpu and rows is None and self._mode != AutoresetMode.DISABLED:
            self._episodes.prepare()  # of the episodes after these, which begin by themselves
        return self._seen("observations"), {}

    def _seen(self, name: str) -> Any:
        return self._arrays.get(name)[:, : self._episodes.width]

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Advances all by one interval."""
        self._arrays.begin()
        self._arrays.act(actions)
        self.rows.step()
        get = self._arrays.get
        seen = (self._seen("observations"), get("rewards"), get("terminated"), get("truncated"))
        if not self.rows.on_gpu:
            self._prepare_next()
        if isinstance(self._arrays, _Numpy):
            return (*seen, self._info())
        return (*seen, {"final_obs": self._seen("final_observations")} if self._mode == AutoresetMode.SAME_STEP else {})

    def _prepare_next(self) -> None:
        """Rows that have begun took their parameters: those of the next episode are drawn."""
        if self._mode != AutoresetMode.DISABLED and self._episodes.ranges:
            self._episodes.prepare(self.rows.array("steps") == 0)

    def _info(self) -> dict[str, Any]:
        ended = self.rows.terminated | self.rows.truncated
        if not ended.any():
            return {}
        info: dict[str, Any] = {"reason": self.rows.reasons.copy(), "_reason": ended}
        if self._mode == AutoresetMode.SAME_STEP:
            last = np.full(self.num_envs, None, object)
            finals = self.rows.array("final_observations")[:, : self._episodes.width]
            for i in np.flatnonzero(ended):
                last[i] = finals[i].copy()
            info.update(final_obs=last, _final_obs=ended, final_info={"reason": info["reason"], "_reason": ended},
                        _final_info=ended)
        return info


def register() -> None:
    """Registers the tasks; importing gymnasium does it where the package is installed."""
    for name in TASKS:
        gymnasium.register(f"Fathom/{name}-v0", entry_point="fathom.gym:Env", vector_entry_point="fathom.gym:VectorEnv",
                           kwargs={"task": name}, disable_env_checker=True)


if "Fathom/BlueROV2Station-v0" not in gymnasium.registry:
    register()

__all__ = ["TASKS", "Env", "Task", "VectorEnv", "register"]
