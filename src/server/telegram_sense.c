/* Variables of the records as the instruments of a vehicle measure them, with noise, bias and faults. */
#include <math.h>
#include <string.h>

#include "flow/flow_part.h"
#include "physics/posture.h"
#include "sensors/lateral_line.h"
#include "sensors/parts.h"
#include "server/telegram.h"
#include "world/world.h"

enum { NO_INSTRUMENT = -1, SILENT = 0, SHOWN = 1 };

/* The number-th part of a vehicle that measures a quantity. */
static const fm_part *find_part(const fm_slot *slot, fm_quantity quantity, int number, const fm_output **output)
{
    for (size_t i = 0; i < slot->type->sensor_count; i++) {
        const fm_part *part = &slot->type->parts[i];
        for (size_t k = 0; k < part->output_count; k++)
            if (part->outputs[k].quantity == quantity && part->outputs[k].type == FM_OUTPUT_REAL && number-- == 0) {
                *output = &part->outputs[k];
                return part;
            }
    }
    return NULL;
}

static int read_output(const fm_slot *slot, const fm_part *part, const fm_output *output, double *values, size_t count)
{
    const char *block = (const char *)fm_vehicle_words(slot->vehicle, part->output);
    fm_reading head = {.count = 1, .valid = 1};
    if (part->part_class->counts >= FM_COUNTS_READING)
        memcpy(&head, block, sizeof head);
    memcpy(values, block + output->offset, count * sizeof *values);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return SILENT;
    return head.count > 0 && head.valid ? SHOWN : SILENT;
}

static int read_quantity(const fm_slot *slot, fm_quantity quantity, double *values, size_t count)
{
    const fm_output *output;
    const fm_part *part = find_part(slot, quantity, 0, &output);
    return part && output->count >= count ? read_output(slot, part, output, values, count) : NO_INSTRUMENT;
}

/* Rates about body axes. */
static int read_rates(const fm_slot *slot, double rates[3])
{
    const fm_output *output;
    const fm_part *part = find_part(slot, FM_QUANTITY_RATES, 0, &output);
    double own[3];
    if (!part || output->count < 3)
        return NO_INSTRUMENT;
    int shown = read_output(slot, part, output, own, 3);
    const fm_mount *mount = fm_part_mount(part);
    if (mount)
        fm_vector_to_world(mount->rotation, own, rates);
    else
        memcpy(rates, own, sizeof own);
    return shown;
}

/* Heading by a compass, all three by an inertial unit. */
static int read_angle(const fm_slot *slot, int i, double *angle)
{
    double euler[3], q[4], R[9];
    int shown = i == 2 ? read_quantity(slot, FM_QUANTITY_HEADING, angle, 1) : NO_INSTRUMENT;
    if (shown != NO_INSTRUMENT)
        return shown;
    shown = read_quantity(slot, FM_QUANTITY_EULER, euler, 3);
    if (shown == NO_INSTRUMENT && (shown = read_quantity(slot, FM_QUANTITY_ORIENTATION, q, 4)) == SHOWN) {
        fm_quat_matrix(q, R);
        fm_euler_from_matrix(R, euler);
    }
    if (shown == SHOWN)
        *angle = euler[i];
    return shown;
}

/* For Euler angles: from measured rates and angles. */
static int read_angle_rate(const fm_slot *slot, int i, double *rate)
{
    double r[3], roll, pitch;
    int rates = read_rates(slot, r), first = read_angle(slot, 0, &roll), second = read_angle(slot, 1, &pitch);
    if (rates == NO_INSTRUMENT || first == NO_INSTRUMENT || second == NO_INSTRUMENT)
        return NO_INSTRUMENT;
    if (rates == SILENT || first == SILENT || second == SILENT)
        return SILENT;
    double along = r[1] * fm_sin(roll) + r[2] * fm_cos(roll);
    const double all[3] = {r[0] + along * fm_sin(pitch) / fm_cos(pitch), r[1] * fm_cos(roll) - r[2] * fm_sin(roll),
                           along / fm_cos(pitch)};
    *rate = all[i];
    return SHOWN;
}

static int read_shaft(const fm_slot *slot, const char *actuator, double *speed)
{
    const fm_output *output;
    const fm_part *part;
    for (int i = 0; (part = find_part(slot, FM_QUANTITY_SHAFT_SPEED, i, &output)); i++)
        if (strcmp(fm_actuator_sensor_of(part->config), actuator) == 0)
            return read_output(slot, part, output, speed, 1);
    return NO_INSTRUMENT;
}

/* Without an echo the instrument has no value. */
static int read_range(const fm_slot *slot, int number, double *range)
{
    const fm_output *output;
    const fm_part *part = find_part(slot, FM_QUANTITY_RANGE, number, &output);
    return part ? read_output(slot, part, output, range, 1) : NO_INSTRUMENT;
}

static int read_bearing(const fm_slot *slot, int number, double *bearing)
{
    const fm_output *output;
    const fm_part *part = find_part(slot, FM_QUANTITY_RANGE, number, &output);
    const fm_mount *mount = part ? fm_part_mount(part) : NULL;
    if (!mount)
        return NO_INSTRUMENT;
    *bearing = fm_atan2(mount->rotation[3], mount->rotation[0]);
    return SHOWN;
}

static int read_lateral(const fm_slot *slot, int number, double *voltage)
{
    double all[8];
    for (size_t i = 0; i < slot->type->sensor_count; i++) {
        const fm_part *part = &slot->type->parts[i];
        if (part->role != FM_ROLE_LATERAL_LINE)
            continue;
        int shown = read_output(slot, part, &part->outputs[0], all, (size_t)number + 1);
        *voltage = all[number];
        return shown;
    }
    return NO_INSTRUMENT;
}

int fm_telegram_sense(const fm_world *world, int index, const fm_telegram_field *field, double *value)
{
    const fm_slot *slot = &world->slots[index];
    double three[3];
    int shown;
    switch (field->source) {
    case FM_TELEGRAM_TRUTH: return NO_INSTRUMENT;
    case FM_TELEGRAM_POSITION:
        shown = read_quantity(slot, FM_QUANTITY_POSITION, three, 3);
        *value = shown == SHOWN ? three[field->index] : (double)NAN;
        return shown;
    case FM_TELEGRAM_DEPTH: return read_quantity(slot, FM_QUANTITY_DEPTH, value, 1);
    case FM_TELEGRAM_ANGLE: return read_angle(slot, field->index, value);
    case FM_TELEGRAM_ANGLE_RATE: return read_angle_rate(slot, field->index, value);
    case FM_TELEGRAM_RATE:
        shown = read_rates(slot, three);
        *value = shown == SHOWN ? three[field->index] : (double)NAN;
        return shown;
    case FM_TELEGRAM_WATER_SPEED: return read_quantity(slot, FM_QUANTITY_WATER_SPEED, value, 1);
    case FM_TELEGRAM_SHAFT: return read_shaft(slot, field->actuator, value);
    case FM_TELEGRAM_RANGE: return read_range(slot, field->index, value);
    case FM_TELEGRAM_BEARING: return read_bearing(slot, field->index, value);
    case FM_TELEGRAM_LATERAL: return read_lateral(slot, field->index, value);
    }
    return NO_INSTRUMENT;
}
