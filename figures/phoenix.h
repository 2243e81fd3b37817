/* Shared by the Phoenix figures. Feet, as in the dissertation, and degrees. */
#ifndef FM_FIGURES_PHOENIX_H
#define FM_FIGURES_PHOENIX_H

#include "plot/sheet.h"

#define FM_FOOT 0.3048 /* m */

typedef struct fm_phoenix_case {
    const char *attributes;  /* of the vehicle: "velocity='2 0 0 ft/s'" */
    const char *orders;      /* at t = 0: "propellers='700 rpm'" */
    const char *integrator;  /* NULL: rk4 */
    double dt;               /* s; 0: 0.05 */
    double duration;         /* s; 0: 60 */
    const char *const *sets; /* parameters, NULL-terminated; may be NULL */
} fm_phoenix_case;

/* Phoenix alone in still fresh water. */
fm_track *fm_phoenix_run(fm_sheet *sheet, const fm_phoenix_case *c, fm_error *error);

/* A column in another unit: feet (1 / FM_FOOT) or degrees. */
double *fm_phoenix_column(fm_sheet *sheet, const fm_track *track, const char *name, double unit);

extern const char fm_phoenix_reference[]; /* the remark of numbers from the reference program */

/* Figures in other files. */
fm_status fm_phoenix_draw_hover(fm_sheet *sheet, fm_error *error);
fm_status fm_phoenix_draw_port(fm_sheet *sheet, fm_error *error);
fm_status fm_phoenix_draw_release(fm_sheet *sheet, fm_error *error);
fm_status fm_phoenix_draw_schemes(fm_sheet *sheet, fm_error *error);
fm_status fm_phoenix_draw_misprints(fm_sheet *sheet, fm_error *error);
fm_status fm_phoenix_draw_mission(fm_sheet *sheet, fm_error *error);

#endif
