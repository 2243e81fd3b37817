#include "support/program.h"

#include <math.h>

static program_run r;

static double json_number(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    assert_non_null(at);
    return strtod(at + strlen(quoted), NULL);
}

static void the_command_prints_the_unesco_check_values(void **state)
{
    (void)state;
    assert_int_equal(
        run_fathom(&r,
                   "water --temperature 39.990402 --conductivity 81.02553717 --pressure 10000 --latitude 30 --json"),
        0);
    assert_nearer(json_number(r.out, "salinity"), 40, 1e-4);
    assert_nearer(json_number(r.out, "density"), 1059.82037, 1e-3);
    assert_nearer(json_number(r.out, "chen_millero"), 1731.995, 1e-3);
    assert_nearer(json_number(r.out, "depth"), 9712.653, 1e-3);
    assert_int_equal(run_fathom(&r, "water --salinity 40 --pressure=500 --json"), 0);
    assert_nearer(json_number(r.out, "freezing_point") * 1.00024, -2.588567, 1e-5);
    assert_int_equal(run_fathom(&r, "water --temperature 24.9940014 --depth 1000 --json"), 0);
    assert_nearer(json_number(r.out, "mackenzie"), 1550.744, 1e-3);
    assert_nearer(json_number(r.out, "conductivity"), 53, 1);
}

static void wrong_usage_exits_with_2_and_names_what_is_accepted(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"water --temprature 3", "did you mean '--temperature'"},
        {"water --salinity 99", "'99' is invalid: must be a number from 0 to 50"},
        {"water --salinity abc", "'abc' is invalid: must be a number from 0 to 50"},
        {"water --salinity nan", "'nan' is invalid: must be a number"},
        {"water --salinity 35 --conductivity 40", "not both"},
        {"water --depth 10 --pressure 10", "not both"},
        {"water --depth", "--depth needs a value"},
        {"water --depth 1 --depth 2", "twice"},
        {"water --conductivity 110", "must be at most 50"},
        {"water extra", "unexpected 'extra'"},
        {"wtaer", "did you mean 'water'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        run_fathom(&r, "%s", cases[i][0]);
        expect_run(&r, 2, cases[i][1]);
    }
}

static void help_and_version_succeed(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "water --help"), 0);
    assert_non_null(strstr(r.out, "--conductivity"));
    assert_int_equal(run_fathom(&r, "--help"), 0);
    assert_non_null(strstr(r.out, "water"));
    assert_int_equal(run_fathom(&r, "--version"), 0);
    assert_int_equal(run_fathom(&r, "water"), 0);
    assert_non_null(strstr(r.out, "Del Grosso"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_command_prints_the_unesco_check_values),
        cmocka_unit_test(wrong_usage_exits_with_2_and_names_what_is_accepted),
        cmocka_unit_test(help_and_version_succeed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
