/* Elements of a fish (<fish>): wave, tail, servo table, body and fins. */
#include "kinds/fish_elements.h"

#include "physics/fish.h"

const fm_attr fm_fish_wave_attrs[FM_FISH_WAVE_ATTRS] = {
    FM_REAL_ATTR(fm_fish_wave_config, c1, "c1", "", -1, 1, "0.05", FM_ATTR_LIVE,
                 "linear envelope of the body wave (H2)"),
    FM_REAL_ATTR(fm_fish_wave_config, c2, "c2", "1/m", -100, 100, "0.20833333333333334 1/m", FM_ATTR_LIVE,
                 "quadratic envelope of the body wave"),
    FM_REAL_ATTR(fm_fish_wave_config, k, "k", "1/m", 0, 1000, "10.471975511965978 1/m", FM_ATTR_LIVE,
                 "wave number, 2 pi over the wavelength"),
    FM_REAL_ATTR(fm_fish_wave_config, frequency, "frequency", "Hz", 0, 20, "0 Hz", FM_ATTR_LIVE,
                 "tail beats a second at the start; then what was last ordered"),
};
static const fm_element wave_element = FM_CHILD_ELEMENT(
    fm_fish_written, wave, fm_fish_wave_config, "wave", fm_fish_wave_attrs, NULL,
    "The body wave y = (c1 x + c2 x^2) sin(k x - omega t) of a fish, running from head to tail, x aft of joint 1.");

static const char *const reynolds_names[] = {"tail", "body", NULL};
static const fm_attr swimming_attrs[] = {
    FM_REAL_ATTR(fm_fish_swimming_config, strouhal, "strouhal", "", 0.01, 10, "0.3", 0, "St of (H6)"),
    FM_REAL_ATTR(fm_fish_swimming_config, turn_gain, "turn-gain", "", 0.01, 100, "1.2", 0,
                 "of (H9): yaw rate in rad/s per Hz and sine of the deflection"),
    FM_REAL_ATTR(fm_fish_swimming_config, frequency_max, "frequency-max", "Hz", 0.01, 20, "2.5 Hz", 0, "fastest beat"),
    FM_REAL_ATTR(fm_fish_swimming_config, deflection_max, "deflection-max", "rad", 0.01, 1.5, "50 deg", 0,
                 "largest deflection of the tail"),
    FM_REAL_ATTR(fm_fish_swimming_config, viscosity, "viscosity", "", 1e-8, 1, "1.12e-6", 0,
                 "kinematic viscosity of the water, m2/s"),
    FM_REAL_ATTR(fm_fish_swimming_config, density, "density", "kg/m3", 1, 5000, NULL, 0,
                 "of the water in (H4); default: the scenario's"),
    FM_CHOICE_ATTR(fm_fish_swimming_config, reynolds, reynolds_names, "reynolds-length", "tail", 0,
                   "length in the Reynolds number (H5)"),
    FM_REAL_ATTR(fm_fish_swimming_config, depth_rate, "depth-rate", "m/s", 0, 10, "0.05 m/s", 0,
                 "of changing depth without pectoral fins"),
};
static const fm_element swimming_element =
    FM_CHILD_ELEMENT(fm_fish_written, swimming, fm_fish_swimming_config, "swimming", swimming_attrs, NULL,
                     "Thrust, drag and turning of a fish, (H4)-(H9).");

static const fm_attr servo_attrs[] = {
    FM_INT_ATTR(fm_fish_servo_config, rows, "rows", 4, 360, "18", 0, "phases of one beat, M"),
    FM_REAL_ATTR(fm_fish_servo_config, limit, "limit", "rad", 0.01, 3.2, "60 deg", 0, "largest angle a servo takes"),
    FM_REAL_ATTR(fm_fish_servo_config, rate, "rate", "rad/s", 0.1, 1e3, "300 deg/s", 0,
                 "fastest turn of a servo; the default is 60 deg in 0.2 s, as of a common hobby servo without load. A "
                 "new deflection is reached no sooner; a beat that asks for more is not followed all the way"),
    FM_FILE_ATTR(fm_fish_servo_config, file, "file", NULL, 0,
                 "CSV with phase and the angle of each joint in degrees, instead of the fit to the wave"),
    FM_LIST_ATTR(fm_fish_servo_config, swing, FM_FISH_JOINTS_MOST, "swing", "rad", -3.2, 3.2, 0,
                 "amplitude of each joint, which then swings as a sine instead of following the wave; the width of the "
                 "beat is that of the tip then"),
    FM_LIST_ATTR(fm_fish_servo_config, lag, FM_FISH_JOINTS_MOST, "lag", "rad", -6.3, 6.3, 0,
                 "how far in phase each joint lags behind the beat; default: 0 of all"),
};
static const fm_element servo_element =
    FM_CHILD_ELEMENT(fm_fish_written, servo, fm_fish_servo_config, "servo-table", servo_attrs, NULL,
                     "The look-up table of joint angles: fitted to the wave, read from a file, or sines.");

static const fm_attr section_attrs[] = {
    FM_REAL_ATTR(fm_fish_section_config, x, "x", "m", 0, 100, NULL, FM_ATTR_REQUIRED, "behind the nose"),
    FM_VECTOR_ATTR(fm_fish_section_config, points, 12, "points", "m", -100, 100, NULL, FM_ATTR_REQUIRED,
                   "y (starboard) and z (down) of A (back), B, C (starboard), D (belly), E, F (port)"),
};
static const fm_element section_element =
    FM_TABLE_ELEMENT(fm_fish_section_config, "section", section_attrs, NULL, 0,
                     "A cross-section of the fish with six traverse points; eight sections from nose to tail, for any "
                     "number of joints.");

static const char *const fin_places[] = {"dorsal", "starboard-pectoral", "port-pectoral", NULL};
static const fm_attr fin_attrs[] = {
    FM_CHOICE_ATTR(fm_fish_fin_config, which, fin_places, "place", NULL, FM_ATTR_REQUIRED, "which fin"),
    FM_VECTOR_ATTR(fm_fish_fin_config, leading, 12, "leading", "m", -100, 100, NULL, FM_ATTR_REQUIRED,
                   "four points of the leading edge: x behind the nose, y, z each"),
    FM_VECTOR_ATTR(fm_fish_fin_config, trailing, 12, "trailing", "m", -100, 100, NULL, FM_ATTR_REQUIRED,
                   "four points of the trailing edge"),
};
static const fm_element surface_element =
    FM_TABLE_ELEMENT(fm_fish_fin_config, "fin-splines", fin_attrs, NULL, 0,
                     "A fin of the fish: the surface between two splines through four points each.");

static const fm_element *const body_children[] = {&section_element, &surface_element, NULL};
static const fm_attr body_attrs[] = {
    FM_REAL_ATTR(fm_fish_body_config, head, "head", "m", 1e-3, 100, "0.16 m", 0, "length of the head, nose to joint 1"),
    FM_LIST_ATTR(fm_fish_body_config, links, FM_FISH_JOINTS_MOST, "links", "m", 1e-4, 100, 0,
                 "lengths of the links of the tail, 1 to 8, a joint before each; default: 0.060 0.060 0.050 0.070 m"),
    FM_REAL_ATTR(fm_fish_body_config, mass, "mass", "kg", 1e-6, 1e6, NULL, 0,
                 "default: the volume of the traverse points times the density of the water"),
    FM_REAL_ATTR(fm_fish_body_config, area, "wetted-area", "m2", 1e-6, 1e5, NULL, 0,
                 "S of (H4); default: of the traverse points"),
    FM_REAL_ATTR(fm_fish_body_config, tail_width, "tail-width", "m", 1e-4, 100, NULL, 0,
                 "of the tail's collision box; default: of the tail's widest section"),
    FM_REAL_ATTR(fm_fish_body_config, scale, "scale", "", 1e-2, 1e2, "1", 0,
                 "scales lengths, points, wave, area and mass together"),
};
static const fm_element body_element =
    FM_CHILD_ELEMENT(fm_fish_written, body, fm_fish_body_config, "fish-body", body_attrs, body_children,
                     "Lengths and traverse points of a fish. Default without <section>: the fish of 0.40 m.");

static const fm_attr pectoral_attrs[] = {
    FM_REAL_ATTR(fm_fish_fins_config, area, "area", "m2", 1e-6, 10, NULL, 0, "of one fin; default: of its splines"),
    FM_REAL_ATTR(fm_fish_fins_config, aspect, "aspect", "", 0.1, 20, "1.5", 0,
                 "aspect ratio, which gives the lift slope"),
    FM_REAL_ATTR(fm_fish_fins_config, limit, "limit", "rad", 0.01, 1.5, "0.5 rad", 0, "largest fin angle"),
    FM_REAL_ATTR(fm_fish_fins_config, pitch_max, "pitch-max", "rad", 0, 1.2, "0.35 rad", 0,
                 "largest pitch that the depth law asks for"),
};
static const fm_element pectoral_element = FM_CHILD_ELEMENT(
    fm_fish_written, fins, fm_fish_fins_config, "pectoral-fins", pectoral_attrs, NULL,
    "Pectoral fins hold depth and balance of the fish by their lift (F1)-(F4); other coefficients are those "
    "of docs/theory/fish.md, for a fish of 0.4 m.");

static const char *const thrust_names[] = {"paper", "elongated-body", NULL};
static const char *const turning_names[] = {"paper", "tail-force", NULL};
const fm_attr fm_fish_attrs[FM_FISH_ATTRS] = {
    [FM_FISH_ATTR_THRUST] = FM_CHOICE_ATTR(fm_fish_written, thrust, thrust_names, "thrust", "paper", 0,
                                           "(H6)-(H8) of the paper, or elongated-body theory with recoil"),
    [FM_FISH_ATTR_TURNING] =
        FM_CHOICE_ATTR(fm_fish_written, turning, turning_names, "turning", "paper", 0,
                       "yaw by (H9) of the paper, or by the force of the deflected tail itself, which needs "
                       "thrust='elongated-body'"),
    [FM_FISH_ATTR_DEFLECTION] =
        FM_REAL_ATTR(fm_fish_written, deflection, "deflection", "rad", -1.5, 1.5, "0 deg", FM_ATTR_LIVE,
                     "of the tail at the start, positive turns to starboard; then what was last ordered"),
    [FM_FISH_ATTR_DEPTH] = FM_REAL_ATTR(fm_fish_written, depth, "depth", "m", 0, 12000, NULL, FM_ATTR_LIVE,
                                        "that it keeps; default: the depth it starts at; then what was last ordered"),
};
static const fm_element *const fish_children[] = {&wave_element, &swimming_element, &servo_element,
                                                  &body_element, &pectoral_element, NULL};
const fm_element fm_fish_kind_element =
    FM_TABLE_ELEMENT(fm_fish_written, "fish", fm_fish_attrs, fish_children, FM_ELEMENT_ONCE | FM_ELEMENT_TRANSPARENT,
                     "Makes the vehicle one of kind fish: a robotic fish with 1 to 8 joints in its tail.");
