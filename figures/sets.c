/* The figure sets: one line per paper. */
#include "figures/sets.h"

static const fm_figure_set *const sets[] = {
    &fm_figures_phoenix,
    &fm_figures_remus,
    &fm_figures_fish,
    &fm_figures_snookie,
    &fm_figures_wavesim,
    &fm_figures_measured,
    NULL,
};

const fm_figure_set *const *fm_figures_sets(void)
{
    return sets;
}
