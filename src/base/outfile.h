/* Files that are written completely or not at all: under a temporary name next to the final one, then renamed. The
 * previous file remains until then. Devices and pipes are written directly. */
#ifndef FM_BASE_OUTFILE_H
#define FM_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum { FM_OUTFILE_PATH = 4096 };

typedef struct fm_outfile {
    FILE *file;                      /* NULL: not open */
    char path[FM_OUTFILE_PATH];      /* the final name; for a link that of its target */
    char temporary[FM_OUTFILE_PATH]; /* "": there is none */
} fm_outfile;

fm_status fm_outfile_open(fm_outfile *output, const char *path, fm_error *error);
/* Renames; if anything could not be written, removes the temporary file and reports why. */
fm_status fm_outfile_close(fm_outfile *output, fm_error *error);
void fm_outfile_abandon(fm_outfile *output);
/* The path being written now, for a library that opens files itself. */
const char *fm_outfile_name(const fm_outfile *output);

/* A file that grows in place (a log): a new one, an empty one, or one that begins with these bytes; a device directly.
 * Does not touch other files or wait for a pipe. Opened for reading and writing; -1 and *error on refusal. */
int fm_outfile_in_place(const char *path, const void *magic, size_t size, fm_error *error);

/* A table that grows in place, truncated; a device or a pipe directly. NULL (errno): it cannot be opened, or the pipe
 * has no reader. */
FILE *fm_outfile_begin_table(const char *path);

/* Why a file that is abandoned could not be written, as errno; determined by writing more. */
int fm_outfile_cause(int file);

/* A file without a name in the folder of `beside`, for writing and reading; it disappears when closed. -1: none could
 * be created (errno). */
int fm_outfile_nameless(const char *beside);

fm_status fm_outfile_write(const char *path, const void *bytes, size_t size, fm_error *error);

/* Whether both names are the same file, through any links. */
bool fm_file_same(const char *a, const char *b);

#endif
