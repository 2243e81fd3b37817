#!/usr/bin/env python3
"""Snookie's controller outside of the simulator: reads depth, angles and rates, sends six motor commands.
The law and the gains are those of <hover-pd>. usage: snookie_controller.py PORT SECONDS DEPTH BEARING SPEED"""
import math
import socket
import sys

port, seconds, depth, bearing, speed = int(sys.argv[1]), *map(float, sys.argv[2:6])
DT, FULL = 0.005, 7.0
ROLL, PITCH, YAW, DEPTH, FEED = (2.180, 1.454), (6.589, 6.589), (6.576, 6.576), (51.63, 103.26), 7.3631
# port-upper, port-lower, starboard-upper, starboard-lower: y, z (m); the two vertical ones: y
FORWARD, VERTICAL = [(-0.16, -0.10), (-0.16, 0.10), (0.16, -0.10), (0.16, 0.10)], [-0.16, 0.16]

sock = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sock.settimeout(10)
sock.connect(("127.0.0.1", port))


def exchange(text):
    sock.send(text.encode())
    reply = sock.recv(4096).decode()
    if reply.startswith("error"):
        sys.exit(reply)
    return {name: float(value) for name, value in (pair.split("=") for pair in reply.split())}


def clamp(force):
    return max(-1.0, min(1.0, force / FULL))


def wrap(angle):
    return angle - 2 * math.pi * math.floor((angle + math.pi) / (2 * math.pi))


now = exchange("t=0")
last = now["depth"]
for step in range(1, round(seconds / DT) + 1):
    sinking = (now["depth"] - last) / DT
    last = now["depth"]
    ahead = FEED * speed * abs(speed)
    down = DEPTH[0] * (depth - now["depth"]) - DEPTH[1] * sinking
    roll = -ROLL[0] * wrap(now["roll"]) - ROLL[1] * now["p"]
    pitch = -PITCH[0] * wrap(now["pitch"]) - PITCH[1] * now["q"]
    yaw = YAW[0] * wrap(bearing - now["yaw"]) - YAW[1] * now["r"]
    motors = [ahead / 4 + pitch * z / 0.04 - yaw * y / 0.1024 for y, z in FORWARD]
    motors += [down / 2 + roll * y / 0.0512 for y in VERTICAL]
    orders = " ".join(f"m{i + 1}={clamp(force)!r}" for i, force in enumerate(motors))
    now = exchange(f"t={step * DT!r} {orders}")
