/* Bottoms from files, shear, layered water and wandering currents as vehicles feel them, and obstacles on tracks. */
#include "sensors/probe.h"

#include <png.h>
#include <tiffio.h>
#include <unistd.h>
#ifdef FM_HAVE_NETCDF
#include <netcdf.h>
#endif

#include "ocean/column.h"
#include "ocean/seawater.h"

/* --- bottoms from files: the plane 23 m + x/20 + y/40 on 9 × 9 points 10 m apart --- */

enum { SIDE = 9 };

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/fathom-sea-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"floor.png", "floor.tif", "floor.nc", "floor.obj", "floor.stl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

static double plane(double x, double y)
{
    return 23 + x / 20 + y / 40;
}

/* Straight down, slanted ahead, by the formula, and none beyond the edge. */
static void echoes_come_from_the_plane(const char *bottom, double tolerance)
{
    fm_world *world = start_probe(bottom, "position='7 -12 10 m'",
                                  "<echosounder/><echosounder name='formula' mode='formula'/><sonar half-angle='0 deg' "
                                  "rays='1' attitude='0 -45 0 deg' range='100 m'/>"
                                  "<echosounder name='beyond' position='100 0 0 m'/><bumper position='0 0 12 m' "
                                  "radius='0.1 m'/><bumper name='sunk' position='0 0 13 m' radius='0.1 m'/>");
    step(world, 1);
    double height = plane(7, -12) - 10;
    assert_near(range_of(world, "echosounder"), height, tolerance);
    assert_near(range_of(world, "formula"), height, tolerance);
    assert_near(range_of(world, "sonar"), height * sqrt(2) / 0.95, 2 * tolerance);
    assert_same(range_of(world, "beyond"), HUGE_VAL);
    assert_same(value_of(world, "bumper"), 0);
    assert_same(value_of(world, "sunk"), 1);
    finish(world);
}

/* A heavy ball falls on the plane and comes to lie a radius from it; it may roll. */
static void a_ball_comes_to_lie_on_the_plane(const char *bottom, double tolerance)
{
    char text[2048];
    fm_world *world;
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s' latitude='41 deg' longitude='-8 deg'>%s</world><vehicle "
             "name='ball' position='7 -12 21 m'>"
             "<mass mass='20 kg' inertia='0.5 0.5 0.5 kg*m2'/><buoyancy force='150 N'/><hull kind='sphere' size='0.8 "
             "0.8 0.8 m'/>"
             "<drag X_u_absu='-300 N*s2/m2' Y_v_absv='-300 N*s2/m2' Z_w_absw='-300 N*s2/m2'/></vehicle></fathom>",
             bottom);
    world = start(text);
    step(world, 50);
    assert_same(metric_of(world, 0, "contacts"), 0);
    step(world, 1950);
    fm_pose pose;
    fm_world_pose(world, 0, &pose);
    double upright = 1 / sqrt(1 + 1 / 400.0 + 1 / 1600.0);
    assert_near((plane(pose.position[0], pose.position[1]) - pose.position[2]) * upright, 0.4, tolerance + 1e-3);
    assert_at_least(metric_of(world, 0, "contacts"), 1);
    finish(world);
}

static void check_floor(const char *element, double tolerance)
{
    char bottom[512];
    snprintf(bottom, sizeof bottom, element, folder);
    echoes_come_from_the_plane(bottom, tolerance);
    a_ball_comes_to_lie_on_the_plane(bottom, tolerance);
}

static FILE *open_file(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    return file;
}

/* Grey 0 … 65535 is 0 … 65.535 m; north on top. */
static void a_png_makes_a_floor(void **state)
{
    (void)state;
    char path[128];
    FILE *file = open_file("floor.png", path);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, SIDE, SIDE, 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int i = 0; i < SIDE; i++) {
        unsigned char row[2 * SIDE];
        for (int j = 0; j < SIDE; j++) {
            long grey = lrint(1000 * plane(10 * (4 - i), 10 * (j - 4)));
            row[2 * j] = (unsigned char)(grey >> 8);
            row[2 * j + 1] = (unsigned char)(grey & 255);
        }
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
    check_floor(
        "<bottom><heightmap file='%s/floor.png' spacing='10 10 m' depth-black='0 m' depth-white='65.535 m'/></bottom>",
        1e-5);
}

/* Elevations in a projection in metres; the world's origin lies in the middle. */
static void a_geotiff_makes_a_floor(void **state)
{
    (void)state;
    static const TIFFFieldInfo fields[] = {
        {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)(uintptr_t) "ModelPixelScale"},
        {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)(uintptr_t) "ModelTiepoint"},
        {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, (char *)(uintptr_t) "GeoKeyDirectory"}};
    const double scale[3] = {10, 10, 0}, tie[6] = {0, 0, 0, 500000 - 45, 4000000 + 45, 0};
    const uint16_t keys[] = {1, 1, 0, 1, 1024, 0, 1, 1};
    char path[128];
    snprintf(path, sizeof path, "%s/floor.tif", folder);
    TIFF *tiff = TIFFOpen(path, "w");
    TIFFMergeFieldInfo(tiff, fields, 3);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, SIDE);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, SIDE);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, 32);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, 33550, 3, scale);
    TIFFSetField(tiff, 33922, 6, tie);
    TIFFSetField(tiff, 34735, 8, keys);
    TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, SIDE);
    for (int i = 0; i < SIDE; i++) {
        float row[SIDE];
        for (int j = 0; j < SIDE; j++)
            row[j] = (float)-plane(10 * (4 - i), 10 * (j - 4));
        TIFFWriteScanline(tiff, row, (uint32_t)i, 0);
    }
    TIFFClose(tiff);
    check_floor(
        "<bottom><heightmap file='%s/floor.tif' origin-northing='4000000 m' origin-easting='500000 m'/></bottom>",
        1e-5);
}

#ifdef FM_HAVE_NETCDF
/* Elevations over latitude and longitude about 41° N 8° W, on WGS 84. */
static void a_netcdf_grid_makes_a_floor(void **state)
{
    (void)state;
    double e2 = 6.69437999014e-3, s = sin(41 * DEGREE), w = sqrt(1 - e2 * s * s);
    double north = 6378137 * (1 - e2) / (w * w * w) * DEGREE,
           east = 6378137 / w * cos(41 * DEGREE) * DEGREE; /* m per degree */
    double lat[SIDE], lon[SIDE], values[SIDE * SIDE];
    for (int i = 0; i < SIDE; i++) {
        lat[i] = 41 + 10 * (i - 4) / north;
        lon[i] = -8 + 10 * (i - 4) / east;
        for (int j = 0; j < SIDE; j++)
            values[i * SIDE + j] = -plane(10 * (i - 4), 10 * (j - 4));
    }
    char path[128];
    int file, dimensions[2], latitude, longitude, grid;
    snprintf(path, sizeof path, "%s/floor.nc", folder);
    assert_int_equal(nc_create(path, NC_CLOBBER, &file), NC_NOERR);
    nc_def_dim(file, "lat", SIDE, &dimensions[0]);
    nc_def_dim(file, "lon", SIDE, &dimensions[1]);
    nc_def_var(file, "lat", NC_DOUBLE, 1, &dimensions[0], &latitude);
    nc_def_var(file, "lon", NC_DOUBLE, 1, &dimensions[1], &longitude);
    nc_def_var(file, "elevation", NC_DOUBLE, 2, dimensions, &grid);
    nc_enddef(file);
    nc_put_var_double(file, latitude, lat);
    nc_put_var_double(file, longitude, lon);
    nc_put_var_double(file, grid, values);
    nc_close(file);
    check_floor("<bottom><heightmap file='%s/floor.nc'/></bottom>", 1e-5);
}
#endif

static void meshes_make_floors(void **state)
{
    (void)state;
    char path[128];
    const double corner[4][2] = {{-40, -40}, {40, -40}, {40, 40}, {-40, 40}};
    FILE *file = open_file("floor.obj", path);
    for (int i = 0; i < 4; i++)
        fprintf(file, "v %g %g %.17g\n", corner[i][0], corner[i][1], plane(corner[i][0], corner[i][1]));
    fputs("f 1 2 3\nf 1 3 4\n", file);
    fclose(file);
    file = open_file("floor.stl", path);
    fputs("solid floor\n", file);
    for (int t = 0; t < 2; t++) {
        fputs("facet normal 0 0 0\nouter loop\n", file);
        for (int k = 0; k < 3; k++) { /* z up in this file */
            const double *at = corner[k ? k + t : 0];
            fprintf(file, "vertex %g %g %.17g\n", at[0], -at[1], -plane(at[0], at[1]));
        }
        fputs("endloop\nendfacet\n", file);
    }
    fputs("endsolid floor\n", file);
    fclose(file);
    check_floor("<bottom><mesh file='%s/floor.obj'/></bottom>", 1e-5);
    check_floor("<bottom><mesh file='%s/floor.stl' attitude='180 0 0 deg'/></bottom>", 1e-5);
}

/* --- shear --- */

#define SLENDER                                                                                                        \
    "<mass mass='200 kg' inertia='5 300 300 kg*m2'/><buoyancy force='1961.33 N'/><added-mass-matrix linear='0 0 0 "    \
    "kg' angular='0 0 0 kg*m2'/>"                                                                                      \
    "<cross-flow x='-2 0 2 m' height='0.4 0.4 0.4 m' breadth='0.3 0.3 0.3 m' cdy='1.1' cdz='0.9'/>"

/* The core of a Rankine vortex turns like a solid, Ω = Γ/(2π a²). A hull at rest in its middle meets Ω x across:
 * N = ½ρ C_dy h (Ω − r)² L⁴/32 = K (Ω − r)², so Ω − r = Ω/(1 + K Ω t/I). */
static void water_that_turns_turns_a_slender_hull(void **state)
{
    (void)state;
    double omega = 0.3, core = 50, K = 0.5 * 1025 * 1.1 * 0.4 * 256 / 32;
    char text[1024];
    fm_world *world;
    snprintf(text, sizeof text,
             "<fathom version='1'><world dt='0.01 s'><current><vortex model='rankine' centre='0 0 0 m' "
             "circulation='%.17g m2/s' core='%g m'/></current></world>"
             "<vehicle name='probe' integrator='rk4' position='0 0 10 m' attitude='0 0 70 deg'>" SLENDER
             "</vehicle></fathom>",
             2 * FM_PI * core * core * omega, core);
    world = start(text);
    for (int i = 1; i <= 10; i++) {
        fm_pose pose;
        step(world, 100);
        fm_world_pose(world, 0, &pose);
        assert_near(pose.velocity[5], omega - omega / (1 + K * omega * i / 300), 1e-6);
        assert_near(pose.velocity[0], 0, 1e-9);
        assert_near(pose.velocity[1], 0, 1e-9);
    }
    finish(world);
}

/* Nose down in a current that grows with depth by G: deeper water pushes the nose north, q̇ = ½ρ C_dz b (G − q)² L⁴/32 /
 * I = K (G − q)² while it has hardly turned, so q = G − G/(1 + K G t). */
static void shear_over_depth_turns_a_hull_that_stands_on_its_nose(void **state)
{
    (void)state;
    double shear = 0.2, K = 0.5 * 1025 * 0.9 * 0.3 * 256 / 32 / 300;
    fm_world *world;
    world =
        start("<fathom version='1'><world dt='0.001 s'><current><layers depth='0 10 20 m' north='-2 0 2 m/s' east='0 0 "
              "0 m/s'/></current></world>"
              "<vehicle name='probe' integrator='rk4' position='0 0 10 m' attitude='0 -90 0 deg'>" SLENDER
              "</vehicle></fathom>");
    fm_pose pose;
    step(world, 10);
    fm_world_pose(world, 0, &pose);
    assert_near(pose.velocity[4], shear - shear / (1 + K * shear * 0.01), 1e-8);
    finish(world);
}

/* --- water --- */

/* Fresh water over salt water: the hull comes to rest where ρ(z)/1025 B = W. */
static void a_hull_floats_between_layers_where_the_density_is_its_own(void **state)
{
    (void)state;
    fm_world *world;
    world = start("<fathom version='1'><world dt='0.02 s' latitude='41 deg'><water density='1025 kg/m3' "
                  "stratified='true'><temperature surface='10 degC' slope1='0 K/m' slope2='0 K/m'/>"
                  "<salinity surface='10' z1='5 m' z2='45 m' slope1='0.5 1/m' slope2='0 1/m'/></water></world>"
                  "<vehicle name='probe' position='0 0 10 m'><mass mass='100 kg' inertia='10 10 10 kg*m2'/><buoyancy "
                  "force='990 N'/>"
                  "<drag Z_w='-60 N*s/m'/></vehicle></fathom>");
    step(world, 60000);
    fm_pose pose;
    fm_world_pose(world, 0, &pose);
    double density = 1025 * 980.665 / 990, low = 5, high = 45; /* about 1015.3 kg/m³ */
    for (int i = 0; i < 60; i++) {
        double z = (low + high) / 2, p = fm_pressure_from_depth(z, 41 * DEGREE);
        if (fm_seawater_density(10 + 0.5 * (z - 5), 10, p) < density)
            low = z;
        else
            high = z;
    }
    assert_between(6, low, 44);
    assert_near(pose.position[2], low, 0.01);
    assert_near(pose.velocity[2], 0, 1e-4);
    finish(world);
}

/* The current is what the log reads, with the speed over ground that the current's acceleration gives the body.
 * Variance σ², correlation e^(−τ/T). */
static void a_wandering_current_has_its_variance_and_correlation(void **state)
{
    (void)state;
    enum { TICKS = 40000, LAG = 5 };
    static double u[TICKS];
    fm_world *world;
    world = start("<fathom version='1'><world dt='1 s' seed='3'><current velocity='0.4 0 0 m/s'><gauss-markov "
                  "deviation='0.2 0.1 0 m/s' time='5 s'/></current></world>"
                  "<vehicle name='probe' position='0 0 10 m'>" PROBE_BODY "<speed-log/></vehicle></fathom>");
    double mean = 0, variance = 0, lagged = 0;
    for (int i = 0; i < TICKS; i++) {
        double north = pose_of(world, 0).velocity[0];
        step(world, 1);
        u[i] = north - value_of(world, "speed-log");
        mean += u[i] / TICKS;
    }
    for (int i = 0; i < TICKS; i++) {
        variance += (u[i] - mean) * (u[i] - mean) / TICKS;
        lagged += i >= LAG ? (u[i] - mean) * (u[i - LAG] - mean) / TICKS : 0;
    }
    assert_near(mean, 0.4, 4 * 0.2 * sqrt(2 * 5.0 / TICKS));
    assert_near(variance, 0.04, 4 * 0.04 * sqrt(2 * 5.0 / TICKS));
    assert_near(lagged / variance, exp(-1), 0.06);
    finish(world);
}

/* --- obstacles on tracks --- */

/* Something on a track cannot be stopped: a hull at rest leaves at (1 + e) times its speed. */
static fm_world *start_seeded(const fm_model *model, uint64_t seed)
{
    fm_error error = {0};
    fm_world *world = fm_world_create(model, &(fm_world_options){.seeded = 1, .seed = seed}, &error);
    if (!world)
        fail_msg("%s", error.text);
    return world;
}

/* A float rides on the waves of its seed; a world that takes over a saved state takes over its waves. */
static void a_seed_makes_its_own_waves_also_when_they_are_restored(void **state)
{
    (void)state;
    fm_model *model = load("<fathom version='1'><world dt='0.05 s'><waves><jonswap height='1 m' period='6 s'/></waves>"
                           "</world><vehicle name='v' model='lauv' position='0 0 2 m'/></fathom>");
    fm_world *a = start_seeded(model, 11), *b = start_seeded(model, 12);
    step(a, 100);
    step(b, 100);
    assert_greater(fabs(pose_of(a, 0).position[0] - pose_of(b, 0).position[0]), 1e-4);
    void *saved = malloc(fm_world_state_size(a));
    assert_non_null(saved);
    assert_int_equal(fm_world_save(a, saved, fm_world_state_size(a), NULL), FM_OK);
    assert_int_equal(fm_world_restore(b, saved, fm_world_state_size(b), NULL), FM_OK);
    step(a, 100);
    step(b, 100);
    assert_same(fm_world_hash(a), fm_world_hash(b));
    free(saved);
    fm_world_free(b);
    finish(a);
}

/* Steps of 0.1 s are the same whether they are one tick of the world or five. */
static void a_vehicle_that_steps_every_fifth_tick_meets_the_waves_of_its_own_time(void **state)
{
    (void)state;
    static const char *const forms[2] = {"<world dt='0.1 s'>", "<world dt='0.02 s'>"};
    fm_pose pose[2];
    for (int i = 0; i < 2; i++) {
        char text[1024];
        snprintf(text, sizeof text,
                 "<fathom version='1'>%s<waves><wave amplitude='0.5 m' period='4 s'/></waves></world><vehicle name='v' "
                 "model='lauv' integrator='rk4' position='0 0 3 m' period='0.1 s'/></fathom>",
                 forms[i]);
        fm_world *world = start(text);
        run_until(world, 10);
        pose[i] = pose_of(world, 0);
        finish(world);
    }
    assert_greater(fabs(pose[0].velocity[2]), 0.01);
    for (int k = 0; k < 3; k++) {
        assert_nearer(pose[0].position[k], pose[1].position[k], 1e-9);
        assert_nearer(pose[0].velocity[k], pose[1].velocity[k], 1e-9);
    }
}

/* Deep water: k = ω²/g; a sinusoid of a k above 0.45 is steeper than the steepest wave of Stokes, H/λ = 0.142. */
static void a_wave_that_breaks_is_refused_with_the_amplitude_from_which_it_does(void **state)
{
    (void)state;
    const double k = pow(2 * 3.14159265358979 / 4, 2) / 9.80665;
    for (int i = 0; i < 2; i++) {
        char text[512];
        fm_error error = {0};
        snprintf(text, sizeof text,
                 "<fathom version='1'><world><waves>\n<wave amplitude='%.6g m' period='4 s'/></waves></world></fathom>",
                 (i ? 1.01 : 0.99) * 0.45 / k);
        fm_model *model = try_load(text, &error);
        assert_int_equal(error.status, i ? FM_ERR_MODEL : FM_OK);
        assert_int_equal(error.line, i ? 2 : 0);
        if (i)
            assert_non_null(strstr(error.text, "breaks above an amplitude of 1.79 m"));
        fm_model_free(model);
    }
}

static void a_moving_obstacle_pushes_what_it_strikes(void **state)
{
    (void)state;
    static const char *const obstacles[2] = {"<sphere name='ball' position='5 0 10 m' radius='1 m'><track t='0 10 s' "
                                             "x='5 -5 m' y='0 0 m' z='10 10 m'/></sphere>",
                                             "<column name='pile' position='5 0 8 m' radius='1 m' height='4 m'><track "
                                             "t='0 10 s' x='5 -5 m' y='0 0 m' z='8 8 m'/></column>"};
    for (int i = 0; i < 2; i++) {
        fm_world *world = start_probe(
            obstacles[i], "position='0 0 10 m'",
            "<hull kind='sphere' size='1 1 1 m'/><contact restitution='0.5' friction='0' clearance='true'/>");
        step(world, 345); /* they meet at 3.5 s */
        assert_same(metric_of(world, 0, "contacts"), 0);
        assert_near(metric_of(world, 0, "min_clearance"), 0.05, 1e-6);
        step(world, 155);
        fm_pose pose;
        fm_world_pose(world, 0, &pose);
        assert_same(metric_of(world, 0, "contacts"), 1);
        assert_near(pose.velocity[0], -1.5, 1e-3);
        assert_near(pose.position[0], -1.5 * 1.5, 0.03);
        finish(world);
    }
}

static void a_fast_thin_obstacle_does_not_pass_through_a_hull(void **state)
{
    (void)state;
    fm_world *world = start_probe(
        "<box name='blade' position='5.05 0 10 m' size='0.02 4 4 m'><track t='0 0.1 s' x='5.05 -14.95 m' "
        "y='0 0 m' z='10 10 m'/></box>",
        "position='0 0 10 m'", "<hull kind='sphere' size='1 1 1 m'/><contact restitution='0' friction='0'/>");
    step(world, 5); /* 2 m a step */
    fm_pose pose;
    fm_world_pose(world, 0, &pose);
    assert_at_least(metric_of(world, 0, "contacts"), 1);
    assert_near(pose.velocity[0], -200, 1);
    finish(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_png_makes_a_floor),
        cmocka_unit_test(a_geotiff_makes_a_floor),
#ifdef FM_HAVE_NETCDF
        cmocka_unit_test(a_netcdf_grid_makes_a_floor),
#endif
        cmocka_unit_test(meshes_make_floors),
        cmocka_unit_test(water_that_turns_turns_a_slender_hull),
        cmocka_unit_test(shear_over_depth_turns_a_hull_that_stands_on_its_nose),
        cmocka_unit_test(a_hull_floats_between_layers_where_the_density_is_its_own),
        cmocka_unit_test(a_wandering_current_has_its_variance_and_correlation),
        cmocka_unit_test(a_seed_makes_its_own_waves_also_when_they_are_restored),
        cmocka_unit_test(a_vehicle_that_steps_every_fifth_tick_meets_the_waves_of_its_own_time),
        cmocka_unit_test(a_wave_that_breaks_is_refused_with_the_amplitude_from_which_it_does),
        cmocka_unit_test(a_moving_obstacle_pushes_what_it_strikes),
        cmocka_unit_test(a_fast_thin_obstacle_does_not_pass_through_a_hull)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
