/* REMUS as the paper describes it, by running: speed, endurance, the empty battery, sea state 2. */
#include "support/scenario.h"

#include "world/world.h"

static const double KNOT = 1852.0 / 3600;

/* --- speed and endurance of the 6-DOF vehicle --- */

static fm_world *endurance(const char *speed)
{
    const char *sets[] = {speed, "/world/dt=0.2 s", NULL};
    return start_scenario("remus-endurance", sets);
}

/* The hour in which the battery becomes empty. */
static double hours_of(fm_world *world)
{
    while (metric_of(world, 0, "battery") > 0 && fm_world_time(world) < 24 * 3600)
        step(world, 50);
    return fm_world_time(world) / 3600;
}

static void remus_lasts_20_h_at_3_knots_and_9_h_at_5_knots(void **state)
{
    (void)state;
    static const struct {
        const char *set;
        double knots, hours;
    } rows[] = {{"/remus/autopilot/speed/order=3 kn", 3, 20}, {"/remus/autopilot/speed/order=5 kn", 5, 9}};
    for (size_t i = 0; i < 2; i++) {
        fm_world *world = endurance(rows[i].set);
        run_until(world, 3600);
        near("speed", pose_of(world, 0).velocity[0], rows[i].knots * KNOT, 1e-4);
        near("hours", hours_of(world), rows[i].hours, 0.02);
        near("distance", pose_of(world, 0).position[0] / 1852, rows[i].knots * rows[i].hours, 0.1);
        run_until(world, fm_world_time(world) + 600); /* it floats up */
        near("depth", pose_of(world, 0).position[2], 0.05, 0.1);
        near("speed", pose_of(world, 0).velocity[0], 0, 0.05);
        finish(world);
    }
}

static void remus_makes_5_6_knots_with_all_that_its_propeller_has(void **state)
{
    (void)state;
    fm_world *world = endurance("/remus/autopilot/speed/order=7 kn");
    run_until(world, 300);
    near("knots", pose_of(world, 0).velocity[0] / KNOT, 5.6, 0.01);
    near("depth", pose_of(world, 0).position[2], 10, 0.05);
    finish(world);
}

/* 62 in by 7.5 in and 80 lb in air; 7 N of buoyancy to spare in sea water. */
static void remus_is_62_inches_long_and_weighs_80_pounds(void **state)
{
    (void)state;
    fm_world *world = endurance("/remus/autopilot/speed/order=3 kn");
    const fm_type *type = world->slots[0].type;
    near("weight", type->mass.weight, 80 * 0.45359237 * 9.80665, 1e-6);
    assert_int_equal(type->shape_count, 1);
    fm_aabb box;
    fm_shape_aabb(&type->shapes[0], &box);
    near("length", box.high[0] - box.low[0], 62 * 0.0254, 1e-9);
    near("diameter", box.high[1] - box.low[1], 7.5 * 0.0254, 1e-9);
    const double diameter = 0.1905, displaced = 1.2606 * 0.7853981633974483 * diameter * diameter;
    near("buoyancy", displaced * 1030 * 9.80665 - type->mass.weight, 7, 0.1);
    finish(world);
}

/* What the battery of Prestero's vehicle loses in ten minutes, as hours. */
static void the_shorter_remus_100_has_the_same_speeds_and_endurance(void **state)
{
    (void)state;
    static const double orders[3] = {3, 5, 7}, speeds[3] = {3, 5, 5.6}, hours[2] = {20, 9};
    for (size_t i = 0; i < 3; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<fathom version='1'><world dt='0.1 s' duration='1200 s'><water density='1030 kg/m3'/></world><vehicle "
            "name='remus' model='remus-100' position='0 0 10 m' velocity='1.5 0 0 m/s'><autopilot "
            "steering='fins' design-speed='2.6 m/s'><heading kp='1' ki='0.05 1/s' kd='1 s' limit='13.6 deg'/><depth "
            "order='10 m' kp='0.1 rad/m' ki='0.004 rad/m/s' kd='0.1 rad*s/m' limit='20 deg'/><pitch kp='1.5' "
            "ki='0.3 1/s' kd='1.5 s' limit='13.6 deg'/><roll kp='0.5' ki='0.1 1/s' kd='0.2 s' limit='5 deg'/><speed "
            "order='%g kn' kp='20 N*s/m' ki='2 N/m' feed='1.62 kg/m'/></autopilot></vehicle></fathom>",
            orders[i]);
        fm_world *world = start(text);
        run_until(world, 600);
        const double before = metric_of(world, 0, "battery");
        near("knots", pose_of(world, 0).velocity[0] / KNOT, speeds[i], 0.01);
        run_until(world, 1200);
        if (i < 2)
            near("hours", 1 / (before - metric_of(world, 0, "battery")) / 6, hours[i], 0.02);
        finish(world);
    }
}

/* --- the diving model --- */

static fm_world *diving(const char *speed)
{
    char text[1024];
    snprintf(
        text, sizeof text,
        "<fathom version='1'><world dt='0.2 s' duration='1e6 s'><current velocity='0 0.1 0 m/s'/><bottom depth='20 "
        "m'/></world><vehicle name='remus' model='remus-diving' position='0 0 17 m'><diving speed='%s' "
        "trimmed='true'/><bottom-following altitude='3 m' poles='-1 -1.05 -1.1 1/s' sliding-rate='1.1 m/s' "
        "boundary-layer='0.5 m'/></vehicle></fathom>",
        speed);
    return start(text);
}

static void the_diving_model_lasts_as_long_and_then_drifts(void **state)
{
    (void)state;
    static const char *const speeds[] = {"3 kn", "5 kn"};
    static const double hours[] = {20, 9};
    for (size_t i = 0; i < 2; i++) {
        fm_world *world = diving(speeds[i]);
        near("hours", hours_of(world), hours[i], 0.02);
        const fm_pose before = pose_of(world, 0);
        near("altitude", 20 - before.position[2], 3, 0.02);
        run_until(world, fm_world_time(world) + 100);
        const fm_pose after = pose_of(world, 0);
        near("north", after.position[0] - before.position[0], 0, 1e-9);
        near("east", after.position[1] - before.position[1], 10, 0.021);
        near("down", after.position[2] - before.position[2], 0, 1e-9);
        finish(world);
    }
}

/* --- the sea --- */

typedef struct held {
    double least, greatest; /* m, depth */
    double pitch;           /* deg, greatest either way */
    double speed;           /* m/s, mean */
} held;

/* From one minute on. */
static held in_sea(const char *height, const char *period)
{
    const char *sets[] = {height, period, NULL};
    fm_world *world = start_scenario("remus-sea-state-2", sets);
    held h = {1e9, -1e9, 0, 0};
    int count = 0;
    for (run_until(world, 60); fm_world_time(world) < 300; step(world, 4), count++) {
        const fm_pose p = pose_of(world, 0);
        h.least = fmin(h.least, p.position[2]);
        h.greatest = fmax(h.greatest, p.position[2]);
        h.pitch = fmax(h.pitch, fabs(remainder(p.euler[1], 360 * DEGREE)) / DEGREE);
        h.speed += p.velocity[0];
    }
    h.speed /= count;
    finish(world);
    return h;
}

static void remus_works_10_feet_deep_in_sea_state_2_and_is_thrown_up_in_sea_state_5(void **state)
{
    (void)state;
    const held smooth = in_sea("/waves/jonswap/height=0.5 m", "/waves/jonswap/period=3.5 s");
    near("least depth", smooth.least, 3.048, 0.25);
    near("greatest depth", smooth.greatest, 3.048, 0.25);
    below("pitch", smooth.pitch, 5);
    near("speed", smooth.speed, 3 * KNOT, 0.01);
    const held rough = in_sea("/waves/jonswap/height=3.25 m", "/waves/jonswap/period=9 s");
    below("least depth in sea state 5", rough.least, 0.5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(remus_lasts_20_h_at_3_knots_and_9_h_at_5_knots),
        cmocka_unit_test(remus_makes_5_6_knots_with_all_that_its_propeller_has),
        cmocka_unit_test(remus_is_62_inches_long_and_weighs_80_pounds),
        cmocka_unit_test(the_shorter_remus_100_has_the_same_speeds_and_endurance),
        cmocka_unit_test(the_diving_model_lasts_as_long_and_then_drifts),
        cmocka_unit_test(remus_works_10_feet_deep_in_sea_state_2_and_is_thrown_up_in_sea_state_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
