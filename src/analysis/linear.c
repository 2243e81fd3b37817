/* The linear model about a steady flight, its modes, and what looks wrong in a set of coefficients. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/flight.h"
#include "base/dense.h"

/* One column of A or B: central difference over the number at `place`. */
static void column(const fm_type *type, fm_flight *f, double *place, double h, double out[FM_FLIGHT_STATES])
{
    double above[FM_FLIGHT_STATES], below[FM_FLIGHT_STATES], keep = *place;
    *place = keep + h;
    fm_flight_rate(type, f, above);
    *place = keep - h;
    fm_flight_rate(type, f, below);
    *place = keep;
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

static const char *const rows[6] = {"X", "Y", "Z", "K", "M", "N"};
static const char *const axes = "uvwpqr";

static void basis_name(int basis, char out[8])
{
    if (basis >= FM_BASIS_AU && basis <= FM_BASIS_AR)
        snprintf(out, 8, "_abs%c", axes[basis - FM_BASIS_AU]);
    else if (basis >= FM_BASIS_VW)
        snprintf(out, 8, basis == FM_BASIS_UU ? "2" : "_across");
    else if (basis >= FM_BASIS_U)
        snprintf(out, 8, "%c", axes[basis - FM_BASIS_U]);
    else
        out[0] = 0;
}

/* Power (W) that a term gives to a motion of 1 along one axis. */
static double power_of(const fm_hydro *hydro, const fm_term *term, int axis, double sign)
{
    double nu[6] = {0}, basis[FM_BASIS_COUNT];
    nu[axis] = sign;
    fm_hydro_basis(hydro, nu, basis);
    return term->c[axis] * basis[term->i] * basis[term->j] * sign;
}

/* A coefficient that drives a motion along its own axis makes energy. */
static void inspect_damping(const fm_type *type, fm_flight_remark *say, void *user)
{
    const fm_hydro *h = &type->body.hydro;
    for (int t = 0; t < h->term_count - h->fin_terms; t++)
        for (int axis = 0; axis < 6; axis++) {
            double ahead = power_of(h, &h->terms[t], axis, 1), astern = power_of(h, &h->terms[t], axis, -1);
            if (ahead <= 0 && astern <= 0)
                continue;
            char i[8], j[8], text[256];
            basis_name(h->terms[t].i, i);
            basis_name(h->terms[t].j, j);
            int square = ahead * astern < 0;
            snprintf(text, sizeof text,
                     "%s_%s%s%s is %+.4g in SI: it drives a motion along %c%s instead of damping it%s", rows[axis],
                     square ? (char[]){axes[axis], 0} : i, square ? "2" : j, "", h->terms[t].c[axis], axes[axis],
                     square ? (ahead > 0 ? " ahead" : " astern") : "",
                     square ? "; a square does so one way, |v|v damps both ways" : "");
            say(user, text);
        }
}

/* Lift of the hull acts against the drift: Y_uv, Z_uw below zero. */
static void inspect_lift(const fm_type *type, fm_flight_remark *say, void *user)
{
    const fm_hydro *h = &type->body.hydro;
    for (int t = 0; t < h->term_count - h->fin_terms; t++)
        for (int axis = 1; axis <= 2; axis++) {
            const fm_term *term = &h->terms[t];
            int with_u = term->i == FM_BASIS_U || term->i == FM_BASIS_AU;
            if (!with_u || term->j != FM_BASIS_U + axis || term->c[axis] <= 0)
                continue;
            char text[256];
            snprintf(text, sizeof text, "%s_u%c is %+.4g in SI: the lift of a hull acts against its drift, below zero",
                     rows[axis], axes[axis], term->c[axis]);
            say(user, text);
        }
}

static void inspect_balance(const fm_type *type, fm_flight_remark *say, void *user)
{
    fm_flight tilted = {.state[FM_FLIGHT_DEPTH] = 100};
    double level[FM_FLIGHT_STATES], rate[FM_FLIGHT_STATES];
    fm_flight_rate(type, &tilted, level);
    tilted.state[FM_FLIGHT_ROLL] = 0.01;
    fm_flight_rate(type, &tilted, rate);
    if (!fm_flight_floats(type) && rate[FM_FLIGHT_P] - level[FM_FLIGHT_P] > 1e-9)
        say(user, "its centre of gravity lies above its centre of buoyancy: it rolls over");
}

void fm_flight_inspect(const fm_type *type, fm_flight_remark *say, void *user)
{
    inspect_damping(type, say, user);
    inspect_lift(type, say, user);
    inspect_balance(type, say, user);
}
