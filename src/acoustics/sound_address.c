/* Acoustic addresses of vehicles added while the world runs: unique, by default or as requested. */
#include <string.h>

#include "acoustics/parts.h"
#include "acoustics/sound.h"
#include "base/error.h"
#include "world/admission.h"
#include "world/inputs.h"

enum { ADDRESSES = 65536, WORD = 64 };

static int is_transducer(const fm_part *part)
{
    return part->role == FM_ROLE_TRANSDUCER;
}

static fm_transducer *live_of(const fm_slot *slot, const fm_part *part)
{
    return (fm_transducer *)(void *)fm_vehicle_words(slot->vehicle, part->live);
}

/* The first transducer of a type; NULL: none. */
static const fm_part *first_transducer(const fm_type *type)
{
    for (size_t i = 0; i < type->part_count; i++)
        if (is_transducer(&type->parts[i]))
            return &type->parts[i];
    return NULL;
}

/* --- refusing --- */

/* The vehicle that has an address, or has requested it; NULL: none. */
static const char *owner_of(const fm_world *world, int64_t address)
{
    for (int k = 0; k < world->slot_count; k++) {
        const fm_slot *slot = fm_slot_occupied(world, k);
        for (size_t i = 0; slot && i < slot->type->part_count; i++)
            if (is_transducer(&slot->type->parts[i]) && live_of(slot, &slot->type->parts[i])->address == address &&
                fm_world_expects(world, slot->vehicle->name))
                return slot->vehicle->name;
    }
    for (size_t i = world->input_first; i < world->input_count; i++)
        if (world->inputs[i].command.kind == FM_COMMAND_SPAWN && world->inputs[i].command.spawn.address == address)
            return world->inputs[i].command.spawn.name;
    return NULL;
}

fm_status fm_address_check(const fm_world *world, const fm_command_spawn *spawn, fm_error *error)
{
    const long long address = (long long)spawn->address;
    if (address == 0)
        return FM_OK;
    int type = fm_model_find_type(world->model, spawn->like);
    if (type < 0 || !first_transducer(&world->model->types[type]))
        return fm_fail(error, FM_ERR_RANGE, "'%s' has no <transducer>, so it cannot have %lld", spawn->like, address);
    const char *owner = owner_of(world, spawn->address);
    if (owner)
        return fm_fail(error, FM_ERR_STATE, "%lld is used by '%s'; 0 asks for a free one", address, owner);
    return FM_OK;
}

/* --- giving --- */

typedef struct address_set {
    uint64_t bits[ADDRESSES / WORD];
} address_set;

static int has(const address_set *set, int64_t address)
{
    return (int)(set->bits[address / WORD] >> (address % WORD) & 1);
}

static void put(address_set *set, int64_t address)
{
    set->bits[address / WORD] |= (uint64_t)1 << (address % WORD);
}

/* Addresses of all other vehicles, including those still to be added; 0 counts as taken. */
static void gather(const fm_world *world, int except, address_set *set)
{
    memset(set, 0, sizeof *set);
    put(set, 0);
    for (int k = 0; k < world->slot_count; k++) {
        const fm_slot *slot = k == except ? NULL : fm_slot_occupied(world, k);
        for (size_t i = 0; slot && i < slot->type->part_count; i++)
            if (is_transducer(&slot->type->parts[i]))
                put(set, live_of(slot, &slot->type->parts[i])->address);
    }
    for (size_t i = world->input_first; i < world->input_count; i++)
        if (world->inputs[i].command.kind == FM_COMMAND_SPAWN)
            put(set, world->inputs[i].command.spawn.address);
}

static int64_t lowest_free(const address_set *set)
{
    for (int64_t i = 1; i < ADDRESSES; i++)
        if (!has(set, i))
            return i;
    return 0;
}

/* Transducers written with the same address share one; the first gets the requested address. */
void fm_address_give(fm_world *world, int index, int64_t asked)
{
    const fm_slot *slot = &world->slots[index];
    const fm_part *first = first_transducer(slot->type), *end = slot->type->parts + slot->type->part_count;
    address_set set;
    if (!first)
        return;
    gather(world, index, &set);
    if (asked)
        put(&set, asked);
    for (const fm_part *part = first; part < end; part++) {
        if (!is_transducer(part))
            continue;
        int64_t written = ((const fm_transducer *)part->config)->address, given = 0;
        for (const fm_part *before = first; before < part && !given; before++)
            if (is_transducer(before) && ((const fm_transducer *)before->config)->address == written)
                given = live_of(slot, before)->address;
        if (!given)
            given = part == first && asked ? asked : !has(&set, written) ? written : lowest_free(&set);
        put(&set, given);
        live_of(slot, part)->address = given;
    }
}
