#include "bridges/dis/dis_sender.h"

#include <fathom/instrument.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "world/world.h"

/* --- articulated parts --- */

static void add_source(fm_dis_sender *s, fm_dis_part_source source)
{
    if (s->source_count < FM_DIS_SOURCES_MOST)
        s->sources[s->source_count++] = source;
}

/* Fins by name: a rudder, or a plane at bow, sail or stern, port or starboard; all others are generic surfaces. */
static uint32_t fin_class(const char *name, uint32_t *rudders)
{
    uint32_t right = strstr(name, "starboard") || strstr(name, "right") ? 32 : 0;
    if (strstr(name, "rudder") && (*rudders)++ == 0)
        return FM_DIS_RUDDER + FM_DIS_AZIMUTH;
    if (strstr(name, "rudder"))
        return FM_DIS_SURFACE + FM_DIS_AZIMUTH;
    if (strstr(name, "bow"))
        return FM_DIS_BOW_PLANE + right + FM_DIS_ELEVATION;
    if (strstr(name, "sail") || strstr(name, "wing"))
        return FM_DIS_SAIL_PLANE + right + FM_DIS_ELEVATION;
    return FM_DIS_STERN_PLANE + right + FM_DIS_ELEVATION;
}

/* A propeller has a speed (rad/s); a thruster is ordered by force, voltage or command and has a rate without a unit. 0:
 * no class is left. */
static uint32_t thruster_class(const char *unit, uint32_t *propellers, uint32_t *thrusters)
{
    if (strcmp(unit, "rad/s") == 0 && *propellers < 4)
        return FM_DIS_PROPELLER + 32 * (*propellers)++ + FM_DIS_ROTATION_RATE;
    return *thrusters < 10 ? FM_DIS_SECOND_TURRET + 32 * (*thrusters)++ + FM_DIS_RATE : 0;
}

static void add_actuators(fm_dis_sender *s, const fm_type *type)
{
    uint32_t rudders = 0, propellers = 0, thrusters = 0;
    for (size_t i = 0; i < type->actuator_count; i++) {
        fm_dis_part_source source = {.actuator = (int)i};
        if (type->actuators[i].kind == FM_ACT_FIN) {
            source.type = fin_class(type->actuator_names[i], &rudders);
            source.tolerance = 3 * FM_DEGREE;
        } else if (type->actuators[i].kind == FM_ACT_THRUST) {
            source.type = thruster_class(type->actuator_units[i], &propellers, &thrusters);
            source.tolerance = 1e-2;
            source.proportion = 0.05;
        }
        if (source.type)
            add_source(s, source);
    }
}

/* Sonars: the bearing and range of the nearest echo, as the direction of each. */
static void add_sonars(fm_dis_sender *s, const fm_world *world, int slot)
{
    uint32_t heads = 0;
    for (size_t i = 0; i < fm_world_instrument_count(world, slot) && heads < 10; i++) {
        const char *kind = fm_world_instrument(world, slot, i).kind;
        if (!strstr(kind, "sonar"))
            continue;
        uint32_t type = FM_DIS_SENSOR + 32 * heads++;
        add_source(s, (fm_dis_part_source){.type = type + FM_DIS_AZIMUTH,
                                           .actuator = -1,
                                           .instrument = (int)i,
                                           .angle = 1,
                                           .tolerance = 10 * FM_DEGREE});
        add_source(s, (fm_dis_part_source){.type = type + FM_DIS_EXTENSION,
                                           .actuator = -1,
                                           .instrument = (int)i,
                                           .tolerance = 1,
                                           .proportion = 0.1});
    }
}

void fm_dis_sender_begin(fm_dis_sender *sender, const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    memset(sender, 0, sizeof *sender);
    if (!s)
        return;
    add_actuators(sender, s->type);
    add_sonars(sender, world, slot);
}

/* Bearing (rad) and range (m) of the nearest echo of an instrument; 0 and 0: none. */
typedef struct echo {
    double bearing, range;
} echo;

static double first_value(const fm_sample *sample)
{
    double value = NAN;
    return fm_sample_values(sample, &value, 1) ? value : NAN;
}

static void search_through(const fm_sample *ranges, double least, double step, echo *nearest)
{
    double values[256];
    size_t count = fm_sample_values(ranges, values, 256);
    for (size_t i = 0; i < count && i < 256; i++)
        if (isfinite(values[i]) && values[i] > 0 && (nearest->range == 0 || values[i] < nearest->range))
            *nearest = (echo){least + step * (double)i, values[i]};
}

static echo read_echo(const fm_world *world, int slot, int instrument)
{
    echo nearest = {0, 0};
    fm_sample ranges = {0};
    double least = 0, step = 0;
    fm_instrument_info info = fm_world_instrument(world, slot, (size_t)instrument);
    for (size_t i = 0; info.valid && i < info.field_count; i++) {
        fm_sample field = fm_world_instrument_field(world, slot, (size_t)instrument, i);
        if (strcmp(field.name, "bearing") == 0)
            nearest.bearing = first_value(&field);
        else if (strcmp(field.name, "range") == 0)
            nearest.range = first_value(&field);
        else if (strcmp(field.name, "angle_min") == 0)
            least = first_value(&field);
        else if (strcmp(field.name, "angle_increment") == 0)
            step = first_value(&field);
        else if (strcmp(field.name, "ranges") == 0 || strcmp(field.name, "nearest") == 0)
            ranges = field;
    }
    if (ranges.name)
        search_through(&ranges, least, step, &nearest);
    return isfinite(nearest.range) && isfinite(nearest.bearing) ? nearest : (echo){0, 0};
}

static double value_of(const fm_dis_part_source *source, const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    if (source->actuator >= 0)
        return fm_actuator_states(s->type, s->vehicle)[source->actuator].value;
    echo nearest = read_echo(world, slot, source->instrument);
    return source->angle ? nearest.bearing : nearest.range;
}

static int has_changed(const fm_dis_part_source *source, double said, double now)
{
    return fabs(now - said) > fmax(source->tolerance, source->proportion * fabs(said));
}

/* --- motion --- */

void fm_dis_track_of(const fm_world *world, int slot, int algorithm, fm_reckon_track *track)
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    const double *R = fm_slot_rotation(world, slot), *w = v->body.velocity + 3;
    fm_pose pose = {0};
    fm_world_pose(world, slot, &pose);
    memcpy(track->position, pose.position, sizeof track->position);
    memcpy(track->attitude, pose.attitude, sizeof track->attitude);
    memcpy(track->rates, w, sizeof track->rates);
    if (fm_reckon_in_body(algorithm)) {
        memcpy(track->velocity, v->body.velocity, sizeof track->velocity);
        memcpy(track->acceleration, v->acceleration, sizeof track->acceleration);
        return;
    }
    double turning[3];
    fm_cross(w, v->body.velocity, turning);
    for (int i = 0; i < 3; i++)
        turning[i] += v->acceleration[i];
    fm_vector_to_world(R, v->body.velocity, track->velocity);
    fm_vector_to_world(R, turning, track->acceleration);
}

double fm_dis_angle_between(const double a[4], const double b[4])
{
    const double back[4] = {a[0], -a[1], -a[2], -a[3]};
    double turn[4];
    fm_quat_mul(back, b, turn);
    return 2 * fm_atan2(fm_norm(turn + 1), fabs(turn[0]));
}

/* --- when --- */

/* (N5) The receiver's estimate is too far from the true state. */
static fm_dis_reason judge_picture(const fm_dis_sender *s, const fm_dis_rule *rule, const fm_world *world, int slot,
                                   double time)
{
    fm_reckoned thought;
    fm_pose pose = {0};
    double off[3];
    fm_track_reckon(&s->track, s->algorithm, time - s->time, &thought);
    fm_world_pose(world, slot, &pose);
    for (int i = 0; i < 3; i++)
        off[i] = thought.position[i] - pose.position[i];
    if (fm_norm(off) > rule->position)
        return FM_DIS_MOVED;
    return fm_dis_angle_between(thought.attitude, pose.attitude) > rule->angle ? FM_DIS_TURNED : FM_DIS_QUIET;
}

static int parts_changed(const fm_dis_sender *s, const fm_world *world, int slot)
{
    for (size_t i = 0; i < s->source_count; i++)
        if (has_changed(&s->sources[i], s->values[i], value_of(&s->sources[i], world, slot)))
            return 1;
    return 0;
}

fm_dis_reason fm_dis_sender_due(const fm_dis_sender *sender, const fm_dis_rule *rule, const fm_world *world, int slot,
                                double time)
{
    double since = time - sender->time, soon = 1e-9;
    if (!sender->said || since < 0)
        return FM_DIS_FIRST;
    if (rule->pace == FM_DIS_STEP)
        return since >= world->slots[slot].type->step_s - soon ? FM_DIS_EACH : FM_DIS_QUIET;
    if (rule->pace == FM_DIS_FINE)
        return since >= rule->period - soon ? FM_DIS_EACH : FM_DIS_QUIET;
    if (since >= rule->heartbeat - soon)
        return FM_DIS_BEAT;
    fm_dis_reason reason = judge_picture(sender, rule, world, slot, time);
    if (reason == FM_DIS_QUIET && since >= FM_DIS_FINE_PERIOD - soon && parts_changed(sender, world, slot))
        return FM_DIS_PARTS;
    return reason;
}

void fm_dis_sender_say(fm_dis_sender *sender, const fm_dis_rule *rule, const fm_world *world, int slot, double time,
                       const fm_geodetic *origin, fm_dis_entity *entity)
{
    sender->algorithm = rule->algorithm;
    fm_dis_track_of(world, slot, rule->algorithm, &sender->track);
    fm_dis_entity_set_track(entity, origin, &sender->track, rule->algorithm);
    entity->part_count = (uint8_t)sender->source_count;
    for (size_t i = 0; i < sender->source_count; i++) {
        double value = value_of(&sender->sources[i], world, slot);
        sender->changes[i] = (uint8_t)(sender->changes[i] + (sender->said && (float)value != (float)sender->values[i]));
        sender->values[i] = value;
        entity->parts[i] =
            (fm_dis_part){.change = sender->changes[i], .type = sender->sources[i].type, .value = (float)value};
    }
    sender->time = time;
    sender->said = 1;
}
