#!/usr/bin/env python3
"""Fathom's LAUV beside a free body of the same size in MuJoCo's ellipsoid fluid model: steps per second on one core.

Needs `pip install mujoco`. Both are measured in turns, by the best of their slices, in processor time.
usage: bench/peers.py [FATHOM [TURNS]]      default: build/release/fathom, 5"""
import json, subprocess, sys, time

import mujoco

BODY = """<mujoco><option timestep="0.02" density="1025" viscosity="0.001" integrator="{integrator}" gravity="0 0 0">
<flag contact="disable"/></option><worldbody><body><freejoint/>
<inertial pos="0 0 0" mass="18" diaginertia="0.04 2.1 2.1"/>
<geom type="ellipsoid" size="0.54 0.075 0.075" fluidshape="ellipsoid" mass="0"/></body></worldbody></mujoco>"""
STEPS = 20000


def fathom_rate(program):
    """Steps per second of a world with the LAUV, Heun (two evaluations of the forces in each step)."""
    out = subprocess.run([program, "bench", "--json", "--only", "lauv/heun"], capture_output=True, text=True, check=True).stdout
    return json.loads(out)["results"][0]["steps_per_s"]


def mujoco_rate(integrator):
    model = mujoco.MjModel.from_xml_string(BODY.format(integrator=integrator))
    data, best = mujoco.MjData(model), 0
    for _ in range(10):
        mujoco.mj_resetData(model, data)
        data.qvel[:] = [1, 0.1, 0, 0, 0.1, 0.1]
        begin = time.process_time()
        mujoco.mj_step(model, data, STEPS)
        best = max(best, STEPS / (time.process_time() - begin))
    return best


def main():
    program = sys.argv[1] if len(sys.argv) > 1 else "build/release/fathom"
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    rates = {"Fathom, lauv, Heun": 0, "MuJoCo, Euler": 0, "MuJoCo, RK4": 0}
    for _ in range(turns):
        for name, rate in ((list(rates)[0], lambda: fathom_rate(program)), (list(rates)[1], lambda: mujoco_rate("Euler")),
                           (list(rates)[2], lambda: mujoco_rate("RK4"))):
            rates[name] = max(rates[name], rate())
    print(f"MuJoCo {mujoco.__version__}")
    for name, rate in rates.items():
        print(f"{name:20} {rate:12.3g} steps/s {rate / rates['Fathom, lauv, Heun']:8.3f} of Fathom's")


main()
