#include "ocean/netcdf_trial.h"

#include <errno.h>
#include <netcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SLAB = 1 << 16, RANK_MOST = 4, VALUES_MOST = 1 << 27, SECONDS = 60, ATTRIBUTE_MOST = 4096 };
#define MEMORY_MORE ((rlim_t)1 << 31) /* bytes beyond what the process has */

static bool is_hdf5(const char *path)
{
    static const char mark[8] = "\x89HDF\r\n\x1a\n";
    char start[8] = {0};
    FILE *file = fopen(path, "rb");
    bool same = file && fread(start, 1, sizeof start, file) == sizeof start && memcmp(start, mark, sizeof mark) == 0;
    if (file)
        fclose(file);
    return same;
}

/* --- in the other process --- */

static void limit(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file && fscanf(file, "%lu", &pages) != 1)
        pages = 0;
    if (file)
        fclose(file);
    const struct rlimit none = {0, 0}, time = {SECONDS, SECONDS};
    const rlim_t bytes = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + MEMORY_MORE;
    const struct rlimit memory = {bytes, bytes};
    setrlimit(RLIMIT_CORE, &none);
    setrlimit(RLIMIT_CPU, &time);
    if (pages)
        setrlimit(RLIMIT_AS, &memory);
    alarm(2 * SECONDS);
}

static bool read_attributes(int file, int variable)
{
    int count = 0;
    if (nc_inq_varnatts(file, variable, &count) != NC_NOERR)
        return false;
    for (int i = 0; i < count; i++) {
        static double values[ATTRIBUTE_MOST];
        char name[NC_MAX_NAME + 1];
        nc_type type;
        size_t length;
        if (nc_inq_attname(file, variable, i, name) != NC_NOERR ||
            nc_inq_att(file, variable, name, &type, &length) != NC_NOERR)
            return false;
        if (type < NC_STRING && length <= ATTRIBUTE_MOST &&
            (type == NC_CHAR ? nc_get_att_text(file, variable, name, (char *)values)
                             : nc_get_att_double(file, variable, name, values)) != NC_NOERR)
            return false;
    }
    return true;
}

/* All values, one row of the last dimension at a time, in slabs. */
static bool read_values(int file, int variable, int rank, const size_t *length)
{
    static double values[SLAB];
    size_t at[RANK_MOST] = {0}, count[RANK_MOST];
    for (int i = 0; i < rank; i++)
        count[i] = 1;
    while (at[0] < length[0]) {
        size_t left = length[rank - 1] - at[rank - 1];
        count[rank - 1] = left < SLAB ? left : SLAB;
        if (nc_get_vara_double(file, variable, at, count, values) != NC_NOERR)
            return false;
        at[rank - 1] += count[rank - 1];
        for (int i = rank - 1; i > 0 && at[i] >= length[i]; i--) {
            at[i] = 0;
            at[i - 1]++;
        }
    }
    return true;
}

/* A variable that is never read (text, too many dimensions, too large) is skipped. */
static bool read_variable(int file, int variable)
{
    char name[NC_MAX_NAME + 1];
    nc_type type;
    int rank, dimension[NC_MAX_VAR_DIMS];
    size_t length[RANK_MOST], total = 1;
    if (nc_inq_var(file, variable, name, &type, &rank, dimension, NULL) != NC_NOERR || !read_attributes(file, variable))
        return false;
    if (type == NC_CHAR || type >= NC_STRING || rank < 1 || rank > RANK_MOST)
        return true;
    for (int i = 0; i < rank; i++) {
        if (nc_inq_dimlen(file, dimension[i], &length[i]) != NC_NOERR)
            return false;
        if (length[i] == 0 || length[i] > VALUES_MOST / total)
            return true;
        total *= length[i];
    }
    return read_values(file, variable, rank, length);
}

static bool read_all(const char *path)
{
    int file, count = 0;
    if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR || nc_inq_nvars(file, &count) != NC_NOERR)
        return false;
    for (int i = 0; i < count; i++)
        if (!read_variable(file, i))
            return false;
    return nc_close(file) == NC_NOERR;
}

/* --- in this one --- */

static bool hear(int from)
{
    char word = 0;
    ssize_t got;
    do
        got = read(from, &word, 1);
    while (got < 0 && errno == EINTR);
    return got == 1 && word == 'y';
}

fm_status fm_netcdf_trial(const char *path, fm_error *error)
{
    int ends[2];
    if (!is_hdf5(path))
        return FM_OK;
    if (pipe(ends) != 0)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be tried: %s", strerror(errno));
    pid_t child = fork();
    if (child == 0) {
        limit();
        _exit(read_all(path) && write(ends[1], "y", 1) == 1 ? 0 : 1);
    }
    int reason = errno;
    close(ends[1]);
    bool sound = child > 0 && hear(ends[0]);
    close(ends[0]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    if (child < 0)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot be tried: %s", strerror(reason));
    return sound ? FM_OK
                 : fm_fail_at(error, FM_ERR_FILE, path, 0,
                              "is damaged: as NetCDF-4 it cannot be read to its end within 2 GiB and %d s", SECONDS);
}
