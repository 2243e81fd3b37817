/* Homing on a station by USBL through water that bends sound. */
#include "sensors/probe.h"

#include "acoustics/ray_ways.h"
#include "base/memory.h"
#include "sensors/acoustic_readings.h"

/* --- back along a ray --- */

/* In water of one gradient the way between two places is an arc of a circle, and its time is known: (1/g) acosh(1 + g²
 * (Δx² + Δz²)/(2 c1 c2)). Its angle at one end, taken from the centre of that circle, leads back to the other. */
static void a_ray_leads_back_to_its_source_by_the_closed_form(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_error error = {0};
    const double depth[] = {0, 1000}, g = -0.05, speed[] = {1520, 1520 + 1000 * g};
    const fm_sound_profile profile = {2, depth, speed};
    const double level = 1000;
    const fm_bottom_line line = {1, (const double[]){0}, &level};
    fm_medium medium = {.ways = FM_WAYS_RAYS};
    assert_int_equal(fm_waveguide_make(&medium.guide, &profile, &line, &medium.seabed, 0, &arena, &error), FM_OK);
    medium.layers = medium.guide;
    const double from[3] = {300, 40, 500}, to[3] = {420, 700, 120}, range[3] = {2000, 1500, 3000};
    for (int i = 0; i < 3; i++) {
        const double x = range[i], z1 = from[i], z2 = to[i], c1 = 1520 + g * z1, c2 = 1520 + g * z2;
        const double time = fabs(acosh(1 + g * g * (x * x + (z2 - z1) * (z2 - z1)) / (2 * c1 * c2)) / g);
        /* the centre lies where the speed would be zero; its range is that of the perpendicular bisector */
        const double zc = -1520 / g, xc = (x * x + (z2 - zc) * (z2 - zc) - (z1 - zc) * (z1 - zc)) / (2 * x);
        const double elevation = atan2(-xc, zc - z1); /* tangent, across the radius */
        double place[2];
        assert_int_equal(fm_medium_trace(&medium, z1, elevation, time * c1, place), 1);
        near("range", place[0], x, 1e-3);
        near("depth", place[1], z2, 1e-3);
    }
    double place[2];
    assert_int_equal(fm_medium_trace(&medium, 40, -0.5, 2000, place), 0); /* it meets the surface */
    assert_int_equal(fm_medium_trace(&medium, 40, 0.5, NAN, place), 0);
    fm_arena_free(&arena);
}

/* --- the scenario --- */

/* Runs it until it has docked, or `most` s; the farthest that it is above the straight line to the station, m. */
static double sag(fm_world *world, double most)
{
    double farthest = 0;
    for (double t = 5; t <= most && !(metric_of(world, 0, "docked") > 0); t += 5) {
        fm_pose p;
        run_until(world, t);
        assert_int_equal(fm_world_pose(world, 0, &p), FM_OK);
        const double left = hypot(1150 - p.position[0], 300 - p.position[1]) / hypot(1150, 300);
        farthest = fmax(farthest, 100 - 60 * left - p.position[2]);
    }
    return farthest;
}

/* The sagitta of the arc is L²/8R: 19.6 m by R = 9.0 km, of -0.167 1/s in the middle of the column. */
static void it_docks_along_the_line_with_the_profile_and_along_the_ray_without(void **state)
{
    (void)state;
    static const char *const straight[] = {"/remus/homing/correct=false", NULL};
    fm_world *world = start_scenario("acoustic-homing", NULL);
    below("above the line, with the profile", sag(world, 850), 1.5);
    near("docked", metric_of(world, 0, "docked"), 1, 0);
    near("at the first approach", metric_of(world, 0, "missed_approaches"), 0, 0);
    near("after the way at its speed", metric_of(world, 0, "docking_time"), 1190 / 1.54, 8);
    below("within the station's reach", metric_of(world, 0, "miss_distance"), 2);
    finish(world);
    world = start_scenario("acoustic-homing", straight);
    near("above the line, without", sag(world, 850), 19.6, 2.5);
    near("docked", metric_of(world, 0, "docked"), 1, 0);
    finish(world);
}

/* What it believes of the station's depth, at the first answers. */
static void the_profile_puts_the_station_where_it_is(void **state)
{
    (void)state;
    fm_world *world = start_scenario("acoustic-homing", NULL);
    double sum[2] = {0};
    for (int k = 0; k < 2; k++) {
        set_live(world, "/remus/homing/correct", 1 - k);
        for (int i = 1; i <= 15; i++) {
            run_until(world, 30 * k + 2 * i);
            sum[k] += column_of(world, 0, "homing.station.depth") / 15;
        }
    }
    near("along the ray", sum[0], 100, 6);                                   /* 15 bearings of 7 mrad */
    near("taken for straight", sum[1], 100 - 1119.0 * 1119 / (2 * 9000), 8); /* at 45 s it is so far */
    finish(world);
}

static void without_its_instrument_it_goes_straight_on(void **state)
{
    (void)state;
    static const char *const dead[] = {"/remus/usbl/fault=dead", NULL};
    fm_world *world = start_scenario("acoustic-homing", dead);
    fm_pose p;
    run_until(world, 120);
    assert_int_equal(fm_world_pose(world, 0, &p), FM_OK);
    near("heading", remainder(p.euler[2], 2 * acos(-1)), 0, 0.05);
    near("depth", p.position[2], 40, 1);
    near("docked", metric_of(world, 0, "docked"), 0, 0);
    char text[128];
    fm_world_verdict(world, 0, text, sizeof text);
    assert_string_equal(text, "did not hear the station");
    finish(world);
}

/* A station that steers it astray: its answers come later than it thinks, from another place. */
static void it_goes_where_its_instrument_says_and_not_where_the_station_is(void **state)
{
    (void)state;
    static const char *const turned[] = {"/remus/array/attitude=0 0 30 deg", "/remus/usbl/noise=0 rad", NULL};
    fm_world *world = start_scenario("acoustic-homing", turned);
    fm_pose p;
    run_until(world, 60);
    assert_int_equal(fm_world_pose(world, 0, &p), FM_OK);
    const double to_station = atan2(300 - p.position[1], 1150 - p.position[0]);
    near("heading", remainder(p.euler[2], 2 * acos(-1)), to_station, 0.05); /* a mount that is known does not matter */
    finish(world);
    world = start_scenario("acoustic-homing", NULL);
    set_live(world, "/remus/compass/bias", 0.3);
    run_until(world, 60);
    assert_int_equal(fm_world_pose(world, 0, &p), FM_OK);
    below("bearings are of the vehicle's own axes: a wrong compass leads the same way",
          fabs(remainder(p.euler[2] - atan2(300 - p.position[1], 1150 - p.position[0]), 2 * acos(-1))), 0.06);
    finish(world);
}

/* The query reaches the station by the bottom too, and is answered twice; so are the answers heard. */
static void an_answer_to_an_echo_is_not_taken_for_a_range(void **state)
{
    (void)state;
    static const char *const near_by[] = {"/remus/position=1050 300 100 m", NULL};
    fm_world *world = start_scenario("acoustic-homing", near_by);
    const fm_bearing_reading *r = reading(world, "usbl");
    for (int i = 1; i <= 10; i++) {
        fm_pose p;
        run_until(world, 2 * i + 1);
        assert_int_equal(fm_world_pose(world, 0, &p), FM_OK);
        near("range", r->range, 1150 - p.position[0] - 0.6, 3); /* it has moved on since */
    }
    finish(world);
}

/* --- passing, and turning back --- */

static void after_a_miss_it_turns_back_and_docks(void **state)
{
    (void)state;
    static const char *const far[] = {"/remus/position=1100 300 60 m", NULL};
    fm_world *world = start_scenario("acoustic-homing", far);
    run_until(world, 400); /* 50 m before it, and 40 m above: too steep for 20 degrees */
    below("missed", 0.5, metric_of(world, 0, "missed_approaches"));
    near("docked", metric_of(world, 0, "docked"), 1, 0);
    below("the first approach was too high", 5, metric_of(world, 0, "miss_distance"));
    finish(world);
}

/* --- what is written --- */

static void refused(const char *homing, const char *words)
{
    static char text[4096];
    fm_error error = {0};
    snprintf(text, sizeof text,
             "<fathom version='1'><world/><vehicle name='a' position='0 0 9 m'>" PROBE_BODY
             "<transducer address='1'/><usbl/>%s</vehicle><vehicle name='b' position='9 0 9 m'>" PROBE_BODY
             "<transducer address='2'/></vehicle></fathom>",
             homing);
    fm_model *model = try_load(text, &error);
    if (model || !strstr(error.text, words))
        fail_msg("'%s' instead of '%s'", error.text, words);
}

static void what_makes_no_sense_is_refused(void **state)
{
    (void)state;
    refused("<homing/>", "station");
    refused("<homing station='c'/>", "unknown vehicle 'c'");
    refused("<homing station='b' usbl='other'/>", "no <usbl> other before it");
    refused("<homing station='b' capture='0 m'/>", "capture");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_leads_back_to_its_source_by_the_closed_form),
        cmocka_unit_test(it_docks_along_the_line_with_the_profile_and_along_the_ray_without),
        cmocka_unit_test(the_profile_puts_the_station_where_it_is),
        cmocka_unit_test(without_its_instrument_it_goes_straight_on),
        cmocka_unit_test(it_goes_where_its_instrument_says_and_not_where_the_station_is),
        cmocka_unit_test(an_answer_to_an_echo_is_not_taken_for_a_range),
        cmocka_unit_test(after_a_miss_it_turns_back_and_docks),
        cmocka_unit_test(what_makes_no_sense_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
