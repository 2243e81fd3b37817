/* `fathom bench`: what it reports, and how it compares itself with an earlier run. */
#include <math.h>
#include <sys/stat.h>

#include "support/files.h"
#include "support/program.h"

#define EARLIER "earlier.json"

static program_run r;

static void run_well(const char *arguments)
{
    if (run_fathom(&r, "%s", arguments) != 0)
        fail_msg("fathom %s: %s", arguments, r.err);
}

static void expect(const char *arguments, int status, const char *words)
{
    run_fathom(&r, "%s", arguments);
    expect_run(&r, status, words);
}

static double number(const char *text, const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(text, quoted);
    if (!at)
        fail_msg("no key %s in: %s", key, text);
    return strtod(at + strlen(quoted), NULL);
}

/* The member of the result of that name. */
static double number_of(const char *name, const char *key)
{
    char quoted[100];
    snprintf(quoted, sizeof quoted, "\"name\": \"%s\"", name);
    const char *at = strstr(r.out, quoted);
    if (!at)
        fail_msg("no result %s in: %s", name, r.out);
    return number(at, key);
}

/* --- results --- */

static void the_bench_reports_speed_ratio_and_bytes(void **unused)
{
    (void)unused;
    run_well("bench --json --seconds 0.01 --only nps-auv-ii/heun/15");
    assert_non_null(strstr(r.out, "\"results\": ["));
    assert_non_null(strstr(r.out, "\"name\": \"nps-auv-ii/heun/15\""));
    assert_greater(number(r.out, "steps_per_s"), 1e3);
    assert_greater(number(r.out, "ratio"), 0.05);
    assert_at_most(number(r.out, "bytes_per_vehicle"), 4096);
}

static void the_bench_lists_its_names(void **unused)
{
    (void)unused;
    run_well("bench --list");
    assert_non_null(strstr(r.out, "  nps-auv-ii/heun/15\n"));
    assert_non_null(strstr(r.out, "  telemetry/size\n"));
    assert_null(strchr(r.out, ','));
    run_well("bench --batch --list"); /* every name has an engine, a precision, a model, an integrator and strips */
    for (const char *at = r.out; *at; at = strchr(at, '\n') + 1) {
        size_t slashes = 0;
        for (const char *c = at; *c != '\n'; c++)
            slashes += *c == '/';
        assert_int_equal(slashes, 5);
    }
    assert_non_null(strstr(r.out, "  batch/simd/double/lauv/heun/0\n"));
    run_well("bench --list --only telemetry/s");
    assert_string_equal(r.out, "  telemetry/size\n");
    expect("bench --only nothing --seconds 0.01", 2, "`fathom bench --list` lists them");
}

/* A fresh process is slower than nothing, and reading 3,000 vehicles is far from 50 us each. */
static void start_up_is_measured_in_fresh_processes(void **unused)
{
    (void)unused;
    run_well("bench --json --seconds 0.01 --only start-up");
    double program = number_of("start-up/program", "value"), survey = number_of("start-up/lauv-survey", "value");
    double solved = number_of("start-up/snookie-hardware/solved", "value");
    double cached = number_of("start-up/snookie-hardware/cached", "value");
    double vehicle = number_of("start-up/3000-vehicles", "value");
    assert_greater(program, 0.1);
    assert_greater(survey, program);
    assert_greater(solved, cached);
    assert_between(0.5, vehicle, 50);
    assert_between(100, number_of("start-up/3000-vehicles", "bytes_per_vehicle"), 10e3);
}

/* --- an earlier run --- */

static void results_are_compared_with_an_earlier_run(void **unused)
{
    (void)unused;
    write_file(EARLIER, "{\"machine\": \"a }, 2 processors\", \"results\": [\n"
                        "  {\"name\": \"start-up/pro\", \"value\": 9},\n"
                        "  {\"name\": \"start-up/program\", \"steps_per_s\": null, \"value\": 1000},\n"
                        "  {\"name\": \"nps-auv-ii/heun/15\",\n    \"steps_per_s\": 1000, \"value\": 5}\n]}\n");
    run_well("bench --json --seconds 0.01 --only nps-auv-ii/heun --against " EARLIER);
    assert_nearer(number_of("nps-auv-ii/heun/15", "against"), number_of("nps-auv-ii/heun/15", "steps_per_s") / 1000,
                  1e-3 * number_of("nps-auv-ii/heun/15", "against"));
    assert_non_null(strstr(strstr(r.out, "nps-auv-ii/heun/112"), "\"against\": null"));
    assert_non_null(strstr(r.err, EARLIER " was measured on another machine"));
    run_well("bench --json --seconds 0.01 --only start-up/program --against " EARLIER);
    assert_nearer(number_of("start-up/program", "against"), 1000 / number_of("start-up/program", "value"),
                  1e-3 * number_of("start-up/program", "against"));
    remove(EARLIER);
}

/* Delays: the ratio is that of their 99 %. */
static void what_bench_writes_can_be_compared_with(void **unused)
{
    (void)unused;
    run_shell(&r, FATHOM_PROGRAM " bench --json --seconds 0.01 --only realtime/telemetry >" EARLIER);
    expect_run(&r, 0, "");
    run_shell(&r, "cat " EARLIER);
    double before = number_of("realtime/telemetry-loop", "p99");
    run_well("bench --json --seconds 0.01 --only realtime/telemetry --against " EARLIER);
    assert_string_equal(r.err, "");
    double ratio = before / number_of("realtime/telemetry-loop", "p99");
    assert_nearer(number_of("realtime/telemetry-loop", "against"), ratio, 0.02 * ratio); /* three digits are printed */
    run_well("bench --seconds 0.01 --only realtime/telemetry --against " EARLIER);
    assert_non_null(strstr(r.out, "real time    against\n"));
    remove(EARLIER);
}

static void a_file_that_is_no_earlier_run_is_refused_before_anything_is_measured(void **unused)
{
    (void)unused;
    expect("bench --against not-there.json", 1, "--against: not-there.json: No such file");
    write_file(EARLIER, "{\"results\": []}");
    expect("bench --against " EARLIER, 1, EARLIER " holds no results: must be what `fathom bench --json` has written");
    write_file(EARLIER, "{\"results\": [{\"name\": \"nps-auv-ii/heun/15\", \"steps_per_s\": 1"); /* cut off */
    run_well("bench --json --seconds 0.01 --only nps-auv-ii/heun/15 --against " EARLIER);
    assert_non_null(strstr(r.out, "\"against\": null"));
    remove(EARLIER);
    mkdir(EARLIER, 0700);
    expect("bench --against " EARLIER, 1, EARLIER);
    rmdir(EARLIER);
    assert_less(r.seconds, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bench_reports_speed_ratio_and_bytes),
        cmocka_unit_test(the_bench_lists_its_names),
        cmocka_unit_test(start_up_is_measured_in_fresh_processes),
        cmocka_unit_test(results_are_compared_with_an_earlier_run),
        cmocka_unit_test(what_bench_writes_can_be_compared_with),
        cmocka_unit_test(a_file_that_is_no_earlier_run_is_refused_before_anything_is_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
