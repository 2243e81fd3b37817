/* fathom emulate: the value of an instrument, computed by a separate process from the shared-memory areas of a
 * simulation and written back. WaVeSim's emulators: pressure, temperature, conductivity, salinity, echosounder. */
#include <errno.h>
#include <fathom/emulator.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/guard.h"
#include "commands.h"
#include "environment/environment.h"
#include "interrupt.h"
#include "ocean/seawater.h"
#include "scenario.h"
#include "world/waters.h"
#include "world/world.h"

typedef struct emulate_options {
    cli_scenario scenario;
    fm_quantity kind;
    const char *vehicle, *target, *shared;
    double period, bias; /* s; in the unit of the value, SI */
    bool wait, quiet;
} emulate_options;

static const cli_choice kinds[] = {{"pressure", FM_QUANTITY_PRESSURE},         {"temperature", FM_QUANTITY_TEMPERATURE},
                                   {"conductivity", FM_QUANTITY_CONDUCTIVITY}, {"salinity", FM_QUANTITY_SALINITY},
                                   {"echosounder", FM_QUANTITY_RANGE},         {0}};

static const cli_option argument_table[] = {
    {"KIND", CLI_FIELD(emulate_options, kind), .noun = "instrument", .required = true, .choices = kinds,
     .text = "pressure, temperature, conductivity, salinity or echosounder"},
    {"FILE", CLI_FIELD(emulate_options, scenario.file), .noun = "scenario", .required = true, .path = CLI_FILE,
     .endings = ".xml", .text = "the simulated scenario, with the sea and bottom to emulate"},
};
static const cli_option option_table[] = {
    {"vehicle", CLI_FIELD(emulate_options, vehicle), .value = "NAME", .required = true,
     .text = "the vehicle of the instrument"},
    {"target", CLI_FIELD(emulate_options, target), .value = "INSTRUMENT/FIELD",
     .text = "the value to write; default: the vehicle's first instrument of this kind"},
    {"shared", CLI_FIELD(emulate_options, shared), .value = "NAME",
     .text = "name of the simulation (its --shared); default: the unnamed one"},
    {"period", CLI_FIELD(emulate_options, period), .value = "S", .min = 1e-3, .max = 1e5, .fallback = "0.1",
     .text = "minimum time between two values, in simulated seconds"},
    {"bias", CLI_FIELD(emulate_options, bias), .value = "X", .min = -1e9, .max = 1e9, .fallback = "0",
     .text = "bias added to every value, SI"},
    {"set", CLI_FIELD(emulate_options, scenario.sets), .value = "PATH=VALUE",
     .text = "set a parameter, as in the simulation; may be repeated"},
    {"wait", CLI_FIELD(emulate_options, wait),
     .text = "wait for the simulation to start, and for the next one when it ends"},
    {"quiet", CLI_FIELD(emulate_options, quiet), .text = "print only errors"},
};

const cli_command cli_emulate_command = {
    .name = "emulate",
    .section = "simulate",
    .text = "write the value of an instrument into a running simulation",
    .about = "Computes the value of an instrument in a separate process and writes it to the shared memory of a "
             "simulation that runs with --shared. It takes over from the built-in instrument, or from another "
             "emulator, and releases the instrument when it ends. If it is killed, its last value is marked stale.",
    CLI_ARGUMENTS(argument_table),
    CLI_OPTIONS(option_table),
    .examples = "  fathom run wavesim-ctd --realtime --shared bay\n"
                "  fathom emulate temperature wavesim-ctd --vehicle auv --shared bay --bias 0.5\n",
    .interrupted = "the built-in instrument is active again",
    .main = cli_emulate,
};

/* --- what is measured --- */

typedef struct emulation {
    const emulate_options *options;
    fm_world *world;       /* never stepped: it holds the sea */
    const fm_mount *mount; /* of the instrument; NULL: none */
    char target[FM_SHARED_TARGET_SIZE];
    fm_shared_map simulation;
    fm_emulator emulator;
    atomic_int stop;
} emulation;

/* Whether this part provides the quantity, or was named. */
static int is_meant(const emulation *e, const fm_part *part, const char **field)
{
    const char *target = e->options->target;
    if (target)
        return *field = strchr(target, '/') ? strchr(target, '/') + 1 : "",
               strncmp(part->name, target, strcspn(target, "/")) == 0 && strlen(part->name) == strcspn(target, "/");
    for (size_t i = 0; i < part->output_count; i++)
        if (part->outputs[i].quantity == e->options->kind)
            return *field = part->outputs[i].field, 1;
    return 0;
}

/* The vehicle may be added later: its type is that of the scenario's vehicle of this name, or otherwise any with such
 * an instrument. */
static int find_target(emulation *e)
{
    int slot = fm_world_find(e->world, e->options->vehicle);
    const fm_model *model = e->world->model;
    for (size_t t = 0; t < model->type_count; t++) {
        const fm_type *type = &model->types[t];
        for (size_t i = 0; i < type->sensor_count && (slot < 0 || e->world->slots[slot].type == type); i++) {
            const char *field;
            if (!is_meant(e, &type->parts[i], &field))
                continue;
            e->mount = fm_part_mount(&type->parts[i]);
            return snprintf(e->target, sizeof e->target, "%s/%s", type->parts[i].name, field) < (int)sizeof e->target;
        }
    }
    if (e->options->target)
        fprintf(stderr, "fathom emulate: '%s' has no instrument %s\n", e->options->vehicle, e->options->target);
    else
        fprintf(stderr, "fathom emulate: '%s' has no instrument that measures this\n", e->options->vehicle);
    return 0;
}

/* Parameters of the sea that have changed in the simulation. */
static void follow_parameters(emulation *e)
{
    const fm_model *model = e->world->model;
    fm_shared_parameter p;
    const fm_shared_parameter *at;
    for (size_t i = 0; i < model->live_count && (at = fm_shared_parameter_at(&e->simulation, i)); i++) {
        if (!fm_shared_copy(&p, at, sizeof p, 100) || memcmp(p.path, model->live[i].path, strlen(model->live[i].path)))
            continue;
        fm_attr_type type = model->live[i].attr->type;
        int64_t whole = (int64_t)p.value;
        int is_whole = type == FM_ATTR_INT || type == FM_ATTR_BOOL || type == FM_ATTR_CHOICE;
        memcpy(&e->world->live[model->live[i].offset], is_whole ? (const void *)&whole : (const void *)&p.value,
               sizeof p.value);
    }
    fm_waters_refresh(e->world);
}

static void place_instrument(const emulation *e, const fm_shared_client *vehicle, double at[3])
{
    for (int i = 0; i < 3; i++) {
        at[i] = vehicle->matrix[4 * i + 3];
        for (int k = 0; e->mount && k < 3; k++)
            at[i] += vehicle->matrix[4 * i + k] * e->mount->position[k];
    }
}

/* SI. */
static double measure(const emulation *e, const fm_shared_client *vehicle)
{
    const fm_environment *sea = e->world->environment;
    double at[3];
    place_instrument(e, vehicle, at);
    fm_water water = fm_water_column_sample(&sea->column, at[0], at[1], fmax(at[2], 0));
    double gauge = (water.pressure - sea->column.pressure[0]) / 1e4; /* dbar */
    switch (e->options->kind) {
    case FM_QUANTITY_PRESSURE: return water.pressure;
    case FM_QUANTITY_TEMPERATURE: return water.temperature + 273.15;
    case FM_QUANTITY_CONDUCTIVITY: return water.conductivity;
    case FM_QUANTITY_SALINITY:
        return fm_salinity_from_conductivity(fmax(water.conductivity, 0), water.temperature, gauge);
    default: return fm_environment_depth(sea, at[0], at[1]) - at[2]; /* straight down, whatever the roll */
    }
}

/* --- the loop --- */

static void rest(double seconds)
{
    struct timespec t = {(time_t)seconds, (long)((seconds - floor(seconds)) * 1e9)};
    nanosleep(&t, NULL);
}

/* 1: open. */
static int open_areas(emulation *e)
{
    const emulate_options *o = e->options;
    do {
        if (fm_shared_open(&e->simulation, "simulation", o->shared, 0) == 0) {
            if (fm_emulator_open(&e->emulator, o->shared, o->vehicle, e->target, 2) == 0)
                return 1;
            fm_shared_close(&e->simulation);
        }
        if (!o->wait || (errno != ENOENT && errno != EPIPE))
            break;
        rest(0.05);
    } while (!atomic_load(&e->stop));
    if (!atomic_load(&e->stop))
        fprintf(stderr, "fathom emulate: the simulation '%s': %s\n", o->shared ? o->shared : "",
                errno == ENOENT   ? "no simulation with this name is running (--shared)"
                : errno == EPROTO ? "it has another version"
                                  : strerror(errno));
    return 0;
}

/* Reads the vehicle once; returns the result of fm_emulator_put, 0 if nothing is due. */
static int look(emulation *e, double *last)
{
    static fm_shared_client vehicle;
    const fm_shared_head *head = fm_shared_head_of(&e->emulator.map);
    if (__atomic_load_n(&head->closed, __ATOMIC_ACQUIRE) || head->generation != e->emulator.generation)
        return errno = EPIPE, -1;
    if (!fm_shared_client_find(&e->emulator.map, e->options->vehicle, &vehicle))
        return 0;
    if (!isnan(*last) && vehicle.time >= *last && vehicle.time - *last < e->options->period - 1e-9)
        return 0;
    *last = vehicle.time;
    follow_parameters(e);
    return fm_emulator_put(&e->emulator, measure(e, &vehicle) + e->options->bias, vehicle.time, 0.5);
}

/* Until the simulation ends or another emulator takes over. */
static int serve(emulation *e)
{
    double last = NAN;
    while (!atomic_load(&e->stop)) {
        int result = look(e, &last);
        if (result < 0 && errno != ETIMEDOUT)
            return errno;
        rest(fmin(0.005, e->options->period / 4));
    }
    return 0;
}

static int emulate(emulation *e)
{
    int reason;
    do {
        if (!open_areas(e))
            return atomic_load(&e->stop) ? CLI_DONE : CLI_FAILED;
        if (!e->options->quiet)
            fprintf(stderr, "fathom emulate: now supplying %s of '%s'\n", e->target, e->options->vehicle);
        reason = serve(e);
        fm_emulator_close(&e->emulator);
        fm_shared_close(&e->simulation);
    } while (reason == EPIPE && e->options->wait);
    if (!e->options->quiet)
        fprintf(stderr, "fathom emulate: %s\n",
                reason == EBUSY   ? "another emulator has taken over"
                : reason == EPIPE ? "the simulation has ended"
                : reason          ? strerror(reason)
                                  : "ended; the instrument is released");
    return CLI_DONE;
}

int cli_emulate(int argc, char **argv)
{
    emulate_options o = {0};
    emulation e = {.options = &o};
    fm_error error = {0};
    int status;
    if (!cli_options_read(&cli_emulate_command, argc, argv, &o, &status))
        return status;
    cli_interrupt_watch();
    fm_guard_add((const void *)2, SIZE_MAX - 2); /* all memory: shared.h and emulator.h map and read at once */
    fm_model *model = cli_load(&o.scenario);
    if (!model)
        return CLI_FAILED;
    e.world = fm_world_create(model, NULL, &error);
    if (!e.world)
        return cli_print_error(&error), fm_model_free(model), CLI_FAILED;
    cli_interrupt_tell(&e.stop);
    status = find_target(&e) ? emulate(&e) : CLI_FAILED;
    cli_interrupt_tell(NULL);
    fm_world_free(e.world);
    fm_model_free(model);
    return status == CLI_DONE && cli_interrupt_signal() ? 128 + cli_interrupt_signal() : status;
}
