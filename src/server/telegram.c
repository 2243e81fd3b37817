#include "server/telegram.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/accept.h"
#include "physics/posture.h"
#include "world/world.h"

#define FOOT 0.3048
#define RPM (2 * FM_PI / 60)

/* Numbers of the true state of a vehicle, SI: position, Euler angles, their rates, velocities through the water and
 * accelerations. */
enum { X, PHI = 3, X_DOT = 6, PHI_DOT = 9, U = 12, P = 15, U_DOT = 18, P_DOT = 21, STATES = 24, NOT_TRUE = -1 };

/* clang-format off */
static const fm_telegram_field phoenix_fields[] = {
    {"t", FM_TELEGRAM_TIME, 1, 1e9, NULL, 0, FM_TELEGRAM_TRUTH, 0},            {"dt", FM_TELEGRAM_INTERVAL, 1, 1e3, NULL, 0, FM_TELEGRAM_TRUTH, 0},
    {"x", FM_TELEGRAM_SENSED, FOOT, 0, NULL, X, FM_TELEGRAM_POSITION, 0},         {"y", FM_TELEGRAM_SENSED, FOOT, 0, NULL, X + 1, FM_TELEGRAM_POSITION, 1},
    {"z", FM_TELEGRAM_SENSED, FOOT, 0, NULL, X + 2, FM_TELEGRAM_DEPTH, 0},
    {"phi", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI, FM_TELEGRAM_ANGLE, 0},        {"theta", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI + 1, FM_TELEGRAM_ANGLE, 1},
    {"psi", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI + 2, FM_TELEGRAM_ANGLE, 2},
    {"x_dot", FM_TELEGRAM_SENSED, FOOT, 0, NULL, X_DOT, FM_TELEGRAM_TRUTH, 0}, {"y_dot", FM_TELEGRAM_SENSED, FOOT, 0, NULL, X_DOT + 1, FM_TELEGRAM_TRUTH, 0},
    {"z_dot", FM_TELEGRAM_SENSED, FOOT, 0, NULL, X_DOT + 2, FM_TELEGRAM_TRUTH, 0},
    {"phi_dot", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI_DOT, FM_TELEGRAM_ANGLE_RATE, 0}, {"theta_dot", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI_DOT + 1, FM_TELEGRAM_ANGLE_RATE, 1},
    {"psi_dot", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI_DOT + 2, FM_TELEGRAM_ANGLE_RATE, 2},
    {"u", FM_TELEGRAM_SENSED, FOOT, 0, NULL, U, FM_TELEGRAM_WATER_SPEED, 0},         {"v", FM_TELEGRAM_SENSED, FOOT, 0, NULL, U + 1, FM_TELEGRAM_TRUTH, 0},
    {"w", FM_TELEGRAM_SENSED, FOOT, 0, NULL, U + 2, FM_TELEGRAM_TRUTH, 0},
    {"p", FM_TELEGRAM_SENSED, 1, 0, NULL, P, FM_TELEGRAM_RATE, 0},            {"q", FM_TELEGRAM_SENSED, 1, 0, NULL, P + 1, FM_TELEGRAM_RATE, 1},
    {"r", FM_TELEGRAM_SENSED, 1, 0, NULL, P + 2, FM_TELEGRAM_RATE, 2},
    {"u_dot", FM_TELEGRAM_SENSED, FOOT, 0, NULL, U_DOT, FM_TELEGRAM_TRUTH, 0}, {"v_dot", FM_TELEGRAM_SENSED, FOOT, 0, NULL, U_DOT + 1, FM_TELEGRAM_TRUTH, 0},
    {"w_dot", FM_TELEGRAM_SENSED, FOOT, 0, NULL, U_DOT + 2, FM_TELEGRAM_TRUTH, 0},
    {"p_dot", FM_TELEGRAM_SENSED, 1, 0, NULL, P_DOT, FM_TELEGRAM_TRUTH, 0},    {"q_dot", FM_TELEGRAM_SENSED, 1, 0, NULL, P_DOT + 1, FM_TELEGRAM_TRUTH, 0},
    {"r_dot", FM_TELEGRAM_SENSED, 1, 0, NULL, P_DOT + 2, FM_TELEGRAM_TRUTH, 0},
    {"delta_rb", FM_TELEGRAM_ORDER, 1, FM_PI / 2, "bow-rudder", 0, FM_TELEGRAM_TRUTH, 0},
    {"delta_rs", FM_TELEGRAM_ORDER, 1, FM_PI / 2, "stern-rudder", 0, FM_TELEGRAM_TRUTH, 0},
    {"delta_pb", FM_TELEGRAM_ORDER, 1, FM_PI / 2, "bow-planes", 0, FM_TELEGRAM_TRUTH, 0},
    {"delta_ps", FM_TELEGRAM_ORDER, 1, FM_PI / 2, "stern-planes", 0, FM_TELEGRAM_TRUTH, 0},
    {"n_port", FM_TELEGRAM_ORDER, RPM, 1e4, "port-propeller", 0, FM_TELEGRAM_TRUTH, 0},
    {"n_stbd", FM_TELEGRAM_ORDER, RPM, 1e4, "starboard-propeller", 0, FM_TELEGRAM_TRUTH, 0},
    {"V_bow_vertical", FM_TELEGRAM_ORDER, 1, 24, "bow-vertical", 0, FM_TELEGRAM_TRUTH, 0},
    {"V_stern_vertical", FM_TELEGRAM_ORDER, 1, 24, "stern-vertical", 0, FM_TELEGRAM_TRUTH, 0},
    {"V_bow_lateral", FM_TELEGRAM_ORDER, 1, 24, "bow-lateral", 0, FM_TELEGRAM_TRUTH, 0},
    {"V_stern_lateral", FM_TELEGRAM_ORDER, 1, 24, "stern-lateral", 0, FM_TELEGRAM_TRUTH, 0},
    {"n_port_shaft", FM_TELEGRAM_SENSED, RPM, 0, "port-propeller", NOT_TRUE, FM_TELEGRAM_SHAFT, 0},
    {"n_stbd_shaft", FM_TELEGRAM_SENSED, RPM, 0, "starboard-propeller", NOT_TRUE, FM_TELEGRAM_SHAFT, 0},
    {"ST1000_range", FM_TELEGRAM_SENSED, FOOT, 0, NULL, NOT_TRUE, FM_TELEGRAM_RANGE, 0},
    {"ST1000_bearing", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_BEARING, 0},
    {"ST725_range", FM_TELEGRAM_SENSED, FOOT, 0, NULL, NOT_TRUE, FM_TELEGRAM_RANGE, 1},
    {"ST725_bearing", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_BEARING, 1},
};

/* Motor commands are fractions of the full thrust of 7 N. */
static const fm_telegram_field snookie_fields[] = {
    {"t", FM_TELEGRAM_TIME, 1, 1e9, NULL, 0, FM_TELEGRAM_TRUTH, 0},         {"dt", FM_TELEGRAM_INTERVAL, 1, 1e3, NULL, 0, FM_TELEGRAM_TRUTH, 0},
    {"depth", FM_TELEGRAM_SENSED, 1, 0, NULL, X + 2, FM_TELEGRAM_TRUTH, 0},
    {"roll", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI, FM_TELEGRAM_TRUTH, 0},    {"pitch", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI + 1, FM_TELEGRAM_TRUTH, 0},
    {"yaw", FM_TELEGRAM_SENSED, 1, 0, NULL, PHI + 2, FM_TELEGRAM_TRUTH, 0},
    {"p", FM_TELEGRAM_SENSED, 1, 0, NULL, P, FM_TELEGRAM_TRUTH, 0},         {"q", FM_TELEGRAM_SENSED, 1, 0, NULL, P + 1, FM_TELEGRAM_TRUTH, 0},
    {"r", FM_TELEGRAM_SENSED, 1, 0, NULL, P + 2, FM_TELEGRAM_TRUTH, 0},
    {"m1", FM_TELEGRAM_ORDER, 7, 1, "port-upper", 0, FM_TELEGRAM_TRUTH, 0},      {"m2", FM_TELEGRAM_ORDER, 7, 1, "port-lower", 0, FM_TELEGRAM_TRUTH, 0},
    {"m3", FM_TELEGRAM_ORDER, 7, 1, "starboard-upper", 0, FM_TELEGRAM_TRUTH, 0}, {"m4", FM_TELEGRAM_ORDER, 7, 1, "starboard-lower", 0, FM_TELEGRAM_TRUTH, 0},
    {"m5", FM_TELEGRAM_ORDER, 7, 1, "port-vertical", 0, FM_TELEGRAM_TRUTH, 0},   {"m6", FM_TELEGRAM_ORDER, 7, 1, "starboard-vertical", 0, FM_TELEGRAM_TRUTH, 0},
    {"V1", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 0},
    {"V2", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 1},
    {"V3", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 2},
    {"V4", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 3},
    {"V5", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 4},
    {"V6", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 5},
    {"V7", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 6},
    {"V8", FM_TELEGRAM_SENSED, 1, 0, NULL, NOT_TRUE, FM_TELEGRAM_LATERAL, 7},
};
/* clang-format on */

_Static_assert(sizeof phoenix_fields / sizeof *phoenix_fields <= FM_TELEGRAM_FIELDS,
               "all fields have a bit and a value");

const fm_telegram_field *fm_telegram_fields(fm_telegram_form form, size_t *count)
{
    *count = form == FM_TELEGRAM_SNOOKIE ? sizeof snookie_fields / sizeof *snookie_fields
                                         : sizeof phoenix_fields / sizeof *phoenix_fields;
    return form == FM_TELEGRAM_SNOOKIE ? snookie_fields : phoenix_fields;
}

/* --- text --- */

static size_t find_field(const fm_telegram_field *fields, size_t count, const char *name, size_t length)
{
    size_t i = 0;
    while (i < count && (strlen(fields[i].name) != length || strncmp(fields[i].name, name, length) != 0))
        i++;
    return i;
}

static fm_status read_pair(const fm_telegram_field *fields, size_t count, const char *word, fm_telegram *record,
                           fm_error *error)
{
    const char *equals = strchr(word, '=');
    size_t i = equals ? find_field(fields, count, word, (size_t)(equals - word)) : count;
    if (i == count)
        return fm_fail(error, FM_ERR_NAME, "'%.40s' is not a NAME=VALUE of this record", word);
    if (!equals[1])
        return FM_OK;
    double value, most = fields[i].most > 0 ? fields[i].most : 1e308;
    fm_status status = fm_number_read(fields[i].name, equals + 1, &value, error);
    if (status == FM_OK)
        status = fm_number_accept(fields[i].name, value, (fm_number_range){-most, most, false}, error);
    if (status != FM_OK)
        return status;
    record->given |= (uint64_t)1 << i;
    record->values[i] = value;
    return FM_OK;
}

fm_status fm_telegram_read(fm_telegram_form form, const char *text, size_t size, fm_telegram *record, fm_error *error)
{
    char line[FM_TELEGRAM_TEXT], *rest = line, *word;
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(form, &count);
    *record = (fm_telegram){0};
    if (size >= sizeof line || memchr(text, 0, size))
        return fm_fail(error, FM_ERR_SYNTAX, "a record of %zu bytes: must be text of up to %d", size,
                       FM_TELEGRAM_TEXT - 1);
    memcpy(line, text, size);
    line[size] = 0;
    fm_status status = FM_OK;
    while (status == FM_OK && (word = strsep(&rest, " \t\r\n")) != NULL)
        if (*word)
            status = read_pair(fields, count, word, record, error);
    return status;
}

size_t fm_telegram_write(fm_telegram_form form, const fm_telegram *record, char *text, size_t size)
{
    size_t count, used = 0;
    const fm_telegram_field *fields = fm_telegram_fields(form, &count);
    for (size_t i = 0; i < count; i++)
        if (record->given >> i & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%.17g", used ? " " : "", fields[i].name,
                                     record->values[i]);
        else if (record->silent >> i & 1 && used < size)
            used += (size_t)snprintf(text + used, size - used, "%s%s=", used ? " " : "", fields[i].name);
    return used < size ? used : size - 1;
}

/* --- the vehicle --- */

static void read_state(const fm_world *world, int slot, double state[STATES])
{
    const fm_slot *s = &world->slots[slot];
    const double *R = fm_slot_rotation(world, slot), *v = s->vehicle->body.velocity;
    fm_pose pose = {0};
    fm_world_pose(world, slot, &pose);
    memcpy(state + X, pose.position, sizeof pose.position);
    memcpy(state + PHI, pose.euler, sizeof pose.euler);
    double water[3];
    fm_vector_to_body(R, s->vehicle->water, water);
    memcpy(state + U, v, 6 * sizeof *v);
    for (int i = 0; i < 3; i++)
        state[U + i] -= water[i];
    memcpy(state + U_DOT, s->vehicle->acceleration, sizeof s->vehicle->acceleration);
    for (int i = 0; i < 3; i++)
        state[X_DOT + i] = R[3 * i] * v[0] + R[3 * i + 1] * v[1] + R[3 * i + 2] * v[2];
    double sine = fm_sin(pose.euler[0]), cosine = fm_cos(pose.euler[0]), level = fm_cos(pose.euler[1]);
    double along = v[4] * sine + v[5] * cosine;
    state[PHI_DOT] = v[3] + along * fm_sin(pose.euler[1]) / level;
    state[PHI_DOT + 1] = v[4] * cosine - v[5] * sine;
    state[PHI_DOT + 2] = along / level;
}

/* As an instrument measures it, otherwise the true value if requested; 0: neither. */
static int find_value(const fm_world *world, int slot, const fm_telegram_field *field, const double *state,
                      double *value)
{
    int sensed = fm_telegram_sense(world, slot, field, value);
    if (sensed >= 0)
        return sensed;
    *value = field->state == NOT_TRUE ? (double)NAN : state[field->state];
    return field->state == NOT_TRUE ? -1 : 1;
}

void fm_telegram_fill(fm_telegram_form form, const fm_world *world, int slot, fm_telegram *record)
{
    double state[STATES], value;
    size_t count;
    const fm_telegram_field *fields = fm_telegram_fields(form, &count);
    read_state(world, slot, state);
    for (size_t i = 0; i < count; i++) {
        uint64_t bit = (uint64_t)1 << i;
        if (fields[i].role != FM_TELEGRAM_SENSED || record->given & bit)
            continue;
        int found = find_value(world, slot, &fields[i], state, &value);
        record->given |= found == 1 ? bit : 0;
        record->silent |= found == 0 ? bit : 0;
        if (found == 1)
            record->values[i] = value / fields[i].unit;
    }
}
