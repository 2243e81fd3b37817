/* The comparisons of support/compare.h: what they accept, and what they print when they fail. */
#define print_error captured_print
#define _fail captured_fail
#include "support/near.h"
#undef print_error
#undef _fail

#include <stdbool.h>
#include <string.h>

static char printed[256], failed_file[256];
static int failed_line, failures;

void captured_print(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(printed, sizeof printed, format, arguments);
    va_end(arguments);
}

void captured_fail(const char *file, int line)
{
    snprintf(failed_file, sizeof failed_file, "%s", file);
    failed_line = line;
    failures++;
}

/* Runs a comparison that must fail here with this text. */
#define FAILS(comparison, text)                                                                                        \
    do {                                                                                                               \
        failures = 0;                                                                                                  \
        comparison;                                                                                                    \
        assert_int_not_equal(failures, 0);                                                                             \
        assert_string_equal(printed, "ERROR: " text "\n");                                                             \
        assert_string_equal(failed_file, __FILE__);                                                                    \
        assert_int_equal(failed_line, __LINE__);                                                                       \
    } while (0)

static void a_failed_comparison_prints_both_numbers(void **state)
{
    (void)state;
    const double x = 0.1;
    const size_t n = 3;
    FAILS(assert_less(x, 0.05), "x < 0.05: found 0.10000000000000001, expected < 0.050000000000000003");
    FAILS(assert_less(n, 3), "n < 3: found 3, expected < 3");
    FAILS(assert_at_most(n, 2), "n <= 2: found 3, expected <= 2");
    FAILS(assert_greater(x, x), "x > x: found 0.10000000000000001, expected > 0.10000000000000001");
    FAILS(assert_at_least(-1, 0), "-1 >= 0: found -1, expected >= 0");
    FAILS(assert_same(UINT64_MAX, n), "UINT64_MAX == n: found 18446744073709551615, expected == 3");
    FAILS(assert_different(n, 3), "n != 3: found 3, expected != 3");
    FAILS(assert_between(3, n, 5), "3 < n < 5: found 3, expected > 3");
    FAILS(assert_between(1, n, 3), "1 < n < 3: found 3, expected < 3");
    FAILS(assert_within(4, n, 5), "4 <= n <= 5: found 3, expected >= 4");
    FAILS(assert_near(n, 5, 1), "n: found 3, expected 5 within 1 (off by -2)");
    FAILS(assert_nearer(n, 4, 1), "n: found 3, expected 4 within 1 (off by -1)");
    FAILS(near("speed", x, 0, 0.05), "speed: found 0.10000000000000001, expected 0 within 0.05 (off by 0.1)");
    FAILS(below("speed", 2, 1), "speed: found 2, expected <= 1");
}

static void not_a_number_fails_every_comparison(void **state)
{
    (void)state;
    const double x = NAN;
    FAILS(assert_less(x, 1), "x < 1: found nan, expected < 1");
    FAILS(assert_at_most(1, x), "1 <= x: found 1, expected <= nan");
    FAILS(assert_greater(x, 1), "x > 1: found nan, expected > 1");
    FAILS(assert_at_least(x, x), "x >= x: found nan, expected >= nan");
    FAILS(assert_same(x, x), "x == x: found nan, expected == nan");
    FAILS(assert_different(x, 1), "x != 1: found nan, expected != 1");
    FAILS(assert_between(0, x, 1), "0 < x < 1: found nan, expected < 1");
    FAILS(assert_within(0, x, 1), "0 <= x <= 1: found nan, expected <= 1");
    FAILS(assert_near(x, 1, 1), "x: found nan, expected 1 within 1 (off by nan)");
    FAILS(assert_nearer(1, 1, x), "1: found 1, expected 1 within nan (off by 0)");
    FAILS(below("speed", x, 1), "speed: found nan, expected <= 1");
}

static void operands_of_every_type_are_compared_as_c_compares_them(void **state)
{
    (void)state;
    enum sign { NEGATIVE = -1, ZERO } sign = NEGATIVE;
    const struct {
        unsigned natural : 3;
        int integer : 4;
    } bits = {5, -3};
    const float f = 0.1f;
    const uint8_t byte = 200;
    const bool yes = true;
    const int64_t least = INT64_MIN;
    int calls = 0;
    failures = 0;
    assert_same(sign, -1);
    assert_less(sign, ZERO);
    assert_same(bits.natural, 5);
    assert_within(-3, bits.integer, -3);
    assert_greater(f, 0.1);
    assert_same(f, 0.1f);
    assert_same(byte, 200);
    assert_same(yes, true);
    assert_less(least, -0.5);
    assert_between(0, UINT64_MAX - 1, UINT64_MAX);
    assert_between(0, ++calls, 2);
    assert_near(++calls, 2, 0);
    assert_same(++calls, 3);
    assert_int_equal(failures, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failed_comparison_prints_both_numbers),
        cmocka_unit_test(not_a_number_fails_every_comparison),
        cmocka_unit_test(operands_of_every_type_are_compared_as_c_compares_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
