/* Snookie's body against the reference: Lamb's factors, masses, speeds and turning. The reference has axes forward,
 * left, up; here they are forward, starboard, down, so y, z, pitch and yaw change sign. */
#include "support/scenario.h"

#include "world/world.h"

#include "physics/spheroid.h"

/* The body of models/snookie.xml without its reflex and controller; the centre of gravity at the origin where asked. */
static fm_world *snookie(const char *centre, const char *attributes)
{
    char text[4096];
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.001 s' duration='100 s' gravity='9.81 m/s2'><water density='1000 "
             "kg/m3'/></world>"
             "<vehicle name='snookie' coriolis='full' integrator='heun' position='0 0 20 m' %s>"
             "<mass mass='32.23404962277027 kg' centre='%s m' inertia='0.23904533944551243 1.305336860835852 "
             "1.305336860835852 kg*m2' about='centre'/>"
             "<spheroid length='0.74 m' diameter='0.25 m'/>"
             "<drag X_u_absu='-7.3631077818510775 N*s2/m2' Y_across_v='-25.738107781851078 N*s2/m2' "
             "Z_across_w='-25.738107781851078 N*s2/m2'/>"
             "<thruster name='port-upper' group='port' position='-0.10 -0.16 -0.10 m' direction='1 0 0' thrust='7 N'/>"
             "<thruster name='port-lower' group='port' position='-0.10 -0.16 0.10 m' direction='1 0 0' thrust='7 N'/>"
             "<thruster name='starboard-upper' group='starboard' position='-0.10 0.16 -0.10 m' direction='1 0 0' "
             "thrust='7 N'/>"
             "<thruster name='starboard-lower' group='starboard' position='-0.10 0.16 0.10 m' direction='1 0 0' "
             "thrust='7 N'/>"
             "</vehicle></fathom>",
             attributes, centre);
    return start(text);
}

static void the_spheroid_has_lambs_factors(void **unused)
{
    (void)unused;
    fm_spheroid s = fm_spheroid_added_mass(0.125, 0.37, 1000);
    double displaced = 4.0 / 3 * FM_PI * 1000 * 0.37 * 0.125 * 0.125;
    near("k1", s.m11 / displaced, 0.12423803005864695, 1e-12);
    near("k2", s.m22 / displaced, 0.8009765120414486, 1e-12);
    near("k'", s.m55 / (displaced / 5 * (0.125 * 0.125 + 0.37 * 0.37)), 0.4584886301472491, 1e-11);
    near("m11", s.m11, 3.0086032194921635, 1e-10);
    near("m22", s.m22, 19.396802345690308, 1e-10);
    near("m55", s.m55, 0.33869591524598447, 1e-11);
}

/* Uniform capsule: cylinder of 0.49 m and two half spheres of 0.125 m, neutral in fresh water. */
static void the_virtual_mass_is_that_of_the_reference_and_of_the_model_file(void **unused)
{
    (void)unused;
    double r = 0.125, h = 0.49;
    near("mass of the capsule", 1000 * (FM_PI * r * r * h + 4.0 / 3 * FM_PI * r * r * r), 32.23404962277027, 1e-10);
    static const struct {
        int r, c;
        double value;
    } elements[] = {{0, 0, 35.242653}, {1, 1, 51.630852}, {2, 2, 51.630852}, {3, 3, 0.242269},
                    {4, 4, 1.647256},  {5, 5, 1.644033},  {0, 4, 0.32234},   {1, 3, -0.32234}};
    fm_world *world = snookie("0 0 0.01", "");
    fm_model *file = load("<fathom version='1'><world dt='0.001 s' duration='1 s'><water density='1000 kg/m3'/></world>"
                          "<vehicle name='s' model='snookie' position='0 0 20 m'/></fathom>");
    for (size_t i = 0; i < FM_COUNT(elements); i++) {
        int at = 6 * elements[i].c + elements[i].r;
        near("virtual mass", world->slots[0].type->mass.virtual_mass[at], elements[i].value, 1e-6);
        near("virtual mass of models/snookie.xml", file->types[0].mass.virtual_mass[at], elements[i].value,
             1e-4 * fabs(elements[i].value));
    }
    fm_model_free(file);
    finish(world);
}

static void full_thrust_reaches_1_31_m_per_second_in_2_seconds_and_1_95_at_last(void **unused)
{
    (void)unused;
    fm_world *world = snookie("0 0 0", "");
    order(world, "snookie", "port", 7);
    order(world, "snookie", "starboard", 7);
    run_until(world, 2);
    near("speed after 2 s", pose_of(world, 0).velocity[0], 1.3109296505327255, 1e-5);
    near("way after 2 s", pose_of(world, 0).position[0], 1.4391089487522535, 1e-5);
    run_until(world, 40);
    near("greatest speed", pose_of(world, 0).velocity[0], 1.950062077715054, 1e-6);
    finish(world);
}

static void full_reverse_stops_from_cruise_in_6_mm(void **unused)
{
    (void)unused;
    fm_world *world = snookie("0 0 0", "velocity='0.1 0 0 m/s'");
    order(world, "snookie", "port", -7);
    order(world, "snookie", "starboard", -7);
    fm_pose before = pose_of(world, 0), now = before;
    while (now.velocity[0] > 0) {
        before = now;
        step(world, 1);
        now = pose_of(world, 0);
    }
    double part = before.velocity[0] / (before.velocity[0] - now.velocity[0]);
    near("time to stop", fm_world_time(world) - 0.001 * (1 - part), 0.12575646134792914, 1e-6);
    near("way to stop", now.position[0], 0.006285070615332084, 1e-6);
    finish(world);
}

/* Munk's moment turns a drifting hull across: (m11 − m22) u v / I, to port in the reference's axes. */
static void a_drifting_hull_is_turned_across_by_munks_moment(void **unused)
{
    (void)unused;
    fm_world *world = snookie("0 0 0", "velocity='1 -0.1 0 m/s'");
    const fm_vehicle *vehicle = world->slots[0].vehicle;
    const fm_type *type = world->slots[0].type;
    fm_stream still = {0};
    fm_body_state rate;
    fm_body_rate(&type->body, &type->mass, &vehicle->input, &still, &vehicle->body, &rate);
    near("yaw acceleration", rate.velocity[5], 0.9968292216932283, 1e-6 * 0.9968292216932283);
    finish(world);
}

/* Yaw controller of the reference: N = Kp err − Kd r by the four forward thrusters, 1.5625 N per N·m each, at most 7 N.
 */
static void a_quarter_turn_takes_two_seconds(void **unused)
{
    (void)unused;
    fm_world *world = snookie("0 0 0.01", "");
    double t90 = NAN, settled = NAN, most = 0;
    for (int i = 0; i < 6000; i++) {
        fm_pose pose = pose_of(world, 0);
        double heading = angle_between(pose.euler[2], 0), left = FM_PI / 2 - heading;
        double force = 1.5625 * (6.576131104327346 * left - 6.576131104327346 * pose.velocity[5]);
        order(world, "snookie", "port", force);
        order(world, "snookie", "starboard", -force);
        step(world, 1);
        if (isnan(t90) && heading >= 0.9 * FM_PI / 2)
            t90 = fm_world_time(world);
        if (fabs(left) > 2 * FM_PI / 180)
            settled = fm_world_time(world);
        most = fmax(most, heading - FM_PI / 2);
    }
    near("time to 90 %", t90, 2.035, 0.05 * 2.035);
    near("time to 2 degrees", settled, 2.945, 0.05 * 2.945);
    near("overshoot", most, 0, 2 * FM_PI / 180);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_spheroid_has_lambs_factors),
        cmocka_unit_test(the_virtual_mass_is_that_of_the_reference_and_of_the_model_file),
        cmocka_unit_test(full_thrust_reaches_1_31_m_per_second_in_2_seconds_and_1_95_at_last),
        cmocka_unit_test(full_reverse_stops_from_cruise_in_6_mm),
        cmocka_unit_test(a_drifting_hull_is_turned_across_by_munks_moment),
        cmocka_unit_test(a_quarter_turn_takes_two_seconds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
