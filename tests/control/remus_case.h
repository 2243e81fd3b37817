/* The published REMUS over a sudden rise of the bottom, run with the kernels in a plain loop. Shared by tests. */
#ifndef FM_TESTS_REMUS_CASE_H
#define FM_TESTS_REMUS_CASE_H

#include <math.h>
#include <string.h>

#include "control/pole_place.h"
#include "control/remus_metrics.h"
#include "control/remus_params.h"
#include "control/sliding_mode.h"

static inline fm_sliding_design remus_design(void)
{
    return (fm_sliding_design){
        .poles = {-1.0, -1.05, -1.1}, .rate = 1.1, .phi = 0.5, .limit = 13.6 * FM_DEGREE, .trimmed = 1};
}

enum { BOTTOM_NODES = 6000 };

typedef struct bottom {
    double spacing;
    double depth[BOTTOM_NODES];
} bottom;

/* 20 m deep, 16 m from x_step on; linear between nodes. */
static inline void make_rise(bottom *b, double spacing, double x_step)
{
    b->spacing = spacing;
    for (size_t i = 0; i < BOTTOM_NODES; i++)
        b->depth[i] = (double)i * spacing >= x_step - 1e-9 ? 16 : 20;
}

static inline double bottom_at(const bottom *b, double x)
{
    const double cell = fmax(0, x / b->spacing), low = floor(cell);
    const size_t i = (size_t)low;
    return b->depth[i] + (cell - low) * (b->depth[i + 1] - b->depth[i]);
}

static inline double threat_at(const fm_threat_params *p, const bottom *b, double x, double z, double theta)
{
    const size_t first = (size_t)fmax(0, floor(x / b->spacing)), count = (size_t)(p->range / b->spacing) + 2;
    return fm_threat_of_nodes(p, 0, b->depth, first, count, x, z, theta);
}

typedef struct remus_case {
    fm_diving_params params;
    fm_sliding_design design;
    fm_threat_params threat;
    double x_step, dt;
    void (*sample)(void *user, int step, const fm_diving_state *s, double bottom, double h_com, double threat,
                   double delta);
    void *user;
} remus_case;

static inline remus_case remus_standard(double gain, int stabilised)
{
    return (remus_case){.params = remus_params(1.54),
                        .design = remus_design(),
                        .threat = remus_threat(gain, stabilised),
                        .x_step = 60,
                        .dt = 0.05};
}

/* 150 s from X = 0, Z = 17 in trim. */
static inline fm_status remus_run(const remus_case *c, fm_remus_metrics *metrics, fm_error *error)
{
    static bottom bed;
    make_rise(&bed, c->threat.spacing, c->x_step);
    const fm_diving_model model = fm_diving_derive(&c->params);
    fm_sliding_params gains;
    fm_status status = fm_sliding_gains(&model, &c->design, &gains, error);
    if (status != FM_OK)
        return status;
    fm_diving_state s = {.w = gains.trim_w, .theta = gains.trim_theta, .z = 17};
    fm_threat_state sonar = {0};
    memset(metrics, 0, sizeof *metrics);
    const int steps = (int)lround(150 / c->dt);
    for (int i = 0; i <= steps; i++) {
        double fresh = 0;
        if (fm_threat_due(&c->threat, &sonar, c->dt))
            fresh = threat_at(&c->threat, &bed, s.x, s.z, s.theta);
        const double threat = fm_threat_hold(&c->threat, &sonar, fresh, c->dt),
                     h_com = fm_threat_altitude(&c->threat, threat);
        const double depth = bottom_at(&bed, s.x), h = depth - s.z;
        const fm_diving_input in = {.delta = fm_sliding_dive(&gains, s.w, s.q, s.theta, h_com - h)};
        fm_remus_metrics_add(metrics, i * c->dt, h, s.theta, threat, 10 * FM_DEGREE, 100);
        if (c->sample)
            c->sample(c->user, i, &s, depth, h_com, threat, in.delta);
        fm_diving_step_rk4(&model, &s, &in, c->dt);
    }
    return FM_OK;
}

#endif
