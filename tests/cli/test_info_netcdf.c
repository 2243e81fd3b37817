/* `fathom info` of NetCDF files, against what ncdump says of them. */
#include "support/files.h"
#include "support/program.h"

#define DIR "info_netcdf_test"

static program_run r;

static void shell(const char *line)
{
    if (run_shell(&r, "%s", line) != 0)
        fail_msg("%s: %s%s", line, r.out, r.err);
}

static int make_files(void **state)
{
    (void)state;
    shell("rm -rf " DIR " && mkdir " DIR);
    if (run_fathom(&r, "run phoenix-turn --duration 10 --log " DIR "/run.mcap") ||
        run_fathom(&r, "export " DIR "/run.mcap --netcdf " DIR "/run.nc /phoenix/odom /clock") ||
        run_fathom(&r, "sweep phoenix-turn --duration 5 --vary '/water/density=1000:1002:1 kg/m3' --metric "
                       "phoenix.distance -o " DIR "/sweep.nc"))
        fail_msg("%s%s", r.out, r.err);
    /* a classic file, as charts often are */
    write_file(DIR "/chart.cdl", "netcdf chart {\ndimensions: lat = 2; lon = 3;\nvariables: float depth(lat, lon);\n"
                                 "depth:units = \"m\"; depth:long_name = \"depth below datum\";\n"
                                 ":title = \"a chart\"; :cell = 1.5, 2.5;\ndata: depth = 1, 2, 3, 4, 5, 6;\n}\n");
    shell("ncgen -k classic -o " DIR "/chart.nc " DIR "/chart.cdl");
    return 0;
}

static void an_export_has_the_groups_and_variables_that_ncdump_lists(void **state)
{
    (void)state;
    run_fathom(&r, "info " DIR "/run.nc");
    expect_run(&r, 0, "NetCDF-4");
    shell("test \"$(" FATHOM_PROGRAM " info " DIR "/run.nc | awk '/^\\// {print $1}' | tr '\\n' ' ')\" = "
          "\"$(ncdump -h " DIR "/run.nc | awk '/^group:/ {print \"/\" $2}' | tr '\\n' ' ')\"");
    shell("test \"$(" FATHOM_PROGRAM " info " DIR "/run.nc / /phoenix_odom /clock | awk '/^  / {print $1}')\" = "
          "\"$(ncdump -h " DIR "/run.nc | sed -n 's/^[[:space:]]*\\(double\\|int\\|uint\\|string\\|float\\|ubyte\\) "
          "\\([A-Za-z0-9_]*\\)(.*/\\2/p')\"");
    run_fathom(&r, "info " DIR "/run.nc phoenix_odom");
    expect_run(&r, 0, "time = 201");
    expect_run(&r, 0, "pose.pose.position.down");
    run_fathom(&r, "info " DIR "/run.nc phoenix_odm");
    expect_run(&r, 2, "did you mean '/phoenix_odom'?");
}

static void a_sweep_and_a_classic_chart_show_their_variables_and_attributes(void **state)
{
    (void)state;
    run_fathom(&r, "info " DIR "/sweep.nc");
    expect_run(&r, 0, "water_density");
    expect_run(&r, 0, "run = 3");
    run_fathom(&r, "info " DIR "/chart.nc");
    expect_run(&r, 0, "NetCDF classic");
    expect_run(&r, 0, "cell = 1.5 2.5");
    expect_run(&r, 0, "lat = 2, lon = 3");
    expect_run(&r, 0, "m (depth below datum)");
}

static void a_damaged_file_is_named(void **state)
{
    (void)state;
    shell("head -c 3000 " DIR "/run.nc > " DIR "/cut.nc && head -c 60 " DIR "/chart.nc > " DIR "/cut_chart.nc");
    run_fathom(&r, "info " DIR "/cut.nc");
    expect_run(&r, 1, "cut.nc");
    run_fathom(&r, "info " DIR "/cut_chart.nc");
    expect_run(&r, 1, "cut_chart.nc");
}

static void view_completes_names_of_scenarios(void **state)
{
    (void)state;
    shell(FATHOM_PROGRAM " completion bash > " DIR "/complete.bash");
    shell("PATH=$(dirname " FATHOM_PROGRAM "):$PATH bash -c 'source " DIR
          "/complete.bash; COMP_WORDS=(fathom view phoenix-tu); "
          "COMP_CWORD=2; $(complete -p fathom | sed \"s/.*-F \\([^ ]*\\).*/\\1/\") fathom phoenix-tu view; "
          "test \"${COMPREPLY[*]}\" = phoenix-turn'");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_export_has_the_groups_and_variables_that_ncdump_lists),
        cmocka_unit_test(a_sweep_and_a_classic_chart_show_their_variables_and_attributes),
        cmocka_unit_test(a_damaged_file_is_named),
        cmocka_unit_test(view_completes_names_of_scenarios),
    };
    return cmocka_run_group_tests(tests, make_files, NULL);
}
