"""A client of `fathom serve` in lock-step, written from docs/protocol.md with Python's standard library alone, and what the
tests of this folder share: starting the program, exchanging records with it, reading its logs."""
import csv, os, re, select, signal, socket, struct, subprocess, sys, tempfile, time

HELLO, CHALLENGE, CONNECT, WELCOME, REJECT, DISCONNECT, BYE, PING, PONG = 1, 2, 3, 4, 5, 6, 7, 0x10, 0x11
STATE, SENSORS, READY, ACOUSTIC_SEND, ACOUSTIC_STATUS, ACOUSTIC_RECV = 0x21, 0x22, 0x24, 0x30, 0x31, 0x32
COMMAND, RESULT, EVENT, DESCRIBE, DESCRIPTION, ERROR = 0x42, 0x41, 0x51, 0x60, 0x61, 0xFF
SURFACE, UNDERWATER, BUOY, OBSERVER, COMMANDER, CONTROLLER, EMULATOR = range(1, 8)
HEADER = struct.Struct("<4sBBHIIQQHHI")
PATIENCE = 120  # s without any answer: the machine may be busy, but the server is then taken for dead
TABLE = []
for entry in range(256):
    for _ in range(8):
        entry = entry >> 1 ^ (0x82F63B78 if entry & 1 else 0)
    TABLE.append(entry)


def crc32c(data):
    crc = 0xFFFFFFFF
    for byte in data:
        crc = TABLE[(crc ^ byte) & 255] ^ crc >> 8
    return crc ^ 0xFFFFFFFF


assert crc32c(b"123456789") == 0xE3069283


def text(data):
    return data.split(b"\0")[0].decode()


def fact(name):
    print(f"[       OK ] {name}", file=sys.stderr, flush=True)


class State:
    """One STATE: position (m, NED), attitude (w x y z), velocity, rates, actuators and their owners, and the flags `there` and
    `touched`."""

    def __init__(self, header, payload):
        self.time, self.vehicle = header[7] * 1e-4, header[8]
        numbers = struct.unpack_from("<7d12fB", payload)
        self.position, self.attitude = numbers[0:3], numbers[3:7]
        self.velocity, self.rates, self.acceleration, self.flow = numbers[7:10], numbers[10:13], numbers[13:16], numbers[16:19]
        count = numbers[19]
        self.actuators = struct.unpack_from(f"<{count}f", payload, 105)
        flags, = struct.unpack_from("<I", payload, 105 + 4 * count)
        self.there, self.touched = bool(flags & 1), bool(flags & 2)
        self.owners = tuple(payload[109 + 4 * count:109 + 5 * count])  # of each actuator; 2: this client


class Sound:
    """One ACOUSTIC_RECV."""

    def __init__(self, payload):
        self.id, self.sender, self.path, self.frequency, self.level, self.snr = struct.unpack_from("<IHBfff", payload)
        stamp, sub, self.azimuth, self.elevation = struct.unpack_from("<QIff", payload, 19)
        self.time = stamp * 1e-4 + sub * 1e-9
        self.transducer, self.kind, self.to, self.code, self.number = struct.unpack_from("<BBHHI", payload, len(payload) - 10)
        self.data = payload[39:-10]


class Client:
    """A client that takes part in lock-step. After `begin` each `step` answers the present state and returns the next one."""

    def __init__(self, port, role, name, model="", pose=(0,) * 6, address=0):
        self.token = self.sequence = self.id = self.sounds_sent = 0
        self.state, self.touches, self.samples, self.heard = None, 0, {}, []
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        nonce = int.from_bytes(os.urandom(8), "little")
        hello = struct.pack("<QBBB149x", nonce, 1, 1, role)
        _, challenge = self.ask(HELLO, hello, CHALLENGE, lambda p: struct.unpack_from("<Q", p)[0] == nonce)
        connect = struct.pack("<16sB32s32s6dIQQIIH", challenge[8:24], role, name.encode(), model.encode(), *pose, 0, nonce, 0,
                              1, 0, address)
        header, welcome = self.ask(CONNECT, connect, WELCOME, lambda p: struct.unpack_from("<Q", p, 51)[0] == nonce)
        self.token = header[6]
        self.id, self.dt = struct.unpack_from("<HQ", welcome)
        flags, = struct.unpack_from("<H", welcome, 49)
        assert flags & 2, "the server does not go in lock-step"

    def send(self, kind, payload):
        if self.token:
            self.sequence += 1
        head = [b"FTHM", 1, 0, kind, 40 + len(payload), self.sequence, self.token, 0, self.id, 0, 0]
        head[-1] = crc32c(HEADER.pack(*head) + payload)
        self.socket.send(HEADER.pack(*head) + payload)

    def receive(self, seconds):
        """The next datagram as (header, payload); None when none came in time. Checks it, and answers PING."""
        if not select.select([self.socket], [], [], seconds)[0]:
            return None
        data = self.socket.recv(2048)
        header = HEADER.unpack_from(data)
        assert header[0] == b"FTHM" and header[4] == len(data) and header[2] & 16, data.hex()
        assert header[10] == crc32c(data[:36] + bytes(4) + data[40:]), "crc"
        kind, payload = header[3], data[40:]
        if kind == PING:
            self.send(PONG, payload)
        elif kind in (REJECT, BYE):
            code, = struct.unpack_from("<H", payload)
            raise RuntimeError(f"{'REJECT' if kind == REJECT else 'BYE'} {code}: {text(payload[2:146])}")
        elif kind == ERROR:
            raise RuntimeError("ERROR: code %d for sequence %d of type 0x%x" % struct.unpack("<HIH", payload))
        return header, payload

    def ask(self, kind, payload, answer, fits=lambda p: True, every=0.2):
        """Sends a request until its answer comes; takes note of all else that comes meanwhile."""
        end, next_time = time.monotonic() + PATIENCE, 0
        while True:
            now = time.monotonic()
            assert now < end, f"no answer to a request of type 0x{kind:x} within {PATIENCE} s"
            if now >= next_time:
                self.send(kind, payload)
                next_time = now + every
            got = self.receive(max(0, next_time - now))
            if got and got[0][3] == answer and fits(got[1]):
                return got
            if got:
                self.note(*got)

    def note(self, header, payload):
        """Keeps what the server sends by itself; True when it is a new STATE."""
        kind = header[3]
        if kind == SENSORS:
            self.note_samples(payload)
        elif kind == ACOUSTIC_RECV:
            sound = Sound(payload)
            assert sound.number <= len(self.heard) + 1, f"receptions are missing before number {sound.number}"
            assert self.state is None or header[7] * 1e-4 > self.state.time + 5e-5, "a sound after the STATE of its step"
            if sound.number == len(self.heard) + 1:
                self.heard.append(sound)
        elif kind == STATE and (self.state is None or header[7] * 1e-4 > self.state.time + 5e-5):
            self.state = State(header, payload)
            self.touches += self.state.touched
            return True
        return False

    def note_samples(self, payload):
        at = 0
        while at < len(payload):
            id, length, stamp, flags, part, parts = struct.unpack_from("<HHQBBB", payload, at)
            if parts <= 1:
                self.samples[id] = (stamp * 1e-4, bool(flags & 1), payload[at + 16:at + 12 + length])
            at += 12 + length

    def describe(self, what, size):
        records, total = [], 1
        while len(records) < total:
            first = len(records)
            question = struct.pack("<HHI96s", what, 0, first, b"")
            _, p = self.ask(DESCRIBE, question, DESCRIPTION, lambda p: struct.unpack_from("<HHI", p)[::2] == (what, first))
            _, _, _, total, count, step = struct.unpack_from("<HHIIHH", p)
            assert step >= size
            records += [p[16 + i * step:16 + (i + 1) * step] for i in range(count)]
        return records

    def begin(self):
        """Waits for the first STATE, and asks what the vehicle has: `actuators` with their units, `instruments`, `fields`."""
        end = time.monotonic() + PATIENCE
        while self.state is None:
            assert time.monotonic() < end, "no STATE"
            got = self.receive(1)
            if got:
                self.note(*got)
        self.actuators = {text(r[:32]): text(r[32:48]) for r in self.describe(1, 65)}
        self.instruments = {text(r[2:34]): struct.unpack_from("<H", r)[0] for r in self.describe(2, 80)}
        self.fields = {}
        for r in self.describe(3, 107):
            id, = struct.unpack_from("<H", r)
            self.fields[id, text(r[2:50])] = struct.unpack_from("<BIIdd", r, 82)
        return self.state

    def read(self, instrument, field, missing=None):
        """The newest numbers of a field of an instrument, in SI; `missing` where the instrument shows nothing."""
        id = self.instruments[instrument]
        kind, count, offset, scale, shift = self.fields[id, field]
        _, valid, values = self.samples.get(id, (0, False, b""))
        if not valid:
            return missing
        return [scale * v + shift for v in struct.unpack_from(f"<{count}{' dfqB'[kind]}", values, offset)]

    def step(self, orders=None):
        """Says READY for the present state with an order for every actuator, in its unit, or with none; the next state."""
        actuation = b""
        if orders is not None:
            assert set(orders) == set(self.actuators), self.actuators
            values = [orders[name] for name in self.actuators]
            actuation = struct.pack(f"<QBBH{len(values)}f", 0, 4, len(values), 0, *values)
        ready = struct.pack("<QB", round(self.state.time * 1e4), 1 if actuation else 0) + actuation
        end, next_time = time.monotonic() + PATIENCE, 0
        while True:
            now = time.monotonic()
            assert now < end, f"no STATE after {self.state.time} s"
            if now >= next_time:
                self.send(READY, ready)
                next_time = now + 0.1
            got = self.receive(max(0, next_time - now))
            if got and self.note(*got):
                return self.state

    def say(self, kind, data=b"", to=0, code=0, transducer=0):
        """Sends a sound; the time at which it leaves, s."""
        self.sounds_sent += 1
        id = self.sounds_sent
        payload = struct.pack("<BBHffI", transducer, kind, len(data), 0, 0, id) + data + struct.pack("<HH", to, code)
        _, answer = self.ask(ACOUSTIC_SEND, payload, ACOUSTIC_STATUS, lambda p: struct.unpack_from("<I", p)[0] == id)
        result, emitted, ready_at = struct.unpack_from("<HQQ", answer, 4)
        assert result == 0, f"a sound is refused with code {result}: {text(answer[22:118])}"
        return emitted * 1e-4, ready_at * 1e-4

    def address(self, transducer):
        """The acoustic address of a transducer of the vehicle."""
        return next(struct.unpack_from("<H", r, 34)[0] for r in self.describe(9, 46) if (r[0], r[1]) == (transducer, 0))

    def leave(self):
        self.send(DISCONNECT, struct.pack("<H", 0))
        self.socket.close()


class Program:
    """A process of the program; `port` is the one that it prints. Used in `with`, which ends it."""

    def __init__(self, build, *words):
        command = [os.path.join(build, "fathom"), *words]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.port, self.said = None, ""
        while not self.port:
            line = self.process.stdout.readline()
            self.said += line
            assert line, f"the program ended before it named a port: {self.said}"
            if found := re.search(r"(?: port |at udp:127\.0\.0\.1:)(\d+)", line):
                self.port = int(found[1])

    def __enter__(self):
        return self

    def end(self):
        """Asks it to end; its exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.wait()

    def wait(self):
        self.said += self.process.stdout.read()
        return self.process.wait(PATIENCE)

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.wait()
        if kind:
            print(self.said, file=sys.stderr)
        self.process.stdout.close()


class Loop:
    """Records of `NAME=VALUE` with `fathom run --telemetry-loop` or `--hardware-loop`, as docs/shared-memory.md has them."""

    def __init__(self, port):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))

    def exchange(self, t, orders):
        """Sends the time and orders by name; the answer as {name: number}, None for a variable without a value."""
        record = " ".join([f"t={t!r}"] + [f"{name}={value!r}" for name, value in orders.items()])
        end = time.monotonic() + PATIENCE
        while True:  # what is lost may be sent again: a record whose t is not beyond the last one makes no step
            assert time.monotonic() < end, f"no answer to {record}"
            self.socket.send(record.encode())
            if select.select([self.socket], [], [], 2)[0]:
                break
        answer = self.socket.recv(65536).decode()
        assert not answer.startswith("error"), answer
        pairs = (pair.split("=") for pair in answer.split())
        return {name: float(value) if value else None for name, value in pairs}


def rows(build, log, channel):
    """Messages of a channel of a log, as `fathom export` writes them: a list of {column: text}."""
    with tempfile.TemporaryDirectory() as folder:
        command = [os.path.join(build, "fathom"), "export", log, channel, "--csv", folder]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        files = os.listdir(folder)
        assert len(files) <= 1, files
        if not files:
            return []  # a channel without messages
        with open(os.path.join(folder, files[0]), newline="") as file:
            return list(csv.DictReader(file))


def metrics(build, log):
    """The metrics that a log ends with, as `fathom info` prints them: {name: number}, where they were observed."""
    command = [os.path.join(build, "fathom"), "info", log, "--metrics"]
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = re.findall(r"^  (\S+/\S+) = (-?[0-9][-+.e0-9]*|inf)(?: |$)", said, re.MULTILINE)
    assert found, said
    return {name: float(number) for name, number in found}
