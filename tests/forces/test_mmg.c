/* A ship by the standard MMG model: what Yasukawa and Yoshimura print for KVLCC2 (L7-model). */
#include "support/scenario.h"

#include "forces/mmg.h"

static const fm_mmg_propeller screw = {0.216, 0.220, 0.40, 0.2931, -0.2753, -0.1385, -0.690, 2.0, 1.6, 1.1};

static fm_world *under_way(const char *orders, double duration)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='%g s'><water density='1000 kg/m3'/></world><vehicle "
             "name='ship' model='kvlcc2' velocity='1.179 0 0 m/s'><turning-circle from='5 s'/><orders><at t='0 s' "
             "screw='74.47 rad/s'/>%s</orders></vehicle></fathom>",
             duration, orders);
    return start(text);
}

/* Thrust less its deduction equals R0' rho/2 L d U2. */
static void at_this_shaft_speed_thrust_and_resistance_are_in_balance(void **unused)
{
    (void)unused;
    double inflow = 1.179 * 0.60, thrust = fm_mmg_thrust(&screw, 1000, 74.47 / (2 * FM_PI), inflow);
    assert_near(0.78 * thrust, 0.022 * 500 * 7 * 0.46 * 1.179 * 1.179, 0.1);
    fm_world *world = under_way("", 200);
    run_until(world, 200);
    assert_near(pose_of(world, 0).velocity[0], 1.179, 0.005);
    finish(world);
}

/* 2.98 L, 2.97 L, 3.34 deg/s at 0.428 m/s. */
static void the_circle_is_that_of_the_published_model(void **unused)
{
    (void)unused;
    fm_world *world = under_way("<at t='5 s' rudder='35 deg'/>", 250);
    run_until(world, 250);
    fm_pose pose = pose_of(world, 0);
    assert_near(metric_of(world, 0, "advance") / 7, 2.98, 0.12);
    assert_near(metric_of(world, 0, "tactical_diameter") / 7, 2.97, 0.12);
    assert_near(pose.velocity[5] * 180 / FM_PI, 3.34, 0.25);
    assert_near(sqrt(pose.velocity[0] * pose.velocity[0] + pose.velocity[1] * pose.velocity[1]), 0.428, 0.03);
    finish(world);
}

static void a_rudder_to_port_turns_to_port(void **unused)
{
    (void)unused;
    fm_world *world = under_way("<at t='5 s' rudder='-20 deg'/>", 30);
    run_until(world, 30);
    assert_less(pose_of(world, 0).velocity[5], -0.01);
    finish(world);
}

static void near_rest_the_forces_stay_finite(void **unused)
{
    (void)unused;
    fm_mmg_motion still = fm_mmg_motion_of(0, 0, 0.1, 7);
    assert_near(still.turn, 2, 0);
    fm_world *world =
        start("<fathom version='1'><world dt='0.05 s' duration='20 s'/><vehicle name='ship' model='kvlcc2' "
              "rates='0 0 5 deg/s'/></fathom>");
    run_until(world, 20);
    assert_nearer(pose_of(world, 0).velocity[5], 0, 0.0873);
    finish(world);
}

static void propeller_and_rudder_need_what_stands_before_them(void **unused)
{
    (void)unused;
    fm_error error = {0};
    assert_null(try_load("<fathom version='1'><world/><vehicle name='v'><mass mass='5 kg' inertia='1 1 1 kg*m2'/>"
                         "<propeller name='screw' thrust='0 N' rated='9 rad/s'/><mmg-propeller actuator='screw' "
                         "diameter='0.2 m' deduction='0.2' wake='0.3' k0='0.3' k1='-0.3' k2='-0.1' place='-0.5' c1='2' "
                         "c2-plus='1.6' c2-minus='1.1'/></vehicle></fathom>",
                         &error));
    assert_non_null(strstr(error.text, "<mmg-hull>"));
}

/* Tank: 9.3 and 15.2 degrees at 10/10, 15.7 and 12.7 at 20/20; another program of the published model is up to 2.7 off
 * them and ours up to 4.5. The screw's side wash makes the sides differ: the order of the swings shows which was first.
 */
static void the_overshoots_of_zigzags_are_those_of_the_tank(void **unused)
{
    (void)unused;
    static const char *const names[4] = {"ten-starboard", "ten-port", "twenty-starboard", "twenty-port"};
    /* deg: a program of the three equations of the paper, written apart in Python (second order, 0.02 s) */
    static const double written[4][2] = {{4.92, 13.53}, {6.99, 8.68}, {10.43, 15.57}, {13.60, 11.59}};
    fm_world *world = start_scenario("kvlcc2-zigzag", NULL);
    double first[4], second[4];
    run_until(world, 200);
    for (int i = 0; i < 4; i++) {
        first[i] = metric_of(world, i, "first_overshoot") * 180 / FM_PI;
        second[i] = metric_of(world, i, "second_overshoot") * 180 / FM_PI;
        print_message("%s: %.2f %.2f deg\n", names[i], first[i], second[i]);
    }
    for (int i = 0; i < 4; i++) {
        assert_near(first[i], written[i][0], 0.15);
        assert_near(second[i], written[i][1], 0.15);
    }
    assert_near(first[0], 9.3, 4.6);
    assert_near(second[0], 15.2, 2.7);
    assert_near(first[3], 15.7, 2.7);
    assert_near(second[3], 12.7, 2.7);
    assert_greater(first[1], first[0]);
    assert_greater(first[3], first[2]); /* to port first */
    finish(world);
}

/* The rudder is reversed at the heading asked for, and the overshoot is what the heading does after that. */
static void a_zigzag_reverses_at_its_heading_and_measures_what_comes_after(void **unused)
{
    (void)unused;
    fm_world *world =
        start("<fathom version='1'><world dt='0.05 s' duration='60 s'><water density='1000 kg/m3'/></world>"
              "<vehicle name='ship' model='kvlcc2' attitude='0 0 170 deg' velocity='1.179 0 0 m/s'>"
              "<zigzag-test angle='20 deg' heading='12 deg' side='port' from='3 s'/>"
              "<orders><at t='0 s' screw='74.47 rad/s'/></orders></vehicle></fathom>");
    double most = 0;
    for (int i = 0; i < 1200; i++) {
        step(world, 1);
        most = fmax(most, remainder(170 * FM_PI / 180 - pose_of(world, 0).euler[2], 2 * FM_PI)); /* to port */
        if (fm_world_time(world) < 2.9)
            assert_same(column_of(world, 0, "rudder"), 0);
    }
    assert_near(metric_of(world, 0, "first_overshoot") * 180 / FM_PI, most * 180 / FM_PI - 12, 0.17); /* one step */
    assert_greater(most * 180 / FM_PI, 20);
    finish(world);
}

static void a_zigzag_without_its_rudder_is_refused(void **unused)
{
    (void)unused;
    fm_error error = {0};
    assert_null(try_load("<fathom version='1'><world dt='0.05 s' duration='1 s'/><vehicle name='ship' model='kvlcc2'>"
                         "<zigzag-test rudder='helm'/></vehicle></fathom>",
                         &error));
    assert_non_null(strstr(error.text, "helm"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(at_this_shaft_speed_thrust_and_resistance_are_in_balance),
        cmocka_unit_test(the_circle_is_that_of_the_published_model),
        cmocka_unit_test(a_rudder_to_port_turns_to_port),
        cmocka_unit_test(near_rest_the_forces_stay_finite),
        cmocka_unit_test(propeller_and_rudder_need_what_stands_before_them),
        cmocka_unit_test(the_overshoots_of_zigzags_are_those_of_the_tank),
        cmocka_unit_test(a_zigzag_reverses_at_its_heading_and_measures_what_comes_after),
        cmocka_unit_test(a_zigzag_without_its_rudder_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
