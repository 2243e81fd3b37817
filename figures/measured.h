/* Measured vehicles: shared by the files of this set. */
#ifndef FM_FIGURES_MEASURED_H
#define FM_FIGURES_MEASURED_H

#include "plot/sheet.h"

/* One measured number beside ours. */
typedef struct fm_measured_point {
    double input;   /* command, thrust, amplitude … */
    double value;   /* measured */
    double spread;  /* standard deviation or half range; 0: not known */
    double ours;    /* filled by the run */
    bool is_fitted; /* a parameter of the model was fitted to it: no prediction */
} fm_measured_point;

/* Measured points with their spread as bars, in one plot. */
void fm_measured_scatter(fm_axes *axes, const fm_measured_point *points, size_t count, const char *label);

/* Checks ours against the measured value within a fraction of it, and states whether the model was fitted to it. */
void fm_measured_check(fm_sheet *sheet, const char *quantity, const char *unit, double ours, double measured,
                       double part, bool is_fitted, const char *record);

/* The first track of the scenario that was written to fm_sheet_scenario; those of all other vehicles follow it. */
fm_track *fm_measured_run(fm_sheet *sheet, double every, fm_error *error);

fm_status fm_measured_draw_bluerov2_speeds(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_bluerov2_attitude(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_bluerov2_pitch(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_otter(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_heron(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_kvlcc2_circle(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_kvlcc2_zigzag(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_slocum_flight(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_slocum_polar(fm_sheet *sheet, fm_error *error);
fm_status fm_measured_draw_fish(fm_sheet *sheet, fm_error *error);

#endif
