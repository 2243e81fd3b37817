/* <wind-area>: the drift of a buoy, the side on which a boat heels. */
#include "support/scenario.h"

static fm_world *in_wind(const char *model, const char *wind, const char *place, const char *inside)
{
    char text[1024];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' duration='1000 s'><water density='1025 kg/m3'/><wind "
             "velocity='%s'/></world>"
             "<vehicle name='v' model='%s' %s>%s</vehicle></fathom>",
             wind, model, place, inside);
    return start(text);
}

static void a_buoy_drifts_where_wind_and_water_drag_balance(void **unused)
{
    (void)unused;
    fm_world *world = in_wind("wavesim-buoy", "0 10 0 m/s", "attitude='0 0 30 deg'", "");
    run_until(world, 200);
    fm_pose pose = pose_of(world, 0);
    double c = cos(pose.euler[2]), s = sin(pose.euler[2]), u = pose.velocity[0], v = pose.velocity[1];
    double east = s * u + c * v, air = 10 * pow(0.13 / 10, 1.0 / 7) - east;
    /* drag of the model file acts axis by axis: 10 V + 40 V|V| */
    double wind = 0.5 * 1.225 * 0.5 * 0.1414 * air * air;
    double water[2] = {(10 + 40 * fabs(u)) * u, (10 + 40 * fabs(v)) * v};
    near("water drag against wind force", s * water[0] + c * water[1], wind, 0.01 * wind);
    assert_greater(east, 0.03);
    finish(world);
}

static void a_boat_heels_away_from_the_wind(void **unused)
{
    (void)unused;
    fm_world *world = in_wind("otter", "0 12 0 m/s", "", "");
    run_until(world, 2);
    assert_greater(pose_of(world, 0).euler[0], 0); /* wind from port, to the east: starboard side down */
    assert_greater(pose_of(world, 0).velocity[1], 0);
    finish(world);
}

static void wind_does_not_reach_a_sunk_buoy(void **unused)
{
    (void)unused;
    fm_world *world = in_wind("wavesim-buoy", "0 10 0 m/s", "position='0 0 5 m'", "<mass mass='200 kg'/>");
    run_until(world, 10);
    near("drift", pose_of(world, 0).velocity[1], 0, 1e-12);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_buoy_drifts_where_wind_and_water_drag_balance),
        cmocka_unit_test(a_boat_heels_away_from_the_wind),
        cmocka_unit_test(wind_does_not_reach_a_sunk_buoy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
