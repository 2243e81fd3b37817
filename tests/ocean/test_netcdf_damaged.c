/* NetCDF-4 files with spoilt bytes: an error or a result, never the end of the process. */
#include <netcdf.h>
#include <time.h>

#include "ocean/netcdf_file.h"
#include "support/cmocka_all.h"
#include "support/files.h"

#define PATH "damaged.nc"

static char *bytes;
static size_t size;

static void expect(int code)
{
    if (code != NC_NOERR)
        fail_msg("%s", nc_strerror(code));
}

static int write_sound(void **unused)
{
    (void)unused;
    int file, x, y, z;
    double values[64];
    for (int i = 0; i < 64; i++)
        values[i] = i;
    expect(nc_create(PATH, NC_CLOBBER | NC_NETCDF4, &file));
    expect(nc_def_dim(file, "x", 8, &x));
    expect(nc_def_dim(file, "y", 8, &y));
    expect(nc_def_var(file, "z", NC_DOUBLE, 2, (int[]){y, x}, &z));
    expect(nc_def_var_deflate(file, z, 1, 1, 4));
    expect(nc_put_att_text(file, z, "units", 1, "m"));
    expect(nc_put_var_double(file, z, values));
    expect(nc_close(file));
    bytes = read_file(PATH, &size);
    return 0;
}

static fm_status read_z(fm_netcdf_array *array, fm_arena *arena)
{
    static const char *const names[] = {"z", NULL}, *const standard[] = {"height", NULL};
    fm_netcdf file;
    fm_error error = {0};
    int variable;
    fm_status status = fm_netcdf_open(&file, PATH, &error);
    if (status == FM_OK)
        status = fm_netcdf_find(&file, "z", standard, names, &variable);
    if (status == FM_OK)
        status = fm_netcdf_read(&file, variable, arena, array);
    fm_netcdf_close(&file);
    return status;
}

static void write_bytes(size_t count)
{
    FILE *file = fopen(PATH, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, count, file), count);
    fclose(file);
}

static void a_sound_file_is_read(void **unused)
{
    (void)unused;
    fm_arena arena = {0};
    fm_netcdf_array z;
    write_bytes(size);
    assert_int_equal(read_z(&z, &arena), FM_OK);
    assert_int_equal(z.count, 64);
    assert_same(z.values[63], 63);
    fm_arena_free(&arena);
}

static void a_cut_or_spoilt_file_ends_in_an_error_or_a_result(void **unused)
{
    (void)unused;
    uint64_t draw = 88172645463325252u;
    time_t begun = time(NULL);
    for (int i = 0; i < 60 && time(NULL) - begun < 20; i++) {
        size_t place[4], count = size;
        char kept[4];
        for (int k = 0; k < 4; k++) {
            draw ^= draw << 13, draw ^= draw >> 7, draw ^= draw << 17;
            place[k] = (size_t)(draw % size);
            kept[k] = bytes[place[k]];
            bytes[place[k]] = (char)(draw >> 40);
        }
        if (i % 4 == 0)
            count = place[0];
        fm_arena arena = {0};
        fm_netcdf_array z;
        write_bytes(count);
        fm_status status = read_z(&z, &arena);
        if (i % 4 == 0 && status == FM_OK)
            fail_msg("a file cut to %zu of %zu bytes was read", count, size);
        fm_arena_free(&arena);
        for (int k = 3; k >= 0; k--)
            bytes[place[k]] = kept[k];
    }
}

static int free_bytes(void **unused)
{
    (void)unused;
    free(bytes);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_file_is_read),
        cmocka_unit_test(a_cut_or_spoilt_file_ends_in_an_error_or_a_result),
    };
    return cmocka_run_group_tests(tests, write_sound, free_bytes);
}
