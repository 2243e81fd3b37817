#include "kinds/foreign.h"

#include <string.h>

#include "physics/dead_reckoning.h"
#include "world/world.h"

/* The kind's own words: the last update, and its age. */
typedef struct foreign_words {
    fm_reckon_track track; /* m, m/s, m/s², rad/s */
    double since;          /* s */
    double algorithm;
} foreign_words;

static foreign_words *words_of(const fm_type *type, fm_vehicle *vehicle)
{
    return (foreign_words *)(void *)fm_vehicle_words(vehicle, type->kind_block);
}

static void show(const foreign_words *words, fm_vehicle *vehicle)
{
    fm_reckoned now;
    fm_track_reckon(&words->track, (int)words->algorithm, words->since, &now);
    memcpy(vehicle->body.position, now.position, sizeof now.position);
    memcpy(vehicle->body.attitude, now.attitude, sizeof now.attitude);
    memcpy(vehicle->body.velocity, now.velocity, sizeof now.velocity);
}

/* As in the scenario, with its velocity and rates, until the first update. */
static void start(const fm_model *model, const fm_type *type, fm_vehicle *vehicle)
{
    (void)model;
    foreign_words *words = words_of(type, vehicle);
    memcpy(words->track.position, vehicle->body.position, sizeof words->track.position);
    memcpy(words->track.attitude, vehicle->body.attitude, sizeof words->track.attitude);
    memcpy(words->track.velocity, vehicle->body.velocity, sizeof words->track.velocity);
    memcpy(words->track.rates, vehicle->body.velocity + 3, sizeof words->track.rates);
    words->algorithm = FM_RECKON_RPB;
    show(words, vehicle);
}

static double step(const fm_environment *sea, const fm_type *type, fm_vehicle *vehicle, const fm_stream_source *water,
                   const fm_mass *mass, const double thrust[6], double dt)
{
    (void)sea, (void)water, (void)mass, (void)thrust;
    foreign_words *words = words_of(type, vehicle);
    words->since += dt;
    show(words, vehicle);
    return 1;
}

static void sight(const fm_type *type, fm_vehicle *vehicle, const fm_sighting *seen)
{
    foreign_words *words = words_of(type, vehicle);
    memcpy(words->track.position, seen->position, sizeof seen->position);
    fm_quat_from_euler(seen->euler, words->track.attitude);
    memcpy(words->track.velocity, seen->velocity, sizeof seen->velocity);
    memcpy(words->track.acceleration, seen->acceleration, sizeof seen->acceleration);
    memcpy(words->track.rates, seen->rates, sizeof seen->rates);
    words->algorithm = seen->algorithm;
    words->since = 0;
    show(words, vehicle);
}

static fm_status build(fm_part_load *load, const void *config, fm_type *type, fm_error *error)
{
    (void)load, (void)config, (void)type, (void)error;
    return FM_OK;
}

static const fm_element element = FM_BARE_ELEMENT(
    "foreign", NULL, FM_ELEMENT_ONCE,
    "Makes the vehicle one of kind foreign: another simulator moves it (inputs of kind sight, from a DIS bridge). "
    "Between two updates it moves by dead reckoning, unaffected by forces; sensors see its hull and others bounce off "
    "it. Until the first update it keeps the velocity given in the scenario.");

static const fm_output columns[] = {
    FM_OUTPUT_NUMBER(foreign_words, since, "since_word", "s", FM_QUANTITY_NONE),
    FM_OUTPUT_NUMBER(foreign_words, algorithm, "algorithm", "", FM_QUANTITY_NONE),
};

const fm_kind fm_kind_foreign = {.name = "foreign",
                                 .element = &element,
                                 .state_size = sizeof(foreign_words),
                                 .contact = FM_CONTACT_COUNT,
                                 .build = build,
                                 .start = start,
                                 .step = step,
                                 .sight = sight,
                                 .columns = columns,
                                 .column_count = sizeof columns / sizeof *columns};
