/* Points of sweeps from files, and draws that a command line asks for, through the program. */
#include "support/files.h"
#include "support/near.h"
#include "support/program.h"

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"
#define ASKED "--duration 5 --metric phoenix.x --quiet "

static program_run r;

static void expect(int status, const char *words)
{
    expect_run(&r, status, words);
}

/* The runs of a sweep whose values are drawn are repeated from its table, and from its NetCDF file. */
static void the_points_of_a_result_give_its_runs_again(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " TURN " --design sobol --runs 16 --vary '/phoenix/velocity/x~normal(2,0.3,1,3) ft/s' --vary "
                   "/phoenix/integrator=heun,rk4 --vary '/phoenix/position/z~triangular(3,4,8) m' " ASKED
                   "-o points_first.nc --csv points_first.csv");
    expect(0, "");
    run_fathom(&r, "sweep " TURN " --points points_first.nc " ASKED "--csv points_netcdf.csv");
    expect(0, "");
    run_fathom(&r, "sweep " TURN " --points points_first.csv " ASKED "--csv points_table.csv");
    expect(0, "");
    run_shell(&r, "cmp points_netcdf.csv points_table.csv && cut -d, -f4- points_first.csv >points_a.txt && "
                  "cut -d, -f4- points_table.csv | cmp - points_a.txt && wc -l <points_a.txt");
    expect(0, "17");
}

/* A NetCDF file of any other program: variables with the attribute `path`; its other variables are left out. */
static void a_netcdf_file_of_another_program_has_points(void **unused)
{
    (void)unused;
    write_file("points.cdl",
               "netcdf points { dimensions: member = 3 ; other = 2 ;\n"
               "variables: double speed(member) ; speed:path = \"/phoenix/velocity/x\" ; speed:units = \"ft/s\" ;\n"
               "float depth(member) ; depth:path = \"/phoenix/position/z\" ; depth:units = \"m\" ;\n"
               "double unused(other) ;\n"
               "data: speed = 1, 2, 3 ; depth = 3, 4.5, 6 ; unused = 7, 8 ; }\n");
    run_shell(&r, "ncgen -o points_other.nc points.cdl");
    expect(0, "");
    run_fathom(&r, "sweep " TURN " --points points_other.nc --runs 2 --seed 5 " ASKED "--csv -");
    expect(0, "run,seed,outcome,/phoenix/velocity/x [ft/s],/phoenix/position/z [m],phoenix.x [m]\n0,5,finished,1,3,");
    expect(0, "\n3,6,finished,2,4.5,");
    expect(0, "\n5,6,finished,3,6,");
    run_shell(&r, "sed 's/depth(member)/depth(other)/; s/depth = 3, 4.5, 6/depth = 3, 4.5/' points.cdl | ncgen -o "
                  "points_uneven.nc -");
    run_fathom(&r, "sweep " TURN " --points points_uneven.nc " ASKED "--csv -");
    expect(2, "'/phoenix/position/z' has 2 values: must be 3, as '/phoenix/velocity/x' has");
    run_shell(&r, "sed 's/:path/:way/g' points.cdl | ncgen -o points_nameless.nc -");
    run_fathom(&r, "sweep " TURN " --points points_nameless.nc " ASKED "--csv -");
    expect(2, "no variable of one dimension has an attribute 'path'");
}

static void what_cannot_be_combined_is_refused(void **unused)
{
    (void)unused;
    write_file("points_two.csv", "/phoenix/velocity/x [ft/s]\n1\n2\n");
    static const char *const wrong[][2] = {
        {"--points points_two.csv --design sobol", "--design has no effect"},
        {"--points points_two.csv --vary '/phoenix/position/z=1,2 m'", "has a list of values"},
        {"--points points_two.csv --vary '/phoenix/velocity/x~uniform(1,2) ft/s'", "varies twice"},
        {"--points points_none.csv", "points_none.csv"},
        {"--vary '/phoenix/position/z=1,2 m' --correlate '/phoenix/position/z,/phoenix/position/x=0.5'",
         "must be different parameters that vary with a distribution"},
        {"--design morris --vary '/world/seed=1:4:1'", "cannot vary: each group of runs has one seed"},
        {"--vary-fit points_two.csv", "must be the output of `fathom identify --json`"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        run_fathom(&r, "sweep " TURN " %s " ASKED "--csv points_wrong.csv", wrong[i][0]);
        assert_different(r.status, 0);
        if (!said(&r, wrong[i][1]))
            fail_msg("%s: %s", wrong[i][0], r.err);
    }
}

/* Two correlated numbers: the table of the runs has their correlation, and a draw depends on the seed alone. */
static void correlated_draws_are_in_the_table(void **unused)
{
    (void)unused;
    run_fathom(&r, "sweep " TURN " --design sobol --runs 512 --seed 3 --vary '/phoenix/velocity/x~normal(2,0.1) ft/s' "
                   "--vary '/phoenix/position/z~normal(5,1) m' --correlate "
                   "/phoenix/position/z,/phoenix/velocity/x=-0.6 --duration 0.05 --metric phoenix.x --quiet --csv -");
    expect(0, "");
    double mean[2] = {0}, square[2] = {0}, product = 0;
    const char *line = r.out;
    for (int run = 0; run < 512; run++) {
        double speed, depth;
        line = strchr(line, '\n') + 1;
        assert_int_equal(sscanf(line, "%*d,%*d,finished,%lf,%lf", &speed, &depth), 2);
        mean[0] += speed / 512, mean[1] += depth / 512;
        square[0] += speed * speed / 512, square[1] += depth * depth / 512;
        product += speed * depth / 512;
    }
    const double deviations = sqrt((square[0] - mean[0] * mean[0]) * (square[1] - mean[1] * mean[1]));
    assert_near((product - mean[0] * mean[1]) / deviations, -0.6, 0.04);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_points_of_a_result_give_its_runs_again),
        cmocka_unit_test(a_netcdf_file_of_another_program_has_points),
        cmocka_unit_test(what_cannot_be_combined_is_refused),
        cmocka_unit_test(correlated_draws_are_in_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
