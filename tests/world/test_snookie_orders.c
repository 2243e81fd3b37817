/* Snookie under orders: desired depth, bearing, pitch, roll and speed, with its reflex awake, and instruments that
 * fail.
 */
#include "support/scenario.h"

#include "support/program.h"

/* Open water, or a wall at `north` metres. */
static fm_world *swim(double north, const char *parts)
{
    static const char text[] =
        "<fathom version='1'><world dt='0.005 s' gravity='9.81 m/s2'><water density='1000 kg/m3'/>%s</world>"
        "<vehicle name='snookie' model='snookie' position='0 0 5 m' velocity='0.1 0 0 m/s'>%s</vehicle></fathom>";
    char wall[128] = "", scenario[1024];
    if (north > 0)
        snprintf(wall, sizeof wall, "<wall name='wall' position='%g 0 0 m' normal='-1 0 0'/>", north);
    snprintf(scenario, sizeof scenario, text, wall, parts);
    return start(scenario);
}

static double detections(const fm_world *world)
{
    return metric_of(world, 0, "detections");
}

/* PD without an integral: the righting moment m g c of the centre of gravity 1 cm below is part of the balance. */
static double balance(double desired, double kp)
{
    double angle = desired, righting = 32.2340 * 9.81 * 0.01;
    for (int i = 0; i < 50; i++)
        angle -= (kp * (desired - angle) - righting * sin(angle)) / (-kp - righting * cos(angle));
    return angle;
}

static void desired_angles_are_kept_against_the_righting_moment(void **state)
{
    (void)state;
    fm_world *world = swim(0, "<hover-pd speed='0 m/s' pitch='12 deg'/>");
    run_until(world, 30);
    near("pitch set at load", pose_of(world, 0).euler[1], balance(12 * DEGREE, 6.589), 0.2 * DEGREE);
    set_live(world, "/snookie/hover-pd/pitch", 0);
    set_live(world, "/snookie/hover-pd/roll", -20 * DEGREE);
    run_until(world, 70);
    near("roll set in the run", pose_of(world, 0).euler[0], balance(-20 * DEGREE, 2.18), 0.3 * DEGREE);
    near("pitch", pose_of(world, 0).euler[1], 0, 0.3 * DEGREE);
    assert_same(detections(world), 0);
    finish(world);
}

static void depth_bearing_and_speed_are_followed_with_a_reflex_present(void **state)
{
    (void)state;
    fm_world *world = swim(0, "<hover-pd depth='6 m' bearing='50 deg' speed='0.2 m/s'/>");
    run_until(world, 40);
    near("depth at load", pose_of(world, 0).position[2], 6, 0.02);
    near("bearing at load", pose_of(world, 0).euler[2], 50 * DEGREE, 1 * DEGREE);
    near("speed at load", pose_of(world, 0).velocity[0], 0.2, 2e-3);
    set_live(world, "/snookie/hover-pd/depth", 4);
    set_live(world, "/snookie/hover-pd/bearing", -30 * DEGREE);
    set_live(world, "/snookie/hover-pd/speed", 0.15);
    run_until(world, 90);
    near("depth", pose_of(world, 0).position[2], 4, 0.02);
    near("bearing", remainder(pose_of(world, 0).euler[2], 360 * DEGREE), -30 * DEGREE, 1 * DEGREE);
    near("speed", pose_of(world, 0).velocity[0], 0.15, 2e-3);
    near("told", column_of(world, 0, "hover-pd.desired.depth"), 4, 0);
    assert_same(detections(world), 0);
    finish(world);
}

/* (μ11 + kd) dV/dt = kp (Vd − V): 63 % of the change after (35.243 kg + kd)/kp. */
static void the_derivative_of_the_speed_loop_is_a_mass_to_the_controller(void **state)
{
    (void)state;
    static const double damping[] = {0, 20};
    for (int i = 0; i < 2; i++) {
        fm_world *world = swim(0, "");
        set_live(world, "/snookie/hover-pd/speed-damping", damping[i]);
        run_until(world, 1);
        set_live(world, "/snookie/hover-pd/speed", 0.2);
        double constant = (32.2340 + 3.0086 + damping[i]) / 150;
        run_until(world, 1 + floor(constant / 0.005) * 0.005);
        near("speed", pose_of(world, 0).velocity[0], 0.1 + 0.1 * (1 - exp(-1)), 1.5e-3);
        finish(world);
    }
}

static void a_change_of_own_speed_is_no_wall_but_the_same_change_of_the_water_is(void **state)
{
    (void)state;
    fm_world *world = swim(0, "");
    static const double speeds[] = {0.2, 0.05, 0.4, 0.1};
    for (int i = 0; i < 4; i++) {
        set_live(world, "/snookie/hover-pd/speed", speeds[i]);
        run_until(world, 8.0 * (i + 1));
        near("speed", pose_of(world, 0).velocity[0], speeds[i], 5e-3);
    }
    assert_same(detections(world), 0);
    set_live(world, "/current/velocity/x", -0.02);
    run_until(world, 33);
    assert_same(detections(world), 1);
    char verdict[256];
    fm_world_verdict(world, 0, verdict, sizeof verdict);
    assert_non_null(strstr(verdict, "felt a wall where there is none"));
    assert_null(strstr(verdict, "closest"));
    assert_true(isnan(metric_of(world, 0, "detection_gap")));
    finish(world);
}

/* Nor with a current along the hull, which the IMU record does not know. */
static void a_current_along_the_hull_does_not_make_own_speed_a_wall(void **state)
{
    (void)state;
    fm_world *world = swim(0, "<reflex speed='0.1 m/s'/>");
    set_live(world, "/snookie/reflex/norm", 1); /* deaf while the current begins */
    set_live(world, "/current/velocity/x", -0.1);
    run_until(world, 20);
    set_live(world, "/snookie/reflex/norm", 1e-3);
    set_live(world, "/snookie/hover-pd/speed", 0.2);
    run_until(world, 30);
    assert_same(detections(world), 0);
    finish(world);
}

/* The approach of 0.45 m at 0.1 m/s, head-on, is felt at 0.195 m; here the speed changes on the way. */
static void a_wall_is_felt_while_the_speed_changes(void **state)
{
    (void)state;
    fm_world *world = swim(0.45 + 0.37, "");
    run_until(world, 1.6);
    set_live(world, "/snookie/hover-pd/speed", 0.15);
    run_until(world, 12);
    assert_same(detections(world), 1);
    assert_same(metric_of(world, 0, "contacts"), 0);
    near("gap", metric_of(world, 0, "detection_gap"), 0.2, 0.04);
    finish(world);
}

static void an_ordered_turn_is_no_wall_and_a_wall_on_the_new_way_is_felt(void **state)
{
    (void)state;
    fm_world *world = swim(2.5, "<hover-pd bearing='90 deg'/>");
    run_until(world, 15);
    near("bearing", pose_of(world, 0).euler[2], 90 * DEGREE, 1 * DEGREE);
    assert_same(detections(world), 0);
    set_live(world, "/snookie/hover-pd/bearing", 0);
    run_until(world, 45);
    assert_same(detections(world), 1);
    assert_same(metric_of(world, 0, "contacts"), 0);
    assert_greater(fabs(remainder(pose_of(world, 0).euler[2], 360 * DEGREE)), 150 * DEGREE); /* turned back */
    finish(world);
}

/* --- instruments that fail --- */

static fm_world *approach_with(const char *path, double value)
{
    fm_world *world = swim(0.45 + 0.37, "");
    set_live(world, path, value);
    run_until(world, 9);
    return world;
}

static void a_line_that_is_dead_or_stuck_feels_no_wall(void **state)
{
    (void)state;
    fm_world *healthy = approach_with("/snookie/lateral_line/dropout", 0.2), *dead, *stuck;
    assert_same(metric_of(healthy, 0, "contacts"), 0);
    assert_same(detections(healthy), 1);
    dead = approach_with("/snookie/lateral_line/fault", 1);
    stuck = approach_with("/snookie/lateral_line/fault", 2);
    assert_at_least(metric_of(dead, 0, "contacts"), 1);
    assert_same(detections(dead), 0);
    assert_at_least(metric_of(stuck, 0, "contacts"), 1);
    assert_same(detections(stuck), 0);
    finish(healthy);
    finish(dead);
    finish(stuck);
}

/* While the line is silent its beads go on as the water has them. */
static void a_line_that_recovers_tells_the_true_voltages_again(void **state)
{
    (void)state;
    fm_world *whole = swim(0, ""), *broken = swim(0, "");
    set_live(broken, "/snookie/lateral_line/fault", 1);
    for (int i = 0; i < 2; i++) {
        fm_world *world = i ? broken : whole;
        set_live(world, "/snookie/hover-pd/speed", 0.3);
        run_until(world, 5);
        if (i) {
            near("old", column_of(world, 0, "lateral-line.velocities[3]"), 0.15, 1e-3);
            set_live(world, "/snookie/lateral_line/fault", 0);
        }
        run_until(world, 5.01);
    }
    near("voltage", column_of(broken, 0, "lateral-line.voltages[3]"), column_of(whole, 0, "lateral-line.voltages[3]"),
         1e-12);
    finish(whole);
    finish(broken);
}

static void an_imu_record_that_is_stuck_hides_the_turn(void **state)
{
    (void)state;
    fm_world *world = swim(0, "");
    run_until(world, 1);
    set_live(world, "/snookie/imu_record/fault", 2);
    set_live(world, "/snookie/hover-pd/bearing", 20 * DEGREE);
    run_until(world, 4);
    run_until(world, 12);
    near("told", column_of(world, 0, "imu-record.attitude.heading"), 0, 1e-6);
    assert_greater(fabs(pose_of(world, 0).euler[2]), 40 * DEGREE);
    finish(world);
}

/* Through the program, in a fresh process: orders from the command line, and faults written in the scenario. */
static void orders_and_faults_are_taken_by_the_program(void **state)
{
    (void)state;
    static program_run r;
    run_fathom(&r, "run %s/scenarios/snookie-orders.xml", FATHOM_SOURCE_DIR);
    expect_run(&r, 0, "avoided: closest 0.2");
    run_fathom(&r, "run %s/scenarios/snookie-orders.xml --set '/snookie/lateral_line/fault=dead'", FATHOM_SOURCE_DIR);
    expect_run(&r, 0, "touched");
    run_fathom(&r, "params %s/scenarios/snookie-wall.xml --live", FATHOM_SOURCE_DIR);
    expect_run(&r, 0, "/snookie/imu_record/forward/bias ");
    expect_run(&r, 0, "/current/velocity ");
    expect_run(&r, 0, "/snookie/hover_pd/bearing ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(desired_angles_are_kept_against_the_righting_moment),
        cmocka_unit_test(depth_bearing_and_speed_are_followed_with_a_reflex_present),
        cmocka_unit_test(the_derivative_of_the_speed_loop_is_a_mass_to_the_controller),
        cmocka_unit_test(a_change_of_own_speed_is_no_wall_but_the_same_change_of_the_water_is),
        cmocka_unit_test(a_current_along_the_hull_does_not_make_own_speed_a_wall),
        cmocka_unit_test(a_wall_is_felt_while_the_speed_changes),
        cmocka_unit_test(an_ordered_turn_is_no_wall_and_a_wall_on_the_new_way_is_felt),
        cmocka_unit_test(a_line_that_is_dead_or_stuck_feels_no_wall),
        cmocka_unit_test(a_line_that_recovers_tells_the_true_voltages_again),
        cmocka_unit_test(an_imu_record_that_is_stuck_hides_the_turn),
        cmocka_unit_test(orders_and_faults_are_taken_by_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
