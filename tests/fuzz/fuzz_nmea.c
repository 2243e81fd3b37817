/* NMEA 0183: whatever comes, reading stays within its line, and a heading that is taken is one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bridges/nmea/nmea.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *line = malloc(size + 1);
    fm_nmea_steering steering;
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = 0;
    if (fm_nmea_read(line, &steering) == FM_NMEA_WELL && !(steering.heading >= 0 && steering.heading < 6.3))
        abort();
    free(line);
    return 0;
}
