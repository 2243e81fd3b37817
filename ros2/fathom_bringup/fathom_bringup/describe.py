"""A node that publishes /NAME/robot_description of each vehicle of /scene, again when vehicles come or go."""

import tempfile

import rclpy
from fathom_msgs.msg import Scene
from rclpy.node import Node
from rclpy.qos import DurabilityPolicy, QoSProfile, ReliabilityPolicy
from std_msgs.msg import String

from fathom_bringup.urdf import describe

LATCHED = QoSProfile(depth=1, reliability=ReliabilityPolicy.RELIABLE, durability=DurabilityPolicy.TRANSIENT_LOCAL)


class Describer(Node):
    def __init__(self):
        super().__init__("fathom_describe")
        self.folder = tempfile.TemporaryDirectory(prefix="fathom-")
        self.told = {}
        self.create_subscription(Scene, "/scene", self.take, LATCHED)

    def take(self, scene):
        names = {v.name for v in scene.vehicles}
        for gone in self.told.keys() - names:
            self.destroy_publisher(self.told.pop(gone)[0])
        for name in names:
            text = describe(scene, name, self.folder.name)
            topic = "/" + name.replace("-", "_").replace(".", "_") + "/robot_description"
            publisher, before = self.told.get(name) or (self.create_publisher(String, topic, LATCHED), None)
            if text != before:
                publisher.publish(String(data=text))
            self.told[name] = publisher, text


def main():
    rclpy.init()
    try:
        rclpy.spin(Describer())
    except KeyboardInterrupt:
        pass
    finally:
        rclpy.try_shutdown()
