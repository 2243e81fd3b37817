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
    world_case c = start_text(hovering("", "<faults><at t='20 s' path='/phoenix/stern-lateral/efficiency' value='0.5'/></faults>"));
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
    world_case c = start_text(hovering("", "<faults><at t='5 s' path='/phoenix/bow-lateral/efficiency' value='0'/></faults>"));
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
    assert_null(load_text(hovering("", "<faults><at t='5 s' path='/phoenix/stern-latral/efficiency' value='0'/></faults>"), &error));
    assert_non_null(strstr(error.text, "/phoenix/stern_lateral/efficiency"));
    assert_null(load_text(hovering("", "<faults><at t='5 s' path='/phoenix/stern-lateral/efficiency' value='2'/></faults>"), &error));
    assert_non_null(strstr(error.text, "value"));
    assert_null(load_text(hovering("", "<faults><at t='5 s' path='/phoenix/stern-lateral/efficiency' value='1 m'/></faults>"), &error));
}

/* --- dead thrusters, wind-up --- */

static double station_error(const char *attributes)
{
    world_case c = start_text(hovering(attributes, "<faults><at t='0 s' path='/phoenix/stern-lateral/efficiency' value='0'/></faults>"));
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
    snprintf(text, sizeof text,
             "<fathom version='1'>" SEA "<vehicle name='phoenix' model='nps-auv-ii' position='0 0 3 m' velocity='0.6 0 0 m/s'>"
             "<autopilot steering='fins' design-speed='0.6 m/s' %s><depth order='15 m' kp='0.25 rad/m' ki='0.004 rad/m/s' "
             "kd='0.3 rad*s/m' limit='10 deg'/><pitch kp='2' ki='0.8 1/s' kd='2 s' limit='25 deg'/>"
             "<speed order='0.6 m/s' kp='100 N*s/m' ki='10 N/m' feed='19.3 kg/m'/></autopilot></vehicle></fathom>", "", attributes);
    world_case c = start_text(text);
    run_until(&c, 300);
    const double deepest = metric(&c, "max_depth");
    end_case(&c);
    return deepest - 15;
}

/* About 12 m of error over more than a minute: without anti-windup the integral grows to radians and carries the vehicle
 * metres beyond the ordered depth. */
static void without_anti_windup_a_limited_dive_overshoots(void **state)
{
    (void)state;
    const double with = dive_overshoot("anti-windup='true'"), without = dive_overshoot("anti-windup='false'");
    below("overshoot with anti-windup", with, 1.0);
    below("overshoot with, against that without", with, without / 4);
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
