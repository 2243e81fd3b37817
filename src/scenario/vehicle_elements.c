#include "scenario/vehicle_elements.h"

#include "look/elements.h"
#include "world/admission.h"

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
        FM_NAME_ATTR(fm_actuator_config, group, "group", NULL, 0, "name by which it is ordered together with others"), \
        FM_REAL_ATTR(fm_actuator_config, delay, "delay", "s", 0, 60, "0 s", 0,                                         \
                     "dead time: orders act this much later, in whole steps of the vehicle")
#define DYNAMICS                                                                                                       \
    FM_CHOICE_ATTR(fm_actuator_config, dynamics, dynamics_names, "dynamics", "static", 0,                              \
                   "how the value follows the order"),                                                                 \
        FM_REAL_ATTR(fm_actuator_config, tau, "time-constant", "s", 1e-4, 1e3, "0.5 s", 0,                             \
                     "time constant of first-order and dc-motor, 1/natural frequency of second-order"),                \
        FM_REAL_ATTR(fm_actuator_config, zeta, "damping", "", 0, 10, "0.7", 0,                                         \
                     "damping ratio of second-order; load at full speed over friction of dc-motor")
#define POSE                                                                                                           \
    FM_VECTOR_ATTR(fm_actuator_config, position, 3, "position", "m", -1e3, 1e3, "0 0 0 m", 0,                          \
                   "where the force acts, from the body origin")

static const char *const series_names[] = {"none", "wageningen-b", "ka-4-70", NULL};
static const char *const rotation_names[] = {"none", "right", "left", NULL};
static const fm_attr propeller_attrs[] = {
    COMMON,
    POSE,
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
                 "greatest order, either way; default: the rated speed"),
    FM_REAL_ATTR(fm_actuator_config, dead_band, "dead-band", "rad/s", 0, 1e4, "0 rpm", 0,
                 "smaller orders give nothing"),
    FM_REAL_ATTR(fm_actuator_config, power, "power", "W", 0, 1e7, "0 W", 0,
                 "electrical power at rated thrust; default with a torque curve: that of the shaft at rest"),
    FM_REAL_ATTR(fm_actuator_config, diameter, "diameter", "m", 1e-3, 20, NULL, 0,
                 "instead of thrust: the propeller by its open-water curve, with k0, open-water or series (P1)"),
    FM_REAL_ATTR(fm_actuator_config, kt[0], "k0", "", 0, 2, NULL, 0, "K_T = k0 + k1 J + k2 J^2: at rest"),
    FM_REAL_ATTR(fm_actuator_config, kt[1], "k1", "", -5, 5, "0", 0, "the same: slope"),
    FM_REAL_ATTR(fm_actuator_config, kt[2], "k2", "", -5, 5, "0", 0, "the same: of the square"),
    FM_REAL_ATTR(fm_actuator_config, kq[0], "q0", "", 0, 1, "0", 0, "K_Q = q0 + q1 J + q2 J^2: torque at rest"),
    FM_REAL_ATTR(fm_actuator_config, kq[1], "q1", "", -5, 5, "0", 0, "the same: slope"),
    FM_REAL_ATTR(fm_actuator_config, kq[2], "q2", "", -5, 5, "0", 0, "the same: of the square"),
    FM_FILE_ATTR(fm_actuator_config, open_water, "open-water", NULL, 0,
                 "instead of k0: CSV with the columns J, KT and (for torque) KQ, J rising from 0"),
    FM_CHOICE_ATTR(fm_actuator_config, series, series_names, "series", "none", 0,
                   "instead of k0: wageningen-b with pitch, blade-area and blades, or ka-4-70 (in nozzle 19A) with "
                   "pitch"),
    FM_REAL_ATTR(fm_actuator_config, pitch, "pitch", "", 0.5, 1.4, NULL, 0, "of the series: pitch over diameter"),
    FM_REAL_ATTR(fm_actuator_config, blade_area, "blade-area", "", 0.3, 1.05, NULL, 0,
                 "of the series: expanded area of the blades over that of the disc"),
    FM_REAL_ATTR(fm_actuator_config, blades, "blades", "", 2, 7, NULL, 0, "of the series: number of blades"),
    FM_REAL_ATTR(fm_actuator_config, wake, "wake", "", 0, 0.9, "0", 0,
                 "wake fraction: the inflow is (1 - wake) of the speed through the water"),
    FM_REAL_ATTR(fm_actuator_config, deduction, "deduction", "", 0, 0.9, "0", 0,
                 "thrust deduction: (1 - deduction) of the thrust moves the hull"),
    FM_REAL_ATTR(fm_actuator_config, reverse, "reverse", "", 0, 1, "0.7", 0,
                 "part of the curve's thrust that is left when it turns backwards"),
    FM_CHOICE_ATTR(
        fm_actuator_config, rotation, rotation_names, "rotation", "right", 0,
        "sense of turning ahead, seen from astern; the hull takes the torque the other way. none: no torque"),
    FM_REAL_ATTR(fm_actuator_config, inertia, "inertia", "kg*m2", 0, 1e6, "0 kg*m2", 0,
                 "of shaft, propeller and entrained water; 0: the shaft follows its order at once (or by dynamics)"),
    FM_REAL_ATTR(fm_actuator_config, most_torque, "motor-torque", "N*m", 0, 1e7, NULL, 0,
                 "greatest torque of the motor; default: no limit. Needs inertia"),
    FM_REAL_ATTR(fm_actuator_config, most_power, "motor-power", "W", 0, 1e9, NULL, 0,
                 "greatest power of the motor at the shaft; default: no limit. Needs inertia"),
};
static const fm_element propeller_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "propeller", propeller_attrs, NULL, 0,
    "A propeller, ordered by shaft speed. By thrust or cd0 it pushes the same at any speed through the water; by its "
    "diameter and an open-water curve its thrust and torque follow from the water that flows to it, in four quadrants, "
    "and are lost near the surface (P1)-(P6).");

static const fm_attr tunnel_attrs[] = {
    COMMON,
    POSE,
    DYNAMICS,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, NULL, FM_ATTR_REQUIRED,
                   "of the force for positive voltage"),
    FM_REAL_ATTR(fm_actuator_config, thrust, "thrust", "N", 0, 1e6, NULL, FM_ATTR_REQUIRED,
                 "force at the rated voltage (6.45)"),
    FM_REAL_ATTR(fm_actuator_config, rated, "rated", "V", 1e-3, 1e5, NULL, FM_ATTR_REQUIRED,
                 "rated voltage, also the limit of orders"),
    FM_REAL_ATTR(fm_actuator_config, dead_band, "dead-band", "V", 0, 1e4, "0 V", 0, "smaller orders give nothing"),
    FM_REAL_ATTR(fm_actuator_config, power, "power", "W", 0, 1e7, "0 W", 0, "electrical power at rated thrust"),
    FM_REAL_ATTR(fm_actuator_config, half_speed, "half-speed", "m/s", 1e-3, 100, NULL, 0,
                 "speed through the water past the tunnel that halves its thrust (P3); default: none does"),
};
static const fm_element tunnel_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "tunnel-thruster", tunnel_attrs, NULL, 0,
    "A thruster in a tunnel through the hull, ordered by voltage: F = thrust (V/rated)|V/rated| (6.45).");

static const char *const order_names[] = {"force", "command", NULL};
static const fm_attr thruster_attrs[] = {
    COMMON,
    POSE,
    DYNAMICS,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, NULL, FM_ATTR_REQUIRED,
                   "of the force for positive orders"),
    FM_REAL_ATTR(fm_actuator_config, thrust, "thrust", "N", 1e-6, 1e7, NULL, 0,
                 "greatest force forwards (this or table)"),
    FM_REAL_ATTR(fm_actuator_config, thrust_reverse, "thrust-reverse", "N", 0, 1e7, NULL, 0,
                 "greatest force backwards; default: equal"),
    FM_REAL_ATTR(fm_actuator_config, dead_band, "dead-band", "N", 0, 1e4, "0 N", 0, "smaller orders give nothing"),
    FM_REAL_ATTR(fm_actuator_config, power, "power", "W", 0, 1e7, "0 W", 0, "electrical power at greatest force"),
    FM_FILE_ATTR(fm_actuator_config, table, "table", NULL, 0,
                 "instead of thrust: CSV of measured force, shaft speed and power: pwm_us or command (-1 to 1), then "
                 "thrust_N, rpm, power_W, or for each voltage thrust16_N, rpm16, power16_W"),
    FM_REAL_ATTR(fm_actuator_config, voltage, "voltage", "V", 0.1, 1e3, NULL, 0,
                 "supply voltage of a thruster with a table if the battery has none, and the voltage at which a force "
                 "is converted to a command; default: that of the full battery"),
    FM_REAL_ATTR(
        fm_actuator_config, deduction, "deduction", "", 0, 0.9, "0", 0,
        "of a table's thruster: part of the table's force that is lost where it is mounted (jets on the frame, "
        "disturbed inflow); (1 - deduction) of it moves the hull"),
    FM_REAL_ATTR(fm_actuator_config, deduction_reverse, "deduction-reverse", "", 0, 0.9, NULL, 0,
                 "the same backwards; default: equal"),
    FM_CHOICE_ATTR(fm_actuator_config, by_command, order_names, "orders", "force", 0,
                   "of a table's thruster: force (N, turned into the command that gives it at the voltage) or command "
                   "(-1 to 1, for instance (PWM - 1500 us)/400 us)"),
    FM_REAL_ATTR(
        fm_actuator_config, diameter, "diameter", "m", 1e-3, 20, NULL, 0,
        "of its propeller: with it the table is that of a bollard pull, and thrust falls with the inflow (P3)"),
    FM_REAL_ATTR(fm_actuator_config, zero_thrust, "zero-thrust", "", 0.05, 5, "0.8", 0,
                 "advance V/(n D) at which it gives no thrust, beside diameter"),
};
static const fm_element thruster_element =
    FM_TABLE_ELEMENT(fm_actuator_config, "thruster", thruster_attrs, NULL, 0,
                     "A thruster: ideal, ordered by force, or by a measured table (V1), ordered by force or by "
                     "command. A table holds its "
                     "dead band, and its force falls with the voltage of the battery.");

static const char *const inflow_names[] = {"local", "ahead", NULL};
static const fm_attr fin_attrs[] = {
    COMMON,
    POSE,
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
    FM_REAL_ATTR(fm_actuator_config, dimensional.along[1], "Y_uudr", "N*s2/m2/rad", 0, 0, NULL, 0,
                 "instead, as papers print it: sway force of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, dimensional.along[2], "Z_uuds", "N*s2/m2/rad", 0, 0, NULL, 0,
                 "the same: heave force of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, dimensional.along[3], "K_uudr", "N*m*s2/m2/rad", 0, 0, NULL, 0,
                 "the same: roll moment of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, dimensional.along[4], "M_uuds", "N*m*s2/m2/rad", 0, 0, NULL, 0,
                 "the same: pitch moment of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, dimensional.along[5], "N_uudr", "N*m*s2/m2/rad", 0, 0, NULL, 0,
                 "the same: yaw moment of u|u| and deflection"),
    FM_REAL_ATTR(fm_actuator_config, area, "area", "m2", 0, 100, "0 m2", 0,
                 "instead of coefficients: area of the fin, with aspect-ratio or lift-slope"),
    FM_REAL_ATTR(fm_actuator_config, aspect, "aspect-ratio", "", 0.1, 100, NULL, 0,
                 "span squared over area; a fin at a hull counts twice its span (mirror). Gives the lift slope (U3)"),
    FM_REAL_ATTR(fm_actuator_config, lift_slope, "lift-slope", "1/rad", 0, 10, "0 1/rad", 0,
                 "lift coefficient per radian, of the finite span; default: from aspect-ratio"),
    FM_REAL_ATTR(fm_actuator_config, stall, "stall", "rad", 0.02, 1.5, "20 deg", 0,
                 "angle of attack at which half of the flow has separated"),
    FM_REAL_ATTR(fm_actuator_config, profile, "profile-drag", "", 0, 1, "0.01", 0, "drag coefficient without lift"),
    FM_REAL_ATTR(fm_actuator_config, span_efficiency, "span-efficiency", "", 0.1, 1, "0.9", 0,
                 "of the induced drag C_L^2/(pi e aspect-ratio)"),
    FM_REAL_ATTR(fm_actuator_config, separated, "separated", "", 0, 3, "1.2", 0,
                 "normal force coefficient of the stalled fin, per sine of the angle of attack"),
    FM_NAME_ATTR(fm_actuator_config, behind, "behind", NULL, 0,
                 "the propeller (with a diameter) in whose slipstream the fin lies (P5)"),
    FM_REAL_ATTR(fm_actuator_config, covered, "covered", "", 0, 1, "1", 0,
                 "part of the slipstream's speed that the fin meets"),
    FM_CHOICE_ATTR(fm_actuator_config, ahead, inflow_names, "inflow", "local", 0,
                   "local: the fin meets the water where it is, and damps and stabilises the hull; ahead: lift = rho/2 "
                   "u|u| area lift-slope deflection alone, for hulls whose coefficients hold the rest"),
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, "0 0 1", 0,
                   "of the lift for positive deflection"),
};
static const fm_element fin_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "fin", fin_attrs, NULL, 0,
    "A fin, rudder or plane: by dimensionless coefficients with their length, by dimensional ones (Y_uudr, "
    "N_uudr of a rudder, Z_uuds, M_uuds of a plane), or by its size: lift, stall and drag in the water that it meets "
    "(U1)-(U3).");

static const fm_attr ballast_attrs[] = {
    COMMON,
    POSE,
    FM_REAL_ATTR(fm_actuator_config, high, "limit", "kg", 0, 1e6, NULL, FM_ATTR_REQUIRED, "capacity of the tank"),
    FM_REAL_ATTR(fm_actuator_config, rate_limit, "rate", "kg/s", 0, 1e5, "0 kg/s", 0,
                 "of filling and emptying; 0: at once"),
};
static const fm_element ballast_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "ballast", ballast_attrs, NULL, 0,
    "A ballast tank, ordered by the mass of water in it: changes weight, centre of gravity and inertia.");

static const fm_attr moving_mass_attrs[] = {
    COMMON,
    POSE,
    FM_VECTOR_ATTR(fm_actuator_config, direction, 3, "direction", "", -1, 1, "1 0 0", 0, "along which it moves"),
    FM_REAL_ATTR(fm_actuator_config, mass, "mass", "kg", 0, 1e6, NULL, FM_ATTR_REQUIRED,
                 "of the moving part (included in the vehicle's mass)"),
    FM_REAL_ATTR(fm_actuator_config, high, "limit", "m", 0, 100, NULL, FM_ATTR_REQUIRED, "greatest travel, either way"),
    FM_REAL_ATTR(fm_actuator_config, rate_limit, "rate", "m/s", 0, 100, "0 m/s", 0, "greatest speed; 0: at once"),
};
static const fm_element moving_mass_element = FM_TABLE_ELEMENT(
    fm_actuator_config, "moving-mass", moving_mass_attrs, NULL, 0,
    "A mass that moves inside the hull, ordered by its position: shifts centre of gravity and inertia.");

/* --- the rest --- */

static const fm_attr battery_attrs[] = {
    FM_REAL_ATTR(fm_battery_config, capacity, "capacity", "J", 1, 1e13, NULL, FM_ATTR_REQUIRED, "energy when full"),
    FM_REAL_ATTR(fm_battery_config, hotel, "hotel", "W", 0, 1e6, "0 W", 0, "load that is always there"),
    FM_REAL_ATTR(
        fm_battery_config, propulsion, "propulsion", "W", 0, 1e7, "0 W", 0,
        "power at at-speed, growing with the cube of the speed, where thrusters declare no power of their own"),
    FM_REAL_ATTR(fm_battery_config, at_speed, "at-speed", "m/s", 1e-3, 100, "1 m/s", 0, "see propulsion"),
    FM_REAL_ATTR(fm_battery_config, voltage, "voltage", "V", 0, 1e4, "0 V", 0,
                 "of the full battery without load, for thrusters by a table; 0: they have the voltage that they name"),
    FM_REAL_ATTR(fm_battery_config, empty, "empty-voltage", "V", 0, 1e4, "0 V", 0,
                 "of the empty battery without load; 0: as when full"),
    FM_REAL_ATTR(fm_battery_config, resistance, "resistance", "ohm", 0, 100, "0 ohm", 0,
                 "inside the battery and of its leads: the voltage sags under load (I5)"),
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
                     "A convex shape of the hull, for contact, rays and images; several may be given. Default: an "
                     "ellipsoid of the overall size.");

static const char *const response_names[] = {"none", "count", "impulse", "restore", NULL};
static const fm_attr contact_attrs[] = {
    FM_CHOICE_ATTR(fm_contact_config, response, response_names, "response", "impulse", 0,
                   "none, count (no force), impulse through the virtual mass, or restore the pose before the step"),
    FM_REAL_ATTR(fm_contact_config, restitution, "restitution", "", 0, 1, "0.2", 0,
                 "part of the approach speed that comes back"),
    FM_REAL_ATTR(fm_contact_config, friction, "friction", "", 0, 10, "0.3", 0, "Coulomb coefficient"),
    FM_REAL_ATTR(fm_contact_config, kept_speed, "kept-speed", "", 0, 1, "0", 0,
                 "restore: part of the speed that is left after a contact"),
    FM_REAL_ATTR(fm_contact_config, parting, "parting", "m", 0, 1, "5 mm", 0,
                 "restore: how far two vehicles that meet are each moved apart in a step; 0: they hold each other"),
    FM_BOOL_ATTR(fm_contact_config, clearance, "clearance", "false", 0,
                 "evaluate min_clearance and min_separation each vehicle step"),
    FM_BOOL_ATTR(fm_contact_config, ends, "ends", "false", 0,
                 "the first contact with an obstacle or the bottom ends the vehicle's run: it stays where it is"),
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
static const fm_element approach_element =
    FM_TABLE_ELEMENT(fm_approach_config, "approach", approach_attrs, NULL, FM_ELEMENT_ONCE,
                     "Placement relative to something: level, on course towards it. The vehicle's position gives the "
                     "depth and the side it approaches from.");

static const fm_attr at_attrs[] = {
    FM_REAL_ATTR(fm_at_config, t, "t", "s", 0, 1e9, NULL, FM_ATTR_REQUIRED, "when"),
};
static const fm_element at_element = FM_TABLE_ELEMENT(
    fm_at_config, "at", at_attrs, NULL, FM_ELEMENT_OPEN,
    "Orders at a given time: further attributes are names of actuators or groups (bow-rudder=\"15 deg\").");
static const fm_element *const orders_children[] = {&at_element, NULL};
static const fm_element orders_element =
    FM_BARE_ELEMENT("orders", orders_children, FM_ELEMENT_ONCE, "Timed orders to the actuators.");

#define OF_A_TYPE                                                                                                      \
    &propeller_element, &tunnel_element, &thruster_element, &fin_element, &ballast_element, &moving_mass_element,      \
        &battery_element, &limits_element, &hull_element, &contact_element, &fm_look_element
static const fm_element *const type_children[] = {OF_A_TYPE, NULL};
static const fm_element *const vehicle_children[] = {OF_A_TYPE, &orders_element, &approach_element, NULL};
static const char *const vehicle_groups[] = {"kind", "sensor", "controller", "force", NULL};

static const char *const integrator_names[] = {"euler", "heun", "rk4", "text", "midpoint", NULL};
static const char *const posture_names[] = {"quaternion", "euler", NULL};
static const char *const coriolis_names[] = {"rigid-body", "full", NULL};
#define SHARED                                                                                                         \
    FM_TEXT_ATTR(fm_vehicle_config, text, "text", NULL, 0, "what it is, for people"),                                  \
        FM_CHOICE_ATTR(fm_vehicle_config, coriolis, coriolis_names, "coriolis", "full", 0,                             \
                       "Coriolis and centripetal terms of the full virtual mass, with the Munk moment of the added "   \
                       "mass, or of the rigid body alone, for tables of coefficients that hold the terms of the "      \
                       "added mass already, as (6.48)-(6.53) do"),                                                     \
        FM_CHOICE_ATTR(fm_vehicle_config, integrator, integrator_names, "integrator", "heun", 0,                       \
                       "euler, heun, rk4, text: the dissertation's Heun on velocity, then Euler on posture, or "       \
                       "midpoint: implicit, "                                                                          \
                       "keeps the energy of an undamped body"),                                                        \
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
        FM_REAL_ATTR(fm_vehicle_config, height, "height", "m", 0, 1e3, "0 m", 0, "overall height")

static const fm_attr model_attrs[] = {
    FM_NAME_ATTR(fm_vehicle_config, name, "name", NULL, FM_ATTR_REQUIRED, "of the model"),
    SHARED,
};
const fm_element fm_model_element =
    FM_GROUPS_ELEMENT(fm_vehicle_config, "model", model_attrs, vehicle_children, vehicle_groups, FM_ELEMENT_LAID,
                      "A vehicle model: the root of a file in models/.");

static const fm_attr vehicle_attrs[] = {
    FM_NAME_ATTR(fm_vehicle_config, name, "name", NULL, FM_ATTR_REQUIRED, "of this vehicle, at most 31 characters"),
    FM_NAME_ATTR(fm_vehicle_config, model, "model", NULL, 0,
                 "model file to start from; what is written here overrides it"),
    FM_VECTOR_ATTR(fm_vehicle_config, position, 3, "position", "m", -FM_ADMIT_POSITION, FM_ADMIT_POSITION, "0 0 0 m", 0,
                   "north, east, depth"),
    FM_VECTOR_ATTR(fm_vehicle_config, attitude, 3, "attitude", "rad", -FM_ADMIT_ATTITUDE, FM_ADMIT_ATTITUDE,
                   "0 0 0 deg", 0, "roll, pitch, heading"),
    FM_VECTOR_ATTR(fm_vehicle_config, velocity, 3, "velocity", "m/s", -FM_ADMIT_VELOCITY, FM_ADMIT_VELOCITY,
                   "0 0 0 m/s", 0, "over ground, body axes"),
    FM_VECTOR_ATTR(fm_vehicle_config, rates, 3, "rates", "rad/s", -FM_ADMIT_VELOCITY, FM_ADMIT_VELOCITY, "0 0 0 deg/s",
                   0, "p, q, r"),
    FM_INT_ATTR(fm_vehicle_config, count, "count", 1, 1000000, "1", 0, "several alike, named NAME-1, NAME-2 …"),
    FM_VECTOR_ATTR(fm_vehicle_config, spacing, 3, "spacing", "m", -1e6, 1e6, "0 10 0 m", 0,
                   "from one to the next, where count is more than 1"),
    SHARED,
};
const fm_element fm_vehicle_element = FM_GROUPS_ELEMENT(fm_vehicle_config, "vehicle", vehicle_attrs, vehicle_children,
                                                        vehicle_groups, FM_ELEMENT_LAID, "A vehicle in the scenario.");

static const fm_attr type_attrs[] = {
    FM_NAME_ATTR(fm_vehicle_config, name, "name", NULL, FM_ATTR_REQUIRED,
                 "by which vehicles of this type are spawned; no vehicle may have it"),
    FM_NAME_ATTR(fm_vehicle_config, model, "model", NULL, 0,
                 "model file to start from; what is written here overrides it"),
    SHARED,
};
const fm_element fm_type_element =
    FM_GROUPS_ELEMENT(fm_vehicle_config, "type", type_attrs, type_children, vehicle_groups, FM_ELEMENT_LAID,
                      "A type of vehicle that does not exist at the start: programs add vehicles of this type during a "
                      "run (fm_world_spawn), up to <world capacity=\"…\">.");
