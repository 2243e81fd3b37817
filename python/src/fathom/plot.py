"""Drawings with matplotlib in the house style: `track`, `columns` and `sweep`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from . import errors

if TYPE_CHECKING:
    from .log import Log, Table

#: Colours of the house style, as `fathom plot` uses them.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "lines.linewidth": 1.4,
    "axes.grid": False,
    "legend.frameon": False,
    "figure.dpi": 120,
}


def figure(rows: int = 1, columns: int = 1, size: tuple[float, float] = (6.4, 3.6)) -> Any:
    """A figure in the house style, which notebooks show, and its axes (an array of `rows` × `columns`)."""
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    class Picture(Figure):
        def _repr_png_(self) -> bytes:
            return png(self)

    with matplotlib.rc_context({**STYLE, "axes.prop_cycle": cycler(color=list(COLOURS))}):
        made = Picture(figsize=size, layout="constrained")
        return made, made.subplots(rows, columns, squeeze=False)


def png(drawn: Any) -> bytes:
    """A figure as a PNG picture."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    bytes_ = io.BytesIO()
    FigureCanvasAgg(drawn).print_png(bytes_)
    return bytes_.getvalue()


def track(log: Log, vehicles: Iterable[str] | None = None) -> Any:
    """The tracks of a log seen from above, and depth over time."""
    drawn, axes = figure(1, 2, (8, 3.6))
    above, depth = axes[0]
    for name in vehicles if vehicles is not None else log.vehicles:
        table = log[f"/{name}/odom"]
        north, east, down = (table[f"pose.pose.position.{axis}"] for axis in ("north", "east", "down"))
        above.plot(east, north, label=name)
        above.plot(east[-1:], north[-1:], "o", markersize=4, color=above.lines[-1].get_color())
        depth.plot(table.time, down, label=name)
    above.set(xlabel="east, m", ylabel="north, m", aspect="equal")
    above.set_adjustable("datalim")
    depth.set(xlabel="time, s", ylabel="depth, m")
    depth.invert_yaxis()
    if len(above.lines) > 2:
        above.legend()
    return drawn


def columns(table: Table, *paths: str) -> Any:
    """Columns of a channel over time, one below the other, with their units."""
    drawn, axes = figure(len(paths), 1, (6.4, 1.6 + 1.4 * len(paths)))
    for axis, path in zip(axes[:, 0], paths):
        axis.plot(table.time, table[path])
        unit = table.units.get(path, "")
        axis.set_ylabel(f"{path.rsplit('.', 1)[-1]}, {unit}" if unit else path.rsplit(".", 1)[-1])
    axes[-1, 0].set_xlabel("time, s")
    return drawn


def curve(x: Any, lines: Mapping[str, Any], xlabel: str, ylabel: str) -> Any:
    """Lines over a common axis."""
    drawn, axes = figure()
    for name, values in lines.items():
        axes[0, 0].plot(np.asarray(x), np.asarray(values), label=name)
    axes[0, 0].set(xlabel=xlabel, ylabel=ylabel)
    if len(lines) > 1:
        axes[0, 0].legend()
    return drawn


def sweep(results: Any, metric: str, over: str | None = None) -> Any:
    """The mean of a result of `fathom.sweep` over a varied parameter, with the range over all other parameters and
    seeds. Names are those of the data set or paths; default: over the first parameter."""
    values = _find(results, metric)
    inputs = [results[name] for name in results.coords if results[name].attrs.get("role") == "input"]
    x = _find(results, over) if over is not None else inputs[0]
    at, rows = np.unique(x.values, return_inverse=True)
    parts = [values.values[rows == i] for i in range(len(at))]
    parts = [part[np.isfinite(part)] if np.isfinite(part).any() else np.array([np.nan]) for part in parts]
    drawn, axes = figure()
    axes[0, 0].plot(at, [part.mean() for part in parts], "o-")
    if any(len(part) > 1 for part in parts):
        axes[0, 0].fill_between(at, [part.min() for part in parts], [part.max() for part in parts], alpha=0.2,
                                linewidth=0)
    if "words" in x.attrs:
        axes[0, 0].set_xticks(at, [x.attrs["words"][int(i)] for i in at])
    axes[0, 0].set(xlabel=_label(x), ylabel=_label(values))
    return drawn


def _find(results: Any, name: str) -> Any:
    """A variable by its name, its path or the end of its path."""
    if name in results.variables:
        return results[name]
    found = [results[key] for key in results.variables if str(results[key].attrs.get("path", "")).endswith(name)]
    if len(found) != 1:
        raise errors.UnknownName(f"no variable '{name}': the results have {', '.join(map(str, results.variables))}")
    return found[0]


def _label(values: Any) -> str:
    name = str(values.attrs.get("path", values.name)).rsplit("/", 1)[-1]
    unit = values.attrs.get("unit_as_written", "")
    return f"{name}, {unit}" if unit else name
