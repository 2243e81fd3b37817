/* Gains of the REMUS depth autopilot against an independent design, and Ackermann's formula against LAPACK's
 * eigenvalues. */
#include "support/near.h"

#include <stddef.h>
#include <stdlib.h>

#include "control/remus_case.h"
#include "support/eigen.h"

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Eigenvalues of a (n x n): real parts ascending; imaginary parts must vanish. */
static void real_eigenvalues(int n, const double *a, double *values)
{
    double copy[64], imaginary[8];
    memcpy(copy, a, sizeof(double) * (size_t)(n * n));
    eigenvalues((size_t)n, copy, values, imaginary);
    for (int i = 0; i < n; i++)
        assert_nearer(imaginary[i], 0, 1e-4);
    qsort(values, (size_t)n, sizeof *values, ascending);
}

static fm_sliding_params remus_gains(fm_diving_model *model)
{
    const fm_diving_params params = remus_params(1.54);
    const fm_sliding_design design = remus_design();
    fm_sliding_params gains;
    fm_error error = {0};
    *model = fm_diving_derive(&params);
    if (fm_sliding_gains(model, &design, &gains, &error) != FM_OK)
        fail_msg("%s", error.text);
    return gains;
}

static void the_remus_gains_are_those_of_the_reference_design(void **state)
{
    (void)state;
    static const double k[4] = {-1.1193960855487857, -0.08385101912098589, 0.023781275443222366, 0};
    static const double s[4] = {1.2441483597828948, -2.438297512648674, -3.834383200513981, 1};
    fm_diving_model model;
    const fm_sliding_params gains = remus_gains(&model);
    for (int i = 0; i < 4; i++) {
        assert_near(gains.k[i], k[i], 1e-10);
        assert_near(gains.s[i], s[i], 1e-10);
    }
    assert_near(gains.s[0] * model.b[0] + gains.s[1] * model.b[1], 8.952314132525832, 1e-9);
    assert_near(gains.eta, 0.12287325754169474, 1e-10);
}

static void the_remus_trim_is_that_of_the_reference(void **state)
{
    (void)state;
    fm_diving_model model;
    const fm_sliding_params gains = remus_gains(&model);
    assert_near(gains.trim_w, -0.06608054514539903, 1e-12);
    assert_near(gains.trim_theta / FM_DEGREE, -2.4585300939967953, 1e-10);
    assert_near(gains.trim_delta / FM_DEGREE, -2.942960000610453, 1e-10);
}

static void in_the_boundary_layer_the_closed_loop_has_the_chosen_poles_and_the_sliding_one(void **state)
{
    (void)state;
    double a[16], b[4], d[4], values[4];
    static const double expected[4] = {-2.2, -1.1, -1.05, -1.0};
    fm_diving_model model;
    const fm_sliding_params gains = remus_gains(&model);
    fm_diving_linear(&model, a, b, d);
    for (int i = 0; i < 16; i++)
        a[i] -= b[i / 4] * (gains.k[i % 4] + gains.eta / gains.phi * gains.s[i % 4]);
    real_eigenvalues(4, a, values);
    for (int i = 0; i < 4; i++)
        assert_near(values[i], expected[i], 1e-4);
}

static void placed_poles_are_the_eigenvalues_for_any_controllable_pair(void **state)
{
    (void)state;
    unsigned seed = 7;
    for (size_t n = 1; n <= 6; n++) {
        double a[36], b[6], k[6], values[6], poles[6];
        for (size_t i = 0; i < n * n; i++)
            a[i] = (double)(rand_r(&seed) % 2001 - 1000) / 500;
        for (size_t i = 0; i < n; i++) {
            b[i] = (double)(rand_r(&seed) % 2001 - 1000) / 500;
            poles[i] = -3 + 0.5 * (double)i;
        }
        assert_int_equal(fm_poles_assign(n, a, b, poles, k, NULL), FM_OK);
        for (size_t i = 0; i < n * n; i++)
            a[i] -= b[i / n] * k[i % n];
        real_eigenvalues((int)n, a, values);
        for (size_t i = 0; i < n; i++)
            assert_near(values[i], poles[i], 1e-6);
    }
}

static void a_state_that_the_input_cannot_reach_is_refused(void **state)
{
    (void)state;
    const double a[4] = {-1, 0, 0, -2}, b[2] = {1, 0}, poles[2] = {-3, -4};
    double k[2];
    fm_error error = {0};
    assert_int_equal(fm_poles_assign(2, a, b, poles, k, &error), FM_ERR_MODEL);
    assert_non_null(strstr(error.text, "does not control"));
}

static void a_matrix_without_a_pole_at_zero_has_no_sliding_surface(void **state)
{
    (void)state;
    const double regular[4] = {1, 0, 0, 1}, twice[9] = {0, 0, 0, 0, 0, 0, 0, 0, 1};
    double s[3];
    assert_int_equal(fm_dense_left_null(2, regular, s, NULL), FM_ERR_MODEL);
    assert_int_equal(fm_dense_left_null(3, twice, s, NULL), FM_ERR_MODEL);
}

static void designs_that_cannot_work_are_refused_with_the_value(void **state)
{
    (void)state;
    fm_diving_params params = remus_params(1.54);
    fm_diving_model model = fm_diving_derive(&params);
    fm_sliding_design design = remus_design();
    fm_sliding_params gains;
    fm_error error = {0};
    design.poles[1] = 0.5;
    assert_int_equal(fm_sliding_gains(&model, &design, &gains, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "0.5"));
    design = remus_design();
    design.phi = 0;
    assert_int_equal(fm_sliding_gains(&model, &design, &gains, &error), FM_ERR_RANGE);
    design = remus_design();
    params.speed = 0; /* without speed no plane force, in the scaled model */
    model = fm_diving_derive(&params);
    assert_int_equal(fm_sliding_gains(&model, &design, &gains, &error), FM_ERR_MODEL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_remus_gains_are_those_of_the_reference_design),
        cmocka_unit_test(the_remus_trim_is_that_of_the_reference),
        cmocka_unit_test(in_the_boundary_layer_the_closed_loop_has_the_chosen_poles_and_the_sliding_one),
        cmocka_unit_test(placed_poles_are_the_eigenvalues_for_any_controllable_pair),
        cmocka_unit_test(a_state_that_the_input_cannot_reach_is_refused),
        cmocka_unit_test(a_matrix_without_a_pole_at_zero_has_no_sliding_surface),
        cmocka_unit_test(designs_that_cannot_work_are_refused_with_the_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
