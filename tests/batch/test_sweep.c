/* `fathom sweep` as its user meets it: the same numbers as single runs, whatever the threads; cut off and gone on with.
 */
#include "support/files.h"
#include "support/program.h"

#define WALL FATHOM_SOURCE_DIR "/scenarios/snookie-wall.xml"
#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"

static program_run r;

static void expect(int status, const char *words)
{
    expect_run(&r, status, words);
}

static void a_run_of_a_sweep_is_the_run_by_itself(void **unused)
{
    (void)unused;
    run_fathom(&r, "run " WALL " --duration 5 --seed 9 --set '/snookie/approach/angle=60 deg' --set "
                   "'/snookie/lateral_line/noise=0.1 mV' --summary - --quiet");
    expect(0, "\"distance\": ");
    double alone = atof(strstr(r.out, "\"distance\": ") + 12);
    run_fathom(&r, "sweep " WALL " --duration 5 --seed 7 --runs 3 --vary '/snookie/approach/angle=30,60 deg' --set "
                   "'/snookie/lateral_line/noise=0.1 mV' --metric snookie.distance --csv - --quiet");
    expect(0, "run,seed,outcome,/snookie/approach/angle [deg],snookie.distance [m]\n");
    const char *row = strstr(r.out, "\n5,9,finished,60,");
    assert_non_null(row);
    assert_same(atof(row + strlen("\n5,9,finished,60,")), alone);
}

#define SWEEP                                                                                                          \
    "sweep " TURN " --duration 20 --design latin --runs 40 --vary '/phoenix/velocity/x~uniform(1,3) ft/s' --vary "     \
    "/phoenix/integrator=heun,rk4 "

static void threads_do_not_change_a_sweep(void **unused)
{
    (void)unused;
    run_fathom(&r, SWEEP "--threads 1 --csv sweep_1.csv --quiet");
    expect(0, "");
    run_fathom(&r, SWEEP "--threads 7 --csv sweep_7.csv --quiet");
    expect(0, "");
    run_shell(&r, "cmp sweep_1.csv sweep_7.csv && wc -l <sweep_1.csv");
    expect(0, "41");
}

static void netcdf_holds_every_input_beside_every_output(void **unused)
{
    (void)unused;
    run_fathom(&r,
               "sweep " TURN " --duration 5 --vary '/phoenix/velocity/x=1,2 ft/s' --vary /phoenix/integrator=heun,rk4 "
               "--metric phoenix.distance --metric phoenix.psi -o sweep.nc --quiet");
    expect(0, "");
    run_shell(&r, "ncdump sweep.nc");
    expect(0, "phoenix_velocity_x = 1, 1, 2, 2 ;");
    expect(0, "phoenix_velocity_x:units = \"ft/s\"");
    expect(0, "phoenix_integrator = 0, 1, 0, 1 ;");
    expect(0, "phoenix_integrator:flag_meanings = \"heun rk4\"");
    expect(0, "phoenix_distance:units = \"m\"");
    expect(0, "phoenix_psi:units = \"rad\"");
    expect(0, "outcome = 1, 1, 1, 1 ;");
    expect(0, ":Conventions = \"CF-1.10\"");
    assert_int_equal(size_of("sweep.nc.journal"), -1);
}

/* UDUNITS' lb is a mass and its nmi a tiny length: ours are named as it names them. */
static void units_in_netcdf_mean_what_udunits_means(void **unused)
{
    (void)unused;
    run_fathom(
        &r, "sweep " TURN " --duration 0.1 --vary '/phoenix/mass/weight=430,440 lb' --vary "
            "'/phoenix/position/x=0.1 nmi' --vary '/phoenix/rates/z=1 deg/s' --metric phoenix.z -o units.nc --quiet");
    expect(0, "");
    run_shell(&r, "ncdump -h units.nc");
    expect(0, "phoenix_mass_weight:units = \"lbf\"");
    expect(0, "phoenix_mass_weight:unit_as_written = \"lb\"");
    expect(0, "phoenix_position_x:units = \"nautical_mile\"");
    expect(0, "phoenix_position_x:long_name = \"north, east, depth: x\"");
    expect(0, "phoenix_rates_z:units = \"degree/s\"");
    expect(0, "phoenix_z:long_name = \"z at the end of the run\"");
    expect(0, "phoenix_z:coordinates = \"phoenix_mass_weight phoenix_position_x phoenix_rates_z seed\"");
}

static void a_full_disk_is_told_and_no_run_is_lost(void **unused)
{
    (void)unused;
    static const char line[] = "sweep " TURN " --duration 0.1 --runs 300 --metric phoenix.z -o full.nc --quiet";
    run_shell(&r, "rm -f full.nc*; ln -s /dev/full full.nc");
    run_fathom(&r, "%s", line);
    expect(1, "/dev/full: No space left on device");
    expect(1, "the runs are kept in full.nc.journal; --resume writes them");
    run_shell(&r, "rm full.nc");
    run_fathom(&r, "%s --csv full.csv --resume", line);
    expect(0, "");
    run_shell(&r, "grep -c finished full.csv; ncdump -h full.nc; test ! -e full.nc.journal");
    expect(0, "300\nnetcdf full {");
}

static void what_cannot_be_written_is_told_before_the_runs(void **unused)
{
    (void)unused;
    run_shell(&r, "mkdir -p folder.nc && rm -f pair.nc*");
    run_fathom(&r, "sweep " TURN " --runs 2 -o folder.nc");
    expect(1, "folder.nc: Is a directory\n");
    assert_null(strstr(r.err, "of them now"));
    run_fathom(&r, "sweep " TURN " --runs 2 --csv nowhere/a.csv");
    expect(1, "--csv nowhere/a.csv: No such file or directory\n");
    run_fathom(&r, "sweep " TURN " --runs 2 -o a.csv");
    expect(2, "must be names that end in .nc");
    run_fathom(&r, "sweep " TURN " --runs 2 -o pair.nc --csv ./pair.nc");
    expect(2, "name the same file");
    run_fathom(&r, "sweep " TURN " --runs 2 -o pair.nc --csv pair.nc.journal");
    expect(2, "name the same file");
}

static void options_that_would_do_nothing_are_refused(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " TURN " --vary '/phoenix/velocity/x=1,2 m/s' --set '/phoenix/velocity/x=3 m/s' --csv -");
    expect(2, "--set /phoenix/velocity/x has no effect");
    run_fathom(&r, "sweep " TURN " --vary '/world/duration=1,2 s' --duration 1 --csv -");
    expect(2, "--vary /world/duration has no effect");
    run_fathom(&r, "sweep " TURN " --vary /world/seed=1,2 --runs 2 --csv -");
    expect(2, "--runs has no effect");
    run_fathom(&r, "sweep " TURN " --runs 2 --duration 1 --metric phoenix.z --csv fresh.csv --resume");
    expect(0, "fresh.csv contains no finished runs");
    expect(0, "the 2 runs of each combination have the same results");
    run_fathom(&r, "sweep " WALL " --runs 2 --duration 1 --set '/snookie/lateral_line/noise=1 mV' --metric "
                   "'snookie.min*' --metric snookie.u --csv -");
    assert_null(strstr(r.err, "have the same results"));
}

/* Starts a sweep and sends it a signal once some runs are in its journal; again where it was done by then. */
static void strike(const char *line, const char *sign)
{
    for (int i = 0; i < 10 && (i == 0 || r.status == 0); i++)
        run_shell(&r,
                  "rm -f cut.nc cut.nc.journal; env --default-signal=INT " FATHOM_PROGRAM " %s -o cut.nc & pid=$!; "
                  "until [ $(stat -c %%s cut.nc.journal 2>/dev/null || echo 0) -gt 200 ] || [ -e cut.nc ]; do :; done; "
                  "kill -%s $pid; wait $pid",
                  line, sign);
}

#define LONG                                                                                                           \
    "sweep " WALL " --backend worlds --threads 2 --duration 0.5 --vary '/snookie/approach/angle=10:80:1 deg' "         \
    "--metric snookie.distance --quiet "

static void after_an_interrupt_a_sweep_goes_on_to_the_same_end(void **unused)
{
    (void)unused;
    run_fathom(&r, LONG "--csv whole.csv");
    expect(0, "");
    strike(LONG, "INT");
    expect(130, "--resume continues");
    assert_int_equal(size_of("cut.nc.journal"), -1);
    run_shell(&r, "ncdump -v outcome cut.nc"); /* a valid file, in part */
    expect(0, "outcome = 1");
    run_fathom(&r, LONG "--metric snookie.x -o cut.nc --resume");
    expect(1, "holds another sweep");
    run_fathom(&r, LONG "-o cut.nc --csv cut.csv --resume");
    expect(0, "");
    run_shell(&r, "cmp whole.csv cut.csv");
    expect(0, "");
}

/* Runs in lanes end by blocks of 16: an interrupt keeps the blocks that have ended. */
#define LANES                                                                                                          \
    "sweep " WALL " --backend simd --threads 1 --duration 40 --runs 96 --set '/snookie/lateral_line/noise=0.1 mV' "    \
    "--metric snookie.distance --quiet "

static void an_interrupt_keeps_what_lanes_have_finished(void **unused)
{
    (void)unused;
    strike(LANES, "INT");
    expect(130, "--resume continues");
    run_shell(&r, "ncdump -v outcome cut.nc | sed -n '/outcome = /,$p' | tr -d '\n' | grep -o '[12]' | wc -l");
    const int kept = atoi(r.out);
    assert_between(0, kept, 96);
    assert_int_equal(kept % 16, 0);
    run_fathom(&r, LANES "-o cut.nc --csv cut.csv --resume");
    expect(0, "");
    run_fathom(&r, LANES "--csv lanes.csv");
    run_shell(&r, "cmp lanes.csv cut.csv");
    expect(0, "");
}

static void after_a_crash_a_sweep_goes_on_to_the_same_end(void **unused)
{
    (void)unused;
    run_shell(&r, "rm -f cut.nc cut.nc.journal; ulimit -c 0; ulimit -f 1; " FATHOM_PROGRAM " " LONG "-o cut.nc");
    assert_greater(r.status, 128); /* killed when the journal had 512 bytes */
    assert_int_equal(size_of("cut.nc"), -1);
    run_fathom(&r, LONG "-o cut.nc");
    expect(1, "a sweep was cut off. --resume goes on with it");
    run_shell(&r, "head -c -5 cut.nc.journal >torn && cat torn >cut.nc.journal"); /* within a record */
    assert_greater(size_of("cut.nc.journal"), 400);
    run_fathom(&r, LONG "-o cut.nc --csv cut.csv --resume");
    expect(0, "");
    run_shell(&r, "cmp whole.csv cut.csv && ! test -e cut.nc.journal");
    expect(0, "");
}

static void after_kill_9_a_sweep_goes_on_to_the_same_end(void **unused)
{
    (void)unused;
    strike(LONG, "KILL");
    assert_int_equal(r.status, 137);
    assert_int_equal(size_of("cut.nc"), -1);
    run_fathom(&r, LONG "-o cut.nc --csv cut.csv --resume");
    expect(0, "");
    run_shell(&r, "cmp whole.csv cut.csv && ! test -e cut.nc.journal && ncdump cut.nc >cut.txt");
    expect(0, "");
    run_fathom(&r, LONG "-o whole.nc");
    run_shell(&r, "ncdump whole.nc | sed s/whole/cut/ | grep -v ':history = ' >whole.txt; " /* but for the command */
                  "grep -v ':history = ' cut.txt | cmp - whole.txt");
    expect(0, "");
}

/* A journal made with one thruster table is not continued with another, nor by the same name in another folder. */
static void a_sweep_made_with_another_data_file_is_refused(void **unused)
{
    (void)unused;
    run_shell(&r,
              "mkdir -p sweep_data && cp %s/models/t200.csv %s/models/bluerov2-heavy.xml sweep_data/ && "
              "cp %s/scenarios/bluerov2-heavy-pulses.xml sweep_data/",
              FATHOM_SOURCE_DIR, FATHOM_SOURCE_DIR, FATHOM_SOURCE_DIR);
    expect(0, "");
    const char *line = "sweep sweep_data/bluerov2-heavy-pulses.xml --backend worlds --threads 2 --duration 2 --vary "
                       "/world/seed=1:400:1 --metric rov.distance --quiet ";
    strike(line, "KILL");
    assert_int_equal(r.status, 137);
    run_shell(&r, "cp sweep_data/t200.csv t200_kept.csv; sed -i '$d' sweep_data/t200.csv");
    run_fathom(&r, "%s -o cut.nc --resume", line);
    expect(1, "belongs to another sweep");
    run_shell(&r, "cp t200_kept.csv sweep_data/t200.csv");
    run_fathom(&r, "%s -o cut.nc --resume", line);
    expect(0, "");
}

/* <hover-pd pitch="…"> is a number, <hover-pd><pitch kp="…"/></hover-pd> another; a vector and its number are not. */
static void a_parameter_below_another_one_can_be_swept(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " WALL " --duration 0.1 --vary '/snookie/hover_pd/pitch/kp=1,2 N*m' --vary "
                   "'/snookie/hover_pd/pitch=0,1 deg' --metric snookie.theta --csv - --quiet");
    expect(0, "\n3,1,finished,2,1,");
    run_fathom(&r, "sweep " WALL " --duration 0.1 --vary '/snookie/hover_pd/pitch/kp=1,2 m' --csv - --quiet");
    expect(1, "'1 m' is invalid: must be a torque or energy in N*m");
    run_fathom(&r,
               "sweep " WALL " --duration 0.1 --vary '/snookie/position/y=1,2 m' --vary '/snookie/position=0 0 2 m,1 0 "
               "2 m' --csv - --quiet");
    expect(1, "'/snookie/position' and '/snookie/position/y' vary the same number");
}

static void runs_that_fail_are_told_and_the_rest_is_kept(void **unused)
{
    (void)unused;
    run_fathom(&r,
               "sweep " TURN " --duration 1 --vary '/phoenix/velocity/x=1,200 m/s' --metric phoenix.distance --csv -");
    expect(1, "1 of 2 runs failed");
    expect(1, "'200 m/s' is out of range: must be -100 … 100 m/s");
    expect(1, "\n1,1,failed,200,\n");
}

/* Refused before its first run, it leaves nothing that a later one would have to go on with. */
static void a_sweep_without_runs_leaves_no_journal(void **unused)
{
    (void)unused;
    static const char refused[] =
        "sweep " TURN " --runs 2 --metric phoenix.distance --precision float --backend worlds "
        "--csv none.csv";
    remove("none.csv");
    run_fathom(&r, "%s", refused);
    expect(1, "worlds do not support precision float");
    assert_int_equal(size_of("none.csv.journal"), -1);
    run_fathom(&r, "%s --resume", refused);
    expect(1, "worlds do not support precision float");
    assert_int_equal(size_of("none.csv.journal"), -1);
    run_fathom(&r, "sweep " TURN " --runs 2 --duration 1 --metric phoenix.distance --csv none.csv");
    expect(0, "2 of 2 runs");
}

static void wrong_usage_is_explained(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " TURN " --csv -");
    expect(2, "nothing varies");
    run_fathom(&r, "sweep " TURN " --runs 2");
    expect(2, "give -o FILE.nc or --csv FILE");
    run_fathom(&r, "sweep " TURN " --vary '/phoenix/velocty/x=1 m/s' --csv -");
    expect(1, "did you mean '/phoenix/velocity'?");
    run_fathom(&r, "sweep " TURN " --vary '/phoenix/velocity/x=1' --csv -");
    expect(1, "without a unit");
    run_fathom(&r, "sweep " TURN " --runs 2 --csv - --metric phoenix.distanc");
    expect(1, "did you mean 'phoenix.distance'");
    run_fathom(&r, "sweep " TURN " --runs 2 --csv - --metric max_depth");
    expect(1, "'phoenix' has distance, max_depth, ");
    run_fathom(&r, "sweep " TURN " --vary /world/seed=1.5,2 --csv -");
    expect(1, "seeds are whole numbers");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_a_sweep_is_the_run_by_itself),
        cmocka_unit_test(threads_do_not_change_a_sweep),
        cmocka_unit_test(netcdf_holds_every_input_beside_every_output),
        cmocka_unit_test(units_in_netcdf_mean_what_udunits_means),
        cmocka_unit_test(a_full_disk_is_told_and_no_run_is_lost),
        cmocka_unit_test(what_cannot_be_written_is_told_before_the_runs),
        cmocka_unit_test(options_that_would_do_nothing_are_refused),
        cmocka_unit_test(after_an_interrupt_a_sweep_goes_on_to_the_same_end),
        cmocka_unit_test(an_interrupt_keeps_what_lanes_have_finished),
        cmocka_unit_test(after_a_crash_a_sweep_goes_on_to_the_same_end),
        cmocka_unit_test(after_kill_9_a_sweep_goes_on_to_the_same_end),
        cmocka_unit_test(a_sweep_made_with_another_data_file_is_refused),
        cmocka_unit_test(a_parameter_below_another_one_can_be_swept),
        cmocka_unit_test(runs_that_fail_are_told_and_the_rest_is_kept),
        cmocka_unit_test(a_sweep_without_runs_leaves_no_journal),
        cmocka_unit_test(wrong_usage_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
