/* The diving kind in moving water: it is carried along, and its heave and pitch through the water stay what they are.
 */
#include "support/scenario.h"

#include "world/world.h"

static const char scene[] =
    "<fathom version='1'><world dt='0.05 s'>%s</world><vehicle name='remus' model='remus-diving' position='0 0 20 m' "
    "attitude='0 0 %g deg'>%s</vehicle></fathom>";

static fm_world *remus_in(const char *sea, double heading, const char *inside)
{
    char text[1000];
    snprintf(text, sizeof text, scene, sea, heading, inside);
    return start(text);
}

/* North 0.01 z, east 0.02 z: the way of a dive in still water, carried by the current of each depth on it. */
static void a_shear_current_carries_a_dive_by_its_velocity_at_each_depth(void **state)
{
    (void)state;
    enum { STEPS = 600 };
    const char *order = "<orders><at t='0 s' stern-planes='-5 deg'/></orders>";
    fm_world *still = remus_in("", 30, order),
             *moving =
                 remus_in("<current><layers depth='0 100 m' north='0 1 m/s' east='0 2 m/s'/></current>", 30, order);
    double carried = 0, depth = 20;
    for (int i = 0; i < STEPS; i++) {
        step(still, 1);
        step(moving, 1);
        double next = pose_of(still, 0).position[2];
        carried += 0.05 * 0.01 * (depth + next) / 2;
        depth = next;
    }
    fm_pose a = pose_of(still, 0), b = pose_of(moving, 0);
    assert_greater(fabs(depth - 20), 5);
    near("way north with the current", b.position[0] - a.position[0], carried, 1e-4);
    near("way east with the current", b.position[1] - a.position[1], 2 * carried, 2e-4);
    near("depth", b.position[2], a.position[2], 1e-12);
    near("pitch", b.euler[1], a.euler[1], 1e-12);
    finish(still);
    finish(moving);
}

/* Airy's orbital velocity in deep water: a ω e^(−kz) (cos, −sin)(kx − ωt), north and down. */
static void orbit(double t, const double p[3], double out[2])
{
    double omega = 2 * FM_PI / 9, k = omega * omega / 9.80665, size = 0.8 * omega * exp(-k * p[2]);
    out[0] = size * cos(k * p[0] - omega * t);
    out[1] = -size * sin(k * p[0] - omega * t);
}

static void over_ground(const fm_pose *pose, double out[3])
{
    double R[9];
    fm_quat_matrix(pose->attitude, R);
    fm_vector_to_world(R, pose->velocity, out);
}

static void waves_carry_the_diving_model_on_their_orbits(void **state)
{
    (void)state;
    fm_world *still = remus_in("", 0, "<diving trimmed='true'/>"),
             *waves = remus_in("<waves><wave amplitude='0.8 m' period='9 s'/></waves>", 0, "<diving trimmed='true'/>");
    double way[2] = {0}, before[2], now[2], largest = 0;
    orbit(0, pose_of(waves, 0).position, before);
    for (int i = 1; i <= 400; i++) {
        step(still, 1);
        step(waves, 1);
        fm_pose a = pose_of(still, 0), b = pose_of(waves, 0);
        double u[3], v[3];
        orbit(0.05 * i, b.position, now);
        over_ground(&a, u);
        over_ground(&b, v);
        near("orbital velocity north", v[0] - u[0], now[0], 1e-9);
        near("orbital velocity down", v[2] - u[2], now[1], 1e-9);
        for (int k = 0; k < 2; k++) {
            way[k] += 0.025 * (before[k] + now[k]);
            before[k] = now[k];
        }
        near("way north on the orbit", b.position[0] - a.position[0], way[0], 1e-4);
        near("way down on the orbit", b.position[2] - a.position[2], way[1], 1e-4);
        largest = fmax(largest, fabs(way[1]));
    }
    assert_greater(largest, 0.05);
    finish(still);
    finish(waves);
}

/* Where the current was changed since the start, too. */
static void a_spawned_diver_begins_with_the_current_in_force(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version='1'><world dt='0.05 s' capacity='2'/><vehicle name='remus' "
                            "model='remus-diving' position='0 0 20 m'><diving trimmed='true'/></vehicle></fathom>");
    fm_error error = {0};
    const double position[3] = {0, 20, 20}, euler[3] = {0};
    assert_int_equal(fm_world_set(world, "/current/velocity/x", 0.5, &error), FM_OK);
    step(world, 1);
    assert_int_equal(fm_world_spawn(world, "second", "remus", position, euler, &error), FM_OK);
    step(world, 1);
    int slot = fm_world_find(world, "second");
    assert_at_least(slot, 0);
    near("acceleration in the first step", world->slots[slot].vehicle->acceleration[0], 0, 0.05); /* not 0.5/0.05 */
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shear_current_carries_a_dive_by_its_velocity_at_each_depth),
        cmocka_unit_test(waves_carry_the_diving_model_on_their_orbits),
        cmocka_unit_test(a_spawned_diver_begins_with_the_current_in_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
