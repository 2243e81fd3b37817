/* The shapes of vehicles and moving obstacles, placed in the world. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "world/contact_internal.h"
#include "world/vicinity.h"

enum { TRACKS_MOST = 256 }; /* ways kept at a time */

static size_t shapes_of(const fm_model *model, size_t slot)
{
    if (slot < model->vehicle_count)
        return model->types[model->vehicles[slot].type].shape_count;
    size_t most = 0;
    for (size_t i = 0; i < model->type_count; i++)
        most = model->types[i].shape_count > most ? model->types[i].shape_count : most;
    return most;
}

/* A list for each slot, with space for `things`, limited to what can be counted; 0 when out of memory. */
static int allocate_lists(fm_touch_list **lists, uint32_t **ids, size_t slots, size_t things)
{
    uint32_t room = things < FM_TOUCHES_MOST ? (uint32_t)things : FM_TOUCHES_MOST;
    *lists = fm_alloc((slots + 1) * sizeof **lists);
    *ids = fm_alloc((slots * room + 1) * sizeof **ids);
    for (size_t i = 0; *lists && *ids && i < slots; i++)
        (*lists)[i] = (fm_touch_list){.room = room, .ids = *ids + i * room};
    return *lists && *ids;
}

size_t fm_contact_pair_room(const fm_world *world)
{
    size_t slots = (size_t)world->slot_count, shapes = 0;
    for (size_t i = 0; i < slots && shapes < 2; i++)
        shapes += shapes_of(world->model, i);
    return slots > 1 && shapes > 1 ? 32 * slots + 8192 : 0;
}

/* Memory per slot for hulls among each other. */
static fm_status allocate_pairs(struct fm_contact_state *c, const fm_world *world, fm_error *error)
{
    size_t slots = (size_t)world->slot_count;
    c->pairs = 1;
    c->pair_room = fm_contact_pair_room(world);
    c->near = fm_alloc(c->pair_room * sizeof *c->near);
    c->near_first = fm_alloc(slots * sizeof *c->near_first);
    c->winners = fm_alloc((2 * c->pair_room + 2) * sizeof *c->winners);
    c->track_room = slots < TRACKS_MOST ? slots : TRACKS_MOST;
    c->tracks = fm_alloc(c->track_room * sizeof *c->tracks);
    if (!c->near || !c->near_first || !c->winners || !c->tracks || !fm_cluster_allocate(&c->cluster, slots) ||
        !fm_islands_allocate(&c->islands, slots) || !allocate_lists(&c->partners, &c->partner_ids, slots, slots - 1))
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the contact of %zu vehicles", slots);
    return FM_OK;
}

/* Can a pose or a shape change while parts ask for shapes? By forces of parts, in the midst of the motion, and where
 * shapes follow from the state of a kind that its own parts write. */
static int poses_change(const fm_world *world)
{
    for (size_t i = 0; i < world->model->type_count; i++)
        if (world->model->types[i].force_count || world->model->types[i].kind->shapes)
            return 1;
    return 0;
}

static fm_status allocate(struct fm_contact_state *c, const fm_world *world, fm_error *error)
{
    size_t slots = (size_t)world->slot_count, room = c->vehicle_bodies + c->moving + 1;
    const int listed = poses_change(world);
    c->list = listed ? fm_alloc(room * sizeof *c->list) : NULL;
    c->first = fm_alloc((slots + c->moving + 1) * sizeof *c->first);
    c->before = fm_alloc((slots + 1) * sizeof *c->before);
    c->reach = fm_alloc((world->model->type_count + 1) * sizeof *c->reach);
    c->balls = fm_alloc((slots + 1) * sizeof *c->balls);
    c->memos = fm_alloc((slots + 1) * sizeof *c->memos);
    const fm_environment *e = world->environment;
    int lists = allocate_lists(&c->touched, &c->touched_ids, slots, e->obstacle_count + (e->bottom != NULL));
    c->plans = fm_alloc((slots + 1) * sizeof *c->plans);
    c->broken = fm_alloc((slots + 1) * sizeof *c->broken);
    c->spans = fm_alloc((slots + 1) * sizeof *c->spans);
    if ((listed && !c->list) || !c->first || !c->before || !c->reach || !c->balls || !c->memos || !lists || !c->plans ||
        !c->broken || !c->spans)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for the contact of %zu shapes", room);
    return fm_contact_pair_room(world) ? allocate_pairs(c, world, error) : FM_OK;
}

/* Radius about the origin that holds the shapes, m. */
static double reach_of(const fm_shape *shapes, size_t count)
{
    double reach = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = shapes[i].position;
        reach = fmax(reach, sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]) + fm_shape_bounding_radius(&shapes[i]));
    }
    return reach * (1 + 1e-12);
}

fm_status fm_contact_create(fm_world *world, const void *config, double *state, fm_error *error)
{
    (void)config, (void)state;
    const fm_environment *e = world->environment;
    size_t shapes = 0;
    for (int i = 0; i < world->slot_count; i++)
        shapes += shapes_of(world->model, (size_t)i);
    if (!shapes && !e->moving_count)
        return FM_OK;
    struct fm_contact_state *c = fm_alloc(sizeof *c);
    if (!c)
        return fm_fail(error, FM_ERR_MEMORY, "no memory for contact");
    world->contact = c;
    c->vehicle_bodies = shapes;
    c->moving = e->moving_count;
    c->standing = e->obstacle_count || e->bottom;
    fm_status status = allocate(c, world, error);
    for (size_t i = 0, at = 0, slots = (size_t)world->slot_count; status == FM_OK && i <= slots + c->moving; i++) {
        c->first[i] = (uint32_t)at;
        at += i < slots ? shapes_of(world->model, i) : 1;
    }
    for (size_t i = 0; status == FM_OK && i < world->model->type_count; i++)
        c->reach[i] = world->model->types[i].kind->shapes
                          ? -1
                          : reach_of(world->model->types[i].shapes, world->model->types[i].shape_count);
    return status;
}

void fm_contact_free(fm_world *world)
{
    struct fm_contact_state *c = world->contact;
    if (!c)
        return;
    fm_free(c->list);
    fm_free(c->first);
    fm_free(c->before);
    fm_free(c->balls);
    fm_free(c->memos);
    fm_free(c->touched);
    fm_free(c->touched_ids);
    fm_free(c->plans);
    fm_free(c->broken);
    fm_free(c->spans);
    fm_free(c->partners);
    fm_free(c->partner_ids);
    fm_free(c->near);
    fm_free(c->near_first);
    fm_free(c->winners);
    fm_free(c->tracks);
    fm_cluster_free(&c->cluster);
    fm_islands_free(&c->islands);
    fm_free(c->reach);
    fm_free(c);
    world->contact = NULL;
}

/* Shapes of a vehicle in its body axes; returns their number. */
size_t fm_body_shapes(const fm_slot *slot, fm_shape out[FM_CONTACT_SHAPES])
{
    size_t count = slot->type->shape_count;
    if (slot->type->kind->shapes)
        slot->type->kind->shapes(slot->type, slot->vehicle, out);
    else
        memcpy(out, slot->type->shapes, count * sizeof *out);
    return count;
}

void fm_body_quaternion(const fm_slot *slot, double q[4])
{
    if (slot->type->body.euler)
        fm_quat_from_euler(slot->vehicle->body.attitude, q);
    else
        memcpy(q, slot->vehicle->body.attitude, 4 * sizeof *q);
}

double fm_contact_reach(const fm_world *world, int index)
{
    const fm_slot *slot = &world->slots[index];
    double reach = world->contact->reach[slot->vehicle->type];
    if (reach >= 0)
        return reach;
    fm_shape shapes[FM_CONTACT_SHAPES];
    size_t count = fm_body_shapes(slot, shapes);
    return reach_of(shapes, count);
}

size_t fm_contact_place_hull(const fm_world *world, int index, fm_ray_body out[FM_CONTACT_SHAPES])
{
    const fm_slot *slot = &world->slots[index];
    fm_shape shapes[FM_CONTACT_SHAPES];
    double q[4];
    if (slot->vehicle->life == FM_EMPTY || slot->vehicle->passed & FM_PASSED_RUNAWAY)
        return 0;
    fm_body_quaternion(slot, q);
    size_t count = fm_body_shapes(slot, shapes);
    for (size_t i = 0; i < count; i++)
        out[i] = (fm_ray_body){fm_shape_carried(&shapes[i], slot->vehicle->body.position, q), (uint32_t)index};
    return count;
}

/* Into the list, with its room filled up. */
static void list_hull(fm_world *world, int index)
{
    struct fm_contact_state *c = world->contact;
    fm_ray_body *list = c->list + c->first[index], shapes[FM_CONTACT_SHAPES];
    size_t room = c->first[index + 1] - c->first[index], count = fm_contact_place_hull(world, index, shapes);
    for (size_t i = 0; i < room; i++) {
        if (i < count) {
            list[i] = shapes[i];
        } else { /* out of the way: a speck far off */
            list[i] = (fm_ray_body){fm_shape_sphere(1e-6), (uint32_t)index};
            list[i].shape.position[2] = -1e9 - index;
        }
    }
}

/* --- what instruments ask --- */

static fm_ray_body place_obstacle(const fm_world *world, size_t number)
{
    const fm_environment *e = world->environment;
    return (fm_ray_body){fm_obstacle_at(&e->obstacles[e->moving[number]], fm_world_time(world)),
                         FM_BODY_OBSTACLE + e->moving[number]};
}

static size_t place_item(const fm_world *world, uint32_t item, const fm_aabb *box, fm_ray_body out[FM_BODIES_SHAPES])
{
    if (item < (uint32_t)world->slot_count)
        return fm_aabb_meet(&world->vicinity->boxes[item], box) ? fm_contact_place_hull(world, (int)item, out) : 0;
    out[0] = place_obstacle(world, item - (uint32_t)world->slot_count);
    return 1;
}

/* Moving obstacles are few: all of them. */
static size_t find_near(const fm_world *world, int asker, const fm_region *region, uint32_t *items, size_t most)
{
    size_t count = fm_vicinity_find_again(world, asker, region, items, most);
    for (size_t i = 0; i < world->contact->moving; i++, count++)
        if (count < most)
            items[count] = (uint32_t)((size_t)world->slot_count + i);
    return count;
}

/* --- skins --- */

static double skin_radius(const fm_world *world, uint32_t body, double centre[3])
{
    if (body >= (uint32_t)world->slot_count)
        return 0;
    const fm_slot *slot = &world->slots[body];
    if (slot->vehicle->life == FM_EMPTY || !slot->type->kind->skin)
        return 0;
    memcpy(centre, slot->vehicle->body.position, sizeof slot->vehicle->body.position);
    return slot->type->kind->skin_radius(slot->type);
}

static void hull_velocity(const fm_world *world, uint32_t body, const double point[3], double out[3])
{
    const fm_slot *slot = &world->slots[body];
    const double *v = slot->vehicle->body.velocity, *p = slot->vehicle->body.position;
    double q[4], R[9], lever[3], arm[3], turning[3], at[3];
    fm_body_quaternion(slot, q);
    fm_quat_matrix(q, R);
    for (int k = 0; k < 3; k++)
        lever[k] = point[k] - p[k];
    fm_vector_to_body(R, lever, arm);
    fm_cross(v + 3, arm, turning);
    for (int k = 0; k < 3; k++)
        at[k] = v[k] + turning[k];
    fm_vector_to_world(R, at, out);
}

static void place_skin(const fm_world *world, uint32_t body, fm_skin *out)
{
    const fm_slot *slot = &world->slots[body];
    double q[4], R[9], v[3];
    slot->type->kind->skin(slot->type, slot->vehicle, out);
    fm_body_quaternion(slot, q);
    fm_quat_matrix(q, R);
    for (size_t i = 0; i < out->vertices; i++) {
        fm_vector_to_world(R, out->point[i], v);
        for (int k = 0; k < 3; k++)
            out->point[i][k] = v[k] + slot->vehicle->body.position[k];
        fm_vector_to_world(R, out->normal[i], v);
        memcpy(out->normal[i], v, sizeof v);
    }
}

static double widest_skin(const fm_model *model)
{
    double most = 0;
    for (size_t i = 0; i < model->type_count; i++)
        if (model->types[i].kind->skin)
            most = fmax(most, model->types[i].kind->skin_radius(&model->types[i]));
    return most;
}

/* What parts see of vehicles and moving obstacles as they are now. */
void fm_contact_place_bodies(fm_world *world, const void *config, double *state)
{
    (void)config, (void)state;
    struct fm_contact_state *c = world->contact;
    if (!c || !(world->any_due || world->any_forces)) /* no part asks */
        return;
    if (world->slot_count > 1 || c->moving)
        fm_vicinity_follow(world);
    if (c->list)
        fm_world_for_slots(world, list_hull);
    for (size_t i = 0; c->list && i < c->moving; i++)
        c->list[c->vehicle_bodies + i] = place_obstacle(world, i);
    if (c->bodies.items)
        return;
    c->bodies = (fm_bodies){.items = (size_t)world->slot_count + c->moving,
                            .first = c->first,
                            .list = c->list,
                            .widest_skin = widest_skin(world->model),
                            .world = world,
                            .near = find_near,
                            .place = place_item,
                            .skin_radius = skin_radius,
                            .velocity = hull_velocity,
                            .skin = place_skin};
}

const fm_bodies *fm_world_no_bodies(void)
{
    static const fm_bodies none;
    return &none;
}

const fm_bodies *fm_world_bodies(const fm_world *world)
{
    return world->contact ? &world->contact->bodies : fm_world_no_bodies();
}

void fm_contact_clear_bodies(fm_world *world)
{
    if (world->contact)
        world->contact->bodies = *fm_world_no_bodies();
}

static void remember_one(fm_world *world, int index)
{
    world->contact->broken[index] = 0;
    double *before = world->contact->before[index];
    memcpy(before, world->slots[index].vehicle->body.position, 3 * sizeof *before);
    memcpy(before + 3, world->slots[index].vehicle->body.attitude, 4 * sizeof *before);
}

/* Keeps the poses at the start of the step, for `restore` and for fast vehicles. */
void fm_contact_remember(fm_world *world, const void *config, double *state)
{
    (void)config, (void)state;
    const struct fm_contact_state *c = world->contact;
    if (c && c->vehicle_bodies && (c->standing || c->pairs))
        fm_world_for_slots(world, remember_one);
}

void fm_contact_forget(fm_world *world, int slot)
{
    struct fm_contact_state *c = world->contact;
    if (!c)
        return;
    c->memos[slot].steady = 0;
    if (c->islands.memos)
        c->islands.memos[slot].steady = 0;
    c->balls[slot].radius = c->balls[slot].room = 0;
    c->touched[slot].count = 0;
    fm_vicinity_forget(world);
}

/* Bytes that contact stores for the vehicle in this slot. */
size_t fm_contact_bytes(const fm_world *world, int slot)
{
    const struct fm_contact_state *c = world->contact;
    if (!c)
        return 0;
    size_t bytes = (c->list ? (c->first[slot + 1] - c->first[slot]) * sizeof *c->list : 0) + sizeof *c->first +
                   sizeof *c->before + sizeof *c->balls + sizeof *c->memos + sizeof *c->touched + sizeof *c->plans +
                   sizeof *c->broken + sizeof *c->spans;
    bytes += c->touched[slot].room * sizeof *c->touched_ids;
    if (c->pairs)
        bytes += sizeof *c->partners + c->partners[slot].room * sizeof *c->partner_ids + sizeof *c->near_first +
                 sizeof *c->islands.of + sizeof *c->islands.memos +
                 (fm_vicinity_bytes(world) + c->pair_room * (sizeof *c->near + 2 * sizeof *c->winners) +
                  c->track_room * sizeof *c->tracks + fm_cluster_bytes(&c->cluster, (size_t)world->slot_count)) /
                     (size_t)world->slot_count;
    return bytes;
}

/* FM_ERR_FULL if the stage `collide` met more contacts than it has space for. */
fm_status fm_contact_check(fm_world *world, const void *config, double *state, fm_error *error)
{
    (void)config, (void)state;
    const struct fm_contact_state *c = world->contact;
    if (!c)
        return FM_OK;
    if (c->overflow)
        return fm_fail(
            error, FM_ERR_FULL,
            "more vehicles are near each other at tick %llu than contact has room for (8192 pairs and 32 a vehicle)",
            (unsigned long long)world->head->tick);
    if (c->crowded)
        return fm_fail(error, FM_ERR_FULL,
                       "vehicle '%s' touches more at tick %llu than is accepted at once: %d obstacles, %d vehicles",
                       world->slots[c->crowded - 1].vehicle->name, (unsigned long long)world->head->tick,
                       FM_TOUCHES_MOST, FM_PARTNERS_MOST);
    return FM_OK;
}
