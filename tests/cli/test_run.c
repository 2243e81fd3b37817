/* The program from outside: `fathom run` with its options, what it writes, how it fails. */
#include <math.h>
#include <sys/stat.h>

#include "support/files.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"
#define OUT "run_output"

static program_run r;

static void run_well(const char *arguments)
{
    if (run_fathom(&r, "%s", arguments) != 0)
        fail_msg("fathom %s: %s", arguments, r.err);
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

static void hash_of(const char *text, char hash[17])
{
    const char *at = strstr(text, "\"state_hash\": \"");
    assert_non_null(at);
    snprintf(hash, 17, "%s", at + strlen("\"state_hash\": \""));
}

/* --- summary --- */

static void the_summary_names_duration_steps_hash_and_vehicles(void **unused)
{
    (void)unused;
    run_well("run " TURN " --duration 10 --summary -");
    assert_same(r.out[0], '{');
    assert_same(number(r.out, "duration"), 10);
    assert_same(number(r.out, "steps"), 200);
    assert_greater(number(r.out, "real_time_factor"), 0);
    assert_non_null(strstr(r.out, "\"vehicles\": {"));
    assert_non_null(strstr(r.out, "\"phoenix\": {"));
    static const char *const keys[] = {"x", "y", "z", "phi", "theta",    "psi",       "u",         "v",
                                       "w", "p", "q", "r",   "distance", "max_depth", "max_speed", "peak_pitch"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        assert_true(isfinite(number(r.out, keys[i])));
    assert_non_null(strstr(r.out, "\"battery\": null")); /* never observed */
}

static void the_result_depends_on_neither_threads_nor_pace(void **unused)
{
    (void)unused;
    char first[17], other[17];
    run_well("run " TURN " --duration 5 --summary -");
    hash_of(r.out, first);
    run_well("run " TURN " --duration 5 --threads 3 --fast --summary -");
    hash_of(r.out, other);
    assert_string_equal(first, other);
    run_well("run " TURN " --duration 5 --speed 200 --summary -");
    hash_of(r.out, other);
    assert_string_equal(first, other);
}

static void a_set_parameter_changes_the_run(void **unused)
{
    (void)unused;
    char plain[17], set[17];
    run_well("run " TURN " --duration 5 --summary -");
    hash_of(r.out, plain);
    run_well("run " TURN " --duration 5 --set /phoenix/cross_flow/cdy=0.6 --summary -");
    hash_of(r.out, set);
    assert_string_not_equal(plain, set);
    run_well("run " TURN " --duration 5 --seed 77 --summary " OUT ".json");
    assert_same(r.out[0], 0);
    assert_same(r.err[0], 0);
    char *summary = read_file(OUT ".json", NULL);
    assert_same(number(summary, "steps"), 100);
    free(summary);
}

/* --- CSV --- */

typedef struct table {
    char header[4096];
    int rows;
    double first[13], last[13];
    int exact; /* every number of the last row has the fewest digits that read back to the same bits, or one more */
} table;

/* Digits of a number as text, without leading and trailing zeros. */
static int digits_of(const char *text, const char *end)
{
    int digits = 0, last = 0;
    for (; text < end && *text != 'e'; text++)
        if (*text >= '0' && *text <= '9' && (digits || *text != '0')) {
            digits++;
            last = *text != '0' ? digits : last;
        }
    return last;
}

static int least_digits(double value)
{
    char text[32];
    int digits = 1;
    while (snprintf(text, sizeof text, "%.*g", digits, value) > 0 && strtod(text, NULL) != value)
        digits++;
    return value == 0 ? 0 : digits;
}

static void read_csv(const char *path, table *t)
{
    char line[8192];
    memset(t, 0, sizeof *t);
    FILE *in = fopen(path, "r");
    if (!in)
        fail_msg("%s was not written", path);
    assert_non_null(fgets(t->header, sizeof t->header, in));
    while (fgets(line, sizeof line, in)) {
        char *at = line;
        t->exact = 1;
        for (int i = 0; i < 13; i++) {
            char *end;
            t->last[i] = strtod(at, &end);
            t->exact &= digits_of(at, end) <= least_digits(t->last[i]) + 1; /* ties: see telemetry/decimal.h */
            at = end + 1;
        }
        if (t->rows++ == 0)
            memcpy(t->first, t->last, sizeof t->first);
    }
    fclose(in);
}

static void the_csv_has_its_columns_and_a_row_a_step_from_zero_to_the_end(void **unused)
{
    (void)unused;
    table t;
    run_well("run " TURN " --duration 10 --csv " OUT);
    read_csv(OUT "/phoenix.csv", &t);
    static const char begins[] = "t [s],x [m],y [m],z [m],phi [rad],theta [rad],psi [rad],u [m/s],v [m/s],w [m/s],"
                                 "p [rad/s],q [rad/s],r [rad/s],port-propeller [rpm],starboard-propeller [rpm],";
    assert_int_equal(strncmp(t.header, begins, sizeof begins - 1), 0);
    assert_non_null(strstr(t.header, "bow-rudder [deg]"));
    assert_non_null(strstr(t.header, "bow-rudder.order [deg]"));
    char *whole = read_file(OUT "/phoenix.csv", NULL);
    assert_non_null(strstr(whole, ",700,700,")); /* rpm, as it is ordered in the scenario */
    assert_non_null(strstr(whole, "\n0.05,"));   /* the second row; not 0.050000000000000003 */
    free(whole);
    assert_int_equal(t.rows, 201);
    assert_same(t.first[0], 0);
    assert_same(t.first[1], 0);
    assert_nearer(t.first[7], 2 * 0.3048, 1e-15);
    assert_nearer(t.last[0], 10, 1e-12);
    assert_true(t.exact);
    assert_between(0, t.last[6], 6.284); /* starboard turn; psi in [0, 2π) */
    run_well("run " TURN " --duration 10 --summary -");
    assert_nearer(number(r.out, "x"), t.last[1], 1e-15);
    assert_nearer(number(r.out, "r"), t.last[12], 1e-15);
}

static void the_csv_rate_thins_the_rows_but_keeps_both_ends(void **unused)
{
    (void)unused;
    table t;
    run_well("run " TURN " --duration 10.35 --csv " OUT " --csv-rate 2");
    read_csv(OUT "/phoenix.csv", &t);
    assert_int_equal(t.rows, 22); /* 0, 0.5 … 10, 10.35 */
    assert_same(t.first[0], 0);
    assert_nearer(t.last[0], 10.35, 1e-12);
}

/* --- errors --- */

static void expect(const char *arguments, int status, const char *words)
{
    run_fathom(&r, "%s", arguments);
    expect_run(&r, status, words);
}

static void wrong_usage_exits_with_2(void **unused)
{
    (void)unused;
    expect("run", 2, "which scenario");
    expect("run " TURN " --durration 3", 2, "did you mean '--duration'");
    expect("run " TURN " --duration", 2, "needs a value");
    expect("run " TURN " --duration soon", 2, "'soon' is invalid");
    expect("run " TURN " --threads 0", 2, "must be a whole number from 1");
    expect("run " TURN " --threads 2.5", 2, "'2.5' is invalid: must be a whole number");
    expect("run " TURN " --seed 1.5", 2, "must be a whole number from 0 to 9007199254740992");
    expect("run " TURN " --seed -1", 2, "must be a whole number from 0");
    expect("run " TURN " --fast --speed 2", 2, "not both");
    expect("check " TURN " --set", 2, "--set needs a value");
    expect("fish --table", 2, "--table needs a value");
    expect("fish --skin " OUT ".jpg", 2, ".png");
    expect("fish --mesh " OUT ".stl", 2, ".obj or .gltf");
    expect("fish --tabel x", 2, "did you mean '--table'");
    expect("run " TURN " " TURN, 2, "only one scenario is allowed");
    expect("rum", 2, "did you mean 'run'");
    expect("bench --fast", 2, "--fast");
    expect("bench --only nothing", 2, "nothing");
}

static void what_fails_exits_with_1_and_says_where(void **unused)
{
    (void)unused;
    expect("run no-such-file.xml", 1, "no-such-file.xml");
    expect("run " TURN " --set /phoenix/cross_flow/cdx=1", 1, "cdx");
    write_file(OUT "-bad.xml", "<fathom version='1'>\n<world dt='0.1 s' duration='1 s'/>\n<vehicle name='v' "
                               "modle='nps-auv-ii'/>\n</fathom>\n");
    expect("run " OUT "-bad.xml", 1, OUT "-bad.xml:3:");
    expect("run " OUT "-bad.xml", 1, "did you mean 'model'");
    write_file(OUT "-wild.xml",
               "<fathom version='1'><world dt='0.1 s' duration='90 s'/><vehicle name='wild' integrator='euler' "
               "position='0 0 50 m' "
               "velocity='9 0 0 m/s'>"
               "<mass mass='10 kg' inertia='1 1 1 kg*m2'/><drag X_u_absu='-90 N*s2/m2'/></vehicle></fathom>");
    expect("run " OUT "-wild.xml", 1, "vehicle 'wild': u is");
    expect("run " TURN " --csv /proc/nowhere", 1, "/proc/nowhere");
    run_shell(&r, "rm -rf " OUT "-file");
    write_file(OUT "-file", "");
    expect("run " TURN " --csv " OUT "-file", 1, "--csv " OUT "-file: Not a directory");
    expect("figures phoenix/speed --quiet -o " OUT "-file", 1, OUT "-file: Not a directory");
}

/* Nothing on standard output, one line among the errors. */
static void told_once(void)
{
    assert_int_equal(r.out[0], 0);
    assert_ptr_equal(strchr(r.err, '\n'), r.err + strlen(r.err) - 1);
}

static void a_missing_value_and_a_bad_folder_are_told_once(void **unused)
{
    (void)unused;
    assert_int_equal(run_fathom(&r, "run " TURN " --duration"), 2);
    told_once();
    assert_int_equal(run_fathom(&r, "run " TURN " --csv " OUT "-file"), 1);
    told_once();
}

static void a_full_disk_under_a_csv_ends_the_run(void **unused)
{
    (void)unused;
    mkdir(OUT "-full", 0777);
    unlink(OUT "-full/phoenix.csv");
    assert_int_equal(symlink("/dev/full", OUT "-full/phoenix.csv"), 0);
    expect("run " TURN " --duration 100000 --csv " OUT "-full", 1, "phoenix.csv: No space left on device");
    told_once();
}

/* A limit of the size of files stands for the disk: 64 KiB. */
static void a_csv_that_was_cut_is_removed(void **unused)
{
    (void)unused;
    run_shell(&r, "rm -rf " OUT "-cut; trap '' XFSZ; ulimit -f 128; " FATHOM_PROGRAM " run " TURN
                  " --duration 1000 --csv " OUT "-cut; s=$?; ls " OUT "-cut; exit $s");
    expect_run(&r, 1, "phoenix.csv: File too large");
    assert_non_null(strstr(r.err, "phoenix.csv was incomplete and is removed"));
    assert_string_equal(r.out, "");
}

static void a_full_standard_output_is_a_failure(void **unused)
{
    (void)unused;
    static const char *const commands[] = {"--help",      "water",        "schema",
                                           "check " TURN, "params " TURN, "run " TURN " --duration 1 --summary -"};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        assert_int_equal(run_fathom(&r, "%s >/dev/full", commands[i]), 1);
        assert_true(strstr(r.err, "No space left") || strstr(r.err, "standard output"));
    }
}

static void a_terminated_run_still_tells_its_end(void **unused)
{
    (void)unused;
    run_shell(&r, "timeout 2 " FATHOM_PROGRAM " run " TURN " --speed 1 --summary -");
    assert_between(0, number(r.out, "duration"), 120);
}

static void a_fish_model_takes_settings(void **unused)
{
    (void)unused;
    expect("fish", 0, "at 2.5 Hz");
    expect("fish --set '/fish/swimming/frequency_max=2 Hz'", 0, "at 2 Hz");
    expect("fish --set /fish/wave/c9=1", 1, "/fish/wave/c9");
}

static void help_is_help(void **unused)
{
    (void)unused;
    expect("run --help", 0, "usage: fathom run FILE");
    expect("bench --help", 0, "usage: fathom bench");
    expect("--help", 0, "bench");
}

static void progress_begins_with_sense(void **unused)
{
    (void)unused;
    assert_int_equal(run_shell(&r, "script -qec '" FATHOM_PROGRAM " run " TURN " --speed 4 --duration 4' /dev/null"),
                     0);
    char *first = strstr(r.out, "x real time");
    assert_non_null(first);
    while (first > r.out && first[-1] != '\r' && first[-1] != '\n')
        first--;
    double time = strtod(first, NULL);
    assert_within(0.3, time, 4); /* at least 0.2 s of the clock, four times as fast; printed to 0.1 s */
    assert_null(strstr(r.out, "inf"));
    assert_null(strstr(r.out, "nan"));
}

/* The longest piece between carriage returns, line ends and sequences that clear. */
static size_t longest_line(const char *text)
{
    size_t longest = 0;
    for (size_t length; *text; text += length + (text[length] != 0)) {
        length = strcspn(text, "\r\n\033");
        longest = length > longest ? length : longest;
    }
    return longest;
}

static void progress_stays_on_one_line_of_a_narrow_terminal(void **unused)
{
    (void)unused;
    static const char line[] =
        "script -qec 'stty cols %d; " FATHOM_PROGRAM " run " TURN
        " --speed 4 --duration 4' /dev/null | tr '\\r' '\\n' | grep -a 's of 4 s' | sed 's/\\x1b.*//'";
    assert_int_equal(run_shell(&r, line, 30), 0);
    assert_non_null(strstr(r.out, " s of 4 s"));
    assert_at_most(longest_line(r.out), 29);
    assert_int_equal(run_shell(&r, line, 120), 0);
    assert_non_null(strstr(r.out, " s left")); /* where there is room */
}

/* The estimate counts from where it is first shown: a slow first step does not make it wrong. */
static void the_estimate_of_a_paced_run_is_right_from_the_first(void **unused)
{
    (void)unused;
    assert_int_equal(run_shell(&r, "script -qec '" FATHOM_PROGRAM " run " TURN " --speed 4 --duration 6' /dev/null"),
                     0);
    const char *factor = strstr(r.out, "x real time");
    assert_non_null(factor);
    for (factor -= 2; factor > r.out && factor[-1] != ' '; factor--)
        ;
    assert_between(2, strtod(factor, NULL), 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_summary_names_duration_steps_hash_and_vehicles),
        cmocka_unit_test(the_result_depends_on_neither_threads_nor_pace),
        cmocka_unit_test(a_set_parameter_changes_the_run),
        cmocka_unit_test(the_csv_has_its_columns_and_a_row_a_step_from_zero_to_the_end),
        cmocka_unit_test(the_csv_rate_thins_the_rows_but_keeps_both_ends),
        cmocka_unit_test(wrong_usage_exits_with_2),
        cmocka_unit_test(what_fails_exits_with_1_and_says_where),
        cmocka_unit_test(a_missing_value_and_a_bad_folder_are_told_once),
        cmocka_unit_test(a_full_disk_under_a_csv_ends_the_run),
        cmocka_unit_test(a_csv_that_was_cut_is_removed),
        cmocka_unit_test(a_full_standard_output_is_a_failure),
        cmocka_unit_test(a_terminated_run_still_tells_its_end),
        cmocka_unit_test(a_fish_model_takes_settings),
        cmocka_unit_test(help_is_help),
        cmocka_unit_test(progress_begins_with_sense),
        cmocka_unit_test(progress_stays_on_one_line_of_a_narrow_terminal),
        cmocka_unit_test(the_estimate_of_a_paced_run_is_right_from_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
