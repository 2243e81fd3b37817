#!/usr/bin/env python3
"""Reads serial lines as drivers of real instruments do, each format by the tables of its manual, every checksum worked out
again, and holds them against each other: five DVL formats of the same ping say the same.

usage: decode.py FOLDER SECONDS [MOTOR-LINE]
FOLDER has the links d0 d6 dn dm dw ctd hdg p pq es gps motors. Prints what it found as JSON; exits 1 where something is
wrong."""
import calendar, functools, json, math, operator, os, select, struct, sys, termios, time, tty

FOLDER, SECONDS = sys.argv[1], float(sys.argv[2])
NAMES = "d0 d6 dn dm dw ctd hdg p pq es gps motors".split()


def read_all():
    files = {os.open(f"{FOLDER}/{name}", os.O_RDWR | os.O_NOCTTY): name for name in NAMES}
    data = {name: b"" for name in NAMES}
    for file, name in files.items():
        tty.setraw(file)
        termios.tcflush(file, termios.TCIFLUSH)
        if name == "motors" and len(sys.argv) > 3:
            os.write(file, sys.argv[3].encode() + b"\r\n")
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        for file in select.select(list(files), [], [], 0.1)[0]:
            data[files[file]] += os.read(file, 4096)
    return data


def lines(data):
    """Whole lines; what was cut at the beginning and the end is left out."""
    return [line.decode() for line in data.split(b"\r\n")[1:-1]]


def sentence(line):
    body, given = line.lstrip("$").split("*")
    assert functools.reduce(operator.xor, body.encode()) == int(given, 16), line
    return body.split(",")


def pd0(data):
    """starboard, forward, up of the bottom → forward, starboard, down of the vehicle"""
    pings, at = {}, 0
    while (at := data.find(b"\x7f\x7f", at)) >= 0 and at + 4 < len(data):
        size, = struct.unpack_from("<H", data, at + 2)
        ensemble = data[at:at + size + 2]
        at += 2
        if len(ensemble) < size + 2 or sum(ensemble[:-2]) & 0xFFFF != struct.unpack("<H", ensemble[-2:])[0]:
            continue
        at += size
        blocks = {struct.unpack_from("<H", ensemble, o)[0]: ensemble[o:] for o in struct.unpack_from(f"<{ensemble[5]}H", ensemble, 6)}
        fixed, leader, track = blocks[0x0000], blocks[0x0080], blocks[0x0600]
        assert fixed[8] == 4 and fixed[25] >> 3 & 3 == 2  # four beams, ship axes
        century, year, month, day, hour, minute, second, hundredth = leader[57:65]
        utc = calendar.timegm((100 * century + year, month, day, hour, minute, second)) + hundredth / 100
        x, y, z, _ = struct.unpack_from("<4h", track, 24)
        ranges = struct.unpack_from("<4H", track, 16)
        pings[round(utc, 1)] = [-y / 1000, -x / 1000, z / 1000, sum(ranges) / 400]
    return pings


def pd6(data):
    pings, utc = {}, None
    for line in lines(data):
        field = line.split(",")
        if field[0] == ":TS":
            t = [int(field[1][i:i + 2]) for i in range(0, 14, 2)]
            utc = round(calendar.timegm((2000 + t[0], *t[1:6])) + t[6] / 100, 1)
        elif field[0] == ":BS" and utc:
            pings[utc] = [int(field[2]) / 1000, int(field[1]) / 1000, -int(field[3]) / 1000]
        elif field[0] == ":BD" and utc in pings:
            pings[utc].append(float(field[4]))
    return {utc: ping for utc, ping in pings.items() if len(ping) == 4}


def words(data):
    return sum(struct.unpack(f"<{len(data) // 2}H", data), 0xB58C) & 0xFFFF


def nortek(data):
    pings, at = {}, 0
    while (at := data.find(b"\xa5\x0a\x1b", at)) >= 0 and at + 222 <= len(data):
        head, body = data[at:at + 10], data[at + 10:at + 222]
        at += 1
        size, body_sum, head_sum = struct.unpack_from("<HHH", head, 4)
        if size != 212 or words(head[:8]) != head_sum or words(body) != body_sum:
            continue
        year, month, day, hour, minute, second, part = struct.unpack_from("<6BH", body, 6)
        utc = calendar.timegm((1900 + year, month + 1, day, hour, minute, second)) + part / 1e4
        ranges, velocity = struct.unpack_from("<4f", body, 52), struct.unpack_from("<3f", body, 132)
        assert struct.unpack_from("<I", body, 20)[0] == 0xFFFFF  # all valid
        pings[round(utc, 1)] = [*velocity, sum(ranges) / 4 * math.cos(math.radians(30))]
    return pings


def nortek_nmea(data):
    pings = {}
    for line in lines(data):
        field = sentence(line)
        if field[0] == "PNORBT7":
            pings[round(float(field[1]), 1)] = [*map(float, field[4:7]), sum(map(float, field[8:12])) / 4]
    return pings


def crc8(text):
    crc = 0
    for byte in text.encode():
        crc ^= byte
        for _ in range(8):
            crc = (crc << 1 ^ 7) & 0xFF if crc & 0x80 else crc << 1
    return crc


def waterlinked(data):
    pings = {}
    for line in lines(data):
        body, given = line.split("*")
        assert crc8(body) == int(given, 16), line
        field = body.split(",")
        if field[0] == "wrz":
            assert field[4] == "y"
            pings[round(int(field[8]) / 1e6, 1)] = [*map(float, field[1:4]), float(field[5])]
    return pings


def main():
    data = read_all()
    formats = {f.__name__: f(data[n]) for f, n in ((pd0, "d0"), (pd6, "d6"), (nortek, "dn"), (nortek_nmea, "dm"), (waterlinked, "dw"))}
    common = set.intersection(*(set(pings) for pings in formats.values()))
    assert len(common) >= 3, {name: len(pings) for name, pings in formats.items()}
    for utc in common:
        for name, pings in formats.items():
            for mine, exact, within in zip(pings[utc], formats["nortek"][utc], (0.0016, 0.0016, 0.0016, 0.1)):
                assert abs(mine - exact) < within, (name, utc, pings[utc], formats["nortek"][utc])
    ctd = [[float(value) for value in line.split(",")] for line in lines(data["ctd"])]
    heading = [float(f[1]) for f in map(sentence, lines(data["hdg"])) if f[0] == "HCHDT"]
    bar = [float(f[2]) for f in map(sentence, lines(data["p"]))]
    psi = [float(line[5:]) for line in lines(data["pq"])]
    depth = [float(f[1]) for f in map(sentence, lines(data["es"]))]
    fixes = [f for f in map(sentence, lines(data["gps"])) if f[0] == "GPRMC"]
    said = {"pings": len(common), "last": formats["nortek"][max(common)], "ctd": ctd[-1], "heading": heading[-1], "bar": bar[-1],
            "psi": psi[-1], "below": depth[-1], "fix": fixes[-1][2:7] if fixes else None, "motors": data["motors"].decode().split()}
    assert abs(said["bar"] * 14.503774 - said["psi"]) < 0.01 and abs(said["below"] - said["last"][3]) < 0.1, said
    assert abs(said["ctd"][2] - (said["bar"] * 10 - 10.1325)) < 0.05, said  # dbar above that of the air
    print(json.dumps(said))


main()
