/* Cost over a size: vehicles, strips, beams, transducers, clients. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/json_member.h"
#include "base/text.h"
#include "plot/table_figure.h"

/* --- the JSON of `fathom bench` --- */

static bool read_size(const char *object, const char *end, fm_bench_size *size)
{
    char kind[32];
    double count;
    const char *name = fm_json_member_find(object, end, "name");
    if (!name || sscanf(name, "\"sizes/%31[a-z]/%lf\"", kind, &count) != 2)
        return false;
    *size = (fm_bench_size){.count = count, .ns = fm_json_member_number(object, end, "ns_per_step")};
    memcpy(size->kind, kind, sizeof kind);
    return true;
}

fm_status fm_bench_parse(const char *text, size_t size, const char *name, fm_arena *arena, fm_bench_size **sizes,
                         size_t *count, fm_error *error)
{
    size_t room = 0;
    char *copy = fm_arena_alloc(arena, size + 1);
    if (!copy)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %s", name);
    memcpy(copy, text, size);
    for (size_t i = 0; i < size; i++)
        room += copy[i] == '{';
    *count = 0;
    if (!(*sizes = fm_arena_alloc(arena, (room + 1) * sizeof **sizes)))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for %s", name);
    for (const char *at = strstr(copy, "\"results\""); at && (at = strchr(at, '{'));) {
        const char *end = fm_json_object_end(at);
        if (!end)
            break;
        *count += read_size(at, end, &(*sizes)[*count]);
        at = end;
    }
    return *count ? FM_OK
                  : fm_fail(error, FM_ERR_SYNTAX,
                            "%s holds no result sizes/KIND/COUNT; `fathom bench --sizes --json` measures them", name);
}

/* --- the figure --- */

typedef struct panel {
    const char *kind, *label, *title, *unit;
    double factor; /* of ns */
} panel;

static const panel panels[] = {
    {"vehicles", "vehicles in a world", "A step of one of them", "ns", 1},
    {"strips", "strips of its hull", "A step of one vehicle", "ns", 1},
    {"beams", "beams of a sonar", "A ping", "µs", 1e-3},
    {"transducers", "transducers that all hear each other", "A second with a ping each", "ms", 1e-6},
    {"clients", "clients of a server", "A state sent and answered", "µs", 1e-3},
};
enum { PANELS = sizeof panels / sizeof *panels, POINTS = 64 };

static size_t gather(const fm_bench_size *sizes, size_t count, const panel *p, double *x, double *y)
{
    size_t found = 0;
    for (size_t i = 0; i < count && found < POINTS; i++) {
        double cost = p->factor * sizes[i].ns;
        if (strcmp(sizes[i].kind, p->kind) != 0 || !isfinite(cost))
            continue;
        x[found] = sizes[i].count;
        y[found++] = cost;
    }
    return found;
}

fm_figure *fm_bench_draw(const fm_bench_size *sizes, size_t count, fm_theme theme, fm_error *error)
{
    double x[POINTS], y[POINTS];
    size_t cell = 0, kinds = 0;
    for (size_t i = 0; i < PANELS; i++)
        kinds += gather(sizes, count, &panels[i], x, y) > 0;
    if (!kinds) {
        fm_fail(error, FM_ERR_RANGE, "nothing of what was measured can be drawn");
        return NULL;
    }
    fm_figure *figure = fm_figure_create(170, 15 + 58 * (double)((kinds + 1) / 2), theme);
    fm_figure_title(figure, "What a size costs");
    for (size_t i = 0; i < PANELS; i++) {
        const panel *p = &panels[i];
        size_t points = gather(sizes, count, p, x, y);
        if (!points)
            continue;
        fm_axes *axes = fm_figure_axes(figure, cell / 2, cell % 2, 1, 1);
        fm_axes_x(axes, &(fm_axis_style){.label = p->label, .scale = FM_SCALE_LOG});
        fm_axes_y(axes, &(fm_axis_style){.label = "time", .unit = p->unit, .scale = FM_SCALE_LOG});
        fm_axes_title(axes, p->title);
        fm_axes_line(axes, x, y, points, &(fm_line_style){.marker = FM_MARKER_DISC});
        cell++;
    }
    return figure;
}
