/* Battery, ballast, moving masses, floating and current against closed forms. */
#include "support/scenario.h"

#include "world/world.h"

#define DEG (FM_PI / 180)

static fm_world *scene(const char *world_attributes, const char *world_inside, const char *vehicle)
{
    char text[4096];
    snprintf(text, sizeof text, "<fathom version='1'><world duration='1e5 s' %s>%s</world>%s</fathom>",
             world_attributes, world_inside, vehicle);
    return start(text);
}

/* --- battery --- */

#define KNOT (1852.0 / 3600)

/* Hours until the battery is empty at a steady speed. P = hotel + c u³; 20 h at 3 kn and 9 h at 5 kn fix both for 1
 * kWh. */
static double endurance(double knots)
{
    double e = 3.6e6, p3 = e / (20 * 3600), p5 = e / (9 * 3600), u3 = 3 * KNOT, u5 = 5 * KNOT;
    double factor = (p5 - p3) / (u5 * u5 * u5 - u3 * u3 * u3), hotel = p3 - factor * u3 * u3 * u3;
    char vehicle[1024];
    snprintf(vehicle, sizeof vehicle,
             "<vehicle name='auv' velocity='%.17g 0 0 m/s'><mass mass='30 kg' inertia='1 4 4 kg*m2'/>"
             "<battery capacity='%.17g J' hotel='%.17g W' propulsion='%.17g W' at-speed='1 m/s'/></vehicle>",
             knots * KNOT, e, hotel, factor);
    fm_world *world = scene("dt='10 s'", "", vehicle);
    double hours = NAN;
    while (isnan(hours) && fm_world_time(world) < 30 * 3600) {
        const fm_event *events;
        step(world, 1);
        for (size_t k = 0, count = fm_world_events(world, &events); k < count; k++)
            if (strcmp(events[k].kind, "battery empty") == 0)
                hours = fm_world_time(world) / 3600;
    }
    near("charge left", metric_of(world, 0, "battery"), 0, 0);
    finish(world);
    return hours;
}

static void a_battery_fitted_to_3_and_5_knots_lasts_20_and_9_hours(void **unused)
{
    (void)unused;
    near("hours at 3 knots", endurance(3), 20, 0.01);
    near("hours at 5 knots", endurance(5), 9, 0.01);
}

static void an_empty_battery_stops_the_thrusters(void **unused)
{
    (void)unused;
    fm_world *world = scene(
        "dt='0.1 s'", "",
        "<vehicle name='auv'><mass mass='30 kg' inertia='1 4 4 kg*m2'/><drag X_u='-10 N*s/m'/>"
        "<thruster name='motor' direction='1 0 0' thrust='20 N' power='100 W'/><battery capacity='500 J' hotel='5 W'/>"
        "<orders><at t='0 s' motor='20 N'/></orders></vehicle>");
    run_until(world, 4);
    assert_greater(pose_of(world, 0).velocity[0], 1);
    near("power at greatest force", metric_of(world, 0, "power"), 105, 1e-9);
    run_until(world, 60);
    near("charge left", metric_of(world, 0, "battery"), 0, 0);
    near("speed without power", pose_of(world, 0).velocity[0], 0, 1e-6);
    finish(world);
}

/* --- trim --- */

#define TRIMMED                                                                                                        \
    "<mass mass='50 kg' centre='0 0 0.02 m' inertia='1 5 5 kg*m2'/><buoyancy/>"                                        \
    "<drag X_u='-30 N*s/m' Y_v='-30 N*s/m' Z_w='-30 N*s/m' K_p='-5 N*m*s/rad' M_q='-5 N*m*s/rad' N_r='-5 N*m*s/rad'/>"

static void a_moving_mass_trims_by_the_arctangent_of_its_shift_over_the_righting_arm(void **unused)
{
    (void)unused;
    fm_world *world = scene("dt='0.05 s'", "",
                            "<vehicle name='glider' position='0 0 50 m' integrator='rk4'>" TRIMMED
                            "<moving-mass name='slider' mass='8 kg' limit='0.1 m' position='0.1 0 0 m'/></vehicle>");
    order(world, fm_world_name(world, 0), "slider", 0.03);
    run_until(world, 120);
    near("pitch", pose_of(world, 0).euler[1], -atan2(8 * 0.03, 50 * 0.02), 1e-6); /* forward: nose down */
    order(world, fm_world_name(world, 0), "slider", -0.05);
    run_until(world, 240);
    near("pitch", pose_of(world, 0).euler[1], atan2(8 * 0.05, 50 * 0.02), 1e-6);
    finish(world);
}

static void ballast_sinks_by_its_weight_over_the_drag_and_heels_by_its_arm(void **unused)
{
    (void)unused;
    fm_world *world = scene("dt='0.05 s' gravity='9.81 m/s2'", "",
                            "<vehicle name='sub' position='0 0 50 m' integrator='rk4'>" TRIMMED
                            "<ballast name='tank' limit='1 kg' rate='0.1 kg/s' position='0 0.2 0 m'/></vehicle>");
    order(world, fm_world_name(world, 0), "tank", 0.5);
    run_until(world, 2);
    near("water after 2 s at 0.1 kg/s", fm_world_column(world, 0, 0), 0.2, 1e-9);
    run_until(world, 100);
    double R[9], down[3];
    fm_quat_matrix(world->slots[0].vehicle->body.attitude, R);
    fm_pose pose = pose_of(world, 0);
    fm_vector_to_world(R, pose.velocity, down);
    near("heel", pose.euler[0], atan2(0.5 * 0.2, 50 * 0.02), 1e-6);
    near("sinking speed", down[2], 0.5 * 9.81 / 30, 1e-6);
    finish(world);
}

static void a_weak_pump_fills_its_tank_slowly_and_a_dead_one_not_at_all(void **unused)
{
    (void)unused;
    fm_world *world = scene("dt='0.05 s' gravity='9.81 m/s2'", "",
                            "<vehicle name='sub' position='0 0 50 m' integrator='rk4'>" TRIMMED
                            "<ballast name='tank' limit='1 kg' rate='0.1 kg/s' efficiency='0.25'/></vehicle>");
    order(world, fm_world_name(world, 0), "tank", 0.5);
    run_until(world, 2);
    near("water after 2 s at 0.025 kg/s", fm_world_column(world, 0, 0), 0.05, 1e-9);
    set_live(world, "/sub/tank/efficiency", 0);
    run_until(world, 4);
    near("water after 2 s of a dead pump", fm_world_column(world, 0, 0), 0.05, 1e-9);
    finish(world);
}

static void free_flood_water_has_mass_but_no_weight(void **unused)
{
    (void)unused;
    fm_model *model =
        load("<fathom version='1'><world dt='0.01 s' duration='1 s' gravity='9.81 m/s2'><water density='1000 "
             "kg/m3'/></world>"
             "<vehicle name='v'><component name='hull' mass='40 kg' centre='0.1 0 0 m' size='1 0.2 0.2 m'/>"
             "<component name='bow' flooded='0.01 m3' centre='0.5 0 0 m'/>"
             "<ballast name='tank' limit='2 kg' position='0 0 0.1 m'/></vehicle></fathom>");
    const fm_type *type = &model->types[0];
    near("mass that moves", type->weights.properties.mass, 50, 1e-9);
    near("its centre", type->weights.properties.centre[0], (40 * 0.1 + 10 * 0.5) / 50, 1e-12);
    near("its inertia about y", type->weights.properties.inertia[4], 40 * (1 + 0.04) / 12 + 40 * 0.01 + 10 * 0.25,
         1e-9);
    near("weight in water", type->mass.weight, 40 * 9.81, 1e-9);
    fm_world *world = create(model, 1);
    order(world, fm_world_name(world, 0), "tank", 2);
    step(world, 1);
    near("weight with ballast", fm_slot_mass(world, 0)->weight, 42 * 9.81, 1e-9);
    fm_world_free(world);
    fm_model_free(model);
}

/* --- floating --- */

#define FRESH "<water density='1000 kg/m3'/>"
#define DAMPED                                                                                                         \
    "<drag X_u='-200 N*s/m' Y_v='-200 N*s/m' Z_w='-900 N*s/m' K_p='-60 N*m*s/rad' M_q='-60 N*m*s/rad' N_r='-60 "       \
    "N*m*s/rad'/>"

static void a_box_of_half_the_density_floats_half_submerged(void **unused)
{
    (void)unused;
    fm_world *world = scene(
        "dt='0.02 s'", FRESH,
        "<vehicle name='box' position='0 0 -0.1 m'><mass mass='300 kg' centre='0 0 0.1 m' inertia='30 60 70 kg*m2'/>"
        "<float shape='box' size='1.5 1 0.4 m'/>" DAMPED "</vehicle>");
    run_until(world, 60);
    near("depth of its centre", pose_of(world, 0).position[2], 0, 1e-6);
    finish(world);
}

/* Depth at which a sphere of radius r and density ratio s floats: cap volume πh²(3r − h)/3 = s 4/3 π r³. */
static double cap_height(double r, double s)
{
    double low = 0, high = 2 * r;
    for (int i = 0; i < 80; i++) {
        double h = (low + high) / 2;
        if (h * h * (3 * r - h) / 3 < s * 4 / 3 * r * r * r)
            low = h;
        else
            high = h;
    }
    return low;
}

static void a_sphere_floats_on_its_cap(void **unused)
{
    (void)unused;
    static const double parts[] = {0.2, 0.5, 0.8};
    for (int i = 0; i < 3; i++) {
        char vehicle[1024];
        snprintf(vehicle, sizeof vehicle,
                 "<vehicle name='ball'><mass mass='%.17g kg' centre='0 0 0.05 m' inertia='9 9 9 kg*m2'/>"
                 "<float shape='ellipsoid' size='0.8 0.8 0.8 m'/>" DAMPED "</vehicle>",
                 1000 * parts[i] * 4 / 3 * FM_PI * 0.4 * 0.4 * 0.4);
        fm_world *world = scene("dt='0.02 s'", FRESH, vehicle);
        run_until(world, 60);
        near("depth of its centre", pose_of(world, 0).position[2], cap_height(0.4, parts[i]) - 0.4, 0.002);
        finish(world);
    }
}

/* Righting moment at a small heel, N·m. */
static double righting(fm_world *world, double heel)
{
    const fm_type *type = world->slots[0].type;
    double e[3] = {heel, 0, 0}, R[9], f[6] = {0};
    fm_euler_matrix(e, R);
    fm_floating_add(&type->body.hull, &type->mass, world->slots[0].vehicle->body.position[2], 0, 1, R + 6, f);
    return -f[3];
}

static void a_floating_hull_rights_with_its_metacentric_height(void **unused)
{
    (void)unused;
    double heel = 0.01, g = 9.80665;
    /* box: length 2, breadth 1, draught 0.3; KB = T/2, BM = b²/12T; centre of gravity 0.1 m above the waterline's
     * middle */
    fm_world *box = scene("dt='0.02 s' gravity='9.80665 m/s2'", FRESH,
                          "<vehicle name='box'><mass mass='600 kg' centre='0 0 0.02 m' inertia='90 200 220 kg*m2'/>"
                          "<float shape='box' size='2 1 0.6 m'/></vehicle>");
    double gm = 1.0 / 12 / 0.3 + 0.02 - 0.15;
    near("GM of the box", righting(box, heel) / (600 * g * sin(heel)), gm, 2e-3 * gm);
    finish(box);
    /* lying cylinder, half submerged: the buoyancy passes through its axis at any heel, GM = depth of the weight */
    fm_world *log =
        scene("dt='0.02 s' gravity='9.80665 m/s2'", FRESH,
              "<vehicle name='log'><mass mass='392.69908169872414 kg' centre='0 0 0.1 m' inertia='30 200 220 kg*m2'/>"
              "<float shape='lying-cylinder' size='4 0.5 0.5 m'/></vehicle>");
    near("GM of the cylinder", righting(log, heel) / (392.69908169872414 * g * sin(heel)), 0.1, 0.004);
    finish(log);
}

static void a_spar_buoy_heaves_with_the_period_of_its_waterplane(void **unused)
{
    (void)unused;
    /* T = 2π √((m + a)/(ρ g A)) */
    double area = FM_PI * 0.25 * 0.25, mass = 1000 * area * 3, added = 40, g = 9.80665;
    char vehicle[1024];
    snprintf(vehicle, sizeof vehicle,
             "<vehicle name='spar' position='0 0 0.2 m' integrator='rk4'><mass mass='%.17g kg' centre='0 0 2 m' "
             "inertia='3000 3000 20 kg*m2'/>"
             "<added-mass-matrix linear='0 0 %.17g kg'/><float shape='cylinder' size='0.5 0.5 4 m' centre='0 0 1 "
             "m'/></vehicle>",
             mass, added); /* draught 3: from z = −1 (top) to 3 (bottom) */
    fm_world *world = scene("dt='0.01 s' gravity='9.80665 m/s2'", FRESH, vehicle);
    double before = 0.2, first = NAN, last = NAN;
    int crossings = 0;
    for (int i = 0; i < 6000; i++) {
        step(world, 1);
        double z = pose_of(world, 0).position[2];
        if ((z > 0) != (before > 0)) {
            double t = fm_world_time(world) - 0.01 * z / (z - before);
            first = crossings ? first : t;
            last = t;
            crossings++;
        }
        before = z;
    }
    assert_greater(crossings, 20);
    near("heave period", 2 * (last - first) / (crossings - 1), 2 * FM_PI * sqrt((mass + added) / (1000 * g * area)),
         1e-4);
    finish(world);
}

/* --- current --- */

#define DRIFTER                                                                                                        \
    "<mass mass='40 kg' centre='0 0 0.03 m' inertia='1.1 4.3 4.9 kg*m2'/><added-mass-matrix linear='4 35 38 kg' "      \
    "angular='0.2 3.1 2.9 kg*m2'/>"                                                                                    \
    "<drag X_u='-20 N*s/m' Y_v='-40 N*s/m' Z_w='-45 N*s/m' K_p='-2 N*m*s/rad' M_q='-9 N*m*s/rad' N_r='-8 N*m*s/rad' "  \
    "X_u_absu='-9 N*s2/m2' "                                                                                           \
    "Y_uv='-12 N*s2/m2' N_uv='-5 N*m*s2/m2'/>"                                                                         \
    "<thruster name='push' position='0 0.1 -0.05 m' direction='1 0.1 0.05' thrust='40 N'/>"

static void a_drifting_body_takes_the_velocity_of_the_current(void **unused)
{
    (void)unused;
    fm_world *world = scene("dt='0.02 s'", "<current velocity='0.3 -0.2 0.05 m/s'/>",
                            "<vehicle name='drifter' position='0 0 50 m' attitude='0 0 70 deg'>" DRIFTER "</vehicle>");
    run_until(world, 200);
    fm_pose pose = pose_of(world, 0);
    double R[9], over_ground[3];
    fm_quat_matrix(pose.attitude, R);
    fm_vector_to_world(R, pose.velocity, over_ground);
    static const double current[3] = {0.3, -0.2, 0.05};
    for (int i = 0; i < 3; i++)
        near("velocity over ground", over_ground[i], current[i], 1e-9);
    finish(world);
}

static void a_uniform_current_only_carries_the_trajectory(void **unused)
{
    (void)unused;
    static const char *const integrators[] = {"euler", "heun", "rk4", "text"};
    for (int k = 0; k < 4; k++) {
        char still_text[2048], moving_text[2048];
        const double current[3] = {0.4, -0.3, 0.1};
        const char *format = "<vehicle name='v' position='0 0 50 m' integrator='%s' attitude='0 0 0 deg' velocity='%g "
                             "%g %g m/s'>" DRIFTER "<orders><at t='0 s' push='15 N'/></orders></vehicle>";
        snprintf(still_text, sizeof still_text, format, integrators[k], 1.0, 0.0, 0.0);
        snprintf(moving_text, sizeof moving_text, format, integrators[k], 1.0 + current[0], current[1], current[2]);
        fm_world *still = scene("dt='0.002 s'", "", still_text);
        fm_world *moving = scene("dt='0.002 s'", "<current velocity='0.4 -0.3 0.1 m/s'/>", moving_text);
        run_until(still, 10);
        run_until(moving, 10);
        fm_pose a = pose_of(still, 0), b = pose_of(moving, 0);
        /* only RK4's step error is small enough for 1e-9: the frame turns under the current within a step */
        double tolerance = k == 2 ? 1e-9 : k == 1 ? 2e-6 : 5e-3;
        for (int i = 0; i < 3; i++) {
            near("position carried by the current", b.position[i] - current[i] * 10, a.position[i], tolerance);
            near("attitude", angle_between(b.euler[i], a.euler[i]), 0, tolerance);
        }
        finish(still);
        finish(moving);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_battery_fitted_to_3_and_5_knots_lasts_20_and_9_hours),
        cmocka_unit_test(an_empty_battery_stops_the_thrusters),
        cmocka_unit_test(a_moving_mass_trims_by_the_arctangent_of_its_shift_over_the_righting_arm),
        cmocka_unit_test(ballast_sinks_by_its_weight_over_the_drag_and_heels_by_its_arm),
        cmocka_unit_test(a_weak_pump_fills_its_tank_slowly_and_a_dead_one_not_at_all),
        cmocka_unit_test(free_flood_water_has_mass_but_no_weight),
        cmocka_unit_test(a_box_of_half_the_density_floats_half_submerged),
        cmocka_unit_test(a_sphere_floats_on_its_cap),
        cmocka_unit_test(a_floating_hull_rights_with_its_metacentric_height),
        cmocka_unit_test(a_spar_buoy_heaves_with_the_period_of_its_waterplane),
        cmocka_unit_test(a_drifting_body_takes_the_velocity_of_the_current),
        cmocka_unit_test(a_uniform_current_only_carries_the_trajectory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
