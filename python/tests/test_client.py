"""The live client against `fathom serve` in a process of its own, and against the tables of docs/protocol.md."""

import contextlib
import os
import pathlib
import random
import re
import socket
import subprocess
import sys
import textwrap
import time

import pytest

from fathom import client as module
from fathom._library import program
from fathom.client import COMMANDS, LISTS, MESSAGES, Client, ClientError, Event, State, crc32c, read_key

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "protocol.md"
SCENARIO = """<fathom version="1"><world dt="0.05 s" duration="1e6 s" seed="1" capacity="4"/>
  <vehicle name="lauv" model="lauv" position="0 0 3 m" velocity="1.3 0 0 m/s"><ctd name="ctd" period="0.1 s"/></vehicle>
</fathom>"""


@contextlib.contextmanager
def server(tmp_path, *options, scenario=SCENARIO):
    """The address of `fathom serve` in a fresh process."""
    file = tmp_path / "served.xml"
    file.write_text(scenario)
    process = subprocess.Popen([program(), "serve", str(file), "--port", "0", *options], cwd=tmp_path,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                               env={**os.environ, "FATHOM_MODELS": str(ROOT / "models")})
    try:
        line = process.stdout.readline()
        found = re.search(r"at (\S+) port (\d+)", line)
        assert found, line + process.stderr.read()
        yield f"{found[1]}:{found[2]}"
    finally:
        process.terminate()
        process.communicate(timeout=60)


def until(check, client, seconds=60):
    """The first message for which `check` is true."""
    while True:
        message = client.poll(seconds)
        assert message is not None, "nothing came"
        if check(message):
            return message


def described(client, what, check, seconds=60):
    """The first answer for which `check` is true: a change takes effect at the start of the next step."""
    end = time.monotonic() + seconds
    while not check(answer := client.describe(what)):
        assert time.monotonic() < end, answer
        time.sleep(0.01)
    return answer


def test_orders_change_the_motion_and_have_an_owner(tmp_path):
    with server(tmp_path, "--speed", "10") as address, Client(address, "pilot", "controller", "lauv", timeout=60) as pilot:
        assert pilot.actuators[0] == "propeller"
        first = until(lambda m: isinstance(m, State), pilot)
        assert first.vehicle == pilot.vehicle == pilot.welcome["vehicle"] and first.owners[0] == "schedule"
        pilot.order({"propeller": 150})
        taken = until(lambda m: isinstance(m, State) and m.owners[0] == "self" and m.actuators[0] > 149, pilot)
        assert set(taken.owners) == {"self"} and taken.time > first.time
        assert taken.position[0] > first.position[0]
        with pytest.raises(KeyError, match="sail"):
            pilot.order({"sail": 1})


def test_what_an_instrument_measures(tmp_path):
    with server(tmp_path, "--speed", "10") as address, Client(address, "pilot", "controller", "lauv", timeout=60) as pilot:
        while (sample := pilot.sample("ctd")) is None:
            pilot.poll(1)
        units = {one["name"]: one["unit"] for one in pilot.describe("fields")}
        assert sample.valid and set(units) == set(sample.values) and units["temperature"] == "K"
        assert 260 < sample.values["temperature"] < 320
        with pytest.raises(KeyError, match="ctd"):
            pilot.sample("sonar")


def test_a_commander_spawns_steps_sets_and_removes(tmp_path):
    with server(tmp_path, "--stopped", "--speed", "10") as address, Client(address, "boss", "commander", timeout=60) as boss:
        assert boss.simulation == "stopped"
        boss.command("spawn", name="second", like="lauv", position=(0, 5, 4), euler=(0, 0, 1.5))
        result = boss.command("step", steps=20)
        assert result.text == "" and boss.command("set", path="/lauv/propeller/efficiency", value=0.5).text == ""
        vehicles = {one["name"]: one for one in described(boss, "vehicles", lambda those: len(those) == 2)}
        assert set(vehicles) == {"lauv", "second"} and vehicles["second"]["model"] == "lauv"
        boss.subscribe("state", "event", vehicle=vehicles["second"]["number"])
        boss.command("step", steps=1)
        seen = until(lambda m: isinstance(m, State), boss)
        assert seen.vehicle == vehicles["second"]["number"] and seen.position[1] == pytest.approx(5, abs=0.5)
        boss.command("remove", name="second")
        boss.command("step")
        described(boss, "vehicles", lambda those: [one["name"] for one in those] == ["lauv"])
        assert boss.describe("parameters", pattern="/lauv/propeller/efficiency")[0]["value"] == 0.5
        with pytest.raises(ClientError, match="spawn.*shark") as refused:
            boss.command("spawn", name="third", like="shark")
        assert refused.value.code in (8, 14, 16)


def test_a_refused_client_is_given_the_reason(tmp_path):
    with server(tmp_path, "--speed", "10") as address:
        with pytest.raises(ClientError) as unknown:
            Client(address, "pilot", "controller", "nautilus", timeout=60)
        assert unknown.value.code in (8, 14)
        with Client(address, "pilot", "controller", "lauv", timeout=60) as pilot:
            with pytest.raises(ClientError) as twice:
                Client(address, "pilot", "controller", "lauv", timeout=60)
            assert twice.value.code in (6, 7, 9, 14, 16)
            with pytest.raises(ClientError) as role:
                pilot.command("stop")
            assert role.value.code == 9


def test_a_wrong_token_is_refused_and_a_lost_session_is_resumed(tmp_path):
    with server(tmp_path, "--speed", "10") as address, Client(address, "pilot", "controller", "lauv", timeout=60) as pilot:
        token, number = pilot._token, pilot.welcome["id"]
        pilot._token = token ^ 1
        pilot.timeout = 1
        with pytest.raises(ClientError, match="no answer"):
            pilot.describe("vehicles")
        pilot._token, pilot.timeout = token, 60
        pilot.resume()
        assert pilot._token != token and pilot.welcome["id"] == number and pilot.welcome["flags"] & 1
        counters = {one["name"]: one["value"] for one in pilot.describe("counters")}
        assert counters["drop/session"] >= 1


def test_a_server_with_a_key_drops_a_client_with_another(tmp_path):
    (tmp_path / "key").write_bytes(bytes(range(32)))
    (tmp_path / "key").chmod(0o600)
    with server(tmp_path, "--speed", "10", "--key", "key") as address:
        with Client(address, "boss", "commander", key=read_key(tmp_path / "key"), timeout=60) as boss:
            assert boss.describe("vehicles")[0]["name"] == "lauv"
            with pytest.raises(ClientError, match="no answer to HELLO"):
                Client(address, "spy", key=bytes(32), timeout=0.5)
            with pytest.raises(ClientError, match="no answer to HELLO"):
                Client(address, "spy", timeout=0.5)
            assert {c["name"]: c["value"] for c in boss.describe("counters")}["drop/mac"] >= 2


def test_lock_step_is_the_same_each_time(tmp_path):
    runs = []
    for _ in range(2):
        with server(tmp_path, "--lockstep") as address, \
                Client(address, "pilot", "controller", "lauv", lockstep=True, timeout=60) as pilot:
            count = len(pilot.actuators)
            states = [pilot.advance([100.0 + i] + [0.0] * (count - 1)) for i in range(10)]
            assert [s.stamp - states[0].stamp for s in states] == [500 * i for i in range(10)]
            runs.append([(s.position, s.velocity, s.actuators) for s in states])
    assert runs[0] == runs[1] and runs[0][9][2][0] > runs[0][0][2][0]


def test_a_vehicle_of_its_own_leaves_with_its_client(tmp_path):
    with server(tmp_path, "--speed", "10", "--socket", str(tmp_path / "socket")) as address, \
            Client(f"unix:{tmp_path}/socket", "watcher", timeout=60) as watcher:
        with Client(address, "rover", "underwater", "lauv", pose=(10, 0, 5, 0, 0, 0), timeout=60) as rover:
            seen = until(lambda m: isinstance(m, State), rover)
            assert seen.position == pytest.approx((10, 0, 5), abs=2) and rover.state is not None
        assert until(lambda m: isinstance(m, Event) and m.kind == "left", watcher).text.count("rover")
        while any(one["name"] == "rover" for one in watcher.describe("vehicles")):
            watcher.poll(0.1)


def test_the_file_alone_runs_without_any_package(tmp_path):
    copy = tmp_path / "client.py"
    copy.write_bytes(pathlib.Path(module.__file__).read_bytes())
    script = textwrap.dedent("""
        import sys
        sys.path.insert(0, sys.argv[2])
        import client
        with client.Client(sys.argv[1], "alone", "observer", timeout=60) as alone:
            print(alone.describe("vehicles")[0]["name"], sorted({"numpy", "cffi", "fathom"} & set(sys.modules)))
    """)
    with server(tmp_path, "--speed", "10") as address:
        done = subprocess.run([sys.executable, "-I", "-S", "-c", script, address, str(tmp_path)], capture_output=True,
                              text=True, check=True)
    assert done.stdout == "lauv []\n"


def test_malformed_datagrams_are_counted_and_do_no_harm(monkeypatch):
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    monkeypatch.setattr(module, "_open", lambda address: ours)
    monkeypatch.setattr(Client, "_connect", lambda self, resume: None)
    client, dice = Client("", "fuzzed"), random.Random(1)
    client._token = 7
    taken = 0
    for i in range(4000):
        name = dice.choice(sorted(set(MESSAGES) - {"CHALLENGE", "WELCOME", "REJECT", "BYE", "DISCONNECT"}))
        size = MESSAGES[name][1].size + dice.choice([0, 0, 1, 13, 200, -1])
        body = bytes(dice.choice([0, 255, dice.randrange(256)]) for _ in range(size))
        head = {"magic": b"FTHM", "major": 1, "flags": 16, "type": MESSAGES[name][0], "length": 40 + size, "token": 7,
                "sequence": i + 1}
        for _ in range(dice.choice([0, 0, 0, 1])):
            head[dice.choice(["major", "flags", "type", "length", "token"])] = dice.randrange(200)
        data = bytearray(module.HEADER.pack(**head) + body)
        data[36:40] = crc32c(bytes(data)).to_bytes(4, "little")
        if dice.random() < 0.05:
            data[dice.randrange(len(data))] ^= 1
        theirs.send(data)
        before = sum(client.dropped.values())
        found = client._receive(1e-6)
        if found is not None:
            client._handle(*found)
            taken += 1
            client.ended = None  # a type that was changed may end the session
            if found[0] == "PING":
                theirs.recv(2048)
        else:
            assert sum(client.dropped.values()) == before + 1
    assert "send" not in client.dropped
    while client.poll() is not None:
        pass
    assert taken > 2000 and {"crc", "payload", "length", "type", "session"} <= set(client.dropped)


# --- the tables of the page ---


def tables():
    """Each table of offsets of the page with the bold words before it."""
    bold, rows, found = "", [], []
    for line in PAGE.read_text().splitlines():
        if found_bold := re.findall(r"\*\*([^*]+)\*\*", line):
            if rows:
                found.append((bold, rows))
            bold, rows = found_bold[0], []
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"\d+", cells[0]) and len(cells) >= 3 and re.match(
                r"(u8|u16|u32|u64|i64|f32|f64|text)\b", cells[1]):
            rows.append((int(cells[0]), cells[1], cells[2]))
    return [*found, (bold, rows)]


def test_layouts_are_those_of_the_page():
    for name, rows in tables():
        what = re.sub(r"^\d+, ", "", name)
        layout = MESSAGES[what][1] if what in MESSAGES else LISTS[what][1] if what in LISTS else None
        if layout is None or not rows:
            continue
        at = 0
        sizes = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "i64": 8, "f32": 4, "f64": 8, "text": 1}
        listed = rows[: len(layout.members)]
        for (member, kind, count, _), (offset, kind_there, name_there) in zip(layout.members, listed):
            text = f"{kind}[{count}]" if count else kind
            assert (at, text, member) == (offset, kind_there, name_there), what
            at += sizes[kind] * max(count, 1)
        assert len(listed) == len(layout.members) and at == layout.size, what
    checked = {re.sub(r"^\d+, ", "", name) for name, rows in tables() if rows}
    assert {"HELLO", "CONNECT", "WELCOME", "STATE", "RESULT", "EVENT", "DESCRIPTION", "fields", "owners"} <= checked


def test_commands_are_those_of_the_page():
    page = PAGE.read_text()
    section = page[page.index("<!-- commands -->"): page.index("<!-- end of commands -->")]
    verbs = {name: int(verb) for verb, name in re.findall(r"^\| (\d+) \| ([a-z-]+) \| ", section, re.M)}
    assert verbs == {name: verb for name, (verb, _) in COMMANDS.items()}
    for name, (verb, text) in COMMANDS.items():
        part = re.search(rf"\*\*{name}\*\* \(verb {verb}\)\n(.*?)(?:\n\*\*|\nEvery door)", section, re.S)
        rows = re.findall(r"^\| [0-9 +n]+ \| ([^|]+) \| (\w+) \|", part[1], re.M) if part else []
        ours = [(found[1] if "bytes" not in found[1] else "u16 n, u8[n]", found[0]) for found in
                (re.match(r"(\w+):([^=]+)", word).groups() for word in text.split())]
        assert ours == rows, name


@pytest.mark.parametrize("name", ["hello", "connect", "actuate"])
def test_examples_of_the_page(name):
    """What the client packs has the bytes of the page."""
    found = bytes.fromhex(re.search(rf"```{name}\n(.*?)```", PAGE.read_text(), re.S)[1])
    made = {
        "hello": lambda: MESSAGES["HELLO"][1].pack(nonce=0x1122334455667788, least=1, most=1, role=2),
        "connect": lambda: MESSAGES["CONNECT"][1].pack(
            cookie=tuple(range(0xA0, 0xB0)), role=2, name="rover", model="nps-auv-ii", pose=(10, 0, 5, 0, 0, 0),
            state_period=50000, nonce=0x1122334455667788),
        "actuate": lambda: Client._actuation(None, (40, -0.1), "native", 0.5, 0),
    }[name]()
    assert found[40:] == made
    head = module.HEADER.unpack(found)
    assert head["crc"] == crc32c(found[:36] + bytes(4) + found[40:]) and head["length"] == len(found)
    assert crc32c(b"123456789") == 0xE3069283
