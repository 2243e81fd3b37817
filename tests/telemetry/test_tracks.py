#!/usr/bin/env python3
"""Tracks as other programs read them: KML, GPX, GeoJSON and the root of the NetCDF file, through the program, with the
readers of Python's standard library and ncdump. The distances on the Earth are checked with a formula of their own.
usage: test_tracks.py FATHOM SCENARIOS"""
import csv
import datetime
import json
import math
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as tree

fathom, scenarios = (os.path.abspath(path) for path in sys.argv[1:3])
os.chdir(tempfile.mkdtemp())


def run(*words, status=0):
    done = subprocess.run([fathom, *words], capture_output=True, text=True)
    assert done.returncode == status, f"{words}: {done.returncode}: {done.stderr}"
    return done.stdout + done.stderr


def chart(latitude, longitude, origin):
    """North and east in m of a position near the origin: the radii of curvature of WGS 84."""
    a, e2 = 6378137.0, 6.69437999014e-3
    s = 1 - e2 * math.sin(math.radians(origin[0])) ** 2
    north = math.radians(latitude - origin[0]) * a * (1 - e2) / s ** 1.5
    east = math.radians(longitude - origin[1]) * a / math.sqrt(s) * math.cos(math.radians(origin[0]))
    return north, east


def near(what, found, expected, tolerance):
    assert abs(found - expected) <= tolerance, f"{what}: found {found}, expected {expected}"


scenario = open(os.path.join(scenarios, "nmea-phoenix.xml")).read()
scenario = scenario.replace('latitude="36.6 deg"', 'epoch="2026-05-04T12:30:00Z" latitude="36.6 deg"')
open("sea.xml", "w").write(scenario)
run("run", "sea.xml", "--duration", "40", "--quiet", "--no-bridges", "--log", "sea.mcap")
origin, epoch = (36.6, -121.9), datetime.datetime(2026, 5, 4, 12, 30, tzinfo=datetime.timezone.utc)

run("export", "sea.mcap", "--csv", "tables", "/phoenix/odom")
rows = list(csv.DictReader(open("tables/phoenix.odom.csv")))
truth = {round(float(row["time [s]"]), 3): row for row in rows}


def check(what, time, latitude, longitude, altitude):
    row = truth[round((time - epoch).total_seconds(), 3)]
    north, east = chart(latitude, longitude, origin)
    near(f"{what}: north", north, float(row["pose.pose.position.north [m]"]), 0.01)
    near(f"{what}: east", east, float(row["pose.pose.position.east [m]"]), 0.01)
    near(f"{what}: altitude", altitude, -float(row["pose.pose.position.down [m]"]), 0.001)


run("export", "sea.mcap", "--gpx", "sea.gpx")
space = {"g": "http://www.topografix.com/GPX/1/1"}
tracks = {t.find("g:name", space).text: t for t in tree.parse("sea.gpx").findall("g:trk", space)}
assert set(tracks) == {"phoenix", "asv"}, tracks
points = tracks["phoenix"].findall(".//g:trkpt", space)
assert len(points) == 41, len(points)
for p in points:
    check("GPX", datetime.datetime.fromisoformat(p.find("g:time", space).text.replace("Z", "+00:00")),
          float(p.get("lat")), float(p.get("lon")), float(p.find("g:ele", space).text))
assert float(points[-1].get("lat")) > origin[0], "it went north"

run("export", "sea.mcap", "--kml", "sea.kml", "--every", "5")
space = {"k": "http://www.opengis.net/kml/2.2"}
track = tree.parse("sea.kml").find(".//k:Track", space)
times, places = track.findall("k:when", space), track.findall("k:coord", space)
assert len(times) == len(places) == 9, len(places)
for time, place in zip(times, places):
    longitude, latitude, altitude = (float(word) for word in place.text.split())
    check("KML", datetime.datetime.fromisoformat(time.text.replace("Z", "+00:00")), latitude, longitude, altitude)

run("export", "sea.mcap", "--geojson", "sea.geojson", "--every", "0")
collection = json.load(open("sea.geojson"))
assert collection["type"] == "FeatureCollection" and len(collection["features"]) == 2
line = next(f for f in collection["features"] if f["properties"]["name"] == "phoenix")
assert len(line["geometry"]["coordinates"]) == len(rows)
for time, place in zip(line["properties"]["coordinateProperties"]["times"], line["geometry"]["coordinates"]):
    check("GeoJSON", datetime.datetime.fromisoformat(time.replace("Z", "+00:00")), place[1], place[0], place[2])

if "built without NetCDF" not in run("export", "sea.mcap", "--netcdf", "sea.nc"):
    head = subprocess.run(["ncdump", "-h", "sea.nc"], capture_output=True, text=True, check=True).stdout
    for words in ('time:units = "seconds since 2026-05-04T12:30:00Z"', 'time:standard_name = "time"',
                  'latitude:units = "degrees_north"', 'depth:positive = "down"', ':featureType = "trajectory"',
                  'vehicle:cf_role = "trajectory_id"', 'row_size:sample_dimension = "obs"', ":history = "):
        assert words in head, f"no {words} in\n{head}"
    dump = subprocess.run(["ncdump", "-v", "vehicle,row_size,latitude", "sea.nc"], capture_output=True, text=True,
                          check=True).stdout
    assert 'vehicle = "phoenix", "asv" ;' in dump, dump[-600:]
    assert f"row_size = {len(rows)}, {len(rows)} ;" in dump, dump[-600:]
    first = float(dump.split("latitude = ")[1].split(",")[0])
    near("latitude of the first point", first, 36.6, 1e-9)

# Without an origin there is no place on the Earth.
run("run", os.path.join(scenarios, "phoenix-turn.xml"), "--duration", "2", "--quiet", "--log", "turn.mcap")
said = run("export", "turn.mcap", "--gpx", "turn.gpx", status=1)
assert "must have latitude and longitude in <world>" in said, said
assert not os.path.exists("turn.gpx")
broken = scenario.replace("2026-05-04T12:30:00Z", "2026-02-30")
open("broken.xml", "w").write(broken)
said = run("check", "broken.xml", status=1)
assert "'2026-02-30' is not a date and time in UTC" in said and "broken.xml:5" in said, said
print("tracks: GPX, KML, GeoJSON and NetCDF are where the vehicles were")
