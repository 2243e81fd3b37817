/* libFuzzer target: a line of telemetry takes any bytes, and either gives numbers that are finite and in range, or says
 * why not. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "analysis/telemetry_line.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_telemetry_line line;
    fm_error error = {0};
    fm_telemetry_fault fault = fm_telemetry_line_read((const char *)data, size, &line, &error);
    if (fault != FM_TELEMETRY_GOOD) {
        if (error.text[0] == '\0')
            abort();
        return 0;
    }
    if ((!fm_kinematics_known(&line.motion) && !(isfinite(line.latitude) && isfinite(line.longitude))) ||
        isinf(line.time))
        abort();
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
        if (!isnan(line.motion.values[i]) && !(fabs(line.motion.values[i]) <= fm_kinematics_infos[i].most))
            abort();
    return 0;
}
