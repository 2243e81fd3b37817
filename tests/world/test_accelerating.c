/* Bodies in water that accelerates, against closed forms: the force is (ρV + A) Du/Dt (J2), whatever the body weighs.
 */
#include "support/scenario.h"

#include "world/stream.h"

#define RHO 1000.0
#define G 9.81
#define VOLUME 0.5 /* m³, of the sphere */

/* A sphere of `density` times the water's, added mass half of what it displaces, without drag. */
static fm_world *sphere(double density, double radius, const char *water, const char *attributes)
{
    char text[2048];
    double mass = density * RHO * VOLUME, added = 0.5 * RHO * VOLUME;
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.02 s' duration='1000 s' gravity='9.81 m/s2'><water density='1000 kg/m3' "
             "%s</world><vehicle name='sphere' integrator='rk4' %s><mass mass='%.17g kg' inertia='50 50 50 "
             "kg*m2'/><buoyancy volume='%.17g m3'/><added-mass-matrix linear='%.17g %.17g %.17g kg'/><hull "
             "kind='sphere' size='%g %g %g m'/></vehicle></fathom>",
             water, attributes, mass, VOLUME, added, added, added, radius, radius, radius);
    return start(text);
}

/* The share of the water's acceleration that a sphere takes: (1 + ½)/(s + ½). */
static double share(double density)
{
    return 1.5 / (density + 0.5);
}

static void over_ground(const fm_world *world, double out[3])
{
    fm_pose pose = pose_of(world, 0);
    double R[9];
    fm_quat_matrix(world->slots[0].vehicle->body.attitude, R);
    fm_vector_to_world(R, pose.velocity, out);
}

static const double densities[] = {4, 1, 0.5};

/* A tide of 20 s: u = cos ωt north. From rest the sphere has share (cos ωt − 1). */
static void a_sphere_takes_its_share_of_the_acceleration_of_the_water(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        fm_world *world =
            sphere(densities[i], 0.9, "surface='none'/><current><tide period='20 s' major='1 m/s'/></current>",
                   "position='0 0 50 m'");
        for (int k = 1; k <= 4; k++) {
            double v[3];
            run_until(world, 4.0 * k);
            over_ground(world, v);
            near("speed north", v[0], share(densities[i]) * (cos(2 * FM_PI * 4 * k / 20) - 1), 1e-5);
            near("speed east", v[1], 0, 1e-12);
        }
        finish(world);
    }
}

/* Half a float in the surface displaces its mass and goes with the water; a heavier one would sink. */
static void what_floats_goes_with_the_tide(void **unused)
{
    (void)unused;
    static const char *const borne[] = {"<float shape='box' size='2 0.5 0.4 m'/>",
                                        "<buoyancy volume='0.4 m3'/><hull kind='box' size='2 0.5 0.4 m'/>"};
    for (size_t i = 0; i < 2; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<fathom version='1'><world dt='0.02 s' duration='100 s' gravity='9.81 m/s2'><water density='1000 "
            "kg/m3'/><current><tide period='20 s' major='1 m/s' minor='0.3 m/s'/></current></world><vehicle "
            "name='v' integrator='rk4' coriolis='rigid-body'><mass mass='200 kg' centre='0 0 0.1 m' inertia='22 72 80 "
            "kg*m2'/><added-mass-matrix "
            "linear='40 200 300 kg' angular='2 30 20 kg*m2'/>%s</vehicle></fathom>",
            borne[i]);
        fm_world *world = start(text);
        for (int k = 1; k <= 4; k++) {
            double v[3], phase = 2 * FM_PI * 4 * k / 20;
            run_until(world, 4.0 * k);
            over_ground(world, v);
            near("speed north", v[0], cos(phase) - 1, 1e-5);
            near("speed east", v[1], 0.3 * sin(phase), 1e-5);
            near("depth", pose_of(world, 0).position[2], 0, 1e-9);
        }
        finish(world);
    }
}

/* In water that turns by Ω like a solid, r̈ = −share Ω² r. Released with the water at r₀: north r₀ cos(√share Ω t), east
 * r₀/√share sin(√share Ω t): a heavy sphere is thrown out, a light one drawn in, a neutral one goes round with the
 * water. */
static void a_vortex_throws_a_heavy_sphere_out_and_draws_a_light_one_in(void **unused)
{
    (void)unused;
    const double omega = 0.2, core = 100, r0 = 5, t = 6;
    for (size_t i = 0; i < 3; i++) {
        char water[512], attributes[256];
        snprintf(water, sizeof water,
                 "surface='none'/><current><vortex model='rankine' centre='0 0 0 m' circulation='%.17g m2/s' core='%g "
                 "m'/></current>",
                 2 * FM_PI * core * core * omega, core);
        snprintf(attributes, sizeof attributes, "position='%g 0 50 m' velocity='0 %g 0 m/s'", r0, omega * r0);
        fm_world *world = sphere(densities[i], 0.9, water, attributes);
        run_until(world, t);
        fm_pose pose = pose_of(world, 0);
        double root = sqrt(share(densities[i])), phase = root * omega * t;
        near("north", pose.position[0], r0 * cos(phase), 1e-5);
        near("east", pose.position[1], r0 / root * sin(phase), 1e-5);
        double r = hypot(pose.position[0], pose.position[1]);
        if (densities[i] > 1)
            assert_greater(r, r0 + 0.5);
        else if (densities[i] < 1)
            assert_less(r, r0 - 0.2);
        else
            assert_nearer(r, r0, 1e-5);
        finish(world);
    }
}

/* --- waves --- */

/* Deep-water wave of 0.5 m and 8 s that runs north: velocity of the water, NED. */
static void orbit(double t, const double p[3], double out[3])
{
    double w = 2 * FM_PI / 8, k = w * w / G, theta = k * p[0] - w * t, speed = 0.5 * w * exp(-k * p[2]);
    out[0] = speed * cos(theta);
    out[1] = 0;
    out[2] = -speed * sin(theta);
}

/* The path of a particle of water, by Runge and Kutta. */
static void follow(double t, double h, double p[3])
{
    double k[4][3], q[3];
    const double part[4] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 3; i++)
            q[i] = p[i] + (s ? part[s] * h * k[s - 1][i] : 0);
        orbit(t + part[s] * h, q, k[s]);
    }
    for (int i = 0; i < 3; i++)
        p[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Small against the wave, it goes where the water goes that it started with, Stokes drift included. */
static void a_neutral_sphere_under_a_wave_goes_the_way_of_the_water(void **unused)
{
    (void)unused;
    double quarter = 8 * G / FM_PI, p[3] = {quarter, 0, 6}, v[3], sum = 0; /* where it goes straight up */
    char attributes[256];
    orbit(0, p, v);
    snprintf(attributes, sizeof attributes, "position='%.17g 0 6 m' velocity='%.17g 0 %.17g m/s'", p[0], v[0], v[2]);
    fm_world *world = sphere(1, 0.01, "/><waves><wave amplitude='0.5 m' period='8 s'/></waves>", attributes);
    for (int i = 0; i < 4000; i++) {
        follow(0.02 * i, 0.02, p);
        step(world, 1);
        fm_pose pose = pose_of(world, 0);
        sum += pose.position[2] / 4000;
        for (int k = 0; k < 3; k++)
            near("place", pose.position[k], p[k], 2e-4);
    }
    near("mean depth", sum, 6.0, 0.02);
    assert_greater(p[0], quarter + 0.3); /* Stokes: ω k a² e^(−2kz) t = 0.5 m */
    finish(world);
}

/* How much deeper it is at the end than 24 s after its start, in means over a period. */
static double sunk(double density, const char *model, double seconds)
{
    char text[1024];
    double mean[2] = {0};
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.02 s' duration='500 s'><water density='%g kg/m3'/><waves><wave "
        "amplitude='0.5 m' period='8 s'/></waves></world><vehicle name='v' position='0 0 6 m' model='%s'/></fathom>",
        density, model);
    fm_world *world = start(text);
    for (int k = 0; k < 2; k++) {
        run_until(world, k ? seconds - 8 : 24);
        for (int i = 0; i < 400; i++) {
            step(world, 1);
            mean[k] += pose_of(world, 0).position[2] / 400;
        }
    }
    finish(world);
    return mean[1] - mean[0];
}

static void neutral_vehicles_do_not_sink_under_waves(void **unused)
{
    (void)unused;
    near("BlueROV2 Heavy", sunk(1000, "bluerov2-heavy", 120), 0, 0.05);
    near("LAUV", sunk(1025, "lauv", 120), 0, 0.05);
}

/* --- currents that wander --- */

/* Without drag the acceleration of the water alone moves the sphere: v − v₀ = share (c − c₀). */
static void a_wandering_current_pushes_by_its_acceleration(void **unused)
{
    (void)unused;
    for (size_t i = 0; i < 3; i++) {
        fm_world *world =
            sphere(densities[i], 0.9,
                   "surface='none'/><current><gauss-markov deviation='0.2 0.1 0 m/s' time='5 s'/></current>",
                   "position='0 0 50 m'");
        double first[3], begun[3], v[3], now[3], most = 0;
        for (int k = 0; k < 500; k++) { /* the current that a step shows is that of its start */
            const double *place = world->slots[0].vehicle->body.position;
            over_ground(world, v);
            step(world, 1);
            fm_stream_velocity(world, place, now);
            if (k == 0) {
                memcpy(begun, v, sizeof begun);
                memcpy(first, now, sizeof first);
            }
            for (int axis = 0; axis < 2; axis++)
                near("speed", v[axis] - begun[axis], share(densities[i]) * (now[axis] - first[axis]), 1e-9);
            most = fmax(most, fabs(now[0] - first[0]));
        }
        assert_greater(most, 0.05);
        finish(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sphere_takes_its_share_of_the_acceleration_of_the_water),
        cmocka_unit_test(what_floats_goes_with_the_tide),
        cmocka_unit_test(a_vortex_throws_a_heavy_sphere_out_and_draws_a_light_one_in),
        cmocka_unit_test(a_neutral_sphere_under_a_wave_goes_the_way_of_the_water),
        cmocka_unit_test(neutral_vehicles_do_not_sink_under_waves),
        cmocka_unit_test(a_wandering_current_pushes_by_its_acceleration),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
