/* PID: steady state, limits, anti-windup, derivative on measurement, angles. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "control/pid.h"

static const fm_pid_params wide = {.kp = 2, .ki = 1, .kd = 0.5, .low = -1e9, .high = 1e9};

static void the_short_way_round_is_less_than_half_a_turn(void **state)
{
    (void)state;
    for (double a = -50; a < 50; a += 0.037) {
        assert_near(fm_angle_wrap_pi(a), 0, FM_PI + 1e-12);
        assert_nearer(sin(fm_angle_wrap_pi(a)), sin(a), 1e-13);
        assert_nearer(cos(fm_angle_wrap_pi(a)), cos(a), 1e-13);
        const double heading = fm_angle_positive(fm_angle_wrap_pi(a));
        assert_at_least(heading, 0);
        assert_less(heading, 2 * FM_PI);
    }
    assert_at_least(fm_angle_positive(-1e-18), 0);
    assert_less(fm_angle_positive(-1e-18), 2 * FM_PI);
}

static void a_first_order_plant_under_load_reaches_the_set_point(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    double y = 0;
    for (int i = 0; i < 4000; i++)
        y += 0.01 * (fm_pid_step(&wide, &s, 3, y, &d, 0.01) - y - 0.7);
    assert_nearer(y, 3, 1e-6);
    assert_nearer(s.output, 3.7, 1e-6); /* the integral carries the load */
}

static void a_jump_of_the_set_point_gives_no_derivative_kick(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    const fm_pid_params p = {.kp = 2, .kd = 100, .low = -1e9, .high = 1e9};
    fm_pid_step(&p, &s, 0, 0, &d, 0.01);
    assert_same(fm_pid_step(&p, &s, 1, 0, &d, 0.01), 2);
}

static void the_first_measurement_gives_no_derivative(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    const fm_pid_params p = {.kp = 1, .kd = 5, .low = -1e9, .high = 1e9};
    assert_same(fm_pid_step(&p, &s, 10, 8, &d, 0.01), 2);
}

static void the_filtered_derivative_of_a_ramp_is_its_slope_after_a_few_time_constants(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    const fm_pid_params p = {.kd = 1, .filter = 0.2, .low = -1e9, .high = 1e9};
    double early = 0, late = 0;
    for (int i = 0; i <= 200; i++) {
        late = fm_pid_step(&p, &s, 0, 3 * 0.01 * i, &d, 0.01);
        if (i == 20)
            early = late;
    }
    assert_nearer(late, -3, 1e-3);
    assert_nearer(early + 3 * (1 - exp(-1)), 0, 0.1); /* one time constant */
}

/* Seconds until a saturated integrator plant is back within 0.05 of the set point for good. */
static double settling_time(fm_pid_params p)
{
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    double y = 0, last = 0;
    for (int i = 0; i < 10000; i++) {
        y += 0.01 * fm_pid_step(&p, &s, 10, y, &d, 0.01);
        if (fabs(y - 10) > 0.05)
            last = 0.01 * i;
    }
    return last;
}

static void both_anti_windups_settle_much_earlier_than_a_wound_up_integral(void **state)
{
    (void)state;
    const fm_pid_params limited = {.kp = 1, .ki = 0.5, .low = -1, .high = 1};
    fm_pid_params back = limited, never = limited;
    back.tracking = 1;
    never.tracking = 1e9;
    assert_less(settling_time(limited), 0.7 * settling_time(never));
    assert_less(settling_time(back), 0.7 * settling_time(never));
}

static void without_integral_gain_saturation_leaves_no_trace(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    const fm_pid_params p = {.kp = 100, .low = -1, .high = 1, .tracking = 1};
    for (int i = 0; i < 100; i++)
        assert_same(fm_pid_step(&p, &s, 1, 0, &d, 0.1), 1);
    assert_same(s.integral, 0);
    assert_same(fm_pid_step(&p, &s, 0, 0, &d, 0.1), 0);
}

static void the_output_obeys_its_limits_and_its_rate(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    const fm_pid_params p = {.kp = 100, .low = -0.4, .high = 0.3, .rate = 0.5};
    double last = 0;
    for (int i = 0; i < 200; i++) {
        const double u = fm_pid_step(&p, &s, i < 100 ? 1 : -1, 0, &d, 0.01);
        assert_within(-0.4, u, 0.3);
        assert_near(u, last, 0.005 + 1e-15);
        last = u;
        if (i == 99)
            assert_same(u, 0.3);
    }
    assert_less(last, -0.19);
}

static void a_heading_error_across_north_goes_the_short_way(void **state)
{
    (void)state;
    fm_pid_state s = {0};
    const fm_pid_drive d = fm_pid_plain();
    const fm_pid_params p = {.kp = 1, .kd = 1, .low = -10, .high = 10, .wraps = 1};
    assert_nearer(fm_pid_step(&p, &s, 5 * FM_DEGREE, 355 * FM_DEGREE, &d, 0.1), 10 * FM_DEGREE, 1e-12);
    /* from 355 to 1 deg in 0.1 s is +60 deg/s, not -3540 */
    assert_nearer(fm_pid_step(&p, &s, 1 * FM_DEGREE, 1 * FM_DEGREE, &d, 0.1) + 60 * FM_DEGREE, 0, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_short_way_round_is_less_than_half_a_turn),
        cmocka_unit_test(a_first_order_plant_under_load_reaches_the_set_point),
        cmocka_unit_test(a_jump_of_the_set_point_gives_no_derivative_kick),
        cmocka_unit_test(the_first_measurement_gives_no_derivative),
        cmocka_unit_test(the_filtered_derivative_of_a_ramp_is_its_slope_after_a_few_time_constants),
        cmocka_unit_test(both_anti_windups_settle_much_earlier_than_a_wound_up_integral),
        cmocka_unit_test(without_integral_gain_saturation_leaves_no_trace),
        cmocka_unit_test(the_output_obeys_its_limits_and_its_rate),
        cmocka_unit_test(a_heading_error_across_north_goes_the_short_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
