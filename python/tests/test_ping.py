"""The ping bridge, met by Blue Robotics' own client (PyPI: bluerobotics-ping) in a tank whose walls are known."""

import contextlib
import os
import socket
import subprocess
import time

import pytest
from conftest import ROOT
from fathom._library import program

brping = pytest.importorskip("brping")
from brping import Ping1D, Ping360, definitions  # noqa: E402

TANK = ROOT / "examples" / "bluerov2" / "instruments.xml"


def free_port():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def device(tmp_path, bridge, kind):
    """A device of a running simulation that this client has found."""
    port = free_port()
    run = subprocess.Popen([program(), "run", str(TANK), "--realtime", "--quiet", "--duration", "120", "--bridge",
                            f"ping {bridge} port={port}"], cwd=tmp_path, stdout=subprocess.DEVNULL,
                           stderr=subprocess.DEVNULL, env={**os.environ, "FATHOM_MODELS": str(ROOT / "models")})
    try:
        client = kind(getattr(definitions, f"payload_dict_{kind.__name__.lower()}"))
        client.connect_udp("127.0.0.1", port)
        end = time.monotonic() + 60
        while time.monotonic() < end:
            with contextlib.suppress(ConnectionRefusedError):  # it is starting
                if client.initialize():
                    break
            time.sleep(0.05)
        else:
            pytest.fail("the device does not answer")
        yield client
        client.iodev.close()
    finally:
        run.terminate()
        run.wait(timeout=60)


def test_a_ping1d_measures_the_water_below(tmp_path):
    with device(tmp_path, "instrument=echosounder", Ping1D) as sounder:
        assert sounder.get_device_information()["device_type"] == 1
        assert sounder.set_mode_auto(0) and sounder.set_range(500, 6000) and sounder.set_gain_setting(2)
        assert sounder.set_ping_interval(50) and sounder.set_device_id(7)
        assert sounder.get_range() == {"scan_start": 500, "scan_length": 6000}
        time.sleep(0.5)
        told = sounder.get_distance()
        assert told["confidence"] == 100 and told["scan_length"] == 6000 and told["gain_setting"] == 2
        assert told["distance"] == pytest.approx(3900, rel=0.03)  # 6 m less 2.1 m, at 1500 m/s instead of that of the water
        profile = sounder.get_profile()
        points = list(profile["profile_data"])
        echo = 500 + 6000 / 200 * points.index(max(points))
        assert len(points) == 200 and echo == pytest.approx(profile["distance"], abs=100)
        for report in ("voltage_5", "pcb_temperature", "processor_temperature", "general_info", "transmit_duration"):
            assert getattr(sounder, "get_" + report)() is not None, report


def test_a_ping1d_streams_its_profiles(tmp_path):
    with device(tmp_path, "instrument=echosounder", Ping1D) as sounder:
        sounder.control_continuous_start(definitions.PING1D_PROFILE)
        numbers = [sounder.wait_message([definitions.PING1D_PROFILE], 5).ping_number for _ in range(8)]
        assert numbers == list(range(numbers[0], numbers[0] + 8))
        sounder.control_continuous_stop(definitions.PING1D_PROFILE)
        sounder.control_goto_bootloader()
        refused = sounder.wait_message([definitions.COMMON_NACK], 5)
        assert refused.nacked_id == definitions.PING1D_GOTO_BOOTLOADER


WALLS = {200: 6, 300: 5, 100: 5, 0: 10}  # gradians: m


def test_a_ping360_sees_the_walls_of_the_tank(tmp_path):
    with device(tmp_path, "instrument=scanning-sonar", Ping360) as sonar:
        assert sonar.get_device_information()["device_type"] == 2
        period, samples = 800, 1000  # 20 us
        for answer in (sonar.set_sample_period(period), sonar.set_number_of_samples(samples),
                       sonar.set_transmit_duration(20), sonar.set_gain_setting(1)):
            assert answer.message_id == definitions.PING360_DEVICE_DATA and len(answer.data) == 0
        for angle, range_ in WALLS.items():
            answer = sonar.transmitAngle(angle)
            assert answer.angle == angle and len(answer.data) == samples
            first = next(i for i, value in enumerate(answer.data) if value >= 0.65 * max(answer.data))  # noise: 0.45 at most
            assert (first + 0.5) * period * 25e-9 * 1500 / 2 == pytest.approx(range_, rel=0.03, abs=0.05), angle
        assert sonar.set_gain_setting(3).message_id == definitions.COMMON_NACK


def test_a_ping360_scans_by_itself(tmp_path):
    with device(tmp_path, "instrument=scanning-sonar", Ping360) as sonar:
        sonar.control_auto_transmit(1, 1, 20, 800, 750, 400, 180, 220, 10, 0)
        angles = [sonar.wait_message([definitions.PING360_AUTO_DEVICE_DATA], 5).angle for _ in range(9)]
        assert angles == [180, 190, 200, 210, 220, 210, 200, 190, 180]
        sonar.control_motor_off()
        assert sonar.wait_message([definitions.COMMON_ACK], 5).acked_id == definitions.PING360_MOTOR_OFF
