#include "geometry/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static fm_status read_open_file(const char *path, FILE *file, char **data, size_t *size, fm_error *error)
{
    struct stat info;
    if (fstat(fileno(file), &info) != 0)
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot read: %s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "is not a regular file");
    if (info.st_size > (off_t)FM_FILE_LIMIT)
        return fm_fail_at(error, FM_ERR_RANGE, path, 0, "has %lld bytes: must be up to %zu", (long long)info.st_size,
                          FM_FILE_LIMIT);
    size_t expected = (size_t)info.st_size;
    *data = fm_alloc(expected + 1);
    if (!*data)
        return fm_fail_at(error, FM_ERR_MEMORY, path, 0, "no memory for its %zu bytes", expected);
    *size = fread(*data, 1, expected, file);
    if (*size != expected) {
        fm_free(*data);
        *data = NULL;
        return fm_fail_at(error, FM_ERR_FILE, path, 0, "only %zu of %zu bytes could be read", *size, expected);
    }
    return FM_OK;
}

fm_status fm_geometry_file(const char *path, char **data, size_t *size, fm_error *error)
{
    *data = NULL;
    *size = 0;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a FIFO would wait for its writer */
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "rb") : NULL;
    if (!file) {
        fm_fail_at(error, FM_ERR_FILE, path, 0, "cannot open: %s", strerror(errno));
        if (descriptor >= 0)
            close(descriptor);
        return FM_ERR_FILE;
    }
    fm_status status = read_open_file(path, file, data, size, error);
    fclose(file);
    return status;
}
