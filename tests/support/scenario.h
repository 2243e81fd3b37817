/* The one way of tests to a world: load a scenario from text or from the tree, step it, ask it. A world that is started
 * owns its model; `finish` ends both. Whatever fails fails the test with the library's words. */
#ifndef TESTS_SUPPORT_SCENARIO_H
#define TESTS_SUPPORT_SCENARIO_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka_all.h"
#include "support/near.h"

#include <fathom/fathom.h>

/* --- models --- */

/* A scenario in the tree: scenario_path("remus-rise") is FOLDER/scenarios/remus-rise.xml. Good until the next call. */
static inline const char *scenario_path(const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/scenarios/%.256s.xml", FATHOM_SOURCE_DIR, name);
    return path;
}

static inline fm_load_options tree_options(const char *const *sets)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1, .set = sets};
    while (sets && sets[options.set_count])
        options.set_count++;
    return options;
}

/* The model, or NULL and *error. Models are found in the tree, other files beside tests/data/. `sets` are "PATH=VALUE",
 * NULL behind the last; NULL: none. */
static inline fm_model *try_load_with(const char *text, const char *const *sets, fm_error *error)
{
    fm_load_options options = tree_options(sets);
    return fm_model_load_memory(text, strlen(text), TEST_DATA "/test.xml", &options, error);
}

static inline fm_model *try_load(const char *text, fm_error *error)
{
    return try_load_with(text, NULL, error);
}

/* The same of a scenario in the tree. */
static inline fm_model *try_load_scenario(const char *name, const char *const *sets, fm_error *error)
{
    fm_load_options options = tree_options(sets);
    return fm_model_load(scenario_path(name), &options, error);
}

static inline fm_model *loaded(fm_model *model, const fm_error *error)
{
    if (!model)
        fail_msg("%s:%d: %s", error->file, error->line, error->text);
    return model;
}

static inline fm_model *load(const char *text)
{
    fm_error error = {0};
    return loaded(try_load(text, &error), &error);
}

static inline fm_model *load_with(const char *text, const char *const *sets)
{
    fm_error error = {0};
    return loaded(try_load_with(text, sets, &error), &error);
}

static inline fm_model *load_scenario(const char *name, const char *const *sets)
{
    fm_error error = {0};
    return loaded(try_load_scenario(name, sets, &error), &error);
}

/* --- worlds --- */

static inline fm_world *create(const fm_model *model, int threads)
{
    fm_error error = {0};
    fm_world *world = fm_world_create(model, &(fm_world_options){.threads = threads}, &error);
    if (!world)
        fail_msg("%s", error.text);
    return world;
}

static inline fm_world *start(const char *text)
{
    return create(load(text), 1);
}

/* The same with files found in the folder that tests work in. */
static inline fm_world *start_here(const char *text)
{
    fm_load_options options = tree_options(NULL);
    fm_error error = {0};
    return create(loaded(fm_model_load_memory(text, strlen(text), "test.xml", &options, &error), &error), 1);
}

static inline fm_world *start_scenario(const char *name, const char *const *sets)
{
    return create(load_scenario(name, sets), 1);
}

static inline void finish(fm_world *world)
{
    fm_model *model = (fm_model *)(uintptr_t)fm_world_model(world);
    fm_world_free(world);
    fm_model_free(model);
}

static inline void step(fm_world *world, int count)
{
    fm_error error = {0};
    for (int i = 0; i < count; i++)
        if (fm_world_step(world, &error) != FM_OK)
            fail_msg("%s", error.text);
}

static inline void run_until(fm_world *world, double time)
{
    fm_error error = {0};
    if (fm_world_run_until(world, time, &error) != FM_OK)
        fail_msg("%s", error.text);
}

/* --- questions and orders --- */

static inline fm_pose pose_of(const fm_world *world, int slot)
{
    fm_pose pose;
    assert_int_equal(fm_world_pose(world, slot, &pose), FM_OK);
    return pose;
}

static inline double metric_of(const fm_world *world, int slot, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(world, slot); i++)
        if (strcmp(fm_world_metric(world, slot, i).name, name) == 0)
            return fm_world_metric(world, slot, i).value;
    fail_msg("no metric '%s'", name);
    return NAN;
}

static inline double column_of(const fm_world *world, int slot, const char *name)
{
    for (size_t i = 0; i < fm_world_column_count(world, slot); i++)
        if (strcmp(fm_world_column_name(world, slot, i), name) == 0)
            return fm_world_column(world, slot, i);
    fail_msg("no column '%s'", name);
    return NAN;
}

/* An order to an actuator, rad, rad/s, N or kg. */
static inline void order(fm_world *world, const char *vehicle, const char *actuator, double value)
{
    fm_error error = {0};
    if (fm_world_order(world, vehicle, actuator, value, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static inline void set_live(fm_world *world, const char *path, double value)
{
    fm_error error = {0};
    if (fm_world_set(world, path, value, &error) != FM_OK)
        fail_msg("%s", error.text);
}

#endif
