#!/usr/bin/env python3
"""Missions of ground stations through the program: waypoints of scenarios written as a plan, as text and as GeoJSON, read
back by rules written from QGroundControl's loaders and RFC 7946, and plans that are flown. Positions on the Earth are
converted here through geocentric coordinates.
usage: test_mission_files.py FATHOM SCENARIOS"""
import csv
import json
import math
import os
import re
import subprocess
import sys
import tempfile

fathom, scenarios = (os.path.abspath(path) for path in sys.argv[1:3])
os.chdir(tempfile.mkdtemp())
CENTIMETRE = 0.01


def run(*words, status=0):
    done = subprocess.run([fathom, *words], capture_output=True, text=True)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


# --- the Earth: WGS 84 ---


def geocentric(latitude, longitude):
    a, e2 = 6378137.0, 6.69437999014e-3
    s, c = math.sin(math.radians(latitude)), math.cos(math.radians(latitude))
    n = a / math.sqrt(1 - e2 * s * s)
    return [n * c * math.cos(math.radians(longitude)), n * c * math.sin(math.radians(longitude)), n * (1 - e2) * s]


def local(origin, latitude, longitude):
    """North and east, m, in the plane that touches the sea at the origin."""
    d = [p - o for p, o in zip(geocentric(latitude, longitude), geocentric(*origin))]
    sa, ca = math.sin(math.radians(origin[0])), math.cos(math.radians(origin[0]))
    so, co = math.sin(math.radians(origin[1])), math.cos(math.radians(origin[1]))
    return -sa * co * d[0] - sa * so * d[1] + ca * d[2], -so * d[0] + co * d[1]


def on_earth(origin, north, east):
    """The inverse: Newton's method on `local`."""
    latitude, longitude = origin
    for _ in range(20):
        n, e = local(origin, latitude, longitude)
        latitude += (north - n) / 111e3
        longitude += (east - e) / (111e3 * math.cos(math.radians(latitude)))
    return latitude, longitude


# --- scenarios: Phoenix, which can hover, and an AUV with a bottom ---

phoenix = open(os.path.join(scenarios, "phoenix-mission.xml")).read()
origin = (36.6, -121.9)
phoenix = phoenix.replace("<world ", f'<world latitude="{origin[0]} deg" longitude="{origin[1]} deg" ')
LIST = re.compile(r"<waypoints[^>]*>.*?</waypoints>", re.S)
harbour = open(os.path.join(scenarios, "mavlink-harbour.xml")).read()
harbour_origin = (63.44, 10.4)


def scenario(name, text, attributes, children=""):
    found = LIST.search(text)
    open(name, "w").write(text[:found.start()] + f"<waypoints {attributes}>{children}</waypoints>" + text[found.end():])


# North, east, depth, speed, hold. The last one is 3 km away.
route = [(30, 0, 5, 0.6, 0), (30, 20, 5.25, 0.6, 90), (60, 20, 6, 0.5, 0), (60, 0, 6, 0.6, 0), (-2000, 2200, 41.5, 0.7, 0)]
scenario("far.xml", phoenix, 'speed="0.6 m/s" radius="4 m" then="hover"', "".join(
    f'<waypoint position="{n} {e} {d} m"' + (f' speed="{v} m/s"' if v != 0.6 else "") + f' hold="{h} s"/>'
    for n, e, d, v, h in route))
said = run("export", "far.xml", "--plan", "far.plan", "--waypoints", "far.waypoints", "--geojson", "far.geojson")
assert said.count("5 waypoints of phoenix to far.") == 3, said


def compare(what, at, found):
    """Rows of north, east, depth, speed, hold."""
    assert len(found) == len(route), f"{what}: {len(found)} waypoints"
    for k, (wanted, row) in enumerate(zip(route, found)):
        north, east = local(at, *row[:2])
        away = math.hypot(north - wanted[0], east - wanted[1], row[2] - wanted[2])
        assert away < CENTIMETRE, f"{what}: waypoint {k + 1} is {away} m away"
        assert row[3:] == list(wanted[3:]), f"{what}: waypoint {k + 1}: {row[3:]}, expected {wanted[3:]}"


# --- written: as QGroundControl reads a plan (JsonParsing::validateKeys of each object) ---


def keys(thing, **types):
    for key, kind in types.items():
        assert isinstance(thing[key], kind) and not isinstance(thing[key], bool) ^ (kind is bool), (key, thing[key])


def follow(items):
    """What an autopilot does with MAVLink items: latitude, longitude, depth, speed, hold."""
    speed, rows = None, []
    for command, frame, params in items:
        if command == 178:
            assert frame == 2 and params[0] in (0, 1) and params[2] == -1, params
            speed = params[1]
        else:
            assert command == 16 and frame == 3 and params[1] == 4, (command, frame, params)
            rows.append([params[4], params[5], -params[6], speed, params[0]])
    return rows


plan = json.load(open("far.plan"))
keys(plan, fileType=str, groundStation=str, version=int, mission=dict, geoFence=dict, rallyPoints=dict)
assert plan["fileType"] == "Plan" and plan["version"] == 1
keys(plan["geoFence"], version=int, circles=list, polygons=list)
keys(plan["rallyPoints"], version=int, points=list)
mission = plan["mission"]
keys(mission, version=int, plannedHomePosition=list, items=list, firmwareType=int, vehicleType=int)
assert mission["version"] == 2 and mission["vehicleType"] == 12 and mission["cruiseSpeed"] == 0.6
home = mission["plannedHomePosition"]
assert len(home) == 3 and max(map(abs, local(origin, *home[:2]))) < CENTIMETRE, home
for number, item in enumerate(mission["items"], 1):
    keys(item, type=str, frame=int, command=int, params=list, autoContinue=bool, doJumpId=int)
    assert item["type"] == "SimpleItem" and len(item["params"]) == 7 and item["doJumpId"] == number, item
    if item["command"] == 16: # SimpleMissionItem::load: all three or none
        assert item["AltitudeMode"] == 1 and item["Altitude"] == item["params"][6], item
        assert item["AMSLAltAboveTerrain"] is None, item
compare("plan", origin, follow((i["command"], i["frame"], i["params"]) for i in mission["items"]))

# --- text: MissionItem::load splits at tabs and wants 12 columns ---

lines = open("far.waypoints").read().split("\n")
assert lines[0] == "QGC WPL 110" and lines[-1] == "", lines
rows = [line.split("\t") for line in lines[1:-1]]
assert all(len(row) == 12 for row in rows) and [int(row[0]) for row in rows] == list(range(len(rows)))
assert [row[1] for row in rows] == ["1"] + ["0"] * (len(rows) - 1)
assert rows[0][2:4] == ["0", "16"] and max(map(abs, local(origin, *map(float, rows[0][8:10])))) < CENTIMETRE
compare("text", origin, follow((int(row[3]), int(row[2]), [float(x) for x in row[4:11]]) for row in rows[1:]))

# --- GeoJSON ---

collection = json.load(open("far.geojson"))
assert collection["type"] == "FeatureCollection" and all(f["type"] == "Feature" for f in collection["features"])
points = [f for f in collection["features"] if f["geometry"]["type"] == "Point"]
compare("GeoJSON", origin, [[p["geometry"]["coordinates"][1], p["geometry"]["coordinates"][0], p["properties"]["depth"],
                             p["properties"]["speed"], p["properties"]["hold"]] for p in points])
assert all(p["properties"]["radius"] == 4 and p["geometry"]["coordinates"][2] == -p["properties"]["depth"] for p in points)
line = collection["features"][-1]["geometry"]
assert line == {"type": "LineString", "coordinates": [p["geometry"]["coordinates"] for p in points]}, line

# --- and read: the same plan again, and the same mission flown ---

open("near.xml", "w").write(phoenix)
run("export", "near.xml", "--plan", "near.plan", "--waypoints", "near.waypoints", "--geojson", "near.geojson")


def fly(name):
    run("run", name + ".xml", "--quiet", "--fast", "--log", name + ".mcap", "--summary", name + ".json")
    run("export", name + ".mcap", "--csv", name, "/phoenix/waypoints", "/phoenix/odom")
    legs = [tuple(float(row[f"to.{axis} [m]"]) for axis in ("north", "east", "depth"))
            for row in csv.DictReader(open(f"{name}/phoenix.waypoints.csv")) if row["to.north [m]"] not in ("", "nan")]
    track = [[float(row[f"pose.pose.position.{axis} [m]"]) for axis in ("north", "east", "down")]
             for row in csv.DictReader(open(f"{name}/phoenix.odom.csv"))]
    return [leg for k, leg in enumerate(legs) if k == 0 or leg != legs[k - 1]], track


legs, track = fly("near")
assert legs == [(30, 0, 5), (30, 20, 5), (60, 20, 6), (60, 0, 6)], legs
for ending in ("plan", "waypoints", "geojson"):
    text = open(f"far.{ending}").read()
    scenario(f"again-{ending}.xml", phoenix, f'file="far.{ending}" then="hover"')
    run("export", f"again-{ending}.xml", "--geojson", "again.geojson")
    features = json.load(open("again.geojson"))["features"]
    compare(f"{ending} again", origin, [
        [f["geometry"]["coordinates"][1], f["geometry"]["coordinates"][0], f["properties"]["depth"],
         f["properties"]["speed"], f["properties"]["hold"]] for f in features[:-1]])
    assert all(f["properties"]["radius"] == 4 for f in features[:-1])
    scenario(f"{ending}.xml", phoenix, f'file="near.{ending}" lookahead="4 m" integral="0.1 1/s" settle="30 s" then="hover"')
    flown, path = fly(ending)
    for a, b in zip(legs, flown, strict=True):
        assert math.dist(a, b) < CENTIMETRE, f"{ending}: leg to {b}, expected {a}"
    apart = max(math.dist(a, b) for a, b in zip(track, path, strict=True))
    assert apart < CENTIMETRE, f"{ending}: flown {apart} m beside the waypoints of the scenario"

# A log holds the mission: it is made again without the file.
os.remove("near.plan")
assert "the same" in run("replay", "plan.mcap", "--verify")

# --- a plan as QGroundControl writes it: speeds, a survey with its camera, loiter, delay, return ---


def item(command, *params, frame=3):
    return {"type": "SimpleItem", "command": command, "frame": frame, "autoContinue": True, "doJumpId": 1,
            "params": list(params)}


def at(north, east):
    return on_earth(harbour_origin, north, east)


def qgc(items, **others):
    return {"fileType": "Plan", "version": 1, "groundStation": "QGroundControl",
            "geoFence": {"version": 2, "polygons": [], "circles": []}, "rallyPoints": {"version": 2, "points": []},
            "mission": {"version": 2, "firmwareType": 12, "vehicleType": 12, "cruiseSpeed": 1.1, "hoverSpeed": 1,
                        "plannedHomePosition": [*at(-10, 5), 20], "items": items}, **others}


def survey(kind="survey"):
    return {"type": "ComplexItem", "complexItemType": kind, "version": 5, "angle": 0, "polygon": [],
            "TransectStyleComplexItem": {"version": 2, "CameraShots": 0, "Items": [
                item(16, 0, 0, 0, None, *at(50, 0), -4), item(206, 25, 0, 1, 0, 0, 0, 0, frame=2),
                item(16, 0, 0, 0, None, *at(50, 15), -4), item(206, 0, 0, 1, 0, 0, 0, 0, frame=2)]}}


json.dump(qgc([item(16, 5, 3, 0, None, *at(20, 0), -3), item(178, 1, 0.8, -1, 0, 0, 0, 0, frame=2), survey(),
               {**item(19, 12, 0, 0, None, frame=0), "coordinate": [*at(40, 30), -2]}, # before version 3 of items
               item(93, 8, -1, -1, -1, 0, 0, 0, frame=2), item(178, 1, -2, -1, 0, 0, 0, 0, frame=2),
               survey("CorridorScan"), item(20, 0, 0, 0, 0, 0, 0, 0, frame=2)]), open("qgc.plan", "w"))
scenario("qgc.xml", phoenix.replace(f"{origin[0]} deg", f"{harbour_origin[0]} deg").replace(
    f"{origin[1]} deg", f"{harbour_origin[1]} deg"), 'file="qgc.plan"')
run("export", "qgc.xml", "--geojson", "qgc.geojson")
origin, route = harbour_origin, [(20, 0, 3, 1.1, 5), (50, 0, 4, 0.8, 0), (50, 15, 4, 0.8, 0), (40, 30, 2, 0.8, 20),
                                 (50, 0, 4, 1.1, 0), (50, 15, 4, 1.1, 0), (-10, 5, 4, 1.1, 0)]
compare("QGroundControl's", origin, [
    [f["geometry"]["coordinates"][1], f["geometry"]["coordinates"][0], f["properties"]["depth"],
     f["properties"]["speed"], f["properties"]["hold"]] for f in json.load(open("qgc.geojson"))["features"][:-1]])
said = run("check", "qgc.xml")
assert said.count("qgc.plan: item 3: DO_SET_CAM_TRIGG_DIST has no effect and is skipped") == 1, said
assert said.count("qgc.plan: item 7: DO_SET_CAM_TRIGG_DIST has no effect and is skipped") == 1, said

# A line drawn on a map has no altitude.
json.dump({"type": "LineString", "coordinates": [at(n, 5)[::-1] for n in (10, 60)]}, open("line.geojson", "w"))
scenario("line.xml", harbour, 'file="line.geojson" depth="4 m" speed="1.2 m/s" radius="3 m"')
run("export", "line.xml", "--waypoints", "line.waypoints")
route = [(10, 5, 4, 1.2, 0), (60, 5, 4, 1.2, 0)]
rows = [line.split("\t") for line in open("line.waypoints").read().split("\n")[3:-1]]
compare("line", origin, [[float(r[8]), float(r[9]), -float(r[10]), 1.2, float(r[4])] for r in rows])
assert all(float(row[5]) == 3 for row in rows), rows

# --- what is wrong, and where ---


def refused(name, text, *expected, attributes="", status=1):
    open(name, "w").write(text if isinstance(text, str) else json.dumps(text))
    scenario("wrong.xml", harbour, f'file="{name}" {attributes}')
    said = run("check", "wrong.xml", status=status)
    line = 1 + harbour[:LIST.search(harbour).start()].count("\n")
    for words in (f"wrong.xml:{line}: ", name, *expected):
        assert words in said, f"no '{words}' in: {said}"


good = item(16, 0, 0, 0, None, *at(20, 0), -3)
refused("a.plan", qgc([good, item(22, 0, 0, 0, 0, *at(0, 0), -3)]), "item 2: command 22 (NAV_TAKEOFF) is not supported")
refused("a.plan", qgc([good, item(21, 0, 0, 0, 0, *at(0, 0), -3)]), "item 2: command 21 (NAV_LAND) is not supported")
refused("a.plan", qgc([good, {**survey(), "complexItemType": "StructureScan"}]), 'item 2: complex item "StructureScan"')
broken = survey()
broken["TransectStyleComplexItem"]["Items"][2]["params"][4] = 91
refused("a.plan", qgc([good, broken]), "item 2, part 3: latitude 91 deg")
refused("a.plan", qgc([item(16, 0, 0, 0, None, 40, 10, -3)]), "item 1: lies 2590 km", "from the origin of the world")
refused("a.plan", qgc([item(16, 0, 0, 0, None, *at(0, 0), None)]), "item 1: has no altitude", "attribute depth")
refused("a.plan", qgc([{**good, "frame": 10}]), "item 1: frame 10 is not supported")
refused("a.plan", qgc([{**good, "params": [0] * 6}]), "item 1: params must be 7 numbers")
refused("a.plan", qgc([item(178, 0, 300, -1, 0, 0, 0, 0), good]), "item 1: a speed of 300 m/s: must be 0 to 100 m/s")
refused("a.plan", qgc([item(20, *[0] * 7), good]), "item 2: follows the return")
refused("a.plan", qgc([item(93, 5, *[0] * 6), good]), "item 1: delays before the first waypoint")
mixed = [item(16, 0, r, 0, None, *at(20, 0), -3) for r in (2, 3)]
refused("a.plan", qgc(mixed), "item 2: a radius of 3 m after one of 2 m", "attribute radius")
refused("a.plan", qgc([]), "has no waypoints")
refused("a.plan", qgc([good], fileType="Parameters"), 'fileType is "Parameters": must be "Plan"')
refused("a.plan", '{"fileType": "Plan",\n "version": }', "line 2, column 13: not JSON")
refused("a.waypoints", "QGC WPL 99\n", 'line 1: must be "QGC WPL 110"')
refused("a.waypoints", "QGC WPL 110\n0\t1\t0\t16\n", "line 2: has 4 columns: must be 12")
text = open("line.waypoints").read()
refused("a.waypoints", text.replace("\t-4\t", "\tdeep\t"), "line 4: column 11 (altitude) is not a number")
refused("a.waypoints", text.replace("\t-4\t", "\t\t"), "line 4: column 11 (altitude) is not a number")
refused("a.waypoints", text.replace("\t1\n", "\t1\t1\n"), "line 2: has more than 12 columns")
refused("a.geojson", {"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": []}}]}, "feature 1: its geometry")
refused("a.geojson", {"type": "Point", "coordinates": [10.4]}, "feature 1: a position must be 2 or 3 numbers")
refused("a.kml", "", "must end with .plan, .waypoints")
# Suspicious, not wrong.
refused("a.plan", qgc([item(16, 0, 0, 0, None, *at(20, 0), 3)]), "warning", "waypoint 1 is 3 m above the sea", status=0)
refused("a.plan", qgc([item(16, 0, 0, 0, None, *at(20, 0), -30)]), "waypoint 1 is below the bottom", status=0)
refused("a.plan", qgc([good], rallyPoints={"version": 2, "points": [[63, 10, 0]]}), "rally points have no effect", status=0)
scenario("wrong.xml", harbour, 'file="qgc.plan"', '<waypoint position="0 0 3 m"/>')
said = run("check", "near.xml", "--set", "/phoenix/waypoints/depth=3 m", status=1)
assert "depth of <waypoints>: has no effect without file" in said, said
assert "has a file and a <waypoint>: must be one of them" in run("check", "wrong.xml", status=1)
scenario("wrong.xml", harbour.replace(' longitude="10.40 deg"', ""), 'file="line.geojson" depth="4 m"')
assert "must have latitude and longitude in <world>" in run("check", "wrong.xml", status=1)
run("check", "wrong.xml", "--set", "/world/longitude=10.4 deg")
assert "must have latitude and longitude" in run("export", os.path.join(scenarios, "lauv-survey.xml"), "--plan", "x.plan", status=1)
assert "several vehicles" in run("export", os.path.join(scenarios, "wavesim-survey.xml"), "--plan", "x.plan", status=2)
assert "is a log: --plan takes a scenario" in run("export", "plan.mcap", "--plan", "x.plan", status=2)
assert "would overwrite" in run("export", "line.xml", "--geojson", "line.geojson", status=2)
assert not os.path.exists("x.plan")
print("missions: plans, text and GeoJSON go out and come back to a centimetre")
