/* A ship by the standard MMG model: <mmg-hull>, <mmg-propeller> and <mmg-rudder>, each a force term. */
#include "base/part_class.h"
#include "forces/forces.h"

#include "base/lane_part.h"

/* --- hull --- */

typedef struct hull_config {
    fm_mmg_hull hull;
} hull_config;

#define HULL(member, name, its_text) FM_REAL_ATTR(hull_config, hull.member, name, "", -10, 10, "0", 0, its_text)
static const fm_attr hull_attrs[] = {
    FM_REAL_ATTR(hull_config, hull.length, "length", "m", 0.1, 1e3, NULL, FM_ATTR_REQUIRED, "between perpendiculars"),
    FM_REAL_ATTR(hull_config, hull.draught, "draught", "m", 0.01, 100, NULL, FM_ATTR_REQUIRED, "of the hull"),
    FM_REAL_ATTR(hull_config, hull.resistance, "resistance", "", 0, 1, NULL, FM_ATTR_REQUIRED,
                 "R0', in straight motion"),
    HULL(x_vv, "X_vv", "of v'v' in surge"),
    HULL(x_vr, "X_vr", "of v'r' in surge, without the added mass"),
    HULL(x_rr, "X_rr", "of r'r' in surge"),
    HULL(x_vvvv, "X_vvvv", "of v' to the fourth in surge"),
    HULL(y_v, "Y_v", "of v' in sway"),
    HULL(y_r, "Y_R", "of r' in sway, without the added mass"),
    HULL(y_vvv, "Y_vvv", "of v' cubed in sway"),
    HULL(y_vvr, "Y_vvr", "of v'v'r' in sway"),
    HULL(y_vrr, "Y_vrr", "of v'r'r' in sway"),
    HULL(y_rrr, "Y_rrr", "of r' cubed in sway"),
    HULL(n_v, "N_v", "of v' in yaw"),
    HULL(n_r, "N_R", "of r' in yaw"),
    HULL(n_vvv, "N_vvv", "of v' cubed in yaw"),
    HULL(n_vvr, "N_vvr", "of v'v'r' in yaw"),
    HULL(n_vrr, "N_vrr", "of v'r'r' in yaw"),
    HULL(n_rrr, "N_rrr", "of r' cubed in yaw"),
};
static const fm_element hull_element = FM_TABLE_ELEMENT(
    hull_config, "mmg-hull", hull_attrs, NULL, FM_ELEMENT_ONCE,
    "Resistance and manoeuvring derivatives of a ship's hull by the standard MMG model (V2), in units of "
    "rho/2 L d U2 (yaw: L2 d). Use it with coriolis=\"rigid-body\"; the added masses' part of it is "
    "written in <drag> as X_vr and Y_ur.");

static void add_hull(const fm_part_context *context)
{
    const fm_force_moment now = fm_force_now(context);
    fm_mmg_load_hull(&((const hull_config *)context->config)->hull, &now, context->force);
}

static void describe_hull(const void *config, const double wind[2], fm_force_term *term, double *levels, int32_t first)
{
    (void)wind, (void)levels, (void)first;
    term->kind = FM_FORCE_HULL;
    term->ship = ((const hull_config *)config)->hull;
}

static const fm_lane_part hull_lanes = {.role = FM_LANE_FORCE, .term = describe_hull};
const fm_part_class fm_mmg_hull_class = {
    .kind = FM_PART_FORCE, .element = &hull_element, .run = add_hull, .lanes = &hull_lanes};

/* --- propeller --- */

typedef struct propeller_config {
    fm_mmg_propeller propeller;
    const char *actuator;
    int64_t shaft; /* number of the actuator */
    const fm_mmg_hull *hull;
} propeller_config;

#define SCREW(member, name, low, high, its_text)                                                                       \
    FM_REAL_ATTR(propeller_config, propeller.member, name, "", low, high, NULL, FM_ATTR_REQUIRED, its_text)
static const fm_attr propeller_attrs[] = {
    FM_NAME_ATTR(propeller_config, actuator, "actuator", NULL, FM_ATTR_REQUIRED,
                 "<propeller> whose shaft speed it has; that one's own thrust is to be 0 N"),
    FM_REAL_ATTR(propeller_config, propeller.diameter, "diameter", "m", 1e-3, 20, NULL, FM_ATTR_REQUIRED,
                 "of the screw"),
    SCREW(deduction, "deduction", 0, 1, "thrust deduction t_P"),
    SCREW(wake, "wake", 0, 1, "wake fraction w_P0 in straight motion"),
    SCREW(k0, "k0", -2, 2, "K_T = k0 + k1 J + k2 J2"),
    SCREW(k1, "k1", -2, 2, "see k0"),
    SCREW(k2, "k2", -2, 2, "see k0"),
    SCREW(position, "place", -1, 0, "x_P' = x_P/L, aft of midships"),
    SCREW(c1, "c1", 0, 20, "how fast the wake narrows with the drift"),
    SCREW(c2_plus, "c2-plus", 0, 5, "what it comes to, for a drift to starboard"),
    SCREW(c2_minus, "c2-minus", 0, 5, "the same to port"),
};
static const fm_element propeller_element =
    FM_TABLE_ELEMENT(propeller_config, "mmg-propeller", propeller_attrs, NULL, FM_ELEMENT_ONCE,
                     "A ship's propeller by the standard MMG model (V3), (V4): wake, thrust deduction, open-water "
                     "curve. Must follow <mmg-hull>.");

/* The config of the part of this class that precedes it; NULL: none. */
static const void *part_before(fm_part_load *load, const char *class_name)
{
    for (size_t i = 0; i < fm_load_part_count(load); i++)
        if (fm_class_is(fm_load_part_info(load, i).part_class, class_name))
            return fm_load_part_info(load, i).config;
    return NULL;
}

static fm_status load_propeller(fm_part_load *load, void *config, fm_error *error)
{
    propeller_config *c = config;
    const hull_config *hull = part_before(load, "mmg-hull");
    c->shaft = fm_load_actuator(load, c->actuator, error);
    if (c->shaft < 0)
        return FM_ERR_NAME;
    if (!hull)
        return fm_load_fail(load, error, FM_ERR_MODEL, "needs an <mmg-hull> before it");
    c->hull = &hull->hull;
    return FM_OK;
}

static fm_mmg_actuator actuator_now(const fm_part_context *context, int64_t number)
{
    return (fm_mmg_actuator){fm_actuator_value(context, (int)number), fm_actuator_efficiency(context, (int)number)};
}

static void add_propeller(const fm_part_context *context)
{
    const propeller_config *c = context->config;
    const fm_force_moment now = fm_force_now(context);
    fm_mmg_load_propeller(&c->propeller, c->hull, actuator_now(context, c->shaft), &now, context->force);
}

/* Upright, straight ahead at this speed (m/s) in still water. */
#define STRAIGHT_AHEAD(speed, its_density)                                                                             \
    {                                                                                                                  \
        .R = (const double[9]){1, 0, 0, 0, 1, 0, 0, 0, 1}, .velocity = (const double[6]){speed},                       \
        .water = (const double[3]){0}, .density = its_density                                                          \
    }

static void add_propeller_effect(const void *config, int actuator, double order, double density, double effect[6])
{
    const propeller_config *c = config;
    const fm_force_moment at_rest = STRAIGHT_AHEAD(0, density);
    if (actuator == c->shaft)
        fm_mmg_load_propeller(&c->propeller, c->hull, (fm_mmg_actuator){order, 1}, &at_rest, effect);
}

static void describe_propeller(const void *config, const double wind[2], fm_force_term *term, double *levels,
                               int32_t first)
{
    (void)wind, (void)levels, (void)first;
    const propeller_config *c = config;
    term->kind = FM_FORCE_PROPELLER;
    term->actuator = (int32_t)c->shaft;
    term->screw = c->propeller;
}

static const fm_lane_part propeller_lanes = {.role = FM_LANE_FORCE, .term = describe_propeller};
const fm_part_class fm_mmg_propeller_class = {.kind = FM_PART_FORCE,
                                              .element = &propeller_element,
                                              .load = load_propeller,
                                              .run = add_propeller,
                                              .effect = add_propeller_effect,
                                              .lanes = &propeller_lanes};

/* --- rudder --- */

typedef struct rudder_config {
    fm_mmg_rudder rudder;
    const char *actuator;
    int64_t stock; /* number of the actuator */
    const propeller_config *propeller;
} rudder_config;

#define RUDDER(member, name, low, high, its_text)                                                                      \
    FM_REAL_ATTR(rudder_config, rudder.member, name, "", low, high, NULL, FM_ATTR_REQUIRED, its_text)
static const fm_attr rudder_attrs[] = {
    FM_NAME_ATTR(rudder_config, actuator, "actuator", NULL, FM_ATTR_REQUIRED,
                 "<fin> whose deflection it has; a positive one turns the ship to starboard"),
    FM_REAL_ATTR(rudder_config, rudder.area, "area", "m2", 1e-6, 1e3, NULL, FM_ATTR_REQUIRED, "of the rudder"),
    RUDDER(lift_slope, "lift-slope", 0, 10, "f_alpha, of the normal force and the sine of its angle of attack"),
    RUDDER(deduction, "deduction", 0, 1, "steering resistance deduction t_R"),
    RUDDER(increase, "increase", 0, 2, "a_H: force that the rudder makes on the hull, part of its own"),
    RUDDER(increase_position, "increase-place", -1, 1, "x_H' of that force"),
    RUDDER(position, "place", -1, 0, "x_R' = x_R/L"),
    RUDDER(wake_ratio, "wake-ratio", 0, 3, "epsilon: of the wakes at rudder and propeller"),
    RUDDER(slip_gain, "slip-gain", 0, 2, "kappa: how far the slipstream has sped up"),
    RUDDER(covered, "covered", 0, 1, "eta: diameter of the propeller over height of the rudder"),
    RUDDER(flow_position, "flow-place", -2, 0, "l_R': place of the flow straightening"),
    RUDDER(straight_plus, "straightening-plus", 0, 2, "gamma_R for a drift to starboard"),
    RUDDER(straight_minus, "straightening-minus", 0, 2, "the same to port"),
};
static const fm_element rudder_element = FM_TABLE_ELEMENT(
    rudder_config, "mmg-rudder", rudder_attrs, NULL, FM_ELEMENT_ONCE,
    "A rudder in the slipstream of the propeller by the standard MMG model (V5). Must follow <mmg-propeller>.");

static fm_status load_rudder(fm_part_load *load, void *config, fm_error *error)
{
    rudder_config *c = config;
    c->stock = fm_load_actuator(load, c->actuator, error);
    if (c->stock < 0)
        return FM_ERR_NAME;
    c->propeller = part_before(load, "mmg-propeller");
    return c->propeller ? FM_OK : fm_load_fail(load, error, FM_ERR_MODEL, "needs an <mmg-propeller> before it");
}

static void add_rudder(const fm_part_context *context)
{
    const rudder_config *c = context->config;
    const propeller_config *p = c->propeller;
    const fm_force_moment now = fm_force_now(context);
    fm_mmg_load_rudder(&c->rudder, &p->propeller, p->hull, actuator_now(context, p->shaft),
                       actuator_now(context, c->stock), &now, context->force);
}

static void add_rudder_effect(const void *config, int actuator, double order, double density, double effect[6])
{
    const rudder_config *c = config;
    const fm_force_moment ahead = STRAIGHT_AHEAD(1, density);
    if (actuator == c->stock)
        fm_mmg_load_rudder(&c->rudder, &c->propeller->propeller, c->propeller->hull, (fm_mmg_actuator){0, 1},
                           (fm_mmg_actuator){order, 1}, &ahead, effect);
}

static void describe_rudder(const void *config, const double wind[2], fm_force_term *term, double *levels,
                            int32_t first)
{
    (void)wind, (void)levels, (void)first;
    const rudder_config *c = config;
    term->kind = FM_FORCE_RUDDER;
    term->actuator = (int32_t)c->stock;
    term->rudder = c->rudder;
}

static const fm_lane_part rudder_lanes = {.role = FM_LANE_FORCE, .term = describe_rudder};
const fm_part_class fm_mmg_rudder_class = {.kind = FM_PART_FORCE,
                                           .element = &rudder_element,
                                           .load = load_rudder,
                                           .run = add_rudder,
                                           .effect = add_rudder_effect,
                                           .lanes = &rudder_lanes};
