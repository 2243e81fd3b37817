#include "telemetry/covariance.h"

#include <math.h>
#include <string.h>

#include "telemetry/part_message.h"

/* The definitions: sensor_msgs and geometry_msgs of common_interfaces, marine_acoustic_msgs 2.1. In an Imu all zeros
 * are an unknown covariance, and −1 is an estimate that does not exist; a Dvl marks what is not known by −1; the
 * others know zeros only. */
const fm_covariance_rule fm_covariance_rules[] = {
    {"sensor_msgs/Imu", "orientation", "orientation_covariance", FM_COVARIANCE_AXES, 0, -1, "orientation/noise"},
    {"sensor_msgs/Imu", "angular_velocity", "angular_velocity_covariance", FM_COVARIANCE_AXES, 0, -1, "gyro/noise"},
    {"sensor_msgs/Imu", "linear_acceleration", "linear_acceleration_covariance", FM_COVARIANCE_AXES, 0, -1,
     "accelerometer/noise"},
    {"sensor_msgs/MagneticField", "magnetic_field", "magnetic_field_covariance", FM_COVARIANCE_AXES, 0, 0, "noise"},
    {"sensor_msgs/NavSatFix", "latitude", "position_covariance", FM_COVARIANCE_AXES, 0, 0, NULL},
    {"geometry_msgs/PoseWithCovarianceStamped", "pose.pose", "pose.covariance", FM_COVARIANCE_AXES, 0, 0, NULL},
    {"nav_msgs/Odometry", "pose.pose", "pose.covariance", FM_COVARIANCE_AXES, 0, 0, NULL},
    {"nav_msgs/Odometry", "twist.twist", "twist.covariance", FM_COVARIANCE_AXES, 0, 0, NULL},
    {"marine_acoustic_msgs/Dvl", "velocity", "velocity_covar", FM_COVARIANCE_BEAMS, -1, -1, "noise"},
    {"marine_acoustic_msgs/Dvl", "range", "range_covar", FM_COVARIANCE_EACH, -1, -1, "ranges/noise"},
    {"marine_acoustic_msgs/Dvl", "beam_velocity", "beam_velocity_covar", FM_COVARIANCE_EACH, -1, -1, "noise"},
};
const size_t fm_covariance_rule_count = FM_COUNT(fm_covariance_rules);

/* Variance of an angle of which nothing is known: uniform over the circle, π²/3. */
static const double any_angle = 3.28986813369645287294;

/* --- finding fields and attributes --- */

/* The field at a path of plain names, and where it is; NULL: none. */
static const fm_field *find_path(const fm_message *type, const char *path, char **at)
{
    const fm_field *found = NULL;
    for (const char *end = path; type && *end; path = end + 1) {
        end = path + strcspn(path, ".");
        found = NULL;
        for (size_t i = 0; i < type->field_count; i++)
            if (strncmp(type->fields[i].name, path, (size_t)(end - path)) == 0 && !type->fields[i].name[end - path])
                found = &type->fields[i];
        *at += found ? found->offset : 0;
        type = found ? found->message : NULL;
    }
    return found;
}

/* Whether an output fills this field, or a part of it. */
static int is_filled(const fm_part *part, const char *path)
{
    size_t length = strlen(path);
    for (size_t k = 0; k < part->output_count; k++) {
        const char *field = part->outputs[k].field;
        if (part->outputs[k].reach == FM_OUTPUT_OPEN && strncmp(field, path, length) == 0 &&
            strchr(".[", field[length]))
            return 1;
    }
    return 0;
}

static const fm_attr *find_attribute(const fm_element *element, const char *name)
{
    for (size_t i = 0; element && i < element->attr_count; i++)
        if (strcmp(element->attrs[i].name, name) == 0 && element->attrs[i].type == FM_ATTR_REAL)
            return &element->attrs[i];
    return NULL;
}

static const fm_element *find_child(const fm_element *element, const char *name, size_t length)
{
    for (const fm_element *const *child = element->children; child && *child; child++)
        if (strlen((*child)->name) == length && memcmp((*child)->name, name, length) == 0)
            return *child;
    return NULL;
}

/* Whether the part has such a live parameter ("gyro/noise"), and its byte. */
static int find_noise(const fm_part_class *part, const char *path, size_t *byte)
{
    const char *slash = path ? strchr(path, '/') : NULL;
    const fm_element *element = slash ? find_child(part->element, path, (size_t)(slash - path)) : part->element;
    const fm_attr *attr = path ? find_attribute(element, slash ? slash + 1 : path) : NULL;
    if (!attr)
        return 0;
    *byte = attr->offset + (slash ? element->parent_offset : 0);
    return *byte + sizeof(double) <= part->live_size;
}

/* --- writing --- */

static void put(const fm_covariance *c, size_t i, double value)
{
    if (c->type == FM_FIELD_float32)
        ((float *)(void *)c->target)[i] = (float)value;
    else
        ((double *)(void *)c->target)[i] = value;
}

static void put_first(const fm_covariance *c, double value)
{
    for (size_t i = 0; i < c->count; i++)
        put(c, i, c->kind == FM_COVARIANCE_EACH || i == 0 ? value : 0);
}

static void fill_each(const fm_covariance *c, double variance)
{
    for (size_t i = 0; i < c->count; i++) {
        double value =
            c->values_type == FM_FIELD_float32 ? (double)((const float *)c->values)[i] : ((const double *)c->values)[i];
        put(c, i, isnan(value) ? c->unknown : variance);
    }
}

/* (I7) The covariance of the least squares: σ² (Σ b bᵀ)⁻¹ over the beams with a velocity. */
static void fill_beams(const fm_covariance *c, double variance)
{
    const fm_msg_dvl *dvl = c->values;
    double m[3][3] = {{0}}, minor[3][3], det = 0;
    for (size_t i = 0; i < FM_COUNT(dvl->beam_unit_vec); i++) {
        const double b[3] = {dvl->beam_unit_vec[i].x, dvl->beam_unit_vec[i].y, dvl->beam_unit_vec[i].z};
        for (size_t k = 0; k < 9 && !isnan(dvl->beam_velocity[i]); k++)
            m[k / 3][k % 3] += b[k / 3] * b[k % 3];
    }
    for (size_t i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            size_t a = (i + 1) % 3, b = (i + 2) % 3, p = (k + 1) % 3, q = (k + 2) % 3;
            minor[i][k] = m[a][p] * m[b][q] - m[a][q] * m[b][p];
        }
    for (size_t k = 0; k < 3; k++)
        det += m[0][k] * minor[0][k];
    put_first(c, c->unknown);
    for (size_t k = 0; k < 9 && !isnan(dvl->velocity.x) && fabs(det) > 1e-9; k++)
        put(c, k, variance * minor[k / 3][k % 3] / det);
}

void fm_covariances_fill(const fm_covariance *covariances, size_t count, const void *live)
{
    for (const fm_covariance *c = covariances; c < covariances + count; c++) {
        double noise;
        memcpy(&noise, (const char *)live + c->noise, sizeof noise);
        switch (c->kind) {
        case FM_COVARIANCE_EACH: fill_each(c, noise * noise); break;
        case FM_COVARIANCE_BEAMS: fill_beams(c, noise * noise); break;
        case FM_COVARIANCE_AXES:
        case FM_COVARIANCE_HEADING:
            for (size_t i = 0; i < 3; i++)
                put(c, 4 * i, c->kind == FM_COVARIANCE_AXES || i == 2 ? noise * noise : any_angle);
        }
    }
}

/* --- making --- */

static int is_of(const fm_covariance_rule *rule, const fm_message *type)
{
    size_t length = strlen(type->package);
    return strncmp(rule->message, type->package, length) == 0 && rule->message[length] == '/' &&
           strcmp(rule->message + length + 1, type->name) == 0;
}

/* Whether it changes with the messages: the noise of what is measured is known. */
static int begin(const fm_part *part, const fm_message *type, const fm_covariance_rule *rule, char *message,
                 fm_covariance *c)
{
    const char *noise = rule->noise;
    int measured = is_filled(part, rule->values);
    if (fm_part_message_heading(part, type) && strcmp(rule->values, "orientation") == 0) {
        c->kind = FM_COVARIANCE_HEADING;
        noise = "noise";
        measured = 1;
    }
    if (c->kind == FM_COVARIANCE_BEAMS)
        c->values = message;
    if (measured && find_noise(part->part_class, noise, &c->noise))
        return 1;
    put_first(c, measured ? rule->unknown : rule->absent);
    return 0;
}

size_t fm_covariances_make(const fm_part *part, const fm_message *type, char *message,
                           fm_covariance covariances[FM_COVARIANCES])
{
    size_t count = 0;
    for (const fm_covariance_rule *rule = fm_covariance_rules; rule < fm_covariance_rules + fm_covariance_rule_count;
         rule++) {
        char *target = message, *values = message;
        if (!is_of(rule, type) || is_filled(part, rule->covariance))
            continue;
        const fm_field *field = find_path(type, rule->covariance, &target),
                       *of = find_path(type, rule->values, &values);
        fm_covariance c = {rule->kind, target, values, field->type, of->type, field->count, rule->unknown, 0};
        if (begin(part, type, rule, message, &c))
            covariances[count++] = c;
    }
    return count;
}
