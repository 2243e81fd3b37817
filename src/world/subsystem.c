#include "world/subsystem.h"

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

/* One function per stage: calls the member of that name of every row. */
#define FM_STAGE(stage)                                                                                                \
    void fm_subsystems_##stage(fm_world *world)                                                                        \
    {                                                                                                                  \
        for (size_t i = 0; i < world->model->subsystem_count; i++) {                                                   \
            const fm_subsystem_row *row = &world->model->subsystems[i];                                                \
            if (row->subsystem->stage)                                                                                 \
                row->subsystem->stage(world, row->config, world->subsystems + row->offset);                            \
        }                                                                                                              \
    }
#define FM_CHECKING_STAGE(stage)                                                                                       \
    fm_status fm_subsystems_##stage(fm_world *world, fm_error *error)                                                  \
    {                                                                                                                  \
        fm_status status = FM_OK;                                                                                      \
        for (size_t i = 0; status == FM_OK && i < world->model->subsystem_count; i++) {                                \
            const fm_subsystem_row *row = &world->model->subsystems[i];                                                \
            if (row->subsystem->stage)                                                                                 \
                status = row->subsystem->stage(world, row->config, world->subsystems + row->offset, error);            \
        }                                                                                                              \
        return status;                                                                                                 \
    }

FM_CHECKING_STAGE(create)
FM_STAGE(start)
FM_CHECKING_STAGE(permit)
FM_STAGE(deliver)
FM_STAGE(refresh)
FM_STAGE(place_bodies)
FM_STAGE(collect)
FM_STAGE(pull)
FM_STAGE(collide)
FM_CHECKING_STAGE(check)
FM_STAGE(sum)

void fm_subsystems_free(fm_world *world)
{
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        if (world->model->subsystems[i].subsystem->free)
            world->model->subsystems[i].subsystem->free(world);
}

void fm_subsystems_forget(fm_world *world)
{
    for (size_t i = 0; i < world->model->subsystem_count; i++)
        if (world->model->subsystems[i].subsystem->forget)
            world->model->subsystems[i].subsystem->forget(world);
}
