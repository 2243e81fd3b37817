/* Line of sight, waypoints and station keeping. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>

#include "control/guidance.h"
#include "control/metrics.h"

static const fm_los_params sight = {.lookahead = 5, .radius = 2};

static void cross_track_is_positive_to_starboard_and_the_course_leads_back(void **state)
{
    (void)state;
    const double from[3] = {0, 0, 10}, to[3] = {100, 100, 20}, at[3] = {50, 60, 12};
    const fm_los r = fm_los_step(&sight, from, to, at, NULL, 0.1);
    assert_nearer(r.track, FM_PI / 4, 1e-15);
    assert_nearer(r.cross, 10 / sqrt(2), 1e-12);
    assert_nearer(r.along, 110 / sqrt(2), 1e-12);
    assert_nearer(r.course, FM_PI / 4 - atan(10 / sqrt(2) / 5), 1e-12);
    assert_nearer(r.depth, 15.5, 1e-12); /* 55 % of the way down the segment */
    assert_nearer(r.slope + atan(10 / sqrt(20000)), 0, 1e-12);
    assert_same(r.arrived, 0);
}

static void beyond_its_ends_a_segment_keeps_the_depth_of_the_end(void **state)
{
    (void)state;
    const double from[3] = {0, 0, 10}, to[3] = {10, 0, 20}, before[3] = {-5, 0, 0}, after[3] = {15, 0, 0};
    assert_same(fm_los_project(from, to, before).depth, 10);
    assert_same(fm_los_project(from, to, after).depth, 20);
}

static void a_segment_of_no_length_points_at_its_end(void **state)
{
    (void)state;
    const double from[3] = {5, 5, 0}, to[3] = {5, 5, 30}, at[3] = {5, 2, 1};
    const fm_los r = fm_los_step(&sight, from, to, at, NULL, 0.1);
    assert_nearer(r.course, FM_PI / 2, 1e-12);
    assert_nearer(r.remaining, 3, 1e-12);
    assert_same(r.depth, 30);
    const fm_los there = fm_los_step(&sight, to, to, to, NULL, 0.1);
    assert_same(there.arrived, 1);
    assert_true(isfinite(there.course));
}

/* Cross-track error [m] after 200 s at 1.5 m/s beside a North track in a current to the East [m/s]. */
static double error_in_current(double integral)
{
    const fm_los_params p = {.lookahead = 8, .radius = 1, .integral = integral};
    const double from[3] = {0, 0, 0}, to[3] = {1e4, 0, 0};
    double at[3] = {0, 6, 0}, sum = 0;
    for (int i = 0; i < 6000; i++) {
        const fm_los r = fm_los_step(&p, from, to, at, &sum, 0.1);
        at[0] += 0.1 * 1.5 * cos(r.course);
        at[1] += 0.1 * (1.5 * sin(r.course) + 0.4);
    }
    return at[1];
}

static void without_integral_a_current_holds_the_vehicle_off_its_track_by_the_closed_form(void **state)
{
    (void)state;
    /* U sin(atan(e/D)) = V, so that e = D V / sqrt(U2 - V2) */
    assert_nearer(error_in_current(0), 8 * 0.4 / sqrt(1.5 * 1.5 - 0.4 * 0.4), 1e-6);
}

static void with_integral_the_track_is_kept_in_a_current(void **state)
{
    (void)state;
    assert_nearer(error_in_current(0.3), 0, 0.01);
}

static void waypoints_are_taken_in_order_and_the_last_one_ends_the_list(void **state)
{
    (void)state;
    static const double points[3][3] = {{20, 0, 5}, {20, 20, 5}, {0, 20, 8}};
    const fm_waypoints list = {.points = points, .count = 3};
    fm_waypoints_state s = {0};
    fm_measure off = {0};
    double at[3] = {0, 0, 5}, time = 0;
    while (s.done < 0.5 && time < 200) {
        const double target = s.target;
        const fm_los r = fm_waypoints_step(&list, &sight, &s, at, 0.1);
        if (s.target != target)
            assert_same(s.target, target + 1);
        at[0] += 0.1 * cos(r.course);
        at[1] += 0.1 * sin(r.course);
        at[2] = r.depth;
        time += 0.1;
        fm_measure_add(&off, r.cross * r.cross);
    }
    assert_same(s.done, 1);
    assert_same(s.reached, 3);
    assert_same(s.target, 2);
    assert_between(50, time, 65); /* 60 m at 1 m/s, corners cut */
    assert_less(hypot(at[0], at[1] - 20), 2.1);
    assert_less(sqrt(fm_measure_mean(&off)), 1);
}

static void a_loop_begins_again_at_the_first_waypoint(void **state)
{
    (void)state;
    static const double points[2][3] = {{10, 0, 0}, {0, 0, 0}};
    const fm_waypoints list = {.points = points, .count = 2, .loop = 1};
    fm_waypoints_state s = {0};
    double at[3] = {0, 0, 0};
    for (int i = 0; i < 1000; i++) {
        const fm_los r = fm_waypoints_step(&list, &sight, &s, at, 0.1);
        at[0] += 0.1 * cos(r.course);
        at[1] += 0.1 * sin(r.course);
    }
    assert_same(s.done, 0);
    assert_at_least(s.reached, 6);
}

static void passing_abeam_counts_only_where_it_is_allowed(void **state)
{
    (void)state;
    const double from[3] = {0, 0, 0}, to[3] = {10, 0, 0}, at[3] = {10.5, 30, 0};
    fm_los_params p = sight;
    assert_same(fm_los_step(&p, from, to, at, NULL, 0.1).arrived, 0);
    assert_nearer(fm_los_step(&p, from, to, at, NULL, 0.1).course, atan2(-30, -0.5), 1e-12); /* it turns back */
    p.pass = 1;
    assert_same(fm_los_step(&p, from, to, at, NULL, 0.1).arrived, 1);
    p.height = 1;
    const double deep[3] = {10, 0, 5};
    assert_same(fm_los_step(&p, from, to, deep, NULL, 0.1).arrived, 0);
}

static void a_station_is_kept_in_a_current_at_any_heading(void **state)
{
    (void)state;
    const fm_station_params p = {.kp = {60, 60}, .ki = {8, 8}, .kd = {90, 90}, .limit = {60, 60}};
    for (double psi = -3; psi <= 3; psi += 1.5) {
        fm_station_state s = {0};
        fm_measure off = {0};
        double at[3] = {2, -1, 1}, v[3] = {0, 0, 0}; /* North, East, Down */
        for (int i = 0; i < 12000; i++) {
            const double error[3] = {-at[0], -at[1], -at[2]};
            const double body[3] = {cos(psi) * v[0] + sin(psi) * v[1], cos(psi) * v[1] - sin(psi) * v[0], v[2]};
            double f[3];
            fm_station_step(&p, &s, error, body, psi, 0.01, f);
            assert_at_most(hypot(f[0], f[1]), 60 * (1 + 1e-12));
            assert_near(f[2], 0, 60);
            /* 200 kg with linear drag 100 kg/s in a current of 0.2 m/s to the North */
            const double north = cos(psi) * f[0] - sin(psi) * f[1], east = sin(psi) * f[0] + cos(psi) * f[1];
            v[0] += 0.01 * (north - 100 * (v[0] - 0.2)) / 200;
            v[1] += 0.01 * (east - 100 * v[1]) / 200;
            v[2] += 0.01 * (f[2] - 100 * v[2] + 5) / 200;
            for (int k = 0; k < 3; k++)
                at[k] += 0.01 * v[k];
            if (i > 6000)
                fm_measure_add(&off, at[0] * at[0] + at[1] * at[1] + at[2] * at[2]);
        }
        assert_less(sqrt(fm_measure_mean(&off)), 0.01);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cross_track_is_positive_to_starboard_and_the_course_leads_back),
        cmocka_unit_test(beyond_its_ends_a_segment_keeps_the_depth_of_the_end),
        cmocka_unit_test(a_segment_of_no_length_points_at_its_end),
        cmocka_unit_test(without_integral_a_current_holds_the_vehicle_off_its_track_by_the_closed_form),
        cmocka_unit_test(with_integral_the_track_is_kept_in_a_current),
        cmocka_unit_test(waypoints_are_taken_in_order_and_the_last_one_ends_the_list),
        cmocka_unit_test(a_loop_begins_again_at_the_first_waypoint),
        cmocka_unit_test(passing_abeam_counts_only_where_it_is_allowed),
        cmocka_unit_test(a_station_is_kept_in_a_current_at_any_heading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
