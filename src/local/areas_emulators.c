/* Values that emulators write: they become inputs of the world, and are marked as stale when no more arrive. */
#include <math.h>

#include "local/areas_internal.h"

enum { READS = 3 }; /* at a slot that is being written; the next step tries again */

static void note(fm_shared_emulator *slot, uint64_t state, int taken)
{
    __atomic_store_n(&slot->state, state, __ATOMIC_RELEASE);
    if (taken)
        __atomic_store_n(&slot->taken, __atomic_load_n(&slot->taken, __ATOMIC_RELAXED) + 1, __ATOMIC_RELEASE);
}

/* Data written by another process may be invalid. */
static int copy_slot(fm_shared_emulator *copy, const fm_shared_emulator *slot)
{
    if (!fm_shared_copy(copy, slot, offsetof(fm_shared_emulator, state), READS))
        return 0;
    copy->vehicle[sizeof copy->vehicle - 1] = 0;
    copy->target[sizeof copy->target - 1] = 0;
    return copy->vehicle[0] && copy->target[0];
}

/* Its writer has ended normally: the built-in instrument measures again. */
static void give_back(fm_world *world, const fm_shared_emulator *copy)
{
    char path[FM_SHARED_NAME_SIZE + FM_SHARED_TARGET_SIZE + 16];
    int length = (int)strcspn(copy->target, "/");
    snprintf(path, sizeof path, "/%s/%.*s/fault", copy->vehicle, length, copy->target);
    fm_world_set(world, path, 0, NULL);
}

static void take_sample(fm_areas *areas, fm_world *world, size_t i, fm_shared_emulator *slot)
{
    fm_shared_emulator copy = {0};
    if (!copy_slot(&copy, slot))
        return;
    areas->seen[i] = copy.samples;
    if (!isfinite(copy.value) || fm_world_sense(world, copy.vehicle, copy.target, copy.value, NULL) != FM_OK) {
        note(slot, FM_SHARED_REFUSED, 0);
        return;
    }
    areas->arrived[i] = (double)fm_world_steps(world) * fm_model_dt(fm_world_model(world));
    note(slot, FM_SHARED_IN_FORCE, 1);
}

static void check_age(fm_areas *areas, fm_world *world, size_t i, fm_shared_emulator *slot, uint64_t state)
{
    fm_shared_emulator copy = {0};
    double now = (double)fm_world_steps(world) * fm_model_dt(fm_world_model(world));
    int released = __atomic_load_n(&slot->released, __ATOMIC_ACQUIRE) != 0,
        stale = now - areas->arrived[i] > areas->timeout;
    if ((!released && (!stale || state == FM_SHARED_STALE)) || !copy_slot(&copy, slot))
        return;
    if (copy.released)
        give_back(world, &copy);
    else
        fm_world_sense(world, copy.vehicle, copy.target, (double)NAN, NULL);
    note(slot, copy.released ? FM_SHARED_NEW : FM_SHARED_STALE, 0);
}

void fm_areas_steer(fm_areas *areas, fm_world *world)
{
    for (size_t i = 0; i < FM_SHARED_EMULATORS; i++) {
        fm_shared_emulator *slot = fm_areas_emulator(areas, i);
        uint64_t state = __atomic_load_n(&slot->state, __ATOMIC_RELAXED);
        if (__atomic_load_n(&slot->samples, __ATOMIC_ACQUIRE) != areas->seen[i])
            take_sample(areas, world, i, slot);
        else if (areas->seen[i] && (state == FM_SHARED_IN_FORCE || state == FM_SHARED_STALE))
            check_age(areas, world, i, slot, state);
    }
}
