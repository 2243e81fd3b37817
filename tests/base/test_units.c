#include "support/cmocka_all.h"

#include <stddef.h>

#include "base/text.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

static double quantity(const char *text, const char *unit)
{
    double value = NAN;
    fm_amount found;
    fm_error error = {0};
    if (fm_amount_parse(text, unit, &value, 1, &found, &error) != FM_OK)
        fail_msg("'%s' in %s: %s", text, unit, error.text);
    assert_int_equal(found.count, 1);
    return value;
}

static fm_status refusal(const char *text, const char *unit, fm_error *error)
{
    double value[8];
    fm_amount found;
    return fm_amount_parse(text, unit, value, 8, &found, error);
}

#define NEAR(a, b) assert_near(a, b, 4e-16 * fabs(b))
#define CLOSE(a, b, tolerance) assert_near(a, b, tolerance)

/* Factors from NIST SP 811, appendix B. */
static void units_have_their_published_values(void **state)
{
    (void)state;
    const struct {
        const char *from, *to;
        double factor, tolerance;
    } known[] = {
        {"ft", "m", 0.3048, 0},
        {"in", "mm", 25.4, 1e-15},
        {"yd", "m", 0.9144, 0},
        {"nmi", "m", 1852, 0},
        {"fathom", "ft", 6, 1e-15},
        {"lbm", "kg", 0.45359237, 0},
        {"slug", "kg", 14.59390, 1e-6},
        {"lbf", "N", 4.448222, 1e-6},
        {"lb", "lbf", 1, 0},
        {"kgf", "N", 9.80665, 0},
        {"knot", "m/s", 0.5144444, 1e-6},
        {"kn", "km/h", 1.852, 1e-15},
        {"psi", "kPa", 6.894757, 1e-6},
        {"bar", "Pa", 1e5, 0},
        {"dbar", "kPa", 10, 0},
        {"mbar", "hPa", 1, 0},
        {"atm", "mbar", 1013.25, 1e-15},
        {"hp", "W", 745.6999, 1e-7},
        {"kWh", "MJ", 3.6, 1e-15},
        {"Ah", "C", 3600, 0},
        {"gauss", "uT", 100, 1e-15},
        {"L", "m3", 1e-3, 0},
        {"mS/cm", "S/m", 0.1, 1e-15},
        {"rev", "rad", 2 * PI, 0},
        {"rpm", "deg/s", 6, 1e-15},
        {"slug*ft2", "kg*m2", 1.355818, 1e-6},
        {"lb/V2", "N/V2", 4.448222, 1e-6},
        {"kohm", "V/A", 1000, 0},
        {"W", "V*A", 1, 0},
        {"J", "W*s", 1, 0},
        {"T", "kg/(A*s2)", 1, 0},
        {"N/(m/s)2", "N*s2/m2", 1, 0},
        {"day", "h", 24, 0},
        {"%", "", 0.01, 0},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        fm_unit from, to;
        fm_error error = {0};
        if (fm_unit_parse(known[i].from, &from, &error) != FM_OK || fm_unit_parse(known[i].to, &to, &error) != FM_OK)
            fail_msg("%s: %s", known[i].from, error.text);
        assert_true(fm_unit_compatible(&from, &to));
        const double factor = fm_unit_convert(1, &from, &to);
        if (fabs(factor - known[i].factor) > known[i].tolerance * known[i].factor)
            fail_msg("%s is %.17g %s, expected %.17g", known[i].from, factor, known[i].to, known[i].factor);
    }
}

static void a_product_can_be_written_with_star_dot_or_space(void **state)
{
    (void)state;
    double inertia = 2.7 * 4.4482216152605 / 0.3048 * 0.3048 * 0.3048;
    CLOSE(quantity("2.7 slug*ft2", "kg*m2"), inertia, 1e-14);
    CLOSE(quantity("2.7 slug.ft2", "kg*m2"), inertia, 1e-14);
    CLOSE(quantity("2.7 slug ft2", "kg*m2"), inertia, 1e-14);
    CLOSE(quantity("2.7 slug*ft^2", "kg*m2"), inertia, 1e-14);
    NEAR(quantity("5 1/s", "Hz"), 5.0);
    NEAR(quantity("5 s-1", "1/s"), 5.0);
    NEAR(quantity("1e-3 W/K", "W/K"), 1e-3);
    NEAR(quantity("6 N/m*s", "N*s/m"), 6.0); /* from left to right */
    NEAR(quantity("6 N/m/s", "N/(m*s)"), 6.0);
}

static void decimal_parts_are_correctly_rounded(void **state)
{
    (void)state;
    assert_same(quantity("35 ms", "s"), 0.035);
    assert_same(quantity("10 ms", "s"), quantity("0.01 s", "s"));
    assert_same(quantity("17 mm", "m"), 0.017);
    assert_same(quantity("7.302 ft", "m"), 7.302 * 0.3048);
    assert_same(quantity("18 degC", "degC"), 18);
    assert_same(quantity("180 deg", "rad"), PI);
}

static void a_temperature_has_an_offset_only_where_it_stands_alone(void **state)
{
    (void)state;
    CLOSE(quantity("18 degC", "K"), 291.15, 1e-12);
    CLOSE(quantity("32 degF", "degC"), 0, 1e-12);
    CLOSE(quantity("212 degF", "degC"), 100, 1e-12);
    NEAR(quantity("3 W/degC", "W/K"), 3.0);
}

static void one_unit_stands_behind_several_numbers(void **state)
{
    (void)state;
    double values[3] = {0};
    fm_amount found;
    assert_int_equal(fm_amount_parse(" 0 -2  10 ft ", "m", values, 3, &found, NULL), FM_OK);
    assert_int_equal(found.count, 3);
    assert_same(values[0], 0);
    assert_same(values[1], -2 * 0.3048);
    assert_same(values[2], 10 * 0.3048);
    assert_int_equal(fm_amount_parse("1 2 3 4 m", "m", values, 3, &found, NULL), FM_OK);
    assert_int_equal(found.count, 4);
}

static void an_angular_rate_is_no_frequency(void **state)
{
    (void)state;
    fm_error error = {0};
    NEAR(quantity("700 rpm", "rad/s"), 700 * 2 * PI / 60);
    NEAR(quantity("30 deg/s", "rad/s"), PI / 6);
    assert_int_equal(refusal("3 Hz", "rad/s", &error), FM_ERR_UNIT);
    assert_int_equal(refusal("3 rad/s", "Hz", &error), FM_ERR_UNIT);
    assert_int_equal(refusal("3 dB", "", &error), FM_ERR_UNIT);
}

static void the_refusal_says_what_was_found_and_what_is_expected(void **state)
{
    (void)state;
    fm_error error = {0};
    assert_int_equal(refusal("45 m", "rad", &error), FM_ERR_UNIT);
    assert_string_equal(error.text, "'45 m' is invalid: must be an angle in rad, e.g. '45 deg'");
    assert_int_equal(refusal("0", "m", &error), FM_ERR_UNIT);
    assert_string_equal(error.text, "'0' without a unit is invalid: must be a length in m, e.g. '0 m'");
    assert_int_equal(refusal("3 m", "", &error), FM_ERR_UNIT);
    assert_string_equal(error.text, "'3 m' is invalid: must be a number without unit, e.g. '3'");
    assert_int_equal(refusal("3 metre", "m", &error), FM_ERR_UNIT);
    assert_int_equal(refusal("3 kmh", "m/s", &error), FM_ERR_UNIT);
    assert_string_equal(error.text, "unknown unit 'kmh': must be a speed in m/s, e.g. '3 m/s'");
}

static void a_unit_may_stand_right_behind_its_number(void **state)
{
    (void)state;
    assert_same(quantity("20deg", "deg"), 20);
    assert_same(quantity("1e3m", "m"), 1000);
    assert_same(quantity("3.5m/s", "m/s"), 3.5);
    assert_same(quantity("7(m/s)", "m/s"), 7);
    double values[3];
    fm_amount found;
    assert_int_equal(fm_amount_parse("0 1 2e1m", "m", values, 3, &found, NULL), FM_OK);
    assert_same(found.count, 3);
    assert_same(values[2], 20);
}

static void expect_refusal(const char *text, const char *unit, const char *words, const char *not_these)
{
    fm_error error = {0};
    assert_different(refusal(text, unit, &error), FM_OK);
    if (!strstr(error.text, words) || (not_these && strstr(error.text, not_these)))
        fail_msg("'%s': %s", text, error.text);
}

static void a_decimal_comma_is_explained(void **state)
{
    (void)state;
    expect_refusal("1,5 m", "m", "'1,5' is invalid: use a decimal point ('1.5', not '1,5')", NULL);
    expect_refusal("0,0,10 m", "m", "spaces between numbers", NULL);
}

static void a_suggested_unit_has_the_dimension_that_is_wanted(void **state)
{
    (void)state;
    expect_refusal("5 ma", "m", "unknown unit 'ma': must be a length in m, e.g. '5 m'; did you mean 'm' or 'mm'?",
                   "'mA'");
    expect_refusal("5 ma", "A", "did you mean 'mA'", "'mm'");
    expect_refusal("5 metres", "m", "unknown unit 'metres': must be a length in m, e.g. '5 m'", "did you mean");
    expect_refusal("5 m/sec", "m/s", "unknown unit 'sec'", NULL);
}

static void what_is_no_finite_decimal_number_is_refused(void **state)
{
    (void)state;
    const char *bad[] = {"nan m",   "inf m",         "-inf m",   "0x10 m",
                         "1e999 m", "1e-999 m",      "m",        "",
                         "1,5 m",   "45deg",         "1..2 m",   "- m",
                         "1e m",    "1e308 km",      "3 m m m/", "3 (m",
                         "3 m)",    "3 m2147483647", "3 m^",     "3 ((((((((((m))))))))))",
                         "3 1",     "5 m 3",         "--3 m"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        fm_error error = {0};
        if (refusal(bad[i], "m", &error) == FM_OK)
            fail_msg("'%s' was accepted", bad[i]);
        assert_greater(strlen(error.text), 10);
    }
    assert_int_equal(refusal("3 m9*m9*m9*m9*m9", "m", NULL), FM_ERR_UNIT);
}

static void a_number_is_written_so_that_it_reads_back(void **state)
{
    (void)state;
    const double numbers[] = {0.1, 1.0 / 3, 1e-300, 123456789.125, -7.302 * 0.3048, 5e-324, 1.7976931348623157e308};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        char buffer[40];
        double back = 0;
        const char *cursor = fm_text_number_write(buffer, sizeof buffer, numbers[i]);
        assert_true(fm_text_number_read(&cursor, &back));
        assert_same(back, numbers[i]);
        assert_same(*cursor, 0);
    }
    char buffer[40];
    assert_string_equal(fm_text_number_write(buffer, sizeof buffer, 0.1), "0.1");
}

static void every_named_unit_is_found_again(void **state)
{
    (void)state;
    fm_unit unit, again;
    const char *name;
    for (size_t i = 0; (name = fm_unit_name(i, &unit)); i++) {
        assert_int_equal(fm_unit_parse(name, &again, NULL), FM_OK);
        assert_same(unit.num, again.num);
        assert_same(unit.den, again.den);
        assert_true(fm_unit_compatible(&unit, &again));
    }
}

/* What is written reads back as the same unit, with a factor of 1. */
static void si_units_are_written_in_base_units(void **state)
{
    (void)state;
    const struct {
        const char *unit, *written;
    } cases[] = {{"deg", "rad"},     {"degC", "K"},         {"Ah", "s*A"},  {"knot", "m/s"},
                 {"hp", "kg*m2/s3"}, {"V", "kg*m2/(s3*A)"}, {"kHz", "1/s"}, {"", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fm_unit unit, again;
        fm_error error = {0};
        char text[32];
        assert_int_equal(fm_unit_parse(cases[i].unit, &unit, &error), FM_OK);
        fm_unit_write(&unit, text, sizeof text);
        assert_string_equal(text, cases[i].written);
        assert_int_equal(fm_unit_parse(text, &again, &error), FM_OK);
        assert_true(fm_unit_compatible(&unit, &again));
        assert_same(again.num, 1);
        assert_same(again.den, 1);
        assert_same(again.offset, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units_have_their_published_values),
        cmocka_unit_test(si_units_are_written_in_base_units),
        cmocka_unit_test(a_product_can_be_written_with_star_dot_or_space),
        cmocka_unit_test(decimal_parts_are_correctly_rounded),
        cmocka_unit_test(a_temperature_has_an_offset_only_where_it_stands_alone),
        cmocka_unit_test(one_unit_stands_behind_several_numbers),
        cmocka_unit_test(an_angular_rate_is_no_frequency),
        cmocka_unit_test(the_refusal_says_what_was_found_and_what_is_expected),
        cmocka_unit_test(a_unit_may_stand_right_behind_its_number),
        cmocka_unit_test(a_decimal_comma_is_explained),
        cmocka_unit_test(a_suggested_unit_has_the_dimension_that_is_wanted),
        cmocka_unit_test(what_is_no_finite_decimal_number_is_refused),
        cmocka_unit_test(a_number_is_written_so_that_it_reads_back),
        cmocka_unit_test(every_named_unit_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
