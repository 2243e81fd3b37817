/* The marks of an axis and their labels. */
#ifndef FM_PLOT_TICKS_H
#define FM_PLOT_TICKS_H

#include <stddef.h>

enum { FM_TICKS_MAX = 40, FM_TICKS_MINOR_MAX = 400, FM_TICK_TEXT = 48 };

typedef struct fm_ticks {
    size_t count, minor_count;
    double at[FM_TICKS_MAX];               /* in data units */
    double minor[FM_TICKS_MINOR_MAX];      /* in data units, without the major ones */
    char text[FM_TICKS_MAX][FM_TICK_TEXT]; /* "−0.5"; may be empty on a log axis */
    char factor[FM_TICK_TEXT];             /* what the numbers are to be multiplied with: "×10⁴", or "" */
    const char *unit;                      /* time axes: the unit of the numbers, "s", "min" or "h"; else NULL */
} fm_ticks;

/* Marks between low and high (low < high), at most `most` of them (2 … FM_TICKS_MAX).
 * linear: multiples of 1, 2 or 5 times a power of ten.
 * time:   low and high in s; seconds, minutes or hours by the length, at steps people count in (15 s, 30 min, 6 h).
 * log:    powers of ten, with 2 and 5 between where there is room; low > 0. */
void fm_ticks_linear(fm_ticks *ticks, double low, double high, size_t most);
void fm_ticks_time(fm_ticks *ticks, double low, double high, size_t most);
void fm_ticks_log(fm_ticks *ticks, double low, double high, size_t most);

/* The names that lie between low and high, at 0, 1, 2 …. */
void fm_ticks_named(fm_ticks *ticks, double low, double high, const char *const *names, size_t count);

/* "10⁻³" */
void fm_power_text(char *text, size_t size, int exponent);

#endif
