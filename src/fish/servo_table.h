/* The servo look-up table: M rows of joint angles that follow the body wave, and its CSV file.
 *
 * The file is what a real fish's servo controller could read: comment lines with '#', a heading line, then M lines
 * "phase_deg,joint1_deg,joint2_deg …", a column for each joint, with equally spaced phases from 0. Angles are positive
 * clockwise seen from above. */
#ifndef FM_FISH_SERVO_TABLE_H
#define FM_FISH_SERVO_TABLE_H

#include <stddef.h>
#include <stdio.h>

#include <fathom/status.h>

#include "physics/fish.h"

enum { FM_SERVO_ROWS_MIN = 4, FM_SERVO_ROWS_MAX = 360 };

typedef struct fm_servo_table {
    int rows;                                              /* M */
    double limit;                                          /* largest angle a servo takes, rad */
    fm_fish_tail tail;                                     /* joints, a column each, and links */
    double angle[FM_SERVO_ROWS_MAX * FM_FISH_JOINTS_MOST]; /* row-major, tail.joints a row, rad */
} fm_servo_table;

/* Joint angles at one phase by stepping along the wave with the links as chords; fails where a link cannot reach. */
fm_status fm_servo_fit_phase(const fm_fish_params *wave, const fm_fish_tail *tail, double cycles, double *angle,
                             fm_error *error);

/* The whole table. `limit` in rad; an angle past it is refused (FM_ERR_RANGE). */
fm_status fm_servo_table_fit(fm_servo_table *table, const fm_fish_params *wave, const fm_fish_tail *tail, int rows,
                             double limit, fm_error *error);
/* A table of sines instead: joint j has swing[j] sin(2 pi cycles - lag[j]), rad. */
fm_status fm_servo_table_swing(fm_servo_table *table, const fm_fish_tail *tail, const double *swing, const double *lag,
                               int rows, double limit, fm_error *error);
/* Largest lateral excursion of the tip over the table's rows, m. */
double fm_servo_table_reach(const fm_servo_table *table);

fm_status fm_servo_table_write(const fm_servo_table *table, FILE *out, fm_error *error);
fm_status fm_servo_table_save(const fm_servo_table *table, const char *path, fm_error *error);

/* Reading keeps table->tail, which says how many columns there are, and takes `limit`; `name` stands for the file in
 * messages. */
fm_status fm_servo_table_parse(fm_servo_table *table, const char *text, size_t size, const char *name, double limit,
                               fm_error *error);
fm_status fm_servo_table_load(fm_servo_table *table, const char *path, double limit, fm_error *error);

#endif
