#include "run/row.h"

#include <string.h>

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
