#include "world/waters.h"

#include <math.h>
#include <string.h>

#include "acoustics/sound.h"
#include "base/error.h"
#include "environment/environment.h"
#include "world/contact.h"
#include "world/energy.h"
#include "world/world.h"

enum { FIELDS = 3 }; /* temperature, salinity, conductivity */

struct fm_waters {
    fm_environment environment;
    fm_bottom bottom;
    fm_wave *waves;
    fm_spot *spots[FIELDS];
    fm_mound *mounds;
    fm_water_noise noise;
    fm_type *types;  /* under a gravity other than the model's */
    char *configs;   /* of the kinds that contain weights */
    uint64_t moves;  /* of the bottom */
    double *applied; /* words of the live block that are in force; NaN: none yet */
};

/* --- making --- */

static size_t mound_count(const fm_environment *e)
{
    return e->bottom ? e->bottom->mound_count : 0;
}

/* Takes `size` bytes of the block being filled from *at on. */
static void *take_room(char **at, const void *from, size_t size)
{
    void *room = *at;
    if (size)
        memcpy(room, from, size);
    *at += size;
    return room;
}

static void point_fields(struct fm_waters *w, char **at)
{
    fm_water_column *c = &w->environment.column;
    fm_water_field *fields[FIELDS] = {&c->temperature, &c->salinity, &c->conductivity};
    for (int i = 0; i < FIELDS; i++)
        fields[i]->spots = w->spots[i] =
            take_room(at, fields[i]->spots, fields[i]->spot_count * sizeof *fields[i]->spots);
}

static size_t config_bytes(const fm_model *model)
{
    size_t bytes = 0;
    for (size_t i = 0; i < model->type_count; i++)
        bytes += model->types[i].kind->config_size;
    return bytes;
}

fm_status fm_waters_create(fm_world *world, fm_error *error)
{
    const fm_environment *e = world->environment = world->model->environment;
    const fm_water_column *c = &e->column;
    const size_t types = world->model->type_count * sizeof(fm_type), configs = config_bytes(world->model);
    world->types = world->model->types;
    const size_t words = world->model->waters_count,
                 spots = c->temperature.spot_count + c->salinity.spot_count + c->conductivity.spot_count;
    if (!e->drawn_count && !words)
        return FM_OK;
    struct fm_waters *w = fm_alloc(sizeof *w + words * sizeof(double) + e->sea.count * sizeof(fm_wave) +
                                   spots * sizeof(fm_spot) + mound_count(e) * sizeof(fm_mound) + types + configs);
    if (!w)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the sea of a world, %zu waves", e->sea.count);
    char *at = (char *)(w + 1);
    world->waters = w;
    w->applied = (double *)(void *)at;
    at += words * sizeof(double);
    for (size_t i = 0; i < words; i++)
        w->applied[i] = NAN;
    w->environment = *e;
    w->environment.sea.waves = w->waves = take_room(&at, e->sea.waves, e->sea.count * sizeof *w->waves);
    point_fields(w, &at);
    if (e->bottom) {
        w->bottom = *e->bottom;
        w->bottom.mounds = w->mounds = take_room(&at, e->bottom->mounds, mound_count(e) * sizeof *w->mounds);
        w->environment.bottom = &w->bottom;
    }
    if (e->noise) {
        w->noise = *e->noise;
        w->environment.noise = &w->noise;
    }
    w->types = take_room(&at, world->model->types, types);
    w->configs = at;
    world->environment = &w->environment;
    return FM_OK;
}

void fm_waters_free(fm_world *world)
{
    fm_free(world->waters);
}

void fm_waters_draw(fm_world *world)
{
    const fm_environment *e = world->environment;
    if (world->waters && e->drawn_count)
        fm_sea_draw(&e->sea, e->drawn, e->drawn_count, world->head->seed, world->waters->waves);
}

/* --- live parameters --- */

static double decay(double sigma)
{
    return 1 / (sigma * sqrt(2));
}

static void set_spot(fm_spot *spot, uint32_t number, double value)
{
    double *const scales[3] = {&spot->alpha, &spot->beta, &spot->gamma};
    if (number == FM_WATERS_AMPLITUDE)
        spot->amplitude = value;
    else if (number < FM_WATERS_SIGMA)
        spot->centre[number - FM_WATERS_CENTRE] = value;
    else
        *scales[number - FM_WATERS_SIGMA] = decay(value);
}

/* A mound has no third axis. */
static void set_mound(fm_mound *mound, uint32_t number, double value)
{
    if (number == FM_WATERS_AMPLITUDE)
        mound->height = value;
    else if (number < FM_WATERS_CENTRE + 2)
        mound->centre[number - FM_WATERS_CENTRE] = value;
    else if (number == FM_WATERS_SIGMA)
        mound->alpha = decay(value);
    else if (number == FM_WATERS_SIGMA + 1)
        mound->beta = decay(value);
}

/* A profile from the live parameters; a second slope that would begin above the first begins there. */
static void set_profile(fm_water_field *field, uint32_t number, const double *value)
{
    fm_segments *s = &field->profile;
    const double *all = value - number; /* words of one profile are consecutive */
    *s = (fm_segments){all[0], all[1], fmax(all[1], all[2]), all[3], all[4]};
}

static void set_plane(fm_bottom *bottom, uint32_t number, double value)
{
    double *const numbers[3] = {&bottom->depth, &bottom->slope_x, &bottom->slope_y};
    *numbers[number] = value;
}

/* The types under this gravity; the model's own if it is the model's gravity. */
static const fm_type *weigh_types(const fm_model *model, struct fm_waters *w, double gravity)
{
    char *config = w->configs;
    if (gravity == model->settings.gravity)
        return model->types;
    for (size_t i = 0; i < model->type_count; i++) {
        fm_type_weigh(&model->types[i], gravity / model->settings.gravity, config, &w->types[i]);
        config += model->types[i].kind->config_size;
    }
    return w->types;
}

/* Weight and buoyancy, waves and objects on the bottom follow. */
static void set_gravity(fm_world *world, struct fm_waters *w, double gravity)
{
    fm_sea *sea = &w->environment.sea;
    w->environment.gravity = sea->gravity = w->noise.gravity = gravity;
    for (size_t i = 0; i < sea->count; i++)
        fm_wave_measure(&w->waves[i], sea->depth, gravity);
    world->types = weigh_types(world->model, w, gravity);
    for (int i = 0; i < world->slot_count; i++)
        fm_slot_weigh(world, i);
    fm_energy_forget_tethers(world);
}

static void apply(fm_world *world, struct fm_waters *w, const fm_waters_word *word, const double *at)
{
    fm_water_column *c = &w->environment.column;
    const double value = *at;
    int64_t whole;
    switch (word->what) {
    case FM_WATERS_DENSITY: w->environment.density = value; break;
    case FM_WATERS_FORMULA:
        memcpy(&whole, &value, sizeof whole);
        c->sound = (fm_sound_formula)whole;
        break;
    case FM_WATERS_SPEED: c->sound_speed = value; break;
    case FM_WATERS_GRAVITY: set_gravity(world, w, value); break;
    case FM_WATERS_PRESSURE: c->pressure[word->number] = value; break;
    case FM_WATERS_PLANE: set_plane(&w->bottom, word->number, value); break;
    case FM_WATERS_TEMPERATURE_PROFILE: set_profile(&c->temperature, word->number, at); break;
    case FM_WATERS_SALINITY_PROFILE: set_profile(&c->salinity, word->number, at); break;
    case FM_WATERS_CONDUCTIVITY_PROFILE: set_profile(&c->conductivity, word->number, at); break;
    case FM_WATERS_MOUND: set_mound(&w->mounds[word->index], word->number, value); break;
    default: set_spot(&w->spots[word->what - FM_WATERS_TEMPERATURE_SPOT][word->index], word->number, value); break;
    }
}

/* Temperature, salinity and pressure determine the speed of sound; the bottom reflects it. */
static int reaches_sound(fm_waters_what what)
{
    return what != FM_WATERS_DENSITY && what != FM_WATERS_CONDUCTIVITY_SPOT && what != FM_WATERS_GRAVITY;
}

static void move_bottom(fm_world *world, struct fm_waters *w)
{
    w->moves++;
    fm_bottom_measure(&w->bottom);
    for (int slot = 0; world->contact && slot < world->slot_count; slot++)
        fm_contact_forget(world, slot);
}

int fm_waters_refresh(fm_world *world)
{
    struct fm_waters *w = world->waters;
    const fm_model *model = world->model;
    int moved = 0, heard = 0;
    for (size_t i = 0; w && i < model->waters_count; i++) {
        const double *value = &world->live[model->waters[i].word];
        if (memcmp(value, &w->applied[i], sizeof *value) == 0)
            continue;
        const int first = isnan(w->applied[i]) && memcmp(value, &model->live_start[model->waters[i].word], 8) == 0;
        memcpy(&w->applied[i], value, sizeof *value);
        if (first)
            continue; /* as the model has it */
        apply(world, w, &model->waters[i], value);
        moved |= model->waters[i].what == FM_WATERS_MOUND || model->waters[i].what == FM_WATERS_PLANE;
        heard |= reaches_sound(model->waters[i].what);
    }
    if (moved)
        move_bottom(world, w);
    if (heard)
        fm_sound_follow_sea(world);
    return heard;
}

uint64_t fm_waters_moves(const fm_world *world)
{
    return world->waters ? world->waters->moves : 0;
}
