/* <coverage>: the part of an area that a vehicle has passed over. docs/theory/control.md, "Parts" */
#include <math.h>

#include "control/parts.h"

typedef struct coverage_config {
    double from[2], to[2]; /* m, north and east: corners of the area */
    double swath, cell;    /* m */
    const char *name;
    double period;
    int64_t cells[2]; /* along north and east */
    int64_t metric;
} coverage_config;

/* State: this head, then one bit per cell. */
typedef struct coverage_state {
    double last[2]; /* m, north and east */
    int64_t started;
    int64_t covered; /* cells */
} coverage_state;

enum { CELLS_MOST = 1 << 20 };

static const fm_attr attrs[] = {
    FM_VECTOR_ATTR(coverage_config, from, 2, "from", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED,
                   "corner of the area with the least north and east"),
    FM_VECTOR_ATTR(coverage_config, to, 2, "to", "m", -1e7, 1e7, NULL, FM_ATTR_REQUIRED, "corner with the greatest"),
    FM_REAL_ATTR(coverage_config, swath, "swath", "m", 0, 1e5, "0 m", 0,
                 "width of the strip that one pass covers; 0: the cells that the vehicle was in count"),
    FM_REAL_ATTR(coverage_config, cell, "cell", "m", 0.01, 1e5, "1 m", 0, "side of a cell"),
    FM_NAME_ATTR(coverage_config, name, "name", NULL, 0, "of this part"),
    FM_REAL_ATTR(coverage_config, period, "period", "s", 0, 1e3, "0 s", 0, "between two samples; 0: every step"),
};
static const fm_element element =
    FM_TABLE_ELEMENT(coverage_config, "coverage", attrs, NULL, 0,
                     "Measures how much of a level rectangle lies within half a swath of the vehicle's path, or in "
                     "which part of its cells the vehicle has been.");

static fm_status load_coverage(fm_part_load *load, void *memory, fm_error *error)
{
    coverage_config *c = memory;
    double count[2];
    if (fm_load_has_metric(load, "coverage"))
        return fm_load_fail(load, error, FM_ERR_MODEL,
                            "the vehicle already has a part that gives the metric coverage: must be one");
    for (int k = 0; k < 2; k++) {
        if (!(c->to[k] > c->from[k]))
            return fm_load_fail(load, error, FM_ERR_RANGE, "to is %g m %s: must be more than from, %g m", c->to[k],
                                k ? "east" : "north", c->from[k]);
        count[k] = ceil((c->to[k] - c->from[k]) / c->cell - 1e-9);
    }
    if (count[0] * count[1] > CELLS_MOST)
        return fm_load_fail(load, error, FM_ERR_RANGE, "the area has %g cells: must be at most %d: choose larger ones",
                            count[0] * count[1], CELLS_MOST);
    c->cells[0] = (int64_t)count[0];
    c->cells[1] = (int64_t)count[1];
    fm_load_state_size(load, sizeof(coverage_state) + ((size_t)(c->cells[0] * c->cells[1]) + 63) / 64 * 8);
    c->metric = fm_load_metric(load, "coverage", "", "part of the area that was passed over", FM_METRIC_LAST);
    return FM_OK;
}

/* Squared distance of a point from the segment a–b, m². */
static double distance_squared(const double a[2], const double b[2], const double p[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]}, e[2] = {p[0] - a[0], p[1] - a[1]},
                 length = d[0] * d[0] + d[1] * d[1];
    const double part = length > 0 ? fmax(0, fmin(1, (d[0] * e[0] + d[1] * e[1]) / length)) : 0;
    const double x = e[0] - part * d[0], y = e[1] - part * d[1];
    return x * x + y * y;
}

/* Cells whose centres may be within half a swath of the segment, along one axis. */
static void cell_range(const coverage_config *c, int axis, double a, double b, int64_t *first, int64_t *last)
{
    const double low = floor((fmin(a, b) - c->swath / 2 - c->from[axis]) / c->cell),
                 high = floor((fmax(a, b) + c->swath / 2 - c->from[axis]) / c->cell);
    *first = low > 0 ? (low < (double)c->cells[axis] ? (int64_t)low : c->cells[axis]) : 0;
    *last = high < (double)c->cells[axis] - 1 ? (int64_t)high : c->cells[axis] - 1;
}

static void cover(const coverage_config *c, coverage_state *s, const double now[2])
{
    uint64_t *bits = (uint64_t *)(void *)(s + 1);
    int64_t first[2], last[2];
    for (int k = 0; k < 2; k++)
        cell_range(c, k, s->last[k], now[k], &first[k], &last[k]);
    for (int64_t i = first[0]; i <= last[0]; i++)
        for (int64_t j = first[1]; j <= last[1]; j++) {
            const int64_t cell = i * c->cells[1] + j;
            const double centre[2] = {c->from[0] + ((double)i + 0.5) * c->cell,
                                      c->from[1] + ((double)j + 0.5) * c->cell};
            const uint64_t bit = (uint64_t)1 << (cell % 64);
            if ((bits[cell / 64] & bit) || distance_squared(s->last, now, centre) > c->swath * c->swath / 4)
                continue;
            bits[cell / 64] |= bit;
            s->covered++;
        }
}

/* Without a swath: the cell under the vehicle. */
static void visit(const coverage_config *c, coverage_state *s, const double now[2])
{
    uint64_t *bits = (uint64_t *)(void *)(s + 1);
    const double i = floor((now[0] - c->from[0]) / c->cell), k = floor((now[1] - c->from[1]) / c->cell);
    if (!(i >= 0 && i < (double)c->cells[0] && k >= 0 && k < (double)c->cells[1]))
        return;
    const int64_t cell = (int64_t)i * c->cells[1] + (int64_t)k;
    const uint64_t bit = (uint64_t)1 << (cell % 64);
    s->covered += bits[cell / 64] & bit ? 0 : 1;
    bits[cell / 64] |= bit;
}

static void run_coverage(const fm_part_context *context)
{
    const coverage_config *c = context->config;
    coverage_state *s = context->state;
    const double *now = context->vehicle->position;
    if (!s->started) {
        s->started = 1;
        s->last[0] = now[0];
        s->last[1] = now[1];
    }
    if (c->swath > 0)
        cover(c, s, now);
    else
        visit(c, s, now);
    s->last[0] = now[0];
    s->last[1] = now[1];
    fm_metric_note(context, (int)c->metric, (double)s->covered / (double)(c->cells[0] * c->cells[1]));
}

const fm_part_class fm_coverage_class = {.kind = FM_PART_CONTROLLER,
                                         .element = &element,
                                         .state_size = sizeof(coverage_state),
                                         .load = load_coverage,
                                         .run = run_coverage};
