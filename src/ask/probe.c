/* What the names of an expression are in a model, and reading them in a world. */
#include "ask/probe.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask/program.h"
#include "base/error.h"
#include "base/text.h"
#include "world/fields.h"
#include "world/parts.h"
#include "world/world.h"

/* Where a number comes from. */
typedef struct source {
    int vehicle;                  /* of the scenario; -1: the world */
    const fm_record_field *field; /* NULL: the metric */
    size_t element, metric;
    const char *name; /* of a metric */
} source;

struct fm_ask_probe {
    const fm_model *model;
    int vehicle;
    fm_ask *ask;
    source sources[FM_ASK_INPUTS];
    size_t source_count;
};

/* --- names --- */

static const char *const aliases[][2] = {{"depth", "z"},  {"north", "x"},     {"east", "y"},
                                         {"roll", "phi"}, {"pitch", "theta"}, {"heading", "psi"}};

static const fm_type *type_of(const fm_model *model, int vehicle)
{
    return &model->types[model->vehicles[vehicle].type];
}

static const fm_record_field *find_field(const fm_type *type, const char *name)
{
    for (size_t i = 0; i < type->field_count; i++)
        if (fm_text_name_equal(type->fields[i].info.name, name))
            return &type->fields[i];
    for (size_t i = 0; i < FM_COUNT(aliases); i++)
        if (!strcmp(aliases[i][0], name))
            return find_field(type, aliases[i][1]);
    return NULL;
}

/* The unit of an element of a field: "m/s, rad/s" are those of its halves. */
static fm_status unit_of(const fm_field_info *info, size_t element, fm_unit *unit, fm_error *error)
{
    char text[96];
    const char *comma = strchr(info->unit, ',');
    if (!comma)
        return fm_unit_parse(info->unit, unit, error);
    if (element < info->count / 2)
        snprintf(text, sizeof text, "%.*s", (int)(comma - info->unit), info->unit);
    else
        snprintf(text, sizeof text, "%s", comma + 1 + strspn(comma + 1, " "));
    return fm_unit_parse(text, unit, error);
}

/* The same source has one number. */
static size_t number_of(fm_ask_probe *p, const source *wanted)
{
    for (size_t i = 0; i < p->source_count; i++) {
        const source *s = &p->sources[i];
        if (s->vehicle == wanted->vehicle && s->field == wanted->field && s->element == wanted->element &&
            s->metric == wanted->metric)
            return i;
    }
    if (p->source_count < FM_ASK_INPUTS)
        p->sources[p->source_count] = *wanted;
    return p->source_count < FM_ASK_INPUTS ? p->source_count++ : FM_ASK_INPUTS;
}

static fm_status take_field(fm_ask_probe *p, int vehicle, const fm_record_field *field, const char *name, long index,
                            fm_ask_input *input, fm_error *error)
{
    const size_t count = field->info.count;
    if (count > 1 && index < 0)
        return fm_fail(error, FM_ERR_RANGE, "'%s' has %zu numbers: add an index from [0] to [%zu]", name, count,
                       count - 1);
    if (index >= 0 && (size_t)index >= count)
        return fm_fail(error, FM_ERR_RANGE, "'%s[%ld]' is out of range: it has %zu number%s, from [0]", name, index,
                       count, count == 1 ? "" : "s");
    const source s = {.vehicle = vehicle, .field = field, .element = index < 0 ? 0 : (size_t)index};
    input->number = number_of(p, &s);
    return unit_of(&field->info, s.element, &input->unit, error);
}

static fm_status take_metric(fm_ask_probe *p, int vehicle, const char *name, long index, fm_ask_input *input,
                             fm_error *error)
{
    const fm_type *type = type_of(p->model, vehicle);
    fm_metric_info info;
    for (size_t i = 0; (info = fm_type_metric(type, i)).name; i++) {
        if (!fm_text_name_equal(info.name, name))
            continue;
        if (index >= 0)
            return fm_fail(error, FM_ERR_RANGE, "'%s' is one number: remove the index [%ld]", name, index);
        const source s = {.vehicle = vehicle, .metric = i, .name = info.name};
        input->number = number_of(p, &s);
        return fm_unit_parse(info.unit, &input->unit, error);
    }
    return FM_ERR_NAME;
}

/* A name of this vehicle, without the vehicle. */
static fm_status find_in(fm_ask_probe *p, int vehicle, const char *name, long index, fm_ask_input *input,
                         fm_error *error)
{
    const fm_record_field *field = find_field(type_of(p->model, vehicle), name);
    return field ? take_field(p, vehicle, field, name, index, input, error)
                 : take_metric(p, vehicle, name, index, input, error);
}

static fm_status find(void *user, const char *name, long index, fm_ask_input *input, fm_error *error)
{
    fm_ask_probe *p = user;
    fm_status status = FM_ERR_NAME;
    for (size_t v = 0; v < p->model->vehicle_count && status == FM_ERR_NAME; v++) {
        const char *own = p->model->vehicles[v].name;
        const size_t length = strlen(own);
        char start[FM_NAME_SIZE];
        if (strlen(name) <= length || name[length] != '.' || length >= sizeof start)
            continue;
        snprintf(start, sizeof start, "%.*s", (int)length, name);
        if (fm_text_name_equal(start, own))
            status = find_in(p, (int)v, name + length + 1, index, input, error);
    }
    if (status == FM_ERR_NAME && p->model->vehicle_count)
        status = find_in(p, p->vehicle, name, index, input, error);
    if (status == FM_ERR_NAME)
        return fm_fail(error, FM_ERR_NAME,
                       p->model->vehicle_count ? "the scenario has nothing called"
                                               : "the scenario has no vehicle, so nothing called");
    return status;
}

static void offer(void *user, void (*take)(void *to, const char *name), void *to)
{
    const fm_ask_probe *p = user;
    const size_t most = p->model->vehicle_count < 8 ? p->model->vehicle_count : 8;
    char text[224];
    for (size_t v = 0; v < most; v++) {
        const fm_type *type = type_of(p->model, (int)v);
        const char *vehicle = p->model->vehicles[v].name;
        fm_metric_info info;
        for (size_t i = 0; i < type->field_count; i++) {
            snprintf(text, sizeof text, "%s.%s", vehicle, type->fields[i].info.name);
            take(to, text);
            if ((int)v == p->vehicle)
                take(to, type->fields[i].info.name);
        }
        for (size_t i = 0; (info = fm_type_metric(type, i)).name; i++) {
            snprintf(text, sizeof text, "%s.%s", vehicle, info.name);
            take(to, text);
        }
        for (size_t i = 0; i < FM_COUNT(aliases); i++) {
            snprintf(text, sizeof text, "%s.%s", vehicle, aliases[i][0]);
            take(to, text);
        }
    }
}

/* --- life --- */

fm_ask_probe *fm_ask_probe_create(const fm_model *model, int vehicle, const char *text, fm_ask_kind kind,
                                  const char *unit, fm_error *error)
{
    fm_ask_probe *p = fm_alloc(sizeof *p);
    if (!p) {
        fm_fail(error, FM_ERR_MEMORY, "no memory for an expression");
        return NULL;
    }
    p->model = model;
    p->vehicle = vehicle < 0 ? 0 : vehicle;
    p->ask = fm_ask_read(text, &(fm_ask_names){find, offer, p}, kind, unit, error);
    if (p->ask)
        return p;
    fm_ask_probe_free(p);
    return NULL;
}

void fm_ask_probe_free(fm_ask_probe *probe)
{
    if (!probe)
        return;
    fm_ask_free(probe->ask);
    fm_free(probe);
}

const fm_ask *fm_ask_probe_ask(const fm_ask_probe *probe)
{
    return probe->ask;
}

const fm_record_field *fm_ask_probe_field(const fm_ask_probe *probe, size_t i, int *vehicle, size_t *element)
{
    const source *s = &probe->sources[fm_ask_input_at(probe->ask, i).number];
    *vehicle = s->vehicle;
    *element = s->element;
    return s->field;
}

const char *fm_ask_probe_metric(const fm_ask_probe *probe, size_t i, int *vehicle)
{
    const source *s = &probe->sources[fm_ask_input_at(probe->ask, i).number];
    *vehicle = s->vehicle;
    return s->field ? NULL : s->name;
}

/* --- reading --- */

static double read(const fm_world *world, const source *s)
{
    const int slot = fm_record_field_slot(world, s->vehicle);
    if (slot < 0)
        return NAN;
    return s->field ? fm_record_field_number(world, slot, s->field, s->element)
                    : fm_world_metric(world, slot, s->metric).value;
}

void fm_ask_probe_note(const fm_ask_probe *probe, double *state, const fm_world *world, double time)
{
    double inputs[FM_ASK_INPUTS];
    const size_t count = fm_ask_input_count(probe->ask);
    for (size_t i = 0; i < count; i++)
        inputs[i] = read(world, &probe->sources[fm_ask_input_at(probe->ask, i).number]);
    fm_ask_note(probe->ask, state, time, inputs);
}

int fm_ask_probe_ends(const fm_ask_probe *probe, char *why, size_t size)
{
    if (!fm_ask_is_instant(probe->ask)) {
        fm_text_print(why, size, "'%s' looks at every step", fm_ask_text(probe->ask));
        return 0;
    }
    for (size_t i = 0; i < fm_ask_input_count(probe->ask); i++) {
        const source *s = &probe->sources[fm_ask_input_at(probe->ask, i).number];
        if (!s->field || s->field->source == FM_FIELD_POSE || s->field->source == FM_FIELD_ATTITUDE ||
            s->field->source == FM_FIELD_SPEED)
            continue;
        fm_text_print(why, size, "'%s' reads '%s', which is not kept to the end", fm_ask_text(probe->ask),
                      s->field->info.name);
        return 0;
    }
    return 1;
}
