#include "run/delays.h"

#include <math.h>

static const double shortest = 1e-7; /* s, the upper end of the first bin */

static size_t bin_of(double seconds)
{
    int exponent;
    if (!(seconds > shortest))
        return 0;
    double part = frexp(seconds / shortest, &exponent); /* 0.5 … 1 */
    size_t bin = (size_t)(exponent - 1) * FM_DELAY_PARTS + (size_t)((2 * part - 1) * FM_DELAY_PARTS);
    return bin < FM_DELAY_BINS ? bin : FM_DELAY_BINS - 1;
}

/* The upper end of a bin, s. */
static double end_of(size_t bin)
{
    return shortest * ldexp(1 + (double)(bin % FM_DELAY_PARTS + 1) / FM_DELAY_PARTS, (int)(bin / FM_DELAY_PARTS));
}

void fm_delays_add(fm_delays *delays, double seconds)
{
    _Atomic uint64_t *bin = &delays->bins[bin_of(seconds)];
    atomic_store_explicit(bin, atomic_load_explicit(bin, memory_order_relaxed) + 1, memory_order_relaxed);
    if (seconds > atomic_load_explicit(&delays->worst, memory_order_relaxed))
        atomic_store_explicit(&delays->worst, seconds, memory_order_relaxed);
}

static double quantile(const uint64_t *bins, uint64_t count, double part, double worst)
{
    uint64_t below = 0;
    for (size_t i = 0; i < FM_DELAY_BINS; i++) {
        below += bins[i];
        if (below > 0 && (double)below >= part * (double)count)
            return fmin(end_of(i), worst);
    }
    return worst;
}

fm_run_delays fm_delays_read(const fm_delays *delays)
{
    fm_delays *d = (fm_delays *)(uintptr_t)delays; /* atomics are only read */
    uint64_t bins[FM_DELAY_BINS];
    fm_run_delays result = {0};
    for (size_t i = 0; i < FM_DELAY_BINS; i++) {
        bins[i] = atomic_load_explicit(&d->bins[i], memory_order_relaxed);
        result.count += bins[i];
    }
    result.worst = atomic_load_explicit(&d->worst, memory_order_relaxed);
    if (result.count == 0)
        return result;
    result.p50 = quantile(bins, result.count, 0.5, result.worst);
    result.p99 = quantile(bins, result.count, 0.99, result.worst);
    result.p999 = quantile(bins, result.count, 0.999, result.worst);
    return result;
}
