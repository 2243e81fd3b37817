/* The robotic fish in a flat block, for batches (physics/fish_flat.h). */
#include "physics/fish_flat.h"

#include <string.h>

#include "environment/environment.h"
#include "kinds/fish.h"

static void count(const fm_type *type, fm_flat *head)
{
    const fm_fish_config *c = type->kind_config;
    head->count[FM_FLAT_FISH] = 1;
    head->count[FM_FLAT_FISH_ELEMENTS] = c->thrust == FM_FISH_ELONGATED ? (uint32_t)c->theory.count : 0;
    head->count[FM_FLAT_FISH_TABLE] = (uint32_t)(c->table.rows * c->table.tail.joints);
}

static void describe_theory(const fm_fish_elongated_params *theory, fm_fish_record *p)
{
    p->elongated = 1;
    p->recoil = theory->recoil;
    p->shedding = theory->shedding;
    p->tail_added = theory->tail_added;
    p->density = theory->density;
    p->viscosity = theory->viscosity;
    p->length = theory->length;
    p->cross_drag = theory->cross_drag;
    p->skin_drag = theory->skin_drag;
}

static void describe(const fm_environment *sea, const fm_type *type, fm_flat *flat)
{
    const fm_fish_config *c = type->kind_config;
    fm_fish_record *p = fm_flat_array(flat, FM_FLAT_FISH);
    memset(p, 0, sizeof *p);
    p->joints = c->table.tail.joints;
    p->rows = c->table.rows;
    p->turns_by_tail = c->turns_by_tail;
    p->has_fins = c->has_fins;
    p->table_given = c->table_given;
    p->depth_given = c->depth_given;
    p->noisy = sea->noise != NULL;
    p->par = c->par;
    memcpy(p->link, c->table.tail.link, sizeof p->link);
    p->limit = c->table.limit;
    p->servo_rate = c->servo_rate;
    p->depth_rate = c->depth_rate;
    memcpy(p->start, c->start, sizeof p->start);
    if (c->has_fins)
        p->fins = c->fins;
    if (sea->noise)
        p->noise = *sea->noise;
    memcpy(fm_flat_array(flat, FM_FLAT_FISH_TABLE), c->table.angle,
           flat->count[FM_FLAT_FISH_TABLE] * sizeof *c->table.angle);
    if (c->thrust != FM_FISH_ELONGATED)
        return;
    describe_theory(&c->theory, p);
    memcpy(fm_flat_array(flat, FM_FLAT_FISH_ELEMENTS), c->elements,
           flat->count[FM_FLAT_FISH_ELEMENTS] * sizeof *c->elements);
}

/* Both boxes of Fig. 8, the tail's at any angle; depth that follows its order, and noise, do not appear in a
 * velocity. */
static double reach(const fm_environment *sea, const fm_type *type)
{
    const fm_fish_config *c = type->kind_config;
    const double *head = c->head_box, *tail = c->tail_box;
    double ahead = head[0] * head[0] + 0.25 * (head[1] * head[1] + head[2] * head[2]);
    double behind = c->par.tail_length * c->par.tail_length + 0.25 * (tail[0] * tail[0] + tail[1] * tail[1]);
    double unseen = c->has_fins ? 0 : c->depth_rate * type->step_s;
    if (sea->noise)
        unseen += 2 * fm_norm(sea->noise->amplitude);
    return fm_sqrt(fm_max(ahead, behind)) + unseen;
}

static const char *verdict(const fm_environment *sea, const fm_type *type)
{
    (void)sea;
    return type->force_count ? "it is a fish with force terms" : NULL;
}

const fm_kind_lanes fm_fish_lanes = {
    .verdict = verdict, .count = count, .describe = describe, .reach = reach, .own_rows = 1};
