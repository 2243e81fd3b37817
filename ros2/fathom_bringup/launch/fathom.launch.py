"""Runs a scenario as a node of ROS 2, publishes the descriptions of its vehicles, and opens RViz:

    ros2 launch fathom_bringup fathom.launch.py scenario:=lauv-survey vehicle:=lauv
"""

import os

from ament_index_python.packages import get_package_share_directory
from launch import LaunchDescription
from launch.actions import DeclareLaunchArgument, EmitEvent, ExecuteProcess, RegisterEventHandler
from launch.conditions import IfCondition
from launch.event_handlers import OnProcessExit
from launch.events import Shutdown
from launch.substitutions import LaunchConfiguration
from launch_ros.actions import Node


def generate_launch_description():
    share = get_package_share_directory("fathom_bringup")
    simulator = ExecuteProcess(
        cmd=[
            LaunchConfiguration("fathom"),
            "run",
            LaunchConfiguration("scenario"),
            "--speed",
            LaunchConfiguration("speed"),
            "--no-bridges",
            "--bridge",
            ["ros2 domain=", LaunchConfiguration("domain")],
        ],
        output="screen",
    )
    return LaunchDescription(
        [
            DeclareLaunchArgument("scenario", default_value="ros2-lauv", description="name or file of a scenario"),
            DeclareLaunchArgument("fathom", default_value="fathom", description="the program"),
            DeclareLaunchArgument("speed", default_value="1", description="times real time"),
            DeclareLaunchArgument(
                "domain", default_value=os.environ.get("ROS_DOMAIN_ID", "0"), description="of DDS"
            ),
            DeclareLaunchArgument("rviz", default_value="true", description="whether to open RViz"),
            DeclareLaunchArgument(
                "vehicle", default_value="lauv", description="whose robot_description, odometry and camera RViz shows"
            ),
            simulator,
            Node(package="fathom_bringup", executable="describe", parameters=[{"use_sim_time": True}]),
            Node(
                package="rviz2",
                executable="rviz2",
                arguments=["-d", os.path.join(share, "rviz", "fathom.rviz")],
                parameters=[{"use_sim_time": True}],
                remappings=[
                    ("/robot_description", ["/", LaunchConfiguration("vehicle"), "/robot_description"]),
                    ("/odom", ["/", LaunchConfiguration("vehicle"), "/odom"]),
                    ("/camera/image_raw", ["/", LaunchConfiguration("vehicle"), "/camera/image_raw"]),
                    ("/camera/camera_info", ["/", LaunchConfiguration("vehicle"), "/camera/camera_info"]),
                ],
                condition=IfCondition(LaunchConfiguration("rviz")),
            ),
            RegisterEventHandler(
                OnProcessExit(target_action=simulator, on_exit=[EmitEvent(event=Shutdown(reason="the run is over"))])
            ),
        ]
    )
