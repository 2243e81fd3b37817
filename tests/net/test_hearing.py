#!/usr/bin/env python3
"""What vehicles of clients hear, over UDP and as docs/protocol.md says: `fathom serve` in one process, two clients of
Python's standard library here.

usage: test_hearing.py BUILD SOURCE"""
import math, os, re, struct, subprocess, sys, tempfile, time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from client import COMMAND, RESULT, Client, text  # noqa: E402

ACOUSTIC_SEND, ACOUSTIC_STATUS, ACOUSTIC_RECV = 0x30, 0x31, 0x32
BUILD = sys.argv[1]
# A step of 0.1 s in which a beacon pings five times; transducers of one address, the modem's in a band of its own.
SCENARIO = """<fathom version='1'><world dt='0.1 s' duration='36000 s' capacity='7' seed='1'><water density='1025 kg/m3'/>
<bottom depth='300 m'/><acoustics/></world><server keep-alive='1 s' timeout='20 s'/>
<type name='talker' model='lauv'><transducer name='head' address='7' payload='256' recharge='1 s' pulse='20 ms'/>
<transducer name='tail' address='7' position='-1 0 0 m' payload='16'/>
<transducer name='mouth' address='7' payload='64' frequency='10 kHz' band='8 12 kHz'/>
<modem transducer='mouth' size='40' acknowledge='false'/></type><type name='mute' model='lauv'/>
<vehicle name='beacon' model='lauv' position='0 100 50 m'><transducer address='9' ping-period='20 ms' pulse='5 ms' frequency='40 kHz'/></vehicle>
<vehicle name='post' model='lauv' position='50 50 50 m'><transducer address='11'/></vehicle></fathom>"""
passed = 0


def fact(name):
    global passed
    passed += 1
    print(f"[       OK ] {name}", file=sys.stderr)


class Ear(Client):
    """A client that keeps what it hears."""

    def __init__(self, *arguments, **named):
        self.heard, self.answers = [], {}
        super().__init__(*arguments, **named)

    def listen(self, until, what):
        end = time.monotonic() + 60
        while not until():
            assert time.monotonic() < end, f"{what}: not within 60 s; heard {len(self.heard)}"
            got = self.news.pop(0) if self.news else self.receive()
            if got and got[0][3] == ACOUSTIC_RECV:
                self.heard.append(sound(got))
            elif got and got[0][3] == ACOUSTIC_STATUS:
                self.answers[struct.unpack_from("<I", got[1])[0]] = got[1]

    def say(self, id, kind, data=b"", to=0, code=0, voice=0, frequency=0.0):
        payload = struct.pack("<BBHffI", voice, kind, len(data), frequency, 0, id) + data + struct.pack("<HH", to, code)
        answer = self.ask(ACOUSTIC_SEND, payload, ACOUSTIC_STATUS, lambda p: struct.unpack_from("<I", p)[0] == id)[1]
        result, emitted, ready = struct.unpack_from("<HQQ", answer, 4)
        return result, emitted * 1e-4, ready * 1e-4, text(answer[22:118])


def sound(got):
    header, p = got
    id, source, path, hz, level, snr, stamp, sub, azimuth, elevation = struct.unpack_from("<IHBfffQIff", p)
    voice, kind, to, code, number = struct.unpack_from("<BBHHI", p, len(p) - 10)
    return {"id": id, "from": source, "path": path, "hz": hz, "time": stamp * 1e-4 + sub * 1e-9, "azimuth": azimuth, "snr": snr,
            "elevation": elevation, "data": p[39:-10], "voice": voice, "kind": kind, "to": to, "code": code, "number": number,
            "step": header[7] * 1e-4}


def voices(client):
    names = [(text(r[2:34]), r[1], *struct.unpack_from("<H", r, 34), *struct.unpack_from("<H", r, 44)) for r in client.describe(9)]
    return {name: {"modem": modem, "address": address, "most": most} for name, modem, address, most in names}


def refused(*arguments, **named):
    try:
        Client(*arguments, **named)
    except RuntimeError as why:
        return str(why)
    raise AssertionError("it was welcome")


def check_addresses(address, one, two):
    mine, other = voices(one), voices(two)
    assert mine["head"]["address"] == 7 and mine["tail"]["address"] == 7 and mine["modem"]["address"] == 7, mine
    assert other["head"]["address"] == 42 and other["tail"]["address"] == 42, other
    third = Client(address, 2, "third", "talker", pose=(0, -500, 50, 0, 0, 0))
    found = voices_when_there(third)
    assert found["head"]["address"] == found["tail"]["address"] == 1, found  # 7 is taken: the lowest that is free
    fact("acoustic_addresses_are_unique_by_default_and_as_asked_for")
    assert "'beacon'" in refused(address, 2, "fourth", "talker", pose=(0, -600, 50, 0, 0, 0), voice=9)
    assert "transducer" in refused(address, 2, "fourth", "mute", pose=(0, -600, 50, 0, 0, 0), voice=5)
    fact("an_address_that_is_taken_or_that_has_no_transducer_is_refused")
    command = struct.pack("<HI96sd", 6, 1, b"/third/tail/address", 77.0)
    assert struct.unpack_from("<H", third.ask(COMMAND, command, RESULT)[1])[0] == 0
    end = time.monotonic() + 30
    while voices(third)["tail"]["address"] != 77:
        assert time.monotonic() < end
    fact("an_acoustic_address_is_a_live_parameter")


def voices_when_there(client):
    end = time.monotonic() + 30
    while not (found := voices(client)):
        assert time.monotonic() < end, "it did not come into the water"
    return found


def check_pings(one):
    one.listen(lambda: len(one.heard) >= 60, "60 pings")
    heard = one.heard
    numbers, times = [s["number"] for s in heard], [s["time"] for s in heard]
    assert numbers == list(range(1, len(heard) + 1)), numbers
    assert times == sorted(times) and all(s["time"] <= s["step"] + 1e-9 for s in heard), times
    assert {s["voice"] for s in heard} == {0, 1} and {s["from"] for s in heard} == {9}, heard[0]
    steps = {}
    for s in heard:
        steps.setdefault(s["step"], []).append(s)
    assert max(map(len, steps.values())) >= 10, {k: len(v) for k, v in steps.items()}  # five pings, two transducers
    head = [s for s in heard if s["voice"] == 0]
    assert all(abs(s["azimuth"] - math.pi / 2) < 0.01 and abs(s["elevation"]) < 0.01 and s["path"] == 0 for s in head), head[0]
    gaps = [b["time"] - a["time"] for a, b in zip(head, head[1:])]
    assert all(abs(g - 0.02) < 1e-3 for g in gaps), gaps
    fact("every_ping_is_heard_by_every_transducer_in_order_with_its_direction_ten_in_a_step")


def check_data(one, two):
    del two.heard[:]
    result, emitted, ready, _ = one.say(1, 3, bytes(range(256)), to=42, code=513)
    assert result == 0 and abs(ready - emitted - 1.02) < 2e-4, (result, emitted, ready)
    fact("ready_at_is_the_time_after_pulse_and_recharge")
    result, _, again, words = one.say(2, 0)
    assert result == 10 and again >= ready - 2e-4 and "busy" in words, (result, again, ready, words)
    mine = lambda voice: [s for s in two.heard if s["kind"] == 3 and s["voice"] == voice]  # noqa: E731
    two.listen(lambda: mine(0) and mine(1), "data")
    got, cut = mine(0)[0], mine(1)[0]
    assert got["data"] == bytes(range(256)) and got["from"] == 7 and got["to"] == 42 and got["code"] == 513, got
    assert cut["data"] == bytes(range(16)) and cut["id"] == got["id"], cut  # it keeps its payload
    assert abs(got["azimuth"] - math.pi) < 0.02 or abs(got["azimuth"] + math.pi) < 0.02, got["azimuth"]
    assert abs(got["time"] - emitted - 300 / 1500) < 0.01, (got["time"], emitted)
    fact("bytes_from_another_client_come_whole_with_sender_and_direction")
    for id, voice, kind, size, most in ((3, 0, 3, 257, 256), (4, 1, 3, 17, 16), (5, 0, 4, 41, 40)):
        result, _, _, words = one.say(id, kind, bytes(size), voice=voice)
        assert result == 21 and str(most) in words, (id, result, words)
    fact("a_sound_with_too_many_bytes_is_refused_and_the_refusal_says_how_many_are_accepted")


def check_modem(one, two):
    end = time.monotonic() + 60
    id = 6
    while one.say(id, 4, b"by modem", to=42)[0] != 0:
        assert time.monotonic() < end
        id += 1
    two.listen(lambda: any(s["kind"] == 4 for s in two.heard), "a message by modem")
    got = [s for s in two.heard if s["kind"] == 4][0]
    assert got["data"] == b"by modem" and got["from"] == 7 and got["to"] == 42, got
    fact("a_modem_has_the_address_of_its_vehicle")


def check_controller(address):
    late = Ear(address, 6, "late", "post")
    late.listen(lambda: len(late.heard) >= 5, "pings")
    first = late.heard[0]
    assert first["number"] == 1 and first["step"] - first["time"] < 0.2 + 1e-6, first  # its inbox holds older ones
    fact("a_controller_hears_what_arrives_after_it_came")


def main():
    with tempfile.TemporaryDirectory() as work:
        file = os.path.join(work, "sea.xml")
        open(file, "w").write(SCENARIO)
        server = subprocess.Popen([os.path.join(BUILD, "fathom"), "serve", file, "--port", "0", "--quiet", "--speed", "4",
                                   "--log", os.path.join(work, "heard.mcap")],
                                  stdout=subprocess.PIPE, text=True)
        try:
            address = "127.0.0.1:" + re.search(r" port (\d+)", server.stdout.readline())[1]
            one = Ear(address, 2, "one", "talker", pose=(0, 0, 50, 0, 0, 0))
            two = Ear(address, 2, "two", "talker", pose=(300, 0, 50, 0, 0, 0), voice=42)
            voices_when_there(one), voices_when_there(two)
            check_addresses(address, one, two)
            check_pings(one)
            check_data(one, two)
            check_modem(one, two)
            check_controller(address)
            server.terminate()
            assert server.wait(30) == 0
            again = subprocess.run([os.path.join(BUILD, "fathom"), "replay", os.path.join(work, "heard.mcap"), "--verify"],
                                   capture_output=True, text=True)
            assert again.returncode == 0, again.stdout + again.stderr
            fact("the_log_of_it_replays_addresses_and_sounds_to_the_bit")
        finally:
            server.kill()
    print(f"[  PASSED  ] {passed} test(s).", file=sys.stderr)


main()
