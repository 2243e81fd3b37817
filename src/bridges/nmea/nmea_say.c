#include "bridges/nmea/nmea_say.h"

#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "physics/posture.h"
#include "world/surface.h"
#include "world/world.h"

typedef struct report {
    char *text;
    size_t count;
    const char *talker;
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

static fm_nmea_fix fix_of(const fm_world *world, int slot, double utc)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    const fm_settings *s = &world->model->settings;
    const fm_geodetic origin = {s->latitude, s->longitude, 0};
    fm_geodetic geodetic = fm_geodetic_from_chart(&origin, v->body.position[0], v->body.position[1]);
    double over_ground[3];
    fm_vector_to_world(fm_slot_rotation(world, slot), v->body.velocity, over_ground);
    return (fm_nmea_fix){.utc = utc,
                         .valid = fm_slot_antenna_dry(world, slot),
                         .latitude = geodetic.latitude,
                         .longitude = geodetic.longitude,
                         .altitude = -v->body.position[2],
                         .speed = sqrt(over_ground[0] * over_ground[0] + over_ground[1] * over_ground[1]),
                         .course = fm_atan2(over_ground[1], over_ground[0])};
}

/* Apparent wind, body axes. */
static void say_wind(report *r, const fm_world *world, int slot)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    double wind[3], level[3] = {world->environment->wind[0], world->environment->wind[1], 0};
    if (!fm_type_floats(world->slots[slot].type) || (level[0] == 0 && level[1] == 0))
        return;
    fm_vector_to_body(fm_slot_rotation(world, slot), level, wind);
    double ahead = v->body.velocity[0] - wind[0], aside = v->body.velocity[1] - wind[1]; /* where it comes from */
    SAY(r, fm_nmea_vwr, r->talker, fm_atan2(aside, ahead), sqrt(ahead * ahead + aside * aside));
}

static void say_own(report *r, const fm_world *world, int slot, double utc)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    fm_nmea_fix fix = fix_of(world, slot, utc);
    fm_pose pose = {0};
    double through[3], stream[3];
    const double *p = v->body.position;
    fm_world_pose(world, slot, &pose);
    fm_vector_to_body(fm_slot_rotation(world, slot), v->water, stream);
    for (int i = 0; i < 3; i++)
        through[i] = v->body.velocity[i] - stream[i];
    double below = fm_environment_depth(world->environment, p[0], p[1]) - p[2];
    SAY(r, fm_nmea_gga, r->talker, &fix);
    SAY(r, fm_nmea_rmc, r->talker, &fix);
    SAY(r, fm_nmea_vtg, r->talker, &fix);
    SAY(r, fm_nmea_hdt, r->talker, pose.euler[2]);
    if (isfinite(below)) {
        SAY(r, fm_nmea_dbt, r->talker, below);
        SAY(r, fm_nmea_dpt, r->talker, below, p[2]);
    }
    SAY(r, fm_nmea_mtw, r->talker,
        fm_water_column_temperature(&world->environment->column, p[0], p[1], p[2] > 0 ? p[2] : 0));
    SAY(r, fm_nmea_vhw, r->talker, pose.euler[2], through[0]);
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

static void say_target(report *r, const fm_world *world, int slot, int other, int number, double utc)
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
                             .utc = utc};
    find_approach(off, drift, &target.closest, &target.time);
    SAY(r, fm_nmea_ttm, r->talker, &target);
}

static void say_vessel(report *r, const fm_world *world, int slot, double utc)
{
    fm_pose pose = {0};
    fm_world_pose(world, slot, &pose);
    fm_nmea_vessel vessel = {.mmsi = 990000000u + (uint32_t)slot + 1,
                             .fix = fix_of(world, slot, utc),
                             .heading = pose.euler[2],
                             .turn = pose.velocity[5]};
    SAY(r, fm_nmea_aivdm, &vessel);
}

size_t fm_nmea_say(const fm_world *world, int slot, const char *talker, double utc, char text[FM_NMEA_REPORT])
{
    report r = {text, 0, talker};
    int number = 0;
    say_own(&r, world, slot, utc);
    for (int other = 0; other < world->slot_count; other++) {
        if (other == slot || !fm_slot_occupied(world, other))
            continue;
        if (++number <= FM_NMEA_TARGETS)
            say_target(&r, world, slot, other, number, utc);
        if (fm_type_floats(world->slots[other].type))
            say_vessel(&r, world, other, utc);
    }
    return r.count;
}
