/* Scenarios written inside tests: load, run, ask. */
#ifndef FM_TESTS_WORLD_CASE_H
#define FM_TESTS_WORLD_CASE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cmocka_all.h"

#include <fathom/model.h>
#include <fathom/world.h>

#include "world/world.h"

#define UNUSED __attribute__((unused))

UNUSED static void near_to(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance))
        fail_msg("%s is %.15g, expected %.15g within %g (off by %.3g)", what, value, expected, tolerance,
                 value - expected);
}

/* The model, or NULL and *error. Models are found in the source tree. */
UNUSED static fm_model *try_load(const char *text, fm_error *error)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1};
    return fm_model_load_memory(text, strlen(text), "test.xml", &options, error);
}

UNUSED static fm_model *load(const char *text)
{
    fm_error error = {0};
    fm_model *model = try_load(text, &error);
    if (!model)
        fail_msg("%s:%d: %s", error.file, error.line, error.text);
    return model;
}

UNUSED static fm_world *create(const fm_model *model, int threads)
{
    fm_error error = {0};
    fm_world_options options = {.threads = threads};
    fm_world *world = fm_world_create(model, &options, &error);
    if (!world)
        fail_msg("%s", error.text);
    return world;
}

/* A world that owns its model; end with `finish`. */
UNUSED static fm_world *start(const char *text)
{
    return create(load(text), 1);
}

UNUSED static void finish(fm_world *world)
{
    fm_model *model = (fm_model *)(uintptr_t)fm_world_model(world);
    fm_world_free(world);
    fm_model_free(model);
}

UNUSED static void step(fm_world *world, int count)
{
    fm_error error = {0};
    for (int i = 0; i < count; i++)
        if (fm_world_step(world, &error) != FM_OK)
            fail_msg("%s", error.text);
}

UNUSED static void run_until(fm_world *world, double time)
{
    fm_error error = {0};
    if (fm_world_run_until(world, time, &error) != FM_OK)
        fail_msg("%s", error.text);
}

UNUSED static fm_pose pose_of(const fm_world *world, int slot)
{
    fm_pose pose;
    assert_int_equal(fm_world_pose(world, slot, &pose), FM_OK);
    return pose;
}

UNUSED static double metric_of(const fm_world *world, int slot, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(world, slot); i++)
        if (strcmp(fm_world_metric(world, slot, i).name, name) == 0)
            return fm_world_metric(world, slot, i).value;
    fail_msg("no metric '%s'", name);
    return NAN;
}

/* a − b in (−π, π] */
UNUSED static double angle_between(double a, double b)
{
    return remainder(a - b, 2 * FM_PI);
}

#endif
