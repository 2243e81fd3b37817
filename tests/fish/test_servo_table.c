/* The servo table: fitted to the wave, played back, written, read, and refused when it is bad. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fish/preset.h"
#include "fish/servo_fit.h"
#include "fish/servo_table.h"

#define DEGREE (FM_PI / 180)

static const double REFERENCE[18][4] = {
    {2.102, 3.936, 0.427, -6.431},   {0.987, 4.768, 2.539, -3.664},   {-0.25, 5.033, 4.342, -0.52},
    {-1.457, 4.69, 5.649, 2.585},    {-2.487, 3.772, 6.304, 5.342},   {-3.216, 2.391, 6.202, 7.518},
    {-3.556, 0.724, 5.324, 8.885},   {-3.468, -1.023, 3.774, 9.22},   {-2.964, -2.638, 1.766, 8.382},
    {-2.102, -3.936, -0.427, 6.431}, {-0.987, -4.768, -2.539, 3.664}, {0.25, -5.033, -4.342, 0.52},
    {1.457, -4.69, -5.649, -2.585},  {2.487, -3.772, -6.304, -5.342}, {3.216, -2.391, -6.202, -7.518},
    {3.556, -0.724, -5.324, -8.885}, {3.468, 1.023, -3.774, -9.22},   {2.964, 2.638, -1.766, -8.382}};

static fm_servo_table fitted(int rows)
{
    fm_fish_params wave = preset_fish();
    fm_servo_table t;
    fm_error error;
    assert_int_equal(fm_servo_table_fit(&t, &wave, &preset_tail, rows, 60 * DEGREE, &error), FM_OK);
    return t;
}

static void the_fitted_table_is_the_reference_table(void **state)
{
    (void)state;
    fm_servo_table t = fitted(18);
    for (int i = 0; i < 18; i++)
        for (int j = 0; j < 4; j++)
            assert_nearer(t.angle[i * 4 + j] / DEGREE, REFERENCE[i][j], 0.0006);
}

static void links_are_chords_of_the_wave(void **state)
{
    (void)state;
    fm_fish_params wave = preset_fish();
    fm_servo_table t = fitted(360);
    servo_fit fit = fit_of(&t, &wave);
    assert_less(fit.length_error, 1e-15);
    assert_nearer(fit.deviation, 1.9561050615500182e-3, 0.02 * 1.956e-3);
    assert_nearer(fit.tip_amplitude, 0.02370629087666713, 0.02 * 0.0237);
    assert_nearer(fit.tip_x_min, 0.2377151809415654, 1e-4);
    assert_nearer(fit.tip_x_max, 0.2393086684900727, 1e-4);
}

static void link_lengths_hold_at_every_phase_of_playback(void **state)
{
    (void)state;
    fm_servo_table t = fitted(18);
    for (double c = -1; c < 2; c += 0.0137) {
        double a[4], s[4], x[5], y[5];
        fm_fish_play(t.angle, t.rows, t.tail.joints, c, a, s);
        fm_fish_deflect(4, a, 0.4);
        fm_fish_chain(&t.tail, a, x, y);
        for (int j = 0; j < 4; j++)
            assert_nearer(hypot(x[j + 1] - x[j], y[j + 1] - y[j]), t.tail.link[j], 1e-15);
    }
}

static void playback_passes_through_the_rows_and_stays_near_the_wave_between(void **state)
{
    (void)state;
    fm_fish_params wave = preset_fish();
    fm_servo_table t = fitted(18);
    double worst = 0;
    for (int i = 0; i < 180; i++) {
        double a[4], s[4], exact[4], before[4], after[4], unused[4];
        fm_error error;
        fm_fish_play(t.angle, t.rows, t.tail.joints, i / 180.0, a, s);
        fm_servo_fit_phase(&wave, &t.tail, i / 180.0, exact, &error);
        fm_fish_play(t.angle, t.rows, t.tail.joints, i / 180.0 - 1e-6, before, unused);
        fm_fish_play(t.angle, t.rows, t.tail.joints, i / 180.0 + 1e-6, after, unused);
        for (int j = 0; j < 4; j++) {
            worst = fmax(worst, fabs(a[j] - exact[j]));
            if (i % 10 == 0)
                assert_nearer(a[j], exact[j], 1e-12);
            assert_nearer((after[j] - before[j]) / 2e-6, s[j], 2e-4);
        }
    }
    assert_less(worst, 0.05 * DEGREE);
}

static void a_starboard_deflection_bends_the_tail_to_starboard(void **state)
{
    (void)state;
    double a[4] = {0}, x[5], y[5];
    fm_fish_deflect(4, a, 40 * DEGREE);
    fm_fish_chain(&preset_tail, a, x, y);
    assert_greater(y[4], 0.05);
    assert_less(x[4], -0.19);
}

static void a_written_table_reads_back(void **state)
{
    (void)state;
    char path[] = "servo_table_XXXXXX";
    int fd = mkstemp(path);
    assert_at_least(fd, 0);
    close(fd);
    fm_servo_table t = fitted(18), back = t;
    memset(back.angle, 0, sizeof back.angle);
    fm_error error = {0};
    assert_int_equal(fm_servo_table_save(&t, path, &error), FM_OK);
    assert_int_equal(fm_servo_table_load(&back, path, 60 * DEGREE, &error), FM_OK);
    unlink(path);
    assert_int_equal(back.rows, 18);
    for (int i = 0; i < 72; i++)
        assert_nearer(back.angle[i], t.angle[i], 1e-10);
}

static const char HEAD[] = "phase_deg,joint1_deg,joint2_deg,joint3_deg,joint4_deg\n";

/* The reader must refuse `rows` and its message must hold `part`. */
static void refuse(const char *rows, fm_status status, int line, const char *part)
{
    char text[512];
    fm_servo_table t = {.rows = 7, .tail = preset_tail};
    fm_error error = {0};
    snprintf(text, sizeof text, "%s%s", HEAD, rows);
    assert_int_equal(fm_servo_table_parse(&t, text, strlen(text), "bad.csv", 45 * DEGREE, &error), status);
    assert_int_equal(t.rows, 7);
    assert_string_equal(error.file, "bad.csv");
    if (line)
        assert_int_equal(error.line, line);
    assert_non_null(strstr(error.text, part));
}

static void bad_tables_are_refused_with_row_and_column(void **state)
{
    (void)state;
    refuse("0,1,2,3,4\n90,1,nan,3,4\n", FM_ERR_RANGE, 3, "row 2, column 3 (joint2_deg)");
    refuse("0,1,2,3,4\n90,1,2,3,45.1\n", FM_ERR_RANGE, 3, "row 2, column 5 (joint4_deg): 45.1 deg is past");
    refuse("0,1,2,3\n", FM_ERR_SYNTAX, 2, "row 1 has 4 columns: must be 5");
    refuse("0,1,2,3,4,5\n", FM_ERR_SYNTAX, 2, "row 1 has more than 5 columns");
    refuse("0,1,2,three,4\n", FM_ERR_SYNTAX, 2, "row 1, column 4 (joint3_deg): \"three\" is not a number");
    refuse("0,1,2,,4\n", FM_ERR_SYNTAX, 2, "row 1, column 4");
    refuse("0,1,2,3,4\n90,1,2,3,4\n", FM_ERR_RANGE, 0, "2 rows");
    refuse("0,1,2,3,4\n90,1,2,3,4\n170,1,2,3,4\n270,1,2,3,4\n", FM_ERR_RANGE, 0, "row 3, column 1");
    refuse("", FM_ERR_RANGE, 0, "0 rows");
}

static void a_file_that_is_not_there_is_named(void **state)
{
    (void)state;
    fm_servo_table t = {.tail = preset_tail};
    fm_error error = {0};
    assert_int_equal(fm_servo_table_load(&t, "no/such.csv", 1, &error), FM_ERR_FILE);
    assert_string_equal(error.file, "no/such.csv");
}

static void a_wave_too_steep_for_the_servos_is_refused(void **state)
{
    (void)state;
    fm_fish_params wave = preset_fish();
    fm_servo_table t;
    fm_error error = {0};
    assert_int_equal(fm_servo_table_fit(&t, &wave, &preset_tail, 18, 5 * DEGREE, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "joint"));
    assert_int_equal(fm_servo_table_fit(&t, &wave, &preset_tail, 2, 1, &error), FM_ERR_RANGE);
}

static void reading_survives_a_failed_allocation(void **state)
{
    (void)state;
    fm_servo_table t = fitted(18);
    fm_error error;
    long live = fm_alloc_live();
    for (long n = 0; n < 2; n++) {
        fm_alloc_fail_after(n);
        assert_int_equal(fm_servo_table_parse(&t, HEAD, strlen(HEAD), "x", 1, &error), FM_ERR_MEMORY);
        fm_alloc_fail_after(-1);
        assert_int_equal(fm_alloc_live(), live);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fitted_table_is_the_reference_table),
        cmocka_unit_test(links_are_chords_of_the_wave),
        cmocka_unit_test(link_lengths_hold_at_every_phase_of_playback),
        cmocka_unit_test(playback_passes_through_the_rows_and_stays_near_the_wave_between),
        cmocka_unit_test(a_starboard_deflection_bends_the_tail_to_starboard),
        cmocka_unit_test(a_written_table_reads_back),
        cmocka_unit_test(bad_tables_are_refused_with_row_and_column),
        cmocka_unit_test(a_file_that_is_not_there_is_named),
        cmocka_unit_test(a_wave_too_steep_for_the_servos_is_refused),
        cmocka_unit_test(reading_survives_a_failed_allocation),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
