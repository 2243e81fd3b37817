#include "world/owners.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "world/inputs.h"
#include "world/vehicle_names.h"
#include "world/world.h"

_Static_assert(sizeof(fm_claim) == FM_HOLDER_SIZE + 24, "no padding in a claim");

/* --- memory --- */

static size_t most_actuators(const fm_model *model)
{
    size_t most = 0;
    for (size_t i = 0; i < model->type_count; i++)
        most = model->types[i].actuator_count > most ? model->types[i].actuator_count : most;
    return most;
}

fm_status fm_owners_create(fm_world *world, fm_error *error)
{
    size_t most = most_actuators(world->model), slots = (size_t)world->slot_count;
    world->owners = fm_alloc((slots + 1) * sizeof *world->owners);
    world->writers = fm_alloc(slots * most + 1);
    if (!world->owners || !world->writers)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for the owners of %zu actuators", slots * most);
    for (size_t i = 0; i < slots; i++)
        world->owners[i].writers = world->writers + i * most;
    world->writer_room = most;
    return FM_OK;
}

void fm_owners_free(fm_world *world)
{
    for (int i = 0; world->owners && i < world->slot_count; i++)
        fm_free(world->owners[i].claims);
    fm_free(world->owners);
    fm_free(world->writers);
}

void fm_owners_clear(fm_world *world, int slot)
{
    fm_owners *o = &world->owners[slot];
    o->disengaged = 0;
    o->count = 0;
    memset(o->writers, 0, world->writer_room);
}

static int reserve(fm_owners *o, size_t room)
{
    if (room <= o->room)
        return 1;
    fm_claim *claims = fm_realloc(o->claims, room * sizeof *claims);
    if (!claims)
        return 0;
    o->claims = claims;
    o->room = room;
    return 1;
}

/* --- claims of one actuator --- */

/* The topmost claim, including the base; NULL: no claim from outside. */
static fm_claim *find_top(const fm_owners *o, int64_t actuator)
{
    for (size_t i = o->count; i-- > 0;)
        if (o->claims[i].actuator == actuator)
            return &o->claims[i];
    return NULL;
}

/* "": the base. */
static fm_claim *find_claim(const fm_owners *o, int64_t actuator, const char *holder)
{
    for (size_t i = 0; i < o->count; i++)
        if (o->claims[i].actuator == actuator && strcmp(o->claims[i].holder, holder) == 0)
            return &o->claims[i];
    return NULL;
}

static size_t count_claims(const fm_owners *o, int64_t actuator)
{
    size_t count = 0;
    for (size_t i = 0; i < o->count; i++)
        count += o->claims[i].actuator == actuator && o->claims[i].holder[0];
    return count;
}

static fm_claim remove_claim(fm_owners *o, fm_claim *claim)
{
    fm_claim gone = *claim;
    o->count--;
    memmove(claim, claim + 1, (size_t)(o->claims + o->count - claim) * sizeof *claim);
    return gone;
}

static fm_claim *add_claim(fm_owners *o, const fm_claim *claim)
{
    o->claims[o->count] = *claim;
    return &o->claims[o->count++];
}

static void apply(const fm_slot *slot, int64_t actuator, double value)
{
    fm_actuator_state *state = &fm_actuator_states(slot->type, slot->vehicle)[actuator];
    if (state->order != value) {
        state->order = value;
        slot->vehicle->settled = 0;
    }
}

/* The orders of the topmost claim are in force; a base without claims above it is not needed any more. */
static void settle(const fm_slot *slot, fm_owners *o, int64_t actuator)
{
    fm_claim *top = find_top(o, actuator);
    if (!top)
        return;
    double value = top->value;
    if (!top->holder[0])
        remove_claim(o, top);
    apply(slot, actuator, value);
}

/* --- orders of the scenario --- */

/* The schedule's orders so far; 0: none. */
static double scheduled_order(const fm_world *world, const fm_vehicle *vehicle, int64_t actuator)
{
    const fm_placement *p = vehicle->placement >= 0 ? &world->model->vehicles[vehicle->placement] : NULL;
    double value = 0;
    for (int64_t i = 0; p && i < vehicle->next_order && i < (int64_t)p->order_count; i++)
        if (p->orders[i].actuator == actuator)
            value = p->orders[i].value;
    return value;
}

void fm_owners_write(fm_world *world, int index, int actuator, double value, int controller)
{
    fm_owners *o = &world->owners[index];
    const fm_slot *slot = &world->slots[index];
    if (controller >= 0 && controller < 64 && o->disengaged >> controller & 1)
        return;
    o->writers[actuator] = (uint8_t)(controller + 1);
    fm_claim *base = o->count ? find_claim(o, actuator, "") : NULL;
    if (base)
        base->value = value;
    else
        apply(slot, actuator, value);
}

/* --- which actuators an input addresses --- */

static int find_actuator(const fm_type *type, const char *name)
{
    for (size_t i = 0; i < type->actuator_count; i++)
        if (strcmp(type->actuator_names[i], name) == 0)
            return (int)i;
    return -1;
}

/* By its name, by the name of its group, or (""): all. */
static int is_meant(const fm_type *type, size_t i, const char *name)
{
    const char *group = type->actuator_groups[i];
    return !name[0] || strcmp(type->actuator_names[i], name) == 0 ||
           (find_actuator(type, name) < 0 && group && strcmp(group, name) == 0);
}

static int any_meant(const fm_type *type, const char *name)
{
    for (size_t i = 0; i < type->actuator_count; i++)
        if (is_meant(type, i, name))
            return 1;
    return 0;
}

/* --- checking --- */

/* What an input orders for actuators or controllers. */
typedef struct claimant {
    fm_command_kind kind;
    const char *holder;  /* FM_HOLDER_SIZE bytes */
    const char *vehicle; /* "": all, of a release */
    const char *target;  /* actuator, group, controller or set point; "": all */
    double value;        /* of an order */
} claimant;

static claimant claimant_of(const fm_input *input)
{
    return (claimant){.kind = input->command.kind,
                      .holder = input->holder,
                      .vehicle = fm_command_vehicle(&input->command),
                      .target = fm_command_target(&input->command),
                      .value = fm_command_value(&input->command)};
}

/* An actuator taken by another is not ordered. */
static fm_status check_claim(const fm_owners *o, const fm_type *type, size_t i, const claimant *input, fm_error *error)
{
    const fm_claim *top = find_top(o, (int64_t)i), *own = find_claim(o, (int64_t)i, input->holder);
    int taken = top && top->taken && top != own;
    if (!own && count_claims(o, (int64_t)i) >= FM_CLAIMS_MOST)
        return fm_fail(error, FM_ERR_FULL, "%s of '%s' is held by %d clients already: release one",
                       type->actuator_names[i], input->vehicle, FM_CLAIMS_MOST);
    if (taken && input->kind == FM_COMMAND_ORDER && !(own && own->taken))
        return fm_fail(error, FM_ERR_STATE, "%s of '%s' is held by %s: take it first", type->actuator_names[i],
                       input->vehicle, top->holder);
    return FM_OK;
}

static fm_status check_release(const fm_owners *o, const fm_type *type, size_t i, const claimant *input,
                               fm_error *error)
{
    const fm_claim *top = find_top(o, (int64_t)i), *own = find_claim(o, (int64_t)i, input->holder);
    if (!own && top && top->taken && input->target[0])
        return fm_fail(error, FM_ERR_STATE, "%s of '%s' is held by %s, which has to release it",
                       type->actuator_names[i], input->vehicle, top->holder);
    return FM_OK;
}

static fm_status no_actuator(const fm_type *type, const claimant *input, fm_error *error)
{
    char near[200];
    fm_nearest nearest = {.wanted = input->target};
    for (size_t i = 0; i < type->actuator_count && input->target[0]; i++) {
        fm_nearest_offer(&nearest, type->actuator_names[i]);
        if (type->actuator_groups[i] && (!i || type->actuator_groups[i - 1] != type->actuator_groups[i]))
            fm_nearest_offer(&nearest, type->actuator_groups[i]);
    }
    return fm_fail(error, FM_ERR_NAME, "vehicle '%s' has no actuator%s%s%s%s", input->vehicle,
                   input->target[0] ? " '" : "", input->target, input->target[0] ? "'" : "",
                   fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status check_actuators(fm_world *world, int slot, const claimant *input, fm_error *error)
{
    const fm_type *type = world->slots[slot].type;
    fm_owners *o = &world->owners[slot];
    int releases = input->kind == FM_COMMAND_RELEASE;
    if (!any_meant(type, input->target))
        return no_actuator(type, input, error);
    for (size_t i = 0; i < type->actuator_count; i++) {
        if (!is_meant(type, i, input->target))
            continue;
        fm_status status = releases ? check_release(o, type, i, input, error) : check_claim(o, type, i, input, error);
        if (status != FM_OK)
            return status;
    }
    if (!releases && !reserve(o, type->actuator_count * (FM_CLAIMS_MOST + 1)))
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for an order of '%s'", input->vehicle);
    return FM_OK;
}

static fm_status check_controller(const fm_type *type, const claimant *input, fm_error *error)
{
    for (size_t i = 0; i < type->controller_count; i++)
        if (!input->target[0] || strcmp(type->parts[type->sensor_count + i].name, input->target) == 0)
            return i < 64 ? FM_OK
                          : fm_fail(error, FM_ERR_FULL, "'%s': only the first 64 controllers can be disengaged",
                                    input->vehicle);
    char near[200];
    fm_nearest nearest = {.wanted = input->target};
    for (size_t i = 0; i < type->controller_count && input->target[0]; i++)
        fm_nearest_offer(&nearest, type->parts[type->sensor_count + i].name);
    return fm_fail(error, FM_ERR_NAME, "'%s' has no controller%s%s%s%s", input->vehicle, input->target[0] ? " '" : "",
                   input->target, input->target[0] ? "'" : "", fm_nearest_write(&nearest, near, sizeof near));
}

fm_status fm_owners_check(fm_world *world, const fm_input *given, fm_error *error)
{
    const claimant said = claimant_of(given), *input = &said;
    if (input->kind == FM_COMMAND_RELEASE && !input->vehicle[0] && !input->target[0])
        return FM_OK; /* all that it holds, wherever */
    int slot = fm_world_find(world, input->vehicle);
    if (slot < 0)
        return fm_world_no_vehicle(world, input->vehicle, error);
    const fm_type *type = world->slots[slot].type;
    switch (input->kind) {
    case FM_COMMAND_ENGAGE:
    case FM_COMMAND_DISENGAGE: return check_controller(type, input, error);
    case FM_COMMAND_RELEASE:
        if (!input->target[0])
            return FM_OK;
        if (fm_desire_known(world, slot, input->target) && !any_meant(type, input->target))
            return FM_OK;
        return any_meant(type, input->target) ? check_actuators(world, slot, input, error)
                                              : fm_desire_check(world, given, error);
    default: return check_actuators(world, slot, input, error);
    }
}

/* --- taking --- */

/* Its claim moves to the top, unless another has taken the actuator. */
static int claim_one(const fm_slot *slot, fm_owners *o, size_t i, const claimant *input)
{
    int64_t actuator = (int64_t)i;
    const fm_claim *top = find_top(o, actuator);
    fm_claim *own = find_claim(o, actuator, input->holder);
    double order = fm_actuator_states(slot->type, slot->vehicle)[i].order;
    int takes = input->kind != FM_COMMAND_ORDER, covered = top && top != own && top->taken;
    fm_claim claim = {.actuator = actuator,
                      .value = input->kind != FM_COMMAND_TAKE ? input->value
                               : own                          ? own->value
                                                              : order,
                      .taken = takes || (own && own->taken)};
    if (covered && input->kind == FM_COMMAND_ORDER && !(own && own->taken))
        return 0;
    if (own && own == top && own->value == claim.value && own->taken == claim.taken)
        return 0;
    memcpy(claim.holder, input->holder, sizeof claim.holder);
    if (covered && input->kind != FM_COMMAND_TAKE && own) { /* it waits for its turn with its newest order */
        int same = own->value == claim.value && own->taken == claim.taken;
        *own = claim;
        return !same;
    }
    if (!reserve(o, o->count + 3))
        return 0;
    if (!top)
        add_claim(o, &(fm_claim){.actuator = actuator, .value = order});
    if ((own = find_claim(o, actuator, input->holder)))
        remove_claim(o, own);
    fm_claim above = {0};
    if (covered && input->kind == FM_COMMAND_FLY)
        above = remove_claim(o, find_top(o, actuator));
    add_claim(o, &claim);
    if (above.holder[0])
        add_claim(o, &above);
    settle(slot, o, actuator);
    return 1;
}

static int release_one(const fm_slot *slot, fm_owners *o, size_t i, const char *holder, int own_only)
{
    fm_claim *claim = find_claim(o, (int64_t)i, holder);
    if (!claim && !own_only && (claim = find_top(o, (int64_t)i)) && (claim->taken || !claim->holder[0]))
        claim = NULL;
    if (!claim)
        return 0;
    remove_claim(o, claim);
    settle(slot, o, (int64_t)i);
    return 1;
}

static int release_everywhere(fm_world *world, const char *holder)
{
    int changed = 0;
    for (int k = 0; k < world->slot_count; k++)
        for (size_t i = 0; world->owners[k].count && i < world->slots[k].type->actuator_count; i++)
            changed |= release_one(&world->slots[k], &world->owners[k], i, holder, 1);
    return changed;
}

static int release(fm_world *world, int index, const claimant *input)
{
    const fm_slot *slot = &world->slots[index];
    int changed = 0;
    for (size_t i = 0; i < slot->type->actuator_count; i++)
        if (is_meant(slot->type, i, input->target))
            changed |= release_one(slot, &world->owners[index], i, input->holder, 0);
    return fm_desire_release(world, index, input->target) | changed;
}

/* A disengaged controller leaves its actuators to the schedule: to its last order, or at zero. */
static int engage(fm_world *world, int index, const claimant *input)
{
    const fm_slot *slot = &world->slots[index];
    fm_owners *o = &world->owners[index];
    uint64_t before = o->disengaged;
    for (size_t k = 0; k < slot->type->controller_count && k < 64; k++) {
        const char *name = slot->type->parts[slot->type->sensor_count + k].name;
        uint64_t bit = (uint64_t)1 << k;
        if (input->target[0] && strcmp(name, input->target) != 0)
            continue;
        o->disengaged = input->kind == FM_COMMAND_ENGAGE ? o->disengaged & ~bit : o->disengaged | bit;
        for (size_t i = 0; o->disengaged & ~before & bit && i < slot->type->actuator_count; i++)
            if (o->writers[i] == k + 1)
                fm_owners_write(world, index, (int)i, scheduled_order(world, slot->vehicle, (int64_t)i), -1);
    }
    return o->disengaged != before;
}

int fm_owners_take(fm_world *world, const fm_input *given)
{
    const claimant said = claimant_of(given), *input = &said;
    if (!input->vehicle[0])
        return release_everywhere(world, input->holder);
    int index = fm_world_find(world, input->vehicle), changed = 0;
    if (index < 0)
        return 1; /* removed by an earlier input */
    if (input->kind == FM_COMMAND_ENGAGE || input->kind == FM_COMMAND_DISENGAGE)
        return engage(world, index, input);
    if (input->kind == FM_COMMAND_RELEASE)
        return release(world, index, input);
    const fm_slot *slot = &world->slots[index];
    for (size_t i = 0; i < slot->type->actuator_count; i++)
        if (is_meant(slot->type, i, input->target))
            changed |= claim_one(slot, &world->owners[index], i, input);
    return changed;
}

int fm_owners_order(fm_world *world, int index, size_t i, double value)
{
    fm_owners *o = &world->owners[index];
    const fm_slot *slot = &world->slots[index];
    const int64_t actuator = (int64_t)i;
    fm_claim *own = o->count ? find_claim(o, actuator, "program") : NULL;
    if (!own) {
        if (!reserve(o, slot->type->actuator_count * (FM_CLAIMS_MOST + 1)))
            return 0;
        if (!find_top(o, actuator))
            add_claim(
                o, &(fm_claim){.actuator = actuator, .value = fm_actuator_states(slot->type, slot->vehicle)[i].order});
        own = add_claim(o, &(fm_claim){.holder = "program", .actuator = actuator});
    }
    own->value = value;
    settle(slot, o, actuator);
    return 1;
}

/* --- questions --- */

fm_status fm_world_owner(const fm_world *world, int index, size_t actuator, fm_owner *owner)
{
    const fm_slot *slot = fm_slot_occupied(world, index);
    if (!slot || !owner || actuator >= slot->type->actuator_count)
        return FM_ERR_ARGUMENT;
    const fm_owners *o = &world->owners[index];
    const fm_claim *top = o->count ? find_top(o, (int64_t)actuator) : NULL;
    const char *name = top ? top->holder : "schedule";
    *owner = (fm_owner){.kind = top ? FM_OWNER_CLIENT : FM_OWNER_SCHEDULE, .taken = top && top->taken};
    if (!top && o->writers[actuator]) {
        owner->kind = FM_OWNER_CONTROLLER;
        name = slot->type->parts[slot->type->sensor_count + o->writers[actuator] - 1u].name;
    }
    snprintf(owner->name, sizeof owner->name, "%.31s", name);
    return FM_OK;
}

int fm_world_engaged(const fm_world *world, int index, const char *controller)
{
    const fm_slot *slot = fm_slot_occupied(world, index);
    for (size_t k = 0; slot && controller && k < slot->type->controller_count; k++)
        if (strcmp(slot->type->parts[slot->type->sensor_count + k].name, controller) == 0)
            return k >= 64 || !(world->owners[index].disengaged >> k & 1);
    return -1;
}

/* --- saving: for each slot its word of controllers, number of claims, the writers, the claims --- */

enum { CLAIM_WORDS = sizeof(fm_claim) / 8 };

static size_t writer_words(const fm_world *world)
{
    return (world->writer_room + 7) / 8;
}

size_t fm_owners_words(const fm_world *world)
{
    size_t words = (size_t)world->slot_count * (2 + writer_words(world));
    for (int i = 0; i < world->slot_count; i++)
        words += world->owners[i].count * CLAIM_WORDS;
    return words;
}

void fm_owners_save(const fm_world *world, unsigned char *to)
{
    for (int i = 0; i < world->slot_count; i++) {
        const fm_owners *o = &world->owners[i];
        const uint64_t head[2] = {o->disengaged, o->count};
        memcpy(to, head, sizeof head);
        to += sizeof head;
        memset(to, 0, writer_words(world) * 8);
        memcpy(to, o->writers, world->writer_room);
        to += writer_words(world) * 8;
        if (o->count)
            memcpy(to, o->claims, o->count * sizeof *o->claims);
        to += o->count * sizeof *o->claims;
    }
}

/* The type of the vehicle in a slot of a saved state, which was checked; NULL: it is empty. */
static const fm_type *saved_type(const fm_world *world, const unsigned char *state, int slot)
{
    fm_vehicle vehicle;
    memcpy(&vehicle, state + ((const char *)world->slots[slot].vehicle - (const char *)world->head), sizeof vehicle);
    return vehicle.life == FM_EMPTY ? NULL : &world->model->types[vehicle.type];
}

/* The number of words of one slot; 0: the data is too short, or invalid. */
static size_t check_slot(const fm_world *world, const fm_type *type, const unsigned char *at, size_t left)
{
    const size_t head = 2 + writer_words(world), actuators = type ? type->actuator_count : 0;
    uint64_t count = 0;
    if (left < head)
        return 0;
    memcpy(&count, at + 8, sizeof count);
    if (count > (left - head) / CLAIM_WORDS)
        return 0;
    for (size_t i = 0; i < actuators; i++)
        if (at[16 + i] > type->controller_count)
            return 0;
    for (size_t i = 0; i < count; i++) {
        fm_claim claim;
        memcpy(&claim, at + (head + i * CLAIM_WORDS) * 8, sizeof claim);
        if (claim.actuator < 0 || (uint64_t)claim.actuator >= actuators || !memchr(claim.holder, 0, FM_HOLDER_SIZE))
            return 0;
    }
    return head + count * CLAIM_WORDS;
}

static fm_status check_saved(fm_world *world, const unsigned char *state, const unsigned char *bytes, size_t count,
                             fm_error *error)
{
    size_t at = 0, used = 1;
    for (int i = 0; i < world->slot_count && used; i++, at += used) {
        uint64_t claims = 0;
        used = check_slot(world, saved_type(world, state, i), bytes + at * 8, count - at);
        if (used)
            memcpy(&claims, bytes + (at + 1) * 8, sizeof claims);
        if (!reserve(&world->owners[i], claims))
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for the owners of actuators");
    }
    return used && at == count
               ? FM_OK
               : fm_fail(error, FM_ERR_ARGUMENT,
                         "the saved state does not belong to this model: the owners of its actuators do not fit");
}

fm_status fm_owners_restore(fm_world *world, const unsigned char *state, size_t count, fm_error *error)
{
    const unsigned char *bytes = state + world->state_words * 8;
    fm_status status = check_saved(world, state, bytes, count, error);
    for (int i = 0; status == FM_OK && i < world->slot_count; i++) {
        fm_owners *o = &world->owners[i];
        uint64_t head[2];
        memcpy(head, bytes, sizeof head);
        memcpy(o->writers, bytes + sizeof head, world->writer_room);
        bytes += sizeof head + writer_words(world) * 8;
        o->disengaged = head[0];
        o->count = head[1];
        if (o->count)
            memcpy(o->claims, bytes, o->count * sizeof *o->claims);
        bytes += o->count * sizeof *o->claims;
    }
    return status;
}

uint64_t fm_owners_hash(const fm_world *world, uint64_t hash, uint64_t (*word)(uint64_t hash, uint64_t word))
{
    for (int i = 0; i < world->slot_count; i++) {
        const fm_owners *o = &world->owners[i];
        const uint64_t *words = (const uint64_t *)(const void *)o->claims;
        if (!o->count && !o->disengaged)
            continue;
        hash = word(word(hash, (uint64_t)i), o->disengaged);
        for (size_t k = 0; k < o->count * CLAIM_WORDS; k++)
            hash = word(hash, words[k]);
    }
    return hash;
}
