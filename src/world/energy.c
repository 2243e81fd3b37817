#include "world/energy.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/contact_internal.h"
#include "world/stream.h"

/* Words of a slot. A shared account is stored at its leader. */
enum {
    CHANGE,  /* J of this step */
    MOVING,  /* J: energy of motion now */
    SURPLUS, /* J that came from nowhere */
    SCALE,   /* J: largest kinetic energy so far */
    ENDED,   /* not 0: the account is overdrawn */
    BEFORE,  /* J before contact */
    WORDS
};
/* Words of a tether. */
enum { TETHER_ENERGY, TETHER_MOVING, TETHER_BEGUN, TETHER_WORDS };

size_t fm_energy_words(size_t slots, size_t tethers)
{
    return slots * WORDS + tethers * TETHER_WORDS;
}

static double *words_of(const fm_world *world, int slot)
{
    return world->energy_words + (size_t)slot * WORDS;
}

static int is_watched(const fm_world *world, int slot)
{
    const fm_slot *s = &world->slots[slot];
    return world->energy && s->vehicle->life == FM_ALIVE && s->type->kind->rigid;
}

/* --- one vehicle --- */

/* A tether pulls relative to ground, the vehicle's energy is relative to water: the water supplies the difference,
 * W. */
static double pull_given(const fm_slot *s, const fm_stream *water)
{
    double R[9], stream[3];
    fm_body_matrix(&s->type->body, s->vehicle->body.attitude, R);
    fm_vector_to_body(R, water->velocity, stream);
    return -fm_dot(s->external, stream);
}

/* Without thrust the power is unknown, and not needed. */
static fm_energy energy_at(const fm_world *world, int slot, const fm_mass *mass, const fm_body_input *input,
                           double ahead, const double *thrust)
{
    const fm_slot *s = &world->slots[slot];
    const fm_body_state *state = &s->vehicle->body;
    fm_body_state rate = {0};
    fm_stream_room room;
    fm_stream_source source;
    fm_energy e;
    const fm_stream *water = fm_stream_at(fm_stream_of(world, s->type, &source), &s->type->body, ahead, state, &room);
    if (thrust)
        fm_body_rate_by(&s->type->body, mass, input, thrust, water, state, &rate);
    fm_energy_of(&s->type->body, mass, input, water, state, &rate, &e);
    e.power += pull_given(s, water);
    return e;
}

void fm_energy_before_step(const fm_world *world, int slot, const fm_mass *mass, const double thrust[6],
                           fm_energy_moment *moment)
{
    const fm_slot *s = &world->slots[slot];
    moment->watched = is_watched(world, slot);
    if (!moment->watched)
        return;
    moment->input = s->vehicle->input;
    memcpy(moment->thrust, thrust, sizeof moment->thrust);
    for (int i = 0; i < 6; i++)
        moment->input.force[i] -= s->external[i];
    moment->energy = energy_at(world, slot, mass, &moment->input, 0, moment->thrust);
}

void fm_energy_after_step(fm_world *world, int slot, const fm_mass *mass, const fm_energy_moment *moment)
{
    if (!moment->watched)
        return;
    const fm_energy *a = &moment->energy;
    double h = world->slots[slot].type->step_s, *words = words_of(world, slot);
    fm_energy b = energy_at(world, slot, mass, &moment->input, h, moment->thrust);
    words[CHANGE] += b.kinetic + b.potential - a->kinetic - a->potential - fm_energy_given(a, &b, h);
    words[MOVING] = b.kinetic;
}

double fm_energy_now(const fm_world *world, int slot)
{
    if (!is_watched(world, slot))
        return 0;
    const fm_mass *mass = fm_slot_mass(world, slot);
    fm_energy e = energy_at(world, slot, mass, &world->slots[slot].vehicle->input, 0, NULL);
    return e.kinetic + e.potential;
}

void fm_energy_add(fm_world *world, int slot, double change)
{
    if (is_watched(world, slot))
        words_of(world, slot)[CHANGE] += change;
}

/* --- contact --- */

void fm_energy_before_contact(fm_world *world)
{
    for (int i = 0; world->energy && i < world->slot_count; i++)
        words_of(world, i)[BEFORE] = fm_energy_now(world, i);
}

/* Energy exchanged between vehicles is not a gain: only an increase of the total is, charged to those that gained.
 * Obstacles on tracks push, and are a source. */
void fm_energy_after_contact(fm_world *world)
{
    double sum = 0, gained = 0;
    if (!world->energy || !world->contact || world->contact->moving)
        return;
    for (int i = 0; i < world->slot_count; i++) {
        double *words = words_of(world, i), change = fm_energy_now(world, i) - words[BEFORE];
        words[BEFORE] = change;
        if (world->contact->broken[i] < 2) {
            words[CHANGE] += change;
            continue;
        }
        sum += change;
        gained += fmax(change, 0);
    }
    for (int i = 0; sum > 0 && i < world->slot_count; i++)
        if (world->contact->broken[i] >= 2)
            words_of(world, i)[CHANGE] += fmax(words_of(world, i)[BEFORE], 0) * (sum / gained);
}

/* --- tethers --- */

void fm_energy_note_tether(fm_world *world, size_t tether, double moving, double potential, double given)
{
    const fm_tether *t = &world->energy->tethers->list[tether];
    int end = t->ends[0].vehicle >= 0 ? t->ends[0].vehicle : t->ends[1].vehicle;
    double *words = world->energy_words + (size_t)world->slot_count * WORDS + tether * TETHER_WORDS;
    double energy = moving + potential, grown = energy - words[TETHER_ENERGY];
    if (words[TETHER_BEGUN] != 0)
        fm_energy_add(world, end, grown - given);
    words[TETHER_ENERGY] = energy;
    words[TETHER_MOVING] = moving;
    words[TETHER_BEGUN] = 1;
}

void fm_energy_forget_tethers(fm_world *world)
{
    const fm_energy_check *check = world->energy;
    for (size_t i = 0; check && check->tethers && i < check->tethers->count; i++)
        world->energy_words[(size_t)world->slot_count * WORDS + i * TETHER_WORDS + TETHER_BEGUN] = 0;
}

/* --- accounts --- */

/* The energy of joined vehicles and their tethers goes to the account of their leader. */
static void gather(fm_world *world)
{
    const fm_energy_check *check = world->energy;
    double *tether = world->energy_words + (size_t)world->slot_count * WORDS;
    for (int i = 0; i < world->slot_count; i++) {
        double *own = words_of(world, i), *account = words_of(world, check->leader[i]);
        own[BEFORE] = 0;
        if (own == account)
            continue;
        account[CHANGE] += own[CHANGE];
        account[BEFORE] += own[MOVING];
        own[CHANGE] = 0;
    }
    for (size_t i = 0; check->tethers && i < check->tethers->count; i++, tether += TETHER_WORDS) {
        const fm_tether_end *ends = check->tethers->list[i].ends;
        int end = ends[0].vehicle >= 0 ? ends[0].vehicle : ends[1].vehicle;
        words_of(world, check->leader[end])[BEFORE] += tether[TETHER_MOVING];
    }
}

static void tell(fm_world *world, int slot, const double *words)
{
    const fm_type *type = world->slots[slot].type;
    fm_step_advice advice = {0};
    double speed = fm_norm(world->slots[slot].vehicle->body.velocity), step = 0.5 * type->step_s;
    if (type->kind->judge_step && type->kind->judge_step(type, speed, world->model->settings.duration, &advice) &&
        advice.step > 0)
        step = advice.step;
    fm_event_tell(world, slot, "energy without a source", words[SURPLUS],
                  "energy grew from %.3g J to %.3g J without a source: %g s is too long a step, %g s %s do",
                  words[SCALE] - words[SURPLUS], words[SCALE], type->step_s, step, advice.step > 0 ? "would" : "may");
}

/* Reports an overdrawn account. The tolerance is the energy that lifts the vehicle by a millimetre. */
static void close_accounts(fm_world *world, const void *config, double *state)
{
    (void)config, (void)state;
    gather(world);
    for (int i = 0; i < world->slot_count; i++) {
        double *words = words_of(world, i);
        if (world->slots[i].vehicle->life == FM_EMPTY || !world->slots[i].type->kind->rigid)
            continue;
        double spare = 1e-3 * world->slots[i].type->mass.weight, moving = words[MOVING] + words[BEFORE];
        words[SURPLUS] = fmax(words[SURPLUS] + words[CHANGE], 0);
        words[SCALE] = fmax(words[SCALE], moving);
        words[CHANGE] = words[BEFORE] = 0;
        if (words[SURPLUS] > world->energy->tolerance * words[SCALE] + spare && words[ENDED] == 0) {
            words[ENDED] = 1;
            tell(world, i, words);
        }
    }
}

static fm_status permit_step(fm_world *world, const void *config, double *state, fm_error *error)
{
    (void)config, (void)state;
    for (int i = 0; i < world->slot_count; i++)
        if (words_of(world, i)[ENDED] != 0 && world->slots[i].vehicle->life != FM_EMPTY)
            return fm_fail(error, FM_ERR_STATE,
                           "vehicle '%s': its energy has grown by %.3g J without a source, to %.3g J (t = %g s): its "
                           "step of %g s is too long, or a part makes energy; energy-check allows %g of it",
                           world->slots[i].vehicle->name, words_of(world, i)[SURPLUS], words_of(world, i)[SCALE],
                           fm_world_time(world), world->slots[i].type->step_s, world->energy->tolerance);
    return FM_OK;
}

static fm_status create(fm_world *world, const void *config, double *state, fm_error *error)
{
    (void)error;
    world->energy = config;
    world->energy_words = state;
    return FM_OK;
}

const fm_subsystem fm_energy_subsystem = {
    .id = FM_SUBSYSTEM_ENERGY, .name = "energy", .create = create, .permit = permit_step, .sum = close_accounts};
