/* Queries of programs to guidances (fathom/guidance.h). */
#include <fathom/guidance.h>
#include <math.h>
#include <string.h>

#include "control/parts.h"
#include "control/planner.h"
#include "world/world.h"

/* The part with this element and, if given, this name; NULL: the vehicle has none. */
static const fm_part *find_part(const fm_world *world, const char *vehicle, const char *element, const char *name,
                                fm_vehicle **of)
{
    const fm_slot *slot = world && vehicle ? fm_slot_occupied(world, fm_world_find(world, vehicle)) : NULL;
    for (size_t i = 0; slot && i < slot->type->part_count; i++) {
        const fm_part *part = &slot->type->parts[i];
        if (strcmp(part->part_class->element->name, element) == 0 && (!name || strcmp(part->name, name) == 0)) {
            *of = slot->vehicle;
            return part;
        }
    }
    return NULL;
}

size_t fm_world_planner_map(const fm_world *world, const char *vehicle, const char *planner, double (*cells)[2],
                            size_t room)
{
    fm_vehicle *of;
    const fm_part *part = find_part(world, vehicle, "planner", planner, &of);
    size_t count = 0;
    if (!part)
        return 0;
    const fm_planner_config *config = part->config;
    const fm_plan_map map = fm_planner_map(config, (fm_planner_state *)(void *)fm_vehicle_words(of, part->state));
    for (int32_t i = 0; i < config->frame.rows * config->frame.columns; i++) {
        if (map.cost[i] != FM_REPLAN_BLOCKED)
            continue;
        if (cells && count < room)
            fm_plan_frame_centre(&config->frame, i, cells[count]);
        count++;
    }
    return count;
}

double fm_world_return_weight(const fm_world *world, const char *vehicle, const char *avoid, double range,
                              double bearing)
{
    fm_vehicle *of;
    const fm_part *part = find_part(world, vehicle, "avoid", avoid, &of);
    return part ? fm_avoid_weight(fm_vehicle_words(of, part->live), range, bearing) : NAN;
}
