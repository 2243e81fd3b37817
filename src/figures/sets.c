/* The figure sets: one line a paper. */
#include "figures/sets.h"

const fm_figure_set *const fm_figure_sets[] = {
    &fm_figures_phoenix, &fm_figures_remus, &fm_figures_fish, &fm_figures_snookie, NULL,
};
