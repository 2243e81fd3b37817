/* Every message of the table: its numbers in the frames of ROS and in ours, against the true ones. A message that is
 * new and has numbers with a frame fails until it is listed here. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "support/near.h"
#include "telemetry/layout.h"

/* --- what is expected --- */

/* Messages with a frame, and the frames that their headers may name: 'w' the world, 'b' a body. */
static const struct {
    const char *name, *frames;
} framed[] = {{"PoseWithCovarianceStamped", "wb"},
              {"TwistStamped", "b"},
              {"TransformStamped", "wb"},
              {"WrenchStamped", "b"},
              {"Odometry", "w"},
              {"TFMessage", "wb"},
              {"Imu", "b"},
              {"MagneticField", "b"},
              {"NavSatFix", "b"},
              {"Dvl", "b"},
              {"LaserScan", "b"},
              {"ProjectedSonarImage", "b"},
              {"Sound", "w"},
              {"BeaconRange", "w"},
              {"Bearing", "b"},
              {"CurrentProfile", "w"},
              {"ReflexState", "b"},
              {"CurrentField", "w"},
              {"Tethers", "w"}};
/* Pieces of others, without a frame of their own; and drawings, which stay as ROS has them. */
static const char *const pieces[] = {"Vector3",   "Point",  "Quaternion",         "Pose", "PoseWithCovariance", "Twist",
                                     "Transform", "Wrench", "TwistWithCovariance"},
                         *const drawings[] = {"Marker",     "MarkerArray", "Scene",     "SceneShape",   "SceneJoint",
                                              "SceneMount", "SceneLook",   "SceneWave", "SceneActuator"};

static int is_among(const char *name, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(name, list[i]) == 0)
            return 1;
    return 0;
}

/* Whether a field is in the world, where the header names the frame `header`. */
static int is_world(const fm_message *type, const char *path, char header)
{
    if (strcmp(type->name, "Odometry") == 0)
        return strncmp(path, "twist", 5) != 0;
    if (strcmp(type->name, "Imu") == 0)
        return strncmp(path, "orientation", 11) == 0;
    return strcmp(type->name, "NavSatFix") == 0 || header == 'w';
}

/* Ours from those of ROS, and back: north from north, east from east, down from up; or forward, starboard, down. */
static void turn(int world, const double from[3], double to[3])
{
    static const double matrices[2][3][3] = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}}};
    for (int i = 0; i < 3; i++) {
        to[i] = 0;
        for (int k = 0; k < 3; k++)
            to[i] += matrices[world][i][k] * from[k];
    }
}

/* --- a message full of numbers --- */

typedef struct expectation {
    char path[160]; /* in the frames of ROS, without the last letter */
    int kind; /* 'v' vector, 'q' quaternion, 'c' covariance, 'e' three numbers, 't' triples, 'g' grid, 'a' angles */
    int world;
    double truth[3];
    size_t side; /* of a covariance */
} expectation;

enum { MOST = 200 };
typedef struct filling {
    const fm_message *type;
    char header;
    expectation list[MOST];
    size_t count, vectors;
    fm_arena arena;
} filling;

static expectation *expect(filling *f, const char *path, int kind)
{
    assert_less(f->count, MOST);
    expectation *e = &f->list[f->count++];
    snprintf(e->path, sizeof e->path, "%s", path);
    e->kind = kind;
    e->world = is_world(f->type, path, f->header);
    f->vectors++;
    for (int i = 0; i < 3; i++)
        e->truth[i] = (double)(10 * f->vectors) + i + 1;
    return e;
}

static void fill(filling *f, const fm_message *type, char *at, const char *path);

/* Truth: a rotation from our body to our world, or between our bodies; in ROS' the same with both ends turned. */
static const double attitude[4] = {0.5, -0.1, 0.7, 0.5}; /* w x y z, of length 1 */

static void rotate(const double q[4], const double v[3], double out[3])
{
    double t[3] = {2 * (q[2] * v[2] - q[3] * v[1]), 2 * (q[3] * v[0] - q[1] * v[2]), 2 * (q[1] * v[1] - q[2] * v[0])};
    out[0] = v[0] + q[0] * t[0] + q[2] * t[2] - q[3] * t[1];
    out[1] = v[1] + q[0] * t[1] + q[3] * t[0] - q[1] * t[2];
    out[2] = v[2] + q[0] * t[2] + q[1] * t[1] - q[2] * t[0];
}

/* From its matrix: columns are what becomes of the axes. */
static void quaternion_of(double axes[3][3], double q[4])
{
    q[0] = 0.5 * sqrt(fmax(1 + axes[0][0] + axes[1][1] + axes[2][2], 0));
    assert_greater(q[0], 0.01);
    q[1] = (axes[1][2] - axes[2][1]) / (4 * q[0]);
    q[2] = (axes[2][0] - axes[0][2]) / (4 * q[0]);
    q[3] = (axes[0][1] - axes[1][0]) / (4 * q[0]);
}

static void put_quaternion(int world, double *xyzw)
{
    double axes[3][3], q[4];
    for (int i = 0; i < 3; i++) { /* an axis of ROS' body, to ours, turned, to ROS' world */
        double ros[3] = {i == 0, i == 1, i == 2}, ours[3], turned[3];
        turn(0, ros, ours);
        rotate(attitude, ours, turned);
        turn(world, turned, axes[i]);
    }
    quaternion_of(axes, q);
    memcpy(xyzw, q + 1, 3 * sizeof *xyzw);
    xyzw[3] = q[0];
}

static void fill_geometry(filling *f, const fm_message *type, char *at, const char *path)
{
    double *numbers = (double *)(void *)at;
    if (strcmp(type->name, "Quaternion") == 0)
        put_quaternion(expect(f, path, 'q')->world, numbers);
    else {
        expectation *e = expect(f, path, 'v');
        turn(e->world, e->truth, numbers);
    }
}

/* Covariance of numbers that are 1, 2, 3, 10, 20, 30 times ours: products. */
static void fill_covariance(filling *f, const fm_field *field, double *c, const char *path)
{
    expectation *e = expect(f, path, 'c');
    double ours[6] = {1, 2, 3, 10, 20, 30}, ros[6];
    e->side = field->count == 9 ? 3 : 6;
    for (size_t i = 0; i < e->side; i += 3)
        turn(e->world, ours + i, ros + i);
    for (size_t i = 0; i < e->side * e->side; i++)
        c[i] = ros[i / e->side] * ros[i % e->side];
}

static void fill_triples(filling *f, fm_sequence *sequence, const char *path)
{
    float *numbers = fm_arena_alloc(&f->arena, 6 * sizeof *numbers);
    double ros[3];
    expectation *e = expect(f, path, 't');
    for (int i = 0; i < 2; i++) {
        double truth[3] = {e->truth[0] + 5 * i, e->truth[1] + 5 * i, e->truth[2] + 5 * i};
        turn(e->world, truth, ros);
        for (int k = 0; k < 3; k++)
            numbers[3 * i + k] = (float)ros[k];
    }
    *sequence = (fm_sequence){numbers, 6};
}

static void fill_field(filling *f, const fm_message *type, const fm_field *field, char *at, const char *path)
{
    static const char *const heads[] = {"x0", "dx"};
    double ros[3];
    if (field->type == FM_FIELD_string && field->shape == FM_SHAPE_ONE)
        *(const char **)(void *)at = strcmp(field->name, "frame_id") ? "" : f->header == 'w' ? "map" : "veh/part";
    else if (field->shape == FM_SHAPE_ARRAY && strstr(field->name, "covar") && field->type == FM_FIELD_float64 &&
             (field->count == 9 || field->count == 36))
        fill_covariance(f, field, (double *)(void *)at, path);
    else if (strcmp(type->name, "ReflexState") == 0 && strcmp(field->name, "distance_estimate") == 0) {
        expectation *e = expect(f, path, 'e');
        turn(e->world, e->truth, (double *)(void *)at);
    } else if ((strcmp(type->name, "CurrentField") == 0 && strcmp(field->name, "velocity") == 0) ||
               (strcmp(type->name, "Tethers") == 0 && strcmp(field->name, "points") == 0))
        fill_triples(f, (fm_sequence *)(void *)at, path);
    else if (strcmp(type->name, "CurrentField") == 0 && is_among(field->name, heads, 2)) {
        expectation *e = expect(f, path, 'g');
        turn(e->world, e->truth, ros);
        memcpy(at, ros, sizeof ros); /* x, y and z follow one another */
    } else if (strcmp(type->name, "LaserScan") == 0 && strcmp(field->name, "angle_min") == 0) {
        expectation *e = expect(f, path, 'a');
        for (int i = 0; i < 3; i++)
            ((float *)(void *)at)[i] = (float)-e->truth[i];
    }
}

static void fill_messages(filling *f, const fm_field *field, char *at, const char *path)
{
    char item[200];
    size_t count = field->shape == FM_SHAPE_ONE ? 1 : field->shape == FM_SHAPE_ARRAY ? field->count : 2;
    if (field->shape == FM_SHAPE_SEQUENCE) {
        char *items = fm_arena_alloc(&f->arena, count * field->message->struct_size);
        *(fm_sequence *)(void *)at = (fm_sequence){items, count};
        at = items;
    }
    for (size_t i = 0; i < count; i++, at += field->message->struct_size) {
        if (field->shape == FM_SHAPE_ONE)
            snprintf(item, sizeof item, "%s", path);
        else
            snprintf(item, sizeof item, "%s[%zu]", path, i);
        fill(f, field->message, at, item);
    }
}

static void fill(filling *f, const fm_message *type, char *at, const char *path)
{
    static const char *const geometry[] = {"Vector3", "Point", "Quaternion"};
    if (strcmp(type->package, "geometry_msgs") == 0 && is_among(type->name, geometry, 3)) {
        fill_geometry(f, type, at, path);
        return;
    }
    for (size_t i = 0; i < type->field_count; i++) {
        const fm_field *field = &type->fields[i];
        char name[160];
        if (field->shape == FM_SHAPE_CONSTANT)
            continue;
        snprintf(name, sizeof name, "%s%s%s", path, path[0] ? "." : "", field->name);
        if (field->message)
            fill_messages(f, field, at + field->offset, name);
        else
            fill_field(f, type, field, at + field->offset, name);
    }
}

/* --- reading it --- */

static double value_at(const fm_layout *layout, const fm_cell *row, const char *path)
{
    for (size_t i = 0; i < layout->count; i++) /* by its own name, not by another */
        if (strcmp(layout->columns[i].path, path) == 0)
            return fm_cell_number(&row[i]);
    fail_msg("no column '%s'", path);
    return NAN;
}

static void check_vector(const expectation *e, const fm_layout *layout, const fm_cell *row)
{
    static const char *const axes[3][3] = {
        {"forward", "starboard", "down"}, {"north", "east", "down"}, {"roll", "pitch", "yaw"}};
    int turning = !e->world && (strstr(e->path, "angular") || strstr(e->path, "torque"));
    for (int i = 0; i < 3; i++) {
        char path[200];
        const char *axis = axes[turning ? 2 : e->world][i];
        if (e->kind == 'g')
            snprintf(path, sizeof path, e->path[0] == 'd' ? "d%s" : "%s0", axis);
        else
            snprintf(path, sizeof path, "%s.%s", e->path, axis);
        near(path, value_at(layout, row, path), e->truth[i], 1e-6);
    }
}

static void check_triples(const expectation *e, const fm_layout *layout, const fm_cell *row)
{
    static const char *const axes[3] = {"north", "east", "down"};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            char path[200];
            snprintf(path, sizeof path, "%s.%s[%d]", e->path, axes[i], k);
            near(path, value_at(layout, row, path), e->truth[i] + 5 * k, 1e-5);
        }
}

static void check_quaternion(const expectation *e, const fm_layout *layout, const fm_cell *row)
{
    double found[4], sign;
    for (int i = 0; i < 4; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s.%c", e->path, "wxyz"[i]);
        found[i] = value_at(layout, row, path);
    }
    sign = found[0] * attitude[0] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        near(e->path, sign * found[i], attitude[i], 1e-12);
}

static void check_numbers(const expectation *e, const fm_layout *layout, const fm_cell *row)
{
    static const char *const angles[3] = {"angle_min", "angle_max", "angle_increment"};
    const double ours[6] = {1, 2, 3, 10, 20, 30};
    for (size_t i = 0; i < e->side * e->side; i++) {
        char path[200];
        snprintf(path, sizeof path, "%s[%zu]", e->path, i);
        near(path, value_at(layout, row, path), ours[i / e->side] * ours[i % e->side], 1e-9);
    }
    for (int i = 0; i < 3 && e->kind == 'a'; i++)
        near(angles[i], value_at(layout, row, angles[i]), e->truth[i], 1e-6);
}

static void check(const filling *f, const fm_layout *layout, const fm_cell *row)
{
    for (size_t i = 0; i < f->count; i++) {
        const expectation *e = &f->list[i];
        if (e->kind == 'q')
            check_quaternion(e, layout, row);
        else if (e->kind == 't')
            check_triples(e, layout, row);
        else if (e->kind == 'v' || e->kind == 'g' || e->kind == 'e')
            check_vector(e, layout, row);
        else
            check_numbers(e, layout, row);
    }
}

/* No vector is left that is called by x. */
static void check_names(const fm_message *type, const fm_layout *layout)
{
    for (size_t i = 0; i < layout->count; i++) {
        const char *path = layout->columns[i].path, *next = i + 3 < layout->count ? layout->columns[i + 3].path : "";
        size_t length = strlen(path);
        if (length > 2 && strcmp(path + length - 2, ".x") == 0 &&
            !(strlen(next) == length && strcmp(next + length - 2, ".w") == 0))
            fail_msg("%s: '%s' does not say its axis", type->name, path);
    }
}

/* In the frames of ROS first, then in ours. */
static void read_message(const filling *f, const void *message, int ours)
{
    static uint8_t buffer[1 << 16];
    static fm_cell row[4096];
    fm_layout layout;
    fm_error error;
    size_t size = fm_message_encode(f->type, message, buffer, sizeof buffer);
    assert_greater(size, 0);
    assert_int_equal(fm_layout_init(&layout, f->type, &error), FM_OK);
    assert_int_equal(fm_layout_measure(&layout, buffer, size, &error), FM_OK);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    if (ours)
        assert_int_equal(fm_layout_use_ned(&layout, f->type, &error), FM_OK);
    assert_less(layout.count, 4096);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    for (size_t i = 0; i < f->count && !ours; i++) { /* as ROS has them: first number of each vector */
        const expectation *e = &f->list[i];
        double ros[3];
        char path[200];
        turn(e->world, e->truth, ros);
        for (int k = 0; k < 3 && e->kind == 'v'; k++) {
            snprintf(path, sizeof path, "%s.%c", e->path, "xyz"[k]);
            near(path, value_at(&layout, row, path), ros[k], 1e-9);
        }
    }
    if (ours) {
        check(f, &layout, row);
        check_names(f->type, &layout);
    }
    fm_layout_free(&layout);
}

static size_t geometry_of(const fm_message *type)
{
    static filling f;
    f = (filling){.type = type, .header = 'w'};
    char *message = fm_arena_alloc(&f.arena, type->struct_size);
    fill(&f, type, message, "");
    fm_arena_free(&f.arena);
    return f.vectors;
}

static void every_message_has_its_true_numbers_in_both_frames(void **state)
{
    (void)state;
    size_t seen = 0;
    for (size_t i = 0; i < fm_message_count; i++) {
        const fm_message *type = fm_messages[i];
        const char *frames = NULL;
        for (size_t k = 0; k < sizeof framed / sizeof *framed; k++)
            frames = strcmp(type->name, framed[k].name) == 0 ? framed[k].frames : frames;
        if (!frames) {
            int apart = is_among(type->name, pieces, sizeof pieces / sizeof *pieces) ||
                        is_among(type->name, drawings, sizeof drawings / sizeof *drawings) ||
                        strncmp(type->package, "foxglove", 8) == 0;
            if (!apart && geometry_of(type) > 0)
                fail_msg("%s/%s has vectors or poses: say here which frames they may be in", type->package, type->name);
            continue;
        }
        for (const char *frame = frames; *frame; frame++) {
            static filling f;
            f = (filling){.type = type, .header = *frame};
            char *message = fm_arena_alloc(&f.arena, type->struct_size);
            fill(&f, type, message, "");
            assert_greater(f.count, 0);
            read_message(&f, message, 0);
            read_message(&f, message, 1);
            fm_arena_free(&f.arena);
        }
        seen++;
    }
    assert_int_equal(seen, sizeof framed / sizeof *framed);
}

/* Drawings keep the frames of ROS, and say so by their names. */
static void drawings_stay_as_they_are(void **state)
{
    (void)state;
    static uint8_t buffer[1 << 14];
    static fm_cell row[4096];
    fm_msg_marker marker = {.header.frame_id = "map", .pose.position = {1, 2, 3}};
    fm_layout layout;
    fm_error error;
    size_t size = fm_message_encode(&fm_msg_marker_type, &marker, buffer, sizeof buffer);
    assert_int_equal(fm_layout_init(&layout, &fm_msg_marker_type, &error), FM_OK);
    assert_int_equal(fm_layout_measure(&layout, buffer, size, &error), FM_OK);
    assert_int_equal(fm_layout_finish(&layout, 4096, &error), FM_OK);
    assert_int_equal(fm_layout_use_ned(&layout, &fm_msg_marker_type, &error), FM_OK);
    assert_int_equal(fm_layout_read(&layout, buffer, size, row, &error), FM_OK);
    near("x", value_at(&layout, row, "pose.position.x"), 1, 0);
    near("z", value_at(&layout, row, "pose.position.z"), 3, 0);
    fm_layout_free(&layout);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_message_has_its_true_numbers_in_both_frames),
        cmocka_unit_test(drawings_stay_as_they_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
