#include "scenario/vehicle_elements.h"

#include "scenario/fish_elements.h"

/* --- mass and buoyancy --- */

static const char *const about_names[] = {"origin", "centre", NULL};
static const fm_attr mass_attrs[] = {
    FM_REAL_ATTR(fm_mass_config, mass, "mass", "kg", 1e-6, 1e9, NULL, 0, "mass (this or weight)"),
    FM_REAL_ATTR(fm_mass_config, weight, "weight", "N", 1e-6, 1e10, NULL, 0, "weight W; the mass is W/g"),
    FM_VECTOR_ATTR(fm_mass_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "centre of gravity from the body origin"),
    FM_VECTOR_ATTR(fm_mass_config, inertia, 3, "inertia", "kg*m2", 0, 1e12, NULL, FM_ATTR_REQUIRED,
                   "moments of inertia about x, y and z (6.55)-(6.57)"),
    FM_VECTOR_ATTR(fm_mass_config, products, 3, "products", "kg*m2", -1e12, 1e12, "0 0 0 kg*m2", 0,
                   "products of inertia: integrals of xy, xz and yz dm (6.58)-(6.60)"),
    FM_CHOICE_ATTR(fm_mass_config, about, about_names, "about", "origin", 0,
                   "the point that the inertia refers to: the body origin or the centre of gravity"),
};
static const fm_element mass_element =
    FM_TABLE_ELEMENT(fm_mass_config, "mass", mass_attrs, NULL, FM_ELEMENT_ONCE, "Mass, centre of gravity and inertia.");

static const fm_attr component_attrs[] = {
    FM_NAME_ATTR(fm_component_config, name, "name", NULL, FM_ATTR_REQUIRED, "what it is"),
    FM_REAL_ATTR(fm_component_config, mass, "mass", "kg", 1e-9, 1e9, NULL, 0, "mass (this, weight or flooded)"),
    FM_REAL_ATTR(fm_component_config, weight, "weight", "N", 1e-9, 1e10, NULL, 0, "weight in air"),
    FM_REAL_ATTR(fm_component_config, volume, "flooded", "m3", 1e-9, 1e6, NULL, 0,
                 "volume of free-flood water: mass that moves with the hull but weighs nothing in water"),
    FM_VECTOR_ATTR(fm_component_config, centre, 3, "centre", "m", -1e3, 1e3, NULL, FM_ATTR_REQUIRED,
                   "centre of mass from the body origin"),
    FM_VECTOR_ATTR(fm_component_config, size, 3, "size", "m", 0, 1e3, "0 0 0 m", 0,
                   "sides of a uniform box; 0 0 0 is a point mass"),
};
static const fm_element component_element =
    FM_TABLE_ELEMENT(fm_component_config, "component", component_attrs, NULL, 0,
                     "One component of a vehicle whose mass properties are summed "
                     "from a list (6.55)-(6.60), free-flood water included.");

static const fm_attr buoyancy_attrs[] = {
    FM_REAL_ATTR(fm_buoyancy_config, force, "force", "N", 0, 1e10, NULL, 0,
                 "buoyancy B in the scenario's nominal water density (this or volume; neither: equal to the weight)"),
    FM_REAL_ATTR(fm_buoyancy_config, volume, "volume", "m3", 0, 1e6, NULL, 0, "displaced volume"),
    FM_VECTOR_ATTR(fm_buoyancy_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "centre of buoyancy from the body origin"),
    FM_REAL_ATTR(fm_buoyancy_config, compression, "compression", "1/m", 0, 1e-2, "0 1/m", 0,
                 "part of the buoyancy lost per metre of depth by compression of the hull"),
};
static const fm_element buoyancy_element = FM_TABLE_ELEMENT(
    fm_buoyancy_config, "buoyancy", buoyancy_attrs, NULL, FM_ELEMENT_ONCE,
    "Buoyancy of the wholly submerged hull. Without this element the vehicle is neutral, its centre of "
    "buoyancy the origin.");

/* --- added mass --- */

#define DOT(row, i, column, k)                                                                                         \
    FM_REAL_ATTR(fm_added_mass_config, c[i][k], #row "_" #column "dot", "", 0, 0, NULL, 0,                             \
                 "added mass of " #column " acceleration in the equation of " #row ", dimensionless")
#define DOTS(row, i)                                                                                                   \
    DOT(row, i, u, 0), DOT(row, i, v, 1), DOT(row, i, w, 2), DOT(row, i, p, 3), DOT(row, i, q, 4), DOT(row, i, r, 5)
static const fm_attr added_mass_attrs[] = {
    FM_REAL_ATTR(fm_added_mass_config, length, "length", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length L that makes the coefficients dimensionless"),
    DOTS(X, 0),
    DOTS(Y, 1),
    DOTS(Z, 2),
    DOTS(K, 3),
    DOTS(M, 4),
    DOTS(N, 5),
};
static const fm_element added_mass_element = FM_TABLE_ELEMENT(
    fm_added_mass_config, "added-mass", added_mass_attrs, NULL, FM_ELEMENT_ONCE,
    "Added mass by dimensionless coefficients (6.54): the mass matrix gains -rho/2 L^n times the coefficient, n = 3 "
    "for force and velocity, 4 for force and rate or moment and velocity, 5 for moment and rate.");

static const fm_attr added_matrix_attrs[] = {
    FM_VECTOR_ATTR(fm_added_matrix_config, linear, 3, "linear", "kg", 0, 1e9, "0 0 0 kg", 0,
                   "added mass in surge, sway and heave, positive"),
    FM_VECTOR_ATTR(fm_added_matrix_config, angular, 3, "angular", "kg*m2", 0, 1e12, "0 0 0 kg*m2", 0,
                   "added inertia in roll, pitch and yaw, positive"),
    FM_LIST_ATTR(fm_added_matrix_config, linear_full, 9, "linear-full", "kg", 0, 0, 0,
                 "9 numbers by row, instead of linear"),
    FM_LIST_ATTR(fm_added_matrix_config, coupled, 9, "coupled", "kg*m", 0, 0, 0,
                 "9 numbers by row: force from turning (upper right); the lower left is its transpose"),
    FM_LIST_ATTR(fm_added_matrix_config, angular_full, 9, "angular-full", "kg*m2", 0, 0, 0,
                 "9 numbers by row, instead of angular"),
};
static const fm_element added_matrix_element = FM_TABLE_ELEMENT(
    fm_added_matrix_config, "added-mass-matrix", added_matrix_attrs, NULL, FM_ELEMENT_ONCE,
    "Added mass in SI units: diagonal or full 6x6 in blocks. Positive numbers are mass that moves with the hull.");

static const fm_attr spheroid_attrs[] = {
    FM_REAL_ATTR(fm_spheroid_config, length, "length", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED,
                 "length along the axis of revolution (body x)"),
    FM_REAL_ATTR(fm_spheroid_config, diameter, "diameter", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED, "greatest diameter"),
};
static const fm_element spheroid_element =
    FM_TABLE_ELEMENT(fm_spheroid_config, "spheroid", spheroid_attrs, NULL, FM_ELEMENT_ONCE,
                     "Added mass of a spheroid in ideal fluid by Lamb's k-factors, added to what else is given.");

/* --- hull --- */

static const char *const rule_names[] = {"gauss", "midpoint", "equal", NULL};
static const fm_attr cross_flow_attrs[] = {
    FM_LIST_ATTR(fm_cross_flow_config, x, 256, "x", "m", -1e3, 1e3, FM_ATTR_REQUIRED, "stations from tail to nose"),
    FM_LIST_ATTR(fm_cross_flow_config, height, 256, "height", "m", 0, 1e3, FM_ATTR_REQUIRED,
                 "height h(x) of the hull along z at each station"),
    FM_LIST_ATTR(fm_cross_flow_config, breadth, 256, "breadth", "m", 0, 1e3, FM_ATTR_REQUIRED,
                 "breadth b(x) of the hull along y at each station"),
    FM_REAL_ATTR(fm_cross_flow_config, cdy, "cdy", "", 0, 10, NULL, FM_ATTR_REQUIRED,
                 "drag coefficient of flow across, along y"),
    FM_REAL_ATTR(fm_cross_flow_config, cdz, "cdz", "", 0, 10, NULL, FM_ATTR_REQUIRED,
                 "drag coefficient of flow across, along z"),
    FM_CHOICE_ATTR(fm_cross_flow_config, rule, rule_names, "rule", "gauss", 0,
                   "strip rule: gauss (two points an interval between stations), midpoint (count strips an interval), "
                   "equal (count strips of one width over the whole hull)"),
    FM_INT_ATTR(fm_cross_flow_config, count, "count", 1, 512, "8", 0,
                "strips an interval (midpoint) or in all (equal)"),
};
static const fm_element cross_flow_element =
    FM_TABLE_ELEMENT(fm_cross_flow_config, "cross-flow", cross_flow_attrs, NULL, FM_ELEMENT_ONCE,
                     "Cross-flow drag (6.47) on strips of the hull.");

static const char *const float_names[] = {"box", "cylinder", "lying-cylinder", "ellipsoid", NULL};
static const fm_attr float_attrs[] = {
    FM_CHOICE_ATTR(
        fm_float_config, shape, float_names, "shape", NULL, FM_ATTR_REQUIRED,
        "box, cylinder (standing), lying-cylinder (along x) or ellipsoid (a sphere where its axes are equal)"),
    FM_VECTOR_ATTR(fm_float_config, size, 3, "size", "m", 1e-3, 1e3, NULL, FM_ATTR_REQUIRED, "extent along x, y and z"),
    FM_VECTOR_ATTR(fm_float_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0,
                   "centre of the shape from the body origin"),
};
static const fm_element float_element =
    FM_TABLE_ELEMENT(fm_float_config, "float", float_attrs, NULL, 0,
                     "A shape that displaces water as far as it is submerged: surface "
                     "craft and buoys. Replaces <buoyancy>; several may be given.");

/* --- actuators --- */

static const char *const dynamics_names[] = {"static", "first-order", "dc-motor", "second-order", NULL};
#define FAULTS                                                                                                         \
    FM_REAL_ATTR(fm_actuator_config, efficiency, "efficiency", "", 0, 1, "1", FM_ATTR_LIVE,                            \
                 "fault: 1 healthy, 0 dead"),                                                                          \
        FM_REAL_ATTR(fm_actuator_config, stuck, "stuck", "", 0, 1, "0", FM_ATTR_LIVE,                                  \
                     "fault: 1 keeps the present value whatever is ordered"),                                          \
        FM_REAL_ATTR(fm_actuator_config, reversed, "reversed", "", 0, 1, "0", FM_ATTR_LIVE,                            \
                     "fault: 1 turns the sign of orders")
#define COMMON                                                                                                         \
    FAULTS, FM_NAME_ATTR(fm_actuator_config, name, "name", NULL, FM_ATTR_REQUIRED, "its name in orders and columns"),  \
        FM_NAME_ATTR(fm_actuator_config, group, "group", NULL, 0, "name by which it is ordered together with others")
#define DYNAMICS                                                                                                       \
    FM_CHOICE_ATTR(fm_actuator_config, dynamics, dynamics_names, "dynamics", "static", 0,                              \
                   "how the value follows the order"),                                                                 \
        FM_REAL_ATTR(fm_actuator_config, tau, "time-constant", "s", 1e-4, 1e3, "0.5 s", 0,                             \
                     "time constant of first-order and dc-motor, 1/natural frequency of second-order"),                \
        FM_REAL_ATTR(fm_actuator_config, zeta, "damping", "", 0, 10, "0.7", 0,                                         \
                     "damping ratio of second-order; load at full speed over friction of dc-motor")
#define PLACE                                                                                                          \
    FM_VECTOR_ATTR(fm_actuator_config, position, 3, "position", "m", -1e3, 1e3, "0 0 0 m", 0,                          \
                   "where the force acts, from the body origin")

static const fm_attr propeller_attrs[] = {
    COMMON,
    PLACE,
    DYNAMICS,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, "1 0 0", 0, "of the thrust, body axes"),
    FM_REAL_ATTR(fm_actuator_config, thrust, "thrust", "N", 0, 1e7, NULL, 0,
                 "thrust at the rated speed: F = thrust (n/rated)|n/rated|"),
    FM_REAL_ATTR(fm_actuator_config, thrust_reverse, "thrust-reverse", "N", 0, 1e7, NULL, 0,
                 "the same backwards; default: equal"),
    FM_REAL_ATTR(fm_actuator_config, rated, "rated", "rad/s", 1e-3, 1e5, NULL, FM_ATTR_REQUIRED, "rated shaft speed"),
    FM_REAL_ATTR(fm_actuator_config, cd0, "cd0", "", 0, 10, NULL, 0,
                 "instead of thrust, as in (6.43): rho/2 L^2 cd0 (rated-speed/rated)^2 share n|n|"),
    FM_REAL_ATTR(fm_actuator_config, length, "length", "m", 0, 1e3, NULL, 0, "L of (6.43)"),
    FM_REAL_ATTR(fm_actuator_config, rated_speed, "rated-speed", "m/s", 0, 100, NULL, 0,
                 "speed of the vehicle at rated shaft speed (6.41)"),
    FM_REAL_ATTR(fm_actuator_config, share, "share", "", 0, 1, "1", 0, "part of the thrust (one of a pair: 0.5)"),
    FM_REAL_ATTR(
        fm_actuator_config, torque, "torque", "N*m", -1e6, 1e6, "0 N*m", 0,
        "torque on the vehicle at the rated speed forwards, about the direction of thrust; follows the thrust"),
    FM_REAL_ATTR(fm_actuator_config, high, "limit", "rad/s", 0, 1e5, NULL, 0,
                 "greatest order, either way; default: twice the rated speed"),
    FM_REAL_ATTR(fm_actuator_config, dead_band, "dead-band", "rad/s", 0, 1e4, "0 rpm", 0,
                 "smaller orders give nothing"),
    FM_REAL_ATTR(fm_actuator_config, power, "power", "W", 0, 1e7, "0 W", 0, "electrical power at rated thrust"),
};
static const fm_element propeller_element =
    FM_TABLE_ELEMENT(fm_actuator_config, "propeller", propeller_attrs, NULL, 0, "A propeller, ordered by shaft speed.");

static const fm_attr tunnel_attrs[] = {
    COMMON,
    PLACE,
    DYNAMICS,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, NULL, FM_ATTR_REQUIRED,
                   "of the force for positive voltage"),
    FM_REAL_ATTR(fm_actuator_config, thrust, "thrust", "N", 0, 1e6, NULL, FM_ATTR_REQUIRED,
                 "force at the rated voltage (6.45)"),
    FM_REAL_ATTR(fm_actuator_config, rated, "rated", "V", 1e-3, 1e5, NULL, FM_ATTR_REQUIRED,
                 "rated voltage, also the limit of orders"),
    FM_REAL_ATTR(fm_actuator_config, dead_band, "dead-band", "V", 0, 1e4, "0 V", 0, "smaller orders give nothing"),
    FM_REAL_ATTR(fm_actuator_config, power, "power", "W", 0, 1e7, "0 W", 0, "electrical power at rated thrust"),
};
static const fm_element tunnel_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "tunnel-thruster", tunnel_attrs, NULL, 0,
    "A thruster in a tunnel through the hull, ordered by voltage: F = thrust (V/rated)|V/rated| (6.45).");

static const fm_attr thruster_attrs[] = {
    COMMON,
    PLACE,
    DYNAMICS,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, NULL, FM_ATTR_REQUIRED,
                   "of the force for positive orders"),
    FM_REAL_ATTR(fm_actuator_config, thrust, "thrust", "N", 1e-6, 1e7, NULL, FM_ATTR_REQUIRED,
                 "greatest force forwards"),
    FM_REAL_ATTR(fm_actuator_config, thrust_reverse, "thrust-reverse", "N", 0, 1e7, NULL, 0,
                 "greatest force backwards; default: equal"),
    FM_REAL_ATTR(fm_actuator_config, dead_band, "dead-band", "N", 0, 1e4, "0 N", 0, "smaller orders give nothing"),
    FM_REAL_ATTR(fm_actuator_config, power, "power", "W", 0, 1e7, "0 W", 0, "electrical power at greatest force"),
};
static const fm_element thruster_element =
    FM_TABLE_ELEMENT(fm_actuator_config, "thruster", thruster_attrs, NULL, 0, "A thruster ordered by force.");

static const fm_attr fin_attrs[] = {
    COMMON,
    PLACE,
    DYNAMICS,
    FM_REAL_ATTR(fm_actuator_config, high, "limit", "rad", 1e-3, 3.2, "45 deg", 0, "greatest deflection, either way"),
    FM_REAL_ATTR(fm_actuator_config, rate_limit, "rate", "rad/s", 0, 1e3, "0 deg/s", 0, "greatest rate; 0: no limit"),
    FM_REAL_ATTR(fm_actuator_config, length, "length", "m", 0, 1e3, NULL, 0,
                 "L that makes X … N dimensionless (rho/2 L^2 u|u|, L^3 for moments)"),
    FM_REAL_ATTR(fm_actuator_config, fin.squared, "X_dd", "", 0, 0, "0", 0,
                 "surge force of u|u| and squared deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.along[1], "Y", "", 0, 0, "0", 0, "sway force of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.along[2], "Z", "", 0, 0, "0", 0, "heave force of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.along[3], "K", "", 0, 0, "0", 0, "roll moment of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.along[4], "M", "", 0, 0, "0", 0, "pitch moment of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.along[5], "N", "", 0, 0, "0", 0, "yaw moment of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.uq, "X_uq", "", 0, 0, "0", 0, "surge force of u q and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.ur, "X_ur", "", 0, 0, "0", 0, "surge force of u r and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.uv, "X_uv", "", 0, 0, "0", 0, "surge force of u v and deflection"),
    FM_REAL_ATTR(fm_actuator_config, fin.uw, "X_uw", "", 0, 0, "0", 0, "surge force of u w and deflection"),
    FM_REAL_ATTR(fm_actuator_config, area, "area", "m2", 0, 100, "0 m2", 0, "instead of coefficients: area of the fin"),
    FM_REAL_ATTR(fm_actuator_config, lift_slope, "lift-slope", "1/rad", 0, 10, "0 1/rad", 0,
                 "lift coefficient per radian: lift = rho/2 u|u| area lift-slope deflection"),
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, "0 0 1", 0,
                   "of the lift for positive deflection"),
};
static const fm_element fin_element =
    FM_TABLE_ELEMENT(fm_actuator_config, "fin", fin_attrs, NULL, 0,
                     "A fin, rudder or plane, by hydrodynamic coefficients or by its area and lift slope.");

static const fm_attr ballast_attrs[] = {
    COMMON,
    PLACE,
    FM_REAL_ATTR(fm_actuator_config, high, "limit", "kg", 0, 1e6, NULL, FM_ATTR_REQUIRED, "capacity of the tank"),
    FM_REAL_ATTR(fm_actuator_config, rate_limit, "rate", "kg/s", 0, 1e5, "0 kg/s", 0,
                 "of filling and emptying; 0: at once"),
};
static const fm_element ballast_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "ballast", ballast_attrs, NULL, 0,
    "A ballast tank, ordered by the mass of water in it: changes weight, centre of gravity and inertia.");

static const fm_attr moving_mass_attrs[] = {
    COMMON,
    PLACE,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, "1 0 0", 0, "along which it moves"),
    FM_REAL_ATTR(fm_actuator_config, mass, "mass", "kg", 0, 1e6, NULL, FM_ATTR_REQUIRED,
                 "of the moving part (included in the vehicle's mass)"),
    FM_REAL_ATTR(fm_actuator_config, high, "limit", "m", 0, 100, NULL, FM_ATTR_REQUIRED, "greatest travel, either way"),
    FM_REAL_ATTR(fm_actuator_config, rate_limit, "rate", "m/s", 0, 100, "0 m/s", 0, "greatest speed; 0: at once"),
};
static const fm_element moving_mass_element =
    FM_TABLE_ELEMENT(fm_actuator_config, "moving-mass", moving_mass_attrs, NULL, 0,
                     "A mass that moves inside the hull, ordered by its travel: shifts centre of gravity and inertia.");

/* --- the rest --- */

static const fm_attr battery_attrs[] = {
    FM_REAL_ATTR(fm_battery_config, capacity, "capacity", "J", 1, 1e13, NULL, FM_ATTR_REQUIRED, "energy when full"),
    FM_REAL_ATTR(fm_battery_config, hotel, "hotel", "W", 0, 1e6, "0 W", 0, "load that is always there"),
    FM_REAL_ATTR(
        fm_battery_config, propulsion, "propulsion", "W", 0, 1e7, "0 W", 0,
        "power at at-speed, growing with the cube of the speed, where thrusters declare no power of their own"),
    FM_REAL_ATTR(fm_battery_config, at_speed, "at-speed", "m/s", 1e-3, 100, "1 m/s", 0, "see propulsion"),
};
static const fm_element battery_element =
    FM_TABLE_ELEMENT(fm_battery_config, "battery", battery_attrs, NULL, FM_ELEMENT_ONCE,
                     "Battery drained by hotel load and propulsion; when it is empty the thrusters stop.");

static const fm_attr limits_attrs[] = {
    FM_REAL_ATTR(fm_limits_config, rated_depth, "rated-depth", "m", 0, 12000, "0 m", 0,
                 "passing it is an event; 0: none"),
    FM_REAL_ATTR(fm_limits_config, crush_depth, "crush-depth", "m", 0, 12000, "0 m", 0,
                 "passing it ends the vehicle; 0: none"),
};
static const fm_element limits_element =
    FM_TABLE_ELEMENT(fm_limits_config, "limits", limits_attrs, NULL, FM_ELEMENT_ONCE, "Depth limits of the hull.");

static const char *const hull_names[] = {"box", "sphere", "capsule", "cylinder", "ellipsoid", NULL};
static const fm_attr hull_attrs[] = {
    FM_NAME_ATTR(fm_hull_config, name, "name", NULL, 0, "of this part of the hull"),
    FM_CHOICE_ATTR(fm_hull_config, kind, hull_names, "kind", NULL, FM_ATTR_REQUIRED,
                   "of shape; capsules and cylinders lie along x"),
    FM_VECTOR_ATTR(fm_hull_config, size, 3, "size", "m", 1e-4, 1e3, NULL, FM_ATTR_REQUIRED, "extent along x, y and z"),
    FM_VECTOR_ATTR(fm_hull_config, centre, 3, "centre", "m", -1e3, 1e3, "0 0 0 m", 0, "from the body origin"),
    FM_VECTOR_ATTR(fm_hull_config, attitude, 3, "attitude", "rad", -7, 7, "0 0 0 deg", 0,
                   "roll, pitch, yaw against the body axes"),
};
static const fm_element hull_element =
    FM_TABLE_ELEMENT(fm_hull_config, "hull", hull_attrs, NULL, 0,
                     "A convex shape of the hull, for contact, rays and pictures; several "
                     "may be given. Without any, an ellipsoid of the overall size.");

static const char *const response_names[] = {"none", "count", "impulse", "restore", NULL};
static const fm_attr contact_attrs[] = {
    FM_CHOICE_ATTR(fm_contact_config, response, response_names, "response", "impulse", 0,
                   "none, count (no force), impulse through the virtual mass, or restore the pose before the step"),
    FM_REAL_ATTR(fm_contact_config, restitution, "restitution", "", 0, 1, "0.2", 0,
                 "part of the approach speed that comes back"),
    FM_REAL_ATTR(fm_contact_config, friction, "friction", "", 0, 10, "0.3", 0, "Coulomb coefficient"),
    FM_BOOL_ATTR(fm_contact_config, clearance, "clearance", "false", 0, "evaluate min_clearance each vehicle step"),
};
static const fm_element contact_element =
    FM_TABLE_ELEMENT(fm_contact_config, "contact", contact_attrs, NULL, FM_ELEMENT_ONCE,
                     "What happens when the hull meets something solid.");

static const char *const side_names[] = {"starboard", "port", NULL};
static const fm_attr approach_attrs[] = {
    FM_NAME_ATTR(fm_approach_config, to, "to", NULL, FM_ATTR_REQUIRED, "name of a wall, column, sphere or box"),
    FM_REAL_ATTR(fm_approach_config, angle, "angle", "rad", 0.01, 1.5707963267948966, "90 deg", 0,
                 "between heading and wall plane (the tangent plane of something round); 90 deg is head-on"),
    FM_REAL_ATTR(fm_approach_config, gap, "gap", "m", 1e-3, 1e4, NULL, FM_ATTR_REQUIRED,
                 "from the nose to the thing; the nose is round, half as thick as the hull's lesser side"),
    FM_REAL_ATTR(fm_approach_config, speed, "speed", "m/s", 0, 100, "0 m/s", 0, "forward, over ground"),
    FM_CHOICE_ATTR(fm_approach_config, side, side_names, "side", "starboard", 0, "on which the thing lies"),
};
static const fm_element approach_element = FM_TABLE_ELEMENT(
    fm_approach_config, "approach", approach_attrs, NULL, FM_ELEMENT_ONCE,
    "Placement relative to something: level, on course towards it. The vehicle's position tells the depth "
    "and the side from which it comes.");

static const fm_attr diving_attrs[] = {
    FM_REAL_ATTR(fm_diving_config, p.mass, "mass", "kg", 1e-3, 1e7, NULL, FM_ATTR_REQUIRED, "m"),
    FM_REAL_ATTR(fm_diving_config, p.inertia, "inertia", "kg*m2", 1e-6, 1e9, NULL, FM_ATTR_REQUIRED, "Iy"),
    FM_REAL_ATTR(fm_diving_config, p.weight, "weight", "N", 0, 1e8, NULL, FM_ATTR_REQUIRED, "W"),
    FM_REAL_ATTR(fm_diving_config, p.buoyancy, "buoyancy", "N", 0, 1e8, NULL, FM_ATTR_REQUIRED, "B"),
    FM_REAL_ATTR(fm_diving_config, p.centre_of_gravity, "zg", "m", -10, 10, NULL, FM_ATTR_REQUIRED,
                 "centre of gravity below the centre of buoyancy"),
    FM_REAL_ATTR(fm_diving_config, p.z_w, "Z_w", "kg/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "heave force of heave, at table-speed"),
    FM_REAL_ATTR(fm_diving_config, p.z_q, "Z_q", "kg*m/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "heave force of pitch rate, at table-speed"),
    FM_REAL_ATTR(fm_diving_config, p.z_wdot, "Z_wdot", "kg", 0, 0, NULL, FM_ATTR_REQUIRED, "added mass"),
    FM_REAL_ATTR(fm_diving_config, p.z_qdot, "Z_qdot", "kg*m", 0, 0, NULL, FM_ATTR_REQUIRED, "added mass"),
    FM_REAL_ATTR(fm_diving_config, p.z_delta, "Z_delta", "N/rad", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "heave force of the stern planes, at table-speed"),
    FM_REAL_ATTR(fm_diving_config, p.m_w, "M_w", "kg*m/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "pitch moment of heave, at table-speed"),
    FM_REAL_ATTR(fm_diving_config, p.m_q, "M_q", "kg*m2/s", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "pitch moment of pitch rate, at table-speed"),
    FM_REAL_ATTR(fm_diving_config, p.m_wdot, "M_wdot", "kg*m", 0, 0, NULL, FM_ATTR_REQUIRED, "added mass"),
    FM_REAL_ATTR(fm_diving_config, p.m_qdot, "M_qdot", "kg*m2", 0, 0, NULL, FM_ATTR_REQUIRED, "added inertia"),
    FM_REAL_ATTR(fm_diving_config, p.m_delta, "M_delta", "N*m/rad", 0, 0, NULL, FM_ATTR_REQUIRED,
                 "pitch moment of the stern planes, at table-speed"),
    FM_REAL_ATTR(fm_diving_config, p.table_speed, "table-speed", "m/s", 0.01, 100, NULL, FM_ATTR_REQUIRED,
                 "speed at which the coefficients were taken"),
    FM_BOOL_ATTR(fm_diving_config, scaled, "scaled", "true", 0,
                 "coefficients follow the speed; false: table values at every speed"),
    FM_BOOL_ATTR(fm_diving_config, large_angle, "large-angle-statics", "false", 0,
                 "restoring by sine and cosine of pitch instead of the printed linear form"),
    FM_BOOL_ATTR(fm_diving_config, trimmed, "trimmed", "false", 0,
                 "begins in level flight, with the pitch and heave that hold the depth against weight less buoyancy, "
                 "whatever the scenario's are"),
};
static const fm_element diving_element = FM_TABLE_ELEMENT(
    fm_diving_config, "diving", diving_attrs, NULL, FM_ELEMENT_ONCE,
    "Coefficients of the vertical-plane diving model (kind=\"diving\"): heave and pitch at constant speed.");

static const fm_attr at_attrs[] = {
    FM_REAL_ATTR(fm_at_config, t, "t", "s", 0, 1e9, NULL, FM_ATTR_REQUIRED, "when"),
};
static const fm_element at_element = FM_TABLE_ELEMENT(
    fm_at_config, "at", at_attrs, NULL, FM_ELEMENT_OPEN,
    "Orders at a moment: further attributes are names of actuators or groups (bow-rudder=\"15 deg\").");
static const fm_element *const orders_children[] = {&at_element, NULL};
static const fm_element orders_element =
    FM_BARE_ELEMENT("orders", orders_children, FM_ELEMENT_ONCE, "Timed orders to the actuators.");

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
#define SHARED                                                                                                         \
    FM_TEXT_ATTR(fm_vehicle_config, text, "text", NULL, 0, "what it is, for people"),                                  \
        FM_CHOICE_ATTR(fm_vehicle_config, kind, kind_names, "kind", "body", 0,                                         \
                       "6-DOF body, vertical-plane diving model, or jointed fish"),                                    \
        FM_CHOICE_ATTR(fm_vehicle_config, coriolis, coriolis_names, "coriolis", "rigid-body", 0,                       \
                       "Coriolis and centripetal terms of the rigid body alone, as in (6.48)-(6.53), or of the full "  \
                       "virtual mass"),                                                                                \
        FM_CHOICE_ATTR(fm_vehicle_config, integrator, integrator_names, "integrator", "heun", 0,                       \
                       "euler, heun, rk4, or text: the dissertation's Heun on velocity, then Euler on posture"),       \
        FM_CHOICE_ATTR(fm_vehicle_config, posture, posture_names, "posture", "quaternion", 0,                          \
                       "what is integrated; euler stops at +-90 deg pitch"),                                           \
        FM_REAL_ATTR(fm_vehicle_config, period, "period", "s", 0, 1e3, NULL, 0,                                        \
                     "of the vehicle's step, a multiple of the world's dt; default: dt"),                              \
        FM_INT_ATTR(fm_vehicle_config, substeps, "substeps", 1, 1000, "1", 0,                                          \
                    "equal sub-steps of the integrator within a step"),                                                \
        FM_REAL_ATTR(fm_vehicle_config, tolerance, "tolerance", "", 0, 1, "0", 0,                                      \
                     "sub-steps by error control: their number doubles until the state changes by less than this "     \
                     "(SI); 0: off"),                                                                                  \
        FM_REAL_ATTR(fm_vehicle_config, length, "length", "m", 0, 1e3, "0 m", 0, "overall length"),                    \
        FM_REAL_ATTR(fm_vehicle_config, width, "width", "m", 0, 1e3, "0 m", 0, "overall width"),                       \
        FM_REAL_ATTR(fm_vehicle_config, height, "height", "m", 0, 1e3, "0 m", 0, "overall height"),                    \
        FM_REAL_ATTR(fm_vehicle_config, speed, "speed", "m/s", 0, 100, NULL, 0,                                        \
                     "constant speed through the water of the diving model"),                                          \
        FM_CHOICE_ATTR(fm_vehicle_config, thrust, thrust_names, "thrust", "paper", 0,                                  \
                       "of a fish: (6)-(8) of the paper, or elongated-body theory with recoil; yaw is (9) in both"),   \
        FM_REAL_ATTR(fm_vehicle_config, deflection, "deflection", "rad", -1.5, 1.5, "0 deg", FM_ATTR_LIVE,             \
                     "of a fish's tail at the start, positive turns to starboard; then what was last ordered"),        \
        FM_REAL_ATTR(fm_vehicle_config, depth, "depth", "m", 0, 12000, NULL, FM_ATTR_LIVE,                             \
                     "that a fish keeps; default: the depth it starts at; then what was last ordered")

static const fm_attr model_attrs[] = {
    FM_NAME_ATTR(fm_vehicle_config, name, "name", NULL, FM_ATTR_REQUIRED, "of the model"),
    SHARED,
};
const fm_element fm_model_element =
    FM_GROUPS_ELEMENT(fm_vehicle_config, "model", model_attrs, vehicle_children, vehicle_groups, 0,
                      "A vehicle model: the root of a file in models/.");

static const fm_attr vehicle_attrs[] = {
    FM_NAME_ATTR(fm_vehicle_config, name, "name", NULL, FM_ATTR_REQUIRED, "of this vehicle, at most 31 characters"),
    FM_NAME_ATTR(fm_vehicle_config, model, "model", NULL, 0,
                 "model file to start from; what is written here overrides it"),
    FM_VECTOR_ATTR(fm_vehicle_config, position, 3, "position", "m", -1e7, 1e7, "0 0 0 m", 0, "north, east, depth"),
    FM_VECTOR_ATTR(fm_vehicle_config, attitude, 3, "attitude", "rad", -7, 7, "0 0 0 deg", 0, "roll, pitch, heading"),
    FM_VECTOR_ATTR(fm_vehicle_config, velocity, 3, "velocity", "m/s", -100, 100, "0 0 0 m/s", 0,
                   "over ground, body axes"),
    FM_VECTOR_ATTR(fm_vehicle_config, rates, 3, "rates", "rad/s", -100, 100, "0 0 0 deg/s", 0, "p, q, r"),
    FM_INT_ATTR(fm_vehicle_config, count, "count", 1, 1000000, "1", 0, "several alike, named NAME-1, NAME-2 …"),
    FM_VECTOR_ATTR(fm_vehicle_config, spacing, 3, "spacing", "m", -1e6, 1e6, "0 10 0 m", 0,
                   "from one to the next, where count is more than 1"),
    SHARED,
};
const fm_element fm_vehicle_element = FM_GROUPS_ELEMENT(fm_vehicle_config, "vehicle", vehicle_attrs, vehicle_children,
                                                        vehicle_groups, 0, "A vehicle in the scenario.");
