/* Shared by HTML pages: their style, tables and figures. */
#ifndef FM_PLOT_PAGE_H
#define FM_PLOT_PAGE_H

#include "base/text.h"
#include "plot/figure.h"

extern const char fm_page_style[];
/* A row of a table of two columns. */
void fm_page_add_row(fm_text *page, const char *key, const char *value);
/* A figure within the page, which it frees. */
fm_status fm_page_add_figure(fm_text *page, fm_figure *figure, fm_error *error);

#endif
