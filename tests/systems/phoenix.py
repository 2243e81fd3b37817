#!/usr/bin/env python3
"""Phoenix flown through its telemetry record (scenarios/phoenix-telemetry.xml). After 40 s its depth gauge fails. The
software notices it from the record, continues with a depth reckoned from pitch and speed log, and comes up to 2 m.

usage: phoenix.py BUILD SOURCE"""
import math, os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import Loop, Program, fact, metrics, rows  # noqa: E402

BUILD, SOURCE = sys.argv[1:3]
FOOT, STEP, SECONDS = 0.3048, 0.1, 110
DEPTH, SHALLOW, FAILS, RISES = 4.0, 2.0, 40.0, 60.0  # m, m, s: when the gauge fails, when the software comes up
HEADING = 1.2                                        # rad: the wall is 30 m north


def within(x, most):
    return max(-most, min(most, x))


class Software:
    """On-board software; one that does not reckon believes the last depth that the gauge has shown."""

    def __init__(self, reckons):
        self.reckons, self.depth, self.failed_at, self.lack = reckons, None, None, 0.0

    def believe(self, t, now):
        sinks = -now["u"] * FOOT * math.sin(now["theta"]) * STEP
        if now["z"] is not None:
            shown = now["z"] * FOOT
            self.depth = shown if self.depth is None else self.depth + sinks + 0.2 * (shown - self.depth - sinks)
            return
        if self.failed_at is None:
            self.failed_at = t
        if self.reckons:
            self.depth += sinks

    def orders(self, t, now):
        self.believe(t, now)
        error = self.depth - (DEPTH if t < RISES else SHALLOW)
        self.lack = within(self.lack + 0.01 * error * STEP, 0.05)
        nose_up = within(0.35 * error + self.lack, 0.3)
        planes = within(4 * (nose_up - now["theta"]) - 2 * now["q"], 0.4)
        rudder = within(1.2 * math.remainder(HEADING - now["psi"], 2 * math.pi) - 1.5 * now["r"], 0.4)
        return {"delta_rb": rudder, "delta_rs": -rudder, "delta_pb": planes, "delta_ps": -planes,
                "n_port": 700.0, "n_stbd": 700.0}


def fly(log, reckons):
    """Returns the software, its records as (t, depth shown or None, depth believed), m, and the true depths of the log."""
    scenario = os.path.join(SOURCE, "scenarios/phoenix-telemetry.xml")
    with Program(BUILD, "run", scenario, "--telemetry-loop", "0", "--log", log, "--duration", str(SECONDS)) as run:
        loop, software, seen = Loop(run.port), Software(reckons), []
        now = loop.exchange(0.0, {})
        for i in range(1, round(SECONDS / STEP) + 1):
            ready = None not in [now[name] for name in ("u", "theta", "q", "psi", "r")]  # not before each has measured
            orders = software.orders((i - 1) * STEP, now) if ready else {}
            now = loop.exchange(round(i * STEP, 1), orders)
            seen.append((round(i * STEP, 1), None if now["z"] is None else now["z"] * FOOT, software.depth))
        assert run.wait() == 0, run.said
    track = rows(BUILD, log, "/phoenix/odom")
    return software, seen, {round(float(row["time [s]"]), 2): float(row["pose.pose.position.down [m]"]) for row in track}


def main():
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "phoenix.mcap")
        software, seen, depths = fly(log, True)
        assert all(z is not None for t, z, _ in seen if t < FAILS) and all(z is None for t, z, _ in seen if t > FAILS + 0.15)
        assert FAILS <= software.failed_at < FAILS + 0.25, software.failed_at
        fact("the_software_notices_from_the_record_that_the_depth_gauge_has_failed")
        off = [abs(z - depths[t]) for t, z, _ in seen if z is not None]
        mean = sum(off) / len(off)  # 2 cm of bias, 1 cm of noise, up to 0.1 s old
        assert 0.01 < mean < 0.04 and max(off) < 0.12, (mean, max(off))
        fact("until_then_the_record_has_what_the_gauge_shows")
        error = max(abs(believed - depths[t]) for t, _, believed in seen if t > FAILS)
        held = [depths[t] for t, _, _ in seen if FAILS < t < RISES]
        print(f"reckoned depth at most {error:.2f} m off; held {min(held):.2f} to {max(held):.2f} m, "
              f"in the end {depths[SECONDS]:.2f} m", file=sys.stderr)
        assert error < 0.15 and DEPTH - 0.4 < min(held) and max(held) < DEPTH + 0.4, (error, min(held), max(held))
        fact("without_the_gauge_it_holds_4_m_within_0.4_m_from_pitch_and_speed_log")
        assert all(abs(depths[t] - SHALLOW) < 0.5 for t, _, _ in seen if t > SECONDS - 15), depths[SECONDS]
        fact("and_comes_up_to_2_m")
        found, last = metrics(BUILD, log), rows(BUILD, log, "/phoenix/odom")[-1]
        yaw = 2 * math.atan2(*(float(last[f"pose.pose.orientation.{c}"]) for c in "zw"))
        assert found["phoenix/contacts"] == 0 and abs(math.remainder(yaw - HEADING, 2 * math.pi)) < 0.05, (found, yaw)
        assert float(last["pose.pose.position.east [m]"]) > 40 and 10 < float(last["pose.pose.position.north [m]"]) < 29, last
        fact("the_wall_is_not_touched_on_a_heading_of_1.2_rad")
        _, _, depths = fly(log, False)
        assert depths[SECONDS] < SHALLOW - 1, depths[SECONDS]
        fact("software_that_believes_the_last_depth_shown_comes_up_too_far")


main()
