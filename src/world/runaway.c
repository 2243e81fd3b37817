#include "world/runaway.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "physics/vector.h"
#include "world/owners.h"
#include "world/tether.h"

/* --- what is out of range --- */

static const char *const field_names[13] = {"x", "y", "z", "attitude", "attitude", "attitude", "attitude",
                                            "u", "v", "w", "p",        "q",        "r"};
static const char *const field_units[13] = {" m",   " m",   " m",   "",       "",       "",      "",
                                            " m/s", " m/s", " m/s", " rad/s", " rad/s", " rad/s"};
static const double field_limits[13] = {1e8, 1e8, 1e8, 100, 100, 100, 100, 1e3, 1e3, 1e3, 1e3, 1e3, 1e3};

/* The cause for each field: the coefficients to check when it diverges. */
static const char *const field_causes[13] = {"X", "Y", "Z", "K, M and N", "K, M and N", "K, M and N", "K, M and N",
                                             "X", "Y", "Z", "K",          "M",          "N"};

/* The first field that is out of range; 13: none by itself. */
static int find_field(const fm_body_state *body)
{
    const double *fields = body->position;
    int i = 0;
    while (i < 13 && fabs(fields[i]) < field_limits[i])
        i++;
    return i;
}

/* --- why --- */

typedef struct cause {
    char brief[96]; /* for an event */
    char text[400]; /* with what to do */
} cause;

/* Change of velocity within a step by a force and moment (body axes): m/s or rad/s, the larger number. */
static double gain_of(const fm_world *world, int slot, const double force[6])
{
    double a[6], most = 0;
    fm_matrix6_mul(fm_slot_mass(world, slot)->inverse, force, a);
    for (int i = 0; i < 6; i++) {
        if (!isfinite(a[i]))
            return HUGE_VAL;
        most = fmax(most, fabs(a[i]) * world->slots[slot].type->step_s);
    }
    return most;
}

static double size_of(const double force[3])
{
    return sqrt(fm_dot(force, force));
}

/* Its speed is a possible one: it was placed there. */
static int was_placed(const fm_vehicle *vehicle, int field)
{
    const double *v = vehicle->body.velocity;
    return field < 3 && isfinite(vehicle->body.position[field]) && fm_dot(v, v) < 1e6;
}

static void blame_coefficients(const fm_world *world, int slot, int field, cause *c)
{
    const char *names = field < 13 ? field_causes[field] : "X, Y, Z, K, M and N";
    snprintf(c->brief, sizeof c->brief, "its motion is unstable");
    snprintf(c->text, sizeof c->text,
             "Its own motion is unstable: check the signs and units of its %s coefficients and of its added mass "
             "(`fathom stability`), or use a step shorter than %g s",
             names, world->slots[slot].type->step_s);
}

/* The largest external push, if it alone causes 1 m/s or 1 rad/s in a step. */
static void find_cause(const fm_world *world, int slot, int field, cause *c)
{
    const fm_vehicle *vehicle = world->slots[slot].vehicle;
    const fm_tether *tether = fm_tether_pulling(world, slot);
    int rigid = world->slots[slot].type->kind->rigid;
    double pull = rigid && tether ? gain_of(world, slot, world->slots[slot].external) : 0;
    double push = rigid && vehicle->pushed ? gain_of(world, slot, vehicle->outside) : 0;
    double own = rigid ? gain_of(world, slot, vehicle->input.force) : 0, most = fmax(pull, fmax(push, own));
    if (was_placed(vehicle, field)) {
        snprintf(c->brief, sizeof c->brief, "it was placed there");
        snprintf(c->text, sizeof c->text, "It was placed there: place it nearer to the origin");
    } else if (most >= 1 && most == pull) {
        snprintf(c->brief, sizeof c->brief, "tether '%.40s' pulls it", tether->name);
        snprintf(c->text, sizeof c->text, "Tether '%.40s' pulls it: ", tether->name);
        fm_tether_explain(world, tether, c->text + strlen(c->text), sizeof c->text - strlen(c->text));
    } else if (most >= 1 && most == push) {
        snprintf(c->brief, sizeof c->brief, "a force of %.3g N from outside pushes it", size_of(vehicle->outside));
        snprintf(c->text, sizeof c->text,
                 "A force of %.3g N and a moment of %.3g N m from outside push it: check what sends them",
                 size_of(vehicle->outside), size_of(vehicle->outside + 3));
    } else if (most >= 1) {
        snprintf(c->brief, sizeof c->brief, "its actuators push with %.3g N", size_of(vehicle->input.force));
        snprintf(c->text, sizeof c->text,
                 "Its actuators push with %.3g N and turn it with %.3g N m: check their limits against its mass",
                 size_of(vehicle->input.force), size_of(vehicle->input.force + 3));
    } else {
        blame_coefficients(world, slot, field, c);
    }
}

fm_status fm_runaway_report(const fm_world *world, int slot, fm_error *error)
{
    const fm_vehicle *vehicle = world->slots[slot].vehicle;
    const double *numbers = (const double *)&vehicle->body; /* 13 of them, named in field_names */
    int i = find_field(&vehicle->body);
    cause c;
    find_cause(world, slot, i, &c);
    if (i == 13)
        return fm_fail(error, FM_ERR_STATE,
                       "vehicle '%s': speed or distance from the origin is out of range after tick %llu. %s",
                       vehicle->name, (unsigned long long)world->head->tick, c.text);
    return fm_fail(error, FM_ERR_STATE,
                   "vehicle '%s': %s is %g%s after tick %llu (t = %g s), out of range: must be within ±%g%s. %s",
                   vehicle->name, field_names[i], numbers[i], field_units[i], (unsigned long long)world->head->tick,
                   (double)(world->head->tick + 1) * world->model->settings.dt, field_limits[i], field_units[i],
                   c.text);
}

/* --- out of the world --- */

void fm_runaway_mark(fm_world *world, int slot, const char *text)
{
    fm_vehicle *vehicle = world->slots[slot].vehicle;
    fm_event_tell(world, slot, "runaway", (double)(world->head->tick + 1) * world->model->settings.dt, "%s", text);
    memset(vehicle->body.velocity, 0, sizeof vehicle->body.velocity);
    memset(vehicle->acceleration, 0, sizeof vehicle->acceleration);
    vehicle->life = FM_ENDED;
    vehicle->passed |= FM_PASSED_RUNAWAY;
    __atomic_store_n(&world->any_runaway, 1, __ATOMIC_RELAXED);
}

static void note_bad(fm_world *world, int slot)
{
    int seen = __atomic_load_n(&world->bad_slot, __ATOMIC_RELAXED);
    while ((seen < 0 || slot < seen) &&
           !__atomic_compare_exchange_n(&world->bad_slot, &seen, slot, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

void fm_runaway_meet(fm_world *world, int slot, const fm_body_state *before)
{
    fm_vehicle *vehicle = world->slots[slot].vehicle;
    char text[FM_EVENT_TEXT_SIZE];
    cause c;
    if (world->on_runaway != FM_RUNAWAY_REMOVE) {
        note_bad(world, slot);
        return;
    }
    int i = find_field(&vehicle->body);
    find_cause(world, slot, i, &c);
    if (i == 13)
        snprintf(text, sizeof text, "removed: its speed or place is out of range; %.60s", c.brief);
    else
        snprintf(text, sizeof text, "removed: %s is %.4g%s; %.80s", field_names[i], ((const double *)&vehicle->body)[i],
                 field_units[i], c.brief);
    memcpy(&vehicle->body, before, sizeof vehicle->body);
    fm_runaway_mark(world, slot, text);
}

void fm_runaway_take_out(fm_world *world)
{
    world->any_runaway = 0;
    for (int i = 0; i < world->slot_count; i++) {
        fm_slot *slot = &world->slots[i];
        if (!(slot->vehicle->passed & FM_PASSED_RUNAWAY))
            continue;
        memset((void *)slot->vehicle, 0, slot->room * 8);
        fm_owners_clear(world, i);
        fm_slot_refresh(world, i);
    }
}
