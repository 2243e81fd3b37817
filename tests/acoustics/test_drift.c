/* Sound in a current: times against closed forms and integrals along the ray. */
#include "sensors/probe.h"

#include <fathom/sound.h>
#include <unistd.h>

#include "sensors/acoustic_readings.h"
#include "support/files.h"

/* A pinger at `from` and a receiver at `to`, in the given water. */
static fm_reception heard_in(const char *water, const char *from, const char *to)
{
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'>%s</world><vehicle name='a' position='%s'>" PROBE_BODY
             "<transducer frequency='12 kHz' level='200 dB' ping-period='100 s'/></vehicle><vehicle name='b' "
             "position='%s'>" PROBE_BODY "<transducer name='ear' frequency='12 kHz'/></vehicle></fathom>",
             water, from, to);
    fm_world *world = start(text);
    for (int i = 0; i < 500; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++)
            if (records[k].slot == 1 && records[k].event == FM_SOUND_HEARD) {
                fm_reception heard = records[k].sound;
                finish(world);
                return heard;
            }
    }
    fail_msg("nothing was heard from %s at %s", from, to);
    return (fm_reception){0};
}

#define ISO "<acoustics speed='constant' sound-speed='1500 m/s' absorption='none'/>"
#define EAST "<current velocity='0 1.5 0 m/s'/>"

/* --- one speed, one current --- */

static void times_down_and_up_a_current_differ_by_the_closed_form(void **state)
{
    (void)state;
    const double c = 1500, u = 1.5, way = 3000;
    double down = heard_in(ISO EAST, "0 0 50 m", "0 3000 50 m").travelled,
           up = heard_in(ISO EAST, "0 3000 50 m", "0 0 50 m").travelled;
    near("down the current", down, way / (c + u), 1e-9);
    near("up the current", up, way / (c - u), 1e-9);
    near("difference", up - down, 2 * way * u / (c * c - u * u), 1e-9);
    double across = heard_in(ISO EAST, "0 0 50 m", "3000 0 50 m").travelled;
    near("across", across, way / sqrt(c * c - u * u), 1e-9);
}

static void one_way_ranges_feel_the_current(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side += 2) { /* 3 m in 3 km at 1.5 m/s */
        static char text[4096];
        snprintf(
            text, sizeof text,
            "<fathom version='1'><world dt='0.05 s'>" ISO EAST
            "</world><vehicle name='probe' position='0 0 95 m'>" PROBE_BODY
            "<transducer name='t' frequency='12 kHz'/><one-way-ranging sound-speed='1500 m/s'><beacon address='1' "
            "position='0 %d 95 m'/></one-way-ranging></vehicle><vehicle name='beacon' position='0 %d 95 m'>" PROBE_BODY
            "<transducer address='1' frequency='12 kHz' level='200 dB' ping-period='10 s'/></vehicle></fathom>",
            side * 3000, side * 3000);
        fm_world *world = start(text);
        step(world, 100);
        const fm_beacon_reading *r = reading(world, "one-way-ranging");
        assert_int_equal(r->head.count, 1);
        near("range", r->range, 3000 * 1500 / (1500 - 1.5 * side), 1e-5); /* from the east it comes up the current */
        finish(world);
    }
}

/* Fronts are spheres about a centre that drifts: |d − uT| = cT, and they come from that centre. */
static void fronts_are_spheres_about_a_drifting_centre(void **state)
{
    (void)state;
    const double u[3] = {0.8, -1.2, 0}, d[3] = {900, 1100, 180};
    fm_reception r = heard_in(ISO "<current velocity='0.8 -1.2 0 m/s'/>", "0 0 20 m", "900 1100 200 m");
    double centre[3], far = 0;
    for (int i = 0; i < 3; i++) {
        centre[i] = d[i] - u[i] * r.travelled;
        far += centre[i] * centre[i];
    }
    near("radius", sqrt(far), 1500 * r.travelled, 1e-6);
    near("way", r.radius, 1500 * r.travelled, 1e-6);
    for (int i = 0; i < 3; i++)
        near("direction", r.direction[i], -centre[i] / sqrt(far), 1e-9);
    near("frequency, both at rest", r.frequency, 12000, 1e-9);
}

static void images_are_carried_as_their_unfolded_ways(void **state)
{
    (void)state;
    const char *water = "<acoustics speed='constant' sound-speed='1500 m/s' absorption='none' paths='images' "
                        "reflections='1'/><bottom depth='100 m'/>" EAST;
    static char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'>%s</world><vehicle name='a' position='0 0 30 m'>" PROBE_BODY
             "<transducer frequency='12 kHz' level='200 dB' ping-period='100 s'/></vehicle><vehicle name='b' "
             "position='0 500 60 m'>" PROBE_BODY "<transducer name='ear' frequency='12 kHz'/></vehicle></fathom>",
             water);
    fm_world *world = start(text);
    int found = 0;
    for (int i = 0; i < 100; i++) {
        const fm_sound_record *records;
        step(world, 1);
        size_t count = fm_world_sounds(world, &records);
        for (size_t k = 0; k < count; k++) {
            const fm_reception *r = &records[k].sound;
            if (records[k].slot != 1 || records[k].event != FM_SOUND_HEARD)
                continue;
            double rise = r->bottom ? 110 : r->surface ? 90 : 30;
            near("unfolded", hypot(500 - 1.5 * r->travelled, rise), 1500 * r->travelled, 1e-6);
            found++;
        }
    }
    assert_int_equal(found, 3);
    finish(world);
}

static void still_water_may_be_asked_for(void **state)
{
    (void)state;
    double time =
        heard_in("<acoustics speed='constant' sound-speed='1500 m/s' carried='false'/>" EAST, "0 0 50 m", "0 3000 50 m")
            .travelled;
    near("time", time, 2, 1e-12);
    near("WaVeSim's", heard_in("<acoustics law='wavesim'/>" EAST, "0 0 50 m", "0 3000 50 m").travelled, 2, 1e-12);
}

/* --- layers --- */

/* From 10 m to 90 m over 1000 m, through a current that grows evenly from 0 at the surface to 2 m/s at 100 m. */
static void a_current_that_changes_with_depth_acts_by_its_mean(void **state)
{
    (void)state;
    const char *water =
        ISO "<current velocity='0 0 0 m/s'><layers depth='0 100 m' north='0 0 m/s' east='0 2 m/s'/></current>";
    double length = hypot(1000, 80), cosine = 1000 / length, exact = 0;
    for (int i = 0; i < 10000; i++) /* ∫ ds/(c + u cos) */
        exact += length / 10000 / (1500 + 2 * (10 + 80 * (i + 0.5) / 10000) / 100 * cosine);
    double down = heard_in(water, "0 0 10 m", "0 1000 90 m").travelled,
           up = heard_in(water, "0 1000 90 m", "0 0 10 m").travelled;
    near("down the current", down, exact, 1e-3 * (length / 1500 - exact)); /* to a thousandth of the effect */
    near("difference", up - down, 2 * length * cosine / 1500 / 1500, 2e-3 * (up - down));
}

/* A ray through an even gradient: an arc of a circle, whose time in the current is ∫ ds/(c + u cos θ). */
static void a_ray_is_carried_along_its_arc(void **state)
{
    (void)state;
    write_file("carried.csv", "depth,speed\n0,1500\n1000,1550\n");
    char here[512], water[1024];
    assert_non_null(getcwd(here, sizeof here));
    snprintf(water, sizeof water,
             "<acoustics speed='file' profile='%s/carried.csv' paths='rays' reflections='0' absorption='none'/>" EAST,
             here);
    double g = 0.05, range = 3000;
    /* both ends on a circle about depth −c(0)/g: centre from the ends */
    double top = -1500 / g, z1 = 100 - top, z2 = 400 - top;
    double x = (range * range + z2 * z2 - z1 * z1) / (2 * range), radius = hypot(x, z1), still = 0, moving = 0;
    double from = atan2(z1, -x), to = atan2(z2, range - x);
    for (int i = 0; i < 20000; i++) {
        double a = from + (to - from) * (i + 0.5) / 20000, ds = radius * fabs(to - from) / 20000;
        double c = g * radius * sin(a), cosine = fabs(sin(a)); /* the ray is across the radius */
        still += ds / c;
        moving += ds / (c + 1.5 * cosine);
    }
    double down = heard_in(water, "0 0 100 m", "0 3000 400 m").travelled;
    near("down the current", down, moving, 2e-3 * (still - moving));
    assert_greater(still - moving, 1e-3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_down_and_up_a_current_differ_by_the_closed_form),
        cmocka_unit_test(one_way_ranges_feel_the_current),
        cmocka_unit_test(fronts_are_spheres_about_a_drifting_centre),
        cmocka_unit_test(images_are_carried_as_their_unfolded_ways),
        cmocka_unit_test(still_water_may_be_asked_for),
        cmocka_unit_test(a_current_that_changes_with_depth_acts_by_its_mean),
        cmocka_unit_test(a_ray_is_carried_along_its_arc),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
