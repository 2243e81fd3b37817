/* Scenarios run through the library, for tests of controllers in the world. */
#ifndef FM_TESTS_WORLD_CASE_H
#define FM_TESTS_WORLD_CASE_H

#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <fathom/fathom.h>

#define DEGREE (3.14159265358979323846 / 180)

typedef struct world_case {
    fm_model *model;
    fm_world *world;
} world_case;

static inline world_case start_case(fm_model *model, const fm_error *error)
{
    fm_error found = {0};
    if (!model)
        fail_msg("%s:%d: %s", error->file, error->line, error->text);
    world_case c = {model, fm_world_create(model, NULL, &found)};
    if (!c.world)
        fail_msg("%s", found.text);
    return c;
}

/* A scenario of the tree with up to 8 "PATH=VALUE", the list ends in NULL. */
static inline world_case start_scenario(const char *name, const char *const *sets)
{
    char file[512];
    fm_error error = {0};
    fm_load_options options = {.set = sets};
    snprintf(file, sizeof file, "%s/scenarios/%s", FATHOM_SOURCE_DIR, name);
    while (sets && sets[options.set_count])
        options.set_count++;
    return start_case(fm_model_load(file, &options, &error), &error);
}

/* A scenario from text, its models from the tree. */
static inline fm_model *load_text(const char *text, fm_error *error)
{
    const char *dir = FATHOM_SOURCE_DIR "/models";
    fm_load_options options = {.model_dirs = &dir, .model_dir_count = 1};
    return fm_model_load_memory(text, strlen(text), "test.xml", &options, error);
}

static inline world_case start_text(const char *text)
{
    fm_error error = {0};
    return start_case(load_text(text, &error), &error);
}

static inline void run_until(const world_case *c, double time)
{
    fm_error error = {0};
    if (fm_world_run_until(c->world, time, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static inline void set_live(const world_case *c, const char *path, double value)
{
    fm_error error = {0};
    if (fm_world_set(c->world, path, value, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static inline fm_pose pose_of(const world_case *c)
{
    fm_pose pose;
    assert_int_equal(fm_world_pose(c->world, 0, &pose), FM_OK);
    return pose;
}

static inline double metric(const world_case *c, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(c->world, 0); i++)
        if (strcmp(fm_world_metric(c->world, 0, i).name, name) == 0)
            return fm_world_metric(c->world, 0, i).value;
    fail_msg("there is no metric '%s'", name);
    return NAN;
}

static inline double column(const world_case *c, const char *name)
{
    for (size_t i = 0; i < fm_world_column_count(c->world, 0); i++)
        if (strcmp(fm_world_column_name(c->world, 0, i), name) == 0)
            return fm_world_column(c->world, 0, i);
    fail_msg("there is no column '%s'", name);
    return NAN;
}

static inline void end_case(const world_case *c)
{
    fm_world_free(c->world);
    fm_model_free(c->model);
}

static inline void near(const char *what, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance))
        fail_msg("%s: found %.9g, expected %.9g within %g", what, found, expected, tolerance);
}

static inline void below(const char *what, double found, double most)
{
    if (!(found <= most))
        fail_msg("%s: found %.9g, expected at most %g", what, found, most);
}

#endif
