/* <mine-sonar>: detects obstacles of a given name with a fan of rays, like a sonar with an automatic recogniser.
 * docs/theory/control.md (C28) */
#include <fathom/world.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "environment/sight.h"
#include "physics/posture.h"
#include "sensors/imperfect.h"
#include "sensors/parts.h"

enum { MINES_MOST = 64, RAYS_MOST = 4096, BLOCK = 64, CHANCE_AT = 1 << 22 };

typedef struct mine_config {
    fm_health health;
    double chance; /* live: probability of recognising a mine in one image that shows it well enough */
    fm_flaws ranges, bearings;
    fm_instrument instrument;
    const char *mines;         /* how their names begin */
    double range;              /* m */
    double sector, height;     /* rad */
    double tilt;               /* rad, down */
    int64_t beams, rays;       /* side by side, from top to bottom */
    int64_t least;             /* echoes that make a mine */
    double (*directions)[3];   /* derived: unit vectors, instrument axes */
    int64_t index[MINES_MOST]; /* of the obstacles */
    int64_t count;
    int64_t detections, found, there; /* metrics */
} mine_config;

typedef struct mine_reading {
    fm_reading head;
    double seen;    /* mines recognised in this image */
    double found;   /* different mines recognised since the start */
    double range;   /* m, to the nearest one in this image; NaN: none */
    double bearing; /* rad, to it, from forward to starboard; NaN: none */
} mine_reading;

typedef struct flaws_alone {
    fm_flaws flaws;
} flaws_alone;

static const fm_attr ranges_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "m"),
};
static const fm_attr bearings_attrs[] = {
    FM_FLAW_ATTRS(flaws_alone, flaws, "rad"),
};
static const fm_element ranges_element = FM_CHILD_ELEMENT(mine_config, ranges, fm_flaws, "ranges", ranges_attrs, NULL,
                                                          "Errors of the range of the nearest mine."),
                        bearings_element = FM_CHILD_ELEMENT(mine_config, bearings, fm_flaws, "bearings", bearings_attrs,
                                                            NULL, "Errors of the bearing of the nearest mine.");
static const fm_element *const children[] = {&ranges_element, &bearings_element, NULL};
static const fm_attr attrs[] = {
    FM_INSTRUMENT_ATTRS(mine_config),
    FM_REAL_ATTR(mine_config, chance, "chance", "", 0, 1, "0.8", FM_ATTR_LIVE,
                 "of recognising a mine in one image that shows it well enough"),
    FM_NAME_ATTR(mine_config, mines, "mines", "mine", 0, "obstacles whose names begin so are mines"),
    FM_REAL_ATTR(mine_config, range, "range", "m", 0.1, 1000, "15 m", 0, "the farthest it sees"),
    FM_REAL_ATTR(mine_config, sector, "sector", "rad", 0, 6.2832, "90 deg", 0, "over which the beams lie"),
    FM_REAL_ATTR(mine_config, height, "beam-height", "rad", 0, 3.1416, "30 deg", 0, "of each beam, from top to bottom"),
    FM_REAL_ATTR(mine_config, tilt, "tilt", "rad", -1.5708, 1.5708, "20 deg", 0, "of the beams' middle, downwards"),
    FM_INT_ATTR(mine_config, beams, "beams", 1, 1024, "64", 0, "side by side"),
    FM_INT_ATTR(mine_config, rays, "rays", 1, 1024, "16", 0, "in each beam, from top to bottom"),
    FM_INT_ATTR(mine_config, least, "least-echoes", 1, 4096, "2", 0, "rays that must meet a mine for it to stand out"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(mine_config, "mine-sonar", attrs, children, 0,
                     "Mine-hunting sonar: a fan of rays with occlusion; a mine hit by enough of them is recognised "
                     "with a given probability in every image.");

static fm_status find_mines(fm_part_load *load, mine_config *c, fm_error *error)
{
    const fm_environment *e = fm_load_environment(load);
    for (size_t i = 0; i < e->obstacle_count; i++) {
        if (!e->obstacles[i].name || strncmp(e->obstacles[i].name, c->mines, strlen(c->mines)) != 0)
            continue;
        if (c->count == MINES_MOST)
            return fm_load_fail(load, error, FM_ERR_RANGE, "more than %d mines given: must be at most that many",
                                MINES_MOST);
        c->index[c->count++] = (int64_t)i;
    }
    return c->count ? FM_OK
                    : fm_load_fail(load, error, FM_ERR_NAME, "no obstacle whose name begins with '%s'", c->mines);
}

static double spread(double whole, int64_t i, int64_t count)
{
    return count > 1 ? whole * ((double)i / (double)(count - 1) - 0.5) : 0;
}

static fm_status load_mine_sonar(fm_part_load *load, void *config, fm_error *error)
{
    mine_config *c = config;
    if (c->beams * c->rays > RAYS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "%lld rays given: must be at most %d",
                            (long long)(c->beams * c->rays), RAYS_MOST);
    const fm_status status = find_mines(load, c, error);
    if (status != FM_OK)
        return status;
    if (!(c->directions = fm_load_alloc(load, (size_t)(c->beams * c->rays) * sizeof *c->directions)))
        return FM_ERR_MEMORY;
    for (int64_t i = 0; i < c->beams; i++)
        for (int64_t k = 0; k < c->rays; k++)
            fm_sight_direction(spread(c->sector, i, c->beams), c->tilt + spread(c->height, k, c->rays),
                               c->directions[i * c->rays + k]);
    c->detections = fm_load_metric(load, "detections", "", "how often a mine was recognised", FM_METRIC_SUM);
    c->found = fm_load_metric(load, "mines_found", "", "different mines recognised", FM_METRIC_LAST);
    c->there = fm_load_metric(load, "mines", "", "mines that lie there", FM_METRIC_LAST);
    c->instrument.mount.farthest = c->range;
    c->instrument.mount.width = c->sector;
    c->instrument.mount.height = c->height;
    return fm_instrument_load(load, &c->instrument, 2, FM_READING_WORDS(mine_reading), sizeof(uint64_t), error);
}

/* Echoes of one image by mine. */
typedef struct echoes {
    int64_t count[MINES_MOST];
    double nearest[MINES_MOST]; /* m */
    double bearing[MINES_MOST]; /* rad, of the nearest */
} echoes;

static void add_hit(const mine_config *c, const fm_ray_hit *hit, const double direction[3], echoes *e)
{
    for (int64_t m = 0; m < c->count; m++) {
        if (!(hit->distance < HUGE_VAL) || hit->body != FM_BODY_OBSTACLE + (uint32_t)c->index[m])
            continue;
        if (!e->count[m]++ || hit->distance < e->nearest[m]) {
            e->nearest[m] = hit->distance;
            e->bearing[m] = fm_atan2(direction[1], direction[0]);
        }
    }
}

static void observe(const fm_part_context *context, const mine_config *c, echoes *e)
{
    const fm_instrument_pose at = fm_instrument_where(context, &c->instrument.mount);
    const int64_t all = c->beams * c->rays;
    double origin[BLOCK][3], direction[BLOCK][3];
    fm_ray_hit hits[BLOCK];
    for (int64_t first = 0; first < all; first += BLOCK) {
        const size_t count = (size_t)(all - first < BLOCK ? all - first : BLOCK);
        for (size_t i = 0; i < count; i++) {
            memcpy(origin[i], at.position, sizeof origin[i]);
            fm_vector_to_world(at.rotation, c->directions[first + (int64_t)i], direction[i]);
        }
        fm_sight_cast(context, count, (const double(*)[3])origin, (const double(*)[3])direction, c->range, hits);
        for (size_t i = 0; i < count; i++)
            add_hit(c, &hits[i], c->directions[first + (int64_t)i], e);
    }
}

/* (C28) The mines recognised in this image, one bit each. */
static uint64_t recognise(const fm_part_context *context, const mine_config *c, const mine_config *live,
                          const echoes *e)
{
    const fm_random_key key = {context->seed, context->entity, context->channel};
    uint64_t seen = 0;
    for (int64_t m = 0; m < c->count; m++)
        if (e->count[m] >= c->least && fm_random_uniform(key, context->tick, (uint32_t)(CHANCE_AT + m)) < live->chance)
            seen |= (uint64_t)1 << m;
    return seen;
}

static double count_bits(uint64_t bits)
{
    double count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static void tell_find(const fm_part_context *context, const mine_config *c, int64_t mine)
{
    char text[FM_EVENT_TEXT_SIZE];
    const char *name = context->environment->obstacles[c->index[mine]].name;
    snprintf(text, sizeof text, "mine found: %.100s", name ? name : "");
    fm_event_emit_text(context, "mine found", (double)(mine + 1), text);
}

static void note(const fm_part_context *context, const mine_config *c, uint64_t seen, uint64_t *found)
{
    for (int64_t m = 0; m < c->count; m++) {
        if (!(seen >> m & 1))
            continue;
        fm_metric_note(context, (int)c->detections, 1);
        if (!(*found >> m & 1))
            tell_find(context, c, m);
    }
    *found |= seen;
}

static void run_mine_sonar(const fm_part_context *context)
{
    const mine_config *c = context->config, *live = context->live;
    const mine_reading *out = context->output;
    uint64_t *found = fm_instrument_state(context, &c->instrument);
    echoes e = {0};
    observe(context, c, &e);
    const uint64_t seen = recognise(context, c, live, &e);
    mine_reading r = {.seen = count_bits(seen), .found = count_bits(*found | seen), .range = NAN, .bearing = NAN};
    for (int64_t m = 0; m < c->count; m++)
        if ((seen >> m & 1) && !(r.range <= e.nearest[m])) {
            r.range = e.nearest[m];
            r.bearing = e.bearing[m];
        }
    fm_instrument_spoil(context, &live->ranges, 0, 1, &r.range);
    fm_instrument_spoil(context, &live->bearings, 1, 1, &r.bearing);
    fm_instrument_give(context, &c->instrument, &live->health, 1, &r.seen);
    if (out->head.valid && live->health.fault == FM_FAULT_HEALTHY)
        note(context, c, seen, found);
    fm_metric_note(context, (int)c->found, count_bits(*found));
    fm_metric_note(context, (int)c->there, (double)c->count);
}

/* "8 of 8 mines found" */
static void tell(const fm_part_context *context, const fm_vehicle_history *history, char *text, size_t size)
{
    const mine_config *c = context->config;
    const uint64_t *found = fm_instrument_state(context, &c->instrument);
    (void)history;
    snprintf(text, size, "%.0f of %lld mines found", count_bits(*found), (long long)c->count);
}

static const fm_output outputs[] = {
    FM_OUTPUT_NUMBER(mine_reading, seen, "seen", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(mine_reading, found, "found", "", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(mine_reading, range, "range", "m", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(mine_reading, bearing, "bearing", "rad", FM_QUANTITY_NONE),
};
const fm_part_class fm_mine_sonar_class = {.kind = FM_PART_SENSOR,
                                           .element = &element,
                                           .live_size = offsetof(mine_config, instrument),
                                           .mount = FM_MOUNT_AT(mine_config, instrument.mount),
                                           .outputs = outputs,
                                           .output_count = FM_COUNT(outputs),
                                           .counts = FM_COUNTS_READING,
                                           .load = load_mine_sonar,
                                           .run = run_mine_sonar,
                                           .verdict = tell};
