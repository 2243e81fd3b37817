/* Hulls at the surface and above it, against closed forms: what the water does fades with the submerged part. */
#include "support/program.h"
#include "support/scenario.h"

#include "world/world.h"

#define RHO 1000.0
#define G 9.81

/* A body of `mass` kg that its <buoyancy> bears, in fresh water. */
static fm_world *body(const char *attributes, const char *inside)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.005 s' duration='100 s' gravity='9.81 m/s2'><water density='1000 "
             "kg/m3'/></world><vehicle name='body' integrator='rk4' %s>%s</vehicle></fathom>",
             attributes, inside);
    return start(text);
}

/* Acceleration of the body in still water at this depth, attitude and velocity; forces of its actuators as given. */
static void accelerate(const fm_world *world, double depth, const double euler[3], const double nu[6],
                       const double force[6], double out[6])
{
    const fm_type *type = world->slots[0].type;
    fm_body_input input = {.fin = {1}, .density_ratio = 1};
    fm_stream still = {0};
    fm_body_state state = {.position = {0, 0, depth}}, rate;
    memcpy(input.force, force, sizeof input.force);
    memcpy(state.velocity, nu, sizeof state.velocity);
    fm_quat_from_euler(euler, state.attitude);
    fm_body_rate(&type->body, &type->mass, &input, &still, &state, &rate);
    memcpy(out, rate.velocity, 6 * sizeof *out);
}

static const double level[3], none[6];

/* --- buoyancy, added mass, drag and thrust of a body that is partly out --- */

/* Part of a ball of radius r whose centre is d below the surface: 1 − h²(3r − h)/4r³, h the height of the cap in air.
 */
static double ball_part(double d, double r)
{
    double h = fmin(fmax(r - d, 0), 2 * r);
    return 1 - h * h * (3 * r - h) / (4 * r * r * r);
}

#define BALL_MASS (RHO * 4.0 / 3 * FM_PI * 0.125) /* neutral, r = 0.5 m */

static void a_neutral_ball_rises_out_of_the_water_with_the_buoyancy_of_its_wet_part(void **unused)
{
    (void)unused;
    fm_world *world = body("", "<mass mass='523.5987755982989 kg' inertia='50 50 50 kg*m2'/><added-mass-matrix "
                               "linear='261.8 261.8 261.8 kg'/><hull kind='sphere' size='1 1 1 m'/>");
    for (double d = -0.6; d < 0.61; d += 0.1) {
        double a[6], part = ball_part(d, 0.5);
        accelerate(world, d, level, none, none, a);
        near("heave", a[2], BALL_MASS * G * (1 - part) / (BALL_MASS + part * 261.8), 0.004 * G);
        near("pitch", a[4], 0, 1e-12);
    }
    finish(world);
}

#define BOX                                                                                                            \
    "<mass mass='400 kg' inertia='20 70 80 kg*m2'/><added-mass-matrix linear='40 200 300 kg' angular='2 30 20 "        \
    "kg*m2'/><drag X_u='-60 N*s/m' Z_w_absw='-500 N*s2/m2'/><thruster name='push' direction='1 0 0' thrust='100 N'/>"  \
    "<hull kind='box' size='2 0.5 0.4 m'/>"

static void drag_thrust_and_added_mass_of_a_box_fade_with_its_draught(void **unused)
{
    (void)unused;
    fm_world *world = body("", BOX);
    const double nu[6] = {0.7, 0, 0.3, 0, 0, 0}, push[6] = {90, 0, 0, 0, 0, 0};
    for (double d = -0.3; d < 0.31; d += 0.05) {
        double a[6], part = fmin(fmax((d + 0.2) / 0.4, 0), 1);
        accelerate(world, d, level, nu, push, a);
        near("surge", a[0], part * (90 - 60 * 0.7) / (400 + part * 40), 1e-9);
        near("heave", a[2], (400 * G * (1 - part) - part * 500 * 0.09) / (400 + part * 300), 1e-9);
    }
    finish(world);
}

/* Half of a box is under water at every angle of heel when its centre lies in the surface. */
static void a_heeled_box_with_its_centre_in_the_surface_is_half_wet(void **unused)
{
    (void)unused;
    fm_world *world = body("", BOX);
    for (double heel = 0; heel < 70; heel += 10) {
        const double euler[3] = {heel * FM_PI / 180, 0, 0};
        double a[6], R[9];
        accelerate(world, 0, euler, none, none, a);
        fm_euler_matrix(euler, R);
        double lift = 200 * G, down = R[7] * a[1] + R[8] * a[2];
        near("acceleration down", down, lift * (R[7] * R[7] / (400 + 0.5 * 200) + R[8] * R[8] / (400 + 0.5 * 300)),
             0.01 * G);
    }
    finish(world);
}

static void a_float_and_a_hull_with_buoyancy_are_borne_alike(void **unused)
{
    (void)unused;
    fm_world *a = body("", "<mass mass='400 kg' inertia='20 70 80 kg*m2'/><float shape='box' size='2 0.5 0.4 m'/>");
    fm_world *b = body("", "<mass mass='400 kg' inertia='20 70 80 kg*m2'/><buoyancy volume='0.4 m3'/>"
                           "<hull kind='box' size='2 0.5 0.4 m'/>");
    for (int i = 0; i < 60; i++) {
        const double euler[3] = {0.3 * sin(i), 0.4 * cos(2 * i), i};
        double depth = -0.5 + i / 60.0, of_a[6], of_b[6];
        accelerate(a, depth, euler, none, none, of_a);
        accelerate(b, depth, euler, none, none, of_b);
        for (int k = 0; k < 6; k++)
            near("acceleration", of_a[k], of_b[k], 1e-9);
    }
    finish(a);
    finish(b);
}

/* --- flight --- */

static void in_the_air_a_vehicle_falls_with_g_whatever_its_thrusters_and_the_current_do(void **unused)
{
    (void)unused;
    static const char *const models[] = {"nps-auv-ii", "lauv", "remus-100", "bluerov2", "snookie", "wavesim-buoy"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<fathom version='1'><world dt='0.01 s' duration='10 s' gravity='9.81 m/s2'><water density='1000 "
                 "kg/m3'/><current velocity='1 -0.5 0 m/s'/></world><vehicle name='v' model='%s' position='0 0 -20 m' "
                 "velocity='2 0.3 -1 m/s'/></fathom>",
                 models[i]);
        fm_world *world = start(text);
        for (size_t k = 0; k < world->slots[0].type->actuator_count; k++)
            order(world, "v", world->slots[0].type->actuator_names[k], world->slots[0].type->actuators[k].high);
        run_until(world, 1);
        fm_pose pose = pose_of(world, 0);
        near("north", pose.position[0], 2, 1e-9);
        near("east", pose.position[1], 0.3, 1e-9);
        near("depth", pose.position[2], -20 - 1 + G / 2, 1e-9);
        finish(world);
    }
}

/* Free-flood water weighs nothing in water, and its mass in air. */
static void a_flooded_hull_falls_with_g_too(void **unused)
{
    (void)unused;
    fm_world *world = body("position='0 0 -9 m'", "<component name='frame' mass='20 kg' centre='0 0 0.1 m' size='1 1 1 "
                                                  "m'/><component name='water' flooded='0.05 m3' centre='0.2 0 0 m' "
                                                  "size='0.5 0.5 0.2 m'/>");
    run_until(world, 1);
    near("depth", pose_of(world, 0).position[2], -9 + G / 2, 1e-9);
    finish(world);
}

/* Von Kármán's impact: momentum is kept while the hull takes its added mass along; leaving the water changes no speed.
 */
static void entering_water_keeps_momentum_and_leaving_it_keeps_speed(void **unused)
{
    (void)unused;
    static const char *const text =
        "<fathom version='1'><world dt='0.001 s' duration='10 s' gravity='0.1 m/s2'><water density='1000 kg/m3'/>"
        "</world><vehicle name='body' position='0 0 %g m' velocity='0 0 %g m/s'><mass mass='500 kg' inertia='50 50 50 "
        "kg*m2'/><added-mass-matrix linear='0 0 300 kg'/><hull kind='box' size='1 1 0.5 m'/></vehicle></fathom>";
    for (int out = 0; out < 2; out++) {
        char scene[1024];
        snprintf(scene, sizeof scene, text, out ? 0.3 : -0.3, out ? -2.0 : 2.0);
        fm_world *world = start(scene);
        run_until(world, 0.5);
        near("speed", pose_of(world, 0).velocity[2], out ? -2 : 2 * 500.0 / 800, 0.05); /* gravity: 0.05 m/s */
        finish(world);
    }
}

/* --- events --- */

static void leaving_the_water_and_coming_back_is_told(void **unused)
{
    (void)unused;
    fm_world *world = body("position='0 0 2 m' velocity='0 0 -4 m/s'",
                           "<mass mass='500 kg' inertia='50 50 50 kg*m2'/><hull kind='box' size='1 1 0.5 m'/>");
    static const char *const expected[] = {"broached", "out of the water", "back in the water"};
    size_t seen = 0;
    double top = 0;
    while (fm_world_time(world) < 3) {
        const fm_event *events;
        step(world, 1);
        top = fmin(top, pose_of(world, 0).position[2]);
        for (size_t i = 0, count = fm_world_events(world, &events); i < count; i++, seen++) {
            assert_less(seen, 3);
            assert_string_equal(events[i].kind, expected[seen]);
        }
    }
    assert_int_equal(seen, 3);
    near("height of the jump", top, -16 / (2 * G), 0.001); /* v²/2 = g h: weight grows evenly while it comes out */
    finish(world);
}

static void a_boat_that_floats_does_not_broach(void **unused)
{
    (void)unused;
    fm_world *world = start_scenario("otter-harbour", NULL);
    size_t told = 0;
    for (int i = 0; i < 500; i++) {
        const fm_event *events;
        step(world, 1);
        for (size_t k = 0, count = fm_world_events(world, &events); k < count; k++)
            told += strcmp(events[k].kind, "broached") == 0;
    }
    assert_int_equal(told, 0);
    finish(world);
}

/* --- through the program --- */

static program_run r;

/* Full speed and all planes up, from 3 m: the vehicle porpoises, and no part of it ever flies. */
static void the_shipped_vehicles_cannot_fly(void **unused)
{
    (void)unused;
    static const char *const flights[][2] = {
        {"nps-auv-ii", "propellers='700 rpm' bow-planes='20 deg' stern-planes='-20 deg' vertical-thrusters='-24 V'"},
        {"lauv", "propeller='2500 rpm' stern-planes='-25 deg'"},
        {"remus-100", "propeller='1500 rpm' stern-planes='-13 deg'"}};
    for (size_t i = 0; i < sizeof flights / sizeof *flights; i++) {
        FILE *file = fopen("surface_flight.xml", "w");
        assert_non_null(file);
        fprintf(
            file,
            "<fathom version='1'><world dt='0.02 s' duration='60 s'/><vehicle name='auv' model='%s' position='0 0 3 "
            "m' attitude='0 20 0 deg' velocity='1.5 0 0 m/s'><orders><at t='0 s' %s/></orders></vehicle></fathom>",
            flights[i][0], flights[i][1]);
        fclose(file);
        assert_int_equal(run_fathom(&r, "run surface_flight.xml --csv surface_flight --quiet"), 0);
        FILE *csv = fopen("surface_flight/auv.csv", "r");
        assert_non_null(csv);
        char line[4096];
        double t, x, y, z, least = 3;
        while (fgets(line, sizeof line, csv))
            if (sscanf(line, "%lf,%lf,%lf,%lf", &t, &x, &y, &z) == 4)
                least = fmin(least, z);
        fclose(csv);
        if (!(least > -1.0 && least < 0.5))
            fail_msg("%s came up to %g m", flights[i][0], least);
        assert_between(-1.0, least, 0.5); /* it came up, and stayed in reach of the water */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_neutral_ball_rises_out_of_the_water_with_the_buoyancy_of_its_wet_part),
        cmocka_unit_test(drag_thrust_and_added_mass_of_a_box_fade_with_its_draught),
        cmocka_unit_test(a_heeled_box_with_its_centre_in_the_surface_is_half_wet),
        cmocka_unit_test(a_float_and_a_hull_with_buoyancy_are_borne_alike),
        cmocka_unit_test(in_the_air_a_vehicle_falls_with_g_whatever_its_thrusters_and_the_current_do),
        cmocka_unit_test(a_flooded_hull_falls_with_g_too),
        cmocka_unit_test(entering_water_keeps_momentum_and_leaving_it_keeps_speed),
        cmocka_unit_test(leaving_the_water_and_coming_back_is_told),
        cmocka_unit_test(a_boat_that_floats_does_not_broach),
        cmocka_unit_test(the_shipped_vehicles_cannot_fly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
