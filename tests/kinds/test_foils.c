/* Fins given by their size, through scenarios. */
#include "support/scenario.h"

#define RHO 1025.0
#define PI 3.14159265358979323846

/* Force (N, body axes) on a heavy hull with this fin at velocity (u, v, w), the fin deflected by `angle` rad. */
static void force_at(const char *fin, double u, double v, double w, double angle, double force[6])
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.001 s' duration='20 s'><water density='1025 kg/m3'/></world>"
             "<vehicle name='v' integrator='euler' position='0 0 50 m' velocity='%.9g %.9g %.9g m/s'>"
             "<mass mass='1e6 kg' inertia='1e6 1e6 1e6 kg*m2'/><buoyancy force='9806650 N'/>%s</vehicle></fathom>",
             u, v, w, fin);
    fm_world *world = start(text);
    order(world, "v", "fin", angle);
    fm_pose before = pose_of(world, 0);
    step(world, 1);
    fm_pose after = pose_of(world, 0);
    finish(world);
    for (int i = 0; i < 6; i++)
        force[i] = (after.velocity[i] - before.velocity[i]) / 0.001 * 1e6;
}

#define RUDDER "<fin name='fin' position='-1 0 0 m' direction='0 1 0' area='0.02 m2' limit='80 deg' "

static double lift_coefficient(const char *fin, double degrees, double *drag)
{
    double f[6], q = 0.5 * RHO * 0.02 * 2 * 2;
    force_at(fin, 2, 0, 0, degrees * PI / 180, f);
    if (drag)
        *drag = -f[0] / q;
    return f[1] / q;
}

static void lift_of_a_small_angle_is_that_of_a_finite_span(void **state)
{
    (void)state;
    double slope = 2 * PI * 3 / (2 + sqrt(13)), drag;
    near("lift per radian", lift_coefficient(RUDDER "aspect-ratio='3'/>", 2, &drag) / (2 * PI / 180), slope,
         0.01 * slope);
    near("profile and induced drag", drag, 0.01 + pow(slope * sin(2 * PI / 180), 2) / (PI * 0.9 * 3), 1e-4);
    near("to the other side", lift_coefficient(RUDDER "aspect-ratio='3'/>", -2, NULL),
         -lift_coefficient(RUDDER "aspect-ratio='3'/>", 2, NULL), 1e-9);
}

static void a_fin_stalls(void **state)
{
    (void)state;
    double most = 0, at = 0;
    for (double a = 0; a <= 80; a += 1) {
        double c = lift_coefficient(RUDDER "aspect-ratio='3'/>", a, NULL);
        if (c > most)
            most = c, at = a;
    }
    assert_between(0.7, most, 1.2);
    assert_between(12, at, 25);
    double drag, lift = lift_coefficient(RUDDER "aspect-ratio='3'/>", 44, &drag);
    assert_less(lift, 0.75);
    assert_greater(drag, 0.5); /* it is a plate across the stream by then */
}

static void a_fin_in_side_slip_pushes_as_one_that_is_deflected(void **state)
{
    (void)state;
    double slip = 3 * PI / 180, deflected[6], slipping[6];
    force_at(RUDDER "aspect-ratio='3'/>", 2, 0, 0, slip, deflected);
    force_at(RUDDER "aspect-ratio='3'/>", 2 * cos(slip), -2 * sin(slip), 0, 0, slipping);
    near("sway", slipping[1], deflected[1] * cos(slip) - deflected[0] * -sin(slip) * -1, 0.02 * fabs(deflected[1]));
    assert_greater(slipping[1], 0); /* against the motion to port */
    assert_less(slipping[5], 0);    /* behind the origin it turns the bow into the stream */
}

static void a_fin_damps_yaw(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.001 s' duration='20 s'><water density='1025 kg/m3'/></world>"
              "<vehicle name='v' integrator='euler' position='0 0 50 m' velocity='2 0 0 m/s' rates='0 0 0.05 "
              "rad/s'><mass mass='1e6 kg' inertia='1e6 1e6 1e6 kg*m2'/><buoyancy force='9806650 N'/>" RUDDER
              "aspect-ratio='3'/></vehicle></fathom>");
    step(world, 1);
    double moment = (pose_of(world, 0).velocity[5] - 0.05) / 0.001 * 1e6, slope = 2 * PI * 3 / (2 + sqrt(13));
    near("moment", moment, -0.5 * RHO * 0.02 * 4 * slope * 0.05 * 1 / 2, 0.02 * 3.6);
    assert_less(moment, 0);
    finish(world);
}

static void a_rudder_works_in_the_slipstream_of_a_standing_vehicle(void **state)
{
    (void)state;
    char text[4096];
    const char *form = "<fathom version='1'><world dt='0.001 s' duration='20 s'><water density='1025 kg/m3'/></world>"
                       "<vehicle name='v' integrator='euler' position='0 0 50 m'>"
                       "<mass mass='1e6 kg' inertia='1e6 1e6 1e6 kg*m2'/><buoyancy force='9806650 N'/>"
                       "<propeller name='screw' rated='3000 rpm' diameter='0.2 m' k0='0.45' rotation='none'/>" RUDDER
                       "aspect-ratio='3' %s/></vehicle></fathom>";
    double side[2];
    for (int behind = 0; behind < 2; behind++) {
        snprintf(text, sizeof text, form, behind ? "behind='screw'" : "");
        fm_world *world = start(text);
        order(world, "v", "screw", 2 * PI * 10);
        order(world, "v", "fin", 0.1);
        step(world, 1);
        side[behind] = pose_of(world, 0).velocity[1] / 0.001 * 1e6;
        finish(world);
    }
    near("beside the stream", side[0], 0, 1e-6);
    double thrust = RHO * 100 * pow(0.2, 4) * 0.45, square = 8 * thrust / (PI * RHO * 0.04);
    double slope = 2 * PI * 3 / (2 + sqrt(13));
    near("in it", side[1], 0.5 * RHO * 0.02 * square * slope * sin(0.1), 0.01 * side[1]);
}

/* A torpedo by its sizes: the Munk moment of the hull turns it across, fins hold it straight. */
static double yaw_after(const char *area)
{
    char text[4096];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.01 s' duration='60 s'/><vehicle name='v' coriolis='full' position='0 0 50 m' "
        "velocity='1.5 0.01 0 m/s'><mass mass='30 kg' inertia='0.2 5 5 kg*m2'/><buoyancy force='294.1995 N'/>"
        "<spheroid length='1.6 m' diameter='0.19 m'/>"
        "<propeller name='screw' rated='1500 rpm' thrust='8 N'/><drag X_uu='-3 N*s2/m2'/>"
        "<fin name='fin' position='-0.7 0 0 m' direction='0 1 0' area='%s' aspect-ratio='3'/></vehicle></fathom>",
        area);
    fm_world *world = start(text);
    order(world, "v", "screw", 2 * PI * 25);
    step(world, 600);
    double yaw = fabs(pose_of(world, 0).euler[2]);
    finish(world);
    return yaw;
}

static void a_torpedo_is_stable_by_its_fins(void **state)
{
    (void)state;
    double small = yaw_after("0.0012 m2"), large = yaw_after("0.12 m2");
    assert_greater(small, 0.3);
    assert_less(large, 0.02);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lift_of_a_small_angle_is_that_of_a_finite_span),
        cmocka_unit_test(a_fin_stalls),
        cmocka_unit_test(a_fin_in_side_slip_pushes_as_one_that_is_deflected),
        cmocka_unit_test(a_fin_damps_yaw),
        cmocka_unit_test(a_rudder_works_in_the_slipstream_of_a_standing_vehicle),
        cmocka_unit_test(a_torpedo_is_stable_by_its_fins),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
