/* Series and logs of the runs of a sweep, as their user meets them: the same numbers as single runs, in every engine,
 * whole or interrupted. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"
#define SPEEDS "--seed 1 --vary '/phoenix/velocity/x~uniform(1,3) ft/s' "

static program_run r;

static void expect(int status, const char *words)
{
    expect_run(&r, status, words);
}

/* Cell `column` of line `line` of a table, both from 0. */
static double cell(const char *table, int line, int column)
{
    for (; line > 0; line--) {
        table = strchr(table, '\n');
        assert_non_null(table);
        table++;
    }
    for (; column > 0; column--) {
        table += strcspn(table, ",\n");
        assert_int_equal(*table, ',');
        table++;
    }
    return *table == ',' || *table == '\n' ? NAN : atof(table);
}

static int find_column(const char *table, const char *name)
{
    const char *found = strstr(table, name);
    int column = 0;
    if (!found || found > strchr(table, '\n'))
        fail_msg("no column '%s'", name);
    for (const char *c = table; c < found; c++)
        column += *c == ',';
    return column;
}

static void a_series_is_the_course_of_the_run_by_itself(void **unused)
{
    (void)unused;
    static program_run alone;
    run_fathom(&r, "sweep " TURN " --runs 3 --duration 20 " SPEEDS
                   "--metric phoenix.x --series phoenix.x,phoenix.psi --series 'far=hypot(phoenix.x, phoenix.y)' "
                   "--every '0.5 s' --csv - --quiet");
    expect(0, "");
    const int speed = find_column(r.out, "/phoenix/velocity/x [ft/s]"), end = find_column(r.out, "phoenix.x [m]");
    const int x = find_column(r.out, "phoenix.x@0s [m]"), psi = find_column(r.out, "phoenix.psi@0s [rad]");
    const int far = find_column(r.out, "far@0s [m]");
    assert_int_equal(psi - x, 41);
    for (int run = 0; run < 3; run++) {
        run_fathom(&alone,
                   "run " TURN
                   " --duration 20 --csv-rate 2 --csv series_run --quiet --set '/phoenix/velocity/x=%.17g ft/s'",
                   cell(r.out, 1 + run, speed));
        expect_run(&alone, 0, "");
        run_shell(&alone, "cat series_run/phoenix.csv");
        const int own = find_column(alone.out, "x [m]"), yaw = find_column(alone.out, "psi [rad]");
        for (int k = 0; k < 41; k++) {
            assert_same(cell(r.out, 1 + run, x + k), cell(alone.out, 1 + k, own));
            assert_same(cell(r.out, 1 + run, psi + k), cell(alone.out, 1 + k, yaw));
            assert_near(cell(r.out, 1 + run, far + k),
                        hypot(cell(alone.out, 1 + k, own), cell(alone.out, 1 + k, own + 1)), 1e-12);
        }
        assert_same(cell(r.out, 1 + run, x + 40), cell(r.out, 1 + run, end));
    }
}

static void lanes_and_worlds_have_the_same_series(void **unused)
{
    (void)unused;
    static const char *const engines[] = {"worlds", "simd"};
    for (int i = 0; i < 2; i++) {
        run_fathom(&r,
                   "sweep " TURN " --runs 20 --duration 30 " SPEEDS "--vary '/phoenix/mass/weight=430,440 lb' --metric "
                   "phoenix.distance --series phoenix.x,phoenix.u,phoenix.phi --every 0.25 --backend %s "
                   "--csv series_%s.csv",
                   engines[i], engines[i]);
        expect(0, engines[i]);
    }
    run_shell(&r, "cmp series_worlds.csv series_simd.csv && wc -l <series_simd.csv");
    expect(0, "41");
}

static void an_expression_that_looks_back_sees_every_step(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " TURN " --runs 2 --duration 60 " SPEEDS "--metric phoenix.distance "
                   "--series 'phoenix.x,most=max(phoenix.x),way=integral(phoenix.u)' --every 0.05 --csv -");
    expect(0, "run by worlds: series are sampled by worlds");
    const int x = find_column(r.out, "phoenix.x@0s"), most = find_column(r.out, "most@0s");
    const int way = find_column(r.out, "way@0s");
    for (int run = 1; run <= 2; run++) {
        double greatest = 0;
        for (int k = 0; k <= 1200; k++) {
            greatest = fmax(greatest, cell(r.out, run, x + k));
            assert_same(cell(r.out, run, most + k), greatest);
        }
        assert_same(cell(r.out, run, way), 0);
        assert_between(20.0, cell(r.out, run, way + 1200), 50.0);
    }
}

/* A run that its scenario ends after some seconds has no samples from then on. */
static void a_series_ends_with_its_run(void **unused)
{
    (void)unused;
    run_shell(&r, "sed 's|<world |<end when=\"phoenix.x > 2 m\"/>\\n  <world |' " TURN " >series_end.xml");
    expect(0, "");
    run_fathom(&r, "sweep series_end.xml --duration 10 --vary '/phoenix/velocity/x=1,3 ft/s' --metric phoenix.x "
                   "--series phoenix.x --every 1 --csv - --quiet");
    expect(0, "");
    const int x = find_column(r.out, "phoenix.x@0s"), end = find_column(r.out, "phoenix.x [m]");
    for (int run = 1; run <= 2; run++) {
        int k = 0;
        for (; k <= 10 && !isnan(cell(r.out, run, x + k)); k++)
            assert_at_most(cell(r.out, run, x + k), 2.2);
        assert_between(1, k, 10);
        for (; k <= 10; k++)
            assert_true(isnan(cell(r.out, run, x + k)));
        assert_near(cell(r.out, run, end), 2, 0.1);
    }
}

#define LONG                                                                                                           \
    "sweep " TURN " --threads 2 --runs 60 --duration 40 " SPEEDS "--backend worlds --metric phoenix.x "                \
    "--series phoenix.x,phoenix.y --every 0.5 --quiet "

static void netcdf_has_runs_by_time_and_an_interrupted_sweep_ends_alike(void **unused)
{
    (void)unused;
    run_fathom(&r, LONG "-o series_whole.nc");
    expect(0, "");
    run_shell(&r, "ncdump -v time series_whole.nc");
    expect(0, "time = 81 ;");
    expect(0, "double phoenix_x_2(run, time) ;");
    expect(0, "phoenix_x_2:role = \"series\" ;");
    expect(0, "double phoenix_y(run, time) ;");
    expect(0, "phoenix_y:units = \"m\" ;");
    expect(0, "time:units = \"s\" ;");
    expect(0, " time = 0, 0.5, 1, 1.5,");
    /* a journal that the file size limit cuts off after some runs of 1 kB each */
    run_shell(&r, "rm -f series_cut.nc*; ulimit -c 0; ulimit -f 20; " FATHOM_PROGRAM " " LONG "-o series_cut.nc");
    assert_greater(r.status, 128);
    run_fathom(&r, LONG "-o series_cut.nc --resume");
    expect(0, "");
    run_shell(&r,
              "for f in whole cut; do ncdump -p 17 series_$f.nc | grep -v 'history\\|^netcdf' >series_$f.txt; done; "
              "cmp series_whole.txt series_cut.txt");
    expect(0, "");
    run_fathom(&r, LONG "-o series_whole.nc --resume --csv series_again.csv"); /* nothing is left to make */
    expect(0, "");
    run_fathom(&r, LONG "--csv series_once.csv");
    expect(0, "");
    run_shell(&r, "cmp series_again.csv series_once.csv");
    expect(0, "");
    run_fathom(&r, "sweep " TURN " --runs 60 --duration 40 " SPEEDS "--backend worlds --metric phoenix.x "
                   "--series phoenix.x --every 0.5 --quiet -o series_whole.nc --resume");
    expect(1, "holds another sweep");
    run_fathom(&r, "plot series_whole.nc phoenix.x phoenix.y -o series.svg");
    expect(0, "");
    run_fathom(&r, "report series_whole.nc -o series.html");
    expect(0, "");
}

static void series_that_cannot_be_sampled_are_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[][2] = {
        {"--series phoenix.x", "--every"},
        {"--every 1", "--series"},
        {"--series phoenix.x --every 0.07", "must be a whole multiple of the time step, 0.05 s"},
        {"--series phoenix.x --every '1 m'", "--every"},
        {"--series phoenix.xx --every 1", "did you mean"},
        {"--series phoenix.x,phoenix.x --every 1", "are called 'phoenix.x'"},
        {"--series phoenix.x --every 1 --vary '/world/dt=0.05,0.1 s'", "'/world/dt' cannot vary"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_fathom(&r, "sweep " TURN " --runs 2 --duration 5 %s --csv series_wrong.csv", wrong[i][0]);
        assert_different(r.status, 0);
        if (!said(&r, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], r.err);
    }
}

/* The log of a run is that of `fathom run` with the same values, to the last bit of the last sample. */
static void a_run_is_recorded_next_to_the_result(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " TURN " --runs 4 --duration 20 " SPEEDS
                   "--metric phoenix.x --record 2 -o series_log.nc --csv series_log.csv");
    expect(0, "run 2 is recorded in series_log-run-2.mcap");
    run_shell(&r, "cat series_log.csv");
    const double x = cell(r.out, 3, find_column(r.out, "phoenix.x [m]"));
    const double speed = cell(r.out, 3, find_column(r.out, "/phoenix/velocity/x"));
    run_fathom(&r, "replay --verify series_log-run-2.mcap");
    expect(0, "the same");
    run_fathom(&r, "export series_log-run-2.mcap /phoenix/odom --csv series_log");
    expect(0, "");
    run_shell(&r, "tail -n 1 series_log/*odom*");
    assert_same(cell(r.out, 0, 5), x);
    run_fathom(&r,
               "run " TURN " --duration 20 --seed 3 --set '/phoenix/velocity/x=%.17g ft/s' --log series_own.mcap "
               "--quiet",
               speed);
    expect(0, "");
    run_fathom(&r, "compare series_own.mcap series_log-run-2.mcap");
    expect(0, "");
    run_fathom(&r, "sweep " TURN " --runs 4 --record 4 -o series_log.nc");
    expect(1, "--record 4: must be a run from 0 to 3");
    run_fathom(&r, "sweep " TURN " --runs 4 --record 1 --csv -");
    expect(1, "--record needs a file");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_series_is_the_course_of_the_run_by_itself),
        cmocka_unit_test(lanes_and_worlds_have_the_same_series),
        cmocka_unit_test(an_expression_that_looks_back_sees_every_step),
        cmocka_unit_test(a_series_ends_with_its_run),
        cmocka_unit_test(netcdf_has_runs_by_time_and_an_interrupted_sweep_ends_alike),
        cmocka_unit_test(series_that_cannot_be_sampled_are_refused),
        cmocka_unit_test(a_run_is_recorded_next_to_the_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
