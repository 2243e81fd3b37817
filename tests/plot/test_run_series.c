#include "support/cmocka_all.h"

#include <math.h>

#include "plot/run_series.h"

/* Ten hours at 50 Hz. */
enum { SAMPLES = 36000 * 50, SPIKE = 1234567, DIP = 777 };

static void ten_hours_keep_every_peak_in_bounded_memory(void **state)
{
    (void)state;
    fm_run_series s = {0};
    double low, high;
    for (long i = 0; i < SAMPLES; i++)
        assert_true(fm_run_series_add(&s, (double)i / 50, i == SPIKE ? 9 : i == DIP ? -7 : sin(1e-4 * (double)i)));
    assert_true(fm_run_series_end(&s));
    assert_greater(s.count, FM_RUN_POINTS / 3);
    assert_at_most(s.count, FM_RUN_POINTS + 2);
    assert_at_most(s.room, 2 * FM_RUN_POINTS + 1024);
    assert_true(fm_run_series_range(&s, &low, &high));
    assert_same(low, -7);
    assert_same(high, 9);
    for (size_t i = 0; i < s.count; i++) {
        if (i != 0)
            assert_at_least(s.t[i], s.t[i - 1]);
        if (s.y[i] == 9)
            assert_same(s.t[i], SPIKE / 50.0);
        else if (s.y[i] != -7) /* what is kept are samples, at their times */
            assert_nearer(s.y[i], sin(1e-4 * 50 * s.t[i]), 1e-9);
    }
    assert_same(s.t[s.count - 1], (SAMPLES - 1) / 50.0);
    fm_run_series_free(&s);
}

static void a_short_series_is_kept_as_it_is(void **state)
{
    (void)state;
    fm_run_series s = {0};
    for (int i = 0; i < 1000; i++)
        assert_true(fm_run_series_add(&s, i, i == 500 ? (double)NAN : i * i));
    assert_true(fm_run_series_end(&s));
    assert_int_equal(s.count, 1000);
    for (int i = 0; i < 1000; i++) {
        assert_same(s.t[i], i);
        if (i == 500)
            assert_true(isnan(s.y[i]));
        else
            assert_same(s.y[i], i * i);
    }
    fm_run_series_free(&s);
}

/* A circle of 100 m walked for ten hours: every point that is kept lies on it, both ends are there, and no piece is
 * longer than the time between two points makes it. */
static void a_long_track_keeps_its_shape_and_both_ends(void **state)
{
    (void)state;
    fm_run_track track = {0};
    for (long i = 0; i < SAMPLES; i++) {
        double angle = 1e-3 * (double)i;
        assert_true(fm_run_track_add(&track, (double)i / 50, (double[3]){100 * cos(angle), 100 * sin(angle), 5}));
    }
    assert_true(fm_run_track_end(&track));
    assert_greater(track.count, FM_RUN_POINTS / 3);
    assert_at_most(track.count, FM_RUN_POINTS + 1);
    for (size_t i = 0; i < track.count; i++)
        assert_nearer(hypot(track.position[0][i], track.position[1][i]), 100, 1e-9);
    double spacing = track.t[1] - track.t[0];
    for (size_t i = 1; i + 1 < track.count; i++)
        assert_nearer(track.t[i] - track.t[i - 1], spacing, 1e-9);
    assert_same(track.t[0], 0);
    assert_same(track.t[track.count - 1], (SAMPLES - 1) / 50.0);
    fm_run_track_free(&track);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_hours_keep_every_peak_in_bounded_memory),
        cmocka_unit_test(a_short_series_is_kept_as_it_is),
        cmocka_unit_test(a_long_track_keeps_its_shape_and_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
