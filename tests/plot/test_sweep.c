/* Figures of sweeps: the statistics against closed forms and published numbers, the pictures through the program. */
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics.h>
#include <math.h>

#include "support/files.h"
#include "support/near.h"
#include "support/picture.h"
#include "support/program.h"

#include "plot/sweep_parts.h"

static program_run r;

/* Newcombe (1998), table I, method 3: 81 of 263 and 0 of 20. */
static void wilson_intervals_are_the_published_ones(void **unused)
{
    (void)unused;
    double interval[2];
    fm_wilson_interval(81, 263, interval);
    assert_near(interval[0], 0.2553, 5e-5);
    assert_near(interval[1], 0.3662, 5e-5);
    fm_wilson_interval(0, 20, interval);
    assert_near(interval[0], 0, 1e-15);
    assert_near(interval[1], 0.1611, 5e-5);
}

static void student_factors_are_those_of_gsl(void **unused)
{
    (void)unused;
    for (size_t n = 2; n < 400; n++)
        assert_near(fm_student_factor(n), gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)), 1.5e-3);
}

static void runs_are_gathered_by_their_inputs(void **unused)
{
    (void)unused;
    double x[] = {1, 1, 1, 2, 2, 2}, y[] = {3, 5, 7, 10, NAN, 40};
    uint8_t outcomes[] = {1, 1, 1, 1, 1, FM_OUTCOME_FAILED};
    fm_result_variable variables[] = {{.name = "/v/a", .values = x, .input = true}, {.name = "v.m", .values = y}};
    fm_result result = {.variables = variables, .variable_count = 2, .runs = 6, .finished = 5, .outcomes = outcomes};
    fm_sweep_question value = {.metric = &variables[1]}, relation;
    const fm_result_variable *const inputs[2] = {&variables[0], NULL};
    fm_sweep_cell one = fm_sweep_gather(&result, &value, inputs, (double[2]){1, 0});
    assert_int_equal(one.count, 3);
    assert_near(one.mean, 5, 1e-15);
    assert_near(one.deviation, 2, 1e-15);
    assert_near(one.high - one.mean, 4.303 * 2 / sqrt(3), 1e-9);
    assert_int_equal(fm_sweep_gather(&result, &value, inputs, (double[2]){2, 0}).count, 1);
    fm_error error = {0};
    assert_int_equal(fm_sweep_question_read(&result, "v.m>=5", &relation, &error), FM_OK);
    assert_near(fm_sweep_gather(&result, &relation, inputs, (double[2]){1, 0}).mean, 2.0 / 3, 1e-15);
    fm_sweep_cell two = fm_sweep_gather(&result, &relation, inputs, (double[2]){2, 0});
    assert_int_equal(two.count, 3);
    assert_near(two.mean, 1.0 / 3, 1e-15); /* one run holds, one never observed it, one failed */
    assert_int_equal(fm_sweep_failed(&result), 1);
    assert_int_equal(fm_sweep_question_read(&result, "v.n", &relation, &error), FM_ERR_NAME);
    assert_int_equal(fm_sweep_question_read(&result, "v.m=x", &relation, &error), FM_ERR_SYNTAX);
}

/* Values at 1, 2 and 6: the cells of 2 and 6 meet at 4, wherever rows of one height would. */
static void cells_of_a_map_lie_where_their_values_are(void **unused)
{
    (void)unused;
    double x[] = {1, 2, 1, 2, 1, 2}, y[] = {1, 1, 2, 2, 6, 6}, z[] = {0, 0, 1, 1, 2, 2};
    uint8_t outcomes[] = {1, 1, 1, 1, 1, 1};
    fm_result_variable v[] = {{.name = "/v/a", .values = x, .input = true},
                              {.name = "/v/b", .values = y, .input = true},
                              {.name = "v.m", .values = z}};
    fm_result result = {.variables = v, .variable_count = 3, .runs = 6, .finished = 6, .outcomes = outcomes};
    fm_sweep_question question = {.metric = &v[2]};
    fm_sweep_request request = {.result = &result, .questions = &question, .question_count = 1, .x = &v[0], .y = &v[1]};
    fm_error error = {0};
    fm_figure *figure = fm_figure_create(100, 80, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    assert_int_equal(fm_sweep_draw_map(axes, &request, &question, &error), FM_OK);
    picture p = render(figure);
    unsigned middle = pixel_at(&p, axes, 1.2, 2), top = pixel_at(&p, axes, 1.2, 6);
    assert_int_not_equal(middle, top);
    assert_int_equal(pixel_at(&p, axes, 1.2, 1.6), middle);
    assert_int_equal(pixel_at(&p, axes, 1.2, 3.8), middle);
    assert_int_equal(pixel_at(&p, axes, 1.2, 4.2), top);
    assert_int_not_equal(pixel_at(&p, axes, 1.2, 1.4), middle);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

/* 3 of 4: Wilson's interval is 0.301 … 0.954. Counts of 1 and 2 have bars of their own. */
static void a_probability_is_drawn_with_its_interval_and_counts_as_bars(void **unused)
{
    (void)unused;
    double z[] = {1, 1, 1, 2};
    uint8_t outcomes[] = {1, 1, 1, 1};
    fm_result_variable v = {.name = "v.m", .values = z};
    fm_result result = {.variables = &v, .variable_count = 1, .runs = 4, .finished = 4, .outcomes = outcomes};
    fm_sweep_question question = {.metric = &v, .relation = "=", .bound = 1}, count = {.metric = &v};
    fm_sweep_request request = {.result = &result, .questions = &question, .question_count = 1, .histogram = true};
    fm_figure *figure = fm_figure_create(100, 120, FM_THEME_LIGHT);
    fm_axes *chance = fm_figure_axes(figure, 0, 0, 1, 1), *bars = fm_figure_axes(figure, 1, 0, 1, 1);
    fm_sweep_draw_histogram(chance, &request, &question);
    fm_sweep_draw_histogram(bars, &request, &count);
    picture p = render(figure);
    unsigned line = pixel_at(&p, chance, 0.75, 0);
    assert_int_equal(pixel_at(&p, chance, 0.32, 0), line);
    assert_int_equal(pixel_at(&p, chance, 0.94, 0), line);
    assert_int_not_equal(pixel_at(&p, chance, 0.27, 0), line);
    assert_int_not_equal(pixel_at(&p, chance, 0.98, 0), line);
    unsigned bar = pixel_at(&p, bars, 1.07, 0.3);
    assert_int_equal(pixel_at(&p, bars, 0.93, 2.7), bar);
    assert_int_equal(pixel_at(&p, bars, 2.07, 0.3), bar);
    assert_int_not_equal(pixel_at(&p, bars, 1.47, 0.3), bar);
    assert_int_not_equal(pixel_at(&p, bars, 2.07, 1.3), bar);
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

static void quantiles_are_those_of_gsl(void **unused)
{
    (void)unused;
    double numbers[] = {7, -2, 3.5, 11, 0.25, 3, 8};
    const size_t count = sizeof numbers / sizeof *numbers;
    fm_sample_sort(numbers, count);
    for (double part = 0; part <= 1; part += 0.03125)
        assert_near(fm_sample_quantile(numbers, count, part),
                    gsl_stats_quantile_from_sorted_data(numbers, 1, count, part), 1e-14);
    assert_same(fm_sample_quantile(numbers, 1, 0.95), -2);
    assert_true(isnan(fm_sample_quantile(numbers, 0, 0.5)));
}

/* Of 101 runs whose values are 0 … 100 the middle 90 % lie from 5 to 95, the middle half from 25 to 75; a failed run
 * counts for nothing. */
static void a_series_is_drawn_with_its_quantiles(void **unused)
{
    (void)unused;
    enum { RUNS = 102, SAMPLES = 3 };
    double values[RUNS * SAMPLES], times[SAMPLES] = {0, 1, 2};
    uint8_t outcomes[RUNS];
    for (int i = 0; i < RUNS; i++) {
        outcomes[i] = i == RUNS - 1 ? FM_OUTCOME_FAILED : FM_OUTCOME_FINISHED;
        for (int k = 0; k < SAMPLES; k++)
            values[i * SAMPLES + k] = i == RUNS - 1 ? 1e6 : (i * 37) % 101; /* each number once, in no order */
    }
    fm_result_series series = {.name = "v.m", .values = values};
    fm_result result = {.runs = RUNS,
                        .finished = RUNS - 1,
                        .outcomes = outcomes,
                        .series = &series,
                        .series_count = 1,
                        .samples = SAMPLES,
                        .times = times};
    fm_sweep_request request = {.result = &result};
    fm_error error = {0};
    fm_figure *figure = fm_figure_create(120, 90, FM_THEME_LIGHT);
    fm_axes *axes = fm_figure_axes(figure, 0, 0, 1, 1);
    assert_int_equal(fm_sweep_draw_series(axes, &request, &series, false, &error), FM_OK);
    picture p = render(figure);
    const unsigned wide = pixel_at(&p, axes, 0.77, 12), narrow = pixel_at(&p, axes, 0.77, 33);
    assert_int_not_equal(wide, narrow);
    assert_int_equal(pixel_at(&p, axes, 0.77, 7), wide);
    assert_int_equal(pixel_at(&p, axes, 0.77, 93), wide);
    assert_int_equal(pixel_at(&p, axes, 0.77, 23), wide);
    assert_int_equal(pixel_at(&p, axes, 0.77, 27), narrow);
    assert_int_equal(pixel_at(&p, axes, 0.77, 73), narrow);
    assert_int_not_equal(pixel_at(&p, axes, 0.77, 50), narrow); /* the median */
    cairo_surface_destroy(p.surface);
    fm_figure_destroy(figure);
}

#define TURN FATHOM_SOURCE_DIR "/scenarios/phoenix-turn.xml"

/* The row of a metric in a report against the numbers of its runs. */
static void a_report_has_intervals_and_quantiles(void **unused)
{
    (void)unused;
    static program_run table;
    double x[64], mean = 0, least, low, high, deviation, quantiles[3], greatest;
    run_fathom(&r, "sweep " TURN " --duration 2 --runs 40 --vary '/phoenix/velocity/x~uniform(1,2) m/s' --metric "
                   "phoenix.distance -o row.nc --csv row.csv --quiet");
    expect_run(&r, 0, "");
    run_fathom(&r, "report row.nc -o row.html");
    expect_run(&r, 0, "");
    run_shell(&table, "tail -n +2 row.csv | cut -d, -f5");
    char *at = table.out;
    for (size_t i = 0; i < 40; i++)
        x[i] = strtod(at, &at);
    fm_sample_sort(x, 40);
    char *page = read_file("row.html", NULL), *row = strstr(page, "<tr><th>phoenix.distance</th><td class=\"n\">40<");
    assert_non_null(row);
    assert_int_equal(sscanf(strstr(row, "40<"),
                            "40</td><td class=\"n\">%lf</td><td class=\"n\">%lf … %lf</td><td "
                            "class=\"n\">%lf</td><td class=\"n\">%lf</td><td class=\"n\">%lf</td><td "
                            "class=\"n\">%lf</td><td class=\"n\">%lf</td><td class=\"n\">%lf",
                            &mean, &low, &high, &deviation, &least, &quantiles[0], &quantiles[1], &quantiles[2],
                            &greatest),
                     9);
    const double half = gsl_cdf_tdist_Pinv(0.975, 39) * gsl_stats_sd(x, 1, 40) / sqrt(40);
    assert_near(mean, gsl_stats_mean(x, 1, 40), 1e-4);
    assert_near(high - mean, half, 2e-4);
    assert_near(mean - low, half, 2e-4);
    assert_near(least, x[0], 1e-4);
    assert_near(greatest, x[39], 1e-4);
    for (size_t i = 0; i < 3; i++)
        assert_near(quantiles[i], gsl_stats_quantile_from_sorted_data(x, 1, 40, (const double[]){0.05, 0.5, 0.95}[i]),
                    1e-4);
    free(page);
}

static void a_sweep_is_drawn_as_curves_maps_points_and_histograms(void **unused)
{
    (void)unused;
    run_fathom(&r,
               "sweep " TURN " --duration 2 --vary '/phoenix/velocity/x=1,2 m/s' --vary '/phoenix/position/z=3:6:1 m' "
               "--metric 'phoenix.*' -o figure.nc --quiet");
    expect_run(&r, 0, "");
    run_fathom(&r, "plot figure.nc phoenix.distance 'phoenix.max_depth>4.5' -o map.svg");
    expect_run(&r, 0, "");
    run_fathom(&r, "plot figure.nc phoenix.distance --x /phoenix/position/z --by /phoenix/velocity/x -o curve.pdf");
    expect_run(&r, 0, "");
    run_fathom(&r, "plot figure.nc phoenix.distance --histogram -o histogram.png");
    expect_run(&r, 0, "");
    run_fathom(&r, "report figure.nc -o figure.html");
    expect_run(&r, 0, "");
    char *page = read_file("figure.html", NULL);
    assert_non_null(strstr(page, "8 of 8 runs finished, 0 failed"));
    assert_non_null(strstr(page, "<th>P(= 0), 95 % (Wilson); failed runs count as false</th>"));
    assert_non_null(
        strstr(page, "/phoenix/position/z</th><td class=\"n\">4</td><td class=\"n\">3</td><td class=\"n\">6"));
    assert_non_null(strstr(page, "data:image/svg+xml;base64,"));
    free(page);
    run_shell(&r, "xmllint --noout map.svg && head -c 4 curve.pdf");
    expect_run(&r, 0, "%PDF");
    run_fathom(&r, "sweep " TURN " --duration 1 --runs 30 --design sobol --vary '/phoenix/velocity/x~uniform(1,2) m/s' "
                   "-o drawn.nc --quiet");
    run_fathom(&r, "plot drawn.nc phoenix.distance 'phoenix.distance>1.5' -o points.svg");
    expect_run(&r, 0, "");
}

static void what_cannot_be_drawn_is_explained(void **unused)
{
    (void)unused;
    run_fathom(&r, "plot figure.nc phoenix.distanc -o a.png");
    expect_run(&r, 1, "did you mean 'phoenix.distance'");
    run_fathom(&r, "plot figure.nc phoenix.distance --x /phoenix/position/x -o a.png");
    expect_run(&r, 1, "did not vary; these did: /phoenix/velocity/x /phoenix/position/z");
    run_fathom(&r, "plot figure.nc phoenix.distance --x /phoenix/position/z --y /phoenix/position/z -o a.png");
    expect_run(&r, 1, "cannot be drawn over itself");
    run_fathom(&r, "plot figure.nc phoenix.battery -o a.png");
    expect_run(&r, 1, "no run that finished has observed phoenix.battery");
    run_fathom(&r, "plot drawn.nc phoenix.distance --x /phoenix/velocity/x --by /phoenix/velocity/x -o a.png");
    expect_run(&r, 1, "has 30 values: must be at most 8 curves");
    run_fathom(&r, "plot figure.nc --ladder -o a.png");
    expect_run(&r, 2, "are for logs");
    run_fathom(&r, "sweep " TURN " --duration 0.1 --runs 2 --csv drawn.csv --quiet");
    run_fathom(&r, "plot drawn.csv -o a.png");
    expect_run(&r, 1, "drawn.csv is the table of a sweep; what `fathom sweep -o FILE.nc` writes is drawn");
    run_shell(&r, "echo no >no.nc");
    run_fathom(&r, "plot no.nc -o a.png");
    expect_run(&r, 1, "no.nc: NetCDF: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wilson_intervals_are_the_published_ones),
        cmocka_unit_test(student_factors_are_those_of_gsl),
        cmocka_unit_test(runs_are_gathered_by_their_inputs),
        cmocka_unit_test(cells_of_a_map_lie_where_their_values_are),
        cmocka_unit_test(a_probability_is_drawn_with_its_interval_and_counts_as_bars),
        cmocka_unit_test(quantiles_are_those_of_gsl),
        cmocka_unit_test(a_series_is_drawn_with_its_quantiles),
        cmocka_unit_test(a_report_has_intervals_and_quantiles),
        cmocka_unit_test(a_sweep_is_drawn_as_curves_maps_points_and_histograms),
        cmocka_unit_test(what_cannot_be_drawn_is_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
