/* What the stepping thread publishes about its vehicles, and applies from others. */
#include <string.h>

#include "base/named_values.h"
#include "bridges/dis/dis_bridge.h"
#include "environment/environment.h"
#include "run/run.h"
#include "world/surface.h"
#include "world/world.h"

/* --- sending: the stepping thread, and the loop's thread for its own answers --- */

void fm_dis_bridge_head(const fm_dis_bridge *d, fm_dis_pdu *pdu, fm_dis_pdu_type type, double time)
{
    memset(pdu, 0, sizeof *pdu);
    pdu->header = (fm_dis_header){.version = (uint8_t)d->config->version,
                                  .exercise = (uint8_t)d->config->exercise,
                                  .type = (uint8_t)type,
                                  .timestamp = fm_dis_timestamp(time, 0)};
}

/* Each PDU follows its length in two bytes; a PDU that does not fit is counted and dropped. */
static void put_out(fm_dis_bridge *d, const fm_dis_pdu *pdu)
{
    pthread_mutex_lock(&d->lock);
    size_t room = FM_DIS_OUTBOX - d->out, size = room > 2 ? fm_dis_encode(pdu, d->outbox + d->out + 2, room - 2) : 0;
    if (size) {
        uint16_t length = (uint16_t)size;
        memcpy(d->outbox + d->out, &length, sizeof length);
        d->out += 2 + size;
    }
    pthread_mutex_unlock(&d->lock);
    fm_dis_count(size ? d->sent : d->full);
}

static fm_dis_id id_of(const fm_dis_bridge *d, int slot)
{
    return (fm_dis_id){(uint16_t)d->config->site, (uint16_t)d->config->application, (uint16_t)(slot + 1)};
}

static int speaks_of(const fm_dis_bridge *d, const fm_world *world, int slot)
{
    const fm_slot *s = fm_slot_occupied(world, slot);
    return s && !s->type->kind->sight && (!d->config->vehicle || strcmp(d->config->vehicle, s->vehicle->name) == 0);
}

static void say_entity(fm_dis_bridge *d, const fm_world *world, int slot, double time, uint32_t appearance)
{
    fm_dis_entity *e = &d->said.entity;
    const fm_slot *s = &world->slots[slot];
    fm_dis_bridge_head(d, &d->said, FM_DIS_ENTITY_STATE, time);
    e->id = id_of(d, slot);
    e->force = d->natures[slot].force;
    e->type = e->alternative = d->natures[slot].type;
    e->appearance = appearance;
    e->character_set = 1;
    memcpy(e->marking, s->vehicle->name, strnlen(s->vehicle->name, sizeof e->marking));
    fm_dis_sender_say(&d->senders[slot], &d->rule, world, slot, time, &d->origin, e);
    put_out(d, &d->said);
}

static void say_noise(fm_dis_bridge *d, const fm_world *world, int slot, double time)
{
    if (!fm_dis_noise_exists(world, slot) || !fm_dis_noise_due(&d->noises[slot], world, slot, time))
        return;
    fm_dis_bridge_head(d, &d->said, FM_DIS_ACOUSTIC, time);
    d->said.acoustic.emitter = id_of(d, slot);
    d->said.acoustic.event =
        (fm_dis_id){d->said.acoustic.emitter.site, d->said.acoustic.emitter.application, ++d->events};
    fm_dis_noise_say(&d->noises[slot], world, slot, time, &d->said.acoustic);
    put_out(d, &d->said);
}

static void say_pings(fm_dis_bridge *d, const fm_world *world, double time)
{
    const fm_sound_record *records;
    size_t sounds = fm_world_sounds(world, &records);
    for (size_t i = 0; i < sounds; i++) {
        if (records[i].event != FM_SOUND_SENT || !speaks_of(d, world, records[i].slot))
            continue;
        fm_dis_bridge_head(d, &d->said, FM_DIS_ACOUSTIC, time);
        d->said.acoustic.emitter = id_of(d, records[i].slot);
        d->said.acoustic.event =
            (fm_dis_id){d->said.acoustic.emitter.site, d->said.acoustic.emitter.application, ++d->events};
        fm_dis_ping_say(world, &records[i], &d->said.acoustic);
        put_out(d, &d->said);
    }
}

/* Type and force: the vehicle's own, those of all, or the defaults for vehicles that dive and that float. */
static fm_dis_nature nature_of(const fm_dis_config *config, const fm_slot *slot)
{
    static const fm_dis_entity_type diving = {.kind = 1, .domain = 4, .category = 8},
                                    floating = {.kind = 1, .domain = 3, .category = 87};
    fm_dis_nature nature = {fm_type_floats(slot->type) ? floating : diving, (uint8_t)config->force};
    fm_named_value pair;
    uint16_t n[7];
    const char *own = fm_named_value_find(config->entity_types, slot->vehicle->name, &pair);
    own = own ? own : config->entity_type;
    if (own && fm_dis_entity_type_read(own, n))
        nature.type = (fm_dis_entity_type){(uint8_t)n[0], (uint8_t)n[1], n[2],         (uint8_t)n[3],
                                           (uint8_t)n[4], (uint8_t)n[5], (uint8_t)n[6]};
    if ((own = fm_named_value_find(config->forces, slot->vehicle->name, &pair)))
        nature.force = (uint8_t)fm_dis_force_find(own);
    return nature;
}

static void begin_slot(fm_dis_bridge *d, const fm_world *world, int slot)
{
    d->natures[slot] = nature_of(d->config, &world->slots[slot]);
    fm_dis_sender_begin(&d->senders[slot], world, slot);
    memset(&d->noises[slot], 0, sizeof d->noises[slot]);
    d->born[slot] = world->slots[slot].vehicle->born;
}

void fm_dis_bridge_begin(void *user, fm_run *run)
{
    fm_dis_bridge *d = user;
    for (int i = 0; i < d->slots; i++)
        d->born[i] = -1;
    pthread_mutex_lock(&d->lock);
    d->run = run;
    pthread_mutex_unlock(&d->lock);
}

void fm_dis_bridge_step(void *user, fm_run *run)
{
    fm_dis_bridge *d = user;
    const fm_world *world = fm_run_world(run);
    double time = fm_world_time(world);
    int reset = time < d->last;
    d->last = time;
    for (int slot = 0; slot < d->slots; slot++) {
        if (!speaks_of(d, world, slot)) {
            d->born[slot] = -1;
            continue;
        }
        if (reset || d->born[slot] != world->slots[slot].vehicle->born)
            begin_slot(d, world, slot);
        if (fm_dis_sender_due(&d->senders[slot], &d->rule, world, slot, time) != FM_DIS_QUIET)
            say_entity(d, world, slot, time, 0);
        say_noise(d, world, slot, time);
    }
    say_pings(d, world, time);
    pthread_mutex_lock(&d->lock);
    d->time = time;
    pthread_mutex_unlock(&d->lock);
}

/* The other entity's id: one of ours, a foreign one, or none (ground, obstacles). */
static fm_dis_id id_of_other(const fm_dis_bridge *d, const fm_world *world, int slot)
{
    const char *name = fm_world_name(world, slot);
    const fm_dis_other *other = name ? fm_dis_others_find(&d->others, name) : NULL;
    if (other)
        return other->id;
    return name ? id_of(d, slot) : (fm_dis_id){0, 0, 0};
}

/* The velocity before the impact: contact has changed that of the vehicle in this step. A vehicle that has just arrived
 * has the one it arrived with. World axes. */
static void find_velocity_before(const fm_dis_bridge *d, const fm_world *world, int slot, double velocity[3])
{
    const fm_vehicle *v = world->slots[slot].vehicle;
    if (d->motions[slot].born == v->born)
        memcpy(velocity, d->motions[slot].velocity, 3 * sizeof *velocity);
    else
        fm_vector_to_world(fm_slot_rotation(world, slot), v->body.velocity, velocity);
}

static void keep_motions(fm_dis_bridge *d, const fm_world *world)
{
    for (int slot = 0; slot < d->slots; slot++) {
        const fm_slot *s = fm_slot_occupied(world, slot);
        d->motions[slot].born = s ? s->vehicle->born : -1;
        if (s)
            fm_vector_to_world(fm_slot_rotation(world, slot), s->vehicle->body.velocity, d->motions[slot].velocity);
    }
}

void fm_dis_bridge_event(void *user, fm_run *run, const fm_event *event)
{
    fm_dis_bridge *d = user;
    const fm_world *world = fm_run_world(run);
    int met = strcmp(event->kind, "vehicle contact") == 0, other = met ? (int)event->value : -1;
    if ((!met && strcmp(event->kind, "contact") != 0) || !speaks_of(d, world, event->slot))
        return;
    fm_dis_collision *c = &d->said.collision;
    const fm_slot *s = &world->slots[event->slot];
    double velocity[3], turned[3];
    fm_dis_bridge_head(d, &d->said, FM_DIS_COLLISION, fm_world_time(world));
    c->issuer = id_of(d, event->slot);
    c->other = met ? id_of_other(d, world, other) : (fm_dis_id){0, 0, 0};
    c->event = (fm_dis_id){c->issuer.site, c->issuer.application, ++d->events};
    c->type = s->type->contact.response == FM_CONTACT_IMPULSE && s->type->contact.restitution > 0;
    if (s->type->kind->rigid)
        c->mass = (float)(fm_slot_mass(world, event->slot)->weight / world->environment->gravity);
    find_velocity_before(d, world, event->slot, velocity);
    fm_dis_vector_out(&d->origin, s->vehicle->body.position, velocity, turned);
    for (int i = 0; i < 3; i++)
        c->velocity[i] = (float)turned[i];
    fm_pose there;
    if (met && fm_world_pose(world, other, &there) == FM_OK) { /* this one as the other sees it */
        for (int i = 0; i < 3; i++)
            velocity[i] = s->vehicle->body.position[i] - there.position[i];
        fm_vector_to_body(fm_slot_rotation(world, other), velocity, turned);
        for (int i = 0; i < 3; i++)
            c->location[i] = (float)turned[i];
    }
    put_out(d, &d->said);
}

/* --- receiving: the stepping thread --- */

void fm_dis_bridge_steer(void *user, fm_run *run)
{
    fm_dis_bridge *d = user;
    fm_world *world = fm_run_world(run);
    fm_counter *const reasons[] = {d->heard_well, d->heard_well, d->no_type, d->beyond, d->crowded};
    pthread_mutex_lock(&d->lock);
    for (size_t i = 0; i < d->in; i++)
        fm_dis_count(reasons[fm_dis_others_hear(&d->others, &d->inbox[i], &d->origin, fm_world_time(world))]);
    d->in = 0;
    pthread_mutex_unlock(&d->lock);
    atomic_fetch_add(d->silent, fm_dis_others_steer(&d->others, world));
    atomic_fetch_add(d->world_refuses, d->others.refused);
    keep_motions(d, world);
}

/* They leave the exercise: bit 23 of the appearance. */
void fm_dis_bridge_end(void *user, fm_run *run)
{
    fm_dis_bridge *d = user;
    const fm_world *world = fm_run_world(run);
    for (int slot = 0; slot < d->slots; slot++)
        if (d->born[slot] >= 0 && speaks_of(d, world, slot))
            say_entity(d, world, slot, fm_world_time(world), 1u << 23);
    pthread_mutex_lock(&d->lock);
    d->run = NULL;
    pthread_mutex_unlock(&d->lock);
}
