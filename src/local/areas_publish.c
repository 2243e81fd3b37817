/* Publishes the world in the areas. Constant data is prepared once (fm_areas_describe); a step fills in numbers and
 * writes. */
#include <math.h>
#include <stdio.h>

#include "acoustics/sound.h"
#include "base/units.h"
#include "environment/environment.h"
#include "local/areas_internal.h"
#include "run/run.h"
#include "sensors/imperfect.h"
#include "world/parts.h"
#include "world/stream.h"

#define COPY_TEXT(to, from) snprintf(to, sizeof(to), "%.*s", (int)sizeof(to) - 1, (from) ? (from) : "")

/* --- once --- */

static void convert_unit(const char *unit, char *si, size_t size, double *scale, double *shift)
{
    fm_unit parsed;
    *scale = 1;
    *shift = 0;
    snprintf(si, size, "%.*s", (int)size - 1, unit ? unit : "");
    if (!si[0] || fm_unit_parse(unit, &parsed, NULL) != FM_OK)
        return;
    *scale = parsed.num / parsed.den;
    *shift = parsed.offset;
    char text[64] = "";
    if (*scale != 1 || *shift != 0) {
        fm_unit_write(&parsed, text, sizeof text);
        snprintf(si, size, "%.*s", (int)size - 1, text);
    }
}

static void add_number(fm_areas_type *t, const fm_part *part, const fm_output *output, size_t i)
{
    if (t->record.value_count == FM_SHARED_VALUES) {
        t->record.untold++;
        return;
    }
    fm_areas_number *n = &t->numbers[t->record.value_count];
    fm_shared_value *v = &t->record.values[t->record.value_count++];
    if (output->count == 1)
        snprintf(v->name, sizeof v->name, "%.40s/%.40s", part->name, output->field);
    else
        snprintf(v->name, sizeof v->name, "%.40s/%.32s[%zu]", part->name, output->field, i);
    convert_unit(output->unit, v->unit, sizeof v->unit, &n->scale, &n->shift);
    n->word = part->output.offset;
    n->byte = output->offset + 8 * i;
    n->counts = part->part_class->counts >= FM_COUNTS_READING;
    n->fault = part->fault;
}

/* Numbers and short vectors of sensors; images and fans are published as messages. */
static void describe_values(fm_areas_type *t, const fm_type *type)
{
    for (size_t k = 0; k < type->sensor_count; k++)
        for (size_t i = 0; i < type->parts[k].output_count; i++) {
            const fm_output *o = &type->parts[k].outputs[i];
            if (o->type != FM_OUTPUT_REAL || o->reach == FM_OUTPUT_INNER || o->count > 4)
                continue;
            for (size_t c = 0; c < o->count; c++)
                add_number(t, &type->parts[k], o, c);
        }
}

static uint64_t shape_of(const fm_type *type)
{
    if (type->shape_count != 1)
        return FM_SHARED_OTHER;
    switch (type->shapes[0].kind) {
    case FM_SHAPE_BOX: return FM_SHARED_BOX;
    case FM_SHAPE_CYLINDER: return FM_SHARED_CYLINDER;
    case FM_SHAPE_SPHERE: return FM_SHARED_SPHERE;
    default: return FM_SHARED_OTHER;
    }
}

static void describe_type(fm_areas_type *t, const fm_type *type)
{
    fm_shared_client *r = &t->record;
    COPY_TEXT(r->model, type->name);
    r->shape = shape_of(type);
    r->size[0] = type->length;
    r->size[1] = type->width;
    r->size[2] = type->height;
    r->type = FM_SHARED_SCENARIO;
    r->matrix[15] = 1;
    for (size_t i = 0; i < type->actuator_count; i++) {
        if (i >= FM_SHARED_ACTUATORS) {
            r->untold++;
            continue;
        }
        COPY_TEXT(r->actuators[i].name, type->actuator_names[i]);
        COPY_TEXT(r->actuators[i].unit, type->actuator_units[i]);
        r->actuator_count++;
    }
    describe_values(t, type);
}

void fm_areas_describe(fm_areas *areas, const fm_model *model)
{
    for (size_t i = 0; i < model->type_count; i++)
        describe_type(&areas->types[i], &model->types[i]);
    for (size_t i = 0; i < areas->parameters; i++) {
        COPY_TEXT(areas->told[i].path, model->live[i].path);
        COPY_TEXT(areas->told[i].unit, model->live[i].attr->unit);
        areas->told[i].value = NAN;
    }
}

/* --- vehicles --- */

static void fill_pose(fm_shared_client *r, const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    const double *R = fm_slot_rotation(world, slot);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++)
            r->matrix[4 * i + k] = R[3 * i + k];
        r->matrix[4 * i + 3] = s->vehicle->body.position[i];
    }
    memcpy(r->quaternion, s->quaternion, sizeof r->quaternion);
    memcpy(r->velocity, s->vehicle->body.velocity, sizeof r->velocity);
    memcpy(r->acceleration, s->vehicle->acceleration, sizeof r->acceleration);
    memcpy(r->water, s->vehicle->water, sizeof r->water);
    r->ended = s->vehicle->life == FM_ENDED;
}

static void fill_value(fm_shared_value *v, const fm_areas_number *n, const fm_vehicle *vehicle, double now)
{
    const uint64_t *record = (const uint64_t *)(const void *)vehicle;
    const char *output = (const char *)(record + n->word);
    fm_reading head = {.count = 1, .valid = 1, .time = now};
    double value;
    memcpy(&value, output + n->byte, sizeof value);
    if (n->counts)
        memcpy(&head, output, sizeof head);
    v->value = n->scale * value + n->shift;
    v->time = head.count ? head.time : (double)NAN;
    v->state = head.valid && head.count ? FM_SHARED_VALID : FM_SHARED_INVALID;
    if (n->fault && record[n->fault] == FM_FAULT_EXTERNAL)
        v->state |= FM_SHARED_EXTERNAL;
}

static void fill_link(fm_shared_client *r, const fm_areas_link *link)
{
    r->id = link->connection.id;
    r->type = link->connection.type ? link->connection.type : FM_SHARED_SCENARIO;
    r->port = link->port;
    memcpy(r->address, link->address, sizeof r->address);
}

/* Up to the last value in use. */
static size_t size_of(const fm_shared_client *r)
{
    return offsetof(fm_shared_client, values) + r->value_count * sizeof *r->values;
}

static void write_slot(fm_areas *areas, const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    fm_shared_client *r = &areas->records[slot], *block = fm_areas_record(areas, (size_t)slot);
    if (s->vehicle->life == FM_EMPTY) {
        if (r->used) {
            *r = (fm_shared_client){0};
            fm_shared_write(block, r, sizeof *r);
        }
        return;
    }
    const fm_areas_type *t = &areas->types[s->vehicle->type];
    if (!r->used || strcmp(r->name, s->vehicle->name) != 0 || strcmp(r->model, t->record.model) != 0) {
        *r = t->record;
        COPY_TEXT(r->name, s->vehicle->name);
        fm_shared_write(block, r, sizeof *r); /* clears values of the last vehicle beyond those of this one */
    }
    const fm_actuator_state *states = fm_actuator_states(s->type, s->vehicle);
    r->used = 1;
    r->steps = fm_world_steps(world);
    r->time = fm_world_time(world);
    fill_pose(r, world, slot);
    fill_link(r, &areas->links[slot]);
    for (size_t i = 0; i < r->actuator_count; i++) {
        r->actuators[i].order = states[i].order;
        r->actuators[i].value = states[i].value;
    }
    for (size_t i = 0; i < r->value_count; i++)
        fill_value(&r->values[i], &t->numbers[i], s->vehicle, r->time);
    fm_shared_write(block, r, size_of(r));
}

/* --- the simulation --- */

static void write_parameters(fm_areas *areas, const fm_world *world)
{
    const fm_model *model = world->model;
    for (size_t i = 0; i < areas->parameters; i++) {
        double value;
        int64_t whole;
        memcpy(&value, &world->live[model->live[i].offset], sizeof value);
        fm_attr_type type = model->live[i].attr->type;
        if (type == FM_ATTR_INT || type == FM_ATTR_BOOL || type == FM_ATTR_CHOICE) {
            memcpy(&whole, &value, sizeof whole);
            value = (double)whole;
        }
        if (value == areas->told[i].value)
            continue;
        areas->told[i].value = value;
        fm_shared_write(fm_areas_parameter(areas, i), &areas->told[i], sizeof *areas->told);
    }
}

static void fill_water(fm_shared_simulation *s, const fm_world *world)
{
    static const double origin[3] = {0, 0, 0};
    const fm_environment *e = world->environment;
    fm_water water = fm_water_column_sample(&e->column, 0, 0, 0);
    s->sound_speed = water.sound_speed;
    s->density = fm_environment_density(e, origin);
    s->gravity = e->gravity;
    memcpy(s->pressure, e->column.pressure, sizeof s->pressure);
    fm_stream_velocity(world, origin, s->flow);
    s->bottom = fm_environment_depth(e, 0, 0);
}

static size_t count_vehicles(const fm_world *world)
{
    size_t count = 0;
    for (int i = 0; i < world->slot_count; i++)
        count += world->slots[i].vehicle->life != FM_EMPTY;
    return count;
}

static fm_shared_simulation *simulation_of(const fm_areas *areas)
{
    return fm_shared_block(&areas->simulation.map, sizeof(fm_shared_head), 0, 1, sizeof(fm_shared_simulation));
}

/* Under the lock. */
static void put_state(fm_areas *areas, fm_shared_simulation *s)
{
    s->state = areas->state.state;
    s->speed = areas->state.speed;
    s->clients = areas->state.clients;
    s->late = areas->state.late;
}

static void write_simulation(fm_areas *areas, const fm_world *world)
{
    fm_shared_simulation s = {.tick = fm_world_tick(world), .steps = fm_world_steps(world)};
    s.time_step = fm_model_dt(world->model);
    s.time = fm_world_time(world);
    s.stamp = (uint64_t)(s.time * 1e4 + 1e-6);
    s.vehicles = count_vehicles(world);
    s.parameters = areas->parameters;
    s.connections = areas->connections;
    fill_water(&s, world);
    put_state(areas, &s);
    areas->last = s;
    fm_shared_write(simulation_of(areas), &s, sizeof s);
}

/* Under the lock: writes the last data again if another process has truncated the areas. */
static void mend(fm_areas *areas)
{
    if (!fm_areas_mend(areas))
        return;
    for (size_t i = 0; i < areas->slots; i++)
        if (areas->records[i].used)
            fm_shared_write(fm_areas_record(areas, i), &areas->records[i], sizeof areas->records[i]);
    for (size_t i = 0; i < areas->parameters; i++)
        fm_shared_write(fm_areas_parameter(areas, i), &areas->told[i], sizeof *areas->told);
    fm_shared_write(simulation_of(areas), &areas->last, sizeof areas->last);
}

void fm_areas_publish(fm_areas *areas, fm_run *run)
{
    const fm_world *world = fm_run_world(run);
    pthread_mutex_lock(&areas->lock);
    mend(areas);
    for (int i = 0; i < world->slot_count; i++)
        write_slot(areas, world, i);
    write_parameters(areas, world);
    write_simulation(areas, world);
    pthread_mutex_unlock(&areas->lock);
}

void fm_areas_set_state(fm_areas *areas, const fm_areas_state *state)
{
    pthread_mutex_lock(&areas->lock);
    areas->state = *state;
    mend(areas);
    put_state(areas, &areas->last);
    fm_shared_write(simulation_of(areas), &areas->last, sizeof areas->last);
    pthread_mutex_unlock(&areas->lock);
}

/* --- connections --- */

static fm_shared_connection *connection_of(const fm_areas *areas, size_t i)
{
    return fm_shared_block(&areas->simulation.map,
                           sizeof(fm_shared_head) + sizeof(fm_shared_simulation) +
                               areas->parameters * sizeof(fm_shared_parameter),
                           i, areas->connections, sizeof(fm_shared_connection));
}

void fm_areas_set_links(fm_areas *areas, const fm_areas_link *links, size_t count)
{
    static const fm_shared_connection none;
    pthread_mutex_lock(&areas->lock);
    memset((void *)areas->links, 0, areas->slots * sizeof *areas->links);
    for (size_t i = 0; i < areas->connections; i++) {
        fm_shared_connection *block = connection_of(areas, i);
        if (i >= count) {
            if (block->type)
                fm_shared_write(block, &none, sizeof none);
            continue;
        }
        const fm_shared_connection *c = &links[i].connection;
        fm_shared_write(block, c, sizeof *c);
        if (c->vehicle >= 0 && (size_t)c->vehicle < areas->slots)
            areas->links[c->vehicle] = links[i];
    }
    pthread_mutex_unlock(&areas->lock);
}
