#!/usr/bin/env python3
"""A long-base-line navigator over UDP. It brings a vehicle, sends acoustic queries to four transponders, works out its
position from the times at which their replies arrive, and steers to a goal with these fixes. It does not use the position
in STATE: the test compares with it afterwards.

usage: lbl.py BUILD SOURCE"""
import math, os, sys, tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from wire import UNDERWATER, Client, Program, fact, rows  # noqa: E402

BUILD, SOURCE = sys.argv[1:3]
QUERY, REPLY = 1, 2
STEP, SOUND, DELAY = 0.05, 1500.0, 0.05
STATIONS = {101: (-60, -70, 35), 102: (260, -50, 28), 103: (240, 210, 40), 104: (-50, 190, 30)}  # as lbl.xml has them
START, HEADING, GOAL, DEPTH = (20.0, -30.0, 12.0), math.radians(120), (110.0, 60.0), 12.0
EVERY, PATIENCE, SECONDS, CLOSE = 2.0, 1.0, 200, 2.0  # s between queries, s for replies, s at most, m


def within(x, most):
    return max(-most, min(most, x))


def solve(travels, depth, velocity, guess):
    """Where the vehicle was (north, east) when it asked, from the time between query and reply of each station: least squares."""
    n, e = guess
    for _ in range(30):
        a11 = a12 = a22 = b1 = b2 = 0.0
        for address, t in travels:
            place = STATIONS[address]
            later = (n + velocity[0] * t, e + velocity[1] * t)
            length, gradient = -SOUND * (t - DELAY), [0.0, 0.0]
            for at in ((n, e), later):  # the way there and the way back
                d = math.dist((*at, depth), place)
                length += d
                gradient[0] += (at[0] - place[0]) / d
                gradient[1] += (at[1] - place[1]) / d
            a11, a12, a22 = a11 + gradient[0] ** 2, a12 + gradient[0] * gradient[1], a22 + gradient[1] ** 2
            b1, b2 = b1 - gradient[0] * length, b2 - gradient[1] * length
        det = a11 * a22 - a12 * a12
        dn, de = (a22 * b1 - a12 * b2) / det, (a11 * b2 - a12 * b1) / det
        n, e = n + dn, e + de
        if math.hypot(dn, de) < 1e-6:
            break
    return n, e


class Navigator:
    def __init__(self, client):
        self.client, self.fixes, self.asked, self.heard, self.velocity, self.queries = client, [], None, 0, (0.0, 0.0), 0
        self.address = client.address(0)

    def listen(self, now, depth):
        """Makes a fix when all replies to the last query are there, or when three are and no more will come."""
        replies = {s.sender: s.time for s in self.client.heard[self.heard:] if s.kind == REPLY and s.to == self.address}
        over = self.asked is not None and now > self.asked + PATIENCE
        if self.asked is None or len(replies) < len(STATIONS) and not over:
            return
        if len(replies) >= 3:
            self.fix([(sender, t - self.asked) for sender, t in replies.items()], depth)
        self.asked = None

    def fix(self, travels, depth):
        """The search begins at the centre of the stations: the navigator does not know where it was put into the water."""
        guess = [sum(p[i] for p in STATIONS.values()) / len(STATIONS) for i in (0, 1)]
        place = solve(travels, depth, self.velocity, guess)
        if self.fixes:
            t, last, _ = self.fixes[-1]
            self.velocity = tuple((a - b) / (self.asked - t) for a, b in zip(place, last))
            place = solve(travels, depth, self.velocity, place)
        self.fixes.append((self.asked, place, len(travels)))

    def ask(self):
        self.heard = len(self.client.heard)
        self.asked, _ = self.client.say(QUERY)
        self.queries += 1

    def place(self, now):
        t, (n, e), _ = self.fixes[-1]
        return n + self.velocity[0] * (now - t), e + self.velocity[1] * (now - t)


def orders(client, heading):
    w, x, y, z = client.read("imu", "orientation")
    _, q, r = client.read("imu", "angular_velocity")
    pitch = math.asin(within(2 * (w * y - x * z), 1))
    off = math.remainder(client.read("compass", "value")[0] - heading, 2 * math.pi)
    deep = client.read("depth", "value")[0] - DEPTH
    plane = within(1.0 * (pitch - within(0.1 * deep, 0.3)) + 0.8 * q, 0.4)  # positive: nose down
    rudder = within(0.8 * off + 0.8 * r, 0.4)                              # positive: nose to port
    return {"propeller": 220.0, "upper-rudder": rudder, "lower-rudder": rudder, "port-plane": plane, "starboard-plane": plane}


def navigate(port):
    client = Client(port, UNDERWATER, "navigator", "rover", pose=(*START, 0, 0, HEADING))
    state = client.begin()
    navigator = Navigator(client)
    truth, heading, arrived, next_query = {}, HEADING, None, 1.0
    while arrived is None and state.time < SECONDS:
        truth[round(state.time * 1e4)] = state.position
        sample = client.read("depth", "value")
        if sample is None or client.read("imu", "orientation") is None or client.read("compass", "value") is None:
            state = client.step()
            continue
        navigator.listen(state.time, sample[0])
        if navigator.asked is None and state.time >= next_query:
            navigator.ask()
            next_query += EVERY
        if len(navigator.fixes) > 1:
            n, e = navigator.place(state.time)
            heading = math.atan2(GOAL[1] - e, GOAL[0] - n)
            if math.dist(GOAL, (n, e)) < CLOSE:
                arrived = state
        state = client.step(orders(client, heading))
    client.leave()
    return client, navigator, truth, arrived


def serve(log):
    scenario = os.path.join(SOURCE, "tests/systems/lbl.xml")
    with Program(BUILD, "serve", scenario, "--port", "0", "--lockstep", "--quiet", "--log", log) as server:
        outcome = navigate(server.port)
        assert server.end() == 0
    return outcome


def main():
    with tempfile.TemporaryDirectory() as work:
        log = os.path.join(work, "lbl.mcap")
        client, navigator, truth, arrived = serve(log)
        judge(log, client, navigator, truth, arrived)
        _, again, same, _ = serve(log)
        assert again.fixes == navigator.fixes and same == truth
        fact("a_second_run_is_the_same_to_the_last_digit")


def judge(log, client, navigator, truth, arrived):
    emissions = [row for row in rows(BUILD, log, "/acoustics/emissions") if row["vehicle"] == "navigator"]
    sent = {round(float(row["time [s]"]) * 1e4): row for row in emissions}
    assert len(sent) == navigator.queries and len(navigator.fixes) > 0.8 * navigator.queries, (len(sent), navigator.queries)
    fact("every_query_of_the_client_is_an_emission_in_the_log")
    first, worst = navigator.fixes[0], 0.0
    for t, place, _ in navigator.fixes:
        row = sent[round(t * 1e4)]
        logged = [float(row[f"origin.{axis} [m]"]) for axis in ("north", "east")]
        assert math.dist(logged, truth[round(t * 1e4)][:2]) < 1e-3, (logged, truth[round(t * 1e4)])
        worst = max(worst, math.dist(logged, place))
    print(f"{len(navigator.fixes)} fixes, at most {worst:.3f} m off", file=sys.stderr)
    assert math.dist(first[1], START[:2]) < 1 and worst < 0.3, (first, worst)
    fact("fixes_from_its_own_queries_are_within_0.3_m_of_the_position_in_state_and_log")
    assert {3, 4} == {count for _, _, count in navigator.fixes}
    fact("three_replies_are_enough_where_one_is_not_heard")
    replies = [s for s in client.heard if s.kind == REPLY]
    for s in replies:
        n, e, _ = truth[round(math.floor(s.time / STEP) * STEP * 1e4)]
        off = s.azimuth - math.atan2(STATIONS[s.sender][1] - e, STATIONS[s.sender][0] - n)
        assert abs(math.remainder(off, 2 * math.pi)) < 0.01 and s.elevation < 0, (s.sender, s.azimuth, s.elevation, off)
    fact("the_direction_of_each_reply_is_that_of_its_station")
    assert arrived, f"not within {SECONDS} s"
    assert math.dist(arrived.position[:2], GOAL) < CLOSE + 0.3 and abs(arrived.position[2] - DEPTH) < 0.5, arrived.position
    fact("the_fixes_bring_it_to_its_goal")


main()
