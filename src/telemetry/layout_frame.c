#include "telemetry/layout_frame.h"

#include <stdio.h>
#include <string.h>

#include "telemetry/frames.h"

/* --- turning a row --- */

static int is_world(const fm_layout_turn *turn, const fm_cell *row)
{
    if (turn->frame != FM_TURN_BY_HEADER)
        return turn->frame == FM_TURN_WORLD;
    const fm_cell *frame = &row[turn->header];
    return frame->kind == FM_CELL_TEXT && frame->value.text.length == 3 &&
           memcmp(frame->value.text.start, "map", 3) == 0;
}

static int take(const fm_cell *cells, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++) {
        if (cells[i].kind != FM_CELL_REAL)
            return 0;
        values[i] = cells[i].value.real;
    }
    return 1;
}

static void put(fm_cell *cells, size_t count, const double *values)
{
    for (size_t i = 0; i < count; i++) {
        cells[i].value.real = values[i];
        cells[i].single = (float)values[i];
    }
}

static void turn_vector(int world, double v[3])
{
    const double was[3] = {v[0], v[1], v[2]};
    v[0] = world ? was[1] : was[0];
    v[1] = world ? was[0] : -was[1];
    v[2] = -was[2];
}

/* x, y, z, w as in messages */
static void turn_quaternion(int world, double q[4])
{
    double turned[4]; /* w, x, y, z */
    if (world) {
        fm_ned_attitude_from_enu((fm_msg_quaternion){.x = q[0], .y = q[1], .z = q[2], .w = q[3]}, turned);
        memcpy(q, turned + 1, 3 * sizeof *q);
        q[3] = turned[0];
    } else {
        q[1] = -q[1];
        q[2] = -q[2];
    }
}

/* C' = T C Tᵀ by rows, T a vector's turn for each three; one that is not known (it begins with −1) stays. */
static void turn_covariance(int world, double *c, size_t side)
{
    double half[36], row[3];
    if (c[0] < 0)
        return;
    for (size_t i = 0; i < side; i++) /* T from the right: every row is a vector or two */
        for (size_t k = 0; k < side; k += 3) {
            memcpy(row, c + i * side + k, sizeof row);
            turn_vector(world, row);
            memcpy(half + i * side + k, row, sizeof row);
        }
    for (size_t k = 0; k < side; k++)
        for (size_t i = 0; i < side; i += 3) {
            for (size_t n = 0; n < 3; n++)
                row[n] = half[(i + n) * side + k];
            turn_vector(world, row);
            for (size_t n = 0; n < 3; n++)
                c[(i + n) * side + k] = row[n];
        }
}

void fm_layout_turn_row(const fm_layout_turn *turns, size_t count, fm_cell *row)
{
    static const size_t sizes[] = {
        [FM_TURN_VECTOR] = 3, [FM_TURN_QUATERNION] = 4, [FM_TURN_COVARIANCE_3] = 9, [FM_TURN_COVARIANCE_6] = 36};
    double values[36];
    for (size_t i = 0; i < count; i++) {
        const fm_layout_turn *turn = &turns[i];
        fm_cell *cells = row + turn->column;
        if (!take(cells, sizes[turn->kind], values))
            continue;
        int world = is_world(turn, row);
        switch (turn->kind) {
        case FM_TURN_VECTOR: turn_vector(world, values); break;
        case FM_TURN_QUATERNION: turn_quaternion(world, values); break;
        case FM_TURN_COVARIANCE_3: turn_covariance(world, values, 3); break;
        case FM_TURN_COVARIANCE_6: turn_covariance(world, values, 6); break;
        }
        put(cells, sizes[turn->kind], values);
    }
}

/* --- what of a layout has a frame --- */

static int ends_with(const char *text, const char *end)
{
    size_t a = strlen(text), b = strlen(end);
    return a >= b && strcmp(text + a - b, end) == 0;
}

/* Columns from `at` that are called PATH.a, PATH.b …; their number of letters counts. */
static int are_parts(const fm_layout *layout, size_t at, const char *parts)
{
    const char *first = layout->columns[at].path, *dot = strrchr(first, '.');
    size_t length = dot ? (size_t)(dot - first) + 1 : 0;
    for (size_t i = 0; parts[i]; i++) {
        if (at + i >= layout->count)
            return 0;
        const char *path = layout->columns[at + i].path;
        if (layout->columns[at + i].field->type != FM_FIELD_float64 || strncmp(path, first, length) != 0 ||
            path[length] != parts[i] || path[length + 1])
            return 0;
    }
    return 1;
}

/* "pose.covariance[0]" and so on to the last of `count`. */
static int is_array(const fm_layout *layout, size_t at, size_t count)
{
    char last[24];
    snprintf(last, sizeof last, "[%zu]", count - 1);
    return at + count <= layout->count && layout->columns[at].field->count == count &&
           layout->columns[at].field->type == FM_FIELD_float64 && ends_with(layout->columns[at].path, "[0]") &&
           layout->columns[at + count - 1].field == layout->columns[at].field &&
           ends_with(layout->columns[at + count - 1].path, last);
}

/* Where the message itself says in which frame a field stands. */
static fm_turn_frame frame_of(const fm_message *type, const char *path)
{
    if (strcmp(type->name, "Odometry") == 0)
        return strncmp(path, "twist", 5) == 0 ? FM_TURN_BODY : FM_TURN_WORLD;
    if (strcmp(type->name, "Imu") == 0)
        return strncmp(path, "orientation", 11) == 0 ? FM_TURN_WORLD : FM_TURN_BODY;
    if (strcmp(type->name, "NavSatFix") == 0)
        return FM_TURN_WORLD;
    static const char *const on_a_body[] = {"WrenchStamped", "TwistStamped", "Dvl", "MagneticField"};
    for (size_t i = 0; i < sizeof on_a_body / sizeof *on_a_body; i++)
        if (strcmp(type->name, on_a_body[i]) == 0)
            return FM_TURN_BODY;
    return FM_TURN_BY_HEADER;
}

/* Frame, and column of the header that tells it, of the column at hand; 0: none tells. */
static int find_frame(const fm_layout *layout, const fm_message *type, size_t at, size_t header, fm_layout_turn *turn)
{
    turn->column = at;
    turn->header = header;
    turn->frame = frame_of(type, layout->columns[at].path);
    return turn->frame != FM_TURN_BY_HEADER || header < layout->count;
}

static const char *renamed(fm_layout *layout, const char *path, const char *name)
{
    size_t stem = (size_t)(strrchr(path, '.') + 1 - path), length = stem + strlen(name) + 1;
    char *made = fm_arena_alloc(&layout->arena, length);
    if (made)
        snprintf(made, length, "%.*s%s", (int)stem, path, name);
    return made;
}

/* In our frames a vector's parts are called by their directions, so that a name tells its frame; by x, y and z they are
 * found as well. Where only the header tells, the name stays. */
static int rename_vector(fm_layout *layout, fm_layout_column *columns, const fm_layout_turn *turn)
{
    static const char *const world[3] = {"north", "east", "down"}, *const body[3] = {"forward", "starboard", "down"},
                             *const about[3] = {"roll", "pitch", "yaw"};
    for (size_t i = 0; i < 3 && turn->frame != FM_TURN_BY_HEADER; i++) {
        fm_layout_column *column = &columns[turn->column + i];
        int turning = strstr(column->path, "angular") != NULL || strstr(column->path, "torque") != NULL;
        const char *const *names = turn->frame == FM_TURN_WORLD ? world : turning ? about : body;
        if (!strchr(column->path, '.'))
            continue;
        column->alias = column->path;
        if (!(column->path = renamed(layout, column->alias, names[i])))
            return 0;
    }
    return 1;
}

/* Shapes and sizes for drawing stay as they are. */
static int has_frames(const fm_message *type)
{
    return strcmp(type->package, "visualization_msgs") != 0 && strncmp(type->package, "foxglove", 8) != 0 &&
           strcmp(type->name, "Scene") != 0;
}

static int find_turn(const fm_layout *layout, const fm_message *type, size_t at, size_t header, fm_layout_turn *turn)
{
    const char *name = layout->columns[at].field->name;
    int covariance = strstr(name, "covar") != NULL;
    if (covariance && is_array(layout, at, 9))
        turn->kind = FM_TURN_COVARIANCE_3;
    else if (covariance && is_array(layout, at, 36))
        turn->kind = FM_TURN_COVARIANCE_6;
    else if (strcmp(name, "x") == 0 && are_parts(layout, at, "xyzw"))
        turn->kind = FM_TURN_QUATERNION;
    else if (strcmp(name, "x") == 0 && are_parts(layout, at, "xyz"))
        turn->kind = FM_TURN_VECTOR;
    else
        return 0;
    return find_frame(layout, type, at, header, turn);
}

fm_status fm_layout_use_ned(fm_layout *layout, const fm_message *type, fm_error *error)
{
    fm_layout_column *columns = fm_arena_alloc(&layout->arena, (layout->count + 1) * sizeof *columns);
    fm_layout_turn *turns = fm_arena_alloc(&layout->arena, (layout->count + 1) * sizeof *turns), turn;
    size_t header = layout->count, count = 0;
    if (!columns || !turns)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a layout");
    memcpy(columns, layout->columns, layout->count * sizeof *columns);
    for (size_t i = 0; i < layout->count && has_frames(type); i++) {
        if (ends_with(layout->columns[i].path, "header.frame_id"))
            header = i;
        if (!find_turn(layout, type, i, header, &turn))
            continue;
        turns[count++] = turn;
        if (turn.kind == FM_TURN_VECTOR && !rename_vector(layout, columns, &turn))
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for a layout");
    }
    layout->columns = columns;
    layout->turns = turns;
    layout->turn_count = count;
    return FM_OK;
}
