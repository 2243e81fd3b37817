/* Bodies that move near the nose, against the closed forms of moving spheres, spheroids and cylinders. */
#include "flow/moving_bodies.h"

#include <math.h>
#include <string.h>

#include "flow/flow_dipole.h"
#include "support/near.h"

static fm_flow_line line_of(const double centre[3], const double axis[3], double length, double width,
                            const double velocity[3])
{
    fm_flow_form form = fm_flow_form_make(length, width);
    return fm_flow_form_move(&form, centre, axis, velocity);
}

static double speed_out(const double v[3], const double n[3])
{
    return v[0] * n[0] + v[1] * n[1] + v[2] * n[2];
}

/* --- the answer of a rigid sphere --- */

typedef struct axial {
    double d[64], mu[64]; /* m, m⁴/s: dipoles along x on the x axis */
    int count;
} axial;

static void axial_add(const void *user, const double x[3], double v[3])
{
    const axial *a = user;
    for (int i = 0; i < a->count; i++) {
        double r[3] = {x[0] - a->d[i], x[1], x[2]}, r2 = speed_out(r, r), scale = a->mu[i] / (r2 * sqrt(r2));
        for (int k = 0; k < 3; k++)
            v[k] += scale * (3 * r[0] * r[k] / r2 - (k == 0));
    }
}

/* Hicks: the image of an axial dipole at d in a sphere of radius a about c. */
static void add_image(axial *to, double d, double mu, double c, double a)
{
    double gap = d - c;
    to->d[to->count] = c + a * a / gap;
    to->mu[to->count++] = -mu * a * a * a / fabs(gap * gap * gap);
}

static void a_uniform_flow_is_half_again_as_fast_on_a_sphere(void **state)
{
    (void)state;
    axial far = {.d = {1e4}, .mu = {1e12}, .count = 1}; /* 2 mu/d³ = 2 m/s along x */
    double centre[3] = {0}, u[3] = {0, 0.6, 0.8}, v[3] = {0};
    fm_flow_answer_add(centre, 0.125, u, axial_add, &far, v);
    near("speed", v[0], 3, 1e-3);
}

static void the_answer_to_a_moving_sphere_is_its_image_dipole(void **state)
{
    (void)state;
    const double a = 0.125;
    for (double d = 0.25; d < 3; d *= 1.5) {
        axial source = {.d = {d}, .mu = {0.5e-3}, .count = 1}, whole = source;
        add_image(&whole, d, 0.5e-3, 0, a);
        for (double angle = 0.1; angle < 3.1; angle += 0.3) {
            double centre[3] = {0}, u[3] = {cos(angle), sin(angle), 0}, x[3] = {a * u[0], a * u[1], 0};
            double exact[3] = {0}, found[3] = {0};
            axial_add(&whole, x, exact);
            near("no flow through the sphere", speed_out(exact, u), 0, 1e-12);
            fm_flow_answer_add(centre, a, u, axial_add, &source, found);
            for (int k = 0; k < 3; k++)
                near("velocity", found[k], exact[k], 2e-6 * 0.5e-3 / (a * a * a) + 1e-4 * pow(a / d, 8));
        }
    }
}

static void line_add(const void *user, const double x[3], double v[3])
{
    fm_flow_line_add(user, x, v);
}

/* Both spheres by the whole series of images; ours stops after the nose's first answer. What is left out is of the
 * order of (b a/d²)³ of the first. */
static void of_two_spheres_the_first_reflection_is_nearly_all(void **state)
{
    (void)state;
    const double a = 0.125, b = 0.1, U = 0.3, d = 0.5;
    axial all = {.d = {d}, .mu = {0.5 * b * b * b * U}, .count = 1};
    for (int i = 0; i < 40; i++) { /* in turn in the nose at 0 and in the other at d */
        double from = all.d[all.count - 1], mu = all.mu[all.count - 1];
        add_image(&all, from, mu, i % 2 ? d : 0, i % 2 ? b : a);
    }
    double centre[3] = {0}, velocity[3] = {U, 0, 0}, axis[3] = {0, 1, 0}, place[3] = {d, 0, 0};
    fm_flow_line other = line_of(place, axis, b, b, velocity);
    for (double angle = 0.1; angle < 3.1; angle += 0.3) {
        double u[3] = {cos(angle), sin(angle), 0}, x[3] = {a * u[0], a * u[1], 0}, exact[3] = {0}, found[3] = {0};
        axial_add(&all, x, exact);
        fm_flow_answer_add(centre, a, u, line_add, &other, found);
        double first = sqrt(speed_out(exact, exact));
        for (int k = 0; k < 3; k++)
            near("velocity", found[k], exact[k], 3 * pow(a * b / (d * d), 3) * 0.01 + 2e-3 * first);
    }
}

/* --- bodies --- */

static void a_sphere_pushes_the_water_as_the_dipole(void **state)
{
    (void)state;
    double centre[3] = {0.2, 0, 0}, axis[3] = {0, 0, 1}, velocity[3] = {0.1, -0.2, 0.05}, x[3] = {1, 0.4, -0.3};
    double v[3] = {0}, dipole[3] = {0}, r[3] = {0.8, 0.4, -0.3};
    fm_flow_line line = line_of(centre, axis, 0.15, 0.15, velocity);
    fm_flow_line_add(&line, x, v);
    fm_flow_dipole_add(r, velocity, 0.15, dipole);
    for (int k = 0; k < 3; k++)
        near("velocity", v[k], dipole[k], 1e-12);
}

/* A surface point at a parameter s of the meridian: the water goes with the hull there. */
static void a_spheroid_takes_the_water_at_its_surface_along(void **state)
{
    (void)state;
    const double length = 0.37, width = 0.2;
    double centre[3] = {0}, axis[3] = {1, 0, 0}, velocity[3] = {0.3, 0.2, 0};
    fm_flow_line line = line_of(centre, axis, length, width, velocity);
    for (double s = 0.2; s < 3; s += 0.2) {
        double x[3] = {length * cos(s), width * sin(s), 0}, n[3] = {cos(s) / length, sin(s) / width, 0}, v[3] = {0};
        double size = sqrt(speed_out(n, n));
        for (int k = 0; k < 3; k++)
            n[k] /= size;
        fm_flow_line_add(&line, x, v);
        near("through the surface", speed_out(v, n), speed_out(velocity, n), 0.006);
    }
}

static void a_cylinder_takes_the_water_at_its_surface_along(void **state)
{
    (void)state;
    double axis[3] = {0, 0, 1}, velocity[3] = {0.2, -0.1, 5};
    for (double s = 0; s < 6; s += 0.5) {
        double n[3] = {cos(s), sin(s), 0}, x[3] = {0.3 * n[0], 0.3 * n[1], 2}, v[3] = {0};
        fm_flow_cylinder_add(x, axis, velocity, 0.3, v);
        near("through the surface", speed_out(v, n), speed_out(velocity, n), 1e-12);
        near("along the axis", v[2], 0, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_uniform_flow_is_half_again_as_fast_on_a_sphere),
        cmocka_unit_test(the_answer_to_a_moving_sphere_is_its_image_dipole),
        cmocka_unit_test(of_two_spheres_the_first_reflection_is_nearly_all),
        cmocka_unit_test(a_sphere_pushes_the_water_as_the_dipole),
        cmocka_unit_test(a_spheroid_takes_the_water_at_its_surface_along),
        cmocka_unit_test(a_cylinder_takes_the_water_at_its_surface_along),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
