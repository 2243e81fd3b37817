/* Steering a run live: set points taken over, waypoints changed, all of it repeated from the log. */
#include "run/run_case.h"

#include <pthread.h>
#include <unistd.h>

#include "support/program.h"

/* Phoenix on its way north along a list of two waypoints. */
#define PILOT                                                                                                          \
    "<autopilot steering='hybrid' design-speed='0.6 m/s' thrusters-alone='0.25 m/s' fins-alone='0.45 m/s'>"            \
    "<heading kp='1.5' ki='0.05 1/s' kd='2 s' limit='25 deg' thrust-kp='40 N*m/rad' thrust-kd='90 N*m*s/rad'/>"        \
    "<depth kp='0.25 rad/m' ki='0.004 rad/m/s' kd='0.3 rad*s/m' limit='10 deg' thrust-kp='40 N/m' "                    \
    "thrust-ki='1 N/m/s' thrust-kd='250 N*s/m'/>"                                                                      \
    "<pitch kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg' thrust-kp='60 N*m/rad' thrust-kd='120 N*m*s/rad'/>"            \
    "<roll kp='1' ki='0.2 1/s' kd='0.5 s' limit='10 deg'/>"                                                            \
    "<speed kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/><sway kp='100 N*s/m'/>"                                       \
    "<hover kp='20 N/m' ki='0.8 N/m/s' kd='150 N*s/m'/></autopilot>"
#define SEA(list)                                                                                                      \
    "<fathom version='1'><world dt='0.05 s' duration='600 s' seed='3' gravity='32.174 ft/s2'>"                         \
    "<water density='1.94 slug/ft3'/></world>"                                                                         \
    "<vehicle name='auv' model='nps-auv-ii' position='0 0 3 m' velocity='0.6 0 0 m/s'>" list PILOT                     \
    "</vehicle></fathom>"
#define WAY "<waypoint position='40 0 5 m'/><waypoint position='80 0 5 m'/></waypoints>"

static const char carrying_on[] = SEA("<waypoints speed='0.6 m/s' radius='3 m' room='4'>" WAY);
static const char hovering[] = SEA("<waypoints speed='0.6 m/s' radius='3 m' then='hover'>" WAY);

static fm_run *run;

static void begin(const char *text)
{
    model = load(text);
    run = case_run(model, NULL);
}

static int end(void **state)
{
    (void)state;
    fm_run_free(run);
    fm_model_free(model);
    run = NULL;
    model = NULL;
    return 0;
}

static fm_pose pose(void)
{
    fm_pose p;
    assert_int_equal(fm_world_pose(fm_run_world(run), 0, &p), FM_OK);
    return p;
}

static double off(double angle)
{
    return fabs(remainder(angle, 2 * acos(-1)));
}

static double distance(double north, double east)
{
    fm_pose p = pose();
    return hypot(p.position[0] - north, p.position[1] - east);
}

static void what_is_desired_counts_more_than_the_waypoints_until_it_is_released(void **state)
{
    (void)state;
    begin(carrying_on);
    assert_well(fm_run_until(run, 30, e));
    near("heading", off(pose().euler[2]), 0, 0.05);
    assert_well(fm_run_desire(run, "auv", "heading", 1.2, e));
    assert_well(fm_run_desire(run, "auv", "depth", 8, e));
    assert_well(fm_run_desire(run, "auv", "speed", 0.8, e));
    assert_well(fm_run_until(run, 120, e));
    near("heading", off(pose().euler[2] - 1.2), 0, 0.03);
    near("depth", pose().position[2], 8, 0.5);
    near("speed", pose().velocity[0], 0.8, 0.05);
    assert_well(fm_run_release(run, "auv", "heading", e)); /* depth and speed stay in our hands */
    assert_well(fm_run_until(run, 240, e));
    fm_world *world = fm_run_world(run);
    double value;
    assert_well(fm_world_get(world, "/auv/autopilot/heading/override", &value, e));
    assert_same(value, 0);
    assert_well(fm_world_get(world, "/auv/autopilot/depth/order", &value, e));
    assert_same(value, 8);
    assert_nearer(pose().position[2], 8, 0.3);
}

static void a_list_that_is_done_goes_on_with_what_is_added(void **state)
{
    (void)state;
    begin(hovering);
    assert_well(fm_run_until(run, 260, e)); /* past the second, hovering there */
    assert_less(distance(80, 0), 4);
    assert_well(fm_run_waypoint_add(run, "auv", NULL, -1, &(fm_waypoint){{80, 40, 6}, -1, 0}, e));
    assert_well(fm_run_until(run, 420, e));
    assert_less(distance(80, 40), 4);
    assert_nearer(pose().position[2], 6, 0.7);
    assert_well(fm_run_waypoint_move(run, "auv", NULL, 2, &(fm_waypoint){{60, 40, 6}, 0.5, 0}, e));
    assert_well(fm_run_until(run, 560, e));
    assert_less(distance(60, 40), 4);
    fm_waypoint list[4];
    assert_int_equal(fm_world_waypoints(fm_run_world(run), "auv", NULL, list, 4), 3);
    assert_same(list[0].position[0], 40);
    assert_same(list[2].position[0], 60);
    assert_same(list[2].speed, 0.5);
    assert_less(list[1].speed, 0);
}

static void a_waypoint_before_the_next_one_is_gone_to_first(void **state)
{
    (void)state;
    double nearest = 1e9;
    begin(carrying_on);
    assert_well(fm_run_until(run, 10, e));
    assert_well(fm_run_waypoint_add(run, "auv", "waypoints", 0, &(fm_waypoint){{20, 25, 5}, -1, 0}, e));
    for (int t = 11; t < 250; t++) {
        assert_well(fm_run_until(run, t, e));
        nearest = fmin(nearest, distance(20, 25));
    }
    assert_less(nearest, 3.1);
    fm_world *world = fm_run_world(run);
    for (size_t i = 0; i < fm_world_metric_count(world, 0); i++)
        if (!strcmp(fm_world_metric(world, 0, i).name, "waypoints_reached"))
            assert_at_least(fm_world_metric(world, 0, i).value, 2);
}

static void without_waypoints_it_hovers_or_carries_on(void **state)
{
    (void)state;
    begin(hovering);
    assert_well(fm_run_until(run, 40, e));
    fm_pose then = pose();
    assert_well(fm_run_waypoint_clear(run, "auv", NULL, e));
    assert_well(fm_run_until(run, 160, e));
    assert_int_equal(fm_world_waypoints(fm_run_world(run), "auv", NULL, NULL, 0), 0);
    assert_less(distance(then.position[0], then.position[1]), 2.5);
    assert_nearer(pose().velocity[0], 0, 0.05);
    end(NULL);
    begin(carrying_on);
    assert_well(fm_run_until(run, 40, e));
    assert_well(fm_run_waypoint_clear(run, "auv", NULL, e));
    assert_well(fm_run_until(run, 200, e));
    near("heading", off(pose().euler[2]), 0, 0.1);
    near("depth", pose().position[2], 4.2, 0.2); /* ordered at 24 m of 40 m from 3 m to 5 m */
    near("way north", pose().position[0], 24 + 0.6 * 160, 10);
}

static void a_whole_list_is_exchanged_within_one_step(void **state)
{
    (void)state;
    fm_error error = {0};
    begin(carrying_on); /* 2 waypoints, and room for 4 more */
    fm_world *world = fm_run_world(run);
    assert_well(fm_run_until(run, 1, e));
    assert_well(fm_world_waypoint_clear(world, "auv", NULL, e));
    for (int i = 0; i < 6; i++)
        assert_well(fm_world_waypoint_add(world, "auv", NULL, i, &(fm_waypoint){{10.0 * i, 5, 4}, -1, 0}, e));
    assert_int_equal(fm_world_waypoint_add(world, "auv", NULL, -1, &(fm_waypoint){{0, 0, 4}, -1, 0}, &error),
                     FM_ERR_FULL);
    assert_non_null(strstr(error.text, "<waypoints room="));
    assert_int_equal(fm_world_waypoint_add(world, "auv", NULL, 7, &(fm_waypoint){{0, 0, 4}, -1, 0}, &error),
                     FM_ERR_RANGE);
    assert_well(fm_run_step(run, e));
    fm_waypoint list[8];
    assert_int_equal(fm_world_waypoints(world, "auv", NULL, list, 8), 6);
    for (int i = 0; i < 6; i++)
        assert_same(list[i].position[0], 10.0 * i);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    begin(carrying_on);
    fm_world *world = fm_run_world(run);
    const fm_waypoint good = {{1, 2, 3}, -1, 0}, held = {{1, 2, 3}, -1, 20}, far = {{NAN, 0, 0}, -1, 0};
    assert_int_equal(fm_world_desire(world, "auv", "colour", 1, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_desire(world, "nobody", "depth", 1, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_desire(world, "auv", "depth", INFINITY, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_desire(world, "auv", "pitch", NAN, &error), FM_ERR_RANGE);
    assert_well(fm_world_desire(world, "auv", "depth", NAN, &error)); /* not set */
    assert_int_equal(fm_world_desire(NULL, "auv", "depth", 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_desire(world, NULL, "depth", 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_desire(world, "auv", NULL, 1, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_release(world, "auv", "colour", &error), FM_ERR_NAME);
    assert_int_equal(fm_world_waypoint_add(world, "auv", "list", -1, &good, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "no list of waypoints 'list'"));
    assert_int_equal(fm_world_waypoint_add(world, "auv", NULL, -1, &held, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "hovers"));
    assert_int_equal(fm_world_waypoint_add(world, "auv", NULL, -1, &far, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_waypoint_add(world, "auv", NULL, -1, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_waypoint_add(world, "auv", NULL, -2, &good, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_waypoint_move(world, "auv", NULL, 2, &good, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_waypoint_move(world, "auv", NULL, -1, &good, &error), FM_ERR_RANGE);
    assert_int_equal(fm_world_waypoint_clear(world, "nobody", NULL, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_waypoints(NULL, "auv", NULL, NULL, 0), 0);
    assert_int_equal(fm_world_waypoints(world, NULL, NULL, NULL, 0), 0);
    assert_int_equal(fm_world_waypoints(world, "auv", "nonsense", NULL, 0), 0);
    assert_well(fm_run_step(run, e)); /* nothing of it has come in */
    const fm_input *inputs;
    assert_int_equal(fm_world_inputs(world, &inputs), 0);
}

/* --- steered from two threads, recorded, repeated by the program --- */

typedef struct hand {
    fm_run *run;
    unsigned seed;
    _Atomic int *over;
} hand;

static void *steer(void *user)
{
    hand *h = user;
    for (int i = 0; !*h->over; i++) {
        h->seed = h->seed * 1664525u + 1013904223u;
        double u = (double)(h->seed >> 8) / (1 << 24);
        switch (h->seed >> 28) {
        case 0: fm_run_desire(h->run, "auv", "heading", 6 * u, NULL); break;
        case 1: fm_run_release(h->run, "auv", "heading", NULL); break;
        case 2: fm_run_desire(h->run, "auv", "depth", 3 + 5 * u, NULL); break;
        case 3: fm_run_waypoint_add(h->run, "auv", NULL, -1, &(fm_waypoint){{90 * u, 30, 4}, -1, 0}, NULL); break;
        case 4: fm_run_waypoint_move(h->run, "auv", NULL, 1, &(fm_waypoint){{70, 50 * u, 5}, 0.5, 0}, NULL); break;
        case 5: fm_run_waypoint_clear(h->run, "auv", "waypoints", NULL); break;
        case 6: fm_run_set(h->run, "/auv/waypoints/lookahead", 3 + 4 * u, NULL); break;
        case 7: fm_run_take(h->run, "auv", "stern-rudder", NULL); break;
        case 8: fm_run_release(h->run, "auv", NULL, NULL); break;
        case 9: fm_run_disengage(h->run, "auv", "autopilot", NULL); break;
        case 10: fm_run_engage(h->run, "auv", NULL, NULL); break;
        default: fm_run_order(h->run, "auv", "stern-rudder", floor(4 * u) / 4, NULL); break;
        }
        usleep(100 + (h->seed >> 20) % 400);
    }
    return NULL;
}

static void a_run_steered_from_two_threads_is_repeated_from_its_log(void **state)
{
    (void)state;
    _Atomic int over = 0;
    fm_log_result result = {0};
    begin(hovering);
    assert_well(fm_run_set_end(run, 100, e));
    assert_well(fm_run_record(run, "run_steered.mcap", &(fm_log_options){.result = &result}, e));
    hand hands[2] = {{run, 1, &over}, {run, 7, &over}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, steer, &hands[i]), 0);
    size_t recorded = 0;
    while (!fm_run_over(run)) { /* about a second, so that there is something to steer */
        assert_well(fm_run_step(run, e));
        recorded += fm_world_inputs(fm_run_world(run), NULL);
        usleep(300);
    }
    over = 1;
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert_greater(fm_run_get_counts(run).inputs, 100);
    char hash[32], inputs[64];
    snprintf(hash, sizeof hash, "state_hash = %016llx", (unsigned long long)fm_world_hash(fm_run_world(run)));
    snprintf(inputs, sizeof inputs, "%zu inputs", recorded);
    assert_less(recorded, fm_run_get_counts(run).inputs); /* what changed nothing is not recorded */
    assert_well(fm_run_finish(run, e));
    assert_same(result.error.status, FM_OK);
    assert_same(result.dropped, 0);
    assert_same(result.lost, 0);
    assert_greater(result.written, 2000);
    static program_run r;
    run_fathom(&r, "replay run_steered.mcap --verify");
    expect_run(&r, 0, "run_steered.mcap: the same");
    expect_run(&r, 0, inputs);
    run_fathom(&r, "info run_steered.mcap");
    expect_run(&r, 0, hash);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_is_desired_counts_more_than_the_waypoints_until_it_is_released, end),
        cmocka_unit_test_teardown(a_list_that_is_done_goes_on_with_what_is_added, end),
        cmocka_unit_test_teardown(a_waypoint_before_the_next_one_is_gone_to_first, end),
        cmocka_unit_test_teardown(without_waypoints_it_hovers_or_carries_on, end),
        cmocka_unit_test_teardown(a_whole_list_is_exchanged_within_one_step, end),
        cmocka_unit_test_teardown(what_makes_no_sense_is_refused, end),
        cmocka_unit_test_teardown(a_run_steered_from_two_threads_is_repeated_from_its_log, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
