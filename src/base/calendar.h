/* Dates and times in UTC, as in ISO 8601 and RFC 3339: "2026-05-04T12:30:00Z". Leap seconds are not counted. */
#ifndef FM_BASE_CALENDAR_H
#define FM_BASE_CALENDAR_H

#include <stdbool.h>
#include <stddef.h>

/* A point in time of the proleptic Gregorian calendar. */
typedef struct fm_calendar {
    int year, month, day; /* month and day from 1 */
    int hour, minute;     /* of the day, UTC */
    double second;        /* 0 to less than 60 */
} fm_calendar;

/* Reads "YYYY-MM-DD", "YYYY-MM-DDThh:mm" or "YYYY-MM-DDThh:mm:ss[.s…]", with or without a final Z, from 1970 to 9999,
 * into seconds since 1970. False: the text is not a date, or not a valid one. */
bool fm_calendar_read(const char *text, double *seconds);
/* Splits seconds since 1970; the second is rounded to `digits` digits, and never becomes 60. */
fm_calendar fm_calendar_from(double seconds, int digits);
/* Writes "YYYY-MM-DDThh:mm:ssZ" with `digits` digits of the second. Returns `buffer`. */
const char *fm_calendar_write(double seconds, int digits, char *buffer, size_t size);

#endif
