"""The workspace ros2/: definitions that follow the program, and descriptions of vehicles from a scene."""

import filecmp
import importlib.util
import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

import fathom
from fathom._library import program

rosbags = pytest.importorskip("rosbags")
from rosbags.rosbag2 import Reader  # noqa: E402
from rosbags.typesys import Stores, get_types_from_msg, get_typestore  # noqa: E402

WORKSPACE = Path(__file__).resolve().parents[2] / "ros2"


def load(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_package_of_messages_is_what_the_program_writes(tmp_path):
    subprocess.run([program(), "schema", "--ros2", "-o", str(tmp_path)], check=True)
    ours = WORKSPACE / "fathom_msgs"
    for folder in ("", "msg", "srv"):
        compared = filecmp.dircmp(tmp_path / folder, ours / folder)
        assert not compared.left_only and not compared.right_only, "run: fathom schema --ros2 -o ros2/fathom_msgs"
        assert not filecmp.cmpfiles(tmp_path / folder, ours / folder, compared.common_files, shallow=False)[1]


def test_the_package_is_built_from_every_definition_in_it():
    rules = (WORKSPACE / "fathom_msgs/CMakeLists.txt").read_text()
    files = {str(p.relative_to(WORKSPACE / "fathom_msgs")) for p in WORKSPACE.glob("fathom_msgs/*/*")}
    assert set(re.findall(r'"((?:msg|srv)/\w+\.\w+)"', rules)) == files and len(files) > 40
    manifest = ET.parse(WORKSPACE / "fathom_msgs/package.xml").getroot()
    depends = {e.text for e in manifest.iter("depend")}
    used = set(re.findall(r"^(\w+)/\w+", "\n".join(p.read_text() for p in WORKSPACE.glob("fathom_msgs/msg/*")), re.M))
    assert depends == used - {"fathom_msgs"}


def test_names_are_those_that_rosidl_accepts():
    """rosidl: lower case, single underscores, a letter first; types in CamelCase."""
    for path in WORKSPACE.glob("fathom_msgs/*/*"):
        assert re.fullmatch(r"[A-Z][A-Za-z0-9]*", path.stem)
        for line in path.read_text().splitlines():
            words = line.split("#")[0].split()
            if len(words) == 2 and "=" not in line.split("#")[0]:
                assert re.fullmatch(r"[a-z](?:_?[a-z0-9])*", words[1]), f"{path.name}: {line}"


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    """The scene and the fixed frames of a run, decoded by the definitions of the workspace, not by those of the log."""
    store = get_typestore(Stores.ROS2_JAZZY)
    types = {}
    for path in WORKSPACE.glob("fathom_msgs/msg/*.msg"):
        types.update(get_types_from_msg(path.read_text(), f"fathom_msgs/msg/{path.stem}"))
    store.register(types)
    log = tmp_path_factory.mktemp("scene") / "dive.mcap"
    with fathom.Run(fathom.load("phoenix-dive"), duration=1, log=log) as run:
        run.run_until(1)
    found = {}
    with Reader(log) as reader:
        for connection, _, data in reader.messages():
            if connection.topic in ("/scene", "/tf_static"):
                found.setdefault(connection.topic, store.deserialize_cdr(data, connection.msgtype))
    return found["/scene"], found["/tf_static"]


def test_a_description_has_the_links_of_the_frames(scene):
    urdf = load(WORKSPACE / "fathom_bringup/fathom_bringup/urdf.py")
    message, frames = scene
    robot = ET.fromstring(urdf.describe(message, "phoenix"))
    links = {e.get("name") for e in robot.iter("link")}
    fixed = {t.child_frame_id: t for t in frames.transforms if t.child_frame_id != "odom"}
    assert links == set(fixed) | {"phoenix/base_link"} and len(links) > 3
    joints = {j.find("child").get("link"): j for j in robot.iter("joint")}
    for name, t in fixed.items():
        origin = joints[name].find("origin")
        assert joints[name].find("parent").get("link") == t.header.frame_id
        place = [float(v) for v in origin.get("xyz").split()]
        p, q = t.transform.translation, t.transform.rotation
        assert place == pytest.approx([p.x, p.y, p.z], abs=1e-8)
        roll, pitch, yaw = (float(v) for v in origin.get("rpy").split())
        assert np.allclose(rotation(roll, pitch, yaw), matrix(q), atol=1e-7)
    assert len(list(robot.iter("visual"))) >= sum(look.kind != urdf.BAND for look in message.looks) > 0


def rotation(roll, pitch, yaw):
    """URDF: fixed axes, x first."""
    c, s = np.cos, np.sin
    x = np.array([[1, 0, 0], [0, c(roll), -s(roll)], [0, s(roll), c(roll)]])
    y = np.array([[c(pitch), 0, s(pitch)], [0, 1, 0], [-s(pitch), 0, c(pitch)]])
    z = np.array([[c(yaw), -s(yaw), 0], [s(yaw), c(yaw), 0], [0, 0, 1]])
    return z @ y @ x


def matrix(q):
    v = np.array([q.x, q.y, q.z])
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + 2 * q.w * k + 2 * k @ k


def test_a_mesh_is_written_beside_the_description(scene, tmp_path):
    urdf = load(WORKSPACE / "fathom_bringup/fathom_bringup/urdf.py")
    message, _ = scene
    mesh = type("Mesh", (), {"format": "", "vertices": [0, 0, 0, 1, 0, 0, 0, 2, 0], "triangles": [0, 1, 2], "data": b""})
    look = type("Look", (), {**vars(message.looks[0]), "kind": urdf.MESH, "mesh": 0, "size": [2.0, 2.0, 2.0]})
    small = type("Scene", (), {"vehicles": message.vehicles, "looks": [look], "meshes": [mesh], "mounts": []})
    robot = ET.fromstring(urdf.describe(small, "phoenix", str(tmp_path)))
    element = next(robot.iter("mesh"))
    data = Path(element.get("filename").removeprefix("file://")).read_bytes()
    assert len(data) == 84 + 50 and data[80:84] == b"\1\0\0\0" and element.get("scale") == "2 2 2"
    assert np.frombuffer(data[96:132], "<f4").tolist() == [0, 0, 0, 1, 0, 0, 0, 2, 0]
