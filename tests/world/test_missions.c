/* Missions: scheduled faults, dead thrusters, wind-up, and the published vehicles on their errands. */
#include "support/scenario.h"

#include <stdlib.h>

#define SEA "<world dt='0.05 s' duration='300 s'><water density='1000 kg/m3'/>%s</world>"
#define HOVER_GAINS                                                                                                    \
    "<heading thrust-kp='40 N*m/rad' thrust-ki='2 N*m/rad/s' thrust-kd='90 N*m*s/rad'/>"                               \
    "<depth thrust-kp='40 N/m' thrust-ki='1 N/m/s' thrust-kd='250 N*s/m'/>"                                            \
    "<pitch thrust-kp='60 N*m/rad' thrust-kd='120 N*m*s/rad'/><hover kp='20 N/m' ki='0.8 N/m/s' kd='150 N*s/m'/>"

/* The Phoenix hovers by thrusters in a current to the east, with these faults. */
static const char *hovering(const char *attributes, const char *faults)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'>" SEA "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m'>"
             "<station position='0 0 3 m' heading='-90 deg' settle='60 s'/>"
             "<autopilot steering='thrusters' %s>" HOVER_GAINS "</autopilot></vehicle>%s</fathom>",
             "<current velocity='0 0.2 0 m/s'/>", attributes, faults);
    return text;
}

/* --- scheduled faults --- */

static void a_scheduled_fault_acts_in_the_step_of_its_time_and_is_an_input(void **state)
{
    (void)state;
    fm_world *world = start(hovering("", "<faults><at t='20 s' path='/phoenix/stern-lateral/efficiency' value='0'/>"
                                         "<at t='10 s' path='/current/velocity/y' value='10 cm/s'/></faults>"));
    double value;
    const fm_input *inputs;
    fm_error error = {0};
    run_until(world, 20);
    assert_int_equal(fm_world_get(world, "/phoenix/stern_lateral/efficiency", &value, &error), FM_OK);
    near("efficiency before", value, 1, 0);
    assert_int_equal(fm_world_get(world, "/current/velocity/y", &value, &error), FM_OK);
    near("current after", value, 0.1, 1e-15);
    assert_int_equal(fm_world_step(world, &error), FM_OK);
    assert_int_equal(fm_world_get(world, "/phoenix/stern_lateral/efficiency", &value, &error), FM_OK);
    near("efficiency after", value, 0, 0);
    assert_int_equal(fm_world_inputs(world, &inputs), 1);
    assert_int_equal(inputs[0].tick, 400);
    assert_string_equal(inputs[0].command.set.path, "/phoenix/stern_lateral/efficiency");
    finish(world);
}

/* Hash after 40 s; `again` gives every input that was taken once more, as a replay does. */
static uint64_t hash_of_run(fm_input *kept, size_t *count, int again)
{
    fm_world *world =
        start(hovering("", "<faults><at t='20 s' path='/phoenix/stern-lateral/efficiency' value='0.5'/></faults>"));
    fm_error error = {0};
    for (uint64_t tick = 0; tick < 800; tick++) {
        const fm_input *inputs;
        for (size_t i = 0; again && i < *count; i++)
            if (kept[i].tick == tick)
                assert_int_equal(fm_world_input(world, &kept[i], &error), FM_OK);
        assert_int_equal(fm_world_step(world, &error), FM_OK);
        for (size_t i = 0, n = fm_world_inputs(world, &inputs); !again && i < n; i++)
            kept[(*count)++] = inputs[i];
    }
    uint64_t hash = fm_world_hash(world);
    finish(world);
    return hash;
}

static void a_run_with_faults_replays_from_its_recorded_inputs_to_the_same_bits(void **state)
{
    (void)state;
    fm_input kept[8];
    size_t count = 0;
    const uint64_t first = hash_of_run(kept, &count, 0);
    assert_int_equal(count, 1);
    assert_same(hash_of_run(kept, &count, 1), first);
}

static void a_restored_world_meets_the_faults_that_lie_ahead(void **state)
{
    (void)state;
    fm_world *world =
        start(hovering("", "<faults><at t='5 s' path='/phoenix/bow-lateral/efficiency' value='0'/></faults>"));
    void *kept = malloc(fm_world_state_size(world));
    fm_error error = {0};
    run_until(world, 2);
    assert_int_equal(fm_world_save(world, kept, fm_world_state_size(world), NULL), FM_OK);
    run_until(world, 30);
    const uint64_t hash = fm_world_hash(world);
    assert_int_equal(fm_world_restore(world, kept, fm_world_state_size(world), &error), FM_OK);
    run_until(world, 30);
    assert_same(fm_world_hash(world), hash);
    free(kept);
    finish(world);
}

static void a_fault_that_cannot_be_is_refused_with_what_is_near(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_null(try_load(
        hovering("", "<faults><at t='5 s' path='/phoenix/stern-latral/efficiency' value='0'/></faults>"), &error));
    assert_non_null(strstr(error.text, "/phoenix/stern_lateral/efficiency"));
    assert_null(try_load(
        hovering("", "<faults><at t='5 s' path='/phoenix/stern-lateral/efficiency' value='2'/></faults>"), &error));
    assert_non_null(strstr(error.text, "value"));
    assert_null(try_load(
        hovering("", "<faults><at t='5 s' path='/phoenix/stern-lateral/efficiency' value='1 m'/></faults>"), &error));
}

/* --- dead thrusters, wind-up --- */

static double station_error(const char *attributes)
{
    fm_world *world = start(
        hovering(attributes, "<faults><at t='0 s' path='/phoenix/stern-lateral/efficiency' value='0'/></faults>"));
    run_until(world, 240);
    const double error = metric_of(world, 0, "station_error_rms");
    finish(world);
    return error;
}

/* With the stern lateral thruster dead from the start the other one and the propellers must hold place and heading. An
 * allocation that does not know lets the loops find it out; one that knows asks only what is left. */
static void an_allocation_that_knows_of_a_dead_thruster_keeps_the_place_better(void **state)
{
    (void)state;
    const double unaware = station_error(""), aware = station_error("fault-aware='true'");
    below("distance from the place, unaware", unaware, 0.3);
    below("distance from the place, aware", aware, 0.5 * unaware);
}

/* Greatest depth beyond 15 m after a long dive at the limit of the dive angle. */
static double dive_overshoot(const char *attributes)
{
    static char text[2048];
    snprintf(
        text, sizeof text,
        "<fathom version='1'>" SEA
        "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='0.6 0 0 m/s'>"
        "<autopilot steering='fins' design-speed='0.6 m/s' %s><depth order='15 m' kp='0.25 rad/m' ki='0.004 rad/m/s' "
        "kd='0.3 rad*s/m' limit='10 deg'/><pitch kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg'/>"
        "<speed order='0.6 m/s' kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/></autopilot></vehicle></fathom>",
        "", attributes);
    fm_world *world = start(text);
    run_until(world, 300);
    const double deepest = metric_of(world, 0, "max_depth");
    finish(world);
    return deepest - 15;
}

/* About 12 m of error over more than a minute: without anti-windup the integral grows to radians and carries the
 * vehicle metres beyond the ordered depth. */
static void without_anti_windup_a_limited_dive_overshoots(void **state)
{
    (void)state;
    const double with = dive_overshoot("anti-windup='true'"), without = dive_overshoot("anti-windup='false'");
    below("overshoot with anti-windup", with, 1.0);
    below("overshoot with, against that without", with, without / 4);
}

/* --- navigation by instruments --- */

#define PILOT                                                                                                          \
    "<autopilot steering='fins' design-speed='0.6 m/s'><heading kp='1.5' ki='0.05 1/s' kd='2 s' limit='25 deg'/>"      \
    "<depth order='4 m' kp='0.25 rad/m' ki='0.004 rad/m/s' kd='0.3 rad*s/m' limit='10 deg'/>"                          \
    "<pitch kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg'/><roll kp='1' ki='0.2 1/s' kd='0.5 s' limit='10 deg'/>"        \
    "<speed order='0.6 m/s' kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/></autopilot>"

/* The Phoenix under way at 0.6 m/s with these instruments. */
static fm_world *under_way(const char *current, const char *instruments)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='300 s' latitude='36 deg'><water density='1000 "
             "kg/m3'/>%s<bottom depth='20 m'/></world>"
             "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 4 m' attitude='0 0 30 deg' velocity='0.6 0 0 "
             "m/s'>%s" PILOT "</vehicle></fathom>",
             current, instruments);
    return start(text);
}

/* Instruments without errors know what the truth is, wherever they sit: steering by them is steering by the truth. */
static void perfect_instruments_give_perfect_navigation(void **state)
{
    (void)state;
    fm_world *truth = under_way("", ""),
             *sensed = under_way(
                 "", "<imu attitude='0 0 90 deg'/><compass attitude='0 0 15 deg'/><depth position='0.5 0.1 0.2 "
                     "m'/><dvl position='-0.6 0.2 0.1 m' attitude='0 0 30 deg'/>"
                     "<navigation attitude='imu' heading='compass' depth='depth' velocity='dvl' altitude='dvl'/>");
    set_live(truth, "/phoenix/autopilot/depth/order", 6);
    set_live(sensed, "/phoenix/autopilot/depth/order", 6);
    run_until(truth, 100);
    run_until(sensed, 100);
    for (int i = 0; i < 3; i++)
        near("place", pose_of(sensed, 0).position[i], pose_of(truth, 0).position[i], 0.02);
    below("reckoned less true place", metric_of(sensed, 0, "navigation_error_max"), 0.02);
    near("altitude", column_of(sensed, 0, "navigation.altitude"), 20 - pose_of(sensed, 0).position[2], 0.01);
    finish(truth);
    finish(sensed);
}

/* Dead reckoning by compass and log through the water drifts with the current: 0.1 m/s for 100 s is 10 m. A navigator
 * who knows the current stays. */
static void a_log_through_the_water_drifts_with_the_current(void **state)
{
    (void)state;
    const char *current = "<current velocity='0 0.1 0 m/s'/>";
    fm_world *world = under_way(current, "<compass/><speed-log/><navigation heading='compass' velocity='speed-log'/>");
    run_until(world, 100);
    near("drift", metric_of(world, 0, "navigation_error"), 10, 0.3);
    finish(world);
    world = under_way(
        current, "<compass/><speed-log/><navigation heading='compass' velocity='speed-log' current='0 0.1 0 m/s'/>");
    run_until(world, 100);
    below("drift of one who knows the current", metric_of(world, 0, "navigation_error"), 0.3);
    finish(world);
}

/* A compass that is off by 3 degrees puts the place off by 0.6 m/s x 100 s x sin 3 deg. */
static void a_compass_error_turns_the_reckoned_track(void **state)
{
    (void)state;
    fm_world *world = under_way("", "<compass bias='3 deg'/><dvl/><navigation heading='compass' velocity='dvl'/>");
    run_until(world, 100);
    near("off the track", metric_of(world, 0, "navigation_error"),
         2 * sin(1.5 * DEGREE) * metric_of(world, 0, "distance"), 0.1);
    finish(world);
}

/* Counts events of a kind until `time`. */
static int count_events(fm_world *world, double time, const char *kind)
{
    fm_error error = {0};
    int count = 0;
    while (fm_world_time(world) < time - 1e-9) {
        const fm_event *events;
        assert_int_equal(fm_world_step(world, &error), FM_OK);
        for (size_t i = 0, n = fm_world_events(world, &events); i < n; i++)
            count += strcmp(events[i].kind, kind) == 0;
    }
    return count;
}

static void a_dead_depth_gauge_is_told_and_the_spare_one_takes_over(void **state)
{
    (void)state;
    fm_world *world =
        under_way("", "<depth/><depth name='spare' bias='0.5 m'/><navigation depth='depth spare' patience='2 s'/>");
    run_until(world, 50);
    near("depth by the first", pose_of(world, 0).position[2], 4, 0.05);
    set_live(world, "/phoenix/depth/fault", 1);
    assert_int_equal(count_events(world, 51.9, "depth sensor changed"), 0);
    assert_int_equal(count_events(world, 52.2, "depth sensor changed"), 1);
    run_until(world, 250);
    near("depth by the second, which reads half a metre too much", pose_of(world, 0).position[2], 3.5, 0.1);
    near("quantities lost", metric_of(world, 0, "sensors_lost"), 0, 0);
    set_live(world, "/phoenix/spare/fault", 1);
    assert_int_equal(count_events(world, 260, "depth sensor lost"), 1);
    run_until(world, 300); /* carried on by the true vertical speed */
    near("depth without any", pose_of(world, 0).position[2], 3.5, 0.2);
    near("quantities lost", metric_of(world, 0, "sensors_lost"), 1, 0);
    finish(world);
}

static void a_part_that_tells_something_else_is_refused_as_a_source(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_null(try_load("<fathom version='1'><world/><vehicle name='phoenix' "
                         "model='nps-auv-ii'><compass/><navigation depth='compass'/></vehicle></fathom>",
                         &error));
    assert_non_null(strstr(error.text, "'compass' is a <compass>"));
    assert_null(try_load("<fathom version='1'><world/><vehicle name='phoenix' "
                         "model='nps-auv-ii'><compass/><navigation heading='compas'/></vehicle></fathom>",
                         &error));
    assert_non_null(strstr(error.text, "did you mean 'compass'"));
}

/* --- scenarios --- */

static fm_world *run_whole(const char *name)
{
    fm_world *world = start_scenario(name, NULL);
    run_until(world, fm_model_duration(fm_world_model(world)));
    return world;
}

static void the_lauv_holds_both_lanes_against_the_current(void **state)
{
    (void)state;
    fm_world *world = start_scenario("lauv-survey", NULL);
    run_until(world, 40);
    near("north on the way out", pose_of(world, 0).position[0], 51.6, 1);
    near("off the first lane", pose_of(world, 0).position[1], 0, 0.3);
    run_until(world, 100);
    near("north on the way back", pose_of(world, 0).position[0], 5.6, 1);
    near("off the second lane", pose_of(world, 0).position[1], 15, 0.3);
    near("heading, crabbing into the current", pose_of(world, 0).euler[2] / DEGREE, 180 + asin(0.1 / 1.3) / DEGREE, 1);
    below("deepest", metric_of(world, 0, "max_depth"), 3.1);
    run_until(world, 105);
    near("waypoints", metric_of(world, 0, "waypoints_reached"), 3, 0);
    finish(world);
}

static void phoenix_makes_2_feet_per_second_at_700_rpm(void **state)
{
    (void)state;
    fm_world *world = run_whole("phoenix-speed");
    near("speed", pose_of(world, 0).velocity[0] / 0.3048, 2, 1e-3);
    finish(world);
}

/* At rest the battery's moment m x balances the righting moment: tan of the pitch is m x over the vehicle's mass times
 * the depth of its centre. Under way the lift of the hull carries what the tank weighs. */
static void phoenix_glides_by_a_tank_and_hangs_by_a_sliding_battery(void **state)
{
    (void)state;
    fm_world *world = start_scenario("phoenix-ballast", NULL);
    const double mass = 435 * 4.4482216152605 / 9.80665, arm = 1.07 * 0.0254;
    run_until(world, 99);
    fm_pose pose = pose_of(world, 0);
    assert_greater(pose.position[0], 5);
    assert_greater(pose.position[2], 8);
    const double rho = 1.94 * 14.59390293720636 / pow(0.3048, 3), length = 87.625 * 0.0254, u = pose.velocity[0],
                 w = pose.velocity[2];
    double lift = rho / 2 * (0.7844 * length * length * u * w + (0.6 * 9.59851 * 0.3048 * 0.3048 + 1.1 * 0.2) * w * w);
    near("lift and drag of the hull", lift, 9.80665, 0.06 * 9.80665);
    run_until(world, 200);
    double sum = 0;
    for (int i = 0; i < 2000; i++) {
        step(world, 1);
        sum += pose_of(world, 0).euler[1];
    }
    near("pitch", sum / 2000, atan(10 * 0.02 / (mass * arm)), 0.01 * 0.0373);
    near("vertical speed", pose_of(world, 0).velocity[2], 0, 1e-3);
    finish(world);
}

/* A gyrocompass is as good as its gyroscopes: (ε + noise) over Ω cos φ. The better system drifts less. */
static void phoenix_finds_north_and_its_way_by_inertia(void **state)
{
    (void)state;
    fm_world *world = start_scenario("phoenix-inertial", NULL);
    run_until(world, 62);
    const double level = 7.292115e-5 * cos(36.7 * DEGREE), drift = 0.01 * DEGREE / 3600, noise = 1e-6 / sqrt(1200);
    near("heading found", column_of(world, 0, "navigation.attitude.heading"), 30 * DEGREE,
         (drift + 4 * noise) / level + 1e-4);
    run_until(world, 600);
    double good = column_of(world, 0, "navigation.error");
    assert_between(1, good, 60);
    const fm_pose pose = pose_of(world, 0);
    double north = column_of(world, 0, "plain-ins.pose.pose.position[0]") - pose.position[0],
           east = column_of(world, 0, "plain-ins.pose.pose.position[1]") - pose.position[1];
    assert_greater(sqrt(north * north + east * east), 3 * good);
    finish(world);
}

static void phoenix_dives_turns_and_climbs_with_a_failing_depth_gauge(void **state)
{
    (void)state;
    fm_world *world = start_scenario("phoenix-dive", NULL);
    run_until(world, 90);
    near("depth", pose_of(world, 0).position[2], 10, 0.4);
    near("pitch", pose_of(world, 0).euler[1] / DEGREE, 0, 2);
    assert_int_equal(count_events(world, 110, "depth sensor changed"), 1);
    run_until(world, 200);
    near("depth", pose_of(world, 0).position[2], 5, 0.2);
    near("heading", pose_of(world, 0).euler[2] / DEGREE, 180, 3);
    below("overshoot", metric_of(world, 0, "max_depth"), 10.5);
    finish(world);
}

static void phoenix_keeps_station_within_0_3_m_rms_in_0_2_m_per_s_of_current_by_its_own_instruments(void **state)
{
    (void)state;
    fm_world *world = run_whole("phoenix-hover");
    below("distance from the place, rms", metric_of(world, 0, "station_error_rms"), 0.3);
    below("heading at the end", fabs(metric_of(world, 0, "station_heading_error")) / DEGREE, 1);
    finish(world);
}

static void phoenix_docks_under_current_without_touching(void **state)
{
    (void)state;
    fm_world *world = run_whole("phoenix-dock");
    below("distance from the berth at the end", metric_of(world, 0, "station_error"), 0.3);
    below("distance from the berth, rms", metric_of(world, 0, "station_error_rms"), 0.3);
    below("heading at the end", fabs(metric_of(world, 0, "station_heading_error")) / DEGREE, 1);
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    assert_greater(metric_of(world, 0, "min_clearance"), 0.2);
    finish(world);
}

static void phoenix_surveys_the_minefield_although_sensors_fail_and_a_thruster_dies(void **state)
{
    (void)state;
    fm_world *world = run_whole("phoenix-minefield");
    near("waypoints", metric_of(world, 0, "waypoints_reached"), 8, 0);
    near("mines there", metric_of(world, 0, "mines"), 8, 0);
    assert_at_least(metric_of(world, 0, "mines_found"), 7);
    char verdict[64];
    fm_world_verdict(world, 0, verdict, sizeof verdict);
    assert_non_null(strstr(verdict, "of 8 mines found"));
    assert_greater(metric_of(world, 0, "coverage"), 0.95);
    below("distance off the lanes, rms", metric_of(world, 0, "track_error_rms"), 2);
    below("reckoned less true place", metric_of(world, 0, "navigation_error_max"), 2);
    below("distance from the last place, rms", metric_of(world, 0, "station_error_rms"), 0.5);
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    finish(world);
}

/* A sonar that is dead all the time finds nothing; rocks are no mines. */
static void a_dead_mine_sonar_finds_nothing(void **state)
{
    (void)state;
    fm_world *world =
        start_scenario("phoenix-minefield", (const char *const[]){"/phoenix/mine-sonar/fault=dead", NULL});
    run_until(world, 120);
    near("mines found", metric_of(world, 0, "mines_found"), 0, 0);
    near("detections", metric_of(world, 0, "detections"), 0, 0);
    finish(world);
}

static void remus_follows_reef_ridge_and_wreck_by_real_rays_and_touches_nothing(void **state)
{
    (void)state;
    fm_world *world = run_whole("remus-reef");
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    assert_greater(metric_of(world, 0, "min_altitude"), 1.5);
    assert_greater(metric_of(world, 0, "min_clearance"), 1);
    assert_greater(metric_of(world, 0, "threat_peak"), 1);
    near("altitude, late", metric_of(world, 0, "late_altitude"), 3, 0.3);
    finish(world);
    world = start_scenario("remus-reef", (const char *const[]){"/remus/avoid/gain=0", NULL});
    run_until(world, fm_model_duration(fm_world_model(world)));
    assert_at_least(metric_of(world, 0, "contacts"), 1); /* without look-ahead it runs into the wreck */
    finish(world);
}

static double contacts_with(const char *set)
{
    fm_world *world = start_scenario("remus-both-planes", (const char *const[]){set, NULL});
    run_until(world, fm_model_duration(fm_world_model(world)));
    const double contacts = metric_of(world, 0, "contacts");
    finish(world);
    return contacts;
}

/* A sill that is too long to go around, and on it a pier that is too high to go over. */
static void remus_climbs_over_a_sill_while_it_steers_around_the_pier_on_it(void **state)
{
    (void)state;
    fm_world *world = start_scenario("remus-both-planes", NULL);
    double aside = 0, climb = 0, both = 0;
    for (double t = 1; t <= 170; t++) {
        run_until(world, t);
        const fm_pose p = pose_of(world, 0);
        const double raised = column_of(world, 0, "avoid.altitude") - 3,
                     turned = fabs(remainder(column_of(world, 0, "planner.heading"), 360 * DEGREE));
        both += raised > 1 && turned > 10 * DEGREE; /* seconds in which both planes are ordered */
        aside = fmax(aside, fabs(p.position[1]));
        climb = fmax(climb, 17 - p.position[2]);
        if (fabs(p.position[0] - 100) < 5) {
            assert_less(p.position[1], -3.5 - 1);
            assert_less(p.position[2], 17.4 - 1);
        } /* beside the pier, above the sill */
    }
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    assert_greater(metric_of(world, 0, "min_clearance"), 1.5);
    assert_less(metric_of(world, 0, "plan_time"), 150); /* the goal is reached */
    assert_greater(aside, 8);
    assert_greater(climb, 1.5);
    assert_at_least(both, 3);
    finish(world);
    assert_at_least(contacts_with("/remus/avoid/gain=0"), 1);
    assert_at_least(contacts_with("/remus/planner/hits=255"), 1);
}

/* Over a level bottom a fan of rays sees what the nodes are: the sums differ by the pieces between beams only. */
static void threat_of_rays_and_of_nodes_agree_over_a_level_bottom(void **state)
{
    (void)state;
    static const char *const sonars[2] = {"<node-sonar name='sonar' mode='nodes' range='40 m' spacing='0.1 m'/>",
                                          "<multibeam name='sonar' attitude='90 0 0 deg' period='0.5 s' range='40 m' "
                                          "sector='60 deg' beams='601' bins='800' beam-height='0 deg' rays='1'/>"};
    double peak[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.05 s' duration='5 s'><bottom depth='20 m'/></world>"
                 "<vehicle name='remus' model='remus-diving' position='0 0 18 m'>%s<avoid altitude='3 m' zone='20 m' "
                 "weight='1.3' "
                 "sector='20 deg' reference-spacing='0.5 m'/></vehicle></fathom>",
                 sonars[i]);
        fm_world *world = start(text);
        run_until(world, 0.05);
        peak[i] = metric_of(world, 0, "threat_peak");
        finish(world);
    }
    assert_greater(peak[0], 0.3);
    near("threat of rays", peak[1], peak[0], 0.05 * peak[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scheduled_fault_acts_in_the_step_of_its_time_and_is_an_input),
        cmocka_unit_test(a_run_with_faults_replays_from_its_recorded_inputs_to_the_same_bits),
        cmocka_unit_test(a_restored_world_meets_the_faults_that_lie_ahead),
        cmocka_unit_test(a_fault_that_cannot_be_is_refused_with_what_is_near),
        cmocka_unit_test(an_allocation_that_knows_of_a_dead_thruster_keeps_the_place_better),
        cmocka_unit_test(without_anti_windup_a_limited_dive_overshoots),
        cmocka_unit_test(perfect_instruments_give_perfect_navigation),
        cmocka_unit_test(a_log_through_the_water_drifts_with_the_current),
        cmocka_unit_test(a_compass_error_turns_the_reckoned_track),
        cmocka_unit_test(a_dead_depth_gauge_is_told_and_the_spare_one_takes_over),
        cmocka_unit_test(a_part_that_tells_something_else_is_refused_as_a_source),
        cmocka_unit_test(the_lauv_holds_both_lanes_against_the_current),
        cmocka_unit_test(phoenix_makes_2_feet_per_second_at_700_rpm),
        cmocka_unit_test(phoenix_glides_by_a_tank_and_hangs_by_a_sliding_battery),
        cmocka_unit_test(phoenix_finds_north_and_its_way_by_inertia),
        cmocka_unit_test(phoenix_dives_turns_and_climbs_with_a_failing_depth_gauge),
        cmocka_unit_test(phoenix_keeps_station_within_0_3_m_rms_in_0_2_m_per_s_of_current_by_its_own_instruments),
        cmocka_unit_test(phoenix_docks_under_current_without_touching),
        cmocka_unit_test(phoenix_surveys_the_minefield_although_sensors_fail_and_a_thruster_dies),
        cmocka_unit_test(a_dead_mine_sonar_finds_nothing),
        cmocka_unit_test(remus_follows_reef_ridge_and_wreck_by_real_rays_and_touches_nothing),
        cmocka_unit_test(remus_climbs_over_a_sill_while_it_steers_around_the_pier_on_it),
        cmocka_unit_test(threat_of_rays_and_of_nodes_agree_over_a_level_bottom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
