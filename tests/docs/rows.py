"""One row per command line of README.md and docs/*.md, in the order of each page: see commands.py."""
import json, math, os, re, shutil, time
from commands import Row, expect, until
from peers import charts, goes_on, ground_station, has_odometry, has_telemetry, listed, moved, page_for, ping_devices, px4, sends_telemetry, shows_page, sitl, stats, steers_by_nmea, summary, table, telemetry_is_counted, track

ROWS = []


def page(doc):
    def add(line, **what):
        ROWS.append(Row(doc, line, **what))

    return add


def starts_with(name, magic):
    def check(place, result):
        with open(place.path(name), "rb") as file:
            expect(file.read(len(magic)) == magic, f"{name} is not what its name says")

    return check


PNG, NETCDF = b"\x89PNG", b"\x89HDF"
png, netcdf = (lambda name: starts_with(name, PNG)), (lambda name: starts_with(name, NETCDF))


def rows_of(name, count):
    """A table with so many rows below its names."""

    def check(place, result):
        with open(place.path(name)) as file:
            lines = [line for line in file if line.strip() and not line.startswith("#")]
        expect(len(lines) == count + 1, f"{name} has {len(lines) - 1} rows instead of {count}")

    return check


def both(*checks):
    return lambda place, result: [check(place, result) for check in checks]


def copy(name, to="."):
    return lambda place: shutil.copy(os.path.join(place.folder, name), place.path(to))


def typed_first(*commands):
    """Lines that a reader has typed before."""

    def prepare(place):
        for command in commands:
            place.want(command)

    return prepare


# ---- README ----------------------------------------------------------------------------------------------------------
row = page("README.md")


def turns_a_circle(place, result):
    phoenix = summary(result)["vehicles"]
    phoenix = phoenix["phoenix"] if isinstance(phoenix, dict) else phoenix[0]
    expect(10 < phoenix["tactical_diameter"] < 20 and phoenix["contacts"] == 0, f"no circle: {phoenix}")


def has_the_printed_hash(place, result):
    with open(os.path.join(place.source, "README.md")) as readme:
        printed = re.search(r"state_hash is ([0-9a-f]{16})", readme.read()).group(1)
    expect(summary(result)["state_hash"] == printed, f"README.md has the hash {printed}: {result.out[:200]}")


def three_fish_avoid(place, result):
    for fish in ("red", "green", "blue"):
        points = track(place, place.path("fish.mcap"), fish)
        way = sum(math.dist(a[1:4], b[1:4]) for a, b in zip(points, points[1:]))
        expect(way > 1, f"{fish} swam {way} m")
    metrics = place.want("fathom info fish.mcap --metrics")
    contacts = [float(n) for n in re.findall(r"contacts\s+=?\s*([\d.]+)", metrics)]
    expect(contacts and not any(contacts), f"contacts: {contacts}\n{metrics[:600]}")


def ros2_speaks(place, running):
    until(lambda: stats(place).get("ros2/sent", 0) > 100 and stats(place)["time"] > 2, "ros2/sent is above 100 after 2 s")


row("make run", separate="scripts/run-showcase: the showcase itself is viewed below docs/viewer.md")
row("sudo make install", separate="tests/install/test_install installs into a folder")
row("fathom view otter-harbour", background=True, log=True, check=page_for(3), after=moved("otter", 0.3))
row("fathom run phoenix-turn --summary -", check=both(turns_a_circle, has_the_printed_hash))
row("fathom run fish-pool --log fish.mcap", makes=["fish.mcap"], check=three_fish_avoid)
row("fathom plot fish.mcap -o fish.png", check=png("fish.png"))
row("fathom serve lauv-survey --ros2", background=True, log=True, check=ros2_speaks, after=moved("lauv", 1.5))
row("fathom sweep snookie-wall --vary '/snookie/approach/angle=10:90:5 deg' -o wall.nc", prints="17 of 17 runs", check=netcdf("wall.nc"))
row("fathom check my-scenario.xml", status=1, prints=r"my-scenario\.xml:2: .*nam",
    prepare=lambda place: place.write("my-scenario.xml", "<fathom version='1'>\n<vehicle nam='x' model='lauv'/></fathom>\n"))
row("fathom bench --only lauv/heun", prints=r"lauv/heun +[\d.]+ +[\d.]+e\+0[67]")
row("fathom bench --batch --only batch/simd/double/nps-auv-ii/heun/15", prints=r"nps-auv-ii/heun/15 +[\d.]+ +[\d.]+e\+0[678]")
row("fathom figures remus/fig6 -o figures", prints="1 of 1 figures hold, 0 of 8 numbers fail")
row("fathom figures measured/otter -o figures", prints="1 of 1 figures hold, 0 of 9 numbers fail")

# ---- ArduPilot -------------------------------------------------------------------------------------------------------
row = page("docs/ardupilot.md")


def away(metres):
    start = []

    def wanted(state):
        start.append(state["position"])
        return math.dist(start[0], state["position"]) > metres

    return wanted


def beside(command, check=None, ready=lambda place: True):
    """Prepares a line by starting a server for it and waiting until it is ready(place); a check that ends the server
    again, after `check` of the answer."""

    def prepare(place):
        place.kept["beside"] = place.start(command)
        until(lambda: ready(place), f"`{command}` is ready")

    def end(place, result):
        if check:
            check(place, result)
        expect(place.kept.pop("beside").stop().status == 0, f"`{command}` did not end in order")
        place.port = None

    return dict(prepare=prepare, check=end)


SITL = dict(needs="ArduPilot", played="tests/net/test_ardupilot_start.c:the_line_while_it_waits_starts_sitl")
PARAMETERS = "--add-param-file=/usr/share/fathom/scenarios"
row("fathom run ardupilot-bluerov2", background=True, log=True, check=sitl([1700] * 6, away(0.3), "the ROV moved"), after=moved("rov", 0.3))
row(f"sim_vehicle.py -v ArduSub --model JSON:127.0.0.1 {PARAMETERS}/ardupilot-bluerov2.parm "
    "--custom-location=-35.363262,149.165237,0,0 --map --console", **SITL)
row("fathom run ardupilot-bluerov2-heavy", background=True, log=True,
    check=sitl([1500] * 4 + [1800] * 4, away(0.2), "the ROV dived"), after=moved("rov", 0.2))
row(f"sim_vehicle.py -v ArduSub --model JSON:127.0.0.1 {PARAMETERS}/ardupilot-bluerov2-heavy.parm "
    "--custom-location=-35.363262,149.165237,0,0 --map --console", **SITL)
row("fathom run ardupilot-otter", background=True, log=True, check=sitl([1900, 0, 1900], away(1), "the boat drove ahead"),
    after=moved("otter", 1))
row(f"sim_vehicle.py -v Rover --model JSON:127.0.0.1 {PARAMETERS}/ardupilot-otter.parm --custom-location=63.44,10.4,0,0 --map --console", **SITL)
row("fathom run otter-harbour --ardupilot", background=True, log=True, check=sitl([1900, 0, 1900], away(1), "the boat drove ahead"),
    after=moved("otter", 1))
row('fathom view otter-harbour --bridge "ardupilot vehicle=otter outputs=skid-steering"', background=True,
    check=sitl([1900, 0, 1100], lambda s: abs(s["imu"]["gyro"][2]) > 0.05, "the boat turned"))
row("fathom serve ardupilot-otter", stays=True, log=True, check=sitl([1900, 0, 1900], away(1), "the boat drove ahead"),
    after=moved("otter", 1))
row("fathom ctl stats", prints=r"ardupilot/\w+ +[1-9]", ends=True)

# ---- DIS -------------------------------------------------------------------------------------------------------------
row = page("docs/dis.md")


def on_the_wire(where, entity):
    """A check while a run goes on: this entity speaks."""

    def check(place, running):
        def heard():
            expect(running.process.poll() is None, f"it ended by itself: {running.text()[-500:]}")
            return f'"entity": "{entity}"' in place.want(f"fathom dis {where} --seconds 1 --json")

        until(heard, f"entity {entity} is heard at {where}")

    return check


CONTACT = r"/phoenix-1-2-1/odom"  # phoenix of application 2


def took_contact(place):
    channels = place.want(f"fathom info {place.log} --channels")
    expect(re.search(CONTACT, channels), f"no vehicle of the other run in {channels[:1500]}")


def meets(place, running):
    """The run that was started before has a vehicle of this one: its channel is in the log that is being written."""

    def met():
        for one in (running, place.kept["stays"]):
            expect(one.process.poll() is None, f"it ended by itself: {one.text()[-500:]}")
        return re.search(CONTACT, place.type(f"cp {place.log} met.mcap && fathom info met.mcap --channels").text)

    until(met, "two runs meet")


def without_bridge(place):
    text = open(os.path.join(place.folder, "scenarios/dis-contacts.xml")).read()
    text = re.sub(r"<bridge [^>]*/>", "", text)
    place.write("A.xml", text)
    place.write("B.xml", text.replace('position="0 0 10 m"', 'position="0 60 10 m"').replace('position="0 20 -0.05 m"', 'position="0 90 -0.05 m"'))


GROUP = "239.1.2.3"
row("fathom run scenarios/dis-contacts.xml --speed 1", stays=True, status=130)
row("fathom dis 239.1.2.3", typed="fathom dis 239.1.2.3 --count 5", why="ends after 5 PDUs, not by Ctrl-C", ends=True,
    prints="Entity State .* phoenix")
row("fathom run scenarios/phoenix-turn.xml --speed 1 --dis", background=True, typed='fathom run scenarios/phoenix-turn.xml --speed 1 --bridge "dis address=239.1.2.3"',
    why="to the group, whose listeners share a port", check=on_the_wire(GROUP, "1:1:1"))
row("fathom run scenarios/dis-contacts.xml --speed 1 &", stays=True, log=True, status=130, after=took_contact)
row("fathom run scenarios/phoenix-mission.xml --speed 1 --set '/world/latitude=36.6 deg' --set '/world/longitude=-121.9 deg' --bridge \"dis application=2\"",
    background=True,
    check=both(on_the_wire(GROUP, "1:2:1"), meets), ends=True)
row("fathom ctl stats", prints=r"dis/sent +[1-9]", **beside("fathom serve scenarios/dis-contacts.xml", ready=lambda place: stats(place).get("dis/sent", 0) > 0))
row('fathom run A.xml --speed 1 --bridge "dis address=127.0.0.1 port=3001 listen-port=3000 application=1" &', prepare=without_bridge, stays=True,
    log=True, status=130, after=took_contact)
row('fathom run B.xml --speed 1 --bridge "dis address=127.0.0.1 port=3000 listen-port=3001 application=2"', background=True,
    check=meets, ends=True)

# ---- identify --------------------------------------------------------------------------------------------------------
row = page("docs/identify.md")
ZIGZAG = """<fathom version='1' title='Phoenix zigzags'><world dt='0.05 s' duration='40 s' gravity='32.174 ft/s2'><water density='1.94 slug/ft3'/></world>
<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='2 0 0 ft/s'><speed-log noise='0.01 m/s' period='0.2 s'/>
<imu period='0.2 s'><gyro noise='0.3 deg/s'/></imu><orders><at t='0 s' propellers='700 rpm'/><at t='4 s' bow-rudder='15 deg' stern-rudder='-15 deg'/>
<at t='12 s' bow-rudder='-15 deg' stern-rudder='15 deg' propellers='400 rpm'/><at t='20 s' bow-rudder='10 deg' stern-rudder='-10 deg'/>
<at t='28 s' propellers='700 rpm' bow-rudder='0 deg' stern-rudder='0 deg'/></orders></vehicle></fathom>"""


def trial(place):
    place.write("zigzag.xml", ZIGZAG)
    place.want("fathom run zigzag.xml --log trial.mcap --quiet --set /phoenix/hydrodynamics/X_u_absu=-0.0095"
               " --set /phoenix/hydrodynamics/N_absu_r=-0.0055")


def found(values):
    """The values that were found, within a part of the true ones: {path: (value, part)}."""

    def check(place, result):
        for path, (truth, part) in values.items():
            line = next(line for line in result.out.splitlines() if line.startswith(path))
            numbers = [float(word) for word in line.split()[1:] if re.match(r"-?[\d.]+(e-?\d+)?$", word)]
            expect(any(abs(n / truth - 1) < part for n in numbers[1:2] or numbers), f"{path} is {truth}: {line}")

    return check


row("fathom identify zigzag.xml --data trial.mcap --map phoenix.u=/phoenix/speed-log.twist.linear.forward --map phoenix.r=/phoenix/imu.angular_velocity.yaw "
    "--fit /phoenix/hydrodynamics/X_u_absu --fit /phoenix/hydrodynamics/N_absu_r -o fit.html", prepare=trial, makes=["fit.html"],
    check=found({"/phoenix/hydrodynamics/X_u_absu": (-0.0095, 0.03), "/phoenix/hydrodynamics/N_absu_r": (-0.0055, 0.1)}))
row("fathom identify zigzag.xml --data trial.mcap --fit /phoenix/hydrodynamics/X_u_absu --fit /phoenix/hydrodynamics/N_absu_r --save found.xml --set-list found.txt", prepare=trial,
    makes=["found.xml", "found.txt"], check=found({"/phoenix/hydrodynamics/N_absu_r": (-0.0055, 0.1)}))
row("fathom run scenarios/snookie-trial.xml --log trial.mcap --set '/snookie/drag/K_p=-0.15 N*m*s/rad' --set '/snookie/drag/M_q=-1.2 N*m*s/rad' "
    "--set '/snookie/drag/N_r=-1.5 N*m*s/rad' --set '/snookie/drag/N_uv=-4 N*m*s2/m2' --set '/snookie/drag/M_uw=4 N*m*s2/m2'", makes=["trial.mcap"])
row("fathom identify scenarios/snookie-trial.xml --data trial.mcap --map snookie.p=/snookie/imu.angular_velocity.roll "
    "--map snookie.q=/snookie/imu.angular_velocity.pitch --map snookie.r=/snookie/imu.angular_velocity.yaw "
    "--map snookie.u=/snookie/dvl.velocity.forward --map snookie.v=/snookie/dvl.velocity.starboard "
    "--map snookie.w=/snookie/dvl.velocity.down --fit '/snookie/drag/K_p=-2:0 N*m*s/rad' "
    "--fit '/snookie/drag/M_q=-10:0 N*m*s/rad' --fit '/snookie/drag/N_r=-10:0 N*m*s/rad' "
    "--fit '/snookie/drag/N_uv=-20:20 N*m*s2/m2' --fit '/snookie/drag/M_uw=-20:20 N*m*s2/m2' -o trial.html", makes=["trial.html"],
    check=found({"/snookie/drag/K_p": (-0.15, 0.1), "/snookie/drag/M_q": (-1.2, 0.05), "/snookie/drag/N_r": (-1.5, 0.02),
                 "/snookie/drag/M_uw": (4, 0.1)}))
row("cd models/records")
SLOCUM = ("fathom identify slocum_comet_2016.xml --data slocum_comet_2016.csv --map glider.z=pressure_bar*10.138 --map glider.u=speed_m_s "
          "--input glider.theta=pitch_rad --input glider.ballast=ballast_cm3*-0.001005+0.25125 --between pressure_bar=0.2:10 --to 13700 "
          "--skip 5690:5750 --segment 120 --fit /glider/mass/mass --fit /glider/drag/X_u_absu -o glider.html")
row(SLOCUM, typed=SLOCUM.replace("--to 13700", "--to 2500"), why="the first dives instead of all 18", makes=["glider.html"],
    check=found({"/glider/mass/mass": (70.1, 0.001)}))

# ---- learning --------------------------------------------------------------------------------------------------------
row = page("docs/learning.md")


def curve(place, result):
    expect(sum(1 for _ in open(place.path("curve.csv"))) >= 3, "curve.csv has no curve")


row("cc train.c $(pkg-config --cflags --libs fathom) -lm -o train", prepare=copy("examples/train.c"), makes=["train"])
row("./train MODEL_FOLDER curve.csv --generations 100", typed="./train models curve.csv --generations 24 --pairs 24 --episodes 8",
    why="24 generations of fewer episodes; models is the folder", prints="times nearer", check=curve)
row('fathom plot curve.csv --title "Mean distance to the goal over 15 s" -o curve.svg', makes=["curve.svg"])

# ---- live ------------------------------------------------------------------------------------------------------------
row = page("docs/live.md")


def names(*wanted):
    return lambda place, result: [expect(name in result.out, f"no {name} in {result.out[:800]}") for name in wanted]


def stands(place, result):
    expect(stats(place)["state"] == 0, "the run did not stop")


def stepped(place, result):
    before = place.kept["time"]
    until(lambda: abs(stats(place)["time"] - before - 0.5) < 1e-6, "ten steps of 0.05 s are made")


def note_time(place):
    place.kept["time"] = stats(place)["time"]


def at_start(place, result):
    expect(stats(place)["time"] == 0, "time did not go back")
    place.want("fathom ctl start")
    goes_on(1)(place, None)


def current_is(place, result):
    expect(re.search(r"/current/velocity/x .* 0\.3\b", place.want("fathom ctl params current")), "the current is not 0.3 m/s")


row("fathom serve scenarios/phoenix-turn.xml", stays=True, typed="fathom serve scenarios/phoenix-turn.xml --log day.mcap",
    why="with the --log day.mcap of the third remark")
row("fathom ctl clients", prints="commander")
row("fathom ctl set /current/velocity/x 0.3", check=current_is)
row("fathom ctl set PATH VALUE", typed="fathom ctl set /water/density 1015", why="a path and a value",
    check=lambda place, result: expect("1015" in place.want("fathom ctl params density"), "the density is not 1015"))
row("fathom ctl stats", prints=r"steps +[1-9]")
row("fathom ctl stop", check=stands)
row("fathom ctl step 10", prepare=note_time, check=stepped)
row("fathom ctl reset", prints=r"reset at 0\.0000 s", check=at_start)


def replays(place, result):
    expect(place.kept.pop("stays").ended().status == 0, "the server did not end with status 0")
    place.port = None
    expect("the same" in place.want("fathom replay day.mcap --verify"), "the log does not repeat")
    expect(len({t for t, *_ in track(place, place.path("day.mcap"), "phoenix")}) > 10, "phoenix made no steps")


row("fathom ctl quit", check=replays)


def owners(place):
    return {one["actuator"]: one for one in listed(place, "owners lauv")}


def owned(**wanted):
    """The owner of some actuators (all others: `others`)."""
    others = wanted.pop("others")

    def check(place, result):
        def as_wanted():
            now = owners(place)
            return len(now) == 5 and all(one["owner"] == wanted.get(name.replace("-", "_"), others) for name, one in now.items())

        until(as_wanted, f"{wanted} own, {others} the others; now {owners(place)}", 60)

    return check


def then_waits(seconds, check):
    """After the check, seconds of simulation for the vehicle to follow."""

    def checks(place, result):
        check(place, result)
        goes_on(stats(place)["time"] + seconds)(place, None)
        place.kept["until"] = stats(place)["time"]

    return checks


def survey(place):
    place.kept["lauv"] = place.start("fathom serve scenarios/lauv-survey.xml", log=True)
    place.want("fathom ctl speed 10")
    goes_on(3)(place, None)


def setpoint_depth(place):
    return next(one for one in listed(place, "setpoints lauv") if one["name"] == "depth")


def before_order(place):
    place.kept["ordered"] = stats(place)["time"]


def slowed(place, result):
    """From when to when ctl held the propeller."""
    place.kept["slow"] = (place.kept["ordered"], place.kept["until"])


def speed_at(points, when):
    near = [p for p in points if when - 0.6 <= p[0] <= when]
    return math.dist(near[0][1:4], near[-1][1:4]) / (near[-1][0] - near[0][0])


def did(place, result):
    """Ends the server; its log says what the vehicle did."""
    owned(others="ctl")(place, result)
    expect(place.kept.pop("lauv").stop().status == 0, "the server did not end with status 0")
    place.port = None
    points = track(place, place.log, "lauv")
    begin, end = place.kept["slow"]
    before, while_held = speed_at(points, begin), speed_at(points, end)
    expect(while_held < before - 0.3, f"with 60 rad/s it went {while_held:.2f} m/s, before {before:.2f} m/s")
    depth = next(p[3] for p in points if p[0] >= place.kept["dived"])
    expect(abs(depth - 6) < 1 and abs(points[0][3] - 3) < 0.1, f"depth {depth:.2f} m instead of 6 m")
    expect("the same" in place.want(f"fathom replay {place.log} --verify"), "the log does not repeat")


row("fathom ctl instruments lauv", prepare=survey, check=names("waypoints", "autopilot"))
row("fathom ctl fields lauv", prints=r"depth +f64 +m ")
row("fathom ctl actuators lauv", check=names("propeller", "upper-rudder", "starboard-plane"))
row("fathom ctl owners lauv", prints="autopilot", check=owned(others="autopilot"))
row("fathom ctl order lauv propeller 60", prepare=before_order, check=both(then_waits(6, owned(propeller="ctl", others="autopilot")), slowed))
row("fathom ctl release lauv", check=owned(others="autopilot"))
row("fathom ctl setpoints lauv", check=names("heading", "depth", "speed"))
row("fathom ctl desire lauv depth 6",
    check=both(lambda place, result: until(lambda: setpoint_depth(place)["value"] == 6, "the set point is 6 m", 60),
               then_waits(25, lambda place, result: None), lambda place, result: place.kept.update(dived=place.kept["until"] - 1)))
row("fathom ctl release lauv depth", check=lambda place, result: until(lambda: setpoint_depth(place)["value"] != 6, "the set point is given back", 60))
row("fathom ctl disengage lauv autopilot",
    check=lambda place, result: until(lambda: all(one["kind"] == "schedule" and one["order"] == 0 for one in owners(place).values()),
                                      "the autopilot owns nothing, and all orders are zero", 60))
row("fathom ctl engage lauv autopilot", check=owned(others="autopilot"))
for what in ("owners", "setpoints", "controllers"):
    row(f"fathom ctl {what} VEHICLE", typed=f"fathom ctl {what} lauv", why="lauv is the vehicle", prints="autopilot")
row("fathom ctl take lauv", check=did)

row("fathom serve scenarios/phoenix-turn.xml --overlay phoenix=udp:5000 --http 127.0.0.1:8080 --log dive.mcap", background=True,
    check=telemetry_is_counted, after=has_telemetry)


def keyed(place, running):
    expect(place.type("fathom ctl clients --timeout 2").status == 1, "a client without the key is served")
    expect("commander" in place.want("fathom ctl clients --key harbour.key"), "a client with the key is not served")


row("head -c 32 /dev/urandom > harbour.key; chmod 600 harbour.key", makes=["harbour.key"])
row("fathom serve harbour.xml --bind 0.0.0.0 --key harbour.key", prepare=copy("scenarios/otter-harbour.xml", "harbour.xml"), background=True,
    check=keyed)

# ---- MAVLink ---------------------------------------------------------------------------------------------------------
row = page("docs/mavlink.md")


def rov_moved(place):
    moved("rov", 0.1)(place)


row("fathom run mavlink-harbour --realtime", background=True, check=ground_station(2))
row("fathom view lauv-survey --mavlink", background=True, check=ground_station(1))
row("fathom serve showcase --bridge \"mavlink address=192.168.1.20 rate='5 Hz'\"", stays=True,
    typed="fathom serve showcase --bridge \"mavlink address=127.0.0.1 rate='5 Hz'\"", why="a station on this computer", check=ground_station(8))
row("fathom ctl stats", prints=r"mavlink/sent +[1-9]", ends=True)
row("fathom run lauv-survey --realtime --bridge \"mavlink autopilot=px4\"", background=True, check=ground_station(1))
row("fathom run mavlink-px4", background=True, log=True, check=px4, after=rov_moved)
row("PX4_SYS_AUTOSTART=1022 PX4_SIMULATOR=none ./build/px4_sitl_default/bin/px4", needs="PX4", played="tests/npm/check_mavlink.mjs:PX4")

# ---- NMEA ------------------------------------------------------------------------------------------------------------
row = page("docs/nmea.md")
row("fathom run scenarios/nmea-phoenix.xml --speed 1", background=True, log=True, check=steers_by_nmea, after=moved("phoenix", 1))
row("fathom run scenarios/otter-harbour.xml --speed 1 --nmea", background=True, check=charts)
GPSD = dict(needs="gpsd", played="tests/net/test_nmea_gpsd.sh:gpsd")
row("gpsd -N -n -S 2950 udp://127.0.0.1:10110 &", **GPSD)
row("gpspipe -w 127.0.0.1:2950", **GPSD)

# ---- Ping ------------------------------------------------------------------------------------------------------------
row = page("docs/ping.md")
row('fathom run examples/bluerov2/instruments.xml --realtime --ping --bridge "ping instrument=scanning-sonar"',
    background=True, check=ping_devices(ping=1, ping_360=2))
row("fathom run examples/bluerov2/instruments.xml --realtime --odometry", background=True, check=has_odometry)

# ---- performance -----------------------------------------------------------------------------------------------------
row = page("docs/performance.md")
MPI = dict(needs="several ranks of MPI", played="tests/batch/test_hosts.sh")
CUDA = dict(needs="a GPU with CUDA", played="tests/batch/test_cuda.c")


def a_number(place, result):
    value = json.loads(result.out)["results"][0]["steps_per_s"]
    expect(value > 1000, f"{value} steps per second")


row("fathom bench --batch --json --only batch/simd/double/nps-auv-ii/heun/15", check=a_number)
row("for d in 0.3 1.3; do perf stat -e task-clock taskset -c 1 fathom run fleet.xml --duration $d --quiet; done",
    separate="measured by hand: counts the time of a processor on 20,000 vehicles")
DIFFER = ("fathom sweep phoenix-turn --threads 2 --backend simd --design random --runs 20000 --vary '/phoenix/velocity/x~uniform(1,3) ft/s' "
          "--vary '/phoenix/mass/weight~normal(435,5) lb' --vary '/phoenix/position/z~uniform(5,20) m' --metric phoenix.x --csv differ.csv")
row(DIFFER, typed=DIFFER.replace("20000", "64"), why="64 vehicles instead of 20,000", prints="64 of 64 runs")
row("fathom sweep snookie-wall --backend cuda --duration 60 --runs 5556 --set '/world/dt=10 ms' --set /snookie/flow/model=wall --set '/snookie/approach/gap=0.4 m' "
    "--set /snookie/contact/response=count --set /snookie/contact/ends=true --vary '/snookie/approach/angle=10:90:10 deg' "
    "--vary '/snookie/approach/speed=0.1:0.3:0.05 m/s' --vary '/snookie/lateral_line/noise=0.05,0.1,0.15,0.2 mV' --metric snookie.contacts "
    "--metric snookie.detection_gap -o million.nc",
    typed="fathom sweep snookie-wall --backend simd --duration 20 --runs 1 --set '/world/dt=10 ms' --set /snookie/flow/model=wall --set '/snookie/approach/gap=0.4 m' "
    "--set /snookie/contact/response=count --set /snookie/contact/ends=true --vary '/snookie/approach/angle=10:90:40 deg' "
    "--vary '/snookie/approach/speed=0.1:0.3:0.1 m/s' --vary '/snookie/lateral_line/noise=0.05,0.2 mV' --metric snookie.contacts "
    "--metric snookie.detection_gap -o million.nc", why="18 runs on the processor instead of a million on a GPU", prints="18 of 18 runs",
    check=netcdf("million.nc"))
row("for b in worlds simd; do mpirun -n 2 fathom sweep snookie-wall --backend $b --threads 1 --duration 2 --vary '/snookie/approach/angle=20:90:0.04 deg' "
    "--csv ranks-$b.csv; done", **MPI)
row("ctest --test-dir build/release -R 'batch/test_(programs|cuda)' --output-on-failure", **CUDA)
row("build/release/fathom bench --batch --only batch/cuda", **CUDA)
row("fathom sweep lauv-survey --vary '/lauv/velocity/x=1:1.5:0.05 m/s' --runs 10000 --backend cuda --precision double --csv lauv.csv",
    typed="fathom sweep lauv-survey --vary '/lauv/velocity/x=1:1.5:0.05 m/s' --runs 1 --backend simd --csv lauv.csv",
    why="11 runs on the processor instead of 110,000 on a GPU", check=rows_of("lauv.csv", 11))
row("fathom sweep phoenix-mission --vary '/phoenix/position/y=0:10:5 m' --runs 400 --backend simd --threads 1 --csv mission.csv",
    typed="fathom sweep phoenix-mission --vary '/phoenix/position/y=0:10:5 m' --runs 2 --backend simd --threads 1 --csv mission.csv",
    why="2 runs of each instead of 400", check=rows_of("mission.csv", 6))
row("fathom sweep remus-rise --vary /remus/avoid/gain=0:10:0.5 --vary '/bottom/rise/height=0:6:0.5 m' --runs 1000 --backend simd --csv steps.csv",
    typed="fathom sweep remus-rise --vary /remus/avoid/gain=0:10:0.5 --vary '/bottom/rise/height=0:6:0.5 m' --runs 1 --backend simd --csv steps.csv",
    why="one run of each instead of 1000", check=rows_of("steps.csv", 273))
BENCH = dict(separate="make bench: measures speed, for a minute and more")
row("fathom bench --only serve", **BENCH)
row("fathom bench --sizes --json >sizes.json && fathom plot sizes.json -o sizes.svg", **BENCH)
row("fathom bench --only bridges", **BENCH)
row("node tests/npm/time_page.mjs build/release/fathom", separate="measures frames of a browser for minutes; net/page and net/buttons drive the page")

# ---- plugins ---------------------------------------------------------------------------------------------------------
row = page("docs/plugins.md")


def zigzags(place, result):
    """The vehicle of the page's example turns 20 degrees to one side and then to the other."""
    place.write("zig.xml", """<fathom version="1"><world dt="0.05 s" duration="60 s"/><vehicle name="phoenix" model="nps-auv-ii" position="0 0 3 m" velocity="0.6 0 0 m/s">
<controller plugin="./libzigzag.so" angle="20 deg" rudder="bow-rudder" counter="stern-rudder"/>
<orders><at t="0 s" propellers="700 rpm"/></orders></vehicle></fathom>""")
    place.want("fathom run zig.xml --log zig.mcap --quiet")
    rudder = [float(one["bow-rudder"]) for one in table(place, place.path("zig.mcap"), "/phoenix/actuators")]
    expect(min(rudder) < -0.1 and max(rudder) > 0.1, f"the rudder goes from {min(rudder)} to {max(rudder)} rad")


row("cc -shared -fPIC zigzag.c -o libzigzag.so $(pkg-config --cflags fathom)", prepare=copy("examples/plugin/zigzag.c"), check=zigzags)
row("cc -shared -fPIC lines.c -o liblines.so $(pkg-config --cflags fathom)", prepare=copy("examples/plugin/lines.c"), makes=["liblines.so"])
row('fathom run scenarios/phoenix-turn.xml --speed 1 --bridge "lines plugin=./liblines.so port=5005"',
    typed='fathom run scenarios/phoenix-turn.xml --speed 10 --duration 10 --bridge "lines plugin=./liblines.so port=5005"', why="ends after 1 s",
    prints="lines to 127.0.0.1 port 5005")

# ---- records ---------------------------------------------------------------------------------------------------------
row = page("docs/records.md")


def tank(place):
    """A record of the same motion whose clock began 2 s later."""
    place.want("fathom run bluerov2-heavy-pulses --log run.mcap --quiet")
    rows = table(place, place.path("run.mcap"), "/rov/odom")
    lines = [f"{float(r['time']) - 2:.6f},{r['twist.twist.linear.forward']}" for r in rows]
    place.write("tank.csv", "time [s],v1_m_s\n" + "\n".join(lines) + "\n")


row("fathom compare run.mcap tank.csv --map /rov/odom.twist.twist.linear.forward=v1_m_s --align 5 -o surge.png", prepare=tank,
    prints=r"whose times are moved by (2|2\.00\d*|1\.99\d*) s", check=png("surge.png"))


def sea(place):
    """A record of the same turn, 1 m farther north, whose clock is 3 s ahead."""
    place.want("fathom run phoenix-turn --log run.mcap --quiet")
    rows = table(place, place.path("run.mcap"), "/phoenix/odom")
    columns = ["pose.pose.position." + axis for axis in ("north", "east", "down")]
    lines = [",".join([f"{float(r['time']) + 3:.6f}", str(float(r[columns[0]]) + 1), r[columns[1]], r[columns[2]]]) for r in rows[::4]]
    place.write("sea.csv", "time [s],north [m],east [m],depth [m]\n" + "\n".join(lines) + "\n")


row("fathom run phoenix-turn --overlay sea.csv --log dive.mcap", prepare=sea, prints="overlay of phoenix: sea.csv, 3 … 123 s: north east depth", makes=["dive.mcap"])
row("fathom compare dive.mcap -o dive.png", prints=[r"model minus measured", r"measured\.depth \[m\]"], check=png("dive.png"))
row("fathom compare run.mcap sea.csv --overlay phoenix --align 5", prints=[r"moved by -(3|3\.0\d*|2\.9\d*) s", r" -(1|1\.0\d*|0\.9\d*) .* north \[m\]"])

# ---- reliability -----------------------------------------------------------------------------------------------------
row = page("docs/reliability.md")
for target in ("test-full", "test-timed", "soak", "netem", "kill", "campaign"):
    row(f"make {target}", separate="takes minutes to hours, or an idle machine")

# ---- expressions -----------------------------------------------------------------------------------------------------
row = page("docs/expressions.md")


def knows_when(place, result):
    asked = json.loads(place.want("fathom run bluerov2-hover --metric 'deepest=max(rov.depth)' --metric 'in_time=first(rov.depth > 2 m)' --summary - --quiet"))
    expect("deepest" in json.dumps(asked) and "in_time" in json.dumps(asked), f"no values: {asked}")


row("fathom run bluerov2-hover --metric 'deepest=max(rov.depth)' --metric 'in_time=first(rov.depth > 2 m)'", check=knows_when)

# ---- ROS 2 -----------------------------------------------------------------------------------------------------------
row = page("docs/ros2.md")


def speaks_dds(place, running):
    time.sleep(2)
    expect(running.process.poll() is None, f"it ended by itself: {running.text()[-500:]}")


def ros(fact):
    return dict(needs="ROS 2", played="tests/net/test_ros2.c:" + fact)


row("fathom view scenarios/ros2-lauv.xml", background=True, log=True, check=page_for(3), after=moved("lauv", 0.5))
row("fathom run scenarios/phoenix-turn.xml --realtime --ros2", background=True, log=True, check=speaks_dds, after=moved("phoenix", 0.1))
row("fathom serve scenarios/lauv-survey.xml --bridge \"ros2 domain=7 address=lo node=sea rate='10 Hz'\"", stays=True, log=True, check=ros2_speaks,
    after=moved("lauv", 1))
row("fathom ctl stats", prints=r"ros2/sent +[1-9]", ends=True)
row("ros2 topic list", **ros("the_node_owns_all_that_is_seen_of_it"))
row("ros2 topic echo /lauv/odom", **ros("another_vendor_meets_topics_by_their_ros_names"))
row("ros2 topic echo /lauv/altimeter", **ros("another_vendor_meets_topics_by_their_ros_names"))
row("ros2 run rviz2 rviz2", **ros("who_comes_late_is_told_the_scene"))
row("ros2 bag record -a", **ros("what_was_read_is_in_the_log_byte_for_byte"))
row('ros2 topic pub -r 10 /lauv/cmd_vel geometry_msgs/msg/Twist "{linear: {x: 1.0, z: -0.1}, angular: {z: 0.1}}"', **ros("a_velocity_is_held_while_it_is_ordered"))
row('ros2 topic pub -1 /lauv/setpoint/depth std_msgs/msg/Float64 "{data: 5.0}"', **ros("orders_of_another_vendor_reach_the_world"))
row('ros2 topic pub -1 /lauv/order/upper_rudder std_msgs/msg/Float64 "{data: 0.2}"', **ros("orders_of_another_vendor_reach_the_world"))
row('ros2 topic pub -1 /fathom/pause std_msgs/msg/Bool "{data: true}"', **ros("the_run_waits_and_makes_single_steps"))
row('ros2 topic pub -1 /fathom/step std_msgs/msg/UInt32 "{data: 50}"', **ros("the_run_waits_and_makes_single_steps"))
row("ros2 service call /fathom/reset std_srvs/srv/Trigger", **ros("the_run_is_stepped_and_reset_by_services"))
row("ros2 param list /fathom", **ros("a_client_of_parameters_finds_all_six_services"))
row("ros2 param set /fathom /water/density 1015.0", **ros("services_in_the_framing_of_fast_dds_are_answered"))
row("ros2 bag play run.mcap", needs="ROS 2", played="python/tests/test_bag.py:test_latched_channels_are_offered_transient_local")
row("ros2 launch fathom_bringup fathom.launch.py scenario:=ros2-lauv vehicle:=lauv", needs="ROS 2",
    played="python/tests/test_ros2_workspace.py:test_names_are_those_that_rosidl_accepts")

# ---- protocol, scenarios ---------------------------------------------------------------------------------------------
page("docs/protocol.md")("fathom ctl stats", prints="drop/crc +0", **beside("fathom serve scenarios/phoenix-turn.xml"))
row = page("docs/scenarios.md")


def rudder_stays(place, result):
    line = "fathom run scenarios/phoenix-turn.xml --set '/world/dt=0.02 s' --set /phoenix/stern_rudder/stuck=1 --log stuck.mcap --quiet"
    place.want(line)
    rows = table(place, place.path("stuck.mcap"), "/phoenix/actuators")
    expect(abs(float(rows[1]["time"]) - 0.02) < 1e-9, f"the step is {rows[1]['time']} s")
    expect(all(float(r["stern-rudder"]) == 0 for r in rows) and any(float(r["bow-rudder"]) != 0 for r in rows), "the stern rudder moved")


row("fathom run scenarios/phoenix-turn.xml --set '/world/dt=0.02 s' --set /phoenix/stern_rudder/stuck=1", check=rudder_stays)


def is_a_mission(name):
    def check(place, result):
        expect(result.out == f"3 waypoints of lauv to {name}\n", result.out)
        expect(re.search(r"-3\b", open(place.path(name)).read()), f"{name} has no depth of 3 m")

    return check


for kind in ("plan", "waypoints", "geojson"):
    row(f"fathom export scenarios/mavlink-harbour.xml --{kind} harbour.{kind}", check=is_a_mission(f"harbour.{kind}"))

# ---- SDK -------------------------------------------------------------------------------------------------------------
row = page("docs/sdk.md")
row("for state in pilot.states():", separate="Python; python/tests/test_client.py flies with it")


def pilot_c(place):
    text = open(os.path.join(place.source, "docs/sdk.md")).read()
    block = re.search(r"\n((?:    .*\n|\n)*    #include <fathom/client.h>(?:\n    .*|\n)*)", text).group(1)
    place.write("pilot.c", re.sub(r"^    ", "", block, flags=re.M).replace(":4040", f":{place.port}"))


def flies(place, result):
    """The program owns all actuators while it runs, its 150 rad/s are done, and the autopilot has them back afterwards."""
    pilot = place.start("stdbuf -oL ./pilot")
    until(lambda: pilot.said(r"depth \d"), "the pilot is told its depth")
    until(lambda: {one["owner"] for one in owners(place).values()} == {"pilot"} and owners(place)["propeller"]["order"] == 150,
          "the pilot owns the actuators, and orders 150 rad/s")
    goes_on(2)(place, None)
    pilot.kill()
    until(lambda: {one["owner"] for one in owners(place).values()} == {"autopilot"}, "the autopilot has the actuators again")


def brokers(place, running):
    """A driver writes to the motors' serial line: the broker owns the propeller. The DVL's line gives PD0 (7f 7f)."""
    until(lambda: os.path.exists(place.path("ttyMotors")) or running.said("no such text"), "the serial lines are there")
    motors = os.open(place.path("ttyMotors"), os.O_RDWR | os.O_NOCTTY)
    os.write(motors, b"propeller=80\n")
    until(lambda: owners(place)["propeller"]["order"] == 80 and owners(place)["propeller"]["kind"] == "client", "the broker orders 80 rad/s")
    os.close(motors)
    with open(place.path("ttyDVL"), "rb", buffering=0) as dvl:
        expect(b"\x7f\x7f" in dvl.read(200), "the DVL says no PD0")


row("fathom serve scenarios/lauv-survey.xml &", stays=True, log=True, after=moved("lauv", 1), status=0)
row("cc pilot.c $(pkg-config --cflags --libs fathom-client) -o pilot", prepare=pilot_c, check=flies)
row("fathom ctl owners lauv", prints="propeller", ends=True)
row("cc examples/broker/*.c $(pkg-config --cflags --libs fathom-client) -lm -o broker", makes=["broker"])
row("fathom serve examples/broker/sea.xml &", stays=True)
row("./broker 127.0.0.1:4040 lauv --dvl /tmp/ttyDVL=pd0 --gps /tmp/ttyGPS --motors /tmp/ttyMotors", background=True, status=0, check=brokers, ends=True,
    typed="./broker 127.0.0.1:4040 lauv --dvl ttyDVL=pd0 --gps ttyGPS --motors ttyMotors", why="serial lines in the folder of the test")

# ---- shared memory ---------------------------------------------------------------------------------------------------
row = page("docs/shared-memory.md")
NAME = f"docs{os.getpid()}"
row("fathom serve scenarios/lauv-survey.xml --shared bay", typed=f"fathom serve scenarios/lauv-survey.xml --shared {NAME}-bay",
    why="NAME is that of this test", background=True,
    check=lambda *_: until(lambda: os.path.exists(f"/dev/shm/fathom-clients-{NAME}-bay"), "the shared memory exists"))
row("fathom ctl --queue NAME step 10", typed=f"fathom ctl --queue {NAME} step 10", why="NAME is that of this test",
    **beside(f"fathom serve scenarios/phoenix-turn.xml --stopped --shared {NAME}",
             lambda place, result: until(lambda: abs(stats(place)["time"] - 0.5) < 1e-6, "ten steps are made")))

# ---- sweeps ----------------------------------------------------------------------------------------------------------
row = page("docs/sweeps.md")
NOISE = ("fathom sweep snookie-wall --vary '/snookie/approach/angle=10:90:20 deg' --runs 100 --seed 1 "
         "--set '/snookie/lateral_line/noise=0.1 mV' --metric snookie.min_clearance --metric snookie.contacts -o noise.nc")
TURN = ("fathom sweep phoenix-turn --design sobol --runs 256 --vary '/phoenix/velocity/x~uniform(1,3) ft/s' "
        "--vary '/phoenix/mass/weight~normal(435,5) lb' --csv turn.csv")
RISE = "fathom sweep remus-rise --vary /remus/avoid/gain=0:10:0.25 --vary '/bottom/rise/height=0:6:0.25 m' --backend simd -o steps.nc"
row("fathom sweep snookie-wall --vary '/snookie/approach/angle=10:90:5 deg' -o wall.nc", prints="17 of 17 runs", check=netcdf("wall.nc"))
row(NOISE, typed=NOISE.replace("100", "10"), why="10 runs of each instead of 100", prints="50 of 50 runs", check=netcdf("noise.nc"))
row(TURN, typed=TURN.replace("256", "32"), why="32 points instead of 256", check=rows_of("turn.csv", 32))
row(RISE, typed=RISE.replace("0:10:0.25", "0:10:2.5").replace("0:6:0.25", "0:6:2"), why="20 runs instead of 1025", prints="20 of 20 runs", check=netcdf("steps.nc"))
for ranks in ("mpirun", "srun --mpi=pmix"):
    row(f"{ranks} -n 64 fathom sweep snookie-wall --vary '/snookie/approach/angle=10:90:0.01 deg' -o wall.nc", **MPI)

def filled(line, metric, way, out):
    row(line, typed=f"fathom plot steps.nc {metric} --x /remus/avoid/gain {way} /bottom/rise/height -o {out}", why="the sweep of this page over two parameters",
        check=png(out))


BANDS = "fathom sweep phoenix-turn --runs 200 --vary '/phoenix/velocity/x~uniform(1,3) ft/s' --series phoenix.x,phoenix.u --every '1 s' -o bands.nc"
row(BANDS, typed=BANDS.replace("200", "20"), why="20 runs instead of 200", prints="20 of 20 runs", check=netcdf("bands.nc"))
row("fathom plot bands.nc phoenix.x phoenix.u -o bands.png", check=png("bands.png"))
SOBOL = ("fathom sweep phoenix-turn --design saltelli --runs 1024 --vary '/phoenix/velocity/x~uniform(1,3) ft/s' "
         "--vary '/phoenix/mass/weight~normal(435,5,425,445) lb' --vary '/phoenix/position/x~normal(0,1) m' --metric phoenix.x -o sobol.nc")
row(SOBOL, typed=SOBOL.replace("1024", "64"), why="64 pairs instead of 1024", prints="320 of 320 runs", check=netcdf("sobol.nc"))
row("fathom plot sobol.nc phoenix.x -o sobol.png", check=png("sobol.png"))
row("fathom plot wall.nc snookie.min_clearance -o wall.png", check=png("wall.png"))
row("fathom plot noise.nc snookie.contacts=0 -o success.png", check=png("success.png"))
filled("fathom plot map.nc snookie.min_clearance --x PATH --y PATH -o map.png", "remus.min_altitude", "--y", "map.png")
filled("fathom plot map.nc snookie.min_clearance --x PATH --by PATH -o curves.png", "remus.min_altitude", "--by", "curves.png")
row("fathom plot noise.nc snookie.min_clearance --histogram -o histogram.png", check=png("histogram.png"))
row("fathom report map.nc -o map.html", typed="fathom report steps.nc -o map.html", why="the sweep of this page over two parameters", makes=["map.html"])


def better(place, result):
    best, start = (float(n) for n in re.search(r"cost (-?[\d.e+-]+), at the start (-?[\d.e+-]+)", result.out).groups())
    expect(best < start, f"cost {best}, at the start {start}")


GAIN = "fathom optimise remus-rise --vary /remus/avoid/gain=0:10 --maximise remus.min_altitude --minimise '10*remus.late_pitch_pp' -o gain.png"
SEVEN = ("fathom optimise remus-rise --set /remus/count=7 --set '/remus/spacing=0.55 20 0 m' --set /remus/avoid/gain=8 --vary /remus/avoid/gain=2:10 "
         "--maximise 'remus-*.min_altitude' --minimise '10*remus-*.late_pitch_pp' --population 8 --step 0.4 --seed 2 -o optimise.png")
row(GAIN, check=both(png("gain.png"), better))
row("fathom optimise FILE --vary 'PATH=A:B UNIT' --vary … --minimise VEHICLE.METRIC --noise-runs 20 --json",
    typed="fathom optimise remus-rise --vary /remus/avoid/gain=0:10 --minimise remus.late_pitch_pp --noise-runs 2 --generations 2 --json",
    why="a file, a parameter, a metric; 2 runs and 2 generations", check=lambda place, result: json.loads(result.out))
SAFE = ("fathom optimise remus-rise --vary /remus/avoid/gain=0:10 --maximise remus.min_altitude --constraint 'remus.late_pitch_pp < 0.01 rad' "
        "--restarts 2 --csv safe.csv")


def holds(place, result):
    expect("remus.late_pitch_pp < 0.01 rad: holds" in result.out, "the constraint holds")


row(SAFE, typed=SAFE + " --generations 10", why="10 generations of each search", makes=["safe.csv"], check=both(holds, better))
row(SEVEN, typed=SEVEN.replace("--population 8", "--population 4 --generations 3"), why="3 generations of 4 instead of 40 of 8",
    check=both(png("optimise.png"), better))

# ---- telemetry -------------------------------------------------------------------------------------------------------
row = page("docs/telemetry.md")


def form(line, typed, **what):
    row(line, typed=typed, why="names instead of FILE, CHANNEL …", **what)


form("fathom run SCENARIO --log FILE [--log-rate HZ] [--log-chunk S] [--log-compression zstd|lz4|none]",
     "fathom run acoustic-homing --log run.mcap --log-rate 5 --log-chunk 2 --log-compression lz4 --duration 60", makes=["run.mcap"])
form("fathom replay FILE --verify", "fathom replay run.mcap --verify", prints="the same")
form("fathom plot FILE… -o OUT.png|svg|pdf [--dark]", "fathom plot run.mcap -o out.pdf --dark", check=starts_with("out.pdf", b"%PDF"))
form("fathom plot FILE --ladder|--fixes -o OUT", "fathom plot run.mcap --ladder -o ladder.png", check=png("ladder.png"))
form("fathom plot FILE… CHANNEL.FIELD… -o OUT", "fathom plot run.mcap /remus/odom.pose.pose.position.down -o depth.png", check=png("depth.png"))
form("fathom report FILE -o REPORT.html", "fathom report run.mcap -o report.html", makes=["report.html"])
form("fathom info FILE [CHANNEL…]", "fathom info run.mcap /remus/odom", prints=r"position\.down")
form("fathom export FILE --csv FOLDER [CHANNEL…]", "fathom export run.mcap --csv tables /remus/odom", makes=["tables/remus.odom.csv"])
form("fathom export FILE --netcdf FILE.nc [CHANNEL…]", "fathom export run.mcap --netcdf run.nc", check=netcdf("run.nc"))
form("fathom info FILE.nc [GROUP…]", "fathom info run.nc /remus_odom", prints=r"position_down +double")
form("fathom compare A B [CHANNEL…]", "fathom compare run.mcap run.mcap /remus/odom", prints="same")
form("fathom compare A B --map OURS=THEIRS …", "fathom compare run.mcap tables/remus.odom.csv --map '/remus/odom.pose.pose.position.down=pose.pose.position.down'",
     prints="position.down")

def is_a_track(name, pattern):
    """A file with the track of the Otter: several points that its format marks like this."""
    def check(place, result):
        with open(place.path(name)) as file:
            expect(len(re.findall(pattern, file.read())) > 5, f"no track in {name}")
    return check


row("fathom run otter-harbour --log otter.mcap", makes=["otter.mcap"])
row("fathom export otter.mcap --gpx otter.gpx", check=is_a_track("otter.gpx", r'<trkpt lat="[-\d.]+" lon="[-\d.]+"'))
row("fathom export otter.mcap --kml otter.kml", check=is_a_track("otter.kml", r"[-\d.]+[, ][-\d.]+[, ][-\d.]+"))
row("fathom export otter.mcap --geojson otter.geojson", check=is_a_track("otter.geojson", r"\[\s*[-\d.]+,\s*[-\d.]+"))

# ---- the gallery -----------------------------------------------------------------------------------------------------
row = page("docs/gallery.md")
row("fathom view showcase", background=True, log=True, check=page_for(2), after=moved("phoenix", 0.1))

# ---- the page --------------------------------------------------------------------------------------------------------
row = page("docs/viewer.md")


def second_page(place, running):
    """A second page beside the first has the next free port."""
    page_for(2)(place, running)
    second = place.start("fathom view run.mcap")
    shows_page(place, second)
    addresses = [re.search(r"http://\S+", one.text()).group(0) for one in (running, second)]
    expect(addresses[0] != addresses[1], f"both pages are at {addresses[0]}")
    expect(second.stop().status == 130, "the second page did not end with status 130")


RUN_AND_LOG = "fathom run phoenix-turn --log run.mcap --quiet"
row("fathom view showcase", background=True, log=True, check=page_for(3), after=moved("phoenix", 0.1))
row("fathom view scenarios/fish-pool.xml --speed 2", prepare=typed_first(RUN_AND_LOG), background=True, log=True, check=second_page,
    after=moved("red", 0.05))
row("fathom view run.mcap", background=True, check=shows_page)
row("fathom view before.mcap after.mcap", background=True, check=shows_page,
    prepare=typed_first("cp run.mcap before.mcap", "fathom run phoenix-turn --set '/phoenix/velocity/x=0.3 m/s' --log after.mcap --quiet"))
row("fathom view phoenix-turn --overlay sea.csv", prepare=sea, background=True, check=shows_page)
row("fathom run SCENARIO --http 127.0.0.1:8080", typed="fathom run phoenix-turn --realtime --http 127.0.0.1:8080", why="a scenario, in real time",
    background=True, check=shows_page)
row("fathom serve SCENARIO --http 127.0.0.1:8080", typed="fathom serve phoenix-turn --http 127.0.0.1:8080", why="a scenario", background=True, check=shows_page)
row("fathom view phoenix-turn --overlay sea.csv --overlay-offset -3", background=True, check=shows_page)
row("fathom view phoenix-turn --overlay udp:5000 --log dive.mcap", background=True, check=sends_telemetry, after=has_telemetry)
row("fathom view dive.mcap", background=True, check=shows_page)
row("fathom view run.mcap --overlay sea.csv", background=True, check=shows_page)
row("node tests/npm/time_page.mjs build/release/fathom", separate="measures frames of a browser for minutes; net/page and net/buttons drive the page")

# ---- install ---------------------------------------------------------------------------------------------------------
row = page("docs/install.md")
row("git clone REPOSITORY fathom", separate="how the tree comes to a machine")
row("cd fathom", separate="the tree of this test")
row("make run", separate="scripts/run-showcase: the showcase itself is viewed below docs/viewer.md")
row("sudo make install", separate="tests/install installs into a folder of its own")
row("make package", separate="tests/install/test_package builds and installs the package")
row("sudo apt install ./out/fathom_*.deb", separate="tests/install/test_package unpacks it")
row("docker build -t fathom -f Containerfile .", separate="needs an engine of containers")
row("docker run --rm -p 8080:8080 fathom", separate="as the line before")
row('docker run --rm -v "$PWD:/work" -w /work fathom run mission.xml --log mission.mcap', separate="as the line before")
row("fathom --version", prints=r"fathom \d+\.\d+\.\d+")
row("fathom run phoenix-turn --summary -", check=turns_a_circle)

# ---- teaching --------------------------------------------------------------------------------------------------------
row = page("docs/teaching.md")
row("fathom view showcase", background=True, log=True, check=page_for(2))
row("fathom view snookie-wall", background=True, log=True, check=page_for(2))
row("fathom view fish-pool", background=True, log=True, check=page_for(2))
row("fathom view phoenix-turn", background=True, log=True, check=page_for(2))
row("fathom view showcase --http 0.0.0.0:8080", background=True, typed="fathom view showcase --http 127.0.0.1:8080",
    why="no test listens to other machines; net/test_bound asks what 0.0.0.0 binds to", check=page_for(2))
row("fathom run lauv-survey --seed 17 --set '/current/velocity=0 0.2 0 m/s' --summary -", prints='"state_hash": "[0-9a-f]{16}"')
row("fathom figures --list", prints="remus/fig6")
row("fathom figures remus/fig6 -o figures",
    check=lambda place, result: expect(os.path.isdir(place.path("figures/remus")) or os.listdir(place.path("figures")), "drew nothing"))

# ---- comparison ------------------------------------------------------------------------------------------------------
row = page("docs/comparison.md")
row("python3 bench/peers.py", separate="needs MuJoCo from PyPI; its own half is `fathom bench --only lauv/heun` of README.md")

# ---- tutorial --------------------------------------------------------------------------------------------------------
row = page("docs/tutorial.md")


def files_of_tutorial(place):
    """What the reader saves: the first block is the vehicle, the second the mission."""
    text = open(os.path.join(place.source, "docs/tutorial.md")).read()
    vehicle, mission = re.findall(r"```xml\n(.*?)```", text, re.S)
    place.write("minnow.xml", vehicle)
    place.write("bay.xml", mission)


def survey_is_flown(place, result):
    minnow = summary(result)["vehicles"]["minnow"]
    expect(abs(summary(result)["duration"] - 292) < 1, f"it ended after {summary(result)['duration']} s")
    expect(minnow["waypoints_reached"] == 3 and minnow["contacts"] == 0, f"no survey: {minnow}")
    expect(abs(minnow["track_error_rms"] - 0.47) < 0.01, f"{minnow['track_error_rms']} m across the track")


row("fathom check minnow.xml", prepare=files_of_tutorial, prints="fine")
row("fathom trim minnow", prints=["2.995 m/s .*1500 rpm", "held from 0.298 m/s"])
row("fathom stability minnow --speed 1.5", prints="every small motion dies out")
row("cp $(fathom scenarios --path)/bay.png .", makes=["bay.png"])
row("fathom check bay.xml", prints="fine")
row("fathom run bay.xml --log bay.mcap --summary -", makes=["bay.mcap"], check=survey_is_flown)
row("fathom view bay.xml", background=True, log=True, check=page_for(2), after=moved("minnow", 1))
row("fathom plot bay.mcap -o bay-figure.png", check=png("bay-figure.png"))
row("fathom sweep bay.xml --vary '/minnow/waypoints/lookahead=2:12:1 m' --metric minnow.track_error_rms -o lookahead.nc",
    prints="11 of 11 runs", check=netcdf("lookahead.nc"))
row("fathom plot lookahead.nc -o lookahead.png", check=png("lookahead.png"))
row("fathom run bay.xml --set '/minnow/waypoints/lookahead=4 m' --summary -", prints='"waypoints_reached": 3')

# ---- import ----------------------------------------------------------------------------------------------------------
row = page("docs/import.md")
imported = "fathom import my-rov.sdf -o my-rov.xml --scenario my-run.xml"


def of_the_reader(place):
    shutil.copy(os.path.join(place.source, "tests/data/import/rov.sdf"), place.path("my-rov.sdf"))


def has_imported(place):
    of_the_reader(place)
    place.want(imported)


def says_what_it_leaves_out(place, result):
    with open(os.path.join(place.source, "docs/import.md")) as text:
        printed = [line.strip() for line in text if line.startswith("my-rov.sdf:")]
    missing = [line for line in printed if line not in result.err.splitlines()]
    expect(len(printed) == 2 and not missing, f"not printed: {missing}\n{result.err}")


row(imported, prepare=of_the_reader, makes=["my-rov.xml", "my-run.xml"], check=says_what_it_leaves_out)
row("fathom check my-run.xml", prepare=has_imported, prints="fine: 1 vehicle")
row("fathom run my-run.xml", prepare=has_imported)

# ---- your vehicle ----------------------------------------------------------------------------------------------------
row = page("docs/your-vehicle.md")


def speed_of_prestero(place, result):
    """1.5 m/s at 1500 rpm, between two speeds of the list."""
    pairs = [(float(n), float(u)) for u, n in re.findall(r"([\d.]+) m/s \(.*?propeller (\d+) rpm", result.out)]
    (n0, u0), (n1, u1) = next(p for p in zip(pairs, pairs[1:]) if p[0][0] <= 1500 <= p[1][0])
    speed = u0 + (u1 - u0) * (1500 - n0) / (n1 - n0)
    expect(abs(speed - 1.5) < 0.1, f"{speed:.2f} m/s at 1500 rpm")


row("fathom trim remus-100", check=speed_of_prestero)
row("fathom stability remus-100", prints="UNSTABLE")
row("fathom stability lauv --speed 1.2 --octave lauv.m", makes=["lauv.m"], prints="every small motion dies out",
    check=lambda place, result: expect(re.search(r"\bA *=", open(place.path("lauv.m")).read()), "lauv.m has no A"))
