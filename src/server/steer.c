/* Actuations: from datagrams into sessions, and from there into the world just before a step. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/run.h"
#include "server/core.h"
#include "world/inputs.h"

#define RPM 0.10471975511965977 /* rad/s of 1 rev/min */

int fm_actuator_takes(const fm_type *type, size_t i, int mode)
{
    const char *unit = type->actuator_units[i];
    const fm_actuator *a = &type->actuators[i];
    switch (mode) {
    case FM_WIRE_FORCE: return strcmp(unit, "N") == 0;
    case FM_WIRE_NORMALISED: return a->low < a->high && isfinite(a->low) && isfinite(a->high);
    case FM_WIRE_RPM: return strcmp(unit, "rad/s") == 0;
    case FM_WIRE_FIN: return strcmp(unit, "rad") == 0;
    default: return mode == FM_WIRE_NATIVE;
    }
}

size_t fm_actuator_mode_count(const fm_type *type, int mode)
{
    size_t count = 0;
    for (size_t i = 0; i < type->actuator_count; i++)
        count += (size_t)(fm_actuator_takes(type, i, mode) != 0);
    return count;
}

static double order_of(const fm_actuator *a, int mode, double value)
{
    if (mode == FM_WIRE_RPM)
        return value * RPM;
    if (mode == FM_WIRE_NORMALISED)
        return value < 0 ? -value * a->low : value * a->high;
    return value;
}

/* --- from a datagram; the loop's thread --- */

static fm_wire_fault check_values(const fm_wire_actuate *head, const float *values)
{
    for (unsigned i = 0; i < head->count; i++)
        if (head->mode == FM_WIRE_NORMALISED && fabsf(values[i]) > 1)
            return FM_WIRE_FAULT_VALUE;
    return FM_WIRE_FINE;
}

/* The type of its vehicle. Types never change, and a slot's is that of the vehicle in it. */
static const fm_type *type_of(const fm_server *server, const fm_session *s)
{
    int type = fm_model_find_type(server->model, s->role == FM_WIRE_CONTROLLER ? s->vehicle : s->asked.model);
    return type < 0 ? NULL : &server->model->types[type];
}

fm_wire_fault fm_session_actuate(fm_server *server, fm_session *s, uint32_t sequence, fm_wire_in *payload)
{
    fm_wire_actuate head;
    float values[FM_WIRE_VALUES];
    fm_wire_get_actuate(payload, &head);
    if (head.mode >= FM_WIRE_MODES || head.count > FM_WIRE_VALUES)
        return FM_WIRE_FAULT_VALUE;
    for (unsigned i = 0; i < head.count; i++)
        values[i] = fm_wire_get_f32(payload);
    if (payload->fault)
        return payload->fault;
    const fm_type *type = type_of(server, s);
    if (type && fm_actuator_mode_count(type, head.mode) != head.count)
        return FM_WIRE_FAULT_VALUE;
    if (check_values(&head, values) != FM_WIRE_FINE)
        return FM_WIRE_FAULT_VALUE;
    fm_actuation *a = &s->actuations[head.mode];
    if (a->sequence >= sequence && a->sequence != 0)
        return FM_WIRE_FAULT_STALE;
    a->sequence = sequence;
    a->waits = 1;
    a->received = server->now;
    a->apply_at = head.apply_at;
    a->hold = head.hold;
    a->count = head.count;
    memcpy(a->values, values, head.count * sizeof *values);
    return FM_WIRE_FINE;
}

/* --- into the world; the stepping thread --- */

const char *fm_session_holder(const fm_session *s)
{
    return s->asked.flags & FM_WIRE_CONNECT_STAYS ? "ctl" : s->asked.name;
}

int fm_session_owner(const fm_session *s, const fm_owner *owner)
{
    return owner->kind == FM_OWNER_SCHEDULE                      ? FM_WIRE_OWNER_SCHEDULE
           : owner->kind == FM_OWNER_CONTROLLER                  ? FM_WIRE_OWNER_CONTROLLER
           : s && strcmp(owner->name, fm_session_holder(s)) == 0 ? FM_WIRE_OWNER_SELF
                                                                 : FM_WIRE_OWNER_OTHER;
}

/* The world drops orders that change nothing. */
static void give(fm_world *world, const fm_session *s, fm_status made, fm_input *input)
{
    fm_input_set_holder(input, fm_session_holder(s));
    if (made == FM_OK)
        fm_world_input(world, input, NULL);
}

static void order(fm_world *world, const fm_session *s, const char *actuator, double value)
{
    fm_input input;
    give(world, s, fm_input_value(&input, FM_COMMAND_ORDER, s->vehicle, actuator, value, NULL), &input);
}

static void release(fm_world *world, const fm_session *s, const char *actuator)
{
    fm_input input;
    give(world, s, fm_input_begin(&input, FM_COMMAND_RELEASE, s->vehicle, actuator, NULL), &input);
}

static void apply(fm_run *run, fm_session *s, const fm_type *type, int mode, uint64_t now)
{
    fm_world *world = fm_run_world(run);
    fm_actuation *a = &s->actuations[mode];
    if (!a->apply_at)
        fm_run_note_input(run, a->received);
    size_t k = 0;
    for (size_t i = 0; i < type->actuator_count && k < a->count; i++)
        if (fm_actuator_takes(type, i, mode))
            order(world, s, type->actuator_names[i], order_of(&type->actuators[i], mode, (double)a->values[k++]));
    a->waits = 0;
    a->acts = a->hold > 0;
    a->until = now + 10u * a->hold;
    s->zeroed = 0;
}

/* The previous owners get the actuators back; those without an owner go to zero. */
static void stop(fm_world *world, fm_session *s, const fm_type *type, int mode)
{
    for (size_t i = 0; i < type->actuator_count; i++)
        if (fm_actuator_takes(type, i, mode))
            release(world, s, type->actuator_names[i]);
    s->actuations[mode].acts = 0;
    s->zeroed = 1;
}

static void steer_session(fm_run *run, fm_session *s, uint64_t now)
{
    fm_world *world = fm_run_world(run);
    const fm_type *type = world->slots[s->slot].type;
    if (s->silenced) {
        stop(world, s, type, FM_WIRE_NATIVE);
        memset(s->actuations, 0, sizeof s->actuations);
        s->silenced = 0;
    }
    for (int mode = 0; mode < FM_WIRE_MODES; mode++) {
        fm_actuation *a = &s->actuations[mode];
        if (a->waits && now >= a->apply_at)
            apply(run, s, type, mode, now);
        else if (a->acts && now >= a->until)
            stop(world, s, type, mode);
    }
}

/* A vehicle that has left, or another one in its slot. */
static int still_there(const fm_world *world, const fm_session *s)
{
    const char *name = fm_world_name(world, s->slot);
    return name && strcmp(name, s->vehicle) == 0;
}

void fm_sessions_steer(fm_server *server, fm_run *run)
{
    fm_world *world = fm_run_world(run);
    uint64_t now = fm_stamp_of(fm_world_time(world));
    fm_emulated_steer(server, run);
    for (size_t i = 0; i < server->session_count; i++) { /* in the order of ids, so that the result does not depend on
                                                          * arrival */
        fm_session *s = server->sessions[i];
        if (s->life < FM_SESSION_LIVE || !s->vehicle[0] || s->role == FM_WIRE_EMULATOR)
            continue;
        if (s->slot < 0 || !still_there(world, s))
            s->slot = fm_world_find(world, s->vehicle);
        if (s->slot >= 0)
            steer_session(run, s, now);
    }
}
