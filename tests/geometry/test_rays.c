#include "support/near.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "geometry/heightmap.h"
#include "geometry/ray_scene.h"
#include "geometry/rays.h"
#include "geometry_random.h"
#include "mesh_shapes.h"

static const double NO_TURN[4] = {1, 0, 0, 0};

static fm_ray_body at(fm_shape shape, uint32_t body, double x, double y, double z)
{
    fm_shape_place(&shape, (double[3]){x, y, z}, NO_TURN);
    return (fm_ray_body){shape, body};
}

static fm_ray_hit cast(const fm_ray_scene *scene, const fm_ray_body *moving, size_t n, fm_d3 o, fm_d3 d, double range,
                       uint32_t exclude)
{
    double origin[1][3] = {{o.x, o.y, o.z}}, direction[1][3] = {{d.x, d.y, d.z}};
    fm_ray_hit hit;
    fm_rays_cast(scene, moving, n, 1, origin, direction, range, exclude, &hit);
    return hit;
}

/* A hilly floor: rows × columns nodes, `step` apart, about (0, 0, 50). */
static void hills(size_t n, double step, fm_heightmap *map, fm_mesh *mesh)
{
    assert_int_equal(fm_heightmap_create(n, n, map, NULL), FM_OK);
    map->north = map->east = -0.5 * (double)(n - 1) * step;
    map->north_step = map->east_step = step;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            map->depth[i * n + j] = 50 + 5 * sin(0.05 * (double)i) * cos(0.07 * (double)j) + 0.5 * sin(0.7 * (double)i);
    assert_int_equal(fm_heightmap_mesh(map, mesh, NULL), FM_OK);
}

static void a_beam_down_at_an_angle_reads_height_over_cosine(void **state)
{
    (void)state;
    fm_ray_body floor = at(fm_shape_plane(), 7, 0, 0, 30);
    floor.shape.material = 3;
    fm_ray_scene *scene = fm_ray_scene_create(&(fm_ray_static){.shapes = &floor, .shape_count = 1}, NULL);
    for (double angle = 0; angle < 1.5; angle += 0.1) {
        fm_ray_hit hit =
            cast(scene, NULL, 0, (fm_d3){5, 6, 10}, (fm_d3){sin(angle), 0, cos(angle)}, INFINITY, FM_RAY_NOBODY);
        assert_near(hit.distance, 20 / cos(angle), 1e-12 * 20 / cos(angle));
        assert_near(hit.cosine, cos(angle), 1e-14);
        assert_near(hit.normal[2], -1, 0);
        assert_int_equal(hit.body, 7);
        assert_int_equal(hit.material, 3);
    }
    assert_true(isinf(cast(scene, NULL, 0, (fm_d3){0, 0, 10}, (fm_d3){0, 0, -1}, INFINITY, FM_RAY_NOBODY).distance));
    fm_ray_scene_free(scene);
}

static void a_vehicle_sees_others_but_not_itself(void **state)
{
    (void)state;
    fm_ray_scene *scene = fm_ray_scene_create(&(fm_ray_static){0}, NULL);
    fm_ray_body bodies[3] = {at(fm_shape_capsule(0.5, 2, 0), 1, 0, 0, 5), at(fm_shape_sphere(1), 2, 10, 0, 5),
                             at(fm_shape_box(1, 1, 1), 3, 20, 0, 5)};
    fm_d3 o = {0, 0, 5}, x = {3, 0, 0}; /* any length */
    fm_ray_hit hit = cast(scene, bodies, 3, o, x, 100, 1);
    assert_int_equal(hit.body, 2);
    assert_near(hit.distance, 9, 1e-14);
    hit = cast(scene, bodies, 3, o, x, 100, FM_RAY_NOBODY);
    assert_int_equal(hit.body, 1); /* starts inside */
    assert_int_equal(hit.inside, 1);
    assert_near(hit.distance, 0, 0);
    assert_near(hit.cosine, 1, 0);
    hit = cast(scene, bodies, 3, (fm_d3){12, 0, 5}, x, 7, 1);
    assert_int_equal(hit.body, 3);
    assert_near(hit.distance, 7, 1e-14);
    hit = cast(scene, bodies, 3, (fm_d3){12, 0, 5}, x, 6.999, 1);
    assert_int_equal(hit.body, FM_RAY_NOBODY);
    fm_ray_scene_free(scene);
}

static void rays_without_length_or_direction_meet_nothing(void **state)
{
    (void)state;
    fm_ray_body ball = at(fm_shape_sphere(1), 2, 0, 0, 0);
    fm_ray_scene *scene = fm_ray_scene_create(&(fm_ray_static){.shapes = &ball, .shape_count = 1}, NULL);
    fm_d3 x = {1, 0, 0}, far = {-3, 0, 0};
    assert_true(isinf(cast(scene, NULL, 0, far, (fm_d3){0, 0, 0}, 10, FM_RAY_NOBODY).distance));
    assert_true(isinf(cast(scene, NULL, 0, far, (fm_d3){NAN, 0, 0}, 10, FM_RAY_NOBODY).distance));
    assert_true(isinf(cast(scene, NULL, 0, (fm_d3){INFINITY, 0, 0}, x, 10, FM_RAY_NOBODY).distance));
    assert_true(isinf(cast(scene, NULL, 0, far, x, -1, FM_RAY_NOBODY).distance));
    assert_true(isinf(cast(scene, NULL, 0, far, x, NAN, FM_RAY_NOBODY).distance));
    assert_true(isinf(cast(scene, NULL, 0, far, x, 0, FM_RAY_NOBODY).distance));
    assert_near(cast(scene, NULL, 0, (fm_d3){-1, 0, 0}, x, 0, FM_RAY_NOBODY).distance, 0, 0);  /* enters at 0 */
    assert_true(isinf(cast(scene, NULL, 0, (fm_d3){1, 0, 0}, x, 10, FM_RAY_NOBODY).distance)); /* leaves */
    fm_ray_hit tangent = cast(scene, NULL, 0, (fm_d3){-3, 1, 0}, x, 10, FM_RAY_NOBODY);
    assert_near(tangent.distance, 3, 0);
    assert_near(tangent.cosine, 0, 0);
    fm_ray_scene_free(scene);
}

/* A kilometre away, single precision is off by 6e-5 m; the plane of the triangle, solved here by hand, is met to 1e-9.
 */
static void triangles_a_kilometre_away_are_met_to_a_billionth(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    hills(301, 7.3, &map, &mesh);
    fm_ray_scene *scene =
        fm_ray_scene_create(&(fm_ray_static){.meshes = &(fm_ray_mesh){&mesh, 1, 9}, .mesh_count = 1}, NULL);
    dice d = {1};
    int hits = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double target[3] = {roll(&d, -900, 900), roll(&d, -900, 900), 50},
               o[3] = {roll(&d, -900, 900), roll(&d, -900, 900), -1000};
        fm_d3 way = fm_d3_unit(fm_d3_sub(fm_d3_of(target), fm_d3_of(o)), (fm_d3){0, 0, 1});
        fm_ray_hit hit = cast(scene, NULL, 0, fm_d3_of(o), way, 5000, FM_RAY_NOBODY);
        assert_int_equal(hit.body, 9);
        fm_d3 p = fm_d3_add_scaled(fm_d3_of(o), hit.distance, way);
        double depth, normal[3];
        assert_true(fm_heightmap_depth(&map, p.x, p.y, &depth, normal));
        assert_near(p.z, depth, 1e-9 * hit.distance * 0.5);
        assert_near(hit.normal[0], normal[0], 1e-6);
        assert_near(hit.cosine, -fm_d3_dot(fm_d3_of(normal), way), 1e-6);
        hits++;
    }
    assert_int_equal(hits, 3000);
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

static void no_ray_slips_through_edges_and_corners_of_the_floor(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    hills(65, 1.0, &map, &mesh);
    fm_ray_scene *scene =
        fm_ray_scene_create(&(fm_ray_static){.meshes = &(fm_ray_mesh){&mesh, 1, 9}, .mesh_count = 1}, NULL);
    for (int i = -30; i <= 30; i++)
        for (int j = -60; j <= 60; j++) {
            double depth; /* straight down on nodes, edges and diagonals */
            fm_ray_hit hit = cast(scene, NULL, 0, (fm_d3){i, 0.5 * j, 0}, (fm_d3){0, 0, 1}, 100, FM_RAY_NOBODY);
            assert_true(fm_heightmap_depth(&map, i, 0.5 * j, &depth, NULL));
            assert_near(hit.distance, depth, 1e-12 * depth);
            /* from the surface itself, up to and down from it */
            hit = cast(scene, NULL, 0, (fm_d3){i, 0.5 * j, depth - 1e-6}, (fm_d3){0, 0, 1}, 100, FM_RAY_NOBODY);
            assert_near(hit.distance, 1e-6, 1e-12);
            hit = cast(scene, NULL, 0, (fm_d3){i, 0.5 * j, depth + 1e-6}, (fm_d3){0, 0, 1}, 100, FM_RAY_NOBODY);
            assert_true(isinf(hit.distance));
        }
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

/* Every triangle tried in double, nothing of Embree. */
static double brute_force(const fm_mesh *m, fm_d3 o, fm_d3 d)
{
    double best = INFINITY;
    for (size_t i = 0; i < m->triangle_count; i++) {
        const uint32_t *t = m->triangles[i];
        fm_triangle_hit h;
        if (fm_ray_triangle(o, d, fm_d3_of(m->vertices[t[0]]), fm_d3_of(m->vertices[t[1]]), fm_d3_of(m->vertices[t[2]]),
                            &h) &&
            h.u >= 0 && h.v >= 0 && h.w >= 0 && h.t >= 0)
            best = fmin(best, h.t);
    }
    return best;
}

static void hits_on_a_ball_of_triangles_equal_brute_force(void **state)
{
    (void)state;
    fm_mesh mesh;
    fm_shape ball = fm_shape_sphere(2);
    assert_int_equal(mesh_from_shape(&ball, 24, &mesh, NULL), FM_OK);
    fm_mesh_transform(&mesh, (double[3]){1, 1, 1}, (double[3]){100, 200, 30}, NO_TURN);
    fm_ray_scene *scene =
        fm_ray_scene_create(&(fm_ray_static){.meshes = &(fm_ray_mesh){&mesh, 1, 9}, .mesh_count = 1}, NULL);
    dice d = {8};
    int hits = 0;
    for (int trial = 0; trial < 5000; trial++) {
        double o[3], target[3];
        roll_point(&d, 20, o);
        roll_point(&d, 2, target);
        for (int k = 0; k < 3; k++) {
            o[k] += (double[3]){100, 200, 30}[k];
            target[k] += (double[3]){100, 200, 30}[k];
        }
        fm_d3 way = fm_d3_unit(fm_d3_sub(fm_d3_of(target), fm_d3_of(o)), (fm_d3){1, 0, 0});
        fm_ray_hit hit = cast(scene, NULL, 0, fm_d3_of(o), way, INFINITY, FM_RAY_NOBODY);
        double expected = brute_force(&mesh, fm_d3_of(o), way);
        if (isinf(expected)) {
            assert_true(isinf(hit.distance));
            continue;
        }
        hits++;
        assert_near(hit.distance, expected, 1e-11 * (1 + expected));
    }
    assert_greater(hits, 2000);
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
}

typedef struct fan {
    const fm_ray_scene *scene;
    const fm_ray_body *bodies;
    size_t body_count, rays;
    double (*origin)[3], (*direction)[3];
    fm_ray_hit *hits;
} fan;

static fan make_fan(const fm_ray_scene *scene, size_t rays)
{
    fan f = {.scene = scene, .rays = rays};
    f.origin = fm_alloc(rays * sizeof *f.origin);
    f.direction = fm_alloc(rays * sizeof *f.direction);
    f.hits = fm_alloc(rays * sizeof *f.hits);
    return f;
}

static void free_fan(fan *f)
{
    fm_free(f->origin);
    fm_free(f->direction);
    fm_free(f->hits);
}

/* 120° of beams ahead, a little down. */
static void aim_fan(fan *f, double x, double y, double depression)
{
    for (size_t i = 0; i < f->rays; i++) {
        double azimuth = ((double)i / (double)f->rays - 0.5) * 2 * M_PI / 3;
        memcpy(f->origin[i], (double[3]){x, y, 10}, sizeof f->origin[i]);
        memcpy(f->direction[i],
               (double[3]){cos(azimuth) * cos(depression), sin(azimuth) * cos(depression), sin(depression)},
               sizeof f->direction[i]);
    }
}

static void *run_fan(void *argument)
{
    fan *f = argument;
    fm_rays_cast(f->scene, f->bodies, f->body_count, f->rays, (const double(*)[3])f->origin,
                 (const double(*)[3])f->direction, 1000, FM_RAY_NOBODY, f->hits);
    return NULL;
}

static void alone_in_a_fan_and_in_threads_a_ray_gives_the_same_bits(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    hills(201, 1.0, &map, &mesh);
    fm_ray_body column = at(fm_shape_cylinder(1, 60, 2), 5, 30, 3, 0),
                others[2] = {at(fm_shape_sphere(2), 6, 20, -8, 12)};
    others[1] = at(fm_shape_ellipsoid(3, 1, 1), 8, 25, 10, 14);
    fm_ray_static what = {&(fm_ray_mesh){&mesh, 1, 9}, 1, &column, 1};
    fm_ray_scene *scene = fm_ray_scene_create(&what, NULL);
    size_t seen[10] = {0}, rays = 509;
    for (int ping = 0; ping < 60; ping++) {
        fan f = make_fan(scene, rays), g = make_fan(scene, rays);
        f.bodies = g.bodies = others;
        f.body_count = g.body_count = 2;
        double x = ping % 3 ? 7.3 * sin(ping) : ping; /* every third from a node of the grid, along grid lines */
        aim_fan(&f, x, ping % 3 ? 3.1 * cos(ping) : 0, 0.05 + 0.02 * ping);
        memcpy(g.origin, f.origin, rays * sizeof *f.origin);
        memcpy(g.direction, f.direction, rays * sizeof *f.direction);
        pthread_t thread;
        assert_int_equal(pthread_create(&thread, NULL, run_fan, &g), 0);
        run_fan(&f);
        pthread_join(thread, NULL);
        assert_memory_equal(f.hits, g.hits, rays * sizeof *f.hits);
        for (size_t i = 0; i < rays; i++) {
            fm_ray_hit one =
                cast(scene, others, 2, fm_d3_of(f.origin[i]), fm_d3_of(f.direction[i]), 1000, FM_RAY_NOBODY);
            assert_memory_equal(&one, &f.hits[i], sizeof one);
            if (one.body < 10)
                seen[one.body]++;
        }
        free_fan(&f);
        free_fan(&g);
    }
    assert_greater(seen[5], 100);
    assert_greater(seen[6], 100);
    assert_greater(seen[8], 100);
    assert_greater(seen[9], 10000);
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

static void many_moving_bodies_are_seen_like_each_one_tried(void **state)
{
    (void)state;
    enum { BODIES = 1000, RAYS = 200 };
    dice d = {12};
    fm_ray_body *bodies = fm_alloc(BODIES * sizeof *bodies);
    for (uint32_t i = 0; i < BODIES; i++)
        bodies[i] = (fm_ray_body){roll_shape(&d, 40), i};
    fm_ray_scene *scene = fm_ray_scene_create(&(fm_ray_static){0}, NULL);
    fan f = make_fan(scene, RAYS);
    for (int i = 0; i < RAYS; i++) {
        roll_point(&d, 40, f.origin[i]);
        roll_direction(&d, f.direction[i]);
    }
    f.bodies = bodies;
    f.body_count = BODIES;
    run_fan(&f);
    for (int i = 0; i < RAYS; i++) {
        double best = INFINITY;
        for (int k = 0; k < BODIES; k++) {
            fm_ray_span span;
            if (fm_shape_ray(&bodies[k].shape, f.origin[i], f.direction[i], &span) && span.leave > 0)
                best = fmin(best, fmax(span.enter, 0));
        }
        if (isinf(best))
            assert_true(isinf(f.hits[i].distance));
        else
            assert_near(f.hits[i].distance, best, 1e-12);
    }
    free_fan(&f);
    fm_free(bodies);
    fm_ray_scene_free(scene);
}

static void bad_scenes_are_refused_without_leaks(void **state)
{
    (void)state;
    long before = fm_alloc_live();
    fm_error error = {0};
    fm_ray_body bad = at(fm_shape_sphere(-1), 1, 0, 0, 0);
    assert_null(fm_ray_scene_create(&(fm_ray_static){.shapes = &bad, .shape_count = 1}, &error));
    assert_int_equal(error.status, FM_ERR_RANGE);
    for (long n = 0; n < 3; n++) {
        fm_alloc_fail_after(n);
        assert_null(fm_ray_scene_create(&(fm_ray_static){0}, &error));
        assert_int_equal(error.status, FM_ERR_MEMORY);
    }
    fm_alloc_fail_after(-1);
    assert_int_equal(fm_alloc_live(), before);
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Prints only: machines differ. FATHOM_BENCH=1 takes a floor of 2 million triangles, otherwise 80,000. */
static void the_rate_of_a_fan_is_printed_beside_bare_embree(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    size_t nodes = getenv("FATHOM_BENCH") ? 1001 : 201;
    hills(nodes, 1.0, &map, &mesh);
    fm_ray_scene *scene =
        fm_ray_scene_create(&(fm_ray_static){.meshes = &(fm_ray_mesh){&mesh, 1, 9}, .mesh_count = 1}, NULL);
    enum { PINGS = 200, RAYS = 512 };
    double ours = 0, bare = 0;
    for (int ping = 0; ping < PINGS; ping++) {
        fan f = make_fan(scene, RAYS);
        aim_fan(&f, 0.2 * (double)nodes * sin(0.1 * ping), 0.2 * (double)nodes * cos(0.13 * ping), 0.35);
        fm_rays_bare *b =
            fm_rays_bare_create(scene, RAYS, (const double(*)[3])f.origin, (const double(*)[3])f.direction, NULL);
        double t0 = seconds();
        if (ping & 1)
            run_fan(&f);
        double t1 = seconds();
        if (b)
            fm_rays_bare_cast(b);
        double t2 = seconds();
        if (!(ping & 1))
            run_fan(&f);
        double t3 = seconds();
        ours += t1 - t0 + t3 - t2;
        bare += t2 - t1;
        fm_rays_bare_free(b);
        free_fan(&f);
    }
    print_message("%d-beam sonar over %zu triangles: %.2f million rays/s, bare Embree %.2f: %.0f %%\n", RAYS,
                  mesh.triangle_count, PINGS * RAYS / ours * 1e-6, PINGS * RAYS / bare * 1e-6, 100 * bare / ours);
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_beam_down_at_an_angle_reads_height_over_cosine),
        cmocka_unit_test(a_vehicle_sees_others_but_not_itself),
        cmocka_unit_test(rays_without_length_or_direction_meet_nothing),
        cmocka_unit_test(triangles_a_kilometre_away_are_met_to_a_billionth),
        cmocka_unit_test(no_ray_slips_through_edges_and_corners_of_the_floor),
        cmocka_unit_test(hits_on_a_ball_of_triangles_equal_brute_force),
        cmocka_unit_test(alone_in_a_fan_and_in_threads_a_ray_gives_the_same_bits),
        cmocka_unit_test(many_moving_bodies_are_seen_like_each_one_tried),
        cmocka_unit_test(bad_scenes_are_refused_without_leaks),
        cmocka_unit_test(the_rate_of_a_fan_is_printed_beside_bare_embree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
