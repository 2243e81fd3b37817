/* `fathom bench --against FILE.json`: results beside those of an earlier run. */
#ifndef BENCH_AGAINST_H
#define BENCH_AGAINST_H

#include "bench.h"

/* What an earlier run has written with --json. */
typedef struct bench_earlier {
    char *text;
    const char *results;
} bench_earlier;

/* Prints what is wrong with the file; false then. */
bool bench_earlier_read(bench_earlier *earlier, const char *path);
void bench_earlier_free(bench_earlier *earlier);

/* The speed of a result divided by its earlier one: 2 is twice as fast, in half the time or with half the delay. NaN:
 * the earlier run has not measured it. */
double bench_earlier_ratio(const bench_earlier *earlier, const bench_result *result);

/* The processor that programs report, as /proc/cpuinfo has it, and the number of processors that may be used. */
void bench_machine(char *text, size_t size);
/* Whether the earlier run was made on such a machine; true if its file does not tell. */
bool bench_earlier_same_machine(const bench_earlier *earlier, const char *machine);

#endif
