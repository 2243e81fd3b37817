/* The hull of a 6-DOF body at the surface: columns of its floats, or of its shapes, and the forces that fade. */
#include <math.h>
#include <string.h>

#include "environment/environment.h"
#include "kinds/body.h"
#include "kinds/body_elements.h"
#include "world/model.h"

/* --- columns of one shape --- */

enum { COLUMNS = 8, GRID = 16 }; /* Gauss points along x and y of a shape; rays along each of a turned one */
enum { SHAPE_COLUMNS = GRID * GRID, FLOAT_COLUMNS = COLUMNS * COLUMNS };
static const double gauss_x[COLUMNS] = {-0.9602898564975363, -0.7966664774136267, -0.5255324099163290,
                                        -0.1834346424956498, 0.1834346424956498,  0.5255324099163290,
                                        0.7966664774136267,  0.9602898564975363};
static const double gauss_w[COLUMNS] = {0.1012285362903763, 0.2223810344533745, 0.3137066458778873, 0.3626837833783620,
                                        0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};

/* An upright shape: one of <float>, or a capsule along x. */
enum { CAPSULE = FM_FLOAT_ELLIPSOID + 1 };

/* Half the breadth of a capsule of half length a and radius r at x. */
static double capsule_half(double x, double a, double r)
{
    double beyond = fabs(x) - (a - r);
    return beyond > 0 ? sqrt(r * r - beyond * beyond) : r;
}

/* Over an ellipse: Gauss in radius, equal angles. r² is uniform in area: r = √t, t by Gauss on (0, 1). */
static fm_column_element round_column(const fm_float_config *c, int i, int k)
{
    double a = c->size[0] / 2, w = c->size[1] / 2, h = c->size[2] / 2;
    double t = (1 + gauss_x[i]) / 2, angle = 2 * FM_PI * (k + 0.5) / COLUMNS;
    double half = c->shape == FM_FLOAT_ELLIPSOID ? h * sqrt(1 - t) : h;
    return (fm_column_element){a * sqrt(t) * fm_cos(angle), w * sqrt(t) * fm_sin(angle), -half, half,
                               FM_PI * a * w * gauss_w[i] / 2 / COLUMNS};
}

/* Over a rectangle, or the outline of a capsule: Gauss points in x and y. */
static fm_column_element straight_column(const fm_float_config *c, int i, int k)
{
    double a = c->size[0] / 2, w = c->size[1] / 2, half = c->size[2] / 2, x = a * gauss_x[i];
    if (c->shape == CAPSULE)
        half = w = capsule_half(x, a, w);
    if (c->shape == FM_FLOAT_LYING_CYLINDER || c->shape == CAPSULE)
        half *= sqrt(1 - gauss_x[k] * gauss_x[k]);
    return (fm_column_element){x, w * gauss_x[k], -half, half, a * w * gauss_w[i] * gauss_w[k]};
}

static void place_columns(const fm_float_config *c, fm_column_element *out)
{
    int round_plan = c->shape == FM_FLOAT_CYLINDER || c->shape == FM_FLOAT_ELLIPSOID;
    for (int i = 0; i < COLUMNS; i++)
        for (int k = 0; k < COLUMNS; k++) {
            fm_column_element e = round_plan ? round_column(c, i, k) : straight_column(c, i, k);
            *out++ = (fm_column_element){c->centre[0] + e.x, c->centre[1] + e.y, c->centre[2] + e.top,
                                         c->centre[2] + e.bottom, e.area};
        }
}

static double float_volume(const fm_float_config *c)
{
    static const double filled[4] = {1, FM_PI / 4, FM_PI / 4, FM_PI / 6};
    double r = c->size[1] / 2;
    if (c->shape == CAPSULE)
        return FM_PI * r * r * (c->size[0] - 2 * r) + 4 * FM_PI / 3 * r * r * r;
    return filled[c->shape] * c->size[0] * c->size[1] * c->size[2];
}

/* Scales areas so that the columns hold exactly the shape's volume (Gauss points miss the round ends a little). */
static void fix_volume(const fm_float_config *c, fm_column_element *columns)
{
    double wanted = float_volume(c), found = 0;
    for (int i = 0; i < FLOAT_COLUMNS; i++)
        found += columns[i].area * (columns[i].bottom - columns[i].top);
    for (int i = 0; i < FLOAT_COLUMNS; i++)
        columns[i].area *= wanted / found;
}

/* --- floats --- */

static fm_status build_floats(fm_part_load *load, fm_type *type, fm_error *error)
{
    size_t shapes = fm_load_child_count(load, "float"), at = 0;
    fm_column_element *columns = fm_load_alloc(load, shapes * FLOAT_COLUMNS * sizeof *columns);
    if (!columns)
        return FM_ERR_MEMORY;
    for (size_t i = 0; i < shapes; i++, at += FLOAT_COLUMNS) {
        fm_float_config c = {0};
        fm_status status = fm_load_child(load, "float", i, &c, error);
        if (status != FM_OK)
            return status;
        place_columns(&c, columns + at);
        fix_volume(&c, columns + at);
    }
    type->body.hull.columns = columns;
    type->body.hull.count = (int32_t)at;
    type->body.hull.bears = 1;
    return FM_OK;
}

/* --- hulls from <buoyancy> --- */

/* A shape of the hull as one of <float>; 0 where it is turned or of another kind. */
static int as_float(const fm_shape *shape, fm_float_config *c)
{
    static const double upright[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const double *s = shape->size, r = s[0], whole = 2 * (s[0] + s[1]);
    int lies = shape->axis == 0, found = memcmp(shape->rotation, upright, sizeof upright) == 0;
    memcpy(c->centre, shape->position, sizeof c->centre);
    switch (shape->kind) {
    case FM_SHAPE_BOX: *c = (fm_float_config){FM_FLOAT_BOX, {2 * s[0], 2 * s[1], 2 * s[2]}, {0}}; break;
    case FM_SHAPE_SPHERE: *c = (fm_float_config){FM_FLOAT_ELLIPSOID, {2 * r, 2 * r, 2 * r}, {0}}; break;
    case FM_SHAPE_ELLIPSOID: *c = (fm_float_config){FM_FLOAT_ELLIPSOID, {2 * s[0], 2 * s[1], 2 * s[2]}, {0}}; break;
    case FM_SHAPE_CYLINDER:
        *c = (fm_float_config){FM_FLOAT_LYING_CYLINDER, {2 * s[1], 2 * r, 2 * r}, {0}};
        found &= lies;
        break;
    case FM_SHAPE_CAPSULE:
        *c = (fm_float_config){CAPSULE, {whole, 2 * r, 2 * r}, {0}};
        found &= lies;
        break;
    default: found = 0;
    }
    memcpy(c->centre, shape->position, sizeof c->centre);
    return found;
}

/* An inclined shape: from vertical rays over its plan. Returns the number of columns. */
static size_t cast_columns(const fm_shape *shape, fm_column_element *out)
{
    static const double down[3] = {0, 0, 1};
    fm_aabb box;
    fm_ray_span span;
    size_t count = 0;
    fm_shape_aabb(shape, &box);
    double dx = (box.high[0] - box.low[0]) / GRID, dy = (box.high[1] - box.low[1]) / GRID;
    for (int i = 0; i < GRID; i++)
        for (int k = 0; k < GRID; k++) {
            double from[3] = {box.low[0] + (i + 0.5) * dx, box.low[1] + (k + 0.5) * dy, box.low[2]};
            if (fm_shape_ray(shape, from, down, &span) && span.leave > span.enter)
                out[count++] =
                    (fm_column_element){from[0], from[1], from[2] + span.enter, from[2] + span.leave, dx * dy};
        }
    return count;
}

/* Without a hull: a ball of its displacement about its centre of buoyancy. */
static fm_float_config unknown_hull(const fm_type *type, double density, double gravity)
{
    double volume =
        type->mass.buoyancy > 0 ? type->mass.buoyancy / (density * gravity) : type->weights.properties.mass / density;
    double d = 2 * fm_pow(volume * 3 / (4 * FM_PI), 1.0 / 3);
    const double *b = type->mass.buoyancy_centre;
    return (fm_float_config){FM_FLOAT_ELLIPSOID, {d, d, d}, {b[0], b[1], b[2]}};
}

/* Volumes become shares of the whole. */
static void share_out(fm_column_element *columns, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += columns[i].area * (columns[i].bottom - columns[i].top);
    for (size_t i = 0; i < count; i++)
        columns[i].area /= sum;
}

static fm_status build_shares(fm_part_load *load, fm_type *type)
{
    const fm_environment *sea = fm_load_environment(load);
    fm_column_element *columns = fm_load_alloc(load, (type->shape_count + 1) * SHAPE_COLUMNS * sizeof *columns);
    if (!columns)
        return FM_ERR_MEMORY;
    size_t count = 0;
    fm_float_config c;
    for (size_t i = 0; i < type->shape_count; i++) {
        if (!as_float(&type->shapes[i], &c)) {
            count += cast_columns(&type->shapes[i], columns + count);
            continue;
        }
        place_columns(&c, columns + count);
        fix_volume(&c, columns + count);
        count += FLOAT_COLUMNS;
    }
    if (!count) {
        c = unknown_hull(type, sea->density, sea->gravity);
        place_columns(&c, columns);
        count = FLOAT_COLUMNS;
    }
    share_out(columns, count);
    type->body.hull.columns = columns;
    type->body.hull.count = (int32_t)count;
    return FM_OK;
}

/* --- derived from the columns --- */

static double reach_of(const fm_floating_hull *hull)
{
    double most = 0;
    for (int i = 0; i < hull->count; i++) {
        const fm_column_element *e = &hull->columns[i];
        double z = fmax(fabs(e->top), fabs(e->bottom));
        most = fmax(most, e->x * e->x + e->y * e->y + z * z);
    }
    return sqrt(most) * (1 + 1e-9);
}

/* Sums of all columns, as the kernel computes them far below the surface. The coefficients of a diver are those of the
 * submerged hull at rest; those of a floating craft were measured afloat, and apply until half of the hull that is in
 * the water at rest has come out. */
static void sum_columns(fm_floating_hull *hull, const fm_mass *mass)
{
    static const double level[3] = {0, 0, 1};
    fm_submersion all = fm_submersion_at(hull, 1e9, level);
    hull->volume = all.volume;
    memcpy(hull->moment, all.moment, sizeof hull->moment);
    hull->reach = reach_of(hull);
    double lift = hull->bears ? hull->weight_density : mass->buoyancy;
    double rest = fmin(lift > 0 ? mass->weight / lift : hull->volume, hull->volume);
    hull->holds = fmax(rest < FM_HULL_DIVES * hull->volume ? 0.5 * rest : rest, 1e-3 * hull->volume);
}

/* --- the mass that fades --- */

/* The added mass that leaves the hull with the water: all of it, or if the mass of the file cannot rotate without it
 * (no inertia of its own), that of translation. */
static fm_status build_fading_mass(fm_part_load *load, fm_type *type)
{
    double *fading = fm_load_alloc(load, 36 * sizeof *fading), dry[36], l[36];
    if (!fading)
        return FM_ERR_MEMORY;
    memcpy(fading, type->weights.added_mass, 36 * sizeof *fading);
    fm_mass_rigid_matrix(&type->weights.properties, dry);
    int turns = fm_matrix6_factor(dry, l) == 0;
    for (int i = 0; i < 36 && !turns; i++)
        if (i % 6 > 2 || i / 6 > 2)
            fading[i] = 0;
    type->body.fading_mass = fading;
    return FM_OK;
}

fm_status fm_body_build_hull(fm_part_load *load, fm_type *type, fm_error *error)
{
    const fm_environment *sea = fm_load_environment(load);
    fm_floating_hull *hull = &type->body.hull;
    hull->weight_density = sea->density * sea->gravity;
    hull->gravity = sea->gravity;
    fm_status status = fm_load_has_child(load, "float") ? build_floats(load, type, error) : build_shares(load, type);
    if (status == FM_OK)
        status = build_fading_mass(load, type);
    if (status != FM_OK)
        return status;
    sum_columns(hull, &type->mass);
    hull->substeps = fm_body_surface_parts(type);
    status = fm_body_build_grid(load, type);
    if (type->no_surface)
        hull->count = 0;
    return status;
}

/* Gravity changes neither the floating depth of a body nor its wet part at rest; it changes the heave frequency. */
void fm_body_weigh(fm_type *type, double ratio)
{
    fm_floating_hull *hull = &type->body.hull;
    type->mass.weight *= ratio;
    type->mass.buoyancy *= ratio;
    type->weights.gravity *= ratio;
    hull->weight_density *= ratio;
    hull->flooded *= ratio;
    hull->gravity *= ratio;
    if (hull->count)
        hull->substeps = fm_body_surface_parts(type);
}
