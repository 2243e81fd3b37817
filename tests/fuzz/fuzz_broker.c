/* libFuzzer target: any bytes as a line that software writes to the motors or the modem of examples/broker; and, behind
 * a first byte of 0xff, as the numbers that its instruments report: each report fits, or is left out. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "formats.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_line(const uint8_t *data, size_t size)
{
    static broker_order orders[BROKER_ORDERS];
    static broker_frame frame;
    char *line = malloc(size + 1), said[BROKER_LINES];
    if (!line)
        return;
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
        abort(); /* a frame that can be read can be reported */
    free(line);
}

/* A text of that length, with its end, within the room. */
static void check_text(size_t length, const char *text, size_t room)
{
    if (length >= room || (length > 0 && strnlen(text, room) != length))
        abort();
}

static void say_dvl(const broker_dvl *dvl, size_t room)
{
    uint8_t *bytes = malloc(room);
    char *text = (char *)bytes;
    if (broker_dvl_pd0(dvl, bytes, room) > room || broker_dvl_df21(dvl, bytes, room) > room)
        abort();
    check_text(broker_dvl_pd6(dvl, text, room), text, room);
    check_text(broker_dvl_pnor(dvl, text, room), text, room);
    check_text(broker_dvl_waterlinked(dvl, text, room), text, room);
    free(bytes);
}

static void say_others(const double numbers[8], int flag, size_t room)
{
    char *text = malloc(room);
    const broker_ctd ctd = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
    const broker_fix fix = {.utc = numbers[0],
                            .valid = flag & 1,
                            .latitude = numbers[1],
                            .longitude = numbers[2],
                            .altitude = numbers[3],
                            .separation = numbers[4],
                            .speed = numbers[5],
                            .course = numbers[6],
                            .satellites = flag >> 1,
                            .dilution = numbers[7]};
    check_text(broker_ctd_sbe49(&ctd, text, room), text, room);
    check_text(broker_nmea_gga("GP", &fix, text, room), text, room);
    check_text(broker_nmea_rmc("GP", &fix, text, room), text, room);
    check_text(broker_nmea_hdt("II", numbers[0], text, room), text, room);
    check_text(broker_nmea_tilt("II", numbers[0], numbers[1], text, room), text, room);
    check_text(broker_nmea_dpt("II", numbers[0], numbers[1], text, room), text, room);
    check_text(broker_nmea_pressure("II", numbers[0], text, room), text, room);
    check_text(broker_pressure_digiquartz(numbers[0], text, room), text, room);
    free(text);
}

static void report(const uint8_t *data, size_t size)
{
    broker_dvl dvl = {0};
    double numbers[8] = {0};
    size_t room = size > 1 ? 1 + (data[0] | (size_t)data[1] << 8) % BROKER_LINES : BROKER_LINES;
    if (size)
        memcpy(numbers, data, size < sizeof numbers ? size : sizeof numbers);
    if (size)
        memcpy(&dvl, data, size < sizeof dvl ? size : sizeof dvl);
    say_dvl(&dvl, room);
    say_others(numbers, size ? data[size - 1] : 0, room);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size && data[0] == 0xff)
        report(data + 1, size - 1);
    else
        read_line(data, size);
    return 0;
}
