"""Models: loading, parameters, variants, errors."""

import pathlib
import warnings

import pytest

import fathom

MINIMAL = """<fathom version="1" title="tiny">
  <world dt="0.01 s" duration="2 s"/>
  <vehicle name="rov" model="bluerov2" position="0 0 {depth}"/>
</fathom>"""


def test_a_model_is_loaded_by_name_by_path_and_from_text(hover, tmp_path):
    assert hover.title == "BlueROV2 hovers in a current"
    (tmp_path / "x.xml").write_text(MINIMAL.format(depth="3 m"))
    for source in (tmp_path / "x.xml", str(tmp_path / "x.xml"), MINIMAL.format(depth="3 m")):
        model = fathom.load(source)
        assert model.title == "tiny" and model.dt == 0.01 and model.duration == 2
        assert model.world().pose[2] == 3
    assert fathom.load("lauv").vehicles == ["lauv"]


def test_a_parameter_has_value_unit_and_limits(hover):
    mass = hover.params["/rov/mass/mass"]
    assert (mass.value, mass.unit, mass.min, mass.live) == (11.5, "kg", 1e-6, False)
    assert hover.params["/rov/position"].value == (0, 0, 5)
    assert hover.params["/rov/integrator"].value == "heun"
    assert "/rov/mas" not in hover.params and hover.params.get("/rov/mas") is None
    assert hover.params["/rov/front-port/position"] == hover.params["/rov/front_port/position"]
    with pytest.raises(KeyError, match="near: '/rov/mass/mass'"):
        hover.params["/rov/mass/mas"]


def test_errors_have_file_and_line():
    with pytest.raises(fathom.errors.UnitError) as caught:
        fathom.load(MINIMAL.format(depth="3"))
    assert caught.value.line == 3 and caught.value.file.endswith("text")
    with pytest.raises(fathom.FathomError) as caught:
        fathom.load(MINIMAL.format(depth="3 m").replace("0.01 s", "0 s").replace("bluerov2", "bluerov9"))
    assert len(caught.value.others) >= 1
    with pytest.raises(LookupError, match="bluerov9"):
        fathom.load("bluerov9")
    with pytest.raises(OSError):
        fathom.load(pathlib.Path("no-such-file.xml"))


def test_a_variant_has_the_bits_of_a_model_that_is_loaded_so(hover):
    variant = hover.replace({"/rov/mass/mass": 12.0, "/rov/position": (1, 2, 3)})
    written = hover.replace({"/rov/mass/mass": "12 kg", "/rov/position": "1 2 3 m"})
    loaded = fathom.load("bluerov2-hover", set={"/rov/mass/mass": 12, "/rov/position": "1 2 3 m"})
    hashes = set()
    for model in (variant, written, loaded):
        world = model.world()
        world.step(500)
        hashes.add(world.hash())
    assert len(hashes) == 1
    assert variant.params["/rov/mass/mass"].value == 12 and hover.params["/rov/mass/mass"].value == 11.5
    with pytest.raises(ValueError, match="mass"):
        hover.replace({"/rov/mass/mass": -1.0})
    with pytest.raises(LookupError):
        hover.replace({"/rov/mass/weigth": 1.0})


def test_a_variant_of_a_variant_keeps_both_changes(hover):
    both = hover.replace({"/rov/mass/mass": 12.0}).replace({"/current/velocity": "0 0 0 m/s"})
    assert both.params["/rov/mass/mass"].value == 12
    assert both.params["/current/velocity"].value == (0, 0, 0)


def test_actuators_and_fields_are_described(hover):
    actuator = hover.actuators[0]
    assert (actuator.name, actuator.unit, actuator.group) == ("front-port", "N", "horizontal")
    assert actuator.min < 0 < actuator.max
    field = hover.fields["rov.position"]
    assert field.shape == (3,) and field.unit == "m" and field.lanes
    assert "time" in hover.fields


def test_what_is_probably_a_mistake_is_a_warning():
    text = """<fathom version="1"><world dt="0.01 s" duration="10 s"><bottom depth="20 m"/></world>
      <vehicle name="a" model="lauv" position="0 0 5 m"><waypoints speed="1 m/s" lookahead="5 m" radius="2 m">
      <waypoint position="50 0 40 m"/></waypoints></vehicle></fathom>"""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fathom.load(text)
    assert any(issubclass(w.category, fathom.ModelWarning) for w in caught)
    assert any("waypoint" in str(w.message) for w in caught)


def test_the_xml_of_a_model_gives_the_same_world(tmp_path):
    model = fathom.load("phoenix-turn")
    (tmp_path / "again.xml").write_text(model.xml)
    a, b = model.world(), fathom.load(tmp_path / "again.xml").world()
    a.step(200)
    b.step(200)
    assert a.hash() == b.hash()
