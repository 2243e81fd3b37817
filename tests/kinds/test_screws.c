/* Propellers in their inflow, through scenarios. A mass of a million kilograms holds its speed, so that the force is
 * the mass times the change of the velocity in one step. */
#include "support/files.h"
#include "support/scenario.h"

#define RHO 1025.0
#define HEAVY 1e6 /* kg */
#define PI 3.14159265358979323846

/* Thrust (N) along x of a vehicle with this inside at speed u, its propeller at n rev/s, `depth` m deep; *roll: moment
 * about x, N·m. */
static double thrust_at(const char *inside, double u, double n, double depth, double *roll)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='20 s'><water density='1025 kg/m3'/></world>"
             "<vehicle name='v' integrator='euler' position='0 0 %.9g m' velocity='%.9g 0 0 m/s'>"
             "<mass mass='1e6 kg' inertia='1e6 1e6 1e6 kg*m2'/><buoyancy force='9806650 N'/>"
             "%s</vehicle></fathom>",
             depth, u, inside);
    fm_world *world = start(text);
    order(world, "v", "screw", 2 * PI * n);
    fm_pose before = pose_of(world, 0);
    step(world, 1);
    fm_pose after = pose_of(world, 0);
    finish(world);
    if (roll)
        *roll = (after.velocity[3] - before.velocity[3]) / 0.01 * 1e6;
    return (after.velocity[0] - before.velocity[0]) / 0.01 * HEAVY;
}

#define CURVE                                                                                                          \
    "<propeller name='screw' rated='3000 rpm' diameter='0.2 m' k0='0.45' k1='-0.35' k2='-0.12' q0='0.06' q1='-0.04' "

static double force_scale(double n)
{
    return RHO * n * n * 0.2 * 0.2 * 0.2 * 0.2;
}

static void thrust_and_torque_follow_the_curve_over_the_advance(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        double u = 0.4 * i, n = 12, j = 0.8 * u / (n * 0.2), roll;
        double thrust = thrust_at(CURVE "wake='0.2' deduction='0.1'/>", u, n, 50, &roll);
        near("thrust", thrust, 0.9 * force_scale(n) * (0.45 - 0.35 * j - 0.12 * j * j), 1e-4);
        near("torque on the hull", roll, -0.2 * force_scale(n) * (0.06 - 0.04 * j), 1e-4);
    }
}

static void a_left_handed_propeller_turns_the_hull_the_other_way(void **state)
{
    (void)state;
    double right, left;
    thrust_at(CURVE "/>", 0.5, 10, 50, &right);
    thrust_at(CURVE "rotation='left'/>", 0.5, 10, 50, &left);
    assert_less(right, 0);
    near("left", left, -right, 1e-9);
}

static void a_stopped_propeller_drags_and_one_astern_brakes(void **state)
{
    (void)state;
    double stopped = thrust_at(CURVE "/>", 2, 0, 50, NULL), backed = thrust_at(CURVE "/>", -2, 0, 50, NULL);
    assert_less(stopped, 0);
    near("the same drag astern", backed, -stopped, 1e-6);
    double astern = thrust_at(CURVE "/>", 0, -12, 50, NULL);
    near("astern at rest", astern, -0.7 * force_scale(12) * 0.45, 1e-4);
    assert_less(thrust_at(CURVE "/>", 2, -12, 50, NULL), astern); /* more than at rest: the inflow helps to brake */
    assert_less(thrust_at(CURVE "/>", 12, 10, 50, NULL), 0);      /* driven by the water */
}

static void force_is_continuous_over_all_four_quadrants(void **state)
{
    (void)state;
    double before = thrust_at(CURVE "/>", 3, -8, 50, NULL);
    for (double n = -8; n <= 8; n += 0.05) { /* at a step of 0.05 rev/s no jump beyond the steepest slope */
        double now = thrust_at(CURVE "/>", 3, n, 50, NULL);
        assert_nearer(now, before, 6);
        before = now;
    }
}

static void a_propeller_near_the_surface_loses_thrust(void **state)
{
    (void)state;
    double deep = thrust_at(CURVE "/>", 0, 12, 50, NULL);
    near("shaft at the surface", thrust_at(CURVE "/>", 0, 12, 0, NULL) / deep, 0.325, 1e-3);
    near("half a radius down", thrust_at(CURVE "/>", 0, 12, 0.05, NULL) / deep, 1 - 0.675 * pow(1 - 0.769 * 0.5, 1.258),
         1e-4);
    near("in the air", thrust_at(CURVE "/>", 0, 12, -0.2, NULL), 0, 1e-9);
    near("1.3 radii down", thrust_at(CURVE "/>", 0, 12, 0.1301, NULL) / deep, 1, 1e-3);
}

static void a_table_gives_its_rows_and_lines_between(void **state)
{
    (void)state;
    char inside[1200];
    snprintf(inside, sizeof inside, "<propeller name='screw' rated='3000 rpm' diameter='0.2 m' open-water='%s'/>",
             "open-water.csv");
    static const double rows[][3] = {{0, 0.44, 0.055}, {0.2, 0.37, 0.048}, {0.6, 0.2, 0.032}};
    for (int i = 0; i < 3; i++) {
        double n = 10, roll;
        near("K_T", thrust_at(inside, rows[i][0] * n * 0.2, n, 50, &roll) / force_scale(n), rows[i][1], 2e-4);
        near("K_Q", -roll / (0.2 * force_scale(n)), rows[i][2], 2e-4);
    }
    near("between", thrust_at(inside, 0.4 * 10 * 0.2, 10, 50, NULL) / force_scale(10), 0.285, 2e-4);
}

/* Read off published charts, to a hundredth of K_T. */
static void propellers_of_a_series_are_where_their_charts_have_them(void **state)
{
    (void)state;
    const char *b = "<propeller name='screw' rated='3000 rpm' diameter='0.2 m' series='wageningen-b' pitch='1' "
                    "blade-area='0.55' blades='4'/>";
    const char *ka = "<propeller name='screw' rated='3000 rpm' diameter='0.2 m' series='ka-4-70' pitch='1'/>";
    double roll;
    near("B4-55 at rest", thrust_at(b, 0, 10, 50, &roll) / force_scale(10), 0.43, 0.02);
    near("its torque", -roll / (0.2 * force_scale(10)), 0.062, 0.003);
    near("B4-55 at J 0.6", thrust_at(b, 1.2, 10, 50, NULL) / force_scale(10), 0.22, 0.015);
    near("Ka 4-70 at rest", thrust_at(ka, 0, 10, 50, &roll) / force_scale(10), 0.5257, 0.001);
    near("its torque", -roll / (0.2 * force_scale(10)), 0.0442, 0.0005);
}

static void a_motor_at_its_torque_turns_as_fast_as_the_water_lets_it(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.01 s' duration='60 s'><water density='1025 kg/m3'/></world>"
              "<vehicle name='v' position='0 0 50 m'><mass mass='1e6 kg' inertia='1e6 1e6 1e6 kg*m2'/>"
              "<buoyancy force='9806650 N'/>" CURVE
              "inertia='0.02 kg*m2' time-constant='0.2 s' motor-torque='1 N*m'/></vehicle></fathom>");
    order(world, "v", "screw", 2 * PI * 40);
    step(world, 3000);
    near("shaft speed", column_of(world, 0, "screw") / (2 * PI), sqrt(1 / (0.2 * force_scale(1) * 0.06)), 0.01);
    finish(world);
}

static void an_order_acts_its_dead_time_later(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.01 s' duration='60 s'/>"
                            "<vehicle name='v' position='0 0 50 m'><mass mass='10 kg' inertia='1 1 1 kg*m2'/>"
                            "<buoyancy force='98.0665 N'/>"
                            "<thruster name='t' direction='1 0 0' thrust='30 N' delay='0.25 s'/></vehicle></fathom>");
    step(world, 10);
    order(world, "v", "t", 20);
    step(world, 25);
    assert_same(pose_of(world, 0).velocity[0], 0);
    step(world, 1);
    near("the first push", pose_of(world, 0).velocity[0], 20.0 / 10 * 0.01, 1e-9);
    finish(world);
}

static void a_tunnel_gives_half_its_thrust_at_its_half_speed(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.01 s' duration='60 s'/>"
              "<vehicle name='v' position='0 0 50 m' velocity='1.5 0 0 m/s'>"
              "<mass mass='1e6 kg' inertia='1e6 1e6 1e6 kg*m2'/><buoyancy force='9806650 N'/>"
              "<tunnel-thruster name='t' direction='0 1 0' thrust='40 N' rated='24 V' half-speed='1.5 m/s'/>"
              "</vehicle></fathom>");
    order(world, "v", "t", 24);
    step(world, 1);
    near("side force", pose_of(world, 0).velocity[1] / 0.01 * 1e6, 20, 1e-3);
    finish(world);
}

static void a_propeller_without_limit_stops_at_its_rated_speed(void **state)
{
    (void)state;
    double rated = thrust_at("<propeller name='screw' rated='600 rpm' thrust='30 N'/>", 0, 10, 50, NULL);
    near("rated", rated, 30, 1e-6);
    near("twice that is not reached",
         thrust_at("<propeller name='screw' rated='600 rpm' thrust='30 N'/>", 0, 20, 50, NULL), rated, 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(thrust_and_torque_follow_the_curve_over_the_advance),
        cmocka_unit_test(a_left_handed_propeller_turns_the_hull_the_other_way),
        cmocka_unit_test(a_stopped_propeller_drags_and_one_astern_brakes),
        cmocka_unit_test(force_is_continuous_over_all_four_quadrants),
        cmocka_unit_test(a_propeller_near_the_surface_loses_thrust),
        cmocka_unit_test(a_table_gives_its_rows_and_lines_between),
        cmocka_unit_test(propellers_of_a_series_are_where_their_charts_have_them),
        cmocka_unit_test(a_motor_at_its_torque_turns_as_fast_as_the_water_lets_it),
        cmocka_unit_test(an_order_acts_its_dead_time_later),
        cmocka_unit_test(a_tunnel_gives_half_its_thrust_at_its_half_speed),
        cmocka_unit_test(a_propeller_without_limit_stops_at_its_rated_speed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
