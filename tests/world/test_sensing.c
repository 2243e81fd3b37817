/* Instruments that show what comes from outside. */
#include "support/scenario.h"

static const char sea[] =
    "<fathom version='1'><world dt='0.1 s' duration='100 s' seed='1' capacity='2'>"
    "<water density='1025 kg/m3'><temperature surface='18 degC' z1='5 m' z2='20 m' slope1='-0.3 K/m' slope2='0 K/m'/>"
    "</water><bottom depth='40 m'/></world>"
    "<vehicle name='auv' model='wavesim-auv' position='0 0 10 m'>"
    "<ctd period='0.2 s'/><depth noise='1 cm'/><pressure/><dvl range='60 m'/></vehicle></fathom>";

static fm_sample sample_of(const fm_world *world, const char *instrument, const char *field)
{
    fm_error error = {0};
    fm_sample s;
    if (fm_world_instrument_read(world, "auv", instrument, field, &s, &error) != FM_OK)
        fail_msg("%s", error.text);
    return s;
}

static double value_of(const fm_world *world, const char *instrument, const char *field, size_t i)
{
    double values[8] = {0};
    fm_sample s = sample_of(world, instrument, field);
    assert_greater(fm_sample_values(&s, values, 8), i);
    return values[i];
}

static fm_instrument_info info_of(const fm_world *world, const char *name)
{
    return fm_world_instrument(world, 0, (size_t)fm_world_instrument_find(world, 0, name));
}

static void sense(fm_world *world, const char *what, double value)
{
    fm_error error = {0};
    if (fm_world_sense(world, "auv", what, value, &error) != FM_OK)
        fail_msg("%s", error.text);
}

static void a_sensed_value_is_shown_until_the_next_one(void **state)
{
    (void)state;
    fm_world *world = start(sea);
    step(world, 10);
    uint64_t before = info_of(world, "ctd").samples;
    assert_greater(before, 0);
    sense(world, "ctd/temperature", 283.15 + 2.5); /* SI: kelvin */
    step(world, 5);
    near("temperature", value_of(world, "ctd", "temperature", 0), 285.65, 1e-9);
    assert_same(info_of(world, "ctd").samples, before + 1);
    assert_true(info_of(world, "ctd").valid);
    near("time of the sample", info_of(world, "ctd").time, 1.0, 1e-9);
    sense(world, "ctd/temperature", 290);
    sense(world, "dvl/velocity[1]", -0.25);
    step(world, 1);
    near("temperature", value_of(world, "ctd", "temperature", 0), 290, 1e-9);
    near("velocity", value_of(world, "dvl", "velocity", 1), -0.25, 0);
    finish(world);
}

static void a_stale_value_is_marked_and_the_built_in_instrument_can_take_over_again(void **state)
{
    (void)state;
    double fault;
    fm_error error = {0};
    fm_world *world = start(sea);
    step(world, 10);
    double own = value_of(world, "pressure", "fluid_pressure", 0);
    sense(world, "pressure/fluid_pressure", 5e5);
    step(world, 1);
    assert_true(info_of(world, "pressure").valid);
    sense(world, "pressure/fluid_pressure", NAN);
    step(world, 1);
    assert_false(info_of(world, "pressure").valid);
    near("the last value", value_of(world, "pressure", "fluid_pressure", 0), 5e5, 0);
    assert_int_equal(fm_world_get(world, "/auv/pressure/fault", &fault, &error), FM_OK);
    assert_same(fault, 3);
    set_live(world, "/auv/pressure/fault", 0);
    step(world, 1);
    assert_true(info_of(world, "pressure").valid);
    near("its own", value_of(world, "pressure", "fluid_pressure", 0), own, 100);
    finish(world);
}

static void what_cannot_be_sensed_is_refused_by_name(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start(sea);
    static const struct {
        const char *vehicle, *what, *words;
    } wrong[] = {{"ship", "ctd/temperature", "no vehicle 'ship'"},      {"auv", "ctd", "INSTRUMENT/FIELD"},
                 {"auv", "sonar/range", "no sensor 'sonar'"},           {"auv", "ctd/colour", "no number 'colour'"},
                 {"auv", "dvl/velocity[3]", "no number 'velocity[3]'"}, {"auv", "dvl/velocity[x]", "no number"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_different(fm_world_sense(world, wrong[i].vehicle, wrong[i].what, 1, &error), FM_OK);
        if (!strstr(error.text, wrong[i].words))
            fail_msg("'%s' does not say '%s'", error.text, wrong[i].words);
    }
    finish(world);
}

int main(void)
{
    const struct CMUnitTest facts[] = {
        cmocka_unit_test(a_sensed_value_is_shown_until_the_next_one),
        cmocka_unit_test(a_stale_value_is_marked_and_the_built_in_instrument_can_take_over_again),
        cmocka_unit_test(what_cannot_be_sensed_is_refused_by_name),
    };
    return cmocka_run_group_tests(facts, NULL, NULL);
}
