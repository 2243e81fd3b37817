"""Parts in Python: called at their period, with state that is saved and restored."""

import math

import pytest

import fathom


def counted(period):
    times = []

    @fathom.controller(period=period, state=1, params={"kp": 20.0})
    def hold(part):
        times.append(part.time)
        part.state[0] += 1
        part.order("port-vertical", -part.params["kp"] * (part.position[2] - 4))

    return hold, times


def test_a_controller_is_called_at_its_period():
    hold, times = counted(0.1)
    world = fathom.load("bluerov2-hover", parts={"rov": hold}).world()
    world.run_until(1)
    assert times == pytest.approx([0.1 * i for i in range(10)])


def test_a_controller_in_python_has_the_bits_of_the_same_orders():
    @fathom.controller(period=0.05)
    def law(part):
        part.order("port-vertical", 3 * math.sin(part.time))

    world, plain = fathom.load("bluerov2", parts={"bluerov2": law}).world(), fathom.load("bluerov2").world()
    for _ in range(40):
        plain.first.order("port-vertical", 3 * math.sin(plain.time))
        plain.step(5)
        world.step(5)
        assert list(world.pose) == list(plain.pose) and list(world.velocity) == list(plain.velocity)


def test_the_state_of_a_part_is_saved_and_restored():
    hold, times = counted(0.1)
    world = fathom.load("bluerov2-hover", parts={"rov": hold}).world()
    world.run_until(1)
    state = world.save()
    world.run_until(2)
    hash_ = world.hash()
    world.restore(state)
    world.run_until(2)
    assert world.hash() == hash_ and len(times) == 30


def test_parameters_of_a_part_are_live_and_can_vary():
    hold, _ = counted(0.1)
    model = fathom.load("bluerov2-hover", parts={"rov": hold})
    assert model.params["/rov/hold/kp"].value == 20 and model.params["/rov/hold/kp"].live
    one, two = model.world(), model.replace({"/rov/hold/kp": 40.0}).world()
    one.set("/rov/hold/kp", 40)
    one.run_until(2)
    two.run_until(2)
    assert list(one.pose) == list(two.pose)


def test_a_sensor_in_python_is_an_instrument_and_a_force_pushes():
    @fathom.sensor(outputs={"depth": "m", "flow": ("m/s", 3)}, period=0.5)
    def probe(part):
        part.output["depth"] = part.position[2]
        part.output["flow"] = part.water

    @fathom.controller()
    def reader(part):
        seen.append(part.sensor("probe", "depth"))

    @fathom.force()
    def tow(part):
        part.force[1] += 25

    seen = []
    world = fathom.load("bluerov2-hover", parts={"rov": [probe, reader, tow]}).world()
    world.run_until(1.01)
    assert world["probe"].samples == 3 or world["probe"].time == pytest.approx(1)
    assert world["probe"].flow == pytest.approx([0.2, 0, 0]) and world["probe"].depth == seen[-1]
    assert world.velocity[1] > 0.1


def test_an_exception_in_a_part_ends_the_step():
    @fathom.controller()
    def wrong(part):
        if part.tick == 7:
            raise RuntimeError("the eighth tick")

    model = fathom.load("bluerov2-hover", parts={"rov": wrong})
    world = model.world()
    with pytest.raises(RuntimeError, match="the eighth tick"):
        world.step(20)
    assert world.tick == 7
    with pytest.raises(fathom.errors.Cancelled):
        world.step()
    world.reset()
    world.step(5)
    with pytest.raises(RuntimeError):
        model.run(duration=1).go()


def test_a_part_for_an_unknown_vehicle_or_actuator_is_refused():
    hold, _ = counted(0.1)
    with pytest.raises(LookupError, match="no vehicle 'rvo'"):
        fathom.load("bluerov2-hover", parts={"rvo": hold})
    with pytest.raises(LookupError, match="port-vertical"):
        fathom.load("lauv-survey", parts={"lauv": hold}).world().step(1)


def test_a_part_that_the_scenario_names_itself():
    @fathom.force(params={"ahead": (12.0, "N")})
    def tow(part):
        part.force[0] += part.params["ahead"]

    text = """<fathom version="1"><world dt="0.01 s" duration="5 s"/>
      <vehicle name="rov" model="bluerov2" position="0 0 5 m"><tow ahead="{0} N"/></vehicle></fathom>"""
    speeds = []
    for newtons in (0, 10, 20):
        world = fathom.load(text.format(newtons), elements=[tow]).world()
        world.run_until(2)
        speeds.append(world.velocity[0])
    assert abs(speeds[0]) < 1e-12 and 0.05 < speeds[1] < speeds[2]
