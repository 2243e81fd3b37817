#include "world/admission.h"

#include <math.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "environment/solids.h"
#include "physics/posture.h"
#include "physics/vehicle.h"
#include "world/contact_internal.h"
#include "world/inputs.h"

static const double tolerance = 1e-3; /* m of overlap that counts as touching */

static fm_status refuse(const fm_admission *where, const char *what, fm_status status)
{
    if (where->what)
        *where->what = what;
    return status;
}

/* --- names --- */

fm_status fm_entrant_check_name(const fm_model *model, const char *name, fm_error *error)
{
    if (!name || !fm_text_name_valid(name))
        return fm_fail(error, FM_ERR_SYNTAX,
                       "'%.100s' is invalid: must be a name: a letter or '_', then letters, digits, '_', '.' or '-'",
                       name ? name : "");
    if (strlen(name) >= FM_NAME_SIZE)
        return fm_fail(error, FM_ERR_RANGE, "%zu characters given: must be at most %d", strlen(name), FM_NAME_SIZE - 1);
    for (size_t i = 0; i < model->reserved_count; i++)
        if (fm_text_name_equal(model->reserved[i], name))
            return fm_fail(error, FM_ERR_NAME,
                           "'%s' is an element of the scenario: choose another name, because the parameters of both "
                           "would be /%s/…",
                           name, name);
    for (size_t i = model->type_count; i-- > 0 && model->types[i].declared;) /* they stand behind the others */
        if (strcmp(model->types[i].name, name) == 0)
            return fm_fail(error, FM_ERR_NAME, "the name '%s' is used by another type or model", name);
    return FM_OK;
}

/* --- numbers --- */

static fm_status check_numbers(const double *numbers, size_t count, double most, const char *unit, fm_error *error)
{
    for (size_t i = 0; i < count; i++)
        if (!(fabs(numbers[i]) <= most))
            return fm_fail(error, FM_ERR_RANGE, "%g %s is out of range: must be %g … %g %s", numbers[i], unit, -most,
                           most, unit);
    return FM_OK;
}

static fm_status check_attitude(const fm_type *type, const double euler[3], fm_error *error)
{
    const double posture[4] = {euler[0], euler[1], euler[2]};
    fm_status status = check_numbers(euler, 3, FM_ADMIT_ATTITUDE, "rad", error);
    if (status == FM_OK && type->body.euler && !fm_body_posture_sound(posture))
        status = fm_fail(error, FM_ERR_RANGE,
                         "pitch is %.3f deg; posture=\"euler\" is singular at ±90 deg, use posture=\"quaternion\"",
                         euler[1] * 180 / FM_PI);
    return status;
}

static fm_status check_pose(const fm_admission *where, const fm_entrant *a, fm_error *error)
{
    fm_status status = check_numbers(a->position, 3, FM_ADMIT_POSITION, "m", error);
    if (status != FM_OK)
        return refuse(where, "position", status);
    status = check_attitude(&where->model->types[a->type], a->euler, error);
    if (status != FM_OK)
        return refuse(where, "attitude", status);
    status = a->velocity ? check_numbers(a->velocity, 3, FM_ADMIT_VELOCITY, "m/s", error) : FM_OK;
    if (status != FM_OK)
        return refuse(where, "velocity", status);
    status = a->velocity ? check_numbers(a->velocity + 3, 3, FM_ADMIT_VELOCITY, "rad/s", error) : FM_OK;
    return status == FM_OK ? FM_OK : refuse(where, "rates", status);
}

/* --- hulls --- */

typedef struct hull {
    fm_shape shapes[FM_CONTACT_SHAPES]; /* in the world */
    size_t count;
} hull;

static int has_hull(const fm_type *type)
{
    return type->shape_count && type->contact.response != FM_CONTACT_NONE;
}

/* Shapes in body axes; a hull that bends has its initial shape. */
static fm_status find_shapes(const fm_model *model, const fm_type *type, const fm_entrant *a, fm_shape *out,
                             fm_error *error)
{
    if (!type->kind->shapes) {
        memcpy(out, type->shapes, type->shape_count * sizeof *out);
        return FM_OK;
    }
    fm_vehicle *record = fm_alloc((size_t)type->record_words * 8);
    if (!record)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for a vehicle");
    memcpy(record->body.position, a->position, sizeof record->body.position);
    fm_quat_from_euler(a->euler, record->body.attitude);
    if (type->kind->start)
        type->kind->start(model, type, record);
    type->kind->shapes(type, record, out);
    fm_free(record);
    return FM_OK;
}

static fm_status place_hull(const fm_model *model, const fm_entrant *a, hull *out, fm_error *error)
{
    const fm_type *type = &model->types[a->type];
    double q[4];
    fm_status status = find_shapes(model, type, a, out->shapes, error);
    if (status != FM_OK)
        return status;
    fm_quat_from_euler(a->euler, q);
    out->count = type->shape_count;
    for (size_t i = 0; i < out->count; i++)
        out->shapes[i] = fm_shape_carried(&out->shapes[i], a->position, q);
    return FM_OK;
}

/* The object that a hull penetrates deepest. */
typedef struct overlap {
    const fm_shape *shape;
    double depth; /* m */
    uint32_t body;
} overlap;

static void meet(overlap *o, const fm_sweep_side *side, uint32_t body)
{
    fm_separation s;
    fm_sweep_separation(o->shape, side, &s);
    if (-s.distance > o->depth) {
        o->depth = -s.distance;
        o->body = body;
    }
}

static void meet_solid(void *user, const fm_solid *solid)
{
    meet(user, &solid->side, solid->body);
}

static void meet_everything(const fm_admission *where, overlap *o)
{
    const fm_environment *e = where->environment;
    fm_aabb box;
    fm_shape_aabb(o->shape, &box);
    fm_solids_visit(e, &box, meet_solid, o);
    for (size_t i = 0; i < e->moving_count; i++) {
        fm_shape there = fm_obstacle_at(&e->obstacles[e->moving[i]], where->time);
        meet(o, &(fm_sweep_side){.shape = &there}, FM_BODY_OBSTACLE + e->moving[i]);
    }
    double buried = fm_solids_burial(e, o->shape->position);
    if (buried > o->depth) {
        o->depth = buried;
        o->body = FM_BODY_BOTTOM;
    }
}

static fm_status check_output(const fm_admission *where, const fm_entrant *a, fm_error *error)
{
    const fm_environment *e = where->environment;
    overlap worst = {.depth = tolerance};
    hull body;
    if (!has_hull(&where->model->types[a->type]))
        return FM_OK;
    fm_status status = place_hull(where->model, a, &body, error);
    if (status != FM_OK)
        return status;
    for (size_t i = 0; i < body.count; i++) {
        worst.shape = &body.shapes[i];
        meet_everything(where, &worst);
    }
    if (worst.depth <= tolerance)
        return FM_OK;
    refuse(where, "position", FM_OK);
    if (worst.body == FM_BODY_BOTTOM)
        return fm_fail(error, FM_ERR_MODEL,
                       "the hull of '%s' begins %.3g m inside the bottom: move it to a free position", a->name,
                       worst.depth);
    return fm_fail(error, FM_ERR_MODEL, "the hull of '%s' begins %.3g m inside '%s': move it to a free position",
                   a->name, worst.depth, e->obstacles[worst.body - FM_BODY_OBSTACLE].name);
}

/* --- one vehicle --- */

fm_status fm_entrant_check(const fm_admission *where, const fm_entrant *a, fm_error *error)
{
    fm_status status = fm_entrant_check_name(where->model, a->name, error);
    if (status != FM_OK)
        return refuse(where, "name", status);
    status = check_pose(where, a, error);
    return status == FM_OK ? check_output(where, a, error) : status;
}

/* --- two --- */

/* Contact separates two hulls if one of them responds to it; it cannot separate hulls that begin inside each other. */
static int push_each_other(const fm_type *a, const fm_type *b)
{
    return has_hull(a) && has_hull(b) &&
           !(a->contact.response == FM_CONTACT_COUNT && b->contact.response == FM_CONTACT_COUNT);
}

static fm_status check_apart(const fm_admission *where, const char *name, const hull *mine, const char *other,
                             const hull *theirs, fm_error *error)
{
    double depth = tolerance;
    for (size_t i = 0; i < mine->count; i++)
        for (size_t k = 0; k < theirs->count; k++) {
            fm_separation s;
            fm_shape_separation(&mine->shapes[i], &theirs->shapes[k], &s);
            depth = fmax(depth, -s.distance);
        }
    if (depth <= tolerance)
        return FM_OK;
    refuse(where, "position", FM_OK);
    return fm_fail(error, FM_ERR_MODEL,
                   "the hull of '%s' begins %.3g m inside that of '%s': move it to a free position", name, depth,
                   other);
}

fm_status fm_entrants_check_apart(const fm_admission *where, const fm_entrant *a, const fm_entrant *b, fm_error *error)
{
    const fm_model *model = where->model;
    hull mine, theirs;
    if (!push_each_other(&model->types[a->type], &model->types[b->type]))
        return FM_OK;
    fm_status status = place_hull(model, a, &mine, error);
    if (status == FM_OK)
        status = place_hull(model, b, &theirs, error);
    return status == FM_OK ? check_apart(where, a->name, &mine, b->name, &theirs, error) : status;
}

bool fm_entrant_box(const fm_admission *where, const fm_entrant *a, fm_aabb *box)
{
    hull mine;
    if (!has_hull(&where->model->types[a->type]) || place_hull(where->model, a, &mine, NULL) != FM_OK)
        return false;
    fm_shape_aabb(&mine.shapes[0], box);
    for (size_t i = 1; i < mine.count; i++) {
        fm_aabb more;
        fm_shape_aabb(&mine.shapes[i], &more);
        for (int k = 0; k < 3; k++) {
            box->low[k] = fmin(box->low[k], more.low[k]);
            box->high[k] = fmax(box->high[k], more.high[k]);
        }
    }
    return true;
}

/* --- a running world --- */

int fm_world_expects(const fm_world *world, const char *name)
{
    int there = fm_world_find(world, name) >= 0;
    for (size_t i = world->input_first; i < world->input_count; i++)
        if (strcmp(fm_command_vehicle(&world->inputs[i].command), name) == 0) {
            there |= world->inputs[i].command.kind == FM_COMMAND_SPAWN;
            there &= world->inputs[i].command.kind != FM_COMMAND_REMOVE;
        }
    return there;
}

static fm_status find_type(const fm_model *model, const char *like, int *type, fm_error *error)
{
    fm_nearest nearest = {.wanted = like};
    char near[160];
    *type = fm_model_find_type(model, like);
    if (*type >= 0)
        return FM_OK;
    for (size_t i = 0; i < model->vehicle_count; i++)
        fm_nearest_offer(&nearest, model->vehicles[i].name);
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].name)
            fm_nearest_offer(&nearest, model->types[i].name);
    return fm_fail(error, FM_ERR_NAME, "the scenario has no vehicle, type or model '%s'%s", like,
                   fm_nearest_write(&nearest, near, sizeof near));
}

static fm_status check_room(const fm_world *world, int type, fm_error *error)
{
    const uint32_t words = world->model->types[type].record_words;
    size_t waiting = 0, room = 0;
    for (size_t i = world->input_first; i < world->input_count; i++) {
        const fm_command *command = &world->inputs[i].command;
        int leaves = command->kind == FM_COMMAND_REMOVE ? fm_world_find(world, command->remove.name) : -1;
        waiting += command->kind == FM_COMMAND_SPAWN;
        room += leaves >= 0 && world->slots[leaves].room >= words;
    }
    for (int i = 0; i < world->slot_count; i++)
        room += world->slots[i].vehicle->life == FM_EMPTY && world->slots[i].room >= words;
    if (room <= waiting)
        return fm_fail(error, FM_ERR_FULL, "all %d slots are taken; raise <world capacity=\"…\">", world->slot_count);
    return FM_OK;
}

static fm_entrant entrant_of(const fm_world *world, const fm_command_spawn *spawn)
{
    return (fm_entrant){.name = spawn->name,
                        .type = fm_model_find_type(world->model, spawn->like),
                        .position = spawn->position,
                        .euler = spawn->euler};
}

static fm_status check_slot(const fm_admission *where, const fm_world *world, int index, const fm_entrant *a,
                            const hull *mine, fm_error *error)
{
    const fm_slot *slot = &world->slots[index];
    hull theirs = {.count = 0};
    double q[4], reach = 0, gap[3];
    if (slot->vehicle->life == FM_EMPTY || !push_each_other(&world->model->types[a->type], slot->type))
        return FM_OK;
    for (size_t i = 0; i < mine->count; i++) {
        for (int k = 0; k < 3; k++)
            gap[k] = mine->shapes[i].position[k] - a->position[k];
        reach = fmax(reach, fm_norm(gap) + fm_shape_bounding_radius(&mine->shapes[i]));
    }
    for (int k = 0; k < 3; k++)
        gap[k] = slot->vehicle->body.position[k] - a->position[k];
    if (fm_norm(gap) > reach + fm_contact_reach(world, index))
        return FM_OK;
    fm_body_quaternion(slot, q);
    if (!fm_world_expects(world, slot->vehicle->name))
        return FM_OK; /* it goes before this one comes */
    theirs.count = fm_body_shapes(slot, theirs.shapes);
    for (size_t i = 0; i < theirs.count; i++)
        theirs.shapes[i] = fm_shape_carried(&theirs.shapes[i], slot->vehicle->body.position, q);
    return check_apart(where, a->name, mine, slot->vehicle->name, &theirs, error);
}

static fm_status check_others(const fm_admission *where, const fm_world *world, const fm_entrant *a, fm_error *error)
{
    hull mine;
    if (!has_hull(&world->model->types[a->type]))
        return FM_OK;
    fm_status status = place_hull(world->model, a, &mine, error);
    for (int i = 0; status == FM_OK && i < world->slot_count; i++)
        status = check_slot(where, world, i, a, &mine, error);
    for (size_t i = world->input_first; status == FM_OK && i < world->input_count; i++)
        if (world->inputs[i].command.kind == FM_COMMAND_SPAWN) {
            fm_entrant other = entrant_of(world, &world->inputs[i].command.spawn);
            status = fm_entrants_check_apart(where, a, &other, error);
        }
    return status;
}

static fm_status admit(const fm_world *world, const fm_command_spawn *spawn, const char **what, fm_error *error)
{
    fm_admission where = {world->model, world->environment, fm_world_time(world), what};
    fm_entrant a = entrant_of(world, spawn);
    fm_status status = find_type(world->model, spawn->like, &a.type, error);
    if (status != FM_OK)
        return refuse(&where, "model", status);
    status = fm_entrant_check(&where, &a, error);
    if (status != FM_OK)
        return status;
    if (fm_world_expects(world, a.name))
        return refuse(&where, "name", fm_fail(error, FM_ERR_NAME, "the name '%s' is used by another vehicle", a.name));
    status = check_room(world, a.type, error);
    if (status != FM_OK)
        return refuse(&where, "capacity", status);
    status = fm_address_check(world, spawn, error);
    if (status != FM_OK)
        return refuse(&where, "address", status);
    return check_others(&where, world, &a, error);
}

/* The same for a spawn command in a running world: also checks the model, taken names, free slots, and the hulls of
 * vehicles that are present or waiting for the next step. */
fm_status fm_spawn_check(fm_world *world, const fm_input *input, fm_error *error)
{
    const char *what = "vehicle";
    fm_error found = {0};
    fm_status status = admit(world, &input->command.spawn, &what, &found);
    return status == FM_OK ? FM_OK : fm_fail(error, status, "%s: %s", what, found.text);
}
