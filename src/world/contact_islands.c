/* Vehicles near each other, directly or through others, form an island. An island in which every vehicle has the same
 * input as in the step before has the same result: a heap at rest costs little. */
#include <string.h>

#include "base/memory.h"
#include "world/contact_internal.h"

int fm_islands_allocate(fm_islands *islands, size_t slots)
{
    islands->of = fm_alloc(slots * sizeof *islands->of);
    islands->memos = fm_alloc(slots * sizeof *islands->memos);
    return islands->of && islands->memos;
}

void fm_islands_free(fm_islands *islands)
{
    fm_free(islands->of);
    fm_free(islands->memos);
}

/* --- which --- */

static uint32_t root_of(fm_island *of, uint32_t slot)
{
    while (of[slot].parent != slot)
        slot = of[slot].parent = of[of[slot].parent].parent;
    return slot;
}

static void join(fm_island *of, uint32_t a, uint32_t b)
{
    a = root_of(of, a), b = root_of(of, b);
    of[a > b ? a : b].parent = a > b ? b : a;
}

/* Islands of the near pairs, with the number of vehicles in each. */
static void find_islands(struct fm_contact_state *c, size_t count)
{
    fm_island *of = c->islands.of;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k ? c->near[i].second : c->near[i].first;
            of[slot] = (fm_island){.parent = slot};
        }
    for (size_t i = 0; i < count; i++)
        join(of, c->near[i].first, c->near[i].second);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k ? c->near[i].second : c->near[i].first;
            of[root_of(of, slot)].size += !of[slot].counted;
            of[slot].counted = 1;
        }
}

/* Calls work once for each vehicle of the near pairs. */
static void for_each(fm_world *world, size_t count, void (*work)(fm_world *world, uint32_t slot))
{
    struct fm_contact_state *c = world->contact;
    for (size_t i = 0; i < count; i++)
        c->islands.of[c->near[i].first].done = c->islands.of[c->near[i].second].done = 0;
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k ? c->near[i].second : c->near[i].first;
            if (!c->islands.of[slot].done)
                work(world, slot);
            c->islands.of[slot].done = 1;
        }
}

/* --- the same again --- */

static void read_given(const fm_world *world, uint32_t index, fm_island_memo *memo)
{
    struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    const fm_body_state *body = &slot->vehicle->body;
    uint32_t root = root_of(c->islands.of, index);
    memcpy(memo->given.before, c->before[index], sizeof memo->given.before);
    memcpy(memo->given.after, body->position, sizeof body->position);
    memcpy(memo->given.after + 3, body->attitude, sizeof body->attitude);
    memcpy(memo->given.velocity, body->velocity, sizeof memo->given.velocity);
    memcpy(memo->given.acceleration, slot->vehicle->acceleration, sizeof memo->given.acceleration);
    memo->given.mass = slot->own_mass_key;
    memo->given.broken = c->broken[index];
    memo->given.moves = fm_contact_moves(world, (int)index);
    memo->given.root = root;
    memo->given.size = c->islands.of[root].size;
}

/* Records the input of a vehicle, and whether it equals that of the step before. */
static void compare_one(fm_world *world, uint32_t slot)
{
    struct fm_contact_state *c = world->contact;
    fm_island_memo *memo = &c->islands.memos[slot], now = {0};
    read_given(world, slot, &now);
    if (memo->steady && memo->round + 1 == c->islands.round && memcmp(&memo->given, &now.given, sizeof now.given) == 0)
        return;
    now.events = world->slots[slot].event_count;
    *memo = now;
    c->islands.of[root_of(c->islands.of, slot)].differs = 1;
}

static void write_list(fm_touch_list *list, const uint32_t *ids, uint32_t count)
{
    memcpy(list->ids, ids, count * sizeof *ids);
    list->count = count;
    list->overflow = 0;
}

static void recall_one(fm_world *world, uint32_t slot)
{
    struct fm_contact_state *c = world->contact;
    fm_island_memo *memo = &c->islands.memos[slot];
    fm_body_state *body = &world->slots[slot].vehicle->body;
    if (c->islands.of[root_of(c->islands.of, slot)].differs)
        return;
    memcpy(body->position, memo->pose, sizeof body->position);
    memcpy(body->attitude, memo->pose + 3, sizeof body->attitude);
    memcpy(body->velocity, memo->velocity, sizeof body->velocity);
    write_list(&c->touched[slot], memo->touched, memo->touched_count);
    write_list(&c->partners[slot], memo->partners, memo->partner_count);
    c->any_partners |= memo->partner_count > 0;
    c->broken[slot] = memo->broken;
    memo->round = c->islands.round;
}

size_t fm_islands_recall(fm_world *world, size_t count)
{
    struct fm_contact_state *c = world->contact;
    size_t left = 0;
    c->islands.round++;
    if (c->moving) /* obstacles that are fixed now may have moved by then */
        return count;
    find_islands(c, count);
    for_each(world, count, compare_one);
    for_each(world, count, recall_one);
    for (size_t i = 0; i < count; i++)
        if (c->islands.of[root_of(c->islands.of, c->near[i].first)].differs)
            c->near[left++] = c->near[i];
    return left;
}

/* --- to be remembered --- */

static bool read_list(const fm_touch_list *list, uint32_t *ids, uint32_t room, uint32_t *count)
{
    if (list->overflow || list->count > room)
        return false;
    memcpy(ids, list->ids, list->count * sizeof *ids);
    *count = list->count;
    return true;
}

static void keep_one(fm_world *world, uint32_t index)
{
    struct fm_contact_state *c = world->contact;
    const fm_slot *slot = &world->slots[index];
    const fm_body_state *body = &slot->vehicle->body;
    fm_island_memo *memo = &c->islands.memos[index];
    memcpy(memo->pose, body->position, sizeof body->position);
    memcpy(memo->pose + 3, body->attitude, sizeof body->attitude);
    memcpy(memo->velocity, body->velocity, sizeof memo->velocity);
    memo->broken = c->broken[index];
    memo->round = c->islands.round;
    memo->steady = slot->event_count == memo->events && !slot->type->kind->shapes &&
                   read_list(&c->touched[index], memo->touched, FM_ISLAND_TOUCHED, &memo->touched_count) &&
                   read_list(&c->partners[index], memo->partners, FM_ISLAND_PARTNERS, &memo->partner_count);
}

void fm_islands_keep(fm_world *world, size_t count)
{
    if (!world->contact->moving)
        for_each(world, count, keep_one);
}
