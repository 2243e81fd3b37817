/* Searches without a model (fathom/search.h): functions whose constrained optimum or Pareto front is known. */
#include <fathom/search.h>
#include <math.h>
#include <string.h>

#include "support/near.h"

enum { ROOM = 128, MOST = 32 };

typedef void problem(const double *x, size_t n, double *values);

static fm_search_options options_of(const char *const *vary, size_t count)
{
    return (fm_search_options){.size = sizeof(fm_search_options), .vary = vary, .vary_count = count};
}

/* Evaluates until the search ends. */
static fm_search *solve(const fm_search_options *options, problem *f)
{
    static double points[ROOM * MOST], values[ROOM * MOST];
    fm_error error = {0};
    fm_search *s = fm_search_create(NULL, options, &error);
    if (!s)
        fail_msg("%s", error.text);
    const size_t n = fm_search_parameter_count(s), width = fm_search_objective_count(s) + fm_search_constraint_count(s);
    for (size_t count; (count = fm_search_ask(s, points, ROOM)) > 0;) {
        for (size_t k = 0; k < count; k++)
            f(points + k * n, n, values + k * width);
        if (fm_search_tell(s, values, count, &error) != FM_OK)
            fail_msg("%s", error.text);
    }
    return s;
}

static const double *best_of(const fm_search *s)
{
    return fm_search_points(s) + fm_search_best(s) * fm_search_parameter_count(s);
}

static double value_of(const fm_search *s, size_t point, size_t column)
{
    return fm_search_values(s)[point * (fm_search_objective_count(s) + fm_search_constraint_count(s)) + column];
}

/* --- constrained optima --- */

/* G06 of Koziel and Michalewicz (1999): two circles leave a sliver; the least cost is −6961.81388 at (14.095,
 * 0.84296). */
static void sliver(const double *x, size_t n, double *v)
{
    (void)n;
    v[0] = pow(x[0] - 10, 3) + pow(x[1] - 20, 3);
    v[1] = 100 - pow(x[0] - 5, 2) - pow(x[1] - 5, 2);
    v[2] = pow(x[0] - 6, 2) + pow(x[1] - 5, 2) - 82.81;
}

/* G24: a disconnected feasible region; −5.508013 at (2.3295, 3.17849). */
static void islands(const double *x, size_t n, double *v)
{
    const double a = x[0];
    (void)n;
    v[0] = -x[0] - x[1];
    v[1] = -2 * pow(a, 4) + 8 * pow(a, 3) - 8 * a * a + x[1] - 2;
    v[2] = -4 * pow(a, 4) + 32 * pow(a, 3) - 88 * a * a + 96 * a + x[1] - 36;
}

/* A sphere cut by a plane through (1, 1 …): the optimum is there, its cost n. (TR2 of Kramer and Schwefel 2006) */
static void cut_sphere(const double *x, size_t n, double *v)
{
    v[0] = 0, v[1] = (double)n;
    for (size_t i = 0; i < n; i++) {
        v[0] += x[i] * x[i];
        v[1] -= x[i];
    }
}

/* An ellipsoid of condition 1000 around (1, 1 …), cut by two planes: by Lagrange the first coordinate is 0.5 and the
 * others share what is missing of their sum, 3.5, as 1 over their curvatures. */
static void cut_valley(const double *x, size_t n, double *v)
{
    v[0] = 0, v[1] = -1;
    for (size_t i = 0; i < n; i++) {
        v[0] += pow(10, 3.0 * (double)i / (double)(n - 1)) * pow(x[i] - 1, 2);
        v[1] += x[i];
    }
    v[2] = 0.5 - x[0];
}

static void constrained_optima_are_found_on_the_boundary(void **unused)
{
    (void)unused;
    static const char *const box[] = {"a=13:100", "b=0:100"}, *const isle[] = {"a=0:3", "b=0:4"};
    static const char *const five[] = {"a=-5:5", "b=-5:5", "c=-5:5", "d=-5:5", "e=-5:5"};
    fm_search_options o = options_of(box, 2);
    o.told_constraints = 2, o.generations = 300, o.seeded = 1;
    for (o.seed = 1; o.seed <= 3; o.seed++) {
        fm_search *s = solve(&o, sliver);
        assert_true(fm_search_feasible(s, fm_search_best(s)));
        assert_near(value_of(s, fm_search_best(s), 0), -6961.81388,
                    7); /* steps end at 1e-4 of the range, 0.0087, where the slope is 1100 */
        assert_near(best_of(s)[0], 14.095, 0.01);
        fm_search_free(s);
    }
    o = options_of(isle, 2);
    o.told_constraints = 2, o.generations = 200, o.restarts = 3;
    fm_search *s = solve(&o, islands);
    assert_near(value_of(s, fm_search_best(s), 0), -5.508013, 1e-3);
    assert_near(best_of(s)[0], 2.3295, 2e-3);
    fm_search_free(s);
    o = options_of(five, 5);
    o.told_constraints = 1, o.generations = 300, o.seeded = 1;
    for (o.seed = 1; o.seed <= 3; o.seed++) {
        o.told_constraints = 1;
        s = solve(&o, cut_sphere);
        assert_near(value_of(s, fm_search_best(s), 0), 5, 0.001);
        for (size_t i = 0; i < 5; i++)
            assert_near(best_of(s)[i], 1, 0.01);
        fm_search_free(s);
        o.told_constraints = 2;
        s = solve(&o, cut_valley);
        assert_near(value_of(s, fm_search_best(s), 0),
                    0.25 + 3.5 * 3.5 / (pow(10, -0.75) + pow(10, -1.5) + pow(10, -2.25) + pow(10, -3)), 0.06);
        assert_near(best_of(s)[0], 0.5, 0.005);
        fm_search_free(s);
    }
}

static void impossible(const double *x, size_t n, double *v)
{
    (void)n;
    v[0] = x[0], v[1] = 1 + fabs(x[0] - 0.25);
}

static void where_nothing_is_feasible_the_least_violation_is_reported(void **unused)
{
    (void)unused;
    static const char *const one[] = {"a=-1:1 m"};
    fm_search_options o = options_of(one, 1);
    o.told_constraints = 1;
    fm_search *s = solve(&o, impossible);
    assert_false(fm_search_feasible(s, fm_search_best(s)));
    assert_near(best_of(s)[0], 0.25, 0.01);
    assert_int_equal(fm_search_front(s, NULL, 0), 0);
    assert_string_equal(fm_search_parameter_unit(s, 0), "m");
    fm_search_free(s);
}

/* --- restarts --- */

/* Rastrigin's function: a minimum at every integer, 0 at (0, 0). */
static void bumps(const double *x, size_t n, double *v)
{
    v[0] = 10 * (double)n;
    for (size_t i = 0; i < n; i++)
        v[0] += x[i] * x[i] - 10 * cos(2 * acos(-1) * x[i]);
}

static void restarts_with_greater_populations_leave_local_minima(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"a=-5.1:4.9", "b=-5.1:4.9"};
    static const double start[] = {4, -4};
    fm_search_options o = options_of(vary, 2);
    size_t restart;
    o.start = start, o.step = 0.03, o.generations = 200;
    fm_search *s = solve(&o, bumps);
    assert_greater(value_of(s, fm_search_best(s), 0), 0.9); /* another minimum: at least 0.995 */
    assert_string_equal(fm_search_ended(s), "the search has converged");
    fm_search_free(s);
    o.restarts = 6, o.step = 0.2;
    s = solve(&o, bumps);
    below("the least minimum", value_of(s, fm_search_best(s), 0), 1e-3);
    (void)fm_search_generation_of(s, fm_search_count(s) - 1, &restart);
    assert_int_equal(restart, 6);
    fm_search_free(s);
}

/* --- fronts --- */

/* ZDT1 (Zitzler, Deb, Thiele 2000): the front is f2 = 1 − √f1. */
static void zdt1(const double *x, size_t n, double *v)
{
    double g = 0;
    for (size_t i = 1; i < n; i++)
        g += x[i];
    g = 1 + 9 * g / (double)(n - 1);
    v[0] = x[0];
    v[1] = g * (1 - sqrt(x[0] / g));
}

/* Binh and Korn (1997): on the front x = y up to 3, then y = 3; the ends are (0, 50) and (136, 4). */
static void binh_korn(const double *x, size_t n, double *v)
{
    (void)n;
    v[0] = 4 * x[0] * x[0] + 4 * x[1] * x[1];
    v[1] = pow(x[0] - 5, 2) + pow(x[1] - 5, 2);
    v[2] = pow(x[0] - 5, 2) + x[1] * x[1] - 25;
    v[3] = 7.7 - pow(x[0] - 8, 2) - pow(x[1] + 3, 2);
}

/* The second objective on the front of Binh and Korn: both equal up to f1 = 72, from then on y = 3. */
static double binh_korn_front(double f1)
{
    double x = sqrt(f1 / 8);
    return f1 <= 72 ? 2 * pow(x - 5, 2) : pow(sqrt(f1 / 4 - 9) - 5, 2) + 4;
}

/* The largest gap between neighbours on the front, in the first objective. */
static double widest_gap(const fm_search *s, const size_t *front, size_t count)
{
    double gap = 0;
    for (size_t i = 1; i < count; i++)
        gap = fmax(gap, value_of(s, front[i], 0) - value_of(s, front[i - 1], 0));
    return gap;
}

static void the_front_of_two_objectives_is_the_known_curve(void **unused)
{
    (void)unused;
    static const char *const ten[] = {"a=0:1", "b=0:1", "c=0:1", "d=0:1", "e=0:1",
                                      "f=0:1", "g=0:1", "h=0:1", "i=0:1", "j=0:1"};
    static size_t front[40000];
    fm_search_options o = options_of(ten, 10);
    o.told_objectives = 2, o.population = 60, o.generations = 250;
    fm_search *s = solve(&o, zdt1);
    size_t count = fm_search_front(s, front, 40000);
    assert_in_range(count, 60, 40000);
    for (size_t i = 0; i < count; i++) /* never beyond the front, and close to it */
        assert_between(-1e-12, value_of(s, front[i], 1) - (1 - sqrt(value_of(s, front[i], 0))), 0.01);
    below("gap", widest_gap(s, front, count), 0.05);
    fm_search_free(s);

    static const char *const two[] = {"x=0:5", "y=0:3"};
    o = options_of(two, 2);
    o.told_objectives = 2, o.told_constraints = 2, o.population = 60, o.generations = 80;
    s = solve(&o, binh_korn);
    count = fm_search_front(s, front, 40000);
    for (size_t i = 0; i < count; i++)
        assert_between(-1e-9, value_of(s, front[i], 1) - binh_korn_front(value_of(s, front[i], 0)), 0.5);
    assert_between(0, value_of(s, front[0], 0), 0.1);
    assert_between(130, value_of(s, front[count - 1], 0), 136.0001);
    below("gap", widest_gap(s, front, count), 8);
    fm_search_free(s);
}

/* --- the interface --- */

static void the_same_options_and_values_give_the_same_points(void **unused)
{
    (void)unused;
    static const char *const vary[] = {"a=-5.12:5.12", "b=-5.12:5.12"};
    fm_search_options o = options_of(vary, 2);
    o.restarts = 1, o.generations = 20;
    for (o.told_objectives = 1; o.told_objectives <= 2; o.told_objectives++, o.restarts = 0) {
        fm_search *a = solve(&o, o.told_objectives == 1 ? bumps : zdt1),
                  *b = solve(&o, o.told_objectives == 1 ? bumps : zdt1);
        assert_int_equal(fm_search_count(a), fm_search_count(b));
        assert_memory_equal(fm_search_points(a), fm_search_points(b), fm_search_count(a) * 2 * sizeof(double));
        o.seeded = 1, o.seed = 5;
        fm_search *c = solve(&o, o.told_objectives == 1 ? bumps : zdt1);
        assert_memory_not_equal(fm_search_points(a), fm_search_points(c), 20 * sizeof(double));
        o.seeded = 0;
        fm_search_free(a);
        fm_search_free(b);
        fm_search_free(c);
    }
}

/* Half of the range fails. */
static void cliff(const double *x, size_t n, double *v)
{
    (void)n;
    v[0] = x[0] < 0.3 ? NAN : x[0] * x[0];
}

static void failed_points_are_worse_than_all_others(void **unused)
{
    (void)unused;
    static const char *const one[] = {"a=-1:1"};
    fm_search *s = solve(&(fm_search_options){.size = sizeof(fm_search_options), .vary = one, .vary_count = 1}, cliff);
    assert_near(best_of(s)[0], 0.3, 1e-3);
    assert_int_equal(fm_search_front(s, NULL, 0), 1);
    fm_search_free(s);
}

static int stop_at_three(void *user, const fm_search *s)
{
    *(size_t *)user = fm_search_generations(s);
    return fm_search_generations(s) == 3;
}

static void wrong_calls_are_refused_with_the_reason(void **unused)
{
    (void)unused;
    static const char *const one[] = {"a=-1:1"}, *const wrong[] = {"a=1:-1"}, *const goal[] = {"rov.x"};
    double points[ROOM], values[ROOM] = {0};
    size_t seen = 0;
    fm_error error = {0};
    fm_search_options o = options_of(one, 1);
    o.progress = stop_at_three, o.user = &seen;
    fm_search *s = fm_search_create(NULL, &o, &error);
    assert_non_null(s);
    assert_int_equal(fm_search_tell(s, values, 4, &error), FM_ERR_ARGUMENT); /* nothing was asked for */
    assert_int_equal(fm_search_ask(s, points, 3), 0);                        /* no room for four */
    assert_int_equal(fm_search_ask(s, points, ROOM), 4);
    values[0] = points[0];
    assert_int_equal(fm_search_ask(s, points, ROOM), 4);
    assert_near(points[0], values[0], 0); /* the same until they are told */
    assert_int_equal(fm_search_tell(s, values, 3, &error), FM_ERR_ARGUMENT);
    assert_int_equal(fm_search_tell(s, values, 4, &error), FM_OK);
    assert_int_equal(seen, 1);
    assert_int_equal(fm_search_run(s, &error), FM_ERR_ARGUMENT); /* it has no model */
    assert_non_null(strstr(error.text, "fm_search_ask"));
    fm_search_free(s);
    o.vary = wrong;
    assert_null(fm_search_create(NULL, &o, &error));
    assert_non_null(strstr(error.text, "A less than B"));
    o.vary = one, o.minimise = goal, o.minimise_count = 1;
    assert_null(fm_search_create(NULL, &o, &error));
    assert_non_null(strstr(error.text, "without a model"));
    o = options_of(one, 1);
    o.population = 3;
    assert_null(fm_search_create(NULL, &o, &error));
    assert_non_null(strstr(error.text, "must be 4 … 128"));
    o.population = 0, o.told_objectives = 2, o.restarts = 1;
    assert_null(fm_search_create(NULL, &o, &error));
    o.size--;
    assert_null(fm_search_create(NULL, &o, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constrained_optima_are_found_on_the_boundary),
        cmocka_unit_test(where_nothing_is_feasible_the_least_violation_is_reported),
        cmocka_unit_test(restarts_with_greater_populations_leave_local_minima),
        cmocka_unit_test(the_front_of_two_objectives_is_the_known_curve),
        cmocka_unit_test(the_same_options_and_values_give_the_same_points),
        cmocka_unit_test(failed_points_are_worse_than_all_others),
        cmocka_unit_test(wrong_calls_are_refused_with_the_reason),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
