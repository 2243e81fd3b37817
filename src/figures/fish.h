/* Figures of the robotic fish that stand in a file of their own. */
#ifndef FM_FIGURES_FISH_H
#define FM_FIGURES_FISH_H

#include "figures/sheet.h"

fm_status fm_fish_draw_eyes(fm_sheet *sheet, fm_error *error); /* Fig. 11: fish_eyes.c */

#endif
