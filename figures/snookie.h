/* Figures of Snookie in files of their own. */
#ifndef FM_FIGURES_SNOOKIE_H
#define FM_FIGURES_SNOOKIE_H

#include "plot/sheet.h"

/* snookie_rules.c */
fm_status fm_snookie_draw_fig9(fm_sheet *sheet, fm_error *error);
/* snookie_maps.c */
fm_status fm_snookie_draw_map_speed(fm_sheet *sheet, fm_error *error);
fm_status fm_snookie_draw_map_noise(fm_sheet *sheet, fm_error *error);
fm_status fm_snookie_draw_corridor(fm_sheet *sheet, fm_error *error);
/* snookie_reliability.c */
fm_status fm_snookie_draw_reliability(fm_sheet *sheet, fm_error *error);
/* snookie_neighbours.c */
fm_status fm_snookie_draw_wake(fm_sheet *sheet, fm_error *error);
fm_status fm_snookie_draw_meeting(fm_sheet *sheet, fm_error *error);

#endif
