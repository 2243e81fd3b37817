/* Sonar nodes, weights, threat and held frames of the REMUS bottom follower. */
#include "support/cmocka_all.h"

#include <stddef.h>

#include "control/remus_case.h"

static void the_threat_of_the_4_m_rise_is_that_of_the_reference_at_every_point(void **state)
{
    (void)state;
    static const double points[][5] = {/* X, Z [m], theta [deg], stabilised, unstabilised */
                                       {0.2, 17.0, 0, 0.2552828570888011, 0.2552828570888011},
                                       {45.2, 17.0, 0, 1.7669325680030084, 1.7669325680030084},
                                       {50.2, 17.0, 0, 6.170334700565649, 6.170334700565649},
                                       {55.2, 17.0, 0, 10.448672453228163, 10.448672453228163},
                                       {55.2, 15.0, 0, 10.448672453228163, 10.448672453228163},
                                       {50.2, 15.5, 20, 6.8559819724268625, 0},
                                       {50.2, 17.0, 20, 6.170334700565649, 0},
                                       {50.2, 17.0, -10, 6.170334700565649, 1.2232901528434401},
                                       {80.2, 14.0, 0, 2.9082200417683906, 2.9082200417683906},
                                       {80.2, 13.5, 0, 1.2547804951061683, 1.2547804951061683}};
    static bottom bed;
    make_rise(&bed, 0.5, 60);
    const fm_threat_params level = remus_threat(3, 1), pitched = remus_threat(3, 0);
    for (size_t i = 0; i < sizeof points / sizeof points[0]; i++) {
        const double *p = points[i];
        const double a = threat_at(&level, &bed, p[0], p[1], p[2] * FM_DEGREE);
        const double b = threat_at(&pitched, &bed, p[0], p[1], p[2] * FM_DEGREE);
        assert_near(a, p[3], 1e-9 * p[3]);
        assert_near(b, p[4], 1e-9 * p[4]);
    }
}

static void weights_are_greatest_straight_ahead_and_vanish_at_the_edge_of_the_zone(void **state)
{
    (void)state;
    const fm_threat_params p = remus_threat(3, 1);
    assert_same(fm_threat_range_weight(&p, 0), 1.3);
    assert_same(fm_threat_range_weight(&p, 20), 0);
    assert_same(fm_threat_range_weight(&p, 35), 0);
    assert_nearer(fm_threat_range_weight(&p, 10), 0.65, 1e-15);
    assert_same(fm_threat_bearing_weight(&p, 0), 1);
    assert_nearer(fm_threat_bearing_weight(&p, 5 * FM_DEGREE), 0.5 * (1 + cos(FM_PI / 4)), 1e-15);
    assert_same(fm_threat_bearing_weight(&p, 10.001 * FM_DEGREE), 0);
    assert_same(fm_threat_bearing_weight(&p, -3 * FM_DEGREE), fm_threat_bearing_weight(&p, 3 * FM_DEGREE));
}

static void a_range_weight_that_does_not_vanish_is_linear_up_to_the_end_of_the_zone_and_zero_beyond(void **state)
{
    (void)state;
    fm_threat_params p = remus_threat(3, 1);
    p.weight = 0.2, p.end = 0.15;
    assert_same(fm_threat_range_weight(&p, 0), 0.2);
    assert_nearer(fm_threat_range_weight(&p, 10), 0.175, 1e-15);
    assert_nearer(fm_threat_range_weight(&p, 20 - 1e-9), 0.15, 1e-9);
    assert_same(fm_threat_range_weight(&p, 20), 0);
    assert_same(fm_threat_range_weight(&p, 35), 0);
}

static void nodes_behind_the_vehicle_or_on_it_are_no_threat(void **state)
{
    (void)state;
    const fm_threat_params p = remus_threat(3, 1);
    assert_same(fm_threat_of_node(&p, -1, 0, 0), 0);
    assert_same(fm_threat_of_node(&p, 0, 0, 0), 0);
    assert_greater(fm_threat_of_node(&p, 1, 0, 0), 1.2);
}

static void extra_nodes_out_of_sight_do_not_change_a_bit(void **state)
{
    (void)state;
    static bottom bed;
    make_rise(&bed, 0.5, 60);
    const fm_threat_params p = remus_threat(3, 1);
    const double few = fm_threat_of_nodes(&p, 0, bed.depth, 100, 82, 50.2, 17, 0);
    const double many = fm_threat_of_nodes(&p, 0, bed.depth, 0, 1000, 50.2, 17, 0);
    assert_same(few, many);
    assert_greater(few, 6);
}

static void a_frame_is_held_for_its_interval_and_a_continuous_sonar_for_none(void **state)
{
    (void)state;
    fm_threat_params p = remus_threat(3, 1);
    fm_threat_state s = {0};
    for (int i = 0; i < 20000; i++) /* 1000 s of 0.05 s: frames at multiples of 50 steps without drift */
        assert_same(fm_threat_hold(&p, &s, i, 0.05), i - i % 50);
    p.frame = 0;
    for (int i = 0; i < 100; i++)
        assert_same(fm_threat_hold(&p, &s, i, 0.05), i);
}

static void the_ordered_altitude_is_3_m_plus_gain_times_threat(void **state)
{
    (void)state;
    const fm_threat_params p = remus_threat(3, 1);
    assert_same(fm_threat_altitude(&p, 0), 3);
    assert_same(fm_threat_altitude(&p, 2), 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_threat_of_the_4_m_rise_is_that_of_the_reference_at_every_point),
        cmocka_unit_test(weights_are_greatest_straight_ahead_and_vanish_at_the_edge_of_the_zone),
        cmocka_unit_test(a_range_weight_that_does_not_vanish_is_linear_up_to_the_end_of_the_zone_and_zero_beyond),
        cmocka_unit_test(nodes_behind_the_vehicle_or_on_it_are_no_threat),
        cmocka_unit_test(extra_nodes_out_of_sight_do_not_change_a_bit),
        cmocka_unit_test(a_frame_is_held_for_its_interval_and_a_continuous_sonar_for_none),
        cmocka_unit_test(the_ordered_altitude_is_3_m_plus_gain_times_threat),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
