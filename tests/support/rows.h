/* Reading the plain tables of tests/data: '#' starts a comment line, columns are separated by blanks. */
#ifndef TESTS_SUPPORT_ROWS_H
#define TESTS_SUPPORT_ROWS_H

#include <stdio.h>
#include <string.h>

#include "support/cmocka_all.h"

typedef struct rows {
    FILE *file;
    char line[1024];
} rows;

static inline rows open_rows(const char *name)
{
    char path[1024];
    rows r = {0};
    snprintf(path, sizeof path, TEST_DATA "/snookie/%s", name);
    r.file = fopen(path, "r");
    assert_non_null(r.file);
    return r;
}

/* The next data line in r->line; 0 at the end, where the file is closed. */
static inline int next_row(rows *r)
{
    while (fgets(r->line, sizeof r->line, r->file))
        if (r->line[0] != '#' && r->line[0] != '\n')
            return 1;
    fclose(r->file);
    return 0;
}

#endif
