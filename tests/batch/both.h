/* Sweeps by worlds and by lanes, side by side. TABLES: how the names of a test's tables begin. */
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
    run_fathom(&r, "sweep %s --backend worlds --csv " TABLES "_worlds.csv", sweep);
    expect(0, "runs/s, worlds)");
    run_fathom(&r, "sweep %s --backend simd --csv " TABLES "_lanes.csv", sweep);
    expect(0, " double)");
    run_shell(&r, "diff " TABLES "_worlds.csv " TABLES "_lanes.csv && wc -l <" TABLES "_lanes.csv");
    expect(0, rows);
}

/* No run was left to a world. */
static inline void all_by_lanes(const char *sweep)
{
    run_fathom(&r, "sweep %s --backend simd --csv " TABLES "_lanes.csv", sweep);
    expect(0, " double)");
    assert_null(strstr(r.err, "by worlds"));
}

#endif
