/* Places from ranges: least squares, long base line, one-way and Doppler ranging. */
#include "sensors/probe.h"

#include "acoustics/fix.h"
#include "base/random.h"
#include "sensors/acoustic_readings.h"

/* --- least squares --- */

static fm_fix_range range_to(double x, double y, double z, const double at[3])
{
    double d[3] = {at[0] - x, at[1] - y, at[2] - z};
    return (fm_fix_range){{x, y, z}, sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2])};
}

static void true_ranges_give_the_true_place(void **state)
{
    (void)state;
    const double at[3] = {312, -127, 40};
    fm_fix_range r[4] = {range_to(0, 0, 100, at), range_to(1000, 0, 90, at), range_to(0, 1000, 80, at),
                         range_to(900, -800, 70, at)};
    fm_fix fix;
    for (size_t count = 3; count <= 4; count++) {
        assert_int_equal(fm_fix_solve(r, count, 40, 0.1, 4, NULL, &fix), 1);
        near("north", fix.position[0], 312, 1e-6);
        near("east", fix.position[1], -127, 1e-6);
        assert_int_equal(fix.rejected, 0);
        assert_false(fix.mirrored);
    }
}

/* Beacons evenly round about at the same depth: the normal matrix is n/2 times the unit matrix, GDOP 2/√n. */
static void the_dilution_of_a_ring_is_two_by_root_n(void **state)
{
    (void)state;
    for (size_t n = 3; n < 9; n++) {
        const double at[3] = {0, 0, 50};
        fm_fix_range r[8];
        fm_fix fix;
        for (size_t i = 0; i < n; i++)
            r[i] = range_to(500 * cos(2 * M_PI * (double)i / (double)n), 500 * sin(2 * M_PI * (double)i / (double)n),
                            50, at);
        assert_int_equal(fm_fix_solve(r, n, 50, 0.3, 4, NULL, &fix), 1);
        near("GDOP", fix.gdop, 2 / sqrt((double)n), 1e-9);
        near("variance", fix.covariance[0], 0.09 * 2 / (double)n, 1e-9);
    }
}

/* Two beacons, or three on a line, leave a mirror image; the guess decides. */
static void beacons_on_a_line_leave_a_mirror_image(void **state)
{
    (void)state;
    const double at[3] = {300, 200, 10};
    fm_fix_range r[3] = {range_to(0, 0, 30, at), range_to(500, 0, 30, at), range_to(1000, 0, 30, at)};
    for (size_t n = 2; n <= 3; n++)
        for (int side = -1; side <= 1; side += 2) {
            const double guess[2] = {280, side * 150};
            fm_fix fix;
            assert_int_equal(fm_fix_solve(r, n, 10, 0.1, 4, guess, &fix), 1);
            assert_true(fix.mirrored);
            near("north", fix.position[0], 300, 1e-5);
            near("east", fix.position[1], side * 200, 1e-5);
        }
}

static void a_range_by_a_longer_way_is_left_out(void **state)
{
    (void)state;
    const double at[3] = {100, 250, 40};
    for (size_t bad = 0; bad < 5; bad++) {
        fm_fix_range r[5] = {range_to(0, 0, 100, at), range_to(1000, 0, 90, at), range_to(0, 1000, 80, at),
                             range_to(900, -800, 70, at), range_to(-500, 300, 70, at)};
        fm_fix fix;
        r[bad].range += 35;
        assert_int_equal(fm_fix_solve(r, 5, 40, 0.2, 4, NULL, &fix), 1);
        assert_int_equal(fix.rejected, 1);
        near("north", fix.position[0], 100, 1e-6);
        near("east", fix.position[1], 250, 1e-6);
    }
}

static void too_little_gives_no_fix(void **state)
{
    (void)state;
    const double at[3] = {300, 0, 30};
    fm_fix_range r[2] = {range_to(0, 0, 30, at), range_to(500, 0, 30, at)};
    fm_fix fix;
    assert_int_equal(fm_fix_solve(r, 1, 30, 0.1, 4, NULL, &fix), 0);
    assert_int_equal(fm_fix_solve(r, 2, 30, 0.1, 4, at, &fix), 0); /* on the line between them */
}

/* --- in a world --- */

#define ISO "<acoustics speed='constant' sound-speed='1500 m/s'/>"

/* A probe among four beacons. */
static fm_world *among_beacons(const char *probe, const char *instruments, const char *beacon)
{
    static char text[8192];
    static const char *const places[4] = {"0 0 95 m", "1000 0 90 m", "0 1000 85 m", "1000 900 80 m"};
    int used =
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.05 s' seed='11'>" ISO "</world><vehicle name='probe' %s>" PROBE_BODY
                 "<transducer name='t' frequency='25 kHz'/>%s</vehicle>",
                 probe, instruments);
    for (int i = 0; i < 4; i++)
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "<vehicle name='b%d' position='%s'>" PROBE_BODY "<transducer address='%d' %s/></vehicle>",
                         i + 1, places[i], i + 1, beacon);
    snprintf(text + used, sizeof text - (size_t)used, "</fathom>");
    return start(text);
}
#define KNOWN                                                                                                          \
    "<beacon address='1' position='0 0 95 m' delay='50 ms'/><beacon address='2' position='1000 0 90 m' delay='50 "     \
    "ms'/>"                                                                                                            \
    "<beacon address='3' position='0 1000 85 m' delay='50 ms'/><beacon address='4' position='1000 900 80 m' "          \
    "delay='50 ms'/>"
#define ANSWERING "replies='true' reply-delay='50 ms'"

static void a_perfect_long_base_line_finds_a_probe_at_rest(void **state)
{
    (void)state;
    fm_world *world = among_beacons("position='340 410 20 m'",
                                    "<lbl interval='4 s' sound-speed='1500 m/s'>" KNOWN "</lbl>", ANSWERING);
    step(world, 70);
    const fm_fix_reading *r = reading(world, "lbl");
    assert_int_equal(r->head.count, 1);
    near("north", r->position[0], 340, 1e-6);
    near("east", r->position[1], 410, 1e-6);
    near("depth", r->position[2], 20, 1e-12);
    near("used", r->used, 4, 0);
    finish(world);
}

/* Errors of 1000 fixes within the covariance that the geometry predicts: Σ eᵀP⁻¹e is χ² of 2000 degrees of freedom, of
 * mean 2000 and deviation 63; 4 deviations. */
static void a_thousand_fixes_scatter_as_their_covariance_says(void **state)
{
    (void)state;
    fm_world *world = among_beacons(
        "position='340 410 20 m'",
        "<lbl interval='2.5 s' gate='100' sound-speed='1500 m/s' noise='0.4 m'>" KNOWN "</lbl>", ANSWERING);
    const fm_fix_reading *r = reading(world, "lbl");
    double sum = 0, mean[2] = {0};
    int64_t seen = 0;
    while (seen < 1000) {
        step(world, 1);
        if (r->head.count == seen)
            continue;
        seen = r->head.count;
        double e[2] = {r->position[0] - 340, r->position[1] - 410}, a = r->covariance[0], b = r->covariance[1],
               c = r->covariance[4], det = a * c - b * b;
        sum += (c * e[0] * e[0] - 2 * b * e[0] * e[1] + a * e[1] * e[1]) / det;
        mean[0] += e[0] / 1000 / sqrt(a);
        mean[1] += e[1] / 1000 / sqrt(c);
    }
    near("chi squared", sum, 2000, 4 * sqrt(4000));
    near("mean error north, in deviations of a fix", mean[0], 0, 4 / sqrt(1000));
    near("mean error east", mean[1], 0, 4 / sqrt(1000));
    finish(world);
}

/* The reading holds for the middle between query and answers: a probe at 2 m/s was there then, but for what the spread
 * of the answers makes. */
static void a_moving_probe_is_found_where_it_was(void **state)
{
    (void)state;
    fm_world *world = among_beacons("position='340 410 20 m' velocity='2 0 0 m/s'",
                                    "<lbl interval='4 s' sound-speed='1500 m/s'>" KNOWN "</lbl>", ANSWERING);
    step(world, 1000);
    const fm_fix_reading *r = reading(world, "lbl");
    assert_at_least(r->head.count, 12);
    near("north", r->position[0], 340 + 2 * r->head.time, 0.5);
    near("east", r->position[1], 410, 0.5);
    assert_nearer(r->head.time, 50, 4.1);
    assert_less(r->head.time, 50);
    finish(world);
}

static void a_silent_beacon_is_done_without(void **state)
{
    (void)state;
    fm_world *world = among_beacons("position='340 410 20 m'",
                                    "<lbl interval='4 s' sound-speed='1500 m/s'>" KNOWN "</lbl>", ANSWERING);
    set_live(world, "/b3/transducer/fault", 1);
    step(world, 200);
    const fm_fix_reading *r = reading(world, "lbl");
    assert_at_least(r->head.count, 2);
    near("used", r->used, 3, 0);
    near("north", r->position[0], 340, 1e-6);
    set_live(world, "/probe/lbl/fault", 1);
    int64_t before = r->head.count;
    step(world, 200);
    assert_int_equal(r->head.count, before);
    finish(world);
}

/* R + c (offset + drift t). */
static void one_way_ranges_are_wrong_by_the_clock(void **state)
{
    (void)state;
    fm_world *world = among_beacons("position='600 800 95 m'",
                                    "<one-way-ranging sound-speed='1500 m/s' clock-offset='1 ms' clock-drift='1e-5'>"
                                    "<beacon address='1' position='0 0 95 m'/></one-way-ranging>",
                                    "ping-period='10 s'");
    step(world, 1000);
    const fm_beacon_reading *r = reading(world, "one-way-ranging");
    assert_int_equal(r->head.count, 5);
    near("moment", r->head.time, 40 + 1000.0 / 1500, 1e-9);
    near("range", r->range, 1000 + 1500 * (1e-3 + 1e-5 * r->head.time), 1e-6);
    near("address", r->address, 1, 0);
    finish(world);
}

/* Straight away from the beacon at 2 m/s. */
static void doppler_tells_the_difference_of_ranges(void **state)
{
    (void)state;
    fm_world *world = among_beacons("position='300 0 95 m' velocity='2 0 0 m/s'",
                                    "<doppler-ranging sound-speed='1500 m/s'>"
                                    "<beacon address='1' position='0 0 95 m'/></doppler-ranging>",
                                    "ping-period='1 s'");
    step(world, 430);
    const fm_beacon_reading *r = reading(world, "doppler-ranging");
    double first = 300 / (1500.0 - 2);
    near("rate", r->rate, 2, 1e-9);
    near("difference", r->range, 2 * (r->head.time - first), 1e-6);
    assert_greater(r->range, 40);
    finish(world);
}

static void bad_beacons_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *instruments, *words;
    } cases[] = {
        {"<lbl><beacon address='1' position='0 0 1 m'/></lbl>", "no transducer"},
        {"<transducer/><lbl><beacon address='1' position='0 0 1 m'/></lbl>", "1 beacons"},
        {"<transducer/><lbl><beacon address='1' position='0 0 1 m'/><beacon address='1' position='9 0 1 m'/></lbl>",
         "another beacon"},
        {"<compass/><lbl transducer='compass'><beacon address='1' position='0 0 1 m'/></lbl>", "no transducer"},
        {"<transducer/><one-way-ranging/>", "0 beacons"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[1024];
        fm_error error = {0};
        snprintf(text, sizeof text, "<fathom version='1'><world/><vehicle name='a'>" PROBE_BODY "%s</vehicle></fathom>",
                 cases[i].instruments);
        assert_null(try_load(text, &error));
        if (!strstr(error.text, cases[i].words))
            fail_msg("found: %s", error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_ranges_give_the_true_place),
        cmocka_unit_test(the_dilution_of_a_ring_is_two_by_root_n),
        cmocka_unit_test(beacons_on_a_line_leave_a_mirror_image),
        cmocka_unit_test(a_range_by_a_longer_way_is_left_out),
        cmocka_unit_test(too_little_gives_no_fix),
        cmocka_unit_test(a_perfect_long_base_line_finds_a_probe_at_rest),
        cmocka_unit_test(a_thousand_fixes_scatter_as_their_covariance_says),
        cmocka_unit_test(a_moving_probe_is_found_where_it_was),
        cmocka_unit_test(a_silent_beacon_is_done_without),
        cmocka_unit_test(one_way_ranges_are_wrong_by_the_clock),
        cmocka_unit_test(doppler_tells_the_difference_of_ranges),
        cmocka_unit_test(bad_beacons_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
