/* Fits of records from imperfect instruments, through fathom/fit.h: constant errors, late samples, outliers, and what
 * is known before. The truth is that of the runs that the records are made of. */
#include "batch/fitting.h"

#define BODY                                                                                                           \
    "<fathom version='1'><world dt='0.1 s' duration='12 s'/><vehicle name='body' position='0 0 5 m' velocity='1 0 0 "  \
    "m/s'>"                                                                                                            \
    "<mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy volume='0.0975609756 m3'/><drag X_u_absu='-70 N*s2/m2' "  \
    "X_u='-25 N*s/m'/>"                                                                                                \
    "<thruster name='motor' direction='1 0 0' thrust='200 N'/><orders><at t='0 s' motor='60 N'/><at t='4 s' "          \
    "motor='160 N'/><at t='9 s' motor='0 N'/></orders>"                                                                \
    "</vehicle></fathom>"

static const quantity of_body[] = {{"body.u", 7, 0.02}, {"body.x", 1, 0.05}};
static const char *const true_body[] = {"/body/drag/X_u_absu=-75 N*s2/m2", "/body/drag/X_u=-20 N*s/m", NULL},
                         *const both[] = {"/body/drag/X_u_absu", "/body/drag/X_u"}, *const one[] = {"/body/drag/X_u"},
                         *const maps[] = {"body.u=body.u", "body.x=body.x"};

enum { SEEDS = 12 };

typedef struct trial {
    recording recording;
    fm_fit_data data[2];
    fm_model *model;
    fm_load_options load;
    fm_fit_options options;
} trial;

/* A record of u and x with noise. */
static void begin(trial *t, uint64_t seed)
{
    *t = (trial){.recording = record_run(BODY, true_body, of_body, 2, 1, seed, NULL, 0), .model = load(BODY)};
    t->load = tree_options(NULL);
    for (size_t c = 0; c < 2; c++)
        t->data[c] = (fm_fit_data){.name = t->recording.series[c].name,
                                   .t = t->recording.series[c].t,
                                   .y = t->recording.series[c].y,
                                   .count = t->recording.series[c].count};
    t->options = (fm_fit_options){.size = sizeof t->options,
                                  .load = &t->load,
                                  .parameters = both,
                                  .parameter_count = 2,
                                  .data = t->data,
                                  .data_count = 2,
                                  .maps = maps,
                                  .map_count = 2,
                                  .threads = 2};
}

static fm_fit *solve(const trial *t)
{
    fm_error error = {0};
    fm_fit *fit = fm_fit_create(t->model, &t->options, &error);
    if (!fit || fm_fit_solve(fit, &error) != FM_OK)
        fail_msg("%s", error.text);
    if (!fm_fit_converged(fit))
        fail_msg("%s", fm_fit_ended(fit));
    return fit;
}

static void end(trial *t)
{
    fm_model_free(t->model);
    forget(&t->recording);
}

static size_t find(const fm_fit *fit, const char *name)
{
    size_t k = 0;
    while (k < fm_fit_count(fit) && strcmp(fm_fit_name(fit, k), name) != 0)
        k++;
    if (k == fm_fit_count(fit))
        fail_msg("no %s", name);
    return k;
}

static int contains(const fm_fit *fit, const char *name, double truth)
{
    const size_t k = find(fit, name);
    return fm_fit_low(fit)[k] <= truth && truth <= fm_fit_high(fit)[k];
}

/* --- biases and delays --- */

/* Both instruments of the record are wrong: the speed reads 0.15 m/s too much, the position is 0.37 s late. Of 12
 * intervals of 95 %, 9 to 12 contain the truth with a probability of 0.998 (binomial). */
static void a_bias_and_a_delay_are_found_and_leave_the_parameters_right(void **unused)
{
    (void)unused;
    static const char *const biases[] = {"body.u"}, *const delays[] = {"body.x"};
    int hits[4] = {0}, wrong = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        trial t;
        begin(&t, seed);
        for (size_t i = 0; i < t.data[0].count; i++)
            t.recording.series[0].y[i] += 0.15;
        for (size_t i = 0; i < t.data[1].count; i++)
            t.recording.series[1].t[i] += 0.37;
        t.options.biases = biases, t.options.bias_count = 1;
        t.options.delays = delays, t.options.delay_count = 1;
        fm_fit *fit = solve(&t);
        assert_int_equal(fm_fit_count(fit), 4);
        assert_string_equal(fm_fit_unit(fit, 2), "m/s");
        assert_string_equal(fm_fit_unit(fit, 3), "s");
        hits[0] += contains(fit, both[0], -75);
        hits[1] += contains(fit, both[1], -20);
        hits[2] += contains(fit, "bias of body.u", 0.15);
        hits[3] += contains(fit, "delay of body.x", 0.37);
        assert_near(fm_fit_values(fit)[2], 0.15, 0.015);
        assert_near(fm_fit_values(fit)[3], 0.37, 0.037);
        fm_fit_free(fit);
        t.options.bias_count = t.options.delay_count = 0;
        fit = solve(&t);
        wrong += !contains(fit, both[0], -75) || !contains(fit, both[1], -20);
        fm_fit_free(fit);
        end(&t);
    }
    for (int i = 0; i < 4; i++)
        assert_in_range(hits[i], 9, SEEDS);
    assert_int_equal(wrong, SEEDS); /* without them every result is off */
}

/* The clock of the whole record is 0.6 s late; a record that starts with the run has no value then. */
static void the_delay_of_a_whole_record_is_found(void **unused)
{
    (void)unused;
    static const char *const delays[] = {"record"};
    int hits = 0;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        trial t;
        begin(&t, seed);
        for (size_t c = 0; c < 2; c++)
            for (size_t i = 0; i < t.data[c].count; i++)
                t.recording.series[c].t[i] += 0.6;
        t.options.delays = delays, t.options.delay_count = 1;
        fm_fit *fit = solve(&t);
        hits += contains(fit, "delay of record 1", 0.6);
        assert_near(fm_fit_values(fit)[2], 0.6, 0.06);
        fm_fit_free(fit);
        end(&t);
    }
    assert_in_range(hits, 9, SEEDS);
}

/* --- outliers --- */

/* Every tenth speed is 1 m/s too great: 50 times the noise, all to one side. */
static void add_outliers(trial *t)
{
    for (size_t i = 3; i < t->data[0].count; i += 10)
        t->recording.series[0].y[i] += 1;
}

static void outliers_hardly_move_a_robust_fit(void **unused)
{
    (void)unused;
    static const double truth[] = {-75, -20};
    int hits[2][2] = {{0}}, misled = 0;
    double off[3] = {0}; /* of X_u, root mean square over its true size: square, huber, cauchy */
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        trial t;
        begin(&t, seed);
        add_outliers(&t);
        t.options.map_count = 1; /* the speed alone */
        for (int loss = FM_FIT_SQUARE; loss <= FM_FIT_CAUCHY; loss++) {
            t.options.loss = (fm_fit_loss)loss;
            fm_fit *fit = solve(&t);
            for (int i = 0; i < 2 && loss; i++)
                hits[loss - 1][i] += contains(fit, both[i], truth[i]);
            off[loss] += pow(fm_fit_values(fit)[1] / -20 - 1, 2) / SEEDS;
            misled += !loss && fabs(fm_fit_values(fit)[1] + 20) > 2;
            if (loss == FM_FIT_CAUCHY) { /* their weight is nearly none, that of others nearly whole */
                fm_fit_sample samples[8];
                assert_int_equal(fm_fit_samples(fit, 0, 8, samples), 8);
                below("weight", samples[3].weight, 0.01);
                assert_greater(samples[4].weight, 0.2);
            }
            fm_fit_free(fit);
        }
        end(&t);
    }
    print_message("rms error of X_u: square %.3f, huber %.3f, cauchy %.3f\n", sqrt(off[0]), sqrt(off[1]), sqrt(off[2]));
    for (int i = 0; i < 2; i++)
        assert_in_range(hits[FM_FIT_CAUCHY - 1][i], 9, SEEDS);
    below("cauchy over square", sqrt(off[2] / off[0]), 0.2);
    below("huber over square", sqrt(off[1] / off[0]), 0.4);
    assert_in_range(misled, SEEDS / 2, SEEDS);
}

/* Without outliers a robust fit loses little: its intervals are at most 10 % wider (5 % in theory, for both losses). */
static void a_robust_fit_of_a_clean_record_costs_little(void **unused)
{
    (void)unused;
    double wide[3] = {0};
    int hits[3] = {0};
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        trial t;
        begin(&t, seed);
        for (int loss = FM_FIT_SQUARE; loss <= FM_FIT_CAUCHY; loss++) {
            t.options.loss = (fm_fit_loss)loss;
            fm_fit *fit = solve(&t);
            wide[loss] += fm_fit_high(fit)[1] - fm_fit_low(fit)[1];
            hits[loss] += contains(fit, both[1], -20);
            fm_fit_free(fit);
        }
        end(&t);
    }
    for (int loss = FM_FIT_HUBER; loss <= FM_FIT_CAUCHY; loss++) {
        assert_between(0.95, wide[loss] / wide[0], 1.15);
        assert_in_range(hits[loss], 9, SEEDS);
    }
}

/* --- what is known before --- */

/* For one parameter of a nearly linear model the result is the mean of record and prior, weighted with 1 over their
 * variances; its variance is 1 over the sum of both. */
static void a_prior_and_the_record_are_weighted_by_their_variances(void **unused)
{
    (void)unused;
    static const char *const maker[] = {"/body/drag/X_u_absu=-75 N*s2/m2"};
    static const char *const prior[] = {"/body/drag/X_u~normal(-22, 0.4) N*s/m"};
    static const char *const grams[] = {"/body/drag/X_u~normal(-22000, 400) g/s"};
    trial t;
    begin(&t, 4);
    t.load.set = maker, t.load.set_count = 1;
    fm_model_free(t.model);
    t.model = load_with(BODY, true_body);
    t.options.parameters = one, t.options.parameter_count = 1;
    fm_fit *free_fit = solve(&t);
    const double by_record = fm_fit_values(free_fit)[0], deviation = fm_fit_deviations(free_fit)[0];
    const double record = 1 / (deviation * deviation), known = 1 / (0.4 * 0.4);
    t.options.priors = prior, t.options.prior_count = 1;
    fm_fit *fit = solve(&t);
    const double expected = (record * by_record + known * -22) / (record + known);
    near("value", fm_fit_values(fit)[0], expected, 0.05 * fabs(by_record + 22));
    near("deviation", fm_fit_deviations(fit)[0], 1 / sqrt(record + known), 0.03 * deviation);
    near("covariance", fm_fit_covariance(fit)[0], pow(fm_fit_deviations(fit)[0], 2), 1e-6 * deviation * deviation);
    t.options.priors = grams;
    fm_fit *again = solve(&t);
    near("in another unit", fm_fit_values(again)[0], fm_fit_values(fit)[0], 1e-6);
    fm_fit_free(again);
    fm_fit_free(fit);
    fm_fit_free(free_fit);
    end(&t);
}

/* A drift of the start cannot be told from a bias where both are free; what is known of the bias decides. */
static void a_prior_of_a_bias_holds_it(void **unused)
{
    (void)unused;
    static const char *const biases[] = {"body.u~normal(0.15,0.001) m/s"};
    trial t;
    begin(&t, 2);
    for (size_t i = 0; i < t.data[0].count; i++)
        t.recording.series[0].y[i] += 0.15;
    t.options.biases = biases, t.options.bias_count = 1;
    fm_fit *fit = solve(&t);
    near("bias", fm_fit_values(fit)[2], 0.15, 0.003);
    below("its deviation", fm_fit_deviations(fit)[2], 0.00101);
    assert_true(contains(fit, both[1], -20));
    fm_fit_free(fit);
    end(&t);
}

/* --- results that are wrong --- */

/* The record is of another vehicle: its speed rises and falls where the model's drag cannot follow. */
static void residuals_that_say_it_is_wrong_make_the_result_untrusted(void **unused)
{
    (void)unused;
    static const char *const sigmas[] = {"body.u=2 cm/s", "body.x=5 cm"};
    trial t;
    begin(&t, 1);
    t.options.sigmas = sigmas, t.options.sigma_count = 2;
    fm_fit *fit = solve(&t);
    assert_true(fm_fit_trusted(fit));
    fm_fit_free(fit);
    for (size_t i = 0; i < t.data[0].count; i++)
        t.recording.series[0].y[i] = 1 + 0.3 * sin(2 * t.recording.series[0].t[i]);
    fit = solve(&t);
    assert_false(fm_fit_trusted(fit));
    assert_non_null(fm_fit_note(fit, 0));
    assert_non_null(strstr(fm_fit_note(fit, 0), "cannot be trusted"));
    assert_null(fm_fit_note(fit, 1000));
    fm_fit_free(fit);
    end(&t);
}

/* --- the interface --- */

static int cancel_at_two(void *user, int iteration, double misfit, const double *values)
{
    *(double *)user = misfit + values[0];
    return iteration >= 2;
}

static void wrong_options_are_refused_with_the_reason(void **unused)
{
    (void)unused;
    static const struct {
        const char *prior, *bias, *delay, *sigma, *words;
    } cases[] = {
        {"/body/drag/X_u=3", NULL, NULL, NULL, "must be PATH~normal(MEAN,DEVIATION) UNIT"},
        {"/body/drag/X_u~normal(-20,0) N*s/m", NULL, NULL, NULL, "with a deviation above 0"},
        {"/body/drag/X_u~normal(-20,1) m", NULL, NULL, NULL, "must be in N*s/m"},
        {"/body/mass/mass~normal(100,1) kg", NULL, NULL, NULL, "not one of the parameters that are fitted"},
        {NULL, "body.v", NULL, NULL, "bias of 'body.v': it is not a quantity that is compared"},
        {NULL, "body.u~uniform(0,1) m/s", NULL, NULL, "must be OURS~normal(MEAN,DEVIATION) UNIT or OURS"},
        {NULL, NULL, "body.v", NULL, "must be a quantity that is compared, or 'record'"},
        {NULL, NULL, "body.x~normal(0,1) m", NULL, "must be in s"},
        {NULL, NULL, NULL, "body.v=1 m/s", "--sigma body.v=1 m/s"},
    };
    trial t;
    begin(&t, 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fm_error error = {0};
        t.options.priors = &cases[i].prior, t.options.prior_count = cases[i].prior != NULL;
        t.options.biases = &cases[i].bias, t.options.bias_count = cases[i].bias != NULL;
        t.options.delays = &cases[i].delay, t.options.delay_count = cases[i].delay != NULL;
        t.options.sigmas = &cases[i].sigma, t.options.sigma_count = cases[i].sigma != NULL;
        fm_fit *fit = fm_fit_create(t.model, &t.options, &error);
        if (fit || !strstr(error.text, cases[i].words))
            fail_msg("%zu: '%s', expected '%s'", i, error.text, cases[i].words);
    }
    end(&t);
}

static void a_fit_is_cancelled_by_its_callback_and_from_outside(void **unused)
{
    (void)unused;
    trial t;
    fm_error error = {0};
    double seen = 0;
    begin(&t, 1);
    t.options.progress = cancel_at_two, t.options.user = &seen;
    fm_fit *fit = fm_fit_create(t.model, &t.options, &error);
    assert_near(fm_fit_values(fit)[0], -70, 1e-12); /* before: where it starts */
    assert_int_equal(fm_fit_solve(fit, &error), FM_ERR_CANCELLED);
    assert_less(seen, 0); /* the drag is negative, and greater than the misfit */
    fm_fit_free(fit);
    t.options.progress = NULL;
    fit = fm_fit_create(t.model, &t.options, &error);
    fm_fit_cancel(fit);
    assert_int_equal(fm_fit_solve(fit, &error), FM_ERR_CANCELLED);
    fm_fit_free(fit);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bias_and_a_delay_are_found_and_leave_the_parameters_right),
        cmocka_unit_test(the_delay_of_a_whole_record_is_found),
        cmocka_unit_test(outliers_hardly_move_a_robust_fit),
        cmocka_unit_test(a_robust_fit_of_a_clean_record_costs_little),
        cmocka_unit_test(a_prior_and_the_record_are_weighted_by_their_variances),
        cmocka_unit_test(a_prior_of_a_bias_holds_it),
        cmocka_unit_test(residuals_that_say_it_is_wrong_make_the_result_untrusted),
        cmocka_unit_test(wrong_options_are_refused_with_the_reason),
        cmocka_unit_test(a_fit_is_cancelled_by_its_callback_and_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
