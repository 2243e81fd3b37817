/* Physical units: reading "7.302 ft" or "0 0 10 m", converting, and checking dimensions.
 *
 * A unit is an expression of named units with whole exponents: "kg/m3", "slug*ft2", "slug.ft2", "slug ft2",
 * "N/(m/s)2", "lb/V2", "1/s", "m^-1". '/' and products bind from left to right: "N/m*s" is (N/m)·s.
 * "lb" is the pound force (as "lbf"); the pound mass is "lbm". "hp" is 550 ft·lbf/s. "psu" is 1.
 * The radian is a dimension of its own: rpm, rad/s and deg/s are alike, Hz is 1/s and no angular rate.
 * dB is kept apart from plain numbers too. "degC" and "degF" have an offset where they stand alone ("18 degC" is
 * 291.15 K); in an expression ("W/degC") they are a difference. */
#ifndef FM_BASE_UNITS_H
#define FM_BASE_UNITS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The axes of a dimension. */
enum { FM_DIM_KG, FM_DIM_M, FM_DIM_S, FM_DIM_K, FM_DIM_A, FM_DIM_RAD, FM_DIM_DB, FM_DIM_BIT, FM_DIM_COUNT };

/* A number x in this unit is x·num/den + offset in SI. */
typedef struct fm_unit {
    double num, den, offset;
    int8_t power[FM_DIM_COUNT];
} fm_unit;

/* Reads a unit; "" is the unit of plain numbers. */
fm_status fm_unit_parse(const char *text, fm_unit *unit, fm_error *error);

bool fm_unit_compatible(const fm_unit *a, const fm_unit *b);

/* The same quantity in another unit of the same dimension. */
double fm_unit_convert(double number, const fm_unit *from, const fm_unit *to);

/* What fm_amount_parse found. */
typedef struct fm_amount {
    size_t count;          /* of numbers */
    fm_unit unit;          /* the unit as written */
    const char *unit_text; /* within the text that was parsed */
} fm_amount;

/* Reads numbers followed by one unit and delivers them in `unit`. A bare number is accepted only where `unit` is "".
 * At most `capacity` numbers are written to `values`; found->count may be more. values may be NULL to count.
 * Refused: other text, numbers that do not fit a double, another dimension. */
fm_status fm_amount_parse(const char *text, const char *unit, double *values, size_t capacity, fm_amount *found,
                          fm_error *error);

/* "an angle in rad", "a number without unit"; *example is a common unit of that kind ("deg"). */
void fm_unit_describe(const char *unit, char *buffer, size_t size, const char **example);

/* The SI unit of the same dimension in base units: "kg*m2/s2"; "" for plain numbers. */
void fm_unit_write(const fm_unit *unit, char *buffer, size_t size);

/* The named units in the order of the table, NULL after the last; for schemas and manuals. */
const char *fm_unit_name(size_t index, fm_unit *unit);

#endif
