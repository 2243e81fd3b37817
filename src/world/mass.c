/* Mass properties, virtual mass and the layout of a vehicle's record. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/model.h"

/* 6×6 rigid-body mass matrix (6.54) without added mass, by column. */
static void rigid_body_matrix(const fm_mass_properties *p, double m[36])
{
    const double *c = p->centre;
    double s[9] = {0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0}; /* s v = c × v, by row */
    memset(m, 0, 36 * sizeof *m);
    for (int i = 0; i < 3; i++) {
        m[7 * i] = p->mass;
        for (int k = 0; k < 3; k++) {
            m[6 * (3 + k) + i] = -p->mass * s[3 * i + k]; /* force from turning */
            m[6 * k + 3 + i] = p->mass * s[3 * i + k];    /* moment from moving */
            m[6 * (3 + k) + 3 + i] = p->inertia[3 * i + k];
        }
    }
}

static const char *const axis_names = "uvwpqr";

static fm_status check_symmetric(const double m[36], fm_error *error)
{
    for (int c = 0; c < 6; c++)
        for (int r = 0; r < c; r++) {
            double a = m[6 * c + r], b = m[6 * r + c];
            double size = sqrt(fabs(m[7 * c] * m[7 * r]));
            if (!(fabs(a - b) <= 1e-6 * size))
                return fm_fail(error, FM_ERR_MODEL,
                               "virtual mass is not symmetric: element (%c,%c) is %g and (%c,%c) is %g", axis_names[r],
                               axis_names[c], a, axis_names[c], axis_names[r], b);
        }
    return FM_OK;
}

/* Lower Cholesky factor of m, by column, into l. Returns 0, or the order of the first minor that is not positive. */
static int cholesky(const double m[36], double l[36])
{
    memset(l, 0, 36 * sizeof *l);
    for (int c = 0; c < 6; c++)
        for (int r = c; r < 6; r++) {
            double sum = m[6 * c + r];
            for (int k = 0; k < c; k++)
                sum -= l[6 * k + r] * l[6 * k + c];
            if (r == c && !(sum > 0))
                return c + 1;
            l[6 * c + r] = r == c ? sqrt(sum) : sum / l[7 * c];
        }
    return 0;
}

/* Column `c` of the inverse: forward and backward substitution of a unit vector. */
static void inverse_column(const double l[36], int c, double x[6])
{
    for (int r = 0; r < 6; r++) {
        x[r] = r == c;
        for (int k = 0; k < r; k++)
            x[r] -= l[6 * k + r] * x[k];
        x[r] /= l[7 * r];
    }
    for (int r = 5; r >= 0; r--) {
        for (int k = r + 1; k < 6; k++)
            x[r] -= l[6 * r + k] * x[k];
        x[r] /= l[7 * r];
    }
}

/* Our own factorisation, not LAPACK's: it also runs in a step when a mass moves, and must give the same bits anywhere.
 */
static fm_status invert(const double m[36], double inverse[36], fm_error *error)
{
    double l[36];
    int minor = cholesky(m, l);
    if (minor)
        return fm_fail(
            error, FM_ERR_MODEL,
            "virtual mass (rigid body and added mass) is not positive definite: its leading minor of order %d "
            "is not positive, so the body would accelerate against a force along or about %c",
            minor, axis_names[minor - 1]);
    for (int c = 0; c < 6; c++)
        inverse_column(l, c, inverse + 6 * c);
    return FM_OK;
}

fm_status fm_mass_derive(const fm_mass_properties *properties, const double added[36], int full_coriolis, fm_mass *mass,
                         fm_error *error)
{
    double rigid[36];
    rigid_body_matrix(properties, rigid);
    for (int i = 0; i < 36; i++)
        mass->virtual_mass[i] = rigid[i] + added[i];
    for (int i = 0; i < 36; i++)
        if (!isfinite(mass->virtual_mass[i]))
            return fm_fail(error, FM_ERR_MODEL, "virtual mass has a non-finite element");
    fm_status status = check_symmetric(mass->virtual_mass, error);
    if (status == FM_OK)
        status = invert(mass->virtual_mass, mass->inverse, error);
    memcpy(mass->momentum, full_coriolis ? mass->virtual_mass : rigid, sizeof mass->momentum);
    memcpy(mass->gravity_centre, properties->centre, sizeof mass->gravity_centre);
    return status;
}
