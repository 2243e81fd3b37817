/* Queries of programs about a fish's tail (fathom/fish.h). */
#include <fathom/fish.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "kinds/fish.h"
#include "world/world.h"

_Static_assert((int)FM_TAIL_JOINTS_MOST == (int)FM_FISH_JOINTS_MOST, "a link for each joint");

static const fm_fish_config *find_fish(const fm_world *world, const char *vehicle, const fm_slot **slot,
                                       fm_error *error)
{
    *slot = world && vehicle ? fm_slot_occupied(world, fm_world_find(world, vehicle)) : NULL;
    if (!*slot) {
        fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world", vehicle ? vehicle : "");
        return NULL;
    }
    const fm_fish_config *fish = fm_fish_of((*slot)->type);
    if (!fish)
        fm_fail(error, FM_ERR_MODEL, "vehicle '%s' is not a fish", vehicle);
    return fish;
}

fm_status fm_world_tail(const fm_world *world, const char *vehicle, fm_tail *tail, fm_error *error)
{
    const fm_slot *slot;
    fm_error found = {0};
    if (!tail)
        return fm_fail(error, FM_ERR_ARGUMENT, "tail must not be NULL");
    *tail = (fm_tail){0};
    const fm_fish_config *fish = find_fish(world, vehicle, &slot, &found);
    if (!fish)
        return fm_fail(error, found.status, "%s", found.text);
    const fm_fish_params wave = fm_fish_par_now(fish, fm_fish_words_of(slot->type, slot->vehicle));
    *tail = (fm_tail){.joints = fish->shape.tail.joints,
                      .head = fish->shape.head_length,
                      .c1 = wave.c1,
                      .c2 = wave.c2,
                      .k = wave.k,
                      .rows = fish->table.rows};
    memcpy(tail->link, fish->shape.tail.link, sizeof tail->link);
    return FM_OK;
}

fm_status fm_world_tail_angles(const fm_world *world, const char *vehicle, double phase, double *angle, fm_error *error)
{
    const fm_slot *slot;
    fm_error found = {0};
    double slope[FM_FISH_JOINTS_MOST];
    if (!angle)
        return fm_fail(error, FM_ERR_ARGUMENT, "angle must not be NULL");
    const fm_fish_config *fish = find_fish(world, vehicle, &slot, &found);
    if (!fish)
        return fm_fail(error, found.status, "%s", found.text);
    fm_fish_play(fish->table.angle, fish->table.rows, fish->table.tail.joints, phase, angle, slope);
    return FM_OK;
}

double fm_tail_wave(const fm_tail *tail, double behind, double phase)
{
    if (!tail)
        return NAN;
    const fm_fish_params wave = {.c1 = tail->c1, .c2 = tail->c2, .k = tail->k};
    return fm_fish_wave(&wave, behind, phase);
}

void fm_tail_points(const fm_tail *tail, const double *angle, double (*points)[2])
{
    if (!tail || !angle || !points || tail->joints < 0 || tail->joints > FM_TAIL_JOINTS_MOST)
        return;
    fm_fish_tail links = {.joints = tail->joints};
    double x[FM_FISH_JOINTS_MOST + 1], y[FM_FISH_JOINTS_MOST + 1];
    memcpy(links.link, tail->link, sizeof links.link);
    fm_fish_chain(&links, angle, x, y);
    for (int i = 0; i <= tail->joints; i++) {
        points[i][0] = x[i];
        points[i][1] = y[i];
    }
}
