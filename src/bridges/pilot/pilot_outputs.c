#include "bridges/pilot/pilot_outputs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "physics/actuator.h"

/* --- frames --- */

/* A motor as defined by its frame: the direction of its thrust for a positive output, body axes, and the side of its
 * place. */
typedef struct motor {
    unsigned channel; /* from 1 */
    int thrust[3];
    int side[2]; /* forward 1, aft −1, 0: neither; starboard 1, port −1 */
} motor;

/* ArduSub, AP_Motors6DOF: the forward, lateral and throttle (up) factors of a motor give the direction of its thrust;
 * those of roll, pitch and yaw give its place. */
static const motor vectored[] = {{1, {-1, 1, 0}, {1, 1}},
                                 {2, {-1, -1, 0}, {1, -1}},
                                 {3, {1, 1, 0}, {-1, 1}},
                                 {4, {1, -1, 0}, {-1, -1}},
                                 {5, {0, 0, 1}, {0, 1}},
                                 {6, {0, 0, 1}, {0, -1}},
                                 {0}};
static const motor vectored_6dof[] = {{1, {-1, 1, 0}, {1, 1}},   {2, {-1, -1, 0}, {1, -1}}, {3, {1, 1, 0}, {-1, 1}},
                                      {4, {1, -1, 0}, {-1, -1}}, {5, {0, 0, 1}, {1, 1}},    {6, {0, 0, 1}, {1, -1}},
                                      {7, {0, 0, 1}, {-1, 1}},   {8, {0, 0, 1}, {-1, -1}},  {0}};
/* PX4, airframe 60002_uuv_bluerov2_heavy. */
static const motor px4_heavy[] = {{1, {1, -1, 0}, {1, 1}},   {2, {1, 1, 0}, {1, -1}},   {3, {1, 1, 0}, {-1, 1}},
                                  {4, {1, -1, 0}, {-1, -1}}, {5, {0, 0, -1}, {1, 1}},   {6, {0, 0, 1}, {1, -1}},
                                  {7, {0, 0, 1}, {-1, 1}},   {8, {0, 0, -1}, {-1, -1}}, {0}};
static const motor skid_steering[] = {{1, {1, 0, 0}, {0, -1}}, {3, {1, 0, 0}, {0, 1}}, {0}};

static const struct frame {
    const char *name;
    const motor *motors; /* the last has channel 0; NULL: steering and throttle */
} frames[] = {{"vectored", vectored},
              {"vectored-6dof", vectored_6dof},
              {"px4-bluerov2-heavy", px4_heavy},
              {"skid-steering", skid_steering},
              {"steering-throttle", NULL}};

static int sign_of(double x, double least)
{
    return x > least ? 1 : x < -least ? -1 : 0;
}

/* Generalised force of a motor as signs: of the force, and of the moments that its place must produce. */
static void motor_signs(const motor *m, int signs[6])
{
    memcpy(signs, m->thrust, sizeof m->thrust);
    signs[3] = m->side[1] * m->thrust[2];
    signs[4] = -m->side[0] * m->thrust[2];
    signs[5] = m->side[0] * m->thrust[1] - m->side[1] * m->thrust[0];
}

/* 1, −1: the thruster acts in the direction of the motor, or exactly against it; 0: neither. */
static int compare_motor(const motor *m, const fm_actuator *a)
{
    int wanted[6], sign = 0;
    motor_signs(m, wanted);
    if (a->kind != FM_ACT_THRUST)
        return 0;
    for (int i = 0; i < 6; i++) {
        int found = sign_of(a->column[i], i < 3 ? 0.3 : 1e-6);
        if (wanted[i] == 0 && (i >= 3 || found == 0))
            continue; /* a moment that the frame does not define is allowed: thrusters seldom lie in one plane */
        int agrees = found == 0 || wanted[i] == 0 ? 0 : (found > 0) == (wanted[i] > 0) ? 1 : -1;
        if (agrees == 0 || (sign != 0 && agrees != sign))
            return 0;
        sign = agrees;
    }
    return sign;
}

static fm_status add_link(fm_pilot_outputs *o, unsigned channel, size_t actuator, double sign, fm_error *error)
{
    if (o->count == FM_PILOT_LINKS)
        return fm_fail(error, FM_ERR_RANGE, "more than %d outputs of an autopilot", FM_PILOT_LINKS);
    o->links[o->count++] = (fm_pilot_link){channel - 1, actuator, sign};
    return FM_OK;
}

static fm_status find_motor(fm_pilot_outputs *o, const struct frame *frame, const motor *m, fm_error *error)
{
    for (size_t i = 0; i < o->type->actuator_count; i++) {
        int sign = compare_motor(m, &o->type->actuators[i]);
        if (sign != 0)
            return add_link(o, m->channel, i, sign, error);
    }
    return fm_fail(error, FM_ERR_NAME,
                   "outputs: frame %s: no thruster of '%s' pushes as motor %u does: along (%d, %d, %d) or against it, "
                   "%s%s; name the outputs one by one (\"1:actuator 2:-actuator …\")",
                   frame->name, o->type->name, m->channel, m->thrust[0], m->thrust[1], m->thrust[2],
                   m->side[0] > 0   ? "ahead "
                   : m->side[0] < 0 ? "astern "
                                    : "",
                   m->side[1] > 0 ? "to starboard" : "to port");
}

/* All thrusters that act forward: together for the throttle, differentially for the steering. */
static fm_status find_main_thrusters(fm_pilot_outputs *o, fm_error *error)
{
    fm_status status = FM_OK;
    for (size_t i = 0; i < o->type->actuator_count && status == FM_OK; i++) {
        const fm_actuator *a = &o->type->actuators[i];
        if (a->kind != FM_ACT_THRUST || sign_of(a->column[0], 0.9) == 0)
            continue;
        int ahead = sign_of(a->column[0], 0.9), turns = sign_of(a->column[5], 1e-6);
        status = add_link(o, 3, i, ahead, error);
        if (status == FM_OK && turns != 0)
            status = add_link(o, 1, i, turns, error);
    }
    if (status == FM_OK && o->count < 3)
        return fm_fail(error, FM_ERR_NAME,
                       "outputs: frame steering-throttle: '%s' has not two thrusters that push ahead, to port and to "
                       "starboard; name the outputs one by one (\"1:rudder 3:propeller\")",
                       o->type->name);
    return status;
}

static fm_status read_frame(fm_pilot_outputs *o, const struct frame *frame, fm_error *error)
{
    fm_status status = FM_OK;
    if (!frame->motors)
        return find_main_thrusters(o, error);
    for (const motor *m = frame->motors; m->channel && status == FM_OK; m++)
        status = find_motor(o, frame, m, error);
    return status;
}

/* --- one by one --- */

static fm_status no_actuator(const fm_type *type, const char *name, fm_error *error)
{
    char near[256];
    fm_nearest nearest = {.wanted = name};
    for (size_t i = 0; i < type->actuator_count; i++)
        fm_nearest_offer(&nearest, type->actuator_names[i]);
    return fm_fail(error, FM_ERR_NAME, "outputs: '%s' has no actuator '%s'%s", type->name, name,
                   fm_nearest_write(&nearest, near, sizeof near));
}

/* "3:-stern-plane" */
static fm_status read_link(fm_pilot_outputs *o, const char *word, fm_error *error)
{
    char *end;
    unsigned long channel = strtoul(word, &end, 10);
    if (*end != ':' || channel < 1 || channel > FM_PILOT_CHANNELS || word[0] < '0' || word[0] > '9')
        return fm_fail(error, FM_ERR_SYNTAX,
                       "outputs: '%s' is neither a frame (vectored, vectored-6dof, px4-bluerov2-heavy, skid-steering, "
                       "steering-throttle) nor an output as in \"3:propeller 1:-rudder\", channels 1 … %d",
                       word, FM_PILOT_CHANNELS);
    double sign = end[1] == '-' ? -1 : 1;
    const char *name = end + (sign < 0 ? 2 : 1);
    for (size_t i = 0; i < o->type->actuator_count; i++)
        if (fm_text_name_equal(o->type->actuator_names[i], name))
            return add_link(o, (unsigned)channel, i, sign, error);
    return no_actuator(o->type, name, error);
}

fm_status fm_pilot_outputs_read(const fm_type *type, const char *text, fm_pilot_outputs *outputs, fm_error *error)
{
    char words[1024], *rest = words, *word;
    fm_status status = FM_OK;
    *outputs = (fm_pilot_outputs){.type = type};
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++)
        if (strcmp(text, frames[i].name) == 0) {
            outputs->frame = frames[i].name;
            return read_frame(outputs, &frames[i], error);
        }
    if (strlen(text) >= sizeof words)
        return fm_fail(error, FM_ERR_SYNTAX, "outputs: the list is too long: must be at most %zu characters",
                       sizeof words - 1);
    memcpy(words, text, strlen(text) + 1);
    while (status == FM_OK && (word = strsep(&rest, " \t\r\n")) != NULL)
        if (*word)
            status = read_link(outputs, word, error);
    return status;
}

uint32_t fm_pilot_outputs_channels(const fm_pilot_outputs *outputs)
{
    uint32_t channels = 0;
    for (size_t i = 0; i < outputs->count; i++)
        channels |= (uint32_t)1 << outputs->links[i].channel;
    return channels;
}

/* --- orders --- */

double fm_pilot_outputs_order(const fm_type *type, size_t actuator, double value)
{
    const fm_actuator *a = &type->actuators[actuator];
    value = fmin(fmax(value, -1), 1);
    if (a->law == FM_LAW_TABLE && a->kind == FM_ACT_THRUST && a->table.forces) {
        /* ordered by force: that of this command at the nominal voltage, which is converted back to the command */
        fm_thruster_table table = a->table;
        fm_supply supply = {type->tables, 0};
        table.forces = 0;
        return fm_table_quantity_at(&table, &supply, FM_TABLE_THRUST, value);
    }
    return value < 0 ? -value * a->low : value * a->high;
}

void fm_pilot_outputs_mix(const fm_pilot_outputs *outputs, const double channels[FM_PILOT_CHANNELS], double *orders)
{
    double sums[FM_PILOT_LINKS];
    for (size_t i = 0; i < outputs->count; i++) { /* the first link of an actuator accumulates its sum */
        const fm_pilot_link *l = &outputs->links[i];
        size_t first = 0;
        while (outputs->links[first].actuator != l->actuator)
            first++;
        sums[i] = 0;
        sums[first] += l->sign * channels[l->channel];
        orders[l->actuator] = fm_pilot_outputs_order(outputs->type, l->actuator, sums[first]);
    }
}
