/* The linear model about a steady flight, and its modes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/flight.h"
#include "base/dense.h"

/* One column of A or B: central difference over the number at `place`. */
static void column(const fm_type *type, fm_flight *f, double *target, double h, double out[FM_FLIGHT_STATES])
{
    double above[FM_FLIGHT_STATES], below[FM_FLIGHT_STATES], keep = *target;
    *target = keep + h;
    fm_flight_rate(type, f, above);
    *target = keep - h;
    fm_flight_rate(type, f, below);
    *target = keep;
    for (int i = 0; i < FM_FLIGHT_STATES; i++)
        out[i] = (above[i] - below[i]) / (2 * h);
}

void fm_flight_linearise(const fm_type *type, const fm_flight *flight, double *a, double *b)
{
    fm_flight f = *flight;
    double out[FM_FLIGHT_STATES];
    for (int k = 0; k < FM_FLIGHT_STATES; k++) {
        column(type, &f, &f.state[k], 1e-6, out);
        for (int i = 0; i < FM_FLIGHT_STATES; i++)
            a[i * FM_FLIGHT_STATES + k] = out[i];
    }
    size_t inputs = type->actuator_count;
    for (size_t k = 0; k < inputs; k++) {
        double range = fmax(fabs(type->actuators[k].low), fabs(type->actuators[k].high));
        column(type, &f, &f.value[k], 1e-6 * (range > 0 ? range : 1), out);
        for (size_t i = 0; i < FM_FLIGHT_STATES; i++)
            b[i * inputs + k] = out[i];
    }
}

void fm_flight_modes(const double *a, int lateral, double re[4], double im[4])
{
    static const int along[4] = {FM_FLIGHT_U, FM_FLIGHT_W, FM_FLIGHT_Q, FM_FLIGHT_PITCH};
    static const int across[4] = {FM_FLIGHT_V, FM_FLIGHT_P, FM_FLIGHT_R, FM_FLIGHT_ROLL};
    const int *of = lateral ? across : along;
    double part[16];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++)
            part[4 * i + k] = a[of[i] * FM_FLIGHT_STATES + of[k]];
    fm_dense_eigenvalues(4, part, re, im);
}

/* --- what looks wrong --- */

typedef struct listener {
    fm_flight_remark *say;
    void *user;
} listener;

static void pass_on(void *user, const fm_remark *remark)
{
    const listener *to = user;
    char text[400];
    snprintf(text, sizeof text, "%s %s", remark->subject, remark->text);
    to->say(to->user, text);
}

void fm_flight_inspect(const fm_type *type, fm_flight_remark *say, void *user)
{
    if (type->kind->inspect)
        type->kind->inspect(type, pass_on, &(listener){say, user});
}
