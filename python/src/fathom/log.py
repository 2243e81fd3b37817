"""Logs: the channels of an MCAP file as tables.

    log = fathom.log.open("dive.mcap")
    log.topics
    log["/phoenix/odom"].pandas()     # rows are messages, the index is the time in s
    log["/phoenix/odom"].xarray()     # the same with units
"""

from __future__ import annotations

import os
import pathlib
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors
from ._arrays import Array, Floats, pointer
from ._library import NULL, encode, ffi, lib, new_error, options, owned, program, text

if TYPE_CHECKING:
    import pandas
    import xarray


class Table(Mapping[str, Array]):
    """The messages of a channel: columns by their paths, "pose.pose.position.north".

    Vectors and attitudes are in north-east-down and forward-starboard-down, or with `enu` as in the file.
    """

    def __init__(self, handle: Any, topic: str) -> None:
        #: Topic of the channel.
        self.topic = topic
        rows = lib.fm_log_table_rows(handle)
        #: s since the start of the world, of each message.
        self.time: Floats = np.empty(rows)
        lib.fm_log_table_times(handle, pointer(self.time), rows)
        self._columns: dict[str, Array] = {}
        #: SI unit of each column that has one.
        self.units: dict[str, str] = {}
        for i in range(lib.fm_log_table_column_count(handle)):
            info = lib.fm_log_table_column(handle, i)
            path = text(info.path)
            if info.text:
                self._columns[path] = np.array([text(lib.fm_log_table_text(handle, i, row)) for row in range(rows)],
                                               dtype=object)
            else:
                values: Floats = np.empty(rows)
                lib.fm_log_table_numbers(handle, i, pointer(values), rows)
                self._columns[path] = values
            if text(info.unit):
                self.units[path] = text(info.unit)
        #: Number of fields that are too long for columns (images).
        self.left_out = int(lib.fm_log_table_left_out(handle))

    def __getitem__(self, path: str) -> Array:
        try:
            return self._columns[path]
        except KeyError:
            near = [name for name in self._columns if name.endswith(path)]
            if len(near) == 1:
                return self._columns[near[0]]
            raise errors.UnknownName(f"channel '{self.topic}' has no column '{path}': it has "
                                     f"{', '.join(near or self._columns)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)

    def pandas(self) -> pandas.DataFrame:
        """As a data frame; the index is the time, s."""
        import pandas

        return pandas.DataFrame(self._columns, index=pandas.Index(self.time, name="time"))

    def xarray(self) -> xarray.Dataset:
        """As a data set with the dimension `time` and the attribute `units` of each variable."""
        import xarray

        data = xarray.Dataset({path: ("time", values) for path, values in self._columns.items()},
                              coords={"time": ("time", self.time, {"units": "s"})}, attrs={"topic": self.topic})
        for path, unit in self.units.items():
            data[path].attrs["units"] = unit
        return data

    def __repr__(self) -> str:
        return f"<fathom.log.Table {self.topic}: {len(self.time)} messages, {len(self)} columns>"


class Log(Mapping[str, Table]):
    """An open log: its channels by their topics. Tables are read when they are asked for."""

    def __init__(self, path: str | os.PathLike[str], *, enu: bool = False) -> None:
        #: The file.
        self.path = pathlib.Path(path)
        self._enu = enu
        error = new_error()
        self._handle = ffi.gc(owned(lib.fm_log_open(encode(path), error), error), lib.fm_log_close)
        info = lib.fm_log_describe(self._handle)
        #: Why it is incomplete; "": it is complete.
        self.warning = text(info.warning)
        #: s, of the first and the last message.
        self.start, self.end = float(info.start), float(info.end)
        channels = [lib.fm_log_channel(self._handle, i) for i in range(info.channel_count)]
        #: Topics and types of the channels: {"/phoenix/odom": "nav_msgs/msg/Odometry"}.
        self.topics: dict[str, str] = {text(channel.topic): text(channel.type) for channel in channels}
        #: Number of messages of each channel.
        self.messages: dict[str, int] = {text(channel.topic): int(channel.messages) for channel in channels}

    def __getitem__(self, topic: str) -> Table:
        if topic not in self.topics:
            raise errors.UnknownName(f"no channel '{topic}' in {self.path}: it has {', '.join(self.topics)}")
        error = new_error()
        how = options("fm_log_table_options", enu=self._enu)
        table = owned(lib.fm_log_table_read(self._handle, encode(topic), how, error), error)
        try:
            return Table(table, topic)
        finally:
            lib.fm_log_table_free(table)

    def __iter__(self) -> Iterator[str]:
        return iter(self.topics)

    def __len__(self) -> int:
        return len(self.topics)

    def metadata(self, name: str, key: str) -> str | None:
        """A value of the log's metadata."""
        value = lib.fm_log_metadata(self._handle, encode(name), encode(key))
        return None if value == NULL else text(value)

    @property
    def vehicles(self) -> list[str]:
        """Names of the vehicles that have a track."""
        return [topic.split("/")[1] for topic in self.topics if topic.endswith("/odom")]

    def track(self, vehicle: str) -> Floats:
        """Positions of a vehicle, m, north-east-down: one row per message."""
        table = self[f"/{vehicle}/odom"]
        names = ("x", "y", "z") if self._enu else ("north", "east", "down")
        return np.column_stack([table[f"pose.pose.position.{name}"] for name in names])

    def export(self, path: str | os.PathLike[str]) -> None:
        """Writes a folder of CSV files, or one NetCDF file if the name ends in ".nc"."""
        how = "--netcdf" if os.fspath(path).endswith(".nc") else "--csv"
        run_program("export", str(self.path), how, os.fspath(path), "--frame", "enu" if self._enu else "ned")

    def replay(self) -> bool:
        """Makes the run again from its inputs; True: with the same bits."""
        return subprocess.run([program(), "replay", str(self.path), "--verify"], capture_output=True).returncode == 0

    def _repr_png_(self) -> bytes | None:
        from . import plot

        try:
            return plot.png(plot.track(self))
        except ImportError:
            return None

    def __repr__(self) -> str:
        return f"<fathom.log.Log {self.path}: {len(self)} channels, {self.start:g} to {self.end:g} s>"


def open(path: str | os.PathLike[str], *, enu: bool = False) -> Log:
    """Opens a log. enu: vectors and attitudes as in the file, east-north-up, instead of north-east-down."""
    return Log(path, enu=enu)


def write(path: str | os.PathLike[str], table: Mapping[str, Any], *, units: Mapping[str, str] | None = None) -> None:
    """Writes columns as a CSV file that the program reads (`fathom compare`, `fathom identify`, `fathom plot`).

    `table` is a mapping or a data frame with a column or index "time" in s; `units` adds units to the heads.
    """
    columns: dict[str, Any] = {str(name): np.asarray(table[name]) for name in table}
    if "time" not in columns:
        index = getattr(table, "index", getattr(table, "time", None))
        if index is None:
            raise errors.ArgumentError("the table has no column 'time' (s)")
        columns = {"time": np.asarray(index), **columns}
    heads = [f"{name} [{unit}]" if (unit := {"time": "s", **(units or {})}.get(name)) else name for name in columns]
    rows = {len(values) for values in columns.values()}
    if len(rows) != 1:
        raise errors.ArgumentError(f"columns have different lengths: {sorted(rows)}")
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False, encoding="utf-8", suffix=".part") as file:
        file.write(",".join(heads) + "\n")
        for row in zip(*columns.values()):
            file.write(",".join(repr(float(v)) if isinstance(v, (float, np.floating)) else str(v) for v in row) + "\n")
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def run_program(*arguments: str) -> str:
    """Runs a command of the program and returns what it prints; raises with what it reports."""
    done = subprocess.run([program(), *arguments], capture_output=True, text=True)
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()]
        raise errors.FathomError(lines[0] if lines else f"fathom {arguments[0]} failed with status {done.returncode}")
    return done.stdout


__all__ = ["Log", "Table", "open", "run_program", "write"]
