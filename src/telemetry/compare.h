/* Comparison of two logs, channel by channel and value by value. */
#ifndef FM_TELEMETRY_COMPARE_H
#define FM_TELEMETRY_COMPARE_H

#include "telemetry/mcap_reader.h"

typedef struct fm_difference {
    uint64_t messages[2];  /* in each log */
    uint64_t differing;    /* messages whose bytes or time differ, and messages that only one log has */
    int type_differs;      /* the schemas differ: no values were compared */
    uint64_t first_time;   /* ns, of the first difference */
    char first_field[160]; /* its path; "time" or "end" where a time or the number of messages differs */
    double largest;        /* largest difference of two numbers; 0 for none */
    uint64_t largest_time; /* ns */
    char largest_field[160];
    char unit[32]; /* of it */
} fm_difference;

/* Are all messages (topic, time, bytes) of both logs the same, in the same order? */
fm_status fm_compare_all(fm_mcap_reader *a, fm_mcap_reader *b, int *same, fm_error *error);

/* One channel of each log. */
fm_status fm_compare_channel(fm_mcap_reader *a, const fm_mcap_channel *in_a, fm_mcap_reader *b,
                             const fm_mcap_channel *in_b, fm_difference *difference, fm_error *error);

#endif
