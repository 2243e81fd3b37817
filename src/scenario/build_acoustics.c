/* Sound of a scenario: <acoustics>, and the memory that transducers need. */
#include <math.h>
#include <string.h>

#include "acoustics/sound.h"
#include "physics/real.h"
#include "scenario/build.h"

typedef struct acoustics_config {
    int64_t law, ways, speed_from, spreading, absorption, noise, seabed;
    double speed, transition, attenuation, acidity, noise_level, shipping, roughness;
    fm_seabed own; /* properties of the bottom that replace those of its material; 0: those of the material */
    const char *profile;
    int64_t reflections, occlusion, doppler, carried, signals, arrivals;
} acoustics_config;

enum { SPEED_COLUMN, SPEED_CONSTANT, SPEED_FILE };
static const char *const laws[] = {"sonar", "wavesim", NULL}, *const ways[] = {"straight", "images", "rays", NULL},
                         *const speeds[] = {"column", "constant", "file", NULL},
                         *const spreadings[] = {"spherical", "cylindrical", "practical", NULL},
                         *const absorptions[] = {"francois-garrison", "ainslie-mccolm", "thorp",
                                                 "constant",          "none",           NULL},
                         *const noises[] = {"wenz", "fixed", NULL};

static const fm_attr attrs[] = {
    FM_CHOICE_ATTR(
        acoustics_config, law, laws, "law", "sonar", 0,
        "sonar: the sonar equation by what follows; wavesim: I0 - 20 log r - 0.005 r, one speed of sound and "
        "a fixed level of noise, along straight ways, without Doppler, as WaVeSim has it"),
    FM_CHOICE_ATTR(
        acoustics_config, speed_from, speeds, "speed", "column", 0,
        "of sound; column: by depth from the water column at the origin, which follows its live parameters; file: "
        "from `profile`"),
    FM_REAL_ATTR(acoustics_config, speed, "sound-speed", "m/s", 300, 6000, "1500 m/s", FM_ATTR_LIVE,
                 "where it is constant"),
    FM_FILE_ATTR(acoustics_config, profile, "profile", NULL, 0, "CSV: depth in m and sound speed in m/s a line"),
    FM_CHOICE_ATTR(acoustics_config, ways, ways, "paths", "straight", 0,
                   "straight: the direct way alone; images: reflections of surface and bottom too, where the speed is "
                   "constant and the bottom level; rays: refracted and reflected ones, by shooting through layers"),
    FM_INT_ATTR(acoustics_config, reflections, "reflections", 0, 6, "2", 0,
                "of surface and bottom together that an image or a ray may have"),
    FM_CHOICE_ATTR(acoustics_config, seabed, fm_seabed_names, "bottom", "sand", 0,
                   "what the bottom is made of; moraine, chalk, limestone and basalt carry shear waves"),
    FM_REAL_ATTR(acoustics_config, own.density, "bottom-density", "", 0, 20, "0", 0,
                 "of the bottom over that of the water; left out, as those that follow: that of `bottom`"),
    FM_REAL_ATTR(acoustics_config, own.speed, "bottom-speed", "m/s", 0, 12000, "0 m/s", 0,
                 "of compressional waves in the bottom"),
    FM_REAL_ATTR(acoustics_config, own.attenuation, "bottom-attenuation", "dB", 0, 20, "0 dB", 0,
                 "of compressional waves in the bottom, over a wavelength"),
    FM_REAL_ATTR(acoustics_config, own.shear, "bottom-shear-speed", "m/s", 0, 8000, "0 m/s", 0,
                 "of shear waves in the bottom; 0 m/s: it is a fluid"),
    FM_REAL_ATTR(acoustics_config, own.shear_attenuation, "bottom-shear-attenuation", "dB", 0, 20, "0 dB", 0,
                 "of shear waves in the bottom, over a wavelength"),
    FM_REAL_ATTR(acoustics_config, roughness, "roughness", "m", 0, 20, "0 m", 0, "rms height of the surface"),
    FM_CHOICE_ATTR(acoustics_config, spreading, spreadings, "spreading", "spherical", 0,
                   "20 log r, 15 log r (practical), or 20 log r up to `transition` and 10 log r beyond (cylindrical)"),
    FM_REAL_ATTR(acoustics_config, transition, "transition", "m", 1, 1e6, "100 m", 0, "of cylindrical spreading"),
    FM_CHOICE_ATTR(acoustics_config, absorption, absorptions, "absorption", "francois-garrison", 0, "formula"),
    FM_REAL_ATTR(acoustics_config, attenuation, "attenuation", "dB/m", 0, 10, "0.005 dB/m", 0,
                 "of constant absorption"),
    FM_REAL_ATTR(acoustics_config, acidity, "acidity", "", 7, 9, "8", 0, "pH"),
    FM_CHOICE_ATTR(acoustics_config, noise, noises, "noise", "wenz", 0,
                   "wenz: by frequency, wind of the scenario and shipping; fixed: `noise-level` in every band"),
    FM_REAL_ATTR(acoustics_config, noise_level, "noise-level", "dB", -100, 250, "60 dB", FM_ATTR_LIVE,
                 "of fixed noise"),
    FM_REAL_ATTR(acoustics_config, shipping, "shipping", "", 0, 1, "0.5", 0, "0: no ships … 1: many"),
    FM_BOOL_ATTR(acoustics_config, occlusion, "occlusion", "true", 0, "bottom and obstacles that stand still block"),
    FM_BOOL_ATTR(acoustics_config, doppler, "doppler", "true", 0, "frequencies shift by the motion of both ends"),
    FM_BOOL_ATTR(acoustics_config, carried, "carried", "true", 0,
                 "the current carries sound: it arrives sooner down the current than up; law wavesim has still water"),
    FM_INT_ATTR(acoustics_config, signals, "signals", 0, 1000000, "0", 0,
                "that there is room for at once; 0: by the number of transducers"),
    FM_INT_ATTR(acoustics_config, arrivals, "arrivals", 0, 10000000, "0", 0,
                "that there is room for at once; 0: by the number of transducers"),
};
const fm_element fm_acoustics_element =
    FM_TABLE_ELEMENT(acoustics_config, "acoustics", attrs, NULL, FM_ELEMENT_ONCE,
                     "Sound in this sea, for the transducers of its vehicles: speed, paths, loss and noise.");

/* --- the medium --- */

/* Attributes that WaVeSim's law does not use. */
static fm_status check_law(fm_builder *b, const fm_node *node, const acoustics_config *c)
{
    static const char *const others[] = {"speed", "paths", "noise", "absorption", "spreading"};
    for (size_t i = 0; c->law == FM_LAW_WAVESIM && i < FM_COUNT(others); i++)
        if (fm_node_written(node, others[i]))
            return fm_node_fail(node, others[i], b->report, FM_ERR_MODEL,
                                "law wavesim has its own: only sound-speed and noise-level are valid with it");
    if (c->ways == FM_WAYS_IMAGES && c->speed_from != SPEED_CONSTANT)
        return fm_node_fail(
            node, "paths", b->report, FM_ERR_MODEL,
            "images are for water of one speed of sound: use them with speed constant; rays go through a profile");
    if (c->speed_from == SPEED_FILE && !c->profile)
        return fm_node_fail(node, "profile", b->report, FM_ERR_MODEL, "speed file needs a profile");
    return FM_OK;
}

static fm_status read_speed(fm_builder *b, const fm_node *node, const acoustics_config *c, fm_medium *m)
{
    fm_error error = {0};
    fm_sound_profile profile;
    fm_arena *arena = &b->model->arena;
    fm_status status;
    if (c->speed_from == SPEED_FILE)
        status = fm_sound_profile_read_csv(&profile, c->profile, arena, &error);
    else if (c->speed_from == SPEED_CONSTANT)
        status = fm_sound_profile_constant(&profile, c->speed, arena, &error);
    else
        status = fm_sound_profile_from_column(&profile, &b->model->environment->column, 0, 0, 12000, arena, &error);
    if (status == FM_OK)
        status = fm_medium_layer(m, &profile, arena, &error);
    m->speed = c->speed_from == SPEED_CONSTANT ? c->speed : 0;
    m->column = c->speed_from == SPEED_COLUMN;
    if (status == FM_OK)
        status = fm_medium_guide(m, arena, &error);
    return status == FM_OK || !node ? status : fm_build_report(b, node, status, &error);
}

/* The properties of the bottom's material, and those given instead. */
static fm_status read_seabed(fm_builder *b, const fm_node *node, const acoustics_config *c, fm_seabed *seabed)
{
    fm_seabed_find(fm_seabed_names[c->seabed], seabed);
    const struct {
        const char *name;
        double *number, own;
    } all[] = {{"bottom-density", &seabed->density, c->own.density},
               {"bottom-speed", &seabed->speed, c->own.speed},
               {"bottom-attenuation", &seabed->attenuation, c->own.attenuation},
               {"bottom-shear-speed", &seabed->shear, c->own.shear},
               {"bottom-shear-attenuation", &seabed->shear_attenuation, c->own.shear_attenuation}};
    for (size_t i = 0; i < FM_COUNT(all); i++)
        if (fm_node_written(node, all[i].name))
            *all[i].number = all[i].own;
    const char *fault = fm_seabed_fault(seabed);
    return fault ? fm_node_fail(node, "bottom", b->report, FM_ERR_MODEL, "no such bottom exists: %s", fault) : FM_OK;
}

static fm_status build_medium(fm_builder *b, const fm_node *node, acoustics_config c, fm_medium *m)
{
    fm_status status = check_law(b, node, &c);
    if (status != FM_OK)
        return status;
    if (c.law == FM_LAW_WAVESIM) {
        c.speed_from = SPEED_CONSTANT;
        c.noise = 1;
        c.occlusion = c.doppler = c.carried = 0;
    }
    const fm_environment *e = b->model->environment;
    *m = (fm_medium){.law = (enum fm_sound_law)c.law,
                     .ways = (enum fm_sound_ways)c.ways,
                     .spreading = (enum fm_sound_spreading)c.spreading,
                     .absorption = (enum fm_sound_absorption)c.absorption,
                     .transition = c.transition,
                     .attenuation = c.law == FM_LAW_WAVESIM ? 0.005 : c.attenuation,
                     .acidity = c.acidity,
                     .reflections = (int)c.reflections,
                     .roughness = c.roughness,
                     .fixed_noise = (int)c.noise,
                     .noise_level = c.noise_level,
                     .shipping = c.shipping,
                     .wind = sqrt(e->wind[0] * e->wind[0] + e->wind[1] * e->wind[1]),
                     .occlusion = (int)c.occlusion,
                     .doppler = (int)c.doppler,
                     .carried = (int)c.carried,
                     .water = e};
    status = read_seabed(b, node, &c, &m->seabed);
    return status == FM_OK ? read_speed(b, node, &c, m) : status;
}

/* --- transducers --- */

static size_t count_of(const fm_type *type)
{
    size_t count = 0;
    for (size_t i = 0; i < type->part_count; i++)
        count += type->parts[i].role == FM_ROLE_TRANSDUCER;
    return count;
}

/* The parts that are transducers, and the most sensitive of them. */
static fm_status list_transducers(fm_builder *b, fm_sound_config *sound)
{
    const fm_model *model = b->model;
    int *parts = fm_build_alloc(b, (model->type_count * sound->per_slot + 1) * sizeof *parts);
    if (!parts)
        return FM_ERR_MEMORY;
    sound->parts = parts;
    sound->quietest = sound->lowest = HUGE_VAL;
    sound->loudest = sound->highest = -HUGE_VAL;
    for (size_t t = 0; t < model->type_count; t++) {
        int *at = parts + t * sound->per_slot, *end = at + sound->per_slot;
        for (size_t i = 0; i < model->types[t].part_count; i++) {
            if (model->types[t].parts[i].role != FM_ROLE_TRANSDUCER)
                continue;
            const fm_transducer *c = model->types[t].parts[i].config;
            double band = sound->medium.fixed_noise ? 0 : c->band_level - c->gain;
            sound->quietest = fmin(sound->quietest, band + c->detection);
            sound->lowest = fmin(sound->lowest, c->threshold);
            sound->loudest = fmax(sound->loudest, band + c->detection);
            sound->highest = fmax(sound->highest, c->threshold);
            sound->lever = fmax(sound->lever, fm_norm(c->mount.position));
            sound->size.payload =
                fm_transducer_words(c) > sound->size.payload ? fm_transducer_words(c) : sound->size.payload;
            *at++ = (int)i;
        }
        while (at < end)
            *at++ = -1;
    }
    return FM_OK;
}

static size_t between(size_t value, size_t least, size_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void size_room(const fm_builder *b, const acoustics_config *c, fm_sound_config *sound)
{
    size_t count = b->slots * sound->per_slot, each = (size_t)fm_medium_way_count(&sound->medium);
    sound->size.dt = b->model->settings.dt;
    sound->size.signals = c->signals ? (size_t)c->signals : between(8 * count, 64, 65536);
    sound->memories = sound->medium.ways == FM_WAYS_RAYS ? between(count * count, 1, 4096) : 0;
    sound->size.moments = c->arrivals ? (size_t)c->arrivals : between(2 * count * count * each, 256, 1 << 18);
}

static const fm_attr *find_attr(const char *name)
{
    size_t i = 0;
    while (strcmp(attrs[i].name, name) != 0)
        i++;
    return &attrs[i];
}

/* The level of fixed noise, and the speed of sound, which applies if it is constant and no rays were traced with it. */
static fm_status offer_live(fm_builder *b, const acoustics_config *c, fm_sound_config *sound)
{
    const fm_medium *m = &sound->medium;
    uint32_t word = 0;
    fm_status status =
        fm_build_world_live(b, "/acoustics/noise_level", find_attr("noise-level"), 0, c->noise_level, &word);
    sound->noise = word + 1;
    if (status == FM_OK)
        status = fm_build_world_live(b, "/acoustics/sound_speed", find_attr("sound-speed"), 0, c->speed, &word);
    sound->speed = m->speed > 0 && m->ways != FM_WAYS_RAYS ? word + 1 : 0;
    return status;
}

fm_status fm_build_acoustics(fm_builder *b)
{
    const fm_model *model = b->model;
    fm_node *world = fm_node_child(b->tree->root, "world");
    const fm_node *node = fm_node_child(world, "acoustics");
    size_t most = 0;
    for (size_t i = 0; i < model->type_count; i++)
        most = count_of(&model->types[i]) > most ? count_of(&model->types[i]) : most;
    if (!most && !node)
        return FM_OK;
    acoustics_config c;
    fm_error error = {0};
    fm_sound_config *sound = fm_build_alloc(b, sizeof *sound);
    if (!node) /* its defaults */
        node = fm_node_add(b->tree, NULL, &fm_acoustics_element, NULL, world->file, world->line, &error);
    if (!sound || !node)
        return FM_ERR_MEMORY;
    fm_node_fill(node, &c);
    fm_status status = build_medium(b, node, c, &sound->medium);
    if (status == FM_OK)
        status = offer_live(b, &c, sound);
    if (status != FM_OK || !most)
        return status;
    sound->per_slot = most;
    status = list_transducers(b, sound);
    if (status != FM_OK)
        return status;
    size_room(b, &c, sound);
    size_t words = fm_signals_words(&sound->size) + sound->memories * (sizeof(fm_ray_memory) / 8);
    return fm_build_subsystem(b, &fm_sound_subsystem, sound, words);
}
