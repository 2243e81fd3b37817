#include "batch/ends.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/lane_part.h"
#include "batch/links.h"
#include "control/chain.h"
#include "world/contact.h"
#include "world/world.h"

#define FAR_AWAY 1e29 /* m: nothing was near; FM_HUGE in float is larger */

double *fm_ends_read(fm_batch *b, fm_error *error)
{
    double *table = fm_alloc(b->rows.count * b->count * sizeof *table);
    fm_status status = table ? FM_OK : fm_fail(error, FM_ERR_MEMORY, "no memory for the ends of %zu runs", b->count);
    for (uint32_t row = 0; row < b->rows.count && status == FM_OK; row++)
        if (row < b->rows.waves || row >= b->rows.mass) /* waves are not needed here */
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

/* State kept by a chain that feels walls; 0 if there is none. */
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

/* What a chain has kept (control/chain.h); 0 where there is none. */
static int read_chain(const fm_batch *b, const double *table, size_t i, fm_chain_kept *kept)
{
    if (!fm_flat_has_chain(b->types[0].flat))
        return 0;
    for (uint32_t k = 0; k < FM_CHAIN_KEPT; k++)
        ((double *)kept)[k] = number_at(b, table, b->rows.chain + k, i);
    return 1;
}

/* State kept by a navigation, except for its instruments. */
static int read_suite(const fm_batch *b, const double *table, size_t i, double kept[FM_SUITE_HEAD])
{
    if (!b->types[0].flat->count[FM_FLAT_SUITE])
        return 0;
    for (uint32_t k = 0; k < FM_SUITE_HEAD; k++)
        kept[k] = number_at(b, table, b->rows.suite + k, i);
    return 1;
}

/* What it has touched; 0 where there is nothing to touch. */
static int read_touch(const fm_batch *b, const double *table, size_t i, fm_touch_kept *touch)
{
    for (uint32_t k = 0; k < b->rows.drift - b->rows.touch; k++)
        ((double *)touch)[k] = number_at(b, table, b->rows.touch + k, i);
    return b->rows.drift > b->rows.touch;
}

/* Metrics of the parts, each from the block that it says. */
static void put_metrics(const double *const blocks[FM_LANE_BLOCKS], fm_world *world)
{
    const fm_type *type = world->slots[0].type;
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_lane_part *lanes = type->parts[i].part_class->lanes;
        for (size_t k = 0; lanes && k < lanes->metric_count; k++)
            if (blocks[lanes->metrics[k].block])
                put_metric(type, world->slots[0].vehicle, lanes->metrics[k].name,
                           blocks[lanes->metrics[k].block] + lanes->metrics[k].at);
    }
}

/* Metrics of laws, from their rows. */
static void put_law_metrics(const fm_batch *b, const double *table, size_t i, fm_world *world)
{
    const fm_type *type = world->slots[0].type;
    for (size_t p = 0; p < type->part_count && b->rows.touch > b->rows.laws; p++) {
        const fm_lane_part *lanes = type->parts[p].part_class->lanes;
        const fm_law *law = lanes ? lanes->law : NULL;
        for (size_t k = 0; law && k < law->row_count; k++) {
            const uint32_t row =
                b->rows.laws + fm_law_first(type, &type->parts[p]) + (uint32_t)(law->state + law->outputs + 2 * k);
            const double metric[2] = {number_at(b, table, row, i), number_at(b, table, row + 1, i)};
            put_metric(type, world->slots[0].vehicle, law->rows[k].name, metric);
        }
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
    fm_chain_kept kept;
    fm_touch_kept touch;
    double suite[FM_SUITE_HEAD];
    const int feels = read_felt(b, table, i, &felt), has_chain = read_chain(b, table, i, &kept);
    const double *const blocks[FM_LANE_BLOCKS] = {[FM_LANE_CHAIN] = has_chain ? (const double *)&kept : NULL,
                                                  [FM_LANE_SUITE] = read_suite(b, table, i, suite) ? suite : NULL,
                                                  [FM_LANE_FELT] = feels ? (const double *)&felt : NULL};
    put_metrics(blocks, world);
    put_law_metrics(b, table, i, world);
    if (read_touch(b, table, i, &touch))
        put_touch(&touch, world);
}

bool fm_ends_in_doubt(const fm_batch *b, const double *table, size_t i, bool clearance)
{
    fm_touch_kept touch;
    if (read_touch(b, table, i, &touch) && (touch.doubt > 0 || (touch.tied > 0 && clearance)))
        return true;
    return number_at(b, table, b->rows.bad, i) != 0;
}
