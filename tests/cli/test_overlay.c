/* Telemetry of a real vehicle over the model, archived, through the program: what it measures, where it has nothing,
 * what is refused, and that the model does not notice it. The "real vehicle" is a run of the model that was moved by
 * known amounts. */
#include <math.h>
#include <sys/stat.h>

#include "support/near.h"
#include "support/program.h"

#define SCENARIO "../../../scenarios/phoenix-turn.xml"

static program_run r;

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A number of the report of a quantity: {"ours": "…model.north", …, "bias": … } */
static double report(const char *quantity, const char *key)
{
    char name[64];
    snprintf(name, sizeof name, ".%s\", \"theirs\"", quantity);
    const char *at = strstr(r.out, name);
    if (!at)
        fail_msg("no %s in %s", quantity, r.out);
    snprintf(name, sizeof name, "\"%s\": ", key);
    at = strstr(at, name);
    assert_non_null(at);
    return strtod(at + strlen(name), NULL);
}

/* The hash of the state at the end of a recorded run. */
static void hash_of(const char *log, char hash[17])
{
    assert_int_equal(run_fathom(&r, "info %s", log), 0);
    const char *at = strstr(r.out, "state_hash = ");
    assert_non_null(at);
    snprintf(hash, 17, "%.16s", at + 13);
}

/* A run without telemetry, and records of it: 1 m north and 0.5 m west of the model, 0.2 m deeper, its clock 3 s ahead;
 * nothing from 40 to 50 s of the run, and the end at 100 s. */
static int make_records(void **state)
{
    (void)state;
    int status = run_fathom(&r, "run " SCENARIO " --quiet --log overlay_plain.mcap --csv overlay_csv");
    status |= run_shell(
        &r, "awk -F, 'NR == 1 {print \"time [s],north [ft],east [ft],depth [m],heading [deg]\"} NR > 1 && "
            "NR %% 4 == 2 && !($1 > 40 && $1 < 50) && $1 <= 100 {printf \"%%.6f,%%.9f,%%.9f,%%.9f,%%.9f\\n\", "
            "$1 + 3, ($2 + 1) / 0.3048, ($3 - 0.5) / 0.3048, $4 + 0.2, ($7 * 57.29577951308232) %% 360}' "
            "overlay_csv/phoenix.csv > overlay_sea.csv");
    status |=
        run_shell(&r, "awk -F, 'NR > 1 && NR %% 2 == 0 {printf \"t=%%.6f x=%%.9f y=%%.9f z=%%.9f psi=%%.9f u=%%.9f "
                      "delta_rb=0.1 ST1000_range=\\n\", $1, ($2 + 1) / 0.3048, $3 / 0.3048, $4 / 0.3048, $7, "
                      "$8 / 0.3048}' overlay_csv/phoenix.csv > overlay_lines.txt");
    return status;
}

static void a_run_is_the_same_with_telemetry_over_it(void **state)
{
    (void)state;
    char plain[17], laid[17];
    assert_int_equal(run_fathom(&r, "run " SCENARIO
                                    " --quiet --overlay overlay_sea.csv --overlay-offset -3 --log overlay_laid.mcap"),
                     0);
    hash_of("overlay_plain.mcap", plain);
    hash_of("overlay_laid.mcap", laid);
    assert_string_equal(plain, laid);
    assert_int_equal(
        run_fathom(&r, "compare overlay_plain.mcap overlay_laid.mcap /phoenix/odom /phoenix/actuators /tf"), 0);
    assert_int_equal(run_fathom(&r, "replay overlay_laid.mcap --verify"), 0);
    assert_non_null(strstr(r.out, "the same"));
}

static void a_vehicle_that_was_elsewhere_differs_by_as_much(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "compare overlay_laid.mcap --json"), 0);
    assert_near(report("north", "bias"), -1, 0.01);
    assert_near(report("east", "bias"), 0.5, 0.005);
    assert_near(report("depth", "bias"), -0.2, 1e-4);
    assert_near(report("depth", "rms"), 0.2, 1e-4);
    assert_near(report("depth", "largest"), -0.2, 1e-4);
    assert_near(report("heading", "rms"), 0, 1e-3);
    assert_near(report("north", "samples"), 1802, 0); /* 2001 steps to 100 s, less 199 in the gap */
    assert_null(strstr(r.out, "model.roll"));         /* it was not measured */
}

static void the_difference_is_in_the_log_beside_both(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "export overlay_laid.mcap --csv overlay_out /overlay/phoenix/difference "
                                    "/overlay/phoenix/measured"),
                     0);
    assert_int_equal(run_shell(&r,
                               "ls overlay_out; cat overlay_out/*difference*.csv | awk -F, 'NR == 1 {for (i = 1; i <= "
                               "NF; i++) if ($i ~ /^distance/) c = i} NR == 100 {print \"distance\", $c}'"),
                     0);
    const char *at = strstr(r.out, "distance ");
    assert_non_null(at);
    assert_near(strtod(at + 9, NULL), sqrt(1 + 0.25 + 0.04), 0.01);
}

static void in_a_gap_and_after_the_end_nothing_is_measured(void **state)
{
    (void)state;
    assert_int_equal(run_shell(&r,
                               "awk -F, 'NR > 1 && $1 > 40.05 && $1 < 49.95' overlay_out/*measured*.csv | wc -l; awk "
                               "-F, 'NR > 1 {t = $1} END {print t}' overlay_out/*measured*.csv"),
                     0);
    double inside, last;
    assert_int_equal(sscanf(r.out, "%lf %lf", &inside, &last), 2);
    assert_near(inside, 0, 0);
    assert_near(last, 100, 0.051);
    /* A gap that is allowed is crossed along a straight line. */
    assert_int_equal(run_fathom(&r, "run " SCENARIO
                                    " --quiet --overlay overlay_sea.csv --overlay-offset -3 --overlay-gap 20 "
                                    "--log overlay_crossed.mcap"),
                     0);
    assert_int_equal(run_fathom(&r, "compare overlay_crossed.mcap --json"), 0);
    assert_near(report("north", "samples"), 2001, 0);
}

static void the_telemetry_record_of_the_dissertation_is_in_feet(void **state)
{
    (void)state;
    assert_int_equal(
        run_fathom(&r, "run " SCENARIO " --quiet --overlay phoenix=overlay_lines.txt --log overlay_feet.mcap"), 0);
    assert_int_equal(run_fathom(&r, "compare overlay_feet.mcap --json"), 0);
    assert_near(report("north", "bias"), -1, 0.01);
    assert_near(report("east", "rms"), 0, 0.001);
    assert_near(report("depth", "rms"), 0, 0.001);
    assert_near(report("heading", "rms"), 0, 0.001);
    assert_near(report("water-surge", "rms"), 0, 0.002); /* the water is still */
}

static void a_log_is_laid_over_its_own_run_without_a_difference(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --quiet --overlay overlay_plain.mcap --log overlay_own.mcap"), 0);
    assert_int_equal(run_fathom(&r, "compare overlay_own.mcap --json"), 0);
    static const char *const quantities[] = {"north", "east", "depth", "roll",      "pitch",      "heading",
                                             "surge", "sway", "heave", "roll-rate", "pitch-rate", "yaw-rate"};
    for (size_t i = 0; i < sizeof quantities / sizeof *quantities; i++)
        assert_near(report(quantities[i], "rms"), 0, 1e-9);
}

/* The number after a text on standard error. */
static double number_after(const char *text)
{
    const char *at = strstr(r.err, text);
    if (!at)
        fail_msg("no '%s' in %s", text, r.err);
    return strtod(at + strlen(text), NULL);
}

static void the_offset_of_two_clocks_is_found(void **state)
{
    (void)state;
    assert_int_equal(
        run_fathom(&r, "run " SCENARIO " --quiet --overlay overlay_sea.csv --overlay-align 10 --duration 1"), 0);
    assert_near(number_after("times are shifted by "), -3, 0.05);
    assert_int_equal(run_fathom(&r, "compare overlay_plain.mcap overlay_sea.csv --overlay phoenix --align 10 --json"),
                     0);
    const char *at = strstr(r.out, "\"offset\": ");
    assert_non_null(at);
    assert_near(strtod(at + 10, NULL), -3, 0.05);
}

static void columns_of_other_names_are_mapped(void **state)
{
    (void)state;
    write_file("overlay_other.csv", "time,tiefe_cm,kurs [deg]\n0,320,0\n50,320,90\n120,320,180\n");
    assert_int_equal(run_fathom(&r,
                                "run " SCENARIO " --quiet --overlay overlay_other.csv --overlay-gap 100 --overlay-map "
                                "depth=tiefe_cm*0.01 --overlay-map 'heading=kurs' --log overlay_other.mcap"),
                     0);
    assert_true(said(&r, "depth heading"));
    assert_int_equal(run_fathom(&r, "compare overlay_other.mcap --json"), 0);
    assert_near(report("depth", "bias"), -0.19, 0.015); /* the model goes from 3 m to 3.03 m */
    write_file("overlay_trials.csv", "when,trial,depth\n0,1,3.5\n60,1,3.5\n0,2,4\n60,2,4\n");
    assert_int_equal(run_fathom(&r,
                                "compare overlay_plain.mcap overlay_trials.csv --overlay phoenix --time-column when "
                                "--where trial=2 --json"),
                     0);
    const char *at = strstr(r.out, "\"bias\": ");
    assert_non_null(at);
    assert_near(strtod(at + 8, NULL), -0.99, 0.02);
}

/* What a receiver of the model itself says, as a table of latitudes and longitudes, in a run in which it went north. */
static void a_track_in_degrees_lies_over_the_run_that_it_is_of(void **state)
{
    (void)state;
    write_file(
        "overlay_boat.xml",
        "<fathom version='1'><world dt='0.05 s' duration='60 s' latitude='63.44 deg' longitude='10.4 deg'><water "
        "density='1025 kg/m3'/></world><vehicle name='otter' model='otter' position='200 -300 0 m' velocity='1 0 0 "
        "m/s'>"
        "<gps name='fix' period='0.2 s'/></vehicle></fathom>");
    assert_int_equal(run_fathom(&r, "run overlay_boat.xml --quiet --log overlay_boat.mcap"), 0);
    assert_int_equal(run_fathom(&r, "export overlay_boat.mcap --csv overlay_boat /otter/fix"), 0);
    assert_int_equal(run_fathom(&r, "compare overlay_boat.mcap overlay_boat/otter.fix.csv --overlay otter --json"), 0);
    const char *north = strstr(r.out, "\"ours\": \"north\""), *east = strstr(r.out, "\"ours\": \"east\"");
    assert_non_null(north);
    assert_non_null(east);
    assert_near(strtod(strstr(north, "\"rms\": ") + 7, NULL), 0, 0.05); /* a step of 0.05 s at 1 m/s */
    assert_near(strtod(strstr(east, "\"rms\": ") + 7, NULL), 0, 1e-6);
    assert_int_equal(
        run_fathom(&r, "run overlay_boat.xml --quiet --overlay overlay_boat/otter.fix.csv --log overlay_fix.mcap"), 0);
    assert_true(said(&r, "north east"));
    assert_int_equal(run_fathom(&r, "run " SCENARIO " --quiet --overlay overlay_boat/otter.fix.csv"), 1);
    assert_true(said(&r, "more than 1000 km from the origin of the scenario"));
}

/* --- what is refused --- */

static void refuse(const char *arguments, const char *text)
{
    if (run_fathom(&r, "run " SCENARIO " --quiet --duration 1 %s", arguments) != 1 || !said(&r, text))
        fail_msg("%s: exit status %d, %s", r.line, r.status, r.err);
}

static void what_cannot_be_laid_over_the_model_is_refused(void **state)
{
    (void)state;
    refuse("--overlay overlay_none.csv", "overlay_none.csv: cannot open: No such file");
    refuse("--overlay .", "is not a regular file");
    refuse("--overlay ghost=overlay_sea.csv", "no vehicle 'ghost'");
    refuse("--overlay overlay_sea.csv --overlay phoenix=overlay_sea.csv", "one per vehicle");
    refuse("--overlay udp:70000", "must be udp:PORT or udp:ADDR:PORT");
    refuse("--overlay udp:", "must be udp:PORT or udp:ADDR:PORT");
    refuse("--overlay udp:sea:5000", "sea");
    refuse("--overlay overlay_sea.csv --overlay-map speed=depth", "'speed' is not a quantity");
    refuse("--overlay overlay_sea.csv --overlay-map depth=deep", "no column 'deep'");
    write_file("overlay_bad.csv", "time,salinity\n0,35\n");
    refuse("--overlay overlay_bad.csv", "no column of a vehicle's motion");
    write_file("overlay_bad.csv", "time,depth [kg]\n0,35\n");
    refuse("--overlay overlay_bad.csv", "another kind of quantity");
    write_file("overlay_bad.csv", "time,depth\n0,deep\n");
    refuse("--overlay overlay_bad.csv", "overlay_bad.csv:2: column 'depth' is not a number");
    write_file("overlay_bad.csv", "time,depth\n0,1e30\n");
    refuse("--overlay overlay_bad.csv", "out of range");
    write_file("overlay_bad.csv", "");
    refuse("--overlay overlay_bad.csv", "overlay_bad.csv");
    write_file("overlay_bad.txt", "t=0 z=1\nt=1 z=nan\n");
    refuse("--overlay overlay_bad.txt", "overlay_bad.txt:2: the value of 'z' is not a number");
    write_file("overlay_bad.txt", "t=0 z=1\n\nt=0 z=2\n");
    refuse("--overlay overlay_bad.txt", "overlay_bad.txt:3: time 0 s must be after");
    write_file("overlay_bad.txt", "z=1\n");
    refuse("--overlay overlay_bad.txt", "overlay_bad.txt:1: the line has no time");
}

/* Nothing ever writes into it. */
static void a_fifo_is_not_waited_for(void **state)
{
    (void)state;
    unlink("overlay_fifo.csv");
    assert_int_equal(mkfifo("overlay_fifo.csv", 0600), 0);
    assert_int_equal(run_shell(&r, "timeout 60 " FATHOM_PROGRAM " run " SCENARIO " --quiet --overlay overlay_fifo.csv"),
                     1);
    assert_true(said(&r, "is not a regular file; live telemetry comes through udp:PORT"));
    assert_int_equal(run_shell(&r, "timeout 60 " FATHOM_PROGRAM " compare overlay_plain.mcap overlay_fifo.csv"), 1);
    assert_true(said(&r, "is not a regular file"));
    unlink("overlay_fifo.csv");
}

static void a_log_without_telemetry_is_not_compared_alone(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "compare overlay_plain.mcap"), 1);
    assert_true(said(&r, "contains no telemetry of a real vehicle"));
    assert_int_equal(run_fathom(&r, "compare overlay_laid.mcap --overlay ghost"), 1);
    assert_true(said(&r, "contains no telemetry of ghost"));
    assert_int_equal(run_fathom(&r, "compare overlay_sea.csv"), 1);
}

static void the_comparison_is_drawn(void **state)
{
    (void)state;
    struct stat found;
    unlink("overlay.png");
    assert_int_equal(run_fathom(&r, "compare overlay_laid.mcap -o overlay.png"), 0);
    assert_int_equal(stat("overlay.png", &found), 0);
    assert_greater(found.st_size, 20000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_is_the_same_with_telemetry_over_it),
        cmocka_unit_test(a_vehicle_that_was_elsewhere_differs_by_as_much),
        cmocka_unit_test(the_difference_is_in_the_log_beside_both),
        cmocka_unit_test(in_a_gap_and_after_the_end_nothing_is_measured),
        cmocka_unit_test(the_telemetry_record_of_the_dissertation_is_in_feet),
        cmocka_unit_test(a_log_is_laid_over_its_own_run_without_a_difference),
        cmocka_unit_test(the_offset_of_two_clocks_is_found),
        cmocka_unit_test(columns_of_other_names_are_mapped),
        cmocka_unit_test(a_track_in_degrees_lies_over_the_run_that_it_is_of),
        cmocka_unit_test(what_cannot_be_laid_over_the_model_is_refused),
        cmocka_unit_test(a_fifo_is_not_waited_for),
        cmocka_unit_test(a_log_without_telemetry_is_not_compared_alone),
        cmocka_unit_test(the_comparison_is_drawn),
    };
    return cmocka_run_group_tests_name("overlay", tests, make_records, NULL);
}
