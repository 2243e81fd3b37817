#include "environment/bodies.h"

#include <math.h>
#include <string.h>

#include "geometry/sort.h"

enum { ITEMS_MOST = 2048 };

/* At least the bounding radius, without a root. */
static inline double loose_radius(const fm_shape *shape)
{
    return shape->kind == FM_SHAPE_PLANE ? HUGE_VAL : shape->size[0] + shape->size[1] + shape->size[2];
}

static bool is_near(const fm_shape *shape, const fm_aabb *box)
{
    double reach = loose_radius(shape);
    for (int k = 0; k < 3; k++)
        if (shape->position[k] > box->high[k] + reach || shape->position[k] < box->low[k] - reach)
            return false;
    return true;
}

bool fm_bodies_others(const fm_bodies *b, int slot)
{
    size_t all = b->first ? b->first[b->items] : b->items, own = slot >= 0 && (size_t)slot < b->items;
    if (own && b->first)
        own = b->first[slot + 1] - b->first[slot];
    return all > own;
}

/* Those of an item that may meet the box; where they are kept, or placed in `room`. */
static const fm_ray_body *shapes_of(const fm_bodies *b, uint32_t item, const fm_aabb *box,
                                    fm_ray_body room[FM_BODIES_SHAPES], size_t *count)
{
    if (!b->list) {
        *count = b->place(b->world, item, box, room);
        return room;
    }
    *count = b->first ? b->first[item + 1] - b->first[item] : 1;
    return b->list + (b->first ? b->first[item] : item);
}

size_t fm_bodies_shapes(const fm_bodies *b, uint32_t item, fm_ray_body shapes[FM_BODIES_SHAPES])
{
    static const fm_aabb everywhere = {{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, HUGE_VAL, HUGE_VAL}};
    size_t count;
    const fm_ray_body *found = shapes_of(b, item, &everywhere, shapes, &count);
    if (found != shapes)
        memcpy(shapes, found, count * sizeof *shapes);
    return count;
}

static void visit_item(const fm_bodies *b, uint32_t item, const fm_aabb *box, fm_body_visitor *visit, void *user)
{
    fm_ray_body room[FM_BODIES_SHAPES];
    size_t count;
    const fm_ray_body *shapes = shapes_of(b, item, box, room, &count);
    for (size_t i = 0; i < count; i++)
        if (is_near(&shapes[i].shape, box))
            visit(user, &shapes[i]);
}

void fm_bodies_visit(const fm_bodies *b, int asker, const fm_region *region, fm_body_visitor *visit, void *user)
{
    uint32_t items[ITEMS_MOST];
    size_t count = b->near ? b->near(b->world, asker, region, items, ITEMS_MOST) : SIZE_MAX;
    if (count > ITEMS_MOST) {
        for (size_t i = 0; i < b->items; i++)
            visit_item(b, (uint32_t)i, &region->box, visit, user);
        return;
    }
    fm_numbers_sort(items, count);
    for (size_t i = 0; i < count; i++)
        visit_item(b, items[i], &region->box, visit, user);
}

void fm_bodies_visit_box(const fm_bodies *bodies, const double low[3], const double high[3], fm_body_visitor *visit,
                         void *user)
{
    fm_region region;
    fm_region_set_box(&region, &(fm_aabb){{low[0], low[1], low[2]}, {high[0], high[1], high[2]}});
    fm_bodies_visit(bodies, -1, &region, visit, user);
}
