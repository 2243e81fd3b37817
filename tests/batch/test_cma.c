/* CMA-ES on functions whose least value is known, in as many evaluations as published runs took. */
#include "studies/cma.h"

#include <math.h>

#include "support/cmocka_all.h"
#include "support/near.h"

enum { N = 8 };

static double sphere(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * x[i];
    return sum;
}

/* Axes of lengths 1 to 1000: condition 1e6. */
static double ellipsoid(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += pow(1e6, (double)i / (N - 1)) * x[i] * x[i];
    return sum;
}

static double rosenbrock(const double *x)
{
    double sum = 0;
    for (int i = 0; i + 1 < N; i++)
        sum += 100 * (x[i + 1] - x[i] * x[i]) * (x[i + 1] - x[i] * x[i]) + (1 - x[i]) * (1 - x[i]);
    return sum;
}

/* Evaluations until the function is below 1e-10. */
static size_t search(double (*f)(const double *), double start, double sigma, uint64_t seed, fm_cma *s)
{
    double first[N], points[4 * FM_CMA_MOST * N], values[4 * FM_CMA_MOST];
    for (int i = 0; i < N; i++)
        first[i] = start;
    fm_cma_begin(s, N, first, sigma, 0, seed);
    while (s->best_value > 1e-10 && s->evaluations < 100000) {
        fm_cma_ask(s, points);
        for (size_t k = 0; k < s->lambda; k++)
            values[k] = f(points + k * N);
        fm_cma_tell(s, points, values);
    }
    return s->evaluations;
}

/* The middle one of five seeds. */
static double usual_count(double (*f)(const double *), double start, double sigma)
{
    fm_cma s;
    size_t counts[5];
    for (uint64_t seed = 0; seed < 5; seed++) {
        size_t count = search(f, start, sigma, seed, &s), at = seed;
        below("least value", s.best_value, 1e-10);
        for (; at > 0 && counts[at - 1] > count; at--)
            counts[at] = counts[at - 1];
        counts[at] = count;
    }
    return (double)counts[2];
}

static void the_default_constants_are_those_of_the_tutorial(void **unused)
{
    (void)unused;
    fm_cma s;
    fm_cma_begin(&s, 8, (const double[8]){0}, 1, 0, 1);
    assert_int_equal(s.lambda, 10); /* 4 + 3 ln 8 = 10.24 */
    assert_int_equal(s.mu, 5);
    near("mu_eff", s.mu_eff, 3.1673, 1e-3);
    near("sum of weights", s.weights[0] + s.weights[1] + s.weights[2] + s.weights[3] + s.weights[4], 1, 1e-14);
    near("c_1", s.c_1, 2 / (9.3 * 9.3 + s.mu_eff), 1e-15);
    near("chi", s.chi, sqrt(2) * tgamma(4.5) / tgamma(4), 2e-3);
}

/* Hansen and Ostermeier 2001 (figs. 4, 5), Hansen 2016: about 10² n, 10³ n, 10³ n evaluations in some ten dimensions.
 */
static void a_sphere_takes_some_hundred_evaluations_a_dimension(void **unused)
{
    (void)unused;
    double count = usual_count(sphere, 1, 0.5);
    print_message("sphere: %g evaluations\n", count);
    assert_between(500, count, 2000);
}

static void an_ellipsoid_of_condition_1e6_is_learnt(void **unused)
{
    (void)unused;
    double count = usual_count(ellipsoid, 1, 0.5);
    print_message("ellipsoid: %g evaluations\n", count);
    assert_between(2000, count, 8000);
}

static void the_valley_of_rosenbrock_is_followed_to_its_end(void **unused)
{
    (void)unused;
    double count = usual_count(rosenbrock, 0, 0.1);
    print_message("Rosenbrock: %g evaluations\n", count);
    assert_between(2000, count, 12000);
}

/* A search sees ranks alone: any rising function of the values leads the same way, bit by bit. */
static double root_of_ellipsoid(const double *x)
{
    return sqrt(sqrt(ellipsoid(x))) - 5;
}

static void only_the_order_of_values_counts(void **unused)
{
    (void)unused;
    fm_cma a, b;
    double points[2][4 * FM_CMA_MOST * N], values[2][4 * FM_CMA_MOST], first[N] = {1, 1, 1, 1, 1, 1, 1, 1};
    fm_cma_begin(&a, N, first, 0.5, 0, 3);
    fm_cma_begin(&b, N, first, 0.5, 0, 3);
    for (int g = 0; g < 200; g++) {
        fm_cma_ask(&a, points[0]);
        fm_cma_ask(&b, points[1]);
        for (size_t k = 0; k < a.lambda; k++) {
            values[0][k] = ellipsoid(points[0] + k * N);
            values[1][k] = root_of_ellipsoid(points[1] + k * N);
        }
        fm_cma_tell(&a, points[0], values[0]);
        fm_cma_tell(&b, points[1], values[1]);
    }
    assert_memory_equal(a.mean, b.mean, sizeof a.mean);
    assert_memory_equal(&a.sigma, &b.sigma, sizeof a.sigma);
}

static void points_without_a_value_are_the_worst(void **unused)
{
    (void)unused;
    fm_cma s;
    double points[4 * FM_CMA_MOST * N], values[4 * FM_CMA_MOST], first[N] = {1, 1, 1, 1, 1, 1, 1, 1};
    fm_cma_begin(&s, N, first, 0.5, 0, 3);
    for (int g = 0; g < 300; g++) {
        fm_cma_ask(&s, points);
        for (size_t k = 0; k < s.lambda; k++)
            values[k] = points[k * N] > 1.2 ? NAN : sphere(points + k * N);
        fm_cma_tell(&s, points, values);
    }
    below("least value", s.best_value, 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_constants_are_those_of_the_tutorial),
        cmocka_unit_test(a_sphere_takes_some_hundred_evaluations_a_dimension),
        cmocka_unit_test(an_ellipsoid_of_condition_1e6_is_learnt),
        cmocka_unit_test(the_valley_of_rosenbrock_is_followed_to_its_end),
        cmocka_unit_test(only_the_order_of_values_counts),
        cmocka_unit_test(points_without_a_value_are_the_worst),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
