/* Instruments that hear their own echo: altimeter and current profiler. */
#include "sensors/probe.h"

#include <fathom/sound.h>

#define ISO                                                                                                            \
    "<acoustics speed='constant' sound-speed='1500 m/s'/><water><sound formula='constant' speed='1500 m/s'/></water>"

/* 60 m above the bottom: the echo is back after 80 ms. */
static void an_altimeter_hears_the_bottom_after_there_and_back(void **state)
{
    (void)state;
    fm_world *world = start_probe(ISO "<bottom depth='100 m'/>", "position='0 0 40 m'",
                                  "<transducer position='1 0 0.5 m' attitude='0 -90 0 deg'/><acoustic-altimeter/>");
    const fm_range_reading *r = reading(world, "acoustic-altimeter");
    step(world, 8);
    assert_int_equal(r->head.count, 0);
    step(world, 2);
    assert_int_equal(r->head.count, 1);
    near("range", r->range, 59.5, 1e-9);
    near("moment", r->head.time, 59.5 / 1500, 1e-12);
    step(world, 200);
    assert_int_equal(r->head.count, 3);
    finish(world);
}

/* It takes 1450 m/s for true: all is 1450/1500 as far. */
static void a_wrong_speed_of_sound_scales_the_altitude(void **state)
{
    (void)state;
    fm_world *world = start_probe(ISO "<bottom depth='100 m'/>", "position='0 0 40 m'",
                                  "<transducer attitude='0 -90 0 deg'/><acoustic-altimeter sound-speed='1450 m/s'/>");
    step(world, 20);
    near("range", ((const fm_range_reading *)reading(world, "acoustic-altimeter"))->range, 60 * 1450.0 / 1500, 1e-9);
    finish(world);
}

/* Too weak for its own echo, or beyond its range: nothing is given out. */
static void a_weak_ping_comes_to_nothing(void **state)
{
    (void)state;
    static const char *const instruments[] = {
        "<transducer attitude='0 -90 0 deg' level='80 dB'/><acoustic-altimeter/>",
        "<transducer attitude='0 -90 0 deg'/><acoustic-altimeter range='50 m'/>",
        "<transducer attitude='0 -90 0 deg'/><acoustic-altimeter fault='dead'/>",
    };
    for (size_t i = 0; i < 3; i++) {
        fm_world *world = start_probe(ISO "<bottom depth='100 m'/>", "position='0 0 40 m'", instruments[i]);
        step(world, 300);
        assert_int_equal(((const fm_range_reading *)reading(world, "acoustic-altimeter"))->head.count, 0);
        finish(world);
    }
}

/* Others hear the pings: they are sounds like all. */
static void the_pings_of_an_altimeter_are_on_the_record(void **state)
{
    (void)state;
    fm_world *world = start_probe(ISO "<bottom depth='100 m'/>", "position='0 0 40 m'",
                                  "<transducer attitude='0 -90 0 deg'/><acoustic-altimeter interval='0.5 s'/>");
    size_t sent = 0;
    for (int i = 0; i < 240; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            sent += records[k].event == FM_SOUND_SENT;
    }
    near("pings", (double)sent, 5, 0);
    finish(world);
}

/* --- profiler --- */

enum { MODE = 3, ALTITUDE, FIRST };

static const double *profile_of(const fm_world *world)
{
    return (const double *)reading(world, "adcp");
}

/* A uniform current of (0.3, −0.2): every bin above the side lobes measures it, however the vehicle moves. */
static void a_profiler_finds_a_uniform_current_over_ground(void **state)
{
    (void)state;
    fm_world *world = start_probe("<current velocity='0.3 -0.2 0 m/s'/><bottom depth='50 m'/>",
                                  "position='0 0 10 m' attitude='0 5 70 deg' velocity='1.5 0.2 0 m/s'",
                                  "<adcp bins='30' bin-size='2 m' blank='1 m'/>");
    step(world, 1);
    const double *v = profile_of(world);
    int good = 0;
    near("mode", v[MODE], 1, 0);
    assert_between(36, v[ALTITUDE], 44);
    for (int i = 0; i < 30; i++) {
        const double *bin = v + FIRST + 30 + 3 * i;
        near("distance", v[FIRST + i], 1 + 2 * i + 1, 1e-12);
        if (isnan(bin[0]))
            continue;
        near("north", bin[0], 0.3, 1e-12);
        near("east", bin[1], -0.2, 1e-12);
        near("down", bin[2], 0, 1e-12);
        good++;
    }
    assert_within(14, good, 20); /* to 0.94 of about 38 m */
    finish(world);
}

/* Without a bottom: against itself. */
static void without_a_bottom_it_tells_the_flow_past_itself(void **state)
{
    (void)state;
    fm_world *world = start_probe("<current velocity='0.3 0 0 m/s'/>", "position='0 0 10 m' velocity='1 0 0 m/s'",
                                  "<adcp bins='5'/>");
    step(world, 1);
    const double *v = profile_of(world);
    near("mode", v[MODE], 2, 0);
    assert_true(isnan(v[ALTITUDE]));
    near("north", v[FIRST + 5], 0.3 - 1, 1e-12);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_altimeter_hears_the_bottom_after_there_and_back),
        cmocka_unit_test(a_wrong_speed_of_sound_scales_the_altitude),
        cmocka_unit_test(a_weak_ping_comes_to_nothing),
        cmocka_unit_test(the_pings_of_an_altimeter_are_on_the_record),
        cmocka_unit_test(a_profiler_finds_a_uniform_current_over_ground),
        cmocka_unit_test(without_a_bottom_it_tells_the_flow_past_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
