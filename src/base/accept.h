/* Numbers from outside (the wire, a request, a line of text): checked before they are used. */
#ifndef FM_BASE_ACCEPT_H
#define FM_BASE_ACCEPT_H

#include <stdbool.h>

#include "base/error.h"

/* The accepted range: least … most, whole numbers or any. */
typedef struct fm_number_range {
    double least, most;
    bool whole;
} fm_number_range;

/* "index: 1e+300 is out of range: must be a whole number -1 … 1e+06". NaN is out of range. */
fm_status fm_number_accept(const char *name, double value, fm_number_range range, fm_error *error);
/* A decimal number and nothing after it; no hexadecimal, no "nan", no "inf". */
fm_status fm_number_read(const char *name, const char *text, double *value, fm_error *error);

#endif
