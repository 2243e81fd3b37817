/* Environments: rows of every engine have the same bits, and end and begin again as documented. */
#include "support/scenario.h"

#include "base/memory.h"

enum { ROWS = 9, STEPS = 120 };

static const char rov[] = "<fathom version='1'><world dt='0.02 s' duration='60 s' seed='7'>"
                          "<current velocity='0.1 -0.05 0 m/s'/></world>"
                          "<vehicle name='rov' model='bluerov2' position='1 2 5 m'/></fathom>";

static fm_env *make(const fm_model *model, size_t rows, fm_env_options options)
{
    fm_error error = {0};
    options.size = sizeof options;
    fm_env *env = fm_env_create(model, rows, &options, &error);
    if (!env)
        fail_msg("%s", error.text);
    return env;
}

static void *data(const fm_env *env, fm_env_array array)
{
    return fm_env_look(env, array).data;
}

static size_t bytes(const fm_env *env, fm_env_array array)
{
    const fm_dl_tensor t = fm_env_look(env, array);
    return (size_t)(t.shape[0] * (t.ndim > 1 ? t.shape[1] : 1)) * t.bits / 8;
}

static void take(fm_status status, const fm_error *error)
{
    if (status != FM_OK)
        fail_msg("%s", error->text);
}

static void advance(fm_env *env)
{
    fm_error error = {0};
    take(fm_env_step(env, &error), &error);
}

/* Actions that differ from row to row and from step to step, in -1.1 … 1.1. */
static void act(const fm_env *env, int step)
{
    const fm_dl_tensor t = fm_env_look(env, FM_ENV_ACTIONS);
    for (int64_t i = 0; i < t.shape[0] * t.shape[1]; i++) {
        const double value = 1.1 * sin(0.7 * (double)i + 0.31 * step);
        if (t.bits == 64)
            ((double *)t.data)[i] = value;
        else
            ((float *)t.data)[i] = (float)value;
    }
}

static const fm_env_array arrays_alike[] = {
    FM_ENV_OBSERVATIONS, FM_ENV_TERMINATED,         FM_ENV_TRUNCATED, FM_ENV_REASONS,     FM_ENV_STEPS,
    FM_ENV_EPISODES,     FM_ENV_FINAL_OBSERVATIONS, FM_ENV_KEYS,      FM_ENV_EPISODE_KEYS};

static void assert_same_arrays(const fm_env *a, const fm_env *b, int step)
{
    for (size_t k = 0; k < sizeof arrays_alike / sizeof *arrays_alike; k++) {
        assert_int_equal(bytes(a, arrays_alike[k]), bytes(b, arrays_alike[k]));
        if (memcmp(data(a, arrays_alike[k]), data(b, arrays_alike[k]), bytes(a, arrays_alike[k])) != 0)
            fail_msg("array %d differs after step %d", (int)arrays_alike[k], step);
    }
}

/* Steps of two environments side by side, with a reset of some rows from outside on the way. */
static void compare(const fm_model *model, fm_env_options first, fm_env_options second)
{
    fm_error error = {0};
    fm_env *a = make(model, ROWS, first), *b = make(model, ROWS, second);
    uint8_t mask[ROWS] = {0, 1, 0, 0, 1};
    assert_same_arrays(a, b, -1);
    for (int step = 0; step < STEPS; step++) {
        act(a, step);
        act(b, step);
        advance(a);
        advance(b);
        assert_same_arrays(a, b, step);
        if (step == 37) {
            take(fm_env_reset(a, mask, &error), &error);
            take(fm_env_reset(b, mask, &error), &error);
            assert_same_arrays(a, b, step);
        }
    }
    fm_env_free(a);
    fm_env_free(b);
}

static const char *const seen[] = {"time",  "position", "euler",      "velocity", "attitude",
                                   "speed", "rov.z",    "front-port", "p"};

static void lanes_have_the_bits_of_worlds(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    double noise[32] = {0, 0.1, 0, 0.2, 0, 0, 0, 0.05};
    for (int mode = FM_ENV_MANUAL; mode <= FM_ENV_SAME_STEP; mode++) {
        fm_env_options options = {.engine = FM_ENV_WORLDS,
                                  .autoreset = (fm_env_autoreset)mode,
                                  .float64 = mode != FM_ENV_NEXT_STEP,
                                  .normalised = mode != FM_ENV_MANUAL,
                                  .interval = 0.06,
                                  .time_limit = 2,
                                  .depth_limit = 5.02,
                                  .observations = seen,
                                  .observation_count = sizeof seen / sizeof *seen,
                                  .noise = noise};
        fm_env_options lanes = options;
        lanes.engine = FM_ENV_SIMD;
        lanes.threads = 2;
        compare(model, options, lanes);
    }
    fm_model_free(model);
}

/* A row is the world that a program would step itself. */
static void a_row_is_a_world_with_the_key_as_its_seed(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load_scenario("bluerov2-hover", NULL);
    static const char *const fields[] = {"position", "velocity", "front-port"};
    fm_env *env =
        make(model, 3,
             (fm_env_options){
                 .engine = FM_ENV_WORLDS, .float64 = 1, .threads = 2, .observations = fields, .observation_count = 3});
    const uint64_t key = ((uint64_t *)data(env, FM_ENV_EPISODE_KEYS))[1];
    fm_world *world = fm_world_create(model, &(fm_world_options){.seeded = 1, .seed = key}, &error);
    size_t indices[3], actuators = fm_model_actuator_count(model, 0);
    double orders[16], expected[10];
    for (int k = 0; k < 3; k++)
        assert_int_equal(fm_model_field_find(model, fields[k], &indices[k], &error), FM_OK);
    for (int step = 0; step < 50; step++) {
        for (size_t a = 0; a < actuators; a++)
            for (size_t row = 0; row < 3; row++)
                ((double *)data(env, FM_ENV_ACTIONS))[row * actuators + a] = orders[a] =
                    0.5 * sin((double)a + 0.1 * step) * fm_model_actuator(model, 0, a).max;
        take(fm_world_order_all(world, 0, orders, actuators, &error), &error);
        take(fm_world_step(world, &error), &error);
        take(fm_world_read(world, indices, 3, expected, 10, &error), &error);
        advance(env);
        if (memcmp((double *)data(env, FM_ENV_OBSERVATIONS) + 10, expected, sizeof expected) != 0)
            fail_msg("they differ after step %d", step);
    }
    fm_world_free(world);
    fm_env_free(env);
    fm_model_free(model);
}

static void rows_end_with_a_reason_and_begin_again(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    static const char *const time[] = {"time"};
    for (int engine = FM_ENV_WORLDS; engine <= FM_ENV_SIMD; engine++)
        for (int mode = FM_ENV_MANUAL; mode <= FM_ENV_SAME_STEP; mode++) {
            fm_env *env = make(model, 2,
                               (fm_env_options){.engine = (fm_env_engine)engine,
                                                .autoreset = (fm_env_autoreset)mode,
                                                .observations = time,
                                                .observation_count = 1,
                                                .interval = 0.1,
                                                .time_limit = 0.5});
            const float *seen_time = data(env, FM_ENV_OBSERVATIONS), *final = data(env, FM_ENV_FINAL_OBSERVATIONS);
            const uint8_t *truncated = data(env, FM_ENV_TRUNCATED), *terminated = data(env, FM_ENV_TERMINATED),
                          *reason = data(env, FM_ENV_REASONS);
            const int64_t *steps = data(env, FM_ENV_STEPS), *episodes = data(env, FM_ENV_EPISODES);
            for (int k = 0; k < 5; k++) {
                assert_int_equal(truncated[1], 0);
                advance(env);
            }
            assert_int_equal(truncated[1], 1);
            assert_int_equal(terminated[1], 0);
            assert_int_equal(reason[1], FM_ENV_TIME_UP);
            assert_near(final[1], 0.5, 1e-6);
            assert_int_equal(episodes[1], mode == FM_ENV_SAME_STEP);
            assert_near(seen_time[1], mode == FM_ENV_SAME_STEP ? 0 : 0.5, 1e-6);
            advance(env);
            assert_int_equal(truncated[1], mode == FM_ENV_MANUAL);
            assert_int_equal(episodes[1], mode != FM_ENV_MANUAL);
            assert_int_equal(steps[1], mode == FM_ENV_MANUAL ? 5 : mode == FM_ENV_NEXT_STEP ? 0 : 1);
            fm_env_free(env);
        }
    fm_model_free(model);
}

static void a_nan_action_ends_its_row_and_no_other(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    for (int engine = FM_ENV_WORLDS; engine <= FM_ENV_SIMD; engine++) {
        fm_env *env = make(model, 3, (fm_env_options){.engine = (fm_env_engine)engine, .float64 = 1});
        fm_env *sound = make(model, 3, (fm_env_options){.engine = (fm_env_engine)engine, .float64 = 1});
        const size_t row = bytes(env, FM_ENV_OBSERVATIONS) / 3;
        act(env, 3);
        act(sound, 3);
        ((double *)data(env, FM_ENV_ACTIONS))[fm_env_look(env, FM_ENV_ACTIONS).shape[1] + 2] = NAN;
        advance(env);
        advance(sound);
        const uint8_t *reason = data(env, FM_ENV_REASONS);
        assert_int_equal(reason[0], FM_ENV_RUNNING);
        assert_int_equal(reason[1], FM_ENV_NAN_ACTION);
        assert_int_equal(reason[2], FM_ENV_RUNNING);
        assert_int_equal(((uint8_t *)data(env, FM_ENV_TERMINATED))[1], 1);
        assert_memory_equal(data(env, FM_ENV_OBSERVATIONS), data(sound, FM_ENV_OBSERVATIONS), row);
        assert_memory_equal((char *)data(env, FM_ENV_OBSERVATIONS) + 2 * row,
                            (char *)data(sound, FM_ENV_OBSERVATIONS) + 2 * row, row);
        fm_env_free(env);
        fm_env_free(sound);
    }
    fm_model_free(model);
}

/* The rows of these environments are those of a model loaded with the value, from their next reset on. */
static void parameters_of_a_row_are_taken_at_its_reset(void **state)
{
    (void)state;
    fm_error error = {0};
    static const char *const paths[] = {"/rov/mass/mass", "/rov/position/z"};
    fm_model *model = load(rov),
             *other = load_with(rov, (const char *const[]){"/rov/mass/mass=12.25 kg", "/rov/position/z=6 m", NULL});
    for (int engine = FM_ENV_WORLDS; engine <= FM_ENV_SIMD; engine++) {
        fm_env_options options = {.engine = (fm_env_engine)engine, .float64 = 1, .seeded = 1, .seed = 3};
        fm_env *expected = make(other, ROWS, options), *plain = make(model, ROWS, options);
        options.parameters = paths;
        options.parameter_count = 2;
        fm_env *env = make(model, ROWS, options);
        const size_t row = bytes(env, FM_ENV_OBSERVATIONS) / ROWS;
        double *values = data(env, FM_ENV_PARAMETERS);
        values[2 * 4] = 12.25;
        values[2 * 4 + 1] = 6;
        take(fm_env_refresh(env, &error), &error);
        for (int episode = 0; episode < 2; episode++) {
            for (int step = 0; step < 20; step++) {
                act(env, step);
                act(expected, step);
                act(plain, step);
                advance(env);
                advance(expected);
                advance(plain);
            }
            for (size_t i = 0; i < ROWS; i++) {
                const fm_env *like = i == 4 && episode == 1 ? expected : plain;
                if (memcmp((char *)data(env, FM_ENV_OBSERVATIONS) + i * row,
                           (char *)data(like, FM_ENV_OBSERVATIONS) + i * row, row) != 0)
                    fail_msg("engine %d, episode %d, row %zu", engine, episode, i);
            }
            take(fm_env_reset(env, NULL, &error), &error);
            take(fm_env_reset(expected, NULL, &error), &error);
            take(fm_env_reset(plain, NULL, &error), &error);
        }
        values[0] = -5;
        assert_int_not_equal(fm_env_refresh(env, &error), FM_OK);
        if (!strstr(error.text, "row 0") || !strstr(error.text, "/rov/mass/mass"))
            fail_msg("%s", error.text);
        fm_env_free(env);
        fm_env_free(expected);
        fm_env_free(plain);
    }
    fm_model_free(model);
    fm_model_free(other);
}

static void a_restored_row_goes_on_as_the_saved_one(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load(rov);
    for (int engine = FM_ENV_WORLDS; engine <= FM_ENV_SIMD; engine++) {
        fm_env *env = make(model, ROWS, (fm_env_options){.engine = (fm_env_engine)engine, .float64 = 1});
        fm_env_state *saved = fm_env_state_create(env, &error);
        const size_t row = bytes(env, FM_ENV_OBSERVATIONS) / ROWS;
        char first[4096], *observed = data(env, FM_ENV_OBSERVATIONS);
        uint32_t from[ROWS];
        for (int step = 0; step < 10; step++) {
            act(env, step);
            advance(env);
        }
        take(fm_env_save(env, saved, NULL, &error), &error);
        for (int step = 10; step < 20; step++) {
            memset(data(env, FM_ENV_ACTIONS), 0, bytes(env, FM_ENV_ACTIONS));
            advance(env);
        }
        memcpy(first, observed + 2 * row, row);
        for (int i = 0; i < ROWS; i++)
            from[i] = 2;
        take(fm_env_restore(env, saved, from, NULL, &error), &error);
        for (int step = 10; step < 20; step++) {
            memset(data(env, FM_ENV_ACTIONS), 0, bytes(env, FM_ENV_ACTIONS));
            advance(env);
        }
        for (int i = 0; i < ROWS; i++)
            assert_memory_equal(observed + (size_t)i * row, first, row);
        assert_int_equal(((int64_t *)data(env, FM_ENV_STEPS))[5], 20);
        fm_env_state_free(saved);
        fm_env_free(env);
    }
    fm_model_free(model);
}

static void every_episode_has_its_own_noise_and_a_key_repeats_it(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load(rov);
    static const char *const x[] = {"x"};
    const double noise[] = {0.5};
    fm_env *env =
        make(model, 2, (fm_env_options){.observations = x, .observation_count = 1, .noise = noise, .float64 = 1});
    double first[2], second[2], *observed = data(env, FM_ENV_OBSERVATIONS);
    const uint64_t key = *(uint64_t *)data(env, FM_ENV_EPISODE_KEYS);
    memcpy(first, observed, sizeof first);
    assert_greater(fabs(first[0] - first[1]), 1e-6);
    take(fm_env_reset(env, NULL, &error), &error);
    memcpy(second, observed, sizeof second);
    assert_greater(fabs(second[0] - first[0]), 1e-6);
    *(uint64_t *)data(env, FM_ENV_KEYS) = key;
    take(fm_env_reset(env, NULL, &error), &error);
    near("the same key", observed[0], first[0], 0);
    assert_int_equal(*(uint64_t *)data(env, FM_ENV_EPISODE_KEYS), key);
    fm_env_free(env);
    fm_model_free(model);
}

static const char pool[] = "<fathom version='1'><world dt='0.02 s' duration='60 s'><bottom depth='6 m'/></world>"
                           "<vehicle name='rov' model='bluerov2' position='0 0 5.8 m' velocity='0 0 1 m/s'></vehicle>"
                           "</fathom>";

static void contact_ends_an_episode_of_worlds_and_lanes_refuse_it(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load(pool);
    static const char *const fields[] = {"z", "contact"};
    fm_env_options options = {
        .size = sizeof options, .observations = fields, .observation_count = 2, .end_on_contact = 1, .interval = 0.1};
    fm_env *env = make(model, 2, options);
    assert_int_equal(fm_env_engine_used(env), FM_ENV_WORLDS);
    const uint8_t *reason = data(env, FM_ENV_REASONS);
    const fm_dl_tensor actions = fm_env_look(env, FM_ENV_ACTIONS);
    int steps = 0;
    for (; steps < 300 && !reason[0]; steps++) {
        for (int64_t i = 0; i < actions.shape[0] * actions.shape[1]; i++)
            ((float *)actions.data)[i] = 0;
        advance(env);
    }
    assert_int_equal(reason[0], FM_ENV_CONTACT);
    assert_near(((float *)data(env, FM_ENV_OBSERVATIONS))[1], 1, 0);
    fm_env_free(env);
    options.engine = FM_ENV_SIMD;
    assert_null(fm_env_create(model, 2, &options, &error));
    assert_non_null(strstr(error.text, "worlds"));
    fm_model_free(model);
}

/* A sensor with its noise is observed by worlds; lanes refuse it by its name. */
static void sensors_are_observed_in_worlds(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load_scenario("phoenix-dive", NULL);
    static const char *const fields[] = {"imu.angular_velocity", "z"};
    size_t index;
    if (fm_model_field_find(model, fields[0], &index, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fm_model_field(model, index).count, 3);
    fm_env *env = make(model, 4, (fm_env_options){.observations = fields, .observation_count = 2});
    assert_string_equal(fm_env_observation(env, 1).name, "phoenix.imu.angular_velocity[1]");
    assert_non_null(strstr(fm_env_describe(env), "worlds only"));
    fm_env_free(env);
    assert_null(fm_env_create(
        model, 4,
        &(fm_env_options){
            .size = sizeof(fm_env_options), .engine = FM_ENV_SIMD, .observations = fields, .observation_count = 2},
        &error));
    assert_non_null(strstr(error.text, "imu.angular_velocity"));
    fm_model_free(model);
}

static void judge(void *user, const fm_env_moment *moment)
{
    ++*(int *)user;
    for (size_t i = 0; i < moment->rows; i++) {
        ((float *)moment->reward)[i] = ((const float *)moment->observation)[i * moment->observations];
        if (moment->steps[i] == 3 && i == 1)
            moment->terminated[i] = 1;
    }
}

static void a_judge_gives_rewards_and_ends_rows(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    int calls = 0;
    fm_env *env = make(model, 2, (fm_env_options){.judge = judge, .user = &calls, .autoreset = FM_ENV_SAME_STEP});
    const float *reward = data(env, FM_ENV_REWARDS);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(((uint8_t *)data(env, FM_ENV_TERMINATED))[1], 0);
        advance(env);
        assert_near(reward[0], 1, 0.1);
    }
    assert_int_equal(calls, 3);
    assert_int_equal(((uint8_t *)data(env, FM_ENV_REASONS))[1], FM_ENV_CONDITION);
    assert_int_equal(((uint8_t *)data(env, FM_ENV_TERMINATED))[0], 0);
    assert_int_equal(((int64_t *)data(env, FM_ENV_STEPS))[1], 0);
    fm_env_free(env);
    fm_model_free(model);
}

static void an_exported_array_outlives_its_environments(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load(rov);
    fm_env *env = make(model, 3, (fm_env_options){.float64 = 1});
    fm_dl_array *seen_array = fm_env_export(env, FM_ENV_OBSERVATIONS, &error),
                *actions = fm_env_export(env, FM_ENV_ACTIONS, &error);
    assert_int_equal(seen_array->major, 1);
    assert_int_equal(seen_array->flags, FM_DL_READ_ONLY);
    assert_int_equal(actions->flags, 0);
    fm_env_free(env);
    near("z", ((double *)seen_array->tensor.data)[2], 5, 0);
    assert_int_equal(seen_array->tensor.shape[0], 3);
    assert_int_equal(seen_array->tensor.shape[1], 12 + (int)fm_model_actuator_count(model, 0));
    actions->deleter(actions);
    seen_array->deleter(seen_array);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_have_the_bits_of_worlds),
        cmocka_unit_test(a_row_is_a_world_with_the_key_as_its_seed),
        cmocka_unit_test(rows_end_with_a_reason_and_begin_again),
        cmocka_unit_test(a_nan_action_ends_its_row_and_no_other),
        cmocka_unit_test(parameters_of_a_row_are_taken_at_its_reset),
        cmocka_unit_test(a_restored_row_goes_on_as_the_saved_one),
        cmocka_unit_test(every_episode_has_its_own_noise_and_a_key_repeats_it),
        cmocka_unit_test(contact_ends_an_episode_of_worlds_and_lanes_refuse_it),
        cmocka_unit_test(sensors_are_observed_in_worlds),
        cmocka_unit_test(a_judge_gives_rewards_and_ends_rows),
        cmocka_unit_test(an_exported_array_outlives_its_environments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
