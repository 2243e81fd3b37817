/* The files are written here by libpng, libtiff and netcdf themselves, from known depths. */
#include "support/files.h"
#include "support/near.h"

#include <math.h>
#include <png.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>
#include <unistd.h>
#ifdef FM_HAVE_NETCDF
#include <netcdf.h>
#endif

#include "base/memory.h"
#include "geometry/file.h"
#include "geometry/heightmap.h"
#include "geometry_random.h"

enum { ROWS = 5, COLUMNS = 7 };

static const fm_heightmap_options PNG_OPTIONS = {
    .spacing = {10, 20}, .centre = {100, -50}, .depth_black = 60, .depth_white = 10};

static void temporary(char path[64], const char *ending)
{
    snprintf(path, 64, "/tmp/fathom-map-XXXXXX%s", ending);
    close(mkstemps(path, (int)strlen(ending)));
}

/* value(row from the north, column) = 1000 row + 100 column */
static void write_png(const char *path, int bits, int colour)
{
    FILE *file = fopen(path, "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, COLUMNS, ROWS, bits, colour, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_write_info(png, info);
    for (int i = 0; i < ROWS; i++) {
        unsigned char row[COLUMNS * 6] = {0};
        for (int j = 0; j < COLUMNS; j++) {
            int value = 1000 * i + 100 * j;
            row[bits == 16 ? 2 * j : j] = (unsigned char)(bits == 16 ? value >> 8 : value / 100);
            if (bits == 16)
                row[2 * j + 1] = (unsigned char)value;
        }
        png_write_row(png, row);
    }
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    fclose(file);
}

static void grey_levels_become_depths_with_north_on_top(void **state)
{
    (void)state;
    char path[64];
    temporary(path, ".png");
    for (int bits = 8; bits <= 16; bits += 8) {
        fm_heightmap map;
        write_png(path, bits, PNG_COLOR_TYPE_GRAY);
        assert_int_equal(fm_heightmap_read(path, &PNG_OPTIONS, &map, NULL), FM_OK);
        assert_int_equal(map.rows, ROWS);
        assert_int_equal(map.columns, COLUMNS);
        assert_near(map.north, 80, 0);
        assert_near(map.east, -110, 0);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                double grey = bits == 16 ? (1000 * i + 100 * j) / 65535.0 : (10 * i + j) / 255.0;
                assert_near(map.depth[(ROWS - 1 - i) * COLUMNS + j], 60 - 50 * grey, 1e-12);
            }
        fm_heightmap_free(&map);
    }
    fm_error error = {0};
    fm_heightmap map;
    write_png(path, 8, PNG_COLOR_TYPE_RGB);
    assert_int_equal(fm_heightmap_read(path, &PNG_OPTIONS, &map, &error), FM_ERR_SYNTAX);
    assert_non_null(strstr(error.text, "colour picture"));
    unlink(path);
}

static void cut_or_changed_files_give_errors_and_no_leaks(const char *path,
                                                          fm_status (*parse)(const char *, const void *, size_t,
                                                                             const fm_heightmap_options *,
                                                                             fm_heightmap *, fm_error *))
{
    char *data;
    size_t size;
    assert_int_equal(fm_geometry_file(path, &data, &size, NULL), FM_OK);
    long before = fm_alloc_live();
    for (size_t cut = 0; cut < size; cut++) {
        fm_heightmap map;
        fm_error error = {0};
        if (parse("cut", data, cut, &PNG_OPTIONS, &map, &error) == FM_OK)
            fm_heightmap_free(&map); /* what was cut off was not needed */
        else {
            assert_true(error.text[0]);
            assert_string_equal(error.file, "cut");
        }
    }
    dice d = {3};
    char *copy = malloc(size);
    for (int trial = 0; trial < 3000; trial++) {
        fm_heightmap map;
        fm_error error = {0};
        memcpy(copy, data, size);
        for (int k = 0; k < 3; k++)
            copy[(size_t)roll(&d, 0, (double)size)] = (char)roll(&d, -128, 128);
        if (parse("changed", copy, size, &PNG_OPTIONS, &map, &error) == FM_OK)
            fm_heightmap_free(&map);
    }
    free(copy);
    assert_int_equal(fm_alloc_live(), before);
    fm_free(data);
}

static void broken_pngs_are_refused(void **state)
{
    (void)state;
    char path[64];
    temporary(path, ".png");
    write_png(path, 16, PNG_COLOR_TYPE_GRAY);
    cut_or_changed_files_give_errors_and_no_leaks(path, fm_heightmap_parse_png);
    unlink(path);
}

static void a_png_that_claims_a_huge_picture_allocates_nothing_huge(void **state)
{
    (void)state;
    /* a header of 1,000,000 × 1,000,000 pixels with a right checksum, and nothing else */
    unsigned char data[33] = {0x89, 'P', 'N',  'G',  '\r', '\n', 0x1a, '\n', 0,    0,  0, 13, 'I', 'H', 'D',
                              'R',  0,   0x0f, 0x42, 0x40, 0,    0x0f, 0x42, 0x40, 16, 0, 0,  0,   0};
    uint32_t crc = 0xffffffffu;
    for (int i = 12; i < 29; i++) {
        crc ^= data[i];
        for (int k = 0; k < 8; k++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    crc = ~crc;
    for (int i = 0; i < 4; i++)
        data[29 + i] = (unsigned char)(crc >> (24 - 8 * i));
    unsigned char file[33 + 12] = {0};
    memcpy(file, data, 33);
    memcpy(file + 33, "\0\0\0\0IDAT\x35\xaf\x06\x1e", 12);
    fm_heightmap map;
    fm_error error = {0};
    assert_int_equal(fm_heightmap_parse_png("bomb", file, sizeof file, &PNG_OPTIONS, &map, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "1000000 × 1000000"));
}

static double elevation(int row, int column)
{
    return -(20 + 3.25 * row + 0.5 * column);
}

typedef struct geo {
    bool geographic, tiled, real;
    double tie[6], scale[3];
} geo;

static void register_tags(TIFF *tiff)
{
    static const TIFFFieldInfo fields[] = {
        {33550, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"ModelPixelScale"},
        {33922, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, (char *)"ModelTiepoint"},
        {34735, -1, -1, TIFF_SHORT, FIELD_CUSTOM, 1, 1, (char *)"GeoKeyDirectory"},
    };
    TIFFMergeFieldInfo(tiff, fields, 3);
}

static void write_tiff(const char *path, const geo *g)
{
    TIFF *tiff = TIFFOpen(path, "w");
    register_tags(tiff);
    TIFFSetField(tiff, TIFFTAG_IMAGEWIDTH, COLUMNS);
    TIFFSetField(tiff, TIFFTAG_IMAGELENGTH, ROWS);
    TIFFSetField(tiff, TIFFTAG_BITSPERSAMPLE, g->real ? 32 : 16);
    TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, g->real ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_INT);
    TIFFSetField(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    TIFFSetField(tiff, TIFFTAG_COMPRESSION, COMPRESSION_LZW);
    TIFFSetField(tiff, TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
    TIFFSetField(tiff, 33550, 3, g->scale);
    TIFFSetField(tiff, 33922, 6, g->tie);
    const uint16_t keys[] = {1, 1, 0, 1, 1024, 0, 1, g->geographic ? 2 : 1};
    TIFFSetField(tiff, 34735, 8, keys);
    if (g->tiled) {
        float tile[16 * 16] = {0};
        TIFFSetField(tiff, TIFFTAG_TILEWIDTH, 16);
        TIFFSetField(tiff, TIFFTAG_TILELENGTH, 16);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                tile[16 * i + j] = (float)elevation(i, j);
        TIFFWriteTile(tiff, tile, 0, 0, 0, 0);
    } else {
        TIFFSetField(tiff, TIFFTAG_ROWSPERSTRIP, 2);
        for (int i = 0; i < ROWS; i++) {
            float real[COLUMNS];
            int16_t whole[COLUMNS];
            for (int j = 0; j < COLUMNS; j++) {
                real[j] = (float)elevation(i, j);
                whole[j] = (int16_t)lrint(elevation(i, j));
            }
            TIFFWriteScanline(tiff, g->real ? (void *)real : (void *)whole, (uint32_t)i, 0);
        }
    }
    TIFFClose(tiff);
}

static void elevations_of_a_geotiff_become_depths_about_the_origin(void **state)
{
    (void)state;
    char path[64];
    temporary(path, ".tif");
    for (int variant = 0; variant < 3; variant++) {
        geo g = {
            .real = variant > 0, .tiled = variant == 2, .tie = {0, 0, 0, 500000, 4000000, 0}, .scale = {25, 50, 0}};
        fm_heightmap_options options = {.origin_northing = 3999800, .origin_easting = 500050};
        fm_heightmap map;
        fm_error error = {0};
        write_tiff(path, &g);
        if (fm_heightmap_read(path, &options, &map, &error) != FM_OK)
            fail_msg("%s", error.text);
        assert_near(map.north, 4000000 - 4.5 * 50 - 3999800, 1e-9); /* middle of the southernmost pixels */
        assert_near(map.east, 12.5 - 50, 1e-9);
        assert_near(map.north_step, 50, 0);
        assert_near(map.east_step, 25, 0);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
                double expected = -elevation(ROWS - 1 - i, j);
                assert_near(map.depth[i * COLUMNS + j], g.real ? expected : (double)lrint(expected), 1e-9);
            }
        fm_heightmap_free(&map);
    }
    geo g = {.geographic = true, .real = true, .tie = {0, 0, 0, -122, 37, 0}, .scale = {0.001, 0.001, 0}};
    fm_heightmap_options options = {.origin_latitude = 36.9975 * M_PI / 180,
                                    .origin_longitude = -121.9995 * M_PI / 180};
    fm_heightmap map;
    write_tiff(path, &g);
    assert_int_equal(fm_heightmap_read(path, &options, &map, NULL), FM_OK);
    assert_near(map.east, 0, 1e-6);
    assert_near(map.north_step, 110.98, 0.02); /* a thousandth of a degree at 37° north: 110.98 m and 89.0 m */
    assert_near(map.east_step, 89.01, 0.02);
    assert_near(map.north, -2 * map.north_step, 1e-6);
    fm_heightmap_free(&map);
    unlink(path);
}

static void broken_tiffs_are_refused(void **state)
{
    (void)state;
    char path[64];
    temporary(path, ".tif");
    geo g = {.real = true, .tie = {0, 0, 0, 500000, 4000000, 0}, .scale = {25, 50, 0}};
    write_tiff(path, &g);
    cut_or_changed_files_give_errors_and_no_leaks(path, fm_heightmap_parse_tiff);
    g.scale[0] = -25;
    fm_heightmap map;
    fm_error error = {0};
    write_tiff(path, &g);
    assert_int_equal(fm_heightmap_read(path, &(fm_heightmap_options){0}, &map, &error), FM_ERR_RANGE);
    unlink(path);
}

#ifdef FM_HAVE_NETCDF
static void write_netcdf(const char *path, const char *name, bool south_first, bool even, double hole)
{
    int file, dimensions[2], latitude, longitude, grid;
    double lat[ROWS], lon[COLUMNS], values[ROWS * COLUMNS];
    for (int i = 0; i < ROWS; i++)
        lat[i] = 36.5 + (south_first ? i : ROWS - 1 - i) * 0.004;
    for (int j = 0; j < COLUMNS; j++)
        lon[j] = -122 + j * 0.004 + (even || j < 3 ? 0 : 0.002);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            values[i * COLUMNS + j] = elevation(south_first ? ROWS - 1 - i : i, j);
    if (hole != 0)
        values[3] = hole;
    nc_create(path, NC_CLOBBER, &file);
    nc_def_dim(file, "lat", ROWS, &dimensions[0]);
    nc_def_dim(file, "lon", COLUMNS, &dimensions[1]);
    nc_def_var(file, "lat", NC_DOUBLE, 1, &dimensions[0], &latitude);
    nc_def_var(file, "lon", NC_DOUBLE, 1, &dimensions[1], &longitude);
    nc_def_var(file, name, NC_DOUBLE, 2, dimensions, &grid);
    nc_enddef(file);
    nc_put_var_double(file, latitude, lat);
    nc_put_var_double(file, longitude, lon);
    nc_put_var_double(file, grid, values);
    nc_close(file);
}

static void netcdf_bathymetry_lies_about_its_origin(void **state)
{
    (void)state;
    char path[64];
    temporary(path, ".nc");
    fm_heightmap_options options = {.origin_latitude = 36.504 * M_PI / 180, .origin_longitude = -122 * M_PI / 180};
    for (int south_first = 0; south_first < 2; south_first++) {
        fm_heightmap map, cut;
        write_netcdf(path, "elevation", south_first, true, 0);
        assert_int_equal(fm_heightmap_read(path, &options, &map, NULL), FM_OK);
        assert_near(map.north_step, 0.004 * 110973, 1);
        assert_near(map.north, -map.north_step, 1e-6);
        assert_near(map.east, 0, 1e-6);
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++)
                assert_near(map.depth[i * COLUMNS + j], -elevation(ROWS - 1 - i, j), 1e-9);
        fm_heightmap_options window = options;
        memcpy(window.window, (double[4]){-1, 2.1 * map.north_step, 0.9 * map.east_step, 3.1 * map.east_step},
               sizeof window.window);
        assert_int_equal(fm_heightmap_read(path, &window, &cut, NULL), FM_OK);
        assert_int_equal(cut.rows, 3);
        assert_int_equal(cut.columns, 3);
        assert_near(cut.depth[4], map.depth[2 * COLUMNS + 2], 0);
        assert_near(cut.east, map.east_step, 1e-6);
        fm_heightmap_free(&cut);
        window.window[0] = window.window[1] = 1e7;
        assert_int_equal(fm_heightmap_read(path, &window, &cut, NULL), FM_ERR_RANGE);
        fm_heightmap_free(&map);
    }
    unlink(path);
}

static void netcdf_files_of_another_kind_are_refused(void **state)
{
    (void)state;
    char path[64];
    fm_heightmap map;
    fm_error error = {0};
    temporary(path, ".nc");
    long before = fm_alloc_live();
    write_netcdf(path, "temperature", true, true, 0);
    assert_int_equal(fm_heightmap_read(path, &PNG_OPTIONS, &map, &error), FM_ERR_NAME);
    assert_non_null(strstr(error.text, "valid names are elevation, z"));
    write_netcdf(path, "elevation", true, false, 0);
    assert_int_equal(fm_heightmap_read(path, &PNG_OPTIONS, &map, &error), FM_ERR_RANGE);
    write_netcdf(path, "elevation", true, true, NAN);
    assert_int_equal(fm_heightmap_read(path, &PNG_OPTIONS, &map, &error), FM_ERR_RANGE);
    assert_non_null(strstr(error.text, "no data at row 1, column 4"));
    FILE *file = fopen(path, "w");
    fputs("not NetCDF at all", file);
    fclose(file);
    assert_int_equal(fm_heightmap_read(path, &PNG_OPTIONS, &map, &error), FM_ERR_FILE);
    assert_int_equal(fm_alloc_live(), before);
    unlink(path);
}

static void write_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* The NetCDF library gives zeros for what is missing, and trusts counts in the header. */
static void netcdf_maps_that_are_cut_off_or_damaged_crash_nothing(void **state)
{
    (void)state;
    static const unsigned char damage[] = {0xff, 0x80, 0x7f, 0x01};
    char path[64];
    size_t size;
    fm_heightmap map;
    temporary(path, ".nc");
    write_netcdf(path, "elevation", true, true, 0);
    char *bytes = read_file(path, &size);
    long before = fm_alloc_live();
    for (size_t cut = 0; cut < size; cut++) {
        fm_error error = {0};
        write_bytes(path, bytes, cut);
        if (fm_heightmap_read(path, &PNG_OPTIONS, &map, &error) == FM_OK || !error.text[0])
            fail_msg("%zu of %zu bytes make a map", cut, size);
    }
    const size_t values = sizeof(double) * (ROWS + COLUMNS + ROWS * COLUMNS);
    for (size_t i = 0; i < size - values; i++)
        for (size_t k = 0; k < sizeof damage; k++) {
            fm_error error = {0};
            bytes[i] ^= (char)damage[k];
            write_bytes(path, bytes, size);
            if (fm_heightmap_read(path, &PNG_OPTIONS, &map, &error) != FM_OK)
                assert_true(error.text[0] && !map.depth);
            fm_heightmap_free(&map);
            bytes[i] ^= (char)damage[k];
        }
    assert_int_equal(fm_alloc_live(), before);
    free(bytes);
    unlink(path);
}
#endif

static void the_triangles_interpolate_the_grid(void **state)
{
    (void)state;
    fm_heightmap map;
    fm_mesh mesh;
    dice d = {2};
    assert_int_equal(fm_heightmap_create(6, 9, &map, NULL), FM_OK);
    map.north = -3;
    map.east = 11;
    map.north_step = 2.5;
    map.east_step = 0.5;
    for (int i = 0; i < 54; i++)
        map.depth[i] = roll(&d, 10, 20);
    assert_int_equal(fm_heightmap_mesh(&map, &mesh, NULL), FM_OK);
    assert_int_equal(mesh.triangle_count, 2 * 5 * 8);
    for (size_t i = 0; i < mesh.triangle_count; i++) {
        double weight[3] = {roll(&d, 0, 1), roll(&d, 0, 1), roll(&d, 0, 1)}, p[3] = {0, 0, 0}, depth, normal[3];
        double sum = weight[0] + weight[1] + weight[2];
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 3; c++)
                p[c] += weight[k] / sum * mesh.vertices[mesh.triangles[i][k]][c];
        assert_true(fm_heightmap_depth(&map, p[0], p[1], &depth, normal));
        assert_near(depth, p[2], 1e-12);
        fm_d3 a = fm_d3_of(mesh.vertices[mesh.triangles[i][0]]), b = fm_d3_of(mesh.vertices[mesh.triangles[i][1]]);
        fm_d3 c = fm_d3_of(mesh.vertices[mesh.triangles[i][2]]);
        fm_d3 n = fm_d3_unit(fm_d3_cross(fm_d3_sub(b, a), fm_d3_sub(c, a)), (fm_d3){0, 0, 0});
        assert_less(n.z, 0); /* up */
        assert_near(fm_d3_dot(n, fm_d3_of(normal)), 1, 1e-12);
    }
    double depth;
    assert_true(fm_heightmap_depth(&map, 9.5, 15, &depth, NULL)); /* the last node */
    assert_near(depth, map.depth[53], 1e-12);
    assert_false(fm_heightmap_depth(&map, 9.6, 15, &depth, NULL));
    assert_false(fm_heightmap_depth(&map, NAN, 15, &depth, NULL));
    fm_mesh_free(&mesh);
    fm_heightmap_free(&map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grey_levels_become_depths_with_north_on_top),
        cmocka_unit_test(broken_pngs_are_refused),
        cmocka_unit_test(a_png_that_claims_a_huge_picture_allocates_nothing_huge),
        cmocka_unit_test(elevations_of_a_geotiff_become_depths_about_the_origin),
        cmocka_unit_test(broken_tiffs_are_refused),
#ifdef FM_HAVE_NETCDF
        cmocka_unit_test(netcdf_bathymetry_lies_about_its_origin),
        cmocka_unit_test(netcdf_files_of_another_kind_are_refused),
        cmocka_unit_test(netcdf_maps_that_are_cut_off_or_damaged_crash_nothing),
#endif
        cmocka_unit_test(the_triangles_interpolate_the_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
