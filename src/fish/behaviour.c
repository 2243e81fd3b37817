#include "fish/behaviour.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "fish/fish_avoid.h"

enum { POINTS_MAX = 100000, FILE_MAX = 8 << 20 };

fm_fish_decision fm_fish_decide(double speed, double turn, double own_speed)
{
    fm_fish_decision d = {.speed = speed, .turn = turn};
    if (speed <= 0 && turn == 0)
        d.behaviour = FM_FISH_HOVER;
    else if (fm_abs(turn) > 0.2)
        d.behaviour = FM_FISH_TURN;
    else if (speed > own_speed + 0.02)
        d.behaviour = FM_FISH_ACCELERATE;
    else
        d.behaviour = speed < own_speed - 0.02 ? FM_FISH_DECELERATE : FM_FISH_CONSTANT;
    return d;
}

fm_fish_behaviour fm_fish_persist(fm_fish_behaviour before, const fm_fish_decision *decision, double own_speed)
{
    double turn = fm_abs(decision->turn), faster = decision->speed - own_speed;
    switch (decision->behaviour) {
    case FM_FISH_CONSTANT:
    case FM_FISH_ACCELERATE:
    case FM_FISH_DECELERATE: break;
    default: return decision->behaviour;
    }
    int goes_on = before == FM_FISH_TURN         ? turn > 0.12
                  : before == FM_FISH_ACCELERATE ? faster > 0.005
                                                 : before == FM_FISH_DECELERATE && faster < -0.005;
    return goes_on ? before : decision->behaviour;
}

void fm_fish_expect(const fm_fish_decision *decision, double own_speed, double *acceleration, double *turn_rate)
{
    double to_speed = fm_fish_expected_acceleration(decision->speed, own_speed),
           most = decision->rate > 0 ? decision->rate : INFINITY;
    *turn_rate = decision->turn;
    switch (decision->behaviour) {
    case FM_FISH_ACCELERATE: *acceleration = fm_clamp(to_speed, 0, most); break;
    case FM_FISH_DECELERATE: *acceleration = fm_clamp(to_speed, -most, 0); break;
    case FM_FISH_HOVER: /* no beat at all, even at rest */
        *acceleration = fm_min(fm_fish_expected_acceleration(0, own_speed), -1);
        *turn_rate = 0;
        break;
    case FM_FISH_BACK_OFF: *acceleration = fm_fish_expected_acceleration(0, own_speed); break;
    default: *acceleration = to_speed;
    }
}

int fm_fish_wander_step(fm_fish_wander *wander, double most, double dt, double random_turn, double random_hold)
{
    wander->left -= dt;
    if (wander->left > 0)
        return 0;
    wander->turn = most * (2 * random_turn - 1);
    wander->left = 1 + 3 * random_hold;
    return 1;
}

fm_status fm_fish_path_points(fm_fish_path *path, const double *xy, size_t count, int closed, fm_error *error)
{
    *path = (fm_fish_path){0};
    if (count < 2 || count > POINTS_MAX)
        return fm_fail(error, FM_ERR_RANGE, "a trajectory of %zu points: must be 2 to %d", count, POINTS_MAX);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(xy[2 * i]) || !isfinite(xy[2 * i + 1]))
            return fm_fail(error, FM_ERR_RANGE, "point %zu of the trajectory is not finite", i + 1);
        size_t next = i + 1 < count ? i + 1 : 0;
        if ((next != 0 || closed) && xy[2 * i] == xy[2 * next] && xy[2 * i + 1] == xy[2 * next + 1])
            return fm_fail(error, FM_ERR_MODEL, "points %zu and %zu of the trajectory are the same", i + 1, next + 1);
    }
    path->point = fm_alloc(2 * count * sizeof(double));
    if (!path->point)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a trajectory of %zu points", count);
    memcpy(path->point, xy, 2 * count * sizeof(double));
    path->count = count;
    path->closed = closed;
    return FM_OK;
}

fm_status fm_fish_path_circle(fm_fish_path *path, double x, double y, double radius, int corners, fm_error *error)
{
    *path = (fm_fish_path){0};
    if (!(radius > 0) || !isfinite(x + y + radius) || corners < 3 || corners > 10000)
        return fm_fail(error, FM_ERR_RANGE,
                       "a circle of radius %g m with %d corners: must be more than 0 m, 3 to 10000", radius, corners);
    double *xy = fm_alloc(2 * (size_t)corners * sizeof(double));
    if (!xy)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a circle");
    for (int i = 0; i < corners; i++) {
        xy[2 * i] = x + radius * fm_cos(2 * FM_PI * i / corners);
        xy[2 * i + 1] = y + radius * fm_sin(2 * FM_PI * i / corners);
    }
    fm_status status = fm_fish_path_points(path, xy, (size_t)corners, 1, error);
    fm_free(xy);
    return status;
}

/* One line of a trajectory file. Returns 1 for a point, 0 for nothing, 2 for "closed", -1 for neither. */
static int read_point(char *line, double *xy)
{
    char *hash = strchr(line, '#'), *end;
    if (hash)
        *hash = '\0';
    line += strspn(line, " \t\r");
    if (*line == '\0')
        return 0;
    if (strncmp(line, "closed", 6) == 0 && line[6 + strspn(line + 6, " \t\r")] == '\0')
        return 2;
    xy[0] = strtod(line, &end);
    if (end == line)
        return -1;
    line = end + strspn(end, " \t,");
    xy[1] = strtod(line, &end);
    return end != line && end[strspn(end, " \t\r")] == '\0' && isfinite(xy[0]) && isfinite(xy[1]) ? 1 : -1;
}

static fm_status read_points(char *text, const char *name, double *xy, size_t *count, int *closed, fm_error *error)
{
    int line = 0;
    for (char *next; text; text = next) {
        next = strchr(text, '\n');
        if (next)
            *next++ = '\0';
        line++;
        double p[2];
        int kind = read_point(text, p);
        if (kind < 0 || (kind > 0 && *closed))
            return fm_fail_at(error, FM_ERR_SYNTAX, name, line,
                              "\"%.40s\": must be \"x, y\" in metres, and \"closed\" as the last line", text);
        if (kind == 2)
            *closed = 1;
        if (kind != 1)
            continue;
        if (*count == POINTS_MAX)
            return fm_fail_at(error, FM_ERR_FULL, name, line, "more than %d points", POINTS_MAX);
        xy[2 * *count] = p[0];
        xy[2 * *count + 1] = p[1];
        ++*count;
    }
    return FM_OK;
}

fm_status fm_fish_path_parse(fm_fish_path *path, const char *text, size_t size, const char *name, fm_error *error)
{
    *path = (fm_fish_path){0};
    if (size > FILE_MAX || memchr(text, '\0', size))
        return fm_fail_at(error, FM_ERR_SYNTAX, name, 0, "a trajectory is a text file of at most %d bytes", FILE_MAX);
    char *copy = fm_alloc(size + 1);
    size_t count = 0, room = 1;
    for (size_t i = 0; i < size; i++)
        room += text[i] == '\n';
    double *xy = fm_alloc(2 * room * sizeof(double));
    fm_status status = FM_OK;
    int closed = 0;
    if (!copy || !xy) {
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a trajectory");
    } else {
        memcpy(copy, text, size);
        status = read_points(copy, name, xy, &count, &closed, error);
    }
    if (status == FM_OK)
        status = fm_fish_path_points(path, xy, count, closed, error);
    fm_free(copy);
    fm_free(xy);
    return status;
}

fm_status fm_fish_path_load(fm_fish_path *path, const char *file, fm_error *error)
{
    *path = (fm_fish_path){0};
    FILE *in = fopen(file, "rb");
    if (!in)
        return fm_fail_at(error, FM_ERR_FILE, file, 0, "cannot be opened: %s", strerror(errno));
    char *text = fm_alloc(FILE_MAX + 1);
    size_t size = text ? fread(text, 1, FILE_MAX + 1, in) : 0;
    fm_status status;
    if (!text)
        status = fm_fail(error, FM_ERR_MEMORY, "out of memory for a trajectory");
    else if (ferror(in))
        status = fm_fail_at(error, FM_ERR_FILE, file, 0, "cannot be read: %s", strerror(errno));
    else
        status = fm_fish_path_parse(path, text, size, file, error);
    fm_free(text);
    fclose(in);
    return status;
}

void fm_fish_path_free(fm_fish_path *path)
{
    fm_free(path->point);
    *path = (fm_fish_path){0};
}

static size_t edges(const fm_fish_path *path)
{
    return path->closed ? path->count : path->count - 1;
}

/* Corner i, unit vector to the next one, and the edge's length. */
static double edge(const fm_fish_path *path, size_t i, double at[2], double along[2])
{
    const double *a = path->point + 2 * i, *b = path->point + 2 * ((i + 1) % path->count);
    double dx = b[0] - a[0], dy = b[1] - a[1], length = fm_sqrt(dx * dx + dy * dy);
    at[0] = a[0];
    at[1] = a[1];
    along[0] = dx / length;
    along[1] = dy / length;
    return length;
}

double fm_fish_path_length(const fm_fish_path *path)
{
    double sum = 0, a[2], u[2];
    for (size_t i = 0; i < edges(path); i++)
        sum += edge(path, i, a, u);
    return sum;
}

fm_fish_path_point fm_fish_path_nearest(const fm_fish_path *path, double x, double y)
{
    fm_fish_path_point best = {0, 0};
    double least = INFINITY, before = 0, a[2], u[2];
    for (size_t i = 0; i < edges(path); i++) {
        double length = edge(path, i, a, u), dx = x - a[0], dy = y - a[1];
        double s = fm_clamp(dx * u[0] + dy * u[1], 0, length), ex = dx - s * u[0], ey = dy - s * u[1];
        double d2 = ex * ex + ey * ey;
        if (d2 < least) {
            least = d2;
            best.along = before + s;
            best.offset = fm_sqrt(d2) * (u[0] * dy - u[1] * dx < 0 ? -1 : 1);
        }
        before += length;
    }
    return best;
}

void fm_fish_path_at(const fm_fish_path *path, double along, double *x, double *y)
{
    double total = fm_fish_path_length(path), a[2], u[2], length = 0;
    if (path->closed)
        along -= total * __builtin_floor(along / total);
    size_t i = 0;
    for (; i < edges(path); i++) {
        length = edge(path, i, a, u);
        if (along <= length || i + 1 == edges(path))
            break;
        along -= length;
    }
    along = fm_clamp(along, 0, length);
    *x = a[0] + along * u[0];
    *y = a[1] + along * u[1];
}

double fm_fish_steer_to(double x, double y, double heading, double target_x, double target_y)
{
    double dx = target_x - x, dy = target_y - y, c = fm_cos(heading), s = fm_sin(heading);
    double bearing = fm_atan2(c * dy - s * dx, c * dx + s * dy);
    return fm_clamp(1.5 * bearing, -1.2, 1.2);
}

fm_fish_decision fm_fish_follow(const fm_fish_path *path, double x, double y, double heading, double own_speed,
                                double speed, double ahead)
{
    double tx, ty, along = fm_fish_path_nearest(path, x, y).along;
    fm_fish_path_at(path, along + ahead, &tx, &ty);
    if (!path->closed && along >= fm_fish_path_length(path) - 1e-6) /* the end is reached: stay */
        return (fm_fish_decision){.behaviour = FM_FISH_HOVER};
    return fm_fish_decide(speed, fm_fish_steer_to(x, y, heading, tx, ty), own_speed);
}

fm_fish_decision fm_fish_pursue(double x, double y, double heading, double target_x, double target_y,
                                double target_speed, double distance)
{
    double dx = target_x - x, dy = target_y - y, d = fm_sqrt(dx * dx + dy * dy);
    double speed = fm_max(target_speed + 0.3 * (d - distance), 0.02);
    return (fm_fish_decision){
        .behaviour = FM_FISH_PURSUE, .speed = speed, .turn = fm_fish_steer_to(x, y, heading, target_x, target_y)};
}
