#include "scenario/vehicle_elements.h"

#include "scenario/fish_elements.h"

#define AT(type, field) .offset = offsetof(type, field)
#define REAL .type = FM_ATTR_REAL
#define VEC3 .type = FM_ATTR_VECTOR, .count = 3
#define NAME .type = FM_ATTR_NAME
#define CHOICE(list) .type = FM_ATTR_CHOICE, .choices = list
#define ELEMENT(its_name, config, its_attrs, its_text)                                                                 \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .config_size = sizeof(config)                                                                                  \
    }
#define ONCE_ELEMENT(its_name, config, its_attrs, its_text)                                                            \
    {                                                                                                                  \
        .name = its_name, .text = its_text, .attrs = its_attrs, .attr_count = FM_COUNT(its_attrs),                     \
        .config_size = sizeof(config), .flags = FM_ELEMENT_ONCE                                                        \
    }

/* --- mass and buoyancy --- */

static const char *const about_names[] = {"origin", "centre", NULL};
static const fm_attr mass_attrs[] = {
    {.name = "mass",
     REAL,
     AT(fm_mass_config, mass),
     .unit = "kg",
     .min = 1e-6,
     .max = 1e9,
     .text = "mass (this or weight)"},
    {.name = "weight",
     REAL,
     AT(fm_mass_config, weight),
     .unit = "N",
     .min = 1e-6,
     .max = 1e10,
     .text = "weight W; the mass is W/g"},
    {.name = "centre",
     VEC3,
     AT(fm_mass_config, centre),
     .unit = "m",
     .min = -1e3,
     .max = 1e3,
     .fallback = "0 0 0 m",
     .text = "centre of gravity from the body origin"},
    {.name = "inertia",
     VEC3,
     AT(fm_mass_config, inertia),
     .unit = "kg*m2",
     .min = 0,
     .max = 1e12,
     .flags = FM_ATTR_REQUIRED,
     .text = "moments of inertia about x, y and z (6.55)-(6.57)"},
    {.name = "products",
     VEC3,
     AT(fm_mass_config, products),
     .unit = "kg*m2",
     .min = -1e12,
     .max = 1e12,
     .fallback = "0 0 0 kg*m2",
     .text = "products of inertia: integrals of xy, xz and yz dm (6.58)-(6.60)"},
    {.name = "about",
     CHOICE(about_names),
     AT(fm_mass_config, about),
     .fallback = "origin",
     .text = "the point that the inertia refers to: the body origin or the centre of gravity"}};
static const fm_element mass_element =
    ONCE_ELEMENT("mass", fm_mass_config, mass_attrs, "Mass, centre of gravity and inertia.");

static const fm_attr component_attrs[] = {
    {.name = "name", NAME, AT(fm_component_config, name), .flags = FM_ATTR_REQUIRED, .text = "what it is"},
    {.name = "mass",
     REAL,
     AT(fm_component_config, mass),
     .unit = "kg",
     .min = 1e-9,
     .max = 1e9,
     .text = "mass (this, weight or flooded)"},
    {.name = "weight",
     REAL,
     AT(fm_component_config, weight),
     .unit = "N",
     .min = 1e-9,
     .max = 1e10,
     .text = "weight in air"},
    {.name = "flooded",
     REAL,
     AT(fm_component_config, volume),
     .unit = "m3",
     .min = 1e-9,
     .max = 1e6,
     .text = "volume of free-flood water: mass that moves with the hull but weighs nothing in water"},
    {.name = "centre",
     VEC3,
     AT(fm_component_config, centre),
     .unit = "m",
     .min = -1e3,
     .max = 1e3,
     .flags = FM_ATTR_REQUIRED,
     .text = "centre of mass from the body origin"},
    {.name = "size",
     VEC3,
     AT(fm_component_config, size),
     .unit = "m",
     .min = 0,
     .max = 1e3,
     .fallback = "0 0 0 m",
     .text = "sides of a uniform box; 0 0 0 is a point mass"}};
static const fm_element component_element = ELEMENT("component", fm_component_config, component_attrs,
                                                    "One component of a vehicle whose mass properties are summed from "
                                                    "a list (6.55)-(6.60), free-flood water included.");

static const fm_attr buoyancy_attrs[] = {
    {.name = "force",
     REAL,
     AT(fm_buoyancy_config, force),
     .unit = "N",
     .min = 0,
     .max = 1e10,
     .text = "buoyancy B in the scenario's nominal water density (this or volume; neither: equal to the weight)"},
    {.name = "volume",
     REAL,
     AT(fm_buoyancy_config, volume),
     .unit = "m3",
     .min = 0,
     .max = 1e6,
     .text = "displaced volume"},
    {.name = "centre",
     VEC3,
     AT(fm_buoyancy_config, centre),
     .unit = "m",
     .min = -1e3,
     .max = 1e3,
     .fallback = "0 0 0 m",
     .text = "centre of buoyancy from the body origin"},
    {.name = "compression",
     REAL,
     AT(fm_buoyancy_config, compression),
     .unit = "1/m",
     .min = 0,
     .max = 1e-2,
     .fallback = "0 1/m",
     .text = "part of the buoyancy lost per metre of depth by compression of the hull"}};
static const fm_element buoyancy_element = ONCE_ELEMENT("buoyancy", fm_buoyancy_config, buoyancy_attrs,
                                                        "Buoyancy of the wholly submerged hull. Without this element "
                                                        "the vehicle is neutral, its centre of buoyancy the origin.");

/* --- added mass --- */

#define DOT(row, i, column, k)                                                                                         \
    {                                                                                                                  \
        .name = #row "_" #column "dot", REAL,                                                                          \
        .offset = offsetof(fm_added_mass_config, c) + sizeof(double) * (6 * i + k), .unit = "",                        \
        .text = "added mass of " #column " acceleration in the equation of " #row ", dimensionless"                    \
    }
#define DOTS(row, i)                                                                                                   \
    DOT(row, i, u, 0), DOT(row, i, v, 1), DOT(row, i, w, 2), DOT(row, i, p, 3), DOT(row, i, q, 4), DOT(row, i, r, 5)
static const fm_attr added_mass_attrs[] = {{.name = "length",
                                            REAL,
                                            AT(fm_added_mass_config, length),
                                            .unit = "m",
                                            .min = 1e-3,
                                            .max = 1e3,
                                            .flags = FM_ATTR_REQUIRED,
                                            .text = "length L that makes the coefficients dimensionless"},
                                           DOTS(X, 0),
                                           DOTS(Y, 1),
                                           DOTS(Z, 2),
                                           DOTS(K, 3),
                                           DOTS(M, 4),
                                           DOTS(N, 5)};
static const fm_element added_mass_element =
    ONCE_ELEMENT("added-mass", fm_added_mass_config, added_mass_attrs,
                 "Added mass by dimensionless coefficients (6.54): the mass matrix gains -rho/2 L^n times the "
                 "coefficient, n = 3 for force and "
                 "velocity, 4 for force and rate or moment and velocity, 5 for moment and rate.");

#define MATRIX(its_name, field, its_unit, its_text)                                                                    \
    {                                                                                                                  \
        .name = its_name, .type = FM_ATTR_LIST, .count = 9, AT(fm_added_matrix_config, field), .unit = its_unit,       \
        .text = its_text                                                                                               \
    }
static const fm_attr added_matrix_attrs[] = {
    {.name = "linear",
     VEC3,
     AT(fm_added_matrix_config, linear),
     .unit = "kg",
     .min = 0,
     .max = 1e9,
     .fallback = "0 0 0 kg",
     .text = "added mass in surge, sway and heave, positive"},
    {.name = "angular",
     VEC3,
     AT(fm_added_matrix_config, angular),
     .unit = "kg*m2",
     .min = 0,
     .max = 1e12,
     .fallback = "0 0 0 kg*m2",
     .text = "added inertia in roll, pitch and yaw, positive"},
    MATRIX("linear-full", linear_full, "kg", "9 numbers by row, instead of linear"),
    MATRIX("coupled", coupled, "kg*m",
           "9 numbers by row: force from turning (upper right); the lower left is its transpose"),
    MATRIX("angular-full", angular_full, "kg*m2", "9 numbers by row, instead of angular")};
static const fm_element added_matrix_element = ONCE_ELEMENT(
    "added-mass-matrix", fm_added_matrix_config, added_matrix_attrs,
    "Added mass in SI units: diagonal or full 6x6 in blocks. Positive numbers are mass that moves with the hull.");

static const fm_attr spheroid_attrs[] = {{.name = "length",
                                          REAL,
                                          AT(fm_spheroid_config, length),
                                          .unit = "m",
                                          .min = 1e-3,
                                          .max = 1e3,
                                          .flags = FM_ATTR_REQUIRED,
                                          .text = "length along the axis of revolution (body x)"},
                                         {.name = "diameter",
                                          REAL,
                                          AT(fm_spheroid_config, diameter),
                                          .unit = "m",
                                          .min = 1e-3,
                                          .max = 1e3,
                                          .flags = FM_ATTR_REQUIRED,
                                          .text = "greatest diameter"}};
static const fm_element spheroid_element =
    ONCE_ELEMENT("spheroid", fm_spheroid_config, spheroid_attrs,
                 "Added mass of a spheroid in ideal fluid by Lamb's k-factors, added to what else is given.");

/* --- hull --- */

static const char *const rule_names[] = {"gauss", "midpoint", "equal", NULL};
static const fm_attr cross_flow_attrs[] = {{.name = "x",
                                            .type = FM_ATTR_LIST,
                                            .count = 256,
                                            AT(fm_cross_flow_config, x),
                                            .unit = "m",
                                            .min = -1e3,
                                            .max = 1e3,
                                            .flags = FM_ATTR_REQUIRED,
                                            .text = "stations from tail to nose"},
                                           {.name = "height",
                                            .type = FM_ATTR_LIST,
                                            .count = 256,
                                            AT(fm_cross_flow_config, height),
                                            .unit = "m",
                                            .min = 0,
                                            .max = 1e3,
                                            .flags = FM_ATTR_REQUIRED,
                                            .text = "height h(x) of the hull along z at each station"},
                                           {.name = "breadth",
                                            .type = FM_ATTR_LIST,
                                            .count = 256,
                                            AT(fm_cross_flow_config, breadth),
                                            .unit = "m",
                                            .min = 0,
                                            .max = 1e3,
                                            .flags = FM_ATTR_REQUIRED,
                                            .text = "breadth b(x) of the hull along y at each station"},
                                           {.name = "cdy",
                                            REAL,
                                            AT(fm_cross_flow_config, cdy),
                                            .unit = "",
                                            .min = 0,
                                            .max = 10,
                                            .flags = FM_ATTR_REQUIRED,
                                            .text = "drag coefficient of flow across, along y"},
                                           {.name = "cdz",
                                            REAL,
                                            AT(fm_cross_flow_config, cdz),
                                            .unit = "",
                                            .min = 0,
                                            .max = 10,
                                            .flags = FM_ATTR_REQUIRED,
                                            .text = "drag coefficient of flow across, along z"},
                                           {.name = "rule",
                                            CHOICE(rule_names),
                                            AT(fm_cross_flow_config, rule),
                                            .fallback = "gauss",
                                            .text = "strip rule: gauss (two points an interval between stations), "
                                                    "midpoint (count strips an interval), equal (count strips of "
                                                    "one width over the whole hull)"},
                                           {.name = "count",
                                            .type = FM_ATTR_INT,
                                            AT(fm_cross_flow_config, count),
                                            .min = 1,
                                            .max = 512,
                                            .fallback = "8",
                                            .text = "strips an interval (midpoint) or in all (equal)"}};
static const fm_element cross_flow_element =
    ONCE_ELEMENT("cross-flow", fm_cross_flow_config, cross_flow_attrs, "Cross-flow drag (6.47) on strips of the hull.");

static const char *const float_names[] = {"box", "cylinder", "lying-cylinder", "ellipsoid", NULL};
static const fm_attr float_attrs[] = {
    {.name = "shape",
     CHOICE(float_names),
     AT(fm_float_config, shape),
     .flags = FM_ATTR_REQUIRED,
     .text = "box, cylinder (standing), lying-cylinder (along x) or ellipsoid (a sphere where its axes are equal)"},
    {.name = "size",
     VEC3,
     AT(fm_float_config, size),
     .unit = "m",
     .min = 1e-3,
     .max = 1e3,
     .flags = FM_ATTR_REQUIRED,
     .text = "extent along x, y and z"},
    {.name = "centre",
     VEC3,
     AT(fm_float_config, centre),
     .unit = "m",
     .min = -1e3,
     .max = 1e3,
     .fallback = "0 0 0 m",
     .text = "centre of the shape from the body origin"}};
static const fm_element float_element = ELEMENT("float", fm_float_config, float_attrs,
                                                "A shape that displaces water as far as it is submerged: surface craft "
                                                "and buoys. Replaces <buoyancy>; several may be given.");

/* --- actuators --- */

#define ACT(field) AT(fm_actuator_config, field)
static const char *const dynamics_names[] = {"static", "first-order", "dc-motor", "second-order", NULL};
#define FAULTS                                                                                                         \
    {.name = "efficiency",                                                                                             \
     REAL,                                                                                                             \
     ACT(efficiency),                                                                                                  \
     .unit = "",                                                                                                       \
     .min = 0,                                                                                                         \
     .max = 1,                                                                                                         \
     .fallback = "1",                                                                                                  \
     .flags = FM_ATTR_LIVE,                                                                                            \
     .text = "fault: 1 healthy, 0 dead"},                                                                              \
        {.name = "stuck",                                                                                              \
         REAL,                                                                                                         \
         ACT(stuck),                                                                                                   \
         .unit = "",                                                                                                   \
         .min = 0,                                                                                                     \
         .max = 1,                                                                                                     \
         .fallback = "0",                                                                                              \
         .flags = FM_ATTR_LIVE,                                                                                        \
         .text = "fault: 1 keeps the present value whatever is ordered"},                                              \
    {                                                                                                                  \
        .name = "reversed", REAL, ACT(reversed), .unit = "", .min = 0, .max = 1, .fallback = "0",                      \
        .flags = FM_ATTR_LIVE, .text = "fault: 1 turns the sign of orders"                                             \
    }
#define COMMON                                                                                                         \
    FAULTS, {.name = "name", NAME, ACT(name), .flags = FM_ATTR_REQUIRED, .text = "its name in orders and columns"},    \
    {                                                                                                                  \
        .name = "group", NAME, ACT(group), .text = "name by which it is ordered together with others"                  \
    }
#define DYNAMICS                                                                                                       \
    {.name = "dynamics",                                                                                               \
     CHOICE(dynamics_names),                                                                                           \
     ACT(dynamics),                                                                                                    \
     .fallback = "static",                                                                                             \
     .text = "how the value follows the order"},                                                                       \
        {.name = "time-constant",                                                                                      \
         REAL,                                                                                                         \
         ACT(tau),                                                                                                     \
         .unit = "s",                                                                                                  \
         .min = 1e-4,                                                                                                  \
         .max = 1e3,                                                                                                   \
         .fallback = "0.5 s",                                                                                          \
         .text = "time constant of first-order and dc-motor, 1/natural frequency of second-order"},                    \
    {                                                                                                                  \
        .name = "damping", REAL, ACT(zeta), .unit = "", .min = 0, .max = 10, .fallback = "0.7",                        \
        .text = "damping ratio of second-order; load at full speed over friction of dc-motor"                          \
    }
#define PLACE                                                                                                          \
    {                                                                                                                  \
        .name = "position", VEC3, ACT(position), .unit = "m", .min = -1e3, .max = 1e3, .fallback = "0 0 0 m",          \
        .text = "where the force acts, from the body origin"                                                           \
    }

static const fm_attr propeller_attrs[] = {
    COMMON,
    PLACE,
    DYNAMICS,
    {.name = "direction",
     VEC3,
     ACT(direction),
     .unit = "",
     .min = -1,
     .max = 1,
     .fallback = "1 0 0",
     .text = "of the thrust, body axes"},
    {.name = "thrust",
     REAL,
     ACT(thrust),
     .unit = "N",
     .min = 0,
     .max = 1e7,
     .text = "thrust at the rated speed: F = thrust (n/rated)|n/rated|"},
    {.name = "thrust-reverse",
     REAL,
     ACT(thrust_reverse),
     .unit = "N",
     .min = 0,
     .max = 1e7,
     .text = "the same backwards; default: equal"},
    {.name = "rated",
     REAL,
     ACT(rated),
     .unit = "rad/s",
     .min = 1e-3,
     .max = 1e5,
     .flags = FM_ATTR_REQUIRED,
     .text = "rated shaft speed"},
    {.name = "cd0",
     REAL,
     ACT(cd0),
     .unit = "",
     .min = 0,
     .max = 10,
     .text = "instead of thrust, as in (6.43): rho/2 L^2 cd0 (rated-speed/rated)^2 share n|n|"},
    {.name = "length", REAL, ACT(length), .unit = "m", .min = 0, .max = 1e3, .text = "L of (6.43)"},
    {.name = "rated-speed",
     REAL,
     ACT(rated_speed),
     .unit = "m/s",
     .min = 0,
     .max = 100,
     .text = "speed of the vehicle at rated shaft speed (6.41)"},
    {.name = "share",
     REAL,
     ACT(share),
     .unit = "",
     .min = 0,
     .max = 1,
     .fallback = "1",
     .text = "part of the thrust (one of a pair: 0.5)"},
    {.name = "torque",
     REAL,
     ACT(torque),
     .unit = "N*m",
     .min = -1e6,
     .max = 1e6,
     .fallback = "0 N*m",
     .text = "torque on the vehicle at the rated speed forwards, about the direction of thrust; follows the thrust"},
    {.name = "limit",
     REAL,
     ACT(high),
     .unit = "rad/s",
     .min = 0,
     .max = 1e5,
     .text = "greatest order, either way; default: twice the rated speed"},
    {.name = "dead-band",
     REAL,
     ACT(dead_band),
     .unit = "rad/s",
     .min = 0,
     .max = 1e4,
     .fallback = "0 rpm",
     .text = "smaller orders give nothing"},
    {.name = "power",
     REAL,
     ACT(power),
     .unit = "W",
     .min = 0,
     .max = 1e7,
     .fallback = "0 W",
     .text = "electrical power at rated thrust"}};
static const fm_element propeller_element =
    ELEMENT("propeller", fm_actuator_config, propeller_attrs, "A propeller, ordered by shaft speed.");

static const fm_attr tunnel_attrs[] = {COMMON,
                                       PLACE,
                                       DYNAMICS,
                                       {.name = "direction",
                                        VEC3,
                                        ACT(direction),
                                        .unit = "",
                                        .min = -1,
                                        .max = 1,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "of the force for positive voltage"},
                                       {.name = "thrust",
                                        REAL,
                                        ACT(thrust),
                                        .unit = "N",
                                        .min = 0,
                                        .max = 1e6,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "force at the rated voltage (6.45)"},
                                       {.name = "rated",
                                        REAL,
                                        ACT(rated),
                                        .unit = "V",
                                        .min = 1e-3,
                                        .max = 1e5,
                                        .flags = FM_ATTR_REQUIRED,
                                        .text = "rated voltage, also the limit of orders"},
                                       {.name = "dead-band",
                                        REAL,
                                        ACT(dead_band),
                                        .unit = "V",
                                        .min = 0,
                                        .max = 1e4,
                                        .fallback = "0 V",
                                        .text = "smaller orders give nothing"},
                                       {.name = "power",
                                        REAL,
                                        ACT(power),
                                        .unit = "W",
                                        .min = 0,
                                        .max = 1e7,
                                        .fallback = "0 W",
                                        .text = "electrical power at rated thrust"}};
static const fm_element tunnel_element =
    ELEMENT("tunnel-thruster", fm_actuator_config, tunnel_attrs,
            "A thruster in a tunnel through the hull, ordered by voltage: F = thrust (V/rated)|V/rated| (6.45).");

static const fm_attr thruster_attrs[] = {COMMON,
                                         PLACE,
                                         DYNAMICS,
                                         {.name = "direction",
                                          VEC3,
                                          ACT(direction),
                                          .unit = "",
                                          .min = -1,
                                          .max = 1,
                                          .flags = FM_ATTR_REQUIRED,
                                          .text = "of the force for positive orders"},
                                         {.name = "thrust",
                                          REAL,
                                          ACT(thrust),
                                          .unit = "N",
                                          .min = 1e-6,
                                          .max = 1e7,
                                          .flags = FM_ATTR_REQUIRED,
                                          .text = "greatest force forwards"},
                                         {.name = "thrust-reverse",
                                          REAL,
                                          ACT(thrust_reverse),
                                          .unit = "N",
                                          .min = 0,
                                          .max = 1e7,
                                          .text = "greatest force backwards; default: equal"},
                                         {.name = "dead-band",
                                          REAL,
                                          ACT(dead_band),
                                          .unit = "N",
                                          .min = 0,
                                          .max = 1e4,
                                          .fallback = "0 N",
                                          .text = "smaller orders give nothing"},
                                         {.name = "power",
                                          REAL,
                                          ACT(power),
                                          .unit = "W",
                                          .min = 0,
                                          .max = 1e7,
                                          .fallback = "0 W",
                                          .text = "electrical power at greatest force"}};
static const fm_element thruster_element =
    ELEMENT("thruster", fm_actuator_config, thruster_attrs, "A thruster ordered by force.");

static const fm_attr fin_attrs[] = {
    COMMON,
    PLACE,
    DYNAMICS,
    {.name = "limit",
     REAL,
     ACT(high),
     .unit = "rad",
     .min = 1e-3,
     .max = 3.2,
     .fallback = "45 deg",
     .text = "greatest deflection, either way"},
    {.name = "rate",
     REAL,
     ACT(rate_limit),
     .unit = "rad/s",
     .min = 0,
     .max = 1e3,
     .fallback = "0 deg/s",
     .text = "greatest rate; 0: no limit"},
    {.name = "length",
     REAL,
     ACT(length),
     .unit = "m",
     .min = 0,
     .max = 1e3,
     .text = "L that makes X … N dimensionless (rho/2 L^2 u|u|, L^3 for moments)"},
    {.name = "X_dd",
     REAL,
     ACT(fin.squared),
     .unit = "",
     .fallback = "0",
     .text = "surge force of u|u| and squared deflection"},
    {.name = "Y", REAL, ACT(fin.along[1]), .unit = "", .fallback = "0", .text = "sway force of u|u| and deflection"},
    {.name = "Z", REAL, ACT(fin.along[2]), .unit = "", .fallback = "0", .text = "heave force of u|u| and deflection"},
    {.name = "K", REAL, ACT(fin.along[3]), .unit = "", .fallback = "0", .text = "roll moment of u|u| and deflection"},
    {.name = "M", REAL, ACT(fin.along[4]), .unit = "", .fallback = "0", .text = "pitch moment of u|u| and deflection"},
    {.name = "N", REAL, ACT(fin.along[5]), .unit = "", .fallback = "0", .text = "yaw moment of u|u| and deflection"},
    {.name = "X_uq", REAL, ACT(fin.uq), .unit = "", .fallback = "0", .text = "surge force of u q and deflection"},
    {.name = "X_ur", REAL, ACT(fin.ur), .unit = "", .fallback = "0", .text = "surge force of u r and deflection"},
    {.name = "X_uv", REAL, ACT(fin.uv), .unit = "", .fallback = "0", .text = "surge force of u v and deflection"},
    {.name = "X_uw", REAL, ACT(fin.uw), .unit = "", .fallback = "0", .text = "surge force of u w and deflection"},
    {.name = "area",
     REAL,
     ACT(area),
     .unit = "m2",
     .min = 0,
     .max = 100,
     .fallback = "0 m2",
     .text = "instead of coefficients: area of the fin"},
    {.name = "lift-slope",
     REAL,
     ACT(lift_slope),
     .unit = "1/rad",
     .min = 0,
     .max = 10,
     .fallback = "0 1/rad",
     .text = "lift coefficient per radian: lift = rho/2 u|u| area lift-slope deflection"},
    {.name = "direction",
     VEC3,
     ACT(direction),
     .unit = "",
     .min = -1,
     .max = 1,
     .fallback = "0 0 1",
     .text = "of the lift for positive deflection"}};
static const fm_element fin_element =
    ELEMENT("fin", fm_actuator_config, fin_attrs,
            "A fin, rudder or plane, by hydrodynamic coefficients or by its area and lift slope.");

static const fm_attr ballast_attrs[] = {COMMON,
                                        PLACE,
                                        {.name = "limit",
                                         REAL,
                                         ACT(high),
                                         .unit = "kg",
                                         .min = 0,
                                         .max = 1e6,
                                         .flags = FM_ATTR_REQUIRED,
                                         .text = "capacity of the tank"},
                                        {.name = "rate",
                                         REAL,
                                         ACT(rate_limit),
                                         .unit = "kg/s",
                                         .min = 0,
                                         .max = 1e5,
                                         .fallback = "0 kg/s",
                                         .text = "of filling and emptying; 0: at once"}};
static const fm_element ballast_element =
    ELEMENT("ballast", fm_actuator_config, ballast_attrs,
            "A ballast tank, ordered by the mass of water in it: changes weight, centre of gravity and inertia.");

static const fm_attr moving_mass_attrs[] = {COMMON,
                                            PLACE,
                                            {.name = "direction",
                                             VEC3,
                                             ACT(direction),
                                             .unit = "",
                                             .min = -1,
                                             .max = 1,
                                             .fallback = "1 0 0",
                                             .text = "along which it moves"},
                                            {.name = "mass",
                                             REAL,
                                             ACT(mass),
                                             .unit = "kg",
                                             .min = 0,
                                             .max = 1e6,
                                             .flags = FM_ATTR_REQUIRED,
                                             .text = "of the moving part (included in the vehicle's mass)"},
                                            {.name = "limit",
                                             REAL,
                                             ACT(high),
                                             .unit = "m",
                                             .min = 0,
                                             .max = 100,
                                             .flags = FM_ATTR_REQUIRED,
                                             .text = "greatest travel, either way"},
                                            {.name = "rate",
                                             REAL,
                                             ACT(rate_limit),
                                             .unit = "m/s",
                                             .min = 0,
                                             .max = 100,
                                             .fallback = "0 m/s",
                                             .text = "greatest speed; 0: at once"}};
static const fm_element moving_mass_element =
    ELEMENT("moving-mass", fm_actuator_config, moving_mass_attrs,
            "A mass that moves inside the hull, ordered by its travel: shifts centre of gravity and inertia.");

/* --- the rest --- */

static const fm_attr battery_attrs[] = {
    {.name = "capacity",
     REAL,
     AT(fm_battery_config, capacity),
     .unit = "J",
     .min = 1,
     .max = 1e13,
     .flags = FM_ATTR_REQUIRED,
     .text = "energy when full"},
    {.name = "hotel",
     REAL,
     AT(fm_battery_config, hotel),
     .unit = "W",
     .min = 0,
     .max = 1e6,
     .fallback = "0 W",
     .text = "load that is always there"},
    {.name = "propulsion",
     REAL,
     AT(fm_battery_config, propulsion),
     .unit = "W",
     .min = 0,
     .max = 1e7,
     .fallback = "0 W",
     .text = "power at at-speed, growing with the cube of the speed, where thrusters declare no power of their own"},
    {.name = "at-speed",
     REAL,
     AT(fm_battery_config, at_speed),
     .unit = "m/s",
     .min = 1e-3,
     .max = 100,
     .fallback = "1 m/s",
     .text = "see propulsion"}};
static const fm_element battery_element =
    ONCE_ELEMENT("battery", fm_battery_config, battery_attrs,
                 "Battery drained by hotel load and propulsion; when it is empty the thrusters stop.");

static const fm_attr limits_attrs[] = {{.name = "rated-depth",
                                        REAL,
                                        AT(fm_limits_config, rated_depth),
                                        .unit = "m",
                                        .min = 0,
                                        .max = 12000,
                                        .fallback = "0 m",
                                        .text = "passing it is an event; 0: none"},
                                       {.name = "crush-depth",
                                        REAL,
                                        AT(fm_limits_config, crush_depth),
                                        .unit = "m",
                                        .min = 0,
                                        .max = 12000,
                                        .fallback = "0 m",
                                        .text = "passing it ends the vehicle; 0: none"}};
static const fm_element limits_element =
    ONCE_ELEMENT("limits", fm_limits_config, limits_attrs, "Depth limits of the hull.");

static const char *const hull_names[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid", NULL};
static const fm_attr hull_attrs[] = {
    {.name = "name", NAME, AT(fm_hull_config, name), .text = "of this part of the hull"},
    {.name = "kind",
     CHOICE(hull_names),
     AT(fm_hull_config, kind),
     .flags = FM_ATTR_REQUIRED,
     .text = "of shape; capsules and cylinders lie along x"},
    {.name = "size",
     VEC3,
     AT(fm_hull_config, size),
     .unit = "m",
     .min = 1e-4,
     .max = 1e3,
     .flags = FM_ATTR_REQUIRED,
     .text = "extent along x, y and z"},
    {.name = "centre",
     VEC3,
     AT(fm_hull_config, centre),
     .unit = "m",
     .min = -1e3,
     .max = 1e3,
     .fallback = "0 0 0 m",
     .text = "from the body origin"},
    {.name = "attitude",
     VEC3,
     AT(fm_hull_config, attitude),
     .unit = "rad",
     .min = -7,
     .max = 7,
     .fallback = "0 0 0 deg",
     .text = "roll, pitch, yaw against the body axes"}};
static const fm_element hull_element = ELEMENT("hull", fm_hull_config, hull_attrs,
                                               "A convex shape of the hull, for contact, rays and pictures; several "
                                               "may be given. Without any, an ellipsoid of the overall size.");

static const char *const response_names[] = {"none", "count", "impulse", "restore", NULL};
static const fm_attr contact_attrs[] = {
    {.name = "response",
     CHOICE(response_names),
     AT(fm_contact_config, response),
     .fallback = "impulse",
     .text = "none, count (no force), impulse through the virtual mass, or restore the pose before the step"},
    {.name = "restitution",
     REAL,
     AT(fm_contact_config, restitution),
     .unit = "",
     .min = 0,
     .max = 1,
     .fallback = "0.2",
     .text = "part of the approach speed that comes back"},
    {.name = "friction",
     REAL,
     AT(fm_contact_config, friction),
     .unit = "",
     .min = 0,
     .max = 10,
     .fallback = "0.3",
     .text = "Coulomb coefficient"},
    {.name = "clearance",
     .type = FM_ATTR_BOOL,
     AT(fm_contact_config, clearance),
     .fallback = "false",
     .text = "evaluate min_clearance each vehicle step"}};
static const fm_element contact_element =
    ONCE_ELEMENT("contact", fm_contact_config, contact_attrs, "What happens when the hull meets something solid.");

static const char *const side_names[] = {"starboard", "port", NULL};
static const fm_attr approach_attrs[] = {
    {.name = "to",
     NAME,
     AT(fm_approach_config, to),
     .flags = FM_ATTR_REQUIRED,
     .text = "name of a wall, column, sphere or box"},
    {.name = "angle",
     REAL,
     AT(fm_approach_config, angle),
     .unit = "rad",
     .min = 0.01,
     .max = 1.5707963267948966,
     .fallback = "90 deg",
     .text = "between heading and wall plane (the tangent plane of something round); 90 deg is head-on"},
    {.name = "gap",
     REAL,
     AT(fm_approach_config, gap),
     .unit = "m",
     .min = 1e-3,
     .max = 1e4,
     .flags = FM_ATTR_REQUIRED,
     .text = "from the nose to the thing; the nose is round, half as thick as the hull's lesser side"},
    {.name = "speed",
     REAL,
     AT(fm_approach_config, speed),
     .unit = "m/s",
     .min = 0,
     .max = 100,
     .fallback = "0 m/s",
     .text = "forward, over ground"},
    {.name = "side",
     CHOICE(side_names),
     AT(fm_approach_config, side),
     .fallback = "starboard",
     .text = "on which the thing lies"}};
static const fm_element approach_element =
    ONCE_ELEMENT("approach", fm_approach_config, approach_attrs,
                 "Placement relative to something: level, on course towards it. The vehicle's position tells the depth "
                 "and the side from which it comes.");

#define DIV(field) AT(fm_diving_config, p.field)
static const fm_attr diving_attrs[] = {
    {.name = "mass", REAL, DIV(mass), .unit = "kg", .min = 1e-3, .max = 1e7, .flags = FM_ATTR_REQUIRED, .text = "m"},
    {.name = "inertia",
     REAL,
     DIV(inertia),
     .unit = "kg*m2",
     .min = 1e-6,
     .max = 1e9,
     .flags = FM_ATTR_REQUIRED,
     .text = "Iy"},
    {.name = "weight", REAL, DIV(weight), .unit = "N", .min = 0, .max = 1e8, .flags = FM_ATTR_REQUIRED, .text = "W"},
    {.name = "buoyancy",
     REAL,
     DIV(buoyancy),
     .unit = "N",
     .min = 0,
     .max = 1e8,
     .flags = FM_ATTR_REQUIRED,
     .text = "B"},
    {.name = "zg",
     REAL,
     DIV(centre_of_gravity),
     .unit = "m",
     .min = -10,
     .max = 10,
     .flags = FM_ATTR_REQUIRED,
     .text = "centre of gravity below the centre of buoyancy"},
    {.name = "Z_w",
     REAL,
     DIV(z_w),
     .unit = "kg/s",
     .flags = FM_ATTR_REQUIRED,
     .text = "heave force of heave, at table-speed"},
    {.name = "Z_q",
     REAL,
     DIV(z_q),
     .unit = "kg*m/s",
     .flags = FM_ATTR_REQUIRED,
     .text = "heave force of pitch rate, at table-speed"},
    {.name = "Z_wdot", REAL, DIV(z_wdot), .unit = "kg", .flags = FM_ATTR_REQUIRED, .text = "added mass"},
    {.name = "Z_qdot", REAL, DIV(z_qdot), .unit = "kg*m", .flags = FM_ATTR_REQUIRED, .text = "added mass"},
    {.name = "Z_delta",
     REAL,
     DIV(z_delta),
     .unit = "N/rad",
     .flags = FM_ATTR_REQUIRED,
     .text = "heave force of the stern planes, at table-speed"},
    {.name = "M_w",
     REAL,
     DIV(m_w),
     .unit = "kg*m/s",
     .flags = FM_ATTR_REQUIRED,
     .text = "pitch moment of heave, at table-speed"},
    {.name = "M_q",
     REAL,
     DIV(m_q),
     .unit = "kg*m2/s",
     .flags = FM_ATTR_REQUIRED,
     .text = "pitch moment of pitch rate, at table-speed"},
    {.name = "M_wdot", REAL, DIV(m_wdot), .unit = "kg*m", .flags = FM_ATTR_REQUIRED, .text = "added mass"},
    {.name = "M_qdot", REAL, DIV(m_qdot), .unit = "kg*m2", .flags = FM_ATTR_REQUIRED, .text = "added inertia"},
    {.name = "M_delta",
     REAL,
     DIV(m_delta),
     .unit = "N*m/rad",
     .flags = FM_ATTR_REQUIRED,
     .text = "pitch moment of the stern planes, at table-speed"},
    {.name = "table-speed",
     REAL,
     DIV(table_speed),
     .unit = "m/s",
     .min = 0.01,
     .max = 100,
     .flags = FM_ATTR_REQUIRED,
     .text = "speed at which the coefficients were taken"},
    {.name = "scaled",
     .type = FM_ATTR_BOOL,
     AT(fm_diving_config, scaled),
     .fallback = "true",
     .text = "coefficients follow the speed; false: table values at every speed"},
    {.name = "large-angle-statics",
     .type = FM_ATTR_BOOL,
     AT(fm_diving_config, large_angle),
     .fallback = "false",
     .text = "restoring by sine and cosine of pitch instead of the printed linear form"},
    {.name = "trimmed",
     .type = FM_ATTR_BOOL,
     AT(fm_diving_config, trimmed),
     .fallback = "false",
     .text = "begins in level flight, with the pitch and heave that hold the depth against weight less buoyancy, "
             "whatever the scenario's are"}};
static const fm_element diving_element = ONCE_ELEMENT(
    "diving", fm_diving_config, diving_attrs,
    "Coefficients of the vertical-plane diving model (kind=\"diving\"): heave and pitch at constant speed.");

static const fm_attr at_attrs[] = {{.name = "t",
                                    REAL,
                                    AT(fm_at_config, t),
                                    .unit = "s",
                                    .min = 0,
                                    .max = 1e9,
                                    .flags = FM_ATTR_REQUIRED,
                                    .text = "when"}};
static const fm_element at_element = {
    .name = "at",
    .text = "Orders at a moment: further attributes are names of actuators or groups (bow-rudder=\"15 deg\").",
    .attrs = at_attrs,
    .attr_count = FM_COUNT(at_attrs),
    .config_size = sizeof(fm_at_config),
    .flags = FM_ELEMENT_OPEN};
static const fm_element *const orders_children[] = {&at_element, NULL};
static const fm_element orders_element = {
    .name = "orders", .text = "Timed orders to the actuators.", .children = orders_children, .flags = FM_ELEMENT_ONCE};

static const fm_element *const vehicle_children[] = {&mass_element,
                                                     &component_element,
                                                     &buoyancy_element,
                                                     &added_mass_element,
                                                     &added_matrix_element,
                                                     &spheroid_element,
                                                     &fm_hydrodynamics_element,
                                                     &fm_drag_element,
                                                     &cross_flow_element,
                                                     &float_element,
                                                     &propeller_element,
                                                     &tunnel_element,
                                                     &thruster_element,
                                                     &fin_element,
                                                     &ballast_element,
                                                     &moving_mass_element,
                                                     &battery_element,
                                                     &limits_element,
                                                     &hull_element,
                                                     &contact_element,
                                                     &diving_element,
                                                     &fm_fish_wave_element,
                                                     &fm_fish_swimming_element,
                                                     &fm_fish_servo_element,
                                                     &fm_fish_body_element,
                                                     &fm_fish_pectoral_element,
                                                     &orders_element,
                                                     &approach_element,
                                                     NULL};
static const char *const vehicle_groups[] = {"sensor", "controller", "force", "kind", NULL};

static const char *const kind_names[] = {"body", "diving", "fish", NULL};
static const char *const integrator_names[] = {"euler", "heun", "rk4", "text", NULL};
static const char *const posture_names[] = {"quaternion", "euler", NULL};
static const char *const thrust_names[] = {"paper", "elongated-body", NULL};
static const char *const coriolis_names[] = {"rigid-body", "full", NULL};
#define VEH(field) AT(fm_vehicle_config, field)
#define SHARED                                                                                                         \
    {.name = "text", .type = FM_ATTR_TEXT, VEH(text), .text = "what it is, for people"},                               \
        {.name = "kind",                                                                                               \
         CHOICE(kind_names),                                                                                           \
         VEH(kind),                                                                                                    \
         .fallback = "body",                                                                                           \
         .text = "6-DOF body, vertical-plane diving model, or jointed fish"},                                          \
        {.name = "coriolis",                                                                                           \
         CHOICE(coriolis_names),                                                                                       \
         VEH(coriolis),                                                                                                \
         .fallback = "rigid-body",                                                                                     \
         .text = "Coriolis and centripetal terms of the rigid body alone, as in (6.48)-(6.53), or of the full "        \
                 "virtual mass"},                                                                                      \
        {.name = "integrator",                                                                                         \
         CHOICE(integrator_names),                                                                                     \
         VEH(integrator),                                                                                              \
         .fallback = "heun",                                                                                           \
         .text = "euler, heun, rk4, or text: the dissertation's Heun on velocity, then Euler on posture"},             \
        {.name = "posture",                                                                                            \
         CHOICE(posture_names),                                                                                        \
         VEH(posture),                                                                                                 \
         .fallback = "quaternion",                                                                                     \
         .text = "what is integrated; euler stops at +-90 deg pitch"},                                                 \
        {.name = "period",                                                                                             \
         REAL,                                                                                                         \
         VEH(period),                                                                                                  \
         .unit = "s",                                                                                                  \
         .min = 0,                                                                                                     \
         .max = 1e3,                                                                                                   \
         .text = "of the vehicle's step, a multiple of the world's dt; default: dt"},                                  \
        {.name = "substeps",                                                                                           \
         .type = FM_ATTR_INT,                                                                                          \
         VEH(substeps),                                                                                                \
         .min = 1,                                                                                                     \
         .max = 1000,                                                                                                  \
         .fallback = "1",                                                                                              \
         .text = "equal sub-steps of the integrator within a step"},                                                   \
        {.name = "tolerance",                                                                                          \
         REAL,                                                                                                         \
         VEH(tolerance),                                                                                               \
         .unit = "",                                                                                                   \
         .min = 0,                                                                                                     \
         .max = 1,                                                                                                     \
         .fallback = "0",                                                                                              \
         .text = "sub-steps by error control: their number doubles until the state changes by less than this (SI); "   \
                 "0: off"},                                                                                            \
        {.name = "length",                                                                                             \
         REAL,                                                                                                         \
         VEH(length),                                                                                                  \
         .unit = "m",                                                                                                  \
         .min = 0,                                                                                                     \
         .max = 1e3,                                                                                                   \
         .fallback = "0 m",                                                                                            \
         .text = "overall length"},                                                                                    \
        {.name = "width",                                                                                              \
         REAL,                                                                                                         \
         VEH(width),                                                                                                   \
         .unit = "m",                                                                                                  \
         .min = 0,                                                                                                     \
         .max = 1e3,                                                                                                   \
         .fallback = "0 m",                                                                                            \
         .text = "overall width"},                                                                                     \
        {.name = "height",                                                                                             \
         REAL,                                                                                                         \
         VEH(height),                                                                                                  \
         .unit = "m",                                                                                                  \
         .min = 0,                                                                                                     \
         .max = 1e3,                                                                                                   \
         .fallback = "0 m",                                                                                            \
         .text = "overall height"},                                                                                    \
        {.name = "speed",                                                                                              \
         REAL,                                                                                                         \
         VEH(speed),                                                                                                   \
         .unit = "m/s",                                                                                                \
         .min = 0,                                                                                                     \
         .max = 100,                                                                                                   \
         .text = "constant speed through the water of the diving model"},                                              \
        {.name = "thrust",                                                                                             \
         CHOICE(thrust_names),                                                                                         \
         VEH(thrust),                                                                                                  \
         .fallback = "paper",                                                                                          \
         .text = "of a fish: (6)-(8) of the paper, or elongated-body theory with recoil; yaw is (9) in both"},         \
        {.name = "deflection",                                                                                         \
         REAL,                                                                                                         \
         VEH(deflection),                                                                                              \
         .unit = "rad",                                                                                                \
         .min = -1.5,                                                                                                  \
         .max = 1.5,                                                                                                   \
         .fallback = "0 deg",                                                                                          \
         .flags = FM_ATTR_LIVE,                                                                                        \
         .text = "of a fish's tail at the start, positive turns to starboard; then what was last ordered"},            \
    {                                                                                                                  \
        .name = "depth", REAL, VEH(depth), .unit = "m", .min = 0, .max = 12000, .flags = FM_ATTR_LIVE,                 \
        .text = "that a fish keeps; default: the depth it starts at; then what was last ordered"                       \
    }

static const fm_attr model_attrs[] = {
    {.name = "name", NAME, VEH(name), .flags = FM_ATTR_REQUIRED, .text = "of the model"}, SHARED};
const fm_element fm_model_element = {.name = "model",
                                     .text = "A vehicle model: the root of a file in models/.",
                                     .attrs = model_attrs,
                                     .attr_count = FM_COUNT(model_attrs),
                                     .children = vehicle_children,
                                     .groups = vehicle_groups,
                                     .config_size = sizeof(fm_vehicle_config)};

static const fm_attr vehicle_attrs[] = {
    {.name = "name", NAME, VEH(name), .flags = FM_ATTR_REQUIRED, .text = "of this vehicle, at most 31 characters"},
    {.name = "model", NAME, VEH(model), .text = "model file to start from; what is written here overrides it"},
    {.name = "position",
     VEC3,
     VEH(position),
     .unit = "m",
     .min = -1e7,
     .max = 1e7,
     .fallback = "0 0 0 m",
     .text = "north, east, depth"},
    {.name = "attitude",
     VEC3,
     VEH(attitude),
     .unit = "rad",
     .min = -7,
     .max = 7,
     .fallback = "0 0 0 deg",
     .text = "roll, pitch, heading"},
    {.name = "velocity",
     VEC3,
     VEH(velocity),
     .unit = "m/s",
     .min = -100,
     .max = 100,
     .fallback = "0 0 0 m/s",
     .text = "over ground, body axes"},
    {.name = "rates",
     VEC3,
     VEH(rates),
     .unit = "rad/s",
     .min = -100,
     .max = 100,
     .fallback = "0 0 0 deg/s",
     .text = "p, q, r"},
    {.name = "count",
     .type = FM_ATTR_INT,
     VEH(count),
     .min = 1,
     .max = 1000000,
     .fallback = "1",
     .text = "several alike, named NAME-1, NAME-2 …"},
    {.name = "spacing",
     VEC3,
     VEH(spacing),
     .unit = "m",
     .min = -1e6,
     .max = 1e6,
     .fallback = "0 10 0 m",
     .text = "from one to the next, where count is more than 1"},
    SHARED};
const fm_element fm_vehicle_element = {.name = "vehicle",
                                       .text = "A vehicle in the scenario.",
                                       .attrs = vehicle_attrs,
                                       .attr_count = FM_COUNT(vehicle_attrs),
                                       .children = vehicle_children,
                                       .groups = vehicle_groups,
                                       .config_size = sizeof(fm_vehicle_config)};
