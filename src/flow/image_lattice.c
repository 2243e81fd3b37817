#include "flow/image_lattice.h"

#include <math.h>

#include "base/error.h"
#include "physics/real.h"

/* u' = sign·u + shift along an axis */
typedef struct row_image {
    double sign, shift;
} row_image;

typedef struct wall_axis {
    double n[3];      /* unit */
    double low, high; /* m along n */
    int has_low, has_high;
    row_image *images;
    int count;
} wall_axis;

static double dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static fm_status check_wall(const fm_flow_plane *wall, int index, fm_error *error)
{
    double size = sqrt(dot(wall->normal, wall->normal));
    if (!(fabs(size - 1) < 1e-6) || !isfinite(dot(wall->point, wall->point)))
        return fm_fail(error, FM_ERR_RANGE,
                       "wall %d has a normal of length %g: must be a unit vector and a finite point", index, size);
    return FM_OK;
}

/* Puts a wall on the axis it is parallel to, or on a new one. */
static fm_status sort_wall(wall_axis axes[3], int *used, const fm_flow_plane *wall, int index, fm_error *error)
{
    int found = -1;
    for (int a = 0; a < *used; a++) {
        double cosine = fabs(dot(axes[a].n, wall->normal));
        if (cosine > 1 - 1e-9)
            found = a;
        else if (cosine > 1e-6)
            return fm_fail(error, FM_ERR_MODEL,
                           "wall %d is at %.3f deg to another: must be parallel or at right angles (mirror images)",
                           index, fm_atan2(sqrt(1 - cosine * cosine), cosine) * 180 / FM_PI);
    }
    if (found < 0 && *used == 3)
        return fm_fail(error, FM_ERR_MODEL, "wall %d: more than three directions of walls", index);
    if (found < 0) {
        found = (*used)++;
        axes[found] = (wall_axis){.n = {wall->normal[0], wall->normal[1], wall->normal[2]}};
    }
    wall_axis *axis = &axes[found];
    double at = dot(axis->n, wall->point);
    int is_low = dot(axis->n, wall->normal) > 0;
    if (is_low ? axis->has_low : axis->has_high)
        return fm_fail(error, FM_ERR_MODEL, "wall %d faces the same way as another wall parallel to it: must be one",
                       index);
    if (is_low)
        axis->has_low = 1, axis->low = at;
    else
        axis->has_high = 1, axis->high = at;
    if (axis->has_low && axis->has_high && !(axis->high > axis->low))
        return fm_fail(error, FM_ERR_MODEL, "wall %d: no water between it and the wall opposite (%g m apart)", index,
                       axis->high - axis->low);
    return FM_OK;
}

static fm_status fill_row(wall_axis *axis, double reach, fm_arena *arena, fm_error *error)
{
    int both = axis->has_low && axis->has_high;
    double period = 2 * (axis->high - axis->low), wall = axis->has_low ? axis->low : axis->high;
    double cells = both ? ceil(reach / period) + 1 : 0;
    if (!(cells < 200))
        return fm_fail(error, FM_ERR_MODEL, "walls %g m apart: must be more than %g m (mirror images)", period / 2,
                       reach / 400);
    axis->count = both ? 2 * (2 * (int)cells + 1) : 2;
    axis->images = fm_arena_alloc(arena, (size_t)axis->count * sizeof *axis->images);
    if (!axis->images)
        return fm_fail(error, FM_ERR_MEMORY, "flow: no memory for mirror images");
    int n = 0;
    for (int c = 0; c <= 2 * (int)cells; c++) {
        int cell = (c & 1) ? (c + 1) / 2 : -c / 2; /* 0, 1, −1, 2 … : the identity comes first */
        double shift = both ? cell * period : 0;
        axis->images[n++] = (row_image){1, shift};
        axis->images[n++] = (row_image){-1, 2 * wall + shift};
    }
    return FM_OK;
}

static void multiply(const wall_axis axes[3], int used, const int pick[3], fm_image *image)
{
    *image = (fm_image){.g = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    for (int a = 0; a < used; a++) {
        row_image row = axes[a].images[pick[a]];
        for (int i = 0; i < 3; i++) {
            image->h[i] += row.shift * axes[a].n[i];
            for (int k = 0; k < 3; k++)
                image->g[3 * i + k] += (row.sign - 1) * axes[a].n[i] * axes[a].n[k];
        }
    }
}

static fm_status combine(const wall_axis axes[3], int used, fm_arena *arena, fm_image_lattice *lattice, fm_error *error)
{
    int counts[3] = {1, 1, 1};
    for (int a = 0; a < used; a++)
        counts[a] = axes[a].count;
    long total = (long)counts[0] * counts[1] * counts[2];
    if (total > 200000)
        return fm_fail(error, FM_ERR_MODEL, "walls so close need %ld mirror images: must be 200000", total);
    lattice->count = (int)total;
    lattice->images = fm_arena_alloc(arena, (size_t)total * sizeof *lattice->images);
    if (!lattice->images)
        return fm_fail(error, FM_ERR_MEMORY, "flow: no memory for %ld mirror images", total);
    for (int n = 0; n < lattice->count; n++) {
        int pick[3] = {n % counts[0], n / counts[0] % counts[1], n / counts[0] / counts[1]};
        multiply(axes, used, pick, &lattice->images[n]);
    }
    return FM_OK;
}

fm_status fm_image_lattice_make(const fm_flow_plane *walls, int count, double reach, fm_arena *arena,
                                fm_image_lattice *lattice, fm_error *error)
{
    wall_axis axes[3] = {0};
    int used = 0;
    fm_status status = FM_OK;
    for (int i = 0; status == FM_OK && i < count; i++) {
        status = check_wall(&walls[i], i + 1, error);
        if (status == FM_OK)
            status = sort_wall(axes, &used, &walls[i], i + 1, error);
    }
    for (int a = 0; status == FM_OK && a < used; a++)
        status = fill_row(&axes[a], reach, arena, error);
    if (status == FM_OK)
        status = combine(axes, used, arena, lattice, error);
    return status;
}

void fm_image_map(const fm_image *image, const double x[3], double out[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = dot(image->g + 3 * (size_t)i, x) + image->h[i];
}

void fm_image_unmap(const fm_image *image, const double x[3], double out[3])
{
    double d[3] = {x[0] - image->h[0], x[1] - image->h[1], x[2] - image->h[2]};
    for (int i = 0; i < 3; i++)
        out[i] = image->g[i] * d[0] + image->g[3 + i] * d[1] + image->g[6 + i] * d[2];
}
