/* <navigation> with the instruments that it reads, in lanes and on a GPU (control/sensor_suite.h). */
#include <math.h>
#include <string.h>

#include "base/lane_part.h"
#include "control/flat_chain.h"
#include "control/link.h"
#include "control/navigation_part.h"
#include "environment/environment.h"

/* A navigation with its instruments. */
typedef struct outfit {
    fm_suite suite;
    fm_suite_instrument instruments[FM_SUITE_INSTRUMENTS];
    fm_flaw_params flaws[2 * FM_SUITE_INSTRUMENTS];
    size_t parts[FM_SUITE_INSTRUMENTS]; /* which each is */
} outfit;

/* --- instruments --- */

static const char *describe_instrument(const fm_part *part, fm_suite_instrument *p, fm_flaw_params flaws[2])
{
    const fm_lane_part *lanes = part->part_class->lanes;
    p->channel = (int32_t)part->channel;
    p->period = (int32_t)part->period;
    if (lanes && lanes->instrument)
        return lanes->instrument(part->config, p, flaws);
    return "its <navigation> reads other instruments than <imu>, <ins>, <compass>, <depth>, <speed-log> and <dvl>";
}

/* The number of the instrument for this part; adds a new one if there is none yet. */
static const char *take_instrument(const fm_lane_vehicle *v, outfit *o, int32_t *part)
{
    fm_suite *p = &o->suite;
    for (int32_t i = 0; i < p->instruments; i++)
        if (o->parts[i] == (size_t)*part)
            return *part = i, NULL;
    if (p->instruments == FM_SUITE_INSTRUMENTS)
        return "its <navigation> reads more instruments than a batch takes";
    int32_t i = p->instruments++;
    o->parts[i] = (size_t)*part;
    o->instruments[i] = (fm_suite_instrument){.flaws = 2 * i};
    const char *why = describe_instrument(&v->parts[*part], &o->instruments[i], &o->flaws[o->instruments[i].flaws]);
    *part = i;
    for (int32_t k = 0; k < i; k++)
        o->instruments[i].ins += o->instruments[k].kind == FM_SENSES_INS;
    if (!why && o->instruments[i].kind == FM_SENSES_INS && o->instruments[i].ins >= FM_SUITE_INS)
        why = "its <navigation> reads more than two <ins>";
    return why;
}

/* --- what a DVL sees --- */

/* The bottom as a plane that it is never below; 1: it is exactly that plane. */
static int find_plane(const fm_bottom *b, double plane[3])
{
    plane[0] = b->depth;
    plane[1] = b->kind == FM_BOTTOM_PLANE ? b->slope_x : 0;
    plane[2] = b->kind == FM_BOTTOM_PLANE ? b->slope_y : 0;
    for (size_t i = 0; b->kind == FM_BOTTOM_NODES && i < b->nx; i++)
        plane[0] = i ? fmax(plane[0], b->depths[i]) : b->depths[0];
    for (size_t i = 0; i < b->mound_count; i++)
        plane[0] += fmax(b->mounds[i].height, 0);
    return b->kind == FM_BOTTOM_PLANE && b->mound_count == 0;
}

static int is_exact(const fm_flaw_params *f)
{
    double errors = f->noise + f->bias_walk + f->quantum + f->bias_spread + f->scale_spread + f->drift + f->outliers;
    for (int i = 0; i < 3; i++)
        errors += fabs(f->bias[i]) + fabs(f->scale[i]);
    return errors == 0;
}

/* Only its velocities are used, and of its ranges only the maximum. */
static int asks_speed_alone(const outfit *o, int instrument)
{
    const fm_suite_instrument *p = &o->instruments[instrument];
    int alone = p->nearest == 0 && is_exact(&o->flaws[p->flaws + 1]);
    for (int i = 0; i < o->suite.tellers; i++)
        alone &= o->suite.teller[i].instrument != instrument || o->suite.teller[i].quantity != FM_NAVIGATES_ALTITUDE;
    return alone;
}

static const char *describe_floor(const fm_environment *e, outfit *o, int instrument)
{
    fm_suite_instrument *p = &o->instruments[instrument];
    const fm_bottom *b = e->bottom;
    int alone = e->obstacle_count == 0;
    if (e->floor.triangle_count || e->map.columns || (b && b->kind != FM_BOTTOM_PLANE && b->kind != FM_BOTTOM_NODES))
        return "its <dvl> sees a <bottom> that is a grid or a mesh";
    if (b)
        alone &= find_plane(b, p->plane);
    p->floor = alone ? b != NULL : 2;
    if (!alone && !b)
        p->plane[0] = HUGE_VAL; /* obstacles alone */
    if (!alone && !asks_speed_alone(o, instrument))
        return "its <dvl> measures ranges to more than a plane <bottom>";
    return NULL;
}

/* --- all of it --- */

/* The instruments alone, whatever is around. */
static const char *list_instruments(const fm_lane_vehicle *v, const fm_part *part, outfit *o)
{
    fm_suite *p = &o->suite;
    const char *why = fm_navigation_describe(part->config, p);
    for (int i = 0; i < p->tellers && !why; i++)
        why = take_instrument(v, o, &p->teller[i].instrument);
    return why;
}

/* Fills in all fields; returns the reason if lanes cannot run it, or NULL. */
static const char *describe_all(const fm_lane_vehicle *v, const fm_part *part, outfit *o)
{
    fm_suite *p = &o->suite;
    const char *why = list_instruments(v, part, o);
    p->period = (int32_t)part->period;
    for (int i = 0; i < p->instruments && !why; i++) {
        for (int k = 0; k < 3; k++)
            o->instruments[i].column[k] = v->sea->column.pressure[k];
        o->instruments[i].gravity = v->sea->gravity;
        o->instruments[i].latitude = v->sea->latitude;
        if (o->instruments[i].kind == FM_SENSES_GROUND)
            why = describe_floor(v->sea, o, i);
    }
    return why;
}

static const char *verdict(const fm_lane_vehicle *v, const fm_part *part)
{
    outfit o = {0};
    if (v->sea->sea.count)
        return "it has a <navigation>, and the sea has waves";
    if (fm_lane_count(v, FM_LANE_ESTIMATE) > 1)
        return "it has more than one <navigation>";
    return describe_all(v, part, &o);
}

static void count(const fm_lane_vehicle *v, const fm_part *part, fm_flat *head)
{
    outfit o = {0};
    (void)list_instruments(v, part, &o);
    head->count[FM_FLAT_SUITE] = 1;
    head->count[FM_FLAT_INSTRUMENTS] = (uint32_t)o.suite.instruments;
    head->count[FM_FLAT_FLAWS] = 2 * (uint32_t)o.suite.instruments;
}

static void describe(const fm_lane_vehicle *v, const fm_part *part, fm_flat *flat)
{
    outfit o = {0};
    (void)describe_all(v, part, &o);
    *(fm_suite *)fm_flat_array(flat, FM_FLAT_SUITE) = o.suite;
    memcpy(fm_flat_array(flat, FM_FLAT_INSTRUMENTS), o.instruments,
           flat->count[FM_FLAT_INSTRUMENTS] * sizeof *o.instruments);
    memcpy(fm_flat_array(flat, FM_FLAT_FLAWS), o.flaws, flat->count[FM_FLAT_FLAWS] * sizeof *o.flaws);
}

static const fm_lane_metric metrics[] = {
    FM_LANE_KEEPS("navigation_error_max", FM_LANE_SUITE, fm_suite_kept, worst),
    FM_LANE_KEEPS("navigation_error", FM_LANE_SUITE, fm_suite_kept, last),
    FM_LANE_KEEPS("position_error_rms", FM_LANE_SUITE, fm_suite_kept, square),
    FM_LANE_KEEPS("sensors_lost", FM_LANE_SUITE, fm_suite_kept, losses),
};
const fm_lane_part fm_navigation_lanes = {.role = FM_LANE_ESTIMATE,
                                          .link = FM_LINK_NAVIGATION,
                                          .verdict = verdict,
                                          .count = count,
                                          .describe = describe,
                                          .metrics = metrics,
                                          .metric_count = FM_COUNT(metrics)};
