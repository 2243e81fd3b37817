/* A robotic fish in a block of physics/flat.h. */
#ifndef FM_PHYSICS_FISH_FLAT_H
#define FM_PHYSICS_FISH_FLAT_H

#include "physics/fish_body.h"
#include "physics/flat.h"

/* A record of FM_FLAT_FISH. */
typedef struct fm_fish_record {
    int32_t joints, rows; /* of the tail and of its table */
    int32_t elongated, recoil, shedding, turns_by_tail, has_fins, table_given, depth_given, noisy;
    fm_fish_params par;
    fm_var link[FM_FISH_JOINTS_MOST];                                     /* m */
    fm_var limit, servo_rate, depth_rate;                                 /* rad, rad/s, m/s */
    fm_var start[FM_FISH_ORDERS];                                         /* Hz, rad, m: orders at birth */
    fm_var tail_added, density, viscosity, length, cross_drag, skin_drag; /* of fm_fish_elongated_params */
    fm_fish_fins_params fins;
    fm_water_noise noise;
} fm_fish_record;

static_assert(offsetof(fm_fish_record, par) + FM_FLAT_FISH_NUMBERS * sizeof(fm_var) == sizeof(fm_fish_record) &&
                  FM_FLAT_FISH_INTEGERS == 10 &&
                  offsetof(fm_fish_element, along) + 5 * sizeof(fm_var) == sizeof(fm_fish_element) &&
                  sizeof(fm_fish_words) == FM_FISH_WORDS * sizeof(fm_real),
              "records of a fish: integers first, numbers next to each other");

/* The fish of a block of this build, where its count of FM_FLAT_FISH is 1; it refers to the block and to `room`. */
FM_FN fm_fish_craft fm_flat_fish(const fm_flat *flat, fm_fish_elongated_params *room)
{
    const char *block = (const char *)flat;
    const fm_fish_record *p = (const fm_fish_record *)(const void *)(block + flat->at[FM_FLAT_FISH]);
    fm_fish_craft c;
    room->count = (int)flat->count[FM_FLAT_FISH_ELEMENTS];
    room->recoil = p->recoil;
    room->shedding = p->shedding;
    room->tail.joints = p->joints;
    for (int j = 0; j < FM_FISH_JOINTS_MOST; j++)
        room->tail.link[j] = p->link[j];
    room->tail_added = p->tail_added;
    room->density = p->density;
    room->viscosity = p->viscosity;
    room->length = p->length;
    room->cross_drag = p->cross_drag;
    room->skin_drag = p->skin_drag;
    room->element = (const fm_fish_element *)(const void *)(block + flat->at[FM_FLAT_FISH_ELEMENTS]);
    c.par = &p->par;
    c.tail = &room->tail;
    c.table = (const fm_var *)(const void *)(block + flat->at[FM_FLAT_FISH_TABLE]);
    c.theory = p->elongated ? room : NULL;
    c.fins = p->has_fins ? &p->fins : NULL;
    c.noise = p->noisy ? &p->noise : NULL;
    c.start = p->start;
    c.rows = p->rows;
    c.table_given = p->table_given;
    c.turns_by_tail = p->turns_by_tail;
    c.depth_given = p->depth_given;
    c.substeps = flat->substeps;
    c.limit = p->limit;
    c.servo_rate = p->servo_rate;
    c.depth_rate = p->depth_rate;
    return c;
}

#endif
