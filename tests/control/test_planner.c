/* <planner> in the world: ways around and over what a vehicle's own sonar sees. */
#include "support/scenario.h"

/* --- REMUS on its reef --- */

static fm_world *reef(const char *method, const char *plane)
{
    char how[64], where[64];
    const int upright = strcmp(plane, "vertical") == 0;
    snprintf(how, sizeof how, "/remus/planner/method=%s", method);
    snprintf(where, sizeof where, "/remus/planner/plane=%s", plane);
    return start_scenario(
        "remus-reef-planned",
        (const char *const[]){how, where,
                              upright ? "/remus/sonar/attitude=90 0 0 deg" : "/remus/sonar/attitude=0 0 0 deg", NULL});
}

static void every_method_brings_remus_through_the_reef_without_touching_it(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"contour", "potential", "cells"}, *const planes[] = {"horizontal",
                                                                                               "vertical"};
    for (int i = 0; i < 6; i++) {
        fm_world *world = reef(methods[i / 2], planes[i % 2]);
        run_until(world, 200);
        if (metric_of(world, 0, "contacts") != 0 || !(metric_of(world, 0, "min_clearance") > 2) ||
            !(metric_of(world, 0, "plan_time") < 190) || !(metric_of(world, 0, "plan_path") < 300))
            fail_msg("%s, %s: %g contacts, clearance %g m, goal after %g s and %g m", methods[i / 2], planes[i % 2],
                     metric_of(world, 0, "contacts"), metric_of(world, 0, "min_clearance"),
                     metric_of(world, 0, "plan_time"), metric_of(world, 0, "plan_path"));
        finish(world);
    }
}

/* The goal is 210 m north, 14 m deep, its radius 6 m. Above it, nearer than that along the way, nothing is reached yet.
 */
static void a_goal_is_reached_in_three_dimensions(void **unused)
{
    (void)unused;
    static const char *const methods[] = {"contour", "potential", "cells"};
    int over = 0;
    for (int i = 0; i < 3; i++) {
        fm_world *world = reef(methods[i], "vertical");
        double reached = NAN, distance = HUGE_VAL;
        for (double t = 0.05; t < 200 && isnan(reached); t += 0.05) {
            run_until(world, t);
            const double *at = pose_of(world, 0).position;
            distance = sqrt(pow(at[0] - 210, 2) + pow(at[1], 2) + pow(at[2] - 14, 2));
            reached = metric_of(world, 0, "plan_time") > 0 ? t : NAN;
            if (isnan(reached)) {
                assert_greater(distance, 5.1); /* it runs 0.8 m between two decisions */
                over += fabs(at[0] - 210) < 6;
            }
        }
        assert_greater(reached, 100);
        near("distance when the goal is reached", distance, 5.6, 0.5);
        finish(world);
    }
    assert_greater(over, 0);
}

/* The straight way leads into the first coral head. */
static void blind_remus_runs_into_the_reef(void **unused)
{
    (void)unused;
    fm_world *world = start_scenario("remus-reef-planned", (const char *const[]){"/remus/sonar/range=2 m", NULL});
    run_until(world, 80);
    assert_at_least(metric_of(world, 0, "contacts"), 1);
    finish(world);
}

/* The map and the search live in the state: another world that takes it over plans on to the same bits. */
static void a_saved_world_plans_on_to_the_same_bits(void **unused)
{
    (void)unused;
    fm_error error = {0};
    fm_world *one = reef("cells", "horizontal"), *two = reef("cells", "horizontal");
    run_until(one, 40);
    const size_t size = fm_world_state_size(one);
    void *saved = malloc(size);
    assert_int_equal(fm_world_save(one, saved, size, &error), FM_OK);
    assert_int_equal(fm_world_restore(two, saved, size, &error), FM_OK);
    run_until(one, 100);
    run_until(two, 100);
    assert_greater(metric_of(one, 0, "plan_cells"), 50);
    assert_same(fm_world_hash(one), fm_world_hash(two));
    near("cells settled", metric_of(two, 0, "plan_expansions"), metric_of(one, 0, "plan_expansions"), 0);
    free(saved);
    finish(two);
    finish(one);
}

/* --- another vehicle --- */

static void bluerov2s_find_their_ways_and_stop_there(void **unused)
{
    (void)unused;
    fm_world *world = start_scenario("bluerov2-planned", NULL);
    run_until(world, 110);
    for (int i = 0; i < 4; i++) {
        const fm_pose pose = pose_of(world, i);
        near("contacts", metric_of(world, i, "contacts"), 0, 0);
        assert_greater(metric_of(world, i, "min_clearance"), 0.6);
        near("north", pose.position[0], 18, 0.2);
        near("east", pose.position[1], 30 * i, 0.2);
        near("depth", pose.position[2], 5, 0.1);
    }
    finish(world);
}

/* A BlueROV2 in a basin, 5 m deep; walls, sonar and planner by the test. */
static fm_world *basin(const char *walls, const char *sonar, const char *planner)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='400 s'><water density='1000 kg/m3'/>"
             "<bottom depth='9 m'/>%s</world><vehicle name='rov' model='bluerov2' position='0 0 5 m'>"
             "<contact response='count' clearance='true'/>%s"
             "<planner from='0 0 5 m' speed='0.3 m/s' period='0.2 s' then='hover' cell='0.25 m' "
             "lookahead='4 m' radius='0.6 m' band='0.6 m' hits='1' well='3 m' hill='1 m' influence='3 m' %s/>"
             "<autopilot steering='thrusters'>"
             "<heading thrust-kp='4 N*m/rad' thrust-ki='0.1 N*m/rad/s' thrust-kd='3 N*m*s/rad'/>"
             "<depth thrust-kp='20 N/m' thrust-ki='2 N/m/s' thrust-kd='40 N*s/m'/>"
             "<speed kp='60 N*s/m' ki='10 N/m'/><sway kp='40 N*s/m'/>"
             "<hover kp='10 N/m' ki='1 N/m/s' kd='30 N*s/m'/></autopilot></vehicle></fathom>",
             walls, sonar, planner);
    return start(text);
}

#define FAN                                                                                                            \
    "<multibeam position='0.25 0 0 m' period='0.2 s' range='8 m' sector='120 deg' beams='61' bins='80' "               \
    "beam-height='0 deg' rays='1'/>"

/* A wall of 40 m across the way: along it the vehicle keeps the distance that was asked for. */
static void contour_following_keeps_its_distance_from_a_wall(void **unused)
{
    (void)unused;
    fm_world *world = basin("<box name='wall' position='6 6 6 m' size='1 40 6 m'/>", FAN,
                            "goal='14 2 5 m' method='contour' margin='30 m' clearance='1.5 m'");
    double least = 10, most = 0;
    for (int i = 0; i < 200 && !(pose_of(world, 0).position[0] > 9); i++) {
        run_until(world, 1 + i);
        const double north = pose_of(world, 0).position[0], east = pose_of(world, 0).position[1];
        if (east > 12 && east < 24 && north < 5.5) { /* alongside, after the curve to it */
            least = fmin(least, 5.5 - north);
            most = fmax(most, 5.5 - north);
        }
    }
    print_message("from %.2f m to %.2f m off the wall\n", least, most);
    assert_less(most, 10);
    near("nearest", least, 1.5, 0.35); /* of the body's origin to the face; the map has cells of 0.25 m */
    near("farthest", most, 1.5, 0.5);
    run_until(world, 200);
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    assert_less(metric_of(world, 0, "plan_distance"), 0.7);
    finish(world);
}

#define HORSESHOE                                                                                                      \
    "<box name='back' position='8 0 6 m' size='0.5 8 6 m'/><box name='left' position='6 -4 6 m' size='4 0.5 6 m'/>"    \
    "<box name='right' position='6 4 6 m' size='4 0.5 6 m'/>"

/* The paper names the drawback of the potential field: "local minima may entrap the robot trajectory". */
static void a_horseshoe_traps_the_potential_field_and_not_the_search(void **unused)
{
    (void)unused;
    fm_world *world = basin(HORSESHOE, FAN, "goal='16 0 5 m' method='potential' margin='10 m' clearance='1 m'");
    run_until(world, 300);
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    assert_less(pose_of(world, 0).position[0], 8);
    assert_greater(metric_of(world, 0, "plan_distance"), 8);
    finish(world);
    world = basin(HORSESHOE, FAN, "goal='16 0 5 m' method='cells' margin='10 m' clearance='1 m'");
    run_until(world, 150);
    near("contacts", metric_of(world, 0, "contacts"), 0, 0);
    near("north", pose_of(world, 0).position[0], 16, 0.3);
    finish(world);
}

static void a_closed_basin_has_no_way_out_and_that_is_told(void **unused)
{
    (void)unused;
    fm_world *world = basin("<box name='a' position='5 0 5 m' size='0.5 22 8 m'/>", FAN,
                            "goal='10 0 5 m' method='cells' margin='4 m' clearance='1 m'");
    int told = 0;
    for (int i = 0; i < 3000 && !told; i++) {
        const fm_event *events;
        step(world, 1);
        const size_t count = fm_world_events(world, &events);
        for (size_t k = 0; k < count; k++)
            told += strcmp(events[k].kind, "no way to the goal") == 0;
    }
    assert_true(told);
    finish(world);
}

/* Any sonar will do: a scanning head, a single range. */
static void other_sonars_draw_the_map_too(void **unused)
{
    (void)unused;
    static const char *const sonars[] = {
        "<scanning-sonar position='0.25 0 0 m' period='0.02 s' range='8 m' scan='120 deg' step='3 deg' sector='0 deg' "
        "bins='80' beam-height='0 deg' rays='1'/>",
        "<sonar position='0.25 0 0 m' period='0.2 s' range='8 m' half-angle='0 deg' rays='1'/>"};
    for (size_t i = 0; i < 2; i++) {
        fm_world *world = basin("<box name='a' position='5 0.4 5 m' size='0.5 3 8 m'/>", sonars[i],
                                "goal='10 0 5 m' method='cells' margin='8 m' clearance='1 m'");
        run_until(world, 80);
        near("contacts", metric_of(world, 0, "contacts"), 0, 0);
        assert_at_least(metric_of(world, 0, "plan_cells"), 3);
        near("north", pose_of(world, 0).position[0], 10, 0.3);
        finish(world);
    }
}

/* Returns with bearings, as the REMUS paper's sonar gives them, map the bottom ahead where it is. */
static void a_sonar_of_returns_maps_the_bottom(void **unused)
{
    (void)unused;
    fm_world *world =
        start("<fathom version='1'><world dt='0.05 s' duration='60 s'><bottom depth='20 m'/></world>"
              "<vehicle name='remus' model='remus-diving' position='0 0 14 m'>"
              "<node-sonar name='sonar' range='40 m' spacing='0.5 m'/>"
              "<planner plane='vertical' method='contour' from='0 0 14 m' goal='100 0 14 m' clearance='5 m'/>"
              "<bottom-following poles='-0.6 -0.65 -0.7 1/s' sliding-rate='0.5 m/s' boundary-layer='1 m'/>"
              "</vehicle></fathom>");
    run_until(world, 30);
    assert_greater(metric_of(world, 0, "plan_cells"), 40);
    near("depth, 5 m over the bottom's cells", pose_of(world, 0).position[2], 14.5, 0.7);
    finish(world);
}

static void what_cannot_be_planned_is_refused(void **unused)
{
    (void)unused;
    static const char *const parts[][2] = {
        {"<planner from='0 0 1 m' goal='9 0 1 m'/>", "no sonar"},
        {"<sonar/><planner from='0 0 1 m' goal='1 0 1 m'/>", "1 m from the start"},
        {"<sonar/><planner from='0 0 1 m' goal='9000 0 1 m'/>", "cells"},
        {"<compass/><planner sonar='compass' from='0 0 1 m' goal='90 0 1 m'/>", "'compass' is none"},
        {"<sonar/><planner from='0 0 1 m' goal='90 0 1 m' then='hover'/><autopilot steering='fins'/>", "cannot hover"}};
    for (size_t i = 0; i < FM_COUNT(parts); i++) {
        char text[1024];
        fm_error error = {0};
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.1 s' duration='1 s'/><vehicle name='v' model='lauv'>%s</vehicle>"
                 "</fathom>",
                 parts[i][0]);
        assert_null(try_load(text, &error));
        if (!strstr(error.text, parts[i][1]))
            fail_msg("the error is '%s': must contain '… %s …'", error.text, parts[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_method_brings_remus_through_the_reef_without_touching_it),
        cmocka_unit_test(a_goal_is_reached_in_three_dimensions),
        cmocka_unit_test(blind_remus_runs_into_the_reef),
        cmocka_unit_test(a_saved_world_plans_on_to_the_same_bits),
        cmocka_unit_test(bluerov2s_find_their_ways_and_stop_there),
        cmocka_unit_test(contour_following_keeps_its_distance_from_a_wall),
        cmocka_unit_test(a_horseshoe_traps_the_potential_field_and_not_the_search),
        cmocka_unit_test(a_closed_basin_has_no_way_out_and_that_is_told),
        cmocka_unit_test(other_sonars_draw_the_map_too),
        cmocka_unit_test(a_sonar_of_returns_maps_the_bottom),
        cmocka_unit_test(what_cannot_be_planned_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
