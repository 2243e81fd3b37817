"""A client of `fathom serve`: UDP or a local socket, by docs/protocol.md. It needs the standard library alone.

    from fathom.client import Client

    with Client("127.0.0.1:4040", "pilot", "controller", "lauv") as pilot:
        for state in pilot.states():
            pilot.order({"propeller": 150}, hold=0.5)      # rad/s; released after 0.5 s without a new order

Without the package, copy this one file. SI and radians; world north-east-down, body forward-starboard-down;
quaternions w x y z, body → world. A client has one thread. It answers the server's PING while it polls, so call `poll`,
`states` or `advance` more often than `timeout` of `welcome`.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import socket
import struct
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Optional, Union

# --- layouts: "name:type …", in the order of their bytes ---

_FORMATS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i64": "q", "f32": "f", "f64": "d"}


def _member(word: str) -> tuple[str, str, int, Any]:
    """"name:type[count]=default" → name, type, count (0: none), default."""
    found = re.fullmatch(r"(\w+):(\w+?)(?:\[(\d+)\])?(?:=(\S*))?", word)
    assert found, word
    name, kind, count, default = found.groups()
    return name, kind, int(count or 0), None if default is None else default if kind == "text" else float(default)


class Layout:
    """Packed little-endian members, one after the other."""

    def __init__(self, text: str) -> None:
        self.members = [_member(word) for word in text.split()]
        self._struct = struct.Struct("<" + "".join(
            f"{count}s" if kind == "text" else f"{count or ''}{_FORMATS[kind]}" for _, kind, count, _ in self.members))
        #: Bytes.
        self.size = self._struct.size

    def pack(self, **values: Any) -> bytes:
        """Bytes of the members; those that are not given are 0 and ""."""
        flat: list[Any] = []
        for name, kind, count, _ in self.members:
            value = values.pop(name, "" if kind == "text" else (0,) * count if count else 0)
            if kind == "text":
                flat.append(_text(value, count, name))
            elif count:
                if len(value) != count:
                    raise ValueError(f"{name} has {len(value)} numbers: must have {count}")
                flat.extend(value)
            else:
                flat.append(value)
        if values:
            raise TypeError(f"unknown: {', '.join(values)}")
        return self._struct.pack(*flat)

    def unpack(self, data: bytes, at: int = 0) -> dict[str, Any]:
        """The members by their names."""
        flat, found = iter(self._struct.unpack_from(data, at)), {}
        for name, kind, count, _ in self.members:
            if kind == "text":
                found[name] = next(flat).split(b"\0", 1)[0].decode("utf-8", "replace")
            else:
                found[name] = tuple(next(flat) for _ in range(count)) if count else next(flat)
        return found


def _text(value: str, size: int, name: str) -> bytes:
    data = value.encode()
    if len(data) >= size:
        raise ValueError(f"{name} is '{value}': must have less than {size} bytes")
    return data


HEADER = Layout("magic:u8[4] major:u8 flags:u8 type:u16 length:u32 sequence:u32 token:u64 time:u64 source:u16 "
                "destination:u16 crc:u32")
#: Messages of a fixed form, or the fixed part at their beginning: number, layout.
MESSAGES: dict[str, tuple[int, Layout]] = {name: (number, Layout(text)) for name, number, text in (
    ("HELLO", 0x01, "nonce:u64 least:u8 most:u8 role:u8 zero:u8[149]"),
    ("CHALLENGE", 0x02, "nonce:u64 cookie:u8[16]"),
    ("CONNECT", 0x03, "cookie:u8[16] role:u8 name:text[32] model:text[32] pose:f64[6] state_period:u32 nonce:u64 "
                      "resume:u64 flags:u32 sensor_period:u32 address:u16"),
    ("WELCOME", 0x04, "id:u16 dt:u64 state_period:u32 sensor_period:u32 keep_alive:u32 timeout:u32 capabilities:u32 "
                      "latitude:f64 longitude:f64 state:u8 vehicle:u16 flags:u16 nonce:u64 commands:u32 sounds:u32"),
    ("REJECT", 0x05, "code:u16 text:text[144] nonce:u64"),
    ("DISCONNECT", 0x06, "reason:u16"),
    ("BYE", 0x07, "reason:u16"),
    ("PING", 0x10, "nonce:u64 sent:u64"),
    ("PONG", 0x11, "nonce:u64 sent:u64"),
    ("ACTUATE", 0x20, "apply_at:u64 mode:u8 count:u8 hold:u16"),
    ("STATE", 0x21, "position:f64[3] attitude:f64[4] velocity:f32[3] rates:f32[3] acceleration:f32[3] flow:f32[3] "
                    "count:u8"),
    ("SENSORS", 0x22, "id:u16 length:u16 time:u64"),
    ("SENSOR_PUT", 0x23, "id:u16 length:u16 time:u64"),
    ("READY", 0x24, "time:u64 count:u8"),
    ("ACOUSTIC_SEND", 0x30, "transducer:u8 kind:u8 length:u16 frequency:f32 level:f32 id:u32"),
    ("ACOUSTIC_STATUS", 0x31, "id:u32 code:u16 emitted:u64 ready_at:u64 text:text[96]"),
    ("ACOUSTIC_RECV", 0x32, "id:u32 from:u16 path:u8 frequency:f32 level:f32 snr:f32 time:u64 sub:u32 azimuth:f32 "
                            "elevation:f32"),
    ("RESULT", 0x41, "code:u16 id:u32 verb:u16 time:u64 value:f64 text:text[160]"),
    ("COMMAND", 0x42, "verb:u16 id:u32"),
    ("SUBSCRIBE", 0x50, "mask:u32 period:u32 vehicle:u16"),
    ("EVENT", 0x51, "kind:u16 vehicle:u16 number:u32 time:u64 value:f64 text:text[128]"),
    ("DESCRIBE", 0x60, "what:u16 vehicle:u16 first:u32 pattern:text[96]"),
    ("DESCRIPTION", 0x61, "what:u16 vehicle:u16 first:u32 total:u32 count:u16 size:u16"),
    ("ERROR", 0xFF, "code:u16 sequence:u32 type:u16"),
)}
_NAMES = {number: name for name, (number, _) in MESSAGES.items()}
SAMPLE = Layout("flags:u8 part:u8 parts:u8 zero:u8")
SOUND_END = Layout("transducer:u8 kind:u8 to:u16 code:u16 number:u32")
SEND_END = Layout("to:u16 code:u16")
#: Lists of DESCRIBE: number, layout of a record.
LISTS: dict[str, tuple[int, Layout]] = {name: (number, Layout(text)) for name, number, text in (
    ("actuators", 1, "name:text[32] unit:text[16] low:f64 high:f64 modes:u8"),
    ("instruments", 2, "id:u16 name:text[32] kind:text[32] period:f64 size:u32 fields:u16"),
    ("fields", 3, "instrument:u16 name:text[48] unit:text[32] type:u8 count:u32 offset:u32 scale:f64 shift:f64"),
    ("vehicles", 4, "number:u16 name:text[32] model:text[32] client:u16"),
    ("clients", 5, "id:u16 role:u8 flags:u8 vehicle:u16 name:text[32] model:text[32] address:text[48] port:u16 "
                   "reply:u64 silence:u32 received:u64 sent:u64 dropped:u64"),
    ("counters", 6, "name:text[48] value:f64"),
    ("parameters", 7, "path:text[96] unit:text[16] value:f64 least:f64 most:f64 live:u8"),
    ("models", 8, "name:text[32]"),
    ("voices", 9, "number:u8 modem:u8 name:text[32] address:u16 frequency:f32 level:f32 most:u16"),
    ("owners", 10, "actuator:text[32] kind:u8 taken:u8 name:text[32] order:f64"),
    ("setpoints", 11, "part:text[32] name:text[32] unit:text[16] least:f64 most:f64 value:f64 set:u8 optional:u8"),
    ("controllers", 12, "name:text[32] kind:text[32] engaged:u8"),
)}
#: Commands: verb, arguments with their defaults. `bytes` are a u16 and as many bytes.
COMMANDS: dict[str, tuple[int, str]] = {
    "start": (1, ""), "stop": (2, ""), "step": (3, "steps:i64=1"), "reset": (4, ""), "speed": (5, "speed:f64"),
    "set": (6, "path:text[96] value:f64"),
    "spawn": (7, "name:text[32] like:text[96] position:f64[3]=0 euler:f64[3]=0 address:i64=0"),
    "remove": (8, "name:text[32]"), "log": (9, "file:text[96]="), "quit": (10, ""),
    "order": (11, "vehicle:text[32] actuator:text[96] value:f64"),
    "desire": (12, "vehicle:text[32] what:text[96] value:f64"),
    "release": (13, "vehicle:text[32]= what:text[96]="),
    "waypoint": (14, "vehicle:text[32] position:f64[3] speed:f64=-1 hold:f64=0 index:i64=-1 list:text[96]="),
    "waypoints-clear": (15, "vehicle:text[32] list:text[96]="),
    "push": (16, "vehicle:text[32] force:f64[3] moment:f64[3]"),
    "take": (17, "vehicle:text[32] actuator:text[96]="),
    "engage": (18, "vehicle:text[32] controller:text[96]="),
    "disengage": (19, "vehicle:text[32] controller:text[96]="),
    "waypoint-move": (20, "vehicle:text[32] index:i64 position:f64[3] speed:f64=-1 hold:f64=0 list:text[96]="),
    "fly": (21, "vehicle:text[32] actuator:text[96] value:f64"),
    "message": (22, "vehicle:text[32] to:i64 data:bytes modem:text[96]="),
    "emission": (23, "vehicle:text[32] frequency:f64=0 level:f64=0 duration:f64=0 kind:i64=0 to:i64=0 code:i64=0 "
                     "answers:i64=0 time:f64=0 data:bytes=0 transducer:text[96]="),
    "sense": (24, "vehicle:text[32] what:text[96] value:f64"),
    "sight": (25, "vehicle:text[32] algorithm:i64 position:f64[3] euler:f64[3]=0 velocity:f64[3]=0 "
                  "acceleration:f64[3]=0 rates:f64[3]=0"),
    "fault": (26, "vehicle:text[32] part:text[64] kind:text[32] value:f64"),
}
#: Roles of CONNECT, and modes of ACTUATE.
ROLES = {"surface": 1, "underwater": 2, "buoy": 3, "observer": 4, "commander": 5, "controller": 6, "emulator": 7}
MODES = {"force": 0, "normalised": 1, "rpm": 2, "angle": 3, "native": 4}
#: Bits of SUBSCRIBE.
SUBSCRIPTIONS = {"state": 1, "sensors": 2, "event": 4, "sound": 8}
#: What codes mean.
CODES = ("done", "version", "length", "type", "not connected", "a value is not finite or out of range",
         "full: clients, vehicles, or pending inputs", "the name is taken", "unknown model",
         "not permitted for this role", "busy, or recharging", "unknown transducer", "too many requests",
         "the simulation is stopped", "unknown name", "the id is too old", "failed", "timed out",
         "the server is shutting down", "the cookie is wrong or old", "the session continues from another address",
         "too many bytes for one sound", "the acoustic address belongs to another vehicle")
_STATES = ("stopped", "running", "over", "waiting")
_EVENTS = {1: "joined", 2: "left", 3: "contact-vehicle", 4: "contact", 5: "simulation", 6: "world"}
_OWNERS = ("schedule", "controller", "self", "other")
_SAMPLE_TYPES = {1: "d", 2: "f", 3: "q", 4: "B"}
_ANSWER, _MAC, _STOPPED, _SERVER = 2, 4, 8, 16
_NEVER = 0xFFFFFFFF
_REPEAT, _READY_REPEAT = 0.2, 0.1  # s


def _meaning(code: int) -> str:
    return CODES[code] if code < len(CODES) else f"code {code}"


def _crc_table() -> list[int]:
    table = []
    for value in range(256):
        for _ in range(8):
            value = value >> 1 ^ (0x82F63B78 if value & 1 else 0)
        table.append(value)
    return table


_CRC = _crc_table()


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli)."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


# --- what is received ---


class ClientError(Exception):
    """The server refused something, or is not there; `code` is one of docs/protocol.md, or None."""

    def __init__(self, text: str, code: Optional[int] = None) -> None:
        super().__init__(text)
        self.code = code


@dataclass(frozen=True)
class State:
    """State of a vehicle."""

    #: s since the start of the simulation, and the same in whole tenths of a millisecond.
    time: float
    stamp: int
    #: Number of the vehicle.
    vehicle: int
    #: m, NED; w x y z, body → world.
    position: tuple[float, ...]
    attitude: tuple[float, ...]
    #: Body axes: m/s over ground, rad/s, m/s².
    velocity: tuple[float, ...]
    rates: tuple[float, ...]
    acceleration: tuple[float, ...]
    #: m/s, NED: of the water.
    flow: tuple[float, ...]
    #: Present values, each in its unit, and who orders them: "schedule", "controller", "self" or "other".
    actuators: tuple[float, ...]
    owners: tuple[str, ...]
    exists: bool
    touched: bool
    #: The hold of an actuation has expired.
    released: bool
    #: Some part of the hull is out of the water.
    surfaced: bool


@dataclass(frozen=True)
class Sample:
    """A sample of an instrument: its values by the names of their fields, SI; a field of several numbers is a tuple."""

    time: float
    vehicle: int
    instrument: str
    valid: bool
    #: The values come from an emulator; and it is silent.
    external: bool
    stale: bool
    values: dict[str, Any]


@dataclass(frozen=True)
class Event:
    """An event: "joined", "left", "contact-vehicle", "contact", "simulation" or "world"."""

    time: float
    kind: str
    vehicle: int
    number: int
    value: float
    text: str


@dataclass(frozen=True)
class Sound:
    """A sound that the client's vehicle has heard."""

    time: float
    data: bytes
    sender: int
    to: int
    code: int
    #: 0 ping, 1 query, 2 reply, 3 data, 4 a message of a modem.
    kind: int
    #: 0 direct, 1 via the surface, 2 via the bottom, 3 both.
    path: int
    transducer: int
    signal: int
    number: int
    #: Hz, dB, dB.
    frequency: float
    level: float
    snr: float
    #: rad, towards the source: from north over east; upwards.
    azimuth: float
    elevation: float


@dataclass(frozen=True)
class Result:
    """The answer to a command that was executed, or to a sound that was sent."""

    #: s: when it was executed; of a sound: when it leaves.
    time: float
    value: float
    text: str


Message = Union[State, Event, Sound]


def _decode_state(head: dict[str, Any], body: bytes) -> Optional[State]:
    layout = MESSAGES["STATE"][1]
    found = layout.unpack(body)
    count = found.pop("count")
    if len(body) != layout.size + 5 * count + 4:
        return None
    values = struct.unpack_from(f"<{count}f", body, layout.size)
    flags, = struct.unpack_from("<I", body, layout.size + 4 * count)
    owners = tuple(_OWNERS[o] if o < len(_OWNERS) else "other" for o in body[layout.size + 4 * count + 4:])
    return State(1e-4 * head["time"], head["time"], head["source"], actuators=values, owners=owners,
                 exists=bool(flags & 1), touched=bool(flags & 2), released=bool(flags & 4), surfaced=bool(flags & 8),
                 **found)


def _decode_sound(body: bytes) -> Optional[Sound]:
    layout = MESSAGES["ACOUSTIC_RECV"][1]
    if len(body) < layout.size + SOUND_END.size:
        return None
    found, end = layout.unpack(body), SOUND_END.unpack(body, len(body) - SOUND_END.size)
    return Sound(1e-4 * found["time"] + 1e-9 * found["sub"], body[layout.size: len(body) - SOUND_END.size],
                 found["from"], end["to"], end["code"], end["kind"], found["path"], end["transducer"], found["id"],
                 end["number"], found["frequency"], found["level"], found["snr"], found["azimuth"], found["elevation"])


class Client:
    """A connection to a server.

    address        "127.0.0.1:4040", "[::1]:4040", "host:4040" or "unix:/path"
    name           of the client, and of the vehicle that it adds
    role           "observer", "commander", "controller" (of the vehicle `model`), "emulator" (of its sensors), or
                   "underwater", "surface", "buoy": adds a vehicle of the model `model` at `pose`
    pose           m NED, rad roll pitch heading
    state_period   s between states; 0: the server's; None: no states. `sensor_period` the same; 0: every sample
    key            of the server: 32 bytes
    lockstep       every step waits for `advance`
    remain         orders by `command("order", …)` remain in force after the client has left
    transducer     acoustic address of a vehicle to add; 0: any free one
    timeout        s that connecting and requests wait for an answer
    """

    def __init__(self, address: str, name: str, role: str = "observer", model: str = "", *,
                 pose: Sequence[float] = (0, 0, 0, 0, 0, 0), state_period: Optional[float] = 0,
                 sensor_period: Optional[float] = 0, key: Optional[bytes] = None, lockstep: bool = False,
                 remain: bool = False, transducer: int = 0, timeout: float = 5) -> None:
        if role not in ROLES:
            raise ValueError(f"role is '{role}': must be one of {', '.join(ROLES)}")
        if key is not None and len(key) != 32:
            raise ValueError(f"the key has {len(key)} bytes: must have 32")
        self._key, self.timeout = key, timeout
        self._connect_with = {"role": ROLES[role], "name": name, "model": model, "pose": tuple(pose),
                              "state_period": _microseconds(state_period), "address": transducer,
                              "sensor_period": _microseconds(sensor_period), "flags": lockstep + 2 * remain}
        self._socket = _open(address)
        self._token = self._sequence = self._id = self._sound_id = 0
        self._newest, self._window = 0, 0
        self._inbox: deque[Message] = deque(maxlen=4096)
        self._answers: dict[tuple[str, int], Any] = {}
        self._descriptions: dict[tuple[int, int, int], tuple[dict[str, Any], bytes]] = {}
        self._instruments: dict[int, dict[int, Any]] = {}
        self._raw: dict[tuple[int, int], tuple[int, dict[int, bytes]]] = {}
        self._state_sequences: dict[int, int] = {}
        #: The newest state of each vehicle, by its number.
        self.states_by_vehicle: dict[int, State] = {}
        #: Datagrams that were dropped, by reason.
        self.dropped: dict[str, int] = {}
        #: "stopped", "running", "over" or "waiting".
        self.simulation = "stopped"
        #: Why the server has ended the session; None: it has not.
        self.ended: Optional[int] = None
        #: What the server granted, by the names of docs/protocol.md.
        self.welcome: dict[str, Any] = {}
        #: Number of the client's vehicle; 0: none, or not in the water yet.
        self.vehicle = 0
        try:
            self._connect(0)
        except BaseException:
            self._socket.close()
            raise

    # --- datagrams ---

    def _send(self, name: str, payload: bytes) -> None:
        if self._token:
            self._sequence += 1
        size = HEADER.size + len(payload) + (16 if self._key else 0)
        head = {"magic": b"FTHM", "major": 1, "flags": _MAC if self._key else 0, "type": MESSAGES[name][0],
                "length": size, "sequence": self._sequence if self._token else 0, "token": self._token,
                "source": self.welcome.get("id", 0) if self._token else 0}
        data = HEADER.pack(**head) + payload
        if self._key:
            data += hashlib.blake2b(data, key=self._key, digest_size=16).digest()
        try:
            self._socket.send(data[:36] + struct.pack("<I", crc32c(data)) + data[40:])
        except OSError:  # no server there, or no room: as if it was lost on the way
            self._drop("send")

    def _drop(self, reason: str) -> None:
        self.dropped[reason] = self.dropped.get(reason, 0) + 1

    def _receive(self, timeout: float) -> Optional[tuple[str, dict[str, Any], bytes]]:
        """The next good datagram: its type, header and payload."""
        end = time.monotonic() + timeout
        while True:
            self._socket.settimeout(max(end - time.monotonic(), 1e-6))
            try:
                data = self._socket.recv(2048)
            except (socket.timeout, BlockingIOError):
                return None
            except ConnectionRefusedError:
                data = b""  # the port was closed a moment ago
                time.sleep(min(0.01, max(end - time.monotonic(), 0)))
            reason, found = self._check(data)
            if found is not None:
                return found
            self._drop(reason)
            if time.monotonic() >= end:
                return None

    def _check(self, data: bytes) -> tuple[str, Optional[tuple[str, dict[str, Any], bytes]]]:
        if not HEADER.size <= len(data) <= 1200:
            return "length", None
        head = HEADER.unpack(data)
        name, mac = _NAMES.get(head["type"], ""), 16 if head["flags"] & _MAC else 0
        body = data[HEADER.size: len(data) - mac]
        if head["length"] != len(data):
            return "length", None
        if bytes(head["magic"]) != b"FTHM" or head["major"] != 1:
            return "magic", None
        if not name or not head["flags"] & _SERVER:
            return "type", None
        if len(body) < MESSAGES[name][1].size:
            return "payload", None
        plain = data[:36] + bytes(4) + data[40:]
        if crc32c(plain) != head["crc"]:
            return "crc", None
        if bool(mac) != bool(self._key) or (self._key and not secrets.compare_digest(
                plain[-16:], hashlib.blake2b(plain[:-16], key=self._key, digest_size=16).digest())):
            return "mac", None
        if self._token and name not in ("CHALLENGE", "WELCOME", "REJECT"):
            if head["token"] != self._token:
                return "session", None
            if not self._is_new(head["sequence"]):
                return "replay", None
            self.simulation = "stopped" if head["flags"] & _STOPPED else self._goes_on()
        return "", (name, head, body)

    def _goes_on(self) -> str:
        return "running" if self.simulation == "stopped" else self.simulation

    def _is_new(self, sequence: int) -> bool:
        """Newer than all before, or one of the last 64 that has not been seen."""
        if sequence > self._newest:
            shift = sequence - self._newest
            self._window = ((self._window << shift) | 1) & ((1 << 64) - 1) if shift < 64 else 1
            self._newest = sequence
            return True
        bit = 1 << (self._newest - sequence)
        if bit >> 64 or self._window & bit:
            return False
        self._window |= bit
        return True

    # --- connecting ---

    def _ask(self, name: str, payload: bytes, answers: tuple[str, ...], nonce: int, end: float) -> Any:
        while time.monotonic() < end:
            self._send(name, payload)
            again = min(time.monotonic() + _REPEAT, end)
            while (left := again - time.monotonic()) > 0:
                found = self._receive(left)
                if found is None or found[0] not in answers:
                    continue
                values = MESSAGES[found[0]][1].unpack(found[2])
                if values["nonce"] == nonce:
                    return found[0], found[1], values
        raise ClientError(f"no answer to {name} within {self.timeout:g} s")

    def _connect(self, resume: int) -> None:
        end, self._token = time.monotonic() + self.timeout, 0
        for _ in range(3):  # a server that was restarted refuses an old cookie
            nonce = secrets.randbits(64)
            hello = MESSAGES["HELLO"][1].pack(nonce=nonce, least=1, most=1, role=self._connect_with["role"])
            name, head, found = self._ask("HELLO", hello, ("CHALLENGE", "REJECT"), nonce, end)
            if name == "CHALLENGE":
                connect = MESSAGES["CONNECT"][1].pack(cookie=found["cookie"], nonce=nonce, resume=resume,
                                                      **self._connect_with)
                name, head, found = self._ask("CONNECT", connect, ("WELCOME", "REJECT"), nonce, end)
            if name == "WELCOME":
                break
            if found["code"] != 19:
                raise ClientError(found["text"] or _meaning(found["code"]), found["code"])
        else:
            raise ClientError("the server accepts no cookie", 19)
        self._token, self._sequence, self._newest, self._window = head["token"], 0, 1, 1
        self._id, self._sound_id = found["commands"], found["sounds"]
        self.welcome, self.vehicle, self.ended = found, found["vehicle"], None
        self.simulation = _STATES[min(found["state"], len(_STATES) - 1)]
        self._instruments.clear()
        self._state_sequences.clear()

    def resume(self) -> None:
        """Continues a session that was lost: the client keeps its number, vehicle and subscriptions."""
        self._connect(self._token)

    def close(self) -> None:
        """Ends the session; a vehicle that the client added is removed."""
        end = time.monotonic() + min(self.timeout, 1)
        while self._token and self.ended is None and time.monotonic() < end:
            self._send("DISCONNECT", MESSAGES["DISCONNECT"][1].pack())
            self._take(_REPEAT, ("ended", 0))
        self._socket.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # --- receiving ---

    def _take(self, timeout: float, answer: Optional[tuple[str, int]] = None) -> bool:
        """Takes datagrams until there is a message, or the answer. False: the time is up."""
        end = time.monotonic() + timeout
        while not (answer in self._answers if answer else self._inbox):
            if self.ended is not None:
                return answer == ("ended", 0)
            found = self._receive(end - time.monotonic())
            if found is not None:
                self._handle(*found)
            elif time.monotonic() >= end:
                return False
        return True

    def _handle(self, name: str, head: dict[str, Any], body: bytes) -> None:
        found = MESSAGES[name][1].unpack(body)
        message: Optional[Message] = None
        if name == "PING":
            self._send("PONG", body[:16])
        elif name == "STATE":
            message = self._new_state(_decode_state(head, body), head["sequence"])
        elif name == "SENSORS":
            self._store_samples(head["source"], body)
        elif name == "EVENT":
            kind = _EVENTS.get(found["kind"], "world")
            if kind == "simulation" and 0 <= found["value"] < len(_STATES):
                self.simulation = _STATES[int(found["value"])]
            message = Event(1e-4 * found["time"], kind, found["vehicle"], found["number"], found["value"], found["text"])
        elif name == "ACOUSTIC_RECV":
            message = _decode_sound(body)
        elif name in ("RESULT", "ACOUSTIC_STATUS"):
            self._answers[name, found["id"]] = found
        elif name == "DESCRIPTION":
            self._descriptions[found["what"], found["first"], 0] = (found, body[MESSAGES[name][1].size:])
            self._answers[name, found["what"]] = found
        elif name == "ERROR":
            message = Event(1e-4 * head["time"], "refused", 0, found["sequence"], found["code"],
                            f"{_NAMES.get(found['type'], '?')}: {CODES[found['code']] if found['code'] < len(CODES) else ''}")
        elif name in ("BYE", "DISCONNECT"):
            self.ended = found["reason"]
            self._answers["ended", 0] = found
        if message is not None:
            self._inbox.append(message)

    def _new_state(self, state: Optional[State], sequence: int) -> Optional[State]:
        if state is None:
            self._drop("payload")
            return None
        if sequence < self._state_sequences.get(state.vehicle, 0):
            return None  # late: a newer one has come already
        self._state_sequences[state.vehicle] = sequence
        if self._connect_with["role"] not in (4, 5) and not self.vehicle:
            self.vehicle = state.vehicle
        self.states_by_vehicle[state.vehicle] = state
        return state

    def poll(self, timeout: float = 0) -> Optional[Message]:
        """The next message: a State, Event or Sound; None: none came within `timeout` s."""
        if not self._take(timeout):
            if self.ended is not None and not self._inbox:
                raise ClientError(f"the server has ended the session: {_meaning(self.ended)}", self.ended)
            return None
        return self._inbox.popleft()

    @property
    def state(self) -> Optional[State]:
        """The newest state of the client's vehicle."""
        return self.states_by_vehicle.get(self.vehicle)

    def states(self, timeout: float = 5) -> Iterator[State]:
        """States as they come, until the server ends the session or none comes within `timeout` s. Other messages are
        passed over."""
        while self.ended is None or self._inbox:
            try:
                message = self.poll(timeout)
            except ClientError:
                return
            if message is None:
                return
            if isinstance(message, State):
                yield message

    # --- instruments ---

    def _store_samples(self, vehicle: int, body: bytes) -> None:
        layout, at = MESSAGES["SENSORS"][1], 0
        while at + layout.size <= len(body):
            head = layout.unpack(body, at)
            at += layout.size
            data = body[at: at + head["length"]]
            at += head["length"]
            if len(data) != head["length"] or len(data) < SAMPLE.size:
                self._drop("payload")
                return
            stamp, parts = self._raw.get((vehicle, head["id"]), (None, {}))
            if stamp != head["time"]:
                parts = {}
            parts[data[1]] = data
            self._raw[vehicle, head["id"]] = (head["time"], parts)

    def _fields(self, vehicle: int) -> dict[int, Any]:
        if vehicle not in self._instruments:
            known: dict[int, Any] = {i["id"]: (i, []) for i in self.describe("instruments", vehicle)}
            for field in self.describe("fields", vehicle):
                if field["type"] in _SAMPLE_TYPES and field["instrument"] in known:
                    known[field["instrument"]][1].append(field)
            self._instruments[vehicle] = known
        return self._instruments[vehicle]

    def sample(self, instrument: str, vehicle: int = 0) -> Optional[Sample]:
        """The newest sample of an instrument of a vehicle (0: the client's own); None: none has come yet."""
        self._take(0)
        vehicle = vehicle or self.vehicle
        for number, (info, fields) in self._fields(vehicle).items():
            if info["name"] != instrument:
                continue
            stamp, parts = self._raw.get((vehicle, number), (0, {}))
            if not parts or len(parts) < max(next(iter(parts.values()))[2], 1):
                return None
            data = b"".join(parts[part][SAMPLE.size:] for part in sorted(parts))
            if len(data) < info["size"]:
                self._drop("payload")
                return None
            flags = next(iter(parts.values()))[0]
            return Sample(1e-4 * stamp, vehicle, instrument, bool(flags & 1), bool(flags & 2), bool(flags & 4),
                          {field["name"]: _values(field, data) for field in fields})
        names = ", ".join(info["name"] for info, _ in self._fields(vehicle).values())
        raise KeyError(f"vehicle {vehicle} has no instrument '{instrument}': it has {names or 'none'}")

    def put(self, instrument: str, values: Mapping[str, Any]) -> None:
        """Emulators: supplies all values of an instrument, SI. An empty mapping returns it to the simulation."""
        for number, (info, fields) in self._fields(self.vehicle).items():
            if info["name"] != instrument:
                continue
            data = bytearray(info["size"] if values else 0)
            for field in fields if values else ():
                numbers = values[field["name"]]
                numbers = [numbers] if field["count"] == 1 else list(numbers)
                raw = [(number - field["shift"]) / field["scale"] for number in numbers]
                kind = _SAMPLE_TYPES[field["type"]]
                struct.pack_into(f"<{field['count']}{kind}", data, field["offset"],
                                 *(raw if kind in "df" else (round(one) for one in raw)))
            payload = SAMPLE.pack(flags=1 if values else 0, parts=1 if values else 0) + bytes(data)
            self._send("SENSOR_PUT", MESSAGES["SENSOR_PUT"][1].pack(id=number, length=len(payload)) + payload)
            return
        raise KeyError(f"no instrument '{instrument}'")

    # --- acting ---

    def _actuation(self, values: Sequence[float], mode: str, hold: float, at: float) -> bytes:
        if mode not in MODES:
            raise ValueError(f"mode is '{mode}': must be one of {', '.join(MODES)}")
        head = MESSAGES["ACTUATE"][1].pack(apply_at=round(at * 1e4), mode=MODES[mode], count=len(values),
                                           hold=min(round(hold * 1000), 65535))
        return head + struct.pack(f"<{len(values)}f", *values)

    def actuate(self, values: Sequence[float], mode: str = "native", *, hold: float = 0, at: float = 0) -> None:
        """Orders all actuators that accept the mode, in the order of `describe("actuators")`.

        mode  "native": each in its own unit; "normalised": -1 … 1; "force": N; "rpm": rev/min; "angle": rad
        hold  s of simulation until they are released; 0: no limit
        at    s of simulation; 0: at once
        """
        self._send("ACTUATE", self._actuation(values, mode, hold, at))

    def order(self, orders: Mapping[str, float], *, hold: float = 0) -> None:
        """Orders actuators by their names, each in its unit, and all others to zero."""
        names = self.actuators
        unknown = set(orders) - set(names)
        if unknown:
            raise KeyError(f"no actuator '{min(unknown)}': the vehicle has {', '.join(names)}")
        self.actuate([orders.get(name, 0.0) for name in names], hold=hold)

    @property
    def actuators(self) -> list[str]:
        """Names of the actuators of the client's vehicle."""
        if not hasattr(self, "_actuator_names"):
            self._actuator_names = [one["name"] for one in self.describe("actuators")]
        return self._actuator_names

    def advance(self, values: Optional[Sequence[float]] = None, mode: str = "native", *, hold: float = 0,
                timeout: float = 60) -> State:
        """Lock-step: lets the simulation make the next step, with orders (None: those so far), and returns the state
        after it."""
        orders = b"" if values is None else self._actuation(values, mode, hold, 0)
        end = time.monotonic() + timeout
        before = self.state
        while before is None and time.monotonic() < end:  # the first state of all
            self.poll(_READY_REPEAT)
            before = self.state
        stamp = -1 if before is None else before.stamp
        while time.monotonic() < end:
            self._send("READY", MESSAGES["READY"][1].pack(time=max(stamp, 0), count=1 if orders else 0) + orders)
            again = min(time.monotonic() + _READY_REPEAT, end)
            while (left := again - time.monotonic()) > 0:
                message = self.poll(left)
                if isinstance(message, State) and message.vehicle == self.vehicle and message.stamp > stamp:
                    return message
        raise ClientError(f"the simulation made no step within {timeout:g} s", 17)

    def _request(self, name: str, number: int, payload: bytes, key: str) -> dict[str, Any]:
        end = time.monotonic() + self.timeout
        while time.monotonic() < end and self.ended is None:
            self._send(name, payload)
            self._take(min(_REPEAT, max(end - time.monotonic(), 0)), (key, number))
            if (key, number) in self._answers:
                return self._answers.pop((key, number))  # type: ignore[no-any-return]
        raise ClientError(f"no answer to {name} within {self.timeout:g} s"
                          if self.ended is None else f"the session is over: {_meaning(self.ended)}", self.ended or 17)

    def command(self, verb: str, **arguments: Any) -> Result:
        """A command of docs/protocol.md: `command("spawn", name="second", like="lauv", position=(0, 5, 3))`."""
        if verb not in COMMANDS:
            raise ValueError(f"unknown command '{verb}': must be one of {', '.join(COMMANDS)}")
        payload = _arguments(verb, arguments)
        self._id += 1
        found = self._request("COMMAND", self._id, MESSAGES["COMMAND"][1].pack(verb=COMMANDS[verb][0], id=self._id) +
                              payload, "RESULT")
        if found["code"]:
            raise ClientError(f"{verb}: {found['text'] or CODES[found['code']]}", found["code"])
        return Result(1e-4 * found["time"], found["value"], found["text"])

    def send_sound(self, data: bytes = b"", *, transducer: int = 0, kind: int = 3, frequency: float = 0,
                   level: float = 0, to: int = 0, code: int = 0) -> Result:
        """Sends a sound (kind 0 ping, 1 query, 2 reply, 3 data, 4 through the modem of number `transducer`)."""
        self._sound_id += 1
        payload = MESSAGES["ACOUSTIC_SEND"][1].pack(transducer=transducer, kind=kind, length=len(data),
                                                    frequency=frequency, level=level, id=self._sound_id)
        found = self._request("ACOUSTIC_SEND", self._sound_id, payload + data + SEND_END.pack(to=to, code=code),
                              "ACOUSTIC_STATUS")
        if found["code"]:
            raise ClientError(found["text"] or _meaning(found["code"]), found["code"])
        return Result(1e-4 * found["emitted"], 1e-4 * found["ready_at"], found["text"])

    def subscribe(self, *what: str, vehicle: int = 0, period: Optional[float] = 0) -> None:
        """Receives "state", "sensors", "event" and "sound", those named alone, of a vehicle; 0: the client's own, or
        all. No answer comes; it may be repeated."""
        mask = sum(SUBSCRIPTIONS[one] for one in set(what))
        self._send("SUBSCRIBE", MESSAGES["SUBSCRIBE"][1].pack(mask=mask, period=_microseconds(period), vehicle=vehicle))

    def describe(self, what: str, vehicle: int = 0, pattern: str = "") -> list[dict[str, Any]]:
        """A list: "actuators", "instruments", "vehicles", "parameters" … (`LISTS`), a dict per record."""
        if what not in LISTS:
            raise ValueError(f"unknown list '{what}': must be one of {', '.join(LISTS)}")
        number, layout = LISTS[what]
        records: list[dict[str, Any]] = []
        self._descriptions.clear()
        while True:
            self._answers.pop(("DESCRIPTION", number), None)
            self._request("DESCRIBE", number, MESSAGES["DESCRIBE"][1].pack(
                what=number, vehicle=vehicle, first=len(records), pattern=pattern), "DESCRIPTION")
            found, body = self._descriptions.get((number, len(records), 0), (None, b""))
            if found is None:
                continue  # the answer to an earlier request, late
            if found["size"] < layout.size or found["count"] * found["size"] > len(body):
                self._drop("payload")
                raise ClientError(f"the list of {what} is malformed", 2)
            for i in range(found["count"]):
                records.append(layout.unpack(body, i * found["size"]))
            if len(records) >= found["total"] or not found["count"]:
                return records


def _values(field: dict[str, Any], data: bytes) -> Any:
    raw = struct.unpack_from(f"<{field['count']}{_SAMPLE_TYPES[field['type']]}", data, field["offset"])
    values = raw if (field["scale"], field["shift"]) == (1, 0) else tuple(
        field["scale"] * one + field["shift"] for one in raw)
    return values[0] if field["count"] == 1 else values


def _microseconds(period: Optional[float]) -> int:
    return _NEVER if period is None else min(round(period * 1e6), _NEVER - 1)


def _arguments(verb: str, given: dict[str, Any]) -> bytes:
    out = b""
    for name, kind, count, default in map(_member, COMMANDS[verb][1].split()):
        if name not in given and default is None:
            raise TypeError(f"{verb} needs {name}")
        value = given.pop(name, default)
        if kind == "bytes":
            data = bytes(value or b"") if not isinstance(value, float) else b""
            out += struct.pack("<H", len(data)) + data
        elif kind == "text":
            out += struct.pack(f"<{count}s", _text(value, count, name))
        else:
            numbers = list(value) if isinstance(value, (list, tuple)) or hasattr(value, "__len__") else [value] * (count or 1)
            if len(numbers) != (count or 1):
                raise ValueError(f"{name} has {len(numbers)} numbers: must have {count or 1}")
            out += struct.pack(f"<{len(numbers)}{_FORMATS[kind]}", *(int(one) if kind == "i64" else one for one in numbers))
    if given:
        raise TypeError(f"{verb} has no argument '{min(given)}'")
    return out


def _open(address: str) -> socket.socket:
    if address.startswith("unix:"):
        made = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        made.bind("")  # Linux chooses a name, to which the server answers
        made.connect(address[5:])
        return made
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise ValueError(f"address is '{address}': must be HOST:PORT or unix:PATH")
    try:
        family, _, _, _, where = socket.getaddrinfo(host.strip("[]"), int(port), type=socket.SOCK_DGRAM)[0]
    except OSError as error:
        raise ClientError(f"{address}: {error}") from None
    made = socket.socket(family, socket.SOCK_DGRAM)
    made.connect(where)
    return made


def read_key(path: str) -> bytes:
    """A key file: 32 bytes, or 64 hexadecimal digits."""
    with open(path, "rb") as file:
        data = file.read()
    if len(data) == 32:
        return data
    digits = data.strip()
    if re.fullmatch(rb"[0-9A-Fa-f]{64}", digits):
        return bytes.fromhex(digits.decode())
    raise ValueError(f"{path} is not a key: must have 32 bytes or 64 hexadecimal digits")


__all__ = ["COMMANDS", "LISTS", "MESSAGES", "MODES", "ROLES", "Client", "ClientError", "Event", "Layout", "Message",
           "Result", "Sample", "Sound", "State", "crc32c", "read_key"]
