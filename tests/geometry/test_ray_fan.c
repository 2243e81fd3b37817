/* Rays from one place, cast by packets: what they meet has the bits of rays cast one by one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "geometry/heightmap.h"
#include "geometry/ray_fan.h"
#include "physics/posture.h"
#include "support/near.h"

enum { BEAMS = 150, ROOM = BEAMS + FM_FAN_BLOCK };

static double axes[3][ROOM], directions[BEAMS][3];

static void aim(double sector, double tilt)
{
    for (int i = 0; i < ROOM; i++) {
        double azimuth = sector * ((i < BEAMS ? i : BEAMS - 1) / (BEAMS - 1.0) - 0.5);
        axes[0][i] = cos(tilt) * cos(azimuth), axes[1][i] = cos(tilt) * sin(azimuth), axes[2][i] = sin(tilt);
        for (int k = 0; i < BEAMS && k < 3; k++)
            directions[i][k] = axes[k][i];
    }
}

static fm_ray_scene *hills(fm_heightmap *map, fm_mesh *mesh, const fm_ray_body *shapes, size_t count)
{
    enum { N = 201 };
    assert_int_equal(fm_heightmap_create(N, N, map, NULL), FM_OK);
    map->north = map->east = -0.5 * (N - 1);
    map->north_step = map->east_step = 1;
    for (int i = 0; i < N * N; i++)
        map->depth[i] = 30 + 5 * sin(0.05 * (i / N)) * cos(0.07 * (i % N)) + 0.5 * sin(0.7 * (i / N));
    assert_int_equal(fm_heightmap_mesh(map, mesh, NULL), FM_OK);
    fm_ray_mesh one = {.mesh = mesh, .material = 3, .body = 9};
    fm_ray_scene *scene = fm_ray_scene_create(
        &(fm_ray_static){.meshes = &one, .mesh_count = 1, .shapes = shapes, .shape_count = count}, NULL);
    assert_non_null(scene);
    return scene;
}

static fm_ray_fan fan_at(const double position[3], const double euler[3], double range)
{
    fm_ray_fan fan = {.axes = {axes[0], axes[1], axes[2]}, .range = range, .exclude = 1};
    memcpy(fan.origin, position, sizeof fan.origin);
    fm_euler_matrix(euler, fan.rotation);
    return fan;
}

/* Compares a fan with the same rays; returns how many met the floor. */
static int compare(const fm_ray_scene *scene, const fm_ray_fan *fan)
{
    static double origin[BEAMS][3], direction[BEAMS][3];
    static fm_ray_hit hits[BEAMS];
    fm_fan_echoes echoes;
    int met = 0;
    for (int i = 0; i < BEAMS; i++) {
        memcpy(origin[i], fan->origin, sizeof origin[i]);
        fm_vector_to_world(fan->rotation, directions[i], direction[i]);
    }
    fm_rays_cast(scene, NULL, 0, BEAMS, (const double(*)[3])origin, (const double(*)[3])direction, fan->range, 1, hits);
    for (size_t first = 0; first < BEAMS; first += FM_FAN_BLOCK) {
        size_t count = BEAMS - first < FM_FAN_BLOCK ? BEAMS - first : FM_FAN_BLOCK;
        assert_true(fm_ray_fan_cast(scene, fan, first, count, &echoes));
        for (size_t i = 0; i < count; i++) {
            const fm_ray_hit *hit = &hits[first + i];
            assert_memory_equal(&echoes.distance[i], &hit->distance, sizeof hit->distance);
            if (isinf(hit->distance))
                continue;
            assert_memory_equal(&echoes.cosine[i], &hit->cosine, sizeof hit->cosine);
            assert_int_equal(echoes.material[i], hit->material);
            met++;
        }
    }
    return met;
}

static void a_fan_has_the_bits_of_its_rays(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    fm_ray_scene *scene = hills(&map, &mesh, NULL, 0);
    int met = 0, cast = 0;
    aim(0.8, 0.5);
    for (int k = 0; k < 300; k++) {
        /* also close above the floor, along rows of corners, and beyond its end */
        double position[3] = {k % 3 ? 0.7 * k - 100 : k % 50, k % 5 ? 30 - 0.3 * k : 0, k % 4 ? 0.1 * k : 26};
        double euler[3] = {0.02 * k, k % 7 ? 0.3 * sin(k) : 0, k % 3 ? 0.21 * k : 0};
        fm_ray_fan fan = fan_at(position, euler, k % 2 ? 60 : 1e4);
        if (!fm_ray_fan_fits(scene, &fan, NULL, 0))
            skip(); /* a processor without packets of sixteen */
        met += compare(scene, &fan);
        cast += BEAMS;
    }
    assert_greater(met, cast / 4);
    assert_less(met, cast);
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

static void a_fan_is_refused_where_another_body_is_within_range(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    fm_ray_scene *scene = hills(&map, &mesh, NULL, 0);
    aim(0.8, 0.5);
    fm_ray_fan fan = fan_at((double[3]){0, 0, 5}, (double[3]){0, 0, 0}, 40);
    fm_ray_body ball = {fm_shape_sphere(1), 2};
    fm_shape_place(&ball.shape, (double[3]){0, 40.9, 5}, (double[4]){1, 0, 0, 0});
    if (!fm_ray_fan_fits(scene, &fan, NULL, 0))
        skip();
    assert_false(fm_ray_fan_fits(scene, &fan, &ball, 1));
    ball.body = 1; /* its own */
    assert_true(fm_ray_fan_fits(scene, &fan, &ball, 1));
    ball.body = 2;
    fm_shape_place(&ball.shape, (double[3]){0, 41.1, 5}, (double[4]){1, 0, 0, 0});
    assert_true(fm_ray_fan_fits(scene, &fan, &ball, 1));
    fan.origin[0] = NAN;
    assert_false(fm_ray_fan_fits(scene, &fan, NULL, 0));
    fan = fan_at((double[3]){0, 0, 5}, (double[3]){0, 0, 0}, 40);
    fm_fan_echoes echoes;
    aim(6, 0); /* all around: no bundle */
    assert_false(fm_ray_fan_cast(scene, &fan, 0, FM_FAN_BLOCK, &echoes));
    fm_ray_scene_free(scene);
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

static void the_inverse_root_near_one_has_the_bits_of_root_and_division(void **state)
{
    (void)state;
    for (double square = 1 - 1e-13; square < 1 + 1e-13; square = nextafter(square, 2)) {
        double expected = 1 / sqrt(square), found = fm_fan_inverse_root(square);
        assert_memory_equal(&found, &expected, sizeof found);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fan_has_the_bits_of_its_rays),
        cmocka_unit_test(a_fan_is_refused_where_another_body_is_within_range),
        cmocka_unit_test(the_inverse_root_near_one_has_the_bits_of_root_and_division),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
