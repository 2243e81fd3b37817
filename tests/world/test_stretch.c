/* Ticks in which only motion happens are made together: the same bits as one by one. */
#include "support/scenario.h"

#include "world/stretch.h"
#include "world/world.h"

/* The state after every so many ticks is that of a world that is stepped; returns the part of ticks made together. */
static double compare(const char *text, int chunks, int chunk, int threads)
{
    fm_model *model = load(text);
    fm_world *together = create(model, threads), *one_by_one = create(model, 1);
    fm_error error = {0};
    uint64_t glided = 0, all = 0;
    for (int i = 0; i < chunks; i++) {
        fm_status status = FM_OK, expected = FM_OK;
        for (uint64_t left = (uint64_t)chunk; left && status == FM_OK;) {
            uint64_t made = fm_stretch_make(together, left);
            glided += made;
            if (!made)
                status = fm_world_step(together, &error);
            left -= made ? made : 1;
        }
        for (int n = 0; n < chunk && expected == FM_OK; n++)
            expected = fm_world_step(one_by_one, &error);
        assert_same(status, expected);
        assert_same(fm_world_tick(together), fm_world_tick(one_by_one));
        assert_same(fm_world_hash(together), fm_world_hash(one_by_one));
        if (status != FM_OK)
            break;
        all += (uint64_t)chunk;
    }
    fm_world_free(together);
    fm_world_free(one_by_one);
    fm_model_free(model);
    return (double)glided / (double)all;
}

#define HEAD "<fathom version='1'><world dt='0.01 s' duration='60 s'>"

static void a_vehicle_under_way_glides_from_order_to_order(void **state)
{
    (void)state;
    static const char *const integrators[] = {"euler", "heun", "rk4", "text", "midpoint"};
    for (size_t i = 0; i < FM_COUNT(integrators); i++) {
        char text[2048];
        snprintf(text, sizeof text,
                 HEAD "</world><vehicle name='v' model='lauv' integrator='%s' position='0 0 50 m' velocity='1 0 0 m/s'>"
                      "<orders><at t='0 s' propeller='1500 rpm' rudders='10 deg'/><at t='1.37 s' rudders='-7 deg'/>"
                      "</orders></vehicle></fathom>",
                 integrators[i]);
        assert_at_least(compare(text, 37, 10, 1), 0.7);
    }
}

/* Sensors at 10 Hz: nine of ten ticks are motion alone. A change of a live parameter ends a stretch. */
static void sensors_and_live_parameters_interrupt(void **state)
{
    (void)state;
    double part =
        compare(HEAD "</world><vehicle name='v' model='lauv' position='0 0 50 m' velocity='1 0 0 m/s'><orders>"
                     "<at t='0 s' propeller='1500 rpm'/></orders><imu period='0.1 s'/><compass period='0.2 s'/>"
                     "</vehicle></fathom>",
                20, 50, 1);
    assert_within(0.8, part, 0.95);
}

/* Through the rated depth, up to the surface, down to the bottom: events are those of single steps. */
static void limits_surface_and_bottom_are_met_tick_by_tick(void **state)
{
    (void)state;
    (void)compare(HEAD
                  "<bottom depth='110 m'/></world><vehicle name='v' model='lauv' position='0 0 97 m' attitude='0 -60 0 "
                  "deg' velocity='2 0 0 m/s'><orders><at t='0 s' propeller='2000 rpm'/></orders></vehicle></fathom>",
                  60, 50, 1);
    (void)compare(HEAD
                  "</world><vehicle name='v' model='lauv' position='0 0 3 m' attitude='0 40 0 deg' velocity='2 0 0 "
                  "m/s'><orders><at t='0 s' propeller='2000 rpm'/></orders></vehicle></fathom>",
                  60, 50, 1);
}

/* Two columns of vehicles that meet, touch and part; far ones on two threads. */
static void a_fleet_glides_until_two_are_near_each_other(void **state)
{
    (void)state;
    const char *meeting =
        HEAD "</world><vehicle name='a' model='lauv' count='4' position='0 0 20 m' spacing='0 12 0 m' "
             "velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='1500 rpm'/></orders></vehicle>"
             "<vehicle name='b' model='lauv' count='4' position='24 0.1 20 m' spacing='0 12 0 m' "
             "attitude='0 0 180 deg' velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='1500 rpm'/>"
             "</orders></vehicle></fathom>";
    assert_within(0.05, compare(meeting, 60, 20, 1), 0.95);
    const char *fleet =
        HEAD "</world><vehicle name='a' model='lauv' count='300' position='0 0 20 m' spacing='0 12 0 m' "
             "velocity='1.5 0 0 m/s'><orders><at t='0 s' propeller='1500 rpm'/></orders></vehicle></fathom>";
    assert_at_least(compare(fleet, 5, 40, 2), 0.7);
}

/* A program that steps a run without listeners has the same state as one that steps the world. */
static void a_run_until_a_time_ends_in_the_same_state(void **state)
{
    (void)state;
    const char *text = HEAD "</world><vehicle name='v' model='lauv' position='0 0 50 m' velocity='1 0 0 m/s'><orders>"
                            "<at t='0 s' propeller='1500 rpm' rudders='10 deg'/></orders></vehicle></fathom>";
    fm_world *a = start(text), *b = start(text);
    run_until(a, 3.21);
    step(b, 321);
    assert_same(fm_world_tick(a), 321);
    assert_same(fm_world_hash(a), fm_world_hash(b));
    finish(a);
    finish(b);
}

static void a_call_for_many_ticks_has_the_bits_of_single_steps_and_shows_the_motion(void **state)
{
    (void)state;
    fm_error error = {0};
    uint64_t made = 0;
    fm_model *model = loaded(try_load_scenario("phoenix-turn", NULL, &error), &error);
    fm_world *together = create(model, 1), *one_by_one = create(model, 1);
    const double *motion = fm_world_motion(together, 0);
    assert_int_equal(fm_world_advance(together, 500, &made, &error), FM_OK);
    assert_int_equal(made, 500);
    for (int i = 0; i < 500; i++)
        assert_int_equal(fm_world_step(one_by_one, &error), FM_OK);
    assert_same(fm_world_hash(together), fm_world_hash(one_by_one));
    fm_pose pose = pose_of(one_by_one, 0);
    for (int i = 0; i < 3; i++)
        assert_same(motion[i], pose.position[i]);
    for (int i = 0; i < 6; i++)
        assert_same(motion[7 + i], pose.velocity[i]);
    assert_null(fm_world_motion(together, 1));
    fm_world_free(together);
    fm_world_free(one_by_one);
    fm_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_for_many_ticks_has_the_bits_of_single_steps_and_shows_the_motion),
        cmocka_unit_test(a_vehicle_under_way_glides_from_order_to_order),
        cmocka_unit_test(sensors_and_live_parameters_interrupt),
        cmocka_unit_test(limits_surface_and_bottom_are_met_tick_by_tick),
        cmocka_unit_test(a_fleet_glides_until_two_are_near_each_other),
        cmocka_unit_test(a_run_until_a_time_ends_in_the_same_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
