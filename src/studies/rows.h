/* A file of rows of numbers that survives a crash: each with a key of two numbers and a checksum. What a search or a
 * fit has computed is found in it again by --resume. */
#ifndef FM_STUDIES_ROWS_H
#define FM_STUDIES_ROWS_H

#include <fathom/status.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fm_rows {
    int file; /* -1: closed */
    char path[4096];
    size_t words;    /* numbers of a row */
    double *row;     /* one record */
    size_t count;    /* rows that were there when it was opened */
    uint64_t *keys;  /* [count][2] of those */
    size_t next;     /* of those: where the next one is looked for first */
    size_t added;    /* since */
    fm_error failed; /* the first write that failed */
} fm_rows;

/* Opens or creates a file for rows of `words` numbers, and locks it. `identity`: of all that the rows depend on. With
 * `resume` the rows of an earlier session are found again; without it an existing file with rows is refused. `what`:
 * "search". */
fm_status fm_rows_open(fm_rows *rows, const char *path, size_t words, uint64_t identity, bool resume, const char *what,
                       fm_error *error);
/* Copies a row of an earlier session; false: there is none with these keys. */
bool fm_rows_find(fm_rows *rows, uint64_t first, uint64_t second, double *numbers);
/* Adds a row and writes it at once; failures are recorded in `failed`. */
void fm_rows_add(fm_rows *rows, uint64_t first, uint64_t second, const double *numbers);
/* Closes; `remove`: its rows are no longer needed. A file without rows is removed in any case. */
void fm_rows_close(fm_rows *rows, bool remove);

#endif
