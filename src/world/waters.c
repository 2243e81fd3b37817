#include "world/waters.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "environment/environment.h"
#include "world/contact.h"
#include "world/sound.h"
#include "world/world.h"

enum { FIELDS = 3 }; /* temperature, salinity, conductivity */

struct fm_waters {
    fm_environment environment;
    fm_bottom bottom;
    fm_wave *waves;
    fm_spot *spots[FIELDS];
    fm_mound *mounds;
    uint64_t moves;  /* of mounds */
    double *applied; /* words of the live block that are in force; NaN: none yet */
};

/* --- making --- */

static size_t mound_count(const fm_environment *e)
{
    return e->bottom ? e->bottom->mound_count : 0;
}

/* Takes `size` bytes of the block that is filled from *at on. */
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

fm_status fm_waters_create(fm_world *world, fm_error *error)
{
    const fm_environment *e = world->environment = world->model->environment;
    const fm_water_column *c = &e->column;
    const size_t words = world->model->waters_count,
                 spots = c->temperature.spot_count + c->salinity.spot_count + c->conductivity.spot_count;
    if (!e->drawn_count && !words)
        return FM_OK;
    struct fm_waters *w = fm_alloc(sizeof *w + words * sizeof(double) + e->sea.count * sizeof(fm_wave) +
                                   spots * sizeof(fm_spot) + mound_count(e) * sizeof(fm_mound));
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

static void apply(struct fm_waters *w, const fm_waters_word *word, double value)
{
    fm_water_column *c = &w->environment.column;
    int64_t whole;
    switch (word->what) {
    case FM_WATERS_DENSITY: w->environment.density = value; break;
    case FM_WATERS_FORMULA:
        memcpy(&whole, &value, sizeof whole);
        c->sound = (fm_sound_formula)whole;
        break;
    case FM_WATERS_SPEED: c->sound_speed = value; break;
    case FM_WATERS_MOUND: set_mound(&w->mounds[word->index], word->number, value); break;
    default: set_spot(&w->spots[word->what - FM_WATERS_TEMPERATURE_SPOT][word->index], word->number, value); break;
    }
}

/* Temperature and salinity make the speed of sound. */
static int reaches_sound(fm_waters_what what)
{
    return what != FM_WATERS_DENSITY && what != FM_WATERS_CONDUCTIVITY_SPOT;
}

static void move_mounds(fm_world *world, struct fm_waters *w)
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
        apply(w, &model->waters[i], *value);
        moved |= model->waters[i].what == FM_WATERS_MOUND;
        heard |= reaches_sound(model->waters[i].what);
    }
    if (moved)
        move_mounds(world, w);
    if (heard)
        fm_sound_follow_sea(world);
    return heard;
}

uint64_t fm_waters_moves(const fm_world *world)
{
    return world->waters ? world->waters->moves : 0;
}
