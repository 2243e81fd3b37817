/* Readers of NetCDF files under fire. They take paths: the bytes stand in a file without a name. Only classic files:
 * what the HDF5 library does with bytes that are meant to harm it is not ours. */
#ifndef TESTS_FUZZ_NETCDF_FUZZ_H
#define TESTS_FUZZ_NETCDF_FUZZ_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* memfd_create */
#endif
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/memory.h"

/* Calls read(path) with the bytes in a file; anything that is kept afterwards is a leak. */
static inline int fuzz_netcdf(const uint8_t *data, size_t size, void (*read)(const char *path))
{
    if (size < 4 || memcmp(data, "CDF", 3) != 0)
        return 0;
    int file = memfd_create("fuzz.nc", 0);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    long before = fm_alloc_live();
    read(path);
    close(file);
    if (fm_alloc_live() != before)
        abort();
    return 0;
}

#endif
