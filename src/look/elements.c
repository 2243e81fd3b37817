#include "look/elements.h"

enum { STATIONS_MOST = 64 };

#define COLOUR(its_type, its_text)                                                                                     \
    FM_VECTOR_ATTR(its_type, colour, 3, "colour", "", 0, 1, NULL, 0, "red, green, blue; default: " its_text)
#define PART_NAME(its_type) FM_NAME_ATTR(its_type, name, "name", NULL, 0, "for people")
#define POSITION(its_type, its_default, its_flags, its_text)                                                           \
    FM_VECTOR_ATTR(its_type, position, 3, "position", "m", -1e3, 1e3, its_default, its_flags, its_text)

static const char *const solid_names[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid", "cone", NULL};
static const fm_attr solid_attrs[] = {
    PART_NAME(fm_solid_config),
    FM_CHOICE_ATTR(fm_solid_config, kind, solid_names, "kind", "box", 0, "of shape; the long ones lie along x"),
    FM_VECTOR_ATTR(fm_solid_config, size, 3, "size", "m", 1e-5, 1e3, NULL, FM_ATTR_REQUIRED, "extent along x, y and z"),
    POSITION(fm_solid_config, NULL, 0,
             "of its middle, from the body origin; default: where the sensor sits, else 0 0 0"),
    FM_VECTOR_ATTR(fm_solid_config, attitude, 3, "attitude", "rad", -7, 7, NULL, 0,
                   "roll, pitch, yaw against the body axes; default: as the sensor looks, else none"),
    FM_NAME_ATTR(fm_solid_config, sensor, "sensor", NULL, 0, "the instrument whose head this is"),
    COLOUR(fm_solid_config, "that of the look"),
    FM_REAL_ATTR(fm_solid_config, opacity, "opacity", "", 0.05, 1, "1", 0, "1: one does not see through it"),
    FM_BOOL_ATTR(fm_solid_config, glows, "glows", "false", 0, "a lamp"),
};
static const fm_element solid_element = FM_TABLE_ELEMENT(fm_solid_config, "solid", solid_attrs, NULL, 0,
                                                         "A plain shape: a dome, a housing, a sensor's head.");

static const fm_attr bar_attrs[] = {
    PART_NAME(fm_bar_config),
    FM_VECTOR_ATTR(fm_bar_config, from, 3, "from", "m", -1e3, 1e3, NULL, FM_ATTR_REQUIRED, "one end, body axes"),
    FM_VECTOR_ATTR(fm_bar_config, to, 3, "to", "m", -1e3, 1e3, NULL, FM_ATTR_REQUIRED, "the other end"),
    FM_REAL_ATTR(fm_bar_config, radius, "radius", "m", 1e-5, 100, NULL, FM_ATTR_REQUIRED, "half its thickness"),
    COLOUR(fm_bar_config, "the trim"),
};
static const fm_element bar_element =
    FM_TABLE_ELEMENT(fm_bar_config, "bar", bar_attrs, NULL, 0, "A round bar: a mast, an aerial, a rail of a frame.");

static const fm_attr loft_attrs[] = {
    PART_NAME(fm_loft_config),
    FM_LIST_ATTR(fm_loft_config, x, STATIONS_MOST, "x", "m", -1e3, 1e3, 0,
                 "stations, from stern to bow; without any: those of <cross-flow>"),
    FM_LIST_ATTR(fm_loft_config, breadth, STATIONS_MOST, "breadth", "m", 0, 1e3, 0, "at each station"),
    FM_LIST_ATTR(fm_loft_config, height, STATIONS_MOST, "height", "m", 0, 1e3, 0, "at each station"),
    FM_LIST_ATTR(fm_loft_config, centre, STATIONS_MOST, "centre", "m", -1e3, 1e3, 0,
                 "z of the middle of each section, or one for all; default: 0"),
    FM_LIST_ATTR(
        fm_loft_config, exponent, STATIONS_MOST, "exponent", "", 1, 40, 0,
        "of the superellipse of each section, or one for all: 2 is an ellipse, more is more of a box; default: "
        "2"),
    POSITION(fm_loft_config, "0 0 0 m", 0, "of its origin, from the body origin"),
    COLOUR(fm_loft_config, "that of the look"),
};
static const fm_element loft_element =
    FM_TABLE_ELEMENT(fm_loft_config, "loft", loft_attrs, NULL, 0, "A hull by its sections along x.");

static const fm_attr torpedo_attrs[] = {
    PART_NAME(fm_torpedo_config),
    FM_REAL_ATTR(fm_torpedo_config, length, "length", "m", 0, 1e3, NULL, 0, "overall; default: that of the vehicle"),
    FM_REAL_ATTR(fm_torpedo_config, diameter, "diameter", "m", 0, 1e3, NULL, 0,
                 "of the straight part; default: the height of the vehicle"),
    FM_REAL_ATTR(fm_torpedo_config, nose, "nose", "m", 0, 1e3, NULL, 0,
                 "length of the round nose; default: 0.15 length"),
    FM_REAL_ATTR(fm_torpedo_config, tail, "tail", "m", 0, 1e3, NULL, 0,
                 "length of the tapered tail; default: 0.3 length"),
    FM_REAL_ATTR(fm_torpedo_config, stern, "stern", "m", 0, 1e3, NULL, 0,
                 "diameter at the stern; default: 0.2 diameter"),
    POSITION(fm_torpedo_config, "0 0 0 m", 0, "of its middle, from the body origin"),
    COLOUR(fm_torpedo_config, "that of the look"),
};
static const fm_element torpedo_element =
    FM_TABLE_ELEMENT(fm_torpedo_config, "torpedo", torpedo_attrs, NULL, 0,
                     "A round hull: an elliptic nose, a straight part, a tail that tapers as a parabola.");

static const fm_attr foil_attrs[] = {
    PART_NAME(fm_foil_config),
    FM_NAME_ATTR(fm_foil_config, actuator, "actuator", NULL, 0, "the fin that turns it; default: it stands fast"),
    POSITION(fm_foil_config, NULL, FM_ATTR_REQUIRED, "of the hinge at the root, from the body origin"),
    FM_VECTOR_ATTR(fm_foil_config, direction, 3, "direction", "", -1, 1, NULL, FM_ATTR_REQUIRED, "from root to tip"),
    FM_REAL_ATTR(fm_foil_config, span, "span", "m", 1e-4, 1e3, NULL, FM_ATTR_REQUIRED, "from root to tip"),
    FM_REAL_ATTR(fm_foil_config, chord, "chord", "m", 1e-4, 1e3, NULL, FM_ATTR_REQUIRED, "at the root"),
    FM_REAL_ATTR(fm_foil_config, tip, "tip", "m", 0, 1e3, NULL, 0,
                 "chord at the tip; default: 0.7 of that at the root"),
    FM_REAL_ATTR(
        fm_foil_config, sweep, "sweep", "m", -1e3, 1e3, NULL, 0,
        "how far the leading edge of the tip lies astern of the root's; default: half of what the chord loses"),
    FM_REAL_ATTR(fm_foil_config, thickness, "thickness", "", 0.001, 1, "0.12", 0, "over the chord"),
    FM_REAL_ATTR(fm_foil_config, hinge, "hinge", "", 0, 1, "0.25", 0, "part of the root's chord ahead of the hinge"),
    FM_BOOL_ATTR(fm_foil_config, reversed, "reversed", "false", 0,
                 "turns the other way, where the coefficients of the fin do not tell which"),
    COLOUR(fm_foil_config, "the trim"),
};
static const fm_element foil_element =
    FM_TABLE_ELEMENT(fm_foil_config, "foil", foil_attrs, NULL, 0, "A fin, rudder, plane, wing or keel.");

static const fm_attr screw_attrs[] = {
    PART_NAME(fm_screw_config),
    FM_NAME_ATTR(fm_screw_config, actuator, "actuator", NULL, 0, "the propeller or thruster that turns it"),
    POSITION(fm_screw_config, NULL, 0, "from the body origin; default: that of the actuator"),
    FM_VECTOR_ATTR(fm_screw_config, direction, 3, "direction", "", -1, 1, NULL, 0,
                   "of the thrust; default: that of the actuator, else ahead"),
    FM_REAL_ATTR(fm_screw_config, diameter, "diameter", "m", 1e-4, 100, NULL, FM_ATTR_REQUIRED, "of its circle"),
    FM_INT_ATTR(fm_screw_config, blades, "blades", 1, 12, "3", 0, "how many"),
    FM_REAL_ATTR(fm_screw_config, duct, "duct", "m", 0, 100, "0 m", 0, "length of the ring around it; 0: none"),
    COLOUR(fm_screw_config, "the trim"),
};
static const fm_element screw_element =
    FM_TABLE_ELEMENT(fm_screw_config, "screw", screw_attrs, NULL, 0, "A visible propeller, open or in a duct.");

static const fm_attr tunnel_attrs[] = {
    FM_NAME_ATTR(fm_tunnel_config, actuator, "actuator", NULL, FM_ATTR_REQUIRED, "the tunnel thruster"),
    FM_REAL_ATTR(fm_tunnel_config, diameter, "diameter", "m", 1e-4, 100, NULL, 0, "default: by its thrust"),
    FM_REAL_ATTR(fm_tunnel_config, length, "length", "m", 1e-4, 1e3, NULL, 0, "default: through the vehicle"),
};
static const fm_element tunnel_element =
    FM_TABLE_ELEMENT(fm_tunnel_config, "tunnel", tunnel_attrs, NULL, 0, "The tunnel of a thruster, through the hull.");

static const fm_attr studs_attrs[] = {
    FM_NAME_ATTR(fm_studs_config, sensor, "sensor", NULL, 0,
                 "the lateral line whose angles they have, on the sphere of <flow>"),
    FM_LIST_ATTR(fm_studs_config, angles, FM_STUDS_MOST, "angles", "rad", -7, 7, 0,
                 "from ahead to starboard; default: those of the sensor"),
    FM_VECTOR_ATTR(fm_studs_config, centre, 3, "centre", "m", -1e3, 1e3, NULL, 0,
                   "of the sphere; default: that of <flow>"),
    FM_REAL_ATTR(fm_studs_config, radius, "radius", "m", 0, 1e3, NULL, 0, "of the sphere; default: that of <flow>"),
    FM_REAL_ATTR(fm_studs_config, size, "size", "m", 1e-5, 10, NULL, FM_ATTR_REQUIRED, "across one of them"),
    COLOUR(fm_studs_config, "the trim"),
};
static const fm_element studs_element = FM_TABLE_ELEMENT(fm_studs_config, "studs", studs_attrs, NULL, 0,
                                                         "Small heads on the horizontal great circle of a sphere.");

static const fm_attr band_attrs[] = {
    FM_REAL_ATTR(fm_band_config, from, "from", "m", -1e3, 1e3, NULL, FM_ATTR_REQUIRED, "x where it begins"),
    FM_REAL_ATTR(fm_band_config, to, "to", "m", -1e3, 1e3, NULL, FM_ATTR_REQUIRED, "x where it ends"),
    COLOUR(fm_band_config, "the trim"),
};
static const fm_element band_element = FM_TABLE_ELEMENT(
    fm_band_config, "band", band_attrs, NULL, 0, "Paint around the hull between two x. Later ones cover earlier ones.");

static const fm_element *const look_children[] = {
    &loft_element,  &torpedo_element, &solid_element, &bar_element,  &foil_element,
    &screw_element, &tunnel_element,  &studs_element, &band_element, NULL};
static const fm_attr look_attrs[] = {
    FM_VECTOR_ATTR(fm_look_config, colour, 3, "colour", "", 0, 1, "0.79 0.83 0.85", 0, "of the hull: red, green, blue"),
    FM_VECTOR_ATTR(fm_look_config, trim, 3, "trim", "", 0, 1, "0.16 0.18 0.2", 0,
                   "of fins, propellers and small parts"),
    FM_FILE_ATTR(
        fm_look_config, mesh, "mesh", NULL, 0,
        "a drawing of the whole vehicle instead of its hull: .glb (binary glTF 2), .obj or .stl, up to 8 MiB; x "
        "forward, y port, z up (.glb: as glTF says, z forward, y up)"),
    FM_REAL_ATTR(fm_look_config, scale, "scale", "", 1e-6, 1e6, "1", 0, "metres for each unit of the mesh"),
    FM_VECTOR_ATTR(fm_look_config, position, 3, "position", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "of the mesh's origin, from the body origin"),
    FM_VECTOR_ATTR(fm_look_config, attitude, 3, "attitude", "rad", -7, 7, "0 0 0 deg", 0,
                   "roll, pitch, yaw of the mesh against the body axes"),
    FM_BOOL_ATTR(fm_look_config, parts, "parts", NULL, 0,
                 "fins, propellers, thrusters and instruments that are not described here are drawn where the model "
                 "has them; default: true, with a mesh false"),
};
const fm_element fm_look_element = FM_TABLE_ELEMENT(
    fm_look_config, "look", look_attrs, look_children, FM_ELEMENT_ONCE,
    "What the vehicle looks like; nothing here is touched, seen by instruments, or moves anything. Without a loft, "
    "torpedo or mesh the shapes of the hull are drawn. Positions are in body axes: forward, starboard, down.");
