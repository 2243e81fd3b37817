#include "support/cmocka_all.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/outfile.h"
#include "geometry/mesh.h"
#include "mesh_shapes.h"

/* m³ inside a closed mesh, positive for outward triangles, after Gauss. */
static double volume_of(const fm_mesh *mesh)
{
    double six = 0; /* Σ a · (b × c) over the triangles */
    for (size_t i = 0; i < mesh->triangle_count; i++) {
        const uint32_t *t = mesh->triangles[i];
        six += fm_d3_dot(fm_d3_of(mesh->vertices[t[0]]),
                         fm_d3_cross(fm_d3_of(mesh->vertices[t[1]]), fm_d3_of(mesh->vertices[t[2]])));
    }
    return six / 6;
}

static void write_lines(FILE *file, const fm_mesh *mesh)
{
    for (size_t i = 0; i < mesh->vertex_count; i++)
        fprintf(file, "v %.17g %.17g %.17g\n", mesh->vertices[i][0], mesh->vertices[i][1], mesh->vertices[i][2]);
    for (size_t i = 0; i < mesh->triangle_count; i++)
        fprintf(file, "f %u %u %u\n", mesh->triangles[i][0] + 1, mesh->triangles[i][1] + 1, mesh->triangles[i][2] + 1);
}

static fm_status write_obj(const char *path, const fm_mesh *mesh)
{
    fm_outfile output;
    fm_status status = fm_outfile_open(&output, path, NULL);
    if (status != FM_OK)
        return status;
    write_lines(output.file, mesh);
    return fm_outfile_close(&output, NULL);
}

static fm_status parse_obj(const char *text, fm_mesh *mesh, fm_error *error)
{
    return fm_mesh_parse_obj("a.obj", text, strlen(text), mesh, error);
}

static void assert_refused(fm_status got, fm_status wanted, const fm_error *error, int line, const char *part)
{
    if (got != wanted || error->line != line || !strstr(error->text, part))
        fail_msg("status %d line %d: %s (wanted %d, line %d, '%s')", got, error->line, error->text, wanted, line, part);
}

static void an_obj_square_becomes_two_triangles(void **state)
{
    (void)state;
    fm_mesh mesh;
    fm_error error = {0};
    assert_int_equal(parse_obj("# a square\nv 0 0 0\nv 2 0 0 1.0\nv 2 2 0\r\nv 0 2 0\nvn 0 0 1\ng x\n"
                               "f 1/1/1 2//1 3 \\\n -1 # fan\n",
                               &mesh, &error),
                     FM_OK);
    assert_int_equal(mesh.vertex_count, 4);
    assert_int_equal(mesh.triangle_count, 2);
    assert_int_equal(mesh.triangles[1][2], 3);
    assert_same(mesh.vertices[2][0], 2);
    fm_mesh_free(&mesh);
}

static void triangles_without_area_are_dropped_and_counted(void **state)
{
    (void)state;
    fm_mesh mesh;
    assert_int_equal(parse_obj("v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\nf 1 2 3\nf 1 1 2\nf 1 2 4\n", &mesh, NULL), FM_OK);
    assert_int_equal(mesh.triangle_count, 1);
    assert_int_equal(mesh.degenerate_count, 2);
    fm_mesh_free(&mesh);
}

static void malformed_obj_files_are_refused_with_the_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        fm_status status;
        int line;
        const char *part;
    } cases[] = {
        {"v 0 0\n", FM_ERR_SYNTAX, 1, "end of the line"},
        {"v 0 0 0\nv 1 x 0\n", FM_ERR_SYNTAX, 2, "'x'"},
        {"v nan 0 0\n", FM_ERR_SYNTAX, 1, "'nan'"},
        {"v inf 0 0\n", FM_ERR_SYNTAX, 1, "'inf'"},
        {"v 1e999 0 0\n", FM_ERR_SYNTAX, 1, "1e999"},
        {"v 0x10 0 0\n", FM_ERR_SYNTAX, 1, "0x10"},
        {"v 1e9 0 0\n", FM_ERR_RANGE, 1, "within"},
        {"v 0 0 0\nf 1 2 3\n", FM_ERR_RANGE, 2, "vertex 2 is out of range"},
        {"v 0 0 0\nf 0 1 1\n", FM_ERR_RANGE, 2, "vertex 0 is out of range"},
        {"v 0 0 0\nf -2 1 1\n", FM_ERR_RANGE, 2, "vertex -2 is out of range"},
        {"v 0 0 0\nf 1 1\n", FM_ERR_SYNTAX, 2, "2 corners given"},
        {"v 0 0 0\nf 1 a 1\n", FM_ERR_SYNTAX, 2, "'a'"},
        {"\nhello\n", FM_ERR_SYNTAX, 2, "'hello'"},
        {"\x89PNG\n", FM_ERR_SYNTAX, 1, "'?PNG'"},
        {"", FM_ERR_MODEL, 0, "no triangle"},
    };
    long before = fm_alloc_live();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fm_mesh mesh;
        fm_error error = {0};
        fm_status status = parse_obj(cases[i].text, &mesh, &error);
        assert_refused(status, cases[i].status, &error, cases[i].line, cases[i].part);
        assert_string_equal(error.file, "a.obj");
        assert_null(mesh.vertices);
    }
    assert_int_equal(fm_alloc_live(), before);
}

static const char ASCII_STL[] =
    "solid name of it\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 1 0 0\n"
    "   vertex 0 1 0\n  endloop\n endfacet\n facet normal 0 0 1\n  outer loop\n   vertex 1 0 0\n"
    "   vertex 1 1 0\n   vertex 0 1 0\n  endloop\n endfacet\nendsolid name of it\n";

static void ascii_stl_corners_become_shared_vertices(void **state)
{
    (void)state;
    fm_mesh mesh;
    assert_int_equal(fm_mesh_parse_stl("a.stl", ASCII_STL, strlen(ASCII_STL), &mesh, NULL), FM_OK);
    assert_int_equal(mesh.triangle_count, 2);
    assert_int_equal(mesh.vertex_count, 4);
    fm_mesh_free(&mesh);
}

static size_t binary_stl(unsigned char *out, uint32_t triangles, const char *header)
{
    memset(out, 0, 84 + 50 * (size_t)triangles);
    memcpy(out, header, strlen(header));
    memcpy(out + 80, &triangles, 4);
    for (uint32_t i = 0; i < triangles; i++) {
        float corners[9] = {(float)i, 0, 0, (float)i + 1, 0, 0, (float)i, 1, 0};
        memcpy(out + 84 + 50 * i + 12, corners, sizeof corners);
    }
    return 84 + 50 * (size_t)triangles;
}

static void binary_stl_is_read_even_when_it_says_solid(void **state)
{
    (void)state;
    unsigned char data[84 + 50 * 3];
    fm_mesh mesh;
    size_t size = binary_stl(data, 3, "solid by a careless program");
    assert_int_equal(fm_mesh_parse_stl("b.stl", data, size, &mesh, NULL), FM_OK);
    assert_int_equal(mesh.triangle_count, 3);
    assert_same(mesh.vertices[mesh.triangles[2][1]][0], 3);
    fm_mesh_free(&mesh);
}

static void malformed_stl_files_are_refused(void **state)
{
    (void)state;
    long before = fm_alloc_live();
    unsigned char data[84 + 50 * 3];
    fm_mesh mesh;
    fm_error error = {0};
    size_t size = binary_stl(data, 3, "x");
    for (size_t cut = 0; cut < size; cut++) /* cut off anywhere */
        assert_int_not_equal(fm_mesh_parse_stl("b.stl", data, cut, &mesh, &error), FM_OK);
    uint32_t huge = 0xffffffffu;
    memcpy(data + 80, &huge, 4);
    fm_status status = fm_mesh_parse_stl("b.stl", data, size, &mesh, &error);
    assert_refused(status, FM_ERR_SYNTAX, &error, 0, "a count of 4294967295 triangles and space for 3");
    binary_stl(data, 3, "x");
    float nan = NAN;
    memcpy(data + 84 + 50 + 16, &nan, 4);
    status = fm_mesh_parse_stl("b.stl", data, size, &mesh, &error);
    assert_refused(status, FM_ERR_RANGE, &error, 0, "triangle 2: coordinate 2");
    for (size_t cut = 5; cut < strlen(ASCII_STL) - 21; cut++)
        assert_int_not_equal(fm_mesh_parse_stl("a.stl", ASCII_STL, cut, &mesh, &error), FM_OK);
    const char *wrong = "solid\nfacet normal 0 0 1\nouter ring\n";
    status = fm_mesh_parse_stl("a.stl", wrong, strlen(wrong), &mesh, &error);
    assert_refused(status, FM_ERR_SYNTAX, &error, 3, "'ring' is invalid: must be 'loop'");
    assert_int_equal(fm_alloc_live(), before);
}

static void each_failing_allocation_is_reported_and_leaks_nothing(void **state)
{
    (void)state;
    long before = fm_alloc_live(), n = 0;
    fm_status status = FM_ERR_MEMORY;
    for (; n < 50 && status != FM_OK; n++) {
        fm_mesh mesh;
        fm_alloc_fail_after(n);
        status = fm_mesh_parse_stl("a.stl", ASCII_STL, strlen(ASCII_STL), &mesh, NULL);
        fm_alloc_fail_after(-1);
        if (status != FM_OK)
            assert_same(status, FM_ERR_MEMORY);
        fm_mesh_free(&mesh);
    }
    assert_greater(n, 3);
    assert_int_equal(fm_alloc_live(), before);
}

static void a_written_mesh_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    fm_mesh mesh, back;
    fm_shape spheroid = fm_shape_ellipsoid(1.1, 0.3, 0.3);
    char path[] = "/tmp/fathom-mesh-XXXXXX.obj";
    close(mkstemps(path, 4));
    assert_int_equal(mesh_from_shape(&spheroid, 16, &mesh, NULL), FM_OK);
    assert_int_equal(write_obj(path, &mesh), FM_OK);
    assert_int_equal(fm_mesh_read(path, &back, NULL), FM_OK);
    assert_int_equal(back.vertex_count, mesh.vertex_count);
    assert_memory_equal(back.vertices, mesh.vertices, mesh.vertex_count * sizeof *mesh.vertices);
    assert_memory_equal(back.triangles, mesh.triangles, mesh.triangle_count * sizeof *mesh.triangles);
    fm_mesh_free(&mesh);
    fm_mesh_free(&back);
    unlink(path);
    fm_error error = {0};
    assert_int_equal(fm_mesh_read(path, &back, &error), FM_ERR_FILE);
    assert_string_equal(error.file, path);
    assert_int_equal(fm_mesh_read("x.ply", &back, &error), FM_ERR_NAME);
}

static void fine_surfaces_of_shapes_hold_their_volume(void **state)
{
    (void)state;
    const fm_shape shapes[] = {fm_shape_sphere(2), fm_shape_box(1, 2, 3), fm_shape_cylinder(0.5, 2, 0),
                               fm_shape_capsule(0.5, 2, 1), fm_shape_ellipsoid(3, 1, 2)};
    const double volumes[] = {4.0 / 3 * M_PI * 8, 48, M_PI * 0.25 * 4, M_PI * 0.25 * 4 + 4.0 / 3 * M_PI * 0.125,
                              4.0 / 3 * M_PI * 6};
    for (int i = 0; i < 5; i++) {
        fm_mesh mesh;
        assert_int_equal(mesh_from_shape(&shapes[i], 256, &mesh, NULL), FM_OK);
        double volume = volume_of(&mesh); /* positive: the triangles face outwards */
        if (fabs(volume - volumes[i]) > 5e-4 * volumes[i])
            fail_msg("shape %d: %g m³, not %g", i, volume, volumes[i]);
        fm_aabb of_mesh, of_shape;
        fm_mesh_aabb(&mesh, &of_mesh);
        fm_shape_aabb(&shapes[i], &of_shape);
        for (int k = 0; k < 3; k++)
            assert_nearer(of_mesh.high[k], of_shape.high[k], 1e-3);
        assert_int_equal(mesh.degenerate_count, 0);
        double mirrored[3] = {-1, 1, 1}, zero[3] = {0, 0, 0}, straight[4] = {1, 0, 0, 0};
        fm_mesh_transform(&mesh, mirrored, zero, straight);
        assert_nearer(volume_of(&mesh), volume, 1e-9);
        fm_mesh_free(&mesh);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_obj_square_becomes_two_triangles),
        cmocka_unit_test(triangles_without_area_are_dropped_and_counted),
        cmocka_unit_test(malformed_obj_files_are_refused_with_the_line),
        cmocka_unit_test(ascii_stl_corners_become_shared_vertices),
        cmocka_unit_test(binary_stl_is_read_even_when_it_says_solid),
        cmocka_unit_test(malformed_stl_files_are_refused),
        cmocka_unit_test(each_failing_allocation_is_reported_and_leaks_nothing),
        cmocka_unit_test(a_written_mesh_reads_back_to_the_same_bits),
        cmocka_unit_test(fine_surfaces_of_shapes_hold_their_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
