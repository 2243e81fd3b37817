/* Numbers as text, against strtod and printf. */
#include "support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "telemetry/decimal.h"

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void expect(const fm_decimal *d, double value, const char *wanted)
{
    char text[FM_DECIMAL_SIZE + 1];
    text[fm_decimal_real(d, value, text)] = 0;
    assert_string_equal(text, wanted);
}

static void well_known_numbers_are_short(void **state)
{
    (void)state;
    fm_decimal *d = fm_decimal_create();
    expect(d, 0.1, "0.1");
    expect(d, 0.3, "0.3");
    expect(d, 0.1 + 0.2, "0.30000000000000004");
    expect(d, -0.0, "-0");
    expect(d, 1e22, "1e22");
    expect(d, 12345678901234568.0, "12345678901234568");
    expect(d, 1e23, "9.999999999999999e22"); /* exactly half way to its neighbour: not relied upon */
    expect(d, 5e-324, "5e-324");
    expect(d, 1.7976931348623157e308, "1.7976931348623157e308");
    expect(d, 2.2250738585072014e-308, "2.2250738585072014e-308");
    expect(d, 0.00001, "0.00001");
    expect(d, 1e-7, "1e-7");
    expect(d, 3.14159265358979, "3.14159265358979");
    expect(d, NAN, "nan");
    expect(d, -INFINITY, "-inf");
    fm_free(d);
}

/* The same bits; returns by how many digits it is longer than the shortest of %.15g, %.16g, %.17g that reads back. */
static int check_real(const fm_decimal *d, double value)
{
    char text[FM_DECIMAL_SIZE + 1], print[64];
    size_t length = fm_decimal_real(d, value, text);
    assert_in_range(length, 1, FM_DECIMAL_SIZE);
    text[length] = 0;
    double back = strtod(text, NULL);
    assert_memory_equal(&back, &value, 8);
    int digits = 15, ours = 0;
    do
        snprintf(print, sizeof print, "%.*e", digits++ - 1, value);
    while (strtod(print, NULL) != value);
    for (const char *c = text; *c && *c != 'e'; c++)
        ours += *c >= '0' && *c <= '9' && (ours > 0 || *c != '0');
    for (const char *c = text + strcspn(text, "e"); c > text && strchr(text, '.') == NULL && c[-1] == '0'; c--)
        ours--; /* zeros that only fill up to the point */
    return ours > digits - 1 ? ours - digits + 1 : 0;
}

static void every_double_reads_back_as_the_same_bits(void **state)
{
    (void)state;
    fm_decimal *d = fm_decimal_create();
    uint64_t seed = 88172645463325252ull;
    int longer = 0;
    for (int i = 0; i < 300000; i++) {
        uint64_t bits = next_random(&seed);
        double value;
        if (i % 4 == 0) /* powers of two, where the neighbours are unequally far */
            bits &= 0xfff0000000000000ull;
        if (i % 4 == 1) /* the numbers of a log */
            value = (double)(int64_t)bits * 1e-15;
        else
            memcpy(&value, &bits, 8);
        if (isfinite(value))
            longer += check_real(d, value);
    }
    for (int e = -1074; e < 1024; e++) {
        check_real(d, ldexp(1, e));
        check_real(d, nextafter(ldexp(1, e), 0));
    }
    print_message("%d of 300000 are longer than they need be\n", longer);
    assert_in_range(longer, 0, 300);
    fm_free(d);
}

static void every_float_reads_back_as_the_same_bits(void **state)
{
    (void)state;
    fm_decimal *d = fm_decimal_create();
    uint64_t seed = 88172645463325252ull;
    char text[FM_DECIMAL_SIZE + 1], print[64];
    for (int i = 0; i < 300000; i++) {
        uint32_t bits = (uint32_t)next_random(&seed);
        float value;
        if (i % 4 == 0)
            bits &= 0xff800000u;
        memcpy(&value, &bits, 4);
        if (!isfinite(value))
            continue;
        text[fm_decimal_single(d, value, text)] = 0;
        float back = strtof(text, NULL);
        assert_memory_equal(&back, &value, 4);
        snprintf(print, sizeof print, "%.9g", (double)value);
        assert_at_most(strlen(text), strlen(print) + 9);
    }
    text[fm_decimal_single(d, 0.1f, text)] = 0;
    assert_string_equal(text, "0.1");
    fm_free(d);
}

static void whole_numbers_and_seconds_are_exact(void **state)
{
    (void)state;
    char text[FM_DECIMAL_SIZE + 1];
    text[fm_decimal_int(INT64_MIN, text)] = 0;
    assert_string_equal(text, "-9223372036854775808");
    text[fm_decimal_uint(UINT64_MAX, text)] = 0;
    assert_string_equal(text, "18446744073709551615");
    text[fm_decimal_seconds(12345000000, text)] = 0;
    assert_string_equal(text, "12.345");
    text[fm_decimal_seconds(1, text)] = 0;
    assert_string_equal(text, "0.000000001");
    text[fm_decimal_seconds(3000000000, text)] = 0;
    assert_string_equal(text, "3");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(well_known_numbers_are_short),
        cmocka_unit_test(every_double_reads_back_as_the_same_bits),
        cmocka_unit_test(every_float_reads_back_as_the_same_bits),
        cmocka_unit_test(whole_numbers_and_seconds_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
