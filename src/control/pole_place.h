/* Gains computed from a model: pole placement for one input (Ackermann), the sliding surface for the pole at zero, and
 * the trim of a buoyant vehicle. Load time only. docs/theory/remus.md (R4)-(R6) */
#ifndef FM_CONTROL_POLE_PLACE_H
#define FM_CONTROL_POLE_PLACE_H

#include <fathom/status.h>

#include "control/sliding_mode.h"
#include "physics/diving.h"

enum { FM_POLES_MAX = 8 };

/* The gains k (n) for which A - b k has the real poles given (n); a is n x n row-major, b has n. (R4) */
fm_status fm_poles_assign(size_t n, const double *a, const double *b, const double *poles, double *k, fm_error *error);

/* The left null vector s of a (n x n), s.a = 0, scaled to s[n-1] = 1. FM_ERR_MODEL unless the null space has exactly
 * one dimension and that element is not zero. (R5) */
fm_status fm_dense_left_null(size_t n, const double *a, double *s, fm_error *error);

/* The linear depth model of [w q theta Z]: Zd = w - U theta. */
void fm_diving_linear(const fm_diving_model *model, double a[16], double b[4], double d[4]);

/* Level flight: w0 [m/s], theta0 [rad] and delta0 [rad] that hold the depth against W - B. (R6) */
fm_status fm_diving_trim(const fm_diving_model *model, double *w, double *theta, double *delta, fm_error *error);

/* What the designer chooses. */
typedef struct fm_sliding_design {
    double poles[3]; /* 1/s, of the motion on the sliding surface; the fourth pole is at zero */
    double rate;     /* m/s, largest sliding rate: eta = rate / (s.b) */
    double phi;      /* m, boundary layer */
    double limit;    /* rad, plane limit */
    int trimmed;     /* 1: feed the trim forward; 0: zero trim */
} fm_sliding_design;

/* Everything the depth autopilot needs, from the model (R4)-(R6). */
fm_status fm_sliding_gains(const fm_diving_model *model, const fm_sliding_design *design, fm_sliding_params *gains,
                           fm_error *error);

#endif
