/* What the files of this folder share. */
#ifndef FM_FIGURES_INTERNAL_H
#define FM_FIGURES_INTERNAL_H

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "figures/sheet.h"

struct fm_sheet {
    const fm_figure_set *set;
    const fm_figure_spec *spec;
    fm_run_places places;
    fm_threads *pool;
    fm_arena arena;
    fm_figure *figure;
    fm_check *checks;
    size_t check_count, check_capacity;
    fm_text notes;
    bool no_memory, passed, as_known;
    fm_error error;   /* status FM_OK: drawn */
    fm_error refused; /* of the first check that accepts too much */
    unsigned char *svg;
    size_t svg_size;
};

struct fm_figures {
    fm_sheet *sheets; /* in the order of the table */
    size_t count;
};

fm_status fm_figures_write_file(const char *path, const void *bytes, size_t size, fm_error *error);
/* The whole file with a NUL behind it; free with fm_free. NULL and *error where it cannot be read. */
char *fm_figures_read_file(const char *path, size_t *size, fm_error *error);
/* Short decimal for people: 4 significant digits. Returns `buffer`. */
const char *fm_figure_number(char buffer[32], double value);

#endif
