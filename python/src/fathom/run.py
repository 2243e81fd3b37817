"""Runs: a world with a log, a pace and a window."""

from __future__ import annotations

import contextlib
import math
import os
import queue
import threading
import time
import webbrowser
from types import TracebackType
from typing import Any

from . import errors
from ._library import NULL, check, encode, fault, ffi, lib, net, new_error, options, owned, text
from .model import Model
from .world import World, _raised

_COMPRESSIONS = {"zstd": 0, "lz4": 1, "none": 2}


class Run:
    """A world with inputs and outputs.

    duration     s; default: the scenario's; math.inf: endless
    log          file to record to (MCAP)
    pace         times real time; 0: as fast as possible
    seed         of all random numbers; default: the scenario's
    threads      that share its vehicles; results do not depend on it
    log_rate     greatest number of samples per second of each vehicle and instrument; 0: all
    compression  of the log: "zstd", "lz4" or "none"

    Use it in a `with`, or call `finish`: that completes the log.
    """

    def __init__(self, model: Model, *, duration: float | None = None, log: str | os.PathLike[str] | None = None,
                 pace: float = 0, seed: int | None = None, threads: int = 1, log_rate: float = 0,
                 compression: str = "zstd") -> None:
        self._error = new_error()
        self._keep: list[Any] = []
        self._finished = False
        self._duration, self._pace, self._seed, self._threads = duration, pace, seed, threads
        keep: list[Any] = []
        world = options("fm_world_options", keep, threads=threads, seeded=seed is not None, seed=seed or 0)
        how = options("fm_run_options", keep, world=world, duration=duration or 0)
        how.pace.speed = pace
        made = owned(lib.fm_run_create(model._handle, how, self._error), self._error)
        self._handle = ffi.gc(made, lambda run, _model=model._handle, _keep=model._keep: lib.fm_run_free(run))
        if duration == 0:
            check(lib.fm_run_set_end(self._handle, 0, self._error), self._error)
        #: The model it was made of.
        self.model = model
        owner = ffi.gc(lib.fm_run_world(self._handle), lambda world, _run=self._handle: None)
        #: Its world: read and steer it between steps; step the run, not the world.
        self.world = World(model, _handle=owner)
        #: The file that it records to; None: none.
        self.log: str | None = None
        if log is not None:
            self.record(log, rate=log_rate, compression=compression)

    def record(self, path: str | os.PathLike[str], *, rate: float = 0, compression: str = "zstd") -> None:
        """Records the run to a file, from its present state on. Call it before the first step."""
        if compression not in _COMPRESSIONS:
            raise errors.ArgumentError(f"compression is '{compression}': must be one of {', '.join(_COMPRESSIONS)}")
        self._result = ffi.new("fm_log_result *")
        how = options("fm_log_options", self._keep, compression=_COMPRESSIONS[compression], rate=rate,
                      result=self._result)
        self._call(lib.fm_run_record, encode(path), how)
        self.log = os.fspath(path)

    def _call(self, function: Any, *arguments: Any) -> None:
        if function(self._handle, *arguments, self._error):
            raised = _raised.pop(int(ffi.cast("intptr_t", self.world._handle)), None)
            error = fault(self._error)
            if raised is not None:
                raise raised from error
            raise error

    # --- stepping ---

    def _send_orders(self) -> None:
        for vehicle in self.world._ordered:
            vehicle._send_orders()

    def step(self, n: int = 1) -> None:
        """Makes `n` steps, as fast as possible."""
        self._send_orders()
        for _ in range(n):
            self._call(lib.fm_run_step)

    def run_until(self, time: float) -> None:
        """Steps until a time (s since the start), the end, or a stop, as fast as possible."""
        self._send_orders()
        self._call(lib.fm_run_until, time)

    def go(self) -> Run:
        """Steps at the pace until the run is over, then finishes it."""
        self._send_orders()
        wait = ffi.new("double *")
        try:
            while not self.over:
                self._call(lib.fm_run_advance, time.monotonic(), wait)
                if wait[0] > 0 and not self.over:
                    time.sleep(min(wait[0], 0.1))
        finally:
            self.finish()
        return self

    @property
    def over(self) -> bool:
        """It has reached its end, was stopped, or has failed."""
        return bool(lib.fm_run_over(self._handle))

    @property
    def time(self) -> float:
        """s since the start."""
        return self.world.time

    @property
    def end(self) -> float:
        """Its end, s since the start; infinite: endless."""
        return float(lib.fm_run_end(self._handle))

    @property
    def pace(self) -> float:
        """Times real time; 0: as fast as possible. From any thread."""
        return self._pace

    @pace.setter
    def pace(self, speed: float) -> None:
        how = ffi.new("fm_run_pace *")
        how.speed = speed
        self._call(lib.fm_run_set_pace, how)
        self._pace = speed

    def pause(self) -> None:
        """Pauses after the current step. From any thread."""
        lib.fm_run_pause(self._handle)

    def resume(self) -> None:
        """Continues. From any thread."""
        lib.fm_run_resume(self._handle)

    def stop(self) -> None:
        """Ends the run: no further step begins. From any thread."""
        lib.fm_run_stop(self._handle)

    def finish(self) -> None:
        """Delivers the last messages and completes the log."""
        if self._finished:
            return
        self._finished = True
        self._call(lib.fm_run_finish)
        if self.log is not None and self._result.error.status:
            raise fault(ffi.addressof(self._result, "error"))

    def hash(self) -> int:
        """A hash of the world's state."""
        return self.world.hash()

    @property
    def metrics(self) -> dict[str, dict[str, float]]:
        """Metrics of each vehicle so far, SI."""
        return self.world.metrics

    def __enter__(self) -> Run:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if error is None:
            self.finish()
        else:
            with contextlib.suppress(errors.FathomError):
                self.finish()

    # --- the window ---

    def view(self, *, open: bool = True, http: str | None = None) -> View:
        """Serves the scenario of this run with its page, from the start and in a thread of its own, and opens it in the
        browser; a notebook shows it as a frame. Parts in Python run there too. Call it instead of `go`."""
        if self.world.tick:
            raise errors.ArgumentError("view() serves a run from its start: this one has made steps")
        return View(self.model, open=open, http=http, pace=self._pace, seed=self._seed, threads=self._threads,
                    duration=self._duration)

    def _repr_png_(self) -> bytes | None:
        """A picture of the track so far, for notebooks: from the log if there is one that is complete."""
        if self.log is None or not self._finished:
            return None
        from . import log as logs
        from . import plot

        try:
            return plot.png(plot.track(logs.open(self.log)))
        except ImportError:
            return None

    def __repr__(self) -> str:
        return f"<fathom.Run {self.model.title!r} at {self.time:g} s>"


class View:
    """A scenario that is served with its page, by a thread. `stop` it, or leave its `with`."""

    def __init__(self, model: Model, *, open: bool = True, http: str | None = None, pace: float = 0,
                 seed: int | None = None, threads: int = 1, duration: float | None = None) -> None:
        self._net, self._error = net(), new_error()
        self._model = model
        urls: queue.Queue[str] = queue.Queue()
        keep: list[Any] = []
        limited = 0 if duration is None or math.isinf(duration) else duration
        how = options("fm_server_options", keep, port=-1, speed=pace, seed=-1 if seed is None else seed,
                      threads=threads, duration=limited, no_bridges=1)
        self._opened = ffi.callback("void(*)(void *, const char *)", lambda _user, url: urls.put(text(url)))
        made = owned(self._net.fm_server_create(model._handle, how, self._error), self._error)
        self._handle = ffi.gc(made, lambda server, _net=self._net, _model=model._handle: _net.fm_server_free(server))
        address = ffi.new("char[]", encode(http)) if http else NULL
        page = options("fm_server_page", keep, opened=self._opened, http=address)
        check(self._net.fm_server_add_page(self._handle, page, self._error), self._error)
        self._failure: errors.FathomError | None = None
        self._thread = threading.Thread(target=self._serve, name="fathom view", daemon=True)
        self._thread.start()
        while True:
            try:
                #: Address of the page.
                self.url = urls.get(timeout=0.1)
                break
            except queue.Empty:
                if not self._thread.is_alive():
                    raise self._failure or errors.FathomError("the server ended before its page was open") from None
        if open and "JPY_PARENT_PID" not in os.environ:
            webbrowser.open(self.url)

    def _serve(self) -> None:
        if self._net.fm_server_run(self._handle, self._error):
            self._failure = fault(self._error)

    @property
    def port(self) -> int:
        """UDP port of the server, for `fathom.client`."""
        return int(self._net.fm_server_port(self._handle))

    def stop(self) -> None:
        """Ends the server."""
        self._net.fm_server_stop(self._handle)
        self._thread.join()
        if self._failure is not None:
            raise self._failure

    def __enter__(self) -> View:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _repr_html_(self) -> str:
        return f'<iframe src="{self.url}" width="100%" height="600" style="border:0"></iframe>'

    def __repr__(self) -> str:
        return f"<fathom.View {self.url}>"
