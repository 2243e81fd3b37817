#include "acoustics/waveguide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "physics/real.h"

/* --- profiles --- */

/* The interval of increasing numbers (`last` is the last index) that contains x: from its index to the next. */
static size_t interval_of(const double *numbers, size_t last, double x)
{
    size_t low = 0, high = last;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (numbers[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

double fm_sound_profile_at(const fm_sound_profile *p, double depth)
{
    size_t last = p->count - 1;
    if (depth <= p->depth[0])
        return p->speed[0];
    if (depth >= p->depth[last])
        return p->speed[last];
    size_t low = interval_of(p->depth, last, depth), high = low + 1;
    double part = (depth - p->depth[low]) / (p->depth[high] - p->depth[low]);
    return p->speed[low] + part * (p->speed[high] - p->speed[low]);
}

/* Parses two numbers of a line. 1: parsed, 0: no numbers, -1: other text follows them. */
static int read_pair(const char *line, const char *end, double pair[2])
{
    char copy[128], *rest;
    size_t length = (size_t)(end - line);
    if (length >= sizeof copy)
        return -1;
    memcpy(copy, line, length);
    copy[length] = 0;
    pair[0] = strtod(copy, &rest);
    if (rest == copy)
        return 0;
    rest += strspn(rest, " \t,;");
    char *second = rest;
    pair[1] = strtod(second, &rest);
    if (rest == second)
        return -1;
    rest += strspn(rest, " \t\r,;");
    return *rest ? -1 : 1;
}

/* Interpretation of two columns of numbers, the first one increasing. */
typedef struct columns {
    const char *name[2], *unit[2];
    double least[2], most[2];
} columns;
static const columns speeds = {{"depth", "sound speed"}, {"m", "m/s"}, {0, 300}, {12000, 6000}};
static const columns depths = {{"range", "depth of the bottom"}, {"m", "m"}, {0, 0}, {1e7, 12000}};

typedef struct csv {
    const columns *columns;
    const char *name;
    double *first, *second;
    size_t count, line;
    int header; /* a line without numbers was seen */
} csv;

static fm_status take_pair(csv *c, const double pair[2], fm_error *error)
{
    const columns *is = c->columns;
    for (int k = 0; k < 2; k++)
        if (!(pair[k] >= is->least[k] && pair[k] <= is->most[k]))
            return fm_fail_at(error, FM_ERR_RANGE, c->name, (int)c->line,
                              "%s: %g %s is out of range: must be %g … %g %s", is->name[k], pair[k], is->unit[k],
                              is->least[k], is->most[k], is->unit[k]);
    if (c->count && pair[0] <= c->first[c->count - 1])
        return fm_fail_at(error, FM_ERR_RANGE, c->name, (int)c->line, "%s: %g %s after %g %s: must increase",
                          is->name[0], pair[0], is->unit[0], c->first[c->count - 1], is->unit[0]);
    if (c->count == FM_SOUND_PROFILE_MOST)
        return fm_fail_at(error, FM_ERR_RANGE, c->name, (int)c->line, "more than %d lines of numbers",
                          FM_SOUND_PROFILE_MOST);
    c->first[c->count] = pair[0];
    c->second[c->count++] = pair[1];
    return FM_OK;
}

static fm_status take_line(csv *c, const char *line, const char *end, fm_error *error)
{
    double pair[2];
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
        line++;
    if (line == end || *line == '#')
        return FM_OK;
    int found = read_pair(line, end, pair);
    if (found == 0 && !c->count && !c->header) {
        c->header = 1;
        return FM_OK;
    }
    if (found != 1)
        return fm_fail_at(error, FM_ERR_SYNTAX, c->name, (int)c->line, "expected %s in %s and %s in %s, found '%.*s'",
                          c->columns->name[0], c->columns->unit[0], c->columns->name[1], c->columns->unit[1],
                          (int)(end - line < 60 ? end - line : 60), line);
    return take_pair(c, pair, error);
}

static fm_status parse(csv *c, const char *text, size_t length, fm_arena *arena, fm_error *error)
{
    size_t lines = 1;
    for (size_t i = 0; i < length; i++)
        lines += text[i] == '\n';
    size_t room = lines < FM_SOUND_PROFILE_MOST ? lines : FM_SOUND_PROFILE_MOST;
    c->first = fm_arena_alloc(arena, room * sizeof(double));
    c->second = fm_arena_alloc(arena, room * sizeof(double));
    if (!c->first || !c->second)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    const char *line = text, *stop = text + length;
    while (line < stop) {
        const char *end = memchr(line, '\n', (size_t)(stop - line));
        if (!end)
            end = stop;
        c->line++;
        fm_status status = take_line(c, line, end, error);
        if (status != FM_OK)
            return status;
        line = end < stop ? end + 1 : stop;
    }
    return c->count ? FM_OK
                    : fm_fail_at(error, FM_ERR_SYNTAX, c->name, 0, "no line with %s and %s", c->columns->name[0],
                                 c->columns->name[1]);
}

static fm_status read_csv(csv *c, fm_arena *arena, fm_error *error)
{
    enum { MOST = 1 << 24 };
    FILE *file = fopen(c->name, "rb");
    if (!file)
        return fm_fail_at(error, FM_ERR_FILE, c->name, 0, "cannot be read");
    char *text = fm_alloc(MOST);
    size_t length = text ? fread(text, 1, MOST, file) : 0;
    int bad = ferror(file) || length == MOST;
    fclose(file);
    fm_status status = !text ? fm_fail(error, FM_ERR_MEMORY, "out of memory")
                       : bad ? fm_fail_at(error, FM_ERR_FILE, c->name, 0, "cannot be read, or is larger than 16 MB")
                             : parse(c, text, length, arena, error);
    fm_free(text);
    return status;
}

fm_status fm_sound_profile_parse_csv(fm_sound_profile *profile, const char *text, size_t length, const char *name,
                                     fm_arena *arena, fm_error *error)
{
    csv c = {.columns = &speeds, .name = name};
    fm_status status = parse(&c, text, length, arena, error);
    *profile = (fm_sound_profile){c.count, c.first, c.second};
    return status;
}

fm_status fm_sound_profile_read_csv(fm_sound_profile *profile, const char *path, fm_arena *arena, fm_error *error)
{
    csv c = {.columns = &speeds, .name = path};
    fm_status status = read_csv(&c, arena, error);
    *profile = (fm_sound_profile){c.count, c.first, c.second};
    return status;
}

fm_status fm_bottom_line_read_csv(fm_bottom_line *line, const char *path, fm_arena *arena, fm_error *error)
{
    csv c = {.columns = &depths, .name = path};
    fm_status status = read_csv(&c, arena, error);
    *line = (fm_bottom_line){c.count, c.first, c.second};
    return status;
}

/* c = 1500 [1 + 0.00737 (η − 1 + exp(−η))], η = 2 (z − 1300)/1300. (A4.1) */
double fm_sound_speed_munk(double depth)
{
    double eta = 2 * (depth - 1300) / 1300;
    return 1500 * (1 + 0.00737 * (eta - 1 + fm_exp(-eta)));
}

fm_status fm_sound_profile_munk(fm_sound_profile *profile, double depth, fm_arena *arena, fm_error *error)
{
    enum { MOST = 8192 };
    double *z = fm_arena_alloc(arena, MOST * sizeof *z), *c = fm_arena_alloc(arena, MOST * sizeof *c);
    if (!z || !c)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    size_t count = 0;
    /* A chord of length h has the error h² c″/8, c″ = 1500 · 0.00737 (2/1300)² exp(−η); above the surface half the
     * allowance each way. */
    for (double at = 0; count < MOST - 1 && at < depth;) {
        z[count] = at;
        c[count++] = fm_sound_speed_munk(at);
        double curvature = 1500 * 0.00737 * (2.0 / 1300) * (2.0 / 1300) * fm_exp(-2 * (at - 1300) / 1300);
        at += sqrt(8 * 1e-4 / curvature);
    }
    z[count] = depth;
    c[count++] = fm_sound_speed_munk(depth);
    *profile = (fm_sound_profile){count, z, c};
    return FM_OK;
}

fm_status fm_sound_profile_constant(fm_sound_profile *profile, double speed, fm_arena *arena, fm_error *error)
{
    double *numbers = fm_arena_alloc(arena, 2 * sizeof *numbers);
    if (!numbers)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    if (!(speed >= 300 && speed <= 6000))
        return fm_fail(error, FM_ERR_RANGE, "sound speed: %g m/s is out of range: must be 300 … 6000 m/s", speed);
    numbers[0] = 0;
    numbers[1] = speed;
    *profile = (fm_sound_profile){1, numbers, numbers + 1};
    return FM_OK;
}

/* --- bottoms --- */

static fm_status check_bottom(const fm_bottom_line *bottom, double *deepest, fm_error *error)
{
    *deepest = 0;
    for (size_t i = 0; i < bottom->count; i++) {
        if (!(bottom->depth[i] > 0 && bottom->depth[i] <= 12000))
            return fm_fail(error, FM_ERR_RANGE, "depth of the bottom: %g m is out of range: must be above 0 … 12000 m",
                           bottom->depth[i]);
        if (i && !(bottom->range[i] > bottom->range[i - 1]))
            return fm_fail(error, FM_ERR_RANGE, "range of the bottom: %g m after %g m: ranges must increase",
                           bottom->range[i], bottom->range[i - 1]);
        *deepest = fmax(*deepest, bottom->depth[i]);
    }
    return bottom->count ? FM_OK : fm_fail(error, FM_ERR_RANGE, "the bottom has no depth");
}

/* --- the waveguide --- */

fm_status fm_waveguide_make(fm_waveguide *guide, const fm_sound_profile *profile, const fm_bottom_line *bottom,
                            const fm_seabed *seabed, double roughness, fm_arena *arena, fm_error *error)
{
    double deepest;
    fm_status status = check_bottom(bottom, &deepest, error);
    if (status != FM_OK)
        return status;
    size_t room = profile->count + 2, nodes = 0;
    double *z = fm_arena_alloc(arena, room * sizeof *z), *c = fm_arena_alloc(arena, room * sizeof *c);
    double *g = fm_arena_alloc(arena, room * sizeof *g);
    double *line = fm_arena_alloc(arena, 2 * bottom->count * sizeof *line);
    if (!z || !c || !g || !line)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory");
    z[nodes] = 0;
    c[nodes++] = fm_sound_profile_at(profile, 0);
    for (size_t i = 0; i < profile->count; i++)
        if (profile->depth[i] > 0 && profile->depth[i] < deepest) {
            z[nodes] = profile->depth[i];
            c[nodes++] = profile->speed[i];
        }
    z[nodes] = deepest;
    c[nodes++] = fm_sound_profile_at(profile, deepest);
    for (size_t i = 0; i + 1 < nodes; i++)
        g[i] = (c[i + 1] - c[i]) / (z[i + 1] - z[i]);
    memcpy(line, bottom->range, bottom->count * sizeof *line);
    memcpy(line + bottom->count, bottom->depth, bottom->count * sizeof *line);
    *guide = (fm_waveguide){nodes - 1, z, c, g, bottom->count, line, line + bottom->count, *seabed, roughness};
    return FM_OK;
}

size_t fm_waveguide_layer(const fm_waveguide *guide, double depth)
{
    return interval_of(guide->depth, guide->layers, depth);
}

double fm_waveguide_speed(const fm_waveguide *guide, double depth)
{
    size_t i = fm_waveguide_layer(guide, depth);
    return guide->speed[i] + guide->gradient[i] * (depth - guide->depth[i]);
}

double fm_waveguide_bottom(const fm_waveguide *guide, double range, double *slope)
{
    const double *x = guide->bottom_range, *z = guide->bottom_depth;
    size_t last = guide->bottom_count - 1;
    *slope = 0;
    if (last == 0 || range <= x[0])
        return z[0];
    if (range >= x[last])
        return z[last];
    size_t low = interval_of(x, last, range), high = low + 1;
    *slope = (z[high] - z[low]) / (x[high] - x[low]);
    return z[low] + *slope * (range - x[low]);
}
