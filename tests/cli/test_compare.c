/* `fathom compare` of records, in a fresh process: logs and tables, offsets, maps, figures, and what is refused. */
#include <math.h>
#include <sys/stat.h>

#include "support/near.h"
#include "support/program.h"

static program_run r;

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(name, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* The first number behind a key. */
static double json(const char *key)
{
    char quoted[64];
    snprintf(quoted, sizeof quoted, "\"%s\": ", key);
    const char *at = strstr(r.out, quoted);
    if (!at)
        fail_msg("no %s in %s", quoted, r.out);
    return strtod(at + strlen(quoted), NULL);
}

static long size_of(const char *name)
{
    struct stat found;
    return stat(name, &found) == 0 ? (long)found.st_size : -1;
}

/* A run, its log and its table. */
static int make_run(void **state)
{
    (void)state;
    int status =
        run_fathom(&r, "run ../../../scenarios/phoenix-dive.xml --quiet --fast --duration 40 --log compare.mcap "
                       "--csv compare_csv");
    if (status)
        print_error("%s", r.err);
    return status;
}

#define DOWN "/phoenix/odom.pose.pose.position.down"

static void a_log_and_the_table_of_the_same_run_agree(void **state)
{
    (void)state;
    assert_int_equal(run_fathom(&r, "compare compare.mcap compare_csv/phoenix.csv --json --map " DOWN "=z --map "
                                    "/phoenix/odom.twist.twist.linear.forward=u"),
                     0);
    assert_near(json("rms"), 0, 1e-9);
    assert_at_least(json("samples"), 400);
    assert_non_null(strstr(r.out, "\"unit\": \"m\""));
    assert_non_null(strstr(r.out, "linear.forward"));
}

/* The table 3.7 s late by its clock, in feet, its depth counted from a gauge 0.5 m below the origin. */
static void a_record_with_another_clock_is_aligned_and_scaled(void **state)
{
    (void)state;
    assert_int_equal(
        run_shell(&r, "awk -F, 'NR==1{print \"when,d\";next}{printf \"%%.4f,%%.8f\\n\",$1+3.7,($4+0.5)/0.3048}' "
                      "compare_csv/phoenix.csv > late.csv"),
        0);
    assert_int_equal(run_fathom(&r, "compare compare.mcap late.csv --time-column when --map '" DOWN
                                    "=d*0.3048+-0.5' --align 10 "
                                    "--json -o late.png"),
                     0);
    assert_near(json("offset"), -3.7, 0.05);
    assert_greater(json("alignment_correlation"), 0.999);
    assert_less(json("rms"), 0.01);
    assert_greater(size_of("late.png"), 5000);
    assert_int_equal(run_fathom(&r, "compare compare.mcap late.csv --time-column when --map '" DOWN
                                    "=d*0.3048+-0.5' --offset -3.7 "
                                    "-o late.svg --dark --title Dive"),
                     0);
    assert_non_null(strstr(r.out, "moved by -3.7 s"));
    assert_int_equal(run_shell(&r, "grep -c '<svg' late.svg"), 0);
}

static void errors_are_those_that_were_put_in(void **state)
{
    (void)state;
    write_file("ours.csv", "time [s],x [m],same,word\n0,1,5,a\n1,2,5,b\n2,3,5,c\n3,4,5,d\n");
    write_file("theirs.csv", "t [s],x [cm],same,word\n0,100,5,a\n1,190,5,b\n2,310,5,c\n3,380,5,d\n");
    assert_int_equal(run_fathom(&r, "compare ours.csv theirs.csv --json"), 0);
    assert_near(json("bias"), (0 + 0.1 - 0.1 + 0.2) / 4, 1e-12);
    assert_near(json("rms"), sqrt((0.01 + 0.01 + 0.04) / 4), 1e-12);
    assert_near(json("largest"), 0.2, 1e-12);
    assert_near(json("largest_at"), 3, 0);
    assert_non_null(strstr(r.out, "\"correlation\": null")); /* of what does not change */
    assert_null(strstr(r.out, "word"));
    assert_int_equal(run_fathom(&r, "compare ours.csv theirs.csv --map x=x --from 1 --to 2 --json"), 0);
    assert_int_equal((int)json("samples"), 2);
}

static void what_cannot_be_compared_is_refused_with_its_place(void **state)
{
    (void)state;
    write_file("broken.csv", "time,x\n0,1\n1\n");
    write_file("plain.csv", "time,x,y\n0,1,a\n1,2,b\n");
    static const struct {
        const char *arguments;
        int status;
        const char *says;
    } cases[] = {
        {"plain.csv broken.csv", 1, "broken.csv:3: 1 cells given: must be 2"},
        {"plain.csv nothing.csv", 1, "nothing.csv: "},
        {"plain.csv plain.csv --map x=z", 2, "plain.csv: unknown field or column 'z'"},
        {"plain.csv plain.csv --map y=y", 1, "plain.csv:2: column 'y' is not a number"},
        {"plain.csv plain.csv --map x", 2, "must be OURS=THEIRS"},
        {"plain.csv plain.csv --time-column when", 1, "plain.csv:1: unknown column 'when'"},
        {"plain.csv plain.csv --offset 9", 1, "no time in common"},
        {"plain.csv plain.csv --align 5", 1, "must be at least 3"},
        {"plain.csv plain.csv --align-by x", 2, "--align"},
        {"plain.csv plain.csv --from 5 --to 4", 2, "is before"},
        {"plain.csv plain.csv -o plain.csv", 2, "would overwrite plain.csv"},
        {"compare.mcap plain.csv", 2, "no names in common"},
        {"compare.mcap plain.csv --map /phoenix/odom.depth=x", 2, "fathom info"},
        {"compare.mcap plain.csv /phoenix/odom --map x=x", 2, "no effect together with --map"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_fathom(&r, "compare %s", cases[i].arguments);
        expect_run(&r, cases[i].status, cases[i].says);
    }
    assert_int_equal((int)size_of("plain.csv"), 21);
}

static void a_constant_signal_has_no_offset(void **state)
{
    (void)state;
    FILE *flat = fopen("flat.csv", "w"), *wave = fopen("wave.csv", "w");
    fprintf(flat, "time,x\n");
    fprintf(wave, "time,x\n");
    for (int i = 0; i <= 200; i++) {
        fprintf(flat, "%.1f,%s\n", 0.1 * i, "0.1");
        fprintf(wave, "%.1f,%.6f\n", 0.1 * i, sin(0.05 * i * i / 10));
    }
    fclose(flat);
    fclose(wave);
    run_fathom(&r, "compare flat.csv flat.csv --align 5");
    expect_run(&r, 1, "fathom compare: --align: x is constant (0.1) and agrees equally well at every offset: align by");
    run_fathom(&r, "compare wave.csv flat.csv --align 5");
    expect_run(&r, 1, "x is constant (0.1)");
    assert_null(strstr(r.out, "1.0000"));
    assert_int_equal(run_fathom(&r, "compare wave.csv wave.csv --align 5 --json"), 0);
    assert_near(json("offset"), 0, 0.01);
}

static void a_figure_that_cannot_be_written_leaves_nothing_behind(void **state)
{
    (void)state;
    write_file("plain.csv", "time,x\n0,1\n1,2\n");
    assert_int_equal(run_fathom(&r, "compare plain.csv plain.csv -o nowhere/figure.png"), 1);
    assert_int_equal(run_fathom(&r, "compare plain.csv plain.csv -o figure.txt"), 1);
    assert_less(size_of("figure.txt"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_and_the_table_of_the_same_run_agree),
        cmocka_unit_test(a_record_with_another_clock_is_aligned_and_scaled),
        cmocka_unit_test(errors_are_those_that_were_put_in),
        cmocka_unit_test(what_cannot_be_compared_is_refused_with_its_place),
        cmocka_unit_test(a_constant_signal_has_no_offset),
        cmocka_unit_test(a_figure_that_cannot_be_written_leaves_nothing_behind),
    };
    return cmocka_run_group_tests(tests, make_run, NULL);
}
