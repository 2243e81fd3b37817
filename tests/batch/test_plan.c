/* Plans of sweeps: which value each run has, and how evenly drawn values fill their range. */
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "support/near.h"

#include "studies/plan.h"
#include "studies/sobol_rows.h"

static fm_sweep_plan make(fm_design design, size_t runs, const char *first, const char *second)
{
    fm_sweep_plan plan = {.design = design, .runs = runs, .seed = 7};
    fm_error error = {0};
    if (fm_plan_vary(&plan, first, &error) != FM_OK || (second && fm_plan_vary(&plan, second, &error) != FM_OK) ||
        fm_plan_close(&plan, &error) != FM_OK)
        fail_msg("%s", error.text);
    return plan;
}

static void values_are_those_that_are_written(void **unused)
{
    (void)unused;
    fm_sweep_plan plan = make(FM_DESIGN_FACTORIAL, 2, "/v/a=0:0.3:0.1 deg", "/v/b=heun, rk4");
    static const double expected[] = {0, 0.1, 0.2, 0.3}; /* not 0.30000000000000004 */
    char text[64];
    assert_int_equal(plan.total, 16);
    for (size_t run = 0; run < plan.total; run++) {
        double values[FM_AXES_MOST];
        fm_plan_values(&plan, run, values);
        assert_same(values[0], expected[run / 4]);
        assert_same(values[1], (double)(run / 2 % 2));
        assert_int_equal(fm_plan_seed(&plan, run), 7 + run % 2);
    }
    assert_string_equal(fm_axis_write(&plan.axes[0], 0.3, text, sizeof text), "0.3 deg");
    assert_string_equal(fm_axis_write(&plan.axes[1], 1, text, sizeof text), "rk4");
    fm_plan_free(&plan);
    plan = make(FM_DESIGN_FACTORIAL, 1, "/v/a=1, 2.5,-3 m/s", "/world/seed=3:5:1");
    assert_string_equal(plan.axes[0].unit, "m/s");
    assert_int_equal(fm_plan_seed(&plan, 4), 4);
    fm_plan_free(&plan);
}

static void a_unit_stands_behind_the_last_number_or_behind_each(void **unused)
{
    (void)unused;
    static const char *const alike[] = {"/v/a=10,15,20 deg", "/v/a=10 deg, 15deg, 20 deg", "/v/a=10:20:5 deg",
                                        "/v/a= 10 deg : 20 deg : 5 deg ", "/v/a=10 : 20 : 5 deg"};
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
        fm_sweep_plan plan = make(FM_DESIGN_FACTORIAL, 1, alike[i], "/v/b~uniform(1 m,2 m)");
        assert_int_equal(plan.axes[0].kind, FM_AXIS_NUMBERS);
        assert_int_equal(plan.axes[0].count, 3);
        assert_string_equal(plan.axes[0].unit, "deg");
        assert_same(plan.axes[0].values[0], 10);
        assert_same(plan.axes[0].values[1], 15);
        assert_same(plan.axes[0].values[2], 20);
        assert_string_equal(plan.axes[1].unit, "m");
        fm_plan_free(&plan);
    }
    fm_sweep_plan plan = make(FM_DESIGN_FACTORIAL, 1, "/v/a=0 0 5 m,0 0 9 m", "/v/b=0.1,0.2 1/m");
    assert_int_equal(plan.axes[0].kind, FM_AXIS_WORDS);
    assert_string_equal(plan.axes[0].words[1], "0 0 9 m");
    assert_string_equal(plan.axes[1].unit, "1/m");
    fm_plan_free(&plan);
}

static void nonsense_is_refused_with_what_is_accepted(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {"/v/a",
                                        "=3",
                                        "/v/a=",
                                        "/v/a=1:2",
                                        "/v/a=1:2:-1",
                                        "/v/a=1:2:0",
                                        "/v/a~normal(1)",
                                        "/v/a~normal(1,-1)",
                                        "/v/a~cauchy(1,2)",
                                        "/v/a~uniform(2,1)",
                                        "/v/a~uniform(1,2",
                                        "/v/a=1:2:1:3 m",
                                        "/v/a=1 m:2 s:1 m",
                                        "/v/a=1,,2 m",
                                        "/v/a=1,2,",
                                        "/v/a=1,nan m",
                                        "/v/a=1,inf m",
                                        "/v/a=1 m,2",
                                        "/v/a=1 m,2 s,3",
                                        "/v/a~normal(1 m,2 s)"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_sweep_plan plan = {.runs = 1};
        fm_error error = {0};
        assert_int_equal(fm_plan_vary(&plan, wrong[i], &error), FM_ERR_SYNTAX);
        assert_non_null(strstr(error.text, "PATH~uniform(A,B)"));
        fm_plan_free(&plan);
    }
    fm_sweep_plan plan = {.runs = 1};
    fm_error error = {0};
    assert_int_equal(fm_plan_vary(&plan, "/v/a-b=1", &error), FM_OK);
    assert_int_equal(fm_plan_vary(&plan, "/v/a_b=2", &error), FM_ERR_NAME);
    fm_plan_free(&plan);
}

static void quantiles_of_the_normal_distribution_are_those_of_gsl(void **unused)
{
    (void)unused;
    for (double p = 1e-12; p < 1; p += p < 1e-3 ? p : 0.001) {
        double x = gsl_cdf_ugaussian_Pinv(p);
        assert_near(fm_normal_quantile(p), x, 2e-13 * (1 + fabs(x)));
    }
}

/* Of 2^k points one lies in each of 2^k equal intervals, on every axis; of the first two axes one in each of all
 * 2^i × 2^(k−i) boxes. */
static void sobol_points_lie_one_in_each_interval(void **unused)
{
    (void)unused;
    enum { K = 8, N = 1 << K };
    for (size_t axis = 0; axis < FM_SOBOL_AXES; axis++) {
        int seen[N] = {0};
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(seen[fm_sobol_point(axis, i) >> (32 - K)]++, 0);
    }
    for (int a = 1; a < K; a++) {
        int seen[N] = {0};
        for (uint32_t i = 0; i < N; i++)
            assert_int_equal(
                seen[fm_sobol_point(0, i) >> (32 - a) << (K - a) | fm_sobol_point(1, i) >> (32 - (K - a))]++, 0);
    }
}

/* ∫ ∏ (1 + (x − ½)) over the cube is 1: even points are nearer to it than random ones by far. */
static double integral_of(fm_design design)
{
    fm_sweep_plan plan = make(design, 1024, "/v/a~uniform(0,1)", "/v/b~uniform(0,1)");
    double sum = 0, values[FM_AXES_MOST];
    for (size_t run = 0; run < plan.total; run++) {
        fm_plan_values(&plan, run, values);
        sum += (0.5 + values[0]) * (0.5 + values[1]);
    }
    fm_plan_free(&plan);
    return sum / 1024;
}

static void even_points_integrate_better_than_random_ones(void **unused)
{
    (void)unused;
    assert_near(integral_of(FM_DESIGN_RANDOM), 1, 0.05);
    assert_near(integral_of(FM_DESIGN_LATIN), 1, 0.01);
    assert_near(integral_of(FM_DESIGN_SOBOL), 1, 0.001);
}

static void a_latin_hypercube_has_one_point_in_each_row(void **unused)
{
    (void)unused;
    enum { N = 50 };
    fm_sweep_plan plan = make(FM_DESIGN_LATIN, N, "/v/a~uniform(0,50)", "/v/b~uniform(0,50)");
    for (size_t axis = 0; axis < 2; axis++) {
        int seen[N] = {0};
        for (size_t run = 0; run < N; run++) {
            double values[FM_AXES_MOST];
            fm_plan_values(&plan, run, values);
            assert_int_equal(seen[(int)values[axis]]++, 0);
        }
    }
    fm_plan_free(&plan);
}

static void drawn_numbers_have_the_mean_and_deviation_asked_for(void **unused)
{
    (void)unused;
    enum { N = 4000 };
    fm_sweep_plan plan = make(FM_DESIGN_FACTORIAL, N, "/v/a~normal(3,0.5 m)", NULL);
    double sum = 0, squares = 0, values[FM_AXES_MOST];
    for (size_t run = 0; run < N; run++) {
        fm_plan_values(&plan, run, values);
        sum += values[0];
        squares += (values[0] - 3) * (values[0] - 3);
    }
    assert_near(sum / N, 3, 4 * 0.5 / sqrt(N)); /* four standard errors */
    assert_near(sqrt(squares / N), 0.5, 4 * 0.5 / sqrt(2.0 * N));
    fm_plan_free(&plan);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_that_are_written),
        cmocka_unit_test(a_unit_stands_behind_the_last_number_or_behind_each),
        cmocka_unit_test(nonsense_is_refused_with_what_is_accepted),
        cmocka_unit_test(quantiles_of_the_normal_distribution_are_those_of_gsl),
        cmocka_unit_test(sobol_points_lie_one_in_each_interval),
        cmocka_unit_test(even_points_integrate_better_than_random_ones),
        cmocka_unit_test(a_latin_hypercube_has_one_point_in_each_row),
        cmocka_unit_test(drawn_numbers_have_the_mean_and_deviation_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
