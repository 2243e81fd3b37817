/* Every parameter acts: a scenario with another value is refused, or moves, senses or publishes something else. A
 * parameter that does nothing here is in a list with its reason. */
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "scenario/build.h"
#include "scenario/load.h"
#include "scenario/params.h"
#include "support/scenario.h"
#include "telemetry/scene.h"
#include "world/world.h"

enum { TICKS_MOST = 100, ATTRS_MOST = 8192 };

/* --- what a scenario does --- */

static uint64_t fold(uint64_t hash, const void *data, size_t words)
{
    for (size_t i = 0; i < words; i++) {
        uint64_t word;
        memcpy(&word, (const char *)data + 8 * i, sizeof word);
        hash = (hash ^ word) * 0xff51afd7ed558ccdu;
        hash ^= hash >> 29;
    }
    return hash;
}

/* All of a vehicle but the live parameters themselves, which change with what is set whether anybody reads them or not.
 */
static uint64_t fold_vehicle(uint64_t hash, const fm_slot *slot)
{
    fm_vehicle *v = slot->vehicle;
    const fm_type *type = slot->type;
    hash = fold(hash, v, sizeof *v / 8);
    hash = fold(hash, fm_vehicle_words(v, type->actuator_block), type->actuator_block.words);
    hash = fold(hash, fm_vehicle_words(v, type->metric_block), type->metric_block.words);
    hash = fold(hash, fm_vehicle_words(v, type->kind_block), type->kind_block.words);
    for (size_t i = 0; i < type->part_count; i++) {
        hash = fold(hash, fm_vehicle_words(v, type->parts[i].state), type->parts[i].state.words);
        hash = fold(hash, fm_vehicle_words(v, type->parts[i].output), type->parts[i].output.words);
    }
    return hash;
}

static uint64_t fold_world(uint64_t hash, const fm_world *world)
{
    hash = fold(hash, world->subsystems, world->model->subsystem_words);
    hash = fold(hash, &world->head->events, 1);
    for (int i = 0; i < world->slot_count; i++)
        if (fm_slot_occupied(world, i))
            hash = fold_vehicle(hash, &world->slots[i]);
    return hash;
}

static uint64_t fold_model(const fm_model *model)
{
    double facts[] = {fm_model_dt(model), fm_model_duration(model), (double)model->change_count};
    uint64_t hash = fold(1, facts, sizeof facts / 8);
    for (size_t i = 0; i < model->change_count; i++)
        hash = fold(hash, &model->changes[i].tick, 1);
    return hash;
}

/* What is drawn on /scene. */
static uint64_t fold_scene(uint64_t hash, const fm_world *world)
{
    fm_arena arena = {0};
    fm_scene scene;
    fm_error error = {0};
    assert_int_equal(fm_scene_build(world, &arena, &scene, &error), FM_OK);
    fm_scene_place(&scene, world);
    size_t size = fm_message_size(&fm_msg_scene_type, &scene.message);
    uint8_t *bytes = fm_arena_alloc(&arena, size + 8);
    assert_non_null(bytes);
    assert_int_equal(fm_message_encode(&fm_msg_scene_type, &scene.message, bytes, size), size);
    hash = fold(hash, bytes, (size + 7) / 8);
    fm_arena_free(&arena);
    return hash;
}

/* What a scenario does: a word for each tick, then one for what is drawn. */
typedef struct course {
    int ticks;
    uint64_t words[TICKS_MOST + 1];
} course;

typedef enum answer { IDLE, REFUSED, ACTS } answer;

/* Writes the word, or returns whether it is the one that is there. */
static bool note(course *c, int at, uint64_t word, bool write)
{
    if (write)
        c->words[at] = word;
    return c->words[at] == word;
}

/* Goes along the course, and no further than to where it leaves it. */
static answer go_along(fm_world *world, course *c, bool write)
{
    fm_error error = {0};
    uint64_t hash = fold_model(world->model) ^ (uint64_t)world->slot_count;
    bool same = true;
    for (int i = 0; i < c->ticks && same; i++) {
        bool steps = fm_world_step(world, &error) == FM_OK;
        hash = fold_world(hash + (steps ? 0 : 1), world);
        same = note(c, i, hash, write);
    }
    return same && note(c, c->ticks, fold_scene(1, world), write) ? IDLE : ACTS;
}

static answer behaviour(const char *text, const char *file, const char *const *sets, course *c, bool write,
                        fm_error *error)
{
    static const char *const dirs[] = {FATHOM_SOURCE_DIR "/models"};
    fm_load_options options = {.model_dirs = dirs, .model_dir_count = 1, .set = sets, .set_count = sets ? 1 : 0};
    fm_model *model = fm_model_load_memory(text, strlen(text), file, &options, error);
    fm_world *world = model ? fm_world_create(model, NULL, error) : NULL;
    answer is = world ? go_along(world, c, write) : REFUSED;
    fm_world_free(world);
    fm_model_free(model);
    return is;
}

/* --- other values --- */

static bool within(const fm_attr *attr, double x)
{
    return (attr->min == 0 && attr->max == 0) || (x >= attr->min && x <= attr->max);
}

static double other_number(const fm_attr *attr, double x, int attempt)
{
    static const double factors[] = {1.37, 0.61, 2.9, 0.1}, adds[] = {0.13, -0.13, 1.7, 30};
    double span = attr->max > attr->min && isfinite(attr->max - attr->min) ? attr->max - attr->min : 1;
    double tries[] = {x * factors[attempt & 3], x + adds[attempt & 3], x + span * 0.01,
                      x - span * 0.01,          x + span * 0.3,        x - span * 0.3};
    for (size_t i = x == 0 ? 1 : 0; i < sizeof tries / sizeof *tries; i++)
        if (within(attr, tries[i]) && tries[i] != x)
            return tries[i];
    return x;
}

static void write_numbers(const fm_attr *attr, const fm_value *value, int attempt, char *out, size_t size)
{
    size_t count = attr->type == FM_ATTR_REAL ? 1 : attr->type == FM_ATTR_VECTOR ? attr->count : value->count;
    size_t used = 0;
    char number[40];
    if (!count)
        count = 2;
    for (size_t i = 0; i < count && used < size; i++) {
        double x = value->count > i ? value->numbers[i] : attr->min > 0 ? attr->min : 0;
        used += (size_t)snprintf(out + used, size - used, "%s ",
                                 fm_text_number_write(number, sizeof number, other_number(attr, x, attempt)));
    }
    snprintf(out + used, size - used, "%s", attr->unit);
}

/* Another value of an attribute; false: no other of this number. */
static bool other_value(const fm_attr *attr, const fm_value *value, int attempt, char *out, size_t size)
{
    switch (attr->type) {
    case FM_ATTR_REAL:
    case FM_ATTR_VECTOR:
    case FM_ATTR_LIST: write_numbers(attr, value, attempt, out, size); return attempt < 4;
    case FM_ATTR_INT: {
        static const int64_t adds[] = {1, -1, 3, 10};
        int64_t n = value->integer + adds[attempt & 3];
        snprintf(out, size, "%lld", (long long)(within(attr, (double)n) ? n : value->integer));
        return attempt < 4;
    }
    case FM_ATTR_BOOL: snprintf(out, size, "%s", value->integer ? "false" : "true"); return attempt < 1;
    case FM_ATTR_CHOICE: {
        int n = 0;
        while (attr->choices[n])
            n++;
        snprintf(out, size, "%s", attr->choices[(value->integer + 1 + attempt) % n]);
        return attempt < n - 1;
    }
    case FM_ATTR_NAME: snprintf(out, size, "thing"); return attempt < 1;
    case FM_ATTR_TEXT: snprintf(out, size, "/no/such/thing"); return attempt < 1;
    case FM_ATTR_FILE: snprintf(out, size, "no-such-file.xml"); return attempt < 1;
    }
    return false;
}

/* --- the audit --- */

/* What changes nothing in any of the scenarios, and why. Where an element's name is taken twice its parent comes
 * first. "*" are elements of any name: errors that all instruments can have, of which a scenario uses few. */
static const struct {
    const char *element, *attr, *reason;
} idle[] = {
    {"fathom", "version", "there is one version"},
    {"world", "on-runaway", "no vehicle diverges"},
    {"propeller", "k0", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "k1", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "k2", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "q0", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "q1", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "q2", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "open-water", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "series", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "pitch", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "blade-area", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "blades", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "wake", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "deduction", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "reverse", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "rotation", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "inertia", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "motor-torque", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"propeller", "motor-power", "no shipped propeller has a diameter; tests/kinds/test_screws.c"},
    {"fin", "stall", "no shipped fin meets its local inflow; tests/kinds/test_foils.c"},
    {"fin", "profile-drag", "no shipped fin meets its local inflow; tests/kinds/test_foils.c"},
    {"fin", "span-efficiency", "no shipped fin meets its local inflow; tests/kinds/test_foils.c"},
    {"fin", "separated", "no shipped fin meets its local inflow; tests/kinds/test_foils.c"},
    {"fin", "covered", "no shipped fin meets its local inflow; tests/kinds/test_foils.c"},
    {"thruster", "zero-thrust", "no shipped thruster has a diameter; tests/kinds/test_screws.c"},
    {"acoustics", "bottom", "no sound comes from the bottom yet; tests/acoustics/test_seabed.c"},
    {"acoustics", "bottom-speed", "no sound comes from the bottom yet; tests/acoustics/test_seabed.c"},
    {"acoustics", "bottom-attenuation", "no sound comes from the bottom yet; tests/acoustics/test_seabed.c"},
    {"acoustics", "bottom-shear-speed", "no sound comes from the bottom yet; tests/acoustics/test_seabed.c"},
    {"acoustics", "bottom-shear-attenuation", "no sound comes from the bottom yet; tests/acoustics/test_seabed.c"},
    {"tether", "elongation", "no tether is stretched so far"},
    {"mmg-propeller", "c2-minus", "the ship turns to the other side"},
    {"glider-pilot", "depth", "reached after minutes; tests/control/test_glider.c"},
    {"glider-pilot", "top", "reached after minutes"},
    {"glider-pilot", "light", "it dives first"},
    {"glider-pilot", "dives", "counted after minutes"},
    {"glider-pilot", "stay", "at the surface, after minutes"},
    {"vehicle", "text", "for people"},
    {"type", "text", "for people"},
    {"type", "coriolis", "no vehicle of the type comes"},
    {"type", "integrator", "no vehicle of the type comes"},
    {"type", "substeps", "no vehicle of the type comes"},
    {"type", "tolerance", "no vehicle of the type comes"},
    {"type", "length", "no vehicle of the type comes"},
    {"type", "width", "no vehicle of the type comes"},
    {"type", "height", "no vehicle of the type comes"},
    {"heightmap", "origin-northing", "of files in metres; geometry/test_heightmap"},
    {"heightmap", "origin-easting", "of files in metres; geometry/test_heightmap"},
    {"view", "camera", "for the page; net/first_view"},
    {"view", "from", "for the page; net/first_view"},
    {"view", "to", "for the page; net/first_view"},
    {"look", "parts", "true is what holds without it; telemetry/test_scene"},
    {"cross-flow", "count", "the strips follow the Gauss rule"},
    {"propeller", "time-constant", "of other dynamics"},
    {"propeller", "damping", "of other dynamics"},
    {"propeller", "thrust-reverse", "no propeller reverses"},
    {"tunnel-thruster", "group", "orders name the thrusters themselves"},
    {"tunnel-thruster", "time-constant", "of other dynamics"},
    {"tunnel-thruster", "damping", "of other dynamics"},
    {"tunnel-thruster", "power", "Phoenix has no battery to drain"},
    {"fin", "time-constant", "of other dynamics"},
    {"fin", "damping", "of other dynamics"},
    {"thruster", "damping", "of other dynamics"},
    {"turning-circle", "steady", "the circle is not closed yet"},
    {"waypoints", "height", "no waypoint is near yet"},
    {"waypoints", "settle", "no waypoint is reached yet"},
    {"waypoints", "pass", "no waypoint is missed yet"},
    {"waypoints", "loop", "the last waypoint is not reached yet"},
    {"autopilot", "fault-aware", "no thruster is at fault yet"},
    {"autopilot/depth", "order", "the mission or the waypoints order it"},
    {"autopilot/roll", "thrust-kp", "no vehicle that orders it has thrusters that roll"},
    {"autopilot/roll", "thrust-ki", "no vehicle that orders it has thrusters that roll"},
    {"autopilot/roll", "thrust-kd", "no vehicle that orders it has thrusters that roll"},
    {"autopilot/roll", "thrust-limit", "no vehicle that orders it has thrusters that roll"},
    {"sway", "ki", "the fins alone steer at first"},
    {"dvl", "water-track", "the bottom is in reach"},
    {"navigation", "patience", "no instrument is lost"},
    {"transducer", "dropout", "not so soon in the survey; world/test_sound"},
    {"lbl", "fault", "not so soon; acoustics/test_ranging"},
    {"lbl", "deviation", "not so soon; acoustics/test_ranging"},
    {"filter", "gate", "no fix so soon; control/test_navigation_filter"},
    {"report", "interval", "no motion depends on messages; acoustics/test_modem"},
    {"gps", "dropout", "no vehicle steers by it so soon"},
    {"acoustics", "sound-speed", "other settings of the survey leave it out; acoustics/ and world/test_sound"},
    {"acoustics", "profile", "other settings of the survey leave it out; acoustics/ and world/test_sound"},
    {"acoustics", "transition", "other settings of the survey leave it out; acoustics/ and world/test_sound"},
    {"acoustics", "attenuation", "other settings of the survey leave it out; acoustics/ and world/test_sound"},
    {"acoustics", "noise-level", "other settings of the survey leave it out; acoustics/ and world/test_sound"},
    {"acoustics", "occlusion", "other settings of the survey leave it out; acoustics/ and world/test_sound"},
    {"transducer", "threshold", "not so soon in the survey; world/test_sound"},
    {"transducer", "detection", "not so soon in the survey; world/test_sound"},
    {"transducer", "beam-width", "not so soon in the survey; world/test_sound"},
    {"transducer", "side-level", "not so soon in the survey; world/test_sound"},
    {"transducer", "reply-delay", "not so soon in the survey; world/test_sound"},
    {"transducer", "reply-frequency", "not so soon in the survey; world/test_sound"},
    {"transducer", "ping-kind", "not so soon in the survey; world/test_sound"},
    {"transducer", "ping-start", "not so soon in the survey; world/test_sound"},
    {"transducer", "half-duplex", "not so soon in the survey; world/test_sound"},
    {"transducer", "hears-own", "not so soon in the survey; world/test_sound"},
    {"lbl", "dropout", "not so soon; acoustics/test_ranging"},
    {"usbl", "dropout", "one answer comes so soon"},
    {"homing", "run-out", "the station is far; control/test_homing"},
    {"homing", "capture", "the station is far; control/test_homing"},
    {"lbl", "gate", "not so soon; acoustics/test_ranging"},
    {"beacon", "frequency", "all answer at one frequency; acoustics/test_ranging"},
    {"filter", "position-noise", "its instruments tell theirs; control/test_navigation_filter"},
    {"filter", "range-noise", "its instruments tell theirs; control/test_navigation_filter"},
    {"filter", "give-up", "its instruments tell theirs; control/test_navigation_filter"},
    {"modem", "rate", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "modulation", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "preamble", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "coding-gain", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "capture", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "size", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "acknowledge", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "timeout", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "retries", "no motion depends on messages; acoustics/test_modem"},
    {"modem", "carrier-sense", "no motion depends on messages; acoustics/test_modem"},
    {"route", "to", "no motion depends on messages; acoustics/test_modem"},
    {"route", "via", "no motion depends on messages; acoustics/test_modem"},
    {"report", "to", "no motion depends on messages; acoustics/test_modem"},
    {"station", "until", "not so soon"},
    {"station", "settle", "not so soon"},
    {"box", "floats", "for `fathom check` alone; cli/test_check"},
    {"sphere", "floats", "for `fathom check` alone; cli/test_check"},
    {"column", "floats", "for `fathom check` alone; cli/test_check"},
    {"box", "reflectivity", "not in sight of a sonar yet"},
    {"sphere", "reflectivity", "not in sight of a sonar yet"},
    {"wall", "reflectivity", "no vehicle near it has a sonar"},
    {"column", "reflectivity", "no vehicle near it has a sonar"},
    {"pool", "reflectivity", "no sonar measures the strength of its echo"},
    {"contact", "restitution", "nothing is touched yet"},
    {"contact", "friction", "nothing is touched yet"},
    {"contact", "kept-speed", "nothing is touched yet"},
    {"contact", "ends", "nothing is touched yet"},
    {"contact", "parting", "nothing is touched yet"},
    {"mine-sonar", "dropout", "no mine is in sight yet"},
    {"mine-sonar", "chance", "no mine is in sight yet"},
    {"mine-sonar", "tilt", "no mine is in sight yet"},
    {"mine-sonar", "beams", "no mine is in sight yet"},
    {"mine-sonar", "rays", "no mine is in sight yet"},
    {"mine-sonar", "least-echoes", "no mine is in sight yet"},
    {"diving", "scaled", "it flies at the speed of the table"},
    {"node-sonar", "occlusion", "it is of the mode nodes"},
    {"node-sonar", "spacing", "the bottom is straight between its own nodes"},
    {"bottom-following", "altitude", "the avoidance before it orders it"},
    {"bottom-following", "late", "not so soon"},
    {"multibeam", "rays", "its beams have no height"},
    {"conductivity", "slope2", "no vehicle is so deep yet"},
    {"echosounder", "rays", "its range is that of the formula"},
    {"echosounder", "vertical-rays", "its range is that of the formula"},
    {"echosounder", "least-cosine", "its range is that of the formula"},
    {"planner", "radius", "the goal is not near yet"},
    {"planner", "climb", "the planner that is tried plans in the other plane"},
    {"planner", "ceiling", "the planner that is tried plans in the other plane"},
    {"planner", "lead", "the planner that is tried plans in the other plane"},
    {"planner", "well", "of another method than those that are tried"},
    {"planner", "hill", "of another method than those that are tried"},
    {"planner", "influence", "of another method than those that are tried"},
    {"flow", "reference", "of the model sources"},
    {"reflex", "rule", "no wall is felt yet"},
    {"reflex", "back-speed", "no wall is felt yet"},
    {"reflex", "brake-speed", "no wall is felt yet"},
    {"reflex", "turn-error", "no wall is felt yet"},
    {"reflex", "turn-rate", "no wall is felt yet"},
    {"reflex", "calm", "no wall is felt yet"},
    {"reflex", "calm-time", "no wall is felt yet"},
    {"reflex", "resume-timeout", "no wall is felt yet"},
    {"reflex", "reverse-timeout", "no wall is felt yet"},
    {"reflex", "brake-timeout", "no wall is felt yet"},
    {"reflex", "turn-timeout", "no wall is felt yet"},
    {"reflex", "norm", "no wall is felt yet"},
    {"hover-pd", "forward-group", "no reflex reverses yet"},
    {"wake-finder", "swings", "no vortex has passed yet"},
    {"wake-finder", "source-share", "no vortex has passed yet"},
    {"obstacle-map", "correct", "no wall is felt yet"},
    {"obstacle-map", "gap", "no wall is felt yet"},
    {"obstacle-map", "gap-noise", "no wall is felt yet"},
    {"obstacle-map", "same-angle", "no wall is felt yet"},
    {"obstacle-map", "same-reach", "no wall is felt yet"},
    {"obstacle-map", "same-offset", "no wall is felt yet"},
    {"sonar", "least-cosine", "no echo is so flat yet"},
    {"infrared", "rays", "nothing is within its reach yet"},
    {"infrared", "vertical-rays", "nothing is within its reach yet"},
    {"infrared", "least-cosine", "nothing is within its reach yet"},
    {"bumper", "radius", "nothing is touched yet"},
    {"fish-brain", "turn-rate", "the first fish of a scenario has another task"},
    {"seek", "colour", "the other value has the same hue; cli/test_fish_target tries another"},
    {"seek", "turn", "the target is in sight at once"},
    {"seek", "leg", "the target is in sight at once"},
    {"camera", "dropout", "the eyes of a fish are off until they are wanted"},
    {"camera", "noise", "the eyes of a fish are off until they are wanted"},
    {"camera", "exposure", "the eyes of a fish are off until they are wanted"},
    {"camera", "attenuation", "the eyes of a fish are off until they are wanted"},
    {"camera", "downwelling", "the eyes of a fish are off until they are wanted"},
    {"camera", "water", "the eyes of a fish are off until they are wanted"},
    {"camera", "sun", "the eyes of a fish are off until they are wanted"},
    {"camera", "ambient", "the eyes of a fish are off until they are wanted"},
    {"camera", "lamp", "the eyes of a fish are off until they are wanted"},
    {"camera", "texture", "the eyes of a fish are off until they are wanted"},
    {"camera", "shadows", "the eyes of a fish are off until they are wanted"},
    {"trajectory", "closed", "the last corner is not reached yet"},
    {"trajectory", "settle", "not so soon"},
    {"pursuit", "settle", "not so soon"},
    {"track", "loop", "the track is not at its end yet"},
    {"tether", "rate", "no winch pays out or hauls in"},
    {"ballast", "group", "orders name the tank itself"},
    {"moving-mass", "group", "orders name the slider itself"},
    {"reynolds-drag", "length", "it is too slow for the second number of the table yet"},
    {"*", "distribution", "the quantity has no noise"},
    {"*", "drift-time", "the quantity does not drift"},
    {"*", "outliers", "an outlier of the size 0 is none"},
    {"*", "outlier-size", "the quantity has no outliers"},
};

typedef struct tried_attr {
    const fm_element *element, *parent;
    const fm_attr *attr;
    answer best; /* of all scenarios */
    int asked;   /* number of scenarios */
} tried_attr;

typedef struct audit {
    const char *text, *file;
    int most; /* number of scenarios in which a listed one is tried */
    course course;
    size_t count;
    tried_attr tried[ATTRS_MOST];
    bool here[ATTRS_MOST]; /* tried in this scenario */
    bool used[FM_COUNT(idle)];
} audit;

/* Whether the name, "element" or "parent/element", is of this one. */
static bool names(const char *name, const tried_attr *t)
{
    const char *slash = strchr(name, '/');
    size_t before = slash ? (size_t)(slash - name) : 0;
    if (strcmp(name, "*") == 0)
        return true;
    if (strcmp(slash ? slash + 1 : name, t->element->name) != 0)
        return false;
    return !slash || (t->parent && strlen(t->parent->name) == before && strncmp(name, t->parent->name, before) == 0);
}

/* Its row in the list, or FM_COUNT(idle). */
static size_t row_of(const tried_attr *t)
{
    size_t i = 0;
    while (i < FM_COUNT(idle) && (strcmp(idle[i].attr, t->attr->name) != 0 || !names(idle[i].element, t)))
        i++;
    return i;
}

static answer ask(audit *a, const char *path, const fm_attr *attr, const fm_value *value)
{
    char other[4096], set[FM_PATH_SIZE + 4200];
    answer best = IDLE;
    for (int attempt = 0; best != ACTS && other_value(attr, value, attempt, other, sizeof other); attempt++) {
        fm_error error = {0};
        snprintf(set, sizeof set, "%s=%s", path, other);
        const char *const sets[] = {set, NULL};
        answer is = behaviour(a->text, a->file, sets, &a->course, false, &error);
        best = is > best ? is : best;
    }
    return best;
}

/* The place of an attribute of the tables in the list. */
static size_t index_of(audit *a, const fm_param *param)
{
    size_t i = 0;
    while (i < a->count && (a->tried[i].attr != param->attr || a->tried[i].element != param->node->element))
        i++;
    assert_less(i, ATTRS_MOST);
    if (i == a->count)
        a->tried[a->count++] = (tried_attr){.element = param->node->element,
                                            .parent = param->node->parent ? param->node->parent->element : NULL,
                                            .attr = param->attr};
    return i;
}

/* Of <bridge> nothing acts in the world: an attribute is refused by another kind, or idle. tests/net/ try them. */
static bool is_bridge(const char *element)
{
    return strcmp(element, "bridge") == 0;
}

/* One that acts in one scenario acts, and in each scenario its first place is tried. */
static bool try_param(void *user, const fm_param *param)
{
    audit *a = user;
    if (is_bridge(param->node->element->name))
        return true;
    size_t i = index_of(a, param);
    tried_attr *t = &a->tried[i];
    if (t->best != IDLE || a->here[i] || (t->asked >= a->most && row_of(t) < FM_COUNT(idle)))
        return true;
    a->here[i] = true;
    t->asked++;
    t->best = ask(a, param->path, param->attr, param->written);
    return true;
}

/* Idle ones that have no reason, and reasons that hold for nothing. */
static int complain(audit *a)
{
    int count = 0;
    for (size_t i = 0; i < a->count; i++) {
        const tried_attr *t = &a->tried[i];
        size_t row = row_of(t);
        bool listed = row < FM_COUNT(idle);
        if (listed)
            a->used[row] = true;
        if ((t->best == IDLE) == listed || (listed && strcmp(idle[row].element, "*") == 0))
            continue;
        print_error("%s of <%s> %s\n", t->attr->name, t->element->name,
                    listed ? "acts, and is in the list of those that do not" : "is accepted and does nothing");
        count++;
    }
    for (size_t i = 0; i < FM_COUNT(idle); i++)
        if (!a->used[i] && !is_bridge(idle[i].element)) {
            print_error("%s of <%s> is in no scenario\n", idle[i].attr, idle[i].element);
            count++;
        }
    return count;
}

/* Made lighter, and still asked for what is in the list and was tried once elsewhere. */
static const char second_places[] = "snookie-orders snookie-wake snookie-wake-search snookie-meeting fish-one-joint";

static void try_scenario(audit *a, const fm_registry *registry, const char *name, int ticks, const char *const *lighter)
{
    fm_error error = {0};
    fm_tree tree = {0};
    fm_report report = {0};
    fm_model *model = load_scenario(name, lighter);
    char *text = fm_model_write(model);
    a->text = text;
    a->file = scenario_path(name);
    a->course.ticks = ticks;
    a->most = lighter[0] && !strstr(second_places, name) ? 1 : 2;
    memset(a->here, 0, sizeof a->here);
    if (behaviour(text, a->file, NULL, &a->course, true, &error) == REFUSED)
        fail_msg("%s", error.text);
    assert_int_equal(
        fm_tree_read_memory(&tree, text, strlen(text), a->file, &fm_fathom_element, registry, FM_READ_PARTIAL, &report),
        FM_OK);
    assert_true(fm_tree_params(&tree, try_param, NULL, a));
    fm_tree_free(&tree);
    fm_report_free(&report);
    fm_free(text);
    fm_model_free(model);
}

/* The light ones first: what acts there is not tried again. */
static const struct {
    const char *name;
    int ticks;
    const char *lighter[7]; /* settings that make it so */
} scenarios[] = {
    {"bay-survey", 60, {NULL}},
    {"phoenix-turn", 60, {NULL}},
    {"phoenix-mission", 60, {NULL}},
    {"phoenix-dive", 60, {NULL}},
    {"phoenix-hover", 60, {NULL}},
    {"phoenix-dock", 60, {NULL}},
    {"phoenix-minefield", 60, {NULL}},
    {"phoenix-speed", 60, {NULL}},
    {"phoenix-ballast", 60, {NULL}},
    {"phoenix-inertial", 60, {"/phoenix/ins/gyrocompass=1 s"}},
    {"remus-100-dive", 60, {NULL}},
    {"remus-rise", 100, {NULL}},
    {"remus-both-planes", 60, {NULL}},
    {"remus-reef", 60, {NULL}},
    {"remus-reef-planned", 60, {NULL}},
    {"bluerov2-planned", 100, {NULL}},
    {"remus-endurance", 60, {NULL}},
    {"remus-sea-state-2", 60, {NULL}},
    {"lauv-survey", 60, {NULL}},
    {"bluerov2-hover", 60, {NULL}},
    {"bluerov2-heavy-pulses", 60, {NULL}},
    {"otter-harbour", 60, {NULL}},
    {"kvlcc2-circle", 100, {NULL}},
    {"kvlcc2-zigzag", 100, {"/ten_starboard/zigzag_test/from=0.5 s", "/ten_starboard/zigzag_test/heading=0.2 deg"}},
    {"glider-survey", 100, {NULL}},
    {"wavesim-trio", 60, {NULL}},
    {"wavesim-ctd", 100, {NULL}},
    {"wavesim-survey", 10, {NULL}},
    {"acoustic-homing", 100, {NULL}},
    {"snookie-wall", 30, {NULL}},
    {"phoenix-telemetry", 60, {NULL}},
    {"snookie-hardware", 30, {"/snookie/flow/model=mirror"}},
    {"snookie-orders", 30, {"/snookie/flow/model=mirror"}},
    {"snookie-trial", 30, {"/snookie/flow/model=mirror"}},
    {"snookie-wake", 30, {"/snookie/flow/model=mirror"}},
    {"snookie-wake-search", 30, {"/snookie/flow/model=mirror"}},
    {"snookie-meeting", 30, {"/one/flow/model=mirror", "/two/flow/model=mirror"}},
    {"snookie-towed-sphere", 30, {"/sphere/flow/model=mirror"}},
    {"snookie-cylinder", 30, {"/snookie/flow/model=mirror"}},
    {"snookie-corridor", 30, {"/snookie/flow/model=mirror"}},
    {"fish-trajectory", 12, {"/round/servo_table/rows=4", "/corners/servo_table/rows=4"}},
    {"fish-pursuit", 12, {"/first/servo_table/rows=4", "/second/servo_table/rows=4"}},
    {"fish-target",
     12,
     {"/fish/attitude=0 0 205 deg", "/fish/left_eye/width=60", "/fish/left_eye/height=45", "/fish/right_eye/width=60",
      "/fish/right_eye/height=45", "/fish/fish_brain/seek/pixels=1"}},
    {"fish-depth", 12, {"/straight/servo_table/rows=4", "/free/servo_table/rows=4"}},
    {"fish-elongated", 12, {"/paper/servo_table/rows=4", "/elongated/servo_table/rows=4", "/free/servo_table/rows=4"}},
    {"fish-one-joint",
     12,
     {"/small_swings/servo_table/rows=4", "/large_swings/servo_table/rows=4", "/wide_circle/servo_table/rows=4",
      "/circle/servo_table/rows=4", "/narrow_circle/servo_table/rows=4", "/eight_joints/servo_table/rows=4"}},
    {"fish-behaviours",
     12,
     {"/accelerating/servo_table/rows=4", "/decelerating/servo_table/rows=4", "/turning/servo_table/rows=4",
      "/hovering/servo_table/rows=4", "/avoiding/servo_table/rows=4"}},
    {"fish-pool", 12, {"/red/servo_table/rows=4", "/green/servo_table/rows=4", "/blue/servo_table/rows=4"}},
    {"fish-school",
     10,
     {"/row0/servo_table/rows=4", "/row1/servo_table/rows=4", "/row2/servo_table/rows=4", "/row3/servo_table/rows=4",
      "/row4/servo_table/rows=4"}},
    {"ros2-lauv", 60, {NULL}},
    {"ardupilot-bluerov2", 60, {NULL}},
    {"ardupilot-bluerov2-heavy", 60, {NULL}},
    {"ardupilot-otter", 60, {NULL}},
    {"mavlink-harbour", 60, {NULL}},
    {"mavlink-px4", 60, {NULL}},
    {"dis-contacts", 60, {NULL}},
    {"nmea-phoenix", 60, {NULL}},
    {"showcase", 10, {"/fish/servo_table/rows=4"}},
};

static size_t shipped_scenarios(void)
{
    DIR *folder = opendir(FATHOM_SOURCE_DIR "/scenarios");
    size_t count = 0;
    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));)
        count += strstr(entry->d_name, ".xml") != NULL;
    closedir(folder);
    return count;
}

static void every_parameter_of_every_scenario_acts_or_has_a_reason(void **state)
{
    (void)state;
    fm_error error = {0};
    fm_registry registry = {0};
    static audit a;
    assert_int_equal(shipped_scenarios(), FM_COUNT(scenarios));
    assert_int_equal(fm_registry_add_built_ins(&registry, &error), FM_OK);
    for (size_t i = 0; i < FM_COUNT(scenarios); i++)
        try_scenario(&a, &registry, scenarios[i].name, scenarios[i].ticks, scenarios[i].lighter);
    int answers[3] = {0};
    for (size_t i = 0; i < a.count; i++)
        answers[a.tried[i].best]++;
    print_message("%zu attributes: %d act, %d refuse every other value, %d idle and listed\n", a.count, answers[ACTS],
                  answers[REFUSED], answers[IDLE]);
    assert_greater(a.count, 1000);
    assert_int_equal(complain(&a), 0);
    fm_registry_free(&registry);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_parameter_of_every_scenario_acts_or_has_a_reason)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
