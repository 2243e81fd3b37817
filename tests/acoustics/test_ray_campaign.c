/* Eigenrays against an independent solution: the ray equations integrated by GSL (Prince and Dormand, 8th order) in the
 * smooth profile, a dense fan of them, and every crossing of a receiver's depth solved for its travel time. A few cases
 * as a test; `--whole [RAYS]` takes the whole grid and prints a table (docs/theory/acoustics.md). */
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <stdlib.h>
#include <string.h>

#include "acoustics/eigenray.h"
#include "support/near.h"

#define STEP 100.0 /* m of range */
enum { RANGES_MOST = 24, DEPTHS_MOST = 16, ROOTS_MOST = 512 };

/* --- profiles: speed and its gradient at a depth --- */

typedef struct water {
    const char *name;
    double (*speed)(double z);
    double (*slope)(double z);
    double depth, source; /* m */
    double steepest;      /* degrees, of launch */
} water;

static double munk_speed(double z)
{
    const double eta = 2 * (z - 1300) / 1300;
    return 1500 * (1 + 0.00737 * (eta - 1 + exp(-eta)));
}

static double munk_slope(double z)
{
    return 1500 * 0.00737 * 2 / 1300 * (1 - exp(-2 * (z - 1300) / 1300));
}

/* A layer that the wind has mixed, in which pressure alone bends sound up, over a smooth thermocline. */
static double duct_speed(double z)
{
    return 1500 + 0.016 * z - 30 / (1 + exp(-(z - 150) / 15));
}

static double duct_slope(double z)
{
    const double e = exp(-(z - 150) / 15);
    return 0.016 - 30 * e / (15 * (1 + e) * (1 + e));
}

/* Two channels one above the other. */
static double twin_speed(double z)
{
    return 1500 + 0.004 * z - 8 * exp(-(z - 300) * (z - 300) / (2 * 120.0 * 120)) -
           10 * exp(-(z - 1500) * (z - 1500) / (2 * 300.0 * 300));
}

static double twin_slope(double z)
{
    const double a = (z - 300) / (120.0 * 120), b = (z - 1500) / (300.0 * 300);
    return 0.004 + 8 * a * exp(-(z - 300) * a / 2) + 10 * b * exp(-(z - 1500) * b / 2);
}

static double still_speed(double z)
{
    (void)z;
    return 1500;
}

static double still_slope(double z)
{
    (void)z;
    return 0;
}

static double even_speed(double z)
{
    return 1500 + 0.017 * z;
}

static double even_slope(double z)
{
    (void)z;
    return 0.017;
}

/* --- the other solution --- */

typedef struct path {
    double z, angle, time; /* m, rad downwards, s */
    int surface, bottom;
} path;

static int derive(double x, const double y[], double f[], void *user)
{
    (void)x;
    const water *w = user;
    const double c = w->speed(y[0]);
    f[0] = tan(y[1]);
    f[1] = -w->slope(y[0]) / c;
    f[2] = 1 / (c * cos(y[1]));
    return GSL_SUCCESS;
}

static gsl_odeiv2_step *stepper;

static void step_by(const water *w, const path *from, double h, path *to)
{
    gsl_odeiv2_system system = {derive, NULL, 3, (void *)(uintptr_t)w};
    double y[3] = {from->z, from->angle, from->time}, error[3];
    gsl_odeiv2_step_reset(stepper);
    assert_int_equal(gsl_odeiv2_step_apply(stepper, 0, h, y, error, NULL, NULL, &system), GSL_SUCCESS);
    *to = *from;
    to->z = y[0];
    to->angle = y[1];
    to->time = y[2];
}

/* The part of a step up to a boundary, and the reflection there. */
static double reflect(const water *w, path *p, double h, double wall)
{
    double low = 0, high = h;
    path q = *p;
    for (int i = 0; i < 60 && high - low > 1e-11; i++) {
        const double m = 0.5 * (low + high);
        step_by(w, p, m, &q);
        if ((q.z - wall) * (wall == 0 ? -1 : 1) > 0)
            high = m;
        else
            low = m;
    }
    step_by(w, p, low, &q);
    q.z = wall;
    q.angle = -q.angle;
    q.surface += wall == 0;
    q.bottom += wall != 0;
    *p = q;
    return low;
}

static void march(const water *w, path *p, double range)
{
    for (double left = range; left > 1e-9;) {
        path q;
        double h = fmin(left, STEP);
        step_by(w, p, h, &q);
        if (q.z < 0 || q.z > w->depth)
            h = reflect(w, p, h, q.z < 0 ? 0 : w->depth);
        else
            *p = q;
        left -= fmax(h, 1e-9);
    }
}

static path launch(const water *w, double angle, double range)
{
    path p = {.z = w->source, .angle = angle};
    march(w, &p, range);
    return p;
}

/* --- the comparison --- */

typedef struct tally {
    size_t rays, missed;
    size_t along; /* of those that run along a peak of the speed: not compared */
    double worst; /* s */
} tally;

/* The angle between two launches at which the depth is that of the receiver. */
static path solve_launch(const water *w, double low, double high, double at_low, double receiver, double range,
                         double *angle)
{
    path p = {0};
    double at_high = launch(w, high, range).z - receiver;
    for (int i = 0; i < 60 && fabs(high - low) > 1e-13; i++) {
        const double part = i % 3 == 2 ? 0.5 : fmin(fmax(at_low / (at_low - at_high), 0.01), 0.99);
        *angle = low + part * (high - low);
        p = launch(w, *angle, range);
        const double miss = p.z - receiver;
        if (fabs(miss) < 1e-7)
            break;
        if ((miss > 0) == (at_low > 0))
            low = *angle, at_low = miss;
        else
            high = *angle, at_high = miss;
    }
    return p;
}

static void compare(const water *w, const fm_arrival *list, size_t count, const path *p, double angle, double depth,
                    double range, tally *t)
{
    double best = INFINITY;
    for (size_t i = 0; i < count; i++)
        if (list[i].surface == p->surface && list[i].bottom == p->bottom && fabs(list[i].time - p->time) < fabs(best) &&
            fabs(list[i].launch - angle) < 1e-3)
            best = list[i].time - p->time;
    t->rays++;
    if (fabs(best) > 1e-4) {
        t->missed++;
        print_error(
            "%s: %g m at %g km: the ray at %.6f deg (%d surface, %d bottom), %.6f s, is not there: off by %g s\n",
            w->name, depth, range / 1000, angle / DEGREE, p->surface, p->bottom, p->time, best);
    } else {
        t->worst = fmax(t->worst, fabs(best));
    }
}

/* A ray that runs along a peak of the speed before it falls off: 0.1 µrad make metres. Layers of even gradient part
 * there, and have no such rays. */
static int runs_along(const water *w, double angle, double range)
{
    return fabs(launch(w, angle + 1e-7, range).z - launch(w, angle - 1e-7, range).z) > 5;
}

static void view_at(const water *w, const fm_waveguide *guide, const path *fan, int rays, double depth, double range,
                    tally *t)
{
    static fm_arrival list[ROOTS_MOST];
    const double steep = w->steepest * DEGREE;
    const fm_eigenray_options options = {.lowest = -steep, .highest = steep, .reflections = 60};
    const size_t count = fm_eigenrays_find(guide, w->source, depth, range, &options, list, ROOTS_MOST);
    for (int i = 1; i <= rays; i++) {
        const double a = fan[i - 1].z - depth, b = fan[i].z - depth;
        if ((a > 0) == (b > 0))
            continue;
        double angle = 0;
        const double low = -steep + 2 * steep * (i - 1) / rays, high = -steep + 2 * steep * i / rays;
        const path p = solve_launch(w, low, high, a, depth, range, &angle);
        if (runs_along(w, angle, range))
            t->along++;
        else if (fabs(p.z - depth) < 1e-3) /* else two rays between whose reflections it jumps */
            compare(w, list, count, &p, angle, depth, range, t);
    }
}

/* The profile as the simulator has it: straight pieces, of a few centimetres near the bends. */
static fm_waveguide guide_of(const water *w, fm_arena *arena)
{
    fm_error error = {0};
    fm_sound_profile profile;
    fm_waveguide guide;
    const double start = 0;
    if (w->speed == munk_speed) {
        assert_int_equal(fm_sound_profile_munk(&profile, w->depth, arena, &error), FM_OK);
    } else {
        const size_t count = w->speed == still_speed || w->speed == even_speed ? 2 : (size_t)(w->depth) + 1;
        double *z = fm_arena_alloc(arena, 2 * count * sizeof *z), *c = z + count;
        for (size_t i = 0; i < count; i++) {
            z[i] = w->depth * (double)i / (double)(count - 1);
            c[i] = w->speed(z[i]);
        }
        profile = (fm_sound_profile){count, z, c};
    }
    assert_int_equal(
        fm_waveguide_make(&guide, &profile, &(fm_bottom_line){1, &start, &w->depth}, &(fm_seabed){0}, 0, arena, &error),
        FM_OK);
    return guide;
}

static tally survey(const water *w, const double *depths, int depth_count, const double *ranges, int range_count,
                    int rays)
{
    fm_arena arena = {0};
    tally t = {0};
    const fm_waveguide guide = guide_of(w, &arena);
    path *fan = calloc((size_t)rays + 1, sizeof *fan);
    stepper = gsl_odeiv2_step_alloc(gsl_odeiv2_step_rk8pd, 3);
    for (int i = 0; i <= rays; i++)
        fan[i] = (path){.z = w->source, .angle = (-1 + 2.0 * i / rays) * w->steepest * DEGREE};
    for (int r = 0; r < range_count; r++) {
        for (int i = 0; i <= rays; i++)
            march(w, &fan[i], ranges[r] - (r ? ranges[r - 1] : 0));
        for (int d = 0; d < depth_count; d++)
            view_at(w, &guide, fan, rays, depths[d], ranges[r], &t);
    }
    gsl_odeiv2_step_free(stepper);
    free(fan);
    fm_arena_free(&arena);
    return t;
}

/* --- what is surveyed --- */

static const water waters[] = {
    {"Munk", munk_speed, munk_slope, 5000, 1000, 20},
    {"Munk, shallow source", munk_speed, munk_slope, 5000, 100, 20},
    {"one speed", still_speed, still_slope, 1000, 300, 45},
    {"one gradient", even_speed, even_slope, 4000, 700, 30},
    {"surface duct", duct_speed, duct_slope, 1000, 60, 20},
    {"two ducts", twin_speed, twin_slope, 3000, 400, 20},
};

static void a_few_cases_agree_with_the_integration(void **state)
{
    (void)state;
    static const double depths[] = {800, 4000}, ranges[] = {20000, 55000};
    const tally t = survey(&waters[0], depths, 2, ranges, 2, 300);
    below("rays", 10, (double)t.rays);
    assert_int_equal(t.missed, 0);
    below("worst time", t.worst, 1e-4);
}

static int survey_all(int rays)
{
    static const double ranges[] = {5e3, 10e3, 20e3, 30e3, 40e3, 50e3, 60e3, 70e3, 80e3, 90e3, 100e3};
    static const double parts[] = {0.02, 0.06, 0.12, 0.2, 0.26, 0.4, 0.6, 0.8, 0.9, 0.98};
    int missed = 0;
    for (size_t i = 0; i < sizeof waters / sizeof *waters; i++) {
        double depths[DEPTHS_MOST];
        for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
            depths[k] = parts[k] * waters[i].depth;
        const int far = waters[i].depth > 2000 ? 11 : 5;
        const tally t = survey(&waters[i], depths, (int)(sizeof parts / sizeof *parts), ranges, far, rays);
        printf("%-22s %6zu rays, %zu missed, worst time %.2g ms; %zu along a peak\n", waters[i].name, t.rays, t.missed,
               1e3 * t.worst, t.along);
        missed += (int)t.missed;
    }
    return missed != 0;
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "--whole") == 0)
        return survey_all(argc > 2 ? atoi(argv[2]) : 4000);
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_few_cases_agree_with_the_integration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
