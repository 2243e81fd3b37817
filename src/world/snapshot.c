/* Hashing, saving and restoring a world's state: a header that identifies it, the state block, the waiting inputs. */
#include "world/snapshot.h"

#include <string.h>

#include "acoustics/sound.h"
#include "base/error.h"
#include "world/command.h"
#include "world/contact.h"
#include "world/owners.h"
#include "world/stream.h"
#include "world/world.h"

/* All in words of 8 bytes; the buffer needs no alignment. */
typedef struct saved_head {
    uint64_t mark;     /* SAVED_MARK */
    uint64_t checksum; /* of all that follows it */
    uint64_t identity; /* of the model */
    uint64_t state_words;
    uint64_t owner_words;
    uint64_t inputs; /* that wait, fm_input each */
} saved_head;

#define SAVED_MARK 0x3230657461747366u /* "fstate02", little endian */
enum { CHECKED_FROM = 16 };            /* bytes: after mark and checksum */

_Static_assert(sizeof(fm_input) % 8 == 0, "inputs are saved as words");

/* --- hashes --- */

#define HASH_START 0x9e3779b97f4a7c15u

static uint64_t hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0xff51afd7ed558ccdu;
    return hash ^ (hash >> 29);
}

/* The last words are mixed as well as the first (splitmix64's finaliser). */
static uint64_t hash_end(uint64_t hash)
{
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
    return hash ^ (hash >> 31);
}

uint64_t fm_world_hash(const fm_world *world)
{
    if (!world)
        return 0;
    const uint64_t *words = (const uint64_t *)(const void *)world->head;
    uint64_t hash = HASH_START;
    for (size_t i = 0; i < world->state_words; i++)
        hash = hash_word(hash, words[i]);
    return hash_end(fm_owners_hash(world, hash, hash_word));
}

static uint64_t hash_bytes(const unsigned char *bytes, size_t size)
{
    uint64_t hash = HASH_START, word;
    for (size_t i = 0; i < size; i += sizeof word) {
        memcpy(&word, bytes + i, sizeof word);
        hash = hash_word(hash, word);
    }
    return hash_end(hash);
}

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; text && *text; text++)
        hash = hash_word(hash, (unsigned char)*text);
    return hash_word(hash, 0);
}

uint64_t fm_model_identify(const fm_model *model)
{
    uint64_t hash = HASH_START;
    for (size_t r = 0; r < model->param_range_count; r++) {
        fm_param_range *range = &model->params[r];
        const fm_param_info *infos = range->path ? NULL : fm_model_infos(model, range);
        if (range->path) /* what it shares has been counted in */
            hash = hash_word(hash_word(hash_text(hash, range->path), range->hash), range->count);
        for (size_t i = 0; infos && i < range->count; i++) {
            if (strcmp(infos[i].path, "/world/duration") == 0)
                continue; /* its remaining duration has no effect on past steps */
            hash = hash_text(hash, infos[i].path);
            hash = hash_text(hash, infos[i].value);
        }
    }
    for (size_t i = 0; i < model->type_count; i++)
        hash = hash_word(hash_text(hash, model->types[i].name), model->types[i].record_words);
    for (size_t i = 0; i < model->vehicle_count; i++)
        hash = hash_word(hash_text(hash, model->vehicles[i].name), (uint64_t)model->vehicles[i].type);
    return hash_end(hash);
}

static uint64_t identity_of(const fm_model *model)
{
    return model->identity ? model->identity : fm_model_identify(model);
}

/* --- saving --- */

size_t fm_world_state_size(const fm_world *world)
{
    return world ? sizeof(saved_head) + (world->state_words + fm_owners_words(world)) * 8 +
                       world->input_count * sizeof(fm_input)
                 : 0;
}

fm_status fm_world_save(const fm_world *world, void *buffer, size_t size, fm_error *error)
{
    unsigned char *to = buffer;
    if (!world || !buffer)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", world ? "buffer" : "world");
    size_t needed = fm_world_state_size(world);
    if (size < needed)
        return fm_fail(error, FM_ERR_FULL, "the state needs %zu bytes: the buffer has only %zu", needed, size);
    saved_head head = {SAVED_MARK,        0, identity_of(world->model), world->state_words, fm_owners_words(world),
                       world->input_count};
    size_t owners = sizeof head + world->state_words * 8, inputs = owners + head.owner_words * 8;
    memcpy(to, &head, sizeof head);
    memcpy(to + sizeof head, world->head, world->state_words * 8);
    fm_owners_save(world, to + owners);
    if (world->input_count)
        memcpy(to + inputs, world->inputs, world->input_count * sizeof *world->inputs);
    head.checksum = hash_bytes(to + CHECKED_FROM, needed - CHECKED_FROM);
    memcpy(to, &head, sizeof head);
    return FM_OK;
}

/* --- restoring --- */

/* Whether the buffer contains a complete saved state of this model. */
static fm_status check_head(const fm_world *world, const unsigned char *from, size_t size, fm_error *error)
{
    saved_head head = {0};
    memcpy(&head, from, size < sizeof head ? size : sizeof head);
    if (size < sizeof head || head.mark != SAVED_MARK)
        return fm_fail(error, FM_ERR_ARGUMENT, "this is no buffer of a world");
    if (head.identity != identity_of(world->model) || head.state_words != world->state_words)
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "the buffer belongs to another model: a scenario, a model or a parameter differs");
    size_t needed = sizeof head + world->state_words * 8;
    if (head.inputs > world->input_room || head.owner_words > size / 8 ||
        size < (needed += head.owner_words * 8) + head.inputs * sizeof(fm_input))
        return fm_fail(error, FM_ERR_ARGUMENT, "the buffer is cut off: it has %zu bytes", size);
    needed += head.inputs * sizeof(fm_input);
    if (head.checksum != hash_bytes(from + CHECKED_FROM, needed - CHECKED_FROM))
        return fm_fail(error, FM_ERR_ARGUMENT, "the buffer is damaged: its checksum does not fit");
    return FM_OK;
}

static fm_status check_slots(const fm_world *world, const unsigned char *state, fm_error *error)
{
    for (int i = 0; i < world->slot_count; i++) {
        fm_vehicle check;
        size_t at = (size_t)((char *)world->slots[i].vehicle - (char *)world->head);
        memcpy(&check, state + at, sizeof check);
        int known = check.type >= 0 && check.type < (int64_t)world->model->type_count;
        if (check.life != FM_EMPTY && (!known || world->model->types[check.type].record_words > world->slots[i].room ||
                                       check.placement >= (int64_t)world->model->vehicle_count))
            return fm_fail(error, FM_ERR_ARGUMENT, "the buffer does not belong to this model: slot %d holds type %lld",
                           i, (long long)check.type);
    }
    return FM_OK;
}

static fm_status check_inputs(const unsigned char *inputs, uint64_t count, fm_error *error)
{
    for (uint64_t i = 0; i < count; i++) {
        fm_input input;
        memcpy(&input, inputs + i * sizeof input, sizeof input);
        if (!memchr(input.holder, 0, sizeof input.holder) || fm_command_check(&input.command, NULL) != FM_OK)
            return fm_fail(error, FM_ERR_ARGUMENT, "the saved state is damaged: an input that waits is no command");
    }
    return FM_OK;
}

fm_status fm_world_restore(fm_world *world, const void *buffer, size_t size, fm_error *error)
{
    const unsigned char *from = buffer;
    if (!world || !buffer)
        return fm_fail(error, FM_ERR_ARGUMENT, "%s must not be NULL", world ? "buffer" : "world");
    fm_status status = check_head(world, from, size, error);
    if (status == FM_OK)
        status = check_slots(world, from + sizeof(saved_head), error);
    saved_head head = {0};
    if (status == FM_OK) {
        memcpy(&head, from, sizeof head);
        status = check_inputs(from + sizeof head + (world->state_words + head.owner_words) * 8, head.inputs, error);
    }
    if (status == FM_OK)
        status = fm_owners_restore(world, from + sizeof head, head.owner_words, error);
    if (status != FM_OK)
        return status;
    uint64_t seed = world->head->seed;
    memcpy(world->head, from + sizeof head, world->state_words * 8);
    if (world->head->seed != seed)
        fm_stream_prepare(world);
    fm_waters_refresh(world);
    fm_sound_refresh(world);
    world->live_written = 1;
    memcpy(world->inputs, from + sizeof head + (world->state_words + head.owner_words) * 8,
           head.inputs * sizeof *world->inputs);
    for (int i = 0; i < world->slot_count; i++)
        fm_slot_refresh(world, i);
    fm_subsystems_forget(world);
    world->cut_short = 0;
    world->input_count = head.inputs;
    world->input_first = 0;
    for (size_t i = 0; i < head.inputs; i++)
        if (world->inputs[i].command.kind == FM_COMMAND_RESET)
            world->input_first = i + 1;
    world->taken_count = world->event_count = world->next_change = 0;
    return FM_OK;
}
