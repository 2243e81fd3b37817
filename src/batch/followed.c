#include "batch/followed.h"

#include <string.h>

#include "batch/batch.h"
#include "control/parts.h"
#include "environment/environment.h"
#include "sensors/node_sonar.h"
#include "world/kind.h"

static int find(const fm_type *type, const fm_part_class *wanted)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (type->parts[i].part_class == wanted)
            return (int)i;
    return -1;
}

static int follows(const fm_type *type)
{
    return find(type, &fm_bottom_following_class) >= 0;
}

int fm_followed_has(const fm_type *type, const fm_part *part)
{
    return follows(type) && (part->part_class == &fm_bottom_following_class || part->part_class == &fm_avoid_class);
}

/* Fills in all of it; why a batch cannot run it, NULL: it can. */
static const char *describe(const fm_type *type, fm_follower *p)
{
    int sonar = find(type, &fm_node_sonar_class), avoid = find(type, &fm_avoid_class),
        following = find(type, &fm_bottom_following_class);
    const char *why = NULL;
    if (avoid >= 0 && sonar < 0)
        return "its <avoid> looks by another sonar than <node-sonar>";
    if (avoid >= 0)
        why = fm_node_sonar_describe(type->parts[sonar].config, p);
    if (avoid >= 0 && !why)
        why = fm_avoid_describe(type->parts[avoid].config, sonar, p);
    if (avoid >= 0 && !why && (type->parts[sonar].period != 1 || type->parts[avoid].period != 1))
        why = "its <avoid> has a period of its own";
    p->period = (int32_t)type->parts[following].period;
    return why ? why : fm_bottom_following_describe(type->parts[following].config, avoid, p);
}

const char *fm_followed_foreign(const fm_model *model, const fm_type *type)
{
    fm_follower unused = {.spacing = 1};
    const char *why = follows(type) ? describe(type, &unused) : NULL;
    if (!why && unused.traces && model->environment->obstacle_count)
        return "the rays of its <node-sonar> may meet obstacles";
    return why;
}

int fm_followed_keeps(const fm_type *type, const char *metric)
{
    static const char *const kept[] = {"threat_peak", "min_altitude", "pitch_reversals", "late_pitch_pp",
                                       "late_altitude"};
    for (size_t i = 0; i < sizeof kept / sizeof *kept && follows(type); i++)
        if (!strcmp(kept[i], metric))
            return 1;
    return 0;
}

void fm_followed_count(const fm_type *type, fm_flat *head)
{
    head->count[FM_FLAT_FOLLOWER] = (uint32_t)follows(type);
    fm_diver_count(type, head);
}

void fm_diver_count(const fm_type *type, fm_flat *head)
{
    head->count[FM_FLAT_DIVER] = (uint32_t)fm_batch_dives(type);
}

void fm_diver_describe(const fm_type *type, fm_flat *flat)
{
    if (!flat->count[FM_FLAT_DIVER])
        return;
    fm_diver *p = fm_flat_array(flat, FM_FLAT_DIVER);
    fm_diving_model m = type->kind->diving_model(type, 0, NULL, 0);
    p->rk4 = type->integrator == FM_RK4;
    p->large_angle = m.large_angle_statics;
    p->has_battery = type->battery.capacity > 0;
    memcpy(p->a, m.a, sizeof p->a);
    memcpy(p->b, m.b, sizeof p->b);
    memcpy(p->d, m.d, sizeof p->d);
    p->speed = m.speed;
}

void fm_followed_describe(const fm_type *type, fm_flat *flat)
{
    if (flat->count[FM_FLAT_FOLLOWER]) {
        fm_follower *p = fm_flat_array(flat, FM_FLAT_FOLLOWER);
        *p = (fm_follower){.spacing = 1, .zone = 1, .half_sector = 1, .reference = 1};
        (void)describe(type, p);
    }
    fm_diver_describe(type, flat);
}
