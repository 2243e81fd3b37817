/* A distribution of delays, gathered without locks or memory: one thread adds, any thread reads. */
#ifndef FM_RUN_DELAYS_H
#define FM_RUN_DELAYS_H

#include <fathom/run.h>
#include <stdatomic.h>

/* 16 bins per doubling from 0.1 µs to about 1.9 h: a quantile is at most 6.3 % above the true one. */
enum { FM_DELAY_PARTS = 16, FM_DELAY_OCTAVES = 36, FM_DELAY_BINS = FM_DELAY_PARTS * FM_DELAY_OCTAVES };

typedef struct fm_delays {
    _Atomic uint64_t bins[FM_DELAY_BINS];
    _Atomic double worst; /* s */
} fm_delays;

/* Adds a delay, s; one below 0 counts as 0. */
void fm_delays_add(fm_delays *delays, double seconds);
/* The quantiles so far. Any thread. */
fm_run_delays fm_delays_read(const fm_delays *delays);

#endif
