#!/usr/bin/env python3
"""Follows docs/tutorial.md with an installed `fathom`: saves its files, types its commands but the ones that open a
window, and compares what is printed with what the page says. Then it does the same in Python.

usage: tutorial.py TUTORIAL.md       in an empty folder"""
import re
import subprocess
import sys

text = open(sys.argv[1], encoding="utf-8").read()
for name, xml in re.findall(r"as `(\w+\.xml)`.*?```xml\n(.*?)```", text, re.S):
    open(name, "w", encoding="utf-8").write(xml)
printed = ""
commands = re.findall(r"^    ((?:fathom|cp) .*)$", text, re.M)
for command in commands:
    if command.startswith("fathom view"):
        continue
    done = subprocess.run(command, shell=True, capture_output=True, text=True)
    printed += done.stdout
    if done.returncode:
        sys.exit(f"$ {command}\n{done.stdout}{done.stderr}")
for expected in ("fine", "2.995", "0.298", '"track_error_rms": 0.47'):
    if expected not in printed:
        sys.exit(f"'{expected}' was not printed:\n{printed}")
import os

for picture in ("bay-figure.png", "lookahead.png"):
    if os.path.getsize(picture) < 10000:
        sys.exit(f"{picture} is empty")

import fathom

world = fathom.load("bay.xml").world()
world.run_until(420)
assert abs(world.metrics["minnow"]["track_error_rms"] - 0.47) < 0.005, world.metrics
frame = fathom.log.open("bay.mcap")["/minnow/odom"]
assert len(frame.time) > 1000
study = fathom.Study("bay.xml", {"/minnow/waypoints/lookahead": [6.0, 12.0]}, duration=60).make()
assert study.outcomes.tolist() == [1, 1] and study.values.shape == (2, len(study.columns))
study.write("study.nc")
assert os.path.getsize("study.nc") > 1000
with fathom.load("bluerov2-hover").run(duration=30).view(open=False) as view:
    import urllib.request

    assert b"<html" in urllib.request.urlopen(view.url, timeout=20).read().lower()
print(f"{len(commands)} commands of the tutorial, a world, a log, a study and a page in Python: fine")
