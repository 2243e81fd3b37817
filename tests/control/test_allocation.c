/* Thrust allocation: exact where it can be, honest where it cannot. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "control/allocation.h"

enum { EIGHT = 8 };

/* Eight thrusters of a vectored ROV: four horizontal at 45 deg, four vertical. */
/* Force and moment of 1 N at a place along a direction. */
static void column_of(const double position[3], const double direction[3], double column[6])
{
    for (size_t i = 0; i < 3; i++) {
        const size_t j = (i + 1) % 3, k = (i + 2) % 3;
        column[i] = direction[i];
        column[3 + i] = position[j] * direction[k] - position[k] * direction[j];
    }
}

static void rov_effect(double effect[6 * EIGHT])
{
    static const double places[EIGHT][3] = {{0.16, -0.11, 0.02}, {0.16, 0.11, 0.02}, {-0.16, -0.11, 0.02},
                                            {-0.16, 0.11, 0.02}, {0.12, -0.22, 0},   {0.12, 0.22, 0},
                                            {-0.12, -0.22, 0},   {-0.12, 0.22, 0}};
    static const double ways[EIGHT][3] = {{1, 1, 0}, {1, -1, 0}, {-1, 1, 0}, {-1, -1, 0},
                                          {0, 0, 1}, {0, 0, 1},  {0, 0, 1},  {0, 0, 1}};
    for (size_t i = 0; i < EIGHT; i++) {
        double column[6], unit[3],
            size = sqrt(ways[i][0] * ways[i][0] + ways[i][1] * ways[i][1] + ways[i][2] * ways[i][2]);
        for (size_t k = 0; k < 3; k++)
            unit[k] = ways[i][k] / size;
        column_of(places[i], unit, column);
        for (size_t r = 0; r < 6; r++)
            effect[r * EIGHT + i] = column[r];
    }
}

static fm_allocation build(size_t count, const double *effect, const double *weights, double limit)
{
    double low[FM_ALLOCATION_MAX], high[FM_ALLOCATION_MAX];
    fm_allocation a;
    fm_error error = {0};
    for (size_t i = 0; i < count; i++) {
        low[i] = -limit;
        high[i] = limit;
    }
    if (fm_allocation_build(&a, count, effect, weights, low, high, 0.3, &error) != FM_OK)
        fail_msg("%s", error.text);
    return a;
}

static fm_allocation rov(double limit)
{
    double effect[6 * EIGHT];
    rov_effect(effect);
    return build(EIGHT, effect, NULL, limit);
}

static double distance(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 6; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void within_limits(const fm_allocation *a, const double *thrust)
{
    for (size_t i = 0; i < a->count; i++)
        assert_within(a->low[i], thrust[i], a->high[i]);
}

static void a_force_off_the_axis_has_the_moment_of_its_arm(void **state)
{
    (void)state;
    double column[6];
    const double bow[3] = {1.41, 0, 0}, down[3] = {0, 0, 1}, starboard[3] = {0, 1, 0};
    column_of(bow, down, column);
    assert_same(column[2], 1);
    assert_nearer(column[4], -1.41, 1e-15); /* a push down at the bow turns the nose down */
    column_of(bow, starboard, column);
    assert_same(column[1], 1);
    assert_nearer(column[5], 1.41, 1e-15);
}

static void a_feasible_demand_is_given_exactly(void **state)
{
    (void)state;
    const fm_allocation a = rov(40);
    const double wanted[6] = {20, -15, 30, 1, -2, 3};
    double thrust[EIGHT], given[6];
    assert_int_equal(a.rank, 6);
    assert_same(fm_allocation_solve(&a, wanted, FM_SATURATION_SCALE, thrust), 1);
    fm_allocation_give(&a, thrust, given);
    assert_less(distance(given, wanted), 1e-12);
}

static void the_thrusts_are_the_smallest_that_give_the_demand(void **state)
{
    (void)state;
    const fm_allocation a = rov(1000);
    const double wanted[6] = {20, -15, 30, 1, -2, 3};
    double thrust[EIGHT], given[6];
    fm_allocation_solve(&a, wanted, FM_SATURATION_SCALE, thrust);
    /* This change of the horizontal thrusters gives no force; the smallest solution is at right angles to every such
     * change. */
    double nothing[EIGHT] = {1, 1, 1, 1, 0, 0, 0, 0}, along = 0;
    fm_allocation_give(&a, nothing, given);
    for (int i = 0; i < 6; i++)
        assert_nearer(given[i], 0, 1e-12);
    for (int i = 0; i < EIGHT; i++)
        along += thrust[i] * nothing[i];
    assert_nearer(along, 0, 1e-11);
}

static void a_heavier_weight_moves_thrust_to_the_others(void **state)
{
    (void)state;
    const double effect[12] = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, weights[2] = {1, 3}, wanted[6] = {8, 0, 0, 0, 0, 0};
    const fm_allocation a = build(2, effect, weights, 100);
    double thrust[2];
    fm_allocation_solve(&a, wanted, FM_SATURATION_SCALE, thrust);
    assert_nearer(thrust[0], 6, 1e-12);
    assert_nearer(thrust[1], 2, 1e-12);
}

static void a_saturated_demand_keeps_its_direction(void **state)
{
    (void)state;
    const fm_allocation a = rov(10);
    const double wanted[6] = {60, -20, 30, 1, -2, 3};
    for (int mode = FM_SATURATION_SCALE; mode <= FM_SATURATION_REDISTRIBUTE; mode++) {
        double thrust[EIGHT], given[6], part_of[6];
        const double part = fm_allocation_solve(&a, wanted, (fm_saturation)mode, thrust);
        assert_between(0.05, part, 1);
        within_limits(&a, thrust);
        fm_allocation_give(&a, thrust, given);
        for (int i = 0; i < 6; i++)
            part_of[i] = part * wanted[i];
        assert_less(distance(given, part_of), 1e-6);
    }
}

static void the_others_take_over_from_a_saturated_thruster(void **state)
{
    (void)state;
    /* Three thrusters on one line; the middle one is weak: scaling gives 3 N of 9, the others can give all of it. */
    const double effect[18] = {1, 1, 1}, low[3] = {-10, -1, -10}, high[3] = {10, 1, 10}, wanted[6] = {9, 0, 0, 0, 0, 0};
    fm_allocation a;
    double thrust[3];
    assert_int_equal(fm_allocation_build(&a, 3, effect, NULL, low, high, 1, NULL), FM_OK);
    assert_nearer(fm_allocation_solve(&a, wanted, FM_SATURATION_SCALE, thrust), 1.0 / 3, 1e-12);
    assert_same(fm_allocation_solve(&a, wanted, FM_SATURATION_REDISTRIBUTE, thrust), 1);
    assert_nearer(thrust[0], 4, 1e-8);
    assert_same(thrust[1], 1);
    assert_nearer(thrust[2], 4, 1e-8);
}

static void a_dead_thruster_is_replaced_by_the_other_seven(void **state)
{
    (void)state;
    double effect[6 * EIGHT], low[EIGHT], high[EIGHT], thrust[EIGHT], given[6];
    const double wanted[6] = {20, -5, 30, 0.5, -1, 1};
    fm_allocation a;
    rov_effect(effect);
    for (int i = 0; i < EIGHT; i++) {
        high[i] = i == 2 ? 0 : 60;
        low[i] = -high[i];
    }
    assert_int_equal(fm_allocation_build(&a, EIGHT, effect, NULL, low, high, 0.3, NULL), FM_OK);
    assert_same(fm_allocation_solve(&a, wanted, FM_SATURATION_REDISTRIBUTE, thrust), 1);
    fm_allocation_give(&a, thrust, given);
    assert_same(thrust[2], 0);
    assert_less(distance(given, wanted), 1e-6);
}

static void a_thruster_without_effect_is_left_alone(void **state)
{
    (void)state;
    const double effect[18] = {1, 0, 1}, wanted[6] = {4, 0, 0, 0, 0, 0};
    const fm_allocation a = build(3, effect, NULL, 10);
    double thrust[3];
    assert_same(fm_allocation_solve(&a, wanted, FM_SATURATION_SCALE, thrust), 1);
    assert_nearer(thrust[0], 2, 1e-12);
    assert_same(thrust[1], 0);
    assert_nearer(thrust[2], 2, 1e-12);
    const double none[6] = {0};
    const fm_allocation idle = build(1, none, NULL, 10);
    assert_int_equal(idle.rank, 0);
    assert_same(fm_allocation_solve(&idle, wanted, FM_SATURATION_REDISTRIBUTE, thrust), 1);
    assert_same(thrust[0], 0);
}

static void motions_without_authority_are_left_out_and_the_rest_is_exact(void **state)
{
    (void)state;
    /* The Phoenix's tunnels: two vertical, two lateral [m]. No surge, no roll. */
    static const double places[4][3] = {{0.43, 0, 0}, {-0.43, 0, 0}, {0.585, 0, 0}, {-0.585, 0, 0}};
    static const double ways[4][3] = {{0, 0, 1}, {0, 0, 1}, {0, 1, 0}, {0, 1, 0}};
    double effect[24], thrust[4], given[6];
    for (size_t i = 0; i < 4; i++) {
        double column[6];
        column_of(places[i], ways[i], column);
        for (size_t r = 0; r < 6; r++)
            effect[4 * r + i] = column[r];
    }
    const fm_allocation a = build(4, effect, NULL, 1e6);
    const double wanted[6] = {500, 3, 4, 200, 1, -2}, possible[6] = {0, 3, 4, 0, 1, -2};
    assert_int_equal(a.rank, 4);
    for (int mode = FM_SATURATION_SCALE; mode <= FM_SATURATION_REDISTRIBUTE; mode++) {
        assert_same(fm_allocation_solve(&a, wanted, (fm_saturation)mode, thrust), 1);
        fm_allocation_give(&a, thrust, given);
        assert_less(distance(given, possible), 1e-12);
    }
}

static void senseless_thrusters_are_refused_by_name(void **state)
{
    (void)state;
    const double effect[6] = {1}, low[1] = {1}, high[1] = {2}, bad[1] = {-1}, zero[1] = {0};
    fm_allocation a;
    fm_error error = {0};
    assert_int_equal(fm_allocation_build(&a, 1, effect, NULL, low, high, 1, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "limits 1 to 2 N"));
    assert_int_equal(fm_allocation_build(&a, 1, effect, bad, zero, high, 1, &error), FM_ERR_RANGE);
    assert_int_equal(fm_allocation_build(&a, 17, effect, NULL, low, high, 1, &error), FM_ERR_RANGE);
    assert_int_equal(fm_allocation_build(&a, 1, effect, NULL, zero, high, 0, &error), FM_ERR_RANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_force_off_the_axis_has_the_moment_of_its_arm),
        cmocka_unit_test(a_feasible_demand_is_given_exactly),
        cmocka_unit_test(the_thrusts_are_the_smallest_that_give_the_demand),
        cmocka_unit_test(a_heavier_weight_moves_thrust_to_the_others),
        cmocka_unit_test(a_saturated_demand_keeps_its_direction),
        cmocka_unit_test(the_others_take_over_from_a_saturated_thruster),
        cmocka_unit_test(a_dead_thruster_is_replaced_by_the_other_seven),
        cmocka_unit_test(a_thruster_without_effect_is_left_alone),
        cmocka_unit_test(motions_without_authority_are_left_out_and_the_rest_is_exact),
        cmocka_unit_test(senseless_thrusters_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
