/* `fathom rays` as people use it. */
#include "support/files.h"
#include "support/program.h"

static program_run r;

static void arrivals_are_json_by_time(void **state)
{
    (void)state;
    run_shell(
        &r,
        "%s rays --profile iso:1500 --bottom 100 --source-depth 30 --receiver-depth 60 --receiver-range 500 --arrivals "
        "--json | python3 -c \"import json,sys; a=json.load(sys.stdin)['arrivals']; t=[x['time'] for x in a]; "
        "print(t==sorted(t), round(1e3*t[0],4), sorted(a[0]))\"",
        FATHOM_PROGRAM);
    expect_run(&r, 0, "True 333.9328 ['arrival', 'bottom', 'launch', 'loss', 'phase', 'surface', 'time']");
}

static void the_fan_and_the_field_are_drawn(void **state)
{
    (void)state;
    run_fathom(&r, "rays --profile munk --source-depth 1000 --angles -14:14:21 --range 100000 -o rays-fan.png");
    expect_run(&r, 0, "");
    run_fathom(&r, "rays --profile munk --source-depth 1000 --range 20000 --frequency 50 --field rays-field.svg");
    expect_run(&r, 0, "");
    run_shell(&r, "xmllint --noout rays-field.svg && file rays-fan.png");
    expect_run(&r, 0, "PNG image data");
}

static void profiles_come_from_files_and_scenarios(void **state)
{
    (void)state;
    run_shell(&r,
              "printf 'depth,speed\\n0,1500\\n5000,1585\\n' >rays-cast.csv && %s rays --profile rays-cast.csv "
              "--source-depth 0 "
              "--receiver-depth 800 --receiver-range 3000 --arrivals",
              FATHOM_PROGRAM);
    expect_run(&r, 0, "2.060464");
    run_fathom(&r,
               "rays --profile %s/scenarios/phoenix-mission.xml --bottom 50 --source-depth 5 --receiver-depth 5 "
               "--receiver-range 100 --arrivals",
               FATHOM_SOURCE_DIR);
    expect_run(&r, 0, "arrivals");
}

static void bad_input_is_told_where_it_stands(void **state)
{
    (void)state;
    static const char *const bad[][2] = {
        {"0,1500\\n100,nan\\n", "rays-bad.csv:2: sound speed: nan m/s is out of range: must be 300 … 6000 m/s"},
        {"0,1500\\n50,1490\\n50,1480\\n", "rays-bad.csv:3: depth: 50 m after 50 m: must increase"},
        {"0,1500\\n10\\n", "rays-bad.csv:2: expected depth in m and sound speed in m/s, found '10'"},
        {"", "no line with depth and sound speed"},
        {"0,1500,7\\n", "rays-bad.csv:1: expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        run_shell(&r,
                  "printf '%s' >rays-bad.csv && %s rays --profile rays-bad.csv --bottom 100 --source-depth 5 "
                  "--receiver-depth 5 --receiver-range 10 --arrivals",
                  bad[i][0], FATHOM_PROGRAM);
        expect_run(&r, 1, bad[i][1]);
    }
    run_fathom(&r, "rays --profile munk --source-depth 6000 --range 1000 -o x.png");
    expect_run(&r, 1, "6000 m is below the bottom at 5000 m");
    run_fathom(&r, "rays --profile munk --source-depth 10 --angles 5:1:3 --range 1000 -o x.png");
    expect_run(&r, 2, "--angles: '5:1:3' is invalid");
    run_fathom(&r, "rays --profile iso:1500 --source-depth 10 --range 1000 -o x.png");
    expect_run(&r, 1, "does not contain the bottom");
    run_fathom(&r, "rays --profile munk --source-depth 10 --receiver-depth 10 --receiver-range 0 --arrivals");
    assert_int_equal(r.status, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrivals_are_json_by_time),
        cmocka_unit_test(the_fan_and_the_field_are_drawn),
        cmocka_unit_test(profiles_come_from_files_and_scenarios),
        cmocka_unit_test(bad_input_is_told_where_it_stands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
