/* Studies from C (fathom/study.h): each run is the run by itself. */
#include <fathom/study.h>

#include "support/scenario.h"

static const char *const angles[] = {"/snookie/approach/angle=30,60 deg"};
static const char *const metrics[] = {"snookie.distance", "snookie.contacts"};

static fm_study_options wall_options(void)
{
    return (fm_study_options){.size = sizeof(fm_study_options),
                              .vary = angles,
                              .vary_count = 1,
                              .runs = 2,
                              .seeded = 1,
                              .seed = 7,
                              .metrics = metrics,
                              .metric_count = 2,
                              .duration = 5,
                              .threads = 2};
}

static fm_study *study_of(const fm_model *model, const fm_study_options *options)
{
    fm_error error = {0};
    fm_study *study = fm_study_run(model, options, &error);
    if (!study)
        fail_msg("%s", error.text);
    return study;
}

static double metric(const fm_world *world, const char *name)
{
    for (size_t i = 0; i < fm_world_metric_count(world, 0); i++)
        if (strcmp(fm_world_metric(world, 0, i).name, name) == 0)
            return fm_world_metric(world, 0, i).value;
    return NAN;
}

static void a_run_of_a_study_is_the_run_by_itself(void **state)
{
    (void)state;
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("snookie-wall", NULL);
    fm_study_options options = wall_options();
    options.load = &load_options;
    fm_study *study = study_of(model, &options);
    assert_int_equal(fm_study_count(study), 4);
    assert_int_equal(fm_study_column_count(study), 2);
    assert_string_equal(fm_study_column_name(study, 0), "snookie.distance");
    assert_string_equal(fm_study_column_unit(study, 0), "m");
    for (size_t run = 0; run < 4; run++) {
        char angle[64];
        fm_error error = {0};
        snprintf(angle, sizeof angle, "/snookie/approach/angle=%g deg", fm_study_input(study, run, 0));
        assert_near(fm_study_input(study, run, 0), run < 2 ? 30 : 60, 0);
        assert_int_equal(fm_study_seed(study, run), 7 + run % 2);
        fm_model *alone = load_scenario("snookie-wall", (const char *[]){angle, NULL});
        fm_world *world =
            fm_world_create(alone, &(fm_world_options){.seeded = 1, .seed = fm_study_seed(study, run)}, &error);
        run_until(world, 5);
        assert_near(fm_study_value(study, run, 0), metric(world, "distance"), 0);
        assert_int_equal(fm_study_finished(study, run), 1);
        finish(world);
    }
    fm_study_free(study);
    fm_model_free(model);
}

static void every_backend_gives_the_same_numbers_and_says_what_made_them(void **state)
{
    (void)state;
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("snookie-wall", NULL);
    fm_study_options options = wall_options();
    options.load = &load_options;
    options.backend = FM_STUDY_WORLDS;
    fm_study *worlds = study_of(model, &options);
    options.backend = FM_STUDY_AUTO;
    fm_study *chosen = study_of(model, &options);
    assert_string_equal(fm_study_engine(worlds), "worlds");
    assert_different(fm_study_engine(chosen)[0], 0);
    for (size_t run = 0; run < 4; run++)
        for (size_t column = 0; column < 2; column++)
            assert_near(fm_study_value(chosen, run, column), fm_study_value(worlds, run, column), 0);
    fm_study_free(worlds);
    fm_study_free(chosen);
    fm_model_free(model);
}

static void parts_of_a_study_that_others_made_are_the_study(void **state)
{
    (void)state;
    fm_error error = {0};
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("snookie-wall", NULL);
    fm_study_options options = wall_options();
    options.load = &load_options;
    fm_study *whole = study_of(model, &options);
    fm_study *here = fm_study_create(model, &options, &error), *there = fm_study_create(model, &options, &error);
    assert_int_equal(fm_study_identity(here), fm_study_identity(whole));
    assert_int_equal(fm_study_make(there, 1, 2, &error), FM_OK);
    assert_int_equal(fm_study_made(there), 2);
    assert_int_equal(fm_study_outcomes(there)[0], FM_STUDY_NOT_RUN);
    assert_int_equal(fm_study_outcomes(there)[1], FM_STUDY_FINISHED);
    assert_int_equal(fm_study_put(here, 1, 2, fm_study_outcomes(there) + 1, fm_study_values(there) + 2, &error), FM_OK);
    assert_int_equal(fm_study_make(here, 0, SIZE_MAX, &error), FM_OK);
    assert_int_equal(fm_study_made(here), 2);
    assert_memory_equal(fm_study_values(here), fm_study_values(whole), 8 * sizeof(double));
    assert_memory_equal(fm_study_outcomes(here), fm_study_outcomes(whole), 4);
    options.duration = 4;
    fm_study *other = fm_study_create(model, &options, &error);
    assert_different(fm_study_identity(other), fm_study_identity(whole));
    assert_int_equal(fm_study_make(other, 5, 1, &error), FM_ERR_RANGE);
    fm_study_cancel(other);
    assert_int_equal(fm_study_make(other, 0, SIZE_MAX, &error), FM_ERR_CANCELLED);
    assert_int_equal(fm_study_made(other), 0);
    assert_int_equal(fm_study_make(other, 0, SIZE_MAX, &error), FM_OK);
    assert_int_equal(fm_study_made(other), 4);
    fm_study_free(whole);
    fm_study_free(here);
    fm_study_free(there);
    fm_study_free(other);
    fm_model_free(model);
}

static void points_are_combined_one_by_one_and_described(void **state)
{
    (void)state;
    static const char *const vary[] = {"/snookie/approach/angle=30,60,70 deg", "/snookie/position/z=1,2,3 m"};
    static const char *const uneven[] = {"/snookie/approach/angle=30,60,70 deg", "/snookie/position/z=1,2 m"};
    fm_error error = {0};
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("snookie-wall", NULL);
    fm_study_options options = wall_options();
    options.load = &load_options;
    options.vary = vary;
    options.vary_count = 2;
    options.design = FM_STUDY_POINTS;
    fm_study *study = fm_study_create(model, &options, &error);
    double inputs[12];
    uint64_t seeds[6];
    assert_int_equal(fm_study_count(study), 6);
    assert_int_equal(fm_study_inputs(study, 0, 99, seeds, inputs), 6);
    assert_near(inputs[4], 60, 0);
    assert_near(inputs[5], 2, 0);
    assert_int_equal(seeds[2], 7);
    assert_string_equal(fm_study_parameter_info(study, 1).path, "/snookie/position/z");
    assert_string_equal(fm_study_parameter_info(study, 1).unit, "m");
    assert_null(fm_study_parameter_info(study, 2).path);
    fm_study_free(study);
    options.vary = uneven;
    assert_null(fm_study_create(model, &options, &error));
    assert_int_equal(error.status, FM_ERR_ARGUMENT);
    options.design = (fm_study_design)99;
    assert_null(fm_study_create(model, &options, &error));
    assert_int_equal(error.status, FM_ERR_ARGUMENT);
    fm_model_free(model);
}

static void what_is_not_there_is_refused_or_not_a_number(void **state)
{
    (void)state;
    fm_error error = {0};
    static const char *const wrong[] = {"/snookie/approach/angel=30,60 deg"};
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("snookie-wall", NULL);
    fm_study_options options = wall_options();
    options.load = &load_options;
    options.vary = wrong;
    assert_null(fm_study_run(model, &options, &error));
    assert_int_equal(error.status, FM_ERR_NAME);
    options.size = 8;
    assert_null(fm_study_run(model, &options, &error));
    assert_int_equal(error.status, FM_ERR_ARGUMENT);
    options = wall_options();
    options.load = &load_options;
    options.duration = 0.1;
    fm_study *study = study_of(model, &options);
    assert_true(isnan(fm_study_value(study, 4, 0)));
    assert_true(isnan(fm_study_input(study, 0, 1)));
    assert_null(fm_study_column_name(study, 2));
    assert_int_equal(fm_study_finished(study, 4), 0);
    fm_study_free(study);
    assert_int_equal(fm_study_count(NULL), 0);
    fm_model_free(model);
}

/* x = x₀ + u₀ t at first: the indices of a vehicle's position at 0 s are those of the sum of three numbers. */
static void a_study_finds_what_its_columns_depend_on(void **state)
{
    (void)state;
    static const char *const vary[] = {"/phoenix/position/x~normal(0,2) m", "/phoenix/position/y~uniform(0,1) m",
                                       "/phoenix/velocity/x~uniform(1,3) ft/s"};
    static const char *const asked[] = {"sum=x + 3 * y"};
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("phoenix-turn", NULL);
    fm_error error = {0};
    fm_study_options options = {.size = sizeof options,
                                .load = &load_options,
                                .vary = vary,
                                .vary_count = 3,
                                .runs = 1024,
                                .metrics = asked,
                                .metric_count = 1,
                                .duration = 0.05,
                                .threads = 2,
                                .design = FM_STUDY_SALTELLI};
    fm_study *study = study_of(model, &options);
    fm_study_sobol indices[3];
    fm_study_morris effects[3];
    assert_int_equal(fm_study_count(study), 1024 * 5);
    assert_int_equal(fm_study_index(study, 0, indices, 3, &error), FM_OK);
    const double own = 4, other = 9.0 / 12;
    assert_near(indices[0].first, own / (own + other), 0.02);
    assert_near(indices[1].total, other / (own + other), 0.02);
    assert_within(indices[0].total_low, own / (own + other), indices[0].total_high);
    assert_near(indices[2].total, 0, 0.001);
    assert_int_equal(fm_study_effect(study, 0, effects, 3, &error), FM_ERR_ARGUMENT);
    fm_study_free(study);
    options.design = FM_STUDY_MORRIS;
    options.runs = 20;
    study = study_of(model, &options);
    assert_int_equal(fm_study_effect(study, 0, effects, 3, &error), FM_OK);
    assert_near(effects[1].mean, 3, 1e-6);
    assert_near(effects[1].deviation, 0, 1e-6);
    assert_int_equal(fm_study_index(study, 1, indices, 3, &error), FM_ERR_ARGUMENT);
    fm_study_free(study);
    fm_model_free(model);
}

typedef struct watching {
    size_t called, all;
} watching;

static int stop_early(void *user, size_t made, size_t all)
{
    watching *w = user;
    w->called++;
    w->all = all;
    return made >= 3;
}

static void a_study_has_series_and_is_ended_by_its_caller(void **state)
{
    (void)state;
    static const char *const series[] = {"phoenix.x", "far=hypot(x, y)"};
    const fm_load_options load_options = tree_options(NULL);
    fm_model *model = load_scenario("phoenix-turn", NULL);
    watching w = {0};
    fm_study_options options = {.size = sizeof options,
                                .load = &load_options,
                                .runs = 40,
                                .duration = 10,
                                .threads = 1,
                                .backend = FM_STUDY_WORLDS,
                                .series = series,
                                .series_count = 2,
                                .every = 0.5,
                                .progress = stop_early,
                                .user = &w};
    fm_study *study = study_of(model, &options);
    fm_error error = {0};
    fm_world *world = fm_world_create(model, NULL, &error);
    fm_pose pose = {0};
    assert_int_equal(w.called, 3);
    assert_int_equal(w.all, 40);
    assert_int_equal(fm_study_finished(study, 2), 1);
    assert_int_equal(fm_study_finished(study, 3), 0);
    assert_int_equal(fm_study_series_count(study), 2);
    assert_string_equal(fm_study_series_name(study, 1), "far");
    assert_string_equal(fm_study_series_unit(study, 0), "m");
    assert_int_equal(fm_study_sample_count(study), 21);
    for (size_t k = 0; k < 21; k++) {
        const double time = fm_study_sample_time(study, k);
        assert_near(time, 0.5 * (double)k, 1e-12);
        run_until(world, time);
        assert_int_equal(fm_world_pose(world, 0, &pose), FM_OK);
        assert_same(fm_study_sample(study, 1, 0, k), pose.position[0]);
        assert_near(fm_study_sample(study, 1, 1, k), hypot(pose.position[0], pose.position[1]), 1e-12);
        assert_true(isnan(fm_study_sample(study, 3, 0, k)));
    }
    assert_true(isnan(fm_study_sample(study, 1, 2, 0)));
    assert_true(isnan(fm_study_sample_time(study, 21)));
    options.size = offsetof(fm_study_options, design); /* of a program that was built before there were designs */
    fm_study *older =
        study_of(model, &(fm_study_options){.size = options.size, .load = &load_options, .duration = 0.1});
    assert_int_equal(fm_study_series_count(older), 0);
    fm_study_free(older);
    fm_study_free(study);
    finish(world); /* and the model */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_a_study_is_the_run_by_itself),
        cmocka_unit_test(every_backend_gives_the_same_numbers_and_says_what_made_them),
        cmocka_unit_test(parts_of_a_study_that_others_made_are_the_study),
        cmocka_unit_test(points_are_combined_one_by_one_and_described),
        cmocka_unit_test(what_is_not_there_is_refused_or_not_a_number),
        cmocka_unit_test(a_study_finds_what_its_columns_depend_on),
        cmocka_unit_test(a_study_has_series_and_is_ended_by_its_caller),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
