/* Controllers find what they need by quantity, whatever the class that gives it; the instruments are those of
 * instruments_plugin.c. */
#include "support/scenario.h"

/* Healey's numbers. */
#define AVOID "<avoid gain='3' altitude='3 m' zone='20 m' weight='1.3' sector='20 deg' reference-spacing='0.5 m'"
#define PLUGIN " plugin='" PLUGIN_FILE "' "

static fm_world *start_phoenix(const char *parts)
{
    char text[2000];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.02 s' gravity='32.174 ft/s2'/><vehicle name='phoenix' model='nps-auv-ii' "
        "position='0 0 5 m' velocity='2 0 0 ft/s'>%s<autopilot steering='fins' design-speed='1 m/s'>"
        "<speed order='0.8 m/s' kp='400 N*s/m' ki='40 N/m'/>"
        "<depth order='8 m' kp='15 deg/m' limit='15 deg'/><pitch kp='2' kd='3 s'/><heading kp='2' kd='3 s'/>"
        "</autopilot></vehicle></fathom>",
        parts);
    return start(text);
}

static void an_autopilot_holds_the_depth_that_a_strangers_gauge_tells(void **state)
{
    (void)state;
    fm_world *own = start_phoenix("<depth position='-1 0 0.2 m'/><navigation depth='depth'/>");
    fm_world *strange = start_phoenix("<sounding-line" PLUGIN "position='-1 0 0.2 m'/>"
                                      "<navigation depth='sounding-line'/>");
    for (int i = 1; i <= 6; i++) {
        run_until(own, 20 * i);
        run_until(strange, 20 * i);
        near("depth", pose_of(strange, 0).position[2], pose_of(own, 0).position[2], 1e-6);
    }
    set_live(strange, "/phoenix/sounding_line/error", 0.75);
    run_until(strange, 360);
    run_until(own, 360);
    near("depth by a gauge that errs", pose_of(strange, 0).position[2], pose_of(own, 0).position[2] - 0.75, 0.02);
    finish(own);
    finish(strange);
}

static fm_world *start_remus(const char *sonar, const char *avoid)
{
    char text[2000];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s'><bottom depth='20 m'/></world><vehicle name='remus' "
             "model='remus-diving' position='0 0 17.5 m'><diving trimmed='true'/><depth/>%s" AVOID
             "%s/><bottom-following poles='-1 -1.05 -1.1 1/s' sliding-rate='1.1 m/s' boundary-layer='0.5 "
             "m'/></vehicle></fathom>",
             sonar, avoid);
    return start(text);
}

static void a_sonar_of_another_class_is_found_and_steers_as_the_built_in_one(void **state)
{
    (void)state;
    fm_world *own = start_remus("<node-sonar mode='nodes' range='40 m' spacing='0.5 m'/>", " sonar='node-sonar'");
    fm_world *named = start_remus("<bottom-sonar" PLUGIN "name='eye'/>", " sonar='eye'");
    fm_world *found = start_remus("<bottom-sonar" PLUGIN "/>", "");
    double most = 0;
    for (int i = 1; i <= 30; i++) {
        run_until(own, i);
        run_until(named, i);
        run_until(found, i);
        most = fmax(most, column_of(own, 0, "avoid.threat"));
        near("threat", column_of(named, 0, "avoid.threat"), column_of(own, 0, "avoid.threat"), 1e-9);
        near("depth", pose_of(named, 0).position[2], pose_of(own, 0).position[2], 1e-9);
        near("depth without a name", pose_of(found, 0).position[2], pose_of(named, 0).position[2], 0);
    }
    assert_greater(most, 0.05);
    finish(own);
    finish(named);
    finish(found);
}

static void refuses(const char *parts, const char *told)
{
    char text[2000];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world><bottom depth='20 m'/></world><vehicle name='a' "
             "model='nps-auv-ii'>%s</vehicle></fathom>",
             parts);
    fm_model *model = try_load(text, &error);
    if (model)
        fail_msg("accepted: %s", parts);
    if (!strstr(error.text, told))
        fail_msg("'%s' does not say '%s'", error.text, told);
}

static void who_does_not_give_what_is_asked_is_refused_with_those_who_do(void **state)
{
    (void)state;
    refuses("<compass/><depth/><navigation depth='compass'/>", "'compass' is a <compass>, which does not measure it");
    refuses("<compass/><node-sonar name='eye' range='40 m' spacing='0.5 m'/>" AVOID " sonar='compass'/>",
            "'compass' is a <compass>, which gives no ranges: must be 'eye'");
    refuses("<compass/>" AVOID "/>", "no sensor that gives ranges");
    refuses("<side-scan/>" AVOID "/>", "must have two or more beams and be upright");
    refuses("<sonar/><navigation altitude='sonar'/>", "'sonar' does not look down");
    refuses("<false-gauge" PLUGIN "/>", "'depth' is in kg; a depth is in m");
}

static void a_sonar_that_looks_down_tells_the_altitude(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.02 s'><bottom depth='20 m'/></world><vehicle name='a' "
                            "model='nps-auv-ii' position='0 0 5 m'><sonar attitude='0 -90 0 deg' half-angle='0 deg' "
                            "rays='1' position='0 0 0.3 m'/><navigation altitude='sonar'/></vehicle></fathom>");
    run_until(world, 1);
    near("altitude", column_of(world, 0, "navigation.altitude"), 20 - pose_of(world, 0).position[2], 1e-3);
    finish(world);
}

/* 20 km off the origin, where a degree of longitude is 2 % shorter than there. */
static void navigation_finds_its_place_from_a_fix_far_away(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.1 s' latitude='70 deg' longitude='179.99 deg'/>"
                            "<vehicle name='buoy' position='12000 16000 0 m'><mass mass='100 kg' inertia='10 10 10 "
                            "kg*m2'/><float shape='box' size='1 1 0.4 m'/><gps position='0 0 -1 m'/><navigation "
                            "position='gps'/></vehicle></fathom>");
    run_until(world, 1);
    fm_pose pose = pose_of(world, 0);
    near("north", column_of(world, 0, "navigation.position.north"), pose.position[0], 0.05);
    near("east", column_of(world, 0, "navigation.position.east"), pose.position[1], 0.05);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_autopilot_holds_the_depth_that_a_strangers_gauge_tells),
        cmocka_unit_test(a_sonar_of_another_class_is_found_and_steers_as_the_built_in_one),
        cmocka_unit_test(who_does_not_give_what_is_asked_is_refused_with_those_who_do),
        cmocka_unit_test(a_sonar_that_looks_down_tells_the_altitude),
        cmocka_unit_test(navigation_finds_its_place_from_a_fix_far_away),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
