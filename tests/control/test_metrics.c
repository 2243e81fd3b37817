/* Measures of a trajectory against signals whose measures are known. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "control/metrics.h"

static void a_sine_has_its_known_extremes_and_mean(void **state)
{
    (void)state;
    fm_measure m = {0};
    for (int i = 0; i < 3600; i++)
        fm_measure_add(&m, 5 + 2 * sin(i * FM_DEGREE));
    assert_nearer(m.low, 3, 1e-12);
    assert_nearer(m.high, 7, 1e-12);
    assert_nearer(fm_measure_range(&m), 4, 1e-12);
    assert_nearer(fm_measure_mean(&m), 5, 1e-12);
    assert_same(m.count, 3600);
}

static void an_unwanted_sample_leaves_no_trace(void **state)
{
    (void)state;
    fm_measure m = {0};
    fm_measure_add_where(&m, 0, -100);
    assert_same(m.count, 0);
    assert_same(m.low, 0);
    fm_measure_add_where(&m, 1, 4);
    fm_measure_add_where(&m, 0, -100);
    assert_same(m.count, 1);
    assert_same(m.low, 4);
    assert_same(m.high, 4);
}

/* Turning points above the threshold of a signal of straight pieces between the given values. */
static double turning_points(const double *values, int count, double threshold)
{
    fm_reversals r = {0};
    for (int i = 0; i + 1 < count; i++)
        for (int k = 0; k <= 50; k++)
            fm_reversals_add(&r, values[i] + (values[i + 1] - values[i]) * k / 50, threshold);
    return r.count;
}

static void only_swings_above_the_threshold_are_reversals(void **state)
{
    (void)state;
    assert_same(turning_points((double[]){0, 30, 0}, 3, 10), 1);
    assert_same(turning_points((double[]){0, 30}, 2, 10), 0);
    assert_same(turning_points((double[]){0, -30}, 2, 10), 0); /* the start is not a turning point */
    assert_same(turning_points((double[]){0, -30, 0}, 3, 10), 1);
    assert_same(turning_points((double[]){0, 30, 22, 40, 0}, 5, 10), 1); /* 8 down on the way up does not count */
    assert_same(turning_points((double[]){0, 30, 0, 30, 0, 30}, 6, 10), 4);
    assert_same(turning_points((double[]){0, 9, 0, 9, 0}, 5, 10), 0);
    assert_same(turning_points((double[]){0, 7, -6, 40}, 4, 10), 2);
}

/* Straight along `psi0` to the origin of the turn, then a circle of `radius`, sense +1 starboard. */
static fm_turn circle(double radius, double psi0, double sense, double x0, double y0)
{
    fm_turn t = {0};
    for (int i = 0; i <= 900; i++) {
        const double turned = sense * i * 0.01, psi = psi0 + turned;
        const double x = x0 + sense * radius * (sin(psi) - sin(psi0)), y = y0 - sense * radius * (cos(psi) - cos(psi0));
        fm_turn_add(&t, x, y, fm_angle_positive(fm_angle_wrap_pi(psi)), FM_PI);
    }
    return t;
}

static void a_perfect_circle_has_advance_and_transfer_of_its_radius(void **state)
{
    (void)state;
    for (int k = 0; k < 8; k++) {
        const double sense = k % 2 ? 1 : -1;
        const fm_turn t = circle(23.7, 0.8 * k, sense, 100 * k, -40);
        assert_nearer(t.advance, 23.7, 1e-2);
        assert_nearer(t.transfer, 23.7, 1e-2);
        assert_nearer(t.diameter, 2 * 23.7, 1e-2);
        assert_nearer(fm_turn_radius(&t), 23.7, 1e-8);
        assert_nearer(t.turned, sense * 9, 1e-9);
    }
}

static void a_straight_run_has_no_turning_circle(void **state)
{
    (void)state;
    fm_turn t = {0};
    for (int i = 0; i < 100; i++)
        fm_turn_add(&t, i, 2 * i, 1, 0);
    assert_same(t.quarter, 0);
    assert_same(t.half, 0);
    assert_same(fm_turn_radius(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sine_has_its_known_extremes_and_mean),
        cmocka_unit_test(an_unwanted_sample_leaves_no_trace),
        cmocka_unit_test(only_swings_above_the_threshold_are_reversals),
        cmocka_unit_test(a_perfect_circle_has_advance_and_transfer_of_its_radius),
        cmocka_unit_test(a_straight_run_has_no_turning_circle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
