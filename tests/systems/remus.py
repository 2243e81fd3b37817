#!/usr/bin/env python3
"""REMUS over a bottom that rises and has a mound. A client closes its altitude loop over UDP: it reads altimeter, inertial
unit and compass, and orders planes, rudders and propeller.

usage: remus.py BUILD SOURCE"""
import math, os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import CONTROLLER, Client, Program, fact, metrics, rows  # noqa: E402

BUILD, SOURCE = sys.argv[1:3]
SECONDS, STEP = 150, 0.05
ALTITUDE, BAND, SETTLED = 3.0, 0.5, 20.0  # m, m, s
TURNS = 1500 * 2 * math.pi / 60           # rad/s
LIMIT = math.radians(13.6)


def bottom(north, east):
    """Depth of the water, m, as remus.xml says: a plane and a Gaussian mound."""
    return 24 - 0.02 * north - 3 * math.exp(-0.5 * (((north - 130) / 20) ** 2 + (east / 60) ** 2))


def within(x, most):
    return max(-most, min(most, x))


class Pilot:
    """Altitude to pitch, pitch to planes; compass to rudders."""

    def __init__(self):
        self.altitude = self.climb = self.bias = self.trim = None

    def orders(self, client):
        w, x, y, z = client.read("imu", "orientation")
        _, q, r = client.read("imu", "angular_velocity")
        pitch, roll = math.asin(within(2 * (w * y - x * z), 1)), math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y))
        heading = math.remainder(client.read("compass", "value")[0], 2 * math.pi)
        measured = client.read("altimeter", "range")[0] * math.cos(pitch) * math.cos(roll)
        if self.altitude is None:
            self.altitude, self.climb, self.bias, self.trim = measured, 0.0, 0.0, 0.0
        error = measured - self.altitude - self.climb * STEP  # altitude and its rate, of 3 cm noise
        self.altitude += self.climb * STEP + 0.15 * error
        self.climb += 0.08 * error
        lack = ALTITUDE - self.altitude
        self.bias = within(self.bias + 0.02 * lack * STEP, 0.2)
        wanted = within(0.25 * lack - 0.2 * self.climb + self.bias, math.radians(20))
        self.trim = within(self.trim + 0.3 * (pitch - wanted) * STEP, 0.15)
        plane = within(1.5 * (pitch - wanted) + 1.0 * q + self.trim, LIMIT)  # positive: nose down
        rudder = within(1.0 * heading + 1.0 * r, LIMIT)                      # positive: nose to port
        return {"propeller": TURNS, "upper-rudder": rudder, "lower-rudder": rudder, "port-plane": plane, "starboard-plane": plane}


def fly(log, closed):
    """Flies for SECONDS; with the loop not closed the planes stay at zero."""
    scenario = os.path.join(SOURCE, "tests/systems/remus.xml")
    with Program(BUILD, "serve", scenario, "--port", "0", "--lockstep", "--quiet", "--log", log) as server:
        client, pilot = Client(server.port, CONTROLLER, "pilot", "remus"), Pilot()
        state = client.begin()
        while None in (client.read("altimeter", "range"), client.read("imu", "orientation"), client.read("compass", "value")):
            state = client.step()  # until each has measured once
        while state.time < SECONDS - STEP / 2:
            orders = pilot.orders(client)
            if not closed:
                orders["port-plane"] = orders["starboard-plane"] = 0.0
            state = client.step(orders)
            assert state.owners == (2,) * len(orders), state.owners  # this client has all actuators
        client.leave()
        assert server.end() == 0
    columns = ["time [s]"] + [f"pose.pose.position.{axis} [m]" for axis in ("north", "east", "down")]
    track = [[float(row[name]) for name in columns] for row in rows(BUILD, log, "/remus/odom")]
    assert len(track) == SECONDS / STEP + 1, len(track)
    return track


def main():
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "remus.mcap")
        track = fly(log, True)
        altitudes = [bottom(n, e) - d for t, n, e, d in track if t > SETTLED]
        least, most = min(altitudes), max(altitudes)
        print(f"altitude {least:.2f} to {most:.2f} m", file=sys.stderr)
        assert ALTITUDE - BAND < least and most < ALTITUDE + BAND, (least, most)
        fact("the_altitude_is_kept_within_0.5_m_of_3_m_over_a_slope_and_a_mound_of_3_m")
        depths = [d for t, n, e, d in track if t > SETTLED]
        top = min(track, key=lambda row: row[3])
        assert max(depths) - min(depths) > 4 and 125 < top[1] < 150, (min(depths), max(depths), top)
        assert track[-1][1] > 200 and max(d for t, _, _, d in track if t > top[0]) > top[3] + 1.5, (top, track[-1])
        fact("it_climbs_over_the_mound_and_descends_after_it")
        found = metrics(BUILD, log)
        assert found["remus/contacts"] == 0 and ALTITUDE - BAND - 0.4 < found["remus/min_clearance"] < ALTITUDE, found
        assert max(abs(e) for _, _, e, _ in track) < 10
        fact("the_clearance_in_the_log_agrees_and_there_is_no_contact")
        off = [bottom(n, e) - d for _, n, e, d in fly(log, False)]
        assert max(abs(a - ALTITUDE) for a in off) > 3 * BAND, (min(off), max(off))
        fact("with_the_planes_at_zero_it_does_not_keep_its_altitude")


main()
