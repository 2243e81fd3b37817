/* Vehicles of kind fish with one to eight joints: what is published about them, how they swim, and what is refused. */
#include "kinds/fish_worlds.h"

#include "kinds/fish.h"

/* The default fish of 0.40 m with this number of equal links. */
static void write_fish(char *text, size_t size, const char *name, int joints, double y, const char *attributes)
{
    int at = snprintf(text, size, "<vehicle name='%s' model='robotic-fish' position='0 %g 1 m'><fish %s>", name, y,
                      attributes);
    at += snprintf(text + at, size - (size_t)at, "<wave frequency='2 Hz'/><fish-body links='");
    for (int j = 0; j < joints; j++)
        at += snprintf(text + at, size - (size_t)at, "%.9g ", 0.24 / joints);
    snprintf(text + at, size - (size_t)at, "m'/></fish></vehicle>");
}

static void joints_names_and_columns_are_as_many_as_the_links(void **state)
{
    (void)state;
    for (int joints = 1; joints <= FM_FISH_JOINTS_MOST; joints++) {
        char text[2000] = FRESH "</world>", last[16], next[16];
        write_fish(text + strlen(text), 1000, "fish", joints, 0, "");
        strcat(text, "</fathom>");
        fm_world *world = start(text);
        step(world, 7);
        double angle[FM_FISH_JOINTS_MOST + 1] = {0}, rate[FM_FISH_JOINTS_MOST + 1] = {0};
        angle[joints] = rate[joints] = 77; /* not written */
        fm_world_joints(world, 0, angle, rate);
        snprintf(last, sizeof last, "joint%d", joints);
        snprintf(next, sizeof next, "joint%d", joints + 1);
        assert_int_equal(fm_world_joint_count(world, 0), joints);
        assert_string_equal(fm_world_joint_name(world, 0, (size_t)joints - 1), last);
        assert_null(fm_world_joint_name(world, 0, (size_t)joints));
        assert_same(angle[joints], 77);
        assert_same(rate[joints], 77);
        near("column", column_of(world, 0, last), angle[joints - 1], 0);
        for (size_t i = 0; i < fm_world_column_count(world, 0); i++)
            assert_string_not_equal(fm_world_column_name(world, 0, i), next);
        near("phase", column_of(world, 0, "phase"), 0.14, 1e-9);
        finish(world);
    }
}

/* (H6) knows nothing of joints: the paper's thrust gives 0.32 m/s at 2 Hz to all of them. */
static void the_papers_speed_does_not_depend_on_the_joints(void **state)
{
    (void)state;
    char text[8000] = FRESH "</world>";
    for (int joints = 1; joints <= FM_FISH_JOINTS_MOST; joints++) {
        char name[16];
        snprintf(name, sizeof name, "fish-%d", joints);
        write_fish(text + strlen(text), 900, name, joints, joints, "");
    }
    strcat(text, "</fathom>");
    fm_world *world = start(text);
    run_until(world, 40);
    for (int i = 0; i < FM_FISH_JOINTS_MOST; i++) {
        near("speed", column_of(world, i, "water-speed"), 0.32, 1e-3);
        near("course", fm_fish_heading(world->slots[i].vehicle->body.attitude), 0, 1e-12);
    }
    finish(world);
}

/* Yaw by the tail itself: to the side of the deflection, the mirrored order the mirrored path, none without. */
static void a_fish_turns_by_the_force_of_its_tail(void **state)
{
    (void)state;
    static const char *const attributes[3] = {"thrust='elongated-body' turning='tail-force'",
                                              "thrust='elongated-body' turning='tail-force' deflection='30 deg'",
                                              "thrust='elongated-body' turning='tail-force' deflection='-30 deg'"};
    static const int counts[4] = {1, 2, 4, 8};
    for (int n = 0; n < 4; n++) {
        char text[4000] = FRESH "</world>";
        for (int i = 0; i < 3; i++) {
            char name[16];
            snprintf(name, sizeof name, "fish-%d", i);
            write_fish(text + strlen(text), 1200, name, counts[n], 10 * i, attributes[i]);
        }
        strcat(text, "</fathom>");
        fm_world *world = start(text);
        double before[3];
        run_until(world, 30);
        for (int i = 0; i < 3; i++)
            before[i] = fm_fish_heading(world->slots[i].vehicle->body.attitude);
        run_until(world, 32);
        double turn[3];
        for (int i = 0; i < 3; i++)
            turn[i] = remainder(fm_fish_heading(world->slots[i].vehicle->body.attitude) - before[i], 2 * FM_PI) / 2;
        print_message("%d joints: %.4f %.4f %.4f rad/s\n", counts[n], turn[0], turn[1], turn[2]);
        near("straight", turn[0], 0, 2e-3);
        assert_between(0.05, turn[1], 1.5);
        near("mirrored", turn[2], -turn[1], 0.02 * turn[1]);
        finish(world);
    }
}

/* The law of the record: bias + amplitude sin 2πft, with the bias to the side it turns to. */
static void a_swinging_joint_follows_its_sine(void **state)
{
    (void)state;
    fm_world *world = start(FRESH "</world><vehicle name='fish' model='robotic-fish-one-joint' position='0 0 1 m'>"
                                  "<fish deflection='20 deg'><wave frequency='1 Hz'/><servo-table swing='25 deg'/>"
                                  "</fish></vehicle></fathom>");
    double worst = 0;
    for (int i = 0; i < 100; i++) {
        double angle, rate, t;
        step(world, 1);
        t = fm_world_time(world);
        fm_world_joints(world, 0, &angle, &rate);
        worst = fmax(worst, fabs(angle / DEG - (-20 + 25 * sin(2 * FM_PI * t))));
        near("rate", rate, 25 * DEG * 2 * FM_PI * cos(2 * FM_PI * t), 0.02);
    }
    assert_less(worst, 0.01); /* the spline between 36 rows */
    const fm_fish_config *fish = world->slots[0].type->kind_config;
    near("width of the beat", fm_fish_beat_width(&fish->par), 2 * 0.12 * sin(25 * DEG), 1e-9);
    finish(world);
}

static void wrong_numbers_of_joints_and_swings_are_refused(void **state)
{
    (void)state;
    refused("<fish><fish-body links='0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.02 0.08 m'/></fish>", "8");
    refused("<fish><fish-body links=''/></fish>", "links");
    refused("<fish><fish-body links='0.12 0.13 m'/></fish>", "head and links from 0 to 0.41 m");
    refused("<fish><fish-body links='0.12 0 m'/></fish>", "0.0001");
    refused("<fish><servo-table swing='20 20 20 deg'/></fish>", "3 numbers given: must be 4: one for each joint");
    refused("<fish><servo-table swing='20 20 20 20 deg' lag='10 deg'/></fish>", "1 numbers given: must be 4");
    refused("<fish><servo-table lag='1 2 3 4 deg'/></fish>", "without swing");
    refused("<fish><servo-table swing='20 20 20 80 deg'/></fish>", "past the servo's limit");
    refused("<fish turning='tail-force'/>", "elongated-body");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joints_names_and_columns_are_as_many_as_the_links),
        cmocka_unit_test(the_papers_speed_does_not_depend_on_the_joints),
        cmocka_unit_test(a_fish_turns_by_the_force_of_its_tail),
        cmocka_unit_test(a_swinging_joint_follows_its_sine),
        cmocka_unit_test(wrong_numbers_of_joints_and_swings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
