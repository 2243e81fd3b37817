"""Logs as tables: compared with the export of the program and with the world itself."""

import csv
import subprocess

import numpy as np
import pytest

import fathom
from fathom._library import program


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "dive.mcap"
    with fathom.Run(fathom.load("phoenix-mission"), duration=20, log=path) as run:
        run.run_until(20)
    return fathom.log.open(path)


def test_a_log_lists_its_channels(log):
    assert log.topics["/phoenix/odom"].endswith("Odometry") and log.vehicles == ["phoenix"]
    assert log.messages["/phoenix/odom"] == len(log["/phoenix/odom"].time)
    assert log.end == pytest.approx(20) and log.warning == ""
    with pytest.raises(LookupError, match="/phoenix/odom"):
        log["/phoenix/odometry"]


def test_a_table_has_the_numbers_of_the_export(log, tmp_path):
    subprocess.run([program(), "export", str(log.path), "--csv", str(tmp_path), "/phoenix/odom"], check=True,
                   capture_output=True)
    (file,) = tmp_path.glob("*.csv")
    with file.open(encoding="utf-8") as opened:
        rows = list(csv.reader(opened))
    table = log["/phoenix/odom"]
    assert len(rows) == len(table.time) + 1
    for k, head in enumerate(rows[0][1:], 1):
        path = head.split(" [")[0]
        column = table[path]
        if column.dtype == object:
            assert [row[k] for row in rows[1:]] == list(column)
        else:
            assert [float(row[k]) for row in rows[1:]] == list(column)


def test_a_track_ends_where_the_world_ends(log):
    world = fathom.load("phoenix-mission").world()
    world.run_until(20)
    assert log.track("phoenix")[-1] == pytest.approx(world.pose[:3], abs=1e-9)
    assert log["/phoenix/odom"].units["pose.pose.position.north"] == "m"


def test_tables_become_data_frames_and_data_sets(log):
    pytest.importorskip("pandas")
    pytest.importorskip("xarray")
    frame = log["/phoenix/odom"].pandas()
    data = log["/phoenix/odom"].xarray()
    assert frame.index.name == "time" and data["pose.pose.position.down"].attrs["units"] == "m"
    assert np.array_equal(frame["pose.pose.position.down"].values, data["pose.pose.position.down"].values)


def test_a_track_is_drawn_for_notebooks(log):
    pytest.importorskip("matplotlib")
    assert log._repr_png_()[:8] == b"\x89PNG\r\n\x1a\n"


def test_columns_are_written_as_the_program_reads_them(log, tmp_path):
    path = tmp_path / "record.csv"
    fathom.log.write(path, {"time": [0.0, 0.5, 1.0], "depth": [1.0, 2.0, 4.0]}, units={"depth": "m"})
    assert path.read_text().splitlines()[:2] == ["time [s],depth [m]", "0.0,1.0"]
    with pytest.raises(ValueError, match="lengths"):
        fathom.log.write(path, {"time": [0.0], "depth": [1.0, 2.0]})
    with pytest.raises(ValueError, match="time"):
        fathom.log.write(path, {"depth": [1.0, 2.0]})


def test_what_is_no_log_is_refused(tmp_path):
    (tmp_path / "a.mcap").write_bytes(b"not a log")
    with pytest.raises(fathom.FathomError):
        fathom.log.open(tmp_path / "a.mcap")
