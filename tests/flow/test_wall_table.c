/* The sphere at a plane wall: exact solution and single mirror against the reference, Lamb's limits and image series,
 * and the equations themselves (continuity, no flow through wall and hull). */
#include <gsl/gsl_sf_legendre.h>
#include <math.h>

#include "base/memory.h"
#include "flow/wall_table.h"
#include "support/near.h"
#include "support/rows.h"

static fm_wall_table table;

static int fill_table(void **unused)
{
    (void)unused;
    return fm_wall_table_fill(&table, NULL) != FM_OK;
}

/* Speed along the sphere at angle theta from the wall's direction z, in the plane of x and z. */
static double surface_speed(double gap, const double velocity[3], double theta, int exact)
{
    double z[3] = {0, 0, 1}, u[3] = {sin(theta), 0, cos(theta)}, s[3] = {cos(theta), 0, -sin(theta)};
    double v[3] = {0}, still[3] = {0};
    if (exact) {
        fm_wall_series series;
        fm_wall_series_at(&table, gap, &series);
        fm_wall_velocity(&series, u, z, velocity, v);
    } else {
        fm_flow_dipole_add(u, velocity, 1, v);
        fm_flow_mirror_add(u, velocity, z, 1 + gap, 1, v);
    }
    fm_flow_from_hull(velocity, still, u, v);
    return fm_dot(v, s);
}

static void signals_of_mirror_and_exact_flow_agree_with_the_reference(void **unused)
{
    (void)unused;
    int count = 0;
    for (rows r = open_rows("wall_signals.txt"); next_row(&r); count++) {
        char motion[32];
        double gap, degrees, mirror, exact;
        assert_int_equal(sscanf(r.line, "%lf %31s %lf %lf %lf", &gap, motion, &degrees, &mirror, &exact), 5);
        int parallel = strcmp(motion, "parallel") == 0;
        double velocity[3] = {parallel, 0, !parallel}, theta = degrees * FM_PI / 180;
        double alone = parallel ? 1.5 * fabs(cos(theta)) : 1.5 * sin(theta);
        assert_near(fabs(surface_speed(gap, velocity, theta, 0)) - alone, mirror, 1e-6);
        assert_near(fabs(surface_speed(gap, velocity, theta, 1)) - alone, exact, 2e-6);
    }
    assert_greater(count, 40);
}

static void eight_sensors_feel_the_reference_velocities(void **unused)
{
    (void)unused;
    const double a = 0.125;
    for (rows r = open_rows("sensors.txt"); next_row(&r);) {
        double alpha, h, theta, mirror, exact, still[3] = {0}, v[3] = {0};
        assert_int_equal(sscanf(r.line, "%lf %lf %lf %lf %lf", &alpha, &h, &theta, &mirror, &exact), 5);
        alpha *= FM_PI / 180, theta *= FM_PI / 180;
        /* forward–left–up; the wall is on the left, heading and wall plane enclose alpha */
        double velocity[3] = {0.1, 0, 0}, wall[3] = {sin(alpha), cos(alpha), 0};
        double u[3] = {cos(theta), sin(theta), 0}, s[3] = {-sin(theta), cos(theta), 0};
        double point[3] = {a * u[0], a * u[1], 0};
        fm_flow_dipole_add(point, velocity, a, v);
        fm_flow_mirror_add(point, velocity, wall, h, a, v);
        fm_flow_from_hull(velocity, still, point, v);
        assert_near(fm_dot(v, s), mirror, 1e-9);
        fm_wall_series series;
        fm_wall_series_at(&table, (h - a) / a, &series);
        fm_wall_velocity(&series, u, wall, velocity, v);
        fm_flow_from_hull(velocity, still, point, v);
        assert_near(fm_dot(v, s), exact, 1e-8);
    }
}

static void added_mass_near_the_wall_agrees_with_the_reference(void **unused)
{
    (void)unused;
    for (rows r = open_rows("added_mass.txt"); next_row(&r);) {
        double gap, normal, parallel;
        assert_int_equal(sscanf(r.line, "%lf %lf %lf", &gap, &normal, &parallel), 3);
        fm_wall_mass k = fm_wall_added_mass(&table, gap);
        assert_near(k.normal, normal, 1e-7);
        assert_near(k.parallel, parallel, 1e-7);
    }
}

static void added_mass_tends_to_its_contact_and_far_limits(void **unused)
{
    (void)unused;
    static double s[700];
    assert_int_equal(fm_wall_solve(1e-4, 0, 700, NULL, s, NULL, NULL), FM_OK);
    assert_near(-s[0], 1.5 * 1.2020569031595942 - 1, 1e-3); /* 3 ζ(3)/2 − 1 */
    assert_int_equal(fm_wall_solve(1e-4, 1, 700, NULL, s, NULL, NULL), FM_OK);
    assert_near(-s[0], 0.621, 1e-3);
    for (double gap = 9; gap < 1e4; gap *= 3) {
        double d3 = pow(1 + gap, -3);
        fm_wall_mass k = fm_wall_added_mass(&table, gap);
        assert_near(k.normal, 0.5 * (1 + 3.0 / 8 * d3), 0.01 * d3);
        assert_near(k.parallel, 0.5 * (1 + 3.0 / 16 * d3), 0.01 * d3);
        assert_near(k.normal_slope, -9.0 / 16 * d3 / (1 + gap), 0.02 * d3 / (1 + gap));
    }
}

static void slopes_of_added_mass_are_its_derivatives(void **unused)
{
    (void)unused;
    for (double gap = 0.011; gap < 80; gap *= 1.37) {
        double h = 1e-4 * gap;
        fm_wall_mass k = fm_wall_added_mass(&table, gap), up = fm_wall_added_mass(&table, gap + h),
                     down = fm_wall_added_mass(&table, gap - h);
        assert_near(k.normal_slope, (up.normal - down.normal) / (2 * h), 1e-6 + 1e-5 * fabs(k.normal_slope));
        assert_near(k.parallel_slope, (up.parallel - down.parallel) / (2 * h), 1e-6 + 1e-5 * fabs(k.parallel_slope));
        assert_less(k.normal_slope, 0);
        assert_less(k.parallel_slope, 0);
    }
}

/* Lamb's and Hicks's images for motion along the normal: a dipole at z_i of strength mu_i in the sphere, its mirror
 * image behind the wall; z_(i+1) = 1/(2d − z_i), mu_(i+1) = mu_i/(2d − z_i)³. */
static double image_series_speed(double gap, double theta)
{
    double d = 1 + gap, z = 0, mu = 0.5, v[3] = {0};
    double u[3] = {sin(theta), 0, cos(theta)}, s[3] = {cos(theta), 0, -sin(theta)};
    for (int i = 0; i < 4000 && mu > 1e-18; i++) {
        for (int side = 0; side < 2; side++) {
            double at = side ? 2 * d - z : z, strength = side ? -mu : mu;
            double r[3] = {u[0], 0, u[2] - at}, r2 = fm_dot(r, r), r5 = r2 * r2 * sqrt(r2);
            for (int k = 0; k < 3; k++)
                v[k] += strength * (3 * r[2] * r[k] - r2 * (k == 2)) / r5;
        }
        mu /= pow(2 * d - z, 3);
        z = 1 / (2 * d - z);
    }
    return fm_dot(v, s);
}

static double multipole_speed(double gap, double theta, int order)
{
    static double s[400], p[401], dp[401];
    assert_int_equal(fm_wall_solve(gap, 0, order, NULL, s, NULL, NULL), FM_OK);
    gsl_sf_legendre_Pl_deriv_array(order, cos(theta), p, dp);
    double sum = 0;
    for (int n = order; n >= 1; n--)
        sum += s[n - 1] * dp[n];
    return -sin(theta) * sum;
}

static void normal_motion_equals_the_image_series_of_lamb_and_hicks(void **unused)
{
    (void)unused;
    const double gaps[] = {0.02, 0.05, 0.1, 0.5, 2};
    for (int g = 0; g < 5; g++)
        for (double theta = 0.05; theta < 3.1; theta += 0.3)
            assert_near(multipole_speed(gaps[g], theta, 60 + (int)(8 / gaps[g] > 200 ? 200 : 8 / gaps[g])),
                        image_series_speed(gaps[g], theta), 1e-12);
}

static void interpolation_in_the_table_errs_by_less_than_a_ten_thousandth_of_the_speed(void **unused)
{
    (void)unused;
    double worst = 0, closest = 0; /* below 0.03 radii the series is cut at FM_WALL_ORDER */
    for (int row = 0; row < FM_WALL_ROWS - 1; row += 3) {
        double gap = exp(table.log_min + (row + 0.5) * table.step);
        double velocity[3] = {0, 0, 1};
        for (double theta = 0.02; theta < FM_PI; theta += 0.31) {
            double exact = multipole_speed(gap, theta, fm_wall_table_order(gap) > 256 ? 256 : fm_wall_table_order(gap));
            double found = surface_speed(gap, velocity, theta, 1) - sin(theta); /* back to the water's velocity */
            double *largest = gap < 0.03 ? &closest : &worst;
            *largest = fmax(*largest, fabs(found - exact));
        }
    }
    print_message("largest error %.2g V, below a gap of 0.03 radii %.2g V\n", worst, closest);
    assert_less(worst, 1e-6);
    assert_less(closest, 1e-4);
}

/* Potential of the full field at a point outside the sphere, from the multipole strengths and their mirror images. */
typedef struct field {
    double d, a0[200], a1[200];
    int order;
    double velocity[3]; /* x along the wall, z towards it */
} field;

static double potential_of_one_side(const field *f, const double x[3])
{
    double r = sqrt(fm_dot(x, x)), p[201], dp[201], phi = 0, power = 1 / r;
    gsl_sf_legendre_Pl_deriv_array(f->order, x[2] / r, p, dp);
    for (int n = 1; n <= f->order; n++) {
        power /= r;
        phi += power * (f->velocity[2] * f->a0[n - 1] * p[n] + f->velocity[0] * x[0] / r * f->a1[n - 1] * dp[n]);
    }
    return phi;
}

static double potential(const field *f, double x, double y, double z)
{
    double here[3] = {x, y, z}, mirrored[3] = {x, y, 2 * f->d - z};
    return potential_of_one_side(f, here) + potential_of_one_side(f, mirrored);
}

static void gradient(const field *f, const double x[3], double g[3])
{
    const double h = 1e-3;
    for (int k = 0; k < 3; k++) {
        double p[4];
        for (int i = 0; i < 4; i++) {
            double y[3] = {x[0], x[1], x[2]};
            y[k] += h * (double[]){-2, -1, 1, 2}[i];
            p[i] = potential(f, y[0], y[1], y[2]);
        }
        g[k] = (p[0] - 8 * p[1] + 8 * p[2] - p[3]) / (12 * h);
    }
}

static void the_exact_field_lets_nothing_through_hull_and_wall_and_gives_the_kernel_on_the_hull(void **unused)
{
    (void)unused;
    const double gaps[] = {0.2, 0.6, 1.7};
    for (int g = 0; g < 3; g++) {
        field f = {.d = 1 + gaps[g], .order = 50, .velocity = {0.6, 0, 0.8}};
        double s[200], z[3] = {0, 0, 1}, v[3], grad[3];
        assert_int_equal(fm_wall_solve(gaps[g], 0, f.order, f.a0, s, NULL, NULL), FM_OK);
        assert_int_equal(fm_wall_solve(gaps[g], 1, f.order, f.a1, s, NULL, NULL), FM_OK);
        fm_wall_series series;
        fm_wall_series_at(&table, gaps[g], &series);
        for (int i = 0; i < 40; i++) {
            double x = cos(2.3 * i), phi = 1.7 * i, y = sqrt(1 - x * x);
            double u[3] = {y * cos(phi), y * sin(phi), x};
            gradient(&f, u, grad);
            fm_wall_velocity(&series, u, z, f.velocity, v);
            for (int k = 0; k < 3; k++)
                assert_near(grad[k], v[k], 2e-6);
            assert_near(fm_dot(grad, u), fm_dot(f.velocity, u), 2e-6);
            double wall[3] = {3 * y * cos(phi), 3 * y * sin(phi), f.d};
            gradient(&f, wall, grad);
            assert_near(grad[2], 0, 1e-9);
        }
    }
}

static void turning_moves_no_water_but_the_hull_under_the_sensor(void **unused)
{
    (void)unused;
    double still[3] = {0}, water[3] = {0}, turning[3] = {0, 0, 0.3}, r[3] = {0.1, 0, 0}, s[3] = {0, 1, 0};
    fm_flow_from_hull(still, turning, r, water);
    assert_near(fm_dot(water, s), -0.03, 1e-15);
}

static void far_from_the_wall_dipole_mirror_and_exact_agree(void **unused)
{
    (void)unused;
    double velocity[3] = {0.6, 0, 0.8};
    for (double theta = 0; theta < 3.1; theta += 0.2)
        for (double gap = 30; gap < 1e6; gap *= 3) {
            double exact = surface_speed(gap, velocity, theta, 1);
            double alone = 1.5 * (0.8 * sin(theta) - 0.6 * cos(theta));
            assert_near(surface_speed(gap, velocity, theta, 0), alone, 1e-14 + 0.4 * pow(1 + gap, -3));
            assert_near(exact, alone, 1e-14 + 0.6 * pow(1 + gap, -3));
        }
}

static void contact_and_nonsense_give_finite_clamped_velocities(void **unused)
{
    (void)unused;
    double velocity[3] = {0.6, 0, 0.8};
    const double gaps[] = {0, -0.5, -1e9, 1e-300, INFINITY, NAN};
    for (int i = 0; i < 6; i++) {
        assert_true(isfinite(surface_speed(gaps[i], velocity, 1, 1)));
        assert_true(isfinite(surface_speed(gaps[i] < 1e300 ? gaps[i] : 1, velocity, 0, 0)));
        fm_wall_mass k = fm_wall_added_mass(&table, gaps[i]);
        assert_true(isfinite(k.normal) && isfinite(k.parallel_slope));
    }
    assert_same(surface_speed(-3, velocity, 1, 1), surface_speed(FM_WALL_GAP_MIN, velocity, 1, 1));
    fm_error error = {0};
    double s[4];
    assert_int_equal(fm_wall_solve(0, 0, 4, NULL, s, NULL, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "above 0"));
    assert_int_equal(fm_wall_solve(1, 2, 4, NULL, s, NULL, &error), FM_ERR_ARGUMENT);
}

/* T = m/2 (k_n Vn² + k_t Vt²): without other forces the energy of sphere and water stays as it is. */
static void a_free_sphere_keeps_its_energy_when_it_is_pushed_by_the_wall(void **unused)
{
    (void)unused;
    double gap = 1.5, v[3] = {1, 0, 0.8}, z[3] = {0, 0, 1}, force[3], body = 1.2, dt = 1e-5, start = 0;
    for (int i = 0; i < 150000; i++) {
        fm_wall_mass k = fm_wall_added_mass(&table, gap);
        double energy = 0.5 * ((body + k.normal) * v[2] * v[2] + (body + k.parallel) * v[0] * v[0]);
        if (i == 0)
            start = energy;
        assert_near(energy, start, 2e-4 * start);
        fm_wall_force(&k, z, v, 1, 1, force);
        v[0] += dt * force[0] / (body + k.parallel);
        v[2] += dt * force[2] / (body + k.normal);
        gap -= dt * v[2];
    }
    assert_less(gap, 1.0); /* it did approach */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(signals_of_mirror_and_exact_flow_agree_with_the_reference),
        cmocka_unit_test(eight_sensors_feel_the_reference_velocities),
        cmocka_unit_test(added_mass_near_the_wall_agrees_with_the_reference),
        cmocka_unit_test(added_mass_tends_to_its_contact_and_far_limits),
        cmocka_unit_test(slopes_of_added_mass_are_its_derivatives),
        cmocka_unit_test(normal_motion_equals_the_image_series_of_lamb_and_hicks),
        cmocka_unit_test(interpolation_in_the_table_errs_by_less_than_a_ten_thousandth_of_the_speed),
        cmocka_unit_test(the_exact_field_lets_nothing_through_hull_and_wall_and_gives_the_kernel_on_the_hull),
        cmocka_unit_test(turning_moves_no_water_but_the_hull_under_the_sensor),
        cmocka_unit_test(far_from_the_wall_dipole_mirror_and_exact_agree),
        cmocka_unit_test(contact_and_nonsense_give_finite_clamped_velocities),
        cmocka_unit_test(a_free_sphere_keeps_its_energy_when_it_is_pushed_by_the_wall),
    };
    return cmocka_run_group_tests(tests, fill_table, NULL);
}
