/* What can be touched stands where beams meet it: distances of contact against ranges of rays, on bottoms of all kinds.
 */
#include "support/scenario.h"

#include "base/memory.h"
#include "environment/sight.h"
#include "environment/solids.h"
#include "geometry/geometry_random.h"
#include "world/model.h"

static fm_model *model_of(const char *inside)
{
    char text[8192];
    snprintf(text, sizeof text, "<fathom version='1'><world dt='0.1 s'>%s</world></fathom>", inside);
    fm_error error = {0}; /* files are written and looked for beside the program */
    fm_load_options options = tree_options(NULL);
    return loaded(fm_model_load_memory(text, strlen(text), "test.xml", &options, &error), &error);
}

/* Range from a point along a direction to the bottom or an obstacle, m. */
static double range_along(const fm_environment *e, const double from[3], const double direction[3])
{
    static const fm_bodies none;
    double origin[1][3], along[1][3];
    fm_ray_hit hit;
    fm_part_context context = {.environment = e, .bodies = &none};
    memcpy(origin[0], from, sizeof origin[0]);
    memcpy(along[0], direction, sizeof along[0]);
    fm_sight_cast(&context, 1, (const double(*)[3])origin, (const double(*)[3])along, 100, &hit);
    return hit.distance;
}

static fm_shape speck_at(const double p[3], double radius)
{
    static const double level[4] = {1, 0, 0, 0};
    fm_shape speck = fm_shape_sphere(radius);
    fm_shape_place(&speck, p, level);
    return speck;
}

/* From points above the bottom: the beam along the way of contact is as long as that way, and no other is shorter. */
static void compare_with_rays(const fm_environment *e, double reach, double depth, double tolerance, uint64_t seed)
{
    dice d = {seed};
    int met = 0;
    for (int trial = 0; trial < 150; trial++) {
        double p[3] = {roll(&d, -reach, reach), roll(&d, -reach, reach), roll(&d, 0.5 * depth, depth)}, back[3];
        if (p[2] > fm_environment_depth(e, p[0], p[1]) - 0.05)
            continue;
        fm_shape speck = speck_at(p, 0.01);
        fm_separation s;
        uint32_t body;
        assert_true(fm_solids_nearest(e, &speck, 50, &s, &body));
        if (s.distance < 0.01) /* beside a steep face */
            continue;
        for (int k = 0; k < 3; k++)
            back[k] = -s.normal[k];
        double range = range_along(e, p, back), up[3];
        fm_bottom_normal(e->bottom, s.point_b[0], s.point_b[1], up);
        int face = up[0] * s.normal[0] + up[1] * s.normal[1] + up[2] * s.normal[2] > 0.999;
        if (face && !(fabs(range - s.distance - 0.01) < tolerance)) /* past the tip of a ridge the beam goes on */
            fail_msg("from %g %g %g the beam is %.9g m long, the hull %.9g m away", p[0], p[1], p[2], range,
                     s.distance + 0.01);
        met += face;
        for (int beam = 0; beam < 20; beam++) {
            double any[3];
            roll_direction(&d, any);
            assert_greater(range_along(e, p, any), s.distance + 0.01 - tolerance);
        }
        double room = fm_solids_clearance(e, p, 20);
        assert_within(0, room, s.distance + 0.01 + tolerance);
    }
    assert_greater(met, 25);
}

static void beams_and_hulls_meet_bottoms_by_numbers_in_one_place(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double reach, depth;
    } bottoms[] = {
        {"<bottom depth='10 m'/>", 20, 11},
        {"<bottom depth='10 m' slope-north='0.4' slope-east='-0.7'/>", 8, 14},
        {"<bottom depth='10 m'><rise x='3 m' height='6 m'/></bottom>", 12, 10},
        {"<bottom depth='10 m'><nodes x0='-6 m' spacing='1.5 m' depths='9 8 8.5 5 5 9 9.5 7 6 m'/></bottom>", 12, 9},
        {"<bottom depth='10 m' slope-north='0.1'><mound height='-4 m' centre='1 2 0 m' sigma='2 3 1 m'/><mound "
         "height='3 "
         "m' centre='-5 -4 0 m' sigma='1.5 0.8 1 m'/></bottom>",
         10, 11},
        {"<bottom depth='10 m'><nodes x0='-6 m' spacing='1.5 m' depths='9 8 8.5 7 7 9 9.5 7 8 m'/><mound height='-3 m' "
         "centre='0 0 0 m' sigma='0.6 0.6 1 m'/></bottom>",
         8, 9},
    };
    for (size_t i = 0; i < sizeof bottoms / sizeof bottoms[0]; i++) {
        fm_model *model = model_of(bottoms[i].text);
        compare_with_rays(model->environment, bottoms[i].reach, bottoms[i].depth, 2 * FM_GROUND_ERROR, 31 + i);
        fm_model_free(model);
    }
}

static void write_rough_floor(const char *path)
{
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    dice d = {5};
    enum { SIDE = 21 };
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++)
            fprintf(out, "v %d %d %.6f\n", 2 * i - 20, 2 * j - 20, roll(&d, 8, 12));
    for (int i = 0; i + 1 < SIDE; i++)
        for (int j = 0; j + 1 < SIDE; j++) {
            int sw = i * SIDE + j + 1, nw = sw + SIDE;
            fprintf(out, "f %d %d %d\nf %d %d %d\n", sw, nw + 1, nw, sw, sw + 1, nw + 1);
        }
    assert_int_equal(fclose(out), 0);
}

static void beams_and_hulls_meet_a_mesh_and_obstacles_in_one_place(void **state)
{
    (void)state;
    write_rough_floor("solids_floor.obj");
    fm_model *model = model_of("<bottom><mesh file='solids_floor.obj'/></bottom>");
    compare_with_rays(model->environment, 12, 11, 1e-9, 41);
    fm_model_free(model);
    model = model_of("<bottom><mesh file='solids_floor.obj'/></bottom><sphere name='s' position='3 3 6 m' radius='1.5 "
                     "m'/><box name='b' position='-4 2 7 m' size='2 3 4 m' attitude='20 30 40 deg'/><wall name='w' "
                     "position='9 0 0 m' normal='-1 0.3 0'/>");
    dice d = {42};
    for (int trial = 0; trial < 300; trial++) {
        double p[3] = {roll(&d, -12, 8), roll(&d, -12, 12), roll(&d, 2, 9)}, back[3];
        fm_shape speck = speck_at(p, 0.01);
        fm_separation s;
        uint32_t body;
        assert_true(fm_solids_nearest(model->environment, &speck, 50, &s, &body));
        if (s.distance < 0.01)
            continue;
        for (int k = 0; k < 3; k++)
            back[k] = -s.normal[k];
        assert_nearer(range_along(model->environment, p, back) - s.distance, 0.01, 1e-9);
        assert_at_most(fm_solids_clearance(model->environment, p, 20), s.distance + 0.01 + 1e-9);
    }
    fm_model_free(model);
    remove("solids_floor.obj");
}

/* Under a cave's roof and over its floor: the mesh has two sides, and the room is between them. */
static void inside_a_cave_the_roof_is_above_and_the_floor_below(void **state)
{
    (void)state;
    FILE *out = fopen("solids_cave.obj", "w");
    assert_non_null(out);
    fputs("v -50 -50 10\nv 50 -50 10\nv 50 50 10\nv -50 50 10\nv -50 -50 20\nv 50 -50 20\nv 50 50 20\nv -50 50 20\n"
          "f 1 2 3 4\nf 5 6 7 8\n",
          out);
    assert_int_equal(fclose(out), 0);
    fm_model *model = model_of("<bottom><mesh file='solids_cave.obj'/></bottom>");
    double low[3] = {0, 0, 18}, high[3] = {1, 2, 11};
    fm_shape near_floor = speck_at(low, 0.5), near_roof = speck_at(high, 0.5);
    fm_separation s;
    uint32_t body;
    assert_true(fm_solids_nearest(model->environment, &near_floor, 5, &s, &body));
    assert_nearer(s.distance, 1.5, 1e-12);
    assert_same(s.normal[2], -1);
    assert_same(body, FM_BODY_BOTTOM);
    assert_true(fm_solids_nearest(model->environment, &near_roof, 5, &s, &body));
    assert_nearer(s.distance, 0.5, 1e-12);
    assert_same(s.normal[2], 1);
    fm_model_free(model);
    remove("solids_cave.obj");
}

/* A floor that falls away to the north by 0.1 m a metre, and a wall. */
static void what_stands_nearest_to_a_hull_is_found(void **state)
{
    (void)state;
    fm_environment e = {0};
    fm_obstacle wall = {.name = "wall", .shape = fm_shape_wall((double[3]){4, 0, 0}, (double[3]){-1, 0, 0})};
    assert_int_equal(fm_heightmap_create(11, 11, &e.map, NULL), FM_OK);
    e.map.north = e.map.east = -5;
    for (int i = 0; i < 121; i++)
        e.map.depth[i] = 20 + 0.1 * (i / 11);
    assert_int_equal(fm_heightmap_mesh(&e.map, &e.floor, NULL), FM_OK);
    e.obstacles = &wall;
    e.obstacle_count = 1;
    assert_int_equal(fm_solids_build(&e, NULL), FM_OK);
    fm_separation s;
    uint32_t body;
    fm_shape ball = speck_at((double[3]){0.3, 0.2, 19}, 0.5);
    assert_true(fm_solids_nearest(&e, &ball, 3, &s, &body));
    assert_int_equal(body, FM_BODY_BOTTOM);
    double slope = 1 / sqrt(1.01); /* cosine of the floor's slope; depth under the ball 20.53 */
    assert_nearer(s.distance, (20.53 - 19) * slope - 0.5, 1e-9);
    assert_nearer(s.normal[2] + slope, 0, 1e-9);
    ball = speck_at((double[3]){0.3, 0.2, 20.2}, 0.5); /* in the floor: pushed up out of it */
    assert_true(fm_solids_nearest(&e, &ball, 0, &s, &body));
    assert_nearer(s.distance, (20.53 - 20.2) * slope - 0.5, 1e-9);
    assert_nearer(s.normal[2] + slope, 0, 1e-9);
    fm_shape box = fm_shape_box(1, 0.5, 0.5);
    fm_shape_place(&box, (double[3]){2.5, 0, 10}, (double[4]){1, 0, 0, 0});
    assert_true(fm_solids_nearest(&e, &box, 1, &s, &body));
    assert_int_equal(body, FM_BODY_OBSTACLE);
    assert_nearer(s.distance, 0.5, 1e-12);
    assert_false(fm_solids_nearest(&e, &box, 0.4, &s, &body));
    fm_environment_free(&e);
}

static void a_sea_without_memory_for_its_trees_says_so(void **state)
{
    (void)state;
    fm_obstacle ball = {.name = "ball", .shape = fm_shape_sphere(1)};
    for (long n = 0;; n++) {
        fm_environment e = {.obstacles = &ball, .obstacle_count = 1};
        fm_error error = {0};
        assert_int_equal(fm_heightmap_create(5, 5, &e.map, NULL), FM_OK);
        fm_alloc_fail_after(n);
        fm_status status = fm_solids_build(&e, &error);
        fm_alloc_fail_after(-1);
        fm_environment_free(&e);
        assert_int_equal(fm_alloc_live(), 0);
        if (status == FM_OK)
            return;
        assert_int_equal(status, FM_ERR_MEMORY);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_nearest_to_a_hull_is_found),
        cmocka_unit_test(a_sea_without_memory_for_its_trees_says_so),
        cmocka_unit_test(beams_and_hulls_meet_bottoms_by_numbers_in_one_place),
        cmocka_unit_test(beams_and_hulls_meet_a_mesh_and_obstacles_in_one_place),
        cmocka_unit_test(inside_a_cave_the_roof_is_above_and_the_floor_below),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
