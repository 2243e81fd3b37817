/* Rays against closed forms, images, an integration of the ray equations, and reciprocity. */
#include "acoustics/eigenray.h"

#include "acoustics/field.h"
#include "support/near.h"

#define PI 3.14159265358979323846

static fm_arena arena;
static fm_error error;

static fm_waveguide guide_of(const fm_sound_profile *profile, double depth)
{
    fm_waveguide guide;
    double start = 0;
    fm_bottom_line bottom = {1, &start, &depth};
    assert_int_equal(fm_waveguide_make(&guide, profile, &bottom, &(fm_seabed){0}, 0, &arena, &error), FM_OK);
    return guide;
}

static fm_waveguide still_water(double depth)
{
    fm_sound_profile profile;
    assert_int_equal(fm_sound_profile_constant(&profile, 1500, &arena, &error), FM_OK);
    return guide_of(&profile, depth);
}

static fm_waveguide even_gradient(void)
{
    static const double depth[2] = {0, 5000}, speed[2] = {1500, 1500 + 0.017 * 5000};
    return guide_of(&(fm_sound_profile){2, depth, speed}, 5000);
}

static fm_waveguide munk(void)
{
    fm_sound_profile profile;
    assert_int_equal(fm_sound_profile_munk(&profile, 5000, &arena, &error), FM_OK);
    return guide_of(&profile, 5000);
}

/* --- one gradient --- */

static void a_ray_turns_where_its_circle_does(void **state)
{
    (void)state;
    fm_waveguide guide = even_gradient();
    fm_ray ray = fm_ray_launch(&guide, 0, 10 * DEGREE);
    fm_ray_advance(&guide, &ray, 15558.2630, 5, 0, NULL, NULL);
    assert_near(ray.depth, 1361.1716, 1e-4);
    assert_near(ray.time, 10.31916645, 1e-8);
    assert_near(ray.sine, 0, 1e-8);
}

static void the_time_between_two_points_is_the_closed_form(void **state)
{
    (void)state;
    fm_waveguide guide = even_gradient();
    fm_arrival list[64];
    size_t count = fm_eigenrays_find(&guide, 0, 800, 3000, &(fm_eigenray_options){0}, list, 64);
    assert_at_least(count, 2);
    double g = 0.017, c1 = 1500, c2 = 1500 + g * 800, d2 = 3000.0 * 3000 + 800.0 * 800;
    assert_near(list[0].time, acosh(1 + g * g * d2 / (2 * c1 * c2)) / g, 1e-9);
    assert_near(list[0].time, 2.060464449, 1e-9);
}

static void layers_of_one_gradient_are_one_layer(void **state)
{
    (void)state;
    double depth[101], speed[101];
    for (int i = 0; i <= 100; i++)
        depth[i] = 50 * i, speed[i] = 1500 + 0.017 * depth[i];
    fm_waveguide many = guide_of(&(fm_sound_profile){101, depth, speed}, 5000), one = even_gradient();
    for (double angle = -60; angle <= 60; angle += 7.3) {
        fm_ray a = fm_ray_launch(&many, 1234, angle * DEGREE), b = fm_ray_launch(&one, 1234, angle * DEGREE);
        fm_ray_advance(&many, &a, 40000, 100, 0, NULL, NULL);
        fm_ray_advance(&one, &b, 40000, 100, 0, NULL, NULL);
        assert_near(a.depth, b.depth, 1e-4);
        assert_near(a.time, b.time, 1e-8);
        assert_near(a.q / b.q, 1, 1e-6);
        assert_int_equal(a.surface, b.surface);
        assert_int_equal(a.bottom, b.bottom);
    }
}

/* --- one speed: images --- */

static void arrivals_in_still_water_are_those_of_images(void **state)
{
    (void)state;
    static const double times[8] = {333.9328, 338.6903, 341.3047, 352.0732, 366.909, 385.3426, 392.2018, 414.6752};
    static const int surface[8] = {0, 1, 0, 1, 1, 2, 1, 2}, bottom[8] = {0, 0, 1, 1, 1, 1, 2, 2};
    fm_waveguide guide = still_water(100);
    fm_arrival list[64];
    size_t count = fm_eigenrays_find(&guide, 30, 60, 500, &(fm_eigenray_options){0}, list, 64);
    assert_at_least(count, 8);
    for (int i = 0; i < 8; i++) {
        assert_near(1e3 * list[i].time, times[i], 1e-4);
        assert_int_equal(list[i].surface, surface[i]);
        assert_int_equal(list[i].bottom, bottom[i]);
        assert_near(list[i].loss, 20 * log10(1500 * list[i].time), 1e-6); /* spherical, of the image */
        assert_near(fabs(list[i].phase), surface[i] % 2 ? PI : 0, 1e-9);
    }
}

static void every_image_within_the_angles_is_found(void **state)
{
    (void)state;
    fm_waveguide guide = still_water(73);
    fm_arrival list[512];
    double zs = 11, zr = 50, r = 900, limit = tan(60 * DEGREE);
    fm_eigenray_options options = {-60 * DEGREE, 60 * DEGREE, 200, 0, 0};
    size_t count = fm_eigenrays_find(&guide, zs, zr, r, &options, list, 512), images = 0;
    for (int m = 0; m < 40; m++) {
        double offsets[4] = {2 * 73 * m - zs + zr, 2 * 73 * (m + 1) - zs - zr, 2 * 73 * m + zs + zr,
                             2 * 73 * (m + 1) + zs - zr};
        for (int k = 0; k < 4; k++)
            images += fabs(offsets[k]) / r < limit;
    }
    assert_int_equal(count, images);
}

/* On the bottom the two images of each pair fall together, and rays touch the receiver without passing it. */
static void a_receiver_on_a_boundary_hears_each_ray_once(void **state)
{
    (void)state;
    fm_waveguide guide = still_water(100);
    fm_arrival list[64];
    const fm_eigenray_options options = {-60 * DEGREE, 60 * DEGREE, 30, 0, 0};
    const double r = 500, limit = tan(60 * DEGREE);
    for (int surface = 0; surface < 2; surface++) {
        size_t count = fm_eigenrays_find(&guide, 30, surface ? 0 : 100, r, &options, list, 64), expected = 0;
        for (int m = 0; m < 10; m++) {
            const double near_one = surface ? 200.0 * m + 30 : 200.0 * m + 70,
                         far_one = surface ? 200.0 * (m + 1) - 30 : 200.0 * m + 130;
            for (int k = 0; k < 2; k++) {
                const double rise = k ? far_one : near_one;
                if (rise / r > limit)
                    continue;
                assert_less(expected, count);
                assert_near(list[expected].time, hypot(r, rise) / 1500, 1e-9);
                expected++;
            }
        }
        assert_int_equal(count, expected);
    }
}

/* A peak of the speed between two layers parts the rays: none comes to a receiver in the gap between them. */
static void nothing_arrives_in_the_gap_that_a_peak_of_the_speed_leaves(void **state)
{
    (void)state;
    static const double depth[3] = {0, 200, 1000}, speed[3] = {1490, 1500, 1460};
    fm_waveguide guide = guide_of(&(fm_sound_profile){3, depth, speed}, 1000);
    fm_arrival list[64];
    /* source on the peak: level rays part to circles of 30 km above and below, over 3 km by 150 m each */
    const fm_eigenray_options options = {-2 * DEGREE, 2 * DEGREE, 1, 0, 0};
    for (double z = 62; z <= 342; z += 20)
        assert_int_equal(fm_eigenrays_find(&guide, 200, z, 3000, &options, list, 64), 0);
    assert_int_equal(fm_eigenrays_find(&guide, 200, 45, 3000, &options, list, 64), 2); /* one by the surface */
    assert_int_equal(fm_eigenrays_find(&guide, 200, 355, 3000, &options, list, 64), 1);
}

/* --- a slope --- */

static void a_sloping_bottom_reflects_as_its_mirror(void **state)
{
    (void)state;
    fm_sound_profile profile;
    fm_waveguide guide;
    double range[2] = {0, 2000}, depth[2] = {100, 300};
    assert_int_equal(fm_sound_profile_constant(&profile, 1500, &arena, &error), FM_OK);
    assert_int_equal(
        fm_waveguide_make(&guide, &profile, &(fm_bottom_line){2, range, depth}, &(fm_seabed){0}, 0, &arena, &error),
        FM_OK);
    fm_arrival list[64];
    size_t count =
        fm_eigenrays_find(&guide, 50, 80, 1000, &(fm_eigenray_options){-70 * DEGREE, 70 * DEGREE, 1, 0, 0}, list, 64);
    /* image of the source (0, 50) in the line z = 100 + 0.1 x */
    double n = sqrt(1.01), away = (100 - 50) / n, image_x = -2 * away * 0.1 / n, image_z = 50 + 2 * away / n;
    double expected = hypot(1000 - image_x, 80 - image_z), found = 0;
    for (size_t i = 0; i < count; i++)
        if (list[i].bottom == 1 && list[i].surface == 0) {
            found = 1500 * list[i].time;
            assert_near(list[i].loss, 10 * log10(expected * 1000 * expected / 1000 * 1), 0.5); /* near spherical */
        }
    assert_near(found, expected, 1e-4);
}

/* --- Munk --- */

static double speed_of(double z)
{
    double eta = 2 * (z - 1300) / 1300;
    return 1500 * (1 + 0.00737 * (eta - 1 + exp(-eta)));
}

static double gradient_of(double z)
{
    return 1500 * 0.00737 * 2 / 1300 * (1 - exp(-2 * (z - 1300) / 1300));
}

/* RK4 of z and θ over range in the smooth profile; 0: it met a boundary. */
static int integrate(double depth, double angle, double range, double step, double *end, double *time)
{
    double z = depth, a = angle, t = 0;
    int n = (int)(range / step + 0.5);
    double h = range / n;
    for (int i = 0; i < n; i++) {
        double k[4][3];
        for (int s = 0; s < 4; s++) {
            double w = s == 0 ? 0 : s == 3 ? h : h / 2;
            double zs = z + (s ? w * k[s - 1][0] : 0), as = a + (s ? w * k[s - 1][1] : 0), c = speed_of(zs);
            k[s][0] = tan(as);
            k[s][1] = -gradient_of(zs) / c;
            k[s][2] = 1 / (c * cos(as));
        }
        z += h / 6 * (k[0][0] + 2 * k[1][0] + 2 * k[2][0] + k[3][0]);
        a += h / 6 * (k[0][1] + 2 * k[1][1] + 2 * k[2][1] + k[3][1]);
        t += h / 6 * (k[0][2] + 2 * k[1][2] + 2 * k[2][2] + k[3][2]);
        if (z < 0 || z > 5000)
            return 0;
    }
    *end = z;
    *time = t;
    return 1;
}

/* Travel times of all rays without a reflection that an even fan of the integration encloses. */
static size_t integrated_arrivals(double source, double receiver, double range, double *times, size_t most)
{
    enum { FAN = 700 };
    size_t count = 0;
    double before = 0, last = 0, time;
    int alive = 0;
    for (int i = 0; i <= FAN; i++) {
        double angle = (-14.5 + 29.0 * i / FAN) * DEGREE, z;
        int now = integrate(source, angle, range, 200, &z, &time);
        if (now && alive && (z > receiver) != (before > receiver) && count < most) {
            double low = last, high = angle, at_low = before, m = 0;
            for (int k = 0; k < 40; k++) {
                m = 0.5 * (low + high);
                integrate(source, m, range, 100, &z, &time);
                if ((z > receiver) == (at_low > receiver))
                    low = m;
                else
                    high = m;
            }
            integrate(source, m, range, 50, &z, &time);
            times[count++] = time;
            integrate(source, angle, range, 200, &z, &time);
        }
        alive = now;
        before = z;
        last = angle;
    }
    return count;
}

static void munk_agrees_with_an_integration_of_the_ray_equations(void **state)
{
    (void)state;
    static const double cases[3][2] = {{1000, 100000}, {2000, 80000}, {1500, 40000}};
    fm_waveguide guide = munk();
    for (int c = 0; c < 3; c++) {
        double times[64];
        size_t known = integrated_arrivals(1000, cases[c][0], cases[c][1], times, 64);
        fm_arrival list[256];
        fm_eigenray_options options = {-14.5 * DEGREE, 14.5 * DEGREE, 20, 0, 0};
        size_t count = fm_eigenrays_find(&guide, 1000, cases[c][0], cases[c][1], &options, list, 256);
        assert_greater(known, 0);
        for (size_t i = 0; i < known; i++) {
            double best = INFINITY;
            for (size_t k = 0; k < count; k++)
                if (list[k].surface + list[k].bottom == 0 && fabs(list[k].time - times[i]) < fabs(best))
                    best = list[k].time - times[i];
            assert_near(best, 0, 2e-5);
        }
    }
}

static void there_and_back_take_the_same_time_and_lose_the_same(void **state)
{
    (void)state;
    fm_waveguide guide = munk();
    fm_arrival there[256], back[256];
    fm_eigenray_options options = {-20 * DEGREE, 20 * DEGREE, 20, 0, 0};
    size_t n = fm_eigenrays_find(&guide, 300, 1900, 47000, &options, there, 256);
    assert_int_equal(fm_eigenrays_find(&guide, 1900, 300, 47000, &options, back, 256), n);
    assert_greater(n, 2);
    for (size_t i = 0; i < n; i++) {
        assert_near(there[i].time, back[i].time, 1e-7);
        assert_near(there[i].loss, back[i].loss, 0.01);
        assert_near(there[i].launch, -back[i].arrival, 1e-6);
    }
}

/* --- caustics --- */

static fm_ray ray_to(const fm_waveguide *guide, double angle, double range)
{
    fm_ray ray = fm_ray_launch(guide, 500, angle);
    fm_ray_advance(guide, &ray, range, 0, 0, NULL, NULL);
    return ray;
}

/* Pressure at a depth as the integral over the rays about `middle`, each the plane wave that it is at the range, which
 * is right at caustics too. Those at the ends fade out. */
static double integral_of_rays(const fm_waveguide *guide, double middle, double half, double range, double z, double f)
{
    enum { N = 4000 };
    double re = 0, im = 0, step = 2 * half / N, omega = 2 * PI * f;
    for (int i = 0; i < N; i++) {
        double angle = middle + (i + 0.5) * step - half, h = 1e-6;
        fm_ray ray = ray_to(guide, angle, range), beside = ray_to(guide, angle + h, range);
        double turn = fabs(beside.sine / beside.speed - ray.sine / ray.speed) / h;
        double weight =
            sqrt(omega / (2 * PI) * ray.speed * ray.launch_cosine * turn / (ray.launch_speed * range * ray.cosine));
        double end = fabs(2.0 * i / N - 1), fade = end < 0.6 ? 1 : 0.5 + 0.5 * cos(PI * (end - 0.6) / 0.4);
        double phase = omega * (ray.time + ray.sine / ray.speed * (z - ray.depth));
        re += fade * weight * step * cos(phase);
        im += fade * weight * step * sin(phase);
    }
    return hypot(re, im);
}

/* Where the depth of rays at the range is an extremum of the launch angle. */
static double caustic_angle(const fm_waveguide *guide, double range)
{
    for (double angle = 1 * DEGREE; angle < 8 * DEGREE; angle += 0.002) {
        double low = angle, high = angle + 0.002, at;
        fm_ray a = ray_to(guide, low, range), b = ray_to(guide, high, range);
        if (a.lost || b.lost || (at = fm_ray_sensitivity(&a)) * fm_ray_sensitivity(&b) > 0)
            continue;
        for (int i = 0; i < 60; i++) {
            fm_ray m = ray_to(guide, 0.5 * (low + high), range);
            if (fm_ray_sensitivity(&m) * at > 0)
                low = m.lost ? low : 0.5 * (low + high);
            else
                high = 0.5 * (low + high);
        }
        return low;
    }
    return NAN;
}

/* Two gradients: rays that turn below the axis come up again, at a least range for each depth. */
static fm_waveguide bent_water(void)
{
    static const double depth[3] = {0, 1000, 4000}, speed[3] = {1520, 1490, 1541};
    return guide_of(&(fm_sound_profile){3, depth, speed}, 4000);
}

/* (A4.7) I = c cosθ0 / (c0 r |q|) against 1 m: unbounded at a caustic. */
static double loss_of(const fm_ray *ray)
{
    return -10 * log10(ray->speed * ray->launch_cosine / (ray->launch_speed * ray->range * fabs(ray->q))) - ray->level;
}

static void arrivals_at_a_caustic_are_as_loud_as_waves_make_them(void **state)
{
    (void)state;
    const double range = 38000;
    fm_waveguide guide = bent_water();
    double angle = caustic_angle(&guide, range);
    assert_greater(angle, 0);
    double depth = ray_to(&guide, angle, range).depth;
    for (double f = 500; f < 5000; f *= 3) {
        double most = 0, least = INFINITY, geometric = INFINITY;
        for (double z = depth - 150; z <= depth + 150; z += 2)
            most = fmax(most, integral_of_rays(&guide, angle, 0.04, range, z, f));
        for (double away = 1e-5; away < 1e-3; away *= 3) { /* rays beside the caustic, and what arrives where they do */
            fm_ray ray = ray_to(&guide, angle + away, range);
            fm_arrival list[64];
            fm_eigenray_options o = {angle - 2 * away, angle + 2 * away, 0, f, 0};
            size_t count = fm_eigenrays_find(&guide, 500, ray.depth, range, &o, list, 64);
            for (size_t i = 0; i < count; i++)
                least = fmin(least, list[i].loss);
            geometric = fmin(geometric, loss_of(&ray));
        }
        assert_near(least, -20 * log10(0.5 * most), 1); /* two rays meet, each has half */
        assert_less(geometric, least - 5);
    }
}

/* --- bounds --- */

static void places_outside_the_water_have_no_arrival(void **state)
{
    (void)state;
    fm_waveguide guide = still_water(100);
    fm_arrival list[8];
    fm_eigenray_options options = {0};
    assert_int_equal(fm_eigenrays_find(&guide, -1, 50, 100, &options, list, 8), 0);
    assert_int_equal(fm_eigenrays_find(&guide, 50, 101, 100, &options, list, 8), 0);
    assert_int_equal(fm_eigenrays_find(&guide, 50, 50, 0, &options, list, 8), 0);
    assert_int_equal(fm_eigenrays_find(&guide, 50, 50, NAN, &options, list, 8), 0);
    assert_int_equal(fm_eigenrays_find(&guide, 50, 50, 100, &options, list, 8), 8); /* the first eight */
    assert_near(list[0].time, 100 / 1500.0, 1e-12);
}

static void a_ray_along_the_axis_of_a_channel_arrives(void **state)
{
    (void)state;
    static const double depth[3] = {0, 1000, 2000}, speed[3] = {1520, 1500, 1520};
    fm_waveguide guide = guide_of(&(fm_sound_profile){3, depth, speed}, 2000);
    fm_ray ray = fm_ray_launch(&guide, 1000, 0);
    fm_ray_advance(&guide, &ray, 100000, 5, 0, NULL, NULL);
    assert_false(ray.lost);
    assert_near(ray.time, 100000 / 1500.0, 1e-6);
}

static void a_receiver_in_the_shadow_hears_nothing(void **state)
{
    (void)state;
    static const double depth[2] = {0, 3000}, speed[2] = {1550, 1450}; /* bends down: a shadow near the surface */
    fm_waveguide guide = guide_of(&(fm_sound_profile){2, depth, speed}, 3000);
    fm_arrival list[64];
    size_t n =
        fm_eigenrays_find(&guide, 50, 20, 8000, &(fm_eigenray_options){-10 * DEGREE, 10 * DEGREE, 1, 0, 0}, list, 64);
    for (size_t i = 0; i < n; i++)
        assert_greater(list[i].bottom, 0);
}

/* --- the field --- */

static void lloyds_mirror_has_its_fringes(void **state)
{
    (void)state;
    enum { COLUMNS = 501, ROWS = 41 };
    static double loss[COLUMNS * ROWS];
    static const double published[3][2] = {{50, 28.473}, {100, 35.529}, {500, 50.543}};
    fm_waveguide guide = still_water(5000);
    double k = 2 * PI * 1000 / 1500;
    for (int i = 0; i < 3; i++) {
        double range = published[i][0], cell = 2 * range / (2 * 100 + 1); /* the centre of column 100 */
        fm_field_options o = {.frequency = 1000, .range = 101 * cell, .depth = 20.5, .columns = 101, .rows = ROWS};
        assert_int_equal(fm_field_compute(&guide, 10, &o, loss, &error), FM_OK);
        double image = hypot(range, 20);
        size_t row = 19; /* its centre is 9.75 m deep */
        double depth = ((double)row + 0.5) * 0.5, d1 = hypot(range, depth - 10), d2 = hypot(range, depth + 10);
        double exact = -20 * log10(hypot(cos(k * d1) / d1 - cos(k * d2) / d2, sin(k * d1) / d1 - sin(k * d2) / d2));
        assert_near(loss[row * 101 + 100], exact, 0.05);
        double same = -20 * log10(hypot(cos(k * range) / range - cos(k * image) / image,
                                        sin(k * range) / range - sin(k * image) / image));
        assert_near(same, published[i][1], 1e-3);
    }
}

static void the_field_is_the_sum_of_its_arrivals(void **state)
{
    (void)state;
    enum { COLUMNS = 41, ROWS = 40 };
    static double loss[COLUMNS * ROWS];
    fm_waveguide guide = even_gradient();
    fm_field_options o = {.frequency = 400,
                          .range = 4100,
                          .depth = 4000,
                          .columns = COLUMNS,
                          .rows = ROWS,
                          .rays = 4000,
                          .lowest = -70 * DEGREE,
                          .highest = 70 * DEGREE,
                          .reflections = 1,
                          .incoherent = 1};
    assert_int_equal(fm_field_compute(&guide, 500, &o, loss, &error), FM_OK);
    for (size_t row = 10; row < 30; row += 5) {
        fm_arrival list[16];
        double range = 4100 * (30 + 0.5) / COLUMNS, depth = 100 * ((double)row + 0.5), power = 0;
        fm_eigenray_options e = {o.lowest, o.highest, 1, 0, 0};
        size_t n = fm_eigenrays_find(&guide, 500, depth, range, &e, list, 16);
        for (size_t i = 0; i < n; i++)
            power += pow(10, -0.1 * list[i].loss);
        assert_near(loss[row * COLUMNS + 30], -10 * log10(power), 0.1);
    }
}

static int tidy(void **state)
{
    (void)state;
    fm_arena_free(&arena);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ray_turns_where_its_circle_does),
        cmocka_unit_test(the_time_between_two_points_is_the_closed_form),
        cmocka_unit_test(layers_of_one_gradient_are_one_layer),
        cmocka_unit_test(arrivals_in_still_water_are_those_of_images),
        cmocka_unit_test(every_image_within_the_angles_is_found),
        cmocka_unit_test(a_receiver_on_a_boundary_hears_each_ray_once),
        cmocka_unit_test(nothing_arrives_in_the_gap_that_a_peak_of_the_speed_leaves),
        cmocka_unit_test(a_sloping_bottom_reflects_as_its_mirror),
        cmocka_unit_test(munk_agrees_with_an_integration_of_the_ray_equations),
        cmocka_unit_test(there_and_back_take_the_same_time_and_lose_the_same),
        cmocka_unit_test(arrivals_at_a_caustic_are_as_loud_as_waves_make_them),
        cmocka_unit_test(places_outside_the_water_have_no_arrival),
        cmocka_unit_test(a_ray_along_the_axis_of_a_channel_arrives),
        cmocka_unit_test(a_receiver_in_the_shadow_hears_nothing),
        cmocka_unit_test(lloyds_mirror_has_its_fringes),
        cmocka_unit_test(the_field_is_the_sum_of_its_arrivals),
    };
    return cmocka_run_group_tests(tests, NULL, tidy);
}
