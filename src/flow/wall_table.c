#include "flow/wall_table.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>

#include "base/dense.h"
#include "base/error.h"
#include "base/memory.h"
#include "physics/real.h"

enum { HIGHEST_ORDER = 2000 };

/* The multipoles of the mirror sphere, re-expanded about the centre (W1):
 * T_kn = (n+k)! / ((k+m)! (n−m)!) (2d)^−(n+k+1),
 * each from its neighbour towards the diagonal, where they are largest, and the diagonal from the top. */
static void fill_mirror_matrix(double *t, int order, int m, double d)
{
    double diagonal = 2 / ((1 + m) * (2 * d) * (2 * d) * (2 * d)); /* k = n = 1: (1−m)! is 1 */
    for (int k = 1; k <= order; k++) {
        double *row = t + (size_t)(k - 1) * (size_t)order; /* row[n - 1] */
        row[k - 1] = diagonal;
        for (int n = k + 1; n <= order; n++)
            row[n - 1] = row[n - 2] * ((n + k) / ((n - m) * (2 * d)));
        for (int n = k - 1; n >= 1; n--)
            row[n - 1] = row[n] * ((n + 1 - m) * (2 * d) / (n + k + 1));
        diagonal *= (2 * k + 1.0) * (2 * k + 2.0) / ((k + 1.0 + m) * (k + 1.0 - m) * (2 * d) * (2 * d));
    }
}

/* S = A + T A and, with T' = dT/dlog(gap) = −(n+k+1) gap/d T,  A' = −M⁻¹ k T' A,  S' = A' + T'A + T A'. */
typedef struct wall_work {
    int order;
    double *t, *matrix, *a, *rate; /* rate: A' */
    size_t *pivots;
} wall_work;

static fm_status solve_system(wall_work *w, int m, double gap, fm_error *error)
{
    size_t size = (size_t)w->order;
    double chain = -gap / (1 + gap);
    fill_mirror_matrix(w->t, w->order, m, 1 + gap);
    for (size_t k = 0; k < size; k++) {
        for (size_t n = 0; n < size; n++)
            w->matrix[k * size + n] = (double)(k + 1) * w->t[k * size + n] - (k == n ? (double)(k + 2) : 0);
        w->a[k] = k == 0;
    }
    if (fm_dense_factor(size, w->matrix, w->pivots) != 0)
        return fm_fail(error, FM_ERR_MODEL, "sphere at a wall: no solution of order %d at gap %g radii", w->order, gap);
    fm_dense_solve_factored(size, w->matrix, w->pivots, w->a);
    for (size_t k = 0; k < size; k++) {
        w->rate[k] = 0;
        for (size_t n = 0; n < size; n++)
            w->rate[k] -= (double)(k + 1) * chain * (double)(n + k + 3) * w->t[k * size + n] * w->a[n];
    }
    fm_dense_solve_factored(size, w->matrix, w->pivots, w->rate);
    return FM_OK;
}

static void give_results(const wall_work *w, double gap, double *a, double *s, double *slope)
{
    size_t size = (size_t)w->order;
    double chain = -gap / (1 + gap);
    for (size_t k = 0; k < size; k++) {
        double value = w->a[k], rate = w->rate[k];
        for (size_t n = 0; n < size; n++) {
            double t = w->t[k * size + n];
            value += t * w->a[n];
            rate += chain * (double)(n + k + 3) * t * w->a[n] + t * w->rate[n];
        }
        s[k] = value;
        if (a)
            a[k] = w->a[k];
        if (slope)
            slope[k] = rate;
    }
}

fm_status fm_wall_solve(double gap, int m, int order, double *a, double *s, double *slope, fm_error *error)
{
    if (!(gap > 0) || !isfinite(gap))
        return fm_fail(error, FM_ERR_RANGE, "sphere at a wall: gap %g radii: must be above 0", gap);
    if ((m != 0 && m != 1) || order < 1 || order > HIGHEST_ORDER)
        return fm_fail(error, FM_ERR_ARGUMENT, "sphere at a wall: m = %d, order %d: must be 0 or 1, 1 to %d", m, order,
                       (int)HIGHEST_ORDER);
    size_t size = (size_t)order;
    fm_arena arena = {0};
    wall_work w = {.order = order};
    w.t = fm_arena_alloc(&arena, size * size * sizeof(double));
    w.matrix = fm_arena_alloc(&arena, size * size * sizeof(double));
    w.a = fm_arena_alloc(&arena, size * sizeof(double));
    w.rate = fm_arena_alloc(&arena, size * sizeof(double));
    w.pivots = fm_arena_alloc(&arena, size * sizeof *w.pivots);
    fm_status status = FM_OK;
    if (!w.t || !w.matrix || !w.a || !w.rate || !w.pivots)
        status = fm_fail(error, FM_ERR_MEMORY, "sphere at a wall: no memory for order %d", order);
    if (status == FM_OK)
        status = solve_system(&w, m, gap, error);
    if (status == FM_OK)
        give_results(&w, gap, a, s, slope);
    fm_arena_free(&arena);
    return status;
}

int fm_wall_table_order(double gap)
{
    /* Terms fall as exp(−n acosh d): the image singularities sit at exp(−acosh d) of the radius. */
    double order = 6 + 24 / fm_log(1 + gap + sqrt(gap * (2 + gap)));
    return order < HIGHEST_ORDER ? (int)order : HIGHEST_ORDER;
}

/* Terms beyond which nothing of 1e-9 is left; |Q_n| ≤ n(n+1)/2 and |R_n| sin² ≤ n(n+1) bound each contribution. */
static int32_t count_terms(double s[FM_WALL_ORDER][4])
{
    int32_t terms = FM_WALL_ORDER;
    double rest = 0;
    while (terms > 1) {
        double n = terms, size = fabs(s[terms - 1][0]) + fabs(s[terms - 1][2]);
        rest += n * (n + 1) * size;
        if (rest > 1e-9)
            break;
        terms--;
    }
    return terms;
}

fm_status fm_wall_table_fill(fm_wall_table *table, fm_error *error)
{
    enum { MOST = 256 };
    double s[MOST], slope[MOST];
    table->log_min = fm_log(FM_WALL_GAP_MIN);
    table->step = (fm_log(FM_WALL_GAP_MAX) - table->log_min) / (FM_WALL_ROWS - 1);
    for (int row = 0; row < FM_WALL_ROWS; row++) {
        double gap = fm_exp(table->log_min + row * table->step);
        int order = fm_wall_table_order(gap) < MOST ? fm_wall_table_order(gap) : MOST;
        for (int m = 0; m < 2; m++) {
            fm_status status = fm_wall_solve(gap, m, order, NULL, s, slope, error);
            if (status != FM_OK)
                return status;
            for (int n = 0; n < FM_WALL_ORDER; n++) {
                table->s[row][n][2 * m] = n < order ? s[n] : 0;
                table->s[row][n][2 * m + 1] = n < order ? slope[n] : 0;
            }
        }
        table->terms[row] = count_terms(table->s[row]);
    }
    for (int row = FM_WALL_ROWS - 2; row >= 0; row--) /* interpolation reads row + 1 with the terms of row */
        if (table->terms[row] < table->terms[row + 1])
            table->terms[row] = table->terms[row + 1];
    return FM_OK;
}

fm_status fm_wall_table_find(const fm_wall_table **table, fm_error *error)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static fm_wall_table whole; /* consists of constants: computed once and never changed */
    static bool is_made;
    pthread_mutex_lock(&lock);
    fm_status status = is_made ? FM_OK : fm_wall_table_fill(&whole, error);
    is_made = status == FM_OK;
    pthread_mutex_unlock(&lock);
    *table = status == FM_OK ? &whole : NULL;
    return status;
}
