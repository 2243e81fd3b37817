/* What the encoders of NMEA 0183 share: a sentence that grows, its fields and its end. */
#ifndef FM_BRIDGES_NMEA_NMEA_TEXT_H
#define FM_BRIDGES_NMEA_NMEA_TEXT_H

#include <stddef.h>

#define FM_NMEA_KNOT (1852. / 3600)                    /* m/s */
#define FM_NMEA_DEGREES (180 / 3.14159265358979323846) /* in a rad */

typedef struct fm_nmea_writer {
    char *text;
    size_t room, count;
    int full;
} fm_nmea_writer;

void fm_nmea_print(fm_nmea_writer *writer, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds the checksum and the end of the line from `start` on; returns the number of characters, 0: no room. */
size_t fm_nmea_finish(fm_nmea_writer *writer, size_t start);
/* Degrees in [0, 360) from rad, rounded to a tenth, never 360; NaN stays NaN. */
double fm_nmea_compass(double angle);

#endif
