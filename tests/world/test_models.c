/* The vehicle models against their publications: accelerations at random states from the published form, statics,
 * speeds. */
#include "support/scenario.h"

#include "physics/spheroid.h"
#include "world/world.h"

#include <gsl/gsl_linalg.h>

static const char *const models[] = {"nps-auv-ii",   "snookie",           "remus-100",   "remus-vsw",
                                     "bluerov2",     "bluerov2-heavy",    "lauv",        "otter",
                                     "wavesim-auv",  "wavesim-auv-long",  "wavesim-asv", "wavesim-asv-small",
                                     "wavesim-buoy", "wavesim-buoy-large"};

static fm_world *alone(const char *model, double density, const char *attributes, const char *inside)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='300 s'><water density='%g kg/m3'/></world>"
             "<vehicle name='v' model='%s' %s>%s</vehicle></fathom>",
             density, model, attributes, inside);
    return start(text);
}

static const fm_type *type_of(const fm_world *world)
{
    return &fm_world_model(world)->types[0];
}

/* --- every model --- */

static void every_model_has_a_positive_definite_mass_matrix(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < FM_COUNT(models); k++) {
        fm_world *world = alone(models[k], 1025, "position='0 0 20 m'", "");
        const double *m = type_of(world)->mass.virtual_mass;
        gsl_matrix *a = gsl_matrix_alloc(6, 6);
        for (size_t i = 0; i < 36; i++) {
            gsl_matrix_set(a, i / 6, i % 6, m[i]);
            near(models[k], m[i], m[6 * (i % 6) + i / 6], 1e-9 * (1 + fabs(m[i])));
        }
        assert_int_equal(gsl_linalg_cholesky_decomp1(a), 0);
        gsl_matrix_free(a);
        finish(world);
    }
}

static void every_model_runs_ten_seconds(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < FM_COUNT(models); k++) {
        fm_world *world = alone(models[k], 1025, "position='0 0 20 m' velocity='0.2 0.1 0 m/s'", "");
        run_until(world, 10);
        finish(world);
    }
}

/* --- accelerations from the published form --- */

/* A number in [-1, 1] from a small generator of our own. */
static double shake(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)*state / 9.3e18;
}

static void model_acceleration(const fm_world *world, const double nu[6], const double euler[3], double depth,
                               double out[6])
{
    const fm_type *type = type_of(world);
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    fm_body_state state = {.position = {0, 0, depth}}, rate;
    fm_quat_from_euler(euler, state.attitude);
    memcpy(state.velocity, nu, sizeof state.velocity);
    fm_body_rate(&type->body, &type->mass, &input, &still, &state, &rate);
    memcpy(out, rate.velocity, 6 * sizeof *out);
}

/* x = M⁻¹ f for a matrix by row. */
static void solve6(const double M[6][6], const double f[6], double x[6])
{
    gsl_matrix *a = gsl_matrix_alloc(6, 6);
    gsl_vector *b = gsl_vector_alloc(6), *c = gsl_vector_alloc(6);
    gsl_permutation *p = gsl_permutation_alloc(6);
    int sign;
    for (size_t i = 0; i < 6; i++) {
        gsl_vector_set(b, i, f[i]);
        for (size_t k = 0; k < 6; k++)
            gsl_matrix_set(a, i, k, M[i][k]);
    }
    gsl_linalg_LU_decomp(a, p, &sign);
    gsl_linalg_LU_solve(a, p, b, c);
    for (size_t i = 0; i < 6; i++)
        x[i] = gsl_vector_get(c, i);
    gsl_permutation_free(p);
    gsl_vector_free(c);
    gsl_vector_free(b);
    gsl_matrix_free(a);
}

/* f −= C(ν)ν with Fossen's C from a symmetric M: C = [0, −S(a); −S(a), −S(b)], a = M11 ν1 + M12 ν2, b = M21 ν1 + M22
 * ν2. */
static void subtract_coriolis(const double M[6][6], const double nu[6], double f[6])
{
    double ab[6] = {0}, C[6][6] = {{0}};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            ab[i] += M[i][k] * nu[k];
    for (int block = 0; block < 2; block++) {
        const double *a = ab + 3 * block;
        const double S[3][3] = {{0, -a[2], a[1]}, {a[2], 0, -a[0]}, {-a[1], a[0], 0}};
        for (int i = 0; i < 3; i++)
            for (int k = 0; k < 3; k++) {
                if (block == 0)
                    C[i][3 + k] = C[3 + i][k] = -S[i][k];
                else
                    C[3 + i][3 + k] = -S[i][k];
            }
    }
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++)
            f[i] -= C[i][k] * nu[k];
}

/* Rigid body with centre of gravity on the z axis and inertia about the origin, plus diagonal added mass. */
static void mass_matrix(double m, double zg, const double inertia[3], const double added[6], double M[6][6])
{
    memset(M, 0, 36 * sizeof M[0][0]);
    for (int i = 0; i < 3; i++) {
        M[i][i] = m + added[i];
        M[3 + i][3 + i] = inertia[i] + added[3 + i];
    }
    M[0][4] = M[4][0] = m * zg;
    M[1][3] = M[3][1] = -m * zg;
}

/* −g(η) of Fossen (4.6) with both centres on the z axis, the centre of buoyancy in the origin. */
static void subtract_restoring(double W, double B, double zg, const double euler[3], double f[6])
{
    double s = sin(euler[1]), c = cos(euler[1]), sp = sin(euler[0]), cp = cos(euler[0]);
    f[0] -= (W - B) * s;
    f[1] += (W - B) * c * sp;
    f[2] += (W - B) * c * cp;
    f[3] -= zg * W * c * sp;
    f[4] -= zg * W * s;
}

static void random_state(uint64_t *seed, double nu[6], double euler[3])
{
    for (int i = 0; i < 6; i++)
        nu[i] = shake(seed) * (i < 3 ? 1.5 : 0.8);
    euler[0] = shake(seed);
    euler[1] = shake(seed);
    euler[2] = 3 * shake(seed);
}

static void compare6(const double found[6], const double expected[6], double relative, const char *what)
{
    double size = 1e-3;
    for (int i = 0; i < 6; i++)
        size = fmax(size, fabs(expected[i]));
    for (int i = 0; i < 6; i++)
        near(what, found[i], expected[i], relative * size);
}

static void bluerov2_accelerates_as_fossens_matrices_with_wus_masses_and_the_records_drag(void **unused)
{
    (void)unused;
    static const double inertia[3] = {0.16, 0.16, 0.16}, added[6] = {5.5, 12.7, 14.57, 0.12, 0.12, 0.12};
    static const double linear[6] = {9.5, 18, 25, 0.07, 0.07, 0.97}, square[6] = {83, 138, 136, 1.55, 1.55, 1.5};
    fm_world *world = alone("bluerov2", 1000, "position='0 0 20 m'", "");
    double M[6][6];
    mass_matrix(11.5, 0.02, inertia, added, M);
    uint64_t seed = 1;
    for (int n = 0; n < 200; n++) {
        double nu[6], euler[3], f[6] = {0}, expected[6], found[6];
        random_state(&seed, nu, euler);
        subtract_coriolis(M, nu, f);
        subtract_restoring(11.5 * 9.80665, 114.8, 0.02, euler, f);
        for (int i = 0; i < 6; i++)
            f[i] -= (linear[i] + square[i] * fabs(nu[i])) * nu[i];
        f[4] -= (added[2] - added[0]) * nu[0] * nu[2]; /* no Munk moment */
        solve6(M, f, expected);
        model_acceleration(world, nu, euler, 20, found);
        compare6(found, expected, 1e-5, "BlueROV2");
    }
    finish(world);
}

/* Prestero's equations of motion with his combined coefficients, u > 0; Y_vv −131. */
static void prestero_force(const double nu[6], const double euler[3], double f[6])
{
    double u = nu[0], v = nu[1], w = nu[2], p = nu[3], q = nu[4], r = nu[5], W = 299, B = 306, m = W / 9.80665,
           zg = 0.0196;
    double st = sin(euler[1]), ct = cos(euler[1]), sp = sin(euler[0]), cp = cos(euler[0]);
    double Ix = 0.177, Iy = 3.45, Iz = 3.45;
    f[0] = -(W - B) * st - 1.62 * u * fabs(u) + (-35.5 - m) * w * q - 1.93 * q * q + (35.5 + m) * v * r - 1.93 * r * r -
           m * zg * p * r;
    f[1] = (W - B) * ct * sp - 131 * v * fabs(v) + 0.632 * r * fabs(r) - 28.6 * u * v + (35.5 + m) * w * p +
           (5.22 - m) * u * r - m * zg * q * r + 1.93 * p * q;
    f[2] = (W - B) * ct * cp - 131 * w * fabs(w) - 0.632 * q * fabs(q) - 28.6 * u * w + (-5.22 + m) * u * q +
           (-35.5 - m) * v * p + m * zg * (p * p + q * q) + 1.93 * r * p;
    f[3] = -zg * W * ct * sp - 0.130 * p * fabs(p) - (Iz - Iy) * q * r - m * zg * (w * p - u * r);
    f[4] = -zg * W * st + 3.18 * w * fabs(w) - 188 * q * fabs(q) + (4.86 - (Ix - Iz)) * r * p -
           m * zg * (w * q - v * r) - 2.0 * u * q + 24.0 * u * w - 1.93 * v * p;
    f[5] = -3.18 * v * fabs(v) - 94 * r * fabs(r) - 24.0 * u * v + (-4.86 - (Iy - Ix)) * p * q - 1.93 * w * p -
           2.0 * u * r;
}

static void remus_100_accelerates_as_presteros_equations(void **unused)
{
    (void)unused;
    static const double inertia[3] = {0.177, 3.45, 3.45}, added[6] = {0.93, 35.5, 35.5, 0.0704, 4.88, 4.88};
    fm_world *world = alone("remus-100", 1030, "position='0 0 20 m'", "");
    double M[6][6];
    mass_matrix(299 / 9.80665, 0.0196, inertia, added, M);
    M[1][5] = M[5][1] = -1.93;
    M[2][4] = M[4][2] = 1.93;
    uint64_t seed = 2;
    for (int n = 0; n < 200; n++) {
        double nu[6], euler[3], f[6], expected[6], found[6];
        random_state(&seed, nu, euler);
        nu[0] = fabs(nu[0]);
        prestero_force(nu, euler, f);
        solve6(M, f, expected);
        model_acceleration(world, nu, euler, 20, found);
        compare6(found, expected, 1e-5, "REMUS 100");
    }
    finish(world);
}

/* otter.m level at its water line, without payload: surge, sway and yaw, whose cross flow has one component. */
static void otter_accelerates_as_fossens_matrices_with_mss_masses_and_the_records_drag(void **unused)
{
    (void)unused;
    const double m = 55, rho = 1025, volume = m / rho, L = 2, Ig[3] = {m * 0.432 * 0.432, m * 0.25, m * 0.25};
    const double added[6] = {
        2.7 * rho * pow(volume, 5.0 / 3) / (L * L), 1.5 * m, m, 0.2 * Ig[0], 0.8 * Ig[1], 1.7 * Ig[2]};
    const double xg = 0.2, zg = -0.2,
                 Io[3] = {Ig[0] + m * zg * zg, Ig[1] + m * (xg * xg + zg * zg), Ig[2] + m * xg * xg};
    double M[6][6], draught = volume / (2 * 0.4 * 0.25 * L);
    mass_matrix(m, zg, Io, added, M);
    M[1][5] = M[5][1] = m * xg;
    M[2][4] = M[4][2] = -m * xg;
    M[3][5] = M[5][3] = -m * xg * zg;
    fm_world *world = alone("otter", 1025, "", "<cross-flow rule='midpoint' count='100'/>");
    uint64_t seed = 3;
    for (int n = 0; n < 200; n++) {
        double nu[6] = {2 * shake(&seed), shake(&seed), 0, 0, 0, shake(&seed)}, euler[3] = {0, 0, 3 * shake(&seed)};
        double f[6] = {-2.6 * nu[0] - 27.4 * nu[0] * nu[0] * nu[0],
                       -M[1][1] * nu[1],
                       0,
                       0,
                       0,
                       -(M[5][5] + 5 * fabs(nu[5]) + 290 * fabs(nu[0])) * nu[5]};
        double expected[6], found[6];
        subtract_coriolis(M, nu, f);
        for (int i = 0; i < 2000; i++) {
            double x = L * ((i + 0.5) / 2000 - 0.5), flow = nu[1] + x * nu[5],
                   drag = 0.5 * rho * draught * 0.847 * flow * fabs(flow) * L / 2000;
            f[1] -= drag;
            f[5] -= x * drag;
        }
        solve6(M, f, expected);
        model_acceleration(world, nu, euler, 0, found);
        compare6(found, expected, 1e-3, "Otter"); /* draught and drag coefficient stand rounded in the file */
    }
    finish(world);
}

static void lauv_accelerates_as_dunes_equations_in_the_horizontal_plane(void **unused)
{
    (void)unused;
    fm_world *world = alone("lauv", 1025, "position='0 0 20 m'", "");
    static const double inertia[3] = {0.04, 2.1, 2.1}, added[6] = {1, 16, 16};
    double M[6][6];
    mass_matrix(18, 0.009, inertia, added, M);
    uint64_t seed = 4;
    for (int n = 0; n < 100; n++) {
        double u = 2 * fabs(shake(&seed)), v = shake(&seed), r = shake(&seed), nu[6] = {u, v, 0, 0, 0, r},
               euler[3] = {0};
        double expected[6], found[6];
        double f[6] = {
            -2.4 * u - 2.4 * u * fabs(u) + 34 * v * r,
            -23 * v - 11.5 * r - 80 * v * fabs(v) - 0.3 * r * fabs(r) - 19 * u * r + (-20.6 * v + 3.84 * r) * u,
            0,
            18 * 0.009 * u * r,
            18 * 0.009 * v * r,
            -9.7 * r + 3.1 * v - 9.1 * r * fabs(r) + 1.5 * v * fabs(v) - (34 - 19) * u * v + (6.0 * v - 1.53 * r) * u};
        solve6(M, f, expected);
        model_acceleration(world, nu, euler, 20, found);
        compare6(found, expected, 1e-4, "LAUV");
    }
    finish(world);
}

/* --- speeds --- */

/* Surge force of a level hull at steady speed u, from the acceleration and the mass matrix. */
static double resistance(const fm_world *world, double u, double depth)
{
    double nu[6] = {u}, euler[3] = {0}, a[6], force = 0;
    model_acceleration(world, nu, euler, depth, a);
    for (int i = 0; i < 6; i++)
        force -= type_of(world)->mass.virtual_mass[6 * i] * a[i];
    return force;
}

/* Greatest surge force of the actuators of a group. */
static double greatest_thrust(const fm_world *world, const char *group)
{
    const fm_type *type = type_of(world);
    double force = 0;
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_actuator *a = &type->actuators[i];
        if (type->actuator_groups[i] && strcmp(type->actuator_groups[i], group) == 0)
            force += fm_actuator_thrust(a, &(fm_supply){.tables = type->tables}, a->high) * a->column[0];
    }
    return force;
}

static void bluerov2_at_full_thrust_makes_1_3_metres_a_second(void **unused)
{
    (void)unused;
    /* the record's drag against the T200's greatest force at 16 V (51.48 N, the maker's table); the maker says 1.5 m/s
     */
    fm_world *world = alone("bluerov2", 1000, "position='0 0 20 m'", "");
    double thrust = greatest_thrust(world, "horizontal"), top = (-9.5 + sqrt(9.5 * 9.5 + 4 * 83 * thrust)) / (2 * 83);
    near("bollard thrust of four T200", thrust, 4 * 51.48 * sqrt(0.5), 0.1);
    near("resistance at top speed", resistance(world, top, 20), thrust, 1e-3);
    near("what is missing of the data sheet's 1.5 m/s", 1.5 - top, 0.22, 0.022);
    finish(world);
}

static void remus_100_makes_1_54_m_s_at_1500_rpm(void **unused)
{
    (void)unused;
    /* held level by neutral buoyancy, no propeller torque, a low centre of gravity: the surge balance alone */
    fm_world *world = alone("remus-100", 1030, "position='0 0 20 m' velocity='1 0 0 m/s'",
                            "<mass weight='306 N' centre='0 0 0.0196 m'/>"
                            "<orders><at t='0 s' propeller='1500 rpm'/></orders>");
    near("resistance at 1.54 m/s", resistance(world, 1.54, 20), 3.86, 0.05);
    run_until(world, 4);
    double u = pose_of(world, 0).velocity[0];
    assert_between(1.1, u, 1.55);
    finish(world);
}

static void remus_100_is_rolled_against_its_propeller(void **unused)
{
    (void)unused;
    fm_world *world =
        alone("remus-100", 1030, "position='0 0 20 m'", "<orders><at t='0 s' propeller='1500 rpm'/></orders>");
    step(world, 1);
    const fm_actuator *propeller = &type_of(world)->actuators[0];
    near("torque for each newton of thrust", propeller->column[3], -0.543 / 3.86, 1e-12);
    near("thrust at 1500 rpm", propeller->gain * pow(1500 * 2 * FM_PI / 60, 2), 3.86, 1e-9);
    run_until(world, 1);
    assert_less(pose_of(world, 0).euler[0], 0);
    finish(world);
}

static void snookie_tops_out_at_1_95_m_s(void **unused)
{
    (void)unused;
    fm_world *world = alone("snookie", 1000, "position='0 0 20 m'", "");
    near("four motors of 7 N", greatest_thrust(world, "forward"), 28, 1e-12);
    near("resistance at 1.95 m/s", resistance(world, 1.950, 20), 28, 0.01);
    finish(world);
}

static void snookies_virtual_mass_is_that_of_the_spheroid(void **unused)
{
    (void)unused;
    fm_world *world = alone("snookie", 1000, "", "");
    const double *m = type_of(world)->mass.virtual_mass;
    near("surge", m[0], 32.2340 + 3.00860, 1e-4);
    near("sway", m[7], 32.2340 + 19.3968, 1e-4);
    near("roll", m[21], 0.239045 + 32.234e-4, 1e-6);
    near("pitch", m[28], 1.305337 + 32.234e-4 + 0.338696, 1e-5);
    finish(world);
}

static void otter_makes_4_knots_at_full_thrust(void **unused)
{
    (void)unused;
    /* the record's drag against 2 x 12.2 kgf; the maker's 6 knots need a calm sea and no payload */
    fm_world *world = alone("otter", 1025, "", "");
    near("resistance at 2.05 m/s", resistance(world, 2.05, 0), 2.6 * 2.05 + 27.4 * 2.05 * 2.05 * 2.05, 0.5);
    near("thrust", resistance(world, 2.05, 0), 2 * 12.2 * 9.81, 5);
    finish(world);
}

static void otter_floats_level_at_its_draught(void **unused)
{
    (void)unused;
    fm_world *world = alone("otter", 1025, "position='0 0 -0.03 m' attitude='5 3 0 deg'", "");
    run_until(world, 30);
    fm_pose pose = pose_of(world, 0);
    near("height of the water line", pose.position[2], 0, 1e-4); /* keel 0.134 m below it by the model file */
    near("roll", pose.euler[0], 0, 1e-4);
    near("pitch", pose.euler[1], 0, 1e-3);
    finish(world);
}

/* Stiffness from a small displacement: heave as MSS, roll and pitch within a few per cent. */
static void otter_is_as_stiff_as_published(void **unused)
{
    (void)unused;
    fm_world *world = alone("otter", 1025, "", "");
    const fm_type *type = type_of(world);
    double low[6] = {0}, high[6] = {0}, down[3] = {0, 0, 1}, d = 1e-4, factor = 9.80665 / 9.81;
    fm_floating_add(&type->body.hull, &type->mass, d, 0, 1, down, low);
    fm_floating_add(&type->body.hull, &type->mass, -d, 0, 1, down, high);
    near("heave stiffness", (high[2] - low[2]) / (2 * d), 7541.4375 * factor, 0.1);
    double roll[6] = {0}, heeled[3] = {0, sin(d), cos(d)}, pitch[6] = {0}, trimmed[3] = {-sin(d), 0, cos(d)};
    fm_floating_add(&type->body.hull, &type->mass, 0, 0, 1, heeled, roll);
    fm_floating_add(&type->body.hull, &type->mass, 0, 0, 1, trimmed, pitch);
    near("roll stiffness", -roll[3] / d, 1077.3 * factor, 0.05 * 1077);
    near("pitch stiffness", -pitch[4] / d, 2551.8 * factor, 0.08 * 2552);
    finish(world);
}

static void buoy_rests_at_its_middle(void **unused)
{
    (void)unused;
    fm_world *world = alone("wavesim-buoy", 1025, "position='0 0 0.1 m' attitude='20 10 0 deg'", "");
    run_until(world, 60);
    fm_pose pose = pose_of(world, 0);
    near("depth of the middle", pose.position[2], 0, 1e-4);
    near("roll", pose.euler[0], 0, 1e-3);
    near("pitch", pose.euler[1], 0, 1e-3);
    finish(world);
}

static void surface_vehicle_draws_15_cm(void **unused)
{
    (void)unused;
    fm_world *world = alone("wavesim-asv", 1025, "position='0 0 0 m' attitude='5 5 0 deg'", "");
    run_until(world, 60);
    near("centre of the box", pose_of(world, 0).position[2], -0.05, 1e-4);
    finish(world);
}

static void underwater_vehicle_surfaces_and_trims_level(void **unused)
{
    (void)unused;
    fm_world *world = alone("wavesim-auv", 1025, "position='0 0 1 m' attitude='10 5 0 deg'", "");
    run_until(world, 120);
    fm_pose pose = pose_of(world, 0);
    near("roll", pose.euler[0], 0, 1e-3);
    near("pitch", pose.euler[1], 0, 1e-3);
    /* 0.6 % of a circle's area above the water: the top of the hull nearly awash */
    near("depth of the axis", pose.position[2], 0.1, 0.01);
    finish(world);
}

/* Santos and Matos' second models of each type: the small craft draws 10 cm, the large buoy rests at its middle, the
 * long vehicle comes up and lies level. */
static void second_models_of_wavesims_types_rest_where_they_should(void **unused)
{
    (void)unused;
    static const struct {
        const char *model;
        double depth, within; /* m */
    } rows[] = {{"wavesim-asv-small", -0.025, 1e-3}, {"wavesim-buoy-large", 0, 1e-3}, {"wavesim-auv-long", 0.11, 0.01}};
    for (size_t i = 0; i < FM_COUNT(rows); i++) {
        fm_world *world = alone(rows[i].model, 1025, "position='0 0 0.3 m' attitude='8 4 0 deg'", "");
        run_until(world, 150);
        const fm_pose pose = pose_of(world, 0);
        near(rows[i].model, pose.position[2], rows[i].depth, rows[i].within);
        near("roll", pose.euler[0], 0, 2e-3);
        near("pitch", pose.euler[1], 0, 2e-3);
        finish(world);
    }
}

/* Lamb's spheroid for the cylinders, half the displaced mass for the spheres; for the boxes the rules in the file. A
 * push on the deep vehicle alone then gives force / (mass + added mass) on each axis. */
static void wavesims_models_carry_added_mass_on_each_axis(void **unused)
{
    (void)unused;
    static const struct {
        const char *model;
        double length, width, draught; /* m; of a box in the water; 0: a cylinder */
    } rows[] = {{"wavesim-auv", 1.5, 0.2, 0},    {"wavesim-auv-long", 2.4, 0.22, 0},
                {"wavesim-asv", 1.5, 0.8, 0.15}, {"wavesim-asv-small", 1, 0.5, 0.1},
                {"wavesim-buoy", 0.6, 0.6, 0},   {"wavesim-buoy-large", 1.2, 1.2, 0}};
    for (size_t i = 0; i < FM_COUNT(rows); i++) {
        const double L = rows[i].length, B = rows[i].width, T = rows[i].draught, rho = 1025;
        double want[6] = {0};
        if (T > 0) {
            want[0] = 2.7 * rho * pow(L * B * T, 5.0 / 3) / (L * L);
            want[1] = rho * FM_PI / 2 * T * T * L;
            want[2] = rho * FM_PI / 8 * B * B * L * L / sqrt(L * L + B * B);
            want[3] = rho * FM_PI / 256 * pow(B, 4) * L;
            want[4] = want[2] * L * L / 12;
            want[5] = want[1] * L * L / 12;
        } else if (L == B) {
            want[0] = want[1] = want[2] = rho * FM_PI / 6 * L * L * L / 4;
        } else {
            const fm_spheroid s = fm_spheroid_added_mass(B / 2, L / 2, rho);
            const double mass = rho * FM_PI / 4 * B * B * L;
            want[0] = s.k1 * mass;
            want[1] = want[2] = s.k2 * mass;
            want[4] = want[5] = s.k_prime * mass * (L * L / 12 + B * B / 16);
        }
        fm_world *world = alone(rows[i].model, 1025, "position='0 0 20 m'", ""),
                 *bare = alone(rows[i].model, 1025, "position='0 0 20 m'",
                               "<added-mass-matrix linear='0 0 0 kg' angular='0 0 0 kg*m2'/>");
        for (size_t k = 0; k < 6; k++)
            near(rows[i].model, type_of(world)->mass.virtual_mass[7 * k] - type_of(bare)->mass.virtual_mass[7 * k],
                 want[k], 2e-3 * want[k] + 1e-9);
        finish(bare);
        finish(world);
    }
}

static void lauv_neither_sinks_nor_rises(void **unused)
{
    (void)unused;
    fm_world *world = alone("lauv", 1025, "position='0 0 5 m' attitude='20 10 0 deg'", "");
    run_until(world, 60);
    fm_pose pose = pose_of(world, 0);
    near("depth", pose.position[2], 5, 0.15); /* the swing itself carries it 9 cm */
    near("roll", pose.euler[0], 0, 0.01);
    near("pitch", pose.euler[1], 0, 0.01);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_model_has_a_positive_definite_mass_matrix),
        cmocka_unit_test(every_model_runs_ten_seconds),
        cmocka_unit_test(bluerov2_accelerates_as_fossens_matrices_with_wus_masses_and_the_records_drag),
        cmocka_unit_test(remus_100_accelerates_as_presteros_equations),
        cmocka_unit_test(otter_accelerates_as_fossens_matrices_with_mss_masses_and_the_records_drag),
        cmocka_unit_test(lauv_accelerates_as_dunes_equations_in_the_horizontal_plane),
        cmocka_unit_test(bluerov2_at_full_thrust_makes_1_3_metres_a_second),
        cmocka_unit_test(remus_100_makes_1_54_m_s_at_1500_rpm),
        cmocka_unit_test(remus_100_is_rolled_against_its_propeller),
        cmocka_unit_test(snookie_tops_out_at_1_95_m_s),
        cmocka_unit_test(snookies_virtual_mass_is_that_of_the_spheroid),
        cmocka_unit_test(otter_makes_4_knots_at_full_thrust),
        cmocka_unit_test(otter_floats_level_at_its_draught),
        cmocka_unit_test(otter_is_as_stiff_as_published),
        cmocka_unit_test(buoy_rests_at_its_middle),
        cmocka_unit_test(surface_vehicle_draws_15_cm),
        cmocka_unit_test(underwater_vehicle_surfaces_and_trims_level),
        cmocka_unit_test(second_models_of_wavesims_types_rest_where_they_should),
        cmocka_unit_test(wavesims_models_carry_added_mass_on_each_axis),
        cmocka_unit_test(lauv_neither_sinks_nor_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
