#include "batch/navigated.h"

#include <math.h>
#include <string.h>

#include "control/navigation_part.h"
#include "control/parts.h"
#include "environment/environment.h"
#include "sensors/describe.h"
#include "sensors/parts.h"

/* A navigation with its instruments. */
typedef struct outfit {
    fm_navigated navigated;
    fm_navigated_instrument instruments[FM_NAVIGATED_INSTRUMENTS];
    fm_flawed flaws[2 * FM_NAVIGATED_INSTRUMENTS];
    size_t parts[FM_NAVIGATED_INSTRUMENTS]; /* which each is */
} outfit;

int fm_navigated_has(const fm_part *part)
{
    return part->part_class == &fm_navigation_class;
}

/* The last, which all believe that stand after it. */
static const fm_part *find_navigation(const fm_type *type)
{
    const fm_part *found = NULL;
    for (size_t i = 0; i < type->part_count; i++)
        if (fm_navigated_has(&type->parts[i]))
            found = &type->parts[i];
    return found;
}

/* --- instruments --- */

static const char *describe_instrument(const fm_part *part, fm_navigated_instrument *p, fm_flawed flaws[2])
{
    const struct {
        const fm_part_class *is;
        const char *(*describe)(const void *config, fm_navigated_instrument *p, fm_flawed flaws[2]);
    } all[] = {{&fm_imu_class, fm_imu_describe},
               {&fm_ins_class, fm_ins_describe},
               {&fm_compass_class, fm_compass_describe},
               {&fm_depth_class, fm_depth_describe},
               {&fm_speed_log_class, fm_speed_log_describe},
               {&fm_dvl_class, fm_dvl_describe}};
    p->channel = (int32_t)part->channel;
    p->period = (int32_t)part->period;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (part->part_class == all[i].is)
            return all[i].describe(part->config, p, flaws);
    return "its <navigation> reads other instruments than <imu>, <ins>, <compass>, <depth>, <speed-log> and <dvl>";
}

/* The instrument that this part is; a new one where it is none yet. */
static const char *take_instrument(const fm_type *type, outfit *o, int32_t *part)
{
    fm_navigated *p = &o->navigated;
    for (int32_t i = 0; i < p->instruments; i++)
        if (o->parts[i] == (size_t)*part)
            return *part = i, NULL;
    if (p->instruments == FM_NAVIGATED_INSTRUMENTS)
        return "its <navigation> reads more instruments than a batch takes";
    int32_t i = p->instruments++;
    o->parts[i] = (size_t)*part;
    o->instruments[i] = (fm_navigated_instrument){.flaws = 2 * i};
    const char *why = describe_instrument(&type->parts[*part], &o->instruments[i], &o->flaws[o->instruments[i].flaws]);
    *part = i;
    for (int32_t k = 0; k < i; k++)
        o->instruments[i].ins += o->instruments[k].kind == FM_SENSES_INS;
    if (!why && o->instruments[i].kind == FM_SENSES_INS && o->instruments[i].ins >= FM_NAVIGATED_INS)
        why = "its <navigation> reads more than two <ins>";
    return why;
}

/* --- what a DVL sees --- */

/* The bottom as a plane that it is nowhere below; 1: it is that plane. */
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

static int is_exact(const fm_flawed *f)
{
    double errors = f->noise + f->bias_walk + f->quantum + f->bias_spread + f->scale_spread + f->drift + f->outliers;
    for (int i = 0; i < 3; i++)
        errors += fabs(f->bias[i]) + fabs(f->scale[i]);
    return errors == 0;
}

/* Only velocities are asked of it, and no range but the farthest counts. */
static int asks_speed_alone(const outfit *o, int instrument)
{
    const fm_navigated_instrument *p = &o->instruments[instrument];
    int alone = p->nearest == 0 && is_exact(&o->flaws[p->flaws + 1]);
    for (int i = 0; i < o->navigated.tellers; i++)
        alone &=
            o->navigated.teller[i].instrument != instrument || o->navigated.teller[i].quantity != FM_NAVIGATES_ALTITUDE;
    return alone;
}

static const char *describe_floor(const fm_environment *e, outfit *o, int instrument)
{
    fm_navigated_instrument *p = &o->instruments[instrument];
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

/* Guidance and autopilot: 1 where they stand after it, 0 before or there are none, -1: some are here, some there. */
static int32_t who_believes(const fm_type *type, const fm_part *navigation)
{
    int before = 0, after = 0;
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_part *part = &type->parts[i];
        int steers = part->part_class == &fm_autopilot_class || part->part_class == &fm_mission_class ||
                     part->part_class == &fm_waypoints_class || part->part_class == &fm_station_class;
        before |= steers && part < navigation;
        after |= steers && part > navigation;
    }
    return before && after ? -1 : after;
}

/* Fills in all of it; why a batch cannot run it, NULL: it can. */
static const char *describe(const fm_model *model, const fm_type *type, outfit *o)
{
    const fm_part *part = find_navigation(type);
    fm_navigated *p = &o->navigated;
    const char *why = fm_navigation_describe(part->config, p);
    p->period = (int32_t)part->period;
    p->believed = who_believes(type, part);
    for (int i = 0; i < p->tellers && !why; i++)
        why = take_instrument(type, o, &p->teller[i].instrument);
    for (int i = 0; i < p->instruments && !why; i++) {
        for (int k = 0; k < 3; k++)
            o->instruments[i].column[k] = model->environment->column.pressure[k];
        o->instruments[i].gravity = model->environment->gravity;
        o->instruments[i].latitude = model->environment->latitude;
        if (o->instruments[i].kind == FM_SENSES_GROUND)
            why = describe_floor(model->environment, o, i);
    }
    return why;
}

const char *fm_navigated_foreign(const fm_model *model, const fm_type *type)
{
    const fm_part *part = find_navigation(type);
    outfit o = {0};
    size_t count = 0;
    if (!part)
        return NULL;
    for (size_t i = 0; i < type->part_count; i++) {
        count += (size_t)fm_navigated_has(&type->parts[i]);
        if (type->parts[i].part_class == &fm_bottom_following_class)
            return "it follows the bottom and has a <navigation>";
    }
    if (count > 1)
        return "it has more than one <navigation>";
    const char *why = describe(model, type, &o);
    return !why && o.navigated.believed < 0 ? "its <navigation> is between guidance and <autopilot>" : why;
}

int fm_navigated_keeps(const fm_type *type, const char *metric)
{
    static const char *const kept[] = {"navigation_error_max", "navigation_error", "position_error_rms",
                                       "sensors_lost"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept && find_navigation(type); i++)
        if (!strcmp(kept[i], metric))
            return 1;
    return 0;
}

/* The instruments alone, whatever is around. */
static void list_instruments(const fm_type *type, outfit *o)
{
    const fm_part *part = find_navigation(type);
    if (part)
        (void)fm_navigation_describe(part->config, &o->navigated);
    for (int i = 0; i < o->navigated.tellers; i++)
        (void)take_instrument(type, o, &o->navigated.teller[i].instrument);
}

void fm_navigated_count(const fm_type *type, fm_flat *head)
{
    outfit o = {0};
    list_instruments(type, &o);
    head->count[FM_FLAT_NAVIGATED] = find_navigation(type) != NULL;
    head->count[FM_FLAT_INSTRUMENTS] = (uint32_t)o.navigated.instruments;
    head->count[FM_FLAT_FLAWS] = 2 * (uint32_t)o.navigated.instruments;
}

void fm_navigated_describe(const fm_model *model, const fm_type *type, fm_flat *flat)
{
    outfit o = {0};
    if (!flat->count[FM_FLAT_NAVIGATED])
        return;
    (void)describe(model, type, &o);
    *(fm_navigated *)fm_flat_array(flat, FM_FLAT_NAVIGATED) = o.navigated;
    memcpy(fm_flat_array(flat, FM_FLAT_INSTRUMENTS), o.instruments,
           flat->count[FM_FLAT_INSTRUMENTS] * sizeof *o.instruments);
    memcpy(fm_flat_array(flat, FM_FLAT_FLAWS), o.flaws, flat->count[FM_FLAT_FLAWS] * sizeof *o.flaws);
}
