/* The tail of a fish as programs see it (fathom/fish.h). */
#include <fathom/fish.h>

#include "support/scenario.h"

static const char swimming[] = "<fathom version='1'><world dt='0.05 s'><water density='1000 kg/m3'/></world>"
                               "<vehicle name='fish' model='robotic-fish'/>"
                               "<vehicle name='rov' position='9 0 5 m' model='bluerov2'/></fathom>";

static fm_tail tail_of(const fm_world *world)
{
    fm_error error = {0};
    fm_tail tail;
    if (fm_world_tail(world, "fish", &tail, &error) != FM_OK)
        fail_msg("%s", error.text);
    return tail;
}

static void the_tail_of_the_four_joint_fish_is_24_cm_long_behind_a_head_of_16_cm(void **state)
{
    (void)state;
    fm_world *world = start(swimming);
    const fm_tail tail = tail_of(world);
    double length = 0;
    for (int j = 0; j < tail.joints; j++)
        length += tail.link[j];
    assert_int_equal(tail.joints, 4);
    assert_near(length, 0.24, 1e-12);
    assert_near(tail.head, 0.16, 1e-12);
    assert_int_equal(tail.rows, 18);
    finish(world);
}

static void a_straight_tail_points_aft_and_a_joint_turns_what_is_behind_it(void **state)
{
    (void)state;
    fm_world *world = start(swimming);
    const fm_tail tail = tail_of(world);
    const double straight[4] = {0}, bent[4] = {0, 0, 90 * DEGREE, 0};
    double p[5][2];
    fm_tail_points(&tail, straight, p);
    assert_near(p[4][0], -0.24, 1e-12);
    assert_near(p[4][1], 0, 1e-12);
    fm_tail_points(&tail, bent, p);
    assert_near(p[4][0], -(tail.link[0] + tail.link[1]), 1e-12);
    assert_near(p[4][1], -(tail.link[2] + tail.link[3]), 1e-12); /* clockwise seen from above: aft turns to port */
    finish(world);
}

static void at_the_phases_of_its_rows_the_servo_table_puts_every_joint_on_the_body_wave(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(swimming);
    const fm_tail tail = tail_of(world);
    for (int row = 0; row < tail.rows; row++) {
        const double phase = (double)row / tail.rows;
        double angle[FM_TAIL_JOINTS_MOST], p[FM_TAIL_JOINTS_MOST + 1][2];
        assert_int_equal(fm_world_tail_angles(world, "fish", phase, angle, &error), FM_OK);
        fm_tail_points(&tail, angle, p);
        for (int j = 0; j <= tail.joints; j++)
            assert_near(-p[j][1], fm_tail_wave(&tail, -p[j][0], phase), 1e-9);
    }
    finish(world);
}

/* (H2), typed again, before and after the wave is set. */
static void the_wave_is_the_one_in_force(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(swimming);
    for (int pass = 0; pass < 2; pass++) {
        const fm_tail tail = tail_of(world);
        const double c1 = pass ? 0.1 : 0.05, x = 0.2, phase = 0.3;
        assert_near(fm_tail_wave(&tail, x, phase), (c1 + 0.05 / 0.24 * x) * x * sin(360 * DEGREE * (x / 0.6 - phase)),
                    1e-12);
        assert_int_equal(fm_world_set(world, "/fish/wave/c1", 0.1, &error), FM_OK);
        step(world, 1);
    }
    finish(world);
}

static void what_is_not_a_fish_has_no_tail(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_tail tail;
    double angle[FM_TAIL_JOINTS_MOST];
    fm_world *world = start(swimming);
    assert_int_equal(fm_world_tail(world, "rov", &tail, &error), FM_ERR_MODEL);
    assert_non_null(strstr(error.text, "'rov' is not a fish"));
    assert_int_equal(fm_world_tail_angles(world, "triton", 0, angle, &error), FM_ERR_NAME);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tail_of_the_four_joint_fish_is_24_cm_long_behind_a_head_of_16_cm),
        cmocka_unit_test(a_straight_tail_points_aft_and_a_joint_turns_what_is_behind_it),
        cmocka_unit_test(at_the_phases_of_its_rows_the_servo_table_puts_every_joint_on_the_body_wave),
        cmocka_unit_test(the_wave_is_the_one_in_force),
        cmocka_unit_test(what_is_not_a_fish_has_no_tail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
