#include "world/subsystem.h"

#include <string.h>

#include "base/error.h"
#include "world/world.h"

fm_status fm_model_add_subsystem(fm_model *model, const fm_subsystem *subsystem, const void *config, size_t words,
                                 fm_error *error)
{
    if (model->subsystem_count == FM_SUBSYSTEMS_MOST)
        return fm_fail(error, FM_ERR_FULL, "no room for the subsystem '%s': a model has at most %d", subsystem->name,
                       FM_SUBSYSTEMS_MOST);
    model->subsystems[model->subsystem_count++] = (fm_subsystem_row){subsystem, config, model->subsystem_words, words};
    model->subsystem_words += words;
    return FM_OK;
}

static const fm_subsystem_row *find_row(const fm_model *model, fm_subsystem_id id)
{
    for (size_t i = 0; i < model->subsystem_count; i++)
        if (model->subsystems[i].subsystem->id == id)
            return &model->subsystems[i];
    return NULL;
}

const void *fm_subsystem_config(const fm_model *model, fm_subsystem_id id)
{
    const fm_subsystem_row *row = find_row(model, id);
    return row ? row->config : NULL;
}

double *fm_subsystem_state(const fm_world *world, fm_subsystem_id id)
{
    const fm_subsystem_row *row = find_row(world->model, id);
    return row ? world->subsystems + row->offset : NULL;
}

/* --- stages --- */

static void call(fm_world *world, const fm_subsystem_row *row, fm_subsystem_call *function)
{
    if (function)
        function(world, row->config, world->subsystems + row->offset);
}

void fm_subsystems_start(fm_world *world)
{
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        call(world, &world->model->subsystems[i], world->model->subsystems[i].subsystem->start);
}

void fm_subsystems_deliver(fm_world *world)
{
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        call(world, &world->model->subsystems[i], world->model->subsystems[i].subsystem->deliver);
}

void fm_subsystems_collect(fm_world *world)
{
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        call(world, &world->model->subsystems[i], world->model->subsystems[i].subsystem->collect);
}

int fm_subsystems_any_pull(const fm_model *model)
{
    for (size_t i = 0; i < model->subsystem_count; i++)
        if (model->subsystems[i].subsystem->pull)
            return 1;
    return 0;
}

void fm_subsystems_pull(fm_world *world)
{
    if (!world->any_pulls)
        return;
    for (int i = 0; i < world->slot_count; i++)
        memset(world->slots[i].external, 0, sizeof world->slots[i].external);
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        call(world, &world->model->subsystems[i], world->model->subsystems[i].subsystem->pull);
}
