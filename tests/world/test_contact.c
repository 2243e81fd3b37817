/* What happens where hulls meet the bottom, walls and each other. */
#include "support/scenario.h"

#define SPHERE(name, extra, inside)                                                                                    \
    "<vehicle name=\"" name "\" " extra "><mass mass=\"20 kg\" inertia=\"0.5 0.5 0.5 kg*m2\"/>"                        \
    "<hull kind=\"sphere\" size=\"0.4 0.4 0.4 m\"/>" inside "</vehicle>"

static void a_sphere_dropped_to_the_bottom_rests_at_its_radius_for_an_hour(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version=\"1\"><world dt=\"0.01 s\"><bottom depth=\"10 m\"/></world>" SPHERE(
        "ball", "position=\"0 0 8 m\"",
        "<buoyancy force=\"100 N\"/><drag X_u_absu=\"-30 N*s2/m2\" Y_v_absv=\"-30 N*s2/m2\" "
        "Z_w_absw=\"-30 N*s2/m2\"/>") "</fathom>");
    fm_pose pose;
    run_until(world, 60);
    fm_world_pose(world, 0, &pose);
    assert_true(fabs(pose.position[2] - 9.8) < 1e-4);
    double settled = pose.position[2];
    run_until(world, 3600);
    fm_world_pose(world, 0, &pose);
    assert_true(fabs(pose.position[2] - settled) < 1e-6);
    assert_true(fabs(pose.position[0]) < 1e-6 && fabs(pose.position[1]) < 1e-6);
    assert_true(fabs(pose.velocity[2]) < 1e-3);
    assert_true(metric_of(world, 0, "contacts") >= 1 &&
                metric_of(world, 0, "contacts") < 10); /* bounces, then one long contact */
    finish(world);
}

/* Two equal spheres with added mass m/2 of the displaced water: with restitution e, equal masses exchange
 * v' = (1 − e)/2 v for the first and (1 + e)/2 v for the second; the added mass only scales the impulse. */
static void a_head_on_impact_of_two_equal_spheres_follows_the_virtual_masses(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version=\"1\"><world dt=\"0.001 s\"/>" SPHERE(
        "a", "position=\"0 0 5 m\" velocity=\"1 0 0 m/s\"",
        "<spheroid length=\"0.4 m\" diameter=\"0.4 m\"/><contact restitution=\"0.6\" friction=\"0\"/>")
                                SPHERE("b", "position=\"1 0 5 m\"",
                                       "<spheroid length=\"0.4 m\" diameter=\"0.4 m\"/><contact restitution=\"0.6\" "
                                       "friction=\"0\"/>") "</fathom>");
    fm_pose a, b;
    run_until(world, 1.0);
    fm_world_pose(world, 0, &a);
    fm_world_pose(world, 1, &b);
    assert_true(fabs(a.velocity[0] - 0.2) < 1e-9);
    assert_true(fabs(b.velocity[0] - 0.8) < 1e-9);
    assert_true(metric_of(world, 0, "vehicle_contacts") == 1 && metric_of(world, 1, "vehicle_contacts") == 1);
    assert_true(metric_of(world, 0, "contacts") == 0);
    finish(world);
}

/* A heavy sphere (its virtual mass M) strikes one at rest of virtual mass m: v' = (M − e m)/(M + m) v. */
static void unequal_virtual_masses_share_the_momentum(void **state)
{
    (void)state;
    fm_world *world = start(
        "<fathom version=\"1\"><world dt=\"0.001 s\"/>"
        "<vehicle name=\"a\" position=\"0 0 5 m\" velocity=\"1 0 0 m/s\"><mass mass=\"30 kg\" inertia=\"1 1 1 kg*m2\"/>"
        "<added-mass-matrix linear=\"15 15 15 kg\"/><hull kind=\"sphere\" size=\"0.4 0.4 0.4 m\"/><contact "
        "restitution=\"1\" friction=\"0\"/></vehicle>"
        "<vehicle name=\"b\" position=\"1 0 5 m\"><mass mass=\"10 kg\" inertia=\"1 1 1 kg*m2\"/>"
        "<added-mass-matrix linear=\"5 5 5 kg\"/><hull kind=\"sphere\" size=\"0.4 0.4 0.4 m\"/><contact "
        "restitution=\"1\" friction=\"0\"/></vehicle>"
        "</fathom>");
    fm_pose a, b;
    run_until(world, 1.0);
    fm_world_pose(world, 0, &a);
    fm_world_pose(world, 1, &b);
    assert_true(fabs(a.velocity[0] - (45.0 - 15.0) / 60.0) < 1e-9);
    assert_true(fabs(b.velocity[0] - 2 * 45.0 / 60.0) < 1e-9);
    finish(world);
}

static void a_fast_sphere_does_not_pass_through_a_thin_box(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version=\"1\"><world dt=\"0.05 s\"><box name=\"sheet\" position=\"3 0 5 m\" size=\"0.02 4 4 "
              "m\"/></world>" SPHERE("ball", "position=\"0 0 5 m\" velocity=\"30 0 0 m/s\"", "") "</fathom>");
    fm_pose pose;
    run_until(world, 1.0);
    fm_world_pose(world, 0, &pose);
    assert_true(pose.position[0] < 3);
    assert_true(metric_of(world, 0, "contacts") == 1);
    finish(world);
}

static void contact_by_count_exerts_no_force(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version=\"1\"><world dt=\"0.01 s\"><column name=\"post\" position=\"2 0 0 m\" radius=\"0.3 "
              "m\" height=\"10 m\"/></world>" SPHERE("ghost", "position=\"0 0 5 m\" velocity=\"1 0 0 m/s\"",
                                                     "<contact response=\"count\" clearance=\"true\"/>") "</fathom>");
    fm_pose pose;
    run_until(world, 4.0);
    fm_world_pose(world, 0, &pose);
    assert_true(fabs(pose.position[0] - 4) < 1e-9);
    assert_true(metric_of(world, 0, "contacts") == 1);
    assert_true(metric_of(world, 0, "min_clearance") == 0);
    finish(world);
}

static void min_clearance_is_the_nearest_approach_of_the_hull(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version=\"1\"><world dt=\"0.01 s\"><column name=\"post\" position=\"2 1 0 m\" radius=\"0.3 "
              "m\" height=\"10 m\"/></world>" SPHERE("passer", "position=\"0 0 5 m\" velocity=\"1 0 0 m/s\"",
                                                     "<contact clearance=\"true\"/>") "</fathom>");
    run_until(world, 4.0);
    assert_true(fabs(metric_of(world, 0, "min_clearance") - 0.5) < 1e-9);
    assert_true(metric_of(world, 0, "contacts") == 0);
    finish(world);
}

static void a_box_laid_on_the_bottom_stays_level(void **state)
{
    (void)state;
    fm_world *world = start("<fathom version=\"1\"><world dt=\"0.01 s\"><bottom depth=\"10 m\"/></world>"
                            "<vehicle name=\"crate\" position=\"0 0 9.5 m\"><mass mass=\"100 kg\" inertia=\"10 20 "
                            "20 kg*m2\"/><buoyancy force=\"800 N\"/>"
                            "<drag Z_w_absw=\"-200 N*s2/m2\" K_p=\"-20 N*m*s/rad\" M_q=\"-20 N*m*s/rad\"/><hull "
                            "kind=\"box\" size=\"1 0.6 0.4 m\"/></vehicle></fathom>");
    fm_pose pose;
    run_until(world, 600);
    fm_world_pose(world, 0, &pose);
    assert_true(fabs(pose.position[2] - 9.8) < 1e-3);
    assert_true(fabs(pose.euler[0]) < 1e-3 && fabs(pose.euler[1]) < 1e-3);
    finish(world);
}

/* The numbers of `restore` are the vehicle's own; without them it stands still and is not parted from others. */
static void a_restored_pose_keeps_the_part_of_the_speed_that_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *contact;
        double kept;
    } rows[] = {{"<contact response=\"restore\" kept-speed=\"0.4\"/>", 0.4}, {"<contact response=\"restore\"/>", 0}};
    for (int i = 0; i < 2; i++) {
        char text[1000];
        fm_pose before, after;
        snprintf(text, sizeof text,
                 "<fathom version=\"1\"><world dt=\"0.01 s\"><wall name=\"end\" position=\"1 0 0 m\" normal=\"-1 0 "
                 "0\"/></world>" SPHERE("ball", "position=\"0 0 5 m\" velocity=\"1 0 0 m/s\"", "%s") "</fathom>",
                 rows[i].contact);
        fm_world *world = start(text);
        run_until(world, 0.79);
        fm_world_pose(world, 0, &before);
        assert_true(metric_of(world, 0, "contacts") == 0);
        run_until(world, 0.82);
        fm_world_pose(world, 0, &after);
        assert_true(metric_of(world, 0, "contacts") == 1);
        assert_true(fabs(after.velocity[0] - rows[i].kept * before.velocity[0]) < 1e-12);
        assert_true(after.position[0] <= 0.8);
        finish(world);
    }
}

static void two_vehicles_that_restore_part_by_what_is_written(void **state)
{
    (void)state;
    fm_pose a, b;
    fm_world *world = start("<fathom version=\"1\"><world dt=\"0.01 s\"/>" SPHERE(
        "a", "position=\"0 0 5 m\"", "<contact response=\"restore\" parting=\"3 mm\"/>")
                                SPHERE("b", "position=\"0.38 0 5 m\"", "<contact response=\"restore\"/>") "</fathom>");
    run_until(world, 0.01);
    fm_world_pose(world, 0, &a);
    fm_world_pose(world, 1, &b);
    assert_true(fabs(a.position[0] + 0.003) < 1e-12 && fabs(b.position[0] - 0.383) < 1e-12);
    run_until(world, 1);
    fm_world_pose(world, 0, &a);
    fm_world_pose(world, 1, &b);
    assert_true(b.position[0] - a.position[0] >= 0.4 && b.position[0] - a.position[0] < 0.407);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_restored_pose_keeps_the_part_of_the_speed_that_is_written),
        cmocka_unit_test(two_vehicles_that_restore_part_by_what_is_written),
        cmocka_unit_test(a_sphere_dropped_to_the_bottom_rests_at_its_radius_for_an_hour),
        cmocka_unit_test(a_head_on_impact_of_two_equal_spheres_follows_the_virtual_masses),
        cmocka_unit_test(unequal_virtual_masses_share_the_momentum),
        cmocka_unit_test(a_fast_sphere_does_not_pass_through_a_thin_box),
        cmocka_unit_test(contact_by_count_exerts_no_force),
        cmocka_unit_test(min_clearance_is_the_nearest_approach_of_the_hull),
        cmocka_unit_test(a_box_laid_on_the_bottom_stays_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
