/* Rewards, costs and ends of environments as expressions: what they say is what the observations say, in every engine
 * to the same bits. */
#include "support/scenario.h"

enum { ROWS = 5, STEPS = 90, SEEN = 4 };

static const char rov[] = "<fathom version='1'><world dt='0.02 s' duration='60 s' seed='7'>"
                          "<current velocity='0.1 -0.05 0 m/s'/></world>"
                          "<vehicle name='rov' model='bluerov2' position='1 2 5 m'/></fathom>";
static const char *const seen[] = {"x", "y", "z", "u"};

static fm_env *make(const fm_model *model, fm_env_options options)
{
    fm_error error = {0};
    options.size = sizeof options;
    options.float64 = 1;
    options.normalised = 1;
    options.interval = 0.1;
    options.observations = seen;
    options.observation_count = SEEN;
    fm_env *env = fm_env_create(model, ROWS, &options, &error);
    if (!env)
        fail_msg("%s", error.text);
    return env;
}

static const double *numbers(const fm_env *env, fm_env_array array)
{
    return fm_env_look(env, array).data;
}

static const uint8_t *octets(const fm_env *env, fm_env_array array)
{
    return fm_env_look(env, array).data;
}

static void advance(fm_env *env, int step)
{
    fm_error error = {0};
    const fm_dl_tensor t = fm_env_look(env, FM_ENV_ACTIONS);
    for (int64_t i = 0; i < t.shape[0] * t.shape[1]; i++)
        ((double *)t.data)[i] = sin(0.7 * (double)i + 0.31 * step);
    if (fm_env_step(env, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static const char *const costs[] = {"max(z)", "integral(abs(u))", "count(u > 0.1 m/s)"};

static fm_env_options questions(fm_env_engine engine, fm_env_autoreset mode)
{
    return (fm_env_options){.engine = engine,
                            .autoreset = mode,
                            .time_limit = 4,
                            .reward = "change(-hypot(x - 10 m, rov.y)) / 1 m - 0.5 * abs(u) / 1 m/s",
                            .end = "hypot(x - 1 m, y - 2 m) > 0.15 m and t > 0.55 s",
                            .costs = costs,
                            .cost_count = 3};
}

/* The same from the observations of each row. */
typedef struct tally {
    double distance, deepest, way, u;
    int count, above, steps;
} tally;

static void begin_tally(tally *t, const double *o)
{
    *t = (tally){hypot(o[0] - 10, o[1]), o[2], 0, fabs(o[3]), o[3] > 0.1, o[3] > 0.1, 0};
}

static double reward_of(tally *t, const double *o)
{
    const double distance = hypot(o[0] - 10, o[1]), reward = t->distance - distance - 0.5 * fabs(o[3]);
    t->distance = distance;
    t->deepest = fmax(t->deepest, o[2]);
    t->way += 0.5 * (t->u + fabs(o[3])) * 0.1;
    t->u = fabs(o[3]);
    t->count += o[3] > 0.1 && !t->above;
    t->above = o[3] > 0.1;
    t->steps++;
    return reward;
}

static void check_step(const fm_env *env, size_t i, tally *t, const double *o, int *ends)
{
    const double *cost = numbers(env, FM_ENV_COSTS) + 3 * i;
    assert_near(numbers(env, FM_ENV_REWARDS)[i], reward_of(t, o), 1e-12);
    assert_near(cost[0], t->deepest, 1e-14);
    assert_near(cost[1], t->way, 1e-13);
    assert_near(cost[2], t->count, 0);
    const int ended = hypot(o[0] - 1, o[1] - 2) > 0.15 && t->steps >= 6;
    assert_int_equal(octets(env, FM_ENV_TERMINATED)[i], ended);
    if (ended)
        assert_int_equal(octets(env, FM_ENV_REASONS)[i], FM_ENV_CONDITION);
    *ends += ended;
}

static void answers_are_those_of_the_observations(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    const fm_env_engine engines[] = {FM_ENV_WORLDS, FM_ENV_SIMD};
    for (int mode = FM_ENV_NEXT_STEP; mode <= FM_ENV_SAME_STEP; mode++)
        for (int k = 0; k < 2; k++) {
            tally tallies[ROWS];
            int ends = 0;
            fm_env *env = make(model, questions(engines[k], (fm_env_autoreset)mode));
            assert_int_equal(fm_env_engine_used(env), engines[k]);
            for (size_t i = 0; i < ROWS; i++)
                begin_tally(&tallies[i], numbers(env, FM_ENV_OBSERVATIONS) + SEEN * i);
            for (int step = 0; step < STEPS; step++) {
                advance(env, step);
                for (size_t i = 0; i < ROWS; i++) {
                    const double *now = numbers(env, FM_ENV_OBSERVATIONS) + SEEN * i,
                                 *last = numbers(env, FM_ENV_FINAL_OBSERVATIONS) + SEEN * i;
                    const int over = octets(env, FM_ENV_TERMINATED)[i] || octets(env, FM_ENV_TRUNCATED)[i];
                    const int begins =
                        mode == FM_ENV_NEXT_STEP && ((const int64_t *)fm_env_look(env, FM_ENV_STEPS).data)[i] == 0;
                    if (begins) {
                        assert_near(numbers(env, FM_ENV_REWARDS)[i], 0, 0);
                        assert_near(numbers(env, FM_ENV_COSTS)[3 * i + 1], 0, 0);
                    } else
                        check_step(env, i, &tallies[i], over ? last : now, &ends);
                    if (begins || (over && mode == FM_ENV_SAME_STEP))
                        begin_tally(&tallies[i], now);
                }
            }
            assert_greater(ends, 5);
            fm_env_free(env);
        }
    fm_model_free(model);
}

static void lanes_give_the_bits_of_worlds(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    fm_env *a = make(model, questions(FM_ENV_WORLDS, FM_ENV_SAME_STEP)),
           *b = make(model, questions(FM_ENV_SIMD, FM_ENV_SAME_STEP));
    for (int step = 0; step < STEPS; step++) {
        advance(a, step);
        advance(b, step);
        assert_memory_equal(numbers(a, FM_ENV_REWARDS), numbers(b, FM_ENV_REWARDS), ROWS * 8);
        assert_memory_equal(numbers(a, FM_ENV_COSTS), numbers(b, FM_ENV_COSTS), 3 * ROWS * 8);
        assert_memory_equal(octets(a, FM_ENV_REASONS), octets(b, FM_ENV_REASONS), ROWS);
    }
    fm_env_free(a);
    fm_env_free(b);
    fm_model_free(model);
}

static void a_restored_row_has_the_answers_of_the_saved_one(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    const fm_env_engine engines[] = {FM_ENV_WORLDS, FM_ENV_SIMD};
    const uint32_t from[ROWS] = {0, 1, 2, 3, 4};
    for (int k = 0; k < 2; k++) {
        double kept[20][ROWS * 3];
        fm_error error = {0};
        fm_env *env = make(model, questions(engines[k], FM_ENV_SAME_STEP));
        fm_env_state *saved = fm_env_state_create(env, &error);
        assert_non_null(saved);
        for (int step = 0; step < 30; step++) {
            if (step == 10)
                assert_int_equal(fm_env_save(env, saved, NULL, &error), FM_OK);
            advance(env, step);
            if (step >= 10)
                memcpy(kept[step - 10], numbers(env, FM_ENV_COSTS), sizeof kept[0]);
        }
        assert_int_equal(fm_env_restore(env, saved, from, NULL, &error), FM_OK);
        for (int step = 10; step < 30; step++) {
            advance(env, step);
            assert_memory_equal(kept[step - 10], numbers(env, FM_ENV_COSTS), sizeof kept[0]);
        }
        fm_env_state_free(saved);
        fm_env_free(env);
    }
    fm_model_free(model);
}

static void refused(const fm_model *model, fm_env_options options, const char *words)
{
    fm_error error = {0};
    options.size = sizeof options;
    fm_env *env = fm_env_create(model, 2, &options, &error);
    if (env || !strstr(error.text, words))
        fail_msg("'%s' does not say '%s'", error.text, words);
}

static void what_cannot_be_evaluated_is_refused(void **state)
{
    (void)state;
    fm_model *model = load(rov);
    static const char *const none[] = {NULL};
    refused(model, (fm_env_options){.reward = "xx"}, "reward: expression 'xx', column 1: ");
    refused(model, (fm_env_options){.end = "x"},
            "end: expression 'x', column 1: the expression: 'x' is in m: must be a");
    refused(model, (fm_env_options){.costs = none, .cost_count = 1}, "fm_env_options.costs must not be NULL");
    refused(model, (fm_env_options){.reward = "rov.distance", .engine = FM_ENV_SIMD},
            "'rov.distance' reads rov.distance, which is available in worlds only");
    refused(model, (fm_env_options){.reward = "x", .engine = FM_ENV_CUDA}, "are evaluated on the CPU");
    fm_env *env = make(model, (fm_env_options){.reward = "rov.distance"}); /* auto */
    assert_int_equal(fm_env_engine_used(env), FM_ENV_WORLDS);
    assert_non_null(strstr(fm_env_describe(env), "reads rov.distance"));
    fm_env_free(env);
    fm_model_free(model);
}

static void the_end_of_the_scenario_ends_a_row(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_model *model = load("<fathom version='1'><world dt='0.02 s' duration='60 s'/><end when='t > 0.33 s'/>"
                           "<vehicle name='rov' model='bluerov2' position='1 2 5 m'/></fathom>");
    refused(model, (fm_env_options){.engine = FM_ENV_SIMD}, "<end> is evaluated at every tick");
    fm_env_options options = {.size = sizeof options, .interval = 0.1, .float64 = 1};
    fm_env *env = fm_env_create(model, 1, &options, &error);
    for (int step = 0; step < 4; step++) {
        assert_int_equal(octets(env, FM_ENV_TERMINATED)[0], 0);
        advance(env, step);
    }
    assert_int_equal(octets(env, FM_ENV_TERMINATED)[0], 1);
    assert_int_equal(octets(env, FM_ENV_REASONS)[0], FM_ENV_CONDITION);
    fm_env_free(env);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(answers_are_those_of_the_observations),
        cmocka_unit_test(lanes_give_the_bits_of_worlds),
        cmocka_unit_test(a_restored_row_has_the_answers_of_the_saved_one),
        cmocka_unit_test(what_cannot_be_evaluated_is_refused),
        cmocka_unit_test(the_end_of_the_scenario_ends_a_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
