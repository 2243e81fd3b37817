#include "flow/source_block.h"

#include <math.h>
#include <string.h>

#include "base/dense.h"
#include "base/error.h"
#include "physics/real.h"

enum { TILE = 4 };
/* Minimum squared distance of a field point from a source; keeps everything finite when bodies overlap. */
static const double NEAREST2 = 1e-8;
/* Weight of the strengths' size against the residual: sources are nearly dependent, only their sum counts. */
static const double REGULARISATION = 1e-9;

static fm_status reserve(fm_source_block *b, int sources, int points, fm_arena *arena, fm_error *error)
{
    b->sources = sources;
    b->points = points;
    b->padded = (points + TILE - 1) / TILE * TILE;
    int complete = 1;
    for (int k = 0; k < 3; k++) {
        b->source[k] = fm_arena_alloc(arena, (size_t)sources * sizeof(double));
        b->point[k] = fm_arena_alloc(arena, (size_t)b->padded * sizeof(double));
        b->normal[k] = fm_arena_alloc(arena, (size_t)b->padded * sizeof(double));
        complete = complete && b->source[k] && b->point[k] && b->normal[k];
    }
    b->inverse = fm_arena_alloc(arena, (size_t)sources * (size_t)points * sizeof(double));
    if (!complete || !b->inverse)
        return fm_fail(error, FM_ERR_MEMORY, "flow: no memory for %d sources and %d points", sources, points);
    return FM_OK;
}

static void pad_points(fm_source_block *b)
{
    for (int i = b->points; i < b->padded; i++)
        for (int k = 0; k < 3; k++)
            b->point[k][i] = b->point[k][b->points - 1], b->normal[k][i] = 0;
}

/* Normal velocity at each point from each source of strength 1, by column, `rows` apart; gives the largest column's
 * length. */
static double fill_matrix(const fm_source_block *b, double *a, size_t rows)
{
    double largest = 0;
    for (int j = 0; j < b->sources; j++) {
        double square = 0;
        for (int i = 0; i < b->points; i++) {
            double d[3], r2 = 0, flux = 0;
            for (int k = 0; k < 3; k++) {
                d[k] = b->point[k][i] - b->source[k][j];
                r2 += d[k] * d[k];
                flux += d[k] * b->normal[k][i];
            }
            flux /= r2 * sqrt(r2);
            a[(size_t)j * rows + (size_t)i] = flux;
            square += flux * flux;
        }
        largest = square > largest ? square : largest;
    }
    return sqrt(largest);
}

static fm_status invert(fm_source_block *b, fm_error *error)
{
    size_t n = (size_t)b->sources, m = (size_t)b->points;
    double *a = fm_alloc((m + n) * n * sizeof(double)), *work = fm_alloc(fm_dense_inverse_work(m, n) * sizeof(double));
    fm_status status = FM_OK;
    if (!a || !work)
        status = fm_fail(error, FM_ERR_MEMORY, "flow: no memory to factorise %zu sources", n);
    if (status == FM_OK) {
        double ridge = REGULARISATION * fill_matrix(b, a, m + n);
        fm_dense_inverse(m, n, a, ridge, b->inverse, work);
    }
    fm_free(a), fm_free(work);
    return status;
}

/* `count` points spread evenly over the unit sphere by the golden angle. */
static void spread(int count, double phase, double radius, double *const x[3])
{
    const double golden = FM_PI * (3 - sqrt(5));
    for (int i = 0; i < count; i++) {
        double z = 1 - (2 * i + 1.0) / count, rho = sqrt(1 - z * z), angle = golden * i + phase;
        x[0][i] = radius * rho * fm_cos(angle);
        x[1][i] = radius * rho * fm_sin(angle);
        x[2][i] = radius * z;
    }
}

fm_status fm_sphere_block(int sources, int points, double depth, fm_arena *arena, fm_source_block *b, fm_error *error)
{
    if (sources < 4 || points < sources || !(depth > 0 && depth < 1))
        return fm_fail(error, FM_ERR_ARGUMENT,
                       "flow: %d sources, %d points, depth %g: must be at least 4, as many, between 0 and 1", sources,
                       points, depth);
    fm_status status = reserve(b, sources, points, arena, error);
    if (status != FM_OK)
        return status;
    spread(sources, 0, depth, b->source);
    spread(points, 0.5, 1, b->point);
    spread(points, 0.5, 1, b->normal);
    pad_points(b);
    return invert(b, error);
}

static double hyperbolic_sine(double x)
{
    double less_one = fm_expm1(x); /* e^x - 1 */
    return 0.5 * (less_one + less_one / (less_one + 1));
}

/* Solves reach·β/sinh β · 2/(count − 1) = spacing for the growth β; 0: even spacing is fine enough. */
static double find_growth(double reach, int count, double spacing)
{
    double wanted = spacing * (count - 1) / (2 * reach), low = 0, high = 40;
    if (wanted >= 1)
        return 0;
    for (int k = 0; k < 100; k++) {
        double middle = 0.5 * (low + high);
        if (middle / hyperbolic_sine(middle) > wanted)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double distance_along(int i, int count, double reach, double growth)
{
    double s = 2 * (i + 0.5) / count - 1;
    return growth > 1e-6 ? reach * hyperbolic_sine(growth * s) / hyperbolic_sine(growth) : reach * s;
}

/* Ring by ring; every other ring is turned by half a spacing. */
static void lay_grid(int around, int along, double radius, const fm_cylinder_grid *g, double growth, double *const x[3])
{
    for (int j = 0, n = 0; j < along; j++)
        for (int i = 0; i < around; i++, n++) {
            double t = 2 * FM_PI * (i + 0.5 * (j & 1)) / around;
            double angle = t - g->bunching * fm_sin(t);
            x[0][n] = radius * fm_cos(angle);
            x[1][n] = radius * fm_sin(angle);
            x[2][n] = distance_along(j, along, g->reach, growth);
        }
}

fm_status fm_cylinder_block(const fm_cylinder_grid *g, fm_arena *arena, fm_source_block *b, fm_error *error)
{
    int sources = g->around * g->along, points = g->points_around * g->points_along;
    if (g->around < 3 || g->along < 2 || points < sources || !(g->depth > 0 && g->depth < 1) || !(g->reach > 0) ||
        !(g->spacing > 0) || !(g->bunching >= 0 && g->bunching < 1))
        return fm_fail(error, FM_ERR_ARGUMENT, "flow: cylinder grid of %d × %d sources and %d points is not usable",
                       g->around, g->along, points);
    fm_status status = reserve(b, sources, points, arena, error);
    if (status != FM_OK)
        return status;
    double growth = find_growth(g->reach, g->along, g->spacing);
    lay_grid(g->around, g->along, g->depth, g, growth, b->source);
    lay_grid(g->points_around, g->points_along, 1, g, growth, b->point);
    for (int i = 0; i < points; i++)
        b->normal[0][i] = b->point[0][i], b->normal[1][i] = b->point[1][i], b->normal[2][i] = 0;
    pad_points(b);
    return invert(b, error);
}

void fm_block_strengths(const fm_source_block *b, const double *wanted, double *q)
{
    size_t n = (size_t)b->sources;
    memset(q, 0, n * sizeof *q);
    int i = 0;
    for (; i + 4 <= b->points; i += 4) {
        const double *restrict column = b->inverse + (size_t)i * n;
        double w0 = wanted[i], w1 = wanted[i + 1], w2 = wanted[i + 2], w3 = wanted[i + 3];
        for (size_t j = 0; j < n; j++)
            q[j] += (column[j] * w0 + column[n + j] * w1) + (column[2 * n + j] * w2 + column[3 * n + j] * w3);
    }
    for (; i < b->points; i++)
        for (size_t j = 0; j < n; j++)
            q[j] += b->inverse[(size_t)i * n + j] * wanted[i];
}

static void place(const fm_source_pose *p, const double x[3], double out[3])
{
    for (int k = 0; k < 3; k++)
        out[k] = p->m[3 * k] * x[0] + p->m[3 * k + 1] * x[1] + p->m[3 * k + 2] * x[2] + p->t[k];
}

static double turned_dot(const fm_source_pose *p, const double n[3], const double v[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += (p->turn[3 * k] * n[0] + p->turn[3 * k + 1] * n[1] + p->turn[3 * k + 2] * n[2]) * v[k];
    return sum;
}

/* Velocity at four local points at once: the loops over TILE become vector instructions. */
static void tile_velocity(const fm_source_block *b, const double *q, const double x[3][TILE], double v[3][TILE])
{
    double vx[TILE] = {0}, vy[TILE] = {0}, vz[TILE] = {0};
    const double *sx = b->source[0], *sy = b->source[1], *sz = b->source[2];
    for (int j = 0; j < b->sources; j++) {
        double dx[TILE], dy[TILE], dz[TILE], r2[TILE], w[TILE];
        for (int l = 0; l < TILE; l++) {
            dx[l] = x[0][l] - sx[j];
            dy[l] = x[1][l] - sy[j];
            dz[l] = x[2][l] - sz[j];
            r2[l] = dx[l] * dx[l] + dy[l] * dy[l] + dz[l] * dz[l] + NEAREST2;
            w[l] = q[j] / (r2[l] * sqrt(r2[l]));
            vx[l] += w[l] * dx[l];
            vy[l] += w[l] * dy[l];
            vz[l] += w[l] * dz[l];
        }
    }
    for (int l = 0; l < TILE; l++)
        v[0][l] = vx[l], v[1][l] = vy[l], v[2][l] = vz[l];
}

void fm_block_flux(const fm_source_block *b, const double *q, const fm_source_pose *p, const fm_source_block *target,
                   double weight, double *out)
{
    for (int i = 0; i < target->points; i += TILE) {
        double x[3][TILE], v[3][TILE];
        for (int l = 0; l < TILE; l++) {
            double local[3], here[3] = {target->point[0][i + l], target->point[1][i + l], target->point[2][i + l]};
            place(p, here, local);
            x[0][l] = local[0], x[1][l] = local[1], x[2][l] = local[2];
        }
        tile_velocity(b, q, x, v);
        for (int l = 0; l < TILE && i + l < target->points; l++) {
            double n[3] = {target->normal[0][i + l], target->normal[1][i + l], target->normal[2][i + l]};
            double velocity[3] = {v[0][l], v[1][l], v[2][l]};
            out[i + l] += weight * turned_dot(p, n, velocity);
        }
    }
}

void fm_block_velocity(const fm_source_block *b, const double *q, const double x[3], double v[3])
{
    double at[3][TILE], found[3][TILE];
    for (int k = 0; k < 3; k++)
        for (int l = 0; l < TILE; l++)
            at[k][l] = x[k];
    tile_velocity(b, q, at, found);
    for (int k = 0; k < 3; k++)
        v[k] = found[k][0];
}

void fm_block_moments(const fm_source_block *b, const double *q, fm_moments *m)
{
    *m = (fm_moments){0};
    for (int j = 0; j < b->sources; j++) {
        double y[3] = {b->source[0][j], b->source[1][j], b->source[2][j]};
        double y2 = y[0] * y[0] + y[1] * y[1] + y[2] * y[2];
        m->q += q[j];
        for (int k = 0; k < 3; k++) {
            m->p[k] += q[j] * y[k];
            m->s[k] += q[j] * (3 * y[k] * y[k] - y2);
        }
        m->s[3] += 3 * q[j] * y[0] * y[1];
        m->s[4] += 3 * q[j] * y[0] * y[2];
        m->s[5] += 3 * q[j] * y[1] * y[2];
    }
}

void fm_moments_velocity(const fm_moments *m, const double x[3], double v[3])
{
    double r2 = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + NEAREST2, r3 = 1 / (r2 * sqrt(r2)), r5 = r3 / r2;
    double px = m->p[0] * x[0] + m->p[1] * x[1] + m->p[2] * x[2];
    double s[3] = {m->s[0] * x[0] + m->s[3] * x[1] + m->s[4] * x[2], m->s[3] * x[0] + m->s[1] * x[1] + m->s[5] * x[2],
                   m->s[4] * x[0] + m->s[5] * x[1] + m->s[2] * x[2]};
    double xsx = s[0] * x[0] + s[1] * x[1] + s[2] * x[2];
    for (int k = 0; k < 3; k++)
        v[k] = m->q * x[k] * r3 + (3 * px * x[k] - r2 * m->p[k]) * r5 + (2.5 * xsx * x[k] / r2 - s[k]) * r5;
}

void fm_moments_flux(const fm_moments *m, const fm_source_pose *p, const fm_source_block *target, double weight,
                     double *out)
{
    for (int i = 0; i < target->points; i++) {
        double local[3], v[3], here[3] = {target->point[0][i], target->point[1][i], target->point[2][i]};
        double n[3] = {target->normal[0][i], target->normal[1][i], target->normal[2][i]};
        place(p, here, local);
        fm_moments_velocity(m, local, v);
        out[i] += weight * turned_dot(p, n, v);
    }
}
