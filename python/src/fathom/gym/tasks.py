"""The tasks: a scenario, what is observed and ordered, and how a step is rewarded.

Observations are SI numbers in north-east-down and forward-starboard-down. Actions are -1 … 1 over the limits of each
actuator. Rewards have no unit and are at most 1 per step unless stated otherwise.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..env import REASONS, Moment

MOTION = ("position", "attitude", "velocity")


@dataclass(frozen=True)
class Task:
    """A task, registered as `Fathom/NAME-v0`."""

    name: str
    #: One paragraph: the aim, the reward, the end of an episode.
    text: str
    #: XML of its scenario, or the name of one.
    scenario: str
    #: Fields of the model.
    observations: tuple[str, ...]
    #: Writes the reward of each row, and ends rows.
    judge: Callable[[Moment], None]
    #: Fields that the judge needs and the agent does not see.
    hidden: tuple[str, ...] = ()
    #: Actuators; none: all of the vehicle.
    actions: tuple[str, ...] = ()
    vehicle: str | None = None
    #: s from one step to the next, and of an episode.
    interval: float = 0.1
    time_limit: float = 30
    #: m; 0: none.
    depth_limit: float = 0
    end_on_contact: bool = False
    #: Drawn for each episode, uniformly between two numbers (SI), by the path of the parameter.
    start: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    #: What computes it unless something else is asked for.
    engine: str = "auto"


def _square(values: Any) -> Any:
    """Sum of the squares of each row."""
    return (values * values).sum(-1)


def _heading(moment: Moment) -> Any:
    """rad, −π … π, of the quaternion (w, x, y, z)."""
    q = moment["attitude"]
    w, x, y, z = q[:, 0], q[:, 1], q[:, 2], q[:, 3]
    return moment.xp.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))


def _upright(moment: Moment) -> Any:
    """Cosine of the angle between the vehicle's down and the world's."""
    q = moment["attitude"]
    return 1 - 2 * (q[:, 1] * q[:, 1] + q[:, 2] * q[:, 2])


# --- BlueROV2 ---

ROV = """<fathom version="1" title="{0}">
  <world dt="0.01 s" duration="60 s" seed="1">
    <water density="1000 kg/m3"/>
    <current velocity="0.2 0 0 m/s"/>
  </world>
  <vehicle name="rov" model="bluerov2" position="0 0 5 m"/>
</fathom>"""
START = {"/rov/position/x": (-2.0, 2.0), "/rov/position/y": (-2.0, 2.0), "/rov/position/z": (3.5, 6.5),
         "/rov/attitude/2": (-math.pi, math.pi)}


def _station(moment: Moment) -> None:
    xp, position = moment.xp, moment["position"]
    north, east, down = position[:, 0], position[:, 1], position[:, 2] - 5
    off = north * north + east * east + down * down
    turned = 1 - xp.cos(_heading(moment))
    moment.reward[:] = 1 / (1 + 4 * off) - 0.1 * turned - 0.02 * _square(moment.action) / 6
    moment.terminated[:] = (off > 64) | (_upright(moment) < 0)


STATION = Task(
    "BlueROV2Station",
    "A BlueROV2 holds a point, (0, 0, 5) m, with its bow to the north, in a current of 0.2 m/s to the north. It starts "
    "within 2 m of it at any heading. Actions: its six thrusters. Reward: 1/(1 + 4 d²) with the distance d in m, less "
    "0.1 (1 − cos ψ) for the heading and 0.02 for full thrust. An episode ends 8 m away, upside down, or after 30 s.",
    ROV.format("BlueROV2 holds a point"), MOTION, _station, start=START)


def _trajectory(moment: Moment) -> None:
    xp, position, time = moment.xp, moment["position"], moment["time"][:]
    phase = 2 * math.pi * time / 30
    north = position[:, 0] - 2 * xp.sin(phase)
    east = position[:, 1] - xp.sin(2 * phase)
    down = position[:, 2] - 5
    off = north * north + east * east + down * down
    moment.reward[:] = 1 / (1 + 4 * off) - 0.02 * _square(moment.action) / 6
    moment.terminated[:] = (off > 36) | (_upright(moment) < 0)


TRAJECTORY = Task(
    "BlueROV2Trajectory",
    "A BlueROV2 follows a figure of eight at 5 m depth: north 2 sin φ m, east sin 2φ m, φ = 2π t / 30 s, in a current of "
    "0.2 m/s to the north. It observes the time t in s first. Actions: its six thrusters. Reward: 1/(1 + 4 d²) with the "
    "distance d in m to the moving point, less 0.02 for full thrust. An episode ends 6 m away, upside down, or after 60 s.",
    ROV.format("BlueROV2 follows a figure of eight"), ("time", *MOTION), _trajectory, time_limit=60,
    start={"/rov/position/x": (-0.5, 0.5), "/rov/position/y": (-0.5, 0.5), "/rov/attitude/2": (-math.pi, math.pi)})

# --- REMUS over a sloping bottom ---

REMUS = """<fathom version="1" title="REMUS follows the bottom">
  <world dt="0.05 s" duration="120 s" seed="1">
    <bottom depth="20 m"><rise x="60 m" height="4 m" spacing="0.5 m"/></bottom>
  </world>
  <vehicle name="remus" model="remus-100" position="0 0 17 m" velocity="1.5 0 0 m/s">
    <echosounder name="below" attitude="0 -90 0 deg" range="40 m" period="0.1 s"/>
    <echosounder name="ahead" attitude="0 -30 0 deg" range="40 m" period="0.1 s"/>
  </vehicle>
</fathom>"""


def _bottom(moment: Moment) -> None:
    xp, below = moment.xp, moment["below.range"]
    altitude = xp.where(xp.isfinite(below), below, 0 * below + 40)
    off = altitude - 3
    moment.reward[:] = 1 / (1 + off * off) - 0.02 * _square(moment.action) / moment.action.shape[1]
    moment.terminated[:] = _upright(moment) < 0


BOTTOM = Task(
    "RemusBottomFollowing",
    "A REMUS 100 keeps 3 m above the bottom, which rises by 4 m on the way, at about 1.5 m/s. It observes two "
    "echosounders (straight down, and 60° ahead of that: range in m, infinite or beyond 40 m: nothing), depth, attitude "
    "and velocity. Actions: propeller and fins. Reward: 1/(1 + e²) with the error e of the altitude in m, less 0.02 for "
    "full actuators. An episode ends at a contact, upside down, or after 60 s.",
    REMUS, ("below.range", "ahead.range", "z", "attitude", "velocity"), _bottom, time_limit=60, end_on_contact=True,
    interval=0.1, start={"/remus/position/z": (15.0, 17.0)}, engine="worlds")

# --- Snookie and a wall ---

SNOOKIE = """<fathom version="1" title="Snookie feels a wall">
  <world dt="0.01 s" duration="30 s" seed="1" gravity="9.81 m/s2">
    <water density="1000 kg/m3"/>
    <wall name="wall" position="3 0 0 m" normal="-1 0 0"/>
  </world>
  <vehicle name="snookie" model="snookie" position="0 0 1 m" velocity="0.2 0 0 m/s">
    <flow model="mirror"/>
  </vehicle>
</fathom>"""


def _wall(moment: Moment) -> None:
    q, velocity = moment["attitude"], moment["velocity"]
    w, x, y, z = q[:, 0], q[:, 1], q[:, 2], q[:, 3]
    north = ((1 - 2 * (y * y + z * z)) * velocity[:, 0] + 2 * (x * y - w * z) * velocity[:, 1]
             + 2 * (x * z + w * y) * velocity[:, 2])
    speed = 1 - abs(1 - north / 0.3)
    moment.reward[:] = moment.xp.clip(speed, -1, 1) - 30 * (moment.reasons == REASONS.index("contact"))


WALL = Task(
    "SnookieWall",
    "Snookie swims to the north, towards a wall 1.5 to 3 m ahead, and feels it with its lateral line alone: the "
    "observation is the voltages of its eight sensors, in V. Actions: its six thrusters. Reward: 1 − |1 − v/(0.3 m/s)| "
    "with the speed v to the north (at least −1), and −30 for a contact. So it comes near and stops before it touches. An episode ends at a "
    "contact or after 30 s.",
    SNOOKIE, ("lateral-line.voltages",), _wall, hidden=("attitude", "velocity"), end_on_contact=True, interval=0.05,
    start={"/snookie/position/x": (0.0, 1.5), "/snookie/attitude/2": (-0.3, 0.3)}, engine="worlds")

# --- a fish behind another one ---

FISH = """<fathom version="1" title="Pursuit">
  <world dt="0.05 s" duration="60 s" seed="1">
    <water density="1000 kg/m3"/>
    <sphere name="ball" position="1 0 0.5 m" radius="0.05 m">
      <track t="0 40 80 120 s" x="1 5.8 10.6 15.4 m" y="0 0 0.5 0 m" z="0.5 0.5 0.5 0.5 m"/>
    </sphere>
  </world>
  <vehicle name="first" model="robotic-fish" position="0 0.3 0.5 m" velocity="0.1 0 0 m/s">
    <fish-brain><pursuit target="ball" distance="0.5 m" settle="40 s"/></fish-brain>
  </vehicle>
  <vehicle name="second" model="robotic-fish" position="-1 0 0.5 m" velocity="0.1 0 0 m/s"/>
</fathom>"""


def _pursuit(moment: Moment) -> None:
    behind = moment["first.position"] - moment["second.position"]
    off = moment.xp.sqrt(_square(behind)) - 0.8
    moment.reward[:] = 1 / (1 + 4 * off * off)
    moment.terminated[:] = off > 5


PURSUIT = Task(
    "FishPursuit",
    "A robotic fish follows another one, which pursues a ball, at a distance of 0.8 m. It observes both positions (m) "
    "and headings (rad), and its own velocity. Actions: frequency and deflection of its tail. Reward: 1/(1 + 4 e²) with "
    "the error e of the distance in m. An episode ends when the other fish is lost (5.8 m), or after 60 s.",
    FISH, ("first.position", "first.psi", "second.position", "second.psi", "second.velocity"), _pursuit,
    actions=("frequency", "deflection"), vehicle="second", time_limit=60, interval=0.2,
    start={"/second/position/y": (-0.5, 0.5)}, engine="worlds")

# --- Otter and its berth ---

OTTER = """<fathom version="1" title="Otter docks">
  <world dt="0.01 s" duration="60 s" seed="1">
    <water density="1025 kg/m3"/>
    <current velocity="0 0.1 0 m/s"/>
    <wind velocity="0 4 0 m/s"/>
  </world>
  <vehicle name="otter" model="otter" position="-12 0 0 m"/>
</fathom>"""


def _docking(moment: Moment) -> None:
    xp, position = moment.xp, moment["position"]
    off = position[:, 0] * position[:, 0] + position[:, 1] * position[:, 1]
    turned = 1 - xp.cos(_heading(moment))
    speed = _square(moment["velocity"][:, :2])
    berthed = (off < 0.25) & (turned < 0.03) & (speed < 0.04)
    moment.reward[:] = 1 / (1 + 0.1 * off) - 0.2 * turned / (1 + off) + 10 * berthed
    moment.terminated[:] = berthed | (off > 900)


DOCKING = Task(
    "OtterDocking",
    "An Otter comes to its berth at the origin with its bow to the north, in wind (4 m/s to the east) and current "
    "(0.1 m/s to the east), from 12 m away. Actions: its two propellers. Reward: 1/(1 + 0.1 d²) with the distance d in "
    "m, less 0.2 (1 − cos ψ)/(1 + d²) for the heading, and 10 for a berth: within 0.5 m, 14° and 0.2 m/s. An episode ends "
    "there, 30 m away, or after 60 s.",
    OTTER, MOTION, _docking, time_limit=60,
    start={"/otter/position/x": (-14.0, -8.0), "/otter/position/y": (-4.0, 4.0), "/otter/attitude/2": (-0.8, 0.8)},
    engine="worlds")

# --- LAUV and two lanes ---

LAUV = """<fathom version="1" title="LAUV runs a lane">
  <world dt="0.02 s" duration="120 s" seed="1">
    <water density="1025 kg/m3"/>
    <current velocity="0 0.1 0 m/s"/>
  </world>
  <vehicle name="lauv" model="lauv" position="0 0 3 m" velocity="1.3 0 0 m/s"/>
</fathom>"""


def _survey(moment: Moment) -> None:
    xp, position = moment.xp, moment["position"]
    across, down = position[:, 1], position[:, 2] - 3
    ahead = moment["velocity"][:, 0] * xp.cos(_heading(moment))
    off = across * across + down * down
    moment.reward[:] = xp.clip(ahead / 1.3, -1, 1) / (1 + off) - 0.02 * _square(moment.action) / moment.action.shape[1]
    moment.terminated[:] = (off > 400) | (_upright(moment) < 0)


SURVEY = Task(
    "LauvSurvey",
    "A LAUV runs along a lane to the north at 3 m depth, in a current of 0.1 m/s across it. Actions: propeller and four "
    "fins. Reward: speed along the lane over 1.3 m/s (at most 1) divided by 1 + d² with the distance d from the lane in m, "
    "less 0.02 for full actuators. An episode ends 20 m away, upside down, or after 60 s.",
    LAUV, MOTION, _survey, time_limit=60, interval=0.1,
    start={"/lauv/position/y": (-3.0, 3.0), "/lauv/position/z": (2.0, 4.0), "/lauv/attitude/2": (-0.5, 0.5)})

TASKS: dict[str, Task] = {task.name: task for task in
                          (STATION, TRAJECTORY, BOTTOM, WALL, PURSUIT, DOCKING, SURVEY)}
