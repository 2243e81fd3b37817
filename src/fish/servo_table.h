/* The servo look-up table: M rows of four joint angles that follow the body wave, and its CSV file.
 *
 * The file is what a real fish's servo controller could read: comment lines with '#', a heading line, then M lines
 * "phase_deg,joint1_deg,joint2_deg,joint3_deg,joint4_deg" with equally spaced phases from 0. Angles are positive
 * clockwise seen from above. */
#ifndef FM_FISH_SERVO_TABLE_H
#define FM_FISH_SERVO_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include <fathom/status.h>

#include "physics/fish.h"

enum { FM_SERVO_ROWS_MIN = 4, FM_SERVO_ROWS_MAX = 360 };

typedef struct fm_servo_table {
    int rows;                                         /* M */
    double limit;                                     /* largest angle a servo takes, rad */
    double link[FM_FISH_JOINTS];                      /* lengths, m; their sum is the tail's */
    double angle[FM_SERVO_ROWS_MAX * FM_FISH_JOINTS]; /* row-major, rad */
} fm_servo_table;

/* How well a table follows the wave. */
typedef struct fm_servo_fit {
    double deviation;            /* largest distance of the wave from the chord's line, m */
    double tip_amplitude;        /* largest lateral excursion of the tip, m */
    double tip_x_min, tip_x_max; /* m behind joint 1 */
    double length_error;         /* largest error of a link's length, m */
} fm_servo_fit;

/* Joint angles at one phase by stepping along the wave with the links as chords; fails where a link cannot reach. */
fm_status fm_servo_fit_phase(const fm_fish_params *wave, const double link[4], double cycles, double angle[4],
                             fm_error *error);

/* The whole table. `limit` in rad; an angle past it is refused (FM_ERR_RANGE). */
fm_status fm_servo_table_fit(fm_servo_table *table, const fm_fish_params *wave, const double link[4], int rows,
                             double limit, fm_error *error);
fm_status fm_servo_table_check_fit(const fm_servo_table *table, const fm_fish_params *wave, fm_servo_fit *fit,
                                   fm_error *error);

fm_status fm_servo_table_write(const fm_servo_table *table, FILE *out, fm_error *error);
fm_status fm_servo_table_save(const fm_servo_table *table, const char *path, fm_error *error);

/* Reading keeps table->link and takes `limit`; `name` stands for the file in messages. */
fm_status fm_servo_table_parse(fm_servo_table *table, const char *text, size_t size, const char *name, double limit,
                               fm_error *error);
fm_status fm_servo_table_load(fm_servo_table *table, const char *path, double limit, fm_error *error);

#endif
