#!/usr/bin/env python3
"""A fish in a pool with two columns, steered over UDP by a client that reads its two sonars and nothing else.

usage: fish.py BUILD SOURCE"""
import math, os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import CONTROLLER, Client, Program, fact, metrics, rows  # noqa: E402

BUILD, SOURCE = sys.argv[1:3]
SECONDS, STEP = 60, 0.05
BEAT = 1.5                # Hz: of the tail
NEAR, CLOSE = 0.9, 0.45   # m: it begins to turn; it turns as sharply as it can
SHARPEST = math.radians(50)


def bend(port, starboard, side):
    """Deflection of the tail for two ranges, positive to starboard, and the side to which it turns: 1 starboard, -1 port."""
    nearest = min(port, starboard)
    if nearest > NEAR:
        return 0.0, 0
    if side == 0 or abs(port - starboard) > 0.3:
        side = 1 if starboard > port else -1
    return side * SHARPEST * min(1, (NEAR - nearest) / (NEAR - CLOSE) + 0.3), side


def swim(log, steered):
    """A minute of swimming. Returns the client, and the change of heading while it turned to each side, rad."""
    turned = {1: 0.0, -1: 0.0}
    scenario = os.path.join(SOURCE, "tests/systems/fish.xml")
    with Program(BUILD, "serve", scenario, "--port", "0", "--lockstep", "--quiet", "--log", log) as server:
        pilot = Client(server.port, CONTROLLER, "pilot", "fish")
        state, side = pilot.begin(), 0
        assert pilot.actuators == {"frequency": "Hz", "deflection": "rad", "depth": "m"}, pilot.actuators
        depth = state.position[2]
        while state.time < SECONDS - STEP / 2:
            port, starboard = (pilot.read(name, "range", [math.inf])[0] for name in ("port-sonar", "starboard-sonar"))
            deflection, side = bend(port, starboard, side) if steered else (0.0, 0)
            state = pilot.step({"frequency": BEAT, "deflection": deflection, "depth": depth})
            if side:
                turned[side] += state.rates[2] * STEP
        pilot.leave()
        assert server.end() == 0
    return pilot, turned


def main():
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "blind.mcap")
        pilot, _ = swim(log, False)
        assert pilot.touches > 0 and metrics(BUILD, log)["fish/contacts"] > 0
        fact("a_fish_that_swims_straight_on_touches_a_wall_within_a_minute")
        log = os.path.join(work, "steered.mcap")
        pilot, turned = swim(log, True)
        found, events, track = metrics(BUILD, log), rows(BUILD, log, "/events"), rows(BUILD, log, "/fish/odom")
        assert len(track) == SECONDS / STEP + 1 and float(track[-1]["time [s]"]) == SECONDS, len(track)
        assert pilot.touches == 0 and found["fish/contacts"] == 0 and not events, (pilot.touches, found, events)
        assert found["fish/min_clearance"] > 0.1, found
        fact("steered_by_a_client_from_its_sonars_it_swims_for_a_minute_without_a_touch_10_cm_clear_of_everything")
        assert found["fish/distance"] > 8, found
        north = [float(row["pose.pose.position.north [m]"]) for row in track]
        east = [float(row["pose.pose.position.east [m]"]) for row in track]
        assert max(north) - min(north) > 2 and max(east) - min(east) > 1, (min(north), max(north), min(east), max(east))
        assert 0 < min(north) and max(north) < 6 and 0 < min(east) and max(east) < 4
        fact("it_swims_through_the_pool_and_not_on_the_spot")
        assert turned[1] > 0.5 and turned[-1] < -0.5, turned
        fact("positive_deflection_turns_it_to_starboard_negative_to_port")


main()
