/* The robotic fish does what is chosen for it; tasks that make no sense are refused. */
#include "kinds/fish_worlds.h"

#include "world/world.h"

#include <unistd.h>

#include "fish/behaviour.h"
#include "kinds/fish.h"
#include "physics/fish.h"
#include "sensors/camera.h"
#include "sensors/readings.h"

static fm_world *choosing(const char *behaviour, const char *attributes)
{
    char brain[400];
    snprintf(brain, sizeof brain, "<fish-brain behaviour='%s' %s/>", behaviour, attributes);
    return one_fish("velocity='0.2 0 0 m/s'", brain);
}

/* Each does what it is called, from 0.2 m/s: the law of each is next to it. */
static void behaviours_that_are_chosen_act(void **state)
{
    (void)state;
    fm_world *world = choosing("constant", "speed='0.3 m/s'");
    run_until(world, 10);
    near("constant speed", column_of(world, 0, "water-speed"), 0.3, 1e-3);
    near("constant heading", pose_of(world, 0).euler[2], 0, 1e-12);
    finish(world);
    world = choosing("accelerate", "acceleration='0.015 m/s2'");
    run_until(world, 4);
    near("U + a t", column_of(world, 0, "water-speed"), 0.2 + 0.015 * 4, 2e-3);
    run_until(world, 60);
    near("fA/St at the highest frequency", column_of(world, 0, "water-speed"), 0.4, 2e-3);
    near("it publishes so", decided(world, "behaviour"), FM_FISH_ACCELERATE, 0);
    finish(world);
    world = choosing("decelerate", "acceleration='0.01 m/s2'");
    run_until(world, 5);
    near("U - a t", column_of(world, 0, "water-speed"), 0.2 - 0.01 * 5, 2e-3);
    finish(world);
    world = choosing("turn", "turn-rate='-0.4 rad/s'");
    run_until(world, 5);
    near("turn", pose_of(world, 0).euler[2], 2 * FM_PI - 0.4 * 5, 0.03);
    near("at its speed", column_of(world, 0, "water-speed"), 0.2, 1e-3);
    finish(world);
}

/* A hovering fish coasts by its friction alone (H4): dU/dt = -D/m. */
static void a_fish_told_to_hover_drifts_to_a_stop(void **state)
{
    (void)state;
    fm_world *world = choosing("hover", "");
    fm_fish_params par = fm_fish_par_now(world->slots[0].type->kind_config,
                                         fm_fish_words_of(world->slots[0].type, world->slots[0].vehicle));
    double u = 0.2;
    run_until(world, 20);
    for (int i = 0; i < 200000; i++)
        u -= 1e-4 * fm_fish_drag(&par, u) / par.mass;
    near("speed", column_of(world, 0, "water-speed"), u, 1e-3);
    near("no beat", column_of(world, 0, "frequency"), 0, 1e-9);
    finish(world);
}

/* A live choice: straight on, then avoid before the wall, then hover. */
static void a_choice_can_change_in_a_run(void **state)
{
    (void)state;
    fm_world *world = before_a_wall(3, "<fish-brain behaviour='constant' avoidance='none'/>");
    run_until(world, 8);
    near("straight on", pose_of(world, 0).euler[2], 0, 0);
    set(world, "/fish/fish-brain/behaviour", 6);
    run_until(world, 20);
    assert_greater(fabs(pose_of(world, 0).euler[2]), 60 * DEG);
    assert_same(metric_of(world, 0, "contacts"), 0);
    set(world, "/fish/fish-brain/behaviour", 5);
    run_until(world, 60);
    near("it publishes so", decided(world, "behaviour"), FM_FISH_HOVER, 0);
    assert_less(column_of(world, 0, "water-speed"), 0.05);
    finish(world);
}

/* Each fish of the scenario does what it is called; the one with several orders executes them in turn. */
static void the_scenario_of_behaviours_shows_each(void **state)
{
    (void)state;
    fm_world *world = start_scenario("fish-behaviours", NULL);
    int several = fm_world_find(world, "several");
    double turned[3];
    run_until(world, 20);
    near("accelerating: U + a t", column_of(world, fm_world_find(world, "accelerating"), "water-speed"), 0.3, 2e-3);
    near("decelerating: U - a t", column_of(world, fm_world_find(world, "decelerating"), "water-speed"), 0.2, 2e-3);
    for (int i = 0; i < 3; i++) {
        turned[i] = pose_of(world, several).euler[2];
        run_until(world, 30 + 10 * i);
    }
    near("to starboard", turned[1] - turned[0], 0.3 * 10, 0.02);
    near("and back", turned[2] - turned[1], -0.3 * 10, 0.04);
    run_until(world, 60);
    near("pursued", metric_of(world, fm_world_find(world, "pursuing"), "pursuit_distance"), 0.5, 0.05);
    assert_same(metric_of(world, fm_world_find(world, "avoiding"), "contacts"), 0);
    assert_less(column_of(world, several, "frequency"), 1e-9);
    finish(world);
}

/* Independent program: 0.141, 0.319 and 0.415 m/s at 1, 2 and 2.5 Hz for the elongated body, fA/St for the paper's. */
static void the_scenario_of_thrusts_reaches_both_speeds(void **state)
{
    (void)state;
    static const double row[3][3] = {{30, 0.16, 0.141}, {60, 0.32, 0.319}, {90, 0.4, 0.415}};
    fm_world *world = start_scenario("fish-elongated", NULL);
    for (int i = 0; i < 3; i++) {
        run_until(world, row[i][0] - 1e-9);
        const fm_fish_words *words = fm_fish_words_of(world->slots[1].type, world->slots[1].vehicle);
        near("the paper's thrust", column_of(world, 0, "water-speed"), row[i][1], 0.03 * row[i][1]);
        near("elongated body", words->beat.speed, row[i][2], 0.06 * row[i][2]);
    }
    assert_same(metric_of(world, 2, "contacts"), 0);
    assert_greater(metric_of(world, 2, "mean_speed"), 0.17);
    finish(world);
}

/* Both reach their depths by their fins alone, the free one without touching anything. */
static void the_scenario_of_depths_is_swum_by_fins(void **state)
{
    (void)state;
    fm_world *world = start_scenario("fish-depth", NULL);
    static const double row[3][2] = {{40, 1.6}, {80, 0.8}, {120, 1.2}};
    for (int i = 0; i < 3; i++) {
        run_until(world, row[i][0] - 0.1);
        near("depth", pose_of(world, 0).position[2], row[i][1], 0.01);
    }
    near("depth of the free one", pose_of(world, 1).position[2], 1.5, 0.01);
    assert_between(0.05, metric_of(world, 0, "peak_pitch"), 0.4);
    assert_same(metric_of(world, 1, "contacts"), 0);
    assert_same(metric_of(world, 0, "contacts"), 0);
    finish(world);
}

static void bad_tasks_are_refused(void **state)
{
    (void)state;
    refused("<fish-brain><pursuit target='nobody'/></fish-brain>", "nobody");
    refused("<fish-brain><free-swimming/><trajectory radius='1 m'/></fish-brain>", "2 tasks");
    refused("<fish-brain><trajectory x='1 2 m' y='1 m'/></fish-brain>", "2 and 1");
    refused("<fish-brain><trajectory x='1 1 m' y='1 1 m'/></fish-brain>", "the same");
    refused("<fish-brain behaviour='pursue'/>", "pursuit");
    refused("<fish-brain behaviour='swim'/>", "hover");
    refused(
        "<coverage from='0 0 m' to='6 4 m' swath='1 m'/><fish-brain/><coverage name='again' from='0 0 m' to='6 4 m'/>",
        "must be one");
    refused("<fish-brain><coverage from='0 0 m' to='6 4 m'/></fish-brain>", "not known inside <fish-brain>");
    fm_error error = {0};
    assert_null(try_load(
        "<fathom version='1'><world dt='0.05 s'/><vehicle name='a' model='nps-auv-ii'><fish-brain/></vehicle></fathom>",
        &error));
    assert_non_null(strstr(error.text, "kind fish"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(behaviours_that_are_chosen_act),
        cmocka_unit_test(a_fish_told_to_hover_drifts_to_a_stop),
        cmocka_unit_test(a_choice_can_change_in_a_run),
        cmocka_unit_test(the_scenario_of_behaviours_shows_each),
        cmocka_unit_test(the_scenario_of_thrusts_reaches_both_speeds),
        cmocka_unit_test(the_scenario_of_depths_is_swum_by_fins),
        cmocka_unit_test(bad_tasks_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
