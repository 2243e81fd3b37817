#include "batch/ends.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "physics/chain.h"
#include "world/contact.h"
#include "world/world.h"

#define FAR_AWAY 1e29 /* m: nothing was near; FM_HUGE in float is more */

double *fm_ends_read(fm_batch *b, fm_error *error)
{
    double *table = fm_alloc(b->rows.count * b->count * sizeof *table);
    fm_status status = table ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the ends of %zu runs", b->count);
    for (uint32_t row = 0; row < b->rows.count && status == FM_OK; row++)
        if (row < b->rows.waves || row >= b->rows.mass) /* nobody asks for waves */
            status = fm_batch_get_row(b, row, table + row * b->count, error);
    if (status == FM_OK)
        return table;
    fm_free(table);
    return NULL;
}

static double number_at(const fm_batch *b, const double *table, uint32_t row, size_t vehicle)
{
    return table[row * b->count + vehicle];
}

/* What a chain that feels walls has kept; 0 where there is none. */
static int read_felt(const fm_batch *b, const double *table, size_t i, fm_feeler_state *felt)
{
    const fm_flat *flat = b->types[0].flat;
    uint32_t row = b->rows.feeler;
    if (!flat->count[FM_FLAT_FEELER])
        return 0;
#define READ(x) (x) = number_at(b, table, row++, i)
    FM_FEELER_EACH(felt, (int)flat->count[FM_FLAT_SENSORS], READ);
#undef READ
    return 1;
}

static void put_metric(const fm_type *type, fm_vehicle *v, const char *name, const double metric[2])
{
    for (size_t i = 0; i < type->metric_count; i++)
        if (!strcmp(type->metrics[i].name, name))
            fm_metric_states(type, v)[i] = (fm_metric_state){metric[0], metric[1]};
}

/* Contacts and clearance: that of the hull where and when the batch found it nearest. */
static void put_touch(const fm_touch_kept *touch, fm_world *world)
{
    const fm_type *type = world->slots[0].type;
    fm_vehicle *v = world->slots[0].vehicle;
    v->contacts = (int64_t)touch->contacts;
    v->min_clearance = HUGE_VAL;
    if (!type->contact.clearance || touch->clearance > FAR_AWAY)
        return;
    const fm_body_state now = v->body;
    const uint64_t tick = world->head->tick;
    memcpy(v->body.position, touch->pose, sizeof v->body.position);
    memcpy(v->body.attitude, touch->pose + 3, sizeof v->body.attitude);
    world->head->tick = (uint64_t)touch->step;
    v->min_clearance = v->contacts ? 0 : fm_contact_clearance(world, 0);
    world->head->tick = tick;
    v->body = now;
}

/* Metrics of walls. */
static void put_felt(const fm_feeler_state *felt, fm_world *world)
{
    const fm_type *type = world->slots[0].type;
    fm_vehicle *v = world->slots[0].vehicle;
    put_metric(type, v, "detections", felt->detections);
    put_metric(type, v, "detection_gap", felt->gap);
    put_metric(type, v, "wall_angle_error", felt->angle);
    put_metric(type, v, "stop_distance", felt->stop);
    put_metric(type, v, "braking_distance", felt->braking);
    put_touch(&felt->touch, world);
}

/* What a chain has kept (physics/chain.h); 0 where there is none. */
static int read_chain(const fm_batch *b, const double *table, size_t i, fm_chain_kept *kept)
{
    if (!fm_flat_has_chain(b->types[0].flat))
        return 0;
    for (uint32_t k = 0; k < FM_CHAIN_KEPT; k++)
        ((double *)kept)[k] = number_at(b, table, b->rows.chain + k, i);
    return 1;
}

/* Metrics of an autopilot, of a turn, and of one that follows the bottom. */
static void put_chain(const fm_chain_kept *kept, fm_world *world)
{
    const fm_helm_state *s = &kept->pilot;
    const fm_turn_kept *t = &kept->turn;
    const struct {
        const char *name;
        const double *metric;
    } all[] = {{"depth_error_rms", s->depth_error},
               {"heading_error_rms", s->heading_error},
               {"track_error_rms", s->track_error},
               {"station_error_rms", s->station_error},
               {"waypoints_reached", s->reached},
               {"station_error", s->station_end},
               {"station_heading_error", s->station_heading},
               {"turn_radius", t->radius},
               {"advance", t->advance},
               {"transfer", t->transfer},
               {"tactical_diameter", t->diameter},
               {"threat_peak", kept->follower.peak},
               {"min_altitude", kept->follower.lowest},
               {"pitch_reversals", kept->follower.reversals},
               {"late_pitch_pp", kept->follower.late_pitch},
               {"late_altitude", kept->follower.late_altitude}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        put_metric(world->slots[0].type, world->slots[0].vehicle, all[i].name, all[i].metric);
    put_touch(&kept->touch, world);
}

/* Metrics of a navigation. */
static void put_navigated(const fm_batch *b, const double *table, size_t i, fm_world *world)
{
    static const char *const names[] = {"navigation_error_max", "navigation_error", "position_error_rms",
                                        "sensors_lost"};
    uint32_t row = b->rows.navigated + offsetof(fm_navigated_kept, worst) / sizeof(double);
    for (size_t k = 0; k < sizeof names / sizeof *names && b->types[0].flat->count[FM_FLAT_NAVIGATED]; k++) {
        const double metric[2] = {number_at(b, table, row + 2 * (uint32_t)k, i),
                                  number_at(b, table, row + 2 * (uint32_t)k + 1, i)};
        put_metric(world->slots[0].type, world->slots[0].vehicle, names[k], metric);
    }
}

void fm_ends_put(const fm_batch *b, const double *table, size_t i, fm_world *world, uint64_t tick)
{
    const fm_batch_rows *r = &b->rows;
    fm_vehicle *v = world->slots[0].vehicle;
    double *state = v->body.position;
    fm_actuator_state *actuators = fm_actuator_states(world->slots[0].type, v);
    for (uint32_t k = 0; k < 13; k++)
        state[k] = number_at(b, table, r->state + k, i);
    v->distance = number_at(b, table, r->tally, i);
    v->max_depth = number_at(b, table, r->tally + 1, i);
    v->max_speed_squared = number_at(b, table, r->tally + 2, i);
    v->peak_sine_pitch = number_at(b, table, r->tally + 3, i);
    v->charge = number_at(b, table, r->charge, i);
    v->power = number_at(b, table, r->power, i);
    for (uint32_t a = 0; a < r->actuators; a++)
        actuators[a].value = number_at(b, table, r->values + a, i);
    world->head->tick = tick;
    fm_feeler_state felt;
    if (read_felt(b, table, i, &felt))
        put_felt(&felt, world);
    fm_chain_kept kept;
    if (read_chain(b, table, i, &kept))
        put_chain(&kept, world);
    put_navigated(b, table, i, world);
}

bool fm_ends_in_doubt(const fm_batch *b, const double *table, size_t i, bool clearance)
{
    fm_feeler_state felt;
    fm_chain_kept kept;
    const fm_touch_kept *touch = read_felt(b, table, i, &felt)    ? &felt.touch
                                 : read_chain(b, table, i, &kept) ? &kept.touch
                                                                  : NULL;
    if (touch && (touch->doubt > 0 || (touch->tied > 0 && clearance)))
        return true;
    return number_at(b, table, b->rows.bad, i) != 0;
}
