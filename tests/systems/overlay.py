#!/usr/bin/env python3
"""A real vehicle over the model, live: a process that is not Fathom goes its own way and sends lines of telemetry while
scenarios/phoenix-turn.xml runs in real time. The log holds what was measured, what the model did and the difference;
`fathom compare` reports it, also while the run goes on. Written from docs/records.md and docs/live.md.

usage: overlay.py BUILD SOURCE"""
import json, math, os, random, re, socket, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import Program, fact, rows  # noqa: E402

BUILD, SOURCE = sys.argv[1:3]
SCENARIO = os.path.join(SOURCE, "scenarios/phoenix-turn.xml")
FOOT = 0.3048


class Vehicle:
    """Goes north at 0.4 m/s, sinks slowly and turns; its telemetry is that of the dissertation, in feet."""

    def __init__(self, port, started):
        self.socket, self.place, self.started, self.sent = socket.socket(socket.AF_INET, socket.SOCK_DGRAM), ("127.0.0.1", port), started, {}

    def state(self, t):
        return {"north": 0.4 * t, "east": 2.0, "depth": 3 + 0.05 * t, "heading": 0.2 * t}

    def send(self):
        t = round(time.monotonic() - self.started, 3)
        s = self.state(t)
        line = f"t={t} x={s['north'] / FOOT} y={s['east'] / FOOT} z={s['depth'] / FOOT} psi={s['heading']} n_port=650 ST725_range="
        self.socket.sendto(line.encode(), self.place)
        self.sent[t] = s
        return t

    def say(self, data):
        self.socket.sendto(data, self.place)


def fathom(*words):
    return subprocess.run([os.path.join(BUILD, "fathom"), *words], capture_output=True, text=True)


def hash_of(log):
    return next(line.split()[-1] for line in fathom("info", log).stdout.splitlines() if "state_hash" in line)


def compare(log, *words):
    found = fathom("compare", log, "--json", *words)
    assert found.returncode == 0, found.stderr
    return {c["ours"].rsplit(".", 1)[1]: c for c in json.loads(found.stdout)["channels"]}


def noise(random_):
    """Bytes that are no telemetry: random ones, and lines that are nearly right."""
    if random_.random() < 0.5:
        return bytes(random_.randrange(1, 256) for _ in range(random_.randrange(1, 400))).replace(b"\n", b"?").replace(b"=", b"?")
    return random_.choice([b"t=1 x=", b"depth=nan", b"depth=1e30", b"=", b"depth=1=2", b"x=1,y=2", b"a" * 3000, b"heading[kg]=1", b"\0",
                           b"rudder=1", b"depth=--1", b"depth=1" + b" " * 5000])


def fly(log):
    seconds, random_ = 14, random.Random(3)
    with Program(BUILD, "run", SCENARIO, "--realtime", "--duration", str(seconds), "--overlay", "udp:0", "--log", log, "--log-chunk", "0.5") as run:
        vehicle, stranger = Vehicle(run.port, time.monotonic()), socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        bad = foreign = late = 0
        live = None
        while run.process.poll() is None and time.monotonic() - vehicle.started < seconds + 5:
            t = time.monotonic() - vehicle.started
            if not 6 < t < 9:  # the link is lost for 3 s
                vehicle.send()
                for _ in range(3):
                    vehicle.say(noise(random_))
                    bad += 1
                if random_.random() < 0.2:
                    vehicle.say(f"t={max(0.0, t - 0.5):.3f} x=1000".encode())  # overtaken on its way
                    late += 1
                if random_.random() < 0.2 and t > 0.5:
                    stranger.sendto(b"t=0 x=5000 y=0 z=0", vehicle.place)
                    foreign += 1
            elif live is None:
                live = compare(log)
            time.sleep(0.1)
        assert run.wait() == 0, run.said
    return run.said, vehicle, bad, foreign, late, live


def counts(said):
    """\"… overlay of phoenix: 120 lines, 100 used, 3 malformed, …\" by name."""
    line = next(line for line in said.splitlines() if re.search(r" lines, \d+ used", line))
    return {words.strip().split(" ", 1)[1]: int(words.split()[0]) for words in line.split("phoenix: ")[1].split(",")}


def main():
    with tempfile.TemporaryDirectory() as work:
        log, plain = os.path.join(work, "live.mcap"), os.path.join(work, "plain.mcap")
        said, vehicle, bad, foreign, late, live = fly(log)
        count = counts(said)
        print(count, file=sys.stderr)
        taken = count["used"]
        assert taken > 50 and live and live["north"]["samples"] > 10, (taken, live)
        fact("the_log_of_a_run_that_goes_on_is_compared")
        dropped = sum(count.get(name, 0) for name in ("malformed", "out of range", "without a quantity"))
        # Lines that came after the last step are counted, and not used.
        assert 0.9 * bad <= dropped <= bad and count["lines"] >= taken + dropped, (bad, count)
        fact("what_is_no_telemetry_is_dropped_and_counted")
        assert 0 < count["from other senders"] <= foreign and 0 < count["late"] <= late + 1, (count, foreign, late)
        fact("other_senders_and_overtaken_lines_are_dropped_and_counted")

        measured, difference = rows(BUILD, log, "/overlay/phoenix/measured"), rows(BUILD, log, "/overlay/phoenix/difference")
        model = {row["time [s]"]: row for row in rows(BUILD, log, "/overlay/phoenix/model")}
        odom = {row["time [s]"]: row for row in rows(BUILD, log, "/phoenix/odom")}
        units = {"north": "m", "east": "m", "depth": "m", "heading": "rad"}
        assert len(measured) == len(difference) >= 0.95 * taken, (len(measured), taken)
        sums = dict.fromkeys(units, 0.0)
        for row, apart in zip(measured, difference):
            sent, ours, place = vehicle.sent[round(float(row["clock [s]"]), 3)], model[row["time [s]"]], odom[row["time [s]"]]
            off = [float(place[f"pose.pose.position.{axis} [m]"]) - sent[name] for axis, name in
                   (("north", "north"), ("east", "east"), ("down", "depth"))]
            assert abs(float(apart["distance [m]"]) - math.hypot(*off)) < 1e-9, (apart, off)
            for name, unit in units.items():
                column = f"{name} [{unit}]"
                assert abs(float(row[column]) - sent[name]) < 1e-9, (row, sent)
                d = float(ours[column]) - sent[name]
                d = math.remainder(d, 2 * math.pi) if unit == "rad" else d
                assert abs(float(apart[column]) - d) < 1e-9, (apart, d)
                sums[name] += d
            assert row["roll [rad]"] == "nan" and apart["roll [rad]"] == "nan"
        fact("each_line_stands_in_the_log_with_the_model_at_that_step_and_the_difference")
        lag = [float(row["time [s]"]) - float(row["clock [s]"]) for row in measured]
        assert max(lag) - min(lag) < 1.5, (min(lag), max(lag))  # both clocks run at the same rate; the machine may be busy
        gap = max(float(b["time [s]"]) - float(a["time [s]"]) for a, b in zip(measured, measured[1:]))
        assert 2.5 < gap < 5, gap
        fact("while_the_link_is_lost_nothing_is_measured")
        found = compare(log)
        for name in units:
            assert found[name]["samples"] == len(measured), (name, found[name], len(measured))
            assert abs(found[name]["bias"] - sums[name] / len(measured)) < 1e-6, (name, found[name], sums[name] / len(measured))
        assert set(found) == set(units), set(found)
        fact("compare_reports_the_mean_of_the_differences")
        assert fathom("replay", log, "--verify").returncode == 0
        assert fathom("run", SCENARIO, "--duration", "14", "--log", plain, "--quiet").returncode == 0
        assert hash_of(log) == hash_of(plain)
        fact("the_model_does_not_notice_the_telemetry")


main()
