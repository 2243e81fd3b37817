/* The sets of figures, each in its own file. */
#ifndef FM_FIGURES_SETS_H
#define FM_FIGURES_SETS_H

#include <fathom/figures.h>

extern const fm_figure_set fm_figures_phoenix;
extern const fm_figure_set fm_figures_remus;
extern const fm_figure_set fm_figures_fish;
extern const fm_figure_set fm_figures_snookie;
extern const fm_figure_set fm_figures_wavesim;
extern const fm_figure_set fm_figures_measured;

#endif
