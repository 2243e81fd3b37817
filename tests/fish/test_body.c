/* The body built from traverse points: closed forms for an ellipsoid-like shape, the default fish's measures, skinning.
 */
#include "support/cmocka_all.h"

#include <math.h>
#include <png.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "fish/body.h"
#include "fish/preset.h"

static void the_default_fish_has_the_stated_volume_and_wetted_area(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_measures m;
    fm_error error;
    assert_int_equal(fm_fish_shape_measure(&shape, &m, &error), FM_OK);
    assert_nearer(m.volume / 6.591008970453396e-4, 1, 0.003);
    assert_nearer(m.wetted_area / 0.06059004729686285, 1, 0.003);
    assert_nearer(m.centre, 0.1514, 0.004);
    assert_nearer(m.head_box[2], 0.080, 1e-3);
    assert_nearer(m.head_box[1], 0.055, 1e-3);
    assert_nearer(m.head_box[0], 0.16, 1e-12);
    assert_nearer(m.tail_box[1], 0.100, 1e-6);
    assert_between(5e-4, m.fin_area[1], 3e-3);
    assert_nearer(m.fin_area[1], m.fin_area[2], 1e-15);
}

static void scaling_the_points_scales_the_volume_by_the_cube(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_measures a, b;
    fm_error error;
    fm_fish_shape_measure(&shape, &a, &error);
    fm_fish_shape_scale(&shape, 2.5);
    assert_int_equal(fm_fish_shape_measure(&shape, &b, &error), FM_OK);
    assert_nearer(b.volume / a.volume, 15.625, 1e-9);
    assert_nearer(b.wetted_area / a.wetted_area, 6.25, 1e-9);
    assert_nearer(b.head_box[0] / a.head_box[0], 2.5, 1e-12);
}

static void six_points_on_an_ellipse_give_the_ellipse(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    for (int i = 0; i < FM_FISH_SECTIONS; i++)
        shape.section[i] = fm_fish_section_ellipse(shape.section[i].x, 0.08, 0.05);
    fm_fish_mesh mesh;
    fm_error error;
    assert_int_equal(fm_fish_mesh_build(&mesh, &shape, 20, 24, &error), FM_OK);
    size_t skin = 0;
    for (uint32_t i = 0; i < 3 * mesh.trunk_triangles; i++) {
        const double *p = mesh.position + 3 * (size_t)mesh.index[i];
        if (hypot(p[1], p[2]) < 1e-9) /* where a cap closes */
            continue;
        assert_nearer(p[1] * p[1] / (0.025 * 0.025) + p[2] * p[2] / (0.04 * 0.04), 1, 1e-12);
        skin++;
    }
    assert_at_least(skin, 1000);
    fm_fish_mesh_free(&mesh);
}

/* An elliptic cylinder: volume pi a b L, area girth L + 2 pi a b. */
static void an_elliptic_cylinder_has_its_closed_form_volume_and_area(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    for (int i = 0; i < FM_FISH_SECTIONS; i++)
        shape.section[i] = fm_fish_section_ellipse(shape.section[i].x, 0.08, 0.05);
    fm_fish_measures m;
    fm_error error;
    assert_int_equal(fm_fish_shape_measure(&shape, &m, &error), FM_OK);
    double section = FM_PI * 0.04 * 0.025;
    assert_nearer(m.volume / (section * 0.4), 1, 1e-3);
    assert_nearer(m.wetted_area / (fm_fish_ellipse_girth(0.08, 0.05) * 0.4 + 2 * section), 1, 1e-3);
    assert_nearer(m.centre, 0.2, 1e-9);
}

static void stations_follow_the_sections(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_station s[81];
    fm_fish_shape_stations(&shape, s, 81);
    assert_nearer(s[80].height, 0.1, 1e-12);
    assert_nearer(s[80].x, 0.4, 1e-12);
    for (int i = 0; i < 81; i++) {
        assert_between(0, s[i].height, 0.1001);
        assert_between(0, s[i].width, 0.0551);
    }
}

/* Every edge of the closed trunk is shared by two triangles: Euler's number of a sphere, and outward normals. */
static void the_trunk_is_closed_and_its_normals_point_outwards(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_mesh m;
    fm_error error;
    assert_int_equal(fm_fish_mesh_build(&m, &shape, 41, 24, &error), FM_OK);
    double sum[3] = {0};
    for (uint32_t t = 0; t < m.trunk_triangles; t++) {
        const uint32_t *i = m.index + 3 * t;
        const double *a = m.position + 3 * i[0], *b = m.position + 3 * i[1], *c = m.position + 3 * i[2];
        sum[0] += (b[1] - a[1]) * (c[2] - a[2]) - (b[2] - a[2]) * (c[1] - a[1]);
        sum[1] += (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
        sum[2] += (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    }
    for (int c = 0; c < 3; c++)
        assert_nearer(sum[c], 0, 1e-15);        /* a closed surface has no net area vector */
    for (uint32_t i = 5 * 25; i < 36 * 25; i++) /* trunk, away from the caps */
        assert_greater(m.normal[3 * i + 1] * m.position[3 * i + 1] + m.normal[3 * i + 2] * m.position[3 * i + 2], 0);
    fm_fish_mesh_free(&m);
}

static void a_straight_fish_is_not_bent(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_mesh m;
    fm_error error;
    assert_int_equal(fm_fish_mesh_build(&m, &shape, 41, 16, &error), FM_OK);
    double *p = malloc(m.vertices * 3 * sizeof *p), *n = malloc(m.vertices * 3 * sizeof *n), none[4] = {0};
    fm_fish_mesh_bend(&m, &shape, none, p, n);
    for (uint32_t i = 0; i < 3 * m.vertices; i++)
        assert_nearer(p[i], m.position[i], 1e-12);
    free(p);
    free(n);
    fm_fish_mesh_free(&m);
}

static void the_bent_tail_ends_where_the_joint_chain_ends(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_mesh m, bent;
    fm_error error;
    assert_int_equal(fm_fish_mesh_build(&m, &shape, 161, 32, &error), FM_OK);
    bent = m;
    bent.position = malloc(m.vertices * 3 * sizeof(double));
    bent.normal = malloc(m.vertices * 3 * sizeof(double));
    double angle[4] = {-0.3, -0.2, 0.1, 0.15}, x[5], y[5], v0, v1, a0, a1, c[3];
    fm_fish_mesh_bend(&m, &shape, angle, bent.position, bent.normal);
    fm_fish_chain(&shape.tail, angle, x, y);
    uint32_t cap = m.vertices - 1; /* the tail's cap comes before the fins */
    for (uint32_t i = 0; i < m.vertices; i++)
        if (fabs(m.position[3 * i] + 0.24) < 1e-9 && fabs(m.position[3 * i + 1]) < 1e-9 &&
            fabs(m.position[3 * i + 2]) < 1e-9)
            cap = i;
    assert_less(hypot(bent.position[3 * cap] - x[4], bent.position[3 * cap + 1] - y[4]), 1e-9);
    fm_fish_mesh_measure(&m, &v0, &a0, c);
    fm_fish_mesh_measure(&bent, &v1, &a1, c);
    assert_nearer(v1 / v0, 1, 0.01);
    assert_nearer(a1 / a0, 1, 0.02);
    free(bent.position);
    free(bent.normal);
    fm_fish_mesh_free(&m);
}

static char *read_all(const char *path)
{
    FILE *in = fopen(path, "rb");
    assert_non_null(in);
    char *text = calloc(1, 4 << 20);
    assert_greater(fread(text, 1, (4 << 20) - 1, in), 0);
    fclose(in);
    return text;
}

static void the_exported_files_hold_the_mesh(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_mesh m;
    fm_error error = {0};
    assert_int_equal(fm_fish_mesh_build(&m, &shape, 41, 16, &error), FM_OK);
    assert_int_equal(fm_fish_save_obj(&m, "fish_body_test.obj", "fish_body_test.png", &error), FM_OK);
    assert_int_equal(fm_fish_save_gltf(&m, "fish_body_test.gltf", &error), FM_OK);
    char *obj = read_all("fish_body_test.obj"), *gltf = read_all("fish_body_test.gltf");
    unsigned vertices = 0, faces = 0;
    for (const char *l = obj; l; l = strchr(l, '\n') ? strchr(l, '\n') + 1 : NULL) {
        vertices += strncmp(l, "v ", 2) == 0;
        faces += strncmp(l, "f ", 2) == 0;
    }
    assert_int_equal(vertices, m.vertices);
    assert_int_equal(faces, m.triangles);
    char count[64];
    snprintf(count, sizeof count, "\"byteLength\":%u,\"uri\"", 32 * m.vertices + 12 * m.triangles);
    assert_non_null(strstr(gltf, count));
    assert_non_null(strstr(gltf, "\"version\":\"2.0\""));
    free(obj);
    free(gltf);
    unlink("fish_body_test.obj");
    unlink("fish_body_test.mtl");
    unlink("fish_body_test.gltf");
    fm_fish_mesh_free(&m);
    assert_int_equal(fm_alloc_live(), 0);
}

static void the_skin_is_a_png_darker_on_the_back(void **state)
{
    (void)state;
    uint8_t *png = NULL;
    size_t size = 0;
    fm_error error;
    assert_int_equal(fm_fish_texture(&png, &size, 64, 32, &error), FM_OK);
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_memory(&image, png, size));
    image.format = PNG_FORMAT_RGB;
    uint8_t pixel[64 * 32 * 3];
    assert_true(png_image_finish_read(&image, NULL, pixel, 0, NULL));
    assert_same(image.width, 64);
    assert_same(image.height, 32);
    long back = 0, belly = 0;
    for (int i = 0; i < 64 * 3; i++) {
        back += pixel[i];
        belly += pixel[16 * 64 * 3 + i];
    }
    assert_less(back, belly);
    fm_free(png);
}

static void crossed_sections_are_refused(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_error error = {0};
    shape.section[4].x = 0.1;
    assert_int_equal(fm_fish_shape_check(&shape, &error), FM_ERR_MODEL);
    assert_non_null(strstr(error.text, "section 5"));
    shape = fm_fish_shape_preset();
    shape.section[2].point[1][0] = NAN;
    assert_int_equal(fm_fish_shape_check(&shape, &error), FM_ERR_RANGE);
    shape = fm_fish_shape_preset();
    shape.section[7].x = 0.5;
    assert_int_equal(fm_fish_shape_check(&shape, &error), FM_ERR_MODEL);
}

static void building_survives_failed_allocations(void **state)
{
    (void)state;
    fm_fish_shape shape = fm_fish_shape_preset();
    fm_fish_mesh m;
    fm_error error;
    for (long k = 0; k < 4; k++) {
        fm_alloc_fail_after(k);
        assert_int_equal(fm_fish_mesh_build(&m, &shape, 16, 8, &error), FM_ERR_MEMORY);
        fm_alloc_fail_after(-1);
        assert_int_equal(fm_alloc_live(), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_default_fish_has_the_stated_volume_and_wetted_area),
        cmocka_unit_test(scaling_the_points_scales_the_volume_by_the_cube),
        cmocka_unit_test(six_points_on_an_ellipse_give_the_ellipse),
        cmocka_unit_test(an_elliptic_cylinder_has_its_closed_form_volume_and_area),
        cmocka_unit_test(stations_follow_the_sections),
        cmocka_unit_test(the_trunk_is_closed_and_its_normals_point_outwards),
        cmocka_unit_test(a_straight_fish_is_not_bent),
        cmocka_unit_test(the_bent_tail_ends_where_the_joint_chain_ends),
        cmocka_unit_test(the_exported_files_hold_the_mesh),
        cmocka_unit_test(the_skin_is_a_png_darker_on_the_back),
        cmocka_unit_test(crossed_sections_are_refused),
        cmocka_unit_test(building_survives_failed_allocations),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
