/* Records: tables as people write them, and errors between two with a closed form. */
#include <math.h>
#include <string.h>

#include "analysis/record.h"
#include "support/cmocka_all.h"
#include "support/near.h"

static const double PI = 3.14159265358979323846;

static void parse(fm_record *record, const char *text)
{
    fm_error error = {0};
    if (fm_record_parse_csv(record, text, strlen(text), "table.csv", NULL, &error) != FM_OK)
        fail_msg("%s", error.text);
}

/* --- tables --- */

static void a_table_is_read_as_people_write_it(void **state)
{
    (void)state;
    fm_record r;
    parse(&r, "\xef\xbb\xbf# measured in June\r\n\r\n\"time [min]\"; depth (m) ;note;a;a\r\n0;1.5;\"so; so\";1;2\r\n"
              "# a remark\r\n0.5;;x;3;4\r\n1;NaN;x;5;-\r\n");
    assert_int_equal(r.count, 5);
    const fm_record_series *depth = fm_record_find(&r, "depth"), *second = fm_record_find(&r, "a[1]");
    assert_non_null(depth);
    assert_string_equal(depth->unit, "m");
    assert_int_equal(depth->count, 3);
    assert_near(depth->t[1], 30, 1e-12);
    assert_near(depth->y[0], 1.5, 0);
    assert_true(isnan(depth->y[1]) && isnan(depth->y[2]));
    assert_int_equal(fm_record_find(&r, "note")->text_line, 4);
    assert_non_null(second);
    assert_near(second->y[1], 4, 0);
    fm_record_free(&r);
}

static void wrong_tables_are_refused_with_file_and_line(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"", "table.csv: it holds no line with the names"},
        {"# only this\n", "table.csv: it holds no line with the names"},
        {"time\n1\n", "table.csv:1: 1 column(s) given: must be 2"},
        {"time,,b\n0,1,2\n", "table.csv:1: column 2 has no name"},
        {"when,b\n0,1\n", "table.csv:1: no column is called time, t"},
        {"time [m],b\n0,1\n", "table.csv:1: the time is in 'm': must be a unit of time"},
        {"time,b\n", "table.csv: it holds no row"},
        {"time,b\n0,1\n\n1,2,3\n", "table.csv:4: 3 cells given: must be 2"},
        {"time,b\n0,1\nsoon,2\n", "table.csv:3: the time is 'soon': must be a number"},
        {"time,b\n0,1\n,2\n", "table.csv:3: the time is '': must be a number"},
        {"time,b\n0,1\n5,1\n4,2\n", "table.csv:4: the time 4 s is not after that of the previous row, 5 s"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        fm_record r;
        fm_error error = {0};
        assert_different(fm_record_parse_csv(&r, wrong[i][0], strlen(wrong[i][0]), "table.csv", NULL, &error), FM_OK);
        if (!strstr(error.text, wrong[i][1]))
            fail_msg("said '%s', expected '%s'", error.text, wrong[i][1]);
        fm_record_free(&r);
    }
}

static void rows_are_chosen_by_their_numbers(void **state)
{
    (void)state;
    static const char text[] = "trial,t,x\n1,0,10\n1,1,11\n2,0,20\n2,1,21\n";
    static const char *const second[] = {"trial=2"}, *const none[] = {"trial=9"}, *const other[] = {"tril=2"};
    fm_record r;
    fm_error error = {0};
    assert_int_equal(
        fm_record_parse_csv(&r, text, sizeof text - 1, "t.csv", &(fm_record_options){NULL, second, 1}, &error), FM_OK);
    assert_int_equal(r.series[2].count, 2);
    assert_near(r.series[2].y[0], 20, 0);
    fm_record_free(&r);
    assert_different(
        fm_record_parse_csv(&r, text, sizeof text - 1, "t.csv", &(fm_record_options){NULL, none, 1}, &error), FM_OK);
    assert_non_null(strstr(error.text, "no row of those"));
    fm_record_free(&r);
    assert_different(
        fm_record_parse_csv(&r, text, sizeof text - 1, "t.csv", &(fm_record_options){NULL, other, 1}, &error), FM_OK);
    assert_non_null(strstr(error.text, "unknown column 'tril'"));
    fm_record_free(&r);
}

/* --- errors --- */

enum { ROOM = 5000 };

/* amplitude · sin(2π (t + early)/period) from `begin` on. */
static fm_record_series sine(double t[ROOM], double y[ROOM], size_t count, double step, double begin, double amplitude,
                             double period, double early)
{
    for (size_t i = 0; i < count; i++) {
        t[i] = begin + (double)i * step;
        y[i] = amplitude * sin(2 * PI * (t[i] + early) / period);
    }
    return (fm_record_series){.name = "y", .unit = "m", .t = t, .y = y, .count = count};
}

static double own_t[ROOM], own_y[ROOM], other_t[ROOM], other_y[ROOM];

static void a_late_sine_errs_by_its_closed_form(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_error error = {0};
    fm_record_pair pair;
    fm_record_error e;
    fm_record_series a = sine(own_t, own_y, 2000, 0.1, 0, 3, 20, 0), b = sine(other_t, other_y, 2000, 0.1, 0, 3, 20, 2);
    assert_int_equal(fm_record_pair_make(&a, &b, &pair, &error), FM_OK);
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){0}, &arena, &e, &error), FM_OK);
    assert_int_equal(e.samples, 2000);
    assert_near(e.rms, sqrt(2) * 3 * sin(PI * 2 / 20), 1e-9);
    assert_near(e.bias, 0, 1e-9);
    assert_near(fabs(e.largest), 2 * 3 * sin(PI * 2 / 20), 1e-3);
    assert_near(e.correlation, cos(2 * PI * 2 / 20), 1e-9);
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){.offset = 2}, &arena, &e, &error), FM_OK);
    assert_near(e.rms, 0, 1e-9);
    assert_near(e.first, 2, 1e-9);
    fm_arena_free(&arena);
}

/* A straight line between samples h apart misses a sine of frequency ω by at most A (ω h)²/8. */
static void resampling_errs_by_the_sagitta_of_its_steps(void **state)
{
    (void)state;
    fm_arena arena = {0};
    fm_error error = {0};
    fm_record_pair pair;
    fm_record_error e;
    fm_record_series a = sine(own_t, own_y, 4000, 0.05, 0, 1, 10, 0),
                     b = sine(other_t, other_y, 400, 0.5, 0.017, 1, 10, 0);
    assert_int_equal(fm_record_pair_make(&a, &b, &pair, &error), FM_OK);
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){0}, &arena, &e, &error), FM_OK);
    assert_less(e.samples, 400 + 1); /* at the times of the one with fewer samples */
    assert_nearer(e.largest, 0, pow(2 * PI / 10 * 0.05, 2) / 8);
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){.rate = 20}, &arena, &e, &error), FM_OK);
    assert_greater(e.samples, 3900);
    assert_between(0.9 * pow(2 * PI / 10 * 0.5, 2) / 8, fabs(e.largest), pow(2 * PI / 10 * 0.5, 2) / 8);
    fm_arena_free(&arena);
}

static void cross_correlation_finds_the_offset(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_record_pair pair;
    fm_record_series a = sine(own_t, own_y, 2000, 0.1, 0, 1, 37, 0),
                     b = sine(other_t, other_y, 1500, 0.1, 1000, 5, 37, 0);
    for (size_t i = 0; i < a.count; i++) /* not periodic, so that there is one answer */
        own_y[i] += 0.002 * own_t[i] * sin(own_t[i] * own_t[i] / 300);
    for (size_t i = 0; i < b.count; i++) {
        double t = other_t[i] - 1000 + 12.345; /* it began 12.345 s after a, at 1000 by its own clock */
        other_y[i] = 5 * (sin(2 * PI * t / 37) + 0.002 * t * sin(t * t / 300)) + 7;
    }
    double offset, correlation;
    assert_int_equal(fm_record_pair_make(&a, &b, &pair, &error), FM_OK);
    assert_int_equal(fm_record_align(&pair, &(fm_record_window){.offset = -1000}, 60, &offset, &correlation, &error),
                     FM_OK);
    assert_near(offset, -1000 + 12.345, 0.005);
    assert_greater(correlation, 0.9999);
    assert_different(fm_record_align(&pair, &(fm_record_window){.offset = 5000}, 60, &offset, &correlation, &error),
                     FM_OK);
    assert_non_null(strstr(error.text, "cannot be aligned within 60 s"));
}

static void units_are_converted_and_angles_go_the_short_way(void **state)
{
    (void)state;
    fm_record a, b;
    fm_record_pair pair;
    fm_record_error e;
    fm_error error = {0};
    fm_arena arena = {0};
    parse(&a, "t,heading [deg],temperature [degC],x [m]\n0,350,10,1\n1,358,11,2\n2,6,12,3\n");
    parse(&b, "t,heading [rad],temperature [K],x [s]\n0,6.12610567450,283.15,1\n2,0.12217304764,285.15,3\n");
    assert_int_equal(fm_record_pair_make(&a.series[1], &b.series[1], &pair, &error), FM_OK);
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){.rate = 2}, &arena, &e, &error), FM_OK);
    assert_near(e.bias, -1, 1e-6); /* 351, 359, 7 degrees: also in between, across north */
    assert_near(e.rms, 1, 1e-6);
    assert_int_equal(fm_record_pair_make(&a.series[2], &b.series[2], &pair, &error), FM_OK);
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){0}, &arena, &e, &error), FM_OK);
    assert_near(e.rms, 0, 1e-9);
    assert_different(fm_record_pair_make(&a.series[3], &b.series[3], &pair, &error), FM_OK);
    assert_non_null(strstr(error.text, "another kind of quantity"));
    fm_record_free(&a);
    fm_record_free(&b);
    fm_arena_free(&arena);
}

static void records_without_a_common_time_are_refused(void **state)
{
    (void)state;
    fm_record a, b;
    fm_record_pair pair;
    fm_record_error e;
    fm_error error = {0};
    fm_arena arena = {0};
    parse(&a, "t,x\n0,1\n1,2\n");
    parse(&b, "t,x\n5,1\n6,2\n");
    assert_int_equal(fm_record_pair_make(&a.series[1], &b.series[1], &pair, &error), FM_OK);
    assert_different(fm_record_compare(&pair, &(fm_record_window){0}, &arena, &e, &error), FM_OK);
    assert_non_null(strstr(error.text, "no time in common"));
    assert_int_equal(fm_record_compare(&pair, &(fm_record_window){.offset = -5}, &arena, &e, &error), FM_OK);
    fm_record_free(&a);
    fm_record_free(&b);
    fm_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_table_is_read_as_people_write_it),
        cmocka_unit_test(wrong_tables_are_refused_with_file_and_line),
        cmocka_unit_test(rows_are_chosen_by_their_numbers),
        cmocka_unit_test(a_late_sine_errs_by_its_closed_form),
        cmocka_unit_test(resampling_errs_by_the_sagitta_of_its_steps),
        cmocka_unit_test(cross_correlation_finds_the_offset),
        cmocka_unit_test(units_are_converted_and_angles_go_the_short_way),
        cmocka_unit_test(records_without_a_common_time_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
