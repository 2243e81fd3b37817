/* Shared by the REMUS figures: the scenario remus-rise, its bottom, its sonar. */
#ifndef FM_FIGURES_REMUS_H
#define FM_FIGURES_REMUS_H

#include "plot/sheet.h"

/* The text with which every figure states the assumptions, followed by their effect there. */
#define FM_REMUS_ONE_SET "Assumptions: one set for all figures (docs/theory/remus.md, \"Assumptions\"). It costs here: "

typedef struct fm_remus_case {
    double gain;       /* a, m per unit of threat */
    bool unstabilised; /* bearings of the pitched body */
    double frame;      /* s between sonar images; 0: continuous */
    double height;     /* m, of the rise */
    double rise;       /* m, where the bottom has risen */
    bool nodes;        /* each node of the bottom is a return; otherwise rays light pixels */
    double bin, beam;  /* m, degrees: of pixels */
    double threshold;  /* share of a beam's rays that a pixel must exceed */
    double weight;     /* of a return at range zero */
    double end;        /* of one at the end of the zone */
    double sector;     /* degrees, over which returns have a weight */
    bool fades;        /* the bearing weight falls to zero at the edge of the sector, not to a half */
} fm_remus_case;

/* Gain a with the one set of assumptions, docs/theory/remus.md: as scenarios/remus-rise.xml, a rise of 4 m at 60 m. */
fm_remus_case fm_remus_chosen(double gain);
/* The sonar of the reference program instead: every node returns, an image every 2.5 s, weights from 1.3 to 0. */
fm_remus_case fm_remus_nodes(double gain);

/* The run of a case, with rows. */
fm_track *fm_remus_run(fm_sheet *sheet, const fm_remus_case *c, fm_error *error);

/* The world of a case at its start. */
fm_world *fm_remus_world(fm_sheet *sheet, const fm_remus_case *c, fm_error *error);

/* Images published by the sonar in a run: row i is the image used for the threat of row i of the track, taken at the
 * pose of row i - 1. */
typedef struct fm_remus_images {
    size_t rows, bins, beams;
    uint8_t *pixels; /* [rows][bins][beams], 0: no return */
    double *nearest; /* [rows][beams] m, the nearest return of every beam; infinite: none */
} fm_remus_images;
/* A run of a case of rays with its images. */
fm_track *fm_remus_run_images(fm_sheet *sheet, const fm_remus_case *c, fm_remus_images *images, fm_error *error);
/* Range [m] of the middle of a bin and bearing [degrees, positive down] of the middle of a beam. */
double fm_remus_bin_range(const fm_remus_case *c, size_t bin);
double fm_remus_beam_bearing(const fm_remus_case *c, size_t beam);

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
/* Those of a run without rows; any thread. */
fm_status fm_remus_measure(const fm_run_folders *folders, const fm_remus_case *c, fm_remus_numbers *numbers,
                           fm_error *error);

/* Depth of the bottom, m: 20 m, less by `height` from `place` on, rising over the last node interval before it. */
double fm_remus_bottom(double x, double rise, double height);

/* Many runs, on all cores. */
typedef struct fm_remus_job {
    fm_remus_case run;
    fm_remus_numbers numbers;
    fm_error error;
} fm_remus_job;
fm_status fm_remus_run_jobs(fm_sheet *sheet, fm_remus_job *list, size_t count, fm_error *error);

/* Figures in other files. */
fm_status fm_remus_draw_sonar(fm_sheet *sheet, fm_error *error);          /* 3 */
fm_status fm_remus_draw_bearing_weight(fm_sheet *sheet, fm_error *error); /* 4 */
fm_status fm_remus_draw_range_weight(fm_sheet *sheet, fm_error *error);   /* 5 */
fm_status fm_remus_draw_threat(fm_sheet *sheet, fm_error *error);         /* 7 */
fm_status fm_remus_draw_returns(fm_sheet *sheet, fm_error *error);        /* 8 */
fm_status fm_remus_draw_phases(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_frames(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_map(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_assumptions(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_planners(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_planes(fm_sheet *sheet, fm_error *error);
fm_status fm_remus_draw_vehicle(fm_sheet *sheet, fm_error *error);

#endif
