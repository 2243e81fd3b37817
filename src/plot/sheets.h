/* The sheets of published figures (fathom/figures.h) while they are drawn and collected: shared by sheet.c, sheets.c
 * and the writers of their report. */
#ifndef FM_PLOT_SHEETS_H
#define FM_PLOT_SHEETS_H

#include <stdio.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "plot/sheet.h"
#include "scenario/folders.h"

typedef struct fm_sheet_holding fm_sheet_holding;

struct fm_sheet {
    const fm_figure_set *set;
    const fm_figure_spec *spec;
    fm_run_folders folders;
    fm_threads *pool;
    fm_arena arena;
    fm_sheet_holding *holdings; /* tracks and worlds that live as long as it does */
    FILE *scenario;             /* being written; NULL: none */
    char *scenario_text;
    size_t scenario_size;
    fm_figure *figure;
    fm_check *checks;
    size_t check_count, check_capacity;
    fm_text notes;
    bool no_memory, passed, as_known;
    fm_error error;   /* status FM_OK: drawn */
    fm_error refused; /* of the first check with too wide a tolerance */
    unsigned char *svg;
    size_t svg_size;
};

struct fm_figures {
    fm_sheet *sheets; /* in the order of the table */
    size_t count;
    fm_folders folders; /* of scenarios and models, by default */
};

/* Frees what a sheet holds, but not the sheet. */
void fm_sheet_clear(fm_sheet *sheet);

/* Updates the generated part of a Markdown file: the blocks of the figures that were drawn; other blocks are kept. */
fm_status fm_figures_validation_write(const fm_figures *figures, const char *path, fm_error *error);
/* Fails (FM_ERR_STATE) if a block of a drawn figure is missing there or differs. */
fm_status fm_figures_validation_check(const fm_figures *figures, const char *path, fm_error *error);

fm_status fm_figures_write_file(const char *path, const void *bytes, size_t size, fm_error *error);
/* The whole file with a NUL after it; free with fm_free. NULL and *error if it cannot be read. */
char *fm_figures_read_file(const char *path, size_t *size, fm_error *error);
/* Short decimal for people: 4 significant digits. Returns `buffer`. */
const char *fm_figure_number(char buffer[32], double value);

#endif
