/* The published figures (fathom/figures.h): what their own files share. */
#ifndef FM_FIGURES_FIGURES_H
#define FM_FIGURES_FIGURES_H

#include <fathom/figures.h>

/* Renews the generated part of a Markdown file: the blocks of the figures that were drawn; the others stay. */
fm_status fm_figures_validation_write(const fm_figures *figures, const char *path, fm_error *error);
/* Fails (FM_ERR_STATE) where a block of a figure that was drawn is missing there or differs. */
fm_status fm_figures_validation_check(const fm_figures *figures, const char *path, fm_error *error);

#endif
