"""Publishes /NAME/robot_description of each vehicle, from a run that is already there or from a bag."""

from launch import LaunchDescription
from launch_ros.actions import Node


def generate_launch_description():
    return LaunchDescription(
        [Node(package="fathom_bringup", executable="describe", parameters=[{"use_sim_time": True}])]
    )
