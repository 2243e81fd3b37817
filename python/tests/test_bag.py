"""Logs as ROS 2 reads them, through rosbags: QoS of every channel, and every message by published definitions."""

import pytest

import fathom

rosbags = pytest.importorskip("rosbags")
from rosbags.interfaces import QosDurability, QosHistory, QosReliability  # noqa: E402
from rosbags.rosbag2 import Reader  # noqa: E402
from rosbags.typesys import Stores, get_types_from_msg, get_typestore  # noqa: E402

LATCHED = {"/scene", "/tf_static", "/markers/world", "/markers/vehicles", "/current"}


@pytest.fixture(scope="module")
def bag(tmp_path_factory):
    path = tmp_path_factory.mktemp("bag") / "survey.mcap"
    with fathom.Run(fathom.load("phoenix-dive"), duration=3, log=path) as run:
        run.run_until(3)
    return path


def test_latched_channels_are_offered_transient_local(bag):
    with Reader(bag) as reader:
        topics = {c.topic: c.ext.offered_qos_profiles for c in reader.connections}
    assert {"/scene", "/tf_static", "/markers/world", "/phoenix/odom"} <= topics.keys()
    for topic, profiles in topics.items():
        (qos,) = profiles
        latched = topic in LATCHED
        assert qos.reliability == QosReliability.RELIABLE and qos.history == QosHistory.KEEP_LAST
        assert qos.durability == (QosDurability.TRANSIENT_LOCAL if latched else QosDurability.VOLATILE), topic
        assert qos.depth == (1 if latched or topic == "/clock" else 100 if topic in {"/tf", "/events", "/inputs"} else 10)
        # rmw's infinite time: a writer with a deadline of its own would not match
        assert (qos.deadline.sec, qos.deadline.nsec) == (9223372036, 854775807)
        assert not qos.avoid_ros_namespace_conventions


def test_messages_decode_by_the_definitions_of_jazzy(bag):
    store = get_typestore(Stores.ROS2_JAZZY)
    standard = set()
    with Reader(bag) as reader:
        for c in reader.connections:
            if c.msgtype in store.fielddefs:
                standard.add(c.msgtype)
            else:
                ours = get_types_from_msg(c.msgdef.data, c.msgtype)
                store.register({name: ours[name] for name in ours if name not in store.fielddefs})
        for connection, _, data in reader.messages():
            message = store.deserialize_cdr(data, connection.msgtype)
            assert bytes(store.serialize_cdr(message, connection.msgtype)) == bytes(data), connection.topic
    assert {"nav_msgs/msg/Odometry", "tf2_msgs/msg/TFMessage", "sensor_msgs/msg/Imu"} <= standard


def test_frames_form_one_tree_below_map(bag):
    store = get_typestore(Stores.ROS2_JAZZY)
    parents = {}
    with Reader(bag) as reader:
        chosen = [c for c in reader.connections if c.topic in {"/tf", "/tf_static"}]
        for connection, _, data in reader.messages(connections=chosen):
            for t in store.deserialize_cdr(data, connection.msgtype).transforms:
                assert parents.setdefault(t.child_frame_id, t.header.frame_id) == t.header.frame_id
    assert parents["odom"] == "map" and parents["phoenix/base_link"] == "odom"
    assert parents["phoenix/imu"] == "phoenix/base_link"
    for frame in parents:
        chain = [frame]
        while chain[-1] in parents:
            chain.append(parents[chain[-1]])
            assert len(chain) < 10
        assert chain[-1] == "map"
