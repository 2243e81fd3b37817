#!/usr/bin/env python3
"""`fathom ctl` as it is typed: every example of its help, `get`, numbers with units as in files, and similar names for
what is mistyped.

usage: test_ctl.py BUILD SOURCE"""
import json, math, os, re, subprocess, sys, tempfile

BUILD, SOURCE = sys.argv[1:3]
FATHOM = os.path.join(BUILD, "fathom")
passed = 0


def fact(name):
    global passed
    passed += 1
    print(f"[       OK ] {name}", file=sys.stderr)


def ctl(line):
    done = subprocess.run(f"{FATHOM} ctl --port {PORT} {line}", shell=True, capture_output=True, text=True, timeout=60)
    return done.returncode, done.stdout + done.stderr


def expect(line, status, *words):
    found, said = ctl(line)
    assert found == status and all(word in said for word in words), f"ctl {line}: {found}: {said}"
    return said


def value(path):
    return json.loads(expect(f"get {path} --json", 0))["value"]


def near(found, wanted):
    assert abs(found - wanted) <= 1e-12 * abs(wanted), f"{found}, not {wanted}"


def setpoint(name):
    records = json.loads(expect("setpoints lauv --json", 0))
    return next(r["value"] for r in records if r["name"] == name)


def check_get():
    near(value("/water/density"), 1025)
    assert expect("get /water/density", 0).strip() == "1025 kg/m3"
    near(value("/lauv/autopilot/design-speed"), 1.3)  # the dash of the file, listed with an underscore
    expect("get /water/densty", 1, "did you mean '/water/density'?")
    expect("get water.density", 1, "did you mean '/water/density'?")
    expect("get", 2, "get needs one path")
    fact("a parameter is read with its unit")


def check_units():
    expect("set /water/density 1.01 g/mL", 0)
    near(value("/water/density"), 1010)
    expect("set /lauv/autopilot/design-speed 2kn", 0)
    near(value("/lauv/autopilot/design-speed"), 2 * 1852 / 3600)
    expect("desire lauv heading 45 deg", 0)
    expect("step", 0)
    near(setpoint("heading"), math.pi / 4)
    expect("order lauv propeller 1500 rpm", 0)
    expect("step", 0)
    orders = json.loads(expect("owners lauv --json", 0))
    near(next(o["order"] for o in orders if o["actuator"] == "propeller"), 50 * math.pi)
    expect("waypoint lauv 1 0.2 0.003 km 2 kn", 0)
    fact("numbers have units as in files")


def check_wrong_units():
    expect("set /water/density 45 deg", 2, "'deg'", "kg/m3")
    expect("waypoint lauv 1 2 3 deg", 2, "'deg'", "like m")
    expect("waypoint lauv 1m 2 3", 2, "3 numbers, then one unit")
    expect("speed 2 kn", 2, "without unit")
    expect("order lauv propeller 3 furlongs", 2, "unknown unit 'furlongs'")
    expect("order lauv propellor 3 rpm", 2, "did you mean 'propeller'?")
    near(value("/water/density"), 1010)
    fact("a wrong unit changes nothing")


def check_names():
    expect("oder lauv propeller 1", 2, "did you mean 'order'?")
    expect("vehicels", 2, "did you mean 'vehicles'?")
    expect("gett /water/density", 2, "did you mean 'get'")
    expect("set /water/sound-speed 1490", 1, "did you mean '/water/sound/speed'?")
    expect("set water/density 1000", 1, "did you mean '/water/density'?")
    expect("order lauv propellor 1", 1, "did you mean 'propeller'?")
    expect("order luv propeller 1", 1, "did you mean 'lauv'?")
    expect("engage lauv autopillot", 1, "did you mean 'autopilot'?")
    expect("actuators luv", 1, "did you mean 'lauv'?")
    expect("set /world/dt 1", 1, "fixed when the scenario is loaded")
    fact("similar names are suggested")


def check_examples():
    shown = subprocess.run([FATHOM, "ctl", "--help"], capture_output=True, text=True).stdout
    examples = re.findall(r"^  fathom ctl (.*)$", shown, re.M)
    assert len(examples) >= 8, shown
    for line in examples:
        expect(line.replace("--socket /run/fathom.sock", ""), 0)
    fact("every example of the help is accepted")


with tempfile.TemporaryDirectory() as folder:
    server = subprocess.Popen([FATHOM, "serve", "lauv-survey", "--stopped", "--port", "0"], cwd=folder, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    try:
        while True:
            line = server.stdout.readline()
            assert line, "the server has ended"
            found = re.search(r"(?:port |:)(\d{4,5})\b", line)
            if found:
                PORT = int(found.group(1))
                break
        check_get()
        check_units()
        check_wrong_units()
        check_names()
        check_examples()
    finally:
        server.terminate()
        server.wait()
print(f"[  PASSED  ] {passed} test(s).")
