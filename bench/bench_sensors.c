/* The speed of rays: a sonar over a large floor compared with bare Embree, and a camera. */
#include <math.h>
#include <stdio.h>

#include "bench.h"
#include "environment/environment.h"
#include "sensors/camera.h"
#include "sensors/echo_image.h"

enum {
    SIDE = 1001,
    BEAMS = 512,
    BEAMS_MOST = 4096,
    FAN_MOST = 8,
    RAYS_MOST = BEAMS * FAN_MOST,
    BINS = 256,
    WIDTH = 640,
    HEIGHT = 480
};

/* A hilly floor of 2 million triangles, 1 m apart, around 30 m deep. */
static int make_floor(fm_environment *e, fm_error *error)
{
    if (fm_heightmap_create(SIDE, SIDE, &e->map, error) != FM_OK)
        return 0;
    e->map.north = e->map.east = -(SIDE - 1) / 2;
    e->map.north_step = e->map.east_step = 1;
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++)
            e->map.depth[i * SIDE + k] = 30 + 3 * sin(i * 0.11) * cos(k * 0.07) + sin(i * 0.9 + k * 1.3);
    if (fm_heightmap_mesh(&e->map, &e->floor, error) != FM_OK)
        return 0;
    fm_ray_mesh mesh = {.mesh = &e->floor, .body = FM_BODY_BOTTOM};
    e->scene = fm_ray_scene_create(&(fm_ray_static){.meshes = &mesh, .mesh_count = 1}, error);
    return e->scene != NULL;
}

/* Best times of a sonar of `fan` rays per beam and of bare Embree on the same rays, measured alternately. */
static void race_sonar(bench_report *report, fm_part_context *context, int beams, int fan, bench_result *result,
                       fm_error *error)
{
    static uint8_t image[BEAMS_MOST * BINS];
    static double origin[RAYS_MOST][3], direction[RAYS_MOST][3];
    fm_echo_config c = {.gain = 1,
                        .range = 120,
                        .beams = beams,
                        .bins = BINS,
                        .rays = fan,
                        .sector = 2.1,
                        .tilt = 0.6,
                        .beam_height = 0.3,
                        .directions = direction};
    int rays = beams * fan;
    fm_instrument_pose at = {.position = {0.3, 0.2, 10}, .rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    fm_echo_aim(&c);
    for (int i = 0; i < rays; i++)
        for (int k = 0; k < 3; k++)
            origin[i][k] = at.position[k];
    context->config = context->live = &c;
    fm_rays_bare *bare = fm_rays_bare_create(context->environment->scene, (size_t)rays, (const double(*)[3])origin,
                                             (const double(*)[3])direction, error);
    double sonar = INFINITY, embree = INFINITY, end = bench_now() + report->seconds;
    do {
        double t0 = bench_now();
        fm_echo_cast(context, &at, image);
        double t1 = bench_now();
        if (bare)
            fm_rays_bare_cast(bare);
        double t2 = bench_now();
        sonar = fmin(sonar, t1 - t0);
        embree = bare ? fmin(embree, t2 - t1) : NAN;
    } while (bench_now() < end);
    fm_rays_bare_free(bare);
    result->steps_per_s = rays / sonar;
    result->ratio = embree / sonar;
}

static void time_camera(bench_report *report, fm_part_context *context, bench_result *result)
{
    static uint8_t image[3 * WIDTH * HEIGHT];
    fm_camera_config c = {.exposure = 1,
                          .width = WIDTH,
                          .height = HEIGHT,
                          .field_of_view = 1.05,
                          .range = 60,
                          .attenuation = {0.35, 0.08, 0.06},
                          .downwelling = {0.2, 0.035, 0.025},
                          .water = {0.1, 0.42, 0.5},
                          .sun = {0, 0, -1},
                          .ambient = 0.45,
                          .texture = 0.35};
    fm_instrument_pose at = {.position = {0.3, 0.2, 22}};
    double down[3] = {0, -0.35, 0}, best = INFINITY, end = bench_now() + report->seconds;
    fm_euler_matrix(down, at.rotation);
    context->config = context->live = &c;
    do {
        double t0 = bench_now();
        fm_camera_draw(context, &c, &at, image);
        best = fmin(best, bench_now() - t0);
    } while (bench_now() < end);
    result->steps_per_s = 1 / best;
}

/* The floor and its queries. */
static void above_floor(bench_report *report, void (*ask)(bench_report *report, fm_part_context *context, void *user),
                        void *user)
{
    fm_environment e = {.column = fm_water_column_default()};
    fm_material ground = {.reflectivity = 0.5, .colour = {0.55, 0.5, 0.42}};
    fm_bodies none = {0};
    fm_error error = {0};
    e.materials = &ground;
    e.material_count = 1;
    fm_part_context context = {.environment = &e, .bodies = &none, .slot = -1};
    if (make_floor(&e, &error)) {
        ask(report, &context, user);
    } else {
        fprintf(stderr, "fathom bench: %s\n", error.text);
        report->failed = 1;
    }
    fm_environment_free(&e);
}

static void ask_sensors(bench_report *report, fm_part_context *context, void *user)
{
    bench_result **results = user;
    fm_error error = {0};
    if (results[0])
        race_sonar(report, context, BEAMS, 1, results[0], &error);
    if (results[1])
        race_sonar(report, context, BEAMS, FAN_MOST, results[1], &error);
    if (results[2])
        time_camera(report, context, results[2]);
}

void bench_sensors(bench_report *report)
{
    bench_result *results[] = {bench_begin(report, "sonar/512-beams/2M-triangles"),
                               bench_begin(report, "sonar/512-beams-8-rays/2M-triangles"),
                               bench_begin(report, "camera/640x480/2M-triangles")};
    if (results[0] || results[1] || results[2])
        above_floor(report, ask_sensors, results);
}

static const int beam_counts[] = {16, 64, 256, 1024, 4096};
enum { BEAM_COUNTS = sizeof beam_counts / sizeof *beam_counts };

/* A step is a ping. */
static void ask_beams(bench_report *report, fm_part_context *context, void *user)
{
    bench_result **results = user;
    fm_error error = {0};
    for (size_t i = 0; i < BEAM_COUNTS; i++)
        if (results[i]) {
            race_sonar(report, context, beam_counts[i], 1, results[i], &error);
            results[i]->steps_per_s /= beam_counts[i];
        }
}

void bench_beam_sizes(bench_report *report)
{
    bench_result *results[BEAM_COUNTS];
    bool any = false;
    for (size_t i = 0; i < BEAM_COUNTS; i++)
        any |= (results[i] = bench_begin(report, "sizes/beams/%d", beam_counts[i])) != NULL;
    if (any)
        above_floor(report, ask_beams, results);
}
