#!/usr/bin/env python3
"""A client of `fathom serve` in Python's standard library alone, written from docs/protocol.md.

usage: client.py HOST:PORT|unix:PATH VEHICLE SECONDS PARAMETER=VALUE KEYFILE|- ORDER…
Sets the parameter, steers VEHICLE for SECONDS of simulation by ORDERs in its actuators' units; prints what came of it."""
import hashlib, json, os, socket, struct, sys, time

HELLO, CHALLENGE, CONNECT, WELCOME, REJECT, DISCONNECT, BYE, PING, PONG = 1, 2, 3, 4, 5, 6, 7, 0x10, 0x11
ACTUATE, STATE, SENSORS, COMMAND, RESULT, DESCRIBE, DESCRIPTION = 0x20, 0x21, 0x22, 0x42, 0x41, 0x60, 0x61
HEADER = struct.Struct("<4sBBHIIQQHHI")
TABLE = []
for n in range(256):
    for _ in range(8):
        n = n >> 1 ^ (0x82F63B78 if n & 1 else 0)
    TABLE.append(n)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


def text(data):
    return data.split(b"\0")[0].decode()


class Client:
    def __init__(self, address, role, name, model, key=None, pose=(0,) * 6, voice=0):
        self.key, self.token, self.sequence, self.id, self.news = key, 0, 0, 0, []
        if address.startswith("unix:"):
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            self.socket.bind("")  # a name that Linux makes, for the answers
            self.socket.connect(address[5:])
        else:
            self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            self.socket.connect((address.rsplit(":", 1)[0], int(address.rsplit(":", 1)[1])))
        self.socket.settimeout(0.2)
        nonce = int.from_bytes(os.urandom(8), "little")
        challenge = self.ask(HELLO, struct.pack("<QBBB149x", nonce, 1, 1, role), CHALLENGE)[1]
        assert struct.unpack_from("<Q", challenge)[0] == nonce
        connect = struct.pack("<16sB32s32s6dIQQIIH", challenge[8:24], role, name.encode(), model.encode(), *pose, 50000,
                              nonce, 0, 0, 0, voice)
        header, welcome = self.ask(CONNECT, connect, WELCOME)
        self.token = header[6]
        self.id, self.dt = struct.unpack_from("<HQ", welcome)
        self.vehicle, = struct.unpack_from("<H", welcome, 47)

    def send(self, kind, payload):
        if self.token:
            self.sequence += 1
        length = 40 + len(payload) + (16 if self.key else 0)
        head = [b"FTHM", 1, 4 if self.key else 0, kind, length, self.sequence, self.token, 0, self.id, 0, 0]
        data = HEADER.pack(*head) + payload
        if self.key:
            data += hashlib.blake2b(data, key=self.key, digest_size=16).digest()
        head[-1] = crc32c(data)
        self.socket.send(HEADER.pack(*head) + data[40:])

    def receive(self):
        """The next datagram, header and payload; None: none came. Answers pings."""
        try:
            data = self.socket.recv(1200)
        except (TimeoutError, ConnectionRefusedError):
            return None
        header, plain = HEADER.unpack_from(data), data[:36] + bytes(4) + data[40:]
        assert header[0] == b"FTHM" and header[4] == len(data) and header[10] == crc32c(plain) and header[2] & 16
        if self.key:
            assert hashlib.blake2b(plain[:-16], key=self.key, digest_size=16).digest() == data[-16:]
            data = data[:-16]
        if header[3] == PING:
            self.send(PONG, data[40:])
        return header, data[40:]

    def ask(self, kind, payload, answer, matches=lambda payload: True):
        """Repeats a request every 200 ms until its answer comes; what else comes is kept in self.news."""
        for _ in range(50):
            self.send(kind, payload)
            again = time.monotonic() + 0.2
            while time.monotonic() < again:
                got = self.receive()
                if got and got[0][3] == answer and matches(got[1]):
                    return got
                if got and got[0][3] == REJECT:
                    raise RuntimeError(text(got[1][2:66]))
                self.news += [got] if got else []
        raise RuntimeError(f"no answer to {kind:#x}")

    def describe(self, what, pattern=""):
        records, total = [], 1
        while len(records) < total:
            asked = struct.pack("<HHI96s", what, 0, len(records), pattern.encode())
            answer = self.ask(DESCRIBE, asked, DESCRIPTION, lambda p: p[:2] + p[4:8] == asked[:2] + asked[4:8])[1]
            total, count, size = struct.unpack_from("<IHH", answer, 8)
            records += [answer[16 + i * size:16 + (i + 1) * size] for i in range(count)]
        return records


def main(address, vehicle, seconds, parameter, key, *orders):
    client = Client(address, 6, "python", vehicle, None if key == "-" else bytes.fromhex(open(key).read().strip()))
    path, value = parameter.split("=")
    command = struct.pack("<HI96sd", 6, 1, path.encode(), float(value))
    result = client.ask(COMMAND, command, RESULT, lambda p: p[2:6] == command[2:6])[1]
    fields = [(struct.unpack_from("<H", r)[0], text(r[2:50]), *struct.unpack_from("<BIIdd", r, 82)) for r in client.describe(3)]
    said = {"id": client.id, "dt": client.dt, "vehicle": client.vehicle, "result": struct.unpack_from("<H", result)[0],
            "parameter": [struct.unpack_from("<d", r, 112)[0] for r in client.describe(7, path)], "states": 0, "values": {},
            "actuators": [text(r[:32]) for r in client.describe(1)], "instruments": [text(r[2:34]) for r in client.describe(2)]}
    start, end = None, time.monotonic() + 60
    while (start is None or said["time"] - start < 1e4 * float(seconds)) and time.monotonic() < end:
        header, payload = client.news.pop(0) if client.news else client.receive() or ([0] * 11, b"")
        if header[3] == STATE:
            count = payload[104]
            said.update(time=header[7], position=struct.unpack_from("<3d", payload), velocity=struct.unpack_from("<3f", payload, 56),
                        states=said["states"] + 1, doing=struct.unpack_from(f"<{count}f", payload, 105))
            start = header[7] if start is None else start
            client.send(ACTUATE, struct.pack(f"<QBBH{len(orders)}f", 0, 4, len(orders), 500, *map(float, orders)))
        at = 0
        while header[3] == SENSORS and at < len(payload):
            id, length = struct.unpack_from("<HH", payload, at)
            for _, name, kind, count, offset, scale, shift in (f for f in fields if f[0] == id and payload[at + 14] == 1):
                raw = struct.unpack_from(f"<{count}{' dfqB'[kind]}", payload, at + 16 + offset)
                said["values"][f"{id}/{name}"] = [scale * v + shift for v in raw]
            at += 12 + length
    said["bye"], = struct.unpack("<H", client.ask(DISCONNECT, bytes(2), BYE)[1])
    print(json.dumps(said))


if __name__ == "__main__":
    main(*sys.argv[1:])
