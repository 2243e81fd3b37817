/* The robotic fish sees, touches and decides on what its instruments tell. */
#include "kinds/fish_worlds.h"

#include "world/world.h"

#include <unistd.h>

#include "fish/behaviour.h"
#include "kinds/fish.h"
#include "physics/fish.h"
#include "sensors/camera.h"
#include "sensors/readings.h"

/* Largest heading (rad) within 10 s of a fish that swims straight towards another, which lies `below` it (m). */
static double turn_near(double below)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s'><water density='1000 kg/m3'/></world>"
             "<vehicle name='fish' model='robotic-fish' position='0 0 2 m' velocity='0.2 0 0 "
             "m/s'><fish-brain><free-swimming turn='0 rad/s'/></fish-brain></vehicle>"
             "<vehicle name='other' model='robotic-fish' position='2 0.02 %g m' attitude='0 0 90 deg'/></fathom>",
             2 + below);
    fm_world *world = start(text);
    double most = 0;
    for (int i = 0; i < 200; i++) {
        step(world, 1);
        most = fmax(most, fabs(pose_of(world, 0).euler[2]));
    }
    finish(world);
    return most;
}

/* 0.4 m below lies within 30° from 0.69 m on; 1.2 m below only beyond the sonars' range. */
static void a_fish_notices_another_above_or_below(void **state)
{
    (void)state;
    assert_greater(turn_near(0), 10 * DEG);
    assert_greater(turn_near(0.4), 5 * DEG);
    assert_greater(turn_near(-0.4), 5 * DEG);
    near("turn for a fish far below", turn_near(1.2), 0, 1e-12);
}

/* A wall 1 m ahead of the eyes: dead ahead the sonars have 1 m, at 30° off the bow 1/cos 30°, abeam nothing; infrareds
 * look 28° off at best, where the wall is out of their reach. */
static void senses_of_the_fish_meet_a_wall_where_it_is(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(1, "");
    set(world, "/fish/port-sonar/noise", 0);
    set(world, "/fish/starboard-sonar/noise", 0);
    step(world, 1);
    for (int side = 0; side < 2; side++) {
        const fm_range_reading *sonar =
            (const fm_range_reading *)values_of(world, side ? "starboard-sonar" : "port-sonar");
        const fm_range_reading *infrared =
            (const fm_range_reading *)values_of(world, side ? "starboard-infrared" : "port-infrared");
        const double *by_bearing = (const double *)(sonar + 1);
        near("sonar", sonar->range, 1, 1e-9);
        near("sonar, dead ahead", by_bearing[side ? 0 : 24], 1, 1e-9);
        near("sonar, 30 degrees off", by_bearing[side ? 6 : 18], 1 / cos(30 * DEG), 1e-9);
        assert_true(isinf(by_bearing[side ? 18 : 6])); /* abeam */
        assert_true(isinf(infrared->range));
        assert_same(infrared->radiation, 1);
        assert_same(sonar->radiation, 0);
    }
    assert_same(((const fm_value_reading *)values_of(world, "bumper"))->value, 0);
    finish(world);
    world = before_a_wall(0.01, "");
    set(world, "/fish/port-infrared/noise", 0);
    step(world, 1);
    assert_same(((const fm_value_reading *)values_of(world, "bumper"))->value, 1);
    near("infrared", ((const fm_range_reading *)values_of(world, "port-infrared"))->range, 0.01 / cos(28 * DEG), 1e-9);
    finish(world);
}

/* The way of a fish before a wall for 12 s, with one parameter set; returns its contacts. */
typedef struct swim {
    double x, y, heading, contacts;
} swim;

static swim swim_at_the_wall(const char *brain, const char *const *dead)
{
    fm_world *world = before_a_wall(1.2, brain);
    for (; dead && *dead; dead++)
        set(world, *dead, 1);
    run_until(world, 12);
    fm_pose pose = pose_of(world, 0);
    swim s = {pose.position[0], pose.position[1], pose.euler[2], metric_of(world, 0, "contacts")};
    finish(world);
    return s;
}

static int same_swim(swim a, swim b)
{
    return a.x == b.x && a.y == b.y && a.heading == b.heading;
}

#define STRAIGHT "<fish-brain><free-swimming turn='0 rad/s'/></fish-brain>"
#define INFRARED "<fish-brain senses='infrared'><free-swimming turn='0 rad/s'/></fish-brain>"

static void a_fish_whose_senses_are_dead_meets_the_wall_it_would_have_avoided(void **state)
{
    (void)state;
    static const char *const blind[] = {"/fish/port-sonar/fault", "/fish/starboard-sonar/fault", "/fish/bumper/fault",
                                        NULL},
                             *const port[] = {"/fish/port-sonar/fault", NULL},
                             *const infrareds[] = {"/fish/port-infrared/fault", "/fish/starboard-infrared/fault", NULL};
    swim sound = swim_at_the_wall(STRAIGHT, NULL), dark = swim_at_the_wall(STRAIGHT, blind),
         one = swim_at_the_wall(STRAIGHT, port);
    assert_same(sound.contacts, 0);
    assert_greater(fabs(sound.heading), 60 * DEG);
    assert_at_least(dark.contacts, 1);
    assert_same(dark.y, 0);
    assert_same(dark.heading, 0);
    assert_false(same_swim(sound, one));                                  /* one of two changes what is decided */
    assert_true(same_swim(sound, swim_at_the_wall(STRAIGHT, infrareds))); /* those not selected do not */
}

static void sonars_or_infrareds_are_selected(void **state)
{
    (void)state;
    static const char *const sonars[] = {"/fish/port-sonar/fault", "/fish/starboard-sonar/fault", NULL},
                             *const infrareds[] = {"/fish/port-infrared/fault", "/fish/starboard-infrared/fault", NULL};
    swim sound = swim_at_the_wall(INFRARED, NULL);
    assert_greater(fabs(sound.heading), 20 * DEG);
    assert_true(same_swim(sound, swim_at_the_wall(INFRARED, sonars)));
    assert_false(same_swim(sound, swim_at_the_wall(INFRARED, infrareds)));
    assert_false(same_swim(sound, swim_at_the_wall(STRAIGHT, NULL)));
}

/* With both sonars dead it feels its way: the bumper touches, it backs off, and does not stay at the wall. Without the
 * bumper it would. */
static void a_bumper_that_touches_makes_the_fish_back_off(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(0.4, STRAIGHT);
    set(world, "/fish/port-sonar/fault", 1);
    set(world, "/fish/starboard-sonar/fault", 1);
    int backed = 0;
    for (int i = 0; i < 200; i++) {
        step(world, 1);
        if (decided(world, "behaviour") == FM_FISH_BACK_OFF && !backed) {
            backed = 1;
            near("touch", decided(world, "bumper"), 1, 0);
            near("turn", decided(world, "turn_rate"), 1.8, 1e-12);
            assert_greater(pose_of(world, 0).position[0], 0.4 - 0.03);
        }
    }
    assert_true(backed);
    assert_greater(fabs(pose_of(world, 0).euler[2]), 90 * DEG);
    assert_less(pose_of(world, 0).position[0], 0.2);
    finish(world);
    world = before_a_wall(0.4, STRAIGHT);
    set(world, "/fish/port-sonar/fault", 1);
    set(world, "/fish/starboard-sonar/fault", 1);
    set(world, "/fish/bumper/fault", 1);
    run_until(world, 10);
    assert_greater(pose_of(world, 0).position[0], 0.35);
    finish(world);
}

/* The ranges published with a decision are those of the instruments: the wall, within the noise. */
static void a_decision_tells_the_ranges_it_was_made_on(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(0.8, STRAIGHT);
    run_until(world, 2.05);
    near("behaviour", decided(world, "behaviour"), FM_FISH_AVOID, 0);
    const double *port = (const double *)((const fm_range_reading *)values_of(world, "port-sonar") + 1);
    const double *starboard = (const double *)((const fm_range_reading *)values_of(world, "starboard-sonar") + 1);
    fm_sample sample;
    fm_error error = {0};
    double ranges[50], bearings[50], least = INFINITY;
    assert_int_equal(fm_world_instrument_read(world, "fish", "fish-brain", "ranges", &sample, &error), FM_OK);
    assert_int_equal(fm_sample_values(&sample, ranges, 50), 50);
    assert_int_equal(fm_world_instrument_read(world, "fish", "fish-brain", "bearings", &sample, &error), FM_OK);
    assert_int_equal(fm_sample_values(&sample, bearings, 50), 50);
    for (int i = 0; i < 50; i++) {
        assert_same(ranges[i], i < 25 ? port[i] : starboard[i - 25]);
        near("bearing", bearings[i], (i < 25 ? i - 24 : i - 25) * 5 * DEG, 1e-12);
        least = fmin(least, ranges[i]);
    }
    near("nearest", decided(world, "nearest"), least, 0);
    finish(world);
}

/* The picture of a camera 2 m beside a straight fish (or beside none, far off). */
static fm_world *seen_from_the_side(double east)
{
    char text[1500];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.05 s' duration='60 s'/><vehicle name='watcher' model='robotic-fish' "
             "position='0 0 1 m'>"
             "<camera name='side' attitude='0 0 90 deg' width='400' height='300' field-of-view='20 deg'/></vehicle>"
             "<vehicle name='seen' model='robotic-fish' position='0.05 %g 1 m'><fish><wave c1='0' c2='0 "
             "1/m'/></fish></vehicle></fathom>",
             east);
    fm_world *world = start(text);
    step(world, 1);
    return world;
}

/* Side area: the sections' heights summed along the body, and the dorsal fin. */
static void a_camera_sees_a_fish_as_large_as_its_traverse_points_make_it(void **state)
{
    (void)state;
    fm_world *there = seen_from_the_side(2), *gone = seen_from_the_side(500);
    const uint8_t *with = (const uint8_t *)((const fm_camera_reading *)values_of(there, "side"))->image;
    const uint8_t *without = (const uint8_t *)((const fm_camera_reading *)values_of(gone, "side"))->image;
    const fm_fish_config *fish = there->slots[1].type->kind_config;
    fm_fish_measures measures;
    fm_fish_station s[401];
    fm_error error = {0};
    assert_int_equal(fm_fish_shape_measure(&fish->shape, &measures, &error), FM_OK);
    fm_fish_shape_stations(&fish->shape, s, 401);
    double area = measures.fin_area[0], pixel = 2 * 2 * tan(10 * DEG) / 400, seen = 0;
    for (int i = 0; i < 400; i++)
        area += 0.5 * (s[i].height + s[i + 1].height) * (s[i + 1].x - s[i].x);
    for (int i = 0; i < 400 * 300; i++)
        seen += memcmp(with + 3 * i, without + 3 * i, 3) != 0;
    near("side area", seen * pixel * pixel, area, 0.03 * area);
    assert_less(area, 0.8 * (0.16 * 0.08 + 0.24 * 0.1)); /* and not as large as its boxes */
    finish(there);
    finish(gone);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fish_notices_another_above_or_below),
        cmocka_unit_test(senses_of_the_fish_meet_a_wall_where_it_is),
        cmocka_unit_test(a_camera_sees_a_fish_as_large_as_its_traverse_points_make_it),
        cmocka_unit_test(a_fish_whose_senses_are_dead_meets_the_wall_it_would_have_avoided),
        cmocka_unit_test(sonars_or_infrareds_are_selected),
        cmocka_unit_test(a_bumper_that_touches_makes_the_fish_back_off),
        cmocka_unit_test(a_decision_tells_the_ranges_it_was_made_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
