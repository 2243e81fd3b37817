#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define PROGRAM "../fathom" /* beside the folder the tests run in */

/* Runs the program; its output and errors go to text, its exit status is returned. */
static int run(const char *arguments, char text[4096])
{
    char line[1024];
    snprintf(line, sizeof line, PROGRAM " %s 2>&1", arguments);
    FILE *pipe = popen(line, "r");
    assert_non_null(pipe);
    size_t n = fread(text, 1, 4095, pipe);
    text[n] = 0;
    return WEXITSTATUS(pclose(pipe));
}

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
    char text[4096];
    assert_int_equal(
        run("water --temperature 39.990402 --conductivity 81.02553717 --pressure 10000 --latitude 30 --json", text), 0);
    assert_true(fabs(json_number(text, "salinity") - 40) < 1e-4);
    assert_true(fabs(json_number(text, "density") - 1059.82037) < 1e-3);
    assert_true(fabs(json_number(text, "chen_millero") - 1731.995) < 1e-3);
    assert_true(fabs(json_number(text, "depth") - 9712.653) < 1e-3);
    assert_int_equal(run("water --salinity 40 --pressure=500 --json", text), 0);
    assert_true(fabs(json_number(text, "freezing_point") * 1.00024 + 2.588567) < 1e-5);
    assert_int_equal(run("water --temperature 24.9940014 --depth 1000 --json", text), 0);
    assert_true(fabs(json_number(text, "mackenzie") - 1550.744) < 1e-3);
    assert_true(fabs(json_number(text, "conductivity") - 53) < 1);
}

static void wrong_usage_exits_with_2_and_names_what_is_accepted(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"water --temprature 3", "did you mean '--temperature'"},
        {"water --salinity 99", "found '99', accepted a number from 0 to 50"},
        {"water --salinity abc", "found 'abc', accepted a number from 0 to 50"},
        {"water --salinity nan", "found 'nan', accepted a number"},
        {"water --salinity 35 --conductivity 40", "not both"},
        {"water --depth 10 --pressure 10", "not both"},
        {"water --depth", "--depth needs a value"},
        {"water --depth 1 --depth 2", "twice"},
        {"water --conductivity 110", "up to 50"},
        {"water extra", "unexpected 'extra'"},
        {"wtaer", "did you mean 'water'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[4096];
        assert_int_equal(run(cases[i][0], text), 2);
        assert_non_null(strstr(text, cases[i][1]));
    }
}

static void help_and_version_succeed(void **state)
{
    (void)state;
    char text[4096];
    assert_int_equal(run("water --help", text), 0);
    assert_non_null(strstr(text, "--conductivity"));
    assert_int_equal(run("--help", text), 0);
    assert_non_null(strstr(text, "water"));
    assert_int_equal(run("--version", text), 0);
    assert_int_equal(run("water", text), 0);
    assert_non_null(strstr(text, "Del Grosso"));
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
