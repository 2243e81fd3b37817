/* A cable at rest, a cable that holds, a cable that is paid out. */
#include "support/scenario.h"

#include "world/tether.h"

static const fm_tethers *tethers_of(const fm_model *model)
{
    return fm_subsystem_config(model, FM_SUBSYSTEM_TETHERS);
}

static const double *tether_state(const fm_world *world)
{
    return fm_subsystem_state(world, FM_SUBSYSTEM_TETHERS) + tethers_of(world->model)->list[0].state;
}

/* Parameter a of the catenary of length L over a level span D: 2 a sinh(D/2a) = L. */
static double catenary_parameter(double span, double length)
{
    double low = 1e-3, high = 1e4;
    for (int i = 0; i < 200; i++) {
        double a = 0.5 * (low + high);
        if (span / 2 / a > 300 || 2 * a * sinh(span / 2 / a) > length)
            low = a;
        else
            high = a;
    }
    return low;
}

static void a_slack_mooring_below_a_buoy_begins_without_a_jerk(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version=\"1\"><world dt=\"0.01 s\"/><vehicle name=\"buoy\" position=\"0 0 5 m\">"
              "<mass mass=\"50 kg\" inertia=\"5 5 5 kg*m2\"/></vehicle>"
              "<tether name=\"mooring\" from-point=\"0 0 25 m\" to=\"buoy\" length=\"24 m\" mass=\"0.5 kg/m\" "
              "pieces=\"12\"/></fathom>");
    const double *s = tether_state(world);
    double length = 0, last[3] = {0, 0, 25};
    for (int k = 0; k < 12; k++) {
        const double end[3] = {0, 0, 5}, *p = k < 11 ? s + 3 + 6 * k : end;
        length += sqrt((p[0] - last[0]) * (p[0] - last[0]) + (p[1] - last[1]) * (p[1] - last[1]) +
                       (p[2] - last[2]) * (p[2] - last[2]));
        memcpy(last, p, sizeof last);
    }
    assert_nearer(length, 24, 1e-9);
    finish(world);
}

static void a_tether_at_rest_hangs_as_a_catenary(void **state)
{
    (void)state;
    fm_world *world = /* a heavy anchor block that cannot move holds one end */
        start("<fathom version=\"1\"><world dt=\"0.01 s\"><water surface=\"none\"/></world><vehicle name=\"block\" "
              "position=\"8 0 5 m\">"
              "<mass mass=\"1e8 kg\" inertia=\"1e9 1e9 1e9 kg*m2\"/></vehicle>"
              "<tether name=\"cable\" from-point=\"0 0 5 m\" to=\"block\" length=\"10 m\" mass=\"0.5 kg/m\" "
              "stiffness=\"50000 N\" "
              "damping=\"200 N*s\" pieces=\"40\"/></fathom>");
    run_until(world, 120);
    const double *s = tether_state(world);
    double a = catenary_parameter(8, 10), deepest = 0;
    for (int k = 0; k < 39; k++) {
        const double *p = s + 3 + 6 * k;
        double z = 5 + a * cosh(4 / a) - a * cosh((p[0] - 4) / a); /* depth of the catenary at this x */
        assert_nearer(p[2], z, 0.01);
        deepest = fmax(deepest, p[2]);
    }
    assert_nearer(deepest, 5 + a * cosh(4 / a) - a, 0.01);
    double wet = 9.80665 * tethers_of(world->model)->list[0].cable.wet_mass; /* tension at the ends: w a cosh(D/2a) */
    assert_nearer(s[1], wet * a * cosh(4 / a), 0.01 * wet * a * cosh(4 / a));
    finish(world);
}

static void a_buoyant_vehicle_pulls_its_tether_with_its_buoyancy(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version=\"1\"><world dt=\"0.01 s\"/><vehicle name=\"float\" position=\"0 0 10 m\">"
              "<mass mass=\"20 kg\" inertia=\"1 1 1 kg*m2\"/><buoyancy force=\"246.133 N\"/><drag X_u_absu=\"-40 "
              "N*s2/m2\" Y_v_absv=\"-40 N*s2/m2\" Z_w_absw=\"-40 N*s2/m2\"/></vehicle>"
              "<tether name=\"line\" from=\"float\" to-point=\"0 0 20 m\" length=\"9 m\" mass=\"0.0805 kg/m\" "
              "pieces=\"12\"/></fathom>");
    fm_error error = {0};
    fm_pose pose;
    run_until(world, 100);
    fm_world_pose(world, 0, &pose);
    const double *s = tether_state(world);
    assert_nearer(s[1], 50, 0.5); /* 50 N more buoyancy than weight, the line itself neutral */
    assert_nearer(pose.position[2], 20 - 9 * (1 + 50.0 / 20000), 0.02);
    assert_int_equal(fm_world_set(world, "/line/length", 5, &error), FM_OK); /* haul in */
    run_until(world, 200);
    fm_world_pose(world, 0, &pose);
    assert_nearer(pose.position[2], 15, 0.05);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slack_mooring_below_a_buoy_begins_without_a_jerk),
        cmocka_unit_test(a_tether_at_rest_hangs_as_a_catenary),
        cmocka_unit_test(a_buoyant_vehicle_pulls_its_tether_with_its_buoyancy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
