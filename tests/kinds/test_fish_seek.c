/* A robotic fish that looks for a colour with its cameras: it finds and circles it from any heading, ignores other
 * colours, loses it when it cannot see, and knows nothing that is not in the pictures. */
#include "kinds/fish_worlds.h"

#include "fish/behaviour.h"

/* A pool of 12 × 12 m round the origin, whose walls are far from the fish. */
#define EYES(more)                                                                                                     \
    "<camera name='left-eye' attitude='0 0 -63 deg' field-of-view='130 deg' period='0.2 s' fault='healthy' " more "/>" \
    "<camera name='right-eye' attitude='0 0 63 deg' field-of-view='130 deg' period='0.2 s' fault='healthy' " more "/>"
#define RED "colour='0.75 0.12 0.06'"
#define OTHERS                                                                                                         \
    "<column name='green' position='-1.5 1.5 -0.1 m' radius='0.15 m' height='0.8 m' colour='0.1 0.6 0.12'/><column "   \
    "name='blue' position='1.5 2 -0.1 m' radius='0.15 m' height='0.8 m' colour='0.08 0.15 0.75'/><column "             \
    "name='yellow' position='-1.2 -1.8 -0.1 m' radius='0.15 m' height='0.8 m' colour='0.8 0.7 0.08'/>"

static fm_world *seeker(const char *obstacles, double heading, const char *eyes)
{
    char text[3000];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.05 s' duration='200 s' seed='2'><water density='1000 kg/m3'/><pool "
        "name='pool' position='-6 -6 0 m' size='12 12 2 m'/>%s</world><vehicle name='fish' model='robotic-fish' "
        "position='0 0 0.3 m' attitude='0 0 %g deg' velocity='0.15 0 0 m/s'><contact clearance='true'/>%s<fish-brain "
        "speed='0.18 m/s'><seek " RED "/></fish-brain></vehicle></fathom>",
        obstacles, heading, eyes);
    return start(text);
}

/* The red column, alone or among the others. */
static const char *red_at(double north, double east, const char *others)
{
    static char text[1000];
    snprintf(text, sizeof text, "<column name='red' position='%g %g -0.1 m' radius='0.15 m' height='0.8 m' " RED "/>%s",
             north, east, others);
    return text;
}

static int seen(const fm_world *world)
{
    return !isnan(decided(world, "target_bearing"));
}

/* s until it sees it, or has lost it; 1e9: not within `most`. */
static double wait_for(fm_world *world, int sees, double most)
{
    double from = fm_world_time(world);
    while (fm_world_time(world) < from + most) {
        step(world, 1);
        if (seen(world) == sees)
            return fm_world_time(world) - from;
    }
    return 1e9;
}

/* s until it circles. */
static double wait_for_circle(fm_world *world, double most)
{
    double from = fm_world_time(world);
    while (fm_world_time(world) < from + most && decided(world, "behaviour") != FM_FISH_CIRCLE)
        step(world, 1);
    return fm_world_time(world) - from;
}

/* The middle of the column from joint 1. */
static double distance_to(const fm_world *world, double north, double east)
{
    fm_pose pose = pose_of(world, 0);
    return hypot(pose.position[0] - north, pose.position[1] - east);
}

/* A column of 0.15 m that looks 20° wide is 0.15 m/sin 10° = 0.86 m away; the fish goes round it. */
static void from_any_heading_the_fish_finds_the_colour_and_circles_it(void **state)
{
    (void)state;
    for (int heading = 0; heading < 360; heading += 60) {
        fm_world *world = seeker(red_at(2.2, -1, OTHERS), heading, EYES(""));
        double found = wait_for(world, 1, 30), reached = wait_for_circle(world, 40);
        run_until(world, fm_world_time(world) + 20);
        double least = 1e9, most = 0, swept = 0, before = 0;
        for (int i = 0; i < 20 * 30; i++) {
            fm_pose pose = pose_of(world, 0);
            double at = atan2(pose.position[1] + 1, pose.position[0] - 2.2), d = distance_to(world, 2.2, -1);
            swept += i ? remainder(at - before, 2 * FM_PI) : 0;
            before = at;
            least = fmin(least, d);
            most = fmax(most, d);
            step(world, 1);
        }
        print_message("%d degrees: found after %.1f s, reached after %.1f s, then %.2f to %.2f m, round %.1f rad\n",
                      heading, found, reached, least, most, swept);
        assert_less(found, 20);
        assert_less(reached, 35);
        near("distance", 0.5 * (least + most), 0.15 / sin(10 * DEG), 0.086);
        assert_greater(fabs(swept), 2.5);
        assert_same(metric_of(world, 0, "contacts"), 0);
        finish(world);
    }
}

static void other_colours_are_ignored(void **state)
{
    (void)state;
    fm_world *world = seeker(OTHERS, 0, EYES(""));
    assert_greater(wait_for(world, 1, 60), 60);
    near("never seen", metric_of(world, 0, "target_seen"), 0, 0);
    assert_true(isnan(decided(world, "target_bearing")));
    assert_same(metric_of(world, 0, "contacts"), 0);
    finish(world);
}

/* Bearing in the picture against that of the place; to starboard it turns clockwise, to port the other way. */
static void it_turns_to_the_side_on_which_it_sees_it(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) {
        fm_world *world = seeker(red_at(2, side * 1.2, ""), 0, EYES(""));
        step(world, 1);
        fm_pose pose = pose_of(world, 0);
        double truth = atan2(side * 1.2 - pose.position[1], 2 - pose.position[0] - 0.16);
        near("bearing", decided(world, "target_bearing"), truth, 0.02);
        near("width", decided(world, "target_width"), 2 * asin(0.15 / hypot(1.84, 1.2)), 0.02);
        assert_greater(side * decided(world, "turn_rate"), 0.3);
        assert_greater(side * decided(world, "deflection"), 0.1);
        run_until(world, 2);
        near("heading", remainder(pose_of(world, 0).euler[2], 2 * FM_PI), truth, 0.1);
        finish(world);
    }
}

/* Blind: by a fault, in the dark, in milky water. */
static void what_cannot_be_seen_is_lost(void **state)
{
    (void)state;
    static const struct {
        const char *path[2];
        double value, most; /* s: three pictures, or three seconds without any */
    } blind[2] = {{{"/fish/left-eye/fault", "/fish/right-eye/fault"}, 1, 3.1},
                  {{"/fish/left-eye/exposure", "/fish/right-eye/exposure"}, 0, 0.7}};
    for (int i = 0; i < 2; i++) {
        fm_world *world = seeker(red_at(2.5, 0.3, ""), 0, EYES(""));
        run_until(world, 2);
        near("seen", decided(world, "behaviour"), FM_FISH_APPROACH, 0);
        for (int k = 0; k < 2; k++)
            set(world, blind[i].path[k], blind[i].value);
        double lost = wait_for(world, 0, 10);
        assert_greater(lost, 0.3);
        assert_at_most(lost, blind[i].most + 1e-9);
        for (int k = 0; k < 2; k++)
            set(world, blind[i].path[k], i ? 1 : 0);
        assert_less(wait_for(world, 1, 20), 20);
        finish(world);
    }
    fm_world *world = seeker(red_at(2.5, 0.3, ""), 0, EYES("attenuation='4 4 4 1/m'"));
    assert_greater(wait_for(world, 1, 10), 10);
    finish(world);
}

/* Where it is after 12 s. */
static void end_of(const char *obstacles, const char *eyes, double out[6])
{
    fm_world *world = seeker(obstacles, 180, eyes);
    run_until(world, 12);
    fm_pose pose = pose_of(world, 0);
    memcpy(out, pose.position, 3 * sizeof *out);
    memcpy(out + 3, pose.euler, 3 * sizeof *out);
    finish(world);
}

/* Bit by bit the same path, wherever the target is that no picture shows: with cameras that are off, and behind a
 * screen. One in sight changes it. The sonars reach 1.5 m. */
static void a_target_that_no_picture_shows_has_no_effect(void **state)
{
    (void)state;
    static const char screen[] = "<box name='screen' position='-1.9 0 1 m' size='0.1 4 2 m'/>";
    static const char *const eyes[2] = {"", EYES("")};
    for (int hidden = 0; hidden < 2; hidden++) {
        double a[6], b[6], shown[6];
        char near_by[400], elsewhere[400];
        snprintf(near_by, sizeof near_by, "%s<sphere name='red' position='-2.5 0.2 0.3 m' radius='0.15 m' " RED "/>",
                 hidden ? screen : "");
        snprintf(elsewhere, sizeof elsewhere,
                 "%s<sphere name='red' position='-3.5 -0.6 0.4 m' radius='0.15 m' " RED "/>", hidden ? screen : "");
        end_of(near_by, eyes[hidden], a);
        end_of(elsewhere, eyes[hidden], b);
        assert_memory_equal(a, b, sizeof a);
        end_of(near_by + (hidden ? strlen(screen) : 0), EYES(""), shown);
        assert_greater(hypot(shown[0] - a[0], shown[1] - a[1]), 0.2);
    }
}

static void a_task_without_hue_is_refused(void **state)
{
    (void)state;
    refused("<fish-brain><seek colour='0.5 0.5 0.5'/></fish-brain>", "must have a hue");
    refused("<fish-brain><seek/></fish-brain>", "colour");
    refused("<fish-brain><seek " RED "/><free-swimming/></fish-brain>", "2 tasks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_any_heading_the_fish_finds_the_colour_and_circles_it),
        cmocka_unit_test(other_colours_are_ignored),
        cmocka_unit_test(it_turns_to_the_side_on_which_it_sees_it),
        cmocka_unit_test(what_cannot_be_seen_is_lost),
        cmocka_unit_test(a_target_that_no_picture_shows_has_no_effect),
        cmocka_unit_test(a_task_without_hue_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
