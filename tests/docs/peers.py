"""The other ends of documented lines: SITL, PX4 and a ground station, a chart plotter; and what a log says."""
import csv, glob, json, math, os, re, socket, struct, tempfile, time, urllib.request
from commands import PATIENCE, Failure, expect, until

# ---- logs ------------------------------------------------------------------------------------------------------------


def table(place, log, channel):
    """Rows of a channel of a log as dictionaries; units are left off the names."""
    with tempfile.TemporaryDirectory(dir=place.folder) as folder:
        place.want(f"fathom export {log} --csv {folder} {channel}")
        (file,) = glob.glob(folder + "/*.csv")
        with open(file) as rows:
            names = [re.sub(r" \[.*", "", name) for name in next(csv.reader(rows))]
            return [dict(zip(names, row)) for row in csv.reader(rows)]


def track(place, log, vehicle):
    """[(time s, north, east, down m, heading rad)] of a vehicle."""
    out = []
    for row in table(place, log, f"/{vehicle}/odom"):
        x, y, z, w = (float(row["pose.pose.orientation." + c]) for c in "xyzw")
        # Orientation is ENU, forward-port-up: yaw from east, left-handed seen from above becomes heading from north.
        yaw = math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z))
        place_of = [float(row["pose.pose.position." + c]) for c in ("north", "east", "down")]
        out.append((float(row["time"]), *place_of, yaw))
    return out


def moved(vehicle, metres, seconds=0):
    """A check after a run: its log says that the vehicle went at least so far."""

    def check(place):
        points = track(place, place.log, vehicle)
        expect(points, f"the log has no {vehicle}")
        way = sum(math.dist(a[1:4], b[1:4]) for a, b in zip(points, points[1:]))
        expect(way >= metres, f"{vehicle} went {way:.2f} m in {points[-1][0]:.1f} s instead of {metres} m")
        expect(points[-1][0] >= seconds, f"the run made {points[-1][0]} s instead of {seconds} s")

    return check


def summary(result):
    return json.loads(result.out[result.out.index("{"):])


# ---- servers and pages -----------------------------------------------------------------------------------------------


def listed(place, what):
    return json.loads(place.want(f"fathom ctl {what} --json"))


def stats(place):
    told = listed(place, "stats")
    return {row["name"]: row["value"] for row in told} if isinstance(told, list) else told


def goes_on(seconds):
    """A check while a server runs: its time goes on to so many seconds."""

    def check(place, running):
        until(lambda: stats(place)["time"] >= seconds, f"{seconds} s are simulated")

    return check


def shows_page(place, running):
    """The address that was printed serves the page."""
    address = until(lambda: running.said(r"http://127\.0\.0\.1:\d+/?\S*"), "an address is printed").group(0)
    with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
        text = answer.read().decode(errors="replace")
    expect(answer.status == 200 and "<html" in text.lower(), f"{address} is not a page: {text[:200]}")


def page_for(seconds):
    """The page is served, and the run goes on for some seconds of the clock."""

    def check(place, running):
        shows_page(place, running)
        time.sleep(seconds)
        expect(running.process.poll() is None, f"it ended by itself: {running.text()[-500:]}")

    return check


def sends_telemetry(place, running):
    """The page is served, and a vehicle sends a line of telemetry every tenth of a second."""
    shows_page(place, running)
    port = int(until(lambda: running.said(r"telemetry at udp:127\.0\.0\.1:(\d+)"), "it hears telemetry").group(1))
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as vehicle:
        for i in range(30):
            vehicle.sendto(f"t={0.1 * i:.1f} north={0.05 * i} east=0 depth=3 heading[deg]=5".encode(), ("127.0.0.1", port))
            time.sleep(0.1)


def telemetry_is_counted(place, running):
    """The same, and the server counts the lines."""
    sends_telemetry(place, running)
    expect(stats(place)["overlay/lines"] == 30 and stats(place)["overlay/taken"] > 10, f"counters: {stats(place)}")


def has_telemetry(place):
    found = json.loads(place.want("fathom compare dive.mcap --json"))["channels"]
    names = {one["theirs"].rsplit(".", 1)[1]: one["samples"] for one in found}
    expect(set(names) == {"north", "east", "depth", "heading"} and min(names.values()) > 10, f"the log has {names}")


# ---- UDP listeners ---------------------------------------------------------------------------------------------------


def hears(place, port, wanted, what):
    """Calls wanted(datagram) for what comes to a port until it returns something."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as ear:
        ear.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        ear.bind(("127.0.0.1", port))
        ear.settimeout(1)
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                found = wanted(*ear.recvfrom(4096))
            except TimeoutError:
                continue
            if found:
                return found
    raise Failure(f"nothing heard at port {port}: {what}")


def nmea_sentences(data):
    for line in data.decode(errors="replace").split():
        body, _, sum_ = line[1:].partition("*")
        value = 0
        for c in body:
            value ^= ord(c)
        expect(sum_ == f"{value:02X}", f"wrong checksum: {line}")
        yield body.split(",")


def charts(place, running):
    """A chart plotter hears depth and heading."""
    seen = {}

    def wanted(data, sender):
        seen.update({words[0][2:]: words for words in nmea_sentences(data)})
        return {"RMC", "HDT"} <= seen.keys()

    hears(place, place.ports["nmea"], wanted, "RMC and HDT")
    place.kept["nmea"] = seen


def steers_by_nmea(place, running):
    """A chart plotter hears the vehicle, and its HSC is the heading that the autopilot holds: north-east (45 degrees)."""
    charts(place, running)
    body = "APHSC,45.0,T,,"
    value = 0
    for c in body:
        value ^= ord(c)
    sentence = f"${body}*{value:02X}\r\n".encode()
    headings = []

    def wanted(data, sender):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as mouth:
            mouth.sendto(sentence, ("127.0.0.1", place.ports["nmea-in"]))
        headings.extend(float(words[1]) for words in nmea_sentences(data) if words[0][2:] == "HDT")
        return headings and abs(headings[-1] - 45) < 15

    hears(place, place.ports["nmea"], wanted, f"a heading near 45 degrees after HSC; headings {headings[-3:]}")


# ---- Ping ------------------------------------------------------------------------------------------------------------


def ping_devices(**kinds):
    """A check while a run goes on: the device at each port answers what it is (1: Ping1D, 2: Ping360)."""

    def answer(port, request):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.settimeout(1)
            line.connect(("127.0.0.1", port))
            try:
                line.send(request)
                return line.recv(2048)
            except (TimeoutError, ConnectionRefusedError):
                return None

    def check(place, running):
        body = b"BR" + struct.pack("<HHBBH", 2, 6, 0, 0, 4)  # a general_request of device_information
        for name, kind in kinds.items():
            port = place.ports[name.replace("_", "-")]
            told = until(lambda: answer(port, body + struct.pack("<H", sum(body))), f"{name} answers")
            expect(told[:8] == b"BR" + struct.pack("<HHBB", 6, 4, 1, 0) and told[8] == kind, f"{name} says {told!r}")

    return check


def has_odometry(place, running):
    """An autopilot speaks and is answered with VISION_POSITION_DELTA."""
    beat = bytes.fromhex("fd090000000101000000000000000c03000403e8ee")
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
        line.settimeout(1)
        line.connect(("127.0.0.1", place.ports["odometry"]))

        def answered():
            try:
                line.send(beat)
                return (11011).to_bytes(3, "little") in line.recv(2048)
            except (TimeoutError, ConnectionRefusedError):
                return False

        until(answered, "VISION_POSITION_DELTA comes")


# ---- ArduPilot -------------------------------------------------------------------------------------------------------


def sitl(pulses, wanted, what):
    """A check that plays SITL: sends pulses, and goes on until wanted(state) of the answers."""

    def check(place, running):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
            line.settimeout(0.5)
            line.connect(("127.0.0.1", place.ports["ardupilot"]))
            count, end, last = 1, time.monotonic() + PATIENCE, None
            while time.monotonic() < end:
                expect(running.process.poll() is None, f"it ended by itself: {running.text()[-500:]}")
                line.send(struct.pack("<HHI16H", 18458, 50, count, *pulses, *[0] * (16 - len(pulses))))
                try:
                    last = json.loads(line.recv(4096))
                    count += 1
                except (TimeoutError, ConnectionRefusedError):
                    time.sleep(0.05)
                    continue
                if wanted(last):
                    return
        raise Failure(f"SITL was not told that {what}; the last answer is {last}; it said {running.text()[-500:]}")

    return check


# ---- MAVLink ---------------------------------------------------------------------------------------------------------


def x25(data):
    crc = 0xFFFF
    for byte in data:
        byte ^= crc & 0xFF
        byte ^= byte << 4 & 0xFF
        crc = (crc >> 8) ^ (byte << 8) ^ (byte << 3) ^ (byte >> 4)
        crc &= 0xFFFF
    return crc


def mavlink_frames(data):
    """(system, message, payload) of MAVLink 2 frames."""
    while len(data) >= 12 and data[0] == 0xFD:
        size = data[1] + 12 + (13 if data[2] & 1 else 0)
        yield data[5], int.from_bytes(data[7:10], "little"), data[10:10 + data[1]]
        data = data[size:]


def ground_station(vehicles):
    """A check that hears heartbeats of so many vehicles, and the first of them moving (LOCAL_POSITION_NED)."""

    def check(place, running):
        systems, places = set(), []

        def wanted(data, sender):
            for system, message, payload in mavlink_frames(data):
                if message == 0:
                    systems.add(system)
                if message == 32 and system == 1:
                    places.append(struct.unpack_from("<3f", payload.ljust(28, b"\0"), 4))
            return len(systems) >= vehicles and len(places) > 1 and math.dist(places[0], places[-1]) > 0.2

        hears(place, place.ports["mavlink"], wanted, f"{vehicles} vehicles; systems {systems}, the first at {places[-1:]}")

    return check


def px4(place, running):
    """Plays PX4: armed, all thrusters at half power; HIL_SENSOR answers each HIL_ACTUATOR_CONTROLS."""
    line = until(lambda: connected(place.ports["px4"], running), "Fathom waits for PX4")
    with line:
        line.settimeout(2)
        data, sensors, sequence, end = b"", 0, 0, time.monotonic() + PATIENCE
        while sensors < 500 and time.monotonic() < end:
            payload = struct.pack("<QQ16fB", 4000 * sequence, 1, *[0.5] * 8, *[0] * 8, 129)
            head = struct.pack("<BBBBBB", len(payload), 0, 0, sequence & 255, 1, 1) + (93).to_bytes(3, "little")
            line.send(b"\xFD" + head + payload + x25(head + payload + bytes([47])).to_bytes(2, "little"))
            sequence += 1
            try:
                data = line.recv(65536)
            except TimeoutError:
                continue
            sensors += sum(message == 107 for _, message, _ in mavlink_frames(data))
    expect(sensors >= 500, f"{sensors} HIL_SENSOR instead of 500")


def connected(port, running):
    expect(running.process.poll() is None, f"it ended: {running.text()[-500:]}")
    try:
        return socket.create_connection(("127.0.0.1", port), 1)
    except OSError:
        return None
