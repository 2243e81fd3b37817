/* libFuzzer target: any bytes as a line that software writes to the motors or the modem of examples/broker. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static broker_order orders[BROKER_ORDERS];
    static broker_frame frame;
    char *line = malloc(size + 1), said[BROKER_LINES];
    if (!line)
        return 0;
    if (size)
        memcpy(line, data, size);
    line[size] = 0;
    int count = broker_orders_read(line, orders);
    if (count > BROKER_ORDERS)
        abort();
    for (int i = 0; i < count; i++)
        if (!isfinite(orders[i].value) || strlen(orders[i].name) >= sizeof orders[i].name)
            abort();
    if (broker_modem_read(line, &frame) && !broker_modem_heard(&frame, said, sizeof said))
        abort(); /* a frame that can be taken can be told */
    free(line);
    return 0;
}
