/* Where sounds come from: ultra-short and short base lines. */
#include "sensors/probe.h"

#include "sensors/acoustic_readings.h"

static const double pi = 3.14159265358979323846;

/* A probe with instruments and a transponder of address 9; water of 1500 m/s. */
static fm_world *with_transponder(const char *probe, const char *instruments, const char *place, const char *other)
{
    static char text[8192];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' seed='5'><acoustics speed='constant' sound-speed='1500 m/s'/></world>"
        "<vehicle name='probe' %s>" PROBE_BODY "%s</vehicle>"
        "<vehicle name='dock' position='%s'>" PROBE_BODY "<transducer address='9' %s/></vehicle></fathom>",
        probe, instruments, place, other);
    return start(text);
}

#define ANSWERS "replies='true' reply-delay='20 ms'"

/* Heading 30°, the dock 400 m north, 300 m east and 50 m deeper: azimuth atan2(300, 400) − 30°. */
static void a_solid_array_hears_all_round(void **state)
{
    (void)state;
    for (int behind = 0; behind < 2; behind++) {
        fm_world *world = with_transponder(
            behind ? "position='0 0 20 m' attitude='0 0 210 deg'" : "position='0 0 20 m' attitude='0 0 30 deg'",
            "<transducer/><usbl array='solid' interval='1 s' delay='20 ms'/>", "400 300 70 m", ANSWERS);
        step(world, 90);
        const fm_bearing_reading *r = reading(world, "usbl");
        double azimuth = remainder(atan2(300, 400) - pi / 6 - behind * pi, 2 * pi);
        assert_int_equal(r->head.count, 1);
        near("azimuth", r->azimuth, azimuth, 1e-9);
        near("elevation", r->elevation, atan2(50, 500), 1e-9);
        near("range", r->range, sqrt(500.0 * 500 + 50 * 50), 1e-6);
        near("forward", r->position[0], 500 * cos(azimuth), 1e-6);
        near("down", r->position[2], 50, 1e-6);
        near("address", r->address, 9, 0);
        finish(world);
    }
}

/* Looking down from a ship. */
static void a_planar_array_looks_along_its_axis(void **state)
{
    (void)state;
    fm_world *world = with_transponder("position='0 0 2 m'", "<transducer attitude='0 -90 0 deg'/><usbl address='9'/>",
                                       "30 -40 102 m", "ping-period='1 s'");
    step(world, 50);
    const fm_bearing_reading *r = reading(world, "usbl");
    near("azimuth", r->azimuth, atan2(-40, 30), 1e-9);
    near("elevation", r->elevation, atan2(100, 50), 1e-9);
    assert_true(isnan(r->range));
    near("unit", r->position[2], 100 / sqrt(12500), 1e-9);
    finish(world);
}

/* 45° off an array of one wavelength: the phase √½ turns reads as √½ − 1. */
static void a_wide_array_mistakes_directions(void **state)
{
    (void)state;
    fm_world *world = with_transponder("position='0 0 20 m'", "<transducer/><usbl spacing='0.06 m'/>", "300 300 20 m",
                                       "ping-period='1 s'");
    step(world, 50);
    near("azimuth", ((const fm_bearing_reading *)reading(world, "usbl"))->azimuth, asin(sqrt(0.5) - 1), 1e-9);
    finish(world);
}

/* Ahead, a phase of deviation 0.1 rad at half a wavelength gives a bearing of 0.1/π. 400 pings. */
static void bearings_scatter_as_their_phases_say(void **state)
{
    (void)state;
    fm_world *world = with_transponder("position='0 0 20 m'", "<transducer/><usbl noise='0.1 rad'/>", "300 0 20 m",
                                       "ping-period='0.1 s'");
    const fm_bearing_reading *r = reading(world, "usbl");
    double sum = 0;
    int64_t seen = 0;
    while (seen < 400) {
        step(world, 1);
        if (r->head.count == seen)
            continue;
        seen = r->head.count;
        sum += r->azimuth * r->azimuth;
        near("reported deviation", r->deviation[0], 0.1 / pi, 5e-4);
    }
    near("deviation", sqrt(sum / 400), 0.1 / pi, 4 * 0.1 / pi / sqrt(800));
    finish(world);
}

/* Four transducers under a ship, 10 m apart. */
#define SHIP                                                                                                           \
    "<transducer name='fore' position='5 0 1 m'/><transducer name='aft' position='-5 0 1 m'/><transducer name='port' " \
    "position='0 -4 1 m'/><transducer name='keel' position='1 4 3 m'/>"
#define RECEIVERS                                                                                                      \
    "<receiver transducer='fore'/><receiver transducer='aft'/><receiver transducer='port'/><receiver "                 \
    "transducer='keel'/>"

static void a_short_base_line_finds_the_transponder(void **state)
{
    (void)state;
    fm_world *world = with_transponder("position='0 0 2 m' attitude='0 0 90 deg'",
                                       SHIP "<sbl transducer='fore' address='9' delay='20 ms'>" RECEIVERS "</sbl>",
                                       "30 40 102 m", ANSWERS);
    step(world, 100);
    const fm_bearing_reading *r = reading(world, "sbl");
    assert_int_equal(r->head.count, 1);
    near("forward", r->position[0], 40, 1e-4); /* heading east */
    near("starboard", r->position[1], -30, 1e-4);
    near("down", r->position[2], 100, 1e-4);
    finish(world);
}

/* With errors of 1 mm the error of the position is about the deviation that it reports. */
static void a_short_base_line_tells_how_good_it_is(void **state)
{
    (void)state;
    fm_world *world = with_transponder(
        "position='0 0 2 m'",
        SHIP "<sbl transducer='fore' address='9' interval='0.5 s' delay='20 ms' noise='1 mm'>" RECEIVERS "</sbl>",
        "30 40 102 m", ANSWERS);
    const fm_bearing_reading *r = reading(world, "sbl");
    double sum = 0, told = 0;
    int64_t seen = 0;
    while (seen < 200) {
        step(world, 1);
        if (r->head.count == seen)
            continue;
        seen = r->head.count;
        double worst = 0, truth[3] = {30, 40, 100}, d[3];
        for (int i = 0; i < 3; i++) {
            d[i] = r->position[i] - truth[i];
            worst += d[i] * d[i];
        }
        sum += worst / 200;
        told += r->deviation[1] / 200;
    }
    /* the greatest deviation of an axis is at most that of the place, which has three */
    assert_between(0.8 * told, sqrt(sum), 2 * told);
    finish(world);
}

static void too_few_receivers_are_refused(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_null(try_load("<fathom version='1'><world/><vehicle name='a'>" PROBE_BODY
                         "<transducer/><sbl address='3'><receiver transducer='transducer'/></sbl></vehicle></fathom>",
                         &error));
    assert_non_null(strstr(error.text, "1 receivers"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_solid_array_hears_all_round),
        cmocka_unit_test(a_planar_array_looks_along_its_axis),
        cmocka_unit_test(a_wide_array_mistakes_directions),
        cmocka_unit_test(bearings_scatter_as_their_phases_say),
        cmocka_unit_test(a_short_base_line_finds_the_transponder),
        cmocka_unit_test(a_short_base_line_tells_how_good_it_is),
        cmocka_unit_test(too_few_receivers_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
