/* `fathom optimise` as its user meets it: it finds what a sweep over a grid finds, on any number of threads. */
#include <math.h>

#include "support/near.h"
#include "support/program.h"

static program_run r;

#define GAIN "/remus/avoid/gain"
#define COST "--maximise remus.min_altitude --minimise '10*remus.late_pitch_pp' "

static double number_of(const char *name)
{
    char wanted[100];
    snprintf(wanted, sizeof wanted, "\"%s\": ", name);
    const char *at = strstr(r.out, wanted);
    if (!at)
        fail_msg("no \"%s\" in %.2000s%.1000s", name, r.out, r.err);
    return atof(at + strlen(wanted));
}

/* The least cost of Healey's rise over gains of 1.5 to 10, by a sweep. */
static double least_of_grid(void)
{
    double least = HUGE_VAL, gain, altitude, pitch;
    run_fathom(&r, "sweep remus-rise --vary " GAIN
                   "=1.5:10:0.1 --metric remus.min_altitude --metric remus.late_pitch_pp --csv - --quiet");
    expect_run(&r, 0, "");
    assert_non_null(strstr(r.out, "gain,remus.min_altitude [m],remus.late_pitch_pp [rad]"));
    for (const char *line = strchr(r.out, '\n'); line && line[1]; line = strchr(line + 1, '\n'))
        if (sscanf(line, " %*u,%*u,finished,%lf,%lf,%lf", &gain, &altitude, &pitch) == 3)
            least = fmin(least, 10 * pitch - altitude);
    return least;
}

static void the_threat_gain_is_found_as_by_a_grid_and_the_published_one_is_near(void **unused)
{
    (void)unused;
    double grid = least_of_grid();
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=1.5:10 " COST "--json --population 6 --generations 20");
    expect_run(&r, 0, "\"failed\": 0");
    double best = number_of("best"), cost = number_of("cost"), published = number_of("start_cost");
    below("least cost", cost, grid + 0.02);
    assert_between(2.5, best, 4.5); /* published: 3; from 5 on it oscillates */
    below("the published gain, 3", published, cost + 1);
    run_fathom(&r, "optimise remus-rise --set " GAIN "=7 --vary " GAIN "=1.5:10 " COST "--json --generations 1");
    expect_run(&r, 0, "");
    assert_greater(number_of("start_cost"), cost + 4); /* published as unstable */
}

/* LAUV begins at 3 m, not in the middle of 1 m to 20 m. */
static void a_search_over_one_number_of_a_vector_starts_where_the_scenario_has_it(void **unused)
{
    (void)unused;
    run_fathom(&r, "optimise lauv-survey --vary '/lauv/position/z=100:2000 cm' --minimise lauv.track_error_rms --json "
                   "--generations 1 --population 4 --duration 2");
    expect_run(&r, 0, "\"failed\": 0");
    assert_near(number_of("start"), 300, 1e-9);
}

static void threads_do_not_change_a_search(void **unused)
{
    (void)unused;
    const char *line = "optimise phoenix-turn --duration 20 --vary '/phoenix/velocity/x=1:3 ft/s' --vary "
                       "/phoenix/hydrodynamics/X_u_absu=-0.02:-0.004 "
                       "--minimise phoenix.u --json --generations 4 --seed 7 --threads %d --csv optimise_%d.csv";
    run_fathom(&r, line, 1, 1);
    expect_run(&r, 0, "\"evaluations\": 24"); /* 4 + 3 ln 2 points */
    char *first = strdup(r.out);
    run_fathom(&r, line, 3, 3);
    assert_string_equal(first, r.out);
    free(first);
    run_shell(&r, "cmp optimise_1.csv optimise_3.csv && wc -l <optimise_1.csv");
    expect_run(&r, 0, "25");
}

static void the_seeds_of_a_point_are_averaged(void **unused)
{
    (void)unused;
    run_fathom(&r, "optimise phoenix-turn --duration 1 --vary '/phoenix/velocity/x=1:3 ft/s' --maximise phoenix.u "
                   "--json --generations 2 --noise-runs 5");
    expect_run(&r, 0, "\"runs\": 45"); /* (1 + 2 · 4) · 5 */
}

#define CORNER                                                                                                         \
    "optimise lauv-survey --vary '/lauv/position/x=0:20 m' --vary '/lauv/position/y=0:20 m' --maximise lauv.x "        \
    "--maximise lauv.y --duration 0.1 --seed 1 --quiet "

/* The longest x + y within a circle of 10 m is at 45 degrees. LAUV moves by 0.13 m. */
static void a_constraint_holds_the_optimum_on_its_boundary(void **unused)
{
    (void)unused;
    run_fathom(&r, CORNER "--constraint 'hypot(lauv.x, lauv.y) < 10 m' --generations 80 --json --csv corner.csv");
    expect_run(&r, 0, "\"feasible\": true");
    assert_near(number_of("cost"), -10 * sqrt(2), 0.01);
    assert_near(number_of("best"), 10 / sqrt(2), 0.3);
    run_shell(&r, "head -1 corner.csv");
    expect_run(&r, 0, "cost,\"hypot(lauv.x, lauv.y) < 10 m\",feasible");
    run_fathom(&r, CORNER "--constraint 'lauv.x + lauv.y > 100 m' --generations 10");
    expect_run(&r, 1, "no values fulfil every constraint");
    run_fathom(&r, CORNER "--constraint 'lauv.x'");
    expect_run(&r, 1, "constraint 'lauv.x': ");
}

/* The front of both within the circle is the circle. */
static void a_front_is_the_quarter_of_a_circle(void **unused)
{
    (void)unused;
    double x, y, low = 10, high = 0;
    int count = 0;
    run_fathom(&r, CORNER
               "--constraint 'hypot(lauv.x, lauv.y) < 10 m' --pareto --generations 40 --population 80 -o front.png");
    expect_run(&r, 0, "values on the front");
    for (const char *line = strchr(r.out, '\n'); line && sscanf(line, "%lf %lf", &x, &y) == 2;
         line = strchr(line + 1, '\n'), count++) {
        assert_between(9.5, hypot(x, y), 10);
        low = fmin(low, -x), high = fmax(high, -x);
    }
    assert_in_range(count, 30, 1000);
    below("its end", low, 2.5);
    assert_greater(high, 9.5);
    run_shell(&r, "file front.png");
    expect_run(&r, 0, "PNG image");
}

static void what_cannot_be_sought_is_told(void **unused)
{
    (void)unused;
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=1:10");
    expect_run(&r, 2, "minimise");
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=10:1 " COST);
    expect_run(&r, 2, "must be PATH=A:B");
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=1:10 --minimise remus.min_altitud");
    expect_run(&r, 1, "did you mean 'remus.min_altitude'");
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=2000:3000 --generations 1 " COST);
    expect_run(&r, 1, "must be 0 … 1000");
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=1:10 " COST "-o same.png --csv ./same.png");
    expect_run(&r, 2, "name the same file");
    run_fathom(&r, "optimise remus-rise --vary " GAIN "=1:10 " COST "-o nowhere/a.png");
    expect_run(&r, 1, "--output nowhere/a.png: No such file or directory");
    assert_null(strstr(r.out, "generations")); /* reported before the search */
}

static void a_search_that_begins_elsewhere_or_changes_nothing_says_so(void **unused)
{
    (void)unused;
    run_fathom(&r, "optimise phoenix-turn --duration 0.5 --generations 1 --vary '/phoenix/velocity/x=3:4 m/s' "
                   "--vary /phoenix/hydrodynamics/X_u_absu=-1:-0.5 --maximise phoenix.contacts");
    expect_run(&r, 0,
               "note: /phoenix/hydrodynamics/X_u_absu is -0.00778, outside its range; the search starts in the middle");
    expect_run(&r, 0, "the metric may not depend on what varies");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_threat_gain_is_found_as_by_a_grid_and_the_published_one_is_near),
        cmocka_unit_test(a_search_over_one_number_of_a_vector_starts_where_the_scenario_has_it),
        cmocka_unit_test(threads_do_not_change_a_search),
        cmocka_unit_test(the_seeds_of_a_point_are_averaged),
        cmocka_unit_test(a_constraint_holds_the_optimum_on_its_boundary),
        cmocka_unit_test(a_front_is_the_quarter_of_a_circle),
        cmocka_unit_test(what_cannot_be_sought_is_told),
        cmocka_unit_test(a_search_that_begins_elsewhere_or_changes_nothing_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
