/* Water Linked's serial protocol 2: wrz (velocity), wru (each transducer, from 0), wrp (dead reckoning). */
#include "bytes.h"
#include "formats.h"

/* Strengths of signal and noise are not simulated: those of a quiet tank. dBm */
enum { SIGNAL = -40, NOISE = -95 };

uint8_t broker_crc8(const char *text, size_t count)
{
    unsigned crc = 0;
    for (size_t i = 0; i < count; i++) {
        crc ^= (uint8_t)text[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 0x80 ? (crc << 1 ^ 0x07) & 0xff : crc << 1;
    }
    return (uint8_t)crc;
}

static void end_line(broker_writer *w, size_t start)
{
    if (!w->full)
        broker_print(w, "*%02x\r\n", broker_crc8(w->text + start, w->count - start));
}

static void print_velocity(broker_writer *w, const broker_dvl *dvl)
{
    const double *v = dvl->velocity, variance = dvl->deviation * dvl->deviation;
    int valid = !isnan(v[0]) && !isnan(dvl->altitude);
    long long micro = llround(1e6 * broker_within(dvl->utc, 0, BROKER_LAST));
    size_t start = w->count;
    broker_print(w, "wrz,%.3f,%.3f,%.3f,%c,%.2f,%.3f,", valid ? v[0] : 0, valid ? v[1] : 0, valid ? v[2] : 0,
                 valid ? 'y' : 'n', valid ? dvl->altitude : -1, dvl->deviation);
    broker_print(w, "%g;0;0;0;%g;0;0;0;%g,%lld,%lld,%.2f,0", variance, variance, variance, micro, micro,
                 1000 * dvl->since);
    end_line(w, start);
}

static void print_transducer(broker_writer *w, const broker_dvl *dvl, int i)
{
    int heard = !isnan(dvl->range[i]);
    size_t start = w->count;
    broker_print(w, "wru,%d,%.3f,%.2f,%d,%d", i, heard ? dvl->beam_velocity[i] : 0, heard ? dvl->range[i] : -1, SIGNAL,
                 NOISE);
    end_line(w, start);
}

static void print_position(broker_writer *w, const broker_dvl *dvl)
{
    size_t start = w->count;
    broker_print(w, "wrp,%.3f,%.2f,%.2f,%.2f,%.1f,%.1f,%.1f,%.1f,0", dvl->utc, dvl->travelled[0], dvl->travelled[1],
                 dvl->travelled[2], dvl->deviation, broker_known(dvl->roll) * BROKER_DEGREES,
                 broker_known(dvl->pitch) * BROKER_DEGREES, broker_compass(dvl->heading, 10));
    end_line(w, start);
}

size_t broker_dvl_waterlinked(const broker_dvl *dvl, char *text, size_t room)
{
    broker_writer w = {text, room, 0, 0};
    print_velocity(&w, dvl);
    for (int i = 0; i < 4; i++)
        print_transducer(&w, dvl, i);
    print_position(&w, dvl);
    return broker_written(&w);
}
