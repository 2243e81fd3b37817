/* Figures of the robotic fish in files of their own. */
#ifndef FM_FIGURES_FISH_H
#define FM_FIGURES_FISH_H

#include <fathom/fish.h>

#include "plot/sheet.h"

enum { FM_FISH_FRAME_A = 490, FM_FISH_FRAME_B = 523 }; /* s: the moments of Fig. 12 that are drawn */

/* The tail of the model robotic-fish. */
fm_status fm_fish_find_tail(fm_sheet *sheet, fm_tail *tail, fm_error *error);

fm_status fm_fish_draw_eyes(fm_sheet *sheet, fm_error *error); /* Fig. 11: fish_eyes.c */
fm_status fm_fish_draw_locomotion(fm_sheet *sheet,
                                  fm_error *error); /* speed over c1, c2, k, omega: fish_locomotion.c */
fm_status fm_fish_draw_behaviours(fm_sheet *sheet, fm_error *error); /* fish_behaviours.c */
fm_status fm_fish_draw_depth(fm_sheet *sheet, fm_error *error);      /* fish_behaviours.c */
fm_status fm_fish_draw_target(fm_sheet *sheet, fm_error *error);     /* fish_target.c */

#endif
