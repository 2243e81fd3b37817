/* Error-state Kalman filter of dead reckoning: the errors of the reckoned position, the heading and the velocities.
 * docs/theory/control.md (C29)-(C31). True value = estimated value + error; the caller adds a correction to the
 * estimate, and the mean of the error is then zero again. */
#ifndef FM_CONTROL_ERROR_FILTER_H
#define FM_CONTROL_ERROR_FILTER_H

enum {
    FM_ERROR_NORTH, /* m, of the place */
    FM_ERROR_EAST,
    FM_ERROR_DOWN,
    FM_ERROR_HEADING,       /* rad, of the heading instrument's bias */
    FM_ERROR_AHEAD,         /* m/s, of the velocity instrument's bias, body axes */
    FM_ERROR_STARBOARD,     /* m/s */
    FM_ERROR_CURRENT_NORTH, /* m/s, of the current */
    FM_ERROR_CURRENT_EAST,
    FM_ERROR_STATES
};
enum { FM_ERROR_MEASURED_MOST = 3 };

typedef struct fm_error_filter {
    double p[FM_ERROR_STATES * FM_ERROR_STATES]; /* covariance, by row */
} fm_error_filter;

/* The motion of dead reckoning in one step, and its uncertainty. */
typedef struct fm_reckoning {
    double dt;             /* s */
    double velocity[3];    /* m/s over ground, NED: heading errors rotate it */
    double rotation[9];    /* body → world */
    int through_water;     /* 1: the velocity over ground is the measured one plus the current */
    double velocity_pd[3]; /* m²/s: white noise of the measured velocity, body axes: variance times sample interval */
    double heading_pd;     /* rad²·s, white noise of the measured heading */
    double heading_walk, velocity_walk, current_walk; /* of the biases and the current, per √s */
} fm_reckoning;

/* m² by which the position becomes more uncertain in the step, NED by row. */
void fm_reckoning_noise(const fm_reckoning *r, double q[9]);

/* (C29) */
void fm_error_filter_predict(fm_error_filter *filter, const fm_reckoning *r);

/* (C30) A measurement of `count` values (up to FM_ERROR_MEASURED_MOST): innovation = H (error − w) + noise of
 * covariance R, where w is the position error accumulated since the sample was taken, of covariance `since` (m², NED by
 * row; NULL: it was taken now). Fills `correction` with the values to add to the estimate and returns the squared
 * Mahalanobis distance d²; if d² > gate² nothing changes and the correction is zero. -1: singular, nothing changes. */
double fm_error_filter_correct(fm_error_filter *filter, int count, const double *h, const double *noise,
                               const double since[9], const double *innovation, double gate,
                               double correction[FM_ERROR_STATES]);

/* (C31) eᵀ P⁻¹ e for a position error e, m, NED. */
double fm_error_filter_consistency(const fm_error_filter *filter, const double error[3]);

#endif
