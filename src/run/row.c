#include "run/row.h"

#include <string.h>

#include "world/world.h"

static const char *const pose_names[FM_ROW_POSE] = {"t", "x", "y", "z", "phi", "theta", "psi",
                                                    "u", "v", "w", "p", "q",   "r"};

size_t fm_row_count(const fm_world *world, int slot)
{
    return FM_ROW_POSE + fm_world_column_count(world, slot);
}

const char *fm_row_name(const fm_world *world, int slot, size_t i)
{
    return i < FM_ROW_POSE ? pose_names[i] : fm_world_column_name(world, slot, i - FM_ROW_POSE);
}

const char *fm_row_unit(const fm_world *world, int slot, size_t i)
{
    static const char *const units[] = {"s",   "m",   "m",   "m",     "rad",   "rad",  "rad",
                                        "m/s", "m/s", "m/s", "rad/s", "rad/s", "rad/s"};
    return i < FM_ROW_POSE ? units[i] : fm_world_column_unit(world, slot, i - FM_ROW_POSE);
}

size_t fm_row_order_count(const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s ? s->type->actuator_count : 0;
}

double fm_row_order(const fm_world *world, int slot, size_t i)
{
    const fm_slot *s = &world->slots[slot];
    return fm_actuator_states(s->type, s->vehicle)[i].order;
}

void fm_row_read(const fm_world *world, int slot, double *values, size_t count)
{
    fm_pose pose = {0};
    fm_world_pose(world, slot, &pose);
    double own[FM_ROW_POSE] = {fm_world_time(world)};
    memcpy(own + 1, pose.position, sizeof pose.position);
    memcpy(own + 4, pose.euler, sizeof pose.euler);
    memcpy(own + 7, pose.velocity, sizeof pose.velocity);
    memcpy(values, own, (count < FM_ROW_POSE ? count : FM_ROW_POSE) * sizeof *values);
    for (size_t i = FM_ROW_POSE; i < count; i++)
        values[i] = fm_world_column(world, slot, i - FM_ROW_POSE);
}
