#include "bridges/dis/dis_sound.h"

#include <math.h>
#include <string.h>

#include "acoustics/transducer.h"
#include "base/number.h"
#include "world/world.h"

#define RPM (60 / (2 * FM_PI)) /* rev/min in a rad/s */
#define SHAFT_PART 0.05        /* relative change of a shaft's speed that requires an update */

static int is_sonar(const fm_part *part)
{
    return strstr(part->part_class->element->name, "sonar") != NULL;
}

static int is_transducer(const fm_part *part)
{
    return part->role == FM_ROLE_TRANSDUCER;
}

int fm_dis_noise_exists(const fm_world *world, int slot)
{
    const fm_type *type = world->slots[slot].type;
    for (size_t i = 0; i < type->actuator_count; i++)
        if (fm_actuator_is_shaft(type, i))
            return 1;
    for (size_t i = 0; i < type->sensor_count; i++)
        if (is_sonar(&type->parts[i]) || is_transducer(&type->parts[i]))
            return 1;
    return 0;
}

/* Speeds of its shafts, rev/min; returns their number. */
static size_t read_shafts(const fm_world *world, int slot, double rpm[FM_DIS_SHAFTS_MOST],
                          double ordered[FM_DIS_SHAFTS_MOST])
{
    const fm_slot *s = &world->slots[slot];
    const fm_actuator_state *states = fm_actuator_states(s->type, s->vehicle);
    size_t count = 0;
    for (size_t i = 0; i < s->type->actuator_count && count < FM_DIS_SHAFTS_MOST; i++)
        if (fm_actuator_is_shaft(s->type, i)) {
            rpm[count] = states[i].value * RPM;
            ordered[count++] = states[i].order * RPM;
        }
    return count;
}

int fm_dis_noise_due(const fm_dis_noise *noise, const fm_world *world, int slot, double time)
{
    double rpm[FM_DIS_SHAFTS_MOST], ordered[FM_DIS_SHAFTS_MOST];
    if (!noise->said || time < noise->time || time - noise->time >= FM_DIS_SOUND_PERIOD - 1e-9)
        return 1;
    size_t count = read_shafts(world, slot, rpm, ordered);
    for (size_t i = 0; i < count; i++)
        if (fabs(rpm[i] - noise->rpm[i]) > fmax(SHAFT_PART * fabs(noise->rpm[i]), 1))
            return 1;
    return 0;
}

static int16_t short_of(double value)
{
    return (int16_t)floor(fmin(fmax(value, -32768), 32767) + 0.5);
}

static size_t say_shafts(const fm_world *world, int slot, fm_dis_acoustic *a, double rpm[FM_DIS_SHAFTS_MOST])
{
    double ordered[FM_DIS_SHAFTS_MOST];
    size_t count = read_shafts(world, slot, rpm, ordered);
    a->shaft_count = (uint8_t)count;
    for (size_t i = 0; i < count; i++)
        a->shafts[i] = (fm_dis_shaft){short_of(rpm[i]), short_of(ordered[i]), 0};
    return count;
}

/* An emitter system with one beam along the axis of its mount. */
static void add_system(fm_dis_acoustic *a, const fm_part *part, double width)
{
    const fm_mount *mount = fm_part_mount(part);
    uint8_t n = a->system_count;
    if (n == FM_DIS_SYSTEMS_MOST)
        return;
    a->systems[n] = (fm_dis_system){.beam_count = 1, .function = 1, .id = (uint8_t)(n + 1)};
    a->beams[n] = (fm_dis_beam){
        .number = 1, .azimuth_width = (float)width, .elevation_width = (float)width}; /* one each: as the systems */
    if (mount) {
        if (width == 0) {
            a->beams[n].azimuth_width = (float)mount->width;
            a->beams[n].elevation_width = (float)mount->height;
        }
        for (int i = 0; i < 3; i++)
            a->systems[n].location[i] = (float)mount->position[i];
        a->beams[n].azimuth = (float)mount->attitude[2];
        a->beams[n].elevation = (float)mount->attitude[1];
    }
    a->system_count++;
}

void fm_dis_noise_say(fm_dis_noise *noise, const fm_world *world, int slot, double time, fm_dis_acoustic *acoustic)
{
    const fm_type *type = world->slots[slot].type;
    double rpm[FM_DIS_SHAFTS_MOST], since = time - noise->time;
    size_t count = say_shafts(world, slot, acoustic, rpm);
    for (size_t i = 0; i < count; i++) {
        double change = noise->said && since > 0 ? (rpm[i] - noise->rpm[i]) / since * 60 : 0; /* rpm/min */
        acoustic->shafts[i].change = (int32_t)fmin(fmax(change, -2e9), 2e9);
        noise->rpm[i] = rpm[i];
    }
    for (size_t i = 0; i < type->sensor_count; i++)
        if (is_sonar(&type->parts[i]))
            add_system(acoustic, &type->parts[i], 0);
    noise->said = 1;
    noise->time = time;
}

void fm_dis_ping_say(const fm_world *world, const fm_sound_record *record, fm_dis_acoustic *acoustic)
{
    double rpm[FM_DIS_SHAFTS_MOST];
    const fm_type *type = world->slots[record->slot].type;
    const fm_part *part = &type->parts[record->part];
    const fm_transducer *transducer = part->config;
    acoustic->change = 1;
    say_shafts(world, record->slot, acoustic, rpm);
    add_system(acoustic, part, transducer->beam_width);
    acoustic->beams[0].emission = 1; /* it emits */
}
