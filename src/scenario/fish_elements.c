/* What can be written of a fish (kind="fish"): wave, tail, servo table, body and fins. */
#include "scenario/fish_elements.h"

#define REAL .type = FM_ATTR_REAL
#define AT(type, field) .offset = offsetof(type, field)
#define ONCE_ELEMENT(its_name, config, its_attrs, its_text)                                                             \
    {.name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                        \
     .config_size = sizeof(config), .flags = FM_ELEMENT_ONCE}

const fm_attr fm_fish_wave_attrs[FM_FISH_WAVE_ATTRS] = {
    {.name = "c1", REAL, AT(fm_fish_wave_config, c1), .unit = "", .min = -1, .max = 1, .fallback = "0.05", .flags = FM_ATTR_LIVE,
     .text = "linear envelope of the body wave (2)"},
    {.name = "c2", REAL, AT(fm_fish_wave_config, c2), .unit = "1/m", .min = -100, .max = 100, .fallback = "0.20833333333333334 1/m",
     .flags = FM_ATTR_LIVE, .text = "quadratic envelope of the body wave"},
    {.name = "k", REAL, AT(fm_fish_wave_config, k), .unit = "1/m", .min = 0, .max = 1000, .fallback = "10.471975511965978 1/m", .flags = FM_ATTR_LIVE,
     .text = "wave number, 2 pi over the wavelength"},
    {.name = "frequency", REAL, AT(fm_fish_wave_config, frequency), .unit = "Hz", .min = 0, .max = 20, .fallback = "0 Hz", .flags = FM_ATTR_LIVE,
     .text = "tail beats a second at the start; then what was last ordered"}};
const fm_element fm_fish_wave_element = ONCE_ELEMENT("wave", fm_fish_wave_config, fm_fish_wave_attrs,
    "The body wave y = (c1 x + c2 x^2) sin(k x - omega t) of a fish, running from head to tail, x behind joint 1.");

static const char *const reynolds_names[] = {"tail", "body", NULL};
#define SWIM(field) AT(fm_fish_swimming_config, field)
static const fm_attr swimming_attrs[] = {
    {.name = "strouhal", REAL, SWIM(strouhal), .unit = "", .min = 0.01, .max = 10, .fallback = "0.3", .text = "St of (6)"},
    {.name = "turn-gain", REAL, SWIM(turn_gain), .unit = "", .min = 0.01, .max = 100, .fallback = "1.2", .text = "of (9): yaw rate in rad/s per Hz and sine of the deflection"},
    {.name = "frequency-max", REAL, SWIM(frequency_max), .unit = "Hz", .min = 0.01, .max = 20, .fallback = "2.5 Hz", .text = "fastest beat"},
    {.name = "deflection-max", REAL, SWIM(deflection_max), .unit = "rad", .min = 0.01, .max = 1.5, .fallback = "50 deg", .text = "largest deflection of the tail"},
    {.name = "viscosity", REAL, SWIM(viscosity), .unit = "", .min = 1e-8, .max = 1, .fallback = "1.12e-6", .text = "kinematic viscosity of the water, m2/s"},
    {.name = "density", REAL, SWIM(density), .unit = "kg/m3", .min = 1, .max = 5000, .text = "of the water in (4); default: the scenario's"},
    {.name = "reynolds-length", .type = FM_ATTR_CHOICE, SWIM(reynolds), .choices = reynolds_names, .fallback = "tail", .text = "length in the Reynolds number (5)"},
    {.name = "depth-rate", REAL, SWIM(depth_rate), .unit = "m/s", .min = 0, .max = 10, .fallback = "0.05 m/s",
     .text = "of changing depth without pectoral fins"}};
const fm_element fm_fish_swimming_element = ONCE_ELEMENT("swimming", fm_fish_swimming_config, swimming_attrs, "Thrust, drag and turning of a fish, (4)-(9).");

static const fm_attr servo_attrs[] = {
    {.name = "rows", .type = FM_ATTR_INT, AT(fm_fish_servo_config, rows), .min = 4, .max = 360, .fallback = "18", .text = "phases of one beat, M"},
    {.name = "limit", REAL, AT(fm_fish_servo_config, limit), .unit = "rad", .min = 0.01, .max = 3.2, .fallback = "60 deg", .text = "largest angle a servo takes"},
    {.name = "file", .type = FM_ATTR_FILE, AT(fm_fish_servo_config, file), .text = "CSV with phase and four joint angles in degrees, instead of the fit to the wave"}};
const fm_element fm_fish_servo_element = ONCE_ELEMENT("servo-table", fm_fish_servo_config, servo_attrs,
    "The look-up table of joint angles: fitted to the wave, or read from a file.");

static const fm_attr section_attrs[] = {
    {.name = "x", REAL, AT(fm_fish_section_config, x), .unit = "m", .min = 0, .max = 100, .flags = FM_ATTR_REQUIRED, .text = "behind the nose"},
    {.name = "points", .type = FM_ATTR_VECTOR, .count = 12, AT(fm_fish_section_config, points), .unit = "m", .min = -100, .max = 100, .flags = FM_ATTR_REQUIRED,
     .text = "y (starboard) and z (down) of A (back), B, C (starboard), D (belly), E, F (port)"}};
static const fm_element section_element = {.name = "section", .text = "A cross-section of the fish by six traverse points; eight from nose to tail.", .attrs = section_attrs,
                                           .attr_count = FM_COUNT(section_attrs), .config_size = sizeof(fm_fish_section_config)};

static const char *const fin_places[] = {"dorsal", "starboard-pectoral", "port-pectoral", NULL};
#define SPLINE(its_name, field, its_text)                                                                               \
    {.name = its_name, .type = FM_ATTR_VECTOR, .count = 12, AT(fm_fish_fin_config, field), .unit = "m", .min = -100, .max = 100, .flags = FM_ATTR_REQUIRED, .text = its_text}
static const fm_attr fin_attrs[] = {
    {.name = "place", .type = FM_ATTR_CHOICE, AT(fm_fish_fin_config, place), .choices = fin_places, .flags = FM_ATTR_REQUIRED, .text = "which fin"},
    SPLINE("leading", leading, "four points of the leading edge: x behind the nose, y, z each"),
    SPLINE("trailing", trailing, "four points of the trailing edge")};
static const fm_element surface_element = {.name = "fin-splines", .text = "A fin of the fish: the surface between two splines through four points each.", .attrs = fin_attrs,
                                           .attr_count = FM_COUNT(fin_attrs), .config_size = sizeof(fm_fish_fin_config)};

static const fm_element *const body_children[] = {&section_element, &surface_element, NULL};
#define BODY(field) AT(fm_fish_body_config, field)
static const fm_attr body_attrs[] = {
    {.name = "head", REAL, BODY(head), .unit = "m", .min = 1e-3, .max = 100, .fallback = "0.16 m", .text = "length of the head, nose to joint 1"},
    {.name = "links", .type = FM_ATTR_VECTOR, .count = 4, BODY(links), .unit = "m", .min = 1e-4, .max = 100, .fallback = "0.060 0.060 0.050 0.070 m", .text = "lengths of the four links of the tail"},
    {.name = "mass", REAL, BODY(mass), .unit = "kg", .min = 1e-6, .max = 1e6, .text = "default: the volume of the traverse points times the density of the water"},
    {.name = "wetted-area", REAL, BODY(area), .unit = "m2", .min = 1e-6, .max = 1e5, .text = "S of (4); default: of the traverse points"},
    {.name = "tail-width", REAL, BODY(tail_width), .unit = "m", .min = 1e-4, .max = 100, .text = "of the tail's collision box; default: of the tail's widest section"},
    {.name = "scale", REAL, BODY(scale), .unit = "", .min = 1e-2, .max = 1e2, .fallback = "1", .text = "scales lengths, points, wave, area and mass together"},
    {.name = "skin", .type = FM_ATTR_FILE, BODY(skin), .text = "image laid on the skin, nose at the left, back at the top; default: drawn by a formula"}};
const fm_element fm_fish_body_element = {
    .name = "fish-body", .text = "Lengths, traverse points and skin of a fish. Without <section> the default fish of 0.40 m holds.", .attrs = body_attrs,
    .attr_count = FM_COUNT(body_attrs), .children = body_children, .config_size = sizeof(fm_fish_body_config), .flags = FM_ELEMENT_ONCE};

#define FINS(field) AT(fm_fish_fins_config, field)
static const fm_attr pectoral_attrs[] = {
    {.name = "area", REAL, FINS(area), .unit = "m2", .min = 1e-6, .max = 10, .text = "of one fin; default: of its splines"},
    {.name = "aspect", REAL, FINS(aspect), .unit = "", .min = 0.1, .max = 20, .fallback = "1.5", .text = "aspect ratio, which gives the lift slope"},
    {.name = "limit", REAL, FINS(limit), .unit = "rad", .min = 0.01, .max = 1.5, .fallback = "0.5 rad", .text = "largest fin angle"},
    {.name = "pitch-max", REAL, FINS(pitch_max), .unit = "rad", .min = 0, .max = 1.2, .fallback = "0.35 rad", .text = "largest pitch that the depth law asks for"}};
const fm_element fm_fish_pectoral_element = ONCE_ELEMENT("pectoral-fins", fm_fish_fins_config, pectoral_attrs,
    "Pectoral fins hold depth and balance of the fish by their lift (F1)-(F4); other coefficients are those of docs/theory/fish.md, for a fish of 0.4 m.");
