/* Any bytes as a servo packet of ArduPilot's SITL: what is read is written as the same bytes. */
#include <stdlib.h>
#include <string.h>

#include "bridges/ardupilot/ardupilot_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    fm_ardupilot_servos servos;
    uint8_t bytes[FM_ARDUPILOT_PACKET];
    if (fm_ardupilot_read(data, size, &servos) != FM_ARDUPILOT_FINE)
        return 0;
    if (fm_ardupilot_write_servos(&servos, bytes) != size || memcmp(bytes, data, size) != 0)
        abort();
    return 0;
}
