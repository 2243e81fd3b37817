/* The latest sample of any instrument, by name, in SI. */
#include "sensors/sensor_case.h"

#include <fathom/instrument.h>

#define PI 3.14159265358979323846

static double value(const sensor_case *c, const char *instrument, const char *field, fm_sample *sample)
{
    fm_error error = {0};
    double first = NAN;
    if (fm_world_instrument_read(c->world, "probe", instrument, field, sample, &error) != FM_OK)
        fail_msg("%s", error.text);
    assert_true(fm_sample_values(sample, &first, 1) >= 1);
    return first;
}

static void steps(sensor_case *c, int count)
{
    fm_error error = {0};
    while (count-- > 0)
        assert_int_equal(fm_world_step(c->world, &error), FM_OK);
}

/* A probe that goes north at 2 m/s; instruments without errors. */
static void a_number_is_read_with_its_unit_and_the_time_of_its_sample(void **state)
{
    (void)state;
    fm_sample s;
    sensor_case c =
        open_case("<water density='1000 kg/m3'/><bottom depth='50 m'/>", "position='0 0 10 m' velocity='2 0 0 m/s'",
                  "<depth period='0.1 s'/><dvl/><gps name='fix' period='0.05 s' latency='0.1 s'/><ctd/>");
    fm_world_instrument_read(c.world, "probe", "depth", NULL, &s, NULL);
    assert_true(isnan(s.time)); /* nothing was sampled yet */
    steps(&c, 36);
    assert_true(fabs(value(&c, "depth", NULL, &s) - 10) < 1e-9);
    assert_string_equal(s.unit, "m");
    assert_true(fabs(s.time - 0.3) < 1e-12); /* every tenth tick: the last was the 30th */
    assert_true(fabs(value(&c, "dvl", "velocity", &s) - 2) < 1e-9);
    assert_true(s.count == 3 && fabs(s.time - 0.35) < 1e-12);
    assert_string_equal(s.unit, "m/s");
    assert_true(fabs(value(&c, "ctd", "temperature", &s) - s.shift - *(const double *)s.data) < 1e-12);
    close_case(&c);
}

static void degrees_become_radians_and_celsius_kelvin(void **state)
{
    (void)state;
    fm_sample s;
    sensor_case c = open_case("<water density='1000 kg/m3'/>", "position='0 0 0 m'", "<gps/><ctd/>");
    steps(&c, 3);
    assert_true(fabs(value(&c, "gps", "latitude", &s) - 41 * PI / 180) < 1e-9);
    assert_string_equal(s.unit, "rad");
    assert_true(fabs(*(const double *)s.data - 41) < 1e-9);
    double kelvin = value(&c, "ctd", "temperature", &s);
    assert_string_equal(s.unit, "K");
    assert_true(kelvin > 271 && kelvin < 310 && fabs(kelvin - 273.15 - *(const double *)s.data) < 1e-9);
    close_case(&c);
}

static void a_delayed_sample_tells_when_it_was_taken(void **state)
{
    (void)state;
    fm_sample s;
    sensor_case c = open_case("<water density='1000 kg/m3'/>", "position='0 0 10 m' velocity='0 0 1 m/s'",
                              "<depth latency='0.2 s'/>");
    steps(&c, 51);
    double depth = value(&c, "depth", NULL, &s);
    assert_true(fabs(s.time - 0.3) < 1e-12); /* 0.5 s less 0.2 s */
    assert_true(fabs(depth - 10.3) < 1e-6);
    close_case(&c);
}

static void pictures_and_sonar_fans_are_read_as_bytes_with_their_sizes(void **state)
{
    (void)state;
    fm_sample s;
    double sizes[2];
    sensor_case c =
        open_case("<water density='1000 kg/m3'/><bottom depth='12 m'/>", "position='0 0 10 m' attitude='0 -60 0 deg'",
                  "<camera width='40' height='30' period='0.1 s'/><multibeam beams='16' bins='50'/>");
    steps(&c, 11);
    sizes[0] = value(&c, "camera", "width", &s);
    sizes[1] = value(&c, "camera", "height", &s);
    assert_true(sizes[0] == 40 && sizes[1] == 30);
    fm_error error = {0};
    assert_int_equal(fm_world_instrument_read(c.world, "probe", "camera", "encoding", &s, &error), FM_OK);
    assert_true(s.type == FM_OUTPUT_TEXT && fm_sample_values(&s, sizes, 2) == 0);
    assert_string_equal(s.data, "rgb8");
    value(&c, "camera", "data", &s);
    assert_true(s.type == FM_OUTPUT_UINT8 && s.count == 40 * 30 * 3 && fabs(s.time - 0.1) < 1e-12);
    double pixels[40 * 30 * 3], light = 0;
    assert_int_equal(fm_sample_values(&s, pixels, 40 * 30 * 3), 3600);
    for (int i = 0; i < 3600; i++) {
        assert_true(pixels[i] == ((const uint8_t *)s.data)[i]);
        light += pixels[i];
    }
    assert_true(light > 0);
    value(&c, "multibeam", "image.data", &s);
    assert_true(s.type == FM_OUTPUT_UINT8 && s.count == 16 * 50);
    assert_true(value(&c, "multibeam", "image.beam_count", &s) == 16);
    value(&c, "multibeam", "ranges", &s);
    assert_true(s.count == 50);
    assert_string_equal(s.unit, "m");
    close_case(&c);
}

static void a_dead_instrument_keeps_its_last_sample_and_says_so(void **state)
{
    (void)state;
    fm_error error = {0};
    sensor_case c = open_case("<water density='1000 kg/m3'/>", "position='0 0 10 m'", "<depth/>");
    steps(&c, 10);
    fm_instrument_info before = fm_world_instrument(c.world, 0, 0);
    assert_true(before.valid && before.samples == 10 && fabs(before.time - 0.09) < 1e-12);
    assert_int_equal(fm_world_set(c.world, "/probe/depth/fault", 1, &error), FM_OK);
    steps(&c, 10);
    fm_instrument_info after = fm_world_instrument(c.world, 0, 0);
    assert_true(!after.valid && after.samples == 10 && after.time == before.time);
    close_case(&c);
}

static void every_instrument_is_listed_with_every_field(void **state)
{
    (void)state;
    sensor_case c =
        open_case("<water density='1000 kg/m3'/>", "position='0 0 10 m'",
                  "<depth/><imu period='0.1 s'/><compass name='north'/><mission><at t='0 s' depth='5 m'/></mission>");
    static const char *const kinds[] = {"depth", "imu", "compass", "mission"};
    steps(&c, 5);
    assert_int_equal(fm_world_instrument_count(c.world, 0), 4);
    for (size_t i = 0; i < 4; i++) {
        fm_instrument_info info = fm_world_instrument(c.world, 0, i);
        assert_string_equal(info.kind, kinds[i]);
        assert_int_equal(fm_world_instrument_find(c.world, 0, info.name), i);
        assert_true(info.field_count > 0 && info.samples > 0);
        for (size_t k = 0; k < info.field_count; k++)
            assert_non_null(fm_world_instrument_field(c.world, 0, i, k).name);
        assert_null(fm_world_instrument_field(c.world, 0, i, info.field_count).name);
    }
    assert_int_equal(fm_world_instrument_find(c.world, 0, "north"), 2);
    assert_string_equal(fm_world_instrument(c.world, 0, 1).message, "sensor_msgs/Imu");
    assert_true(fabs(fm_world_instrument(c.world, 0, 1).period - 0.1) < 1e-12);
    assert_true(fabs(fm_world_instrument(c.world, 0, 3).time - 0.04) < 1e-12); /* of a controller: each step */
    close_case(&c);
}

static void wrong_names_get_the_nearest_and_nonsense_nothing(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_sample s;
    sensor_case c = open_case("<water density='1000 kg/m3'/>", "position='0 0 10 m'", "<compass/>");
    assert_int_equal(fm_world_instrument_read(c.world, "probe", "compas", NULL, &s, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "did you mean 'compass'"));
    assert_int_equal(fm_world_instrument_read(c.world, "prob", "compass", NULL, &s, &error), FM_ERR_NAME);
    assert_int_equal(fm_world_instrument_read(c.world, "probe", "compass", "head", &s, &error), FM_ERR_NAME);
    assert_null(s.name);
    assert_int_equal(fm_world_instrument_read(NULL, "probe", "compass", NULL, &s, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_read(c.world, NULL, "compass", NULL, &s, NULL), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_read(c.world, "probe", NULL, NULL, &s, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_read(c.world, "probe", "compass", NULL, NULL, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_world_instrument_count(NULL, 0), 0);
    assert_int_equal(fm_world_instrument_count(c.world, 7), 0);
    assert_int_equal(fm_world_instrument_find(c.world, -1, "compass"), -1);
    assert_int_equal(fm_world_instrument_find(c.world, 0, NULL), -1);
    assert_null(fm_world_instrument(c.world, 0, 9).name);
    assert_null(fm_world_instrument_field(c.world, 0, 9, 0).name);
    assert_null(fm_world_instrument_field(NULL, 0, 0, 0).name);
    assert_int_equal(fm_sample_values(NULL, NULL, 1), 0);
    assert_int_equal(fm_sample_values(&(fm_sample){0}, NULL, 1), 0);
    close_case(&c);
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
