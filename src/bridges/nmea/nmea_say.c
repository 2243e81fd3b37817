#include "bridges/nmea/nmea_say.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/named_values.h"
#include "environment/environment.h"
#include "geometry/shape.h"
#include "physics/posture.h"
#include "world/surface.h"
#include "world/world.h"

typedef struct report {
    char *text;
    size_t count;
    const char *talker;
    double utc; /* s since 1970 */
} report;

/* Space for one more sentence; too little: NULL, and nothing is written. */
static char *room_of(const report *r, size_t *room)
{
    *room = FM_NMEA_REPORT - r->count;
    return r->text + r->count;
}

#define SAY(report, function, ...)                                                                                     \
    do {                                                                                                               \
        size_t left;                                                                                                   \
        char *at = room_of(report, &left);                                                                             \
        (report)->count += function(__VA_ARGS__, at, left);                                                            \
    } while (0)

static double utc_of(const fm_world *world)
{
    return world->model->settings.epoch + fm_world_time(world);
}

static fm_nmea_fix fix_of(const fm_world *world, int slot)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    const fm_settings *s = &world->model->settings;
    const fm_geodetic origin = {s->latitude, s->longitude, 0};
    fm_geodetic geodetic = fm_geodetic_from_chart(&origin, v->body.position[0], v->body.position[1]);
    double over_ground[3];
    fm_vector_to_world(fm_slot_rotation(world, slot), v->body.velocity, over_ground);
    return (fm_nmea_fix){.utc = utc_of(world),
                         .valid = fm_slot_antenna_dry(world, slot),
                         .latitude = geodetic.latitude,
                         .longitude = geodetic.longitude,
                         .altitude = -v->body.position[2],
                         .speed = sqrt(over_ground[0] * over_ground[0] + over_ground[1] * over_ground[1]),
                         .course = fm_atan2(over_ground[1], over_ground[0])};
}

/* Velocity through the water, body axes. */
static void find_through(const fm_world *world, int slot, double through[3])
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    fm_vector_to_body(fm_slot_rotation(world, slot), v->water, through);
    for (int i = 0; i < 3; i++)
        through[i] = v->body.velocity[i] - through[i];
}

/* Apparent wind is that on board; true wind that on board of a vehicle which drifts with the water. Body axes. */
static void say_wind(report *r, const fm_world *world, int slot)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    double wind[3], through[3], level[3] = {world->environment->wind[0], world->environment->wind[1], 0};
    if (!fm_type_floats(world->slots[slot].type) || (level[0] == 0 && level[1] == 0))
        return;
    fm_vector_to_body(fm_slot_rotation(world, slot), level, wind);
    find_through(world, slot, through);
    double ahead = v->body.velocity[0] - wind[0], aside = v->body.velocity[1] - wind[1]; /* where it comes from */
    SAY(r, fm_nmea_mwv, r->talker, fm_atan2(aside, ahead), 1, sqrt(ahead * ahead + aside * aside));
    ahead -= through[0];
    aside -= through[1];
    SAY(r, fm_nmea_mwv, r->talker, fm_atan2(aside, ahead), 0, sqrt(ahead * ahead + aside * aside));
}

/* Whether an actuator is a fin that mostly yaws; *sign is 1 if a positive angle turns to starboard. Rudders at the bow
 * are none: a rudder indicator shows those at the stern. */
static int is_rudder(const fm_type *type, size_t i, double *sign)
{
    double column[6] = {0};
    const fm_actuator *a = &type->actuators[i];
    if (a->kind != FM_ACT_FIN || !type->kind->fin_column || strstr(type->actuator_names[i], "bow"))
        return 0;
    type->kind->fin_column(type, a->fin, column);
    *sign = column[5] < 0 ? -1 : 1;
    return fabs(column[5]) > fabs(column[4]) && fabs(column[5]) > fabs(column[3]);
}

static void say_rudders(report *r, const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    const fm_actuator_state *states = fm_actuator_states(s->type, s->vehicle);
    double starboard = NAN, port = NAN, sign;
    for (size_t i = 0; i < s->type->actuator_count; i++) {
        if (!is_rudder(s->type, i, &sign))
            continue;
        double *angle = strstr(s->type->actuator_names[i], "port") ? &port : &starboard;
        *angle = isfinite(*angle) ? *angle : sign * states[i].value;
    }
    if (isfinite(starboard) || isfinite(port))
        SAY(r, fm_nmea_rsa, r->talker, starboard, port);
}

static void say_shafts(report *r, const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    const fm_actuator_state *states = fm_actuator_states(s->type, s->vehicle);
    int shaft = 0;
    for (size_t i = 0; i < s->type->actuator_count; i++)
        if (fm_actuator_is_shaft(s->type, i))
            SAY(r, fm_nmea_rpm, r->talker, ++shaft, states[i].value);
}

/* rad/s, positive to starboard: of the heading. */
static double turn_of(const fm_world *world, int slot)
{
    double turn[3];
    fm_vector_to_world(fm_slot_rotation(world, slot), world->slots[slot].vehicle->body.velocity + 3, turn);
    return turn[2];
}

static void say_own(report *r, const fm_world *world, int slot, const fm_nmea_past *past)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    fm_nmea_fix fix = fix_of(world, slot);
    fm_pose pose = {0};
    double through[3];
    const double *p = v->body.position;
    fm_world_pose(world, slot, &pose);
    find_through(world, slot, through);
    double below = fm_environment_depth(world->environment, p[0], p[1]) - p[2];
    SAY(r, fm_nmea_gga, r->talker, &fix);
    SAY(r, fm_nmea_rmc, r->talker, &fix);
    SAY(r, fm_nmea_gll, r->talker, &fix);
    SAY(r, fm_nmea_vtg, r->talker, &fix);
    SAY(r, fm_nmea_zda, r->talker, r->utc);
    SAY(r, fm_nmea_hdt, r->talker, pose.euler[2]);
    SAY(r, fm_nmea_rot, r->talker, turn_of(world, slot));
    if (isfinite(below)) {
        SAY(r, fm_nmea_dbt, r->talker, below);
        SAY(r, fm_nmea_dpt, r->talker, below, p[2]);
    }
    SAY(r, fm_nmea_mtw, r->talker,
        fm_water_column_temperature(&world->environment->column, p[0], p[1], p[2] > 0 ? p[2] : 0));
    SAY(r, fm_nmea_vhw, r->talker, pose.euler[2], through[0]);
    SAY(r, fm_nmea_vlw, r->talker, past->through_water, past->over_ground);
    say_rudders(r, world, slot);
    say_shafts(r, world, slot);
    SAY(r, fm_nmea_xdr, r->talker, pose.euler[1], pose.euler[0], p[2]);
    say_wind(r, world, slot);
}

/* m and s to the closest approach of two vehicles on straight courses; NaN: it is in the past, or their distance is
 * constant. */
static void find_approach(const double off[2], const double drift[2], double *closest, double *time)
{
    double square = drift[0] * drift[0] + drift[1] * drift[1];
    *time = square > 1e-12 ? -(off[0] * drift[0] + off[1] * drift[1]) / square : NAN;
    if (!(*time >= 0)) {
        *time = *closest = NAN;
        return;
    }
    double north = off[0] + drift[0] * *time, east = off[1] + drift[1] * *time;
    *closest = sqrt(north * north + east * east);
}

static void say_target(report *r, const fm_world *world, int slot, int other, int number)
{
    const fm_vehicle *a = world->slots[slot].vehicle, *b = world->slots[other].vehicle;
    double va[3], vb[3];
    fm_vector_to_world(fm_slot_rotation(world, slot), a->body.velocity, va);
    fm_vector_to_world(fm_slot_rotation(world, other), b->body.velocity, vb);
    double off[2] = {b->body.position[0] - a->body.position[0], b->body.position[1] - a->body.position[1]};
    double drift[2] = {vb[0] - va[0], vb[1] - va[1]};
    fm_nmea_target target = {.number = number,
                             .range = sqrt(off[0] * off[0] + off[1] * off[1]),
                             .bearing = fm_atan2(off[1], off[0]),
                             .speed = sqrt(vb[0] * vb[0] + vb[1] * vb[1]),
                             .course = fm_atan2(vb[1], vb[0]),
                             .name = b->name,
                             .utc = r->utc};
    find_approach(off, drift, &target.closest, &target.time);
    SAY(r, fm_nmea_ttm, r->talker, &target);
}

/* Distances from the reference point to the ends of the hull, and its draught. */
static void measure_ship(const fm_world *world, int slot, fm_nmea_ship *ship)
{
    static const double ways[4][3] = {{1, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    const fm_type *type = world->slots[slot].type;
    double *const ends[4] = {&ship->bow, &ship->stern, &ship->port, &ship->starboard};
    double top, bottom, at[3];
    for (size_t i = 0; i < type->shape_count; i++)
        for (int k = 0; k < 4; k++) {
            fm_shape_support(&type->shapes[i], ways[k], at);
            *ends[k] = fmax(*ends[k], fm_dot(at, ways[k]));
        }
    fm_type_extent(type, &top, &bottom);
    ship->draught = fmax(world->slots[slot].vehicle->body.position[2] + bottom, 0);
}

static fm_nmea_ship ship_of(const fm_world *world, int slot, const fm_nmea_config *config, fm_named_value pairs[3])
{
    const char *name = world->slots[slot].vehicle->name, *mmsi = fm_named_value_find(config->mmsis, name, &pairs[0]),
               *type = fm_named_value_find(config->ship_types, name, &pairs[1]);
    fm_nmea_ship ship = {.name = name,
                         .mmsi = mmsi ? (uint32_t)strtoul(mmsi, NULL, 10) : 200000000u + (uint32_t)slot + 1,
                         .call_sign = fm_named_value_find(config->call_signs, name, &pairs[2]),
                         .type = type ? (unsigned)strtoul(type, NULL, 10) : 0};
    measure_ship(world, slot, &ship);
    ship.class_b = ship.bow + ship.stern < FM_NMEA_CLASS_A;
    return ship;
}

static void say_vessel(report *r, const fm_world *world, int slot, const fm_nmea_config *config, fm_nmea_past *past,
                       int all)
{
    fm_pose pose = {0};
    fm_named_value pairs[3];
    fm_world_pose(world, slot, &pose);
    fm_nmea_vessel vessel = {.ship = ship_of(world, slot, config, pairs),
                             .fix = fix_of(world, slot),
                             .heading = pose.euler[2],
                             .turn = turn_of(world, slot)};
    SAY(r, fm_nmea_ais_position, &vessel);
    if (all)
        SAY(r, fm_nmea_ais_static, &vessel.ship, past->sequence++);
}

void fm_nmea_past_add(fm_nmea_past *past, const fm_world *world, int slot)
{
    const double time = fm_world_time(world);
    double through[3];
    if (time < past->time)
        *past = (fm_nmea_past){0};
    find_through(world, slot, through);
    past->through_water += fm_norm(through) * (time - past->time);
    past->over_ground += fm_norm(world->slots[slot].vehicle->body.velocity) * (time - past->time);
    past->time = time;
}

size_t fm_nmea_say(const fm_world *world, int slot, const fm_nmea_config *config, fm_nmea_past *past,
                   char text[FM_NMEA_REPORT])
{
    report r = {text, 0, config->talker, utc_of(world)};
    int number = 0, all = fm_world_time(world) >= past->next_static;
    if (all)
        past->next_static = fm_world_time(world) + FM_NMEA_STATIC_EVERY;
    say_own(&r, world, slot, past);
    for (int other = 0; other < world->slot_count; other++) {
        if (other == slot || !fm_slot_occupied(world, other))
            continue;
        if (++number <= FM_NMEA_TARGETS)
            say_target(&r, world, slot, other, number);
        if (fm_type_floats(world->slots[other].type))
            say_vessel(&r, world, other, config, past, all);
    }
    return r.count;
}
