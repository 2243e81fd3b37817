#include "telemetry/layout_frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "physics/posture.h"
#include "telemetry/frames.h"

/* --- turning a row --- */

static int is_world(const fm_layout_turn *turn, const fm_cell *row)
{
    if (turn->frame != FM_TURN_BY_HEADER)
        return turn->frame == FM_TURN_WORLD;
    const fm_cell *frame = &row[turn->header];
    return frame->kind == FM_CELL_TEXT && fm_frame_is_world(frame->value.text.start, frame->value.text.length);
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

/* C' = T C Tᵀ by rows, T being a vector's rotation for each block of three; an unknown covariance (it begins with −1)
 * is kept. */
static void turn_covariance(int world, double *c, size_t side)
{
    double half[36], row[3];
    if (c[0] < 0)
        return;
    for (size_t i = 0; i < side; i++) /* T from the right: each row is one vector or two */
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

static void negate(fm_cell *cell)
{
    cell->value.real = -cell->value.real;
    cell->single = -cell->single;
}

/* Moves triples, which are already in our axes, to their places: all values of the first axis, then the second and
 * third. */
static void turn_triples(const fm_layout_turn *turn, int world, fm_cell *cells)
{
    const size_t each = turn->count / 3;
    size_t there = 0;
    memcpy(turn->room, cells, turn->count * sizeof *cells);
    while (there < each && cells[3 * there + 2].kind == FM_CELL_REAL)
        there++;
    for (size_t i = 0; i < turn->count; i++)
        cells[i].kind = FM_CELL_EMPTY;
    for (size_t i = 0; i < there; i++) {
        const fm_cell *from = turn->room + 3 * i;
        cells[i] = from[world ? 1 : 0];
        cells[each + i] = from[world ? 0 : 1];
        cells[2 * each + i] = from[2];
        negate(&cells[2 * each + i]);
        if (!world)
            negate(&cells[each + i]);
    }
}

static void turn_cells(const fm_layout_turn *turn, int world, fm_cell *cells)
{
    static const size_t sizes[] = {[FM_TURN_VECTOR] = 3,
                                   [FM_TURN_ANGLES] = 3,
                                   [FM_TURN_QUATERNION] = 4,
                                   [FM_TURN_COVARIANCE_3] = 9,
                                   [FM_TURN_COVARIANCE_6] = 36};
    double values[36] = {0};
    if (turn->kind == FM_TURN_TRIPLES) {
        turn_triples(turn, world, cells);
        return;
    }
    if (!take(cells, sizes[turn->kind], values))
        return;
    switch (turn->kind) {
    case FM_TURN_VECTOR: turn_vector(world, values); break;
    case FM_TURN_ANGLES:
        for (int i = 0; i < 3; i++)
            values[i] = -values[i];
        break;
    case FM_TURN_QUATERNION: turn_quaternion(world, values); break;
    case FM_TURN_COVARIANCE_3: turn_covariance(world, values, 3); break;
    case FM_TURN_COVARIANCE_6: turn_covariance(world, values, 6); break;
    case FM_TURN_TRIPLES: break;
    }
    put(cells, sizes[turn->kind], values);
}

void fm_layout_turn_row(const fm_layout_turn *turns, size_t count, fm_cell *row)
{
    for (size_t i = 0; i < count; i++)
        turn_cells(&turns[i], is_world(&turns[i], row), row + turns[i].column);
}

/* --- which parts of a layout have a frame --- */

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

/* Where the message itself says in which frame a field is. */
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

/* Frame of the present column, and the header column that names it; 0: none names it. If all measured messages had the
 * same frame, it is that frame. */
static int find_frame(const fm_layout *layout, const fm_message *type, size_t at, size_t header, fm_layout_turn *turn)
{
    turn->column = at;
    turn->header = header;
    turn->frame = frame_of(type, layout->columns[at].path);
    if (turn->frame != FM_TURN_BY_HEADER)
        return 1;
    if (header == layout->count)
        return 0;
    int frames = layout->columns[header].frames;
    if (frames == FM_FRAMES_WORLD || frames == FM_FRAMES_BODY)
        turn->frame = frames == FM_FRAMES_WORLD ? FM_TURN_WORLD : FM_TURN_BODY;
    return 1;
}

/* --- names --- */

static const char *const world_axes[3] = {"north", "east", "down"},
                         *const body_axes[3] = {"forward", "starboard", "down"},
                         *const body_turns[3] = {"roll", "pitch", "yaw"};

/* "position.x" is "position.north", "estimate[0]" "estimate.forward", "x0" "north0", "dx" "dnorth". */
static const char *renamed(fm_layout *layout, const char *path, const char *axis)
{
    const char *dot = strrchr(path, '.'), *bracket = strrchr(path, '[');
    size_t length = strlen(path) + strlen(axis) + 2;
    char *made = fm_arena_alloc(&layout->arena, length);
    if (!made)
        return NULL;
    if (ends_with(path, "]"))
        snprintf(made, length, "%.*s.%s", (int)(bracket - path), path, axis);
    else if (dot)
        snprintf(made, length, "%.*s.%s", (int)(dot - path), path, axis);
    else if (path[0] == 'd')
        snprintf(made, length, "d%s", axis);
    else
        snprintf(made, length, "%s%s", axis, path + 1);
    return made;
}

/* In our frames the components of a vector are named after their directions, so that the name shows the frame; x, y and
 * z find them as well. Where only the header names the frame, the name is kept. */
static int rename_vector(fm_layout *layout, fm_layout_column *columns, const fm_layout_turn *turn)
{
    for (size_t i = 0; i < 3 && turn->frame != FM_TURN_BY_HEADER; i++) {
        fm_layout_column *column = &columns[turn->column + i];
        int turning = strstr(column->path, "angular") != NULL || strstr(column->path, "torque") != NULL;
        const char *const *names = turn->frame == FM_TURN_WORLD ? world_axes : turning ? body_turns : body_axes;
        column->alias = column->path;
        if (!(column->path = renamed(layout, column->alias, names[i])))
            return 0;
    }
    return 1;
}

/* "points[0]", "points[1]" … become "points.north[0]", "points.north[1]" …; 0: out of memory. */
static int rename_triples(fm_layout *layout, fm_layout_column *columns, fm_layout_turn *turn)
{
    const char *first = columns[turn->column].path;
    size_t stem = (size_t)(strrchr(first, '[') - first), each = turn->count / 3, length = stem + 48;
    const char *const *names = turn->frame == FM_TURN_BODY ? body_axes : world_axes;
    for (size_t i = 0; i < turn->count; i++) {
        char *made = fm_arena_alloc(&layout->arena, length);
        if (!made)
            return 0;
        snprintf(made, length, "%.*s.%s[%zu]", (int)stem, first, names[i / each], i % each);
        columns[turn->column + i].path = made;
    }
    turn->room = fm_arena_alloc(&layout->arena, turn->count * sizeof *turn->room);
    return turn->room != NULL;
}

/* --- turns --- */

/* Numbers with a frame that are not called x, y and z. */
static const struct {
    const char *type, *path;
    fm_turn_kind kind;
} others[] = {{"CurrentField", "x0", FM_TURN_VECTOR},
              {"CurrentField", "dx", FM_TURN_VECTOR},
              {"CurrentField", "velocity[0]", FM_TURN_TRIPLES},
              {"Tethers", "points[0]", FM_TURN_TRIPLES},
              {"ReflexState", "distance_estimate[0]", FM_TURN_VECTOR},
              {"LaserScan", "angle_min", FM_TURN_ANGLES}};

static int find_other(const fm_layout *layout, const fm_message *type, size_t at, fm_layout_turn *turn)
{
    const fm_layout_column *column = &layout->columns[at];
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(type->name, others[i].type) == 0 && strcmp(column->path, others[i].path) == 0) {
            turn->kind = others[i].kind;
            for (turn->count = 0; at + turn->count < layout->count; turn->count++)
                if (layout->columns[at + turn->count].field != column->field)
                    break;
            return turn->kind != FM_TURN_TRIPLES || turn->count % 3 == 0;
        }
    return 0;
}

/* Shapes and sizes for drawing are not converted. */
static int has_frames(const fm_message *type)
{
    return strcmp(type->package, "visualization_msgs") != 0 && strncmp(type->package, "foxglove", 8) != 0 &&
           strcmp(type->name, "Scene") != 0;
}

static int find_turn(const fm_layout *layout, const fm_message *type, size_t at, size_t header, fm_layout_turn *turn)
{
    const char *name = layout->columns[at].field->name;
    int covariance = strstr(name, "covar") != NULL;
    *turn = (fm_layout_turn){0};
    if (find_other(layout, type, at, turn))
        return find_frame(layout, type, at, header, turn);
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
        int fine = turn.kind == FM_TURN_VECTOR    ? rename_vector(layout, columns, &turn)
                   : turn.kind == FM_TURN_TRIPLES ? rename_triples(layout, columns, &turn)
                                                  : 1;
        if (!fine)
            return fm_fail(error, FM_ERR_MEMORY, "out of memory for a layout");
        turns[count++] = turn;
    }
    layout->columns = columns;
    layout->turns = turns;
    layout->turn_count = count;
    return FM_OK;
}

/* --- tables --- */

static void pick_angle(const fm_cell *cells, int angle, fm_cell *to)
{
    double q[4], matrix[9], euler[3];
    *to = (fm_cell){.kind = FM_CELL_EMPTY};
    if (!take(cells, 4, q))
        return;
    double length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(length > 0))
        return;
    const double unit[4] = {q[3] / length, q[0] / length, q[1] / length, q[2] / length};
    fm_quat_matrix(unit, matrix);
    fm_euler_from_matrix(matrix, euler);
    to->kind = FM_CELL_REAL;
    put(to, 1, &euler[angle - 1]);
}

void fm_layout_pick_row(const fm_layout *layout, fm_cell *row)
{
    for (size_t i = 0; i < layout->count; i++) {
        const fm_layout_pick *pick = &layout->picks[i];
        if (pick->angle)
            pick_angle(&layout->whole[pick->column], pick->angle, &row[i]);
        else
            row[i] = layout->whole[pick->column];
    }
}

fm_status fm_layout_use_tables(fm_layout *layout, const fm_message *type, int covariances, fm_error *error)
{
    static const char *const angles[] = {"roll", "pitch", "yaw"};
    const size_t room = 2 * layout->count + 1; /* a quaternion has more columns than angles */
    fm_layout_column *columns = fm_arena_alloc(&layout->arena, room * sizeof *columns);
    fm_layout_pick *picks = fm_arena_alloc(&layout->arena, room * sizeof *picks);
    size_t count = 0;
    layout->whole_count = layout->count;
    layout->whole = fm_arena_alloc(&layout->arena, (layout->count + 1) * sizeof *layout->whole);
    int fine = columns && picks && layout->whole;
    for (size_t i = 0; fine && i < layout->count; i++) {
        if (!covariances && strstr(layout->columns[i].field->name, "covar"))
            continue;
        columns[count] = layout->columns[i];
        picks[count++] = (fm_layout_pick){.column = i};
        if (i < 3 || !has_frames(type) || !are_parts(layout, i - 3, "xyzw"))
            continue;
        for (int k = 0; fine && k < 3; k++) {
            columns[count] = (fm_layout_column){.field = layout->columns[i].field, .unit = "rad"};
            columns[count].path = renamed(layout, layout->columns[i].path, angles[k]);
            fine = columns[count].path != NULL;
            picks[count++] = (fm_layout_pick){.column = i - 3, .angle = k + 1};
        }
    }
    if (!fine)
        return fm_fail(error, FM_ERR_MEMORY, "out of memory for a layout");
    layout->columns = columns;
    layout->picks = picks;
    layout->count = count;
    return FM_OK;
}
