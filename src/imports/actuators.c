/* Actuators of Gazebo Sim: the plugins Thruster, LiftDrag and JointPositionController. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "imports/robot.h"
#include "physics/angle.h"

#define UNLIMITED 1e15 /* limits beyond it mean none */

static fm_robot_joint *joint_of(fm_import *m, fm_robot_plugin *plugin, const char *element)
{
    fm_foreign *name = fm_foreign_child(plugin->xml, element);
    fm_robot_joint *joint = name ? fm_robot_joint_find(&m->robot, plugin->scope, name->text) : NULL;
    if (!name)
        fm_import_fail(m, plugin->xml, FM_ERR_SYNTAX, "has no <%s>", element);
    else if (!joint)
        fm_import_fail(m, name, FM_ERR_NAME, "'%.60s' is not a joint of this model", name->text);
    else if (!joint->child->attached)
        fm_import_fail(m, name, FM_ERR_MODEL, "'%.60s' does not belong to the vehicle", name->text);
    return m->status == FM_OK ? joint : NULL;
}

/* ---- thrusters ---- */

void fm_import_begin_actuator(fm_import *m, const char *element, const char *name, const double position[3],
                              const double direction[3])
{
    fm_text_add(&m->actuators, "  <%s name=\"%s\"", element, name);
    fm_import_put(&m->actuators, "position", position, 3, "m");
    fm_import_put(&m->actuators, "direction", direction, 3, "");
}

void fm_import_add_order(fm_import *m, const char *name, const char *value)
{
    fm_text_add(&m->orders, " %s=\"%s\"", name, value);
}

/* Speed orders: F = C rho D^4 w|w|, or with C = a1 + a2 (1 - wake) u/(w D). */
static void put_screw(fm_import *m, fm_foreign *xml, const char *name, const double position[3], double axis[3],
                      double most)
{
    const double diameter = fm_import_number(m, xml, "propeller_diameter", 0.02, 1e-3, 20),
                 density = fm_import_number(m, xml, "fluid_density", 1000, 1, 2000),
                 fixed = fm_import_number(m, xml, "thrust_coefficient", 1, -1e3, 1e3),
                 alpha1 = fm_import_number(m, xml, "alpha_1", 1, 0, 1e3),
                 alpha2 = fm_import_number(m, xml, "alpha_2", 0, -1e3, 1e3),
                 wake = fm_import_number(m, xml, "wake_fraction", 0.2, 0, 0.9);
    const double k0 = 4 * FM_PI * FM_PI * alpha1, k1 = 2 * FM_PI * alpha2;
    fm_foreign *second = fm_foreign_child(xml, "alpha_2");
    const bool curve = second && !fm_foreign_child(xml, "thrust_coefficient") && k0 <= 2 && fabs(k1) <= 5;
    if (second && !curve)
        fm_import_lose(m, second, "the thrust does not fall with speed: %s",
                       fm_foreign_child(xml, "thrust_coefficient") ? "<thrust_coefficient> stands for it"
                                                                   : "K_T is outside 0 to 2, or its slope -5 to 5");
    for (int i = 0; i < 3 && fixed < 0 && !curve; i++)
        axis[i] = -axis[i];
    fm_import_begin_actuator(m, "propeller", name, position, axis);
    fm_import_put_one(&m->actuators, "rated", most, "rad/s");
    if (curve) {
        fm_import_put_one(&m->actuators, "diameter", diameter, "m");
        fm_import_put_one(&m->actuators, "k0", k0, "");
        fm_import_put_one(&m->actuators, "k1", k1, "");
        fm_import_put_one(&m->actuators, "wake", wake, "");
        fm_text_add(&m->actuators, " rotation=\"none\"");
        if (density != m->density)
            fm_import_lose(m, fm_foreign_child(xml, "fluid_density"),
                           "%g kg/m3: the thrust follows the scenario's water, "
                           "%g kg/m3",
                           density, m->density);
    } else {
        const double thrust = fabs(fixed) * density * diameter * diameter * diameter * diameter * most * most;
        if (!(thrust <= 1e7))
            fm_import_fail(m, xml, FM_ERR_RANGE, "%g N at %g rad/s is out of range: must be up to 1e+07 N", thrust,
                           most);
        fm_import_put_one(&m->actuators, "thrust", thrust, "N");
    }
    fm_text_add(&m->actuators, "/>\n");
    fm_import_add_order(m, name, "0 rad/s");
}

void fm_import_gz_thruster(fm_import *m, fm_robot_plugin *plugin)
{
    fm_foreign *xml = plugin->xml;
    fm_robot_joint *joint = joint_of(m, plugin, "joint_name");
    const bool by_speed = fm_import_flag(m, xml, "use_angvel_cmd", false);
    const double most = fm_import_number(m, xml, "max_thrust_cmd", 1000, 1e-3, 1e5),
                 least = fm_import_number(m, xml, "min_thrust_cmd", -1000, -1e5, 0),
                 dead_band = fm_import_number(m, xml, "deadband", 0, 0, 1e4);
    double position[3], axis[3];
    if (!joint || m->status != FM_OK)
        return;
    const char *name = fm_import_name(m, joint->name);
    joint->driven = true;
    fm_import_axis(m, joint, position, axis);
    if (!fm_foreign_child(xml, "max_thrust_cmd"))
        fm_import_remark(m, xml, "has no <max_thrust_cmd>: its limit is Gazebo's default, 1000 %s",
                         by_speed ? "rad/s" : "N");
    if (by_speed) {
        if (least != -most)
            fm_import_lose(m, xml, "orders backwards go to %g rad/s: in Fathom to %g rad/s", least, -most);
        if (dead_band > 0)
            fm_import_lose(m, fm_foreign_child(xml, "deadband"), "a propeller that is ordered by speed has none in N");
        put_screw(m, xml, name, position, axis, most);
        return;
    }
    static const char *const shown[] = {"thrust_coefficient", "propeller_diameter", "fluid_density"};
    for (int i = 0; i < 3; i++)
        if (fm_foreign_child(xml, shown[i]))
            fm_import_number(m, xml, shown[i], 0, -1e6, 1e6);
    fm_import_begin_actuator(m, "thruster", name, position, axis);
    fm_import_put_one(&m->actuators, "thrust", most, "N");
    if (least != -most)
        fm_import_put_one(&m->actuators, "thrust-reverse", -least, "N");
    if (dead_band > 0)
        fm_import_put_one(&m->actuators, "dead-band", dead_band, "N");
    fm_text_add(&m->actuators, "/>\n");
    fm_import_add_order(m, name, "0 N");
}

/* ---- fins ---- */

static bool turns(const fm_robot_joint *joint)
{
    return strcmp(joint->type, "revolute") == 0 || strcmp(joint->type, "continuous") == 0;
}

static double limit_of(fm_import *m, const fm_robot_joint *joint, double most)
{
    const double lower = fabs(joint->lower), upper = fabs(joint->upper);
    if (lower != upper && lower < UNLIMITED && upper < UNLIMITED)
        fm_import_remark(m, joint->xml, "goes from %g to %g: in Fathom as far either way as the greater one",
                         joint->lower, joint->upper);
    const double limit = fmax(lower, upper);
    return limit < UNLIMITED ? fmin(limit, most) : -1;
}

/* The servo of a joint, NULL: none. */
static fm_robot_plugin *servo_of(fm_import *m, const fm_robot_joint *joint)
{
    for (fm_robot_plugin *p = m->robot.plugins; p; p = p->next)
        for (const fm_foreign_attr *a = p->xml->attrs; a; a = a->next)
            for (const fm_foreign *x = p->xml->first; x && fm_import_holds(a->value, "jointpositioncontroller");
                 x = x->next)
                if (fm_foreign_is(x, "joint_name") && fm_robot_joint_find(&m->robot, p->scope, x->text) == joint)
                    return p;
    return NULL;
}

/* Greatest speed of a joint: of the joint, or the servo's; 0: no limit. */
static double speed_of(fm_import *m, const fm_robot_joint *joint)
{
    fm_robot_plugin *servo = servo_of(m, joint);
    if (servo && fm_import_flag(m, servo->xml, "use_velocity_commands", false)) {
        const double most = fm_import_number(m, servo->xml, "cmd_max", 0, -1e300, 1e300);
        if (most > 0 && most < 1000)
            return most;
    }
    return joint->speed > 0 && joint->speed < 1000 ? joint->speed : 0;
}

void fm_import_put_fin(fm_import *m, const fm_robot_joint *joint, const char *name, const double position[3],
                       const double up[3])
{
    double axis[3], ignored[3], direction[3], sense = 0;
    for (int i = 0; i < 3; i++)
        direction[i] = up[i];
    if (joint && turns(joint)) {
        fm_import_axis(m, joint, ignored, axis);
        const double across[3] = {0, axis[2], -axis[1]}; /* axis × ahead: where the nose of the fin goes */
        for (int i = 0; i < 3; i++)
            sense += across[i] * up[i];
        if (fabs(sense) < 0.5)
            fm_import_lose(m, joint->xml,
                           "the hinge is not across the flow ahead: the fin's lift is taken along its "
                           "upward direction");
        for (int i = 0; i < 3; i++)
            direction[i] = sense < 0 ? -up[i] : up[i];
    }
    fm_import_begin_actuator(m, "fin", name, position, direction);
    const double limit = joint && turns(joint) ? limit_of(m, joint, 3.2) : 0.001;
    if (limit > 0)
        fm_import_put_one(&m->actuators, "limit", fmax(limit, 0.001), "rad");
    else if (joint)
        fm_import_remark(m, joint->xml, "has no limit: the fin has Fathom's, 45 deg");
    if (joint && turns(joint) && speed_of(m, joint) > 0)
        fm_import_put_one(&m->actuators, "rate", speed_of(m, joint), "rad/s");
}

static fm_robot_joint *joint_to(const fm_import *m, const fm_robot_link *link)
{
    for (fm_robot_joint *joint = m->robot.joints; joint; joint = joint->next)
        if (joint->child == link)
            return joint;
    return NULL;
}

/* What LiftDrag has and the fin of Fathom has not. */
void fm_import_lose_of_lift(fm_import *m, fm_foreign *xml)
{
    static const struct {
        const char *name, *reason;
        double harmless;
    } rest[] = {
        {"cda", "drag that grows with the angle: Fathom's fin has the induced drag of its lift", 0},
        {"cla_stall", "lift after the stall: Fathom's fin has the normal force of separated flow", NAN},
        {"cda_stall", "drag after the stall: Fathom's fin has that of separated flow", NAN},
        {"cma", "moment about the fin's own centre", 0},
        {"cma_stall", "moment about the fin's own centre", 0},
        {"a0", "angle at which the fin is set: trim it with an order", 0},
    };
    for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) {
        fm_foreign *x = fm_foreign_child(xml, rest[i].name);
        const double value = fm_import_number(m, xml, rest[i].name, 0, -1e6, 1e6);
        if (x && value != rest[i].harmless)
            fm_import_lose(m, x, "%g: %s", value, rest[i].reason);
    }
}

void fm_import_gz_lift(fm_import *m, fm_robot_plugin *plugin)
{
    fm_foreign *xml = plugin->xml, *on = fm_foreign_child(xml, "link_name"),
               *control = fm_foreign_child(xml, "control_joint_name");
    fm_robot_link *link = on ? fm_robot_link_find(&m->robot, plugin->scope, on->text) : NULL;
    if (!link || !link->attached)
        fm_import_fail(m, on ? on : xml, FM_ERR_NAME, "%s", on ? "is not a link of the vehicle" : "has no <link_name>");
    fm_robot_joint *joint = control ? joint_of(m, plugin, "control_joint_name") : link ? joint_to(m, link) : NULL;
    double upward[3] = {0, 0, 1}, forward[3] = {1, 0, 0}, centre[3] = {0}, up[3], position[3];
    fm_import_vector(m, xml, "upward", upward);
    fm_import_vector(m, xml, "forward", forward);
    fm_import_vector(m, xml, "cp", centre);
    const double area = fm_import_number(m, xml, "area", 1, 1e-9, 100),
                 slope = fm_import_number(m, xml, "cla", 1, 0, 10),
                 gain = fm_import_number(m, xml, "control_joint_rad_to_cl", 4, -10, 10),
                 stall = fm_import_number(m, xml, "alpha_stall", FM_PI / 2, 0.02, 1e6),
                 density = fm_import_number(m, xml, "air_density", 1.2041, 0, 2000);
    const double length = sqrt(upward[0] * upward[0] + upward[1] * upward[1] + upward[2] * upward[2]);
    if (!(length > 1e-9))
        fm_import_fail(m, fm_foreign_child(xml, "upward"), FM_ERR_RANGE, "has no length");
    fm_import_lose_of_lift(m, xml);
    if (fm_import_flag(m, xml, "radial_symmetry", false))
        fm_import_lose(m, fm_foreign_child(xml, "radial_symmetry"), "the fin lifts along <upward> only");
    if (m->status != FM_OK)
        return;
    for (int i = 0; i < 3; i++)
        upward[i] /= length;
    const fm_robot_pose none = fm_robot_pose_none(), in_body = fm_import_in_body(m, link, &none);
    fm_robot_pose_turn(&in_body, upward, up);
    fm_robot_pose_point(&in_body, centre, position);
    const double scaled = area * density / m->density;
    if (density != m->density)
        fm_import_remark(m, xml, "area and lift are scaled from a fluid of %g kg/m3 to the water's %g kg/m3", density,
                         m->density);
    const bool moves = joint && turns(joint);
    const char *name = fm_import_name(m, moves ? joint->name : link->name);
    fm_import_put_fin(m, joint, name, position, up);
    fm_import_put_one(&m->actuators, "area", scaled, "m2");
    fm_import_put_one(&m->actuators, "lift-slope", control ? fabs(gain) : slope, "1/rad");
    fm_import_put_one(&m->actuators, "stall", fmin(stall, 1.5), "rad");
    fm_text_add(&m->actuators, " profile-drag=\"0\"%s/>\n", control ? " inflow=\"ahead\"" : "");
    if (!moves) {
        fm_import_remark(m, xml, "no joint turns it: the fin '%s' is fixed, give it no orders", name);
        return;
    }
    if (control)
        fm_import_lose(m, xml,
                       "<cla> is the lift of a wing that does not move: the fin '%s' has that of its flap alone", name);
    joint->driven = true;
    fm_import_add_order(m, name, "0 deg");
}

/* ---- servos ---- */

/* A link on a prismatic joint is a mass that moves. */
static void put_moving_mass(fm_import *m, fm_robot_joint *joint)
{
    double axis[3], ignored[3];
    const char *name = fm_import_name(m, joint->name);
    const double limit = limit_of(m, joint, 100);
    const fm_robot_pose at = fm_import_in_body(m, joint->child, &joint->child->inertial);
    fm_import_axis(m, joint, ignored, axis);
    fm_import_begin_actuator(m, "moving-mass", name, at.position, axis);
    fm_import_put_one(&m->actuators, "mass", joint->child->mass, "kg");
    fm_import_put_one(&m->actuators, "limit", limit < 0 ? 100 : limit, "m");
    if (speed_of(m, joint) > 0)
        fm_import_put_one(&m->actuators, "rate", speed_of(m, joint), "m/s");
    fm_text_add(&m->actuators, "/>\n");
    fm_import_add_order(m, name, "0 m");
    joint->driven = true;
}

void fm_import_gz_servo(fm_import *m, fm_robot_plugin *plugin)
{
    fm_robot_joint *joint = joint_of(m, plugin, "joint_name");
    if (!joint)
        return;
    if (strcmp(joint->type, "prismatic") == 0 && !joint->driven)
        put_moving_mass(m, joint);
    else if (!joint->driven)
        fm_import_lose(m, plugin->xml, "turns '%.60s', on which no LiftDrag acts: it has no force in Fathom",
                       joint->name);
}

/* ---- battery, weights ---- */

void fm_import_gz_battery(fm_import *m, fm_robot_plugin *plugin)
{
    fm_foreign *xml = plugin->xml, *charge = fm_foreign_child(xml, "initial_charge");
    const double volts = fm_import_number(m, xml, "voltage", 0, 0, 10000),
                 capacity = fm_import_number(m, xml, "capacity", 0, 0, 1e9),
                 load = fm_import_number(m, xml, "power_load", 0, 0, 1e6);
    fm_foreign_child(xml, "battery_name");
    if (m->status != FM_OK || m->has_battery)
        return;
    if (!(volts * capacity > 0)) {
        fm_import_lose(m, xml, "has no capacity (Ah) and voltage above 0");
        return;
    }
    m->has_battery = true;
    fm_text_add(&m->actuators, "  <battery");
    fm_import_put_one(&m->actuators, "capacity", volts * capacity * 3600, "J");
    fm_import_put_one(&m->actuators, "hotel", load, "W");
    fm_text_add(&m->actuators, "/>\n");
    if (charge && fm_import_number(m, xml, "initial_charge", capacity, 0, 1e9) != capacity)
        fm_import_lose(m, charge, "a battery of Fathom begins full");
}

/* body.c has attached the link. */
void fm_import_gz_detachable(fm_import *m, fm_robot_plugin *plugin)
{
    static const char *const names[] = {"parent_link", "child_model", "child_link"};
    for (int i = 0; i < 3; i++)
        fm_foreign_child(plugin->xml, names[i]);
    fm_import_lose(m, plugin->xml, "the weight stays with the vehicle: it is not dropped");
}
