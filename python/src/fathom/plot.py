"""Drawings with matplotlib in the house style: `track`, `columns` and `sweep`."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

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
    """A figure in the house style and its axes (an array of `rows` × `columns`)."""
    import matplotlib
    from cycler import cycler
    from matplotlib.figure import Figure

    with matplotlib.rc_context({**STYLE, "axes.prop_cycle": cycler(color=list(COLOURS))}):
        made = Figure(figsize=size, layout="constrained")
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


def sweep(results: Any, metric: str) -> Any:
    """The mean of a metric of a sweep over its first varied parameter, with the range over all other dimensions."""
    values = results[metric]
    first = values.dims[0]
    others = values.dims[1:]
    drawn, axes = figure()
    x = results[first].values
    axes[0, 0].plot(x, values.mean(others).values, "o-")
    if others:
        axes[0, 0].fill_between(x, values.min(others).values, values.max(others).values, alpha=0.2, linewidth=0)
    unit = values.attrs.get("units", "")
    name = str(first).rsplit("/", 1)[-1]
    across = results[first].attrs.get("units", "")
    axes[0, 0].set(xlabel=f"{name}, {across}" if across else name, ylabel=f"{metric}, {unit}" if unit else metric)
    return drawn
