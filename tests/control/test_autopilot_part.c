/* Autopilot and guidance as parts of the Phoenix in the world. */
#include "support/scenario.h"

#define GAINS                                                                                                          \
    "<heading kp='1.5' ki='0.05 1/s' kd='2 s' limit='25 deg' thrust-kp='40 N*m/rad' thrust-ki='2 N*m/rad/s' "          \
    "thrust-kd='90 N*m*s/rad'/>"                                                                                       \
    "<depth order='5 m' kp='0.25 rad/m' ki='0.004 rad/m/s' kd='0.3 rad*s/m' limit='10 deg' thrust-kp='40 N/m' "        \
    "thrust-ki='1 N/m/s' thrust-kd='250 N*s/m'/>"                                                                      \
    "<pitch kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg' thrust-kp='60 N*m/rad' thrust-kd='120 N*m*s/rad'/>"            \
    "<roll kp='1' ki='0.2 1/s' kd='0.5 s' limit='10 deg'/>"                                                            \
    "<speed order='0.6 m/s' kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/><sway kp='100 N*s/m'/>"                       \
    "<hover kp='20 N/m' ki='0.8 N/m/s' kd='150 N*s/m'/>"
#define SEA "<fathom version='1'><world dt='0.05 s' duration='200 s'><water density='1000 kg/m3'/>%s</world>"
#define PHOENIX "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='%s'>"
#define AUTOPILOT                                                                                                      \
    "<autopilot steering='%s' design-speed='0.6 m/s' thrusters-alone='0.25 m/s' fins-alone='0.45 m/s'>" GAINS          \
    "</autopilot>"

/* The Phoenix with this autopilot, behind the given guidance. */
static const char *scenario(const char *sea, const char *velocity, const char *guidance, const char *steering)
{
    static char text[4096];
    snprintf(text, sizeof text, SEA PHOENIX "%s" AUTOPILOT "</vehicle></fathom>", sea, velocity, guidance, steering);
    return text;
}

static void depth_and_heading_are_held_without_steady_error(void **state)
{
    (void)state;
    static const struct {
        const char *steering, *velocity;
        double speed;
    } ways[] = {{"fins", "0.6 0 0 m/s", 0.6}, {"hybrid", "0.6 0 0 m/s", 0.6}, {"thrusters", "0 0 0 m/s", 0}};
    for (size_t i = 0; i < 3; i++) {
        fm_world *world = start(scenario("", ways[i].velocity, "", ways[i].steering));
        set_live(world, "/phoenix/autopilot/heading/order", 90 * DEGREE);
        set_live(world, "/phoenix/autopilot/speed/order", ways[i].speed);
        run_until(world, 250);
        for (double t = 250; t < 300; t += 1) {
            run_until(world, t);
            fm_pose p = pose_of(world, 0);
            near("depth", p.position[2], 5, 0.05);
            near("heading", p.euler[2] / DEGREE, 90, 0.5);
            near("roll", p.euler[0] / DEGREE, 0, 0.5);
            near("speed", p.velocity[0], ways[i].speed, 0.01);
        }
        finish(world);
    }
}

/* Greatest depth beyond the order of 5 m after a long time at the limit of the dive angle. */
static double overshoot(double ki)
{
    fm_world *world = start(scenario("", "0.6 0 0 m/s", "", "fins"));
    double deepest = 0;
    set_live(world, "/phoenix/autopilot/depth/ki", ki);
    set_live(world, "/phoenix/autopilot/depth/order", 15);
    for (double t = 0; t < 400; t += 1) {
        run_until(world, t);
        deepest = fmax(deepest, pose_of(world, 0).position[2]);
    }
    finish(world);
    return deepest - 15;
}

/* 12 m of error for a minute and more: an integral that grew all that time, 12 m x 60 s x 0.004 rad/(m s) = 2.9 rad,
 * would carry the vehicle far beyond; with back-calculation it hardly passes. */
static void the_integral_of_a_limited_dive_does_not_wind_up(void **state)
{
    (void)state;
    below("overshoot", overshoot(0.004), 1.0);
}

static void a_live_gain_acts_in_the_next_step(void **state)
{
    (void)state;
    fm_world *world = start(scenario("", "0.6 0 0 m/s", "", "fins"));
    set_live(world, "/phoenix/autopilot/heading/order", 5 * DEGREE);
    set_live(world, "/phoenix/autopilot/heading/ki", 0);
    set_live(world, "/phoenix/autopilot/heading/kd", 0);
    fm_error error = {0};
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    const double single = column_of(world, 0, "stern-rudder");
    finish(world);
    world = start(scenario("", "0.6 0 0 m/s", "", "fins"));
    set_live(world, "/phoenix/autopilot/heading/order", 5 * DEGREE);
    set_live(world, "/phoenix/autopilot/heading/ki", 0);
    set_live(world, "/phoenix/autopilot/heading/kd", 0);
    set_live(world, "/phoenix/autopilot/heading/kp", 3);
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    near("twice the gain, twice the rudder", column_of(world, 0, "stern-rudder"), 2 * single, 1e-12);
    near("kp times the error to starboard", single, -1.5 * 5 * DEGREE, 1e-12);
    finish(world);
}

/* Perfect navigation and a rudder that is not limited: the error is that of the true heading, and the integral its sum
 * times ki and the step. */
static void the_autopilot_tells_demand_error_and_integral(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(scenario("", "0.6 0 0 m/s", "", "fins"));
    double sum = 0;
    set_live(world, "/phoenix/autopilot/heading/order", 5 * DEGREE);
    for (int i = 0; i < 400; i++) {
        const fm_pose before = pose_of(world, 0);
        assert_int_equal(fm_world_step(world, &error), FM_OK);
        near("heading demanded", column_of(world, 0, "autopilot.heading.demand"), 5 * DEGREE, 1e-15);
        near("heading off", column_of(world, 0, "autopilot.heading.error"), 5 * DEGREE - before.euler[2], 1e-12);
        near("depth off", column_of(world, 0, "autopilot.depth.error"), 5 - before.position[2], 1e-12);
        sum += 0.05 * 0.05 * (5 * DEGREE - before.euler[2]);
        near("integral", column_of(world, 0, "autopilot.heading.integral"), sum, 1e-12);
    }
    set_live(world, "/phoenix/autopilot/enabled", 0);
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    assert_true(isnan(column_of(world, 0, "autopilot.heading.demand")));
    finish(world);
}

static void waypoints_tell_the_leg_that_is_followed(void **state)
{
    (void)state;
    static const char guide[] = "<waypoints speed='0.6 m/s' radius='2 m'><waypoint position='15 0 4 m'/>"
                                "<waypoint position='15 30 4 m'/></waypoints>";
    fm_world *world = start(scenario("", "0.6 0 0 m/s", guide, "fins"));
    run_until(world, 5);
    near("end of the first leg", column_of(world, 0, "waypoints.to.north"), 15, 0);
    near("end of the first leg", column_of(world, 0, "waypoints.to.east"), 0, 0);
    near("its beginning", column_of(world, 0, "waypoints.from.north"), 0, 1e-12);
    near("its beginning", column_of(world, 0, "waypoints.from.depth"), 3, 1e-12);
    run_until(world, 40);
    near("end of the second leg", column_of(world, 0, "waypoints.to.east"), 30, 0);
    near("its beginning", column_of(world, 0, "waypoints.from.north"), 15, 0);
    near("its beginning", column_of(world, 0, "waypoints.from.depth"), 4, 0);
    finish(world);
}

static void every_fin_turns_the_way_its_coefficients_say(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(scenario("", "0.6 0 0 m/s", "", "fins"));
    set_live(world, "/phoenix/autopilot/roll/order", 2 * DEGREE);
    set_live(world, "/phoenix/autopilot/heading/order", 5 * DEGREE);
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    assert_greater(column_of(world, 0, "bow-rudder"), 0);
    assert_less(column_of(world, 0, "stern-rudder"), 0); /* to starboard */
    const double port = column_of(world, 0, "port-stern-plane"),
                 starboard = column_of(world, 0, "starboard-stern-plane");
    const double ahead = column_of(world, 0, "port-bow-plane"), abreast = column_of(world, 0, "starboard-bow-plane");
    assert_greater(port + starboard, 0);
    assert_less(ahead + abreast, 0); /* dive: stern planes press the stern up, bow planes the bow down */
    near("roll to starboard", port - starboard, ahead - abreast, 1e-12);
    assert_greater(port - starboard, 0);
    finish(world);
}

static void a_place_is_kept_in_a_cross_current(void **state)
{
    (void)state;
    static const char *const currents[] = {"<current velocity='0 0.2 0 m/s'/>", "<current velocity='-0.2 0 0 m/s'/>",
                                           "<current velocity='0.14 0.14 0 m/s'/>"};
    for (size_t i = 0; i < 3; i++) {
        fm_world *world =
            start(scenario(currents[i], "0 0 0 m/s", "<station position='2 1 5 m' heading='0 deg'/>", "hybrid"));
        run_until(world, 300);
        below("distance from the place, rms", metric_of(world, 0, "station_error_rms"), 0.3);
        near("heading", sin(pose_of(world, 0).euler[2]), 0, 0.02);
        finish(world);
    }
}

static void a_place_is_kept_with_a_dead_vertical_thruster(void **state)
{
    (void)state;
    fm_world *world = start(scenario("<current velocity='0.2 0 0 m/s'/>", "0 0 0 m/s",
                                     "<station position='0 0 5 m' heading='0 deg'/>", "hybrid"));
    run_until(world, 60);
    set_live(world, "/phoenix/stern_vertical/efficiency", 0);
    run_until(world, 400);
    below("distance from the place, rms", metric_of(world, 0, "station_error_rms"), 0.3);
    near("depth", pose_of(world, 0).position[2], 5, 0.1);
    finish(world);
}

static void the_mission_visits_every_waypoint_and_hovers_within_0_3_m(void **state)
{
    (void)state;
    fm_world *world = start_scenario("phoenix-mission", NULL);
    run_until(world, fm_model_duration(fm_world_model(world)));
    near("waypoints", metric_of(world, 0, "waypoints_reached"), 4, 0);
    below("distance from the places, rms", metric_of(world, 0, "station_error_rms"), 0.3);
    below("distance off the track, rms", metric_of(world, 0, "track_error_rms"), 2.0);
    below("depth error, rms", metric_of(world, 0, "depth_error_rms"), 0.2);
    finish(world);
}

static void timed_set_points_take_the_vehicle_from_cruise_to_hover_and_back(void **state)
{
    (void)state;
    const char *mission =
        "<mission><at t='0 s' depth='4 m' heading='0 deg' speed='0.6 m/s'/><at t='60 s' place='40 0 m'/>"
        "<at t='180 s' speed='0.6 m/s' heading='90 deg' depth='6 m'/></mission>";
    fm_world *world = start(scenario("", "0.6 0 0 m/s", mission, "hybrid"));
    run_until(world, 55);
    near("speed", pose_of(world, 0).velocity[0], 0.6, 0.02);
    near("depth", pose_of(world, 0).position[2], 4, 0.1);
    run_until(world, 178);
    near("north", pose_of(world, 0).position[0], 40, 0.3);
    near("east", pose_of(world, 0).position[1], 0, 0.3);
    run_until(world, 300);
    near("speed", pose_of(world, 0).velocity[0], 0.6, 0.02);
    near("heading", pose_of(world, 0).euler[2] / DEGREE, 90, 1);
    near("depth", pose_of(world, 0).position[2], 6, 0.1);
    finish(world);
}

/* The dissertation's vehicle by an independent program: 23.688, 27.552, 21.479 and 47.319 ft. */
static void the_turning_circle_has_its_published_measures(void **state)
{
    (void)state;
    fm_world *world = start_scenario("phoenix-turn", NULL);
    run_until(world, 120);
    near("radius", metric_of(world, 0, "turn_radius") / 0.3048, 23.68823258317161, 0.1);
    near("advance", metric_of(world, 0, "advance") / 0.3048, 27.55190012353055, 0.2);
    near("transfer", metric_of(world, 0, "transfer") / 0.3048, 21.478795934949282, 0.2);
    near("tactical diameter", metric_of(world, 0, "tactical_diameter") / 0.3048, 47.318663120230326, 0.3);
    finish(world);
}

/* A straight run of L metres and a swath b over an area as long and 2 b wide covers half of it. */
static void a_straight_pass_covers_its_swath(void **state)
{
    (void)state;
    fm_world *world = start(
        "<fathom version='1'><world dt='0.05 s' duration='100 s'/>"
        "<vehicle name='remus' model='remus-diving' position='-5 0 10 m' attitude='0 0 0 deg'>"
        "<diving trimmed='true' buoyancy='299 N'/><coverage from='0 -10 m' to='50 10 m' swath='10 m' cell='0.5 m'/>"
        "</vehicle></fathom>");
    run_until(world, 5);
    const double early = metric_of(world, 0, "coverage");
    assert_between(0, early, 0.2);
    run_until(world, 60);
    near("coverage", metric_of(world, 0, "coverage"), 0.5, 0.01);
    finish(world);
}

/* Ten metres straight north are in ten of the twenty cells of 1 m, in an area that is two cells wide. */
static void a_straight_pass_visits_the_cells_under_it(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.05 s' duration='100 s'/>"
                            "<vehicle name='remus' model='remus-diving' position='-5 0.3 10 m' attitude='0 0 0 deg'>"
                            "<diving trimmed='true' buoyancy='299 N'/><coverage from='0 -1 m' to='10 1 m'/>"
                            "</vehicle></fathom>");
    run_until(world, 3);
    near("coverage before", metric_of(world, 0, "coverage"), 0, 0);
    run_until(world, 60);
    near("coverage", metric_of(world, 0, "coverage"), 0.5, 0);
    finish(world);
}

static void refused(const char *text, const char *reason)
{
    fm_error error = {0};
    fm_model *model = try_load(text, &error);
    if (model)
        fail_msg("accepted, expected '%s'", reason);
    if (!strstr(error.text, reason))
        fail_msg("found '%s', expected '%s'", error.text, reason);
}

static void what_cannot_be_done_is_refused_with_the_reason(void **state)
{
    (void)state;
    refused(scenario("", "0 0 0 m/s", "<station position='0 0 5 m'/>", "fins"), "cannot hover");
    refused(scenario("", "0 0 0 m/s", "<coverage from='0 0 m' to='-1 5 m' swath='1 m'/>", "fins"),
            "must be more than from");
    refused(scenario("", "0 0 0 m/s", "<coverage from='0 0 m' to='9000 9000 m' swath='1 m'/>", "fins"),
            "choose larger ones");
    refused(scenario("", "0 0 0 m/s", "<waypoints/>", "fins"), "no <waypoint> or <survey> given: must be one or more");
    refused(scenario("", "0 0 0 m/s", "<mission><at t='2 s' depth='1 m'/><at t='1 s' depth='1 m'/></mission>", "fins"),
            "must be rising times");
    refused(scenario("", "0 0 0 m/s", "<mission><at t='2 s' place='1 1 m' speed='1 m/s'/></mission>", "hybrid"),
            "a place and a speed");
    refused(scenario("", "0 0 0 m/s", "", "fins' fins='rudder"), "no actuator or group 'rudder'");
    refused(scenario("", "0 0 0 m/s", "", "fins' fins='bow-rudder stern-rudder"), "turns the vehicle in");
    refused(scenario("", "0 0 0 m/s", "", "hybrid' thrusters='bow-planes"), "needs thrusters");
}

/* --- the page on scenarios, "Tuning an autopilot" --- */

/* How far a dive to 15 m passes the depth (m), and how much the depth still moves from 55 s to 70 s. */
static void dive_with(const char *gain, double *beyond, double *moves)
{
    const char *const sets[] = {gain, NULL};
    fm_world *world = start_scenario("remus-100-dive", sets);
    double most = 0, low = INFINITY, high = 0;
    for (double t = 20; t < 70; t += 0.1) {
        run_until(world, t);
        double depth = pose_of(world, 0).position[2];
        most = fmax(most, depth);
        low = t > 55 ? fmin(low, depth) : low;
        high = t > 55 ? fmax(high, depth) : high;
    }
    *beyond = most - 15;
    *moves = high - low;
    finish(world);
}

static void the_tuning_hints_hold_for_remus(void **state)
{
    (void)state;
    double beyond, moves;
    dive_with("/remus/autopilot/depth/kp=0.1 rad/m", &beyond, &moves);
    near("kp 0.1 rad/m", beyond, 1.5, 0.05);
    dive_with("/remus/autopilot/depth/kp=0.2 rad/m", &beyond, &moves);
    near("kp 0.2 rad/m", beyond, 0.5, 0.05);
    dive_with("/remus/autopilot/depth/kp=0.4 rad/m", &beyond, &moves);
    near("kp 0.4 rad/m", beyond, 0.3, 0.05);
    dive_with("/remus/autopilot/depth/kp=0.8 rad/m", &beyond, &moves);
    assert_greater(moves, 2);
    dive_with("/remus/autopilot/depth/ki=0 rad/m/s", &beyond, &moves);
    near("no integral", beyond, -0.44, 0.02);
    dive_with("/remus/autopilot/depth/ki=0.04 rad/m/s", &beyond, &moves);
    near("ten times the integral", moves, 1.6, 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depth_and_heading_are_held_without_steady_error),
        cmocka_unit_test(the_integral_of_a_limited_dive_does_not_wind_up),
        cmocka_unit_test(a_live_gain_acts_in_the_next_step),
        cmocka_unit_test(the_autopilot_tells_demand_error_and_integral),
        cmocka_unit_test(waypoints_tell_the_leg_that_is_followed),
        cmocka_unit_test(every_fin_turns_the_way_its_coefficients_say),
        cmocka_unit_test(a_place_is_kept_in_a_cross_current),
        cmocka_unit_test(a_place_is_kept_with_a_dead_vertical_thruster),
        cmocka_unit_test(the_mission_visits_every_waypoint_and_hovers_within_0_3_m),
        cmocka_unit_test(timed_set_points_take_the_vehicle_from_cruise_to_hover_and_back),
        cmocka_unit_test(the_turning_circle_has_its_published_measures),
        cmocka_unit_test(a_straight_pass_covers_its_swath),
        cmocka_unit_test(a_straight_pass_visits_the_cells_under_it),
        cmocka_unit_test(what_cannot_be_done_is_refused_with_the_reason),
        cmocka_unit_test(the_tuning_hints_hold_for_remus),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
