#!/usr/bin/env python3
"""Snookie flown through its hardware record (scenarios/snookie-hardware.xml). A controller in this process feels the wall
with the eight voltages of the lateral line, backs off and turns away, to the side on which it has felt less.

usage: snookie.py BUILD SOURCE"""
import math, os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import Loop, Program, fact, metrics, rows  # noqa: E402

BUILD, SOURCE = sys.argv[1:3]
STEP, SECONDS, FULL = 0.005, 28, 7.0
SPEED, SLANT = 0.2, 0.5                   # m/s; rad: to which side of north, where the wall is, it swims
SETTLES, MEMORY, FELT = 5.0, 2.0, 0.001   # s: no judgement before; s: of the mean voltage; V of change
BACKS, TURN = 4.0, math.radians(120)
FORWARD = {"m1": (-0.16, -0.10), "m2": (-0.16, 0.10), "m3": (0.16, -0.10), "m4": (0.16, 0.10)}  # y and z of the motors, m
VERTICAL = {"m5": -0.16, "m6": 0.16}


class Controller:
    def __init__(self, now, bearing, feels):
        self.depth = self.last = now["depth"]
        self.bearing, self.feels = bearing, feels
        self.mean = self.felt = None
        self.side, self.turned = 0, False

    def feel(self, t, now):
        """A voltage that differs by 1 mV from its mean over the last 2 s means a wall, on the side that has changed more: V1
        to V4 are to starboard. Before the flow is steady nothing is judged."""
        voltages = [now[f"V{i}"] for i in range(1, 9)]
        if None in voltages:
            return  # before the first step the line has measured nothing
        if self.mean is None or t < SETTLES:
            self.mean = voltages
        self.mean = [m + STEP / MEMORY * (v - m) for m, v in zip(self.mean, voltages)]
        changes = [abs(v - m) for m, v in zip(self.mean, voltages)]
        if max(changes) > FELT:
            self.felt, self.side = t, -1 if sum(changes[:4]) > sum(changes[4:]) else 1

    def motors(self, t, now):
        if self.felt is None and self.feels:
            self.feel(t, now)
        backing = self.felt is not None and t < self.felt + BACKS
        if self.felt is not None and not backing and not self.turned:
            self.bearing, self.turned = self.bearing + self.side * TURN, True
        speed = -1.0 if backing else SPEED
        sinking, self.last = (now["depth"] - self.last) / STEP, now["depth"]
        ahead = 7.3631 * speed * abs(speed)  # the drag at that speed
        down = 51.63 * (self.depth - now["depth"]) - 103.26 * sinking
        roll = -2.180 * now["roll"] - 1.454 * now["p"]
        pitch = -6.589 * now["pitch"] - 6.589 * now["q"]
        yaw = 6.576 * math.remainder(self.bearing - now["yaw"], 2 * math.pi) - 6.576 * now["r"]
        forces = {m: ahead / 4 + pitch * z / 0.04 - yaw * y / 0.1024 for m, (y, z) in FORWARD.items()}
        forces.update({m: down / 2 + roll * y / 0.0512 for m, y in VERTICAL.items()})
        return {m: max(-1.0, min(1.0, force / FULL)) for m, force in forces.items()}


def fly(log, bearing, feels=True):
    scenario = os.path.join(SOURCE, "scenarios/snookie-hardware.xml")
    with Program(BUILD, "run", scenario, "--hardware-loop", "0", "--log", log, "--duration", str(SECONDS),
                 "--set", f"/snookie/attitude=0 0 {bearing!r} rad") as run:
        loop = Loop(run.port)
        now = loop.exchange(0.0, {})
        controller = Controller(now, bearing, feels)
        for i in range(1, round(SECONDS / STEP) + 1):
            now = loop.exchange(round(i * STEP, 3), controller.motors((i - 1) * STEP, now))
        assert run.wait() == 0, run.said
    return controller, now, rows(BUILD, log, "/snookie/odom"), metrics(BUILD, log)


def place(row):
    return [float(row[f"pose.pose.position.{axis} [m]"]) for axis in ("north", "east", "down")]


def check_turns_away(log, bearing):
    """A wall to the north: with a bearing to starboard of it, the wall is on the port side."""
    controller, now, track, found = fly(log, bearing)
    side = 1 if bearing > 0 else -1
    assert controller.felt is not None and controller.side == side, (controller.felt, controller.side)
    felt_at, last = place(track[round(controller.felt / STEP)]), place(track[-1])
    assert 2.2 < felt_at[0] < 2.6 and felt_at[1] * side > 1, felt_at  # the nose is 0.37 m ahead, the wall at 3 m
    assert found["snookie/contacts"] == 0 and 0.1 < found["snookie/min_clearance"] < 0.5, found
    assert last[0] < 0 and last[0] < felt_at[0] - 2, last
    assert abs(math.remainder(now["yaw"] - bearing - side * TURN, 2 * math.pi)) < 0.15, now["yaw"]
    assert max(abs(place(row)[2] - 3) for row in track) < 0.02
    print(f"felt at {controller.felt:.2f} s, clear of the wall by {found['snookie/min_clearance']:.2f} m", file=sys.stderr)


def main():
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "snookie.mcap")
        check_turns_away(log, SLANT)
        fact("a_wall_to_port_is_felt_by_the_lateral_line_and_snookie_turns_to_starboard_without_a_touch")
        check_turns_away(log, -SLANT)
        fact("from_a_wall_to_starboard_it_turns_to_port")
        _, _, track, found = fly(log, SLANT, feels=False)
        assert found["snookie/contacts"] > 0 and found["snookie/min_clearance"] == 0 and place(track[-1])[0] > 2, found
        fact("a_controller_that_does_not_read_the_voltages_touches_the_wall")


main()
