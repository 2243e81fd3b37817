/* What happens where hulls meet the bottom, walls and each other. */
#include "geometry/shape.h"
#include "support/files.h"
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
    assert_nearer(pose.position[2], 9.8, 1e-4);
    double settled = pose.position[2];
    run_until(world, 3600);
    fm_world_pose(world, 0, &pose);
    assert_nearer(pose.position[2], settled, 1e-6);
    assert_nearer(pose.position[0], 0, 1e-6);
    assert_nearer(pose.position[1], 0, 1e-6);
    assert_nearer(pose.velocity[2], 0, 1e-3);
    assert_at_least(metric_of(world, 0, "contacts"), 1);
    assert_less(metric_of(world, 0, "contacts"), 10); /* bounces, then one long contact */
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
    assert_nearer(a.velocity[0], 0.2, 1e-9);
    assert_nearer(b.velocity[0], 0.8, 1e-9);
    assert_same(metric_of(world, 0, "vehicle_contacts"), 1);
    assert_same(metric_of(world, 1, "vehicle_contacts"), 1);
    assert_same(metric_of(world, 0, "contacts"), 0);
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
    assert_nearer(a.velocity[0], (45.0 - 15.0) / 60.0, 1e-9);
    assert_nearer(b.velocity[0], 2 * 45.0 / 60.0, 1e-9);
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
    assert_less(pose.position[0], 3);
    assert_same(metric_of(world, 0, "contacts"), 1);
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
    assert_nearer(pose.position[0], 4, 1e-9);
    assert_same(metric_of(world, 0, "contacts"), 1);
    assert_same(metric_of(world, 0, "min_clearance"), 0);
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
    assert_nearer(metric_of(world, 0, "min_clearance"), 0.5, 1e-9);
    assert_same(metric_of(world, 0, "contacts"), 0);
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
    assert_nearer(pose.position[2], 9.8, 1e-3);
    assert_nearer(pose.euler[0], 0, 1e-3);
    assert_nearer(pose.euler[1], 0, 1e-3);
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
        assert_same(metric_of(world, 0, "contacts"), 0);
        run_until(world, 0.82);
        fm_world_pose(world, 0, &after);
        assert_same(metric_of(world, 0, "contacts"), 1);
        assert_nearer(after.velocity[0], rows[i].kept * before.velocity[0], 1e-12);
        assert_at_most(after.position[0], 0.8);
        finish(world);
    }
}

/* Uniform motion meets the wall at t = 0.8 s; without a force it would go on through it. */
static void a_contact_that_ends_the_run_leaves_the_vehicle_where_it_touched(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version=\"1\"><world dt=\"0.01 s\"><wall name=\"end\" position=\"1 0 0 m\" "
              "normal=\"-1 0 0\"/></world>" SPHERE("ball", "position=\"0 0 5 m\" velocity=\"1 0 0 m/s\"",
                                                   "<contact response=\"count\" ends=\"true\"/>") "</fathom>");
    fm_pose before, touched, after;
    run_until(world, 0.79);
    fm_world_pose(world, 0, &before);
    assert_same(metric_of(world, 0, "contacts"), 0);
    run_until(world, 0.82);
    fm_world_pose(world, 0, &touched);
    assert_same(metric_of(world, 0, "contacts"), 1);
    run_until(world, 2);
    fm_world_pose(world, 0, &after);
    assert_memory_equal(&touched, &after, sizeof after);
    assert_between(before.position[0], touched.position[0], before.position[0] + 0.025);
    assert_same(metric_of(world, 0, "contacts"), 1);
    finish(world);
}

static void two_vehicles_that_restore_part_by_what_is_written(void **state)
{
    (void)state;
    fm_pose a, b;
    fm_world *world = start(
        "<fathom version=\"1\"><world dt=\"0.01 s\"/>" SPHERE("a", "position=\"0 0 5 m\"",
                                                              "<contact response=\"restore\" parting=\"3 mm\"/>")
            SPHERE("b", "position=\"0.38 0 5 m\"", "<contact response=\"restore\" parting=\"0 m\"/>") "</fathom>");
    run_until(world, 0.01);
    fm_world_pose(world, 0, &a);
    fm_world_pose(world, 1, &b);
    assert_nearer(a.position[0], -0.003, 1e-12);
    assert_nearer(b.position[0], 0.383, 1e-12);
    run_until(world, 1);
    fm_world_pose(world, 0, &a);
    fm_world_pose(world, 1, &b);
    assert_at_least(b.position[0] - a.position[0], 0.4);
    assert_less(b.position[0] - a.position[0], 0.407);
    finish(world);
}

/* --- bottoms that are more than a plane --- */

static fm_world *world_in(const char *sea, const char *vehicles)
{
    char text[16384];
    snprintf(text, sizeof text, "<fathom version='1'><world dt='0.05 s'>%s</world>%s</fathom>", sea, vehicles);
    return start_here(text);
}

/* A floor at 20 m, a vertical face at x = 10 m, a terrace at 15 m: a ball of 0.2 m comes up to the face and stays at
 * its depth (one plane under its middle lifted it 5.1 m in a step). */
static void a_vertical_face_of_a_mesh_stops_a_hull(void **state)
{
    (void)state;
    write_file("contact_face.obj",
               "v -50 -50 20\nv 10 -50 20\nv 10 50 20\nv -50 50 20\nv 10 -50 15\nv 10 50 15\nv 60 -50 "
               "15\nv 60 50 15\nf 4 3 2 1\nf 2 3 6 5\nf 5 6 8 7\n");
    fm_world *world =
        world_in("<bottom><mesh file='contact_face.obj'/></bottom>",
                 SPHERE("ball", "position='5 0 18 m' velocity='3 0 0 m/s'", "<contact restitution='0' friction='0'/>"));
    for (int i = 0; i < 100; i++) {
        run_until(world, 0.05 * (i + 1));
        assert_less(pose_of(world, 0).position[0], 9.8);
        assert_nearer(pose_of(world, 0).position[2], 18, 1e-9);
    }
    assert_greater(pose_of(world, 0).position[0], 9.8 - 1e-4);
    assert_same(metric_of(world, 0, "contacts"), 1);
    finish(world);
    remove("contact_face.obj");
}

static void a_cave_has_a_roof_and_a_floor(void **state)
{
    (void)state;
    write_file("contact_cave.obj",
               "v -50 -50 10\nv 50 -50 10\nv 50 50 10\nv -50 50 10\nv -50 -50 20\nv 50 -50 20\nv 50 50 "
               "20\nv -50 50 20\nf 4 3 2 1\nf 8 7 6 5\n");
    static const struct {
        const char *buoyancy;
        double rest;
    } ways[] = {{"<buoyancy force='250 N'/>", 10.2}, {"<buoyancy force='100 N'/>", 19.8}};
    for (int i = 0; i < 2; i++) {
        char inside[256];
        snprintf(inside, sizeof inside,
                 "<vehicle name='ball' position='0 0 15 m'><mass mass='20 kg' inertia='0.5 0.5 0.5 kg*m2'/><hull "
                 "kind='sphere' size='0.4 0.4 0.4 m'/>%s<drag Z_w_absw='-30 N*s2/m2'/></vehicle>",
                 ways[i].buoyancy);
        fm_world *world = world_in("<bottom><mesh file='contact_cave.obj'/></bottom>", inside);
        run_until(world, 60);
        assert_nearer(pose_of(world, 0).position[2], ways[i].rest, 1e-4);
        finish(world);
    }
    remove("contact_cave.obj");
}

/* A box 2 m long swims at a rise of 6 m over half a metre: its nose stops at the slope, which begins at x = 9.5 m. */
static void a_long_hull_does_not_enter_a_steep_rise(void **state)
{
    (void)state;
    fm_world *world = world_in("<bottom depth='20 m'><rise x='10 m' height='6 m'/></bottom>",
                               "<vehicle name='rod' position='5 0 17 m' velocity='2 0 0 m/s'><mass mass='100 kg' "
                               "inertia='10 40 40 kg*m2'/><hull kind='box' size='2 0.3 0.3 m'/><contact "
                               "restitution='0' friction='0'/></vehicle>");
    for (int i = 0; i < 200; i++) {
        run_until(world, 0.05 * (i + 1));
        fm_pose pose = pose_of(world, 0);
        fm_shape box = fm_shape_box(1, 0.15, 0.15);
        fm_shape_place(&box, pose.position, pose.attitude);
        for (int corner = 0; corner < 8; corner++) {
            double p[3] = {0};
            for (int k = 0; k < 3; k++)
                p[k] = box.position[k] + (corner & 1 ? 1 : -1) * box.rotation[3 * k] +
                       (corner & 2 ? 0.15 : -0.15) * box.rotation[3 * k + 1] +
                       (corner & 4 ? 0.15 : -0.15) * box.rotation[3 * k + 2];
            double floor_depth = p[0] < 9.5 ? 20 : p[0] > 10 ? 14 : 20 - 12 * (p[0] - 9.5);
            assert_less(p[2], floor_depth);
        }
    }
    assert_at_least(metric_of(world, 0, "contacts"), 1);
    finish(world);
}

/* --- friction and standing --- */

#define BOX(name, extra, inside)                                                                                       \
    "<vehicle name='" name "' " extra "><mass mass='100 kg' inertia='10 20 20 kg*m2'/><buoyancy force='800 N'/><hull " \
    "kind='box' size='1 0.6 0.4 m'/>" inside "</vehicle>"

/* A slope of 0.25 (14 deg): friction of 0.3 holds the box, 0.1 lets it slide with g' (sin − μ cos), where g' is its
 * weight in water over its mass. */
static void friction_holds_a_box_on_a_slope_or_lets_it_slide_as_coulomb_has_it(void **state)
{
    (void)state;
    double slope = atan(0.25), weight = 100 * 9.80665 - 800;
    char start[256];
    snprintf(start, sizeof start, "position='0 0 %.12g m' attitude='0 %.12g 0 deg'", 20 - 0.2 / cos(slope) - 1e-4,
             -slope * 180 / 3.14159265358979323846);
    for (int slides = 0; slides < 2; slides++) {
        char vehicle[1024];
        snprintf(vehicle, sizeof vehicle, BOX("box", "%s", "<contact restitution='0' friction='%g'/>"), start,
                 slides ? 0.1 : 0.3);
        fm_world *world = world_in("<bottom depth='20 m' slope-north='0.25'/>", vehicle);
        run_until(world, 1);
        fm_pose first = pose_of(world, 0);
        run_until(world, slides ? 3 : 600);
        fm_pose last = pose_of(world, 0);
        double way = sqrt(pow(last.position[0] - first.position[0], 2) + pow(last.position[2] - first.position[2], 2));
        if (slides) {
            double a = weight / 100 * (sin(slope) - 0.1 * cos(slope));
            assert_nearer(way, a * (9 - 1) / 2, 0.02 * way); /* it goes on with the speed of a step's end */
            assert_nearer(last.velocity[0], 3 * a, 0.01 * 3 * a);
        } else {
            assert_less(way, 1e-6);
            assert_same(last.velocity[0], 0);
            assert_same(last.velocity[4], 0);
        }
        finish(world);
    }
}

#define SKIDS                                                                                                          \
    "<mass mass='100 kg' inertia='10 20 20 kg*m2' centre='0 0 0.1 m'/><buoyancy force='800 N'/><drag Z_w_absw='-200 "  \
    "N*s2/m2' K_p='-20 N*m*s/rad' M_q='-20 N*m*s/rad'/><hull kind='box' size='1 0.6 0.4 m'/><hull kind='capsule' "     \
    "size='0.9 0.06 0.06 m' centre='0 0.25 0.4 m'/><hull kind='capsule' size='0.9 0.06 0.06 m' centre='0 -0.25 0.4 "   \
    "m'/>"

/* Two skids, their lower edge 0.43 m below the origin: on a flat mesh, on a slope, on a table of an obstacle. */
static void a_vehicle_stands_on_its_skids(void **state)
{
    (void)state;
    write_file("contact_flat.obj",
               "v -9 -7 10\nv 8 -9 10\nv 9 9 10\nv -8 7 10\nv 0.1 0.05 10\nf 1 2 5\nf 2 3 5\nf 3 4 5\nf "
               "4 1 5\n");
    static const char *const seas[] = {"<bottom depth='10 m'/>", "<bottom><mesh file='contact_flat.obj'/></bottom>",
                                       "<box name='table' position='0 0 10.5 m' size='0.7 0.8 1 m'/>"};
    for (size_t i = 0; i < 3; i++) {
        fm_world *world =
            world_in(seas[i], "<vehicle name='lander' position='0 0 9.4 m' attitude='2 -3 20 deg'>" SKIDS "</vehicle>");
        run_until(world, 30);
        fm_pose first = pose_of(world, 0);
        assert_nearer(first.position[2], 9.57, 2e-4);
        assert_nearer(first.euler[0], 0, 1e-3);
        assert_nearer(first.euler[1], 0, 1e-3);
        run_until(world, 300);
        fm_pose last = pose_of(world, 0);
        for (int k = 0; k < 3; k++)
            assert_nearer(last.position[k], first.position[k], 1e-6);
        finish(world);
    }
    remove("contact_flat.obj");
}

/* Hills of triangles 10 m wide, slopes up to 0.2. Each lander that has come down lies still: none is held with a speed
 * that leads it nowhere. */
static void landers_on_rough_ground_come_to_rest(void **state)
{
    (void)state;
    enum { ROWS = 20, COLUMNS = 34, FIRST = 138, LANDERS = 30 };
    FILE *out = fopen("contact_hills.obj", "w");
    assert_non_null(out);
    for (int i = 0; i <= ROWS; i++)
        for (int k = 0; k <= COLUMNS; k++)
            fprintf(out, "v %d %d %.9g\n", 10 * (i - ROWS / 2), 10 * (FIRST + k) - 5,
                    (float)(28 + 2 * sin(0.7 * i) * cos(0.9 * (FIRST + k))));
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            int sw = i * (COLUMNS + 1) + k + 1, nw = sw + COLUMNS + 1;
            fprintf(out, "f %d %d %d\nf %d %d %d\n", sw, nw + 1, nw, sw, sw + 1, nw + 1);
        }
    assert_int_equal(fclose(out), 0);
    fm_world *world = start_here(
        "<fathom version='1'><world dt='0.01 s'><bottom><mesh file='contact_hills.obj'/></bottom></world><vehicle "
        "name='v' count='30' position='0 1400 25 m'><mass mass='100 kg' inertia='10 20 20 kg*m2'/><buoyancy force='700 "
        "N'/><drag X_u='-50 N*s/m' Y_v='-50 N*s/m' Z_w='-50 N*s/m' K_p='-20 N*m*s/rad' M_q='-20 N*m*s/rad' N_r='-20 "
        "N*m*s/rad'/><hull kind='capsule' size='0.9 0.06 0.06 m' centre='0 0.25 0.4 m'/><hull kind='capsule' size='0.9 "
        "0.06 0.06 m' centre='0 -0.25 0.4 m'/><contact friction='1'/></vehicle></fathom>");
    run_until(world, 12);
    for (int slot = 0; slot < LANDERS; slot++) {
        fm_pose pose = pose_of(world, slot);
        assert_at_least(metric_of(world, slot, "contacts"), 1);
        for (int k = 0; k < 6; k++)
            if (pose.velocity[k] != 0)
                fail_msg("lander %d: velocity %d is %g", slot, k, pose.velocity[k]);
    }
    finish(world);
    remove("contact_hills.obj");
}

/* At rest not one bit changes: the same step again, which costs next to nothing. */
static void a_vehicle_at_rest_does_not_change_by_a_bit(void **state)
{
    (void)state;
    fm_world *world = world_in("<bottom depth='10 m' slope-north='0.1'/>",
                               "<vehicle name='lander' position='0 0 9.4 m'>" SKIDS "</vehicle>");
    run_until(world, 60);
    fm_pose first = pose_of(world, 0);
    run_until(world, 120);
    fm_pose last = pose_of(world, 0);
    assert_memory_equal(&first, &last, sizeof first);
    finish(world);
}

/* Inner edges of a floor do not catch what slides over it. */
static void a_box_slides_over_triangles_as_over_a_plane(void **state)
{
    (void)state;
    char path[] = "contact_grid.obj";
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    for (int i = 0; i <= 40; i++)
        for (int k = 0; k <= 10; k++)
            fprintf(out, "v %g %g 10\n", i - 2.0, k - 5.0);
    for (int i = 0; i < 40; i++)
        for (int k = 0; k < 10; k++)
            fprintf(out, "f %d %d %d\nf %d %d %d\n", i * 11 + k + 1, i * 11 + k + 12, i * 11 + k + 13, i * 11 + k + 1,
                    i * 11 + k + 13, i * 11 + k + 2);
    assert_int_equal(fclose(out), 0);
    fm_world *world = world_in("<bottom><mesh file='contact_grid.obj'/></bottom>",
                               BOX("box", "position='0 0.13 9.7999 m' attitude='0 0 7 deg' velocity='3 -0.2 0 m/s'",
                                   "<contact restitution='0' friction='0'/>"));
    run_until(world, 8);
    fm_pose pose = pose_of(world, 0);
    assert_nearer(pose.velocity[0], 3, 1e-9);
    assert_nearer(pose.velocity[1], -0.2, 1e-9);
    assert_nearer(pose.velocity[5], 0, 1e-9);
    assert_nearer(pose.position[2], 9.8, 1e-4);
    finish(world);
    remove(path);
}

/* --- nothing passes through --- */

static void small_spheres_head_on_do_not_pass_each_other(void **state)
{
    (void)state;
    static const char *const responses[] = {"impulse", "restore"};
    for (int i = 0; i < 2; i++) {
        char vehicles[1024];
        snprintf(vehicles, sizeof vehicles,
                 "<vehicle name='a' position='-1 0 5 m' velocity='3 0 0 m/s'><mass mass='4 kg' inertia='0.02 0.02 0.02 "
                 "kg*m2'/><hull kind='sphere' size='0.2 0.2 0.2 m'/><contact response='%s'/></vehicle>"
                 "<vehicle name='b' position='1 0 5 m' velocity='-3 0 0 m/s'><mass mass='4 kg' inertia='0.02 0.02 0.02 "
                 "kg*m2'/><hull kind='sphere' size='0.2 0.2 0.2 m'/><contact response='%s'/></vehicle>",
                 responses[i], responses[i]);
        fm_world *world = world_in("", vehicles);
        fm_error error = {0};
        for (int step = 0; step < 40; step++) {
            assert_int_equal(fm_world_step(world, &error), FM_OK);
            assert_greater(pose_of(world, 1).position[0] - pose_of(world, 0).position[0], 0.2);
        }
        assert_at_least(metric_of(world, 0, "vehicle_contacts"), 1);
        assert_at_least(metric_of(world, 1, "vehicle_contacts"), 1);
        finish(world);
    }
}

static void ghosts_that_pass_each_other_in_one_step_are_counted(void **state)
{
    (void)state;
    fm_world *world =
        world_in("<box name='sheet' position='3 0 5 m' size='0.01 4 4 m'/>",
                 SPHERE("a", "position='-4 0 5 m' velocity='80 0 0 m/s'", "<contact response='count'/>")
                     SPHERE("b", "position='4.2 0.05 5 m' velocity='-80 0 0 m/s'", "<contact response='count'/>"));
    run_until(world, 0.1);
    assert_nearer(pose_of(world, 0).position[0], 4, 1e-9);
    assert_same(metric_of(world, 0, "vehicle_contacts"), 1);
    assert_same(metric_of(world, 1, "vehicle_contacts"), 1);
    assert_same(metric_of(world, 0, "contacts"), 1);
    assert_same(metric_of(world, 1, "contacts"), 1);
    finish(world);
}

/* A rod of 2 m turns at 2 rad/s towards a column of 2 cm, which it would pass between two steps. */
static void a_turning_rod_is_stopped_by_a_thin_column(void **state)
{
    (void)state;
    static const char *const responses[] = {"impulse", "restore"};
    for (int i = 0; i < 2; i++) {
        char rod[512];
        snprintf(rod, sizeof rod,
                 "<vehicle name='rod' position='0 0 5 m' rates='0 0 2 rad/s'><mass mass='5 kg' inertia='0.05 1.7 1.7 "
                 "kg*m2'/><hull kind='capsule' size='2 0.02 0.02 m'/><contact response='%s' restitution='0' "
                 "friction='0'/></vehicle>",
                 responses[i]);
        fm_world *world = world_in("<column name='post' position='0.67 0.67 0 m' radius='0.01 m' height='10 m'/>", rod);
        for (int step = 0; step < 60; step++) {
            run_until(world, 0.05 * (step + 1));
            fm_pose pose = pose_of(world, 0);
            double c = cos(pose.euler[2]), s = sin(pose.euler[2]), dx = 0.67 - pose.position[0],
                   dy = 0.67 - pose.position[1];
            if (!(fabs(c * dx + s * dy) > 0.99))
                assert_greater(c * dy - s * dx, 0.02); /* on this side of the column */
        }
        assert_at_least(metric_of(world, 0, "contacts"), 1);
        finish(world);
    }
}

static void twenty_metres_a_second_do_not_pass_a_sheet_of_a_centimetre(void **state)
{
    (void)state;
    static const char *const responses[] = {"impulse", "restore", "count"};
    for (int i = 0; i < 3; i++) {
        char text[1024];
        snprintf(
            text, sizeof text,
            "<fathom version='1'><world dt='0.5 s'><box name='sheet' position='33 0 5 m' size='0.01 40 40 m'/></world>"
            "<vehicle name='ball' position='0 0 5 m' velocity='20 0 0 m/s'><mass mass='20 kg' inertia='0.5 0.5 0.5 "
            "kg*m2'/><hull kind='sphere' size='0.4 0.4 0.4 m'/><contact response='%s'/></vehicle></fathom>",
            responses[i]);
        fm_world *world = start(text);
        run_until(world, 4);
        assert_at_least(metric_of(world, 0, "contacts"), 1);
        assert_same(pose_of(world, 0).position[0] < 33, i < 2); /* a ghost goes on */
        finish(world);
    }
}

/* It turns by 10 rad in a step; without friction and with full restitution it goes back the way it came. */
static void a_spinning_ball_bounces_straight_back(void **state)
{
    (void)state;
    fm_world *world =
        start("<fathom version='1'><world dt='0.5 s'><wall name='w' position='3.2 0 0 m' normal='-1 0 0'/>"
              "</world>" SPHERE("ball",
                                "position='0 0 5 m' velocity='4 0 0 m/s' rates='0 0 20 rad/s' "
                                "integrator='rk4' substeps='400'",
                                "<contact restitution='1' friction='0'/>") "</fathom>");
    double back = 3;
    for (int i = 0; i < 6; i++) {
        step(world, 1);
        fm_pose pose = pose_of(world, 0);
        assert_nearer(pose.position[1], 0, 1e-3);
        assert_nearer(pose.position[0], i ? back : 2, 1e-3);
        back = i ? back - 2 : 2;
    }
    finish(world);
}

/* --- counts --- */

static void every_one_of_two_hundred_obstacles_is_counted_once(void **state)
{
    (void)state;
    static char sea[32768];
    size_t used = 0;
    for (int i = 0; i < 200; i++)
        used += (size_t)snprintf(sea + used, sizeof sea - used,
                                 "<sphere name='s%d' position='%g 0 5 m' radius='0.3 m'/>", i, 2 + 0.5 * i);
    char *text = malloc(65536);
    snprintf(text, 65536, "<fathom version='1'><world dt='0.05 s'>%s</world>%s</fathom>", sea,
             SPHERE("ghost", "position='0 0 5 m' velocity='2 0 0 m/s'", "<contact response='count'/>"));
    fm_world *world = start(text); /* it touches two or three at a time */
    run_until(world, 70);
    assert_same(metric_of(world, 0, "contacts"), 200);
    finish(world);
    free(text);
}

static void ten_ghosts_in_one_place_have_nine_partners_each(void **state)
{
    (void)state;
    fm_world *world =
        world_in("", "<vehicle name='g' count='10' spacing='0.01 0 0 m' position='0 0 5 m'><mass mass='20 "
                     "kg' inertia='0.5 0.5 0.5 kg*m2'/><hull kind='sphere' size='0.4 0.4 0.4 m'/><contact "
                     "response='count'/></vehicle>");
    run_until(world, 5);
    for (int i = 0; i < 10; i++)
        assert_same(metric_of(world, i, "vehicle_contacts"), 9);
    finish(world);
}

static void two_bodies_in_exactly_one_place_part(void **state)
{
    (void)state;
    static const char *const pairs[] = {
        SPHERE("a", "position='0 0 5 m'", "") SPHERE("b", "position='0 0 5 m'", ""),
        BOX("a", "position='0 0 5 m'", "") BOX("b", "position='0 0 5 m'", ""),
        "<vehicle name='a' model='nps-auv-ii' position='0 0 5 m'/><vehicle name='b' model='nps-auv-ii' position='0 0 5 "
        "m'/>",
        SPHERE("a", "position='0 0 5 m'", "<contact response='restore'/>")
            SPHERE("b", "position='0 0 5 m'", "<contact response='restore'/>"),
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        fm_world *world = world_in("", pairs[i]);
        run_until(world, 5);
        fm_pose a = pose_of(world, 0), b = pose_of(world, 1);
        double square = 0;
        for (int k = 0; k < 3; k++)
            square += (a.position[k] - b.position[k]) * (a.position[k] - b.position[k]);
        if (!(square > 0.25 * 0.25)) /* the least that any of these hulls is across */
            fail_msg("pair %zu is %g m apart", i, sqrt(square));
        finish(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vertical_face_of_a_mesh_stops_a_hull),
        cmocka_unit_test(a_cave_has_a_roof_and_a_floor),
        cmocka_unit_test(a_long_hull_does_not_enter_a_steep_rise),
        cmocka_unit_test(friction_holds_a_box_on_a_slope_or_lets_it_slide_as_coulomb_has_it),
        cmocka_unit_test(a_vehicle_stands_on_its_skids),
        cmocka_unit_test(landers_on_rough_ground_come_to_rest),
        cmocka_unit_test(a_vehicle_at_rest_does_not_change_by_a_bit),
        cmocka_unit_test(a_box_slides_over_triangles_as_over_a_plane),
        cmocka_unit_test(small_spheres_head_on_do_not_pass_each_other),
        cmocka_unit_test(ghosts_that_pass_each_other_in_one_step_are_counted),
        cmocka_unit_test(a_turning_rod_is_stopped_by_a_thin_column),
        cmocka_unit_test(twenty_metres_a_second_do_not_pass_a_sheet_of_a_centimetre),
        cmocka_unit_test(a_spinning_ball_bounces_straight_back),
        cmocka_unit_test(every_one_of_two_hundred_obstacles_is_counted_once),
        cmocka_unit_test(ten_ghosts_in_one_place_have_nine_partners_each),
        cmocka_unit_test(two_bodies_in_exactly_one_place_part),
        cmocka_unit_test(a_restored_pose_keeps_the_part_of_the_speed_that_is_written),
        cmocka_unit_test(a_contact_that_ends_the_run_leaves_the_vehicle_where_it_touched),
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
