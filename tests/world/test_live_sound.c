/* The sea changes in a run, and sound goes by the water and over the bottom that there are then. */
#include "support/scenario.h"

#include <fathom/sound.h>

#include "world/world.h"

#define BLOCK "<mass mass='40 kg' inertia='1 1 1 kg*m2'/>"

/* A beacon that pings every second and an ear, `apart` m to the north of it, both at `depth`; they do not move. */
static const char *sea(const char *water, const char *acoustics, double apart, double depth)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' gravity='9.81 m/s2'>%s%s</world>"
             "<vehicle name='a' position='0 0 %g m'>" BLOCK
             "<transducer frequency='25 kHz' level='190 dB' ping-period='1 s' pulse='1 ms'/></vehicle>"
             "<vehicle name='b' position='%g 0 %g m'>" BLOCK "<transducer/></vehicle></fathom>",
             water, acoustics, depth, apart, depth);
    return text;
}
#define CONSTANT "<water><sound formula='constant' speed='%g m/s'/></water>"

static fm_world *constant_sea(double speed, const char *more, const char *acoustics, double apart)
{
    char water[512];
    snprintf(water, sizeof water, CONSTANT "%s", speed, more);
    return start(sea(water, acoustics, apart, 50));
}

/* Travel time of the first arrival at b of a ping that left at `sent` or later; NaN: none within 3 s. */
static double travel(fm_world *world, double sent)
{
    for (int i = 0; i < 300; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            if (records[k].slot == 1 && records[k].event == FM_SOUND_HEARD && records[k].sound.sent >= sent)
                return records[k].sound.time - records[k].sound.sent;
    }
    return NAN;
}

static void a_ping_goes_at_the_speed_that_is_set(void **state)
{
    (void)state;
    static const char *const ways[] = {"<acoustics absorption='constant'/>",
                                       "<acoustics absorption='constant' paths='rays'/>"};
    for (int i = 0; i < 2; i++) {
        fm_world *world = constant_sea(1500, "", ways[i], 600);
        near("before", travel(world, 0), 600.0 / 1500, 1e-9);
        set_live(world, "/water/sound/speed", 1430);
        near("after", travel(world, fm_world_time(world) + 0.02), 600.0 / 1430, 1e-9);
        finish(world);
    }
}

/* What a and b are said to hear of the next ping: signal over noise, dB. */
static double next_snr(fm_world *world)
{
    double sent = fm_world_time(world) + 0.02;
    for (int i = 0; i < 300; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            if (records[k].slot == 1 && records[k].event == FM_SOUND_HEARD && records[k].sound.sent >= sent)
                return records[k].sound.snr;
    }
    return NAN;
}

static void noise_that_is_set_covers_a_ping_by_as_much(void **state)
{
    (void)state;
    fm_world *world =
        constant_sea(1500, "", "<acoustics absorption='constant' noise='fixed' noise-level='50 dB'/>", 600);
    double before = next_snr(world);
    set_live(world, "/acoustics/noise_level", 58);
    near("8 dB more noise", before - next_snr(world), 8, 1e-9);
    finish(world);
}

static void a_constant_speed_that_is_set_is_that_of_the_next_ping(void **state)
{
    (void)state;
    fm_world *world =
        constant_sea(1500, "", "<acoustics speed='constant' sound-speed='1500 m/s' paths='images'/>", 600);
    near("before", travel(world, 0), 600.0 / 1500, 1e-9);
    set_live(world, "/acoustics/sound_speed", 1450);
    near("after", travel(world, fm_world_time(world) + 0.02), 600.0 / 1450, 1e-9);
    finish(world);
}

/* One that is set is one that was written. */
static void another_formula_and_a_warm_spot_are_as_if_they_had_been_written(void **state)
{
    (void)state;
    static const char water[] =
        "<water><temperature surface='18 degC' z1='5 m' z2='200 m' slope1='-0.05 K/m' slope2='-0.01 K/m'>"
        "<spot amplitude='%s' centre='0 0 40 m' sigma='300 300 30 m'/></temperature><salinity "
        "surface='35'/><sound formula='%s'/></water>";
    char text[1024];
    snprintf(text, sizeof text, water, "3 K", "mackenzie");
    fm_world *written = start(sea(text, "<acoustics paths='rays'/>", 400, 50));
    snprintf(text, sizeof text, water, "0.5 K", "del-grosso");
    fm_world *live = start(sea(text, "<acoustics paths='rays'/>", 400, 50));
    double there = travel(written, 1.5), before = travel(live, 0);
    set_live(live, "/water/temperature/spot/amplitude", 3);
    double grosso = travel(live, 1.5);
    set_live(live, "/water/sound/formula", 3);
    double after = travel(live, fm_world_time(live) + 0.02);
    assert_greater(before, there + 1e-4);
    assert_greater(fabs(grosso - there), 1e-8); /* 2.5 K are about 7 m/s */
    near("after", after, there, 1e-12);
    finish(written);
    finish(live);
}

/* A ping is on its way for 2 s; after 1 s the water is another one. */
static void what_is_under_way_arrives_by_the_water_there_is(void **state)
{
    (void)state;
    static const double speeds[] = {1400, 1600};
    for (int i = 0; i < 2; i++) {
        fm_world *world = constant_sea(1500, "", "<acoustics absorption='constant'/>", 3000);
        run_until(world, 1);
        set_live(world, "/water/sound/speed", speeds[i]);
        near("travel", travel(world, 0), 3000 / speeds[i], 1e-9);
        near("time at which it is reported", fm_world_time(world), 3000 / speeds[i], 0.03);
        finish(world);
    }
}

/* The line between them runs 20 m above the bottom. */
static void a_mound_that_rises_silences(void **state)
{
    (void)state;
    static const char *const ways[] = {"<acoustics absorption='constant'/>",
                                       "<acoustics absorption='constant' paths='rays' reflections='0'/>"};
    for (int i = 0; i < 2; i++) {
        fm_world *world = constant_sea(
            1500, "<bottom depth='70 m'><mound height='1 m' centre='300 0 0 m' sigma='40 40 1 m'/></bottom>", ways[i],
            600);
        near("low", travel(world, 0), 0.4, 1e-9);
        set_live(world, "/bottom/mound/height", -40);
        step(world, 2);
        assert_true(isnan(travel(world, 0)));
        set_live(world, "/bottom/mound/height", -10);
        near("low again", travel(world, 0), 0.4, 1e-9);
        set_live(world, "/bottom/mound/centre/y", 200); /* high, but elsewhere */
        set_live(world, "/bottom/mound/height", -40);
        step(world, 2);
        near("beside", travel(world, 0), 0.4, 1e-9);
        finish(world);
    }
}

/* --- the same bits --- */

static void change(fm_world *world, int i)
{
    if (i == 120)
        set_live(world, "/water/sound/speed", 1400);
    if (i == 260)
        set_live(world, "/bottom/mound/height", -35);
    if (i == 330)
        set_live(world, "/water/sound/speed", 1530);
}

static void a_restored_world_has_the_water_of_its_parameters(void **state)
{
    (void)state;
    static const char *const ways[] = {"<acoustics/>", "<acoustics paths='rays' reflections='3'/>"};
    const char bottom[] = "<bottom depth='80 m'><mound height='2 m' centre='300 0 0 m' sigma='40 40 1 m'/></bottom>";
    for (int k = 0; k < 2; k++)
        for (int at = 100; at < 400; at += 90) {
            fm_world *one = constant_sea(1500, bottom, ways[k], 700), *two = constant_sea(1500, bottom, ways[k], 700);
            size_t size = fm_world_state_size(one);
            void *saved = malloc(size);
            fm_error error;
            int i = 0;
            for (; i < at; i++)
                change(one, i), step(one, 1);
            assert_int_equal(fm_world_save(one, saved, size, &error), FM_OK);
            assert_int_equal(fm_world_restore(two, saved, size, &error), FM_OK);
            for (; i < 450; i++) {
                change(one, i), change(two, i);
                step(one, 1), step(two, 1);
                assert_same(fm_world_hash(one), fm_world_hash(two));
            }
            /* and back again, where the water is the first one */
            assert_int_equal(fm_world_restore(one, saved, size, &error), FM_OK);
            for (i = at; i < 450; i++)
                change(one, i), step(one, 1);
            assert_same(fm_world_hash(one), fm_world_hash(two));
            free(saved);
            finish(one);
            finish(two);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ping_goes_at_the_speed_that_is_set),
        cmocka_unit_test(noise_that_is_set_covers_a_ping_by_as_much),
        cmocka_unit_test(a_constant_speed_that_is_set_is_that_of_the_next_ping),
        cmocka_unit_test(another_formula_and_a_warm_spot_are_as_if_they_had_been_written),
        cmocka_unit_test(what_is_under_way_arrives_by_the_water_there_is),
        cmocka_unit_test(a_mound_that_rises_silences),
        cmocka_unit_test(a_restored_world_has_the_water_of_its_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
