/* Files that are written whole or not at all: into a temporary name beside the last one, then renamed. What was there
 * before stays until then. Devices and pipes are written as they are. */
#ifndef FM_BASE_OUTFILE_H
#define FM_BASE_OUTFILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

enum { FM_OUTFILE_PATH = 4096 };

typedef struct fm_outfile {
    FILE *file;                      /* NULL: not open */
    char path[FM_OUTFILE_PATH];      /* the last name; that of the file itself where a link was given */
    char temporary[FM_OUTFILE_PATH]; /* "": there is none */
} fm_outfile;

fm_status fm_outfile_open(fm_outfile *output, const char *path, fm_error *error);
/* Renames; where anything could not be written, removes the temporary file and says why. */
fm_status fm_outfile_close(fm_outfile *output, fm_error *error);
void fm_outfile_abandon(fm_outfile *output);
/* Where the bytes go now, for a library that opens files itself. */
const char *fm_outfile_name(const fm_outfile *output);

/* A file that grows in place (a log): a new one, an empty one, or one that begins with these bytes; a device as it is.
 * Nothing else is touched, and no pipe is waited for. Opened to read and write; -1 and *error where it is refused. */
int fm_outfile_in_place(const char *path, const void *magic, size_t size, fm_error *error);

/* A table that grows in place, emptied; a device or a pipe as it is. NULL (errno): it cannot be opened, or nobody reads
 * the pipe. */
FILE *fm_outfile_begin_table(const char *path);

/* Why a file that is given up could not be written, as errno; found by writing more. */
int fm_outfile_cause(int file);

/* A file without a name in the folder of `beside`, to write and read; it is gone once it is closed. -1: none could be
 * made (errno). */
int fm_outfile_nameless(const char *beside);

fm_status fm_outfile_write(const char *path, const void *bytes, size_t size, fm_error *error);

/* Whether both names are the same file, by whatever links. */
bool fm_file_same(const char *a, const char *b);

#endif
