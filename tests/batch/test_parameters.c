/* Parameters of a batch: rows are parameter paths with one value per vehicle. In double a vehicle has the bits of a
 * world whose model was loaded with that value. */
#include "support/scenario.h"

#include "base/memory.h"

enum { VEHICLES = 5, STEPS = 200, HOLD = 50, PATHS_MOST = 8, ACTUATORS = 16 };

/* Vehicles of one scenario: what varies, and two values for each besides that of the model. */
typedef struct varied {
    const char *model, *water;
    struct {
        const char *path, *unit;
        double values[2];
    } rows[PATHS_MOST];
} varied;

static const varied all[] = {
    {"bluerov2",
     "<current velocity='0.1 -0.2 0.05 m/s'/>",
     {{"/v/mass/mass", "kg", {11.9, 10.75}},
      {"/v/mass/centre/z", "m", {0.031, 0.0123456789}},
      {"/v/drag/Z_w_absw", "N*s2/m2", {-100, -171.5}},
      {"/v/added-mass-matrix/linear/x", "kg", {7, 4.1}},
      {"/v/front_port/time_constant", "s", {0.2, 0.05}},
      {"/v/float/size/z", "m", {0.076, 0.0755}},
      {"/v/position/z", "m", {18, 23.5}}}},
    {"nps-auv-ii",
     "<water density='1025 kg/m3'/>",
     {{"/v/mass/weight", "N", {1950, 1900}},
      {"/v/mass/centre/x", "m", {0.01, -0.02}},
      {"/v/hydrodynamics/N_absu_r", "", {-0.005, -0.003}},
      {"/v/port-propeller/limit", "rad/s", {60, 20}},
      {"/v/bow-vertical/thrust", "N", {4, 15}},
      {"/v/cross-flow/cdz", "", {0.9, 0.2}},
      {"/water/density", "kg/m3", {1021, 998.25}}}},
    {"robotic-fish-elongated", "", {{"/v/wave/k", "1/m", {9, 12.5}}, {"/v/wave/frequency", "Hz", {1, 0.7}}}},
};

static void write_scenario(const varied *v, char *text, size_t size)
{
    snprintf(text, size,
             "<fathom version='1'><world dt='0.01 s' duration='90 s' seed='5'>%s</world><vehicle name='v' model='%s' "
             "position='1 2 20 m' attitude='0.1 0.05 1 rad' velocity='0.2 0.05 -0.02 m/s'/></fathom>",
             v->water, v->model);
}

static size_t count_rows(const varied *v)
{
    size_t count = 0;
    while (count < PATHS_MOST && v->rows[count].path)
        count++;
    return count;
}

/* Vehicle 0 is the model's, 1 and 2 differ in one parameter, 3 and 4 in all. 0: the value of the model. */
static int choice_of(size_t vehicle, size_t row, size_t first)
{
    return vehicle == 0 ? 0 : vehicle < 3 ? (row == first ? (int)vehicle : 0) : 1 + (int)((vehicle + row) % 2);
}

static double order_of(size_t vehicle, size_t actuator, int step)
{
    return 90 * sin(0.7 * (double)vehicle + 2.3 * (double)actuator + 0.13 * step);
}

/* The world of a vehicle, by overrides of the file. */
static void run_world(const varied *v, size_t vehicle, size_t first, const fm_batch *batch, double pose[12])
{
    char text[1024], sets[PATHS_MOST][160];
    const char *list[PATHS_MOST + 1] = {NULL}, *name;
    size_t count = 0;
    write_scenario(v, text, sizeof text);
    for (size_t k = 0; k < count_rows(v); k++) {
        int choice = choice_of(vehicle, k, first);
        if (!choice)
            continue;
        snprintf(sets[count], sizeof sets[count], "%s=%.17g %s", v->rows[k].path, v->rows[k].values[choice - 1],
                 v->rows[k].unit);
        list[count] = sets[count];
        count++;
    }
    fm_model *model = load_with(text, list);
    fm_world *world = create(model, 1);
    for (int k = 0; k < STEPS; k++) {
        for (size_t a = 0; k % HOLD == 0 && (name = fm_batch_row_name(batch, FM_BATCH_ORDERS, a)); a++)
            order(world, "v", name, order_of(vehicle, a, k));
        step(world, 1);
    }
    fm_pose p = pose_of(world, 0);
    memcpy(pose, p.position, 24);
    memcpy(pose + 3, p.euler, 24);
    memcpy(pose + 6, p.velocity, 48);
    fm_world_free(world);
    fm_model_free(model);
}

static fm_batch *create_varied(const varied *v, const fm_model *model, fm_batch_options options)
{
    const char *paths[PATHS_MOST];
    fm_error error = {0};
    options.parameters = paths;
    options.parameter_count = count_rows(v);
    for (size_t k = 0; k < options.parameter_count; k++)
        paths[k] = v->rows[k].path;
    fm_batch *batch = fm_batch_create(model, VEHICLES, &options, &error);
    if (!batch)
        fail_msg("%s: %s", v->model, error.text);
    return batch;
}

static fm_batch_view rows_of(fm_batch *batch)
{
    fm_error error = {0};
    fm_batch_view view;
    assert_int_equal(fm_batch_map(batch, FM_BATCH_PARAMETERS, &view, &error), FM_OK);
    assert_int_equal(view.shape[1], VEHICLES);
    assert_int_equal(view.device_type, 1);
    return view;
}

static double *cell(const fm_batch_view *view, size_t row, size_t vehicle)
{
    return (double *)view->data + (int64_t)row * view->strides[0] + (int64_t)vehicle * view->strides[1];
}

/* Writes the values of the vehicles by the handles of their paths. */
static void write_values(fm_batch *batch, const varied *v, size_t first)
{
    fm_batch_view view = rows_of(batch);
    fm_error error = {0};
    for (size_t k = 0; k < count_rows(v); k++) {
        size_t row = 99;
        assert_int_equal(fm_batch_find_row(batch, FM_BATCH_PARAMETERS, v->rows[k].path, &row, &error), FM_OK);
        for (size_t i = 0; i < VEHICLES; i++) {
            int choice = choice_of(i, k, first);
            *cell(&view, row, i) = choice ? v->rows[k].values[choice - 1] : *cell(&view, row, 0);
        }
    }
    if (fm_batch_refresh(batch, &error) != FM_OK || fm_batch_reset(batch, NULL, &error) != FM_OK)
        fail_msg("%s: %s", v->model, error.text);
}

static void run_batch(fm_batch *batch)
{
    double orders[ACTUATORS * VEHICLES];
    fm_error error = {0};
    for (int k = 0; k < STEPS; k += HOLD) {
        for (size_t a = 0; fm_batch_row_name(batch, FM_BATCH_ORDERS, a); a++)
            for (size_t i = 0; i < VEHICLES; i++)
                orders[a * VEHICLES + i] = order_of(i, a, k);
        assert_int_equal(fm_batch_put(batch, FM_BATCH_ORDERS, orders, &error), FM_OK);
        assert_int_equal(fm_batch_step(batch, HOLD, &error), FM_OK);
    }
}

/* Each parameter alone and all together; a batch goes on from one set of values to the next. */
static void fly(const varied *v, fm_batch_options options)
{
    char text[1024];
    write_scenario(v, text, sizeof text);
    fm_model *model = load(text);
    fm_batch *batch = create_varied(v, model, options);
    double seen[(12 + ACTUATORS) * VEHICLES], pose[12], apart = 0;
    fm_error error = {0};
    for (size_t first = 0; first < count_rows(v); first++) {
        write_values(batch, v, first);
        run_batch(batch);
        assert_int_equal(fm_batch_get(batch, FM_BATCH_OBSERVATIONS, seen, &error), FM_OK);
        apart = 0;
        for (size_t i = 0; i < VEHICLES; i++) {
            run_world(v, i, first, batch, pose);
            for (size_t k = 0; k < 12; k++) {
                double off = seen[k * VEHICLES + i] - pose[k];
                if (options.single ? fabs(off) > 1e-2 : memcmp(&seen[k * VEHICLES + i], &pose[k], 8) != 0)
                    fail_msg("%s, %s, vehicle %zu, %s: world %.17g, batch %.17g", v->model, v->rows[first].path, i,
                             fm_batch_row_name(batch, FM_BATCH_OBSERVATIONS, k), pose[k], seen[k * VEHICLES + i]);
                apart += fabs(pose[k] - seen[k * VEHICLES]);
            }
        }
        assert_greater(apart, 0);
    }
    fm_batch_free(batch);
    fm_model_free(model);
}

static void a_vehicle_has_the_bits_of_a_world_that_is_loaded_with_its_values(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < FM_COUNT(all); i++)
        fly(&all[i], (fm_batch_options){.backend = FM_BATCH_SIMD});
    fly(&all[0], (fm_batch_options){.backend = FM_BATCH_SIMD, .threads = 2});
}

static void in_float_it_is_near(void **unused)
{
    (void)unused;
    fly(&all[0], (fm_batch_options){.backend = FM_BATCH_SIMD, .single = 1});
}

static void rows_have_the_paths_the_units_and_the_values_of_the_model(void **unused)
{
    (void)unused;
    char text[1024];
    fm_error error = {0};
    size_t row = 0;
    write_scenario(&all[0], text, sizeof text);
    fm_model *model = load(text);
    fm_batch *batch = create_varied(&all[0], model, (fm_batch_options){0});
    fm_batch_view view = rows_of(batch);
    assert_int_equal(view.shape[0], count_rows(&all[0]));
    for (size_t k = 0; k < count_rows(&all[0]); k++) {
        assert_string_equal(fm_batch_row_name(batch, FM_BATCH_PARAMETERS, k), all[0].rows[k].path);
        assert_string_equal(fm_batch_row_unit(batch, FM_BATCH_PARAMETERS, k), all[0].rows[k].unit);
    }
    assert_same(*cell(&view, 0, VEHICLES - 1), 11.5);
    assert_same(*cell(&view, 1, 2), 0.02);
    assert_null(fm_batch_row_unit(batch, FM_BATCH_PARAMETERS, PATHS_MOST));
    assert_null(fm_batch_row_unit(batch, FM_BATCH_STATE, 0));
    assert_int_equal(fm_batch_find_row(batch, FM_BATCH_PARAMETERS, "/v/mass/centre/y", &row, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "/v/mass/centre/y"));
    assert_int_equal(fm_batch_find_row(batch, FM_BATCH_ORDERS, "rear-port", &row, &error), FM_OK);
    assert_int_equal(row, 2);
    assert_int_equal(fm_batch_find_row(batch, FM_BATCH_ORDERS, "tail", &row, &error), FM_ERR_NAME);
    assert_int_equal(fm_batch_find_row(batch, FM_BATCH_ORDERS, NULL, &row, &error), FM_ERR_ARGUMENT);
    fm_batch_free(batch);
    batch = fm_batch_create(model, VEHICLES, NULL, &error);
    assert_int_equal(rows_of(batch).shape[0], 0);
    fm_batch_free(batch);
    fm_model_free(model);
}

/* Equal columns share a variant; variants that no vehicle has any more go. */
static void vehicles_with_equal_values_share_a_variant(void **unused)
{
    (void)unused;
    static const double masses[][VEHICLES] = {
        {11, 12, 11.5, 12, 11}, {13, 12, 11.5, 11.5, 13}, {11.5, 11.5, 11.5, 11.5, 11.5}};
    static const double variants[][VEHICLES] = {{1, 2, 0, 2, 1}, {2, 1, 0, 0, 2}, {0}};
    char text[1024];
    fm_error error = {0};
    write_scenario(&all[0], text, sizeof text);
    fm_model *model = load(text);
    fm_batch_options options = {.parameters = (const char *const[]){"/v/mass/mass"}, .parameter_count = 1};
    fm_batch *batch = fm_batch_create(model, VEHICLES, &options, &error);
    assert_non_null(batch);
    for (size_t i = 0; i < FM_COUNT(masses); i++) {
        double which[VEHICLES];
        assert_int_equal(fm_batch_put(batch, FM_BATCH_PARAMETERS, masses[i], &error), FM_OK);
        assert_int_equal(fm_batch_refresh(batch, &error), FM_OK);
        assert_int_equal(fm_batch_get(batch, FM_BATCH_VARIANTS, which, &error), FM_OK);
        for (size_t k = 0; k < VEHICLES; k++) {
            assert_at_most(which[k], 2);
            for (size_t m = 0; m < VEHICLES; m++)
                assert_int_equal(which[k] == which[m], variants[i][k] == variants[i][m]);
            assert_int_equal(which[k] == 0, variants[i][k] == 0);
        }
        assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
        assert_int_equal(fm_batch_step(batch, 10, &error), FM_OK);
    }
    fm_batch_free(batch);
    fm_model_free(model);
}

static void a_value_that_a_model_refuses_changes_nothing(void **unused)
{
    (void)unused;
    char text[1024];
    fm_error error = {0};
    double before[13 * VEHICLES], after[13 * VEHICLES];
    write_scenario(&all[0], text, sizeof text);
    fm_model *model = load(text);
    fm_batch *batch = create_varied(&all[0], model, (fm_batch_options){0});
    fm_batch_view view = rows_of(batch);
    for (int round = 0; round < 3; round++) {
        *cell(&view, 0, 1) = 12;
        *cell(&view, 0, 3) = round == 0 ? 12.5 : round == 1 ? -3 : NAN;
        assert_int_equal(fm_batch_refresh(batch, &error) == FM_OK, round == 0);
        if (round && (!strstr(error.text, "vehicle 3") || !strstr(error.text, "/v/mass/mass")))
            fail_msg("%s", error.text);
        assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
        assert_int_equal(fm_batch_step(batch, 50, &error), FM_OK);
        assert_int_equal(fm_batch_get(batch, FM_BATCH_STATE, round ? after : before, &error), FM_OK);
        if (round)
            assert_memory_equal(before, after, sizeof before);
    }
    fm_batch_free(batch);
    fm_model_free(model);
}

static void a_path_that_a_batch_cannot_vary_is_refused_by_its_name(void **unused)
{
    (void)unused;
    static const struct {
        const char *path, *reason;
    } wrong[] = {{"/v/mass/mas", "no parameter"},
                 {"/v/drag/X_uu", "has no value in the model"},
                 {"/v/mass/centre", "has 3 numbers: name one of them, as in '/v/mass/centre/x'"},
                 {"/v/mass/centre/w", "has 3 numbers"},
                 {"/v/mass/about", "must be a number"},
                 {"/v/spacing/x", "has no effect on the vehicle"},
                 {"/current/velocity/x", "has no effect on the vehicle"},
                 {"/v/substeps", "a batch cannot vary"},
                 {"/v/front_port/delay", "a batch cannot vary"},
                 {"/world/dt", "not only its numbers"}};
    char text[1024];
    fm_error error = {0};
    write_scenario(&all[0], text, sizeof text);
    fm_model *model = load(text);
    for (size_t i = 0; i < FM_COUNT(wrong); i++) {
        fm_batch_options options = {.parameters = &wrong[i].path, .parameter_count = 1};
        assert_null(fm_batch_create(model, VEHICLES, &options, &error));
        if (!strstr(error.text, wrong[i].reason) || !strstr(error.text, wrong[i].path))
            fail_msg("%s: %s", wrong[i].path, error.text);
    }
    fm_batch_options both = {.parameters = (const char *const[]){"/v/mass/mass"},
                             .parameter_count = 1,
                             .variants = (const fm_model *const *)&model,
                             .variant_count = 1};
    assert_null(fm_batch_create(model, VEHICLES, &both, &error));
    assert_non_null(strstr(error.text, "variants or parameters"));
    fm_batch_options none = {.parameter_count = 1};
    assert_null(fm_batch_create(model, VEHICLES, &none, &error));
    assert_non_null(strstr(error.text, "must not be NULL"));
    fm_model_free(model);
}

/* A refresh that runs out of memory frees what it derived and leaves a batch that can be used. */
static void memory_that_runs_out_is_reported_and_leaves_a_usable_batch(void **unused)
{
    (void)unused;
    char text[1024];
    fm_error error = {0};
    fm_status status = FM_ERR_MEMORY;
    write_scenario(&all[0], text, sizeof text);
    fm_model *model = load(text);
    long live = fm_alloc_live();
    fm_batch_options options = {.parameters = (const char *const[]){"/v/mass/mass"}, .parameter_count = 1};
    fm_batch *batch = fm_batch_create(model, VEHICLES, &options, &error);
    for (long n = 0; status != FM_OK; n += 1 + n / 30) {
        assert_int_equal(fm_batch_put(batch, FM_BATCH_PARAMETERS, (const double[]){11, 12, 11.5, 12, 11}, &error),
                         FM_OK);
        fm_alloc_fail_after(n);
        status = fm_batch_refresh(batch, &error);
        fm_alloc_fail_after(-1);
        if (status != FM_OK)
            assert_int_equal(status, FM_ERR_MEMORY);
        assert_int_equal(fm_batch_reset(batch, NULL, &error), FM_OK);
        assert_int_equal(fm_batch_step(batch, 2, &error), FM_OK);
    }
    fm_batch_free(batch);
    assert_int_equal(fm_alloc_live(), live);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vehicle_has_the_bits_of_a_world_that_is_loaded_with_its_values),
        cmocka_unit_test(in_float_it_is_near),
        cmocka_unit_test(rows_have_the_paths_the_units_and_the_values_of_the_model),
        cmocka_unit_test(vehicles_with_equal_values_share_a_variant),
        cmocka_unit_test(a_value_that_a_model_refuses_changes_nothing),
        cmocka_unit_test(a_path_that_a_batch_cannot_vary_is_refused_by_its_name),
        cmocka_unit_test(memory_that_runs_out_is_reported_and_leaves_a_usable_batch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
