/* The sea around the vehicles, as sensors, force terms and contact see it. Const: it belongs to the model. */
#ifndef FM_ENVIRONMENT_ENVIRONMENT_H
#define FM_ENVIRONMENT_ENVIRONMENT_H

#include <fathom/part.h>

#include "geometry/box_tree.h"
#include "geometry/heightmap.h"
#include "geometry/rays.h"
#include "ocean/bottom.h"
#include "ocean/column.h"
#include "ocean/current.h"
#include "ocean/waves.h"

/* A fixed or moving obstacle: a wall, column, sphere, box. */
typedef struct fm_obstacle {
    const char *name;
    fm_shape shape;           /* its position (at rest, or at the start of its track), NED */
    const double *track_time; /* s, increasing; NULL: it is fixed */
    const double (*track)[3]; /* m, NED: position of the shape's origin at these times, linear between them */
    size_t track_count;
    int loops; /* the track starts again at its end */
} fm_obstacle;

/* Ids of bodies in ray hits and contacts: vehicles by their slot; obstacles and the bottom from here on. */
#define FM_BODY_OBSTACLE 0x40000000u /* + index of the obstacle */
#define FM_BODY_BOTTOM 0x80000000u

/* The visible skin of a vehicle that is more detailed than its shapes, placed in the world. */
enum { FM_SKIN_VERTICES = 1200 };
typedef struct fm_skin {
    size_t vertices, triangles;
    const uint32_t *index;              /* 3 a triangle */
    const double (*colour)[3];          /* of a vertex: red, green, blue, 0 … 1 */
    double point[FM_SKIN_VERTICES][3];  /* m, NED */
    double normal[FM_SKIN_VERTICES][3]; /* unit, NED */
} fm_skin;

/* All that moves in the world at this moment: shapes of vehicles and of obstacles on tracks. bodies.h asks for them. An
 * item is a vehicle, by its slot, or after these an obstacle on a track. */
enum { FM_BODIES_SHAPES = 8 /* of an item, at most */ };
struct fm_bodies {
    size_t items;
    const uint32_t *first;   /* items + 1: number of the first shape of each; NULL: each has one */
    const fm_ray_body *list; /* all shapes; NULL: `place` places those that are asked for */
    double widest_skin;      /* m: the largest radius of a skin */
    const struct fm_world *world;
    /* Numbers of the items that may meet the region, in no order, and some near ones. Returns how many there are; only
     * the first `most` are written. `asker`: the slot of the vehicle that asks, -1: none. NULL: all may. */
    size_t (*near)(const struct fm_world *world, int asker, const fm_region *region, uint32_t *items, size_t most);
    /* Places the shapes of an item where they may meet the box; returns how many. */
    size_t (*place)(const struct fm_world *world, uint32_t item, const fm_aabb *box,
                    fm_ray_body shapes[FM_BODIES_SHAPES]);
    /* Radius (m) about `centre` (NED) of the skin of a body; 0: it has none, its shapes are visible. NULL: no body
     * has one. */
    double (*skin_radius)(const struct fm_world *world, uint32_t body, double centre[3]);
    /* Velocity (m/s, NED, over ground) of a vehicle's hull at a point (NED). NULL: not available. */
    void (*velocity)(const struct fm_world *world, uint32_t body, const double point[3], double out[3]);
    /* That skin, of a body which has one. */
    void (*skin)(const struct fm_world *world, uint32_t body, fm_skin *out);
};

struct fm_environment {
    double gravity;              /* m/s² */
    double density;              /* kg/m³, nominal */
    double latitude, longitude;  /* rad, of the origin */
    int has_origin;              /* the scenario gives both */
    int stratified;              /* the density of the place is used instead of the nominal one */
    double attenuation;          /* 1/m, of green light, for the page */
    fm_water_column column;      /* always there; its defaults are documented */
    fm_current current;          /* components beyond the uniform live current; may be empty */
    fm_sea sea;                  /* may be empty */
    const fm_drawn_waves *drawn; /* those of its waves that are random */
    size_t drawn_count;
    double wind[3];              /* m/s, NED, at 10 m height */
    const fm_water_noise *noise; /* NULL: none */
    const fm_bottom *bottom;     /* NULL: bottomless */
    fm_mesh floor;               /* the bottom as triangles, from a file; empty: none */
    fm_heightmap map;            /* the bottom as a grid, from a file; empty: none */
    fm_ray_scene *scene;         /* all fixed solids: obstacles, the bottom's triangles */
    fm_ray_scene *floor_scene;   /* the bottom's triangles alone, for its depth; NULL unless it is a mesh */
    struct fm_solids *solids;    /* solids.h: what can be touched, in trees */
    fm_material ground;          /* of the bottom: row 0 of the materials */
    const fm_obstacle *obstacles;
    size_t obstacle_count;
    const uint32_t *moving; /* numbers of those on tracks (solids.c) */
    size_t moving_count;
    const fm_material *materials; /* rows that shapes name; row 0 is the default */
    size_t material_count;
};

/* Whether the velocity of the water changes with place or time beyond the uniform current. */
static inline int fm_environment_has_fields(const fm_environment *e)
{
    return e->current.count > 0 || e->sea.count > 0;
}

/* Frees what is not in the model's arena. */
void fm_environment_free(fm_environment *environment);

/* Position of an obstacle at time t (s). */
fm_shape fm_obstacle_at(const fm_obstacle *obstacle, double t);
/* Its velocity then, m/s, NED: that of the leg of its track; 0 before and after the track. */
void fm_obstacle_velocity(const fm_obstacle *obstacle, double t, double out[3]);
/* The first time after t (s) at which the track bends or restarts; HUGE_VAL: none. */
double fm_obstacle_corner(const fm_obstacle *obstacle, double t);
/* Water depth at a place, m; HUGE_VAL without a bottom. */
double fm_environment_depth(const fm_environment *environment, double x, double y);
/* Density at a place, kg/m³: nominal unless the water is stratified. */
/* Depth of the surface of the sea there, m: 0 in still water, negative under a crest. */
double fm_environment_surface(const fm_environment *environment, double time, double x, double y);
double fm_environment_density(const fm_environment *environment, const double position[3]);

#endif
