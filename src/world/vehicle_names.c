#include "world/vehicle_names.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"

/* Open addressing: a name is at its hash or after it, without a gap between. */
struct fm_vehicle_names {
    uint32_t mask;     /* places − 1 */
    uint32_t *hashes;  /* name under which each slot is entered */
    int32_t *entered;  /* index of each slot + 1; 0: it is not entered */
    int32_t buckets[]; /* slot + 1; 0: free */
};

static uint32_t hash_of(const char *name)
{
    uint32_t hash = 0x811c9dc5u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x01000193u;
    return hash ^ (hash >> 15);
}

fm_status fm_vehicle_names_create(fm_world *world, fm_error *error)
{
    const size_t slots = (size_t)world->slot_count;
    uint32_t room = 4;
    while (room < 2 * slots)
        room *= 2;
    struct fm_vehicle_names *r = fm_alloc(sizeof *r + (room + 2 * slots) * sizeof(int32_t));
    if (!r)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the names of %zu vehicles", slots);
    r->mask = room - 1;
    r->entered = r->buckets + room;
    r->hashes = (uint32_t *)(r->entered + slots);
    world->names = r;
    return FM_OK;
}

void fm_vehicle_names_free(fm_world *world)
{
    fm_free(world->names);
}

static void put(struct fm_vehicle_names *r, uint32_t bucket, int32_t entry)
{
    r->buckets[bucket] = entry;
    r->entered[entry - 1] = (int32_t)bucket + 1;
}

/* Entries after the free place move up to it, unless they would come before their own hash. */
static void close_gap(struct fm_vehicle_names *r, uint32_t gap)
{
    for (uint32_t at = (gap + 1) & r->mask; r->buckets[at]; at = (at + 1) & r->mask) {
        const uint32_t home = r->hashes[r->buckets[at] - 1] & r->mask;
        if (((at - home) & r->mask) < ((at - gap) & r->mask))
            continue;
        put(r, gap, r->buckets[at]);
        gap = at;
    }
    r->buckets[gap] = 0;
}

void fm_vehicle_names_note(fm_world *world, int slot)
{
    struct fm_vehicle_names *r = world->names;
    const fm_vehicle *vehicle = world->slots[slot].vehicle;
    if (r->entered[slot]) {
        const uint32_t gap = (uint32_t)r->entered[slot] - 1;
        r->entered[slot] = 0;
        close_gap(r, gap);
    }
    if (vehicle->life == FM_EMPTY)
        return;
    r->hashes[slot] = hash_of(vehicle->name);
    uint32_t at = r->hashes[slot] & r->mask;
    while (r->buckets[at])
        at = (at + 1) & r->mask;
    put(r, at, slot + 1);
}

int fm_vehicle_names_find(const fm_world *world, const char *name)
{
    const struct fm_vehicle_names *r = world->names;
    for (uint32_t at = hash_of(name) & r->mask; r->buckets[at]; at = (at + 1) & r->mask)
        if (strcmp(world->slots[r->buckets[at] - 1].vehicle->name, name) == 0)
            return r->buckets[at] - 1;
    return -1;
}

fm_status fm_world_no_vehicle(const fm_world *world, const char *name, fm_error *error)
{
    char near[200];
    fm_nearest nearest = {.wanted = name};
    for (int i = 0; i < world->slot_count; i++)
        if (world->slots[i].vehicle->life != FM_EMPTY)
            fm_nearest_offer(&nearest, world->slots[i].vehicle->name);
    return fm_fail(error, FM_ERR_NAME, "no vehicle '%s' in the world%s", name,
                   fm_nearest_write(&nearest, near, sizeof near));
}
