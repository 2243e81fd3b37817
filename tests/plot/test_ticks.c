#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plot/ticks.h"

/* The number a label shows, read back by another way than it was written: "−" is three bytes of UTF-8. */
static double read_label(const char *text)
{
    int negative = strncmp(text, "−", 3) == 0;
    char *end;
    double value = strtod(text + (negative ? 3 : 0), &end);
    assert_int_equal(*end, 0);
    return negative ? -value : value;
}

/* First digit of a positive number. */
static int leading_digit(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6e", value);
    return text[0] - '0';
}

static double uniform(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed / 4294967296.0;
}

static void linear_marks_are_round_few_and_true(void **state)
{
    (void)state;
    uint32_t seed = 7;
    for (int trial = 0; trial < 5000; trial++) {
        double span = pow(10, 7 * uniform(&seed) - 3), low = (uniform(&seed) - 0.5) * 4 * span, high = low + span;
        size_t most = 4 + (size_t)(8 * uniform(&seed));
        fm_ticks t;
        fm_ticks_linear(&t, low, high, most);
        assert_within(2, t.count, most + 2);
        double step = t.at[1] - t.at[0], unit = 1;
        int digit = leading_digit(step * (1 + 1e-7));
        if (digit != 1 && digit != 2)
            assert_same(digit, 5);
        if (t.factor[0])
            unit = pow(10, floor(log10(fmax(fabs(low), fabs(high))) + 1e-9));
        for (size_t i = 0; i < t.count; i++) {
            assert_within(low - 1e-6 * span, t.at[i], high + 1e-6 * span);
            assert_nearer(read_label(t.text[i]) * unit, t.at[i], 1e-4 * step);
        }
        for (size_t i = 0; i < t.minor_count; i++) /* minor marks lie between major ones, never on them */
            for (size_t k = 0; k < t.count; k++)
                assert_greater(fabs(t.minor[i] - t.at[k]), 0.1 * step);
    }
}

static void labels(const fm_ticks *t, const char *expected)
{
    char all[1024] = "";
    for (size_t i = 0; i < t->count; i++) {
        strcat(all, i ? " " : "");
        strcat(all, t->text[i]);
    }
    assert_string_equal(all, expected);
}

static void well_known_windows_get_the_marks_a_person_would_choose(void **state)
{
    (void)state;
    fm_ticks t;
    fm_ticks_linear(&t, 0, 10, 6);
    labels(&t, "0 2 4 6 8 10");
    fm_ticks_linear(&t, -0.3, 0.3, 8);
    labels(&t, "−0.3 −0.2 −0.1 0.0 0.1 0.2 0.3");
    fm_ticks_linear(&t, 0, 4.2e5, 6);
    labels(&t, "0 1 2 3 4");
    assert_string_equal(t.factor, "×10⁵");
    fm_ticks_linear(&t, 1.2e-5, 3.1e-5, 5);
    labels(&t, "1.5 2.0 2.5 3.0");
    assert_string_equal(t.factor, "×10⁻⁵");
    fm_ticks_linear(&t, 1013250, 1013258, 5); /* the last digits matter here */
    labels(&t, "1013250 1013252 1013254 1013256 1013258");
}

static void time_is_marked_as_people_count_it(void **state)
{
    (void)state;
    fm_ticks t;
    fm_ticks_time(&t, 0, 60, 6);
    assert_string_equal(t.unit, "s");
    labels(&t, "0 15 30 45 60");
    fm_ticks_time(&t, 0, 0.5, 6);
    labels(&t, "0.0 0.1 0.2 0.3 0.4 0.5");
    fm_ticks_time(&t, 0, 600, 8);
    assert_string_equal(t.unit, "min");
    labels(&t, "0 2 4 6 8 10");
    fm_ticks_time(&t, 0, 3600, 6);
    labels(&t, "0 15 30 45 60");
    fm_ticks_time(&t, 0, 86400, 6);
    assert_string_equal(t.unit, "h");
    labels(&t, "0 6 12 18 24");
    assert_same(t.at[1], 21600);
}

static void log_axes_are_marked_by_decades_with_eight_minor_marks_each(void **state)
{
    (void)state;
    fm_ticks t;
    fm_ticks_log(&t, 1e-6, 1e2, 10);
    assert_int_equal(t.count, 9);
    assert_int_equal(t.minor_count, 8 * 8);
    assert_string_equal(t.text[0], "10⁻⁶");
    assert_string_equal(t.text[8], "10²");
    fm_ticks_log(&t, 1, 100, 8);
    labels(&t, "1 10 100");
    fm_ticks_log(&t, 1, 100, 12);
    labels(&t, "1 2 5 10 20 50 100");
    fm_ticks_log(&t, 1e-30, 1e30, 8); /* only every eighth decade has room */
    assert_within(6, t.count, 8);
    fm_ticks_log(&t, 2, 3, 6); /* within a decade: linear */
    labels(&t, "2.0 2.2 2.4 2.6 2.8 3.0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(linear_marks_are_round_few_and_true),
        cmocka_unit_test(well_known_windows_get_the_marks_a_person_would_choose),
        cmocka_unit_test(time_is_marked_as_people_count_it),
        cmocka_unit_test(log_axes_are_marked_by_decades_with_eight_minor_marks_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
