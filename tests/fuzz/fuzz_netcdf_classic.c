/* libFuzzer target: the check of classic NetCDF headers takes any bytes and answers or says why not. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "ocean/netcdf_classic.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = size ? fmemopen((void *)(uintptr_t)data, size, "rb") : NULL;
    if (!file)
        return 0;
    fm_error error = {0};
    if (fm_netcdf_classic_check(file, "fuzz.nc", &error) != FM_OK && error.text[0] == '\0')
        abort();
    fclose(file);
    return 0;
}
