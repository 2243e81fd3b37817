/* What the REMUS figures share: the scenario remus-rise, its bottom, its sonar. */
#ifndef FM_FIGURES_REMUS_H
#define FM_FIGURES_REMUS_H

#include "figures/sheet.h"

typedef struct fm_remus_case {
    double gain;       /* a, m per unit of threat */
    bool unstabilised; /* bearings of the pitched body */
    double frame;      /* s between sonar images; 0: continuous */
    double height;     /* m, of the rise */
    double place;      /* m, where the bottom has risen */
} fm_remus_case;

/* Gain a, stabilised, an image every 2.5 s, a rise of 4 m at 60 m. */
fm_remus_case fm_remus_published(double gain);

/* The run of a case in an arena; `rows` false: metrics only. */
fm_track *fm_remus_run(const fm_run_places *places, const fm_remus_case *c, bool rows, fm_arena *arena,
                       fm_error *error);
/* The same in the sheet's memory, with rows. */
fm_track *fm_remus_sheet_run(fm_sheet *sheet, const fm_remus_case *c, fm_error *error);

/* Metrics of a run. */
typedef struct fm_remus_numbers {
    double least_altitude; /* m */
    double peak_pitch;     /* degrees, nose up */
    double reversals;      /* swings of the pitch by more than 10 degrees */
    double late_swing;     /* degrees, peak to peak after 100 s */
    double late_altitude;  /* m, mean after 100 s */
    double threat_peak;
    double contacts;
} fm_remus_numbers;
fm_remus_numbers fm_remus_numbers_of(const fm_track *track);

/* Depth of the bottom, m: 20 m, less by `height` from `place` on, rising over the last node interval before it. */
double fm_remus_bottom(double x, double place, double height);

/* Figures in other files. */
fm_status fm_remus_draw_sonar(fm_sheet *sheet, fm_error *error);          /* 3 */
fm_status fm_remus_draw_bearing_weight(fm_sheet *sheet, fm_error *error); /* 4 */
fm_status fm_remus_draw_range_weight(fm_sheet *sheet, fm_error *error);   /* 5 */
fm_status fm_remus_draw_returns(fm_sheet *sheet, fm_error *error);        /* 8 */
fm_status fm_remus_draw_phases(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_frames(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_map(fm_sheet *sheet, fm_error *error);

#endif
