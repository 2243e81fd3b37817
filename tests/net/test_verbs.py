#!/usr/bin/env python3
"""`take`, `release`, `engage`, `disengage` and `desire` through the doors that are not UDP: the command queue (`fathom ctl
--queue`), and ROS 2 (another vendor's DDS, where it is installed). The vehicle of ros2-lauv flies a mission with its
autopilot meanwhile; a second process asks who owns what.

usage: test_verbs.py BUILD SOURCE"""
import os, re, subprocess, sys, tempfile, time

BUILD, SOURCE = sys.argv[1:3]
FATHOM, PEER = os.path.join(BUILD, "fathom"), os.path.join(BUILD, "tests", "fastdds_peer")
NAME, DOMAIN = f"verbs{os.getpid()}", str(80 + os.getpid() % 100)
STRING = "std_msgs::msg::dds_::String_"
passed = 0


def fact(name):
    global passed
    passed += 1
    print(f"[       OK ] {name}", file=sys.stderr)


def ctl(*words, at=()):
    done = subprocess.run([FATHOM, "ctl", *at, *words], capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def queue(*words):
    status, said = ctl(*words, at=["--queue", NAME])
    assert status == 0, f"{words}: {said}"


def owners(port):
    status, said = ctl("owners", "lauv", at=["--port", str(port)])
    assert status == 0, said
    return said


def wait_for(port, what, holds):
    """A door answers before the next step is shown: asked until it is there, at most 30 s."""
    end = time.monotonic() + 30
    while not holds(owners(port)):
        assert time.monotonic() < end, f"{what}: not within 30 s:\n{owners(port)}"
        time.sleep(0.05)


def line_of(said, actuator):
    return next(line for line in said.splitlines() if re.match(rf"\s*{actuator}\b", line))


def held_by(actuator, owner):
    return lambda said: owner in line_of(said, actuator)


def check_queue(port):
    wait_for(port, "the autopilot flies", held_by("propeller", "autopilot"))
    queue("take", "lauv", "propeller")
    wait_for(port, "taken", held_by("propeller", "queue"))
    assert "autopilot" in line_of(owners(port), "upper-rudder"), owners(port)
    status, said = ctl("order", "lauv", "propeller", "10", at=["--port", str(port)])
    assert status != 0 and "queue" in said, f"an order from another door on a taken actuator: {said}"
    queue("release", "lauv", "propeller")
    wait_for(port, "released", held_by("propeller", "autopilot"))
    fact("the_queue_takes_an_actuator_and_gives_it_back")
    queue("disengage", "lauv", "autopilot")
    wait_for(port, "disengaged", lambda said: "autopilot" not in said)
    queue("engage", "lauv", "autopilot")
    wait_for(port, "engaged", held_by("propeller", "autopilot"))
    fact("the_queue_disengages_the_autopilot_and_engages_it_again")
    queue("desire", "lauv", "depth", "6")
    deadline = time.monotonic() + 20
    status, said = ctl("setpoints", "lauv", at=["--port", str(port)])
    while not re.search(r"depth\s.*\b6\b", said) and time.monotonic() < deadline: # a queue answers nothing
        status, said = ctl("setpoints", "lauv", at=["--port", str(port)])
    assert status == 0 and re.search(r"depth\s.*\b6\b", said), said
    fact("the_queue_sets_a_setpoint")


class Peer:
    """Another vendor's participant: tests/net/fastdds/peer.cpp."""

    def __init__(self):
        self.process = subprocess.Popen([PEER, DOMAIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def open(self, *topics):
        """Writers that readers know before they write: what is written earlier is lost, as with any ROS 2 node."""
        for topic in topics:
            self.process.stdin.write(f"open rt/lauv/{topic} {STRING}\n")
        self.process.stdin.flush()
        time.sleep(3)

    def say(self, topic, text):
        data = b"\0\1\0\0" + (len(text) + 1).to_bytes(4, "little") + text.encode() + b"\0"
        self.process.stdin.write(f"write rt/lauv/{topic} {STRING} {data.hex()}\n")
        self.process.stdin.flush()
        for line in self.process.stdout:
            if line.startswith("sent"):
                return
        raise AssertionError("the participant has ended")


def check_ros2(port):
    peer = Peer()
    peer.open("take", "release", "engage", "disengage")
    peer.say("take", "upper-rudder")
    wait_for(port, "taken through ROS 2", held_by("upper-rudder", "ros2"))
    assert "autopilot" in line_of(owners(port), "propeller"), owners(port)
    peer.say("release", "upper-rudder")
    wait_for(port, "released through ROS 2", held_by("upper-rudder", "autopilot"))
    fact("a_ros2_node_takes_an_actuator_and_gives_it_back")
    peer.say("disengage", "autopilot")
    wait_for(port, "disengaged through ROS 2", lambda said: "autopilot" not in said)
    peer.say("engage", "autopilot")
    wait_for(port, "engaged through ROS 2", held_by("propeller", "autopilot"))
    fact("a_ros2_node_disengages_the_autopilot_and_engages_it_again")
    peer.process.kill()


def main():
    with tempfile.TemporaryDirectory() as folder:
        server = subprocess.Popen([FATHOM, "serve", os.path.join(SOURCE, "scenarios", "ros2-lauv.xml"), "--port", "0",
                                   "--shared", NAME, "--set", f"/bridge/domain={DOMAIN}"], cwd=folder,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        try:
            for line in server.stdout:
                if found := re.search(r" port (\d+)", line):
                    break
            port = int(found.group(1))
            check_queue(port)
            if os.path.exists(PEER):
                check_ros2(port)
        finally:
            server.terminate()
            server.wait(30)
    print(f"[  PASSED  ] {passed} test(s).")


main()
