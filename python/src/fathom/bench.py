"""How fast Fathom is from Python, beside its own C functions in the same process: `python -m fathom.bench`.

Each figure is the best of several slices, measured in turn with what it is compared with. On the processor the time is
that of the thread, so that other programs disturb it little; on a GPU it is wall clock.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Optional

import numpy as np

from . import _library, env, errors
from ._library import ffi, lib
from .model import Model, load

ROV = """<fathom version="1"><world dt="0.01 s" duration="1e6 s"/>
  <vehicle name="rov" model="bluerov2" position="0 0 20 m"/></fathom>"""
OBSERVED = ("position", "attitude", "velocity")
#: Ticks of one step of an environment: 0.1 s.
TICKS = 10
#: What others have published: steps per second, the name, where it is said.
PUBLISHED = (
    (2.5e5, "MarineGym, its paper", "arXiv:2503.09203: rollouts of 250,000 frames per second, one RTX 3060"),
    (1e7, "MarineGym, its README", "github.com/Marine-RL/MarineGym: up to 10^7 steps per second, no machine named"),
)


@dataclass(frozen=True)
class Figure:
    """A figure: what was measured and what it is compared with."""

    name: str
    value: float
    unit: str
    #: The same of C; NaN: nothing is compared.
    c: float = math.nan
    #: What the comparison says.
    verdict: str = ""


Slice = Callable[[], float]


def _in_turn(seconds: float, *slices: Slice) -> list[float]:
    """The least of each slice, s, all measured in turn until the time is up, three times at least."""
    best, rounds, end = [math.inf] * len(slices), 0, time.perf_counter() + seconds
    while rounds < 3 or time.perf_counter() < end:
        best = [min(least, one()) for least, one in zip(best, slices)]
        rounds += 1
    return best


def _timed(work: Callable[[], Any], times: int, clock: Callable[[], float]) -> Slice:
    def one() -> float:
        begin = clock()
        for _ in range(times):
            work()
        return (clock() - begin) / times

    return one


def world_step(seconds: float) -> Figure:
    """One step of one world: `world.step()` in a loop of Python, and the loop of fm_world_advance in C."""
    model = load("bluerov2-hover")
    here, there, steps = model.world(), model.world(), 500
    mine, c = _in_turn(seconds, _timed(here.step, steps, time.thread_time),
                       lambda: _timed(lambda: there.step(steps), 1, time.thread_time)() / steps)
    return Figure("one step of one world", 1e6 * mine, "µs", 1e6 * c, f"{1e6 * (mine - c):.2f} µs over C")


class _Bare:
    """A batch of the same vehicles, stepped by C alone."""

    def __init__(self, model: Model, rows: int, cuda: bool, single: bool) -> None:
        how = _library.options("fm_batch_options", backend=lib.FM_BATCH_CUDA if cuda else lib.FM_BATCH_SIMD,
                               single=single)
        self._error, self._model = _library.new_error(), model
        made = _library.owned(lib.fm_batch_create(model._handle, rows, how, self._error), self._error)
        self._batch = ffi.gc(made, lib.fm_batch_free)

    def step(self) -> None:
        _library.check(lib.fm_batch_step(self._batch, TICKS, self._error), self._error)


def rows_step(seconds: float, rows: int, cuda: bool, single: bool) -> Figure:
    """Environments from Python: actions in, observations out; and the bare engine in C."""
    model = load(ROV)
    here = env.Rows(model, rows, engine="cuda" if cuda else "simd", observations=OBSERVED, interval=TICKS * 0.01,
                    time_limit=math.inf, single=single)
    bare, clock = _Bare(model, rows, cuda, single), time.perf_counter if cuda else time.thread_time
    times = 20

    def slice_() -> float:
        begin = clock()
        for _ in range(times):
            here.step()
        here.wait()
        return (clock() - begin) / times

    mine, c = _in_turn(seconds, slice_, _timed(bare.step, times if not cuda else 1, clock))
    count = rows * TICKS
    name = f"{rows:,} BlueROV2 {'on a GPU' if cuda else 'on one core'}, {'float' if single else 'double'}"
    return Figure(name, count / mine, "vehicle-steps/s", count / c, f"{100 * c / mine:.0f} % of C")


def environments(seconds: float, rows: int, cuda: bool) -> Figure:
    """Steps of environments as users count them: an action in, observation, reward and end out, resets included."""
    from gymnasium.vector import AutoresetMode

    from .gym import TASKS, VectorEnv

    # A start for each row is derived by the processor; for a million rows all begin alike.
    task = dataclasses.replace(TASKS["BlueROV2Station"], start={} if cuda else TASKS["BlueROV2Station"].start)
    how: dict[str, Any] = {"engine": "cuda", "arrays": "torch"} if cuda else {"engine": "simd"}
    made = VectorEnv(rows, task, autoreset_mode=AutoresetMode.SAME_STEP, single=True, **how)
    made.reset(seed=1)
    actions: Any = np.random.default_rng(1).uniform(-0.3, 0.3, (rows, 6)).astype(np.float32)
    if cuda:
        import torch

        actions = torch.as_tensor(actions, device="cuda")
    clock, times = (time.perf_counter if cuda else time.thread_time), 20

    def slice_() -> float:
        begin = clock()
        for _ in range(times):
            made.step(actions)
        made.rows.wait()
        return (clock() - begin) / times

    best, = _in_turn(seconds, slice_)
    return Figure(f"{rows:,} environments BlueROV2Station, {'torch on a GPU' if cuda else 'NumPy on one core'}, float",
                  rows / best, "environment steps/s")


def measure(seconds: float, rows: int, gpu_rows: int) -> list[Figure]:
    """All figures that this machine can give."""
    figures = [world_step(seconds)]
    figures += [rows_step(seconds, rows, False, single) for single in (False, True)]
    try:
        figures.append(environments(seconds, rows, False))
    except ImportError:
        print("gymnasium is not installed: environment steps are left out", file=sys.stderr)
    if not gpu_rows:
        return figures
    try:
        figures += [rows_step(seconds, gpu_rows, True, single) for single in (False, True)]
        figures.append(environments(seconds, gpu_rows, True))
    except (errors.FathomError, ImportError) as error:
        print(f"no GPU: {error}", file=sys.stderr)
    return figures


def _show(figures: list[Figure]) -> None:
    width = max(len(figure.name) for figure in figures)
    for figure in figures:
        number = f"{figure.value:10.2f}" if figure.unit == "µs" else f"{figure.value:10.3g}"
        c = "" if math.isnan(figure.c) else f"   C {figure.c:.3g}, {figure.verdict}"
        print(f"{figure.name:<{width}}  {number} {figure.unit}{c}")
    print("\nPublished by others, each counted as its authors do:")
    for value, name, where in PUBLISHED:
        print(f"{name:<{width}}  {value:10.3g} steps/s   {where}")


def main(arguments: Optional[list[str]] = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m fathom.bench", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2, help="of each figure (default: 2)")
    parser.add_argument("--rows", type=int, default=4096, help="environments on one core (default: 4096)")
    parser.add_argument("--gpu-rows", type=int, default=1 << 20, help="on a GPU; 0: none (default: 1048576)")
    parser.add_argument("--json", action="store_true", help="write the figures as JSON")
    given = parser.parse_args(arguments)
    figures = measure(given.seconds, given.rows, given.gpu_rows)
    if given.json:
        print(json.dumps([{**dataclasses.asdict(figure), "c": None if math.isnan(figure.c) else figure.c}
                          for figure in figures], indent=1))
    else:
        _show(figures)


if __name__ == "__main__":
    main()
