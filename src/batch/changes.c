#include "batch/changes.h"

#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "world/inputs.h"
#include "world/waters.h"
#include "world/world.h"

static const fm_live_param *find_live(const fm_type *type, const char *path)
{
    const char *end = *path == '/' ? strchr(path + 1, '/') : NULL;
    for (size_t i = 0; i < type->live_count && end; i++)
        if (fm_text_name_equal(type->live[i].path, end + 1))
            return &type->live[i];
    return NULL;
}

/* The part that a word of the record is a live parameter of; NULL: none. */
static fm_part *find_part(const fm_type *type, uint32_t word)
{
    for (size_t i = 0; i < type->part_count; i++) {
        const fm_block *live = &type->parts[i].live;
        if (word >= live->offset && word < live->offset + live->words)
            return &type->parts[i];
    }
    return NULL;
}

static int is_in(const fm_block *block, const fm_live_param *live)
{
    return live->offset >= block->offset && live->offset < block->offset + block->words;
}

static int is_fault(const fm_type *type, const fm_live_param *live)
{
    return is_in(&type->fault_block, live);
}

enum { ACTUATOR_WORDS = sizeof(fm_actuator_state) / 8, ORDER_WORD = offsetof(fm_actuator_state, order) / 8 };

static int is_order(const fm_type *type, const fm_live_param *live)
{
    return is_in(&type->actuator_block, live) &&
           (live->offset - type->actuator_block.offset) % ACTUATOR_WORDS == ORDER_WORD;
}

int fm_change_row(const fm_model *model, const fm_batch_rows *rows, const char *path, uint32_t *row)
{
    static const fm_batch_rows none;
    const fm_type *type = &model->types[model->vehicles[0].type];
    const fm_batch_rows *r = rows ? rows : &none;
    for (size_t i = 0; i < model->live_count; i++)
        if (fm_text_name_equal(model->live[i].path, path) && model->live[i].offset < FM_LIVE_CURRENT + 3)
            return *row = r->current + model->live[i].offset - FM_LIVE_CURRENT, 1;
    const fm_live_param *live = find_live(type, path);
    if (!live)
        return 0;
    if (is_fault(type, live))
        return *row = r->faults + live->offset - type->fault_block.offset, 1;
    if (is_order(type, live))
        return *row = r->orders + (live->offset - type->actuator_block.offset) / ACTUATOR_WORDS, 1;
    if (type->kind->lanes && type->kind->lanes->own_rows && is_in(&type->kind_block, live))
        return *row = r->own + live->offset - type->kind_block.offset, 1;
    return 0;
}

int fm_change_is_of_part(const fm_type *type, const char *path)
{
    const fm_live_param *live = find_live(type, path);
    return live && find_part(type, live->offset);
}

/* --- water and bottom --- */

/* The word of the sea at a path; NULL: none. */
static const fm_waters_word *find_word(const fm_model *model, const char *path)
{
    for (size_t i = 0; i < model->live_count; i++)
        for (size_t k = 0; k < model->waters_count && fm_text_name_equal(model->live[i].path, path); k++)
            if (model->waters[k].word == model->live[i].offset)
                return &model->waters[k];
    return NULL;
}

/* Gravity changes the types; quantities relative to a plane bottom are measured at the end, with the first one. */
int fm_change_is_of_waters(const fm_model *model, const char *path)
{
    const fm_waters_word *word = find_word(model, path);
    const int clears = model->types[model->vehicles[0].type].contact.clearance != 0;
    return word && word->what != FM_WATERS_GRAVITY && word->what != FM_WATERS_FORMULA &&
           !(clears && (word->what == FM_WATERS_PLANE || word->what == FM_WATERS_MOUND));
}

int fm_change_has_density(const fm_model *model)
{
    int found = 0;
    for (size_t i = 0; i < model->change_count; i++) {
        const fm_waters_word *word = find_word(model, model->changes[i].path);
        found |= word && word->what == FM_WATERS_DENSITY;
    }
    return found;
}

fm_world *fm_waters_change(const fm_model *model, size_t count, fm_error *error)
{
    fm_world *world = fm_world_create(model, &(fm_world_options){.seeded = 1, .threads = 1}, error);
    for (size_t i = 0; world && i < count; i++) {
        const fm_waters_word *word = find_word(model, model->changes[i].path);
        if (word)
            world->live[word->word] = model->changes[i].value;
    }
    if (world)
        (void)fm_waters_refresh(world);
    return world;
}

/* --- parts --- */

/* The value as a world writes it into the record. */
static fm_status change_part(const fm_live_param *live, double value, fm_part *part, fm_arena *arena, fm_error *error)
{
    size_t size = part->part_class->element->config_size, at = 8 * (size_t)(live->offset - part->live.offset);
    char *config = fm_arena_alloc(arena, size);
    int64_t whole = (int64_t)value;
    if (!config)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a change of <%s>", part->part_class->element->name);
    memcpy(config, part->config, size);
    memcpy(config + at, fm_live_is_whole(live->attr) ? (const void *)&whole : (const void *)&value, sizeof value);
    part->config = config;
    return FM_OK;
}

fm_status fm_type_change(const fm_model *model, size_t count, fm_arena *arena, fm_type *out, fm_error *error)
{
    fm_status status = FM_OK;
    *out = model->types[model->vehicles[0].type];
    fm_part *parts = fm_arena_alloc(arena, (out->part_count + 1) * sizeof *parts);
    if (!parts)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the parts of '%s'", out->name);
    if (out->part_count)
        memcpy(parts, out->parts, out->part_count * sizeof *parts);
    out->parts = parts;
    double *faults = fm_arena_alloc(arena, (out->actuator_count + 1) * sizeof *out->faults);
    if (!faults)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the faults of '%s'", out->name);
    if (out->actuator_count)
        memcpy(faults, out->faults, out->actuator_count * sizeof *out->faults);
    out->faults = (const fm_actuator_fault *)faults;
    for (size_t i = 0; i < count && status == FM_OK; i++) {
        const fm_live_param *live = find_live(out, model->changes[i].path);
        fm_part *part = live ? find_part(out, live->offset) : NULL;
        if (live && is_fault(out, live))
            faults[live->offset - out->fault_block.offset] = model->changes[i].value;
        if (part)
            status = change_part(live, model->changes[i].value, part, arena, error);
    }
    return status;
}
