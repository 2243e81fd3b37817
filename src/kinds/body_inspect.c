/* Suspicious numbers of a 6-DOF body: damping and lift that drive it, a top-heavy hull, a buoyancy far from the weight,
 * Coriolis terms of the added mass that count twice. docs/your-vehicle.md, "Reading the answers". */
#include <math.h>
#include <stdio.h>

#include "kinds/body.h"
#include "kinds/coefficients.h"
#include "physics/actuator.h"
#include "world/model.h"

/* The receiver of the findings about a type. */
typedef struct inspection {
    const fm_type *type;
    fm_remark_say *say;
    void *user;
} inspection;

static const char *const rows[6] = {"X", "Y", "Z", "K", "M", "N"};
static const char axes[6] = {'u', 'v', 'w', 'p', 'q', 'r'};

/* --- coefficients --- */

/* A remark about a coefficient: the location is that of one of its names. */
static void say_of_term(const inspection *in, int row, const fm_term *term, const char *text)
{
    enum { NAMES = FM_REMARK_NODES / 2 };
    const char *names[NAMES] = {0};
    char unnamed[8];
    size_t count = fm_coefficient_names(row, term->i, term->j, names, NAMES), at = 0;
    snprintf(unnamed, sizeof unnamed, "%s_…", rows[row]);
    fm_remark remark = {.subject = count ? names[count - 1] : unnamed, .text = text};
    for (size_t i = 0; i < count && at + 2 < FM_REMARK_NODES; i++) {
        remark.nodes[at].element = "drag";
        remark.nodes[at++].attr = names[i];
        remark.nodes[at].element = "hydrodynamics";
        remark.nodes[at++].attr = names[i];
    }
    in->say(in->user, &remark);
}

static int hull_terms(const fm_hydro *h)
{
    return h->term_count - h->fin_terms;
}

/* Power (W) of a term for a motion of 1 along one axis. */
static double power_of(const fm_hydro *hydro, const fm_term *term, int axis, double sign)
{
    double nu[6] = {0}, basis[FM_BASIS_COUNT];
    nu[axis] = sign;
    fm_hydro_basis(hydro, nu, basis);
    return term->c[axis] * basis[term->i] * basis[term->j] * sign;
}

static void inspect_own_damping(const inspection *in, const fm_term *term, int axis)
{
    const fm_hydro *h = &in->type->body.hydro;
    double ahead = power_of(h, term, axis, 1), astern = power_of(h, term, axis, -1);
    char text[256];
    if (ahead <= 0 && astern <= 0)
        return;
    if (ahead * astern < 0)
        snprintf(text, sizeof text,
                 "is %+.4g in SI: a square drives a motion along %c %s instead of damping it; %s_%c%c damps both ways",
                 term->c[axis], axes[axis], ahead > 0 ? "ahead" : "astern", rows[axis], axes[axis], axes[axis]);
    else
        snprintf(text, sizeof text,
                 "is %+.4g in SI: it drives a motion along %c instead of damping it; a coefficient that damps is "
                 "negative",
                 term->c[axis], axes[axis]);
    say_of_term(in, axis, term, text);
}

/* Damping dissipates energy: no term may add power to a motion along its own axis. */
static void inspect_damping(const inspection *in)
{
    const fm_hydro *h = &in->type->body.hydro;
    for (int t = 0; t < hull_terms(h); t++)
        for (int axis = 0; axis < 6; axis++)
            inspect_own_damping(in, &h->terms[t], axis);
}

/* Linear damping of the hull by row and column, N per m/s … */
static void linear_damping(const fm_hydro *h, double d[6][6])
{
    for (int t = 0; t < hull_terms(h); t++)
        for (int row = 0; row < 6; row++)
            if (h->terms[t].i == FM_BASIS_ONE && h->terms[t].j >= FM_BASIS_U && h->terms[t].j < FM_BASIS_U + 6)
                d[row][h->terms[t].j - FM_BASIS_U] += h->terms[t].c[row];
}

/* Two axes that are damped individually, but whose coupling is stronger than both: the symmetric part of the linear
 * damping is not negative. */
static void inspect_coupling(const inspection *in)
{
    double d[6][6] = {{0}};
    linear_damping(&in->type->body.hydro, d);
    for (int i = 0; i < 6; i++)
        for (int k = i + 1; k < 6; k++) {
            double both = d[i][k] + d[k][i], most = 2 * sqrt(fmax(d[i][i] * d[k][k], 0));
            if (!(d[i][i] < 0 && d[k][k] < 0) || fabs(both) <= most)
                continue;
            int row = fabs(d[i][k]) >= fabs(d[k][i]) ? i : k, column = row == i ? k : i;
            fm_term term = {.i = FM_BASIS_ONE, .j = FM_BASIS_U + column};
            char text[256];
            snprintf(text, sizeof text,
                     "is %+.4g in SI: with %s_%c it makes more energy than %s_%c and %s_%c take; their sum is at most "
                     "%.4g in size",
                     d[row][column], rows[column], axes[row], rows[row], axes[row], rows[column], axes[column], most);
            say_of_term(in, row, &term, text);
        }
}

/* Lift of the hull acts against the drift: Y_uv, Z_uw below zero. */
static void inspect_lift(const inspection *in)
{
    const fm_hydro *h = &in->type->body.hydro;
    for (int t = 0; t < hull_terms(h); t++)
        for (int axis = 1; axis <= 2; axis++) {
            const fm_term *term = &h->terms[t];
            int with_u = term->i == FM_BASIS_U || term->i == FM_BASIS_AU;
            char text[256];
            if (!with_u || term->j != FM_BASIS_U + axis || term->c[axis] <= 0)
                continue;
            snprintf(text, sizeof text,
                     "is %+.4g in SI: the lift of a hull acts against its drift; the coefficient is negative",
                     term->c[axis]);
            say_of_term(in, axis, term, text);
        }
}

/* --- Coriolis terms of the added mass --- */

/* With coriolis="full" they follow from the added mass; a table that contains them too counts them twice. X_vr is the
 * added mass across, and so on: (6.48)–(6.50). */
static void inspect_coriolis(const inspection *in)
{
    const double *a = in->type->weights.added_mass; /* by column */
    const struct {
        int row, i, j;
        double added; /* kg: what the Coriolis term is */
    } known[] = {{0, FM_BASIS_V, FM_BASIS_R, a[7]},
                 {0, FM_BASIS_W, FM_BASIS_Q, -a[14]},
                 {1, FM_BASIS_W, FM_BASIS_P, a[14]},
                 {2, FM_BASIS_V, FM_BASIS_P, -a[7]}};
    const fm_hydro *h = &in->type->body.hydro;
    for (size_t k = 0; k < sizeof known / sizeof *known && in->type->full_coriolis; k++)
        for (int t = 0; t < hull_terms(h); t++) {
            const fm_term *term = &h->terms[t];
            double c = term->c[known[k].row];
            char text[256];
            if (term->i != known[k].i || term->j != known[k].j || c == 0 || known[k].added == 0 ||
                fabs(c / known[k].added - 1) > 0.25)
                continue;
            snprintf(text, sizeof text,
                     "is %+.4g in SI, the Coriolis term of the added mass, which coriolis=\"full\" derives: it counts "
                     "twice; use coriolis=\"rigid-body\" with a table that holds these terms",
                     c);
            say_of_term(in, known[k].row, term, text);
        }
}

/* --- weight and buoyancy --- */

static double buoyancy_ratio(const fm_type *type)
{
    const fm_floating_hull *h = &type->body.hull;
    return (h->bears ? h->weight_density * h->volume : type->mass.buoyancy) / fmax(type->mass.weight, 1e-9);
}

/* Whether a term acts vertically or in pitch: a surface craft does not need it. */
static int has_means_to_dive(const fm_type *type)
{
    for (size_t i = 0; i < type->actuator_count; i++) {
        const fm_actuator *a = &type->actuators[i];
        double column[6] = {0};
        if (a->kind == FM_ACT_FIN)
            type->kind->fin_column(type, a->fin, column);
        else if (a->kind == FM_ACT_THRUST && fabs(a->column[2]) > 0.5)
            return 1;
        if (fabs(column[2]) > 2 * fabs(column[1]))
            return 1;
    }
    return 0;
}

/* <buoyancy> belongs to vehicles that dive; a <float> may be any size under a craft that stays at the surface. */
static int is_buoyancy_odd(const fm_type *type)
{
    const double ratio = buoyancy_ratio(type), most = 1.5;
    return ratio <= 1 / most || (ratio >= most && (!type->body.hull.bears || has_means_to_dive(type)));
}

static void inspect_buoyancy(const inspection *in)
{
    const double ratio = buoyancy_ratio(in->type);
    char text[256];
    if (!is_buoyancy_odd(in->type))
        return;
    snprintf(
        text, sizeof text,
        "lifts %.3g times the weight of the vehicle, %.4g N; a vehicle that dives has 0.67 to 1.5 times its weight%s",
        ratio, in->type->mass.weight, in->type->body.hull.bears || ratio < 1 ? "" : ", a surface craft has <float>");
    const fm_remark remark = {.nodes = {{"buoyancy", "force"}, {"buoyancy", "volume"}, {"float", "size"}},
                              .subject = "its buoyancy",
                              .text = text};
    in->say(in->user, &remark);
}

/* Righting moment (N m per rad of roll): wholly submerged, or afloat where it floats. */
static double roll_stiffness(const fm_type *type, int *afloat)
{
    const fm_floating_hull *h = &type->body.hull;
    const double turn = 1e-3, depth = fm_body_rest_depth(type);
    *afloat = h->bears && h->count && depth < h->reach;
    if (!*afloat)
        return type->mass.gravity_centre[2] * type->mass.weight -
               (h->bears ? h->weight_density * h->moment[2] : type->mass.buoyancy * type->mass.buoyancy_centre[2]);
    double port[6], starboard[6];
    fm_body_rest_wrench(type, depth, -turn, 0, port);
    fm_body_rest_wrench(type, depth, turn, 0, starboard);
    return (port[3] - starboard[3]) / (2 * turn);
}

static void inspect_balance(const inspection *in)
{
    int afloat;
    double stiffness = roll_stiffness(in->type, &afloat);
    if (is_buoyancy_odd(in->type) || !(stiffness < -1e-9 * fmax(in->type->mass.weight, 1)))
        return;
    const fm_remark remark = {
        .nodes = {{"mass", "centre"}, {"mass", NULL}, {"component", NULL}},
        .subject = "the centre of gravity",
        .text = afloat ? "is too high: afloat it capsizes; lower it (z points down), or make the float wider"
                       : "lies above the centre of buoyancy: it rolls over; its z must be greater (z points down)"};
    in->say(in->user, &remark);
}

/* --- all of it --- */

void fm_body_inspect(const fm_type *type, fm_remark_say *say, void *user)
{
    static void (*const all[])(const inspection *) = {inspect_damping,  inspect_coupling, inspect_lift,
                                                      inspect_coriolis, inspect_balance,  inspect_buoyancy};
    const inspection in = {type, say, user};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        all[i](&in);
}
