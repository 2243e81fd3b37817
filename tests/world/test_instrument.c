/* The latest sample of any instrument, by name, in SI. */
#include "sensors/probe.h"

#include <fathom/instrument.h>

static double value(const fm_world *world, const char *instrument, const char *field, fm_sample *sample)
{
    fm_error error = {0};
    double first = NAN;
    if (fm_world_instrument_read(world, "probe", instrument, field, sample, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_at_least(fm_sample_values(sample, &first, 1), 1);
    return first;
}

/* A probe that goes north at 2 m/s; instruments without errors. */
static void a_number_is_read_with_its_unit_and_the_time_of_its_sample(void **state)
{
    (void)state;
    fm_sample s;
    fm_world *world =
        start_probe("<water density='1000 kg/m3'/><bottom depth='50 m'/>", "position='0 0 10 m' velocity='2 0 0 m/s'",
                    "<depth period='0.1 s'/><dvl/><gps name='fix' period='0.05 s' latency='0.1 s'/><ctd/>");
    fm_world_instrument_read(world, "probe", "depth", NULL, &s, NULL);
    assert_true(isnan(s.time)); /* nothing was sampled yet */
    step(world, 36);
    assert_nearer(value(world, "depth", NULL, &s), 10, 1e-9);
    assert_string_equal(s.unit, "m");
    assert_nearer(s.time, 0.3, 1e-12); /* every tenth tick: the last was the 30th */
    assert_nearer(value(world, "dvl", "velocity", &s), 2, 1e-9);
    assert_same(s.count, 3);
    assert_nearer(s.time, 0.35, 1e-12);
    assert_string_equal(s.unit, "m/s");
    assert_nearer(value(world, "ctd", "temperature", &s) - s.shift, *(const double *)s.data, 1e-12);
    finish(world);
}

static void degrees_become_radians_and_celsius_kelvin(void **state)
{
    (void)state;
    fm_sample s;
    fm_world *world = start_probe("<water density='1000 kg/m3'/>", "position='0 0 0 m'", "<gps/><ctd/>");
    step(world, 3);
    assert_nearer(value(world, "gps", "latitude", &s), 41 * DEGREE, 1e-9);
    assert_string_equal(s.unit, "rad");
    assert_nearer(*(const double *)s.data, 41, 1e-9);
    double kelvin = value(world, "ctd", "temperature", &s);
    assert_string_equal(s.unit, "K");
    assert_between(271, kelvin, 310);
    assert_nearer(kelvin - 273.15, *(const double *)s.data, 1e-9);
    finish(world);
}

static void a_delayed_sample_tells_when_it_was_taken(void **state)
{
    (void)state;
    fm_sample s;
    fm_world *world = start_probe("<water density='1000 kg/m3'/>", "position='0 0 10 m' velocity='0 0 1 m/s'",
                                  "<depth latency='0.2 s'/>");
    step(world, 51);
    double depth = value(world, "depth", NULL, &s);
    assert_nearer(s.time, 0.3, 1e-12); /* 0.5 s less 0.2 s */
    assert_nearer(depth, 10.3, 1e-6);
    finish(world);
}

static void pictures_and_sonar_fans_are_read_as_bytes_with_their_sizes(void **state)
{
    (void)state;
    fm_sample s;
    double sizes[2];
    fm_world *world =
        start_probe("<water density='1000 kg/m3'/><bottom depth='12 m'/>", "position='0 0 10 m' attitude='0 -60 0 deg'",
                    "<camera width='40' height='30' period='0.1 s'/><multibeam beams='16' bins='50'/>");
    step(world, 11);
    sizes[0] = value(world, "camera", "width", &s);
    sizes[1] = value(world, "camera", "height", &s);
    assert_same(sizes[0], 40);
    assert_same(sizes[1], 30);
    fm_error error = {0};
    assert_int_equal(fm_world_instrument_read(world, "probe", "camera", "encoding", &s, &error), FM_OK);
    assert_same(s.type, FM_OUTPUT_TEXT);
    assert_same(fm_sample_values(&s, sizes, 2), 0);
    assert_string_equal(s.data, "rgb8");
    value(world, "camera", "data", &s);
    assert_same(s.type, FM_OUTPUT_UINT8);
    assert_same(s.count, 40 * 30 * 3);
    assert_nearer(s.time, 0.1, 1e-12);
    double pixels[40 * 30 * 3], light = 0;
    assert_int_equal(fm_sample_values(&s, pixels, 40 * 30 * 3), 3600);
    for (int i = 0; i < 3600; i++) {
        assert_same(pixels[i], ((const uint8_t *)s.data)[i]);
        light += pixels[i];
    }
    assert_greater(light, 0);
    value(world, "multibeam", "image.data", &s);
    assert_same(s.type, FM_OUTPUT_UINT8);
    assert_same(s.count, 16 * 50);
    assert_same(value(world, "multibeam", "image.beam_count", &s), 16);
    value(world, "multibeam", "ranges", &s);
    assert_same(s.count, 50);
    assert_string_equal(s.unit, "m");
    finish(world);
}

static void a_dead_instrument_keeps_its_last_sample_and_says_so(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_world *world = start_probe("<water density='1000 kg/m3'/>", "position='0 0 10 m'", "<depth/>");
    step(world, 10);
    fm_instrument_info before = fm_world_instrument(world, 0, 0);
    assert_true(before.valid);
    assert_same(before.samples, 10);
    assert_nearer(before.time, 0.09, 1e-12);
    assert_int_equal(fm_world_set(world, "/probe/depth/fault", 1, &error), FM_OK);
    step(world, 10);
    fm_instrument_info after = fm_world_instrument(world, 0, 0);
    assert_true(!after.valid);
    assert_same(after.samples, 10);
    assert_same(after.time, before.time);
    finish(world);
}

static void every_instrument_is_listed_with_every_field(void **state)
{
    (void)state;
    fm_world *world =
        start_probe("<water density='1000 kg/m3'/>", "position='0 0 10 m'",
                    "<depth/><imu period='0.1 s'/><compass name='north'/><mission><at t='0 s' depth='5 m'/></mission>");
    static const char *const kinds[] = {"depth", "imu", "compass", "mission"};
    step(world, 5);
    assert_int_equal(fm_world_instrument_count(world, 0), 4);
    for (size_t i = 0; i < 4; i++) {
        fm_instrument_info info = fm_world_instrument(world, 0, i);
        assert_string_equal(info.kind, kinds[i]);
        assert_int_equal(fm_world_instrument_find(world, 0, info.name), i);
        assert_greater(info.field_count, 0);
        assert_greater(info.samples, 0);
        for (size_t k = 0; k < info.field_count; k++)
            assert_non_null(fm_world_instrument_field(world, 0, i, k).name);
        assert_null(fm_world_instrument_field(world, 0, i, info.field_count).name);
    }
    assert_int_equal(fm_world_instrument_find(world, 0, "north"), 2);
    assert_string_equal(fm_world_instrument(world, 0, 1).message, "sensor_msgs/Imu");
    assert_nearer(fm_world_instrument(world, 0, 1).period, 0.1, 1e-12);
    assert_nearer(fm_world_instrument(world, 0, 3).time, 0.04, 1e-12); /* of a controller: each step */
    finish(world);
}

static void wrong_names_get_the_nearest_and_nonsense_nothing(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_sample s;
    fm_world *world = start_probe("<water density='1000 kg/m3'/>", "position='0 0 10 m'", "<compass/>");
    assert_int_equal(fm_world_instrument_read(world, "probe", "compas", NULL, &s, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "did you mean 'compass'"));
    assert_int_equal(fm_world_instrument_read(world, "prob", "compass", NULL, &s, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_instrument_read(world, "probe", "compass", "head", &s, &error), FM_ERR_NAME);
    assert_null(s.name);
    assert_int_equal(fm_world_instrument_read(NULL, "probe", "compass", NULL, &s, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_read(world, NULL, "compass", NULL, &s, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_read(world, "probe", NULL, NULL, &s, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_read(world, "probe", "compass", NULL, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_count(NULL, 0), 0);
    assert_int_equal(fm_world_instrument_count(world, 7), 0);
    assert_int_equal(fm_world_instrument_find(world, -1, "compass"), -1);
    assert_int_equal(fm_world_instrument_find(world, 0, NULL), -1);
    assert_null(fm_world_instrument(world, 0, 9).name);
    assert_null(fm_world_instrument_field(world, 0, 9, 0).name);
    assert_null(fm_world_instrument_field(NULL, 0, 0, 0).name);
    assert_int_equal(fm_sample_values(NULL, NULL, 1), 0);
    assert_int_equal(fm_sample_values(&(fm_sample){0}, NULL, 1), 0);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_read_with_its_unit_and_the_time_of_its_sample),
        cmocka_unit_test(degrees_become_radians_and_celsius_kelvin),
        cmocka_unit_test(a_delayed_sample_tells_when_it_was_taken),
        cmocka_unit_test(pictures_and_sonar_fans_are_read_as_bytes_with_their_sizes),
        cmocka_unit_test(a_dead_instrument_keeps_its_last_sample_and_says_so),
        cmocka_unit_test(every_instrument_is_listed_with_every_field),
        cmocka_unit_test(wrong_names_get_the_nearest_and_nonsense_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
