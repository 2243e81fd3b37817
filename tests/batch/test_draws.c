/* Draws and designs of sweeps: distributions and correlations against GSL and closed forms, designs for sensitivity
 * against their definitions, points from files. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "support/files.h"
#include "support/near.h"

#include "studies/plan.h"
#include "studies/points.h"
#include "studies/sobol_rows.h"

static void add(fm_sweep_plan *plan, const char *text)
{
    fm_error error = {0};
    if (fm_plan_vary(plan, text, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void close_plan(fm_sweep_plan *plan)
{
    fm_error error = {0};
    if (fm_plan_close(plan, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static fm_sweep_axis axis_of(const char *text)
{
    fm_sweep_plan plan = {.runs = 1};
    add(&plan, text);
    fm_sweep_axis axis = plan.axes[0];
    fm_plan_free(&plan);
    return axis;
}

/* --- distributions --- */

static void the_normal_distribution_is_that_of_gsl_into_its_tails(void **unused)
{
    (void)unused;
    for (double x = -37; x < 8; x += 0.03)
        assert_near(fm_normal_part(x) / gsl_cdf_ugaussian_P(x), 1, 1e-11);
}

/* The quantile of a truncated normal distribution, from GSL's distribution and its inverse. */
static double truncated(double m, double s, double low, double high, double part)
{
    const double below = gsl_cdf_gaussian_P(low - m, s), within = gsl_cdf_gaussian_P(high - m, s) - below;
    return m + gsl_cdf_gaussian_Pinv(below + part * within, s);
}

static void quantiles_of_distributions_are_those_of_gsl(void **unused)
{
    (void)unused;
    const fm_sweep_axis cut = axis_of("/v/a~normal(3,0.5,2,3.2)"), tail = axis_of("/v/a~normal(0,1,4,6)");
    const fm_sweep_axis skew = axis_of("/v/a~lognormal(2,0.8)"), flat = axis_of("/v/a~uniform(-1,3)");
    const double sigma = sqrt(log1p(0.16)), zeta = log(2) - 0.5 * sigma * sigma;
    for (double p = 0.001; p < 1; p += 0.001) {
        assert_near(fm_distribution_quantile(&cut, p), truncated(3, 0.5, 2, 3.2, p), 1e-12);
        const double q4 = gsl_cdf_ugaussian_Q(4), q6 = gsl_cdf_ugaussian_Q(6);
        assert_near(fm_distribution_quantile(&tail, p), gsl_cdf_ugaussian_Qinv(q4 + p * (q6 - q4)), 1e-9);
        assert_near(fm_distribution_quantile(&skew, p), gsl_cdf_lognormal_Pinv(p, zeta, sigma), 1e-10);
        assert_near(fm_distribution_quantile(&flat, p), gsl_cdf_flat_Pinv(p, -1, 3), 1e-14);
    }
}

/* Of a triangle with its top at 2 over 1 … 5 a quarter lies below 2, and half below 5 − √6. */
static void a_triangle_has_the_quantiles_of_its_areas(void **unused)
{
    (void)unused;
    const fm_sweep_axis axis = axis_of("/v/a~triangular(1 m,2 m,5 m)");
    assert_near(fm_distribution_quantile(&axis, 0), 1, 1e-15);
    assert_near(fm_distribution_quantile(&axis, 0.25), 2, 1e-15);
    assert_near(fm_distribution_quantile(&axis, 0.5), 5 - sqrt(6), 1e-14);
    assert_near(fm_distribution_quantile(&axis, 1), 5, 1e-15);
    const fm_sweep_axis point = axis_of("/v/a~triangular(2,2,2)");
    assert_near(fm_distribution_quantile(&point, 0.3), 2, 1e-15);
}

/* Mean and deviation of a log-normal number are those that were given. */
static void a_lognormal_number_has_the_mean_and_deviation_given(void **unused)
{
    (void)unused;
    enum { N = 1 << 14 };
    fm_sweep_plan plan = {.design = FM_DESIGN_SOBOL, .runs = N, .seed = 3};
    double sum = 0, squares = 0, value;
    add(&plan, "/v/a~lognormal(2,0.8) m");
    close_plan(&plan);
    for (size_t run = 0; run < N; run++) {
        fm_plan_values(&plan, run, &value);
        sum += value, squares += value * value;
    }
    assert_near(sum / N, 2, 0.002);
    assert_near(sqrt(squares / N - sum / N * sum / N), 0.8, 0.01);
    fm_plan_free(&plan);
}

static void distributions_without_sense_are_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {{"/v/a~normal(1,0,2,3)", "above 0"},
                                           {"/v/a~normal(1,1,3,2)", "lower bound"},
                                           {"/v/a~normal(0,1,50,60)", "30 standard deviations"},
                                           {"/v/a~normal(1,2,3)", "another number of values"},
                                           {"/v/a~normal(1,2,3,4,5)", "at most 4"},
                                           {"/v/a~lognormal(-1,1)", "above 0"},
                                           {"/v/a~triangular(1,3,2)", "not decrease"},
                                           {"/v/a~triangular(1,3)", "another number of values"},
                                           {"/v/a~gamma(1,3)", "no distribution"},
                                           {"/v/a~normal", "'(' is missing"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_sweep_plan plan = {.runs = 1};
        fm_error error = {0};
        assert_int_equal(fm_plan_vary(&plan, wrong[i][0], &error), FM_ERR_SYNTAX);
        if (!strstr(error.text, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], error.text);
        fm_plan_free(&plan);
    }
}

/* --- correlations --- */

static double correlation_of(const fm_sweep_plan *plan, size_t a, size_t b)
{
    double mean[2] = {0}, square[2] = {0}, product = 0, values[FM_AXES_MOST];
    const double n = (double)plan->total;
    for (size_t run = 0; run < plan->total; run++) {
        fm_plan_values(plan, run, values);
        mean[0] += values[a] / n, mean[1] += values[b] / n;
        square[0] += values[a] * values[a] / n, square[1] += values[b] * values[b] / n;
        product += values[a] * values[b] / n;
    }
    return (product - mean[0] * mean[1]) / sqrt((square[0] - mean[0] * mean[0]) * (square[1] - mean[1] * mean[1]));
}

/* Normal numbers have the correlation that was given; uniform ones 6/π asin(r/2), Pearson (1907). */
static void draws_have_the_correlations_given(void **unused)
{
    (void)unused;
    static const fm_design designs[] = {FM_DESIGN_RANDOM, FM_DESIGN_SOBOL, FM_DESIGN_LATIN};
    for (size_t d = 0; d < 3; d++) {
        fm_error error = {0};
        fm_sweep_plan plan = {.design = designs[d], .runs = 1 << 13, .seed = 5};
        add(&plan, "/v/a~normal(1,2) m");
        add(&plan, "/v/b~normal(-3,0.1) m");
        add(&plan, "/v/c~uniform(0,1) m");
        add(&plan, "/v/d~uniform(0,7) m");
        assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/b=0.8", &error), FM_OK);
        assert_int_equal(fm_plan_correlate(&plan, "/v/d,/v/c=-0.6", &error), FM_OK);
        close_plan(&plan);
        assert_near(correlation_of(&plan, 0, 1), 0.8, 0.015);
        assert_near(correlation_of(&plan, 2, 3), -6 / M_PI * asin(0.3), 0.02);
        assert_near(correlation_of(&plan, 0, 3), 0, 0.035);
        fm_plan_free(&plan);
    }
}

static void correlations_that_contradict_each_other_are_refused(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_sweep_plan plan = {.runs = 4, .design = FM_DESIGN_RANDOM};
    add(&plan, "/v/a~normal(0,1)");
    add(&plan, "/v/b~normal(0,1)");
    add(&plan, "/v/c~normal(0,1)");
    add(&plan, "/v/d=1,2");
    assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/b", &error), FM_ERR_SYNTAX);
    assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/b=1.5", &error), FM_ERR_SYNTAX);
    assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/d=0.5", &error), FM_ERR_NAME);
    assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/b=0.9", &error), FM_OK);
    assert_int_equal(fm_plan_correlate(&plan, "/v/b,/v/c=0.9", &error), FM_OK);
    assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/c=-0.9", &error), FM_OK);
    assert_int_equal(fm_plan_close(&plan, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "/v/c"));
    fm_plan_free(&plan);
}

/* In the form of `fathom identify --json`. */
static void a_fit_is_drawn_with_its_deviations_and_correlations(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_sweep_plan plan = {.design = FM_DESIGN_SOBOL, .runs = 1 << 12, .seed = 9};
    write_file("draws_fit.json",
               "{\"parameters\": [\n  {\"path\": \"/v/drag/X_u\", \"unit\": \"kg/s\", \"start\": -4, \"value\": -5, "
               "\"deviation\": 0.5, \"low\": -6, \"high\": -4, \"correlation\": [1.000000, -0.700000]},\n"
               "  {\"path\": \"/v/mass/mass\", \"unit\": \"kg\", \"start\": 10, \"value\": 11, \"deviation\": 0.1, "
               "\"correlation\": [-0.700000, 1.000000]}],\n \"quantities\": []}\n");
    if (fm_plan_vary_fit(&plan, "draws_fit.json", &error) != FM_OK)
        fail_msg("%s", error.text);
    close_plan(&plan);
    assert_int_equal(plan.axis_count, 2);
    assert_string_equal(plan.axes[0].unit, "kg/s");
    double mean = 0, square = 0, values[2];
    for (size_t run = 0; run < plan.total; run++) {
        fm_plan_values(&plan, run, values);
        mean += values[1] / (double)plan.total;
        square += (values[1] - 11) * (values[1] - 11) / (double)plan.total;
    }
    assert_near(mean, 11, 0.001);
    assert_near(sqrt(square), 0.1, 0.001);
    assert_near(correlation_of(&plan, 0, 1), -0.7, 0.01);
    fm_plan_free(&plan);
    static const char *const broken[] = {"",
                                         "{}",
                                         "{\"parameters\": []}",
                                         "{\"parameters\": [{\"path\": \"/a",
                                         "{\"parameters\": [{\"path\": \"/a/b\", \"unit\": \"m\", \"value\": 1, "
                                         "\"deviation\": null, \"correlation\": [1]}]}",
                                         "{\"parameters\": [{\"path\": \"/a/b\", \"unit\": \"m\", \"value\": 1, "
                                         "\"deviation\": 1, \"correlation\": []}]}"};
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        fm_sweep_plan other = {.runs = 1};
        write_file("draws_fit.json", broken[i]);
        assert_int_equal(fm_plan_vary_fit(&other, "draws_fit.json", &error), FM_ERR_SYNTAX);
        fm_plan_free(&other);
    }
}

/* --- the Sobol sequence --- */

/* x^n modulo a polynomial over two elements of this degree. */
static uint32_t power_of_x(uint64_t n, uint32_t polynomial, uint32_t degree)
{
    uint32_t result = 1, base = 2;
    if (degree == 1)
        base = 1; /* x = 1 modulo x + 1 */
    for (; n; n >>= 1) {
        uint32_t factor[2] = {result, base};
        for (int k = 0; k < 2; k++) {
            uint32_t product = 0;
            for (uint32_t i = 0, a = factor[k]; i < degree; i++) {
                if (base >> i & 1)
                    product ^= a;
                a <<= 1;
                if (a >> degree & 1)
                    a ^= polynomial;
            }
            factor[k] = product;
        }
        if (n & 1)
            result = factor[0];
        base = factor[1];
    }
    return result;
}

/* Of degree s: x has the order 2^s − 1, and no smaller one. Each polynomial occurs once, first numbers are odd and less
 * than 2^k. */
static void directions_of_sobol_come_from_primitive_polynomials(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < FM_SOBOL_AXES - 1; i++) {
        const fm_sobol_row *row = &fm_sobol_rows[i];
        const uint32_t s = row->degree, polynomial = 1u << s | row->coefficients << 1 | 1, order = (1u << s) - 1;
        assert_int_equal(power_of_x(order, polynomial, s), 1);
        for (uint32_t d = 1; d < order; d++)
            if (order % d == 0)
                assert_int_not_equal(power_of_x(d, polynomial, s), 1);
        for (size_t k = 0; k < i; k++)
            assert_different(1u << fm_sobol_rows[k].degree | fm_sobol_rows[k].coefficients,
                             1u << s | row->coefficients);
        for (uint32_t k = 0; k < s; k++) {
            assert_int_equal(row->first[k] % 2, 1);
            assert_int_equal(row->first[k] >> (k + 1), 0);
        }
    }
}

/* --- designs for sensitivity --- */

static void saltelli_points_exchange_one_number_of_a_pair(void **unused)
{
    (void)unused;
    enum { K = 3, PAIRS = 32 };
    fm_sweep_plan plan = {.design = FM_DESIGN_SALTELLI, .runs = PAIRS, .seed = 2};
    double v[K + 2][K];
    add(&plan, "/v/a~uniform(0,1)");
    add(&plan, "/v/b~normal(0,1)");
    add(&plan, "/v/c=1,2,3,4");
    close_plan(&plan);
    assert_int_equal(plan.total, PAIRS * (K + 2));
    int seen[2][PAIRS] = {{0}};
    for (size_t pair = 0; pair < PAIRS; pair++) {
        for (size_t i = 0; i < K + 2; i++) {
            fm_plan_values(&plan, pair * (K + 2) + i, v[i]);
            assert_int_equal(fm_plan_seed(&plan, pair * (K + 2) + i), 2 + pair);
        }
        for (size_t i = 0; i < K; i++)
            for (size_t k = 0; k < K; k++)
                assert_same(v[2 + i][k], v[i == k][k]);
        assert_different(v[0][0], v[1][0]);
        assert_different(v[0][1], v[1][1]);
        for (size_t i = 0; i < 2; i++) /* each of the two is a point of a sequence */
            assert_int_equal(seen[i][(int)(v[i][0] * PAIRS)]++, 0);
    }
    fm_plan_free(&plan);
}

static void a_path_of_morris_moves_along_each_axis_once(void **unused)
{
    (void)unused;
    enum { K = 5, PATHS = 40 };
    fm_sweep_plan plan = {.design = FM_DESIGN_MORRIS, .runs = PATHS, .seed = 4};
    for (size_t i = 0; i < K; i++) {
        char text[40];
        snprintf(text, sizeof text, "/v/p%zu~uniform(0,3)", i);
        add(&plan, text);
    }
    close_plan(&plan);
    assert_int_equal(plan.total, PATHS * (K + 1));
    size_t first_moves[K] = {0};
    for (size_t path = 0; path < PATHS; path++) {
        double before[K], now[K];
        int moved[K] = {0};
        fm_plan_values(&plan, path * (K + 1), before);
        for (size_t step = 1; step <= K; step++, memcpy(before, now, sizeof now)) {
            size_t axis = K;
            fm_plan_values(&plan, path * (K + 1) + step, now);
            for (size_t i = 0; i < K; i++) {
                assert_near(now[i], round(now[i]), 1e-12); /* levels are 0, 1, 2, 3 */
                if (now[i] != before[i]) {
                    assert_int_equal(axis, K);
                    axis = i;
                }
            }
            assert_near(fabs(now[axis] - before[axis]), 2, 1e-12);
            assert_int_equal(moved[axis]++, 0);
            first_moves[axis] += step == 1;
        }
    }
    for (size_t i = 0; i < K; i++)
        assert_at_least(first_moves[i], 1); /* in another order each time */
    fm_plan_free(&plan);
}

static void designs_for_sensitivity_refuse_what_is_not_independent(void **unused)
{
    (void)unused;
    static const fm_design designs[] = {FM_DESIGN_SALTELLI, FM_DESIGN_MORRIS};
    for (size_t d = 0; d < 2; d++) {
        fm_error error = {0};
        fm_sweep_plan plan = {.design = designs[d], .runs = 8};
        assert_int_equal(fm_plan_close(&plan, &error), FM_ERR_ARGUMENT);
        add(&plan, "/v/a~normal(0,1)");
        add(&plan, "/v/b~normal(0,1)");
        assert_int_equal(fm_plan_correlate(&plan, "/v/a,/v/b=0.9", &error), FM_OK);
        assert_int_equal(fm_plan_close(&plan, &error), FM_ERR_ARGUMENT);
        fm_plan_free(&plan);
        plan = (fm_sweep_plan){.design = designs[d], .runs = 8};
        add(&plan, "/world/seed=1:9:1");
        assert_int_equal(fm_plan_close(&plan, &error), FM_ERR_ARGUMENT);
        fm_plan_free(&plan);
    }
}

static void more_than_21_parameters_vary(void **unused)
{
    (void)unused;
    fm_sweep_plan plan = {.design = FM_DESIGN_SALTELLI, .runs = 256, .seed = 1};
    double values[FM_AXES_MOST], sum[FM_AXES_MOST] = {0};
    for (size_t i = 0; i < FM_AXES_MOST; i++) {
        char text[40];
        snprintf(text, sizeof text, "/v/p%zu~uniform(0,1)", i);
        add(&plan, text);
    }
    fm_error error = {0};
    assert_int_equal(fm_plan_vary(&plan, "/v/more=1", &error), FM_ERR_FULL);
    close_plan(&plan);
    for (size_t pair = 0; pair < 256; pair++) {
        fm_plan_values(&plan, pair * fm_plan_group(&plan) + 1, values);
        for (size_t i = 0; i < FM_AXES_MOST; i++)
            sum[i] += values[i] / 256;
    }
    for (size_t i = 0; i < FM_AXES_MOST; i++)
        assert_near(sum[i], 0.5, 0.01);
    fm_plan_free(&plan);
}

/* --- points --- */

static fm_status read_points(const char *text, fm_sweep_plan *plan, fm_error *error)
{
    *plan = (fm_sweep_plan){.runs = 2, .seed = 3};
    write_file("draws_points.csv", text);
    return fm_plan_vary_points(plan, "draws_points.csv", error);
}

static void points_of_a_table_are_run_in_its_order(void **unused)
{
    (void)unused;
    fm_sweep_plan plan;
    fm_error error = {0};
    char value[64];
    assert_int_equal(read_points("\xEF\xBB\xBF# a comment\nrun,/v/mass/mass [kg],note,/v/integrator,/v/at\n"
                                 "0,11.5,\"a, b\",heun,\"0 0 5 m\"\r\n\n1, 12 ,,rk4,0 0 9 m\n2,13,x,heun,0 0 5 m",
                                 &plan, &error),
                     FM_OK);
    add(&plan, "/v/b~uniform(0,1)");
    close_plan(&plan);
    assert_int_equal(plan.axis_count, 4);
    assert_int_equal(plan.total, 6);
    assert_string_equal(plan.axes[0].unit, "kg");
    static const double masses[] = {11.5, 12, 13};
    double values[4], other[4];
    for (size_t run = 0; run < 6; run++) {
        fm_plan_values(&plan, run, values);
        assert_same(values[0], masses[run / 2]);
        assert_string_equal(fm_axis_write(&plan.axes[1], values[1], value, sizeof value),
                            run / 2 == 1 ? "rk4" : "heun");
        assert_string_equal(fm_axis_write(&plan.axes[2], values[2], value, sizeof value),
                            run / 2 == 1 ? "0 0 9 m" : "0 0 5 m");
        assert_int_equal(fm_plan_seed(&plan, run), 3 + run % 2);
        fm_plan_values(&plan, (run + 1) % 6, other);
        assert_different(values[3], other[3]);
    }
    fm_plan_free(&plan);
}

static void tables_that_are_no_points_are_refused_with_their_line(void **unused)
{
    (void)unused;
    static const struct {
        const char *text, *why;
        int line;
    } wrong[] = {{"", "empty", 1},
                 {"run,seed\n1,2\n", "named by the path", 1},
                 {"/v/a,/v/b\n", "no row", 2},
                 {"/v/a,/v/b\n1\n", "1 cells: must be 2", 2},
                 {"/v/a,/v/b\n1,2\n1,2,3\n", "3 cells: must be 2", 3},
                 {"/v/a,/v/b\n1,2\n1,x\n", "'x': must be a number", 3},
                 {"/v/a,/v/b\n1,2\n1,\n", "no value", 3},
                 {"/v/a,/v/b\n1,\"2\n", "quote", 3},
                 {"/v/a [kg,/v/b\n1,2\n", "']' is missing", 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_sweep_plan plan;
        fm_error error = {0};
        assert_int_equal(read_points(wrong[i].text, &plan, &error), FM_ERR_SYNTAX);
        if (!strstr(error.text, wrong[i].why) || error.line > wrong[i].line + 1 || error.line < wrong[i].line - 1)
            fail_msg("%s: line %d: %s", wrong[i].text, error.line, error.text);
        fm_plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_distribution_is_that_of_gsl_into_its_tails),
        cmocka_unit_test(quantiles_of_distributions_are_those_of_gsl),
        cmocka_unit_test(a_triangle_has_the_quantiles_of_its_areas),
        cmocka_unit_test(a_lognormal_number_has_the_mean_and_deviation_given),
        cmocka_unit_test(distributions_without_sense_are_refused),
        cmocka_unit_test(draws_have_the_correlations_given),
        cmocka_unit_test(correlations_that_contradict_each_other_are_refused),
        cmocka_unit_test(a_fit_is_drawn_with_its_deviations_and_correlations),
        cmocka_unit_test(directions_of_sobol_come_from_primitive_polynomials),
        cmocka_unit_test(saltelli_points_exchange_one_number_of_a_pair),
        cmocka_unit_test(a_path_of_morris_moves_along_each_axis_once),
        cmocka_unit_test(designs_for_sensitivity_refuse_what_is_not_independent),
        cmocka_unit_test(more_than_21_parameters_vary),
        cmocka_unit_test(points_of_a_table_are_run_in_its_order),
        cmocka_unit_test(tables_that_are_no_points_are_refused_with_their_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
