/* The world of a scenario: settings, vehicles, types, parameters. */
#include "scenario/build.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/calendar.h"
#include "base/text.h"
#include "scenario/build_environment.h"
#include "world/admission.h"
#include "world/contact.h"

/* --- tables --- */

typedef struct fm_world_config {
    double dt, duration, latitude, longitude, gravity;
    int64_t seed, capacity, spare, on_runaway;
    double energy_check;
    const char *epoch;
} fm_world_config;
typedef struct fm_fathom_config {
    int64_t version;
    const char *title;
} fm_fathom_config;

static const fm_element *const world_children[] = {&fm_water_element,
                                                   &fm_current_element,
                                                   &fm_waves_element,
                                                   &fm_wind_element,
                                                   &fm_noise_element,
                                                   &fm_bottom_element,
                                                   &fm_wall_element,
                                                   &fm_column_obstacle_element,
                                                   &fm_sphere_element,
                                                   &fm_box_element,
                                                   &fm_pool_element,
                                                   &fm_acoustics_element,
                                                   NULL};
static const char *const world_groups[] = {"surroundings", NULL};
static const char *const runaway_names[] = {
    [FM_RUNAWAY_DEFAULT] = "default", [FM_RUNAWAY_REMOVE] = "remove", [FM_RUNAWAY_END] = "end", NULL};

static const fm_attr world_attrs[] = {
    FM_REAL_ATTR(fm_world_config, dt, "dt", "s", 1e-6, 10, "0.01 s", 0, "the world's tick"),
    FM_REAL_ATTR(fm_world_config, duration, "duration", "s", 0, 1e9, "60 s", 0, "of the run"),
    FM_INT_ATTR(fm_world_config, seed, "seed", 0, 9007199254740992.0, "1", 0, "of all random numbers"),
    FM_REAL_ATTR(fm_world_config, latitude, "latitude", "rad", -1.5707963267948966, 1.5707963267948966, "0 deg", 0,
                 "of the origin, north positive"),
    FM_REAL_ATTR(fm_world_config, longitude, "longitude", "rad", -6.2831853071795865, 6.2831853071795865, "0 deg", 0,
                 "of the origin, east positive"),
    FM_TEXT_ATTR(fm_world_config, epoch, "epoch", "2020-01-01T00:00:00Z", 0,
                 "date and time in UTC at which the run begins, \"2026-05-04T12:30:00Z\": for NMEA, DIS, files in the "
                 "conventions of CF, KML and GPX"),
    FM_REAL_ATTR(fm_world_config, gravity, "gravity", "m/s2", 0.1, 100, "9.80665 m/s2", FM_ATTR_LIVE,
                 "acceleration of gravity. A change in a run changes weight and buoyancy of vehicles and tethers and "
                 "the lengths of waves; the pressure of the water has numbers of its own"),
    FM_INT_ATTR(fm_world_config, capacity, "capacity", 0, 1000000, "0", 0,
                "slots for vehicles, those that are spawned later included; default: those of the scenario"),
    FM_INT_ATTR(fm_world_config, spare, "spare", 0, 1000000, "0", 0,
                "slots for vehicles that are spawned later, beyond those of the scenario; `fathom view` adds some"),
    FM_REAL_ATTR(fm_world_config, energy_check, "energy-check", "", 0, 0.9, "0", 0,
                 "ends the run with an event where the mechanical energy of a vehicle has grown without a source by "
                 "more than this part of its energy of motion, as by a step that is too long; 0: not looked at, 0.1 is "
                 "a good value"),
    FM_CHOICE_ATTR(fm_world_config, on_runaway, runaway_names, "on-runaway", "default", 0,
                   "what happens to a vehicle whose state diverges (a number that is not finite, more than 1000 m/s or "
                   "1e8 m from the origin), and to a tether that does. remove: it leaves the world with an event, and "
                   "the run goes on; end: the run ends with an error; default: remove in `fathom serve` and `fathom "
                   "view`, end elsewhere"),
};
const fm_element fm_world_element =
    FM_GROUPS_ELEMENT(fm_world_config, "world", world_attrs, world_children, world_groups,
                      FM_ELEMENT_ONCE | FM_ELEMENT_REQUIRED | FM_ELEMENT_TRANSPARENT, "The sea and the clock.");

static const fm_attr fathom_attrs[] = {
    FM_INT_ATTR(fm_fathom_config, version, "version", 1, 1, NULL, FM_ATTR_REQUIRED, "of the file format: 1"),
    FM_TEXT_ATTR(fm_fathom_config, title, "title", NULL, 0, "one line for people"),
};
static const fm_element *const fathom_children[] = {&fm_world_element,  &fm_vehicle_element, &fm_type_element,
                                                    &fm_tether_element, &fm_faults_element,  &fm_end_element,
                                                    &fm_server_element, &fm_view_element,    NULL};
static const char *const fathom_groups[] = {"bridge", NULL};
const fm_element fm_fathom_element = FM_GROUPS_ELEMENT(fm_fathom_config, "fathom", fathom_attrs, fathom_children,
                                                       fathom_groups, FM_ELEMENT_TRANSPARENT, "A scenario.");

/* --- helpers --- */

void *fm_build_alloc(fm_builder *b, size_t size)
{
    void *memory = fm_arena_alloc(&b->model->arena, size);
    if (!memory)
        fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    return memory;
}

/* Greatest step that divides all periods of sensors, controllers and vehicles at and below a node, in ns. A period that
 * is not written as whole nanoseconds makes it 1. */
static uint64_t common_step(const fm_node *node, uint64_t step)
{
    const fm_value *value = node->part || strcmp(node->element->name, "vehicle") == 0 ? fm_node_value(node, "period") : NULL;
    if (value && value->count == 1 && value->numbers[0] > 0 && value->numbers[0] < 1e6) {
        uint64_t a = step, b = (uint64_t)llround(value->numbers[0] * 1e9), rest;
        for (; b; a = b, b = rest)
            rest = a % b;
        step = a;
    }
    for (const fm_node *child = fm_node_first(node); child; child = child->next)
        step = common_step(child, step);
    return step;
}

/* "; all periods fit dt = 0.025 s or 0.05 s": the steps next to dt that divide all periods. */
static const char *fitting_steps(fm_builder *b, char *text, size_t size)
{
    const uint64_t all = common_step(b->tree->root, 0), dt = (uint64_t)llround(b->model->settings.dt * 1e9);
    uint64_t below = 0, above = 0;
    char first[40], second[40];
    text[0] = 0;
    for (uint64_t k = 1; all && k <= 1000 && !below; k++) {
        if (all % k || (all / k) % 1000) /* whole microseconds */
            continue;
        if (all / k <= dt)
            below = all / k;
        else
            above = all / k;
    }
    fm_text_number_write(first, sizeof first, (double)below / 1e9);
    fm_text_number_write(second, sizeof second, (double)above / 1e9);
    if (below && above)
        snprintf(text, size, "; all periods fit dt=\"%s s\" or dt=\"%s s\"", first, second);
    else if (below || above)
        snprintf(text, size, "; all periods fit dt=\"%s s\"", below ? first : second);
    return text;
}

uint64_t fm_build_ticks(fm_builder *b, const fm_node *node, const char *attr, double seconds)
{
    double ticks = seconds / b->model->settings.dt, whole = floor(ticks + 0.5);
    if (whole >= 1 && fabs(ticks - whole) <= 1e-10 * whole && whole < 1e15) /* units round by less */
        return (uint64_t)whole;
    char found[40], dt[40], next[40], steps[120];
    fm_node_fail(node, attr, b->report, FM_ERR_RANGE,
                 "%s s is out of range: must be whole multiples of the world's dt of %s s (%s s)%s",
                 fm_text_number_write(found, sizeof found, seconds),
                 fm_text_number_write(dt, sizeof dt, b->model->settings.dt),
                 fm_text_number_write(next, sizeof next, fmax(whole, 1) * b->model->settings.dt),
                 fitting_steps(b, steps, sizeof steps));
    return 0;
}

/* The lists double whenever they are full: at 4, 8, 16 … */
static int grow_live(fm_builder *b)
{
    fm_model *model = b->model;
    size_t count = model->live_count;
    if (count && (count < 4 || count & (count - 1)))
        return 1;
    fm_live_param *live = fm_build_alloc(b, (count ? 2 * count : 4) * sizeof *live);
    double *start = fm_build_alloc(b, (count ? 2 * count : 4) * sizeof *start);
    if (!live || !start)
        return 0;
    if (count) {
        memcpy(live, model->live, count * sizeof *live);
        memcpy(start, model->live_start, count * sizeof *start);
    }
    model->live = live;
    model->live_start = start;
    return 1;
}

fm_status fm_build_world_live(fm_builder *b, const char *path, const fm_attr *attr, uint32_t component, double start,
                              uint32_t *word)
{
    fm_model *model = b->model;
    char *kept = grow_live(b) ? fm_arena_text(&model->arena, path) : NULL;
    if (!kept)
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    *word = (uint32_t)model->live_count++;
    ((fm_live_param *)(uintptr_t)model->live)[*word] = (fm_live_param){kept, attr, *word, component};
    ((double *)(uintptr_t)model->live_start)[*word] = start;
    return FM_OK;
}

fm_status fm_build_subsystem(fm_builder *b, const fm_subsystem *subsystem, const void *config, size_t words)
{
    fm_error error = {0};
    fm_status status = fm_model_add_subsystem(b->model, subsystem, config, words, &error);
    if (status != FM_OK)
        fm_report_add_error(b->report, &error);
    return status;
}

/* --- settings --- */

static void read_settings(fm_builder *b, const fm_node *world)
{
    fm_settings *s = &b->model->settings;
    fm_world_config c;
    fm_node_fill(world, &c);
    *s = (fm_settings){.dt = c.dt,
                       .duration = c.duration,
                       .seed = (uint64_t)c.seed,
                       .latitude = c.latitude,
                       .longitude = c.longitude,
                       .gravity = c.gravity,
                       .capacity = (size_t)c.capacity,
                       .spare = (size_t)c.spare,
                       .energy_check = c.energy_check,
                       .on_runaway = (fm_runaway)c.on_runaway,
                       .density = 1025};
    const fm_node *node = fm_node_child(world, "water");
    if (node) {
        s->density = fm_node_value(node, "density")->numbers[0];
        s->no_surface = fm_node_value(node, "surface")->integer == 1;
    }
    if (!fm_calendar_read(c.epoch, &s->epoch))
        fm_node_fail(world, "epoch", b->report, FM_ERR_RANGE,
                     "'%.40s' is not a date and time in UTC: must be like \"2026-05-04T12:30:00Z\" or \"2026-05-04\", "
                     "from 1970 to 9999",
                     c.epoch);
    if ((node = fm_node_child(world, "current")))
        memcpy(s->current, fm_node_value(node, "velocity")->numbers, sizeof s->current);
}

/* The uniform current: the first words of the world's live block (FM_LIVE_CURRENT). */
static fm_status build_current_live(fm_builder *b)
{
    static const char *const paths[3] = {"/current/velocity/x", "/current/velocity/y", "/current/velocity/z"};
    fm_status status = FM_OK;
    for (uint32_t i = 0, word; i < 3 && status == FM_OK; i++)
        status = fm_build_world_live(b, paths[i], &fm_current_attrs[0], i, b->model->settings.current[i], &word);
    return status;
}

/* --- one vehicle type --- */

static fm_status set_step(fm_builder *b, const fm_node *node, const fm_vehicle_config *c, fm_type *type)
{
    uint64_t period = c->period > 0 ? fm_build_ticks(b, node, "period", c->period) : 1;
    type->period = period ? period : 1;
    type->step_s = (double)type->period * b->model->settings.dt;
    type->integrator = (enum fm_integrator)c->integrator;
    type->substeps = (int)c->substeps;
    type->tolerance = c->tolerance;
    return period ? FM_OK : FM_ERR_RANGE;
}

static void read_battery_and_limits(const fm_node *node, fm_type *type)
{
    const fm_node *battery = fm_node_child(node, "battery"), *limits = fm_node_child(node, "limits");
    if (battery) {
        fm_battery_config c;
        fm_node_fill(battery, &c);
        type->battery = (fm_battery){c.capacity, c.hotel, c.propulsion / (c.at_speed * c.at_speed * c.at_speed),
                                     c.voltage,  c.empty, c.resistance};
    }
    if (limits) {
        fm_limits_config c;
        fm_node_fill(limits, &c);
        type->rated_depth = c.rated_depth;
        type->crush_depth = c.crush_depth;
    }
}

static fm_status build_type(fm_builder *b, const fm_node *node, const fm_vehicle_config *c, fm_type *type)
{
    type->name = c->model ? c->model : c->name;
    type->length = c->length;
    type->width = c->width;
    type->height = c->height;
    type->body.euler = c->posture == 1;
    type->full_coriolis = c->coriolis == 1;
    type->no_surface = b->model->settings.no_surface;
    fm_status status = set_step(b, node, c, type), kind = fm_build_kind(b, node, c, type);
    status = status ? status : kind;
    read_battery_and_limits(node, type);
    fm_status actuators = kind == FM_OK ? fm_build_actuators(b, node, type) : FM_OK;
    status = status ? status : actuators;
    fm_status parts = kind || actuators ? FM_OK : fm_build_parts(b, node, type); /* they build on both */
    status = status ? status : parts;
    if (status == FM_OK)
        status = fm_build_look(b, node, c, type);
    if (status != FM_OK)
        return status;
    fm_type_lay_out(type);
    return fm_build_live(b, node, type);
}

/* --- placements --- */

/* Parameters of a vehicle begin with /NAME, those of the world with the names of its elements. Elements with a name of
 * their own use it instead. */
static size_t list_reserved(const fm_builder *b, const char **names)
{
    const fm_element *const holders[] = {&fm_fathom_element, &fm_world_element};
    size_t count = 0;
    if (names)
        names[count] = fm_fathom_element.name;
    count++;
    for (size_t i = 0; i < FM_COUNT(holders); i++) {
        fm_accepted accepted = {0};
        while (fm_accepted_next(holders[i], b->tree->registry, &accepted)) {
            if (fm_attr_index(accepted.element, "name") != accepted.element->attr_count)
                continue;
            if (names)
                names[count] = accepted.element->name;
            count++;
        }
    }
    return count;
}

static fm_status reserve_names(fm_builder *b)
{
    if (b->base) {
        b->model->reserved = b->base->reserved;
        b->model->reserved_count = b->base->reserved_count;
        return FM_OK;
    }
    size_t count = list_reserved(b, NULL);
    b->model->reserved = fm_build_alloc(b, count * sizeof *b->model->reserved);
    if (!b->model->reserved)
        return FM_ERR_MEMORY;
    b->model->reserved_count = list_reserved(b, b->model->reserved);
    return FM_OK;
}

static fm_status check_vehicle_name(fm_builder *b, const fm_node *node, const char *name)
{
    fm_error error = {0};
    fm_status status = fm_entrant_check_name(b->model, name, &error);
    if (status != FM_OK)
        return fm_node_fail(node, "name", b->report, status, "%s", error.text);
    if (!fm_name_set_find(&b->names, name))
        return FM_OK;
    for (size_t i = 0; i < b->model->vehicle_count; i++)
        if (strcmp(b->model->vehicles[i].name, name) == 0)
            return fm_node_fail(node, "name", b->report, FM_ERR_NAME, "the name '%s' is used by another vehicle", name);
    return FM_OK;
}

static const size_t NOT_MADE = SIZE_MAX;

static fm_status place(fm_builder *b, const fm_node *node, const fm_vehicle_config *c, int type, int64_t number)
{
    fm_model *model = b->model;
    fm_placement *p = &model->vehicles[model->vehicle_count];
    char name[64];
    snprintf(name, sizeof name, "%.40s", c->name);
    if (strlen(c->name) >= FM_NAME_SIZE)
        return check_vehicle_name(b, node, c->name);
    if (c->count > 1)
        snprintf(name, sizeof name, "%.40s-%lld", c->name, (long long)number + 1);
    if (!(p->name = fm_arena_text(&model->arena, name)))
        return fm_report_add(b->report, FM_ERR_MEMORY, NULL, 0, "no memory for the model");
    fm_status status = c->count > 1 && number > 0 ? FM_OK : check_vehicle_name(b, node, p->name);
    if (status != FM_OK)
        return status;
    fm_name_set_at(&b->names, p->name)->count++;
    p->type = type;
    for (int i = 0; i < 3; i++) {
        p->position[i] = c->position[i] + (double)number * c->spacing[i];
        p->euler[i] = c->attitude[i];
        p->velocity[i] = c->velocity[i];
        p->velocity[3 + i] = c->rates[i];
    }
    model->vehicle_count++;
    return fm_build_approach(b, node, c, p);
}

const fm_type *fm_build_base_type(const fm_builder *b, const fm_type *type)
{
    return b->base ? &b->base->types[type - b->model->types] : NULL;
}

/* A vehicle of which nothing is new, in the same sea. */
static int is_shared(const fm_builder *b, const fm_node *node)
{
    return b->base && b->model->environment_shared && !node->news && !(b->tree->root->news & FM_NEWS_OWN);
}

static void share_vehicle(fm_builder *b, int64_t count)
{
    fm_model *model = b->model;
    model->types[model->type_count] = b->base->types[model->type_count];
    model->type_count++;
    for (int64_t i = 0; i < count; i++, model->vehicle_count++)
        model->vehicles[model->vehicle_count] = b->base->vehicles[model->vehicle_count];
}

static fm_status place_all(fm_builder *b, const fm_node *node, const fm_vehicle_config *c, int type)
{
    fm_status placed = FM_OK;
    for (int64_t i = 0; placed == FM_OK && i < c->count; i++)
        placed = place(b, node, c, type, i);
    return placed;
}

/* Those from `first` on have the orders of that vehicle. */
static void give_orders(fm_model *model, const fm_placement *from, size_t first)
{
    for (size_t i = first; i < model->vehicle_count; i++) {
        model->vehicles[i].orders = from->orders;
        model->vehicles[i].order_count = from->order_count;
    }
}

/* One that is written like an earlier one is of its type. */
static fm_status build_like(fm_builder *b, const fm_node *node)
{
    fm_vehicle_config c;
    if (node->like->made == NOT_MADE)
        return FM_ERR_MODEL; /* reported there */
    const fm_placement *like = &b->model->vehicles[node->like->made];
    size_t first = b->model->vehicle_count;
    fm_node_fill(node, &c);
    fm_status status = place_all(b, node, &c, like->type);
    give_orders(b->model, like, first);
    return status;
}

static fm_status build_vehicle(fm_builder *b, fm_node *node)
{
    fm_vehicle_config c;
    node->made = NOT_MADE;
    fm_node_fill(node, &c);
    if (is_shared(b, node)) {
        share_vehicle(b, c.count);
        return FM_OK;
    }
    const int number = (int)b->model->type_count++;
    fm_type *type = &b->model->types[number];
    size_t first = b->model->vehicle_count;
    fm_status status = build_type(b, node, &c, type), placed = place_all(b, node, &c, number);
    if (status != FM_OK || placed != FM_OK)
        return status ? status : placed;
    fm_build_advise_step(b, node, &c, type);
    status = fm_build_orders(b, node, type, &b->model->vehicles[first]);
    give_orders(b->model, &b->model->vehicles[first], first + 1);
    node->made = first;
    return status;
}

/* A type for spawning vehicles, known by its own name. */
static fm_status build_declared(fm_builder *b, const fm_node *node)
{
    fm_vehicle_config c;
    fm_node_fill(node, &c);
    fm_model *model = b->model;
    fm_status status = check_vehicle_name(b, node, c.name);
    for (size_t i = 0; i < model->type_count && status == FM_OK; i++)
        if (strcmp(model->types[i].name, c.name) == 0)
            status = fm_node_fail(node, "name", b->report, FM_ERR_NAME,
                                  "the name '%s' is used by another type or model", c.name);
    if (status != FM_OK)
        return status;
    fm_type *type = &model->types[model->type_count++];
    status = build_type(b, node, &c, type);
    type->name = c.name;
    type->declared = 1;
    if (status == FM_OK)
        fm_build_advise_step(b, node, &c, type);
    return status;
}

static fm_status build_vehicles(fm_builder *b)
{
    size_t vehicles = 0, types = 0;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "type", node));)
        types++;
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "vehicle", node)); types += !node->like)
        vehicles += (size_t)fm_node_value(node, "count")->integer;
    fm_settings *s = &b->model->settings;
    if (s->spare && s->capacity < vehicles + s->spare)
        s->capacity = vehicles + s->spare;
    b->slots = vehicles > s->capacity ? vehicles : s->capacity;
    b->model->types = fm_build_alloc(b, (types + 1) * sizeof *b->model->types);
    b->model->vehicles = fm_build_alloc(b, (vehicles + 1) * sizeof *b->model->vehicles);
    if (!b->model->types || !b->model->vehicles || reserve_names(b) != FM_OK ||
        fm_name_set_create(&b->names, vehicles, NULL) != FM_OK)
        return FM_ERR_MEMORY;
    fm_status first = FM_OK;
    for (fm_node *node = NULL; (node = fm_node_next(b->tree->root, "vehicle", node));) {
        fm_status status = node->like ? build_like(b, node) : build_vehicle(b, node);
        first = first == FM_OK ? status : first;
    }
    for (const fm_node *node = NULL; (node = fm_node_next(b->tree->root, "type", node));) {
        fm_status status = build_declared(b, node);
        first = first == FM_OK ? status : first;
    }
    fm_name_set_free(&b->names);
    return first;
}

/* Removes children that cannot be built. */
static void leave_out(fm_builder *b, fm_node *parent)
{
    for (fm_node *child = parent->first, *next; child; child = next) {
        next = child->next;
        if (strcmp(child->element->name, "world") == 0 || fm_node_sound(b->tree, child))
            continue;
        fm_node_remove(parent, child);
        child->broken = true; /* and with it those that share its children */
        b->gaps = true;
    }
}

static fm_status build_sea(fm_builder *b)
{
    fm_model *model = b->model;
    fm_status status = build_current_live(b);
    if (status == FM_OK)
        status = fm_build_environment(b);
    if (status == FM_OK)
        status = fm_build_waters(b);
    model->sea_live = model->live_count;
    model->sea_subsystems = model->subsystem_count;
    model->sea_words = model->subsystem_words;
    return status;
}

/* That of the model of which this is a variant. */
static fm_status share_sea(fm_builder *b)
{
    const fm_model *base = b->base;
    fm_model *model = b->model;
    fm_status status = FM_OK;
    for (size_t i = 0; i < base->sea_live && status == FM_OK; i++) {
        uint32_t word;
        const fm_live_param *live = &base->live[i];
        status = fm_build_world_live(b, live->path, live->attr, live->component, base->live_start[i], &word);
    }
    model->environment = base->environment;
    model->environment_shared = 1;
    model->waters = base->waters;
    model->waters_count = base->waters_count;
    memcpy(model->subsystems, base->subsystems, base->sea_subsystems * sizeof *base->subsystems);
    model->subsystem_count = model->sea_subsystems = base->sea_subsystems;
    model->subsystem_words = model->sea_words = base->sea_words;
    model->sea_live = base->sea_live;
    return status;
}

/* Errors of one stage do not stop the next stage, as far as it can be checked. */
fm_status fm_build_world(fm_builder *b)
{
    fm_node *world = fm_node_child(b->tree->root, "world");
    if (!world)
        return FM_OK; /* reported by fm_node_complete */
    if (!b->base) {
        leave_out(b, b->tree->root);
        leave_out(b, world);
    }
    read_settings(b, world);
    fm_status status = b->base && !world->news ? share_sea(b) : build_sea(b);
    b->gaps |= status != FM_OK;
    if (status == FM_ERR_MEMORY || !b->model->environment->scene)
        return status;
    fm_build_advise(b);
    fm_status vehicles = build_vehicles(b);
    status = status ? status : vehicles;
    if (vehicles != FM_OK || b->gaps)
        return status;
    status = fm_build_subsystem(b, &fm_contact_subsystem, NULL, 0);
    if (status != FM_OK)
        return status;
    fm_status starts = fm_build_check_starts(b), tethers = fm_build_tethers(b), sound = fm_build_acoustics(b),
              faults = fm_build_faults(b), server = fm_build_server(b), bridges = fm_build_bridges(b),
              view = fm_build_view(b);
    status = starts    ? starts
             : tethers ? tethers
             : sound   ? sound
             : faults  ? faults
             : server  ? server
             : bridges ? bridges
                       : view;
    if (status == FM_OK)
        status = fm_build_energy_check(b);
    if (status == FM_OK)
        status = fm_build_end(b);
    if (status == FM_OK)
        fm_build_advise_built(b);
    return status == FM_OK ? fm_build_params(b) : status;
}
