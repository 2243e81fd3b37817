/* Figures of WaVeSim's survey and of sound, for the table in wavesim.c. */
#ifndef FM_FIGURES_WAVESIM_H
#define FM_FIGURES_WAVESIM_H

#include "plot/sheet.h"

/* wavesim_survey.c: the run of wavesim-survey.xml */
fm_status fm_wavesim_draw_tracks(fm_sheet *sheet, fm_error *error);
fm_status fm_wavesim_draw_ladder(fm_sheet *sheet, fm_error *error);
fm_status fm_wavesim_draw_field(fm_sheet *sheet, fm_error *error);
fm_status fm_wavesim_draw_echoes(fm_sheet *sheet, fm_error *error);

/* wavesim_sound.c */
fm_status fm_wavesim_draw_level(fm_sheet *sheet, fm_error *error);
fm_status fm_wavesim_draw_homing(fm_sheet *sheet, fm_error *error);

#endif
