/* Reads archived telemetry: which columns are which quantity, and their units. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "analysis/archive.h"
#include "analysis/telemetry_line.h"
#include "base/error.h"
#include "base/units.h"
#include "geometry/file.h"
#include "physics/posture.h"

typedef struct reading {
    fm_archive *archive;
    const char *file;
    const fm_archive_options *options;
    fm_record record;
    fm_error *error;
} reading;

static fm_status no_memory(const reading *r)
{
    return fm_fail(r->error, FM_ERR_MEMORY, "%s: out of memory", r->file);
}

/* --- a series of the record as a quantity --- */

/* Samples that have a value, in SI. */
static fm_status take_series(reading *r, int quantity, const fm_record_series *from, double factor, double shift)
{
    const fm_kinematics_info *info = &fm_kinematics_infos[quantity];
    fm_record_series *to = &r->archive->series[quantity];
    *to = (fm_record_series){.name = info->name,
                             .unit = info->unit,
                             .t = fm_arena_alloc(&r->archive->arena, (from->count + 1) * sizeof *to->t),
                             .y = fm_arena_alloc(&r->archive->arena, (from->count + 1) * sizeof *to->y)};
    if (!to->t || !to->y)
        return no_memory(r);
    for (size_t i = 0; i < from->count; i++) {
        double value = from->y[i] * factor + shift;
        if (!isfinite(value))
            continue;
        if (!(fabs(value) <= info->most))
            return fm_fail(r->error, FM_ERR_RANGE, "%s: %s is %g %s at %g s: out of range (up to %g %s)", r->file,
                           info->name, value, info->unit, from->t[i], info->most, info->unit);
        to->t[to->count] = from->t[i];
        to->y[to->count++] = value;
    }
    return FM_OK;
}

/* By the unit of the column; a column without one is in SI. */
static fm_status take_column(reading *r, int quantity, const fm_record_series *column)
{
    const fm_record_series ours = {.name = fm_kinematics_infos[quantity].name,
                                   .unit = fm_kinematics_infos[quantity].unit};
    fm_record_pair pair;
    fm_error cause = {0};
    if (column->text_line)
        return fm_fail(r->error, FM_ERR_SYNTAX, "%s:%d: column '%s' is not a number", r->file, column->text_line,
                       column->name);
    if (fm_record_pair_make(&ours, column, &pair, &cause) != FM_OK)
        return fm_fail(r->error, FM_ERR_UNIT, "%s: %s", r->file, cause.text);
    return take_series(r, quantity, column, pair.factor, pair.shift);
}

/* --- tables --- */

/* In a table x, y, z, u, v and w are in SI like all columns without a unit, and velocities are over ground. */
static int quantity_of(const char *column)
{
    for (size_t i = 0; fm_telemetry_name_at(i); i++) {
        const fm_telemetry_name *n = fm_telemetry_name_at(i);
        int is_water = strlen(n->name) == 1 && n->quantity >= FM_KINEMATICS_WATER_SURGE;
        if (strcasecmp(n->name, column) == 0)
            return (int)n->quantity - (is_water ? FM_KINEMATICS_WATER_SURGE - FM_KINEMATICS_SURGE : 0);
    }
    return -1;
}

static fm_status take_map(reading *r, const fm_archive_map *m)
{
    int quantity = quantity_of(m->quantity);
    const fm_record_series *column = fm_record_find(&r->record, m->column);
    if (quantity < 0)
        return fm_fail(r->error, FM_ERR_NAME, "'%.40s' is not a quantity of a vehicle's motion", m->quantity);
    if (!column)
        return fm_fail(r->error, FM_ERR_NAME, "%s: no column '%.60s'", r->file, m->column);
    return m->scaled ? take_series(r, quantity, column, m->factor, m->shift) : take_column(r, quantity, column);
}

/* The column with one of two names; NULL: none. */
static const fm_record_series *find_either(const fm_record *record, const char *name, const char *brief)
{
    for (size_t i = 0; i < record->count; i++)
        if (!strcasecmp(record->series[i].name, name) || !strcasecmp(record->series[i].name, brief))
            return &record->series[i];
    return NULL;
}

/* Latitude and longitude (degrees, where they have no unit) become north and east. */
static fm_status take_positions(reading *r)
{
    const fm_record_series *both[2] = {find_either(&r->record, "latitude", "lat"),
                                       find_either(&r->record, "longitude", "lon")};
    const fm_record_series radians = {.name = "latitude", .unit = "rad"};
    fm_record_series ned[2];
    fm_record_pair pair[2];
    if (!both[0] || !both[1] || both[0]->t != both[1]->t || r->archive->series[FM_KINEMATICS_NORTH].count ||
        r->archive->series[FM_KINEMATICS_EAST].count)
        return FM_OK;
    if (!r->options->origin)
        return fm_fail(r->error, FM_ERR_ARGUMENT, "%s: latitude and longitude need the origin of a scenario", r->file);
    for (int k = 0; k < 2; k++) {
        fm_record_series column = *both[k];
        column.unit = column.unit[0] ? column.unit : "deg";
        if (fm_record_pair_make(&radians, &column, &pair[k], r->error) != FM_OK)
            return r->error->status;
        ned[k] = *both[k];
        if (!(ned[k].y = fm_arena_alloc(&r->record.arena, (both[k]->count + 1) * sizeof(double))))
            return no_memory(r);
    }
    for (size_t i = 0; i < both[0]->count; i++) {
        double latitude = both[0]->y[i] * pair[0].factor, longitude = both[1]->y[i] * pair[1].factor;
        if (!fm_telemetry_position(r->options->origin, latitude, longitude, &ned[0].y[i], &ned[1].y[i]) &&
            isfinite(latitude) && isfinite(longitude))
            return fm_fail(r->error, FM_ERR_RANGE,
                           "%s: the place at %g s is more than 1000 km from the origin of the scenario (latitude and "
                           "longitude of <world>)",
                           r->file, both[0]->t[i]);
    }
    fm_status status = take_series(r, FM_KINEMATICS_NORTH, &ned[0], 1, 0);
    return status == FM_OK ? take_series(r, FM_KINEMATICS_EAST, &ned[1], 1, 0) : status;
}

static fm_status take_table(reading *r)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < r->options->map_count && status == FM_OK; i++)
        status = take_map(r, &r->options->maps[i]);
    for (size_t i = 0; i < r->record.count && status == FM_OK; i++) {
        const fm_record_series *s = &r->record.series[i];
        int quantity = s->y == s->t ? -1 : quantity_of(s->name);
        if (quantity >= 0 && !r->archive->series[quantity].count)
            status = take_column(r, quantity, s);
    }
    return status == FM_OK ? take_positions(r) : status;
}

/* --- logs --- */

static const struct {
    const char *field;
    fm_kinematics_quantity quantity;
} log_fields[] = {
    {"pose.pose.position.north", FM_KINEMATICS_NORTH},     {"pose.pose.position.east", FM_KINEMATICS_EAST},
    {"pose.pose.position.down", FM_KINEMATICS_DEPTH},      {"twist.twist.linear.forward", FM_KINEMATICS_SURGE},
    {"twist.twist.linear.starboard", FM_KINEMATICS_SWAY},  {"twist.twist.linear.down", FM_KINEMATICS_HEAVE},
    {"twist.twist.angular.roll", FM_KINEMATICS_ROLL_RATE}, {"twist.twist.angular.pitch", FM_KINEMATICS_PITCH_RATE},
    {"twist.twist.angular.yaw", FM_KINEMATICS_YAW_RATE},
};

/* The channel of the vehicle, or the only one of its type. */
static fm_status find_channel(const reading *r, const fm_mcap_reader *log, const char **topic)
{
    size_t count = 0;
    char own[128];
    snprintf(own, sizeof own, "/%.60s/odom", r->options->vehicle ? r->options->vehicle : "");
    for (size_t i = 0; i < fm_mcap_channel_count(log); i++) {
        const fm_mcap_channel *c = fm_mcap_channel_at(log, i);
        if (!c->schema || strcmp(c->schema->name, "nav_msgs/msg/Odometry") != 0)
            continue;
        *topic = c->topic;
        if (strcmp(c->topic, own) == 0)
            return FM_OK;
        count++;
    }
    return count == 1 ? FM_OK
                      : fm_fail(r->error, FM_ERR_NAME, "%s: no channel %s, and %zu others of type nav_msgs/Odometry",
                                r->file, own, count);
}

static const fm_record_series *field(const reading *r, const char *topic, const char *name)
{
    char full[300];
    snprintf(full, sizeof full, "%.150s.%.100s", topic, name);
    return fm_record_find(&r->record, full);
}

/* Angles from the quaternion, body to world. */
static fm_status take_attitude(reading *r, const char *topic)
{
    const fm_record_series *q[4] = {
        field(r, topic, "pose.pose.orientation.w"), field(r, topic, "pose.pose.orientation.x"),
        field(r, topic, "pose.pose.orientation.y"), field(r, topic, "pose.pose.orientation.z")};
    for (int k = 0; k < 4; k++)
        if (!q[k])
            return FM_OK;
    fm_record_series angles[3];
    for (int k = 0; k < 3; k++) {
        angles[k] = *q[0];
        if (!(angles[k].y = fm_arena_alloc(&r->record.arena, (q[0]->count + 1) * sizeof(double))))
            return no_memory(r);
    }
    for (size_t i = 0; i < q[0]->count; i++) {
        double w = q[0]->y[i], x = q[1]->y[i], y = q[2]->y[i], z = q[3]->y[i], sine = 2 * (w * y - z * x);
        angles[0].y[i] = fm_atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y));
        angles[1].y[i] = fm_atan2(sine, sqrt(fmax(0, 1 - sine * sine)));
        angles[2].y[i] = fm_atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
    }
    fm_status status = FM_OK;
    for (int k = 0; k < 3 && status == FM_OK; k++)
        status = take_series(r, FM_KINEMATICS_ROLL + k, &angles[k], 1, 0);
    return status;
}

static fm_status read_log(reading *r)
{
    fm_mcap_reader *log;
    const char *topic = NULL;
    fm_status status = fm_mcap_open(r->file, &log, r->error);
    if (status != FM_OK)
        return status;
    status = find_channel(r, log, &topic);
    if (status == FM_OK)
        status = fm_record_read_log(&r->record, log, r->file, NULL, 0, &topic, 1, r->error);
    for (size_t i = 0; i < sizeof log_fields / sizeof *log_fields && status == FM_OK; i++) {
        const fm_record_series *s = field(r, topic, log_fields[i].field);
        if (s)
            status = take_column(r, (int)log_fields[i].quantity, s);
    }
    if (status == FM_OK)
        status = take_attitude(r, topic);
    fm_mcap_reader_close(log);
    return status;
}

/* --- lines of NAME=VALUE --- */

static fm_status make_room(reading *r, const char *bytes, size_t size, fm_record_series all[FM_KINEMATICS_COUNT])
{
    size_t lines = 2;
    for (size_t i = 0; i < size; i++)
        lines += bytes[i] == '\n';
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++) {
        all[i] = (fm_record_series){.t = fm_arena_alloc(&r->record.arena, lines * sizeof(double)),
                                    .y = fm_arena_alloc(&r->record.arena, lines * sizeof(double))};
        if (!all[i].t || !all[i].y)
            return no_memory(r);
    }
    return FM_OK;
}

static fm_status take_line(reading *r, const char *text, size_t length, int line, double *before,
                           fm_record_series all[FM_KINEMATICS_COUNT])
{
    fm_telemetry_line found;
    fm_error cause = {0};
    fm_telemetry_fault kind = fm_telemetry_line_read(text, length, &found, &cause);
    if (kind == FM_TELEMETRY_GOOD)
        kind = fm_telemetry_line_position(&found, r->options->origin, &cause);
    if (kind != FM_TELEMETRY_GOOD && kind != FM_TELEMETRY_EMPTY)
        return fm_fail(r->error, cause.status, "%s:%d: %s", r->file, line, cause.text);
    if (!isfinite(found.time))
        return fm_fail(r->error, FM_ERR_SYNTAX, "%s:%d: the line has no time (t=…)", r->file, line);
    if (!(found.time > *before))
        return fm_fail(r->error, FM_ERR_RANGE, "%s:%d: time %g s must be after that of the line before, %g s", r->file,
                       line, found.time, *before);
    *before = found.time;
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
        if (isfinite(found.motion.values[i])) {
            all[i].t[all[i].count] = found.time;
            all[i].y[all[i].count++] = found.motion.values[i];
        }
    return FM_OK;
}

static fm_status read_lines(reading *r, const char *bytes, size_t size)
{
    fm_record_series all[FM_KINEMATICS_COUNT];
    double before = -INFINITY;
    fm_status status = make_room(r, bytes, size, all);
    int line = 1;
    for (const char *at = bytes, *end = bytes + size; at < end && status == FM_OK; line++) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        while (at < stop && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at < stop && *at != '#')
            status = take_line(r, at, (size_t)(stop - at), line, &before, all);
        at = stop < end ? stop + 1 : stop;
    }
    for (int i = 0; i < FM_KINEMATICS_COUNT && status == FM_OK; i++)
        if (all[i].count)
            status = take_series(r, i, &all[i], 1, 0);
    return status;
}

/* Whether the first line that is not a comment begins with NAME=. */
static int has_lines(const char *bytes, size_t size)
{
    for (const char *at = bytes, *end = bytes + size; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        while (at < stop && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        size_t name = strcspn(at, "=,;\t\n ");
        if (at < stop && *at != '#')
            return at + name < stop && at[name] == '=';
        at = stop < end ? stop + 1 : stop;
    }
    return 0;
}

/* --- the whole --- */

static int ends_with(const char *file, const char *ending)
{
    size_t length = strlen(file), short_length = strlen(ending);
    return length >= short_length && strcasecmp(file + length - short_length, ending) == 0;
}

static fm_status read_text(reading *r)
{
    char *bytes;
    size_t size;
    fm_error cause = {0};
    fm_status status = fm_geometry_file(r->file, &bytes, &size, &cause);
    if (status != FM_OK)
        return fm_fail(r->error, status, "%s: %s", r->file, cause.text);
    if (has_lines(bytes, size))
        status = read_lines(r, bytes, size);
    else if ((status = fm_record_parse_csv(&r->record, bytes, size, r->file, &r->options->record, r->error)) == FM_OK)
        status = take_table(r);
    fm_free(bytes);
    return status;
}

static fm_status read_netcdf(reading *r)
{
    fm_status status = fm_record_read_netcdf(&r->record, r->file, &r->options->record, r->error);
    return status == FM_OK ? take_table(r) : status;
}

static fm_status sum_up(reading *r)
{
    fm_archive *a = r->archive;
    a->first = INFINITY, a->last = -INFINITY;
    for (int i = 0; i < FM_KINEMATICS_COUNT; i++)
        if (a->series[i].count) {
            a->first = fmin(a->first, a->series[i].t[0] + a->offset);
            a->last = fmax(a->last, a->series[i].t[a->series[i].count - 1] + a->offset);
        }
    return a->last >= a->first
               ? FM_OK
               : fm_fail(r->error, FM_ERR_NAME,
                         "%s: no column of a vehicle's motion (north, east, depth, roll, pitch, heading …); a map "
                         "QUANTITY=COLUMN says which is which",
                         r->file);
}

fm_status fm_archive_read(fm_archive *archive, const char *file, const fm_archive_options *o, fm_error *error)
{
    *archive = (fm_archive){.offset = o->offset, .gap = o->gap > 0 ? o->gap : FM_ARCHIVE_GAP};
    reading r = {.archive = archive, .file = file, .options = o, .error = error};
    struct stat about;
    if (stat(file, &about) != 0)
        return fm_fail(error, FM_ERR_FILE, "%s: cannot open: %s", file, strerror(errno));
    if (!S_ISREG(about.st_mode)) /* a FIFO would wait for its writer */
        return fm_fail(error, FM_ERR_FILE, "%s: is not a regular file; live telemetry comes through udp:PORT", file);
    fm_status status = ends_with(file, ".mcap") ? read_log(&r)
                       : ends_with(file, ".nc") ? read_netcdf(&r)
                                                : read_text(&r);
    fm_record_free(&r.record);
    return status == FM_OK ? sum_up(&r) : status;
}
