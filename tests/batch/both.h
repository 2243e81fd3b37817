/* Sweeps by worlds and by lanes, side by side. */
#ifndef TESTS_BATCH_BOTH_H
#define TESTS_BATCH_BOTH_H

#include "support/files.h"
#include "support/program.h"

#define SCENARIO(name) FATHOM_SOURCE_DIR "/scenarios/" name ".xml"

static program_run r;

static inline void expect(int status, const char *words)
{
    expect_run(&r, status, words);
}

/* The same table, byte by byte; every number is written with all its digits. */
static inline void same_by_lanes(const char *sweep, const char *rows)
{
    run_fathom(&r, "sweep %s --backend worlds --csv by_worlds.csv", sweep);
    expect(0, "runs/s, worlds)");
    run_fathom(&r, "sweep %s --backend simd --csv by_lanes.csv", sweep);
    expect(0, " double)");
    run_shell(&r, "diff by_worlds.csv by_lanes.csv && wc -l <by_lanes.csv");
    expect(0, rows);
}

#endif
