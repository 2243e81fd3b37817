/* Missions: scheduled faults, dead thrusters, wind-up, and the published vehicles on their errands. */
#include "control/world_case.h"

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
    world_case c = start_text(hovering("", "<faults><at t='20 s' path='/phoenix/stern-lateral/efficiency' value='0'/>"
                                           "<at t='10 s' path='/current/velocity/y' value='10 cm/s'/></faults>"));
    double value;
    const fm_input *inputs;
    fm_error error = {0};
    run_until(&c, 20);
    assert_int_equal(fm_world_get(c.world, "/phoenix/stern_lateral/efficiency", &value, &error), FM_OK);
    near("efficiency before", value, 1, 0);
    assert_int_equal(fm_world_get(c.world, "/current/velocity/y", &value, &error), FM_OK);
    near("current after", value, 0.1, 1e-15);
    assert_int_equal(fm_world_step(c.world, &error), FM_OK);
    assert_int_equal(fm_world_get(c.world, "/phoenix/stern_lateral/efficiency", &value, &error), FM_OK);
    near("efficiency after", value, 0, 0);
    assert_int_equal(fm_world_inputs(c.world, &inputs), 1);
    assert_int_equal(inputs[0].tick, 400);
    assert_string_equal(inputs[0].target, "/phoenix/stern_lateral/efficiency");
    end_case(&c);
}

/* Hash after 40 s; `again` gives every input that was taken once more, as a replay does. */
static uint64_t hash_of_run(fm_input *kept, size_t *count, int again)
{
    world_case c = start_text(
        hovering("", "<faults><at t='20 s' path='/phoenix/stern-lateral/efficiency' value='0.5'/></faults>"));
    fm_error error = {0};
    for (uint64_t tick = 0; tick < 800; tick++) {
        const fm_input *inputs;
        for (size_t i = 0; again && i < *count; i++)
            if (kept[i].tick == tick)
                assert_int_equal(fm_world_input(c.world, &kept[i], &error), FM_OK);
        assert_int_equal(fm_world_step(c.world, &error), FM_OK);
        for (size_t i = 0, n = fm_world_inputs(c.world, &inputs); !again && i < n; i++)
            kept[(*count)++] = inputs[i];
    }
    uint64_t hash = fm_world_hash(c.world);
    end_case(&c);
    return hash;
}

static void a_run_with_faults_replays_from_its_recorded_inputs_to_the_same_bits(void **state)
{
    (void)state;
    fm_input kept[8];
    size_t count = 0;
    const uint64_t first = hash_of_run(kept, &count, 0);
    assert_int_equal(count, 1);
    assert_true(hash_of_run(kept, &count, 1) == first);
}

static void a_restored_world_meets_the_faults_that_lie_ahead(void **state)
{
    (void)state;
    world_case c =
        start_text(hovering("", "<faults><at t='5 s' path='/phoenix/bow-lateral/efficiency' value='0'/></faults>"));
    void *kept = malloc(fm_world_state_size(c.world));
    fm_error error = {0};
    run_until(&c, 2);
    fm_world_save(c.world, kept);
    run_until(&c, 30);
    const uint64_t hash = fm_world_hash(c.world);
    assert_int_equal(fm_world_restore(c.world, kept, &error), FM_OK);
    run_until(&c, 30);
    assert_true(fm_world_hash(c.world) == hash);
    free(kept);
    end_case(&c);
}

static void a_fault_that_cannot_be_is_refused_with_what_is_near(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_null(load_text(
        hovering("", "<faults><at t='5 s' path='/phoenix/stern-latral/efficiency' value='0'/></faults>"), &error));
    assert_non_null(strstr(error.text, "/phoenix/stern_lateral/efficiency"));
    assert_null(load_text(
        hovering("", "<faults><at t='5 s' path='/phoenix/stern-lateral/efficiency' value='2'/></faults>"), &error));
    assert_non_null(strstr(error.text, "value"));
    assert_null(load_text(
        hovering("", "<faults><at t='5 s' path='/phoenix/stern-lateral/efficiency' value='1 m'/></faults>"), &error));
}

/* --- dead thrusters, wind-up --- */

static double station_error(const char *attributes)
{
    world_case c = start_text(
        hovering(attributes, "<faults><at t='0 s' path='/phoenix/stern-lateral/efficiency' value='0'/></faults>"));
    run_until(&c, 240);
    const double error = metric(&c, "station_error_rms");
    end_case(&c);
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
    world_case c = start_text(text);
    run_until(&c, 300);
    const double deepest = metric(&c, "max_depth");
    end_case(&c);
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
static world_case under_way(const char *current, const char *instruments)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='300 s' latitude='36 deg'><water density='1000 "
             "kg/m3'/>%s<bottom depth='20 m'/></world>"
             "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 4 m' attitude='0 0 30 deg' velocity='0.6 0 0 "
             "m/s'>%s" PILOT "</vehicle></fathom>",
             current, instruments);
    return start_text(text);
}

/* Instruments without errors know what the truth is, wherever they sit: steering by them is steering by the truth. */
static void perfect_instruments_give_perfect_navigation(void **state)
{
    (void)state;
    world_case truth = under_way("", ""),
               sensed = under_way(
                   "", "<imu attitude='0 0 90 deg'/><compass attitude='0 0 15 deg'/><depth position='0.5 0.1 0.2 "
                       "m'/><dvl position='-0.6 0.2 0.1 m' attitude='0 0 30 deg'/>"
                       "<navigation attitude='imu' heading='compass' depth='depth' velocity='dvl' altitude='dvl'/>");
    set_live(&truth, "/phoenix/autopilot/depth/order", 6);
    set_live(&sensed, "/phoenix/autopilot/depth/order", 6);
    run_until(&truth, 100);
    run_until(&sensed, 100);
    for (int i = 0; i < 3; i++)
        near("place", pose_of(&sensed).position[i], pose_of(&truth).position[i], 0.02);
    below("reckoned less true place", metric(&sensed, "navigation_error_max"), 0.02);
    near("altitude", column(&sensed, "navigation.altitude"), 20 - pose_of(&sensed).position[2], 0.01);
    end_case(&truth);
    end_case(&sensed);
}

/* Dead reckoning by compass and log through the water drifts with the current: 0.1 m/s for 100 s is 10 m. A navigator
 * who knows the current stays. */
static void a_log_through_the_water_drifts_with_the_current(void **state)
{
    (void)state;
    const char *current = "<current velocity='0 0.1 0 m/s'/>";
    world_case c = under_way(current, "<compass/><speed-log/><navigation heading='compass' velocity='speed-log'/>");
    run_until(&c, 100);
    near("drift", metric(&c, "navigation_error"), 10, 0.3);
    end_case(&c);
    c = under_way(current,
                  "<compass/><speed-log/><navigation heading='compass' velocity='speed-log' current='0 0.1 0 m/s'/>");
    run_until(&c, 100);
    below("drift of one who knows the current", metric(&c, "navigation_error"), 0.3);
    end_case(&c);
}

/* A compass that is off by 3 degrees puts the place off by 0.6 m/s x 100 s x sin 3 deg. */
static void a_compass_error_turns_the_reckoned_track(void **state)
{
    (void)state;
    world_case c = under_way("", "<compass bias='3 deg'/><dvl/><navigation heading='compass' velocity='dvl'/>");
    run_until(&c, 100);
    near("off the track", metric(&c, "navigation_error"), 2 * sin(1.5 * DEGREE) * metric(&c, "distance"), 0.1);
    end_case(&c);
}

/* Counts events of a kind until `time`. */
static int count_events(const world_case *c, double time, const char *kind)
{
    fm_error error = {0};
    int count = 0;
    while (fm_world_time(c->world) < time - 1e-9) {
        const fm_event *events;
        assert_int_equal(fm_world_step(c->world, &error), FM_OK);
        for (size_t i = 0, n = fm_world_events(c->world, &events); i < n; i++)
            count += strcmp(events[i].kind, kind) == 0;
    }
    return count;
}

static void a_dead_depth_gauge_is_told_and_the_spare_one_takes_over(void **state)
{
    (void)state;
    world_case c =
        under_way("", "<depth/><depth name='spare' bias='0.5 m'/><navigation depth='depth spare' patience='2 s'/>");
    run_until(&c, 50);
    near("depth by the first", pose_of(&c).position[2], 4, 0.05);
    set_live(&c, "/phoenix/depth/fault", 1);
    assert_int_equal(count_events(&c, 51.9, "depth sensor changed"), 0);
    assert_int_equal(count_events(&c, 52.2, "depth sensor changed"), 1);
    run_until(&c, 250);
    near("depth by the second, which reads half a metre too much", pose_of(&c).position[2], 3.5, 0.1);
    near("quantities lost", metric(&c, "sensors_lost"), 0, 0);
    set_live(&c, "/phoenix/spare/fault", 1);
    assert_int_equal(count_events(&c, 260, "depth sensor lost"), 1);
    run_until(&c, 300); /* carried on by the true vertical speed */
    near("depth without any", pose_of(&c).position[2], 3.5, 0.2);
    near("quantities lost", metric(&c, "sensors_lost"), 1, 0);
    end_case(&c);
}

static void a_part_that_tells_something_else_is_refused_as_a_source(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_null(load_text("<fathom version='1'><world/><vehicle name='phoenix' "
                          "model='nps-auv-ii'><compass/><navigation depth='compass'/></vehicle></fathom>",
                          &error));
    assert_non_null(strstr(error.text, "'compass' is a <compass>"));
    assert_null(load_text("<fathom version='1'><world/><vehicle name='phoenix' "
                          "model='nps-auv-ii'><compass/><navigation heading='compas'/></vehicle></fathom>",
                          &error));
    assert_non_null(strstr(error.text, "did you mean 'compass'"));
}

/* --- scenarios --- */

static world_case run_whole(const char *name)
{
    world_case c = start_scenario(name, NULL);
    run_until(&c, fm_model_duration(c.model));
    return c;
}

static void phoenix_makes_2_feet_per_second_at_700_rpm(void **state)
{
    (void)state;
    world_case c = run_whole("phoenix-speed.xml");
    near("speed", pose_of(&c).velocity[0] / 0.3048, 2, 1e-3);
    end_case(&c);
}

static void phoenix_dives_turns_and_climbs_with_a_failing_depth_gauge(void **state)
{
    (void)state;
    world_case c = start_scenario("phoenix-dive.xml", NULL);
    run_until(&c, 90);
    near("depth", pose_of(&c).position[2], 10, 0.4);
    near("pitch", pose_of(&c).euler[1] / DEGREE, 0, 2);
    assert_int_equal(count_events(&c, 110, "depth sensor changed"), 1);
    run_until(&c, 200);
    near("depth", pose_of(&c).position[2], 5, 0.2);
    near("heading", pose_of(&c).euler[2] / DEGREE, 180, 3);
    below("overshoot", metric(&c, "max_depth"), 10.5);
    end_case(&c);
}

static void phoenix_keeps_station_within_0_3_m_rms_in_0_2_m_per_s_of_current_by_its_own_instruments(void **state)
{
    (void)state;
    world_case c = run_whole("phoenix-hover.xml");
    below("distance from the place, rms", metric(&c, "station_error_rms"), 0.3);
    below("heading at the end", fabs(metric(&c, "station_heading_error")) / DEGREE, 1);
    end_case(&c);
}

static void phoenix_docks_under_current_without_touching(void **state)
{
    (void)state;
    world_case c = run_whole("phoenix-dock.xml");
    below("distance from the berth at the end", metric(&c, "station_error"), 0.3);
    below("distance from the berth, rms", metric(&c, "station_error_rms"), 0.3);
    below("heading at the end", fabs(metric(&c, "station_heading_error")) / DEGREE, 1);
    near("contacts", metric(&c, "contacts"), 0, 0);
    assert_true(metric(&c, "min_clearance") > 0.2);
    end_case(&c);
}

static void phoenix_surveys_the_minefield_although_sensors_fail_and_a_thruster_dies(void **state)
{
    (void)state;
    world_case c = run_whole("phoenix-minefield.xml");
    near("waypoints", metric(&c, "waypoints_reached"), 8, 0);
    near("mines there", metric(&c, "mines"), 8, 0);
    assert_true(metric(&c, "mines_found") >= 7);
    char verdict[64];
    fm_world_verdict(c.world, 0, verdict, sizeof verdict);
    assert_non_null(strstr(verdict, "of 8 mines found"));
    assert_true(metric(&c, "coverage") > 0.95);
    below("distance off the lanes, rms", metric(&c, "track_error_rms"), 2);
    below("reckoned less true place", metric(&c, "navigation_error_max"), 2);
    below("distance from the last place, rms", metric(&c, "station_error_rms"), 0.5);
    near("contacts", metric(&c, "contacts"), 0, 0);
    end_case(&c);
}

/* A sonar that is dead all the time finds nothing; rocks are no mines. */
static void a_dead_mine_sonar_finds_nothing(void **state)
{
    (void)state;
    world_case c =
        start_scenario("phoenix-minefield.xml", (const char *const[]){"/phoenix/mine-sonar/fault=dead", NULL});
    run_until(&c, 120);
    near("mines found", metric(&c, "mines_found"), 0, 0);
    near("detections", metric(&c, "detections"), 0, 0);
    end_case(&c);
}

static void remus_follows_reef_ridge_and_wreck_by_real_rays_and_touches_nothing(void **state)
{
    (void)state;
    world_case c = run_whole("remus-reef.xml");
    near("contacts", metric(&c, "contacts"), 0, 0);
    assert_true(metric(&c, "min_altitude") > 1.5);
    assert_true(metric(&c, "min_clearance") > 1);
    assert_true(metric(&c, "threat_peak") > 1);
    near("altitude, late", metric(&c, "late_altitude"), 3, 0.3);
    end_case(&c);
    c = start_scenario("remus-reef.xml", (const char *const[]){"/remus/avoid/gain=0", NULL});
    run_until(&c, fm_model_duration(c.model));
    assert_true(metric(&c, "contacts") >= 1); /* without look-ahead it runs into the wreck */
    end_case(&c);
}

/* Over a level bottom a fan of rays sees what the nodes are: the sums differ by the pieces between beams only. */
static void threat_of_rays_and_of_nodes_agree_over_a_level_bottom(void **state)
{
    (void)state;
    static const char *const sonars[2] = {"<node-sonar name='sonar' spacing='0.1 m'/>",
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
        world_case c = start_text(text);
        run_until(&c, 0.05);
        peak[i] = metric(&c, "threat_peak");
        end_case(&c);
    }
    assert_true(peak[0] > 0.3);
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
        cmocka_unit_test(phoenix_makes_2_feet_per_second_at_700_rpm),
        cmocka_unit_test(phoenix_dives_turns_and_climbs_with_a_failing_depth_gauge),
        cmocka_unit_test(phoenix_keeps_station_within_0_3_m_rms_in_0_2_m_per_s_of_current_by_its_own_instruments),
        cmocka_unit_test(phoenix_docks_under_current_without_touching),
        cmocka_unit_test(phoenix_surveys_the_minefield_although_sensors_fail_and_a_thruster_dies),
        cmocka_unit_test(a_dead_mine_sonar_finds_nothing),
        cmocka_unit_test(remus_follows_reef_ridge_and_wreck_by_real_rays_and_touches_nothing),
        cmocka_unit_test(threat_of_rays_and_of_nodes_agree_over_a_level_bottom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
